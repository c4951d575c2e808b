//! What follows from each premise, for all at once. A premise is a candidate that is true, or one that is false.
//!
//! **Chains** follow single implications ([`super::links`], with groups). **Nets** also combine facts: a candidate is
//! true when all others of its cell, or all other places of its digit in a house, are false.
//!
//! A *literal* is a candidate with a truth value. Candidates are nodes 0 to N - 1, and literals are numbered:
//!
//! ```text
//!   number    as a premise        as a conclusion
//!   i         node i is true      node i is false
//!   N + i     node i is false     node i is true
//! ```
//!
//! Where p implies c, not c implies not p. So the premises that make a node false, read as conclusions, are what
//! follows from its truth: the two numberings are opposites, and no bit has to move.
//!
//! Each literal carries the bit set of the premises that imply it. A net is the fixed point of two rules, for the
//! candidates of every cell and for the places of every digit in every house. A true one makes the others false, and if
//! all but one are false, the last is true.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use super::links::Links;
use crate::bits::{Lists, extend, has, insert, intersect, row, row_mut, unite};
use crate::ladder::words::technique::LinkType;

/// Which implications are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Implications {
    /// Those that follow from one fact each.
    Chain,
    /// Also those that follow from several facts together.
    Net,
}

impl Implications {
    pub(crate) const COUNT: usize = 2;
}

/// What follows from each premise.
#[derive(Debug)]
pub(crate) struct Closure<S: 'static> {
    pub(crate) links: Links<S>,
    /// The candidates of each cell, and the places of each digit in each house, as nodes.
    pub(crate) groups: Vec<Vec<usize>>,
    /// The words of a set of premises, or of conclusions.
    pub(crate) words: usize,
    /// [node][word]: the conclusions from the truth of the node.
    pub(crate) of_truth: Vec<u64>,
    /// [node][word]: the conclusions from the falsehood of the node.
    pub(crate) of_falsehood: Vec<u64>,
    /// The premises that make a candidate both true and false, or leave a cell or a house without a choice.
    pub(crate) refuted: Vec<u64>,
}

impl<S: CellSet> Closure<S> {
    /// A closure in which nothing follows yet.
    fn new(marks: &Candidates<S>, link_type: LinkType) -> Closure<S> {
        let links = Links::new(marks, link_type, None, false, false);
        let words = (2 * links.singles).div_ceil(64).max(1);
        let [of_truth, of_falsehood] = [0; 2].map(|_| vec![0; links.singles * words]);
        Closure { groups: groups(marks, &links), words, of_truth, of_falsehood, refuted: vec![0; words], links }
    }

    /// Applies two rules until nothing new follows: a node is false when one that excludes it is true, and true when
    /// one that it has a strong link with is false. Only nodes with strong links pass anything on but their own truth.
    ///
    /// The rows are those of the premises that make a node false, and true, until the end: by the two numberings of
    /// literals they are what follows from its truth, and from its falsehood.
    pub(crate) fn of_chains(marks: &Candidates<S>) -> Closure<S> {
        let mut closure = Closure::new(marks, LinkType::Grouped);
        let Closure { links, words, of_truth: falsehood, of_falsehood: truth, .. } = &mut closure;
        let (words, nodes) = (*words, links.nodes.len());
        // Each candidate follows from itself, true and false.
        for node in 0..links.singles {
            insert(row_mut(truth, node, words), node);
            insert(row_mut(falsehood, node, words), links.singles + node);
        }
        let candidates_words = links.singles * words;
        // Groups take part in chains, but they are no premises.
        truth.resize(nodes * words, 0);
        falsehood.resize(nodes * words, 0);
        let (linked, unlinked): (Vec<usize>, Vec<usize>) =
            (0..nodes).partition(|&node| links.strong(node).next().is_some());
        let [among, candidates] = [links.node_set(linked.iter().copied()), links.node_set(0..links.singles)];
        let mut rivals = Lists::with_capacity(nodes, 8 * nodes);
        for node in 0..nodes {
            links.each_excluded(node, &among, |rival| rivals.push(rival as u32));
            rivals.end_row();
            // Each candidate, if true, makes those false that it excludes.
            links.each_excluded(node, &candidates, |rival| insert(row_mut(falsehood, node, words), rival));
        }
        closure.spread(linked, &rivals);
        let Closure { of_truth: falsehood, of_falsehood: truth, .. } = &mut closure;
        for node in unlinked {
            for &rival in rivals.row(node) {
                unite(row_mut(falsehood, node, words), row(truth, rival as usize, words));
            }
        }
        truth.truncate(candidates_words);
        falsehood.truncate(candidates_words);
        closure.refute_by_chains();
        closure
    }

