//! The card of a data set, and the other files beside the rows.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Release, Released, write_text};
use crate::publish::PublishError;
use crate::publish::split::Splitter;
use sudoku_corpus_core::page::numbers::{grouped, percent};
use sudoku_corpus_core::rate::Level;
use sudoku_corpus_store::corpus::{COLUMNS, ColumnType, CorpusError, PROGRAM_VERSION, Record, SCALES, STEP_COLUMNS};

/// Writes all files but the rows.
pub(super) fn write(
    folder: &Path,
    request: &Release,
    splitter: &Splitter,
    released: &Released,
) -> Result<(), PublishError> {
    write_text(&folder.join("README.md"), &card(request, splitter, released))?;
    write_text(&folder.join("CITATION.cff"), &citation(request))?;
    let recipes = match released.recipes.as_slice() {
        [] => "# The rows come from files that carry no recipe.\n".to_owned(),
        list => list.join("\n# ---- another recipe ----\n"),
    };
    write_text(&folder.join("recipe.toml"), &recipes)?;
    let mut files = Vec::new();
    list(folder, &mut files).map_err(|source| CorpusError::Io { doing: "read", path: folder.to_owned(), source })?;
    let mut lines = String::new();
    for file in files {
        let bytes = |source| CorpusError::Io { doing: "read", path: file.clone(), source };
        let mut hash = blake3::Hasher::new();
        hash.update_reader(fs::File::open(&file).map_err(bytes)?).map_err(bytes)?;
        let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().into_owned();
        let _ = writeln!(lines, "{}  {name}", hash.finalize().to_hex());
    }
    write_text(&folder.join("CHECKSUMS.b3"), &lines)
}

/// Every file in a folder and below it, in order of their names.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() { list(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// A text as YAML: in quotes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn citation(request: &Release) -> String {
    let author = if request.author.is_empty() { "The authors of the data set" } else { &request.author };
    format!(
        "cff-version: 1.2.0\nmessage: \"Cite the data set as below.\"\ntype: dataset\ntitle: {}\nauthors:\n  - name: {}\nlicense: {}\n\
         references:\n  - type: software\n    title: sudoku-corpus\n    version: {PROGRAM_VERSION}\n    authors:\n      - name: \"The authors of sudoku-corpus\"\n",
        quoted(&request.title),
        quoted(author),
        quoted(&request.license)
    )
}

fn card(request: &Release, splitter: &Splitter, released: &Released) -> String {
    format!("{}{}", header(request, released), body(request, splitter, released))
}

/// The YAML header that `datasets` reads.
fn header(request: &Release, released: &Released) -> String {
    let mut text = format!(
        "---\npretty_name: {}\nlicense: {}\nlanguage:\n- en\ntags:\n- sudoku\n- puzzles\n- reasoning\nsize_categories:\n- {}\n",
        quoted(&request.title),
        request.license,
        size_category(released.rows())
    );
    let sizes = |steps: bool| {
        released.splits.iter().map(move |split| match steps {
            false => (split.name.as_str(), split.rows, split.bytes),
            true => (split.name.as_str(), split.steps, split.step_bytes),
        })
    };
    let puzzles: Vec<(String, String)> =
        COLUMNS.iter().map(|column| (column.name.to_string(), format!("dtype: {}", type_name(column.kind)))).collect();
    let steps = STEP_COLUMNS.iter().map(|column| (column.name.to_owned(), column.feature().to_owned())).collect();
    let configs = [("puzzles", puzzles, false), ("steps", steps, true)];
    let configs = &configs[..1 + usize::from(request.steps)];
    text.push_str("configs:\n");
    for (name, _, of_steps) in configs {
        let default = if *name == "puzzles" { "  default: true\n" } else { "" };
        let _ = write!(text, "- config_name: {name}\n{default}  data_files:\n");
        for (split, ..) in sizes(*of_steps).filter(|(_, rows, _)| *rows > 0) {
            let _ = write!(text, "  - split: {split}\n    path: {name}/{split}-*.parquet\n");
        }
    }
    text.push_str("dataset_info:\n");
    for (name, features, of_steps) in configs {
        let _ = write!(text, "- config_name: {name}\n  features:\n");
        for (feature, kind) in features {
            let _ = write!(text, "  - name: {feature}\n    {kind}\n");
        }
        text.push_str("  splits:\n");
        let mut all = 0;
        for (split, rows, bytes) in sizes(*of_steps).filter(|(_, rows, _)| *rows > 0) {
            let _ = write!(text, "  - name: {split}\n    num_bytes: {bytes}\n    num_examples: {rows}\n");
            all += bytes;
        }
        let _ = write!(text, "  download_size: {all}\n  dataset_size: {all}\n");
    }
    text + "---\n\n"
}

fn type_name(kind: ColumnType) -> String {
    if kind == ColumnType::Flag { "bool".to_owned() } else { kind.name().to_lowercase() }
}

fn size_category(rows: u64) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        10_000_000..100_000_000 => "10M<n<100M",
        _ => "100M<n<1B",
    }
}

