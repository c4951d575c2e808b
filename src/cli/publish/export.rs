//! `export`: writes an exact number of puzzles, by quotas and without isomorphs, in any exchange format.

use std::collections::BTreeSet;
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
    /// The format, whatever the name says. Without this option, the ending of the name gives it; `list formats` describes
    /// all.
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
    let record = last.ok_or_else(|| Usage::of(path, "no puzzle"))?;
    // A file may give one of several solutions.
    let is_unique = record.puzzle.as_ref().is_none_or(|puzzle| count(puzzle, 2, SEARCH).found < 2);
    ensure!(is_unique, Usage::of(path, "the last puzzle has several solutions"));
    Ok(Box::new(Record { solution: Some(solution_of(&record)?), ..record }))
}

/// A file that --out names, or its counterpart for a split.
#[derive(Clone)]
struct ExportOutput {
    path: PathBuf,
    format: Format,
}

/// Puzzles, and the files for them: the outputs, and the file of steps. There is one part, or one for each split.
struct Part {
    outputs: Vec<ExportOutput>,
    steps: Option<PathBuf>,
    chosen: Puzzles,
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
    let outputs = args.outputs()?;
    let scale = args.selection.scale()?;
    let levels = &scale.levels;
    let mut numbering = args.numbering(levels)?;
    let request = args.request(&scale)?;
    let pictures = args.pictures.options(&numbering)?;
    args.check_files(&pictures, request.count)?;
    let mut publishing = args.begin(global, &scale)?;
    let choice = args.selection.choose(global, &["export"], &request, &args.out[0], &mut publishing)?;
    check_shade(args.pictures.shade, choice.chosen.shapes().iter().copied())?;
    let counts = said(&choice, &request);
    let is_dated = request.sort.is_empty() && args.calendar.dates.is_some();
    let chosen = if is_dated { dated(&choice.chosen, levels, &args.calendar)? } else { choice.chosen };
    let chosen_count = chosen.len();
    numbering.days = args.calendar.days_from_before(chosen_count)?;
    let heading = Heading {
        title: args.title.clone(),
        author: args.author.clone(),
        source: args.source.clone(),
        date: args.date.map(|day| day.to_string()),
        numbering,
        pictures,
    };
    let parts = args.parts(outputs, chosen)?;
    claim_files(global, &args, &parts, &heading)?;
    let sealed = seal(global, &parts, &heading, args.split.is_some())?;
    publishing.finish(parts.iter().map(|part| &part.chosen), sealed)?;
    let written: usize = parts.iter().map(|part| part.chosen.len()).sum();
    for name in args.out.iter().map(|out| paths::name(out)) {
        match chosen_count - written {
            0 => global.say(format_args!("{counts} into {name}")),
            left_out => global.say(format_args!(
                "{} into {name}; chosen were {counts}, and {left_out} are left out",
                counted(written as u64, "puzzle")
            )),
        }
    }
    let mut published = Vec::new();
    for part in &parts {
        let puzzles = part.chosen.len() as u64;
        published.extend(part.outputs.iter().map(|output| (output.path.display().to_string(), puzzles)));
    }
    Ok(Outcome::Published(published))
}

/// Claims every file, and makes the folders whose names follow from those of options.
fn claim_files(global: &Global, args: &Args, parts: &[Part], heading: &Heading) -> anyhow::Result<()> {
    for part in parts {
        for (output, option) in part.outputs.iter().zip(&args.out) {
            let mut files = formats::files(&output.path, output.format, &part.chosen, heading)?;
            // The table of pictures is the last file. It is an option of its own (--merge), and so it is claimed already.
            if files.last().is_some_and(|last| heading.pictures.merge.as_ref() == Some(&last.path)) {
                files.pop();
            }
            for file in files {
                claim(global, option, &file.path)?;
            }
        }
    }
    for (option, steps) in parts.iter().filter_map(|part| args.steps_out.as_deref().zip(part.steps.as_deref())) {
        claim(global, option, steps)?;
    }
    Ok(())
}

/// Claims a file of an option, and makes its folder if the option has names in braces in place of it.
fn claim(global: &Global, option: &Path, file: &Path) -> anyhow::Result<()> {
    global.paths.claim(option, file)?;
    if is_pattern(folder_of(option)) {
        create_folder(folder_of(file)).with_context(|| cannot_write(file))?;
    }
    Ok(())
}

