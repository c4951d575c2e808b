//! Boards in one line, each written as a word, or with spaces between its cells.
//!
//! ```text
//!   7.  12....12.1.....1  1234431221433421  easy  12....12.1.....1
//!   label     board            solution     note  the next board
//! ```

use crate::board::text::cells::CellText;
use crate::board::text::rules_named::{advice, rule_named, shape_named};
use crate::board::text::symbols::{TextError, plain_line};
use crate::board::text::wanted::{Boards, Entry, TextLine, Wanted, position};
use crate::board::text::words::{PlacedWord, is_heading, words};
use crate::board::{Digits, Grid, Reason, Shape};
use crate::page::numbers::counted;

/// Words of at least this many cells are meant as boards wherever they stand. Prose can be as long as a smaller one.
const LARGE: usize = 64;
/// No word of prose has so many letters, so a word of so many signs after a board is meant as one.
const LONGEST_PROSE: usize = 36;
/// No board has fewer cells.
const SMALLEST: usize = 16;

/// The board of a line as this program and most others write it: the first word, with digits or letters for digits,
/// and after it no second board. This is the first form, without what makes it slow. None if slower ways must decide:
/// the signs were named, the line may be a row of a larger board, or a board, a solution or a rule may follow.
pub(in crate::board::text) fn plain(number: usize, trimmed: &str, wanted: &Wanted) -> Option<Entry> {
    let end = trimmed.bytes().position(|byte| matches!(byte, b' ' | b'\t' | b',' | b';')).unwrap_or(trimmed.len());
    let (word, rest) = trimmed.split_at(end);
    let shape = wanted.shape_of_cells(word.len())?;
    let is_candidates = word.len() == 9 * Shape::NINE.cells();
    if wanted.may_be_row(word.len()) || is_candidates || !is_note(rest) || !wanted.signs.are_usual() {
        return None;
    }
    plain_line(word, shape).map(|grid| Entry::new(number, grid))
}

/// True if no word is as long as a board or may be the name of a shape or of a rule.
fn is_note(rest: &str) -> bool {
    rest.split([' ', '\t', ',', ';']).all(|word| word.len() < SMALLEST && !word.contains(['+', 'x']))
        && rule_named(rest).is_none()
}

/// The boards of a line. If one of its words is the name of a shape, they have this shape. A line with the regions of a
/// jigsaw, or with the name of another rule, is bad.
pub(super) fn boards(line: &TextLine<'_>, wanted: &Wanted) -> Option<Boards> {
    for word in &line.words {
        if let Some(reason) = regions_beside(word.text, wanted) {
            return Some(vec![Err(line.error_at(word.column, reason))]);
        }
    }
    let refused = |rule: String| Some(vec![Err(line.error_at(1, Reason(advice(&rule))))]);
    for (place, name) in line.words.iter().enumerate() {
        let Some(shape) = shape_named(name.text) else { continue };
        if line.words.iter().all(|word| word.length() != shape.cells()) {
            continue;
        }
        let mut words = line.words.clone();
        words.remove(place);
        let other_words: Vec<&str> = words.iter().map(|word| word.text).collect();
        return match rule_named(&other_words.join(" ")) {
            Some(rule) if shape.is_plain() => refused(rule),
            _ => {
                let named = Wanted { shape: Some(shape), signs: wanted.signs.clone() };
                boards_of_words(&TextLine { words, ..*line }, &named)
            }
        };
    }
    let boards = boards_of_words(line, wanted)?;
    match rule_named(line.text) {
        Some(rule) if wanted.shape.is_none() => refused(rule),
        _ => Some(boards),
    }
}

/// Why a board with these letters beside it is refused: they are the regions of a jigsaw. None for other letters, or if
/// the user has said the shape.
pub(in crate::board::text) fn regions_beside(letters: &str, wanted: &Wanted) -> Option<Reason> {
    let are_letters = letters.len() >= SMALLEST && letters.bytes().all(|sign| sign.is_ascii_alphabetic());
    if !are_letters || wanted.shape.is_some() || wanted.signs.digits.is_some() {
        return None;
    }
    // In a row of a full grid, no letter stands twice.
    let mut rows = letters.as_bytes().chunks(letters.len().isqrt());
    let is_grid = rows.all(|row| row.windows(2).all(|pair| pair[0] != pair[1]));
    let shape = Shape::of_region_signs(letters.as_bytes()).ok().filter(|_| !is_grid)?;
    let is_usual = Some(shape) == Shape::of_cells(letters.len());
    let reason = format!("letters beside the board are the regions of a jigsaw; give --shape {shape}");
    (!is_usual).then_some(Reason(reason))
}

/// True for a line that begins with `#` and is a comment: its first word is no row and no board, nor are its signs
/// together, and `#` is not said to be the sign of an empty cell. The last row has this number of signs.
pub(in crate::board::text) fn is_comment(trimmed: &str, wanted: &Wanted, last_row: Option<usize>) -> bool {
    trimmed.starts_with('#') && wanted.signs.empty != Some('#') && !begins_with_cells(trimmed, wanted, last_row)
}

