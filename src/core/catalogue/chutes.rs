//! The 416 classes of 9x9 bands, by their standard numbers, and the class of any chute (band or stack) of a grid.
//!
//! Two bands are of one class if relabelling and permutations of rows, boxes and columns inside boxes turn one into the
//! other. The classes are numbered 1 to 416 by their minlex form (the smallest of their bands, read as 27 digits), which is
//! the numbering in common use. In code a class is an index from 0.
//!
//! The generators of the group lead from one band of each class to all its plain bands; the map that makes a band
//! minlex is computed on the way. The minlex form of this first band is found by trying all 7,776 maps. Completions
//! depend only on the contents of the columns and come from [`super::bands`]. A class of s bands with c completions
//! each has probability s*c/N in each of the six chutes of a uniform grid.
//!
//! Reference: Felgenhauer & Jarvis, "Mathematics of Sudoku I" (2006), who count 416 by the same operations.

use std::cmp::Ordering;
use std::sync::LazyLock;

use super::bands::bands;
use super::plain::{ORDERS, PLAIN, Splits};
use crate::board::flood::flood;

/// A band as 27 digits 1..=9, row by row.
pub type Band = [u8; 27];

/// Bands for each plain one: relabellings, and column orders in boxes 2 and 3.
const BANDS_PER_PLAIN: u64 = 362_880 * 36;

/// A map of bands: row i of the image is row `rows[i]` of the source, column j is column `columns[j]`. The digits are
/// then renamed so that the first row reads 1..9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BandMap {
    /// Where the rows come from.
    pub rows: [u8; 3],
    /// Where the columns come from.
    pub columns: [u8; 9],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BandClass {
    /// The smallest band of the class.
    pub minlex: Band,
    /// The maps of the minlex form onto itself, the identity first.
    pub symmetries: Vec<BandMap>,
    pub bands: u64,
    /// Number of ways to complete each of them to a grid.
    pub completions: u64,
    /// Number of 4-cell unavoidable sets in each of them.
    pub swaps: u32,
}

/// The class of a plain band, and a map to the minlex form.
#[derive(Clone, Copy)]
struct Form {
    class: u16,
    map: BandMap,
}

/// All classes, and the table from plain bands to classes.
pub struct BandClasses {
    classes: Vec<BandClass>,
    forms: Vec<Form>,
    splits: Splits,
}

/// The classes; computed at the first call, in about a tenth of a second.
pub fn band_classes() -> &'static BandClasses {
    static CLASSES: LazyLock<BandClasses> = LazyLock::new(BandClasses::compute);
    &CLASSES
}

impl BandClasses {
    /// The 416 classes in the order of their minlex forms.
    pub fn classes(&self) -> &[BandClass] {
        &self.classes
    }

    /// The class of a band, as an index into [`BandClasses::classes`]: one less than its number. The band must be valid.
    pub fn class_of(&self, band: &Band) -> usize {
        usize::from(self.forms[self.splits.plain_form(band).0].class)
    }

    /// The class of a band and a map to its minlex form.
    pub fn form_of(&self, band: &Band) -> (usize, BandMap) {
        let (number, columns) = self.splits.plain_form(band);
        let form = &self.forms[number];
        let columns = form.map.columns.map(|column| columns[usize::from(column)]);
        (usize::from(form.class), BandMap { rows: form.map.rows, columns })
    }

    /// The class of a plain band, by the split of its rows and the orders of its columns; see [`box_orders`].
    #[inline]
    pub(super) fn class_of_plain(&self, split: usize, orders: usize) -> u16 {
        self.forms[split * 1296 + orders].class
    }

    /// The number of the split of nine renamed digits into rows that box 2 of a plain band has.
    #[inline]
    pub(super) fn split_number(&self, rows: &[[u8; 3]; 3]) -> usize {
        self.splits.number_of(rows)
    }

    /// The classes of the six chutes of a grid: bands from above, stacks from the left.
    pub fn chutes(&self, grid: &[u8; 81]) -> [usize; 6] {
        std::array::from_fn(|chute| self.class_of(&chute_of(grid, chute)))
    }

