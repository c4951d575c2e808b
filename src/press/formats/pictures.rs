//! Writes pictures of many puzzles: one file each, with a table for layout programs, or a sheet to print at home.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::choice::rows::puzzles::Puzzles;
use crate::draw::symbols::too_few;
use crate::draw::text::typeface::Typeface;
use crate::error::PublishError;
use crate::formats::format::Format;
use crate::formats::heading::{Heading, OutFile};
use crate::formats::picture_options::CAPTION;
use crate::picture::drawing::{Caption, Drawing, Style, Subject, board};
use crate::picture::files::{self, Glyphs};
use crate::picture::kind::{PictureKind, picture};
use crate::picture::steps::all_candidates;
use crate::words::language::fill;
use crate::words::rules::{drawn_in_words, rules_of};
use quick_xml::escape::escape;
use sudoku_corpus_core::board::text;
use sudoku_corpus_core::page::numbers::tenths;
use sudoku_corpus_store::corpus::{Record, csv_cell};

/// A board of a sheet.
struct BoardOnSheet {
    drawing: Drawing,
    /// The board in words.
    label: String,
    is_plain: bool,
    rules: String,
}

pub(crate) struct Pictures<'a> {
    typeface: Typeface,
    all: &'a Puzzles,
    heading: &'a Heading,
}

