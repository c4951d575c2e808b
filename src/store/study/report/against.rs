//! Do the scales agree? A matrix of correlations and plots for every pair of givens, ER, W, score and guesses.

use super::Board;
use super::bins::{self, Bin, FEW, bins, ends, quantiles, rounds};
use super::holes::thousandths;
use crate::study::crossed::{CROSSED, Crossed};
use crate::study::efforts::BESIDE;
use sudoku_corpus_core::page::numbers::{grouped, tenths};
use sudoku_corpus_core::page::{Axis, Block, Colour, Figure, Table, kinds};

/// The colour of the plots.
const COLOUR: Colour = Colour::Series(5);
/// Columns that fit side by side with their names.
const COLUMNS: u64 = 12;

/// The section, if at least two of the numbers are known and vary.
pub(super) fn section(board: &Board<'_>) -> Vec<Block> {
    let varies = |at: usize| {
        let others = (0..CROSSED.len()).filter(|&other| other != at);
        others.into_iter().any(|other| board.counts.pair(at.min(other), at.max(other)).correlation().is_some())
    };
    let known: Vec<usize> = (0..CROSSED.len()).filter(|&at| varies(at)).collect();
    if known.len() < 2 {
        return Vec::new();
    }
    let mut blocks = vec![board.heading("How the scales agree"), matrix(board, &known)];
    let population = if board.counts.weights.rows() == 0 {
        ""
    } else {
        " They describe only these rows; `stats --correlations` estimates them for all minimal puzzles, with errors."
    };
    blocks.push(Block::Text(format!(
        "Spearman's rank correlations are above the diagonal, Pearson's below it. Each is computed from the puzzles that have \
         both numbers.{population} A correlation depends on the population: digging prefers few givens, which weakens the \
         correlations of the number of givens."
    )));
    let first = usize::from(known.first() == Some(&0));
    let pairs =
        known[first..].iter().enumerate().flat_map(|(at, &b)| known[first..][..at].iter().map(move |&a| (a, b)));
    blocks.extend(pairs.filter_map(|(a, b)| Some(Block::Figure(Box::new(figure(board, a, b)?)))));
    blocks
}

/// The section about the numbers of effort and their correlations with the scales. Empty if no row has such numbers.
pub(super) fn effort(board: &Board<'_>) -> Vec<Block> {
    let mut table = Table::new(&["number", "puzzles", "quartiles", "least", "largest"]);
    table.head.extend(BESIDE.map(|scale| format!("with {}", scale.name())));
    for (name, measured) in board.counts.effort.iter() {
        let values = &measured.values;
        let shown = |value: Option<u64>| value.map_or("-".to_owned(), |value| grouped(value.into()));
        let quartiles = [0.25, 0.5, 0.75].map(|q| shown(values.quantile(q))).join(" / ");
        let (least, most) = (shown(values.min()), shown(values.max()));
        let mut row = vec![name.to_owned(), grouped(values.total().into()), quartiles, least, most];
        row.extend(measured.beside.iter().map(|joint| cell(joint.rank_correlation())));
        table.rows.push(row);
    }
    if table.rows.is_empty() {
        return Vec::new();
    }
    let text = "Numbers that a peak rating does not tell, with Spearman's rank correlation with each scale, over the puzzles that \
                have both. A correlation near 1 or -1 adds little to the scale, one near 0 tells something else. They are not \
                calibrated: there is no open set of the times that people need. `guide rating` defines them.";
    vec![board.heading("What the puzzles ask of a person"), Block::Table(table), Block::Text(text.to_owned())]
}

/// A correlation, if both numbers vary.
fn cell(correlation: Option<f64>) -> String {
    correlation.map_or("-".to_owned(), thousandths)
}

/// The correlations of the numbers that are known: rank correlations above the diagonal, Pearson's below.
fn matrix(board: &Board<'_>, known: &[usize]) -> Block {
    let mut table = Table::new(&[""]);
    table.head.extend(known.iter().map(|&at| CROSSED[at].name().to_owned()));
    for &row in known {
        let of = |&column: &usize| match row.cmp(&column) {
            std::cmp::Ordering::Equal => "1".to_owned(),
            std::cmp::Ordering::Less => cell(board.counts.pair(row, column).rank_correlation()),
            std::cmp::Ordering::Greater => cell(board.counts.pair(column, row).correlation()),
        };
        table.rows.push(std::iter::once(CROSSED[row].name().to_owned()).chain(known.iter().map(of)).collect());
    }
    Block::Table(table)
}

