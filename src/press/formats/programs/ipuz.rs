//! Writes ipuz 2, `http://ipuz.org/sudoku#1`: an object of JSON.
//!
//! ```text
//! {"version":"http://ipuz.org/v2","kind":["http://ipuz.org/sudoku#1"],"title":"Sudoku 1","date":"01/31/2027","difficulty":"easy",
//!  "charset":"123456789","boxes":true,"puzzle":[[5,3,0,0,7,0,0,0,0],...],"solution":[[5,3,4,...],...]}
//! ```
//!
//! Digits above 9 are the letters of `charset`. Boxes that are not square, and regions, are `zones`.

use std::io::{self, Write};

use serde_json::{Value, json};

use crate::choice::rows::puzzles::Rows;
use crate::formats::heading::Heading;
use crate::formats::programs::links;
use sudoku_corpus_core::board::{Shape, text};

/// Writes an object in each line.
pub(crate) fn write(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    rows.write(out, |place, chosen| {
        let record = chosen.record();
        let Some(puzzle) = &record.puzzle else { return Ok(String::new()) };
        let shape = puzzle.shape();
        let charset: String = (1..=shape.order() as u16).map(|value| text::symbol(value, shape.order())).collect();
        let mut json = json!({
            "version": "http://ipuz.org/v2",
            "kind": ["http://ipuz.org/sudoku#1"],
            "title": links::title(place, &chosen, heading),
            "charset": charset,
            "boxes": shape.box_rows() == shape.box_columns(),
            "puzzle": board(shape, puzzle.grid().values()),
        });
        let day = heading.numbering.day(place).map(|day| format!("{:02}/{:02}/{:04}", day.month, day.day, day.year));
        let texts = [
            ("author", heading.author.clone()),
            ("publisher", heading.source.clone()),
            ("date", day.or_else(|| heading.date.clone())),
            ("difficulty", heading.level(&record)),
        ];
        for (name, text) in texts {
            if let Some(text) = text {
                json[name] = text.into();
            }
        }
        if let Some(solution) = &record.solution {
            json["solution"] = board(shape, solution.values());
        }
        if json["boxes"] == false {
            json["zones"] = zones(shape);
        }
        Ok(format!("{json}\n"))
    })
}

/// Rows of digits; 0 for a blank cell.
fn board(shape: Shape, values: &[u16]) -> Value {
    let cells = values.iter().map(|&value| match value {
        10.. => Value::from(text::symbol(value, shape.order()).to_string()),
        digit => Value::from(digit),
    });
    let cells: Vec<Value> = cells.collect();
    cells.chunks(shape.order()).map(Value::from).collect()
}

/// The boxes as rectangles: left, top, right and bottom cell from 0; regions as lists of cells: column and row from 0.
fn zones(shape: Shape) -> Value {
    let n = shape.order();
    if let Some(regions) = shape.regions() {
        let zones = (0..n).map(|region| {
            let cells = (0..n * n).filter(|cell| usize::from(regions[*cell]) == region);
            json!({ "cells": cells.map(|cell| [cell % n, cell / n]).collect::<Vec<_>>() })
        });
        return zones.collect();
    }
    let (rows, columns) = (shape.box_rows(), shape.box_columns());
    let zones = (0..n).map(|number| {
        let (top, left) = (number / rows * rows, number % rows * columns);
        json!({ "rect": [left, top, left + columns - 1, top + rows - 1] })
    });
    zones.collect()
}
