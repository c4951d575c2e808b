//! `report`: writes a page about a corpus, with plots and their data.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::cli::line::options::{self, Global};
use crate::cli::line::paths::{self, other_ending, plain};
use crate::cli::line::progress::Bars;
use crate::cli::{Outcome, Usage, counted};
use crate::corpus::{InputPath, Levels, Output, OutputFolder, OutputPath, RECIPE_FILE, write_file};
use crate::page::numbers::{grouped, percent};
use crate::page::{Block, Document, Table};
use crate::publish::words::{Language, level_texts};
use crate::study::report::{Form, data_beside, document, write_data, write_page};
use crate::study::{Number, RatedWith, Summary, summarize};

/// Write a page about a corpus: givens, difficulty, techniques, search depth, symmetry and copies, with plots.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is one HTML file and needs no network. The folder REPORT-data next to REPORT.html holds every plot as SVG and its \
numbers as CSV. For files that hold puzzles only, the page shows givens and symmetries; `analyze` adds the other columns.

Examples:
  sudoku-corpus report corpus --out corpus.html
      and the plots in corpus-data/
  sudoku-corpus report corpus stock --out both.html --title 'Both'
  sudoku-corpus report rated.csv --out rated.md
  sudoku-corpus report stock --levels hodoku --out hodoku.html")]
pub(in crate::cli) struct Args {
    /// Folders of corpora, files of rows (.parquet, .csv.zst, .csv) or of puzzles; - for standard input.
    #[arg(default_value = "corpus", value_name = "CORPUS or FILE")]
    corpora: Vec<InputPath>,
    /// The output: a page, .html, or .md for Markdown without plots; - for Markdown on standard output.
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    out: OutputPath,
    /// The folder for the plots and their data; REPORT-data beside REPORT.html by default, none for Markdown.
    #[arg(long, value_name = "FOLDER")]
    data: Option<OutputFolder>,
    /// Write the page only, without a folder of plots and data.
    #[arg(long, conflicts_with = "data")]
    no_data: bool,
    /// The scale of the levels: newspaper, hodoku, or a TOML file. The page then counts these levels, too.
    #[arg(long, value_name = "LEVELS")]
    levels: Option<InputPath>,
    /// Title, the heading of the page; the name of the corpus by default.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

impl Args {
    /// Checks what can be checked without the rows, for recipes, which check their outputs before any work.
    ///
    /// # Errors
    /// An output that is no page; `none` as a folder; a scale that cannot be read.
    pub(in crate::cli) fn check(&self) -> Result<(), Usage> {
        form(&self.out)?;
        if self.data.as_deref() == Some(Path::new("none")) {
            return Err(Usage("--data none: --no-data writes the page only".to_owned()));
        }
        self.scale().map(drop)
    }

    /// The scale of `--levels`.
    fn scale(&self) -> Result<Option<Levels>, Usage> {
        self.levels.as_ref().map(options::scale_named).transpose()
    }
}

/// A longer file is not shown, because it cannot be a recipe.
const LONGEST_RECIPE: u64 = 1 << 16;

/// Counts the rows and writes the page, and the folder of plots and data beside it. Corpora that were rated with other
/// techniques get sections of their own.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    args.check()?;
    let form = form(&args.out)?;
    let corpora = plain(&args.corpora);
    let standard = args.out == Path::new("-");
    let levels = args.scale()?;
    let corpus_names = name_of(&corpora);
    let data_folder = (!args.no_data && form == Form::Html).then(|| data_beside(&args.out));
    let data = args.data.map(|folder| folder.to_path_buf()).or(data_folder);
    Output::probe(&args.out)?;
    options::stop_at_once()?;
    let groups = by_rating(&corpora)?;
    let summaries = Bars::during(global, &["read"], |progress| -> anyhow::Result<Vec<Summary>> {
        Ok(groups.values().map(|sources| summarize(sources, levels.as_ref(), progress)).collect::<Result<_, _>>()?)
    })?;
    if summaries.iter().all(|summary| summary.rows == 0) {
        bail!("{corpus_names}: there are no rows to report");
    }
    let recipe = recipe(&corpora)?;
    let title = args.title.unwrap_or(corpus_names);
    let mut page = Document { title: title.clone(), blocks: Vec::new() };
    page.blocks.extend(warnings(&groups, &summaries).map(Block::Verdict));
    let warnings_shown = page.blocks.len();
    for ((letter, (rating, sources)), summary) in ('A'..='Z').cycle().zip(&groups).zip(&summaries) {
        let part = document(summary, &title, recipe.as_deref())?;
        page.blocks.extend(match groups.len() {
            1 => part.blocks,
            _ => lettered(letter, rating.is_known(), sources, part),
        });
    }
    if let Some(levels) = &levels {
        let after_introduction = page.blocks.len().min(warnings_shown + 1);
        page.blocks.splice(after_introduction..after_introduction, other_levels(levels, &summaries));
    }
    if let Some(folder) = &data {
        let files = page.figures().flat_map(|figure| ["svg", "csv"].map(|end| format!("{}.{end}", figure.plot.id)));
        files.map(|file| folder.join(file)).try_for_each(|file| global.paths.claim(folder, &file))?;
        write_data(&page, folder)?;
    }
    if standard {
        io::stdout().write_all(page.markdown_at(2).as_bytes())?;
        return Ok(Outcome::Done);
    }
    write_page(&page, form, &args.out)?;
    let data_note = data.map_or(String::new(), |folder| format!("; plots and data in {}", folder.display()));
    let rows = counted(summaries.iter().map(|summary| summary.rows).sum::<u64>(), "row");
    global.say(format_args!("{rows} in {}{data_note}", paths::name(&args.out)));
    Ok(Outcome::Done)
}

