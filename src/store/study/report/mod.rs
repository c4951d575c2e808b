//! The report on a corpus: one page of numbers, plots and tables, made from a [`Summary`].
//!
//! ```text
//!   boards of one shape      facts, origins, givens, difficulty, techniques, search, holes, symmetry, copies
//!   several shapes           a table of the shapes, then these sections for each of them
//!   unknown values           left out, and a sentence says so
//! ```
//!
//! The page depends only on the rows, the title and the recipe: the same corpus gives the same bytes.

mod against;
mod bins;
mod boards;
mod difficulty;
mod files;
mod holes;
mod patterns;
mod quantities;

use std::collections::BTreeSet;
use std::io;

pub use files::{Form, data_beside, write_data, write_page};

use super::counts::{Counts, Origin, RATINGS};
use super::crossed::{CROSSED, Crossed};
use super::stats::Tally;
use super::summary::Summary;
use super::weights::{Quantity, Share, Weights};
use crate::corpus::PROGRAM_VERSION;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::page::numbers::{grouped, percent, significant, with_error};
use sudoku_corpus_core::page::{Axis, Block, Document, Figure, Layer, Plot, Table};
use sudoku_corpus_core::rate::Level;

/// The number of shapes that have a part of their own, those with the most rows first.
const SHAPES: usize = 8;

/// The page. `recipe` is shown without changes.
///
/// # Errors
/// The temporary file of the classes of puzzles cannot be written or read.
pub fn document(summary: &Summary, title: &str, recipe: Option<&str>) -> io::Result<Document> {
    let mut blocks = vec![Block::Text(introduction(summary))];
    let shapes: Vec<(Shape, &Counts)> = summary.shapes.iter().map(|(shape, counts)| (*shape, counts)).collect();
    match shapes[..] {
        [] => blocks.push(Block::Verdict("There are no rows.".to_owned())),
        [(shape, counts)] => blocks.extend(part(&Board { shape, counts, alone: true })?),
        _ => {
            blocks.push(Block::Table(overview(&shapes)));
            let mut largest = shapes.clone();
            largest.sort_by_key(|(shape, counts)| (std::cmp::Reverse(counts.rows), *shape));
            for &(shape, counts) in largest.iter().take(SHAPES) {
                blocks.push(Block::Heading(match shape.regions() {
                    None => format!("{0}x{0} boards ({shape} boxes)", shape.order()),
                    Some(_) => format!("{0}x{0} boards ({shape})", shape.order()),
                }));
                blocks.extend(part(&Board { shape, counts, alone: false })?);
            }
            if largest.len() > SHAPES {
                let more = format!("The table has {} more shapes, which are not shown below.", largest.len() - SHAPES);
                blocks.push(Block::Text(more));
            }
        }
    }
    blocks.extend(recipe.map(|recipe| Block::Listing("The recipe of this corpus".to_owned(), recipe.to_owned())));
    Ok(Document { title: title.to_owned(), blocks })
}

/// How many rows the report is about, and who wrote it.
fn introduction(summary: &Summary) -> String {
    let rows = count(summary.rows, "row");
    let version = format!("Written by sudoku-corpus {PROGRAM_VERSION}.");
    match summary.left_out {
        0 => format!("{rows}. {version}"),
        left_out => format!("{rows}. Skipped because it could not be read: {}. {version}", count(left_out, "row")),
    }
}

/// The boards of one shape, as a part of the page.
struct Board<'a> {
    shape: Shape,
    counts: &'a Counts,
    /// True if this is the only shape on the page.
    alone: bool,
}

