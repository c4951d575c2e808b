//! Makes histograms of integers, in bins whose edges are round numbers.
//!
//! ```text
//!   bins     few values     one bin for each value            21 22 23 24 25
//!            many values    bins of a width 1, 2, 5, 10, ...  0-4 5-9 10-14
//!   rounds                  bins that become wider            0 1 2-4 5-9 10-19
//! ```

use super::answer::shown;
use crate::study::numbers::Number;
use crate::study::tally::{Joint, Tally};

/// A bin: values from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bin {
    pub first: u64,
    pub last: u64,
}

impl Bin {
    /// Its name: 5, or 5–9.
    pub(super) fn name(self, number: Number) -> String {
        match self {
            Bin { first, last } if first == last => shown(number, first),
            Bin { first, last } => format!("{}\u{2013}{}", shown(number, first), shown(number, last)),
        }
    }
}

/// 1, 2, 5, 10, 20, ...
fn round_numbers() -> impl Iterator<Item = u64> {
    (0..20).flat_map(|power| [1, 2, 5].map(|factor| 10u64.saturating_pow(power).saturating_mul(factor)))
}

/// At most `most` bins that cover all values. Their width is a round number. Empty for an empty tally.
pub(super) fn bins(tally: &Tally, most: u64) -> Vec<Bin> {
    let (Some(first), Some(last)) = (tally.min(), tally.max()) else { return Vec::new() };
    let Some(width) = round_numbers().find(|width| last / width - first / width < most.max(1)) else {
        return vec![Bin { first: 0, last: u64::MAX }];
    };
    let mut bins = Vec::new();
    for number in first / width..=last / width {
        let start = number * width;
        bins.push(Bin { first: start, last: start.saturating_add(width - 1) });
    }
    bins
}

/// Bins from 1, 2 and 5 times a power of ten to the next of these, for all values: 0, 1, 2-4, 5-9, 10-19.
pub(super) fn rounds(tally: &Tally) -> Vec<Bin> {
    let (Some(smallest), Some(largest)) = (tally.min(), tally.max()) else { return Vec::new() };
    let edges: Vec<u64> = std::iter::once(0).chain(round_numbers()).collect();
    let mut bins = Vec::new();
    for pair in edges.windows(2) {
        let bin = Bin { first: pair[0], last: pair[1].saturating_sub(1) };
        // The largest round numbers are all `u64::MAX`, so a bin between two of them is empty.
        let is_empty = bin.last < bin.first;
        if !is_empty && bin.last >= smallest && bin.first <= largest {
            bins.push(bin);
        }
    }
    bins
}

/// How many values lie in each bin. The bins must be in order. Values between two bins count in the next one, values
/// after all bins in the last one.
pub(super) fn counted(tally: &Tally, bins: &[Bin]) -> Vec<u64> {
    let mut counts = vec![0; bins.len()];
    for (value, count) in tally.iter() {
        let place = bins.partition_point(|bin| bin.last < value).min(bins.len().saturating_sub(1));
        if let Some(sum) = counts.get_mut(place) {
            *sum += count;
        }
    }
    counts
}

/// A bin of x with the values of y.
pub(super) struct BinColumn {
    pub bin: Bin,
    pub tally: Tally,
}

/// The values of y for each bin of x. The bins must be in order and cover all values; none only if there are no values.
pub(super) fn columns(joint: &Joint, bins: Vec<Bin>) -> Vec<BinColumn> {
    let mut columns: Vec<BinColumn> = bins.into_iter().map(|bin| BinColumn { bin, tally: Tally::default() }).collect();
    for (x, tally) in joint.iter() {
        let place = columns.partition_point(|column| column.bin.last < x).min(columns.len() - 1);
        columns[place].tally.merge(tally);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(values: impl IntoIterator<Item = u64>) -> Tally {
        let mut tally = Tally::default();
        values.into_iter().for_each(|value| tally.add(value));
        tally
    }

    #[test]
    fn bins_are_as_narrow_as_allowed_and_hold_all_values() {
        let named =
            |bins: Vec<Bin>| bins.into_iter().map(|bin| bin.name(Number::GUESSES)).collect::<Vec<_>>().join(" ");
        let names = |tally: &Tally, most| named(bins(tally, most));
        assert_eq!(names(&tally([21, 25]), 10), "21 22 23 24 25");
        assert_eq!(names(&tally([3, 12]), 4), "0\u{2013}4 5\u{2013}9 10\u{2013}14");
        assert_eq!(names(&tally([7]), 1), "7");
        assert!(bins(&Tally::default(), 5).is_empty());
        let names = |values: &[u64]| named(rounds(&tally(values.iter().copied())));
        assert_eq!(names(&[0, 7]), "0 1 2\u{2013}4 5\u{2013}9");
        assert_eq!(names(&[450, 1999]), "200\u{2013}499 500\u{2013}999 1,000\u{2013}1,999");
        for values in [vec![0, 1, 5000], vec![17, 17, 64], vec![u64::MAX, 3], (0..500).collect()] {
            let tally = tally(values.clone());
            for most in [1, 4, 14, 40] {
                let bins = bins(&tally, most);
                assert!(bins.len() as u64 <= most, "{most}: {}", bins.len());
                assert_eq!(counted(&tally, &bins).iter().sum::<u64>(), values.len() as u64);
            }
        }
    }
}
