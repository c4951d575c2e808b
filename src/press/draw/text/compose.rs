//! Fits text into a box: broken into lines, made smaller where it must be, and refused where it cannot fit.
//!
//! Lines are broken so that the sum of the squares of the space left at their ends is smallest (after Knuth and Plass,
//! "Breaking Paragraphs into Lines", 1981). So no line is much shorter than its neighbours, and if possible a paragraph
//! does not end with one short word. Running text is hyphenated where that makes lines more even (Liang's patterns,
//! from the crate `hypher`); other text only where a word is wider than its line in the smallest type.
//!
//! Some words stay together: in French a sign such as `;` and the word before it, in Polish a word of one letter and
//! the word after it, and in every language the numbers around `×` and the words around a no-break blank, such as those
//! of a date.

use crate::draw::measures::Size;
use crate::draw::text::typeface::{NO_BREAK, Typeface, Weight};

/// How text is set: weight, size, and the distance from one baseline to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Setting {
    pub weight: Weight,
    pub size: f64,
    pub leading: f64,
}

/// From baseline to baseline of a text in a box, in type sizes.
const LEADING: f64 = 1.2;

impl Setting {
    pub(crate) fn boxed(weight: Weight, size: f64) -> Setting {
        Setting { weight, size, leading: size * LEADING }
    }
}

/// The type sizes that a text may have: the largest in which it fits is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SizeRange {
    pub largest: f64,
    pub smallest: f64,
}

/// A text in the size and the lines in which it fits its box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fitted {
    pub setting: Setting,
    pub lines: Vec<String>,
}

impl Fitted {
    /// From the upper edge of the first line to the last baseline.
    pub(crate) fn height(&self) -> f64 {
        self.setting.size + (self.lines.len() as f64 - 1.0) * self.setting.leading
    }
}

/// Where lines may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breaks {
    /// Between words; the last line is about as long as the others.
    Even,
    /// Between words and syllables.
    Running,
}

/// Sets text of a language in a typeface.
#[derive(Clone, Copy)]
pub(crate) struct Composer<'a> {
    pub typeface: &'a Typeface,
    /// The tag of the language, which decides how words are hyphenated.
    tag: &'a str,
}

impl<'a> From<&'a Typeface> for Composer<'a> {
    /// Text of no language.
    fn from(typeface: &'a Typeface) -> Composer<'a> {
        Composer::new(typeface, "")
    }
}

/// A piece of a word. Costs have the unit of [`line_cost`]: a line that is empty costs 1.
struct Piece {
    text: String,
    width: f64,
    /// True at the end of a word: a blank follows unless the line ends here.
    is_end: bool,
    /// A line that ends here gets a hyphen.
    hyphen: bool,
    /// What it costs to end a line here.
    cost: f64,
}

/// The cost of a hyphen: the same as that of a line that is one fifth empty.
const HYPHEN_COST: f64 = 0.04;
/// The cost of a break inside a part of a word.
const CUT_COST: f64 = 1.0;
/// The cost of a break between words that stay together: only emergencies are worth it.
const GLUE_COST: f64 = 100.0;

