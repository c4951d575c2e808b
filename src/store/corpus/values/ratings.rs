//! Defines the ratings of a row on published scales.
//!
//! ```text
//!   ratings = "er,ep,ed"                      Sudoku Explainer: hardest step, up to the first placement, first step
//!             "none"  "se"  "whips"  "all"    se is er,ep,ed; whips is w,b; all adds the others
//! ```
//! `se`, `whips` and `all` stand for several words. Every other word stands for one column, except `effort`: it stands
//! for a group of columns that follow from the ladder. One run of Sudoku Explainer's rules gives ER, EP and ED, so the
//! second and the third cost nothing.

use std::fmt;
use std::str::FromStr;

use super::record::Record;
use sudoku_corpus_core::board::{Grid, Puzzle};
use sudoku_corpus_core::catalogue::Canonical;
use sudoku_corpus_core::explainer::{self, Scope, SeRating, Tenths};
use sudoku_corpus_core::ladder::tridagon::fewest_guardians;
use sudoku_corpus_core::names;
use sudoku_corpus_core::names::UnknownName;
use sudoku_corpus_core::whip::depth::{te_depth, te_depth_and_bxb};
use sudoku_corpus_core::whip::whip_rating;

names! { "rating":
    /// A rating of 9x9 puzzles with one solution; T&E depth exists also on boards with rules, effort on all boards. The
    /// columns of [`Record`] say what each rating is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum RatingKind {
        Er = "er",
        Ep = "ep",
        Ed = "ed",
        W = "w",
        B = "b",
        Te = "te",
        Bxb = "bxb",
        ErCanonical = "er_canonical",
        Tridagon = "tridagon",
        /// What the puzzle asks of a person: the columns `effort_...`.
        Effort = "effort",
    }
}

/// A set of ratings: those that a row gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratings(u16);

/// Words that stand for several ratings.
pub(crate) const GROUPS: [(&str, Ratings); 3] = [("se", Ratings::SE), ("whips", Ratings::WHIPS), ("all", Ratings::ALL)];

/// The largest number of assumptions that the search for whips and braids, or for BxB, may make for one puzzle. They
/// take about ten seconds.
const WHIP_BUDGET: u64 = 100_000_000;

impl Ratings {
    /// No ratings.
    pub const NONE: Ratings = Ratings(0);
    /// ER, EP and ED, the default.
    pub const SE: Ratings = Ratings::of(&[RatingKind::Er, RatingKind::Ep, RatingKind::Ed]);
    pub(crate) const WHIPS: Ratings = Ratings::of(&[RatingKind::W, RatingKind::B]);
    /// All ratings.
    pub const ALL: Ratings = Ratings::of(&RatingKind::ALL);
    /// The default limit of ER. Up to it, a puzzle takes at most a second; the hardest known puzzles take some seconds.
    pub const ER_LIMIT: Tenths = Tenths(104);

    /// The set of some ratings.
    pub const fn of(kinds: &[RatingKind]) -> Ratings {
        let (mut bits, mut number) = (0, 0);
        while number < kinds.len() {
            bits |= 1 << kinds[number] as u16;
            number += 1;
        }
        Ratings(bits)
    }

    /// The ratings that one search gives together with the values of a column.
    pub fn of_column(column: &str) -> Ratings {
        match column {
            "se_er_tenths" | "se_ep_tenths" | "se_ed_tenths" | "se_exact" => Ratings::SE,
            "w" | "w_upper" | "b" | "wb_exact" => Ratings::WHIPS,
            "te" => Ratings::of(&[RatingKind::Te]),
            "bxb" => Ratings::of(&[RatingKind::Bxb]),
            "se_er_canonical_tenths" => Ratings::of(&[RatingKind::ErCanonical]),
            "tridagon" => Ratings::of(&[RatingKind::Tridagon]),
            column if column.starts_with("effort_") => Ratings::of(&[RatingKind::Effort]),
            _ => Ratings::NONE,
        }
    }

    /// True if the set has a rating.
    pub const fn has(self, kind: RatingKind) -> bool {
        self.0 >> kind as u16 & 1 == 1
    }

