//! Names the commands and options of earlier versions, and says what to do instead.

use clap::error::{ContextKind, ContextValue};

use crate::corpus::GONE_KEYS;

/// What to do for regressions, tests and correlations.
const REGRESSIONS: &str = "`stats --replicates FILE` writes rows and jackknife weights, of which R's survey and Python's samplics \
                           compute regressions, tests and correlations; `guide statistics` shows how";
/// How to join a table.
const JOINS: &str = "`query 'SELECT * FROM puzzles JOIN times USING (puzzle)' CORPUS --table times=times.csv --out all.parquet` \
                     makes one table, of which `stats` computes figures";

/// The commands and options that are gone, in one command or (a bare option) in all, with `|` between several. A sentence
/// says what does their work now.
const GONE: &[(&str, &str)] = &[
    ("catalogue", "`cargo run --release --example catalogue` in the source counts the table of classes again"),
    ("gallery", "`export CORPUS --count 500 --caption level --out stock.html` makes a page of boards"),
    ("name", "`number PUZZLE` prints the name of a puzzle, and `number --name NAME` the puzzle of a name"),
    ("--class", "`number GRID` prints the rank of the grid's class, too"),
    (
        "--library",
        "the tests of the source replay HoDoKu's library of cases: cargo test -p sudoku-corpus-core --lib library",
    ),
    ("--notation", "`solve --steps` prints the steps in words"),
    (
        "resample",
        "`export POOL --count 1000 --pick weighted --out sample.parquet` draws in proportion to weights; `guide statistics`",
    ),
    ("--failures", "`check FILE | grep -v ,unique,` prints the lines of puzzles that fail"),
    ("bench --first", PROFILER),
    ("bench --rating", PROFILER),
    ("bench --techniques", PROFILER),
    ("--keep-copies", "a release has no two puzzles that are isomorphic"),
    ("stats --fit|stats --correlations|stats --compare", REGRESSIONS),
    ("--facets", "`--by` with two expressions draws each value of the second in a color of its own"),
    ("--join", JOINS),
    (
        "--total",
        "the number of puzzles of a grid is a mean: stats 'exp(log_weight) / tries AS puzzles' CORPUS --log-weight 'ln(tries)'",
    ),
    (
        "--allow-outside",
        "outputs of a recipe are files in the folder `outputs` of their corpus; copy them from there to where they are wanted",
    ),
    ("preflight", "a book keeps the rules of its printer (`book --printer`); for other files, the printer's own check"),
    (
        "cover",
        "`book .. --cover cover.pdf` draws the template, because the book knows its pages, its paper and its printer",
    ),
    (
        "--engine",
        "DuckDB reads the files of a corpus itself: duckdb -c \"SELECT count(*) FROM 'corpus/rows/*.parquet'\"",
    ),
    (
        "manifest",
        "parts say themselves what they are: move the parts of all machines into one folder rows/, and `run` there makes \
         those that are missing; `verify` checks all of them",
    ),
    ("--resume", "with a folder as --out, such as --out rated, the same command continues"),
    (
        "mask --board",
        "the rows and columns of a pattern are those of the board: a pattern of 16 rows makes 16x16 boards",
    ),
    (
        "--board",
        "`--shape` says what is read: 2x3 for the 6x6 board, 4x4 for the 16x16 board; `run` and `generate` have --board",
    ),
    ("query --schema", "`list columns` describes the columns"),
    ("export --schema", "`list schema` prints the JSON Schema of the format jsonl"),
    (
        "--score",
        "--where 'hodoku_score <= 500' chooses by HoDoKu's score, and --quota 'hodoku_score <= 500 = 100' counts",
    ),
    ("export --symmetry|book --symmetry", SYMMETRIES),
    ("generate --from|generate --to", RANKS),
    ("--figure|--pilot", PILOTS),
    (
        "--view",
        "`solve` prints a page for a puzzle on the command line and for --steps, and a line of CSV for each puzzle of a file",
    ),
    ("solve --all", "--solutions N prints up to N solutions of each puzzle"),
    ("coverage --grid", "the file stands for itself: coverage grids.txt"),
    ("coverage --strata", "`coverage --classes --samples N` counts the classes of all N draws"),
    (
        "coverage --recount",
        "the tests of the source count all grids again: cargo test --release -p sudoku-corpus-core --lib counted",
    ),
    ("number --grid", "--number N is the grid with this number"),
    ("--split-seed", "--seed is the seed of the split, too"),
    ("--no-minimal", "`minimal = false` in [analyze] of a recipe; other commands always test it"),
    ("--count-limit", "`count_limit` in [analyze] of a recipe; `solve --solutions N` prints up to N solutions"),
    ("--dig-budget", "`budget` in [dig] of a recipe"),
    ("export --only|book --only", AMONG),
    ("export --digits|book --digits", SYMBOLS),
    ("bench --only", "--work TEXT measures the lines whose name contains the text"),
    ("mask --budget", "--tries N is the number of tries for one puzzle"),
    ("nightly --date", "--night 2026-11-22 makes this night"),
    ("nightly --tries", "--give-up-after N gives a night up after N failures"),
    ("audit --json|score --json", NUMBERS),
    ("stats --classes", "--bins WIDTH estimates the shares of intervals of this width"),
    ("solve --scale", "--rater se prints the steps of Sudoku Explainer"),
    ("export --steps", "--steps-out FILE writes every step of the solutions"),
    ("--strip", "`book --with strip` prints the symbols below each puzzle"),
    ("--second-grid", "`book --with second-grid` prints an empty grid beside each puzzle"),
    ("--time", "`book --with time` prints a line for the time"),
    ("book --technique", "`book --with technique` prints the hardest technique"),
    ("--names", "`book --with names` prints the names of the classes"),
    ("--hints", "`book --with hints` adds pages with hints"),
    ("book --steps", "`book --with steps` adds pages with all steps"),
    ("--running-heads", "`book --with running-heads` prints titles over the pages"),
    ("--crop-marks", "`book --with crop-marks` prints lines that show where to cut"),
];

