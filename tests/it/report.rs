//! Tests of the commands `report` and `query`: files, forms, hostile input, and the same numbers in both.

use std::fs;

use crate::common::{PUZZLE, bad, good, program, query, stderr, succeed};

/// A folder with a small rated corpus in two parts.
fn corpus() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "run --quiet --count 120 --part-rows 60 --out corpus", "");
    folder
}

#[test]
fn a_corpus_becomes_a_page_with_plots_and_data() {
    let folder = corpus();
    let message = stderr(&succeed(&mut program(folder.path(), "report corpus"), ""));
    assert!(message.contains("120 rows in report.html; plots and data in report-data"), "{message}");
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    for part in [
        "<h1>corpus</h1>", "prefers-color-scheme: dark", "@media print", "<svg", "<desc", "count = 120",
        "data:text/csv",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for outside in ["http:", "https:", " src=", "@import", "url(", "<link", "<script"] {
        assert!(!page.contains(outside), "{outside} would need a network");
    }
    let data = folder.path().join("report-data");
    let files = fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().path());
    let plots: Vec<_> = files.filter(|file| file.extension().is_some_and(|end| end == "svg")).collect();
    assert!(plots.len() >= 13, "{plots:?}");
    for plot in plots {
        let svg = fs::read_to_string(&plot).unwrap();
        assert!(svg.starts_with("<svg xmlns=") && svg.trim_end().ends_with("</svg>"), "{plot:?}");
        assert!(fs::read_to_string(plot.with_extension("csv")).unwrap().lines().count() > 1, "{plot:?}");
    }
}

#[test]
fn the_data_of_the_plots_agree_with_sql() {
    let folder = corpus();
    good(folder.path(), "report corpus --quiet --out r.html", "");
    let csv = |name: &str| {
        let text = fs::read_to_string(folder.path().join("r-data").join(name)).unwrap();
        let rows = text.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect::<Vec<_>>());
        rows.collect::<Vec<Vec<String>>>()
    };
    let ask = |sql: &str| query(folder.path(), sql, "corpus");
    let joined = |rows: &[Vec<String>], columns: &[usize]| {
        let row_text = |row: &Vec<String>| columns.iter().map(|&at| row[at].clone()).collect::<Vec<_>>().join(",");
        rows.iter().map(row_text).collect::<Vec<_>>().join("\n")
    };
    let by = |column: &str| format!("SELECT {column}, count(*) AS n FROM puzzles GROUP BY {column} ORDER BY {column}");
    assert_eq!(joined(&csv("givens.csv"), &[0, 1]), ask(&by("givens")));
    assert_eq!(joined(&csv("search-depth.csv"), &[0, 1]), ask(&by("search_depth")));
    assert_eq!(joined(&csv("search-guesses.csv"), &[0, 1]), ask(&by("search_guesses")));
    let pairs = "SELECT holes, search_depth, count(*) AS n FROM puzzles GROUP BY holes, search_depth ORDER BY holes, search_depth";
    assert_eq!(joined(&csv("holes-depth.csv"), &[0, 1, 2]), ask(pairs));
    for row in csv("techniques.csv") {
        let needed = format!("SELECT count(*) AS n FROM puzzles WHERE n_{} > 0", row[0]);
        assert_eq!(ask(&needed), row[2], "{row:?}");
    }
    for row in csv("levels.csv") {
        let level = format!("SELECT count(*) AS n FROM puzzles WHERE level = '{}'", row[0]);
        assert_eq!(ask(&level), row[1], "{row:?}");
    }
    let copies = csv("duplicates.csv");
    let classes: u64 = copies.iter().map(|row| row[1].parse::<u64>().unwrap()).sum();
    assert_eq!(ask("SELECT count(DISTINCT class) AS n FROM puzzles"), classes.to_string());
}

#[test]
fn the_same_rows_give_the_same_bytes_in_every_form() {
    let folder = corpus();
    for format in ["rows.csv", "rows.csv.zst", "rows.parquet"] {
        good(folder.path(), &format!("analyze corpus/rows/part-000000.parquet --quiet --out {format}"), "");
    }
    let page = |source: &str| {
        good(folder.path(), &format!("report {source} --quiet --title Rows --force --out page.html"), "");
        fs::read(folder.path().join("page.html")).unwrap()
    };
    let first = page("rows.parquet");
    assert_eq!(first, page("rows.csv"), "CSV");
    assert_eq!(first, page("rows.csv.zst"), "CSV in zstd");
    let parts = "corpus/rows/part-000000.parquet corpus/rows/part-000001.parquet";
    let both = page(parts);
    assert_ne!(first, both);
    assert_eq!(both, page(parts));
}

