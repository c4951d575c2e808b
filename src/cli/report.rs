//! `report`: writes a page about a corpus, with plots and their data.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::options::{self, Global};
use super::paths::{self, plain};
use super::progress::Bars;
use super::{Outcome, Usage, counted};
use crate::corpus::{
    InputPath, Job, Levels, Metadata, Output, OutputFolder, OutputPath, RECIPE_FILE, part_files, read_again,
};
use crate::page::numbers::{grouped, percent};
use crate::page::{Block, Document, Table};
use crate::publish::levels::count;
use crate::publish::words::{Language, level_texts};
use crate::study::report::{Form, data_beside, document, write_data, write_page};
use crate::study::summarize;

/// Write a page about a corpus: givens, difficulty, techniques, search depth, symmetry and copies, with plots.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is one HTML file and needs no network. The folder REPORT-data next to REPORT.html holds every plot as SVG and its \
numbers as CSV. For files that hold puzzles only, the page shows givens and symmetries; `analyze` adds the other columns.

Examples:
  sudoku-corpus report corpus                             report.html and report-data/
  sudoku-corpus report corpora/monday corpora/tuesday --out week.html --title 'This week'
  sudoku-corpus report rated.parquet --out - > rated.md   Markdown on standard output
  sudoku-corpus report corpus --levels newspaper          with a table of the levels of newspapers
  sudoku-corpus report puzzles.txt --out puzzles.md --data puzzles-data")]
pub(super) struct Args {
    /// Folders of corpora, files of rows (.parquet, .csv.zst, .csv) or of puzzles; - for standard input.
    #[arg(required = true, value_name = "CORPUS")]
    corpora: Vec<InputPath>,
    /// The page: .html, or .md for Markdown without plots; - for Markdown on standard output.
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    out: OutputPath,
    /// The folder for the plots and their data; REPORT-data beside REPORT.html by default, none for Markdown.
    #[arg(long, value_name = "DIR")]
    data: Option<OutputFolder>,
    /// Write the page only, without a folder of plots and data.
    #[arg(long, conflicts_with = "data")]
    no_data: bool,
    /// Also count your own levels: newspaper, or a TOML file. The levels of the corpora are the default; see `guide
    /// publishing`.
    #[arg(long, value_name = "LEVELS")]
    levels: Option<InputPath>,
    /// The heading; the name of the corpus by default.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

/// A longer file is not shown, because it cannot be a recipe.
const LONGEST_RECIPE: u64 = 1 << 16;

/// Counts the rows and writes the page, and the folder of plots and data beside it. Corpora that were rated with other
/// techniques get sections of their own.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let form = form(&args.out)?;
    let mut corpora = plain(&args.corpora);
    let standard = args.out == Path::new("-");
    let levels = args.levels.as_deref().map(|name| Levels::open(&name.to_string_lossy(), Path::new("")));
    let levels = levels.transpose().map_err(Usage)?.or_else(|| Levels::of_corpora(&corpora));
    let named = name_of(&corpora);
    let mut copies = None;
    if levels.is_some() {
        // The levels are counted in a second reading.
        corpora = read_again(corpora, &mut copies)?;
    }
    let beside = (!args.no_data && form == Form::Html).then(|| data_beside(&args.out));
    let data = args.data.map(|folder| folder.to_path_buf()).or(beside);
    Output::probe(&args.out)?;
    let stop = options::stop_at_once()?;
    let groups = by_ladder(&corpora)?;
    let (summaries, own) = Bars::during(global, &["read"], |progress| -> anyhow::Result<_> {
        let summaries: Result<Vec<_>, _> = groups.values().map(|sources| summarize(sources, progress)).collect();
        let job = global.job(progress, &stop);
        Ok((summaries?, levels.map(|levels| own_levels(&levels, &corpora, &job)).transpose()?))
    })?;
    let recipe = recipe(&corpora)?;
    let title = args.title.unwrap_or(named);
    let mut page = Document { title: title.clone(), blocks: Vec::new() };
    let known = groups.keys().filter(|ladder| !ladder.is_empty()).cloned().collect();
    page.blocks.extend(differing(&known).map(Block::Verdict));
    for ((at, (ladder, sources)), summary) in groups.iter().enumerate().zip(&summaries) {
        let part = document(summary, &title, recipe.as_deref())?;
        page.blocks.extend(if groups.len() > 1 { lettered(at, ladder, sources, part) } else { part.blocks });
    }
    let after_first = 1.min(page.blocks.len());
    page.blocks.splice(after_first..after_first, own.into_iter().flatten());
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
    let beside = data.map_or(String::new(), |folder| format!("; plots and data in {}", folder.display()));
    let rows = counted(summaries.iter().map(|summary| summary.rows).sum(), "row");
    global.say(format_args!("{rows} in {}{beside}", paths::name(&args.out)));
    Ok(Outcome::Done)
}

