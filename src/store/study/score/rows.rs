//! Reads the rows of a grid in an answer, and the labels that say which row or column each of them is.

use super::marks::{is_frame, values_of};

/// A grid in a text.
pub(super) struct FoundGrid {
    /// None if its labels contradict each other.
    pub cells: Option<Vec<u16>>,
    /// Where it ends in the text.
    pub end: usize,
}

/// Cells that stand together, and where they stand in the grid.
struct LabeledRow {
    label: Option<Label>,
    cells: Vec<u16>,
}

/// The label before the cells of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Label {
    kind: LabelKind,
    number: usize,
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
    /// True if a row can follow. A list that counts from the beginning is a new one.
    fn can_have(&self, row: &LabeledRow) -> bool {
        let Some(last) = self.rows.last() else { return true };
        match (last.label, row.label) {
            (Some(Label { kind: LabelKind::Count, number: last }), Some(Label { kind: LabelKind::Count, number })) => {
                number == last + 1 || number > 1
            }
            (last, label) => last.map(|label| label.kind) == label.map(|label| label.kind),
        }
    }

    /// The cells of the last rows of a block, in the order of their labels. None if a label is double or missing.
    fn cells(&self, order: usize) -> Option<Vec<u16>> {
        let rows = &self.rows[self.rows.len() - order..];
        let Some(first) = rows[0].label else {
            return Some(rows.iter().flat_map(|row| &row.cells).copied().collect());
        };
        let labels: Vec<usize> = rows.iter().filter_map(|row| Some(row.label?.number)).collect();
        // Some count from 0.
        let lowest = *labels.iter().min()?;
        let mut in_order = labels.clone();
        in_order.sort_unstable();
        let is_whole = self.rows.len().is_multiple_of(order) && in_order.iter().copied().eq(lowest..lowest + order);
        if lowest > 1 || !is_whole || first.kind == LabelKind::Count && labels != in_order {
            return None;
        }
        let mut cells = vec![0; order * order];
        for (row, number) in rows.iter().zip(labels) {
            let line = number - lowest;
            for (place, &cell) in row.cells.iter().enumerate() {
                let is_column = first.kind == LabelKind::Column;
                cells[if is_column { place * order + line } else { line * order + place }] = cell;
            }
        }
        Some(cells)
    }
}

/// The grid of the last rows one after another.
pub(super) fn grid_of_rows(text: &str, order: usize) -> Option<FoundGrid> {
    let mut blocks = vec![Block::default()];
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        if line.chars().all(is_frame) {
            continue;
        }
        let last = blocks.last()?.rows.last();
        let rows = rows_of_line(line, order).or_else(|| Some(vec![counted_row(line, last, order)?]));
        if rows.is_none() {
            blocks.push(Block::default());
        }
        for row in rows.into_iter().flatten() {
            if !blocks.last()?.can_have(&row) {
                blocks.push(Block::default());
            }
            let block = blocks.last_mut()?;
            block.rows.push(row);
            block.end = end;
        }
    }
    let block = blocks.iter().rev().find(|block| block.rows.len() >= order)?;
    Some(FoundGrid { cells: block.cells(order), end: block.end })
}

/// A row behind its number without a sign between them, if the number counts on.
fn counted_row(line: &str, last: Option<&LabeledRow>, order: usize) -> Option<LabeledRow> {
    let cells = values_of(line, order).filter(|cells| cells.len() == order + 1)?;
    let label = Label { kind: LabelKind::Count, number: cells[0].into() };
    let next =
        last.and_then(|row| row.label).filter(|label| label.kind == LabelKind::Count).map(|last| last.number + 1);
    let counts = label.number == 1 || Some(label.number) == next;
    counts.then(|| LabeledRow { label: Some(label), cells: cells[1..].to_vec() })
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
    let rows_of = |parts: Vec<&str>| -> Option<Vec<LabeledRow>> {
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.chars().all(is_frame)).collect();
        if parts.len() < 2 { None } else { parts.into_iter().map(|part| row_of(part, order)).collect() }
    };
    let mut separators = [']', ';', '/', ','].into_iter();
    rows_of(labeled_parts(line)).or_else(|| separators.find_map(|sign| rows_of(line.split(sign).collect())))
}

