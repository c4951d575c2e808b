//! Exact numbers that need no random draws: how many grids there are, and how many the permutation method reaches.
//!
//! R and C are the rows and columns of a box, n = RC.
//!
//! ```text
//!   transforms  =  n! (R!)^C (C!)^R            digits, rows inside bands, columns inside stacks      `lines`
//!                  ... * C! R!                 bands and stacks                                      `blocks`
//!                  ... * 2                     transposition, square boxes only                      `transpose`
//!   grids       =  transforms / stabiliser     the maps that bring the template onto itself, which are computed
//! ```
//!
//! Numbers of grids: OEIS A107739, A109741, A291188; Felgenhauer & Jarvis (2006); Russell & Jarvis (2006). For larger
//! boards only estimates exist; [`estimated_log2`] describes ours. K. Kilfoil gave this estimate first.

use super::automorphisms;
use super::natural::{Natural, factorial, grouped, log2};
use crate::board::{Shape, Solution};
use crate::generate::Strength;

/// A number that is known exactly, or of which only the logarithm is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    pub exact: Option<Natural>,
    pub log2: f64,
    /// How it is known: counted by this program, published by others and quoted here, or an estimate.
    pub basis: &'static str,
}

/// A number that is known.
struct Quoted {
    /// The sides of a box, the smaller one first.
    sides: [usize; 2],
    basis: &'static str,
    number: &'static str,
}

const fn quoted(sides: [usize; 2], basis: &'static str, number: &'static str) -> Quoted {
    Quoted { sides, basis, number }
}

const GRIDS: [Quoted; 7] = [
    quoted([2, 2], "counted", "288"),
    quoted([2, 3], "counted", "28200960"),
    quoted([2, 4], "counted", "29136487207403520"),
    quoted([3, 3], "counted", "6670903752021072936960"),
    quoted([2, 5], "counted", "1903816047972624930994913280000"),
    quoted([3, 4], "published", "81171437193104932746936103027318645818654720000"),
    quoted([2, 6], "published", "38296278920738107863746324732012492486187417600000"),
];

/// Numbers of essentially different grids.
const CLASSES: [Quoted; 4] = [
    quoted([2, 2], "counted", "2"),
    quoted([2, 3], "counted", "49"),
    quoted([2, 4], "published", "1673187"),
    quoted([3, 3], "counted", "5472730538"),
];

/// The number of a shape in a table; otherwise an estimate, given as its logarithm to base 2.
fn known(table: &[Quoted], shape: Shape, estimate: impl FnOnce() -> f64) -> Size {
    let mut sides = [shape.box_rows(), shape.box_columns()];
    sides.sort_unstable();
    if let Some(quoted) = table.iter().find(|quoted| quoted.sides == sides)
        && let Ok(exact) = quoted.number.parse::<Natural>()
    {
        return Size { log2: log2(&exact), exact: Some(exact), basis: quoted.basis };
    }
    Size { exact: None, log2: estimate(), basis: "estimate" }
}

pub(crate) fn grids(shape: Shape) -> Size {
    known(&GRIDS, shape, || estimated_log2(shape))
}

/// Number of essentially different grids of a shape. If it is not known, this is the number of grids divided by the
/// order of the group, which is slightly too small, because some grids have automorphisms.
pub(crate) fn classes(shape: Shape) -> Size {
    known(&CLASSES, shape, || grids(shape).log2 - log2(&transforms(shape, Strength::Transpose)))
}

/// Number of maps of cells: rows, columns, bands, stacks, and transposition where boxes are square.
pub(crate) fn cell_maps(shape: Shape) -> Natural {
    lines(shape, Strength::Transpose)
}

/// Number of maps of a strength, digits included: how many ways the permutation method has to shuffle its template.
pub(crate) fn transforms(shape: Shape, strength: Strength) -> Natural {
    factorial(shape.order()) * lines(shape, strength)
}

/// The number of maps of cells that a strength has.
fn lines(shape: Shape, strength: Strength) -> Natural {
    let (rows, columns) = (shape.box_rows(), shape.box_columns());
    let inside = factorial(rows).pow(columns as u32) * factorial(columns).pow(rows as u32);
    match strength {
        Strength::Lines => inside,
        Strength::Transpose if shape.is_square() => 2u32 * inside * factorial(rows) * factorial(columns),
        Strength::Blocks | Strength::Transpose => inside * factorial(rows) * factorial(columns),
    }
}

/// What the permutation method reaches on boards of a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    pub strength: Strength,
    pub transforms: Natural,
    /// Number of ways that change nothing.
    pub stabiliser: u64,
    pub grids: Natural,
}

/// The orbit of the template. Transposition of oblong boxes leads to another shape: None.
pub(crate) fn orbit(shape: Shape, strength: Strength) -> Option<Orbit> {
    if strength == Strength::Transpose && !shape.is_square() {
        return None;
    }
    let template = Solution::template(shape);
    let transforms = transforms(shape, strength);
    let stabiliser = automorphisms::maps(&template, &template, strength);
    // The order of a subgroup divides that of its group.
    let grids = &transforms / stabiliser;
    Some(Orbit { strength, transforms, stabiliser, grids })
}

