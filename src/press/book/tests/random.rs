//! Random books, and books with every option, read back from their files: nothing outside the margins, no two texts on
//! each other, every puzzle once, and from each puzzle to its answer and its hint by what is printed beside it.
//!
//! CI reads some dozens. `SUDOKU_BOOKS=2000` reads as many, and `SUDOKU_BOOK=17` only the one with this number; with
//! `SUDOKU_BOOK_FILE=17.pdf` it writes it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::*;
use crate::book::options::{Answers, Difficulty, Ornament, Sections, Standard};
use crate::book::printer::Printer;
use crate::book::sheet::margins::Sheet;
use crate::book::sheet::type_sizes::MIN_TYPE;
use crate::book::tests::pages::{Fill, Page, Run, Stroke, read};
use crate::book::tests::printers::{keeps_rules, others_agree};
use crate::book::trim::{Bleed, Paper};
use crate::calendar::series;
use crate::draw::canvas::THIN_LINE;
use crate::draw::measures::Area;
use crate::draw::outline::Picture;
use crate::draw::symbols::{Numerals, Symbols};
use crate::words::language::{Address, Language, LevelTexts, fill};
use crate::words::level_texts;
use sudoku_corpus_core::ladder::{Ladder, Technique, trace};
use sudoku_corpus_store::corpus::Levels;

fn pick<T: Clone>(rng: &mut Rng, items: &[T]) -> T {
    items[rng.below(items.len())].clone()
}

/// True once in so many times.
fn chance(rng: &mut Rng, times: usize) -> bool {
    rng.below(times) == 0
}

/// A text of words that a language has or could have, up to a number of characters.
fn babble(rng: &mut Rng, most: usize) -> String {
    const WORDS: &str =
        "Rätsel|w|très|:|Herausforderung|very|16 × 16|Donaudampfschifffahrtsgesellschaft|i|À|Ściśle|niezwyciężony";
    let words: Vec<&str> = WORDS.split('|').collect();
    let most = 3 + rng.below(most);
    let mut text = pick(rng, &["Leicht", "Diabolique", "Łatwe", "Extra"]).to_owned();
    loop {
        let word = pick(rng, &words);
        if text.chars().count() + word.chars().count() >= most {
            return text;
        }
        text = format!("{text} {word}");
    }
}

/// A language with some of its texts made longer. Names in braces stay.
fn own_words(rng: &mut Rng, language: Language) -> Language {
    let book =
        ["contents", "how_to_play", "solutions", "hints", "notes", "page", "solution_on", "solutions_on", "time"];
    let more = ["hint", "puzzle_range", "solution_range", "volume", "unrated", "solutions_on_two"];
    let mut file = "[book]\n".to_owned();
    for key in book.into_iter().chain(more) {
        if rng.below(3) > 0 {
            continue;
        }
        let texts = toml::Value::try_from(language.all_of("book")).unwrap();
        let text = format!("{} {}", babble(rng, 18), texts[key].as_str().unwrap());
        file += &format!("{key} = {}\n", toml::Value::String(text));
    }
    language.with(&file).unwrap()
}

/// Pictures that can be told apart when they are read: polygons with five corners and more, of different widths and
/// grays.
fn polygons() -> Symbols {
    let polygon = |value: usize| {
        let corner = |number: usize| {
            let angle = std::f64::consts::TAU * number as f64 / (value + 4) as f64;
            format!("{},{}", angle.cos() * (2.0 + 0.85 * value as f64), angle.sin() * 10.0)
        };
        let corners = (0..value + 4).map(corner).collect::<Vec<_>>().join(" ");
        let fill = if value.is_multiple_of(2) { "#777" } else { "#000" };
        let file = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><polygon fill='{fill}' points='{corners}'/></svg>"
        );
        (format!("polygon {value}"), Picture::read(file.as_bytes()).unwrap())
    };
    Symbols::pictures((1..=9).map(polygon).collect()).unwrap()
}

/// The input of a book. The order of the draws decides which books a seed gives.
fn random(seed: u64) -> (Vec<Entry>, Wording, Options) {
    let mut rng = Rng::new(seed, 0, Stage::Bench, 7);
    let (options, shapes) = random_options(&mut rng);
    let words = random_words(&mut rng);
    let entries = random_entries(&mut rng, shapes, &words, &options);
    (entries, words, options)
}

