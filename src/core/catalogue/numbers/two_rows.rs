//! Counts the grids of boards whose boxes have two rows (2x2, 2x3, 2x4), exactly, and makes the grid of each number.
//!
//! ```text
//!   a b c | d e f      band 1   In each band a digit stands in the upper row on the left and in the lower row on the
//!   d e f | a b c               right, or the other way round: a vector of C bits for each digit, one bit a band.
//!   ------+------
//!   b d e | c f a      band 2   In each band C of the 2C digits are on the upper left.
//!   . . .
//! ```
//!
//! The vectors say which digits stand in each row of the left stack. Its C columns are then C matchings of rows with
//! digits that share no pair: a factorisation of a regular bipartite graph. The right stack has the same graph with the
//! two rows of each band exchanged. So both have the same number of factorisations, h. Hence
//!
//! ```text
//!   N = sum over multisets of 2C vectors, every coordinate adding up to C, of (2C)! / prod(m_v!) * h^2
//! ```
//!
//! with m_v the multiplicity of v. h is the same for all multisets that differ by permutations of bands and of the rows
//! inside bands, so there are few classes. In h, the C! orders of the columns count as different. The functions below
//! do not count these orders and give h / C!.
//!
//! As in [`super::bands`], a number below the sum stands for a grid, and no weight is ever rounded.

use std::collections::HashMap;

use crate::board::maps::flood::flood;

/// Most rows of a board that is counted here.
pub(crate) const ROWS: usize = 8;

/// The digits of each row of the left stack, one bit each; every digit is in the same number of rows.
pub(crate) type StackRows = [u16; ROWS];
/// For each row the digit that one column has there, from 0.
pub type Column = [u8; ROWS];

/// Multisets of vectors that differ by permutations of bands and of the rows inside bands.
pub(crate) struct Class {
    /// The first multiset of the class, sorted.
    pub(crate) vectors: Vec<u8>,
    /// All multisets of the class, ascending.
    pub(crate) members: Vec<Vec<u8>>,
    /// Digits of the rows of the left stack, of a representative.
    pub(crate) graph: StackRows,
    /// Number of factorisations of the left stack, not counting the orders of the columns.
    pub(crate) factorisations: u64,
    /// The columns that begin with the first digit of the first row.
    pub(crate) first_columns: Vec<FirstColumn>,
}

/// A column that begins with the first digit of the first row.
#[derive(Clone, Copy)]
pub(crate) struct FirstColumn {
    pub(crate) column: Column,
    /// The number of factorisations that have an earlier one of these columns.
    pub(crate) factorisations_before: u64,
}

/// The grids of one width of boxes, up to 4.
pub(crate) struct TwoRows {
    pub(crate) box_columns: usize,
    pub(crate) classes: Vec<Class>,
    /// For each class the sum of the weights of the classes before it.
    pub(crate) before: Vec<u64>,
    total: u64,
    /// Every multiset by its sorted vectors.
    pub(crate) members: HashMap<Vec<u8>, Member>,
}

/// A multiset as a member of its class.
pub(crate) struct Member {
    /// The place of its class in [`TwoRows::classes`].
    pub(crate) class: usize,
    /// Its place among [`Class::members`].
    pub(crate) number: u64,
    /// The map that turns it into the first multiset of its class.
    pub(crate) map: BandExchange,
}

/// An exchange of bands and of the rows of bands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BandExchange {
    /// Where the bands come from.
    pub(crate) bands: [u8; ROWS / 2],
    /// Which bands of the image have their rows exchanged, one bit each.
    pub(crate) exchanged: u8,
}

impl BandExchange {
    const IDENTITY: BandExchange = BandExchange { bands: [0, 1, 2, 3], exchanged: 0 };

    /// The exchanges that generate all: the rows of band 1, and each band with the next one.
    fn generators(box_columns: usize) -> Vec<BandExchange> {
        let mut generators = vec![BandExchange { exchanged: 1, ..BandExchange::IDENTITY }];
        for band in 0..box_columns - 1 {
            let mut swap = BandExchange::IDENTITY;
            swap.bands.swap(band, band + 1);
            generators.push(swap);
        }
        generators
    }

