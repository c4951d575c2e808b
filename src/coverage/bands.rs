//! The 416 classes of 9x9 bands, how many bands and grids each has, and the class of any chute of a grid.
//!
//! ```text
//!   1 2 3 | 4 5 6 | 7 8 9      A band, made plain: digits are renamed so that the first box reads 1..9; the columns of
//!   4 5 6 | 7 8 9 | 1 2 3      the other boxes are put in order of their first row. 56 ways to split the digits of
//!   7 8 9 | 1 2 3 | 4 5 6      box 2 into rows, 6 orders each of rows 2 and 3 in boxes 2 and 3: 56 * 6^4 = 72,576.
//! ```
//!
//! Two bands are of one class when relabelling, row, box and column permutations bring one onto the other: plain bands
//! joined by generators of that group (Felgenhauer & Jarvis 2006 count 416 by the same operations). The number of ways
//! to complete a band depends on the contents of its columns alone. So a class of `s` bands with `c` completions each
//! has probability s*c/N in each of the six chutes of a uniform grid: an exact rational, and the sum of s*c is N.
//!
//! Counting completions: the six digits that a column still needs are split between the other two bands, 56 ways a
//! stack, 175,616 in all; each split counts (bands with those columns) * (bands with the rest). The first stack's
//! split is renamed to {123}{456}{789}, and the second to the smallest image under what leaves the first alone:
//! 280 partitions of nine digits fall into 5 kinds then, and 5 * 280 numbers of bands answer everything.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A band as 27 digits 1..=9, row by row.
pub type Band = [u8; 27];

/// Number of plain bands: splits times orders of two rows in two boxes.
const PLAIN: usize = 56 * 1296;
/// Bands for each plain one: names of the digits, column orders in boxes 2 and 3.
const BANDS_PER_PLAIN: u64 = 362_880 * 36;

/// One class of bands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BandClass {
    /// A band of the class: the plain one with the smallest number.
    pub example: Band,
    /// Number of bands of the class.
    pub bands: u64,
    /// Number of ways to complete each of them to a grid.
    pub completions: u64,
    /// Number of 4-cell unavoidable sets in each of them.
    pub swaps: u32,
}

/// All classes, and the table from plain bands to classes.
pub struct BandClasses {
    classes: Vec<BandClass>,
    class_of: Vec<u16>,
    splits: Splits,
}

/// The classes; computed at the first call, in a fraction of a second.
pub fn band_classes() -> &'static BandClasses {
    static CLASSES: LazyLock<BandClasses> = LazyLock::new(BandClasses::compute);
    &CLASSES
}

impl BandClasses {
    /// The 416 classes, by their smallest plain band.
    pub fn classes(&self) -> &[BandClass] {
        &self.classes
    }

