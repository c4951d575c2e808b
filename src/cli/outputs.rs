//! What a recipe wants made of the finished corpus: its `[[output]]` entries are command lines.
//!
//! ```text
//!   [[output]]                      sudoku-corpus book . --out night.pdf --per-page 4
//!   command = "book"          ->    in the folder of the corpus
//!   out = "night.pdf"
//!   per_page = 4
//! ```
//!
//! The keys of an entry are the long options of its command, read by the same parser: what a command can do, a recipe
//! can ask for, and a wrong key is refused before any row is made. Paths are seen from the folder of the corpus.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Parser as _;

use super::{Cli, Outcome, Usage, dispatch};
use crate::corpus::OutputDraft;

/// The commands that a recipe may ask for: those that read one corpus and write files about it.
const COMMANDS: [&str; 5] = ["verify", "export", "book", "report", "resample"];

/// Commands that choose puzzles: they pass over those that were published before, and remember theirs.
const CHOOSING: [&str; 2] = ["export", "book"];

/// What a run adds to the outputs of its recipe.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// Say nothing but errors.
    pub quiet: bool,
    /// Files of puzzles that must not be published again.
    pub except: Vec<PathBuf>,
    /// The index that keeps what is published.
    pub remember: Option<PathBuf>,
}

/// The outputs of a recipe, understood.
pub struct Outputs(Vec<(String, Cli)>);

impl Outputs {
    /// Parses all outputs, so that a wrong one is found before the work.
    ///
    /// # Errors
    /// Which output is wrong, and what clap says about it.
    pub fn parse(drafts: &[OutputDraft], extra: &Extra) -> anyhow::Result<Outputs> {
        let parsed = drafts.iter().enumerate().map(|(at, draft)| {
            let wrong = |reason: String| Usage(format!("[[output]] {}: {reason}", at + 1));
            let words = words(draft, extra).map_err(wrong)?;
            let cli = Cli::try_parse_from(&words).map_err(|error| wrong(plain(&error)))?;
            Ok((words[1..].join(" "), cli))
        });
        Ok(Outputs(parsed.collect::<anyhow::Result<_>>()?))
    }

    /// Their command lines, in order.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(words, _)| words.as_str())
    }

    /// Makes them one after the other in the folder of a corpus. The first that fails its check is the outcome.
    ///
    /// # Errors
    /// What the commands say.
    pub fn make(self, folder: &Path, quiet: bool) -> anyhow::Result<Outcome> {
        if self.0.is_empty() {
            return Ok(Outcome::Done);
        }
        env::set_current_dir(folder).with_context(|| format!("cannot enter {}", folder.display()))?;
        for (words, cli) in self.0 {
            if !quiet {
                eprintln!("output: {words}");
            }
            match dispatch(cli).with_context(|| format!("output '{words}'"))? {
                Outcome::Done => {}
                other => return Ok(other),
            }
        }
        Ok(Outcome::Done)
    }
}

/// The command line of an output.
fn words(draft: &OutputDraft, extra: &Extra) -> Result<Vec<String>, String> {
    let command = draft.command.as_str();
    if !COMMANDS.contains(&command) {
        let known = COMMANDS.join(", ");
        return Err(match command {
            "" => format!("command is missing; one of {known}"),
            other => format!("command is '{other}'; an output can be {known}"),
        });
    }
    let mut words = vec!["sudoku-corpus".to_owned(), command.to_owned(), ".".to_owned()];
    words.extend(draft.options.iter().cloned());
    if CHOOSING.contains(&command) {
        words.extend(extra.except.iter().flat_map(|file| ["--except".to_owned(), file.display().to_string()]));
        words.extend(extra.remember.iter().flat_map(|index| ["--remember".to_owned(), index.display().to_string()]));
    }
    words.extend(extra.quiet.then(|| "--quiet".to_owned()));
    Ok(words)
}

/// The first paragraph of what clap says, on one line.
fn plain(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.trim_start_matches("error: ");
    let first = text.split("\n\nUsage").next().unwrap_or(text);
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A path that means the same from every folder.
///
/// # Errors
/// What the system says about the current folder.
pub fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("{}: no such path", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Draft;

    fn parse(text: &str) -> Result<Outputs, String> {
        let draft = Draft::parse(text).map_err(|error| error.to_string())?;
        Outputs::parse(&draft.outputs, &Extra::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn outputs_are_command_lines_in_the_folder_of_the_corpus() {
        let text = "[[output]]\ncommand = \"verify\"\nsample = 10\n[[output]]\ncommand = \"report\"\nout = \"r.html\"";
        let outputs = parse(text).unwrap();
        assert_eq!(outputs.lines().collect::<Vec<_>>(), ["verify . --sample 10", "report . --out r.html"]);
    }

    #[test]
    fn books_and_exports_remember_what_they_publish() {
        let extra = Extra { remember: Some("own".into()), except: vec!["a".into(), "b".into()], quiet: false };
        let line = |command: &str| {
            let draft = OutputDraft { command: command.to_owned(), options: Vec::new() };
            words(&draft, &extra).unwrap()[1..].join(" ")
        };
        assert_eq!(line("book"), "book . --except a --except b --remember own");
        assert_eq!(line("export"), "export . --except a --except b --remember own");
        assert_eq!(line("report"), "report .");
    }

    #[test]
    fn wrong_outputs_are_refused_with_their_number() {
        for (text, message) in [
            ("[[output]]\nout = \"x\"", "[[output]] 1: command is missing"),
            (
                "[[output]]\ncommand = \"rm\"",
                "[[output]] 1: command is 'rm'; an output can be verify, export, book, report",
            ),
            (
                "[[output]]\ncommand = \"verify\"\n[[output]]\ncommand = \"verify\"\nsampel = 3",
                "[[output]] 2: unexpected argument '--sampel'",
            ),
            ("[[output]]\ncommand = \"verify\"\nsample = \"many\"", "[[output]] 1: invalid value 'many'"),
        ] {
            let error = parse(text).err().unwrap_or_default();
            assert!(error.starts_with(message), "{text}: {error}");
        }
        assert!(parse("[[output]]\ncommand = { a = 1 }").is_err());
        assert!(parse("[[output]]\ncommand = \"verify\"\nsample = { a = 1 }").is_err());
    }
}
