//! Full grids: every method of making them, one file for each method.
//!
//! ```text
//!   Method --------- accepts(shape)?  fill(shape, rng)  ->  Solution
//!     permutation        shuffles of one template; any order up to 400
//!     row-major          cell by cell, one step back          \
//!     jump-back          cell by cell, many cells back         |  these search; they reach every grid,
//!     digit-by-box       digit by digit, box by box            |  but not with equal probability
//!     seeded-cross       first row and column, then a solver   |
//!     fewest-candidates  the solver on an empty board         /
//!     uniform            every grid equally often: 9x9, 4x4, 6x6, 8x8
//!     base-shuffle       shuffles of given puzzles or grids
//!     uniform-classes    every essentially different grid equally often: 9x9
//! ```
//!
//! [`METHODS`] names the source and the bias of each method. The documentation, the help and the benchmarks iterate
//! over it. A grid depends only on the method, the shape and the random number generator. Budgets count search steps,
//! never time.

mod base_shuffle;
mod digit_by_box;
mod fewest_candidates;
mod filling;
mod jump_back;
mod name;
mod permutation;
mod pick;
mod row_major;
mod seeded_cross;
mod uniform;

use std::fmt;
use std::sync::Arc;

pub use base_shuffle::Bases;
pub use jump_back::Jumps;
pub use name::MethodName;
pub use permutation::Strength;

use crate::board::{Reason, Shape, Solution};
use crate::random::Rng;

/// A way of making full grids, with its options.
///
/// ```
/// use sudoku_corpus_core::board::Shape;
/// use sudoku_corpus_core::generate::Method;
/// use sudoku_corpus_core::random::{Rng, Stage};
///
/// let method = Method::from_name("permutation:blocks", None)?;
/// let twelve: Shape = "3x4".parse()?;
/// let fill = |index| method.fill(twelve, &mut Rng::new(1, index, Stage::Generate, 0));
/// assert_eq!(fill(0)?, fill(0)?); // the same random numbers give the same grid
/// assert_ne!(fill(0)?, fill(1)?);
/// assert!(Method::Uniform.accepts(twelve).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// Shuffles of the cyclic template.
    Permutation(Strength),
    /// Row-major backtracking.
    RowMajor,
    /// Row-major filling with jumps back.
    JumpBack(Jumps),
    /// Digit by digit, box by box.
    DigitByBox,
    /// Random first row and column, completed by a solver.
    SeededCross,
    /// Randomised search, fewest candidates first.
    FewestCandidates,
    /// Every grid equally often.
    Uniform,
    /// Random images of base puzzles or grids.
    BaseShuffle(Arc<Bases>),
    /// Every essentially different grid equally often.
    UniformClasses,
}

/// What the documentation says about a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodInfo {
    /// Title and author of the article it comes from.
    pub origin: &'static str,
    /// How it works, in one line.
    pub idea: &'static str,
    /// What it is biased towards, in one line.
    pub bias: &'static str,
    /// The shapes it makes.
    pub shapes: &'static str,
}

