//! `book`: makes the inside of a printed book, or of a series of books, from chosen puzzles.
//!
//! `run` has the order of the work. Below it stand its steps, and then the checks of the options.

mod pages;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use self::pages::{Page, Texts};
pub(in crate::cli) use self::pages::{picture_kind, pictures, with_words};
use crate::board::text;
use crate::catalogue::ranked_name;
use crate::cli::line::options::Global;
use crate::cli::line::paths;
use crate::cli::line::refused::effects::{ending, standard_of};
use crate::cli::publish::selection::{Calendar, Selection, check_shade, said, solution_of};
use crate::cli::{Outcome, Usage, counted};
use crate::corpus::{Analysis, Levels, Output, OutputPath, Record, Sealed, csv_cell, seal_file};
use crate::ladder::{Ladder, rate};
use crate::publish::book::{self, Book, BookError, Entry, Intent, Options, Standard, Typeface, Wording};
use crate::publish::picture::{PictureKind, picture};
use crate::publish::series::{self, Day};
use crate::publish::{Choice, Chosen, Quota, Request, Scale};

/// Make a puzzle book: a print-ready PDF of the inside, with solutions at the back.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus run recipe:book --out stock
      600 puzzles for the books below
  sudoku-corpus book stock --level easy=50,medium=100,hard=50 --out book.pdf \\
      --printer kdp --title 'Quiet Evenings' --cover cover.pdf
  sudoku-corpus book corpus --count 60 --language de --trim A5 --out de.pdf
  sudoku-corpus book stock --level easy=40 --large-print --trim 8.5x11 \\
      --out large.pdf
  sudoku-corpus book stock --count 50 --volumes 3 --first-number 201 \\
      --out 'volume-%.pdf' --index where.csv
  sudoku-corpus book stock --dates 2027-01-01 --count 365 --per-page 1 \\
      --answers behind --out calendar.pdf
  sudoku-corpus book six --count 24 --out kids.pdf --pictures picture:sun \\
      picture:moon picture:star picture:heart picture:tree picture:fish
  sudoku-corpus book stock --count 100 --title 'Quiet Evenings' --out play.html
  sudoku-corpus book stock --count 60 --out next.pdf \\
      --except seen.index --remember seen.index

`guide books` explains the words, and `guide days` calendars. The same puzzles and options give the same bytes. Puzzles are ordered \
by level, and by difficulty within a level. A book with more pages than the printer binds is refused.

The file is PDF 1.7 with embedded fonts, black ink only, without transparency; --standard makes it PDF/X, or a file for screens. A \
name that ends in .epub gives an EPUB file, one in .html a page to play on.")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    selection: Selection,
    /// The output: a file, .pdf, .epub (pages for screens) or .html (a page to play on); - for a PDF file on standard
    /// output. % is the number of the volume.
    #[arg(long, short, value_name = "FILE")]
    out: OutputPath,
    /// Draw a template for the whole cover, .pdf or .svg: back, spine, front, bleed and the box of the barcode. Repeat
    /// the option for both formats. Put it under your design in a layer of its own. % is the number of the volume.
    #[arg(long, value_name = "FILE")]
    cover: Vec<OutputPath>,
    #[command(flatten)]
    texts: Texts,
    #[command(flatten)]
    page: Page,
    /// Make this number of books, each with the requested puzzles. No puzzle is in two books.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Series")]
    volumes: Option<u32>,
    /// Number of the first volume, printed on the title page. {volume} in titles is replaced by it.
    #[arg(long, value_name = "N", help_heading = "Series")]
    #[arg(value_parser = clap::value_parser!(u32).range(..=1_000_000_000))]
    first_number: Option<u32>,
    #[command(flatten, next_help_heading = "Series")]
    calendar: Calendar,
    /// Write a CSV table with the volume, the shape and the pages of each puzzle and its solution.
    #[arg(long, value_name = "FILE", help_heading = "Series")]
    index: Option<OutputPath>,
}

