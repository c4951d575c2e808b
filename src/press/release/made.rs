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

/// [`COLUMNS`], as files need them.
pub(crate) fn columns() -> Vec<Outside> {
    COLUMNS.iter().map(|(name, _)| Outside { name: (*name).to_owned(), kind: ColumnType::Text }).collect()
}

/// The name of the split with probes.
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

/// Grids that are tried for a puzzle of another board. Small boards have no hard puzzles; large ones take seconds.
const TRIES: u64 = 3;

/// The most isomorphs of each puzzle of the probes.
pub(super) const ISOMORPHS: u64 = 10;

/// What tells how a row was made.
pub(crate) fn said(role: &str, origin: Option<u128>, solutions: &[Solution]) -> Vec<Value<'static>> {
    let text = |text: String| Value::Text(text.into());
    let origin = origin.map_or(Value::Null, |class| text(format!("{class:032x}")));
    let solution = |at: usize| solutions.get(at).map_or(Value::Null, |solution| text(solution.to_string()));
    vec![text(role.to_owned()), origin, solution(0), solution(1)]
}

/// The role of a row; None outside control splits and probes.
pub(crate) fn role(record: &Record) -> Option<String> {
    text_of(record, 0)
}

/// The text of a column of [`COLUMNS`] in a row.
fn text_of(record: &Record, at: usize) -> Option<String> {
    if let Value::Text(text) = record.outside_value(at) { Some(text.into_owned()) } else { None }
}

/// A row of a puzzle that was made from a row.
fn made(puzzle: Puzzle, role: &str, from: &Record) -> Record {
    let record = Analysis::default().analyze(Record::of_puzzle(0, puzzle));
    Record { outside: said(role, from.class, &[]), ..record }
}

fn shuffled(puzzle: &Puzzle, rng: &mut Rng) -> Puzzle {
    Isomorphism::random(puzzle.shape(), Freedom::ALL, rng).apply_to_puzzle(puzzle)
}

/// The givens of a puzzle in random order.
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
pub(crate) fn leaks(from: &[Record], seed: u64) -> Vec<Record> {
    let leak = |(number, record): (usize, &Record)| {
        let mut rng = Rng::new(seed, number as u64, Stage::Sample, 1);
        let puzzle = record.puzzle.as_ref()?;
        match number % 3 {
            0 => Some(made(shuffled(puzzle, &mut rng), "isomorph", record)),
            1 => Some(made(of_same_grid(record, number as u64, seed)?, "same_grid", record)),
            _ => Some(made(neighbor(record, &mut rng)?, "neighbor", record)),
        }
    };
    from.par_iter().enumerate().filter_map(leak).collect()
}

/// Another puzzle of the same solution, of the same ER or one that is near.
fn of_same_grid(record: &Record, number: u64, seed: u64) -> Option<Puzzle> {
    let solution = record.solution.clone()?;
    let around = |er: u16| [0, NEAR].map(|more| Some(ErRange(Tenths(er.saturating_sub(more)), Tenths(er + more))));
    let ranges = record.se_er_tenths.map_or_else(|| vec![None], |er| around(er as u16).to_vec());
    let dug = ranges.into_iter().find_map(|er| {
        let draft = Draft {
            seed: Some(seed),
            dig: GoalDraft { er, retries: Some(DIGS), ..GoalDraft::default() },
            analyze: AnalyzeDraft { ratings: "er".parse().ok(), ..AnalyzeDraft::default() },
            ..Draft::default()
        };
        let dug = Recipe::new(&draft).ok()?.dig(Record::of_solution(number, solution.clone())).ok()?;
        dug.puzzle.filter(|puzzle| Some(puzzle) != record.puzzle.as_ref())
    })?;
    (Some(sudoku_corpus_core::catalogue::canonical::class(&dug)) != record.class).then_some(dug)
}

/// The puzzle with one given exchanged for another, and so with another solution, of an ER that is near.
fn neighbor(record: &Record, rng: &mut Rng) -> Option<Puzzle> {
    let (puzzle, solution) = (record.puzzle.as_ref()?, record.solution.as_ref()?);
    let near = shuffled_givens(puzzle, rng).into_iter().filter_map(|(cell, _)| {
        let fewer = Puzzle::try_from(with(puzzle, cell, None)).ok()?;
        let (all, counted) = solutions(&fewer, 200, Budget::UNLIMITED);
        // A digit that only one of the solutions has makes it the only one.
        let only = |other: &Solution, at: Cell| all.iter().filter(|one| one.digit(at) == other.digit(at)).count() == 1;
        let others = all.iter().filter(|other| *other != solution && counted.exact);
        let open = || (0..fewer.grid().values().len()).map(Cell::new).filter(|&at| fewer.grid().get(at).is_none());
        let pairs: Vec<(Cell, Digit)> = others
            .flat_map(|other| open().filter(|&at| only(other, at)).map(|at| (at, other.digit(at))).collect::<Vec<_>>())
            .collect();
        let (at, digit) = (!pairs.is_empty()).then(|| rng.choose(&pairs))?;
        Puzzle::try_from(with(&fewer, at, Some(digit))).ok()
    });
    let er =
        |puzzle: &Puzzle| rate(puzzle, &Options { scope: Scope::Er, at_most: Some(Ratings::ER_LIMIT.0) }).er_tenths;
    let is_near = |puzzle: &Puzzle| match record.se_er_tenths {
        Some(wanted) => er(puzzle).is_some_and(|er| er.abs_diff(wanted as u16) <= NEAR),
        None => true,
    };
    near.take(NEIGHBORS).find(is_near)
}

