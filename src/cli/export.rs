//! `export`: writes an exact number of puzzles, by quotas and without isomorphs, in any exchange format.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::book::{pictures, with_words};
use super::names::may_meet;
use super::options::Global;
use super::paths::{self, Replace};
use super::selection::{Calendar, HODOKU, Selection, said, solution_of};
use super::{Outcome, Published, Usage, cannot_write, counted, say};
use crate::board::Shape;
use crate::corpus::{Input, InputPath, Output, OutputPath, Record, Sealed, create_folder, folder_of, write_file};
use crate::publish::book::{Symbols, points, thicknesses};
use crate::publish::formats::{self, Caption, Format, Heading, PictureOptions};
use crate::publish::levels::Levels;
use crate::publish::picture::{self, PictureKind};
use crate::publish::{Apart, Chosen, Division, NO_LEVEL, Numbering, Puzzles, Request, Splits, Splitter};
use crate::publish::{file_word, seal_steps, words::Language};

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
  sudoku-corpus export week --all --dates 2027-01-04 --days mon-sat --caption 'No. {number}, {weekday}|{level}' --previous none \
    --out '{date}.pdf' --out '{date}.ipuz'
  sudoku-corpus export --schema

The name of the output, or --format, gives the format: `list formats` describes all. Every command that reads puzzles reads all formats \
but pictures, databases (.sqlite) and the links of Penpa+.

Every puzzle counts for one quota. If there are too few puzzles, nothing is written, and the message says what is missing.

Two puzzles are isomorphic if rotation, reflection, relabelling, and exchange of rows, columns, bands or stacks turn one \
into the other. No two isomorphic puzzles are written. For nearly full boards larger than 9x9, a search for isomorphs would take too long: \
they count as the same only if all cells are equal.")]
pub(super) struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Also take puzzles that have several solutions, or an unknown number.
    #[arg(long, help_heading = "Which puzzles")]
    any_solutions: bool,
    /// The output file, whose name gives the format; repeat the option for several formats. {number}, {date}, {weekday}
    /// and {level} in the name give a file for each number, day or level. % is the number of a file with one puzzle.
    #[arg(long, short, value_name = "FILE", required_unless_present = "schema")]
    out: Vec<OutputPath>,
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
    #[command(flatten, next_help_heading = "Series")]
    calendar: Calendar,
    /// Split the puzzles into files: names and shares, such as train=0.9,test=0.05,validation=0.05. {split} in the name
    /// of the output stands for the name. The split of a puzzle depends on the puzzle alone, so shares are met on
    /// average.
    #[arg(long, value_name = "SHARES", conflicts_with = "dates", help_heading = "Split")]
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
    steps: Option<OutputPath>,
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
    #[arg(long, value_name = "BOX,CELL", default_value = "1.4,0.4", value_parser = thicknesses)]
    lines: (f64, f64),
    /// Symbols of the digits: usual (1-9A-Z), hex (0-9A-Z, 0-F at 16x16), letters (A-P), numbers (1-16), a word of
    /// different letters (STAR), or texts between commas (red,green,blue,gray).
    #[arg(long, value_name = "SYMBOLS", default_value = "usual", hide_default_value = true)]
    digits: Symbols,
    /// SVG files with pictures in place of digits, the first for 1; each is called by the name of its file.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "digits")]
    pictures: Vec<InputPath>,
    /// Print candidates in open cells.
    #[arg(long)]
    candidates: bool,
    /// Caption above a picture: none, number, level (number and level), or a text with {number}, {level}, {date} and
    /// {weekday}; what follows | stands on the right.
    #[arg(long, value_name = "TEXT", default_value = "none")]
    caption: Caption,
    /// Caption above a picture of a solution; by default that of --caption, and "Solution N" beside a puzzle.
    #[arg(long, value_name = "TEXT")]
    solution_caption: Option<Caption>,
    /// Print beside each puzzle the solution of the puzzle before it. For the first puzzle, that is the last puzzle of
    /// FILE; with `none` the place stays blank.
    #[arg(long, value_name = "FILE|none")]
    previous: Option<InputPath>,
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
    /// Write digits and captions of .svg as text in IBM Plex Sans, for layout programs that have this font, instead of
    /// outlines.
    #[arg(long)]
    live_text: bool,
    /// Write a table of all pictures, for data merge in layout programs: .csv in UTF-8, or .txt in UTF-16 with tabs.
    #[arg(long, value_name = "FILE")]
    merge: Option<OutputPath>,
    /// Language of levels, days and headings; see `book --language`.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = |text: &str| Language::named(text))]
    language: Language,
    /// A TOML file with words of your own; `list words` prints the English ones.
    #[arg(long, value_name = "FILE")]
    words: Option<InputPath>,
}