impl<'a> Composer<'a> {
    pub(crate) fn new(typeface: &'a Typeface, tag: &'a str) -> Composer<'a> {
        Composer { typeface, tag }
    }

    /// The text in the largest type in which it fits a box and no word is broken. In the smallest size words may be
    /// broken. None if it does not fit.
    pub(crate) fn fit(&self, weight: Weight, sizes: SizeRange, room: Size, text: &str) -> Option<Fitted> {
        let mut size = sizes.largest.max(sizes.smallest);
        loop {
            let setting = Setting::boxed(weight, size);
            let is_last = size <= sizes.smallest;
            let mut words = text.split([' ', NO_BREAK]);
            if is_last || words.all(|word| self.typeface.width(weight, size, word) <= room.width) {
                let lines = self.lines(setting, room.width, text, Breaks::Even);
                let fitted = Fitted { setting, lines };
                if fitted.height() <= room.height + 1e-6 {
                    return Some(fitted);
                }
            }
            if is_last {
                return None;
            }
            // In steps of a fortieth, or of a quarter of a point.
            size = (size - (size / 40.0).max(0.25)).max(sizes.smallest);
        }
    }

    /// Breaks a tidy text into lines no wider than `width`. A part of a word that is too long for a line is broken
    /// anywhere.
    pub(crate) fn lines(&self, setting: Setting, width: f64, text: &str, breaks: Breaks) -> Vec<String> {
        let measure = |text: &str| self.typeface.width(setting.weight, setting.size, text);
        let language = hyphenation(self.tag);
        let words: Vec<Word<'_>> = words_of(text);
        let mut pieces: Vec<Piece> = Vec::new();
        for (number, word) in words.iter().enumerate() {
            // Words that stay together are not torn either: a digit would follow the half of its name.
            let is_bound = word.binds_next || number > 0 && words[number - 1].binds_next;
            let parts = match breaks == Breaks::Running && !is_bound || measure(word.text) > width {
                true => syllables(word.text, language),
                false => vec![word.text.to_owned()],
            };
            let last = parts.len() - 1;
            for (part_number, part) in parts.into_iter().enumerate() {
                self.push_pieces(setting, width - measure("-"), &part, part_number != last, &mut pieces);
            }
            if let (Some(piece), Some(next)) = (pieces.last_mut(), words.get(number + 1)) {
                let stays = word.binds_next || is_glued(self.tag, word.text, next.text);
                piece.cost = if stays { GLUE_COST } else { 0.0 };
            }
        }
        let starts = break_places(&pieces, measure(" "), measure("-"), width, breaks == Breaks::Even);
        starts.windows(2).map(|pair| joined(&pieces[pair[0]..pair[1]])).collect()
    }

    /// Adds a part of a word. A part that is wider than `width` is cut, with hyphens between letters. `hyphen` says
    /// that the word goes on after this part.
    fn push_pieces(&self, setting: Setting, width: f64, part: &str, hyphen: bool, pieces: &mut Vec<Piece>) {
        let measure = |text: &str| self.typeface.width(setting.weight, setting.size, text);
        let mut text = String::new();
        for character in part.chars() {
            text.push(character);
            if measure(&text) > width && text.chars().count() > 1 {
                text.pop();
                let hyphen = character.is_alphabetic() && text.ends_with(char::is_alphabetic);
                let wide = measure(&text);
                let piece = std::mem::replace(&mut text, character.to_string());
                pieces.push(Piece { text: piece, width: wide, is_end: false, hyphen, cost: CUT_COST });
            }
        }
        let cost = if hyphen { HYPHEN_COST } else { 0.0 };
        pieces.push(Piece { width: measure(&text), text, is_end: !hyphen, hyphen, cost });
    }
}

struct Word<'t> {
    text: &'t str,
    /// A no-break blank follows.
    binds_next: bool,
}

/// The words of a text, between blanks of both kinds.
fn words_of(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    for word in text.split_inclusive([' ', NO_BREAK]) {
        if !word.trim().is_empty() {
            words.push(Word { text: word.trim_end_matches([' ', NO_BREAK]), binds_next: word.ends_with(NO_BREAK) });
        }
    }
    words
}

/// True if two words stay on one line by the rules of a language.
fn is_glued(tag: &str, before: &str, after: &str) -> bool {
    let one_letter = || {
        let mut letters = before.chars().skip_while(|character| !character.is_alphanumeric());
        letters.next().is_some_and(|letter| "aiouwzAIOUWZ".contains(letter)) && letters.next().is_none()
    };
    let of_language = match tag.get(..2) {
        Some("fr") => after.starts_with([';', ':', '!', '?', '»']) || before.ends_with('«'),
        Some("pl") => one_letter(),
        _ => false,
    };
    of_language || before == "×" || after == "×"
}

/// The text of a line that ends with the last of the pieces.
fn joined(pieces: &[Piece]) -> String {
    let mut line = String::new();
    for (number, piece) in pieces.iter().enumerate() {
        line.push_str(&piece.text);
        if number + 1 < pieces.len() && piece.is_end {
            line.push(' ');
        } else if number + 1 == pieces.len() && piece.hyphen {
            line.push('-');
        }
    }
    line
}

/// The parts of a word between which it may be hyphenated. No part of two letters or fewer stands alone.
fn syllables(word: &str, language: Option<hypher::Lang>) -> Vec<String> {
    let is_plain = word.trim_end_matches(['.', ',', ':', ';']).chars().all(char::is_alphabetic);
    let Some(language) = language else { return vec![word.to_owned()] };
    if !is_plain || word.chars().count() <= 6 {
        return vec![word.to_owned()];
    }
    let mut parts: Vec<String> = Vec::new();
    for syllable in hypher::hyphenate(word, language) {
        match parts.last_mut() {
            Some(last) if last.chars().count() < 3 => last.push_str(syllable),
            _ => parts.push(syllable.to_owned()),
        }
    }
    while parts.len() > 1 && parts.last().is_some_and(|last| last.chars().filter(|c| c.is_alphabetic()).count() < 3) {
        let last = parts.pop().unwrap_or_default();
        if let Some(before) = parts.last_mut() {
            before.push_str(&last);
        }
    }
    if parts.is_empty() { vec![word.to_owned()] } else { parts }
}

