//! Counts of the columns `effort_...`: the values of each, and each of them together with the ratings in [`BESIDE`].

use std::sync::LazyLock;

use super::crossed::Crossed;
use super::stats::{Joint, Tally};
use crate::corpus::{COLUMNS, Record, Value};

/// The ratings that the numbers of effort are compared with.
pub(super) const BESIDE: [Crossed; 3] = [Crossed::Er, Crossed::W, Crossed::Score];

/// The columns of effort: their places in [`COLUMNS`].
static PLACES: LazyLock<Vec<usize>> =
    LazyLock::new(|| (0..COLUMNS.len()).filter(|&at| COLUMNS[at].name.starts_with("effort_")).collect());

#[derive(Clone, Debug, Default)]
pub struct Measured {
    pub values: Tally,
    /// Its values together with those of [`BESIDE`].
    pub beside: [Joint; BESIDE.len()],
}

/// All numbers of effort, in the order of the columns; empty as long as no row has one.
#[derive(Clone, Debug, Default)]
pub struct Efforts(Vec<Measured>);

impl Efforts {
    /// Counts a row.
    pub(super) fn add(&mut self, record: &Record) {
        for (at, &column) in PLACES.iter().enumerate() {
            let Value::Unsigned(value) = COLUMNS[column].get(record) else { continue };
            self.0.resize_with(PLACES.len(), Measured::default);
            self.0[at].values.add(value);
            for (joint, scale) in self.0[at].beside.iter_mut().zip(BESIDE) {
                scale.of(record).into_iter().for_each(|other| joint.add(value, other));
            }
        }
    }

    /// Adds the counts of other rows.
    pub(super) fn merge(&mut self, other: &Efforts) {
        self.0.resize_with(self.0.len().max(other.0.len()), Measured::default);
        for (all, more) in self.0.iter_mut().zip(&other.0) {
            all.values.merge(&more.values);
            all.beside.iter_mut().zip(&more.beside).for_each(|(all, more)| all.merge(more));
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Measured)> {
        PLACES.iter().map(|&column| &*COLUMNS[column].name).zip(&self.0)
    }
}
