//! Reads the rows of a grid in an answer, and the labels that say which row or column each of them is.
//!
//! ```text
//!   row     label? cells comment?     "Row 3: 1 9 8 3 4 2 5 6 7", "198342567  # row 3", "top: [1, 9, 8, ..]"
//!   block   rows one after another, all with the same kind of label or all without one
//!   grid    the last rows of the last block with enough rows, in the order of their labels
//! ```

use super::marks::{is_frame, values_of};

/// A grid in a text.
pub(super) struct FoundGrid {
    /// None if its labels contradict each other.
    pub cells: Option<Vec<u16>>,
    /// Where it ends in the text.
    pub end: usize,
}

/// The cells of a row or a column, and the label that says which one they are.
struct LabeledRow {
    label: Option<Label>,
    cells: Vec<u16>,
}

/// What stands before the cells of a row, or in a comment behind them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Label {
    kind: LabelKind,
    number: usize,
}

impl Label {
    /// True if it counts on from the label of the row before.
    fn follows(self, before: Label) -> bool {
        self.kind == before.kind && self.number == before.number + 1
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LabelKind {
    Row,
    Column,
    Box,
    /// A number alone: rows in their order.
    Count,
}

/// A text behind its label.
struct Labeled<'t> {
    label: Label,
    rest: &'t str,
}

/// Rows one after another, all with the same kind of label or all without one.
#[derive(Default)]
struct Block {
    rows: Vec<LabeledRow>,
    /// Where its last row ends in the text.
    end: usize,
}

impl Block {
    /// True if a row can follow. A list that counts from the beginning is a new block.
    fn can_have(&self, row: &LabeledRow) -> bool {
        let Some(last_row) = self.rows.last() else { return true };
        match (last_row.label, row.label) {
            (None, None) => true,
            (Some(before), Some(label)) if label.kind == before.kind => {
                label.kind != LabelKind::Count || label.number > 1 || label.follows(before)
            }
            _ => false,
        }
    }

    /// The cells of the last rows of a block, in the order of their labels. None if a label is double or missing.
    fn cells(&self, order: usize) -> Option<Vec<u16>> {
        let rows = &self.rows[self.rows.len() - order..];
        let labels: Vec<Label> = rows.iter().filter_map(|row| row.label).collect();
        let Some(&Label { kind, .. }) = labels.first() else {
            return Some(rows.iter().flat_map(|row| &row.cells).copied().collect());
        };
        let numbers: Vec<usize> = labels.iter().map(|label| label.number).collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        // Some count from 0.
        let lowest = sorted[0];
        let has_each_number = lowest <= 1 && sorted.iter().copied().eq(lowest..lowest + order);
        let is_in_order = numbers == sorted;
        let has_whole_grids = self.rows.len().is_multiple_of(order);
        if !has_each_number || !has_whole_grids || kind == LabelKind::Count && !is_in_order {
            return None;
        }
        let mut grid = vec![0; order * order];
        for (row, number) in rows.iter().zip(numbers) {
            let first = number - lowest;
            for (second, &cell) in row.cells.iter().enumerate() {
                let place = if kind == LabelKind::Column { second * order + first } else { first * order + second };
                grid[place] = cell;
            }
        }
        Some(grid)
    }
}

/// The grid of the last rows one after another.
pub(super) fn grid_of_rows(text: &str, order: usize) -> Option<FoundGrid> {
    let mut blocks = Vec::new();
    let mut block = Block::default();
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if line.chars().all(is_frame) {
            continue;
        }
        let rows = rows_of_line(line, order).or_else(|| Some(vec![counted_row(line, block.rows.last(), order)?]));
        let Some(rows) = rows else {
            blocks.push(std::mem::take(&mut block));
            continue;
        };
        for row in rows {
            if !block.can_have(&row) {
                blocks.push(std::mem::take(&mut block));
            }
            block.rows.push(row);
            block.end = end;
        }
    }
    blocks.push(block);
    let last_grid = blocks.iter().rfind(|block| block.rows.len() >= order)?;
    Some(FoundGrid { cells: last_grid.cells(order), end: last_grid.end })
}

/// A row behind its number without a sign between them, if the number is 1 or counts on from the row before.
fn counted_row(line: &str, row_before: Option<&LabeledRow>, order: usize) -> Option<LabeledRow> {
    let values = values_of(line, order).filter(|values| values.len() == order + 1)?;
    let label = Label { kind: LabelKind::Count, number: values[0].into() };
    let label_before = row_before.and_then(|row| row.label);
    let counts = label.number == 1 || label_before.is_some_and(|before| label.follows(before));
    counts.then(|| LabeledRow { label: Some(label), cells: values[1..].to_vec() })
}

/// The rows of a line that is one, or several: a list of cells or of rows, or rows with labels.
fn rows_of_line(line: &str, order: usize) -> Option<Vec<LabeledRow>> {
    if let Some(row) = row_of(line, order) {
        return Some(vec![row]);
    }
    let cells = values_of(line, order).or_else(|| values_of(&line.replace('/', " "), order));
    if let Some(cells) = cells.filter(|cells| cells.len() == order * order) {
        return Some(cells.chunks(order).map(|cells| LabeledRow { label: None, cells: cells.to_vec() }).collect());
    }
    if let Some(rows) = rows_of_parts(labeled_parts(line), order) {
        return Some(rows);
    }
    [']', ';', '/', ','].into_iter().find_map(|separator| rows_of_parts(line.split(separator).collect(), order))
}