/// The size of a picture in points, from 10 to 5,000.
fn length(text: &str) -> Result<f64, String> {
    points(text).filter(|size| (10.0..=5000.0).contains(size)).ok_or_else(|| "write 70mm, 2.5in or 200pt".to_owned())
}

impl Pictures {
    /// The file of the puzzle before the first.
    fn before(&self) -> Option<&Path> {
        self.previous.as_deref().filter(|path| *path != Path::new("none"))
    }

    /// How pictures are drawn and named.
    ///
    /// # Errors
    /// A caption with unknown names in braces, or a file of pictures or of the puzzle before that cannot be read.
    fn options(&self, numbering: &Numbering) -> anyhow::Result<PictureOptions> {
        // With --previous, the solution beside a puzzle is that of the puzzle before, and its caption says so.
        let usual = match self.previous {
            Some(_) => numbering.solution_caption().parse().unwrap_or_default(),
            None => self.caption.clone(),
        };
        let solution_caption = self.solution_caption.clone().unwrap_or(usual);
        self.caption.check("--caption", numbering)?;
        solution_caption.check("--solution-caption", numbering)?;
        Ok(PictureOptions {
            style: picture::Style {
                size: self.size,
                lines: self.lines,
                symbols: pictures(&self.pictures)?.unwrap_or(self.digits),
                shade: self.shade,
                background: !self.transparent,
                dpi: self.dpi,
            },
            candidates: self.candidates,
            caption: self.caption.clone(),
            solution_caption,
            with_solutions: self.with_solutions,
            previous: self.previous.as_ref().map(|_| self.before().map(last_puzzle).transpose()).transpose()?,
            live_text: self.live_text,
            merge: self.merge.as_deref().map(Path::to_owned),
        })
    }
}

/// The last puzzle of a file, with its solution.
fn last_puzzle(path: &Path) -> anyhow::Result<Box<Record>> {
    let last = Input::open(path, None)?.try_fold(None, |_, row| row.map(Some))?;
    let record = last.ok_or_else(|| Usage(format!("{}: no puzzle", path.display())))?;
    Ok(Box::new(Record { solution: Some(solution_of(&record)?), ..record }))
}

