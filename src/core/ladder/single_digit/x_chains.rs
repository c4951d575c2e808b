//! X-Chains: alternating strong and weak links of one digit, with strong links at both ends.
//!
//! ```text
//!   a === b --- c === d --- e === f       === strong link: two places of a house, one of them is true
//!                                         --- weak link: two places that see each other, at most one is true
//! ```
//!
//! If a is false, b is true, c is false, d is true, ..., f is true. So one of the two ends is true, and the digit is
//! removed from the cells that see both. A chain of two strong links is a turbot fish.
//!
//! The search goes outwards from each place, link by link, so it meets the shortest chain to every other place first.
//! Shorter chains have a lower priority value. The ladder ignores it and takes the chain that removes the most
//! candidates (see [`super`]). Reference: Sudopedia, "X-Chain"; HoDoKu, "Chains and Loops".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use crate::ladder::position::common::{ends, seen_by};
use crate::ladder::position::template_places::digits_worth_searching;
use crate::ladder::words::sink::{Pattern, Sink};

/// Offers what the shortest X-chains between any two places remove.
pub(crate) fn x_chains<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        let strong = strong_links(marks, digit);
        for start in marks.of_digit(digit).cells().filter(|start| !strong[start.index()].is_empty()) {
            from_start(marks, digit, &strong, start, sink);
        }
    }
}

/// For each cell the other ends of its strong links.
fn strong_links<S: CellSet>(marks: &Candidates<S>, digit: Digit) -> Vec<S> {
    let mut strong = vec![S::empty(); marks.shape().cells()];
    for house in marks.sets().layout().houses() {
        if let Some([a, b]) = ends(marks, digit, house) {
            strong[a.index()].insert(b);
            strong[b.index()].insert(a);
        }
    }
    strong
}

/// Offers the chains that begin at a place.
fn from_start<S: CellSet>(marks: &Candidates<S>, digit: Digit, strong: &[S], start: Cell, sink: &mut impl Sink<S>) {
    let places = marks.of_digit(digit);
    // If the start is false: places that are true, false, true, ..., each in the first layer that reaches it.
    let mut waves = vec![strong[start.index()]];
    let (mut on, mut off) = (waves[0], S::only(start));
    loop {
        let falls = (places & seen_by(marks, waves[waves.len() - 1])) - off;
        let partners = falls.cells().fold(S::empty(), |partners, cell| partners | strong[cell.index()]);
        let rises = partners - on - S::only(start);
        if rises.is_empty() {
            return;
        }
        (on, off) = (on | rises, off | falls);
        waves.extend([falls, rises]);
        let links = waves.len() as u32;
        // A chain is found from both ends; one of them is enough.
        for end in rises.cells().filter(|&end| end > start) {
            let out = places & marks.peers(start) & marks.peers(end);
            if !out.is_empty() {
                sink.eliminate_at(links, &[(digit, out)], || Pattern {
                    links,
                    ..Pattern::of(Digits::only(digit), path(marks, strong, [start, end], &waves))
                });
            }
        }
    }
}

/// The places of a shortest chain, one from each layer.
fn path<S: CellSet>(marks: &Candidates<S>, strong: &[S], [start, end]: [Cell; 2], waves: &[S]) -> Vec<Cell> {
    let mut path = vec![end];
    for (layer, &wave) in waves[..waves.len() - 1].iter().enumerate().rev() {
        let last = path[path.len() - 1];
        // Layers 0, 2, 4 and so on are reached by strong links, the others by weak ones.
        let before = if layer % 2 == 1 { strong[last.index()] } else { marks.peers(last) };
        path.extend((wave & before).first());
    }
    path.push(start);
    path.reverse();
    path
}
