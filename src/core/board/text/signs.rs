//! Decides which signs of a board are digits, and which is an empty cell. [`super::reader`] asks once for each board.
//!
//! ```text
//!   empty     the sign that is no letter and no digit (. _ * - ? a space ..); without one, 0; without a 0, a letter
//!             beside digits that is no digit of the board (x, o, n). `.`, `_`, `*` and `-` may stand in one board;
//!             other pairs of such signs are refused
//!   digits    1-9 A-Z as this program writes them; 0-9 A-Z if 0 is a digit because another sign means empty cells;
//!             A-Z if there are letters beyond those; the letters of a word if there are exactly as many as digits
//!   numbers   1, 2, .. 400; from 0 if 0 is a digit
//!
//!   1 . . 4   . is empty             0 . . 3   . is empty, and 0 to 3 are the digits
//!   1 0 0 4   0 is empty             A . . D   . is empty, and A to D are the digits
//!   1 x x 4   x is empty
//! ```

use std::sync::Arc;

use super::symbols::{no_symbol, value_of};
use crate::board::{Grid, Reason, Shape};

/// The content of a cell before its meaning is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// Nothing, or a space.
    Blank,
    /// One sign.
    Sign(char),
    /// A number of several digits.
    Number(u16),
}

impl Cell {
    /// The content of a word: a sign, the same sign several times, a number, or a word for nothing.
    pub fn of(word: &str) -> Option<Cell> {
        let mut signs = word.chars();
        let Some(first) = signs.next() else { return Some(Cell::Blank) };
        let rest = signs.as_str();
        match word {
            _ if rest.is_empty() => Some(Cell::of_sign(first)),
            _ if word.len() <= 3 && word.bytes().all(|byte| byte.is_ascii_digit()) => {
                word.parse().ok().map(Cell::Number)
            }
            "-1" | "null" | "None" | "nan" | "NaN" => Some(Cell::Blank),
            _ => (word.len() <= 4 && !first.is_alphanumeric() && signs.all(|sign| sign == first))
                .then(|| Cell::of_sign(first)),
        }
    }

    /// The content of a cell of one character.
    pub(crate) fn of_sign(sign: char) -> Cell {
        if sign.is_whitespace() { Cell::Blank } else { Cell::Sign(sign.to_ascii_uppercase()) }
    }

    /// The number in a cell.
    fn number(self) -> Option<u16> {
        match self {
            Cell::Number(number) => Some(number),
            Cell::Sign(sign) => sign.to_digit(10).map(|digit| digit as u16),
            Cell::Blank => None,
        }
    }

    fn is_zero(self) -> bool {
        self.number() == Some(0)
    }

    /// True for the signs that stand for empty cells nearly everywhere, and that may be mixed.
    fn is_common_mark(self) -> bool {
        matches!(self, Cell::Sign('.' | '_' | '*' | '-'))
    }

    /// True for a cell that cannot be a digit: a space or a sign that is neither a letter nor a digit.
    pub(super) fn is_mark(self) -> bool {
        match self {
            Cell::Blank => true,
            Cell::Sign(sign) => !sign.is_ascii_alphanumeric(),
            Cell::Number(_) => false,
        }
    }

    /// What a message calls it.
    fn shown(self) -> String {
        match self {
            Cell::Blank => "a blank".to_owned(),
            Cell::Sign(sign) => format!("{sign:?}"),
            Cell::Number(number) => format!("the number {number}"),
        }
    }
}

/// The signs that a reader was told to expect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// The signs of the digits 1, 2, 3, ..
    pub digits: Option<Arc<str>>,
    /// The sign of an empty cell.
    pub empty: Option<char>,
}

/// The signs of digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// The signs that this program writes.
    Own,
    /// The signs that begin with 0.
    FromZero,
    /// A, B, C, ..
    Letters,
    /// These, in this order.
    These(Arc<str>),
}

impl Alphabet {
    /// The digit of a sign, from 1. None for all others.
    fn digit(&self, sign: char, order: usize) -> Option<u16> {
        let place = match self {
            Alphabet::Own => return value_of(sign, order).filter(|&digit| digit > 0),
            Alphabet::FromZero => sign.to_digit(36).map(|digit| digit as usize),
            Alphabet::Letters => sign.to_digit(36).and_then(|digit| digit.checked_sub(10)).map(|digit| digit as usize),
            Alphabet::These(signs) => signs.chars().position(|known| known.eq_ignore_ascii_case(&sign)),
        };
        place.filter(|&place| place < order).map(|place| place as u16 + 1)
    }
}

/// A board and the signs of its digits. An error has the number of its cell, from 0.
pub(super) type Decided = Result<(Grid, Alphabet), (usize, Reason)>;

