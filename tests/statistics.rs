//! Tests of columns from other programs, of stopping single stages, and of samples of weighted pools.

mod common;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use sudoku_corpus::corpus::{Input, Journal, Want};

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
        drop(stdin.write_all(lines.as_bytes()));
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(4));
        assert!(!folder.join(out).exists());
        let rows: u64 = query(folder, "SELECT count(*) FROM puzzles", partial).parse().unwrap();
        assert!(rows < 10_000, "{rows}");
    }
    let left = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut left: Vec<String> = left.collect();
    left.sort();
    let partial = ["rated.partial.csv", "rated.partial.parquet"].map(|name| [name.to_owned(), format!("{name}.made")]);
    assert_eq!(left, partial.concat());
}

#[test]
fn rows_before_an_error_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let lines = format!("{PUZZLE}\n").repeat(3_000) + "1234567\n";
    let mut command = program(folder, "analyze - --ratings none --on-error fail --out a.csv");
    let text = common::fail(&mut command, &lines, 1, &["a.partial.csv"]);
    assert!(!folder.join("a.csv").exists(), "{text}");
    assert_eq!(query(folder, "SELECT count(*) FROM puzzles", "a.partial.csv"), "3000");
}

/// A stopped analysis and its resumption give the bytes of one that is not stopped. Another input and other options are
/// refused, and the rows stay.
#[test]
fn a_stopped_analysis_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "run --count 200 --techniques none --ratings none --out c -q", "");
    good(folder, "export c --all --out all.txt -q", "");
    let lines = fs::read_to_string(folder.join("all.txt")).unwrap();
    let pack = |text: String| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(text.as_bytes()).unwrap();
        packed.finish().unwrap()
    };
    // A table with a column of its own; and lines, because a table is read to its end before Parquet is written.
    let rows = lines.lines().enumerate().map(|(at, line)| format!("{at},{line}\n{at}b,no puzzle\n"));
    let table = pack(rows.fold("id,puzzle\n".to_owned(), |table, row| table + &row));
    let plain = pack(lines.replace('\n', "\n1234567\n"));
    let whole = |name: &str| fs::read(folder.join(name)).unwrap();
    for (end, steps, packed) in [("csv", "jsonl", &table), ("csv.zst", "txt", &table), ("parquet", "parquet", &plain)] {
        let words = format!("analyze in.gz -q --ratings none --out a.{end} --steps s.{steps}");
        let partial = format!("a.partial.{end}");
        // A download that was cut off.
        fs::write(folder.join("in.gz"), &packed[..packed.len() / 2]).unwrap();
        common::fail(&mut program(folder, &format!("{words} --resume")), "", 1, &["damaged"]);
        let (kept, rows) = (whole(&partial), query(folder, "SELECT count(*) FROM puzzles", &partial));
        assert!((20..180).contains(&rows.parse().unwrap()), "{rows}");
        // Still damaged: nothing new.
        common::fail(&mut program(folder, &format!("{words} --resume")), "", 1, &["damaged"]);
        assert_eq!(whole(&partial), kept);
        fs::write(folder.join("in.gz"), packed).unwrap();
        // A limit of ER changes nothing in rows without ER, but the rows are of other options.
        for other in ["--techniques singles", "--count-limit 2 --no-minimal", "--er-limit 3.0"] {
            let wrong = "other options or by another version";
            common::fail(&mut program(folder, &format!("{words} --resume {other}")), "", 1, &[&partial, wrong]);
        }
        let swapped = lines.lines().rev().map(|line| format!("{line}\n")).collect::<String>();
        fs::write(
            folder.join("other.txt"),
            lines.lines().take(6).chain(swapped.lines()).collect::<Vec<_>>().join("\n"),
        )
        .unwrap();
        let other = words.replace("in.gz", "other.txt");
        common::fail(&mut program(folder, &format!("{other} --resume")), "", 1, &[&partial, "the input was changed"]);
        assert_eq!(whole(&partial), kept);
        // An input that became shorter, also an empty one, has not the rows that were kept.
        for rows in [0, 1, 10] {
            let short = lines.lines().take(rows).map(|line| format!("{line}\n")).collect::<String>();
            fs::write(folder.join("short.txt"), short).unwrap();
            let short = words.replace("in.gz", "short.txt");
            let told = if rows == 0 { &["short.txt", "no board"] } else { &[partial.as_str(), "cut short"] };
            common::fail(&mut program(folder, &format!("{short} --resume")), "", 1, told);
            assert_eq!(whole(&partial), kept, "{rows}");
        }
        // Whoever forgets --resume does not lose rows to a call that ends earlier.
        fs::write(folder.join("in.gz"), &packed[..packed.len() / 4]).unwrap();
        common::fail(&mut program(folder, &words.replace("-q ", "")), "", 1, &["--resume goes on", "damaged"]);
        assert_eq!(whole(&partial), kept);
        fs::write(folder.join("in.gz"), packed).unwrap();
        good(folder, &format!("{words} --resume"), "");
        let resumed = (whole(&format!("a.{end}")), whole(&format!("s.{steps}")));
        good(folder, &words, "");
        assert!(resumed == (whole(&format!("a.{end}")), whole(&format!("s.{steps}"))), "{end}");
        assert!(!folder.join(&partial).exists() && !folder.join(format!("s.partial.{steps}")).exists());
    }
    // Rows are taken over: one that was changed stays changed. A change that nobody admits is found.
    fs::write(folder.join("in.gz"), &table[..table.len() / 2]).unwrap();
    common::fail(&mut program(folder, "analyze in.gz -q --ratings none --out a.csv"), "", 1, &["damaged"]);
    let text = fs::read_to_string(folder.join("a.partial.csv")).unwrap();
    let mut rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let score = rows[0].iter().position(|name| *name == "score").unwrap();
    rows[9][score] = "77777";
    let changed = rows.iter().map(|row| row.join(",") + "\n").collect::<String>();
    fs::write(folder.join("a.partial.csv"), &changed).unwrap();
    fs::write(folder.join("in.gz"), &table).unwrap();
    let words = "analyze in.gz -q --ratings none --out a.csv --resume";
    common::fail(&mut program(folder, words), "", 1, &["a.partial.csv", "or it was changed"]);
    let made = fs::read_to_string(folder.join("a.partial.csv.made")).unwrap();
    let options = made.trim().split(' ').nth(1).unwrap();
    let sum = blake3::hash(changed.as_bytes()).to_hex();
    fs::write(folder.join("a.partial.csv.made"), format!("{sum} {options}\n")).unwrap();
    good(folder, "analyze in.gz -q --ratings none --out a.csv --resume", "");
    assert_eq!(query(folder, "SELECT count(*), max(score) FROM puzzles", "a.csv"), "200,77777");
    common::fail(&mut program(folder, "analyze in.gz --resume"), "", 2, &["--resume needs --out"]);
}

