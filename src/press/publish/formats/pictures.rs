//! Writes pictures of many puzzles: one file each, with a table for layout programs, or a sheet to print at home.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::publish::choice::puzzles::Puzzles;
use crate::publish::draw::typeface::Typeface;
use crate::publish::error::PublishError;
use crate::publish::formats::format::Format;
use crate::publish::formats::heading::{Heading, OutFile};
use crate::publish::formats::picture_options::Caption;
use crate::publish::picture::drawing::{Drawing, Style, Subject, board};
use crate::publish::picture::files::{self, Glyphs};
use crate::publish::picture::kind::{PictureKind, picture};
use crate::publish::picture::steps::all_candidates;
use crate::publish::words::language::fill;
use sudoku_corpus_core::board::text;
use sudoku_corpus_core::page::numbers::tenths;
use sudoku_corpus_store::corpus::{Record, csv_cell};

/// The pictures of an output.
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
            let reason = format!("{reach} symbols are too few for a {}", large.board());
            return Err(PublishError::Request(reason));
        }
        let typeface = Typeface::open().map_err(|error| PublishError::Request(error.to_string()))?;
        Ok(Some(Pictures { typeface, all, heading }))
    }

    /// The contents of a file. A file for several puzzles ends with their solutions, if these are wanted.
    pub(super) fn data(&self, kind: PictureKind, file: &OutFile<'_>) -> Result<Vec<u8>, PublishError> {
        let Pictures { typeface, heading, .. } = self;
        let places: Vec<usize> = file.rows.places().collect();
        let drawings = |solved: bool| -> io::Result<Vec<Drawing>> {
            places.par_iter().filter_map(|&at| self.drawing(at, solved).transpose()).collect()
        };
        let mut drawn = drawings(file.solved)?;
        let more = heading.pictures.with_solutions && !file.solved && !file.has_solutions_apart;
        let solutions = if more { drawings(true)? } else { Vec::new() };
        match kind {
            PictureKind::Html => {
                let labelled = |drawings: Vec<Drawing>, solved: bool| -> io::Result<Vec<(Drawing, String)>> {
                    let labels = places.iter().map(|&at| self.label(at, solved));
                    drawings.into_iter().zip(labels).map(|(drawing, label)| Ok((drawing, label?))).collect()
                };
                let (puzzles, solutions) = (labelled(drawn, file.solved)?, labelled(solutions, true)?);
                return Ok(self.sheet(&puzzles, &solutions).into_bytes());
            }
            PictureKind::Pdf => {
                drawn.extend(solutions);
                return Ok(files::pdf(typeface, &drawn));
            }
            _ => {}
        }
        let one_picture = || PublishError::Request("standard output takes one picture".to_owned());
        let [only] = <[Drawing; 1]>::try_from(drawn).map_err(|_| one_picture())?;
        if !solutions.is_empty() {
            return Err(one_picture());
        }
        if kind == PictureKind::Svg && heading.pictures.live_text {
            return Ok(files::live_svg(typeface, &only).into_bytes());
        }
        let data = picture(kind, typeface, only, heading.pictures.style.dpi);
        data.map_err(|error| PublishError::Request(error.to_string()))
    }

    /// The picture of a puzzle, or of its solution. If the options ask for it, the solution of the puzzle before stands
    /// beside the puzzle, smaller.
    fn drawing(&self, at: usize, solved: bool) -> io::Result<Option<Drawing>> {
        let options = &self.heading.pictures;
        let record = self.all.get(at)?.record();
        if solved {
            return Ok(self.solution(at as isize, &record, &options.style));
        }
        let Some(puzzle) = &record.puzzle else { return Ok(None) };
        let candidates = options.candidates.then(|| all_candidates(puzzle));
        let caption = options.caption.of(at as isize, &record, &self.heading.numbering);
        let candidates = candidates.as_deref();
        let subject = Subject { grid: puzzle.grid(), givens: None, candidates, marks: &[], caption };
        let today = board(&self.typeface, &subject, &options.style);
        let Some(first) = &options.previous else { return Ok(Some(today)) };
        // Before the first puzzle comes the one that the options name, or nothing: then the place stays blank.
        let before = at.checked_sub(1).map(|at| self.all.get(at)).transpose()?;
        let previous = before.map(|before| Box::new(before.record())).or_else(|| first.clone());
        let (box_lines, cell_lines) = options.style.lines;
        let size = options.style.size * BESIDE;
        let lines = ((box_lines * 0.7).max(0.5), (cell_lines * 0.7).max(0.25));
        let style = Style { size, lines, ..options.style.clone() };
        let yesterday = previous.and_then(|record| self.solution(at as isize - 1, &record, &style));
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

    /// The picture of the solution of a row.
    fn solution(&self, at: isize, record: &Record, style: &Style) -> Option<Drawing> {
        let (puzzle, solution) = (record.puzzle.as_ref()?, record.solution.as_ref()?);
        let caption = self.heading.pictures.solution_caption.of(at, record, &self.heading.numbering);
        let subject = Subject { givens: Some(puzzle.grid()), caption, ..Subject::of(solution.grid()) };
        Some(board(&self.typeface, &subject, style))
    }

    /// A table for data merge: columns whose names begin with @ are pictures. A name that ends in `.txt` gives UTF-16
    /// with a mark of its order and tabs between columns, as layout programs read it; any other gives CSV.
    pub(super) fn merge(&self, files: &[OutFile<'_>]) -> io::Result<Vec<u8>> {
        let (numbering, options) = (&self.heading.numbering, &self.heading.pictures);
        let has_caption = options.caption != Caption::default();
        let columns = "number level givens score er symmetry puzzle solution @picture @solution_picture".split(' ');
        let dated = if numbering.days.is_empty() { &[][..] } else { &["date", "weekday"] };
        let captions = if has_caption { &["caption", "caption_right"][..] } else { &[] };
        let mut table = vec![columns.chain(dated.iter().chain(captions).copied()).map(str::to_owned).collect()];
        let rows = files.iter().flat_map(|file| file.rows.places().map(move |at| ((at, file.solved), &file.path)));
        let names: BTreeMap<(usize, bool), &PathBuf> = rows.collect();
        // Layout programs look for pictures beside the table.
        let path = options.merge.as_deref().unwrap_or(Path::new(""));
        let beside = path.parent().unwrap_or(Path::new(""));
        let seen_from_table = |picture: &Path| match picture.strip_prefix(beside) {
            Ok(name) => name.to_owned(),
            Err(_) => std::path::absolute(picture).unwrap_or_else(|_| picture.to_owned()),
        };
        for (at, chosen) in self.all.iter().enumerate() {
            let record = chosen?.record();
            let name = |solved| {
                names.get(&(at, solved)).map_or(String::new(), |name| seen_from_table(name).display().to_string())
            };
            let mut row = vec![
                numbering.number(at).to_string(),
                numbering.level(&record),
                record.puzzle.as_ref().map_or(0, |puzzle| puzzle.grid().givens()).to_string(),
                record.score.map_or(String::new(), |score| score.to_string()),
                record.se_er_tenths.map(tenths).unwrap_or_default(),
                record.symmetry.map_or(String::new(), |symmetry| symmetry.name().to_owned()),
                record.puzzle.as_ref().map_or(String::new(), |puzzle| text::line(puzzle.grid())),
                record.solution.as_ref().map_or(String::new(), |solution| text::line(solution.grid())),
                name(false),
                name(true),
            ];
            row.extend(
                numbering
                    .day(at)
                    .into_iter()
                    .flat_map(|day| [day.to_string(), numbering.language.weekday(day).to_owned()]),
            );
            let (left, right) = options.caption.of(at as isize, &record, numbering);
            row.extend([left, right].into_iter().filter(|_| has_caption));
            table.push(row);
        }
        let is_text = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("txt"));
        if is_text { Ok(tabbed(&table)) } else { Ok(comma_separated(&table)) }
    }

    /// A board in words: its name, and its rows with a point for each blank cell.
    fn label(&self, at: usize, solved: bool) -> io::Result<String> {
        let (record, numbering) = (self.all.get(at)?.record(), &self.heading.numbering);
        let texts = &numbering.language.texts().book;
        let name = fill(if solved { &texts.solution } else { &texts.puzzle }, &[("first", "{number}")]);
        let level = numbering.level(&record);
        let grid = match solved {
            true => record.solution.as_ref().map(|solution| solution.grid()),
            false => record.puzzle.as_ref().map(|puzzle| puzzle.grid()),
        };
        let symbols = self.heading.pictures.style.symbols;
        let rows = grid.into_iter().flat_map(|grid| {
            let order = grid.shape().order();
            let symbol = move |&value: &u16| if value == 0 { ".".to_owned() } else { symbols.text(value, order) };
            grid.values().chunks(order).map(move |row| row.iter().map(symbol).collect::<Vec<_>>().join(" "))
        });
        let name = numbering.caption(&name, at as isize, &record);
        let name = if level.is_empty() || solved { name } else { format!("{name}, {level}") };
        Ok(format!("{name}: {}", rows.collect::<Vec<_>>().join("; ")))
    }

    /// A page of HTML with four boards on a printed page, solutions at the end.
    fn sheet(&self, puzzles: &[(Drawing, String)], solutions: &[(Drawing, String)]) -> String {
        let language = &self.heading.numbering.language;
        let title = quick_xml::escape::escape(self.heading.title.as_deref().unwrap_or("Sudoku"));
        let mut glyphs = Glyphs::new(&self.typeface);
        let mut page = format!(
            "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\n\
             body {{ font: 15px system-ui, sans-serif; margin: 1.5em; }}\n\
             .boards {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(17em, 1fr)); gap: 2em; }}\n\
             .boards svg {{ width: 100%; height: auto; break-inside: avoid; }}\n\
             @media print {{ body {{ margin: 0; }} .boards {{ grid-template-columns: 1fr 1fr; gap: 12mm; }}\n\
             .solutions {{ grid-template-columns: repeat(3, 1fr); gap: 8mm; }} .new {{ break-before: page; }} }}\n\
             </style>\n</head>\n<body>\n<h1>{title}</h1>\n<div class=\"boards\">\n",
            language.tag()
        );
        puzzles.iter().for_each(|(drawing, label)| page.push_str(&glyphs.element(drawing, label)));
        page.push_str("</div>\n");
        if !solutions.is_empty() {
            let heading = quick_xml::escape::escape(language.texts().book.solutions.as_str());
            page.push_str(&format!("<h2 class=\"new\">{heading}</h2>\n<div class=\"boards solutions\">\n"));
            solutions.iter().for_each(|(drawing, label)| page.push_str(&glyphs.element(drawing, label)));
            page.push_str("</div>\n");
        }
        page + &glyphs.definitions() + "</body>\n</html>\n"
    }
}

/// Rows of CSV. Texts that a spreadsheet would take for formulas are masked.
fn comma_separated(table: &[Vec<String>]) -> Vec<u8> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let mut written = true;
    for (at, row) in table.iter().enumerate() {
        // Names of columns and of pictures stay as they are.
        let cell = |(cell, name): (&String, &String)| match at == 0 || name.starts_with('@') {
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
    let cell = |text: &String| text.replace(['\t', '\r', '\n'], " ");
    let lines = table.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("\t") + "\r\n");
    let text: String = std::iter::once("\u{feff}".to_owned()).chain(lines).collect();
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Side of the solution beside a puzzle, as a part of the puzzle's.
const BESIDE: f64 = 0.45;
