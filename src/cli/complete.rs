//! `completions` and `man`: shell completions and manual pages, generated from the command line itself.

use std::io::{self, Write as _};

use anyhow::Context as _;
use clap_complete::Shell;

use super::Outcome;
use super::options::Global;
use crate::corpus::{OutputFolder, TempFolder, create_folder, files_in, write_file};

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus completions bash > ~/.local/share/bash-completion/completions/sudoku-corpus
  sudoku-corpus completions zsh > _sudoku-corpus")]
pub(super) struct Completions {
    /// The shell to complete for.
    shell: Shell,
}

/// Write the manual pages, one for each command.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus man --out ~/.local/share/man/man1")]
pub(super) struct Man {
    /// The folder for the pages. It is created if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "man")]
    out: OutputFolder,
}

/// Prints the script to stdout.
pub(super) fn completions(_: &Global, args: Completions) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "sudoku-corpus", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Outcome::Done)
}

/// Writes `sudoku-corpus.1` and one page for each command.
pub(super) fn man(_: &Global, Man { out }: Man) -> anyhow::Result<Outcome> {
    create_folder(&out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    // Make the pages in a temporary folder, so that no half-written page becomes visible.
    let made = TempFolder::new().context("cannot make a temporary folder")?;
    clap_mangen::generate_to(super::command(), made.path()).context("cannot write the pages")?;
    for page in files_in(made.path())?.into_iter().filter(|page| page.extension().is_some_and(|end| end == "1")) {
        write_file(&out.join(page.file_name().unwrap_or_default()), std::fs::read(&page)?)?;
    }
    Ok(Outcome::Done)
}
