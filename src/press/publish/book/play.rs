//! Writes the puzzles of a book as a page of HTML to play on, in one file: `play.html` with texts and boards filled in.
//!
//! Boards and symbols are the drawings of the printed book; the page adds cells that keyboards, fingers and screen
//! readers reach.

use std::collections::BTreeMap;

use quick_xml::escape::escape;
use serde_json::{Value, json};

use crate::publish::book::pages::plan::PagePlan;
use crate::publish::draw::board::{Look, draw_lines, draw_symbol};
use crate::publish::draw::canvas::Canvas;
use crate::publish::picture::drawing::Drawing;
use crate::publish::picture::files::svg_element;

/// Side of a cell in the units of the drawings.
const CELL: f64 = 40.0;

/// The page.
pub(crate) fn page(plan: &PagePlan<'_>) -> String {
    let (text, typeface) = (plan.text, plan.composer.typeface);
    let symbols = text.options.symbols;
    // Each board is in the page once: a look, and the puzzles that have it.
    let mut boards: Vec<String> = Vec::new();
    let mut signs: BTreeMap<usize, Vec<Value>> = BTreeMap::new();
    let drawn = |side: f64, canvas: Canvas<'_>| {
        svg_element(typeface, &Drawing { background: false, ..Drawing::new(side, side, canvas.finish()) })
    };
    let mut puzzles = Vec::new();
    for (at, entry) in text.entries.iter().enumerate() {
        let (shape, n) = (entry.puzzle.shape(), entry.puzzle.shape().order());
        let (box_line, cell_line) = Look::lines(shape, (2.0, 0.75));
        let digit = CELL * 0.62;
        let look =
            Look { box_line, cell_line, cell: CELL, digit, shade: text.options.shade, symbols, mark: entry.line };
        let mut canvas = Canvas::new(plan.composer);
        draw_lines(&mut canvas, 0.0, 0.0, shape, look);
        let board = drawn(look.outer_side(shape), canvas);
        let place = boards.iter().position(|known| *known == board).unwrap_or_else(|| {
            boards.push(board);
            boards.len() - 1
        });
        signs.entry(n).or_insert_with(|| {
            let sign = |value: u16| {
                let mut canvas = Canvas::new(plan.composer);
                draw_symbol(&mut canvas, value, n, look);
                json!({ "name": symbols.text(value, n), "svg": drawn(CELL, canvas).replace("\"#000000\"", "\"currentColor\"") })
            };
            (1..=n as u16).map(sign).collect()
        });
        puzzles.push(json!({
            "name": text.puzzles(&(at..at + 1)),
            "level": text.level(at),
            "order": n,
            "board": place,
            "frame": box_line / 2.0 / look.outer_side(shape),
            "givens": entry.puzzle.grid().values(),
            "solution": entry.solution.grid().values(),
        }));
    }
    let (language, texts) = (&text.words.language, text.words.language.texts());
    let play = &texts.play;
    let words = json!({
        "cell": texts.book.hint, "empty": play.empty, "given": play.given, "wrong": play.wrong, "right": play.right, "solved": play.solved,
        "marks": texts.how_to.pencil_marks,
    });
    let data =
        json!({ "title": text.words.title, "words": words, "boards": boards, "signs": signs, "puzzles": puzzles });
    // In a script, browsers look for its end and for comments.
    let data = data.to_string().replace("</", "<\\/").replace("<!", "\\u003c!");
    let filled = [
        ("language", language.tag()),
        ("title", &escape(text.words.title.as_str())),
        ("previous", &escape(play.previous.as_str())),
        ("next", &escape(play.next.as_str())),
        ("puzzle", &escape(play.puzzle.as_str())),
        ("marks", &escape(texts.how_to.pencil_marks.as_str())),
        ("erase", &escape(play.erase.as_str())),
        ("undo", &escape(play.undo.as_str())),
        ("check", &escape(play.check.as_str())),
        ("restart", &escape(play.restart.as_str())),
        ("keys", &escape(play.keys.as_str())),
        ("data", &data),
    ];
    let mut pieces = include_str!("play.html").split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for (name, rest) in pieces.filter_map(|piece| piece.split_once("}}")) {
        page += match filled.iter().find(|(known, _)| *known == name) {
            Some((_, value)) => value,
            None => unreachable!("the page is tested, and nothing fills {name}"),
        };
        page += rest;
    }
    page
}
