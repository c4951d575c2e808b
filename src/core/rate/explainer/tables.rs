//! The geometry of the 9x9 board in the numbering that the scan order of Sudoku Explainer needs.
//!
//! ```text
//!   cell  = 9 * row + column, 0..81
//!   house = 0..9 blocks, 9..18 rows, 18..27 columns          (the "block, row, column" of the chains)
//!   place = index of a cell within a house: a block row by row, a row left to right, a column downwards
//!   candidate = 9 * cell + digit, 0..729, digits 0..9
//! ```

pub(super) const CELLS: usize = 81;
pub(super) const HOUSES: usize = 27;

pub(super) const HOUSE: [[u8; 9]; HOUSES] = {
    let (mut all, mut at) = ([[0; 9]; HOUSES], 0);
    while at < 9 * 9 {
        let (number, place) = (at / 9, at % 9);
        all[number][place] = (27 * (number / 3) + 3 * (number % 3) + 9 * (place / 3) + place % 3) as u8;
        all[9 + number][place] = (9 * number + place) as u8;
        all[18 + number][place] = (9 * place + number) as u8;
        at += 1;
    }
    all
};
/// The block, the row and the column of each cell, each with the place of the cell in it.
pub(super) const OF: [[(u8, u8); 3]; CELLS] = {
    let (mut all, mut at) = ([[(0, 0); 3]; CELLS], 0);
    while at < HOUSES * 9 {
        let (house, place) = (at / 9, at % 9);
        all[HOUSE[house][place] as usize][house / 9] = (house as u8, place as u8);
        at += 1;
    }
    all
};
pub(super) const HOUSES_OF: [u32; CELLS] = {
    let (mut all, mut at) = ([0; CELLS], 0);
    while at < CELLS * 3 {
        all[at / 3] |= 1 << OF[at / 3][at % 3].0;
        at += 1;
    }
    all
};
pub(super) const HOUSE_SET: [u128; HOUSES] = {
    let (mut all, mut at) = ([0; HOUSES], 0);
    while at < HOUSES * 9 {
        all[at / 9] |= 1 << HOUSE[at / 9][at % 9];
        at += 1;
    }
    all
};
pub(super) const PEERS: [u128; CELLS] = {
    let (mut all, mut cell) = ([0; CELLS], 0);
    while cell < CELLS {
        let [(block, _), (row, _), (column, _)] = OF[cell];
        let houses = HOUSE_SET[block as usize] | HOUSE_SET[row as usize] | HOUSE_SET[column as usize];
        all[cell] = houses & !(1 << cell);
        cell += 1;
    }
    all
};

/// The houses in the order in which the rules for singles and subsets scan them: blocks, columns, rows.
pub(super) const BLOCKS_COLUMNS_ROWS: [usize; HOUSES] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 18, 19, 20, 21, 22, 23, 24, 25, 26, 9, 10, 11, 12, 13, 14, 15, 16, 17];

/// The number of bits in a mask of nine bits. A table: the default target processors have no instruction for it.
#[inline]
pub(in crate::rate) fn count(mask: u16) -> u32 {
    COUNT[mask as usize & 0x1ff].into()
}

static COUNT: [u8; 512] = {
    let (mut all, mut mask) = ([0; 512], 0);
    while mask < 512 {
        all[mask] = (mask as u16).count_ones() as u8;
        mask += 1;
    }
    all
};

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

#[inline]
pub(super) fn cells(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
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