    /// The class of a band, as an index into [`BandClasses::classes`]. The band must be valid.
    pub fn class_of(&self, band: &Band) -> usize {
        usize::from(self.class_of[self.splits.number(band)])
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
        let mut parents: Vec<usize> = (0..PLAIN).collect();
        for number in 0..PLAIN {
            let band = splits.plain(number);
            for image in generators(&band) {
                join(&mut parents, number, splits.number(&image));
            }
        }
        let mut classes: Vec<BandClass> = Vec::new();
        let mut class_of = vec![0; PLAIN];
        let counter = Completions::new();
        for number in 0..PLAIN {
            let root = find(&mut parents, number);
            if root == number {
                let example = splits.plain(number);
                class_of[number] = classes.len() as u16;
                let completions = counter.of(&example);
                classes.push(BandClass { example, bands: 0, completions, swaps: swaps(&example) });
            }
            class_of[number] = class_of[root];
            classes[usize::from(class_of[number])].bands += BANDS_PER_PLAIN;
        }
        BandClasses { classes, class_of, splits }
    }
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

/// The representative of an element, and shorter ways to it.
fn find(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

/// Joins two sets; the smaller representative stays.
fn join(parents: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(parents, a), find(parents, b));
    parents[a.max(b)] = a.min(b);
}

/// Images of a band under maps that generate its group, but for names and for columns in boxes 2 and 3, which
/// plain bands do not distinguish.
fn generators(band: &Band) -> [Band; 6] {
    let rows = |map: [usize; 3]| std::array::from_fn(|at| band[9 * map[at / 9] + at % 9]);
    let boxes = |map: [usize; 3]| std::array::from_fn(|at| band[at / 9 * 9 + 3 * map[at % 9 / 3] + at % 3]);
    let columns =
        |map: [usize; 3]| std::array::from_fn(|at| if at % 9 < 3 { band[at / 9 * 9 + map[at % 3]] } else { band[at] });
    [rows([1, 0, 2]), rows([0, 2, 1]), boxes([1, 0, 2]), boxes([0, 2, 1]), columns([1, 0, 2]), columns([0, 2, 1])]
}

/// Orders of three things, and the number of an order.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The number of an order in [`ORDERS`] by three comparisons: first < second, first < third, second < third.
fn order_number(values: [u8; 3]) -> usize {
    let [a, b, c] = values;
    match (a < b, a < c, b < c) {
        (true, _, true) => 0,
        (true, true, false) => 1,
        (false, true, _) => 2,
        (true, false, false) => 3,
        (false, false, true) => 4,
        (false, false, false) => 5,
    }
}

/// The 56 ways to split nine digits, three from each row of box 1, into the rows of box 2.
struct Splits {
    /// Row in box 2 of each renamed digit.
    rows: Vec<[u8; 9]>,
    /// Number of a split by its rows written in base 3.
    number: HashMap<u16, u8>,
}

impl Splits {
    fn new() -> Splits {
        let rows: Vec<[u8; 9]> = (0..19_683u32)
            .map(|code| std::array::from_fn(|digit| (code / 3u32.pow(digit as u32) % 3) as u8))
            .filter(|rows: &[u8; 9]| {
                let even = (0..3).all(|row| rows.iter().filter(|&&of| of == row).count() == 3);
                even && rows.iter().enumerate().all(|(digit, &row)| usize::from(row) != digit / 3)
            })
            .collect();
        let number = rows.iter().enumerate().map(|(at, rows)| (Self::code(rows), at as u8)).collect();
        Splits { rows, number }
    }

    fn code(rows: &[u8; 9]) -> u16 {
        rows.iter().rev().fold(0, |code, &row| 3 * code + u16::from(row))
    }

    /// The number of the plain band that a band becomes.
    fn number(&self, band: &Band) -> usize {
        let mut name = [0u8; 10];
        (0..9u8).for_each(|at| name[usize::from(band[usize::from(at / 3 * 9 + at % 3)])] = at);
        let mut rows = [0; 9];
        let mut orders = 0;
        for box_at in [3, 6] {
            let mut columns: [[u8; 3]; 3] = std::array::from_fn(|column| {
                std::array::from_fn(|row| name[usize::from(band[9 * row + box_at + column])])
            });
            columns.sort_unstable();
            for row in [1, 2] {
                orders = 6 * orders + order_number(columns.map(|column| column[row]));
            }
            if box_at == 3 {
                columns.iter().for_each(|column| (0..3).for_each(|row| rows[usize::from(column[row])] = row as u8));
            }
        }
        usize::from(self.number[&Self::code(&rows)]) * 1296 + orders
    }