/// True for a line whose first word, or whose signs together, are cells: see [`are_cells`].
fn begins_with_cells(text: &str, wanted: &Wanted, last_row: Option<usize>) -> bool {
    let words = words(text);
    let signs: String = words.iter().map(|word| word.text).collect();
    words.first().is_some_and(|word| are_cells(word.text, wanted, last_row)) || are_cells(&signs, wanted, last_row)
}

/// True for digits and marks that are as many as the cells of a board, of the last row, or of any row with several `#`.
/// In a comment, `#` is the only one.
fn are_cells(signs: &str, wanted: &Wanted, last_row: Option<usize>) -> bool {
    let count = signs.chars().count();
    let shape = wanted.shape_of_cells(count);
    let order = shape.map_or(count, Shape::order);
    let is_digit = |sign: char| wanted.signs.digit(sign, order).is_some();
    let is_row = wanted.shape_of_row(count).is_some() && signs.matches('#').count() > 1;
    let is_next_row = last_row == Some(count);
    let are_signs = signs.chars().all(|sign| is_digit(sign) || sign == '0' || CellText::of_sign(sign).is_mark());
    let is_board = (shape.is_some() || is_row || is_next_row) && are_signs && signs.contains(is_digit);
    is_board || is_next_row && signs.chars().all(|sign| sign == '#')
}

/// The boards of words: the first word that is one, and then each word with as many cells. A full grid after a board
/// with empty cells must be its solution; if it is not, the line is bad.
fn boards_of_words(line: &TextLine<'_>, wanted: &Wanted) -> Option<Boards> {
    if let [word] = line.words[..]
        && let Some(entry) = halves(line, word, wanted)
    {
        return Some(vec![Ok(entry)]);
    }
    let first = first_board(line, wanted)?;
    let cells = line.words[first.place].length();
    if line.words.len() == 1 && wanted.may_be_row(cells) {
        return None;
    }
    let mut boards = match first.board {
        Ok(grid) => vec![Ok(Entry::new(line.number, grid))],
        // A word of prose may have as many letters as a board has cells.
        Err(_) if (cells < LARGE || line.words.len() > 1) && is_heading(line.text) => return None,
        Err(error) => return Some(vec![Err(error)]),
    };
    for &word in &line.words[first.place + 1..] {
        let Some(next) = next_board(line, word, cells, wanted) else { continue };
        let last = boards.iter().rposition(Result::is_ok).unwrap_or(0);
        match (&mut boards[last], next) {
            (Ok(entry), Ok(full)) if full.holes() == 0 && entry.grid.holes() > 0 && entry.solution.is_none() => {
                if !is_part(&entry.grid, &full) {
                    let reason = "the full grid on this line is no solution of the board before it".to_owned();
                    boards.truncate(last);
                    boards.push(Err(line.error_at(word.column, Reason(reason))));
                    break;
                }
                entry.solution = Some(full);
            }
            (_, next) => boards.push(next.map(|grid| Entry::new(line.number, grid))),
        }
    }
    Some(boards)
}

struct FirstBoard {
    /// The place of its word.
    place: usize,
    board: Result<Grid, TextError>,
}

/// The first word that is a board, or the first word of the line if it has as many signs and is none.
fn first_board(line: &TextLine<'_>, wanted: &Wanted) -> Option<FirstBoard> {
    let mut after_labels = true;
    for (place, word) in line.words.iter().enumerate() {
        let shape = wanted.shape_of_cells(word.length()).filter(|shape| shape.is_solvable());
        let PlacedWord { column, text } = *word;
        // A number in a text may have 16 digits, and a line to write on 16 or 36 signs.
        let is_long = text.len() >= LONGEST_PROSE || text.contains(['.', '_', '*']);
        let is_board_in_text = is_long && text.contains(char::is_alphanumeric);
        if let Some(shape) = shape.filter(|_| after_labels || is_board_in_text) {
            let board = wanted.board(shape, &line.cells_of_signs(column, text));
            if place == 0 || board.is_ok() {
                return Some(FirstBoard { place, board });
            }
        }
        after_labels &= text.chars().all(|sign| sign.is_ascii_digit() || ".:)=#".contains(sign));
    }
    None
}

