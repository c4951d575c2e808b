//! The 416 classes of 9x9 bands, by their standard numbers, and the class of any chute (band or stack) of a grid.
//!
//! Two bands are of one class if relabelling and permutations of rows, boxes and columns inside boxes turn one into the
//! other. The classes are numbered 1 to 416 by their minlex form (the smallest of their bands, read as 27 digits),
//! which is the numbering in common use. In code a class is an index from 0.
//!
//! A band has 7,776 maps. The 216 that leave the columns of boxes 2 and 3 in their order lead from one band of a class
//! to all plain bands of the class, and back from these to the minlex form. The second row of the minlex form tells the
//! order of these columns, so 216 maps are tried to find it, too. Completions depend only on the contents of the
//! columns and come from [`crate::catalogue::numbers::bands`]. A class of s bands with c completions each has
//! probability s*c/N in each of the six chutes of a uniform grid.
//!
//! Reference: Felgenhauer & Jarvis, "Mathematics of Sudoku I" (2006), who count 416 by the same operations.

use std::sync::LazyLock;

use super::plain::{Band, PLAIN, PlainForm, SplitNumbers, plain};
use crate::catalogue::numbers::bands::bands;
use crate::catalogue::numbers::partition::{DigitRow, chosen, inverse};
use crate::catalogue::orders::ORDERS;

/// Bands for each plain one: relabellings, and column orders in boxes 2 and 3.
const BANDS_PER_PLAIN: u64 = 362_880 * 36;

/// A map of bands: row i of the image is row `rows[i]` of the source, column j is column `columns[j]`. The digits are
/// then renamed so that the first row reads 1..9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BandMap {
    pub rows: [u8; 3],
    pub columns: DigitRow,
}

/// A class of bands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BandClass {
    /// The smallest band of the class.
    pub minlex: Band,
    /// The maps of the minlex form onto itself, the identity first.
    pub symmetries: Vec<BandMap>,
    /// The number of its bands.
    pub bands: u64,
    /// Number of 4-cell unavoidable sets in each of them.
    pub swaps: u32,
}

/// All classes, and the table from plain bands to classes.
pub(crate) struct BandClasses {
    /// The 416 classes in the order of their minlex forms.
    pub classes: Vec<BandClass>,
    /// The class of each plain band.
    pub(crate) of_plain: Vec<u16>,
    /// The map of each plain band to the minlex form of its class.
    maps: Vec<BandMap>,
    pub(crate) splits: SplitNumbers,
}

/// The classes; computed at the first call, in some hundredths of a second.
pub(crate) fn band_classes() -> &'static BandClasses {
    static CLASSES: LazyLock<BandClasses> = LazyLock::new(BandClasses::compute);
    &CLASSES
}

impl BandClasses {
    /// The class of a band, as an index into [`BandClasses::classes`]: one less than its number. It must be valid.
    pub(crate) fn class_of(&self, band: &Band) -> usize {
        self.of_plain[self.splits.plain_form(band).number].into()
    }

    /// The map of a band to its minlex form.
    pub(crate) fn map_to_form(&self, band: &Band) -> BandMap {
        let PlainForm { number, columns } = self.splits.plain_form(band);
        let map = &self.maps[number];
        BandMap { rows: map.rows, columns: chosen(&columns, &map.columns) }
    }

    /// The classes of the six chutes of a grid: bands from above, stacks from the left.
    pub(crate) fn chutes(&self, grid: &[u8; 81]) -> [usize; 6] {
        std::array::from_fn(|chute| self.class_of(&chute_of(grid, chute)))
    }