    /// The plain band of a number.
    fn plain(&self, number: usize) -> Band {
        let rows = &self.rows[number / 1296];
        let mut band: Band = [0; 27];
        (0..9).for_each(|at| band[at / 3 * 9 + at % 3] = at as u8 + 1);
        for row in 0..3u8 {
            let second = (0..9u8).filter(|&digit| rows[usize::from(digit)] == row);
            let third = (0..9u8).filter(|&digit| digit / 3 != row && rows[usize::from(digit)] != row);
            for (box_number, digits) in [second.collect::<Vec<_>>(), third.collect()].into_iter().enumerate() {
                let order = match row {
                    0 => 0,
                    _ => number % 1296 / 6usize.pow(3 - 2 * box_number as u32 - u32::from(row - 1)) % 6,
                };
                for (column, &rank) in ORDERS[order].iter().enumerate() {
                    band[usize::from(row) * 9 + 3 + 3 * box_number + column] = digits[rank] + 1;
                }
            }
        }
        band
    }
}

/// Three sets of three digits, bit d-1 for digit d: the columns of a box.
type Triples = [u16; 3];

/// Numbers of completions by column contents.
struct Completions {
    /// The 280 partitions of nine digits into triples, each sorted.
    triples: Vec<Triples>,
    /// Their numbers.
    partitions: HashMap<Triples, usize>,
    /// Bands with columns {123}{456}{789}, partition m, partition r: `bands[280 * m + r]`.
    bands: Vec<u64>,
}

impl Completions {
    fn new() -> Completions {
        let sets: Vec<u16> = (0..512u16).filter(|set| set.count_ones() == 3).collect();
        let mut triples = Vec::new();
        for &a in &sets {
            for &b in sets.iter().filter(|&&b| a < b && a & b == 0) {
                let c = 0o777 & !(a | b);
                if b < c {
                    triples.push([a, b, c]);
                }
            }
        }
        let partitions = triples.iter().enumerate().map(|(at, &triples)| (triples, at)).collect();
        let mut completions = Completions { triples, partitions, bands: Vec::new() };
        completions.count_bands();
        completions
    }

    /// Fills the table: counts for the smallest image of each middle partition, renames for the others.
    fn count_bands(&mut self) {
        let number = |map: &[u16; 9], at: usize| self.partitions[&renamed(map, &self.triples[at])];
        let names = keeping_first();
        let count = self.triples.len();
        let mut bands = vec![0; count * count];
        for middle in 0..count {
            let Some((least, map)) = names.iter().map(|map| (number(map, middle), map)).min() else { continue };
            for right in 0..count {
                bands[count * middle + right] = if least == middle {
                    let columns = [[0o7, 0o70, 0o700], self.triples[middle], self.triples[right]].concat();
                    first_rows(&columns, 0, &mut Vec::new())
                } else {
                    bands[count * least + number(map, right)]
                };
            }
        }
        self.bands = bands;
    }

