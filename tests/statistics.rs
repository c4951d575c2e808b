//! Tests of columns from other programs, of stopping single stages, and of samples of weighted pools.

mod common;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use common::{PUZZLE, program, signal, stdout, succeed, wait_for};

/// Runs, expects success and returns stdout.
fn good(folder: &Path, words: &str, input: &str) -> String {
    stdout(&succeed(&mut program(folder, words), input))
}

/// The answer to an SQL query as CSV, without the header.
fn query(folder: &Path, sql: &str, corpus: &str) -> String {
    let answer = stdout(&succeed(program(folder, "query --format csv").args([sql, corpus]), ""));
    answer.lines().skip(1).collect::<Vec<_>>().join("\n")
}

const PEOPLE: &str = "id,puzzle,human_time,score,won,note,\n";

fn people(folder: &Path) {
    let row = |id: &str, time: &str, won: &str| format!("{id},{PUZZLE},{time},7,{won},\"a, b\",-3\n");
    fs::write(folder.join("people.csv"), [PEOPLE, &row("007", "12.50", "true"), &row("x", "", "False")].concat())
        .unwrap();
}

#[test]
fn columns_of_other_programs_pass_through() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    people(folder);
    // Text is copied without changes.
    for out in ["rated.csv", "rated.csv.zst"] {
        good(folder, &format!("analyze people.csv --ratings none --out {out} -q"), "");
        let sql = "SELECT id, human_time, input_score, won, note, column_7, givens FROM puzzles ORDER BY index";
        assert_eq!(query(folder, sql, out), "007,12.5,7,true,\"a, b\",-3,30\nx,,7,false,\"a, b\",-3,30", "{out}");
    }
    assert!(fs::read_to_string(folder.join("rated.csv")).unwrap().contains(",007,12.50,7,true,\"a, b\",-3\n"));
    // Parquet has types, and they are kept.
    good(folder, "analyze people.csv --ratings none --out rated.parquet -q", "");
    good(folder, "analyze rated.parquet --ratings none --out again.parquet -q", "");
    for file in ["rated.parquet", "again.parquet"] {
        let sql = "SELECT max(human_time) + 1, sum(input_score + column_7), count(*) FROM puzzles WHERE won";
        assert_eq!(query(folder, sql, file), "13.5,4,1", "{file}");
    }
    // A pipe cannot be read twice to find the types of its columns, so they are texts.
    let text = fs::read_to_string(folder.join("people.csv")).unwrap();
    good(folder, "analyze - --ratings none --out pipe.parquet -q", &text);
    assert_eq!(query(folder, "SELECT id, human_time FROM puzzles WHERE won = 'true'", "pipe.parquet"), "007,12.50");
    // An export drops columns of other programs.
    good(folder, "export rated.csv --count 1 --out one.csv -q", "");
    assert!(!fs::read_to_string(folder.join("one.csv")).unwrap().contains("human_time"));
}

/// Written by pandas 2 and pyarrow: columns puzzle, level_of_book (a category), sold (a dictionary of texts), month
/// (integers).
#[test]
fn dictionaries_are_read_as_plain_columns() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/categories.parquet");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::copy(file, folder.join("a.parquet")).unwrap();
    let sql = "SELECT level_of_book, sold, sum(month) FROM a GROUP BY level_of_book, sold ORDER BY level_of_book";
    assert_eq!(query(folder, sql, "a=a.parquet"), "easy,Bern,4\nhard,Basel,2");
    good(folder, "analyze a.parquet --ratings none --out rated.parquet -q", "");
    let sql = "SELECT level_of_book, sold, month FROM puzzles ORDER BY index";
    assert_eq!(query(folder, sql, "rated.parquet"), "easy,Bern,1\nhard,Basel,2\neasy,Bern,3");
    good(folder, "report a.parquet --out report.html --no-data -q", "");
    good(folder, "export a.parquet --count 1 --out one.txt -q", "");
    assert!(good(folder, "check a.parquet", "").contains('3'));
}

/// SIGTERM while the stage waits for more puzzles and stderr is closed: the rows so far are kept.
#[cfg(unix)]
#[test]
fn a_stopped_stage_keeps_its_rows_and_no_file_of_the_final_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (out, partial) in [("rated.csv", "rated.partial.csv"), ("rated.parquet", "rated.partial.parquet")] {
        let mut command = program(folder, "analyze - --ratings none --out");
        let mut child = command.arg(out).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let lines = format!("{PUZZLE}\n").repeat(5_000);
        stdin.write_all(lines.as_bytes()).unwrap();
        drop(child.stderr.take());
        signal("TERM", child.id());
        // The program handles the signal when it reads the next puzzles or the end of the input.
        let _ = stdin.write_all(lines.as_bytes());
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(4));
        assert!(!folder.join(out).exists());
        let rows: u64 = query(folder, "SELECT count(*) FROM puzzles", partial).parse().unwrap();
        assert!(rows < 10_000, "{rows}");
    }
    let left = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut left: Vec<String> = left.collect();
    left.sort();
    assert_eq!(left, ["rated.partial.csv", "rated.partial.parquet"]);
}

#[test]
fn rows_before_an_error_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let lines = format!("{PUZZLE}\n").repeat(3_000) + "no puzzle\n";
    let mut command = program(folder, "analyze - --ratings none --on-error fail --out a.csv");
    let text = common::fail(&mut command, &lines, 1, &["a.partial.csv"]);
    assert!(!folder.join("a.csv").exists(), "{text}");
    assert_eq!(query(folder, "SELECT count(*) FROM puzzles", "a.partial.csv"), "3000");
}

/// The number of threads, separate calls for some parts, and a kill do not change the sample.
#[cfg(unix)]
#[test]
fn a_sample_has_the_same_bytes_however_its_pool_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let recipe = "count = 3000\npart_rows = 100\n[grid]\nshape = \"2x3\"\n[analyze]\ntechniques = \"none\"\nratings = \"none\"\n\
                  [[output]]\ncommand = \"resample\"\ncount = 20\nshares = \"measured\"\nrate = true\nout = \"sample.parquet\"\n";
    fs::write(folder.join("r.toml"), recipe).unwrap();
    good(folder, "run r.toml --out one --threads 1 -q", "");
    good(folder, "run r.toml --out pieces --parts 20..29 --threads 3 -q", "");
    let mut child = program(folder, "run r.toml --out pieces --threads 2").stdout(Stdio::null()).spawn().unwrap();
    wait_for(&folder.join("pieces/part-000003.parquet"));
    child.kill().unwrap();
    child.wait().unwrap();
    good(folder, "run r.toml --out pieces --threads 3 -q", "");
    let read = |corpus: &str| fs::read(folder.join(corpus).join("sample.parquet")).unwrap();
    assert!(read("one") == read("pieces"));
    assert_eq!(query(folder, "SELECT count(*) FROM puzzles WHERE log_weight IS NULL", "one/sample.parquet"), "20");
}
