//! Finds the shortest chains of alternating weak and strong links, from all starts at once (for [`super::nice_loops`]).
//!
//! ```text
//!   a off => b on -> c off => d on -> ...    => strong, -> weak link
//!
//!   row of d  =  starts whose falsehood makes d true
//!             =  union over strong links c => d of the union over weak links b -> c of the rows of b
//! ```
//!
//! One step follows two arrows, a weak one and a strong one. So the chains of the steps have 1, 3, 5, ... arrows. Only
//! nodes with strong links are starts and have rows. They are numbered, and 128 numbers are a *block*: a row holds the
//! starts of one block, a width that the compiler knows. The rows of all steps are kept: walking back from the end
//! finds a chain without another search.
//!
//! ```text
//!   node       0 1 2 3 4 5 ..     candidates digit by digit, then groups
//!   number     - 0 - 1 2 - ..     nodes with a strong link, in ascending order
//!   row        [u64; 2]           bit 64 w + i is word w, bit i: the start with number 128 block + 64 w + i
//!   copy       0 or 1             where a chain must contain a group: 0 before its first group, 1 from it on
//! ```
//!
//! *Rivals* of a node are the numbered nodes that exclude it (weak links, in both directions). A node has *fallen* for
//! the starts that make it false.
//!
//! **What can be removed** is known before the first step. Without lengths, all that follows from each start takes a
//! few sweeps over the links ([`crate::ladder::position::links::reached`]). A candidate can be removed if two starts of one
//! chain exclude it. Only these candidates, and nodes on chains between such starts, take part in the steps. Often
//! there are none.
//!
//! **Conclusions from a truth** need no search of their own either. `a on -> x off => .. => y on -> a off` is a chain
//! from the falsehood of x to the truth of y, where a excludes both. So every node with a strong link is a start,
//! groups included.
//!
//! See [`crate::ladder::position::links`]. Chains through almost locked sets do not alternate; see [`super::reach`].

use crate::board::{Candidates, Cell, CellSet, Digit};

use crate::bits::{Lists, has, insert, meet, members, members_of_word, unite};
use crate::ladder::position::links::reached::{BLOCK, Masks, NOBODY, Numbers, ReachedNodes, Starts, blocks};
use crate::ladder::position::links::{LinkState, Links, NodeSet, off, on};

/// A cell with two candidates that loses one of them. It keeps the other, and the cells that it sees lose that.
struct Loss {
    cell: Cell,
    lost: Digit,
    kept: Digit,
}

/// False if no chain through cells with two candidates removes anything, as in most positions. Then no links are
/// needed. True without a search if there are more than 64 such cells.
///
/// There are two losses for each cell. A chain from the loss of a digit to the keeping of the same digit elsewhere says
/// that one of the two cells has the digit: it goes from cells that see both.
pub(crate) fn pairs_remove_something<S: CellSet>(marks: &Candidates<S>) -> bool {
    let pairs = marks.with_candidates(2);
    let mut losses: Vec<Loss> = Vec::with_capacity(BLOCK);
    // For each of these cells, the number of the first of its two losses.
    let mut numbers = vec![0; marks.shape().cells()];
    for cell in pairs.cells() {
        numbers[cell.index()] = losses.len();
        let mut digits = marks.of_cell(cell).iter();
        if let (Some(low), Some(high)) = (digits.next(), digits.next()) {
            losses.extend([(low, high), (high, low)].map(|(lost, kept)| Loss { cell, lost, kept }));
        }
    }
    if losses.len() > BLOCK {
        return true;
    }
    // The losses that follow at once: of the digit that is kept, in the cells that see this one.
    let mut followers = vec![NOBODY; losses.len()];
    for (followers, &Loss { cell, kept, .. }) in followers.iter_mut().zip(&losses) {
        for peer in (pairs & marks.of_digit(kept) & marks.peers(cell)).cells() {
            // The first of the two losses of the peer, or the second: the one that loses the kept digit.
            let number = numbers[peer.index()];
            insert(followers, number + usize::from(losses[number].lost != kept));
        }
    }
    // The losses that follow in any number of steps (Warshall's algorithm).
    for through in 0..losses.len() {
        let onward = followers[through];
        followers.iter_mut().filter(|row| has(&row[..], through)).for_each(|row| unite(row, &onward));
    }
    losses.iter().zip(&followers).any(|(start, followers)| {
        let seen = marks.of_digit(start.lost) & marks.peers(start.cell);
        members(followers)
            .map(|number| &losses[number])
            .any(|end| end.kept == start.lost && end.cell != start.cell && seen.meets(marks.peers(end.cell)))
    })
}

