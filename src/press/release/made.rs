//! Makes rows for a release: leaks of the training set, and probes.
//!
//! | split | role | made from | what it shows |
//! |---|---|---|---|
//! | control | `isomorph` | a puzzle of the first split | the puzzle itself, relabelled and with lines exchanged |
//! | | `same_grid` | its solution | another puzzle with the same solution grid, of an ER that is at most 0.5 away |
//! | | `neighbor` | the puzzle | one given exchanged for another, so the solution is another one; ER as above |
//! | | `clean` | | puzzles of the corpus as in other splits |
//! | probes | `empty_1` .. `empty_5` | a solution | full grids with a few empty cells |
//! | | `no_solution` | a puzzle | one digit exchanged; the steps lead to a contradiction |
//! | | `two_solutions` | a puzzle | without one given; both solutions are columns |
//! | | `board_4x4`, `board_6x6`, `board_16x16` | a level | puzzles of other boards, of HoDoKu's level of a puzzle |
//! | | `isomorph` | a puzzle | up to ten isomorphs of the same puzzle |
//!
//! Everything is drawn with the seed of the split and the number of the row, so the same request gives the same rows.

use rayon::iter::{
    IndexedParallelIterator as _, IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelExtend as _,
    ParallelIterator as _,
};

use sudoku_corpus_core::board::{Cell, Digit, Freedom, Grid, Isomorphism, Puzzle, Shape, Solution};
use sudoku_corpus_core::catalogue::canonical;
use sudoku_corpus_core::explainer::{Options, Scope, Tenths, rate};
use sudoku_corpus_core::ladder::Ladder;
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::solve::{Budget, count, solutions};
use sudoku_corpus_store::corpus::{
    Analysis, AnalyzeDraft, ColumnType, Draft, ErRange, GoalDraft, GridDraft, Outside, Ratings, Recipe, Record,
    StepTexts, Value,
};

/// The columns that tell how a row was made.
pub(crate) const COLUMNS: [(&str, &str); 4] = [
    ("role", "in a control split and in probes: how the row was made, or clean"),
    ("origin", "class of the puzzle that it was made from"),
    ("first_solution", "one solution of a puzzle with two"),
    ("second_solution", "the other solution"),
];

/// The position of the role in [`COLUMNS`].
const ROLE: usize = 0;

/// [`COLUMNS`], as files need them.
pub(crate) fn columns() -> Vec<Outside> {
    COLUMNS.iter().map(|(name, _)| Outside { name: (*name).to_owned(), kind: ColumnType::Text }).collect()
}

pub(super) const PROBES: &str = "probes";

/// The roles of probes.
pub(super) const PROBE_KINDS: [&str; 11] = [
    "empty_1", "empty_2", "empty_3", "empty_4", "empty_5", "no_solution", "two_solutions", "board_4x4", "board_6x6",
    "board_16x16", "isomorph",
];

/// The role of the other rows of a control split.
pub(crate) const CLEAN: &str = "clean";

/// Of ten rows of a control split, one is a leak of each kind, so there is a leak of each kind for seven clean rows.
const CLEAN_FOR_LEAK: u64 = 7;

/// Leaks of each kind for a control split with this number of clean rows.
pub(crate) fn leaks_of_each(clean: u64) -> u64 {
    // A seventh, rounded to the nearest number.
    (2 * clean + CLEAN_FOR_LEAK) / (2 * CLEAN_FOR_LEAK)
}

/// How far the ER of a leak may be from that of the puzzle that it was made from, in tenths: what is learnt from the
/// leak is then worth as much. A leak without such a puzzle is left out.
const NEAR: u16 = 5;

/// How often digging is tried for a puzzle with the same grid, first of the same ER, then of one that is near.
const DIGS: u64 = 60;

/// How many neighbors of a puzzle are rated to find one whose ER is near.
const NEIGHBORS: usize = 60;

/// The most solutions that are listed of a puzzle without one of its givens. If there may be more, the given is kept.
const MOST_SOLUTIONS: usize = 200;

