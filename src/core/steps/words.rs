//! Writes rows of steps as text: English sentences, and tokens of a fixed vocabulary.
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

use std::sync::LazyLock;

use super::{RowKind, StepRow};
use crate::board::text::{self, symbol};
use crate::board::{Digit, House, Layout, Puzzle, Shape};
use crate::explainer::HintKind;
use crate::ladder::{Step, TECHNIQUES, Technique};

/// The tokens that are no cells, digits, houses or techniques.
const MARKERS: &str =
    "puzzle step wrong state in base cover place remove solutions none several solved stuck . <pad> <end>";

/// Every token for boards of a shape. The order is fixed, because models know a token by its number; the hints of Sudoku
/// Explainer, which is for 9x9 only, come last. `<pad>` and `<end>` are never written; they are for training models.
///
/// # Panics
/// Above order 36, where digits have no symbols.
pub fn vocabulary(shape: Shape) -> Vec<String> {
    let layout = Layout::of(shape);
    let markers = MARKERS.split(' ').map(str::to_owned);
    let digits = (1..=shape.order() as u16).map(|value| format!("d{}", symbol(value, shape.order())));
    let cells = layout.cells().map(|cell| layout.cell_name(cell).to_owned());
    let houses = layout.houses().map(|house| house_token(layout, house).collect());
    let techniques = TECHNIQUES.iter().map(|info| info.code.to_owned());
    let hints = HintKind::all().map(HintKind::code).filter(|_| shape == Shape::NINE);
    let hints = hints.filter(|hint| TECHNIQUES.iter().all(|info| info.code != hint));
    markers.chain(digits).chain(cells).chain(houses).chain(techniques).chain(hints).collect()
}

/// The last token of a solution, after its blank. The index says whether the solution is complete: 0 no, 1 yes.
pub const END: [&str; 2] = [" stuck", " solved"];

/// Appends the first tokens of a solution: those of the puzzle.
///
/// # Panics
/// Above order 36, if a digit has no symbol.
pub fn push_puzzle(text: &mut String, puzzle: &Puzzle) {
    text.push_str("puzzle");
    push_values(text, puzzle.grid().values(), puzzle.shape());
}

/// The text of a cell on boards up to order 9: a word such as `159`, and a blank. Byte 15 is the length of both.
type CellText = [u8; 16];

/// `[mask]`: the text of a cell with these candidates. 0 is a filled cell, `EMPTY` an empty one without candidates.
static CELL_TEXTS: LazyLock<[CellText; EMPTY + 1]> = LazyLock::new(|| {
    std::array::from_fn(|mask| {
        let symbols: Vec<u8> = match mask {
            0 => vec![b'.'],
            EMPTY => vec![b'-'],
            _ => (0..9).filter(|digit| mask >> digit & 1 == 1).map(|digit| b'1' + digit).collect(),
        };
        let mut cell_text: CellText = [b' '; 16];
        cell_text[..symbols.len()].copy_from_slice(&symbols);
        cell_text[15] = symbols.len() as u8 + 1;
        cell_text
    })
});

/// The index in `CELL_TEXTS` after those of all sets of nine candidates.
const EMPTY: usize = 1 << 9;

// There are millions of steps, so all texts are written in place, from names that were made once.
impl StepRow {
    pub(super) fn push_board(&self, text: &mut String, shape: Shape) {
        text::push_values(text, shape, &self.values);
    }

    /// Appends the candidates before the step: a word for each cell with the symbols of its candidates, lowest first.
    /// The words are separated by blanks. `.` is a filled cell, `-` an empty cell without candidates. Above 36x36, a
    /// word holds numbers, separated by commas.
    pub(super) fn push_candidates(&self, text: &mut String, shape: Shape) {
        let mut ascii = Vec::new();
        self.push_words(&mut ascii, shape);
        text::push_ascii(text, &ascii);
    }

