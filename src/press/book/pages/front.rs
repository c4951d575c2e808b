//! Draws pages without puzzles: title, imprint, the page that opens a section, notes.

use crate::book::options::{Entry, Ornament};
use crate::book::pages::plan::PagePlan;
use crate::book::sheet::type_sizes::CHAPTER_HEAD;
use crate::book::text::manuscript::{Section, board_name};
use crate::draw::board::{Look, draw_board, draw_digits};
use crate::draw::canvas::{Canvas, Corner, Item, THIN_LINE};
use crate::draw::measures::{Area, Size};
use crate::draw::symbols::Symbols;
use crate::draw::text::compose::{Breaks, Setting, SizeRange};
use crate::draw::text::typeface::Weight;
use crate::words::language::fill;
use sudoku_corpus_core::board::Shape;

/// The part of the text block that a logo may take.
const LOGO: Size = Size { width: 0.35, height: 0.12 };
/// Thickness of the short lines below titles.
const TITLE_RULE: f64 = 1.2;

/// Draws the title page: the first board of the book, the title, a summary of the contents, and the author at the foot.
pub(crate) fn title(canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, block: Area) {
    let (sizes, words) = (plan.sheet.sizes, plan.text.words);
    let top = block.y + block.height * 0.10;
    let side = (block.width * 0.34).min(block.height * 0.22);
    if let (Ornament::Board, Some(first)) = (plan.text.options.ornament, plan.text.entries.first()) {
        small_board(canvas, block.x, top, side, sizes.least, first, plan.text.options.symbols);
    }
    let title = Area { y: top + side + sizes.section * 1.1, height: block.height * 0.32, ..block };
    let title_sizes = SizeRange { largest: sizes.section * 1.15, smallest: sizes.body };
    let mut y = canvas.set(Weight::SemiBold, title_sizes, title, Corner::TopLeft, &words.title);
    y += sizes.body * 1.6;
    canvas.rule(block.x, y, sizes.section * 1.5, TITLE_RULE);
    y += sizes.body * 1.1;
    let author = Area { y: block.bottom() - block.height * 0.16, height: block.height * 0.16, ..block };
    let volume =
        words.volume.map(|volume| fill(words.language.text("book.volume"), &[("volume", &volume.to_string())]));
    for text in volume.into_iter().chain([words.subtitle.clone().unwrap_or_else(|| subtitle(plan))]) {
        let area = Area { y, height: author.y - y, ..block };
        y = canvas.set(Weight::Regular, sizes.down_from(sizes.body * 1.2), area, Corner::TopLeft, &text)
            + sizes.body * 0.8;
    }
    // The logo, if there is one, is on the right.
    let area = Area { width: block.width * 0.6, ..author };
    if let Some(name) = &words.author {
        canvas.set(Weight::SemiBold, sizes.down_from(sizes.body * 1.2), area, Corner::BottomLeft, name);
    }
    if let Some(picture) = plan.text.options.logo {
        let Size { width, height } = picture.size();
        let side = (block.width * LOGO.width / width).min(block.height * LOGO.height / height);
        let centre = (block.right() - side * width / 2.0, block.bottom() - side * height / 2.0);
        canvas.push(Item::Picture { picture, centre, side });
    }
}

/// "200 puzzles · Easy to Hard", "50 puzzles · 16 × 16 · Hard". Of several boards their sizes, without their rules.
pub(crate) fn subtitle(plan: &PagePlan<'_>) -> String {
    let language = &plan.text.words.language;
    let mut pieces = vec![language.puzzles(plan.text.entries.len())];
    let from_to = |from: &str, to: &str| fill(language.text("book.from_to"), &[("from", from), ("to", to)]);
    match plan.text.shapes().as_slice() {
        [Shape::NINE] | [] => {}
        [only] => pieces.push(board_name(*only, language)),
        [first, .., last] => {
            let size = |shape: &Shape| fill(language.text("book.board"), &[("n", &shape.order().to_string())]);
            let (first, last) = (size(first), size(last));
            pieces.push(if first == last { first } else { from_to(&first, &last) });
        }
    }
    let rated: Vec<&Section> = plan.sections.iter().filter(|section| section.level.is_some()).collect();
    match rated.as_slice() {
        [only] if plan.sections.len() == 1 => pieces.push(only.name.clone()),
        [first, .., last] => pieces.push(from_to(&first.name, &last.name)),
        _ => {}
    }
    pieces.join(" · ")
}