/// The search: the chains of the present step, and the rows of all steps so far.
#[derive(Debug)]
pub(crate) struct Alternating<'a, S: 'static> {
    links: &'a Links<S>,
    /// The nodes that chains pass through.
    pub(crate) numbers: Numbers,
    /// The same nodes, by digit and by cell.
    pub(crate) linked_nodes: NodeSet<S>,
    /// Number of rows of one step: blocks times copies of the graph times numbered nodes.
    size: usize,
    /// `[step][block][copy][number]`: the starts that make the node true in this step, but in no earlier one.
    new: Vec<Starts>,
    /// `[block][copy][number]`: the starts that make the node true in any step.
    reached: Vec<Starts>,
    /// `[block][copy][node]`: the starts that made the node false in the weak half of the last step.
    fallen: Vec<Starts>,
    /// The rivals of each node, as sets.
    rivals: Masks,
    /// The same as lists of numbers.
    linked: Lists,
    /// The nodes that have rows in `fallen`.
    falling: Vec<usize>,
    /// Which candidates chains of some length remove.
    pub(crate) is_removable: Vec<bool>,
    /// Candidates that need no test: no chain removes them, or one so far has shown that they are false.
    refuted: Vec<bool>,
    /// For each number, whether chains of this length from any start make the node true.
    is_made_true: Vec<bool>,
    /// The number of arrows of the chains of this step: 1, 3, 5, ...
    pub(crate) level: u32,
}

