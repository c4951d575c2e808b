//! Counts 9x9 grids band by band, exactly, and makes the grid of each number.
//!
//! ```text
//!   band 1    A A A     In each of the three stacks, the columns of band 1 are a partition of the nine digits into
//!   band 2    B B B     three triples. The columns of bands 2 and 3 are then one of 56 splits in each stack, 56^3 =
//!   band 3    C C C     175,616 in all. Given these, the bands are filled independently of each other.
//! ```
//!
//! With h(P, Q, R) the number of bands whose columns hold the partitions P, Q, R in the three stacks,
//!
//! ```text
//!   N = sum over A of h(A) * sum over the 175,616 splits (B, C) of A of h(B) * h(C)
//! ```
//!
//! Renaming digits and exchanging stacks do not change h, so there are 44 classes of A, and a table of h(0, Q, R) holds
//! all values. A band is filled by the digits of its rows. Box 1 takes one of the 36 partitions that cross P. Boxes 2
//! and 3 take one of its 56 splits, if they cross Q and R. With the six orders of the rows, h = 6 * sum over 36 of
//! (number of fitting splits).
//!
//! The numbers that are added count things that can be listed, so a number below the sum stands for one of these
//! things. The uniform sampler uses this. No weight is ever rounded. The tables take 0.03 s and 3 MB.
//!
//! Reference: B. Felgenhauer and F. Jarvis, "Mathematics of Sudoku I" (2006), for the count by the content of columns.

use std::sync::LazyLock;

use super::partition::{
    DigitRow, Id, PARTITIONS, Partitions, SPLITS, Split, Triples, chosen, inverse, names_of, partitions, set_of,
};
use crate::board::maps::flood::flood;

/// The factor for counts with partition 0 in the first stack and columns in a fixed order: 280 partitions of the first
/// stack, and 6 orders of the columns in each stack.
const CONTENTS: u64 = 280 * 6 * 6 * 6;

/// Bands whose columns have the same partitions, up to renaming of digits and exchange of stacks. There are 44 classes.
#[derive(Clone, Debug)]
pub struct ColumnClass {
    /// Partitions of the second and third stack of the representative; the first has partition 0.
    pub(crate) stacks: [Id; 2],
    /// How many contents (pairs of partitions of stacks 2 and 3, when stack 1 has partition 0) belong to the class.
    pub contents: u64,
    /// Bands with the content of the representative, up to the order of their rows.
    pub(crate) fillings: u64,
    /// Grids below such a band, up to the order of rows inside bands 2 and 3.
    pub(crate) below: u64,
    /// Sums of `below` over the first splits: entry 56 i + j is the sum over all pairs before (i, j).
    before: Vec<u64>,
    /// The contents of the class, ascending.
    pub(crate) members: Vec<[Id; 2]>,
    /// Number of grids of the classes before this one.
    pub(crate) grids_before: u128,
}

impl ColumnClass {
    /// Number of bands in the class, of 948,109,639,680.
    pub fn bands(&self) -> u64 {
        CONTENTS * self.contents * 6 * self.fillings
    }

    /// Number of grids that have a given band of this class as first band.
    pub fn completions(&self) -> u64 {
        36 * self.below
    }

    /// The number of grids of the class, divided by 280 * 6^3 * 6^3: what the sampler shuffles anyway is left out.
    fn weight(&self) -> u64 {
        self.contents * self.fillings * self.below
    }
}

/// How the content of the columns of a band becomes the representative of its class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content {
    pub class: u8,
    /// The number among the contents of the class.
    pub number: u16,
    /// Where the stacks come from.
    pub stacks: [u8; 3],
    /// Digit d becomes `names[d]`.
    pub names: DigitRow,
}

impl Content {
    /// How the image of this content under a change becomes the representative: first back to this content, then on.
    fn of_image(self, change: Change) -> Content {
        let stacks = chosen(&inverse(&change.stacks), &self.stacks);
        Content { stacks, names: chosen(&self.names, &inverse(&change.names)), ..self }
    }
}

/// An exchange of stacks and a renaming of digits.
struct Change {
    /// Where the stacks come from.
    stacks: [u8; 3],
    /// Digit d becomes `names[d]`.
    names: DigitRow,
}

