//! What the table of techniques says about each technique.

use std::fmt;
use std::str::FromStr;

use crate::names;
use crate::names::UnknownName;

use super::rating::Level;
pub use super::table::{TECHNIQUES, Technique};

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

/// One row of [`TECHNIQUES`].
#[derive(Clone, Copy, Debug)]
pub struct TechniqueInfo {
    /// The technique.
    pub technique: Technique,
    /// Stable code. Corpora count uses in the column `n_<code>`.
    pub code: &'static str,
    /// The name that players use.
    pub name: &'static str,
    /// The family.
    pub family: Family,
    /// The lowest rating, in tenths, that Sudoku Explainer 1.2.1 gives to its rule for this technique. Longer chains
    /// and larger sets rate higher. None when that program has no counterpart.
    pub se_tenths: Option<u16>,
    /// Score of one step by HoDoKu 2.2.0.
    pub score: u32,
    /// Level of a step by HoDoKu 2.2.0.
    pub level: Level,
    /// Place in HoDoKu 2.2.0's solving order. Techniques with the same place are one rung of a ladder.
    pub order: u16,
    /// Code in HoDoKu's library of cases.
    pub code_in_library: &'static str,
    /// True when the default ladder has the technique, because HoDoKu 2.2.0 uses it by default.
    pub is_default: bool,
    /// What the technique looks for and what follows, in one line.
    pub pattern: &'static str,
    /// Where it is described.
    pub reference: &'static str,
}

impl TechniqueInfo {
    /// True when HoDoKu 2.2.0 knows the technique. The score, level and place of others are ours.
    pub fn is_of_hodoku(&self) -> bool {
        self.code_in_library.starts_with(|first: char| first.is_ascii_digit())
    }
}

impl Technique {
    /// Number of techniques.
    pub const COUNT: usize = TECHNIQUES.len();

    /// Every technique in solving order.
    pub fn all() -> impl Iterator<Item = Technique> {
        TECHNIQUES.iter().map(|info| info.technique)
    }

    /// The row of the table.
    #[inline]
    pub const fn info(self) -> &'static TechniqueInfo {
        &TECHNIQUES[self as usize]
    }

    /// The largest order of boards on which the technique is searched for. On open boards above 9x9 a step by chains
    /// through sets or rectangles, or by assumptions, takes seconds. Above 16x16 so do chains and large fish. From
    /// 10x10 on, the techniques that stop at 16x16 are searched only when the board has at most
    /// [`MOST_CANDIDATES`](crate::rate::MOST_CANDIDATES) candidates.
    pub const fn largest_order(self) -> usize {
        match self.info().family {
            _ if matches!(self, Technique::KrakenFish1 | Technique::KrakenFish2 | Technique::RectangleAic) => 9,
            Family::AlmostLocked | Family::Exclusion | Family::LastResort | Family::Exotic => 9,
            Family::Chains | Family::Coloring | Family::Uniqueness => 16,
            Family::Fish if !matches!(self, Technique::XWing | Technique::Swordfish | Technique::Jellyfish) => 16,
            _ => 36,
        }
    }

    /// The stable code, as in `n_<code>`.
    pub const fn code(self) -> &'static str {
        self.info().code
    }

    /// The name that players use.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The measure of hardness: the level, then the place in the table.
    pub const fn rank(self) -> (Level, Technique) {
        (self.info().level, self)
    }
}

