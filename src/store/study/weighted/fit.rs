//! One figure on several others: a straight line by weighted least squares, or a logit by maximal likelihood; and rank
//! correlations.
//!
//! ```text
//!   rows of a group, kept -> Newton's method -> coefficients
//!   error                 -> jackknife: each block of grids is left out, one step of Newton's method from there
//! ```
//! For a line this step is exact. For a logit it is the one-step jackknife.

use super::sample::{BLOCKS, Estimate, Sample};

/// The largest number of values that are kept, in all groups together.
const MOST: usize = 1 << 25;
/// The blocks of rank correlations. Ranks are found again without each of them.
const RANK_BLOCKS: usize = 32;

/// A fit that is asked for, as places of figures.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub name: String,
    pub y: usize,
    pub xs: Vec<usize>,
    /// The logarithm of the odds of y is a line.
    pub logit: bool,
}

impl Fit {
    /// Reads `y ~ a + b`, or `logit(y) ~ a + b`.
    pub(super) fn of(text: &str, names: &[String]) -> Result<Fit, String> {
        let place = |name: &str| {
            let found = names.iter().position(|known| known == name.trim());
            found.ok_or_else(|| format!("'{}' is not one of the figures: {}", name.trim(), names.join(", ")))
        };
        let (y, x) = text.split_once('~').ok_or_else(|| format!("'{text}' is not of the form 'y ~ x'"))?;
        let inner = y.trim().strip_prefix("logit(").and_then(|rest| rest.strip_suffix(')'));
        let xs = x.split('+').map(place).collect::<Result<Vec<usize>, String>>()?;
        Ok(Fit { name: text.trim().to_owned(), y: place(inner.unwrap_or(y))?, xs, logit: inner.is_some() })
    }

    /// The names of the coefficients, the last of which is the intercept.
    pub(super) fn statistics(&self, names: &[String]) -> Vec<String> {
        let slope = |&x: &usize| if self.xs.len() == 1 { "slope".to_owned() } else { format!("slope of {}", names[x]) };
        self.xs.iter().map(slope).chain(["intercept".to_owned()]).collect()
    }
}

/// Some numbers of the rows of a group. A number that is not known is not a number.
#[derive(Debug, Default)]
pub(super) struct Kept {
    values: Vec<f64>,
    weights: Vec<f64>,
    blocks: Vec<u16>,
}

impl Kept {
    /// Adds a row. False if there are too many, of `all` that are kept so far.
    pub(super) fn add(
        &mut self,
        place: usize,
        weight: f64,
        values: impl Iterator<Item = f64>,
        all: &mut usize,
    ) -> bool {
        let before = self.values.len();
        self.values.extend(values);
        self.weights.push(weight);
        self.blocks.push((place % BLOCKS) as u16);
        *all += self.values.len() - before + 1;
        *all <= MOST
    }

    /// The rows that know all of some numbers: the weight, the block, and these numbers.
    fn rows<'a>(&'a self, places: &'a [usize]) -> impl Iterator<Item = (f64, usize, Vec<f64>)> + 'a {
        let width = self.values.len() / self.weights.len().max(1);
        let rows = self.values.chunks_exact(width.max(1)).zip(&self.weights).zip(&self.blocks);
        rows.filter_map(|((values, weight), block)| {
            let of: Vec<f64> = places.iter().map(|&place| values[place]).collect();
            of.iter().all(|value| value.is_finite()).then_some((*weight, usize::from(*block), of))
        })
    }

    /// At most `most` of the rows that know two numbers, at equal steps of the weight.
    pub(super) fn some(&self, places: [usize; 2], most: usize) -> Vec<(f64, f64)> {
        let rows: Vec<(f64, usize, Vec<f64>)> = self.rows(&places).collect();
        let step = rows.iter().map(|row| row.0).sum::<f64>() / rows.len().min(most) as f64;
        let (mut weight, mut found) = (step / 2.0, Vec::new());
        for (own, _, values) in &rows {
            weight += own;
            while weight >= step * (1.0 - 1e-9) && found.len() < most {
                weight -= step;
                found.push((values[0], values[1]));
            }
        }
        found
    }