/// Bands 2 and 3 below a band of a class, their rows sorted.
pub(crate) struct BandsBelow {
    /// The number of the split of the columns in each stack.
    pub splits: [usize; 3],
    /// The number of band 2 among those with its columns.
    pub second: u64,
    /// The number of band 3, in the same way.
    pub third: u64,
}

/// The numbers of bands 2 and of bands 3 with some columns.
struct FillingsBelow {
    second: u64,
    third: u64,
}

impl FillingsBelow {
    fn pairs(&self) -> u64 {
        self.second * self.third
    }
}

/// The tables of the count, from which the sampler draws.
pub struct Bands {
    pub(crate) partitions: &'static Partitions,
    /// Every content of the columns of a band whose first stack has partition 0: `q * 280 + r`.
    pub(crate) contents: Vec<Content>,
    /// h(0, q, r) / 6 at `q * 280 + r`.
    sixths: Vec<u16>,
    classes: Vec<ColumnClass>,
    /// For each class the sum of the weights of the classes before it.
    before: Vec<u64>,
    /// The sum of the weights of all classes.
    total: u64,
}

/// A band by its digits from 0: `rows[row][column]`.
pub type BandRows = [[u8; 9]; 3];

/// The tables; computed at the first call.
pub fn bands() -> &'static Bands {
    static BANDS: LazyLock<Bands> = LazyLock::new(Bands::compute);
    &BANDS
}

impl Bands {
    fn compute() -> Bands {
        let partitions = partitions();
        let (classes, contents) = column_classes(partitions);
        let sixths = sixths(partitions, &classes, &contents);
        let mut bands = Bands { partitions, contents, sixths, classes: Vec::new(), before: Vec::new(), total: 0 };
        for ContentClass { first, contents } in classes {
            let class = bands.class(first, contents);
            bands.before.push(bands.total);
            bands.total += class.weight();
            bands.classes.push(class);
        }
        for (number, content) in bands.contents.iter().enumerate() {
            bands.classes[usize::from(content.class)].members.push(pair(number));
        }
        let mut grids = 0;
        for class in &mut bands.classes {
            class.grids_before = grids;
            grids += u128::from(class.bands()) * u128::from(class.completions());
        }
        bands
    }

    /// The 44 classes of bands by the content of their columns.
    pub fn classes(&self) -> &[ColumnClass] {
        &self.classes
    }

    /// The content of three stacks, by the partitions of their columns.
    #[inline]
    pub(crate) fn content(&self, stacks: [Id; 3]) -> &Content {
        let renaming = self.partitions.renaming(stacks[0]);
        self.content_of_pair([stacks[1], stacks[2]].map(|id| renaming[usize::from(id)]))
    }

    /// The content of stacks 2 and 3 with these partitions, when stack 1 has partition 0.
    #[inline]
    pub(crate) fn content_of_pair(&self, [q, r]: [Id; 2]) -> &Content {
        &self.contents[usize::from(q) * PARTITIONS + usize::from(r)]
    }

    /// Number of grids with a given first band, as 27 digits 1..=9.
    pub(crate) fn completions_below(&self, band: &[u8; 27]) -> u64 {
        let stacks = [0, 3, 6].map(|stack| {
            let columns = [0, 1, 2].map(|column| set_of(&[0, 9, 18].map(|row| band[row + stack + column] - 1)));
            self.partitions.id(&columns)
        });
        self.completions(stacks)
    }

    /// Number of grids with a given first band, by the partitions of the columns of its stacks.
    pub(crate) fn completions(&self, stacks: [Id; 3]) -> u64 {
        self.classes[usize::from(self.content(stacks).class)].completions()
    }

    /// Number of grids: the sum over the classes of bands times completions.
    pub fn grids(&self) -> u128 {
        self.classes.iter().map(|class| u128::from(class.bands()) * u128::from(class.completions())).sum()
    }

    /// Number of grids that [`Bands::unrank`] can return. Each stands for 280 * 6^3 * 6^3 grids, so the product is the
    /// number of all grids.
    pub fn names(&self) -> u64 {
        self.total
    }

