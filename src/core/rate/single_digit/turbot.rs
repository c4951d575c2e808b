//! Single-digit patterns: two strong links of one digit, connected by a weak one.
//!
//! A strong link is a house with exactly two places for the digit, its ends. One end of the first link sees one end of
//! the second: these are the near ends, and the other two are the far ends. The near ends are not both true. If a near
//! end is false, the far end of its link is true. So at least one far end is true, and the digit is removed from the
//! cells that see both far ends.
//!
//! ```text
//!   skyscraper                       2-string kite
//!   .  - | .  F | .  .               .  . | .  . | .  -       - removed
//!   .  F | .  - | .  .               .  N | .  . | .  F       N near ends, F far ends
//!   .  . | .  . | .  .               N  . | .  . | .  .
//!   .  N | .  N | .  .   (a line)    F  . | .  . | .  .       (a box connects the near ends)
//! ```
//!
//! * **Skyscraper**: both links are parallel lines. The near ends lie on one crossing line, the far ends do not.
//! * **2-String Kite**: one link is a row, one a column. The near ends lie in one box, and all four ends are different.
//! * **Turbot Fish**: any two strong links, boxes included, whose near ends see each other.
//! * **Dual 2-String Kite**: two kites with the same two near ends in the box, of one digit or of two, count as one.
//!
//! Reference: Sudopedia, "Skyscraper", "2-String Kite", "Turbot Fish"; HoDoKu, "Single Digit Patterns".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind};

use crate::rate::ladder::list::StepList;
use crate::rate::ladder::sink::{Conclusion, Pattern, Sink};
use crate::rate::position::common::ends;
use crate::rate::position::template_places::digits_worth_searching;

/// A house and its two places.
type StrongLink = (House, [Cell; 2]);

/// Offers every skyscraper.
pub(crate) fn skyscrapers<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        for (kind, crossing) in [(HouseKind::Row, HouseKind::Column), (HouseKind::Column, HouseKind::Row)] {
            let links = links(marks, digit, kind);
            for (at, &first) in links.iter().enumerate() {
                for &second in &links[at + 1..] {
                    let same = |a: Cell, b: Cell| house_of(marks, a, crossing) == house_of(marks, b, crossing);
                    tie(marks, digit, first, second, |near, far| same(near[0], near[1]) && !same(far[0], far[1]), sink);
                }
            }
        }
    }
}

/// Offers every turbot fish, including skyscrapers and kites.
pub(crate) fn turbot_fish<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        let kinds = [HouseKind::Row, HouseKind::Column, HouseKind::Box];
        let links: Vec<StrongLink> = kinds.into_iter().flat_map(|kind| links(marks, digit, kind)).collect();
        for (at, &first) in links.iter().enumerate() {
            for &second in links[at + 1..].iter().filter(|second| !second.1.iter().any(|end| first.1.contains(end))) {
                let sees = |near: [Cell; 2]| marks.peers(near[0]).contains(near[1]);
                tie(marks, digit, first, second, |near, _| sees(near), sink);
            }
        }
    }
}

/// Offers every two kites with the same near ends.
pub(crate) fn dual_two_string_kites<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let mut kites = StepList::<S>::all();
    digits_worth_searching(marks).into_iter().for_each(|digit| kites_of(marks, digit, &mut kites));
    duals(kites, |kite| S::of([kite.cells[1], kite.cells[2]]), sink);
}

/// Offers what two instances with the same key remove together, if each removes something that the other does not.
pub(crate) fn duals<S: CellSet>(found: StepList<S>, key: impl Fn(&Pattern) -> S, sink: &mut impl Sink<S>) {
    let single = |(conclusion, pattern): (Conclusion<S>, Pattern)| match conclusion {
        Conclusion::Eliminate(out) if out.len() == 1 => Some((out[0], pattern)),
        _ => None,
    };
    let all: Vec<((Digit, S), Pattern)> = found.steps.into_iter().filter_map(single).collect();
    for (at, ((digit, out), first)) in all.iter().enumerate() {
        for ((second_digit, other), second) in all[at + 1..].iter().filter(|(_, second)| key(second) == key(first)) {
            let both = match digit == second_digit {
                true if out.within(*other) || other.within(*out) => continue,
                true => vec![(*digit, *out | *other)],
                false => vec![(*digit, *out), (*second_digit, *other)],
            };
            sink.eliminate(&both, || {
                let cells = [&first.cells[..], &second.cells[..]].concat();
                Pattern::of(first.digits | second.digits, cells).in_houses([&first.base[..], &second.base[..]].concat())
            });
        }
    }
}

/// Offers every 2-string kite.
pub(crate) fn two_string_kites<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        kites_of(marks, digit, sink);
    }
}

/// Offers the kites of a digit.
fn kites_of<S: CellSet>(marks: &Candidates<S>, digit: Digit, sink: &mut impl Sink<S>) {
    let columns = links(marks, digit, HouseKind::Column);
    if columns.is_empty() {
        return;
    }
    for row in links(marks, digit, HouseKind::Row) {
        for &column in columns.iter().filter(|column| !column.1.iter().any(|end| row.1.contains(end))) {
            let of_box = |cell| house_of(marks, cell, HouseKind::Box);
            tie(marks, digit, row, column, |near, _| of_box(near[0]) == of_box(near[1]), sink);
        }
    }
}

/// The houses of a kind with exactly two places for a digit.
fn links<S: CellSet>(marks: &Candidates<S>, digit: Digit, kind: HouseKind) -> Vec<StrongLink> {
    let houses = (0..marks.order()).map(|number| House::of(marks.shape(), kind, number));
    houses.filter_map(|house| ends(marks, digit, house).map(|ends| (house, ends))).collect()
}

/// The row, column or box of a cell.
fn house_of<S: CellSet>(marks: &Candidates<S>, cell: Cell, kind: HouseKind) -> House {
    marks.sets().layout().plain_houses_of(cell)[kind as usize]
}

/// Tries the four choices of one near end for each link, and offers what the far ends remove.
fn tie<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    (house, ends): StrongLink,
    (other_house, other_ends): StrongLink,
    fits: impl Fn([Cell; 2], [Cell; 2]) -> bool,
    sink: &mut impl Sink<S>,
) {
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (near, far) = ([ends[i], other_ends[j]], [ends[1 - i], other_ends[1 - j]]);
        if !fits(near, far) {
            continue;
        }
        let out = marks.of_digit(digit) & marks.peers(far[0]) & marks.peers(far[1]);
        sink.eliminate_one(digit, out, || {
            Pattern::of(Digits::only(digit), [far[0], near[0], near[1], far[1]]).in_houses([house, other_house])
        });
    }
}
