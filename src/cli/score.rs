//! `score`: counts how many puzzles of a set a model solved.

use std::io::{self, Write as _};
use std::path::Path;

use super::options::Global;
use super::paths::{self, plain};
use super::{Outcome, counted, report};
use crate::corpus::{InputPath, Output, OutputPath, write_file};
use crate::study::report::write_page;
use crate::study::score::{Predictions, document, score};

/// Score the answers of a model against a set of puzzles with solutions.
///
/// The page has the share of solved puzzles with its 95 % interval, for each split, role, board, level and tenth of ER.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A prediction has a puzzle and an answer: a line of a .jsonl file, or a row of a .csv or .parquet file. The answer may be a line of \
cells, a grid, or a text that ends with a grid. `guide datasets` has the rules.

Examples:
  sudoku-corpus score predictions.jsonl release                 every split of a data set
  sudoku-corpus score predictions.csv release/puzzles/test-00000-of-00001.parquet --json score.json
  sudoku-corpus score predictions.parquet corpus --out score.html")]
pub(super) struct Args {
    /// The predictions: .jsonl, .csv or .parquet with `puzzle` and `answer` (or prediction, predicted, output,
    /// response, completion, solution).
    #[arg(value_name = "PREDICTIONS")]
    predictions: InputPath,
    /// The set: folders that `release` made, folders of corpora, or files of rows with solutions.
    #[arg(required = true, value_name = "SET")]
    set: Vec<InputPath>,
    /// The page: .html or .md; - for Markdown on standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: OutputPath,
    /// Write the same numbers to this file as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<OutputPath>,
}

/// Scores the predictions and writes the page.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let form = report::form(&args.out)?;
    Output::probe(&args.out)?;
    args.json.as_deref().map(Output::probe).transpose()?;
    let scored = score(&Predictions::read(&args.predictions)?, &plain(&args.set))?;
    if scored.foreign > 0 {
        global.say(format_args!("note: {} to no puzzle of the set", counted(scored.foreign, "answer")));
    }
    if let Some(path) = &args.json {
        write_file(path, format!("{}\n", serde_json::to_string_pretty(&scored)?))?;
    }
    let page = document(&scored, &format!("Score of {}", paths::name(&args.predictions)));
    match args.out == Path::new("-") {
        true => io::stdout().write_all(page.markdown().as_bytes())?,
        false => write_page(&page, form, &args.out)?,
    }
    Ok(Outcome::Done)
}
