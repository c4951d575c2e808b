//! Writes the puzzles of a book as a page of HTML to play on, in one file: `play.html` with texts and boards filled in.
//!
//! Boards and symbols are the drawings of the printed book; the page adds cells that keyboards, fingers and screen
//! readers reach.

use std::collections::BTreeMap;

use quick_xml::escape::escape;
use serde_json::{Value, json};

use crate::book::options::Options;
use crate::book::pages::plan::PagePlan;
use crate::draw::board::{Look, draw_board, draw_symbol};
use crate::draw::canvas::Canvas;
use crate::picture::drawing::Drawing;
use crate::picture::files::svg_element;
use crate::words::rules::drawn_in_words;
use sudoku_corpus_core::board::Shape;

/// Side of a cell in the units of the drawings.
const CELL: f64 = 40.0;
/// Height of a digit in the same units.
const DIGIT: f64 = CELL * 0.62;
/// Widths of the lines of boxes and of cells.
const LINES: (f64, f64) = (2.0, 0.75);

/// The boards, symbols and puzzles of the page. Each board and each set of symbols is in the page once.
struct Drawn<'a> {
    plan: &'a PagePlan<'a>,
    boards: Vec<String>,
    /// The symbols of boards, by their order.
    signs: BTreeMap<usize, Vec<Value>>,
    puzzles: Vec<Value>,
}

impl Drawn<'_> {
    fn add(&mut self, index: usize) {
        let text = self.plan.text;
        let entry = &text.entries[index];
        let (shape, n) = (entry.puzzle.shape(), entry.puzzle.shape().order());
        let (box_line, cell_line) = Look::lines(shape, LINES);
        let Options { shade, symbols, .. } = *text.options;
        let look = Look { box_line, cell_line, cell_side: CELL, digit_size: DIGIT, shade, symbols, mark: entry.line };
        let side = look.outer_side(shape);
        let board = self.board(shape, look, side);
        if !self.signs.contains_key(&n) {
            let signs = (1..=n as u16).map(|value| self.sign(value, n, look)).collect();
            self.signs.insert(n, signs);
        }
        self.puzzles.push(json!({
            "name": text.name_of_puzzles(&(index..index + 1)),
            "level": text.level(index),
            "order": n,
            "rules": [text.rules(shape), drawn_in_words(shape)],
            "board": board,
            "frame": box_line / 2.0 / side,
            "givens": entry.puzzle.grid().values(),
            "solution": entry.solution.grid().values(),
        }));
    }

    /// The position of an empty board among those of the page.
    fn board(&mut self, shape: Shape, look: Look, side: f64) -> usize {
        let mut canvas = Canvas::new(self.plan.composer);
        draw_board(&mut canvas, 0.0, 0.0, shape, look);
        let board = self.element(side, canvas);
        let position = self.boards.iter().position(|earlier| *earlier == board);
        position.unwrap_or_else(|| {
            self.boards.push(board);
            self.boards.len() - 1
        })
    }

    /// The symbol of a value, in the colour of the text around it.
    fn sign(&self, value: u16, order: usize, look: Look) -> Value {
        let mut canvas = Canvas::new(self.plan.composer);
        draw_symbol(&mut canvas, value, order, look);
        let svg = self.element(CELL, canvas).replace("\"#000000\"", "\"currentColor\"");
        json!({ "name": look.symbols.text(value, order), "svg": svg })
    }

    fn element(&self, side: f64, canvas: Canvas<'_>) -> String {
        let drawing = Drawing { background: false, ..Drawing::new(side, side, canvas.finish()) };
        svg_element(self.plan.composer.typeface, &drawing)
    }
}

/// The puzzles of a book as a page of HTML.
pub(crate) fn page(plan: &PagePlan<'_>) -> String {
    let text = plan.text;
    let mut drawn = Drawn { plan, boards: Vec::new(), signs: BTreeMap::new(), puzzles: Vec::new() };
    for index in 0..text.entries.len() {
        drawn.add(index);
    }
    let language = &text.words.language;
    let words = json!({
        "cell": language.text("book.hint"), "empty": language.text("play.empty"), "given": language.text("play.given"),
        "wrong": language.text("play.wrong"), "right": language.text("play.right"), "solved": language.text("play.solved"),
        "marks": language.text("how_to.pencil_marks"),
    });
    let Drawn { boards, signs, puzzles, .. } = drawn;
    let data =
        json!({ "title": text.words.title, "words": words, "boards": boards, "signs": signs, "puzzles": puzzles });
    // In a script, browsers look for its end and for comments.
    let data = data.to_string().replace("</", "<\\/").replace("<!", "\\u003c!");
    filled(&[
        ("language", language.tag()),
        ("title", &escape(text.words.title.as_str())),
        ("previous", &escape(language.text("play.previous"))),
        ("next", &escape(language.text("play.next"))),
        ("puzzle", &escape(language.text("play.puzzle"))),
        ("marks", &escape(language.text("how_to.pencil_marks"))),
        ("erase", &escape(language.text("play.erase"))),
        ("undo", &escape(language.text("play.undo"))),
        ("check", &escape(language.text("play.check"))),
        ("restart", &escape(language.text("play.restart"))),
        ("keys", &escape(language.text("play.keys"))),
        ("data", &data),
    ])
}

/// The file of the page with values in the places of names.
fn filled(values: &[(&str, &str)]) -> String {
    let mut pieces = include_str!("play.html").split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for (name, rest) in pieces.filter_map(|piece| piece.split_once("}}")) {
        page += match values.iter().find(|(value_name, _)| *value_name == name) {
            Some((_, value)) => value,
            None => unreachable!("the page is tested, and nothing fills {name}"),
        };
        page += rest;
    }
    page
}
