//! The result of the study in a few sentences, for publishers of puzzles.

use super::blocks::searches;
use super::evenness::passed;
use super::text::{natural, size};
use crate::board::Shape;
use crate::coverage::known::exact;
use crate::coverage::survey::{Board, KnownDistribution, ReachableGrids, Survey, SurveyRow};
use crate::generate::Method;
use crate::page::Block;
use crate::page::numbers::{grouped, with_error};

/// The answer, and a list of what it rests on; nothing if 9x9 boards were not studied.
pub(super) fn verdict(survey: &Survey) -> Vec<Block> {
    let Some(board) = survey.boards.iter().find(|board| board.shape == Shape::NINE) else { return Vec::new() };
    let reasons = [permutation(board), searching(board), tested(board), uniform(board), advice(board)];
    let reasons: Vec<String> = reasons.into_iter().flatten().collect();
    let list = (!reasons.is_empty()).then_some(Block::Items(reasons));
    answer(board).map(Block::Verdict).into_iter().chain(list).collect()
}

/// The answer in two short sentences.
fn answer(board: &Board) -> Option<String> {
    let permutation = board.rows.iter().any(|row| matches!(row.reach, ReachableGrids::Orbit(_)));
    let searching = board.rows.iter().any(|row| searches(&row.method));
    let classes = size(&exact::classes(Shape::NINE));
    let sentences = [
        permutation.then(|| format!("Permutation makes grids of only one of {classes} classes.")),
        searching.then(|| "Backtracking makes all of them, but not evenly.".to_owned()),
    ];
    Some(sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
}

/// What the permutation method reaches. None if it was not studied.
fn permutation(board: &Board) -> Option<String> {
    let orbits = board.rows.iter().filter_map(|row| match &row.reach {
        ReachableGrids::Orbit(orbit) => Some(&orbit.grids),
        _ => None,
    });
    Some(format!(
        "The permutation method can print up to {} different 9x9 grids. But all of them are isomorphic: they are of one class of \
         {}. A book made with it has the same grid on every page, with other digits and with rows and columns in another \
         order.",
        natural(orbits.max()?),
        size(&exact::classes(Shape::NINE)),
    ))
}

/// How even the most and the least even searching method are. None if no probabilities were sampled.
fn searching(board: &Board) -> Option<String> {
    let mut divergences: Vec<(f64, String)> = Vec::new();
    for row in &board.rows {
        let KnownDistribution::Sampled(distribution) = &row.distribution else { continue };
        let (bits, support) = (distribution.divergence, distribution.effective_support());
        let (method, text) = (&row.method, with_error(bits.mean, bits.error));
        let text = format!("`{method}`, {text} bits from uniform, with an effective support of {support} of all grids");
        divergences.push((bits.mean, text));
    }
    divergences.sort_by(|a, b| a.0.total_cmp(&b.0));
    let extremes = match &divergences[..] {
        [] => return None,
        [(_, only)] => format!("The probabilities of one of them are known: {only}"),
        [(_, first), .., (_, last)] => {
            format!("Among the searches with known probabilities, the most even is {first}. The least even is {last}")
        }
    };
    Some(format!(
        "The methods that search can print every grid, but not evenly. Two numbers say how even a method is. Bits from uniform \
         are the Kullback-Leibler divergence: 0 is perfectly even. The effective support is a share of all grids: an even \
         method that makes only this share would repeat grids equally often. {extremes}. Readers will not notice that a \
         method is not even: there are {} grids, and none will come twice.",
        size(&board.grids),
    ))
}

/// How many searching methods fail a test. None if none was tested, or if the grids of the first were not counted.
fn tested(board: &Board) -> Option<String> {
    let tested: Vec<&SurveyRow> =
        board.rows.iter().filter(|row| searches(&row.method) && !row.tests.is_empty()).collect();
    let failing = tested.iter().filter(|row| row.tests.iter().any(|test| !test.passed())).count();
    let draws = tested.first()?.counts.as_ref()?.draws;
    Some(format!(
        "Statistics do show that they are not even: with {} drawn grids, {failing} of the {} searching methods fail a test of evenness.",
        grouped(draws.into()),
        tested.len(),
    ))
}

/// What `uniform` does. None if it was not studied.
fn uniform(board: &Board) -> Option<String> {
    let row = board.rows.iter().find(|row| row.method == Method::Uniform)?;
    let (failed, all) = (row.tests.iter().filter(|test| !test.passed()).count(), row.tests.len());
    let passed = passed(&row.tests);
    Some(match failed {
        0 => format!(
            "`uniform` makes every grid with the same probability, by a count that anyone can repeat. Of the tests it {passed}."
        ),
        failed => format!("`uniform` fails {failed} of {all} tests, so it has a fault."),
    })
}

/// Which method to use. None if `uniform` was not studied.
fn advice(board: &Board) -> Option<String> {
    board.rows.iter().any(|row| row.method == Method::Uniform).then(|| {
        "Recommendation: use `uniform` for the boards that it supports, above all for statistics. Use any searching method for \
         larger boards, and the permutation method only for boards that are too large for a search."
            .to_owned()
    })
}
