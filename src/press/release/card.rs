//! Writes the card of a data set, and the other files beside the rows.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::choice::split::{Apart, Splitter};
use crate::error::PublishError;
use crate::release::data::{
    CHECKSUMS, Config, Feature, FileTotals, HINTS, PUZZLES, Release, Released, SHA_CHECKSUMS, STEPS, SplitFiles, Sum,
};
use crate::release::{croissant, made};
use sudoku_corpus_core::page::numbers::{counted, grouped, percent, tenths};
use sudoku_corpus_store::corpus::{
    COLUMNS, ColumnType, CorpusError, PROGRAM_VERSION, SCALES, STEP_COLUMNS, Steady, files_below, read_small_text,
    write_file,
};
use sudoku_corpus_store::study::{Number, Summary};

/// Writes all files but the rows into the folder of a release: card, citation, recipes, license, checksums and
/// Croissant.
///
/// # Errors
/// A file cannot be read or written.
pub(crate) fn write(
    folder: &Path,
    request: &Release,
    splitter: &Splitter,
    released: &Released,
) -> Result<(), PublishError> {
    let configs = configs(request, released);
    let split = how_split(request, splitter, released);
    write_file(&folder.join("README.md"), header(request, released, &configs) + &body(request, &split, released))?;
    write_file(&folder.join("CITATION.cff"), citation(request, released))?;
    let recipes = match released.recipes.as_slice() {
        [] => "# The rows come from files that carry no recipe.\n".to_owned(),
        list => list.join("\n# ---- another recipe ----\n"),
    };
    write_file(&folder.join("recipe.toml"), &recipes)?;
    if let Some(path) = &released.license.file {
        let text = read_small_text(path).map_err(CorpusError::io("read", path))?;
        write_file(&folder.join("LICENSE"), &text)?;
    }
    // Croissant lists the checksums of all files before it, and the files of checksums list Croissant too.
    let mut sums = sums(folder)?;
    let metadata = croissant::text(request, released, &split, &configs, &sums);
    let file = folder.join("croissant.json");
    write_file(&file, &metadata)?;
    sums.push(sum(folder, &file)?);
    sums.sort_by(|a, b| Path::new(&a.name).cmp(Path::new(&b.name)));
    let sha256: String = sums.iter().map(|sum| format!("{}  {}\n", sum.sha256, sum.name)).collect();
    let blake3: String = sums.iter().map(|sum| format!("{}  {}\n", sum.blake3, sum.name)).collect();
    write_file(&folder.join(SHA_CHECKSUMS), sha256)?;
    Ok(write_file(&folder.join(CHECKSUMS), blake3)?)
}

/// The checksums of all files, in the order of their names.
fn sums(folder: &Path) -> Result<Vec<Sum>, PublishError> {
    let mut files = files_below(folder).map_err(CorpusError::io("read", folder))?;
    // What is hidden is a temporary folder that the system did not let go.
    files.retain(|file| file.is_file() && !is_hidden(file.strip_prefix(folder).unwrap_or(file)));
    files.sort();
    files.par_iter().map(|file| sum(folder, file)).collect()
}

fn sum(folder: &Path, file: &Path) -> Result<Sum, PublishError> {
    let mut reader = Steady(fs::File::open(file).map_err(CorpusError::io("read", file))?);
    let mut blake3 = blake3::Hasher::new();
    let mut sha256 = hmac_sha256::Hash::new();
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        let read = reader.read(&mut buffer).map_err(CorpusError::io("read", file))?;
        if read == 0 {
            break;
        }
        rayon::join(|| _ = blake3.update(&buffer[..read]), || sha256.update(&buffer[..read]));
        bytes += read as u64;
    }
    let name = file.strip_prefix(folder).unwrap_or(file).to_string_lossy().into_owned();
    let sha256 = sha256.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Sum { name, bytes, blake3: blake3.finalize().to_hex().to_string(), sha256 })
}

/// The configurations with their columns. Columns without values are not in the files.
fn configs(request: &Release, released: &Released) -> Vec<Config> {
    let mut features = Vec::new();
    for column in COLUMNS.iter().filter(|column| released.columns.contains(&*column.name)) {
        let kind = format!("dtype: {}", type_name(column.kind));
        features.push(Feature { name: column.name.to_string(), kind, about: column.about.to_string() });
    }
    for (name, about) in made::COLUMNS.into_iter().filter(|(name, _)| released.columns.contains(*name)) {
        let kind = "dtype: string".to_owned();
        features.push(Feature { name: name.to_owned(), kind, about: about.to_owned() });
    }
    let mut configs = vec![Config { name: PUZZLES, about: "One row for each puzzle.", features }];
    if request.steps {
        let features: Vec<Feature> = STEP_COLUMNS
            .iter()
            .map(|column| Feature {
                name: column.name.to_owned(),
                kind: column.feature().to_owned(),
                about: String::new(),
            })
            .collect();
        let about = "One row for each step, in the order of the ladder.";
        configs.push(Config { name: STEPS, about, features: features.clone() });
        configs.push(Config { name: HINTS, about: "One row for each hint of Sudoku Explainer.", features });
    }
    configs
}