    /// h(p, q, r) / 6 as a function of r: bands with these partitions in their columns, up to the order of the rows.
    #[inline]
    fn fillings(&self, p: Id, q: Id) -> impl Fn(Id) -> u64 {
        let renamed = self.partitions.renaming(p);
        let third = &self.sixths[usize::from(renamed[usize::from(q)]) * PARTITIONS..][..PARTITIONS];
        move |r| third[usize::from(renamed[usize::from(r)])].into()
    }

    /// Bands 2 and 3 below a band, up to the order of rows, for each split of the third stack, when splits i and j are
    /// taken in the others.
    #[inline]
    fn below(&self, stacks: [Id; 3], i: usize, j: usize) -> impl Iterator<Item = FillingsBelow> {
        let [a, b, c] = stacks.map(|id| &self.partitions.splits[usize::from(id)]);
        let second = self.fillings(a[i].second_id, b[j].second_id);
        let third = self.fillings(a[i].third_id, b[j].third_id);
        c.iter().map(move |split| FillingsBelow { second: second(split.second_id), third: third(split.third_id) })
    }

    /// The class of some contents, with its counts.
    fn class(&self, stacks: [Id; 2], contents: u64) -> ColumnClass {
        let [a, b, c] = [0, stacks[0], stacks[1]].map(|id| &self.partitions.splits[usize::from(id)]);
        // With bands 2 and 3 exchanged, each pair of splits has the same sum as another pair, its twin. If the twin
        // came before, its sum is used again.
        let exchanged = [a, b].map(exchanged);
        let (mut below, mut before) = (0, Vec::with_capacity(SPLITS * SPLITS));
        for (i, first) in a.iter().enumerate() {
            // As in `below`, but what does not depend on the split of the second stack is looked up once.
            let [two, three] = [first.second_id, first.third_id].map(|id| self.partitions.renaming(id));
            let thirds = c.each_ref().map(|c| [two[usize::from(c.second_id)], three[usize::from(c.third_id)]]);
            for (j, second) in b.iter().enumerate() {
                before.push(below);
                let twin = exchanged[0][i] * SPLITS + exchanged[1][j];
                if let Some(&[start, end]) = before.get(twin..twin + 2) {
                    below += end - start;
                    continue;
                }
                let [two, three] = [two[usize::from(second.second_id)], three[usize::from(second.third_id)]]
                    .map(|id| &self.sixths[usize::from(id) * PARTITIONS..][..PARTITIONS]);
                let products =
                    thirds.into_iter().map(|[r, s]| u64::from(two[usize::from(r)]) * u64::from(three[usize::from(s)]));
                below += products.sum::<u64>();
            }
        }
        let fillings = self.fillings(0, stacks[0])(stacks[1]);
        ColumnClass { stacks, contents, fillings, below, before, members: Vec::new(), grids_before: 0 }
    }

    /// The grid of a number below [`Bands::names`], as three bands: the rows of each band in one of six orders;
    /// columns, stacks and digits as in the representative. If these are shuffled, every grid comes from the same
    /// number of pairs of a number and a shuffle.
    pub(crate) fn unrank(&self, number: u64) -> [BandRows; 3] {
        let place = self.before.partition_point(|&before| before <= number) - 1;
        let (class, number) = (&self.classes[place], number - self.before[place]);
        let first = number / class.below % class.fillings;
        let below = self.unrank_below(class, number % class.below);
        self.fill([0, class.stacks[0], class.stacks[1]], first, &below)
    }

    /// The bands 2 and 3 of a number below `class.below`.
    pub(crate) fn unrank_below(&self, class: &ColumnClass, mut number: u64) -> BandsBelow {
        // All pairs have about the same weight, so the right one is near the place that this gives.
        let place = number as f64 / class.below as f64 * class.before.len() as f64;
        let mut pair = (place as usize).min(class.before.len() - 1);
        while class.before[pair] > number {
            pair -= 1;
        }
        while class.before.get(pair + 1).is_some_and(|&before| before <= number) {
            pair += 1;
        }
        number -= class.before[pair];
        let stacks = [0, class.stacks[0], class.stacks[1]];
        let (i, j) = (pair / SPLITS, pair % SPLITS);
        for (k, fillings) in self.below(stacks, i, j).enumerate() {
            if number < fillings.pairs() {
                let third = fillings.third;
                return BandsBelow { splits: [i, j, k], second: number / third, third: number % third };
            }
            number -= fillings.pairs();
        }
        unreachable!("the weights of the third stack add up to less than their sum")
    }

