//! `guide`: prints pages of the guide for the terminal.

use std::io::{self, IsTerminal as _, Write as _};

use clap::builder::PossibleValuesParser;

use crate::cli::Outcome;
use crate::cli::line::options::Global;
use crate::cli::line::page;
use crate::guide::{TOPICS, topic};

/// Print a page of the guide, or the list of pages.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  sudoku-corpus guide\n  sudoku-corpus guide tasks\n  sudoku-corpus guide terms | head -20"
)]
pub(in crate::cli) struct Args {
    /// The page to print.
    #[arg(value_parser = PossibleValuesParser::new(TOPICS.iter().map(|page| page.name)))]
    topic: Option<String>,
}

/// The widest lines: longer ones are hard to read.
const WIDEST: usize = 100;

fn width() -> usize {
    let columns = terminal_size::terminal_size().map_or(WIDEST, |(width, _)| usize::from(width.0));
    if io::stdout().is_terminal() { columns.clamp(40, WIDEST) } else { WIDEST }
}

/// Prints a page, or the list of pages. A door says for whom some pages are, such as "Begin".
pub(in crate::cli) fn run(_: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    if let Some(page) = args.topic.as_deref().and_then(topic) {
        out.write_all(page::set(page.text, width()).as_bytes())?;
        return Ok(Outcome::Done);
    }
    let mut door = "";
    for page in TOPICS {
        if page.door != door {
            let line = if door.is_empty() { "" } else { "\n" };
            writeln!(out, "{line}{}:", page.door)?;
            door = page.door;
        }
        writeln!(out, "  {:<12} {}", page.name, page.summary)?;
    }
    Ok(Outcome::Done)
}
