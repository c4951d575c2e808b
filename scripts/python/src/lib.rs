//! The native part of the Python package `sudoku_corpus`. Its functions take columns of puzzles and return tables.
//!
//! Every function reads its puzzles with [`text_column`], works on all rows in parallel without the interpreter's lock,
//! and returns a [`table::Table`] with one row for each puzzle, in order. If a puzzle cannot be used, the column
//! `error` has the reason and the other columns have null. The other rows are not affected.

#![expect(unsafe_code, reason = "the Arrow C data interface")]

mod boards;
mod rows;
mod stream;
mod table;
mod text_column;
mod threads;

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sudoku_corpus::board::{Puzzle, Shape, Solution, Symmetry, text};
use sudoku_corpus::catalogue::{Canonical, canonical};
use sudoku_corpus::corpus::{Analysis, Levels, Record, StepsWanted};
use sudoku_corpus::dig::{DigOptions, Plan};
use sudoku_corpus::explainer::Tenths;
use sudoku_corpus::generate::Method;
use sudoku_corpus::ladder::{Ladder, TECHNIQUES};
use sudoku_corpus::random::{Rng, Stage};
use sudoku_corpus::solve::probe::search_depth;
use sudoku_corpus::solve::{Count, solutions};
use sudoku_corpus::study::score::Predictions;

use rows::{record_table, step_table};
use table::{Table, flags, large, small, texts};
use text_column::TextColumn;

/// A wrong argument, as a ValueError.
fn refused(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The reason why a row has no result.
type Reason = String;

/// Maps every text in parallel, without the interpreter's lock.
fn each_row<T: Send>(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    column: &str,
    threads: Option<usize>,
    work: impl Fn(usize, &str) -> Result<T, Reason> + Sync,
) -> PyResult<Vec<Result<T, Reason>>> {
    let column = TextColumn::new(puzzles, column)?;
    let texts = column.texts();
    threads::each(py, threads, texts.len(), |row, _| match texts[row] {
        Some(text) => work(row, text),
        None => Err("the value is missing".to_owned()),
    })
}

fn puzzle_of(text: &str, shape: Option<Shape>) -> Result<Puzzle, Reason> {
    let grid = text::parse_line(text, shape).map_err(|error| match error.line {
        1 => format!("column {}: {}", error.column, error.reason),
        _ => error.to_string(),
    })?;
    Puzzle::try_from(grid).map_err(|error| error.to_string())
}

fn solvable(text: &str, shape: Option<Shape>) -> Result<Puzzle, Reason> {
    let puzzle = puzzle_of(text, shape)?;
    let order = puzzle.shape().order();
    if puzzle.shape().is_solvable() { Ok(puzzle) } else { Err(format!("order {order} is too large to solve")) }
}

fn shape_of(shape: Option<&str>) -> PyResult<Option<Shape>> {
    shape.map(|text| text.parse::<Shape>().map_err(refused)).transpose()
}

/// The values of a column; None for rows with an error.
fn of<'a, T, U>(
    rows: &'a [Result<T, Reason>],
    get: impl Fn(&'a T) -> Option<U> + 'a,
) -> impl Iterator<Item = Option<U>> + 'a {
    rows.iter().map(move |row| row.as_ref().ok().and_then(&get))
}

fn errors<T>(rows: &[Result<T, Reason>]) -> arrow_array::ArrayRef {
    texts(rows.iter().map(|row| row.as_ref().err()))
}

