//! Runs a stage: a command that makes one row from each item of its input and writes the rows in order. The stages are
//! `generate`, `dig`, `analyze` and `mask`.
//!
//! ```text
//!   items -> work (in threads) -> rows in order -> rated.csv      a file: whole, or not at all
//!                                              `-> rated/rows/    a folder: part by part, continued by the same call
//! ```
//!
//! A folder is a corpus like that of `run`. Its `recipe.toml` names the command, its options, and the inputs with their
//! checksums, so a call with other options or another input is refused.

use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::json;

use crate::board::Shape;
use crate::cli::line::options::{self, Global};
use crate::cli::line::progress::Bars;
use crate::cli::{Outcome, Usage, counted, skipped};
use crate::corpus::{
    Analysis, AnalyzeDraft, CorpusError, Draft, FileFormat, GridDraft, Input, Job, Levels, Metadata, OnError, Outline,
    Output, OutputPath, Outside, PartFormat, Progress, RECIPE_FILE, Reading, Recipe, RecipeError, Record, RowSink,
    RunSummary, StepSink, digest_of, produce_from, run_stage,
};

/// The output of a stage: options, and what the command sets after it has read them (`skip`).
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct StageOutput {
    /// The output: a file, whose name gives its format (.parquet, .csv.zst, .csv, .txt), or a folder. A name without an
    /// ending is a folder. If you stop the command, it writes no file. In a folder, the same command continues later.
    /// The default is standard output.
    #[arg(long, short, value_name = "FILE|FOLDER", default_value = "-")]
    pub out: OutputPath,
    /// The format, if the name does not give it: parquet, csv.zst, csv or txt.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub format: Option<FileFormat>,
    /// The file of the steps of the ladder, for commands that write one.
    #[arg(skip)]
    pub steps: Option<OutputPath>,
    /// Columns that are copied from the input and follow those of this program.
    #[arg(skip)]
    pub outside: Vec<Outside>,
    /// The rows of a part of a folder.
    #[arg(skip)]
    pub part_rows: Option<u64>,
    /// The table `[analyze]` of a recipe, which says how the rows are rated.
    #[arg(skip)]
    pub rated: Option<String>,
    /// The scale of the levels of the rows.
    #[arg(skip)]
    pub levels: Levels,
    /// The number of positions that counting the solutions of one puzzle may visit; 0 if the stage does not count.
    #[arg(skip)]
    pub budget: u64,
}

impl StageOutput {
    /// True if the output is a folder: it is one, or its name has no ending. `--format` says that a name without an
    /// ending is a file.
    pub(in crate::cli) fn is_folder(&self) -> bool {
        let named = self.out.to_string_lossy();
        let is_bare = self.out.extension().is_none() && self.out.file_name().is_some() && !self.out.exists();
        self.out.is_dir() || named.ends_with('/') || (is_bare && self.format.is_none() && !Output::is_stream(&self.out))
    }

    pub(in crate::cli) fn file_format(&self) -> Option<FileFormat> {
        if self.is_folder() {
            return Some(self.format.unwrap_or(FileFormat::Parquet));
        }
        self.format.or_else(|| FileFormat::of_name(&self.out.file_name()?.to_string_lossy()))
    }

    /// Makes standard output CSV by default: plain lines of puzzles would lose their analysis.
    pub(in crate::cli) fn write_csv_by_default(&mut self) {
        if self.format.is_none() && self.out == Path::new("-") {
            self.format = Some(FileFormat::Csv);
        }
    }
}

/// What the options of `analyze` describe.
pub(in crate::cli) struct DescribedAnalysis {
    pub analysis: Analysis,
    /// Its table in a recipe.
    pub table: String,
    /// The usual number of rows in a part.
    pub part_rows: u64,
}

/// The analysis that `analyze` options describe, for puzzles of a shape; None if puzzles of any shape may come.
pub(in crate::cli) fn analysis(
    shape: Option<Shape>,
    levels: &Levels,
    analyze: AnalyzeDraft,
) -> Result<DescribedAnalysis, RecipeError> {
    let grid = GridDraft { shape, ..GridDraft::default() };
    let mut draft = Draft { grid, analyze, ..Draft::default() };
    draft.set_scale(levels);
    let recipe = Recipe::new(&draft)?;
    Ok(DescribedAnalysis { table: recipe.analyze_table(), part_rows: recipe.part_rows, analysis: recipe.analysis })
}

