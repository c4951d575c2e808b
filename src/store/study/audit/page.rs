//! Writes an audit as a page and as JSON: the same numbers.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Copies, Facts, Tally, claims};
use crate::study::numbers::Number;
use crate::study::report::{count, counted};
use sudoku_corpus_core::page::numbers::{grouped, percent, tenths};
use sudoku_corpus_core::page::{Block, Document, Table};

/// Rows that leak, by kind, if they were looked for.
pub type Leaks<'a> = Option<&'a BTreeMap<&'static str, u64>>;

/// The page about one file, or about two files and what they share.
pub fn document(a: &Facts, b: Option<&Facts>, leaks: Leaks<'_>) -> Document {
    let Some(b) = b else {
        let blocks = part(a).into_iter().chain(of_leaks(leaks, "another")).collect();
        return Document { title: format!("Audit of {}", a.name), blocks };
    };
    let shared = a.shared;
    let verdict = if shared == Copies::default() {
        // Of puzzles that are not settled, the solution grid is not known.
        let unsettled = [a, b].iter().any(|facts| facts.solutions()[3] > 0);
        format!("They share no puzzle and no solution grid{}.", if unsettled { " that is known" } else { "" })
    } else {
        format!(
            "{} of {} with an isomorph in {}; {} with the solution grid of one of its puzzles.",
            count(shared.isomorphic, "puzzle"),
            a.name,
            b.name,
            grouped(shared.grids.into())
        )
    };
    let mut table = Table::new(&["shared rows of", "identical", "isomorphic", "same solution grid"]);
    for facts in [a, b] {
        table.rows.push([vec![facts.name.clone()], cells(facts.shared, facts)].concat());
    }
    let mut blocks = vec![Block::Heading("What they share".to_owned()), Block::Verdict(verdict), Block::Table(table)];
    blocks.extend(of_leaks(leaks, "one of the other file"));
    for facts in [a, b] {
        blocks.push(Block::Heading(facts.name.clone()));
        blocks.extend(part(facts));
    }
    Document { title: format!("Audit of {} and {}", a.name, b.name), blocks }
}

/// The rows that are copies or neighbors of others, which `others` names.
fn of_leaks(leaks: Leaks<'_>, others: &str) -> Vec<Block> {
    let Some(leaks) = leaks else { return Vec::new() };
    let mut table = Table::new(&["rows that leak", "rows"]);
    table.rows.extend(leaks.iter().map(|(kind, rows)| vec![(*kind).to_owned(), grouped((*rows).into())]));
    let block = if leaks.is_empty() {
        Block::Text(format!(
            "No row is a copy of {others}, shares its solution grid, or is a neighbor of it as far as was asked."
        ))
    } else {
        Block::Table(table)
    };
    vec![Block::Subheading("Copies and neighbors".to_owned()), block]
}

/// The cells of a row about shared or copied rows: number and share of the rows of a file.
fn cells(copies: Copies, file: &Facts) -> Vec<String> {
    let cell = |number: u64| format!("{} ({})", grouped(number.into()), percent(number, file.rows()));
    vec![cell(copies.exact), cell(copies.isomorphic), cell(copies.grids)]
}

/// What the page says about one file: solutions and copies, givens, difficulty, and what the file claims.
fn part(facts: &Facts) -> Vec<Block> {
    let givens = facts.answers.tally(Number::GIVENS);
    let mut blocks = vec![Block::Verdict(verdict(facts)), Block::Facts(main_numbers(facts)), states(facts)];
    if facts.without_class > 0 {
        let boards = count(facts.without_class, "board");
        blocks.push(Block::Text(format!(
            "Compared cell by cell, not up to isomorphism: the solution grids of {boards}. Their shapes have no classes of grids."
        )));
    }
    blocks.push(Block::Subheading("Givens".to_owned()));
    blocks.push(counted(["givens", "puzzles", "share"], givens.iter(), facts.rows()));
    blocks.extend(difficulty(facts));
    let claims = claims::table(&facts.claims, facts.different_grids);
    if !claims.rows.is_empty() {
        blocks.push(Block::Subheading("What the file says of difficulty".to_owned()));
        blocks.push(Block::Text(
            "The columns of the file beside the ER and the search of this program, with 95 % intervals: rank correlations of numbers, and means for each text.".to_owned(),
        ));
        blocks.push(Block::Table(claims));
    }
    blocks
}

/// The first sentence about a file.
fn verdict(facts: &Facts) -> String {
    let unique = facts.solutions()[1];
    let singles = match unique {
        0 => String::new(),
        _ => format!(", and singles solve {} of those with one solution", percent(facts.singles(), unique)),
    };
    format!(
        "{} of {} boards have exactly one solution, {} are isomorphic to an earlier one{singles}.",
        grouped(unique.into()),
        grouped(facts.rows().into()),
        grouped(facts.copies.isomorphic.into())
    )
}

