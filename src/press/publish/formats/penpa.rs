//! Writes links that open a puzzle in Penpa+ to be solved: lines of text, deflated, in base 64.
//!
//! ```text
//! https://swaroopg92.github.io/penpa-edit/#m=solve&p=...
//!   square,9,9,38,..,Title: Sudoku 1,Author: Ann,..    the size of the board, and the heading
//!   [0,0,0,0]                                          margins
//!   ["1","2","1"]~"sudoku"~["1",9]                     the way of solving
//!   {"number":{"28":["5",1,"1"],..},"lineE":{..},..}   the givens, and the lines of the boxes
//!   ..
//!   [28,1,1,1,1,1,1,1,1,5,..]                          the cells, each as a distance from the one before
//! ```
//!
//! Around the board are two more rows and columns of cells on each side. Corners are numbered after all cells: corner k
//! is the lower right one of cell k. Lines as Penpa+ 3.0.10 writes them. Penpa+ reads its short names for words of JSON
//! and the words themselves.

use std::io::{self, Write};

use flate2::{Compression, write::DeflateEncoder};
use serde_json::{Map, Value, json};

use crate::publish::choice::puzzles::Rows;
use crate::publish::formats::heading::Heading;
use crate::publish::formats::links;
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_store::base64::prelude::{BASE64_STANDARD, Engine as _};

/// Side of a cell on the screen.
const CELL: usize = 38;

/// Writes one link per line.
pub(crate) fn write(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    rows.write(out, |at, chosen| {
        let Some(puzzle) = chosen.puzzle() else { return Ok(String::new()) };
        let text = lines(&puzzle, &links::title(at, &chosen, heading), heading.author.as_deref().unwrap_or_default());
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
        packed.write_all(text.as_bytes())?;
        let packed = BASE64_STANDARD.encode(packed.finish()?);
        Ok(format!("https://swaroopg92.github.io/penpa-edit/#m=solve&p={packed}\n"))
    })
}

/// The lines of a puzzle: see the header.
fn lines(puzzle: &Puzzle, title: &str, author: &str) -> String {
    let shape = puzzle.shape();
    let n = shape.order();
    let (width, canvas) = (n + 4, (n + 1) * CELL);
    let corners = width * width;
    let cell = |row: usize, column: usize| (row + 2) * width + column + 2;
    // The middle of the board: a cell, or a corner.
    let middle = if n % 2 == 1 { cell(n / 2, n / 2) } else { corners + cell(n / 2 - 1, n / 2 - 1) };
    let numbers: Map<String, Value> = (0..n * n)
        .filter(|&at| puzzle.grid().values()[at] > 0)
        .map(|at| (cell(at / n, at % n).to_string(), json!([puzzle.grid().values()[at].to_string(), 1, "1"])))
        .collect();
    let mut edges = Map::new();
    let mut edge = |from: usize, to: usize| edges.insert(format!("{},{}", corners + from, corners + to), 2.into());
    for along in 0..n {
        for row in (1..n).filter(|&row| shape.box_of(row - 1, along) != shape.box_of(row, along)) {
            // From the corner of the cell up left to that of the cell above.
            edge((row + 1) * width + along + 1, (row + 1) * width + along + 2);
        }
        for column in (1..n).filter(|&column| shape.box_of(along, column - 1) != shape.box_of(along, column)) {
            // From the corner of the cell up left to that of the cell on the left.
            edge((along + 1) * width + column + 1, (along + 2) * width + column + 1);
        }
    }
    let objects = |numbers: Map<String, Value>, edges: Map<String, Value>| {
        let mut all: Map<String, Value> =
            ["surface", "numberS", "symbol", "freeline", "freelineE", "line", "wall", "cage", "deletelineE"]
                .map(|name| (name.to_owned(), json!({})))
                .into_iter()
                .collect();
        for name in ["thermo", "arrows", "direction", "squareframe", "polygon", "killercages", "nobulbthermo"] {
            all.insert(name.to_owned(), json!([]));
        }
        for name in ["command_redo", "command_undo", "command_replay"] {
            all.insert(name.to_owned(), json!({ "__a": [] }));
        }
        all.insert("number".to_owned(), numbers.into());
        all.insert("lineE".to_owned(), edges.into());
        Value::Object(all).to_string()
    };
    let mode = |line: u8, number: u8, digits: u8| {
        json!({
            "edit_mode": "sudoku", "surface": ["", 1], "line": ["1", line], "lineE": ["1", line], "wall": ["", line],
            "cage": ["1", 10], "number": ["1", number], "symbol": ["circle_L", 1], "special": ["thermo", ""],
            "board": ["", ""], "move": ["1", ""], "combi": ["battleship", ""], "sudoku": ["1", digits]
        })
    };
    let modes = json!({ "qa": "pu_a", "grid": ["1", "2", "1"], "pu_q": mode(2, 1, 1), "pu_a": mode(3, 2, 9) });
    let cells: Vec<usize> = (0..n * n).map(|at| cell(at / n, at % n)).collect();
    let steps: Vec<usize> =
        cells.iter().enumerate().map(|(at, cell)| cell - at.checked_sub(1).map_or(0, |at| cells[at])).collect();
    let plain = |text: &str| text.replace(',', "%2C").replace(char::is_control, " ");
    let text = [
        format!(
            "square,{n},{n},{CELL},0,1,1,{canvas},{canvas},{middle},{middle},0,0,0,0,Title: {},Author: {},,,OFF,false",
            plain(title),
            plain(author)
        ),
        "[0,0,0,0]".to_owned(),
        r#"["1","2","1"]~"sudoku"~["1",9]"#.to_owned(),
        objects(numbers, edges),
        String::new(),
        json!(steps).to_string(),
        "[]".to_owned(),
        "{}".to_owned(),
        r#""x""#.to_owned(),
        r#""x""#.to_owned(),
        "[3,0,10]".to_owned(),
        modes.to_string(),
        r#""x""#.to_owned(),
        "0".to_owned(),
        objects(Map::new(), Map::new()),
        "x".to_owned(),
        "{}".to_owned(),
        r#"["classic"]"#.to_owned(),
        "false".to_owned(),
    ]
    .join("\n");
    // z begins Penpa+'s short names.
    text.replace('z', "zZ")
}
