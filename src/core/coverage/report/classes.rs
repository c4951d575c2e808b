//! The part of the page about classes: how many of all essentially different 9x9 grids the draws reached.

use super::blocks::{heading, name, paragraph, table};
use crate::board::Shape;
use crate::catalogue::CLASSES;
use crate::coverage::drawn::classes::{Even, expected_distinct, p_of_distinct};
use crate::coverage::survey::Survey;
use crate::page::Block;
use crate::page::numbers::{grouped, p_value};

/// The section; empty if no 9x9 grids were drawn, or if their classes were not counted.
pub(super) fn classes(survey: &Survey) -> Vec<Block> {
    let Some(board) = survey.boards.iter().find(|board| board.shape == Shape::NINE) else { return Vec::new() };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in &board.rows {
        let Some(classes) = row.counts.as_ref().and_then(|counts| counts.classes) else { continue };
        let even = Even::compared_with(&row.method);
        rows.push(vec![
            name(row),
            grouped(classes.draws.into()),
            grouped(classes.distinct.into()),
            grouped(expected_distinct(even, classes.draws).round() as u128),
            format!("{:.6} %", 100.0 * classes.distinct as f64 / CLASSES as f64),
            grouped(classes.twice.into()),
            p_value(p_of_distinct(even, classes.draws, classes.distinct)),
        ]);
    }
    if rows.is_empty() {
        return Vec::new();
    }
    let heads = "method | draws | classes reached | even: expected | share of all classes | drawn twice | p";
    vec![
        heading("Classes"),
        paragraph(format!(
            "There are {} classes of 9x9 grids (`guide numbers`), and the table shows how many of them \
             the draws of each method reached. If all N grids are equally likely, a class with k automorphisms has probability \
             1,218,998,108,160 / k / N. The sum over all classes gives the expected number of different classes. A method that \
             prefers some classes reaches fewer. `coverage --classes` also counts by bands, automorphisms and multiplicity.",
            grouped(CLASSES.into()),
        )),
        table(heads, rows),
    ]
}