    /// Spreads truth and falsehood among nodes with strong links until nothing new follows. `rivals`: those among them that
    /// each node excludes.
    fn spread(&mut self, mut linked: Vec<usize>, rivals: &Lists) {
        let Closure { links, words, of_truth: falsehood, of_falsehood: truth, .. } = self;
        let words = *words;
        // When each node was last visited, and when it last became true, or false, for more premises. A visit reads only
        // rows that have changed since the last one.
        let (mut now, mut visited) = (1, vec![0; links.nodes.len()]);
        let (mut true_since, mut false_since) = (vec![now; links.nodes.len()], vec![now; links.nodes.len()]);
        let mut is_new = true;
        while is_new {
            is_new = false;
            for &node in &linked {
                now += 1;
                let last_visit = std::mem::replace(&mut visited[node], now);
                let (mut new_truth, mut new_falsehood) = (0, 0);
                for partner in links.strong(node).filter(|&partner| false_since[partner] > last_visit) {
                    new_truth |= extend(row_mut(truth, node, words), row(falsehood, partner, words));
                }
                for &rival in rivals.row(node).iter().filter(|&&rival| true_since[rival as usize] > last_visit) {
                    new_falsehood |= extend(row_mut(falsehood, node, words), row(truth, rival as usize, words));
                }
                if new_truth != 0 {
                    true_since[node] = now;
                }
                if new_falsehood != 0 {
                    false_since[node] = now;
                }
                is_new |= new_truth | new_falsehood != 0;
            }
            // There and back again: chains run in both directions.
            linked.reverse();
        }
    }

    /// Notes the premises of chains that make a candidate both true and false, or all members of a group false.
    fn refute_by_chains(&mut self) {
        let Closure { groups, words, of_truth: falsehood, of_falsehood: truth, refuted, .. } = self;
        for (truth, falsehood) in truth.chunks_exact(*words).zip(falsehood.chunks_exact(*words)) {
            for (word, refuted) in refuted.iter_mut().enumerate() {
                *refuted |= truth[word] & falsehood[word];
            }
        }
        for group in groups {
            for (word, refuted) in refuted.iter_mut().enumerate() {
                let falsehoods = group.iter().map(|&node| falsehood[node * *words + word]);
                *refuted |= falsehoods.fold(u64::MAX, |common, falsehood| common & falsehood);
            }
        }
    }

    /// The closure of nets. `kept` has those of an earlier position of the same puzzle, if there is one, and gets these.
    /// `choice`: a further fact, that at least one of these candidates is true; without any, there is no such fact.
    pub(crate) fn of_nets(marks: &Candidates<S>, choice: &[(Cell, Digit)], kept: &mut Option<Nets>) -> Closure<S> {
        let mut closure = Closure::new(marks, LinkType::Plain);
        let nets = kept.get_or_insert_with(|| Nets::new(&closure, choice));
        nets.follow(marks);
        closure.read(marks, nets);
        closure
    }

    /// Reads what follows by nets. What is refuted implies everything.
    fn read(&mut self, marks: &Candidates<S>, nets: &Nets) {
        // The literals of this position by their numbers in the nets, and the premises the other way round.
        let is_open = |&node: &usize| marks.of_cell(nets.candidates[node].0).contains(nets.candidates[node].1);
        let mut literals: Vec<usize> = (0..nets.candidates.len()).filter(is_open).collect();
        literals.extend_from_within(..);
        literals[self.links.singles..].iter_mut().for_each(|literal| *literal += nets.candidates.len());
        let mut premises = vec![None; 64 * BLOCK * nets.blocks.len()];
        literals.iter().enumerate().for_each(|(premise, &number)| premises[number] = Some(premise));
        let mut rows = vec![0; literals.len() * self.words];
        for (block, premises) in nets.blocks.iter().zip(premises.chunks_exact(64 * BLOCK)) {
            for (word, premises) in premises.chunks_exact(64).enumerate() {
                for (column, literals) in literals.chunks(64).enumerate() {
                    let mut square = [0; 64];
                    for (row, &literal) in square.iter_mut().zip(literals) {
                        *row = block.reached[literal][word] | block.refuted[word];
                    }
                    transpose(&mut square);
                    for (premise, conclusions) in premises.iter().zip(square).filter_map(|(&p, row)| Some((p?, row))) {
                        rows[premise * self.words + column] = conclusions;
                    }
                }
                for (bit, premise) in premises.iter().enumerate() {
                    if let Some(premise) = *premise
                        && block.refuted[word] >> bit & 1 != 0
                    {
                        insert(&mut self.refuted, premise);
                    }
                }
            }
        }
        self.of_falsehood = rows.split_off(self.links.singles * self.words);
        self.of_truth = rows;
    }