    /// The vector after the bands are permuted and the rows of some exchanged.
    pub(crate) fn image(&self, vector: u8) -> u8 {
        let moved = self.bands.iter().enumerate().map(|(to, &from)| (vector >> from & 1) << to);
        moved.sum::<u8>() ^ self.exchanged
    }

    /// The composition: this exchange first, then another one.
    fn then(&self, next: &BandExchange) -> BandExchange {
        BandExchange {
            bands: next.bands.map(|band| self.bands[usize::from(band)]),
            exchanged: next.image(self.exchanged),
        }
    }
}

impl TwoRows {
    /// The tables for boxes of 2, 3 or 4 columns.
    pub(crate) fn new(box_columns: usize) -> TwoRows {
        let mut table =
            TwoRows { box_columns, classes: Vec::new(), before: Vec::new(), total: 0, members: HashMap::new() };
        for (class, orbit) in orbits(box_columns).into_iter().enumerate() {
            let vectors = orbit[0].multiset.clone();
            let assignments = orbit.len() as u64 * orders(&vectors);
            let members = orbit.iter().map(|member| member.multiset.clone()).collect();
            for (OrbitMember { multiset, map }, number) in orbit.into_iter().zip(0..) {
                table.members.insert(multiset, Member { class, number, map });
            }
            let graph = graph(&vectors, box_columns);
            let mut first_columns = Vec::new();
            let mut factorisations = 0;
            for column in columns_of(&graph, 2 * box_columns) {
                first_columns.push(FirstColumn { column, factorisations_before: factorisations });
                factorisations += self::factorisations(&without(&graph, &column, 2 * box_columns), box_columns - 1);
            }
            table.before.push(table.total);
            table.total += assignments * factorisations * factorisations;
            table.classes.push(Class { vectors, members, graph, factorisations, first_columns });
        }
        table
    }

    /// Number of grids that [`TwoRows::unrank`] can return. Times (C!)^2, for the orders of the columns, this is the
    /// number of all grids.
    pub(crate) fn names(&self) -> u64 {
        self.total
    }

    /// The columns of the left and of the right stack of the grid of a number below [`TwoRows::names`]. If bands, rows
    /// inside bands, columns inside stacks and digits are then shuffled, every grid comes from the same number of pairs
    /// of a number and a shuffle.
    pub(crate) fn unrank(&self, number: u64) -> [Vec<Column>; 2] {
        let place = self.before.partition_point(|&before| before <= number) - 1;
        let (class, number) = (&self.classes[place], number - self.before[place]);
        let left = self.stack(class, number % class.factorisations);
        let mut right = self.stack(class, number / class.factorisations % class.factorisations);
        right.iter_mut().flat_map(|column| column.chunks_exact_mut(2)).for_each(|band| band.swap(0, 1));
        [left, right]
    }

    /// The columns of the factorisation of a number below `class.factorisations`.
    pub(crate) fn stack(&self, class: &Class, number: u64) -> Vec<Column> {
        let rows = 2 * self.box_columns;
        let following = class.first_columns.partition_point(|first| first.factorisations_before <= number);
        let FirstColumn { column, factorisations_before } = class.first_columns[following - 1];
        let mut stack = vec![column];
        let mut number = number - factorisations_before;
        let mut rest = without(&class.graph, &column, rows);
        for degree in (1..self.box_columns).rev() {
            let column = column_of_number(&rest, rows, degree, &mut number);
            rest = without(&rest, &column, rows);
            stack.push(column);
        }
        stack
    }
}

/// Digits of the rows of the left stack. Bit b of a vector: the digit stands in the upper row of band b.
fn graph(vectors: &[u8], box_columns: usize) -> StackRows {
    let mut graph = [0; ROWS];
    for (digit, vector) in vectors.iter().enumerate() {
        (0..box_columns).for_each(|band| graph[2 * band + usize::from(vector >> band & 1 == 0)] |= 1 << digit);
    }
    graph
}

