//! Defines what is to be printed: the puzzles in their order, how each of them is called, and their labels.

use std::ops::Range;

use crate::book::options::{Answers, Difficulty, Entry, Options, Sections};
use crate::book::sheet::arrangement::Labels;
use crate::book::text::wording::Wording;
use crate::draw::labels::{Label, Tail};
use crate::draw::text::typeface::tidy;
use crate::words::language::{Language, fill};
use crate::words::rules::rules_of;
use sudoku_corpus_core::board::{Shape, variants};
use sudoku_corpus_core::ladder::TECHNIQUES;

/// Puzzles of one level, of one board or of one month, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    /// Its name in print.
    pub name: String,
    /// A sentence or two about it; may be empty.
    pub about: String,
    /// The level of its puzzles. None if they were not rated, or if the book keeps the order of the input, as calendars
    /// do.
    pub level: Option<usize>,
    /// The board of its puzzles, in a book with a section for each board.
    pub shape: Option<Shape>,
    /// Positions in the book, from 0.
    pub puzzles: Range<usize>,
}

/// The puzzles of a book in order, with its words and options.
#[derive(Clone, Copy)]
pub(crate) struct Manuscript<'a> {
    pub entries: &'a [Entry],
    pub words: &'a Wording,
    pub options: &'a Options,
    /// The puzzles have boards of several kinds.
    is_mixed: bool,
}

/// The widest number of a page, for measuring.
const PAGE_NUMBER: &str = "8888";

/// "16 × 16" or "6 × 6"; "6 × 6 (boxes 3 × 2)" if the boxes are not the usual ones of this order, which a jigsaw does
/// not have; "9 × 9, Windoku, X" on a board with rules.
pub(crate) fn board_name(shape: Shape, language: &Language) -> String {
    let n = shape.order().to_string();
    let (rows, columns) = (shape.box_rows().to_string(), shape.box_columns().to_string());
    // The usual boxes of an order, and the regions of a jigsaw, need no words.
    let usual = shape.regions().is_some() || Shape::of_order(shape.order()).is_ok_and(|usual| usual == shape.plain());
    let text = if usual { language.text("book.board") } else { language.text("book.board_boxes") };
    let mut name = fill(text, &[("n", &n), ("rows", &rows), ("columns", &columns)]);
    for variant in variants::of(shape) {
        name.push_str(", ");
        name.push_str(variant.title);
    }
    name
}

impl<'a> Manuscript<'a> {
    pub(crate) fn new(entries: &'a [Entry], words: &'a Wording, options: &'a Options) -> Manuscript<'a> {
        let is_mixed = entries.windows(2).any(|pair| pair[0].puzzle.shape().kind() != pair[1].puzzle.shape().kind());
        Manuscript { entries, words, options, is_mixed }
    }

    /// The kind of the board of a puzzle: jigsaws of all regions are alike.
    pub(crate) fn shape(&self, index: usize) -> Shape {
        self.entries[index].puzzle.shape().kind()
    }

    /// The shapes of the book, small boards first.
    pub(crate) fn shapes(&self) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = (0..self.entries.len()).map(|index| self.shape(index)).collect();
        shapes.sort_by_key(|shape| (shape.order(), *shape));
        shapes.dedup();
        shapes
    }

    /// What puzzle, answer and hint have in common in print: the number of the puzzle, or its date.
    pub(crate) fn name(&self, index: usize) -> String {
        match self.entries[index].day {
            Some(day) => self.words.language.date(day),
            None => (self.options.before + index + 1).to_string(),
        }
    }

    /// "Puzzles 1–50"; in a calendar "1 January 2027 to 7 January 2027".
    pub(crate) fn name_of_puzzles(&self, range: &Range<usize>) -> String {
        let language = &self.words.language;
        match (self.entries[range.start].day, range.len()) {
            (None, 1) => self.filled(language.text("book.puzzle"), range),
            (None, _) => self.filled(language.text("book.puzzle_range"), range),
            (Some(_), 1) => self.name(range.start),
            (Some(_), _) => fill(
                language.text("book.from_to"),
                &[("from", &self.name(range.start)), ("to", &self.name(range.end - 1))],
            ),
        }
    }

    /// "Solutions 1–12", or "Solutions 1 January 2027 – 7 January 2027".
    pub(crate) fn name_of_solutions(&self, range: &Range<usize>) -> String {
        let language = &self.words.language;
        let text = if range.len() == 1 { language.text("book.solution") } else { language.text("book.solution_range") };
        self.filled(text, range)
    }

    fn filled(&self, text: &str, range: &Range<usize>) -> String {
        let (first, last) = (self.name(range.start), self.name(range.end - 1));
        match self.entries[range.start].day {
            // A dash between dates has blanks around it.
            Some(_) => tidy(&fill(text, &[("first", &format!("{first} ")), ("last", &format!(" {last}"))])),
            None => fill(text, &[("first", &first), ("last", &last)]),
        }
    }

    /// What a section holds: the range of its puzzles; in a calendar their number. Beside the name "Puzzles" the range
    /// stands alone.
    pub(crate) fn held(&self, section: &Section) -> String {
        match self.entries[section.puzzles.start].day {
            Some(_) => self.words.language.puzzles(section.puzzles.len()),
            // Its puzzles have a level or a board in common, and the name says which.
            None if section.level.is_some() || section.shape.is_some() => self.name_of_puzzles(&section.puzzles),
            None if section.puzzles.len() == 1 => self.name(section.puzzles.start),
            None => self.filled("{first}–{last}", &section.puzzles),
        }
    }

