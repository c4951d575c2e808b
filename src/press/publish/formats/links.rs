//! Links that open a puzzle in f-puzzles or SudokuPad.
//!
//! ```text
//! https://f-puzzles.com/?load=<lz-string, base 64>      of      {"size":9,"title":"..","grid":[[{"value":5,"given":true},{},...],...]}
//! ```
//!
//! On all boards but 9x9, a cell names its region, because these programs know only one box shape for each board size.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::Heading;
use crate::publish::chosen::Chosen;
use sudoku_corpus_core::board::{Puzzle, Shape};

/// Writes one link per line.
pub(super) fn write(out: &mut dyn Write, chosen: &[Chosen], first: usize, heading: &Heading) -> io::Result<()> {
    for (at, chosen) in chosen.iter().enumerate() {
        let Some(puzzle) = chosen.puzzle() else { continue };
        let packed = lz_str::compress_to_base64(object(chosen, &puzzle, first + at + 1, heading).to_string().as_str());
        writeln!(out, "https://f-puzzles.com/?load={packed}")?;
    }
    Ok(())
}

/// The object of a puzzle.
fn object(chosen: &Chosen, puzzle: &Puzzle, number: usize, heading: &Heading) -> Value {
    let shape = puzzle.shape();
    let order = shape.order();
    let cell = |(at, &value): (usize, &u16)| {
        let mut cell = Map::new();
        if value > 0 {
            cell.insert("value".to_owned(), value.into());
            cell.insert("given".to_owned(), true.into());
        }
        if shape != Shape::NINE {
            cell.insert("region".to_owned(), shape.box_of(at / order, at % order).into());
        }
        Value::Object(cell)
    };
    let cells: Vec<Value> = puzzle.grid().values().iter().enumerate().map(cell).collect();
    let rows: Vec<Value> = cells.chunks(order).map(|row| Value::Array(row.to_vec())).collect();
    let record = chosen.record();
    let title = heading.title.as_deref().unwrap_or("Sudoku");
    let own = heading.own_level(&record);
    let level = own.as_ref().map(|(name, _)| format!(", {name}")).unwrap_or_default();
    let mut object = json!({ "size": order, "title": format!("{title} {number}{level}"), "grid": rows });
    if let Some((name, rank)) = own {
        object["own_level"] = json!({ "name": name, "rank": rank });
    }
    if let Some(author) = &heading.author {
        object["author"] = author.as_str().into();
    }
    if let Some(solution) = record.solution {
        object["solution"] = solution.values().into();
    }
    object
}