/// The last argument of [`Rng::new`] for leaks, for probes (the number of the kind is added) and for isomorphs. The probes
/// of kind 9 have the random numbers of isomorphs, too, but they use them in another way.
const LEAK_NUMBERS: u64 = 1;
const PROBE_NUMBERS: u64 = 2;
const ISOMORPH_NUMBERS: u64 = 11;

/// Grids that are tried for a puzzle of another board. Small boards have no hard puzzles; large ones take seconds.
const TRIES: u64 = 3;

/// The most isomorphs of each puzzle of the probes.
pub(super) const ISOMORPHS: u64 = 10;

/// The values of [`COLUMNS`] for a row.
pub(crate) fn column_values(role: &str, origin: Option<u128>, solutions: &[Solution]) -> Vec<Value<'static>> {
    let optional_text = |text: Option<String>| text.map_or(Value::Null, |text| Value::Text(text.into()));
    vec![
        Value::Text(role.to_owned().into()),
        optional_text(origin.map(|class| format!("{class:032x}"))),
        optional_text(solutions.first().map(Solution::to_string)),
        optional_text(solutions.get(1).map(Solution::to_string)),
    ]
}

/// The role of a row; None outside control splits and probes.
pub(crate) fn role(record: &Record) -> Option<String> {
    text_of(record, ROLE)
}

/// The text of a column in a row, by its position in [`COLUMNS`].
fn text_of(record: &Record, column: usize) -> Option<String> {
    if let Value::Text(text) = record.outside_value(column) { Some(text.into_owned()) } else { None }
}

/// A row of a puzzle that was made from the puzzle of a source row.
fn made(puzzle: Puzzle, role: &str, source: &Record) -> Record {
    let record = Analysis::default().analyze(Record::of_puzzle(0, puzzle));
    Record { outside: column_values(role, source.class, &[]), ..record }
}

fn shuffled(puzzle: &Puzzle, rng: &mut Rng) -> Puzzle {
    Isomorphism::random(puzzle.shape(), Freedom::ALL, rng).apply_to_puzzle(puzzle)
}

fn shuffled_givens(puzzle: &Puzzle, rng: &mut Rng) -> Vec<(Cell, Digit)> {
    let mut givens: Vec<(Cell, Digit)> = puzzle.grid().given_cells().collect();
    rng.shuffle(&mut givens);
    givens
}

/// The board of a puzzle with another digit in a cell, or with none.
fn with(puzzle: &Puzzle, cell: Cell, digit: Option<Digit>) -> Grid {
    let mut grid = puzzle.grid().clone();
    grid.set(cell, digit);
    grid
}

/// Leaks of puzzles: an isomorph of the first, a puzzle with the grid of the second, a neighbor of the third, ...
pub(crate) fn leaks(sources: &[Record], seed: u64) -> Vec<Record> {
    sources.par_iter().enumerate().filter_map(|(number, source)| leak(source, number as u64, seed)).collect()
}

/// The leak of one puzzle. The number of the puzzle decides the kind.
fn leak(source: &Record, number: u64, seed: u64) -> Option<Record> {
    let mut rng = Rng::new(seed, number, Stage::Sample, LEAK_NUMBERS);
    let puzzle = source.puzzle.as_ref()?;
    match number % 3 {
        0 => Some(made(shuffled(puzzle, &mut rng), "isomorph", source)),
        1 => Some(made(of_same_grid(source, number, seed)?, "same_grid", source)),
        _ => Some(made(neighbor(source, &mut rng)?, "neighbor", source)),
    }
}

/// Another puzzle of the same solution, of the same ER or one that is near.
fn of_same_grid(source: &Record, number: u64, seed: u64) -> Option<Puzzle> {
    let solution = source.solution.as_ref()?;
    let ranges = match source.se_er_tenths {
        Some(er) => {
            let er = er as u16;
            vec![
                Some(ErRange(Tenths(er), Tenths(er))),
                Some(ErRange(Tenths(er.saturating_sub(NEAR)), Tenths(er + NEAR))),
            ]
        }
        None => vec![None],
    };
    let puzzle = ranges.into_iter().find_map(|range| {
        let puzzle = dug(solution, range, number, seed)?;
        (Some(&puzzle) != source.puzzle.as_ref()).then_some(puzzle)
    })?;
    (Some(canonical::class(&puzzle)) != source.class).then_some(puzzle)
}