/// Rate puzzles by the techniques of a person and on Sudoku Explainer's scale.
///
/// `puzzles` is a text, an iterable of texts, or any Arrow data: a Series, Array, DataFrame or relation of pandas,
/// polars, pyarrow or DuckDB. For a table, `column` names the column of puzzles. If the table has no column of this
/// name, its only column of texts is used.
///
/// techniques: "default", "modern", "all", "none", or a list such as "singles,x_wing".
/// ratings: "se" (ER, EP and ED), "none", "w", "b", "whips" (both), or "all".
/// er_limit: ER above this limit is only a lower bound; then `se_exact` is false.
/// counts: adds one column `n_<technique>` for every technique.
/// shape: rows x columns of a box, for example "2x3"; by default it follows from the length of the text.
/// threads: all cores by default. The interpreter's lock is released.
///
/// Returns a Table with a row for each puzzle, in order. If a puzzle cannot be rated, the column `error` has the
/// reason.
///
/// >>> import sudoku_corpus as sc
/// >>> table = sc.rate("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
/// >>> table["level"], table["se_er_tenths"], table["error"]
/// (['easy'], [12], [None])
#[pyfunction]
#[pyo3(signature = (puzzles, *, techniques="default", ratings="se", er_limit="10.4", counts=false, shape=None, column="puzzle", threads=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the function")]
fn rate(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    techniques: &str,
    ratings: &str,
    er_limit: &str,
    counts: bool,
    shape: Option<&str>,
    column: &str,
    threads: Option<usize>,
) -> PyResult<Table> {
    let analysis = Analysis {
        ladder: ladder_of(techniques)?,
        ratings: ratings.parse().map_err(refused)?,
        er_limit: er_limit.parse::<Tenths>().map_err(refused)?,
        minimal: false,
        count_limit: 2,
        ..Analysis::default()
    };
    let shape = shape_of(shape)?;
    let rows = each_row(py, puzzles, column, threads, |row, text| {
        let puzzle = solvable(text, shape)?;
        let budget = Analysis::budget_of(puzzle.shape());
        Ok(Analysis { budget, ..analysis.clone() }.analyze(Record::of_puzzle(row as u64, puzzle)))
    })?;
    record_table(&rows, |name| match name {
        "givens" | "solutions" | "level" | "hodoku_level" | "hodoku_score" | "hardest" | "finished" | "open_cells" => {
            true
        }
        _ if name.starts_with("n_") => counts,
        "se_er_tenths" | "se_ep_tenths" | "se_ed_tenths" | "se_exact" | "w" | "w_upper" | "b" | "wb_exact" => true,
        _ => RATINGS.iter().any(|group| name.starts_with(group)) && ratings != "none" && ratings != "se",
    })
}

/// What the names of further ratings begin with.
const RATINGS: [&str; 5] = ["te", "bxb", "se_er_canonical", "tridagon", "effort"];

/// The ladder of a list of techniques. None for "none".
fn ladder_of(techniques: &str) -> PyResult<Option<Ladder>> {
    if techniques.trim() == "none" { Ok(None) } else { techniques.parse().map(Some).map_err(refused) }
}

/// Solve puzzles.
///
/// limit: solutions are counted up to this number. search: adds the columns of the reference search. The other
/// arguments are the same as for `rate`. The column `unique` is null if the search was not finished, which happens only
/// above 9x9.
///
/// >>> import sudoku_corpus as sc
/// >>> sc.solve(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])["unique"]
/// [True]
#[pyfunction]
#[pyo3(signature = (puzzles, *, limit=2, search=false, shape=None, column="puzzle", threads=None))]
fn solve(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    limit: usize,
    search: bool,
    shape: Option<&str>,
    column: &str,
    threads: Option<usize>,
) -> PyResult<Table> {
    if !(2..=1_000_000).contains(&limit) {
        return Err(refused(format!("limit must be 2 to 1000000, not {limit}")));
    }
    let shape = shape_of(shape)?;
    let rows = each_row(py, puzzles, column, threads, |_, text| {
        let puzzle = solvable(text, shape)?;
        let budget = Analysis::budget_of(puzzle.shape());
        let (found, count) = match limit {
            2 => solutions(&puzzle, 2, budget),
            _ => (solutions(&puzzle, 1, budget).0, sudoku_corpus::solve::count(&puzzle, limit as u64, budget)),
        };
        let depth = if search && count.found > 0 { search_depth(&puzzle, budget) } else { None };
        Ok((found.first().map(Solution::to_string), count, depth))
    })?;
    let unique = Count { found: 1, exact: true };
    let mut columns = vec![
        ("error", errors(&rows)),
        ("solution", texts(of(&rows, |(first, _, _)| first.as_deref()))),
        ("unique", flags(of(&rows, |(_, count, _)| (count.exact || count.found > 1).then_some(*count == unique)))),
        ("solutions", large(of(&rows, |(_, count, _)| Some(count.found)))),
        ("solutions_exact", flags(of(&rows, |(_, count, _)| Some(count.exact)))),
    ];
    if search {
        columns.push(("search_guesses", large(of(&rows, |(_, _, search)| search.map(|search| search.guesses)))));
        columns.push(("search_depth", small(of(&rows, |(_, _, search)| search.map(|search| search.depth)))));
        columns.push(("search_nodes", large(of(&rows, |(_, _, search)| search.map(|search| search.nodes)))));
    }
    Table::new(columns)
}