    /// Appends the bytes of [`StepRow::push_candidates`].
    pub(super) fn push_words(&self, text: &mut Vec<u8>, shape: Shape) {
        let order = shape.order();
        let cells = self.candidates.iter().zip(&self.values);
        if order <= 9 {
            // Sixteen bytes are written for each cell. The next cell overwrites those after the blank. So a line needs
            // room for 81 texts of nine candidates and a blank, and for what the last one writes too much.
            const LINE: usize = 81 * 10 + 16;
            let (cell_texts, start, mut end) = (&*CELL_TEXTS, text.len(), 0);
            text.resize(start + LINE, 0);
            if let Some(line) = text.last_chunk_mut::<LINE>() {
                for (&mask, &value) in cells {
                    let index = if value == 0 && mask == 0 { EMPTY } else { mask as usize % EMPTY };
                    line[end..end + 16].copy_from_slice(&cell_texts[index]);
                    end += usize::from(cell_texts[index][15]);
                }
            }
            return text.truncate(start + end.saturating_sub(1));
        }
        for (&mask, &value) in cells {
            match (mask, value) {
                (0, 0) => text.push(b'-'),
                (0, _) => text.push(b'.'),
                _ => push_word(text, mask, order),
            }
            text.push(b' ');
        }
        text.pop();
    }

    /// Appends the tokens of the row.
    ///
    /// # Panics
    /// Above order 36, if a digit has no symbol.
    pub fn push_tokens(&self, text: &mut String, shape: Shape) {
        let Some(step) = &self.step else {
            text.push_str("state");
            push_values(text, &self.values, shape);
            text.push_str(if self.solutions == 0 { " solutions none" } else { " solutions several" });
            return;
        };
        let layout = Layout::of(shape);
        text.push_str(if self.kind == RowKind::Step { "step" } else { "wrong" });
        push(text, &self.technique().unwrap_or_default());
        step.pattern.digits.iter().for_each(|digit| push_digit(text, digit, shape));
        push(text, "in");
        step.pattern.cells.iter().for_each(|&cell| push(text, layout.cell_name(cell)));
        for (marker, houses) in [("base", &step.pattern.base), ("cover", &step.pattern.cover)] {
            if !houses.is_empty() {
                push(text, marker);
                for &house in houses {
                    text.push(' ');
                    text.extend(house_token(layout, house));
                }
            }
        }
        for (marker, list) in [("place", &step.placements), ("remove", &step.eliminations)] {
            if !list.is_empty() {
                push(text, marker);
                for &(cell, digit) in list {
                    push(text, layout.cell_name(cell));
                    push_digit(text, digit, shape);
                }
            }
        }
    }

    /// Appends the row as one to three English sentences, or as its hint says it. The last one says if a step is wrong.
    ///
    /// # Panics
    /// Above order 36, if a digit has no symbol.
    pub fn push_sentence(&self, text: &mut String, shape: Shape) {
        if let Some(hint) = &self.hint {
            text.push_str(&hint.to_string());
            return;
        }
        let Some(step) = &self.step else {
            let solutions = if self.solutions == 0 { "no solution" } else { "more than one solution" };
            text.extend(["This position has ", solutions, "."]);
            return;
        };
        push_pattern(text, step, shape);
        text.push_str(". So ");
        push_conclusion(text, step, shape);
        text.push('.');
        if self.kind == RowKind::WrongStep {
            text.push_str(" This step is wrong.");
        }
    }
}

/// Appends the symbols of the candidates of a cell; above order 36 their numbers with commas. No blank follows.
fn push_word(text: &mut Vec<u8>, mask: u64, order: usize) {
    let mut rest = mask;
    while rest > 0 {
        let value = rest.trailing_zeros() as u16 + 1;
        rest &= rest - 1;
        if order <= 36 {
            text.push(symbol(value, order) as u8);
        } else {
            text.extend(value.to_string().bytes());
            text.extend((rest > 0).then_some(b','));
        }
    }
}

