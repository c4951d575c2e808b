//! Counts 9x9 grids by an L of five boxes: a second count, which shares only the 280 partitions with the first.
//!
//! ```text
//!   1 2 3     Band 1 and stack 1 are fixed: an L of five boxes. The columns of boxes 2 and 3 leave 56 splits for the
//!   4 . .     columns of boxes 5 and 8, and 56 for 6 and 9; the rows of boxes 4 and 7 leave 56 splits for the rows of
//!   7 . .     boxes 5 and 6, and 56 for 8 and 9.
//! ```
//!
//! A box with given row sets and column sets can be filled, in one way, if they cross. So an L has
//!
//! ```text
//!   sum over the 56 x 56 splits (b, c) of the rows of  fits2(b, c) * fits3(b, c)
//! ```
//!
//! completions, where fits2(b, c) is the number of column splits of stack 2 whose boxes 5 and 8 cross the rows that b
//! and c give them, and fits3 the same for boxes 6 and 9. That depends only on two *arms*: the partitions of the
//! columns of boxes 2 and 3, and those of the rows of boxes 4 and 7. Up to renaming digits, exchanging boxes 2 and 3
//! or 4 and 7, and transposing, there are 6,940,093 pairs of arms in 683 parts. A pair takes three microseconds.
//!
//! The sum has one part for each class of arms, so that parts can be computed in parallel and progress can be shown.
//! *Tried and lost*: counting the bits of 56-bit words for each pair (b, c), several times slower.

use super::partition::{Id, PARTITIONS, Partitions, SPLITS, Split, partitions};
use crate::board::maps::flood::flood;

/// 9! names of digits; 6 orders of the columns of box 2, and of box 3, and of the rows of box 4, and of box 7.
const ORDERS: u128 = 362_880 * 36 * 36;

/// Two boxes beside the first one, or two below it.
#[derive(Clone, Copy, Debug)]
struct Arm {
    /// Partitions of the columns of boxes 2 and 3. For boxes 4 and 7: those of their rows, transposed.
    boxes: [Id; 2],
    /// Pairs of boxes with these partitions, lines in a fixed order.
    fillings: u64,
    /// Number of the class under renamings that reorder the lines of the first box, and exchange of the boxes.
    class: usize,
}

struct ArmClass {
    /// The arm that stands for all.
    representative: usize,
    members: Vec<usize>,
    /// The number of arms, both orders of their boxes counted.
    size: u64,
}

/// The count of all 9x9 grids by an L of five boxes, in parts.
pub(crate) struct FiveBoxes {
    partitions: &'static Partitions,
    /// The arms whose first partition is not above the second. Those with two different ones stand for two arms.
    arms: Vec<Arm>,
    /// Classes with many arms first.
    classes: Vec<ArmClass>,
    /// The image of each partition when the first box is transposed.
    transposed: [Id; PARTITIONS],
    /// `q * 280 + r`: splits of partition 0 whose second box crosses q and whose third box crosses r.
    fits: Vec<u8>,
}

impl Default for FiveBoxes {
    /// Lists the arms and their classes; some ten milliseconds.
    fn default() -> FiveBoxes {
        let partitions = partitions();
        let (mut fits, mut arms) = (Vec::with_capacity(PARTITIONS * PARTITIONS), Vec::new());
        for q in 0..PARTITIONS as Id {
            for r in 0..PARTITIONS as Id {
                let fillings = partitions.fitting(0, q, r).count_ones();
                fits.push(fillings as u8);
                if q <= r && fillings > 0 {
                    arms.push(Arm { boxes: [q, r], fillings: fillings.into(), class: 0 });
                }
            }
        }
        let classes = classify(&mut arms, partitions);
        let transposed = partitions.images(&[0, 3, 6, 1, 4, 7, 2, 5, 8]);
        FiveBoxes { partitions, arms, classes, transposed, fits }
    }
}

impl FiveBoxes {
    pub(crate) fn parts(&self) -> usize {
        self.classes.len()
    }

    /// Number of grids in part `part < parts()`; all parts together are all 9x9 grids. A few hundredths of a second for
    /// most parts. Part k takes an arm of class k for boxes 2 and 3 and every arm of class k and above for 4 and 7;
    /// arms of different classes count twice, for the transposed grids.
    pub(crate) fn part(&self, part: usize) -> u128 {
        let class = &self.classes[part];
        let across = self.arms[class.representative];
        let side = ArmTables::new(self, across.boxes);
        let mut sum = 0;
        for down in self.arms.iter().filter(|down| down.class >= part) {
            let times = if down.class > part { 2 } else { 1 } * down.number();
            let rows = down.boxes.map(|id| self.transposed[usize::from(id)]);
            sum += u128::from(times * down.fillings * side.completions(rows));
        }
        ORDERS * u128::from(class.size * across.fillings) * sum
    }
}

impl Arm {
    /// Number of arms that this one stands for: 2 if exchanging its boxes gives another arm, else 1.
    fn number(&self) -> u64 {
        if self.boxes[0] == self.boxes[1] { 1 } else { 2 }
    }
}

/// The tables of one arm of columns.
struct ArmTables {
    splits: &'static [[Split; SPLITS]],
    /// For stack 2 and for stack 3: number of column splits by the rows of their middle and lower box, `q * 280 + r`.
    fits: [Vec<u8>; 2],
}

