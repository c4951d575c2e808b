//! Pages without puzzles: title, imprint, contents, the page that opens a part, hints, notes.

use super::board::{Look, Symbols, draw_digits, draw_lines};
use super::canvas::{Canvas, Item};
use super::flow::{Setting, even_lines, lines};
use super::howto::{CHAPTER_HEAD, board_name};
use super::plan::{PageKind, Part, Plan};
use super::sheet::Area;
use super::sizes;
use super::typeface::Weight;
use super::{BookError, Entry, Ornament, Words};
use crate::publish::words::{Language, fill};
use sudoku_corpus_core::board::Shape;

/// The title page: the first board of the book, the title, a summary of the contents, and the author at the foot.
pub fn title(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, entries: &[Entry], words: &Words) {
    let type_sizes = plan.type_sizes;
    let top = block.y + block.height * 0.10;
    let side = block.width * 0.34;
    if let (Ornament::Board, Some(first)) = (plan.options.ornament, entries.first()) {
        let least = sizes::smallest(&plan.options);
        small_board(canvas, block.x, top, (side, least), first, plan.options.symbols);
    }
    let mut y = top + side + type_sizes.part * 1.1;
    let (setting, broken) = fit_title(canvas, type_sizes.part * 1.15, block.width, &words.title);
    for line in &broken {
        y += setting.leading;
        canvas.text(setting.weight, setting.size, block.x, y, line);
    }
    y += type_sizes.body * 1.6;
    canvas.rule(block.x, y, type_sizes.part * 1.5, 1.2);
    let style = type_sizes.style().body;
    let style = Setting { size: type_sizes.body * 1.2, leading: type_sizes.body * 1.7, ..style };
    y += style.leading * 0.4;
    let volume =
        words.volume.map(|volume| fill(&words.language.texts().book.volume, &[("volume", &volume.to_string())]));
    for text in volume.into_iter().chain([words.subtitle.clone().unwrap_or_else(|| subtitle(entries, plan, words))]) {
        for line in lines(canvas.typeface, style, block.width, &text) {
            y += style.leading;
            canvas.text(style.weight, style.size, block.x, y, &line);
        }
    }
    if let Some(author) = &words.author {
        let style = Setting { weight: Weight::SemiBold, ..style };
        let broken = lines(canvas.typeface, style, block.width, author);
        let mut y = block.bottom() - (broken.len() - 1) as f64 * style.leading;
        for line in broken {
            canvas.text(style.weight, style.size, block.x, y, &line);
            y += style.leading;
        }
    }
}

/// The largest type, up to `size`, in which the title takes at most four lines and breaks no word. The search stops at
/// 14 pt even if the title does not fit.
fn fit_title(canvas: &Canvas<'_>, size: f64, width: f64, text: &str) -> (Setting, Vec<String>) {
    let mut size = size;
    loop {
        let setting = Setting { weight: Weight::SemiBold, size, leading: size * 1.15 };
        let broken = even_lines(canvas.typeface, setting, width, text);
        let widest = text.split(' ').map(|word| canvas.typeface.width(setting.weight, size, word)).fold(0.0, f64::max);
        if (broken.len() <= 4 && widest <= width) || size <= 14.0 {
            return (setting, broken);
        }
        size -= 1.0;
    }
}

