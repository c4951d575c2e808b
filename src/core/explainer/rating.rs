//! Defines what a caller asks of the rater (how far it goes), and the ratings that it gives.

/// Which numbers to compute, and up to which limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Which of the three numbers are wanted.
    pub scope: Scope,
    /// Stop as soon as ER is known to be above this many tenths: 45 for "at most 4.5". 94 leaves out nested
    /// chains. With them a puzzle of 10.6 to 11.9 takes a few seconds; without them a puzzle takes milliseconds.
    pub at_most: Option<u16>,
}

/// Which of the three numbers are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scope {
    /// ER, EP and ED.
    #[default]
    All,
    /// Only ER.
    Er,
    /// Only EP and ED: the puzzle is solved up to the first placed digit.
    EpEd,
}

/// ER, EP and ED in tenths.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SeRating {
    /// The rating of the hardest hint. None when it was not asked for, or the board is not 9x9. 200 when the search
    /// reaches a position for which the original has no hint.
    pub er_tenths: Option<u16>,
    /// The rating of the hardest hint up to the first placed digit. None as for ER, and when no digit was placed.
    pub ep_tenths: Option<u16>,
    /// The rating of the first hint. None in the same cases as ER, and when no hint was applied.
    pub ed_tenths: Option<u16>,
    /// True when every given number equals that of the original. When false, [`Options::at_most`] stopped the search,
    /// and `er_tenths` is a lower bound. It can also be false for puzzles with no solution or with several. EP and ED,
    /// where given, are exact in both cases.
    pub exact: bool,
}