    pub(crate) fn node(&self, cell: Cell, digit: Digit) -> usize {
        self.links.node(cell, digit)
    }

    /// True when the truth of a node makes another one false.
    pub(crate) fn refutes(&self, node: usize, rival: usize) -> bool {
        has(row(&self.of_truth, node, self.words), rival)
    }

    /// The node of a conclusion, and its truth.
    pub(crate) fn conclusion(&self, number: usize) -> (usize, bool) {
        (number % self.links.singles, number >= self.links.singles)
    }
}

/// The words of a block of premises, which follow their nets side by side.
const BLOCK: usize = 4;

/// A set of the premises of a block.
type Premises = [u64; BLOCK];

/// What follows by nets in a position of a puzzle, from every candidate of its first position, true or false.
///
/// ```text
///   a group, for one premise    false  false  open     one open member, none true: it is true
///                               false  true   open     a true member: all others are false
/// ```
///
/// What follows in a position also follows in later ones, where candidates have gone: each candidate that goes is false,
/// whatever is assumed. So later positions begin with what was known before.
#[derive(Debug)]
pub(crate) struct Nets {
    /// The candidates of the first position, which are the nodes.
    candidates: Vec<(Cell, Digit)>,
    groups: Vec<Vec<usize>>,
    /// The groups of each node.
    groups_of: Lists,
    /// Nodes of which at least one is true. Empty when there is no such fact.
    choice: Vec<usize>,
    /// The nodes that have gone.
    gone: Vec<bool>,
    blocks: Vec<NetBlock>,
}

/// What follows from some premises.
#[derive(Debug)]
struct NetBlock {
    /// [literal]: the premises from which it follows.
    reached: Vec<Premises>,
    /// The premises from which a candidate follows both true and false. They are followed no further.
    refuted: Premises,
    /// [group]: true when something has changed in it since it was read.
    changed: Vec<bool>,
}

impl Nets {
    /// Nothing but the premises, in the position of a closure.
    fn new<S: CellSet>(closure: &Closure<S>, choice: &[(Cell, Digit)]) -> Nets {
        let Closure { links, groups, .. } = closure;
        let nodes = links.singles;
        let mut groups_by_node = vec![Vec::new(); nodes];
        for (group, members) in groups.iter().enumerate() {
            members.iter().for_each(|&node| groups_by_node[node].push(group as u32));
        }
        let mut groups_of = Lists::with_capacity(nodes, 4 * nodes);
        for groups_of_node in groups_by_node {
            groups_of_node.into_iter().for_each(|group| groups_of.push(group));
            groups_of.end_row();
        }
        let firsts = (0..2 * nodes).step_by(64 * BLOCK);
        Nets {
            candidates: (0..nodes).filter_map(|node| Some((links.cell(node)?, links.nodes[node].digit))).collect(),
            groups: groups.clone(),
            groups_of,
            choice: choice.iter().map(|&(cell, digit)| links.node(cell, digit)).collect(),
            gone: vec![false; nodes],
            blocks: firsts.map(|first| NetBlock::new(first, nodes, groups.len())).collect(),
        }
    }

    /// Draws all conclusions in a position in which some candidates of the last one may have gone.
    fn follow<S: CellSet>(&mut self, marks: &Candidates<S>) {
        let Nets { candidates, groups, groups_of, choice, gone, blocks } = self;
        for (node, &(cell, digit)) in candidates.iter().enumerate() {
            if !gone[node] && !marks.of_cell(cell).contains(digit) && marks.value(cell) != Some(digit) {
                gone[node] = true;
                for block in blocks.iter_mut() {
                    block.add(node, [u64::MAX; BLOCK], groups_of.row(node));
                }
            }
        }
        for block in blocks {
            loop {
                let mut is_new = block.choose(choice, groups_of);
                for (group, members) in groups.iter().enumerate() {
                    if std::mem::take(&mut block.changed[group]) {
                        is_new |= block.read(members, groups_of);
                    }
                }
                if !is_new {
                    break;
                }
            }
        }
    }
}

