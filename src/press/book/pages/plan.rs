//! Defines the plan of a book: the contents of each page, before anything is drawn.
//!
//! A book of one section has no pages that open sections. A page holds boards of one shape.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::book::flow::TextPage;
use crate::book::options::Answers;
use crate::book::sheet::arrangement::Arrangement;
use crate::book::sheet::margins::Sheet;
use crate::book::text::manuscript::{Manuscript, Section};
use crate::book::text::steps::StepsPage;
use crate::draw::labels::Slot;
use crate::draw::measures::Area;
use crate::draw::text::compose::Composer;
use crate::draw::text::typeface::Weight;
use sudoku_corpus_core::board::Shape;

/// The kind of a page. Ranges are positions of puzzles in the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PageKind {
    Title,
    Imprint,
    /// Pages of longer texts have their number within the text, from 0.
    Contents(usize),
    HowTo(usize),
    /// The page that opens a section.
    Section(usize),
    Puzzles(Range<usize>),
    Hints(Range<usize>),
    /// Steps of the solutions.
    Steps(usize),
    Solutions(Range<usize>),
    Notes,
    /// An empty page before the contents, in whose place the publisher puts another one.
    Front,
    /// The same at the end.
    Back,
    Blank,
}

/// The arrangements of the boards of one shape: of full pages of puzzles, of pages of solutions, and of pages with
/// fewer puzzles, by their number. Boards on the latter are no larger than the others.
pub(crate) struct ShapeArrangements {
    pub shape: Shape,
    pub puzzles: Arrangement,
    pub solutions: Arrangement,
    pub fewer: BTreeMap<usize, Arrangement>,
}

/// A line of the contents: a chapter, or a level with the numbers of its puzzles.
pub(crate) struct ContentsLine {
    /// The lines of the name.
    pub name: Vec<String>,
    /// The numbers of a level's puzzles, if they stand in the column.
    pub puzzles: Option<String>,
    /// The index of its page in the book.
    pub page: usize,
    pub weight: Weight,
    /// From the line before to the first baseline.
    pub above: f64,
}

pub(crate) struct ContentsPage {
    /// The type size.
    pub size: f64,
    /// The distance of the numbers of puzzles from the left. If it is 0, they are on lines of their own.
    pub column: f64,
    pub lines: Vec<ContentsLine>,
}

/// How the pages of hints are divided.
pub(crate) struct HintTable {
    pub columns: usize,
    pub rows: usize,
    /// Width of a hint.
    pub width: f64,
    /// The distance from one hint to the next.
    pub step: f64,
    pub slot: Slot,
    pub intro: Vec<String>,
}

pub(crate) struct PagePlan<'a> {
    pub text: Manuscript<'a>,
    pub composer: Composer<'a>,
    pub sheet: Sheet,
    /// The arrangements of each shape, small boards first.
    pub shapes: Vec<ShapeArrangements>,
    pub sections: Vec<Section>,
    pub how_to: Vec<TextPage>,
    pub hints: HintTable,
    pub steps: Vec<StepsPage>,
    pub contents: Vec<ContentsPage>,
    pub pages: Vec<PageKind>,
    /// Number of pages before page 1.
    pub front: usize,
}

impl PagePlan<'_> {
    pub(crate) fn arrangements_for(&self, shape: Shape) -> &ShapeArrangements {
        // A book without boards is refused before it is planned.
        self.shapes.iter().find(|arrangements| arrangements.shape == shape).unwrap_or(&self.shapes[0])
    }

    /// The arrangement of a page with some puzzles.
    pub(crate) fn page_of(&self, range: &Range<usize>) -> &Arrangement {
        let arrangements = self.arrangements_for(self.text.shape(range.start));
        arrangements.fewer.get(&range.len()).unwrap_or(&arrangements.puzzles)
    }

    /// The first page of the solutions, if all are at one place.
    pub(crate) fn solutions_chapter(&self) -> Option<usize> {
        if self.text.options.answers != Answers::End {
            return None;
        }
        self.first(|kind| matches!(kind, PageKind::Solutions(_)))
    }

    /// True for right-hand pages. They have odd numbers, so even positions from 0.
    pub(crate) fn is_recto(&self, page: usize) -> bool {
        page.is_multiple_of(2)
    }

    /// The area for text and grids on a page.
    pub(crate) fn block(&self, page: usize) -> Area {
        self.sheet.block(self.is_recto(page))
    }

    /// The number printed on a page: roman before page 1.
    pub(crate) fn label(&self, page: usize) -> String {
        if page < self.front { roman(page + 1) } else { (page - self.front + 1).to_string() }
    }

    /// The index of the first page whose kind fulfils a condition.
    pub(crate) fn first(&self, has_kind: impl Fn(&PageKind) -> bool) -> Option<usize> {
        self.pages.iter().position(has_kind)
    }

    pub(crate) fn page_of_puzzle(&self, puzzle: usize) -> Option<usize> {
        self.first(|kind| matches!(kind, PageKind::Puzzles(range) if range.contains(&puzzle)))
    }

    pub(crate) fn page_of_solution(&self, puzzle: usize) -> Option<usize> {
        match self.text.options.answers {
            Answers::Below => self.page_of_puzzle(puzzle),
            _ => self.first(|kind| matches!(kind, PageKind::Solutions(range) if range.contains(&puzzle))),
        }
    }

    /// Number of pages for notes that fill the book up.
    pub(crate) fn notes(&self) -> usize {
        self.pages[self.front..].iter().filter(|kind| **kind == PageKind::Notes).count()
    }
}

/// A number below 4000 in small roman figures.
fn roman(mut number: usize) -> String {
    const VALUES: [usize; 13] = [1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1];
    const FIGURES: [&str; 13] = ["m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"];
    let mut text = String::new();
    for (value, figure) in VALUES.into_iter().zip(FIGURES) {
        while number >= value {
            text.push_str(figure);
            number -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_numbers() {
        let written = [1, 2, 3, 4, 5, 6, 9, 14, 40, 90, 400, 1994, 3999].map(roman).join(" ");
        assert_eq!(written, "i ii iii iv v vi ix xiv xl xc cd mcmxciv mmmcmxcix");
    }
}
