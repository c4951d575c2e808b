//! The report on a corpus: one page of numbers, plots and tables, made from a [`Summary`].
//!
//! ```text
//!   boards of one shape      facts, origins, givens, difficulty, techniques, search, holes, symmetry, copies
//!   several shapes           a table of the shapes, then these sections for each of them
//!   unknown values           left out, and a sentence says so
//! ```
//!
//! The page depends only on the rows, the title and the recipe: the same corpus gives the same bytes.

mod answer;
mod bins;
mod boards;
mod files;
mod lines;
mod plots;
mod questions;

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::io;

pub use files::{Form, data_beside, write_data, write_page};

use self::answer::decimal;
use self::lines::has_symmetries;
use self::questions::figures;
use super::answers::{Answers, OriginRows};
use super::estimates::Weighted;
use super::numbers::Number;
use super::population::TargetPopulation;
use super::summary::Summary;
use super::tally::Tally;
use crate::corpus::PROGRAM_VERSION;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::ladder::Level;
use sudoku_corpus_core::page::numbers::{self, grouped, percent, with_error};
use sudoku_corpus_core::page::{Block, Document, Table};

/// The number of shapes that have a part of their own, those with the most rows first.
const SHAPES: usize = 8;

/// The page. `recipe` is shown without changes.
///
/// # Errors
/// The temporary file of the classes of puzzles cannot be written or read.
pub fn document(summary: &Summary, title: &str, recipe: Option<&str>) -> io::Result<Document> {
    let mut blocks = vec![Block::Text(introduction(summary))];
    let shapes: Vec<(Shape, &Answers)> = summary.shapes.iter().map(|(shape, answers)| (*shape, answers)).collect();
    match shapes[..] {
        [] => blocks.push(Block::Verdict("There are no rows.".to_owned())),
        [(shape, answers)] => blocks.extend(part(&Board::of(shape, answers, true, summary.population)?)),
        _ => {
            blocks.push(Block::Table(overview(&shapes)));
            let mut largest = shapes.clone();
            largest.sort_by_key(|(shape, answers)| (Reverse(answers.rows), *shape));
            for &(shape, answers) in largest.iter().take(SHAPES) {
                blocks.push(Block::Heading(match shape.regions() {
                    None => format!("{0}x{0} boards ({shape} boxes)", shape.order()),
                    Some(_) => format!("{0}x{0} boards ({shape})", shape.order()),
                }));
                blocks.extend(part(&Board::of(shape, answers, false, summary.population)?));
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
    answers: &'a Answers,
    /// How many classes occur once, twice, and so on.
    copies: Tally,
    /// True if this is the only shape on the page.
    alone: bool,
    population: TargetPopulation,
}

impl<'a> Board<'a> {
    fn of(shape: Shape, answers: &'a Answers, alone: bool, population: TargetPopulation) -> io::Result<Board<'a>> {
        Ok(Board { shape, answers, copies: answers.classes.times()?, alone, population })
    }

    /// The weighted figures, if the weights are good enough.
    fn weights(&self) -> Option<&Weighted> {
        Some(&self.answers.weighted).filter(|weighted| weighted.rows() > 0 && self.answers.weights_doubt().is_none())
    }

    fn heading(&self, title: &str) -> Block {
        if self.alone { Block::Heading(title.to_owned()) } else { Block::Subheading(title.to_owned()) }
    }
}

const AGREEMENT: &str = "How the scales agree";
const GALLERY: &str = "Puzzles to look at";

fn part(board: &Board<'_>) -> Vec<Block> {
    let mut blocks = vec![Block::Facts(facts(board))];
    blocks.extend(mixture(board));
    blocks.extend(weights(board));
    blocks.extend(origins(board));
    blocks.extend(apart(board));
    let sections = [
        "Givens", "Difficulty", "Techniques", GALLERY, AGREEMENT, "Search", "Empty cells and difficulty",
        "Symmetry and copies",
    ];
    for section in sections {
        let figures = figures(board, section).into_iter().map(|figure| Block::Figure(Box::new(figure)));
        let figures: Vec<Block> = figures.collect();
        match section {
            GALLERY => blocks.extend(boards::gallery(board)),
            AGREEMENT => {
                blocks.extend(agreement(board));
                blocks.extend(figures);
                blocks.extend(effort(board));
            }
            _ if figures.is_empty() => {}
            _ => {
                blocks.push(board.heading(section));
                blocks.extend(figures);
            }
        }
    }
    let patterns = board.answers.tally(Number::SYMMETRIES);
    if patterns.total() > 0 && !has_symmetries(patterns) {
        let none = "No pattern of givens has any of the seven symmetries of the square.";
        blocks.push(Block::Text(none.to_owned()));
    }
    blocks.extend(unknown(board));
    blocks
}

/// The correlations of the numbers that are known, if at least two vary: rank correlations above the diagonal,
/// Pearson's below.
fn agreement(board: &Board<'_>) -> Vec<Block> {
    let numbers = Number::CROSSED;
    let pair = |a: usize, b: usize| board.answers.pair(numbers[a.min(b)], numbers[a.max(b)]);
    let mut varying: Vec<usize> = (0..numbers.len()).collect();
    varying.retain(|&a| (0..numbers.len()).any(|b| b != a && pair(a, b).correlation().is_some()));
    if varying.len() < 2 {
        return Vec::new();
    }
    let mut table = Table::new(&[""]);
    table.head.extend(varying.iter().map(|&number| numbers[number].name().to_owned()));
    for &row in &varying {
        let mut cells = vec![numbers[row].name().to_owned()];
        cells.extend(varying.iter().map(|&column| match row.cmp(&column) {
            Ordering::Equal => "1".to_owned(),
            Ordering::Less => correlation(pair(row, column).rank_correlation()),
            Ordering::Greater => correlation(pair(row, column).correlation()),
        }));
        table.rows.push(cells);
    }
    let population = if board.answers.weighted.rows() == 0 { "" } else { " They describe only these rows." };
    let text = format!(
        "Spearman's rank correlations are above the diagonal, Pearson's below it. Each is computed from the puzzles that have \
         both numbers.{population} A correlation depends on the population: digging prefers few givens, which weakens the \
         correlations of the number of givens."
    );
    vec![board.heading(AGREEMENT), Block::Table(table), Block::Text(text)]
}

fn correlation(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| decimal(value, 3))
}

/// The section about the numbers of effort and their correlations with the scales. Empty if no row has such numbers.
fn effort(board: &Board<'_>) -> Vec<Block> {
    let mut table = Table::new(&["number", "puzzles", "quartiles", "least", "largest"]);
    table.head.extend(Number::BESIDE_EFFORT.map(|scale| format!("with {}", scale.name())));
    for number in Number::efforts().filter(|&number| board.answers.tally(number).total() > 0) {
        let values = board.answers.tally(number);
        let shown = |value: Option<u64>| value.map_or("-".to_owned(), |value| grouped(value.into()));
        let quartiles = [0.25, 0.5, 0.75].map(|q| shown(values.quantile(q))).join(" / ");
        let (least, most) = (shown(values.min()), shown(values.max()));
        let mut row = vec![number.name().to_owned(), grouped(values.total().into()), quartiles, least, most];
        row.extend(
            Number::BESIDE_EFFORT.map(|scale| correlation(board.answers.pair(number, scale).rank_correlation())),
        );
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

/// A warning if rows were made by several methods or plans.
fn mixture(board: &Board<'_>) -> Option<Block> {
    let origins = &board.answers.origins;
    let methods = origins.iter().map(|rows| rows.origin.method.as_deref().unwrap_or("not known")).collect();
    let plans = origins.iter().map(|rows| rows.origin.plan.as_deref().unwrap_or("not known")).collect();
    let mut named: Vec<String> = Vec::new();
    for (what, values) in [("methods", methods), ("plans", plans)] {
        let values: BTreeSet<&str> = values;
        let shown = values.iter().take(6).map(|value| format!("`{}`", value.chars().take(40).collect::<String>()));
        if values.len() > 1 {
            named.push(format!("{} {what} ({})", values.len(), shown.collect::<Vec<_>>().join(", ")));
        }
    }
    (!named.is_empty()).then(|| {
        Block::Verdict(format!(
            "These rows mix {}. The figures below are about all of them together. They describe this collection, and not \
             any one method or plan. A table below shows them separately. For more about each of them, make a report of \
             each corpus, or use `stats --by method,plan`.",
            named.join(" and ")
        ))
    })
}

fn weights(board: &Board<'_>) -> Option<Block> {
    let answers = board.answers;
    let weights = &answers.weighted;
    let population = board.population.words();
    let rows = Some(weights.rows()).filter(|&rows| rows > 0)?;
    let text = match answers.weights_doubt() {
        Some(doubt) => format!(
            "{} a weight for means over all {population}, but weighted figures are not shown: {doubt}. The figures \
             describe only these rows, and digging prefers puzzles with few givens.",
            if rows == 1 { "1 row has".to_owned() } else { count(rows, "row") + " have" }
        ),
        None => {
            let mean = Number::GIVENS.weighted().and_then(|givens| weights.mean(givens));
            let mean = mean.map_or(String::new(), |mean| {
                let shown = with_error(mean.value, mean.error);
                format!(" All {population} have {shown} givens on average.")
            });
            format!(
                "Columns and bars show these rows without weights. Open circles show an estimate for all {population}: the \
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
    let answers = board.answers;
    let mut facts = vec![(grouped(answers.rows.into()), format!("rows: {}x{0} boards", board.shape.order()))];
    if let Some((mean, _)) = answers.tally(Number::GIVENS).moments() {
        facts.push((format!("{mean:.2}"), "givens on average in these rows".to_owned()));
    }
    for (number, value, what) in [
        (Number::SOLUTIONS, 1, "have exactly one solution"),
        (Number::MINIMAL, 1, "are minimal"),
        (Number::GUESSES, 0, "need no guess"),
        (Number::HODOKU_LEVEL, Level::Easy as u64, "need singles only"),
        (Number::HODOKU_LEVEL, Level::Beyond as u64, "are not solved by the ladder of techniques"),
    ] {
        let tally = answers.tally(number);
        if tally.total() == 0 {
            continue;
        }
        let whose = match tally.total() < answers.rows {
            true => format!("of the {} of these rows of which it is known", grouped(tally.total().into())),
            false => "of these rows".to_owned(),
        };
        facts.push((tally.percent(value), format!("{whose} {what}")));
    }
    facts
}

/// Where the rows come from, and whether they are unique and minimal.
fn origins(board: &Board<'_>) -> Vec<Block> {
    let answers = board.answers;
    let mut table = Table::new(&["method", "plan", "symmetry asked for", "rows", "share"]);
    let shown = |rows: u64| [grouped(rows.into()), percent(rows, answers.rows)];
    let mut origins: Vec<&OriginRows> = answers.origins.iter().collect();
    origins.sort_by_key(|origin| Reverse(origin.rows));
    for OriginRows { origin, rows, .. } in origins {
        table.rows.push([&origin.texts(80)[..], &shown(*rows)].concat());
    }
    if answers.other_origins.rows > 0 {
        table.rows.push([&["others", "", ""].map(str::to_owned)[..], &shown(answers.other_origins.rows)].concat());
    }
    let ([none, one, several], [more, minimal]) = (answers.solutions(), answers.minimal());
    let state = [
        ("no solution", none),
        ("one solution", one),
        ("several solutions", several),
        ("solutions not known", answers.rows - none - one - several),
        ("not minimal", more),
        ("minimal", minimal),
        ("minimality not known", answers.rows - more - minimal),
    ];
    let state = counted(["", "puzzles", "share"], state.into_iter(), answers.rows);
    vec![board.heading("Where the rows come from"), Block::Table(table), state]
}

/// A table of counts, without zeros.
pub(super) fn counted<T: ToString>(head: [&str; 3], counts: impl Iterator<Item = (T, u64)>, of: u64) -> Block {
    let mut table = Table::new(&head);
    for (name, number) in counts.filter(|(_, number)| *number > 0) {
        table.rows.push(vec![name.to_string(), grouped(number.into()), percent(number, of)]);
    }
    Block::Table(table)
}

/// Means for the rows of each method, plan and symmetry, if there are several.
fn apart(board: &Board<'_>) -> Option<Block> {
    let answers = board.answers;
    let mut numbers: Vec<usize> = (0..Number::CROSSED.len()).collect();
    numbers.retain(|&number| answers.tally(Number::CROSSED[number]).total() > 0);
    let mut table = Table::new(&["method, plan, symmetry", "rows"]);
    table.head.extend(numbers.iter().map(|&number| format!("{}, mean", Number::CROSSED[number].name())));
    for OriginRows { origin, rows, crossed } in &answers.origins {
        let mut row = vec![origin.texts(40).join(", "), grouped((*rows).into())];
        for &number in &numbers {
            let scale = if Number::CROSSED[number].is_in_tenths() { 10.0 } else { 1.0 };
            let tally = &crossed[number];
            row.push(tally.moments().map_or("-".to_owned(), |(mean, deviation)| {
                with_error(mean / scale, deviation / (tally.total() as f64).sqrt() / scale)
            }));
        }
        table.rows.push(row);
    }
    (table.rows.len() > 1).then_some(Block::Table(table))
}

/// A sentence about what is missing in the rows.
fn unknown(board: &Board<'_>) -> Option<Block> {
    let answers = board.answers;
    // No puzzle, and no number of givens, is known.
    if answers.tally(Number::GIVENS).total() == 0 {
        return Some(Block::Text("The rows have full grids and no puzzles. `dig` makes puzzles from them.".to_owned()));
    }
    let mut missing = Vec::new();
    for (name, rows_with_value) in [
        ("ratings", answers.rated()),
        ("search depth", answers.tally(Number::GUESSES).total()),
        ("the number of solutions", answers.tally(Number::SOLUTIONS).total()),
        ("classes of isomorphic puzzles", answers.tally(Number::AUTOMORPHISMS).total()),
    ] {
        if rows_with_value == 0 {
            missing.push(format!("{name}: not known"));
        } else if rows_with_value < answers.rows {
            let rows = count(answers.rows - rows_with_value, "row");
            missing.push(format!("{name}: not known for {rows}"));
        }
    }
    let advice =
        if board.shape == Shape::NINE || answers.rated() == 0 { " `analyze` can add most of these." } else { "" };
    (!missing.is_empty()).then(|| Block::Text(format!("Missing in these rows: {}.{advice}", missing.join("; "))))
}

/// The shapes of a corpus that has several.
fn overview(shapes: &[(Shape, &Answers)]) -> Table {
    let mut table =
        Table::new(&["boards", "rows", "mean givens", "one solution", "minimal", "rated", "no guess needed"]);
    for (shape, answers) in shapes {
        let givens = answers.tally(Number::GIVENS).moments();
        table.rows.push(vec![
            shape.to_string(),
            grouped(answers.rows.into()),
            givens.map_or("-".to_owned(), |(mean, _)| format!("{mean:.2}")),
            share_of(answers, Number::SOLUTIONS, 1),
            share_of(answers, Number::MINIMAL, 1),
            percent(answers.rated(), answers.rows),
            share_of(answers, Number::GUESSES, 0),
        ]);
    }
    table
}

/// The share of a value, and of how many rows, if it is not known of all: "12.5 % of 40".
fn share_of(answers: &Answers, number: Number, value: u64) -> String {
    let tally = answers.tally(number);
    match tally.total() {
        0 => tally.percent(value),
        rows if rows == answers.rows => tally.percent(value),
        rows => format!("{} of {}", tally.percent(value), grouped(rows.into())),
    }
}

/// "1 row", "12,345 rows".
pub(in crate::study) fn count(number: u64, what: &str) -> String {
    numbers::counted(grouped(number.into()), what)
}

#[cfg(test)]
mod tests;