    /// Number of grids with a given first band of each class, times the bands of the class; the sum is N.
    pub fn grids(&self) -> impl Iterator<Item = u128> + '_ {
        self.classes.iter().map(|class| u128::from(class.bands) * u128::from(class.completions))
    }

    fn compute() -> BandClasses {
        let splits = Splits::new();
        let mut forms: Vec<Option<Form>> = vec![None; PLAIN];
        let mut classes: Vec<BandClass> = Vec::new();
        for number in 0..PLAIN {
            if forms[number].is_none() {
                let class = BandClass::of(&splits.plain(number));
                let map = class.symmetries[0];
                let bands = spread(&splits, &mut forms, number, Form { class: classes.len() as u16, map });
                classes.push(BandClass { bands, ..class });
            }
        }
        // So far `symmetries` holds the maps from the first plain band. The inverse of the first map, followed by each of
        // them, is a symmetry.
        for class in &mut classes {
            let first = class.symmetries[0].inverse();
            class.symmetries = class.symmetries.iter().map(|map| first.then(map)).collect();
        }
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_unstable_by_key(|&at| classes[at].minlex);
        let mut rank = vec![0; classes.len()];
        order.iter().enumerate().for_each(|(place, &at)| rank[at] = place as u16);
        let renumbered = |form: Form| Form { class: rank[usize::from(form.class)], ..form };
        BandClasses {
            classes: order.iter().map(|&at| classes[at].clone()).collect(),
            forms: forms.into_iter().flatten().map(renumbered).collect(),
            splits,
        }
    }
}

/// Gives all plain bands of a class their forms, starting from one; returns the number of bands of the class.
fn spread(splits: &Splits, forms: &mut [Option<Form>], start: usize, form: Form) -> u64 {
    let origins = GENERATORS.map(|generator| generator.origins());
    let images = |number: usize| {
        let band = splits.plain(number);
        GENERATORS.into_iter().zip(&origins).map(move |(generator, origins)| {
            let (image, columns) = splits.plain_form(&origins.map(|at| band[usize::from(at)]));
            (image, (generator, columns))
        })
    };
    // From the plain image back to the band, and on to the minlex form.
    let of_image = |form: Form, (generator, columns): (BandMap, _)| {
        let forward = generator.then(&BandMap { rows: [0, 1, 2], columns });
        Form { map: forward.inverse().then(&form.map), ..form }
    };
    flood(forms, (start, form), images, of_image).len() as u64 * BANDS_PER_PLAIN
}

