//! Tests of the command `export`: numbers, quotas, formats, earlier exports, messages, an independent check.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{self, bad, good, output_text, program, query, skip, stdout, succeed};

/// The number of puzzles in an index, and the number of their classes.
fn published(folder: &Path, index: &str) -> (usize, usize) {
    let sql = "SELECT count(*), count(DISTINCT class) FROM published";
    let answer = query(folder, sql, index);
    let (all, classes) = answer.split_once(',').unwrap();
    (all.parse().unwrap(), classes.parse().unwrap())
}

/// A folder with a corpus of 400 rated puzzles.
fn corpus() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let run = "run --quiet --count 400 --part-rows 150 --levels hodoku --ratings none --techniques \
               singles,intersections,subsets --seed 5";
    good(folder.path(), run, "");
    folder
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_number_of_puzzles_is_exact_with_any_number_of_threads() {
    let folder = corpus();
    let at = |name: &str| folder.path().join(name);
    good(folder.path(), "export --count 100 --out a.sdm --threads 1", "");
    good(folder.path(), "export corpus --count 100 --out b.sdm --threads 3", "");
    assert_eq!(lines(&at("a.sdm")).len(), 100);
    assert_eq!(fs::read(at("a.sdm")).unwrap(), fs::read(at("b.sdm")).unwrap());
    good(folder.path(), "export --count 100 --seed 7 --out c.sdm", "");
    assert_ne!(lines(&at("a.sdm")), lines(&at("c.sdm")));
    assert_eq!(good(folder.path(), "export --count 3 --out - --quiet", "").lines().count(), 3);
    assert_eq!(good(folder.path(), "export --all --out - --format csv", "").lines().count(), 401);
    bad(folder.path(), "export --count 401 --out d.sdm", "", 1, &["too few puzzles: 400 of 401", "400 of 400"]);
    assert!(!at("d.sdm").exists());
}

#[test]
fn quotas_are_met_exactly() {
    let folder = corpus();
    let count = |sql: &str| -> usize {
        let sql = format!("SELECT count(*) AS n FROM puzzles WHERE {sql}");
        query(folder.path(), &sql, "corpus").parse().unwrap()
    };
    let (easy, hard) = (count("level = 'easy'"), count("level <> 'easy'"));
    assert!(easy > 20 && hard > 20, "{easy} {hard}");
    let quota = format!("level <> 'easy' = {hard}");
    let words = "export --level easy=15 --sort level,hodoku_score --out a.csv --quota";
    succeed(program(folder.path(), words).arg(quota), "");
    let rows = lines(&folder.path().join("a.csv"));
    let levels: Vec<&str> = rows[1..].iter().map(|row| row.split(',').nth(4).unwrap()).collect();
    assert_eq!(levels.len(), 15 + hard);
    assert!(levels[..15].iter().all(|level| *level == "easy") && levels[15..].iter().all(|level| *level != "easy"));
    let count = 15 + hard;
    let several = format!("export --level easy=15 --count {count} --out b.csv --where 'givens BETWEEN 20 AND 30'");
    good(folder.path(), &several, "");
    let short = format!("export --out c.csv --level easy={},medium=1", easy + 3);
    let message = format!("easy: {easy} of {}", easy + 3);
    bad(folder.path(), &short, "", 1, &[&message, "of 400"]);
    bad(folder.path(), "export --level easy=5 --count 4 --out c.csv", "", 2, &["but --count for 4"]);
    assert!(!folder.path().join("c.csv").exists());
    bad(folder.path(), "export --level easy=5 --all --out c.csv", "", 2, &["--all cannot be used with quotas"]);
    good(folder.path(), "export --count 9 --pick -hodoku_score --sort -hodoku_score --out top.csv", "");
    let highest = query(folder.path(), "SELECT max(hodoku_score) FROM puzzles", "corpus");
    let top = lines(&folder.path().join("top.csv"));
    assert_eq!(top[1].split(',').nth(5), Some(highest.as_str()), "{top:?}");
    good(folder.path(), "export --givens 20..24=5,25..30=5 --where hodoku_score<100000 --out d.csv", "");
}

#[test]
fn every_format_is_written_and_read_back_by_other_commands() {
    let folder = corpus();
    good(folder.path(), "export --count 20 --pick input --out all.sdm", "");
    let puzzles = lines(&folder.path().join("all.sdm"));
    for name in [
        "a.txt", "a.csv", "a.jsonl", "a.json", "a.opensudoku", "a.hodoku.txt", "a.fpuzzles.txt", "a.sudokupad.txt",
        "a.parquet", "a.csv.zst",
    ] {
        good(folder.path(), &format!("export all.sdm --all --pick input --out {name}"), "");
        assert_eq!(good(folder.path(), &format!("check {name}"), "").matches("unique").count(), 20, "{name}");
        // Without other options, the same puzzles come back in the same order.
        let back = good(folder.path(), &format!("export --all --pick input --out - {name}"), "");
        assert_eq!(back.lines().collect::<Vec<_>>(), puzzles, "{name}");
    }
    bad(folder.path(), "export all.sdm --all --out a.kaggle.csv", "", 2, &["the format kaggle is gone: `query"]);
    bad(folder.path(), "export all.sdm --all --out a --format ss", "", 2, &["the format ss is gone: `sdk`"]);
    bad(folder.path(), "export all.sdm --all --out a.sdk", "", 2, &["write % for the number"]);
    good(folder.path(), "export all.sdm --all --pick input --out a-%.sdk", "");
    for (puzzle, number) in puzzles.iter().zip(1..) {
        let words = format!("export --all --out - a-{number:02}.sdk");
        assert_eq!(good(folder.path(), &words, ""), format!("{puzzle}\n"));
    }
    let blocks = good(folder.path(), "export all.sdm --all --pick input --out - --format sdk", "");
    let back = succeed(&mut program(folder.path(), "export - --all --pick input --out -"), &blocks);
    assert_eq!(stdout(&back).lines().collect::<Vec<_>>(), puzzles);
    let solved = good(folder.path(), "solve a.fpuzzles.txt", "");
    assert_eq!(solved.lines().count(), 21, "{solved}");
    assert_eq!(good(folder.path(), "analyze a.jsonl --ratings none --techniques none", "").lines().count(), 21);
}