/// A puzzle that is dug from a solution, with an ER in a range if there is one.
fn dug(solution: &Solution, range: Option<ErRange>, number: u64, seed: u64) -> Option<Puzzle> {
    let draft = Draft {
        seed: Some(seed),
        dig: GoalDraft { er: range, retries: Some(DIGS), ..GoalDraft::default() },
        analyze: AnalyzeDraft { ratings: "er".parse().ok(), ..AnalyzeDraft::default() },
        ..Draft::default()
    };
    let recipe = Recipe::new(&draft).ok()?;
    recipe.dig(Record::of_solution(number, solution.clone())).ok()?.puzzle
}

/// The puzzle with one given exchanged for another, and so with another solution, of an ER that is near.
fn neighbor(source: &Record, rng: &mut Rng) -> Option<Puzzle> {
    let (puzzle, solution) = (source.puzzle.as_ref()?, source.solution.as_ref()?);
    let mut rated = 0;
    for (cell, _) in shuffled_givens(puzzle, rng) {
        let Some(candidate) = exchanged(puzzle, solution, cell, rng) else { continue };
        if has_near_er(&candidate, source) {
            return Some(candidate);
        }
        rated += 1;
        if rated == NEIGHBORS {
            break;
        }
    }
    None
}

/// The puzzle without the given of a cell, but with another given, so that another grid is its only solution.
fn exchanged(puzzle: &Puzzle, solution: &Solution, cell: Cell, rng: &mut Rng) -> Option<Puzzle> {
    let fewer = Puzzle::try_from(with(puzzle, cell, None)).ok()?;
    let (completions, count) = solutions(&fewer, MOST_SOLUTIONS, Budget::UNLIMITED);
    if !count.exact {
        return None;
    }
    // A digit that only one of the solutions has in a cell makes this solution the only one.
    let mut givens: Vec<(Cell, Digit)> = Vec::new();
    for other in completions.iter().filter(|other| *other != solution) {
        for cell in (0..fewer.grid().values().len()).map(Cell::new) {
            let digit = other.digit(cell);
            let is_empty = fewer.grid().get(cell).is_none();
            if is_empty && completions.iter().filter(|grid| grid.digit(cell) == digit).count() == 1 {
                givens.push((cell, digit));
            }
        }
    }
    if givens.is_empty() {
        return None;
    }
    let (cell, digit) = rng.choose(&givens);
    Puzzle::try_from(with(&fewer, cell, Some(digit))).ok()
}

/// True if the ER of a puzzle is near that of the source row, or if the source has none.
fn has_near_er(puzzle: &Puzzle, source: &Record) -> bool {
    let Some(source_er) = source.se_er_tenths else { return true };
    let rating = rate(puzzle, &Options { scope: Scope::Er, at_most: Some(Ratings::ER_LIMIT.0) });
    rating.er_tenths.is_some_and(|er| er.abs_diff(source_er as u16) <= NEAR)
}

/// Makes a probe from a row, if its puzzle allows it.
type Make<'a> = &'a (dyn Fn(&Record, &mut Rng) -> Option<Record> + Sync);

/// Probes: about `number` of each kind, made from these puzzles. A kind gets fewer if too few puzzles fit.
pub(crate) fn probes(sources: &[Record], number: u64, seed: u64) -> Vec<Record> {
    // `kind` numbers the kinds. It selects their random numbers.
    let of_kind = |kind: u64, make: Make<'_>| probes_of_kind(sources, number, seed, kind, make);
    let mut rows: Vec<Record> = Vec::new();
    for holes in 1..=5 {
        rows.extend(of_kind(holes, &|source, rng| nearly_full(source, holes as usize, rng)));
    }
    rows.extend(of_kind(6, &without_solution));
    rows.extend(of_kind(7, &with_two_solutions));
    for (kind, box_rows, box_columns) in [(8, 2, 2), (9, 2, 3), (10, 4, 4)] {
        let Ok(shape) = Shape::new(box_rows, box_columns) else { continue };
        rows.extend(of_kind(kind, &|source, rng| of_shape(source, shape, rng)));
    }
    let isomorphs = number.min(sources.len() as u64 * ISOMORPHS);
    rows.par_extend((0..isomorphs).into_par_iter().filter_map(|index| {
        let source = sources.get((index / ISOMORPHS) as usize)?;
        let mut rng = Rng::new(seed, index, Stage::Sample, ISOMORPH_NUMBERS);
        Some(made(shuffled(source.puzzle.as_ref()?, &mut rng), "isomorph", source))
    }));
    rows
}