/// The parts of a line that begin with labels.
fn labeled_parts(line: &str) -> Vec<&str> {
    let (mut starts, mut is_inside) = (Vec::new(), false);
    for (place, symbol) in line.char_indices() {
        if !is_inside && symbol.is_alphabetic() && named_label(&line[place..]).is_some() {
            starts.push(place);
        }
        is_inside = symbol.is_alphanumeric();
    }
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &line[start..end]).collect()
}

/// The row that a line is: its cells alone, behind a label, or before a comment.
fn row_of(line: &str, order: usize) -> Option<LabeledRow> {
    let line = line.trim_start_matches(|symbol: char| symbol.is_whitespace() || symbol == '>');
    let bare = without_comment(line);
    for text in [line, bare] {
        let labeled = label_of(text, order);
        let rest = labeled.as_ref().map_or(text, |labeled| labeled.rest);
        // A row may begin with what looks like its number.
        let alone = cells_of(text, order).map(|cells| LabeledRow { label: None, cells });
        let row = alone.or_else(|| {
            let cells = cells_of(rest, order).or_else(|| cells_of(without_name(rest), order))?;
            Some(LabeledRow { label: labeled.map(|labeled| labeled.label), cells })
        });
        let Some(row) = row else { continue };
        let comment = line[bare.len()..].trim_start_matches(|symbol: char| !symbol.is_alphanumeric());
        let label = row.label.or_else(|| named_label(comment).map(|labeled| labeled.label));
        let is_box = label.is_some_and(|label| label.kind == LabelKind::Box);
        return (!is_box).then_some(LabeledRow { label, ..row });
    }
    None
}

/// The cells of a text that is a row of a grid. Its last point may end the sentence.
fn cells_of(text: &str, order: usize) -> Option<Vec<u16>> {
    let sentence = text.trim_end();
    let texts = [sentence, sentence.strip_suffix('.').unwrap_or(sentence)];
    texts.into_iter().find_map(|text| values_of(text, order).filter(|cells| cells.len() == order))
}

/// A line without what stands behind `#`, `//` or `(`.
fn without_comment(line: &str) -> &str {
    let ends = ["#", "//", "("].iter().filter_map(|mark| line.find(mark).filter(|&at| at > 0));
    ends.min().map_or(line, |end| &line[..end])
}

/// A line without a name of the row in words before the list of its cells: `top: [5, 3, 4]`.
fn without_name(line: &str) -> &str {
    line.split_once([':', '>']).map_or(line, |(name, cells)| {
        let is_name = name.chars().any(char::is_alphabetic) && name.len() <= 12;
        if is_name { cells } else { line }
    })
}

/// The label that a line begins with: "Row 3: ", "R3 ", "3. ", "3) ", "**Column 3** - ", `"row1": `, "C: ".
fn label_of(line: &str, order: usize) -> Option<Labeled<'_>> {
    let start = line.trim_start_matches(|symbol: char| !symbol.is_alphanumeric());
    if let Some(labeled) = named_label(start) {
        return Some(labeled);
    }
    let digits = start.len() - start.trim_start_matches(|symbol: char| symbol.is_ascii_digit()).len();
    let letter = start.chars().next().filter(char::is_ascii_uppercase).map(|letter| letter as usize - 'A' as usize + 1);
    let (label, name) = match letter {
        Some(number) if number <= order => (Label { kind: LabelKind::Row, number }, 1),
        _ => (Label { kind: LabelKind::Count, number: start[..digits].parse().ok()? }, digits),
    };
    let marks = start[name..].trim_start_matches(|symbol: char| symbol.is_whitespace() || "*-\"'".contains(symbol));
    Some(Labeled { label, rest: marks.strip_prefix([':', '.', ')', '=', '>'])? })
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
