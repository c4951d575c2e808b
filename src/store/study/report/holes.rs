//! Do more holes make a puzzle harder? Search depth and score for each number of holes.

use super::Board;
use super::bins::{self, FEW, bins, counted, ends, quantiles, strength};
use crate::study::stats::Joint;
use sudoku_corpus_core::page::kinds::{self, Cell};
use sudoku_corpus_core::page::numbers::{grouped, percent, significant};
use sudoku_corpus_core::page::{Axis, Colour, Figure, Table};

/// The colour of the plots.
const COLOUR: Colour = Colour::Series(3);
/// The most columns of holes, so that their numbers fit in. Also the most rows of depths.
const PLACES: u64 = 14;

/// How much the number of holes says about another quantity, in words; `rank` is their rank correlation.
fn relation(rank: Option<f64>, what: &str) -> String {
    match rank {
        None => format!("In these rows, either the number of holes or the {what} never varies"),
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

/// A number with three decimals, and a true minus sign.
pub(super) fn thousandths(value: f64) -> String {
    format!("{value:.3}").replace('-', "\u{2212}")
}

/// Holes against search depth: for each number of holes, the shares of the depths.
pub(super) fn depth(board: &Board<'_>) -> Option<Figure> {
    let joint = &board.counts.holes_depth;
    if joint.is_empty() {
        return None;
    }
    let rows = bins(&joint.second(), PLACES);
    let columns = bins::columns(joint, bins(&joint.first(), PLACES));
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
            let strength = part.sqrt() * strength(tally);
            cells.push(Cell { x, y: rows.len() - 1 - y, strength, text, tooltip });
        }
    }
    let x = Axis::names("holes", columns.iter().map(|(bin, _)| bin.name()).collect());
    let depths = rows.iter().rev().map(|bin| bin.name()).collect();
    let y = Axis::names("search depth, % of the puzzles in the column", depths);
    let layers = kinds::heat(COLOUR, &cells).into();
    let plot = board.plot("holes-depth", "Search depth for each number of holes", x, y, layers);
    let guesses = board.counts.holes_guesses.rank_correlation();
    let guesses = guesses.map_or(String::new(), |rank| format!(" For holes and guesses it is {}.", thousandths(rank)));
    let caption = format!(
        "Each column shows the search depths of the puzzles with one number of holes and adds up to 100 %. If more holes made \
         puzzles harder, the dark cells would rise to the right.{}{guesses} Columns of fewer than {FEW} puzzles are pale.",
        correlations(joint)
    );
    let mut data = Table::new(&["holes", "search_depth", "puzzles"]);
    for (holes, tally) in joint.iter() {
        data.rows
            .extend(tally.iter().map(|(depth, count)| [holes, depth, count].map(|number| number.to_string()).into()));
    }
    let headline = relation(joint.rank_correlation(), "search depth");
    Some(Figure { headline, plot, caption, data, listed: false })
}

/// Holes against score: for each number of holes, the quartiles of the scores.
pub(super) fn score(board: &Board<'_>) -> Option<Figure> {
    let joint = &board.counts.holes_score;
    if joint.is_empty() {
        return None;
    }
    let mut columns = bins::columns(joint, bins(&joint.first(), PLACES));
    columns.retain(|(_, tally)| tally.total() > 0);
    let boxes = bins::boxes(
        &columns,
        |score| score.max(1) as f64,
        |bin, tally| {
            let scores = quantiles(tally).map(|score| score.to_string()).join(" / ");
            format!("{} holes, {} puzzles: scores {scores}", bin.name(), grouped(tally.total().into()))
        },
    );
    let (low, high) = ends(&boxes, 1.0);
    let x = Axis::names("holes", columns.iter().map(|(bin, _)| bin.name()).collect());
    let y = Axis::log("score, points (logarithmic)", low, high);
    let layers = kinds::boxes(COLOUR, &boxes).into();
    let plot = board.plot("holes-score", "Scores for each number of holes", x, y, layers);
    let caption = format!(
        "Boxes reach from the first to the third quartile, with a line at the median; whiskers reach from 5 % to 95 %. Only \
         puzzles that the ladder solves are counted. Boxes of fewer than {FEW} puzzles are pale.{}",
        correlations(joint)
    );
    let mut data = Table::new(&["holes", "puzzles", "mean", "q05", "q25", "median", "q75", "q95"]);
    for (holes, tally) in joint.iter() {
        let mean = tally.moments().map_or(0.0, |(mean, _)| significant(mean, 6));
        let mut row = vec![holes.to_string(), tally.total().to_string(), mean.to_string()];
        row.extend(quantiles(tally).map(|score| score.to_string()));
        data.rows.push(row);
    }
    let headline = relation(joint.rank_correlation(), "score");
    Some(Figure { headline, plot, caption, data, listed: true })
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