/// A sheet says a rule once if all boards have it, and otherwise at each board.
#[test]
fn a_sheet_has_the_rules_of_each_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    good(path, "run --quiet --count 2 --shape 3x3+anti-knight --out knight", "");
    good(path, "run --quiet --count 2 --out plain", "");
    good(path, "export knight plain --all --out mixed.html", "");
    good(path, "export knight --all --out knight.html", "");
    good(path, "export plain --all --out plain.html", "");
    let count = |name: &str, text: &str| fs::read_to_string(path.join(name)).unwrap().matches(text).count();
    assert_eq!((count("mixed.html", "<p>"), count("mixed.html", "<figcaption>")), (0, 4));
    assert_eq!((count("knight.html", "<p>"), count("knight.html", "<figcaption>")), (1, 0));
    assert_eq!((count("plain.html", "<p>"), count("plain.html", "<figcaption>")), (0, 0));
}

#[test]
fn boards_of_other_shapes_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    for shape in ["2x2", "2x3", "3x2", "3x4", "4x4"] {
        good(folder.path(), &format!("run --quiet --count 8 --shape {shape} --out {shape} --techniques none"), "");
        for name in ["a.csv", "a.jsonl", "a.fpuzzles.txt"] {
            good(folder.path(), &format!("export {shape} --count 2 --out {shape}-{name}"), "");
            let checked = good(folder.path(), &format!("check {shape}-{name}"), "");
            assert_eq!(checked.matches("unique").count(), 2, "{shape} {name}: {checked}");
        }
        bad(folder.path(), &format!("export {shape} --count 2 --out a.opensudoku"), "", 2, &["; it holds 9x9"]);
        assert!(!folder.path().join("a.opensudoku").exists());
    }
}

#[test]
fn a_week_of_nights_has_no_puzzle_twice() {
    let folder = corpus();
    let mut puzzles = HashSet::new();
    for night in 0..7 {
        let out = format!("night-{night}.sdm");
        // On the first night there is no index yet.
        assert_eq!(folder.path().join("seen").exists(), night > 0);
        good(folder.path(), &format!("export --count 50 --except seen --remember seen --out {out}"), "");
        puzzles.extend(lines(&folder.path().join(&out)));
    }
    assert_eq!(puzzles.len(), 350);
    bad(
        folder.path(),
        "export --count 51 --except seen --out more.sdm",
        "",
        1,
        &["50 of 51", "350 in earlier exports"],
    );
    // The exports themselves can be excluded too, in several formats.
    good(folder.path(), "export night-0.sdm --all --out night-0.opensudoku", "");
    let except = "--except night-0.opensudoku night-1.sdm night-2.sdm --out rest.sdm";
    good(folder.path(), &format!("export --count 250 {except}"), "");
    bad(folder.path(), &format!("export --force --count 251 {except}"), "", 1, &["250 of 251"]);
    bad(folder.path(), "export --count 1 --except nowhere --out x.sdm", "", 1, &["nowhere"]);
}

#[test]
fn exports_at_the_same_time_publish_no_puzzle_twice() {
    let folder = corpus();
    let start = |number: usize| {
        let words = format!("export --count 60 --except seen --remember seen --out {number}.sdm");
        program(folder.path(), &words).spawn().unwrap()
    };
    let running: Vec<_> = (0..4).map(start).collect();
    let mut puzzles = HashSet::new();
    for (number, child) in running.into_iter().enumerate() {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", output_text(&output));
        puzzles.extend(lines(&folder.path().join(format!("{number}.sdm"))));
    }
    assert_eq!(puzzles.len(), 240);
}

#[test]
fn only_the_same_request_about_the_same_contents_is_already_there() {
    let folder = corpus();
    let at = |name: &str| folder.path().join(name);
    good(folder.path(), "export --all --pick input --out all.sdm", "");
    let all = lines(&at("all.sdm"));
    fs::write(at("in.sdm"), all[..20].join("\n")).unwrap();
    fs::write(at("own.toml"), "[[level]]\nname = \"A\"\ngivens = \"1..81\"").unwrap();
    let export = || {
        let words = "export in.sdm --count 20 --levels own.toml --remember seen --force --out out.csv";
        output_text(&succeed(&mut program(folder.path(), words), ""))
    };
    assert!(export().contains("20 puzzles"));
    assert!(export().contains("out.csv: it already holds these puzzles"));
    // Other contents of the same size: of the input, and of the levels.
    fs::write(at("in.sdm"), all[20..40].join("\n")).unwrap();
    assert!(export().contains("20 puzzles"));
    let text = fs::read_to_string(at("out.csv")).unwrap();
    assert!(all[20..40].iter().all(|puzzle| text.contains(puzzle)));
    fs::write(at("own.toml"), "[[level]]\nname = \"B\"\ngivens = \"1..81\"").unwrap();
    assert!(export().contains("20 puzzles") && fs::read_to_string(at("out.csv")).unwrap().contains(",B,"));
    assert!(export().contains("already holds"));
}

#[test]
fn what_was_published_makes_a_new_index() {
    let folder = corpus();
    good(folder.path(), "export --count 390 --out a.csv", "");
    // An index of version 0.2.0.
    fs::write(folder.path().join("seen"), [&b"sudoku-classes 1"[..], &[7; 16]].concat()).unwrap();
    bad(folder.path(), "export --count 1 --except seen --out b.sdm", "", 1, &["version 0.2.0", "--remember NEW-INDEX"]);
    good(folder.path(), "export a.csv --all --out - --remember new", "");
    bad(folder.path(), "export --count 11 --except new --out b.sdm", "", 1, &["10 of 11"]);
}