/// The most important numbers of a file, each with what it counts.
fn main_numbers(facts: &Facts) -> Vec<(String, String)> {
    let [not_minimal, minimal] = facts.answers.minimal();
    let minimal = if facts.solutions()[1] == 0 { "-".to_owned() } else { percent(minimal, not_minimal + minimal) };
    let numbers = [
        (grouped(facts.rows().into()), "boards"),
        (grouped(facts.unreadable.into()), "lines without a board or with contradictory givens"),
        (grouped(facts.wrong_solutions.into()), "puzzles with a wrong solution beside them"),
        (format!("{:.2}", facts.mean_givens()), "givens on average"),
        (minimal, "of those with one solution are minimal"),
        (grouped(facts.different_grids.into()), "solution grids of which no two are isomorphic"),
    ];
    numbers.map(|(number, what)| (number, what.to_owned())).to_vec()
}

/// A table of what the boards of a file are.
fn states(facts: &Facts) -> Block {
    let [none, one, several, unsettled] = facts.solutions();
    let copies = facts.copies;
    let states = [
        ("no solution", none),
        ("one solution", one),
        ("several solutions", several),
        ("not settled", unsettled),
        ("full grids", facts.full),
        ("one solution, minimal", facts.answers.minimal()[1]),
        ("one solution, solved by singles", facts.singles()),
        ("identical to an earlier one", copies.exact),
        ("isomorphic to an earlier one", copies.isomorphic),
        ("same solution grid as an earlier one", copies.grids),
        ("with automorphisms", facts.symmetric()),
    ];
    let mut counts: Vec<(String, u64)> = states.map(|(name, number)| (name.to_owned(), number)).to_vec();
    if facts.summary.shapes.len() > 1 {
        for (shape, answers) in &facts.summary.shapes {
            counts.push((shape.board().to_string(), answers.rows));
        }
    }
    counted(["", "puzzles", "share"], counts.into_iter(), facts.rows())
}

/// The levels and ER of a file that was rated.
fn difficulty(facts: &Facts) -> Vec<Block> {
    let rated = facts.answers.tally(Number::LEVEL).total();
    if rated == 0 {
        return Vec::new();
    }
    // The table leaves out what occurs nowhere.
    let mut ratings = Vec::new();
    for (er, number) in facts.er().iter() {
        let bounds = facts.answers.tally(Number::ER_BOUND).count(er);
        ratings.push((tenths(er), number - bounds));
        ratings.push((format!("{} or more", tenths(er)), bounds));
    }
    vec![
        Block::Subheading("Difficulty".to_owned()),
        counted(["level", "puzzles", "share"], facts.answers.by_level(), rated),
        Block::Text(format!("Levels are on {}.", facts.answers.scale.scale())),
        counted(["ER", "puzzles", "share"], ratings.into_iter(), facts.er().total()),
    ]
}

/// The numbers of the page.
pub fn json(a: &Facts, b: Option<&Facts>, leaks: Leaks<'_>) -> Value {
    let mut all = json!({"a": facts_json(a)});
    if let Some(leaks) = leaks {
        all["leaks"] = json!(leaks);
    }
    if let Some(b) = b {
        all["b"] = facts_json(b);
        all["shared"] = copies_json(a.shared);
        all["shared_of_b"] = copies_json(b.shared);
    }
    all
}

/// The numbers of copies as JSON.
fn copies_json(copies: Copies) -> Value {
    json!({"exact": copies.exact, "isomorphic": copies.isomorphic, "solution_grid": copies.grids})
}

/// The numbers about one file as JSON.
fn facts_json(facts: &Facts) -> Value {
    let [none, one, several, unsettled] = facts.solutions();
    let counts = |tally: &Tally| -> Map<String, Value> {
        tally.iter().map(|(value, number)| (value.to_string(), json!(number))).collect()
    };
    // Up to the hardest level that occurs.
    let level_count = facts.answers.tally(Number::LEVEL).max().map_or(0, |hardest| hardest as usize + 1);
    let levels: Map<String, Value> =
        facts.answers.by_level().take(level_count).map(|(name, number)| (name.to_owned(), json!(number))).collect();
    json!({
        "name": facts.name,
        "boards": facts.rows(),
        "unreadable": facts.unreadable,
        "wrong_solutions": facts.wrong_solutions,
        "shapes": facts.summary.shapes.iter().map(|(shape, answers)| (shape.to_string(), json!(answers.rows))).collect::<Map<String, Value>>(),
        "full_grids": facts.full,
        "solutions": {"none": none, "one": one, "several": several, "not_settled": unsettled},
        "minimal": facts.answers.minimal()[1],
        "not_minimal": facts.answers.minimal()[0],
        "singles_solve": facts.singles(),
        "mean_givens": facts.mean_givens(),
        "givens": counts(facts.answers.tally(Number::GIVENS)),
        "levels": levels,
        "er_tenths": counts(facts.er()),
        "columns": facts.claims.iter().filter(|claim| claim.has_values()).map(|claim| claim.json(facts.different_grids)).collect::<Vec<Value>>(),
        "with_symmetries": facts.symmetric(),
        "copies": copies_json(facts.copies),
        "different_solution_grids": facts.different_grids,
        "compared_cell_by_cell": facts.without_class,
    })
}