/// The number of threads, separate calls for some parts, and a kill do not change the sample.
#[cfg(unix)]
#[test]
fn a_sample_has_the_same_bytes_however_its_pool_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let recipe = "count = 3000\npart_rows = 100\n[grid]\nshape = \"2x3\"\n[analyze]\nweight = true\ntechniques = \"none\"\nratings = \"none\"\n\
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

/// Rows of 4x4, without ratings.
fn small(folder: &Path, rows: u64, out: &str) {
    good(
        folder,
        &format!("run --board 4x4 --count {rows} --techniques none --ratings none --weight --out {out} -q"),
        "",
    );
}

/// A file with another version of a scale: queries say so, and weighted figures are not pooled.
#[test]
fn versions_of_a_scale_are_told_and_their_weighted_figures_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small(folder, 60, "made");
    let mut bytes = fs::read(folder.join("made/part-000000.parquet")).unwrap();
    fs::write(folder.join("new.parquet"), &bytes).unwrap();
    let version = b"best order of whips; version ";
    let at = bytes.windows(version.len()).position(|window| window == version).unwrap() + version.len();
    bytes[at] = b'1';
    fs::write(folder.join("old.parquet"), &bytes).unwrap();
    let note = "different versions of the scales of w:";
    let sql = ["SELECT count(*) FROM puzzles", "old.parquet", "new.parquet"];
    let told = succeed(program(folder, "query --format csv").args(sql), "");
    assert!(common::stderr(&told).contains(note) && stdout(&told).contains("120"));
    let refusal = ["cannot be compared", "--by shape,method,plan,source", "--unweighted"];
    common::fail(&mut program(folder, "stats givens old.parquet new.parquet"), "", 2, &refusal);
    for options in ["--unweighted", "--by source", "--where source='old.parquet'"] {
        let told = succeed(&mut program(folder, &format!("stats givens old.parquet new.parquet {options}")), "");
        assert!(common::stderr(&told).contains(note), "{options}");
        assert_eq!(stdout(&told).contains("  120 "), options == "--unweighted", "{options}: {}", stdout(&told));
    }
    let told = succeed(&mut program(folder, "stats givens new.parquet new.parquet"), "");
    assert!(!common::stderr(&told).contains(note));
}