/// A program that serves the puzzle of today reads it from any table.
#[test]
fn number_and_day_stand_in_every_table() {
    let folder = corpus();
    let sql = "SELECT number, date FROM puzzles ORDER BY number";
    let export = |name: &str| {
        let words = format!("export --count 3 --dates 2027-01-04 --first-puzzle 500 --quiet --out {name}");
        good(folder.path(), &words, "");
    };
    for name in ["d.parquet", "d.csv.zst"] {
        export(name);
        let table = query(folder.path(), sql, name);
        assert_eq!(table, "500,2027-01-04\n501,2027-01-05\n502,2027-01-06", "{name}");
    }
    export("d.sqlite");
    let database = fs::read(folder.path().join("d.sqlite")).unwrap();
    let holds = |text: &str| database.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    assert!(holds("2027-01-06") && holds("the day of the puzzle"));
    // Without a calendar, tables have the columns of a corpus alone.
    good(folder.path(), "export --count 3 --quiet --out plain.parquet", "");
    bad(folder.path(), &format!("query '{sql}' plain.parquet"), "", 2, &["number"]);
}

#[test]
fn own_levels_go_through_to_every_format_that_can_hold_them() {
    let folder = corpus();
    let own = "[[level]]\nname = \"Sanft\"\nhodoku_score = \"0..400\"\n[[level]]\nname = \"Zäh\"\nhodoku_score = \"401..100000\"";
    fs::write(folder.path().join("own.toml"), own).unwrap();
    let export = |more: &str, out: &str| {
        good(folder.path(), &format!("export --levels own.toml --sort level,-hodoku_score {more} --out {out}"), "")
    };
    export("--level sanft=6,zäh=4", "a.csv");
    let rows = lines(&folder.path().join("a.csv"));
    assert!(rows[0].starts_with("id,puzzle,solution,clues,level,hodoku_score,") && rows[0].ends_with(",class"));
    let levels: Vec<&str> = rows[1..].iter().map(|row| row.split(',').nth(4).unwrap()).collect();
    assert_eq!(levels, [["Sanft"; 6].as_slice(), &["Zäh"; 4]].concat());
    let score = |row: &String| row.split(',').nth(5).unwrap().parse::<u32>().unwrap();
    let scores: Vec<u32> = rows[1..].iter().map(score).collect();
    assert!(scores[..6].is_sorted_by(|a, b| a >= b) && scores[0] <= 400 && scores[6] > 400, "{scores:?}");
    for name in ["a.jsonl", "a.json"] {
        export("--level zäh=3", name);
        let text = fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text.matches("\"rating\":{\"level\":\"Zäh\",\"hodoku_level\":").count(), 3, "{text}");
    }
    let array: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("a.json")).unwrap()).unwrap();
    assert_eq!(array.as_array().map(Vec::len), Some(3));
    export("--level sanft=2,zäh=1", "a.sqlite");
    let database = fs::read(folder.path().join("a.sqlite")).unwrap();
    let holds = |text: &str| database.windows(text.len()).any(|bytes| bytes == text.as_bytes());
    assert!(holds("Sanft") && holds("Zäh"));
    for name in ["a.parquet", "a.csv.zst"] {
        export("--level sanft=2,zäh=1", name);
        let sql = "SELECT level, count(*) AS n FROM puzzles GROUP BY level ORDER BY 1";
        assert_eq!(query(folder.path(), sql, name), "Sanft,2\nZäh,1", "{name}");
        // The file says its scale, so the next command knows it.
        good(folder.path(), &format!("export {name} --level sanft=2 --out again.sdm --force"), "");
    }
    export("--level zäh=1", "a.sdk");
    assert!(fs::read_to_string(folder.path().join("a.sdk")).unwrap().contains("#LZäh\n"));
    export("--level zäh=2", "a.opensudoku");
    assert!(fs::read_to_string(folder.path().join("a.opensudoku")).unwrap().contains("<level>Zäh</level>"));
    export("--level zäh=1", "a.fpuzzles.txt");
    for name in ["a.jsonl", "a.json", "a.parquet", "a.fpuzzles.txt"] {
        assert!(good(folder.path(), &format!("check {name}"), "").contains("unique"), "{name}");
    }
    let both = ["no level 'hard': your own scale has Sanft, Zäh", "HoDoKu's scale has it: add --levels hodoku"];
    bad(folder.path(), "export --levels own.toml --level hard=1 --out b.csv", "", 2, &both);
}

#[test]
fn wrong_options_are_explained_before_any_work() {
    let folder = corpus();
    let wrong = |words: &str, message: &[&str]| bad(folder.path(), words, "", 2, message);
    wrong("export --out a.sdm", &["say how many"]);
    wrong("export --count 5", &["--out"]);
    wrong("export --count 5 --out a.xls", &["a.xls", "no format has this ending"]);
    wrong("export --count 5 --out a.sdm --format xls", &["unknown format 'xls'", "`list formats` has the names"]);
    wrong("export --level ezy=3 --out a.sdm", &["easy"]);
    wrong("export --level easy=3,hard --out a.sdm", &["either all items or none"]);
    wrong("export --count 3 --out a.sdm --where 'hodoku_scor > 3'", &["did you mean 'hodoku_score'"]);
    wrong("export --count 3 --out a.sdm --where 'hodoku_score > avg(hodoku_score)'", &["several rows"]);
    wrong("export --count 3 --out a.sdm --sort puzzle", &["has no order"]);
    bad(folder.path(), "export --count 3 --out nowhere/a.sdm", "", 1, &["nowhere/a.sdm"]);
    bad(folder.path(), "export nowhere --count 3 --out a.sdm", "", 1, &["nowhere"]);
    bad(folder.path(), "export --count 3 --out /dev/full --format csv", "", 1, &["/dev/full"]);
    assert!(!folder.path().join("a.sdm").exists());
}

/// The path of a script of this project.
fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(name)
}

/// True if there is a Python with these modules.
fn python(modules: &str) -> bool {
    let there = Command::new("python3").args(["-c", &format!("import {modules}")]).output();
    let there = there.is_ok_and(|output| output.status.success());
    if !there {
        skip(&format!("no python3 with {modules}"));
    }
    there
}

