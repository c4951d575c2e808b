//! One row of a corpus, and its one schema: all columns are defined here and nowhere else. Every value except the
//! number and the shape of a row may be missing.
//!
//! ```text
//!     entries of this table, effort, techniques  ->  COLUMNS: name, kind, unit, about, get, set
//!                                                   /        |            |           \
//!                                    Parquet schema     CSV header    `list columns`   reading back
//!
//!   a line of a text file      row shape puzzle
//!   after `generate`           row shape method                      solution
//!   after `dig`                row shape method plan symmetry puzzle solution givens .. solutions
//!   after `analyze`            all values
//! ```
//!
//! An entry of the table is a field of [`Record`] and a column of the files with the same name. Its comment is the
//! description in files, cards and `list columns`; the text after its type is the unit. To add a column, add an entry
//! here and raise [`FORMAT_VERSION`](crate::corpus::FORMAT_VERSION). The columns of effort (`effort_<name>`) and of
//! techniques (`n_<code>`) follow from the tables of the rater.
//!
//! Integers are stored as `UInt32` or `UInt64`. *Tried and lost*: `UInt8` and `UInt16`. Parquet stores both as 32-bit
//! words, which dictionaries and run lengths reduce to the same bytes, and they take minutes of compilation.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::steps::StepTexts;
use super::value::{ColumnType, Decimal, Field, Value};
use sudoku_corpus_core::board::{Digits, Grid, Puzzle, Shape, Solution, Symmetry};
use sudoku_corpus_core::effort::{EFFORTS, Effort};
use sudoku_corpus_core::ladder::{Level, Rating, TECHNIQUES, Technique};
use sudoku_corpus_core::solve::probe::SearchCost;