    /// True if the limit of ER decides about one of the ratings.
    pub fn needs_er_limit(self) -> bool {
        self.has_any(Ratings::SE.and(Ratings::of(&[RatingKind::ErCanonical])))
    }

    const fn has_any(self, other: Ratings) -> bool {
        self.0 & other.0 != 0
    }

    /// The ratings of both sets.
    pub const fn and(self, other: Ratings) -> Ratings {
        Ratings(self.0 | other.0)
    }

    /// A value if the set has a rating.
    fn only<T: Into<u32>>(self, kind: RatingKind, value: Option<T>) -> Option<u32> {
        value.filter(|_| self.has(kind)).map(T::into)
    }

    /// Adds the ratings of a puzzle with one solution. Above the limit, ER is a lower bound. `explained` is the rating
    /// by Sudoku Explainer's rules, if digging found it already.
    pub(crate) fn rate(self, record: &mut Record, puzzle: &Puzzle, limit: Tenths, explained: Option<SeRating>) {
        self.add_explained(record, puzzle, limit, explained);
        if (self.has(RatingKind::W) || self.has(RatingKind::B))
            && let Some(rating) = whip_rating(puzzle, WHIP_BUDGET)
        {
            record.w = self.only(RatingKind::W, rating.w);
            record.w_upper = self.only(RatingKind::W, rating.w_upper);
            record.b = self.only(RatingKind::B, rating.b);
            record.wb_exact = Some(rating.exact);
        }
        let depth = match (self.has(RatingKind::Te), self.has(RatingKind::Bxb)) {
            (false, false) => None,
            (true, false) => te_depth(puzzle),
            (_, true) => te_depth_and_bxb(puzzle, WHIP_BUDGET),
        };
        if let Some(depth) = depth {
            record.te = self.only(RatingKind::Te, depth.te);
            record.bxb = depth.bxb.map(u32::from);
        }
        if self.has(RatingKind::ErCanonical) {
            record.se_er_canonical_tenths = er_of_canonical_form(puzzle, limit).map(u32::from);
        }
        if self.has(RatingKind::Tridagon) {
            record.tridagon = fewest_guardians(puzzle).map(|guardians| guardians as u32);
        }
    }

    /// Adds ER, EP and ED.
    fn add_explained(self, record: &mut Record, puzzle: &Puzzle, limit: Tenths, explained: Option<SeRating>) {
        let scope = if self.has(RatingKind::Er) {
            Scope::All
        } else if self.has(RatingKind::Ep) || self.has(RatingKind::Ed) {
            Scope::EpEd
        } else {
            return;
        };
        let rating = match explained {
            Some(rating) if rating.exact && rating.er_tenths <= Some(limit.0) => rating,
            _ => explainer::rate(puzzle, &explainer::Options { scope, at_most: Some(limit.0) }),
        };
        record.se_er_tenths = self.only(RatingKind::Er, rating.er_tenths);
        record.se_ep_tenths = self.only(RatingKind::Ep, rating.ep_tenths);
        record.se_ed_tenths = self.only(RatingKind::Ed, rating.ed_tenths);
        record.se_exact = record.se_er_tenths.map(|_| rating.exact);
    }
}

/// ER of the canonical form of a puzzle, which is the same for every isomorph. None above the limit, and for boards
/// that have no canonical form.
fn er_of_canonical_form(puzzle: &Puzzle, limit: Tenths) -> Option<u16> {
    let values = Canonical::of(puzzle)?.cells.map(u16::from).to_vec();
    let form = Puzzle::try_from(Grid::new(puzzle.shape(), values).ok()?).ok()?;
    let rating = explainer::rate(&form, &explainer::Options { scope: Scope::All, at_most: Some(limit.0) });
    rating.er_tenths.filter(|_| rating.exact)
}

impl Default for Ratings {
    fn default() -> Ratings {
        Ratings::SE
    }
}

