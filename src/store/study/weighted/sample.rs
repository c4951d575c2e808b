//! Weighted figures of a sample. Each has an error, and a mark if this error is not reliable.
//!
//! ```text
//!   rows of one grid = a cluster            grids are drawn independently, rows of one grid are not
//!   figure           = f(sums of clusters)  mean = sum(w x) / sum(w), and so on
//!   error            = jackknife            every cluster left out once; contains the variance between grids
//!   interval         = Student's t          degrees of freedom from how unevenly the clusters contribute:
//!                                           2 (sum z^2)^2 / sum z^4, with z what a cluster adds to the figure
//!   reliable         = enough clusters and degrees of freedom, and the tail of the weights not too heavy
//! ```
//!
//! The intervals were tested on populations with known figures (`coverage_of_the_intervals` below). If most samples of a
//! population are reliable, the intervals contain the true figure in 93 to 97 of 100 cases. Near the border, the samples that
//! count as reliable are those that lack the rare heavy rows, and these are wrong more often. No condition on the sample can
//! prevent this: stricter conditions and wider intervals were tried, and they only moved the border. But few samples count as
//! reliable there. Of all samples of any population, at most 6 in 100 count as reliable and have an interval that misses the
//! true figure. Normal intervals without degrees of freedom, and errors that treat rows as independent, contain it in only 56
//! to 90 of 100 cases.

use super::pareto::{self, Tail};

/// One figure with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Its standard error, from the jackknife over clusters; not a number for quantiles.
    pub error: f64,
    /// The ends of the 95 % interval.
    pub interval: (f64, f64),
    /// Degrees of freedom of the error.
    pub freedom: f64,
    /// What keeps the figure from being reliable, if anything does.
    pub doubt: Option<Doubt>,
}

/// Why a figure is not reliable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Fewer than [`LEAST_CLUSTERS`] effective grids: there are too few, or their weights are too uneven.
    FewGrids,
    /// The error rests on a handful of rows: fewer than [`LEAST_FREEDOM`] degrees of freedom.
    FewRows,
    /// The tail of the weights is too heavy: Pareto-k may be above [`HEAVIEST`], for squares above
    /// [`HEAVIEST_OF_SQUARES`]. Or the weights of few rows are too uneven.
    HeavyTail,
}

impl Doubt {
    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Doubt::FewGrids => "too few grids",
            Doubt::FewRows => "rests on few rows",
            Doubt::HeavyTail => "weights too uneven",
        }
    }
}

/// With fewer effective grids the variance between grids cannot be estimated.
pub const LEAST_CLUSTERS: f64 = 25.0;
/// With fewer degrees of freedom a handful of rows decides. Kept low on purpose: samples that lack the rare heavy rows look
/// better than they are, so a stricter condition on the sample would select the wrong ones.
pub const LEAST_FREEDOM: f64 = 8.0;
/// From here on the variance of a weighted mean is infinite or nearly so. It is compared with [`Tail::at_most`].
pub const HEAVIEST: f64 = 0.6;
/// The same for standard deviations and correlations.
pub const HEAVIEST_OF_SQUARES: f64 = 0.35;
/// Numbers of rows and shares. With fewer rows the tail cannot be judged; then the weights are doubted if the effective
/// sample size is below this share of the rows.
const UNEVEN: [(usize, f64); 2] = [(1000, 0.5), (5000, 0.3)];

/// The doubts about every figure that is computed from some rows, weights and clusters.
pub fn doubt_of(rows: usize, effective_rows: f64, effective_clusters: f64, tail: Option<Tail>) -> Option<Doubt> {
    let heavy = tail.is_some_and(|tail| tail.at_most > HEAVIEST);
    let uneven = UNEVEN.iter().any(|&(few, share)| rows < few && effective_rows < share * rows as f64);
    if effective_clusters < LEAST_CLUSTERS {
        Some(Doubt::FewGrids)
    } else if heavy || uneven {
        Some(Doubt::HeavyTail)
    } else {
        None
    }
}

/// Rows with weights, sorted by cluster.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Weights, the largest of them 1.
    weights: Vec<f64>,
    /// Where each cluster begins.
    begins: Vec<usize>,
    /// The rows in the order of the clusters, as positions in the caller's list.
    rows: Vec<usize>,
    /// The tail of the weights.
    tail: Option<Tail>,
}

