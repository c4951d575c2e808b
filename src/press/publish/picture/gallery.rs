//! A page to browse many boards: one HTML file with its data inside, which works offline and can be printed.

use std::io;

use serde_json::{Value, json};

use crate::publish::Puzzles;
use crate::publish::book::Symbols;
use crate::publish::levels::Levels;
use crate::publish::words::LevelTexts;
use sudoku_corpus_core::board::text;
use sudoku_corpus_core::rate::{TECHNIQUES, Technique};
use sudoku_corpus_store::corpus::Record;

/// The page without its data.
const TEMPLATE: &str = include_str!("gallery.html");

/// The page for some puzzles.
///
/// # Errors
/// An error of the operating system.
pub fn html(title: &str, chosen: &Puzzles, levels: &Levels, texts: &[LevelTexts]) -> io::Result<String> {
    let rows = chosen.iter().filter_map(|chosen| chosen.map(|chosen| row(&chosen.record(), levels)).transpose());
    let rows: Vec<Value> = rows.collect::<io::Result<_>>()?;
    let data = json!({
        "title": title,
        "levels": texts.iter().map(|level| level.name.clone()).collect::<Vec<_>>(),
        "techniques": TECHNIQUES.iter().map(|row| row.name).collect::<Vec<_>>(),
        "rows": rows,
    });
    // Escaped, so that no text in the data can end the script.
    let data = data.to_string().replace('<', "\\u003c");
    Ok(TEMPLATE.replace("/*DATA*/null", &data))
}

fn row(record: &Record, levels: &Levels) -> Option<Value> {
    let puzzle = record.puzzle.as_ref()?;
    let shape = puzzle.shape();
    let signs: Vec<String> = (0..=shape.order() as u16)
        .map(|value| if value == 0 { String::new() } else { Symbols::Usual.text(value, shape.order()) })
        .collect();
    let cells: Vec<&str> = puzzle.grid().values().iter().map(|&value| signs[usize::from(value)].as_str()).collect();
    let used = record.counts.as_ref().map_or(Vec::new(), |counts| {
        let used = Technique::all().enumerate().zip(counts.iter()).filter(|(_, count)| **count > 0);
        used.map(|((at, _), _)| at).collect()
    });
    Some(json!({
        "n": record.index,
        "shape": [shape.box_rows(), shape.box_columns()],
        "cells": cells,
        "line": text::line(puzzle.grid()),
        "level": levels.of(record),
        "symmetry": record.symmetry.map(|symmetry| symmetry.name()),
        "givens": puzzle.grid().givens(),
        "score": record.score,
        "er": record.se_er_tenths.map(|er| f64::from(er) / 10.0),
        "hardest": record.hardest.map(|technique| technique as usize),
        "used": used,
    }))
}
