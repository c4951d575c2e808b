//! Tests of nightly runs as cron starts them: killed, stuck, with wrong clocks and wrong recipes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{self, fail, output_text, program, run, signal, stdout, succeed, wait_for};

const RECIPE: &str = "levels = \"hodoku\"\npart_rows = 20\n[analyze]\ntechniques = \"singles,intersections,subsets,wings\"\nratings = \"none\"\n\
    [[quota]]\nlevel = \"easy\"\ncount = 60\n[[quota]]\nlevel = \"medium\"\ncount = 40\n\
    [[output]]\ncommand = \"verify\"\nsample = 5\n\
    [[output]]\ncommand = \"export\"\ncount = 100\nout = \"puzzles.sdm\"\n";

/// A folder with a recipe and the nights made from it.
struct Nights(tempfile::TempDir);

impl Nights {
    fn new(recipe: &str) -> Nights {
        let nights = Nights(tempfile::tempdir().unwrap());
        nights.write(recipe);
        nights
    }

    fn write(&self, recipe: &str) {
        fs::write(self.0.path().join("night.toml"), recipe).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("nights").join(name)
    }

    fn call(&self, more: &str) -> Command {
        program(self.0.path(), &format!("nightly night.toml nights {more}"))
    }

    fn night(&self, date: &str, more: &str) -> Output {
        run(&mut self.call(&format!("--night {date} {more}")), "")
    }

    fn last(&self) -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(self.path("last.json")).unwrap()).unwrap()
    }
}

fn expect(output: &Output, code: i32, words: &[&str]) {
    assert_eq!(output.status.code(), Some(code), "{}", output_text(output));
    words
        .iter()
        .for_each(|words| assert!(output_text(output).contains(words), "'{words}' is not in: {}", output_text(output)));
}

#[test]
fn a_week_with_one_night_killed_ends_with_seven_different_nights() {
    let nights = Nights::new(RECIPE);
    let mut puzzles = BTreeSet::new();
    for day in 1..=7 {
        let date = format!("2026-11-{day:02}");
        if day == 4 {
            let mut child = nights.call(&format!("--night {date}")).spawn().unwrap();
            wait_for(&nights.path(&format!("{date}/rows/part-000001.parquet")));
            signal("KILL", child.id());
            // On a machine with much other work, the night may end before the signal.
            let was_killed = child.wait().unwrap().code().is_none();
            // The process that makes the night is still running: no other process may interfere.
            let mut busy = nights.night("2026-11-05", "");
            while busy.status.code() == Some(5) {
                expect(&busy, 5, &["night=2026-11-05 status=busy"]);
                std::thread::sleep(std::time::Duration::from_millis(300));
                busy = nights.night("2026-11-05", "");
            }
            expect(&busy, 0, &["night=2026-11-05 status=ok"]);
            assert!(!was_killed || output_text(&busy).contains("night=2026-11-04 status=ok"), "{}", output_text(&busy));
            continue;
        }
        let made = nights.night(&date, "");
        expect(&made, 0, &[&format!("night={date} status=ok code=")]);
        assert!(stdout(&made).contains("rows=100 planned=100 parts=5"), "{}", output_text(&made));
        assert_eq!(fs::read_link(nights.path("latest")).unwrap(), Path::new(&date));
    }
    for day in 1..=7 {
        let text = fs::read_to_string(nights.path(&format!("2026-11-{day:02}/outputs/puzzles.sdm"))).unwrap();
        puzzles.extend(text.lines().map(str::to_owned));
    }
    assert_eq!(puzzles.len(), 700);
    let again = Nights::new(RECIPE);
    expect(&again.night("2026-11-04", ""), 0, &[]);
    for name in ["recipe.toml", "outputs/puzzles.sdm", "rows/part-000004.parquet"] {
        let name = format!("2026-11-04/{name}");
        assert!(fs::read(nights.path(&name)).unwrap() == fs::read(again.path(&name)).unwrap(), "{name}");
    }
    let last = nights.last();
    assert_eq!((&last["tonight"]["status"], &last["tonight"]["levels"]["easy"]), (&"ok".into(), &60.into()));
    assert_eq!(last["tonight"]["outputs"], serde_json::json!([["puzzles.sdm", 100]]));
    let metrics = fs::read_to_string(nights.path("nights.prom")).unwrap();
    assert!(
        metrics.contains("\nsudoku_night_ok 1\n") && metrics.contains("sudoku_night_level_rows{level=\"medium\"} 40")
    );
}

