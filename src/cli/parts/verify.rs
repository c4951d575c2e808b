//! `verify`: checks every promise of a corpus: its parts, its rows, and that the recipe makes them again.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::cli::line::options::{self, Global};
use crate::cli::line::paths;
use crate::cli::line::progress::Bars;
use crate::cli::{Cli, Outcome, counted};
use crate::corpus::{
    CommandInput, CorpusError, InputPath, Outline, RECIPE_FILE, Report, TempFolder, compare_rows, digest_of, folder_of,
    verify,
};

/// Check a corpus: compare its parts with their checksums and its recipe, and solve its puzzles.
///
/// The checks of a part are its checksums, metadata and schema. The checks of a row are that the solution is
/// valid, that it contains the puzzle, and that givens and empty cells are counted correctly. Then every row, or a sample of
/// the rows, is solved by an independent solver and made again from the recipe. Rows of `analyze`, `dig`, `generate` and
/// `mask` are made again by the same command, all of them. For that, its input must be in the current folder or beside
/// the corpus, and as it was. The exit code is 3 if a check fails.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus verify six
  sudoku-corpus verify corpus --sample 100")]
pub(in crate::cli) struct Args {
    /// The folder of the corpus.
    #[arg(default_value = "corpus")]
    corpus: InputPath,
    /// Solve and make again only N rows, drawn at random; all rows by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
}

/// Verifies the corpus, and prints what is wrong with it.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let stop = options::stop_soon()?;
    let mut report =
        Bars::during(global, &["verify"], |bars| verify(&args.corpus, args.sample, &global.job(bars, &stop)))?;
    if let Some(outline) = report.of_command.take()
        && report.is_sound()
        && !report.stopped
    {
        match args.sample {
            Some(_) => report.notes.push("with --sample, the rows of a command are not made again".to_owned()),
            None => make_again(&args.corpus, &outline, &mut report)?,
        }
    }
    print_problems(&report)?;
    for note in &report.notes {
        global.say(note);
    }
    let Report { parts_good, parts, rows, rows_solved, rows_remade, seconds, .. } = report;
    let rows = counted(rows, "row");
    let undecided = match report.undecided {
        0 => String::new(),
        rows => format!(", {rows} undecided"),
    };
    global.say(format_args!(
        "{parts_good} of {parts} parts, {rows} read, {rows_solved} solved{undecided}, {rows_remade} made again, \
         {seconds:.1} s",
    ));
    let (verdict, outcome) = match (report.problem_count, report.stopped) {
        (0, false) => ("sound".to_owned(), Outcome::Done),
        (0, true) => ("stopped early; no problem so far".to_owned(), Outcome::Stopped),
        (problems, _) => (counted(problems, "problem"), Outcome::CheckFailed),
    };
    global.say(format_args!("{}: {verdict}", paths::name(&args.corpus)));
    Ok(outcome)
}

/// Prints the problems, and how many more there are.
fn print_problems(report: &Report) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for problem in &report.problems {
        writeln!(out, "{problem}")?;
    }
    let hidden = report.problem_count - report.problems.len() as u64;
    if hidden > 0 {
        writeln!(out, "and {}", counted(hidden, "more problem"))?;
    }
    Ok(())
}

/// Makes the rows of a command again in a temporary folder, and compares them. Where that cannot be done, a note says
/// why.
fn make_again(corpus: &Path, outline: &Outline, report: &mut Report) -> anyhow::Result<()> {
    let folder = TempFolder::new().context("cannot make a temporary folder")?;
    let again = folder.path().join("again");
    let Cli { global, command } = match parsed_call(corpus, outline, &again) {
        Ok(call) => call,
        Err(reason) => {
            report.notes.push(format!("the rows are not made again: {reason}"));
            return Ok(());
        }
    };
    if command.run(&global)? == Outcome::Stopped {
        report.stopped = true;
        return Ok(());
    }
    if recipe_text(&again)? != recipe_text(corpus)? {
        report.notes.push("the rows are not compared: the same command has another recipe now".to_owned());
        return Ok(());
    }
    Ok(compare_rows(corpus, &again, report)?)
}

/// The call that makes the rows of a command again in the folder `again`.
///
/// # Errors
/// There is no such call, or it writes other files too.
fn parsed_call(corpus: &Path, outline: &Outline, again: &Path) -> Result<Cli, String> {
    let call = Cli::parsed(words(corpus, outline, again)?).map_err(|error| error.to_string())?;
    if call.global.paths.written().eq([again]) { Ok(call) } else { Err("it writes other files".to_owned()) }
}

fn recipe_text(corpus: &Path) -> Result<Vec<u8>, CorpusError> {
    let path = corpus.join(RECIPE_FILE);
    std::fs::read(&path).map_err(CorpusError::io("read", &path))
}

/// The commands that make a corpus of their input.
const COMMANDS: [&str; 4] = ["analyze", "dig", "generate", "mask"];

/// The command line that makes a corpus again in another folder.
///
/// # Errors
/// The command is not known, or an input is not found.
fn words(corpus: &Path, outline: &Outline, again: &Path) -> Result<Vec<String>, String> {
    let Some(call) = outline.command.as_ref().filter(|call| COMMANDS.contains(&call.name.as_str())) else {
        return Err("the command is not known".to_owned());
    };
    let mut words = vec!["sudoku-corpus".to_owned(), call.name.clone(), "--quiet".to_owned()];
    words.extend(call.options.iter().cloned());
    for input in &call.input {
        let file = input_file(corpus, input)?;
        let is_option = input.argument.starts_with("--");
        words.push(if is_option { format!("{}={file}", input.argument) } else { file });
    }
    let has_option_steps = call.options.iter().any(|option| option.split('=').next() == Some("--steps"));
    if outline.has_steps && !has_option_steps {
        words.push("--steps".to_owned());
    }
    // A path that ends so is a folder.
    words.extend([format!("--format={}", outline.format.name()), format!("--out={}/", again.display())]);
    Ok(words)
}

/// An input of a command: the file with this name and these contents in the current folder or beside the corpus, or the
/// word itself.
fn input_file(corpus: &Path, input: &CommandInput) -> Result<String, String> {
    let Some(blake3) = &input.blake3 else { return Ok(input.name.clone()) };
    let places = [PathBuf::from(&input.name), folder_of(corpus).join(&input.name)];
    for path in places.iter().filter(|path| path.exists()) {
        if digest_of(path).map_err(|error| error.to_string())? == *blake3 {
            return Ok(path.display().to_string());
        }
    }
    Err(format!("the input {} is not in the current folder or beside the corpus, or was changed", input.name))
}