/// Seals the outputs and the files of steps.
fn seal(global: &Global, parts: &[Part], heading: &Heading, is_split: bool) -> anyhow::Result<Sealed> {
    let mut sealed = Vec::new();
    for part in parts {
        for ExportOutput { path, format } in &part.outputs {
            sealed.push(formats::seal(path, *format, &part.chosen, heading)?);
            if is_split {
                global.say(format_args!("{} into {}", counted(part.chosen.len() as u64, "puzzle"), paths::name(path)));
            }
        }
    }
    for part in parts {
        if let Some(steps) = &part.steps {
            sealed.push(seal_steps(steps, &part.chosen)?);
        }
    }
    Ok(sealed.into_iter().collect())
}

impl Args {
    /// Which puzzles the command takes from a corpus of this shape and with levels of this scale. For recipes, which check
    /// their outputs before any work. An error if an option is wrong, or if a format cannot hold boards of this shape.
    pub(in crate::cli) fn request_of(&self, shape: Shape, levels: Levels) -> anyhow::Result<Request> {
        for output in self.outputs()? {
            let info = output.format.info();
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
        let outputs = self.outputs()?;
        if outputs.iter().any(|output| output.format == Format::Picture(PictureKind::Png)) {
            let picture::Style { size, dpi, .. } = pictures.style;
            picture::pixels(size, size, dpi).map_err(|error| Usage(error.to_string()))?;
        }
        if self.split.is_some() {
            for path in self.out.iter().chain(&self.steps_out) {
                path_of_split(path, "")?;
            }
        }
        if let Some(path) = &self.steps_out {
            StepFormat::of_name(path)?;
        }
        if count.is_some_and(|count| count > 1) {
            for ExportOutput { path, format } in outputs {
                ensure!(!formats::is_crowded(&path, format), formats::crowded(&path, format));
            }
        }
        Ok(())
    }

    /// Begins the publication, and refuses outputs that cannot be written.
    fn begin(&self, global: &Global, scale: &Scale) -> anyhow::Result<Publishing> {
        // What determines the files besides the corpora, for the digest of the request.
        let options = format!("{self:?} {scale:?}");
        let words = self.pictures.words.as_ref().map(AsRef::as_ref);
        let inputs: Vec<&Path> = self.pictures.before().into_iter().chain(words).collect();
        let publishing = self.selection.begin(global, &self.out[0], &options, &inputs)?;
        for out in self.out.iter().chain(&self.steps_out).filter(|out| !is_pattern(folder_of(out))) {
            Output::probe(out)?;
        }
        Ok(publishing)
    }

    /// The chosen puzzles with their files, split by split.
    fn parts(&self, outputs: Vec<ExportOutput>, chosen: Puzzles) -> anyhow::Result<Vec<Part>> {
        let Some(splits) = self.split.clone() else {
            let steps = self.steps_out.as_deref().map(Path::to_owned);
            return Ok(vec![Part { outputs, steps, chosen }]);
        };
        let splitter = Splitter { splits, apart: self.apart, seed: self.selection.seed };
        let Division { split, unknown, near } =
            splitter.divide(chosen.iter(), |chosen| chosen.record_of(&Splitter::COLUMNS))?;
        let mut parts = Vec::new();
        for (number, name) in splitter.splits.names().enumerate() {
            let mut outputs = outputs.clone();
            for output in &mut outputs {
                output.path = path_of_split(&output.path, name)?;
            }
            let steps = self.steps_out.as_deref().map(|path| path_of_split(path, name)).transpose()?;
            let places = (0..split.len()).filter(|place| split[*place] == Some(number as u8));
            parts.push(Part { outputs, steps, chosen: chosen.some(places) });
        }
        let mut reasons = Vec::new();
        if unknown > 0 {
            let board = "it is not known, or the board is above 9x9: --apart isomorph";
            reasons.push(format!("{unknown} whose solution has no class ({board})"));
        }
        if near > 0 {
            reasons.push(format!("{near} too similar to another split"));
        }
        if !reasons.is_empty() {
            say(format_args!("left out: {}", reasons.join(", ")));
            ensure!(parts.iter().any(|part| !part.chosen.is_empty()), Usage("no puzzle is left".to_owned()));
        }
        splitter.splits.check_rows(&split)?;
        Ok(parts)
    }

    /// Refuses a table of pictures for several outputs: it would have those of one.
    fn check_merge(&self) -> Result<(), Usage> {
        let outputs = self.outputs()?;
        let pictures = outputs.iter().filter(|output| matches!(output.format, Format::Picture(_))).count();
        let reason = match self.pictures.merge {
            None => return Ok(()),
            Some(_) if self.split.is_some() => "a split has several: leave out --merge",
            Some(_) if pictures > 1 => "several --out are pictures: write the others in another call",
            Some(_) => return Ok(()),
        };
        Err(Usage(format!("--merge lists the pictures of one output, and {reason}")))
    }

    /// The outputs with their formats.
    fn outputs(&self) -> Result<Vec<ExportOutput>, Usage> {
        let outs = self.out.iter();
        outs.map(|out| Ok(ExportOutput { path: out.to_path_buf(), format: format_of(out, self.format)? })).collect()
    }

    /// True if the name of a file contains the name of a level.
    fn has_level_in_name(&self) -> bool {
        self.out.iter().any(|out| out.to_string_lossy().contains("{level}"))
    }

    /// The numbers of the puzzles, and the first day. An error if the name of an output has unknown names in braces, or
    /// a name for two levels.
    fn numbering(&self, levels: &Levels) -> anyhow::Result<Numbering> {
        let first = self.calendar.first_puzzle.unwrap_or(1);
        let days = self.calendar.days_from_before(1)?;
        let language = with_words(self.pictures.language.clone(), self.pictures.words.as_ref())?;
        let numbering = Numbering::new(first, days, levels.clone(), language);
        for out in &self.out {
            numbering.check("--out", &out.to_string_lossy().replace("{split}", ""))?;
        }
        if self.has_level_in_name() {
            let keys = levels.ranges().iter().map(|level| level.key.as_str()).chain([NO_LEVEL]);
            let mut words: BTreeSet<String> = BTreeSet::new();
            for word in keys.map(file_word) {
                let message = format!("{word} stands for two levels in {{level}}; two outputs cannot have one name");
                ensure!(words.insert(word), Usage(message));
            }
        }
        Ok(numbering)
    }

    /// Which puzzles, and what must be known of each: ratings only where an output, a caption or the calendar names
    /// levels.
    fn request(&self, scale: &Scale) -> anyhow::Result<Request> {
        self.check_merge()?;
        let mut request = self.selection.request(scale)?;
        self.calendar.add_quotas(&mut request)?;
        let pictures = &self.pictures;
        request.any_solutions = self.any_solutions;
        request.rate = self.rate;
        request.all_columns = self.outputs()?.iter().any(|output| output.format.is_whole());
        request.with_levels |= self.has_level_in_name()
            || pictures.caption.names_level()
            || pictures.solution_caption.as_ref().is_some_and(Caption::names_level)
            || pictures.merge.is_some()
            || (self.calendar.dates.is_some() && request.sort.is_empty());
        Ok(request)
    }
}

/// How hard a puzzle is: first by its level, those without one last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hardness {
    has_no_level: bool,
    level: Option<usize>,
    er_tenths: u32,
    hodoku_score: u32,
}

