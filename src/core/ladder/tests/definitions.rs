//! Compares searches with plain versions of their definitions: a search must miss no instance.
//!
//! A plain version tries every choice of houses, sets or links. What all its instances remove must be what all
//! instances of the search remove. Rectangles and subsets are in [`super::gates`], Sue de Coq in
//! [`crate::ladder::als::sue_de_coq`].

use super::find_all;
use super::gates::{choices, each_position, each_rectangle, forgetful};
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind, Narrow};
use crate::ladder::climb::find::find_all_at;
use crate::ladder::position::Position;
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
/// Returns how many candidates that is.
fn compared(puzzles: usize, from: Technique, removed: impl Fn(&Candidates<Narrow>) -> [Removed; 2]) -> usize {
    let mut found = 0;
    each_position(puzzles, from, |marks, _| {
        let [of_search, of_definition] = removed(marks);
        assert_eq!(of_search, of_definition);
        found += of_search.0.iter().map(|cells| cells.len()).sum::<usize>();
    });
    found
}

/// The places of a digit in some houses: in at least one, and in at least two.
fn places_in(marks: &Candidates<Narrow>, digit: Digit, houses: &[House]) -> (Narrow, Narrow) {
    houses.iter().fold((Narrow::empty(), Narrow::empty()), |(once, twice), &house| {
        let places = marks.of_digit(digit) & marks.house(house);
        (once | places, twice | (once & places))
    })
}

