//! Reads the cells of a board: which sign stands for an empty cell, and which for which digit. Each board is read alone.
//!
//! ```text
//!   empty     `--empty` says it; else the sign that is no letter and no digit (. _ * - ? a space ..), or x up to
//!             9x9, or 0. The signs . _ * - may be mixed; other signs may not
//!   digits    `--digits` says them; else 1-9 A-Z, as this program writes them, or numbers 1, 2, .. 400
//! ```
//!
//! Nothing is guessed. A board with two meanings, such as 0 beside dots, is refused; the reason names an option.

use std::sync::Arc;

use super::symbols::{SYMBOLS, no_symbol, value_of};
use crate::board::{Grid, Reason, Shape};

/// The content of a cell before its meaning is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellText {
    /// Nothing, or a space.
    Blank,
    /// One sign.
    Sign(char),
    /// A number of several digits.
    Number(u16),
}

impl CellText {
    /// The content of a word: a sign, a sign of an empty cell several times, a number, or a word for nothing.
    pub(super) fn of(word: &str) -> Option<CellText> {
        let mut signs = word.chars();
        let Some(first) = signs.next() else { return Some(CellText::Blank) };
        match word {
            _ if signs.as_str().is_empty() => Some(CellText::of_sign(first)),
            _ if word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit()) => {
                word.parse().ok().map(CellText::Number)
            }
            "-1" | "null" | "None" | "nan" | "NaN" => Some(CellText::Blank),
            _ => (word.len() <= 4 && !first.is_alphanumeric() && signs.all(|sign| sign == first))
                .then(|| CellText::of_sign(first)),
        }
    }

    pub(super) fn of_sign(sign: char) -> CellText {
        if sign.is_whitespace() { CellText::Blank } else { CellText::Sign(sign.to_ascii_uppercase()) }
    }

    fn number(self) -> Option<u16> {
        match self {
            CellText::Number(number) => Some(number),
            CellText::Sign(sign) => sign.to_digit(10).map(|digit| digit as u16),
            CellText::Blank => None,
        }
    }

    fn is_zero(self) -> bool {
        self.number() == Some(0)
    }

    /// True for the signs that stand for empty cells nearly everywhere, and that may be mixed.
    fn is_common_mark(self) -> bool {
        matches!(self, CellText::Sign('.' | '_' | '*' | '-'))
    }

    /// True for a cell that cannot be a digit: a space or a sign that is neither a letter nor a digit.
    pub(super) fn is_mark(self) -> bool {
        match self {
            CellText::Blank => true,
            CellText::Sign(sign) => !sign.is_ascii_alphanumeric(),
            CellText::Number(_) => false,
        }
    }
}

/// The cell in messages.
impl std::fmt::Display for CellText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CellText::Blank => f.write_str("an empty cell"),
            CellText::Sign(sign) => write!(f, "{sign:?}"),
            CellText::Number(number) => write!(f, "the number {number}"),
        }
    }
}

/// The signs that a reader was told to expect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// The signs of the digits 1, 2, 3, .. If they begin with 0, numbers begin with 0, too.
    pub digits: Option<Arc<str>>,
    /// The sign of an empty cell.
    pub empty: Option<char>,
}

impl Signs {
    /// The digit of a sign, from 1. None for all others.
    pub(super) fn digit(&self, sign: char, order: usize) -> Option<u16> {
        match &self.digits {
            None => value_of(sign, order).filter(|&digit| digit > 0),
            Some(signs) => {
                let place = signs.chars().position(|digit| digit.eq_ignore_ascii_case(&sign));
                place.filter(|&place| place < order).map(|place| place as u16 + 1)
            }
        }
    }

    /// True if none was named.
    pub(crate) fn are_usual(&self) -> bool {
        *self == Signs::default()
    }

    fn begin_with_zero(&self) -> bool {
        self.digits.as_ref().is_some_and(|digits| digits.starts_with('0'))
    }

    /// The digit of a cell, from 1, on a board of numbers or of signs.
    fn digit_of_cell(&self, cell: CellText, order: usize, numbers: bool) -> Option<u16> {
        if !numbers {
            return self.digit(sign_of(&cell)?, order);
        }
        let digit = cell.number()? + u16::from(self.begin_with_zero());
        (1..=order).contains(&digit.into()).then_some(digit)
    }

    /// True for a sign that is no digit, and may stand for an empty cell.
    pub(super) fn is_mark(&self, cell: CellText, order: usize) -> bool {
        match cell {
            // Above 9x9, it is more likely a digit of an alphabet.
            CellText::Sign('X') => order <= 9 && self.digit('X', order).is_none(),
            CellText::Sign(sign) => cell.is_mark() && self.digit(sign, order).is_none(),
            CellText::Blank | CellText::Number(_) => cell.is_mark(),
        }
    }
}

/// Where the text of a board is wrong.
#[derive(Debug)]
pub(super) struct Wrong {
    /// The cell, from 0.
    pub cell: usize,
    pub reason: Reason,
}

impl Wrong {
    fn new(cell: usize, reason: String) -> Wrong {
        Wrong { cell, reason: Reason(reason) }
    }
}