/// Decides what the cells of a board mean. `known` are the signs of boards before it in the same document: where this
/// board could have several kinds of signs, it has those.
pub fn decide(shape: Shape, cells: &[Cell], asked: &Signs, known: Option<&Alphabet>) -> Decided {
    let order = shape.order();
    let first = |is: &dyn Fn(Cell) -> bool| cells.iter().position(|&cell| is(cell));
    let asked_empty = asked.empty.map(Cell::of_sign);
    // Above the orders that have signs, all cells are numbers.
    let has_number = order > Shape::MAX_SOLVABLE_ORDER || first(&|cell| matches!(cell, Cell::Number(_))).is_some();
    let numbers = has_number && asked.digits.is_none();

    // The sign of an empty cell.
    let mut empty = asked_empty.or_else(|| cells.iter().copied().find(|cell| cell.is_mark()));
    let mixed = asked_empty.is_none() && empty.is_some_and(Cell::is_common_mark);
    if let Some(second) = first(&|cell| cell.is_mark() && Some(cell) != empty && !(mixed && cell.is_common_mark())) {
        let (Some(empty), Cell::Sign(sign)) = (empty, cells[second]) else {
            return Err((second, Reason("some cells are blank and others have a sign for empty cells".to_owned())));
        };
        let reason = no_symbol(sign, order).0;
        return Err((second, Reason(format!("{reason} ({} stands for empty cells)", empty.shown()))));
    }
    let zero = first(&|cell| cell.is_zero());
    let zero_is_digit = |digits: Option<&Arc<str>>| digits.is_some_and(|digits| digits.contains('0'));
    if empty.is_none() && zero.is_some() && !zero_is_digit(asked.digits.as_ref()) {
        // A full grid after boards whose digits begin with 0.
        let fits = |cell: &Cell| match (cell, numbers) {
            (Cell::Sign(sign), false) => Alphabet::FromZero.digit(*sign, order).is_some(),
            _ => cell.number().is_some_and(|number| usize::from(number) < order),
        };
        let zeros = cells.iter().filter(|cell| cell.is_zero()).count();
        let is_known = matches!(known, Some(Alphabet::FromZero)) && zeros == order && cells.iter().all(fits);
        if !is_known && (numbers || order < Shape::MAX_SOLVABLE_ORDER) {
            empty = zero.map(|at| cells[at]);
        }
    }
    if empty.is_none() && asked.digits.is_none() && !numbers {
        empty = odd_letter(cells, order).map(Cell::Sign);
    }
    let is_empty = |cell: Cell| {
        Some(cell) == empty || cell.is_zero() && empty.is_some_and(Cell::is_zero) || mixed && cell.is_common_mark()
    };

    // A board of numbers.
    if numbers {
        let from_zero = u16::from(first(&|cell| cell.is_zero() && !is_empty(cell)).is_some());
        let mut values = Vec::with_capacity(cells.len());
        for (at, &cell) in cells.iter().enumerate() {
            values.push(match cell.number().filter(|_| !is_empty(cell)) {
                Some(number) if usize::from(number + from_zero) <= order => number + from_zero,
                None if is_empty(cell) => 0,
                _ if from_zero == 1 => return Err((zero.unwrap_or(at), zero_and(empty, cell, order))),
                _ => {
                    return Err((at, Reason(format!("{} is not a digit of a {order}x{order} board", as_number(cell)))));
                }
            });
        }
        let alphabet = if from_zero == 1 { Alphabet::FromZero } else { Alphabet::Own };
        return Grid::new(shape, values).map(|grid| (grid, alphabet)).map_err(|reason| (0, reason));
    }

    // A board of signs.
    let alphabet = match &asked.digits {
        Some(digits) => Alphabet::These(digits.clone()),
        None => alphabet_of(cells, &is_empty, order, known),
    };
    let mut values = Vec::with_capacity(cells.len());
    for (at, &cell) in cells.iter().enumerate() {
        values.push(match cell {
            _ if is_empty(cell) => 0,
            Cell::Sign(sign) => match alphabet.digit(sign, order) {
                Some(digit) => digit,
                None if alphabet == Alphabet::FromZero => {
                    return Err((zero.unwrap_or(at), zero_and(empty, cell, order)));
                }
                None => return Err((at, no_symbol(sign, order))),
            },
            _ => return Err((at, Reason(format!("{} is no sign for a cell", cell.shown())))),
        });
    }
    Grid::new(shape, values).map(|grid| (grid, alphabet)).map_err(|reason| (0, reason))
}

