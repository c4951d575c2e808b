//! `guide`: prints pages of the guide as Markdown.

use std::io::{self, Write as _};

use clap::builder::PossibleValuesParser;

use super::Outcome;
use super::options::Global;
use crate::guide::{TOPICS, topic};

/// Print a page of the guide, or the list of pages.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  sudoku-corpus guide\n  sudoku-corpus guide terms | less")]
pub(super) struct Args {
    /// The page to print.
    #[arg(value_parser = PossibleValuesParser::new(TOPICS.iter().map(|page| page.name)))]
    topic: Option<String>,
}

/// Prints a page, or the list of pages.
pub(super) fn run(_: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    match args.topic.as_deref().and_then(topic) {
        Some(page) => out.write_all(page.text.as_bytes())?,
        None => TOPICS.iter().try_for_each(|page| writeln!(out, "{:<14}{}", page.name, page.summary))?,
    }
    Ok(Outcome::Done)
}