    /// The rules of a board, and what its solution spells.
    pub(crate) fn rules(&self, shape: Shape) -> String {
        let (language, options) = (&self.words.language, self.options);
        let rules = rules_of(shape, language, options.symbols);
        match options.symbols.word() {
            Some(word) if options.spell => {
                format!("{rules} {}", fill(language.text("how_to.spelled"), &[("word", &word)]))
            }
            _ => rules,
        }
    }

    pub(crate) fn level(&self, index: usize) -> Option<&str> {
        self.entries[index].level.and_then(|level| self.words.levels.get(level)).map(|level| level.name.as_str())
    }

    /// The labels of a puzzle. The first stands over it, and the others below it, if the options ask for them: one with
    /// the hardest technique and a line for the time, and one with the name of the puzzle.
    pub(crate) fn beside(&self, index: usize) -> Vec<Label> {
        let options = self.options;
        let mut labels = vec![self.label_over(index)];
        if options.technique || options.time {
            let time = if options.time { self.words.language.text("book.time") } else { "" };
            let tail = if options.time { Tail::Rule } else { Tail::Nothing };
            let (left, right) = if options.technique { (self.technique(index), time) } else { (time.to_owned(), "") };
            labels.push(Label { tail, ..Label::new(left, right) });
        }
        if options.names {
            labels.push(Label::new(self.entries[index].name.as_deref().unwrap_or_default(), ""));
        }
        labels
    }

    /// The label over a puzzle: its number or day, its board if the book has several, and its difficulty.
    fn label_over(&self, index: usize) -> Label {
        let (entry, options) = (&self.entries[index], self.options);
        let total = self.words.levels.len();
        let tail = match (options.difficulty, entry.level) {
            (Difficulty::Stars, Some(level)) => Tail::Stars { filled: level + 1, total },
            (Difficulty::Bars, Some(level)) => Tail::Bars { filled: level + 1, total },
            _ => Tail::Nothing,
        };
        let left = entry.day.map_or_else(|| self.name(index), |day| self.words.day(day));
        let mut right = Vec::new();
        if self.is_mixed {
            right.push(board_name(self.shape(index), &self.words.language));
        }
        if options.difficulty == Difficulty::Words {
            right.extend(self.level(index).map(str::to_owned));
        }
        Label { tail, ..Label::new(left, right.join(" · ")) }
    }

    /// The name of the hardest technique of a puzzle; empty if it is not known.
    fn technique(&self, index: usize) -> String {
        let Some(technique) = self.entries[index].technique else { return String::new() };
        let row = &TECHNIQUES[technique as usize];
        let name = self.words.language.technique(row.code, row.name);
        // Levels of another scale may disagree with the ladder, so the line names the ladder's scale.
        if self.options.levels_by_er { format!("HoDoKu: {name}") } else { name.to_owned() }
    }

    /// Over a solution: the number or date, and the page of the puzzle unless it is the same.
    pub(crate) fn solved(&self, index: usize, page: &str) -> Label {
        let name = self.entries[index].day.map_or_else(|| self.name(index), |day| self.words.date(day));
        let page = match self.options.answers {
            Answers::Below => String::new(),
            _ => fill(self.words.language.text("book.page"), &[("page", page)]),
        };
        Label::new(name, page)
    }

    /// All labels of a shape of the book, for measuring.
    pub(crate) fn labels(&self, shape: Shape) -> Labels {
        let mut is_dated = false;
        // All puzzles have the same number of labels. `puzzles` has a list for each slot.
        let mut puzzles: Vec<Vec<Label>> = Vec::new();
        let mut solutions = Vec::new();
        for index in (0..self.entries.len()).filter(|&index| self.shape(index) == shape) {
            is_dated |= self.entries[index].day.is_some();
            let labels = self.beside(index);
            puzzles.resize(labels.len(), Vec::new());
            for (slot, label) in labels.into_iter().enumerate() {
                puzzles[slot].push(label);
            }
            solutions.push(self.solved(index, PAGE_NUMBER));
        }
        Labels { is_dated, puzzles, solutions: vec![solutions] }
    }

    /// The runs of puzzles of one level or one board, or of one month if puzzles have a day.
    pub(crate) fn sections(&self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        let mut previous_month = None;
        let kind = if self.options.keep_order { None } else { Some(self.options.sections) };
        for (index, entry) in self.entries.iter().enumerate() {
            let level = if kind == Some(Sections::Level) { entry.level } else { None };
            let shape = if kind == Some(Sections::Board) { Some(self.shape(index)) } else { None };
            let month = entry.day.map(|day| (day.year, day.month));
            match sections.last_mut() {
                Some(section) if (section.level, section.shape) == (level, shape) && previous_month == month => {
                    section.puzzles.end = index + 1
                }
                _ => {
                    let language = &self.words.language;
                    let texts = level.and_then(|level| self.words.levels.get(level));
                    let (name, about) = match (month, shape, texts) {
                        (Some((year, month)), ..) => (self.words.month(year, month), String::new()),
                        (None, Some(shape), _) => (board_name(shape, language), self.rules(shape)),
                        (None, None, Some(texts)) => (texts.name.clone(), texts.about.clone()),
                        (None, None, None) => (language.text("book.unrated").to_owned(), String::new()),
                    };
                    sections.push(Section { name, about, level, shape, puzzles: index..index + 1 });
                }
            }
            previous_month = month;
        }
        sections
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_called_by_their_size_and_unusual_boxes() {
        let english = Language::default();
        assert_eq!(board_name("2x3".parse().unwrap(), &english), "6 × 6");
        assert_eq!(board_name("3x2".parse().unwrap(), &english), "6 × 6 (boxes 3 × 2)");
    }
}
