//! All fish but the Kraken: their kinds, and the fast search for basic fish without fins.
//!
//! ```text
//!            c3      c8  c9
//!   r2  . . [x] . . [x]  .      base rows 2 and 6, cover columns 3 and 8: all places of the base lie in the cover,
//!   r5   .   -  .  . -   .      so the digit is removed from the rest of the cover
//!   r6  . . [x] . . [x] (x)     with r6c9, a fin, only cells that also see the fin lose the digit
//! ```
//!
//! * **Basic**: all places of a digit on k parallel lines lie on k crossing lines. Each base line has the digit once.
//!   So each cover line has it on a base line. A base line with fewer than two places is a single and takes no part.
//! * **Finned**: lines against lines, with fins. **Sashimi**: a finned fish in which a base line has fewer than two
//!   places besides the fins, so that it would not be a fish without them.
//! * **Franken**: a box is among the base or cover houses. **Mutant**: rows and columns are on the same side, or rows
//!   (columns) are on both sides, or a house of the rules beyond rows, columns and boxes is among them. Both exist with
//!   and without fins.
//! * **Siamese**: two fish with the same base remove different candidates and count as one.
//!
//! On a 9x9 board a basic fish of more than 4 lines comes with a smaller one that removes the same candidates.
//! [`super::search`] describes what any fish removes and how it is found. References: Sudopedia, "Fish", "Finned
//! Fish", "Sashimi Fish", "Franken Fish", "Mutant Fish", "Siamese Fish".

use crate::board::{Candidates, CellSet, Digit, Digits, House, HouseKind, Shape};

use super::search::{Fish, Make, pattern};
use crate::ladder::position::Position;
use crate::ladder::position::choices::{ChoiceMember, choices};
use crate::ladder::position::template_places::digits_worth_searching;
use crate::ladder::words::sink::{Pattern, Sink};

/// The fish of one technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FishKind {
    make: Make,
    /// The number of base houses, and of cover houses.
    size: usize,
    fins: Fins,
    is_siamese: bool,
}

/// Which fish a technique takes, by their fins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fins {
    None,
    /// With fins, sashimi or not.
    Any,
    /// With fins, not sashimi.
    Plain,
    Sashimi,
}

impl Fins {
    /// True if a fish has these fins.
    #[inline]
    fn fit<S: CellSet>(self, marks: &Candidates<S>, fish: &Fish<S>) -> bool {
        match self {
            Fins::None => fish.fins.is_empty(),
            Fins::Any => !fish.fins.is_empty(),
            Fins::Plain => !fish.fins.is_empty() && !fish.is_sashimi(marks),
            Fins::Sashimi => !fish.fins.is_empty() && fish.is_sashimi(marks),
        }
    }
}

impl FishKind {
    /// The fish of a code of HoDoKu's library: 03, a digit for make and fins, one for the size (0 for two houses), 1 if
    /// it is siamese. None for any other code. `0300` is an X-Wing, `03111` a siamese finned swordfish.
    pub(crate) fn of_code(code: &str) -> Option<FishKind> {
        let (kind, size, is_siamese) = match *code.as_bytes() {
            [b'0', b'3', kind, size @ b'0'..=b'5'] => (kind, size, false),
            [b'0', b'3', kind @ (b'1' | b'2' | b'4' | b'6'), size @ b'0'..=b'5', b'1'] => (kind, size, true),
            _ => return None,
        };
        let (make, fins) = match kind {
            b'0' => (Make::Basic, Fins::None),
            b'1' => (Make::Basic, Fins::Plain),
            b'2' => (Make::Basic, Fins::Sashimi),
            b'3' => (Make::Franken, Fins::None),
            b'4' => (Make::Franken, Fins::Any),
            b'5' => (Make::Mutant, Fins::None),
            b'6' => (Make::Mutant, Fins::Any),
            _ => return None,
        };
        Some(FishKind { make, size: usize::from(size - b'0') + 2, fins, is_siamese })
    }

    /// Offers every fish of this kind in a position, each with its digit and the candidates that it removes.
    pub(crate) fn search<S: CellSet>(self, position: &Position<'_, S>, sink: &mut impl Sink<S>) {
        let marks = position.marks;
        if self.is_siamese {
            return self.pairs(marks, sink);
        }
        if (self.make, self.fins) == (Make::Basic, Fins::None) {
            return basic_fish(marks, self.size, sink);
        }
        self.make.search(marks, self.size, &mut |fish| {
            if self.fins.fit(marks, &fish) {
                sink.eliminate(&[(fish.digit, fish.out)], || pattern(marks, fish.digit, fish.base, fish.cover));
            }
        });
    }

