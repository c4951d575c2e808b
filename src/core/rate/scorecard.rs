//! How many cases of a technique library pass, by code.
//!
//! Lines that do not begin with a colon are comments. A line that cannot be read is reported with its number.

use std::collections::BTreeMap;

use super::library::{Case, Outcome};
use crate::board::Reason;

/// How often each outcome occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// Found as expected.
    pub passed: u64,
    /// Not found, or found although nothing must be found.
    pub failed: u64,
    /// No technique has the code.
    pub skipped: u64,
}

/// What became of the cases of a library.
#[derive(Clone, Debug, Default)]
pub struct Scorecard {
    /// By code, without the variant.
    pub codes: BTreeMap<String, OutcomeCounts>,
    /// Line number from 1, and the text, of each failed case.
    pub failures: Vec<(u64, String)>,
    /// Line number from 1, and the problem, of each line that cannot be read.
    pub unreadable: Vec<(u64, Reason)>,
}

impl Scorecard {
    /// Runs the case on a line, if there is one. Line numbers start at 1.
    pub fn run(&mut self, number: u64, line: &str) {
        if !line.trim_start().starts_with(':') {
            return;
        }
        let case = match Case::parse(line) {
            Ok(case) => case,
            Err(error) => return self.unreadable.push((number, error)),
        };
        let tally = self.codes.entry(case.code.clone()).or_default();
        match case.run() {
            Outcome::Passed => tally.passed += 1,
            Outcome::Skipped => tally.skipped += 1,
            Outcome::Failed => {
                tally.failed += 1;
                self.failures.push((number, line.trim().to_owned()));
            }
        }
    }

    /// Runs the cases of a text.
    pub fn of(text: &str) -> Scorecard {
        let mut card = Scorecard::default();
        (1..).zip(text.lines()).for_each(|(number, line)| card.run(number, line));
        card
    }

    /// All codes together.
    pub fn total(&self) -> OutcomeCounts {
        self.codes.values().fold(OutcomeCounts::default(), |sum, tally| OutcomeCounts {
            passed: sum.passed + tally.passed,
            failed: sum.failed + tally.failed,
            skipped: sum.skipped + tally.skipped,
        })
    }
}
