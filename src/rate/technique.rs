//! The techniques: one enum, one table. A row says everything that rows of a corpus, help texts, docs and tests need.
//!
//! To add a technique: a variant, a row at its place in solving order, and an arm in [`super::find`] that calls the
//! function of its family. Tests loop over the table, so the new row is tested by them at once.
//!
//! Three numbers stand in a row and are never mixed: Sudoku Explainer 1.2.1's rating, HoDoKu 2.2.0's score and level,
//! and the place in our solving order, which is HoDoKu's.

use std::fmt;
use std::str::FromStr;

use super::level::Level::{self, Easy, Extreme, Hard, Medium, Unfair};
use super::nearest;
use Family::{
    AlmostLocked, Chains, Coloring, Exclusion, Fish, Intersections, LastResort, SingleDigit, Singles, Subsets,
    Uniqueness, Wings,
};

/// A way in which a person draws a conclusion. The order is the solving order.
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
    AlsContinuousNiceLoop,
    AlsDiscontinuousNiceLoop,
    AlsAic,
    AlsXz,
    AlsXyWing,
    AlsChain,
    DeathBlossom,
    AlignedPair,
    AlignedTriplet,
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
    ForcingChainContradiction,
    ForcingChainVerity,
    ForcingNetContradiction,
    ForcingNetVerity,
    TemplateSet,
    TemplateDelete,
}

/// Techniques that share a file, and may be named together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Family {
    /// A digit with one place, or a cell with one digit.
    Singles,
    /// What a box and a line have in common.
    Intersections,
    /// As many digits as cells.
    Subsets,
    /// As many lines as crossing lines, for one digit.
    Fish,
    /// Two strong links of one digit.
    SingleDigit,
    /// Two or three cells with two or three candidates.
    Wings,
    /// Chains of implications, one after another.
    Chains,
    /// Almost locked sets that take digits from each other.
    AlmostLocked,
    /// Cells that leave each other no combination.
    Exclusion,
    /// Everything that follows from a choice.
    LastResort,
    /// Strong links of one digit in two colors.
    Coloring,
    /// Sound only for puzzles with one solution.
    Uniqueness,
}

/// One row of [`TECHNIQUES`].
#[derive(Clone, Copy, Debug)]
pub struct TechniqueInfo {
    /// The technique.
    pub technique: Technique,
    /// Stable code; rows of a corpus count uses in the column `n_<code>`.
    pub code: &'static str,
    /// The name that players use.
    pub name: &'static str,
    /// The family.
    pub family: Family,
    /// Rating in tenths by Sudoku Explainer 1.2.1; none when that program does not know the technique.
    pub se_tenths: Option<u16>,
    /// Score of one step by HoDoKu 2.2.0.
    pub score: u32,
    /// Level of a step by HoDoKu 2.2.0.
    pub level: Level,
    /// Place in HoDoKu 2.2.0's solving order. Techniques with the same place are one rung of a ladder.
    pub order: u16,
    /// Code in HoDoKu's library of cases.
    pub library: &'static str,
    /// What one sees and what follows, in one line.
    pub pattern: &'static str,
    /// Where it is described.
    pub reference: &'static str,
}