/// True for a path below a folder whose name begins with a point.
fn is_hidden(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
}

/// A text as YAML: in quotes.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn citation(request: &Release, released: &Released) -> String {
    let date = request.date.map_or(String::new(), |date| format!("date-released: {date}\n"));
    format!(
        "cff-version: 1.2.0\nmessage: \"Cite the data set as below.\"\ntype: dataset\ntitle: {}\nauthors:\n  - name: {}\nlicense: {}\n{date}\
         references:\n  - type: software\n    title: sudoku-corpus\n    version: {PROGRAM_VERSION}\n    authors:\n      - name: \"The authors of sudoku-corpus\"\n",
        quoted(&request.title),
        quoted(request.author()),
        quoted(&released.license.name)
    )
}

/// The YAML header of the card, which `datasets` reads: the title, where the files of each configuration and split are,
/// and its columns.
fn header(request: &Release, released: &Released, configs: &[Config]) -> String {
    let mut text = format!(
        "---\npretty_name: {}\nlicense: {}\nlanguage:\n- en\ntags:\n- sudoku\n- puzzles\n- reasoning\nsize_categories:\n- {}\n",
        quoted(&request.title),
        released.license.hub,
        size_category(released.rows())
    );
    if released.license.file.is_some() {
        text += &format!("license_name: {}\nlicense_link: LICENSE\n", released.license.name.to_ascii_lowercase());
    }
    text.push_str("configs:\n");
    for config in configs {
        let default = if config.name == PUZZLES { "  default: true\n" } else { "" };
        text += &format!("- config_name: {}\n{default}  data_files:\n", config.name);
        for (SplitFiles { name, .. }, _) in splits_with_rows(config, released) {
            text += &format!("  - split: {name}\n    path: {}/{name}-*.parquet\n", config.name);
        }
    }
    text.push_str("dataset_info:\n");
    for config in configs {
        text += &format!("- config_name: {}\n  features:\n", config.name);
        for Feature { name, kind, .. } in &config.features {
            text += &format!("  - name: {name}\n    {kind}\n");
        }
        text.push_str("  splits:\n");
        let mut total = 0;
        for (SplitFiles { name, .. }, FileTotals { rows, bytes }) in splits_with_rows(config, released) {
            text += &format!("  - name: {name}\n    num_bytes: {bytes}\n    num_examples: {rows}\n");
            total += bytes;
        }
        text += &format!("  download_size: {total}\n  dataset_size: {total}\n");
    }
    text + "---\n\n"
}

/// The splits that have rows in a configuration, with the totals of their files in it.
fn splits_with_rows<'a>(config: &Config, released: &'a Released) -> Vec<(&'a SplitFiles, FileTotals)> {
    let totals = |split: &SplitFiles| match config.name {
        STEPS => split.steps,
        HINTS => split.hints,
        _ => split.puzzles,
    };
    released.splits.iter().map(|split| (split, totals(split))).filter(|(_, totals)| totals.rows > 0).collect()
}

/// The name of a type as `datasets` writes it.
fn type_name(kind: ColumnType) -> String {
    if kind == ColumnType::Flag { "bool".to_owned() } else { kind.name().to_lowercase() }
}

/// The class of sizes of the Hugging Face Hub.
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

/// How the puzzles were split, as a sentence.
fn how_split(request: &Release, splitter: &Splitter, released: &Released) -> String {
    if request.split.is_none() {
        return "It was not split.".to_owned();
    }
    let hashed = match splitter.apart {
        Apart::Exact => "the puzzle",
        Apart::Isomorph => "its class",
        _ => "the class of its solution grid",
    };
    let (Splitter { splits, seed, .. }, promise) = (splitter, splitter.apart.promise());
    let mut text = format!("`{splits}`, by a hash of {hashed} and the seed {seed}. {promise}");
    if released.near > 0 {
        let puzzles = counted(grouped(released.near.into()), "puzzle");
        text += &format!(" Left out because too near to another split: {puzzles}.");
    }
    if let Some(control) = &request.control {
        text += &format!(
            " Only the split `{control}` has leaks of the first split, which are labeled; every promise is about the other rows."
        );
    }
    text + " The split of a puzzle depends on the puzzle alone: a larger release moves no puzzle."
}

