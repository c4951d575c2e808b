//! Sets of cells, digits and houses of the 9x9 board, in the numbering that the scan order of Sudoku Explainer needs
//! ([`crate::board::nine`]): boxes, which it calls blocks, come before rows and columns.

use std::ops::{BitAnd, BitOr};

pub(super) use crate::bits::count;
pub(super) use crate::board::nine::{CELLS, HOUSE, HOUSE_SET, HOUSES, HOUSES_OF, OF, PEERS};

/// The types of houses, in the order of their numbers and of the entries of [`OF`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HouseType {
    Block,
    Row,
    Column,
}

impl HouseType {
    pub(super) const ALL: [HouseType; 3] = [HouseType::Block, HouseType::Row, HouseType::Column];

    /// The number of its first house among the 27.
    pub(super) const fn first_house(self) -> usize {
        9 * self as usize
    }
}

/// What at least one, two and three of some sets have.
#[derive(Clone, Copy, Default)]
pub(super) struct AtLeast<T> {
    pub(super) one: T,
    pub(super) two: T,
    pub(super) three: T,
}

/// Counts, for all members at once, the sets that have them.
#[inline]
pub(super) fn at_least<T>(sets: impl Iterator<Item = T>) -> AtLeast<T>
where
    T: Copy + Default + BitAnd<Output = T> + BitOr<Output = T>,
{
    let mut sums = AtLeast::<T>::default();
    for set in sets {
        sums.three = sums.three | sums.two & set;
        sums.two = sums.two | sums.one & set;
        sums.one = sums.one | set;
    }
    sums
}

/// The set of some cells.
#[inline]
pub(super) fn cell_set(cells: impl IntoIterator<Item = usize>) -> u128 {
    cells.into_iter().fold(0, |set, cell| set | 1 << cell)
}

/// The houses in the order in which the rules for singles and subsets scan them: blocks, columns, rows.
pub(super) const BLOCKS_COLUMNS_ROWS: [usize; HOUSES] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 22, 23, 24, 25, 26, 9, 10, 11, 12, 13, 14, 15, 16, 17];

/// The subsets of `count` things with `size` members, in increasing order of their masks, as in the original.
#[inline]
pub(super) fn subsets_of(count: usize, size: usize) -> impl Iterator<Item = u16> {
    std::iter::successors(Some((1u32 << size) - 1), |&mask| following_mask(mask))
        .take_while(move |mask| mask >> count == 0)
        .map(|mask| mask as u16)
}

/// The next larger mask with as many bits: of the lowest run of ones the highest moves up, the others to the bottom.
#[inline]
fn following_mask(mask: u32) -> Option<u32> {
    let raised = mask + (mask & mask.wrapping_neg());
    let bottom = (mask ^ raised).checked_shr(2 + mask.trailing_zeros()).unwrap_or(0);
    (mask != 0).then_some(raised | bottom)
}

/// The bits of a mask, ascending.
#[inline]
pub(super) fn bits(mut mask: u16) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(lowest)
    })
}

pub(super) fn house_bits(set: u32) -> impl Iterator<Item = usize> {
    (0..HOUSES).filter(move |house| set >> house & 1 != 0)
}

/// The peers of a cell that are in a set, in the order in which the original lists them: block, row, column.
#[inline]
pub(super) fn peers_in(cell: usize, set: u128) -> impl Iterator<Item = usize> {
    let (mut rest, mut in_house, mut houses) = (set & PEERS[cell], 0u128, OF[cell].iter());
    std::iter::from_fn(move || {
        // The peers in the next house that no house before it has.
        while in_house == 0 {
            if rest == 0 {
                return None;
            }
            let &(house, _) = houses.next()?;
            in_house = rest & HOUSE_SET[house as usize];
            rest &= !in_house;
        }
        let peer = in_house.trailing_zeros() as usize;
        in_house &= in_house - 1;
        Some(peer)
    })
}

/// The cells of a set, ascending.
#[inline]
pub(super) fn cells(set: u128) -> impl Iterator<Item = usize> {
    let (mut word, mut above, mut first) = (set as u64, (set >> 64) as u64, 0);
    std::iter::from_fn(move || {
        if word == 0 {
            (word, above, first) = (above, 0, 64);
        }
        let cell = (word != 0).then(|| first + word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(cell)
    })
}

#[cfg(test)]
mod tests {
    use super::{HOUSE, OF, PEERS, cells, count, peers_in, subsets_of};

    #[test]
    fn subsets_come_in_the_order_of_their_masks() {
        for (of, size) in (0..=9).flat_map(|of| (0..=9).map(move |size| (of, size))) {
            let expected = (0..1u16 << of).filter(|&mask| count(mask) as usize == size);
            assert_eq!(subsets_of(of, size).collect::<Vec<_>>(), expected.collect::<Vec<_>>(), "{size} of {of}");
        }
    }

    #[test]
    fn every_cell_knows_its_houses_and_peers() {
        for cell in 0..81 {
            let mut list: Vec<usize> = Vec::new();
            for other in OF[cell].iter().flat_map(|&(house, _)| HOUSE[house as usize].map(usize::from)) {
                if other != cell && !list.contains(&other) {
                    list.push(other);
                }
            }
            assert_eq!((list.len(), PEERS[cell].count_ones()), (20, 20));
            assert!(peers_in(cell, u128::MAX).eq(list.iter().copied()));
            assert!(peers_in(cell, u128::MAX / 3).eq(list.into_iter().filter(|peer| peer % 2 == 0)));
            assert!(OF[cell].iter().all(|&(house, place)| HOUSE[house as usize][place as usize] as usize == cell));
        }
        assert_eq!(cells(PEERS[0]).take(3).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