/// Makes [`Record`], and [`fields`] with a column for each entry.
macro_rules! record {
    (
        { $($(#[doc = $about:literal])+ $name:ident: $type:ty, $unit:literal;)+ }
        { $($(#[$doc:meta])+ $other:ident: $other_type:ty,)+ }
    ) => {
        /// One row: a puzzle, where it comes from and what is known about it.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Record {
            $($(#[doc = $about])+ pub $name: $type,)+
            $($(#[$doc])+ pub $other: $other_type,)+
        }

        /// The columns of the entries, in their order.
        fn fields() -> Vec<Column> {
            vec![$(Column {
                name: stringify!($name).into(),
                kind: <$type as Field>::KIND,
                unit: $unit,
                about: concat!($($about),+).trim_ascii_start().into(),
                place: 0,
                get: |record, _| record.$name.value(),
                set: |record, _, value| {
                    record.$name = Field::read(&value, record.shape)?;
                    Ok(())
                },
            }),+]
        }
    };
}

record! {
    // Columns. Those of the fields below stand between them, see `COLUMNS`.
    {
        /// number of the row in its corpus or input, from 0
        row: u64, "rows";
        /// the box, rows x columns: 3x3 is the 9x9 board; variants follow a plus, as in 3x3+x; a jigsaw has its order
        /// and the region of each cell, 9+jigsaw:AAAB..
        shape: Shape, "";
        /// how the full grid was made
        method: Option<Cow<'static, str>>, "";
        /// how givens were removed, as a recipe writes it
        plan: Option<Cow<'static, str>>, "";
        /// the symmetry of the pattern of givens that was asked for
        symmetry: Option<Symmetry>, "";
        /// binary logarithm of the probability that the method makes this grid; null where it is not known, and for
        /// methods that search unless numbers = true
        log2_probability: Option<f64>, "bits";
        /// full grids or orders of digging that were tried until a puzzle met the request; 1 where the first try
        /// always does
        tries: Option<u64>, "tries";
        /// the cells row by row, '.' for an empty cell
        puzzle: Option<Puzzle>, "";
        /// the solution from which the puzzle was dug, or its only solution; null if it has several or none
        solution: Option<Solution>, "";
        /// cells with a digit
        givens: Option<u32>, "cells";
        /// empty cells
        holes: Option<u32>, "cells";
        /// every given is needed: without it the puzzle has several solutions; null if not known or if there are
        /// several solutions already
        minimal: Option<bool>, "";
        /// number of solutions, counted up to a limit; 1 for a proper puzzle
        solutions: Option<u64>, "solutions";
        /// solutions is the exact number; false if counting stopped at the limit or the budget
        solutions_exact: Option<bool>, "";
        /// hash of the puzzle's canonical form, 32 hexadecimal digits: equal for isomorphic
        /// puzzles
        class: Option<u128>, "";
        /// hash of the solution's canonical form, like class: equal for isomorphic full grids; boards up to 9x9
        solution_class: Option<u128>, "";
        /// number of maps (of rows, columns, transposition) that turn the puzzle into itself up to relabeling; 1 for
        /// nearly all puzzles; 9x9 and variants only
        automorphisms: Option<u32>, "maps";
        /// number of the solution among all grids of its shape, from 0, in decimal digits; only with numbers = true
        grid_number: Option<Decimal>, "";
        /// rank of the solution's class among the 5,472,730,538 classes of 9x9 grids, from 1; only with
        /// numbers = true
        class_rank: Option<u64>, "";
        /// 20 characters that name the 9x9 puzzle up to isomorphism, and from which it can be rebuilt; only with
        /// numbers = true
        name: Option<String>, "";
        /// values that the reference search tried at branches before it reached the solution
        search_guesses: Option<u64>, "guesses";
        /// largest number of guesses open at once in the reference search
        search_depth: Option<u32>, "guesses";
        /// positions that the reference search visited
        search_nodes: Option<u64>, "positions";
        /// level of difficulty on the scale of the corpus, which its recipe names; by default the newspaper's: easy,
        /// medium, hard, expert, extreme; null if a rating is missing that the scale needs, or no level of it fits
        level: Option<Cow<'static, str>>, "";
        /// level of difficulty on HoDoKu's scale; above 9x9 the limits of scores grow with the number of cells, which
        /// has no source and is not validated
        hodoku_level: Option<Level>, "";
        /// sum of the scores of all steps on HoDoKu's scale
        hodoku_score: Option<u32>, "points";
        /// the hardest technique that the ladder used; null if it used none
        hardest: Option<Technique>, "";
        /// the ladder of techniques solved the puzzle
        finished: Option<bool>, "";
        /// cells that the ladder left empty; 0 if it solved the puzzle
        open_cells: Option<u32>, "cells";
        /// rating of the hardest step on Sudoku Explainer 1.2.1's scale (ER): 45 means 4.5; 9x9 only; about one
        /// random puzzle in 200, and 2 to 11 % of lists of hard ones, have another ER when they are relabeled
        se_er_tenths: Option<u32>, "tenths";
        /// rating of the hardest step up to the first digit placed (EP), like ER; null if no digit is placed below the
        /// limit
        se_ep_tenths: Option<u32>, "tenths";
        /// rating of the first step (ED), like ER; null if it is above the limit
        se_ed_tenths: Option<u32>, "tenths";
        /// ER is exact; false if the search ended at the limit: ER is then a lower bound
        se_exact: Option<bool>, "";
        /// length of the longest whip needed (Berthier's W); 0 if singles suffice, null if whips do not solve the
        /// puzzle; 9x9 only
        w: Option<u32>, "candidates";
        /// the longest whip of the best order that was found: w where it is exact, otherwise an upper bound of W; null
        /// if no order was found
        w_upper: Option<u32>, "candidates";
        /// length of the longest braid needed (Berthier's B), like w
        b: Option<u32>, "candidates";
        /// w and b are exact; false if the search was stopped: a value that was not settled by then is a lower bound,
        /// and W is between w and w_upper
        wb_exact: Option<bool>, "";
        /// T&E depth: levels of nested assumptions needed to solve the puzzle by singles; 0 if singles suffice; 9x9
        /// and variants only
        te: Option<u32>, "assumptions";
        /// BxB: length of the longest braid needed after an assumption; null unless te = 2
        bxb: Option<u32>, "candidates";
        /// ER of the puzzle's canonical form, the same for every isomorph; null above the limit; 9x9 only
        se_er_canonical_tenths: Option<u32>, "tenths";
        /// guardians of the tridagon with fewest guardians, after singles, intersections and subsets; null when none
        /// has 8 or fewer; 9x9 only
        tridagon: Option<u32>, "candidates";
        /// natural logarithm of the weight of the puzzle in a mean over all minimal puzzles; null if the plan has none,
        /// or if the grids of the method are no fair sample of all grids and their probabilities are not known
        log_weight: Option<f64>, "ln";
        /// natural logarithm of the weight in a mean over all classes of 9x9 grids; only for methods uniform and
        /// uniform-classes
        log_class_weight: Option<f64>, "ln";
    }
    // Other fields: groups of columns, and what is not in the file of rows.
    {
        /// What the puzzle asks of a person.
        effort: Effort,
        /// How often each technique was used, in the order of the rater's table. In a box, because rows are moved
        /// often.
        counts: Option<Box<[u32; TECHNIQUES.len()]>>,
        /// The candidates of each cell, if the row is a position in the middle of a game.
        candidates: Option<Box<[Digits]>>,
        /// A hash of the full grid of the puzzle, if its solution is not read. Rows of one grid have the same.
        grid_hash: Option<u64>,
        /// Why what stood beside the puzzle cannot be its solution, if it cannot.
        solution_fault: Option<Box<str>>,
        /// The steps of the ladder, if they are wanted. They go to a file of their own.
        steps: StepTexts,
        /// The values of columns of other programs, in the order of the [`Outside`](super::outside::Outside) columns
        /// of the input.
        outside: Vec<Value<'static>>,
    }
}

/// The reason for refusing a row with the solution of another puzzle.
const NOT_PART: &str = "the puzzle is not part of the solution";

impl Record {
    /// A row of which only the number and the shape are known.
    pub fn new(row: u64, shape: Shape) -> Record {
        Record { row, shape, ..Record::default() }
    }

    /// A row with a puzzle and its numbers of givens and holes.
    pub fn of_puzzle(row: u64, puzzle: Puzzle) -> Record {
        let mut record = Record::new(row, puzzle.shape());
        record.set_puzzle(puzzle);
        record
    }

    /// True if the puzzle is known to have exactly one solution.
    pub fn is_unique(&self) -> bool {
        (self.solutions, self.solutions_exact) == (Some(1), Some(true))
    }

    /// True if a search ended before it was known whether there is one solution.
    pub(crate) fn is_unsettled(&self) -> bool {
        self.solutions_exact == Some(false) && self.solutions.is_none_or(|solutions| solutions < 2)
    }

    /// A row with a full grid.
    pub fn of_solution(row: u64, solution: Solution) -> Record {
        Record { shape: solution.shape(), solution: Some(solution), row, ..Record::default() }
    }

    /// Sets the puzzle and its numbers of givens and holes.
    pub(crate) fn set_puzzle(&mut self, puzzle: Puzzle) {
        self.givens = Some(puzzle.grid().givens() as u32);
        self.holes = Some(puzzle.grid().holes() as u32);
        self.puzzle = Some(puzzle);
    }

    /// Sets the full grid that a source has, alone or as the solution of the puzzle. The row keeps its puzzle if the grid
    /// cannot be its solution.
    ///
    /// # Errors
    /// A grid alone that breaks the rules or cannot be read.
    pub(crate) fn set_solution(&mut self, grid: Result<Option<Grid>, String>) -> Result<(), String> {
        let solution = grid.and_then(|grid| {
            let solution = grid.map(Solution::try_from).transpose();
            solution.map_err(|reason| format!("solution: {reason}"))
        });
        let Some(puzzle) = &self.puzzle else {
            self.solution = solution?;
            return Ok(());
        };
        match solution {
            Ok(Some(solution)) if !puzzle.is_part_of(&solution) => self.solution_fault = Some(NOT_PART.into()),
            Ok(solution) => self.solution = solution,
            Err(reason) => self.solution_fault = Some(reason.into()),
        }
        Ok(())
    }

    /// The row, if what stood beside the puzzle can be its solution.
    ///
    /// # Errors
    /// It cannot.
    pub(crate) fn without_fault(self) -> Result<Record, String> {
        match &self.solution_fault {
            Some(reason) => Err(reason.to_string()),
            None => Ok(self),
        }
    }

    /// The value in a column of other programs.
    pub fn outside_value(&self, column: usize) -> Value<'_> {
        self.outside.get(column).cloned().unwrap_or(Value::Null)
    }

    /// The cost of the reference search, if the row has it.
    pub fn search(&self) -> Option<SearchCost> {
        let (guesses, depth, nodes) = (self.search_guesses?, self.search_depth?, self.search_nodes?);
        Some(SearchCost { guesses, depth, nodes })
    }

    /// Sets the results of the rater.
    pub fn set_rating(&mut self, rating: &Rating) {
        (self.hodoku_level, self.hodoku_score) = (Some(rating.level), Some(rating.score));
        self.hardest = rating.hardest;
        (self.finished, self.open_cells) = (Some(rating.finished), Some(rating.open_cells as u32));
        self.counts = Some(Box::new(rating.counts));
    }
}

/// A column: name, type, unit, meaning, and how to get and set its value in a [`Record`].
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Column {
    pub name: Cow<'static, str>,
    pub kind: ColumnType,
    /// The unit; empty for texts and flags.
    pub unit: &'static str,
    pub about: Cow<'static, str>,
    /// Its index in the table of techniques or of efforts. 0 for other columns.
    place: usize,
    get: fn(&Record, usize) -> Value<'_>,
    set: fn(&mut Record, usize, Value<'_>) -> Set,
}

/// The outcome of storing a value in a record. The error gives the reason.
type Set = Result<(), String>;

impl Column {
    /// The value of this column in a record.
    pub fn get<'a>(&self, record: &'a Record) -> Value<'a> {
        (self.get)(record, self.place)
    }

    /// Stores a value that was read from a file.
    pub fn set(&self, record: &mut Record, value: Value<'_>) -> Result<(), String> {
        match value {
            Value::Null => Ok(()),
            value => (self.set)(record, self.place, value).map_err(|reason| format!("{}: {reason}", self.name)),
        }
    }
}

/// Every column, in the order of the files. The order is a contract: the bytes of files follow from it.
pub static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let mut columns = fields();
    // Each group of columns stands before a column of the table.
    for (next, group) in [("log_weight", efforts()), ("log_class_weight", techniques())] {
        let index = columns.iter().position(|column| column.name == next).unwrap_or(columns.len());
        columns.splice(index..index, group);
    }
    columns
});

/// The columns of effort, one for each number of the table.
fn efforts() -> Vec<Column> {
    let columns = EFFORTS.iter().enumerate().map(|(place, info)| Column {
        name: format!("effort_{}", info.name).into(),
        kind: ColumnType::Unsigned32,
        unit: info.unit,
        about: format!("{}; only with ratings effort; not calibrated with times of people", info.about).into(),
        place,
        get: |record, place| {
            (EFFORTS[place].get)(&record.effort).map_or(Value::Null, |number| Value::Unsigned(number.into()))
        },
        set: |record, place, value| {
            (EFFORTS[place].set)(&mut record.effort, Field::read(&value, record.shape)?);
            Ok(())
        },
    });
    columns.collect()
}

/// The columns of techniques, one for each technique of the table.
fn techniques() -> Vec<Column> {
    let columns = TECHNIQUES.iter().enumerate().map(|(place, info)| Column {
        name: format!("n_{}", info.code).into(),
        kind: ColumnType::Unsigned32,
        unit: "steps",
        about: format!("number of steps in which the ladder used {}", info.name).into(),
        place,
        get: |record, place| record.counts.as_ref().map_or(Value::Null, |counts| Value::Unsigned(counts[place].into())),
        set: |record, place, value| {
            record.counts.get_or_insert_with(|| Box::new([0; TECHNIQUES.len()]))[place] =
                Field::read(&value, record.shape)?;
            Ok(())
        },
    });
    columns.collect()
}