/// Every method, in the order of [`MethodName`].
pub const METHODS: [MethodInfo; MethodName::ALL.len()] = [
    MethodInfo {
        origin: "the permutation method (Jesper Niedermann's .NET blog, 2009)",
        idea: "shuffles one fixed grid: the digits, the rows inside their bands and the columns inside their stacks; \
               ':blocks' also shuffles bands and stacks, ':transpose' also transposes the grid",
        bias: "every grid is essentially the same one",
        shapes: "every order up to 400; ':transpose' only where boxes are square",
    },
    MethodInfo {
        origin: "\"Sudoku Algorithm: Generates a Valid Sudoku in 0.018 seconds\" (The ANZAC, CodeProject, 2008-2009)",
        idea: "fills cell by cell with a random value that was not tried there; goes back one cell when none is left",
        bias: "reaches every grid, but not evenly; up to order 9 the probability of each grid is known exactly",
        shapes: "every order up to 25",
    },
    MethodInfo {
        origin: "the jump-back generator (VB.NET article, version 1.3, 2009)",
        idea: "fills cell by cell with a random candidate; at a dead end it empties the last n-2 cells, after n+1 dead \
               ends the last 2n-2; ':6,16' sets other jumps",
        bias: "reaches every grid, but not evenly; the probabilities have no closed form and are measured by sampling",
        shapes: "every order up to 18; up to 25 if the short jump is set",
    },
    MethodInfo {
        origin: "\"How to generate a valid and fast Sudoku board from scratch?\" (Yagiz)",
        idea: "places digit by digit, box by box, at a random free position that is not forbidden; \
               at a dead end the previous position becomes forbidden",
        bias: "reaches every grid, but not evenly; up to order 9 the probability of each grid is known exactly",
        shapes: "every order up to 30",
    },
    MethodInfo {
        origin: "\"Sudoku\" (Whack! My world of hacks)",
        idea: "draws a valid first row and first column; a solver completes the board: singles first, then a guess in \
               the cell with the fewest candidates",
        bias: "reaches every grid, but not evenly; grids whose first row and column have few completions come too often",
        shapes: "every order up to 36",
    },
    MethodInfo {
        origin: "common practice; an older program by the author of the permutation method, with a better order of cells",
        idea: "randomised search that fills the cell with the fewest candidates first",
        bias: "reaches every grid, but not evenly",
        shapes: "every order up to 36",
    },
    MethodInfo {
        origin: "counting by bands (Felgenhauer and Jarvis, \"Mathematics of Sudoku I\", 2006) run backwards",
        idea: "draws a number below the number of all grids and builds the grid with this number; integers only",
        bias: "none: every grid is equally likely",
        shapes: "9x9 boards (3x3 boxes), and 4x4, 6x6 and 8x8 boards (2x2, 2x3, 3x2, 2x4, 4x2 boxes)",
    },
    MethodInfo {
        origin: "the discussion of \"Sudoku Algorithm: Generates a Valid Sudoku in 0.018 seconds\"",
        idea: "draws one of the bases, relabels its digits, and shuffles its rows, columns, bands and stacks; half of the \
               grids are transposed",
        bias: "makes only as many essentially different grids as there are essentially different bases",
        shapes: "the shape of the bases",
    },
    MethodInfo {
        origin: "the catalogue of the 5,472,730,538 minlex grids",
        idea: "draws a rank up to the number of classes, takes the minlex grid of this rank, and makes a random isomorph of it",
        bias: "none between classes; a grid with k automorphisms comes k times as often as under uniform",
        shapes: "9x9 boards (3x3 boxes)",
    },
];

/// Why there is no grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FillError {
    /// The method does not make boards of this shape.
    #[error(transparent)]
    Refused(#[from] Reason),
    /// No search finished within its budget. Another state of the random number generator may succeed.
    #[error("method '{method}' found no grid within {steps} search steps ({})", shape.board())]
    Exhausted {
        /// The name of the method.
        method: &'static str,
        /// The requested shape.
        shape: Shape,
        /// Steps of all searches together.
        steps: u64,
    },
}

impl Method {
    /// The methods that search, with their default options, and `uniform`.
    pub fn searching_and_uniform() -> [Method; 6] {
        [
            Method::RowMajor,
            Method::JumpBack(Jumps::default()),
            Method::DigitByBox,
            Method::SeededCross,
            Method::FewestCandidates,
            Method::Uniform,
        ]
    }

    /// Which method this is, without its options.
    pub fn name(&self) -> MethodName {
        match self {
            Method::Permutation(_) => MethodName::Permutation,
            Method::RowMajor => MethodName::RowMajor,
            Method::JumpBack(_) => MethodName::JumpBack,
            Method::DigitByBox => MethodName::DigitByBox,
            Method::SeededCross => MethodName::SeededCross,
            Method::FewestCandidates => MethodName::FewestCandidates,
            Method::Uniform => MethodName::Uniform,
            Method::BaseShuffle(_) => MethodName::BaseShuffle,
            Method::UniformClasses => MethodName::UniformClasses,
        }
    }

