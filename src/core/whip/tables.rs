//! Numbers the variables and candidates of a 9x9 board, and defines a position of it.
//!
//! ```text
//!   candidate  9 * cell + digit, 729 in all
//!   variable   0.. cells, 81.. rows x digits, 162.. columns x digits, 243.. boxes x digits, 324 in all
//! ```
//! Each variable has nine candidates, one bit each: digits of a cell, or places of a digit in a house. Each candidate
//! is in four variables and *linked* to 28 others, which cannot be true together with it: 8 in each of the four
//! variables, and 4 of these are in two of them. For example r1c1 = 5 is in the variables cell r1c1, row 1 x 5, column
//! 1 x 5 and box 1 x 5, and linked to the other digits of r1c1 and to the 5 in the rest of row, column and box.

use crate::board::Shape;
use crate::board::nine::{HOUSE, HOUSE_SET, OF};

pub(crate) const VARIABLES: usize = 324;
pub(crate) const CANDIDATES: usize = 729;

/// A variable, and the bit of a candidate in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct VariableBit {
    pub(crate) variable: u16,
    pub(crate) bit: u16,
}

/// The variables of a candidate, each with the bit of the candidate in it.
pub(crate) static VARIABLES_OF: [[VariableBit; 4]; CANDIDATES] = variables_of();
/// The candidates of each variable, by their bits.
pub(crate) static CANDIDATE_AT: [[u16; 9]; VARIABLES] = candidate_at();
/// The 28 candidates linked to a candidate: in its box, column, row and cell, in descending order within each.
pub(crate) static LINKED: [[u16; 28]; CANDIDATES] = linked();

const fn variables_of() -> [[VariableBit; 4]; CANDIDATES] {
    let mut table = [[VariableBit { variable: 0, bit: 0 }; 4]; CANDIDATES];
    let mut candidate = 0;
    while candidate < CANDIDATES {
        let (cell, digit) = ((candidate / 9) as u16, (candidate % 9) as u16);
        // Boxes are houses 0..9, rows 9..18, columns 18..27.
        let [(of_box, in_box), (row, in_row), (column, in_column)] = OF[cell as usize];
        table[candidate] = [
            VariableBit { variable: cell, bit: 1 << digit },
            VariableBit { variable: 9 * row as u16 + digit, bit: 1 << in_row },
            VariableBit { variable: 9 * column as u16 + digit, bit: 1 << in_column },
            VariableBit { variable: 243 + 9 * of_box as u16 + digit, bit: 1 << in_box },
        ];
        candidate += 1;
    }
    table
}

const fn candidate_at() -> [[u16; 9]; VARIABLES] {
    let mut table = [[0; 9]; VARIABLES];
    let mut index = 0;
    while index < 4 * CANDIDATES {
        let candidate = index / 4;
        let VariableBit { variable, bit } = VARIABLES_OF[candidate][index % 4];
        table[variable as usize][bit.trailing_zeros() as usize] = candidate as u16;
        index += 1;
    }
    table
}

const fn linked() -> [[u16; 28]; CANDIDATES] {
    let mut table = [[0; 28]; CANDIDATES];
    let mut candidate = 0;
    while candidate < CANDIDATES {
        let (cell, digit) = (candidate / 9, candidate % 9);
        let [(of_box, _), (row, _), (column, _)] = OF[cell];
        let lines = HOUSE_SET[row as usize] | HOUSE_SET[column as usize];
        let (mut count, mut number) = (0, 4 * 9);
        while number > 0 {
            number -= 1;
            let place = number % 9;
            // The box comes first, then column, row and cell. The box only adds what is in neither line.
            let (peer, value) = match number / 9 {
                3 => (HOUSE[of_box as usize][place] as usize, digit),
                2 => (HOUSE[column as usize][place] as usize, digit),
                1 => (HOUSE[row as usize][place] as usize, digit),
                _ => (cell, place),
            };
            let linked = 9 * peer + value;
            if linked != candidate && (number < 27 || lines >> peer & 1 == 0) {
                table[candidate][count] = linked as u16;
                count += 1;
            }
        }
        candidate += 1;
    }
    table
}

/// A position: candidates and values of all variables. (CSP: a constraint satisfaction problem.)
#[derive(Clone)]
pub(crate) struct CspState {
    /// The candidates that are left. A placed one is not among them.
    pub(crate) alive: [bool; CANDIDATES],
    /// Candidates of each variable. Empty when it has a value.
    pub(crate) remaining: [u16; VARIABLES],
    /// The variables that have a value.
    pub(crate) settled: [bool; VARIABLES],
    /// The value of a settled variable, as the bit of its candidate.
    pub(crate) value: [u16; VARIABLES],
    /// Cells without a digit.
    pub(crate) open: usize,
    /// A variable has no candidate and no value.
    pub(crate) broken: bool,
    /// Candidates that were found to be the last of a variable.
    singles: Vec<u16>,
}

impl CspState {
    /// The candidates that the values of a board allow. None for boards that are not 9x9.
    pub(crate) fn new(values: &[u16], shape: Shape) -> Option<CspState> {
        if shape != Shape::NINE {
            return None;
        }
        let mut position = CspState {
            alive: [true; CANDIDATES],
            remaining: [0x1ff; VARIABLES],
            settled: [false; VARIABLES],
            value: [0; VARIABLES],
            open: 81,
            broken: false,
            singles: Vec::new(),
        };
        for (cell, &value) in values.iter().enumerate().filter(|&(_, &value)| value != 0) {
            position.place(9 * cell + usize::from(value) - 1);
        }
        Some(position)
    }

    /// Removes a candidate, if it is there, and notes the singles that this leaves.
    pub(crate) fn eliminate(&mut self, candidate: usize) {
        if !std::mem::replace(&mut self.alive[candidate], false) {
            return;
        }
        for VariableBit { variable, bit } in VARIABLES_OF[candidate] {
            let variable = variable as usize;
            self.remaining[variable] &= !bit;
            if !self.settled[variable] {
                self.broken |= self.remaining[variable] == 0;
                if self.remaining[variable].is_power_of_two() {
                    let place = self.remaining[variable].trailing_zeros() as usize;
                    self.singles.push(CANDIDATE_AT[variable][place]);
                }
            }
        }
    }

    /// Gives the variables of a candidate this value, and removes all candidates that are linked to it.
    pub(crate) fn place(&mut self, candidate: usize) {
        for VariableBit { variable, bit } in VARIABLES_OF[candidate] {
            self.settled[variable as usize] = true;
            self.value[variable as usize] = bit;
        }
        self.open -= 1;
        LINKED[candidate].iter().for_each(|&linked| self.eliminate(linked.into()));
        self.eliminate(candidate);
    }

    /// True when a variable has only one candidate, or none.
    pub(crate) fn has_singles(&self) -> bool {
        !self.singles.is_empty() || self.broken
    }

    /// Places naked and hidden singles until there are none.
    pub(crate) fn singles(&mut self) {
        self.singles_beside(None);
    }

    /// Places singles until there are none but those that would remove one candidate, the spared one.
    pub(crate) fn singles_beside(&mut self, spared: Option<u16>) {
        while let Some(single) = self.singles.pop() {
            let removes_spared =
                spared.is_some_and(|spared| single == spared || LINKED[usize::from(single)].contains(&spared));
            if self.alive[single as usize] && !self.broken && !removes_spared {
                self.place(single.into());
            }
        }
    }

    /// The candidates that are left, in ascending order.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = u16> {
        (0..CANDIDATES as u16).filter(|&candidate| self.alive[candidate as usize])
    }
}