    /// Spearman's correlation of two of the numbers: Pearson's of their ranks (shares of the weight below).
    pub(super) fn rank_correlation(&self, sample: &Sample, places: [usize; 2]) -> Estimate {
        let rows: Vec<(f64, usize, Vec<f64>)> = self.rows(&places).collect();
        let orders = [0, 1].map(|side| {
            let mut order: Vec<usize> = (0..rows.len()).collect();
            order.sort_by(|&a, &b| rows[a].2[side].total_cmp(&rows[b].2[side]));
            order
        });
        let without = |out: Option<usize>| {
            let weight = |at: usize| if out == Some(rows[at].1 % RANK_BLOCKS) { 0.0 } else { rows[at].0 };
            let mut ranks = [vec![0.0; rows.len()], vec![0.0; rows.len()]];
            for side in 0..2 {
                let mut below = 0.0;
                for equal in orders[side].chunk_by(|&a, &b| rows[a].2[side] == rows[b].2[side]) {
                    let own: f64 = equal.iter().map(|&at| weight(at)).sum();
                    equal.iter().for_each(|&at| ranks[side][at] = below + own / 2.0);
                    below += own;
                }
            }
            let all: f64 = (0..rows.len()).map(weight).sum();
            let mean =
                |side: usize| ranks[side].iter().enumerate().map(|(at, rank)| weight(at) * rank).sum::<f64>() / all;
            let means = [mean(0), mean(1)];
            let sum = |a: usize, b: usize| {
                (0..rows.len())
                    .map(|at| weight(at) * (ranks[a][at] - means[a]) * (ranks[b][at] - means[b]))
                    .sum::<f64>()
            };
            sum(0, 1) / (sum(0, 0) * sum(1, 1)).sqrt()
        };
        let mut blocks = [false; RANK_BLOCKS];
        rows.iter().for_each(|(_, block, _)| blocks[block % RANK_BLOCKS] = true);
        let left_out: Vec<f64> =
            (0..RANK_BLOCKS).filter(|&block| blocks[block]).map(|block| without(Some(block))).collect();
        sample.jackknife(without(None), &left_out)
    }

