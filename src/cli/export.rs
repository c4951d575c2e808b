//! `export`: writes an exact number of puzzles, by quotas and without isomorphs, in any exchange format.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::options::Global;
use super::progress::Bars;
use super::replace::Replace;
use super::selection::{HODOKU, Selection, said};
use super::{Outcome, Usage, counted};
use crate::board::Shape;
use crate::corpus::Output;
use crate::publish::book::{INCH, MILLIMETRE, Symbols};
use crate::publish::formats::{self, Format, Heading};
use crate::publish::levels::{self, Levels};
use crate::publish::picture::export::Caption;
use crate::publish::{Apart, Chosen, Division, Request, Splits, Splitter, picture, words::Language, write_steps};

/// Write exactly N puzzles of corpora or files, by quotas and without isomorphs, in any format.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus export corpus --count 500 --out puzzles.sdm
  sudoku-corpus export corpus --level easy=200,medium=300 --sort level,score --out book.csv
  sudoku-corpus export monday tuesday --count 100 --where 'score > 500' --givens 22..25=60,26..28=40 --out week.jsonl
  sudoku-corpus export corpus --count 50 --pick -score --out hardest.parquet
  sudoku-corpus export corpus --count 9 --except seen.index --remember seen.index --out 'puzzle-%.sdk'
  sudoku-corpus export rated.csv --all --out bank.opensudoku --title Bank
  sudoku-corpus export corpus --all --split train=0.9,test=0.1 --apart grid --out 'puzzles-{split}.parquet'
  sudoku-corpus export corpus --count 100 --out hints.jsonl --steps hints-steps.jsonl
  sudoku-corpus export corpus --count 30 --out 'p-%.svg' --size 60mm --with-solutions --merge pages.csv
  sudoku-corpus export corpus --level easy=8 --out sheet.html --caption level --with-solutions
  sudoku-corpus export --schema

The name of the output, or --format, gives the format (`list formats` describes all): .sdm .txt .csv .kaggle.csv .jsonl .json
.sdk .ss .opensudoku .exchange.txt .hodoku.txt .fpuzzles.txt .parquet .csv.zst, which every command reads; and the pictures .svg
.pdf .png .eps .html.

Every puzzle counts for one quota. If there are too few puzzles, nothing is written, and the message says what is missing.
Two puzzles are isomorphic if rotation, reflection, relabelling, and exchange of rows, columns, bands or stacks turn one
into the other. Rows of 9x9 boards hold a hash of their canonical form; canonical forms are computed for all other boards
too. For nearly full boards larger than 9x9 this would take too long: they count as the same only if all cells are equal.")]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Also take puzzles that have several solutions, or an unknown number.
    #[arg(long, help_heading = "Which puzzles")]
    any_solutions: bool,
    /// The output file. Its name gives the format. % in the name of .sdk and .ss files stands for the number of the
    /// puzzle.
    #[arg(long, short, value_name = "FILE", required_unless_present = "schema")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
    /// The format, if the name does not give it; `list formats` describes all.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Rate puzzles of files that have no ratings, even if no condition needs them.
    #[arg(long)]
    rate: bool,
    /// Title of the collection, in formats that have a place for it.
    #[arg(long, value_name = "TEXT", help_heading = "Heading")]
    title: Option<String>,
    /// Author, in formats that have a place for it.
    #[arg(long, value_name = "TEXT", help_heading = "Heading")]
    author: Option<String>,
    /// Source of the puzzles, in formats that have a place for it.
    #[arg(long, value_name = "TEXT", help_heading = "Heading")]
    source: Option<String>,
    /// Date of publication, in formats that have a place for it.
    #[arg(long, value_name = "TEXT", help_heading = "Heading")]
    date: Option<String>,
    /// Split the puzzles into files: names and shares, such as train=0.9,test=0.05,validation=0.05. {split} in the name
    /// of the output stands for the name. The split of a puzzle depends on the puzzle alone, so shares are met on
    /// average.
    #[arg(long, value_name = "SHARES", help_heading = "Split")]
    split: Option<Splits>,
    /// What two splits never share: exact (equal puzzles), isomorph (isomorphic puzzles), grid (isomorphic solutions),
    /// neighbour (as grid; also, a puzzle is left out if it differs from a puzzle of another split in only one or two
    /// givens).
    #[arg(long, value_name = "WHAT", default_value = "grid", help_heading = "Split", requires = "split")]
    apart: Apart,
    /// Seed of the split. Another seed gives another split.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Split", requires = "split")]
    split_seed: u64,
    /// Write every step of the solutions to this file: .parquet, .jsonl, .tokens or .txt; see `guide datasets`.
    #[arg(long, value_name = "FILE")]
    steps: Option<PathBuf>,
    #[command(flatten)]
    pictures: Pictures,
    /// Write the JSON Schema of the format jsonl, to --out or standard output, and nothing else.
    #[arg(long)]
    schema: bool,
}