    /// The inverse of [`Bands::unrank_below`].
    pub(crate) fn rank_below(&self, class: &ColumnClass, bands: &BandsBelow) -> u64 {
        let stacks = [0, class.stacks[0], class.stacks[1]];
        let [i, j, k] = bands.splits;
        let mut before = class.before[i * SPLITS + j];
        let mut below = self.below(stacks, i, j);
        before += below.by_ref().take(k).map(|fillings| fillings.pairs()).sum::<u64>();
        before + bands.second * below.next().map_or(0, |fillings| fillings.third) + bands.third
    }

    /// The three bands: number `first` of those whose columns have the partitions `stacks`, and those below it.
    pub(crate) fn fill(&self, stacks: [Id; 3], first: u64, below: &BandsBelow) -> [BandRows; 3] {
        let splits: [_; 3] =
            std::array::from_fn(|stack| &self.partitions.splits[usize::from(stacks[stack])][below.splits[stack]]);
        let columns = [
            stacks.map(|id| self.partitions.triples[usize::from(id)]),
            splits.map(|split| split.second),
            splits.map(|split| split.third),
        ];
        let ids = [stacks, splits.map(|split| split.second_id), splits.map(|split| split.third_id)];
        let fillings = [first, below.second, below.third];
        std::array::from_fn(|band| self.band(ids[band], &columns[band], fillings[band]))
    }

    /// The band of a number below `fillings(ids)`, whose columns hold these triples.
    fn band(&self, ids: [Id; 3], columns: &[Triples; 3], mut number: u64) -> BandRows {
        let crossing = &self.partitions.crossing[usize::from(ids[0])];
        // All are loaded at once: the tables are larger than the nearest cache, and so no load waits for another one.
        let fitting = crossing.map(|rows| self.partitions.fitting(rows, ids[1], ids[2]));
        for (&rows, mut fitting) in crossing.iter().zip(fitting) {
            let count = u64::from(fitting.count_ones());
            if number < count {
                (0..number).for_each(|_| fitting &= fitting - 1);
                let split = &self.partitions.splits[usize::from(rows)][fitting.trailing_zeros() as usize];
                return digits([&self.partitions.triples[usize::from(rows)], &split.second, &split.third], columns);
            }
            number -= count;
        }
        unreachable!("a band number above the number of bands")
    }
}

/// The band with these row sets and column sets in its three boxes: each cell gets the digit that both sets share.
fn digits(rows: [&Triples; 3], columns: &[Triples; 3]) -> BandRows {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| (rows[column / 3][row] & columns[column / 3][column % 3]).trailing_zeros() as u8)
    })
}

/// For each split of a partition the number of the one with both boxes exchanged.
fn exchanged(splits: &[Split; SPLITS]) -> [usize; SPLITS] {
    splits.each_ref().map(|split| {
        splits.iter().position(|other| (other.second, other.third) == (split.third, split.second)).unwrap_or_default()
    })
}

/// h(0, q, r) / 6 for all q and r: the same for all contents of a class.
fn sixths(partitions: &Partitions, classes: &[ContentClass], contents: &[Content]) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::new();
    for &ContentClass { first: [q, r], .. } in classes {
        let fitting = partitions.crossing[0].iter().map(|&rows| partitions.fitting(rows, q, r).count_ones() as u16);
        values.push(fitting.sum());
    }
    contents.iter().map(|content| values[usize::from(content.class)]).collect()
}

/// The partitions of stacks 2 and 3 in the content of a number.
fn pair(number: usize) -> [Id; 2] {
    [(number / PARTITIONS) as Id, (number % PARTITIONS) as Id]
}

/// Contents of the columns of a band that differ by renaming of digits and exchange of stacks.
struct ContentClass {
    /// The first content: the partitions q and r of stacks 2 and 3, while stack 1 has partition 0.
    first: [Id; 2],
    /// The number of contents.
    contents: u64,
}

