//! Tells what a line of a text is before any board is read from it: words, a frame, a heading.

use super::cells::CellText;

/// Characters between cells.
pub(super) fn separates(sign: char) -> bool {
    sign.is_whitespace() || ",;|!\"'[](){}<>".contains(sign)
}

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedWord<'a> {
    /// The column of its first character, from 1.
    pub column: u32,
    pub text: &'a str,
}

impl PlacedWord<'_> {
    /// The number of its characters.
    pub(super) fn length(&self) -> usize {
        self.text.chars().count()
    }
}

pub(super) fn words(line: &str) -> Vec<PlacedWord<'_>> {
    words_between(line, separates).collect()
}

/// What stands between separating characters.
pub(super) fn words_between(line: &str, separates: fn(char) -> bool) -> impl Iterator<Item = PlacedWord<'_>> {
    let mut next_column = 1;
    let words = line.split(separates).map(move |text| {
        let word = PlacedWord { column: next_column, text };
        next_column += word.length() as u32 + 1;
        word
    });
    words.filter(|word| !word.text.is_empty())
}

/// What a line of `-`, `|` and other signs of frames is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameLine {
    /// A line of a frame.
    Rule,
    /// Dashes only: a rule, or a row of empty cells.
    Dashes,
}

/// The frame in a line; None if it holds anything else.
pub(super) fn frame(text: &str) -> Option<FrameLine> {
    let has_any = |any: &str| text.contains(|sign| any.contains(sign));
    let dashes = text.chars().filter(|sign| "-=".contains(*sign)).count();
    if dashes < 3 || !text.chars().all(|sign| "-+|=*!.:'`,~ \t".contains(sign)) {
        return None;
    }
    let (first, last) = (text.chars().next()?, text.chars().next_back()?);
    let is_corner = |sign: char| "-=+|*!.:'`,~".contains(sign);
    if has_any("+=*~") && is_corner(first) && is_corner(last) {
        return Some(FrameLine::Rule);
    }
    // HoDoKu's frames begin and end with corners.
    if has_any(".:'`,") {
        let is_corner = |sign: char| ".:'`,|".contains(sign);
        return (is_corner(first) && is_corner(last) && text.contains("---")).then_some(FrameLine::Rule);
    }
    Some(FrameLine::Dashes)
}

/// True for a line of words: a title, a name, a remark, the names of columns.
pub(super) fn is_heading(text: &str) -> bool {
    let text = text.trim();
    // `=== hard ===`, `--- 4 ---`
    let inner = text.trim_matches(|sign: char| sign.is_whitespace() || "-=*~#_".contains(sign));
    let letters = inner.chars().filter(|sign| sign.is_alphabetic()).count();
    let others = inner.chars().filter(|sign| !sign.is_alphabetic() && !sign.is_whitespace()).count();
    let words = words(inner);
    let longest = words.iter().map(|word| word.text.len()).max().unwrap_or(0);
    if words.iter().any(|word| word.text.len() > LONGEST_OF_X && is_of_x(word.text)) {
        return false;
    }
    (letters >= 2 && letters >= others || are_names(&words)) && longest < 40
        || is_remark(text)
        || is_number_of_puzzle(inner, inner.len() + 4 <= text.len())
}

/// No heading has a word of more signs that are digits and x alone, which stands for an empty cell.
const LONGEST_OF_X: usize = 10;

/// True for a word of digits and x, and nothing else.
fn is_of_x(word: &str) -> bool {
    let is_x = |sign: char| sign.eq_ignore_ascii_case(&'x');
    word.contains(is_x) && word.chars().all(|sign| sign.is_ascii_digit() || is_x(sign))
}

/// True for names of columns.
pub(super) fn are_names(words: &[PlacedWord<'_>]) -> bool {
    let is_name = |word: &str| word.len() > 1 && word.starts_with(char::is_alphabetic) && CellText::of(word).is_none();
    words.len() >= 2 && words.iter().all(|word| is_name(word.text))
}

/// True for a comment of another program: `; ..`, `// ..`, `% ..`.
fn is_remark(text: &str) -> bool {
    [";", "//", "%"].iter().filter_map(|mark| text.strip_prefix(mark)).any(|rest| {
        let letters = rest.chars().filter(|sign| sign.is_alphabetic()).count();
        letters >= 3 && 2 * letters >= rest.trim().chars().count()
    })
}

/// True for `1.`, `12)`, `(3)` or `4:`, and for `5` between signs.
fn is_number_of_puzzle(text: &str, between_signs: bool) -> bool {
    let digits = text.trim_start_matches('(').trim_end_matches(['.', ')', ':']);
    (between_signs || digits.len() < text.len())
        && (1..=7).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name in a heading in brackets: `[Puzzle]`, `[/code]`. A list is none.
pub(super) fn section(text: &str) -> Option<String> {
    let name = text.strip_prefix('[')?.strip_suffix(']')?.trim();
    let is_name = name.starts_with(|sign: char| sign.is_alphabetic() || sign == '/')
        && name.chars().all(|sign| sign.is_alphanumeric() || " /-_.:=#".contains(sign));
    let mut words = name.split_whitespace();
    let is_list = words.clone().count() > 1 && words.all(|word| CellText::of(word).is_some());
    let is_row = !name.contains(' ') && name.chars().count() >= 16;
    (is_name && !is_list && !is_row).then(|| name.to_lowercase())
}
