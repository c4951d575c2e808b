//! Scores predictions: how many puzzles of a set a model solved, by everything that the set says of them.
//!
//! ```text
//!   predictions (JSON lines, CSV, Parquet) --> puzzle -> answer -+
//!   the set: rows with puzzle and solution  ---------------------+--> right, wrong, invalid, missing -> groups -> page
//! ```
//!
//! **The rules.** A puzzle is solved if its answer ends with the solution ([`grid_of`] says which grid that is), or with
//! any grid that completes it by the rules, unless the set says that it has only one solution. A grid in which a given
//! was changed, and an answer without a grid, are invalid. A puzzle without a prediction counts as not solved. For the
//! probe `two_solutions` either solution is right, and so is an answer that says "two solutions" and ends with no grid;
//! for `no_solution` one that says "no solution" and ends with no grid. The accuracy is the share of solved puzzles among
//! *all* puzzles of a group, with Wilson's 95 % interval.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `predictions` | files of answers | [`Predictions`] |
//! | `answer` | the grid in the answer of a model | [`grid_of`] |
//! | `rows` | rows of a grid and their labels | `grid_of_rows` |
//! | `marks` | HTML, LaTeX and signs that look like others | `plain` |
//! | `words` | what an answer says of itself and of the puzzle | `claim_of` |
//! | `set` | files of puzzles with solutions | `SetRow` |
//! | `groups` | verdicts by split, role, board, level and ER | [`ScoreGroup`] |
//! | `page` | the score as a page | [`document`] |

mod answer;
mod groups;
mod marks;
mod page;
mod predictions;
mod rows;
mod set;
mod words;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::corpus::{CorpusError, SourceScales};
use sudoku_corpus_core::page::numbers::counted;

pub use answer::grid_of;
pub use groups::ScoreGroup;
use groups::{ScoreGroups, Verdict};
pub use page::document;
pub use predictions::Predictions;
use predictions::{ModelAnswer, key};
use set::{SetFile, SetRow, files_of_set, keeps};
use words::SolutionClaim;

/// A whole score.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Answers to puzzles that the set does not have.
    pub foreign: u64,
    /// Rows of the set whose puzzle stands in an earlier row. They are not counted.
    pub copies: u64,
    /// The scale of the levels; none if some files do not say it.
    pub level_scale: Option<String>,
    /// All puzzles, and then groups by split, role, board, level and tenth of ER.
    pub groups: Vec<ScoreGroup>,
}

/// Scores predictions against a set: folders of releases or corpora, or files of rows.
///
/// # Errors
/// A source that cannot be read, or that has no puzzles with solutions; sources whose levels have different scales.
pub fn score(predictions: &Predictions, set: &[PathBuf]) -> Result<Score, CorpusError> {
    let mut files: Vec<SetFile> = Vec::new();
    for path in set {
        files.extend(files_of_set(path)?);
    }
    let paths: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    let scales = SourceScales::of(&paths)?;
    let levels = scales.common().map_err(|error| {
        CorpusError::Query(format!("{error}; score them one by one, or rate all on one scale with `analyze`"))
    })?;
    let mut scoring = Scoring::default();
    for file in files {
        file.read(|row| scoring.add(row, predictions))?;
    }
    let first_path = set.first().map_or(Path::new(""), PathBuf::as_path);
    let score = scoring.ended(predictions).map_err(|reason| CorpusError::file(first_path, reason))?;
    Ok(Score { level_scale: scales.are_all(&levels).then(|| levels.scale().to_owned()), ..score })
}

#[derive(Default)]
struct Scoring {
    groups: ScoreGroups,
    /// A hash of each puzzle that was counted.
    puzzles: HashSet<u128>,
    copies: u64,
    /// The keys of the puzzles that have an answer.
    answered: HashSet<String>,
}

impl Scoring {
    /// Adds a row. A puzzle that stands in several rows, or in several files, counts in the first one alone. An error if
    /// the row has a puzzle or a solution that is none.
    fn add(&mut self, row: &SetRow, predictions: &Predictions) -> Result<(), String> {
        let key = key(&row.puzzle);
        if !self.puzzles.insert(row.hash(&key)) {
            self.copies += 1;
            return Ok(());
        }
        let verdict = match predictions.answer(&key) {
            Some(answer) => {
                self.answered.insert(key);
                verdict_on(answer, row)?
            }
            None => Verdict::Missing,
        };
        self.groups.add(row, verdict);
        Ok(())
    }