/// The classes of the contents of the columns of a band; and for every content, how it becomes the first of its class.
fn column_classes(partitions: &Partitions) -> (Vec<ContentClass>, Vec<Content>) {
    // Generators of the renamings that keep partition 0: inside the first triple, and of whole triples.
    let renamings = [
        [1, 0, 2, 3, 4, 5, 6, 7, 8],
        [1, 2, 0, 3, 4, 5, 6, 7, 8],
        [3, 4, 5, 0, 1, 2, 6, 7, 8],
        [3, 4, 5, 6, 7, 8, 0, 1, 2],
    ];
    let images = renamings.map(|names| partitions.images(&names));
    let names: Vec<DigitRow> = partitions.triples.iter().map(names_of).collect();
    let mut contents: Vec<Option<Content>> = vec![None; PARTITIONS * PARTITIONS];
    let mut classes = Vec::new();
    const SAME: DigitRow = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let images_of = |number: usize| {
        let [q, r] = pair(number);
        let renaming = partitions.renaming(q);
        let renamed = renamings.iter().zip(&images);
        let renamed = renamed
            .map(move |(&names, ids)| ([q, r].map(|id| ids[usize::from(id)]), Change { stacks: [0, 1, 2], names }));
        // Stacks 2 and 3 exchanged; stacks 1 and 2 exchanged, and q renamed to partition 0.
        let exchanges = [
            ([r, q], Change { stacks: [0, 2, 1], names: SAME }),
            ([renaming[0], renaming[usize::from(r)]], Change { stacks: [1, 0, 2], names: names[usize::from(q)] }),
        ];
        renamed.chain(exchanges).map(|([q, r], change)| (usize::from(q) * PARTITIONS + usize::from(r), change))
    };
    for start in 0..PARTITIONS * PARTITIONS {
        if contents[start].is_none() {
            let class = classes.len() as u8;
            let content = Content { class, number: 0, stacks: [0, 1, 2], names: SAME };
            let orbit = flood(&mut contents, start, content, images_of, Content::of_image);
            classes.push(ContentClass { first: pair(start), contents: orbit.len() as u64 });
        }
    }
    // Contents of a class are numbered in ascending order.
    let mut sizes = vec![0; classes.len()];
    let numbered = contents.into_iter().flatten().map(|content| {
        let size = &mut sizes[usize::from(content.class)];
        *size += 1;
        Content { number: *size - 1, ..content }
    });
    (classes, numbered.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_9x9_grids_are_counted() {
        let bands = bands();
        assert_eq!(bands.classes().len(), 44);
        assert_eq!(bands.classes().iter().map(|class| class.contents).sum::<u64>(), 280 * 280);
        assert_eq!(bands.classes().iter().map(ColumnClass::bands).sum::<u64>(), 948_109_639_680);
        assert_eq!(bands.grids(), 6_670_903_752_021_072_936_960);
    }

    #[test]
    fn the_named_grids_times_their_orders_are_all_grids() {
        // 6^3 orders of the rows inside the bands.
        assert_eq!(u128::from(bands().names()) * u128::from(CONTENTS * 6 * 6 * 6), bands().grids());
    }

    /// The bands that `band` lists for one content are as many as `fillings` says, different, and valid.
    #[test]
    fn bands_of_a_content_are_listed_without_repetition() {
        let bands = bands();
        for class in bands.classes() {
            let ids = [0, class.stacks[0], class.stacks[1]];
            let columns = ids.map(|id| bands.partitions.triples[usize::from(id)]);
            let mut listed: Vec<BandRows> =
                (0..class.fillings).map(|number| bands.band(ids, &columns, number)).collect();
            for band in &listed {
                assert!(band.iter().all(|row| set_of(row) == 0x1ff));
                let square = |s: usize| band.iter().flat_map(|row| row[3 * s..3 * s + 3].to_vec()).collect::<Vec<_>>();
                assert!((0..3).all(|s| set_of(&square(s)) == 0x1ff));
            }
            listed.sort_unstable();
            listed.dedup();
            assert_eq!(listed.len() as u64, class.fillings);
        }
    }
}