const LOADING: &str = "\n## Load it\n\n\
     The rows of a split have the order of the corpus, which may be that of their ER: shuffle them before training.\n\n\
     ```python\nfrom datasets import load_dataset\npuzzles = load_dataset(\"FOLDER\", \"puzzles\")\n\n\
     import polars, duckdb, pandas\npolars.scan_parquet(\"FOLDER/puzzles/*.parquet\")\n\
     duckdb.sql(\"FROM 'FOLDER/puzzles/*.parquet'\")\npandas.read_parquet(\"FOLDER/puzzles\")\n```\n\n\
     `sha256sum --check SHA256SUMS` and `b3sum --check CHECKSUMS.b3` check the files. `croissant.json` describes them for programs.\n";

const STEP_FIELDS: &str = "\n## Fields of `steps`\n\n\
     One row per step. `row` and `class` name the puzzle. `technique`, `digits`, `cells`, `base` and `cover` describe the pattern; \
     `place_cells`, `place_digits`, `remove_cells` and `remove_digits` are all its conclusions; `board` and `candidates` are the position \
     before the round of the step. Cells are numbered row by row from 0. `candidates` has a word for each cell with the digits that are possible, or \
     `.` for a filled cell. All steps of one `round` are found in the same position. `tokens` and `sentence` say the same as text. \
     `hints` has the same fields for the solution that Sudoku Explainer gives: `technique` is the name of its hint, and `se_tenths` the \
     rating. Other boards than 9x9 have no hints.\n";

/// The card after its header: answers to the questions that readers ask first, tables of splits, levels and ratings,
/// how to load the rows, fields, limits, and origin. `splits` says how the rows were split.
fn body(request: &Release, splits: &str, released: &Released) -> String {
    let mut summary = Summary::default();
    for split_summary in &released.summaries {
        summary.merge(split_summary.clone());
    }
    let mut text = first_answers(request, splits, released, &summary);
    text += &split_table(request, released);
    text.push_str(what_is_counted(released));
    text.push_str(&levels(&summary));
    text.push_str(&ratings(request, released));
    text.push_str(&roles(released));
    text.push_str(LOADING);
    text.push_str("\n## Fields of `puzzles`\n\n");
    text.push_str(&fields(released));
    if request.steps {
        text.push_str(STEP_FIELDS);
    }
    text += &format!(
        "\n## Known limits\n\n\
         * Puzzles that were dug to be minimal have fewer givens than a fair sample of minimal puzzles; `log_weight`, where given, corrects for it.\n\
         * Levels and scores come from one ladder of techniques, tried in one order. `finished` is false for puzzles that the ladder does not solve.\n\
         * For about one random puzzle in 200, and 2 to 11 % of lists of hard puzzles, ER, EP and ED are not the same for all isomorphs (rotated, reflected or shuffled copies). `se_exact` is false for lower bounds.\n\
         * {} rows were left out because they are not known to have one solution, {} because the split cannot be computed for them, \
         {} because they cannot be read or say what is not true of their puzzle.\n",
        grouped(released.improper.into()),
        grouped(released.unknown.into()),
        grouped(released.skipped.into())
    );
    let origin = match released.recipes.is_empty() {
        true => "from files that carry no recipe",
        false => "`recipe.toml` makes the rows again",
    };
    text += &format!("\n## How it was made\n\nBy sudoku-corpus {PROGRAM_VERSION}; {origin}. Scales:\n\n");
    for (columns, scale) in SCALES {
        text += &format!("* `{columns}`: {scale}\n");
    }
    text
}

/// The title, and answers to the questions that readers ask first.
fn first_answers(request: &Release, splits: &str, released: &Released, summary: &Summary) -> String {
    let answers = summary.together();
    let copies = match released.copies {
        0 => "none had to be left out".to_owned(),
        copies => format!("left out: {}", counted(grouped(copies.into()), "copy")),
    };
    let tries = answers.tally(Number::TRIES);
    format!(
        "# {}\n\n* **Is every puzzle unique?** Yes: all {} have exactly one solution, found by exhaustive search. {} are minimal.\n\
         * **Are there copies?** No two puzzles are isomorphic; {copies}.\n* **How was it split?** {splits}\n\
         * **What did it cost to make?** {}\n\
         * **How hard are they?** {} are solved by naked and hidden singles alone.\n\n",
        request.title,
        grouped(answers.rows.into()),
        percent(answers.minimal()[1], answers.rows),
        cost(tries.sum(), tries.total(), answers.rows, released.of_corpora && released.rows_left_out() == 0),
        answers.tally(Number::GUESSES).percent(0)
    )
}