    /// The coefficients of a fit: slopes, then the intercept. `places` are those of x, then that of y. None if one of
    /// the numbers never varies, or if the others determine it.
    pub(super) fn fitted(&self, sample: &Sample, places: &[usize], logit: bool) -> Option<Vec<Estimate>> {
        let rows: Vec<(f64, usize, Vec<f64>)> = self.rows(places).collect();
        let width = places.len();
        if logit && rows.iter().any(|(_, _, values)| !(0.0..=1.0).contains(&values[width - 1])) {
            return None;
        }
        // In units of standard deviations from the means, so that no digits are lost.
        let all: f64 = rows.iter().map(|row| row.0).sum();
        let mean =
            |of: &dyn Fn(&[f64]) -> f64| rows.iter().map(|(weight, _, values)| weight * of(values)).sum::<f64>() / all;
        let means: Vec<f64> = (0..width - 1).map(|at| mean(&|values| values[at])).collect();
        let sizes: Vec<f64> =
            (0..width - 1).map(|at| mean(&|values| (values[at] - means[at]).powi(2)).sqrt()).collect();
        let scaled = |values: &[f64]| -> Vec<f64> {
            let x = values.iter().zip(&means).zip(&sizes).map(|((value, mean), size)| (value - mean) / size);
            x.chain([1.0]).collect()
        };
        let mut found = vec![0.0; width];
        for round in 0.. {
            let mut sums = Normal::new(width);
            rows.iter().for_each(|(weight, _, values)| {
                sums.add(*weight, &scaled(&values[..width - 1]), values[width - 1], &found, logit);
            });
            let step = sums.solved()?;
            found.iter_mut().zip(&step).for_each(|(value, step)| *value += step);
            // If the numbers determine y, the coefficients of a logit grow without end.
            if found.iter().any(|value| !value.is_finite() || logit && value.abs() > 50.0) || round == 100 {
                return None;
            }
            if step
                .iter()
                .all(|step| step.abs() < 1e-11 * found.iter().fold(1.0, |most: f64, value| most.max(value.abs())))
            {
                break;
            }
        }
        let mut blocks: Vec<Option<Normal>> = (0..BLOCKS).map(|_| None).collect();
        let mut whole = Normal::new(width);
        for (weight, block, values) in &rows {
            let x = scaled(&values[..width - 1]);
            for sums in [&mut whole, blocks[*block].get_or_insert_with(|| Normal::new(width))] {
                sums.add(*weight, &x, values[width - 1], &found, logit);
            }
        }
        let plain = |scaled: &[f64]| -> Vec<f64> {
            let slopes: Vec<f64> = scaled.iter().zip(&sizes).map(|(value, size)| value / size).collect();
            let intercept =
                scaled[width - 1] - slopes.iter().zip(&means).map(|(slope, mean)| slope * mean).sum::<f64>();
            slopes.into_iter().chain([intercept]).collect()
        };
        let left_out: Vec<Vec<f64>> = blocks
            .iter()
            .flatten()
            .filter_map(|block| {
                let step = whole.less(block).solved()?;
                Some(plain(&found.iter().zip(&step).map(|(value, step)| value + step).collect::<Vec<f64>>()))
            })
            .collect();
        let estimate = |(at, value): (usize, f64)| {
            sample.of_squares(sample.jackknife(value, &left_out.iter().map(|one| one[at]).collect::<Vec<f64>>()))
        };
        Some(plain(&found).into_iter().enumerate().map(estimate).collect())
    }
}

/// The equations of a step of Newton's method: the matrix, row by row, and the right side.
struct Normal(Vec<Vec<f64>>);

impl Normal {
    /// Without rows; `width` is the number of coefficients.
    fn new(width: usize) -> Normal {
        Normal(vec![vec![0.0; width + 1]; width])
    }

    /// Adds a row to the equations of the next step of Newton's method from the coefficients `found`.
    fn add(&mut self, weight: f64, x: &[f64], y: f64, found: &[f64], logit: bool) {
        let line: f64 = x.iter().zip(found).map(|(x, value)| x * value).sum();
        let (mean, spread) = if logit {
            let p = 1.0 / (1.0 + (-line).exp());
            (p, p * (1.0 - p))
        } else {
            (line, 1.0)
        };
        for (row, one) in self.0.iter_mut().zip(x) {
            row.iter_mut().zip(x).for_each(|(sum, other)| *sum += weight * spread * one * other);
            row[x.len()] += weight * (y - mean) * one;
        }
    }

    /// The equations without some of the rows.
    fn less(&self, other: &Normal) -> Normal {
        let row =
            |(row, other): (&Vec<f64>, &Vec<f64>)| row.iter().zip(other).map(|(sum, other)| sum - other).collect();
        Normal(self.0.iter().zip(&other.0).map(row).collect())
    }

