//! Defines the kinds of hints, with their names and base ratings.

/// Which consequences of an assumption are followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChainLevel {
    /// Those along one digit, on the grid of the moment.
    Nishio,
    /// Those on the grid as it is at the start.
    Static,
    /// Those on the grid of the moment.
    Dynamic,
    /// Also those of locked candidates, pairs and X-Wings.
    Plus,
    /// Also those of forcing chains and cycles.
    NestedForcing,
    /// Also those of forcing chains, cycles and static chains.
    NestedMultiple,
    /// Also those of dynamic chains.
    NestedDynamic,
    /// Also those of dynamic chains, and of those in which forcing chains are nested.
    NestedDynamicForcing,
}

impl ChainLevel {
    /// The levels of multiple chains.
    const MULTIPLE: [ChainLevel; 7] = [
        ChainLevel::Static,
        ChainLevel::Dynamic,
        ChainLevel::Plus,
        ChainLevel::NestedForcing,
        ChainLevel::NestedMultiple,
        ChainLevel::NestedDynamic,
        ChainLevel::NestedDynamicForcing,
    ];
}

/// Makes the enum and the table from rows: the kind, its lowest rating in tenths, its name without numbers and levels.
macro_rules! hint_kinds {
    ($($kind:ident $(($($field:ty),+))? $tenths:literal $name:literal $about:literal;)+) => {
        /// A kind of hint of Sudoku Explainer 1.2.1.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum HintKind {
            $(#[doc = $about] $kind $(($($field),+))?),+
        }

        impl HintKind {
            const fn row(self) -> (u16, &'static str) {
                match self {
                    $(HintKind::$kind { .. } => ($tenths, $name)),+
                }
            }
        }
    };
}

hint_kinds! {
    LastValue 10 "Last value" "The last empty cell of a house.";
    HiddenSingleBlock 12 "Hidden Single in a block" "The only place of a digit in a block.";
    HiddenSingleLine 15 "Hidden Single in a line" "The only place of a digit in a row or column.";
    DirectPointing 17 "Direct Pointing" "Pointing that at once leaves a single.";
    DirectClaiming 19 "Direct Claiming" "Claiming that at once leaves a single.";
    DirectHiddenPair 20 "Direct Hidden Pair" "A hidden pair that at once leaves a single in its house.";
    NakedSingle 23 "Naked Single" "The only candidate of a cell.";
    DirectHiddenTriplet 25 "Direct Hidden Triplet" "A hidden triplet that at once leaves a single in its house.";
    Pointing 26 "Pointing" "All places of a digit in a block lie in one line.";
    Claiming 28 "Claiming" "All places of a digit in a line lie in one block.";
    NakedPair 30 "Naked Pair" "Two cells, two digits.";
    XWing 32 "X-Wing" "Two lines, two places each.";
    HiddenPair 34 "Hidden Pair" "Two digits, two cells.";
    NakedTriplet 36 "Naked Triplet" "Three cells, three digits.";
    Swordfish 38 "Swordfish" "Three lines, three places.";
    HiddenTriplet 40 "Hidden Triplet" "Three digits, three cells.";
    XyWing 42 "XY-Wing" "Three cells with xy, xz, yz.";
    XyzWing 44 "XYZ-Wing" "Three cells with xyz, xz, yz.";
    UniqueLoop(u8, u8) 45 "Unique Loop" "A unique rectangle or loop: type 1 to 4, and number of cells.";
    NakedQuad 50 "Naked Quad" "Four cells, four digits.";
    Jellyfish 52 "Jellyfish" "Four lines, four places.";
    HiddenQuad 54 "Hidden Quad" "Four digits, four cells.";
    Bug(u8) 56 "BUG" "Bivalue universal grave, type 1 to 4.";
    AlignedPairExclusion 62 "Aligned Pair Exclusion"
        "Two cells, one of which has a candidate that is in no possible combination of their digits.";
    BidirectionalXCycle 65 "Bidirectional X-Cycle" "A cycle along one digit.";
    BidirectionalYCycle 65 "Bidirectional Y-Cycle" "A cycle whose strong links are inside cells.";
    BidirectionalCycle 70 "Bidirectional Cycle" "A cycle with all links.";
    ForcingXChain 66 "Forcing X-Chain" "A chain along one digit whose assumption refutes itself.";
    ForcingChain 70 "Forcing Chain" "A chain with both kinds of links whose assumption refutes itself.";
    AlignedTripletExclusion 75 "Aligned Triplet Exclusion"
        "Three cells, one of which has a candidate that is in no possible combination of their digits.";
    NishioForcingChain 75 "Nishio Forcing Chain" "A contradiction along one digit.";
    CellForcingChains(ChainLevel) 80 "Cell Forcing Chains" "All candidates of a cell lead to the same result.";
    RegionForcingChains(ChainLevel) 80 "Region Forcing Chains"
        "All places of a digit in a house lead to the same result.";
    ContradictionForcingChain(ChainLevel) 85 "Contradiction Forcing Chains"
        "A candidate leads to a contradiction; never static.";
    DoubleForcingChain(ChainLevel) 85 "Double Forcing Chains"
        "A candidate leads to the same result whether it is true or false; never static.";
}

