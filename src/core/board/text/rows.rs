//! Reads one line of a text as what it can be: a frame, a whole board, or a row of a block. A line of numbers and signs
//! may have several readings; [`super::reader`] decides by the lines around it.

use super::signs::Cell;
use crate::board::{Reason, Shape};

/// A cell and its column in the line, from 1.
pub(super) type Placed = (u32, Cell);

/// A line as a row of a board.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    /// The number of its cells.
    pub order: usize,
    /// The label before the row.
    pub label: Option<Cell>,
    pub cells: Vec<Placed>,
}

impl Reading {
    /// True if no number is above the order.
    pub(super) fn fits(&self) -> bool {
        self.cells.iter().all(|(_, cell)| !matches!(cell, Cell::Number(number) if usize::from(*number) > self.order))
    }
}

/// The candidates of the cells of a row: bit d - 1 for digit d.
pub(super) type PencilMarks = Vec<u64>;

/// Characters between cells.
fn separates(sign: char) -> bool {
    sign.is_whitespace() || ",;|!\"'[](){}<>".contains(sign)
}

/// The words of a line and their columns, from 1.
pub(super) fn words(text: &str) -> Vec<(u32, &str)> {
    let mut words = Vec::new();
    let mut begun: Option<(u32, usize)> = None;
    for (column, (at, sign)) in (1..).zip(text.char_indices()) {
        match (separates(sign), begun) {
            (false, None) => begun = Some((column, at)),
            (true, Some((first, start))) => {
                words.push((first, &text[start..at]));
                begun = None;
            }
            _ => {}
        }
    }
    words.extend(begun.map(|(first, start)| (first, &text[start..])));
    words
}

/// The shape of a board with this number of cells, if it is the requested one or none was requested.
pub(super) fn shape_of_board(cells: usize, requested: Option<Shape>) -> Option<Shape> {
    requested.map_or_else(|| Shape::of_cells(cells), |shape| (shape.cells() == cells).then_some(shape))
}

/// The shape of a board whose rows have this number of cells, in the same way.
pub(super) fn shape_of_row(cells: usize, requested: Option<Shape>) -> Option<Shape> {
    requested.map_or_else(|| Shape::of_order(cells).ok(), |shape| (shape.order() == cells).then_some(shape))
}

/// What a line of `-`, `|` and other signs of frames is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A line of a frame.
    Rule,
    /// Dashes only: a rule, or a row of empty cells.
    Dashes,
}

/// The frame in a line; None if it holds anything else.
pub(super) fn frame(text: &str) -> Option<Frame> {
    let has = |any: &str| text.contains(|sign| any.contains(sign));
    let dashes = text.chars().filter(|sign| "-=".contains(*sign)).count();
    if dashes < 3 || !text.chars().all(|sign| "-+|=*!.:'`,~ \t".contains(sign)) {
        return None;
    }
    let (first, last) = (text.chars().next()?, text.chars().next_back()?);
    let corners = |sign: char| "-=+|*!.:'`,~".contains(sign);
    if has("+=*~") && corners(first) && corners(last) {
        return Some(Frame::Rule);
    }
    // HoDoKu's frames begin and end with corners.
    if has(".:'`,") {
        let corner = |sign: char| ".:'`,|".contains(sign);
        return (corner(first) && corner(last) && has("-") && text.contains("---")).then_some(Frame::Rule);
    }
    Some(Frame::Dashes)
}

