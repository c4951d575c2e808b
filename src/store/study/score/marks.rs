//! Takes the marks of HTML and LaTeX, and signs that look like others, out of an answer, and reads its cells.

use sudoku_corpus_core::board::text;

/// The most bytes of a tag.
const LONGEST_TAG: usize = 500;

/// True for what may stand in a line beside the cells of a row.
pub(super) fn is_frame(symbol: char) -> bool {
    symbol.is_whitespace() || "|,;:[](){}\"'`*&\\+=-".contains(symbol)
}

/// An answer without marks: each row of HTML and LaTeX is a line, and full-width signs, dashes and lines of frames are
/// those of ASCII. Signs without a width are blanks.
pub(super) fn plain(answer: &str) -> String {
    let mut text = String::with_capacity(answer.len());
    let mut rest = answer;
    while let Some(symbol) = rest.chars().next() {
        let mark = mark(rest).unwrap_or(Mark { bytes: symbol.len_utf8(), shown: plain_sign(symbol) });
        text.push(mark.shown);
        rest = &rest[mark.bytes..];
    }
    text
}

/// What stands for a sign.
fn plain_sign(symbol: char) -> char {
    match symbol {
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '$' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(symbol) - 0xfee0).unwrap_or(symbol),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2190}'..='\u{21ff}' => '>',
        '\u{2500}'..='\u{257f}' => '|',
        '\u{2019}' => '\'',
        _ => symbol,
    }
}

/// A mark at the beginning of a text.
struct Mark {
    bytes: usize,
    /// What stands for it: the end of a line, or a blank.
    shown: char,
}

fn mark(text: &str) -> Option<Mark> {
    match text.as_bytes() {
        [b'<', ..] => tag(text),
        [b'\\', b'\\', ..] => Some(Mark { bytes: 2, shown: '\n' }),
        [b'\\', ..] => Some(command(text)),
        [b'&', ..] if text.starts_with("&nbsp;") => Some(Mark { bytes: "&nbsp;".len(), shown: ' ' }),
        _ => None,
    }
}

fn tag(text: &str) -> Option<Mark> {
    let end = text.bytes().take(LONGEST_TAG).position(|byte| byte == b'>')?;
    let inner = &text[1..end];
    let name = inner.trim_start_matches('/');
    let is_tag = name.starts_with(|first: char| first.is_ascii_alphabetic()) && !inner.contains('<');
    let name = name.split(|symbol: char| !symbol.is_ascii_alphanumeric()).next()?.to_ascii_lowercase();
    let ends_line = ["tr", "br", "p", "div", "li", "table", "tbody", "thead", "pre"].contains(&&*name);
    is_tag.then_some(Mark { bytes: end + 1, shown: if ends_line { '\n' } else { ' ' } })
}

/// The command of LaTeX that a text begins with, with the arguments that are no cells. A `\n` of a program is one, too.
fn command(text: &str) -> Mark {
    let is_name = |place: usize, symbol: char| symbol.is_ascii_lowercase() || place == 0 && symbol.is_ascii_uppercase();
    let name_bytes = text[1..].chars().enumerate().take_while(|&(place, symbol)| is_name(place, symbol)).count();
    let (name, mut rest) = text[1..].split_at(name_bytes);
    if !["begin", "end", "hline", "cline", "n"].contains(&name) {
        return Mark { bytes: 1 + name_bytes, shown: ' ' };
    }
    while rest.starts_with('{') {
        let mut depth = 0;
        let end = rest.find(|symbol| {
            depth += i32::from(symbol == '{') - i32::from(symbol == '}');
            depth == 0
        });
        rest = end.map_or("", |end| &rest[end + 1..]);
    }
    Mark { bytes: text.len() - rest.len(), shown: '\n' }
}

/// The cells of a text that has nothing else.
pub(super) fn values_of(text: &str, order: usize) -> Option<Vec<u16>> {
    if order <= 9 {
        let cells = text.chars().filter(|&symbol| !is_frame(symbol));
        return cells.map(|symbol| value_of_word(symbol.encode_utf8(&mut [0; 4]), order)).collect();
    }
    let words = || text.split(is_frame).filter(|word| !word.is_empty());
    let numbers: Option<Vec<u16>> = words().map(|word| value_of_word(word, order)).collect();
    numbers.filter(|cells| cells.len() >= order).or_else(|| signs(words(), order))
}

/// The value of a number or of a sign of an empty cell.
fn value_of_word(word: &str, order: usize) -> Option<u16> {
    match word {
        "." | "_" | "0" | "?" | "x" | "X" => Some(0),
        word => word.parse().ok().filter(|&value| usize::from(value) <= order),
    }
}

/// The cells of words that are written with a sign for each cell.
pub(super) fn signs<'w>(words: impl Iterator<Item = &'w str>, order: usize) -> Option<Vec<u16>> {
    let mut cells = Vec::new();
    for sign in words.flat_map(str::chars) {
        cells.push(match sign {
            '.' | '_' | '?' => 0,
            '0' if order < 36 => 0,
            sign => (1..=order as u16).find(|&value| text::symbol(value, order) == sign.to_ascii_uppercase())?,
        });
    }
    Some(cells)
}