#[test]
fn an_independent_script_finds_every_puzzle_unique_and_no_two_the_same() {
    if !python("sys") {
        return;
    }
    let folder = corpus();
    good(folder.path(), "export --count 150 --out a.sdm", "");
    let check = |name: &str| {
        let output =
            Command::new("python3").arg(script("check_export.py")).arg(folder.path().join(name)).output().unwrap();
        (output.status.code(), output_text(&output))
    };
    let (code, said) = check("a.sdm");
    assert!(code == Some(0) && said.contains("150 puzzles, 150 solved, all compared: 0 wrong"), "{said}");
    // The script finds faults: a puzzle with reversed rows, and one with a missing given.
    let text = fs::read_to_string(folder.path().join("a.sdm")).unwrap();
    let first: Vec<char> = text.chars().take(81).collect();
    let turned: String = first.iter().rev().collect();
    let given = first.iter().position(|symbol| *symbol != '.').unwrap();
    let less: String = first.iter().enumerate().map(|(at, symbol)| if at == given { '.' } else { *symbol }).collect();
    fs::write(folder.path().join("b.sdm"), format!("{text}{turned}\n{less}\n")).unwrap();
    let (code, said) = check("b.sdm");
    assert!(code == Some(1) && said.contains("isomorphic") && said.contains("several solutions"), "{said}");
}

#[test]
fn json_lines_fit_their_schema() {
    let folder = corpus();
    let schema = good(folder.path(), "list schema", "");
    fs::write(folder.path().join("schema.json"), &schema).unwrap();
    good(folder.path(), "export --count 30 --out a.jsonl", "");
    good(folder.path(), "export a.jsonl --all --out b.jsonl --any-solutions", "");
    let first: serde_json::Value = serde_json::from_str(&lines(&folder.path().join("a.jsonl"))[0]).unwrap();
    assert!(
        first["rating"]["hodoku_score"].is_number()
            && first["rating"]["level"].is_string()
            && first["techniques"].is_object()
            && first["id"] == 1,
        "{first}"
    );
    if !python("jsonschema") {
        return;
    }
    let code = "import json, jsonschema, sys
validator = jsonschema.Draft202012Validator(json.load(open('schema.json')))
jsonschema.Draft202012Validator.check_schema(validator.schema)
rows = [json.loads(line) for name in ('a.jsonl', 'b.jsonl') for line in open(name)]
for row in rows: validator.validate(row)
assert not validator.is_valid({**rows[0], 'puzzle': 'x'}) and not validator.is_valid({**rows[0], 'more': 1})
print(len(rows))";
    let output = Command::new("python3").args(["-c", code]).current_dir(folder.path()).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "60\n", "{}", output_text(&output));
}

/// The script reports the readers that are not installed, and skips them.
#[test]
fn other_programs_read_the_same_puzzles() {
    if !python("sys") {
        return;
    }
    let folder = corpus();
    let words = [script("check_formats.py"), env!("CARGO_BIN_EXE_sudoku-corpus").into(), folder.path().join("corpus")];
    let output = Command::new("python3").args(words).output().unwrap();
    let said = output_text(&output);
    said.lines().filter(|line| line.contains("SKIPPED")).for_each(|line| eprintln!("{line}"));
    assert!(output.status.success() && said.matches("puzzles agree").count() >= 3, "{said}");
}

#[test]
fn a_missing_column_is_named_if_there_are_too_few_puzzles() {
    let folder = corpus();
    let words = "export --count 5 --out a.sdm --where 'se_er_tenths > 30 AND hodoku_score > 0'";
    bad(folder.path(), words, "", 1, &["no row says its se_er_tenths"]);
    bad(folder.path(), "export --out a.sdm --givens 30..20=5", "", 2, &["the range 30..20 is empty"]);
}

#[test]
fn an_index_that_cannot_be_kept_is_refused_before_anything_is_written() {
    let folder = corpus();
    fs::write(folder.path().join("a.idx"), "no index").unwrap();
    bad(folder.path(), "export --count 5 --out a.sdm --remember a.idx", "", 1, &["a.idx: not an index"]);
    bad(folder.path(), "export --count 5 --out a.sdm --except a.idx", "", 1, &["a.idx: it has no board"]);
    assert!(!folder.path().join("a.sdm").exists());
}

/// A pipe, standard output, or a full device, with readers that end early: each puzzle that anybody may have got is in the
/// index, and the next call brings others.
#[test]
#[cfg(unix)]
fn what_a_stream_gives_away_is_published() {
    use std::io::Read as _;
    use std::process::Stdio;
    let folder = corpus();
    let fifo = folder.path().join("f.sdm");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut given = HashSet::new();
    let (mut calls, mut puzzles) = (0, 0);
    for command in ["export --count 20", "book --count 4"] {
        for out in ["-", "/dev/stdout", "f.sdm"] {
            // How many bytes the reader takes before it ends.
            for taken in [0, 300, usize::MAX] {
                if command.starts_with("book") && out == "f.sdm" {
                    continue;
                }
                let words = format!("{command} --except seen --remember seen --quiet --out {out}");
                let words = if out == "/dev/stdout" && !command.starts_with("book") {
                    words + " --format lines"
                } else {
                    words
                };
                let mut child = program(folder.path(), &words).stderr(Stdio::piped()).spawn().unwrap();
                let mut reader: Box<dyn std::io::Read> = match out {
                    "f.sdm" => Box::new(fs::File::open(&fifo).unwrap()),
                    _ => Box::new(child.stdout.take().unwrap()),
                };
                let mut bytes = Vec::new();
                (&mut reader).take(taken as u64).read_to_end(&mut bytes).unwrap();
                drop(reader);
                let output = child.wait_with_output().unwrap();
                assert!(output.status.success(), "{words}: {}", output_text(&output));
                calls += 1;
                puzzles += if command.starts_with("book") { 4 } else { 20 };
                assert_eq!(published(folder.path(), "seen"), (puzzles, puzzles), "call {calls}: {words}");
                if command.starts_with("export") {
                    let text = String::from_utf8(bytes).unwrap();
                    let whole = text.lines().filter(|line| line.len() == 81);
                    assert!(whole.map(str::to_owned).all(|puzzle| given.insert(puzzle)), "doubled: {words}");
                }
            }
        }
    }
    assert!(given.len() > 60, "{}", given.len());
    #[cfg(target_os = "linux")]
    {
        let words = "export --count 5 --except seen --remember seen --format lines --out /dev/full";
        bad(folder.path(), words, "", 1, &["the disk is full"]);
        bad(folder.path(), &format!("{words} --out beside.sdm"), "", 1, &["the disk is full"]);
        assert!(published(folder.path(), "seen").0 == puzzles && !folder.path().join("beside.sdm").exists());
    }
    // No puzzle of the index comes again.
    let rest = 400 - published(folder.path(), "seen").0;
    good(folder.path(), "export --all --except seen --remember seen --quiet --out rest.sdm", "");
    let rest_lines = lines(&folder.path().join("rest.sdm"));
    assert!(rest_lines.len() == rest && rest_lines.into_iter().all(|puzzle| given.insert(puzzle)));
}

