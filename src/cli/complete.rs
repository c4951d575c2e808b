//! `completions` and `man`: shell completions and manual pages, generated from the command line itself.

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use clap_complete::Shell;

use super::Outcome;

/// Print the completions of a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus completions bash > ~/.local/share/bash-completion/completions/sudoku-corpus
  sudoku-corpus completions zsh > _sudoku-corpus")]
pub struct Completions {
    /// The shell to complete for.
    shell: Shell,
}

/// Write the manual pages, one for each command.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus man --out ~/.local/share/man/man1")]
pub struct Man {
    /// The folder for the pages; it is made if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "man")]
    out: PathBuf,
}

impl Completions {
    /// Prints the script to stdout.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::command(), "sudoku-corpus", &mut script);
        io::stdout().write_all(&script)?;
        Ok(Outcome::Done)
    }
}

impl Man {
    /// Writes `sudoku-corpus.1` and one page a command.
    pub fn run(self) -> anyhow::Result<Outcome> {
        let out = &self.out;
        std::fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
        clap_mangen::generate_to(super::command(), out)
            .with_context(|| format!("cannot write pages into {}", out.display()))?;
        Ok(Outcome::Done)
    }
}