fn split_table(request: &Release, released: &Released) -> String {
    let mut text = match request.steps {
        true => "| split | puzzles | steps | hints |\n|---|--:|--:|--:|\n".to_owned(),
        false => "| split | puzzles |\n|---|--:|\n".to_owned(),
    };
    for split in &released.splits {
        let [rows, steps, hints] = [split.puzzles, split.steps, split.hints].map(|totals| grouped(totals.rows.into()));
        let steps = if request.steps { format!(" {steps} | {hints} |") } else { String::new() };
        text += &format!("| {} | {rows} |{steps}\n", split.name);
    }
    text
}

/// How many full grids the puzzles of the release took, as far as it is known: `counted_rows` of them have a count.
/// `is_all`: the release has all puzzles that were made.
fn cost(grids: u128, counted_rows: u64, rows: u64, is_all: bool) -> String {
    let grids = counted(grouped(grids), "full grid");
    let puzzles = counted(grouped(counted_rows.into()), "puzzle");
    match counted_rows {
        0 => "Not known: the rows have no count of tries.".to_owned(),
        some if some < rows => format!("{grids} for the {puzzles} of this release whose tries are known."),
        _ if is_all => format!("{grids} for {puzzles}."),
        _ => format!("{grids} for the {puzzles} of this release. Those of rows that are not in it are not counted."),
    }
}

/// What the table of splits counts and the rest of the card does not, if the release made rows of its own.
fn what_is_counted(released: &Released) -> &'static str {
    match released.roles.is_empty() {
        true => "",
        false => {
            "\nThis table counts all rows, also leaks and probes. The answers above, and the tables down to \"Leaks and probes\", \
             count only the other rows.\n"
        }
    }
}

/// A table of the numbers of puzzles of each ER by split, if there is a control split.
fn ratings(request: &Release, released: &Released) -> String {
    if request.control.is_none() {
        return String::new();
    }
    let splits: Vec<&str> =
        released.splits.iter().map(|split| split.name.as_str()).filter(|name| *name != made::PROBES).collect();
    // By ER in tenths, the puzzles of each split.
    let mut puzzles_by_er: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for (split, summary) in released.summaries.iter().enumerate() {
        for (er, puzzles) in summary.together().tally(Number::ER).iter() {
            puzzles_by_er.entry(er).or_insert_with(|| vec![0; released.summaries.len()])[split] = puzzles;
        }
    }
    let mut text = format!("\n| ER | {} |\n|---|{}\n", splits.join(" | "), "--:|".repeat(splits.len()));
    for (er, puzzles) in &puzzles_by_er {
        let numbers: Vec<String> = puzzles.iter().map(u64::to_string).collect();
        text += &format!("| {} | {} |\n", tenths(*er), numbers.join(" | "));
    }
    let mut gaps = Vec::new();
    for (split, name) in splits.iter().enumerate() {
        let empty = puzzles_by_er.values().filter(|puzzles| puzzles[split] == 0).count();
        if empty > 0 {
            gaps.push(format!("{empty} of {} in `{name}`", puzzles_by_er.len()));
        }
    }
    if !gaps.is_empty() {
        text += &format!(
            "\nTenths of ER without a puzzle: {}. A set with more puzzles for each tenth has fewer of these gaps.\n",
            gaps.join(", ")
        );
    }
    text
}

/// A table of the rows that the release made.
fn roles(released: &Released) -> String {
    if released.roles.is_empty() {
        return String::new();
    }
    let mut text = "\n## Leaks and probes\n\n| split | role | rows |\n|---|---|--:|\n".to_owned();
    for ((split, role), rows) in &released.roles {
        text += &format!("| {split} | {role} | {rows} |\n");
    }
    let isomorphs = released.roles.iter().filter(|((_, role), _)| role == "isomorph").map(|(_, rows)| *rows);
    text += &format!(
        "\n`origin` is the class of the puzzle from which a row was made. In a control split, `isomorph` is a relabeled puzzle of the \
         first split, `same_grid` another puzzle with its solution, and `neighbor` has one given exchanged, both of an ER at most 0.5 away. \
         Among the probes, `empty_N` are full grids with N empty cells, `no_solution` has one wrong given (its steps lead to a \
         contradiction, the last row), `two_solutions` lacks one given (both solutions are columns), `board_NxN` has the level of a puzzle \
         of 9x9, and `isomorph` is the same puzzle {}.\n",
        times(isomorphs.max().unwrap_or(0))
    );
    text
}