/// Probes: about `number` of each kind, made from these puzzles. A kind gets fewer if too few puzzles fit.
pub(crate) fn probes(from: &[Record], number: u64, seed: u64) -> Vec<Record> {
    // A puzzle gives at most one row of a kind, and some isomorphs.
    let most = usize::try_from(number).unwrap_or(usize::MAX).min(from.len().max(1));
    let isomorphs = number.min(from.len() as u64 * ISOMORPHS);
    let each = |role: u64, make: &(dyn Fn(&Record, &mut Rng) -> Option<Record> + Sync)| -> Vec<Record> {
        let mut rows = Vec::new();
        // As many puzzles at a time as rows are wanted: mostly each gives one.
        for (first, chunk) in (0..).step_by(most).zip(from.chunks(most)) {
            let draw = |(at, record): (usize, &Record)| {
                make(record, &mut Rng::new(seed, first + at as u64, Stage::Sample, 2 + role))
            };
            rows.par_extend(chunk.par_iter().enumerate().filter_map(draw));
            if rows.len() >= most {
                break;
            }
        }
        rows.truncate(most);
        rows
    };
    let mut rows: Vec<Record> = Vec::new();
    for holes in 1..=5 {
        rows.extend(each(holes, &|record, rng| nearly_full(record, holes as usize, rng)));
    }
    rows.extend(each(6, &without_solution));
    rows.extend(each(7, &with_two_solutions));
    for (side, shape) in [(8, (2, 2)), (9, (2, 3)), (10, (4, 4))] {
        let Ok(shape) = Shape::new(shape.0, shape.1) else { continue };
        rows.extend(each(side, &|record, rng| of_shape(record, shape, rng)));
    }
    let isomorph = |at: u64| {
        let record = from.get((at / ISOMORPHS) as usize)?;
        let mut rng = Rng::new(seed, at, Stage::Sample, 11);
        Some(made(shuffled(record.puzzle.as_ref()?, &mut rng), "isomorph", record))
    };
    rows.par_extend((0..isomorphs).into_par_iter().filter_map(isomorph));
    rows
}

/// The solution with a few empty cells. None if several grids complete it.
fn nearly_full(record: &Record, holes: usize, rng: &mut Rng) -> Option<Record> {
    let solution = record.solution.as_ref()?;
    let mut cells: Vec<usize> = (0..solution.values().len()).collect();
    rng.shuffle(&mut cells);
    let row = made(solution.masked(|cell| !cells[..holes].contains(&cell.index())), &format!("empty_{holes}"), record);
    (row.solutions == Some(1)).then_some(row)
}

/// The puzzle with another digit in one given, if the ladder leads to a contradiction.
fn without_solution(record: &Record, rng: &mut Rng) -> Option<Record> {
    let puzzle = record.puzzle.as_ref()?;
    let order = puzzle.shape().order();
    shuffled_givens(puzzle, rng).into_iter().find_map(|(cell, digit)| {
        let other = Digit::from_index((digit.index() + 1 + rng.below(order - 1)) % order);
        let changed = Puzzle::try_from(with(puzzle, cell, Some(other))).ok()?;
        let steps = StepTexts::of_contradiction(&changed, &Ladder::default())?;
        Some(Record { steps, ..made(changed, "no_solution", record) })
    })
}

/// The puzzle without one given, if it has two solutions then.
fn with_two_solutions(record: &Record, rng: &mut Rng) -> Option<Record> {
    let puzzle = record.puzzle.as_ref()?;
    shuffled_givens(puzzle, rng).into_iter().find_map(|(cell, _)| {
        let fewer = Puzzle::try_from(with(puzzle, cell, None)).ok();
        let fewer = fewer.filter(|fewer| count(fewer, 3, Budget::UNLIMITED).found == 2)?;
        let (both, _) = solutions(&fewer, 3, Budget::UNLIMITED);
        let role = "two_solutions";
        Some(Record { outside: said(role, record.class, &both), ..made(fewer, role, record) })
    })
}

/// A puzzle of another board and of HoDoKu's level of this one. None if the board hardly has such puzzles.
fn of_shape(record: &Record, shape: Shape, rng: &mut Rng) -> Option<Record> {
    let draft = Draft {
        seed: Some(rng.word() >> 1),
        count: Some(1),
        grid: GridDraft { shape: Some(shape), ..GridDraft::default() },
        levels: Some("hodoku".into()),
        dig: GoalDraft {
            level: Some(record.hodoku_level?.name().to_owned()),
            retries: Some(TRIES),
            ..GoalDraft::default()
        },
        ..Draft::default()
    };
    let row = Recipe::new(&draft).ok()?.make(0).ok()?;
    let board = shape.order();
    Some(Record { outside: said(&format!("board_{board}x{board}"), None, &[]), ..row })
}

/// `number` of these places, evenly spaced.
pub(crate) fn spaced(places: u64, number: u64) -> impl Iterator<Item = u64> {
    let number = number.min(places);
    (0..number).map(move |at| (u128::from(at) * u128::from(places) / u128::from(number.max(1))) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use sudoku_corpus_core::catalogue::canonical;

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
