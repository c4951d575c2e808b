//! Tests of levels and quotas, and of the outputs that are made from a finished corpus.

mod common;

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use common::{fail, program, signal, stdout, succeed, wait_for};

/// Runs, expects success and returns stdout.
fn good(folder: &Path, words: &str) -> String {
    stdout(&succeed(&mut program(folder, words), ""))
}

/// Runs and expects an exit code and words in the message.
fn bad(folder: &Path, words: &str, code: i32, message: &str) {
    fail(&mut program(folder, words), "", code, &[message]);
}

/// Rows of a query as CSV, without the header.
fn query(folder: &Path, sql: &str, corpus: &str) -> String {
    let answer = stdout(&succeed(program(folder, "query --format csv").args([sql, corpus]), ""));
    answer.lines().skip(1).collect::<Vec<_>>().join("\n")
}

const QUOTAS: &str = "part_rows = 10\n[analyze]\nratings = \"none\"\n\
    [[quota]]\nlevel = \"easy\"\ncount = 25\n[[quota]]\nlevel = \"hard\"\ncount = 5\nsymmetry = \"rotate-180\"\n";

#[test]
fn quotas_are_met_exactly_with_any_threads_and_in_any_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("r.toml"), QUOTAS).unwrap();
    good(folder, "run r.toml --out whole --threads 2 -q");
    for part in [2, 0, 1] {
        good(folder, &format!("run r.toml --out pieces --parts {part} --threads 1 -q"));
    }
    for name in ["manifest.jsonl", "part-000000.parquet", "part-000001.parquet", "part-000002.parquet"] {
        let read = |corpus: &str| fs::read(folder.join(corpus).join(name)).unwrap();
        assert!(read("whole") == read("pieces"), "{name}");
    }
    let sql = "SELECT level, symmetry, count(*) FROM puzzles WHERE tries >= 1 GROUP BY level, symmetry ORDER BY level";
    assert_eq!(query(folder, sql, "whole"), "easy,none,25\nhard,rotate-180,5");
    good(folder, "verify whole -q");
}

#[test]
fn dig_and_run_take_targets_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "run --count 6 --needs naked_pair --out pairs -q");
    assert_eq!(query(folder, "SELECT count(*) FROM puzzles WHERE n_naked_pair > 0", "pairs"), "6");
    good(folder, "generate --count 8 --out grids.txt -q");
    good(folder, "dig grids.txt --level medium --out puzzles.parquet -q");
    good(folder, "analyze puzzles.parquet --ratings none --out rated.parquet -q");
    assert_eq!(query(folder, "SELECT DISTINCT level FROM puzzles", "rated.parquet"), "medium");
    bad(folder, "run --level hrad", 2, "did you mean 'hard'");
    bad(folder, "run --needs x_wing --level easy", 2, "a puzzle that uses X-Wing is hard at least");
    bad(folder, "run --er 9..3", 2, "the range 9.0..3.0 of er is empty");
    let never = "run --count 1 --needs jellyfish --plan givens=70 --retries 3 --out never -q";
    bad(folder, never, 2, "in 4 tries; 4 puzzles did not meet the goal");
}

#[test]
fn a_row_that_takes_many_tries_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let words = "run --count 3 --needs jellyfish --plan givens=70 --retries 1000000000 --out never -q";
    let mut child = program(folder.path(), words).spawn().unwrap();
    wait_for(&folder.path().join("never/manifest.jsonl"));
    signal("TERM", child.id());
    let stopped = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if stopped.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("the run does not stop");
        }
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(child.wait().unwrap().code(), Some(4));
}

#[test]
fn folders_of_outputs_are_made_before_the_work_and_a_schema_is_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let outputs = "count = 20\n[analyze]\nratings = \"none\"\n[[output]]\ncommand = \"export\"\nall = true\nout = \"x/y/z.csv\"\n\
        steps = \"s/all.jsonl\"\n[[output]]\ncommand = \"export\"\nschema = true\nout = \"schema.json\"\n";
    fs::write(folder.join("r.toml"), outputs).unwrap();
    good(folder, "run r.toml --out a=b/corpus -q");
    let lines = |name: &str| fs::read_to_string(folder.join("a=b/corpus").join(name)).unwrap().lines().count();
    assert_eq!((lines("x/y/z.csv"), lines("s/all.jsonl")), (21, 20));
    assert!(lines("schema.json") > 20);
    good(folder, "export a=b/corpus --count 5 --out five.sdm");
    // A file is where a folder has to be: no row is made.
    fs::create_dir(folder.join("other")).unwrap();
    fs::write(folder.join("other/x"), "").unwrap();
    bad(folder, "run r.toml --out other -q", 1, "cannot make the folder other/x/y");
    assert!(!folder.join("other/part-000000.parquet").exists());
    // Links may not lead out of the folder, not even to files and folders that do not exist.
    #[cfg(unix)]
    for (name, target, message) in [
        ("x", "..", "is outside the folder of the corpus; see --allow-outside"),
        ("x", "../nothing", "x/y/z.csv: No such file"),
        ("schema.json", "../nothing.json", "schema.json: No such file"),
    ] {
        let linked = tempfile::tempdir_in(folder).unwrap();
        std::os::unix::fs::symlink(target, linked.path().join(name)).unwrap();
        bad(folder, &format!("run r.toml --out {} -q", linked.path().display()), 2, message);
        assert!(!folder.join("y").exists() && !folder.join("nothing.json").exists());
        assert!(!linked.path().join("part-000000.parquet").exists());
    }
}

#[test]
fn outputs_are_made_from_the_finished_corpus_and_wrong_ones_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let outputs = "[[output]]\ncommand = \"verify\"\nsample = 3\n\
        [[output]]\ncommand = \"export\"\nlevel = \"easy=10,hard=2\"\nout = \"few.sdm\"\n";
    fs::write(folder.join("r.toml"), format!("{QUOTAS}{outputs}")).unwrap();
    let text = good(folder, "run r.toml --dry-run --out made");
    assert!(
        text.ends_with("# output: verify . --sample 3\n# output: export . --level easy=10,hard=2 --out few.sdm\n"),
        "{text}"
    );
    good(folder, "run r.toml --out made -q");
    assert_eq!(fs::read_to_string(folder.join("made/few.sdm")).unwrap().lines().count(), 12);
    let short = outputs.replace("hard=2", "hard=6");
    fs::write(folder.join("short.toml"), format!("{QUOTAS}{short}")).unwrap();
    bad(
        folder,
        "run short.toml --out made -q",
        2,
        "[[output]] 2: this output needs 6 hard puzzles, but the recipe makes 5",
    );
    fs::write(folder.join("wrong.toml"), format!("{QUOTAS}{}", outputs.replace("sample", "smaple"))).unwrap();
    bad(folder, "run wrong.toml --out other -q", 2, "[[output]] 1: unexpected argument '--smaple'");
    assert!(!folder.join("other").exists());
}
