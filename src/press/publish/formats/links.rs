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

use crate::publish::choice::chosen::Chosen;
use crate::publish::choice::puzzles::Rows;
use crate::publish::formats::heading::Heading;
use sudoku_corpus_core::board::rules::{Drawn, Extra};
use sudoku_corpus_core::board::{Cell, Puzzle, Shape, Solution, variants};
use sudoku_corpus_store::corpus::Record;

/// Writes one link to f-puzzles per line.
pub(crate) fn f_puzzles(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    write(out, rows, heading, |json, puzzle, record| {
        f_puzzle(json, puzzle, record);
        "https://f-puzzles.com/?load="
    })
}

fn f_puzzle(json: &mut Value, puzzle: &Puzzle, record: &Record) {
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
}

/// Adds the keys of f-puzzles for the rules of a board. A variant without a key of its own is written as regions, as it
/// is drawn.
fn state_rules(json: &mut Value, shape: Shape) {
    let mut regions = Vec::new();
    for variant in variants::of(shape) {
        variant.f_puzzles.iter().for_each(|&key| json[key] = true.into());
        let extras = shape.rules().into_iter().flat_map(|rules| &rules.extras);
        let drawn = extras.filter(|extra| variant.f_puzzles.is_empty() && extra.variant == variant.name);
        let cell = |&at: &u16| Value::from(Cell::new(at.into()).name(shape).to_uppercase());
        let region = |extra: &Extra| json!({ "cells": extra.cells.iter().map(cell).collect::<Vec<_>>() });
        regions.extend(drawn.filter(|extra| extra.drawn != Drawn::Nothing).map(region));
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
            f_puzzle(json, puzzle, record);
            return "https://sudokupad.app/fpuzzles";
        }
        let mut metadata = std::mem::take(json);
        // One character for each cell.
        if let Some(solution) = record.solution.as_ref().filter(|_| shape.order() <= 9) {
            metadata["solution"] = digits(solution).into();
        }
        let mut regions = vec![Vec::new(); shape.order()];
        for at in 0..shape.cells() {
            let (row, column) = (at / shape.order(), at % shape.order());
            regions[shape.box_of(row, column)].push([row, column]);
        }
        let value = |cell: &mut Map<String, Value>, value: u16, _| {
            (value > 0).then(|| cell.insert("value".to_owned(), value.into()));
        };
        *json = json!({
            "id": format!("sudoku-corpus-{:032x}", record.class.unwrap_or_default()),
            "cellSize": 50,
            "metadata": metadata,
            "cells": cells(puzzle, value),
            "regions": regions,
        });
        "https://sudokupad.app/scl"
    })
}

/// Writes links to objects that begin with the title, the author, the day and the publisher's own level. `complete`
/// returns the address.
fn write(
    out: &mut dyn Write,
    rows: &Rows<'_>,
    heading: &Heading,
    complete: impl Fn(&mut Value, &Puzzle, &Record) -> &'static str + Sync + Send,
) -> io::Result<()> {
    rows.write(out, |at, chosen| {
        let Some(puzzle) = chosen.puzzle() else { return Ok(String::new()) };
        let record = Record { class: Some(chosen.class), ..chosen.record() };
        let mut json = json!({ "title": title(at, &chosen, heading) });
        if let Some((name, rank)) = heading.own_level(&record) {
            json["own_level"] = json!({ "name": name, "rank": rank });
        }
        if let Some(date) = heading.date(at) {
            json["date"] = date.into();
        }
        if let Some(author) = &heading.author {
            json["author"] = author.as_str().into();
        }
        let address = complete(&mut json, &puzzle, &record);
        Ok(format!("{address}{}\n", lz_str::compress_to_base64(json.to_string().as_str())))
    })
}

/// The title of a puzzle: that of the collection, its number, its day, and the publisher's own level.
pub(crate) fn title(at: usize, chosen: &Chosen, heading: &Heading) -> String {
    let Heading { numbering, levels, .. } = heading;
    let title = heading.title.as_deref().unwrap_or("Sudoku");
    let day = numbering.day(at).map(|day| numbering.language.date(day));
    let level = levels.as_ref().and_then(|_| heading.level(&chosen.record()));
    let more: String = day.into_iter().chain(level).map(|text| format!(", {text}")).collect();
    format!("{title} {}{more}", numbering.number(at))
}

/// The rows of cells. `fill` gets the object of a cell, its digit and its box.
fn cells(puzzle: &Puzzle, fill: impl Fn(&mut Map<String, Value>, u16, usize)) -> Value {
    let order = puzzle.shape().order();
    let cell = |(at, &value): (usize, &u16)| {
        let mut cell = Map::new();
        fill(&mut cell, value, puzzle.shape().box_of(at / order, at % order));
        Value::Object(cell)
    };
    let cells: Vec<Value> = puzzle.grid().values().iter().enumerate().map(cell).collect();
    cells.chunks(order).map(|row| Value::Array(row.to_vec())).collect()
}

fn digits(solution: &Solution) -> String {
    solution.values().iter().map(ToString::to_string).collect()
}
