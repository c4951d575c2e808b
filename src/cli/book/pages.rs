//! The options of `book` about words and pages.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::book_error;
use crate::cli::Usage;
use crate::cli::export::lines;
use crate::publish::book::{
    Answers, Bleed, Difficulty, INCH, Intent, Options, Ornament, Own, Pages, Paper, Standard, Symbols, TRIMS, Trim,
    Typeface, Words, points,
};
use crate::publish::levels::{self, Levels};
use crate::publish::series::Day;
use crate::publish::words::{Address, Language, check_names, fill};

/// What the book says.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Words")]
pub struct Texts {
    /// Title of the book.
    #[arg(long, value_name = "TEXT", default_value = "Sudoku")]
    title: String,
    /// Author, at the foot of the title page.
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,
    /// The line below the title; by default the number of puzzles and their levels.
    #[arg(long, value_name = "TEXT")]
    subtitle: Option<String>,
    /// Text of the imprint, line by line; copyright and typeface by default.
    #[arg(long, value_name = "TEXT")]
    imprint_text: Option<String>,
    /// Language of the book: en, de, es, fr, it, nl, pl, pt or pt-BR.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = |text: &str| Language::named(text))]
    language: Language,
    /// How readers are addressed: formal, or familiar as in books for children ("du").
    #[arg(long, default_value = "formal")]
    address: Address,
    /// A TOML file with words of your own; `list words` prints the English ones.
    #[arg(long, value_name = "FILE")]
    words: Option<PathBuf>,
    /// Font files (TrueType or OpenType) instead of IBM Plex Sans: one, or regular, medium and bold.
    #[arg(long, value_name = "FILE", num_args = 1..=3)]
    font: Vec<PathBuf>,
    /// Day of publication, such as 2027-01-31. Its year is in the copyright line; PDF/X files need the day.
    #[arg(long, value_name = "DAY")]
    pub date: Option<Day>,
}

/// How pages look.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Pages")]
pub struct Page {
    /// Size of a finished page: 6x9, 8.5x11, 8x10, 7x10, 5x8, 5.5x8.5, A4, A5, or width x height (170x240mm, 7.5x9.25).
    #[arg(long, value_name = "SIZE", default_value = TRIMS[0].name)]
    trim: Trim,
    /// Puzzles on a page, up to 12. By default as many as leave room for pencil marks: 2, or 4 on pages from 8 inches on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=12))]
    per_page: Option<u16>,
    /// One puzzle per page, as wide as the page allows: digits of 28 to 36 points, no type below 16 points.
    #[arg(long, conflicts_with = "per_page")]
    large_print: bool,
    /// Make pages larger than the trim: by 0.125in at top, bottom and outside, or by a given length (3mm) on all four sides.
    #[arg(long, value_name = "SIZE", num_args = 0..=1, default_missing_value = "usual", value_parser = bleed)]
    bleed: Option<Bleed>,
    /// Lines outside the trim that show where to cut.
    #[arg(long)]
    crop_marks: bool,
    /// The paper, white or cream. It determines how many pages can be bound and how thick the spine is.
    #[arg(long, default_value = "white")]
    paper: Paper,
    /// The largest number of pages that your printer binds, instead of Kindle Direct Publishing's limits.
    #[arg(long, value_name = "N")]
    max_pages: Option<usize>,
    /// Title and level at the head of every page.
    #[arg(long)]
    running_heads: bool,
    /// How the difficulty of a puzzle is shown: words, stars, bars or none.
    #[arg(long, default_value = "words")]
    difficulty: Difficulty,
    /// Thickness of box lines and cell lines in points. By default 2 and 0.75, in large print 2.8 and 1. Large boards get
    /// thicker box lines; lines of solutions are thinner.
    #[arg(long, value_name = "BOX,CELL", value_parser = lines)]
    lines: Option<(f64, f64)>,
    /// Print every other box on light gray.
    #[arg(long)]
    shade: bool,
    /// A line below each puzzle to note the time.
    #[arg(long)]
    time: bool,
    /// The hardest technique below each puzzle.
    #[arg(long)]
    technique: bool,
    /// The name of its class below each 9x9 puzzle; the command `name` finds the puzzle by it.
    #[arg(long)]
    names: bool,
    /// Pages with a hint for each puzzle.
    #[arg(long)]
    hints: bool,
    /// Where the solutions are: end (at the back), level (at the end of each level), behind (on the next page), or below
    /// (upside down on the same page).
    #[arg(long, default_value = "end")]
    answers: Answers,
    /// Solutions on a page. By default as many as can be read well: 6 to 12, in large print 2 to 4.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=30))]
    solutions_per_page: Option<u16>,
    /// Leave out contents, dividers (the pages that open levels) or bookmarks.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = ["contents", "dividers", "bookmarks"])]
    without: Vec<String>,
    /// The ornament of the title page: board (the first of the book) or none.
    #[arg(long, default_value = "board")]
    ornament: Ornament,
    /// A PDF file whose first page is your logo, at the foot of the title page.
    #[arg(long, value_name = "FILE")]
    logo: Option<PathBuf>,
    /// A PDF file with pages of your own instead of the title page and the imprint.
    #[arg(long, value_name = "FILE", conflicts_with = "logo")]
    front_pages: Option<PathBuf>,
    /// A PDF file with pages of your own at the end of the book.
    #[arg(long, value_name = "FILE")]
    back_pages: Option<PathBuf>,
    /// Symbols of the digits: usual (1-9A-Z), hex (0-9A-Z, 0-F at 16x16), letters (A-P) or numbers (1-16).
    #[arg(long, default_value = "usual")]
    digits: Symbols,
    /// Also take puzzles whose ladder needs uniqueness techniques; by default these are left out.
    #[arg(long)]
    pub uniqueness: bool,
    /// The standard of the file: pdf (PDF 1.7), x1a (PDF/X-1a:2001) or x4 (PDF/X-4). Both PDF/X standards need --date.
    #[arg(long, default_value = "pdf")]
    standard: Standard,
    /// ICC profile of the printing process for PDF/X; a profile of black ink by default.
    #[arg(long, value_name = "FILE")]
    icc: Option<PathBuf>,
    /// Name of the printing condition for PDF/X, such as FOGRA39.
    #[arg(long, value_name = "NAME", default_value = "Custom")]
    condition: String,
}