    /// Offers every two finned fish with the same base. At least one fits, and neither removes all that the other does.
    fn pairs<S: CellSet>(self, marks: &Candidates<S>, sink: &mut impl Sink<S>) {
        let mut finned: Vec<Fish<S>> = Vec::new();
        self.make.search(marks, self.size, &mut |fish| finned.extend((!fish.fins.is_empty()).then_some(fish)));
        finned.sort_unstable_by_key(|fish| (fish.digit, fish.base, fish.cover));
        finned.dedup();
        for same_base in finned.chunk_by(|a, b| (a.digit, a.base) == (b.digit, b.base)) {
            for (index, first) in same_base.iter().enumerate() {
                for second in &same_base[index + 1..] {
                    let fit = self.fins.fit(marks, first) || self.fins.fit(marks, second);
                    if fit && !first.out.within(second.out) && !second.out.within(first.out) {
                        let cover = first.cover | second.cover;
                        sink.eliminate(&[(first.digit, first.out | second.out)], || {
                            pattern(marks, first.digit, first.base, cover)
                        });
                    }
                }
            }
        }
    }
}

/// A set of parallel lines: bit i stands for line i.
type Lines = u64;

/// Some of the rows, or of the columns.
#[derive(Clone, Copy)]
struct LineSet {
    kind: HouseKind,
    lines: Lines,
}

impl LineSet {
    #[inline]
    fn houses(self, shape: Shape) -> impl Iterator<Item = House> {
        Digits(self.lines).iter().map(move |line| House::of(shape, self.kind, line.index()))
    }

    #[inline]
    fn cells<S: CellSet>(self, marks: &Candidates<S>) -> S {
        self.houses(marks.shape()).fold(S::empty(), |cells, house| cells | marks.house(house))
    }
}

/// Offers every basic fish of a size: with rows as base and columns as cover, and the other way round.
pub(crate) fn basic_fish<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    for digit in digits_worth_searching(marks) {
        along(marks, digit, [HouseKind::Row, HouseKind::Column], size, sink);
        along(marks, digit, [HouseKind::Column, HouseKind::Row], size, sink);
    }
}

/// Offers the basic fish of a digit whose base and cover lines are of these kinds: every choice of `size` base lines
/// whose places lie on at most `size` cover lines.
fn along<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    [base, cover]: [HouseKind; 2],
    size: usize,
    sink: &mut impl Sink<S>,
) {
    // Each base line with the cover lines on which its places lie, if these are not too many.
    let pool = (0..marks.order()).filter_map(|number| {
        let line = House::of(marks.shape(), base, number);
        let has_few_places = (2..=size).contains(&marks.places(digit, line));
        has_few_places.then(|| ChoiceMember { item: 1 << number, extent: crossing(marks, digit, line, cover) })
    });
    let nothing = ChoiceMember { item: 0, extent: 0 };
    choices(pool, size, nothing, |covers: Lines| covers.count_ones() as usize <= size, &mut |bases, covers| {
        let (bases, covers) = (LineSet { kind: base, lines: bases }, LineSet { kind: cover, lines: covers });
        offer(marks, digit, bases, covers, sink);
    });
}

/// The crossing lines that hold the places of a digit on a line.
fn crossing<S: CellSet>(marks: &Candidates<S>, digit: Digit, line: House, cover: HouseKind) -> Lines {
    (marks.of_digit(digit) & marks.house(line)).cells().fold(0, |lines, cell| {
        let cover_line = marks.sets().layout().plain_houses_of(cell)[cover as usize];
        lines | 1 << cover_line.number(marks.shape())
    })
}

/// Offers what a fish with these lines removes: the digit from the cover lines outside of the base lines.
fn offer<S: CellSet>(marks: &Candidates<S>, digit: Digit, base: LineSet, cover: LineSet, sink: &mut impl Sink<S>) {
    let base_area = base.cells(marks);
    let out = (marks.of_digit(digit) & cover.cells(marks)) - base_area;
    sink.eliminate_one(digit, out, || {
        let pattern = Pattern::of(Digits::only(digit), (marks.of_digit(digit) & base_area).cells());
        pattern.in_houses(base.houses(marks.shape())).removing_in(cover.houses(marks.shape()))
    });
}
