//! Finds the candidates of a digit that belong to no template.
//!
//! ```text
//!   . d | . d        a template: one cell in every house that lacks the digit
//!   d . | . .        r1c2 goes with r2c1 ...; a cell that is in no template is outside
//! ```
//!
//! A fish, a chain or a colouring of one digit is an argument about that digit alone. So it can only remove candidates
//! that are outside all templates of the digit. Large families of fish look at these candidates only. If a digit has
//! none, as is usual, no technique of one digit can find anything for it: see [`digits_worth_searching`].
//!
//! A search finds one template and marks all its cells as possible. A few searches settle a digit. Boards with 3x3
//! boxes need no search: see [`templates`]. Reference: Sudopedia, "Templates".

use super::common::{has_at_least, lacks};
use crate::board::candidates::{Houses, LastingCells};
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, Shape, templates};

/// The number of positions that the search for one template may visit. A cell that is not settled by then counts as
/// outside; techniques then look at it, which only costs time.
const BUDGET: u32 = 2_000;

/// The candidates of a digit that are in no template of it. May include cells that were too costly to settle. The
/// result is kept until a candidate of the digit is removed.
pub(crate) fn outside_templates<S: CellSet>(marks: &Candidates<S>, digit: Digit) -> S {
    marks.cached(digit, || {
        if marks.shape() != Shape::NINE {
            return searched(marks, digit);
        }
        let places = marks.of_digit(digit);
        places - S::from_low(templates::possible((places | marks.placed(digit)).low()))
    })
}

/// [`outside_templates`] for any board, by searches. A template lasts until one of its cells goes, and what is in none
/// never gets into one. So after the first time few searches are left.
fn searched<S: CellSet>(marks: &Candidates<S>, digit: Digit) -> S {
    let (places, mut lasting) = (marks.of_digit(digit), marks.lasting().borrow_mut());
    let area = places | marks.placed(digit);
    lasting.retain(|kept| kept.digit != digit || !kept.is_template || kept.cells.within(area));
    // Those that are in a template, and those that are in none.
    let (mut possible, mut outside) = (S::empty(), S::empty());
    for kept in lasting.iter().filter(|kept| kept.digit == digit) {
        let side = if kept.is_template { &mut possible } else { &mut outside };
        *side = *side | kept.cells;
    }
    let houses = marks.sets().layout().houses().filter(|&house| lacks(marks, digit, house));
    let lacking = houses.fold(0, |lacking, house| lacking | 1 << house.index());
    for cell in places.cells() {
        if !(possible | outside).contains(cell) {
            let template = TemplateSearch { marks, left: BUDGET }.with(cell, places, lacking);
            match template {
                Some(template) => possible = possible | template,
                None => outside = outside | S::only(cell),
            }
            let cells = template.unwrap_or(S::only(cell));
            lasting.push(LastingCells { digit, is_template: template.is_some(), cells });
        }
    }
    places - possible
}

/// The digits for which a technique of one digit may find something: those with a candidate outside all templates. On
/// boards above 16x16 these are all digits, because the test would cost more than it saves.
pub(crate) fn digits_worth_searching<S: CellSet>(marks: &Candidates<S>) -> Digits {
    let digits = Digits::all(marks.order());
    if marks.order() > 16 || marks.is_broken() {
        return digits;
    }
    digits.iter().filter(|&digit| !outside_templates(marks, digit).is_empty()).collect()
}

struct TemplateSearch<'a, S: 'static> {
    marks: &'a Candidates<S>,
    /// The positions that may still be visited.
    left: u32,
}

impl<S: CellSet> TemplateSearch<'_, S> {
    /// A template with this cell and with cells of `open` in the houses that lack the digit, apart from its own.
    fn with(&mut self, cell: Cell, open: S, lacking: u128) -> Option<S> {
        self.left = self.left.checked_sub(1)?;
        let lacking = self.marks.sets().houses_of(cell).fold(lacking, |all, house| all & !(1 << house.index()));
        let open = open - self.marks.peers(cell) - S::only(cell);
        let Some(places) = self.narrowest(open, lacking) else { return Some(S::only(cell)) };
        places.cells().find_map(|next| self.with(next, open, lacking)).map(|rest| rest | S::only(cell))
    }

    /// The places in the house with the fewest. None when no house lacks the digit.
    fn narrowest(&self, open: S, lacking: u128) -> Option<S> {
        let mut houses = Houses(lacking).iter().map(|house| open & self.marks.house(house));
        let mut best = houses.next()?;
        let mut fewest = best.len();
        while fewest > 1
            && let Some(places) = houses.find(|&places| !has_at_least(places, fewest))
        {
            (best, fewest) = (places, places.len());
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Grid, Narrow, Puzzle};
    use crate::random::{Rng, Stage};

    #[test]
    fn a_cell_is_outside_when_no_template_holds_it() {
        let blank = Puzzle::try_from(Grid::blank(Shape::NINE)).unwrap();
        let mut marks = Candidates::<Narrow>::new(&blank);
        let digit = Digit::new(4);
        assert!(outside_templates(&marks, digit).is_empty());
        // An X-Wing in rows 1 and 5, columns 2 and 8: the rest of these columns is outside.
        for row in [0, 4] {
            for column in (0..9).filter(|column| ![1, 7].contains(column)) {
                marks.eliminate(Cell::at(Shape::NINE, row, column), digit);
            }
        }
        let rest = (0..9).filter(|row| ![0, 4].contains(row));
        let expected = rest.flat_map(|row| [1, 7].map(|column| Cell::at(Shape::NINE, row, column)));
        assert_eq!(outside_templates(&marks, digit), Narrow::of(expected));
        assert!(outside_templates(&marks, Digit::new(5)).is_empty());
    }

    #[test]
    fn on_nine_by_nine_bits_and_searches_agree() {
        let mut rng = Rng::new(9, 0, Stage::Bench, 0);
        let (mut compared, mut some) = (0, 0);
        for _ in 0..60 {
            let mut marks = Candidates::<Narrow>::new(&Puzzle::try_from(Grid::blank(Shape::NINE)).unwrap());
            while !marks.is_broken() && !marks.open().is_empty() {
                let cells: Vec<Cell> = marks.open().cells().collect();
                let cell = rng.choose(&cells);
                let digits: Vec<Digit> = marks.of_cell(cell).iter().collect();
                match rng.below(9) {
                    0 => marks.place(cell, rng.choose(&digits)),
                    _ => marks.eliminate(cell, rng.choose(&digits)),
                }
                for digit in Digits::all(9).iter().filter(|_| !marks.is_broken()) {
                    let outside = outside_templates(&marks, digit);
                    assert_eq!(outside, searched(&marks, digit), "{digit:?} in {:?}", marks.of_digit(digit));
                    compared += 1;
                    some += usize::from(!outside.is_empty());
                }
            }
        }
        assert!(compared > 10_000 && some > 1_000, "{some} of {compared}");
    }
}
