//! Chooses puzzles at random so that the probability of each is proportional to its weight, exp(log_weight).
//!
//! ```text
//!   first reading     for each quota, of n puzzles: the sum W of the weights of the rows that fit it
//!   key of a row      u / (1 - u) * (1 - p) / p,    p = n w / W, u a hash of its class in 0..1
//!   choice            the n rows with the smallest keys
//! ```
//! This is Pareto sampling (Rosén, "On sampling with probability proportional to size", 1997): the sample has a fixed
//! size, no row comes twice, and the probability of a row is p, but for an error that vanishes as n grows. So memory is
//! bounded, and the order of the rows changes nothing.

use std::collections::BTreeSet;

use crate::choice::quota::Quota;
use crate::choice::request::Request;
use crate::choice::rows::pool::{BATCH, Pool};
use crate::error::PublishError;
use sudoku_corpus_core::page::numbers::counted;

/// The weights of the rows that fit a quota: W of the formulas is `sum` times exp(`largest`).
#[derive(Clone, Debug)]
struct QuotaWeights {
    /// The logarithm of the largest weight, which is the unit of the sum. Minus infinity without rows.
    largest: f64,
    sum: f64,
    rows: u64,
    wanted: u64,
    name: String,
}

impl QuotaWeights {
    /// Without rows.
    fn new(quota: &Quota) -> QuotaWeights {
        QuotaWeights { largest: f64::NEG_INFINITY, sum: 0.0, rows: 0, wanted: quota.count, name: quota.name.clone() }
    }

    /// Adds a row by the logarithm of its weight. Weights may be too large for real numbers, so they are divided by the
    /// largest one so far.
    fn add(&mut self, log: f64) {
        if log > self.largest {
            self.sum *= (self.largest - log).exp();
            self.largest = log;
        }
        self.sum += (log - self.largest).exp();
        self.rows += 1;
    }

    /// The most puzzles that can be drawn: with more, the row with the largest weight would have to come twice.
    fn most(&self) -> u64 {
        (self.sum * (1.0 + 1e-9)) as u64
    }
}

/// The weights of the quotas of a request, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Weights(Vec<QuotaWeights>);

/// What is found in the rows of a pool besides their weights: reasons to refuse the choice.
#[derive(Default)]
struct Faults {
    /// Shape, method and plan of the rows.
    origins: BTreeSet<String>,
    without_weight: u64,
    has_overlap: bool,
}

impl Weights {
    /// Reads the weights of a pool.
    ///
    /// # Errors
    /// A row without a weight, or that fits two quotas; rows of several plans; a quota that needs more rows.
    pub(crate) fn of(pool: &Pool, request: &Request, quotas: &[Quota]) -> Result<Weights, PublishError> {
        let refused = |reason: String| Err(PublishError::Request(format!("--pick weighted: {reason}")));
        let has_rest = quotas.len() > request.quotas.len();
        if request.is_all() || has_rest && !request.quotas.is_empty() {
            return refused("the number of puzzles must be given by --count, or by quotas alone".to_owned());
        }
        let mut weights = Weights(quotas.iter().map(QuotaWeights::new).collect());
        let Faults { origins, without_weight, has_overlap } = weights.add_rows(pool, request, quotas)?;
        if without_weight > 0 {
            return refused(format!(
                "{} without a weight: dig the pool with --plan controlled-bias, or with --weight; without symmetry or level",
                counted(without_weight, "row")
            ));
        }
        if origins.len() > 1 {
            let names = origins.into_iter().take(4).collect::<Vec<_>>().join(", ");
            return refused(format!("the pool mixes {names}; their weights cannot be compared"));
        }
        if has_overlap {
            return refused("a puzzle fits two quotas".to_owned());
        }
        match shortage(&weights.0) {
            Some(reason) => refused(reason),
            None => Ok(weights),
        }
    }