/// Chooses the puzzles, divides them into splits if that is asked for, and writes every output. It does so in this
/// order:
///
/// 1. It refuses options that are wrong and outputs that cannot be written.
/// 2. It chooses the puzzles. Only then are the names of all files known, because they may contain levels and dates.
/// 3. It claims the name of every file, so that no two outputs write one file.
/// 4. It writes every file under a temporary name.
/// 5. It adds the lines to the index, and gives the files their names.
pub(super) fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    if args.schema {
        let out = args.out.first().map_or(Path::new("-"), AsRef::as_ref);
        args.replace.may_write(out)?;
        write_file(out, format!("{:#}\n", formats::schema()))?;
        return Ok(Outcome::Done);
    }
    let outs = args.formats()?;
    let levels = args.selection.levels(HODOKU)?;
    let mut numbering = args.numbering(&levels)?;
    let request = args.request(&levels)?;
    let pictures = args.pictures.options(&numbering)?;
    let splitter = args.split.clone().map(|splits| Splitter { splits, apart: args.apart, seed: args.split_seed });
    match &splitter {
        Some(_) => args.out.iter().chain(&args.steps).try_for_each(|path| path_of_split(path, "").map(drop))?,
        None => args.steps.iter().try_for_each(|path| Output::probe(path))?,
    }
    // What determines the files besides the corpora, for the digest of the request. --force changes nothing in them, so
    // it is left out.
    let replace = std::mem::take(&mut args.replace);
    let options = format!("{args:?} {levels:?}");
    let words = args.pictures.words.as_ref().map(AsRef::as_ref);
    let inputs: Vec<&Path> = args.pictures.before().into_iter().chain(words).collect();
    let mut publishing = args.selection.begin(global, &args.out[0], &options, &inputs)?;
    let replace = publishing.replace(replace);
    for (out, _) in &outs {
        replace.may_write(out)?;
        if !is_pattern(folder_of(out)) {
            Output::probe(out)?;
        }
    }
    let choice = args.selection.choose(global, &["export"], &request, &args.out[0], &mut publishing)?;
    let what = said(&choice, &request);
    let is_dated = request.sort.is_empty() && args.calendar.dates.is_some();
    let chosen = if is_dated { dated(&choice.chosen, &levels, &args.calendar)? } else { choice.chosen };
    numbering.days = args.calendar.days_from_before(chosen.len())?;
    let own = Some(levels).filter(|levels| *levels != Levels::hodoku());
    let Args { title, author, source, date, .. } = &args;
    let [title, author, source, date] = [title, author, source, date].map(Option::clone);
    let heading = Heading { title, author, source, date, numbering, pictures, levels: own };
    let all = chosen.len();
    let whole = Part { outs: outs.clone(), steps: args.steps.as_deref().map(Path::to_owned), chosen };
    let parts = match &splitter {
        Some(splitter) => divided(splitter, whole)?,
        None => vec![whole],
    };
    // Every output of every part.
    let every = || parts.iter().flat_map(|part| part.outs.iter().map(move |(out, format)| (part, out, *format)));
    // Claims a file whose name follows from an option, and makes its folder if the folder follows from it too.
    let may_write = |option: &Path, file: &Path| {
        global.paths.claim(option, file)?;
        replace.may_write(file)?;
        match is_pattern(folder_of(option)) {
            true => create_folder(folder_of(file)).with_context(|| cannot_write(file)),
            false => Ok(()),
        }
    };
    for ((part, out, format), option) in every().zip(args.out.iter().cycle()) {
        let files = formats::files(out, format, &part.chosen, &heading)?;
        // The table of pictures is the last file. It is an option of its own (--merge), and so it is claimed already.
        let table = files.last().filter(|last| heading.pictures.merge.as_ref() == Some(&last.path));
        table.map_or(Ok(()), |table| replace.may_write(&table.path))?;
        let others = &files[..files.len() - usize::from(table.is_some())];
        others.iter().try_for_each(|file| may_write(option, &file.path))?;
    }
    for (option, steps) in parts.iter().filter_map(|part| args.steps.as_deref().zip(part.steps.as_deref())) {
        may_write(option, steps)?;
    }
    let mut files = Vec::new();
    for (part, out, format) in every() {
        files.extend(formats::seal(out, format, &part.chosen, &heading)?);
        if splitter.is_some() {
            global.say(format_args!("{} into {}", counted(part.chosen.len() as u64, "puzzle"), paths::name(out)));
        }
    }
    // If there is a single output, the index notes the checksums of its files.
    let is_all = parts.len() == 1 && outs.len() == 1;
    let (whole, mut files): (Vec<Sealed>, Vec<Sealed>) = files.into_iter().partition(|_| is_all);
    for (steps, part) in parts.iter().filter_map(|part| Some((part.steps.as_ref()?, part))) {
        files.push(seal_steps(steps, &part.chosen)?);
    }
    let classes = publishing.finish(parts.iter().map(|part| &part.chosen), whole, || {
        files.into_iter().try_for_each(Sealed::publish)?;
        every().try_for_each(|(part, out, format)| formats::write_many(out, format, &part.chosen, &heading))
    })?;
    let left_out = all - parts.iter().map(|part| part.chosen.len()).sum::<usize>();
    let what = if left_out > 0 { format!("{what}, {left_out} left out,") } else { what };
    outs.iter().for_each(|(out, _)| global.say(format_args!("{what} into {}", paths::name(out))));
    let files = every().map(|(part, out, _)| (out.clone(), part.chosen.len() as u64)).collect();
    Ok(Outcome::Published(Published { classes, files }))
}

