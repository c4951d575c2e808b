//! Finds the shortest chains through links of any type ([`crate::ladder::position::links`]): their ends from all starts
//! ([`ReachFromStarts`]), and the chains of one start ([`Paths`]). For [`super::nice_loops`].
//!
//! ```text
//!   level    0          1           2              each state holds a bit set of the starts that reach it;
//!            a off  ->  b on   ->   c off          a step of the search unites these sets along every link
//! ```

use crate::board::CellSet;

use crate::bits::{Lists, has, insert, members, row, row_mut, unite};
use crate::ladder::position::links::{LinkState, Links};

/// The search from many starts at once, level by level.
#[derive(Debug)]
pub(crate) struct ReachFromStarts<'a, S: 'static> {
    links: &'a Links<S>,
    words: usize,
    /// `[state][word]`: the starts that have reached the state.
    reached: Vec<u64>,
    /// `[state][word]`: the starts that reached the state on this level.
    front: Vec<u64>,
    /// `[state][word]`: the starts that come to the state on the next level, while it is computed; else empty.
    next: Vec<u64>,
    /// The states that were reached on this level.
    active: Vec<u32>,
    /// The states with starts in `next`.
    touched: Vec<u32>,
    /// For each state, is it in `touched`?
    is_touched: Vec<bool>,
    /// The number of arrows.
    pub(crate) level: u32,
}

