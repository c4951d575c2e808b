//! Selections from small corpora, compared with brute force.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::tempdir;

use crate::choice::order::{self, Pick, SortColumn};
use crate::choice::quota::Quota;
use crate::choice::request::Request;
use crate::choice::rows::chosen::Chosen;
use crate::choice::rows::pool::Pool;
use crate::choice::scale::Scale;
use crate::choice::select::{Choice, choose};
use crate::error::PublishError;
use crate::index::Seen;
use crate::index::seen::class_of;
use sudoku_corpus_core::board::{Freedom, Isomorphism, Puzzle, Shape, text};
use sudoku_corpus_core::catalogue::canonical;
use sudoku_corpus_core::ladder::Technique;
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_store::corpus::{Draft, Job, Levels, OnError, Recipe, Record, RowSink, thread_pool};

/// Rows of a small corpus. Levels, scores and symmetries are invented, so that every kind occurs.
fn rows(count: u64, seed: u64) -> Vec<Record> {
    let invented = |row: Record| {
        let mut rng = Rng::new(seed, row.row, Stage::Bench, 7);
        let level = Some(["easy", "medium", "hard", "extreme"][rng.below(4)].into());
        Record { level, hodoku_score: Some(rng.below(1000) as u32), ..row }
    };
    unrated(Shape::NINE, count, seed).into_iter().map(invented).collect()
}

/// Rows of a shape without ratings.
fn unrated(shape: Shape, count: u64, seed: u64) -> Vec<Record> {
    let text = format!(
        "count = {count}\nseed = {seed}\n[grid]\nshape = \"{shape}\"\n[analyze]\ntechniques = \"none\"\nratings = \"none\""
    );
    let recipe = Recipe::new(&Draft::parse(&text).unwrap()).unwrap();
    (0..count).map(|index| recipe.make(index).unwrap()).collect()
}

/// A quota of puzzles of a level of the newspaper's scale.
fn level(name: &str, count: u64) -> Quota {
    Scale::default().quota(name, count).unwrap()
}

/// A row with another puzzle that is essentially the same.
fn twin(row: &Record, seed: u64) -> Record {
    let mut rng = Rng::new(seed, 5, Stage::Bench, 1);
    let map = Isomorphism::random(row.shape, Freedom::ALL, &mut rng);
    let puzzle = row.puzzle.as_ref().map(|puzzle| map.apply_to_puzzle(puzzle));
    let solution = row.solution.as_ref().map(|solution| map.apply(solution));
    Record { puzzle, solution, ..row.clone() }
}

fn file(folder: &Path, name: &str, rows: &[Record]) -> PathBuf {
    let path = folder.join(name);
    let mut sink = RowSink::create(&path, None).unwrap();
    rows.iter().for_each(|row| sink.write(row.clone()).unwrap());
    sink.finish().unwrap();
    path
}

fn select(files: &[PathBuf], wanted: &Request) -> Result<Choice, PublishError> {
    select_unseen(files, wanted, &Seen::default())
}

fn select_unseen(files: &[PathBuf], wanted: &Request, seen: &Seen) -> Result<Choice, PublishError> {
    choose(&Pool::open(files, wanted, &Job::default())?, wanted, seen, None, &Job::default())
}

fn chosen(choice: &Choice) -> Vec<Chosen> {
    choice.chosen.iter().map(Result::unwrap).collect()
}

fn lines(choice: &Choice) -> Vec<String> {
    chosen(choice).iter().map(|chosen| chosen.puzzle().unwrap().to_string()).collect()
}

fn columns(text: &str) -> Vec<SortColumn> {
    order::parse_columns(text, &Scale::default()).unwrap()
}

fn n(count: u64) -> Request {
    Request { count: Some(count), ..Request::default() }
}

#[test]
fn a_random_choice_depends_on_the_puzzles_alone() {
    let folder = tempdir().unwrap();
    let rows = rows(200, 1);
    let whole = [file(folder.path(), "whole.parquet", &rows)];
    let mut shuffled = rows.clone();
    shuffled.reverse();
    let pieces = shuffled.chunks(70).zip(["0.parquet", "1.csv", "2.csv.zst"]);
    let pieces: Vec<PathBuf> = pieces.map(|(rows, name)| file(folder.path(), name, rows)).collect();
    let one = select(&whole, &n(50)).unwrap();
    assert_eq!(one.chosen.len(), 50);
    assert_eq!(lines(&one), lines(&thread_pool(Some(3)).unwrap().install(|| select(&pieces, &n(50))).unwrap()));
    let other = Request { pick: Pick::Random(9), ..n(50) };
    assert_ne!(lines(&one), lines(&select(&whole, &other).unwrap()));
    let all: HashSet<String> = lines(&select(&whole, &Request::default()).unwrap()).into_iter().collect();
    assert_eq!(all.len(), 200);
}

