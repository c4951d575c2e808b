//! Running text: breaks paragraphs into even lines, and fills pages so that none ends with a heading.
//!
//! Lines are broken so that the sum of the squares of the space left at their ends is smallest (after Knuth and Plass,
//! "Breaking Paragraphs into Lines", 1981). So no line is much shorter than its neighbours, and if possible a paragraph
//! does not end with one short word. Words of running text are hyphenated where that makes lines more even (Liang's
//! patterns, from the crate `hypher`); titles are not.

use super::canvas::{Canvas, Item};
use super::sheet::Area;
use super::typeface::{Typeface, Weight};

/// How text is set: weight, size, and the distance from one baseline to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// The weight.
    pub weight: Weight,
    /// Type size.
    pub size: f64,
    /// From baseline to baseline.
    pub leading: f64,
}

/// Breaks a tidy text into lines no wider than `width`. A word that is too long for a line is broken anywhere.
pub fn lines(typeface: &Typeface, setting: Setting, width: f64, text: &str) -> Vec<String> {
    broken_lines(typeface, setting, width, text, false, None)
}

/// The same for a title: its last line is about as long as the others.
pub fn even_lines(typeface: &Typeface, setting: Setting, width: f64, text: &str) -> Vec<String> {
    broken_lines(typeface, setting, width, text, true, None)
}

/// A piece of a word.
struct Piece {
    text: String,
    width: f64,
    /// True at the end of a word: a blank follows unless the line ends here.
    is_end: bool,
    /// A line that ends here gets a hyphen.
    hyphen: bool,
}

fn broken_lines(
    typeface: &Typeface,
    setting: Setting,
    width: f64,
    text: &str,
    even: bool,
    language: Option<hypher::Lang>,
) -> Vec<String> {
    let mut pieces: Vec<Piece> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let parts = syllables(word, language);
        let last = parts.len() - 1;
        for (at, part) in parts.into_iter().enumerate() {
            push_pieces(typeface, setting, width, &part, (at == last, at != last), &mut pieces);
        }
    }
    let measure = |text: &str| typeface.width(setting.weight, setting.size, text);
    let starts = breaks(&pieces, (measure(" "), measure("-")), width, even);
    starts.iter().zip(starts[1..].iter()).map(|(&from, &to)| joined(&pieces[from..to])).collect()
}

fn joined(pieces: &[Piece]) -> String {
    let mut line = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        line.push_str(&piece.text);
        if at + 1 < pieces.len() && piece.is_end {
            line.push(' ');
        } else if at + 1 == pieces.len() && piece.hyphen {
            line.push('-');
        }
    }
    line
}

/// The parts of a word between which it may be hyphenated. No part of two letters or fewer stands alone.
fn syllables(word: &str, language: Option<hypher::Lang>) -> Vec<String> {
    let plain = word.chars().all(char::is_alphabetic)
        || word.trim_end_matches(['.', ',', ':', ';']).chars().all(char::is_alphabetic);
    let Some(language) = language.filter(|_| plain && word.chars().count() > 6) else { return vec![word.to_owned()] };
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

/// Adds a part of a word. A part that is wider than a line is cut into pieces.
fn push_pieces(
    typeface: &Typeface,
    setting: Setting,
    width: f64,
    part: &str,
    (is_end, hyphen): (bool, bool),
    pieces: &mut Vec<Piece>,
) {
    let mut text = String::new();
    let mut wide = 0.0;
    for character in part.chars() {
        let advance = typeface.advance(setting.weight, setting.size, character);
        if wide + advance > width && !text.is_empty() {
            pieces.push(Piece { text: std::mem::take(&mut text), width: wide, is_end: false, hyphen: false });
            wide = 0.0;
        }
        text.push(character);
        wide += advance;
    }
    let wide = typeface.width(setting.weight, setting.size, &text);
    pieces.push(Piece { text, width: wide, is_end, hyphen });
}

/// The cost of a hyphen: the same as that of a line that is one fifth empty.
const HYPHEN_COST: f64 = 0.04;

/// Where lines begin, and at the end the number of pieces: the breaks of least cost, by dynamic programming from the end.
fn breaks(pieces: &[Piece], (blank, hyphen): (f64, f64), width: f64, even: bool) -> Vec<usize> {
    let n = pieces.len();
    // cost and next break of the best lines for the pieces from here on
    let mut best = vec![(0.0, n); n + 1];
    for from in (0..n).rev() {
        let mut line = 0.0;
        best[from] = (f64::INFINITY, from + 1);
        for to in from + 1..=n {
            let (last, before) = (&pieces[to - 1], pieces[from..to - 1].last());
            line += last.width + if before.is_some_and(|before| before.is_end) { blank } else { 0.0 };
            if line > width && to > from + 1 {
                break;
            }
            let end = if last.hyphen { hyphen } else { 0.0 };
            if line + end > width && to > from + 1 {
                continue;
            }
            let penalty = if last.hyphen { HYPHEN_COST } else { 0.0 };
            let cost = line_cost(line + end, width, to == n && !even) + penalty + best[to].0;
            if cost < best[from].0 {
                best[from] = (cost, to);
            }
        }
    }
    let mut starts = vec![0];
    let mut at = 0;
    while at < n {
        at = best[at].1;
        starts.push(at);
    }
    starts
}

/// The square of the empty part of a line. The last line may be short, but not very.
fn line_cost(line: f64, width: f64, last: bool) -> f64 {
    let empty = ((width - line) / width).max(0.0);
    match last {
        true if line < width / 5.0 => 0.04,
        true => 0.0,
        false => empty * empty,
    }
}

/// A piece of running text that is never split between two pages.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading. It is on the same page as the next block.
    Heading(String),
    /// A paragraph.
    Paragraph(String),
    /// A term and what it means, in two columns.
    Term(String, String),
    /// Items with a width and a height, drawn from the corner 0, 0, and centred.
    Figure(f64, f64, Vec<Item>),
}

