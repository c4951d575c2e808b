//! `gallery`: a page of boards to browse a stock.

use std::io::Write as _;
use std::path::PathBuf;

use super::options::Global;
use super::replace::{self, Replace};
use super::selection::{HODOKU, Selection, said};
use super::{Outcome, cannot_write};
use crate::corpus::Output;
use crate::publish::Request;
use crate::publish::levels;
use crate::publish::picture::gallery;
use crate::publish::words::Language;
use anyhow::Context as _;

/// Make a page of boards to browse a stock by level, symmetry and technique.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus gallery corpus --count 500 --out stock.html
  sudoku-corpus gallery corpus --count 200 --where 'n_x_wing > 0' --levels newspaper --out x-wings.html

The page is one HTML file. It works offline, and on paper it has three boards in a row.")]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// The HTML file; - for standard output.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    replace: Replace,
    /// Title of the page.
    #[arg(long, value_name = "TEXT", default_value = "Gallery")]
    title: String,
    /// Language of level names.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = |text: &str| Language::named(text))]
    language: Language,
}

pub fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    let levels = args.selection.levels(HODOKU)?;
    let request = args.selection.request(&levels)?;
    let request = Request { all_columns: true, levels: Some(levels.clone()), rate: true, ..request };
    // Whether files may be replaced changes nothing in the page.
    let replace = std::mem::take(&mut args.replace);
    let options = format!("{args:?} {levels:?}");
    let mut publishing = args.selection.begin(global, &args.out, &options, &[])?;
    publishing.replace(replace).may_write(&args.out)?;
    let mut out = Output::create(&args.out)?;
    let choice = args.selection.choose(global, &["gallery"], &request, &args.out, &mut publishing)?;
    let page = gallery::html(&args.title, &choice.chosen, &levels, &levels::texts(&levels, &args.language))?;
    out.write_all(page.as_bytes()).with_context(|| cannot_write(&args.out))?;
    let outcome = publishing.finish(choice.chosen.iter(), vec![out.seal()?], || Ok(()))?;
    global.say(format_args!("{} into {}", said(&choice, &request), replace::name(&args.out)));
    Ok(outcome)
}