/// Options that do not contradict each other, and the shapes of the boards.
fn random_options(rng: &mut Rng) -> (Options, &'static [&'static str]) {
    let trims = ["110x170mm", "7.5x9.25", "4x6", "170x240mm", "8.25x6", "12x17", "5x8", "6x9"];
    let trim_name = if chance(rng, 2) { pick(rng, &trims) } else { pick(rng, &TRIMS).name };
    let large_print = chance(rng, 4);
    let per_page = [None, None, Some(1), Some(2), Some(4), Some(6)];
    let is_calendar = chance(rng, 5);
    let symbols = [
        Symbols::USUAL,
        Symbols::USUAL,
        Symbols::Known(Numerals::Hexadecimal),
        Symbols::Known(Numerals::Letters),
        Symbols::Known(Numerals::Numbers),
    ];
    const SHAPES: &[&[&str]] =
        &[&["3x3"], &["3x3"], &["3x3"], &["2x3"], &["4x4"], &["2x2"], &["3x3", "2x3"], &["2x2", "3x2", "3x4"]];
    let shapes = pick(rng, SHAPES);
    let order = |shape: &&str| shape.parse::<Shape>().unwrap().order();
    let (largest, symbols_case) = (shapes.iter().map(order).max().unwrap(), rng.below(12));
    let word = ["STAR", "PLANET", "DUPLICATE"].into_iter().find(|word| word.len() == largest && shapes.len() == 1);
    let symbols = match (symbols_case, word) {
        (0, Some(word)) => word.parse().unwrap(),
        (1, _) if largest <= 9 => "sun,moon,star,fish,tree,house,boat,heart,apple".parse().unwrap(),
        (2, _) if largest <= 9 => polygons(),
        _ => pick(rng, &symbols),
    };
    let difficulty = [Difficulty::Words, Difficulty::Words, Difficulty::Stars, Difficulty::Bars, Difficulty::None];
    let printer =
        pick(rng, &[Printer::None, Printer::None, Printer::None, Printer::Kdp, Printer::KdpHardcover, Printer::Ingram]);
    let trim_name = match printer {
        Printer::None => trim_name,
        Printer::Kdp => pick(rng, &TRIMS).name,
        Printer::KdpHardcover => pick(rng, &["6x9", "5.5x8.5", "7x10", "8.25x11"]),
        Printer::Ingram => pick(rng, &["5x8", "6x9", "8.5x11", "A5", "6.69x9.61"]),
    };
    let options = Options {
        printer,
        trim: trim(trim_name),
        per_page: pick(rng, &per_page).filter(|count| !large_print || *count <= 2),
        large_print,
        bleed: pick(rng, &[Bleed::None, Bleed::None, Bleed::USUAL, Bleed::All(8.5)]),
        crop_marks: chance(rng, 4),
        paper: pick(rng, &[Paper::White, Paper::Cream]),
        running_heads: chance(rng, 2),
        difficulty: pick(rng, &difficulty),
        shade: chance(rng, 4),
        time: chance(rng, 3),
        technique: chance(rng, 3),
        names: chance(rng, 4),
        hints: chance(rng, 2),
        answers: pick(rng, &[Answers::End, Answers::Level, Answers::Overleaf, Answers::Below]),
        ornament: pick(rng, &[Ornament::Board, Ornament::None]),
        back_pages: if chance(rng, 8) { 1 + rng.below(5) } else { 0 },
        symbols,
        spell: symbols_case == 0 && word.is_some(),
        candidates: largest <= 9 && matches!(symbols, Symbols::Known(_)) && chance(rng, 6),
        strip: chance(rng, 5),
        second_grid: chance(rng, 7),
        steps: largest <= 9 && chance(rng, 7),
        lines: chance(rng, 5).then_some((3.0, 0.9)),
        solutions_per_page: chance(rng, 4).then(|| 1 + rng.below(12)),
        before: if chance(rng, 4) { rng.below(3000) } else { 0 },
        no_contents: chance(rng, 8),
        no_dividers: chance(rng, 6),
        keep_order: is_calendar,
        levels_by_er: chance(rng, 3),
        sections: pick(rng, &[Sections::Level, Sections::Level, Sections::Board]),
        ..Options::default()
    };
    let options = match (options.sections, options.answers) {
        (Sections::Board, Answers::Level) => Options { answers: Answers::End, ..options },
        _ => options,
    };
    let options = match printer {
        Printer::None if chance(rng, 6) => Options { standard: Standard::Screen, ..options },
        Printer::None => options,
        _ => Options {
            bleed: if options.bleed == Bleed::None { Bleed::None } else { Bleed::USUAL },
            crop_marks: false,
            standard: if printer == Printer::Ingram { Standard::X1a } else { Standard::Plain },
            day: Some("2027-01-31".parse().unwrap()),
            ..options
        },
    };
    (options, shapes)
}

