//! Finds all choices of some members of a pool that stay small together.

use std::ops::BitOr;

use crate::board::Shape;

/// Calls `found` with the union of every `size` members of a pool whose second parts together are small enough.
pub(crate) fn choices<A: Copy + BitOr<Output = A>, B: Copy + BitOr<Output = B>>(
    members: impl Iterator<Item = (A, B)>,
    size: usize,
    nothing: (A, B),
    is_small: impl Fn(B) -> bool + Copy,
    found: &mut impl FnMut(A, B),
) {
    let mut pool = [nothing; Shape::MAX_SOLVABLE_ORDER];
    let count = pool.iter_mut().zip(members).map(|(place, member)| *place = member).count();
    if count >= size {
        grow(&pool[..count], size, nothing, is_small, found);
    }
}

/// Chooses `left` more members of the pool. `chosen` has the union of the members so far, and what must stay small.
fn grow<A: Copy + BitOr<Output = A>, B: Copy + BitOr<Output = B>>(
    pool: &[(A, B)],
    left: usize,
    chosen: (A, B),
    is_small: impl Fn(B) -> bool + Copy,
    found: &mut impl FnMut(A, B),
) {
    for (at, &(member, union)) in pool[..=pool.len() - left].iter().enumerate() {
        let (chosen, union) = (chosen.0 | member, chosen.1 | union);
        match left {
            _ if !is_small(union) => {}
            1 => found(chosen, union),
            _ => grow(&pool[at + 1..], left - 1, (chosen, union), is_small, found),
        }
    }
}
