//! Gives every grid a number whose boxes have two rows and 2 to 4 columns: see [`super::two_rows`] for the count.
//!
//! ```text
//!   class of multisets > multiset in its class > assignment of the vectors to the digits
//!   > left stack: factorisation, order of its columns > right stack: the same
//!
//!   1 2 | 3 4   Digits 1 and 2 are on the upper left in both bands: their vectors are 11, those of 3 and 4 00. This
//!   3 4 | 1 2   is multiset 0 of class 0, and the last of its 6 assignments, number 5. Each stack is factorisation 0
//!   ----+----   of 2, in order 0 of its 2 columns. So the number is ((0 * 6 + 5) * 4 + 0) * 4 + 0 = 80, of 288.
//!   2 1 | 4 3
//!   4 3 | 2 1
//! ```
//!
//! A permutation of bands, and of the rows inside bands, makes a multiset the first of its class. It is applied to the
//! grid, and the digits are named by their vectors. After that both stacks are factorisations of the graph of the
//! class.

use super::two_rows::{
    BandExchange, Class, Column, ROWS, StackRows, TwoRows, each_column, factorisations, orders, without,
};

/// The number of an order of a multiset among all its orders, lexicographically.
fn rank_of_order<T: Ord + Copy>(items: &[T]) -> u64 {
    let mut remaining = items.to_vec();
    remaining.sort_unstable();
    let mut number = 0;
    for &item in items {
        let mut first = 0;
        while remaining[first] != item {
            number += orders_after(&remaining, first);
            first = next_group(&remaining, first);
        }
        remaining.remove(first);
    }
    number
}

/// The number of orders of what is left of some sorted things without one of them.
fn orders_after<T: Ord + Copy>(sorted: &[T], taken: usize) -> u64 {
    let mut rest = sorted.to_vec();
    rest.remove(taken);
    orders(&rest)
}

/// The place of the first of some sorted things behind those that are equal to the one in a place.
fn next_group<T: Ord>(sorted: &[T], place: usize) -> usize {
    sorted.partition_point(|item| *item <= sorted[place])
}

/// The order with a number among all different orders of some sorted things.
fn order_of_rank<T: Ord + Copy>(sorted: &[T], mut number: u64) -> Vec<T> {
    let mut remaining = sorted.to_vec();
    let mut items = Vec::with_capacity(sorted.len());
    while !remaining.is_empty() {
        let mut first = 0;
        let mut count = orders_after(&remaining, first);
        while number >= count {
            number -= count;
            first = next_group(&remaining, first);
            count = orders_after(&remaining, first);
        }
        items.push(remaining.remove(first));
    }
    items
}

/// Names of digits by their vectors: the place of each digit when they are sorted by vector, then by digit.
fn names(vectors: &[u8]) -> Vec<u8> {
    let mut digits: Vec<usize> = (0..vectors.len()).collect();
    digits.sort_by_key(|&digit| vectors[digit]);
    let mut names = vec![0; digits.len()];
    digits.into_iter().enumerate().for_each(|(name, digit)| names[digit] = name as u8);
    names
}

impl TwoRows {
    /// The number of orders of the columns of a stack.
    fn column_orders(&self) -> u64 {
        (1..=self.box_columns as u64).product()
    }

    /// The number of grids.
    pub(crate) fn grids(&self) -> u64 {
        self.column_orders().pow(2) * self.names()
    }

    /// The number of a grid, from 0. Digits from 1.
    pub(crate) fn rank(&self, values: &[u8]) -> u64 {
        let (columns, n) = (self.box_columns, 2 * self.box_columns);
        let mut vectors = vec![0; n];
        for band in 0..columns {
            for &value in &values[2 * band * n..][..columns] {
                vectors[usize::from(value - 1)] |= 1 << band;
            }
        }
        let mut multiset = vectors.clone();
        multiset.sort_unstable();
        let member = &self.members[&multiset];
        let class = &self.classes[member.class];
        let images: Vec<u8> = vectors.iter().map(|&vector| member.map.image(vector)).collect();
        let names = names(&images);
        let mut stacks = [vec![[0; ROWS]; columns], vec![[0; ROWS]; columns]];
        for (stack, listed) in stacks.iter_mut().enumerate() {
            for (place, column) in listed.iter_mut().enumerate() {
                for (row, name) in column.iter_mut().enumerate().take(n) {
                    // In the right stack the rows of each band are exchanged.
                    let source = member.map.row(row ^ stack);
                    *name = names[usize::from(values[n * source + stack * columns + place] - 1)];
                }
            }
        }
        let [left, right] = stacks.map(|listed| self.rank_of_stack(class, listed));
        let factorisations = class.factorisations * self.column_orders();
        let assignment = member.number * orders(&class.vectors) + rank_of_order(&images);
        let before = self.before[member.class] * self.column_orders().pow(2);
        before + (assignment * factorisations + left) * factorisations + right
    }

    /// The number of a stack: its factorisation, then the order of its columns.
    fn rank_of_stack(&self, class: &Class, mut columns: Vec<Column>) -> u64 {
        let order = rank_of_order(&columns);
        columns.sort_unstable();
        class.rank(&columns, 2 * self.box_columns) * self.column_orders() + order
    }

    /// The grid of a number below [`TwoRows::grids`]. Digits from 1.
    pub(crate) fn grid(&self, number: u64) -> Vec<u8> {
        let (columns, n) = (self.box_columns, 2 * self.box_columns);
        let squared = self.column_orders().pow(2);
        let place = self.before.partition_point(|&before| before * squared <= number) - 1;
        let (class, number) = (&self.classes[place], number - self.before[place] * squared);
        let factorisations = class.factorisations * self.column_orders();
        let stacks = [number / factorisations % factorisations, number % factorisations];
        let assignment = number / factorisations / factorisations;
        let assignments = orders(&class.vectors);
        let multiset = &class.members[(assignment / assignments) as usize];
        let map = &self.members[multiset].map;
        let names = names(&order_of_rank(&class.vectors, assignment % assignments));
        let mut values = vec![0; n * n];
        for (stack, number) in stacks.into_iter().enumerate() {
            let listed = self.stack(class, number / self.column_orders());
            let order = order_of_rank(&(0..columns).collect::<Vec<usize>>(), number % self.column_orders());
            for (place, &rank) in order.iter().enumerate() {
                for row in 0..n {
                    let digit = names.iter().position(|name| *name == listed[rank][row]).unwrap_or_default();
                    values[n * map.row(row ^ stack) + stack * columns + place] = digit as u8 + 1;
                }
            }
        }
        values
    }
}

impl Class {
    /// The number of a factorisation, its columns sorted.
    fn rank(&self, stack: &[Column], rows: usize) -> u64 {
        let first = self.columns.binary_search_by(|(column, _)| column.cmp(&stack[0])).unwrap_or_default();
        let mut number = self.columns[first].1;
        let mut rest: StackRows = without(&self.graph, &stack[0], rows);
        for (column, degree) in stack[1..].iter().zip((1..stack.len()).rev()) {
            let mut is_before = true;
            each_column(&rest, rows, &mut |listed| {
                is_before &= listed != column;
                if is_before {
                    number += factorisations(&without(&rest, listed, rows), degree - 1);
                }
            });
            rest = without(&rest, column, rows);
        }
        number
    }
}

impl BandExchange {
    /// The row of the source that becomes row `row` of the image.
    fn row(&self, row: usize) -> usize {
        let band = row / 2;
        2 * usize::from(self.bands[band]) + (row & 1 ^ usize::from(self.exchanged >> band & 1))
    }
}