/// Texts in a random language, which may be longer than usual.
fn random_words(rng: &mut Rng) -> Wording {
    let tag = pick(rng, &Language::tags().collect::<Vec<_>>());
    let address = pick(rng, &[Address::Formal, Address::Familiar]);
    let mut language = Language::addressed(tag, address).unwrap();
    if chance(rng, 4) {
        language = own_words(rng, language);
    }
    let most = pick(rng, &[20, 20, 60, 190]);
    let (title, author) = (babble(rng, most), babble(rng, most));
    let mut words = Wording::new(&title, chance(rng, 2).then_some(&*author), None).unwrap();
    words.volume = chance(rng, 4).then_some(12);
    words.year = chance(rng, 2).then(|| "2027".to_owned());
    words.subtitle = chance(rng, 5).then(|| babble(rng, most));
    let longest = pick(rng, &[12, 24, 40, 57]);
    words.levels = match rng.below(3) {
        0 => level_texts(&Levels::open("newspaper", "".as_ref()).unwrap(), &language),
        1 => level_texts(&Levels::hodoku(), &language),
        _ => {
            let count = 1 + rng.below(9);
            let mut level = |_| LevelTexts { name: babble(rng, longest), about: babble(rng, 200) };
            (0..count).map(&mut level).collect()
        }
    };
    words.language = language;
    words
}

/// Puzzles with what these options print beside them.
fn random_entries(rng: &mut Rng, shapes: &[&str], words: &Wording, options: &Options) -> Vec<Entry> {
    let count = 1 + rng.below(60);
    let level_count = pick(rng, &[0, 1, words.levels.len()]).min(count);
    let mut entries = entries(shapes, count, level_count);
    let technique = Technique::all().nth(rng.below(Technique::COUNT));
    let days = series::days("2027-02-20".parse().unwrap(), count, Default::default());
    for (index, entry) in entries.iter_mut().enumerate() {
        let n = entry.puzzle.shape().order();
        entry.technique = technique;
        entry.name = Some(format!("Name{index:016}"));
        entry.hint = options.hints.then_some((index % n + 1, index / n % n + 1));
        entry.day = options.keep_order.then_some(days[index]);
    }
    entries
}

/// The program's typeface, and one font of each family that the system has.
static TYPEFACES: LazyLock<Vec<Typeface>> = LazyLock::new(|| {
    fn add_fonts(folder: &Path, fonts: &mut Vec<PathBuf>) {
        let mut inside: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
        inside.sort();
        inside.iter().filter(|path| path.is_dir()).for_each(|path| add_fonts(path, fonts));
        let is_font =
            |path: &&PathBuf| path.extension().is_some_and(|end| ["ttf", "otf"].contains(&&*end.to_string_lossy()));
        let all: Vec<&PathBuf> = inside.iter().filter(is_font).collect();
        let is_regular = |path: &&&PathBuf| path.to_string_lossy().contains("Regular");
        fonts.extend(all.iter().find(is_regular).or(all.first()).map(|path| path.to_path_buf()));
    }
    let mut files = Vec::new();
    add_fonts(Path::new("/usr/share/fonts"), &mut files);
    let open = |path: &PathBuf| Typeface::of(vec![(path.display().to_string(), fs::read(path).unwrap())]).ok();
    let mut typefaces: Vec<Typeface> =
        std::iter::once(Typeface::open().unwrap()).chain(files.iter().filter_map(open)).collect();
    // A page shows numbers and names in any case.
    typefaces.retain(|typeface| typeface.missing("0123456789 ABC abc ×–·").is_empty());
    if typefaces.len() < 11 {
        eprintln!(
            "SKIPPED: {} typefaces of ten; install fonts-liberation fonts-urw-base35 fonts-lato ..",
            typefaces.len() - 1
        );
    }
    typefaces
});

