//! The geometry of the 9x9 board in the numbering that the scan order of Sudoku Explainer needs.
//!
//! ```text
//!   cell  = 9 * row + column, 0..81
//!   house = 0..9 blocks, 9..18 rows, 18..27 columns          (the "block, row, column" of the chains)
//!   place = index of a cell within a house: a block row by row, a row left to right, a column downwards
//!   candidate = 9 * cell + digit, 0..729, digits 0..9
//! ```
//! All tables are computed at compile time from these four lines.

pub(super) const CELLS: usize = 81;
pub(super) const HOUSES: usize = 27;

pub(super) const HOUSE: [[u8; 9]; HOUSES] = houses();
/// The block, the row and the column of each cell, each with the place of the cell in it.
pub(super) const OF: [[(u8, u8); 3]; CELLS] = of();
/// The same three houses as bits.
pub(super) const HOUSES_OF: [u32; CELLS] = houses_of();
/// The 20 cells that share a house with a cell.
pub(super) const PEERS: [u128; CELLS] = peers();
/// The same 20 cells in the order in which the original lists them: block, row, column, each cell once.
pub(super) const PEER_LIST: [[u8; 20]; CELLS] = peer_list();
pub(super) const HOUSE_SET: [u128; HOUSES] = house_set();

/// House numbers in the order in which the rules for singles, subsets and direct hidden sets scan them: blocks,
/// columns, rows.
pub(super) const BLOCKS_COLUMNS_ROWS: [u8; HOUSES] = blocks_columns_rows();

/// Subsets of nine things by size, in increasing numerical order of their bit masks. This is the order in which the
/// original goes through tuples.
pub(super) const PAIRS: [u16; 36] = subsets::<36>(2);
pub(super) const TRIPLES: [u16; 84] = subsets::<84>(3);
pub(super) const QUADS: [u16; 126] = subsets::<126>(4);
/// The subsets of nine things with `size` members, 2 to 4.
pub(super) const fn tuples(size: usize) -> &'static [u16] {
    match size {
        2 => &PAIRS,
        3 => &TRIPLES,
        _ => &QUADS,
    }
}

const fn houses() -> [[u8; 9]; HOUSES] {
    let mut all = [[0; 9]; HOUSES];
    let mut number = 0;
    while number < 9 {
        let mut place = 0;
        while place < 9 {
            all[number][place] = (27 * (number / 3) + 3 * (number % 3) + 9 * (place / 3) + place % 3) as u8;
            all[9 + number][place] = (9 * number + place) as u8;
            all[18 + number][place] = (9 * place + number) as u8;
            place += 1;
        }
        number += 1;
    }
    all
}

const fn of() -> [[(u8, u8); 3]; CELLS] {
    let mut all = [[(0, 0); 3]; CELLS];
    let mut house = 0;
    while house < HOUSES {
        let mut place = 0;
        while place < 9 {
            all[HOUSE[house][place] as usize][house / 9] = (house as u8, place as u8);
            place += 1;
        }
        house += 1;
    }
    all
}

const fn houses_of() -> [u32; CELLS] {
    let mut all = [0; CELLS];
    let mut at = 0;
    while at < CELLS * 3 {
        all[at / 3] |= 1 << OF[at / 3][at % 3].0;
        at += 1;
    }
    all
}

const fn house_set() -> [u128; HOUSES] {
    let mut all = [0; HOUSES];
    let mut house = 0;
    while house < HOUSES {
        let mut place = 0;
        while place < 9 {
            all[house] |= 1 << HOUSE[house][place];
            place += 1;
        }
        house += 1;
    }
    all
}

const fn peers() -> [u128; CELLS] {
    let mut all = [0; CELLS];
    let sets = house_set();
    let mut cell = 0;
    while cell < CELLS {
        let [(block, _), (row, _), (column, _)] = OF[cell];
        all[cell] = (sets[block as usize] | sets[row as usize] | sets[column as usize]) & !(1 << cell);
        cell += 1;
    }
    all
}

const fn peer_list() -> [[u8; 20]; CELLS] {
    let mut all = [[0; 20]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (mut seen, mut filled, mut kind) = (1u128 << cell, 0, 0);
        while kind < 3 {
            let house = OF[cell][kind].0 as usize;
            let mut place = 0;
            while place < 9 {
                let other = HOUSE[house][place];
                if seen & 1 << other == 0 {
                    seen |= 1 << other;
                    all[cell][filled] = other;
                    filled += 1;
                }
                place += 1;
            }
            kind += 1;
        }
        cell += 1;
    }
    all
}

const fn blocks_columns_rows() -> [u8; HOUSES] {
    let mut all = [0; HOUSES];
    let mut at = 0;
    while at < 9 {
        all[at] = at as u8;
        all[9 + at] = (18 + at) as u8;
        all[18 + at] = (9 + at) as u8;
        at += 1;
    }
    all
}

const fn subsets<const N: usize>(size: u32) -> [u16; N] {
    let mut all = [0; N];
    let (mut mask, mut filled) = (0u16, 0);
    while mask < 512 {
        if mask.count_ones() == size {
            all[filled] = mask;
            filled += 1;
        }
        mask += 1;
    }
    all
}

/// The number of bits in a mask of nine bits. A table, because the default target processors have no instruction for
/// it.
#[inline]
pub(super) fn count(mask: u16) -> u32 {
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

/// The subsets of `count` things with `size` members, in increasing order of their masks.
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

/// The numbers of the set bits of a small mask, upwards.
#[inline]
pub(super) fn bits(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(at)
    })
}

/// The peers of a cell that are in a set, in the order of [`PEER_LIST`].
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

/// The cells of a set, upwards.
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
    use super::{HOUSE, OF, PEER_LIST, PEERS, cells, count, peers_in, subsets_of};

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
            assert_eq!(PEERS[cell].count_ones(), 20);
            assert_eq!(PEER_LIST[cell].iter().fold(0u128, |set, &peer| set | 1 << peer), PEERS[cell]);
            let list = PEER_LIST[cell].map(usize::from);
            assert_eq!(peers_in(cell, u128::MAX).collect::<Vec<_>>(), list);
            let even = list.into_iter().filter(|peer| peer % 2 == 0);
            assert_eq!(peers_in(cell, u128::MAX / 3).collect::<Vec<_>>(), even.collect::<Vec<_>>());
            assert!(OF[cell].iter().all(|&(house, place)| HOUSE[house as usize][place as usize] as usize == cell));
        }
        assert_eq!(cells(PEERS[0]).take(3).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(PEER_LIST[0][..10], [1, 2, 9, 10, 11, 18, 19, 20, 3, 4]);
    }
}