#[test]
fn of_puzzles_that_are_essentially_the_same_one_is_taken() {
    let folder = tempdir().unwrap();
    let rows = rows(40, 2);
    let mut twins: Vec<Record> = (0..3).flat_map(|seed| rows.iter().map(move |row| twin(row, seed))).collect();
    // Some rows have their class, for others it must be computed.
    twins.iter_mut().skip(1).step_by(2).for_each(|row| row.class = None);
    let files = [file(folder.path(), "a.parquet", &rows), file(folder.path(), "b.parquet", &twins)];
    let chosen = chosen(&select(&files, &n(40)).unwrap());
    assert_eq!(chosen.iter().map(|row| row.class).collect::<HashSet<u128>>().len(), 40);
    assert!(chosen.iter().all(|row| row.class == canonical::class(&row.puzzle().unwrap())));
    let message = select(&files, &n(41)).unwrap_err().to_string();
    assert!(message.starts_with("too few puzzles: 40 of 41\nrows that fit: 160 of 160, 120 isomorphic"), "{message}");
    assert!(!message.contains("conditions"), "{message}");
}

#[test]
fn quotas_are_filled_to_the_number_or_named_as_short() {
    let folder = tempdir().unwrap();
    let rows = rows(300, 3);
    let path = [file(folder.path(), "a.parquet", &rows)];
    let easy = rows.iter().filter(|row| row.level.as_deref() == Some("easy")).count() as u64;
    let both = |row: &&Record| row.level.as_deref() == Some("easy") && row.hodoku_score.unwrap() < 500;
    let cheap_and_easy = rows.iter().filter(both).count() as u64;
    // All easy puzzles are asked for, so those with low scores must come from other levels.
    let quotas = vec![Quota::condition("hodoku_score < 500", 30), level("easy", easy), Quota::givens(0..=81, 10)];
    let wanted = Request { quotas, ..n(easy + 50) };
    let choice = select(&path, &wanted).unwrap();
    assert_eq!(choice.chosen.len() as u64, easy + 50);
    for (quota, count) in [(0, 30), (1, easy), (2, 10), (3, 10)] {
        let of_quota: Vec<Record> =
            chosen(&choice).iter().filter(|chosen| chosen.quota == quota).map(Chosen::record).collect();
        assert_eq!(of_quota.len() as u64, count, "quota {quota}");
        assert!(quota != 0 || of_quota.iter().all(|row| row.hodoku_score.unwrap() < 500));
        assert!(quota != 1 || of_quota.iter().all(|row| row.level.as_deref() == Some("easy")));
    }
    let condition = "level = 'easy' AND hodoku_score < 500";
    let quotas = vec![Quota::condition(condition, cheap_and_easy + 2), level("medium", 5)];
    let error = select(&path, &Request { quotas, ..Request::default() }).unwrap_err();
    let PublishError::Short(short) = error else { panic!("{error}") };
    let first = &short.quotas[0];
    assert_eq!((&*first.name, first.found, first.wanted), (condition, cheap_and_easy, cheap_and_easy + 2));
    assert_eq!(first.fit, first.found + first.seen + first.copies);
    let told = short.to_string();
    assert!(told.contains(&format!("{condition}: {cheap_and_easy} of {}", cheap_and_easy + 2)), "{told}");
    assert!(!told.contains("medium"), "{told}");
}

#[test]
fn missing_values_are_reported_when_puzzles_are_short() {
    let folder = tempdir().unwrap();
    let mut rows = rows(9, 9);
    rows[..4].iter_mut().for_each(|row| row.level = None);
    rows[..2].iter_mut().for_each(|row| row.solutions = None);
    let path = [file(folder.path(), "a.parquet", &rows)];
    let message = select(&path, &n(9)).unwrap_err().to_string();
    assert!(message.contains("7 of 9") && message.contains("2 with an unknown number of solutions"), "{message}");
    assert!(!message.contains("a level"), "{message}");
    let leveled = Request { filters: vec!["level <> 'x'".to_owned()], ..n(6) };
    let message = select(&path, &leveled).unwrap_err().to_string();
    assert!(message.contains("5 of 6") && message.contains("4 without a level"), "{message}");
}