#[test]
fn wrong_clocks_and_strange_names_prune_nothing_else() {
    let nights = Nights::new(RECIPE);
    expect(&nights.night("2099-01-01", "--keep 1"), 0, &[]);
    let others = [" 2026-11-01", "2026-11-01\n", "2026-10-01", "notes"].map(|name| nights.path(name));
    for other in &others {
        fs::create_dir(other).unwrap();
        fs::write(other.join(".done"), "").unwrap();
    }
    for day in 1..=3 {
        let date = format!("2026-11-{day:02}");
        expect(&nights.night(&date, "--keep 2"), 0, &[]);
        assert!(
            nights.path(&date).join("outputs/puzzles.sdm").exists(),
            "a night is not removed when it was just made"
        );
    }
    assert!(!nights.path("2099-01-01").exists() && !nights.path("2026-11-01").exists());
    assert!(nights.path("2026-11-02").exists() && nights.path("seen/2026-11-01.classes").exists());
    assert!(others.iter().all(|other| other.join(".done").exists()));
    // The program says that the night exists already, and does not change it.
    expect(&nights.night("2026-11-03", "--keep 1"), 0, &["night=2026-11-03 status=ok"]);
    assert_eq!(fs::read_to_string(nights.path("nights.log")).unwrap().lines().count(), 5);
}

#[test]
fn calls_with_a_typo_in_the_recipe_fail_until_the_typo_is_fixed() {
    let nights = Nights::new("part_rows = many\n");
    for _ in 0..5 {
        expect(&nights.night("2026-11-01", ""), 2, &["status=refused", "a text in quotes"]);
        assert!(!nights.path("2026-11-01/night.toml").exists());
    }
    nights.write(&RECIPE.replace("count = 100\n", "count = 200\n"));
    expect(&nights.night("2026-11-02", ""), 2, &["this output needs 200 puzzles, but the recipe makes 100"]);
    nights.write(RECIPE);
    expect(&nights.night("2026-11-02", ""), 0, &["night=2026-11-01 status=ok", "night=2026-11-02 status=ok"]);
    // The log of a night has no advice for new users.
    nights.write("count = 5\n[analyze]\ntechniques = \"none\"\nratings = \"none\"\n");
    expect(&nights.night("2026-11-03", ""), 0, &["night=2026-11-03 status=ok"]);
    let log = fs::read_to_string(nights.path("2026-11-03/night.log")).unwrap();
    assert!(log.contains("making 5 puzzles") && !log.contains("Try next"), "{log}");
}

#[test]
fn an_impossible_night_is_given_up_and_others_succeed() {
    let nights = Nights::new("count = 3\n[dig]\nplan = \"givens=17\"\nretries = 2\n");
    expect(&nights.night("2026-11-01", ""), 1, &["status=failed", "no puzzle with givens=17"]);
    nights.write(RECIPE);
    // Its parts come from the recipe with which the night began.
    expect(&nights.night("2026-11-02", ""), 0, &["night=2026-11-01 status=failed", "night=2026-11-02 status=ok"]);
    expect(&nights.night("2026-11-03", ""), 0, &["night=2026-11-01 status=given-up", "night=2026-11-03 status=ok"]);
    assert!(nights.path("2026-11-01/GIVEN-UP").exists());
    let quiet = nights.night("2026-11-04", "");
    expect(&quiet, 0, &["night=2026-11-04 status=ok"]);
    assert!(!stdout(&quiet).contains("2026-11-01") && nights.last()["given_up"][0] == "2026-11-01");
    expect(&run(&mut nights.call("--retry 2026-11-01"), ""), 1, &["night=2026-11-01 status=failed"]);
    expect(&run(&mut nights.call("--give-up 2026-11-01"), ""), 0, &["night=2026-11-01 status=given-up"]);
    assert_eq!(nights.last()["unfinished"], serde_json::json!([]));
}

