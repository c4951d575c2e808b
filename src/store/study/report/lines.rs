//! The lines of plots of bars, and the techniques that are used.

use super::answer::ReportAnswer;
use super::{Board, count};
use crate::study::numbers::Number;
use crate::study::tally::Tally;
use sudoku_corpus_core::board::Symmetry;
use sudoku_corpus_core::ladder::TECHNIQUES;
use sudoku_corpus_core::page::Colour;
use sudoku_corpus_core::page::numbers::grouped;

/// The colour of columns, bars and cells.
pub(super) const COLOUR: Colour = Colour::Series(3);

pub(super) struct Line {
    pub name: String,
    pub count: u64,
    /// The first cells of its row of data.
    pub keys: Vec<String>,
    pub colour: Colour,
    /// Its colour in the legend.
    pub legend: &'static str,
}

impl Line {
    fn new(name: String, key: String, count: u64) -> Line {
        Line { name, count, keys: vec![key], colour: COLOUR, legend: "" }
    }
}

/// The lines of an answer, from the top, and the whole of which they are shares.
pub(super) fn lines(answer: &ReportAnswer<'_>) -> (Vec<Line>, u64) {
    let tally = &*answer.tally;
    let lines = match answer.number {
        Number::LEVEL => levels(answer),
        Number::HARDEST => return (hardest(tally), answer.board.answers.rated()),
        Number::SYMMETRIES => symmetries(tally),
        Number::COPIES => sizes(tally),
        _ => tally.iter().map(|(value, rows)| Line::new(count(value, "map"), value.to_string(), rows)).collect(),
    };
    (lines, tally.total())
}

fn levels(answer: &ReportAnswer<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    for (place, (level, rows)) in answer.board.answers.by_level().enumerate() {
        let line = Line::new(level.to_owned(), level.to_owned(), rows);
        lines.push(Line { colour: Colour::Level(place), ..line });
    }
    lines
}

/// The symmetries besides the identity. A value of the tally is a set of symmetries, one bit for each, so a puzzle may
/// count in several lines.
fn symmetries(tally: &Tally) -> Vec<Line> {
    let mut lines = Vec::new();
    for (bit, symmetry) in Symmetry::ALL.into_iter().enumerate().skip(1) {
        let with_symmetry = tally.iter().filter(|(set, _)| set >> bit & 1 == 1);
        let rows: u64 = with_symmetry.map(|(_, rows)| rows).sum();
        lines.push(Line::new(symmetry.name().to_owned(), symmetry.name().to_owned(), rows));
    }
    lines
}

/// The hardest techniques, the most frequent first.
fn hardest(tally: &Tally) -> Vec<Line> {
    let mut techniques: Vec<(u64, u64)> = tally.iter().collect();
    techniques.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    let mut lines = Vec::new();
    for (place, rows) in techniques {
        let info = &TECHNIQUES[place as usize];
        lines.push(Line {
            keys: vec![info.code.to_owned(), info.name.to_owned()],
            colour: Colour::Level(info.level as usize),
            legend: info.level.name(),
            ..Line::new(info.name.to_owned(), String::new(), rows)
        });
    }
    lines
}

/// How many classes occur once, twice, and so on; large numbers are grouped.
fn sizes(sizes: &Tally) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (times, classes) in sizes.iter() {
        let name = size_name(times);
        match lines.last_mut() {
            Some(last) if last.name == name => last.count += classes,
            _ => lines.push(Line::new(name, first_of_group(times).to_string(), classes)),
        }
    }
    lines
}

/// The smallest number of the group of a number: from 10 on, all numbers of the same length are a group.
fn first_of_group(times: u64) -> u64 {
    if times < 10 { times } else { 10u64.saturating_pow(times.ilog10()) }
}

/// How often a class occurs, in words. From 10 on, all numbers of the same length have the same words.
fn size_name(times: u64) -> String {
    match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        3..=9 => format!("{times} times"),
        _ => {
            let first = first_of_group(times);
            let last = first.saturating_mul(10).saturating_sub(1);
            format!("{} to {} times", grouped(first.into()), grouped(last.into()))
        }
    }
}

/// True if some pattern of givens has a symmetry besides the identity.
pub(super) fn has_symmetries(tally: &Tally) -> bool {
    tally.iter().any(|(mask, _)| mask > 1)
}

/// A technique that the ladder uses in some puzzle.
pub(super) struct UsedTechnique<'a> {
    /// Its place in the table of techniques.
    pub place: usize,
    /// The numbers of its steps in the puzzles that need it.
    pub steps: &'a Tally,
}

/// The techniques that are used, the most frequent first.
pub(super) fn used<'a>(board: &Board<'a>) -> Vec<UsedTechnique<'a>> {
    let mut used = Vec::new();
    for (place, steps) in board.answers.techniques().iter().enumerate() {
        if steps.total() > 0 {
            used.push(UsedTechnique { place, steps });
        }
    }
    used.sort_by_key(|technique| std::cmp::Reverse(technique.steps.total()));
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_classes_are_grouped() {
        let mut tally = Tally::default();
        [(1, 5), (2, 1), (9, 1), (10, 2), (99, 3), (100, 1)].into_iter().for_each(|(size, n)| tally.add_many(size, n));
        let lines: Vec<String> =
            sizes(&tally).into_iter().map(|line| format!("{} {}", line.name, line.count)).collect();
        assert_eq!(lines, ["once 5", "twice 1", "9 times 1", "10 to 99 times 5", "100 to 999 times 1"]);
    }
}
