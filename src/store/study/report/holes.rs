//! Do more holes make a puzzle harder? Search depth and score for each number of holes.

use super::Board;
use super::bins::{Bin, bins, counted};
use crate::study::stats::{Joint, Tally};
use sudoku_corpus_core::page::kinds::{self, Cell, Quartiles};
use sudoku_corpus_core::page::numbers::{grouped, percent, significant};
use sudoku_corpus_core::page::{Axis, Colour, Figure, Plot, Table};

const COLOUR: Colour = Colour::Series(3);
/// Columns of holes that fit side by side, with numbers in them.
const COLUMNS: u64 = 14;
/// Rows of depths.
const ROWS: u64 = 14;
/// Columns of fewer puzzles are pale.
const FEW: u64 = 20;

/// How much the number of holes says about another quantity, in words; `rank` is their rank correlation.
fn relation(rank: Option<f64>, what: &str) -> String {
    match rank {
        None => format!("Either the number of holes or the {what} never varies"),
        Some(rank) => {
            let how = match rank.abs() {
                ..0.1 => "says almost nothing about",
                0.1..0.3 => "says little about",
                0.3..0.6 => "says something about",
                _ => "says much about",
            };
            format!("In these rows, the number of holes {how} {what}: rank correlation {}", signed(rank))
        }
    }
}

/// A correlation with two digits and a real minus sign.
fn signed(value: f64) -> String {
    let text = format!("{:.2}", value.abs());
    if value < 0.0 && text != "0.00" { format!("\u{2212}{text}") } else { text }
}

/// Correlations in words, for captions.
fn correlations(joint: &Joint) -> String {
    match (joint.rank_correlation(), joint.correlation()) {
        (Some(rank), Some(linear)) => {
            format!(" Spearman's rank correlation {}, Pearson's {}.", thousandths(rank), thousandths(linear))
        }
        _ => String::new(),
    }
}

pub(super) fn thousandths(value: f64) -> String {
    format!("{value:.3}").replace('-', "\u{2212}")
}

/// Bins of x, with what was counted in each.
fn columns(joint: &Joint) -> Vec<(Bin, Tally)> {
    let bins = bins(&joint.first(), COLUMNS);
    let mut columns: Vec<(Bin, Tally)> = bins.into_iter().map(|bin| (bin, Tally::default())).collect();
    for (x, tally) in joint.iter() {
        if let Some((_, all)) = columns.iter_mut().find(|(bin, _)| (bin.first..=bin.last).contains(&x)) {
            all.merge(tally);
        }
    }
    columns
}

/// Holes against search depth: for each number of holes, the shares of the depths.
pub(super) fn depth(board: &Board<'_>) -> Option<Figure> {
    let joint = &board.counts.holes_depth;
    if joint.is_empty() {
        return None;
    }
    let (columns, rows) = (columns(joint), bins(&joint.second(), ROWS));
    let mut cells = Vec::new();
    for (x, (bin, tally)) in columns.iter().enumerate() {
        let counts = counted(tally, &rows);
        for (y, (row, &count)) in rows.iter().zip(&counts).enumerate().filter(|(_, (_, count))| **count > 0) {
            let part = count as f64 / tally.total() as f64;
            let text = if part < 0.005 { "<1".to_owned() } else { format!("{:.0}", 100.0 * part) };
            let tooltip = format!(
                "{} holes, depth {}: {} of {} puzzles, {}",
                bin.name(),
                row.name(),
                grouped(count.into()),
                grouped(tally.total().into()),
                percent(count, tally.total())
            );
            // Square roots make differences below a tenth visible.
            let strength = part.sqrt() * if tally.total() < FEW { 0.3 } else { 1.0 };
            cells.push(Cell { x, y: rows.len() - 1 - y, strength, text, tooltip });
        }
    }
    let plot = Plot {
        id: board.id("holes-depth"),
        title: "Search depth for each number of holes".to_owned(),
        x: Axis::names("holes", columns.iter().map(|(bin, _)| bin.name()).collect()),
        y: Axis::names(
            "search depth, % of the puzzles in the column",
            rows.iter().rev().map(|bin| bin.name()).collect(),
        ),
        layers: kinds::heat(COLOUR, &cells).into(),
        marks: Vec::new(),
    };
    let guesses = board.counts.holes_guesses.rank_correlation();
    let guesses = guesses.map_or(String::new(), |rank| format!(" For holes and guesses it is {}.", thousandths(rank)));
    let caption = format!(
        "Each column shows the search depths of the puzzles with one number of holes and adds up to 100 %. If more holes made \
         puzzles harder, the dark cells would rise to the right.{}{guesses} Columns of fewer than {FEW} puzzles are pale.",
        correlations(joint)
    );
    let headline = relation(joint.rank_correlation(), "search depth");
    Some(Figure { headline, plot, caption, data: pairs(joint), listed: false })
}

