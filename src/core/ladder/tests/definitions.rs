//! Compares searches with plain versions of their definitions: a search must miss no instance.
//!
//! A plain version tries every choice of houses, sets or links. All its instances and all instances of the search must
//! remove the same. Rectangles and subsets are in [`super::gates`], Sue de Coq is tested in its own file.

use super::find_all;
use super::gates::{choices, digits_of, each_position, each_rectangle, forgetful};
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind, Narrow};
use crate::ladder::climb::find::find_all_at;
use crate::ladder::position::Position;
use crate::ladder::position::common::seen_by;
use crate::ladder::{Family, Step, TECHNIQUES, Technique};

/// For each digit the cells that lose it.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Removed([Narrow; 9]);

impl Removed {
    fn add(&mut self, digit: Digit, cells: Narrow) {
        self.0[digit.index()] = self.0[digit.index()] | cells;
    }

    pub(crate) fn by(steps: impl IntoIterator<Item = Step>) -> Removed {
        let mut removed = Removed::default();
        for (cell, digit) in steps.into_iter().flat_map(|step| step.eliminations) {
            removed.add(digit, Narrow::only(cell));
        }
        removed
    }
}

fn removed_by(techniques: &[Technique], marks: &Candidates<Narrow>) -> Removed {
    Removed::by(techniques.iter().flat_map(|&technique| find_all(technique, marks)))
}

/// Compares what a search and its definition remove in positions of random puzzles whose next step is `from` or harder.
/// Returns how many candidates that is: more than `least`.
fn compare(
    puzzles: usize,
    from: Technique,
    least: usize,
    removed: impl Fn(&Candidates<Narrow>) -> [Removed; 2],
) -> usize {
    let mut count = 0;
    each_position(puzzles, from, |marks, _| {
        let [of_search, of_definition] = removed(marks);
        assert_eq!(of_search, of_definition);
        count += of_search.0.iter().map(|cells| cells.len()).sum::<usize>();
    });
    assert!(count > least, "{count}");
    count
}

/// The places of a digit in some houses.
#[derive(Clone, Copy, Default)]
struct Covered {
    /// Those in at least one of the houses.
    once: Narrow,
    /// Those in at least two of the houses.
    twice: Narrow,
}

impl Covered {
    fn by(marks: &Candidates<Narrow>, digit: Digit, houses: &[House]) -> Covered {
        let mut covered = Covered::default();
        for &house in houses {
            let places = marks.of_digit(digit) & marks.house(house);
            covered.twice = covered.twice | (covered.once & places);
            covered.once = covered.once | places;
        }
        covered
    }
}

/// What the fish of some base and cover houses remove: if no fin is true, each cover house has its digit in the base.
fn removed_by_fish(marks: &Candidates<Narrow>, digit: Digit, bases: &[Vec<House>], covers: &[Vec<House>]) -> Narrow {
    let covered: Vec<Covered> = covers.iter().map(|cover| Covered::by(marks, digit, cover)).collect();
    let mut removed = Narrow::empty();
    for base in bases {
        let in_base = Covered::by(marks, digit, base);
        for (cover, in_cover) in covers.iter().zip(&covered) {
            let can_go = (in_cover.once - in_base.once) | (in_cover.twice & in_base.once);
            let fins = (in_base.once - in_cover.once) | in_base.twice;
            if !can_go.within(removed) && !cover.iter().any(|house| base.contains(house)) {
                removed = removed | fins.cells().fold(can_go, |out, fin| out & marks.peers(fin));
            }
        }
    }
    removed
}

fn fish(fits: fn(&str) -> bool) -> Vec<Technique> {
    let fish = TECHNIQUES.iter().filter(|info| info.family == Family::Fish && fits(info.name));
    fish.map(|info| info.technique).collect()
}

fn open_houses(marks: &Candidates<Narrow>, digit: Digit) -> Vec<House> {
    marks.sets().layout().houses().filter(|&house| marks.of_digit(digit).meets(marks.house(house))).collect()
}

