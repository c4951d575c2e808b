//! Packs the rows of a puzzle into a few lists, because many rows wait until they are written.
//!
//! ```text
//!   key of a step    shape | kind, technique | digits | cells | base | cover | cell digit .. | cell digit ..
//!                                                                              placements      eliminations
//! ```
//!
//! A key has all that columns show of a step, apart from its number and its round. So equal keys are equal steps, and
//! most steps of many puzzles are singles that were there before. Positions are kept as texts.

use std::borrow::Cow;

use super::{RowKind, StepRow};
use crate::board::{Cell, Digit, House, Layout, Shape};
use crate::ladder::words::sink::Pattern;
use crate::ladder::{Step, Technique};

/// The rows of a puzzle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedRows {
    pub(super) rows: Vec<Packed>,
    /// The keys of all rows, one after another. The key of [`PackedRows::whole_rows`] is empty.
    keys: Vec<u16>,
    /// Rows that a key does not tell: hints, positions without a step, and positions that have not one solution.
    whole_rows: Vec<StepRow>,
    /// The boards, each after its length.
    pub(super) boards: Vec<u8>,
    /// The candidates, each text after its length.
    pub(super) candidates: Vec<u8>,
    /// A board that is being written.
    board: String,
    /// The bytes of boards and candidates, as texts.
    pub bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Packed {
    /// Where its key ends in [`PackedRows::keys`], and that of the next row begins.
    key_end: u32,
    /// The number of its step. The round follows.
    pub(super) number: u32,
    pub(super) round: Option<u32>,
    /// How many of [`PackedRows::whole_rows`] stand before it: the place of the row there, if it is one of them.
    whole_rows_before: u32,
}

/// Ends a list in a key. No cell, house or digit has this number.
const END: u16 = u16::MAX;

/// Room for the key of a single, and of most other steps.
const USUAL_KEY: usize = 24;

/// The bytes of a cell in the candidates of a position, on average: two digits and a blank.
const USUAL_CANDIDATES: usize = 3;

impl PackedRows {
    /// No rows, with room for about this number of steps on a board of some cells: longer keys and texts need more.
    pub fn with_capacity(steps: usize, cells: usize) -> PackedRows {
        PackedRows {
            rows: Vec::with_capacity(steps),
            keys: Vec::with_capacity(USUAL_KEY * steps),
            boards: Vec::with_capacity(steps * (cells + LENGTH)),
            candidates: Vec::with_capacity(USUAL_CANDIDATES * steps * cells),
            ..PackedRows::default()
        }
    }

    /// Adds a row and its position.
    pub fn push(&mut self, row: &StepRow, shape: Shape) {
        let whole_rows_before = self.whole_rows.len() as u32;
        match row.step.as_ref().filter(|_| row.hint.is_none() && row.solutions == 1) {
            Some(step) => push_key(&mut self.keys, row.kind, step, shape),
            None => self.whole_rows.push(row.clone()),
        }
        self.board.clear();
        row.push_board(&mut self.board, shape);
        push_plain(&mut self.boards, &self.board);
        let start = self.candidates.len() + LENGTH;
        self.candidates.extend_from_slice(&[0; LENGTH]);
        row.push_words(&mut self.candidates, shape);
        let length = self.candidates.len() - start;
        self.candidates[start - LENGTH..start].copy_from_slice(&(length as u32).to_le_bytes());
        self.bytes += self.board.len() + length;
        self.rows.push(Packed {
            key_end: self.keys.len() as u32,
            number: row.number,
            round: row.step.as_ref().map(|step| step.round),
            whole_rows_before,
        });
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What determines a step. It is empty for [`PackedRows::whole_rows`].
    pub(super) fn key(&self, place: usize) -> &[u16] {
        let start = if place == 0 { 0 } else { self.rows[place - 1].key_end };
        &self.keys[start as usize..self.rows[place].key_end as usize]
    }

    /// A row without position, number and round; [`PackedRows::whole_rows`] have all.
    pub(super) fn row(&self, place: usize) -> Cow<'_, StepRow> {
        let key = self.key(place);
        if key.is_empty() {
            Cow::Borrowed(&self.whole_rows[self.rows[place].whole_rows_before as usize])
        } else {
            Cow::Owned(row_of(key))
        }
    }
}

/// Appends the key of a step. The length of a chain is left out: no column shows it.
fn push_key(key: &mut Vec<u16>, kind: RowKind, step: &Step, shape: Shape) {
    key.extend(Layout::of(shape).shape_name().bytes().map(u16::from));
    key.extend([END, u16::from(kind == RowKind::Step), step.technique as u16]);
    key.extend(step.pattern.digits.iter().map(|digit| digit.index() as u16));
    key.push(END);
    key.extend(step.pattern.cells.iter().map(|cell| cell.index() as u16));
    for houses in [&step.pattern.base, &step.pattern.cover] {
        key.push(END);
        key.extend(houses.iter().map(|house| house.index() as u16));
    }
    for list in [&step.placements, &step.eliminations] {
        key.push(END);
        list.iter().for_each(|(cell, digit)| key.extend([cell.index() as u16, digit.index() as u16]));
    }
}

