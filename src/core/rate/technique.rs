//! The techniques as an enum. Each has a row in [`TECHNIQUES`] with all that is known about it.
//!
//! A row has ratings on two scales, which are never mixed: that of Sudoku Explainer 1.2.1, and HoDoKu 2.2.0's score and
//! level. The place in the solving order is HoDoKu's.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::names::UnknownName;

use super::level::Level;
use super::other_names::by_other_name;
use super::table::TECHNIQUES;

/// A human technique. The order is the solving order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // each variant is described by its row in TECHNIQUES
pub enum Technique {
    FullHouse,
    NakedSingle,
    HiddenSingleBox,
    HiddenSingleLine,
    LockedPair,
    LockedTriple,
    Pointing,
    Claiming,
    NakedPair,
    NakedTriple,
    HiddenPair,
    HiddenTriple,
    NakedQuadruple,
    HiddenQuadruple,
    XWing,
    Swordfish,
    Jellyfish,
    RemotePair,
    BugPlusOne,
    Skyscraper,
    DualTwoStringKite,
    TwoStringKite,
    TurbotFish,
    DualEmptyRectangle,
    EmptyRectangle,
    WWing,
    XyWing,
    XyzWing,
    UniquenessTest1,
    UniquenessTest2,
    UniquenessTest3,
    UniquenessTest4,
    UniquenessTest5,
    UniquenessTest6,
    HiddenRectangle,
    AvoidableRectangle1,
    AvoidableRectangle2,
    UniqueLoop6,
    UniqueLoop8,
    UniqueLoop10,
    BugType2,
    BugType3,
    BugType4,
    SiameseFinnedXWing,
    FinnedXWing,
    SiameseSashimiXWing,
    SashimiXWing,
    SiameseFinnedSwordfish,
    FinnedSwordfish,
    SiameseSashimiSwordfish,
    SashimiSwordfish,
    SiameseFinnedJellyfish,
    FinnedJellyfish,
    SiameseSashimiJellyfish,
    SashimiJellyfish,
    SueDeCoq,
    FireworkTriple,
    FireworkQuadruple,
    SimpleColorsTrap,
    SimpleColorsWrap,
    MultiColors1,
    MultiColors2,
    XChain,
    XyChain,
    ContinuousNiceLoop,
    DiscontinuousNiceLoop,
    Aic,
    GroupedContinuousNiceLoop,
    GroupedDiscontinuousNiceLoop,
    GroupedAic,
    RectangleAic,
    AlsContinuousNiceLoop,
    AlsDiscontinuousNiceLoop,
    AlsAic,
    AlsXz,
    AlsXyWing,
    AlsChain,
    DeathBlossom,
    AlignedPair,
    AlignedTriplet,
    Tridagon,
    SkLoop,
    JuniorExocet,
    FrankenXWing,
    FrankenSwordfish,
    FrankenJellyfish,
    SiameseFinnedFrankenXWing,
    FinnedFrankenXWing,
    SiameseFinnedFrankenSwordfish,
    FinnedFrankenSwordfish,
    SiameseFinnedFrankenJellyfish,
    FinnedFrankenJellyfish,
    MutantXWing,
    MutantSwordfish,
    MutantJellyfish,
    SiameseFinnedMutantXWing,
    FinnedMutantXWing,
    SiameseFinnedMutantSwordfish,
    FinnedMutantSwordfish,
    SiameseFinnedMutantJellyfish,
    FinnedMutantJellyfish,
    FinnedMutantWhale,
    MultiSectorLockedSet,
    KrakenFish1,
    KrakenFish2,
    TridagonChain,
    ForcingChainContradiction,
    ForcingChainVerity,
    ForcingNetContradiction,
    ForcingNetVerity,
    TridagonNet,
    TemplateSet,
    TemplateDelete,
}

/// A family of techniques, with a name of its own in ladders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Family {
    /// A cell with one digit, or a digit with one place.
    Singles,
    /// The cells that a box and a line share.
    Intersections,
    /// As many digits as cells in a house.
    Subsets,
    /// For one digit, as many base houses as cover houses.
    Fish,
    /// Two strong links of one digit.
    SingleDigit,
    /// Two or three cells with two or three candidates.
    Wings,
    /// Chains of implications, one after another.
    Chains,
    /// Almost locked sets that take digits from each other.
    AlmostLocked,
    /// Candidates that fit no possible combination of a few cells.
    Exclusion,
    /// Results that follow from every choice, and choices that lead to a contradiction.
    LastResort,
    /// Strong links of one digit in two colors.
    Coloring,
    /// Sound only for puzzles with one solution.
    Uniqueness,
    /// Several digits in several boxes together. HoDoKu has none of these.
    Exotic,
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
    pub const COUNT: usize = Technique::TemplateDelete as usize + 1;

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
    /// [`MOST_CANDIDATES`](super::MOST_CANDIDATES) candidates.
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

impl Family {
    /// Every family that has techniques.
    pub fn all() -> impl Iterator<Item = Family> {
        TECHNIQUES.iter().map(|info| info.family).collect::<BTreeSet<Family>>().into_iter()
    }