impl Board<'_> {
    /// A plot of this board: where there are several shapes, its name tells them apart.
    fn plot(&self, id: &str, title: &str, x: Axis, y: Axis, layers: Vec<Layer>) -> Plot {
        let id = if self.alone { id.to_owned() } else { format!("{}-{id}", self.shape) };
        Plot { id, title: title.to_owned(), x, y, layers, marks: Vec::new() }
    }

    /// The weights, if they are good enough.
    fn weights(&self) -> Option<&Weights> {
        Some(&self.counts.weights).filter(|_| self.counts.weights_doubt().is_none())
    }

    /// Weighted shares of groups of values of a quantity. None if the weights are not good enough.
    fn weighted(&self, quantity: Quantity, groups: usize, group: impl Fn(u64) -> Option<usize>) -> Option<Vec<Share>> {
        self.weights()?.shares(quantity, groups, group)
    }

    /// The median of a quantity and of whom it is: of all minimal puzzles, with the ends of its 95 % interval, if the
    /// weights are good enough; of these rows otherwise. `shown` writes a value.
    fn median(
        &self,
        quantity: Quantity,
        tally: &Tally,
        shown: impl Fn(Option<u64>) -> String,
    ) -> (&'static str, String) {
        let values: Vec<u64> = tally.iter().map(|(value, _)| value).collect();
        let up_to = |value: u64| Some(self.weighted(quantity, 1, |other| (other <= value).then_some(0))?[0]);
        let shares: Option<Vec<Share>> = values.iter().map(|&value| up_to(value)).collect();
        let Some(shares) = shares.filter(|shares| !shares.is_empty()) else {
            return ("these puzzles", shown(tally.quantile(0.5)));
        };
        let at = |share: f64| shares.iter().position(|up_to| up_to.share >= share * (1.0 - 1e-12)).map(|at| values[at]);
        // The quantiles at the ends of the interval for the share up to the median (Woodruff 1952).
        let error =
            shares.iter().find(|up_to| up_to.share >= 0.5 * (1.0 - 1e-12)).map_or(0.5, |share| share.error.max(1e-3));
        let (low, high) = (shown(at(0.5 - 2.0 * error)), shown(at(0.5 + 2.0 * error).or(tally.max())));
        ("all minimal puzzles", format!("{} (95 %: {low} to {high})", shown(at(0.5))))
    }

    /// A section with the figures that there are. Nothing if there is none.
    fn section(&self, title: &str, figures: Vec<Option<Figure>>) -> Vec<Block> {
        let figures: Vec<Block> = figures.into_iter().flatten().map(|figure| Block::Figure(Box::new(figure))).collect();
        if figures.is_empty() { Vec::new() } else { [vec![self.heading(title)], figures].concat() }
    }

    /// The heading of a section.
    fn heading(&self, title: &str) -> Block {
        if self.alone { Block::Heading(title.to_owned()) } else { Block::Subheading(title.to_owned()) }
    }
}

/// All sections about the boards of one shape.
fn part(board: &Board<'_>) -> io::Result<Vec<Block>> {
    let mut blocks = vec![Block::Facts(facts(board))];
    blocks.extend(mixture(board));
    blocks.extend(weights(board));
    blocks.extend(origins(board));
    blocks.extend(apart(board));
    blocks.extend(board.section("Givens", vec![quantities::givens(board)]));
    let ratings = (0..RATINGS.len()).map(|at| quantities::rating(board, at));
    let ratings = [difficulty::levels(board), difficulty::scores(board)].into_iter().chain(ratings);
    blocks.extend(board.section("Difficulty", ratings.collect()));
    let techniques = vec![difficulty::uses(board), difficulty::hardest(board), quantities::kinds(board)];
    blocks.extend(board.section("Techniques", techniques));
    blocks.extend(boards::gallery(board));
    blocks.extend(against::section(board));
    blocks.extend(against::effort(board));
    blocks.extend(board.section("Search", vec![quantities::depth(board), quantities::guesses(board)]));
    blocks.extend(board.section("Holes and difficulty", vec![holes::depth(board), holes::score(board)]));
    let patterns = vec![patterns::symmetries(board), patterns::automorphisms(board), patterns::copies(board)?];
    blocks.extend(board.section("Symmetry and copies", patterns));
    blocks.extend(patterns::none_symmetric(board));
    blocks.extend(unknown(board));
    Ok(blocks)
}

/// A warning if rows were made by several methods or plans.
fn mixture(board: &Board<'_>) -> Option<Block> {
    let origins = &board.counts.origins;
    let different = |what: &str, value: fn(&Origin) -> Option<&str>| {
        let values: BTreeSet<&str> = origins.iter().map(|(origin, _)| value(origin).unwrap_or("not known")).collect();
        let shown = values.iter().take(6).map(|value| format!("`{}`", value.chars().take(40).collect::<String>()));
        (values.len() > 1).then(|| format!("{} {what} ({})", values.len(), shown.collect::<Vec<_>>().join(", ")))
    };
    let named =
        [different("methods", |origin| origin.method.as_deref()), different("plans", |origin| origin.plan.as_deref())];
    let named: Vec<String> = named.into_iter().flatten().collect();
    (!named.is_empty()).then(|| {
        Block::Verdict(format!(
            "These rows mix {}. The figures below are about all of them together. They describe this collection, and not \
             any one method or plan. A table below shows them separately. For more about each of them, make a report of \
             each corpus, or use `stats --by method,plan`.",
            named.join(" and ")
        ))
    })
}

