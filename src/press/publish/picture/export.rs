//! Pictures of many puzzles: one file each, with a table for layout programs, or all on a sheet to print at home.

use std::path::{Path, PathBuf};

use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use super::{Drawing, Style, Subject, board, files, png};
use crate::publish::book::Typeface;
use crate::publish::levels::{self, Levels};
use crate::publish::words::{Language, LevelTexts};
use crate::publish::{Chosen, PublishError, save};
use sudoku_corpus_core::board::{Cell, Digits, Grid, Solution, text};
use sudoku_corpus_core::names;
use sudoku_corpus_core::page::numbers::tenths;
use sudoku_corpus_core::rate::digits_at;
use sudoku_corpus_store::corpus::Record;

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// SVG.
    Svg,
    /// PDF: a file for each puzzle, or one file with a page for each.
    Pdf,
    /// PNG.
    Png,
    /// Encapsulated PostScript.
    Eps,
    /// A page of HTML with all puzzles.
    Html,
}

/// The text over a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Caption {
    /// Nothing.
    #[default]
    None,
    /// The number.
    Number,
    /// The number, and the level on the right.
    Level,
}

names!("caption": Caption { None = "none", Number = "number", Level = "level" });

/// How pictures are made.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The style of the boards.
    pub style: Style,
    /// Candidates in open cells.
    pub candidates: bool,
    /// The text over the board.
    pub caption: Caption,
    /// A second picture with the solution: `-solution` in its name.
    pub with_solutions: bool,
    /// The mapping of rows to levels.
    pub levels: Levels,
    /// The texts of the levels.
    pub texts: Vec<LevelTexts>,
    /// The title of a sheet.
    pub title: Option<String>,
    /// A table of all pictures.
    pub merge: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        let levels = Levels::hodoku();
        Options {
            style: Style::default(),
            candidates: false,
            caption: Caption::None,
            with_solutions: false,
            texts: levels::texts(&levels, &Language::default()),
            levels,
            title: None,
            merge: None,
        }
    }
}

/// True if all puzzles go into one file.
pub fn is_one(path: &Path, kind: PictureKind, count: usize, options: &Options) -> bool {
    let numbered = path.to_string_lossy().contains('%');
    let together = kind == PictureKind::Html || kind == PictureKind::Pdf && !numbered;
    together || path == Path::new("-") || count == 1 && !numbered && !options.with_solutions && options.merge.is_none()
}

/// The names of the files: of puzzles, and of solutions.
///
/// # Errors
/// A name without `%` for several files; a table of pictures ([`Options::merge`]) if all puzzles go into one file.
pub fn names(
    path: &Path,
    kind: PictureKind,
    count: usize,
    options: &Options,
) -> Result<(Vec<PathBuf>, Vec<PathBuf>), PublishError> {
    if count == 0 || is_one(path, kind, count, options) {
        if options.merge.is_some() {
            let wrong = "--merge lists a picture for each puzzle: write % for the number in the name of the output";
            return Err(PublishError::Request(wrong.to_owned()));
        }
        return Ok((vec![path.to_owned()], Vec::new()));
    }
    let puzzles: Vec<PathBuf> = match count {
        1 if !path.to_string_lossy().contains('%') => vec![path.to_owned()],
        _ => (0..count).map(|at| crate::publish::formats::numbered(path, at, count)).collect::<Result<_, _>>()?,
    };
    let solution = |path: &PathBuf| {
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let end = path.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
        path.with_file_name(format!("{name}-solution{end}"))
    };
    let solutions = if options.with_solutions { puzzles.iter().map(solution).collect() } else { Vec::new() };
    Ok((puzzles, solutions))
}

/// The typeface of pictures. An error if a board needs more symbols than there are.
fn typeface(chosen: &[Chosen], options: &Options) -> Result<Typeface, PublishError> {
    if let Some(large) = chosen.iter().map(Chosen::shape).find(|shape| shape.order() > options.style.symbols.reach()) {
        let reason = format!("the letters A to Z are too few for a {}", large.board());
        return Err(PublishError::Request(reason));
    }
    Typeface::open().map_err(|error| PublishError::Request(error.to_string()))
}

/// All puzzles in one file, see [`is_one`].
///
/// # Errors
/// Several pictures for a format that holds one; boards that cannot be drawn.
pub fn together(path: &Path, kind: PictureKind, chosen: &[Chosen], options: &Options) -> Result<Vec<u8>, PublishError> {
    let typeface = typeface(chosen, options)?;
    names(path, kind, chosen.len(), options)?;
    let drawings = |solved: bool| -> Vec<Drawing> {
        let drawing = |(at, chosen)| drawing(&typeface, chosen, at, solved, options);
        chosen.par_iter().enumerate().filter_map(drawing).collect()
    };
    let mut puzzles = drawings(false);
    let solutions = if options.with_solutions { drawings(true) } else { Vec::new() };
    match kind {
        PictureKind::Html => Ok(sheet(&typeface, &puzzles, &solutions, options).into_bytes()),
        PictureKind::Pdf => {
            puzzles.extend(solutions);
            Ok(files::pdf(&typeface, &puzzles))
        }
        _ => match <[Drawing; 1]>::try_from(puzzles) {
            Ok([only]) if solutions.is_empty() => bytes(&typeface, kind, only, options),
            _ => Err(PublishError::Request("standard output takes one picture".to_owned())),
        },
    }
}

