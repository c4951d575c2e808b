//! Defines the names of the methods, and what the documentation says about each.

crate::names! { "method":
    /// Which method, without its options.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum MethodName {
        /// `permutation`
        Permutation = "permutation",
        /// `row-major`
        RowMajor = "row-major",
        /// `jump-back`
        JumpBack = "jump-back",
        /// `digit-by-box`
        DigitByBox = "digit-by-box",
        /// `seeded-cross`
        SeededCross = "seeded-cross",
        /// `fewest-candidates`
        FewestCandidates = "fewest-candidates",
        /// `uniform`
        Uniform = "uniform",
        /// `base-shuffle`
        BaseShuffle = "base-shuffle",
        /// `uniform-classes`
        UniformClasses = "uniform-classes",
    }
}

impl MethodName {
    /// The row of `METHODS`.
    pub fn info(self) -> &'static MethodInfo {
        &METHODS[self as usize]
    }

    /// True if it reaches every grid, each with a probability that can be computed. Only then have its grids, and the
    /// puzzles dug out of them, weights in means over all grids.
    pub fn can_be_weighed(self) -> bool {
        !matches!(self, MethodName::Permutation | MethodName::JumpBack | MethodName::BaseShuffle)
    }
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
pub(crate) const METHODS: [MethodInfo; MethodName::ALL.len()] = [
    MethodInfo {
        origin: "the permutation method (Jesper Niedermann's .NET blog, 2009)",
        idea: "shuffles one fixed grid: the digits, the rows inside their bands and the columns inside their stacks; \
               ':blocks' also shuffles bands and stacks, ':transpose' also transposes the grid",
        bias: "all grids are isomorphic",
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
        idea: "randomized search that fills the cell with the fewest candidates first",
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
        bias: "makes grids of only as many classes as the bases have",
        shapes: "the shape of the bases",
    },
    MethodInfo {
        origin: "the table of the 5,472,730,538 minlex grids",
        idea: "draws a rank up to the number of classes, takes the minlex grid of this rank, and makes a random isomorph of it",
        bias: "none between classes; a grid with k automorphisms comes k times as often as under uniform",
        shapes: "9x9 boards (3x3 boxes)",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_names() {
        let told = "one fixed grid/cell by cell/n-2 cells/digit by digit/first row and/fewest candidates/number of all/bases/rank";
        for (name, text) in MethodName::ALL.into_iter().zip(told.split('/')) {
            let info = name.info();
            assert!(info.idea.contains(text) && ![info.origin, info.bias, info.shapes].contains(&""), "{name}");
        }
    }
}
