//! `export`: writes an exact number of puzzles, by quotas and without isomorphs, in any exchange format.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use crate::board::{Reason, Shape};
use crate::cli::line::options::Global;
use crate::cli::line::paths;
use crate::cli::publish::book::{pictures, with_words};
use crate::cli::publish::selection::{Calendar, Publishing, SEARCH, Selection, check_shade, said, solution_of};
use crate::cli::{Outcome, Usage, cannot_write, counted, say};
use crate::corpus::{
    Input, InputPath, Levels, Output, OutputPath, Record, Sealed, StepFormat, create_folder, folder_of,
};
use crate::publish::book::{Symbols, points, thicknesses};
use crate::publish::formats::{self, Caption, Format, Heading, PictureOptions};
use crate::publish::picture::{self, PictureKind};
use crate::publish::series::Day;
use crate::publish::{Apart, Division, NO_LEVEL, Numbering, Puzzles, Request, Scale, Splits, Splitter};
use crate::publish::{file_word, seal_steps, words::Language};
use crate::solve::count;

/// Write exactly N puzzles of corpora or files, by quotas and without isomorphs, in any format.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus export corpus --count 50 --out fifty.sdm
  sudoku-corpus export corpus --level easy=20,hard=5 --sort level --out e.csv
  sudoku-corpus export corpus stock --count 100 --where 'givens < 25' \\
      --out few.jsonl
  sudoku-corpus export stock --count 9 --out 'nine-%.sdk' \\
      --except seen.index --remember seen.index
  sudoku-corpus export corpus --all --split train=0.9,test=0.1 --apart grid \\
      --out '{split}.csv'
  sudoku-corpus export corpus --count 9 --out 9.jsonl --steps-out steps.jsonl
  sudoku-corpus export stock --count 30 --out 'picture-%.svg' --size 60mm \\
      --with-solutions --merge merge.csv
  sudoku-corpus export stock --level easy=8 --out sheet.html --caption level
  sudoku-corpus export stock --count 6 --dates monday --days mon-sat \\
      --caption '{weekday}, {date}|{level}' --out '{date}.pdf'

The name of the output, or --format, gives the format (`list formats`). A quota, such as easy=20, asks for a number of puzzles of one \
kind. Every puzzle counts for one quota. If there are too few puzzles, the command writes nothing, and the message says what is \
missing. The command never writes two isomorphic puzzles. (On nearly full boards above 9x9, a search for isomorphs would take too \
long. Two of them count as the same only if all cells are equal.)")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Also take puzzles that have several solutions, or an unknown number. Those without a solution are left out.
    #[arg(long, help_heading = "Which puzzles")]
    any_solutions: bool,
    /// The output: a file, whose name gives the format. Repeat the option for several formats. With {number}, {date},
    /// {weekday} or {level} in the name, there is a file for each number, day or level. If a file has one puzzle, %
    /// stands for its number.
    #[arg(long, short, value_name = "FILE", required = true)]
    out: Vec<OutputPath>,
    /// The format, whatever the name says. Without this option, the ending of the name gives it; `list formats` describes all.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Rate the puzzles: those of files that have no ratings. Without this option, they are rated only if a condition
    /// needs it.
    #[arg(long)]
    rate: bool,
    /// Title, in formats that have a place for it.
    #[arg(long, value_name = "TEXT", help_heading = "Heading")]
    title: Option<String>,
    /// Author, in formats that have a place for it.
    #[arg(long, value_name = "TEXT", help_heading = "Heading")]
    author: Option<String>,
    /// Source of the puzzles, in formats that have a place for it.
    #[arg(long, value_name = "TEXT", help_heading = "Heading")]
    source: Option<String>,
    /// Day of publication, such as 2027-01-31, in formats that have a place for it.
    #[arg(long, value_name = "DAY", help_heading = "Heading")]
    date: Option<Day>,
    #[command(flatten, next_help_heading = "Series")]
    calendar: Calendar,
    /// Names and shares of the splits, such as train=0.9,test=0.05,validation=0.05. There is a file for each split:
    /// {split} in the name of the output stands for the name of the split. The split of a puzzle depends on the puzzle
    /// alone. So shares are met on average.
    #[arg(long, value_name = "SHARES", conflicts_with = "dates", help_heading = "Split")]
    split: Option<Splits>,
    /// What two splits never share: exact (equal puzzles), isomorph (isomorphic puzzles), grid (isomorphic solutions),
    /// or neighbor (isomorphic solutions, and puzzles that differ in only one or two givens: the second one is left
    /// out).
    #[arg(long, value_name = "WHAT", default_value = "grid", help_heading = "Split", requires = "split")]
    apart: Apart,
    /// Write every step of the solutions to this file: .parquet, .jsonl, .tokens or .txt (sentences); see `guide
    /// datasets`.
    #[arg(long, value_name = "FILE", help_heading = None::<&str>)]
    steps_out: Option<OutputPath>,
    #[command(flatten)]
    pictures: Pictures,
}

