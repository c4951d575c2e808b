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
//! houses have the digit nowhere else. If a fin is true, the cells that it sees lose the digit. The result: what both
//! cases remove.
//!
//! Trying all base and cover sets takes too long where boxes and mixed lines are allowed. The search starts from each
//! candidate x that some fish may remove (see [`crate::ladder::position::template_places`]) and assumes that x is true.
//! Then base houses without x lose all their fins. Their remaining places lie in one cover house fewer than there are
//! base houses. Such a core is built house by house and place by place. With one more cover house, through x, the core
//! is a fish. With two more cover houses and one more base house, all through x, it is a fish that removes a place of
//! its own ("cannibalistic"). A core that does not need all its cover houses is part of a smaller fish and is left out.
//!
//! References: Sudopedia, "Fish"; The New Sudoku Players' Forum, "The Ultimate Fish Guide"; HoDoKu, "Complex Fish".

use crate::board::candidates::Houses;
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind};

use crate::ladder::position::common::lacks;
use crate::ladder::position::template_places::{digits_worth_searching, outside_templates};
use crate::ladder::words::sink::Pattern;

/// Which kinds of houses may be base houses, and which cover houses.
#[derive(Clone, Copy)]
pub(crate) struct Pools {
    base: Kinds,
    pub(crate) cover: Kinds,
}

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
        let in_base = HeldPlaces::of(marks, digit, base);
        let in_cover = HeldPlaces::of(marks, digit, cover);
        let fins = (in_base.once - in_cover.once) | in_base.twice;
        let can_go = (in_cover.once - in_base.once) | (in_cover.twice & in_base.once);
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
    let cells = HeldPlaces::of(marks, digit, base).once.cells();
    Pattern::of(Digits::only(digit), cells).in_houses(houses(base)).removing_in(houses(cover))
}

pub(crate) fn houses(set: HouseSet) -> impl Iterator<Item = House> {
    Houses(set).iter()
}

pub(crate) const fn bit(house: House) -> HouseSet {
    1 << house.index()
}

pub(crate) struct HeldPlaces<S> {
    /// Those in at least one of the houses.
    pub(crate) once: S,
    /// Those in at least two.
    pub(crate) twice: S,
}

impl<S: CellSet> HeldPlaces<S> {
    pub(crate) fn of(marks: &Candidates<S>, digit: Digit, set: HouseSet) -> HeldPlaces<S> {
        let mut held = HeldPlaces { once: S::empty(), twice: S::empty() };
        for house in houses(set) {
            let places = marks.of_digit(digit) & marks.house(house);
            held.twice = held.twice | (held.once & places);
            held.once = held.once | places;
        }
        held
    }
}

