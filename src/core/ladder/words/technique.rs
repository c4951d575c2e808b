//! What the table says of a technique, the chains that it takes, and the names by which it is found.

use std::fmt;
use std::str::FromStr;

use crate::board::Shape;
use crate::names::UnknownName;

use super::family::Family;
use super::level::Level;
use super::table::{TECHNIQUES, Technique, TechniqueInfo};

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

    /// The largest order of boards on which the technique is searched for. On larger open boards a step takes seconds.
    /// From 10x10 on, the techniques that stop at 16x16 are searched only when the board has at most
    /// [`MOST_CANDIDATES`](crate::ladder::climb::find::MOST_CANDIDATES) candidates.
    pub(crate) const fn largest_order(self) -> usize {
        match self {
            // They follow chains from every candidate, or through every rectangle.
            Technique::KrakenFish1 | Technique::KrakenFish2 | Technique::RectangleAic => return 9,
            Technique::XWing | Technique::Swordfish | Technique::Jellyfish => return 36,
            _ => {}
        }
        match self.info().family {
            // Pairs and chains of sets; combinations of candidates; assumptions.
            Family::AlmostLocked | Family::Exclusion | Family::LastResort => 9,
            // Its patterns are described for 9x9 boards.
            Family::Exotic => 9,
            // Chains of candidates, through sets too, and large fish.
            Family::Chains | Family::Coloring | Family::Uniqueness | Family::Fish => 16,
            Family::Singles | Family::Intersections | Family::Subsets | Family::SingleDigit | Family::Wings => 36,
        }
    }

    /// True when the ladder searches for the technique on boards of a shape. All are searched on boards up to 9x9.
    #[inline]
    pub fn is_searched_on(self, shape: Shape) -> bool {
        let order = shape.order();
        let exchanges = self.info().family == Family::Uniqueness;
        match self {
            _ if order > 9 && order > self.largest_order() => false,
            // Where cells see each other by a move, the digits of a pattern cannot be exchanged: others see its cells.
            _ if exchanges && shape.rules().is_some_and(|rules| !rules.pairs.is_empty()) => false,
            // All digits of a house, or all lines of a board, are no pattern.
            Technique::NakedQuadruple | Technique::HiddenQuadruple | Technique::Jellyfish => order > 4,
            Technique::SkLoop | Technique::JuniorExocet | Technique::MultiSectorLockedSet => shape == Shape::NINE,
            _ => !self.is_of_jigsaws() || shape.regions().is_some(),
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

    /// True for the law of leftovers, which is for jigsaws only.
    pub(crate) const fn is_of_jigsaws(self) -> bool {
        matches!(self, Technique::LawOfLeftovers2 | Technique::LawOfLeftovers3 | Technique::LawOfLeftovers4)
    }

    /// The measure of hardness: the level, then the place in the table.
    pub const fn rank(self) -> (Level, Technique) {
        (self.info().level, self)
    }

    /// The chains that the technique takes. None for techniques that are no loops or alternating inference chains.
    pub(crate) fn chain_kinds(self) -> Option<ChainKinds> {
        Some(match self {
            Technique::XyChain => ChainKinds::aics(LinkType::Pairs),
            Technique::ContinuousNiceLoop => ChainKinds::continuous(LinkType::Plain),
            Technique::DiscontinuousNiceLoop => ChainKinds::discontinuous(LinkType::Plain),
            Technique::Aic => ChainKinds::aics(LinkType::Plain),
            Technique::GroupedContinuousNiceLoop => ChainKinds::continuous(LinkType::Grouped),
            Technique::GroupedDiscontinuousNiceLoop => ChainKinds::discontinuous(LinkType::Grouped),
            Technique::GroupedAic => ChainKinds::aics(LinkType::Grouped),
            Technique::AlsContinuousNiceLoop => ChainKinds::continuous(LinkType::AlmostLocked),
            Technique::AlsDiscontinuousNiceLoop => ChainKinds::discontinuous(LinkType::AlmostLocked),
            Technique::AlsAic => ChainKinds::aics(LinkType::AlmostLocked),
            Technique::RectangleAic => {
                ChainKinds { links: LinkType::Rectangles, continuous: true, discontinuous: true, aics: true }
            }
            _ => return None,
        })
    }

    /// The links of its chains. None for techniques that are no loops or alternating inference chains.
    pub(crate) fn link_type(self) -> Option<LinkType> {
        self.chain_kinds().map(|kinds| kinds.links)
    }
}

/// Which links chains may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LinkType {
    /// Links between cells with two candidates only.
    Pairs,
    /// Links between any two candidates.
    Plain,
    /// Also links of groups: the candidates of a digit that a box and a line share.
    Grouped,
    /// Also links through almost locked sets.
    AlmostLocked,
    /// Also links through almost unique rectangles.
    Rectangles,
}

impl LinkType {
    pub(crate) const COUNT: usize = 5;

    /// True if chains may use links of groups.
    pub(crate) const fn has_groups(self) -> bool {
        matches!(self, LinkType::Grouped | LinkType::AlmostLocked | LinkType::Rectangles)
    }
}

/// The chains that a technique takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainKinds {
    pub(crate) links: LinkType,
    pub(crate) continuous: bool,
    pub(crate) discontinuous: bool,
    /// Alternating inference chains.
    pub(crate) aics: bool,
}

impl ChainKinds {
    fn continuous(links: LinkType) -> ChainKinds {
        ChainKinds { links, continuous: true, discontinuous: false, aics: false }
    }

    fn discontinuous(links: LinkType) -> ChainKinds {
        ChainKinds { links, continuous: false, discontinuous: true, aics: false }
    }

    fn aics(links: LinkType) -> ChainKinds {
        ChainKinds { links, continuous: false, discontinuous: false, aics: true }
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
    /// `x-wing`, `X-Wing`. A name of several techniques is an error.
    fn from_str(text: &str) -> Result<Technique, UnknownName> {
        // Rows have codes, and there are many rows.
        if let Some(technique) = Technique::all().find(|technique| technique.code() == text) {
            return Ok(technique);
        }
        let wanted = normal(text);
        let ours = Technique::all().find(|technique| wanted == technique.code() || wanted == normal(technique.name()));
        if let Some(technique) = ours {
            return Ok(technique);
        }
        if let Some(&[technique]) = by_other_name(&wanted) {
            return Ok(technique);
        }
        Err(UnknownName::new("technique", text, Technique::all().map(Technique::code)))
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

/// The techniques that HoDoKu 2.2.0 or players call by a name, in the form of [`normal`]. None for our own names and
/// unknown ones.
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
        use crate::explainer::{ChainLevel, HintKind as Rule};
        use Technique as T;
        let loops = |length| Rule::UniqueLoop(1, length);
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
            (T::ForcingChainVerity, Rule::CellForcingChains(ChainLevel::Static), 0),
            (T::ForcingChainVerity, Rule::RegionForcingChains(ChainLevel::Static), 0),
            (T::ForcingNetContradiction, Rule::ContradictionForcingChain(ChainLevel::Dynamic), 0),
            (T::ForcingNetVerity, Rule::RegionForcingChains(ChainLevel::Dynamic), 0),
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