/// How pictures look: .svg, .pdf, .png, .html.
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
    symbols: Symbols,
    /// SVG files with pictures in place of digits, the first for 1. A picture has the name of its file. The program has
    /// pictures, too, such as picture:sun (`list pictures`).
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "symbols")]
    pictures: Vec<InputPath>,
    /// Print candidates in empty cells.
    #[arg(long)]
    candidates: bool,
    /// Caption above a picture: none, number, level (number and level), or a text with {number}, {level}, {date} and
    /// {weekday}. What follows | stands on the right.
    #[arg(long, value_name = "TEXT", default_value = "none")]
    caption: Caption,
    /// Caption above a picture of a solution; by default that of --caption, and "Solution N" beside a puzzle.
    #[arg(long, value_name = "TEXT")]
    solution_caption: Option<Caption>,
    /// Print beside each puzzle the solution of the puzzle before it. For the first puzzle, that is the last puzzle of
    /// FILE; with `none` the place stays empty.
    #[arg(long, value_name = "FILE|none")]
    previous: Option<InputPath>,
    /// Print every other box on light gray.
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
    /// Write digits and captions of .svg as text in IBM Plex Sans, instead of outlines. It is for layout programs that
    /// have this font.
    #[arg(long)]
    live_text: bool,
    /// Write a table of all pictures, for data merge in layout programs: .csv in UTF-8, or .txt in UTF-16 with tabs.
    #[arg(long, value_name = "FILE")]
    merge: Option<OutputPath>,
    /// Language of the texts: en, en-US, de, es, fr, it, nl, pl, pt or pt-BR.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = |text: &str| Language::named(text))]
    language: Language,
    /// A TOML file with words of your own; `list words` prints the English ones.
    #[arg(long, value_name = "FILE")]
    words: Option<InputPath>,
}

/// The size of a picture in points, from 10 to 5,000.
fn length(text: &str) -> Result<f64, String> {
    let how = "write 70mm, 2.5in or 200pt; it is from 10 to 5000 pt, which are 3.6 to 1763 mm";
    points(text).filter(|size| (10.0..=5000.0).contains(size)).ok_or_else(|| how.to_owned())
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
        let options = PictureOptions {
            style: picture::Style {
                size: self.size,
                lines: self.lines,
                symbols: pictures(&self.pictures)?.unwrap_or(self.symbols),
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
        };
        options.check()?;
        Ok(options)
    }
}

/// The last puzzle of a file, with its solution.
fn last_puzzle(path: &Path) -> anyhow::Result<Box<Record>> {
    let last = Input::open(path, None)?.try_fold(None, |_, row| row.map(Some))?;
    let record = last.ok_or_else(|| Usage(format!("{}: no puzzle", path.display())))?;
    // A file may give one of several solutions.
    let is_unique = record.puzzle.as_ref().is_none_or(|puzzle| count(puzzle, 2, SEARCH).found < 2);
    ensure!(is_unique, Usage(format!("{}: the last puzzle has several solutions", path.display())));
    Ok(Box::new(Record { solution: Some(solution_of(&record)?), ..record }))
}