    fn add_rows(&mut self, pool: &Pool, request: &Request, quotas: &[Quota]) -> Result<Faults, PublishError> {
        let conditions: Vec<String> = quotas.iter().map(|quota| format!("({})", quota.condition)).collect();
        let origin = "coalesce(shape, '') || ' ' || coalesce(method, '') || ' ' || coalesce(plan, '') AS origin";
        let sql =
            format!("SELECT log_weight, {origin}, {} FROM puzzles WHERE {}", conditions.join(", "), request.filter());
        let mut faults = Faults::default();
        // The answer has the column 0 of weights, the column 1 of origins, and then a column of flags for each quota.
        for batch in pool.batches(BATCH) {
            let answer = batch.ask(&sql)?;
            let logs = answer.reals(0).map_err(batch.wrong())?;
            answer
                .texts(1, |text| _ = faults.origins.insert(text.unwrap_or_default().to_owned()))
                .map_err(batch.wrong())?;
            let mut has_quota = vec![false; logs.len()];
            for (number, quota) in self.0.iter_mut().enumerate() {
                for (row, fits) in answer.flags(2 + number).map_err(batch.wrong())?.into_iter().enumerate() {
                    if !fits {
                        continue;
                    }
                    faults.has_overlap |= has_quota[row];
                    has_quota[row] = true;
                    match logs[row].filter(|log| log.is_finite()) {
                        Some(log) => quota.add(log),
                        None => faults.without_weight += 1,
                    }
                }
            }
        }
        Ok(faults)
    }

    /// The key of a row in a quota, by the logarithm of its weight and its hash in 0..1. Bits of positive numbers have
    /// the order of the numbers.
    pub(crate) fn key(&self, quota: usize, log_weight: f64, uniform: f64) -> u64 {
        let quota = &self.0[quota];
        let p = (quota.wanted as f64 * (log_weight - quota.largest).exp() / quota.sum).clamp(f64::MIN_POSITIVE, 1.0);
        (uniform / (1.0 - uniform) * ((1.0 - p) / p)).max(0.0).to_bits()
    }
}

/// What is missing and what to do, if some quota cannot be drawn. At most four of them are named.
fn shortage(quotas: &[QuotaWeights]) -> Option<String> {
    let mut reasons = Vec::new();
    // The part of its puzzles that the shortest quota can have.
    let mut least_part = f64::INFINITY;
    for quota in quotas.iter().filter(|quota| quota.wanted > quota.most()) {
        least_part = least_part.min(quota.most() as f64 / quota.wanted as f64);
        let name = if quota.name.is_empty() { String::new() } else { format!(" of '{}'", quota.name) };
        reasons.push(format!(
            "wanted{name}: {}, but the weights of {} allow {}",
            counted(quota.wanted, "puzzle"),
            counted(quota.rows, "row"),
            quota.most()
        ));
    }
    if reasons.is_empty() {
        return None;
    }
    reasons.truncate(4);
    let advice = match least_part {
        0.0 => "make a larger pool".to_owned(),
        part => format!(
            "make about {:.0} times as many rows, or ask for {:.0} % of the puzzles",
            (1.0 / part).ceil(),
            (100.0 * part).floor()
        ),
    };
    Some(format!("{}: {advice}", reasons.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_weights(weights: &[f64], wanted: u64) -> Weights {
        let mut quota = QuotaWeights { largest: f64::NEG_INFINITY, sum: 0.0, rows: 0, wanted, name: "hard".to_owned() };
        weights.iter().for_each(|weight| quota.add(weight.ln()));
        Weights(vec![quota])
    }

    #[test]
    fn every_row_is_drawn_in_proportion_to_its_weight() {
        use crate::choice::order::{random_keys, uniform};
        let weights: Vec<f64> = (0..400).map(|at| f64::from(at % 4 + 1)).collect();
        let quotas = of_weights(&weights, 40);
        let mut drawn = [0u32; 4];
        for seed in 0..1000 {
            let mut keys: Vec<(u64, usize)> = weights
                .iter()
                .enumerate()
                .map(|(at, weight)| (quotas.key(0, weight.ln(), uniform(random_keys(seed, at as u128)[0])), at))
                .collect();
            keys.sort_unstable();
            keys[..40].iter().for_each(|&(_, at)| drawn[at % 4] += 1);
        }
        for (drawn, weight) in drawn.into_iter().zip(1..) {
            // 100 rows of this weight, in each of 1,000 samples.
            let expected = 40.0 * f64::from(weight) / 1000.0;
            assert!((f64::from(drawn) / 100_000.0 / expected - 1.0).abs() < 0.03, "{weight}: {drawn}");
        }
    }

    #[test]
    fn a_row_that_would_come_twice_is_told() {
        assert_eq!(shortage(&of_weights(&[1.0; 50], 50).0), None);
        let told = shortage(&of_weights(&[9.0, 1.0, 1.0, 1.0], 3).0).unwrap();
        assert!(told.contains("wanted of 'hard': 3 puzzles, but the weights of 4 rows allow 1"), "{told}");
        assert!(told.contains("about 3 times as many rows, or ask for 33 %"), "{told}");
        assert!(shortage(&of_weights(&[], 1).0).unwrap().contains("larger pool"));
    }
}
