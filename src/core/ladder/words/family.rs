//! Defines the families of techniques.

use crate::names;

names! { "family":
    /// A family of techniques, with a name of its own in ladders.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub enum Family {
        /// A cell with one digit, or a digit with one place.
        Singles = "singles",
        /// The cells that a box and a line share.
        Intersections = "intersections",
        /// As many digits as cells in a house.
        Subsets = "subsets",
        /// For one digit, as many base houses as cover houses.
        Fish = "fish",
        /// Two strong links of one digit.
        SingleDigit = "single_digit",
        /// Two or three cells with two or three candidates.
        Wings = "wings",
        /// Chains of implications, one after another.
        Chains = "chains",
        /// Almost locked sets that take digits from each other.
        AlmostLocked = "almost_locked",
        /// Candidates that fit no possible combination of a few cells.
        Exclusion = "exclusion",
        /// Results that follow from every choice, and choices that lead to a contradiction.
        LastResort = "last_resort",
        /// Strong links of one digit in two colors.
        Coloring = "coloring",
        /// Sound only for puzzles with one solution.
        Uniqueness = "uniqueness",
        /// Several digits in several boxes together. HoDoKu has none of these.
        Exotic = "exotic",
    }
}
