//! The techniques: one enum, one table. A row says everything that rows of a corpus, help texts, docs and tests need.
//!
//! To add a technique: a variant, a row at its place in solving order, and an arm in [`super::find`] that calls the
//! function of its family. Tests loop over the table, so the new row is tested by them at once.
//!
//! Three numbers stand in a row and are never mixed: Sudoku Explainer 1.2.1's rating, HoDoKu 2.2.0's score and level,
//! and the place in our solving order, which is HoDoKu's.

use std::fmt;
use std::str::FromStr;

use super::level::Level::{self, Easy, Hard, Medium, Unfair};
use super::nearest;
use Family::{Chains, Fish, Intersections, SingleDigit, Singles, Subsets, Wings};

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
    Skyscraper,
    TwoStringKite,
    WWing,
    XyWing,
    XyzWing,
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
    row(Technique::Skyscraper, "skyscraper", "Skyscraper", SingleDigit, (0, 130, Hard, 3000, "0400"),
        "two parallel lines with two places for a digit, one pair of ends on one crossing line: none where both other ends are seen",
        "Sudopedia, Skyscraper"),
    row(Technique::TwoStringKite, "two_string_kite", "2-String Kite", SingleDigit, (0, 150, Hard, 3100, "0401"),
        "a row and a column with two places for a digit, one end of each in the same box: none where both other ends are seen",
        "Sudopedia, 2-String Kite"),
    row(Technique::WWing, "w_wing", "W-Wing", Wings, (0, 150, Hard, 3200, "0803"),
        "two cells with the same two candidates, tied by a house with two places for one: the other goes where both are seen",
        "Sudopedia, W-Wing"),
    row(Technique::XyWing, "xy_wing", "XY-Wing", Wings, (42, 160, Hard, 3300, "0800"),
        "a cell xy that sees cells xz and yz: no z where both are seen",
        "Sudopedia, XY-Wing"),
    row(Technique::XyzWing, "xyz_wing", "XYZ-Wing", Wings, (44, 180, Hard, 3400, "0801"),
        "a cell xyz that sees cells xz and yz: no z where all three are seen",
        "Sudopedia, XYZ-Wing"),
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
    pub const COUNT: usize = Technique::AlsAic as usize + 1;

    /// Every technique in solving order.
    pub fn all() -> impl Iterator<Item = Technique> {
        TECHNIQUES.iter().map(|info| info.technique)
    }

    /// The row of the table.
    #[inline]
    pub const fn info(self) -> &'static TechniqueInfo {
        &TECHNIQUES[self as usize]
    }

    /// True when it belongs to the ladder that is used unless another is asked for: what HoDoKu 2.2.0 uses at first.
    pub const fn is_default(self) -> bool {
        use Technique::{AlsAic, AlsContinuousNiceLoop, AlsDiscontinuousNiceLoop};
        !matches!(self, AlsContinuousNiceLoop | AlsDiscontinuousNiceLoop | AlsAic)
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
    pub const ALL: &[Family] = &[Singles, Intersections, Subsets, Fish, SingleDigit, Wings, Chains];

    /// The name in ladders.
    pub const fn code(self) -> &'static str {
        match self {
            Singles => "singles",
            Intersections => "intersections",
            Subsets => "subsets",
            Fish => "fish",
            SingleDigit => "single_digit",
            Wings => "wings",
            Chains => "chains",
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
        let plain = |code: &str| code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
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
