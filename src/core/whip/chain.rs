//! Defines a whip: its target and its links. [`super`] draws one with its candidates L and R.

/// One variable of a whip. Candidates are numbered 81 * row + 9 * column + digit, all from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// L: a candidate of the variable that is linked to the R before it, or, in the first variable, to the target.
    pub left: u16,
    /// The variable: a cell (9 * row + column), or 81 + 9 * row + digit, 162 + 9 * column + digit, 243 + 9 * box +
    /// digit.
    pub variable: u16,
    /// R: the only candidate of the variable that is linked to nothing before it. None in the last variable.
    pub right: Option<u16>,
}

/// A whip and its target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Whip {
    /// The candidate that it eliminates.
    pub target: u16,
    /// Its variables in order. Their number is its length.
    pub links: Vec<Link>,
}
