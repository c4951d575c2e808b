//! Writes JSON: an object per puzzle with its cells, origin, ratings and techniques, as lines or as an array. Also
//! writes a JSON Schema for these objects.
//!
//! ```text
//! {"id":1,"shape":"3x3","puzzle":"53..7..","solution":"534678..","givens":30,"class":"0f3a..",
//!  "rating":{"level":"easy","hodoku_score":412,"hardest":"hidden_single_box","finished":true,"er":1.5},
//!  "search":{"guesses":0,"depth":0,"nodes":1},"techniques":{"hidden_single_box":39,"naked_single":12}}
//! ```
//!
//! Unknown values are left out. `techniques` lists only techniques that are used, and it is left out if the puzzle was
//! not rated.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use crate::calendar::series::Day;
use crate::choice::rows::chosen::Chosen;
use crate::choice::rows::puzzles::Rows;
use crate::formats::heading::Heading;
use sudoku_corpus_core::board::Symmetry;
use sudoku_corpus_core::ladder::{Level, TECHNIQUES};
use sudoku_corpus_store::corpus::{COLUMNS, Column, Record, Value};

struct Field {
    name: &'static str,
    /// The name of its column in the corpus.
    column: &'static str,
    form: Form,
    about: &'static str,
}

const fn field(name: &'static str, column: &'static str, form: Form, about: &'static str) -> Field {
    Field { name, column, form, about }
}

/// How a value is written, and what the schema says about it.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Text,
    Board,
    Shape,
    Class,
    Flag,
    Count,
    Number,
    Tenths,
    Level,
    Symmetry,
    Technique,
}

static PUZZLE: [Field; 11] = [
    field("id", "row", Form::Number, "number of the puzzle in its file"),
    field(
        "shape",
        "shape",
        Form::Shape,
        "the box, rows x columns (3x3 is the 9x9 board), or the order of a jigsaw; further rules follow after +",
    ),
    field("puzzle", "puzzle", Form::Board, "the cells row by row, '.' for an empty cell"),
    field("solution", "solution", Form::Board, "the only solution"),
    field("givens", "givens", Form::Count, "cells with a digit"),
    field("minimal", "minimal", Form::Flag, "no given can be left out"),
    field("class", "class", Form::Class, "equal for isomorphic puzzles"),
    field(
        "automorphisms",
        "automorphisms",
        Form::Count,
        "number of maps that turn the puzzle into itself up to relabeling",
    ),
    field("method", "method", Form::Text, "how the full grid was made"),
    field("plan", "plan", Form::Text, "how the givens were removed"),
    field("symmetry", "symmetry", Form::Symmetry, "the symmetry of the pattern of givens that was asked for"),
];
static RATING: [Field; 9] = [
    field("level", "level", Form::Text, "level of difficulty on the scale of the corpus, or of --levels"),
    field("hodoku_level", "hodoku_level", Form::Level, "level of difficulty on HoDoKu 2.2.0's scale"),
    field("hodoku_score", "hodoku_score", Form::Count, "sum of the scores of all steps on HoDoKu 2.2.0's scale"),
    field("hardest", "hardest", Form::Technique, "the hardest technique that the ladder used"),
    field("finished", "finished", Form::Flag, "the ladder of techniques solves the puzzle"),
    field("er", "se_er_tenths", Form::Tenths, "Sudoku Explainer 1.2.1: the hardest step"),
    field("ep", "se_ep_tenths", Form::Tenths, "Sudoku Explainer 1.2.1: the hardest step up to the first digit placed"),
    field("ed", "se_ed_tenths", Form::Tenths, "Sudoku Explainer 1.2.1: the first step"),
    field("exact", "se_exact", Form::Flag, "er is exact; false if it is a lower bound"),
];
static SEARCH: [Field; 3] = [
    field("guesses", "search_guesses", Form::Count, "values tried at branches"),
    field("depth", "search_depth", Form::Count, "guesses open at once"),
    field("nodes", "search_nodes", Form::Count, "positions visited"),
];

/// [`PUZZLE`], [`RATING`] and [`SEARCH`], with the column of each field.
static TABLES: LazyLock<[FieldTable; 3]> = LazyLock::new(|| {
    [&PUZZLE[..], &RATING, &SEARCH].map(|fields| {
        let columns = fields.iter().map(|field| COLUMNS.iter().find(|column| column.name == field.column));
        fields.iter().zip(columns.map(|column| column.unwrap_or(&COLUMNS[0]))).collect()
    })
});

/// Fields with their columns.
type FieldTable = Vec<(&'static Field, &'static Column)>;