/// The claims on completeness of the article that introduced the permutation method, with the numbers of this module as
/// answers. For each claim: the board and the number in question, the number in the article, and whether it is right.
pub(crate) fn claims() -> Vec<[String; 3]> {
    let (Ok(four), nine) = (Shape::new(2, 2), Shape::NINE) else { return Vec::new() };
    vec![
        claim("4x4: grids", "288", format!("right: {}", grids_text(four))),
        claim(
            "4x4: transformations",
            "384",
            format!(
                "right as the number of transformations ({}), but each grid comes from {} of them. So they make only {} of the \
                 288 grids, and {} if bands and stacks are shuffled and grids transposed too",
                grouped(&transforms(four, Strength::Lines)),
                automorphisms::maps(&Solution::template(four), &Solution::template(four), Strength::Lines),
                reached_text(four, Strength::Lines),
                reached_text(four, Strength::Transpose)
            ),
        ),
        claim(
            "9x9: grids",
            "1.83493E+21",
            format!(
                "wrong: this is 9! 8! ... 1! = {}, a product that gives 288 for 4x4 by coincidence; the right number is {}",
                grouped(&(1..=9).map(factorial).product()),
                grids_text(nine)
            ),
        ),
        claim(
            "9x9: generated grids",
            "264,539,520",
            format!(
                "wrong: this is 9! 3^6 = {}, with 3 in place of 3!; 9! (3!)^6 = {} transformations make {} grids",
                grouped(&(factorial(9) * 3u32.pow(6))),
                grouped(&transforms(nine, Strength::Lines)),
                reached_text(nine, Strength::Lines)
            ),
        ),
        claim(
            "9x9: with the big blocks",
            "2,380,855,680",
            format!(
                "wrong: this is 9! 3^8 = {}; 9! (3!)^8 = {} transformations make {} grids, {} with transposition",
                grouped(&(factorial(9) * 3u32.pow(8))),
                grouped(&transforms(nine, Strength::Blocks)),
                reached_text(nine, Strength::Blocks),
                reached_text(nine, Strength::Transpose)
            ),
        ),
    ]
}

fn claim(subject: &str, claimed: &str, verdict: String) -> [String; 3] {
    [subject.to_owned(), claimed.to_owned(), verdict]
}

/// The number of grids of a shape as text; empty if it is not known exactly.
fn grids_text(shape: Shape) -> String {
    grids(shape).exact.map_or(String::new(), |exact| grouped(&exact))
}

/// The number of grids that a strength reaches as text; empty if it leads to another shape.
fn reached_text(shape: Shape, strength: Strength) -> String {
    orbit(shape, strength).map_or(String::new(), |orbit| grouped(&orbit.grids))
}

/// Estimated number of grids, as a logarithm to base 2.
///
/// Bands are counted as if they were independent of each other, and so are stacks: N = b^C s^R / n!^n, where b is the
/// number of bands and s the number of stacks that are possible. With this heuristic K. Kilfoil estimated 6.6571e21
/// grids of 9x9, which is 0.2 % too low.
pub(crate) fn estimated_log2(shape: Shape) -> f64 {
    let (rows, columns) = (shape.box_rows(), shape.box_columns());
    bands_log2(rows, columns) * columns as f64 + bands_log2(columns, rows) * rows as f64
        - log2(&factorial(shape.order())) * shape.order() as f64
}

/// Number of bands of boxes of R rows and C columns divided by n! (C!)^(R(R-1)), the ways to fill the first box and to
/// order the cells in the rows of the others. A pair of boxes has the digits of two rows in two rows, which gives the
/// numbers for R = 4 and 5 as sums over multigraphs of R rows.
fn reduced_bands(rows: usize, columns: usize) -> Option<Natural> {
    match (rows, columns) {
        (2, _) => Some(Natural::from(1u32)),
        // The sum of the cubes of the binomial coefficients.
        (3, c) => Some((0..=c).map(|k| (factorial(c) / factorial(k) / factorial(c - k)).pow(3)).sum()),
        (4, 4) => Some(Natural::from(1_273_431_960u32)),
        (5, 5) => Some(Natural::from(1_165_037_550_432_885_119_709_241_344u128)),
        _ => None,
    }
}

