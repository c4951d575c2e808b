//! The search for all fish, starting from the candidate that they remove.
//!
//! ```text
//!   base      k houses                                              r2, r6
//!   cover     k other houses                                        c3, c8
//!   fins      places in the base that no cover house contains,      r6c9
//!             and places that two base houses share
//!   result    the digit is removed from cells that see all fins:    r5c8
//!             from places outside the base in a cover house, and
//!             from places inside the base in two cover houses
//! ```
//!
//! If no fin is true, the k base houses have the digit in k different places, and each of these lies in a cover house.
//! Each of the k cover houses has the digit once. So each of these places is in one cover house only, and the cover
//! houses have the digit nowhere else. If a fin is true, the cells that it sees lose the digit. What both cases remove
//! is removed.
//!
//! Trying all base and cover sets takes too long where boxes and mixed lines are allowed. The search starts from each
//! candidate x that some fish may remove (see [`crate::rate::position::template_places`]) and assumes that x is true.
//! Then base houses without x lose all their fins. Their remaining places lie in one cover house fewer than there are
//! base houses. Such a core is built house by house and place by place. With one more cover house, through x, the core
//! is a fish. With two more cover houses and one more base house, all through x, it is a fish that removes a place of
//! its own ("cannibalistic"). A core that does not need all its cover houses is part of a smaller fish and is left out.
//!
//! References: Sudopedia, "Fish"; The New Sudoku Players' Forum, "The Ultimate Fish Guide"; HoDoKu, "Complex Fish".

use crate::board::candidates::Houses;
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind};

use crate::rate::ladder::sink::Pattern;
use crate::rate::position::template_places::{digits_worth_searching, outside_templates};

/// Which kinds of houses may be base houses, and which cover houses.
pub(crate) type Pools = (Kinds, Kinds);

/// Some kinds of houses, in the order of [`HouseKind`].
pub(crate) type Kinds = [bool; 4];

/// A set of houses, one bit each.
pub(crate) type HouseSet = u128;

/// A fish, and what it removes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fish<S> {
    pub digit: Digit,
    pub base: HouseSet,
    pub cover: HouseSet,
    /// Places outside the cover houses, or in two base houses.
    pub fins: S,
    /// The cells that lose the digit; not empty.
    pub out: S,
}

impl<S: CellSet> Fish<S> {
    /// The fish of a base and a cover. None when it removes nothing.
    fn of(marks: &Candidates<S>, digit: Digit, base: HouseSet, cover: HouseSet) -> Option<Fish<S>> {
        let (in_base, in_two) = held(marks, digit, base);
        let (covered, covered_twice) = held(marks, digit, cover);
        let fins = (in_base - covered) | in_two;
        let can_go = (covered - in_base) | (covered_twice & in_base);
        let out = fins.cells().fold(can_go, |out, fin| out & marks.peers(fin));
        (!out.is_empty()).then_some(Fish { digit, base, cover, fins, out })
    }

    /// True when a base house has fewer than two places besides the fins.
    pub(crate) fn is_sashimi(&self, marks: &Candidates<S>) -> bool {
        let body = marks.of_digit(self.digit) - self.fins;
        houses(self.base).any(|house| (body & marks.house(house)).len() < 2)
    }
}

/// A fish as it is shown: its places in the base houses.
pub(crate) fn pattern<S: CellSet>(marks: &Candidates<S>, digit: Digit, base: HouseSet, cover: HouseSet) -> Pattern {
    let cells = held(marks, digit, base).0.cells();
    Pattern::of(Digits::only(digit), cells).in_houses(houses(base)).removing_in(houses(cover))
}

pub(crate) fn houses(set: HouseSet) -> impl Iterator<Item = House> {
    Houses(set).iter()
}

pub(crate) const fn bit(house: House) -> HouseSet {
    1 << house.index()
}

/// The places of a digit in at least one house of a set, and those in at least two.
pub(crate) fn held<S: CellSet>(marks: &Candidates<S>, digit: Digit, set: HouseSet) -> (S, S) {
    houses(set).fold((S::empty(), S::empty()), |(once, twice), house| {
        let places = marks.of_digit(digit) & marks.house(house);
        (once | places, twice | (once & places))
    })
}