#[test]
fn fish_of_two_houses_are_those_of_all_houses() {
    let fish = fish(|name| name.ends_with("X-Wing"));
    compare(20, Technique::XWing, 10, |marks| {
        let mut removed = Removed::default();
        for digit in Digits::all(9) {
            let pairs = choices(&open_houses(marks, digit), 2);
            removed.add(digit, removed_by_fish(marks, digit, &pairs, &pairs));
        }
        [removed_by(&fish, marks), removed]
    });
}

#[test]
fn fish_of_lines_are_those_of_all_lines() {
    let fish = fish(|name| ["Franken", "Mutant", "Kraken"].iter().all(|kind| !name.contains(kind)));
    compare(20, Technique::XWing, 10, |marks| {
        let mut removed = Removed::default();
        for digit in Digits::all(9) {
            let lines = [HouseKind::Row, HouseKind::Column].map(|kind| {
                let mut houses = open_houses(marks, digit);
                houses.retain(|house| house.kind(marks.shape()) == kind);
                houses
            });
            for size in 2..=4 {
                let [rows, columns] = lines.each_ref().map(|lines| choices(lines, size));
                removed.add(digit, removed_by_fish(marks, digit, &rows, &columns));
                removed.add(digit, removed_by_fish(marks, digit, &columns, &rows));
            }
        }
        [removed_by(&fish, marks), removed]
    });
}

/// Some cells and their candidates.
#[derive(Clone, Copy, PartialEq)]
struct Set {
    cells: Narrow,
    digits: Digits,
}

/// Every set of n cells of a house that has n + 1 candidates.
fn almost_locked_sets(marks: &Candidates<Narrow>) -> Vec<Set> {
    let mut sets = Vec::new();
    for house in marks.sets().layout().houses() {
        let open: Vec<Cell> = (marks.house(house) & marks.open()).cells().collect();
        for cells in (1..=open.len()).flat_map(|size| choices(&open, size)) {
            let cells = Narrow::of(cells);
            let digits = digits_of(marks, cells);
            if digits.len() == cells.len() + 1 {
                sets.push(Set { cells, digits });
            }
        }
    }
    sets.sort_unstable_by_key(|set| (set.cells.cells().collect::<Vec<_>>(), set.digits));
    sets.dedup();
    sets
}

/// The places of a digit that see all its places in some cells.
fn seeing(marks: &Candidates<Narrow>, digit: Digit, cells: Narrow) -> Narrow {
    (marks.of_digit(digit) & cells).cells().fold(marks.of_digit(digit), |seen, cell| seen & marks.peers(cell))
}

/// Removes some digits from the places that see all their places in some cells.
fn remove_seeing(removed: &mut Removed, marks: &Candidates<Narrow>, digits: Digits, cells: Narrow) {
    for digit in digits {
        removed.add(digit, seeing(marks, digit, cells));
    }
}

/// The restricted common digits of two sets: all places in one see all places in the other.
fn restricted_commons(marks: &Candidates<Narrow>, a: Set, b: Set) -> Vec<Digit> {
    let is_restricted = |&digit: &Digit| (marks.of_digit(digit) & a.cells).within(seeing(marks, digit, b.cells));
    (a.digits & b.digits).iter().filter(is_restricted).collect()
}

#[test]
fn pairs_of_almost_locked_sets_are_those_of_all_choices_of_cells() {
    compare(15, Technique::XyChain, 20, |marks| {
        let (sets, mut removed) = (almost_locked_sets(marks), Removed::default());
        for (number, &a) in sets.iter().enumerate() {
            for &b in sets[number + 1..].iter().filter(|b| !a.cells.meets(b.cells)) {
                let (common, both) = (a.digits & b.digits, a.cells | b.cells);
                let restricted = restricted_commons(marks, a, b);
                for &x in &restricted {
                    remove_seeing(&mut removed, marks, common - Digits::only(x), both);
                }
                if let [x, y] = restricted[..] {
                    let pair = Digits::only(x) | Digits::only(y);
                    remove_seeing(&mut removed, marks, pair, both);
                    for set in [a, b] {
                        remove_seeing(&mut removed, marks, set.digits - pair, set.cells);
                    }
                }
            }
        }
        [removed_by(&[Technique::AlsXz], marks), removed]
    });
}

/// A set that is linked to another one by a restricted common digit.
struct Wing {
    set: Set,
    link: Digit,
}