impl<'a, S: CellSet> Alternating<'a, S> {
    /// The chains of one strong link. None if no chain of any length removes anything.
    pub(crate) fn new(marks: &Candidates<S>, links: &'a Links<S>) -> Option<Alternating<'a, S>> {
        let (nodes, reached) = (links.nodes.len(), links.reached(marks));
        let mut is_removable = vec![false; links.singles];
        let ends = reached.ends(marks, links, &mut is_removable);
        if ends.iter().all(|ends| *ends == NOBODY) {
            return None;
        }
        let numbers = Numbers::of(nodes, |node| reached.is_between(node, &ends));
        let size = blocks(&numbers) * links.states.copies * numbers.nodes.len();
        let mut new = Vec::with_capacity(8 * size);
        new.resize(size, NOBODY);
        let mut search = Alternating {
            links,
            size,
            new,
            reached: Vec::new(),
            fallen: vec![NOBODY; blocks(&numbers) * links.states.copies * nodes],
            rivals: Masks::none(nodes, &numbers),
            linked: Lists::with_capacity(nodes, 8 * nodes),
            falling: Vec::with_capacity(nodes),
            refuted: is_removable.iter().map(|is_removable| !is_removable).collect(),
            is_removable,
            is_made_true: vec![false; numbers.nodes.len()],
            level: 1,
            linked_nodes: links.node_set(numbers.nodes()),
            numbers,
        };
        for node in 0..nodes {
            let number = search.numbers.get(node);
            number.into_iter().for_each(|number| search.start_from(node, number));
            if number.is_some() || search.is_removable.get(node) == Some(&true) {
                search.add_rivals(node, reached);
            }
            search.linked.end_list();
        }
        search.reached.extend_from_slice(&search.new);
        Some(search)
    }

    /// Adds the chains of one strong link that start from a node.
    fn start_from(&mut self, node: usize, number: usize) {
        for end in self.links.strong(node) {
            // Groups come after the candidates, so the larger number tells if one of the two is a group.
            let copy = if node.max(end) >= self.links.singles { self.links.states.copies - 1 } else { 0 };
            if let Some(end) = self.numbers.get(end) {
                let row = self.place(number / BLOCK, copy, end);
                insert(&mut self.new[row], number % BLOCK);
            }
        }
    }

    /// Lists the rivals of a node through which chains pass.
    fn add_rivals(&mut self, node: usize, reached: &ReachedNodes) {
        self.falling.push(node);
        for rival in reached.rivals_of(node) {
            if let Some(number) = self.numbers.get(reached.numbers.nodes[rival] as usize) {
                self.rivals.insert(node, number);
                self.linked.push(number as u32);
            }
        }
    }

    /// The index of the row of a numbered node among the rows of one step.
    #[inline(always)]
    fn place(&self, block: usize, copy: usize, number: usize) -> usize {
        (block * self.links.states.copies + copy) * self.numbers.nodes.len() + number
    }

    /// The rows in `fallen` of a node in the copy in which chains end, block by block.
    fn fallen_at_end(&self, node: usize) -> impl Iterator<Item = &Starts> {
        let (copies, nodes) = (self.links.states.copies, self.links.nodes.len());
        (0..blocks(&self.numbers)).map(move |block| &self.fallen[(block * copies + copies - 1) * nodes + node])
    }

    /// The indices of the rows of a numbered node in the copy in which chains end, block by block.
    fn at_end(&self, number: usize) -> impl Iterator<Item = usize> {
        (0..blocks(&self.numbers)).map(move |block| self.place(block, self.links.states.copies - 1, number))
    }

    /// The rows of the last step.
    fn last(&self) -> &[Starts] {
        &self.new[self.new.len() - self.size..]
    }

    /// Makes the chains two arrows longer. False when no chain can continue. [`Alternating::refutes`] works for nodes
    /// without strong links only if `for_all`.
    pub(crate) fn advance(&mut self, for_all: bool) -> bool {
        if self.last().iter().all(|row| *row == NOBODY) {
            return false;
        }
        self.weak_links(for_all);
        self.strong_links();
        self.level += 2;
        true
    }

    /// The first half of a step: a node falls for the starts that made one of its rivals true in the last step. A group
    /// moves these chains to the upper copy.
    fn weak_links(&mut self, for_all: bool) {
        let (copies, nodes, links) = (self.links.states.copies, self.links.nodes.len(), self.links);
        let numbered = self.numbers.nodes.len();
        let last = &self.new[self.new.len() - self.size..];
        for block in 0..blocks(&self.numbers) {
            let from = &last[block * copies * numbered..][..copies * numbered];
            let to = &mut self.fallen[block * copies * nodes..][..copies * nodes];
            for &node in &self.falling {
                if !for_all && self.numbers.get(node).is_none() {
                    continue;
                }
                let united = |rows: &[Starts]| {
                    let mut union = NOBODY;
                    self.linked.indices(node).for_each(|rival| unite(&mut union, &rows[rival]));
                    union
                };
                if copies == 1 {
                    to[node] = united(from);
                    continue;
                }
                let (mut lower, mut upper) = (united(&from[..numbered]), united(&from[numbered..]));
                if node >= links.singles {
                    unite(&mut upper, &std::mem::replace(&mut lower, NOBODY));
                }
                (to[node], to[nodes + node]) = (lower, upper);
            }
        }
    }

    /// The second half of a step: a node is true for the starts for which one of its strong partners fell. Starts that
    /// did it in an earlier step are left out.
    fn strong_links(&mut self) {
        let (copies, nodes, links) = (self.links.states.copies, self.links.nodes.len(), self.links);
        let first_new = self.new.len();
        self.new.resize(first_new + self.size, NOBODY);
        self.is_made_true.fill(false);
        for block in 0..blocks(&self.numbers) {
            let fallen = &self.fallen[block * copies * nodes..][..copies * nodes];
            for (number, node) in self.numbers.nodes().enumerate() {
                let mut rows = [NOBODY; 2];
                for (row, copy) in rows.iter_mut().zip(0..copies) {
                    links.strong(node).for_each(|partner| unite(row, &fallen[copy * nodes + partner]));
                }
                if copies > 1 && node >= links.singles {
                    let lower = std::mem::replace(&mut rows[0], NOBODY);
                    unite(&mut rows[1], &lower);
                }
                for (copy, row) in rows.iter().enumerate().take(copies) {
                    let place = (block * copies + copy) * self.numbers.nodes.len() + number;
                    let (new, reached) = (&mut self.new[first_new + place], &mut self.reached[place]);
                    for ((new, reached), row) in new.iter_mut().zip(reached).zip(row) {
                        *new = row & !*reached;
                        *reached |= row;
                    }
                    self.is_made_true[number] |= copy + 1 == copies && *new != NOBODY;
                }
            }
        }
    }

    /// Calls `visit` with each start of a mask whose chains of this length make a node true, in ascending order.
    #[inline]
    pub(crate) fn each_start(&self, end: usize, mask: &Masks, mut visit: impl FnMut(usize)) {
        let Some(number) = self.numbers.get(end) else { return };
        for (block, place) in self.at_end(number).enumerate() {
            let (row, mask) = (&self.last()[place], mask.row(block, end));
            for (word, (starts, mask)) in row.iter().zip(mask).enumerate() {
                let starts = members_of_word(word, starts & mask);
                starts.for_each(|start| visit(self.numbers.nodes[block * BLOCK + start] as usize));
            }
        }
    }

    /// The nodes with strong links that exclude each node.
    pub(crate) fn rivals(&self) -> &Masks {
        &self.rivals
    }

    /// True when a chain of this length from the falsehood of a node makes it true.
    pub(crate) fn proves(&self, node: usize) -> bool {
        self.numbers.get(node).is_some_and(|number| {
            has(&self.last()[self.place(number / BLOCK, self.links.states.copies - 1, number)], number % BLOCK)
        })
    }

    /// True when the truth of a candidate makes it false by chains of this length, but no shorter ones.
    pub(crate) fn refutes(&mut self, node: usize) -> bool {
        if self.refuted[node] {
            return false;
        }
        // The truth of the candidate makes its rivals false. So it refutes itself if it falls for one of them.
        let meets = |(block, row): (usize, &Starts)| meet(row, self.rivals.row(block, node));
        let falls = self.fallen_at_end(node).enumerate().any(meets);
        self.refuted[node] = falls;
        falls
    }

    /// The nodes that chains of this length from any start make true.
    pub(crate) fn made_true(&self) -> impl Iterator<Item = usize> {
        self.numbers.nodes().zip(&self.is_made_true).filter(|&(_, is_made_true)| *is_made_true).map(|(node, _)| node)
    }

    /// True when the truth of a candidate makes another true by chains that are longer by one, but no shorter ones.
    pub(crate) fn implies(&self, node: usize, end: usize) -> bool {
        let Some(number) = self.numbers.get(end) else { return false };
        let last = self.last();
        let rows = || self.at_end(number).zip((0..).map(|block| self.rivals.row(block, node)));
        let is_implied = rows().any(|(place, rivals)| meet(&last[place], rivals));
        is_implied
            && !rows().any(|(place, rivals)| {
                let earlier: Starts = std::array::from_fn(|word| self.reached[place][word] & !last[place][word]);
                meet(&earlier, rivals)
            })
    }

    /// Appends each chain of this length between two candidates to `all`: `level` + 1 states for each chain. False if
    /// there are more than `limit` chains.
    pub(crate) fn chains(&self, start: usize, end: usize, limit: usize, all: &mut Vec<LinkState>) -> bool {
        let mut chain = vec![0; self.level as usize + 1];
        chain[0] = off(start);
        let most = limit * chain.len();
        let Some(start) = self.numbers.get(start) else { return true };
        let walk = WayBack { search: self, block: start / BLOCK, start };
        walk.back(self.links.states.copies - 1, end, &mut chain, &mut |chain| {
            all.extend_from_slice(chain);
            all.len() <= most
        })
    }
}

/// A walk from the end of a chain back to its start, for one start. It visits predecessors in ascending order.
struct WayBack<'w, 'a, S: 'static> {
    search: &'w Alternating<'a, S>,
    /// The start: its number, and the block in which it is.
    block: usize,
    start: usize,
}

