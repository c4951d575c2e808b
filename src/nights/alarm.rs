//! Compares a night with the last thirty finished nights. With fewer than five there is no comparison.
//!
//! | what | test |
//! |---|---|
//! | levels | Pearson's chi-squared test of homogeneity: this night against the others together |
//! | ratings (ER) | the two-sample test of Kolmogorov and Smirnov, with the asymptotic distribution |
//!
//! Each of the two tests raises a false alarm in one night of ten thousand, so a nightly run has one about once in
//! fourteen years. Ties make the second test cautious. A night after a change of the recipe can differ from the nights
//! before the change. An alarm is then intended.

use super::register::Tally;
use crate::coverage::numbers::chi_square_tail;

/// A difference that is less probable than this is an alarm.
const ALARM: f64 = 1e-4;

/// The number of nights that a comparison needs.
const FEWEST: usize = 5;

/// The differences from the nights before, in words.
pub(super) fn alarms(levels: &Tally, ratings: &Tally, earlier: Vec<(&Tally, &Tally)>) -> Vec<String> {
    if earlier.len() < FEWEST {
        return Vec::new();
    }
    let sum = |counts: &mut dyn Iterator<Item = &Tally>| {
        let mut all = Tally::new();
        counts.flatten().for_each(|(value, count)| *all.entry(value.clone()).or_default() += count);
        all
    };
    let nights = earlier.len();
    let tests = [
        ("levels", "chi-squared test", homogeneity(levels, &sum(&mut earlier.iter().map(|(levels, _)| *levels)))),
        (
            "ratings",
            "Kolmogorov-Smirnov test",
            distance(ratings, &sum(&mut earlier.iter().map(|(_, ratings)| *ratings))),
        ),
    ];
    let unlikely = tests.into_iter().filter(|(_, _, p)| *p < ALARM);
    unlikely
        .map(|(what, test, p)| format!("{what} differ from the last {nights} nights ({test}, p = {p:.1e})"))
        .collect()
}

/// Pearson's chi-squared test: the probability of a difference at least as large if both have the same distribution.
/// Values that are expected less than five times are counted together. If even together they are expected less than
/// five times, they are left out.
fn homogeneity(ours: &Tally, others: &Tally) -> f64 {
    let (n, m) = (total(ours), total(others));
    if n == 0.0 || m == 0.0 {
        return 1.0;
    }
    let mut values: Vec<&String> = ours.keys().chain(others.keys()).collect();
    values.sort_unstable();
    values.dedup();
    let share = n.min(m) / (n + m);
    let (mut cells, mut rare) = (Vec::new(), (0.0, 0.0));
    for value in values {
        let pair = (count(ours, value), count(others, value));
        if (pair.0 + pair.1) * share < 5.0 {
            rare = (rare.0 + pair.0, rare.1 + pair.1);
        } else {
            cells.push(pair);
        }
    }
    if (rare.0 + rare.1) * share >= 5.0 {
        cells.push(rare);
    }
    let term = |seen: f64, both: f64, size: f64| {
        let expected = both * size / (n + m);
        (seen - expected).powi(2) / expected
    };
    let value: f64 = cells.iter().map(|&(a, b)| term(a, a + b, n) + term(b, a + b, m)).sum();
    chi_square_tail(value, cells.len() as f64 - 1.0)
}

/// The test of Kolmogorov and Smirnov for numbers: the probability of a distance at least as large if both have the
/// same distribution.
fn distance(ours: &Tally, others: &Tally) -> f64 {
    let (n, m) = (total(ours), total(others));
    if n == 0.0 || m == 0.0 {
        return 1.0;
    }
    let mut values: Vec<(f64, &String)> =
        ours.keys().chain(others.keys()).filter_map(|value| Some((value.parse().ok()?, value))).collect();
    values.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    values.dedup();
    let (mut below, mut largest) = ((0.0, 0.0), 0.0f64);
    for (_, value) in values {
        below = (below.0 + count(ours, value) / n, below.1 + count(others, value) / m);
        largest = largest.max((below.0 - below.1).abs());
    }
    let size = (n * m / (n + m)).sqrt();
    // The correction of Stephens for samples that are not large.
    let lambda = (size + 0.12 + 0.11 / size) * largest;
    // There the series converges slowly, and its value is 1 in all digits that are shown.
    if lambda < 0.2 {
        return 1.0;
    }
    let tail: f64 = (1..=100).map(f64::from).fold(0.0, |sum, k| {
        let term = (-2.0 * k * k * lambda * lambda).exp();
        if k % 2.0 == 1.0 { sum + term } else { sum - term }
    });
    (2.0 * tail).clamp(0.0, 1.0)
}

fn total(counts: &Tally) -> f64 {
    counts.values().sum::<u64>() as f64
}

fn count(counts: &Tally, value: &str) -> f64 {
    counts.get(value).copied().unwrap_or(0) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Rng, Stage};

    /// Draws from a triangle distribution on 0 .. width.
    fn drawn(seed: u64, draws: u64, width: usize) -> Tally {
        let mut counts = Tally::new();
        for index in 0..draws {
            let mut rng = Rng::new(seed, index, Stage::Bench, 3);
            *counts.entry((rng.below(width).max(rng.below(width))).to_string()).or_default() += 1;
        }
        counts
    }

    #[test]
    fn nights_alike_raise_no_alarm_and_others_do() {
        let earlier: Vec<Tally> = (0..30).map(|night| drawn(night, 1000, 40)).collect();
        let pairs = || earlier.iter().map(|counts| (counts, counts)).collect::<Vec<_>>();
        for night in 100..120 {
            let same = drawn(night, 1000, 40);
            assert_eq!(alarms(&same, &same, pairs()), [""; 0], "{night}");
        }
        let other = drawn(7, 1000, 36);
        let raised = alarms(&other, &other, pairs());
        assert_eq!(raised.len(), 2, "{raised:?}");
        assert!(raised[0].starts_with("levels differ from the last 30 nights (chi-squared test, p = "));
        // A level that is new, and too few nights for a comparison.
        let fresh = Tally::from([("beyond".to_owned(), 1000)]);
        assert_eq!(alarms(&fresh, &Tally::new(), pairs()).len(), 1);
        assert!(alarms(&fresh, &fresh, pairs()[..4].to_vec()).is_empty());
    }

    /// Without a difference, both probabilities are uniform.
    #[test]
    fn probabilities_are_those_of_the_tests() {
        let p: Vec<(f64, f64)> = (0..300)
            .map(|night| {
                let (ours, others) = (drawn(2 * night, 400, 30), drawn(2 * night + 1, 4000, 30));
                (homogeneity(&ours, &others), distance(&ours, &others))
            })
            .collect();
        for (low, high) in [(0.1, 0.1), (0.5, 0.5)] {
            let below = |pick: fn(&(f64, f64)) -> f64| p.iter().filter(|p| pick(p) < low).count() as f64 / 300.0;
            let (chi, ks) = (below(|p| p.0), below(|p| p.1));
            assert!((chi - high).abs() < 0.09, "chi-squared: {chi} below {low}");
            // Ties make the test cautious.
            assert!(ks < high + 0.09, "Kolmogorov-Smirnov: {ks} below {low}");
        }
    }
}