fn body(request: &Release, splitter: &Splitter, released: &Released) -> String {
    let rows = released.rows();
    let n = |number: u64| grouped(number.into());
    let copies = match (request.keep_copies, released.copies) {
        (true, _) => "Not known: copies were not searched for.".to_owned(),
        (false, 0) => "No two puzzles are essentially the same (isomorphic); none had to be left out.".to_owned(),
        (false, some) => {
            format!("No two puzzles are essentially the same (isomorphic); {} copies were left out.", n(some))
        }
    };
    let splits = match &request.splitter {
        None => "It was not split.".to_owned(),
        Some(_) => {
            let near = match released.near {
                0 => String::new(),
                some => format!(" {} puzzles were left out because they are too near to another split.", n(some)),
            };
            format!(
                "`{}`, by a hash of {} and the seed {}. {}{near} The split of a puzzle depends on the puzzle alone: a larger \
                 release moves no puzzle.",
                splitter.splits,
                match splitter.apart {
                    super::Apart::Exact => "the puzzle",
                    super::Apart::Isomorph => "its class",
                    _ => "the class of its solution grid",
                },
                splitter.seed,
                splitter.apart.promise()
            )
        }
    };
    let counts = released.summary.together();
    let cost = match released.tries {
        0 => "Not known: the rows have no count of tries.".to_owned(),
        tries => format!("{} full grids were dug for {} puzzles.", n(tries), n(rows)),
    };
    let mut text = format!(
        "# {}\n\n* **Is every puzzle unique?** Yes: all {} have exactly one solution, found by exhaustive search. {} are minimal.\n\
         * **Are there copies?** {copies}\n* **How was it split?** {splits}\n* **What did it cost to make?** {cost}\n\
         * **How hard are they?** {} are solved by naked and hidden singles alone.\n\n",
        request.title,
        n(rows),
        percent(counts.minimal[1], rows),
        percent(counts.guesses.count(0), counts.guesses.total())
    );
    text.push_str("| split | puzzles |");
    text.push_str(if request.steps { " steps |\n|---|--:|--:|\n" } else { "\n|---|--:|\n" });
    for split in &released.splits {
        let steps = if request.steps { format!(" {} |", n(split.steps)) } else { String::new() };
        let _ = writeln!(text, "| {} | {} |{steps}", split.name, n(split.rows));
    }
    text.push_str("\n| level (HoDoKu's scale) | puzzles |\n|---|--:|\n");
    for (level, number) in Level::ALL.into_iter().zip(counts.levels).filter(|(_, number)| *number > 0) {
        let _ = writeln!(text, "| {level} | {} ({}) |", n(number), percent(number, rows));
    }
    text.push_str(
        "\n## Load it\n\n```python\nfrom datasets import load_dataset\npuzzles = load_dataset(\"FOLDER\", \"puzzles\")\n\nimport polars, duckdb, \
         pandas\npolars.scan_parquet(\"FOLDER/puzzles/*.parquet\")\nduckdb.sql(\"FROM 'FOLDER/puzzles/*.parquet'\")\n\
         pandas.read_parquet(\"FOLDER/puzzles\")\n```\n\n`b3sum --check CHECKSUMS.b3` checks the files.\n",
    );
    text.push_str("\n## Fields of `puzzles`\n\n");
    text.push_str(&fields(&released.samples));
    if request.steps {
        text.push_str(
            "\n## Fields of `steps`\n\nOne row per step. `index` and `class` name the puzzle. `technique`, `digits`, `cells`, `base` and `cover` describe the pattern; \
             `place_cells`, `place_digits`, `remove_cells` and `remove_digits` are all its conclusions; `board` and `candidates` are the position \
             before the step. Cells are numbered row by row from 0. `candidates` has a word for each cell with the digits that are possible, or `.` for a filled cell. \
             All steps of one `round` are found in the same position. `tokens` and `sentence` say the same as text.\n",
        );
    }
    text.push_str("\n## Known limits\n\n");
    let _ = write!(
        text,
        "* Puzzles that were dug to be minimal have fewer givens than a fair sample of minimal puzzles; `log_weight`, where given, corrects for it.\n\
         * Levels and scores come from one ladder of techniques, tried in one order. `finished` is false for puzzles that the ladder does not solve.\n\
         * For about one random puzzle in 200, and 2 to 11 % of lists of hard puzzles, ER, EP and ED are not the same for all isomorphs (rotated, reflected or shuffled copies). `se_exact` is false for lower bounds.\n\
         * {} rows were left out because they are not known to have one solution, {} because the split cannot be computed for them.\n",
        n(released.improper),
        n(released.unknown)
    );
    text.push_str("\n## How it was made\n\n");
    let origin = match released.recipes.as_slice() {
        [] => "from files that carry no recipe",
        _ => "`recipe.toml` makes the rows again",
    };
    let _ = writeln!(text, "By sudoku-corpus {PROGRAM_VERSION}; {origin}. Scales:\n");
    for (columns, scale) in SCALES {
        let _ = writeln!(text, "* `{columns}`: {scale}");
    }
    text
}

/// A table of the columns: meaning and values in the first rows. The columns of techniques share one line.
fn fields(samples: &[Record]) -> String {
    let mut text = "| field | type | meaning | in the first rows |\n|---|---|---|---|\n".to_owned();
    for column in COLUMNS.iter().filter(|column| !column.name.starts_with("n_")) {
        let values: Vec<String> = samples.iter().map(|record| format!("`{}`", column.get(record))).collect();
        let about = column.about.replace('|', "\\|");
        let unit = if column.unit.is_empty() { String::new() } else { format!(" ({})", column.unit) };
        let _ = writeln!(
            text,
            "| `{}` | {} | {about}{unit} | {} |",
            column.name,
            type_name(column.kind),
            values.join("<br>")
        );
    }
    text + "| `n_<technique>` | uint32 | number of steps in which the ladder used the technique (steps) | |\n"
}
