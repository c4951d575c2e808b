//! Tests of levels and quotas, and of the outputs that are made from a finished corpus.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::common::{self, bad, fail, good, output_text, program, query, signal, stdout, succeed, wait_for};

const QUOTAS: &str = "levels = \"hodoku\"\npart_rows = 10\n[analyze]\nratings = \"none\"\n\
    [[quota]]\nlevel = \"easy\"\ncount = 25\n[[quota]]\nlevel = \"hard\"\ncount = 5\nsymmetry = \"rotate-180\"\n";

#[test]
fn quotas_are_met_exactly_with_any_threads_and_in_any_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("r.toml"), QUOTAS).unwrap();
    good(folder, "run r.toml --out whole --threads 2 -q", "");
    for part in [2, 0, 1] {
        good(folder, &format!("run r.toml --out pieces --parts {part} --threads 1 -q"), "");
    }
    for name in ["recipe.toml", "rows/part-000000.parquet", "rows/part-000001.parquet", "rows/part-000002.parquet"] {
        let read = |corpus: &str| fs::read(folder.join(corpus).join(name)).unwrap();
        assert!(read("whole") == read("pieces"), "{name}");
    }
    let sql = "SELECT level, symmetry, count(*) FROM puzzles WHERE tries >= 1 GROUP BY level, symmetry ORDER BY level";
    assert_eq!(query(folder, sql, "whole"), "easy,none,25\nhard,rotate-180,5");
    good(folder, "verify whole -q", "");
}

/// Levels of one's own: they may overlap, and leave puzzles out.
const OWN: &str = "[[level]]\nname = \"Mild\"\ner = \"1.2..2.3\"\ngivens = \"23..27\"\n[[level]]\nname = \"Süß & 'sauer'\"\n\
    hodoku_level = \"easy,medium\"\n[[level]]\nname = \"wild\"\ner = \"2.0..99\"\nhodoku_score = \"500..9000\"\n\
    [[level]]\nname = \"quick\"\neffort = { rounds = \"0..40\" }\n";

/// Whatever the scale, the shape and the plan: `export` and `book` take exactly the puzzles that `query` counts, from the
/// folder, from its parts, and from what was exported. The levels by ratings are those of the column.
#[test]
fn what_query_counts_export_and_book_take() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("own.toml"), OWN).unwrap();
    let mut levels_seen = 0;
    for (number, (scale, dig)) in [
        ("newspaper", ""),
        ("newspaper", "dig.plan = \"givens=26..34\"\n"),
        ("newspaper", "grid.shape = \"2x3\"\n"),
        ("newspaper", "analyze.er_limit = \"3.0\"\n"),
        ("hodoku", ""),
        ("hodoku", "grid.shape = \"3x3+x\"\ndig.plan = \"givens=20..30\"\n"),
        ("own.toml", ""),
        ("own.toml", "dig.plan = \"givens=24..36\"\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let recipe = format!("seed = {number}\ncount = 40\npart_rows = 25\nlevels = \"{scale}\"\n{dig}");
        fs::write(folder.join("r.toml"), recipe).unwrap();
        let corpus = format!("c{number}");
        good(folder, &format!("run r.toml --out {corpus} -q"), "");
        let exported = format!("e{number}.parquet");
        good(folder, &format!("export {corpus} --all --out {exported} -q"), "");
        // A table of another program does not say its scale, so the ratings give the levels.
        let table = format!("t{number}.parquet");
        succeed(program(folder, "query -q").args(["SELECT * FROM puzzles", &corpus, "--out", &table]), "");
        let parts = files_of(&folder.join(&corpus).join("rows")).join(" ");
        let sql = "SELECT level, count(DISTINCT class) AS n FROM puzzles WHERE level IS NOT NULL GROUP BY level";
        let counted = query_json(folder, sql, &corpus);
        assert!(!counted.is_empty(), "{scale} {dig}");
        levels_seen += counted.len();
        let list = |more: u64| {
            let quotas = counted
                .iter()
                .zip(0..)
                .map(|((level, count), at)| format!("{level}={}", if at == 0 { count + more } else { *count }));
            quotas.collect::<Vec<_>>().join(",")
        };
        for (source, levels) in [(&*corpus, ""), (&*parts, ""), (&*exported, ""), (&*corpus, scale), (&*table, scale)] {
            let words: Vec<&str> = source.split(' ').collect();
            let levels: &[&str] = if levels.is_empty() { &[] } else { &["--levels", levels] };
            for (command, out) in [("export", "x.csv"), ("book", "x.html")] {
                let uniqueness: &[&str] = if command == "book" { &["--uniqueness"] } else { &[] };
                let run = |more: u64| {
                    let mut run = program(folder, command);
                    run.args(&words).args(levels).args(uniqueness).args([
                        "--force",
                        "--out",
                        out,
                        "--level",
                        &list(more),
                    ]);
                    run
                };
                succeed(&mut run(0), "");
                let (level, count) = &counted[0];
                let short = format!("{level}: {count} of {}", count + 1);
                let several = counted.len() > 1;
                fail(&mut run(1), "", 1, &[if several { &*short } else { "too few puzzles" }]);
            }
        }
    }
    assert!(levels_seen > 20, "{levels_seen}");
}

