//! Lines of HoDoKu's library of technique cases, written, read and run. Ordinary 9x9 boards only.
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

use std::collections::BTreeMap;

use crate::board::{Candidates, Cell, CellSet, Digit, Grid, Narrow, Puzzle, Reason, Shape};

use super::position::Position;
use crate::rate::climb::find::find_all_at;
use crate::rate::fish::kinds::FishKind;
use crate::rate::ladder::list::{AnySink, StepList};
use crate::rate::ladder::step::{Step, Trace};
use crate::rate::ladder::table::{TECHNIQUES, Technique};
use crate::rate::ladder::technique::LinkType;

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The code without the variant, as in `0300`.
    pub code: String,
    /// The part of the code after the dash.
    pub variant: Option<String>,
    /// The position.
    pub marks: Candidates<Narrow>,
    /// The candidates that must be removed, ascending by digit and cell.
    pub eliminations: Vec<(Cell, Digit)>,
    /// The digits that must be placed, ascending by digit and cell.
    pub placements: Vec<(Cell, Digit)>,
    /// The length of the chain in inferences, if the case gives it.
    pub links: Option<u32>,
}

/// The result of a case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// Found as expected.
    Passed,
    /// Not found, or found although nothing must be found.
    Failed,
    /// No technique of the table has the code.
    Skipped,
}

impl Case {
    /// Reads a line that begins with a colon.
    ///
    /// # Errors
    /// The line is not a case: the reason.
    pub fn parse(line: &str) -> Result<Case, Reason> {
        let fields: Vec<&str> = line.trim().trim_start_matches(':').split(':').collect();
        let [code, _, givens, deleted, eliminations, placements, ref extra @ ..] = fields[..] else {
            return Err(Reason(format!("{} fields between colons, at least 6 expected", fields.len())));
        };
        let links = extra.first().and_then(|extra| extra.trim().parse().ok());
        let (code, variant) = match code.split_once('-') {
            Some((code, variant)) => (code, Some(variant.to_owned())),
            None => (code, None),
        };
        let (position, given_cells) = parse_position(givens)?;
        let marks = Candidates::at(&position, given_cells, &parse_list(deleted)?);
        let (eliminations, placements) = (parse_list(eliminations)?, parse_list(placements)?);
        Ok(Case { code: code.to_owned(), variant, marks, eliminations, placements, links })
    }

