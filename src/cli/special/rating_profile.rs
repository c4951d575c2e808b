//! `bench --rating`: profiles the raters on puzzles of a file.

use std::io::{self, Write as _};
use std::path::Path;

use serde::Serialize;

use crate::board::Puzzle;
use crate::cli::{Outcome, counted};
use crate::corpus::Input;
use crate::explainer;
use crate::ladder::{Ladder, profile};
use crate::profile::Profile;
use crate::whip;

/// One part of one rater: searches, those that found something, and the share of the time of the rater.
#[derive(Debug, Serialize)]
struct Row {
    rater: &'static str,
    part: &'static str,
    calls: u64,
    hits: u64,
    nanoseconds_a_call: f64,
    share: f64,
}

/// The largest number of assumptions for W and B of one puzzle. It is smaller than for the rows of a corpus, so that no
/// single puzzle dominates.
pub(in crate::cli) const WHIP_BUDGET: u64 = 10_000_000;

/// The number of puzzles that are profiled.
const PUZZLES: usize = 1_000;

/// Profiles the raters on the first puzzles of a file.
pub(in crate::cli) fn run(file: &Path, ladder: &Ladder, json: bool) -> anyhow::Result<Outcome> {
    let records = Input::open(file, None)?.filter_map(|record| record.ok()?.puzzle);
    let puzzles: Vec<Puzzle> = records.take(PUZZLES).collect();
    anyhow::ensure!(!puzzles.is_empty(), "{}: the file has no puzzle", file.display());
    let mut out = io::stdout().lock();
    for (rater, parts) in raters(&puzzles, ladder) {
        let text = if json { lines(rater, &parts)? } else { table(rater, &parts, puzzles.len()) };
        out.write_all(text.as_bytes())?;
    }
    Ok(Outcome::Done)
}

/// The three raters, each with its profile.
fn raters<'p>(puzzles: &'p [Puzzle], ladder: &'p Ladder) -> impl Iterator<Item = (&'static str, Profile)> + 'p {
    type Rater<'p> = Box<dyn Fn(&Puzzle, &mut Profile) + 'p>;
    let raters: [(&str, Rater<'p>); 3] = [
        ("ladder", Box::new(|puzzle, parts| _ = profile(puzzle, ladder, parts))),
        ("se", Box::new(|puzzle, parts| _ = explainer::profile(puzzle, parts))),
        ("whips", Box::new(|puzzle, parts| _ = whip::profile(puzzle, WHIP_BUDGET, parts))),
    ];
    raters.into_iter().map(|(name, rater)| {
        let mut parts = Profile::default();
        puzzles.iter().for_each(|puzzle| rater(puzzle, &mut parts));
        (name, parts)
    })
}

/// One row for each part of a rater; [`lines`] writes them as JSON, [`table`] for people.
fn rows(rater: &'static str, profile: &Profile) -> impl Iterator<Item = Row> {
    let total = profile.nanoseconds().max(1) as f64;
    profile.parts().into_iter().map(move |part| Row {
        rater,
        part: part.name,
        calls: part.calls,
        hits: part.hits,
        nanoseconds_a_call: part.nanoseconds as f64 / part.calls as f64,
        share: part.nanoseconds as f64 / total,
    })
}

fn lines(rater: &'static str, profile: &Profile) -> serde_json::Result<String> {
    rows(rater, profile).map(|row| Ok(serde_json::to_string(&row)? + "\n")).collect()
}

fn table(rater: &'static str, profile: &Profile, puzzles: usize) -> String {
    let milliseconds = profile.nanoseconds() as f64 / 1e6;
    let each = 1e3 * milliseconds / puzzles as f64;
    let puzzles = counted(puzzles, "puzzle");
    let mut text = format!("{rater}: {puzzles}, {milliseconds:.0} ms, {each:.1} microseconds a puzzle\n");
    let head = ["calls", "hits", "ns a call", "share"];
    text += &format!("  {:<32}{:>11}{:>11}{:>13}{:>9}\n", "part", head[0], head[1], head[2], head[3]);
    for row in rows(rater, profile) {
        let Row { part, calls, hits, nanoseconds_a_call, share, .. } = row;
        let percent = 100.0 * share;
        text += &format!("  {part:<32}{calls:>11}{hits:>11}{nanoseconds_a_call:>13.0}{percent:>7.1} %\n");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text::parse_line;

    #[test]
    fn the_shares_of_the_parts_of_a_rater_add_up_to_one() {
        let line = "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..";
        let puzzles = [Puzzle::try_from(parse_line(line, None).unwrap()).unwrap()];
        let ladder = Ladder::default();
        for (name, parts) in raters(&puzzles, &ladder) {
            let rows: Vec<Row> = rows(name, &parts).collect();
            assert!((rows.iter().map(|row| row.share).sum::<f64>() - 1.0).abs() < 1e-9, "{name}");
            assert!(rows.iter().any(|row| row.hits > 0 && row.hits <= row.calls), "{name}");
            assert_eq!(table(name, &parts, 1).lines().count(), rows.len() + 3);
            assert_eq!(lines(name, &parts).unwrap().lines().count(), rows.len());
        }
    }
}
