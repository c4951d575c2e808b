//! Writes rows of steps as JSON objects. Names and texts have no character that JSON writes in another way.

use super::{RowKind, StepRow};
use crate::board::{Cell, Digit, House, Layout, Shape};

impl StepRow {
    /// Appends the row as an object. Its keys are in alphabetical order.
    pub fn push_json(&self, text: &mut String, shape: Shape) {
        let layout = Layout::of(shape);
        let step = self.step.as_ref();
        text.push('{');
        if let Some(step) = step {
            house_list(text, r#""base":"#, &step.pattern.base, layout);
            text.push(',');
        }
        text.push_str(r#""board":""#);
        self.push_board(text, shape);
        text.push_str(r#"","candidates":""#);
        self.push_candidates(text, shape);
        text.push('"');
        if let Some(step) = step {
            list(text, r#","cells":"#, &step.pattern.cells, |text, &cell| {
                text.extend(["\"", layout.cell_name(cell), "\""]);
            });
            house_list(text, r#","cover":"#, &step.pattern.cover, layout);
            let digits = step.pattern.digits;
            list(text, r#","digits":"#, digits.iter(), |text, digit| push_number(text, digit.value().into()));
        }
        text.extend([r#","kind":""#, self.kind.name()]);
        if let Some(step) = step {
            let name = self.hint.as_ref().map(|hint| hint.kind.name());
            text.extend([r#"","name":""#, name.as_deref().unwrap_or(step.technique.name())]);
            candidate_list(text, r#"","place":"#, &step.placements, layout);
            candidate_list(text, r#","remove":"#, &step.eliminations, layout);
            text.extend([r#","right":"#, if self.kind == RowKind::Step { "true" } else { "false" }]);
            number(text, r#","round":"#, Some(step.round));
            number(text, r#","score":"#, self.score());
            number(text, r#","se_tenths":"#, self.se_tenths().map(u32::from));
        } else {
            text.push('"');
        }
        text.push_str(r#","sentence":""#);
        self.push_sentence(text, shape);
        number(text, r#"","solutions":"#, Some(self.solutions));
        if step.is_some() {
            number(text, r#","step":"#, Some(self.number));
            text.extend([r#","technique":""#, &self.technique().unwrap_or_default(), "\""]);
        }
        text.push_str(r#","tokens":""#);
        self.push_tokens(text, shape);
        text.push_str("\"}");
    }
}

fn number(text: &mut String, key: &str, number: Option<u32>) {
    text.push_str(key);
    match number {
        Some(number) => push_number(text, number),
        None => text.push_str("null"),
    }
}

fn house_list(text: &mut String, key: &str, houses: &[House], layout: &Layout) {
    list(text, key, houses, |text, &house| text.extend(["\"", layout.house_name(house), "\""]));
}

fn candidate_list(text: &mut String, key: &str, candidates: &[(Cell, Digit)], layout: &Layout) {
    list(text, key, candidates, |text, (cell, digit)| {
        text.extend([r#"{"cell":""#, layout.cell_name(*cell), r#"","digit":"#]);
        push_number(text, digit.value().into());
        text.push('}');
    });
}

fn list<T>(text: &mut String, key: &str, items: impl IntoIterator<Item = T>, push: impl Fn(&mut String, T)) {
    text.extend([key, "["]);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
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
    use super::super::explainer_rows;
    use super::super::tests::{LINES, puzzle, rated};
    use super::*;
    use crate::ladder::TECHNIQUES;

    /// serde_json writes what it has read with keys in alphabetical order and without blanks.
    #[test]
    fn rows_are_objects() {
        for line in LINES {
            let puzzle = puzzle(line);
            let mut rows = rated(&puzzle).1;
            explainer_rows(&puzzle, &mut |row| rows.push(row.clone()));
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
