//! Single-digit patterns: two strong links of one digit, connected by a weak one.
//!
//! A strong link is a house with exactly two places for the digit, its ends. One end of the first link sees one end of
//! the second: these are the near ends, and the other two are the far ends. The near ends are not both true. If a near
//! end is false, the far end of its link is true. So a far end is true, and the cells that see both lose the digit.
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

use crate::ladder::position::common::ends;
use crate::ladder::position::template_places::digits_worth_searching;
use crate::ladder::words::list::StepList;
use crate::ladder::words::sink::{Conclusion, Pattern, Sink};

/// A house and its two places for a digit.
#[derive(Clone, Copy)]
struct StrongLink {
    house: House,
    ends: [Cell; 2],
}

impl StrongLink {
    fn meets(&self, link: &StrongLink) -> bool {
        self.ends.iter().any(|end| link.ends.contains(end))
    }
}

pub(crate) fn skyscrapers<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        for (kind, crossing) in [(HouseKind::Row, HouseKind::Column), (HouseKind::Column, HouseKind::Row)] {
            let links = links(marks, digit, kind);
            for (index, &first) in links.iter().enumerate() {
                for &second in &links[index + 1..] {
                    tie(
                        marks,
                        digit,
                        [first, second],
                        |near, far| share(marks, near, crossing) && !share(marks, far, crossing),
                        sink,
                    );
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
        for (index, &first) in links.iter().enumerate() {
            for &second in links[index + 1..].iter().filter(|second| !second.meets(&first)) {
                tie(marks, digit, [first, second], |near, _| marks.peers(near[0]).contains(near[1]), sink);
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

/// An instance that removes one digit.
struct OneDigitInstance<S> {
    digit: Digit,
    out: S,
    pattern: Pattern,
}

/// Offers what two instances with the same key remove together, if each removes something that the other does not.
pub(crate) fn duals<S: CellSet>(instances: StepList<S>, key: impl Fn(&Pattern) -> S, sink: &mut impl Sink<S>) {
    let mut singles = Vec::new();
    for (conclusion, pattern) in instances.steps {
        if let Conclusion::Eliminate(out) = conclusion
            && let [(digit, out)] = out[..]
        {
            singles.push(OneDigitInstance { digit, out, pattern });
        }
    }
    for (index, first) in singles.iter().enumerate() {
        for second in singles[index + 1..].iter().filter(|second| key(&second.pattern) == key(&first.pattern)) {
            let removals = match first.digit == second.digit {
                true if first.out.within(second.out) || second.out.within(first.out) => continue,
                true => vec![(first.digit, first.out | second.out)],
                false => vec![(first.digit, first.out), (second.digit, second.out)],
            };
            sink.eliminate(&removals, || {
                let (first, second) = (&first.pattern, &second.pattern);
                let cells = [&first.cells[..], &second.cells[..]].concat();
                Pattern::of(first.digits | second.digits, cells).in_houses([&first.base[..], &second.base[..]].concat())
            });
        }
    }
}

pub(crate) fn two_string_kites<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        kites_of(marks, digit, sink);
    }
}

fn kites_of<S: CellSet>(marks: &Candidates<S>, digit: Digit, sink: &mut impl Sink<S>) {
    let columns = links(marks, digit, HouseKind::Column);
    if columns.is_empty() {
        return;
    }
    for row in links(marks, digit, HouseKind::Row) {
        for &column in columns.iter().filter(|column| !column.meets(&row)) {
            tie(marks, digit, [row, column], |near, _| share(marks, near, HouseKind::Box), sink);
        }
    }
}

/// The houses of a kind with exactly two places for a digit.
fn links<S: CellSet>(marks: &Candidates<S>, digit: Digit, kind: HouseKind) -> Vec<StrongLink> {
    let houses = (0..marks.order()).map(|number| House::of(marks.shape(), kind, number));
    houses.filter_map(|house| Some(StrongLink { house, ends: ends(marks, digit, house)? })).collect()
}

/// True if two cells are in the same row, column or box.
#[inline]
fn share<S: CellSet>(marks: &Candidates<S>, cells: [Cell; 2], kind: HouseKind) -> bool {
    let [first, second] = cells.map(|cell| marks.sets().layout().plain_houses_of(cell)[kind as usize]);
    first == second
}

/// Tries the four choices of one near end for each link, and offers what the far ends remove.
fn tie<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    [first, second]: [StrongLink; 2],
    fits: impl Fn([Cell; 2], [Cell; 2]) -> bool,
    sink: &mut impl Sink<S>,
) {
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (near, far) = ([first.ends[i], second.ends[j]], [first.ends[1 - i], second.ends[1 - j]]);
        if !fits(near, far) {
            continue;
        }
        let out = marks.of_digit(digit) & marks.peers(far[0]) & marks.peers(far[1]);
        sink.eliminate_one(digit, out, || {
            Pattern::of(Digits::only(digit), [far[0], near[0], near[1], far[1]]).in_houses([first.house, second.house])
        });
    }
}