/// Makes a book and reads it. False if it was refused because something has no room.
fn check(mut entries: Vec<Entry>, words: &Wording, options: &Options, typeface: &Typeface) -> bool {
    options.order(&mut entries);
    if options.spell {
        entries = entries.into_iter().map(Entry::spelled).collect();
    }
    let intent = Intent::default();
    let book = match crate::book::make::make(entries.clone(), words, options, typeface, &intent) {
        Ok(book) => book,
        Err(
            BookError::SmallCells { .. }
            | BookError::LongSymbol { .. }
            | BookError::LargePrint { .. }
            | BookError::NoRoom { .. }
            | BookError::Text(..)
            | BookError::Symbols { .. },
        ) => return false,
        Err(error) => panic!("{error}"),
    };
    if let Ok(path) = std::env::var("SUDOKU_BOOK_FILE") {
        fs::write(path, &book.data).unwrap();
    }
    let bold = options.large_print.then(|| typeface.bold());
    let pages = read(&book.data, bold.as_ref().unwrap_or(typeface));
    assert_eq!(pages.len(), book.pages);
    if options.printer != Printer::None {
        keeps_rules(&book, &pages, options);
        // Other programs are slow, and a book for each of them is enough.
        if entries.len().is_multiple_of(4) {
            others_agree(&book, options);
        }
    }
    // Running heads are within the margins of a page without them.
    let sheet = Sheet { inside: book.inside, ..Sheet::new(&Options { running_heads: false, ..*options }, 0.0) };
    // Letters such as J of some fonts reach far to the left of where they begin.
    let overhang = if std::ptr::eq(typeface, &TYPEFACES[0]) { 0.02 } else { 0.2 };
    let reader = Reader { entries: &entries, words, options, sheet, pages: &pages, overhang };
    reader.places();
    reader.puzzles();
    reader.hints();
    reader.steps_are_told();
    true
}

/// Letters and figures only: what is left of a text however its lines are broken.
fn plain(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).collect()
}

fn overlap(one: &Area, other: &Area) -> bool {
    one.x < other.right() && other.x < one.right() && one.y < other.bottom() && other.y < one.bottom()
}

fn grown(area: Area, by: f64) -> Area {
    Area { x: area.x - by, y: area.y - by, width: area.width + 2.0 * by, height: area.height + 2.0 * by }
}

fn middle(area: &Area) -> (f64, f64) {
    (area.x + area.width / 2.0, area.y + area.height / 2.0)
}

fn is_inside(inner: &Area, outer: &Area) -> bool {
    let outer = grown(*outer, 0.02);
    inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() && inner.bottom() <= outer.bottom()
}

/// A book as it was read, beside what it was made of.
struct Reader<'a> {
    entries: &'a [Entry],
    words: &'a Wording,
    options: &'a Options,
    sheet: Sheet,
    pages: &'a [Page],
    /// How far letters may reach beyond the margins, in type sizes.
    overhang: f64,
}

/// A board as it was read: its page, its area in points, and its cells row by row.
struct Board {
    page: usize,
    area: Area,
    is_turned: bool,
    cells: Vec<String>,
}

/// The ink of a glyph, and the index of its run on the page.
struct PlacedGlyph<'a> {
    run: usize,
    ink: &'a Area,
}

/// A run of glyphs with its origin as the reader of a board sees it, who turns the page for turned boards.
struct ReadRun<'a> {
    base: f64,
    x: f64,
    run: &'a Run,
}