/// What the fish of some base and cover houses remove: if no fin is true, each cover house has its digit in the base.
fn removed_by_fish(marks: &Candidates<Narrow>, digit: Digit, bases: &[Vec<House>], covers: &[Vec<House>]) -> Narrow {
    let places = |houses: &[House]| places_in(marks, digit, houses);
    let covers: Vec<_> = covers.iter().map(|houses| (places(houses), houses)).collect();
    let mut removed = Narrow::empty();
    for base in bases {
        let (in_base, in_two) = places(base);
        for &((covered, covered_twice), cover) in &covers {
            let can_go = (covered - in_base) | (covered_twice & in_base);
            let fins = (in_base - covered) | in_two;
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
    let found = compared(20, Technique::XWing, |marks| {
        let mut removed = Removed::default();
        for digit in Digits::all(9) {
            let pairs = choices(&open_houses(marks, digit), 2);
            removed.add(digit, removed_by_fish(marks, digit, &pairs, &pairs));
        }
        [removed_by(&fish, marks), removed]
    });
    assert!(found > 10, "{found}");
}

#[test]
fn fish_of_lines_are_those_of_all_lines() {
    let fish = fish(|name| ["Franken", "Mutant", "Kraken"].iter().all(|kind| !name.contains(kind)));
    let found = compared(20, Technique::XWing, |marks| {
        let mut removed = Removed::default();
        for (digit, size) in Digits::all(9).iter().flat_map(|digit| (2..=4).map(move |size| (digit, size))) {
            let [rows, columns] = [HouseKind::Row, HouseKind::Column].map(|kind| {
                let of_kind = open_houses(marks, digit).into_iter().filter(|house| house.kind(marks.shape()) == kind);
                choices(&of_kind.collect::<Vec<_>>(), size)
            });
            removed.add(digit, removed_by_fish(marks, digit, &rows, &columns));
            removed.add(digit, removed_by_fish(marks, digit, &columns, &rows));
        }
        [removed_by(&fish, marks), removed]
    });
    assert!(found > 10, "{found}");
}

/// Some cells and their candidates.
type Set = (Narrow, Digits);

/// Every set of n cells of a house that has n + 1 candidates.
fn almost_locked_sets(marks: &Candidates<Narrow>) -> Vec<Set> {
    let mut sets = Vec::new();
    for house in marks.sets().layout().houses() {
        let open: Vec<Cell> = (marks.house(house) & marks.open()).cells().collect();
        for cells in (1..=open.len()).flat_map(|size| choices(&open, size)) {
            let digits = cells.iter().fold(Digits::EMPTY, |all, &cell| all | marks.of_cell(cell));
            if digits.len() == cells.len() + 1 {
                sets.push((Narrow::of(cells), digits));
            }
        }
    }
    sets.sort_unstable_by_key(|&(cells, digits)| (cells.cells().collect::<Vec<_>>(), digits));
    sets.dedup();
    sets
}

/// The places of a digit that see all its places in some cells.
fn seeing(marks: &Candidates<Narrow>, digit: Digit, cells: Narrow) -> Narrow {
    (marks.of_digit(digit) & cells).cells().fold(marks.of_digit(digit), |seen, cell| seen & marks.peers(cell))
}

/// The restricted common digits of two sets: all places in one see all places in the other.
fn restricted_commons(marks: &Candidates<Narrow>, (a, of_a): Set, (b, of_b): Set) -> Vec<Digit> {
    let is_restricted = |&digit: &Digit| (marks.of_digit(digit) & a).within(seeing(marks, digit, b));
    (of_a & of_b).iter().filter(is_restricted).collect()
}

#[test]
fn pairs_of_almost_locked_sets_are_those_of_all_choices_of_cells() {
    let found = compared(15, Technique::XyChain, |marks| {
        let (sets, mut removed) = (almost_locked_sets(marks), Removed::default());
        for (at, &(a, of_a)) in sets.iter().enumerate() {
            for &(b, of_b) in sets[at + 1..].iter().filter(|(b, _)| !a.meets(*b)) {
                let restricted = restricted_commons(marks, (a, of_a), (b, of_b));
                for &x in &restricted {
                    ((of_a & of_b) - Digits::only(x)).iter().for_each(|z| removed.add(z, seeing(marks, z, a | b)));
                }
                if let [x, y] = restricted[..] {
                    [x, y].into_iter().for_each(|digit| removed.add(digit, seeing(marks, digit, a | b)));
                    for (cells, digits) in [(a, of_a), (b, of_b)] {
                        let others = digits - Digits::only(x) - Digits::only(y);
                        others.iter().for_each(|digit| removed.add(digit, seeing(marks, digit, cells)));
                    }
                }
            }
        }
        [removed_by(&[Technique::AlsXz], marks), removed]
    });
    assert!(found > 20, "{found}");
}

#[test]
fn wings_of_almost_locked_sets_are_those_of_all_three_sets() {
    let found = [false, true].map(|may_overlap| {
        compared(12, Technique::XyChain, |marks| {
            let (sets, mut removed) = (almost_locked_sets(marks), Removed::default());
            let apart = |a: Narrow, b: Narrow| may_overlap || !a.meets(b);
            for &middle in &sets {
                let neighbours = sets.iter().filter(|&&set| set != middle && apart(set.0, middle.0));
                let with_digit = |&set: &Set| restricted_commons(marks, set, middle).into_iter().map(move |x| (set, x));
                let linked: Vec<(Set, Digit)> = neighbours.flat_map(with_digit).collect();
                for &((a, of_a), x) in &linked {
                    for &((b, of_b), y) in linked.iter().filter(|&&((b, _), y)| y > x && b != a && apart(a, b)) {
                        let others = (of_a & of_b) - Digits::only(x) - Digits::only(y);
                        others.iter().for_each(|z| removed.add(z, seeing(marks, z, a | b)));
                    }
                }
            }
            let position = if may_overlap { Position::with_overlapping_sets(marks) } else { Position::new(marks) };
            [Removed::by(find_all_at(Technique::AlsXyWing, &position)), removed]
        })
    });
    assert!(found[0] > 20 && found[1] > found[0], "{found:?}");
}

/// A candidate, or some places of a digit. It is true when one of the places is.
type Place = (Digit, Narrow);

/// Which nodes are true, and which are false, if one node is true or false: [premise][conclusion], as rows of bits. A
/// premise or conclusion has number `2 * node + 1` for true and `2 * node` for false.
///
/// Some chains must pass through something special: a node with number `special` or higher, or a bridge, which is a
/// pair of nodes of which one is true. For such chains there are two copies of the conclusions. The second copy
/// contains what follows after the special node or bridge.
fn closure(marks: &Candidates<Narrow>, nodes: &[Place], special: usize, bridges: &[[usize; 2]]) -> Vec<Vec<bool>> {
    let count = 2 * nodes.len();
    let copies = if special < nodes.len() || !bridges.is_empty() { 2 } else { 1 };
    let mut follows = vec![vec![false; copies * count]; copies * count];
    for (a, &(digit, first)) in nodes.iter().enumerate() {
        for (b, &(other, second)) in nodes.iter().enumerate().filter(|&(b, _)| b != a) {
            let seen = seeing(marks, digit, first);
            let fills = |house: House| marks.of_digit(digit) & marks.house(house) == first | second;
            let (weak, strong) = match digit == other {
                true => (second.within(seen), !first.meets(second) && marks.sets().layout().houses().any(fills)),
                false if first == second && first.len() == 1 => {
                    (true, first.cells().all(|cell| marks.of_cell(cell).len() == 2))
                }
                false => (false, false),
            };
            for copy in 0..copies {
                let (from, to) = (copy * count, if b >= special { count } else { copy * count });
                follows[from + 2 * a + 1][to + 2 * b] = weak;
                follows[from + 2 * a][to + 2 * b + 1] = strong;
            }
        }
    }
    for [a, b] in bridges.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
        follows[2 * a][count + 2 * b + 1] = true;
        follows[count + 2 * a][count + 2 * b + 1] = true;
    }
    for via in 0..follows.len() {
        let row = follows[via].clone();
        for from in follows.iter_mut().filter(|from| from[via]) {
            from.iter_mut().zip(&row).for_each(|(known, new)| *known |= new);
        }
    }
    follows.truncate(count);
    follows.iter_mut().for_each(|row| drop(row.drain(..(copies - 1) * count)));
    follows
}

fn candidates_of(marks: &Candidates<Narrow>) -> Vec<Place> {
    let of_digit = |digit: Digit| marks.of_digit(digit).cells().map(move |cell| (digit, Narrow::only(cell)));
    Digits::all(9).iter().flat_map(of_digit).collect()
}

/// What discontinuous loops and AICs of some implications remove.
fn removed_by_implications(marks: &Candidates<Narrow>, follows: &[Vec<bool>]) -> Removed {
    let candidates: Vec<(Cell, Digit)> =
        candidates_of(marks).iter().flat_map(|&(digit, cells)| cells.first().map(|cell| (cell, digit))).collect();
    let mut removed = Removed::default();
    for (a, &(first, digit)) in candidates.iter().enumerate() {
        for (b, &(second, other)) in candidates.iter().enumerate() {
            let [in_first, in_second] = [first, second].map(Narrow::only);
            // A candidate whose truth makes it false, or another candidate of its cell true.
            if follows[2 * a + 1][2 * a] || first == second && a != b && follows[2 * a + 1][2 * b + 1] {
                removed.add(digit, in_first);
            }
            // One of two candidates is true; equal ones: a candidate whose falsehood makes it true.
            if !follows[2 * a][2 * b + 1] {
                continue;
            }
            if first == second {
                let others = marks.of_cell(first) - Digits::only(digit) - Digits::only(other);
                others.iter().for_each(|mate| removed.add(mate, in_first));
            } else if digit == other {
                removed.add(digit, marks.of_digit(digit) & marks.peers(first) & marks.peers(second));
            } else if marks.peers(first).contains(second) {
                removed.add(digit, marks.of_digit(digit) & in_second);
                removed.add(other, marks.of_digit(other) & in_first);
            }
        }
    }
    removed
}

#[test]
fn chains_are_those_of_all_implications() {
    let found = compared(12, Technique::XyChain, |marks| {
        let nodes = candidates_of(marks);
        let removed = removed_by_implications(marks, &closure(marks, &nodes, nodes.len(), &[]));
        let loops = removed_by(&[Technique::ContinuousNiceLoop], marks);
        assert!(loops.0.iter().zip(&removed.0).all(|(of_loop, removed)| of_loop.within(*removed)));
        [removed_by(&[Technique::DiscontinuousNiceLoop, Technique::Aic], &forgetful(marks)), removed]
    });
    assert!(found > 100, "{found}");
}

/// The groups of a position: two or more places of a digit in a box and a line.
fn groups_of(marks: &Candidates<Narrow>) -> Vec<Place> {
    let houses: Vec<Narrow> = marks.sets().layout().houses().map(|house| marks.house(house)).collect();
    let (lines, boxes) = houses.split_at(18);
    let crossings = lines.iter().flat_map(|&line| boxes.iter().map(move |&of_box| line & of_box));
    let in_all = |cells: Narrow| Digits::all(9).iter().map(move |digit| (digit, marks.of_digit(digit) & cells));
    crossings.flat_map(in_all).filter(|(_, cells)| cells.len() > 1).collect()
}

#[test]
fn grouped_chains_are_those_of_all_implications() {
    let chains = [Technique::GroupedDiscontinuousNiceLoop, Technique::GroupedAic];
    let found = compared(8, Technique::XyChain, |marks| {
        let candidates = candidates_of(marks);
        let nodes = [&candidates[..], &groups_of(marks)].concat();
        let removed = removed_by_implications(marks, &closure(marks, &nodes, candidates.len(), &[]));
        [removed_by(&chains, &forgetful(marks)), removed]
    });
    assert!(found > 50, "{found}");
}

#[test]
fn death_blossoms_are_those_of_all_petals() {
    let found = compared(30, Technique::XyChain, |marks| {
        let (sets, mut removed) = (almost_locked_sets(marks), Removed::default());
        for stem in marks.open().cells().filter(|&stem| marks.of_cell(stem).len() <= 5) {
            for digit in Digits::all(9) - marks.of_cell(stem) {
                // The cells that lose the digit if the stem takes the candidate `other`.
                let lost_with = |other: Digit| {
                    let is_petal = |&&(cells, digits): &&Set| {
                        digits.contains(digit)
                            && digits.contains(other)
                            && seeing(marks, other, cells).contains(stem)
                            && !cells.contains(stem)
                    };
                    let petals = sets.iter().filter(is_petal);
                    petals.fold(Narrow::empty(), |lost, &(cells, _)| lost | seeing(marks, digit, cells))
                };
                let all = marks.of_cell(stem).iter().map(lost_with);
                removed.add(digit, all.fold(marks.of_digit(digit), |lost, more| lost & more));
            }
        }
        [removed_by(&[Technique::DeathBlossom], marks), removed]
    });
    assert!(found > 20, "{found}");
}

/// Every two nodes of which one is true because four cells would otherwise be a deadly rectangle.
fn rectangle_links(marks: &Candidates<Narrow>) -> Vec<[Place; 2]> {
    let mut all = Vec::new();
    each_rectangle(marks, |cells, pair| {
        let places = |digit: Digit| marks.of_digit(digit) & Narrow::of(cells);
        let extras = (Digits::all(9) - pair).iter().map(|digit| (digit, places(digit)));
        let extras: Vec<Place> = extras.filter(|(_, cells)| !cells.is_empty()).collect();
        match extras[..] {
            [first, second] => all.push([first, second]),
            [(digit, cells)] if cells.len() > 1 => {
                all.extend(cells.cells().map(|cell| [(digit, Narrow::only(cell)), (digit, cells - Narrow::only(cell))]))
            }
            _ => {}
        }
    });
    all
}

#[test]
fn chains_through_rectangles_are_those_of_all_implications() {
    let found = compared(20, Technique::Skyscraper, |marks| {
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
        let place = |node: &Place| nodes.iter().position(|other| other == node).unwrap();
        let bridges: Vec<[usize; 2]> = links.iter().map(|[a, b]| [place(a), place(b)]).collect();
        let removed = removed_by_implications(marks, &closure(marks, &nodes, nodes.len(), &bridges));
        [removed_by(&[Technique::RectangleAic], &forgetful(marks)), removed]
    });
    assert!(found > 20, "{found}");
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
