//! Pages without puzzles: title, imprint, contents, the page that opens a part, hints, notes.

use std::ops::Range;

use super::board::{Look, Symbols, draw_digits, draw_lines};
use super::canvas::{Canvas, Corner, Item, THIN_LINE};
use super::compose::{Breaks, Composer, Setting};
use super::howto::{CHAPTER_HEAD, board_name};
use super::labels::{Label, Manner, Slot};
use super::manuscript::{Manuscript, Part};
use super::plan::{PageKind, Plan};
use super::sheet::{Area, Sheet};
use super::sizes::TypeSizes;
use super::typeface::Weight;
use super::{BookError, Entry, Ornament};
use crate::publish::words::fill;
use sudoku_corpus_core::board::Shape;

/// Thickness of the short lines below titles.
const TITLE_RULE: f64 = 1.2;

/// The title page: the first board of the book, the title, a summary of the contents, and the author at the foot.
pub fn title(canvas: &mut Canvas<'_>, plan: &Plan<'_>, block: Area) {
    let (sizes, words) = (plan.sheet.sizes, plan.text.words);
    let top = block.y + block.height * 0.10;
    let side = (block.width * 0.34).min(block.height * 0.22);
    if let (Ornament::Board, Some(first)) = (plan.text.options.ornament, plan.text.entries.first()) {
        small_board(canvas, block.x, top, (side, sizes.least), first, plan.text.options.symbols);
    }
    let title = Area { y: top + side + sizes.part * 1.1, height: block.height * 0.32, ..block };
    let mut y = canvas.set(Weight::SemiBold, (sizes.part * 1.15, sizes.body), title, Corner::TopLeft, &words.title);
    y += sizes.body * 1.6;
    canvas.rule(block.x, y, sizes.part * 1.5, TITLE_RULE);
    y += sizes.body * 1.1;
    let author = Area { y: block.bottom() - block.height * 0.16, height: block.height * 0.16, ..block };
    let volume =
        words.volume.map(|volume| fill(&words.language.texts().book.volume, &[("volume", &volume.to_string())]));
    for text in volume.into_iter().chain([words.subtitle.clone().unwrap_or_else(|| subtitle(plan))]) {
        let area = Area { y, height: author.y - y, ..block };
        y = canvas.set(Weight::Regular, (sizes.body * 1.2, sizes.least), area, Corner::TopLeft, &text)
            + sizes.body * 0.8;
    }
    // The logo, if there is one, is on the right.
    let area = Area { width: block.width * 0.6, ..author };
    if let Some(name) = &words.author {
        canvas.set(Weight::SemiBold, (sizes.body * 1.2, sizes.least), area, Corner::BottomLeft, name);
    }
}

/// "200 puzzles · Easy to Hard", "50 puzzles · 16 × 16 · Hard".
pub fn subtitle(plan: &Plan<'_>) -> String {
    let language = &plan.text.words.language;
    let mut pieces = vec![language.puzzles(plan.text.entries.len())];
    let from_to = |from: &str, to: &str| fill(&language.texts().book.from_to, &[("from", from), ("to", to)]);
    match plan.text.shapes().as_slice() {
        [Shape::NINE] | [] => {}
        [only] => pieces.push(board_name(*only, language)),
        [first, .., last] => pieces.push(from_to(&board_name(*first, language), &board_name(*last, language))),
    }
    let rated: Vec<&Part> = plan.parts.iter().filter(|part| part.level.is_some()).collect();
    match rated.as_slice() {
        [only] if plan.parts.len() == 1 => pieces.push(only.name.clone()),
        [first, .., last] => pieces.push(from_to(&first.name, &last.name)),
        _ => {}
    }
    pieces.join(" · ")
}

/// A puzzle as an ornament: its board with bold lines, and digits where they can be read.
fn small_board(canvas: &mut Canvas<'_>, x: f64, y: f64, (side, least): (f64, f64), entry: &Entry, symbols: Symbols) {
    let shape = entry.puzzle.shape();
    let cell = (side - 2.0) / shape.order() as f64;
    let (box_line, cell_line) = Look::lines(shape, (1.4, 0.5));
    // Without this, the many lines of a large board would be a dark spot.
    let cell_line = if shape.order() > 9 { 0.0 } else { cell_line };
    let look = Look { box_line, cell_line, cell, digit: cell * 0.62, shade: false, symbols };
    draw_lines(canvas, x, y, shape, look);
    if look.digit * symbols.smallest(shape.order()) >= least {
        draw_digits(canvas, x, y, entry.puzzle.grid(), look, |_| Weight::Medium);
    }
}

