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

use crate::choice::rows::puzzles::Rows;
use crate::formats::heading::Heading;
use crate::formats::programs::links;
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_store::base64::prelude::{BASE64_STANDARD, Engine as _};

/// Side of a cell on the screen.
const CELL: usize = 38;

/// Penpa+'s number for the style of thick black lines.
const THICK: u8 = 2;

/// Writes one link per line.
pub(crate) fn write(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    rows.write(out, |place, chosen| {
        let Some(puzzle) = chosen.puzzle() else { return Ok(String::new()) };
        let text =
            lines(&puzzle, &links::title(place, &chosen, heading), heading.author.as_deref().unwrap_or_default());
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
        packed.write_all(text.as_bytes())?;
        let packed = BASE64_STANDARD.encode(packed.finish()?);
        Ok(format!("https://swaroopg92.github.io/penpa-edit/#m=solve&p={packed}\n"))
    })
}

/// The numbers of cells and corners around a board of order `n`.
#[derive(Clone, Copy)]
struct Numbers {
    n: usize,
}

impl Numbers {
    /// The cells in a row, with those around the board.
    fn width(self) -> usize {
        self.n + 4
    }

    fn cell(self, row: usize, column: usize) -> usize {
        (row + 2) * self.width() + column + 2
    }

    /// The corner up left of a cell. Corners are numbered after all cells.
    fn corner(self, row: usize, column: usize) -> usize {
        self.width() * self.width() + (row + 1) * self.width() + column + 1
    }

    /// The middle of the board: a cell, or a corner.
    fn middle(self) -> usize {
        let half = self.n / 2;
        if self.n % 2 == 1 { self.cell(half, half) } else { self.corner(half, half) }
    }

    fn cells(self) -> impl Iterator<Item = usize> {
        (0..self.n * self.n).map(move |cell| self.cell(cell / self.n, cell % self.n))
    }
}

/// The lines of a puzzle: see the header.
fn lines(puzzle: &Puzzle, title: &str, author: &str) -> String {
    let n = puzzle.shape().order();
    let numbers = Numbers { n };
    let (canvas, middle) = ((n + 1) * CELL, numbers.middle());
    let plain = |text: &str| text.replace(',', "%2C").replace(char::is_control, " ");
    let (title, author) = (plain(title), plain(author));
    let of_maker = mode(&Tools { line: THICK, number: 1, digits: 1 });
    let of_solver = mode(&Tools { line: 3, number: 2, digits: 9 });
    let modes = json!({ "qa": "pu_a", "grid": ["1", "2", "1"], "pu_q": of_maker, "pu_a": of_solver });
    let mut steps = Vec::new();
    let mut previous = 0;
    for cell in numbers.cells() {
        steps.push(cell - previous);
        previous = cell;
    }
    let text = [
        format!(
            "square,{n},{n},{CELL},0,1,1,{canvas},{canvas},{middle},{middle},0,0,0,0,Title: {title},Author: {author},,,OFF,false"
        ),
        "[0,0,0,0]".to_owned(),
        r#"["1","2","1"]~"sudoku"~["1",9]"#.to_owned(),
        objects(givens(puzzle, numbers), edges(puzzle.shape(), numbers)),
        // What the solver has drawn.
        String::new(),
        json!(steps).to_string(),
        // The tabs of tools, and what of an answer is checked.
        "[]".to_owned(),
        "{}".to_owned(),
        // No timer, no competition.
        r#""x""#.to_owned(),
        r#""x""#.to_owned(),
        // The version of Penpa+.
        "[3,0,10]".to_owned(),
        modes.to_string(),
        // No theme, and no colors of one's own: neither of what the maker has drawn nor of the answer.
        r#""x""#.to_owned(),
        "0".to_owned(),
        objects(Map::new(), Map::new()),
        "x".to_owned(),
        // Other ways of checking, the genre, and no message at the end.
        "{}".to_owned(),
        r#"["classic"]"#.to_owned(),
        "false".to_owned(),
    ]
    .join("\n");
    // z begins Penpa+'s short names.
    text.replace('z', "zZ")
}

/// The givens by the numbers of their cells: the text of each, its style and its size.
fn givens(puzzle: &Puzzle, numbers: Numbers) -> Map<String, Value> {
    let cells = numbers.cells().zip(puzzle.grid().values()).filter(|(_, value)| **value > 0);
    cells.map(|(cell, value)| (cell.to_string(), json!([value.to_string(), 1, "1"]))).collect()
}

/// The thick lines between boxes, each from corner to corner.
fn edges(shape: Shape, numbers: Numbers) -> Map<String, Value> {
    let n = shape.order();
    let mut edges = Map::new();
    let mut add = |from: usize, to: usize| edges.insert(format!("{from},{to}"), THICK.into());
    for along in 0..n {
        for row in (1..n).filter(|&row| shape.box_of(row - 1, along) != shape.box_of(row, along)) {
            add(numbers.corner(row, along), numbers.corner(row, along + 1));
        }
        for column in (1..n).filter(|&column| shape.box_of(along, column - 1) != shape.box_of(along, column)) {
            add(numbers.corner(along, column), numbers.corner(along + 1, column));
        }
    }
    edges
}

/// What lies on the board: numbers and lines, and nothing of all other kinds.
fn objects(numbers: Map<String, Value>, edges: Map<String, Value>) -> String {
    let mut all = Map::new();
    for name in ["surface", "numberS", "symbol", "freeline", "freelineE", "line", "wall", "cage", "deletelineE"] {
        all.insert(name.to_owned(), json!({}));
    }
    for name in ["thermo", "arrows", "direction", "squareframe", "polygon", "killercages", "nobulbthermo"] {
        all.insert(name.to_owned(), json!([]));
    }
    for name in ["command_redo", "command_undo", "command_replay"] {
        all.insert(name.to_owned(), json!({ "__a": [] }));
    }
    all.insert("number".to_owned(), numbers.into());
    all.insert("lineE".to_owned(), edges.into());
    Value::Object(all).to_string()
}

/// The tools of a layer: the styles of its lines, of its numbers, and of the digits in the mode `sudoku`, by Penpa+'s
/// numbers. Black is 1 for numbers and digits; the solver's have other colors.
struct Tools {
    line: u8,
    number: u8,
    digits: u8,
}

fn mode(Tools { line, number, digits }: &Tools) -> Value {
    json!({
        "edit_mode": "sudoku", "surface": ["", 1], "line": ["1", line], "lineE": ["1", line], "wall": ["", line],
        "cage": ["1", 10], "number": ["1", number], "symbol": ["circle_L", 1], "special": ["thermo", ""],
        "board": ["", ""], "move": ["1", ""], "combi": ["battleship", ""], "sudoku": ["1", digits]
    })
}