/// Compute canonical forms. Isomorphic puzzles have the same form.
///
/// `class` is a hash of 128 bits as 32 hexadecimal digits, the same as in corpora. `canonical` is the smallest
/// equivalent board as a line (9x9). Full grids have canonical forms too. The arguments are the same as for `rate`.
///
/// >>> import sudoku_corpus as sc
/// >>> line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
/// >>> reversed_line = line[::-1]
/// >>> len(set(sc.canonical([line, reversed_line])["class"]))
/// 1
#[pyfunction]
#[pyo3(name = "canonical", signature = (puzzles, *, shape=None, column="puzzle", threads=None))]
fn canonical_forms(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    shape: Option<&str>,
    column: &str,
    threads: Option<usize>,
) -> PyResult<Table> {
    let shape = shape_of(shape)?;
    let rows = each_row(py, puzzles, column, threads, |_, text| {
        let puzzle = solvable(text, shape)?;
        let form = Canonical::of(&puzzle);
        let class = form.map_or_else(|| canonical::class(&puzzle), |form| form.class());
        Ok((form, format!("{class:032x}")))
    })?;
    let line = |form: &Canonical| -> String {
        form.cells.iter().map(|&cell| if cell == 0 { '.' } else { char::from(b'0' + cell) }).collect()
    };
    Table::new(vec![
        ("error", errors(&rows)),
        ("canonical", texts(of(&rows, |(form, _)| form.as_ref().map(line)))),
        ("class", texts(of(&rows, |(_, class)| Some(class)))),
        ("automorphisms", small(of(&rows, |(form, _)| form.as_ref().map(|form| form.automorphisms)))),
    ])
}

/// Dig puzzles with one solution out of full grids.
///
/// plan: "minimal", "reveal", "givens=28", "givens=24..28" or "random-holes=50" (not checked for uniqueness).
/// symmetry: "none", "rotate-180" and so on. A puzzle depends only on its row number and the seed, not on the threads.
///
/// >>> import sudoku_corpus as sc
/// >>> puzzles = sc.dig(sc.generate(3), symmetry="rotate-180")
/// >>> puzzles["solutions"], puzzles["error"]
/// ([1, 1, 1], [None, None, None])
#[pyfunction]
#[pyo3(signature = (grids, *, plan="minimal", symmetry="none", seed=20_261_120, shape=None, column="solution", threads=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the function")]
fn dig(
    py: Python<'_>,
    grids: &Bound<'_, PyAny>,
    plan: &str,
    symmetry: &str,
    seed: u64,
    shape: Option<&str>,
    column: &str,
    threads: Option<usize>,
) -> PyResult<Table> {
    let plan: Plan = plan.parse().map_err(refused)?;
    if plan == Plan::Within {
        return Err(refused(
            "the plan within needs a bound; use the program: sudoku-corpus dig --level, --only or --er",
        ));
    }
    let symmetry: Symmetry = symmetry.parse().map_err(refused)?;
    let shape = shape_of(shape)?;
    let rows = each_row(py, grids, column, threads, |row, text| {
        let grid = solvable(text, shape)?.grid().clone();
        let solution = Solution::try_from(grid).map_err(|error| error.to_string())?;
        let options = DigOptions::of(solution.shape());
        let mut attempt = 0;
        loop {
            // The numbers of attempts and their generators are the same as in the program.
            let mut rng = Rng::new(seed, row as u64, Stage::Dig, attempt);
            match plan.dig(&solution, symmetry, &options, &mut rng) {
                Ok(dug) => return Ok(dug),
                Err(sudoku_corpus::dig::DigError::OutOfReach { .. }) if attempt < 1_000 => attempt += 1,
                Err(error) => return Err(error.to_string()),
            }
        }
    })?;
    Table::new(vec![
        ("error", errors(&rows)),
        ("puzzle", texts(of(&rows, |dug| Some(dug.puzzle.to_string())))),
        ("givens", small(of(&rows, |dug| Some(dug.puzzle.grid().givens() as u32)))),
        ("minimal", flags(of(&rows, |dug| dug.minimal))),
        ("solutions", large(of(&rows, |dug| Some(dug.solutions.found)))),
    ])
}