/// A cell in words: as [`Cell::shown`], but a digit as a number, such as `the number 7`.
fn as_number(cell: Cell) -> String {
    match cell {
        Cell::Sign(sign) if sign.is_ascii_digit() => format!("the number {sign}"),
        _ => cell.shown(),
    }
}

/// Why 0 cannot be a digit.
fn zero_and(empty: Option<Cell>, cell: Cell, order: usize) -> Reason {
    let (empty, cell) = (empty.map_or("nothing".to_owned(), Cell::shown), cell.shown());
    Reason(format!(
        "0 is a digit because {empty} stands for empty cells, but with {cell} this is no {order}x{order} board; \
         --empty names the sign of empty cells"
    ))
}

/// The letter that stands for empty cells in a board of digits: the only letter that is no digit of it.
fn odd_letter(cells: &[Cell], order: usize) -> Option<char> {
    let signs = || cells.iter().filter_map(|cell| if let Cell::Sign(sign) = cell { Some(*sign) } else { None });
    let mut odd = signs().filter(|sign| sign.is_ascii_alphabetic() && Alphabet::Own.digit(*sign, order).is_none());
    let first = odd.next()?;
    (odd.all(|sign| sign == first) && signs().any(|sign| sign.is_ascii_digit())).then_some(first)
}

/// The signs of the digits of a board. They are those of boards before it, if they fit; else signs that begin with 0,
/// if there is a 0. Else they are the first of these that fit: the signs of this program, A, B, C, .., or any letters,
/// one for each digit.
fn alphabet_of(cells: &[Cell], is_empty: &dyn Fn(Cell) -> bool, order: usize, known: Option<&Alphabet>) -> Alphabet {
    let mut signs: Vec<char> = Vec::new();
    for &cell in cells.iter().filter(|cell| !is_empty(**cell)) {
        if let Cell::Sign(sign) = cell
            && !signs.contains(&sign)
        {
            signs.push(sign);
        }
        // A board of this order does not have more signs.
        if signs.len() > order + 2 {
            return Alphabet::Own;
        }
    }
    let fits = |alphabet: &Alphabet| signs.iter().all(|&sign| alphabet.digit(sign, order).is_some());
    if let Some(known) = known.filter(|known| fits(known)) {
        return known.clone();
    }
    if order < Shape::MAX_SOLVABLE_ORDER && signs.contains(&'0') {
        return Alphabet::FromZero;
    }
    if fits(&Alphabet::Own) {
        return Alphabet::Own;
    }
    if fits(&Alphabet::Letters) {
        return Alphabet::Letters;
    }
    if signs.len() == order && signs.iter().all(|sign| sign.is_alphabetic()) {
        signs.sort_unstable();
        return Alphabet::These(signs.into_iter().collect::<String>().into());
    }
    Alphabet::Own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(order: usize, text: &str) -> Result<Vec<u16>, String> {
        let cells: Vec<Cell> = match text.contains(' ') {
            true => text.split(' ').map(|word| Cell::of(word).unwrap()).collect(),
            false => text.chars().map(Cell::of_sign).collect(),
        };
        let shape = Shape::of_order(order).unwrap();
        let decided = decide(shape, &cells, &Signs::default(), None);
        decided.map(|(grid, _)| grid.values().to_vec()).map_err(|(at, reason)| format!("{at}: {reason}"))
    }

    #[test]
    fn the_signs_of_a_board_say_what_they_mean() {
        let board = [1, 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 1, 0, 0, 0, 3];
        for text in [
            "12....12...1...3", "1200001200010003", "12????12???1???3", "AB....AB...A...C", "01....01...0...2",
            "12xxxx12xxx1xxx3", "ab####ab###a###c", "12.-_*12..-1...3",
        ] {
            assert_eq!(values(4, text), Ok(board.to_vec()), "{text}");
        }
        assert_eq!(values(4, "01 02 -- -- -- -- 01 02 -- -- -- 01 -- -- -- 03"), Ok(board.to_vec()));
        assert_eq!(values(4, "00 01 . . . . 00 01 . . . 00 . . . 02"), Ok(board.to_vec()));
        assert_eq!(values(4, "KIST............").unwrap()[..4], [2, 1, 3, 4]);
    }

    #[test]
    fn doubtful_signs_are_refused() {
        for (text, reason) in [
            ("12..?.12...1...3", "4: '?' is neither"),
            ("12..0.12...1...4", "4: 0 is a digit"),
            ("12..5.12...1...3", "4: '5' is neither"),
            ("12 . . . 17 1 2 . . . 1 . . . 3 .", "0: the number 12 is not a digit"),
        ] {
            let found = values(4, text).unwrap_err();
            assert!(found.starts_with(reason), "{text}: {found}");
        }
    }
}