impl Args {
    /// Which puzzles the command takes from a corpus of this shape and with these levels; None for the usual levels.
    /// For recipes, which check their outputs before any work. An error if an option is wrong, or if a format cannot
    /// hold boards of this shape.
    pub(super) fn request_of(&self, shape: Shape, levels: Option<Levels>) -> anyhow::Result<Request> {
        if self.schema {
            return Ok(Request::default());
        }
        for info in self.formats()?.iter().map(|(_, format)| format.info()) {
            let (format, boards, board) = (info.name, info.boards, shape.board());
            let refused = || Usage(format!("the format {format} does not hold the {board}; it holds: {boards}"));
            ensure!((info.holds)(shape), refused());
        }
        let levels = self.selection.levels_with(HODOKU, levels)?;
        self.pictures.options(&self.numbering(&levels)?)?;
        self.request(&levels)
    }

    /// The outputs with their formats.
    fn formats(&self) -> Result<Vec<(PathBuf, Format)>, Usage> {
        self.out.iter().map(|out| Ok((out.to_path_buf(), format_of(out, self.format)?))).collect()
    }

    /// The numbers of the puzzles, and the first day. An error if the name of an output has unknown names in braces, or
    /// if two outputs can become one file.
    fn numbering(&self, levels: &Levels) -> anyhow::Result<Numbering> {
        let (first, days) = (self.calendar.first_puzzle.unwrap_or(1), self.calendar.days_from_before(1)?);
        let language = with_words(self.pictures.language.clone(), self.pictures.words.as_ref())?;
        let numbering = Numbering::new(first, days, levels.clone(), language);
        let names = self.out.iter().map(|out| out.to_string_lossy().replace("{split}", ""));
        names.into_iter().try_for_each(|name| numbering.check("--out", &name))?;
        let names = self.names(levels);
        for (at, one) in names.iter().enumerate() {
            if let Some(two) = names[..at].iter().find(|two| may_meet(one, two)) {
                let what = match one == two {
                    true => format!("{one} would be written twice"),
                    false => format!("{two} and {one} can become one file"),
                };
                return Err(Usage(format!(
                    "{what}; two outputs cannot have one file ({{level}}, {{split}} and % stand for several)"
                ))
                .into());
            }
        }
        Ok(numbering)
    }

    /// The names of the files that the command may write, with levels and splits filled in; {date} and others stay.
    pub(super) fn names(&self, levels: &Levels) -> Vec<String> {
        let levels = levels.ranges().iter().map(|level| level.key.as_str()).chain([NO_LEVEL]);
        let levels: Vec<String> = levels.map(file_word).collect();
        let splits = self.split.as_ref().map_or(vec![""], |splits| splits.names().collect());
        let all = |path: &Path, key: &str, values: &[String]| -> Vec<String> {
            let text = path.to_string_lossy();
            let values = if text.contains(key) { values } else { &values[..1] };
            values.iter().map(|value| text.replace(key, value)).collect()
        };
        let splits: Vec<String> = splits.into_iter().map(str::to_owned).collect();
        let mut names = Vec::new();
        for out in &self.out {
            let solved = out.file_stem().zip(out.extension()).map(|(stem, end)| {
                out.with_file_name(format!("{}-solution.{}", stem.to_string_lossy(), end.to_string_lossy()))
            });
            let solved = solved.filter(|_| self.pictures.with_solutions);
            for path in std::iter::once(out.to_path_buf()).chain(solved) {
                let of_splits = all(&path, "{split}", &splits);
                names.extend(of_splits.iter().flat_map(|name| all(Path::new(name), "{level}", &levels)));
            }
        }
        names.extend(self.steps.iter().flat_map(|steps| all(steps, "{split}", &splits)));
        names.extend(self.pictures.merge.iter().map(|merge| merge.to_string_lossy().into_owned()));
        names
    }

    /// Which puzzles, and what must be known of each: ratings only where an output, a caption or the calendar names
    /// levels.
    fn request(&self, levels: &Levels) -> anyhow::Result<Request> {
        let (pictures, mut request) = (&self.pictures, self.selection.request(levels)?);
        self.calendar.add_quotas(levels, &mut request)?;
        let captions = [Some(&pictures.caption), pictures.solution_caption.as_ref()];
        let named = self.out.iter().any(|out| out.to_string_lossy().contains("{level}"))
            || captions.into_iter().flatten().any(Caption::names_level)
            || pictures.merge.is_some()
            || (self.calendar.dates.is_some() && request.sort.is_empty());
        Ok(Request {
            any_solutions: self.any_solutions,
            rate: self.rate,
            all_columns: self.formats()?.iter().any(|(_, format)| format.is_whole()),
            levels: Some(levels.clone()).filter(|levels| named || *levels != Levels::hodoku()),
            ..request
        })
    }
}

