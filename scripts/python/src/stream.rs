//! Puzzles for training loops: the rows of a recipe as arrays, without files.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use sudoku_corpus::board::Solution;
use sudoku_corpus::corpus::{Draft, Recipe, Record, solution_class};
use sudoku_corpus::publish::{Apart, Splitter};

use super::refused;
use super::threads::{Signals, each};

/// The rows of a recipe whose grids are on the kept sides of some splits.
///
/// A split divides classes of equivalent grids, as `release` does. A row depends only on the recipe, the splits and
/// its number.
#[pyclass(frozen, module = "sudoku_corpus._native")]
pub(crate) struct Source {
    recipe: Recipe,
    sides: Vec<(Splitter, usize)>,
}

/// Puzzles and solutions, a byte for each cell; for each row its level (its place in the scale, from 0; 255 for none), ER in tenths (two bytes in
/// the byte order of the machine; 0 for none) and number of givens (two bytes).
type Arrays<'py> = [Bound<'py, PyByteArray>; 5];

#[pymethods]
impl Source {
    /// `splits` has entries such as ("train=0.9,test=0.1", "train", 0): the split, the name of the kept side, the seed.
    #[new]
    fn new(recipe: &str, splits: Vec<(String, String, u64)>) -> PyResult<Source> {
        let draft = Draft::parse(recipe).map_err(refused)?;
        let recipe = Recipe::new(&draft).map_err(refused)?;
        if !recipe.shape.is_solvable() {
            return Err(refused(format!("order {} is too large to dig", recipe.shape.order())));
        }
        if recipe.shape.is_any_jigsaw() {
            let shape = recipe.shape;
            return Err(refused(format!(
                "each row of {shape} would have its own regions: name them, as in {shape}:AAAB.."
            )));
        }
        if !splits.is_empty()
            && recipe.generate(0).is_ok_and(|row| row.solution.is_none_or(|grid| solution_class(&grid).is_none()))
        {
            return Err(refused(format!(
                "split and apart need classes of grids, and grids of the {} have none",
                recipe.shape.board()
            )));
        }
        let side = |(splits, name, seed): (String, String, u64)| {
            let splits: sudoku_corpus::publish::Splits = splits.parse().map_err(refused)?;
            let at = splits.names().position(|known| known == name);
            let at = at.ok_or_else(|| refused(format!("'{name}' is not a name of the split {splits}")))?;
            Ok((Splitter { splits, apart: Apart::Grid, seed }, at))
        };
        Ok(Source { sides: splits.into_iter().map(side).collect::<PyResult<_>>()?, recipe })
    }

    /// `count` rows as arrays: `first`, and then every `stride`-th.
    #[pyo3(signature = (first, count, stride, threads))]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        first: u64,
        count: usize,
        stride: u64,
        threads: Option<usize>,
    ) -> PyResult<Arrays<'py>> {
        let last = (count as u64).checked_mul(stride).and_then(|size| size.checked_add(first));
        last.ok_or_else(|| refused("too many rows"))?;
        let made = each(py, threads, count, |row, signals| self.row(first + row as u64 * stride, signals))?;
        let [mut puzzles, mut solutions, mut levels, mut ers, mut givens] = std::array::from_fn(|_| Vec::new());
        for record in made {
            let record = record?;
            let bytes = |values: &[u16]| values.iter().map(|&digit| digit as u8).collect::<Vec<u8>>();
            puzzles.extend(record.puzzle.as_ref().map(|puzzle| bytes(puzzle.grid().values())).unwrap_or_default());
            solutions.extend(record.solution.as_ref().map(|full| bytes(full.values())).unwrap_or_default());
            let level = self.recipe.levels.of(&record);
            levels.push(level.map_or(u8::MAX, |level| level as u8));
            ers.extend((record.se_er_tenths.unwrap_or(0) as u16).to_ne_bytes());
            givens.extend((record.givens.unwrap_or(0) as u16).to_ne_bytes());
        }
        Ok([puzzles, solutions, levels, ers, givens].map(|bytes| PyByteArray::new(py, &bytes)))
    }

    /// The complete text of the recipe.
    #[getter]
    fn recipe(&self) -> String {
        self.recipe.canonical()
    }

    /// The number of digits.
    #[getter]
    fn order(&self) -> usize {
        self.recipe.shape.order()
    }
}

impl Source {
    fn row(&self, index: u64, signals: &Signals) -> PyResult<Record> {
        let keep = |grid: &Solution| {
            signals.look();
            let class = if self.sides.is_empty() { None } else { solution_class(grid) };
            self.sides.iter().all(|(splitter, side)| class.is_some_and(|class| splitter.split_of(class) == *side))
        };
        self.recipe.make_if(index, signals.stop(), keep).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }
}