/// Figures that are not reliable have no interval in any format, and say what the doubt is based on.
#[test]
fn figures_that_are_not_reliable_have_no_interval() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small(folder, 10, "few");
    let shown = |words: &str| good(folder, &format!("stats givens few --log-weight 0 -q {words}"), "");
    let table = shown("");
    let line = table.lines().nth(1).unwrap();
    assert!(
        line.contains("  -  ") && line.contains("NOT RELIABLE: too few grids (") && !line.contains(" .. "),
        "{line}"
    );
    let csv = shown("--format csv");
    let fields: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert!(fields[4..7] == ["", "", "false"] && !fields[3].is_empty(), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&shown("--format json")).unwrap();
    for figure in json["figures"].as_array().unwrap() {
        assert!(
            figure["low_95"].is_null() && figure["high_95"].is_null() && figure["estimate"].is_number(),
            "{figure}"
        );
        assert!(figure["doubt"].as_str().unwrap().contains("effective, 25 needed): about"), "{figure}");
    }
    small(folder, 400, "many");
    let reliable = good(folder, "stats givens many --log-weight 0 -q --format csv", "");
    assert!(reliable.lines().nth(1).unwrap().split(',').skip(4).take(2).all(|end| end.parse::<f64>().is_ok()));
    good(folder, "stats givens few --plot few.svg -q", "");
    assert!(fs::read_to_string(folder.join("few.csv")).unwrap().contains("effective, 25 needed"));
    // A scatter plot with a line in each panel; panels of means have all values of the first expression.
    good(
        folder,
        "stats holes,givens many --unweighted --fit holes~givens --by index%2 --facets --plot cloud.svg -q",
        "",
    );
    let cloud = fs::read_to_string(folder.join("cloud.svg")).unwrap();
    assert_eq!(cloud.matches("<polyline").count(), 2, "{cloud}");
    assert!(cloud.matches("fill-opacity=\"0.500\"").count() == 400 && cloud.contains(">index%2: 1</text>"), "{cloud}");
    assert_eq!(fs::read_to_string(folder.join("cloud.csv")).unwrap().lines().count(), 401);
    good(folder, "stats search_nodes many --unweighted --by givens,index%2 --facets --plot panels.svg -q", "");
    let panels = fs::read_to_string(folder.join("panels.svg")).unwrap();
    assert!(panels.contains(">index%2: 0</text>") && panels.contains("<circle"), "{panels}");
}