/// A value as it is printed.
fn shown(number: Crossed, value: u64) -> String {
    if number == Crossed::Er { tenths(value) } else { grouped(value.into()) }
}

/// The name of a bin of a number.
fn named(number: Crossed, bin: Bin) -> String {
    match bin {
        Bin { first, last } if first == last => shown(number, first),
        Bin { first, last } => format!("{}\u{2013}{}", shown(number, first), shown(number, last)),
    }
}

/// The place of a value on the axis; guesses are shifted by one, because 0 has no logarithm.
fn place(number: Crossed, value: u64) -> f64 {
    match number {
        Crossed::Er => value as f64 / 10.0,
        Crossed::Guesses => value as f64 + 1.0,
        Crossed::Score => value.max(1) as f64,
        Crossed::Givens | Crossed::W => value as f64,
    }
}

/// Quartiles of the second number for each value, or bin of values, of the first.
fn figure(board: &Board<'_>, a: usize, b: usize) -> Option<Figure> {
    let (x, y, joint) = (CROSSED[a], CROSSED[b], board.counts.pair(a, b));
    let (rank, linear) = (joint.rank_correlation()?, joint.correlation()?);
    let bins = match x {
        // Most scores and numbers of guesses are small, so bins of one width would leave nearly all puzzles in one.
        Crossed::Score | Crossed::Guesses => rounds(&joint.first()),
        _ => bins(&joint.first(), COLUMNS),
    };
    let mut columns = bins::columns(joint, bins);
    columns.retain(|(_, tally)| tally.total() > 0);
    let mut data = Table::new(&[x.name(), "puzzles", "q05", "q25", "median", "q75", "q95"]);
    for (bin, tally) in &columns {
        let mut row = vec![named(x, *bin), tally.total().to_string()];
        row.extend(quantiles(tally).map(|value| shown(y, value).replace(',', "")));
        data.rows.push(row);
    }
    let boxes = bins::boxes(
        &columns,
        |value| place(y, value),
        |bin, tally| {
            let texts = quantiles(tally).map(|value| shown(y, value)).join(" / ");
            format!("{} {}, {} puzzles: {texts}", x.name(), named(x, bin), grouped(tally.total().into()))
        },
    );
    let (low, high) = ends(&boxes, 0.0);
    let axis = match y {
        Crossed::Er | Crossed::Givens => Axis::linear(y.name(), low.floor(), high),
        Crossed::W => Axis::integers(y.name(), low, high),
        Crossed::Score => Axis::log("score, points (logarithmic)", low, high),
        Crossed::Guesses => Axis::log("guesses + 1 (logarithmic)", low, high),
    };
    let names = Axis::names(x.name(), columns.iter().map(|(bin, _)| named(x, *bin)).collect());
    let id = format!("{}-{}", x.name(), y.name()).to_lowercase();
    let title = format!("{} for each {}", y.name(), x.name());
    let plot = board.plot(&id, &title, names, axis, kinds::boxes(COLOUR, &boxes).into());
    let strength = match rank.abs() {
        ..0.3 => "agree little",
        0.3..0.7 => "agree in part",
        _ => "agree",
    };
    let headline =
        format!("In these rows, {} and {} {strength}: rank correlation {}", x.name(), y.name(), thousandths(rank));
    let caption = format!(
        "For each value of {}, the box reaches from the first to the third quartile of {}, with a line at the median; whiskers \
         reach from 5 % to 95 %. {} puzzles have both numbers; boxes of fewer than {FEW} are pale. Spearman's rank correlation \
         is {}, Pearson's {}.",
        x.name(),
        y.name(),
        grouped(joint.first().total().into()),
        thousandths(rank),
        thousandths(linear)
    );
    Some(Figure { headline, plot, caption, data, listed: false })
}