/// Puzzles in the order of their days. The easiest are for Mondays, the hardest for Saturdays, and those of a Sunday
/// are between those of Wednesday and Thursday.
fn dated(chosen: &Puzzles, levels: &Levels, calendar: &Calendar) -> anyhow::Result<Puzzles> {
    let key = |(place, chosen): (usize, io::Result<Chosen>)| {
        let record = chosen?.record();
        let level = levels.of(&record).unwrap_or(usize::MAX);
        Ok((level, record.se_er_tenths.unwrap_or(0), record.score.unwrap_or(0), place))
    };
    let mut keys = chosen.iter().enumerate().map(key).collect::<io::Result<Vec<_>>>()?;
    keys.sort_unstable();
    let of: Vec<Option<usize>> = keys.iter().map(|key| Some(key.0)).collect();
    let places = calendar.places(&calendar.days(chosen.len())?, levels, &of)?;
    Ok(chosen.some(places.into_iter().map(|place| keys[place].3)))
}

/// True if a path has names in braces.
fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains('{')
}

/// The path of the output of a split, from an option with {split}. An error if {split} is missing.
fn path_of_split(path: &Path, name: &str) -> Result<PathBuf, Usage> {
    let (text, example) = (path.to_string_lossy(), "puzzles-{split}.csv");
    let without = || Usage(format!("{text}: with --split, the name must contain {{split}}, as in {example}"));
    if text.contains("{split}") { Ok(text.replace("{split}", name).into()) } else { Err(without()) }
}

/// Puzzles, and the files for them: the outputs, and the file of steps. There is one part, or one for each split.
struct Part {
    outs: Vec<(PathBuf, Format)>,
    steps: Option<PathBuf>,
    chosen: Puzzles,
}

/// One part for each split. Says how many puzzles are in none of them.
fn divided(splitter: &Splitter, all: Part) -> anyhow::Result<Vec<Part>> {
    let key = |chosen: Chosen| chosen.record_of(&Splitter::COLUMNS);
    let Division { split, unknown, near } = splitter.divide(all.chosen.iter(), key)?;
    let part = |(number, name): (usize, &str)| {
        let of_split = |(at, split): (usize, &Option<u8>)| (*split == Some(number as u8)).then_some(at);
        let chosen = all.chosen.some(split.iter().enumerate().filter_map(of_split));
        let outs = all.outs.iter().map(|(out, format)| Ok((path_of_split(out, name)?, *format)));
        let steps = all.steps.as_deref().map(|path| path_of_split(path, name)).transpose()?;
        Ok(Part { outs: outs.collect::<Result<_, Usage>>()?, steps, chosen })
    };
    let parts = splitter.splits.names().enumerate().map(part).collect::<Result<Vec<Part>, Usage>>()?;
    if unknown + near > 0 {
        let keyless = "whose solution has no class (it is not known, or the board is above 9x9: --apart isomorph)";
        say(format_args!("left out: {unknown} {keyless}, {near} too similar to another split"));
        ensure!(parts.iter().any(|part| !part.chosen.is_empty()), Usage("no puzzle is left".to_owned()));
    }
    Ok(parts)
}

/// The format of the output: the one of --format, or the one that belongs to the name of the file.
fn format_of(out: &Path, named: Option<Format>) -> Result<Format, Usage> {
    let usual = if out == Path::new("-") { Some(Format::Lines) } else { Format::of_name(out) };
    let unknown = "no format has this ending; add --format, or see `list formats`";
    named.or(usual).ok_or_else(|| Usage(format!("{}: {unknown}", out.display())))
}

/// The kind of a picture by the name of its file, if it is one of these.
pub(super) fn picture_kind(path: &Path, kinds: &[PictureKind]) -> Result<PictureKind, Usage> {
    match Format::of_name(path) {
        Some(Format::Picture(kind)) if kinds.contains(&kind) => Ok(kind),
        _ => {
            let ends: Vec<&str> = kinds.iter().map(|kind| Format::Picture(*kind).info().ends[0]).collect();
            let (last, others) = ends.split_last().unwrap_or((&"", &[]));
            Err(Usage(format!("{}: the name must end in {} or {last}", path.display(), others.join(", "))))
        }
    }
}