/// At most `number` probes of one kind. A puzzle gives at most one of them.
fn probes_of_kind(sources: &[Record], number: u64, seed: u64, kind: u64, make: Make<'_>) -> Vec<Record> {
    let most = usize::try_from(number).unwrap_or(usize::MAX).min(sources.len().max(1));
    let mut rows = Vec::new();
    // As many puzzles at a time as rows are wanted: mostly each gives one.
    for (first, chunk) in (0..).step_by(most).zip(sources.chunks(most)) {
        rows.par_extend(chunk.par_iter().enumerate().filter_map(|(index, source)| {
            let mut rng = Rng::new(seed, first + index as u64, Stage::Sample, PROBE_NUMBERS + kind);
            make(source, &mut rng)
        }));
        if rows.len() >= most {
            break;
        }
    }
    rows.truncate(most);
    rows
}

/// The solution with a few empty cells. None if several grids complete it.
fn nearly_full(source: &Record, holes: usize, rng: &mut Rng) -> Option<Record> {
    let solution = source.solution.as_ref()?;
    let mut cells: Vec<usize> = (0..solution.values().len()).collect();
    rng.shuffle(&mut cells);
    let empty_cells = &cells[..holes];
    let puzzle = solution.masked(|cell| !empty_cells.contains(&cell.index()));
    let row = made(puzzle, &format!("empty_{holes}"), source);
    (row.solutions == Some(1)).then_some(row)
}

/// The puzzle with another digit in one given, if the ladder leads to a contradiction.
fn without_solution(source: &Record, rng: &mut Rng) -> Option<Record> {
    let puzzle = source.puzzle.as_ref()?;
    let order = puzzle.shape().order();
    shuffled_givens(puzzle, rng).into_iter().find_map(|(cell, digit)| {
        let wrong_digit = Digit::from_index((digit.index() + 1 + rng.below(order - 1)) % order);
        let changed = Puzzle::try_from(with(puzzle, cell, Some(wrong_digit))).ok()?;
        let steps = StepTexts::of_contradiction(&changed, &Ladder::default())?;
        Some(Record { steps, ..made(changed, "no_solution", source) })
    })
}

/// The puzzle without one given, if it has two solutions then.
fn with_two_solutions(source: &Record, rng: &mut Rng) -> Option<Record> {
    let puzzle = source.puzzle.as_ref()?;
    shuffled_givens(puzzle, rng).into_iter().find_map(|(cell, _)| {
        let fewer = Puzzle::try_from(with(puzzle, cell, None)).ok()?;
        if count(&fewer, 3, Budget::UNLIMITED).found != 2 {
            return None;
        }
        let (both_solutions, _) = solutions(&fewer, 3, Budget::UNLIMITED);
        let role = "two_solutions";
        Some(Record { outside: column_values(role, source.class, &both_solutions), ..made(fewer, role, source) })
    })
}

/// A puzzle of another board and of HoDoKu's level of this one. None if the board hardly has such puzzles.
fn of_shape(source: &Record, shape: Shape, rng: &mut Rng) -> Option<Record> {
    let draft = Draft {
        seed: Some(rng.word() >> 1),
        count: Some(1),
        grid: GridDraft { shape: Some(shape), ..GridDraft::default() },
        levels: Some("hodoku".into()),
        dig: GoalDraft {
            level: Some(source.hodoku_level?.name().to_owned()),
            retries: Some(TRIES),
            ..GoalDraft::default()
        },
        ..Draft::default()
    };
    let row = Recipe::new(&draft).ok()?.make(0).ok()?;
    let board = shape.order();
    Some(Record { outside: column_values(&format!("board_{board}x{board}"), None, &[]), ..row })
}