/// How running text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Paragraphs.
    pub body: Setting,
    /// Headings.
    pub heading: Setting,
    /// Width of the column of terms.
    pub term_column: f64,
}

/// A block with its lines broken.
struct Broken {
    /// Space over it, unless it begins a page.
    above: f64,
    height: f64,
    lines: Vec<String>,
    block: Block,
}

/// A page of running text.
pub struct Page(Style, Vec<(f64, Broken)>);

/// Fills pages whose height is `first` points for the first one and `others` for the rest. No page ends with a heading, and
/// no block is split.
pub fn paginate(
    typeface: &Typeface,
    style: Style,
    width: f64,
    first: f64,
    others: f64,
    blocks: Vec<Block>,
    tag: &str,
) -> Vec<Page> {
    let language = hyphenation(tag);
    let broken: Vec<Broken> =
        blocks.into_iter().map(|block| break_block(typeface, style, width, block, language)).collect();
    let needs: Vec<f64> = (0..broken.len()).map(|at| height_together(&broken[at..])).collect();
    let mut pages = vec![Page(style, Vec::new())];
    let (mut at, mut room) = (0.0, first);
    for (block, need) in broken.into_iter().zip(needs) {
        let mut top = at + if at == 0.0 { 0.0 } else { block.above };
        // Blocks that together are taller than a page are not kept together.
        if at > 0.0 && top + need.min(others).max(block.height) > room {
            pages.push(Page(style, Vec::new()));
            (room, top) = (others, 0.0);
        }
        at = top + block.height;
        if let Some(page) = pages.last_mut() {
            page.1.push((top, block));
        }
    }
    pages
}

/// Height of a block and of the blocks that must be on the same page: a heading is followed by a block or by two terms, a
/// paragraph by its figure.
fn height_together(blocks: &[Broken]) -> f64 {
    let Some((first, rest)) = blocks.split_first() else { return 0.0 };
    let kept = match (&first.block, rest) {
        (Block::Heading(_), [one, two, ..]) if one.is_term() && two.is_term() => one.height + two.above + two.height,
        (Block::Heading(_), _) => height_together(rest),
        (Block::Paragraph(_), [next, ..]) if matches!(next.block, Block::Figure(..)) => next.height,
        _ => return first.height,
    };
    first.height + rest.first().map_or(0.0, |next| next.above) + kept
}

/// The hyphenation patterns of a language by its tag. None for languages without patterns, and for `x-none`.
fn hyphenation(tag: &str) -> Option<hypher::Lang> {
    let code: [u8; 2] = tag.split('-').next()?.as_bytes().try_into().ok()?;
    hypher::Lang::from_iso(code)
}

fn break_block(typeface: &Typeface, style: Style, width: f64, block: Block, language: Option<hypher::Lang>) -> Broken {
    let body = style.body;
    let (above, lines, height) = match &block {
        Block::Heading(text) => {
            let lines = lines(typeface, style.heading, width, text);
            let height = lines.len() as f64 * style.heading.leading;
            (body.leading * 1.25, lines, height)
        }
        Block::Paragraph(text) => {
            let lines = broken_lines(typeface, body, width, text, false, language);
            let height = lines.len() as f64 * body.leading;
            (body.leading * 0.5, lines, height)
        }
        Block::Term(_, text) => {
            let lines = broken_lines(typeface, body, width - style.term_column, text, false, language);
            let height = lines.len().max(1) as f64 * body.leading;
            (body.leading * 0.4, lines, height)
        }
        Block::Figure(_, height, _) => (body.leading, Vec::new(), *height + body.leading * 0.5),
    };
    Broken { above, height, lines, block }
}

impl Page {
    /// Draws the page into an area, from its upper edge on.
    pub fn draw(&self, canvas: &mut Canvas<'_>, area: Area) {
        for (top, broken) in &self.1 {
            broken.draw(canvas, self.0, Area { y: area.y + top, ..area });
        }
    }
}

impl Broken {
    fn is_term(&self) -> bool {
        matches!(self.block, Block::Term(..))
    }