/// How often the isomorphs among the probes show the same puzzle.
fn times(isomorphs: u64) -> String {
    match isomorphs {
        0..made::ISOMORPHS => counted(isomorphs, "time"),
        _ if isomorphs.is_multiple_of(made::ISOMORPHS) => "ten times".to_owned(),
        _ => "up to ten times".to_owned(),
    }
}

/// The table of the levels. Puzzles without a level have a line of their own, so all shares add up to 1.
fn levels(summary: &Summary) -> String {
    let answers = summary.together();
    let mut text = format!("\n| level ({}) | puzzles |\n|---|--:|\n", answers.scale.scale());
    let mut without_level = answers.rows;
    let mut line = |name: &str, puzzles: u64| {
        text += &format!("| {name} | {} ({}) |\n", grouped(puzzles.into()), percent(puzzles, answers.rows));
    };
    for (level, puzzles) in answers.by_level().filter(|(_, puzzles)| *puzzles > 0) {
        line(level, puzzles);
        without_level -= puzzles;
    }
    if without_level > 0 {
        line("none: not rated, lower bounds only, or no level of the scale fits", without_level);
    }
    text
}

/// A table of the columns: meaning and values in the first rows. The columns of techniques share one line.
fn fields(released: &Released) -> String {
    let columns = &released.columns;
    let mut text = "| field | type | meaning | in the first rows |\n|---|---|---|---|\n".to_owned();
    for column in COLUMNS.iter().filter(|column| columns.contains(&*column.name) && !column.name.starts_with("n_")) {
        let samples: Vec<String> = released.samples.iter().map(|record| format!("`{}`", column.get(record))).collect();
        let about = column.about.replace('|', "\\|");
        let unit = if column.unit.is_empty() { String::new() } else { format!(" ({})", column.unit) };
        text +=
            &format!("| `{}` | {} | {about}{unit} | {} |\n", column.name, type_name(column.kind), samples.join("<br>"));
    }
    for (name, about) in made::COLUMNS.into_iter().filter(|(name, _)| columns.contains(*name)) {
        text += &format!("| `{name}` | string | {about} | |\n");
    }
    text + "| `n_<technique>` | uint32 | number of steps in which the ladder used the technique (steps) | |\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{FileTotals, Release, Released, SplitFiles, Summary, body, cost, levels, times};
    use sudoku_corpus_core::board::{Puzzle, text};
    use sudoku_corpus_store::corpus::Record;

    /// A row may be rated and meet no level of a scale with gaps.
    #[test]
    fn rows_without_a_level_are_not_called_unrated() {
        let puzzle = Puzzle::try_from(text::parse_line(&".".repeat(81), None).unwrap()).unwrap();
        let mut summary = Summary::default();
        summary.add(&Record::of_puzzle(0, puzzle));
        let table = levels(&summary);
        assert!(table.contains("or no level of the scale fits | 1 (100 %)"), "{table}");
    }

    #[test]
    fn a_card_says_which_of_its_numbers_count_leaks_and_probes() {
        let split = |name: &str, rows: u64| {
            let puzzles = FileTotals { rows, bytes: 0 };
            SplitFiles { name: name.to_owned(), puzzles, ..SplitFiles::default() }
        };
        let plain = Released { splits: vec![split("train", 5)], ..Released::default() };
        let role = |role: &str, rows: u64| (("control".to_owned(), role.to_owned()), rows);
        let roles = BTreeMap::from([role("clean", 73), role("isomorph", 29)]);
        let with_leaks = Released { splits: vec![split("control", 102)], roles, ..Released::default() };
        let told = "This table counts all rows, also leaks and probes.";
        let cards = [plain, with_leaks].map(|released| body(&Release::default(), "", &released));
        assert!(!cards[0].contains(told) && cards[1].contains("| control | 102 |"), "{}", cards[1]);
        assert!(cards[1].contains(told) && cards[1].contains("| control | clean | 73 |"), "{}", cards[1]);
    }

    #[test]
    fn isomorphs_of_the_probes_are_counted() {
        let shown = [1, 5, 10, 15, 20].map(times);
        assert_eq!(shown, ["1 time", "5 times", "ten times", "up to ten times", "ten times"]);
    }

    #[test]
    fn the_cost_is_that_of_the_puzzles_whose_tries_are_known() {
        let some = "36 full grids for the 36 puzzles of this release whose tries are known.";
        assert_eq!([cost(36, 36, 1_764, true), cost(50, 36, 36, true)], [some, "50 full grids for 36 puzzles."]);
        assert!(cost(50, 36, 36, false).ends_with("Those of rows that are not in it are not counted."));
        assert!(cost(0, 0, 36, true).starts_with("Not known"));
    }
}
