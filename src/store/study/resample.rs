//! Chooses a few rows of a large weighted corpus, so that they *are* a sample of all minimal puzzles.
//!
//! ```text
//!   pool of weighted rows -> strata of givens -> each gets its share of the rows wanted
//!                                             -> systematic draw in proportion to weight inside the stratum
//! ```
//!
//! The shares of the strata are published ([`PUBLISHED`]) or measured on the pool. Puzzles need not be rated before
//! they are chosen, so the pool may be a thousand times larger than the sample. The choice depends only on the rows of
//! the pool and a seed.

use std::collections::BTreeMap;

use sudoku_corpus_core::random::{Rng, Stage};

/// Shares of all minimal 9x9 puzzles by number of givens, in per cent (Berthier, 5,926,343 puzzles of controlled bias).
pub const PUBLISHED: [(u32, f64); 13] = [
    (20, 1.32e-7),
    (21, 3.148e-5),
    (22, 0.003_481_6),
    (23, 0.147_847),
    (24, 2.284_853),
    (25, 13.424_609),
    (26, 31.909_496),
    (27, 32.712_245),
    (28, 15.479_856),
    (29, 3.598_318),
    (30, 0.414_100),
    (31, 0.024_144),
    (32, 0.001_019_6),
];

/// Where the shares of the strata come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum TargetShares {
    /// From the published shares of all minimal 9x9 puzzles.
    Published,
    /// The weights of the pool.
    Measured,
}

/// A stratum: puzzles with the same number of givens.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Stratum {
    pub givens: u32,
    pub pool: usize,
    /// The effective sample size: the number of rows of equal weight with the same variance.
    pub effective: f64,
    pub kept: usize,
}

/// The choice.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Positions in the pool, ascending; none twice.
    pub rows: Vec<usize>,
    /// The result for each stratum.
    pub strata: Vec<Stratum>,
}

/// Chooses `count` of the rows with these givens and logarithms of weights.
///
/// # Errors
/// A stratum that has too few rows for its share. The text says how many rows can be drawn from the pool.
pub fn choose(pool: &[(u32, f64)], count: usize, shares: TargetShares, seed: u64) -> Result<Choice, String> {
    let largest = pool.iter().map(|row| row.1).fold(f64::NEG_INFINITY, f64::max);
    let mut strata: BTreeMap<u32, Vec<(usize, f64)>> = BTreeMap::new();
    for (at, &(givens, log)) in pool.iter().enumerate() {
        strata.entry(givens).or_default().push((at, (log - largest).exp()));
    }
    let sum = |rows: &[(usize, f64)]| rows.iter().map(|row| row.1).sum::<f64>();
    let published: BTreeMap<u32, f64> = PUBLISHED.into_iter().collect();
    let share = |givens: u32, rows: &[(usize, f64)]| match shares {
        TargetShares::Measured => sum(rows),
        TargetShares::Published => published.get(&givens).copied().unwrap_or(0.0),
    };
    let mut sizes: BTreeMap<u32, f64> = strata.iter().map(|(&givens, rows)| (givens, share(givens, rows))).collect();
    if shares == TargetShares::Published {
        // A stratum without any row in the pool still has its share.
        sizes.extend(published.iter().filter(|(givens, _)| !strata.contains_key(givens)));
    }
    let wanted = apportioned(&sizes, count);
    let mut choice = Choice { rows: Vec::with_capacity(count), strata: Vec::new() };
    let mut rng = Rng::new(seed, count as u64, Stage::Sample, 0);
    for (givens, wanted) in wanted {
        // In random order, so that the steps of the draw cannot coincide with a pattern in the pool.
        let mut rows = strata.remove(&givens).unwrap_or_default();
        rng.shuffle(&mut rows);
        let (all, squares) = (sum(&rows), rows.iter().map(|row| row.1 * row.1).sum::<f64>());
        let effective = if squares > 0.0 { all * all / squares } else { 0.0 };
        // No row may be drawn twice: its weight must not exceed the step of the draw.
        let heaviest = rows.iter().map(|row| row.1).fold(0.0, f64::max);
        let most = if heaviest > 0.0 { (all / heaviest * (1.0 + 1e-9)) as usize } else { 0 };
        if wanted > 0 && rows.is_empty() {
            return Err(format!(
                "the pool has no row with {givens} givens, but {wanted} are needed: make a larger pool, or use --shares measured"
            ));
        }
        if wanted > most {
            return Err(format!(
                "{wanted} rows with {givens} givens are needed, but one of the {} in the pool has so much weight that only {most} \
                 can be drawn: make about {:.0} times as many rows, or keep fewer ({})",
                rows.len(),
                (wanted as f64 / most.max(1) as f64).ceil(),
                if most == 0 { "this stratum has none".to_owned() } else { format!("about {}", count * most / wanted) }
            ));
        }
        choice.rows.extend(systematic(&rows, all, wanted, &mut rng));
        choice.strata.push(Stratum { givens, pool: rows.len(), effective, kept: wanted });
    }
    choice.rows.sort_unstable();
    Ok(choice)
}