/// Calls `found` with the fish of a size that remove one candidate and whose houses come from the pools.
fn fish_against<S: CellSet>(
    marks: &Candidates<S>,
    (digit, target): (Digit, Cell),
    size: usize,
    pools: Pools,
    found: &mut impl FnMut(Fish<S>),
) {
    let through = marks.sets().houses_of(target);
    let covers = || through.clone().filter(|&house| pools.1[kind_of(marks, house)]);
    let bases = || through.clone().filter(|&house| pools.0[kind_of(marks, house)]);
    let cores = Cores::without(marks, digit, marks.peers(target), Some(target), pools);
    let mut offer = |base, cover| {
        if let Some(fish) = Fish::of(marks, digit, base, cover)
            && fish.out.contains(target)
        {
            found(fish);
        }
    };
    cores.run(size, &mut |base, cover| {
        for more in covers().filter(|&house| base & bit(house) == 0) {
            offer(base, cover | bit(more));
        }
    });
    // Then the fish that remove a place of their own: two more cover houses and one more base house.
    if covers().count() < 2 || bases().next().is_none() || size < 3 {
        return;
    }
    cores.run(size - 1, &mut |base, cover| {
        for more in bases().filter(|&house| cover & bit(house) == 0) {
            let pair: Vec<House> = covers().filter(|&house| house != more && base & bit(house) == 0).collect();
            for (at, &first) in pair.iter().enumerate() {
                for &second in &pair[at + 1..] {
                    offer(base | bit(more), cover | bit(first) | bit(second));
                }
            }
        }
    });
}

/// The index of a house's kind in [`Kinds`].
pub(crate) fn kind_of<S: CellSet>(marks: &Candidates<S>, house: House) -> usize {
    house.kind(marks.shape()) as usize
}

/// The search for cores: n base houses whose places lie in n - 1 cover houses when a candidate is assumed to be true.
pub(crate) struct Cores<'a, S: 'static> {
    marks: &'a Candidates<S>,
    /// Base houses with the places that are left in them.
    bases: Vec<(House, S)>,
    cover_kinds: Kinds,
}

/// A core that is being built.
#[derive(Clone, Copy)]
struct Chosen<S> {
    base: HouseSet,
    cover: HouseSet,
    /// Houses that were already tried as cover houses.
    banned: HouseSet,
    places: S,
    /// Places that no cover house holds yet.
    uncovered: S,
}

impl<'a, S: CellSet> Cores<'a, S> {
    /// The cores under the assumption that some places are false and, if given, that the candidate `own` is true.
    pub(crate) fn without(
        marks: &'a Candidates<S>,
        digit: Digit,
        gone: S,
        own: Option<Cell>,
        (base_kinds, cover_kinds): Pools,
    ) -> Self {
        let left = marks.of_digit(digit) - gone - own.map_or(S::empty(), S::only);
        let houses = marks.sets().layout().houses().filter(|&house| base_kinds[kind_of(marks, house)]);
        let holds_own = |house| own.is_some_and(|own| marks.house(house).contains(own));
        // 128 or more: the digit is placed in the house.
        let houses = houses.filter(|&house| !holds_own(house) && marks.places(digit, house) < 128);
        let mut bases: Vec<(House, S)> = houses.map(|house| (house, left & marks.house(house))).collect();
        bases.retain(|(_, places)| !places.is_empty());
        bases.sort_by_key(|(_, places)| places.len());
        Cores { marks, bases, cover_kinds }
    }

    /// Calls `found` with base and cover of every core with this number of base houses.
    pub(crate) fn run(&self, size: usize, found: &mut impl FnMut(HouseSet, HouseSet)) {
        let nothing = Chosen { base: 0, cover: 0, banned: 0, places: S::empty(), uncovered: S::empty() };
        self.add_base(0, size, nothing, found);
    }