/// The format of an ending, with or without its dot.
fn format(text: &str) -> Result<FileFormat, String> {
    FileFormat::of_name(&format!(".{}", text.strip_prefix('.').unwrap_or(text)))
        .ok_or_else(|| "known formats: parquet, csv.zst, csv, txt".to_owned())
}

/// The number of rows of an input, good and bad, if they go into a folder: its parts are numbered before they are made.
///
/// # Errors
/// The input cannot be read or comes from a pipe; for a new folder, all of its rows are bad.
pub(in crate::cli) fn rows_of(output: &StageOutput, input: &Path, reading: &Reading) -> anyhow::Result<Option<u64>> {
    if !output.is_folder() {
        return Ok(None);
    }
    let is_file = input != Path::new("-") && !Output::is_direct(input);
    let (out, needed) = (output.out.display(), "a folder is continued, so its input must be a file, not a pipe");
    ensure!(is_file, Usage(format!("{out}: {needed}; or write a file: --out {out}.csv")));
    let (mut rows, mut has_good, mut first_error) = (0, false, None);
    for row in Input::open(input, reading.clone())? {
        rows += 1;
        has_good |= row.is_ok();
        first_error = first_error.or(row.err());
    }
    // A new folder would keep the recipe of an input that is corrected then.
    let is_new = !output.out.join(RECIPE_FILE).exists();
    match first_error {
        Some(error) if is_new && !has_good => Err(anyhow::Error::from(error).context(NO_ROW)),
        _ => Ok(Some(rows)),
    }
}

/// Runs a stage. `stage` is its name for the report of progress, and `rows` the number of items, if it is known. If not
/// all rows can be made, an output that is a file is not written, and a file that already has its name stays.
///
/// # Errors
/// A file cannot be read or written; a name is claimed already; or an item gives no row and `on_error` does not skip
/// it.
pub(in crate::cli) fn run<T: Send>(
    global: &Global,
    output: &StageOutput,
    stage: &'static [&'static str],
    items: impl Iterator<Item = Result<T, CorpusError>>,
    rows: Option<u64>,
    on_error: OnError,
    work: impl Fn(T) -> Result<Record, CorpusError> + Sync + Send,
) -> anyhow::Result<Outcome> {
    let stop = options::stop_flag()?;
    if let Some(rows) = rows
        && output.is_folder()
    {
        let outline = outline(global, output, rows)?;
        let made = Bars::during(global, stage, |bars| {
            let job = Job { on_error, ..global.job(bars, &stop) };
            produce_from(&outline, &output.outside, &output.out, items, work, &job)
                .inspect(|summary| bars.unsettled(summary.rows_unsettled, output.budget))
        })?;
        global.say(described(&made, &output.out));
        return outcome_of_folder(&made);
    }
    let mut sink = options::opening(&stop, || sink_of(output))?;
    let summary = Bars::during(global, stage, |bars| {
        run_stage(items, work, &mut sink, rows, &Job { on_error, ..global.job(bars, &stop) })
            .inspect(|summary| bars.unsettled(summary.unsettled, output.budget))
    })?;
    let made = format!("{}{}", counted(summary.rows, "row"), skipped(summary.skipped));
    if !summary.stopped {
        ensure!(summary.rows > 0, NO_ROW);
        sink.finish()?;
        global.say(made);
        return Ok(Outcome::Done);
    }
    if Output::is_stream(&output.out) {
        sink.finish()?;
        global.say(format_args!("{made}; stopped early"));
    } else {
        let file = output.out.display();
        global.say(format_args!(
            "stopped after {made}; {file} was not written. With a folder as --out, the same command continues"
        ));
    }
    Ok(Outcome::Stopped)
}

/// How a stage ended whose output is a folder.
///
/// # Errors
/// No item gave a row.
fn outcome_of_folder(made: &RunSummary) -> anyhow::Result<Outcome> {
    if made.is_stopped() {
        return Ok(Outcome::Stopped);
    }
    let was_complete = made.parts_made == 0;
    let has_new_rows = made.rows_made > made.rows_skipped;
    ensure!(was_complete || has_new_rows, NO_ROW);
    Ok(Outcome::Done)
}

