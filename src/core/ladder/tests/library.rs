//! Lines of HoDoKu's library of technique cases, read and run. Ordinary 9x9 boards only.
//!
//! ```text
//! :0300:5:.9+8..+2+7+53...:516 534:548 558::
//!  |    | |        |       |       | `- extra (chain length)
//!  |    | |        |       |       `--- placements
//!  |    | |        |       `----------- eliminations      lists: digit, row, column
//!  |    | |        `------------------- candidates removed beyond those that the placed digits exclude
//!  |    | `---------------------------- 81 cells, '.' open, '+' before a digit that is not a given
//!  |    `------------------------------ the digits that the technique is about
//!  `----------------------------------- code, with a variant after a dash; variant x: nothing must be found
//! ```
//!
//! A case passes when the search for all instances in its position finds one with exactly these conclusions. A case of
//! variant x passes when the search finds nothing. In cases of variant 2 of ALS-XY-Wings (0902) and ALS chains (0903)
//! the sets may overlap. Reference: header of HoDoKu's `reglib` file.

use crate::board::{Candidates, Cell, CellSet, Digit, Grid, Narrow, Puzzle, Shape};

use crate::ladder::climb::find::find_all_at;
use crate::ladder::fish::kinds::FishKind;
use crate::ladder::position::Position;
use crate::ladder::words::list::{AnySink, StepList};
use crate::ladder::words::step::Step;
use crate::ladder::words::table::{TECHNIQUES, Technique};
use crate::ladder::words::technique::LinkType;

/// One case.
#[derive(Clone, Debug)]
pub(in crate::ladder) struct Case {
    /// The code without the variant, as in `0300`.
    pub(in crate::ladder) code: String,
    /// The part of the code after the dash.
    pub(in crate::ladder) variant: Option<String>,
    pub(in crate::ladder) marks: Candidates<Narrow>,
    /// The candidates that must be removed, ascending by digit and cell.
    pub(in crate::ladder) eliminations: Vec<(Cell, Digit)>,
    /// The digits that must be placed, ascending by digit and cell.
    pub(in crate::ladder) placements: Vec<(Cell, Digit)>,
    /// The length of the chain in inferences, if the case gives it.
    pub(in crate::ladder) links: Option<u32>,
}

/// The result of a case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::ladder) enum Outcome {
    /// Found as expected.
    Passed,
    /// Not found, or found although nothing must be found.
    Failed,
    /// No technique of the table has the code.
    Skipped,
}

impl Case {
    /// Reads a line that begins with a colon.
    pub(in crate::ladder) fn parse(line: &str) -> Case {
        let fields: Vec<&str> = line.trim().trim_start_matches(':').split(':').collect();
        let [code, _, givens, deleted, eliminations, placements, ref extra @ ..] = fields[..] else {
            panic!("not a case: {line}");
        };
        let links = extra.first().and_then(|extra| extra.trim().parse().ok());
        let (code, variant) = match code.split_once('-') {
            Some((code, variant)) => (code, Some(variant.to_owned())),
            None => (code, None),
        };
        let (position, given_cells) = parse_position(givens);
        let marks = Candidates::at(&position, given_cells, &parse_list(deleted));
        let (eliminations, placements) = (parse_list(eliminations), parse_list(placements));
        Case { code: code.to_owned(), variant, marks, eliminations, placements, links }
    }

    /// Searches the position for the technique of the code.
    pub(in crate::ladder) fn run(&self) -> Outcome {
        let Some(steps) = self.steps() else { return Outcome::Skipped };
        let joint = self.placements.len() > 1 && self.is_met_jointly(&steps);
        let passed = match self.variant.as_deref() {
            Some("x") => steps.is_empty(),
            _ => joint || steps.iter().any(|step| self.is_met_by(step)),
        };
        if passed { Outcome::Passed } else { Outcome::Failed }
    }

