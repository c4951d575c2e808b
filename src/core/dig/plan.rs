//! Defines the plans of digging: names, origins, biases, and what each accepts.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::orbits::Sizes;
use crate::board::{Reason, Shape, Symmetry};
use crate::names;
use crate::page::numbers::counted;

/// How a puzzle is dug out of a solution.
///
/// In recipes and rows a plan is one word: `minimal`, `reveal`, `givens=28`, `givens=24..28` (both included),
/// `random-holes=50`, `within`, `needed`, `walk`, `controlled-bias`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Plan {
    /// Removes cells until no given is redundant.
    Minimal,
    /// Removes most cells, reveals cells until the puzzle is unique, removes redundant givens.
    Reveal,
    /// Removes cells until the number of givens lies in a range.
    Givens(RangeInclusive<usize>),
    /// Removes a number of cells without any check. The puzzle may have several solutions.
    RandomHoles(usize),
    /// Removes cells until every further removal would exceed a bound, such as a level.
    Within,
    /// Goes from puzzle to puzzle of one grid until one needs what is asked for, such as a technique.
    Needed,
    /// Goes from minimal puzzle to minimal puzzle of one grid, towards what is asked for.
    Walk,
    /// Removes random cells until no given is redundant. The try fails if the puzzle becomes ambiguous first.
    ControlledBias,
}

/// The documentation of a plan: one row of [`PLANS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanInfo {
    /// The word in recipes, rows and on the command line.
    pub name: &'static str,
    /// The argument after the word: nothing, or a number or range.
    pub argument: &'static str,
    /// Where the idea comes from.
    pub origin: &'static str,
    /// How it works.
    pub idea: &'static str,
    /// How its puzzles differ from an unbiased sample.
    pub bias: &'static str,
}

/// All plans, in the order of the documentation.
pub static PLANS: [PlanInfo; 8] = [
    PlanInfo {
        name: "minimal",
        argument: "",
        origin: "\"How to generate a valid and fast Sudoku board from scratch?\" (Yagiz), step 2; \"Sudoku\" \
                 (Whack! My world of hacks)",
        idea: "takes the givens in random order, and removes each one without which the puzzle keeps one solution. So no \
               given is redundant at the end",
        bias: "puzzles with few givens come too often: 24.4 givens on average, where all minimal 9x9 puzzles have 26.6; \
               the column log_weight corrects it",
    },
    PlanInfo {
        name: "reveal",
        argument: "",
        origin: "\"Sudoku Algorithm: Generates a Valid Sudoku in 0.018 seconds\" (The ANZAC, CodeProject), discussion",
        idea: "removes three cells of four at once. Then it reveals random cells in which solutions differ, until there is \
               one solution. Then it removes redundant givens in random order",
        bias: "puzzles have even fewer givens than with minimal, and the givens gather where solutions differ; no weight is \
               known that corrects this",
    },
    PlanInfo {
        name: "givens",
        argument: "N or N..M",
        origin: "\"How to generate a valid and fast Sudoku board from scratch?\" (Yagiz): difficulty as ranges of \
                 empty cells",
        idea: "works as minimal does, but stops at a number of givens. It draws this number uniformly from the range",
        bias: "a grid that does not get down to this number is dropped, so small numbers favor grids that are easy to \
               dig; puzzles with fewer givens are not harder",
    },
    PlanInfo {
        name: "random-holes",
        argument: "N",
        origin: "permutation method (Jesper Niedermann's .NET blog): empty tiles",
        idea: "empties N random cells without any check. The row says how many solutions the puzzle has",
        bias: "none: every pattern is equally likely, but a puzzle may have several solutions",
    },
    PlanInfo {
        name: "within",
        argument: "",
        origin: "the plan minimal, combined with a rater",
        idea: "works as minimal does, but removes a given only if the puzzle stays within the requested level, techniques \
               or rating",
        bias: "puzzles keep more givens than minimal ones, and easy puzzles keep the most; most puzzles lie just within \
               the bound",
    },
    PlanInfo {
        name: "needed",
        argument: "",
        origin: "the plan minimal, combined with a rater",
        idea: "goes from one minimal puzzle of a grid to the next, until one uses the techniques of needs. Then it adds and \
               removes givens, and keeps the techniques in use, until the puzzle needs them and none that is harder. Then it \
               removes the givens without which this stays true",
        bias: "puzzles keep more givens than minimal ones, and lie near minimal puzzles that use the techniques",
    },
    PlanInfo {
        name: "walk",
        argument: "",
        origin: "the plan minimal, combined with a rater",
        idea: "makes a minimal puzzle. Then it puts three digits back, and removes the givens that are not needed any more. \
               It goes on from the new puzzle if this is at least as near to the requested level or rating. It repeats this \
               again and again",
        bias: "puzzles are minimal and have one given less than those of minimal; ratings that are near common ones come \
               more often than others of the range",
    },
    PlanInfo {
        name: "controlled-bias",
        argument: "",
        origin: "Berthier, \"Unbiased Statistics of a CSP - A Controlled-Bias Generator\" (CISSE 2009)",
        idea: "removes random givens one by one. If the puzzle gets a second solution before it is minimal, it starts \
               again, from time to time with a new grid. It is for boards up to order 9, without symmetry",
        bias: "none among puzzles with the same number of givens; the column log_weight corrects the bias between numbers of \
               givens; on 9x9 one try in 257,645 succeeds",
    },
];

