//! Templates: all ways to place one digit on the board.
//!
//! ```text
//!   . # . | . . .        a template has one place in every row, column and box,
//!   . . . | # . .        where the digit already stands or is still possible
//! ```
//!
//! If all templates of a digit share a place, that place is taken, and templates of other digits with this place are
//! dropped. This is repeated until no more templates can be dropped. Then:
//!
//! * **Template Set**: the digit goes to a place that all its templates have.
//! * **Template Delete**: the digit is removed from a place that none of its templates has.
//!
//! Reference: Sudopedia, "Templating"; HoDoKu, Miscellaneous: Templates.
//!
//! *Limit*: nothing is found while a digit has more than [`MOST_TEMPLATES`] templates. On boards up to 9x9 whose boxes
//! have more than one row and column, no digit has more.

use crate::board::{Candidates, CellSet, Digit, Digits, House};

use crate::ladder::words::sink::{Pattern, Sink};

/// The most templates of one digit. On an empty 9x9 board every digit has 46,656.
const MOST_TEMPLATES: usize = 46_656;

/// The templates of a digit: the ways to place it on the whole board.
struct Templates<S> {
    digit: Digit,
    all: Vec<S>,
    /// The places that all templates have.
    common: S,
    /// The places that some template has.
    union: S,
}

/// Offers every place that all templates of its digit have.
pub(crate) fn template_sets<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for Templates { digit, common, .. } in templates(marks).into_iter().filter(|templates| !templates.all.is_empty()) {
        for cell in common.cells() {
            sink.place(cell, digit, 0, || Pattern::of(Digits::only(digit), [cell]));
        }
    }
}

/// Offers what no template of its digit has.
pub(crate) fn template_deletes<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for Templates { digit, union, .. } in templates(marks).into_iter().filter(|templates| !templates.all.is_empty()) {
        let out = marks.of_digit(digit) - union;
        sink.eliminate_one(digit, out, || Pattern::of(Digits::only(digit), union.cells()));
    }
}

/// The templates of every digit that is not yet complete. Empty when there are too many.
fn templates<S: CellSet>(marks: &Candidates<S>) -> Vec<Templates<S>> {
    let mut templates_by_digit = Vec::new();
    for digit in Digits::all(marks.order()).iter().filter(|&digit| !marks.of_digit(digit).is_empty()) {
        let rows = (0..marks.order()).map(|row| marks.of_digit(digit) & marks.house(House::new(row)));
        let rows: Vec<S> = rows.filter(|row| !row.is_empty()).collect();
        let mut all = Vec::new();
        descend(marks, &rows, marks.of_digit(digit), S::empty(), &mut all);
        if all.len() > MOST_TEMPLATES {
            return Vec::new();
        }
        templates_by_digit.push(Templates::new(digit, all));
    }
    while drop_overlapping(&mut templates_by_digit) {}
    templates_by_digit
}

impl<S: CellSet> Templates<S> {
    fn new(digit: Digit, all: Vec<S>) -> Templates<S> {
        let common = all.iter().copied().reduce(|common, template| common & template).unwrap_or_default();
        let union = all.iter().fold(S::empty(), |union, &template| union | template);
        Templates { digit, all, common, union }
    }

    fn avoid(&mut self, taken: S) {
        let mut all = std::mem::take(&mut self.all);
        all.retain(|template| !template.meets(taken));
        *self = Templates::new(self.digit, all);
    }
}

/// Adds the templates with `chosen`, row by row; `free` are the cells that see none of these.
fn descend<S: CellSet>(marks: &Candidates<S>, rows: &[S], free: S, chosen: S, templates: &mut Vec<S>) {
    let Some((&places, rest)) = rows.split_first() else {
        templates.push(chosen);
        return;
    };
    for cell in (places & free).cells() {
        if templates.len() <= MOST_TEMPLATES {
            descend(marks, rest, free - marks.peers(cell), chosen | S::only(cell), templates);
        }
    }
}

/// Drops the templates with a place that all templates of another digit have. False when there are none.
fn drop_overlapping<S: CellSet>(templates_by_digit: &mut [Templates<S>]) -> bool {
    let mut is_changed = false;
    for index in 0..templates_by_digit.len() {
        let templates = &templates_by_digit[index];
        let rivals = templates_by_digit.iter().filter(|rival| rival.digit != templates.digit);
        let taken = rivals.fold(S::empty(), |taken, rival| taken | rival.common);
        if templates.union.meets(taken) {
            templates_by_digit[index].avoid(taken);
            is_changed = true;
        }
    }
    is_changed
}