impl HintKind {
    /// The rating in tenths, without the part that depends on length.
    pub fn tenths(self) -> u16 {
        match self {
            HintKind::UniqueLoop(_, ..6) => 45,
            HintKind::UniqueLoop(_, 6..8) => 46,
            HintKind::UniqueLoop(_, 8..10) => 47,
            HintKind::UniqueLoop(_, 10..) => 50,
            HintKind::Bug(2..) => 57,
            HintKind::CellForcingChains(level)
            | HintKind::RegionForcingChains(level)
            | HintKind::ContradictionForcingChain(level)
            | HintKind::DoubleForcingChain(level) => 75 + 5 * level as u16,
            _ => self.row().0,
        }
    }

    /// The name that players use.
    pub fn name(self) -> String {
        let (_, name) = self.row();
        match self {
            HintKind::UniqueLoop(kind, ..=4) => format!("Unique Rectangle type {kind}"),
            HintKind::UniqueLoop(kind, length) => format!("{name} {length} type {kind}"),
            HintKind::Bug(kind) => format!("{name} type {kind}"),
            HintKind::CellForcingChains(level)
            | HintKind::RegionForcingChains(level)
            | HintKind::ContradictionForcingChain(level)
            | HintKind::DoubleForcingChain(level) => {
                let suffix = match level {
                    ChainLevel::Nishio | ChainLevel::Static | ChainLevel::Dynamic => "",
                    ChainLevel::Plus => " (+)",
                    ChainLevel::NestedForcing => " (+ Forcing Chains)",
                    ChainLevel::NestedMultiple => " (+ Multiple Forcing Chains)",
                    ChainLevel::NestedDynamic => " (+ Dynamic Forcing Chains)",
                    ChainLevel::NestedDynamicForcing => " (+ Dynamic Forcing Chains (+ Forcing Chains))",
                };
                let dynamic = if level < ChainLevel::Dynamic { "" } else { "Dynamic " };
                format!("{dynamic}{name}{suffix}")
            }
            _ => name.to_owned(),
        }
    }

    /// Every hint with a name of its own. A loop crosses each of the nine rows twice at most, so 18 cells at most.
    pub fn all() -> impl Iterator<Item = HintKind> {
        use HintKind::*;
        let plain = [
            LastValue, HiddenSingleBlock, HiddenSingleLine, DirectPointing, DirectClaiming, DirectHiddenPair,
            NakedSingle, DirectHiddenTriplet, Pointing, Claiming, NakedPair, XWing, HiddenPair, NakedTriplet,
            Swordfish, HiddenTriplet, XyWing, XyzWing, NakedQuad, Jellyfish, HiddenQuad, AlignedPairExclusion,
            BidirectionalXCycle, BidirectionalYCycle, BidirectionalCycle, ForcingXChain, ForcingChain,
            AlignedTripletExclusion, NishioForcingChain,
        ];
        let loops = (4..=18).step_by(2).flat_map(|cells| (1..=4).map(move |kind| UniqueLoop(kind, cells)));
        let mut chains = Vec::new();
        for level in ChainLevel::MULTIPLE {
            chains.extend([CellForcingChains(level), RegionForcingChains(level)]);
            if level >= ChainLevel::Dynamic {
                chains.extend([ContradictionForcingChain(level), DoubleForcingChain(level)]);
            }
        }
        plain.into_iter().chain(loops).chain((1..=4).map(Bug)).chain(chains)
    }

    /// The name as one word of small letters, digits and underscores.
    pub fn code(self) -> String {
        let name = self.name().to_ascii_lowercase().replace('+', "plus");
        let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        words.collect::<Vec<_>>().join("_")
    }
}