/// The warnings about ratings that differ or that may differ. `summaries` are those of the groups.
fn warnings(groups: &Groups, summaries: &[Summary]) -> impl Iterator<Item = String> {
    let unknown_groups = groups.iter().zip(summaries).filter(|((rated, _), _)| !rated.is_known());
    let with_ratings = unknown_groups.filter(|(_, summary)| {
        let answers = summary.together();
        answers.rated() > 0 || answers.tally(Number::ER).total() > 0
    });
    let not_known: Vec<PathBuf> = with_ratings.flat_map(|((_, sources), _)| sources.iter().cloned()).collect();
    let differing = differing(&groups.keys().collect::<Vec<_>>());
    differing.into_iter().chain(unknown(&not_known, groups.values().map(Vec::len).sum()))
}

/// A table with the number of puzzles of each level of a scale that the rows do not have.
fn other_levels(levels: &Levels, summaries: &[Summary]) -> [Block; 3] {
    let rows: u64 = summaries.iter().map(|summary| summary.rows).sum();
    let mut without_level = rows;
    let mut table = Table::new(&["level", "puzzles", "share"]);
    for (place, texts) in level_texts(levels, &Language::default()).into_iter().enumerate() {
        let puzzles: u64 = summaries.iter().map(|summary| summary.other_levels[place]).sum();
        without_level -= puzzles;
        table.rows.push(vec![texts.name, grouped(puzzles.into()), percent(puzzles, rows)]);
    }
    table.rows.push(vec!["none of these".to_owned(), grouped(without_level.into()), percent(without_level, rows)]);
    let scale = levels.scale();
    let text =
        format!("The ratings of each puzzle give its level on {scale}, as `--levels` does in `export` and `book`.");
    [Block::Heading(format!("Levels on {scale}")), Block::Table(table), Block::Text(text)]
}

/// The form of a page: by the name of its file, or Markdown on standard output.
fn form(out: &Path) -> Result<Form, Usage> {
    let named = if out == Path::new("-") { Some(Form::Markdown) } else { Form::of_name(out) };
    named.ok_or_else(|| other_ending(out, &[".html", ".md"]))
}

/// Refuses the name of an output that is neither a page nor numbers as JSON. `other_ends` are those of what else the
/// command writes.
pub(in crate::cli) fn check_page(out: &Path, other_ends: &[&str]) -> Result<(), Usage> {
    match out == Path::new("-") || is_json(out) || Form::of_name(out).is_some() {
        true => Ok(()),
        false => Err(other_ending(out, &[&[".html", ".md", ".json"], other_ends].concat())),
    }
}

fn is_json(out: &Path) -> bool {
    out.extension().is_some_and(|ending| ending == "json")
}

/// Writes a page, or its numbers, a text of JSON, if the name asks for them.
pub(in crate::cli) fn write(page: &Document, numbers: &str, out: &Path) -> anyhow::Result<()> {
    match form(out) {
        _ if out == Path::new("-") => io::stdout().write_all(page.markdown().as_bytes())?,
        Ok(form) => write_page(page, form, out)?,
        Err(_) => write_file(out, format!("{numbers}\n"))?,
    }
    Ok(())
}

/// Sources by the way in which their rows were rated.
type Groups = BTreeMap<RatedWith, Vec<PathBuf>>;