/// The hyphenation patterns of a language by its tag. None for languages without patterns, and for `x-none`.
fn hyphenation(tag: &str) -> Option<hypher::Lang> {
    let code: [u8; 2] = tag.split('-').next()?.as_bytes().try_into().ok()?;
    hypher::Lang::from_iso(code)
}

/// The first piece of each line, and at the end the number of pieces: the breaks of least cost, by dynamic programming.
/// A line of one piece may be too wide.
fn break_places(pieces: &[Piece], blank: f64, hyphen: f64, width: f64, even: bool) -> Vec<usize> {
    let n = pieces.len();
    // The best lines for the pieces from each one on.
    let mut best = vec![BestLines { cost: 0.0, end: n }; n + 1];
    for start in (0..n).rev() {
        let mut line_width = 0.0;
        best[start] = BestLines { cost: f64::INFINITY, end: start + 1 };
        for end in start + 1..=n {
            let last = &pieces[end - 1];
            if end > start + 1 && pieces[end - 2].is_end {
                line_width += last.width + blank;
            } else {
                line_width += last.width;
            }
            if line_width > width && end > start + 1 {
                break;
            }
            let hyphen_width = if last.hyphen { hyphen } else { 0.0 };
            if line_width + hyphen_width > width && end > start + 1 {
                continue;
            }
            let penalty = if end < n { last.cost } else { 0.0 };
            let cost = line_cost(line_width + hyphen_width, width, end == n && !even) + penalty + best[end].cost;
            if cost < best[start].cost {
                best[start] = BestLines { cost, end };
            }
        }
    }
    let mut starts = vec![0];
    let mut start = 0;
    while start < n {
        start = best[start].end;
        starts.push(start);
    }
    starts
}

/// The lines of least cost for the pieces from one on.
#[derive(Clone, Copy)]
struct BestLines {
    /// The sum of the costs of all lines.
    cost: f64,
    /// Where the first of these lines ends and the second begins.
    end: usize,
}