    /// The score. An error if the set has no puzzles, or none that was answered.
    fn ended(self, predictions: &Predictions) -> Result<Score, String> {
        if self.puzzles.is_empty() {
            return Err("the set has no puzzles".to_owned());
        }
        if self.answered.is_empty() && !predictions.is_empty() {
            let answers = counted(predictions.len() as u64, "answer");
            return Err(format!("it has none of the puzzles that were answered ({answers}); is it the right set?"));
        }
        let foreign = (predictions.len() - self.answered.len()) as u64;
        Ok(Score { foreign, copies: self.copies, level_scale: None, groups: self.groups.ended() })
    }
}

/// What an answer to a row is worth. An answer that differs from all solutions beside the puzzle is measured by the
/// nearest. An error if the set has a puzzle or a solution that is none.
fn verdict_on(answer: &ModelAnswer, row: &SetRow) -> Result<Verdict, String> {
    let givens = row.cells_of(&row.puzzle)?;
    // What an answer without a grid may say to be right.
    let right_claim = match row.role.as_deref() {
        Some("no_solution") if row.solutions.is_empty() => Some(SolutionClaim::NoSolution),
        _ if row.solutions.is_empty() => {
            return Err(format!("the puzzle {} of the set has no solution beside it", row.puzzle));
        }
        Some("two_solutions") => Some(SolutionClaim::SeveralSolutions),
        _ => None,
    };
    let solutions = row.solutions.iter().map(|line| row.cells_of(line)).collect::<Result<Vec<_>, _>>()?;
    solutions.iter().try_for_each(|solution| row.check_solution(solution, &givens))?;
    let Some(grid) = &answer.grid else {
        let is_right = right_claim.is_some() && answer.claim == right_claim;
        return Ok(if is_right { Verdict::Solved } else { Verdict::Invalid });
    };
    if !keeps(grid, &givens) {
        return Ok(Verdict::Invalid);
    }
    let mut wrong_cells = Vec::new();
    for solution in &solutions {
        wrong_cells.push(solution.iter().zip(grid).filter(|(right, answered)| right != answered).count() as u64);
    }
    Ok(match wrong_cells.into_iter().min() {
        // No solution, so every grid is wrong.
        None => Verdict::Invalid,
        Some(0) => Verdict::Solved,
        _ if row.has_other_solution(grid) => Verdict::Solved,
        Some(fewest) => Verdict::Wrong(fewest),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::{PUZZLE, SOLUTION, puzzle};
    use crate::corpus::{Levels, Record, RowSink};
    use sudoku_corpus_core::board::{Solution, text};

    #[test]
    fn levels_on_two_scales_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["newspaper.parquet", "hodoku.parquet"].map(|name| folder.path().join(name));
        for (file, levels) in files.iter().zip([Levels::default(), Levels::hodoku()]) {
            RowSink::with_levels(file, None, &[], &levels).unwrap().finish().unwrap();
        }
        let mut predictions = Predictions::default();
        predictions.add(1, PUZZLE, SOLUTION).unwrap();
        let error = score(&predictions, &files).unwrap_err().to_string();
        assert!(error.contains("different scales") && error.contains("`analyze`"), "{error}");
    }

    /// A set of four puzzles: this one with up to three more givens, of ER 1.2 and 2.3 by turns.
    fn set(folder: &Path) -> (PathBuf, Vec<String>) {
        let path = folder.join("test-00000-of-00001.parquet");
        let mut sink = RowSink::create(&path, None).unwrap();
        let solution = Solution::try_from(text::parse_line(SOLUTION, None).unwrap()).unwrap();
        let mut line = PUZZLE.to_owned();
        let mut puzzles = Vec::new();
        for index in 0..4 {
            let record = Record::of_puzzle(index, puzzle(&line));
            let er = Some(12 + 11 * (index as u32 % 2));
            sink.write(Record { solution: Some(solution.clone()), se_er_tenths: er, ..record }).unwrap();
            let open = line.find('.').unwrap();
            let more = format!("{}{}{}", &line[..open], &SOLUTION[open..=open], &line[open + 1..]);
            puzzles.push(std::mem::replace(&mut line, more));
        }
        sink.finish().unwrap();
        (path, puzzles)
    }

    #[test]
    fn every_puzzle_of_the_set_is_solved_wrong_invalid_or_missing() {
        let folder = tempfile::tempdir().unwrap();
        let (path, puzzles) = set(folder.path());
        let answers = |texts: &[&str]| {
            let file = folder.path().join("predictions.jsonl");
            let line = |(answer, puzzle): (&&str, &String)| {
                serde_json::json!({"puzzle": puzzle.replace('.', "0"), "output": answer}).to_string()
            };
            let lines: Vec<String> = texts.iter().zip(&puzzles).map(line).collect();
            std::fs::write(&file, lines.join("\n")).unwrap();
            score(&Predictions::read(&file, None).unwrap(), std::slice::from_ref(&path)).unwrap()
        };
        let wrong = format!("{}43", &SOLUTION[..79]);
        let whole = answers(&[SOLUTION, &wrong]);
        let all = &whole.groups[0];
        assert_eq!((all.puzzles, all.solved, all.wrong + all.invalid), (4, 1, 1));
        assert_eq!(all.missing, 2);
        assert_eq!(whole.groups.iter().filter(|group| group.by == "er").map(|group| group.puzzles).sum::<u64>(), 4);
        assert_eq!(whole.groups.iter().find(|group| group.by == "split").unwrap().group, "test");
        let none = answers(&["I do not know", "no solution"]);
        assert_eq!((none.groups[0].invalid, none.groups[0].solved, none.foreign), (2, 0, 0));
        let cells = format!("{}8", &SOLUTION[..80]);
        let part = answers(&[&cells]);
        assert_eq!((part.groups[0].wrong, part.groups[0].invalid), (0, 1), "the last cell is a given");
        let swapped = SOLUTION.replacen("78912", "78921", 1);
        let part = answers(&[&swapped]);
        assert_eq!((part.groups[0].wrong, part.groups[0].wrong_cells), (1, 2));
    }

    #[test]
    fn a_puzzle_that_stands_twice_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let (path, puzzles) = set(folder.path());
        let doubled = folder.path().join("doubled.csv");
        let row = format!("{PUZZLE},{SOLUTION}\n");
        std::fs::write(&doubled, format!("puzzle,solution\n{row}{}", row.replace('.', "0"))).unwrap();
        let mut answers = Predictions::default();
        answers.add(1, &puzzles[0], SOLUTION).unwrap();
        for (set, copies, counted) in
            [(vec![doubled.clone()], 1, 1), (vec![path.clone(), path.clone()], 4, 4), (vec![path, doubled], 2, 4)]
        {
            let scored = score(&answers, &set).unwrap();
            let all = &scored.groups[0];
            assert_eq!((scored.copies, all.puzzles, all.solved), (copies, counted, 1), "{set:?}");
        }
    }

    #[test]
    fn puzzles_are_found_by_all_signs_of_empty_cells_and_with_blanks() {
        let open = |signs: &str| signs.replace('.', "0");
        let spaced = |signs: &str| signs.chars().map(|sign| format!("{sign} ")).collect::<String>();
        let sixteen = format!("1.G{}", ".".repeat(253));
        let mut written = vec![(PUZZLE, spaced(&open(PUZZLE))), (&*sixteen, open(&sixteen).to_lowercase())];
        written.extend(["*", "-", "_", "?", "x", " "].map(|sign| (PUZZLE, PUZZLE.replace('.', sign))));
        for (puzzle, written) in written {
            let mut answers = Predictions::default();
            answers.add(1, &written, "x").unwrap();
            assert!(answers.answer(&key(puzzle)).is_some(), "{written}");
            assert_eq!(key(puzzle), puzzle);
        }
        let large = format!("0.Z{}", ".".repeat(1_293));
        assert_eq!([key(&large), key(&spaced(&large))], [large.clone(), large], "0 is a digit of 36x36");
    }

    /// Whoever completes a puzzle by the rules has solved it, unless it is known that it has one solution.
    #[test]
    fn any_solution_of_a_puzzle_with_several_is_right_and_a_wrong_one_is_refused() {
        // Two rows of a band, exchanged.
        let other = format!("{}{}{}", &SOLUTION[9..18], &SOLUTION[..9], &SOLUTION[18..]);
        let open = format!("{}{}", ".".repeat(18), &SOLUTION[18..]);
        let verdict = |shape: &str, is_unique: bool, solution: &str, answer: &str| {
            let (shape, puzzle) = (shape.to_owned(), open.clone());
            let row = SetRow { shape, puzzle, solutions: vec![solution.to_owned()], is_unique, ..SetRow::default() };
            verdict_on(&ModelAnswer::of(1, &open, answer), &row)
        };
        assert!(verdict("3x3", false, SOLUTION, &other) == Ok(Verdict::Solved));
        assert!(verdict("", false, SOLUTION, &other) == Ok(Verdict::Solved));
        assert!(verdict("3x3", true, SOLUTION, &other) == Ok(Verdict::Wrong(18)));
        let broken = other.replacen("672", "772", 1);
        assert!(matches!(verdict("3x3", false, SOLUTION, &broken), Ok(Verdict::Wrong(_))));
        let foreign = format!("{}{}{}", &SOLUTION[..63], &SOLUTION[72..], &SOLUTION[63..72]);
        for wrong in [&foreign, &broken] {
            let refusal = verdict("3x3", false, wrong, SOLUTION).err().unwrap_or_default();
            assert!(refusal.contains("a wrong solution"), "{wrong}: {refusal}");
        }
    }

    /// A line of digits may stand in JSON without quotes.
    #[test]
    fn numbers_with_all_digits_are_answers_and_rounded_ones_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (set, _) = set(folder.path());
        let scored = |answer: &str| -> Result<u64, String> {
            let path = folder.path().join("answers.jsonl");
            std::fs::write(&path, format!("{{\"puzzle\": \"{PUZZLE}\", \"answer\": {answer}}}\n")).unwrap();
            let predictions = Predictions::read(&path, None).map_err(|error| error.to_string())?;
            Ok(score(&predictions, std::slice::from_ref(&set)).unwrap().groups[0].solved)
        };
        let rows: Vec<String> = (0..9).map(|row| SOLUTION[9 * row..9 * row + 9].replace("", ".0,")).collect();
        let floats: Vec<&str> = rows.iter().map(|row| row.trim_start_matches(".0,").trim_end_matches(',')).collect();
        for answer in [SOLUTION.to_owned(), format!("[{SOLUTION}]"), format!("[[{}]]", floats.join("],["))] {
            assert_eq!(scored(&answer), Ok(1), "{answer}");
        }
        let refusal: String = scored("5.34678912672195E+80").unwrap_err();
        assert!(refusal.contains("rounded"), "{refusal}");
    }

    #[test]
    fn a_probe_is_answered_in_words() {
        let none = ["It does not have a solution.", "No solution", "It can't be solved", "Impossible!", "unsolvable"];
        let several = ["There are two solutions", "The solution is not unique.", "It isn't unique"];
        let nothing = ["I cannot find it", "It is not true that it has no solution", "<think>no solution</think>?", ""];
        for (role, right) in [("no_solution", &none[..]), ("two_solutions", &several[..]), ("empty_1", &[][..])] {
            let mut row = SetRow { puzzle: PUZZLE.to_owned(), role: Some(role.to_owned()), ..SetRow::default() };
            row.solutions.extend((role != "no_solution").then(|| SOLUTION.to_owned()));
            for text in none.into_iter().chain(several).chain(nothing) {
                let verdict = verdict_on(&ModelAnswer::of(1, PUZZLE, text), &row).unwrap();
                assert_eq!(verdict == Verdict::Solved, right.contains(&text), "{role}: {text}");
            }
        }
    }

    #[test]
    fn two_answers_to_a_puzzle_and_files_without_answers_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (name, contents, words) in [
            ("a.jsonl", format!("{{\"puzzle\":\"{PUZZLE}\",\"answer\":\"x\"}}\n").repeat(2), "lines 2 and 1"),
            ("b.csv", format!("puzzle,answer\n{PUZZLE},a\n{},b\n", PUZZLE.replace('.', "0")), "rows 2 and 1"),
            ("c.csv", format!("puzzle,guess\n{PUZZLE},a\n"), "--answer"),
            ("d.jsonl", "{\"puzzle\":\"1\"}".to_owned(), "--answer"),
            // The truth is no answer, and one file has its answers in one column.
            ("f.csv", format!("puzzle,solution,generated_text\n{PUZZLE},{SOLUTION},I give up\n"), "--answer"),
            ("g.csv", format!("puzzle,answer,output\n{PUZZLE},a,b\n"), "answer and output"),
            (
                "h.jsonl",
                format!("{{\"puzzle\":\"{PUZZLE}\",\"answer\":\"x\"}}\n{{\"puzzle\":\"1\",\"output\":\"y\"}}"),
                "line 2",
            ),
            ("i.csv", format!("puzzle,answer\n{PUZZLE},\n"), "no answer"),
            ("j.jsonl", format!("{{\"puzzle\":\"{PUZZLE}\",\"answer\":\"x\",\"answer\":\"y\"}}"), "two fields"),
            ("k.jsonl", " ".repeat(9 << 20), "longer than"),
            ("e.jsonl", "nonsense".to_owned(), "line 1"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, contents).unwrap();
            let error = Predictions::read(&path, None).unwrap_err().to_string();
            assert!(error.contains(words), "{name}: {error}");
        }
        let (path, _) = set(folder.path());
        let lines = folder.path().join("own.jsonl");
        let given_up = format!("{{\"puzzle\":\"{PUZZLE}\",\"solution\":\"{SOLUTION}\",\"text\":\"I give up\"}}\n");
        let without = format!("{{\"puzzle\":\"{}\",\"solution\":\"x\"}}\n", ".".repeat(81));
        std::fs::write(&lines, given_up + &without).unwrap();
        let own = Predictions::read(&lines, Some("text")).unwrap();
        let scored = score(&own, std::slice::from_ref(&path)).unwrap();
        assert_eq!((own.len(), scored.groups[0].solved, scored.groups[0].invalid), (1, 0, 1));
        let csv = folder.path().join("good.csv");
        std::fs::write(&csv, format!("puzzle,prediction\n{PUZZLE},{SOLUTION}\n{},x\n", ".".repeat(81))).unwrap();
        let scored = score(&Predictions::read(&csv, None).unwrap(), &[path]).unwrap();
        assert_eq!((scored.groups[0].solved, scored.foreign), (1, 1));
    }

    /// The digits of a small board look like a number; and an ER that is a lower bound is no group of that ER.
    #[test]
    fn boards_of_digits_are_texts_and_lower_bounds_say_so() {
        let folder = tempfile::tempdir().unwrap();
        let [set, answers] = ["set.csv", "answers.jsonl"].map(|name| folder.path().join(name));
        let rows = "1000341221434321,1234341221434321,12,false\n1234341221430021,1234341221434321,12,true\n";
        std::fs::write(&set, format!("puzzle,solution,se_er_tenths,se_exact\n{rows}")).unwrap();
        std::fs::write(&answers, "{\"puzzle\":\"1000341221434321\",\"answer\":\"1234341221434321\"}\n").unwrap();
        let scored = score(&Predictions::read(&answers, None).unwrap(), &[set]).unwrap();
        let groups: Vec<_> = scored.groups.iter().map(|group| (&*group.group, group.solved, group.missing)).collect();
        assert_eq!(scored.foreign, 0);
        assert!(groups.contains(&("all", 1, 1)), "{groups:?}");
        assert_eq!(scored.level_scale, None, "a CSV file says no scale");
        assert!(groups.contains(&("1.2 or more", 1, 0)) && groups.contains(&("1.2", 0, 1)), "{groups:?}");
    }
}
