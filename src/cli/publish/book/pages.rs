//! Defines the options of `book` about words and pages.

use std::path::Path;

use anyhow::{Context as _, ensure};

use super::book_error;
use crate::cli::line::paths::other_ending;
use crate::cli::{Usage, cannot_read};
use crate::corpus::{InputPath, Levels, read_small, read_small_text};
use crate::library;
use crate::publish::book::{Intent, Options, Picture, Symbols, Typeface, Wording};
use crate::publish::formats::Format;
use crate::publish::picture::PictureKind;
use crate::publish::series::Day;
use crate::publish::words::{Address, Language, check_names, level_texts};

/// What `--with` adds to a book.
pub(in crate::cli) const ADDED: [&str; 9] =
    ["strip", "second-grid", "time", "technique", "names", "hints", "steps", "running-heads", "crop-marks"];

/// What the values of `--with` add.
const WITH: &str = "Add what is not usual: one of these names, or several with commas between them.\n
  strip: the symbols below each puzzle, to strike out those that are done
  second-grid: an empty board beside each puzzle
  time: a line below each puzzle to note the time
  technique: the hardest technique below each puzzle
  names: the name of each 9x9 puzzle, by which `number --name` finds it
  hints: pages with a hint for each puzzle
  steps: pages with every step of each solution, at the end
  running-heads: titles over the pages
  crop-marks: lines that show where to cut";

/// What the book says.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Words")]
pub(super) struct Texts {
    /// Title, on the title page and in the file. In this and other texts, {volume} stands for the number of the volume,
    /// {count} for the number of its puzzles, and {date} for its first day.
    #[arg(long, value_name = "TEXT", default_value = "Sudoku")]
    title: String,
    /// Author, at the foot of the title page.
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,
    /// The line below the title; by default the number of puzzles and their levels.
    #[arg(long, value_name = "TEXT")]
    subtitle: Option<String>,
    /// Text of the imprint; copyright and typeface by default. A line ends at a line break or at \n.
    #[arg(long, value_name = "TEXT")]
    imprint_text: Option<String>,
    /// Language of the texts: en, en-US, de, es, fr, it, nl, pl, pt or pt-BR.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = |text: &str| Language::named(text))]
    language: Language,
    /// How readers are addressed: formal, or familiar as in books for children ("du").
    #[arg(long, default_value = "formal")]
    address: Address,
    /// A TOML file with words of your own; `list words` prints the English ones.
    #[arg(long, value_name = "FILE")]
    words: Option<InputPath>,
    /// Font files (TrueType or OpenType) instead of IBM Plex Sans: one, or regular, medium and bold.
    #[arg(long, value_name = "FILE", num_args = 1..=3)]
    font: Vec<InputPath>,
    /// Day of publication, such as 2027-01-31. Its year is in the copyright line; PDF/X and EPUB files need the day.
    #[arg(long, value_name = "DAY")]
    pub date: Option<Day>,
}

/// How pages look.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Pages")]
pub(super) struct Page {
    #[command(flatten)]
    options: Options,
    /// SVG files with pictures in place of digits, the first for 1. A picture has the name of its file. The program has
    /// pictures, too, such as picture:sun (`list pictures`).
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["symbols", "spell"])]
    pictures: Vec<InputPath>,
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = ADDED, long_help = WITH,
        help = "Add what is not usual: one of these names, or several with commas between them")]
    with: Vec<String>,
    /// Leave out contents, dividers (the pages that open levels) or bookmarks.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = ["contents", "dividers", "bookmarks"])]
    without: Vec<String>,
    /// An SVG file with your logo, at the foot of the title page.
    #[arg(long, value_name = "FILE", conflicts_with = "front_pages")]
    logo: Option<InputPath>,
    /// Also take puzzles whose ladder needs uniqueness techniques; by default these are left out.
    #[arg(long)]
    pub uniqueness: bool,
    /// ICC profile of the printing process for PDF/X; a profile of black ink by default.
    #[arg(long, value_name = "FILE")]
    icc: Option<InputPath>,
    /// Name of the printing condition for PDF/X, such as FOGRA39.
    #[arg(long, value_name = "NAME", default_value = "Custom")]
    condition: String,
}

impl Page {
    /// The options of the book.
    pub(super) fn options(&self, day: Option<Day>) -> anyhow::Result<Options> {
        let is_with = |what: &str| self.with.iter().any(|added| added == what);
        let is_without = |what: &str| self.without.iter().any(|left_out| left_out == what);
        Ok(Options {
            symbols: pictures(&self.pictures)?.unwrap_or(self.options.symbols),
            // The picture lives as long as the program, so that options can be copied.
            logo: self.logo.as_ref().map(|path| anyhow::Ok(&*Box::leak(Box::new(picture(path)?)))).transpose()?,
            strip: is_with("strip"),
            second_grid: is_with("second-grid"),
            time: is_with("time"),
            technique: is_with("technique"),
            names: is_with("names"),
            hints: is_with("hints"),
            steps: is_with("steps"),
            running_heads: is_with("running-heads"),
            crop_marks: is_with("crop-marks"),
            no_contents: is_without("contents"),
            no_dividers: is_without("dividers"),
            no_bookmarks: is_without("bookmarks"),
            day,
            ..self.options
        })
    }

