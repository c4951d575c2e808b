//! `completions` and `man`: shell completions and manual pages, generated from the command line itself.

use std::io::{self, Write as _};

use anyhow::Context as _;
use clap_complete::Shell;

use crate::cli::Outcome;
use crate::cli::line::options::Global;
use crate::corpus::{OutputFolder, TempFolder, create_folder, files_in, write_file};

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus completions zsh > _sudoku-corpus
  sudoku-corpus completions bash > sudoku-corpus.bash
      for ~/.local/share/bash-completion/completions/sudoku-corpus")]
pub(in crate::cli) struct Completions {
    /// The shell to complete for.
    shell: Shell,
}

/// Write the manual pages, one for each command.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus man --out man
      for ~/.local/share/man/man1")]
pub(in crate::cli) struct Man {
    /// The output: the folder of the pages. It is created if it does not exist.
    #[arg(long, short, value_name = "FOLDER", default_value = "man")]
    out: OutputFolder,
}

pub(in crate::cli) fn completions(_: &Global, args: Completions) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::cli::command(), "sudoku-corpus", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Outcome::Done)
}

/// Writes `sudoku-corpus.1` and one page for each command.
pub(in crate::cli) fn man(global: &Global, Man { out }: Man) -> anyhow::Result<Outcome> {
    create_folder(&out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    // Make the pages in a temporary folder, so that no half-written page becomes visible.
    let made = TempFolder::new().context("cannot make a temporary folder")?;
    clap_mangen::generate_to(crate::cli::command(), made.path()).context("cannot write the pages")?;
    for page in files_in(made.path())?.into_iter().filter(|page| page.extension().is_some_and(|end| end == "1")) {
        let file = out.join(page.file_name().unwrap_or_default());
        global.paths.claim(&out, &file)?;
        write_file(&file, std::fs::read(&page)?)?;
    }
    Ok(Outcome::Done)
}