/// Every way to read a line as a row. `requested` is the only shape that it may have.
pub(super) fn readings(text: &str, requested: Option<Shape>) -> Vec<Reading> {
    let mut found: Vec<Reading> = Vec::new();
    let mut add = |cells: Vec<Placed>, label| {
        let order = cells.len();
        if shape_of_row(order, requested).is_some()
            && found.iter().all(|known| (known.order, known.label) != (order, label))
        {
            found.push(Reading { order, label, cells });
        }
    };
    let words = words(text);
    // A word for each cell, perhaps after a label.
    let cells_of = |words: &[(u32, &str)]| -> Option<Vec<Placed>> {
        words.iter().map(|&(column, word)| Some((column, Cell::of(word)?))).collect()
    };
    if words.len() <= Shape::MAX_ORDER + 1
        && let Some(cells) = cells_of(&words)
    {
        let label = cells.first().map(|first| first.1);
        let rest = cells.get(1..).unwrap_or_default().to_vec();
        add(cells, None);
        add(rest, label);
    }
    // A sign for each cell.
    let signs = || words.iter().flat_map(|(column, word)| (*column..).zip(word.chars()));
    if signs().take(Shape::MAX_SOLVABLE_ORDER + 1).count() <= Shape::MAX_SOLVABLE_ORDER {
        add(signs().map(|(column, sign)| (column, Cell::of_sign(sign))).collect(), None);
    }
    // A field for each cell. The last may be the blank after a delimiter at the end.
    for delimiter in [',', ';', '\t', '|'] {
        if let Some(fields) = fields(text, delimiter) {
            if fields.last().is_some_and(|last| last.1 == Cell::Blank) {
                add(fields[..fields.len() - 1].to_vec(), None);
            }
            add(fields, None);
        }
    }
    found
}

/// The cells of a line between delimiters, blank ones too. Nothing before the first and after the last bar is a cell.
fn fields(text: &str, delimiter: char) -> Option<Vec<Placed>> {
    // A blank cell at the end of a table of tabs is no more than a tab.
    let text = if delimiter == '\t' { text } else { text.trim() };
    if !text.contains(delimiter) {
        return None;
    }
    let inner = match delimiter {
        '|' => {
            text.strip_prefix('|').unwrap_or(text).strip_suffix('|').unwrap_or(text.strip_prefix('|').unwrap_or(text))
        }
        _ => text,
    };
    let mut column = 1 + u32::from(inner.len() < text.len() && text.starts_with('|'));
    let mut cells = Vec::new();
    for field in inner.split(delimiter) {
        let word = field.trim_matches(|sign: char| separates(sign) && sign != delimiter);
        cells.push((column, Cell::of(word)?));
        column += field.chars().count() as u32 + 1;
        if cells.len() > Shape::MAX_ORDER + 1 {
            return None;
        }
    }
    Some(cells)
}

/// The candidates of the cells of a row of a 9x9 board, as solvers print them: `5 3 124`, `<5>`, `u5`.
pub(super) fn marks(text: &str) -> Option<PencilMarks> {
    let words = words(text);
    if words.len() != 9 {
        return None;
    }
    words.iter().map(|(_, word)| mark(word)).collect()
}

/// The candidates that a word lists, in ascending order.
pub(super) fn mark(word: &str) -> Option<u64> {
    let digits = word.strip_prefix('u').unwrap_or(word).trim_start_matches('*').trim_end_matches('*');
    let mut bits = 0u64;
    for digit in digits.chars() {
        let bit = 1 << digit.to_digit(10)?.checked_sub(1)?;
        // The digit is not above those before it.
        if bits >= bit {
            return None;
        }
        bits |= bit;
    }
    (bits > 0).then_some(bits)
}

/// The rows of a block in which spaces are empty cells: all cells have the same width, between bars or without any.
pub(super) fn spaced<'a>(lines: impl Iterator<Item = &'a str>, order: usize) -> Option<Vec<Vec<Placed>>> {
    let lines: Vec<&str> = lines.collect();
    // Ends of lines may have lost their spaces.
    let width = lines.iter().map(|line| line.trim_end().chars().count()).max()?;
    if lines.first()?.contains('|') {
        return lines.iter().map(|line| between_bars(line, width, order)).collect();
    }
    let step = width.div_ceil(order);
    // A column for each cell, or two with a space between cells.
    let wide = step == 1 && width == order || step == 2 && width == 2 * order - 1;
    wide.then(|| {
        let cell = |line: &str, at: usize| line.chars().nth(at * step).map_or(Cell::Blank, Cell::of_sign);
        let row = |line: &&str| (0..order).map(|at| ((at * step) as u32 + 1, cell(line, at))).collect();
        lines.iter().map(row).collect()
    })
}