#[test]
fn rows_that_need_uniqueness_are_counted_when_puzzles_are_short() {
    let folder = tempdir().unwrap();
    let mut rows = rows(20, 12);
    for (at, row) in rows.iter_mut().enumerate() {
        let counts = row.counts.insert(Box::new([0; Technique::COUNT]));
        counts[Technique::UniquenessTest1 as usize] = u32::from(at < 8);
        row.level = Some(if at % 2 == 0 { "easy".into() } else { "hard".into() });
    }
    let path = [file(folder.path(), "a.parquet", &rows)];
    let quotas = vec![level("easy", 7), level("hard", 6)];
    let strict = Request { quotas, no_uniqueness: true, ..Request::default() };
    let message = select(&path, &strict).unwrap_err().to_string();
    assert!(message.starts_with("too few puzzles: 12 of 13; easy: 6 of 7"), "{message}");
    // Of the eight rows with a rectangle, four are easy.
    assert!(message.contains("4 with techniques of uniqueness (--uniqueness takes them)"), "{message}");
    assert_eq!(select(&path, &Request { no_uniqueness: false, ..strict }).unwrap().chosen.len(), 13);
}

#[test]
fn orders_choose_and_sort() {
    let folder = tempdir().unwrap();
    let rows = rows(120, 4);
    let path = [file(folder.path(), "a.parquet", &rows)];
    let scores =
        |choice: &Choice| chosen(choice).iter().map(|row| row.record().hodoku_score.unwrap()).collect::<Vec<_>>();
    let mut all: Vec<u32> = rows.iter().map(|row| row.hodoku_score.unwrap()).collect();
    all.sort_unstable();
    let lowest = Request { pick: Pick::Columns(columns("hodoku_score")), ..n(10) };
    assert_eq!(scores(&select(&path, &lowest).unwrap()), all[..10]);
    let highest = Request { pick: Pick::Columns(columns("-hodoku_score")), ..n(10) };
    assert!(scores(&select(&path, &highest).unwrap()).into_iter().rev().eq(all[110..].iter().copied()));
    let first = Request { pick: Pick::Input, ..n(10) };
    assert!(chosen(&select(&path, &first).unwrap()).iter().map(|row| row.record().row).eq(0..10));
    // Three must be easy: others are taken as they come while there is room for them.
    let mixed = Request { quotas: vec![level("easy", 3)], pick: Pick::Input, ..n(10) };
    let (mut taken, mut taken_others) = (0, 0);
    let expected = rows.iter().filter(|row| {
        let is_easy = row.level.as_deref() == Some("easy");
        let takes = taken < 10 && (is_easy || taken_others < 7);
        taken += u32::from(takes);
        taken_others += u32::from(takes && !is_easy);
        takes
    });
    let mixed = chosen(&select(&path, &mixed).unwrap());
    assert!(mixed.iter().map(|row| row.record().row).eq(expected.map(|row| row.row)));
    let sorted = Request { sort: columns("level,-hodoku_score"), ..n(60) };
    let choice = select(&path, &sorted).unwrap();
    let key = |row: &Chosen| (Levels::default().of(&row.record()), u32::MAX - row.record().hodoku_score.unwrap());
    assert!(chosen(&choice).iter().map(key).is_sorted());
    let mut sorted = lines(&choice);
    let mut random = lines(&select(&path, &n(60)).unwrap());
    sorted.sort_unstable();
    random.sort_unstable();
    assert_eq!(sorted, random, "sorting must not change what is chosen");
}

#[test]
fn published_puzzles_are_known_in_every_format_and_as_isomorphs() {
    let folder = tempdir().unwrap();
    let rows = rows(90, 5);
    let path = [file(folder.path(), "a.parquet", &rows)];
    for name in ["published.txt", "published.csv", "published.parquet"] {
        let twins: Vec<Record> = rows[..80].iter().map(|row| twin(row, 3)).collect();
        let mut seen = Seen::default();
        seen.add_file(&file(folder.path(), name, &twins)).unwrap();
        assert_eq!(select_unseen(&path, &n(10), &seen).unwrap().chosen.len(), 10);
        assert!(select_unseen(&path, &n(11), &seen).is_err(), "{name}");
    }
}