    /// The name in ladders.
    pub const fn code(self) -> &'static str {
        match self {
            Family::Singles => "singles",
            Family::Intersections => "intersections",
            Family::Subsets => "subsets",
            Family::Fish => "fish",
            Family::SingleDigit => "single_digit",
            Family::Coloring => "coloring",
            Family::Uniqueness => "uniqueness",
            Family::Wings => "wings",
            Family::Chains => "chains",
            Family::AlmostLocked => "almost_locked",
            Family::Exclusion => "exclusion",
            Family::LastResort => "last_resort",
            Family::Exotic => "exotic",
        }
    }
}

/// The form in which names are compared: lower case, with underscores for blanks and dashes.
pub(super) fn normal(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rate::other_names::{HODOKU_NAMES, SPECIAL_NAMES};

    #[test]
    fn rows_are_at_their_technique_in_solving_order() {
        for (at, info) in TECHNIQUES.iter().enumerate() {
            assert_eq!(info.technique as usize, at, "{}", info.code);
            assert!(!info.pattern.is_empty() && !info.reference.is_empty());
        }
        assert!(TECHNIQUES.is_sorted_by_key(|info| info.order));
    }

    /// Compares with the base ratings of the Sudoku Explainer rater, plus the tenths in the third field: a pattern of
    /// type 3 rates higher, because it needs a subset of at least two cells.
    #[test]
    fn ratings_of_sudoku_explainer_are_those_of_its_rules() {
        use crate::rate::explainer::HintKind as Rule;
        let loops = |length| Rule::UniqueLoop(1, length);
        let (static_chains, dynamic) = (-1, 0);
        let rules: [(Technique, Rule, u16); 40] = [
            (Technique::FullHouse, Rule::LastValue, 0),
            (Technique::NakedSingle, Rule::NakedSingle, 0),
            (Technique::HiddenSingleBox, Rule::HiddenSingleBlock, 0),
            (Technique::HiddenSingleLine, Rule::HiddenSingleLine, 0),
            (Technique::Pointing, Rule::Pointing, 0),
            (Technique::Claiming, Rule::Claiming, 0),
            (Technique::NakedPair, Rule::NakedPair, 0),
            (Technique::NakedTriple, Rule::NakedTriplet, 0),
            (Technique::NakedQuadruple, Rule::NakedQuad, 0),
            (Technique::HiddenPair, Rule::HiddenPair, 0),
            (Technique::HiddenTriple, Rule::HiddenTriplet, 0),
            (Technique::HiddenQuadruple, Rule::HiddenQuad, 0),
            (Technique::XWing, Rule::XWing, 0),
            (Technique::Swordfish, Rule::Swordfish, 0),
            (Technique::Jellyfish, Rule::Jellyfish, 0),
            (Technique::XyWing, Rule::XyWing, 0),
            (Technique::XyzWing, Rule::XyzWing, 0),
            (Technique::UniquenessTest1, loops(4), 0),
            (Technique::UniquenessTest2, loops(4), 0),
            (Technique::UniquenessTest3, loops(4), 1),
            (Technique::UniquenessTest4, loops(4), 0),
            (Technique::UniquenessTest5, loops(4), 0),
            (Technique::UniqueLoop6, loops(6), 0),
            (Technique::UniqueLoop8, loops(8), 0),
            (Technique::UniqueLoop10, loops(10), 0),
            (Technique::BugPlusOne, Rule::Bug(1), 0),
            (Technique::BugType2, Rule::Bug(2), 0),
            (Technique::BugType3, Rule::Bug(3), 1),
            (Technique::BugType4, Rule::Bug(4), 0),
            (Technique::AlignedPair, Rule::AlignedPairExclusion, 0),
            (Technique::AlignedTriplet, Rule::AlignedTripletExclusion, 0),
            (Technique::XChain, Rule::ForcingXChain, 0),
            (Technique::XyChain, Rule::ForcingChain, 0),
            (Technique::ContinuousNiceLoop, Rule::BidirectionalCycle, 0),
            (Technique::DiscontinuousNiceLoop, Rule::ForcingChain, 0),
            (Technique::Aic, Rule::ForcingChain, 0),
            (Technique::ForcingChainVerity, Rule::CellForcingChains(static_chains), 0),
            (Technique::ForcingChainVerity, Rule::RegionForcingChains(static_chains), 0),
            (Technique::ForcingNetContradiction, Rule::ContradictionForcingChain(dynamic), 0),
            (Technique::ForcingNetVerity, Rule::RegionForcingChains(dynamic), 0),
        ];
        for (technique, kind, more) in rules {
            assert_eq!(technique.info().se_tenths, Some(kind.tenths() + more), "{technique}");
        }
        let rated = TECHNIQUES.iter().filter(|info| info.se_tenths.is_some());
        assert!(rated.into_iter().all(|info| rules.iter().any(|rule| rule.0 == info.technique)));
    }

    #[test]
    fn codes_are_unique_column_names() {
        let codes: HashSet<&str> = TECHNIQUES.iter().map(|info| info.code).collect();
        assert_eq!(codes.len(), Technique::COUNT);
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