#[test]
fn an_unfinished_night_of_another_version_starts_again() {
    let nights = Nights::new(RECIPE);
    let folder = nights.path("2026-11-01");
    expect(&nights.night("2026-11-01", ""), 0, &[]);
    let recipe = fs::read_to_string(folder.join("recipe.toml")).unwrap();
    let older = recipe.replace(&format!("# sudoku-corpus {},", env!("CARGO_PKG_VERSION")), "# sudoku-corpus 0.0.9,");
    assert_ne!(older, recipe);
    fs::write(folder.join("recipe.toml"), older).unwrap();
    let register = fs::read_to_string(nights.path("nights.jsonl")).unwrap();
    fs::write(nights.path("nights.jsonl"), register.lines().next().unwrap().to_owned() + "\n").unwrap();
    expect(&nights.night("2026-11-02", ""), 0, &["night=2026-11-01 status=ok", "night=2026-11-02 status=ok"]);
    assert!(nights.path("set-aside/2026-11-01-0-0-9-1/outputs/puzzles.sdm").exists());
}

#[test]
fn puzzles_of_a_backlist_are_not_published_and_a_failed_night_sends_a_message() {
    let nights = Nights::new(RECIPE);
    expect(&nights.night("2026-11-01", ""), 0, &[]);
    let elsewhere = Nights::new(RECIPE);
    let list = nights.path("2026-11-01/outputs/puzzles.sdm");
    let text = elsewhere.0.path().join("text");
    // The same night again: all its puzzles were published elsewhere.
    let mut call = elsewhere.call("--night 2026-11-01 --except");
    call.arg(&list).args(["--notify", "cat > text; echo \"$NIGHT $STATUS\" >> text"]);
    expect(&run(&mut call, ""), 1, &["status=failed", "0 of 100"]);
    let text = fs::read_to_string(text).unwrap();
    assert!(text.ends_with("2026-11-01 failed\n") && text.contains("\"tonight\""), "{text}");
}

/// The recipe of a night names files beside it; today's recipe changes nothing in a night that has begun.
#[test]
fn paths_of_a_recipe_are_relative_to_it_and_a_night_keeps_its_recipe() {
    let levels = "[[level]]\nname = \"Morning\"\nhodoku_level = \"easy\"\n";
    let recipe = "levels = \"own.toml\"\ncount = 40\n\
        [grid]\nmethod = \"base-shuffle\"\nbases = \"bases.txt\"\n[analyze]\nratings = \"none\"\n\
        [[output]]\ncommand = \"export\"\ncount = 4\nout = \"night.sdm\"\n\
        [[output]]\ncommand = \"book\"\nall = true\namong = \"night.sdm\"\nuniqueness = true\ndates = \"monday\"\n\
        words = \"{recipe}/words.toml\"\nlevels = \"{recipe}/own.toml\"\nout = \"night.pdf\"\n";
    let nights = Nights::new(recipe);
    fs::write(nights.0.path().join("words.toml"), "[book]\ncontents = \"Tonight\"\n").unwrap();
    fs::write(nights.0.path().join("own.toml"), levels).unwrap();
    fs::write(nights.0.path().join("bases.txt"), format!("{}\n", common::PUZZLE)).unwrap();
    expect(&nights.night("2026-11-01", ""), 0, &["status=ok", "planned=40"]);
    let told = |name: &str| nights.last()["tonight"][name].clone();
    assert_eq!(told("outputs"), serde_json::json!([["night.sdm", 4], ["night.pdf", 4]]));
    // Its files are gone: it is made again, with the recipe with which it began.
    nights.write("count = 7\n[grid]\nshape = \"2x2\"\n");
    fs::remove_file(nights.path("2026-11-01/outputs/night.pdf")).unwrap();
    fs::remove_file(nights.path("2026-11-01/rows/part-000000.parquet")).unwrap();
    expect(&nights.night("2026-11-01", ""), 0, &["status=ok", "rows=40 planned=40"]);
    assert!(
        nights.path("2026-11-01/outputs/night.pdf").exists()
            && nights.path("2026-11-01/rows/part-000000.parquet").exists()
    );
    // An output that was there already counts too.
    assert_eq!(told("outputs"), serde_json::json!([["night.sdm", 4], ["night.pdf", 4]]));
    let log = fs::read_to_string(nights.path("2026-11-01/night.log")).unwrap();
    // The first Monday after the night.
    assert_eq!(
        log.matches("\noutput: book .. --all --among night.sdm --uniqueness --dates 2026-11-02 ").count(),
        2,
        "{log}"
    );
    expect(&nights.night("2026-11-01", ""), 0, &["status=ok", "seconds=0"]);
    let metrics = fs::read_to_string(nights.path("nights.prom")).unwrap();
    assert!(metrics.contains("\nsudoku_night_rows_per_second 0\n"), "{metrics}");
}