/// Whatever can be refused is refused before the puzzles are in the index: no line of it, and no file.
#[test]
fn what_is_refused_is_not_published() {
    let folder = corpus();
    let at = |name: &str| folder.path().join(name);
    // Three puzzles, the second with several solutions.
    let unique = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let several = format!("{}{}", &unique[..40], ".".repeat(41));
    fs::write(at("three.txt"), format!("{unique}\n{several}\n")).unwrap();
    good(folder.path(), "run --shape 3x3+windoku --count 4 --out variant --quiet", "");
    fs::write(at("words.toml"), "[book]\ncontents = \"\u{4e00}\"\n").unwrap();
    let some = "three.txt --all --any-solutions --pick input";
    for words in [
        "export --count 2 --dpi 20000 --out p-%.png",
        "export --count 2 --dpi 300 --size 845mm --caption number --out p-%.png",
        "export --count 2 --caption {volume} --out p-%.svg",
        "export --count 3 --symbols AB --out p-%.svg",
        "export --count 3 --out -  --format svg",
        "export --count 3 --out p.svg",
        "export --count 3 --out p-%.svg --out q.csv --merge m.csv --symbols AB",
        "export --count 3 --out p-%.svg --out q-%.png --merge m.csv",
        "export --count 3 --caption \u{4e00} --out p-%.svg",
        "export --count 3 --symbols A\u{410}3456789 --out p.html",
        "export variant --count 2 --out q.csv --out p.sdk",
        "export variant --count 2 --out p.tatham.txt",
        "export --count 3 --steps-out s.csv --out q.csv",
        "export --count 3 --split train=0.5,test=0.5 --out p.csv",
        "export --count 3 --out {level}/p.csv --out no/such/q.csv",
        &format!("export {some} --with-solutions --out p-%.svg"),
        &format!("export {some} --with-solutions --out p.html"),
        &format!("export {some} --with-solutions --out p.pdf --out q.csv"),
        "book --count 3 --words words.toml --out p.pdf",
        "book --count 3 --trim 1x1in --out p.pdf",
        "book --count 3 --volumes 2 --out p.pdf",
        "book --count 3 --out p.xyz",
        "book --count 3 --out p.pdf --index no/such/i.csv",
    ] {
        let output = common::run(&mut program(folder.path(), &format!("{words} --remember seen --quiet")), "");
        let said = output_text(&output);
        assert!(matches!(output.status.code(), Some(1 | 2)) && !said.contains("panicked"), "{words}: {said}");
        assert!(said.starts_with("error: "), "{words}: {said}");
        let left: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let is_new = |name: &&String| !["corpus", "variant", "three.txt", "words.toml"].contains(&name.as_str());
        // A folder that follows from a name may be there.
        let new: Vec<&String> = left.iter().filter(is_new).filter(|name| !at(name).is_dir()).collect();
        assert!(new.is_empty(), "{words}: {new:?}");
        assert!(output.stdout.is_empty(), "{words}");
    }
    let words = format!("export {some} --with-solutions --out p-%.svg");
    bad(folder.path(), &words, "", 2, &["puzzle 2 has several solutions"]);
}

/// An index that is cut, or has another byte in it, is told and publishes nothing.
#[test]
fn a_damaged_index_is_told() {
    let folder = corpus();
    let at = |name: &str| folder.path().join(name);
    good(folder.path(), "export --count 100 --remember seen --out a.sdm --quiet", "");
    let whole = fs::read(at("seen")).unwrap();
    for cut in [300, 4096, whole.len() / 2, whole.len() - 300, whole.len() - 1] {
        fs::write(at("copy"), &whole[..cut]).unwrap();
        for option in ["--remember", "--except"] {
            let words = format!("export --count 9 {option} copy --out b.sdm");
            bad(folder.path(), &words, "", 1, &["damaged index"]);
        }
        assert!(!at("b.sdm").exists() && fs::read(at("copy")).unwrap() == whole[..cut]);
    }
}

/// A file that lost all that it had does not say that nothing was published.
#[test]
fn an_emptied_file_of_published_puzzles_is_refused() {
    let folder = corpus();
    for name in ["seen", "night.classes", "a.csv"] {
        fs::write(folder.path().join(name), "").unwrap();
        for option in ["--except", "--remember", "--among"] {
            let words = format!("export --count 9 {option} {name} --out b.sdm");
            bad(folder.path(), &words, "", 1, &[name, "the file is empty", "remove the file if nothing was published"]);
        }
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"");
    }
    assert!(!folder.path().join("b.sdm").exists());
}

/// The same command with `--remember` knows its own files, of whatever number and format.
#[test]
fn a_command_that_is_repeated_writes_nothing_while_its_files_exist() {
    let folder = corpus();
    let index = "--except seen --remember seen";
    for (words, file) in [
        ("export --count 3 --out p-%.svg --with-solutions --merge p.csv", "p-2.svg"),
        ("export --count 4 --out {number}-{level}.sdk --seed 2", "seen"),
        ("export --count 3 --out a.sdm --out a.csv --seed 3", "a.csv"),
        ("export --all --where givens<27 --split train=0.5,test=0.5 --out {split}.csv", "train.csv"),
        ("book --count 2 --out b.epub --date 2027-01-31", "b.epub"),
        ("book --count 2 --volumes 2 --out v-%.pdf --index where.csv --cover cover-%.svg --seed 4", "v-2.pdf"),
    ] {
        let call = || output_text(&succeed(&mut program(folder.path(), &format!("{words} {index}")), ""));
        let (made, known) = (call(), published(folder.path(), "seen"));
        let before = fs::read(folder.path().join(file)).unwrap();
        assert!(!made.contains("already holds") && call().contains("it already holds these puzzles"), "{words}");
        assert!(fs::read(folder.path().join(file)).unwrap() == before && published(folder.path(), "seen") == known);
        if file != "seen" {
            fs::write(folder.path().join(file), "changed").unwrap();
            bad(folder.path(), &format!("{words} {index}"), "", 2, &["exists: --force replaces it"]);
        }
    }
}