impl ArmTables {
    fn new(count: &FiveBoxes, columns: [Id; 2]) -> ArmTables {
        let fits = columns.map(|id| {
            let renamed = count.partitions.renaming(id).map(usize::from);
            renamed.iter().flat_map(|&q| renamed.iter().map(move |&r| count.fits[q * PARTITIONS + r])).collect()
        });
        ArmTables { splits: &count.partitions.splits, fits }
    }

    /// Completions of the L with these rows in boxes 4 and 7.
    fn completions(&self, rows: [Id; 2]) -> u64 {
        let [middle, lower] = rows.map(|id| &self.splits[usize::from(id)]);
        let lower: [(usize, usize); SPLITS] =
            std::array::from_fn(|split| (lower[split].second_id.into(), lower[split].third_id.into()));
        let mut sum = 0;
        for split in middle {
            let stack_2 = &self.fits[0][usize::from(split.second_id) * PARTITIONS..][..PARTITIONS];
            let stack_3 = &self.fits[1][usize::from(split.third_id) * PARTITIONS..][..PARTITIONS];
            sum += lower.iter().map(|&(q, r)| u32::from(stack_2[q]) * u32::from(stack_3[r])).sum::<u32>();
        }
        sum.into()
    }
}

/// Writes the class of every arm, and gives the classes, larger ones first.
fn classify(arms: &mut [Arm], partitions: &Partitions) -> Vec<ArmClass> {
    let mut numbers = vec![usize::MAX; PARTITIONS * PARTITIONS];
    for (number, arm) in arms.iter().enumerate() {
        numbers[key(arm.boxes)] = number;
    }
    // Exchanges of rows and of columns of the first box.
    let renamings = [
        [3, 4, 5, 0, 1, 2, 6, 7, 8],
        [3, 4, 5, 6, 7, 8, 0, 1, 2],
        [1, 0, 2, 4, 3, 5, 7, 6, 8],
        [1, 2, 0, 4, 5, 3, 7, 8, 6],
    ]
    .map(|names| partitions.images(&names));
    let mut classes: Vec<ArmClass> = Vec::new();
    let mut seen = vec![None; arms.len()];
    for start in 0..arms.len() {
        if seen[start].is_none() {
            let members = flood(
                &mut seen,
                start,
                (),
                |arm| {
                    renamings.each_ref().map(|ids| (numbers[key(arms[arm].boxes.map(|id| ids[usize::from(id)]))], ()))
                },
                |_, _| (),
            );
            let size = members.iter().map(|&arm| arms[arm].number()).sum();
            classes.push(ArmClass { representative: start, members, size });
        }
    }
    classes.sort_by_key(|class| (std::cmp::Reverse(class.size), class.representative));
    for (number, class) in classes.iter().enumerate() {
        class.members.iter().for_each(|&arm| arms[arm].class = number);
    }
    classes
}

/// The number of an unordered pair of boxes.
fn key([q, r]: [Id; 2]) -> usize {
    usize::from(q.min(r)) * PARTITIONS + usize::from(q.max(r))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::numbers::bands::bands;

    /// 56 splits of the rows of box 1, and 36 partitions that cross each box: 72,576 fillings, not counting orders of
    /// columns.
    #[test]
    fn arms_are_as_many_as_pairs_of_boxes() {
        let count = FiveBoxes::default();
        let fillings = count.arms.iter().map(|arm| arm.number() * arm.fillings).sum::<u64>();
        assert_eq!(fillings, 56 * 36 * 36);
        assert_eq!(u128::from(fillings) * 36 * 362_880, 948_109_639_680);
        let arms = count.arms.iter().map(Arm::number).sum::<u64>();
        assert_eq!(count.classes.iter().map(|class| class.size).sum::<u64>(), arms);
    }

    /// All L's with a given band, added up, are the completions of that band: the two counts agree band by band.
    #[test]
    fn the_completions_of_a_band_are_those_of_its_ls() {
        let count = FiveBoxes::default();
        let columns = count.transposed[0];
        for part in [0, count.parts() / 2, count.parts() - 1] {
            let beside = count.arms[count.classes[part].representative];
            let side = ArmTables::new(&count, beside.boxes);
            let mut completions = 0;
            for below in &count.arms {
                let one = side.completions(below.boxes.map(|id| count.transposed[usize::from(id)]));
                assert!((1152..=11_664).contains(&one));
                completions += 36 * below.number() * below.fillings * one;
            }
            let [two, three] = beside.boxes;
            assert_eq!(completions, bands().completions([columns, two, three]), "part {part}");
        }
    }

    /// `part` takes only one arm of each class, and counts pairs of different classes once and doubles them. So any arm
    /// of a class must give the same sum, and an L must have as many completions as its transposed image.
    #[test]
    fn arms_of_a_class_and_transposed_arms_are_alike() {
        let (count, mut other) = (FiveBoxes::default(), FiveBoxes::default());
        let several = (0..count.parts()).rev().filter(|&part| count.classes[part].size > 4);
        for part in several.take(3) {
            let last = other.arms.iter().rposition(|arm| arm.class == part).unwrap();
            assert_ne!(std::mem::replace(&mut other.classes[part].representative, last), last);
            assert_eq!(count.part(part), other.part(part));
        }
        let completions = |beside: &Arm, below: &Arm| {
            ArmTables::new(&count, beside.boxes).completions(below.boxes.map(|id| count.transposed[usize::from(id)]))
        };
        for (a, b) in count.arms.iter().zip(count.arms.iter().rev()).step_by(2000) {
            assert_eq!(completions(a, b), completions(b, a));
        }
    }
}
