//! Rows of steps as text: English sentences, and tokens of a fixed vocabulary.
//!
//! The tokens of a solution are separated by blanks:
//!
//! ```text
//!   solution   = "puzzle" value* { row } ("solved" | "stuck")     one value a cell, row by row
//!   value      = "." | digit
//!   row        = ("step" | "wrong") technique pattern (place | remove)
//!              | "state" value* "solutions" ("none" | "several")
//!   pattern    = digit* "in" cell* [ "base" house* ] [ "cover" house* ]
//!   place      = "place" { cell digit }
//!   remove     = "remove" { cell digit }
//!   digit      = "d1" "d2" ..      cell = "r1c1" ..      house = "row1" "column1" "box1" ..
//! ```
//!
//! [`vocabulary`] lists every token for a shape. No other token is ever written.

use std::fmt::{Display, Write as _};

use super::{RowKind, StepRow};
use crate::board::text::symbol;
use crate::board::{Cell, Digit, House, Layout, Puzzle, Shape};
use crate::rate::{TECHNIQUES, Technique};

/// The tokens other than digits, cells, houses and techniques.
const MARKERS: [&str; 17] = [
    "puzzle",
    "step",
    "wrong",
    "state",
    "in",
    "base",
    "cover",
    "place",
    "remove",
    "solutions",
    "none",
    "several",
    "solved",
    "stuck",
    ".",
    "<pad>",
    "<end>",
];

/// Every token for boards of a shape, in a fixed order. `<pad>` and `<end>` are never written; they are for training
/// models.
pub fn vocabulary(shape: Shape) -> Vec<String> {
    let layout = Layout::of(shape);
    let markers = MARKERS.iter().map(|&marker| marker.to_owned());
    let digits = (0..shape.order()).map(|at| digit_token(Digit::from_index(at), shape));
    let cells = layout.cells().map(|cell| cell.name(shape).to_string());
    let houses = layout.houses().map(|house| house_token(house, shape));
    markers.chain(digits).chain(cells).chain(houses).chain(TECHNIQUES.iter().map(|info| info.code.to_owned())).collect()
}

/// The tokens of a complete solution on one line.
pub fn solution_tokens(puzzle: &Puzzle, rows: &[StepRow], solved: bool) -> String {
    let mut text = "puzzle".to_owned();
    push_values(&mut text, puzzle.grid().values(), puzzle.shape());
    for row in rows {
        text.push(' ');
        text.push_str(&row.tokens(puzzle.shape()));
    }
    text.push_str(if solved { " solved" } else { " stuck" });
    text
}

impl StepRow {
    /// The tokens of the row.
    pub fn tokens(&self, shape: Shape) -> String {
        self.tokens_named(self.step.as_ref().map_or("", |step| step.technique.code()), shape)
    }

    /// The tokens of the row, with a name for its technique.
    pub fn tokens_named(&self, name: &str, shape: Shape) -> String {
        let Some(step) = &self.step else {
            let mut text = "state".to_owned();
            push_values(&mut text, &self.values, shape);
            text.push_str(if self.solutions == 0 { " solutions none" } else { " solutions several" });
            return text;
        };
        let mut text = if self.kind == RowKind::Step { "step" } else { "wrong" }.to_owned();
        push(&mut text, name);
        step.pattern.digits.iter().for_each(|digit| push_digit(&mut text, digit, shape));
        push(&mut text, "in");
        step.pattern.cells.iter().for_each(|&cell| push_cell(&mut text, cell, shape));
        for (marker, houses) in [("base", &step.pattern.base), ("cover", &step.pattern.cover)] {
            if !houses.is_empty() {
                push(&mut text, marker);
                houses.iter().for_each(|&house| push(&mut text, &house_token(house, shape)));
            }
        }
        for (marker, list) in [("place", &step.placements), ("remove", &step.eliminations)] {
            if !list.is_empty() {
                push(&mut text, marker);
                for &(cell, digit) in list {
                    push_cell(&mut text, cell, shape);
                    push_digit(&mut text, digit, shape);
                }
            }
        }
        text
    }