/// Options that undo what another one promises, or change nothing.
#[test]
fn options_that_cannot_be_kept_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (shape, name) in [("5+jigsaw", "jigsaw"), ("3x3+windoku", "windoku"), ("2x2", "plain")] {
        good(folder.path(), &format!("run --quiet --count 2 --shape {shape} --out {name}"), "");
    }
    for name in ["jigsaw", "windoku"] {
        for command in ["export", "book"] {
            let words = format!("{command} {name} --count 2 --shade --out {command}.pdf");
            bad(folder.path(), &words, "", 2, &["--shade has no effect here: it needs a board with boxes"]);
        }
    }
    good(folder.path(), "export plain windoku --all --shade --out p-%.svg", "");
    for command in ["export plain", "book plain"] {
        let words = format!("{command} --count 2 --dates 2027-01-04 --week mon-sun=easy --sort givens --out a.pdf");
        bad(folder.path(), &words, "", 2, &["--sort"]);
    }
    // The last puzzle has several solutions, of which the second file gives one.
    fs::write(folder.path().join("said.csv"), "puzzle,solution\n123434122143....,1234341221434321\n").unwrap();
    fs::write(folder.path().join("wide.csv"), "puzzle,solution\n12..............,1234341221434321\n").unwrap();
    good(folder.path(), "export plain --count 1 --previous said.csv --out one.svg", "");
    fs::write(folder.path().join("open.txt"), "12..............\n").unwrap();
    for name in ["open.txt", "wide.csv"] {
        let words = format!("export plain --count 1 --previous {name} --out two.svg");
        bad(folder.path(), &words, "", 2, &[name, "the last puzzle has several solutions"]);
    }
}

/// The steps of `run`, of `export` and of its splits: each file has the steps of its puzzles and no others.
#[test]
fn steps_go_with_the_puzzles_they_solve() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |file: &str| -> u64 { query(folder.path(), "SELECT count(*) FROM puzzles", file).parse().unwrap() };
    let run = "run --quiet --count 60 --part-rows 40 --ratings none --steps";
    good(folder.path(), run, "");
    good(folder.path(), "verify corpus", "");
    let steps: u64 =
        ["steps-000000", "steps-000001"].map(|name| rows(&format!("corpus/steps/{name}.parquet"))).iter().sum();
    assert!(steps > 60 * 40, "{steps}");
    assert_eq!(rows("corpus"), 60);
    fs::write(folder.path().join("corpus/steps/steps-000001.parquet"), "broken").unwrap();
    bad(folder.path(), "verify corpus", "", 3, &["steps-000001.parquet"]);
    good(folder.path(), run, "");
    good(folder.path(), "verify corpus", "");
    good(folder.path(), "export corpus --quiet --all --out all.csv --steps-out all-steps.parquet", "");
    assert_eq!(rows("all-steps.parquet"), steps);
    let split =
        "export corpus --quiet --all --split train=0.6,test=0.4 --out {split}.csv --steps-out {split}-steps.jsonl";
    good(folder.path(), split, "");
    let mut counted = 0;
    for side in ["train", "test"] {
        let puzzles: HashSet<String> =
            lines(&folder.path().join(format!("{side}.csv"))).split_off(1).into_iter().collect();
        let solved = lines(&folder.path().join(format!("{side}-steps.jsonl")));
        assert_eq!(puzzles.len(), solved.len());
        for line in solved {
            let object: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert!(puzzles.iter().any(|row| row.contains(object["puzzle"].as_str().unwrap())));
            counted += object["steps"].as_array().unwrap().len() as u64;
        }
    }
    assert_eq!(counted, steps);
}