/// The board of a word after a board of so many cells. A word of signs that is nearly as long, or as long as another
/// board, is bad. None for other words.
fn next_board(
    line: &TextLine<'_>,
    word: PlacedWord<'_>,
    cells: usize,
    wanted: &Wanted,
) -> Option<Result<Grid, TextError>> {
    let length = word.length();
    let PlacedWord { column, text } = word;
    let shape = wanted.shape_of_cells(cells)?;
    let is_sign = |sign: char| {
        let is_digit = sign.is_ascii_digit() || wanted.signs.digit(sign, shape.order()).is_some();
        is_digit || CellText::of_sign(sign).is_mark()
    };
    let is_signs = text.chars().all(is_sign) && text.contains(char::is_alphanumeric);
    if length == cells {
        let board = wanted.board(shape, &line.cells_of_signs(column, text));
        // A hash may be as long as a board.
        return Some(board).filter(|board| board.is_ok() || is_signs);
    }
    let is_near = cells >= LONGEST_PROSE && length.abs_diff(cells) <= cells / 9;
    // A number may have as many digits as a small board, and a point.
    let has_marks = text.chars().filter(|sign| !sign.is_ascii_alphanumeric()).count() > 1;
    let is_other = Shape::of_cells(length).is_some_and(|other| {
        length >= LONGEST_PROSE || has_marks && wanted.board(other, &line.cells_of_signs(column, text)).is_ok()
    });
    if !is_signs || !is_other && !is_near {
        return None;
    }
    let reason = match is_other {
        true => Reason(format!("{} beside a board of {cells} cells", counted(length, "cell"))),
        false => wanted.no_board(length),
    };
    Some(Err(line.error_at(column, reason)))
}

fn is_part(puzzle: &Grid, full: &Grid) -> bool {
    puzzle.given_cells().all(|(cell, digit)| full.get(cell) == Some(digit))
}

/// The board and its solution in one word.
fn halves(line: &TextLine<'_>, word: PlacedWord<'_>, wanted: &Wanted) -> Option<Entry> {
    let half = word.text.len() / 2;
    if !word.text.is_ascii() || word.text.len() % 2 == 1 || half < LARGE {
        return None;
    }
    let shape = wanted.shape_of_cells(half)?;
    let signs = line.cells_of_signs(word.column, word.text);
    let puzzle = wanted.board(shape, &signs[..half]).ok()?;
    let full = wanted.board(shape, &signs[half..]).ok()?;
    let is_solved = full.holes() == 0 && is_part(&puzzle, &full);
    is_solved.then(|| Entry { solution: Some(full), ..Entry::new(line.number, puzzle) })
}

/// A board of order 10 or more with two digits for each cell.
pub(super) fn two_digits(line: &TextLine<'_>, wanted: &Wanted) -> Option<Boards> {
    let [PlacedWord { column, text }] = line.words[..] else { return None };
    let is_digits = text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_digit());
    let shape = wanted.shape_of_cells(text.len() / 2)?;
    if !is_digits || !(10..100).contains(&shape.order()) {
        return None;
    }
    let mut cells = Vec::new();
    for place in (0..text.len()).step_by(2) {
        cells.push(line.cell(column + place as u32, CellText::of(&text[place..place + 2])?));
    }
    Some(vec![wanted.board(shape, &cells).map(|grid| Entry::new(line.number, grid))])
}

/// A board in which spaces are the empty cells.
pub(super) fn spaces(line: &TextLine<'_>, wanted: &Wanted) -> Option<Boards> {
    let shape = wanted.shape_of_cells(line.text.chars().count()).filter(|shape| (8..=36).contains(&shape.order()))?;
    let is_position = line.words.len() == Shape::NINE.cells();
    if line.words.len() < 2 || is_position || line.text.contains(['|', ',', ';', '\t']) {
        return None;
    }
    // A row of numbers can be as long.
    let fit = line.words.iter().all(|word| match CellText::of(word.text) {
        Some(CellText::Number(number)) => usize::from(number) <= line.words.len(),
        cell => cell.is_some(),
    });
    let is_row = fit && wanted.shape_of_row(line.words.len()).is_some();
    let is_sign = |sign: char| sign.is_ascii_digit() || CellText::of_sign(sign).is_mark();
    match wanted.board(shape, &line.cells_of_signs(1, line.text)) {
        Ok(grid) => Some(vec![Ok(Entry::new(line.number, grid))]),
        Err(error) => (!is_row && line.text.chars().all(is_sign)).then(|| vec![Err(error)]),
    }
}

/// Nine signs for the candidates of each cell of a 9x9 board: a digit in its place, or a sign that it is none.
pub(super) fn signs_of_candidates(line: &TextLine<'_>, wanted: &Wanted) -> Option<Boards> {
    let [PlacedWord { text, .. }] = line.words[..] else { return None };
    if text.len() != 9 * Shape::NINE.cells() || !wanted.is_nine() {
        return None;
    }
    let mut candidates = vec![Digits(0); Shape::NINE.cells()];
    for (place, sign) in text.bytes().enumerate() {
        let (cell, digit) = (place / 9, place % 9);
        if sign == b'1' + digit as u8 {
            candidates[cell].0 |= 1 << digit;
        } else if sign != b'0' && sign.is_ascii_alphanumeric() {
            return None;
        }
    }
    Some(vec![position(line.number, candidates)])
}