/// Chooses the puzzles, makes the books, and publishes the files. All that can be refused is refused before the choice,
/// which takes the time: words, options, names of files; then the boards, before they are drawn.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let typeface = args.texts.typeface()?;
    let scale = args.selection.scale()?;
    let numbers = numbers(&args);
    let words = args.words(&scale, &typeface)?;
    let levels_by_er = scale.levels.columns().iter().any(|column| column == "se_er_tenths");
    let options = Options { keep_order: args.calendar.dates.is_some(), levels_by_er, ..args.options()? };
    let intent = args.page.intent()?;
    options.check().map_err(book_error)?;
    let request = request(&args, &scale)?;
    let templates = args.templates(&options)?;
    let outs = numbered_each(&args.out, &numbers)?;
    let covers = args.cover.iter().map(|path| numbered_each(path, &numbers)).collect::<Result<Vec<_>, _>>()?;
    // What determines the books besides the corpora: an index knows the request by this text and the contents of
    // `inputs`.
    let request_text = format!("{args:?} {scale:?} {words:?}");
    let inputs: Vec<&Path> = args.texts.files().chain(args.page.files()).collect();
    let mut publishing = args.selection.begin(global, &args.out, &request_text, &inputs)?;
    // Only now, because a call that has published before finds its own files.
    claim_all(global, &args, &outs, &covers)?;
    let choice = args.selection.choose(global, &["book"], &request, &args.out, &mut publishing)?;
    check_shade(options.shade, choice.chosen.shapes().iter().copied())?;
    let volumes = volumes(&args, &choice, &scale.levels, &options, numbers.len())?;
    let books = made_books(&args, volumes, &words, &options, &typeface, &intent)?;
    let (covers, measures) = drawn_covers(&books, &options, templates.into_iter().zip(covers))?;
    let sealed = seal(&args, &books, &outs, &covers)?;
    publishing.finish([&choice.chosen].into_iter(), sealed)?;
    // A book names the level of each puzzle.
    let request = Request { with_levels: true, ..request };
    global.say(format_args!("{} into {}", said(&choice, &request), paths::name(&args.out)));
    for (book, out) in books.iter().zip(&outs) {
        global.say(format_args!("{}: {}", paths::name(out), about(book, &options)));
    }
    for measure in measures {
        global.say(format_args!("{measure}"));
    }
    let files =
        books.iter().zip(outs).map(|(book, out)| (out.display().to_string(), book.places.len() as u64)).collect();
    Ok(Outcome::Published(files))
}

/// Claims the files of all options, and opens each, so that a path that cannot be written fails before the work.
fn claim_all(global: &Global, args: &Args, outs: &[PathBuf], covers: &[Vec<PathBuf>]) -> anyhow::Result<()> {
    claim(global, &args.out, outs)?;
    for (option, files) in args.cover.iter().zip(covers) {
        claim(global, option, files)?;
    }
    for path in outs.iter().chain(covers.iter().flatten()).map(PathBuf::as_path).chain(args.index.as_deref()) {
        Output::probe(path)?;
    }
    Ok(())
}

/// The puzzles of each volume. Each gets as many of each quota as the others, or one more.
fn volumes(
    args: &Args,
    choice: &Choice,
    levels: &Levels,
    options: &Options,
    count: usize,
) -> anyhow::Result<Vec<Vec<Entry>>> {
    let chosen = choice.chosen.iter().collect::<io::Result<Vec<Chosen>>>()?;
    let quotas: Vec<usize> = chosen.iter().map(|chosen| chosen.quota).collect();
    let mut volume_of = series::deal(&quotas, count);
    for volume in 0..count {
        check_volume(&chosen, &volume_of, volume, options)?;
    }
    let ladder = Ladder::default();
    let entries = chosen.par_iter().map(|chosen| entry(chosen.record(), &ladder, levels, options));
    let mut entries: Vec<Entry> = entries.collect::<anyhow::Result<_>>()?;
    if args.calendar.dates.is_some() {
        // Volumes of a calendar follow each other in time.
        entries = by_day(entries, &args.calendar, levels)?;
        let volume_size = entries.len().div_ceil(count).max(1);
        volume_of = (0..entries.len()).map(|index| index / volume_size).collect();
    }
    let mut volumes = vec![Vec::new(); count];
    for (entry, volume) in entries.into_iter().zip(volume_of) {
        volumes[volume].push(entry);
    }
    Ok(volumes)
}

/// Refuses a volume whose boards do not fit into a book. `volume_of` has the volume of each puzzle, from 0.
fn check_volume(chosen: &[Chosen], volume_of: &[usize], volume: usize, options: &Options) -> anyhow::Result<()> {
    let mut boards = BTreeMap::new();
    for (chosen, _) in chosen.iter().zip(volume_of).filter(|(_, own_volume)| **own_volume == volume) {
        *boards.entry(chosen.shape().kind()).or_default() += 1;
    }
    book::check(boards, options).map_err(book_error)
}

