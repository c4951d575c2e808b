//! JSON lines: an object per puzzle with its cells, origin, ratings and techniques, and a JSON Schema for these
//! objects.
//!
//! ```text
//! {"id":1,"shape":"3x3","puzzle":"53..7..","solution":"534678..","givens":30,"class":"0f3a..",
//!  "rating":{"level":"easy","score":412,"hardest":"hidden_single_box","finished":true,"er":1.5},
//!  "search":{"guesses":0,"depth":0,"nodes":1},"techniques":{"naked_single":12,"hidden_single_box":39}}
//! ```
//!
//! Unknown values are left out. `techniques` lists only techniques that are used, and it is left out if the puzzle was not
//! rated.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use crate::publish::chosen::Chosen;
use sudoku_corpus_core::board::{Solution, Symmetry, text};
use sudoku_corpus_core::rate::{Level, TECHNIQUES};
use sudoku_corpus_core::solve::probe::SearchCost;
use sudoku_corpus_store::corpus::Record;

/// A line.
#[derive(Serialize)]
struct Line<'a> {
    id: usize,
    shape: String,
    puzzle: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    givens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    class: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    automorphisms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetry: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<Rating>,
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<SearchCost>,
    #[serde(skip_serializing_if = "Option::is_none")]
    techniques: Option<BTreeMap<&'static str, u32>>,
}

/// The ratings.
#[derive(Default, PartialEq, Serialize)]
struct Rating {
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hardest: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    er: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ep: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ed: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<bool>,
}

/// Writes a line for each puzzle; ids count from `first` + 1.
///
/// # Errors
/// The writer fails.
pub fn write(out: &mut dyn Write, chosen: &[Chosen], first: usize) -> io::Result<()> {
    for (at, chosen) in chosen.iter().enumerate() {
        if let Some(line) = line(&chosen.record(), chosen.class, first + at + 1) {
            serde_json::to_writer(&mut *out, &line).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

fn line(record: &Record, class: u128, id: usize) -> Option<Line<'_>> {
    let puzzle = record.puzzle.as_ref()?;
    let rating = rating(record);
    let used = |counts: &[u32; TECHNIQUES.len()]| {
        let used = TECHNIQUES.iter().zip(counts).filter(|(_, count)| **count > 0);
        used.map(|(technique, &count)| (technique.code, count)).collect()
    };
    Some(Line {
        id,
        shape: record.shape.to_string(),
        puzzle: text::line(puzzle.grid()),
        solution: record.solution.as_ref().map(Solution::grid).map(text::line),
        givens: puzzle.grid().givens() as u32,
        minimal: record.minimal,
        class: format!("{:032x}", class),
        automorphisms: record.automorphisms,
        method: record.method.as_deref(),
        plan: record.plan.as_deref(),
        symmetry: record.symmetry.map(Symmetry::name),
        rating: (rating != Rating::default()).then_some(rating),
        search: record.search(),
        techniques: record.counts.as_ref().map(used),
    })
}

fn rating(record: &Record) -> Rating {
    let tenths = |tenths: Option<u32>| tenths.map(|tenths| f64::from(tenths) / 10.0);
    Rating {
        level: record.level.map(Level::name),
        score: record.score,
        hardest: record.hardest.map(|technique| TECHNIQUES[technique as usize].code),
        finished: record.finished,
        er: tenths(record.se_er_tenths),
        ep: tenths(record.se_ep_tenths),
        ed: tenths(record.se_ed_tenths),
        exact: record.se_exact,
    }
}

/// The JSON Schema of a line.
pub fn schema() -> Value {
    let techniques: Vec<&str> = TECHNIQUES.iter().map(|technique| technique.code).collect();
    let levels = Level::ALL.map(Level::name);
    let symmetries = Symmetry::ALL.map(Symmetry::name);
    let count = |about: &str| json!({ "type": "integer", "minimum": 0, "description": about });
    let tenths = |about: &str| json!({ "type": "number", "minimum": 0, "description": about });
    let text = |about: &str| json!({ "type": "string", "description": about });
    let flag = |about: &str| json!({ "type": "boolean", "description": about });
    let rating = json!({
        "level": { "enum": levels, "description": "level of difficulty on HoDoKu 2.2.0's scale" },
        "score": count("sum of the scores of all steps on HoDoKu 2.2.0's scale"),
        "hardest": { "enum": techniques, "description": "the hardest technique that the ladder used" },
        "finished": flag("the ladder of techniques solves the puzzle"),
        "er": tenths("Sudoku Explainer 1.2.1: the hardest step"),
        "ep": tenths("Sudoku Explainer 1.2.1: the hardest step up to the first digit placed"),
        "ed": tenths("Sudoku Explainer 1.2.1: the first step"),
        "exact": flag("er is exact; false if it is a lower bound"),
    });
    let search = json!({
        "guesses": count("values tried at branches"),
        "depth": count("guesses open at once"),
        "nodes": count("positions visited"),
    });
    let closed =
        |properties: Value| json!({ "type": "object", "properties": properties, "additionalProperties": false });
    let board = "^([.0-9A-Z]+|[.0-9]+( [.0-9]+)*)$";
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Sudoku puzzle",
        "type": "object",
        "required": ["id", "shape", "puzzle", "givens", "class"],
        "additionalProperties": false,
        "properties": {
            "id": { "type": "integer", "minimum": 1, "description": "number of the puzzle in its file" },
            "shape": { "type": "string", "pattern": "^[0-9]+x[0-9]+$", "description": "the box, rows x columns: 3x3 is the 9x9 board" },
            "puzzle": { "type": "string", "pattern": board, "description": "the cells row by row, '.' for a blank cell" },
            "solution": { "type": "string", "pattern": board, "description": "the only solution" },
            "givens": count("cells with a digit"),
            "minimal": flag("no given can be left out"),
            "class": { "type": "string", "pattern": "^[0-9a-f]{32}$", "description": "equal for isomorphic (essentially the same) puzzles" },
            "automorphisms": count("number of maps that turn the puzzle into itself up to relabelling"),
            "method": text("how the full grid was made"),
            "plan": text("how the holes were dug"),
            "symmetry": { "enum": symmetries, "description": "the symmetry of the pattern of givens that was asked for" },
            "rating": closed(rating),
            "search": closed(search),
            "techniques": {
                "type": "object",
                "propertyNames": { "enum": techniques },
                "additionalProperties": { "type": "integer", "minimum": 1 },
                "description": "how often each technique is used; techniques that are not used are left out"
            }
        }
    })
}