/// The files of the parts of a corpus, by name.
fn files_of(corpus: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().path().to_str().unwrap().to_owned();
    let mut files: Vec<String> = fs::read_dir(corpus).unwrap().map(name).collect();
    files.retain(|file| file.ends_with(".parquet"));
    files.sort_unstable();
    files
}

/// The texts and numbers of a query with two columns.
fn query_json(folder: &Path, sql: &str, corpus: &str) -> Vec<(String, u64)> {
    let answer = stdout(&succeed(program(folder, "query --format jsonl").args([sql, corpus]), ""));
    let rows: Vec<serde_json::Value> = answer.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    rows.iter().map(|row| (row["level"].as_str().unwrap().to_owned(), row["n"].as_u64().unwrap())).collect()
}

/// A scale says which levels it has. A corpus without the ratings of its scale has no levels, and the message says why.
#[test]
fn scales_are_named_and_not_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "run --count 30 --out paper -q", "");
    good(folder, "run --count 30 --levels hodoku --out ladder -q", "");
    good(folder, "run --count 30 --ratings none --out unrated -q", "");
    let refused = |words: &str, messages: &[&str]| fail(&mut program(folder, words), "", 2, messages);
    let scales = "paper and ladder have levels on different scales: the newspaper's scale and HoDoKu's scale";
    for words in ["export paper ladder --count 9 --out x.sdm", "book paper ladder --count 9 --out x.pdf"] {
        refused(words, &[scales, "name one with --levels"]);
    }
    refused("release paper ladder --license MIT --out x", &[scales, "rate all on one scale with `analyze`"]);
    let newspaper = "the newspaper's scale has easy, medium, hard, expert, extreme; HoDoKu's scale has it: add \
                     --levels hodoku";
    for words in [
        "export paper --level unfair=1 --out x.sdm",
        "book paper --level unfair=1 --out x.pdf",
        "export paper --count 7 --dates 2027-01-04 --week mon-sun=unfair --out x.csv",
        "run --level unfair --out x",
    ] {
        refused(words, &["no level 'unfair'", newspaper]);
    }
    let lacking = "no row has a level: the newspaper's scale needs the column se_er_tenths, which is empty";
    refused("export unrated --level easy=1 --out x.sdm", &[lacking, "run `analyze --ratings se` first"]);
    assert_eq!(query(folder, "SELECT count(*) FROM puzzles WHERE level IS NOT NULL", "unrated"), "0");
    let said = output_text(&succeed(&mut program(folder, "export paper --level easy=2,medium=1 --out x.sdm"), ""));
    assert!(said.contains("3 puzzles (2 easy, 1 medium on the newspaper's scale) of 30 rows into x.sdm"), "{said}");
    let both = "export paper ladder --levels hodoku --level easy=4 --out y.sdm";
    let said = output_text(&succeed(&mut program(folder, both), ""));
    assert!(said.contains("4 puzzles (4 easy on HoDoKu's scale) of 60 rows into y.sdm"), "{said}");
    let list = good(folder, "list levels", "");
    for line in ["newspaper: ", "    medium   ER 1.6 to 2.8;", "hodoku: ", "up to 1000 points on 9x9"] {
        assert!(list.contains(line), "{line}: {list}");
    }
}