/// The default text of the imprint.
fn usual_imprint(plan: &Plan<'_>, family: &str) -> Vec<String> {
    let words = plan.text.words;
    let texts = &words.language.texts().book;
    let copyright = words.author.as_ref().map(|author| {
        let owner = words.year.as_ref().map_or(author.clone(), |year| format!("{year} {author}"));
        fill(&texts.copyright, &[("author", &owner)])
    });
    let rights = copyright.is_some().then(|| texts.rights.clone());
    let typeface = fill(&texts.typeface, &[("font", family)]);
    let own = [Some(words.title.clone()), copyright, rights].into_iter().flatten();
    own.chain([String::new(), texts.one_solution.clone(), typeface]).collect()
}

/// The imprint, at the foot of its page. It is never split.
pub fn imprint(canvas: &mut Canvas<'_>, plan: &Plan<'_>, block: Area) {
    let size = plan.sheet.sizes.small.max(8.0);
    let setting = Setting { weight: Weight::Regular, size, leading: size * 1.5 };
    let mut broken = Vec::new();
    let usual = || usual_imprint(plan, &canvas.typeface.family);
    for paragraph in plan.text.words.imprint.clone().unwrap_or_else(usual) {
        match paragraph.is_empty() {
            true => broken.push(String::new()),
            false => broken.extend(canvas.composer.lines(setting, block.width * 0.85, &paragraph, Breaks::Running)),
        }
    }
    let first = block.bottom() - (broken.len() as f64 - 1.0) * setting.leading;
    if first - size < block.y {
        canvas.misfit.get_or_insert_with(|| broken.join(" "));
        return;
    }
    canvas.lines(setting, block.x, first, &broken);
}

/// The heading of a chapter. Returns the upper edge of the text that follows.
pub fn chapter(canvas: &mut Canvas<'_>, plan: &Plan<'_>, block: Area, text: &str) -> f64 {
    let TypeSizes { chapter: size, least, .. } = plan.sheet.sizes;
    let area = Area { height: (size * 1.2).max(least * 2.3), ..block };
    canvas.set(Weight::SemiBold, (size, least), area, Corner::TopLeft, text);
    block.y + size * CHAPTER_HEAD
}

/// A line of the contents: a chapter, or a level with the numbers of its puzzles.
struct ContentsLine {
    name: Vec<String>,
    puzzles: Option<String>,
    page: usize,
    weight: Weight,
    above: f64,
    height: f64,
}

pub struct ContentsPage {
    size: f64,
    /// The distance of the numbers of puzzles from the left. If it is 0, they are on lines of their own.
    column: f64,
    lines: Vec<ContentsLine>,
}

/// From baseline to baseline of the contents, and of a name of several lines, in type sizes.
const CONTENTS_LEADING: (f64, f64) = (1.8, 1.25);

impl ContentsPage {
    /// The contents of a planned book: on one page if that can be done with type that is not much smaller.
    pub fn all(plan: &Plan<'_>) -> Vec<ContentsPage> {
        let type_sizes = plan.sheet.sizes;
        let block = type_sizes.column(plan.sheet.block(true));
        let room = (block.width, block.height - type_sizes.chapter * CHAPTER_HEAD);
        let usual = type_sizes.body * 1.1;
        let sizes = [1.0, 0.95, 0.9, 0.85].map(|part| (usual * part).max(type_sizes.least));
        let sets = sizes.map(|size| ContentsPage::of_size(plan, room, size));
        let [usual, ..] = &sets;
        let best = sets.iter().position(|pages| pages.len() < usual.len()).unwrap_or(0);
        sets.into_iter().nth(best).unwrap_or_default()
    }

