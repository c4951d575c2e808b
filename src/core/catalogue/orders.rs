//! The orders of three things: of the rows of a band, the columns of a stack, the digits of a row of a box.

/// The six orders of three things: `ORDERS[n][place]` is the rank of the thing at a place.
pub(crate) const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The number in [`ORDERS`] of the ranks of three values, by comparisons of pairs.
#[inline]
pub(crate) fn order_number<T: PartialOrd + Copy>([a, b, c]: [T; 3]) -> usize {
    // Indices 2 and 5 are never read. 2: first < third, but neither first < second nor second < third. 5: the opposite.
    const NUMBER: [u8; 8] = [5, 4, 0, 2, 3, 0, 1, 0];
    NUMBER[usize::from(a < b) << 2 | usize::from(a < c) << 1 | usize::from(b < c)].into()
}
