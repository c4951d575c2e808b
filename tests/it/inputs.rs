//! Files of puzzles as people have them, which stand in the folder of data beside the project.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::board::text::Signs;
use sudoku_corpus_store::corpus::{CorpusError, Input, Least, Reading, Record};

use crate::common::PUZZLE;

const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// What stands in the files of forms that do not hold [`PUZZLE`]: P for it, S for [`SECOND`], = for a position of P, the
/// size of other boards, and what is said of bad rows.
const STAND: &[(&str, &str)] = &[
    // Digits in the order of the alphabet: the same board with other digits.
    ("9_wordoku.txt", "9"),
    ("csv_a11n_zero.txt", "9"),
    ("csv_dupheader.csv", "(several columns are named 'puzzle')"),
    ("csv_extreme.csv", "P S"),
    ("csv_lostzeros.csv", "(79 cells; if a spreadsheet removed zeros at its beginning, 2 are missing)"),
    ("csv_noheader.csv", "P S"),
    ("csv_noheader_id.csv", "P S"),
    ("csv_sci.csv", "(a spreadsheet has rounded this number, and the puzzle is lost)"),
    ("csv_solution_with_zero.csv", "(solution: r9c9 is empty)"),
    ("csv_wrong_solution.csv", "(solution: digit 9 stands twice in column 8: r5c8 and r9c8)"),
    ("enc_csv_win1252.csv", "(iconv -f WINDOWS-1252 -t UTF-8) S"),
    ("enc_sdk_win1252.sdk", "(iconv -f WINDOWS-1252 -t UTF-8) P"),
    ("enc_sdm_mixed.sdm", "P S P S"),
    ("enc_sdm_win1252_note.txt", "(iconv -f WINDOWS-1252 -t UTF-8) S"),
    ("head_comment_semicolon.txt", "P S"),
    ("head_numbered2.txt", "P S"),
    ("json_evals.jsonl", "(jq -c '.[\"input\"][]' FILE)"),
    ("json_map.json", "(several columns have puzzles, '1' and '2'; choose one: --column '1')"),
    ("json_newboard.json", "(jq -c '.[\"newboard\"][\"grids\"][]' FILE)"),
    ("json_strings_pretty.json", "P S"),
    ("json_wrapped.json", "(jq -c '.[\"puzzles\"][]' FILE)"),
    ("json_wrapped_pretty.json", "(jq -c '.[\"puzzles\"][]' FILE)"),
    ("json_xeeeveee.json", "4"),
    ("line_82.txt", "(82 cells: no board has so many; 9x9 has 81, 6x6 has 36, 16x16 has 256)"),
    ("line_comma_list.txt", "P S"),
    ("line_semicolon_list.txt", "P S"),
    ("line_space_list.txt", "P S P"),
    ("link_fpuzzles_6x6_lisudoku.txt", "9 9"),
    ("link_fpuzzles_sudocle233.txt", "9 9"),
    ("link_fpuzzles_variant_dclamage87.txt", "(the rule 'sandwichsum')"),
    ("link_sudocle245.txt", "(the rule 'killercage')"),
    ("mini_rg153.txt", "4"),
    ("os_v2_started.opensudoku", "(a game that was started; only puzzles are read)"),
    ("os_v2_started4.opensudoku", "(a game that was started; only puzzles are read)"),
    ("pm_729.txt", "="),
    ("pm_kyoyama.txt", "="),
    ("pm_rows_only.txt", "="),
    ("pm_ss.txt", "="),
];

/// The second puzzle of lists.
const SECOND: &str = "..4..1.....3...2.5.5...3..7.8..62.1.3.......6.4.87..2.2..4...7.4.6...9.....7..3..";

/// What a file of forms gives: see [`STAND`]. `right` are the boards of 16x16 and 25x25.
fn stand(path: &Path, how: &Reading, right: &[String]) -> (Vec<String>, Vec<String>) {
    let label = |record: Record| {
        let puzzle = record.puzzle.or_else(|| record.solution.map(Puzzle::from)).unwrap();
        let line = puzzle.to_string();
        let mut of_both = line.chars().zip(PUZZLE.chars().zip(SOLUTION.chars()));
        match line.as_str() {
            PUZZLE => "P".to_owned(),
            SECOND => "S".to_owned(),
            _ if right.contains(&line) => "right".to_owned(),
            _ if of_both.all(|(cell, (given, digit))| cell == given || cell == digit && given == '.') => "=".to_owned(),
            _ => puzzle.shape().order().to_string(),
        }
    };
    let mut reasons = Vec::new();
    let mut told = |error: CorpusError| {
        reasons.push(error.to_string());
        "()".to_owned()
    };
    let labels = match Input::open(path, how.clone()) {
        Err(error) => vec![told(error)],
        Ok(input) => input.map(|row| row.map_or_else(&mut told, label)).collect(),
    };
    (labels, reasons)
}

/// Every file of `inputs` in the folder of data: files as people have them. Each is read right, or refused with a reason
/// that says what to do. If the reason proposes --digits or --empty, then with that option the file is read right.
#[test]
fn every_file_of_forms_is_read_or_refused() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let folder = std::env::var_os("SUDOKU_CORPUS_DATA").map_or_else(beside, PathBuf::from).join("inputs");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("SKIPPED: {} is not there; set SUDOKU_CORPUS_DATA", folder.display());
        return;
    };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name != "README.md").collect();
    names.sort_unstable();
    let right = ["16_own_dot_line.txt", "25_nested.jsonl", "cg16_own.txt"].map(|name| {
        Input::open(&folder.join(name), None).unwrap().next().unwrap().unwrap().puzzle.unwrap().to_string()
    });
    let how = Reading { positions: true, least: Least::Row, ..Reading::default() };
    let (mut wrong, mut counts) = (Vec::new(), [0; 3]);
    for name in &names {
        let path = folder.join(name);
        let (mut labels, reasons) = stand(&path, &how, &right);
        let usual = if ["16_", "25_", "cg1"].contains(&&name[..3]) { "right" } else { "P" };
        let (expected, parts) = match STAND.iter().find(|form| form.0 == name) {
            None => (usual.to_owned(), Vec::new()),
            Some((_, text)) => match text.split_once('(') {
                None => ((*text).to_owned(), Vec::new()),
                Some((_, rest)) => {
                    let (part, after) = rest.rsplit_once(')').unwrap();
                    (format!("(){after}"), vec![part])
                }
            },
        };
        let option = |name: &str| {
            let (_, rest) = reasons.first()?.split_once(name)?;
            rest.split([' ', ';']).next().map(str::to_owned)
        };
        let signs = Signs {
            digits: option("--digits ").map(Arc::from),
            empty: option("--empty ").and_then(|sign| sign.chars().next()),
        };
        let is_proposed = parts.is_empty() && signs != Signs::default();
        if is_proposed {
            labels = stand(&path, &Reading { signs, ..how.clone() }, &right).0;
        }
        let is_told = parts.iter().all(|part| reasons.iter().any(|reason| reason.contains(part)));
        counts[if is_proposed {
            1
        } else if reasons.is_empty() {
            0
        } else {
            2
        }] += 1;
        if labels.join(" ") != expected || !is_told {
            wrong.push(format!("    {name:?}: {labels:?} {reasons:?}, expected {expected}"));
        }
    }
    let [read, proposed, refused] = counts;
    println!("{read} files are read, {proposed} with the option that is proposed, {refused} have refused rows");
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), names.len(), wrong.join("\n"));
}