/// Generators of the maps of rows, boxes and columns. Exchanges of columns in boxes 2 and 3 are not needed, because
/// plain bands have these columns in a fixed order.
const GENERATORS: [BandMap; 6] = [
    BandMap { rows: [1, 0, 2], columns: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
    BandMap { rows: [0, 2, 1], columns: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
    BandMap { rows: [0, 1, 2], columns: [3, 4, 5, 0, 1, 2, 6, 7, 8] },
    BandMap { rows: [0, 1, 2], columns: [0, 1, 2, 6, 7, 8, 3, 4, 5] },
    BandMap { rows: [0, 1, 2], columns: [1, 0, 2, 3, 4, 5, 6, 7, 8] },
    BandMap { rows: [0, 1, 2], columns: [0, 2, 1, 3, 4, 5, 6, 7, 8] },
];

impl BandMap {
    /// The cell of a band that becomes each cell of its image.
    fn origins(&self) -> [u8; 27] {
        std::array::from_fn(|at| 9 * self.rows[at / 9] + self.columns[at % 9])
    }

    /// The image of a band, without the renaming of digits.
    fn apply(&self, band: &Band) -> Band {
        self.origins().map(|at| band[usize::from(at)])
    }

    /// The composition: this map first, then another one.
    pub fn then(&self, next: &BandMap) -> BandMap {
        BandMap {
            rows: next.rows.map(|row| self.rows[usize::from(row)]),
            columns: next.columns.map(|column| self.columns[usize::from(column)]),
        }
    }

    fn inverse(&self) -> BandMap {
        let mut inverse = BandMap { rows: [0; 3], columns: [0; 9] };
        (0..3).for_each(|row| inverse.rows[usize::from(self.rows[row])] = row as u8);
        (0..9).for_each(|column| inverse.columns[usize::from(self.columns[column])] = column as u8);
        inverse
    }
}

impl BandClass {
    /// The class of a band. `symmetries` are all maps of this band to its minlex form; `bands` is not known yet.
    fn of(band: &Band) -> BandClass {
        let mut best: Band = [9; 27];
        let mut maps = Vec::new();
        for rows in ORDERS.map(|rows| rows.map(|row| row as u8)) {
            let [first, second] = [rows[0], rows[1]].map(|row| &band[9 * usize::from(row)..]);
            for &columns in column_orders() {
                // In the smallest band 4 and 5 stand below 1 and 2.
                let is_below = |at: usize| first[usize::from(columns[3 + at])] == second[usize::from(columns[at])];
                if !is_below(0) || !is_below(1) {
                    continue;
                }
                let map = BandMap { rows, columns };
                match compare(band, &map, &best) {
                    Ordering::Greater => continue,
                    Ordering::Less => maps.clear(),
                    Ordering::Equal => {}
                }
                best = named(&map.apply(band));
                maps.push(map);
            }
        }
        let completions = bands().completions_below(&best);
        BandClass { minlex: best, symmetries: maps, bands: 0, completions, swaps: swaps(&best) }
    }
}

/// The 1,296 orders of boxes and of columns in boxes.
fn column_orders() -> &'static [[u8; 9]] {
    static ALL: LazyLock<Vec<[u8; 9]>> = LazyLock::new(|| {
        let order = |number: usize, place: u32| ORDERS[number / 6usize.pow(place) % 6];
        let column = |number, at: usize| 3 * order(number, 0)[at / 3] + order(number, 1 + at as u32 / 3)[at % 3];
        (0..1296).map(|number| std::array::from_fn(|at| column(number, at) as u8)).collect()
    });
    &ALL
}

/// Compares the image of a band under a map, with its digits renamed, with another band whose first row reads 1..9.
fn compare(band: &Band, map: &BandMap, other: &Band) -> Ordering {
    let [first, second, third] = map.rows.map(|row| &band[9 * usize::from(row)..][..9]);
    let mut names = [0; 10];
    map.columns.iter().zip(1..).for_each(|(&column, name)| names[usize::from(first[usize::from(column)])] = name);
    for (row, other) in [second, third].into_iter().zip(other[9..].chunks_exact(9)) {
        for (&column, other) in map.columns.iter().zip(other) {
            let order = names[usize::from(row[usize::from(column)])].cmp(other);
            if order.is_ne() {
                return order;
            }
        }
    }
    Ordering::Equal
}

/// A band with its digits renamed so that the first row reads 1..9.
fn named(band: &Band) -> Band {
    let mut names = [0; 10];
    (0..9).for_each(|at| names[usize::from(band[at])] = at as u8 + 1);
    band.map(|digit| names[usize::from(digit)])
}

/// A chute as a band: bands 0..3 as they are, stacks 3..6 transposed.
pub fn chute_of(grid: &[u8; 81], chute: usize) -> Band {
    if chute < 3 {
        return std::array::from_fn(|at| grid[27 * chute + at]);
    }
    std::array::from_fn(|at| grid[at % 9 * 9 + (chute - 3) * 3 + at / 9])
}

/// Number of 4-cell unavoidable sets of a band: two rows and two columns in which the same two digits cross.
fn swaps(band: &Band) -> u32 {
    let crossing = |upper: usize, lower: usize| {
        let (a, b) = (&band[9 * upper..][..9], &band[9 * lower..][..9]);
        let pairs = (0..9).flat_map(|left| (0..left).map(move |right| (left, right)));
        pairs.filter(|&(left, right)| a[left] == b[right] && b[left] == a[right]).count() as u32
    };
    crossing(0, 1) + crossing(0, 2) + crossing(1, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Freedom, Isomorphism, Shape, Solution};
    use crate::catalogue::{CLASSES, cells_of_rank, grid_of_number};
    use crate::random::{Rng, Stage};

    const N: u128 = 6_670_903_752_021_072_936_960;

    #[test]
    fn the_416_classes_hold_all_bands_and_all_grids() {
        let classes = band_classes();
        assert_eq!(classes.classes().len(), 416);
        assert_eq!(classes.classes().iter().map(|class| class.bands).sum::<u64>(), 948_109_639_680);
        assert_eq!(classes.grids().sum::<u128>(), N);
        let completions = || classes.classes().iter().map(|class| class.completions);
        assert_eq!((completions().min(), completions().max()), (Some(6_831_977_472), Some(7_802_998_272)));
    }

    /// Orbit and stabiliser: 9! names and 7,776 maps.
    #[test]
    fn bands_times_symmetries_are_all_maps() {
        for class in band_classes().classes() {
            assert_eq!(class.bands * class.symmetries.len() as u64, 362_880 * 7_776);
            assert_eq!(class.symmetries[0], BandMap { rows: [0, 1, 2], columns: [0, 1, 2, 3, 4, 5, 6, 7, 8] });
            for map in &class.symmetries {
                assert_eq!(named(&map.apply(&class.minlex)), class.minlex);
            }
        }
    }

    /// The first and the last band of the standard list.
    #[test]
    fn classes_are_numbered_by_their_minlex_forms() {
        let classes = band_classes().classes();
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
        let shares = || band_classes().grids().map(|grids| grids as f64 / N as f64);
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
            let grid = grid_of_number(Shape::NINE, number % N).unwrap();
            for chute in 0..6 {
                let band = chute_of(&values(&grid), chute);
                let (class, map) = classes.form_of(&band);
                assert_eq!(named(&map.apply(&band)), classes.classes()[class].minlex);
            }
            assert_eq!(sorted(&Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply(&grid)), sorted(&grid));
        }
    }
}