#[test]
fn a_newspaper_gets_its_weeks_in_several_formats_with_the_solution_of_the_day_before() {
    let folder = corpus();
    let at = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let export = "export corpus --quiet --count 7 --seed 3 --dates 2027-01-02 --days mon-sat --first-puzzle 98";
    let captions = "--caption 'No. {number}, {date}|{level}'";
    let first = format!("{export} --out all.csv --previous none {captions} --out {{date}}/p.svg --out {{date}}.ipuz");
    good(folder.path(), &first, "");
    let rows = lines(&folder.path().join("all.csv"));
    let days: Vec<&str> = rows[1..].iter().map(|row| row.rsplit_once(',').unwrap().1).collect();
    let week = ["2027-01-02", "2027-01-04", "2027-01-05", "2027-01-06", "2027-01-07", "2027-01-08", "2027-01-09"];
    assert_eq!(days, week);
    assert!(rows[1].starts_with("98,") && rows[7].starts_with("104,"), "{rows:?}");
    // Easy on Monday to hard on Saturday.
    let effort = |row: &String| {
        let cells: Vec<&str> = row.split(',').collect();
        let level =
            ["easy", "medium", "hard", "unfair", "extreme", "beyond"].iter().position(|level| *level == cells[4]);
        (level.unwrap(), cells[5].parse::<u32>().unwrap())
    };
    let efforts: Vec<(usize, u32)> = rows[1..].iter().map(effort).collect();
    assert!(efforts[1..].is_sorted() && efforts[5] <= efforts[0] && efforts[0] <= efforts[6], "{efforts:?}");
    for (row, day) in rows[1..].iter().zip(week) {
        let cells: Vec<&str> = row.split(',').collect();
        let ipuz: serde_json::Value = serde_json::from_str(&at(&format!("{day}.ipuz"))).unwrap();
        let first = cells[1].chars().next().unwrap().to_digit(10).unwrap_or(0);
        assert_eq!((ipuz["puzzle"][0][0].as_u64(), &ipuz["difficulty"]), (Some(first.into()), &cells[4].into()));
        assert_eq!(good(folder.path(), &format!("solve --quiet {day}.ipuz"), "").matches(cells[2]).count(), 1);
    }
    // The place of the first solution is blank; in all pictures it is as large.
    let width = |text: &str| text.split("width=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let (first, second) = (at("2027-01-02/p.svg"), at("2027-01-04/p.svg"));
    assert_eq!(
        (width(&first), first.matches("stroke=").count() * 2),
        (width(&second), second.matches("stroke=").count())
    );
    // The last puzzle of a file is before the first.
    let same = format!("{export} --force --out {{date}}/p.svg --previous all.csv {captions}");
    good(folder.path(), &same, "");
    assert!(at("2027-01-02/p.svg").len() > first.len() && at("2027-01-04/p.svg") == second);
    bad(folder.path(), "export corpus --count 2 --out {dat}.csv", "", 2, &["uses {dat}", "number, level"]);
    bad(folder.path(), "export corpus --count 2 --out {date}.csv", "", 2, &["{date} needs --dates"]);
    bad(folder.path(), "export corpus --count 2 --out a.svg --caption {volume}", "", 2, &["--caption", "{volume}"]);
}

/// What was published is remembered: the same command makes what was lost again, whatever was published meanwhile.
#[test]
fn lost_outputs_are_made_again_with_the_same_puzzles() {
    let folder = corpus();
    let all = |names: &[&str]| names.iter().map(|name| fs::read(folder.path().join(name)).unwrap()).collect::<Vec<_>>();
    let index = " --except seen --remember seen --quiet --force";
    let book = "book --count 7 --volumes 3 --first-number 5 --title Lost --out v-%.pdf --index where.csv";
    for (words, names, lost) in [
        ("export --count 30 --out a.csv", &["a.csv"][..], "a.csv"),
        ("export --level medium=3,easy=4 --sort hodoku_score --out s-%.sdk", &["s-1.sdk", "s-7.sdk"], "s-7.sdk"),
        ("export --count 20 --out b.jsonl --steps-out b.steps.jsonl", &["b.jsonl", "b.steps.jsonl"], "b.steps.jsonl"),
        (book, &["v-5.pdf", "v-6.pdf", "v-7.pdf", "where.csv"], "v-6.pdf"),
    ] {
        good(folder.path(), &format!("{words}{index}"), "");
        let made = all(names);
        good(folder.path(), &format!("export --count 5 --out other.sdm{index} --seed {}", names.len()), "");
        let known = published(folder.path(), "seen");
        fs::remove_file(folder.path().join(lost)).unwrap();
        let output = succeed(&mut program(folder.path(), &format!("{words}{index}")), "");
        assert!(output_text(&output).contains("puzzles again that it had before"), "{}", output_text(&output));
        assert!(all(names) == made, "{words}");
        assert_eq!(published(folder.path(), "seen"), known, "no class is added");
    }
}

#[test]
fn only_takes_the_puzzles_of_a_file_and_except_takes_others() {
    let folder = corpus();
    let sorted = |name: &str| {
        let mut lines = lines(&folder.path().join(name));
        lines.sort();
        lines
    };
    good(folder.path(), "export corpus --count 20 --seed 1 --out a.sdm", "");
    good(folder.path(), "export corpus --all --among a.sdm --out b.sdm", "");
    assert_eq!(sorted("a.sdm"), sorted("b.sdm"));
    good(folder.path(), "export corpus --all --except a.sdm --out c.sdm", "");
    assert!(sorted("c.sdm").len() == 380 && sorted("c.sdm").iter().all(|line| !sorted("a.sdm").contains(line)));
    bad(folder.path(), "export corpus --count 21 --among a.sdm --out d.sdm", "", 1, &["20 of 21"]);
}

/// `{recipe}` stands for the folder of the recipe; other files that outputs read are those that outputs wrote.
#[test]
fn outputs_read_beside_the_recipe_and_what_outputs_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("recipes")).unwrap();
    write("recipes/own.toml", "[[level]]\nname = \"Gentle\"\nhodoku_score = \"0..1000000\"\n");
    write("recipes/words.toml", "[book]\ncontents = \"What is inside\"\n");
    let output = |keys: &str| format!("[[output]]\ncommand = {keys}\n");
    let recipe = [
        "count = 60\n".to_owned(),
        output("\"export\"\ncount = 30\nlevels = \"{recipe}/own.toml\"\nout = [\"a.sdm\", \"a.csv\"]"),
        output(
            "\"book\"\nall = true\nuniqueness = true\namong = \"a.sdm\"\nwords = \"{recipe}/words.toml\"\n\
            title = \"- Own -\"\nout = \"same.pdf\"",
        ),
        output("\"export\"\ncount = 30\nexcept = \"a.sdm\"\nout = \"others.sdm\""),
    ];
    write("recipes/r.toml", &recipe.concat());
    let ran = program(folder.path(), "run recipes/r.toml --out made").output().unwrap();
    let said = output_text(&ran);
    assert!(ran.status.success(), "{said}");
    let read = |name: &str| lines(&folder.path().join("made/outputs").join(name));
    assert!(read("a.csv")[1].contains(",Gentle,"), "{said}");
    assert!(
        read("others.sdm").iter().all(|line| !read("a.sdm").contains(line)) && said.contains("30 puzzles"),
        "{said}"
    );
    for wrong in ["logo = \"no.svg\"", "words = \"words.toml\"", "words = \"{recipe}/no.toml\""] {
        write(
            "recipes/r.toml",
            &format!("count = 9\n[[output]]\ncommand = \"book\"\nall = true\n{wrong}\nout = \"b.pdf\""),
        );
        bad(folder.path(), "run recipes/r.toml --out other", "", 2, &["[[output]] 1", "there is no such file"]);
        assert!(!folder.path().join("other").exists(), "refused before any row is made");
    }
}

