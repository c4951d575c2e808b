//! `cover`: draws a template for the cover of a finished book.

use anyhow::{Context as _, ensure};

use super::export::picture_kind;
use super::options::Global;
use super::paths::{self, Replace};
use super::{Outcome, Usage};
use crate::corpus::{InputPath, OutputPath, write_file};
use crate::publish::book::{Paper, Printer, Trim, Typeface, cover, measure};
use crate::publish::picture::{self, PictureKind};

/// Draw a template for the whole cover of a book: back, spine, front, bleed and the box of the barcode.
///
/// The spine follows from the number of pages and from the paper, so the cover is made last. Put the template under
/// your design in a layer of its own, and remove it before you send the cover. The template says whether the spine
/// takes text.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus cover book.pdf --out cover.pdf --out cover.svg
  sudoku-corpus cover book.pdf --printer kdp-hardcover --paper cream --out cover.pdf
  sudoku-corpus cover --pages 120 --trim 6x9 --out cover.svg")]
pub(super) struct Args {
    /// The PDF file of the inside of the book, whose pages are measured and counted.
    #[arg(value_name = "FILE", required_unless_present = "pages")]
    file: Option<InputPath>,
    /// Number of pages, if there is no file.
    #[arg(long, value_name = "N", conflicts_with = "file", requires = "trim")]
    pages: Option<usize>,
    /// Size of a page, if there is no file.
    #[arg(long, value_name = "SIZE", conflicts_with = "file")]
    trim: Option<Trim>,
    /// The printer: kdp, kdp-hardcover or ingram.
    #[arg(long, default_value = "kdp")]
    printer: Printer,
    /// The paper, white or cream.
    #[arg(long, default_value = "white")]
    paper: Paper,
    /// The template, .pdf or .svg; repeat the option for both.
    #[arg(long, short, value_name = "FILE", required = true)]
    out: Vec<OutputPath>,
    #[command(flatten)]
    replace: Replace,
}

pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let kinds = [PictureKind::Svg, PictureKind::Pdf];
    let kinds: Vec<PictureKind> = args.out.iter().map(|out| picture_kind(out, &kinds)).collect::<Result<_, _>>()?;
    args.out.iter().try_for_each(|out| args.replace.may_write(out))?;
    let (pages, trim) = match (&args.file, args.pages, args.trim) {
        (Some(file), ..) => {
            let name = paths::name(file);
            let data = std::fs::read(&**file).with_context(|| format!("cannot read {name}"))?;
            measure(&name, data).map_err(|error| Usage(error.to_string()))?
        }
        (None, Some(pages), Some(trim)) => (pages, trim),
        _ => return Err(Usage("give a PDF file, or --pages and --trim".into()).into()),
    };
    let rules = args.printer.rules();
    let refused = || Usage(format!("{} does not bind pages of {trim}: {}", rules.title, rules.sizes()));
    ensure!(rules.binds(trim), refused());
    let typeface = Typeface::open()?;
    let made = cover(&typeface, args.printer, trim, pages, args.paper);
    for (out, kind) in args.out.iter().zip(kinds) {
        write_file(out, picture::picture(kind, &typeface, made.drawing.clone(), 72.0)?)?;
    }
    let names: Vec<String> = args.out.iter().map(|out| paths::name(out)).collect();
    global.say(format_args!("{}: {}", names.join(", "), made.measures.join("\n  ")));
    Ok(Outcome::Done)
}