/// `number` of the numbers below `end`, evenly spaced.
pub(crate) fn spaced(end: u64, number: u64) -> impl Iterator<Item = u64> {
    let number = number.min(end);
    (0..number).map(move |index| (u128::from(index) * u128::from(end) / u128::from(number.max(1))) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn sources(number: u64) -> Vec<Record> {
        let recipe = Recipe::new(&Draft { count: Some(number), ..Draft::default() }).unwrap();
        (0..number).map(|index| recipe.make(index).unwrap()).collect()
    }

    fn role(record: &Record) -> String {
        super::role(record).unwrap()
    }

    #[test]
    fn every_leak_is_what_its_role_says() {
        let from = sources(12);
        let rows = leaks(&from, 3);
        assert_eq!(rows, leaks(&from, 3));
        assert!((8..=12).contains(&rows.len()), "a leak without a near ER is left out");
        let mut roles = HashSet::new();
        for row in &rows {
            roles.insert(role(row));
            let of = |source: &&Record| text_of(row, 1) == Some(format!("{:032x}", source.class.unwrap()));
            let source = from.iter().find(of).unwrap();
            assert_eq!(row.solutions, Some(1));
            let [er, wanted] = [row, source].map(|record| record.se_er_tenths.unwrap());
            assert!(er.abs_diff(wanted) <= u32::from(NEAR), "{} {er} {wanted}", role(row));
            match role(row).as_str() {
                "isomorph" => assert_eq!(row.class, source.class),
                "same_grid" => {
                    assert!(row.class != source.class && row.solution == source.solution);
                }
                _ => {
                    let [a, b] = [row, source].map(|record| record.puzzle.as_ref().unwrap().grid().values());
                    let only = |a: &[u16], b: &[u16]| (0..81).filter(|&at| a[at] > 0 && a[at] != b[at]).count();
                    assert_eq!([only(a, b), only(b, a)], [1, 1], "one given is exchanged");
                    assert_ne!(row.solution, source.solution);
                }
            }
        }
        assert_eq!(roles.len(), 3);
        assert_eq!([0, 7, 10, 70].map(leaks_of_each), [0, 1, 1, 10]);
    }

    #[test]
    fn probes_have_the_solutions_that_they_claim() {
        let from = sources(30);
        let rows = probes(&from, 4, 1);
        assert_eq!(rows, probes(&from, 4, 1));
        let number = |wanted: &str| rows.iter().filter(|row| role(row) == wanted).count();
        for wanted in ["empty_1", "empty_5", "no_solution", "two_solutions", "board_6x6", "board_16x16", "isomorph"] {
            assert_eq!(number(wanted), 4, "{wanted}");
        }
        assert!(rows.iter().all(|row| PROBE_KINDS.contains(&role(row).as_str())));
        for row in &rows {
            let puzzle = row.puzzle.as_ref().unwrap();
            let found = count(puzzle, 3, Budget::UNLIMITED).found;
            match role(row).as_str() {
                "no_solution" => {
                    let last = row.steps.lines(row.row, None, row.shape).last();
                    assert!(found == 0 && last.is_some_and(|last| last.row.solutions == 0));
                }
                "two_solutions" => {
                    let [a, b] = [2, 3].map(|at| text_of(row, at).unwrap());
                    assert!(found == 2 && a != b && row.solution.is_none());
                    let fits =
                        |line: &str| line.chars().zip(puzzle.to_string().chars()).all(|(a, b)| b == '.' || a == b);
                    assert!(fits(&a) && fits(&b));
                }
                name => {
                    assert_eq!((found, row.solutions), (1, Some(1)), "{name}");
                    let holes = name.strip_prefix("empty_").map(|holes| holes.parse().unwrap());
                    assert!(holes.is_none() || row.holes == holes);
                }
            }
        }
        let same: HashSet<u128> = rows
            .iter()
            .filter(|row| role(row) == "isomorph")
            .map(|row| canonical::class(row.puzzle.as_ref().unwrap()))
            .collect();
        assert_eq!(same.len(), 1, "ten isomorphs of one puzzle come first");
        assert_eq!(spaced(10, 4).collect::<Vec<_>>(), [0, 2, 5, 7]);
        assert_eq!(spaced(2, 9).count(), 2);
    }
}
