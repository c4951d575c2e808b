//! An audit as a page and as JSON: the same numbers.

use serde_json::{Map, Value, json};

use super::{Copies, Facts, Tally, claims, origin};
use sudoku_corpus_core::page::numbers::{grouped, percent, tenths};
use sudoku_corpus_core::page::{Block, Document, Table};
use sudoku_corpus_core::rate::Level;

/// The page about one file, or about two files and what they share.
pub fn document(a: &Facts, b: Option<&Facts>) -> Document {
    let mut blocks = Vec::new();
    match b {
        None => blocks.extend(part(a)),
        Some(b) => {
            blocks.push(Block::Heading("What they share".to_owned()));
            blocks.push(Block::Verdict(match a.shared_with(b) {
                shared if shared == Copies::default() => "They share no puzzle and no solution grid.".to_owned(),
                shared => format!(
                    "Up to symmetry, {} puzzles of {} are also in {}, and {} have the same solution grid as one of its puzzles.",
                    grouped(shared.isomorphic.into()),
                    a.name,
                    b.name,
                    grouped(shared.grids.into())
                ),
            }));
            let mut table = Table::new(&["shared rows of", "identical", "isomorphic", "same solution grid"]);
            for (own, other) in [(a, b), (b, a)] {
                table.rows.push([vec![own.name.clone()], cells(own.shared_with(other), own)].concat());
            }
            blocks.push(Block::Table(table));
            for facts in [a, b] {
                blocks.push(Block::Heading(facts.name.clone()));
                blocks.extend(part(facts));
            }
        }
    }
    let title = b.map_or_else(|| format!("Audit of {}", a.name), |b| format!("Audit of {} and {}", a.name, b.name));
    Document { title, blocks }
}

fn cells(copies: Copies, of: &Facts) -> Vec<String> {
    let cell = |number: u64| format!("{} ({})", grouped(number.into()), percent(number, of.rows()));
    vec![cell(copies.exact), cell(copies.isomorphic), cell(copies.grids)]
}

fn part(facts: &Facts) -> Vec<Block> {
    let unique = facts.solutions()[1];
    let copies = facts.copies();
    let n = |number: u64| grouped(number.into());
    let verdict = format!(
        "{} of {} boards have exactly one solution, {} are isomorphic to an earlier one, and singles solve {} of those with one \
         solution.",
        n(unique),
        n(facts.rows()),
        n(copies.isomorphic),
        percent(facts.singles(), unique)
    );
    let mut blocks = vec![
        Block::Verdict(verdict),
        Block::Facts(vec![
            (n(facts.rows()), "boards".to_owned()),
            (n(facts.unreadable), "lines without a board or with contradictory givens".to_owned()),
            (n(facts.wrong_solutions), "puzzles with a wrong solution beside them".to_owned()),
            (format!("{:.2}", facts.mean_givens()), "givens on average".to_owned()),
            (
                percent(facts.counts.minimal[1], facts.counts.minimal.iter().sum()),
                "of those with one solution are minimal".to_owned(),
            ),
            (n(facts.different_grids()), "essentially different solution grids".to_owned()),
        ]),
    ];
    let mut state = Table::new(&["", "boards", "share"]);
    let mut row = |name: &str, number: u64| {
        if number > 0 {
            state.rows.push(vec![name.to_owned(), n(number), percent(number, facts.rows())]);
        }
    };
    for (name, number) in
        ["no solution", "one solution", "several solutions", "not settled"].into_iter().zip(facts.solutions())
    {
        row(name, number);
    }
    row("full grids", facts.full);
    row("one solution, minimal", facts.counts.minimal[1]);
    row("one solution, solved by singles", facts.singles());
    row("identical to an earlier one", copies.exact);
    row("isomorphic to an earlier one", copies.isomorphic);
    row("same solution grid as an earlier one", copies.grids);
    row("solution grid as made by the method permutation", facts.permuted());
    row("with automorphisms", facts.symmetric());
    let shapes = facts.summary.shapes().filter(|_| facts.summary.shapes().count() > 1);
    shapes.for_each(|(shape, counts)| row(&shape.board(), counts.rows));
    blocks.push(Block::Table(state));
    blocks.push(Block::Subheading("Givens".to_owned()));
    blocks.push(Block::Table(counted(
        "givens",
        facts.counts.givens.iter().map(|(givens, number)| (givens.to_string(), number)),
        facts.rows(),
    )));
    let rated = facts.counts.rated();
    if rated > 0 {
        blocks.push(Block::Subheading("Difficulty".to_owned()));
        let levels = levels(facts).map(|(name, number)| (name.to_owned(), number));
        blocks.push(Block::Table(counted("level", levels, rated)));
        let er = facts.er().iter().map(|(er, number)| (tenths(er), number));
        blocks.push(Block::Table(counted("ER", er, facts.er().total())));
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

fn levels(facts: &Facts) -> impl Iterator<Item = (&'static str, u64)> {
    Level::ALL.into_iter().map(Level::name).zip(facts.counts.levels)
}

/// A table of counts, without zeros.
fn counted(name: &str, counts: impl Iterator<Item = (String, u64)>, of: u64) -> Table {
    let mut table = Table::new(&[name, "puzzles", "share"]);
    let there = counts.filter(|(_, number)| *number > 0);
    table.rows.extend(there.map(|(name, number)| vec![name, grouped(number.into()), percent(number, of)]));
    table
}

/// The methods that may have made the grids.
fn grids(facts: &Facts) -> Vec<Block> {
    let list = origin(&facts.origin);
    if list.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(&["grids of the method", "distance, standard errors"]);
    table.rows.extend(list.iter().map(|(method, distance)| vec![method.to_string(), format!("{distance:.1}")]));
    let single = facts.different_grids() == 1 && facts.grids.len() > 1;
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
pub fn json(a: &Facts, b: Option<&Facts>) -> Value {
    let mut object = Map::new();
    object.insert("a".to_owned(), facts_json(a));
    if let Some(b) = b {
        object.insert("b".to_owned(), facts_json(b));
        object.insert("shared".to_owned(), copies_json(a.shared_with(b)));
        object.insert("shared_of_b".to_owned(), copies_json(b.shared_with(a)));
    }
    Value::Object(object)
}

fn copies_json(copies: Copies) -> Value {
    json!({"exact": copies.exact, "isomorphic": copies.isomorphic, "solution_grid": copies.grids})
}

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
        "shapes": facts.summary.shapes().map(|(shape, counts)| (shape.to_string(), json!(counts.rows))).collect::<Map<String, Value>>(),
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
        "copies": copies_json(facts.copies()),
        "different_solution_grids": facts.different_grids(),
        "mean_unavoidable_sets_of_4": facts.origin.mean_swaps(),
        "grids_of_permutation": facts.permuted(),
        "mean_pure_chutes": facts.origin.mean_pure(),
        "methods": origin(&facts.origin).into_iter().map(|(method, distance)| {
            json!({"method": method.to_string(), "standard_errors": (distance * 10.0).round() / 10.0})
        }).collect::<Vec<Value>>(),
    })
}