/// Opens an output that is a file, and that of its steps.
fn sink_of(output: &StageOutput) -> Result<RowSink, CorpusError> {
    let metadata = Metadata { rated: output.rated.clone(), ..Metadata::with_levels(&output.levels) };
    let sink = RowSink::with_metadata(&output.out, output.format, &output.outside, &metadata)?;
    let steps = output.steps.as_deref().map(StepSink::create).transpose()?;
    Ok(steps.into_iter().fold(sink, RowSink::with_steps))
}

/// The error of a stage whose items gave no row.
const NO_ROW: &str = "there is no row to write, because no board of the input can be used";

/// An input of a command as its recipe names it.
struct InputDigest {
    /// The option or argument that names it.
    argument: String,
    name: String,
    /// None if there is no such file.
    blake3: Option<String>,
}

/// What the corpus in a folder consists of: the rows of this command.
fn outline(global: &Global, output: &StageOutput, rows: u64) -> anyhow::Result<Outline> {
    let format = match output.format {
        None | Some(FileFormat::Parquet) => PartFormat::Parquet,
        Some(FileFormat::CsvZst) => PartFormat::CsvZst,
        Some(_) => return Err(Usage("the parts of a folder are parquet or csv.zst".to_owned()).into()),
    };
    let mut inputs = Vec::new();
    for (argument, path) in global.paths.read_arguments() {
        let blake3 = if path.exists() { Some(digest_of(path)?) } else { None };
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        inputs.push(InputDigest { argument: argument.to_owned(), name, blake3 });
    }
    let options: Vec<String> = global.given.options.iter().map(|option| quoted(option)).collect();
    let scale = output.levels.name().map_or(String::new(), |name| format!("levels = \"{name}\"\n"));
    let mut canonical = format!(
        "count = {rows}\npart_rows = {}\nformat = \"{}\"\n{scale}\n[command]\nname = {}\noptions = [{}]\n",
        output.part_rows.unwrap_or(USUAL_PART_ROWS),
        format.name(),
        quoted(&global.given.name),
        options.join(", "),
    );
    for InputDigest { argument, name, blake3 } in inputs {
        canonical += &format!("\n[[command.input]]\nargument = {}\nname = {}\n", quoted(&argument), quoted(&name));
        if let Some(checksum) = blake3 {
            canonical += &format!("blake3 = \"{checksum}\"\n");
        }
    }
    if let Some(rated) = &output.rated {
        canonical += &format!("\n{rated}");
    }
    let tables = output.levels.tables();
    if !tables.is_empty() {
        canonical += &format!("\n{tables}");
    }
    Outline::of_text(&canonical).map_err(anyhow::Error::msg).context("the recipe of the folder")
}

/// A text in quotes, with escapes that JSON and TOML have in common.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}

/// The rows of a part of grids and of puzzles that are not rated.
const USUAL_PART_ROWS: u64 = 10_000;

fn described(summary: &RunSummary, folder: &Path) -> String {
    let rows = counted(summary.rows_made - summary.rows_skipped, "row");
    let mut text = format!("made {rows} in {}{}", counted(summary.parts_made, "part"), skipped(summary.rows_skipped));
    if summary.parts_kept > 0 {
        text += &format!("; {} there already", counted(summary.parts_kept, "part"));
    }
    text + &state_of_folder(summary, folder)
}

/// The lines of a message about a folder of parts: what was found in it, whether it is complete, and how to continue.
pub(in crate::cli) fn state_of_folder(summary: &RunSummary, folder: &Path) -> String {
    let RunSummary { parts, parts_there, parts_missing, .. } = summary;
    let mut text = String::new();
    for note in summary.notes.iter().chain(&summary.set_aside) {
        text += &format!("\n{note}");
    }
    text + &match (summary.is_stopped(), summary.is_complete()) {
        (true, _) => {
            format!("\nstopped; missing: {}; to continue, run the same command", counted(parts_missing, "part"))
        }
        (false, true) => format!("\n{} is complete: {}", folder.display(), counted(*parts, "part")),
        (false, false) => format!("\n{} has {parts_there} of {parts} parts", folder.display()),
    }
}