/// The plans without an argument.
const PLAIN: [Plan; 6] = [Plan::Minimal, Plan::Reveal, Plan::Within, Plan::Needed, Plan::Walk, Plan::ControlledBias];

/// A lower bound of the number of givens of a unique puzzle: 17 on 9x9 (McGuire, Tugemann & Civario, arXiv:1201.0749).
/// On other boards it is one less than the number of digits, because two digits that do not occur can be exchanged.
fn least_givens(shape: Shape) -> usize {
    if shape == Shape::NINE { 17 } else { shape.order() - 1 }
}

impl Plan {
    /// The row of [`PLANS`].
    pub fn info(&self) -> &'static PlanInfo {
        &PLANS[match self {
            Plan::Minimal => 0,
            Plan::Reveal => 1,
            Plan::Givens(_) => 2,
            Plan::RandomHoles(_) => 3,
            Plan::Within => 4,
            Plan::Needed => 5,
            Plan::Walk => 6,
            Plan::ControlledBias => 7,
        }]
    }

    /// The plan `givens` for a range of numbers of blank cells. A number above the number of cells counts as all cells.
    pub fn holes(shape: Shape, holes: RangeInclusive<usize>) -> Plan {
        let [fewest, most] = [holes.end(), holes.start()].map(|&holes| shape.cells().saturating_sub(holes));
        Plan::Givens(fewest..=most)
    }

    /// True if every puzzle of the plan has exactly one solution.
    pub fn is_unique(&self) -> bool {
        !matches!(self, Plan::RandomHoles(_))
    }

    /// Can puzzles of this shape and symmetry be dug by this plan?
    ///
    /// # Errors
    /// The reason. A dig can still fail for one solution and succeed for another.
    pub fn accepts(&self, shape: Shape, symmetry: Symmetry) -> Result<(), Reason> {
        let (board, cells) = (shape.board(), shape.cells());
        let too_many = |asked: &usize, what: &str| {
            format!("{asked} {what} are too many: the board has {cells} cells ({board}){}", usual_givens(shape))
        };
        let all_givens = counted(cells, "given");
        let full =
            format!("a puzzle needs an empty cell: a board with {all_givens} is a full grid; `generate` makes these");
        let reason = match self {
            _ if !shape.is_solvable() => format!(
                "{board}: this board can be generated but not dug, because boards above order {} are not solved{}",
                Shape::MAX_SOLVABLE_ORDER,
                Shape::did_you_mean_board(shape.box_rows(), shape.box_columns())
            ),
            Plan::ControlledBias if shape.order() > 9 => format!(
                "the plan controlled-bias works for boards up to 9x9: on larger boards almost no try succeeds ({board}); leave out `plan`"
            ),
            Plan::ControlledBias if !shape.is_plain() => return shape.only_plain("the plan controlled-bias"),
            Plan::ControlledBias if symmetry != Symmetry::None => {
                format!(
                    "the plan controlled-bias removes single cells, so it cannot keep the symmetry {symmetry}: leave out `symmetry`"
                )
            }
            Plan::Givens(range) if range.is_empty() => {
                let swapped = Plan::Givens(*range.end()..=*range.start());
                format!("no number of givens lies in {}: write `plan = \"{swapped}\"`", range_text(range))
            }
            Plan::Givens(range) if *range.end() > cells => too_many(range.end(), "givens"),
            Plan::Givens(range) if *range.end() < least_givens(shape) => format!(
                "no puzzle with {} is unique: at least {} are needed ({board}){}",
                counted(range.end(), "given"),
                least_givens(shape),
                usual_givens(shape)
            ),
            Plan::Givens(range) if reachable_givens(shape, symmetry, range).is_empty() => {
                no_orbits(shape, symmetry, &counted(range_text(range), "given"), *range.start())
            }
            Plan::Givens(range) if *range.start() == cells => full,
            Plan::RandomHoles(0) => full,
            Plan::RandomHoles(holes) if *holes > cells => too_many(holes, "empty cells"),
            Plan::RandomHoles(holes) if !Sizes::of(shape, symmetry).can_sum_to(*holes) => {
                no_orbits(shape, symmetry, &counted(holes, "empty cell"), *holes)
            }
            _ => return Ok(()),
        };
        Err(Reason(reason))
    }
}