#[test]
fn wings_of_almost_locked_sets_are_those_of_all_three_sets() {
    let [of_disjoint_sets, of_all_sets] = [false, true].map(|may_overlap| {
        compare(12, Technique::XyChain, 20, |marks| {
            let (sets, mut removed) = (almost_locked_sets(marks), Removed::default());
            let are_apart = |a: Set, b: Set| may_overlap || !a.cells.meets(b.cells);
            for &middle in &sets {
                let mut wings = Vec::new();
                for &set in sets.iter().filter(|&&set| set != middle && are_apart(set, middle)) {
                    wings.extend(restricted_commons(marks, set, middle).into_iter().map(|link| Wing { set, link }));
                }
                for Wing { set: a, link: x } in &wings {
                    for Wing { set: b, link: y } in &wings {
                        if y > x && b.cells != a.cells && are_apart(*a, *b) {
                            let digits = (a.digits & b.digits) - Digits::only(*x) - Digits::only(*y);
                            remove_seeing(&mut removed, marks, digits, a.cells | b.cells);
                        }
                    }
                }
            }
            let position = if may_overlap { Position::with_overlapping_sets(marks) } else { Position::new(marks) };
            [Removed::by(find_all_at(Technique::AlsXyWing, &position)), removed]
        })
    });
    assert!(of_all_sets > of_disjoint_sets, "{of_all_sets} {of_disjoint_sets}");
}

/// A candidate, or some places of a digit. It is true when one of the places is.
#[derive(Clone, Copy, PartialEq)]
struct Node {
    digit: Digit,
    places: Narrow,
}

/// The number of a node with a truth value.
fn literal(node: usize, truth: bool) -> usize {
    2 * node + usize::from(truth)
}

/// Which literals follow from which: [premise][conclusion].
///
/// Some chains must pass through something special: a node with number `special` or higher, or a bridge, which is a
/// pair of nodes of which one is true. For such chains there are two copies of the literals. Premises are of the first
/// copy; the second has what follows after the special node or bridge. Only conclusions of the last copy are returned.
fn closure(marks: &Candidates<Narrow>, nodes: &[Node], special: usize, bridges: &[[usize; 2]]) -> Vec<Vec<bool>> {
    let count = 2 * nodes.len();
    let copies = if special < nodes.len() || !bridges.is_empty() { 2 } else { 1 };
    let mut follows = vec![vec![false; copies * count]; copies * count];
    // In the second copy, nodes have other numbers.
    let in_copy = |node, copy| node + copy * nodes.len();
    for (a, &first) in nodes.iter().enumerate() {
        for (b, &second) in nodes.iter().enumerate().filter(|&(b, _)| b != a) {
            for copy in 0..copies {
                let (from, to) = (in_copy(a, copy), in_copy(b, if b >= special { 1 } else { copy }));
                follows[literal(from, true)][literal(to, false)] = excludes(marks, first, second);
                follows[literal(from, false)][literal(to, true)] = is_one_of(marks, first, second);
            }
        }
    }
    for [a, b] in bridges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
        for copy in 0..copies {
            follows[literal(in_copy(a, copy), false)][literal(in_copy(b, 1), true)] = true;
        }
    }
    // What follows in any number of steps (Warshall's algorithm).
    for through in 0..follows.len() {
        let onward = follows[through].clone();
        for row in follows.iter_mut().filter(|row| row[through]) {
            row.iter_mut().zip(&onward).for_each(|(known, new)| *known |= new);
        }
    }
    follows[..count].iter().map(|row| row[(copies - 1) * count..].to_vec()).collect()
}

/// True if a node that is true makes another one false.
fn excludes(marks: &Candidates<Narrow>, first: Node, second: Node) -> bool {
    if first.digit == second.digit {
        second.places.within(seeing(marks, first.digit, first.places))
    } else {
        first.places == second.places && first.places.len() == 1
    }
}

/// True if one of two nodes is true, because they are all places of a house or all candidates of a cell.
fn is_one_of(marks: &Candidates<Narrow>, first: Node, second: Node) -> bool {
    if first.digit == second.digit {
        let both = first.places | second.places;
        let fills = |house: House| marks.of_digit(first.digit) & marks.house(house) == both;
        !first.places.meets(second.places) && marks.sets().layout().houses().any(fills)
    } else {
        excludes(marks, first, second) && digits_of(marks, first.places).len() == 2
    }
}

