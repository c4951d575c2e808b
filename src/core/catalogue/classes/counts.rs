//! The table for ranks: how many essentially different 9x9 grids begin with each first band and fourth row.
//!
//! ```text
//!   for each of the 416 bands   number of its fourth rows, then the number of minlex grids with each, in their order
//!                               number of different numbers of automorphisms; then each, and its number of grids
//! ```
//!
//! All numbers are written in groups of seven bits, the lowest first; a set highest bit says that another group
//! follows. [`count_band`] makes the table, band by band, by enumerating all minlex grids; see [`super::start`]. All
//! bands take a quarter of an hour of one core. The sum is the number of classes, 5,472,730,538, which Russell & Jarvis
//! found in another way, by Burnside's lemma (2006). The orbits, 1,218,998,108,160 / automorphisms each, sum up to all
//! grids.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::frame::FirstBand;

/// Number of essentially different 9x9 grids.
pub const CLASSES: u64 = 5_472_730_538;

/// Number of first bands.
pub const BANDS: usize = 416;

/// Maps of 9x9 grids: 3,359,232 of the cells, times 9! names of digits.
pub(crate) const MAPS: u128 = 1_218_998_108_160;

/// The counts of one first band.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct BandCounts {
    /// Minlex grids under each fourth row, in the order of the rows.
    pub starts: Vec<u32>,
    /// Minlex grids by their number of automorphisms.
    pub automorphisms: BTreeMap<u32, u64>,
}

/// Counts the minlex grids of a first band, by its index; seconds of one core.
pub fn count_band(band: usize) -> BandCounts {
    let frame = FirstBand::new(band);
    let mut counts = BandCounts::default();
    for fourth in frame.fourth_rows() {
        let mut count = 0;
        if let Some(start) = frame.start(&fourth) {
            for middle in start.middles() {
                start.lowers(&middle, |_, automorphisms| {
                    count += 1;
                    *counts.automorphisms.entry(automorphisms).or_default() += 1;
                });
            }
        }
        counts.starts.push(count);
    }
    counts
}

/// Appends a number in groups of seven bits.
fn write(mut number: u64, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes such a number from the beginning of the bytes.
fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

impl BandCounts {
    /// Number of minlex grids.
    pub fn classes(&self) -> u64 {
        self.starts.iter().map(|&count| u64::from(count)).sum()
    }

    /// As bytes of the table.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(self.starts.len() as u64, &mut bytes);
        self.starts.iter().for_each(|&count| write(count.into(), &mut bytes));
        write(self.automorphisms.len() as u64, &mut bytes);
        for (&automorphisms, &classes) in &self.automorphisms {
            write(automorphisms.into(), &mut bytes);
            write(classes, &mut bytes);
        }
        bytes
    }

    /// Takes the counts of a band off the front of a table; None if the bytes end early or do not agree.
    fn from_bytes(bytes: &mut &[u8]) -> Option<BandCounts> {
        let mut counts = BandCounts::default();
        for _ in 0..read(bytes)? {
            counts.starts.push(read(bytes)?.try_into().ok()?);
        }
        for _ in 0..read(bytes)? {
            counts.automorphisms.insert(read(bytes)?.try_into().ok()?, read(bytes)?);
        }
        (counts.automorphisms.values().sum::<u64>() == counts.classes()).then_some(counts)
    }
}

/// Classes by their number of automorphisms, of all first bands: Russell & Jarvis, "Mathematics of Sudoku II" (2006).
/// The table of counts sums up to the same.
pub(crate) const AUTOMORPHISMS: [(u32, u64); 16] = [
    (1, 5_472_170_387),
    (2, 548_449),
    (3, 7_336),
    (4, 2_826),
    (6, 1_257),
    (8, 29),
    (9, 42),
    (12, 92),
    (18, 85),
    (27, 2),
    (36, 15),
    (54, 11),
    (72, 2),
    (108, 3),
    (162, 1),
    (648, 1),
];

/// The table that the program carries.
pub struct Counts {
    bands: Vec<BandCounts>,
    /// The number of classes with a smaller first band, for each band and after the last.
    before: Vec<u64>,
}

/// The table; read at the first call, in some milliseconds.
pub fn counts() -> &'static Counts {
    static COUNTS: LazyLock<Counts> = LazyLock::new(|| {
        let mut bytes: &[u8] = include_bytes!("classes.counts");
        let bands: Vec<BandCounts> = std::iter::from_fn(|| BandCounts::from_bytes(&mut bytes)).collect();
        let sums = bands.iter().scan(0, |sum, band| Some(std::mem::replace(sum, *sum + band.classes())));
        Counts { before: sums.chain([CLASSES]).collect(), bands }
    });
    &COUNTS
}

impl Counts {
    /// The counts of a first band, by its index.
    pub fn band(&self, band: usize) -> &BandCounts {
        &self.bands[band]
    }

    /// Number of classes with a smaller first band.
    pub fn before(&self, band: usize) -> u64 {
        self.before[band]
    }

    /// The first band of the class of a rank.
    pub(crate) fn band_of(&self, rank: u64) -> usize {
        self.before.partition_point(|&before| before < rank) - 1
    }

    /// Number of classes by their number of automorphisms.
    pub fn automorphisms(&self) -> BTreeMap<u32, u64> {
        let mut all = BTreeMap::new();
        for (&automorphisms, &classes) in self.bands.iter().flat_map(|band| &band.automorphisms) {
            *all.entry(automorphisms).or_default() += classes;
        }
        all
    }

    /// Number of all grids: the sum of the orbits of all classes.
    pub fn grids(&self) -> u128 {
        self.automorphisms().iter().map(|(&k, &classes)| MAPS / u128::from(k) * u128::from(classes)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::GRIDS;

    /// The number of classes and their automorphisms as published: Russell & Jarvis, "Mathematics of Sudoku II".
    #[test]
    fn all_classes_are_counted() {
        let counts = counts();
        assert_eq!(counts.bands.len(), BANDS);
        assert_eq!(counts.bands.iter().map(BandCounts::classes).sum::<u64>(), CLASSES);
        assert_eq!(counts.automorphisms(), BTreeMap::from(AUTOMORPHISMS));
        assert_eq!(counts.grids(), GRIDS);
    }

    /// Counts two small bands again; all 416 would take a quarter of an hour.
    #[test]
    fn the_table_agrees_with_counting() {
        for band in [349, 414] {
            assert_eq!(count_band(band), *counts().band(band), "band {}", band + 1);
        }
    }

    #[test]
    fn counts_are_written_and_read() {
        let counts = BandCounts {
            starts: vec![0, 1, 127, 128, 300_000],
            automorphisms: BTreeMap::from([(1, 300_200), (2, 50), (648, 6)]),
        };
        let bytes = counts.to_bytes();
        assert_eq!(BandCounts::from_bytes(&mut &bytes[..]), Some(counts));
        assert_eq!(BandCounts::from_bytes(&mut &bytes[..bytes.len() - 1]), None);
    }
}
