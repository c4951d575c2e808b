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

use std::rc::Rc;

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use super::links::{LinkOptions, Links};
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

    /// The links that they are made of. Nets do without groups.
    pub(crate) fn link_type(self) -> LinkType {
        match self {
            Implications::Chain => LinkType::Grouped,
            Implications::Net => LinkType::Plain,
        }
    }
}

/// What follows from each premise.
#[derive(Debug)]
pub(crate) struct Closure<S: 'static> {
    pub(crate) links: Rc<Links<S>>,
    /// The candidates of each cell, and the places of each digit in each house, as nodes.
    pub(crate) groups: Lists,
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
    /// The closure of chains. The links know what is true if a node is false; what is true excludes candidates.
    pub(crate) fn of_chains(marks: &Candidates<S>, links: Rc<Links<S>>) -> Closure<S> {
        let reached = links.reached(marks);
        let (singles, words, groups) = (links.singles, words_of_literals(&links), groups(marks, &links));
        // [node][word]: the node is true, if it is a candidate, and the candidates that it excludes are false.
        let mut at_once = vec![0; links.nodes.len() * words];
        let candidates = links.node_set(0..singles);
        for node in 0..links.nodes.len() {
            let conclusions = row_mut(&mut at_once, node, words);
            links.each_excluded(node, &candidates, |rival| insert(conclusions, rival));
            if node < singles {
                insert(conclusions, singles + node);
            }
        }
        // [number][word]: the conclusions from the falsehood of a node with a strong link.
        let mut of_numbered = vec![0; reached.numbers.nodes.len() * words];
        let mut of_falsehood = vec![0; singles * words];
        for (number, node) in reached.numbers.nodes().enumerate() {
            let conclusions = row_mut(&mut of_numbered, number, words);
            reached.each_true_if_false(number, |true_node| unite(conclusions, row(&at_once, true_node, words)));
            if node < singles {
                row_mut(&mut of_falsehood, node, words).copy_from_slice(conclusions);
            }
        }
        // What a true candidate excludes is false, with all that follows.
        let mut of_truth = at_once;
        of_truth.truncate(singles * words);
        for node in 0..singles {
            insert(row_mut(&mut of_falsehood, node, words), node);
            let conclusions = row_mut(&mut of_truth, node, words);
            reached.rivals_of(node).for_each(|rival| unite(conclusions, row(&of_numbered, rival, words)));
        }
        let refuted = refuted(&groups, &of_truth, &of_falsehood, words);
        Closure { links, groups, words, of_truth, of_falsehood, refuted }
    }

    /// The closure of nets. `kept` has those of an earlier position of the puzzle, if there is one, and gets these.
    pub(crate) fn of_nets(marks: &Candidates<S>, links: Rc<Links<S>>, kept: &mut Option<Nets>) -> Closure<S> {
        kept.get_or_insert_with(|| Nets::new(marks, &links, &[])).closure(marks, links)
    }

    /// The premises that nets refute, without what follows from the others. `kept` as in [`Closure::of_nets`].
    pub(crate) fn refuted_by_nets(marks: &Candidates<S>, links: &Links<S>, kept: &mut Option<Nets>) -> Vec<u64> {
        kept.get_or_insert_with(|| Nets::new(marks, links, &[])).refuted(marks, links)
    }

    /// The closure of nets with a further fact: at least one of these candidates is true.
    pub(crate) fn of_nets_with_choice(marks: &Candidates<S>, choice: &[(Cell, Digit)]) -> Closure<S> {
        let links = Rc::new(Links::new(marks, LinkType::Plain, LinkOptions::default()));
        Nets::new(marks, &links, choice).closure(marks, links)
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

/// The words of a set of premises, or of conclusions: both are literals of a position with these links.
fn words_of_literals<S: CellSet>(links: &Links<S>) -> usize {
    (2 * links.singles).div_ceil(64).max(1)
}

/// The premises that make a candidate both true and false, or all members of a group false. What follows from the truth
/// of a node makes it false, in the other numbering.
fn refuted(groups: &Lists, of_truth: &[u64], of_falsehood: &[u64], words: usize) -> Vec<u64> {
    let (false_if, true_if) = (of_truth, of_falsehood);
    let mut refuted = vec![0; words];
    for (true_if, false_if) in true_if.chunks_exact(words).zip(false_if.chunks_exact(words)) {
        for (word, refuted) in refuted.iter_mut().enumerate() {
            *refuted |= true_if[word] & false_if[word];
        }
    }
    let mut all_false_if = vec![0; words];
    for group in 0..groups.count() {
        all_false_if.fill(u64::MAX);
        groups.indices(group).for_each(|node| intersect(&mut all_false_if, row(false_if, node, words)));
        unite(&mut refuted, &all_false_if);
    }
    refuted
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
    /// The candidates of the first position, which are the nodes: digit by digit, in ascending order of the cells.
    candidates: Vec<(Cell, Digit)>,
    groups: Lists,
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
    /// Nothing but the premises.
    fn new<S: CellSet>(marks: &Candidates<S>, links: &Links<S>, choice: &[(Cell, Digit)]) -> Nets {
        let (nodes, groups) = (links.singles, groups(marks, links));
        let mut groups_by_node = vec![Vec::new(); nodes];
        for group in 0..groups.count() {
            groups.indices(group).for_each(|node| groups_by_node[node].push(group as u32));
        }
        let mut groups_of = Lists::with_capacity(nodes, 4 * nodes);
        for groups_of_node in groups_by_node {
            groups_of_node.into_iter().for_each(|group| groups_of.push(group));
            groups_of.end_list();
        }
        let firsts = (0..2 * nodes).step_by(64 * BLOCK);
        Nets {
            candidates: (0..nodes).filter_map(|node| Some((links.cell(node)?, links.nodes[node].digit))).collect(),
            choice: choice.iter().map(|&(cell, digit)| links.node(cell, digit)).collect(),
            gone: vec![false; nodes],
            groups_of,
            blocks: firsts.map(|first| NetBlock::new(first, nodes, groups.count())).collect(),
            groups,
        }
    }

    /// The premises that are refuted in a position in which some candidates of the last one may have gone.
    fn refuted<S: CellSet>(&mut self, marks: &Candidates<S>, links: &Links<S>) -> Vec<u64> {
        self.follow(marks);
        let mut refuted = vec![0; words_of_literals(links)];
        for (premise, literal) in self.open_literals(marks).into_iter().enumerate() {
            if has(&self.blocks[literal / (64 * BLOCK)].refuted, literal % (64 * BLOCK)) {
                insert(&mut refuted, premise);
            }
        }
        refuted
    }

    /// The closure in a position in which some candidates of the last one may have gone.
    fn closure<S: CellSet>(&mut self, marks: &Candidates<S>, links: Rc<Links<S>>) -> Closure<S> {
        let refuted = self.refuted(marks, &links);
        let words = words_of_literals(&links);
        let literals = self.open_literals(marks);
        // The literals of the position by their numbers in the nets.
        let mut premises = vec![None; 64 * BLOCK * self.blocks.len()];
        for (premise, &literal) in literals.iter().enumerate() {
            premises[literal] = Some(premise);
        }
        // [premise][word]: what follows from it.
        let mut conclusions = vec![0; literals.len() * words];
        for (block, premises) in self.blocks.iter().zip(premises.chunks_exact(64 * BLOCK)) {
            for (word, premises) in premises.chunks_exact(64).enumerate() {
                for (column, literals) in literals.chunks(64).enumerate() {
                    for (premise, conclusions_of_premise) in premises.iter().zip(block.transposed(word, literals)) {
                        if let Some(premise) = premise {
                            conclusions[premise * words + column] = conclusions_of_premise;
                        }
                    }
                }
            }
        }
        let of_falsehood = conclusions.split_off(links.singles * words);
        Closure { groups: groups(marks, &links), links, words, of_truth: conclusions, of_falsehood, refuted }
    }

    /// The literals of the candidates that are still open, in the order of the links of this position: for both, nodes
    /// stand digit by digit, in ascending order of the cells.
    fn open_literals<S: CellSet>(&self, marks: &Candidates<S>) -> Vec<usize> {
        let nodes = self.candidates.iter().enumerate();
        let open_nodes = nodes.filter(|&(_, &(cell, digit))| marks.of_cell(cell).contains(digit)).map(|(node, _)| node);
        open_nodes.clone().chain(open_nodes.map(|node| self.candidates.len() + node)).collect()
    }

    /// Draws all conclusions in a position in which some candidates of the last one may have gone.
    fn follow<S: CellSet>(&mut self, marks: &Candidates<S>) {
        let Nets { candidates, groups, groups_of, choice, gone, blocks } = self;
        for (node, &(cell, digit)) in candidates.iter().enumerate() {
            if !gone[node] && !marks.of_cell(cell).contains(digit) && marks.value(cell) != Some(digit) {
                gone[node] = true;
                for block in blocks.iter_mut() {
                    block.add(node, [u64::MAX; BLOCK], groups_of.indices(node));
                }
            }
        }
        for block in blocks {
            loop {
                let mut is_new = block.conclude_choice(choice, groups_of);
                for group in 0..groups.count() {
                    if std::mem::take(&mut block.changed[group]) {
                        is_new |= block.conclude_in_group(groups.list(group), groups_of);
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
    fn add(&mut self, literal: usize, premises: Premises, groups: impl Iterator<Item = usize>) -> bool {
        let is_new = extend(&mut self.reached[literal], &premises) != 0;
        if is_new {
            groups.for_each(|group| self.changed[group] = true);
        }
        is_new
    }

    /// Draws the conclusions of one group. False when there is no new one.
    fn conclude_in_group(&mut self, members: &[u32], groups_of: &Lists) -> bool {
        let nodes = self.reached.len() / 2;
        let (falsehood, truth) = self.reached.split_at_mut(nodes);
        let [mut some_true, mut two_true, mut some_open, mut two_open] = [[0; BLOCK]; 4];
        for node in members.iter().map(|&node| node as usize) {
            for word in 0..BLOCK {
                let (is_true, is_open) = (truth[node][word], !falsehood[node][word]);
                two_true[word] |= some_true[word] & is_true;
                some_true[word] |= is_true;
                two_open[word] |= some_open[word] & is_open;
                some_open[word] |= is_open;
            }
        }
        let mut is_new = false;
        for node in members.iter().map(|&node| node as usize) {
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
                groups_of.indices(node).for_each(|group| self.changed[group] = true);
            }
        }
        is_new
    }

    /// A candidate of a choice is true where all others of it are false. False when nothing new follows.
    fn conclude_choice(&mut self, choice: &[usize], groups_of: &Lists) -> bool {
        let nodes = self.reached.len() / 2;
        let mut is_new = false;
        for &node in choice {
            let mut others_false = [u64::MAX; BLOCK];
            let rivals = choice.iter().filter(|&&rival| rival != node);
            rivals.for_each(|&rival| intersect(&mut others_false, &self.reached[rival]));
            is_new |= self.add(nodes + node, others_false, groups_of.indices(node));
        }
        is_new
    }

    /// What follows from each premise of a word, among up to 64 literals. What is refuted implies everything.
    fn transposed(&self, word: usize, literals: &[usize]) -> [u64; 64] {
        let mut square = [0; 64];
        for (premises, &literal) in square.iter_mut().zip(literals) {
            *premises = self.reached[literal][word] | self.refuted[word];
        }
        transpose(&mut square);
        square
    }
}

/// Exchanges rows and columns of a square of bits.
fn transpose(square: &mut [u64; 64]) {
    let (mut width, mut low) = (32, u64::from(u32::MAX));
    while width > 0 {
        for rows in square.chunks_exact_mut(2 * width) {
            let (upper, lower) = rows.split_at_mut(width);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let exchanged = (*upper >> width ^ *lower) & low;
                *upper ^= exchanged << width;
                *lower ^= exchanged;
            }
        }
        width /= 2;
        low ^= low << width;
    }
}

/// The groups of nodes of which exactly one is true.
fn groups<S: CellSet>(marks: &Candidates<S>, links: &Links<S>) -> Lists {
    let mut groups = Lists::with_capacity(512, 8 * links.singles);
    for cell in marks.open().cells() {
        marks.of_cell(cell).iter().for_each(|digit| groups.push(links.node(cell, digit) as u32));
        groups.end_list();
    }
    for house in marks.sets().layout().houses() {
        for digit in Digits::all(marks.order()) {
            let places = marks.of_digit(digit) & marks.house(house);
            if !places.is_empty() {
                places.cells().for_each(|cell| groups.push(links.node(cell, digit) as u32));
                groups.end_list();
            }
        }
    }
    groups
}