/// Draws a puzzle as an ornament: its board with bold lines, if its digits can be read.
fn small_board(canvas: &mut Canvas<'_>, x: f64, y: f64, side: f64, least: f64, entry: &Entry, symbols: Symbols) {
    let shape = entry.puzzle.shape();
    let cell_side = (side - 2.0) / shape.order() as f64;
    let (box_line, cell_line) = Look::lines(shape, (1.4, THIN_LINE));
    // Without this, the many lines of a large board would be a dark spot.
    let cell_line = if shape.order() > 9 { 0.0 } else { cell_line };
    let look = Look { box_line, cell_line, cell_side, digit_size: cell_side * 0.62, shade: false, symbols, mark: None };
    // A board whose digits cannot be read would be an empty one.
    if look.digit_size * symbols.smallest(shape.order(), Some(canvas.typeface)) >= least {
        draw_board(canvas, x, y, shape, look);
        draw_digits(canvas, x, y, entry.puzzle.grid(), look, |_| Weight::Medium);
    }
}

fn usual_imprint(plan: &PagePlan<'_>, family: &str) -> Vec<String> {
    let words = plan.text.words;
    let language = &words.language;
    let mut paragraphs = vec![words.title.clone()];
    if let Some(author) = &words.author {
        let owner = words.year.as_ref().map_or(author.clone(), |year| format!("{year} {author}"));
        paragraphs.push(fill(language.text("book.copyright"), &[("author", &owner)]));
        paragraphs.push(language.text("book.rights").to_owned());
    }
    paragraphs.push(String::new());
    paragraphs.push(language.text("book.one_solution").to_owned());
    paragraphs.push(fill(language.text("book.typeface"), &[("font", family)]));
    paragraphs
}

/// Writes the imprint at the foot of its page. It is never split.
pub(crate) fn imprint(canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, block: Area) {
    let size = plan.sheet.sizes.small.max(8.0);
    let setting = Setting { weight: Weight::Regular, size, leading: size * 1.5 };
    let mut broken = Vec::new();
    let imprint = plan.text.words.imprint.clone();
    for paragraph in imprint.unwrap_or_else(|| usual_imprint(plan, &canvas.typeface.family)) {
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
pub(crate) fn chapter(canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, block: Area, text: &str) -> f64 {
    let sizes = plan.sheet.sizes;
    let area = Area { height: (sizes.chapter * 1.2).max(sizes.least * 2.3), ..block };
    canvas.set(Weight::SemiBold, sizes.down_from(sizes.chapter), area, Corner::TopLeft, text);
    block.y + sizes.chapter * CHAPTER_HEAD
}

pub(crate) fn section(canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, block: Area, section: &Section) {
    let sizes = plan.sheet.sizes;
    let title = Area { y: block.y + block.height * 0.30 - sizes.section, height: block.height * 0.28, ..block };
    let name_sizes = SizeRange { largest: sizes.section, smallest: sizes.body };
    let mut y = canvas.set(Weight::SemiBold, name_sizes, title, Corner::TopLeft, &section.name);
    y += sizes.body * 1.8;
    canvas.rule(block.x, y, sizes.section * 1.5, TITLE_RULE);
    y += sizes.body * 1.4;
    let held = Area { y, height: block.height * 0.1, ..block };
    let held_sizes = sizes.down_from(sizes.body * 1.2);
    y = canvas.set(Weight::SemiBold, held_sizes, held, Corner::TopLeft, &plan.text.held(section));
    y += sizes.body * 1.2;
    let about = Area { y, height: block.bottom() - y, width: block.width * 0.85, ..block };
    // Large print keeps the leading of running text, wherever that fits.
    let setting = sizes.style().body;
    let lines = canvas.composer.lines(setting, about.width, &section.about, Breaks::Running);
    let height = setting.size + lines.len().saturating_sub(1) as f64 * setting.leading;
    if plan.text.options.large_print && height <= about.height {
        canvas.lines(setting, about.x, about.y + setting.size, &lines);
        return;
    }
    canvas.set(Weight::Regular, sizes.down_from(sizes.body), about, Corner::TopLeft, &section.about);
}

/// Lines to write on.
pub(crate) fn notes(canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, block: Area) {
    let mut y = chapter(canvas, plan, block, plan.text.words.language.text("book.notes"));
    let step = plan.sheet.sizes.body * 2.4;
    while y <= block.bottom() {
        canvas.rule(block.x, y, block.width, THIN_LINE);
        y += step;
    }
}
