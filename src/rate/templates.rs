//! Templates: all ways of placing one digit in the whole board.
//!
//! ```text
//!   . # . | . . .        a template has one place in every row, column and box,
//!   . . . | # . .        where the digit stands already or is still possible
//! ```
//!
//! A template of one digit that meets every template of another is none: two digits need places of their own. What is
//! left when no more can be dropped counts.
//!
//! * **Template Set**: a place that all templates of a digit have takes the digit.
//! * **Template Delete**: a place that no template of a digit has does not take it.
//!
//! Reference: Sudopedia, "Templating"; HoDoKu, Miscellaneous: Templates.
//!
//! *Limit*: nothing is found while a digit has more than [`MOST_TEMPLATES`] templates.

use crate::board::{Candidates, CellSet, Digit, Digits, House};

use super::sink::{Pattern, Sink};

/// Templates of one digit. An empty 9x9 board has 46,656 for each.
const MOST_TEMPLATES: usize = 10_000;

/// Every digit's places that all its templates share.
pub fn template_sets<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for (digit, templates) in templates(marks) {
        let common = templates.iter().copied().reduce(|common, template| common & template).unwrap_or_default();
        for cell in common.cells() {
            let pattern = || Pattern { digits: Digits::only(digit), cells: vec![cell], ..Pattern::default() };
            sink.place(cell, digit, 0, pattern);
        }
    }
}

/// For each digit the places that none of its templates has.
pub fn template_deletes<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for (digit, templates) in templates(marks) {
        let union = templates.iter().fold(S::empty(), |union, &template| union | template);
        let out = marks.of_digit(digit) - union;
        if !templates.is_empty() && !out.is_empty() {
            let cells = || union.cells().collect();
            let pattern = || Pattern { digits: Digits::only(digit), cells: cells(), ..Pattern::default() };
            sink.eliminate(&[(digit, out)], pattern);
        }
    }
}

/// The templates of every digit that is not yet complete; nothing when there are too many.
fn templates<S: CellSet>(marks: &Candidates<S>) -> Vec<(Digit, Vec<S>)> {
    let mut all = Vec::new();
    for digit in Digits::all(marks.order()).filter(|&digit| !marks.of_digit(digit).is_empty()) {
        let row = |row: usize| marks.of_digit(digit) & marks.house(House::new(row));
        let rows: Vec<S> = (0..marks.order()).map(row).filter(|row| !row.is_empty()).collect();
        let mut templates = Vec::new();
        descend(marks, &rows, marks.of_digit(digit), S::empty(), &mut templates);
        if templates.len() > MOST_TEMPLATES {
            return Vec::new();
        }
        all.push((digit, templates));
    }
    while drop_lonely(&mut all) {}
    all
}

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

/// Drops the templates that meet every template of some other digit; false when there are none.
fn drop_lonely<S: CellSet>(all: &mut [(Digit, Vec<S>)]) -> bool {
    let mut dropped = false;
    for at in 0..all.len() {
        let (_, mut templates) = (all[at].0, std::mem::take(&mut all[at].1));
        let before = templates.len();
        let fits = |template: &S| {
            let mut others = all.iter().enumerate().filter(|&(other, _)| other != at);
            others.all(|(_, (_, others))| others.iter().any(|other| !other.meets(*template)))
        };
        templates.retain(fits);
        dropped |= templates.len() < before;
        all[at].1 = templates;
    }
    dropped
}