impl Sample {
    /// Rows with the logarithms of their weights and the names of their clusters.
    pub fn new(logs: &[f64], clusters: &[u64]) -> Sample {
        let mut rows: Vec<usize> = (0..logs.len()).collect();
        rows.sort_by_key(|&row| clusters[row]);
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = rows.iter().map(|&row| (logs[row] - largest).exp()).collect();
        let begins: Vec<usize> =
            (0..rows.len()).filter(|&at| at == 0 || clusters[rows[at]] != clusters[rows[at - 1]]).collect();
        let tail = pareto::tail(&weights);
        Sample { weights, begins, rows, tail }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Number of clusters.
    pub fn clusters(&self) -> usize {
        self.begins.len()
    }

    /// The effective sample size, (sum of weights)^2 / sum of squares (Kish).
    pub fn effective_rows(&self) -> f64 {
        let (sum, squares) = self.weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));
        if squares > 0.0 { sum * sum / squares } else { 0.0 }
    }

    /// Pareto-k of the weights, see [`pareto`].
    pub fn shape(&self) -> Option<f64> {
        self.tail.map(|tail| tail.shape)
    }

    /// The sums of `terms(row)` times the weight over each cluster.
    fn sums<const N: usize>(&self, terms: impl Fn(usize) -> [f64; N]) -> Vec<[f64; N]> {
        let ends = self.begins.iter().skip(1).copied().chain([self.rows.len()]);
        let cluster = |(begin, end): (&usize, usize)| {
            let mut sums = [0.0; N];
            for at in *begin..end {
                let terms = terms(self.rows[at]);
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += self.weights[at] * term);
            }
            sums
        };
        self.begins.iter().zip(ends).map(cluster).collect()
    }

    /// A function of sums over all clusters, with its error.
    fn jackknife<const N: usize>(&self, clusters: &[[f64; N]], figure: impl Fn([f64; N]) -> f64) -> Estimate {
        let mut all = [0.0; N];
        clusters.iter().for_each(|sums| all.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum));
        let value = figure(all);
        let without = |sums: &[f64; N]| {
            let mut rest = all;
            rest.iter_mut().zip(sums).for_each(|(rest, sum)| *rest -= sum);
            figure(rest)
        };
        let n = clusters.len() as f64;
        let left_out: Vec<f64> = clusters.iter().map(without).collect();
        let mean = left_out.iter().sum::<f64>() / n;
        let (squares, fourths) = left_out.iter().fold((0.0, 0.0), |(squares, fourths), figure| {
            let square = (figure - mean).powi(2);
            (squares + square, fourths + square * square)
        });
        let error = ((n - 1.0) / n * squares).sqrt();
        let freedom = if fourths > 0.0 { (2.0 * squares * squares / fourths).min(n - 1.0) } else { n - 1.0 };
        let half = student(freedom) * error;
        let doubt = self.doubt(freedom, error);
        Estimate { value, error, interval: (value - half, value + half), freedom, doubt }
    }

    /// The doubt about every figure, from the weights and the number of grids.
    fn weights_doubt(&self) -> Option<Doubt> {
        doubt_of(self.rows(), self.effective_rows(), self.effective_clusters(), self.tail)
    }

    fn doubt(&self, freedom: f64, error: f64) -> Option<Doubt> {
        let few = !error.is_finite() || (error > 0.0 && freedom < LEAST_FREEDOM);
        self.weights_doubt().or(few.then_some(Doubt::FewRows))
    }

    /// The effective number of clusters.
    fn effective_clusters(&self) -> f64 {
        let sums = self.sums(|_| [1.0]);
        let (sum, squares) = sums.iter().fold((0.0, 0.0), |(sum, squares), [w]| (sum + w, squares + w * w));
        if squares > 0.0 { sum * sum / squares } else { 0.0 }
    }

    /// The weighted mean of a value.
    pub fn mean(&self, value: impl Fn(usize) -> f64) -> Estimate {
        let sums = self.sums(|row| [1.0, value(row)]);
        self.jackknife(&sums, |[w, wx]| wx / w)
    }

    /// The weighted standard deviation of a value.
    pub fn deviation(&self, value: impl Fn(usize) -> f64) -> Estimate {
        // Differences from the mean, because squares of large numbers would lose digits.
        let mean = self.mean(&value).value;
        let sums = self.sums(|row| [1.0, value(row) - mean, (value(row) - mean).powi(2)]);
        self.of_squares(self.jackknife(&sums, |[w, wx, wxx]| (wxx / w - (wx / w).powi(2)).max(0.0).sqrt()))
    }

    /// Pearson's correlation of two values.
    pub fn correlation(&self, x: impl Fn(usize) -> f64, y: impl Fn(usize) -> f64) -> Estimate {
        let (a, b) = (self.mean(&x).value, self.mean(&y).value);
        let sums = self.sums(|row| {
            let (x, y) = (x(row) - a, y(row) - b);
            [1.0, x, y, x * x, y * y, x * y]
        });
        self.of_squares(self.jackknife(&sums, |[w, x, y, xx, yy, xy]| {
            (xy / w - x * y / (w * w)) / ((xx / w - (x / w).powi(2)) * (yy / w - (y / w).powi(2))).sqrt()
        }))
    }

    /// Figures from squares are more sensitive to a heavy tail than means.
    fn of_squares(&self, plain: Estimate) -> Estimate {
        let heavy = self.tail.is_some_and(|tail| tail.at_most > HEAVIEST_OF_SQUARES);
        let doubt = plain.doubt.or(heavy.then_some(Doubt::HeavyTail));
        Estimate { doubt, ..plain }
    }

    /// The weighted share of the rows for which something holds. Its interval is Wilson's, for the number of independent rows that
    /// gives the error of the jackknife. So it stays inside 0..=1, and it is useful even if no row, or every row, is counted.
    pub fn share(&self, holds: impl Fn(usize) -> bool) -> Estimate {
        let plain = self.mean(|row| f64::from(u8::from(holds(row))));
        let p = plain.value;
        let none = p <= 0.0 || p >= 1.0 || plain.error == 0.0;
        let n = if none { self.effective_rows() } else { p * (1.0 - p) / plain.error.powi(2) };
        let freedom = if none { n - 1.0 } else { plain.freedom };
        let t = student(freedom);
        let (centre, scale) = ((p + t * t / (2.0 * n)) / (1.0 + t * t / n), 1.0 + t * t / n);
        let half = t * (p * (1.0 - p) / n + t * t / (4.0 * n * n)).sqrt() / scale;
        let interval = ((centre - half).clamp(0.0, p), (centre + half).clamp(p, 1.0));
        Estimate { interval, freedom, doubt: self.doubt(freedom, 1.0), ..plain }
    }

    /// The smallest value that at least the share `q` of the weight does not exceed. The ends of its interval are the
    /// quantiles at `q` minus and plus h. This h is half the width of the interval for the share of the rows up to the
    /// value (Woodruff 1952).
    pub fn quantile(&self, q: f64, value: impl Fn(usize) -> f64) -> Estimate {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_unstable_by(|&a, &b| value(self.rows[a]).total_cmp(&value(self.rows[b])));
        let all: f64 = self.weights.iter().sum();
        let at = |share: f64| {
            let mut sum = 0.0;
            let found = order.iter().find(|&&at| {
                sum += self.weights[at];
                sum >= share * all * (1.0 - 1e-12)
            });
            found.or(order.last()).map_or(f64::NAN, |&at| value(self.rows[at]))
        };
        let found = at(q);
        let below = self.share(|row| value(row) <= found);
        let half = ((below.interval.1 - below.interval.0) / 2.0).max(0.0);
        let interval = (at((q - half).max(0.0)), at((q + half).min(1.0)));
        Estimate { value: found, error: f64::NAN, interval, ..below }
    }

    /// The sum of the weights of the rows that count, for each unit of `per`: with the number of tries, the number of
    /// minimal puzzles of a grid. `largest` is the logarithm of the largest weight, the unit of the others.
    pub fn total(&self, counts: impl Fn(usize) -> bool, per: impl Fn(usize) -> f64, largest: f64) -> Estimate {
        // The second sum must not be weighted.
        let mut sums = self.sums(|row| [f64::from(u8::from(counts(row))), 0.0]);
        let ends = self.begins.iter().skip(1).copied().chain([self.rows.len()]);
        for ((begin, end), sums) in self.begins.iter().zip(ends).zip(&mut sums) {
            sums[1] = self.rows[*begin..end].iter().map(|&row| per(row)).sum();
        }
        let plain = self.jackknife(&sums, |[w, n]| w / n);
        let unit = largest.exp();
        let interval = (unit * plain.interval.0.max(0.0), unit * plain.interval.1);
        Estimate { value: unit * plain.value, error: unit * plain.error, interval, ..plain }
    }
}