/// The known values of a record, as members of a JSON object without its braces.
fn members(table: &FieldTable, record: &Record) -> String {
    let mut members = Vec::new();
    for (Field { name, form, .. }, column) in table {
        let value = match column.get(record) {
            Value::Null => continue,
            Value::Unsigned(tenths) if *form == Form::Tenths => json!(tenths as f64 / 10.0),
            Value::Unsigned(number) => json!(number),
            Value::Flag(flag) => json!(flag),
            Value::Text(text) => json!(text),
            other => json!(other.to_string()),
        };
        members.push(format!("\"{name}\":{value}"));
    }
    members.join(",")
}

/// The techniques that are used and how often, as members of a JSON object, by their codes.
fn technique_members(counts: &[u32]) -> String {
    let mut used: BTreeMap<&str, u32> = BTreeMap::new();
    for (technique, &count) in TECHNIQUES.iter().zip(counts) {
        if count > 0 {
            used.insert(technique.code, count);
        }
    }
    used.iter().map(|(code, count)| format!("\"{code}\":{count}")).collect::<Vec<_>>().join(",")
}

fn object(record: &Record, day: Option<Day>) -> String {
    let [puzzle, rating, search] = TABLES.each_ref().map(|table| members(table, record));
    let mut text = format!("{{{puzzle}");
    if let Some(day) = day {
        text += &format!(",\"date\":\"{day}\"");
    }
    for (name, members) in [("rating", rating), ("search", search)] {
        if !members.is_empty() {
            text += &format!(",\"{name}\":{{{members}}}");
        }
    }
    if let Some(counts) = &record.counts {
        text += &format!(",\"techniques\":{{{}}}", technique_members(&counts[..]));
    }
    text + "}"
}

/// The object of a puzzle, by its place among the chosen.
fn object_of(place: usize, chosen: &Chosen, heading: &Heading) -> String {
    let row = heading.numbering.number(place).into();
    let record = Record { row, class: Some(chosen.class), ..chosen.record() };
    object(&record, heading.numbering.day(place))
}

/// Writes an object in each line.
pub(crate) fn lines(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    rows.write(out, |place, chosen| Ok(object_of(place, &chosen, heading) + "\n"))
}

/// Writes an array with an object in each line.
pub(crate) fn array(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    // What stands before an object: the bracket before the first, a comma before the others.
    let mut before = "[";
    rows.each(
        |place, chosen| object_of(place, &chosen, heading),
        |object| write!(out, "{}\n{object}", std::mem::replace(&mut before, ",")),
    )?;
    writeln!(out, "{}", if rows.positions().next().is_none() { "[]" } else { "\n]" })
}

fn technique_codes() -> Vec<&'static str> {
    TECHNIQUES.iter().map(|technique| technique.code).collect()
}

fn form_schema(form: Form) -> Json {
    match form {
        Form::Text => json!({ "type": "string" }),
        Form::Board => json!({ "type": "string", "pattern": "^([.0-9A-Z]+|[.0-9]+( [.0-9]+)*)$" }),
        Form::Shape => json!({ "type": "string", "pattern": "^[0-9]+(x[0-9]+)?([+].+)?$" }),
        Form::Class => json!({ "type": "string", "pattern": "^[0-9a-f]{32}$" }),
        Form::Flag => json!({ "type": "boolean" }),
        Form::Count => json!({ "type": "integer", "minimum": 0 }),
        Form::Number => json!({ "type": "integer", "minimum": 1 }),
        Form::Tenths => json!({ "type": "number", "minimum": 0 }),
        Form::Level => json!({ "enum": Level::ALL.map(Level::name) }),
        Form::Symmetry => json!({ "enum": Symmetry::ALL.map(Symmetry::name) }),
        Form::Technique => json!({ "enum": technique_codes() }),
    }
}

/// The schemas of the values of some fields, by the names of the fields.
fn properties(fields: &[Field]) -> Json {
    let mut properties = json!({});
    for field in fields {
        let mut schema = form_schema(field.form);
        schema["description"] = json!(field.about);
        properties[field.name] = schema;
    }
    properties
}

/// The JSON Schema of an object.
pub fn schema() -> Json {
    let closed =
        |properties: Json| json!({ "type": "object", "properties": properties, "additionalProperties": false });
    let mut all = properties(&PUZZLE);
    all["date"] = json!({ "type": "string", "format": "date", "description": "the day of publication" });
    all["rating"] = closed(properties(&RATING));
    all["search"] = closed(properties(&SEARCH));
    all["techniques"] = json!({
        "type": "object",
        "propertyNames": { "enum": technique_codes() },
        "additionalProperties": { "type": "integer", "minimum": 1 },
        "description": "how often each technique is used; techniques that are not used are left out"
    });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A Sudoku puzzle",
        "type": "object",
        "required": ["id", "shape", "puzzle", "givens", "class"],
        "additionalProperties": false,
        "properties": all,
    })
}
