//! Writes an audit as a page and as JSON: the same numbers.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Copies, Facts, Tally, claims, origin};
use crate::study::report::counted;
use sudoku_corpus_core::page::numbers::{grouped, percent, tenths};
use sudoku_corpus_core::page::{Block, Document, Table};
use sudoku_corpus_core::rate::Level;

/// Rows that leak, by kind, if they were looked for.
pub type Leaks<'a> = Option<&'a BTreeMap<&'static str, u64>>;

/// The page about one file, or about two files and what they share ([`super::compare`]).
pub fn document(a: &Facts, b: Option<&Facts>, leaks: Leaks<'_>) -> Document {
    let Some(b) = b else {
        let blocks = part(a).into_iter().chain(of_leaks(leaks)).collect();
        return Document { title: format!("Audit of {}", a.name), blocks };
    };
    let shared = a.shared;
    let verdict = if shared == Copies::default() {
        "They share no puzzle and no solution grid.".to_owned()
    } else {
        format!(
            "Up to symmetry, {} puzzles of {} are also in {}, and {} have the same solution grid as one of its puzzles.",
            grouped(shared.isomorphic.into()),
            a.name,
            b.name,
            grouped(shared.grids.into())
        )
    };
    let mut table = Table::new(&["shared rows of", "identical", "isomorphic", "same solution grid"]);
    for own in [a, b] {
        table.rows.push([vec![own.name.clone()], cells(own.shared, own)].concat());
    }
    let mut blocks = vec![Block::Heading("What they share".to_owned()), Block::Verdict(verdict), Block::Table(table)];
    blocks.extend(of_leaks(leaks));
    for facts in [a, b] {
        blocks.push(Block::Heading(facts.name.clone()));
        blocks.extend(part(facts));
    }
    Document { title: format!("Audit of {} and {}", a.name, b.name), blocks }
}

/// The rows that are copies or neighbours of others.
fn of_leaks(leaks: Leaks<'_>) -> Vec<Block> {
    let Some(leaks) = leaks else { return Vec::new() };
    let mut table = Table::new(&["rows that leak", "rows"]);
    table.rows.extend(leaks.iter().map(|(kind, rows)| vec![(*kind).to_owned(), grouped((*rows).into())]));
    let none = "No row is a copy or a neighbour of another.".to_owned();
    let found = if leaks.is_empty() { Block::Text(none) } else { Block::Table(table) };
    vec![Block::Subheading("Copies and neighbours".to_owned()), found]
}

/// The cells of a row about shared or copied rows: number and share of the rows of a file.
fn cells(copies: Copies, of: &Facts) -> Vec<String> {
    let cell = |number: u64| format!("{} ({})", grouped(number.into()), percent(number, of.rows()));
    vec![cell(copies.exact), cell(copies.isomorphic), cell(copies.grids)]
}

/// What the page says about one file: solutions and copies, givens, difficulty, what the file claims, and where its
/// grids may come from.
fn part(facts: &Facts) -> Vec<Block> {
    let unique = facts.solutions()[1];
    let copies = facts.copies;
    let n = |number: u64| grouped(number.into());
    let singles = match unique {
        0 => String::new(),
        _ => format!(", and singles solve {} of those with one solution", percent(facts.singles(), unique)),
    };
    let verdict = format!(
        "{} of {} boards have exactly one solution, {} are isomorphic to an earlier one{singles}.",
        n(unique),
        n(facts.rows()),
        n(copies.isomorphic)
    );
    let mut blocks = vec![
        Block::Verdict(verdict),
        Block::Facts(vec![
            (n(facts.rows()), "boards".to_owned()),
            (n(facts.unreadable), "lines without a board or with contradictory givens".to_owned()),
            (n(facts.wrong_solutions), "puzzles with a wrong solution beside them".to_owned()),
            (format!("{:.2}", facts.mean_givens()), "givens on average".to_owned()),
            (
                if unique == 0 {
                    "-".to_owned()
                } else {
                    percent(facts.counts.minimal[1], facts.counts.minimal.iter().sum())
                },
                "of those with one solution are minimal".to_owned(),
            ),
            (n(facts.different_grids), "essentially different solution grids".to_owned()),
        ]),
    ];
    let [none, one, several, unsettled] = facts.solutions();
    let state = [
        ("no solution", none),
        ("one solution", one),
        ("several solutions", several),
        ("not settled", unsettled),
        ("full grids", facts.full),
        ("one solution, minimal", facts.counts.minimal[1]),
        ("one solution, solved by singles", facts.singles()),
        ("identical to an earlier one", copies.exact),
        ("isomorphic to an earlier one", copies.isomorphic),
        ("same solution grid as an earlier one", copies.grids),
        ("solution grid as made by the method permutation", facts.permuted),
        ("with automorphisms", facts.symmetric()),
    ];
    let shapes = facts.summary.shapes.iter().filter(|_| facts.summary.shapes.len() > 1);
    let state = state.map(|(name, number)| (name.to_owned(), number)).into_iter();
    let state = state.chain(shapes.map(|(shape, counts)| (shape.board().to_string(), counts.rows)));
    blocks.push(counted(["", "boards", "share"], state, facts.rows()));
    blocks.push(Block::Subheading("Givens".to_owned()));
    blocks.push(counted(["givens", "puzzles", "share"], facts.counts.givens.iter(), facts.rows()));
    let rated = facts.counts.rated();
    if rated > 0 {
        blocks.push(Block::Subheading("Difficulty".to_owned()));
        blocks.push(counted(["level", "puzzles", "share"], levels(facts), rated));
        let er = facts.er().iter().map(|(er, number)| (tenths(er), number));
        blocks.push(counted(["ER", "puzzles", "share"], er, facts.er().total()));
    }
    let claims = claims::table(&facts.claims);
    if !claims.rows.is_empty() {
        blocks.push(Block::Subheading("What the file says of difficulty".to_owned()));
        blocks.push(Block::Text(
            "The columns of the file beside the ER and the search of this program, with 95 % intervals.".to_owned(),
        ));
        blocks.push(Block::Table(claims));
    }
    blocks.extend(grids(facts));
    blocks
}