/// Makes a file for each puzzle. Files appear complete or not at all.
///
/// # Errors
/// A file that cannot be written; a name without `%` for several files.
pub fn write(path: &Path, kind: PictureKind, chosen: &[Chosen], options: &Options) -> Result<(), PublishError> {
    let typeface = typeface(chosen, options)?;
    let (puzzles, solutions) = names(path, kind, chosen.len(), options)?;
    let one = |(at, chosen): (usize, &Chosen)| -> Result<(), PublishError> {
        for (solved, names) in [(false, &puzzles), (true, &solutions)] {
            if let (Some(name), Some(drawing)) = (names.get(at), drawing(&typeface, chosen, at, solved, options)) {
                save(name, &bytes(&typeface, kind, drawing, options)?)?;
            }
        }
        Ok(())
    };
    chosen.par_iter().enumerate().try_for_each(one)?;
    match &options.merge {
        Some(table) => save(table, &merge(chosen, &puzzles, &solutions, options)),
        None => Ok(()),
    }
}

fn bytes(typeface: &Typeface, kind: PictureKind, drawing: Drawing, options: &Options) -> Result<Vec<u8>, PublishError> {
    Ok(match kind {
        PictureKind::Svg | PictureKind::Html => files::svg(typeface, &drawing).into_bytes(),
        PictureKind::Eps => files::eps(typeface, &drawing).into_bytes(),
        PictureKind::Pdf => files::pdf(typeface, &[drawing]),
        PictureKind::Png => {
            let raster = png(typeface, &drawing, options.style.dpi);
            raster.map_err(|error| PublishError::Request(error.to_string()))?
        }
    })
}

/// The picture of a puzzle, or of its solution.
fn drawing(typeface: &Typeface, chosen: &Chosen, at: usize, solved: bool, options: &Options) -> Option<Drawing> {
    let record = chosen.record();
    let puzzle = record.puzzle.as_ref()?;
    let grid: &Grid = if solved { record.solution.as_ref().map(Solution::grid)? } else { puzzle.grid() };
    let candidates: Option<Vec<Digits>> = (options.candidates && !solved).then(|| {
        (0..puzzle.shape().cells()).map(|at| digits_at(puzzle, Cell::new(at)).unwrap_or(Digits::EMPTY)).collect()
    });
    let level = || level_name(&record, options);
    let caption = match options.caption {
        Caption::None => (String::new(), String::new()),
        Caption::Number => ((at + 1).to_string(), String::new()),
        Caption::Level => ((at + 1).to_string(), level()),
    };
    let givens = solved.then(|| puzzle.grid());
    let subject = Subject { grid, givens, candidates: candidates.as_deref(), marks: &[], caption };
    Some(board(typeface, &subject, &options.style))
}

fn level_name(record: &Record, options: &Options) -> String {
    let level = options.levels.of(record).and_then(|level| options.texts.get(level));
    level.map_or(String::new(), |level| level.name.clone())
}

/// A table for data merge: columns whose names begin with @ are pictures.
fn merge(chosen: &[Chosen], puzzles: &[PathBuf], solutions: &[PathBuf], options: &Options) -> Vec<u8> {
    let mut table = ::csv::Writer::from_writer(Vec::new());
    let columns =
        ["number", "level", "givens", "score", "er", "symmetry", "puzzle", "solution", "@picture", "@solution_picture"];
    let mut written = table.write_record(columns).is_ok();
    for (at, chosen) in chosen.iter().enumerate() {
        let record = chosen.record();
        let name = |names: &[PathBuf]| names.get(at).map_or(String::new(), |name| name.display().to_string());
        let row = [
            (at + 1).to_string(),
            level_name(&record, options),
            record.puzzle.as_ref().map_or(0, |puzzle| puzzle.grid().givens()).to_string(),
            record.score.map_or(String::new(), |score| score.to_string()),
            record.se_er_tenths.map(tenths).unwrap_or_default(),
            record.symmetry.map_or(String::new(), |symmetry| symmetry.name().to_owned()),
            record.puzzle.as_ref().map_or(String::new(), |puzzle| text::line(puzzle.grid())),
            record.solution.as_ref().map_or(String::new(), |solution| text::line(solution.grid())),
            name(puzzles),
            name(solutions),
        ];
        written &= table.write_record(&row).is_ok();
    }
    debug_assert!(written, "writing to memory does not fail");
    table.into_inner().unwrap_or_default()
}

/// A page of HTML with four boards on a printed page, solutions at the end.
fn sheet(typeface: &Typeface, puzzles: &[Drawing], solutions: &[Drawing], options: &Options) -> String {
    let title = quick_xml::escape::escape(options.title.as_deref().unwrap_or("Sudoku"));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\n\
         body {{ font: 15px system-ui, sans-serif; margin: 1.5em; }}\n\
         .boards {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(17em, 1fr)); gap: 2em; }}\n\
         .boards svg {{ width: 100%; height: auto; break-inside: avoid; }}\n\
         @media print {{ body {{ margin: 0; }} .boards {{ grid-template-columns: 1fr 1fr; gap: 12mm; }}\n\
         .solutions {{ grid-template-columns: repeat(3, 1fr); gap: 8mm; }} .new {{ break-before: page; }} }}\n\
         </style>\n</head>\n<body>\n<h1>{title}</h1>\n<div class=\"boards\">\n"
    );
    puzzles.iter().for_each(|drawing| page.push_str(&files::svg_element(typeface, drawing)));
    page.push_str("</div>\n");
    if !solutions.is_empty() {
        page.push_str("<h2 class=\"new\">Solutions</h2>\n<div class=\"boards solutions\">\n");
        solutions.iter().for_each(|drawing| page.push_str(&files::svg_element(typeface, drawing)));
        page.push_str("</div>\n");
    }
    page + "</body>\n</html>\n"
}