/// The form in which names are compared: lower case, with underscores for blanks and dashes.
pub(crate) fn normal(text: &str) -> String {
    text.trim().to_ascii_lowercase().replace(['-', ' '], "_")
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Technique {
    type Err = UnknownName;

    /// Reads a code, a name, HoDoKu's or another name, in upper or lower case, with `-`, `_` or blanks: `x_wing`,
    /// `x-wing`, `X-Wing`.
    fn from_str(text: &str) -> Result<Technique, UnknownName> {
        let wanted = normal(text);
        let ours = Technique::all().find(|technique| wanted == technique.code() || wanted == normal(technique.name()));
        let other = || match by_other_name(&wanted) {
            Some(&[technique]) => Some(technique),
            _ => None,
        };
        ours.or_else(other).ok_or_else(|| UnknownName::new("technique", text, Technique::all().map(Technique::code)))
    }
}

/// Names of HoDoKu 2.2.0 that differ from ours. A name for a group stands for each of its techniques.
const HODOKU_NAMES: [(&str, &[Technique]); 16] = [
    ("Hidden Single", &[Technique::HiddenSingleBox, Technique::HiddenSingleLine]),
    ("Locked Candidates", &[Technique::Pointing, Technique::Claiming]),
    ("Locked Candidates Type 1 (Pointing)", &[Technique::Pointing]),
    ("Locked Candidates Type 2 (Claiming)", &[Technique::Claiming]),
    ("Avoidable Rectangle Type 1", &[Technique::AvoidableRectangle1]),
    ("Avoidable Rectangle Type 2", &[Technique::AvoidableRectangle2]),
    ("Simple Colors", &[Technique::SimpleColorsTrap, Technique::SimpleColorsWrap]),
    ("Multi Colors", &[Technique::MultiColors1, Technique::MultiColors2]),
    ("Nice Loop/AIC", &[Technique::ContinuousNiceLoop, Technique::DiscontinuousNiceLoop, Technique::Aic]),
    (
        "Grouped Nice Loop/AIC",
        &[Technique::GroupedContinuousNiceLoop, Technique::GroupedDiscontinuousNiceLoop, Technique::GroupedAic],
    ),
    ("Almost Locked Set XZ-Rule", &[Technique::AlsXz]),
    ("Almost Locked Set XY-Wing", &[Technique::AlsXyWing]),
    ("Almost Locked Set Chain", &[Technique::AlsChain]),
    ("Kraken Fish", &[Technique::KrakenFish1, Technique::KrakenFish2]),
    ("Forcing Chain", &[Technique::ForcingChainContradiction, Technique::ForcingChainVerity]),
    ("Forcing Net", &[Technique::ForcingNetContradiction, Technique::ForcingNetVerity]),
];

/// Names that players use for special cases of techniques: the techniques that find them, and what they are.
pub const SPECIAL_NAMES: [(&str, &[Technique], &str); 3] = [
    (
        "WXYZ-Wing",
        &[Technique::AlsXz],
        "an ALS-XZ whose two sets have 4 cells and 4 digits together, and which removes one digit; such steps are named so",
    ),
    (
        "ALS-W-Wing",
        &[Technique::AlsDiscontinuousNiceLoop, Technique::AlsAic],
        "two almost locked sets share two digits, of which one is removed from both by the ends of a strong link: a short chain through sets",
    ),
    (
        "3D Medusa",
        &[Technique::ContinuousNiceLoop, Technique::DiscontinuousNiceLoop, Technique::Aic],
        "two colors along strong links of all digits: chains find each of its eliminations, but not that a color is false because it \
         empties a cell",
    ),
];

/// The techniques that HoDoKu 2.2.0 or players call by a name, in the form of [`normal`]. None where the name is ours.
pub(crate) fn by_other_name(wanted: &str) -> Option<&'static [Technique]> {
    let special = SPECIAL_NAMES.iter().map(|&(name, techniques, _)| (name, techniques));
    let mut names = HODOKU_NAMES.into_iter().chain(special);
    names.find(|(name, _)| normal(name) == wanted).map(|(_, techniques)| techniques)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Compares with the base ratings of the Sudoku Explainer rater, plus the tenths in the third field: a pattern of
    /// type 3 rates higher, because it needs a subset of at least two cells.
    #[test]
    fn ratings_of_sudoku_explainer_are_those_of_its_rules() {
        use crate::rate::explainer::HintKind as Rule;
        use Technique as T;
        let loops = |length| Rule::UniqueLoop(1, length);
        let (static_chains, dynamic) = (-1, 0);
        let rectangles = [T::UniquenessTest1, T::UniquenessTest2, T::UniquenessTest4, T::UniquenessTest5];
        let rules = rectangles.map(|test| (test, loops(4), 0)).into_iter().chain([
            (T::FullHouse, Rule::LastValue, 0),
            (T::NakedSingle, Rule::NakedSingle, 0),
            (T::HiddenSingleBox, Rule::HiddenSingleBlock, 0),
            (T::HiddenSingleLine, Rule::HiddenSingleLine, 0),
            (T::Pointing, Rule::Pointing, 0),
            (T::Claiming, Rule::Claiming, 0),
            (T::NakedPair, Rule::NakedPair, 0),
            (T::NakedTriple, Rule::NakedTriplet, 0),
            (T::NakedQuadruple, Rule::NakedQuad, 0),
            (T::HiddenPair, Rule::HiddenPair, 0),
            (T::HiddenTriple, Rule::HiddenTriplet, 0),
            (T::HiddenQuadruple, Rule::HiddenQuad, 0),
            (T::XWing, Rule::XWing, 0),
            (T::Swordfish, Rule::Swordfish, 0),
            (T::Jellyfish, Rule::Jellyfish, 0),
            (T::XyWing, Rule::XyWing, 0),
            (T::XyzWing, Rule::XyzWing, 0),
            (T::UniquenessTest3, loops(4), 1),
            (T::UniqueLoop6, loops(6), 0),
            (T::UniqueLoop8, loops(8), 0),
            (T::UniqueLoop10, loops(10), 0),
            (T::BugPlusOne, Rule::Bug(1), 0),
            (T::BugType2, Rule::Bug(2), 0),
            (T::BugType3, Rule::Bug(3), 1),
            (T::BugType4, Rule::Bug(4), 0),
            (T::AlignedPair, Rule::AlignedPairExclusion, 0),
            (T::AlignedTriplet, Rule::AlignedTripletExclusion, 0),
            (T::XChain, Rule::ForcingXChain, 0),
            (T::XyChain, Rule::ForcingChain, 0),
            (T::ContinuousNiceLoop, Rule::BidirectionalCycle, 0),
            (T::DiscontinuousNiceLoop, Rule::ForcingChain, 0),
            (T::Aic, Rule::ForcingChain, 0),
            (T::ForcingChainVerity, Rule::CellForcingChains(static_chains), 0),
            (T::ForcingChainVerity, Rule::RegionForcingChains(static_chains), 0),
            (T::ForcingNetContradiction, Rule::ContradictionForcingChain(dynamic), 0),
            (T::ForcingNetVerity, Rule::RegionForcingChains(dynamic), 0),
        ]);
        let mut rated = HashSet::new();
        for (technique, kind, more) in rules {
            assert_eq!(technique.info().se_tenths, Some(kind.tenths() + more), "{technique}");
            rated.insert(technique);
        }
        assert_eq!(rated.len(), TECHNIQUES.iter().filter(|info| info.se_tenths.is_some()).count());
    }

    #[test]
    fn codes_are_unique_column_names_in_solving_order() {
        let codes: HashSet<&str> = TECHNIQUES.iter().map(|info| info.code).collect();
        assert_eq!(codes.len(), Technique::COUNT);
        assert!(TECHNIQUES.is_sorted_by_key(|info| info.order));
        let plain =
            |code: &str| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        assert!(codes.into_iter().all(plain));
    }

    #[test]
    fn names_and_codes_parse_in_every_spelling() {
        for technique in Technique::all() {
            assert_eq!(technique.code().parse(), Ok(technique));
            assert_eq!(technique.code().replace('_', "-").parse(), Ok(technique));
            assert_eq!(technique.name().parse(), Ok(technique));
        }
        assert_eq!("Almost Locked Set XZ-Rule".parse(), Ok(Technique::AlsXz));
        assert_eq!("locked candidates type 2 (claiming)".parse(), Ok(Technique::Claiming));
        let special = SPECIAL_NAMES.map(|(name, techniques, _)| (name, techniques));
        for (name, techniques) in HODOKU_NAMES.into_iter().chain(special) {
            assert_eq!(name.parse().ok(), if techniques.len() == 1 { Some(techniques[0]) } else { None }, "{name}");
        }
        let error = "swordfisch".parse::<Technique>().unwrap_err().to_string();
        assert_eq!(error, "unknown technique 'swordfisch'; did you mean 'swordfish'?");
    }
}