fn push(text: &mut String, token: &str) {
    text.push(' ');
    text.push_str(token);
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

/// The name of a house without its blank.
fn house_token(layout: &Layout, house: House) -> impl Iterator<Item = char> {
    layout.house_name(house).chars().filter(|&symbol| symbol != ' ')
}

/// Appends what a step has seen, as a clause.
fn push_pattern(text: &mut String, step: &Step, shape: Shape) {
    let (layout, pattern) = (Layout::of(shape), &step.pattern);
    let push_digits = |text: &mut String| {
        push_list(text, pattern.digits.iter(), |text, digit| text.push(symbol(digit.value(), shape.order())));
    };
    let push_cells = |text: &mut String| {
        push_list(text, pattern.cells.iter(), |text, &cell| text.push_str(layout.cell_name(cell)));
    };
    match step.technique {
        Technique::FullHouse => {
            push_cells(text);
            text.push_str(" is the only empty cell of a house");
        }
        Technique::NakedSingle => {
            push_digits(text);
            text.push_str(" is the only candidate of ");
            push_cells(text);
        }
        technique if technique.is_of_jigsaws() => {
            text.extend([technique.name(), ": all places of "]);
            push_digits(text);
        }
        technique => {
            text.push_str(technique.name());
            text.push_str(if pattern.digits.is_empty() { "" } else { " on " });
            push_digits(text);
            text.push_str(if pattern.cells.is_empty() { "" } else { " in " });
            push_cells(text);
        }
    }
    let verbs = if step.technique.is_of_jigsaws() { [" in ", " lie in "] } else { [", seen in ", ", against "] };
    for (verb, houses) in verbs.into_iter().zip([&pattern.base, &pattern.cover]) {
        text.push_str(if houses.is_empty() { "" } else { verb });
        push_list(text, houses.iter(), |text, &house| text.push_str(layout.house_name(house)));
    }
}

/// Appends what a step concludes, as a clause.
fn push_conclusion(text: &mut String, step: &Step, shape: Shape) {
    let placed = step.placements.iter().map(|candidate| (candidate, " is "));
    let removed = step.eliminations.iter().map(|candidate| (candidate, " is not "));
    push_list(text, placed.chain(removed), |text, (&(cell, digit), verb)| {
        text.push_str(Layout::of(shape).cell_name(cell));
        text.push_str(verb);
        text.push(symbol(digit.value(), shape.order()));
    });
}

/// Writes a list: "a", "a and b", "a, b and c".
fn push_list<T>(text: &mut String, items: impl Iterator<Item = T>, push: impl Fn(&mut String, T)) {
    let mut items = items.peekable();
    let mut before = "";
    while let Some(item) = items.next() {
        text.push_str(if before.is_empty() || items.peek().is_some() { before } else { " and " });
        push(text, item);
        before = ", ";
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::tests::{LINES, puzzle, rated};
    use super::super::{explainer_rows, wrong};
    use super::*;
    use crate::random::{Rng, Stage};
    use crate::solve::{Budget, Verdict, verdict};

    #[test]
    fn only_tokens_of_the_vocabulary_are_written() {
        let words: HashSet<String> = vocabulary(Shape::NINE).into_iter().collect();
        assert_eq!(words.len(), vocabulary(Shape::NINE).len());
        for line in LINES {
            let puzzle = puzzle(line);
            let (_, mut rows) = rated(&puzzle);
            let Verdict::Unique(solution) = verdict(&puzzle, Budget::UNLIMITED) else { panic!("{line}") };
            let mut rng = Rng::new(1, 0, Stage::Sample, 0);
            rows.extend(wrong::wrong_rows(&puzzle, &solution, &rows, 5, &mut rng));
            explainer_rows(&puzzle, &mut |row| rows.push(row.clone()));
            let mut text = String::new();
            push_puzzle(&mut text, &puzzle);
            for row in &rows {
                text.push(' ');
                row.push_tokens(&mut text, Shape::NINE);
            }
            for token in text.split(' ').chain(END.map(|end| &end[1..])) {
                assert!(words.contains(token), "{token}");
            }
        }
    }

    /// Hints that no puzzle of a test gets have tokens too: loops of each length, and chains nested in chains.
    #[test]
    fn every_hint_has_a_token() {
        let words: HashSet<String> = vocabulary(Shape::NINE).into_iter().collect();
        let codes: Vec<String> = HintKind::all().map(HintKind::code).collect();
        assert!(codes.iter().all(|code| words.contains(code)));
        for code in ["unique_loop_10_type_3", "bug_type_4", "dynamic_cell_forcing_chains_plus_forcing_chains"] {
            assert!(codes.iter().any(|known| known == code), "{code}");
        }
        assert!(!vocabulary(Shape::of_order(6).unwrap()).contains(&codes[0]));
    }

    #[test]
    fn sentences_are_english() {
        let puzzle = puzzle(LINES[1]);
        let (_, rows) = rated(&puzzle);
        let mut sentence = String::new();
        rows[0].push_sentence(&mut sentence, Shape::NINE);
        assert!(sentence.contains(". So r") && sentence.ends_with('.'), "{sentence}");
        for (items, list) in [(&[][..], ""), (&["a"], "a"), (&["a", "b"], "a and b"), (&["a", "b", "c"], "a, b and c")]
        {
            let mut text = String::new();
            push_list(&mut text, items.iter(), |text, item| text.push_str(item));
            assert_eq!(text, list);
        }
    }
}