/// Groups the sources by the way in which their rows were rated. Sources that do not say it form groups of their own.
fn by_rating(corpora: &[PathBuf]) -> anyhow::Result<Groups> {
    let mut groups = Groups::new();
    for source in corpora {
        groups.entry(RatedWith::of_source(source)?).or_default().push(source.clone());
    }
    Ok(groups)
}

/// The part of a page about sources that were rated in the same way. A letter distinguishes it from the other parts.
fn lettered(letter: char, is_rating_known: bool, sources: &[PathBuf], part: Document) -> Vec<Block> {
    let rating = if is_rating_known { "rated in the same way" } else { "the files do not say how the rows were rated" };
    let head = Block::Verdict(format!("Part {letter}: {} ({rating}).", name_of(sources)));
    let blocks = part.blocks.into_iter().map(|block| match block {
        Block::Heading(text) => Block::Heading(format!("{letter}: {text}")),
        Block::Figure(mut figure) => {
            figure.plot.id = format!("{letter}-{}", figure.plot.id);
            Block::Figure(figure)
        }
        block => block,
    });
    std::iter::once(head).chain(blocks).collect()
}

/// The warning about sources that were rated in different ways.
fn differing(ratings: &[&RatedWith]) -> Option<String> {
    let differences = RatedWith::differences(ratings);
    let names: Vec<&str> = differences.iter().map(|difference| difference.what.as_str()).collect();
    let all = ["levels", "scores", "ratings"];
    let is_in = |value: &&str| differences.iter().any(|difference| difference.values.contains(value));
    (!names.is_empty()).then(|| {
        format!(
            "The sources were rated with different {}. So each group has its own part below, and {} of different parts cannot \
             be compared. `analyze` can rate all puzzles in the same way.",
            listed(&names),
            listed(&all.into_iter().filter(is_in).collect::<Vec<_>>())
        )
    })
}

/// The warning about sources with ratings that do not say how these were made, if there are other sources, too. `rated`
/// are those sources.
fn unknown(rated: &[PathBuf], sources: usize) -> Option<String> {
    (!rated.is_empty() && sources > 1).then(|| {
        format!(
            "It is not known how the rows of {} were rated. Levels, scores and ratings of different sources can be compared only if \
             all were made in the same way.",
            name_of(rated)
        )
    })
}

/// Words as a list: "levels, scores and ratings".
fn listed(words: &[&str]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}

/// The recipe, if there is only one corpus and it has a recipe.
fn recipe(corpora: &[PathBuf]) -> io::Result<Option<String>> {
    let [corpus] = corpora else { return Ok(None) };
    let path = corpus.join(RECIPE_FILE);
    let shown = fs::metadata(&path).is_ok_and(|data| data.len() <= LONGEST_RECIPE);
    shown.then(|| fs::read_to_string(path)).transpose()
}

/// The default title of the page: the names of at most three corpora.
fn name_of(corpora: &[PathBuf]) -> String {
    let names = corpora.iter().map(|corpus| {
        let path = fs::canonicalize(corpus).unwrap_or_else(|_| corpus.clone());
        match path.file_name() {
            Some(name) if name != "-" => name.to_string_lossy().into_owned(),
            Some(_) => "Standard input".to_owned(),
            None => "Corpus".to_owned(),
        }
    });
    let mut names: Vec<String> = names.collect();
    if names.len() > 3 {
        let rest = format!("{} more", names.len() - 2);
        names.splice(2.., [rest]);
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_said_if_there_are_other_sources() {
        assert_eq!(differing(&[&RatedWith::default()]), None);
        let rated = [PathBuf::from("a.csv"), PathBuf::from("b.csv")];
        assert_eq!([unknown(&rated[..1], 1), unknown(&[], 2)], [None, None]);
        let told = unknown(&rated, 2).unwrap();
        assert!(told.starts_with("It is not known how the rows of a.csv, b.csv were rated."), "{told}");
    }

    #[test]
    fn lists_end_with_and() {
        assert_eq!([&["a"][..], &["a", "b"], &["a", "b", "c"], &[]].map(listed), ["a", "a and b", "a, b and c", ""]);
    }

    #[test]
    fn pages_are_named_after_their_corpora() {
        let names = |corpora: &[&str]| name_of(&corpora.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["x/monday", "tuesday"]), "monday, tuesday");
        assert_eq!(names(&["a", "b", "c", "d"]), "a, b, 2 more");
        assert_eq!(names(&["-"]), "Standard input");
        assert_eq!(names(&["a-b"]), "a-b");
    }
}