/// The first column of the factorisation of a number. Takes off the number those that begin with an earlier column.
fn column_of_number(graph: &StackRows, rows: usize, degree: usize, number: &mut u64) -> Column {
    for column in columns_of(graph, rows) {
        let count = factorisations(&without(graph, &column, rows), degree - 1);
        if *number < count {
            return column;
        }
        *number -= count;
    }
    unreachable!("a number above the number of factorisations")
}

/// What is left of a graph without a column.
pub(crate) fn without(graph: &StackRows, column: &Column, rows: usize) -> StackRows {
    let mut rest = *graph;
    rest[..rows].iter_mut().zip(column).for_each(|(row, digit)| *row &= !(1 << digit));
    rest
}

/// All columns (a different digit for each row) that begin with the first digit of the first row, in an order that
/// never changes: numbers of grids count the columns before one.
pub(crate) fn columns_of(graph: &StackRows, rows: usize) -> Vec<Column> {
    let mut columns = Vec::new();
    each_column(graph, rows, &mut |column| columns.push(*column));
    columns
}

/// Calls back with these columns.
fn each_column(graph: &StackRows, rows: usize, on_column: &mut dyn FnMut(&Column)) {
    /// Gives a digit to each row from `row` on; `used` are those of the rows before.
    fn extend(graph: &[u16], row: usize, used: u16, column: &mut Column, on_column: &mut dyn FnMut(&Column)) {
        let Some(&digits) = graph.get(row) else { return on_column(column) };
        let mut free = digits & !used;
        while free != 0 {
            column[row] = free.trailing_zeros() as u8;
            extend(graph, row + 1, used | 1 << column[row], column, on_column);
            free &= free - 1;
        }
    }
    let mut column = [0; ROWS];
    column[0] = graph[0].trailing_zeros() as u8;
    extend(&graph[..rows], 1, 1 << column[0], &mut column, on_column);
}

/// Number of factorisations of rows that have `degree` digits each, not counting the orders of the columns.
///
/// The last two columns consist of cycles, and c cycles can be divided into the two columns in 2^(c-1) ways.
pub(crate) fn factorisations(graph: &StackRows, degree: usize) -> u64 {
    let rows = graph.iter().filter(|&&digits| digits != 0).count();
    let mut sum = 0;
    match degree {
        0 | 1 => sum = 1,
        2 => sum = pairs_of_columns(graph, rows),
        _ => each_column(graph, rows, &mut |column| sum += factorisations(&without(graph, column, rows), degree - 1)),
    }
    sum
}

/// The ways to divide rows with two digits each into two columns.
#[inline]
fn pairs_of_columns(two: &StackRows, rows: usize) -> u64 {
    1 << (cycles(&two[..rows]) - 1)
}

/// Number of cycles of rows with two digits each, when every digit is in two rows.
fn cycles(rows: &[u16]) -> u32 {
    // For each digit, the XOR of the numbers of its two rows: one row gives the other.
    let mut rows_of = [0; 16];
    for (number, row) in rows.iter().enumerate() {
        rows_of[(row.trailing_zeros() & 15) as usize] ^= number;
        rows_of[((15 - row.leading_zeros()) & 15) as usize] ^= number;
    }
    let mut open: u32 = (1 << rows.len()) - 1;
    let mut cycles = 0;
    while open != 0 {
        let start = open.trailing_zeros() as usize;
        let (mut number, mut digit) = (start, rows[start] & rows[start].wrapping_neg());
        loop {
            open &= !(1 << number);
            // The other digit of the row, then the other row of this digit.
            digit ^= rows[number];
            number ^= rows_of[(digit.trailing_zeros() & 15) as usize];
            if number == start {
                break;
            }
        }
        cycles += 1;
    }
    cycles
}

/// A multiset, and the exchange that makes it the first one of its class.
struct OrbitMember {
    multiset: Vec<u8>,
    map: BandExchange,
}

