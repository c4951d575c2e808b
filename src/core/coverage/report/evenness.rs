//! The part of the page about evenness: the probabilities of grids, tests on drawn grids, and unseen grids.

use libm::{exp2, log2};

use super::blocks::{heading, name, paragraph, plots, table};
use super::figures;
use super::text::{scientific, share, size};
use crate::board::Shape;
use crate::coverage::drawn::judge::{self, Test};
use crate::coverage::drawn::sampled::Species;
use crate::coverage::known::natural::to_f64;
use crate::coverage::numbers::{Extremes, Moments};
use crate::coverage::survey::{Board, KnownDistribution, ReachableGrids, Survey, SurveyRow};
use crate::page::Block;
use crate::page::numbers::{grouped, p_value, rounded, with_error};

/// The probabilities of each method: all of them, sampled, even or unknown.
pub(super) fn distributions(survey: &Survey) -> Vec<Block> {
    let mut blocks = vec![
        heading("How even the methods are: probabilities of grids"),
        paragraph(
            "A depth-first search that tries values in random order makes grid G with probability P(G) = product of \
             1/e, where e is the number of values that can still be completed at each choice. So P(G) can be computed \
             for any grid. Let N be the number of all grids and u = N P(G), which is 1 for every grid of an even method. The \
             divergence is the mean of log2 u over grids that the method makes. The effective support is 1 / mean of u: an \
             even method with this share of all grids would repeat grids equally often. The mean of 1/u is the share of \
             all grids that the method can reach; it is 1 for plain backtracking and serves as a self-test. A mean that is two \
             standard errors or more from 1 is marked. Rare grids have most of this mean, so with few grids it is often too small, \
             and its error too: then `--law-samples` should be higher. On small boards all probabilities are computed. On other boards the means are taken over drawn grids. 'Not computed' means that \
             this program does not compute P(G) for the method on this board; it says nothing about the method.",
        ),
    ];
    for board in survey.boards.iter().filter(|board| board.shape.order() <= 9) {
        blocks.push(boards_of(board));
        let heads = "method | probabilities | entropy, bits | divergence, bits | effective support | smallest u | \
                     largest u | mean of 1/u";
        blocks.push(table(heads, board.rows.iter().map(|row| distribution_row(board, row))));
        blocks.extend(plots([figures::spread(survey, board), figures::lorenz(survey, board)]));
    }
    blocks
}

/// The heading of a board.
fn boards_of(board: &Board) -> Block {
    Block::Subheading(format!("{0}x{0} boards ({1} boxes)", board.shape.order(), board.shape))
}

/// The mean of 1/u, which is 1 for a method that reaches every grid, and a mark if it is far from 1.
fn self_test(reach: Moments) -> String {
    let (text, off) = (with_error(reach.mean, reach.error), reach.distance(1.0).abs());
    if off < 2.0 { text } else { format!("{text}, {off:.1} errors from 1") }
}

/// The row of a method in the table of probabilities: its name, then the figures in the order of the heads in
/// [`distributions`]. Figures that are not known are empty.
fn distribution_row(board: &Board, row: &SurveyRow) -> Vec<String> {
    let figures = match &row.distribution {
        KnownDistribution::Complete(distribution) => {
            let Extremes { least, most } = distribution.extremes();
            [
                "all computed".to_owned(),
                format!("{:.4}", distribution.entropy()),
                format!("{:.4}", distribution.divergence()),
                share(log2(distribution.effective_support())),
                rounded(least),
                rounded(most),
                rounded(distribution.mean(|u| 1.0 / u)),
            ]
        }
        KnownDistribution::Sampled(distribution) => {
            let Extremes { least, most } = distribution.extremes();
            let bits = distribution.divergence;
            [
                format!("of {} drawn", grouped(bits.count.into())),
                with_error(board.grids.log2 - bits.mean, bits.error),
                with_error(bits.mean, bits.error),
                distribution.effective_support(),
                format!("{} seen", rounded(least)),
                format!("{} seen", rounded(most)),
                self_test(distribution.reach),
            ]
        }
        KnownDistribution::Even(bits) => {
            let (entropy, support) = (rounded(board.grids.log2 - bits), share(-bits));
            let unknown = String::new;
            ["even".to_owned(), entropy, rounded(*bits), support, unknown(), unknown(), unknown()]
        }
        KnownDistribution::Unknown => ["not computed", "", "", "", "", "", ""].map(str::to_owned),
    };
    std::iter::once(name(row)).chain(figures).collect()
}