/// Make full grids; by default all grids are equally likely.
///
/// A row depends only on the seed and its number. So `first` can continue an earlier call.
///
/// >>> import sudoku_corpus as sc
/// >>> sc.generate(2, first=10)["row"]
/// [10, 11]
#[pyfunction]
#[pyo3(signature = (count, *, method="uniform", shape="3x3", seed=20_261_120, first=0, threads=None))]
fn generate(
    py: Python<'_>,
    count: u64,
    method: &str,
    shape: &str,
    seed: u64,
    first: u64,
    threads: Option<usize>,
) -> PyResult<Table> {
    let shape: Shape = shape.parse().map_err(refused)?;
    let method = Method::from_name(method, None).map_err(refused)?;
    method.accepts(shape).map_err(refused)?;
    let end = first.checked_add(count).ok_or_else(|| refused("too many rows"))?;
    let grid = |row: usize, _: &threads::Signals| {
        let number = first + row as u64;
        let mut attempt = 0;
        loop {
            let mut rng = Rng::new(seed, number, Stage::Generate, attempt << 48);
            match method.fill(shape, &mut rng) {
                Ok(solution) => return Ok(solution.to_string()),
                Err(_) if attempt < 7 => attempt += 1,
                Err(error) => return Err(error.to_string()),
            }
        }
    };
    let rows: Vec<Result<String, Reason>> =
        threads::each(py, threads, usize::try_from(count).unwrap_or(usize::MAX), grid)?;
    Table::new(vec![
        ("row", large((first..end).map(Some))),
        ("error", errors(&rows)),
        ("solution", texts(of(&rows, Some))),
    ])
}

/// Solve puzzles step by step: a row for each step, with the position before it.
///
/// Columns: `puzzle` (number of the input row), `kind`, `step`, `round`, `technique`; the pattern as `digits`, `cells`
/// (numbers row by row from 0), `base` and `cover` (houses); the conclusion as `place_cells`, `place_digits`,
/// `remove_cells`, `remove_digits`; the position as `board` and `candidates` (a word for each cell with its
/// possible digits, `.` for a filled cell); `score`, `se_tenths`, `solutions`; the row as `tokens` and as a `sentence`.
///
/// wrong: the number of wrong rows that follow the steps of each puzzle; their `kind` is "wrong_step" or "state".
///
/// >>> import sudoku_corpus as sc
/// >>> line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
/// >>> sc.steps(line)[0]["tokens"]
/// 'step naked_single d3 in r8c8 place r8c8 d3'
#[pyfunction]
#[pyo3(signature = (puzzles, *, techniques="default", wrong=0, seed=20_261_120, shape=None, column="puzzle", threads=None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the function")]
fn steps(
    py: Python<'_>,
    puzzles: &Bound<'_, PyAny>,
    techniques: &str,
    wrong: usize,
    seed: u64,
    shape: Option<&str>,
    column: &str,
    threads: Option<usize>,
) -> PyResult<Table> {
    let analysis = Analysis {
        ladder: Some(techniques.parse().map_err(refused)?),
        ratings: "none".parse().map_err(refused)?,
        minimal: false,
        count_limit: 2,
        steps: Some(StepsWanted { wrong, seed, ..StepsWanted::default() }),
        ..Analysis::default()
    };
    let shape = shape_of(shape)?;
    let puzzles = each_row(py, puzzles, column, threads, |row, text| {
        let puzzle = solvable(text, shape)?;
        let (shape, budget) = (puzzle.shape(), Analysis::budget_of(puzzle.shape()));
        let record = Analysis { budget, ..analysis.clone() }.analyze(Record::of_puzzle(row as u64, puzzle));
        match (record.solutions, record.solutions_exact) {
            (Some(0), _) => return Err("no solution".to_owned()),
            (Some(1), Some(true)) => {}
            (Some(1), _) => return Err("the budget was used up before the number of solutions was known".to_owned()),
            _ => return Err("several solutions".to_owned()),
        }
        Ok((shape, record.steps))
    })?;
    py.detach(|| step_table(puzzles))
}

