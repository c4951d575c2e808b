//! Finds all choices of some members of a pool that stay small together.

use std::ops::BitOr;

use crate::board::Shape;

/// A member of a pool, or the union of several: for example a cell and its candidates, or a digit and its places.
#[derive(Clone, Copy)]
pub(crate) struct ChoiceMember<A, B> {
    pub(crate) item: A,
    /// What must stay small.
    pub(crate) extent: B,
}

/// Calls `visit` with the union of every `size` members of a pool whose extents together are small enough.
pub(crate) fn choices<A: Copy + BitOr<Output = A>, B: Copy + BitOr<Output = B>>(
    members: impl Iterator<Item = ChoiceMember<A, B>>,
    size: usize,
    nothing: ChoiceMember<A, B>,
    is_small: impl Fn(B) -> bool + Copy,
    visit: &mut impl FnMut(A, B),
) {
    let mut pool = [nothing; Shape::MAX_SOLVABLE_ORDER];
    let count = pool.iter_mut().zip(members).map(|(place, member)| *place = member).count();
    if count >= size {
        grow(&pool[..count], size, nothing, is_small, visit);
    }
}

/// Chooses `left` more members of the pool. `chosen` is the union of the members so far.
fn grow<A: Copy + BitOr<Output = A>, B: Copy + BitOr<Output = B>>(
    pool: &[ChoiceMember<A, B>],
    left: usize,
    chosen: ChoiceMember<A, B>,
    is_small: impl Fn(B) -> bool + Copy,
    visit: &mut impl FnMut(A, B),
) {
    for (index, &member) in pool[..=pool.len() - left].iter().enumerate() {
        let chosen = ChoiceMember { item: chosen.item | member.item, extent: chosen.extent | member.extent };
        match left {
            _ if !is_small(chosen.extent) => {}
            1 => visit(chosen.item, chosen.extent),
            _ => grow(&pool[index + 1..], left - 1, chosen, is_small, visit),
        }
    }
}
