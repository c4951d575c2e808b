//! Searches compared with plain versions of their definitions: every instance means every instance.
//!
//! A plain version tries every choice of houses, sets or links. What all its instances remove must be what all instances
//! of the search remove. Rectangles and subsets are compared in [`super::gates`], Sue de Coq in [`super::sue_de_coq`].

use super::gates::{choices, each_position, forgetful};
use super::{Technique, find_all};
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind, Narrow};

/// For each digit the cells that lose it.
type Removed = [Narrow; 9];

/// What all instances of some techniques remove.
fn removed_by(techniques: &[Technique], marks: &Candidates<Narrow>) -> Removed {
    let mut removed = [Narrow::empty(); 9];
    for step in techniques.iter().flat_map(|&technique| find_all(technique, marks)) {
        step.eliminations.iter().for_each(|&(cell, digit)| removed[digit.index()].insert(cell));
    }
    removed
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
    let places = |houses: &Vec<House>| places_in(marks, digit, houses);
    let covers: Vec<(Narrow, Narrow, &Vec<House>)> = covers
        .iter()
        .map(|houses| {
            let (once, twice) = places(houses);
            (once, twice, houses)
        })
        .collect();
    let mut removed = Narrow::empty();
    for base in bases {
        let (in_base, in_two) = places(base);
        for &(covered, covered_twice, cover) in &covers {
            let can_go = (covered - in_base) | (covered_twice & in_base);
            let fins = (in_base - covered) | in_two;
            if (can_go - removed).is_empty() || cover.iter().any(|house| base.contains(house)) {
                continue;
            }
            removed = removed | fins.cells().fold(can_go, |out, fin| out & marks.peers(fin));
        }
    }
    removed
}

#[test]
fn fish_are_those_of_all_houses() {
    use Technique as T;
    // Up to two houses of any kinds; up to four lines against lines.
    let of_two = [T::XWing, T::FinnedXWing, T::SashimiXWing, T::FrankenXWing, T::FinnedFrankenXWing]
        .into_iter()
        .chain([T::MutantXWing, T::FinnedMutantXWing]);
    let of_two: Vec<T> = of_two.collect();
    let of_lines: Vec<T> = [T::XWing, T::FinnedXWing, T::SashimiXWing, T::Swordfish, T::FinnedSwordfish]
        .into_iter()
        .chain([T::SashimiSwordfish, T::Jellyfish, T::FinnedJellyfish, T::SashimiJellyfish])
        .collect();
    let mut found = [0; 2];
    each_position(20, |marks, step| {
        if step.technique < T::XWing {
            return;
        }
        let [any, lines] = [removed_by(&of_two, marks), removed_by(&of_lines, marks)];
        for digit in Digits::all(9) {
            let is_open = |&house: &House| !(marks.of_digit(digit) & marks.house(house)).is_empty();
            let open: Vec<House> = marks.sets().layout().houses().filter(is_open).collect();
            let of_kind = |kind| -> Vec<House> {
                open.iter().copied().filter(|house| house.kind(marks.shape()) == kind).collect()
            };
            let pairs = choices(&open, 2);
            let of_pairs = removed_by_fish(marks, digit, &pairs, &pairs);
            assert_eq!(any[digit.index()], of_pairs, "{digit:?}");
            let mut of_all_lines = Narrow::empty();
            for size in 2..=4 {
                let [rows, columns] = [HouseKind::Row, HouseKind::Column].map(|kind| choices(&of_kind(kind), size));
                of_all_lines = of_all_lines
                    | removed_by_fish(marks, digit, &rows, &columns)
                    | removed_by_fish(marks, digit, &columns, &rows);
            }
            assert_eq!(lines[digit.index()], of_all_lines, "{digit:?}");
            found = [found[0] + of_pairs.len(), found[1] + of_all_lines.len()];
        }
    });
    assert!(found.iter().all(|&found| found > 10), "{found:?}");
}

