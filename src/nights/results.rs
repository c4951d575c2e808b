//! Defines what a run says of its outputs and of its end: `run --json` prints it, and a night reads it. An output of a
//! recipe says it to its run in the same way.

use serde::{Deserialize, Serialize};

use super::register::{Files, Status};

/// A finished output of a recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OutputResult {
    /// Its command line.
    pub output: String,
    /// `ok`, `check-failed` or `stopped`.
    pub status: Status,
    /// Its files, relative to the folder of outputs.
    pub files: Files,
}

/// A line of a run, except the lines of parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum RunLine {
    Output(OutputResult),
    /// The run failed, or the output.
    Failed {
        /// Why.
        error: String,
    },
    /// What an output says to its run when it is done.
    Made {
        /// Its files.
        files: Files,
    },
}

impl RunLine {
    /// The line that a run or an output printed. None for everything else, which is for people.
    pub(crate) fn of(line: &str) -> Option<RunLine> {
        serde_json::from_str(line).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_run_are_read_back_among_others() {
        let files = vec![("a.csv".to_owned(), 9)];
        let output = "export .. --all --out a.csv".to_owned();
        let made = RunLine::Made { files: files.clone() };
        let output = RunLine::Output(OutputResult { output, status: Status::Ok, files });
        let failed = RunLine::Failed { error: "no space".to_owned() };
        let lines = [&output, &failed, &made].map(|line| serde_json::to_string(line).unwrap());
        let part = "{\"file\":\"part-000000.parquet\",\"part\":0,\"rows\":10}";
        let text =
            format!("error: 5 puzzles into x.csv\n{part}\n{}\nputs {{}}\n{}\n{}\n", lines[0], lines[1], lines[2]);
        assert_eq!(text.lines().filter_map(RunLine::of).collect::<Vec<_>>(), [output, failed, made]);
    }
}