    /// The solution. None if there is none, or more than one.
    fn solved(mut self) -> Option<Vec<f64>> {
        let (width, rows) = (self.0.len(), &mut self.0);
        let size = rows.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
        for at in 0..width {
            let pivot = (at..width).max_by(|&a, &b| rows[a][at].abs().total_cmp(&rows[b][at].abs()))?;
            rows.swap(at, pivot);
            if rows[at][at].abs() <= 1e-12 * size || !rows[at][at].is_finite() {
                return None;
            }
            let own = rows[at].clone();
            for row in rows.iter_mut().enumerate().filter(|(other, _)| *other != at).map(|(_, row)| row) {
                let times = row[at] / own[at];
                row.iter_mut().zip(&own).for_each(|(value, own)| *value -= times * own);
            }
        }
        Some((0..width).map(|at| rows[at][width] / rows[at][at]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::random::{Rng, Stage};

    /// Numbers a, b, a line of them with noise, and a flag whose odds are a line of them.
    fn kept(rows: u64) -> (Sample, Kept) {
        let mut rng = Rng::new(3, 0, Stage::Bench, rows);
        let mut uniform = || ((rng.word() >> 11) as f64 + 0.5) * 2f64.powi(-53);
        let (mut sample, mut kept, mut all) = (Sample::new(false), Kept::default(), 0);
        for row in 0..rows {
            let (a, b) = (1e6 + uniform(), uniform() * 4.0 - 2.0);
            let noise = uniform() + uniform() - uniform() - uniform();
            let flag = uniform() < 1.0 / (1.0 + (-(0.5 + 2.0 * (a - 1e6) - b)).exp());
            let place = sample.add(row.wrapping_mul(0x9E37_79B9_7F4A_7C15).swap_bytes(), 1.0);
            let values = [a, b, 3.0 * a - 2.0 * b + 7.0 + noise, f64::from(u8::from(flag)), b.powi(5)];
            assert!(kept.add(place, 1.0, values.into_iter(), &mut all));
        }
        (sample, kept)
    }

    #[test]
    fn lines_and_logits_are_found_with_their_errors() {
        let (sample, kept) = kept(4000);
        let line = kept.fitted(&sample, &[0, 1, 2], false).unwrap();
        let logit = kept.fitted(&sample, &[0, 1, 3], true).unwrap();
        for (estimate, truth) in line.iter().take(2).zip([3.0, -2.0]).chain(logit.iter().take(2).zip([2.0, -1.0])) {
            assert!((estimate.value - truth).abs() < 4.0 * estimate.error && estimate.error < 0.2, "{estimate:?}");
        }
        // The textbook error of a slope: the deviation of the noise, over the root of n and the deviation of x.
        let expected = (4.0 / 12.0f64).sqrt() / (4000f64 / 12.0).sqrt();
        assert!((line[0].error / expected - 1.0).abs() < 0.1, "{:?} {expected}", line[0]);
        assert_eq!(kept.fitted(&sample, &[0, 0, 2], false), None, "the same twice");
        assert_eq!(kept.fitted(&sample, &[0, 2], true), None, "no share");
    }

    #[test]
    fn rows_of_a_scatter_plot_are_in_proportion_to_their_weights() {
        let (mut kept, mut all) = (Kept::default(), 0);
        for row in 0..3000u32 {
            let heavy = f64::from(row % 2);
            assert!(kept.add(0, 1.0 + 2.0 * heavy, [heavy, f64::from(row)].into_iter(), &mut all));
        }
        let some = kept.some([0, 1], 400);
        let heavy = some.iter().filter(|point| point.0 > 0.0).count();
        assert!(some.len() == 400 && (299..=301).contains(&heavy), "{heavy} of {}", some.len());
        let (_, few) = self::kept(100);
        assert_eq!(few.some([0, 1], 400).len(), 100, "all of equal weight");
    }

    /// Ranks do not change if a number is replaced by one of the same order.
    #[test]
    fn rank_correlations_know_only_the_order() {
        let (sample, kept) = kept(2000);
        let [plain, power] = [[1, 2], [4, 2]].map(|places| kept.rank_correlation(&sample, places));
        assert!((plain.value - power.value).abs() < 1e-12 && plain.value < -0.9, "{plain:?}");
        assert!((kept.rank_correlation(&sample, [1, 4]).value - 1.0).abs() < 1e-12);
        assert!(plain.error > 0.0 && plain.error < 0.02, "{plain:?}");
    }
}