/// Integers that add up to `count` and are in proportion to shares, by largest remainders.
fn apportioned(shares: &BTreeMap<u32, f64>, count: usize) -> BTreeMap<u32, usize> {
    let all: f64 = shares.values().sum();
    let exact = |share: f64| share / all * count as f64;
    let mut numbers: BTreeMap<u32, usize> =
        shares.iter().map(|(&givens, &share)| (givens, exact(share) as usize)).collect();
    let given: usize = numbers.values().sum();
    let mut rest: Vec<(u32, f64)> = shares.iter().map(|(&givens, &share)| (givens, exact(share).fract())).collect();
    rest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    for (givens, _) in rest.into_iter().take(count.saturating_sub(given)) {
        *numbers.entry(givens).or_default() += 1;
    }
    numbers
}

/// Rows at equal steps of the summed weight, from a random start. A row's probability is proportional to its weight.
fn systematic(rows: &[(usize, f64)], all: f64, wanted: usize, rng: &mut Rng) -> Vec<usize> {
    let start = (rng.word() >> 11) as f64 * 2f64.powi(-53);
    let step = all / wanted.max(1) as f64;
    let (mut sum, mut chosen) = (0.0, Vec::with_capacity(wanted));
    for &(row, weight) in rows {
        sum += weight;
        if chosen.len() < wanted && (start + chosen.len() as f64) * step < sum {
            chosen.push(row);
        }
    }
    // Rounding may leave the last step beyond the last row.
    if let Some(&(last, _)) = rows.last().filter(|&&(last, _)| chosen.len() < wanted && !chosen.contains(&last)) {
        chosen.push(last);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_kept_in_proportion_to_its_weight() {
        // Two strata of 200 rows with weights 1 to 4; 40 of 400 rows are kept, a thousand times.
        let pool: Vec<(u32, f64)> = (0..400u32).map(|at| (24 + at % 2, f64::from(at / 2 % 4 + 1).ln())).collect();
        let mut kept = vec![0u32; pool.len()];
        for seed in 0..1000 {
            let choice = choose(&pool, 40, TargetShares::Measured, seed).unwrap();
            assert_eq!(choice.rows.len(), 40);
            assert!(choice.rows.windows(2).all(|pair| pair[0] < pair[1]), "none twice");
            choice.rows.iter().for_each(|&row| kept[row] += 1);
        }
        for weight in 1..=4u32 {
            let of: Vec<u32> = (0..400).filter(|at| at / 2 % 4 + 1 == weight).map(|at| kept[at as usize]).collect();
            let mean = f64::from(of.iter().sum::<u32>()) / of.len() as f64;
            assert!((mean - 40.0 * f64::from(weight)).abs() < 4.0, "{weight}: {mean}");
        }
    }

    #[test]
    fn published_shares_are_kept_exactly_and_missing_rows_are_reported() {
        let pool: Vec<(u32, f64)> = (0..6000).map(|at| (22 + at % 10, 0.0)).collect();
        let choice = choose(&pool, 1000, TargetShares::Published, 1).unwrap();
        let of = |givens: u32| choice.strata.iter().find(|stratum| stratum.givens == givens).unwrap().kept;
        assert_eq!([of(25), of(26), of(27), of(28)], [134, 319, 327, 155]);
        assert_eq!(choose(&pool, 1000, TargetShares::Published, 1), choose(&pool, 1000, TargetShares::Published, 1));
        let heavy: Vec<(u32, f64)> = (0..100).map(|at| (26, if at == 0 { 5.0 } else { 0.0 })).collect();
        let error = choose(&heavy, 50, TargetShares::Measured, 1).unwrap_err();
        assert!(error.contains("has so much weight") && error.contains("50 rows with 26 givens"), "{error}");
        assert!(choose(&pool[..3], 1000, TargetShares::Published, 1).is_err());
    }
}