/// A sentence about the weights of the rows.
fn weights(board: &Board<'_>) -> Option<Block> {
    let counts = board.counts;
    let weights = &counts.weights;
    let rows = Some(weights.rows()).filter(|&rows| rows > 0)?;
    let text = match counts.weights_doubt() {
        Some(doubt) => format!(
            "{} a weight for means over all minimal puzzles, but weighted figures are not shown: {doubt}. The figures \
             describe only these rows, and digging prefers puzzles with few givens.",
            if rows == 1 { "1 row has".to_owned() } else { format!("{} rows have", grouped(rows.into())) }
        ),
        None => {
            let mean = weights.mean(Quantity::Givens).map_or(String::new(), |(mean, error)| {
                format!(" All minimal puzzles of these grids have {} givens on average.", with_error(mean, error))
            });
            format!(
                "Columns and bars show these rows without weights. Open circles show an estimate for all minimal puzzles: the \
                 rows weighted by `log_weight`, with bars of two standard errors. The weighted rows are worth as much as {} \
                 rows of equal weight.{mean}",
                grouped(weights.effective_rows().round() as u128)
            )
        }
    };
    Some(Block::Text(text))
}

/// The numbers at the head: a number, and what it counts.
fn facts(board: &Board<'_>) -> Vec<(String, String)> {
    let counts = board.counts;
    let mut facts = vec![(grouped(counts.rows.into()), format!("rows: {}x{0} boards", board.shape.order()))];
    let mut fact = |number: String, what: &str| facts.push((number, what.to_owned()));
    if let Some((mean, _)) = counts.givens.moments() {
        fact(format!("{mean:.2}"), "givens on average in these rows");
    }
    let solved: u64 = counts.solutions.iter().sum();
    if solved > 0 {
        fact(percent(counts.solutions[1], solved), "of these rows have exactly one solution");
    }
    let known: u64 = counts.minimal.iter().sum();
    if known > 0 {
        fact(percent(counts.minimal[1], known), "of these rows are minimal");
    }
    if counts.guesses.total() > 0 {
        fact(percent(counts.guesses.count(0), counts.guesses.total()), "of these rows need no guess");
    }
    if counts.rated() > 0 {
        fact(percent(counts.levels[Level::Easy as usize], counts.rated()), "of these rows are easy: singles only");
        fact(
            percent(counts.levels[Level::Beyond as usize], counts.rated()),
            "of these rows are not solved by the ladder of techniques",
        );
    }
    facts
}

/// Where the rows come from, and whether they are unique and minimal.
fn origins(board: &Board<'_>) -> Vec<Block> {
    let counts = board.counts;
    let mut table = Table::new(&["method", "plan", "symmetry asked for", "rows", "share"]);
    let mut origins: Vec<&(Origin, u64)> = counts.origins.iter().collect();
    origins.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    for (origin, rows) in origins {
        let [method, plan, symmetry] = origin.texts(80);
        table.rows.push(vec![method, plan, symmetry, grouped((*rows).into()), percent(*rows, counts.rows)]);
    }
    if counts.other_origins > 0 {
        let (rows, share) = (grouped(counts.other_origins.into()), percent(counts.other_origins, counts.rows));
        table.rows.push(vec!["others".to_owned(), String::new(), String::new(), rows, share]);
    }
    let ([none, one, several], [more, minimal]) = (counts.solutions, counts.minimal);
    let state = [
        ("no solution", none),
        ("one solution", one),
        ("several solutions", several),
        ("solutions not known", counts.rows - none - one - several),
        ("not minimal", more),
        ("minimal", minimal),
        ("minimality not known", counts.rows - more - minimal),
    ];
    let state = counted(["", "puzzles", "share"], state.into_iter(), counts.rows);
    vec![board.heading("Where the rows come from"), Block::Table(table), state]
}

/// A table of counts, without zeros.
pub(super) fn counted<T: ToString>(head: [&str; 3], counts: impl Iterator<Item = (T, u64)>, of: u64) -> Block {
    let mut table = Table::new(&head);
    let there = counts.filter(|(_, number)| *number > 0);
    table.rows.extend(there.map(|(name, number)| vec![name.to_string(), grouped(number.into()), percent(number, of)]));
    Block::Table(table)
}

/// Means for the rows of each method, plan and symmetry, if there are several.
fn apart(board: &Board<'_>) -> Option<Block> {
    let counts = board.counts;
    let known: Vec<usize> =
        (0..CROSSED.len()).filter(|&at| counts.apart.iter().any(|one| one[at].total() > 0)).collect();
    let mut table = Table::new(&["method, plan, symmetry", "rows"]);
    table.head.extend(known.iter().map(|&at| format!("{}, mean", CROSSED[at].name())));
    for ((origin, rows), one) in counts.origins.iter().zip(&counts.apart) {
        let mut row = vec![origin.texts(40).join(", "), grouped((*rows).into())];
        row.extend(known.iter().map(|&at| {
            let scale = if CROSSED[at] == Crossed::Er { 10.0 } else { 1.0 };
            one[at].moments().map_or("-".to_owned(), |(mean, deviation)| {
                let error = deviation / (one[at].total() as f64).sqrt();
                with_error(mean / scale, error / scale)
            })
        }));
        table.rows.push(row);
    }
    (table.rows.len() > 1).then_some(Block::Table(table))
}

