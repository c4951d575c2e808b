//! A week of nights from cron, one of them killed: `scripts/nightly.sh` with a small recipe.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const RECIPE: &str = "part_rows = 20\n[analyze]\ntechniques = \"singles,intersections,subsets,wings\"\n\
    [[quota]]\nlevel = \"easy\"\ncount = 60\n[[quota]]\nlevel = \"medium\"\ncount = 40\n\
    [[output]]\ncommand = \"verify\"\nsample = 5\n\
    [[output]]\ncommand = \"export\"\ncount = 100\nout = \"puzzles.sdm\"\n";

/// A folder with a recipe and the nights made from it.
struct Nights {
    folder: tempfile::TempDir,
}

impl Nights {
    fn new() -> Nights {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("night.toml"), RECIPE).unwrap();
        Nights { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("nights").join(name)
    }

    /// One call of the script, as cron makes it.
    fn call(&self, date: &str, more: &[&str]) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/nightly.sh");
        let mut command = Command::new("bash");
        command.arg(script).args([self.folder.path().join("night.toml"), self.folder.path().join("nights")]);
        command.args(["--date", date]).args(more);
        command.env("SUDOKU_CORPUS", env!("CARGO_BIN_EXE_sudoku-corpus")).output().unwrap()
    }

    /// A program that is killed in the middle of its first call.
    fn dying_program(&self) -> String {
        let path = self.folder.path().join("dying");
        let real = env!("CARGO_BIN_EXE_sudoku-corpus");
        let text = format!("#!/bin/sh\n\"{real}\" \"$@\" --parts 0..2 >/dev/null 2>&1\nkill -9 $$\n");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }
}

/// The script needs bash and flock.
fn there() -> bool {
    let there = ["bash", "flock"].iter().all(|tool| Command::new(tool).arg("--version").output().is_ok());
    if !there {
        eprintln!("SKIPPED: bash or flock is not there");
    }
    there
}

fn line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_week_with_one_night_killed_ends_with_seven_different_nights() {
    if !there() {
        return;
    }
    let nights = Nights::new();
    let dying = nights.dying_program();
    let mut puzzles = BTreeSet::new();
    for day in 1..=7 {
        let date = format!("2026-11-{day:02}");
        if day == 4 {
            let killed = nights.call(&date, &["--program", &dying]);
            assert_eq!(killed.status.code(), Some(1), "{killed:?}");
            assert!(line(&killed).contains("night=2026-11-04 status=failed code=137"), "{killed:?}");
            assert!(!nights.path("2026-11-04/.done").exists());
            continue;
        }
        let made = nights.call(&date, &[]);
        assert!(made.status.success(), "{made:?}");
        assert!(line(&made).contains(&format!("night={date} status=ok code=0 rows=100 parts=5")), "{made:?}");
        // The night after the killed one makes both.
        assert_eq!(line(&made).lines().count(), if day == 5 { 2 } else { 1 });
    }
    for day in 1..=7 {
        let text = fs::read_to_string(nights.path(&format!("2026-11-{day:02}/puzzles.sdm"))).unwrap();
        puzzles.extend(text.lines().map(str::to_owned));
    }
    assert_eq!(puzzles.len(), 700);
    assert_eq!(fs::read_to_string(nights.path("nights.log")).unwrap().lines().count(), 8);
    let again = Nights::new();
    assert!(again.call("2026-11-04", &[]).status.success());
    for name in ["manifest.jsonl", "puzzles.sdm", "part-000004.parquet"] {
        let name = format!("2026-11-04/{name}");
        assert!(fs::read(nights.path(&name)).unwrap() == fs::read(again.path(&name)).unwrap(), "{name}");
    }
}

#[test]
fn old_nights_are_pruned_and_their_puzzles_stay_known() {
    if !there() {
        return;
    }
    let nights = Nights::new();
    for day in 1..=3 {
        assert!(nights.call(&format!("2026-11-{day:02}"), &["--keep", "2"]).status.success());
    }
    assert!(!nights.path("2026-11-01").exists() && nights.path("2026-11-02/.done").exists());
    assert!(nights.path("seen/2026-11-01.classes").exists());
    // The same night once more would publish what is known already.
    fs::rename(nights.path("seen/2026-11-01.classes"), nights.path("seen/2026-10-31.classes")).unwrap();
    let repeated = nights.call("2026-11-01", &[]);
    assert_eq!(repeated.status.code(), Some(1), "{repeated:?}");
    assert!(line(&repeated).contains("status=failed"), "{repeated:?}");
}

#[test]
fn wrong_calls_and_a_second_one_are_refused() {
    if !there() {
        return;
    }
    let nights = Nights::new();
    for wrong in [&["--keep", "0"][..], &["--wrong"], &["--program", "/nowhere"]] {
        assert_eq!(nights.call("2026-11-01", wrong).status.code(), Some(2), "{wrong:?}");
    }
    assert_eq!(nights.call("tonight", &[]).status.code(), Some(2));
    fs::create_dir_all(nights.path("seen")).unwrap();
    let lock = fs::File::create(nights.path(".lock")).unwrap();
    lock.lock().unwrap();
    let busy = nights.call("2026-11-01", &[]);
    assert_eq!(busy.status.code(), Some(5), "{busy:?}");
    assert!(line(&busy).contains("status=busy"));
}