fn candidates_of(marks: &Candidates<Narrow>) -> Vec<Node> {
    let mut candidates = Vec::new();
    for digit in Digits::all(9) {
        let places = marks.of_digit(digit).cells();
        candidates.extend(places.map(|cell| Node { digit, places: Narrow::only(cell) }));
    }
    candidates
}

/// What discontinuous loops and AICs of some implications remove.
fn removed_by_implications(marks: &Candidates<Narrow>, follows: &[Vec<bool>]) -> Removed {
    let candidates = candidates_of(marks);
    let mut removed = Removed::default();
    for (a, &first) in candidates.iter().enumerate() {
        let is_mate = |b: usize| b != a && candidates[b].places == first.places;
        for (b, &second) in candidates.iter().enumerate() {
            // A candidate whose truth makes it false, or another candidate of its cell true.
            let from_truth = &follows[literal(a, true)];
            if from_truth[literal(a, false)] || is_mate(b) && from_truth[literal(b, true)] {
                removed.add(first.digit, first.places);
            }
            // One of two candidates is true; equal ones: a candidate whose falsehood makes it true.
            if !follows[literal(a, false)][literal(b, true)] {
                continue;
            }
            let [seen_by_first, seen_by_second] = [first, second].map(|node| seen_by(marks, node.places));
            if first.places == second.places {
                let pair = Digits::only(first.digit) | Digits::only(second.digit);
                let mates = digits_of(marks, first.places) - pair;
                mates.iter().for_each(|mate| removed.add(mate, first.places));
            } else if first.digit == second.digit {
                removed.add(first.digit, marks.of_digit(first.digit) & seen_by_first & seen_by_second);
            } else if first.places.within(seen_by_second) {
                removed.add(first.digit, marks.of_digit(first.digit) & second.places);
                removed.add(second.digit, marks.of_digit(second.digit) & first.places);
            }
        }
    }
    removed
}

#[test]
fn chains_are_those_of_all_implications() {
    compare(12, Technique::XyChain, 100, |marks| {
        let nodes = candidates_of(marks);
        let removed = removed_by_implications(marks, &closure(marks, &nodes, nodes.len(), &[]));
        let loops = removed_by(&[Technique::ContinuousNiceLoop], marks);
        assert!(loops.0.iter().zip(&removed.0).all(|(of_loop, removed)| of_loop.within(*removed)));
        [removed_by(&[Technique::DiscontinuousNiceLoop, Technique::Aic], &forgetful(marks)), removed]
    });
}

/// The groups of a position: two or more places of a digit in a box and a line.
fn groups_of(marks: &Candidates<Narrow>) -> Vec<Node> {
    let houses: Vec<Narrow> = marks.sets().layout().houses().map(|house| marks.house(house)).collect();
    let (lines, boxes) = houses.split_at(18);
    let mut groups = Vec::new();
    for &line in lines {
        for &of_box in boxes {
            for digit in Digits::all(9) {
                let places = marks.of_digit(digit) & line & of_box;
                if places.len() > 1 {
                    groups.push(Node { digit, places });
                }
            }
        }
    }
    groups
}

#[test]
fn grouped_chains_are_those_of_all_implications() {
    let chains = [Technique::GroupedDiscontinuousNiceLoop, Technique::GroupedAic];
    compare(8, Technique::XyChain, 50, |marks| {
        let candidates = candidates_of(marks);
        let nodes = [&candidates[..], &groups_of(marks)].concat();
        let removed = removed_by_implications(marks, &closure(marks, &nodes, candidates.len(), &[]));
        [removed_by(&chains, &forgetful(marks)), removed]
    });
}

/// The places that lose a digit if the stem takes a candidate, because a petal then has the digit.
fn lost_with(marks: &Candidates<Narrow>, sets: &[Set], stem: Cell, candidate: Digit, digit: Digit) -> Narrow {
    let mut lost = Narrow::empty();
    for set in sets {
        let has_both = set.digits.contains(digit) && set.digits.contains(candidate);
        if has_both && seeing(marks, candidate, set.cells).contains(stem) && !set.cells.contains(stem) {
            lost = lost | seeing(marks, digit, set.cells);
        }
    }
    lost
}