impl<'a, S: CellSet> ReachFromStarts<'a, S> {
    /// Starts at these literals. A start is numbered by its position in the list.
    pub(crate) fn new(links: &'a Links<S>, starts: impl ExactSizeIterator<Item = LinkState>) -> ReachFromStarts<'a, S> {
        let words = starts.len().div_ceil(64).max(1);
        let states = links.states.stride * links.states.copies;
        let none = || vec![0; states * words];
        let mut reach = ReachFromStarts {
            links,
            words,
            reached: none(),
            front: none(),
            next: none(),
            active: Vec::new(),
            touched: Vec::new(),
            is_touched: vec![false; states],
            level: 0,
        };
        for (start, state) in starts.enumerate() {
            insert(row_mut(&mut reach.reached, state as usize, words), start);
            insert(row_mut(&mut reach.front, state as usize, words), start);
            if !reach.is_touched[state as usize] {
                reach.is_touched[state as usize] = true;
                reach.active.push(state);
            }
        }
        reach.active.iter().for_each(|&state| reach.is_touched[state as usize] = false);
        reach
    }

    /// Goes to the next level. False when it reaches nothing new.
    pub(crate) fn advance(&mut self) -> bool {
        let words = self.words;
        for &state in &self.active {
            let (front, next) = (row(&self.front, state as usize, words), &mut self.next);
            let (touched, is_touched) = (&mut self.touched, &mut self.is_touched);
            self.links.each_next(state as usize, |to| {
                if !is_touched[to] {
                    is_touched[to] = true;
                    touched.push(to as u32);
                }
                unite(row_mut(next, to, words), front);
            });
        }
        for state in self.active.drain(..) {
            row_mut(&mut self.front, state as usize, words).fill(0);
        }
        for state in self.touched.drain(..) {
            let mut new_starts = 0;
            let [next, reached, front] =
                [&mut self.next, &mut self.reached, &mut self.front].map(|rows| row_mut(rows, state as usize, words));
            for ((next, reached), front) in next.iter_mut().zip(reached).zip(front) {
                *front = *next & !*reached;
                *reached |= *front;
                *next = 0;
                new_starts |= *front;
            }
            self.is_touched[state as usize] = false;
            if new_starts != 0 {
                self.active.push(state);
            }
        }
        self.level += 1;
        !self.active.is_empty()
    }

    /// The starts that reached a state on this level, in ascending order.
    pub(crate) fn starts(&self, state: usize) -> impl Iterator<Item = usize> {
        members(row(&self.front, state, self.words))
    }

    /// True if a start reaches a state at this level, and at none before.
    #[inline]
    pub(crate) fn has(&self, state: usize, start: usize) -> bool {
        has(row(&self.front, state, self.words), start)
    }
}

/// The shortest chain from a start to a state that [`Paths::each`] visits first. Empty if there is none.
pub(crate) fn shortest_path<S: CellSet>(links: &Links<S>, start: LinkState, end: usize) -> Vec<LinkState> {
    let states = links.states.stride * links.states.copies;
    let (mut distance, mut before) = (vec![u32::MAX; states], vec![u32::MAX; states]);
    distance[start as usize] = 0;
    let mut queue = vec![start as usize];
    let mut head = 0;
    // All states before the end are followed, because the lowest predecessor may be the last.
    while let Some(&state) = queue.get(head).filter(|&&state| distance[state] < distance[end]) {
        head += 1;
        let next = distance[state] + 1;
        links.each_next(state, |to| {
            if distance[to] == u32::MAX {
                distance[to] = next;
                queue.push(to);
            }
            if distance[to] == next {
                before[to] = before[to].min(state as u32);
            }
        });
    }
    if distance[end] == u32::MAX {
        return Vec::new();
    }
    let mut state = end;
    let mut path = vec![0; distance[end] as usize + 1];
    for passed in path.iter_mut().rev() {
        *passed = (state % links.states.stride) as LinkState;
        state = before[state] as usize;
    }
    path
}

/// A step on a shortest chain.
struct Edge {
    to: u32,
    from: u32,
}

/// A state, and the number of shortest chains from it to an end.
struct StateWays {
    state: usize,
    ways: usize,
}

/// The shortest chains from one start to every state.
#[derive(Debug)]
pub(crate) struct Paths<'a, S: 'static> {
    links: &'a Links<S>,
    /// The arrows from the start to each state; `u32::MAX` if there is no way.
    distance: Vec<u32>,
    /// The states before each state on shortest ways.
    predecessors: Lists,
}

impl<'a, S: CellSet> Paths<'a, S> {
    /// Searches from a start, breadth first.
    pub(crate) fn new(links: &'a Links<S>, start: LinkState) -> Paths<'a, S> {
        let states = links.states.stride * links.states.copies;
        let mut distance = vec![u32::MAX; states];
        distance[start as usize] = 0;
        let mut queue = vec![start as usize];
        let mut edges: Vec<Edge> = Vec::new();
        let mut head = 0;
        while let Some(&state) = queue.get(head) {
            head += 1;
            links.each_next(state, |to| {
                if distance[to] == u32::MAX {
                    distance[to] = distance[state] + 1;
                    queue.push(to);
                }
                if distance[to] == distance[state] + 1 {
                    edges.push(Edge { to: to as u32, from: state as u32 });
                }
            });
        }
        edges.sort_unstable_by_key(|edge| (edge.to, edge.from));
        let mut predecessors = Lists::with_capacity(states, edges.len());
        let mut edges = edges.into_iter().peekable();
        for state in 0..states {
            while let Some(edge) = edges.next_if(|edge| edge.to as usize == state) {
                predecessors.push(edge.from);
            }
            predecessors.end_list();
        }
        Paths { links, distance, predecessors }
    }

    /// Calls `visit` with each shortest chain from the start to a state. False, and no call, if they exceed `limit`.
    pub(crate) fn each(&self, end: usize, limit: usize, mut visit: impl FnMut(&[LinkState])) -> bool {
        if self.distance[end] == u32::MAX || self.count(end, limit) > limit {
            return false;
        }
        let mut path = vec![0; self.distance[end] as usize + 1];
        self.back(end, &mut path, &mut visit);
        true
    }

    /// The number of shortest chains, or some number above the limit.
    fn count(&self, end: usize, limit: usize) -> usize {
        let mut layer = vec![StateWays { state: end, ways: 1 }];
        for _ in 0..self.distance[end] {
            let mut before: Vec<StateWays> = Vec::new();
            for StateWays { state, ways } in layer {
                before.extend(self.predecessors.indices(state).map(|state| StateWays { state, ways }));
            }
            before.sort_unstable_by_key(|before| before.state);
            before.dedup_by(|later, first| {
                let is_same = later.state == first.state;
                first.ways += if is_same { later.ways } else { 0 };
                is_same
            });
            if before.iter().any(|before| before.ways > limit) {
                return limit + 1;
            }
            layer = before;
        }
        layer.iter().map(|before| before.ways).sum()
    }

    /// Follows the steps back to the start in all ways; `path` is filled from its end.
    fn back(&self, state: usize, path: &mut [LinkState], visit: &mut impl FnMut(&[LinkState])) {
        let depth = self.distance[state] as usize;
        path[depth] = (state % self.links.states.stride) as LinkState;
        if depth == 0 {
            return visit(path);
        }
        self.predecessors.indices(state).for_each(|from| self.back(from, path, visit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Candidates, Narrow};
    use crate::ladder::position::Position;
    use crate::ladder::position::links::{off, on};
    use crate::ladder::tests::published::puzzle;
    use crate::ladder::words::technique::LinkType;

    #[test]
    fn one_shortest_chain_is_the_first_of_all() {
        let puzzle = puzzle("..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9");
        let marks = Candidates::<Narrow>::new(&puzzle);
        let position = Position::new(&marks);
        let mut compared = 0;
        for link_type in [LinkType::Plain, LinkType::Grouped, LinkType::AlmostLocked] {
            let links = position.links(link_type);
            for start in (0..links.singles).step_by(29).flat_map(|node| [off(node), on(node)]) {
                let paths = Paths::new(links, start);
                for end in (0..links.states.stride * links.states.copies).step_by(13) {
                    let mut first = None;
                    paths.each(end, 100, |path| first = first.take().or_else(|| Some(path.to_vec())));
                    if let Some(first) = first {
                        compared += 1;
                        assert_eq!(shortest_path(links, start, end), first);
                    }
                }
            }
        }
        assert!(compared > 500, "{compared}");
    }
}
