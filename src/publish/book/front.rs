//! Pages without puzzles: title, imprint, contents, the page that opens a part, notes.

use super::canvas::{Canvas, Item};
use super::flow::{Setting, even_lines, lines};
use super::howto::{CHAPTER_HEAD, board_name, level_about};
use super::plan::{Kind, Plan};
use super::sheet::Area;
use super::typeface::Weight;
use super::{BookError, Entry, Words, level_name};
use crate::board::Shape;
use crate::rate::Level;

/// The title page: the pattern of the first puzzle's givens, the title, what is in the book, the author at the foot.
pub fn title(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, entries: &[Entry], words: &Words) {
    let sizes = plan.type_sizes;
    let mut y = block.y;
    if let Some(first) = entries.first() {
        let side = block.width * 0.30;
        pattern(canvas, block.x, block.y + block.height * 0.10, side, first);
        y = block.y + block.height * 0.10 + side;
    }
    y += sizes.part * 1.1;
    let (setting, broken) = fit_title(canvas, sizes.part * 1.15, block.width, &words.title);
    for line in &broken {
        y += setting.leading;
        canvas.text(setting.weight, setting.size, block.x, y, line);
    }
    y += sizes.body * 1.6;
    canvas.rule(block.x, y, sizes.part * 1.5, 1.2);
    let style = sizes.style().body;
    let style = Setting { size: sizes.body * 1.2, leading: sizes.body * 1.7, ..style };
    y += style.leading * 0.4;
    for line in lines(canvas.typeface, style, block.width, &subtitle(entries, plan)) {
        y += style.leading;
        canvas.text(style.weight, style.size, block.x, y, &line);
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

/// The largest type, up to `size`, in which the title takes at most four lines and breaks no word.
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

/// "200 puzzles, easy to hard", "50 hard puzzles, 16 × 16".
pub fn subtitle(entries: &[Entry], plan: &Plan) -> String {
    let puzzles = |adjective: &str| match entries.len() {
        1 => format!("One {adjective}puzzle"),
        count => format!("{count} {adjective}puzzles"),
    };
    let boards = match plan.shapes.as_slice() {
        [Shape::NINE] | [] => String::new(),
        [only] => format!(", {}", board_name(*only)),
        [first, .., last] => format!(", {} to {}", board_name(*first), board_name(*last)),
    };
    let known: Vec<Level> = plan.parts.iter().filter_map(|part| part.level).collect();
    match known.as_slice() {
        [Level::Beyond] => puzzles("") + &boards,
        [only] if plan.parts.len() == 1 => puzzles(&format!("{only} ")) + &boards,
        [first, .., last] if *last != Level::Beyond => format!("{}{boards}, {first} to {last}", puzzles("")),
        _ => puzzles("") + &boards,
    }
}

/// The givens of a puzzle as squares, without lines or digits.
fn pattern(canvas: &mut Canvas<'_>, x: f64, y: f64, side: f64, entry: &Entry) {
    let n = entry.puzzle.shape().order();
    let step = side / n as f64;
    let size = step * 0.84;
    for (at, _) in entry.puzzle.grid().values().iter().enumerate().filter(|&(_, &value)| value != 0) {
        let (row, column) = ((at / n) as f64, (at % n) as f64);
        canvas.push(Item::Block(Area { x: x + column * step, y: y + row * step, width: size, height: size }));
    }
}

/// The imprint, at the foot of its page.
///
/// # Errors
/// [`BookError::LongImprint`] when it does not fit.
pub fn imprint(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, words: &Words) -> Result<(), BookError> {
    let size = plan.type_sizes.small.max(8.0);
    let setting = Setting { weight: Weight::Regular, size, leading: size * 1.5 };
    let width = block.width * 0.85;
    let mut broken = Vec::new();
    for paragraph in &words.imprint {
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

/// The heading of a chapter; gives the upper edge of what follows.
pub fn chapter(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, text: &str) -> f64 {
    let size = plan.type_sizes.chapter;
    canvas.text(Weight::SemiBold, size, block.x, block.y + size, text);
    block.y + size * CHAPTER_HEAD
}

/// The contents: chapters, and the levels with the numbers of their puzzles.
pub fn contents(canvas: &mut Canvas<'_>, plan: &Plan, block: Area) {
    let size = plan.type_sizes.body * 1.1;
    let mut y = chapter(canvas, plan, block, "Contents");
    let lines = contents_lines(plan);
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

fn contents_lines(plan: &Plan) -> Vec<ContentsLine> {
    let chapter =
        |name: &str, page| ContentsLine { name: name.into(), puzzles: None, page, is_level: false, opens_group: true };
    let mut found = Vec::new();
    if let Some(page) = plan.first(|kind| matches!(kind, Kind::HowTo(_))) {
        found.push(ContentsLine { opens_group: false, ..chapter("How to play", page) });
    }
    for (number, part) in plan.parts.iter().enumerate() {
        let opening = plan.first(|kind| *kind == Kind::Part(number));
        let Some(page) = opening.or_else(|| plan.page_of_puzzle(part.puzzles.start)) else { continue };
        let name = part_name(part.level);
        let line = chapter(name, page);
        found.push(ContentsLine {
            puzzles: Some(range_name(part.puzzles.start, part.puzzles.end)),
            is_level: true,
            opens_group: number == 0,
            ..line
        });
    }
    if let Some(page) = plan.first(|kind| matches!(kind, Kind::Solutions(_))) {
        found.push(chapter("Solutions", page));
    }
    if let Some(page) = plan.first(|kind| *kind == Kind::Notes)
        && plan.notes() > 1
    {
        found.push(chapter("Notes", page));
    }
    found
}

/// The name of a part.
pub fn part_name(level: Option<Level>) -> &'static str {
    level.map_or("Puzzles", level_name)
}

/// "Puzzles 1–50", for positions from 0.
pub fn range_name(start: usize, end: usize) -> String {
    if end == start + 1 { format!("Puzzle {end}") } else { format!("Puzzles {}–{end}", start + 1) }
}

/// The page that opens a part.
pub fn part(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, number: usize) {
    let (part, sizes) = (&plan.parts[number], plan.type_sizes);
    let mut y = block.y + block.height * 0.30;
    canvas.text(Weight::SemiBold, sizes.part, block.x, y, part_name(part.level));
    y += sizes.body * 1.8;
    canvas.rule(block.x, y, sizes.part * 1.5, 1.2);
    y += sizes.body * 2.6;
    let name = range_name(part.puzzles.start, part.puzzles.end);
    canvas.text(Weight::SemiBold, sizes.body * 1.2, block.x, y, &name);
    let setting = sizes.style().body;
    y += sizes.body * 0.8;
    for line in lines(canvas.typeface, setting, block.width * 0.72, part.level.map_or("", level_about)) {
        y += setting.leading;
        canvas.text(setting.weight, setting.size, block.x, y, &line);
    }
}

/// Lines to write on.
pub fn notes(canvas: &mut Canvas<'_>, plan: &Plan, block: Area) {
    let mut y = chapter(canvas, plan, block, "Notes");
    let step = plan.type_sizes.body * 2.4;
    while y <= block.bottom() {
        canvas.rule(block.x, y, block.width, 0.3);
        y += step;
    }
}
