//! Runs every fuzz target on its seeds and on a hundred damaged seeds. `scripts/fuzz.sh` searches longer, guided by
//! coverage.

#[path = "../fuzz/targets.rs"]
mod targets;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::Command;

use crate::common::skip;
use sudoku_corpus::random::{Rng, Stage};
use targets::TARGETS;

/// Damaged inputs for each target.
const INPUTS: u64 = 100;

#[test]
fn damaged_input_breaks_no_target() {
    let folder = tempfile::tempdir().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz/seeds.py");
    let mut seeds = Command::new("python3");
    seeds.args([script, env!("CARGO_BIN_EXE_sudoku-corpus")]).arg(folder.path());
    match seeds.status() {
        Ok(status) => assert!(status.success(), "{script}: {status}"),
        Err(error) => return skip(&format!("python3 cannot be run: {error}")),
    }
    for (name, target) in TARGETS {
        let seeds = read(&folder.path().join(name));
        assert!(!seeds.is_empty(), "{name} has no seeds");
        let damaged = (0..INPUTS).map(|index| damaged(&seeds, &mut Rng::new(1, index, Stage::Bench, 0)));
        for input in seeds.iter().cloned().chain(damaged) {
            // The input is written before the run, so that the file exists after an abort or an endless run.
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
            fs::write(&file, &input).unwrap();
            assert!(catch_unwind(|| target(&input)).is_ok(), "{name}: see {}", file.display());
        }
    }
}

/// The files of a folder, by name.
fn read(folder: &Path) -> Vec<Vec<u8>> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort_unstable();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// A seed with one to four changes.
fn damaged(seeds: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let pick = |rng: &mut Rng| &seeds[rng.below(seeds.len())];
    let mut data = pick(rng).clone();
    for _ in 0..=rng.below(4) {
        let at = rng.below(data.len() + 1);
        let end = (at + rng.below(9)).min(data.len());
        match rng.below(6) {
            0 => data[at..end].iter_mut().for_each(|byte| *byte ^= 1 << rng.below(8)),
            1 => data[at..end].iter_mut().for_each(|byte| *byte = rng.choose(&[0, 9, 10, 45, 48, 57, 127, 255])),
            2 => drop(data.drain(at..end)),
            3 => data.truncate(end),
            4 => {
                let piece = data[at..end].repeat(1 + rng.below(100));
                data.splice(at..at, piece);
            }
            _ => {
                let other = pick(rng);
                let from = rng.below(other.len() + 1);
                data.splice(at..end, other[from..].iter().take(64).copied());
            }
        }
    }
    data
}
