//! `audit`: checks a file of puzzles from any source, and compares two files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::options::{self, Global};
use super::progress::Bars;
use super::{Outcome, counted, report};
use crate::corpus::{InputPath, Output, OutputPath, write_file};
use crate::progress::Progress as _;
use crate::study::audit::{AuditOptions, Facts, Rows, audit, compare, document, json, write_leaks};
use crate::study::report::{Form, write_page};

/// Check a file of puzzles from any source, and compare two files.
///
/// The page says how many puzzles have one solution, how many are minimal, which are copies, how hard they are, and
/// what shows how they were made.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The command does not rely on what a file says about itself. It compares two files cell by cell, up to isomorphism, and by the \
solution grid. A training set and a test set must not share puzzles in any of these ways.

Examples:
  sudoku-corpus audit puzzles.csv                         Markdown on standard output
  sudoku-corpus audit train.csv test.csv --out audit.html --json audit.json
  sudoku-corpus audit train.csv test.csv --near 1 --out leaks.parquet       exit code 3 if there are any
  sudoku-corpus audit corpora/monday --rate --out monday.html")]
pub(super) struct Args {
    /// A file of puzzles in any format, or the folder of a corpus.
    #[arg(value_name = "A")]
    first: InputPath,
    /// A second file or folder, to compare with the first.
    #[arg(value_name = "B")]
    second: Option<InputPath>,
    /// Rate the puzzles too: levels and ER. Rating takes about a millisecond for each puzzle.
    #[arg(long)]
    rate: bool,
    /// Also look for neighbours: puzzles of 9x9 that are isomorphic once up to K givens of each are moved, added or
    /// removed. 2 takes about twelve times as long as 1.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=2))]
    near: Option<u8>,
    /// The page: .html or .md; - for Markdown on standard output. Or a list of leaks, .parquet: file, line, kind and
    /// group of every row that is a copy or a neighbour of another, shares its solution, or is wrong.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: OutputPath,
    /// Write the same numbers to this file as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<OutputPath>,
}

/// Audits one file or two, and writes a page, or the list of leaks.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let lists = args.out.extension().is_some_and(|extension| extension == "parquet");
    let form = if lists { Form::Markdown } else { report::form(&args.out)? };
    Output::probe(&args.out)?;
    args.json.as_deref().map(Output::probe).transpose()?;
    let stop = options::stop_soon()?;
    let near = usize::from(args.near.unwrap_or(0));
    let mut rows = (lists || near > 0).then(|| Rows::new(near)).transpose()?;
    let paths = std::iter::once(&args.first).chain(&args.second);
    let mut files: Vec<Facts> = Bars::during(global, &["audit"], |bars| {
        bars.begin(None, 0);
        let (how, job) = (AuditOptions { rate: args.rate, near }, global.job(bars, &stop));
        let names = names(&paths.clone().map(|path| &**path).collect::<Vec<&Path>>());
        let facts = |(path, name): (&InputPath, String)| {
            let mut facts = audit(path, how, rows.as_mut(), &job)?;
            facts.name = name;
            Ok(facts)
        };
        paths.zip(names).map(facts).collect::<anyhow::Result<_>>()
    })?;
    if stop.is_set() {
        return Ok(Outcome::Stopped);
    }
    if let [a, b] = &mut files[..] {
        compare(a, b)?;
    }
    let (first, second) = (&files[0], files.get(1));
    let asked = rows.is_some();
    let leaks = rows.map(Rows::leaks).transpose()?.unwrap_or_default();
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    leaks.iter().for_each(|leak| *kinds.entry(leak.kind.name()).or_default() += 1);
    let told = Some(&kinds).filter(|_| asked);
    if let Some(path) = &args.json {
        write_file(path, format!("{:#}\n", json(first, second, told)))?;
    }
    if lists {
        write_leaks(&args.out, &files.iter().collect::<Vec<_>>(), &leaks)?;
    }
    kinds.iter().for_each(|(kind, rows)| global.say(format_args!("{}: {kind}", counted(*rows, "row"))));
    if !lists {
        let page = document(first, second, told);
        match args.out == Path::new("-") {
            true => io::stdout().write_all(page.markdown().as_bytes())?,
            false => write_page(&page, form, &args.out)?,
        }
    }
    Ok(if leaks.is_empty() { Outcome::Done } else { Outcome::CheckFailed })
}

/// The names of files in pages and lists: as many of their last folders as tell them apart.
fn names(paths: &[&Path]) -> Vec<String> {
    let full: Vec<PathBuf> =
        paths.iter().map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())).collect();
    let ends = |pieces: usize| -> Vec<String> {
        let end = |path: &PathBuf| {
            let pieces: Vec<_> = path.iter().rev().filter(|piece| *piece != "/").take(pieces).collect();
            pieces.iter().rev().collect::<PathBuf>().display().to_string()
        };
        full.iter().map(end).collect()
    };
    let different = |names: &Vec<String>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let deepest = full.iter().map(|path| path.iter().count()).max().unwrap_or(1);
    let found = (1..=deepest).map(ends).find(different);
    // The same file twice.
    found.unwrap_or_else(|| ends(1).into_iter().zip(1..).map(|(name, at)| format!("{name} ({at})")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_the_shortest_names_that_tell_them_apart() {
        let of = |paths: &[&str]| names(&paths.iter().map(Path::new).collect::<Vec<_>>());
        assert_eq!(of(&["/no/a/p.txt"]), ["p.txt"]);
        assert_eq!(of(&["/no/a/p.txt", "/no/b/q.txt"]), ["p.txt", "q.txt"]);
        assert_eq!(of(&["/no/a/p.txt", "/no/b/p.txt"]), ["a/p.txt", "b/p.txt"]);
        assert_eq!(of(&["/no/a/c/p.txt", "/no/b/c/p.txt"]), ["a/c/p.txt", "b/c/p.txt"]);
        assert_eq!(of(&["/no/p.txt", "/no/p.txt"]), ["p.txt (1)", "p.txt (2)"]);
    }
}
