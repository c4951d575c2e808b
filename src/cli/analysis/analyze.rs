//! `analyze`: rates puzzles of any file or pipe, as the third stage of a run does.

use anyhow::ensure;

use crate::cli::line::options::{self, Global, ReadOptions};
use crate::cli::parts::stage::{self, DescribedAnalysis, StageOutput};
use crate::cli::{Outcome, Usage};
use crate::corpus::{
    AnalyzeDraft, Copied, FileFormat, Input, InputPath, OnError, OutputPath, Reading, SourceScales, StepFormat,
    StepsWanted,
};

/// Analyze puzzles: count solutions, test minimality, measure search depth, rate difficulty.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
With a folder as --out, the command makes a corpus, part by part. If it is stopped, the same command makes the parts that are \
missing. If the options or the input have changed since, the call is refused. With a file as --out, a command that is stopped \
writes nothing.

The input may have columns that this program does not compute, for example an id or solving times. They are copied and follow \
the columns of this program. If both have a column of the same name, the name of the copied one gets the prefix input_. \
Columns of Parquet with dates, times or lists are left out, and a note names them. Lists and objects of JSON become texts.

Examples:
  sudoku-corpus analyze puzzles.sdm --out rated.csv
  sudoku-corpus analyze puzzles.sdm --techniques singles --out singles.parquet
  sudoku-corpus analyze hard.txt --ratings er,w,b --out hard.csv
  sudoku-corpus analyze hard.txt --out steps.csv --steps-out steps.parquet
  sudoku-corpus analyze hard.txt --ratings all --out rated
      a folder: rated/rows/part-000000.parquet ...")]
pub(in crate::cli) struct Args {
    /// Puzzles: lines, blocks, CSV, JSON or Parquet; plain, zstd or gzip; the folder of a corpus; - for standard input.
    #[arg(default_value = "-")]
    file: InputPath,
    #[command(flatten)]
    read: ReadOptions,
    #[command(flatten)]
    analyze: AnalyzeDraft,
    /// The scale of the levels: newspaper, hodoku, or a TOML file. The default is that of the input, or the newspaper's.
    #[arg(long, value_name = "LEVELS")]
    levels: Option<InputPath>,
    /// What to do with bad rows, which are not puzzles.
    #[arg(long, value_enum, default_value_t)]
    on_error: OnError,
    #[command(flatten)]
    output: StageOutput,
    /// Write every step of the solutions, in a file for each part, into the folder steps of --out.
    #[arg(long)]
    steps: bool,
    /// Write every step of the solutions to this file: .parquet, .jsonl, .tokens or .txt (sentences); see `guide
    /// datasets`.
    #[arg(long, value_name = "FILE", conflicts_with = "steps")]
    steps_out: Option<OutputPath>,
    /// Add up to N wrong steps and impossible positions for each puzzle to the file of steps, labeled as wrong.
    #[arg(long, value_name = "N", default_value_t = 0)]
    wrong_steps: usize,
}

/// Analyses the rows one after the other. Columns of other programs are copied.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut output = args.output;
    // In text formats, unknown columns are copied as they are. Parquet needs their types.
    let needs_types = output.file_format() == Some(FileFormat::Parquet);
    let copy = if needs_types { Copied::Typed } else { Copied::Texts };
    let reading = Reading { copy, ..args.read.reading()? };
    let rows = stage::rows_of(&output, &args.file, &reading)?;
    let shape = reading.shape;
    let input = Input::open(&args.file, reading)?;
    output.outside = input.outside();
    for note in input.notes() {
        global.say(note);
    }
    let mut input = input.peekable();
    // The default budget depends on the shape. Without --shape, take that of the first puzzle.
    let first_shape = input.peek().and_then(|row| row.as_ref().ok()).map(|record| record.shape);
    let shape = shape.or(first_shape.filter(|shape| shape.is_solvable()));
    let levels = match &args.levels {
        Some(name) => options::scale_named(name)?,
        None => SourceScales::of(&[args.file.to_path_buf()])?.common().unwrap_or_default(),
    };
    let in_folder = output.is_folder();
    ensure!(in_folder || !args.steps, Usage("--steps needs a folder as --out; --steps-out names a file".to_owned()));
    ensure!(
        !in_folder || args.steps_out.is_none(),
        Usage("--steps-out needs a file as --out; --steps writes into a folder".to_owned())
    );
    let draft = AnalyzeDraft { steps: args.steps.then_some(true), ..args.analyze };
    if args.steps || args.steps_out.is_some() {
        let refused = "steps need the ladder of techniques, but --techniques is none";
        ensure!(draft.techniques.as_deref() != Some("none"), Usage(refused.into()));
    }
    let DescribedAnalysis { mut analysis, table, part_rows } = stage::analysis(shape, &levels, draft)?;
    let step_format = match &args.steps_out {
        Some(path) => Some(StepFormat::of_name(path)?),
        None if args.steps => Some(StepFormat::Parquet),
        None => None,
    };
    if let Some(format) = step_format {
        analysis.steps = Some(StepsWanted { wrong: args.wrong_steps, seed: 0, format });
    }
    output.levels = levels;
    output.write_csv_by_default();
    output.budget = if analysis.count_limit > 1 { analysis.budget.0 } else { 0 };
    output.steps = args.steps_out;
    (output.rated, output.part_rows) = (Some(table), Some(part_rows));
    stage::run(global, &output, &["analyze"], input, rows, args.on_error, |row| Ok(analysis.analyze(row)))
}