    /// Adds base houses from number `from` on until there are `size`.
    fn add_base(&self, from: usize, size: usize, chosen: Chosen<S>, found: &mut impl FnMut(HouseSet, HouseSet)) {
        let count = chosen.base.count_ones() as usize;
        if count == size {
            if chosen.cover.count_ones() as usize == size - 1 && self.every_cover_is_needed(&chosen) {
                found(chosen.base, chosen.cover);
            }
            return;
        }
        // So that enough base houses remain to be added.
        for at in from..(self.bases.len() + count + 1).saturating_sub(size) {
            let (house, places) = self.bases[at];
            if chosen.cover & bit(house) == 0 && !places.meets(chosen.places) {
                let base = chosen.base | bit(house);
                let uncovered = houses(chosen.cover).fold(places, |left, cover| left - self.marks.house(cover));
                let next = Chosen { base, places: chosen.places | places, uncovered, ..chosen };
                self.add_cover(at + 1, size, next, found);
            }
        }
    }

    /// Covers the first uncovered place in every possible way.
    fn add_cover(&self, from: usize, size: usize, mut chosen: Chosen<S>, found: &mut impl FnMut(HouseSet, HouseSet)) {
        let Some(place) = chosen.uncovered.first() else { return self.add_base(from, size, chosen, found) };
        // A core has one cover house fewer than base houses.
        if chosen.cover.count_ones() as usize + 1 >= size {
            return;
        }
        let houses = self.marks.sets().houses_of(place);
        for house in houses.filter(|&house| self.cover_kinds[kind_of(self.marks, house)]) {
            if (chosen.base | chosen.banned) & bit(house) == 0 {
                let uncovered = chosen.uncovered - self.marks.house(house);
                self.add_cover(from, size, Chosen { cover: chosen.cover | bit(house), uncovered, ..chosen }, found);
                chosen.banned |= bit(house);
            }
        }
    }

    /// False if the core without one of its cover houses would still hold all places.
    fn every_cover_is_needed(&self, chosen: &Chosen<S>) -> bool {
        houses(chosen.cover).all(|spared| {
            let others = houses(chosen.cover & !bit(spared));
            !others.fold(chosen.places, |left, cover| left - self.marks.house(cover)).is_empty()
        })
    }
}

/// Rows against columns, and columns against rows.
pub(crate) const LINES: [Pools; 2] = [
    ([true, false, false, false], [false, true, false, false]),
    ([false, true, false, false], [true, false, false, false]),
];

/// Rows and boxes against columns and boxes, and the other way round.
pub(crate) const LINES_AND_BOXES: [Pools; 2] = [
    ([true, false, true, false], [false, true, true, false]),
    ([false, true, true, false], [true, false, true, false]),
];

/// All kinds of houses on both sides.
pub(crate) const ANY: [Pools; 1] = [([true; 4], [true; 4])];

/// How mixed the houses of a fish are. The header of [`super::kinds`] defines the names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Make {
    Basic,
    Franken,
    Mutant,
}

impl Make {
    /// The make of a fish, by the kinds of its houses.
    pub(crate) fn of<S: CellSet>(marks: &Candidates<S>, fish: &Fish<S>) -> Make {
        let kinds = |set| {
            houses(set).fold([false; 4], |mut kinds, house| {
                kinds[kind_of(marks, house)] = true;
                kinds
            })
        };
        let (base, cover) = (kinds(fish.base), kinds(fish.cover));
        let [row, column, of_box] = HouseKind::PLAIN.map(|kind| kind as usize);
        let extra = HouseKind::Extra as usize;
        let fits = |base_line: usize, cover_line: usize| !base[cover_line] && !cover[base_line];
        if base[extra] || cover[extra] || !fits(row, column) && !fits(column, row) {
            Make::Mutant
        } else if base[of_box] || cover[of_box] {
            Make::Franken
        } else {
            Make::Basic
        }
    }

    /// The kinds of houses that base and cover may have.
    const fn pools(self) -> &'static [Pools] {
        match self {
            Make::Basic => &LINES,
            Make::Franken => &LINES_AND_BOXES,
            Make::Mutant => &ANY,
        }
    }

    /// Calls `found` with every fish of this make that removes something.
    pub(crate) fn search<S: CellSet>(self, marks: &Candidates<S>, size: usize, found: &mut impl FnMut(Fish<S>)) {
        let mut found = |fish| {
            if Make::of(marks, &fish) == self {
                found(fish);
            }
        };
        for digit in digits_worth_searching(marks) {
            for target in outside_templates(marks, digit).cells() {
                self.pools().iter().for_each(|&pools| fish_against(marks, (digit, target), size, pools, &mut found));
            }
        }
    }
}
