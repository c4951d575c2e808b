//! Defines what a run says of its outputs and of its end: `run --json` prints it, and a night reads it.

use serde::{Deserialize, Serialize};

use super::register::Status;

/// A finished output of a recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OutputResult {
    /// Its command line.
    pub output: String,
    /// `ok`, `check-failed` or `stopped`.
    pub status: Status,
    /// Its files with puzzles, and the number of puzzles in each.
    pub files: Vec<(String, u64)>,
    /// Whether it has all, some or none of its puzzles in common with each output before it.
    pub common: Vec<String>,
}

/// A line of a run, except the lines of parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum RunLine {
    Output(OutputResult),
    /// The run failed.
    Failed {
        /// Why.
        error: String,
    },
}

impl RunLine {
    /// The lines in what a run printed. Everything else is for people.
    pub(super) fn all(text: &str) -> Vec<RunLine> {
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_run_are_read_back_among_others() {
        let output = RunLine::Output(OutputResult {
            output: "export . --all --out a.csv".to_owned(),
            status: Status::Ok,
            files: vec![("a.csv".to_owned(), 9)],
            common: vec!["a.csv has the same 9 puzzles as b.csv".to_owned()],
        });
        let failed = RunLine::Failed { error: "no space".to_owned() };
        let lines: Vec<String> = [&output, &failed].map(|line| serde_json::to_string(line).unwrap()).into();
        let part = "{\"file\":\"part-000000.parquet\",\"part\":0,\"rows\":10}";
        let text = format!("error: 5 puzzles into x.csv\n{part}\n{}\nputs {{}}\n{}\n", lines[0], lines[1]);
        assert_eq!(RunLine::all(&text), [output, failed]);
    }
}
