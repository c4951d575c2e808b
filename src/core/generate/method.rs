//! Defines a way of making full grids, with its options; by name: "row-major", "permutation:blocks", "jump-back:6,16".

use std::fmt;
use std::sync::Arc;

use super::attempts::FillError;
use super::base_shuffle::Bases;
use super::name::{MethodInfo, MethodName};
use super::permutation::Strength;
use super::search::jump_back::Jumps;
use super::search::{digit_by_box, fewest_candidates, jump_back, row_major, seeded_cross};
use super::{permutation, uniform};
use crate::board::{Reason, Shape, Solution};
use crate::names::UnknownName;
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

    /// The row of `METHODS`.
    pub fn info(&self) -> &'static MethodInfo {
        self.name().info()
    }

    /// Does this method make boards of a shape?
    ///
    /// # Errors
    /// The reason, if it cannot or would take too long.
    pub fn accepts(&self, shape: Shape) -> Result<(), Reason> {
        if *self != Method::FewestCandidates {
            shape.only_plain(format!("method '{}'", self.name()))?;
        }
        let reason = match self {
            Method::FewestCandidates => beyond_solver(shape, "the"),
            Method::Permutation(Strength::Transpose) if !shape.is_square() => {
                Some(format!("transposition would make {} boxes; use the strength 'blocks'", shape.transposed()))
            }
            Method::Permutation(_) => None,
            // A grid of order 25 takes 0.2 s; orders 28 and 30 did not finish in minutes, with any budget.
            Method::RowMajor => beyond_order(shape, 25, "it goes back only one cell at a time"),
            // With the author's jumps an 18x18 grid takes 0.2 s, and no grid of order 21 was found in a minute.
            Method::JumpBack(Jumps { short: None, .. }) => {
                beyond_order(shape, 18, "it forgets what it tried; shorter jumps help")
            }
            // With the jumps 8 and 30, a 25x25 grid takes 0.02 s.
            Method::JumpBack(_) => beyond_order(shape, 25, "it forgets what it tried"),
            // A grid of order 30 takes half a second, one of order 36 takes 4 to 9 seconds.
            Method::DigitByBox => beyond_order(shape, 30, "the first digits hardly ever leave room for the last ones"),
            Method::SeededCross => beyond_solver(shape, "its"),
            Method::Uniform => (shape != Shape::NINE && shape.order() > 8)
                .then(|| "its grids are counted only for 9x9, 4x4, 6x6 and 8x8 boards".into()),
            Method::UniformClasses => {
                (shape != Shape::NINE).then(|| "only the classes of 9x9 grids are numbered".into())
            }
            Method::BaseShuffle(bases) => {
                (bases.shape() != shape).then(|| format!("its bases are of the {}", bases.shape().board()))
            }
        };
        let Some(reason) = reason else { return Ok(()) };
        let (method, board) = (self.name(), shape.board());
        // Somebody who asks for a board that no method makes may mean a smaller one.
        let meant = match shape.is_solvable() {
            true => "; leave out the method".to_owned(),
            false => Shape::did_you_mean_board(shape.box_rows(), shape.box_columns()),
        };
        let begin = match self {
            Method::FewestCandidates => format!("the {board} is too large"),
            _ => format!("method '{method}' does not make the {board}"),
        };
        Err(Reason(format!("{begin}: {reason}{meant}")))
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

    /// A method from its name and, after a colon, its option: "permutation", "permutation:blocks", "jump-back:6,16".
    /// `bases` are for `base-shuffle`; other methods ignore them.
    ///
    /// # Errors
    /// With the nearest name, or with the options that the method has.
    pub fn from_name(text: &str, bases: Option<Arc<Bases>>) -> Result<Method, Reason> {
        let (name, option) = text.split_once(':').map_or((text, None), |(name, option)| (name, Some(option.trim())));
        let name: MethodName = name.parse().map_err(|error: UnknownName| Reason(error.to_string()))?;
        match (name, option) {
            (MethodName::Permutation, None) => Ok(Method::Permutation(Strength::default())),
            (MethodName::Permutation, Some(text)) => {
                text.parse().map(Method::Permutation).map_err(|_| unknown_option(name, text))
            }
            (MethodName::JumpBack, None) => Ok(Method::JumpBack(Jumps::default())),
            (MethodName::JumpBack, Some(text)) => {
                jumps(text).map(Method::JumpBack).ok_or_else(|| unknown_option(name, text))
            }
            (_, Some(text)) => Err(unknown_option(name, text)),
            (MethodName::UniformClasses, None) => Ok(Method::UniformClasses),
            (MethodName::BaseShuffle, None) => bases.map(Method::BaseShuffle).ok_or_else(|| {
                Reason("method 'base-shuffle' needs a file of base puzzles or grids: --bases".to_owned())
            }),
            (_, None) => {
                // All methods that are left are in this list.
                let mut others = Method::searching_and_uniform().into_iter();
                Ok(others.find(|method| method.name() == name).unwrap_or(Method::Uniform))
            }
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

/// The reason not to make larger boards than those of an order, if a board is larger.
fn beyond_order(shape: Shape, largest: usize, why: &str) -> Option<String> {
    (shape.order() > largest).then(|| format!("above order {largest} it takes too long, because {why}"))
}

/// The reason of methods that need a solver, if a board has none.
fn beyond_solver(shape: Shape, whose: &str) -> Option<String> {
    let largest = Shape::MAX_SOLVABLE_ORDER;
    (!shape.is_solvable()).then(|| format!("{whose} solver handles boards up to order {largest}"))
}

fn unknown_option(name: MethodName, option: &str) -> Reason {
    let options = match name {
        MethodName::Permutation => "; it takes :lines, :blocks or :transpose",
        MethodName::JumpBack => "; it takes a short and a long jump in cells, such as :7,16",
        _ => "; it takes none",
    };
    Reason(format!("method '{name}' has no option '{option}'{options}"))
}

/// Reads "7,16", "7" or ",16". A jump that is left out has the author's value; at least one must be given.
fn jumps(text: &str) -> Option<Jumps> {
    let (short, long) = text.split_once(',').unwrap_or((text, ""));
    let [short, long] = [short, long].map(|text| match text.trim() {
        "" => Some(None),
        cells => cells.parse().ok().map(Some),
    });
    let jumps = Jumps { short: short?, long: long? };
    (jumps != Jumps::default()).then_some(jumps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_options_survive_a_round_trip() {
        let texts = "permutation permutation:blocks permutation:transpose row-major jump-back jump-back:6,16 jump-back:8 \
                     jump-back:,30 digit-by-box seeded-cross fewest-candidates uniform uniform-classes";
        for text in texts.split(' ') {
            assert_eq!(Method::from_name(text, None).unwrap().to_string(), text);
        }
        assert_eq!(Method::from_name("permutation:lines", None).unwrap().to_string(), "permutation");
        assert_eq!(Method::from_name(" jump-back: 6 , 16 ", None).unwrap().to_string(), "jump-back:6,16");
    }

    #[test]
    fn wrong_names_and_options_are_explained() {
        let message = |text: &str| Method::from_name(text, None).unwrap_err().to_string();
        assert_eq!(message("rowmajor"), "unknown method 'rowmajor'; did you mean 'row-major'?");
        assert_eq!(message("magic"), "unknown method 'magic'; `list methods` has the names");
        assert_eq!(message("row-major:fast"), "method 'row-major' has no option 'fast'; it takes none");
        assert_eq!(
            message("permutation:"),
            "method 'permutation' has no option ''; it takes :lines, :blocks or :transpose"
        );
        for text in
            ["jump-back:0,16", "jump-back:", "jump-back:,", "jump-back:7,16,3", "jump-back:-1", "jump-back:99999"]
        {
            assert!(message(text).ends_with("it takes a short and a long jump in cells, such as :7,16"), "{text}");
        }
        assert_eq!(message("base-shuffle"), "method 'base-shuffle' needs a file of base puzzles or grids: --bases");
    }
}