/// Chooses the puzzles, divides them into splits if that is asked for, and writes every output. It does so in this
/// order:
///
/// 1. It refuses options that are wrong and outputs that cannot be written.
/// 2. It chooses the puzzles. Only then are the names of all files known, because they may contain levels and dates.
/// 3. It claims the name of every file, so that no two outputs write one file.
/// 4. It writes every file under a temporary name, and holds back what goes into pipes.
/// 5. It adds the puzzles to the index, gives the files their names, and the pipes their bytes.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let outputs = args.formats()?;
    let scale = args.selection.scale()?;
    let levels = &scale.levels;
    let mut numbering = args.numbering(levels)?;
    let request = args.request(&scale)?;
    let pictures = args.pictures.options(&numbering)?;
    args.check_files(&pictures, request.count)?;
    let mut publishing = args.begin(global, &scale)?;
    args.probe_outputs()?;
    let choice = args.selection.choose(global, &["export"], &request, &args.out[0], &mut publishing)?;
    check_shade(args.pictures.shade, choice.chosen.shapes().iter().copied())?;
    let counts = said(&choice, &request);
    let is_dated = request.sort.is_empty() && args.calendar.dates.is_some();
    let chosen = if is_dated { dated(&choice.chosen, levels, &args.calendar)? } else { choice.chosen };
    let chosen_count = chosen.len();
    numbering.days = args.calendar.days_from_before(chosen_count)?;
    let heading = args.heading(numbering, pictures);
    let undivided = Part { outputs: outputs.clone(), steps: args.steps_out.as_deref().map(Path::to_owned), chosen };
    let splitter = args.splitter();
    let parts = match &splitter {
        Some(splitter) => divided(splitter, undivided)?,
        None => vec![undivided],
    };
    claim_files(global, &args, &parts, &heading)?;
    let sealed = seal(global, &parts, &heading, splitter.is_some())?;
    publishing.finish(parts.iter().map(|part| &part.chosen), sealed)?;
    let written = parts.iter().map(|part| part.chosen.len()).sum::<usize>();
    for name in outputs.iter().map(|(out, _)| paths::name(out)) {
        match chosen_count - written {
            0 => global.say(format_args!("{counts} into {name}")),
            left_out => global.say(format_args!(
                "{} into {name}; chosen were {counts}, and {left_out} are left out",
                counted(written as u64, "puzzle")
            )),
        }
    }
    let files = outputs_of(&parts).map(|(part, out, _)| (out.display().to_string(), part.chosen.len() as u64));
    Ok(Outcome::Published(files.collect()))
}

/// Every output of every part.
fn outputs_of(parts: &[Part]) -> impl Iterator<Item = (&Part, &Path, Format)> {
    parts.iter().flat_map(|part| part.outputs.iter().map(move |(out, format)| (part, out.as_path(), *format)))
}

/// Claims every file, and makes the folders whose names follow from those of options.
fn claim_files(global: &Global, args: &Args, parts: &[Part], heading: &Heading) -> anyhow::Result<()> {
    let claim = |option: &Path, file: &Path| {
        global.paths.claim(option, file)?;
        match is_pattern(folder_of(option)) {
            true => create_folder(folder_of(file)).with_context(|| cannot_write(file)),
            false => Ok(()),
        }
    };
    for ((part, out, format), option) in outputs_of(parts).zip(args.out.iter().cycle()) {
        let files = formats::files(out, format, &part.chosen, heading)?;
        // The table of pictures is the last file. It is an option of its own (--merge), and so it is claimed already.
        let table = files.last().filter(|last| heading.pictures.merge.as_ref() == Some(&last.path));
        let others = &files[..files.len() - usize::from(table.is_some())];
        others.iter().try_for_each(|file| claim(option, &file.path))?;
    }
    for (option, steps) in parts.iter().filter_map(|part| args.steps_out.as_deref().zip(part.steps.as_deref())) {
        claim(option, steps)?;
    }
    Ok(())
}

