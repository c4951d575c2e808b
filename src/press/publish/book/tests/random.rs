//! Random books, and books with every option, read back from their files: nothing outside the margins, no two texts on
//! each other, every puzzle once, and from each puzzle to its answer and its hint by what is printed beside it.
//!
//! CI reads some dozens. `SUDOKU_BOOKS=2000` reads as many, and `SUDOKU_BOOK=17` only the one with this number; with
//! `SUDOKU_BOOK_FILE=17.pdf` it writes it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::*;
use crate::publish::book::finished::check::{Finding, preflight};
use crate::publish::book::options::{Answers, Difficulty, Ornament, Sections, Standard};
use crate::publish::book::printer::Printer;
use crate::publish::book::sheet::margins::Sheet;
use crate::publish::book::sheet::type_sizes::MIN_TYPE;
use crate::publish::book::tests::pages::{Page, Run, read};
use crate::publish::book::trim::Bleed;
use crate::publish::book::trim::Paper;
use crate::publish::calendar::series;
use crate::publish::draw::canvas::THIN_LINE;
use crate::publish::draw::measures::Area;
use crate::publish::draw::outline::Picture;
use crate::publish::draw::symbols::{Numerals, Symbols};
use crate::publish::words::language::{Address, Language, LevelTexts, fill};
use crate::publish::words::level_texts;
use sudoku_corpus_core::rate::{Ladder, Technique, trace};
use sudoku_corpus_store::corpus::Levels;