/// The books, one for each volume.
fn made_books(
    args: &Args,
    volumes: Vec<Vec<Entry>>,
    words: &[Wording],
    options: &Options,
    typeface: &Typeface,
    intent: &Intent,
) -> anyhow::Result<Vec<Book>> {
    let mut books = Vec::new();
    // How many puzzles are counted before those of a volume. With `--first-puzzle`, the puzzles are numbered through all
    // volumes. Otherwise those of each begin with 1.
    let mut before = args.calendar.first_puzzle.map(|first| first as usize - 1);
    for (entries, words) in volumes.into_iter().zip(words) {
        let options = Options { before: before.unwrap_or(0), ..*options };
        before = before.map(|before| before + entries.len());
        books.push(book::make(entries, words, &options, typeface, intent).map_err(book_error)?);
    }
    Ok(books)
}

/// Seals the books, their covers and their index.
fn seal(args: &Args, books: &[Book], outs: &[PathBuf], covers: &[CoverFile]) -> anyhow::Result<Sealed> {
    let mut sealed = Vec::new();
    for (book, out) in books.iter().zip(outs) {
        sealed.push(seal_file(out, &book.data)?);
    }
    for (path, data) in covers {
        sealed.push(seal_file(path, data)?);
    }
    if let Some(path) = &args.index {
        sealed.push(seal_file(path, index(books, &numbers(args))?)?);
    }
    Ok(sealed.into_iter().collect())
}

/// The files of an option, one for each volume.
fn numbered_each(option: &Path, numbers: &[Option<u32>]) -> Result<Vec<PathBuf>, Usage> {
    numbers.iter().map(|number| numbered(option, *number, numbers.len())).collect()
}

/// Claims the files of an option.
fn claim(global: &Global, option: &Path, files: &[PathBuf]) -> anyhow::Result<()> {
    files.iter().try_for_each(|file| global.paths.claim(option, file))
}

impl Args {
    /// The options of the book; the name of the file decides what it is.
    fn options(&self) -> anyhow::Result<Options> {
        let options = self.page.options(self.texts.date)?;
        let (out, asked) = (self.out.display(), options.standard);
        let Some(standard) = standard_of(&self.out, asked) else {
            return Err(Usage(format!("{out} cannot be a file of --standard {asked}")).into());
        };
        // A name without an ending is a PDF file, unless it would replace a file.
        let is_named = match ending(&self.out).as_deref() {
            Some("pdf" | "epub" | "html") => true,
            None => !Output::replaces(&self.out),
            Some(_) => false,
        };
        if !is_named {
            return Err(paths::other_ending(&self.out, &[".pdf", ".epub", ".html"]).into());
        }
        Ok(Options { standard, ..options })
    }

    /// The puzzles that it asks for. `levels` is the scale of the corpus.
    ///
    /// # Errors
    /// Words that the typeface does not have, or files and options of the command that cannot be used.
    pub(in crate::cli) fn request_of(&self, levels: Levels) -> anyhow::Result<Request> {
        let scale = self.selection.scale_with(levels)?;
        self.words(&scale, &self.texts.typeface()?)?;
        self.page.intent()?;
        self.templates(&self.options()?)?;
        request(self, &scale)
    }

    /// The kind of picture of each template for a cover.
    ///
    /// # Errors
    /// Names that end otherwise, and books that have no cover: those for screens, and those of a size that is not bound.
    fn templates(&self, options: &Options) -> Result<Vec<PictureKind>, Usage> {
        if self.cover.is_empty() {
            return Ok(Vec::new());
        }
        if options.standard.is_screen() {
            return Err(Usage("nothing binds an edition for screens: leave out --cover".to_owned()));
        }
        let (rules, trim) = (options.printer.rules(), options.trim);
        if !rules.binds(trim) {
            let sizes = rules.sizes();
            return Err(Usage(format!("{} does not bind pages of {trim}: {sizes}; leave out --cover", rules.title)));
        }
        self.cover.iter().map(|path| picture_kind(path, &[PictureKind::Svg, PictureKind::Pdf])).collect()
    }