#[test]
fn death_blossoms_are_those_of_all_petals() {
    compare(30, Technique::XyChain, 20, |marks| {
        let (sets, mut removed) = (almost_locked_sets(marks), Removed::default());
        for stem in marks.open().cells().filter(|&stem| marks.of_cell(stem).len() <= 5) {
            for digit in Digits::all(9) - marks.of_cell(stem) {
                let mut always_lost = marks.of_digit(digit);
                for candidate in marks.of_cell(stem) {
                    always_lost = always_lost & lost_with(marks, &sets, stem, candidate, digit);
                }
                removed.add(digit, always_lost);
            }
        }
        [removed_by(&[Technique::DeathBlossom], marks), removed]
    });
}

/// Every two nodes of which one is true because four cells would otherwise be a deadly rectangle.
fn rectangle_links(marks: &Candidates<Narrow>) -> Vec<[Node; 2]> {
    let mut links = Vec::new();
    each_rectangle(marks, |cells, pair| {
        let mut extras = Vec::new();
        for digit in Digits::all(9) - pair {
            let places = marks.of_digit(digit) & Narrow::of(cells);
            if !places.is_empty() {
                extras.push(Node { digit, places });
            }
        }
        match extras[..] {
            [first, second] => links.push([first, second]),
            [Node { digit, places }] if places.len() > 1 => {
                for cell in places.cells().map(Narrow::only) {
                    links.push([cell, places - cell].map(|places| Node { digit, places }));
                }
            }
            _ => {}
        }
    });
    links
}

#[test]
fn chains_through_rectangles_are_those_of_all_implications() {
    compare(20, Technique::Skyscraper, 20, |marks| {
        let links = rectangle_links(marks);
        if links.is_empty() {
            return [Removed::default(); 2];
        }
        let mut nodes = candidates_of(marks);
        for node in groups_of(marks).into_iter().chain(links.concat()) {
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        let number_of = |node: Node| nodes.iter().position(|&known| known == node).unwrap();
        let bridges: Vec<[usize; 2]> = links.iter().map(|link| link.map(number_of)).collect();
        let removed = removed_by_implications(marks, &closure(marks, &nodes, nodes.len(), &bridges));
        [removed_by(&[Technique::RectangleAic], &forgetful(marks)), removed]
    });
}

/// Techniques that no puzzle needs if the ladder has the others: wherever one finds something, the others do too.
/// * A candidate that an AIC removes begins a discontinuous nice loop.
/// * A colour that sees both colours of another net also sees its own opposite colour, so multi-colours 1 removes it.
/// * If all choices lead to a result, its opposite refutes them all.
/// * The places of a Franken X-Wing leave a digit of a box on one line, or a digit of a line in one box.
#[test]
fn some_techniques_are_never_alone() {
    use Technique::{Claiming, ContinuousNiceLoop, DiscontinuousNiceLoop, GroupedContinuousNiceLoop};
    use Technique::{ForcingChainContradiction, GroupedDiscontinuousNiceLoop, MultiColors1, Pointing};
    let never = [
        (Technique::Aic, [ContinuousNiceLoop, DiscontinuousNiceLoop]),
        (Technique::GroupedAic, [GroupedContinuousNiceLoop, GroupedDiscontinuousNiceLoop]),
        (Technique::MultiColors2, [MultiColors1; 2]),
        (Technique::ForcingChainVerity, [ForcingChainContradiction; 2]),
        (Technique::FrankenXWing, [Pointing, Claiming]),
    ];
    let mut seen = [0; 5];
    each_position(100, Technique::Pointing, |marks, _| {
        for (seen, (technique, others)) in seen.iter_mut().zip(&never) {
            if !find_all(*technique, marks).is_empty() {
                *seen += 1;
                assert!(others.iter().any(|&other| !find_all(other, marks).is_empty()), "{technique:?}");
            }
        }
    });
    assert!(seen.iter().all(|&seen| seen > 5), "{seen:?}");
}