/// What to write for a puzzle with the usual number of givens. Empty for boards whose usual number is not known.
fn usual_givens(shape: Shape) -> String {
    let cells = shape.cells();
    match shape.order() {
        ..=9 => format!("; write `plan = \"{}\"`", Plan::Givens(cells * 3 / 10..=cells * 4 / 10)),
        _ => String::new(),
    }
}

/// What is wrong with a number of cells that no pattern with a symmetry has, and the nearest number that one has.
fn no_orbits(shape: Shape, symmetry: Symmetry, asked: &str, number: usize) -> String {
    let (sizes, board) = (Sizes::of(shape, symmetry), shape.board());
    let sums = (0..=shape.cells()).filter(|&sum| sizes.can_sum_to(sum));
    let nearest = sums.min_by_key(|sum| sum.abs_diff(number)).unwrap_or(0);
    format!("patterns with the symmetry {symmetry} cannot have {asked} ({board}); the nearest number is {nearest}")
}

/// The numbers in the range that a pattern with this symmetry can have.
pub(super) fn reachable_givens(shape: Shape, symmetry: Symmetry, range: &RangeInclusive<usize>) -> Vec<usize> {
    let sizes = Sizes::of(shape, symmetry);
    range.clone().filter(|&givens| sizes.can_sum_to(givens)).collect()
}

/// `24..28`; one number if both ends are equal.
fn range_text(range: &RangeInclusive<usize>) -> String {
    if range.start() == range.end() { range.start().to_string() } else { format!("{}..{}", range.start(), range.end()) }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.info().name;
        match self {
            Plan::Givens(range) => f.pad(&format!("{name}={}", range_text(range))),
            Plan::RandomHoles(holes) => f.pad(&format!("{name}={holes}")),
            _ => f.pad(name),
        }
    }
}

crate::serde_by_text!(Plan);

impl FromStr for Plan {
    type Err = Reason;