/// The rows of a line in parts, each of which is a row. None if there is only one part.
fn rows_of_parts(mut parts: Vec<&str>, order: usize) -> Option<Vec<LabeledRow>> {
    parts.retain(|part| !part.chars().all(is_frame));
    if parts.len() < 2 { None } else { parts.into_iter().map(|part| row_of(part, order)).collect() }
}

fn labeled_parts(line: &str) -> Vec<&str> {
    let mut starts = Vec::new();
    let mut is_in_word = false;
    for (place, symbol) in line.char_indices() {
        if !is_in_word && symbol.is_alphabetic() && named_label(&line[place..]).is_some() {
            starts.push(place);
        }
        is_in_word = symbol.is_alphanumeric();
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &line[start..end]).collect()
}

/// The row in a line: cells alone, behind a label, or before a comment. The cells of a box are no row.
fn row_of(line: &str, order: usize) -> Option<LabeledRow> {
    let line = line.trim_start_matches(|symbol: char| symbol.is_whitespace() || symbol == '>');
    let bare = without_comment(line);
    let mut row = labeled_cells(line, order).or_else(|| labeled_cells(bare, order))?;
    if row.label.is_none() {
        let comment = line[bare.len()..].trim_start_matches(|symbol: char| !symbol.is_alphanumeric());
        row.label = named_label(comment).map(|labeled| labeled.label);
    }
    let is_box = row.label.is_some_and(|label| label.kind == LabelKind::Box);
    (!is_box).then_some(row)
}

/// The cells of a text without a comment, with the label before them.
fn labeled_cells(text: &str, order: usize) -> Option<LabeledRow> {
    // A row may begin with what looks like its number.
    if let Some(cells) = cells_of(text, order) {
        return Some(LabeledRow { label: None, cells });
    }
    let labeled = label_of(text, order);
    let rest = labeled.as_ref().map_or(text, |labeled| labeled.rest);
    let cells = cells_of(rest, order).or_else(|| cells_of(without_name(rest), order))?;
    Some(LabeledRow { label: labeled.map(|labeled| labeled.label), cells })
}

/// The cells of a text that is a row of a grid. Its last point may end the sentence.
fn cells_of(text: &str, order: usize) -> Option<Vec<u16>> {
    let sentence = text.trim_end();
    let without_point = sentence.strip_suffix('.').unwrap_or(sentence);
    [sentence, without_point].into_iter().find_map(|text| values_of(text, order).filter(|cells| cells.len() == order))
}

/// A line without what stands behind `#`, `//` or `(`.
fn without_comment(line: &str) -> &str {
    let ends = ["#", "//", "("].iter().filter_map(|mark| line.find(mark).filter(|&end| end > 0));
    ends.min().map_or(line, |end| &line[..end])
}

/// A line without a name of the row in words before the list of its cells: `top: [5, 3, 4]`.
fn without_name(line: &str) -> &str {
    const LONGEST: usize = 12;
    match line.split_once([':', '>']) {
        Some((name, cells)) if name.chars().any(char::is_alphabetic) && name.len() <= LONGEST => cells,
        _ => line,
    }
}

/// The label that a line begins with: "Row 3: ", "R3 ", "3. ", "3) ", "**Column 3** - ", `"row1": `, "C: ".
fn label_of(line: &str, order: usize) -> Option<Labeled<'_>> {
    let start = line.trim_start_matches(|symbol: char| !symbol.is_alphanumeric());
    if let Some(labeled) = named_label(start) {
        return Some(labeled);
    }
    // `A` is the first row, `B` the second.
    let letter = start.bytes().next().filter(u8::is_ascii_uppercase).map(|letter| usize::from(letter - b'A') + 1);
    let (label, rest) = match letter {
        Some(number) if number <= order => (Label { kind: LabelKind::Row, number }, &start[1..]),
        _ => {
            let rest = start.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
            let number = start[..start.len() - rest.len()].parse().ok()?;
            (Label { kind: LabelKind::Count, number }, rest)
        }
    };
    let end = rest.trim_start_matches(|symbol: char| symbol.is_whitespace() || "*-\"'".contains(symbol));
    Some(Labeled { label, rest: end.strip_prefix([':', '.', ')', '=', '>'])? })
}

/// The label with a name that a text begins with, and what stands behind it and the sign that ends it.
fn named_label(text: &str) -> Option<Labeled<'_>> {
    let (name, rest) = text.split_at(text.find(|symbol: char| !symbol.is_alphabetic()).unwrap_or(text.len()));
    let kind = match &*name.to_ascii_lowercase() {
        "row" | "line" | "r" => LabelKind::Row,
        "column" | "col" | "c" => LabelKind::Column,
        "box" | "block" | "region" | "square" | "b" => LabelKind::Box,
        _ => return None,
    };
    let number = if name.len() == 1 { rest } else { rest.trim_start_matches([' ', '_', '-', '#']) };
    let (digits, rest) = number.split_at(number.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(number.len()));
    let label = Label { kind, number: digits.parse().ok()? };
    if rest.starts_with(char::is_alphanumeric) {
        return None;
    }
    let rest = rest.strip_prefix('.').unwrap_or(rest);
    Some(Labeled { label, rest: rest.trim_start_matches(|symbol: char| is_frame(symbol) || symbol == '>') })
}
