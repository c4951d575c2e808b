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
    /// A unique rectangle or loop; type 1 to 4 and number of cells.
    UniqueLoop {
        /// 1 to 4.
        kind: u8,
        /// 4, 6, 8, ...
        length: u8,
    },
    /// Four cells, four digits.
    NakedQuad,
    /// Four lines, four places.
    Jellyfish,
    /// Four digits, four cells.
    HiddenQuad,
    /// Bivalue universal grave, type 1 to 4.
    Bug {
        /// 1 to 4.
        kind: u8,
    },
    /// Two cells, one of which has a candidate that is in no possible combination of their digits.
    AlignedPairExclusion,
    /// A cycle along one digit (x), along bivalue cells (y), or both.
    BidirectionalCycle {
        /// Strong links of one digit between cells are used.
        x: bool,
        /// Links inside a cell are used.
        y: bool,
    },
    /// A chain along one digit whose assumption refutes itself.
    ForcingXChain,
    /// A chain with both kinds of links whose assumption refutes itself.
    ForcingChain,
    /// Three cells, one of which has a candidate that is in no possible combination of their digits.
    AlignedTripletExclusion,
    /// A contradiction along one digit.
    NishioForcingChain,
    /// All candidates of a cell lead to the same result. `level` is -1 for static chains, 0 for dynamic, 1 for dynamic
    /// plus, 2 to 5 for dynamic chains with nested chains.
    CellForcingChains {
        /// -1 to 5.
        level: i8,
    },
    /// All places of a digit in a house lead to the same result.
    RegionForcingChains {
        /// -1 to 5.
        level: i8,
    },
    /// A candidate leads to a contradiction.
    ContradictionForcingChain {
        /// 0 to 5.
        level: i8,
    },
    /// A candidate leads to the same result whether it is true or false.
    DoubleForcingChain {
        /// 0 to 5.
        level: i8,
    },
}

impl HintKind {
    /// The rating in tenths, without the part that depends on length.
    pub fn tenths(self) -> u16 {
        match self {
            HintKind::LastValue => 10,
            HintKind::HiddenSingleBlock => 12,
            HintKind::HiddenSingleLine => 15,
            HintKind::DirectPointing => 17,
            HintKind::DirectClaiming => 19,
            HintKind::DirectHiddenPair => 20,
            HintKind::NakedSingle => 23,
            HintKind::DirectHiddenTriplet => 25,
            HintKind::Pointing => 26,
            HintKind::Claiming => 28,
            HintKind::NakedPair => 30,
            HintKind::XWing => 32,
            HintKind::HiddenPair => 34,
            HintKind::NakedTriplet => 36,
            HintKind::Swordfish => 38,
            HintKind::HiddenTriplet => 40,
            HintKind::XyWing => 42,
            HintKind::XyzWing => 44,
            HintKind::UniqueLoop { length: ..=4, .. } => 45,
            HintKind::UniqueLoop { length: 5..=6, .. } => 46,
            HintKind::UniqueLoop { length: 7..=8, .. } => 47,
            HintKind::UniqueLoop { .. } | HintKind::NakedQuad => 50,
            HintKind::Jellyfish => 52,
            HintKind::HiddenQuad => 54,
            HintKind::Bug { kind: 1 } => 56,
            HintKind::Bug { .. } => 57,
            HintKind::AlignedPairExclusion => 62,
            HintKind::BidirectionalCycle { x: true, y: true } | HintKind::ForcingChain => 70,
            HintKind::BidirectionalCycle { .. } => 65,
            HintKind::ForcingXChain => 66,
            HintKind::AlignedTripletExclusion | HintKind::NishioForcingChain => 75,
            HintKind::CellForcingChains { level }
            | HintKind::RegionForcingChains { level }
            | HintKind::ContradictionForcingChain { level }
            | HintKind::DoubleForcingChain { level } => (85 + 5 * i16::from(level)) as u16,
        }
    }

    /// The name that players use.
    pub fn name(self) -> String {
        let fixed = match self {
            HintKind::LastValue => "Last value",
            HintKind::HiddenSingleBlock => "Hidden Single in a block",
            HintKind::HiddenSingleLine => "Hidden Single in a line",
            HintKind::DirectPointing => "Direct Pointing",
            HintKind::DirectClaiming => "Direct Claiming",
            HintKind::DirectHiddenPair => "Direct Hidden Pair",
            HintKind::NakedSingle => "Naked Single",
            HintKind::DirectHiddenTriplet => "Direct Hidden Triplet",
            HintKind::Pointing => "Pointing",
            HintKind::Claiming => "Claiming",
            HintKind::NakedPair => "Naked Pair",
            HintKind::XWing => "X-Wing",
            HintKind::HiddenPair => "Hidden Pair",
            HintKind::NakedTriplet => "Naked Triplet",
            HintKind::Swordfish => "Swordfish",
            HintKind::HiddenTriplet => "Hidden Triplet",
            HintKind::XyWing => "XY-Wing",
            HintKind::XyzWing => "XYZ-Wing",
            HintKind::UniqueLoop { kind, length: ..=4 } => return format!("Unique Rectangle type {kind}"),
            HintKind::UniqueLoop { kind, length } => return format!("Unique Loop {length} type {kind}"),
            HintKind::NakedQuad => "Naked Quad",
            HintKind::Jellyfish => "Jellyfish",
            HintKind::HiddenQuad => "Hidden Quad",
            HintKind::Bug { kind } => return format!("BUG type {kind}"),
            HintKind::AlignedPairExclusion => "Aligned Pair Exclusion",
            HintKind::BidirectionalCycle { y: false, .. } => "Bidirectional X-Cycle",
            HintKind::BidirectionalCycle { x: false, .. } => "Bidirectional Y-Cycle",
            HintKind::BidirectionalCycle { .. } => "Bidirectional Cycle",
            HintKind::ForcingXChain => "Forcing X-Chain",
            HintKind::ForcingChain => "Forcing Chain",
            HintKind::AlignedTripletExclusion => "Aligned Triplet Exclusion",
            HintKind::NishioForcingChain => "Nishio Forcing Chain",
            HintKind::CellForcingChains { level } => return leveled("Cell Forcing Chains", level),
            HintKind::RegionForcingChains { level } => return leveled("Region Forcing Chains", level),
            HintKind::ContradictionForcingChain { level } => return leveled("Contradiction Forcing Chains", level),
            HintKind::DoubleForcingChain { level } => return leveled("Double Forcing Chains", level),
        };
        fixed.to_owned()
    }
}

fn leveled(name: &str, level: i8) -> String {
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
