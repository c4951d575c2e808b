//! `book`: makes the inside of a printed book, or of a series of books, from chosen puzzles.

mod pages;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use self::pages::{Page, Texts};
pub(super) use self::pages::{pictures, with_words};
use super::options::Global;
use super::paths::{self, Replace};
use super::selection::{Calendar, Selection, said, solution_of};
use super::{Outcome, Published, Usage, counted};
use crate::board::{Shape, text};
use crate::catalogue::ranked_name;
use crate::corpus::{Output, OutputPath, Record, csv_cell, seal_file, write_file};
use crate::publish::book::{self, Book, BookError, Entry, Options, Printer, Standard, Typeface, Wording};
use crate::publish::levels::Levels;
use crate::publish::series::{self, Day};
use crate::publish::{Chosen, Quota, Request};
use crate::rate::{Ladder, rate};

/// The set of levels that books use if the user names none.
const NEWSPAPER: &str = "newspaper";

/// Make a puzzle book: a print-ready PDF of the inside, with solutions at the back.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus run data/recipes/book.toml --out stock           what newspapers print; then
  sudoku-corpus book stock --level easy=50,medium=100,hard=50 --title 'Quiet Evenings' --author 'A. Person' --out book.pdf
  sudoku-corpus book stock --count 200 --language de --trim 170x240mm --bleed 3mm --crop-marks --out buch.pdf
  sudoku-corpus book stock --count 100 --level easy --large-print --trim 8.5x11 --out large.pdf
  sudoku-corpus book stock --count 50 --volumes 10 --first-number 201 --out 'volume-%.pdf' --index where.csv
  sudoku-corpus book stock --dates 2027-01-01 --count 365 --per-page 1 --answers behind --out calendar.pdf
  sudoku-corpus book four --count 24 --pictures data/pictures/*.svg --strip --title 'Picture Sudoku' --out kids.pdf
  sudoku-corpus book stock --count 100 --title 'Quiet Evenings' --out play.html
  sudoku-corpus book stock --count 120 --except seen.index --remember seen.index --out volume-2.pdf

Puzzles are ordered by level, and by difficulty within a level. `guide publishing` describes every option: own levels and words, \
fonts, calendars, PDF/X. The margin at the spine depends on the number of pages. A book with more pages than the printer binds \
is refused, and the message gives the limit.

The file is PDF 1.7 with embedded fonts, black ink only, without transparency; --standard makes it PDF/X, or a file for screens. A \
name that ends in .epub gives an EPUB file, one in .html a page to play on. The cover is a file of its own, which `cover` makes. The \
same puzzles and options give the same bytes.")]
pub(super) struct Args {
    #[command(flatten)]
    selection: Selection,
    /// The file: .pdf, .epub (pages for screens) or .html (a page to play on); - for a PDF file on standard output. %
    /// is the number of the volume.
    #[arg(long, short, value_name = "FILE")]
    out: OutputPath,
    #[command(flatten)]
    replace: Replace,
    #[command(flatten)]
    texts: Texts,
    #[command(flatten)]
    page: Page,
    /// Make this number of books, each with the requested puzzles. No puzzle is in two books.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Series")]
    volumes: Option<u32>,
    /// Number of the first volume, printed on the title page. {volume} in titles is replaced by it.
    #[arg(long, value_name = "N", help_heading = "Series")]
    first_number: Option<u32>,
    #[command(flatten, next_help_heading = "Series")]
    calendar: Calendar,
    /// Write a CSV table with the volume and the pages of each puzzle and its solution.
    #[arg(long, value_name = "FILE", help_heading = "Series")]
    index: Option<OutputPath>,
}

/// Chooses the puzzles, makes the books, and publishes the files. All that can be refused is refused before the choice,
/// which takes the time: words, options, names of files; then the boards, before they are drawn.
pub(super) fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    let dated = args.calendar.dates.is_some();
    let typeface = args.texts.typeface()?;
    let levels = args.selection.levels(NEWSPAPER)?;
    let numbers = numbers(&args);
    let volumes = numbers.len();
    let words = args.words(&levels, &typeface)?;
    let levels_by_er = levels.columns().iter().any(|column| column == "se_er_tenths");
    let options = Options { keep_order: dated, levels_by_er, ..args.options()? };
    let (intent, own) = (args.page.intent()?, args.page.own()?);
    if options.standard.is_dated() && options.day.is_none() {
        return Err(book_error(BookError::NoDate(options.standard.title())));
    }
    let request = request(&args, &levels)?;
    let outs = numbers.iter().map(|number| numbered(&args.out, *number, volumes)).collect::<Result<Vec<_>, _>>()?;
    outs.iter().try_for_each(|path| global.paths.claim(&args.out, path))?;
    // What determines the books besides the corpora: an index knows the request by this text and the contents of
    // `inputs`. Whether files may be replaced changes nothing in the books, so it is taken out before.
    let replace = std::mem::take(&mut args.replace);
    let told = format!("{args:?} {levels:?} {words:?}");
    let inputs: Vec<&Path> = args.texts.files().chain(args.page.files()).collect();
    let mut publishing = args.selection.begin(global, &args.out, &told, &inputs)?;
    for path in outs.iter().map(PathBuf::as_path).chain(args.index.as_deref()) {
        publishing.replace(replace).may_write(path)?;
        // Opened now, so that a path that cannot be written fails before the work.
        Output::probe(path)?;
    }
    let choice = args.selection.choose(global, &["book"], &request, &args.out, &mut publishing)?;
    let chosen = choice.chosen.iter().collect::<io::Result<Vec<Chosen>>>()?;
    // `dealt`: the volume of each puzzle, from 0. Each volume gets as many of each quota as the others, or one more.
    let kinds: Vec<usize> = chosen.iter().map(|chosen| chosen.quota).collect();
    let mut dealt = series::deal(&kinds, volumes);
    for volume in 0..volumes {
        let mut boards = BTreeMap::new();
        let of_volume = chosen.iter().zip(&dealt).filter(|(_, of)| **of == volume);
        of_volume.for_each(|(chosen, _)| *boards.entry(chosen.shape().kind()).or_default() += 1);
        book::check(boards, &options).map_err(book_error)?;
    }
    let ladder = Ladder::default();
    let entry = |chosen: &Chosen| entry(chosen.record(), &ladder, &levels, &options);
    let mut entries: Vec<Entry> = chosen.par_iter().map(entry).collect::<anyhow::Result<_>>()?;
    if dated {
        // Volumes of a calendar follow each other in time.
        entries = by_day(entries, &args.calendar, &levels)?;
        let each = entries.len().div_ceil(volumes).max(1);
        dealt = (0..entries.len()).map(|at| at / each).collect();
    }
    let mut books = Vec::new();
    // `before`: how many puzzles are counted before those of a volume. With `--first-puzzle`, the puzzles are numbered
    // through all volumes. Otherwise those of each begin with 1.
    let mut before = args.calendar.first_puzzle.map(|first| first as usize - 1);
    for (at, words) in words.iter().enumerate() {
        let of_volume = entries.iter().zip(&dealt).filter(|(_, volume)| **volume == at);
        let of_volume: Vec<Entry> = of_volume.map(|(entry, _)| entry.clone()).collect();
        let options = Options { before: before.unwrap_or(0), ..options };
        before = before.map(|before| before + of_volume.len());
        books.push(book::make(of_volume, words, &options, &typeface, &intent, &own).map_err(book_error)?);
    }
    // One book gets its name together with the line of the index. Several, and the table, are written after that line.
    let mut sealed = Vec::new();
    if let ([book], [out]) = (&books[..], &outs[..]) {
        sealed.push(seal_file(out, &book.data)?);
    }
    let index = args.index.as_ref().map(|path| anyhow::Ok((path, index(&books, &numbers)?))).transpose()?;
    let classes = publishing.finish([&choice.chosen].into_iter(), sealed, || {
        let volumes =
            books.iter().zip(&outs).filter(|_| books.len() > 1).map(|(book, out)| (out.as_path(), &book.data));
        let mut files = volumes.chain(index.iter().map(|(path, table)| (&***path, table)));
        files.try_for_each(|(path, data)| Ok(write_file(path, data)?))
    })?;
    global.say(format_args!("{} into {}", said(&choice, &request), paths::name(&args.out)));
    for (book, out) in books.iter().zip(&outs) {
        global.say(format_args!("{}: {}", paths::name(out), about(book, &options)));
    }
    if let ([out], true) = (&outs[..], options.printer != Printer::None) {
        let (name, printer, paper) = (paths::name(out), options.printer, options.paper);
        global.say(format_args!(
            "Next:\n  sudoku-corpus preflight {name} --printer {printer} --paper {paper}\n  sudoku-corpus cover {name} --printer \
             {printer} --paper {paper} --out cover.pdf"
        ));
    }
    let files = books.iter().zip(outs).map(|(book, out)| (out, book.places.len() as u64)).collect();
    Ok(Outcome::Published(Published { classes, files }))
}

impl Args {
    /// The options of the book; the name of the file decides what it is.
    fn options(&self) -> anyhow::Result<Options> {
        let options = self.page.options(self.texts.date)?;
        let (out, asked) = (self.out.display(), options.standard);
        let end = self.out.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        let standard = match (end.as_deref(), asked) {
            (Some("epub"), Standard::Plain | Standard::Epub) => Standard::Epub,
            (Some("html"), Standard::Plain | Standard::Play) => Standard::Play,
            (Some("epub" | "html"), _) | (Some("pdf") | None, Standard::Epub | Standard::Play) => {
                return Err(Usage(format!("{out} cannot be a file of --standard {asked}")).into());
            }
            (Some("pdf"), _) => asked,
            // A name without an ending is a PDF file, unless it would replace a file.
            (None, _) if !Output::replaces(&self.out) => asked,
            _ => return Err(Usage(format!("{out}: end the name of a book in .pdf, .epub or .html")).into()),
        };
        Ok(Options { standard, ..options })
    }

    /// The puzzles that it asks for. `levels` are those of the corpus, if it has any.
    ///
    /// # Errors
    /// Words that the typeface does not have, or files and options of the command that cannot be used.
    pub(super) fn request_of(&self, levels: Option<Levels>) -> anyhow::Result<Request> {
        let levels = self.selection.levels_with(NEWSPAPER, levels)?;
        self.words(&levels, &self.texts.typeface()?)?;
        self.page.own()?;
        self.page.intent()?;
        request(self, &levels)
    }

    /// The names of the files that it writes.
    pub(super) fn names(&self) -> Result<Vec<String>, Usage> {
        let numbers = numbers(self);
        let books = numbers.iter().map(|number| numbered(&self.out, *number, numbers.len()));
        let files = books.chain(self.index.iter().map(|index| Ok(index.to_path_buf())));
        files.map(|file| Ok(file?.to_string_lossy().into_owned())).collect()
    }

    /// The words of each volume, all of which the typeface has.
    fn words(&self, levels: &Levels, typeface: &Typeface) -> anyhow::Result<Vec<Wording>> {
        let numbers = numbers(self);
        let first_days = self.first_days(levels, numbers.len())?;
        let of_volume = |(number, first_day): (Option<u32>, Option<Day>)| {
            let words = self.texts.words(levels, number, first_day)?;
            words.check(typeface).map_err(book_error)?;
            Ok(words)
        };
        numbers.into_iter().zip(first_days).map(of_volume).collect()
    }

    /// The first day of each volume of a calendar.
    fn first_days(&self, levels: &Levels, volumes: usize) -> anyhow::Result<Vec<Option<Day>>> {
        if self.calendar.dates.is_none() || volumes == 1 {
            return Ok(vec![self.calendar.dates; volumes]);
        }
        let each = self.selection.request(levels)?.wanted();
        let how = "a calendar in volumes needs the number of days of each: --count N";
        let each = each.and_then(|each| usize::try_from(each).ok()).ok_or_else(|| Usage(how.into()))?;
        let days = self.calendar.days(each.saturating_mul(volumes))?;
        Ok(days.chunks(each.max(1)).map(|days| days.first().copied()).collect())
    }
}

/// The numbers of the volumes; a single None for a book that is no volume.
fn numbers(args: &Args) -> Vec<Option<u32>> {
    if (args.volumes, args.first_number) == (None, None) {
        return vec![None];
    }
    let first = args.first_number.unwrap_or(1);
    (0..args.volumes.unwrap_or(1)).map(|at| Some(first.saturating_add(at))).collect()
}

/// The name of a volume's file: % is replaced by the number.
///
/// # Errors
/// Several volumes, and no % in the name.
fn numbered(out: &Path, number: Option<u32>, volumes: usize) -> Result<PathBuf, Usage> {
    let name = out.to_string_lossy();
    let how = "write % for the number of the volume in the name, as in volume-%.pdf";
    match number {
        Some(number) if name.contains('%') => Ok(PathBuf::from(name.replacen('%', &number.to_string(), 1))),
        _ if volumes > 1 => Err(Usage(format!("{name}: {how}"))),
        _ => Ok(out.to_owned()),
    }
}

/// Which puzzles: those of the options for every volume, by default without those that take uniqueness techniques. An
/// error if no book has room for this number.
fn request(args: &Args, levels: &Levels) -> anyhow::Result<Request> {
    let mut request = args.selection.request(levels)?;
    let count = usize::try_from(request.wanted().unwrap_or(0)).unwrap_or(usize::MAX);
    // The smallest board takes the least room.
    let shape = request.shape.map_or_else(|| Shape::of_order(4), Ok)?;
    book::check([(shape, count)], &args.options()?).map_err(book_error)?;
    let volumes = u64::from(args.volumes.unwrap_or(1));
    request.count = request.count.map(|count| count.saturating_mul(volumes));
    for Quota { count, .. } in &mut request.quotas {
        *count = count.saturating_mul(volumes);
    }
    args.calendar.add_quotas(levels, &mut request)?;
    request.no_uniqueness = !args.page.uniqueness;
    request.levels = Some(levels.clone());
    Ok(request)
}

/// A puzzle for each day, in the order of the days, from the easiest on Mondays to the hardest on Saturdays. Those of
/// Sundays are between those of Wednesdays and Thursdays.
fn by_day(mut entries: Vec<Entry>, calendar: &Calendar, levels: &Levels) -> anyhow::Result<Vec<Entry>> {
    book::order(&mut entries);
    let days = calendar.days(entries.len())?;
    let of: Vec<Option<usize>> = entries.iter().map(|entry| entry.level).collect();
    let places = calendar.places(&days, levels, &of)?;
    let dated = days.into_iter().zip(places).map(|(day, place)| {
        let mut entry = entries[place].clone();
        entry.day = Some(day);
        entry
    });
    Ok(dated.collect())
}

/// What a book is like, in a line or two.
fn about(book: &Book, options: &Options) -> String {
    if options.standard == Standard::Play {
        return counted(book.places.len() as u64, "puzzle") + " to play";
    }
    let Book { pages, per_page, solutions_per_page, notes, .. } = book;
    let trim = options.trim;
    let (puzzles, solutions) = (counted(*per_page as u64, "puzzle"), counted(*solutions_per_page as u64, "solution"));
    let (inside, spine, paper) = (trim.length(book.inside), trim.length(book.spine), options.paper.name());
    let on_page = format!("{pages} pages of {trim}, {puzzles} and {solutions} on a page");
    if options.standard.is_screen() {
        return book.warnings.iter().fold(on_page, |text, warning| text + "\nwarning: " + warning);
    }
    let mut text = format!(
        "{on_page}, {inside} at the spine; the spine is {spine} thick on \
         {paper} paper, without the cover"
    );
    if *notes > 1 {
        let least = options.printer.rules().least_pages;
        text += &format!("\n{notes} pages are for notes: printers bind {least} pages at least");
    }
    book.warnings.iter().for_each(|warning| text += &format!("\nwarning: {warning}"));
    text
}

/// The table that says where each puzzle stands.
fn index(books: &[Book], numbers: &[Option<u32>]) -> anyhow::Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(["volume", "number", "puzzle", "level", "page", "solution_page", "date"])?;
    for (book, volume) in books.iter().zip(numbers) {
        for place in &book.places {
            let volume = volume.map_or(String::new(), |volume| volume.to_string());
            let (number, puzzle) = (place.number.to_string(), text::line(place.puzzle.grid()));
            let day = place.day.map_or(String::new(), |day| day.to_string());
            let level = csv_cell(&place.level).into_owned();
            table.write_record([&volume, &number, &puzzle, &level, &place.page, &place.solution, &day])?;
        }
    }
    Ok(table.into_inner()?)
}

/// A chosen row as the book wants it. Captions name the level, so a puzzle without one is rated.
fn entry(mut record: Record, ladder: &Ladder, levels: &Levels, options: &Options) -> anyhow::Result<Entry> {
    let solution = solution_of(&record)?;
    let puzzle = record.puzzle.clone().with_context(|| format!("row {} has no puzzle", record.index))?;
    if record.level.is_none() || (options.technique && record.hardest.is_none()) {
        let rating = rate(&puzzle, ladder);
        record.level = record.level.or(Some(rating.level));
        record.score = record.score.or(Some(rating.score));
        record.hardest = record.hardest.or(rating.hardest);
        record.finished = Some(rating.finished);
        record.counts = record.counts.or_else(|| Some(Box::new(rating.counts)));
    }
    let mut entry = Entry::new(puzzle, solution, levels.of(&record));
    // ER first, where it is known; HoDoKu's score settles ties.
    entry.effort = record.se_er_tenths.unwrap_or(0) * 1_000_000 + record.score.unwrap_or(0).min(999_999);
    entry.technique = record.hardest;
    if options.names {
        // Boards of other shapes have no names.
        entry.name = record.name.or_else(|| Some(ranked_name(&entry.puzzle, &entry.solution).ok()?.1));
    }
    entry.hint = if options.hints { book::hint_cell(&entry.puzzle, ladder) } else { None };
    Ok(entry)
}

/// Errors that another option or word would mend are wrong usage.
fn book_error(error: BookError) -> anyhow::Error {
    match error {
        BookError::Solution { .. } | BookError::Font(..) | BookError::Empty => error.into(),
        _ => Usage(error.to_string()).into(),
    }
}