#[test]
fn dig_and_run_take_targets_on_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "run --count 6 --needs naked_pair --out pairs -q", "");
    assert_eq!(query(folder, "SELECT count(*) FROM puzzles WHERE n_naked_pair > 0", "pairs"), "6");
    good(folder, "generate --count 8 --out grids.txt -q", "");
    good(folder, "dig grids.txt --level medium --out puzzles.parquet -q", "");
    good(folder, "analyze puzzles.parquet --ratings er --out rated.parquet -q", "");
    assert_eq!(query(folder, "SELECT DISTINCT level FROM puzzles", "rated.parquet"), "medium");
    bad(folder, "run --level hrad", "", 2, &["did you mean 'hard'"]);
    bad(
        folder,
        "run --levels hodoku --needs x_wing --level easy",
        "",
        2,
        &["no puzzle with the level easy needs X-Wing"],
    );
    bad(folder, "run --er 9..3", "", 2, &["the range 9.0..3.0 of er is empty"]);
    let never = "run --count 1 --needs jellyfish --plan givens=70 --retries 3 --out never -q";
    bad(folder, never, "", 2, &["in 4 tries; dug but not as asked for: 4 puzzles"]);
}

#[test]
fn a_row_that_takes_many_tries_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let words = "run --count 3 --needs jellyfish --plan givens=70 --retries 1000000000 --out never -q";
    let mut child = program(folder.path(), words).spawn().unwrap();
    wait_for(&folder.path().join("never/recipe.toml"));
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
fn folders_of_outputs_are_made_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let outputs = "count = 20\n[analyze]\nratings = \"none\"\n[[output]]\ncommand = \"export\"\nall = true\nout = \"x/y/z.csv\"\n\
        steps_out = \"s/all.jsonl\"\n[[output]]\ncommand = \"export\"\ncount = 2\nout = \"two.json\"\n";
    fs::write(folder.join("r.toml"), outputs).unwrap();
    good(folder, "run r.toml --out a=b/corpus -q", "");
    let lines = |name: &str| fs::read_to_string(folder.join("a=b/corpus/outputs").join(name)).unwrap().lines().count();
    assert_eq!((lines("x/y/z.csv"), lines("s/all.jsonl")), (21, 20));
    assert!(lines("two.json") > 0);
    good(folder, "export a=b/corpus --count 5 --out five.sdm", "");
    // A file is where a folder has to be: no row is made.
    fs::create_dir_all(folder.join("other/outputs")).unwrap();
    fs::write(folder.join("other/outputs/x"), "").unwrap();
    bad(folder, "run r.toml --out other -q", "", 2, &["other/outputs/x is a file"]);
    assert!(!folder.join("other/recipe.toml").exists());
    // Links may not lead out of the folder, not even to files and folders that do not exist.
    #[cfg(unix)]
    for (name, target, message) in [
        ("outputs/x", "..", "has to stay"),
        ("outputs/x", "../../nothing", "has to stay"),
        ("outputs/two.json", "../../nothing.json", "has to stay"),
        ("outputs", "..", "outputs is a link"),
    ] {
        let linked = tempfile::tempdir_in(folder).unwrap();
        fs::create_dir_all(linked.path().join(name).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, linked.path().join(name)).unwrap();
        bad(folder, &format!("run r.toml --out {} -q", linked.path().display()), "", 2, &[message]);
        assert!(!folder.join("y").exists() && !folder.join("nothing.json").exists());
        assert!(!linked.path().join("recipe.toml").exists());
    }
}

/// Every file and link below a folder, with its contents or its target, except those of one folder.
fn contents(folder: &Path, without: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path != without) {
        if let Ok(target) = fs::read_link(&entry) {
            files.insert(entry, target.into_os_string().into_encoded_bytes());
        } else if entry.is_dir() {
            files.extend(contents(&entry, without));
        } else {
            files.insert(entry.clone(), fs::read(&entry).unwrap());
        }
    }
    files
}

/// A recipe with outputs of every kind, whose names are also those of files around the corpus.
const EVERY_KIND: &str = "count = 30\npart_rows = 30\n[analyze]\nratings = \"er\"\n\
    [[output]]\ncommand = \"verify\"\nsample = 3\n\
    [[output]]\ncommand = \"export\"\ncount = 20\nout = \"none\"\nformat = \"csv\"\nsteps_out = \"recipe.toml.jsonl\"\n\
    [[output]]\ncommand = \"export\"\ncount = 3\nout = \"p-%.svg\"\nwith_solutions = true\nmerge = \"m.csv\"\nwords = \"{recipe}/words.toml\"\n\
    [[output]]\ncommand = \"export\"\nall = true\namong = \"none\"\nout = [\"l/{level}.sdm\", \"last.jsonl\"]\n\
    [[output]]\ncommand = \"book\"\ncount = 4\nuniqueness = true\nout = \"b.pdf\"\nindex = \"r.toml\"\n\
    [[output]]\ncommand = \"report\"\n[[output]]\ncommand = \"release\"\nout = \"data\"\nlicense = \"CC0-1.0\"\n";