#[test]
fn puzzles_without_a_solution_and_full_grids_are_told_apart() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let row = rows(1, 6).remove(0);
    let [puzzle, full] = [row.puzzle.as_ref().unwrap().grid(), row.solution.as_ref().unwrap().grid()].map(text::line);
    // The last cell of the first row has no digit left.
    let unsolvable = format!("12345678.........9{}", ".".repeat(63));
    let several = format!("1{}", ".".repeat(80));
    fs::write(&path, [puzzle, full, unsolvable, several].join("\n")).unwrap();
    let path = [path];
    let told = |any_solutions| {
        let choice = select(&path, &Request { any_solutions, ..Request::default() }).unwrap();
        (choice.chosen.len(), choice.tally.left_out(choice.chosen.len() as u64).unwrap())
    };
    let both = "left out: 1 have no empty cell (a full grid is no puzzle), 1 have no solution";
    assert_eq!(told(true), (2, both.to_owned()));
    let several = ", 1 have several solutions (`export --any-solutions` takes them)";
    assert_eq!(told(false), (1, format!("{both}{several}")));
}

/// Whoever edits a table may replace a class, or blank a given and keep what the row says of the puzzle.
#[test]
fn edited_rows_are_left_out_and_keep_nothing_out() {
    let folder = tempdir().unwrap();
    let rows = rows(20, 8);
    let mut edited = rows.clone();
    edited[..5].iter_mut().for_each(|row| row.class = row.class.map(|class| class ^ 1));
    edited[5].puzzle = edited[5].puzzle.as_ref().map(without_first_given);
    let [table, whole] = [("a.csv", &edited), ("b.parquet", &rows)].map(|(name, rows)| file(folder.path(), name, rows));
    assert_eq!(select(&[table], &Request::default()).unwrap().chosen.len(), 14);
    let mut seen = Seen::default();
    seen.add_file(&file(folder.path(), "c.csv", &edited[..5])).unwrap();
    assert_eq!(select_unseen(&[whole], &Request::default(), &seen).unwrap().chosen.len(), 15);
}

fn without_first_given(puzzle: &Puzzle) -> Puzzle {
    let mut grid = puzzle.grid().clone();
    let (cell, _) = grid.given_cells().next().unwrap();
    grid.set(cell, None);
    Puzzle::try_from(grid).unwrap()
}

#[test]
fn a_wrong_file_of_earlier_puzzles_is_an_error() {
    let folder = tempdir().unwrap();
    let path = file(folder.path(), "a.txt", &rows(3, 6));
    let added = |path: &Path| Seen::default().add_file(path).map_err(|error| error.to_string());
    assert_eq!(added(&path), Ok(()));
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}1234567\n")).unwrap();
    assert!(added(&path).unwrap_err().contains("a.txt:4"));
    fs::write(&path, "\n").unwrap();
    assert_eq!(added(&path), Ok(()));
}

#[test]
fn files_of_others_are_analysed_as_far_as_needed() {
    let folder = tempdir().unwrap();
    let rows = rows(30, 6);
    let puzzles: Vec<Record> = rows.iter().map(|row| Record::of_puzzle(0, row.puzzle.clone().unwrap())).collect();
    let path = file(folder.path(), "a.txt", &puzzles);
    let several = "1".to_owned() + &".".repeat(80);
    let full = text::line(rows[0].solution.as_ref().unwrap().grid());
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{several}\n1234567\n{full}\n{text}")).unwrap();
    let path = [path];
    let choice = select(&path, &Request::default()).unwrap();
    assert_eq!((choice.chosen.len(), choice.skipped), (30, 1));
    assert!(chosen(&choice).iter().all(|row| row.record().level.is_none() && row.record().solution.is_some()));
    let all = select(&path, &Request { any_solutions: true, ..Request::default() }).unwrap();
    assert_eq!(all.chosen.len(), 31);
    let rated = Request { sort: columns("level"), ..Request::default() };
    assert!(chosen(&select(&path, &rated).unwrap()).iter().all(|row| row.record().level.is_some()));
    let with_level = Request { filters: vec!["level IS NOT NULL".to_owned()], ..n(30) };
    assert_eq!(select(&path, &with_level).unwrap().chosen.len(), 30);
    let strict = Job { on_error: OnError::Fail, ..Job::default() };
    assert!(Pool::open(&path, &n(1), &strict).err().unwrap().to_string().contains("a.txt:2"));
}