/// The 97.5 % point of Student's t, for 2 or more degrees of freedom (Cornish and Fisher's expansion; 0.7 % too small
/// at 2 degrees of freedom, 0.1 % at 3).
pub fn student(freedom: f64) -> f64 {
    let (v, z) = (freedom.max(2.0), 1.959_963_985f64);
    let power = |n: i32| z.powi(n);
    z + (power(3) + z) / (4.0 * v)
        + (5.0 * power(5) + 16.0 * power(3) + 3.0 * z) / (96.0 * v * v)
        + (3.0 * power(7) + 19.0 * power(5) + 17.0 * power(3) - 15.0 * z) / (384.0 * v.powi(3))
        + (79.0 * power(9) + 776.0 * power(7) + 1482.0 * power(5) - 1920.0 * power(3) - 945.0 * z)
            / (92_160.0 * v.powi(4))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::board::{Shape, Symmetry};
    use sudoku_corpus_core::dig::{DigOptions, Plan};
    use sudoku_corpus_core::generate::Method;
    use sudoku_corpus_core::random::{Rng, Stage};

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9 * b.abs().max(1.0)
    }

    /// Equal weights and a grid for each row: the textbook figures.
    #[test]
    fn without_weights_and_clusters_the_figures_agree_with_textbooks() {
        let values: Vec<f64> = (1..=100).map(f64::from).collect();
        let sample = Sample::new(&[0.0; 100], &(0..100).collect::<Vec<u64>>());
        let mean = sample.mean(|row| values[row]);
        let variance = values.iter().map(|value| (value - 50.5).powi(2)).sum::<f64>() / 99.0;
        assert!(near(mean.value, 50.5) && near(mean.error, (variance / 100.0).sqrt()) && mean.doubt.is_none());
        assert!(near(sample.deviation(|row| values[row]).value, (variance * 0.99).sqrt()));
        assert_eq!(sample.quantile(0.5, |row| values[row]).value, 50.0);
        assert!(near(sample.correlation(|row| values[row], |row| 7.0 - values[row]).value, -1.0));
        let share = sample.share(|row| values[row] <= 10.0);
        assert!(near(share.value, 0.1) && share.interval.0 > 0.05 && share.interval.1 < 0.18, "{share:?}");
        assert!(near(sample.effective_rows(), 100.0));
        let nothing = sample.share(|_| false);
        assert!(nothing.interval.0 == 0.0 && (0.02..0.06).contains(&nothing.interval.1), "{nothing:?}");
    }

    #[test]
    fn weights_count_and_rows_of_one_grid_are_not_independent() {
        let logs: Vec<f64> = (0..60).map(|row| if row % 2 == 0 { 3f64.ln() } else { 0.0 }).collect();
        let alone: Vec<u64> = (0..60).collect();
        let sample = Sample::new(&logs, &alone);
        assert!(near(sample.mean(|row| (row % 2) as f64).value, 0.25));
        assert!(near(sample.effective_rows(), 60.0 * 16.0 / 20.0));
        // The same rows four times: there is no new information, although there are four times as many rows.
        let many: Vec<f64> = logs.iter().copied().cycle().take(240).collect();
        let repeated = Sample::new(&many, &(0..240).map(|row| row % 60).collect::<Vec<u64>>());
        let value = |row: usize| (row % 60 * 7 % 11) as f64;
        assert!(near(repeated.mean(value).error, sample.mean(value).error));
        assert_eq!((repeated.rows(), repeated.clusters()), (240, 60));
        let total = sample.total(|row| row % 2 == 1, |_| 2.0, 3f64.ln());
        assert!(near(total.value, 0.25), "{total:?}");
    }

    #[test]
    fn figures_with_unreliable_weights_are_marked() {
        let mut rng = Rng::new(5, 0, Stage::Bench, 0);
        let clusters: Vec<u64> = (0..20_000).collect();
        let heavy: Vec<f64> = clusters.iter().map(|_| -((rng.below(1 << 30) + 1) as f64 / 1073741824.0).ln()).collect();
        assert_eq!(Sample::new(&heavy, &clusters).mean(|row| row as f64).doubt, Some(Doubt::HeavyTail));
        assert_eq!(Sample::new(&[0.0; 10], &clusters[..10]).mean(|row| row as f64).doubt, Some(Doubt::FewGrids));
        let one = Sample::new(&[0.0; 500], &[7; 500]);
        assert_eq!(one.mean(|row| row as f64).doubt, Some(Doubt::FewGrids), "one grid says nothing about others");
    }

    #[test]
    fn quantiles_of_t_agree_with_tables() {
        for (freedom, expected) in [(4.0, 2.776), (8.0, 2.306), (30.0, 2.042), (1e9, 1.960)] {
            assert!((student(freedom) - expected).abs() < 0.005 * expected, "{freedom}: {}", student(freedom));
        }
    }

    fn normal(rng: &mut Rng) -> f64 {
        let mut uniform = || ((rng.word() >> 11) as f64 + 0.5) * 2f64.powi(-53);
        let (radius, angle) = ((-2.0 * uniform().ln()).sqrt(), std::f64::consts::TAU * uniform());
        radius * angle.cos()
    }

    /// Log-normal weights that are correlated with the value, with and without clusters: of 1,000 reliable intervals, 930 to 970
    /// contain the true figure, within the error of counting.
    #[test]
    fn coverage_of_the_intervals() {
        for (sigma, rho, size) in [(0.0, 0.5, 1), (0.5, 0.8, 1), (0.5, 0.8, 5), (1.0, 0.3, 1), (1.0, 0.8, 1)] {
            let (mut held, mut reliable) = ([0u32; 2], 0);
            for index in 0..1000 {
                let mut rng = Rng::new(17, index, Stage::Bench, size);
                let (mut values, mut logs, mut clusters) = (Vec::new(), Vec::new(), Vec::new());
                for cluster in 0..3000 / size {
                    let shared = normal(&mut rng);
                    for _ in 0..size {
                        let own = if size > 1 { (shared + normal(&mut rng)) / 2f64.sqrt() } else { shared };
                        values.push(rho * own + (1.0 - rho * rho).sqrt() * normal(&mut rng));
                        logs.push(sigma * own);
                        clusters.push(cluster);
                    }
                }
                let sample = Sample::new(&logs, &clusters);
                let truth = rho * sigma;
                let found = [
                    (sample.mean(|row| values[row]), truth),
                    // A normal value is above its mean by more than one in 15.8655 % of the cases.
                    (sample.share(|row| values[row] > truth + 1.0), 0.158_655_25),
                ];
                if found.iter().all(|(estimate, _)| estimate.doubt.is_none()) {
                    reliable += 1;
                    for (held, (estimate, truth)) in held.iter_mut().zip(found) {
                        *held += u32::from((estimate.interval.0..=estimate.interval.1).contains(&truth));
                    }
                }
            }
            for held in held {
                let share = f64::from(held) / f64::from(reliable);
                assert!((0.92..0.98).contains(&share), "{sigma} {rho} {size}: {share} of {reliable}");
            }
            assert!(reliable > 600, "{sigma} {rho} {size}: {reliable}");
        }
    }

    /// Populations at the border of reliability: few samples count as reliable and miss the true figure.
    #[test]
    fn near_the_border_few_samples_count_as_reliable_and_are_wrong() {
        for (rows, sigma, rho) in [(500u64, 1.0, 0.8_f64), (1000, 1.1, 0.8), (3000, 1.2, 0.8), (3000, 1.1, 1.0)] {
            let mut wrong = 0;
            for index in 0..500 {
                let mut rng = Rng::new(29, index, Stage::Bench, rows);
                let common: Vec<f64> = (0..rows).map(|_| normal(&mut rng)).collect();
                let spread = (1.0 - rho * rho).sqrt();
                let values: Vec<f64> = common.iter().map(|common| rho * common + spread * normal(&mut rng)).collect();
                let logs: Vec<f64> = common.iter().map(|common| sigma * common).collect();
                let mean = Sample::new(&logs, &(0..rows).collect::<Vec<u64>>()).mean(|row| values[row]);
                let held = (mean.interval.0..=mean.interval.1).contains(&(rho * sigma));
                wrong += u32::from(mean.doubt.is_none() && !held);
            }
            // 6 in 100, within two errors of counting.
            assert!(wrong <= 41, "{rows} {sigma} {rho}: {wrong} of 500");
        }
    }

    /// Real digs of 4x4 boards, whose minimal puzzles are all known: mean 4.717489 givens.
    #[test]
    fn intervals_of_weighted_digs_hold_the_true_mean() {
        let shape = Shape::new(2, 2).unwrap();
        let options = DigOptions { weight: true, ..DigOptions::of(shape) };
        let (mut held, samples) = (0, 400);
        for index in 0..samples {
            let mut rng = Rng::new(23, index, Stage::Bench, 0);
            let rows: Vec<(f64, f64)> = (0..300)
                .map(|_| {
                    let grid = Method::Uniform.fill(shape, &mut rng).unwrap();
                    let dug = Plan::Minimal.dig(&grid, Symmetry::None, &options, &mut rng).unwrap();
                    (dug.puzzle.grid().givens() as f64, dug.log_weight.unwrap())
                })
                .collect();
            let logs: Vec<f64> = rows.iter().map(|row| row.1).collect();
            let mean = Sample::new(&logs, &(0..300).collect::<Vec<u64>>()).mean(|row| rows[row].0);
            held += u32::from((mean.interval.0..=mean.interval.1).contains(&4.717_489));
        }
        let share = f64::from(held) / samples as f64;
        assert!((0.92..0.98).contains(&share), "{share}");
    }
}