fn bleed(text: &str) -> Result<Bleed, String> {
    if text == "usual" {
        return Ok(Bleed::USUAL);
    }
    let bleed = points(text).filter(|points| (0.0..=INCH).contains(points)).map(Bleed::All);
    bleed.ok_or_else(|| "write 3mm or 0.125in, at most 25.4mm".to_owned())
}

impl Page {
    /// The options of the book.
    pub fn options(&self, day: Option<Day>) -> Options {
        Options {
            trim: self.trim,
            per_page: self.per_page.map(usize::from),
            large_print: self.large_print,
            bleed: self.bleed.unwrap_or_default(),
            crop_marks: self.crop_marks,
            paper: self.paper,
            max_pages: self.max_pages,
            running_heads: self.running_heads,
            difficulty: self.difficulty,
            shade: self.shade,
            time: self.time,
            technique: self.technique,
            names: self.names,
            hints: self.hints,
            answers: self.answers,
            ornament: self.ornament,
            symbols: self.digits,
            lines: self.lines,
            solutions_per_page: self.solutions_per_page.map(usize::from),
            before: 0,
            no_contents: self.is_without("contents"),
            no_dividers: self.is_without("dividers"),
            no_bookmarks: self.is_without("bookmarks"),
            keep_order: false,
            standard: self.standard,
            day,
        }
    }

    fn is_without(&self, what: &str) -> bool {
        self.without.iter().any(|left_out| left_out == what)
    }

    /// The files that it names.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.logo, &self.front_pages, &self.back_pages, &self.icc].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Reads the files with own pages.
    pub fn own(&self) -> anyhow::Result<Own> {
        let file = |path: &Option<PathBuf>| {
            let Some(path) = path else { return Ok(None) };
            Pages::read(&path.display().to_string(), read(path)?).map(Some).map_err(book_error)
        };
        Ok(Own { logo: file(&self.logo)?, front: file(&self.front_pages)?, back: file(&self.back_pages)? })
    }

    /// The printing condition of a PDF/X file.
    pub fn intent(&self) -> anyhow::Result<Intent> {
        let Some(path) = &self.icc else { return Ok(Intent::default()) };
        Intent::of(&self.condition, read(path)?).map_err(|error| Usage(format!("{}: {error}", path.display())).into())
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

impl Texts {
    /// The files that it names.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.font.iter().map(PathBuf::as_path)
    }

    /// The typeface of the book.
    pub fn typeface(&self) -> anyhow::Result<Typeface> {
        if self.font.is_empty() {
            return Typeface::open().map_err(book_error);
        }
        let file = |path: &PathBuf| Ok((path.display().to_string(), read(path)?));
        let files: Vec<(String, Vec<u8>)> = self.font.iter().map(file).collect::<anyhow::Result<_>>()?;
        Typeface::of(files).map_err(book_error)
    }

    /// The words of a volume, with {volume}, {number} and {date} in its texts filled in.
    pub fn words(&self, levels: &Levels, volume: Option<u32>, first_day: Option<Day>) -> anyhow::Result<Words> {
        let mut language = Language::addressed(self.language.tag(), self.address)?;
        if let Some(path) = &self.words {
            let file = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            language = language.with(&file).map_err(|error| Usage(format!("{}: {error}", path.display())))?;
        }
        let volume_text = volume.unwrap_or(1).to_string();
        let day = first_day.or(self.date).map(|day| language.date(day)).unwrap_or_default();
        let names = [("volume", volume_text.as_str()), ("number", &volume_text), ("date", &day)];
        let filled = |key: &str, text: &String| -> anyhow::Result<String> {
            check_names(key, &names.map(|(name, _)| name), text).map_err(|error| Usage(error.to_string()))?;
            Ok(fill(text, &names))
        };
        let own = |key, text: &Option<String>| text.as_ref().map(|text| filled(key, text)).transpose();
        let (author, imprint) = (own("--author", &self.author)?, own("--imprint-text", &self.imprint_text)?);
        let title = filled("--title", &self.title)?;
        let mut words = Words::new(&title, author.as_deref(), imprint.as_deref()).map_err(book_error)?;
        words.language = language;
        words.levels = levels::texts(levels, &words.language);
        words.subtitle = own("--subtitle", &self.subtitle)?;
        words.volume = volume;
        words.year = self.date.map(|day| day.year.to_string());
        Ok(words)
    }
}
