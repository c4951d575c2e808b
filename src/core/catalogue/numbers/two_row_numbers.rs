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
//! grid, and digits are named by their vectors. Then both stacks are factorisations of the class's graph.

use super::two_rows::{
    BandExchange, Class, Column, ROWS, StackRows, TwoRows, columns_of, factorisations, orders, without,
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

    pub(crate) fn grids(&self) -> u64 {
        self.column_orders().pow(2) * self.names()
    }

    /// The number of a grid, from 0. Digits from 1.
    pub(crate) fn rank(&self, values: &[u8]) -> u64 {
        let (box_columns, order) = (self.box_columns, 2 * self.box_columns);
        let mut vectors = vec![0; order];
        for band in 0..box_columns {
            for &value in &values[2 * band * order..][..box_columns] {
                vectors[usize::from(value - 1)] |= 1 << band;
            }
        }
        let mut multiset = vectors.clone();
        multiset.sort_unstable();
        let member = &self.members[&multiset];
        let class = &self.classes[member.class];
        let images: Vec<u8> = vectors.iter().map(|&vector| member.map.image(vector)).collect();
        let names = names(&images);
        let assignment = member.number * orders(&class.vectors) + rank_of_order(&images);
        let mut number = assignment;
        for stack in 0..2 {
            let mut columns = vec![[0; ROWS]; box_columns];
            for (place, column) in columns.iter_mut().enumerate() {
                // The column has room for the rows of the largest board.
                for (row, name) in column[..order].iter_mut().enumerate() {
                    let source = member.map.row(row_in_stack(row, stack));
                    let value = values[order * source + stack * box_columns + place];
                    *name = names[usize::from(value - 1)];
                }
            }
            number = number * self.stacks_of(class) + self.rank_of_stack(class, columns);
        }
        self.grids_before(member.class) + number
    }

    /// The number of a stack: its factorisation, then the order of its columns.
    fn rank_of_stack(&self, class: &Class, mut columns: Vec<Column>) -> u64 {
        let order = rank_of_order(&columns);
        columns.sort_unstable();
        class.rank(&columns, 2 * self.box_columns) * self.column_orders() + order
    }

    /// The number of stacks of a class: of factorisations, each with its columns in any order.
    fn stacks_of(&self, class: &Class) -> u64 {
        class.factorisations * self.column_orders()
    }

    /// The number of grids of the classes before one.
    fn grids_before(&self, class: usize) -> u64 {
        self.before[class] * self.column_orders().pow(2)
    }

    /// The grid of a number below [`TwoRows::grids`]. Digits from 1.
    pub(crate) fn grid(&self, number: u64) -> Vec<u8> {
        let (box_columns, order) = (self.box_columns, 2 * self.box_columns);
        let class_number = self.before.partition_point(|before| before * self.column_orders().pow(2) <= number) - 1;
        let class = &self.classes[class_number];
        let number = number - self.grids_before(class_number);
        let stacks = self.stacks_of(class);
        let stack_numbers = [number / stacks % stacks, number % stacks];
        let assignment = number / stacks / stacks;
        let assignments = orders(&class.vectors);
        let multiset = &class.members[(assignment / assignments) as usize];
        let map = &self.members[multiset].map;
        let names = names(&order_of_rank(&class.vectors, assignment % assignments));
        let mut values = vec![0; order * order];
        for (stack, number) in stack_numbers.into_iter().enumerate() {
            let columns = self.stack(class, number / self.column_orders());
            let sorted: Vec<usize> = (0..box_columns).collect();
            let column_order = order_of_rank(&sorted, number % self.column_orders());
            for (place, &rank) in column_order.iter().enumerate() {
                for (row, name) in columns[rank][..order].iter().enumerate() {
                    let digit = names.iter().position(|of_digit| of_digit == name).unwrap_or_default();
                    let target = map.row(row_in_stack(row, stack));
                    values[order * target + stack * box_columns + place] = digit as u8 + 1;
                }
            }
        }
        values
    }
}

/// The row of the grid that is a row of the graph in a stack, 0 for the left one: in the right stack the rows of each
/// band are exchanged, so that both stacks have the same graph.
fn row_in_stack(row: usize, stack: usize) -> usize {
    row ^ stack
}

impl Class {
    /// The number of a factorisation, its columns sorted.
    fn rank(&self, stack: &[Column], rows: usize) -> u64 {
        let first = self.first_columns.binary_search_by(|first| first.column.cmp(&stack[0])).unwrap_or_default();
        let mut number = self.first_columns[first].factorisations_before;
        let mut rest: StackRows = without(&self.graph, &stack[0], rows);
        for (column, degree) in stack[1..].iter().zip((1..stack.len()).rev()) {
            for earlier in columns_of(&rest, rows).iter().take_while(|listed| *listed != column) {
                number += factorisations(&without(&rest, earlier, rows), degree - 1);
            }
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