    /// Everything that is found for the code. None when no technique has the code.
    fn steps(&self) -> Option<Vec<Step>> {
        let position = match (&self.code[..], self.variant.as_deref()) {
            ("0902" | "0903", Some("2")) => Position::with_overlapping_sets(&self.marks),
            _ => Position::new(&self.marks),
        };
        let mut techniques = techniques_of(&self.code).peekable();
        match techniques.peek() {
            Some(_) => Some(techniques.flat_map(|technique| find_all_at(technique, &position)).collect()),
            None => large_fish(&self.code, &self.marks),
        }
    }

    /// True when the steps about one digit together place exactly what is expected. HoDoKu counts them as one step.
    fn is_met_jointly(&self, steps: &[Step]) -> bool {
        steps.chunk_by(|a, b| a.pattern.digits == b.pattern.digits).any(|steps| {
            let placed: Vec<(Cell, Digit)> = steps.iter().flat_map(|step| step.placements.clone()).collect();
            sorted(&placed) == self.placements
        })
    }

    /// True if a step has exactly the conclusions of the case, and its length if the case gives one.
    fn is_met_by(&self, step: &Step) -> bool {
        sorted(&step.eliminations) == self.eliminations
            && sorted(&step.placements) == self.placements
            // HoDoKu counts an almost locked set as two or more inferences, so chains through sets cannot be compared.
            && (step.technique.link_type() == Some(LinkType::AlmostLocked)
                || self.links.is_none_or(|links| links == step.pattern.links))
    }
}

/// Fish of 5 to 7 houses are not in the table: on a 9x9 board they hardly ever find more than smaller fish.
fn large_fish(code: &str, marks: &Candidates<Narrow>) -> Option<Vec<Step>> {
    let mut fish = StepList::all();
    FishKind::of_code(code)?.search(&Position::new(marks), &mut AnySink::List(&mut fish));
    Some(fish.into_steps(Technique::Jellyfish))
}

/// Candidates by digit and cell, each once.
fn sorted(list: &[(Cell, Digit)]) -> Vec<(Cell, Digit)> {
    let mut list = list.to_vec();
    list.sort_unstable_by_key(|&(cell, digit)| (digit, cell));
    list.dedup();
    list
}

/// The digits of a position, and the cells of the givens: the digits without a plus sign.
fn parse_position(text: &str) -> (Puzzle, Narrow) {
    let mut values = Vec::with_capacity(81);
    let mut givens = Narrow::empty();
    let mut placed = false;
    for character in text.chars() {
        if character == '+' {
            placed = true;
            continue;
        }
        let value = if character == '.' { 0 } else { character.to_digit(10).unwrap() as u16 };
        if value > 0 && !placed {
            givens.insert(Cell::new(values.len()));
        }
        values.push(value);
        placed = false;
    }
    (Puzzle::try_from(Grid::new(Shape::NINE, values).unwrap()).unwrap(), givens)
}

/// Candidates separated by blanks, in ascending order of digit and cell.
pub(super) fn parse_list(text: &str) -> Vec<(Cell, Digit)> {
    let candidate = |word: &str| {
        let [digit, row, column] = [0, 1, 2].map(|place| usize::from(word.as_bytes()[place] - b'0'));
        (Cell::new(9 * (row - 1) + column - 1), Digit::new(digit as u16))
    };
    sorted(&text.split_whitespace().map(candidate).collect::<Vec<_>>())
}

pub(in crate::ladder) fn position(marks: &Candidates<Narrow>) -> Puzzle {
    Puzzle::try_from(Grid::new(marks.shape(), marks.values().to_vec()).unwrap()).unwrap()
}

/// The candidates that a position has lost, beyond those that its digits exclude.
pub(in crate::ladder) fn deleted(marks: &Candidates<Narrow>) -> Vec<(Cell, Digit)> {
    let plain = Candidates::<Narrow>::new(&position(marks));
    let gone = |cell: Cell| (plain.of_cell(cell) - marks.of_cell(cell)).iter().map(move |digit| (cell, digit));
    marks.open().cells().flat_map(gone).collect()
}

fn techniques_of(code: &str) -> impl Iterator<Item = Technique> + '_ {
    TECHNIQUES.iter().filter(move |info| info.code_in_library == code).map(|info| info.technique)
}

mod tests;