    fn of_size(plan: &Plan<'_>, (width, height): (f64, f64), size: f64) -> Vec<ContentsPage> {
        let (texts, composer) = (&plan.text.words.language.texts().book, plan.composer);
        let measure = |weight, text: &str| composer.typeface.width(weight, size, text);
        // Room for dots and the number of a page.
        let room = width - measure(Weight::SemiBold, "8888") - size * 3.0;
        let held: Vec<String> = plan.parts.iter().map(|part| plan.text.held(part)).collect();
        let widest = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|text| measure(Weight::Regular, text)).fold(0.0, f64::max)
        };
        let column = widest(&mut plan.parts.iter().map(|part| part.name.as_str())) + size * 2.0;
        let column = if column + widest(&mut held.iter().map(String::as_str)) <= room { column } else { 0.0 };
        let mut found: Vec<ContentsLine> = Vec::new();
        let mut add = |name: &str, puzzles: Option<String>, page: Option<usize>, opens_group: bool| {
            let Some(page) = page else { return };
            let weight = if puzzles.is_some() { Weight::Regular } else { Weight::SemiBold };
            let mut name = composer.lines(Setting::boxed(weight, size), room, name, Breaks::Even);
            if column == 0.0
                && let Some(puzzles) = &puzzles
            {
                name.extend(composer.lines(Setting::boxed(Weight::Regular, size), room, puzzles, Breaks::Even));
            }
            let more = name.len().saturating_sub(1) as f64 * CONTENTS_LEADING.1;
            let above = size * (CONTENTS_LEADING.0 + if opens_group { 0.7 } else { 0.0 });
            let puzzles = puzzles.filter(|_| column > 0.0);
            found.push(ContentsLine { name, puzzles, page, weight, above, height: above + size * more });
        };
        add(&texts.how_to_play, None, plan.first(|kind| matches!(kind, PageKind::HowTo(_))), false);
        for (number, (part, held)) in plan.parts.iter().zip(held).enumerate() {
            let opening = plan.first(|kind| *kind == PageKind::Part(number));
            let page = opening.or_else(|| plan.page_of_puzzle(part.puzzles.start));
            add(&part.name, Some(held), page, number == 0);
        }
        add(&texts.hints, None, plan.first(|kind| matches!(kind, PageKind::Hints(_))), true);
        // Solutions at one place are a chapter. Other solutions are found by the page number at their puzzle.
        add(&texts.solutions, None, plan.solutions_chapter(), true);
        let notes = plan.pages.iter().enumerate().skip(plan.front).find(|(_, kind)| **kind == PageKind::Notes);
        add(&texts.notes, None, notes.map(|(page, _)| page).filter(|_| plan.notes() > 1), true);
        let mut pages: Vec<ContentsPage> = Vec::new();
        let mut used = f64::INFINITY;
        for line in found {
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

    pub fn draw(&self, canvas: &mut Canvas<'_>, plan: &Plan<'_>, block: Area) {
        let size = self.size;
        let mut y = chapter(canvas, plan, block, &plan.text.words.language.texts().book.contents);
        for line in &self.lines {
            y += line.above;
            let (weight, mut from) = (line.weight, block.x);
            for (at, text) in line.name.iter().enumerate() {
                y += if at == 0 { 0.0 } else { size * CONTENTS_LEADING.1 };
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
            leader(canvas, size, (from, to), block.right(), y);
        }
    }
}

/// Dots from a name to its page number, in columns that are the same on every line.
fn leader(canvas: &mut Canvas<'_>, size: f64, (from, to): (f64, f64), edge: f64, y: f64) {
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

/// The page that opens a part.
pub fn part(canvas: &mut Canvas<'_>, plan: &Plan<'_>, block: Area, part: &Part) {
    let sizes = plan.sheet.sizes;
    let title = Area { y: block.y + block.height * 0.30 - sizes.part, height: block.height * 0.28, ..block };
    let mut y = canvas.set(Weight::SemiBold, (sizes.part, sizes.body), title, Corner::TopLeft, &part.name);
    y += sizes.body * 1.8;
    canvas.rule(block.x, y, sizes.part * 1.5, TITLE_RULE);
    y += sizes.body * 1.4;
    let held = Area { y, height: block.height * 0.1, ..block };
    y = canvas.set(Weight::SemiBold, (sizes.body * 1.2, sizes.least), held, Corner::TopLeft, &plan.text.held(part));
    y += sizes.body * 1.2;
    let about = Area { y, height: block.bottom() - y, width: block.width * 0.85, ..block };
    canvas.set(Weight::Regular, (sizes.body, sizes.least), about, Corner::TopLeft, &part.about);
}

/// How the pages of hints are divided.
pub struct HintTable {
    columns: usize,
    rows: usize,
    /// Width of a hint, and the distance from one to the next.
    width: f64,
    step: f64,
    slot: Slot,
    intro: Vec<String>,
}

/// The height of a line of hints, in type sizes.
const HINT_LEADING: f64 = 1.7;

fn hint(text: Manuscript<'_>, at: usize) -> Label {
    let hint = &text.words.language.texts().book.hint;
    let words =
        |(row, column): (usize, usize)| fill(hint, &[("row", &row.to_string()), ("column", &column.to_string())]);
    Label::new(text.name(at), text.entries[at].hint.map_or(String::new(), words))
}

impl HintTable {
    /// As many columns as hints have room in, three at most.
    ///
    /// # Errors
    /// [`BookError::NoRoom`] for hints that are wider than a page.
    pub fn new(composer: Composer<'_>, sheet: &Sheet, text: Manuscript<'_>) -> Result<HintTable, BookError> {
        let (block, sizes, size) = (sheet.block(true), sheet.sizes, sheet.sizes.body);
        let manner = Manner { left: (Weight::SemiBold, 1.0), sizes: (size, sizes.least) };
        let hints: Vec<Label> =
            if text.options.hints { (0..text.entries.len()).map(|at| hint(text, at)).collect() } else { Vec::new() };
        let natural = hints.iter().map(|hint| Slot::new(manner).width(composer, hint)).fold(0.0, f64::max) + size;
        let gap = size * 1.6;
        let columns = (((block.width + gap) / (natural + gap)) as usize).clamp(1, 3);
        let width = natural.min(block.width);
        let no_room = |text| BookError::NoRoom { text, trim: sheet.trim };
        let slot = Slot::of(composer, manner, &hints, width).map_err(no_room)?;
        let setting = sizes.style().body;
        let intro =
            composer.lines(setting, block.width, &text.words.language.texts().how_to.hints_text, Breaks::Running);
        let table = HintTable { columns, rows: 0, width, step: block.width / columns as f64, slot, intro };
        let room = block.height - sizes.chapter * CHAPTER_HEAD - table.intro_height(setting);
        let rows = (room / (size * HINT_LEADING + slot.more_height())) as usize;
        if rows == 0 && text.options.hints {
            return Err(no_room(table.intro.join(" ")));
        }
        Ok(HintTable { rows: rows.max(1), ..table })
    }

    pub fn per_page(&self) -> usize {
        self.columns * self.rows
    }

    fn intro_height(&self, setting: Setting) -> f64 {
        (self.intro.len() as f64 + 0.4) * setting.leading
    }

    /// Draws a page: for each puzzle a cell that can be filled next.
    pub fn draw(&self, canvas: &mut Canvas<'_>, plan: &Plan<'_>, block: Area, range: &Range<usize>) {
        let setting = plan.sheet.sizes.style().body;
        let y = chapter(canvas, plan, block, &plan.text.words.language.texts().book.hints);
        canvas.lines(setting, block.x, y + setting.size, &self.intro);
        let y = y + self.intro_height(setting);
        let height = setting.size * HINT_LEADING + self.slot.more_height();
        for (place, at) in range.clone().enumerate() {
            let x = block.x + (place / self.rows) as f64 * self.step;
            let base = y + (place % self.rows + 1) as f64 * height - setting.size * 0.5;
            self.slot.draw(canvas, &hint(plan.text, at), (x, self.width), base);
        }
    }
}

/// Lines to write on.
pub fn notes(canvas: &mut Canvas<'_>, plan: &Plan<'_>, block: Area) {
    let mut y = chapter(canvas, plan, block, &plan.text.words.language.texts().book.notes);
    let step = plan.sheet.sizes.body * 2.4;
    while y <= block.bottom() {
        canvas.rule(block.x, y, block.width, THIN_LINE);
        y += step;
    }
}