/// The square of the empty part of a line. `last` says that it may be short without cost; if it is shorter than a fifth
/// of the width, it costs as much as a hyphen.
fn line_cost(line: f64, width: f64, last: bool) -> f64 {
    let empty = ((width - line) / width).max(0.0);
    match last {
        true if line < width / 5.0 => HYPHEN_COST,
        true => 0.0,
        false => empty * empty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: Setting = Setting { weight: Weight::Regular, size: 10.0, leading: 14.0 };
    const TEXT: &str = "Fill every empty cell so that each row, each column and each box holds every digit once.";

    fn lines(tag: &str, width: f64, text: &str, breaks: Breaks) -> Vec<String> {
        Composer::new(&Typeface::open().unwrap(), tag).lines(BODY, width, text, breaks)
    }

    #[test]
    fn lines_fit_the_width_and_lose_nothing() {
        let typeface = Typeface::open().unwrap();
        for width in [1.0, 30.0, 60.0, 100.0, 250.0, 1000.0] {
            let lines = lines("", width, TEXT, Breaks::Even);
            let joined: String = lines.concat().chars().filter(|&c| c != ' ' && c != '-').collect();
            assert_eq!(joined, TEXT.replace(' ', ""));
            let widest = lines.iter().map(|line| typeface.width(Weight::Regular, 10.0, line)).fold(0.0, f64::max);
            let are_letters = lines.iter().all(|line| line.trim_end_matches('-').chars().count() == 1);
            assert!(widest <= width || are_letters, "{width} {lines:?}");
        }
        assert!(lines("", 100.0, "", Breaks::Even).is_empty());
    }

    #[test]
    fn no_other_breaks_cost_less() {
        // Compares the dynamic programme with all ways of breaking six pieces, some of which are parts of words.
        let cost = |pieces: &[Piece], starts: &[usize], even: bool| -> f64 {
            let line = |(&from, &to): (&usize, &usize)| {
                let last = &pieces[to - 1];
                let blanks = pieces[from..to - 1].iter().filter(|piece| piece.is_end).count() as f64;
                let hyphen = if last.hyphen { 0.5 } else { 0.0 };
                let wide = pieces[from..to].iter().map(|piece| piece.width).sum::<f64>() + blanks + hyphen;
                if wide > 10.0 && to > from + 1 {
                    return f64::INFINITY;
                }
                line_cost(wide, 10.0, to == pieces.len() && !even) + if to < pieces.len() { last.cost } else { 0.0 }
            };
            starts.iter().zip(&starts[1..]).map(line).sum()
        };
        for (seed, even) in (0..200_usize).flat_map(|seed| [(seed, false), (seed, true)]) {
            let piece = |i: usize| {
                let width = (1 + (seed * 7 + i * i * 5 + i * seed) % 9) as f64;
                let inside = i < 5 && (seed + i).is_multiple_of(3);
                let is_glued = (seed + i).is_multiple_of(7);
                let cost = if inside { HYPHEN_COST } else { f64::from(u8::from(is_glued)) * GLUE_COST };
                Piece { text: String::new(), width, is_end: !inside, hyphen: inside, cost }
            };
            let pieces: Vec<Piece> = (0..6).map(piece).collect();
            let ways = (0..32_usize).map(|mask| {
                let starts = (1..6).filter(|i| mask >> (i - 1) & 1 == 1);
                cost(&pieces, &[0].into_iter().chain(starts).chain([6]).collect::<Vec<_>>(), even)
            });
            let least = ways.fold(f64::INFINITY, f64::min);
            assert!((cost(&pieces, &break_places(&pieces, 1.0, 0.5, 10.0, even), even) - least).abs() < 1e-9, "{seed}");
        }
    }

    #[test]
    fn long_words_are_hyphenated_in_their_language() {
        let typeface = Typeface::open().unwrap();
        let text = "Die Schwierigkeitsgrade der Lösungsstrategien unterscheiden sich außerordentlich.";
        let broken = lines("de", 90.0, text, Breaks::Running);
        assert!(broken.iter().any(|line| line.ends_with('-')), "{broken:?}");
        let plain: String =
            broken.iter().map(|line| line.strip_suffix('-').map_or(format!("{line} "), str::to_owned)).collect();
        assert_eq!(plain.trim(), text);
        let widest = broken.iter().map(|line| typeface.width(Weight::Regular, 10.0, line)).fold(0.0, f64::max);
        assert!(widest <= 90.0, "{broken:?}");
        assert!(hyphenation("ja").is_none() && hyphenation("").is_none() && hyphenation("pt-BR").is_some());
        // A word that no line holds is broken at syllables, and with a hyphen where there are none.
        assert_eq!(lines("de", 60.0, "Schwierigkeitsgrade", Breaks::Even).concat().matches('-').count(), 1);
        assert!(lines("", 60.0, "Schwierigkeitsgrade", Breaks::Even)[0].ends_with('-'));
    }

    #[test]
    fn signs_and_short_words_are_not_parted() {
        let french =
            "Les solutions se trouvent à la fin ; le bas de la page : « voyez ici » indique les grilles de 16 × 16 !";
        let polish =
            "Znajduje się w bloku i w kolumnie, a poza tym u dołu strony, z boku, o czym (w książce) napisano.";
        for width in 70..200 {
            for line in lines("fr", f64::from(width), french, Breaks::Running) {
                assert!(!line.starts_with([';', ':', '!', '»', '×']) && !line.ends_with(['«', '×']), "{width}: {line}");
            }
            for line in lines("pl", f64::from(width), polish, Breaks::Running) {
                let last = line.rsplit(' ').next().unwrap().trim_start_matches('(');
                assert!(last.chars().count() > 1, "{width}: {line}");
            }
        }
    }

    #[test]
    fn a_text_is_made_smaller_before_it_takes_more_room_than_its_box() {
        let typeface = Typeface::open().unwrap();
        let composer = Composer::new(&typeface, "en");
        let sizes = SizeRange { largest: 20.0, smallest: 7.0 };
        let fit = |width, height| composer.fit(Weight::Regular, sizes, Size { width, height }, TEXT);
        assert_eq!(fit(2000.0, 20.0).unwrap().lines, [TEXT]);
        for (width, height) in [(400.0, 20.0), (300.0, 60.0), (100.0, 200.0), (60.0, 200.0)] {
            let fitted = fit(width, height).unwrap();
            assert!(fitted.height() <= height + 0.01 && fitted.setting.size >= 7.0);
            let widest = fitted.lines.iter().map(|line| typeface.width(Weight::Regular, fitted.setting.size, line));
            assert!(widest.fold(0.0, f64::max) <= width);
        }
        assert_eq!(fit(60.0, 30.0), None);
    }
}
