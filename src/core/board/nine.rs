//! The geometry of the 9x9 board, computed by the compiler.
//!
//! ```text
//!   cell  = 9 * row + column, 0..81
//!   house = 0..9 boxes, 9..18 rows, 18..27 columns
//!   place = index of a cell within a house: a box row by row, a row left to right, a column downwards
//!   candidate = 9 * cell + digit, 0..729, digits 0..9
//! ```

pub(crate) const CELLS: usize = 81;
pub(crate) const HOUSES: usize = 27;

/// The cells of each house.
pub(crate) const HOUSE: [[u8; 9]; HOUSES] = {
    let (mut all, mut pair) = ([[0; 9]; HOUSES], 0);
    while pair < 9 * 9 {
        let (number, place) = (pair / 9, pair % 9);
        // The first cell of the box, and the place inside of it.
        all[number][place] = (27 * (number / 3) + 3 * (number % 3) + 9 * (place / 3) + place % 3) as u8;
        all[9 + number][place] = (9 * number + place) as u8;
        all[18 + number][place] = (9 * place + number) as u8;
        pair += 1;
    }
    all
};

/// The box, the row and the column of each cell, each with the place of the cell in it.
pub(crate) const OF: [[(u8, u8); 3]; CELLS] = {
    let (mut all, mut pair) = ([[(0, 0); 3]; CELLS], 0);
    while pair < HOUSES * 9 {
        let (house, place) = (pair / 9, pair % 9);
        all[HOUSE[house][place] as usize][house / 9] = (house as u8, place as u8);
        pair += 1;
    }
    all
};

/// The houses of each cell, as bits.
pub(crate) const HOUSES_OF: [u32; CELLS] = {
    let (mut all, mut pair) = ([0; CELLS], 0);
    while pair < CELLS * 3 {
        all[pair / 3] |= 1 << OF[pair / 3][pair % 3].0;
        pair += 1;
    }
    all
};

/// The cells of each house, as bits.
pub(crate) const HOUSE_SET: [u128; HOUSES] = {
    let (mut all, mut pair) = ([0; HOUSES], 0);
    while pair < HOUSES * 9 {
        all[pair / 9] |= 1 << HOUSE[pair / 9][pair % 9];
        pair += 1;
    }
    all
};

/// The cells that see each cell, as bits.
pub(crate) const PEERS: [u128; CELLS] = {
    let (mut all, mut cell) = ([0; CELLS], 0);
    while cell < CELLS {
        let [(of_box, _), (row, _), (column, _)] = OF[cell];
        let houses = HOUSE_SET[of_box as usize] | HOUSE_SET[row as usize] | HOUSE_SET[column as usize];
        all[cell] = houses & !(1 << cell);
        cell += 1;
    }
    all
};
