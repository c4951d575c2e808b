//! Tests of the program: commands, exit codes, messages, interruptions.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use sudoku_corpus::corpus::{OutputFolder, OutputPath};

use crate::common::{
    PUZZLE, bad, contents, fail, good, output_text, program, query, run, signal, stderr, stdout, succeed, wait_for,
};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn every_command_has_help_and_unknown_words_are_refused() {
    let folder = folder();
    let help = good(folder.path(), "--help", "");
    let commands = help.split("Begin:").nth(1).unwrap().split("Options:").next().unwrap();
    let names: Vec<&str> = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() >= 10, "{help}");
    for name in names {
        let help = good(folder.path(), &format!("{name} --help"), "");
        let examples = help.split("Examples:").nth(1).unwrap_or_else(|| panic!("no example in the help of {name}"));
        assert!(examples.contains(&format!("sudoku-corpus {name}")), "{help}");
        bad(folder.path(), &format!("{name} --no-such-option"), "", 2, &["--no-such-option"]);
    }
    bad(folder.path(), "frobnicate", "", 2, &["frobnicate"]);
    bad(folder.path(), "run --shape 3y3", "", 2, &["3y3"]);
    bad(folder.path(), "run --shape 1x9", "", 2, &["1x9"]);
    bad(folder.path(), "run --plan givens=12", "", 2, &["17"]);
    bad(folder.path(), "run --method jump-bakc", "", 2, &["jump-back"]);
    bad(folder.path(), "run --symmetry round", "", 2, &["rotate-180"]);
}

/// A size may be the size of the board or of a box. The program names both, and makes a suggestion if there is no
/// board.
#[test]
fn boards_are_named_by_their_size_and_by_the_size_of_a_box() {
    let folder = folder();
    for (words, board) in [("--board 6x6", "6x6 board, 2x3 boxes"), ("--shape 2x2", "4x4 board, 2x2 boxes")] {
        let words = format!("run --count 4 {words} --techniques none --out");
        let first = stderr(&succeed(&mut program(folder.path(), &format!("{words} {}", &board[..3])), ""));
        assert!(first.starts_with(&format!("making 4 puzzles in {}: {board}\n", &board[..3])), "{first}");
        assert!(first.contains(&format!("Try next:\n  sudoku-corpus report {}\n", &board[..3])), "{first}");
        let again = stderr(&succeed(&mut program(folder.path(), &format!("{words} {}", &board[..3])), ""));
        assert!(!again.contains("Try next"), "{again}");
    }
    let meant = "did you mean the 9x9 board, shape 3x3?";
    for command in ["run", "dig -", "check -", "export --count 1 --out x.sdm", "coverage"] {
        bad(folder.path(), &format!("{command} --shape 9x9"), "", 2, &["81x81 board, 9x9 boxes", meant]);
    }
    bad(folder.path(), "run --board 6x6 --shape 2x3", "", 2, &["cannot be used with"]);
}

#[test]
fn the_same_recipe_gives_the_same_bytes_with_any_threads_and_in_any_pieces() {
    let folder = folder();
    let run = |words: &str| good(folder.path(), &format!("run --quiet --count 700 --part-rows 100 {words}"), "");
    run("--out one --threads 1");
    run("--out two --threads 3");
    run("--out pieces --parts 4..6");
    run("--out pieces --share 0/3");
    run("--out pieces");
    let one = contents(&folder.path().join("one"));
    assert_eq!(one.len(), 7 + 1, "{:?}", one.keys());
    assert!(one == contents(&folder.path().join("two")), "threads change the bytes");
    assert!(one == contents(&folder.path().join("pieces")), "pieces change the bytes");
    for share in ["3/4", "1/4", "0/4", "2/4"] {
        run(&format!("--out shares --share {share}"));
    }
    run("--out shares");
    for index in 0..9 {
        run(&format!("--out many --share {index}/9"));
    }
    for made in ["shares", "many"] {
        let parts = |folder: &str| {
            let mut all = contents(Path::new(folder));
            all.retain(|name, _| name.starts_with("rows"));
            all
        };
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        assert!(parts(&path(made)) == parts(&path("one")), "{made}");
    }
    run("--out other --seed 5");
    assert!(one != contents(&folder.path().join("other")), "the seed changes nothing");
}

/// Starts a run and waits until it has finished some part.
fn start_and_wait(folder: &Path, command: &mut Command) -> Child {
    let child = command.spawn().unwrap();
    wait_for(&folder.join("corpus/rows/part-000000.parquet"));
    child
}

/// So many rows that a kill always comes before the end.
const LONG: &str = "run --count 400000 --part-rows 400";

