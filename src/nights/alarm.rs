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

use super::register::{Event, Tally};
use crate::coverage::numbers::chi_square_tail;

/// A difference that is less probable than this is an alarm.
const ALARM: f64 = 1e-4;

/// The number of nights that a comparison needs.
const FEWEST: usize = 5;

/// The differences of a night from the nights before, in words.
pub(super) fn alarms(levels: &Tally, ratings: &Tally, earlier: &[&Event]) -> Vec<String> {
    let nights = earlier.len();
    if nights < FEWEST {
        return Vec::new();
    }
    let mut earlier_levels = Tally::new();
    let mut earlier_ratings = Tally::new();
    for night in earlier {
        add(&mut earlier_levels, &night.levels);
        add(&mut earlier_ratings, &night.ratings);
    }
    let mut alarms = Vec::new();
    for (what, test, p) in [
        ("levels", "chi-squared test", homogeneity(levels, &earlier_levels)),
        ("ratings", "Kolmogorov-Smirnov test", distance(ratings, &earlier_ratings)),
    ] {
        if p < ALARM {
            alarms.push(format!("{what} differ from the last {nights} nights ({test}, p = {p:.1e})"));
        }
    }
    alarms
}

fn add(sums: &mut Tally, counts: &Tally) {
    for (value, count) in counts {
        *sums.entry(value.clone()).or_default() += count;
    }
}

/// How often a value occurs in this night, and in the nights before.
#[derive(Clone, Copy, Default)]
struct Pair {
    ours: f64,
    others: f64,
}

impl Pair {
    fn sum(self) -> f64 {
        self.ours + self.others
    }
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
    // The smaller sample has this share of both, so it is expected to have this share of each value.
    let smaller_share = n.min(m) / (n + m);
    let mut cells = Vec::new();
    let mut rare = Pair::default();
    for value in values {
        let pair = Pair { ours: count(ours, value), others: count(others, value) };
        if pair.sum() * smaller_share < 5.0 {
            rare = Pair { ours: rare.ours + pair.ours, others: rare.others + pair.others };
        } else {
            cells.push(pair);
        }
    }
    if rare.sum() * smaller_share >= 5.0 {
        cells.push(rare);
    }
    let term = |observed: f64, both: f64, size: f64| {
        let expected = both * size / (n + m);
        (observed - expected).powi(2) / expected
    };
    let value: f64 = cells.iter().map(|pair| term(pair.ours, pair.sum(), n) + term(pair.others, pair.sum(), m)).sum();
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
    // The shares of both up to a value: the test takes their largest difference.
    let mut shares = Pair::default();
    let mut largest = 0.0f64;
    for (_, value) in values {
        shares.ours += count(ours, value) / n;
        shares.others += count(others, value) / m;
        largest = largest.max((shares.ours - shares.others).abs());
    }
    let size = (n * m / (n + m)).sqrt();
    // The correction of Stephens for samples that are not large.
    let lambda = (size + 0.12 + 0.11 / size) * largest;
    // There the series converges slowly, and its value is 1 in all digits that are shown.
    if lambda < 0.2 {
        return 1.0;
    }
    let mut tail = 0.0;
    for k in (1..=100).map(f64::from) {
        let term = (-2.0 * k * k * lambda * lambda).exp();
        tail += if k % 2.0 == 1.0 { term } else { -term };
    }
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
    use crate::nights::Status;
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
        let event = |night| {
            let mut event = Event::new("2026-11-22".parse().unwrap(), Status::Ok);
            event.levels = drawn(night, 1000, 40);
            event.ratings = event.levels.clone();
            event
        };
        let events: Vec<Event> = (0..30).map(event).collect();
        let earlier: Vec<&Event> = events.iter().collect();
        for night in 100..120 {
            let same = drawn(night, 1000, 40);
            assert_eq!(alarms(&same, &same, &earlier), [""; 0], "{night}");
        }
        let other = drawn(7, 1000, 36);
        let raised = alarms(&other, &other, &earlier);
        assert_eq!(raised.len(), 2, "{raised:?}");
        assert!(raised[0].starts_with("levels differ from the last 30 nights (chi-squared test, p = "));
        // A level that is new, and too few nights for a comparison.
        let fresh = Tally::from([("beyond".to_owned(), 1000)]);
        assert_eq!(alarms(&fresh, &Tally::new(), &earlier).len(), 1);
        assert!(alarms(&fresh, &fresh, &earlier[..4]).is_empty());
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
