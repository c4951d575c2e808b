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

/// From the baseline of an entry to that of the next, in type sizes.
const ENTRY_LEADING: f64 = 1.8;
/// From baseline to baseline of the lines of one name.
const LINE_LEADING: f64 = 1.25;

/// An entry of the contents, before it is broken into lines.
struct Entry<'a> {
    name: &'a str,
    /// The numbers of its puzzles, for a level.
    puzzles: Option<String>,
    page: usize,
    /// True if the entry stands apart from the one before it.
    opens_group: bool,
}

impl<'a> Entry<'a> {
    fn chapter(name: &'a str, page: usize, opens_group: bool) -> Entry<'a> {
        Entry { name, puzzles: None, page, opens_group }
    }
}

impl ContentsPage {
    /// The contents of a book, in the usual size or in the largest smaller one (down to 85 %) that saves a page.
    pub(crate) fn all(plan: &PagePlan<'_>) -> Vec<ContentsPage> {
        let type_sizes = plan.sheet.sizes;
        let block = type_sizes.column(plan.sheet.block(true));
        let height = block.height - type_sizes.chapter * CHAPTER_HEAD;
        let usual = type_sizes.body * 1.1;
        let sizes = [1.0, 0.95, 0.9, 0.85].map(|share| (usual * share).max(type_sizes.least));
        let sets = sizes.map(|size| ContentsPage::of_size(plan, block.width, height, size));
        let usual_pages = sets[0].len();
        let best = sets.iter().position(|pages| pages.len() < usual_pages).unwrap_or(0);
        sets.into_iter().nth(best).unwrap_or_default()
    }

    /// The contents in one type size, in pages of this width and height.
    fn of_size(plan: &PagePlan<'_>, width: f64, height: f64, size: f64) -> Vec<ContentsPage> {
        let composer = plan.composer;
        // Names and puzzles end here. Dots and the number of the page follow.
        let room = width - composer.typeface.width(Weight::SemiBold, size, "8888") - size * 3.0;
        let column = puzzle_column(plan, room, size);
        // The first line does not fit on a page that is more than full, so it begins the first page.
        let mut pages: Vec<ContentsPage> = Vec::new();
        let mut used = f64::INFINITY;
        for Entry { name, puzzles, page, opens_group } in entries(plan) {
            let weight = if puzzles.is_some() { Weight::Regular } else { Weight::SemiBold };
            let mut name = composer.lines(Setting::boxed(weight, size), room, name, Breaks::Even);
            if column == 0.0
                && let Some(puzzles) = &puzzles
            {
                name.extend(composer.lines(Setting::boxed(Weight::Regular, size), room, puzzles, Breaks::Even));
            }
            let more_lines = name.len().saturating_sub(1) as f64 * LINE_LEADING;
            let above = size * (ENTRY_LEADING + if opens_group { 0.7 } else { 0.0 });
            let height_of_line = above + size * more_lines;
            if used + height_of_line > height - size * 0.5 {
                pages.push(ContentsPage { size, column, lines: Vec::new() });
                used = 0.0;
            }
            used += height_of_line;
            let puzzles = puzzles.filter(|_| column > 0.0);
            if let Some(contents) = pages.last_mut() {
                contents.lines.push(ContentsLine { name, puzzles, page, weight, above });
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
            let (weight, mut name_end) = (line.weight, block.x);
            for (number, text) in line.name.iter().enumerate() {
                y += if number == 0 { 0.0 } else { size * LINE_LEADING };
                canvas.text(weight, size, block.x, y, text);
                name_end = block.x + canvas.typeface.width(weight, size, text);
            }
            if let Some(puzzles) = &line.puzzles {
                let x = block.x + self.column;
                canvas.text(Weight::Regular, size, x, y, puzzles);
                name_end = x + canvas.typeface.width(Weight::Regular, size, puzzles);
            }
            let label = plan.label(line.page);
            canvas.text_left_of(weight, size, block.right(), y, &label);
            let label_start = block.right() - canvas.typeface.width(weight, size, &label);
            leader(canvas, size, name_end, label_start, block.right(), y);
            canvas.link(Area { y: top, height: y - top, ..block }, Some(line.page));
        }
    }
}

/// The distance from the names to the puzzles beside them: the widest name and a gap. 0 if the widest name and the
/// widest puzzles do not fit side by side.
fn puzzle_column(plan: &PagePlan<'_>, room: f64, size: f64) -> f64 {
    let (mut widest_name, mut widest_puzzles) = (0.0f64, 0.0f64);
    for section in plan.sections.iter() {
        let width = |text: &str| plan.composer.typeface.width(Weight::Regular, size, text);
        widest_name = widest_name.max(width(&section.name));
        widest_puzzles = widest_puzzles.max(width(&plan.text.held(section)));
    }
    let column = widest_name + size * 2.0;
    if column + widest_puzzles <= room { column } else { 0.0 }
}

/// The entries of all chapters and levels that have a page.
fn entries<'a>(plan: &'a PagePlan<'_>) -> Vec<Entry<'a>> {
    let language = &plan.text.words.language;
    let mut entries = Vec::new();
    let how_to_play = plan.first(|kind| matches!(kind, PageKind::HowTo(_)));
    entries.extend(how_to_play.map(|page| Entry::chapter(language.text("book.how_to_play"), page, false)));
    for (number, section) in plan.sections.iter().enumerate() {
        let opening = plan.first(|kind| *kind == PageKind::Section(number));
        let page = opening.or_else(|| plan.page_of_puzzle(section.puzzles.start));
        let puzzles = Some(plan.text.held(section));
        entries.extend(page.map(|page| Entry { name: &section.name, puzzles, page, opens_group: number == 0 }));
    }
    let notes = plan.pages.iter().enumerate().skip(plan.front).find(|(_, kind)| **kind == PageKind::Notes);
    for (name, page) in [
        ("book.hints", plan.first(|kind| matches!(kind, PageKind::Hints(_)))),
        // Solutions at one place are a chapter. Other solutions are found by the page number at their puzzle.
        ("book.solutions", plan.solutions_chapter()),
        ("book.steps", plan.first(|kind| matches!(kind, PageKind::Steps(_)))),
        ("book.notes", notes.map(|(page, _)| page).filter(|_| plan.notes() > 1)),
    ] {
        entries.extend(page.map(|page| Entry::chapter(language.text(name), page, true)));
    }
    entries
}

/// Draws dots between the right end of a name and the left end of its page number, on the baseline `y`. They stand at
/// multiples of a step from the right `edge`, so they are below each other on all lines.
fn leader(canvas: &mut Canvas<'_>, size: f64, name_end: f64, label_start: f64, edge: f64, y: f64) {
    let step = size * 0.6;
    let dot = canvas.typeface.advance(Weight::Regular, size, '.');
    // Dots are numbered from the edge to the left.
    let first = ((edge - name_end - size * 0.7) / step).floor() as i64;
    let last = ((edge - label_start + size * 0.5 + dot) / step).ceil() as i64;
    let mut glyphs = Vec::new();
    for number in (last..=first).rev() {
        let x = edge - number as f64 * step;
        glyphs.extend(canvas.typeface.place(Weight::Regular, size, x, y, "."));
    }
    if !glyphs.is_empty() {
        canvas.push(Item::Text { weight: Weight::Regular, size, glyphs, is_turned: false });
    }
}