    /// The files that it names.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.logo, &self.icc].into_iter().flatten();
        files.chain(&self.pictures).map(AsRef::as_ref)
    }

    /// The printing condition of a PDF/X file.
    pub(super) fn intent(&self) -> anyhow::Result<Intent> {
        let Some(path) = &self.icc else { return Ok(Intent::default()) };
        Intent::of(&self.condition, read(path)?).map_err(|error| Usage::of(path, error).into())
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    read_small(path).with_context(|| cannot_read(path))
}

/// The picture of an SVG file.
fn picture(path: &Path) -> anyhow::Result<Picture> {
    let ours = format!("picture:{}", path.display());
    let is_ours = !path.exists() && library::read(Path::new(&ours)).is_ok();
    ensure!(!is_ours, Usage::of(path, format_args!("there is no such file; the picture of the program is {ours}")));
    let data = library::read(path).with_context(|| cannot_read(path))?;
    Ok(Picture::read(&data).map_err(|reason| Usage::of(path, reason))?)
}

/// Pictures in place of digits, if there are any.
pub(crate) fn pictures(files: &[InputPath]) -> anyhow::Result<Option<Symbols>> {
    if files.is_empty() {
        return Ok(None);
    }
    let mut named_pictures = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        named_pictures.push((name.trim_start_matches("picture:").to_owned(), picture(path)?));
    }
    Ok(Some(Symbols::pictures(named_pictures).map_err(|reason| Usage(format!("--pictures: {reason}")))?))
}

/// A language with the words of a file, if there is one.
pub(crate) fn with_words(language: Language, path: Option<&InputPath>) -> anyhow::Result<Language> {
    let Some(path) = path else { return Ok(language) };
    let file = read_small_text(path).with_context(|| cannot_read(path))?;
    Ok(language.with(&file).map_err(|error| Usage::of(path, error))?)
}

impl Texts {
    /// The files of fonts that it names.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.font.iter().map(AsRef::as_ref)
    }

    /// The typeface of the book.
    pub(super) fn typeface(&self) -> anyhow::Result<Typeface> {
        if self.font.is_empty() {
            return Typeface::open().map_err(|error| book_error(error.into()));
        }
        let mut files = Vec::new();
        for path in &self.font {
            let is_name = path.extension().is_none() && !path.exists();
            ensure!(!is_name, Usage(format!("--font {}: give the file of the font, such as {0}.ttf", path.display())));
            files.push((path.display().to_string(), read(path)?));
        }
        Typeface::of(files).map_err(|error| book_error(error.into()))
    }

    /// The words of a volume, and the values of {volume} or {number} and {date} in its texts.
    pub(super) fn words(
        &self,
        levels: &Levels,
        volume: Option<u32>,
        first_day: Option<Day>,
    ) -> anyhow::Result<Wording> {
        let language = with_words(Language::addressed(self.language.tag(), self.address)?, self.words.as_ref())?;
        let volume_text = volume.unwrap_or(1).to_string();
        let day = first_day.or(self.date).map(|day| language.date(day));
        let values =
            [("volume", volume_text.as_str()), ("number", &volume_text), ("date", day.as_deref().unwrap_or(""))];
        // The finished book fills in the values, and the number of its puzzles.
        let value_names = [values[0].0, values[1].0, values[2].0, "count"];
        let texts = [
            ("--author", self.author.as_ref()),
            ("--imprint-text", self.imprint_text.as_ref()),
            ("--title", Some(&self.title)),
            ("--subtitle", self.subtitle.as_ref()),
        ];
        for (option, text) in texts {
            let Some(text) = text else { continue };
            check_names(option, &value_names, text).map_err(|error| Usage(error.to_string()))?;
            let lacks_day = day.is_none() && text.contains("{date}");
            ensure!(!lacks_day, Usage(format!("{option}: {{date}} needs --date or --dates")));
        }
        let imprint = self.imprint_text.as_ref().map(|text| text.replace("\\n", "\n"));
        let mut words = Wording::new(&self.title, self.author.as_deref(), imprint.as_deref()).map_err(book_error)?;
        words.language = language;
        words.levels = level_texts(levels, &words.language);
        words.subtitle = self.subtitle.clone();
        words.volume = volume;
        words.values = values.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        words.year = self.date.map(|day| day.year.to_string());
        Ok(words)
    }
}

/// The kind of a picture by the name of its file, if it is one of these.
pub(in crate::cli) fn picture_kind(path: &Path, kinds: &[PictureKind]) -> Result<PictureKind, Usage> {
    match Format::of_name(path).map_err(|reason| Usage::of(path, reason))? {
        Some(Format::Picture(kind)) if kinds.contains(&kind) => Ok(kind),
        _ => {
            let ends: Vec<&str> = kinds.iter().map(|kind| Format::Picture(*kind).info().ends[0]).collect();
            Err(other_ending(path, &ends))
        }
    }
}