/// The number of puzzles of each level, by its name.
fn levels(facts: &Facts) -> impl Iterator<Item = (&'static str, u64)> {
    Level::ALL.into_iter().map(Level::name).zip(facts.counts.levels)
}

/// The methods that may have made the grids.
fn grids(facts: &Facts) -> Vec<Block> {
    let list = origin(&facts.origin);
    if list.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(&["grids of the method", "distance, standard errors"]);
    table.rows.extend(list.iter().map(|(method, distance)| vec![method.to_string(), format!("{distance:.1}")]));
    let single = facts.different_grids == 1 && facts.hashes[2].len() > 1;
    let words = format!(
        "The solution grids have {:.3} unavoidable sets of four cells and {:.4} pure bands and stacks on average. {}",
        facts.origin.mean_swaps(),
        facts.origin.mean_pure(),
        match single {
            true => "All of them are shuffles of one grid.",
            false =>
                "A distance above 5 shows that they were not made by that method; a small distance proves nothing.",
        }
    );
    vec![Block::Subheading("Where the grids may come from".to_owned()), Block::Text(words), Block::Table(table)]
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
    let [none, one, several, unknown] = facts.solutions();
    let counts = |tally: &Tally| -> Map<String, Value> {
        tally.iter().map(|(value, number)| (value.to_string(), json!(number))).collect()
    };
    // Up to the hardest level that occurs.
    let last = facts.counts.levels.iter().rposition(|&number| number > 0).map_or(0, |last| last + 1);
    let levels: Map<String, Value> =
        levels(facts).take(last).map(|(name, number)| (name.to_owned(), json!(number))).collect();
    json!({
        "name": facts.name,
        "boards": facts.rows(),
        "unreadable": facts.unreadable,
        "wrong_solutions": facts.wrong_solutions,
        "shapes": facts.summary.shapes.iter().map(|(shape, counts)| (shape.to_string(), json!(counts.rows))).collect::<Map<String, Value>>(),
        "full_grids": facts.full,
        "solutions": {"none": none, "one": one, "several": several, "not_settled": unknown},
        "minimal": facts.counts.minimal[1],
        "not_minimal": facts.counts.minimal[0],
        "singles_solve": facts.singles(),
        "mean_givens": facts.mean_givens(),
        "givens": counts(&facts.counts.givens),
        "levels": levels,
        "er_tenths": counts(facts.er()),
        "columns": facts.claims.iter().map(claims::Claim::json).collect::<Vec<Value>>(),
        "with_symmetries": facts.symmetric(),
        "copies": copies_json(facts.copies),
        "different_solution_grids": facts.different_grids,
        "mean_unavoidable_sets_of_4": facts.origin.mean_swaps(),
        "grids_of_permutation": facts.permuted,
        "mean_pure_chutes": facts.origin.mean_pure(),
        "methods": origin(&facts.origin).into_iter().map(|(method, distance)| {
            json!({"method": method.to_string(), "standard_errors": (distance * 10.0).round() / 10.0})
        }).collect::<Vec<Value>>(),
    })
}
