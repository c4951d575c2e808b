//! Tests of the command `query`: closed pipes, full disks, interruptions, damaged files.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::{fail, program, signal, skip, stderr, succeed};

const FORMATS: [&str; 4] = ["table", "csv", "jsonl", "parquet"];

/// A folder with a corpus of 300 puzzles in three parts.
fn corpus() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let run = "run --quiet --count 300 --part-rows 100 --ratings none --techniques singles --seed 3";
    succeed(&mut program(folder.path(), run), "");
    folder
}

/// The temporary files in a folder, by their names.
fn temporary(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_str().unwrap().contains('~')).collect()
}

#[test]
fn a_closed_pipe_ends_the_query_without_a_message() {
    let folder = corpus();
    for format in FORMATS {
        let mut command = program(folder.path(), &format!("query --format {format}"));
        // 27 million rows: more than any pipe holds.
        let sql = "SELECT a.puzzle, a.solution FROM puzzles a CROSS JOIN puzzles b CROSS JOIN puzzles c";
        let mut child = command.arg(sql).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{format}");
    }
}

#[test]
fn a_full_disk_is_an_error_that_names_the_file() {
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
        skip("there is no /dev/full");
        return;
    };
    let folder = corpus();
    for format in FORMATS {
        let mut command = program(folder.path(), &format!("query --format {format}"));
        let child = command.arg("SELECT * FROM puzzles").stdout(Stdio::from(full.try_clone().unwrap())).spawn();
        let output = child.unwrap().wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{format}");
        let text = stderr(&output);
        assert_eq!(text.trim(), "error: cannot write standard output: the disk is full", "{format}");
    }
}

#[test]
fn an_interrupted_query_leaves_no_files() {
    let folder = corpus();
    let sql = "SELECT avg(a.hodoku_score + b.hodoku_score + c.hodoku_score) FROM puzzles a CROSS JOIN puzzles b CROSS JOIN puzzles c \
               CROSS JOIN puzzles d";
    let mut child = program(folder.path(), "query --out answer.csv").arg(sql).spawn().unwrap();
    while temporary(folder.path()).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    signal("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(4));
    assert!(temporary(folder.path()).is_empty() && !folder.path().join("answer.csv").exists());
}

#[test]
fn a_damaged_part_is_not_reported_as_wrong_usage() {
    let folder = corpus();
    let part = folder.path().join("corpus/rows/part-000001.parquet");
    let whole = fs::read(&part).unwrap();
    fs::write(&part, &whole[..whole.len() / 2]).unwrap();
    let mut command = program(folder.path(), "query");
    fail(command.arg("SELECT count(*) FROM puzzles"), "", 1, &["corpus/rows/part-000001.parquet: "]);
}