/// Number of bands of boxes of R rows and C columns, as a logarithm to base 2: exact where [`reduced_bands`] is known.
///
/// Otherwise it is estimated. A band is a permutation of the R rows for each of the n digits (its rows in box 1, 2,
/// ...) in which each box has C digits in each row, times (C!)^(R^2) orders. The number of these tuples is (R!)^n times
/// the probability that a random walk of n permutation matrices ends in its mean. The local limit theorem with its
/// first correction gives this probability: (2 pi n)^(-d/2) (R-1)^(d/2) R^(R-1) exp(-((R-1)^2/4 + (R-1)^3/12) / n), d =
/// (R-1)^2. For bands of 9x9 it is right to 2 %.
fn bands_log2(rows: usize, columns: usize) -> f64 {
    let orders = log2(&factorial(columns));
    if let Some(reduced) = reduced_bands(rows, columns) {
        return log2(&factorial(rows * columns)) + orders * (rows * (rows - 1)) as f64 + log2(&reduced);
    }
    let (n, less) = ((rows * columns) as f64, rows as f64 - 1.0);
    let dimensions = less * less;
    let walk = libm::log2(less / (2.0 * std::f64::consts::PI * n)) * dimensions / 2.0 + libm::log2(rows as f64) * less
        - (dimensions / 4.0 + less.powi(3) / 12.0) / n * std::f64::consts::LOG2_E;
    log2(&factorial(rows)) * n + walk + orders * (rows * rows) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        text.parse().unwrap()
    }

    #[test]
    fn orders_of_the_groups_of_cell_maps() {
        for (text, order) in [
            ("2x2", 128),
            ("2x3", 3_456),
            ("2x4", 442_368),
            ("3x3", 3_359_232),
            ("2x5", 110_592_000),
            ("3x4", 2_579_890_176),
            ("2x6", 47_775_744_000),
            ("4x4", 126_806_761_930_752u64),
        ] {
            assert_eq!(cell_maps(shape(text)), order.into(), "{text}");
            assert_eq!(cell_maps(shape(text).transposed()), order.into(), "{text}");
        }
        assert_eq!(transforms(Shape::NINE, Strength::Transpose), Natural::from(1_218_998_108_160u64));
    }

    #[test]
    fn orbits_of_the_template_are_transforms_through_computed_stabilisers() {
        let reached = |text, strength| orbit(shape(text), strength).map(|orbit| orbit.grids.to_string());
        assert_eq!(reached("2x2", Strength::Lines).unwrap(), "96");
        assert_eq!(reached("2x2", Strength::Transpose).unwrap(), "192");
        assert_eq!(reached("3x3", Strength::Lines).unwrap(), "5643509760");
        assert_eq!(reached("3x3", Strength::Blocks).unwrap(), "11287019520");
        assert_eq!(reached("3x3", Strength::Transpose).unwrap(), "22574039040");
        assert_eq!(reached("2x3", Strength::Transpose), None);
    }

    /// R maps for `lines` (4 for 2x2), 2nR for `blocks`: the formula that was found by hand.
    #[test]
    fn stabilisers_follow_the_formula_on_every_shape() {
        for shape in Shape::all(25).into_iter().filter(|&other| other != shape("2x2")) {
            let rows = shape.box_rows() as u64;
            assert_eq!(orbit(shape, Strength::Lines).unwrap().stabiliser, rows, "{shape}");
            assert_eq!(orbit(shape, Strength::Blocks).unwrap().stabiliser, 2 * shape.order() as u64 * rows, "{shape}");
        }
        assert_eq!(orbit(shape("2x2"), Strength::Lines).unwrap().stabiliser, 4);
    }

    #[test]
    fn estimates_are_near_the_numbers_that_are_known() {
        for (text, tolerance) in [("3x3", 0.01), ("3x4", 0.1), ("2x5", 0.2), ("2x6", 0.2)] {
            let error = estimated_log2(shape(text)) - grids(shape(text)).log2;
            assert!(error.abs() < tolerance, "{text}: off by {error} bits");
        }
        // The published estimates, to all their digits.
        for (text, log10) in [("4x4", 5.9584f64.log10() + 98.0), ("5x5", 4.3648f64.log10() + 308.0)] {
            let error = estimated_log2(shape(text)) - log10 / 2f64.log10();
            assert!(error.abs() < 2e-5, "{text}: off by {error} bits");
        }
    }

    /// Two boxes of a band have the rows of each digit as an edge of a multigraph, the other two as the opposite edge.
    /// A graph stands for 16! / (product of the factorials of its edges) assignments, times its orientations with four
    /// edges out of each row, for each pair of boxes.
    #[test]
    fn bands_of_16x16_are_counted_by_pairs_of_boxes() {
        const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        fn orientations(graph: &[usize; 6], at: usize, out: [usize; 4]) -> Natural {
            if at == 6 {
                return Natural::from(u32::from(out == [4; 4]));
            }
            let choices = (0..=graph[at]).map(|k| {
                let mut out = out;
                (out[EDGES[at][0]], out[EDGES[at][1]]) = (out[EDGES[at][0]] + k, out[EDGES[at][1]] + graph[at] - k);
                factorial(graph[at]) / factorial(k) / factorial(graph[at] - k) * orientations(graph, at + 1, out)
            });
            choices.sum()
        }
        let mut tuples = Natural::default();
        for (a, b) in (0..=8).flat_map(|a| (0..=8 - a).map(move |b| (a, b))) {
            // Every row is in two of the boxes for each of eight digits, so opposite edges are equally many.
            let graph = [a, b, 8 - a - b, 8 - a - b, b, a];
            let assignments = graph.iter().fold(factorial(16), |all, &edges| all / factorial(edges));
            tuples += assignments * orientations(&graph, 0, [0; 4]).pow(2);
        }
        assert_eq!(Some(tuples * factorial(4).pow(4) / factorial(16)), reduced_bands(4, 4));
        assert_eq!(reduced_bands(3, 3), Some(56u32.into()));
    }
}