/// Calls `visit` with the fish of a size that remove one candidate and whose houses come from the pools. With `gone`,
/// fish without a base house in which such a place was may be left out.
fn fish_against<S: CellSet>(
    marks: &Candidates<S>,
    digit: Digit,
    target: Cell,
    size: usize,
    pools: Pools,
    gone: Option<S>,
    visit: &mut impl FnMut(Fish<S>),
) {
    // The houses of the target.
    let houses = marks.sets().houses_of(target);
    let covers = houses.clone().filter(|&house| pools.cover[kind_of(marks, house)]);
    let bases = houses.filter(|&house| pools.base[kind_of(marks, house)]);
    let mut cores = Cores::without(marks, digit, marks.peers(target), Some(target), pools);
    gone.into_iter().for_each(|gone| cores.begin_with(gone));
    let mut offer = |base, cover| {
        if let Some(fish) = Fish::of(marks, digit, base, cover)
            && fish.out.contains(target)
        {
            visit(fish);
        }
    };
    cores.run(size, &mut |base, cover| {
        for last_cover in covers.clone().filter(|&house| base & bit(house) == 0) {
            offer(base, cover | bit(last_cover));
        }
    });
    // Then the fish that remove a place of their own: two more cover houses and one more base house.
    if covers.clone().count() < 2 || bases.clone().next().is_none() || size < 3 {
        return;
    }
    if gone.is_some_and(|gone| bases.clone().any(|house| marks.house(house).meets(gone))) {
        cores.first_bases = cores.bases.len();
    }
    cores.run(size - 1, &mut |base, cover| {
        for last_base in bases.clone().filter(|&house| cover & bit(house) == 0) {
            let free = covers.clone().filter(|&house| house != last_base && base & bit(house) == 0);
            for (index, first) in free.clone().enumerate() {
                for second in free.clone().skip(index + 1) {
                    offer(base | bit(last_base), cover | bit(first) | bit(second));
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
    bases: Vec<BaseHouse<S>>,
    /// Every core has a base house among this number of first ones.
    first_bases: usize,
    cover_kinds: Kinds,
}

struct BaseHouse<S> {
    house: House,
    places: S,
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
    /// The base houses and the cover houses that are still to be chosen.
    missing_bases: usize,
    missing_covers: usize,
}

impl<'a, S: CellSet> Cores<'a, S> {
    /// The cores under the assumption that some places are false and, if given, that the candidate in a cell is true.
    pub(crate) fn without(
        marks: &'a Candidates<S>,
        digit: Digit,
        refuted: S,
        assumed: Option<Cell>,
        pools: Pools,
    ) -> Self {
        let places_left = marks.of_digit(digit) - refuted - assumed.map_or(S::empty(), S::only);
        let mut bases = Vec::new();
        for house in marks.sets().layout().houses().filter(|&house| pools.base[kind_of(marks, house)]) {
            let cells = marks.house(house);
            let has_digit = assumed.is_some_and(|cell| cells.contains(cell)) || !lacks(marks, digit, house);
            if !has_digit && places_left.meets(cells) {
                bases.push(BaseHouse { house, places: places_left & cells });
            }
        }
        bases.sort_by_key(|base| base.places.len());
        Cores { marks, first_bases: bases.len(), bases, cover_kinds: pools.cover }
    }

    /// Leaves out the cores without a base house that has lost one of these places.
    fn begin_with(&mut self, gone: S) {
        let has_lost = |base: &BaseHouse<S>| self.marks.house(base.house).meets(gone);
        self.bases.sort_by_key(|base| !has_lost(base));
        self.first_bases = self.bases.partition_point(has_lost);
    }

    /// Calls `visit` with base and cover of every core with this number of base houses, and one cover house fewer.
    pub(crate) fn run(&self, size: usize, visit: &mut impl FnMut(HouseSet, HouseSet)) {
        let nothing = Chosen {
            base: 0,
            cover: 0,
            banned: 0,
            places: S::empty(),
            uncovered: S::empty(),
            missing_bases: size,
            missing_covers: size - 1,
        };
        self.add_base(0, nothing, visit);
    }

    /// Adds base houses from number `from` on until none is missing.
    fn add_base(&self, from: usize, chosen: Chosen<S>, visit: &mut impl FnMut(HouseSet, HouseSet)) {
        if chosen.missing_bases == 0 {
            if chosen.missing_covers == 0 && self.every_cover_is_needed(&chosen) {
                visit(chosen.base, chosen.cover);
            }
            return;
        }
        // So that enough base houses remain to be added.
        let end = (self.bases.len() + 1).saturating_sub(chosen.missing_bases);
        let end = if chosen.base == 0 { end.min(self.first_bases) } else { end };
        for number in from..end {
            let BaseHouse { house, places } = self.bases[number];
            if chosen.cover & bit(house) == 0 && !places.meets(chosen.places) {
                let base = chosen.base | bit(house);
                let uncovered = houses(chosen.cover).fold(places, |left, cover| left - self.marks.house(cover));
                let missing_bases = chosen.missing_bases - 1;
                let longer = Chosen { base, places: chosen.places | places, uncovered, missing_bases, ..chosen };
                self.add_cover(number + 1, longer, visit);
            }
        }
    }

    /// Covers the first uncovered place in every possible way.
    fn add_cover(&self, from: usize, mut chosen: Chosen<S>, visit: &mut impl FnMut(HouseSet, HouseSet)) {
        let Some(place) = chosen.uncovered.first() else { return self.add_base(from, chosen, visit) };
        let Some(missing_covers) = chosen.missing_covers.checked_sub(1) else { return };
        let houses = self.marks.sets().houses_of(place);
        for house in houses.filter(|&house| self.cover_kinds[kind_of(self.marks, house)]) {
            if (chosen.base | chosen.banned) & bit(house) == 0 {
                let uncovered = chosen.uncovered - self.marks.house(house);
                // The last cover house holds all that is left.
                if missing_covers > 0 || uncovered.is_empty() {
                    let cover = chosen.cover | bit(house);
                    self.add_cover(from, Chosen { cover, uncovered, missing_covers, ..chosen }, visit);
                }
                chosen.banned |= bit(house);
            }
        }
    }

    /// False if the core without one of its cover houses would still hold all places.
    fn every_cover_is_needed(&self, chosen: &Chosen<S>) -> bool {
        houses(chosen.cover).all(|spared| {
            let needed = houses(chosen.cover & !bit(spared));
            !needed.fold(chosen.places, |left, cover| left - self.marks.house(cover)).is_empty()
        })
    }
}

/// Rows against columns, and columns against rows.
pub(crate) const LINES: [Pools; 2] = [
    Pools { base: [true, false, false, false], cover: [false, true, false, false] },
    Pools { base: [false, true, false, false], cover: [true, false, false, false] },
];

/// Rows and boxes against columns and boxes, and the other way round.
pub(crate) const LINES_AND_BOXES: [Pools; 2] = [
    Pools { base: [true, false, true, false], cover: [false, true, true, false] },
    Pools { base: [false, true, true, false], cover: [true, false, true, false] },
];

pub(crate) const ANY: [Pools; 1] = [Pools { base: [true; 4], cover: [true; 4] }];

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
        let (mut base, mut cover) = ([false; 4], [false; 4]);
        houses(fish.base).for_each(|house| base[kind_of(marks, house)] = true);
        houses(fish.cover).for_each(|house| cover[kind_of(marks, house)] = true);
        let [rows, columns, boxes] = HouseKind::PLAIN.map(|kind| kind as usize);
        let extras = HouseKind::Extra as usize;
        let rows_against_columns = !base[columns] && !cover[rows];
        let columns_against_rows = !base[rows] && !cover[columns];
        if base[extras] || cover[extras] || !rows_against_columns && !columns_against_rows {
            Make::Mutant
        } else if base[boxes] || cover[boxes] {
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

    /// Calls `visit` with every fish of this make that removes something. Where a digit had none, only its fish with a
    /// base house that has lost a place since are sought: mostly one candidate of one digit has gone.
    pub(crate) fn search<S: CellSet>(self, marks: &Candidates<S>, size: usize, visit: &mut impl FnMut(Fish<S>)) {
        // Fish have at most seven base houses.
        let number = 8 * self as usize + size;
        for digit in digits_worth_searching(marks) {
            let places_before = marks.places_when_fruitless(digit, number);
            if places_before == Some(marks.of_digit(digit)) {
                continue;
            }
            let gone = places_before.map(|places_before| places_before - marks.of_digit(digit));
            let mut fish = self.fish(marks, digit, size, gone);
            if gone.is_some() && !fish.is_empty() {
                fish = self.fish(marks, digit, size, None);
            }
            if fish.is_empty() {
                marks.note_fruitless(digit, number);
            }
            fish.into_iter().for_each(&mut *visit);
        }
    }

    /// The fish of this make and a digit. For `gone` see [`fish_against`].
    fn fish<S: CellSet>(self, marks: &Candidates<S>, digit: Digit, size: usize, gone: Option<S>) -> Vec<Fish<S>> {
        let mut found_fish = Vec::new();
        for target in outside_templates(marks, digit).cells() {
            for &pools in self.pools() {
                fish_against(marks, digit, target, size, pools, gone, &mut |fish| {
                    found_fish.extend((Make::of(marks, &fish) == self).then_some(fish));
                });
            }
        }
        found_fish
    }
}