fn pick<T: Clone>(rng: &mut Rng, of: &[T]) -> T {
    of[rng.below(of.len())].clone()
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

/// Pictures that can be told apart when they are read: polygons with five corners and more.
fn polygons() -> Symbols {
    let polygon = |value: usize| {
        let corner = |at: usize| {
            let angle = std::f64::consts::TAU * at as f64 / (value + 4) as f64;
            format!("{},{}", angle.cos() * 10.0, angle.sin() * 10.0)
        };
        let corners = (0..value + 4).map(corner).collect::<Vec<_>>().join(" ");
        let file =
            format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><polygon points='{corners}'/></svg>");
        (format!("polygon {value}"), Picture::read(file.as_bytes()).unwrap())
    };
    Symbols::pictures((1..=9).map(polygon).collect()).unwrap()
}

/// The input of a book.
fn random(seed: u64) -> (Vec<Entry>, Wording, Options) {
    let mut rng = Rng::new(seed, 0, Stage::Bench, 7);
    let chance = |rng: &mut Rng, of: usize| rng.below(of) == 0;
    let trims = ["110x170mm", "7.5x9.25", "4x6", "170x240mm", "8.25x6", "12x17", "5x8", "6x9"];
    let trim_name = if chance(&mut rng, 2) { pick(&mut rng, &trims) } else { pick(&mut rng, &TRIMS).name };
    let large_print = chance(&mut rng, 4);
    let per_page = [None, None, Some(1), Some(2), Some(4), Some(6)];
    let is_calendar = chance(&mut rng, 5);
    let symbols = [
        Symbols::USUAL,
        Symbols::USUAL,
        Symbols::Known(Numerals::Hexadecimal),
        Symbols::Known(Numerals::Letters),
        Symbols::Known(Numerals::Numbers),
    ];
    let shapes: &[&[&str]] =
        &[&["3x3"], &["3x3"], &["3x3"], &["2x3"], &["4x4"], &["2x2"], &["3x3", "2x3"], &["2x2", "3x2", "3x4"]];
    let shapes = pick(&mut rng, shapes);
    let order = |shape: &&str| shape.parse::<Shape>().unwrap().order();
    let (largest, own) = (shapes.iter().map(order).max().unwrap(), rng.below(12));
    let word =
        [(4, "STAR"), (6, "PLANET"), (9, "DUPLICATE")].into_iter().find(|word| word.0 == largest && shapes.len() == 1);
    let symbols = match (own, word) {
        (0, Some((_, word))) => word.parse().unwrap(),
        (1, _) if largest <= 9 => "sun,moon,star,fish,tree,house,boat,heart,apple".parse().unwrap(),
        (2, _) if largest <= 9 => polygons(),
        _ => pick(&mut rng, &symbols),
    };
    let difficulty = [Difficulty::Words, Difficulty::Words, Difficulty::Stars, Difficulty::Bars, Difficulty::None];
    let printer = pick(
        &mut rng,
        &[Printer::None, Printer::None, Printer::None, Printer::Kdp, Printer::KdpHardcover, Printer::Ingram],
    );
    let trim_name = match printer {
        Printer::None => trim_name,
        Printer::Kdp => pick(&mut rng, &TRIMS).name,
        Printer::KdpHardcover => pick(&mut rng, &["6x9", "5.5x8.5", "7x10", "8.25x11"]),
        Printer::Ingram => pick(&mut rng, &["5x8", "6x9", "8.5x11", "A5", "6.69x9.61"]),
    };
    let options = Options {
        printer,
        trim: trim(trim_name),
        per_page: pick(&mut rng, &per_page).filter(|count| !large_print || *count <= 2),
        large_print,
        bleed: pick(&mut rng, &[Bleed::None, Bleed::None, Bleed::USUAL, Bleed::All(8.5)]),
        crop_marks: chance(&mut rng, 4),
        paper: pick(&mut rng, &[Paper::White, Paper::Cream]),
        running_heads: chance(&mut rng, 2),
        difficulty: pick(&mut rng, &difficulty),
        shade: chance(&mut rng, 4),
        time: chance(&mut rng, 3),
        technique: chance(&mut rng, 3),
        names: chance(&mut rng, 4),
        hints: chance(&mut rng, 2),
        answers: pick(&mut rng, &[Answers::End, Answers::Level, Answers::Overleaf, Answers::Below]),
        ornament: pick(&mut rng, &[Ornament::Board, Ornament::None]),
        symbols,
        spell: own == 0 && word.is_some(),
        candidates: largest <= 9 && matches!(symbols, Symbols::Known(_)) && chance(&mut rng, 6),
        strip: chance(&mut rng, 5),
        second_grid: chance(&mut rng, 7),
        steps: largest <= 9 && chance(&mut rng, 7),
        lines: chance(&mut rng, 5).then_some((3.0, 0.9)),
        solutions_per_page: chance(&mut rng, 4).then(|| 1 + rng.below(12)),
        before: if chance(&mut rng, 4) { rng.below(3000) } else { 0 },
        no_contents: chance(&mut rng, 8),
        no_dividers: chance(&mut rng, 6),
        keep_order: is_calendar,
        levels_by_er: chance(&mut rng, 3),
        sections: pick(&mut rng, &[Sections::Level, Sections::Level, Sections::Board]),
        ..Options::default()
    };
    let options = match (options.sections, options.answers) {
        (Sections::Board, Answers::Level) => Options { answers: Answers::End, ..options },
        _ => options,
    };
    let options = match printer {
        Printer::None if chance(&mut rng, 6) => Options { standard: Standard::Screen, ..options },
        Printer::None => options,
        _ => Options {
            bleed: if options.bleed == Bleed::None { Bleed::None } else { Bleed::USUAL },
            crop_marks: false,
            standard: if printer == Printer::Ingram { Standard::X1a } else { Standard::Plain },
            day: Some("2027-01-31".parse().unwrap()),
            ..options
        },
    };
    let tag = pick(&mut rng, &Language::tags().collect::<Vec<_>>());
    let address = pick(&mut rng, &[Address::Formal, Address::Familiar]);
    let mut language = Language::addressed(tag, address).unwrap();
    if chance(&mut rng, 4) {
        language = own_words(&mut rng, language);
    }
    let most = pick(&mut rng, &[20, 20, 60, 190]);
    let (title, author) = (babble(&mut rng, most), babble(&mut rng, most));
    let mut words = Wording::new(&title, chance(&mut rng, 2).then_some(&*author), None).unwrap();
    words.volume = chance(&mut rng, 4).then_some(12);
    words.year = chance(&mut rng, 2).then(|| "2027".to_owned());
    words.subtitle = chance(&mut rng, 5).then(|| babble(&mut rng, most));
    let longest = pick(&mut rng, &[12, 24, 40, 57]);
    words.levels = match rng.below(3) {
        0 => level_texts(&Levels::open("newspaper", "".as_ref()).unwrap(), &language),
        1 => level_texts(&Levels::hodoku(), &language),
        _ => {
            let count = 1 + rng.below(9);
            let mut level = |_| LevelTexts { name: babble(&mut rng, longest), about: babble(&mut rng, 200) };
            (0..count).map(&mut level).collect()
        }
    };
    words.language = language;
    let count = 1 + rng.below(60);
    let level_count = pick(&mut rng, &[0, 1, words.levels.len()]).min(count);
    let mut entries = entries(shapes, count, level_count);
    let technique = Technique::all().nth(rng.below(Technique::COUNT));
    let days = series::days("2027-02-20".parse().unwrap(), count, Default::default());
    for (at, entry) in entries.iter_mut().enumerate() {
        let n = entry.puzzle.shape().order();
        entry.technique = technique;
        entry.name = Some(format!("Name{at:016}"));
        entry.hint = options.hints.then_some((at % n + 1, at / n % n + 1));
        entry.day = is_calendar.then_some(days[at]);
    }
    (entries, words, options)
}

/// The program's typeface, and one font of each family that the system has.
static TYPEFACES: LazyLock<Vec<Typeface>> = LazyLock::new(|| {
    fn fonts(folder: &Path, found: &mut Vec<PathBuf>) {
        let mut inside: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
        inside.sort();
        inside.iter().filter(|path| path.is_dir()).for_each(|path| fonts(path, found));
        let is_font =
            |path: &&PathBuf| path.extension().is_some_and(|end| ["ttf", "otf"].contains(&&*end.to_string_lossy()));
        let all: Vec<&PathBuf> = inside.iter().filter(is_font).collect();
        let is_regular = |path: &&&PathBuf| path.to_string_lossy().contains("Regular");
        found.extend(all.iter().find(is_regular).or(all.first()).map(|path| path.to_path_buf()));
    }
    let mut files = Vec::new();
    fonts(Path::new("/usr/share/fonts"), &mut files);
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
    let book = match crate::publish::book::make::make(
        entries.clone(),
        words,
        options,
        typeface,
        &intent,
        &OwnPages::default(),
    ) {
        Ok(book) => book,
        Err(
            BookError::SmallCells { .. }
            | BookError::LargePrint { .. }
            | BookError::NoRoom { .. }
            | BookError::Characters { .. }
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
        let findings = preflight("book", book.data.clone(), options.printer, options.paper).unwrap();
        let broken: Vec<&Finding> = findings.iter().filter(|finding| !finding.is_kept).collect();
        assert!(broken.is_empty() && findings.len() > 10, "{broken:?}");
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

fn is_inside(inner: &Area, outer: &Area) -> bool {
    let outer = grown(*outer, 0.02);
    inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() && inner.bottom() <= outer.bottom()
}

struct Reader<'a> {
    entries: &'a [Entry],
    words: &'a Wording,
    options: &'a Options,
    sheet: Sheet,
    pages: &'a [Page],
    /// How far letters may reach beyond the margins, in type sizes.
    overhang: f64,
}

/// A board as it was read: its page, its area, and its cells.
struct Board {
    page: usize,
    area: Area,
    is_turned: bool,
    cells: Vec<String>,
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
        let least = self.sheet.sizes.least.max(MIN_TYPE);
        for (number, page) in self.pages.iter().enumerate() {
            let live = self.live(number);
            for run in &page.runs {
                assert!(run.size >= least - 0.001, "page {number}: type is too small: {run:?}");
                assert!(!run.text.contains(['\u{fffd}', '{', '}']), "page {number}: what is this: {run:?}");
                // Letters such as W and Ł reach a little beyond the place where they begin.
                let is_there = is_inside(&run.ink, &grown(live, run.size * self.overhang));
                assert!(is_there, "page {number}: outside the margins: {run:?} of {live:?}");
            }
            for (frame, width) in &page.frames {
                let is_there = is_inside(&grown(*frame, width / 2.0), &live);
                assert!(is_there, "page {number}: outside the margins: {frame:?} of {live:?}");
            }
            for (line, width) in &page.lines {
                let is_mark = self.options.crop_marks && *width < 0.3;
                let is_there =
                    is_mark && is_inside(line, &page.sheet) || is_inside(line, &live) && *width >= THIN_LINE - 0.001;
                assert!(is_there, "page {number}: a line: {line:?}, {width} pt");
            }
            let runs = page.runs.iter().enumerate();
            let mut glyphs: Vec<(usize, &Area)> =
                runs.flat_map(|(at, run)| run.glyphs.iter().map(move |area| (at, area))).collect();
            glyphs.sort_by(|one, other| one.1.y.total_cmp(&other.1.y));
            for (at, (run, glyph)) in glyphs.iter().enumerate() {
                let mut near = glyphs[at + 1..].iter().take_while(|(_, other)| other.y < glyph.bottom());
                let on_it = near.find(|(other, area)| other != run && overlap(glyph, area));
                let text = |run: usize| &page.runs[run].text;
                let other = on_it.map(|(other, _)| text(*other));
                assert_eq!(other, None, "page {number}: on '{}'", text(*run));
            }
            for (at, (frame, width)) in page.frames.iter().enumerate() {
                let touches = |(other, _): &(Area, f64)| overlap(&grown(*frame, *width), other);
                assert!(!page.frames[at + 1..].iter().any(touches), "page {number}: boards touch: {frame:?}");
                let (outer, inner) = (grown(*frame, width / 2.0 + 1.0), grown(*frame, -width / 2.0));
                let on_edge = glyphs.iter().find(|(_, area)| overlap(area, &outer) && !is_inside(area, &inner));
                let text = on_edge.map(|(run, _)| &page.runs[*run].text);
                assert_eq!(text, None, "page {number}: on a board's edge");
                let crosses = |(line, _): &&(Area, f64)| {
                    overlap(&grown(*line, 0.1), &outer) && !is_inside(line, &grown(*frame, 0.1))
                };
                assert_eq!(page.lines.iter().find(crosses), None, "page {number}: across a board's edge");
            }
        }
    }

    /// The boards of all pages from page 1 on.
    fn boards(&self) -> Vec<Board> {
        let mut boards = Vec::new();
        let number = |page: usize| self.label(page)?.parse::<usize>().ok();
        let first = (0..self.pages.len()).find_map(|page| Some(page + 1 - number(page)?)).unwrap();
        for (number, page) in self.pages[..self.steps()].iter().enumerate().skip(first) {
            for &(area, _) in &page.frames {
                // Pictures begin on their right.
                let pictures = || page.fills.iter().filter(|(fill, corners, _)| *corners > 4 && is_inside(fill, &area));
                let is_turned = page.runs.iter().any(|run| run.is_turned && is_inside(&run.ink, &area))
                    || pictures().any(|(fill, _, first)| first.0 < fill.x + fill.width / 2.0);
                // The number of cells, by the lines that begin at the upper edge.
                let is_inner = |(line, _): &&(Area, f64)| {
                    let is_down = line.width < 0.01 && (line.height - area.height).abs() < 0.1;
                    is_down && (line.y - area.y).abs() < 0.05 && line.x > area.x && line.x < area.right()
                };
                let columns = 1 + page.lines.iter().filter(is_inner).count();
                let mut cells = vec![String::new(); columns * columns];
                let mut below_middle = Vec::new();
                let side = area.width / columns as f64;
                let at_point = |(x, y): (f64, f64)| {
                    let place = |from: f64| (from / side) as usize;
                    let at = place(y - area.y) * columns + place(x - area.x);
                    if is_turned { columns * columns - 1 - at } else { at }
                };
                for (fill, corners, _) in pictures() {
                    let middle = (fill.x + fill.width / 2.0, fill.y + fill.height / 2.0);
                    cells[at_point(middle)] = self.options.symbols.text(*corners as u16 - 4, columns);
                }
                // Candidates are smaller than digits.
                let inside = || page.runs.iter().filter(|run| is_inside(&run.ink, &area));
                let largest = inside().map(|run| run.size).fold(0.0, f64::max);
                let is_digit = |run: &&Run| !self.options.candidates || run.size > largest * 0.7;
                for run in page.runs.iter().filter(is_digit) {
                    for (glyph, character) in run.glyphs.iter().zip(run.text.chars().filter(|c| *c != ' ')) {
                        let middle = (glyph.x + glyph.width / 2.0, glyph.y + glyph.height / 2.0);
                        if !is_inside(&Area { x: middle.0, y: middle.1, width: 0.0, height: 0.0 }, &area) {
                            continue;
                        }
                        if character.is_ascii_digit() {
                            below_middle.push(((middle.1 - area.y) / side).fract() - 0.5);
                        }
                        cells[at_point(middle)].push(character);
                    }
                }
                let mean = below_middle.iter().sum::<f64>() / below_middle.len() as f64;
                assert!(
                    below_middle.is_empty() || mean.abs() < 0.06,
                    "page {number}: digits are {mean} of a cell below the middle"
                );
                boards.push(Board { page: number, area, is_turned, cells });
            }
        }
        boards
    }

    /// The first page of the steps of the solutions, which has their heading.
    fn steps(&self) -> usize {
        let heading = plain(&self.words.language.texts().book.steps);
        let is_heading = |run: &Run| run.size > self.sheet.sizes.caption * 1.3 && heading == plain(&run.text);
        let found = self.pages.iter().position(|page| page.runs.iter().any(is_heading));
        assert_eq!(found.is_some(), self.options.steps, "steps");
        found.unwrap_or(self.pages.len())
    }

    /// The text over a board, as far as it belongs to it; for a turned board as its reader sees it.
    fn over(&self, board: &Board) -> Vec<&str> {
        let Area { x, y, width, .. } = board.area;
        let flip = |at: f64, around: f64| if board.is_turned { 2.0 * around - at } else { at };
        let middle = board.area.y + board.area.height / 2.0;
        let mut runs: Vec<(f64, f64, f64, &Run)> = Vec::new();
        for run in &self.pages[board.page].runs {
            let in_board = |(area, _): &(Area, f64)| is_inside(&run.ink, area);
            // Letters such as J reach over the place where they begin.
            let edge = 3.0 + run.size / 10.0;
            let is_beside = run.ink.x >= x - edge && run.ink.right() <= x + width + edge;
            let base = flip(run.base, middle);
            let is_over = is_beside && run.is_turned == board.is_turned && base < y;
            if is_over && !self.pages[board.page].frames.iter().any(in_board) {
                runs.push((base, flip(run.x, x + width / 2.0), run.size, run));
            }
        }
        runs.sort_by(|one, other| other.0.total_cmp(&one.0));
        // Lines of one label are close to each other.
        let (mut lowest, mut below) = (y, f64::INFINITY);
        let mut of_board = Vec::new();
        for (base, x, size, run) in runs {
            // Below the text there may be a line of signs.
            if lowest - base > if below.is_finite() { size.min(below) * 1.75 } else { size * 3.2 } {
                break;
            }
            (lowest, below) = (base, size);
            of_board.push((base, x, run));
        }
        of_board.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
        of_board.into_iter().map(|(.., run)| run.text.trim()).collect()
    }

    /// What puzzle, answer and hint have in common.
    fn name(&self, at: usize) -> String {
        let day = self.entries[at].day.map(|day| self.words.language.date(day));
        day.unwrap_or_else(|| (self.options.before + at + 1).to_string())
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
        let texts = &self.words.language.texts().book;
        for (at, entry) in self.entries.iter().enumerate() {
            let n = entry.puzzle.shape().order();
            let name = self.name(at);
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
                let found: Vec<&Board> = alike.clone().filter(|board| is_named(board, name)).collect();
                let over = || alike.map(|board| self.over(board)).collect::<Vec<_>>();
                assert_eq!(found.len(), 1, "{what} '{name}'; boards like it have {:?}", over());
                found[0]
            };
            let puzzle = find("puzzle", entry.puzzle.grid().values(), &day);
            let solution = find("solution", entry.solution.grid().values(), &name);
            let label = |board: &Board| self.label(board.page).unwrap_or_default();
            if let Some(level) = entry.level.filter(|_| self.options.difficulty == Difficulty::Words) {
                let (over, level) = (plain(&self.over(puzzle).concat()), plain(&self.words.levels[level].name));
                assert!(over.contains(&level), "page {}: '{over}' does not say '{level}'", puzzle.page);
            }
            if self.options.answers == Answers::Below {
                assert!(
                    solution.page == puzzle.page && solution.is_turned,
                    "answer {name} is on page {}",
                    solution.page
                );
                continue;
            }
            let back = plain(&fill(&texts.page, &[("page", label(puzzle))]));
            let (over, foot) = (plain(&self.over(solution).concat()), self.foot(puzzle.page));
            let is_named = foot.split(|c: char| !c.is_ascii_digit()).any(|number| number == label(solution));
            let is_next = self.options.answers != Answers::Overleaf || solution.page == puzzle.page + 1;
            let (from, to) = (label(puzzle), label(solution));
            assert!(
                is_named && is_next && over.ends_with(&back),
                "{name}, from page {from} to {to}: '{over}', '{foot}'"
            );
        }
    }

    /// Every puzzle has its hint beside its name.
    fn hints(&self) {
        let texts = &self.words.language.texts().book;
        let heading = plain(&self.words.language.texts().how_to.hints_text);
        let pages = (0..self.pages.len()).filter(|&page| self.pages[page].frames.is_empty());
        let columns = pages.flat_map(|page| (1..=3).map(move |count| (page, count)));
        let read = columns.map(|(page, count)| plain(&self.columns(page, count)));
        let pages: Vec<String> = read.filter(|text| text.contains(&heading)).collect();
        for (at, entry) in self.entries.iter().enumerate() {
            let Some((row, column)) = entry.hint else { continue };
            let hint = fill(&texts.hint, &[("row", &row.to_string()), ("column", &column.to_string())]);
            let wanted = plain(&self.name(at)) + &plain(&hint);
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
        let name = &self.words.language.texts().book.cell;
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
        let mut starts: Vec<f64> = (0..count).map(|at| live.x + live.width * at as f64 / count as f64).collect();
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
