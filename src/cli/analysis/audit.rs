//! `audit`: checks a file of puzzles from any source, and compares two files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::ensure;

use crate::cli::analysis::report;
use crate::cli::line::options::{self, Global};
use crate::cli::line::progress::Bars;
use crate::cli::{Outcome, counted};
use crate::corpus::{InputPath, Output, OutputPath};
use crate::progress::Progress as _;
use crate::study::audit::{AuditOptions, AuditRows, Facts, audit, document, json, write_leaks};

/// Check a file of puzzles from any source, and compare two files.
///
/// The page says how many puzzles have one solution, how many are minimal, which are copies, and how hard they are.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The command does not rely on what a file says about itself: it solves each puzzle. It looks for puzzles that are equal, that are \
isomorphic, and that have isomorphic solutions. A training set and a test set must not share puzzles in any of these ways. What they \
share is a leak.

A list of leaks (--out FILE.parquet) has a row for each puzzle that is a copy of another one, has the same solution, or, with --near, \
is a neighbor. It also has a row for each bad line, and for each puzzle without exactly one solution. Its columns are file, line, \
kind and group. Rows with the same kind and group belong together. Of two files, only what stands in both is a leak, not what one \
file has twice.

The exit code is 3 if --near or a list of leaks is asked for and there are leaks. Otherwise it is 0, and the page tells of them.

Examples:
  sudoku-corpus audit puzzles.sdm
      Markdown on standard output
  sudoku-corpus audit train.csv test.csv --out audit.html --out audit.json
  sudoku-corpus audit train.csv test.csv --near 1 --out shared.parquet
      exit code 3 if there are leaks")]
pub(in crate::cli) struct Args {
    /// A file of puzzles in any format, or the folder of a corpus.
    #[arg(value_name = "A", default_value = "corpus")]
    first: InputPath,
    /// A second file or folder, to compare with the first.
    #[arg(value_name = "B")]
    second: Option<InputPath>,
    /// Rate the puzzles: levels and ER. Rating takes about a millisecond for each puzzle.
    #[arg(long)]
    rate: bool,
    /// Also look for neighbors, on 9x9: puzzles that become isomorphic if up to K givens of each are moved, added or
    /// removed. K is 1 or 2; 2 takes about twelve times as long.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u8).range(1..=2))]
    near: Option<u8>,
    /// The output: a page (.html or .md), the same numbers (.json), or a list of leaks (.parquet); - for Markdown on
    /// standard output. Repeat the option for several.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: Vec<OutputPath>,
}

/// Audits one file or two, and writes a page, or the list of leaks.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let is_list = |out: &OutputPath| out.extension().is_some_and(|ending| ending == "parquet");
    let wants_list = args.out.iter().any(is_list);
    args.out.iter().filter(|out| !is_list(out)).try_for_each(|out| report::check_page(out, &[".parquet"]))?;
    args.out.iter().try_for_each(|out| Output::probe(out))?;
    let stop = options::stop_soon()?;
    let near = usize::from(args.near.unwrap_or(0));
    let wants_leaks = wants_list || near > 0;
    let mut rows = AuditRows::new(near, wants_leaks)?;
    let sources: Vec<&Path> = std::iter::once(&args.first).chain(&args.second).map(|source| &**source).collect();
    let mut files: Vec<Facts> = Bars::during(global, &["audit"], |bars| {
        bars.begin(None, 0);
        let job = global.job(bars, &stop);
        let mut files = Vec::new();
        for (source, name) in sources.iter().zip(names(&sources)) {
            let mut facts = audit(source, AuditOptions { rate: args.rate, near }, &mut rows, &job)?;
            facts.name = name;
            files.push(facts);
        }
        anyhow::Ok(files)
    })?;
    if stop.is_set() {
        return Ok(Outcome::Stopped);
    }
    for (facts, source) in files.iter().zip(&sources) {
        ensure!(facts.rows() > 0, "{}: there is no board that can be read", source.display());
    }
    let leaks = rows.finish(&mut files)?;
    let (first, second) = (&files[0], files.get(1));
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    leaks.iter().for_each(|leak| *kinds.entry(leak.kind.name()).or_default() += 1);
    let leak_kinds = wants_leaks.then_some(&kinds);
    kinds.iter().for_each(|(kind, rows)| global.say(format_args!("{}: {kind}", counted(*rows, "row"))));
    for out in &args.out {
        match is_list(out) {
            true => write_leaks(out, &files, &leaks)?,
            false => {
                let (page, json) = (document(first, second, leak_kinds), json(first, second, leak_kinds));
                report::write(&page, &format!("{json:#}"), out)?;
            }
        }
    }
    Ok(if leaks.is_empty() { Outcome::Done } else { Outcome::CheckFailed })
}

/// The names of files in pages and lists: as many of their last folders as tell them apart.
fn names(paths: &[&Path]) -> Vec<String> {
    let full: Vec<PathBuf> =
        paths.iter().map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())).collect();
    let deepest = full.iter().map(|path| path.iter().count()).max().unwrap_or(1);
    for count in 1..=deepest {
        let names: BTreeSet<String> = full.iter().map(|path| last_pieces(path, count)).collect();
        if names.len() == full.len() {
            return full.iter().map(|path| last_pieces(path, count)).collect();
        }
    }
    // The same file twice.
    full.iter().zip(1..).map(|(path, number)| format!("{} ({number})", last_pieces(path, 1))).collect()
}

/// The last pieces of a path, at most `count`.
fn last_pieces(path: &Path, count: usize) -> String {
    let last: Vec<_> = path.iter().rev().filter(|piece| *piece != "/").take(count).collect();
    last.iter().rev().collect::<PathBuf>().display().to_string()
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