/// The row of a key, with number and round 0, and 0 links.
fn row_of(key: &[u16]) -> StepRow {
    // The lists are taken in the order in which `push_key` wrote them. The first one, the shape, is no part of a row.
    let mut lists = key.split(|&number| number == END).skip(1);
    let mut next_list = || lists.next().unwrap_or_default();
    let [is_step, technique, ref digits @ ..] = *next_list() else {
        unreachable!("the first list of a key begins with the kind and the technique");
    };
    let pattern = Pattern {
        digits: digits.iter().map(|&digit| Digit::from_index(digit.into())).collect(),
        cells: next_list().iter().map(|&cell| Cell::new(cell.into())).collect(),
        base: next_list().iter().map(|&house| House::new(house.into())).collect(),
        cover: next_list().iter().map(|&house| House::new(house.into())).collect(),
        links: 0,
    };
    let (placements, eliminations) = (candidates_of(next_list()), candidates_of(next_list()));
    let Some(technique) = Technique::all().nth(technique.into()) else { unreachable!("keys have known techniques") };
    let step = Step { round: 0, technique, pattern, placements, eliminations };
    let kind = if is_step == 1 { RowKind::Step } else { RowKind::WrongStep };
    StepRow { kind, step: Some(step), ..StepRow::blank() }
}

/// The candidates of a list in a key: a cell and a digit in turn.
fn candidates_of(list: &[u16]) -> Vec<(Cell, Digit)> {
    let pairs = list.chunks_exact(2);
    pairs.map(|pair| (Cell::new(pair[0].into()), Digit::from_index(pair[1].into()))).collect()
}

/// The bytes of the length of a text.
const LENGTH: usize = 4;

/// Takes the next text from texts after their lengths.
pub(super) fn next_plain<'a>(texts: &mut &'a [u8]) -> &'a [u8] {
    let (length, rest) = texts.split_first_chunk().unwrap_or((&[0; LENGTH], &[]));
    let (text, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
    *texts = rest;
    text
}

pub(super) fn push_plain(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::super::explainer_rows;
    use super::super::tests::{LINES, puzzle, rated};
    use super::super::wrong::wrong_rows;
    use super::*;
    use crate::random::{Rng, Stage};
    use crate::solve::{Budget, Verdict, verdict};

    /// What columns show of a row. The number and the round stand beside it, and no column has the length of a chain.
    fn shown(row: &StepRow) -> StepRow {
        let mut row = StepRow { number: 0, values: Vec::new(), candidates: Vec::new(), ..row.clone() };
        row.step.iter_mut().for_each(|step| (step.round, step.pattern.links) = (0, 0));
        row
    }

    #[test]
    fn rows_are_unpacked_as_they_were() {
        let mut kinds = [0; 4];
        for line in LINES {
            let puzzle = puzzle(line);
            let mut rows = rated(&puzzle).1;
            let Verdict::Unique(solution) = verdict(&puzzle, Budget::UNLIMITED) else { panic!("{line}") };
            let wrong = wrong_rows(&puzzle, &solution, &rows, 8, &mut Rng::new(1, 0, Stage::Sample, 0));
            rows.extend(wrong);
            explainer_rows(&puzzle, &mut |row| rows.push(row.clone()));
            let mut packed = PackedRows::default();
            rows.iter().for_each(|row| packed.push(row, Shape::NINE));
            let lines: Vec<_> = packed.lines(7, Some("class"), Shape::NINE).collect();
            assert_eq!(lines.len(), rows.len());
            for (row, line) in rows.iter().zip(&lines) {
                assert_eq!(shown(&line.row), shown(row));
                let round = row.step.as_ref().map(|step| step.round);
                assert_eq!((line.puzzle_row, line.class), (7, Some("class")));
                assert_eq!((line.number, line.round), (row.number, round));
                let [board, candidates] = [StepRow::push_board, StepRow::push_candidates].map(|push| {
                    let mut text = String::new();
                    push(row, &mut text, Shape::NINE);
                    text
                });
                assert_eq!((&line.board, &line.candidates), (&board, &candidates));
                kinds[if row.hint.is_some() { 3 } else { row.kind as usize }] += 1;
            }
        }
        assert!(kinds.iter().all(|&rows| rows > 2), "{kinds:?}");
    }
}
