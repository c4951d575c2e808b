//! The table of techniques. Each row holds everything that corpora, help texts, docs and tests say about a technique.
//!
//! To add a technique, write a row at its place in the solving order, and an arm in the match of `climb/find.rs` that
//! calls the function of its family. Tests loop over the table, so they test the new row as well.

use super::family::Family;
use super::level::Level;

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
    /// True when the default ladder has the technique, because HoDoKu 2.2.0 uses it by default, or because jigsaws need
    /// it.
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

/// HoDoKu 2.2.0 uses the technique by default, or jigsaws need it.
const ON: bool = true;
/// The technique is used only on request.
const OFF: bool = false;

/// Makes the enum of techniques and [`TECHNIQUES`] from the rows.
macro_rules! techniques {
    ($($technique:ident $code:literal $name:literal $family:ident
        ($se:literal, $score:literal, $level:ident, $order:literal, $library:literal) $is_default:ident
        $reference:literal: $pattern:literal;)+) => {
        /// A human technique. The order is the solving order, and a contract: files have their columns in it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum Technique {
            $(#[doc = $pattern] $technique),+
        }

        /// Every technique in solving order.
        pub const TECHNIQUES: [TechniqueInfo; [$($code),+].len()] = [$(TechniqueInfo {
            technique: Technique::$technique,
            code: $code,
            name: $name,
            family: Family::$family,
            se_tenths: if $se == 0 { None } else { Some($se) },
            score: $score,
            level: Level::$level,
            order: $order,
            code_in_library: $library,
            is_default: $is_default,
            pattern: $pattern,
            reference: $reference,
        }),+];
    };
}