/// What says where rating spends its time.
const PROFILER: &str =
    "`perf record target/release/sudoku-corpus analyze FILE --out rated.csv` measures each function of a rater";
/// What does the work of a quota of symmetries.
const SYMMETRIES: &str =
    "--where \"symmetry = 'rotate-180'\" chooses by symmetry, and --quota \"symmetry = 'rotate-180' = 50\" counts";
/// What prints grids of the catalogue.
const RANKS: &str = "--ranks 1..1000 prints the grids of these ranks";
/// What says how many rows a figure needs.
const PILOTS: &str = "make a small corpus of the recipe; the column rows_for_1_percent of `stats givens PILOT --format csv` is \
                      the number of rows that gives an error of 1 %";
/// What writes numbers as JSON.
const NUMBERS: &str = "--out numbers.json writes the numbers of the page; --out may be repeated";
/// The choice among puzzles of a file.
const AMONG: &str = "--among FILE takes only isomorphs of the puzzles of the file";
/// The symbols in print.
const SYMBOLS: &str = "--symbols LIST prints other symbols for the digits";

/// Words that other programs use for a command of this one.
const WORDS: &[(&str, &str)] = &[
    ("make", "run"),
    ("create", "run"),
    ("new", "run"),
    ("publish", "export, book or release"),
    ("print", "book or export"),
    ("convert", "export FILE --all --out NAME, whose ending gives the format"),
    ("picture", "export --out 'puzzle-%.svg'"),
    ("calendar", "book or export, with --dates"),
    ("pdf", "book, or export --out NAME.pdf"),
    ("statistics", "stats"),
    ("validate", "check for puzzles, verify for a corpus"),
    ("rate", "analyze"),
    ("sql", "query"),
    ("version", "--version"),
];

/// What to do instead of a command or an option that is gone, or of a word that is none. `command` is the one of the
/// call. None for other mistakes.
pub(in crate::cli) fn instead(mistake: &clap::Error, command: &str) -> Option<String> {
    let named = |kind| match mistake.get(kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    };
    let name = named(ContextKind::InvalidSubcommand).or_else(|| named(ContextKind::InvalidArg))?;
    let in_command = format!("{command} {name}");
    let keys = GONE_KEYS.iter().filter(|(key, _)| name.strip_prefix("--") == Some(key));
    let is_named = |names: &str| names.split('|').any(|gone| gone == name || gone == in_command);
    let gone = GONE.iter().find(|(names, _)| is_named(names)).or_else(|| keys.into_iter().next());
    let word = WORDS.iter().find(|(word, _)| *word == name);
    match (gone, word) {
        (Some((_, sentence)), _) => Some(format!("{name} is gone: {sentence}")),
        (None, Some((_, command))) => Some(format!("there is no command '{name}': use {command}")),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_says_what_to_do_instead() {
        let refused = |words: &[&str]| {
            let command = words[0];
            let words = std::iter::once("sudoku-corpus").chain(words.iter().copied());
            crate::cli::command().try_get_matches_from(words).err().and_then(|mistake| instead(&mistake, command))
        };
        let one_by_one = GONE.iter().flat_map(|(names, sentence)| names.split('|').map(move |one| (one, sentence)));
        for (name, sentence) in one_by_one {
            let words: Vec<&str> = match name.split_once(' ') {
                Some((command, option)) => vec![command, option, "x"],
                None if name.starts_with("--") => vec!["query", name, "x"],
                None => vec![name, "x"],
            };
            let option = name.rsplit(' ').next().unwrap();
            assert_eq!(refused(&words), Some(format!("{option} is gone: {sentence}")));
        }
        assert_eq!(refused(&["make"]).unwrap(), "there is no command 'make': use run");
        assert!(
            refused(&["run", "--distinct"]).is_some_and(|text| text.starts_with("--distinct is gone: a row depends"))
        );
        assert_eq!(refused(&["querry"]), None);
        assert_eq!(refused(&["query", "--tabel", "x"]), None);
    }
}