impl<'a> Pictures<'a> {
    /// None for formats that are no pictures. An error if a board needs more symbols than there are, or if the typeface
    /// cannot be opened.
    pub(super) fn of(
        format: Format,
        all: &'a Puzzles,
        heading: &'a Heading,
    ) -> Result<Option<Pictures<'a>>, PublishError> {
        let Format::Picture(_) = format else { return Ok(None) };
        let reach = heading.pictures.style.symbols.reach();
        if let Some(large) = all.shapes().iter().find(|shape| shape.order() > reach) {
            return Err(PublishError::Request(too_few(reach, *large)));
        }
        check_solutions(all, heading)?;
        let typeface = Typeface::open().map_err(|error| PublishError::Request(error.to_string()))?;
        let style = &heading.pictures.style;
        style.symbols.check(&typeface)?;
        for shape in all.shapes() {
            style.check_length(&typeface, *shape).map_err(PublishError::Request)?;
        }
        Ok(Some(Pictures { typeface, all, heading }))
    }

    /// The contents of a file. A file for several puzzles ends with their solutions, if these are wanted.
    pub(super) fn data(&self, kind: PictureKind, file: &OutFile<'_>) -> Result<Vec<u8>, PublishError> {
        let Pictures { typeface, heading, .. } = self;
        let places: Vec<usize> = file.rows.positions().collect();
        let mut drawn = self.drawings(&places, file.solved)?;
        let adds_solutions = heading.pictures.with_solutions && !file.solved && !file.has_solutions_apart;
        let solutions = if adds_solutions { self.drawings(&places, true)? } else { Vec::new() };
        if kind == PictureKind::Html {
            let puzzles = self.on_sheet(drawn, &places, file.solved)?;
            let solutions = self.on_sheet(solutions, &places, true)?;
            return Ok(self.sheet(&puzzles, &solutions).into_bytes());
        }
        drawn.extend(solutions);
        if kind == PictureKind::Pdf {
            return Ok(files::pdf(typeface, &drawn));
        }
        let [only] = <[Drawing; 1]>::try_from(drawn).map_err(|drawn| {
            let number = drawn.len();
            PublishError::Request(format!("standard output takes one picture of this kind, and these are {number}"))
        })?;
        if kind == PictureKind::Svg && heading.pictures.live_text {
            return Ok(files::live_svg(typeface, &only).into_bytes());
        }
        let data = picture(kind, typeface, only, heading.pictures.style.dpi);
        data.map_err(|error| PublishError::Request(error.to_string()))
    }

    /// The pictures of some puzzles, or of their solutions.
    fn drawings(&self, places: &[usize], solved: bool) -> Result<Vec<Drawing>, PublishError> {
        places.par_iter().filter_map(|&place| self.drawing(place, solved).transpose()).collect()
    }

    /// The picture of a puzzle, or of its solution. If the options ask for it, the solution of the puzzle before stands
    /// beside the puzzle, smaller.
    fn drawing(&self, place: usize, solved: bool) -> Result<Option<Drawing>, PublishError> {
        let options = &self.heading.pictures;
        let record = self.all.get(place)?.record();
        if solved {
            return self.solution(place as isize, &record, &options.style);
        }
        let Some(puzzle) = &record.puzzle else { return Ok(None) };
        let candidates = options.candidates.then(|| all_candidates(puzzle));
        let caption = self.caption(&options.caption, place as isize, &record, &options.style)?;
        let candidates = candidates.as_deref();
        let subject = Subject { grid: puzzle.grid(), givens: None, candidates, marks: &[], caption };
        let today = board(&self.typeface, &subject, &options.style);
        let Some(first) = &options.previous else { return Ok(Some(today)) };
        // Before the first puzzle comes the one that the options name, or nothing: then the place stays blank.
        let before = place.checked_sub(1).map(|place| self.all.get(place)).transpose()?;
        let previous = before.map(|before| Box::new(before.record())).or_else(|| first.clone());
        let (box_lines, cell_lines) = options.style.lines;
        let size = options.style.size * BESIDE;
        let lines = ((box_lines * 0.7).max(0.5), (cell_lines * 0.7).max(0.25));
        let style = Style { size, lines, ..options.style.clone() };
        let yesterday =
            previous.map(|record| self.solution(place as isize - 1, &record, &style)).transpose()?.flatten();
        let (height, gap) = (today.height, size * 0.15);
        let moved = yesterday.iter().flat_map(|drawing| {
            drawing.items.iter().map(|item| item.moved(options.style.size + gap, height - drawing.height))
        });
        Ok(Some(Drawing {
            width: today.width + gap + size,
            items: today.items.iter().cloned().chain(moved).collect(),
            ..today
        }))
    }

    fn solution(&self, place: isize, record: &Record, style: &Style) -> Result<Option<Drawing>, PublishError> {
        let (Some(puzzle), Some(solution)) = (&record.puzzle, &record.solution) else { return Ok(None) };
        let caption = self.caption(&self.heading.pictures.solution_caption, place, record, style)?;
        let subject = Subject { givens: Some(puzzle.grid()), caption, ..Subject::of(solution.grid()) };
        Ok(Some(board(&self.typeface, &subject, style)))
    }

    /// The texts over a board, which the typeface has and which fit.
    fn caption(&self, draft: &Caption, place: isize, record: &Record, style: &Style) -> Result<Caption, PublishError> {
        let caption = draft.filled(place, record, &self.heading.numbering);
        self.typeface.check(CAPTION, &caption.left)?;
        self.typeface.check(CAPTION, &caption.right)?;
        style.check_caption(&self.typeface, record.shape, &caption).map_err(PublishError::Request)?;
        Ok(caption)
    }

    /// A table for data merge: columns whose names begin with @ are pictures. A name that ends in `.txt` gives UTF-16
    /// with a mark of its order and tabs between columns, as layout programs read it; any other gives CSV.
    pub(super) fn merge(&self, files: &[OutFile<'_>]) -> io::Result<Vec<u8>> {
        let Heading { numbering, pictures: options, .. } = self.heading;
        let path = options.merge.as_deref().unwrap_or(Path::new(""));
        // By the places of the puzzles.
        let mut pictures: BTreeMap<usize, String> = BTreeMap::new();
        let mut solution_pictures: BTreeMap<usize, String> = BTreeMap::new();
        for file in files {
            let name = name_beside(path, &file.path);
            let names = if file.solved { &mut solution_pictures } else { &mut pictures };
            names.extend(file.rows.positions().map(|place| (place, name.clone())));
        }
        let mut table = vec![self.merge_columns()];
        for (place, chosen) in self.all.iter().enumerate() {
            let record = chosen?.record();
            let mut row = vec![
                numbering.number(place).to_string(),
                numbering.level(&record),
                record.puzzle.as_ref().map_or(0, |puzzle| puzzle.grid().givens()).to_string(),
                record.hodoku_score.map_or(String::new(), |score| score.to_string()),
                record.se_er_tenths.map(tenths).unwrap_or_default(),
                record.symmetry.map_or(String::new(), |symmetry| symmetry.name().to_owned()),
                record.shape.to_string(),
                record.puzzle.as_ref().map_or(String::new(), |puzzle| text::line(puzzle.grid())),
                record.solution.as_ref().map_or(String::new(), |solution| text::line(solution.grid())),
                pictures.remove(&place).unwrap_or_default(),
                solution_pictures.remove(&place).unwrap_or_default(),
            ];
            if let Some(day) = numbering.day(place) {
                row.extend([day.to_string(), numbering.language.weekday(day).to_owned()]);
            }
            if self.has_caption() {
                let Caption { left, right } = options.caption.filled(place as isize, &record, numbering);
                row.extend([left, right]);
            }
            table.push(row);
        }
        let is_text = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt"));
        if is_text { Ok(tabbed(&table)) } else { Ok(comma_separated(&table)) }
    }

    fn merge_columns(&self) -> Vec<String> {
        let mut columns =
            "number level givens hodoku_score er symmetry shape puzzle solution @picture @solution_picture".to_owned();
        if !self.heading.numbering.days.is_empty() {
            columns += " date weekday";
        }
        if self.has_caption() {
            columns += " caption caption_right";
        }
        columns.split(' ').map(str::to_owned).collect()
    }

    fn has_caption(&self) -> bool {
        self.heading.pictures.caption != Caption::default()
    }

    /// A board in words: its name, and its rows with a point for each blank cell.
    fn label(&self, place: usize, solved: bool) -> io::Result<String> {
        let (record, numbering) = (self.all.get(place)?.record(), &self.heading.numbering);
        let language = &numbering.language;
        let name = if solved { language.text("book.solution") } else { language.text("book.puzzle") };
        let name = fill(name, &[("first", "{number}")]);
        let level = numbering.level(&record);
        let grid = match solved {
            true => record.solution.as_ref().map(|solution| solution.grid()),
            false => record.puzzle.as_ref().map(|puzzle| puzzle.grid()),
        };
        let symbols = self.heading.pictures.style.symbols;
        let mut rows = Vec::new();
        for row in grid.into_iter().flat_map(|grid| grid.values().chunks(grid.shape().order())) {
            let signs =
                row.iter().map(|&value| if value == 0 { ".".to_owned() } else { symbols.text(value, row.len()) });
            rows.push(signs.collect::<Vec<_>>().join(" "));
        }
        let name = numbering.caption(&name, place as isize, &record);
        let name = if level.is_empty() || solved { name } else { format!("{name}, {level}") };
        let said = format!("{name}: {}", rows.join("; "));
        // Readers who cannot see the board get its rules, and what is drawn of them.
        let shape = record.shape;
        if solved || shape.is_plain() {
            return Ok(said);
        }
        let (rules, drawn) = (rules_of(shape, language, symbols), drawn_in_words(shape));
        Ok([said, rules, drawn].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(". "))
    }

    /// The drawings of some puzzles, or of their solutions, each with its label and the rules of its board.
    fn on_sheet(&self, drawings: Vec<Drawing>, places: &[usize], solved: bool) -> io::Result<Vec<BoardOnSheet>> {
        let mut boards = Vec::new();
        for (drawing, &place) in drawings.into_iter().zip(places) {
            let shape = self.all.get(place)?.record().shape;
            let rules = rules_of(shape, &self.heading.numbering.language, self.heading.pictures.style.symbols);
            let label = self.label(place, solved)?;
            boards.push(BoardOnSheet { drawing, label, is_plain: shape.is_plain(), rules });
        }
        Ok(boards)
    }

    /// A page of HTML with four boards on a printed page, solutions at the end. Rules that all boards have stand once;
    /// otherwise each puzzle has its own.
    fn sheet(&self, puzzles: &[BoardOnSheet], solutions: &[BoardOnSheet]) -> String {
        let language = &self.heading.numbering.language;
        let title = escape(self.heading.title.as_deref().unwrap_or("Sudoku"));
        let mut glyphs = Glyphs::new(&self.typeface);
        let has_one_rule = puzzles.iter().all(|board| board.rules == puzzles[0].rules);
        let rules = match puzzles.first() {
            Some(board) if has_one_rule && !board.is_plain => format!("<p>{}</p>\n", escape(&*board.rules)),
            _ => String::new(),
        };
        let mut page = format!(
            "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\n\
             body {{ font: 15px system-ui, sans-serif; margin: 1.5em; }}\n\
             .boards {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(17em, 1fr)); gap: 2em; }}\n\
             .boards svg {{ width: 100%; height: auto; break-inside: avoid; }}\n\
             figure {{ margin: 0; break-inside: avoid; }}\n\
             @media print {{ body {{ margin: 0; }} .boards {{ grid-template-columns: 1fr 1fr; gap: 12mm; }}\n\
             .solutions {{ grid-template-columns: repeat(3, 1fr); gap: 8mm; }} .new {{ break-before: page; }} }}\n\
             </style>\n</head>\n<body>\n<h1>{title}</h1>\n{rules}<div class=\"boards\">\n",
            language.tag()
        );
        for BoardOnSheet { drawing, label, rules, .. } in puzzles {
            let element = glyphs.element(drawing, label);
            page.push_str(&match has_one_rule {
                true => element,
                false => format!("<figure>{element}<figcaption>{}</figcaption></figure>\n", escape(&**rules)),
            });
        }
        page.push_str("</div>\n");
        if !solutions.is_empty() {
            let heading = escape(language.text("book.solutions"));
            page.push_str(&format!("<h2 class=\"new\">{heading}</h2>\n<div class=\"boards solutions\">\n"));
            solutions.iter().for_each(|board| page.push_str(&glyphs.element(&board.drawing, &board.label)));
            page.push_str("</div>\n");
        }
        page + &glyphs.definitions() + "</body>\n</html>\n"
    }
}