/// Seals the outputs and the files of steps.
fn seal(global: &Global, parts: &[Part], heading: &Heading, is_split: bool) -> anyhow::Result<Sealed> {
    let mut sealed = Vec::new();
    for (part, out, format) in outputs_of(parts) {
        sealed.push(formats::seal(out, format, &part.chosen, heading)?);
        if is_split {
            global.say(format_args!("{} into {}", counted(part.chosen.len() as u64, "puzzle"), paths::name(out)));
        }
    }
    for (steps, part) in parts.iter().filter_map(|part| Some((part.steps.as_ref()?, part))) {
        sealed.push(seal_steps(steps, &part.chosen)?);
    }
    Ok(sealed.into_iter().collect())
}

impl Args {
    /// Which puzzles the command takes from a corpus of this shape and with levels of this scale. For recipes, which check
    /// their outputs before any work. An error if an option is wrong, or if a format cannot hold boards of this shape.
    pub(in crate::cli) fn request_of(&self, shape: Shape, levels: Levels) -> anyhow::Result<Request> {
        for info in self.formats()?.iter().map(|(_, format)| format.info()) {
            let (format, boards, board) = (info.name, info.boards, shape.board());
            ensure!(
                (info.holds)(shape),
                Usage(format!("the format {format} does not hold the {board}; it holds: {boards}"))
            );
        }
        if let Some(path) = &self.steps_out {
            StepFormat::of_name(path)?.check(shape).map_err(|Reason(reason)| Usage(reason))?;
        }
        check_shade(self.pictures.shade, [shape].into_iter())?;
        let scale = self.selection.scale_with(levels)?;
        let request = self.request(&scale)?;
        let pictures = self.pictures.options(&self.numbering(&scale.levels)?)?;
        self.check_files(&pictures, request.count)?;
        Ok(request)
    }

    /// Checks the names and the kinds of the files, as far as they do not depend on the puzzles.
    ///
    /// # Errors
    /// A picture with too many pixels; a name without {split} for a split; steps in a file of no such format; several
    /// puzzles for a file that holds one.
    fn check_files(&self, pictures: &PictureOptions, count: Option<u64>) -> anyhow::Result<()> {
        let outputs = self.formats()?;
        if outputs.iter().any(|(_, format)| *format == Format::Picture(PictureKind::Png)) {
            let picture::Style { size, dpi, .. } = pictures.style;
            picture::pixels(size, size, dpi).map_err(|error| Usage(error.to_string()))?;
        }
        if self.split.is_some() {
            self.out.iter().chain(&self.steps_out).try_for_each(|path| path_of_split(path, "").map(drop))?;
        }
        self.steps_out.iter().try_for_each(|path| StepFormat::of_name(path).map(drop))?;
        let has_several = count.is_some_and(|count| count > 1);
        let crowded = outputs.iter().filter(|(out, format)| has_several && formats::is_crowded(out, *format));
        crowded.map(|(out, format)| formats::crowded(out, *format)).next().map_or(Ok(()), |error| Err(error.into()))
    }

    /// Refuses a table of pictures for several outputs: it would have those of one.
    fn check_merge(&self) -> Result<(), Usage> {
        let outputs = self.formats()?;
        let pictures = outputs.iter().filter(|(_, format)| matches!(format, Format::Picture(_))).count();
        let reason = match self.pictures.merge {
            None => return Ok(()),
            Some(_) if self.split.is_some() => "a split has several: leave out --merge",
            Some(_) if pictures > 1 => "several --out are pictures: write the others in another call",
            Some(_) => return Ok(()),
        };
        Err(Usage(format!("--merge lists the pictures of one output, and {reason}")))
    }

    /// Begins the publication. What determines the files besides the corpora is part of its request.
    fn begin(&self, global: &Global, scale: &Scale) -> anyhow::Result<Publishing> {
        let options = format!("{self:?} {scale:?}");
        let words = self.pictures.words.as_ref().map(AsRef::as_ref);
        let inputs: Vec<&Path> = self.pictures.before().into_iter().chain(words).collect();
        self.selection.begin(global, &self.out[0], &options, &inputs)
    }