    /// Searches the position for the technique of the code.
    pub fn run(&self) -> Outcome {
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
    let mut found = StepList::all();
    FishKind::of_code(code)?.search(&Position::new(marks), &mut AnySink::List(&mut found));
    Some(found.into_steps(Technique::Jellyfish))
}

/// Candidates by digit and cell, each once.
fn sorted(list: &[(Cell, Digit)]) -> Vec<(Cell, Digit)> {
    let mut list = list.to_vec();
    list.sort_unstable_by_key(|&(cell, digit)| (digit, cell));
    list.dedup();
    list
}

/// The digits of a position, and the cells of the givens: the digits without a plus sign.
fn parse_position(text: &str) -> Result<(Puzzle, Narrow), Reason> {
    let wrong = || Reason(format!("the givens are not 81 cells: {text}"));
    let mut values = Vec::with_capacity(81);
    let mut givens = Narrow::empty();
    let mut placed = false;
    for character in text.chars() {
        match character {
            '+' => placed = true,
            '.' | '0' => values.push(0),
            '1'..='9' => {
                if !placed && values.len() < 81 {
                    givens.insert(Cell::new(values.len()));
                }
                values.push(character as u16 - '0' as u16);
                placed = false;
            }
            _ => return Err(wrong()),
        }
    }
    let grid = Grid::new(Shape::NINE, values).map_err(|_| wrong())?;
    let contradicting = |error| Reason(format!("the givens contradict each other: {error}"));
    Ok((Puzzle::try_from(grid).map_err(contradicting)?, givens))
}

/// Candidates separated by blanks, in ascending order of digit and cell.
fn parse_list(text: &str) -> Result<Vec<(Cell, Digit)>, Reason> {
    let mut list = Vec::new();
    for word in text.split_whitespace() {
        match word.as_bytes() {
            &[digit @ b'1'..=b'9', row @ b'1'..=b'9', column @ b'1'..=b'9'] => {
                let cell = Cell::at(Shape::NINE, usize::from(row - b'1'), usize::from(column - b'1'));
                list.push((cell, Digit::new(u16::from(digit - b'0'))));
            }
            _ => {
                let reason = format!("'{word}' is not a candidate: write digit, row and column, for example 436");
                return Err(Reason(reason));
            }
        }
    }
    Ok(sorted(&list))
}

/// Writes a step in a position as a line of the library. None when the board is not an ordinary 9x9 board.
pub fn line<S: CellSet>(marks: &Candidates<S>, step: &Step) -> Option<String> {
    if marks.shape() != Shape::NINE {
        return None;
    }
    let mut givens = String::new();
    for cell in marks.sets().layout().cells() {
        match marks.value(cell) {
            None => givens.push('.'),
            Some(digit) => {
                givens.push_str(if marks.givens().contains(cell) { "" } else { "+" });
                givens.push_str(&digit.value().to_string());
            }
        }
    }
    let digits: String = step.pattern.digits.iter().map(|digit| digit.value().to_string()).collect();
    let [deleted, out, placed] =
        [&deleted(marks)?, &step.eliminations, &step.placements].map(|list| written(&sorted(list)));
    let extra = if step.pattern.links == 0 { String::new() } else { step.pattern.links.to_string() };
    Some(format!(":{}:{digits}:{givens}:{deleted}:{out}:{placed}:{extra}", step.technique.info().code_in_library))
}

/// The digits of a position as a puzzle.
pub(super) fn position<S: CellSet>(marks: &Candidates<S>) -> Option<Puzzle> {
    Puzzle::try_from(Grid::new(marks.shape(), marks.values().to_vec()).ok()?).ok()
}

/// The candidates that a position has lost, beyond those that its digits exclude.
pub(super) fn deleted<S: CellSet>(marks: &Candidates<S>) -> Option<Vec<(Cell, Digit)>> {
    let plain = Candidates::<S>::new(&position(marks)?);
    let gone = |cell: Cell| (plain.of_cell(cell) - marks.of_cell(cell)).iter().map(move |digit| (cell, digit));
    Some(marks.open().cells().flat_map(gone).collect())
}

/// Candidates as the library writes them: digit, row and column.
fn written(list: &[(Cell, Digit)]) -> String {
    let place = |cell: Cell| (cell.row(Shape::NINE) + 1) * 10 + cell.column(Shape::NINE) + 1;
    list.iter().map(|&(cell, digit)| format!("{}{}", digit.value(), place(cell))).collect::<Vec<_>>().join(" ")
}

/// Writes every step of a trace as a line of the library. None when the board is not an ordinary 9x9 board.
pub fn lines(puzzle: &Puzzle, trace: &Trace) -> Option<Vec<String>> {
    if puzzle.shape() != Shape::NINE {
        return None;
    }
    let mut marks = Candidates::<Narrow>::new(puzzle);
    let mut lines = Vec::with_capacity(trace.steps.len());
    for round in trace.steps.chunk_by(|a, b| a.round == b.round) {
        for step in round {
            lines.push(line(&marks, step)?);
        }
        round.iter().for_each(|step| step.take(&mut marks));
    }
    Some(lines)
}

/// The techniques that share a library code.
pub fn techniques_of(code: &str) -> impl Iterator<Item = Technique> + '_ {
    TECHNIQUES.iter().filter(move |info| info.code_in_library == code).map(|info| info.technique)
}

/// How often each outcome occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// Found as expected.
    pub passed: u64,
    /// Not found, or found although nothing must be found.
    pub failed: u64,
    /// No technique has the code.
    pub skipped: u64,
}

/// What became of the cases of a library. Lines that do not begin with a colon are comments.
#[derive(Clone, Debug, Default)]
pub struct Scorecard {
    /// By code, without the variant.
    pub codes: BTreeMap<String, OutcomeCounts>,
    /// Line number from 1, and the text, of each failed case.
    pub failures: Vec<(u64, String)>,
    /// Line number from 1, and the problem, of each line that cannot be read.
    pub unreadable: Vec<(u64, Reason)>,
}

impl Scorecard {
    /// Runs the case on a line, if there is one. Line numbers start at 1.
    pub fn run(&mut self, number: u64, line: &str) {
        if !line.trim_start().starts_with(':') {
            return;
        }
        let case = match Case::parse(line) {
            Ok(case) => case,
            Err(error) => return self.unreadable.push((number, error)),
        };
        let tally = self.codes.entry(case.code.clone()).or_default();
        match case.run() {
            Outcome::Passed => tally.passed += 1,
            Outcome::Skipped => tally.skipped += 1,
            Outcome::Failed => {
                tally.failed += 1;
                self.failures.push((number, line.trim().to_owned()));
            }
        }
    }

    /// Runs the cases of a text.
    pub fn of(text: &str) -> Scorecard {
        let mut card = Scorecard::default();
        (1..).zip(text.lines()).for_each(|(number, line)| card.run(number, line));
        card
    }

    /// All codes together.
    pub fn total(&self) -> OutcomeCounts {
        self.codes.values().fold(OutcomeCounts::default(), |sum, tally| OutcomeCounts {
            passed: sum.passed + tally.passed,
            failed: sum.failed + tally.failed,
            skipped: sum.skipped + tally.skipped,
        })
    }
}

#[cfg(test)]
mod tests;