/// Every set of n cells of a house that has n + 1 candidates.
fn almost_locked_sets(marks: &Candidates<Narrow>) -> Vec<(Narrow, Digits)> {
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

#[test]
fn pairs_of_almost_locked_sets_are_those_of_all_choices_of_cells() {
    let mut found = 0;
    each_position(15, |marks, step| {
        if step.technique < Technique::XyChain {
            return;
        }
        let sets = almost_locked_sets(marks);
        let mut removed = [Narrow::empty(); 9];
        let mut remove = |digit: Digit, cells: Narrow| removed[digit.index()] = removed[digit.index()] | cells;
        for (at, &(a, of_a)) in sets.iter().enumerate() {
            for &(b, of_b) in sets[at + 1..].iter().filter(|(b, _)| !a.meets(*b)) {
                let places = |digit, cells: Narrow| marks.of_digit(digit) & cells;
                let is_restricted = |&digit: &Digit| places(digit, a).within(seeing(marks, digit, b));
                let restricted: Vec<Digit> = (of_a & of_b).iter().filter(is_restricted).collect();
                for &x in &restricted {
                    ((of_a & of_b) - Digits::only(x)).iter().for_each(|z| remove(z, seeing(marks, z, a | b)));
                }
                if let [x, y] = restricted[..] {
                    [x, y].into_iter().for_each(|digit| remove(digit, seeing(marks, digit, a | b)));
                    for (cells, digits) in [(a, of_a), (b, of_b)] {
                        let others = digits - Digits::only(x) - Digits::only(y);
                        others.iter().for_each(|digit| remove(digit, seeing(marks, digit, cells)));
                    }
                }
            }
        }
        assert_eq!(removed_by(&[Technique::AlsXz], marks), removed);
        found += removed.iter().map(|cells| cells.len()).sum::<usize>();
    });
    assert!(found > 20, "{found}");
}

/// Which candidates are true, and which are false, if one candidate is true or false: [premise][conclusion], as rows of
/// bits. A premise or conclusion has number `2 * candidate + 1` for true and `2 * candidate` for false.
fn closure(marks: &Candidates<Narrow>, candidates: &[(Cell, Digit)]) -> Vec<Vec<bool>> {
    let count = 2 * candidates.len();
    let mut follows = vec![vec![false; count]; count];
    for (a, &(first, digit)) in candidates.iter().enumerate() {
        for (b, &(second, other)) in candidates.iter().enumerate().filter(|&(b, _)| b != a) {
            let shared = |house: &House| marks.house(*house).contains(first) && marks.house(*house).contains(second);
            let mut houses = marks.sets().layout().houses().filter(shared);
            let is_alone = |house: House| (marks.of_digit(digit) & marks.house(house)).len() == 2;
            let (weak, strong) = match (first == second, digit == other) {
                (true, _) => (true, marks.of_cell(first).len() == 2),
                (false, true) => (marks.peers(first).contains(second), houses.any(is_alone)),
                (false, false) => (false, false),
            };
            follows[2 * a + 1][2 * b] = weak;
            follows[2 * a][2 * b + 1] = strong;
        }
    }
    for via in 0..count {
        let row = follows[via].clone();
        for from in follows.iter_mut().filter(|from| from[via]) {
            from.iter_mut().zip(&row).for_each(|(known, new)| *known |= new);
        }
    }
    follows
}

#[test]
fn chains_are_those_of_all_implications() {
    let chains = [Technique::DiscontinuousNiceLoop, Technique::Aic];
    let mut found = 0;
    each_position(12, |marks, step| {
        if step.technique < Technique::XyChain {
            return;
        }
        let of_cell = |cell: Cell| marks.of_cell(cell).iter().map(move |digit| (cell, digit));
        let candidates: Vec<(Cell, Digit)> = marks.open().cells().flat_map(of_cell).collect();
        let follows = closure(marks, &candidates);
        let mut removed = [Narrow::empty(); 9];
        let mut remove = |cell: Cell, digit: Digit| removed[digit.index()].insert(cell);
        for (a, &(first, digit)) in candidates.iter().enumerate() {
            for (b, &(second, other)) in candidates.iter().enumerate() {
                // A candidate whose truth makes it false, or another candidate of its cell true.
                if follows[2 * a + 1][2 * a] || first == second && a != b && follows[2 * a + 1][2 * b + 1] {
                    remove(first, digit);
                }
                // One of two candidates is true; equal ones: a candidate whose falsehood makes it true.
                if !follows[2 * a][2 * b + 1] {
                    continue;
                }
                if a == b {
                    (marks.of_cell(first) - Digits::only(digit)).iter().for_each(|other| remove(first, other));
                } else if digit == other {
                    let out = marks.of_digit(digit) & marks.peers(first) & marks.peers(second);
                    out.cells().for_each(|cell| remove(cell, digit));
                } else if marks.peers(first).contains(second) {
                    marks.of_cell(second).iter().filter(|&mate| mate == digit).for_each(|mate| remove(second, mate));
                    marks.of_cell(first).iter().filter(|&mate| mate == other).for_each(|mate| remove(first, mate));
                } else if first == second {
                    (marks.of_cell(first) - Digits::only(digit) - Digits::only(other))
                        .iter()
                        .for_each(|mate| remove(first, mate));
                }
            }
        }
        let of_search = removed_by(&chains, &forgetful(marks));
        assert_eq!(of_search, removed);
        let loops = removed_by(&[Technique::ContinuousNiceLoop], marks);
        assert!(loops.iter().zip(&removed).all(|(of_loop, removed)| of_loop.within(*removed)));
        found += removed.iter().map(|cells| cells.len()).sum::<usize>();
    });
    assert!(found > 100, "{found}");
}