/// The results of the tests on drawn grids, which an even method passes.
pub(super) fn tests(survey: &Survey) -> Vec<Block> {
    let mut blocks = vec![
        heading("Tests on drawn grids"),
        paragraph(format!(
            "An even method passes these tests, except that one in {} fails by chance. A cell shows the measured value, the \
             expected value, and the probability p that an even method is at least as far off. A test is failed if p is below \
             {}. Band classes: chi-square of the 416 classes in the worst of the six chutes (p times six). Grids and classes: \
             chi-square over all grids up to relabeling, and over all classes of grids. 4-cell sets: mean number \
             of unavoidable sets of four cells; where its exact value is not known, that of the grids of `uniform` is expected, with its \
             error. Same class, same grid: pairs of equal draws. A test has no power if less than one pair is expected: then only \
             methods that make very few grids fail it.",
            grouped((1.0 / judge::LIMIT).round() as u128),
            judge::LIMIT
        )),
    ];
    for board in survey.boards.iter().filter(|board| board.rows.iter().any(|row| !row.tests.is_empty())) {
        blocks.push(boards_of(board));
        if let Some(mean) = board.mean_swaps {
            blocks.push(paragraph(format!(
                "Exact mean number of 4-cell unavoidable sets: {} / {} = {:.9}.",
                grouped(mean.sum),
                grouped(mean.count),
                mean.value()
            )));
        }
        if board.shape == Shape::NINE {
            blocks.push(paragraph(format!(
                "The 416 classes of bands account for all {} grids: the sum of class size times completions is exactly this \
                 number. Two draws of an even method are isomorphic with probability 1 in {}.",
                size(&board.grids),
                grouped(judge::same_class_one_in().round() as u128)
            )));
        }
        blocks.push(test_table(board));
        blocks.extend(plots([figures::chutes(board), figures::four_cell_sets(board)]));
    }
    blocks
}

/// A row for each method with drawn grids, a column for each test that one of them has.
fn test_table(board: &Board) -> Block {
    let mut names: Vec<&'static str> = Vec::new();
    for test in board.rows.iter().flat_map(|row| &row.tests) {
        if !names.contains(&test.name) {
            names.push(test.name);
        }
    }
    let heads = [&["method", "draws"][..], &names, &["verdict"]].concat().join(" | ");
    let mut rows = Vec::new();
    for row in &board.rows {
        let Some(counts) = &row.counts else { continue };
        let mut cells = vec![name(row), grouped(counts.draws.into())];
        for name in &names {
            cells.push(row.tests.iter().find(|test| test.name == *name).map_or(String::new(), test_cell));
        }
        cells.push(match row.tests.iter().filter(|test| !test.passed()).count() {
            0 if row.tests.is_empty() => "reference".to_owned(),
            0 => passed(&row.tests),
            failed => format!("fails {failed} of {}", row.tests.len()),
        });
        rows.push(cells);
    }
    table(&heads, rows)
}

/// How many tests were passed, and how many of them say something.
pub(super) fn passed(tests: &[Test]) -> String {
    let (with_power, all) = (tests.iter().filter(|test| test.has_power()).count(), tests.len());
    if with_power == all {
        format!("passes all {all}")
    } else {
        format!("passes all {all}, of which {with_power} have power")
    }
}

