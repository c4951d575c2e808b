//! Sets of cells, digits and houses of the 9x9 board, in the numbering that the scan order of Sudoku Explainer needs
//! ([`crate::board::nine`]): boxes, which it calls blocks, come before rows and columns.

pub(super) use crate::board::nine::{CELLS, HOUSE, HOUSE_SET, HOUSES, HOUSES_OF, OF, PEERS};
pub(super) use crate::rate::bits::count;

/// The houses in the order in which the rules for singles and subsets scan them: blocks, columns, rows.
pub(super) const BLOCKS_COLUMNS_ROWS: [usize; HOUSES] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 22, 23, 24, 25, 26, 9, 10, 11, 12, 13, 14, 15, 16, 17];

/// The subsets of `count` things with `size` members, in increasing order of their masks, as in the original.
#[inline]
pub(super) fn subsets_of(count: usize, size: usize) -> impl Iterator<Item = u16> {
    let following = |&mask: &u32| {
        // The lowest run of ones: its highest bit moves up by one, the others go to the bottom.
        let up = mask + (mask & mask.wrapping_neg());
        Some(up | (mask ^ up).checked_shr(2 + mask.trailing_zeros()).unwrap_or(0)).filter(|_| mask != 0)
    };
    std::iter::successors(Some((1u32 << size) - 1), following)
        .take_while(move |mask| mask >> count == 0)
        .map(|mask| mask as u16)
}

/// The bits of a mask, ascending.
#[inline]
pub(super) fn bits(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(at)
    })
}

pub(super) fn house_bits(set: u32) -> impl Iterator<Item = usize> {
    (0..HOUSES).filter(move |house| set >> house & 1 != 0)
}

/// The peers of a cell that are in a set, in the order in which the original lists them: block, row, column.
#[inline]
pub(super) fn peers_in(cell: usize, set: u128) -> impl Iterator<Item = usize> {
    let (mut rest, mut now, mut houses) = (set & PEERS[cell], 0u128, OF[cell].iter());
    std::iter::from_fn(move || {
        // The peers in the next house that no house before it has.
        while now == 0 {
            let house = HOUSE_SET[usize::from((rest != 0).then(|| houses.next())??.0)];
            now = rest & house;
            rest &= !house;
        }
        let at = now.trailing_zeros() as usize;
        now &= now - 1;
        Some(at)
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
        let at = (word != 0).then(|| first + word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(at)
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
