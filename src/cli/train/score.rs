//! `score`: counts how many puzzles of a set a model solved.

use crate::cli::analysis::report;
use crate::cli::line::options::Global;
use crate::cli::line::paths::{self, plain};
use crate::cli::{Outcome, counted};
use crate::corpus::{InputPath, Output, OutputPath};
use crate::study::score::{Predictions, document, score};

/// Score the answers of a model against a set of puzzles with solutions.
///
/// The page has the share of solved puzzles with its 95 % interval, for each split, role, board, level and tenth of ER.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A prediction has a puzzle and an answer: a line of a .jsonl file, or a row of a .csv or .parquet file. The answer may be a line of \
cells, a grid, or a text that ends with a grid. `guide datasets` has the rules.

Examples:
  sudoku-corpus score answers.jsonl released
      every split of a data set
  sudoku-corpus score answers.jsonl corpus --out score.json
  sudoku-corpus score answers.jsonl released --answer answer --out score.html")]
pub(in crate::cli) struct Args {
    /// The predictions: .jsonl, .csv or .parquet with `puzzle` and one of answer, prediction, predicted, output,
    /// response, completion; or another column, which --answer names.
    #[arg(value_name = "PREDICTIONS")]
    predictions: InputPath,
    /// The set: folders that `release` made, folders of corpora, or files of rows with solutions.
    #[arg(default_value = "corpus", value_name = "SET")]
    set: Vec<InputPath>,
    /// The column of the answers. Rows without a value there count as not answered.
    #[arg(long, value_name = "COLUMN")]
    answer: Option<String>,
    /// The output: a page, .html or .md, - for Markdown on standard output; or the same numbers, .json. Repeat the option
    /// for several.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: Vec<OutputPath>,
}

pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    args.out.iter().try_for_each(|out| report::check_page(out, &[]))?;
    args.out.iter().try_for_each(|out| Output::probe(out))?;
    let scored = score(&Predictions::read(&args.predictions, args.answer.as_deref())?, &plain(&args.set))?;
    if scored.foreign > 0 {
        global.note(format_args!("{} to no puzzle of the set", counted(scored.foreign, "answer")));
    }
    if scored.copies > 0 {
        global.note(format_args!("each puzzle counts once; the set has {} more", counted(scored.copies, "copy")));
    }
    let page = document(&scored, &format!("Score of {}", paths::name(&args.predictions)));
    let numbers = serde_json::to_string_pretty(&scored)?;
    args.out.iter().try_for_each(|out| report::write(&page, &numbers, out))?;
    Ok(Outcome::Done)
}
