//! Finds all choices of some members of a pool that stay small together.

use std::ops::BitOr;

use crate::board::Shape;

/// Calls `visit` with the union of every `size` members of a pool whose second parts together are small enough.
pub(crate) fn choices<A: Copy + BitOr<Output = A>, B: Copy + BitOr<Output = B>>(
    members: impl Iterator<Item = (A, B)>,
    size: usize,
    nothing: (A, B),
    is_small: impl Fn(B) -> bool + Copy,
    visit: &mut impl FnMut(A, B),
) {
    let mut pool = [nothing; Shape::MAX_SOLVABLE_ORDER];
    let count = pool.iter_mut().zip(members).map(|(place, member)| *place = member).count();
    if count >= size {
        grow(&pool[..count], size, nothing, is_small, visit);
    }
}

/// Chooses `left` more members of the pool. `chosen` has the union of the members so far, and what must stay small.
fn grow<A: Copy + BitOr<Output = A>, B: Copy + BitOr<Output = B>>(
    pool: &[(A, B)],
    left: usize,
    chosen: (A, B),
    is_small: impl Fn(B) -> bool + Copy,
    visit: &mut impl FnMut(A, B),
) {
    for (index, &member) in pool[..=pool.len() - left].iter().enumerate() {
        let chosen = (chosen.0 | member.0, chosen.1 | member.1);
        match left {
            _ if !is_small(chosen.1) => {}
            1 => visit(chosen.0, chosen.1),
            _ => grow(&pool[index + 1..], left - 1, chosen, is_small, visit),
        }
    }
}