/// The name of a picture in a table: layout programs look for pictures beside the table.
fn name_beside(table: &Path, picture: &Path) -> String {
    let name = match picture.strip_prefix(table.parent().unwrap_or(Path::new(""))) {
        Ok(name) => name.to_owned(),
        Err(_) => std::path::absolute(picture).unwrap_or_else(|_| picture.to_owned()),
    };
    name.display().to_string()
}

/// Refuses puzzles whose solution is to be drawn and is not known.
fn check_solutions(all: &Puzzles, heading: &Heading) -> Result<(), PublishError> {
    let options = &heading.pictures;
    let drawn = match (options.with_solutions, &options.previous) {
        (true, _) => all.len(),
        // The solution of the last puzzle stands beside no other.
        (false, Some(_)) => all.len().saturating_sub(1),
        (false, None) => 0,
    };
    for (place, chosen) in all.iter().take(drawn).enumerate() {
        if chosen?.record().solution.is_none() {
            let number = heading.numbering.number(place);
            let reason = "has several solutions, or its solution is not known, so no solution can be drawn; leave out \
                          --any-solutions";
            return Err(PublishError::Request(format!("puzzle {number} {reason}")));
        }
    }
    Ok(())
}

/// Rows of CSV. Texts that a spreadsheet would take for formulas are masked.
fn comma_separated(table: &[Vec<String>]) -> Vec<u8> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let mut written = true;
    for (number, row) in table.iter().enumerate() {
        // Names of columns and of pictures stay as they are.
        let cell = |(cell, name): (&String, &String)| match number == 0 || name.starts_with('@') {
            true => cell.clone(),
            false => csv_cell(cell).into_owned(),
        };
        written &= writer.write_record(row.iter().zip(&table[0]).map(cell)).is_ok();
    }
    debug_assert!(written, "writing to memory does not fail");
    writer.into_inner().unwrap_or_default()
}

/// Rows in UTF-16, low bytes first, with tabs between columns.
fn tabbed(table: &[Vec<String>]) -> Vec<u8> {
    let lines = table.iter().map(|row| {
        row.iter().map(|text| text.replace(['\t', '\r', '\n'], " ")).collect::<Vec<_>>().join("\t") + "\r\n"
    });
    let text: String = std::iter::once("\u{feff}".to_owned()).chain(lines).collect();
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Side of the solution beside a puzzle, as a part of the puzzle's.
const BESIDE: f64 = 0.45;