#[test]
fn forms_are_chosen_by_name_and_markdown_goes_to_pipes() {
    let folder = corpus();
    let page = good(folder.path(), "report corpus --out - --title Title", "");
    assert!(page.starts_with("## Title\n\n120 rows.") && page.contains("| givens | puzzles | share |"), "{page}");
    assert!(!folder.path().join("report-data").exists());
    good(folder.path(), "report corpus --quiet --out page.md --data plots", "");
    assert!(fs::read_to_string(folder.path().join("page.md")).unwrap().starts_with("# corpus\n"));
    assert!(folder.path().join("plots/levels.svg").exists());
    good(folder.path(), "report corpus --quiet --out alone.html --no-data", "");
    assert!(!folder.path().join("alone-data").exists());
    bad(folder.path(), "report corpus --out page.pdf", "", 2, &[".html"]);
    bad(folder.path(), "report nowhere", "", 1, &["nowhere"]);
    bad(folder.path(), "report corpus --out nowhere/page.html", "", 1, &["nowhere/page.html"]);
    bad(folder.path(), "report corpus --out corpus", "", 2, &["corpus is an input"]);
}

#[test]
fn files_of_other_programs_and_files_without_rows_are_reported() {
    let folder = corpus();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let page = |name: &str| good(folder.path(), &format!("report {name} --out -"), "");
    write("puzzles.txt", &format!("{PUZZLE}\n1234567\n{}\n1...............\n", PUZZLE.replace("53", "5.")));
    let text = page("puzzles.txt");
    assert!(
        text.contains("3 rows. Skipped because it could not be read: 1 row") && text.contains("4x4 boards (2x2 boxes)"),
        "{text}"
    );
    write("foreign.csv", &format!("quizzes,solutions\n{},\n", PUZZLE.replace('.', "0")));
    assert!(page("foreign.csv").contains("ratings: not known"));
    write("empty.txt", "");
    bad(folder.path(), "report empty.txt", "", 1, &["no board"]);
    let few = "SELECT shape, givens, level, n_naked_single FROM puzzles";
    good(folder.path(), &format!("query '{few}' corpus --quiet --out few.parquet"), "");
    let text = page("few.parquet");
    assert!(
        text.contains("120 rows.") && text.contains("| easy |") && text.contains("search depth: not known"),
        "{text}"
    );
    good(folder.path(), "query 'SELECT * FROM puzzles WHERE givens > 81' corpus --quiet --out none.parquet", "");
    bad(folder.path(), "report none.parquet", "", 1, &["none.parquet: it has no board"]);
    write("damaged.parquet", "PAR1 and nothing after it");
    bad(folder.path(), "report damaged.parquet", "", 1, &["damaged.parquet"]);
    assert!(!folder.path().join("report.html").exists(), "no page about a damaged file");
}

#[test]
fn hostile_values_stay_text() {
    let folder = corpus();
    let hostile = "<img src=x onerror=alert(1)>\"'`|</title><script>alert(2)</script>";
    let sql = format!(
        "SELECT shape, puzzle, givens, '{}' AS method, '{}' AS plan FROM puzzles",
        hostile.replace('\'', "''"),
        "x".repeat(5000)
    );
    let name = "<b>&amp.parquet";
    succeed(program(folder.path(), "query --quiet").args([&sql, "corpus", "--out", name]), "");
    good(folder.path(), &format!("report {name} --quiet --out page.html"), "");
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("<h1>&lt;b&gt;&amp;amp.parquet</h1>"));
    assert!(!page.contains("<img") && !page.contains("<script") && !page.contains("<b>"), "{page}");
    assert!(!page.contains(&"x".repeat(100)), "long texts are cut");
    let markdown = good(folder.path(), &format!("report {name} --out -"), "");
    assert!(!markdown.contains("<img") && !markdown.contains("<script"), "{markdown}");
}

#[test]
fn answers_of_any_length_come_in_every_format() {
    let folder = corpus();
    let sql = "SELECT row, givens, puzzle FROM puzzles ORDER BY row";
    let csv = good(folder.path(), &format!("query '{sql}' --format csv"), "");
    assert_eq!(csv.lines().count(), 121);
    let lines = good(folder.path(), &format!("query '{sql}' --format jsonl"), "");
    assert_eq!(lines.lines().count(), 120);
    let table = good(folder.path(), &format!("query '{sql}'"), "");
    assert!(table.lines().count() == 121 && table.lines().all(|line| !line.ends_with(' ')));
    for name in ["a.csv", "a.jsonl", "a.txt", "a.parquet"] {
        let message = stderr(&succeed(program(folder.path(), "query --out").args([name, sql]), ""));
        assert!(message.contains("120 rows into"), "{message}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("a.csv")).unwrap(), csv);
    assert_eq!(fs::read_to_string(folder.path().join("a.jsonl")).unwrap(), lines);
    assert_eq!(good(folder.path(), "query 'SELECT * FROM puzzles' a.parquet --format csv", ""), csv);
    assert_eq!(
        good(folder.path(), "query 'SELECT givens FROM puzzles WHERE givens > 81' --format csv", ""),
        "givens\n"
    );
    bad(folder.path(), "query 'SELECT hodoku_scroe FROM puzzles' --out b.csv", "", 2, &["'hodoku_score'"]);
    assert!(!folder.path().join("b.csv").exists(), "a wrong query leaves no file");
}