/// As many rows as a pilot asks for give the wanted error.
#[test]
fn a_pilot_says_how_many_rows_a_figure_needs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let recipe = "count = 1000\n[grid]\nshape = \"2x3\"\n[dig]\nsymmetry = \"rotate-180\"\n[analyze]\ntechniques = \"none\"\n\
                  ratings = \"none\"\n";
    fs::write(folder.join("r.toml"), recipe).unwrap();
    good(folder, "run r.toml --out pilot -q", "");
    let dry = "run r.toml --dry-run --pilot pilot --figure givens --error 0.25 -q";
    let shown = good(folder, dry, "");
    let words = shown.lines().find_map(|line| line.strip_prefix("# givens mean: about ")).unwrap();
    let rows: u64 = words.split_once(" rows for +- 0.25 %").unwrap().0.replace(',', "").parse().unwrap();
    let json: serde_json::Value = serde_json::from_str(&good(folder, &format!("{dry} --json"), "")).unwrap();
    assert_eq!(json["rows_needed"][0]["rows"].as_f64(), Some(rows as f64), "{json}");
    good(folder, &format!("run r.toml --count {rows} --seed 7 --out made -q"), "");
    let csv = good(folder, "stats givens made -q --format csv", "");
    let number = |at: usize| csv.lines().nth(1).unwrap().split(',').nth(at).unwrap().parse::<f64>().unwrap();
    let error = 100.0 * (number(5) - number(4)) / 2.0 / number(2);
    assert!((error / 0.25 - 1.0).abs() < 0.15, "{rows} rows: +- {error} %");
    for (options, message) in [
        ("--board 4x4", "its rows are 2x3 uniform minimal, symmetry rotate-180; those of the recipe are 2x2"),
        ("--symmetry full", "symmetry full"),
        ("--error 0", "above 0"),
        ("--figure nonsense", "nonsense"),
    ] {
        let dry = if options.starts_with("--error") { dry.replace("--error 0.25", "") } else { dry.to_owned() };
        let dry = if options.starts_with("--fig") { dry.replace("--figure givens", "") } else { dry };
        common::fail(&mut program(folder, &format!("{dry} {options}")), "", 2, &[message]);
    }
}

/// Values of the input that the analysis keeps are compared in every row.
#[test]
fn a_value_of_the_input_that_changed_is_found_in_every_row() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "run --count 60 --techniques none --ratings none --out c -q", "");
    good(folder, "query SELECT/**/shape,puzzle,method/**/FROM/**/puzzles c --out k.csv", "");
    let text = fs::read_to_string(folder.join("k.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let words = "analyze k.csv -q --techniques none --ratings none --out r.csv";
    good(folder, words, "");
    let first = |rows: usize| lines[..=rows].join("\n") + "\n";
    fs::write(folder.join("k.csv"), first(50) + "no puzzle,,\n").unwrap();
    common::fail(&mut program(folder, &format!("{words} --on-error fail")), "", 1, &[]);
    let kept = fs::read(folder.join("r.partial.csv")).unwrap();
    for row in [3, 12, 50] {
        let mut changed: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        changed[row] = changed[row].replace("uniform", "row-major");
        fs::write(folder.join("k.csv"), changed.join("\n") + "\n").unwrap();
        common::fail(&mut program(folder, &format!("{words} --resume")), "", 1, &[&format!("row {row} ")]);
        assert_eq!(fs::read(folder.join("r.partial.csv")).unwrap(), kept);
    }
    let whole = fs::read(folder.join("r.csv")).unwrap();
    fs::write(folder.join("k.csv"), &text).unwrap();
    good(folder, &format!("{words} --resume"), "");
    assert_eq!(fs::read(folder.join("r.csv")).unwrap(), whole);
    assert!(!folder.join("r.partial.csv.made").exists());
}

/// A text that a spreadsheet would take for a formula gets an apostrophe in every CSV file, and stays as it is elsewhere.
#[test]
fn texts_that_look_like_formulas_are_texts_in_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let note = "=HYPERLINK(1)";
    fs::write(folder.join("in.csv"), format!("puzzle,note,delta\n{},{note},-5\n", common::PUZZLE)).unwrap();
    good(folder, "analyze in.csv --techniques none --ratings none --out a.csv", "");
    let row = fs::read_to_string(folder.join("a.csv")).unwrap();
    assert!(row.lines().nth(1).unwrap().ends_with(&format!(",'{note},-5")), "{row}");
    good(folder, "analyze in.csv --techniques none --ratings none --out a.csv.zst", "");
    assert_eq!(query(folder, "SELECT note || '', typeof(delta) FROM puzzles", "a.csv.zst"), format!("'{note},integer"));
    good(folder, "analyze in.csv --techniques none --ratings none --out a.parquet", "");
    assert_eq!(query(folder, "SELECT length(note) FROM puzzles", "a.parquet"), note.len().to_string());
    assert_eq!(query(folder, "SELECT length(note) FROM puzzles", "a.csv.zst"), note.len().to_string());
    let levels = format!("[[level]]\nname = \"{note}\"\ngivens = \"10..80\"\n");
    fs::write(folder.join("levels.toml"), levels).unwrap();
    good(folder, "export in.csv --all --levels levels.toml --out e.csv", "");
    assert!(fs::read_to_string(folder.join("e.csv")).unwrap().contains(&format!(",'{note},")));
}