/// How pictures look: .svg, .pdf, .png, .eps, .html.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Pictures")]
struct Pictures {
    /// Side of the board: 70mm, 2.5in or 200pt.
    #[arg(long, value_name = "SIZE", default_value = "70mm", value_parser = length)]
    size: f64,
    /// Thickness of box lines and cell lines in points. Large boards get thicker box lines.
    #[arg(long, value_name = "BOX,CELL", default_value = "1.4,0.4", value_parser = lines)]
    lines: (f64, f64),
    /// Symbols of the digits: usual (1-9A-Z), hex (0-9A-Z, 0-F at 16x16), letters (A-P) or numbers (1-16).
    #[arg(long, default_value = "usual")]
    digits: Symbols,
    /// Print candidates in open cells.
    #[arg(long)]
    candidates: bool,
    /// Caption above a picture: none, number, or level (number and level).
    #[arg(long, default_value = "none")]
    caption: Caption,
    /// Print every other box on gray.
    #[arg(long)]
    shade: bool,
    /// Leave the background transparent instead of white.
    #[arg(long)]
    transparent: bool,
    /// Dots per inch of a PNG.
    #[arg(long, value_name = "N", default_value_t = 300.0)]
    dpi: f64,
    /// Make a second picture with the solution. Its name ends in -solution.
    #[arg(long)]
    with_solutions: bool,
    /// Write a CSV table of all pictures, for data merge in layout programs.
    #[arg(long, value_name = "FILE")]
    merge: Option<PathBuf>,
    /// Language of the names of levels.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = |text: &str| Language::named(text))]
    language: Language,
}

fn length(text: &str) -> Result<f64, String> {
    let units = [("mm", MILLIMETRE), ("in", INCH), ("pt", 1.0)];
    let found = units.iter().find_map(|(unit, points)| Some((text.strip_suffix(unit)?, points)));
    let size = found.and_then(|(number, points)| Some(number.trim().parse::<f64>().ok()? * points));
    size.filter(|size| (10.0..=5000.0).contains(size)).ok_or_else(|| "write 70mm, 2.5in or 200pt".to_owned())
}

/// Two thicknesses of lines: of boxes, of cells.
pub fn lines(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|width| (0.05..=20.0).contains(width));
    let pair = text.split_once(',').and_then(|(boxes, cells)| Some((number(boxes)?, number(cells)?)));
    pair.ok_or_else(|| "write two thicknesses in points, such as 1.4,0.4".to_owned())
}

impl Pictures {
    /// True if the name of the level stands over a picture or in the table of pictures.
    fn name_levels(&self) -> bool {
        self.caption == Caption::Level || self.merge.is_some()
    }

    fn options(self, levels: Levels, title: Option<String>) -> picture::export::Options {
        let style = picture::Style {
            size: self.size,
            lines: self.lines,
            symbols: self.digits,
            shade: self.shade,
            background: !self.transparent,
            dpi: self.dpi,
        };
        picture::export::Options {
            style,
            candidates: self.candidates,
            caption: self.caption,
            with_solutions: self.with_solutions,
            texts: levels::texts(&levels, &self.language),
            levels,
            title,
            merge: self.merge,
        }
    }
}