// Code, name and family; Sudoku Explainer's (SE's) lowest rating in tenths (0 where SE has no counterpart); HoDoKu's
// score, level, place in the solving order, and library code. ON and OFF say if the default ladder has the technique.
techniques! {
    FullHouse "full_house" "Full House" Singles (10, 4, Easy, 100, "0000") ON "Sudopedia, Full House":
        "a house has one empty cell: the cell takes the missing digit";
    NakedSingle "naked_single" "Naked Single" Singles (23, 4, Easy, 200, "0003") ON "Sudopedia, Naked Single":
        "a cell has one candidate: the cell takes it";
    HiddenSingleBox "hidden_single_box" "Hidden Single (box)" Singles (12, 14, Easy, 300, "0002") ON
        "Sudopedia, Hidden Single": "a digit has one place in a box: it goes there";
    HiddenSingleLine "hidden_single_line" "Hidden Single (line)" Singles (15, 14, Easy, 300, "0002") ON
        "Sudopedia, Hidden Single": "a digit has one place in a row or column: it goes there";
    LockedPair "locked_pair" "Locked Pair" Intersections (0, 40, Medium, 1000, "0110") ON
        "HoDoKu, Intersections: Locked Pair":
        "2 cells that lie in both a box and a line have 2 candidates together: these digits are removed from the rest of the box and of the line";
    LockedTriple "locked_triple" "Locked Triple" Intersections (0, 60, Medium, 1100, "0111") ON
        "HoDoKu, Intersections: Locked Triple":
        "3 cells that lie in both a box and a line have 3 candidates together: these digits are removed from the rest of the box and of the line";
    Pointing "pointing" "Locked Candidates 1 (Pointing)" Intersections (26, 50, Medium, 1200, "0100") ON
        "Sudopedia, Locked Candidates":
        "all places of a digit in a box lie on one line: the digit is removed from the rest of the line";
    Claiming "claiming" "Locked Candidates 2 (Claiming)" Intersections (28, 50, Medium, 1210, "0101") ON
        "Sudopedia, Locked Candidates":
        "all places of a digit on a line lie in one box: the digit is removed from the rest of the box";
    NakedPair "naked_pair" "Naked Pair" Subsets (30, 60, Medium, 1300, "0200") ON "Sudopedia, Naked Subset":
        "2 cells of a house have 2 candidates together: these digits are removed from the rest of the house";
    NakedTriple "naked_triple" "Naked Triple" Subsets (36, 80, Medium, 1400, "0201") ON "Sudopedia, Naked Subset":
        "3 cells of a house have 3 candidates together: these digits are removed from the rest of the house";
    HiddenPair "hidden_pair" "Hidden Pair" Subsets (34, 70, Medium, 1500, "0210") ON "Sudopedia, Hidden Subset":
        "2 digits of a house have 2 places together: all other candidates are removed from these cells";
    HiddenTriple "hidden_triple" "Hidden Triple" Subsets (40, 100, Medium, 1600, "0211") ON "Sudopedia, Hidden Subset":
        "3 digits of a house have 3 places together: all other candidates are removed from these cells";
    LawOfLeftovers2 "law_of_leftovers_2" "Law of Leftovers 2" Intersections (0, 100, Medium, 1700, "law_of_leftovers_2") ON
        "B. Harris, Law of Leftovers (2006)":
        "on a jigsaw, all places of a digit in 2 regions lie on 2 lines, or the other way round: the digit is removed from the rest of the latter";
    NakedQuadruple "naked_quadruple" "Naked Quadruple" Subsets (50, 120, Hard, 2000, "0202") ON
        "Sudopedia, Naked Subset":
        "4 cells of a house have 4 candidates together: these digits are removed from the rest of the house";
    LawOfLeftovers3 "law_of_leftovers_3" "Law of Leftovers 3" Intersections (0, 130, Hard, 2050, "law_of_leftovers_3") ON
        "B. Harris, Law of Leftovers (2006)":
        "on a jigsaw, all places of a digit in 3 regions lie on 3 lines, or the other way round: the digit is removed from the rest of the latter";
    HiddenQuadruple "hidden_quadruple" "Hidden Quadruple" Subsets (54, 150, Hard, 2100, "0212") ON
        "Sudopedia, Hidden Subset":
        "4 digits of a house have 4 places together: all other candidates are removed from these cells";
    LawOfLeftovers4 "law_of_leftovers_4" "Law of Leftovers 4" Intersections (0, 160, Hard, 2150, "law_of_leftovers_4") ON
        "B. Harris, Law of Leftovers (2006)":
        "on a jigsaw, all places of a digit in 4 or more regions lie on 4 or more lines, or the other way round: the digit is removed from the rest of the latter";
    XWing "x_wing" "X-Wing" Fish (32, 140, Hard, 2200, "0300") ON "Sudopedia, X-Wing":
        "all places of a digit on 2 parallel lines lie on 2 crossing lines: the digit is removed from the rest of the crossing lines";
    Swordfish "swordfish" "Swordfish" Fish (38, 150, Hard, 2300, "0301") ON "Sudopedia, Swordfish":
        "all places of a digit on 3 parallel lines lie on 3 crossing lines: the digit is removed from the rest of the crossing lines";
    Jellyfish "jellyfish" "Jellyfish" Fish (52, 160, Hard, 2400, "0302") ON "Sudopedia, Jellyfish":
        "all places of a digit on 4 parallel lines lie on 4 crossing lines: the digit is removed from the rest of the crossing lines";
    RemotePair "remote_pair" "Remote Pair" Chains (0, 110, Hard, 2800, "0703") ON "Sudopedia, Remote Pair":
        "cells with the same 2 candidates form a chain in which each sees the next: both digits are removed from cells that see two chain cells with different digits";
    BugPlusOne "bug_plus_one" "Bivalue Universal Grave + 1" Uniqueness (56, 100, Hard, 2900, "0610") ON
        "Sudopedia, Bivalue Universal Grave":
        "each empty cell has 2 candidates and each digit has 2 places in every house, except for one extra candidate: the cell takes it";
    Skyscraper "skyscraper" "Skyscraper" SingleDigit (0, 130, Hard, 3000, "0400") ON "Sudopedia, Skyscraper":
        "2 parallel lines have 2 places each for a digit, and one place of each lies on the same crossing line: the digit is removed from cells that see both other places";
    DualTwoStringKite "dual_two_string_kite" "Dual 2-String Kite" SingleDigit (0, 150, Hard, 3095, "0404") OFF
        "HoDoKu, Single Digit Patterns: 2-String Kite":
        "two 2-String Kites, of one digit or of two, have the same two places in the box: the eliminations of both";
    TwoStringKite "two_string_kite" "2-String Kite" SingleDigit (0, 150, Hard, 3100, "0401") ON
        "Sudopedia, 2-String Kite":
        "a row and a column have 2 places each for a digit, and one place of each lies in the same box: the digit is removed from cells that see both other places";
    TurbotFish "turbot_fish" "Turbot Fish" SingleDigit (0, 120, Hard, 3120, "0403") ON "Sudopedia, Turbot Fish":
        "2 houses have 2 places each for a digit, and a place of one sees a place of the other: the digit is removed from cells that see both other places";
    DualEmptyRectangle "dual_empty_rectangle" "Dual Empty Rectangle" SingleDigit (0, 120, Hard, 3165, "0405") OFF
        "HoDoKu, Single Digit Patterns: Empty Rectangle":
        "two Empty Rectangles have the same box: the eliminations of both";
    EmptyRectangle "empty_rectangle" "Empty Rectangle" SingleDigit (0, 120, Hard, 3170, "0402") ON
        "Sudopedia, Empty Rectangle":
        "all places of a digit in a box lie on one row and one column, and another column has 2 places, one of them on that row: the digit is removed where the row of the other place meets the column of the box (rows and columns may be exchanged)";
    WWing "w_wing" "W-Wing" Wings (0, 150, Hard, 3200, "0803") ON "Sudopedia, W-Wing":
        "2 cells have the same 2 candidates, and a house has 2 places for one of them, each seen by one of the cells: the other digit is removed from cells that see both";
    XyWing "xy_wing" "XY-Wing" Wings (42, 160, Hard, 3300, "0800") ON "Sudopedia, XY-Wing":
        "a cell xy sees a cell xz and a cell yz: z is removed from cells that see xz and yz";
    XyzWing "xyz_wing" "XYZ-Wing" Wings (44, 180, Hard, 3400, "0801") ON "Sudopedia, XYZ-Wing":
        "a cell xyz sees a cell xz and a cell yz: z is removed from cells that see all three";
    UniquenessTest1 "uniqueness_test_1" "Uniqueness Test 1" Uniqueness (45, 100, Hard, 3500, "0600") ON
        "Sudopedia, Uniqueness Test":
        "a rectangle in 2 boxes has 2 digits in all 4 cells, and 1 cell has more candidates: the 2 digits are removed from it";
    UniquenessTest2 "uniqueness_test_2" "Uniqueness Test 2" Uniqueness (45, 100, Hard, 3600, "0601") ON
        "Sudopedia, Uniqueness Test":
        "a rectangle in 2 boxes has 2 digits in all 4 cells, and 2 cells on a line have the same single extra candidate: it is removed from cells that see both";
    UniquenessTest3 "uniqueness_test_3" "Uniqueness Test 3" Uniqueness (46, 100, Hard, 3700, "0602") ON
        "Sudopedia, Uniqueness Test":
        "a rectangle in 2 boxes has 2 digits in all 4 cells, and the extra candidates of 2 cells form a naked subset with cells of a house: its digits are removed from the rest of the house";
    UniquenessTest4 "uniqueness_test_4" "Uniqueness Test 4" Uniqueness (45, 100, Hard, 3800, "0603") ON
        "Sudopedia, Uniqueness Test":
        "a rectangle in 2 boxes has 2 digits in all 4 cells, and the 2 cells with extra candidates are the only places of one digit in a house: the other digit is removed from them";
    UniquenessTest5 "uniqueness_test_5" "Uniqueness Test 5" Uniqueness (45, 100, Hard, 3900, "0604") ON
        "Sudopedia, Uniqueness Test":
        "a rectangle in 2 boxes has 2 digits in all 4 cells, and 2 opposite cells or 3 cells have the same single extra candidate: it is removed from cells that see all of them";
    UniquenessTest6 "uniqueness_test_6" "Uniqueness Test 6" Uniqueness (0, 100, Hard, 4000, "0605") ON
        "Sudopedia, Uniqueness Test":
        "a rectangle in 2 boxes has 2 digits in all 4 cells, and 2 opposite cells have extra candidates; one digit has no other place in both rows or both columns: it is removed from these 2 cells";
    HiddenRectangle "hidden_rectangle" "Hidden Rectangle" Uniqueness (0, 100, Hard, 4010, "0606") ON
        "Sudopedia, Hidden Rectangle":
        "a rectangle in 2 boxes has 2 digits in all 4 cells, and 1 corner has no others; one digit has no other place on the row and column of the opposite cell: the other digit is removed from that cell";
    AvoidableRectangle1 "avoidable_rectangle_1" "Avoidable Rectangle 1" Uniqueness (0, 100, Hard, 4020, "0607") ON
        "Sudopedia, Avoidable Rectangle":
        "3 cells of a rectangle in 2 boxes are solved, not given: the fourth cell loses the digit that would make the digits exchangeable";
    AvoidableRectangle2 "avoidable_rectangle_2" "Avoidable Rectangle 2" Uniqueness (0, 100, Hard, 4030, "0608") ON
        "Sudopedia, Avoidable Rectangle":
        "2 cells of a rectangle in 2 boxes are solved, not given, and the 2 open ones have the same single extra candidate: it is removed from cells that see both";
    UniqueLoop6 "unique_loop_6" "Unique Loop (6 cells)" Uniqueness (46, 100, Hard, 4040, "unique_loop_6") OFF
        "Sudopedia, Unique Loop":
        "6 cells with the same 2 digits form a loop, with 2 cells or none in every house: conclusions as in Uniqueness Tests 1 to 4";
    UniqueLoop8 "unique_loop_8" "Unique Loop (8 cells)" Uniqueness (47, 100, Hard, 4040, "unique_loop_8") OFF
        "Sudopedia, Unique Loop":
        "8 cells with the same 2 digits form a loop, with 2 cells or none in every house: conclusions as in Uniqueness Tests 1 to 4";
    UniqueLoop10 "unique_loop_10" "Unique Loop (10 cells or more)" Uniqueness (50, 100, Hard, 4040, "unique_loop_10") OFF
        "Sudopedia, Unique Loop":
        "10 or more cells with the same 2 digits form a loop, with 2 cells or none in every house: conclusions as in Uniqueness Tests 1 to 4";
    BugType2 "bug_type_2" "BUG Type 2" Uniqueness (57, 100, Hard, 4050, "bug_type_2") OFF
        "Sudopedia, Bivalue Universal Grave":
        "each empty cell has 2 candidates and each digit has 2 places in every house, except for extra candidates of one digit: the digit is removed from cells that see all of them";
    BugType3 "bug_type_3" "BUG Type 3" Uniqueness (58, 100, Hard, 4050, "bug_type_3") OFF
        "Sudopedia, Bivalue Universal Grave":
        "each empty cell has 2 candidates and each digit has 2 places in every house, except for extra candidates that form a naked subset with cells of a house: its digits are removed from the rest of the house";
    BugType4 "bug_type_4" "BUG Type 4" Uniqueness (57, 100, Hard, 4050, "bug_type_4") OFF
        "Sudopedia, Bivalue Universal Grave":
        "each empty cell has 2 candidates and each digit has 2 places in every house, except for extra candidates in 2 cells, and another digit must be in one of the 2: the remaining candidates are removed from them";
    SiameseFinnedXWing "siamese_finned_x_wing" "Siamese Finned X-Wing" Fish (0, 130, Hard, 4095, "03101") OFF
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish":
        "two Finned X-Wings have the same base lines: the eliminations of both";
    FinnedXWing "finned_x_wing" "Finned X-Wing" Fish (0, 130, Hard, 4100, "0310") ON "Sudopedia, Finned Fish":
        "as X-Wing, with extra places on the base lines (fins): the digit is removed only from cells of the crossing lines that see all fins";
    SiameseSashimiXWing "siamese_sashimi_x_wing" "Siamese Sashimi X-Wing" Fish (0, 150, Hard, 4195, "03201") OFF
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish":
        "two Finned X-Wings, one of them Sashimi, have the same base lines: the eliminations of both";
    SashimiXWing "sashimi_x_wing" "Sashimi X-Wing" Fish (0, 150, Hard, 4200, "0320") ON "Sudopedia, Sashimi Fish":
        "a Finned X-Wing in which a base line has fewer than two places besides the fins";
    SiameseFinnedSwordfish "siamese_finned_swordfish" "Siamese Finned Swordfish" Fish (0, 200, Unfair, 4295, "03111") OFF
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish":
        "two Finned Swordfish have the same base lines: the eliminations of both";
    FinnedSwordfish "finned_swordfish" "Finned Swordfish" Fish (0, 200, Unfair, 4300, "0311") ON
        "Sudopedia, Finned Fish":
        "as Swordfish, with extra places on the base lines (fins): the digit is removed only from cells of the crossing lines that see all fins";
    SiameseSashimiSwordfish "siamese_sashimi_swordfish" "Siamese Sashimi Swordfish" Fish (0, 240, Unfair, 4395, "03211") OFF
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish":
        "two Finned Swordfish, one of them Sashimi, have the same base lines: the eliminations of both";
    SashimiSwordfish "sashimi_swordfish" "Sashimi Swordfish" Fish (0, 240, Unfair, 4400, "0321") ON
        "Sudopedia, Sashimi Fish": "a Finned Swordfish in which a base line has fewer than two places besides the fins";
    SiameseFinnedJellyfish "siamese_finned_jellyfish" "Siamese Finned Jellyfish" Fish (0, 250, Unfair, 4495, "03121") OFF
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish":
        "two Finned Jellyfish have the same base lines: the eliminations of both";
    FinnedJellyfish "finned_jellyfish" "Finned Jellyfish" Fish (0, 250, Unfair, 4500, "0312") ON
        "Sudopedia, Finned Fish":
        "as Jellyfish, with extra places on the base lines (fins): the digit is removed only from cells of the crossing lines that see all fins";
    SiameseSashimiJellyfish "siamese_sashimi_jellyfish" "Siamese Sashimi Jellyfish" Fish (0, 260, Unfair, 4595, "03221") OFF
        "HoDoKu, Finned/Sashimi Fish: Siamese Fish":
        "two Finned Jellyfish, one of them Sashimi, have the same base lines: the eliminations of both";
    SashimiJellyfish "sashimi_jellyfish" "Sashimi Jellyfish" Fish (0, 260, Unfair, 4600, "0322") ON
        "Sudopedia, Sashimi Fish": "a Finned Jellyfish in which a base line has fewer than two places besides the fins";
    SueDeCoq "sue_de_coq" "Sue de Coq" AlmostLocked (0, 250, Unfair, 5300, "1101") ON "Sudopedia, Sue de Coq":
        "the cells that a box and a line share, with a few more cells of each, can hold no more digits than they have cells: each digit is removed from the rest of the house in which it must stand";
    FireworkTriple "firework_triple" "Firework Triple" Exotic (0, 250, Unfair, 5310, "firework_triple") OFF
        "shye, Fireworks, New Sudoku Players' Forum 2021":
        "3 digits have, outside a box, one place on a row through it and one on a column through it: with the crossing cell these are 3 cells for 3 digits, which lose all others";
    FireworkQuadruple "firework_quadruple" "Firework Quadruple" Exotic (0, 280, Unfair, 5320, "firework_quadruple") OFF
        "shye, Fireworks, New Sudoku Players' Forum 2021":
        "2 corners of a rectangle in 4 boxes cross the only outer places of 2 digits each, which are the other 2 corners: 4 cells for 4 digits, which lose all others";
    SimpleColorsTrap "simple_colors_trap" "Simple Colors (Trap)" Coloring (0, 150, Hard, 5330, "0500") ON
        "Sudopedia, Simple Colors":
        "strong links give the places of a digit two colors, of which one is true: the digit is removed from cells that see both colors";
    SimpleColorsWrap "simple_colors_wrap" "Simple Colors (Wrap)" Coloring (0, 150, Hard, 5330, "0501") ON
        "Sudopedia, Simple Colors":
        "strong links give the places of a digit two colors, and two places of one color see each other: the digit is removed from this color";
    MultiColors1 "multi_colors_1" "Multi-Colors 1" Coloring (0, 200, Hard, 5360, "0502") ON "Sudopedia, Multi-Colors":
        "two groups of strong links have two colors each, and a color of one sees a color of the other: the digit is removed from cells that see both opposite colors";
    MultiColors2 "multi_colors_2" "Multi-Colors 2" Coloring (0, 200, Hard, 5360, "0503") ON "Sudopedia, Multi-Colors":
        "two groups of strong links have two colors each, and a color of one sees both colors of the other: the digit is removed from this color";
    XChain "x_chain" "X-Chain" Chains (66, 260, Unfair, 5400, "0701") ON "Sudopedia, X-Chain":
        "strong and weak links of one digit alternate, with strong links at both ends: the digit is removed from cells that see both ends";
    XyChain "xy_chain" "XY-Chain" Chains (70, 260, Unfair, 5500, "0702") ON "Sudopedia, XY-Chain":
        "in a chain of cells with 2 candidates each cell shares a digit with the next, and z remains at both ends: z is removed from cells that see both ends";
    ContinuousNiceLoop "continuous_nice_loop" "Continuous Nice Loop" Chains (70, 280, Unfair, 5600, "0706") ON
        "Sudopedia, Nice Loop":
        "strong and weak links alternate around a loop, so one end of every weak link is true: what both ends exclude is removed";
    DiscontinuousNiceLoop "discontinuous_nice_loop" "Discontinuous Nice Loop" Chains (70, 280, Unfair, 5600, "0707") ON
        "Sudopedia, Nice Loop":
        "a chain of links leads from a candidate's truth to its falsehood, or the other way round: the candidate is removed, or the others of its cell are";
    Aic "aic" "AIC" Chains (70, 280, Unfair, 5600, "0708") ON "Sudopedia, Alternating Inference Chain":
        "strong and weak links alternate, with strong links at both ends, so one end is true: what both ends exclude is removed";
    GroupedContinuousNiceLoop "grouped_continuous_nice_loop" "Grouped Continuous Nice Loop" Chains (0, 300, Unfair, 5650, "0709") ON
        "HoDoKu, Chains and Loops: Grouped Nice Loops":
        "a Continuous Nice Loop in which several places of a digit in a box and a line act as one";
    GroupedDiscontinuousNiceLoop "grouped_discontinuous_nice_loop" "Grouped Discontinuous Nice Loop" Chains (0, 300, Unfair, 5650, "0710") ON
        "HoDoKu, Chains and Loops: Grouped Nice Loops":
        "a Discontinuous Nice Loop in which several places of a digit in a box and a line act as one";
    GroupedAic "grouped_aic" "Grouped AIC" Chains (0, 300, Unfair, 5650, "0711") ON "Sudopedia, Grouped AIC":
        "an AIC in which several places of a digit in a box and a line act as one";
    RectangleAic "rectangle_aic" "AIC with Unique Rectangles" Uniqueness (0, 300, Unfair, 5655, "rectangle_aic") OFF
        "Sudopedia, Almost Unique Rectangles":
        "an AIC or a Nice Loop that passes through an almost unique rectangle: its extra candidates form two nodes, and one of them is true";
    AlsContinuousNiceLoop "als_continuous_nice_loop" "Grouped Continuous Nice Loop with ALS" Chains (0, 300, Unfair, 5660, "0709") OFF
        "HoDoKu, Chains and Loops: Grouped Nice Loops": "a Continuous Nice Loop that passes through almost locked sets";
    AlsDiscontinuousNiceLoop "als_discontinuous_nice_loop" "Grouped Discontinuous Nice Loop with ALS" Chains (0, 300, Unfair, 5660, "0710") OFF
        "HoDoKu, Chains and Loops: Grouped Nice Loops":
        "a Discontinuous Nice Loop that passes through almost locked sets";
    AlsAic "als_aic" "Grouped AIC with ALS" Chains (0, 300, Unfair, 5660, "0711") OFF
        "HoDoKu, Chains and Loops: Grouped Nice Loops": "an AIC that passes through almost locked sets";
    AlsXz "als_xz" "ALS-XZ" AlmostLocked (0, 300, Unfair, 5700, "0901") ON "Sudopedia, ALS-XZ":
        "two almost locked sets share a digit that only one of them can have, so one is locked: a further common digit is removed from cells that see all its places in both";
    AlsXyWing "als_xy_wing" "ALS-XY-Wing" AlmostLocked (0, 320, Unfair, 5800, "0902") ON "Sudopedia, ALS-XY-Wing":
        "two almost locked sets are linked to a third by different restricted common digits, so one of the two is locked: a further common digit is removed from cells that see all its places in both";
    AlsChain "als_chain" "ALS Chain" AlmostLocked (0, 340, Unfair, 5900, "0903") ON
        "HoDoKu, Almost Locked Sets: ALS Chain":
        "four or more almost locked sets are linked in a chain by restricted common digits, so one of the two end sets is locked: a further common digit is removed from cells that see all its places in both";
    DeathBlossom "death_blossom" "Death Blossom" AlmostLocked (0, 360, Unfair, 6000, "0904") OFF
        "Sudopedia, Death Blossom":
        "each candidate of a cell takes its digit from an almost locked set: a further digit that all these sets share is removed from cells that see all its places in them";
    AlignedPair "aligned_pair" "Aligned Pair Exclusion" Exclusion (62, 300, Unfair, 6010, "1000") OFF
        "Sudopedia, Aligned Pair Exclusion":
        "a candidate of one of 2 cells fits no combination of candidates of the other: it is removed (score and level are not HoDoKu's)";
    AlignedTriplet "aligned_triplet" "Aligned Triplet Exclusion" Exclusion (75, 360, Unfair, 6020, "1001") OFF
        "Sudopedia, Aligned Triple Exclusion":
        "a candidate of one of 3 cells fits no combination of candidates of the others: it is removed (score and level are not HoDoKu's)";
    Tridagon "tridagon" "Tridagon" Exotic (0, 360, Unfair, 6030, "tridagon") OFF
        "D. Berthier, Hierarchical Classifications in Constraint Satisfaction: Tridagons":
        "12 cells, a permutation in each of 4 boxes, cannot all take the same 3 digits: one of their other candidates is true, and what conflicts with all of these is removed";
    SkLoop "sk_loop" "SK-Loop" Exotic (0, 380, Unfair, 6040, "sk_loop") OFF
        "A. Stuart, SudokuWiki, SK Loops (found by S. Kurzhals, 2007)":
        "4 filled corners of a rectangle in 4 boxes have 8 pairs of cells beside them in its rows and columns; digits in these lines and boxes, as many as the cells, cover all their candidates: each digit is removed from the rest of its house";
    JuniorExocet "junior_exocet" "Junior Exocet" Exotic (0, 400, Unfair, 6050, "junior_exocet") OFF
        "D. P. Bird, JExocet Compendium, New Sudoku Players' Forum 2013":
        "2 cells of a box and a line hold 3 or 4 digits, which have at most two lines in the cells of three cross-lines: the digits of the 2 base cells are those of 2 target cells in the other boxes, and what no choice of them has is removed";
    FrankenXWing "franken_x_wing" "Franken X-Wing" Fish (0, 300, Unfair, 6100, "0330") ON "Sudopedia, Franken Fish":
        "all places of a digit in 2 base houses lie in 2 cover houses, with boxes among them: the digit is removed from the rest of the cover houses";
    FrankenSwordfish "franken_swordfish" "Franken Swordfish" Fish (0, 350, Unfair, 6200, "0331") ON
        "Sudopedia, Franken Fish":
        "all places of a digit in 3 base houses lie in 3 cover houses, with boxes among them: the digit is removed from the rest of the cover houses";
    FrankenJellyfish "franken_jellyfish" "Franken Jellyfish" Fish (0, 370, Unfair, 6300, "0332") OFF
        "Sudopedia, Franken Fish":
        "all places of a digit in 4 base houses lie in 4 cover houses, with boxes among them: the digit is removed from the rest of the cover houses";
    SiameseFinnedFrankenXWing "siamese_finned_franken_x_wing" "Siamese Finned Franken X-Wing" Fish (0, 390, Unfair, 6695, "03401") OFF
        "HoDoKu, Complex Fish: Siamese Fish":
        "two Finned Franken X-Wings have the same base houses: the eliminations of both";
    FinnedFrankenXWing "finned_franken_x_wing" "Finned Franken X-Wing" Fish (0, 390, Unfair, 6700, "0340") ON
        "Sudopedia, Franken Fish":
        "as Franken X-Wing, with extra places in the base houses (fins): the digit is removed only from cells that see all fins";
    SiameseFinnedFrankenSwordfish "siamese_finned_franken_swordfish" "Siamese Finned Franken Swordfish" Fish (0, 410, Unfair, 6795, "03411") OFF
        "HoDoKu, Complex Fish: Siamese Fish":
        "two Finned Franken Swordfish have the same base houses: the eliminations of both";
    FinnedFrankenSwordfish "finned_franken_swordfish" "Finned Franken Swordfish" Fish (0, 410, Unfair, 6800, "0341") ON
        "Sudopedia, Franken Fish":
        "as Franken Swordfish, with extra places in the base houses (fins): the digit is removed only from cells that see all fins";
    SiameseFinnedFrankenJellyfish "siamese_finned_franken_jellyfish" "Siamese Finned Franken Jellyfish" Fish (0, 430, Unfair, 6895, "03421") OFF
        "HoDoKu, Complex Fish: Siamese Fish":
        "two Finned Franken Jellyfish have the same base houses: the eliminations of both";
    FinnedFrankenJellyfish "finned_franken_jellyfish" "Finned Franken Jellyfish" Fish (0, 430, Unfair, 6900, "0342") OFF
        "Sudopedia, Franken Fish":
        "as Franken Jellyfish, with extra places in the base houses (fins): the digit is removed only from cells that see all fins";
    MutantXWing "mutant_x_wing" "Mutant X-Wing" Fish (0, 450, Extreme, 7300, "0350") OFF "Sudopedia, Mutant Fish":
        "all places of a digit in 2 base houses lie in 2 cover houses, with rows and columns on the same side: the digit is removed from the rest of the cover houses";
    MutantSwordfish "mutant_swordfish" "Mutant Swordfish" Fish (0, 450, Extreme, 7400, "0351") OFF
        "Sudopedia, Mutant Fish":
        "all places of a digit in 3 base houses lie in 3 cover houses, with rows and columns on the same side: the digit is removed from the rest of the cover houses";
    MutantJellyfish "mutant_jellyfish" "Mutant Jellyfish" Fish (0, 450, Extreme, 7500, "0352") OFF
        "Sudopedia, Mutant Fish":
        "all places of a digit in 4 base houses lie in 4 cover houses, with rows and columns on the same side: the digit is removed from the rest of the cover houses";
    SiameseFinnedMutantXWing "siamese_finned_mutant_x_wing" "Siamese Finned Mutant X-Wing" Fish (0, 470, Extreme, 7895, "03601") OFF
        "HoDoKu, Complex Fish: Siamese Fish":
        "two Finned Mutant X-Wings have the same base houses: the eliminations of both";
    FinnedMutantXWing "finned_mutant_x_wing" "Finned Mutant X-Wing" Fish (0, 470, Extreme, 7900, "0360") OFF
        "Sudopedia, Mutant Fish":
        "as Mutant X-Wing, with extra places in the base houses (fins): the digit is removed only from cells that see all fins";
    SiameseFinnedMutantSwordfish "siamese_finned_mutant_swordfish" "Siamese Finned Mutant Swordfish" Fish (0, 470, Extreme, 7995, "03611") OFF
        "HoDoKu, Complex Fish: Siamese Fish":
        "two Finned Mutant Swordfish have the same base houses: the eliminations of both";
    FinnedMutantSwordfish "finned_mutant_swordfish" "Finned Mutant Swordfish" Fish (0, 470, Extreme, 8000, "0361") OFF
        "Sudopedia, Mutant Fish":
        "as Mutant Swordfish, with extra places in the base houses (fins): the digit is removed only from cells that see all fins";
    SiameseFinnedMutantJellyfish "siamese_finned_mutant_jellyfish" "Siamese Finned Mutant Jellyfish" Fish (0, 470, Extreme, 8095, "03621") OFF
        "HoDoKu, Complex Fish: Siamese Fish":
        "two Finned Mutant Jellyfish have the same base houses: the eliminations of both";
    FinnedMutantJellyfish "finned_mutant_jellyfish" "Finned Mutant Jellyfish" Fish (0, 470, Extreme, 8100, "0362") OFF
        "Sudopedia, Mutant Fish":
        "as Mutant Jellyfish, with extra places in the base houses (fins): the digit is removed only from cells that see all fins";
    FinnedMutantWhale "finned_mutant_whale" "Finned Mutant Whale" Fish (0, 470, Extreme, 8300, "0364") OFF
        "Sudopedia, Mutant Fish": "as Finned Mutant Jellyfish, with 6 base houses and 6 cover houses";
    MultiSectorLockedSet "multi_sector_locked_set" "Multi-Sector Locked Set" Exotic (0, 480, Extreme, 8440, "multi_sector_locked_set") OFF
        "D. P. Bird, Using Multi-Sector Locked Sets, New Sudoku Players' Forum":
        "the empty cells at the crossings of some rows and columns are as many as the rows and columns that their digits need, counted for each digit: each digit is removed from the rest of these lines";
    KrakenFish1 "kraken_fish_1" "Kraken Fish Type 1" Fish (0, 500, Extreme, 8450, "0371") OFF "Sudopedia, Kraken Fish":
        "every fin of a fish makes the same candidate in its cover houses false, directly or by a chain: the candidate is removed";
    KrakenFish2 "kraken_fish_2" "Kraken Fish Type 2" Fish (0, 500, Extreme, 8450, "0372") OFF "Sudopedia, Kraken Fish":
        "every place of a fish in one cover house, and every fin, makes the same candidate false, directly or by a chain: the candidate is removed";
    TridagonChain "tridagon_chain" "Tridagon Forcing Chain" Exotic (0, 500, Extreme, 8460, "tridagon_chain") OFF
        "D. Berthier, Hierarchical Classifications in Constraint Satisfaction: Tridagons":
        "as Tridagon: each of the other candidates leads to the same elimination";
    ForcingChainContradiction "forcing_chain_contradiction" "Forcing Chain Contradiction" LastResort (0, 500, Extreme, 8500, "1301") ON
        "Sudopedia, Forcing Chain":
        "a candidate's truth (or falsehood) leads to a contradiction by single implications: the opposite is true";
    ForcingChainVerity "forcing_chain_verity" "Forcing Chain Verity" LastResort (80, 500, Extreme, 8500, "1302") ON
        "Sudopedia, Forcing Chain":
        "every candidate of a cell, or every place of a digit in a house, leads to the same result by single implications: the result is true";
    ForcingNetContradiction "forcing_net_contradiction" "Forcing Net Contradiction" LastResort (85, 700, Extreme, 8600, "1303") ON
        "Sudopedia, Forcing Net":
        "a candidate's truth (or falsehood) leads to a contradiction by implications that combine several facts: the opposite is true";
    ForcingNetVerity "forcing_net_verity" "Forcing Net Verity" LastResort (85, 700, Extreme, 8600, "1304") ON
        "Sudopedia, Forcing Net":
        "every candidate of a cell, or every place of a digit in a house, leads to the same result by implications that combine several facts: the result is true";
    TridagonNet "tridagon_net" "Tridagon Forcing Net" Exotic (0, 700, Extreme, 8610, "tridagon_net") OFF
        "D. Berthier, Hierarchical Classifications in Constraint Satisfaction: Tridagons":
        "as Tridagon: a candidate that leads to a contradiction, because one of the other candidates must be true, is removed";
    TemplateSet "template_set" "Template Set" LastResort (0, 10_000, Extreme, 8700, "1201") OFF
        "Sudopedia, Templating": "every way to place a digit on the board uses the same cell: the digit goes there";
    TemplateDelete "template_delete" "Template Delete" LastResort (0, 10_000, Extreme, 8800, "1202") OFF
        "Sudopedia, Templating": "no way to place a digit on the board uses a cell: the digit is removed from it";
}