#[test]
fn folders_of_others_are_neither_used_nor_removed() {
    let nights = Nights::new("count = 5\n[grid]\nshape = \"2x2\"\n");
    fs::create_dir_all(nights.path("2026-11-01")).unwrap();
    fs::write(nights.path("2026-11-01/diary.txt"), "mine").unwrap();
    expect(&nights.night("2026-11-01", ""), 2, &["status=refused", "no night was made there"]);
    expect(&nights.night("2026-11-02", "--keep 1"), 0, &["night=2026-11-02 status=ok"]);
    assert_eq!(fs::read_dir(nights.path("2026-11-01")).unwrap().count(), 1);
    // A night that was moved elsewhere, with a link in its place.
    fs::rename(nights.path("2026-11-02"), nights.0.path().join("archive")).unwrap();
    std::os::unix::fs::symlink("../archive", nights.path("2026-11-02")).unwrap();
    expect(&nights.night("2026-11-03", "--keep 1"), 0, &["night=2026-11-03 status=ok"]);
    assert!(nights.0.path().join("archive/recipe.toml").exists() && nights.path("2026-11-02").exists());
}

#[test]
fn damaged_registers_are_repaired_and_told_and_messages_change_no_exit_code() {
    let nights = Nights::new("count = 5\n[grid]\nshape = \"2x2\"\n");
    expect(&nights.night("2026-11-01", ""), 0, &[]);
    let register = fs::read(nights.path("nights.jsonl")).unwrap();
    fs::write(nights.path("nights.jsonl"), [&register, &b"{\"night\":}\n\xff\n"[..]].concat()).unwrap();
    let mut call = nights.call("--night 2026-11-02");
    call.args(["--notify", "echo \"$LINE\" > told; exit 7"]);
    let told = nights.0.path().join("told");
    expect(&run(&mut call, ""), 0, &["status=ok", "nights.jsonl has 2 lines that cannot be read", "--notify failed"]);
    assert!(fs::read_to_string(told).unwrap().contains("nights.jsonl has 2 lines"));
    expect(&nights.night("2026-11-03", ""), 0, &["status=ok"]);
    assert_eq!(nights.last()["tonight"]["alarms"], serde_json::json!([]));
    // A folder that cannot be used sends a message, too.
    fs::write(nights.0.path().join("file"), "").unwrap();
    let mut call = program(nights.0.path(), "nightly night.toml file/nights");
    call.args(["--notify", "echo \"$STATUS\" > told"]);
    expect(&run(&mut call, ""), 1, &["cannot create the folder"]);
    assert_eq!(fs::read_to_string(nights.0.path().join("told")).unwrap(), "failed\n");
}

/// A message that hangs stops no other call, and a signal ends it.
#[test]
fn a_message_that_hangs_holds_no_lock_and_ends_with_its_call() {
    let nights = Nights::new("part_rows = many\n");
    let told = nights.0.path().join("told");
    let mut call = nights.call("--night 2026-11-01");
    let mut hanging = call.args(["--notify", "echo \"$STATUS\" > told; sleep 1000"]).spawn().unwrap();
    wait_for(&told);
    assert_eq!(nights.last()["tonight"]["night"], "2026-11-01");
    expect(&nights.night("2026-11-02", ""), 2, &["night=2026-11-02 status=refused"]);
    signal("TERM", hanging.id());
    assert_eq!(hanging.wait().unwrap().code(), Some(2));
    assert!(fs::read_to_string(nights.path("nights.log")).unwrap().contains("--notify failed: it was ended"));
    // Another call is running.
    fs::remove_file(&told).unwrap();
    let lock = fs::File::open(nights.path(".lock")).unwrap();
    lock.lock().unwrap();
    let mut call = nights.call("--night 2026-11-03");
    call.args(["--notify", "echo \"$STATUS\" > told"]);
    expect(&run(&mut call, ""), 5, &["night=2026-11-03 status=busy"]);
    assert_eq!(fs::read_to_string(told).unwrap(), "busy\n");
}