    /// Refuses outputs that cannot be written, as far as their folders are known.
    fn probe_outputs(&self) -> anyhow::Result<()> {
        let files = self.out.iter().chain(&self.steps_out).map(AsRef::as_ref);
        files.filter(|file| !is_pattern(folder_of(file))).try_for_each(Output::probe)?;
        Ok(())
    }

    /// What divides the puzzles into splits.
    fn splitter(&self) -> Option<Splitter> {
        let splits = self.split.clone()?;
        Some(Splitter { splits, apart: self.apart, seed: self.selection.seed })
    }

    /// What stands above the puzzles of a file.
    fn heading(&self, numbering: Numbering, pictures: PictureOptions) -> Heading {
        Heading {
            title: self.title.clone(),
            author: self.author.clone(),
            source: self.source.clone(),
            date: self.date.map(|day| day.to_string()),
            numbering,
            pictures,
        }
    }

    /// The outputs with their formats.
    fn formats(&self) -> Result<Vec<(PathBuf, Format)>, Usage> {
        self.out.iter().map(|out| Ok((out.to_path_buf(), format_of(out, self.format)?))).collect()
    }

    /// The numbers of the puzzles, and the first day. An error if the name of an output has unknown names in braces, or
    /// a name for two levels.
    fn numbering(&self, levels: &Levels) -> anyhow::Result<Numbering> {
        let (first, days) = (self.calendar.first_puzzle.unwrap_or(1), self.calendar.days_from_before(1)?);
        let language = with_words(self.pictures.language.clone(), self.pictures.words.as_ref())?;
        let numbering = Numbering::new(first, days, levels.clone(), language);
        let names = self.out.iter().map(|out| out.to_string_lossy().replace("{split}", ""));
        names.into_iter().try_for_each(|name| numbering.check("--out", &name))?;
        let names_levels = self.out.iter().any(|out| out.to_string_lossy().contains("{level}"));
        let keys = levels.ranges().iter().map(|level| level.key.as_str()).chain([NO_LEVEL]);
        let mut words: Vec<String> = keys.map(file_word).collect();
        words.sort_unstable();
        if names_levels && let Some(pair) = words.windows(2).find(|pair| pair[0] == pair[1]) {
            let word = &pair[0];
            return Err(
                Usage(format!("{word} stands for two levels in {{level}}; two outputs cannot have one name")).into()
            );
        }
        Ok(numbering)
    }

    /// Which puzzles, and what must be known of each: ratings only where an output, a caption or the calendar names
    /// levels.
    fn request(&self, scale: &Scale) -> anyhow::Result<Request> {
        self.check_merge()?;
        let (pictures, mut request) = (&self.pictures, self.selection.request(scale)?);
        self.calendar.add_quotas(&mut request)?;
        let captions = [Some(&pictures.caption), pictures.solution_caption.as_ref()];
        let named = self.out.iter().any(|out| out.to_string_lossy().contains("{level}"))
            || captions.into_iter().flatten().any(Caption::names_level)
            || pictures.merge.is_some()
            || (self.calendar.dates.is_some() && request.sort.is_empty());
        Ok(Request {
            any_solutions: self.any_solutions,
            rate: self.rate,
            all_columns: self.formats()?.iter().any(|(_, format)| format.is_whole()),
            with_levels: named || request.with_levels,
            ..request
        })
    }
}

/// How hard a chosen puzzle is. The order of the fields is the order of hardness.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Hardness {
    /// The place of its level on the scale. A puzzle without a level comes last.
    level: usize,
    er_tenths: u32,
    hodoku_score: u32,
    /// The place of the puzzle among the chosen ones.
    place: usize,
}

/// Puzzles in the order of their days. The easiest are for Mondays, the hardest for Saturdays, and those of a Sunday
/// are between those of Wednesday and Thursday.
fn dated(chosen: &Puzzles, levels: &Levels, calendar: &Calendar) -> anyhow::Result<Puzzles> {
    let mut puzzles = Vec::new();
    for (place, puzzle) in chosen.iter().enumerate() {
        let record = puzzle?.record();
        puzzles.push(Hardness {
            level: levels.of(&record).unwrap_or(usize::MAX),
            er_tenths: record.se_er_tenths.unwrap_or(0),
            hodoku_score: record.hodoku_score.unwrap_or(0),
            place,
        });
    }
    puzzles.sort_unstable();
    let puzzle_levels: Vec<Option<usize>> = puzzles.iter().map(|puzzle| Some(puzzle.level)).collect();
    let days = calendar.days(puzzles.len())?;
    let ranks = calendar.places(&days, levels, &puzzle_levels)?;
    Ok(chosen.some(ranks.into_iter().map(|rank| puzzles[rank].place)))
}