    fn draw(&self, canvas: &mut Canvas<'_>, style: Style, area: Area) {
        let (setting, x) = match &self.block {
            Block::Heading(_) => (style.heading, area.x),
            Block::Paragraph(_) => (style.body, area.x),
            Block::Term(term, _) => {
                let first = area.y + style.body.size;
                canvas.text(Weight::SemiBold, style.body.size, area.x, first, term);
                (style.body, area.x + style.term_column)
            }
            Block::Figure(width, _, items) => {
                let x = area.x + (area.width - width) / 2.0;
                items.iter().for_each(|item| canvas.push(item.moved(x, area.y)));
                return;
            }
        };
        for (at, line) in self.lines.iter().enumerate() {
            let y = area.y + setting.size + at as f64 * setting.leading;
            canvas.text(setting.weight, setting.size, x, y, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: Setting = Setting { weight: Weight::Regular, size: 10.0, leading: 14.0 };
    const STYLE: Style = Style {
        body: BODY,
        heading: Setting { weight: Weight::SemiBold, size: 12.0, leading: 16.0 },
        term_column: 60.0,
    };
    const TEXT: &str = "Fill every empty cell so that each row, each column and each box holds every digit once.";

    #[test]
    fn lines_fit_the_width_and_lose_nothing() {
        let typeface = Typeface::open().unwrap();
        for width in [1.0, 30.0, 60.0, 100.0, 250.0, 1000.0] {
            let lines = lines(&typeface, BODY, width, TEXT);
            let joined: String = lines.concat().chars().filter(|&c| c != ' ').collect();
            assert_eq!(joined, TEXT.replace(' ', ""));
            let widest = lines.iter().map(|line| typeface.width(Weight::Regular, 10.0, line)).fold(0.0, f64::max);
            assert!(widest <= width || lines.iter().all(|line| line.chars().count() == 1), "{width} {lines:?}");
        }
        assert!(lines(&typeface, BODY, 100.0, "").is_empty());
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
                line_cost(wide, 10.0, to == pieces.len() && !even) + if last.hyphen { HYPHEN_COST } else { 0.0 }
            };
            starts.iter().zip(&starts[1..]).map(line).sum()
        };
        for (seed, even) in (0..200_usize).flat_map(|seed| [(seed, false), (seed, true)]) {
            let piece = |i: usize| {
                let width = (1 + (seed * 7 + i * i * 5 + i * seed) % 9) as f64;
                let inside = i < 5 && (seed + i).is_multiple_of(3);
                Piece { text: String::new(), width, is_end: !inside, hyphen: inside }
            };
            let pieces: Vec<Piece> = (0..6).map(piece).collect();
            let ways = (0..32_usize).map(|mask| {
                let starts = (1..6).filter(|i| mask >> (i - 1) & 1 == 1);
                cost(&pieces, &[0].into_iter().chain(starts).chain([6]).collect::<Vec<_>>(), even)
            });
            let least = ways.fold(f64::INFINITY, f64::min);
            assert!((cost(&pieces, &breaks(&pieces, (1.0, 0.5), 10.0, even), even) - least).abs() < 1e-9, "{seed}");
        }
    }

    #[test]
    fn long_words_are_hyphenated_in_their_language() {
        let typeface = Typeface::open().unwrap();
        let text = "Die Schwierigkeitsgrade der Lösungsstrategien unterscheiden sich außerordentlich.";
        let lines = broken_lines(&typeface, BODY, 90.0, text, false, hyphenation("de"));
        assert!(lines.iter().any(|line| line.ends_with('-')), "{lines:?}");
        let plain: String =
            lines.iter().map(|line| line.strip_suffix('-').map_or(format!("{line} "), str::to_owned)).collect();
        assert_eq!(plain.trim(), text);
        let widest = lines.iter().map(|line| typeface.width(Weight::Regular, 10.0, line)).fold(0.0, f64::max);
        assert!(widest <= 90.0, "{lines:?}");
        assert!(hyphenation("ja").is_none() && hyphenation("").is_none() && hyphenation("pt-BR").is_some());
    }

    #[test]
    fn no_page_ends_in_a_heading() {
        let typeface = Typeface::open().unwrap();
        let blocks: Vec<Block> = (0..42)
            .map(|i| match i % 3 {
                0 => Block::Heading(format!("Heading {i}")),
                1 => Block::Paragraph(format!("{TEXT} ").repeat(1 + i % 4)),
                _ => Block::Term("Easy".into(), TEXT.into()),
            })
            .collect();
        for height in [200.0, 250.0, 333.0, 500.0] {
            let pages = paginate(&typeface, STYLE, 200.0, height, height, blocks.clone(), "en");
            assert_eq!(pages.iter().map(|page| page.1.len()).sum::<usize>(), blocks.len());
            for page in &pages {
                let (top, last) = page.1.last().unwrap();
                assert!(!matches!(last.block, Block::Heading(_)), "{height}: {:?}", last.block);
                assert!(top + last.height <= height || page.1.len() == 1, "{height}");
                assert!(page.1.windows(2).all(|pair| pair[0].0 + pair[0].1.height <= pair[1].0));
            }
        }
    }
}