/// "200 puzzles · Easy to Hard", "50 puzzles · 16 × 16 · Hard".
pub fn subtitle(entries: &[Entry], plan: &Plan, words: &Words) -> String {
    let texts = &words.language.texts().book;
    let mut pieces = vec![words.language.puzzles(entries.len())];
    let from_to = |from: &str, to: &str| fill(&texts.from_to, &[("from", from), ("to", to)]);
    match plan.shapes.as_slice() {
        [(Shape::NINE, ..)] | [] => {}
        [(only, ..)] => pieces.push(board_name(*only, &words.language)),
        [(first, ..), .., (last, ..)] => {
            pieces.push(from_to(&board_name(*first, &words.language), &board_name(*last, &words.language)));
        }
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
    let (box_line, cell_line) = Look::lines(shape, (1.4, 0.3));
    // Without this, the many lines of a large board would be a dark spot.
    let cell_line = if shape.order() > 9 { 0.0 } else { cell_line };
    let look = Look { box_line, cell_line, cell, digit: cell * 0.62, shade: false, symbols };
    draw_lines(canvas, x, y, shape, look);
    if look.digit * symbols.smallest(shape.order()) >= least {
        draw_digits(canvas, x, y, entry.puzzle.grid(), look, |_| Weight::Medium);
    }
}

/// The default text of the imprint.
fn usual_imprint(canvas: &Canvas<'_>, words: &Words) -> Vec<String> {
    let texts = &words.language.texts().book;
    let copyright = words.author.as_ref().map(|author| {
        let owner = words.year.as_ref().map_or(author.clone(), |year| format!("{year} {author}"));
        fill(&texts.copyright, &[("author", &owner)])
    });
    let rights = copyright.is_some().then(|| texts.rights.clone());
    let typeface = fill(&texts.typeface, &[("font", &canvas.typeface.family)]);
    let own = [Some(words.title.clone()), copyright, rights].into_iter().flatten();
    own.chain([String::new(), texts.one_solution.clone(), typeface]).collect()
}

/// The imprint, at the foot of its page.
///
/// # Errors
/// [`BookError::LongImprint`] if it does not fit.
pub fn imprint(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, words: &Words) -> Result<(), BookError> {
    let size = plan.type_sizes.small.max(8.0);
    let setting = Setting { weight: Weight::Regular, size, leading: size * 1.5 };
    let width = block.width * 0.85;
    let mut broken = Vec::new();
    for paragraph in &words.imprint.clone().unwrap_or_else(|| usual_imprint(canvas, words)) {
        match paragraph.is_empty() {
            true => broken.push(String::new()),
            false => broken.extend(lines(canvas.typeface, setting, width, paragraph)),
        }
    }
    let room = (block.height / setting.leading).floor() as usize;
    if broken.len() > room {
        return Err(BookError::LongImprint { lines: broken.len(), room });
    }
    let mut y = block.bottom() - (broken.len() as f64 - 1.0) * setting.leading;
    for line in broken {
        canvas.text(setting.weight, setting.size, block.x, y, &line);
        y += setting.leading;
    }
    Ok(())
}

/// The heading of a chapter. Returns the upper edge of the text that follows.
pub fn chapter(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, text: &str) -> f64 {
    let size = plan.type_sizes.chapter;
    canvas.text(Weight::SemiBold, size, block.x, block.y + size, text);
    block.y + size * CHAPTER_HEAD
}

/// The contents: chapters, and the levels with the numbers of their puzzles.
pub fn contents(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, language: &Language) {
    let mut y = chapter(canvas, plan, block, &language.texts().book.contents);
    let lines = contents_lines(plan, language);
    // A calendar may have thirteen months or more. If the lines do not fit on the page, they are set closer together.
    let size = (plan.type_sizes.body * 1.1).min((block.bottom() - y) / (1.8 * (lines.len() + 2) as f64));
    let level_width = |line: &ContentsLine| canvas.typeface.width(Weight::Regular, size, &line.name);
    let widest = lines.iter().filter(|line| line.is_level).map(level_width).fold(0.0, f64::max);
    for line in lines {
        y += size * if line.opens_group { 2.5 } else { 1.8 };
        let weight = if line.is_level { Weight::Regular } else { Weight::SemiBold };
        let label = plan.label(line.page);
        canvas.text(weight, size, block.x, y, &line.name);
        let mut from = block.x + canvas.typeface.width(weight, size, &line.name);
        if let Some(puzzles) = &line.puzzles {
            let x = block.x + widest + size * 2.0;
            canvas.text(Weight::Regular, size, x, y, puzzles);
            from = x + canvas.typeface.width(Weight::Regular, size, puzzles);
        }
        canvas.text_left_of(weight, size, block.right(), y, &label);
        let to = block.right() - canvas.typeface.width(weight, size, &label);
        leader(canvas, size, (from, to), block.right(), y);
    }
}

/// Dots from a name to its page number, in columns that are the same on every line.
fn leader(canvas: &mut Canvas<'_>, size: f64, (from, to): (f64, f64), edge: f64, y: f64) {
    let step = size * 0.6;
    let dot = canvas.typeface.advance(Weight::Regular, size, '.');
    let first = ((edge - from - size * 0.7) / step).floor() as i64;
    let last = ((edge - to + size * 0.5 + dot) / step).ceil() as i64;
    let glyphs = (last..=first)
        .rev()
        .flat_map(|place| canvas.typeface.place(Weight::Regular, size, edge - place as f64 * step, y, "."));
    let glyphs: Vec<_> = glyphs.collect();
    if !glyphs.is_empty() {
        canvas.push(Item::Text { weight: Weight::Regular, size, glyphs });
    }
}

/// A line of the contents.
struct ContentsLine {
    name: String,
    puzzles: Option<String>,
    page: usize,
    is_level: bool,
    opens_group: bool,
}

fn contents_lines(plan: &Plan, language: &Language) -> Vec<ContentsLine> {
    let texts = &language.texts().book;
    let chapter =
        |name: &str, page| ContentsLine { name: name.into(), puzzles: None, page, is_level: false, opens_group: true };
    let mut found = Vec::new();
    if let Some(page) = plan.first(|kind| matches!(kind, PageKind::HowTo(_))) {
        found.push(ContentsLine { opens_group: false, ..chapter(&texts.how_to_play, page) });
    }
    for (number, part) in plan.parts.iter().enumerate() {
        let opening = plan.first(|kind| *kind == PageKind::Part(number));
        let Some(page) = opening.or_else(|| plan.page_of_puzzle(part.puzzles.start)) else { continue };
        found.push(ContentsLine {
            puzzles: Some(range_name(language, part.puzzles.start, part.puzzles.end)),
            is_level: true,
            opens_group: number == 0,
            ..chapter(&part.name, page)
        });
    }
    let hints = plan.first(|kind| matches!(kind, PageKind::Hints(_))).map(|page| (&texts.hints, page));
    // Solutions at one place are a chapter. Other solutions are found by the page number at their puzzle.
    let solutions = plan.solutions_chapter().map(|page| (&texts.solutions, page));
    let notes =
        plan.first(|kind| *kind == PageKind::Notes).filter(|_| plan.notes() > 1).map(|page| (&texts.notes, page));
    found.extend([hints, solutions, notes].into_iter().flatten().map(|(name, page)| chapter(name, page)));
    found
}

/// "Puzzles 1–50", for positions from 0.
pub fn range_name(language: &Language, start: usize, end: usize) -> String {
    let texts = &language.texts().book;
    let text = if end == start + 1 { &texts.puzzle } else { &texts.puzzle_range };
    fill(text, &[("first", &(start + 1).to_string()), ("last", &end.to_string())])
}

/// The page that opens a part.
pub fn part(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, number: usize, language: &Language) {
    let (part, sizes) = (&plan.parts[number], plan.type_sizes);
    let mut y = block.y + block.height * 0.30;
    let (setting, broken) = fit_title(canvas, sizes.part, block.width, &part.name);
    for (at, line) in broken.iter().enumerate() {
        y += if at == 0 { 0.0 } else { setting.leading };
        canvas.text(setting.weight, setting.size, block.x, y, line);
    }
    y += sizes.body * 1.8;
    canvas.rule(block.x, y, sizes.part * 1.5, 1.2);
    y += sizes.body * 2.6;
    let name = range_name(language, part.puzzles.start, part.puzzles.end);
    canvas.text(Weight::SemiBold, sizes.body * 1.2, block.x, y, &name);
    let setting = sizes.style().body;
    y += sizes.body * 0.8;
    for line in lines(canvas.typeface, setting, block.width * 0.85, &part.about) {
        y += setting.leading;
        canvas.text(setting.weight, setting.size, block.x, y, &line);
    }
}

/// Hints: for each puzzle a cell that can be filled next, in two columns.
pub fn hints(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, entries: &[Entry], first: usize, words: &Words) {
    let texts = words.language.texts();
    let size = plan.type_sizes.body;
    let mut y = chapter(canvas, plan, block, &texts.book.hints);
    canvas.text(Weight::Regular, size, block.x, y, &texts.how_to.hints_text);
    y += size * 1.7;
    let rows = plan.hints_per_page() / 2;
    for (at, entry) in entries.iter().enumerate() {
        let x = block.x + (at / rows) as f64 * block.width / 2.0;
        let y = y + (at % rows) as f64 * size * 1.7 + size;
        canvas.text(Weight::SemiBold, size, x, y, &(first + at + 1).to_string());
        if let Some((row, column)) = entry.hint {
            let text = fill(&texts.book.hint, &[("row", &row.to_string()), ("column", &column.to_string())]);
            canvas.text(Weight::Regular, size, x + size * 3.0, y, &text);
        }
    }
}

/// Lines to write on.
pub fn notes(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, language: &Language) {
    let mut y = chapter(canvas, plan, block, &language.texts().book.notes);
    let step = plan.type_sizes.body * 2.4;
    while y <= block.bottom() {
        canvas.rule(block.x, y, block.width, 0.3);
        y += step;
    }
}