/// The multisets of each class, ascending.
fn orbits(box_columns: usize) -> Vec<Vec<OrbitMember>> {
    let multisets = multisets(box_columns);
    let numbers: HashMap<&[u8], usize> = multisets.iter().map(Vec::as_slice).zip(0..).collect();
    let generators = BandExchange::generators(box_columns);
    let mut maps: Vec<Option<BandExchange>> = vec![None; multisets.len()];
    let mut orbits = Vec::new();
    for start in 0..multisets.len() {
        if maps[start].is_some() {
            continue;
        }
        let images = |number: usize| {
            let (multiset, numbers) = (&multisets[number], &numbers);
            generators.iter().map(move |generator| {
                let mut image: Vec<u8> = multiset.iter().map(|&vector| generator.image(vector)).collect();
                image.sort_unstable();
                (numbers[&image[..]], generator)
            })
        };
        // A generator is its own inverse.
        let mut members =
            flood(&mut maps, start, BandExchange::IDENTITY, images, |map, generator| generator.then(&map));
        // The multisets are ascending.
        members.sort_unstable();
        let orbit = members
            .into_iter()
            .filter_map(|number| Some(OrbitMember { multiset: multisets[number].clone(), map: maps[number]? }));
        orbits.push(orbit.collect());
    }
    orbits
}

/// Number of orders of a sorted multiset: the ways to assign vectors to digits.
pub(crate) fn orders<T: PartialEq>(sorted: &[T]) -> u64 {
    let mut orders = (1..=sorted.len() as u64).product::<u64>();
    for equal_items in sorted.chunk_by(|a, b| a == b) {
        orders /= (1..=equal_items.len() as u64).product::<u64>();
    }
    orders
}

/// All ascending sequences of 2C vectors in which every coordinate adds up to C.
fn multisets(box_columns: usize) -> Vec<Vec<u8>> {
    /// Adds vectors in ascending order; `sums` are the sums of their coordinates so far.
    fn extend(vectors: &mut Vec<u8>, sums: &mut [usize], multisets: &mut Vec<Vec<u8>>) {
        let (columns, length) = (sums.len(), vectors.len());
        // A coordinate cannot exceed C, and the remaining vectors must be able to raise it to C.
        if sums.iter().any(|&sum| sum > columns || sum + 2 * columns - length < columns) {
            return;
        }
        if length == 2 * columns {
            return multisets.push(vectors.clone());
        }
        for vector in vectors.last().copied().unwrap_or(0)..=u8::MAX >> (8 - columns) {
            let mut with = sums.to_vec();
            with.iter_mut().enumerate().for_each(|(band, sum)| *sum += usize::from(vector >> band & 1));
            vectors.push(vector);
            extend(vectors, &mut with, multisets);
            vectors.pop();
        }
    }
    let mut multisets = Vec::new();
    extend(&mut Vec::new(), &mut vec![0; box_columns], &mut multisets);
    multisets
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The named grids times the orders of the columns of both stacks are all grids, as many as published.
    #[test]
    fn grids_of_2x2_2x3_and_2x4_are_counted() {
        for (columns, grids) in [(2, 288), (3, 28_200_960), (4, 29_136_487_207_403_520)] {
            let orders: u64 = (1..=columns).product();
            assert_eq!(orders * orders * TwoRows::new(columns as usize).names(), grids);
        }
    }

    /// For every class, the stacks that are listed are different, and as many as are counted.
    #[test]
    fn stacks_are_listed_without_repetition() {
        for columns in 2..=4 {
            let table = TwoRows::new(columns);
            for class in &table.classes {
                let listed: HashSet<Vec<Column>> = (0..class.factorisations)
                    .map(|number| {
                        let mut stack = table.stack(class, number);
                        stack.sort_unstable();
                        stack
                    })
                    .collect();
                assert_eq!(listed.len() as u64, class.factorisations);
                assert_eq!(factorisations(&class.graph, columns), class.factorisations);
            }
        }
    }
}