/// The first of two outputs with one name would be lost.
#[test]
fn two_outputs_never_have_one_name() {
    let folder = corpus();
    let levels = "[[level]]\nname = \"a/b\"\ngivens = \"10..26\"\n[[level]]\nname = \"a b\"\ngivens = \"27..80\"\n";
    fs::write(folder.path().join("levels.toml"), levels).unwrap();
    for words in [
        "export --count 3 --out z.jsonl --steps-out z.jsonl",
        "export --count 3 --out z.csv --out ./z.csv",
        "export --count 3 --out z.csv --out Z.csv",
        "export --count 3 --out r.csv --remember r.csv",
        "export --count 3 --out m-%.svg --merge m-1.svg",
        "export --count 1 --out m-{number}.svg --with-solutions --out m-1-solution.svg",
        "export --all --out a.{level}.csv --out a.easy.csv",
        "export --all --levels levels.toml --out x-{level}.csv",
        "export --all --split train=0.5,test=0.5 --out {split}.jsonl --steps-out {split}.jsonl",
        "book --count 3 --out b.pdf --index b.pdf",
        "book --count 3 --out b.pdf --remember b.pdf",
        "book --count 3 --volumes 2 --out v-%.pdf --index v-2.pdf",
        "audit corpus --out a.md --out a.md",
        "stats givens corpus --plot p.svg --out p.csv",
        "analyze corpus --out q.parquet --steps-out q.parquet",
    ] {
        bad(folder.path(), words, "", 2, &["two outputs"]);
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    // A file that a level or a number cannot become is another file.
    good(folder.path(), "export --count 3 --out a.{level}.csv --out a.all.csv --quiet", "");
}

/// Runs the program and kills it if it has not ended after two minutes. Returns its exit code and stderr.
#[cfg(unix)]
fn ends(folder: &Path, words: &[&str], input: &str) -> (Option<i32>, String) {
    use std::io::Write as _;
    let mut child = program(folder, "").args(words).stdout(std::process::Stdio::null()).spawn().unwrap();
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let began = std::time::Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed().as_secs() > 120 {
            child.kill().unwrap();
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), common::stderr(&output))
}

/// What is read twice is the same both times, also if it comes through a pipe.
#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "a test may panic")]
fn a_pipe_gives_what_its_file_gives() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    good(folder.path(), "run --quiet --count 200 --techniques none --ratings none --weight --out pool", "");
    good(folder.path(), "query --out rows.csv 'SELECT * FROM puzzles' pool", "");
    let rows = fs::read_to_string(at("rows.csv")).unwrap();
    let count = "SELECT count(*) FROM puzzles";
    let commands: [(&[&str], &str); 4] = [
        (
            &["release", "IN", "--out", "OUT", "--license", "CC0-1.0", "--quiet"],
            "OUT/puzzles/train-00000-of-00001.parquet",
        ),
        (&["export", "IN", "--count", "1", "--pick", "weighted", "--quiet", "--out", "OUT.csv"], "OUT.csv"),
        (&["query", count, "IN", "--out", "OUT.csv"], "OUT.csv"),
        (&["report", "IN", "--levels", "newspaper", "--title", "t", "--out", "OUT.md"], "OUT.md"),
    ];
    for (words, made) in commands {
        let run = |input: &str, out: &str, text: &str| {
            let named: Vec<String> = words
                .iter()
                .map(|word| if *word == "IN" { input.to_owned() } else { word.replace("OUT", out) })
                .collect();
            let words: Vec<&str> = named.iter().map(String::as_str).collect();
            let (code, said) = ends(folder.path(), &words, text);
            assert_eq!(code, Some(0), "{words:?}: {said}");
            fs::read(at(&made.replace("OUT", out))).unwrap()
        };
        let name = words[0];
        let whole = run("rows.csv", &format!("{name}-file"), "");
        if name != "query" {
            assert!(run("-", &format!("{name}-stdin"), &rows) == whole, "{words:?}");
        }
        let pipe = format!("{name}.csv");
        assert!(Command::new("mkfifo").arg(at(&pipe)).status().unwrap().success());
        let (path, text) = (at(&pipe), rows.clone());
        let writer = std::thread::spawn(move || fs::write(path, text));
        assert!(run(&pipe, &format!("{name}-pipe"), "") == whole, "{words:?}");
        drop(writer.join());
    }
    // Parquet through a pipe.
    good(folder.path(), "query --out rows.parquet 'SELECT * FROM puzzles' pool", "");
    assert!(Command::new("mkfifo").arg(at("pipe.parquet")).status().unwrap().success());
    let (path, bytes) = (at("pipe.parquet"), fs::read(at("rows.parquet")).unwrap());
    let writer = std::thread::spawn(move || fs::write(path, bytes));
    assert_eq!(ends(folder.path(), &["query", count, "pipe.parquet", "--out", "p.csv"], "").0, Some(0));
    drop(writer.join());
    assert_eq!(lines(&at("p.csv"))[1], "200");
}

#[test]
fn every_puzzle_is_in_the_output_or_told() {
    let folder = corpus();
    let said = |words: &str| common::stderr(&succeed(&mut program(folder.path(), words), ""));
    for days in ["sun-sat", "sat-mon", "mon"] {
        let words = format!("export --count 9 --dates 2027-01-04 --days {days} --out {days}.csv");
        assert!(said(&words).contains("9 puzzles (levels on HoDoKu's scale) of 400 rows"));
        assert_eq!(lines(&folder.path().join(format!("{days}.csv"))).len(), 10, "{days}");
    }
    let of_all = said("export --all --where givens<25 --out few.csv");
    let kept = lines(&folder.path().join("few.csv")).len() - 1;
    assert!(of_all.contains(&format!("left out: {} do not meet the conditions", 400 - kept)), "{of_all}");
    assert!(!said("export --all --out all.csv").contains("left out"));
    assert!(said("export --all --except few.csv --out rest.csv").contains(&format!("{kept} are in earlier exports")));
    // An output that was published and is gone.
    let words = "export --count 5 --except t.index --remember t.index --out t.sdm";
    let path = folder.path().join("t.sdm");
    said(words);
    let before = lines(&path);
    fs::remove_file(&path).unwrap();
    let again = said(words);
    assert!(again.contains("t.sdm gets 5 puzzles again that it had before") && lines(&path) == before, "{again}");
}