    fn from_str(text: &str) -> Result<Plan, Reason> {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let parsed = match text.split_once('=').map(|(name, argument)| (name.trim(), argument)) {
            None => PLAIN.into_iter().find(|plan| plan.info().name == text.trim()),
            Some(("givens", argument)) => {
                let ends = names::ends(argument, |text| number(text).ok_or(()));
                ends.ok().map(|(first, last)| Plan::Givens(first..=last))
            }
            Some(("random-holes", argument)) => number(argument).map(Plan::RandomHoles),
            _ => None,
        };
        parsed.ok_or_else(|| {
            let forms = PLANS.iter().map(|plan| match plan.argument {
                "" => plan.name.to_owned(),
                argument => format!("{}={}", plan.name, argument.replace(" or ", &format!(", {}=", plan.name))),
            });
            let how = match text.trim() {
                text if text.starts_with("givens") => "write givens=24 or givens=24..30".to_owned(),
                text if text.starts_with("random-holes") => "write random-holes=50".to_owned(),
                text if text.starts_with(|sign: char| sign.is_ascii_digit()) => {
                    "a number of givens is givens=24 or givens=24..30".to_owned()
                }
                text => match names::nearest(text, PLAIN.iter().map(|plan| plan.info().name)) {
                    Some(near) => format!("did you mean '{near}'?"),
                    None => format!("known: {}", forms.collect::<Vec<_>>().join(", ")),
                },
            };
            Reason(format!("unknown plan '{text}'; {how}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_a_round_trip_through_text_and_json() {
        for plan in PLAIN.into_iter().chain([Plan::Givens(24..=28), Plan::Givens(30..=30), Plan::RandomHoles(50)]) {
            assert_eq!(plan.to_string().parse(), Ok(plan.clone()));
            assert_eq!(serde_json::to_string(&plan).unwrap(), format!("\"{plan}\""));
            assert!(plan.to_string().starts_with(plan.info().name));
        }
        assert_eq!("givens = 24 ..= 28".parse(), Ok(Plan::Givens(24..=28)));
        assert_eq!(Plan::Givens(24..=28).to_string(), "givens=24..28");
        for text in ["", "maximal", "givens", "givens=", "givens=a", "givens=1..", "random-holes=-1", "minimal=3"] {
            assert!(text.parse::<Plan>().is_err(), "{text}");
        }
    }

    #[test]
    fn refusals_give_the_reason() {
        for (plan, symmetry, reason) in [
            (Plan::Givens(10..=16), Symmetry::None, "no puzzle with 16 givens is unique: at least 17 are needed"),
            (
                Plan::Givens(RangeInclusive::new(30, 29)),
                Symmetry::None,
                "no number of givens lies in 30..29: write `plan = \"givens=29..30\"`",
            ),
            (Plan::Givens(82..=82), Symmetry::None, "82 givens are too many: the board has 81 cells"),
            (
                Plan::Givens(26..=27),
                Symmetry::Rotate90,
                "patterns with the symmetry rotate-90 cannot have 26..27 givens",
            ),
            (
                Plan::RandomHoles(42),
                Symmetry::Rotate90,
                "patterns with the symmetry rotate-90 cannot have 42 empty cells",
            ),
            (Plan::RandomHoles(82), Symmetry::None, "82 empty cells are too many: the board has 81 cells"),
        ] {
            let board = if reason.ends_with('`') { "" } else { " (9x9 board, 3x3 boxes)" };
            let refusal = plan.accepts(Shape::NINE, symmetry).unwrap_err().0;
            assert!(refusal.starts_with(&format!("{reason}{board}")), "{refusal}");
        }
        assert_eq!(Plan::RandomHoles(41).accepts(Shape::NINE, Symmetry::Rotate180), Ok(()));
        assert_eq!(Plan::Givens(26..=28).accepts(Shape::NINE, Symmetry::Rotate90), Ok(()));
        let large = Plan::Minimal.accepts(Shape::new(20, 20).unwrap(), Symmetry::None).unwrap_err();
        assert!(large.to_string().contains("generated but not dug"));
    }

    #[test]
    fn holes_are_the_complement_of_givens() {
        assert_eq!(Plan::holes(Shape::NINE, 50..=55), Plan::Givens(26..=31));
        assert_eq!(Plan::holes(Shape::NINE, 0..=1000), Plan::Givens(0..=81));
    }
}