    /// The words of each volume, all of which the typeface has.
    fn words(&self, scale: &Scale, typeface: &Typeface) -> anyhow::Result<Vec<Wording>> {
        let numbers = numbers(self);
        let first_days = self.first_days(scale, numbers.len())?;
        let mut volumes = Vec::new();
        for (number, first_day) in numbers.into_iter().zip(first_days) {
            let words = self.texts.words(&scale.levels, number, first_day)?;
            words.check(typeface).map_err(book_error)?;
            volumes.push(words);
        }
        Ok(volumes)
    }

    /// The first day of each volume of a calendar.
    fn first_days(&self, scale: &Scale, volumes: usize) -> anyhow::Result<Vec<Option<Day>>> {
        if self.calendar.dates.is_none() || volumes == 1 {
            return Ok(vec![self.calendar.dates; volumes]);
        }
        let count = self.selection.request(scale)?.wanted();
        let Some(days_each) = count.and_then(|count| usize::try_from(count).ok()) else {
            return Err(Usage("a calendar in volumes needs the number of days of each: --count N".into()).into());
        };
        let days = self.calendar.days(days_each.saturating_mul(volumes))?;
        Ok(days.chunks(days_each.max(1)).map(|days| days.first().copied()).collect())
    }
}

/// The numbers of the volumes; a single None for a book that is no volume.
fn numbers(args: &Args) -> Vec<Option<u32>> {
    if (args.volumes, args.first_number) == (None, None) {
        return vec![None];
    }
    let first = args.first_number.unwrap_or(1);
    (0..args.volumes.unwrap_or(1)).map(|place| Some(first.saturating_add(place))).collect()
}

/// The name of a volume's file: % is replaced by the number.
///
/// # Errors
/// Several volumes, and no % in the name.
fn numbered(out: &Path, number: Option<u32>, volumes: usize) -> Result<PathBuf, Usage> {
    let name = out.to_string_lossy();
    match number {
        Some(number) if name.contains('%') => Ok(PathBuf::from(name.replacen('%', &number.to_string(), 1))),
        _ if volumes > 1 => {
            Err(Usage(format!("{name}: write % for the number of the volume in the name, as in volume-%.pdf")))
        }
        _ => Ok(out.to_owned()),
    }
}

/// Which puzzles: those of the options for every volume, by default without those that take uniqueness techniques. An
/// error if no book has room for this number.
fn request(args: &Args, scale: &Scale) -> anyhow::Result<Request> {
    let mut request = args.selection.request(scale)?;
    let count = usize::try_from(request.wanted().unwrap_or(0)).unwrap_or(usize::MAX);
    let options = args.options()?;
    let boards = request.shape.or_else(|| options.smallest_board()).map(|shape| (shape, count));
    book::check(boards, &options).map_err(book_error)?;
    let volumes = u64::from(args.volumes.unwrap_or(1));
    request.count = request.count.map(|count| count.saturating_mul(volumes));
    for Quota { count, .. } in &mut request.quotas {
        *count = count.saturating_mul(volumes);
    }
    args.calendar.add_quotas(&mut request)?;
    request.no_uniqueness = !args.page.uniqueness;
    // Puzzles of files are rated when the rows are read. A row of a corpus without a level is rated when it is chosen.
    request.with_levels |= scale.by_ratings;
    Ok(request)
}

/// A puzzle for each day, in the order of the days, from the easiest on Mondays to the hardest on Saturdays. Those of
/// Sundays are between those of Wednesdays and Thursdays.
fn by_day(mut entries: Vec<Entry>, calendar: &Calendar, levels: &Levels) -> anyhow::Result<Vec<Entry>> {
    book::order(&mut entries);
    let days = calendar.days(entries.len())?;
    let entry_levels: Vec<Option<usize>> = entries.iter().map(|entry| entry.level).collect();
    let places = calendar.places(&days, levels, &entry_levels)?;
    let mut dated = Vec::new();
    for (day, place) in days.into_iter().zip(places) {
        let mut entry = entries[place].clone();
        entry.day = Some(day);
        dated.push(entry);
    }
    Ok(dated)
}

/// The name of a cover, and its bytes.
type CoverFile = (PathBuf, Vec<u8>);