/// Words separated by commas. `none` may not be combined.
impl FromStr for Ratings {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Ratings, UnknownName> {
        if text.trim() == "none" {
            return Ok(Ratings::NONE);
        }
        let single_ratings = RatingKind::ALL.map(|kind| (kind.name(), Ratings::of(&[kind])));
        let mut ratings = Ratings::NONE;
        for word in text.split(',') {
            let Ok(more) = names::find("rating", word, single_ratings.into_iter().chain(GROUPS)) else {
                let groups = ["none (alone)", "se (er,ep,ed)", "whips (w,b)", "all"];
                let known = RatingKind::ALL.map(RatingKind::name).into_iter().chain(groups);
                return Err(UnknownName::new("rating", word, known));
            };
            ratings = ratings.and(more);
        }
        Ok(ratings)
    }
}

/// The canonical list: one word for each column.
impl fmt::Display for Ratings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on: Vec<&str> = RatingKind::ALL.into_iter().filter(|kind| self.has(*kind)).map(RatingKind::name).collect();
        f.write_str(if on.is_empty() { "none".to_owned() } else { on.join(",") }.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::puzzle;
    use sudoku_corpus_core::board::{Freedom, Isomorphism};
    use sudoku_corpus_core::random::{Rng, Stage};

    #[test]
    fn lists_are_read_and_written() {
        for (text, canonical) in [
            ("none", "none"),
            ("er", "er"),
            ("se", "er,ep,ed"),
            ("ed, ER", "er,ed"),
            ("whips", "w,b"),
            ("all", "er,ep,ed,w,b,te,bxb,er_canonical,tridagon,effort"),
            ("b,er", "er,b"),
        ] {
            let ratings: Ratings = text.parse().unwrap();
            assert_eq!(ratings.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(ratings));
        }
        for wrong in ["", "er,", "er,none", "skfr"] {
            assert!(wrong.parse::<Ratings>().is_err(), "{wrong}");
        }
        assert_eq!(Ratings::default().to_string(), "er,ep,ed");
    }

    #[test]
    fn a_row_gets_the_requested_ratings_and_no_others() {
        // ER 9.8, EP 1.2, ED 1.2; measured with Sudoku Explainer 1.2.1.
        let line = "7.....4...2..7..8...3..8..9...5..3...6..2..9...1..7..6...3..9...3..4..6...9..1..5";
        let puzzle = puzzle(line);
        let rated = |ratings: &str, limit: u16| {
            let mut row = Record::of_puzzle(0, puzzle.clone());
            ratings.parse::<Ratings>().unwrap().rate(&mut row, &puzzle, Tenths(limit), None);
            (row.se_er_tenths, row.se_ep_tenths, row.se_ed_tenths, row.se_exact)
        };
        assert_eq!(rated("se", 104), (Some(98), Some(12), Some(12), Some(true)));
        assert_eq!(rated("ep", 104), (None, Some(12), None, None));
        assert_eq!(rated("er,ed", 95), (Some(97), None, Some(12), Some(false)));
        assert_eq!(rated("none", 104), (None, None, None, None));
    }

    /// One puzzle in two forms, which are rated 8.4 and 8.3.
    #[test]
    fn er_depends_on_the_labelling_and_er_of_the_canonical_form_does_not() {
        let forms = [
            "...4.6..9.5.18..3.6....7.41.7..93.18..............5..7..9..1.73.62.......3.57..6.",
            "39.47...8..........8..2....7..9.3..213..8.5...4..51..........6587..3..4.5..8.2..7",
        ];
        let ratings: Ratings = "er,er_canonical".parse().unwrap();
        let rated = |puzzle: &Puzzle| {
            let mut row = Record::of_puzzle(0, puzzle.clone());
            ratings.rate(&mut row, puzzle, Tenths(104), None);
            (row.se_er_tenths, row.se_er_canonical_tenths)
        };
        let puzzles = forms.map(puzzle);
        let [first, second] = puzzles.each_ref().map(rated);
        assert_eq!((first.0, second.0), (Some(84), Some(83)));
        assert_eq!(first.1, second.1);
        let mut rng = Rng::new(21, 0, Stage::Bench, 0);
        for _ in 0..5 {
            let map = Isomorphism::random(puzzles[0].shape(), Freedom::ALL, &mut rng);
            assert_eq!(rated(&map.apply_to_puzzle(&puzzles[0])).1, first.1);
        }
    }
}