impl Reader<'_> {
    /// The area of a page in which everything is printed.
    fn live(&self, page: usize) -> Area {
        let block = self.sheet.block(page.is_multiple_of(2));
        // Letters such as g may be below the baseline of the page number.
        Area { height: self.sheet.foot_line() + self.sheet.sizes.caption * 0.3 - block.y, ..block }
    }

    /// The number printed at the outer foot of a page.
    fn label(&self, page: usize) -> Option<&str> {
        let (live, foot, size) = (self.live(page), self.sheet.foot_line(), self.sheet.sizes.caption);
        let is_label = |run: &&Run| {
            let outer = if page.is_multiple_of(2) { live.right() - run.ink.right() } else { run.x - live.x };
            (run.base - foot).abs() < 0.1 && outer.abs() < f64::max(3.0, size * 0.5) && (run.size - size).abs() < 0.01
        };
        self.pages[page].runs.iter().find(is_label).map(|run| run.text.as_str())
    }

    /// Nothing outside the margins, nothing on another thing, no type too small, no line too thin.
    fn places(&self) {
        let rules = self.options.printer.rules();
        let is_screen = self.options.standard.is_screen();
        assert!(is_screen || self.sheet.inside >= rules.gutter(self.pages.len()), "{} pages", self.pages.len());
        assert!(is_screen || self.pages.len().is_multiple_of(2));
        let edge = rules.margin(self.options.bleed != Bleed::None);
        assert!(self.sheet.foot >= edge && self.sheet.outside >= edge && self.sheet.top >= edge);
        for (number, page) in self.pages.iter().enumerate() {
            self.is_in_margins(number, page);
            let mut glyphs: Vec<PlacedGlyph<'_>> = Vec::new();
            for (run, Run { glyphs: inks, .. }) in page.runs.iter().enumerate() {
                glyphs.extend(inks.iter().map(|ink| PlacedGlyph { run, ink }));
            }
            glyphs.sort_by(|one, other| one.ink.y.total_cmp(&other.ink.y));
            let text = |glyph: &PlacedGlyph<'_>| &page.runs[glyph.run].text;
            for (index, glyph) in glyphs.iter().enumerate() {
                let mut near = glyphs[index + 1..].iter().take_while(|below| below.ink.y < glyph.ink.bottom());
                let on_it = near.find(|below| below.run != glyph.run && overlap(glyph.ink, below.ink));
                assert_eq!(on_it.map(text), None, "page {number}: on '{}'", text(glyph));
            }
            for (index, frame) in page.frames.iter().enumerate() {
                let Stroke { area: board, width } = *frame;
                let mut later_frames = page.frames[index + 1..].iter();
                let is_touched = later_frames.any(|later| overlap(&grown(board, width), &later.area));
                assert!(!is_touched, "page {number}: boards touch: {frame:?}");
                let (outer, inner) = (grown(board, width / 2.0 + 1.0), grown(board, -width / 2.0));
                let on_edge = glyphs.iter().find(|glyph| overlap(glyph.ink, &outer) && !is_inside(glyph.ink, &inner));
                assert_eq!(on_edge.map(text), None, "page {number}: on a board's edge");
                let crosses = |line: &&Stroke| {
                    overlap(&grown(line.area, 0.1), &outer) && !is_inside(&line.area, &grown(board, 0.1))
                };
                assert_eq!(page.lines.iter().find(crosses), None, "page {number}: across a board's edge");
            }
        }
    }

    /// Nothing of a page is outside the margins, too small or too thin.
    fn is_in_margins(&self, number: usize, page: &Page) {
        let least = self.sheet.sizes.least.max(MIN_TYPE);
        let live = self.live(number);
        for run in &page.runs {
            assert!(run.size >= least - 0.001, "page {number}: type is too small: {run:?}");
            assert!(!run.text.contains(['\u{fffd}', '{', '}']), "page {number}: what is this: {run:?}");
            // Letters such as W and Ł reach a little beyond the place where they begin.
            let is_there = is_inside(&run.ink, &grown(live, run.size * self.overhang));
            assert!(is_there, "page {number}: outside the margins: {run:?} of {live:?}");
        }
        for frame in &page.frames {
            let is_there = is_inside(&grown(frame.area, frame.width / 2.0), &live);
            assert!(is_there, "page {number}: outside the margins: {frame:?} of {live:?}");
        }
        for line in &page.lines {
            let is_mark = self.options.crop_marks && line.width < 0.3;
            let is_on_page = is_inside(&line.area, &live) && line.width >= THIN_LINE - 0.001;
            let is_there = is_mark && is_inside(&line.area, &page.sheet) || is_on_page;
            assert!(is_there, "page {number}: a line: {line:?}");
        }
    }

    /// The boards of all pages from page 1 on.
    fn boards(&self) -> Vec<Board> {
        let number = |page: usize| self.label(page)?.parse::<usize>().ok();
        let first = (0..self.pages.len()).find_map(|page| Some(page + 1 - number(page)?)).unwrap();
        let mut boards = Vec::new();
        for (number, page) in self.pages[..self.steps()].iter().enumerate().skip(first) {
            boards.extend(page.frames.iter().map(|frame| self.board(number, page, frame.area)));
        }
        boards
    }

    /// The board in the area of a frame of a page.
    fn board(&self, number: usize, page: &Page, area: Area) -> Board {
        let is_picture = |fill: &&Fill| fill.corners > 4 && is_inside(&fill.area, &area);
        let pictures: Vec<&Fill> = page.fills.iter().filter(is_picture).collect();
        // Pictures begin on their right.
        let is_turned = page.runs.iter().any(|run| run.is_turned && is_inside(&run.ink, &area))
            || pictures.iter().any(|fill| fill.first_corner.0 < fill.area.x + fill.area.width / 2.0);
        // The number of cells, by the lines that begin at the upper edge.
        let is_inner = |Stroke { area: line, .. }: &&Stroke| {
            let is_down = line.width < 0.01 && (line.height - area.height).abs() < 0.1;
            is_down && (line.y - area.y).abs() < 0.05 && line.x > area.x && line.x < area.right()
        };
        let columns = 1 + page.lines.iter().filter(is_inner).count();
        let mut cells = vec![String::new(); columns * columns];
        let side = area.width / columns as f64;
        let cell_at = |(x, y): (f64, f64)| {
            let (row, column) = (((y - area.y) / side) as usize, ((x - area.x) / side) as usize);
            let cell = row * columns + column;
            if is_turned { columns * columns - 1 - cell } else { cell }
        };
        for fill in pictures {
            cells[cell_at(middle(&fill.area))] = self.options.symbols.text(fill.corners as u16 - 4, columns);
        }
        // Candidates are smaller than digits.
        let inside = page.runs.iter().filter(|run| is_inside(&run.ink, &area));
        let largest = inside.map(|run| run.size).fold(0.0, f64::max);
        let is_digit = |run: &&Run| !self.options.candidates || run.size > largest * 0.7;
        // How far each digit is below the middle of its cell, as a part of the side of the cell.
        let mut below_middle = Vec::new();
        for run in page.runs.iter().filter(is_digit) {
            for (glyph, character) in run.glyphs.iter().zip(run.text.chars().filter(|c| *c != ' ')) {
                let (x, y) = middle(glyph);
                if !is_inside(&Area { x, y, width: 0.0, height: 0.0 }, &area) {
                    continue;
                }
                if character.is_ascii_digit() {
                    below_middle.push(((y - area.y) / side).fract() - 0.5);
                }
                cells[cell_at((x, y))].push(character);
            }
        }
        let mean = below_middle.iter().sum::<f64>() / below_middle.len() as f64;
        let is_centred = below_middle.is_empty() || mean.abs() < 0.06;
        assert!(is_centred, "page {number}: digits are {mean} of a cell below the middle");
        Board { page: number, area, is_turned, cells }
    }

    /// The first page of the steps of the solutions, which has their heading.
    fn steps(&self) -> usize {
        let heading = plain(self.words.language.text("book.steps"));
        let is_heading = |run: &Run| run.size > self.sheet.sizes.caption * 1.3 && heading == plain(&run.text);
        let first = self.pages.iter().position(|page| page.runs.iter().any(is_heading));
        assert_eq!(first.is_some(), self.options.steps, "steps");
        first.unwrap_or(self.pages.len())
    }

    /// The text over a board, as far as it belongs to it; for a turned board as its reader sees it.
    fn over(&self, board: &Board) -> Vec<&str> {
        let Area { x, y, width, .. } = board.area;
        let flip = |coordinate: f64, around: f64| if board.is_turned { 2.0 * around - coordinate } else { coordinate };
        let middle = board.area.y + board.area.height / 2.0;
        let mut runs: Vec<ReadRun<'_>> = Vec::new();
        for run in &self.pages[board.page].runs {
            let in_board = |frame: &Stroke| is_inside(&run.ink, &frame.area);
            // Letters such as J reach over the place where they begin.
            let edge = 3.0 + run.size / 10.0;
            let is_beside = run.ink.x >= x - edge && run.ink.right() <= x + width + edge;
            let base = flip(run.base, middle);
            let is_over = is_beside && run.is_turned == board.is_turned && base < y;
            if is_over && !self.pages[board.page].frames.iter().any(in_board) {
                runs.push(ReadRun { base, x: flip(run.x, x + width / 2.0), run });
            }
        }
        runs.sort_by(|one, other| other.base.total_cmp(&one.base));
        // Lines of one label are close to each other, from the board upwards.
        let (mut base_below, mut size_below) = (y, f64::INFINITY);
        let mut of_board: Vec<ReadRun<'_>> = Vec::new();
        for read in runs {
            let size = read.run.size;
            // Below the text there may be a line of signs.
            let most = if size_below.is_finite() { size.min(size_below) * 1.75 } else { size * 3.2 };
            if base_below - read.base > most {
                break;
            }
            (base_below, size_below) = (read.base, size);
            of_board.push(read);
        }
        of_board.sort_by(|one, other| one.base.total_cmp(&other.base).then(one.x.total_cmp(&other.x)));
        of_board.into_iter().map(|read| read.run.text.trim()).collect()
    }

    /// What puzzle, answer and hint have in common.
    fn name(&self, index: usize) -> String {
        let day = self.entries[index].day.map(|day| self.words.language.date(day));
        day.unwrap_or_else(|| (self.options.before + index + 1).to_string())
    }

    /// The text at the foot of a page.
    fn foot(&self, page: usize) -> String {
        let below = |run: &&Run| run.base > self.sheet.trim.height - self.sheet.bottom + 1.0;
        self.pages[page].runs.iter().filter(below).map(|run| run.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// Every puzzle and every solution is there once, under its name, and each names the page of the other.
    fn puzzles(&self) {
        let boards = self.boards();
        let each = if self.options.second_grid { 3 } else { 2 };
        assert_eq!(boards.len(), each * self.entries.len());
        let language = &self.words.language;
        for (index, entry) in self.entries.iter().enumerate() {
            let n = entry.puzzle.shape().order();
            let name = self.name(index);
            let day = entry.day.map_or_else(|| name.clone(), |day| self.words.day(day));
            let is_named = |board: &&Board, name: &str| match entry.day {
                None => self.over(board).first() == Some(&name),
                Some(_) => plain(&self.over(board).concat()).starts_with(&plain(name)),
            };
            // Two small puzzles may have the same solution: their names tell them apart.
            let find = |what: &str, values: &[u16], name: &str| -> &Board {
                let symbol =
                    |&value: &u16| if value == 0 { String::new() } else { self.options.symbols.text(value, n) };
                let wanted: Vec<String> = values.iter().map(symbol).collect();
                let alike = boards.iter().filter(|board| board.cells == wanted);
                let named: Vec<&Board> = alike.clone().filter(|board| is_named(board, name)).collect();
                let over = || alike.map(|board| self.over(board)).collect::<Vec<_>>();
                assert_eq!(named.len(), 1, "{what} '{name}'; boards like it have {:?}", over());
                named[0]
            };
            let puzzle = find("puzzle", entry.puzzle.grid().values(), &day);
            let solution = find("solution", entry.solution.grid().values(), &name);
            let label = |board: &Board| self.label(board.page).unwrap_or_default();
            if let Some(level) = entry.level.filter(|_| self.options.difficulty == Difficulty::Words) {
                let (over, level) = (plain(&self.over(puzzle).concat()), plain(&self.words.levels[level].name));
                assert!(over.contains(&level), "page {}: '{over}' does not say '{level}'", puzzle.page);
            }
            if self.options.answers == Answers::Below {
                assert!(solution.page == puzzle.page && solution.is_turned, "answer {name}: page {}", solution.page);
                continue;
            }
            let back = plain(&fill(language.text("book.page"), &[("page", label(puzzle))]));
            let (over, foot) = (plain(&self.over(solution).concat()), self.foot(puzzle.page));
            let is_named = foot.split(|c: char| !c.is_ascii_digit()).any(|number| number == label(solution));
            let is_next = self.options.answers != Answers::Overleaf || solution.page == puzzle.page + 1;
            let (from, to) = (label(puzzle), label(solution));
            assert!(is_named && is_next && over.ends_with(&back), "{name}, page {from} to {to}: '{over}', '{foot}'");
        }
    }

    /// Every puzzle has its hint beside its name.
    fn hints(&self) {
        let language = &self.words.language;
        let heading = plain(self.words.language.text("how_to.hints_text"));
        let pages = (0..self.pages.len()).filter(|&page| self.pages[page].frames.is_empty());
        let columns = pages.flat_map(|page| (1..=3).map(move |count| (page, count)));
        let read = columns.map(|(page, count)| plain(&self.columns(page, count)));
        let pages: Vec<String> = read.filter(|text| text.contains(&heading)).collect();
        for (index, entry) in self.entries.iter().enumerate() {
            let Some((row, column)) = entry.hint else { continue };
            let hint = fill(language.text("book.hint"), &[("row", &row.to_string()), ("column", &column.to_string())]);
            let wanted = plain(&self.name(index)) + &plain(&hint);
            assert!(pages.iter().any(|page| page.contains(&wanted)), "no hint '{wanted}' in {pages:?}");
        }
    }

    /// Each digit that a step places, and each candidate that it removes, is named.
    fn steps_are_told(&self) {
        if !self.options.steps {
            return;
        }
        let runs = self.pages[self.steps()..].iter().flat_map(|page| &page.runs);
        let text = runs.map(|run| run.text.as_str()).collect::<Vec<_>>().join(" ");
        let name = self.words.language.text("book.cell");
        for entry in self.entries {
            let n = entry.puzzle.shape().order();
            for step in trace(&entry.puzzle, &Ladder::default()).steps {
                let placed = step.placements.iter().map(|placed| (placed, "="));
                for (&(cell, digit), sign) in placed.chain(step.eliminations.iter().map(|out| (out, "<>"))) {
                    let (row, column) = ((cell.index() / n + 1).to_string(), (cell.index() % n + 1).to_string());
                    let cell = fill(name, &[("row", &row), ("column", &column)]);
                    let said = format!("{cell} {sign} {}", self.options.symbols.text(digit.value(), n));
                    assert!(text.contains(&said), "no step '{said}'");
                }
            }
        }
    }

    /// The text of a page, if it has a number of columns, column by column.
    fn columns(&self, page: usize, count: usize) -> String {
        let mut runs: Vec<&Run> = self.pages[page].runs.iter().collect();
        let live = self.live(page);
        let mut starts: Vec<f64> =
            (0..count).map(|column| live.x + live.width * column as f64 / count as f64).collect();
        starts.push(f64::INFINITY);
        let column = |run: &Run| starts.iter().position(|start| run.x < start - 0.1).unwrap_or(0);
        runs.sort_by(|one, other| {
            column(one).cmp(&column(other)).then(one.base.total_cmp(&other.base)).then(one.x.total_cmp(&other.x))
        });
        runs.into_iter().map(|run| run.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn random_books_can_be_read_and_nothing_is_out_of_place() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    // Those after the first 48 were wrong once.
    let seeds: Vec<u64> = match (number("SUDOKU_BOOK"), number("SUDOKU_BOOKS")) {
        (Some(seed), _) => vec![seed],
        (None, Some(count)) => (0..count).collect(),
        (None, None) => (0..48).chain([831, 843, 1339]).collect(),
    };
    let count = seeds.len();
    let (mut made, mut failed) = (0, Vec::new());
    for seed in seeds {
        let (entries, words, options) = random(seed);
        // Every other book is in the program's typeface.
        let typeface = if seed % 2 == 0 { &TYPEFACES[0] } else { &TYPEFACES[seed as usize / 2 % TYPEFACES.len()] };
        let family = &typeface.family;
        let about = format!("{options:?}, {} puzzles, {}, {family}", entries.len(), words.language.tag());
        match catch_unwind(AssertUnwindSafe(|| check(entries, &words, &options, typeface))) {
            Ok(is_made) => made += usize::from(is_made),
            Err(_) => failed.push(format!("SUDOKU_BOOK={seed}: {about}")),
        }
    }
    eprintln!("{made} of {count} books were made, the others refused");
    assert!(failed.is_empty(), "{} of {count} books:\n{}", failed.len(), failed.join("\n"));
    assert!(count == 1 || made * 2 >= count, "only {made} of {count} books were made");
}

/// Books with every option in turn.
#[test]
fn books_with_every_option_can_be_read_and_nothing_is_out_of_place() {
    let usual = Options::default();
    let check = |entries: Vec<Entry>, words: &Wording, options: Options| {
        let count = entries.len();
        let made = catch_unwind(AssertUnwindSafe(|| check(entries, words, &options, &TYPEFACES[0])));
        assert!(matches!(made, Ok(true)), "{count} puzzles, {}, {options:?}", words.language.tag());
    };
    for options in all_options() {
        check(entries(&["3x3"], 31, 6), &words(), options);
    }
    for shapes in [["2x2"], ["2x3"], ["3x2"], ["2x4"], ["2x5"], ["3x4"], ["4x4"], ["4x5"], ["5x5"]] {
        for name in ["5x8", "6x9", "8.5x11"] {
            check(entries(&shapes, 9, 2), &words(), Options { trim: trim(name), ..usual });
        }
    }
    for tag in Language::tags() {
        let mut words = words();
        words.language = Language::named(tag).unwrap();
        words.levels = level_texts(&Levels::hodoku(), &words.language);
        for hints in [false, true] {
            let mut known = entries(&["3x3"], 24, 6);
            known.iter_mut().for_each(|entry| entry.hint = hints.then_some((4, 7)));
            for name in ["5x8", "6x9", "110x170mm"] {
                check(known.clone(), &words, Options { hints, trim: trim(name), ..usual });
            }
            check(known, &words, Options { hints, large_print: true, ..usual });
        }
        let mut days = entries(&["3x3"], 40, 6);
        for (entry, day) in days.iter_mut().zip(series::days("2027-09-20".parse().unwrap(), 40, Default::default())) {
            entry.day = Some(day);
        }
        check(days, &words, Options { keep_order: true, trim: trim("5x8"), ..usual });
    }
    // Titles that are hard to break.
    for title in ["W".repeat(200), "supercalifragilistic ".repeat(9), ")\\(<>/%".repeat(20), "a ".repeat(100)] {
        for name in ["5x8", "6x9"] {
            let words = Wording::new(&title, Some(&title), Some(&title)).unwrap();
            check(entries(&["3x3"], 2, 1), &words, Options { trim: trim(name), ..usual });
        }
    }
}
