//! Kraken fish: a fish whose fins or places lead to the conclusion by chains.
//!
//! ```text
//!   base  r2 [x] .  .  [x] .        cover c1 and c4; the fin does not see the candidate x in c4,
//!         r6 [x] .  .  [x] (x)      but a chain leads from the fin to it. Without the fin the fish
//!                    fin ----.      removes the candidate, with the fin the chain does.
//!         r9  .  .  .  x  <--'
//! ```
//!
//! * **Type 1**: a finned fish removes a candidate of its digit in a cover house. Each fin makes it false, directly or
//!   by a chain.
//! * **Type 2**: all places of the base in one cover house, and all fins, make the same candidate, of any digit, false.
//!
//! The search starts from the candidate that is removed. If it were true, all places with a chain to its falsehood
//! would be false. If n base houses then have all their places in n - 1 cover houses, the candidate is false (see
//! [`super::search`]). Chains are single implications with groups ([`crate::ladder::position::closure`]). Fish have lines
//! and boxes and sizes 2 to 4.
//!
//! Reference: Sudopedia, "Kraken Fish"; HoDoKu, Complex Fish: Kraken Fish.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use super::search::{Cores, HeldPlaces, HouseSet, LINES_AND_BOXES, Pools, bit, kind_of, pattern};
use crate::ladder::position::Position;
use crate::ladder::position::closure::{Closure, Implications};
use crate::ladder::words::sink::Sink;

/// The numbers of base houses.
const SIZES: std::ops::RangeInclusive<usize> = 2..=4;

/// A core of the search with base houses from a pool.
struct Core {
    size: usize,
    pools: Pools,
    base: HouseSet,
    cover: HouseSet,
}

/// Offers every Kraken fish of type 1. The cores of the search have one cover house fewer than base houses; with a
/// cover house through the candidate they are fish.
pub(crate) fn kraken_fish_1<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let (marks, closure) = (position.marks, position.closure(Implications::Chain));
    for digit in Digits::all(marks.order()) {
        for cell in marks.of_digit(digit).cells() {
            let refuted = refuted(marks, closure, closure.node(cell, digit), digit);
            each_core(marks, digit, refuted, Some(cell), sink.last_priority(), &mut |core| {
                let Core { size, pools, base, cover } = core;
                let last_cover = marks
                    .sets()
                    .houses_of(cell)
                    .find(|&house| pools.cover[kind_of(marks, house)] && (base | cover) & bit(house) == 0);
                let Some(last_cover) = last_cover else { return };
                let cover = cover | bit(last_cover);
                let fins = HeldPlaces::of(marks, digit, base).once - HeldPlaces::of(marks, digit, cover).once;
                // If the cell sees all fins, the fish removes it without a chain.
                if !fins.within(marks.peers(cell)) {
                    sink.eliminate_at(size as u32, &[(digit, S::only(cell))], || pattern(marks, digit, base, cover));
                }
            });
        }
    }
}

/// Offers every Kraken fish of type 2.
pub(crate) fn kraken_fish_2<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let (marks, closure) = (position.marks, position.closure(Implications::Chain));
    for target_digit in Digits::all(marks.order()) {
        for cell in marks.of_digit(target_digit).cells() {
            for digit in Digits::all(marks.order()) {
                let refuted = refuted(marks, closure, closure.node(cell, target_digit), digit);
                let assumed = (digit == target_digit).then_some(cell);
                each_core(marks, digit, refuted, assumed, sink.last_priority(), &mut |core| {
                    let out = [(target_digit, S::only(cell))];
                    sink.eliminate_at(core.size as u32, &out, || pattern(marks, digit, core.base, core.cover));
                });
            }
        }
    }
}

/// The places of a digit that are false when the target, a node, is true: their truth makes it false.
fn refuted<S: CellSet>(marks: &Candidates<S>, closure: &Closure<S>, target: usize, digit: Digit) -> S {
    S::of(marks.of_digit(digit).cells().filter(|&place| closure.refutes(closure.node(place, digit), target)))
}

/// Calls `visit` with each core that exists when some places are removed: smaller ones first, because a smaller fish is
/// preferred.
fn each_core<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    refuted: S,
    assumed: Option<Cell>,
    last_priority: u32,
    visit: &mut impl FnMut(Core),
) {
    if refuted.is_empty() {
        return;
    }
    for pools in LINES_AND_BOXES {
        let cores = Cores::without(marks, digit, refuted, assumed, pools);
        for size in SIZES.filter(|&size| size as u32 <= last_priority) {
            cores.run(size, &mut |base, cover| visit(Core { size, pools, base, cover }));
        }
    }
}