impl<S: CellSet> WayBack<'_, '_, S> {
    /// True when the start makes a numbered node true in a step, but in no earlier one.
    fn has(&self, step: usize, copy: usize, number: usize) -> bool {
        let row = &self.search.new[step * self.search.size + self.search.place(self.block, copy, number)];
        has(row, self.start % BLOCK)
    }

    /// Walks back from a node that the last arrow makes true. Stops and returns false when `visit` returns false.
    fn back(
        &self,
        copy: usize,
        end: usize,
        chain: &mut [LinkState],
        visit: &mut impl FnMut(&[LinkState]) -> bool,
    ) -> bool {
        let links = self.search.links;
        let level = (chain.len() - 1) as u32;
        self.back_from(level, copy, end, chain, links.states.copies, visit)
    }

    /// [`WayBack::back`] from the state `level`: `chain` is filled from there on. `copies` is that of the links.
    fn back_from(
        &self,
        level: u32,
        copy: usize,
        end: usize,
        chain: &mut [LinkState],
        copies: usize,
        visit: &mut impl FnMut(&[LinkState]) -> bool,
    ) -> bool {
        chain[level as usize] = on(end);
        if level == 1 {
            return visit(chain);
        }
        // The chain without its last two arrows. Step 0 has chains of one arrow, step 1 of three.
        let (links, step) = (self.search.links, (level as usize - 3) / 2);
        let is_group = |node: usize| node >= links.singles;
        // Groups are in the upper copy only. A chain moves from the lower to the upper copy when it enters a group.
        for through in (0..copies).filter(|&through| through == copy || copy > through && is_group(end)) {
            for fallen in links.strong(end).filter(|&fallen| through > 0 || copies == 1 || !is_group(fallen)) {
                chain[level as usize - 1] = off(fallen);
                for from in (0..copies).filter(|&from| from == through || through > from && is_group(fallen)) {
                    for number in self.search.linked.indices(fallen) {
                        let rival = self.search.numbers.nodes[number] as usize;
                        if self.has(step, from, number) && !self.back_from(level - 2, from, rival, chain, copies, visit)
                        {
                            return false;
                        }
                    }
                }
            }
        }
        true
    }
}