    /// Number of grids with this first band.
    fn of(&self, band: &Band) -> u64 {
        let stacks: [Vec<(Triples, Triples)>; 3] = std::array::from_fn(|stack| {
            let column =
                |column: usize| (0..3).fold(0o777, |rest, row| rest & !(1 << (band[9 * row + 3 * stack + column] - 1)));
            split_columns([column(0), column(1), column(2)])
        });
        let bands: Vec<&[u64]> = self.bands.chunks(self.triples.len()).collect();
        let mut total = 0;
        for first in &stacks[0] {
            let (second, third) = (renaming(&first.0), renaming(&first.1));
            let names = |map: &[u16; 9], columns: &Triples| self.partitions[&renamed(map, columns)];
            let pairs: [Vec<(usize, usize)>; 2] = [1, 2].map(|stack| {
                stacks[stack].iter().map(|(two, three)| (names(&second, two), names(&third, three))).collect()
            });
            for &(two, three) in &pairs[0] {
                for &(two_right, three_right) in &pairs[1] {
                    total += bands[two][two_right] * bands[three][three_right];
                }
            }
        }
        total
    }
}

/// The 1,296 renamings (bits of new names) that keep {123}{456}{789} as it is.
fn keeping_first() -> Vec<[u16; 9]> {
    let all = (0..6usize.pow(4)).map(|number| {
        let order = |place: u32| ORDERS[number / 6usize.pow(place) % 6];
        std::array::from_fn(|digit| 1 << (3 * order(0)[digit / 3] + order(1 + digit as u32 / 3)[digit % 3]))
    });
    all.collect()
}

/// All ways to give three of the six digits that each column of a stack needs to band 2, the others to band 3.
fn split_columns(needs: Triples) -> Vec<(Triples, Triples)> {
    let halves = |need: u16| (0..512u16).filter(move |set| set & !need == 0 && set.count_ones() == 3);
    let mut found = Vec::new();
    for a in halves(needs[0]) {
        for b in halves(needs[1]).filter(|b| a & b == 0) {
            let c = 0o777 & !(a | b);
            if c & !needs[2] == 0 {
                found.push(([a, b, c], [needs[0] & !a, needs[1] & !b, needs[2] & !c]));
            }
        }
    }
    found
}

/// New names (bits) of the nine digits that make three columns {123}{456}{789}.
fn renaming(columns: &Triples) -> [u16; 9] {
    let mut map = [0; 9];
    let digits = columns.iter().flat_map(|&set| (0..9).filter(move |digit| set >> digit & 1 != 0));
    digits.enumerate().for_each(|(name, digit)| map[digit] = 1 << name);
    map
}

/// Columns with new names, as a sorted partition.
fn renamed(map: &[u16; 9], columns: &Triples) -> Triples {
    let mut image =
        columns.map(|set| (0..9).filter(|digit| set >> digit & 1 != 0).fold(0, |image, digit| image | map[digit]));
    image.sort_unstable();
    image
}

/// Number of bands with nine given column contents: a first row takes one digit of each column, all different; then
/// the second row does the same with what is left.
fn first_rows(columns: &[u16], used: u16, left: &mut Vec<u16>) -> u64 {
    let at = left.len();
    if at == columns.len() {
        return second_rows(left, 0);
    }
    let free = (0..9).map(|digit| 1 << digit).filter(|digit| columns[at] & !used & digit != 0);
    let mut total = 0;
    for digit in free {
        left.push(columns[at] & !digit);
        total += first_rows(columns, used | digit, left);
        left.pop();
    }
    total
}

/// Ways to take one digit of each of some pairs, all different. What is left is the third row, and all different too,
/// since every digit is in three columns.
fn second_rows(pairs: &[u16], used: u16) -> u64 {
    let Some((&pair, rest)) = pairs.split_first() else { return 1 };
    let low = pair & pair.wrapping_neg();
    [low, pair ^ low].iter().filter(|&&digit| used & digit == 0).map(|&digit| second_rows(rest, used | digit)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Freedom, Isomorph, Shape};
    use crate::generate::template;
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
        let mut contents: Vec<u64> = completions().collect();
        contents.sort_unstable();
        contents.dedup();
        assert!(contents.len() <= 44, "44 classes by column content");
    }

    /// The extremes of the class probabilities, as published with the method.
    #[test]
    fn probabilities_lie_between_known_bounds() {
        let shares = || band_classes().grids().map(|grids| grids as f64 / N as f64);
        let (least, most) = (shares().fold(1.0, f64::min), shares().fold(0.0, f64::max));
        assert!((least - 3.056e-5).abs() < 5e-9 && (most - 3.108e-3).abs() < 5e-7, "{least} {most}");
    }

    #[test]
    fn plain_bands_are_numbered_there_and_back() {
        let splits = Splits::new();
        assert_eq!(splits.rows.len(), 56);
        for number in (0..PLAIN).step_by(7) {
            assert_eq!(splits.number(&splits.plain(number)), number);
        }
    }

    #[test]
    fn maps_permute_the_classes_of_the_chutes() {
        let classes = band_classes();
        let values = |grid: crate::board::Solution| std::array::from_fn(|at| grid.values()[at] as u8);
        let sorted = |grid: crate::board::Solution| {
            let mut chutes = classes.chutes(&values(grid));
            chutes.sort_unstable();
            chutes
        };
        let base = Isomorph::identity(Shape::NINE).apply(&template(Shape::NINE));
        for index in 0..50 {
            let map = Isomorph::random(Shape::NINE, Freedom::ALL, &mut Rng::new(1, index, Stage::Bench, 0));
            assert_eq!(sorted(map.apply(&base)), sorted(base.clone()));
        }
    }
}