/// A table with the number of puzzles of each of the user's levels.
fn own_levels(levels: &Levels, sources: &[PathBuf], job: &Job<'_>) -> anyhow::Result<Vec<Block>> {
    let (counts, rows) = count(levels, sources, job)?;
    let mut table = Table::new(&["level", "puzzles", "share"]);
    let none = rows.saturating_sub(counts.iter().sum());
    let names = level_texts(levels, &Language::default()).into_iter().map(|texts| texts.name);
    for (name, puzzles) in names.zip(counts).chain([("none of these".to_owned(), none)]) {
        table.rows.push(vec![name, grouped(puzzles.into()), percent(puzzles, rows)]);
    }
    let text = "These are your own levels. `export`, `book` and recipes use the same names.";
    Ok(vec![Block::Heading("Levels".to_owned()), Block::Table(table), Block::Text(text.to_owned())])
}

/// The form of a page: by the name of its file, or Markdown on standard output.
pub(super) fn form(out: &Path) -> Result<Form, Usage> {
    let named = if out == Path::new("-") { Some(Form::Markdown) } else { Form::of_name(out) };
    named.ok_or_else(|| Usage(format!("{}: the name must end in .html or .md", out.display())))
}

/// Groups the sources by the way in which their rows were rated: ladder, limit of ER, versions of the scales. Sources
/// without this information form one group.
fn by_ladder(corpora: &[PathBuf]) -> anyhow::Result<BTreeMap<String, Vec<PathBuf>>> {
    let line = |recipe: &str, key: &str| {
        let found = recipe.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='));
        format!("{key} {}", found.unwrap_or("?").trim())
    };
    let mut groups: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for source in corpora {
        let first = if source.is_dir() { part_files(source)?.into_iter().next() } else { Some(source.clone()) };
        let metadata = first.map(|first| Metadata::of_file(&first)).transpose()?.flatten();
        let how = metadata.map(|metadata| {
            let recipe = metadata.recipe.unwrap_or_default();
            let scales = metadata.scales.into_iter().map(|(scale, version)| format!("{scale}: {version}"));
            let scales = scales.collect::<Vec<_>>().join("; ");
            [line(&recipe, "techniques"), line(&recipe, "er_limit"), scales].join(", ")
        });
        groups.entry(how.unwrap_or_default()).or_default().push(source.clone());
    }
    Ok(groups)
}

/// The part of a page about sources that were rated in the same way. A letter distinguishes it from the other parts.
fn lettered(at: usize, ladder: &str, sources: &[PathBuf], part: Document) -> Vec<Block> {
    let letter = char::from(b'A' + (at % 26) as u8);
    let how = if ladder.is_empty() { "the files do not say how the rows were rated" } else { "rated in the same way" };
    let head = Block::Verdict(format!("Part {letter}: {} ({how}).", name_of(sources)));
    let named = part.blocks.into_iter().map(|block| match block {
        Block::Heading(text) => Block::Heading(format!("{letter}: {text}")),
        Block::Figure(mut figure) => {
            figure.plot.id = format!("{letter}-{}", figure.plot.id);
            Block::Figure(figure)
        }
        block => block,
    });
    std::iter::once(head).chain(named).collect()
}

/// The warning about sources that were rated in different ways.
fn differing(ladders: &BTreeSet<String>) -> Option<String> {
    let part = |at: usize| ladders.iter().map(move |ladder| ladder.splitn(3, ", ").nth(at)).collect::<BTreeSet<_>>();
    let what = ["ladders of techniques", "limits of ER", "versions of the rating scales"];
    let what: Vec<&str> = (0..3).filter(|&at| part(at).len() > 1).map(|at| what[at]).collect();
    (ladders.len() > 1).then(|| {
        format!(
            "The sources were rated with different {}. So each group has its own part below, and levels, scores and ratings \
             of different parts cannot be compared. `analyze` can rate all puzzles in the same way.",
            what.join(" and ")
        )
    })
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
        let more = format!("{} more", names.len() - 2);
        names.splice(2.., [more]);
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_ladders_are_named() {
        let of = |ladders: &[&str]| differing(&ladders.iter().map(|&ladder| ladder.to_owned()).collect());
        assert_eq!(of(&["techniques all, er_limit 9, scales"]), None);
        let said = of(&["techniques all, er_limit 9, scales", "techniques \"singles\", er_limit 9, scales"]).unwrap();
        assert!(said.contains("different ladders of techniques."), "{said}");
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