/// A sentence about what is missing in the rows.
fn unknown(board: &Board<'_>) -> Option<Block> {
    let counts = board.counts;
    // No puzzle, and no number of givens, is known.
    if counts.givens.total() == 0 {
        return Some(Block::Text("The rows have full grids and no puzzles. `dig` makes puzzles from them.".to_owned()));
    }
    let mut missing = Vec::new();
    for (name, known) in [
        ("ratings", counts.rated()),
        ("search depth", counts.guesses.total()),
        ("the number of solutions", counts.solutions.iter().sum()),
        ("classes of essentially equal puzzles", counts.automorphisms.total()),
    ] {
        match counts.rows - known.min(counts.rows) {
            0 => {}
            all if all == counts.rows => missing.push(format!("{name}: not known")),
            some => missing.push(format!("{name}: not known for {}", count(some, "row"))),
        }
    }
    let advice =
        if board.shape == Shape::NINE || counts.rated() == 0 { " `analyze` can add most of these." } else { "" };
    (!missing.is_empty()).then(|| Block::Text(format!("Missing in these rows: {}.{advice}", missing.join("; "))))
}

/// The shapes of a corpus that has several.
fn overview(shapes: &[(Shape, &Counts)]) -> Table {
    let mut table =
        Table::new(&["boards", "rows", "mean givens", "one solution", "minimal", "rated", "no guess needed"]);
    for (shape, counts) in shapes {
        let share = |part: u64, whole: u64| if whole == 0 { "-".to_owned() } else { percent(part, whole) };
        let givens = counts.givens.moments().map_or("-".to_owned(), |(mean, _)| format!("{mean:.2}"));
        table.rows.push(vec![
            shape.to_string(),
            grouped(counts.rows.into()),
            givens,
            share(counts.solutions[1], counts.solutions.iter().sum()),
            share(counts.minimal[1], counts.minimal.iter().sum()),
            share(counts.rated(), counts.rows),
            share(counts.guesses.count(0), counts.guesses.total()),
        ]);
    }
    table
}

/// "1 row", "12,345 rows".
fn count(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number.into()), if number == 1 { "" } else { "s" })
}

/// A share as data: six digits.
fn share(part: u64, whole: u64) -> String {
    significant(part as f64 / whole.max(1) as f64, 6).to_string()
}

/// A part in per cent of the whole.
fn percentage(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// The numbers of a plot: how many puzzles have each value.
fn shares<T: ToString>(column: &str, values: impl IntoIterator<Item = (T, u64)>, whole: u64) -> Table {
    let mut data = Table::new(&[column, "puzzles", "share"]);
    let row = |(value, number): (T, u64)| vec![value.to_string(), number.to_string(), share(number, whole)];
    data.rows.extend(values.into_iter().map(row));
    data
}

/// The name of weighted shares in a legend.
const WEIGHTED: &str = "all minimal puzzles (weighted), \u{b1} 2 standard errors";

/// The error of a weighted share. None if it rests on fewer than about four rows: then it says nothing.
fn error_of(share: &Share) -> Option<f64> {
    (share.error > 0.0 && share.error < 0.5 * share.share).then_some(share.error)
}

/// Adds weighted shares to the numbers of a plot, if there are any.
fn add_weighted<'a>(data: &mut Table, shares: impl Iterator<Item = &'a Share>) {
    for (at, (row, of)) in data.rows.iter_mut().zip(shares).enumerate() {
        if at == 0 {
            data.head.extend(["weighted_share", "standard_error"].map(str::to_owned));
        }
        let error = error_of(of).map_or(String::new(), |error| significant(error, 6).to_string());
        row.extend([significant(of.share, 6).to_string(), error]);
    }
}

/// The largest of a percentage and the upper ends of weighted shares.
fn tallest<'a>(shares: impl Iterator<Item = &'a Share>, percentage: f64) -> f64 {
    shares.map(|share| 100.0 * (share.share + 2.0 * error_of(share).unwrap_or(0.0))).fold(percentage, f64::max)
}

/// The tooltip of a share.
fn tooltip(what: &str, number: u64, whole: u64) -> String {
    format!("{what}: {}, {}", count(number, "puzzle"), percent(number, whole))
}

#[cfg(test)]
mod tests;