/// `kill -9` loses only rows that are not finished, and rows that are finished before others come back to their places.
#[cfg(unix)]
#[test]
fn rows_of_a_killed_analysis_are_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let at = |name: &str| folder.join(name);
    good(folder, "run --count 60 --techniques none --ratings none --out c -q", "");
    good(folder, "export c --all --out k.txt -q", "");
    let words = "-q --ratings none --techniques singles --out a.csv";
    good(folder, &format!("analyze k.txt {}", words.replace("a.csv", "whole.csv")), "");
    let whole = fs::read(at("whole.csv")).unwrap();
    let journal = at("a.partial.csv.rows");
    let mut child = program(folder, &format!("analyze - {words}")).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The kind of a text is found out from its first 64 KiB.
    stdin.write_all(&[fs::read(at("k.txt")).unwrap(), vec![b'\n'; 70_000]].concat()).unwrap();
    let rows = || fs::read_to_string(&journal).unwrap_or_default().matches("\n# ").count();
    let began = std::time::Instant::now();
    while rows() < 21 {
        assert!(began.elapsed().as_secs() < 120, "{} rows after two minutes", rows());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // Any next call takes the rows over; one without --resume says so and replaces nothing.
    fs::write(at("none.txt"), "no puzzle\n").unwrap();
    let none = format!("analyze none.txt --on-error fail {}", words.replace("-q ", ""));
    common::fail(&mut program(folder, &none), "", 1, &["a.partial.csv has rows of a stopped command"]);
    assert!(!journal.exists() && !at("a.csv").exists());
    let kept: u64 = query(folder, "SELECT count(*) FROM puzzles", "a.partial.csv").parse().unwrap();
    assert!((20..=60).contains(&kept), "{kept}");
    let options = fs::read_to_string(at("a.partial.csv.made")).unwrap();
    good(folder, &format!("analyze k.txt --resume {words}"), "");
    assert!(fs::read(at("a.csv")).unwrap() == whole);
    // What threads left: the rows of a chunk in any order, without three that were not finished. A changed row shows what was
    // taken over.
    let mut left: Vec<_> = Input::open(&at("whole.csv"), Want::Rows).unwrap().map(|row| row.unwrap()).collect();
    left[10].score = Some(77_777);
    let writer = Journal::create(&journal, options.trim().split(' ').nth(1).unwrap(), &[]).unwrap().unwrap();
    for position in (0..50).rev().filter(|position| ![0, 3, 17].contains(position)) {
        writer.write(position, &left[position as usize]).unwrap();
    }
    drop(writer);
    good(folder, &format!("analyze k.txt --resume {words}"), "");
    let text = fs::read_to_string(at("a.csv")).unwrap();
    let expected = String::from_utf8(whole).unwrap();
    let differ: Vec<usize> =
        text.lines().zip(expected.lines()).enumerate().filter(|(_, (one, two))| one != two).map(|(at, _)| at).collect();
    assert_eq!((differ, text.lines().count()), (vec![11], 61));
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(!names.into_iter().any(|name| name.contains("partial")));
}