    /// The row as one or two English sentences.
    pub fn sentence(&self, shape: Shape) -> String {
        let Some(step) = &self.step else {
            let solutions = if self.solutions == 0 { "no solution" } else { "more than one solution" };
            return format!("This position has {solutions}.");
        };
        let digits = || step.pattern.digits.iter().map(|digit| symbol(digit.value(), shape.order()));
        let cells = || step.pattern.cells.iter().map(|cell| cell.name(shape));
        // There are millions of steps, so the text is written in place without temporary strings.
        let mut text = String::with_capacity(128);
        match step.technique {
            Technique::FullHouse => {
                push_list(&mut text, cells());
                text.push_str(" is the only open cell of a house");
            }
            Technique::NakedSingle => {
                push_list(&mut text, digits());
                text.push_str(" is the only candidate of ");
                push_list(&mut text, cells());
            }
            technique => {
                text.push_str(technique.name());
                text.push_str(if step.pattern.digits.is_empty() { "" } else { " on " });
                push_list(&mut text, digits());
                text.push_str(if step.pattern.cells.is_empty() { "" } else { " in " });
                push_list(&mut text, cells());
            }
        }
        for (how, houses) in [(", seen in ", &step.pattern.base), (", against ", &step.pattern.cover)] {
            text.push_str(if houses.is_empty() { "" } else { how });
            push_list(&mut text, houses.iter().map(|house| house.name(shape)));
        }
        text.push_str(". So ");
        let placed = step.placements.iter().map(|&what| Conclusion { what, verb: "is", shape });
        let removed = step.eliminations.iter().map(|&what| Conclusion { what, verb: "is not", shape });
        push_list(&mut text, placed.chain(removed));
        text.push('.');
        if self.kind == RowKind::WrongStep {
            text.push_str(" This step is wrong.");
        }
        text
    }
}

fn push(text: &mut String, token: &str) {
    text.push(' ');
    text.push_str(token);
}

fn push_cell(text: &mut String, cell: Cell, shape: Shape) {
    let _ = write!(text, " {}", cell.name(shape));
}

fn push_digit(text: &mut String, digit: Digit, shape: Shape) {
    text.push_str(" d");
    text.push(symbol(digit.value(), shape.order()));
}

fn push_values(text: &mut String, values: &[u16], shape: Shape) {
    for &value in values {
        match value {
            0 => push(text, "."),
            _ => push_digit(text, Digit::new(value), shape),
        }
    }
}

/// "r1c1 is 5".
struct Conclusion {
    what: (Cell, Digit),
    verb: &'static str,
    shape: Shape,
}

impl Display for Conclusion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (cell, digit) = self.what;
        write!(f, "{} {} {}", cell.name(self.shape), self.verb, symbol(digit.value(), self.shape.order()))
    }
}

fn digit_token(digit: Digit, shape: Shape) -> String {
    format!("d{}", symbol(digit.value(), shape.order()))
}

fn house_token(house: House, shape: Shape) -> String {
    house.name(shape).to_string().replace(' ', "")
}

/// "a", "a and b", "a, b and c".
fn push_list(text: &mut String, items: impl Iterator<Item: Display>) {
    let mut items = items.peekable();
    let mut before = "";
    while let Some(item) = items.next() {
        let _ = write!(text, "{}{item}", if before.is_empty() || items.peek().is_some() { before } else { " and " });
        before = ", ";
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::tests::{LINES, puzzle};
    use super::super::{rate_with_rows, wrong};
    use super::*;
    use crate::random::{Rng, Stage};
    use crate::rate::Ladder;
    use crate::solve::{Budget, Verdict, verdict};

    #[test]
    fn only_tokens_of_the_vocabulary_are_written() {
        let words: HashSet<String> = vocabulary(Shape::NINE).into_iter().collect();
        assert_eq!(words.len(), vocabulary(Shape::NINE).len());
        for line in LINES {
            let puzzle = puzzle(line);
            let (rating, mut rows) = rate_with_rows(&puzzle, &Ladder::default());
            let Verdict::Unique(solution) = verdict(&puzzle, Budget::UNLIMITED) else { panic!("{line}") };
            let mut rng = Rng::new(1, 0, Stage::Sample, 0);
            rows.extend(wrong::wrong_rows(&puzzle, &solution, &rows, 5, &mut rng));
            let text = solution_tokens(&puzzle, &rows, rating.finished);
            for token in text.split(' ') {
                assert!(words.contains(token), "{token}");
            }
        }
    }

    #[test]
    fn sentences_are_english() {
        let puzzle = puzzle(LINES[1]);
        let (_, rows) = rate_with_rows(&puzzle, &Ladder::default());
        let sentence = rows[0].sentence(Shape::NINE);
        assert!(sentence.contains(". So r") && sentence.ends_with('.'), "{sentence}");
        for (items, list) in [(&[][..], ""), (&["a"], "a"), (&["a", "b"], "a and b"), (&["a", "b", "c"], "a, b and c")]
        {
            let mut text = String::new();
            push_list(&mut text, items.iter());
            assert_eq!(text, list);
        }
    }
}