#[test]
fn a_killed_run_resumes_and_gives_the_same_bytes() {
    let folder = folder();
    let mut child = start_and_wait(folder.path(), &mut program(folder.path(), LONG));
    child.kill().unwrap();
    child.wait().unwrap();
    let corpus = folder.path().join("corpus");
    let parts = contents(&corpus).keys().filter(|path| path.starts_with("rows")).count() as u64;
    assert!(parts < 1000, "the run was over before it was killed");
    // Resume for two more parts, then compare with parts made in one run elsewhere.
    let more = parts + 1;
    good(folder.path(), &format!("{LONG} --quiet --parts 0..{more}"), "");
    good(folder.path(), &format!("{LONG} --quiet --parts 0..{more} --out whole"), "");
    assert!(contents(&corpus) == contents(&folder.path().join("whole")));
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_soon_and_says_how_to_resume() {
    for name in ["INT", "TERM", "HUP"] {
        let folder = folder();
        let child = start_and_wait(folder.path(), &mut program(folder.path(), LONG));
        signal(name, child.id());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
        let text = stderr(&output);
        assert!(text.contains("to continue, run the same command"), "{text}");
        let left = fs::read_dir(folder.path().join("corpus")).unwrap().map(|entry| entry.unwrap().file_name());
        let stray: Vec<_> = left.filter(|name| name.to_string_lossy().contains('~')).collect();
        assert!(stray.is_empty(), "{stray:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_limit_of_file_size_is_an_error_with_a_message() {
    let folder = folder();
    let shell = format!("ulimit -f 8; exec {} generate --count 5000 --out g.txt", env!("CARGO_BIN_EXE_sudoku-corpus"));
    let output = Command::new("sh").args(["-c", &shell]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write g.txt: the file would be too large"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Drivers need this: their children do not outlive them, even if the driver is killed without warning.
#[cfg(unix)]
#[test]
fn a_run_ends_with_the_process_that_holds_its_input() {
    let folder = folder();
    let mut parent = Command::new("sleep").arg("600").stdout(Stdio::piped()).spawn().unwrap();
    let mut command = program(folder.path(), &format!("{LONG} --stop-with-stdin"));
    let child = start_and_wait(folder.path(), command.stdin(parent.stdout.take().unwrap()));
    signal("KILL", parent.id());
    parent.wait().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    // Without the option, an input that stays open does not matter.
    good(folder.path(), "run --quiet --count 5 --out other", "");
}

#[test]
fn parts_made_separately_become_one_corpus_with_exit_codes_for_schedulers() {
    let folder = folder();
    let recipe = "count = 300\npart_rows = 100\n";
    fs::write(folder.path().join("recipe.toml"), recipe).unwrap();
    let about = good(folder.path(), "run recipe.toml --dry-run --json", "");
    assert!(about.contains("\"parts\":3") && about.contains("\"fingerprint\":\""), "{about}");
    let line = good(folder.path(), "run recipe.toml --quiet --json --parts 2 --out a", "");
    let again = good(folder.path(), "run recipe.toml --quiet --json --parts 2 --out a", "");
    let named = line.split("\"seconds\"").next().unwrap();
    assert!(named.contains("\"file\":\"rows/part-000002.parquet\""));
    assert!(line.lines().count() == 1 && again.starts_with(named), "a second run says the same: {line}{again}");
    good(folder.path(), "run recipe.toml --quiet --parts 0..0 --out b", "");
    // The parts are moved into one folder, where `run` makes what is missing.
    fs::rename(folder.path().join("a/rows/part-000002.parquet"), folder.path().join("b/rows/part-000002.parquet"))
        .unwrap();
    bad(folder.path(), "verify b", "", 3, &["rows/part-000001.parquet: missing"]);
    bad(
        folder.path(),
        "run recipe.toml --out b",
        "",
        0,
        &["made 100 rows in 1 part", "2 parts were there already", "b is complete: 3 parts"],
    );
    good(folder.path(), "verify b", "");
    let part = folder.path().join("b/rows/part-000001.parquet");
    fs::write(&part, "not at all").unwrap();
    bad(
        folder.path(),
        "stats givens b",
        "",
        1,
        &["rows/part-000001.parquet", "`run b/recipe.toml --out b` makes the part again"],
    );
    bad(
        folder.path(),
        "run recipe.toml --out b",
        "",
        0,
        &["it is b/set-aside/part-000001.parquet now", "b is complete"],
    );
    assert_eq!(fs::read(folder.path().join("b/set-aside/part-000001.parquet")).unwrap(), b"not at all");
    good(folder.path(), "verify b", "");
}

#[test]
fn a_second_run_on_the_folder_and_another_recipe_are_refused() {
    let folder = folder();
    let mut child = start_and_wait(folder.path(), &mut program(folder.path(), LONG));
    bad(folder.path(), LONG, "", 1, &["corpus", "is working on"]);
    child.kill().unwrap();
    child.wait().unwrap();
    bad(folder.path(), "run --count 5", "", 2, &["another recipe"]);
    for words in ["--parts 3..2", "--parts x", "--share 3/3", "--share 1", "--share 0/2 --parts 1"] {
        bad(folder.path(), &format!("{LONG} {words}"), "", 2, &["--"]);
    }
    bad(folder.path(), &format!("{LONG} --parts 0..5000"), "", 2, &["parts 0..5000: the recipe has 1000 parts"]);
}

#[test]
fn stages_work_on_files_and_pipes() {
    let folder = folder();
    let grids = good(folder.path(), "generate --count 20 --method row-major", "");
    assert_eq!(grids.lines().count(), 20);
    let puzzles = good(folder.path(), "dig - --plan givens=30..34", &grids);
    assert!(puzzles.lines().all(|line| (30..=34).contains(&line.chars().filter(|c| *c != '.').count())), "{puzzles}");
    let rows = good(folder.path(), "analyze -", &puzzles);
    assert_eq!(rows.lines().count(), 21, "{rows}");
    for name in ["rows.parquet", "rows.csv.zst", "rows.csv"] {
        good(folder.path(), &format!("analyze - --out {name}"), &puzzles);
        assert_eq!(good(folder.path(), &format!("analyze {name}"), ""), rows, "{name}");
    }
    for shape in ["2x2", "2x3", "3x2", "2x5", "3x4"] {
        let grids = good(folder.path(), &format!("generate --count 3 --shape {shape}"), "");
        let puzzles = good(folder.path(), &format!("dig --shape {shape}"), &grids);
        let checked = good(folder.path(), &format!("check --shape {shape}"), &puzzles);
        assert_eq!(checked.matches("unique").count(), 3, "{shape}: {checked}");
    }
    let huge = good(folder.path(), "generate --shape 20x20 --method permutation", "");
    assert_eq!(huge.split_whitespace().count(), 160_000);
}

#[test]
fn effort_is_rated_on_request() {
    let folder = folder();
    let lines = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n\
                 4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
    good(folder.path(), "analyze - --ratings none --out without.csv", lines);
    good(folder.path(), "analyze - --ratings effort --out with.csv", lines);
    let sql = "SELECT effort_steps, effort_singles_percent, effort_refutation FROM puzzles ORDER BY row";
    assert_eq!(query(folder.path(), sql, "without.csv"), ",,\n,,");
    let with = query(folder.path(), sql, "with.csv");
    let rows: Vec<&str> = with.lines().collect();
    assert_eq!(rows[0], "0,100,0");
    assert!(!rows[1].contains(",,") && !rows[1].starts_with("0,"), "{with}");
    bad(folder.path(), "analyze - --ratings efort", "", 2, &["effort"]);
}

#[test]
fn bad_rows_are_reported_and_skipped_or_stop_the_command() {
    let folder = folder();
    let text = format!("{PUZZLE}\n1234567\n{}\n{PUZZLE}\n", PUZZLE.replace("53", "55"));
    let output = succeed(&mut program(folder.path(), "analyze -"), &text);
    assert_eq!(stdout(&output).lines().count(), 3);
    assert!(stderr(&output).contains(":2") && stderr(&output).contains("2 skipped"), "{}", stderr(&output));
    assert!(stderr(&output).contains("digit 5 stands twice in row 1"), "{}", stderr(&output));
    bad(folder.path(), "analyze - --on-error fail", &text, 1, &[":2"]);
    bad(folder.path(), "analyze nowhere.txt", "", 1, &["nowhere.txt"]);
    for (command, text) in [("check -", ""), ("solve -", "Grid 01\n"), ("analyze -", "53..7\n")] {
        bad(folder.path(), command, text, 1, &["board"]);
    }
    bad(folder.path(), "check -", "53..7\n", 3, &["1 not a puzzle"]);
    bad(folder.path(), "analyze . ", "", 1, &["not a corpus"]);
    fs::write(folder.path().join("fake.parquet"), "not at all").unwrap();
    bad(folder.path(), "analyze fake.parquet", "", 1, &["fake.parquet: it has no board"]);
}

#[test]
fn damaged_files_are_refused_with_a_reason() {
    let folder = folder();
    let puzzles = format!("{PUZZLE}\n").repeat(500);
    for name in ["rows.parquet", "rows.csv.zst"] {
        good(folder.path(), &format!("analyze - --out {name}"), &puzzles);
        let whole = fs::read(folder.path().join(name)).unwrap();
        for keep in [whole.len() / 2, whole.len() - 10, 5] {
            fs::write(folder.path().join(name), &whole[..keep]).unwrap();
            bad(folder.path(), &format!("analyze {name}"), "", 1, &[name]);
        }
    }
}

#[test]
fn check_says_what_is_wrong_with_exit_code_3() {
    let folder = folder();
    let checked = good(folder.path(), &format!("check {PUZZLE}"), "");
    assert!(checked.contains("unique"), "{checked}");
    // The band is the smallest of the six chutes of the solution.
    let solved = good(folder.path(), "solve", PUZZLE);
    let line = solved.lines().nth(1).unwrap().split(',').nth(2).unwrap();
    fs::write(folder.path().join("solved.txt"), line).unwrap();
    let chutes = good(folder.path(), "coverage solved.txt --method uniform --quiet", "");
    let numbers = chutes.split("class ").filter_map(|rest| rest.split_once(" of 416")?.0.parse::<u32>().ok());
    let band = numbers.clone().min().unwrap();
    assert!(numbers.count() == 6 && checked.ends_with(&format!(",band {band} of 416\n")), "{checked}\n{chutes}");
    let several = PUZZLE.replace("53", "..");
    let several = several.replace("195", "...");
    bad(folder.path(), &format!("check {several}"), "", 3, &["several"]);
    let none = format!("{}5", &".".repeat(80));
    bad(folder.path(), &format!("check {none}"), "", 3, &["several"]);
    // 1 to 8 in the first row and 9 below its empty cell: nothing fits there.
    let none = format!("12345678.{}9{}", ".".repeat(8), ".".repeat(63));
    bad(folder.path(), &format!("check {none}"), "", 3, &["no solution"]);
    bad(folder.path(), &format!("check {}", PUZZLE.replace("53", "55")), "", 3, &["digit 5 stands twice"]);
    bad(folder.path(), "check -", "", 1, &["no board"]);
    for name in ["nofile", "puzzles_of_march_2026", "puzzles0123456789012345", "abcdefghijklmnop", "a/1234567890123456"]
    {
        bad(folder.path(), &format!("check {name}"), "", 2, &[name, "neither a file nor a puzzle"]);
    }
}

#[test]
fn rows_that_are_not_settled_are_told() {
    let folder = folder();
    let blank = format!("{}\n", ".".repeat(256));
    let output = succeed(&mut program(folder.path(), "analyze - --ratings none --budget 1"), &blank);
    assert!(stderr(&output).contains("1 row not settled: 1 position"), "{}", stderr(&output));
    let output = succeed(&mut program(folder.path(), "analyze - --ratings none"), &blank);
    assert!(!stderr(&output).contains("not settled"), "{}", stderr(&output));
}

#[test]
fn solve_and_hint_answer_for_one_puzzle() {
    let folder = folder();
    let page = good(folder.path(), &format!("solve --steps {PUZZLE}"), "");
    assert!(page.contains("unique") && page.contains("solved in") && page.contains("5 3 4 | 6 7 8 | 9 1 2"), "{page}");
    // Rated 1.5 / 1.2 / 1.2 by Sudoku Explainer 1.2.1 itself.
    let rated = "073002000000006037000000420800001000020600900900000870209410000007000000010000068";
    let explained = good(folder.path(), &format!("solve --steps --rater se {rated}"), "");
    assert!(explained.contains("ER / EP / ED 1.5 / 1.2 / 1.2"), "{explained}");
    let csv = good(folder.path(), "solve -", &format!("{PUZZLE}\n"));
    assert!(csv.contains("534678912672195348198342567859761423426853791713924856961537284287419635345286179,1,"));
    let hint = good(folder.path(), &format!("hint {PUZZLE}"), "");
    assert!(hint.contains("Next step: Naked Single: 5 in r5c5"), "{hint}");
    assert_eq!(good(folder.path(), &format!("hint {PUZZLE} --cell r1c3"), ""), "r1c3: 1 2 4\n");
    assert_eq!(good(folder.path(), &format!("hint {PUZZLE} --cell r1c1"), ""), "r1c1 holds 5\n");
    bad(folder.path(), &format!("hint {PUZZLE} --cell r10c1"), "", 2, &["no cell r10c1"]);
    bad(folder.path(), &format!("hint {PUZZLE} --cell z"), "", 2, &["r4c7"]);
    let hint = good(folder.path(), "hint -", &format!("{}\n", ".".repeat(81)));
    assert!(hint.contains("none of these techniques applies; the puzzle has several solutions"), "{hint}");
}

/// Commands that read IN and write OUT, with every option for an output.
#[cfg(unix)]
const WRITING: [&str; 31] = [
    "analyze IN --out OUT",
    "analyze IN --out new.csv --steps-out OUT",
    "audit IN --out OUT.md",
    "audit IN --out new.md --out OUT",
    "book IN --count 1 --force --out OUT.pdf",
    "book IN --count 1 --force --out new.pdf --index OUT",
    "book IN --count 1 --force --out new.pdf --cover OUT.svg",
    "coverage IN --method uniform --out OUT",
    "dig IN --out OUT",
    "export IN --all --force --out OUT",
    "export IN --all --force --out new.csv --steps-out OUT.jsonl",
    "export IN --all --force --format svg --out %.svg --merge OUT",
    "generate --method base-shuffle --bases IN --out OUT",
    "hint IN --force --out OUT.svg",
    "mask IN --force --out OUT",
    "query 'SELECT 1 FROM puzzles' IN --out OUT",
    "query 'SELECT 1 FROM puzzles' t=IN --out OUT.csv",
    "query 'SELECT 1 FROM puzzles' corpus --table t=IN --out OUT.csv",
    "report IN --out OUT.html",
    "report IN --out new.html --data OUT.folder",
    "score EXTRA IN --out OUT.html",
    "score EXTRA IN --out new.md --out OUT.json",
    "solve IN --steps --force --out OUT",
    "stats givens IN --out OUT",
    "stats givens IN --out new.csv --plot OUT.svg",
    "stats givens IN --out new.csv --replicates OUT.csv",
    "export IN --all --force --except EXTRA --out OUT.txt",
    "book IN --count 1 --words IN --out OUT.pdf --force",
    "release IN --out OUT.folder",
    "run --bases IN --count 1 --shape 2x2 --out OUT.folder",
    "man --out OUT.folder",
];

/// No command replaces what it reads: by the same name, by a link, by a hard link, as a part of a corpus or a new file
/// with the name of one, as standard input.
#[cfg(unix)]
#[test]
fn no_command_replaces_its_input() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    good(folder.path(), "run --count 20 --part-rows 10 --out corpus --quiet", "");
    good(folder.path(), "analyze corpus --out rows.csv --quiet", "");
    let command = sudoku_corpus::cli::command();
    for sub in command.get_subcommands() {
        let written = [TypeId::of::<OutputPath>(), TypeId::of::<OutputFolder>()];
        let of_output =
            |argument: &&_| written.iter().any(|kind| clap::Arg::get_value_parser(argument).type_id() == *kind);
        for output in sub.get_arguments().filter(of_output) {
            let (name, option) = (sub.get_name(), format!("--{} OUT", output.get_long().unwrap()));
            assert!(WRITING.iter().any(|line| line.starts_with(name) && line.contains(&option)), "{name} {option}");
        }
    }
    let before = || (contents(&path("corpus")), fs::read(path("rows.csv")).unwrap());
    let there = before();
    for line in WRITING.iter().filter(|line| line.contains("IN") && !line.contains("OUT.folder")) {
        for relation in ["same", "link", "hard", "part", "new part"] {
            let end = line.split("OUT").nth(1).unwrap().split(' ').next().unwrap();
            let (input, output) = match relation {
                "same" => ("rows.csv", "rows.csv".to_owned()),
                "link" | "hard" => ("rows.csv", format!("link{end}")),
                "part" => ("corpus", "corpus/rows/part-000001.parquet".to_owned()),
                _ => ("corpus", format!("corpus/rows/part-000009.csv{end}")),
            };
            if output.starts_with("link") {
                drop(fs::remove_file(path(&output)));
            }
            match relation {
                "link" => std::os::unix::fs::symlink("rows.csv", path(&output)).unwrap(),
                "hard" => fs::hard_link(path("rows.csv"), path(&output)).unwrap(),
                _ => {}
            }
            // The option gets exactly this name, whatever its ending.
            let words = line.replace(&format!("OUT{end}"), &output).replace("EXTRA", input).replace("IN", input);
            let made = run(&mut program(folder.path(), &words), "");
            assert_eq!(made.status.code(), Some(2), "{line}, {relation}: {}", output_text(&made));
            let text = output_text(&made);
            let reasons = ["is an input", "itself uses the name", "must end", "the answers stand before the puzzles"];
            assert!(reasons.iter().any(|reason| text.contains(reason)), "{line}, {relation}: {text}");
            assert!(before() == there, "{line}, {relation}");
        }
    }
    let rows = || Stdio::from(fs::File::open(path("rows.csv")).unwrap());
    let output = program(folder.path(), "analyze - --out rows.csv").stdin(rows()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", output_text(&output));
    let both = fs::OpenOptions::new().append(true).open(path("rows.csv")).unwrap();
    let output = program(folder.path(), "analyze rows.csv").stdout(both).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(before() == there);
    // Reports and books may lie beside the parts.
    good(folder.path(), "report corpus --out corpus/report.html", "");
}

/// A name whose ending stands for no format is wrong usage for every command, as is a file where a folder has to be.
#[test]
fn names_that_outputs_cannot_have_are_wrong_usage() {
    let folder = folder();
    good(folder.path(), "run --count 3 --out corpus --quiet", "");
    good(folder.path(), "analyze corpus --out rows.csv --quiet", "");
    let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    let rows = || fs::read(folder.path().join("rows.csv")).unwrap();
    let there = (names(), rows());
    for words in [
        "generate --count 1",
        "dig rows.csv",
        "mask heart --count 1",
        "analyze rows.csv",
        "analyze rows.csv --out new.csv --steps-out new.foo",
        "query SELECT(1) corpus",
        "stats givens corpus",
        "stats givens corpus --out new.csv --plot new.foo",
        "report corpus",
        "audit rows.csv",
        "export rows.csv --all",
        "book rows.csv --all",
    ] {
        let out = if words.contains("new") { "" } else { " --out new.foo" };
        bad(folder.path(), &format!("{words}{out}"), "", 2, &["new.foo: "]);
    }
    for words in ["run --count 1 --out", "release corpus --license CC0-1.0 --out", "man --out"] {
        for name in ["rows.csv", "rows.csv/below"] {
            bad(folder.path(), &format!("{words} {name}"), "", 2, &["names a folder, but rows.csv is a file"]);
        }
    }
    assert!((names(), rows()) == there);
}

#[test]
fn a_stage_that_fails_writes_nothing_and_keeps_what_has_the_final_names() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let all = format!("{PUZZLE}\n{PUZZLE}\n1234567\n{PUZZLE}\n");
    fs::write(path("good.txt"), format!("{PUZZLE}\n")).unwrap();
    fs::write(path("bad.txt"), all).unwrap();
    good(folder.path(), "analyze good.txt --out rated.csv --steps-out steps.jsonl", "");
    let before = contents(folder.path());
    let words = "analyze bad.txt --out rated.csv --steps-out steps.jsonl --on-error fail --force";
    bad(folder.path(), words, "", 1, &["bad.txt:3"]);
    assert!(contents(folder.path()) == before);
}

#[cfg(unix)]
#[test]
fn modes_of_replaced_files_stay_and_output_that_cannot_be_written_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let path = folder.path().join("out.csv");
    for mode in [0o600, 0o444, 0o640] {
        fs::write(&path, "secret").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        bad(folder.path(), "generate --out out.csv", "", 2, &["out.csv exists: --force replaces it"]);
        good(folder.path(), "generate --out out.csv --force", "");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        fs::remove_file(&path).unwrap();
    }
    fs::write(&path, "").unwrap();
    let reading = fs::File::open(&path).unwrap();
    fail(program(folder.path(), "generate --count 3").stdout(reading), "", 1, &["cannot write standard output"]);
}

#[test]
fn thousands_of_bad_lines_end_no_input() {
    const WRONG: &str = "55.......................................................................8........\n";
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.txt"), format!("{}{PUZZLE}\n", WRONG.repeat(9_000))).unwrap();
    good(folder.path(), "release a.txt --out released --title A --license cc0-1.0 --quiet", "");
    let rows = good(folder.path(), "analyze released/puzzles/train-00000-of-00001.parquet --quiet", "");
    assert_eq!(rows.lines().count(), 2);
    bad(folder.path(), "audit a.txt --quiet", "", 0, &["9,000"]);
    bad(folder.path(), "export a.txt --all --except a.txt --out o.txt", "", 1, &["a.txt:1"]);
}

#[test]
fn commands_read_corpora_as_they_read_files() {
    let folder = folder();
    good(folder.path(), "run --count 25 --part-rows 10 --out corpus --quiet", "");
    good(folder.path(), "export corpus --all --pick input --format lines --out all.txt --quiet", "");
    for words in ["analyze IN --techniques none --ratings none --format txt", "check IN", "number IN", "solve IN"] {
        let [file, corpus] = ["all.txt", "corpus"].map(|input| good(folder.path(), &words.replace("IN", input), ""));
        assert!(file == corpus && file.lines().count() >= 25, "{words}: {file} {corpus}");
    }
    fs::remove_file(folder.path().join("corpus/rows/part-000001.parquet")).unwrap();
    for words in ["analyze", "report --out r.html", "stats givens", "audit", "export --all --force --out o.csv"] {
        let (command, options) = words.split_once(' ').unwrap_or((words, ""));
        let words = match command {
            "stats" => "stats givens corpus".to_owned(),
            _ => format!("{command} corpus {options}"),
        };
        bad(folder.path(), &words, "", 1, &["rows/part-000001.parquet is missing", "--partial"]);
        good(folder.path(), &format!("{words} --partial"), "");
    }
}

/// A closed standard output ends every command without a panic.
#[cfg(unix)]
#[test]
fn no_command_panics_on_a_closed_output() {
    let folder = folder();
    fs::write(folder.path().join("a.txt"), format!("{PUZZLE}\n")).unwrap();
    good(folder.path(), "run --count 5 --out corpus --quiet", "");
    let special = [
        ("run", "run --dry-run"),
        ("generate", "generate --count 9"),
        ("mask", "mask heart"),
        ("query", "list columns"),
        ("stats", "stats givens corpus"),
        ("release", "release corpus --out r --title A --license cc0-1.0"),
        ("export", "export corpus --all"),
        ("book", "book corpus --count 1 --out -"),
        ("coverage", "coverage --shape 2x2 --samples 100"),
        ("bench", "bench --work prove --seconds 0.001"),
        ("list", "list techniques"),
        ("guide", "guide terms"),
        ("completions", "completions bash"),
        ("man", "man --out man"),
        ("verify", "verify corpus"),
        ("report", "report corpus --out -"),
        ("nightly", "nightly a.txt nights"),
    ];
    for name in sudoku_corpus::cli::command().get_subcommands().map(|sub| sub.get_name().to_owned()) {
        let words = special
            .iter()
            .find(|(special, _)| *special == name)
            .map_or(format!("{name} a.txt"), |(_, words)| (*words).to_owned());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = program(folder.path(), &words);
        let output = command.stdin(Stdio::null()).stdout(writer).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code != 101), "{words}: {}", stderr(&output));
        assert!(!stderr(&output).contains("panicked"), "{words}: {}", stderr(&output));
    }
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    for words in ["generate --count 10000000", "list techniques", "generate --count 10000000 --format csv"] {
        let mut child = program(Path::new("."), words).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty());
        let mut text = String::new();
        child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{words}: {text}");
        assert!(!text.contains("error") && !text.contains("panicked"), "{words}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_and_an_unwritable_folder_are_named() {
    let folder = folder();
    bad(folder.path(), "generate --count 100000 --out /dev/full --format txt", "", 1, &["/dev/full"]);
    bad(folder.path(), "run --count 5 --out /proc/nowhere", "", 1, &["/proc/nowhere"]);
    bad(folder.path(), "generate --out /proc/nowhere/grids.txt", "", 1, &["/proc/nowhere"]);
    bad(folder.path(), "generate --out grids.xyz", "", 2, &["grids.xyz", ".parquet"]);
}

/// Corpora and nights in the folder of temporary files stay, whatever their names: nothing is removed that the program did
/// not make for itself.
#[test]
fn corpora_and_nights_in_the_temporary_folder_stay() {
    let folder = folder();
    let command = |words: &str| {
        let mut command = program(folder.path(), words);
        command.env("TMPDIR", folder.path());
        command
    };
    let names = [
        "sudoku-corpus-sample", "sudoku-corpus-AbC123", "sudoku-corpus-000000", ".~sudoku-corpus~AbC123",
        "sudoku-corpus", "tonight",
    ];
    for name in names {
        succeed(&mut command(&format!("run --quiet --shape 2x2 --count 20 --out {name}")), "");
    }
    fs::write(folder.path().join("night.toml"), "count = 20\n[grid]\nshape = \"2x2\"\n[analyze]\nratings = \"none\"\n")
        .unwrap();
    succeed(&mut command("nightly night.toml sudoku-corpus-nights --night 2026-01-01"), "");
    let files = |name: &str| contents(&folder.path().join(name));
    let nights = || contents(&folder.path().join("sudoku-corpus-nights/2026-01-01"));
    let before: Vec<_> = names.iter().map(|name| files(name)).chain([nights()]).collect();
    // Each of these commands makes a temporary folder.
    succeed(&mut command("export sudoku-corpus-sample --all --out puzzles.csv"), "");
    succeed(&mut command("analyze --ratings none puzzles.csv --out rows.csv"), "");
    succeed(&mut command("book sudoku-corpus-AbC123 --all --title T --out book.pdf"), "");
    succeed(&mut command("export sudoku-corpus-000000 --all --out sheet.html"), "");
    succeed(&mut command("stats givens rows.csv"), "");
    let after: Vec<_> = names.iter().map(|name| files(name)).chain([nights()]).collect();
    assert!(before == after && before.iter().all(|files| files.len() >= 2));
}

#[test]
fn verify_finds_damage_with_exit_code_3() {
    let folder = folder();
    good(folder.path(), "run --quiet --count 300 --part-rows 100", "");
    good(folder.path(), "verify corpus", "");
    let part = folder.path().join("corpus/rows/part-000001.parquet");
    let whole = fs::read(&part).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&part, &damaged).unwrap();
    bad(folder.path(), "verify corpus", "", 3, &["part-000001.parquet"]);
    fs::remove_file(&part).unwrap();
    bad(folder.path(), "verify corpus", "", 3, &["part-000001.parquet"]);
    good(folder.path(), "run --quiet --count 300 --part-rows 100", "");
    assert_eq!(fs::read(&part).unwrap(), whole);
    good(folder.path(), "verify corpus", "");
    bad(folder.path(), "verify nowhere", "", 1, &["nowhere"]);
}

#[test]
fn the_catalogue_is_walked_into_parquet() {
    let folder = folder();
    good(folder.path(), "generate --ranks 5472720001..5472722000 --out walk.parquet", "");
    let sql = "SELECT count(*) AS n, count(DISTINCT solution) AS grids, min(class_rank) AS lowest, \
               max(class_rank - row) AS shift FROM puzzles";
    assert_eq!(query(folder.path(), sql, "walk.parquet"), "2000,2000,5472720001,5472720001");
    let solution = query(folder.path(), "SELECT solution FROM puzzles WHERE row = 1234", "walk.parquet");
    assert!(good(folder.path(), "number --rank 5472721235", "").ends_with(&format!(" {solution}\n")));
    bad(folder.path(), "generate --ranks 9..8", "", 2, &["ranks are 1..5472730538"]);
    bad(folder.path(), "generate --ranks 0..4", "", 2, &["ranks are 1..5472730538"]);
}

#[test]
fn recipes_are_read_and_their_mistakes_are_reported() {
    let folder = folder();
    let recipe = |text: &str| fs::write(folder.path().join("recipe.toml"), text).unwrap();
    recipe("count = 20\n[grid]\nshape = \"2x3\"\nmethod = \"row-major\"\n[dig]\nsymmetry = \"rotate-180\"\n");
    let shown = good(folder.path(), "run recipe.toml --dry-run", "");
    assert!(shown.contains("shape = \"2x3\"") && shown.contains("# 20 rows in 1 part into"), "{shown}");
    assert!(!folder.path().join("corpus").exists(), "a dry run makes nothing");
    good(folder.path(), "run recipe.toml --quiet", "");
    good(folder.path(), "verify corpus", "");
    assert!(good(folder.path(), "report corpus --out -", "").contains("20 rows"));
    recipe("cuont = 20\n");
    bad(folder.path(), "run recipe.toml", "", 2, &["recipe.toml:1:1", "cuont", "count"]);
    recipe("count = \"many\"\n");
    bad(folder.path(), "run recipe.toml", "", 2, &["recipe.toml:1"]);
    recipe("count = 20 = 30\n");
    bad(folder.path(), "run recipe.toml", "", 2, &["recipe.toml:1"]);
    bad(folder.path(), "run nowhere.toml", "", 2, &["nowhere.toml"]);
}

#[test]
fn corpora_answer_queries_in_sql() {
    let folder = folder();
    good(folder.path(), "run --quiet --count 60 --part-rows 20", "");
    good(folder.path(), "run --quiet --count 40 --seed 7 --format csv.zst --out other", "");
    let ask = |sql: &str, words: &[&str]| {
        let output = run(program(folder.path(), "query").arg(sql).args(words), "");
        (output.status.code().unwrap(), output_text(&output))
    };
    let count = "SELECT count(*) AS n, min(givens) > 16 AS proper FROM puzzles";
    assert_eq!(ask(count, &["--format", "csv"]), (0, "n,proper\n60,1\n".to_owned()));
    assert_eq!(ask(count, &["corpus", "other", "--format", "jsonl"]), (0, "{\"n\":100,\"proper\":1}\n".to_owned()));
    assert_eq!(ask(count, &[]).1, " n  proper\n60       1\n");
    let (failed, text) = ask("SELECT givns FROM puzzles", &[]);
    assert!(failed == 2 && text.contains("did you mean 'givens'"), "{text}");
    assert_eq!(ask("SELECT * FROM puzzles WHERE row < 5", &["--out", "five.parquet"]).0, 0);
    assert_eq!(good(folder.path(), "check five.parquet", "").matches("unique").count(), 5);
    assert!(good(folder.path(), "list columns", "").contains("search_guesses"));
    bad(folder.path(), "list columns --no", "", 2, &["--no"]);
}

#[test]
fn puzzles_that_are_essentially_the_same_have_the_same_class() {
    let folder = folder();
    // The puzzle, the puzzle with reversed rows, and the puzzle with exchanged digits.
    let upside_down: String = PUZZLE.as_bytes().chunks(9).rev().flatten().map(|&byte| byte as char).collect();
    let relabelled: String =
        PUZZLE.chars().map(|c| c.to_digit(10).map_or(c, |d| char::from_digit(10 - d, 10).unwrap())).collect();
    let rows =
        good(folder.path(), "analyze -", &format!("{PUZZLE}\n{upside_down}\n{relabelled}\n{}\n", ".".repeat(81)));
    let mut rows = rows.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = rows.next().unwrap();
    let at = names.iter().position(|name| *name == "class").unwrap();
    let classes: Vec<String> = rows.map(|row| row[at].to_owned()).collect();
    assert!(classes[0].len() == 32 && classes[0] == classes[1] && classes[0] == classes[2], "{classes:?}");
    assert_ne!(classes[0], classes[3]);
}

#[test]
fn completions_and_manual_pages_are_made() {
    let folder = folder();
    for shell in ["bash", "zsh", "fish"] {
        assert!(good(folder.path(), &format!("completions {shell}"), "").contains("sudoku-corpus"));
    }
    good(folder.path(), "man --out pages", "");
    let page = fs::read_to_string(folder.path().join("pages").join("sudoku-corpus-run.1")).unwrap();
    assert!(page.contains("recipe"));
}

#[test]
fn recipes_and_samples_of_the_data_folder_are_valid() {
    let folder = folder();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let files = |name: &str| fs::read_dir(data.join(name)).unwrap().map(|entry| entry.unwrap().path());
    let mut seen = 0;
    for recipe in files("recipes") {
        good(folder.path(), &format!("run {} --dry-run", recipe.display()), "");
        seen += 1;
    }
    for sample in files("samples") {
        good(folder.path(), &format!("check {}", sample.display()), "");
        seen += 1;
    }
    assert!(seen >= 6, "{seen}");
}

/// Makes a corpus with each level of instructions that this machine has. All must have the same bytes.
#[test]
fn instructions_of_the_processor_change_no_byte() {
    #[cfg(target_arch = "x86_64")]
    {
        let has = |avx512: bool| is_x86_feature_detected!("avx2") && (!avx512 || is_x86_feature_detected!("avx512f"));
        if !has(true) {
            eprintln!("SKIPPED: no AVX-512 here{}", if has(false) { "" } else { ", and no AVX2" });
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let words = "run --count 40 --part-rows 20 --weight --ratings all --quiet --out";
    let corpora = ["portable", "sse4.2", "avx2", "avx512"].map(|level| {
        let mut command = program(folder.path(), &format!("{words} {level}"));
        succeed(command.env("SUDOKU_CORPUS_INSTRUCTIONS", level), "");
        contents(&folder.path().join(level))
    });
    assert!(corpora.iter().all(|corpus| *corpus == corpora[0]));
}

#[test]
#[cfg(unix)]
fn links_are_written_through_and_descriptors_are_written_to() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("puzzles.txt"), format!("{PUZZLE}\n")).unwrap();
    std::fs::create_dir(path("elsewhere")).unwrap();
    symlink("elsewhere/out.sdm", path("link.sdm")).unwrap();
    succeed(&mut program(folder.path(), "export puzzles.txt --count 1 --out link.sdm"), "");
    assert!(std::fs::symlink_metadata(path("link.sdm")).unwrap().is_symlink());
    assert!(std::fs::read_to_string(path("elsewhere/out.sdm")).unwrap().starts_with("53"));
    // A descriptor may be a file: its content stays, and so does the name /dev/stdout.
    symlink("/dev/stdout", path("stdout.sdm")).unwrap();
    for out in ["/dev/stdout", "/dev/fd/1", "stdout.sdm"] {
        std::fs::write(path("file"), "before\n").unwrap();
        let file = std::fs::OpenOptions::new().append(true).open(path("file")).unwrap();
        let mut command = program(folder.path(), &format!("export puzzles.txt --count 1 --format lines --out {out}"));
        succeed(command.stdout(file), "");
        let text = std::fs::read_to_string(path("file")).unwrap();
        assert!(text.starts_with("before\n53") && text.lines().count() == 2, "{out}: {text}");
    }
    assert!(std::fs::symlink_metadata(path("stdout.sdm")).unwrap().is_symlink());
    assert!(std::fs::symlink_metadata("/dev/stdout").unwrap().is_symlink());
}

/// If messages cannot be written, the work goes on. If data cannot be written, the program fails.
#[test]
#[cfg(target_os = "linux")]
fn only_output_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    succeed(program(folder.path(), "run --count 20 --shape 2x2 --out corpus").stderr(full()), "");
    assert!(folder.path().join("corpus/recipe.toml").exists());
    fail(program(folder.path(), "run --count x").stderr(full()), "", 2, &[]);
    for words in [
        "--help",
        "run --help",
        "--version",
        "list methods",
        "guide",
        "query 'SELECT puzzle FROM puzzles' corpus",
        "run --count 20 --shape 2x2 --out corpus --json",
        "run --dry-run",
        "generate --count 3",
        "completions bash",
    ] {
        fail(program(folder.path(), words).stdout(full()), "", 1, &["the disk is full"]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn names_need_not_be_unicode() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = folder();
    let name = std::ffi::OsStr::from_bytes(b"p\xffzzle.txt");
    fs::write(folder.path().join(name), format!("{PUZZLE}\n")).unwrap();
    for words in ["check", "solve", "hint", "number"] {
        succeed(program(folder.path(), words).arg(name), "");
    }
    let out = std::ffi::OsStr::from_bytes(b"r\xffted.csv");
    succeed(program(folder.path(), "analyze --ratings none").arg(name).arg("--out").arg(out), "");
    assert_eq!(fs::read_to_string(folder.path().join(out)).unwrap().lines().count(), 2);
}

/// Boards of every kind of rule: houses that are drawn, groups that are not, moves, mixtures, a region of one's own, jigsaws.
const VARIANTS: [&str; 8] = [
    "3x3+x", "3x3+windoku", "2x3+disjoint", "3x3+anti-knight", "2x3+anti-king", "2x3+extra:r1c1r2c4r3c2r4c5r5c3r6c6",
    "7+jigsaw", "9+jigsaw+x",
];

/// Every command that takes a shape, or reads rows, works with boards that have rules or says why it does not.
/// What is kept in memory of a shape is found by the whole shape. Boards of one order, with equal houses in other places, are
/// mixed here.
#[test]
fn boards_of_many_shapes_have_the_same_rows_in_one_file_as_alone() {
    const SHAPES: [&str; 14] = [
        "2x2", "2x3", "3x2", "2x3+x", "3x2+x", "5+jigsaw", "6+jigsaw", "3x3", "3x3+x", "3x3+windoku", "3x3+anti-king",
        "3x3+disjoint", "9+jigsaw", "9+jigsaw+x",
    ];
    let folder = folder();
    let path = folder.path();
    let mut rows = Vec::new();
    for shape in SHAPES {
        good(path, &format!("run --quiet --count 3 --shape {shape} --out {shape}"), "");
        rows.extend(query(path, "SELECT shape, puzzle FROM puzzles", shape).lines().map(str::to_owned));
    }
    // In an order by the end of the puzzle, so that shapes change from row to row.
    rows.sort_by_key(|row| row.chars().rev().collect::<String>());
    let analyzed = |rows: &[String]| -> Vec<String> {
        let input = format!("shape,puzzle\n{}\n", rows.join("\n"));
        let table = good(path, "analyze --quiet --threads 1 --techniques all --ratings effort --format csv", &input);
        let without_number = |row: &str| row.split_once(',').expect("a number and the rest").1.to_owned();
        table.lines().skip(1).map(without_number).collect()
    };
    let alone: Vec<String> = rows.iter().flat_map(|row| analyzed(std::slice::from_ref(row))).collect();
    assert_eq!(analyzed(&rows), alone);
}

#[test]
fn every_command_works_with_variants_or_refuses_them() {
    for shape in VARIANTS {
        let folder = folder();
        let path = folder.path();
        good(path, &format!("run --count 12 --part-rows 6 --shape {shape} --out corpus"), "");
        good(path, "verify corpus", "");
        let counts = "SELECT count(*), count(DISTINCT class), count(se_er_tenths), count(name) FROM puzzles";
        assert_eq!(query(path, counts, "corpus"), "12,12,0,0");
        let of_row = query(path, "SELECT shape FROM puzzles LIMIT 1", "corpus");
        let is_jigsaw = shape.contains("jigsaw");
        let shapes = query(path, "SELECT count(DISTINCT shape) FROM puzzles", "corpus");
        assert_eq!((shapes.as_str(), of_row == shape), (if is_jigsaw { "12" } else { "1" }, !is_jigsaw));
        // Formats that hold the rules give the same puzzles back.
        let classes = |of: &str| query(path, "SELECT class FROM puzzles ORDER BY class", of);
        let games = (shape == "3x3+x" || is_jigsaw).then_some("all.tatham.txt");
        let files = ["all.csv", "all.parquet", "all.csv.zst", "all.fpuzzles.txt", "all.sudokupad.txt"];
        for file in files.into_iter().chain(games) {
            good(path, &format!("export corpus --all --out {file}"), "");
            good(path, &format!("analyze {file} --techniques none --out {file}.parquet"), "");
            assert_eq!(classes(&format!("{file}.parquet")), classes("corpus"), "{shape} {file}");
        }
        for file in ["all.jsonl", "all.json", "all.sqlite"] {
            good(path, &format!("export corpus --all --out {file}"), "");
        }
        let is_drawn = !shape.contains("disjoint") && !shape.contains("anti");
        for file in ["all.sdm", "all.penpa.txt", "%.ipuz", "%.svg", "all.html"] {
            let export = format!("export corpus --count 2 --out {file}");
            match (file.ends_with("svg"), file.ends_with("penpa.txt") || file.ends_with("ipuz")) {
                // A page says the rules in words.
                _ if file.ends_with("html") => drop(good(path, &export, "")),
                (true, _) if is_drawn => drop(good(path, &export, "")),
                (_, true) if shape == "7+jigsaw" => drop(good(path, &export, "")),
                _ => bad(path, &export, "", 2, &["cannot hold puzzles of the", shape.split_once('+').unwrap().1]),
            }
        }
        for words in ["report corpus --out report.html", "audit corpus"] {
            good(path, words, "");
        }
        good(path, "book corpus --count 6 --out book.pdf", "");
        let line = query(path, "SELECT puzzle FROM puzzles LIMIT 1", "corpus");
        for command in ["solve --steps", "hint", "check"] {
            good(path, &format!("{command} --shape {of_row} {line}"), "");
        }
        assert!(good(path, &format!("solve --shape {of_row} {line}"), "").contains("unique"), "{shape}");
        let files = format!("generate --shape {shape} --count 3 --out grids.csv");
        good(path, &files, "");
        good(path, "dig grids.csv --out dug.csv", "");
        bad(
            path,
            &format!("generate --shape {shape} --count 3"),
            "",
            1,
            &["lines of boards do not say the rules of", "--format csv"],
        );
        let refused = "method 'permutation': only for boards without further rules";
        bad(path, &format!("generate --shape {shape} --count 1 --method permutation --out a.csv"), "", 2, &[refused]);
        bad(
            path,
            &format!("run --shape {shape} --count 1 --plan controlled-bias --out a"),
            "",
            2,
            &["the plan controlled-bias: only for boards without"],
        );
        bad(path, &format!("coverage --shape {of_row}"), "", 2, &["only for boards without"]);
        bad(path, &format!("number --number 5 --shape {of_row}"), "", 2, &["numbers: only for boards without"]);
        bad(path, &format!("number --shape {of_row} {line}"), "", 3, &["numbers: only for boards without"]);
        good(path, "stats givens corpus", "");
        good(path, "release corpus --out release --title t --license CC0-1.0 --split all=1", "");
        good(path, "score corpus corpus --answer solution", "");
        if is_jigsaw {
            bad(path, &format!("check --shape {shape} {line}"), "", 2, &["stands for many boards"]);
            let one = format!("run --count 4 --shape {of_row} --out one");
            good(path, &one, "");
            assert_eq!(query(path, "SELECT DISTINCT shape FROM puzzles", "one"), of_row);
            good(
                path,
                &format!("run --count 4 --shape {shape} --layouts 2 --layout-symmetry rotate-180 --out two"),
                "",
            );
            assert_eq!(query(path, "SELECT count(DISTINCT shape) FROM puzzles", "two"), "2");
            good(path, "verify two", "");
        }
    }
    let folder = folder();
    bad(folder.path(), "run --shape 3x3 --layouts 5 --count 1 --out none", "", 2, &["layouts: for shapes such as"]);
    bad(folder.path(), "run --shape 13+jigsaw --count 1 --out none", "", 2, &["drawn for orders 5 to 12"]);
    for line in [
        "run --shape 2x2+anti-king --count 1 --out none",
        "generate --shape 2x2+anti-king --count 1 --format csv",
        "run --shape 4+jigsaw:AAABCABBCCBDCDDD --count 1 --out none",
        "run --shape 4+jigsaw --layouts AAABCABBCCDBCDDD,AAABCABBCCBDCDDD --count 1 --out none",
    ] {
        bad(folder.path(), line, "", 2, &["there is no grid"]);
    }
    // Layouts of one's own may have orders of which none are drawn.
    good(folder.path(), "run --shape 4+jigsaw --layouts AAABCABBCCDBCDDD --count 2 --out four", "");
    let few = succeed(&mut program(folder.path(), "run --board 6x6+x --count 2 --out few"), "");
    assert!(stderr(&few).contains("has 12 full grids up to the names of the digits"), "{}", stderr(&few));
}

/// Options with one name whose help begins differently, and why.
const OTHER_WORDS: [(&str, &str); 1] = [("count", "what is counted is what the command makes: puzzles, grids, rows")];

/// An option means the same in every command: its help begins with the same words, and it takes a value everywhere or
/// nowhere. What is usual has a short name and a default.
#[test]
fn one_option_name_has_one_meaning() {
    let program = sudoku_corpus::cli::command();
    let mut meanings: BTreeMap<String, BTreeMap<(String, bool), Vec<&str>>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for command in program.get_subcommands() {
        let name = command.get_name();
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            let defaults: Vec<_> = argument.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
            let Some(long) = argument.get_long() else {
                let reads_corpora = help.contains("corpus") || help.contains("corpora");
                let has_default = defaults == ["corpus"] || defaults == ["-"];
                if reads_corpora && !has_default {
                    wrong.push(format!("{name}: {} reads a corpus and has no default", argument.get_id()));
                }
                continue;
            };
            let short = match long {
                "out" => Some('o'),
                "count" => Some('n'),
                "quiet" => Some('q'),
                _ => None,
            };
            if argument.get_short() != short {
                wrong.push(format!("{name} --{long} has the short name {:?}", argument.get_short()));
            }
            if long == "seed" && !defaults.is_empty() && defaults != ["20261120"] {
                wrong.push(format!("{name} --seed has the default {defaults:?}"));
            }
            let first_words = help.split(['.', ':', ';', ',', '(', '\n']).next().unwrap_or_default().trim().to_owned();
            let meaning = (first_words, argument.get_action().takes_values());
            meanings.entry(long.to_owned()).or_default().entry(meaning).or_default().push(name);
        }
    }
    for (option, meanings) in meanings.iter().filter(|(_, meanings)| meanings.len() > 1) {
        if !OTHER_WORDS.iter().any(|(other, _)| other == option) {
            wrong.push(format!("--{option}: {meanings:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The rows of a source that is given twice would count twice.
#[test]
fn no_source_is_read_twice() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "run --count 5 --ratings none -q", "");
    good(folder.path(), "export corpus --all --out a.csv -q", "");
    let twice =
        ["corpus corpus", "a.csv ./a.csv", "a.csv corpus/rows corpus", "corpus corpus/rows/part-000000.parquet"];
    for sources in twice {
        for command in ["report", "stats givens", "query 'SELECT 1'", "export --count 2 --out b.csv"] {
            bad(folder.path(), &format!("{command} {sources}"), "", 2, &["would be read twice"]);
        }
    }
    // Two tables of one file are two tables.
    good(folder.path(), "query 'SELECT count(*) FROM one, two' one=a.csv two=a.csv", "");
}
