//! `check --library`: replays the cases of a library of techniques.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write};
use std::path::Path;

use anyhow::Context as _;

use super::options::Global;
use super::{Outcome, say};
use crate::rate::Technique;
use crate::rate::library::techniques_of;
use crate::rate::scorecard::{OutcomeCounts, Scorecard};

/// Replays the cases of a file (`-` is standard input). Prints counts for each code to stdout and failures to stderr.
pub(super) fn check(global: &Global, path: &Path) -> anyhow::Result<Outcome> {
    let name = || path.display().to_string();
    let card = match path == Path::new("-") {
        true => replay(io::stdin().lock()),
        false => File::open(path).and_then(|file| replay(BufReader::new(file))),
    };
    let card = card.with_context(name)?;
    if !global.quiet {
        let mut out = csv::Writer::from_writer(BufWriter::new(io::stdout().lock()));
        out.write_record(["code", "technique", "passed", "failed", "skipped"])?;
        for (code, tally) in &card.codes {
            let technique = techniques_of(code).next().map_or("", Technique::name);
            write(&mut out, code, technique, *tally)?;
        }
        write(&mut out, "all", "", card.total())?;
        out.flush()?;
    }
    for (number, error) in &card.unreadable {
        say(format_args!("{}:{number}: {error}", path.display()));
    }
    for (number, line) in &card.failures {
        say(format_args!("{}:{number}: failed: {line}", path.display()));
    }
    let OutcomeCounts { passed, failed, skipped } = card.total();
    let unreadable = card.unreadable.len();
    if !global.quiet {
        say(format_args!("{passed} passed, {failed} failed, {skipped} skipped, {unreadable} unreadable"));
    }
    Ok(if failed == 0 && unreadable == 0 && passed > 0 { Outcome::Done } else { Outcome::CheckFailed })
}

/// The longest line of a library. The rest of a longer line is skipped.
const LONGEST: u64 = 1 << 16;

fn replay(mut lines: impl BufRead) -> io::Result<Scorecard> {
    let mut card = Scorecard::default();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if lines.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        match line.last() {
            Some(b'\n') => {
                line.pop();
            }
            _ => {
                lines.skip_until(b'\n')?;
            }
        }
        // The comments of the published library are not UTF-8.
        card.run(number, &String::from_utf8_lossy(&line));
    }
    Ok(card)
}

fn write<W: Write>(out: &mut csv::Writer<W>, code: &str, technique: &str, tally: OutcomeCounts) -> csv::Result<()> {
    let [passed, failed, skipped] = [tally.passed, tally.failed, tally.skipped].map(|count| count.to_string());
    out.write_record([code, technique, &passed, &failed, &skipped])
}