/// A template for the cover of each book, for each kind of picture with its files. Second, the measures in words.
fn drawn_covers(
    books: &[Book],
    options: &Options,
    templates: impl Iterator<Item = (PictureKind, Vec<PathBuf>)>,
) -> anyhow::Result<(Vec<CoverFile>, Vec<String>)> {
    let (mut files, mut measures) = (Vec::new(), Vec::new());
    let typeface = Typeface::open().map_err(|error| book_error(error.into()))?;
    for (kind, paths) in templates {
        for (book, path) in books.iter().zip(paths) {
            let cover = book::cover(&typeface, options.printer, options.trim, book.pages, options.paper);
            measures.push(format!("{}: {}", paths::name(&path), cover.measures.join("\n  ")));
            files.push((path, picture(kind, &typeface, cover.drawing, 72.0)?));
        }
    }
    Ok((files, measures))
}

/// What a book is like, in a line or two.
fn about(book: &Book, options: &Options) -> String {
    if options.standard == Standard::Play {
        return counted(book.places.len(), "puzzle") + " to play";
    }
    let Book { pages, per_page, solutions_per_page, notes, .. } = book;
    let trim = options.trim;
    let (puzzles, solutions) = (counted(per_page, "puzzle"), counted(solutions_per_page, "solution"));
    let (inside, spine, paper) = (trim.length(book.inside), trim.length(book.spine), options.paper.name());
    let on_page = format!("{} of {trim}, {puzzles} and {solutions} on a page", counted(pages, "page"));
    if options.standard.is_screen() {
        return book.warnings.iter().fold(on_page, |text, warning| text + "\nwarning: " + warning);
    }
    let mut text = format!(
        "{on_page}, {inside} at the spine; the spine is {spine} thick on \
         {paper} paper, without the cover"
    );
    if *notes > 1 {
        let least = options.printer.rules().least_pages;
        text += &format!("\n{} for notes: printers bind {} at least", counted(notes, "page"), counted(least, "page"));
    }
    let pages_in_words = |first: usize, last: usize| match first == last {
        true => format!("page {first} of the file is"),
        false => format!("pages {first} to {last} of the file are"),
    };
    if options.front_pages > 0 {
        text += &format!("\n{} empty, for pages of your own", pages_in_words(1, options.front_pages));
    }
    if options.back_pages > 0 {
        let first = pages - options.back_pages + 1;
        text += &format!("\n{} empty, for pages of your own", pages_in_words(first, *pages));
    }
    for warning in &book.warnings {
        text += &format!("\nwarning: {warning}");
    }
    text
}

/// The table that says where each puzzle stands.
fn index(books: &[Book], numbers: &[Option<u32>]) -> anyhow::Result<Vec<u8>> {
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(["volume", "number", "shape", "puzzle", "level", "page", "solution_page", "date"])?;
    for (book, volume) in books.iter().zip(numbers) {
        for place in &book.places {
            let volume = volume.map_or(String::new(), |volume| volume.to_string());
            let (number, shape) = (place.number.to_string(), place.puzzle.shape().to_string());
            let puzzle = text::line(place.puzzle.grid());
            let day = place.day.map_or(String::new(), |day| day.to_string());
            let level = csv_cell(&place.level).into_owned();
            table.write_record([&volume, &number, &shape, &puzzle, &level, &place.page, &place.solution, &day])?;
        }
    }
    Ok(table.into_inner()?)
}

/// A chosen row as the book wants it. Captions name the level, so a puzzle without one is rated.
fn entry(mut record: Record, ladder: &Ladder, levels: &Levels, options: &Options) -> anyhow::Result<Entry> {
    let solution = solution_of(&record)?;
    let puzzle = record.puzzle.clone().with_context(|| format!("row {} has no puzzle", record.row))?;
    if record.hodoku_level.is_none() || (options.technique && record.hardest.is_none()) {
        let rating = rate(&puzzle, ladder);
        record.hodoku_level = record.hodoku_level.or(Some(rating.level));
        record.hodoku_score = record.hodoku_score.or(Some(rating.score));
        record.hardest = record.hardest.or(rating.hardest);
        record.finished = Some(rating.finished);
        record.counts = record.counts.or_else(|| Some(Box::new(rating.counts)));
    }
    if record.level.is_none() {
        record.level = Analysis::with_levels(levels).analyze(record.clone()).level;
    }
    let mut entry = Entry::new(puzzle, solution, levels.of(&record));
    // ER first, where it is known; HoDoKu's score settles ties.
    entry.effort = record.se_er_tenths.unwrap_or(0) * 1_000_000 + record.hodoku_score.unwrap_or(0).min(999_999);
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