/// What goes wrong beside a night is an alarm. The night is done, and so is the rest.
#[test]
fn what_goes_wrong_beside_a_night_is_an_alarm() {
    let nights = Nights::new("count = 5\n[grid]\nshape = \"2x2\"\n");
    fs::create_dir_all(nights.path("latest/mine")).unwrap();
    fs::create_dir_all(nights.path("last.json/mine")).unwrap();
    let made = nights.night("2026-11-01", "");
    expect(&made, 0, &["night=2026-11-01 status=ok", "latest", "last.json"]);
    assert_eq!(stdout(&made).matches("alarm=").count(), 2, "{}", stdout(&made));
    assert!(fs::read_to_string(nights.path("nights.prom")).unwrap().contains("\nsudoku_night_alarms 2\n"));
    fs::remove_dir_all(nights.path("latest")).unwrap();
    fs::remove_dir_all(nights.path("last.json")).unwrap();
    // A night that cannot be pruned stays as a whole, and later calls prune it.
    fs::write(nights.path(".pruned"), "in the way").unwrap();
    expect(&nights.night("2026-11-02", "--keep 1"), 0, &["status=ok", "alarm="]);
    assert_eq!(nights.last()["tonight"]["alarms"].as_array().unwrap().len(), 1);
    assert!(
        nights.path("2026-11-01/rows/part-000000.parquet").exists() && nights.path("2026-11-01/recipe.toml").exists()
    );
    fs::remove_file(nights.path(".pruned")).unwrap();
    let later = nights.night("2026-11-03", "--keep 1");
    expect(&later, 0, &["status=ok"]);
    assert!(!stdout(&later).contains("alarm="), "{}", stdout(&later));
    assert!(["2026-11-01", "2026-11-02", ".pruned"].iter().all(|gone| !nights.path(gone).exists()));
}

/// `latest` is the newest night that is done and there, whatever a call asks for.
#[test]
fn the_latest_night_is_never_an_older_one_or_none() {
    let nights = Nights::new("count = 5\n[grid]\nshape = \"2x2\"\n");
    let latest = || fs::read_link(nights.path("latest")).ok().map(|link| link.display().to_string());
    for date in ["2026-11-01", "2026-11-03", "2026-11-01", "2026-11-02"] {
        expect(&nights.night(date, ""), 0, &[&format!("night={date} status=ok")]);
    }
    assert_eq!(latest().as_deref(), Some("2026-11-03"));
    // A night that is refused changes nothing, and the night to which the link points may be pruned.
    nights.write("part_rows = many\n");
    expect(&nights.night("2026-11-04", "--keep 1"), 2, &["status=refused"]);
    assert_eq!(latest().as_deref(), Some("2026-11-02"));
    assert!(nights.path("latest/recipe.toml").exists() && !nights.path("2026-11-03").exists());
    expect(&run(&mut nights.call("--give-up 2026-11-02"), ""), 0, &["status=given-up"]);
    assert_eq!(latest(), None);
}

/// The puzzles of a pruned night are published, so only `--retry` makes it again.
#[test]
fn a_pruned_night_is_done() {
    let nights = Nights::new("count = 5\n[grid]\nshape = \"2x2\"\n");
    for date in ["2026-11-01", "2026-11-02"] {
        expect(&nights.night(date, "--keep 1"), 0, &["status=ok"]);
    }
    expect(&nights.night("2026-11-01", ""), 0, &["status=ok", "2026-11-01 is done (its folder was removed)"]);
    assert!(!nights.path("2026-11-01").exists());
    expect(&run(&mut nights.call("--retry 2026-11-01"), ""), 0, &["night=2026-11-01 status=ok code=0 rows=5"]);
    assert!(nights.path("2026-11-01/recipe.toml").exists());
}

