//! Weighted shares of rows, from weights that are known by their logarithms.

use std::collections::BTreeMap;

/// Sums of weights, for each number of givens, that are known by their logarithms. They are kept as multiples of the
/// largest one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    rows: u64,
    largest: f64,
    sums: BTreeMap<u64, f64>,
    squares: f64,
}

impl Weights {
    pub(super) fn add(&mut self, givens: u64, log: Option<f64>) {
        let Some(log) = log.filter(|log| log.is_finite()) else { return };
        if self.rows == 0 || log > self.largest {
            self.scale(log);
        }
        let weight = (log - self.largest).exp();
        self.rows += 1;
        *self.sums.entry(givens).or_default() += weight;
        self.squares += weight * weight;
    }

    /// Makes another weight the unit.
    fn scale(&mut self, largest: f64) {
        let factor = if self.rows == 0 { 1.0 } else { (self.largest - largest).exp() };
        self.sums.values_mut().for_each(|sum| *sum *= factor);
        self.squares *= factor * factor;
        self.largest = largest;
    }

    pub(super) fn merge(&mut self, other: &Weights) {
        if other.rows == 0 {
            return;
        }
        if self.rows == 0 || other.largest > self.largest {
            self.scale(other.largest);
        }
        let factor = (other.largest - self.largest).exp();
        other.sums.iter().for_each(|(&givens, sum)| *self.sums.entry(givens).or_default() += sum * factor);
        self.squares += other.squares * factor * factor;
        self.rows += other.rows;
    }

    /// The weighted share of each number of givens; none without weights.
    pub fn shares(&self) -> Option<BTreeMap<u64, f64>> {
        let all: f64 = self.sums.values().sum();
        (all > 0.0).then(|| self.sums.iter().map(|(&givens, sum)| (givens, sum / all)).collect())
    }

    /// Rows of equal weight that would say as much: (sum of weights)^2 / sum of squares (Kish).
    pub fn effective_rows(&self) -> f64 {
        self.sums.values().sum::<f64>().powi(2) / self.squares
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_any_size_give_shares() {
        let mut weights = Weights::default();
        for (givens, log) in
            [(24, Some(-5000.0)), (24, Some(1000.0)), (25, Some(1000.0)), (26, None), (27, Some(f64::NAN))]
        {
            weights.add(givens, log);
        }
        let shares = weights.shares().unwrap();
        assert!(shares.len() == 2 && (shares[&24] - 0.5).abs() < 1e-12 && (shares[&25] - 0.5).abs() < 1e-12);
        assert!((weights.effective_rows() - 2.0).abs() < 1e-9);
        assert_eq!(Weights::default().shares(), None);
    }
}
