//! Writes a score as a page.

use super::Score;
use sudoku_corpus_core::page::numbers::{counted, grouped};
use sudoku_corpus_core::page::{Block, Document, Table};

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The page about a score.
pub fn document(score: &Score, title: &str) -> Document {
    let mut blocks = Vec::new();
    if let Some(all) = score.groups.first() {
        blocks.push(Block::Verdict(format!(
            "Solved puzzles: {} of {}, {} (95 % interval {} to {}). Answers: wrong {}, invalid {}, missing {}.",
            grouped(all.solved.into()),
            grouped(all.puzzles.into()),
            percent(all.accuracy),
            percent(all.low),
            percent(all.high),
            grouped(all.wrong.into()),
            grouped(all.invalid.into()),
            grouped(all.missing.into())
        )));
    }
    for (by, heading) in
        [("split", "Splits"), ("role", "Leaks and probes"), ("board", "Boards"), ("level", "Levels"), ("er", "ER")]
    {
        let table = table_of_groups(score, by);
        if !table.rows.is_empty() {
            blocks.push(Block::Heading(heading.to_owned()));
            blocks.push(Block::Table(table));
            blocks.extend((by == "level").then(|| Block::Text(scale_of_levels(score))));
        }
    }
    blocks.push(Block::Heading("Rules".to_owned()));
    blocks.push(Block::Text(
        "A puzzle is solved if its answer ends with its solution, or, unless the set says that it has only one, with any grid that completes it. An answer without a grid, or with another digit in place of a given, is \
         invalid. Puzzles without an answer count as not solved. The accuracy is the share of solved puzzles among all puzzles of a group; \
         its interval is Wilson's."
            .to_owned(),
    ));
    if score.foreign > 0 {
        blocks.push(Block::Text(format!(
            "{} to no puzzle of the set.",
            counted(grouped(score.foreign.into()), "answer")
        )));
    }
    if score.copies > 0 {
        let copies = counted(grouped(score.copies.into()), "copy");
        blocks.push(Block::Text(format!("Each puzzle counts once; the set has {copies} more.")));
    }
    Document { title: title.to_owned(), blocks }
}

fn scale_of_levels(score: &Score) -> String {
    match &score.level_scale {
        Some(scale) => format!("Levels are on {scale}."),
        None => "Levels are those of the files, which do not all say their scale.".to_owned(),
    }
}

/// A table of the groups by split, role, and so on: a row for each.
fn table_of_groups(score: &Score, by: &'static str) -> Table {
    let mut table = Table::new(&[
        by, "puzzles", "solved", "accuracy", "95 % interval", "wrong", "invalid", "missing", "wrong cells",
    ]);
    for group in score.groups.iter().filter(|group| group.by == by) {
        let mut row = vec![group.group.clone(), grouped(group.puzzles.into()), grouped(group.solved.into())];
        row.push(percent(group.accuracy));
        row.push(format!("{} .. {}", percent(group.low), percent(group.high)));
        row.extend([group.wrong, group.invalid, group.missing, group.wrong_cells].map(|number| grouped(number.into())));
        table.rows.push(row);
    }
    table
}