    /// Number of grids with a given first band of each class, times the bands of the class; the sum is N.
    pub(crate) fn grids(&self) -> impl Iterator<Item = u128> + '_ {
        self.classes.iter().map(|class| u128::from(class.bands) * u128::from(class.completions()))
    }

    /// From each plain band that no class has yet, the 216 maps lead to all plain bands of a new class.
    fn compute() -> BandClasses {
        let splits = SplitNumbers::new();
        let all_maps: Vec<BandMap> = (0..216).map(BandMap::of_number).collect();
        // For each plain band its class, in the order in which classes are met, and the map to the minlex form.
        let mut of_plain = vec![0; PLAIN];
        let mut maps: Vec<Option<BandMap>> = vec![None; PLAIN];
        let mut classes = Vec::new();
        for number in 0..PLAIN {
            if maps[number].is_some() {
                continue;
            }
            let band = plain(number);
            let class = BandClass::of(&band, &all_maps);
            let mut bands = 0;
            for map in &all_maps {
                let PlainForm { number: image, columns } = splits.plain_form(&chosen(&band, &map.origins()));
                if maps[image].is_none() {
                    // From the plain image back to the band, and on to the minlex form.
                    let forward = map.then(&BandMap { rows: [0, 1, 2], columns });
                    maps[image] = Some(forward.inverse().then(&class.symmetries[0]));
                    of_plain[image] = classes.len();
                    bands += BANDS_PER_PLAIN;
                }
            }
            // So far these are maps from this band. The inverse of the first, followed by each, is a symmetry.
            let first = class.symmetries[0].inverse();
            let symmetries = class.symmetries.iter().map(|map| first.then(map)).collect();
            classes.push(BandClass { symmetries, bands, ..class });
        }
        let forms: Vec<Band> = classes.iter().map(|class| class.minlex).collect();
        classes.sort_unstable_by_key(|class| class.minlex);
        let numbers = forms.iter().map(|form| classes.partition_point(|class| class.minlex < *form));
        let numbers: Vec<usize> = numbers.collect();
        let of_plain = of_plain.into_iter().map(|class| numbers[class] as u16).collect();
        BandClasses { classes, of_plain, maps: maps.into_iter().flatten().collect(), splits }
    }
}

impl BandMap {
    /// One of the 216 maps that leave the columns of boxes 2 and 3 in their order.
    fn of_number(number: usize) -> BandMap {
        let [rows, boxes, first] = [number / 36, number / 6 % 6, number % 6].map(|number| ORDERS[number]);
        let columns = std::array::from_fn(|column| {
            let place = if column < 3 { first[column] } else { column % 3 };
            (3 * boxes[column / 3] + place) as u8
        });
        BandMap { rows: rows.map(|row| row as u8), columns }
    }

    /// The map that gives the smallest second row, with the columns of boxes 2 and 3 in another order: digits are met
    /// from the left, and the next free column of its box goes to each. None if the second row cannot begin with 4 5,
    /// as it does in the smallest band.
    fn ordered(&self, band: &Band) -> Option<BandMap> {
        let [first, second] = [self.rows[0], self.rows[1]].map(|row| &band[9 * usize::from(row)..][..9]);
        let mut above = [0; 10];
        first.iter().zip(0..).for_each(|(&digit, column)| above[usize::from(digit)] = column);
        let mut map = BandMap { columns: [9; 9], ..*self };
        map.columns[..3].copy_from_slice(&self.columns[..3]);
        let mut ends = [3, 6];
        // Boxes 1 and 2 of the second row have all digits of box 3 of the first row.
        for place in 0..6 {
            // The second row must begin with two digits of box 2 of the first row. The last column of this box is the
            // one that is left: its columns add up to 9 b + 3.
            match (place, ends[0]) {
                (2, 3 | 4) => return None,
                (3, 5) => map.columns[5] = 3 * self.columns[3] + 3 - map.columns[3] - map.columns[4],
                _ => {}
            }
            let column = above[usize::from(second[usize::from(map.columns[place])])];
            if !map.columns.contains(&column) {
                let end = &mut ends[usize::from(column / 3 != self.columns[3] / 3)];
                map.columns[*end] = column;
                *end += 1;
            }
        }
        Some(map)
    }

    /// The cell of a band that becomes each cell of its image.
    fn origins(&self) -> [u8; 27] {
        std::array::from_fn(|cell| 9 * self.rows[cell / 9] + self.columns[cell % 9])
    }

    pub(crate) fn then(&self, next: &BandMap) -> BandMap {
        BandMap { rows: chosen(&self.rows, &next.rows), columns: chosen(&self.columns, &next.columns) }
    }

    fn inverse(&self) -> BandMap {
        BandMap { rows: inverse(&self.rows), columns: inverse(&self.columns) }
    }

    /// The image of a band. Its digits are renamed so that the first row reads 1..9.
    fn apply(&self, band: &Band) -> Band {
        let image = chosen(band, &self.origins());
        let mut names = [0; 10];
        (0..9).for_each(|column| names[usize::from(image[column])] = column as u8 + 1);
        image.map(|digit| names[usize::from(digit)])
    }
}

impl BandClass {
    /// The class of a band. `symmetries` are all maps of this band to its minlex form; `bands` is not known yet.
    fn of(band: &Band, maps: &[BandMap]) -> BandClass {
        let mut best: Band = [9; 27];
        let mut symmetries = Vec::new();
        for map in maps.iter().filter_map(|map| map.ordered(band)) {
            let image = map.apply(band);
            if image < best {
                best = image;
                symmetries.clear();
            }
            if image == best {
                symmetries.push(map);
            }
        }
        BandClass { minlex: best, symmetries, bands: 0, swaps: swaps(&best) }
    }