/// What the cells of a board mean.
pub(super) fn decide(shape: Shape, cells: &[CellText], signs: &Signs) -> Result<Grid, Wrong> {
    let order = shape.order();
    // Above the orders that have signs, all cells are numbers.
    let numbers = order > Shape::MAX_SOLVABLE_ORDER || cells.iter().any(|cell| matches!(cell, CellText::Number(_)));
    let empty = empty_cell(cells, order, numbers, signs)?;
    let is_empty = |cell: CellText| {
        empty.is_some_and(|empty| {
            let mixed = signs.empty.is_none() && empty.is_common_mark() && cell.is_common_mark();
            cell == empty || mixed || empty.is_zero() && cell.is_zero()
        })
    };
    let mut values = Vec::with_capacity(cells.len());
    for (place, &cell) in cells.iter().enumerate() {
        if is_empty(cell) {
            values.push(0);
            continue;
        }
        let Some(digit) = signs.digit_of_cell(cell, order, numbers) else {
            let digits: Vec<char> = cells.iter().filter(|cell| !is_empty(**cell)).filter_map(sign_of).collect();
            return Err(Wrong::new(place, no_digit(cell, order, numbers) + &proposal(digits, order)));
        };
        values.push(digit);
    }
    Grid::new(shape, values).map_err(|reason| Wrong { cell: 0, reason })
}

fn sign_of(cell: &CellText) -> Option<char> {
    if let CellText::Sign(sign) = cell { Some(*sign) } else { None }
}

/// What is wrong with a cell that is no digit.
fn no_digit(cell: CellText, order: usize, numbers: bool) -> String {
    match cell {
        CellText::Sign(sign) if !numbers => no_symbol(sign, order).0,
        CellText::Sign(sign) if sign.is_ascii_digit() => {
            format!("the number {sign} is not a digit of a {order}x{order} board")
        }
        _ => format!("{cell} is not a digit of a {order}x{order} board"),
    }
}

/// The sign of an empty cell; None if no cell is empty. An error if two signs may be.
fn empty_cell(cells: &[CellText], order: usize, numbers: bool, signs: &Signs) -> Result<Option<CellText>, Wrong> {
    let zero_is_digit = if numbers { signs.begin_with_zero() } else { signs.digit('0', order).is_some() };
    let zero = cells.iter().position(|cell| cell.is_zero()).filter(|_| !zero_is_digit);
    let advice = || {
        let digits: String = SYMBOLS.chars().take(order).collect();
        format!("if 0 is a digit, give --digits {digits}")
    };
    if let Some(sign) = signs.empty {
        let empty = CellText::of_sign(sign);
        return match zero.filter(|_| !empty.is_zero()) {
            Some(place) => {
                let reason = format!("{empty} stands for empty cells, and 0 is no digit; {}", advice());
                Err(Wrong::new(place, reason))
            }
            None => Ok(Some(empty)),
        };
    }
    let is_mark = |cell: &CellText| signs.is_mark(*cell, order);
    let Some(first) = cells.iter().position(is_mark) else { return Ok(zero.map(|place| cells[place])) };
    let mark = cells[first];
    let is_same = |cell: &CellText| *cell == mark || mark.is_common_mark() && cell.is_common_mark();
    if let Some(place) = cells.iter().position(|cell| is_mark(cell) && !is_same(cell)) {
        let second = cells[place];
        let named = if mark == CellText::Blank { "' '".to_owned() } else { mark.to_string() };
        let advice = numerals(cells, order).unwrap_or_else(|| format!("--empty {named} says which"));
        return Err(Wrong::new(place, format!("{mark} and {second} may both stand for empty cells; {advice}")));
    }
    match zero {
        Some(place) => Err(Wrong::new(place, format!("{mark} and 0 may both stand for empty cells; {}", advice()))),
        None => Ok(Some(mark)),
    }
}

/// The option for a board with digits of other scripts, such as full-width ones. None for other boards.
fn numerals(cells: &[CellText], order: usize) -> Option<String> {
    const ZEROS: &str = "０٠۰०⓪";
    let mut signs: Vec<char> = cells.iter().filter_map(sign_of).collect();
    signs.retain(|sign| !sign.is_ascii() && sign.is_numeric() && !ZEROS.contains(*sign));
    signs.sort_unstable();
    signs.dedup();
    match signs.len() {
        0 => None,
        count if count == order => Some(format!("if these are digits, give --digits {}", String::from_iter(signs))),
        _ => Some("if these are digits, --digits names them in their order".to_owned()),
    }
}

/// The option that may make a board of signs that are no digits.
fn proposal(mut signs: Vec<char>, order: usize) -> String {
    signs.sort_unstable();
    signs.dedup();
    let odd: Vec<char> = signs.iter().copied().filter(|&sign| value_of(sign, order).is_none()).collect();
    let letters = |count: usize| ('A'..='Z').take(count).collect::<String>();
    match odd.as_slice() {
        [letter] if letter.is_alphabetic() && signs.len() > 1 => {
            format!("; if {letter} stands for empty cells, give --empty {letter}")
        }
        _ if signs.iter().any(|sign| !sign.is_alphabetic()) => String::new(),
        _ if order <= 26 && signs.last().is_some_and(|last| letters(order).contains(*last)) => {
            format!("; if A, B, C, .. are the digits, give --digits {}", letters(order))
        }
        _ if signs.len() == order => {
            let word: String = signs.iter().collect();
            format!("; if the letters are digits in the order of the alphabet, give --digits {word}")
        }
        _ => "; if letters are digits, --digits names them in their order".to_owned(),
    }
}