#[test]
fn outputs_change_nothing_outside_of_their_folder_and_replace_what_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir_all(folder.join("recipes/l")).unwrap();
    fs::write(folder.join("recipes/r.toml"), EVERY_KIND).unwrap();
    fs::write(folder.join("recipes/words.toml"), "[book]\ncontents = \"Inside\"\n").unwrap();
    let names = ["none", "p-1.svg", "m.csv", "last.jsonl", "b.pdf", "report.html", "r.toml"];
    for name in names {
        fs::write(folder.join(name), "mine").unwrap();
        drop(fs::OpenOptions::new().create(true).append(true).open(folder.join("recipes").join(name)).unwrap());
    }
    good(folder, "run recipes/r.toml --count 30 --out corpus -q --parts 0", "");
    let outputs = folder.join("corpus/outputs");
    let around = contents(folder, &outputs);
    good(folder, "run recipes/r.toml --out corpus -q", "");
    assert!(contents(folder, &outputs) == around);
    let made = contents(&outputs, Path::new(""));
    let missing: Vec<_> = names.iter().filter(|name| !outputs.join(name).is_file()).collect();
    assert!(missing.is_empty() && outputs.join("data/README.md").is_file() && made.len() > 20, "{missing:?} {made:?}");
    // Made again, whatever is in its place.
    for name in names {
        fs::write(outputs.join(name), "changed").unwrap();
    }
    let told = good(folder, "run recipes/r.toml --out corpus -q --json", "");
    assert!(contents(folder, &outputs) == around && contents(&outputs, Path::new("")) == made);
    let line = "{\"output\":\"export .. --count 20 --out none --format csv --steps-out recipe.toml.jsonl\",\"status\":\"ok\",\
        \"files\":[[\"none\",20]]}";
    assert!(told.lines().any(|told| told == line), "{told}");
}

/// What follows from an option stays inside too: the process of an output refuses to make a file elsewhere.
#[cfg(unix)]
#[test]
fn an_output_makes_no_file_elsewhere_whatever_option_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "run --count 20 --ratings none --out corpus -q", "");
    let outputs = folder.join("corpus/outputs");
    fs::create_dir_all(outputs.join("report-data")).unwrap();
    fs::create_dir(folder.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink("../../elsewhere", outputs.join("l")).unwrap();
    std::os::unix::fs::symlink("../../elsewhere/x.svg", outputs.join("p-2.svg")).unwrap();
    fs::remove_dir(outputs.join("report-data")).unwrap();
    std::os::unix::fs::symlink("../../elsewhere", outputs.join("report-data")).unwrap();
    let around = contents(folder, Path::new(""));
    for words in [
        "export .. --all --out l/{level}.sdm",
        "export .. --count 3 --out p-%.svg",
        "export .. --count 3 --out a.csv --steps-out ../steps.jsonl",
        "report .. --out report.html",
        "release .. --license CC0-1.0 --out l/data",
        "book .. --count 3 --uniqueness --out ../b.pdf",
    ] {
        let mut child = program(&outputs, words).arg("--inside").spawn().unwrap();
        // An output stops when its input ends.
        let input = child.stdin.take();
        let ended = child.wait_with_output().unwrap();
        drop(input);
        let told = stdout(&ended);
        assert!(told.contains("has to stay") && told.starts_with("{\"error\":"), "{words}: {told}");
        assert_ne!(ended.status.code(), Some(0), "{words}");
        let left = contents(folder, Path::new(""));
        assert!(left == around, "{words}: {:?}", left.keys());
    }
}

