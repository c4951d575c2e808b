//! Rows of steps as JSON objects. Names and texts have no character that JSON writes in another way.

use super::{RowKind, StepRow};
use crate::board::{Cell, Digit, House, Layout, Shape};

impl StepRow {
    /// Appends the row as an object. Its keys are in alphabetical order.
    pub fn push_json(&self, text: &mut String, shape: Shape) {
        let layout = Layout::of(shape);
        let house = |text: &mut String, house: &House| quoted(text, |text| text.push_str(layout.house_name(*house)));
        let cell = |text: &mut String, cell: &Cell| quoted(text, |text| text.push_str(layout.cell_name(*cell)));
        let pair = |text: &mut String, (of, digit): &(Cell, Digit)| {
            text.push_str("{\"cell\":");
            cell(text, of);
            text.push_str(",\"digit\":");
            push_number(text, digit.value().into());
            text.push('}');
        };
        let step = self.step.as_ref();
        let mut object = Object { text, next: '{' };
        if let Some(step) = step {
            list(object.value("base"), &step.pattern.base, house);
        }
        quoted(object.value("board"), |text| self.push_board(text, shape));
        quoted(object.value("candidates"), |text| self.push_candidates(text, shape));
        if let Some(step) = step {
            list(object.value("cells"), &step.pattern.cells, cell);
            list(object.value("cover"), &step.pattern.cover, house);
            let digits = step.pattern.digits;
            list(object.value("digits"), digits.iter(), |text, digit| push_number(text, digit.value().into()));
        }
        quoted(object.value("kind"), |text| text.push_str(self.kind.name()));
        if let Some(step) = step {
            let name = self.hint.as_ref().map(|hint| hint.kind.name());
            quoted(object.value("name"), |text| text.push_str(name.as_deref().unwrap_or(step.technique.name())));
            list(object.value("place"), &step.placements, pair);
            list(object.value("remove"), &step.eliminations, pair);
            object.value("right").push_str(if self.kind == RowKind::Step { "true" } else { "false" });
            object.number("round", Some(step.round));
            object.number("score", self.score());
            object.number("se_tenths", self.se_tenths().map(u32::from));
        }
        quoted(object.value("sentence"), |text| self.push_sentence(text, shape));
        object.number("solutions", Some(self.solutions));
        if step.is_some() {
            object.number("step", Some(self.number));
            quoted(object.value("technique"), |text| text.push_str(&self.technique().unwrap_or_default()));
        }
        quoted(object.value("tokens"), |text| self.push_tokens(text, shape));
        text.push('}');
    }
}

/// An object being written, and what stands before its next key.
struct Object<'t> {
    text: &'t mut String,
    next: char,
}

impl Object<'_> {
    /// Appends a key. Its value is to be appended next.
    fn value(&mut self, key: &str) -> &mut String {
        self.text.push(self.next);
        self.next = ',';
        quoted(self.text, |text| text.push_str(key));
        self.text.push(':');
        self.text
    }

    fn number(&mut self, key: &str, number: Option<u32>) {
        let text = self.value(key);
        match number {
            Some(number) => push_number(text, number),
            None => text.push_str("null"),
        }
    }
}

fn quoted(text: &mut String, push: impl FnOnce(&mut String)) {
    text.push('"');
    push(text);
    text.push('"');
}

fn list<T>(text: &mut String, items: impl IntoIterator<Item = T>, push: impl Fn(&mut String, T)) {
    text.push('[');
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        push(text, item);
    }
    text.push(']');
}

fn push_number(text: &mut String, number: u32) {
    if number > 9 {
        push_number(text, number / 10);
    }
    text.push((b'0' + (number % 10) as u8) as char);
}

#[cfg(test)]
mod tests {
    use super::super::tests::{LINES, puzzle};
    use super::super::{explainer_rows, rate_with_rows};
    use super::*;
    use crate::rate::{Ladder, TECHNIQUES};

    /// serde_json writes what it has read with keys in alphabetical order and without blanks.
    #[test]
    fn rows_are_objects() {
        for line in LINES {
            let puzzle = puzzle(line);
            let mut rows = rate_with_rows(&puzzle, &Ladder::default()).1;
            rows.extend(explainer_rows(&puzzle));
            rows.push(StepRow { kind: RowKind::State, step: None, hint: None, ..rows[0].clone() });
            for row in rows {
                let mut text = String::new();
                row.push_json(&mut text, Shape::NINE);
                let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!(value.to_string(), text);
                let (tokens, name) = (value["tokens"].as_str().unwrap(), value["technique"].as_str());
                assert!(name.is_none_or(|name| tokens.split(' ').nth(1) == Some(name)), "{text}");
            }
        }
        let is_plain = |text: &str| serde_json::to_string(text).unwrap() == format!("\"{text}\"");
        assert!(TECHNIQUES.iter().all(|info| is_plain(info.name) && is_plain(info.code)));
    }
}