/// The measured and the expected value of a test, and its p.
fn test_cell(test: &Test) -> String {
    let measured = test.error.map_or_else(|| rounded(test.measured), |error| with_error(test.measured, error));
    let verdict = if test.passed() { "" } else { ", failed" };
    let expected = test.expected_error.map_or_else(|| rounded(test.expected), |error| with_error(test.expected, error));
    let power = if test.has_power() || !test.passed() { "" } else { ", no power" };
    format!("{measured} for {expected}; p {}{verdict}{power}", p_value(test.p))
}

/// The share of grids that were not drawn, and the number of draws that it would take to see them.
pub(super) fn unseen(survey: &Survey) -> Vec<Block> {
    let mut blocks = vec![
        heading("Grids that were not drawn"),
        paragraph(
            "The unseen mass is the probability that the next draw is a grid that was not drawn before (Good-Turing: the share \
             of draws that came once). 'At least' is Chao's lower bound for the number of different grids or classes that the \
             method makes. It is computed from how many came once and twice, has its standard error, and is limited to the \
             number that exists. The numbers of draws until a share of all grids has been seen are averages. They are exact if \
             all probabilities are known, and otherwise estimated from the probabilities of drawn grids.",
        ),
    ];
    for board in survey.boards.iter().filter(|board| board.shape.order() <= 9) {
        blocks.push(boards_of(board));
        let heads = "method | different grids | unseen mass | grids, at least | classes seen | classes, at least | \
                     50 % after | 90 % after | 99 % after";
        blocks.push(table(heads, board.rows.iter().map(|row| unseen_row(board, row))));
        if figures::is_small(board.shape) {
            blocks.extend(plots([figures::discovery(survey, board)]));
        }
    }
    blocks
}

/// How many different ones were drawn, and how many there are at least; no more than `most` exist.
fn species_cells(species: Species, most: f64) -> [String; 2] {
    let bound = if species.twice == 0 && species.once > 1 {
        "no bound".to_owned()
    } else if species.at_least() >= most {
        // The estimate may exceed the number that exists.
        format!("{} (all)", rounded(most))
    } else {
        with_error(species.at_least(), species.at_least_error())
    };
    [grouped(species.distinct.into()), bound]
}

/// The row of a method in the table of unseen grids: its name, then the figures, in the order of the heads.
fn unseen_row(board: &Board, row: &SurveyRow) -> Vec<String> {
    let (most, most_classes) = match &row.reach {
        ReachableGrids::Orbit(orbit) => (to_f64(&orbit.grids), 1.0),
        ReachableGrids::All | ReachableGrids::Bases(_) => (exp2(board.grids.log2), exp2(board.classes.log2)),
    };
    let mut cells = vec![name(row)];
    match &row.counts {
        Some(counts) => {
            let mass = counts.grids.unseen_mass();
            let [distinct, bound] = species_cells(counts.grids, most);
            cells.extend([distinct, with_error(mass.value, mass.error), bound]);
            cells.extend(counts.classes.map_or_else(Default::default, |classes| species_cells(classes, most_classes)));
        }
        None => cells.extend(std::iter::repeat_n(String::new(), 5)),
    }
    cells.extend([0.5, 0.9, 0.99].map(|part| draws_until(board, &row.distribution, part)));
    cells
}

/// The number of draws until a part of all grids has been seen, in words.
fn draws_until(board: &Board, distribution: &KnownDistribution, part: f64) -> String {
    match distribution {
        KnownDistribution::Complete(distribution) => match distribution.draws_until(part) {
            Some(draws) => scientific(log2(draws)),
            None => "never".to_owned(),
        },
        KnownDistribution::Sampled(distribution) => match distribution.draws_until(part) {
            // An interval of two standard errors that contains 0 says nothing.
            Some(draws) if draws.error >= 0.5 * draws.value => "not known".to_owned(),
            Some(draws) => {
                let text = scientific(log2(draws.value) + board.grids.log2);
                format!("{text} ± {:.0} %", 100.0 * draws.error / draws.value)
            }
            None => "not seen".to_owned(),
        },
        KnownDistribution::Even(_) => "never".to_owned(),
        KnownDistribution::Unknown => String::new(),
    }
}
