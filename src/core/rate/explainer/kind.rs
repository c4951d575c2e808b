//! The kinds of hints with their names and base ratings.

/// A kind of hint of Sudoku Explainer 1.2.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HintKind {
    /// The last empty cell of a house.
    LastValue,
    /// The only place of a digit in a block.
    HiddenSingleBlock,
    /// The only place of a digit in a row or column.
    HiddenSingleLine,
    /// Pointing that at once leaves a single.
    DirectPointing,
    /// Claiming that at once leaves a single.
    DirectClaiming,
    /// A hidden pair that at once leaves a single in its house.
    DirectHiddenPair,
    /// The only candidate of a cell.
    NakedSingle,
    /// A hidden triplet that at once leaves a single in its house.
    DirectHiddenTriplet,
    /// All places of a digit in a block lie in one line.
    Pointing,
    /// All places of a digit in a line lie in one block.
    Claiming,
    /// Two cells, two digits.
    NakedPair,
    /// Two lines, two places each.
    XWing,
    /// Two digits, two cells.
    HiddenPair,
    /// Three cells, three digits.
    NakedTriplet,
    /// Three lines, three places.
    Swordfish,
    /// Three digits, three cells.
    HiddenTriplet,
    /// Three cells with xy, xz, yz.
    XyWing,
    /// Three cells with xyz, xz, yz.
    XyzWing,
    /// A unique rectangle or loop: type 1 to 4, and number of cells.
    UniqueLoop(u8, u8),
    /// Four cells, four digits.
    NakedQuad,
    /// Four lines, four places.
    Jellyfish,
    /// Four digits, four cells.
    HiddenQuad,
    /// Bivalue universal grave, type 1 to 4.
    Bug(u8),
    /// Two cells, one of which has a candidate that is in no possible combination of their digits.
    AlignedPairExclusion,
    /// A cycle along one digit.
    BidirectionalXCycle,
    /// A cycle whose strong links are inside cells.
    BidirectionalYCycle,
    /// A cycle with all links.
    BidirectionalCycle,
    /// A chain along one digit whose assumption refutes itself.
    ForcingXChain,
    /// A chain with both kinds of links whose assumption refutes itself.
    ForcingChain,
    /// Three cells, one of which has a candidate that is in no possible combination of their digits.
    AlignedTripletExclusion,
    /// A contradiction along one digit.
    NishioForcingChain,
    /// All candidates of a cell lead to the same result. -1 for static chains, 0 for dynamic, 1 for dynamic plus, 2 to 5
    /// for dynamic chains with nested chains.
    CellForcingChains(i8),
    /// All places of a digit in a house lead to the same result; -1 to 5.
    RegionForcingChains(i8),
    /// A candidate leads to a contradiction; 0 to 5.
    ContradictionForcingChain(i8),
    /// A candidate leads to the same result whether it is true or false; 0 to 5.
    DoubleForcingChain(i8),
}

impl HintKind {
    /// The rating in tenths, without the part that depends on length.
    pub fn tenths(self) -> u16 {
        self.tenths_and_name().0
    }

    /// The name that players use.
    pub fn name(self) -> String {
        let (_, name) = self.tenths_and_name();
        match self {
            HintKind::UniqueLoop(kind, ..=4) => format!("Unique Rectangle type {kind}"),
            HintKind::UniqueLoop(kind, length) => format!("{name} {length} type {kind}"),
            HintKind::Bug(kind) => format!("{name} type {kind}"),
            HintKind::CellForcingChains(level)
            | HintKind::RegionForcingChains(level)
            | HintKind::ContradictionForcingChain(level)
            | HintKind::DoubleForcingChain(level) => {
                let suffix = match level {
                    ..=0 => "",
                    1 => " (+)",
                    2 => " (+ Forcing Chains)",
                    3 => " (+ Multiple Forcing Chains)",
                    4 => " (+ Dynamic Forcing Chains)",
                    _ => " (+ Dynamic Forcing Chains (+ Forcing Chains))",
                };
                format!("{}{name}{suffix}", if level < 0 { "" } else { "Dynamic " })
            }
            _ => name.to_owned(),
        }
    }

    /// The name as one word of small letters, digits and underscores.
    pub fn code(self) -> String {
        let name = self.name().to_ascii_lowercase().replace('+', "plus");
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("_")
    }

    /// The base rating, and the name without numbers and levels.
    fn tenths_and_name(self) -> (u16, &'static str) {
        let of_level = |level: i8| (85 + 5 * i16::from(level)) as u16;
        match self {
            HintKind::LastValue => (10, "Last value"),
            HintKind::HiddenSingleBlock => (12, "Hidden Single in a block"),
            HintKind::HiddenSingleLine => (15, "Hidden Single in a line"),
            HintKind::DirectPointing => (17, "Direct Pointing"),
            HintKind::DirectClaiming => (19, "Direct Claiming"),
            HintKind::DirectHiddenPair => (20, "Direct Hidden Pair"),
            HintKind::NakedSingle => (23, "Naked Single"),
            HintKind::DirectHiddenTriplet => (25, "Direct Hidden Triplet"),
            HintKind::Pointing => (26, "Pointing"),
            HintKind::Claiming => (28, "Claiming"),
            HintKind::NakedPair => (30, "Naked Pair"),
            HintKind::XWing => (32, "X-Wing"),
            HintKind::HiddenPair => (34, "Hidden Pair"),
            HintKind::NakedTriplet => (36, "Naked Triplet"),
            HintKind::Swordfish => (38, "Swordfish"),
            HintKind::HiddenTriplet => (40, "Hidden Triplet"),
            HintKind::XyWing => (42, "XY-Wing"),
            HintKind::XyzWing => (44, "XYZ-Wing"),
            HintKind::UniqueLoop(_, length) => {
                ([45, 46, 47, 50][usize::from(length.clamp(4, 10)) / 2 - 2], "Unique Loop")
            }
            HintKind::NakedQuad => (50, "Naked Quad"),
            HintKind::Jellyfish => (52, "Jellyfish"),
            HintKind::HiddenQuad => (54, "Hidden Quad"),
            HintKind::Bug(kind) => (if kind == 1 { 56 } else { 57 }, "BUG"),
            HintKind::AlignedPairExclusion => (62, "Aligned Pair Exclusion"),
            HintKind::BidirectionalXCycle => (65, "Bidirectional X-Cycle"),
            HintKind::BidirectionalYCycle => (65, "Bidirectional Y-Cycle"),
            HintKind::BidirectionalCycle => (70, "Bidirectional Cycle"),
            HintKind::ForcingXChain => (66, "Forcing X-Chain"),
            HintKind::ForcingChain => (70, "Forcing Chain"),
            HintKind::AlignedTripletExclusion => (75, "Aligned Triplet Exclusion"),
            HintKind::NishioForcingChain => (75, "Nishio Forcing Chain"),
            HintKind::CellForcingChains(level) => (of_level(level), "Cell Forcing Chains"),
            HintKind::RegionForcingChains(level) => (of_level(level), "Region Forcing Chains"),
            HintKind::ContradictionForcingChain(level) => (of_level(level), "Contradiction Forcing Chains"),
            HintKind::DoubleForcingChain(level) => (of_level(level), "Double Forcing Chains"),
        }
    }
}