#[test]
fn boards_of_other_shapes_are_compared_by_their_canonical_forms() {
    let folder = tempdir().unwrap();
    for shape in ["2x2", "2x3", "3x2", "2x4", "3x4", "4x4"] {
        let shape: Shape = shape.parse().unwrap();
        let rows = unrated(shape, 6, 0);
        let classes: HashSet<u128> = rows.iter().filter_map(class_of).collect();
        let twins = (0..3).flat_map(|seed| rows.iter().map(move |row| twin(row, seed)));
        let all: Vec<Record> = rows.iter().cloned().chain(twins).collect();
        let path = file(folder.path(), &format!("{shape}.parquet"), &all);
        let choice = select(&[path], &Request { shape: Some(shape), ..Request::default() }).unwrap();
        assert_eq!(choice.chosen.len(), classes.len(), "{shape}");
    }
}

#[test]
fn wrong_rows_are_found() {
    let folder = tempdir().unwrap();
    let mut row = rows(1, 7).remove(0);
    // Without one of its givens, a minimal puzzle has several solutions.
    row.puzzle = row.puzzle.as_ref().map(without_first_given);
    let path = [file(folder.path(), "a.parquet", &[row])];
    let message = select(&path, &n(1)).unwrap_err().to_string();
    assert!(message.contains("has several"), "{message}");
    assert_eq!(select(&path, &Request { any_solutions: true, ..n(1) }).unwrap().chosen.len(), 1);
}

#[test]
fn impossible_requests_are_refused_with_the_reason() {
    let folder = tempdir().unwrap();
    let path = [file(folder.path(), "a.parquet", &rows(5, 8))];
    let message = |wanted: Request| {
        let error = select(&path, &wanted).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{error}");
        error.to_string()
    };
    let filter = |sql: &str| Request { filters: vec![sql.to_owned()], ..n(1) };
    assert!(message(filter("hodoku_score")).contains("neither true nor false"));
    assert!(message(filter("hodoku_score >")).starts_with("the condition 'hodoku_score >': "));
    assert!(message(Request { quotas: vec![Quota::any(u64::MAX); 2], ..n(4) }).contains("too large"));
    assert!(message(Request { quotas: vec![Quota::any(0); 65], ..n(4) }).contains("at most 64"));
}

/// Lines of 3x2 boards look like lines of 2x3 boards.
#[test]
fn lines_of_unusual_shapes_are_found_again() {
    let folder = tempdir().unwrap();
    for shape in ["3x2", "4x2", "4x3"] {
        let shape: Shape = shape.parse().unwrap();
        let rows = unrated(shape, 30, 0);
        let path = file(folder.path(), &format!("{shape}.parquet"), &rows);
        let published = file(folder.path(), &format!("{shape}.txt"), &rows[..20]);
        let pool = Pool::open(&[path], &Request::default(), &Job::default()).unwrap();
        assert_eq!(pool.shapes().unwrap(), [shape]);
        let mut seen = Seen::for_shapes(pool.shapes().unwrap());
        seen.add_file(&published).unwrap();
        let choice = choose(&pool, &Request::default(), &seen, None, &Job::default()).unwrap();
        assert_eq!((choice.chosen.len(), choice.tally.seen), (10, 20), "{shape}");
        // A line that is not a board in any shape is an error.
        let text = fs::read_to_string(&published).unwrap();
        fs::write(&published, format!("{text}{}\n", "1".repeat(shape.cells()))).unwrap();
        assert!(seen.add_file(&published).is_err(), "{shape}");
    }
}

#[test]
fn the_order_of_lines_does_not_decide_which_copy_is_chosen() {
    let folder = tempdir().unwrap();
    let rows = rows(12, 9);
    let mut all: Vec<Record> = rows.clone();
    all.extend((1..4).flat_map(|seed| rows.iter().map(move |row| twin(row, seed))));
    let by_score = Request { pick: Pick::Columns(columns("-hodoku_score")), ..n(8) };
    for wanted in [n(8), by_score] {
        let mut chosen = Vec::new();
        for turn in 0..3 {
            all.rotate_left(7 * turn + 1);
            let path = file(folder.path(), &format!("{turn}.parquet"), &all);
            chosen.push(lines(&select(&[path], &wanted).unwrap()));
        }
        assert_eq!(chosen[0].len(), 8);
        assert!(chosen.iter().all(|other| *other == chosen[0]));
    }
}
