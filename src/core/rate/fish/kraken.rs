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
//! [`super::search`]). Chains are single implications with groups ([`crate::rate::position::closure`]). Fish have lines
//! and boxes and sizes 2 to 4.
//!
//! Reference: Sudopedia, "Kraken Fish"; HoDoKu, Complex Fish: Kraken Fish.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use super::search::{Cores, HouseSet, LINES_AND_BOXES, Pools, bit, held, kind_of, pattern};
use crate::rate::ladder::sink::Sink;
use crate::rate::position::Position;
use crate::rate::position::closure::{Closure, Implications};

/// The numbers of base houses.
const SIZES: std::ops::RangeInclusive<usize> = 2..=4;

/// The candidate that is removed.
type Target = (Cell, Digit);

/// Offers every Kraken fish of type 1. The cores of the search have one cover house fewer than base houses; with a
/// cover house through the candidate they are fish.
pub(crate) fn kraken_fish_1<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let (marks, closure) = (position.marks, position.closure(Implications::Chain));
    for digit in Digits::all(marks.order()) {
        for cell in marks.of_digit(digit).cells() {
            let gone = refuted(marks, closure, (cell, digit), digit);
            each_core(marks, digit, gone, Some(cell), sink.last_priority(), &mut |size, pools, base, cover| {
                let mut covers = marks.sets().houses_of(cell);
                let more = |house| pools.1[kind_of(marks, house)] && (base | cover) & bit(house) == 0;
                let Some(last) = covers.find(|&house| more(house)) else { return };
                let cover = cover | bit(last);
                let fins = held(marks, digit, base).0 - held(marks, digit, cover).0;
                // If the cell sees all fins, the fish removes it without a chain.
                if !fins.within(marks.peers(cell)) {
                    offer(marks, (cell, digit), digit, (base, cover), size, sink);
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
                let gone = refuted(marks, closure, (cell, target_digit), digit);
                let own = (digit == target_digit).then_some(cell);
                each_core(marks, digit, gone, own, sink.last_priority(), &mut |size, _, base, cover| {
                    offer(marks, (cell, target_digit), digit, (base, cover), size, sink);
                });
            }
        }
    }
}

/// The places of a digit that are false when the target is true.
fn refuted<S: CellSet>(marks: &Candidates<S>, closure: &Closure<S>, (cell, of): Target, digit: Digit) -> S {
    let target = closure.node(cell, of);
    let refutes = |&place: &Cell| closure.refutes(closure.node(place, digit), target);
    S::of(marks.of_digit(digit).cells().filter(refutes))
}

/// Calls `found` with size, pools, base and cover of each core that exists when some places are removed.
fn each_core<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    gone: S,
    own: Option<Cell>,
    last_priority: u32,
    found: &mut impl FnMut(usize, Pools, HouseSet, HouseSet),
) {
    if gone.is_empty() {
        return;
    }
    for pools in LINES_AND_BOXES {
        let cores = Cores::without(marks, digit, gone, own, pools);
        for size in SIZES.filter(|&size| size as u32 <= last_priority) {
            cores.run(size, &mut |base, cover| found(size, pools, base, cover));
        }
    }
}

/// Offers the removal of a candidate. Smaller fish come first.
fn offer<S: CellSet>(
    marks: &Candidates<S>,
    (cell, target): Target,
    digit: Digit,
    (base, cover): (HouseSet, HouseSet),
    size: usize,
    sink: &mut impl Sink<S>,
) {
    sink.eliminate_at(size as u32, &[(target, S::only(cell))], || pattern(marks, digit, base, cover));
}