/// Every pair of holes and depth that occurs.
fn pairs(joint: &Joint) -> Table {
    let mut data = Table::new(&["holes", "search_depth", "puzzles"]);
    for (holes, tally) in joint.iter() {
        let row = |(depth, count): (u64, u64)| vec![holes.to_string(), depth.to_string(), count.to_string()];
        data.rows.extend(tally.iter().map(row));
    }
    data
}

/// Holes against score: for each number of holes, the quartiles of the scores.
pub(super) fn score(board: &Board<'_>) -> Option<Figure> {
    let joint = &board.counts.holes_score;
    if joint.is_empty() {
        return None;
    }
    let columns: Vec<(Bin, Tally)> = columns(joint).into_iter().filter(|(_, tally)| tally.total() > 0).collect();
    let quantiles = |tally: &Tally| [0.05, 0.25, 0.5, 0.75, 0.95].map(|q| tally.quantile(q).unwrap_or(0));
    let boxes: Vec<Quartiles> = columns
        .iter()
        .enumerate()
        .map(|(at, (bin, tally))| {
            let [low, first, median, third, high] = quantiles(tally);
            Quartiles {
                x: at as f64,
                at: quantiles(tally).map(|score| score.max(1) as f64),
                strength: if tally.total() < FEW { 0.3 } else { 1.0 },
                tooltip: format!(
                    "{} holes, {} puzzles: scores {low} / {first} / {median} / {third} / {high}",
                    bin.name(),
                    grouped(tally.total().into())
                ),
            }
        })
        .collect();
    let ends = |pick: fn(f64, f64) -> f64, start| boxes.iter().flat_map(|one| one.at).fold(start, pick);
    let plot = Plot {
        id: board.id("holes-score"),
        title: "Scores for each number of holes".to_owned(),
        x: Axis::names("holes", columns.iter().map(|(bin, _)| bin.name()).collect()),
        y: Axis::log("score, points (logarithmic)", ends(f64::min, f64::INFINITY), ends(f64::max, 1.0)),
        layers: kinds::boxes(COLOUR, &boxes).into(),
        marks: Vec::new(),
    };
    let caption = format!(
        "Boxes reach from the first to the third quartile, with a line at the median; whiskers reach from 5 % to 95 %. Only \
         puzzles that the ladder solves are counted. Boxes of fewer than {FEW} puzzles are pale.{}",
        correlations(joint)
    );
    let headline = relation(joint.rank_correlation(), "score");
    Some(Figure { headline, plot, caption, data: quartiles(joint), listed: true })
}

fn quartiles(joint: &Joint) -> Table {
    let mut data = Table::new(&["holes", "puzzles", "mean", "q05", "q25", "median", "q75", "q95"]);
    for (holes, tally) in joint.iter() {
        let mean = tally.moments().map_or(0.0, |(mean, _)| significant(mean, 6));
        let mut row = vec![holes.to_string(), tally.total().to_string(), mean.to_string()];
        row.extend([0.05, 0.25, 0.5, 0.75, 0.95].map(|q| tally.quantile(q).unwrap_or(0).to_string()));
        data.rows.push(row);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_are_written_in_words() {
        assert_eq!(
            relation(Some(-0.044), "score"),
            "In these rows, the number of holes says almost nothing about score: rank correlation \u{2212}0.04"
        );
        assert!(relation(Some(0.7), "score").contains("says much about score"));
        assert!(relation(None, "score").contains("never varies"));
        assert_eq!([signed(-0.001), signed(0.125)], ["0.00", "0.12"]);
    }
}
