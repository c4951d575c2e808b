//! Makes the table of contents of a book: lays it out for the planner, and draws its pages. Lengths are in points.
//!
//! ```text
//!   block.x           + column                     block.right()
//!   How to play . . . . . . . . . . . . . . . . .  iv             a chapter, semi-bold
//!   Easy              1-50 . . . . . . . . . . . .  1             a level, and its puzzles in a column
//!   Hard              51-90 . . . . . . . . . . .  26
//!   Solutions . . . . . . . . . . . . . . . . . .  46
//! ```
//!
//! If a name and its puzzles do not fit side by side, all puzzles stand on lines of their own below the names.

use crate::book::pages::front::chapter;
use crate::book::pages::plan::{ContentsLine, ContentsPage, PageKind, PagePlan};
use crate::book::sheet::type_sizes::CHAPTER_HEAD;
use crate::draw::canvas::{Canvas, Item};
use crate::draw::measures::Area;
use crate::draw::text::compose::{Breaks, Setting};
use crate::draw::text::typeface::Weight;

/// From baseline to baseline, in type sizes: of two entries, and of two lines of one name.
const CONTENTS_LEADING: (f64, f64) = (1.8, 1.25);

impl ContentsPage {
    /// The contents of a book, in the usual size or in the largest smaller one (down to 85 %) that saves a page.
    pub(crate) fn all(plan: &PagePlan<'_>) -> Vec<ContentsPage> {
        let type_sizes = plan.sheet.sizes;
        let block = type_sizes.column(plan.sheet.block(true));
        let height = block.height - type_sizes.chapter * CHAPTER_HEAD;
        let usual = type_sizes.body * 1.1;
        let sizes = [1.0, 0.95, 0.9, 0.85].map(|share| (usual * share).max(type_sizes.least));
        let sets = sizes.map(|size| ContentsPage::of_size(plan, block.width, height, size));
        let [usual, ..] = &sets;
        let best = sets.iter().position(|pages| pages.len() < usual.len()).unwrap_or(0);
        sets.into_iter().nth(best).unwrap_or_default()
    }

    /// The contents in one type size, in pages of this width and height.
    fn of_size(plan: &PagePlan<'_>, width: f64, height: f64, size: f64) -> Vec<ContentsPage> {
        let (language, composer) = (&plan.text.words.language, plan.composer);
        let measure = |weight, text: &str| composer.typeface.width(weight, size, text);
        // Names and puzzles end here. Dots and the number of the page follow.
        let room = width - measure(Weight::SemiBold, "8888") - size * 3.0;
        let held: Vec<String> = plan.sections.iter().map(|section| plan.text.held(section)).collect();
        let widest = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|text| measure(Weight::Regular, text)).fold(0.0, f64::max)
        };
        // The widest name and the widest puzzles side by side, or 0.
        let column = widest(&mut plan.sections.iter().map(|section| section.name.as_str())) + size * 2.0;
        let column = if column + widest(&mut held.iter().map(String::as_str)) <= room { column } else { 0.0 };
        let mut lines: Vec<ContentsLine> = Vec::new();
        // Adds an entry, if it has a page. An entry that opens a group stands apart from the one before it.
        let mut add = |name: &str, puzzles: Option<String>, page: Option<usize>, opens_group: bool| {
            let Some(page) = page else { return };
            let weight = if puzzles.is_some() { Weight::Regular } else { Weight::SemiBold };
            let mut name = composer.lines(Setting::boxed(weight, size), room, name, Breaks::Even);
            if column == 0.0
                && let Some(puzzles) = &puzzles
            {
                name.extend(composer.lines(Setting::boxed(Weight::Regular, size), room, puzzles, Breaks::Even));
            }
            let following = name.len().saturating_sub(1) as f64 * CONTENTS_LEADING.1;
            let above = size * (CONTENTS_LEADING.0 + if opens_group { 0.7 } else { 0.0 });
            let puzzles = puzzles.filter(|_| column > 0.0);
            lines.push(ContentsLine { name, puzzles, page, weight, above, height: above + size * following });
        };
        add(language.text("book.how_to_play"), None, plan.first(|kind| matches!(kind, PageKind::HowTo(_))), false);
        for (number, (section, held)) in plan.sections.iter().zip(held).enumerate() {
            let opening = plan.first(|kind| *kind == PageKind::Section(number));
            let page = opening.or_else(|| plan.page_of_puzzle(section.puzzles.start));
            add(&section.name, Some(held), page, number == 0);
        }
        add(language.text("book.hints"), None, plan.first(|kind| matches!(kind, PageKind::Hints(_))), true);
        // Solutions at one place are a chapter. Other solutions are found by the page number at their puzzle.
        add(language.text("book.solutions"), None, plan.solutions_chapter(), true);
        add(language.text("book.steps"), None, plan.first(|kind| matches!(kind, PageKind::Steps(_))), true);
        let notes = plan.pages.iter().enumerate().skip(plan.front).find(|(_, kind)| **kind == PageKind::Notes);
        add(language.text("book.notes"), None, notes.map(|(page, _)| page).filter(|_| plan.notes() > 1), true);
        // The first line does not fit on a page that is more than full, so it begins the first page.
        let mut pages: Vec<ContentsPage> = Vec::new();
        let mut used = f64::INFINITY;
        for line in lines {
            if used + line.height > height - size * 0.5 {
                pages.push(ContentsPage { size, column, lines: Vec::new() });
                used = 0.0;
            }
            used += line.height;
            if let Some(page) = pages.last_mut() {
                page.lines.push(line);
            }
        }
        pages
    }

    /// Draws this page of the contents into a text block. Every entry is a link to its page.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, block: Area) {
        let size = self.size;
        let mut y = chapter(canvas, plan, block, plan.text.words.language.text("book.contents"));
        for line in &self.lines {
            let top = y;
            y += line.above;
            let (weight, mut from) = (line.weight, block.x);
            for (number, text) in line.name.iter().enumerate() {
                y += if number == 0 { 0.0 } else { size * CONTENTS_LEADING.1 };
                canvas.text(weight, size, block.x, y, text);
                from = block.x + canvas.typeface.width(weight, size, text);
            }
            if let Some(puzzles) = &line.puzzles {
                let x = block.x + self.column;
                canvas.text(Weight::Regular, size, x, y, puzzles);
                from = x + canvas.typeface.width(Weight::Regular, size, puzzles);
            }
            let label = plan.label(line.page);
            canvas.text_left_of(weight, size, block.right(), y, &label);
            let to = block.right() - canvas.typeface.width(weight, size, &label);
            leader(canvas, size, from, to, block.right(), y);
            canvas.link(Area { y: top, height: y - top, ..block }, Some(line.page));
        }
    }
}

/// Dots between the right end of a name (`from`) and the left end of its page number (`to`), on the baseline `y`. They
/// stand at multiples of a step from the right `edge`, so they are below each other on all lines.
fn leader(canvas: &mut Canvas<'_>, size: f64, from: f64, to: f64, edge: f64, y: f64) {
    let step = size * 0.6;
    let dot = canvas.typeface.advance(Weight::Regular, size, '.');
    let first = ((edge - from - size * 0.7) / step).floor() as i64;
    let last = ((edge - to + size * 0.5 + dot) / step).ceil() as i64;
    let dots = (last..=first).rev().map(|place| edge - place as f64 * step);
    let glyphs: Vec<_> = dots.flat_map(|x| canvas.typeface.place(Weight::Regular, size, x, y, ".")).collect();
    if !glyphs.is_empty() {
        canvas.push(Item::Text { weight: Weight::Regular, size, glyphs, is_turned: false });
    }
}