/// The cells of a line between bars.
fn between_bars(line: &str, width: usize, order: usize) -> Option<Vec<Placed>> {
    let mut signs: Vec<char> = line.trim_end().chars().collect();
    let start = signs.iter().take_while(|sign| sign.is_whitespace()).count();
    let outer = signs.get(start) == Some(&'|');
    if !outer {
        signs.resize(width.max(signs.len()), ' ');
    }
    let mut parts: Vec<(usize, &[char])> = Vec::new();
    let mut column = if outer { start + 1 } else { 0 };
    let inner = signs.get(column..)?;
    let inner = if outer { inner.strip_suffix(&['|']).unwrap_or(inner) } else { inner };
    for part in inner.split(|sign| *sign == '|') {
        if !part.is_empty() {
            parts.push((column, part));
        }
        column += part.len() + 1;
    }
    if parts.is_empty() || !order.is_multiple_of(parts.len()) {
        return None;
    }
    let cells = order / parts.len();
    let mut row = Vec::with_capacity(order);
    for (column, part) in parts {
        let step = part.len() / cells;
        // Spaces that do not belong to a cell stand on the left.
        let left = part.len().checked_sub(step * cells).filter(|_| step > 0)?;
        if part[..left].iter().any(|sign| !sign.is_whitespace()) {
            return None;
        }
        for at in 0..cells {
            let cell = &part[left + at * step..left + (at + 1) * step];
            let word: String = cell.iter().collect();
            row.push(((column + left + at * step) as u32 + 1, Cell::of(word.trim())?));
        }
    }
    Some(row)
}

/// True for a line in which letters of a text prevail: a heading, a footer, a remark.
pub(super) fn is_prose(text: &str) -> bool {
    // `=== hard ===`, `--- 4 ---`
    let inner = text.trim().trim_matches(|sign: char| sign.is_whitespace() || "-=*~#_".contains(sign));
    let letters = inner.chars().filter(|sign| sign.is_alphabetic()).count();
    let others = inner.chars().filter(|sign| !sign.is_alphabetic() && !sign.is_whitespace()).count();
    let longest = words(inner).iter().map(|(_, word)| word.len()).max().unwrap_or(0);
    letters >= 2 && letters >= others && longest < 40
        || is_number_of_puzzle(inner, inner.len() + 4 <= text.trim().len())
}

/// True for a comment of another program: `; ..`, `// ..`, `% ..`.
pub(super) fn is_remark(text: &str) -> bool {
    let text = text.trim();
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

/// True for cells that are words rather than a row: a word with a capital and small letters, or letters that no board
/// of this order has.
pub(super) fn is_word(cells: &[Placed], text: &str) -> bool {
    let letters = |word: &str| {
        word.chars().filter(|sign| sign.is_alphabetic()).map(|sign| sign.to_ascii_uppercase()).collect::<Vec<_>>()
    };
    let last = char::from(b'A' + (cells.len() - 1).min(25) as u8);
    // `null`, `None`
    let is_blank = |word: &str| Cell::of(word) == Some(Cell::Blank);
    words(text).iter().filter(|(_, word)| !is_blank(word)).any(|(_, word)| {
        let (found, small) = (letters(word), word.chars().skip(1).filter(|sign| sign.is_lowercase()));
        let capital = word.starts_with(char::is_uppercase)
            && small.clone().count() >= 2
            && small.clone().any(|sign| Some(sign) != small.clone().next());
        let whole = found.len() >= 3 && found.len() == word.chars().count();
        // A row has no digit twice. One letter alone may stand for empty cells.
        let twice = (1..found.len()).any(|at| found[..at].contains(&found[at]));
        capital
            || whole
                && (twice && found.iter().any(|&sign| sign != found[0]) || found.iter().any(|&letter| letter > last))
    })
}

/// What is wrong with a number of cells.
pub(super) fn no_board(cells: usize, requested: Option<Shape>) -> Reason {
    requested.map_or_else(|| super::symbols::no_board(cells), |shape| shape.other_length(cells))
}