impl NetBlock {
    /// The block of the premises from number `first` on, each of which implies itself.
    fn new(first: usize, nodes: usize, groups: usize) -> NetBlock {
        let mut reached = vec![[0; BLOCK]; 2 * nodes];
        for premise in first..(first + 64 * BLOCK).min(2 * nodes) {
            // As a premise, a number says the opposite of what it says as a conclusion.
            insert(&mut reached[(premise + nodes) % (2 * nodes)], premise - first);
        }
        NetBlock { reached, refuted: [0; BLOCK], changed: vec![true; groups] }
    }

    /// Adds premises from which a literal follows. `groups` are those of its candidate. False when all were there.
    fn add(&mut self, literal: usize, premises: Premises, groups: &[u32]) -> bool {
        let is_new = extend(&mut self.reached[literal], &premises) != 0;
        if is_new {
            groups.iter().for_each(|&group| self.changed[group as usize] = true);
        }
        is_new
    }

    /// Draws the conclusions of one group. False when there is no new one.
    fn read(&mut self, members: &[usize], groups_of: &Lists) -> bool {
        let nodes = self.reached.len() / 2;
        let (falsehood, truth) = self.reached.split_at_mut(nodes);
        let [mut some_true, mut two_true, mut some_open, mut two_open] = [[0; BLOCK]; 4];
        for &node in members {
            for word in 0..BLOCK {
                let (is_true, is_open) = (truth[node][word], !falsehood[node][word]);
                two_true[word] |= some_true[word] & is_true;
                some_true[word] |= is_true;
                two_open[word] |= some_open[word] & is_open;
                some_open[word] |= is_open;
            }
        }
        let mut is_new = false;
        for &node in members {
            let mut new = 0;
            for word in 0..BLOCK {
                let (was_true, was_false) = (truth[node][word], falsehood[node][word]);
                // All others are false. Where all are, each is true.
                let becomes_true = !(was_true | two_open[word] | was_false & some_open[word]) & !self.refuted[word];
                let becomes_false = !was_false & (two_true[word] | some_true[word] & !was_true) & !self.refuted[word];
                truth[node][word] |= becomes_true;
                falsehood[node][word] |= becomes_false;
                self.refuted[word] |= truth[node][word] & falsehood[node][word];
                new |= becomes_true | becomes_false;
            }
            if new != 0 {
                is_new = true;
                groups_of.row(node).iter().for_each(|&group| self.changed[group as usize] = true);
            }
        }
        is_new
    }

    /// A candidate of a choice is true where all others of it are false. False when nothing new follows.
    fn choose(&mut self, choice: &[usize], groups_of: &Lists) -> bool {
        let nodes = self.reached.len() / 2;
        let mut is_new = false;
        for &node in choice {
            let mut others_false = [u64::MAX; BLOCK];
            let rivals = choice.iter().filter(|&&rival| rival != node);
            rivals.for_each(|&rival| intersect(&mut others_false, &self.reached[rival]));
            is_new |= self.add(nodes + node, others_false, groups_of.row(node));
        }
        is_new
    }
}

/// Exchanges rows and columns of a square of bits.
fn transpose(square: &mut [u64; 64]) {
    let (mut width, mut low) = (32, u64::from(u32::MAX));
    while width > 0 {
        for row in (0..64).filter(|row| row & width == 0) {
            let exchanged = (square[row] >> width ^ square[row + width]) & low;
            square[row] ^= exchanged << width;
            square[row + width] ^= exchanged;
        }
        width /= 2;
        low ^= low << width;
    }
}

/// The groups of nodes of which exactly one is true.
fn groups<S: CellSet>(marks: &Candidates<S>, links: &Links<S>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for cell in marks.open().cells() {
        groups.push(marks.of_cell(cell).iter().map(|digit| links.node(cell, digit)).collect());
    }
    for house in marks.sets().layout().houses() {
        for digit in Digits::all(marks.order()) {
            let places = marks.of_digit(digit) & marks.house(house);
            if !places.is_empty() {
                groups.push(places.cells().map(|cell| links.node(cell, digit)).collect());
            }
        }
    }
    groups
}