#[rustfmt::skip]
const fn row(
    technique: Technique, code: &'static str, name: &'static str, family: Family,
    (se, score, level, order, library): (u16, u32, Level, u16, &'static str),
    pattern: &'static str, reference: &'static str,
) -> TechniqueInfo {
    let se_tenths = if se == 0 { None } else { Some(se) };
    TechniqueInfo { technique, code, name, family, se_tenths, score, level, order, library, pattern, reference }
}

/// Every technique in solving order: (SE tenths or 0, HoDoKu score, level, order, library code).
#[rustfmt::skip]
pub const TECHNIQUES: [TechniqueInfo; Technique::COUNT] = [
    row(Technique::FullHouse, "full_house", "Full House", Singles, (10, 4, Easy, 100, "0000"),
        "the last open cell of a house takes the digit that the house lacks",
        "Sudopedia, Full House"),
    row(Technique::NakedSingle, "naked_single", "Naked Single", Singles, (23, 4, Easy, 200, "0003"),
        "a cell with one candidate takes it",
        "Sudopedia, Naked Single"),
    row(Technique::HiddenSingleBox, "hidden_single_box", "Hidden Single (box)", Singles, (12, 14, Easy, 300, "0002"),
        "a digit with one place in a box goes there",
        "Sudopedia, Hidden Single"),
    row(Technique::HiddenSingleLine, "hidden_single_line", "Hidden Single (line)", Singles, (15, 14, Easy, 300, "0002"),
        "a digit with one place in a row or column goes there",
        "Sudopedia, Hidden Single"),
    row(Technique::LockedPair, "locked_pair", "Locked Pair", Intersections, (0, 40, Medium, 1000, "0110"),
        "a naked pair inside a box and a line that both still hold its digits elsewhere",
        "HoDoKu, Intersections: Locked Pair"),
    row(Technique::LockedTriple, "locked_triple", "Locked Triple", Intersections, (0, 60, Medium, 1100, "0111"),
        "a naked triple inside a box and a line that both still hold its digits elsewhere",
        "HoDoKu, Intersections: Locked Triple"),
    row(Technique::Pointing, "pointing", "Locked Candidates 1 (Pointing)", Intersections, (26, 50, Medium, 1200, "0100"),
        "all places of a digit in a box lie on one line: none elsewhere on the line",
        "Sudopedia, Locked Candidates"),
    row(Technique::Claiming, "claiming", "Locked Candidates 2 (Claiming)", Intersections, (28, 50, Medium, 1210, "0101"),
        "all places of a digit on a line lie in one box: none elsewhere in the box",
        "Sudopedia, Locked Candidates"),
    row(Technique::NakedPair, "naked_pair", "Naked Pair", Subsets, (30, 60, Medium, 1300, "0200"),
        "2 cells of a house with 2 candidates between them: none of these elsewhere in the house",
        "Sudopedia, Naked Subset"),
    row(Technique::NakedTriple, "naked_triple", "Naked Triple", Subsets, (36, 80, Medium, 1400, "0201"),
        "3 cells of a house with 3 candidates between them: none of these elsewhere in the house",
        "Sudopedia, Naked Subset"),
    row(Technique::HiddenPair, "hidden_pair", "Hidden Pair", Subsets, (34, 70, Medium, 1500, "0210"),
        "2 digits with 2 places between them in a house: no other candidate in these cells",
        "Sudopedia, Hidden Subset"),
    row(Technique::HiddenTriple, "hidden_triple", "Hidden Triple", Subsets, (40, 100, Medium, 1600, "0211"),
        "3 digits with 3 places between them in a house: no other candidate in these cells",
        "Sudopedia, Hidden Subset"),
    row(Technique::NakedQuadruple, "naked_quadruple", "Naked Quadruple", Subsets, (50, 120, Hard, 2000, "0202"),
        "4 cells of a house with 4 candidates between them: none of these elsewhere in the house",
        "Sudopedia, Naked Subset"),
    row(Technique::HiddenQuadruple, "hidden_quadruple", "Hidden Quadruple", Subsets, (54, 150, Hard, 2100, "0212"),
        "4 digits with 4 places between them in a house: no other candidate in these cells",
        "Sudopedia, Hidden Subset"),
    row(Technique::XWing, "x_wing", "X-Wing", Fish, (32, 140, Hard, 2200, "0300"),
        "2 parallel lines whose places for a digit lie on 2 crossing lines: none elsewhere on those",
        "Sudopedia, X-Wing"),
    row(Technique::Swordfish, "swordfish", "Swordfish", Fish, (38, 150, Hard, 2300, "0301"),
        "3 parallel lines whose places for a digit lie on 3 crossing lines: none elsewhere on those",
        "Sudopedia, Swordfish"),
    row(Technique::Jellyfish, "jellyfish", "Jellyfish", Fish, (52, 160, Hard, 2400, "0302"),
        "4 parallel lines whose places for a digit lie on 4 crossing lines: none elsewhere on those",
        "Sudopedia, Jellyfish"),
    row(Technique::RemotePair, "remote_pair", "Remote Pair", Chains, (0, 110, Hard, 2800, "0703"),
        "a row of cells with the same two candidates, each seeing the next: neither where two cells of opposite kind are seen",
        "Sudopedia, Remote Pair"),
    row(Technique::BugPlusOne, "bug_plus_one", "Bivalue Universal Grave + 1", Uniqueness, (56, 100, Hard, 2900, "0610"),
        "all open cells have two candidates, each digit is twice in every house, but for one candidate of one cell: it takes that",
        "Sudopedia, Bivalue Universal Grave"),
    row(Technique::Skyscraper, "skyscraper", "Skyscraper", SingleDigit, (0, 130, Hard, 3000, "0400"),
        "two parallel lines with two places for a digit, one pair of ends on one crossing line: none where both other ends are seen",
        "Sudopedia, Skyscraper"),
    row(Technique::DualTwoStringKite, "dual_two_string_kite", "Dual 2-String Kite", SingleDigit, (0, 150, Hard, 3095, "0404"),
        "two 2-string kites with the same two places in the box",
        "HoDoKu, Single Digit Patterns: 2-String Kite"),
    row(Technique::TwoStringKite, "two_string_kite", "2-String Kite", SingleDigit, (0, 150, Hard, 3100, "0401"),
        "a row and a column with two places for a digit, one end of each in the same box: none where both other ends are seen",
        "Sudopedia, 2-String Kite"),
    row(Technique::TurbotFish, "turbot_fish", "Turbot Fish", SingleDigit, (0, 120, Hard, 3120, "0403"),
        "two houses with two places for a digit, one end of each seeing the other: none where both other ends are seen",
        "Sudopedia, Turbot Fish"),
    row(Technique::DualEmptyRectangle, "dual_empty_rectangle", "Dual Empty Rectangle", SingleDigit, (0, 120, Hard, 3165, "0405"),
        "two empty rectangles with the same box",
        "HoDoKu, Single Digit Patterns: Empty Rectangle"),
    row(Technique::EmptyRectangle, "empty_rectangle", "Empty Rectangle", SingleDigit, (0, 120, Hard, 3170, "0402"),
        "a box whose places for a digit lie on a row and a column, and a line with two places, one of them on the row: none where the other meets the column",
        "Sudopedia, Empty Rectangle"),
    row(Technique::WWing, "w_wing", "W-Wing", Wings, (0, 150, Hard, 3200, "0803"),
        "two cells with the same two candidates, tied by a house with two places for one: the other goes where both are seen",
        "Sudopedia, W-Wing"),
    row(Technique::XyWing, "xy_wing", "XY-Wing", Wings, (42, 160, Hard, 3300, "0800"),
        "a cell xy that sees cells xz and yz: no z where both are seen",
        "Sudopedia, XY-Wing"),
    row(Technique::XyzWing, "xyz_wing", "XYZ-Wing", Wings, (44, 180, Hard, 3400, "0801"),
        "a cell xyz that sees cells xz and yz: no z where all three are seen",
        "Sudopedia, XYZ-Wing"),
    row(Technique::UniquenessTest1, "uniqueness_test_1", "Uniqueness Test 1", Uniqueness, (45, 100, Hard, 3500, "0600"),
        "a rectangle of two digits in two boxes, one cell with more candidates: it takes one of these",
        "Sudopedia, Uniqueness Test"),
    row(Technique::UniquenessTest2, "uniqueness_test_2", "Uniqueness Test 2", Uniqueness, (45, 100, Hard, 3600, "0601"),
        "a rectangle of two digits in two boxes, two cells of a line with the same one further candidate: none where both are seen",
        "Sudopedia, Uniqueness Test"),
    row(Technique::UniquenessTest3, "uniqueness_test_3", "Uniqueness Test 3", Uniqueness, (45, 100, Hard, 3700, "0602"),
        "a rectangle of two digits in two boxes, whose further candidates in two cells of a house complete a naked subset",
        "Sudopedia, Uniqueness Test"),
    row(Technique::UniquenessTest4, "uniqueness_test_4", "Uniqueness Test 4", Uniqueness, (45, 100, Hard, 3800, "0603"),
        "a rectangle of two digits in two boxes, one digit locked in the two cells with more candidates: the other is ruled out there",
        "Sudopedia, Uniqueness Test"),
    row(Technique::UniquenessTest5, "uniqueness_test_5", "Uniqueness Test 5", Uniqueness, (0, 100, Hard, 3900, "0604"),
        "a rectangle of two digits in two boxes, two opposite cells or three with the same one further candidate: none where all are seen",
        "Sudopedia, Uniqueness Test"),
    row(Technique::UniquenessTest6, "uniqueness_test_6", "Uniqueness Test 6", Uniqueness, (0, 100, Hard, 4000, "0605"),
        "a rectangle of two digits in two boxes, further candidates in two opposite cells, one digit with no other place on two of the lines: not in these cells",
        "Sudopedia, Uniqueness Test"),
    row(Technique::HiddenRectangle, "hidden_rectangle", "Hidden Rectangle", Uniqueness, (0, 100, Hard, 4010, "0606"),
        "a rectangle in two boxes, a corner with just the two digits, one of them with no other place on the lines of the opposite cell: the other not there",
        "Sudopedia, Hidden Rectangle"),
    row(Technique::AvoidableRectangle1, "avoidable_rectangle_1", "Avoidable Rectangle 1", Uniqueness, (0, 100, Hard, 4020, "0607"),
        "three solved cells of a rectangle in two boxes, none of them given: not the digit that would make them exchangeable",
        "Sudopedia, Avoidable Rectangle"),
    row(Technique::AvoidableRectangle2, "avoidable_rectangle_2", "Avoidable Rectangle 2", Uniqueness, (0, 100, Hard, 4030, "0608"),
        "two solved cells of a rectangle in two boxes, not given, and two open ones with the same one further candidate: none where both are seen",
        "Sudopedia, Avoidable Rectangle"),
    row(Technique::UniqueLoop6, "unique_loop_6", "Unique Loop (6 cells)", Uniqueness, (46, 100, Hard, 4040, "unique_loop_6"),
        "a ring of 6 cells with two digits, two cells or none in each house: as the uniqueness tests 1 to 4",
        "Sudopedia, Unique Loop"),
    row(Technique::UniqueLoop8, "unique_loop_8", "Unique Loop (8 cells)", Uniqueness, (47, 100, Hard, 4040, "unique_loop_8"),
        "a ring of 8 cells with two digits, two cells or none in each house: as the uniqueness tests 1 to 4",
        "Sudopedia, Unique Loop"),
    row(Technique::UniqueLoop10, "unique_loop_10", "Unique Loop (10 cells or more)", Uniqueness, (50, 100, Hard, 4040, "unique_loop_10"),
        "a ring of 10 or more cells with two digits, two cells or none in each house: as the uniqueness tests 1 to 4",
        "Sudopedia, Unique Loop"),
    row(Technique::BugType2, "bug_type_2", "BUG Type 2", Uniqueness, (57, 100, Hard, 4050, "bug_type_2"),
        "all open cells have two candidates, each digit is twice in every house, but for a few: all further candidates are one digit: none where all its cells are seen",
        "Sudopedia, Bivalue Universal Grave"),
    row(Technique::BugType3, "bug_type_3", "BUG Type 3", Uniqueness, (57, 100, Hard, 4050, "bug_type_3"),
        "all open cells have two candidates, each digit is twice in every house, but for a few: the further candidates complete a naked subset",
        "Sudopedia, Bivalue Universal Grave"),
    row(Technique::BugType4, "bug_type_4", "BUG Type 4", Uniqueness, (57, 100, Hard, 4050, "bug_type_4"),
        "all open cells have two candidates, each digit is twice in every house, but for a few: a digit is locked in the two cells with further candidates: they lose their other one",
        "Sudopedia, Bivalue Universal Grave"),
    row(Technique::SiameseFinnedXWing, "siamese_finned_x_wing", "Siamese Finned X-Wing", Fish, (0, 130, Hard, 4095, "03101"),
        "two finned fish with the same 2 base lines",
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish"),
    row(Technique::FinnedXWing, "finned_x_wing", "Finned X-Wing", Fish, (0, 130, Hard, 4100, "0310"),
        "2 parallel lines whose places for a digit lie on 2 crossing lines, but for fins: none elsewhere on those where all fins are seen",
        "Sudopedia, Finned Fish"),
    row(Technique::SiameseSashimiXWing, "siamese_sashimi_x_wing", "Siamese Sashimi X-Wing", Fish, (0, 150, Hard, 4195, "03201"),
        "two finned fish with the same 2 base lines",
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish"),
    row(Technique::SashimiXWing, "sashimi_x_wing", "Sashimi X-Wing", Fish, (0, 150, Hard, 4200, "0320"),
        "a finned X-Wing with a base line that has fewer than two places besides the fins",
        "Sudopedia, Sashimi Fish"),
    row(Technique::SiameseFinnedSwordfish, "siamese_finned_swordfish", "Siamese Finned Swordfish", Fish, (0, 200, Unfair, 4295, "03111"),
        "two finned fish with the same 3 base lines",
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish"),
    row(Technique::FinnedSwordfish, "finned_swordfish", "Finned Swordfish", Fish, (0, 200, Unfair, 4300, "0311"),
        "3 parallel lines whose places for a digit lie on 3 crossing lines, but for fins: none elsewhere on those where all fins are seen",
        "Sudopedia, Finned Fish"),
    row(Technique::SiameseSashimiSwordfish, "siamese_sashimi_swordfish", "Siamese Sashimi Swordfish", Fish, (0, 240, Unfair, 4395, "03211"),
        "two finned fish with the same 3 base lines",
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish"),
    row(Technique::SashimiSwordfish, "sashimi_swordfish", "Sashimi Swordfish", Fish, (0, 240, Unfair, 4400, "0321"),
        "a finned Swordfish with a base line that has fewer than two places besides the fins",
        "Sudopedia, Sashimi Fish"),
    row(Technique::SiameseFinnedJellyfish, "siamese_finned_jellyfish", "Siamese Finned Jellyfish", Fish, (0, 250, Unfair, 4495, "03121"),
        "two finned fish with the same 4 base lines",
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish"),
    row(Technique::FinnedJellyfish, "finned_jellyfish", "Finned Jellyfish", Fish, (0, 250, Unfair, 4500, "0312"),
        "4 parallel lines whose places for a digit lie on 4 crossing lines, but for fins: none elsewhere on those where all fins are seen",
        "Sudopedia, Finned Fish"),
    row(Technique::SiameseSashimiJellyfish, "siamese_sashimi_jellyfish", "Siamese Sashimi Jellyfish", Fish, (0, 260, Unfair, 4595, "03221"),
        "two finned fish with the same 4 base lines",
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish"),
    row(Technique::SashimiJellyfish, "sashimi_jellyfish", "Sashimi Jellyfish", Fish, (0, 260, Unfair, 4600, "0322"),
        "a finned Jellyfish with a base line that has fewer than two places besides the fins",
        "Sudopedia, Sashimi Fish"),
    row(Technique::SueDeCoq, "sue_de_coq", "Sue de Coq", AlmostLocked, (0, 250, Unfair, 5300, "1101"),
        "cells that a box and a line share, with a few cells of each, whose digits can fill them in just one measure",
        "Sudopedia, Sue de Coq"),
    row(Technique::SimpleColorsTrap, "simple_colors_trap", "Simple Colors (Trap)", Coloring, (0, 150, Hard, 5330, "0500"),
        "strong links of a digit in two colors: none where both colors are seen",
        "Sudopedia, Simple Colors"),
    row(Technique::SimpleColorsWrap, "simple_colors_wrap", "Simple Colors (Wrap)", Coloring, (0, 150, Hard, 5330, "0501"),
        "strong links of a digit in two colors, two places of one color see each other: none of that color",
        "Sudopedia, Simple Colors"),
    row(Technique::MultiColors1, "multi_colors_1", "Multi-Colors 1", Coloring, (0, 200, Hard, 5360, "0502"),
        "two nets of strong links, a color of one sees a color of the other: none where both opposite colors are seen",
        "Sudopedia, Multi-Colors"),
    row(Technique::MultiColors2, "multi_colors_2", "Multi-Colors 2", Coloring, (0, 200, Hard, 5360, "0503"),
        "two nets of strong links, a color of one sees both colors of the other: none of that color",
        "Sudopedia, Multi-Colors"),
    row(Technique::XChain, "x_chain", "X-Chain", Chains, (66, 260, Unfair, 5400, "0701"),
        "strong and weak links of one digit in turn, strong at both ends: none where both ends are seen",
        "Sudopedia, X-Chain"),
    row(Technique::XyChain, "xy_chain", "XY-Chain", Chains, (65, 260, Unfair, 5500, "0702"),
        "cells with two candidates, each sharing one with the next, from z to z: none where both ends are seen",
        "Sudopedia, XY-Chain"),
    row(Technique::ContinuousNiceLoop, "continuous_nice_loop", "Continuous Nice Loop", Chains, (70, 280, Unfair, 5600, "0706"),
        "a closed ring of strong and weak links in turn: each weak link holds its digit",
        "Sudopedia, Nice Loop"),
    row(Technique::DiscontinuousNiceLoop, "discontinuous_nice_loop", "Discontinuous Nice Loop", Chains, (70, 280, Unfair, 5600, "0707"),
        "a candidate that by a chain of links makes itself false, or whose absence makes it true",
        "Sudopedia, Nice Loop"),
    row(Technique::Aic, "aic", "AIC", Chains, (70, 280, Unfair, 5600, "0708"),
        "a chain from strong link to strong link, so that one of its ends is true: nothing that both ends exclude",
        "Sudopedia, Alternating Inference Chain"),
    row(Technique::GroupedContinuousNiceLoop, "grouped_continuous_nice_loop", "Grouped Continuous Nice Loop", Chains, (0, 300, Unfair, 5650, "0709"),
        "a continuous nice loop in which places of a digit in a box and a line act as one",
        "HoDoKu, Chains and Loops: Grouped Nice Loops"),
    row(Technique::GroupedDiscontinuousNiceLoop, "grouped_discontinuous_nice_loop", "Grouped Discontinuous Nice Loop", Chains, (0, 300, Unfair, 5650, "0710"),
        "a discontinuous nice loop in which places of a digit in a box and a line act as one",
        "HoDoKu, Chains and Loops: Grouped Nice Loops"),
    row(Technique::GroupedAic, "grouped_aic", "Grouped AIC", Chains, (0, 300, Unfair, 5650, "0711"),
        "an AIC in which places of a digit in a box and a line act as one",
        "Sudopedia, Grouped AIC"),
    row(Technique::AlsContinuousNiceLoop, "als_continuous_nice_loop", "Grouped Continuous Nice Loop with ALS", Chains, (0, 300, Unfair, 5660, "0709"),
        "a continuous nice loop that passes almost locked sets",
        "HoDoKu, Chains and Loops: Grouped Nice Loops"),
    row(Technique::AlsDiscontinuousNiceLoop, "als_discontinuous_nice_loop", "Grouped Discontinuous Nice Loop with ALS", Chains, (0, 300, Unfair, 5660, "0710"),
        "a discontinuous nice loop that passes almost locked sets",
        "HoDoKu, Chains and Loops: Grouped Nice Loops"),
    row(Technique::AlsAic, "als_aic", "Grouped AIC with ALS", Chains, (0, 300, Unfair, 5660, "0711"),
        "an AIC that passes almost locked sets",
        "HoDoKu, Chains and Loops: Grouped Nice Loops"),
    row(Technique::AlsXz, "als_xz", "ALS-XZ", AlmostLocked, (0, 300, Unfair, 5700, "0901"),
        "two almost locked sets that share a digit only one of them can have: one is locked without it",
        "Sudopedia, ALS-XZ"),
    row(Technique::AlsXyWing, "als_xy_wing", "ALS-XY-Wing", AlmostLocked, (0, 320, Unfair, 5800, "0902"),
        "two almost locked sets tied to a third by different digits: one of the two is locked",
        "Sudopedia, ALS-XY-Wing"),
    row(Technique::AlsChain, "als_chain", "ALS Chain", AlmostLocked, (0, 340, Unfair, 5900, "0903"),
        "four or more almost locked sets, each tied to the next: one of the ends is locked",
        "HoDoKu, Almost Locked Sets: ALS Chain"),
    row(Technique::DeathBlossom, "death_blossom", "Death Blossom", AlmostLocked, (0, 360, Unfair, 6000, "0904"),
        "a cell each of whose candidates takes a digit from an almost locked set: a digit that all these sets share",
        "Sudopedia, Death Blossom"),
    row(Technique::AlignedPair, "aligned_pair", "Aligned Pair Exclusion", Exclusion, (62, 300, Unfair, 6010, "1000"),
        "a candidate of one of 2 cells that goes with no candidate of the other (score and level are not HoDoKu's)",
        "Sudopedia, Aligned Pair Exclusion"),
    row(Technique::AlignedTriplet, "aligned_triplet", "Aligned Triplet Exclusion", Exclusion, (75, 360, Unfair, 6020, "1001"),
        "a candidate of one of 3 cells that goes with no candidates of the others (score and level are not HoDoKu's)",
        "Sudopedia, Aligned Triple Exclusion"),
    row(Technique::FrankenXWing, "franken_x_wing", "Franken X-Wing", Fish, (0, 300, Unfair, 6100, "0330"),
        "2 base houses whose places for a digit lie in 2 cover houses, boxes among them: none elsewhere in those",
        "Sudopedia, Franken Fish"),
    row(Technique::FrankenSwordfish, "franken_swordfish", "Franken Swordfish", Fish, (0, 350, Unfair, 6200, "0331"),
        "3 base houses whose places for a digit lie in 3 cover houses, boxes among them: none elsewhere in those",
        "Sudopedia, Franken Fish"),
    row(Technique::FrankenJellyfish, "franken_jellyfish", "Franken Jellyfish", Fish, (0, 370, Unfair, 6300, "0332"),
        "4 base houses whose places for a digit lie in 4 cover houses, boxes among them: none elsewhere in those",
        "Sudopedia, Franken Fish"),
    row(Technique::SiameseFinnedFrankenXWing, "siamese_finned_franken_x_wing", "Siamese Finned Franken X-Wing", Fish, (0, 390, Unfair, 6695, "03401"),
        "two finned Franken fish with the same 2 base houses",
        "HoDoKu, Complex Fish: Siamese Fish"),
    row(Technique::FinnedFrankenXWing, "finned_franken_x_wing", "Finned Franken X-Wing", Fish, (0, 390, Unfair, 6700, "0340"),
        "a Franken X-Wing but for fins: only where all fins are seen",
        "Sudopedia, Franken Fish"),
    row(Technique::SiameseFinnedFrankenSwordfish, "siamese_finned_franken_swordfish", "Siamese Finned Franken Swordfish", Fish, (0, 410, Unfair, 6795, "03411"),
        "two finned Franken fish with the same 3 base houses",
        "HoDoKu, Complex Fish: Siamese Fish"),
    row(Technique::FinnedFrankenSwordfish, "finned_franken_swordfish", "Finned Franken Swordfish", Fish, (0, 410, Unfair, 6800, "0341"),
        "a Franken Swordfish but for fins: only where all fins are seen",
        "Sudopedia, Franken Fish"),
    row(Technique::SiameseFinnedFrankenJellyfish, "siamese_finned_franken_jellyfish", "Siamese Finned Franken Jellyfish", Fish, (0, 430, Unfair, 6895, "03421"),
        "two finned Franken fish with the same 4 base houses",
        "HoDoKu, Complex Fish: Siamese Fish"),
    row(Technique::FinnedFrankenJellyfish, "finned_franken_jellyfish", "Finned Franken Jellyfish", Fish, (0, 430, Unfair, 6900, "0342"),
        "a Franken Jellyfish but for fins: only where all fins are seen",
        "Sudopedia, Franken Fish"),
    row(Technique::MutantXWing, "mutant_x_wing", "Mutant X-Wing", Fish, (0, 450, Extreme, 7300, "0350"),
        "2 base houses whose places for a digit lie in 2 cover houses, rows and columns on one side: none elsewhere in those",
        "Sudopedia, Mutant Fish"),
    row(Technique::MutantSwordfish, "mutant_swordfish", "Mutant Swordfish", Fish, (0, 450, Extreme, 7400, "0351"),
        "3 base houses whose places for a digit lie in 3 cover houses, rows and columns on one side: none elsewhere in those",
        "Sudopedia, Mutant Fish"),
    row(Technique::MutantJellyfish, "mutant_jellyfish", "Mutant Jellyfish", Fish, (0, 450, Extreme, 7500, "0352"),
        "4 base houses whose places for a digit lie in 4 cover houses, rows and columns on one side: none elsewhere in those",
        "Sudopedia, Mutant Fish"),
    row(Technique::SiameseFinnedMutantXWing, "siamese_finned_mutant_x_wing", "Siamese Finned Mutant X-Wing", Fish, (0, 470, Extreme, 7895, "03601"),
        "two finned Mutant fish with the same 2 base houses",
        "HoDoKu, Complex Fish: Siamese Fish"),
    row(Technique::FinnedMutantXWing, "finned_mutant_x_wing", "Finned Mutant X-Wing", Fish, (0, 470, Extreme, 7900, "0360"),
        "a Mutant X-Wing but for fins: only where all fins are seen",
        "Sudopedia, Mutant Fish"),
    row(Technique::SiameseFinnedMutantSwordfish, "siamese_finned_mutant_swordfish", "Siamese Finned Mutant Swordfish", Fish, (0, 470, Extreme, 7995, "03611"),
        "two finned Mutant fish with the same 3 base houses",
        "HoDoKu, Complex Fish: Siamese Fish"),
    row(Technique::FinnedMutantSwordfish, "finned_mutant_swordfish", "Finned Mutant Swordfish", Fish, (0, 470, Extreme, 8000, "0361"),
        "a Mutant Swordfish but for fins: only where all fins are seen",
        "Sudopedia, Mutant Fish"),
    row(Technique::SiameseFinnedMutantJellyfish, "siamese_finned_mutant_jellyfish", "Siamese Finned Mutant Jellyfish", Fish, (0, 470, Extreme, 8095, "03621"),
        "two finned Mutant fish with the same 4 base houses",
        "HoDoKu, Complex Fish: Siamese Fish"),
    row(Technique::FinnedMutantJellyfish, "finned_mutant_jellyfish", "Finned Mutant Jellyfish", Fish, (0, 470, Extreme, 8100, "0362"),
        "a Mutant Jellyfish but for fins: only where all fins are seen",
        "Sudopedia, Mutant Fish"),
    row(Technique::FinnedMutantWhale, "finned_mutant_whale", "Finned Mutant Whale", Fish, (0, 470, Extreme, 8300, "0364"),
        "6 base houses whose places for a digit lie in 6 cover houses but for fins, rows and columns on one side",
        "Sudopedia, Mutant Fish"),
    row(Technique::ForcingChainContradiction, "forcing_chain_contradiction", "Forcing Chain Contradiction", LastResort, (75, 500, Extreme, 8500, "1301"),
        "a candidate whose truth, or falsehood, leads by single implications into a contradiction",
        "Sudopedia, Forcing Chain"),
    row(Technique::ForcingChainVerity, "forcing_chain_verity", "Forcing Chain Verity", LastResort, (80, 500, Extreme, 8500, "1302"),
        "what every candidate of a cell, or every place of a digit in a house, leads to by single implications",
        "Sudopedia, Forcing Chain"),
    row(Technique::ForcingNetContradiction, "forcing_net_contradiction", "Forcing Net Contradiction", LastResort, (85, 700, Extreme, 8600, "1303"),
        "a candidate whose truth, or falsehood, leads by joint implications into a contradiction",
        "Sudopedia, Forcing Net"),
    row(Technique::ForcingNetVerity, "forcing_net_verity", "Forcing Net Verity", LastResort, (90, 700, Extreme, 8600, "1304"),
        "what every candidate of a cell, or every place of a digit in a house, leads to by joint implications",
        "Sudopedia, Forcing Net"),
    row(Technique::TemplateSet, "template_set", "Template Set", LastResort, (0, 10_000, Extreme, 8700, "1201"),
        "a place that every way of placing a digit on the whole board has",
        "Sudopedia, Templating"),
    row(Technique::TemplateDelete, "template_delete", "Template Delete", LastResort, (0, 10_000, Extreme, 8800, "1202"),
        "a place that no way of placing a digit on the whole board has",
        "Sudopedia, Templating"),
];

/// A name that no technique has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown technique '{found}'; did you mean '{nearest}'?")]
pub struct UnknownTechnique {
    /// What was written.
    pub found: String,
    /// The nearest known name.
    pub nearest: &'static str,
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

    /// The largest order of boards on which it is searched for. What follows chains through sets or from guesses takes
    /// seconds a step on open boards above 9x9, chains and large fish above 16x16.
    pub const fn largest_order(self) -> usize {
        match self.info().family {
            Family::AlmostLocked | Family::Exclusion | Family::LastResort => 9,
            Family::Chains | Family::Coloring | Family::Uniqueness => 16,
            Family::Fish if !matches!(self, Technique::XWing | Technique::Swordfish | Technique::Jellyfish) => 16,
            _ => 36,
        }
    }

    /// True when it belongs to the ladder that is used unless another is asked for: what HoDoKu 2.2.0 uses at first.
    pub const fn is_default(self) -> bool {
        !matches!(
            self,
            Technique::DualTwoStringKite
                | Technique::DualEmptyRectangle
                | Technique::UniqueLoop6
                | Technique::UniqueLoop8
                | Technique::UniqueLoop10
                | Technique::BugType2
                | Technique::BugType3
                | Technique::BugType4
                | Technique::SiameseFinnedXWing
                | Technique::SiameseSashimiXWing
                | Technique::SiameseFinnedSwordfish
                | Technique::SiameseSashimiSwordfish
                | Technique::SiameseFinnedJellyfish
                | Technique::SiameseSashimiJellyfish
                | Technique::AlsContinuousNiceLoop
                | Technique::AlsDiscontinuousNiceLoop
                | Technique::AlsAic
                | Technique::DeathBlossom
                | Technique::AlignedPair
                | Technique::AlignedTriplet
                | Technique::FrankenJellyfish
                | Technique::SiameseFinnedFrankenXWing
                | Technique::SiameseFinnedFrankenSwordfish
                | Technique::SiameseFinnedFrankenJellyfish
                | Technique::FinnedFrankenJellyfish
                | Technique::MutantXWing
                | Technique::MutantSwordfish
                | Technique::MutantJellyfish
                | Technique::SiameseFinnedMutantXWing
                | Technique::FinnedMutantXWing
                | Technique::SiameseFinnedMutantSwordfish
                | Technique::FinnedMutantSwordfish
                | Technique::SiameseFinnedMutantJellyfish
                | Technique::FinnedMutantJellyfish
                | Technique::FinnedMutantWhale
                | Technique::TemplateSet
                | Technique::TemplateDelete
        )
    }

    /// The stable code, as in `n_<code>`.
    pub const fn code(self) -> &'static str {
        self.info().code
    }

    /// The name that players use.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// What makes one technique harder than another: its level, then its place in the table.
    pub const fn rank(self) -> (Level, Technique) {
        (self.info().level, self)
    }
}

impl Family {
    /// Every family.
    pub const ALL: &[Family] = &[
        Singles,
        Intersections,
        Subsets,
        Fish,
        SingleDigit,
        Wings,
        Chains,
        AlmostLocked,
        Exclusion,
        LastResort,
        Coloring,
        Uniqueness,
    ];

    /// The name in ladders.
    pub const fn code(self) -> &'static str {
        match self {
            Singles => "singles",
            Intersections => "intersections",
            Subsets => "subsets",
            Fish => "fish",
            SingleDigit => "single_digit",
            Coloring => "coloring",
            Uniqueness => "uniqueness",
            Wings => "wings",
            Chains => "chains",
            AlmostLocked => "almost_locked",
            Exclusion => "exclusion",
            LastResort => "last_resort",
        }
    }
}

/// A name as it is compared: lower case, blanks and dashes as underscores.
pub(super) fn normal(text: &str) -> String {
    text.trim().to_ascii_lowercase().replace(['-', ' '], "_")
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Technique {
    type Err = UnknownTechnique;

    /// Reads a code or a name, in any case, with `-`, `_` or blanks: `x_wing`, `x-wing`, `X-Wing`.
    fn from_str(text: &str) -> Result<Technique, UnknownTechnique> {
        let wanted = normal(text);
        Technique::all().find(|technique| wanted == technique.code() || wanted == normal(technique.name())).ok_or_else(
            || UnknownTechnique {
                found: text.trim().to_owned(),
                nearest: nearest(&wanted, Technique::all().map(Technique::code)).unwrap_or("full_house"),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn rows_stand_at_their_technique_in_solving_order() {
        for (at, info) in TECHNIQUES.iter().enumerate() {
            assert_eq!(info.technique as usize, at, "{}", info.code);
            assert!(!info.pattern.is_empty() && !info.reference.is_empty());
        }
        assert!(TECHNIQUES.is_sorted_by_key(|info| info.order));
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
        let error = "swordfisch".parse::<Technique>().unwrap_err().to_string();
        assert_eq!(error, "unknown technique 'swordfisch'; did you mean 'swordfish'?");
    }
}