/// A run that was killed or stopped in its outputs makes them all when it is called again, and no process stays.
#[cfg(unix)]
#[test]
fn a_stop_and_a_kill_reach_the_process_of_an_output() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // The second output never ends by itself: its condition counts for hours. A last call gives it another one.
    let endless = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n) > 0";
    let recipe = format!(
        "count = 9\n[analyze]\ntechniques = \"none\"\nratings = \"none\"\n\
         [[output]]\ncommand = \"export\"\ncount = 5\nout = \"first.sdm\"\n\
         [[output]]\ncommand = \"export\"\ncount = 5\nwhere = \"{endless}\"\nout = \"second.sdm\"\n\
         [[output]]\ncommand = \"export\"\ncount = 5\nout = \"last.sdm\"\n"
    );
    fs::write(folder.join("r.toml"), recipe).unwrap();
    good(folder, "run r.toml --out corpus -q --parts 0", "");
    let outputs = folder.join("corpus/outputs");
    for (name, code) in [("TERM", Some(4)), ("INT", Some(4)), ("KILL", None)] {
        drop(fs::remove_dir_all(&outputs));
        let run = program(folder, "run r.toml --out corpus").spawn().unwrap();
        let child = child_with(run.id(), "second.sdm");
        signal(name, run.id());
        let ended = run.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), code, "{name}: {}", common::output_text(&ended));
        let began = Instant::now();
        while child.exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "{name}: the output goes on");
            thread::sleep(Duration::from_millis(20));
        }
        assert!(outputs.join("first.sdm").exists() && !outputs.join("last.sdm").exists(), "{name}");
        good(folder, "run r.toml --out corpus -q --set where=givens>0", "");
        let left: Vec<_> = fs::read_dir(&outputs).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left.len(), 3, "{name}: {left:?}");
    }
}

/// Waits until a process has a child with this word in its command line. Returns the folder of the child in `/proc`.
#[cfg(unix)]
fn child_with(process: u32, word: &str) -> PathBuf {
    let began = Instant::now();
    loop {
        let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
        for child in children.split_whitespace() {
            let child = Path::new("/proc").join(child);
            let words = fs::read(child.join("cmdline")).unwrap_or_default();
            if words.split(|&byte| byte == 0).any(|own| own == word.as_bytes()) {
                return child;
            }
        }
        assert!(began.elapsed() < Duration::from_secs(120), "{process} has no child '{word}' after two minutes");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_output_that_fails_is_told_with_its_number_and_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let recipe = "count = 9\n[analyze]\nratings = \"none\"\n[[output]]\ncommand = \"export\"\ncount = 2\nout = \"a.sdm\"\n\
        [[output]]\ncommand = \"export\"\ncount = 2\nwhere = \"givens > 80\"\nout = \"b.sdm\"\n";
    fs::write(folder.join("r.toml"), recipe).unwrap();
    bad(
        folder,
        "run r.toml --out corpus",
        "",
        1,
        &["error: [[output]] 2, 'export .. --count 2 --where givens > 80 --out b.sdm': "],
    );
    assert!(folder.join("corpus/outputs/a.sdm").is_file());
    let told = stdout(&common::run(&mut program(folder, "run r.toml --out corpus --json -q"), ""));
    assert!(told.contains("\n{\"error\":\"[[output]] 2, 'export"), "{told}");
}

#[test]
fn outputs_are_made_from_the_finished_corpus_and_wrong_ones_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let outputs = "[[output]]\ncommand = \"verify\"\nsample = 3\n\
        [[output]]\ncommand = \"export\"\nlevel = \"easy=10,hard=2\"\nout = \"few.sdm\"\n";
    fs::write(folder.join("r.toml"), format!("{QUOTAS}{outputs}")).unwrap();
    let text = good(folder, "run r.toml --dry-run --out made", "");
    assert!(
        text.ends_with("# output: verify .. --sample 3\n# output: export .. --level easy=10,hard=2 --out few.sdm\n"),
        "{text}"
    );
    good(folder, "run r.toml --out made -q", "");
    assert_eq!(fs::read_to_string(folder.join("made/outputs/few.sdm")).unwrap().lines().count(), 12);
    let short = outputs.replace("hard=2", "hard=6");
    fs::write(folder.join("short.toml"), format!("{QUOTAS}{short}")).unwrap();
    bad(
        folder,
        "run short.toml --out made -q",
        "",
        2,
        &["[[output]] 2: this output needs 6 hard puzzles, but the recipe makes 5"],
    );
    fs::write(folder.join("wrong.toml"), format!("{QUOTAS}{}", outputs.replace("sample", "smaple"))).unwrap();
    bad(folder, "run wrong.toml --out other -q", "", 2, &["has no key 'smaple'; did you mean sample?"]);
    assert!(!folder.join("other").exists());
}