    /// The row of [`METHODS`].
    pub fn info(&self) -> &'static MethodInfo {
        self.name().info()
    }

    /// Does this method make boards of a shape?
    ///
    /// # Errors
    /// The reason, if it cannot or would take too long.
    pub fn accepts(&self, shape: Shape) -> Result<(), Reason> {
        let up_to = |largest: usize, why: &str| {
            let reason = || format!("above order {largest} it takes too long, because {why}");
            (shape.order() > largest).then(reason)
        };
        let solver = |whose: &str| {
            let reason = || format!("{whose} solver handles boards up to order {}", Shape::MAX_SOLVABLE_ORDER);
            (!shape.is_solvable()).then(reason)
        };
        let reason = match self {
            Method::FewestCandidates => solver("the"),
            _ if !shape.is_plain() => Some("only fewest-candidates makes boards with further rules".to_owned()),
            Method::Permutation(Strength::Transpose) if !shape.is_square() => {
                Some(format!("transposition would make {} boxes; use the strength 'blocks'", shape.transposed()))
            }
            Method::Permutation(_) => None,
            // A grid of order 25 takes 0.2 s; orders 28 and 30 did not finish in minutes, with any budget.
            Method::RowMajor => up_to(25, "it goes back only one cell at a time"),
            // With the author's jumps an 18x18 grid takes 0.2 s, and no grid of order 21 was found in a minute.
            Method::JumpBack(Jumps { short: None, .. }) => up_to(18, "it forgets what it tried; shorter jumps help"),
            // With the jumps 8 and 30, a 25x25 grid takes 0.02 s.
            Method::JumpBack(_) => up_to(25, "it forgets what it tried"),
            // A grid of order 30 takes half a second, one of order 36 takes 4 to 9 seconds.
            Method::DigitByBox => up_to(30, "the first digits hardly ever leave room for the last ones"),
            Method::SeededCross => solver("its"),
            Method::Uniform => (shape != Shape::NINE && shape.order() > 8).then(|| {
                "its grids are counted only for 9x9, 4x4, 6x6 and 8x8 boards; larger boards have too many classes"
                    .into()
            }),
            Method::UniformClasses => {
                (shape != Shape::NINE).then(|| "only the essentially different grids of 9x9 are numbered".into())
            }
            Method::BaseShuffle(bases) => {
                (bases.shape() != shape).then(|| format!("its bases are of the {}", bases.shape().board()))
            }
        };
        let (method, board) = (self.name(), shape.board());
        let meant = || Shape::meant(shape.box_rows(), shape.box_columns());
        reason
            .map_or(Ok(()), |why| Err(Reason(format!("method '{method}' does not make the {board}: {why}{}", meant()))))
    }

    /// A random grid. It depends only on the method, the shape and the state of the generator.
    ///
    /// # Errors
    /// [`FillError::Refused`] for a shape that [`Method::accepts`] refuses. [`FillError::Exhausted`] if no search
    /// finished within its budget, which happens only on large boards or with unusual options.
    pub fn fill(&self, shape: Shape, rng: &mut Rng) -> Result<Solution, FillError> {
        self.accepts(shape)?;
        match self {
            Method::Permutation(strength) => Ok(permutation::fill(shape, *strength, rng)),
            Method::RowMajor => row_major::fill(shape, rng),
            Method::JumpBack(jumps) => jump_back::fill(shape, *jumps, rng),
            Method::DigitByBox => digit_by_box::fill(shape, rng),
            Method::SeededCross => seeded_cross::fill(shape, rng),
            Method::FewestCandidates => fewest_candidates::fill(shape, rng),
            Method::Uniform => Ok(uniform::fill(shape, rng)),
            Method::BaseShuffle(bases) => Ok(bases.shuffle_solution(rng)),
            Method::UniformClasses => Ok(uniform::of_class(rng)),
        }
    }
}

impl fmt::Display for Method {
    /// The name with its options, as [`Method::from_name`] reads it: "permutation:blocks", "jump-back:6,16".
    /// Options that are the default are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let option = match self {
            Method::Permutation(strength) if *strength != Strength::default() => strength.to_string(),
            Method::JumpBack(jumps) => jumps.to_string(),
            _ => String::new(),
        };
        let colon = if option.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{option}", self.name())
    }
}

/// The budget of a method: the number of searches, and the number of steps of each.
#[derive(Clone, Copy)]
struct StepLimit {
    nodes: u64,
    attempts: u32,
}

impl StepLimit {
    /// Up to order 9 there is one search, which runs to its end, so that the probability of a grid is known. On larger
    /// boards a search has n^4 steps.
    fn backtracking(shape: Shape) -> StepLimit {
        match shape.order() {
            ..=9 => StepLimit { nodes: u64::MAX, attempts: 1 },
            order => StepLimit::within((order as u64).pow(4)),
        }
    }

    /// Searches of `nodes` steps each. All searches for one grid together have at most 2^32 steps.
    fn within(nodes: u64) -> StepLimit {
        const TOTAL: u64 = 1 << 32;
        StepLimit { nodes, attempts: (TOTAL / nodes).clamp(1, u64::from(u32::MAX)) as u32 }
    }
}

/// Repeats a search until it succeeds or the limit is reached. `search` gets the number of steps that it may take, and
/// returns true if it succeeded.
fn retry(
    method: &'static str,
    shape: Shape,
    limit: StepLimit,
    mut search: impl FnMut(u64) -> bool,
) -> Result<(), FillError> {
    let StepLimit { nodes, attempts } = limit;
    if (0..attempts).any(|_| search(nodes)) {
        return Ok(());
    }
    Err(FillError::Exhausted { method, shape, steps: nodes.saturating_mul(attempts.into()) })
}

#[cfg(test)]
mod tests;