/// Puzzles in the order of their days. The easiest are for Mondays, the hardest for Saturdays, and those of a Sunday
/// are between those of Wednesday and Thursday.
fn dated(chosen: &Puzzles, levels: &Levels, calendar: &Calendar) -> anyhow::Result<Puzzles> {
    let mut hardness = Vec::new();
    for chosen in chosen.iter() {
        let record = chosen?.record();
        let level = levels.of(&record);
        hardness.push(Hardness {
            has_no_level: level.is_none(),
            level,
            er_tenths: record.se_er_tenths.unwrap_or(0),
            hodoku_score: record.hodoku_score.unwrap_or(0),
        });
    }
    let mut by_hardness: Vec<usize> = (0..hardness.len()).collect();
    by_hardness.sort_by_key(|&place| hardness[place]);
    let levels_by_hardness: Vec<Option<usize>> = by_hardness.iter().map(|&place| hardness[place].level).collect();
    let ranks = calendar.places(&calendar.days(chosen.len())?, levels, &levels_by_hardness)?;
    Ok(chosen.some(ranks.into_iter().map(|rank| by_hardness[rank])))
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

/// The format of the output: the one of --format, or the one that belongs to the name of the file.
fn format_of(out: &Path, named: Option<Format>) -> Result<Format, Usage> {
    let format_of_name = match out == Path::new("-") {
        true => Some(Format::Lines),
        false => Format::of_name(out).map_err(|reason| Usage::of(out, reason))?,
    };
    if let Some(format) = named.or(format_of_name) {
        return Ok(format);
    }
    let reason = if out.is_dir() {
        "it is a folder; give a file in it a name with an ending, as puzzles.sdm"
    } else if out.extension().is_none() {
        "the name has no ending for the format; write puzzles.sdm, or add --format"
    } else {
        "no format has this ending; add --format, or take one of `list formats`"
    };
    let meant = paths::meant_ending(out, |end| matches!(Format::of_name(Path::new(end)), Ok(Some(_))));
    Err(Usage::of(out, reason.to_owned() + &meant))
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
