//! Defines the options of `book` about words and pages.

use std::path::Path;

use anyhow::{Context as _, ensure};

use super::book_error;
use crate::cli::Usage;
use crate::corpus::InputPath;
use crate::publish::book::{Intent, Options, OwnPages, Pages, Picture, Symbols, Typeface, Wording};
use crate::publish::levels::Levels;
use crate::publish::series::Day;
use crate::publish::words::{Address, Language, check_names, fill, level_texts};

/// What the book says.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Words")]
pub(super) struct Texts {
    /// Title of the book. In this and other texts, {volume} is the number of the volume, {count} that of its puzzles,
    /// and {date} its first day.
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
    /// Language of the book: en, en-US, de, es, fr, it, nl, pl, pt or pt-BR.
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
    /// Day of publication, such as 2027-01-31. Its year is in the copyright line; PDF/X files need the day.
    #[arg(long, value_name = "DAY")]
    pub date: Option<Day>,
}

/// How pages look.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Pages")]
pub(super) struct Page {
    #[command(flatten)]
    options: Options,
    /// SVG files with pictures in place of digits, the first for 1; each is called by the name of its file.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["symbols", "spell"])]
    pictures: Vec<InputPath>,
    /// Leave out contents, dividers (the pages that open levels) or bookmarks.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = ["contents", "dividers", "bookmarks"])]
    without: Vec<String>,
    /// A PDF file whose first page is your logo, at the foot of the title page.
    #[arg(long, value_name = "FILE")]
    logo: Option<InputPath>,
    /// A PDF file with pages of your own instead of the title page and the imprint.
    #[arg(long, value_name = "FILE", conflicts_with = "logo")]
    front_pages: Option<InputPath>,
    /// A PDF file with pages of your own at the end of the book.
    #[arg(long, value_name = "FILE")]
    back_pages: Option<InputPath>,
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
        let is_without = |what: &str| self.without.iter().any(|left_out| left_out == what);
        Ok(Options {
            symbols: pictures(&self.pictures)?.unwrap_or(self.options.symbols),
            no_contents: is_without("contents"),
            no_dividers: is_without("dividers"),
            no_bookmarks: is_without("bookmarks"),
            day,
            ..self.options
        })
    }

    /// The files that it names.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.logo, &self.front_pages, &self.back_pages, &self.icc].into_iter().flatten();
        files.chain(&self.pictures).map(AsRef::as_ref)
    }

    /// Reads the files with own pages.
    pub(super) fn own(&self) -> anyhow::Result<OwnPages> {
        let file = |path: &Option<InputPath>| {
            let Some(path) = path else { return Ok(None) };
            Pages::read(&path.display().to_string(), read(path)?).map(Some).map_err(book_error)
        };
        Ok(OwnPages { logo: file(&self.logo)?, front: file(&self.front_pages)?, back: file(&self.back_pages)? })
    }

    /// The printing condition of a PDF/X file.
    pub(super) fn intent(&self) -> anyhow::Result<Intent> {
        let Some(path) = &self.icc else { return Ok(Intent::default()) };
        Intent::of(&self.condition, read(path)?).map_err(|error| Usage(format!("{}: {error}", path.display())).into())
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Pictures in place of digits, if there are any.
pub(crate) fn pictures(files: &[InputPath]) -> anyhow::Result<Option<Symbols>> {
    if files.is_empty() {
        return Ok(None);
    }
    let wrong = |path: &InputPath, reason: String| Usage(format!("{}: {reason}", path.display()));
    let picture = |path: &InputPath| -> anyhow::Result<(String, Picture)> {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, Picture::read(&read(path)?).map_err(|reason| wrong(path, reason))?))
    };
    let named = files.iter().map(picture).collect::<anyhow::Result<_>>()?;
    Ok(Some(Symbols::pictures(named).map_err(|reason| Usage(format!("--pictures: {reason}")))?))
}

/// A language with the words of a file, if there is one.
pub(crate) fn with_words(language: Language, path: Option<&InputPath>) -> anyhow::Result<Language> {
    let Some(path) = path else { return Ok(language) };
    let file = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(language.with(&file).map_err(|error| Usage(format!("{}: {error}", path.display())))?)
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
        let file = |path: &InputPath| Ok((path.display().to_string(), read(path)?));
        let files: Vec<(String, Vec<u8>)> = self.font.iter().map(file).collect::<anyhow::Result<_>>()?;
        Typeface::of(files).map_err(|error| book_error(error.into()))
    }

    /// The words of a volume, with {volume} or {number} and {date} in its texts filled in.
    pub(super) fn words(
        &self,
        levels: &Levels,
        volume: Option<u32>,
        first_day: Option<Day>,
    ) -> anyhow::Result<Wording> {
        let language = with_words(Language::addressed(self.language.tag(), self.address)?, self.words.as_ref())?;
        let volume_text = volume.unwrap_or(1).to_string();
        let day = first_day.or(self.date).map(|day| language.date(day));
        let names =
            [("volume", volume_text.as_str()), ("number", &volume_text), ("date", day.as_deref().unwrap_or(""))];
        // The finished book fills in the number of its puzzles.
        let known: Vec<&str> = names.iter().map(|(name, _)| *name).chain(["count"]).collect();
        let filled = |key: &str, text: &String| -> anyhow::Result<String> {
            check_names(key, &known, text).map_err(|error| Usage(error.to_string()))?;
            ensure!(
                day.is_some() || !text.contains("{date}"),
                Usage(format!("{key}: {{date}} needs --date or --dates"))
            );
            Ok(fill(text, &names))
        };
        let own = |key, text: &Option<String>| text.as_ref().map(|text| filled(key, text)).transpose();
        let (author, imprint) = (own("--author", &self.author)?, own("--imprint-text", &self.imprint_text)?);
        let imprint = imprint.map(|text| text.replace("\\n", "\n"));
        let title = filled("--title", &self.title)?;
        let mut words = Wording::new(&title, author.as_deref(), imprint.as_deref()).map_err(book_error)?;
        words.language = language;
        words.levels = level_texts(levels, &words.language);
        words.subtitle = own("--subtitle", &self.subtitle)?;
        words.volume = volume;
        words.year = self.date.map(|day| day.year.to_string());
        Ok(words)
    }
}
