//! Writes links that open a puzzle in f-puzzles or SudokuPad: JSON, packed by lz-string in base 64.
//!
//! ```text
//! https://f-puzzles.com/?load=...   {"size":9,"title":"..","grid":[[{"value":5,"given":true},{},...],...]}
//! https://sudokupad.app/scl...      {"id":"..","cellSize":50,"metadata":{..},"cells":[[{"value":5},{},..],..],"regions":..}
//! ```
//!
//! f-puzzles knows only one box shape for each board size, so on all boards but 9x9 a cell names its region.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::choice::rows::chosen::Chosen;
use crate::choice::rows::puzzles::Rows;
use crate::draw::symbols::Symbols;
use crate::formats::heading::Heading;
use crate::words::rules::rules_of;
use sudoku_corpus_core::board::rules::DrawnAs;
use sudoku_corpus_core::board::{Cell, Puzzle, Shape, Solution, variants};
use sudoku_corpus_store::corpus::Record;

/// Writes one link to f-puzzles per line.
pub(crate) fn f_puzzles(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    write(out, rows, heading, |json, puzzle, record| {
        f_puzzle(json, puzzle, record, heading);
        "https://f-puzzles.com/?load="
    })
}

fn f_puzzle(json: &mut Value, puzzle: &Puzzle, record: &Record, heading: &Heading) {
    let shape = puzzle.shape();
    json["size"] = shape.order().into();
    json["grid"] = cells(puzzle, |cell, value, region| {
        if value > 0 {
            cell.insert("value".to_owned(), value.into());
            cell.insert("given".to_owned(), true.into());
        }
        if shape.plain() != Shape::NINE {
            cell.insert("region".to_owned(), region.into());
        }
    });
    if let Some(solution) = &record.solution {
        json["solution"] = solution.values().into();
    }
    state_rules(json, shape);
    // Solvers show it beside the board: not every rule is drawn.
    if shape != Shape::NINE {
        json["ruleset"] = rules_of(shape, &heading.numbering.language, Symbols::USUAL).into();
    }
}

/// Adds the keys of f-puzzles for the rules of a board. A variant without a key of its own is written as regions, as it
/// is drawn.
fn state_rules(json: &mut Value, shape: Shape) {
    let mut regions = Vec::new();
    for variant in variants::of(shape) {
        for &key in variant.f_puzzles {
            json[key] = true.into();
        }
        if !variant.f_puzzles.is_empty() {
            continue;
        }
        for extra in shape.rules().into_iter().flat_map(|rules| &rules.extras) {
            if extra.variant == variant.name && extra.drawn != DrawnAs::Nothing {
                let cells = extra.cells.iter().map(|&cell| Cell::new(cell.into()).name(shape).to_uppercase());
                regions.push(json!({ "cells": cells.collect::<Vec<_>>() }));
            }
        }
    }
    if !regions.is_empty() {
        json["extraregion"] = Value::Array(regions);
    }
}

/// Writes one link per line: of SudokuPad's own kind, or that of f-puzzles if the board has rules.
pub(crate) fn sudoku_pad(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    write(out, rows, heading, |json, puzzle, record| {
        let shape = puzzle.shape();
        if shape != shape.plain() {
            f_puzzle(json, puzzle, record, heading);
            return "https://sudokupad.app/fpuzzles";
        }
        let mut metadata = std::mem::take(json);
        // One character for each cell.
        if let Some(solution) = record.solution.as_ref().filter(|_| shape.order() <= 9) {
            metadata["solution"] = digits(solution).into();
        }
        let mut regions = vec![Vec::new(); shape.order()];
        for cell in 0..shape.cells() {
            let (row, column) = (cell / shape.order(), cell % shape.order());
            regions[shape.box_of(row, column)].push([row, column]);
        }
        let cells = cells(puzzle, |cell, value, _| {
            if value > 0 {
                cell.insert("value".to_owned(), value.into());
            }
        });
        *json = json!({
            "id": format!("sudoku-corpus-{:032x}", record.class.unwrap_or_default()),
            "cellSize": 50,
            "metadata": metadata,
            "cells": cells,
            "regions": regions,
        });
        "https://sudokupad.app/scl"
    })
}

/// Writes links to objects that begin with the title, the author and the day. `complete`
/// returns the address.
fn write(
    out: &mut dyn Write,
    rows: &Rows<'_>,
    heading: &Heading,
    complete: impl Fn(&mut Value, &Puzzle, &Record) -> &'static str + Sync + Send,
) -> io::Result<()> {
    rows.write(out, |place, chosen| {
        let Some(puzzle) = chosen.puzzle() else { return Ok(String::new()) };
        let record = Record { class: Some(chosen.class), ..chosen.record() };
        let mut json = json!({ "title": title(place, &chosen, heading) });
        if let Some(date) = heading.date(place) {
            json["date"] = date.into();
        }
        if let Some(author) = &heading.author {
            json["author"] = author.as_str().into();
        }
        let address = complete(&mut json, &puzzle, &record);
        Ok(format!("{address}{}\n", lz_str::compress_to_base64(json.to_string().as_str())))
    })
}

/// The title of a puzzle: that of the collection, its number, its day, and its level if the publisher has named the
/// levels.
pub(crate) fn title(place: usize, chosen: &Chosen, heading: &Heading) -> String {
    let numbering = &heading.numbering;
    let title = heading.title.as_deref().unwrap_or("Sudoku");
    let day = numbering.day(place).map(|day| numbering.language.date(day));
    let level = numbering.levels.name().is_none().then(|| heading.level(&chosen.record())).flatten();
    let details: String = day.into_iter().chain(level).map(|text| format!(", {text}")).collect();
    format!("{title} {}{details}", numbering.number(place))
}

/// The rows of cells. `fill` gets the object of a cell, its digit and its box.
fn cells(puzzle: &Puzzle, fill: impl Fn(&mut Map<String, Value>, u16, usize)) -> Value {
    let order = puzzle.shape().order();
    let mut cells = Vec::with_capacity(puzzle.shape().cells());
    for (number, &value) in puzzle.grid().values().iter().enumerate() {
        let mut cell = Map::new();
        fill(&mut cell, value, puzzle.shape().box_of(number / order, number % order));
        cells.push(Value::Object(cell));
    }
    cells.chunks(order).map(|row| Value::Array(row.to_vec())).collect()
}

fn digits(solution: &Solution) -> String {
    solution.values().iter().map(ToString::to_string).collect()
}