/// True if a path has names in braces.
fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains('{')
}

/// The path of the output of a split, from an option with {split}. An error if {split} is missing.
fn path_of_split(path: &Path, name: &str) -> Result<PathBuf, Usage> {
    let (text, example) = (path.to_string_lossy(), "puzzles-{split}.csv");
    if !text.contains("{split}") {
        return Err(Usage(format!("{text}: with --split, the name must contain {{split}}, as in {example}")));
    }
    Ok(text.replace("{split}", name).into())
}

/// Puzzles, and the files for them: the outputs, and the file of steps. There is one part, or one for each split.
struct Part {
    outputs: Vec<(PathBuf, Format)>,
    steps: Option<PathBuf>,
    chosen: Puzzles,
}

/// One part for each split. Says how many puzzles are in none of them.
fn divided(splitter: &Splitter, undivided: Part) -> anyhow::Result<Vec<Part>> {
    let Division { split, unknown, near } =
        splitter.divide(undivided.chosen.iter(), |chosen| chosen.record_of(&Splitter::COLUMNS))?;
    let mut parts = Vec::new();
    for (number, name) in splitter.splits.names().enumerate() {
        let places = (0..split.len()).filter(|place| split[*place] == Some(number as u8));
        let chosen = undivided.chosen.some(places);
        let outputs = undivided.outputs.iter().map(|(out, format)| Ok((path_of_split(out, name)?, *format)));
        let steps = undivided.steps.as_deref().map(|path| path_of_split(path, name)).transpose()?;
        parts.push(Part { outputs: outputs.collect::<Result<_, Usage>>()?, steps, chosen });
    }
    if unknown + near > 0 {
        let keyless = "whose solution has no class (it is not known, or the board is above 9x9: --apart isomorph)";
        let counts = [(unknown, keyless), (near, "too similar to another split")];
        let reasons = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        say(format_args!("left out: {}", reasons.collect::<Vec<_>>().join(", ")));
        ensure!(parts.iter().any(|part| !part.chosen.is_empty()), Usage("no puzzle is left".to_owned()));
    }
    splitter.splits.check_rows(&split)?;
    Ok(parts)
}

/// The format of the output: the one of --format, or the one that belongs to the name of the file.
fn format_of(out: &Path, named: Option<Format>) -> Result<Format, Usage> {
    let format_of_name = if out == Path::new("-") {
        Some(Format::Lines)
    } else {
        Format::of_name(out).map_err(|reason| Usage(format!("{}: {reason}", out.display())))?
    };
    let unknown = match out.is_dir() {
        true => "it is a folder; give a file in it a name with an ending, as puzzles.sdm",
        false if out.extension().is_none() => {
            "the name has no ending for the format; write puzzles.sdm, or add --format"
        }
        false => {
            "no format has this ending; write .csv (tables), .sdm (puzzles), .svg or .pdf (pictures); `list formats` has all"
        }
    };
    named.or(format_of_name).ok_or_else(|| Usage(format!("{}: {unknown}", out.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_pictures_have_limits_which_the_message_tells() {
        for right in ["3.6mm", "1763mm", "10pt", "5000pt", "2.5in"] {
            assert!(length(right).is_ok(), "{right}");
        }
        for wrong in ["3.5mm", "1764mm", "10000mm", "70"] {
            assert!(length(wrong).unwrap_err().contains("3.6 to 1763 mm"), "{wrong}");
        }
        assert!(thicknesses("30,30").unwrap_err().contains("from 0.05 to 20") && thicknesses("0,0").is_err());
    }
}