/// The puzzle of the next day, night after night.
const DAILY: &str = r#"
levels = "hodoku"
[analyze]
ratings = "none"
[[quota]]
level = "easy"
count = 2
[[quota]]
level = "medium"
count = 2
[[output]]
command = "export"
count = 1
dates = "tomorrow"
week = "mon-thu=easy,fri-sun=medium"
first_puzzle = "next"
previous = "last night"
caption = "{night}"
out = ["{date}.svg", "{date}.csv"]
"#;

/// Thirty nights, of which one fails at first and is made the night after.
#[cfg(unix)]
#[test]
fn a_newspaper_gets_a_puzzle_every_day_whose_number_and_solution_follow_the_day_before() {
    let nights = Nights::new(DAILY);
    let day = |number: u32| if number > 30 { "2026-12-01".to_owned() } else { format!("2026-11-{number:02}") };
    let file = |number: u32, end: &str| nights.path(&format!("{}/outputs/{}.{end}", day(number), day(number + 1)));
    // No output can be written in the folder of this night.
    fs::create_dir_all(nights.path(&day(10))).unwrap();
    fs::write(nights.path(&day(10)).join("night.log"), "").unwrap();
    std::os::unix::fs::symlink("elsewhere", nights.path(&day(10)).join("outputs")).unwrap();
    let check = |number: u32| {
        let text = fs::read_to_string(file(number, "csv")).unwrap();
        let (head, row) = text.trim_end().split_once('\n').unwrap();
        let value =
            |name: &str| row.split(',').nth(head.split(',').position(|column| column == name).unwrap()).unwrap();
        assert_eq!((value("id"), value("date")), (&*number.to_string(), &*day(number + 1)), "{text}");
        assert!(file(number, "svg").is_file());
        let log = fs::read_to_string(nights.path(&day(number)).join("night.log")).unwrap();
        let before = if number == 1 { "none".to_owned() } else { file(number - 1, "csv").display().to_string() };
        assert!(log.contains(&format!("--previous {before} --caption {} ", day(number))), "{log}");
    };
    for number in 1..=30 {
        match number {
            10 => {
                expect(&nights.night(&day(10), ""), 1, &["status=failed", "outputs is a link"]);
                continue;
            }
            11 => {
                fs::remove_file(nights.path(&day(10)).join("outputs")).unwrap();
                expect(&nights.night(&day(11), ""), 0, &["night=2026-11-10 status=ok", "night=2026-11-11 status=ok"]);
                check(10);
            }
            _ => expect(&nights.night(&day(number), "--keep 5"), 0, &["status=ok"]),
        }
        check(number);
    }
    // A night that lost its files is made again with its number.
    fs::remove_file(file(29, "csv")).unwrap();
    fs::remove_file(nights.path("2026-11-29/rows/part-000000.parquet")).unwrap();
    expect(&nights.night(&day(29), ""), 0, &["status=ok"]);
    check(29);
}

#[test]
fn wrong_calls_are_refused() {
    let nights = Nights::new(RECIPE);
    for wrong in
        ["--keep 0", "--wrong", "--night 2026-13-45", "--night tonight", "--give-up-after 0", "--retry 2026-02-30"]
    {
        assert_eq!(run(&mut nights.call(wrong), "").status.code(), Some(2), "{wrong}");
    }
    assert!(!nights.path("").exists());
    // Only a night that was begun can be given up, and only one that is not done can be tried again.
    expect(&nights.night("2026-11-01", ""), 0, &["status=ok"]);
    for (words, reason) in [
        ("--retry 2026-11-01", "--retry 2026-11-01: this night is done"),
        ("--give-up 2026-11-02", "this night was never begun; --night 2026-11-02 makes it"),
        ("--retry 2026-11-02", "this night was never begun; --night 2026-11-02 makes it"),
    ] {
        fail(&mut nights.call(words), "", 2, &[reason]);
    }
    expect(&nights.night("2026-11-01", ""), 0, &["status=ok"]);
    succeed(&mut program(nights.0.path(), "nightly --help"), "");
    fail(&mut program(nights.0.path(), "nightly night.toml"), "", 2, &["NIGHTS"]);
    fail(
        &mut program(nights.0.path(), "nightly . night.toml"),
        "",
        2,
        &["the recipe stands before the folder of the nights: nightly night.toml ."],
    );
}
