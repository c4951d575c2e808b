//! Colouring: the places that strong links connect form a net, and its places have two alternating colours.
//!
//! ```text
//!   a --- b --- a        each line is a house with exactly two places:
//!         |              if one a is true, all a are true and all b are false
//!         a --- b
//! ```
//!
//! * **Simple colours, trap**: the digit is removed from the cells that see both colours.
//! * **Simple colours, wrap**: two places of one colour see each other. The digit is removed from this colour.
//! * **Multi-colours 1**: a colour of one net sees a colour of another. They are not both true, so at least one of
//!   their opposite colours is true. The digit is removed from the cells that see both opposite colours.
//! * **Multi-colours 2**: a colour sees both colours of another net. The digit is removed from that colour.
//! * **Remote pair**: a chain of cells with the same two candidates, where each cell sees the next. The cells alternate
//!   between the two digits. Both digits are removed from the cells that see two chain cells with different digits.
//!   Two neighbours in the chain are a naked pair, so the two cells are at least three steps apart here.
//!
//! References: Sudopedia, "Simple Colors", "Multi-Colors", "Remote Pair"; HoDoKu, "Coloring".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use crate::ladder::position::common::{ends, seen_by};
use crate::ladder::position::template_places::digits_worth_searching;
use crate::ladder::words::sink::{Pattern, Sink, removals};

/// The places of the two colours.
type Net<S> = [S; 2];

/// The nets of a digit, each of at least two places.
fn nets<S: CellSet>(marks: &Candidates<S>, digit: Digit) -> Vec<Net<S>> {
    let links: Vec<_> = marks.sets().layout().houses().filter_map(|house| ends(marks, digit, house)).collect();
    let mut nets: Vec<Net<S>> = Vec::new();
    let mut uncoloured = S::of(links.iter().flatten().copied());
    while let Some(first) = uncoloured.first() {
        let mut net = [S::only(first), S::empty()];
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for &[a, b] in &links {
                for (near, far) in [(a, b), (b, a)] {
                    for colour in 0..2 {
                        if net[colour].contains(near) && !net[1 - colour].contains(far) {
                            net[1 - colour].insert(far);
                            grown = true;
                        }
                    }
                }
            }
        }
        uncoloured = uncoloured - net[0] - net[1];
        nets.push(net);
    }
    nets
}

/// Offers the removal of a digit. The pattern has the cells of `net`, its colours.
fn offer<S: CellSet>(digit: Digit, out: S, net: &[S], sink: &mut impl Sink<S>) {
    let cells = net.iter().flat_map(|colour| colour.cells());
    sink.eliminate_one(digit, out, || Pattern::of(Digits::only(digit), cells));
}

pub(crate) fn traps<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        for net in nets(marks, digit) {
            let seen = seen_by(marks, net[0]) & seen_by(marks, net[1]);
            offer(digit, (marks.of_digit(digit) & seen) - net[0] - net[1], &net, sink);
        }
    }
}

pub(crate) fn wraps<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        for net in nets(marks, digit) {
            for colour in net.into_iter().filter(|&colour| colour.meets(seen_by(marks, colour))) {
                offer(digit, colour, &net, sink);
            }
        }
    }
}

/// Offers every pair of nets in which a colour of one sees a colour of the other, with all that these remove.
pub(crate) fn bridged_nets<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        let nets = nets(marks, digit);
        for (index, first) in nets.iter().enumerate() {
            for second in &nets[index + 1..] {
                let mut out = S::empty();
                for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    if first[i].meets(seen_by(marks, second[j])) {
                        out = out | (seen_by(marks, first[1 - i]) & seen_by(marks, second[1 - j]));
                    }
                }
                let nets = [first[0], first[1], second[0], second[1]];
                offer(digit, marks.of_digit(digit) & out, &nets, sink);
            }
        }
    }
}

pub(crate) fn trapped_colours<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        let nets = nets(marks, digit);
        for first in &nets {
            // Nets have no cell in common.
            for second in nets.iter().filter(|second| second[0] != first[0]) {
                let seen = [seen_by(marks, second[0]), seen_by(marks, second[1])];
                for colour in first.iter().filter(|colour| colour.meets(seen[0]) && colour.meets(seen[1])) {
                    offer(digit, *colour, &[first[0], first[1], second[0], second[1]], sink);
                }
            }
        }
    }
}

/// Offers every remote pair with the shortest chain between its two cells. Shorter chains have a lower priority value.
pub(crate) fn remote_pairs<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let pairs = marks.with_candidates(2);
    let mut alone = S::empty();
    for start in pairs.cells() {
        if alone.contains(start) {
            continue;
        }
        let digits = marks.of_cell(start);
        let both = digits.iter().fold(pairs, |cells, digit| cells & marks.of_digit(digit));
        // A chain has four cells or more.
        if both.cells().nth(3).is_some() {
            from_start(marks, start, digits, both, sink);
        } else {
            alone = alone | both;
        }
    }
}

/// Offers the remote pairs with one end at `start`. `alike` are the cells with the same two candidates. Ring i holds
/// those to which the shortest chain has i steps.
fn from_start<S: CellSet>(marks: &Candidates<S>, start: Cell, digits: Digits, alike: S, sink: &mut impl Sink<S>) {
    let mut rings = vec![S::only(start)];
    let mut unreached = alike - S::only(start);
    while let Some(&last) = rings.last().filter(|ring| !ring.is_empty()) {
        let ring = unreached & seen_by(marks, last);
        unreached = unreached - ring;
        rings.push(ring);
    }
    // Cells an odd number of steps apart have different digits.
    for (steps, ring) in rings.iter().enumerate().skip(3).step_by(2) {
        for end in ring.cells().filter(|&end| end > start) {
            let ways = ways(marks, &rings[..steps], end);
            let both_ends = marks.peers(start) & marks.peers(end);
            for seen in [both_ends, seen_by_opposites(marks, &ways)] {
                let (out, links) = (removals(marks, digits, |_| seen - alike), 2 * steps as u32 + 1);
                let cells = ways.iter().flat_map(|ring| ring.cells());
                sink.eliminate_at(links, &out, || Pattern { links, ..Pattern::of(digits, cells) });
            }
        }
    }
}

/// The cells on all shortest chains from the start to `end`, ring by ring. The rings contain the start.
fn ways<S: CellSet>(marks: &Candidates<S>, rings: &[S], end: Cell) -> Vec<S> {
    let mut ways = vec![S::only(end)];
    for &ring in rings.iter().rev() {
        ways.push(ring & seen_by(marks, ways[ways.len() - 1]));
    }
    ways.reverse();
    ways
}

/// The cells that see two chain cells three, five, ... rings apart.
fn seen_by_opposites<S: CellSet>(marks: &Candidates<S>, rings: &[S]) -> S {
    let mut seen = S::empty();
    for (index, near) in rings.iter().enumerate() {
        for far in rings.iter().skip(index + 3).step_by(2) {
            seen = seen | (seen_by(marks, *near) & seen_by(marks, *far));
        }
    }
    seen
}
