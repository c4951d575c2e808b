//! Defines what is known of a figure: its value with its error, and why the error may not be reliable.

use super::pareto::Tail;

/// One figure with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Its standard error, from the jackknife over blocks of grids; not a number for quantiles.
    pub error: f64,
    /// The ends of the 95 % interval.
    pub interval: (f64, f64),
    /// Degrees of freedom of the error.
    pub freedom: f64,
    /// What keeps the figure from being reliable, if anything does.
    pub doubt: Option<Doubt>,
    /// The skewness of what the blocks add to the figure, over 6 times the root of their number.
    pub(in crate::study) skew: f64,
}

impl Estimate {
    pub(in crate::study) const NONE: Estimate = Estimate {
        value: f64::NAN,
        error: f64::NAN,
        interval: (f64::NAN, f64::NAN),
        freedom: 0.0,
        doubt: None,
        skew: 0.0,
    };

    /// The interval, if the figure is reliable: others can lie far from the truth.
    pub fn reliable(&self) -> (f64, f64) {
        if self.doubt.is_none() { self.interval } else { (f64::NAN, f64::NAN) }
    }

    /// About how many rows settle a doubt, where there are `rows` and the tail of the weights has the shape `k`. None
    /// if the variance of the weights is infinite, so that no number of rows does.
    pub(in crate::study) fn rows_for(&self, doubt: Doubt, rows: f64, k: Option<f64>) -> Option<f64> {
        let least = UNEVEN[UNEVEN.len() - 1].rows as f64;
        match (doubt, k.filter(|k| k.is_finite())) {
            (Doubt::FewGrids(_) | Doubt::FewRows(_), _) => {
                Some(rows * (LEAST_CLUSTERS / (self.freedom + 1.0)).max(2.0))
            }
            (Doubt::Uneven { .. }, _) | (Doubt::HeavyTail { .. }, None) => Some(least),
            // The interval for k ends 2 (1 + k) / sqrt(t) above it, with t = 3 sqrt(n) weights in the tail. This is the n
            // for which it ends at `most`.
            (Doubt::HeavyTail { most, .. }, Some(k)) if k < most => {
                let settled = (2.0 * (1.0 + k) / (most - k)).powi(4) / 9.0;
                Some(settled.max(least).max(2.0 * rows))
            }
            _ => None,
        }
    }
}

/// Why a figure is not reliable, with the number that shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants explain their fields")]
pub enum Doubt {
    /// Fewer than [`LEAST_CLUSTERS`] effective grids: there are too few, or their weights are too uneven.
    FewGrids(f64),
    /// The error rests on a handful of rows: fewer than [`LEAST_FREEDOM`] degrees of freedom.
    FewRows(f64),
    /// The tail of the weights is too heavy: the interval for its Pareto-k ends at `k`, and may end at [`HEAVIEST`] at
    /// most, for squares at [`HEAVIEST_OF_SQUARES`].
    HeavyTail { k: f64, most: f64 },
    /// The rows are too few for a look at the tail, and their weights are uneven: they count as `effective` rows, and
    /// should as `least`.
    Uneven { effective: f64, least: f64 },
    /// No row differs from the others. What differs may have a share of up to 3 in `rows`.
    Constant { rows: f64 },
    /// The interval of a quantile reaches the least or the largest value of the sample. The population may have others.
    Ends,
    /// The tail of the values is too heavy, measured as that of weights: samples without the rare large ones look
    /// alike.
    HeavyValues { k: f64, most: f64 },
    /// So many of the values are only lower bounds.
    Bounds(u64),
    /// No row has a value.
    Unknown,
    /// The squares of the values are too large or too small for real numbers.
    Squares,
    /// The published shares alone give the figure.
    Given,
}

impl Doubt {
    /// True if more rows may settle it.
    pub(in crate::study) fn is_of_size(self) -> bool {
        matches!(self, Doubt::FewGrids(_) | Doubt::FewRows(_) | Doubt::HeavyTail { .. } | Doubt::Uneven { .. })
    }
}

/// For tables: the doubt, and what it is based on.
impl std::fmt::Display for Doubt {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Doubt::FewGrids(grids) => write!(out, "too few grids ({grids:.0} effective, {LEAST_CLUSTERS} needed)"),
            Doubt::FewRows(freedom) => {
                write!(out, "rests on few rows ({freedom:.1} degrees of freedom, {LEAST_FREEDOM} needed)")
            }
            Doubt::HeavyTail { k, most } => write!(out, "weights too uneven (k may be {k:.2}, {most} at most)"),
            Doubt::Uneven { effective, least } => {
                write!(out, "weights too uneven ({effective:.0} effective rows, {least:.0} needed)")
            }
            Doubt::Constant { rows } => {
                write!(out, "no row differs: others may be up to {:.1} % of all", (300.0 / rows.max(1.0)).min(100.0))
            }
            Doubt::Ends => write!(out, "the end of the sample, not of the population"),
            Doubt::HeavyValues { k, most } => write!(out, "values too uneven (k may be {k:.2}, {most} at most)"),
            Doubt::Bounds(bounds) => write!(out, "lower bounds among the values: {bounds}"),
            Doubt::Unknown => out.write_str("no row has a value"),
            Doubt::Squares => out.write_str("the squares of the values are too large or too small to compute with"),
            Doubt::Given => out.write_str("the published shares alone give this: it is no finding"),
        }
    }
}

/// With fewer effective grids the variance between grids cannot be estimated.
pub(super) const LEAST_CLUSTERS: f64 = 25.0;
/// With fewer degrees of freedom a handful of rows decides. Kept low on purpose: samples that lack the rare heavy rows
/// look better than they are, so a stricter condition on the sample would select the wrong ones.
pub(super) const LEAST_FREEDOM: f64 = 8.0;
/// From here on the variance of a weighted mean is infinite or nearly so. It is compared with [`Tail::at_most`].
pub(super) const HEAVIEST: f64 = 0.6;
/// The limit for standard deviations.
pub(in crate::study) const HEAVIEST_OF_SQUARES: f64 = 0.35;
/// With fewer rows than the largest of these the tail cannot be judged.
const UNEVEN: [UnevenBelow; 2] = [UnevenBelow { rows: 1000, share: 0.5 }, UnevenBelow { rows: 5000, share: 0.3 }];

/// With fewer rows than `rows`, weights are doubted if the effective sample size is below this share of the rows.
struct UnevenBelow {
    rows: usize,
    share: f64,
}

/// The doubts about every figure that is computed from some rows, weights and clusters.
pub(super) fn doubt_of(rows: usize, effective_rows: f64, effective_clusters: f64, tail: Option<Tail>) -> Option<Doubt> {
    if effective_clusters < LEAST_CLUSTERS {
        return Some(Doubt::FewGrids(effective_clusters));
    }
    if let Some(doubt) = heavy(tail, HEAVIEST) {
        return Some(doubt);
    }
    let mut least = 0.0f64;
    for uneven in UNEVEN {
        if rows < uneven.rows {
            least = least.max(uneven.share * rows as f64);
        }
    }
    (effective_rows < least).then_some(Doubt::Uneven { effective: effective_rows, least })
}

/// The doubt about a tail whose k may be above a limit.
pub(super) fn heavy(tail: Option<Tail>, most: f64) -> Option<Doubt> {
    tail.filter(|tail| tail.at_most > most).map(|tail| Doubt::HeavyTail { k: tail.at_most, most })
}
