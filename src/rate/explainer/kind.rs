//! The kinds of hints with their names and base ratings.

/// A kind of hint of Sudoku Explainer 1.2.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
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
    /// Two cells whose digit combinations are mostly excluded.
    AlignedPairExclusion,
    /// A cycle along one digit (x), along bivalue cells (y), or both.
    BidirectionalCycle {
        /// Links of one digit between cells are used.
        x: bool,
        /// Links inside a cell are used.
        y: bool,
    },
    /// A chain along one digit whose assumption refutes itself.
    ForcingXChain,
    /// A chain with both kinds of links whose assumption refutes itself.
    ForcingChain,
    /// Three cells whose digit combinations are mostly excluded.
    AlignedTripletExclusion,
    /// A contradiction along one digit.
    NishioForcingChain,
    /// All candidates of a cell lead to the same. `level` is -1 for static chains, 0 dynamic, 1 dynamic plus, 2 to 5
    /// with chains nested in it.
    CellForcingChains {
        /// -1 to 5.
        level: i8,
    },
    /// All places of a digit in a house lead to the same.
    RegionForcingChains {
        /// -1 to 5.
        level: i8,
    },
    /// A candidate leads to a contradiction.
    ContradictionForcingChain {
        /// 0 to 5.
        level: i8,
    },
    /// A candidate leads to the same whether true or false.
    DoubleForcingChain {
        /// 0 to 5.
        level: i8,
    },
}

impl Kind {
    /// The rating in tenths without what length adds.
    pub fn tenths(self) -> u16 {
        match self {
            Kind::LastValue => 10,
            Kind::HiddenSingleBlock => 12,
            Kind::HiddenSingleLine => 15,
            Kind::DirectPointing => 17,
            Kind::DirectClaiming => 19,
            Kind::DirectHiddenPair => 20,
            Kind::NakedSingle => 23,
            Kind::DirectHiddenTriplet => 25,
            Kind::Pointing => 26,
            Kind::Claiming => 28,
            Kind::NakedPair => 30,
            Kind::XWing => 32,
            Kind::HiddenPair => 34,
            Kind::NakedTriplet => 36,
            Kind::Swordfish => 38,
            Kind::HiddenTriplet => 40,
            Kind::XyWing => 42,
            Kind::XyzWing => 44,
            Kind::UniqueLoop { length: ..=4, .. } => 45,
            Kind::UniqueLoop { length: 5..=6, .. } => 46,
            Kind::UniqueLoop { length: 7..=8, .. } => 47,
            Kind::UniqueLoop { .. } | Kind::NakedQuad => 50,
            Kind::Jellyfish => 52,
            Kind::HiddenQuad => 54,
            Kind::Bug { kind: 1 } => 56,
            Kind::Bug { .. } => 57,
            Kind::AlignedPairExclusion => 62,
            Kind::BidirectionalCycle { x: true, y: true } | Kind::ForcingChain => 70,
            Kind::BidirectionalCycle { .. } => 65,
            Kind::ForcingXChain => 66,
            Kind::AlignedTripletExclusion | Kind::NishioForcingChain => 75,
            Kind::CellForcingChains { level }
            | Kind::RegionForcingChains { level }
            | Kind::ContradictionForcingChain { level }
            | Kind::DoubleForcingChain { level } => (85 + 5 * i16::from(level)) as u16,
        }
    }

    /// The name, in the words of the field.
    pub fn name(self) -> String {
        let fixed = match self {
            Kind::LastValue => "Last value",
            Kind::HiddenSingleBlock => "Hidden Single in a block",
            Kind::HiddenSingleLine => "Hidden Single in a line",
            Kind::DirectPointing => "Direct Pointing",
            Kind::DirectClaiming => "Direct Claiming",
            Kind::DirectHiddenPair => "Direct Hidden Pair",
            Kind::NakedSingle => "Naked Single",
            Kind::DirectHiddenTriplet => "Direct Hidden Triplet",
            Kind::Pointing => "Pointing",
            Kind::Claiming => "Claiming",
            Kind::NakedPair => "Naked Pair",
            Kind::XWing => "X-Wing",
            Kind::HiddenPair => "Hidden Pair",
            Kind::NakedTriplet => "Naked Triplet",
            Kind::Swordfish => "Swordfish",
            Kind::HiddenTriplet => "Hidden Triplet",
            Kind::XyWing => "XY-Wing",
            Kind::XyzWing => "XYZ-Wing",
            Kind::UniqueLoop { kind, length: ..=4 } => return format!("Unique Rectangle type {kind}"),
            Kind::UniqueLoop { kind, length } => return format!("Unique Loop {length} type {kind}"),
            Kind::NakedQuad => "Naked Quad",
            Kind::Jellyfish => "Jellyfish",
            Kind::HiddenQuad => "Hidden Quad",
            Kind::Bug { kind } => return format!("BUG type {kind}"),
            Kind::AlignedPairExclusion => "Aligned Pair Exclusion",
            Kind::BidirectionalCycle { y: false, .. } => "Bidirectional X-Cycle",
            Kind::BidirectionalCycle { x: false, .. } => "Bidirectional Y-Cycle",
            Kind::BidirectionalCycle { .. } => "Bidirectional Cycle",
            Kind::ForcingXChain => "Forcing X-Chain",
            Kind::ForcingChain => "Forcing Chain",
            Kind::AlignedTripletExclusion => "Aligned Triplet Exclusion",
            Kind::NishioForcingChain => "Nishio Forcing Chain",
            Kind::CellForcingChains { level } => return leveled("Cell Forcing Chains", level),
            Kind::RegionForcingChains { level } => return leveled("Region Forcing Chains", level),
            Kind::ContradictionForcingChain { level } => return leveled("Contradiction Forcing Chains", level),
            Kind::DoubleForcingChain { level } => return leveled("Double Forcing Chains", level),
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