    /// Number of ways to complete each band of the class to a grid.
    pub(crate) fn completions(&self) -> u64 {
        bands().completions_below(&self.minlex)
    }
}

/// A chute as a band: bands 0..3 as they are, stacks 3..6 transposed.
fn chute_of(grid: &[u8; 81], chute: usize) -> Band {
    if chute < 3 {
        return std::array::from_fn(|cell| grid[27 * chute + cell]);
    }
    std::array::from_fn(|cell| grid[cell % 9 * 9 + (chute - 3) * 3 + cell / 9])
}

/// Number of 4-cell unavoidable sets of a band: two rows and two columns in which the same two digits cross.
fn swaps(band: &Band) -> u32 {
    let mut swaps = 0;
    for rows in [[0, 1], [0, 2], [1, 2]] {
        let [upper, lower] = rows.map(|row| &band[9 * row..][..9]);
        for right in 0..9 {
            for left in 0..right {
                swaps += u32::from(upper[left] == lower[right] && lower[left] == upper[right]);
            }
        }
    }
    swaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Freedom, Isomorphism, Shape, Solution};
    use crate::catalogue::{CLASSES, GRIDS, cells_of_rank, grid_of_number};
    use crate::random::{Rng, Stage};

    #[test]
    fn the_416_classes_hold_all_bands_and_all_grids() {
        let classes = band_classes();
        assert_eq!(classes.classes.len(), 416);
        assert_eq!(classes.classes.iter().map(|class| class.bands).sum::<u64>(), 948_109_639_680);
        assert_eq!(classes.grids().sum::<u128>(), GRIDS);
        let completions = || classes.classes.iter().map(BandClass::completions);
        assert_eq!((completions().min(), completions().max()), (Some(6_831_977_472), Some(7_802_998_272)));
    }

    /// Orbit and stabiliser: 9! names and 7,776 maps.
    #[test]
    fn bands_times_symmetries_are_all_maps() {
        for class in &band_classes().classes {
            assert_eq!(class.bands * class.symmetries.len() as u64, 362_880 * 7_776);
            assert_eq!(class.symmetries[0], BandMap { rows: [0, 1, 2], columns: [0, 1, 2, 3, 4, 5, 6, 7, 8] });
            for map in &class.symmetries {
                assert_eq!(map.apply(&class.minlex), class.minlex);
            }
        }
    }

    /// The first and the last band of the standard list.
    #[test]
    fn classes_are_numbered_by_their_minlex_forms() {
        let classes = &band_classes().classes;
        assert!(classes.is_sorted_by(|a, b| a.minlex < b.minlex));
        let text = |at: usize| classes[at].minlex.iter().map(ToString::to_string).collect::<String>();
        assert_eq!(text(0), "123456789456789123789123456");
        assert_eq!(text(415), "123456789457893612986217354");
        assert!(classes.iter().enumerate().all(|(at, class)| band_classes().class_of(&class.minlex) == at));
        // As published with the last minlex grid: it is the only one whose six chutes are all of band 416.
        assert_eq!(band_classes().chutes(&cells_of_rank(CLASSES).unwrap()), [415; 6]);
    }

    /// The extremes of the class probabilities, as published with the method.
    #[test]
    fn probabilities_lie_between_known_bounds() {
        let shares = || band_classes().grids().map(|grids| grids as f64 / GRIDS as f64);
        let (least, most) = (shares().fold(1.0, f64::min), shares().fold(0.0, f64::max));
        assert!((least - 3.056e-5).abs() < 5e-9 && (most - 3.108e-3).abs() < 5e-7, "{least} {most}");
    }

    /// Every chute of random grids is brought to the minlex form of its class, and images have the same classes.
    #[test]
    fn forms_are_maps_to_the_minlex_band_of_the_class() {
        let classes = band_classes();
        let values = |grid: &Solution| grid.grid().nine().unwrap();
        let sorted = |grid: &Solution| {
            let mut chutes = classes.chutes(&values(grid));
            chutes.sort_unstable();
            chutes
        };
        for index in 0..200 {
            let mut rng = Rng::new(1, index, Stage::Bench, 0);
            let number = u128::from(rng.word()) << 64 | u128::from(rng.word());
            let grid = grid_of_number(Shape::NINE, number % GRIDS).unwrap();
            for chute in 0..6 {
                let band = chute_of(&values(&grid), chute);
                let (class, map) = (classes.class_of(&band), classes.map_to_form(&band));
                assert_eq!(map.apply(&band), classes.classes[class].minlex);
            }
            assert_eq!(sorted(&Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply(&grid)), sorted(&grid));
        }
    }
}