/// Runs the command.
pub fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    if args.schema {
        let out = args.out.as_deref().unwrap_or(Path::new("-"));
        args.replace.may_write(out)?;
        let mut file = Output::create(out)?;
        writeln!(file, "{:#}", formats::schema())?;
        file.finish()?;
        return Ok(Outcome::Done);
    }
    let out = args.out.clone().unwrap_or_else(|| PathBuf::from("-"));
    let format = format_of(&out, args.format)?;
    let levels = args.selection.levels(HODOKU)?;
    let own = Some(levels.clone()).filter(|levels| *levels != Levels::hodoku());
    let request = Request {
        any_solutions: args.any_solutions,
        rate: args.rate,
        all_columns: format.is_whole(),
        levels: if args.pictures.name_levels() { Some(levels.clone()) } else { own.clone() },
        ..args.selection.request(&levels)?
    };
    let splitter = args.split.clone().map(|splits| Splitter { splits, apart: args.apart, seed: args.split_seed });
    for path in std::iter::once(&out).chain(&args.steps).filter(|_| splitter.is_some()) {
        of_split(path, "")?;
    }
    args.steps.as_deref().filter(|_| splitter.is_none()).map(Output::probe).transpose()?;
    let bars = Bars::new(global.quiet, &["export"]);
    // --force does not change the contents of the files, so it is left out of the digest.
    let replace = std::mem::take(&mut args.replace);
    let options = format!("{args:?} {levels:?}");
    let Some(mut publishing) = args.selection.begin(global, &bars, &out, &options, &[])? else {
        return Ok(Outcome::Done);
    };
    let replace = publishing.replace(replace);
    replace.may_write(&out)?;
    Output::probe(&out)?;
    let choice = match args.selection.choose(global, &bars, &request, &mut publishing)? {
        Ok(choice) => choice,
        Err(outcome) => return Ok(outcome),
    };
    let pictures = args.pictures.options(levels, args.title.clone());
    let Args { title, author, source, date, .. } = args;
    let heading = Heading { title, author, source, date, pictures, levels: own };
    let what = said(&choice, &request);
    let parts = match &splitter {
        None => vec![(out.clone(), args.steps.clone(), choice.chosen)],
        Some(splitter) => {
            let (parts, Division { unknown, near, .. }) =
                divided(splitter, choice.chosen, &out, args.steps.as_deref())?;
            if unknown + near > 0 {
                bars.say(&format!("left out: {unknown} without a known solution, {near} too similar to another split"));
            }
            parts
        }
    };
    for (out, steps, chosen) in &parts {
        for file in formats::files(out, format, chosen.len(), &heading)?.iter().chain(steps) {
            global.files.keeps_apart(file)?;
            replace.may_write(file)?;
        }
    }
    let mut files = Vec::new();
    for (out, steps, chosen) in &parts {
        files.extend(formats::seal(out, format, chosen, &heading)?);
        if let Some(path) = steps {
            write_steps(path, chosen)?;
        }
        if !global.quiet && splitter.is_some() {
            bars.say(&format!("{} into {}", counted(chosen.len() as u64, "puzzle"), out.display()));
        }
    }
    let published = parts.iter().flat_map(|(_, _, chosen)| chosen);
    publishing.finish(published, files, || {
        parts.iter().try_for_each(|(out, _, chosen)| formats::write_many(out, format, chosen, &heading))
    })?;
    if !global.quiet {
        bars.say(&format!("{what} into {}", out.display()));
    }
    Ok(Outcome::Done)
}

impl Args {
    /// Which puzzles it takes from a corpus with these levels. An error if an option is wrong, or if the format cannot hold
    /// boards of this shape.
    pub fn request_of(&self, shape: Shape, levels: Option<Levels>) -> anyhow::Result<Request> {
        if self.schema {
            return Ok(Request::default());
        }
        if let Some(out) = &self.out {
            let info = format_of(out, self.format)?.info();
            if !(info.holds)(shape) {
                let (format, boards, shape) = (info.name, info.boards, shape.board());
                return Err(Usage(format!("the format {format} does not hold the {shape}; it holds: {boards}")).into());
            }
        }
        self.selection.request(&self.selection.levels_with(HODOKU, levels)?)
    }
}

/// The path of the output of a split.
fn of_split(path: &Path, name: &str) -> anyhow::Result<PathBuf> {
    let text = path.to_string_lossy();
    if text.contains("{split}") {
        return Ok(PathBuf::from(text.replace("{split}", name)));
    }
    let example = "puzzles-{split}.csv";
    Err(Usage(format!("{text}: with --split, the name must contain {{split}}, as in {example}")).into())
}

/// The output, the file of steps and the puzzles of each split.
type Parts = Vec<(PathBuf, Option<PathBuf>, Vec<Chosen>)>;

fn divided(
    splitter: &Splitter,
    chosen: Vec<Chosen>,
    out: &Path,
    steps: Option<&Path>,
) -> anyhow::Result<(Parts, Division)> {
    let division = splitter.divide(&chosen, Chosen::record);
    let mut parts: Parts = Vec::new();
    for name in splitter.splits.names() {
        parts.push((of_split(out, name)?, steps.map(|path| of_split(path, name)).transpose()?, Vec::new()));
    }
    for (chosen, split) in chosen.into_iter().zip(&division.split) {
        if let Some(split) = *split {
            parts[split].2.push(chosen);
        }
    }
    Ok((parts, division))
}

/// The format of the output: the one of --format, or the one that belongs to the name of the file.
fn format_of(out: &Path, named: Option<Format>) -> anyhow::Result<Format> {
    let usual = if out == Path::new("-") { Some(Format::Lines) } else { Format::of_name(out) };
    named.or(usual).ok_or_else(|| {
        Usage(format!("{}: no format has this ending; add --format, or see `list formats`", out.display())).into()
    })
}