/// List the techniques: code, name, family, level, score, SE rating in tenths, whether the default ladder has it,
/// pattern.
#[pyfunction]
fn techniques() -> PyResult<Table> {
    let all = || TECHNIQUES.iter();
    Table::new(vec![
        ("code", texts(all().map(|info| Some(info.code)))),
        ("name", texts(all().map(|info| Some(info.name)))),
        ("family", texts(all().map(|info| Some(info.family.name())))),
        ("level", texts(all().map(|info| Some(info.level.name())))),
        ("score", small(all().map(|info| Some(info.score)))),
        ("se_tenths", small(all().map(|info| info.se_tenths.map(u32::from)))),
        ("default", flags(all().map(|info| Some(info.is_default)))),
        ("pattern", texts(all().map(|info| Some(info.pattern)))),
    ])
}

/// List every token that the column `tokens` of `steps` can contain for boards of a shape, in a fixed order.
#[pyfunction]
#[pyo3(signature = (shape="3x3"))]
fn vocabulary(shape: &str) -> PyResult<Vec<String>> {
    Ok(sudoku_corpus::steps::words::vocabulary(shape.parse().map_err(refused)?))
}

/// The grid that an answer of a model ends with.
#[pyfunction]
fn grid_of(answer: &str, shape: &str) -> PyResult<Option<Vec<u16>>> {
    let shape: Shape = shape.parse().map_err(refused)?;
    Ok(sudoku_corpus::study::score::grid_of(answer, shape.order()))
}

/// Scores a file of predictions. The result is JSON.
#[pyfunction]
fn score_file(py: Python<'_>, predictions: PathBuf, set: Vec<PathBuf>, answer: Option<String>) -> PyResult<String> {
    py.detach(|| scored(&Predictions::read(&predictions, answer.as_deref()).map_err(refused)?, &set))
}

/// Scores pairs of a puzzle and an answer. The result is JSON.
#[pyfunction]
fn score_pairs(py: Python<'_>, predictions: Vec<(String, String)>, set: Vec<PathBuf>) -> PyResult<String> {
    py.detach(|| {
        let mut read = Predictions::default();
        for (number, (puzzle, answer)) in (0..).zip(&predictions) {
            read.add(number, puzzle, answer).map_err(refused)?;
        }
        scored(&read, &set)
    })
}

fn scored(predictions: &Predictions, set: &[PathBuf]) -> PyResult<String> {
    let score = sudoku_corpus::study::score::score(predictions, set).map_err(refused)?;
    serde_json::to_string(&score).map_err(refused)
}

/// Runs the program with these arguments and returns its exit code. `words` start it in a process of its own.
#[pyfunction]
fn run_program(py: Python<'_>, words: Vec<OsString>, arguments: Vec<OsString>) -> u8 {
    sudoku_corpus::cli::started_by(words);
    py.detach(|| sudoku_corpus::cli::run(arguments))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Table>()?;
    module.add_class::<stream::Source>()?;
    module.add_function(wrap_pyfunction!(boards::solve_boards, module)?)?;
    module.add_function(wrap_pyfunction!(boards::check_moves, module)?)?;
    module.add_function(wrap_pyfunction!(boards::next_placements, module)?)?;
    module.add_function(wrap_pyfunction!(boards::order_of, module)?)?;
    module.add_function(wrap_pyfunction!(boards::rules_of, module)?)?;
    module.add_function(wrap_pyfunction!(grid_of, module)?)?;
    module.add_function(wrap_pyfunction!(score_file, module)?)?;
    module.add_function(wrap_pyfunction!(score_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(boards::random_isomorphs, module)?)?;
    module.add("LEVELS", Levels::default().keys().map(str::to_owned).collect::<Vec<_>>())?;
    module.add_function(wrap_pyfunction!(rate, module)?)?;
    module.add_function(wrap_pyfunction!(solve, module)?)?;
    module.add_function(wrap_pyfunction!(canonical_forms, module)?)?;
    module.add_function(wrap_pyfunction!(dig, module)?)?;
    module.add_function(wrap_pyfunction!(generate, module)?)?;
    module.add_function(wrap_pyfunction!(steps, module)?)?;
    module.add_function(wrap_pyfunction!(techniques, module)?)?;
    module.add_function(wrap_pyfunction!(vocabulary, module)?)?;
    module.add_function(wrap_pyfunction!(run_program, module)?)
}
