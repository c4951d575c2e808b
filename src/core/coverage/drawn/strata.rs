//! Coverage in sampled strata: for a sample of all classes, how often each class was drawn, and its rank.
//!
//! ```text
//!   first band, fourth row   123456789457189326..   214365897    one start in N is a stratum
//!   its minlex grids         rank 31415926  31415927  31415928 ..  automorphisms 1 1 2 ..
//!   draws among them              0         2         1
//! ```
//!
//! The minlex form of a draw takes two microseconds and shows whether the draw is in the strata; other draws are
//! dropped. Then the minlex grids of the strata are enumerated, once for all draws, and the draws are found among them.
//! So with one start in a hundred, a hundred times more draws fit into memory. Classes never drawn are counted too.

use std::collections::BTreeMap;

use rayon::prelude::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;

use super::classes::{Even, chi_square, expected_among, minlex_of_draw, share_of_all};
use crate::catalogue::{BANDS, Canonical, counts, fourth_rows, grids_below};
use crate::coverage::numbers::ChiSquare;
use crate::generate::{FillError, Method};
use crate::page::numbers::{grouped, rounded};
use crate::progress::Progress;

/// Draws that are made together.
const BLOCK: u64 = 1 << 20;

/// A class that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Reached {
    pub rank: u64,
    /// Its first band, an index into the 416.
    pub band: usize,
    pub automorphisms: u32,
    pub times: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct BandStrata {
    /// Classes by their number of automorphisms.
    classes: BTreeMap<u32, u64>,
    reached: Vec<Reached>,
}

/// Draws of a method in the strata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strata {
    /// The method.
    pub method: Method,
    /// Number of draws, inside and outside the strata.
    pub draws: u64,
    /// One start in this number is a stratum.
    pub every: u64,
    bands: Vec<BandStrata>,
}

/// A start that is a stratum.
struct Stratum {
    /// The number of its fourth row among those of its first band.
    number: usize,
    fourth_row: [u8; 9],
}

/// One start in `every`, of the 652,408 starts that have minlex grids: the strata of each first band, in order.
fn choose(every: u64) -> Vec<Vec<Stratum>> {
    let rows: Vec<Vec<[u8; 9]>> = (0..BANDS).into_par_iter().map(fourth_rows).collect();
    let mut count = 0;
    let mut chosen = Vec::new();
    for (band, rows) in rows.into_iter().enumerate() {
        // Starts without minlex grids are not counted. Of each `every` others, the middle one is chosen.
        let mut strata = Vec::new();
        for (number, (fourth_row, &classes)) in rows.into_iter().zip(&counts().band(band).starts).enumerate() {
            count += u64::from(classes > 0);
            if classes > 0 && count % every == every / 2 {
                strata.push(Stratum { number, fourth_row });
            }
        }
        chosen.push(strata);
    }
    chosen
}

/// Draws grids, finds those in the strata, and counts. A corpus with this seed begins with the same grids.
///
/// # Errors
/// [`FillError`] if a method fails.
pub fn draw(method: &Method, seed: u64, draws: u64, every: u64, progress: &dyn Progress) -> Result<Strata, FillError> {
    let chosen = choose(every);
    progress.stage(&format!("strata: {method}"), draws);
    let mut inside: Vec<Vec<[u8; 81]>> = vec![Vec::new(); BANDS];
    for begin in (0..draws).step_by(BLOCK as usize) {
        let forms = (begin..draws.min(begin + BLOCK)).into_par_iter().map(|index| {
            let form = minlex_of_draw(method, seed, index)?;
            progress.rows(1);
            let strata = &chosen[form.band_class];
            let is_inside = strata.binary_search_by(|stratum| stratum.fourth_row[..].cmp(&form.cells[27..36])).is_ok();
            Ok(is_inside.then_some((form.band_class, form.cells)))
        });
        let block: Vec<_> = forms.filter_map(Result::transpose).collect::<Result<_, FillError>>()?;
        block.into_iter().for_each(|(band, cells)| inside[band].push(cells));
    }
    progress.stage("strata: classes", BANDS as u64);
    let bands = inside.into_par_iter().zip(&chosen).enumerate();
    let bands = bands.map(|(band, (mut draws, strata))| {
        draws.par_sort_unstable();
        progress.rows(1);
        BandStrata::of(band, strata, &draws)
    });
    Ok(Strata { method: method.clone(), draws, every, bands: bands.collect() })
}

impl BandStrata {
    /// Finds sorted draws among the minlex grids of some starts of a band.
    fn of(band: usize, strata: &[Stratum], mut draws: &[[u8; 81]]) -> BandStrata {
        let classes_of_starts = &counts().band(band).starts;
        let mut counted = BandStrata::default();
        let (mut classes_before, mut start) = (counts().before(band), 0);
        for &Stratum { number, .. } in strata {
            classes_before += classes_of_starts[start..number].iter().map(|&classes| u64::from(classes)).sum::<u64>();
            start = number;
            // The rank of a grid is its place among all minlex grids, from 1.
            for (rank, grid) in (classes_before + 1..).zip(grids_below(band, number)) {
                let Canonical { cells, automorphisms } = grid;
                *counted.classes.entry(automorphisms).or_default() += 1;
                let times = draws.iter().take_while(|draw| **draw == cells).count();
                draws = &draws[times..];
                if times > 0 {
                    counted.reached.push(Reached { rank, band, automorphisms, times: times as u64 });
                }
            }
        }
        debug_assert!(draws.is_empty(), "a draw that is no minlex grid");
        counted
    }
}

impl Strata {
    /// All classes that were reached, by their ranks.
    pub fn reached(&self) -> impl Iterator<Item = Reached> + '_ {
        self.bands.iter().flat_map(|band| band.reached.iter().copied())
    }

    /// Classes in the strata by their number of automorphisms.
    pub fn classes(&self) -> BTreeMap<u32, u64> {
        let mut all = BTreeMap::new();
        for (&k, &classes) in self.bands.iter().flat_map(|band| &band.classes) {
            *all.entry(k).or_default() += classes;
        }
        all
    }

    /// Draws in the strata by first band, compared with an even sampler. Draws outside the strata are one more band.
    pub(crate) fn bands_chi_square(&self) -> ChiSquare {
        let even = Even::compared_with(&self.method);
        let (mut draws_inside, mut share_inside) = (0, 0.0);
        let mut cells: Vec<(u64, f64)> = Vec::new();
        for band in &self.bands {
            let draws = band.reached.iter().map(|reached| reached.times).sum::<u64>();
            let share = share_of_all(&band.classes, even);
            draws_inside += draws;
            share_inside += share;
            cells.push((draws, share));
        }
        cells.push((self.draws - draws_inside, 1.0 - share_inside));
        ChiSquare::of(cells.into_iter(), self.draws)
    }
}

/// The counts as Markdown, with the expectation for an even sampler.
pub fn text(all: &[Strata]) -> String {
    let mut lines = vec!["# Classes of 9x9 grids reached, in sampled strata".to_owned()];
    for strata in all {
        let (even, classes) = (Even::compared_with(&strata.method), strata.classes());
        let number: u64 = classes.values().sum();
        let distinct = strata.reached().count() as u64;
        let inside: u64 = strata.reached().map(|class| class.times).sum();
        let expected = |kinds: &BTreeMap<u32, u64>, times| expected_among(kinds, even, strata.draws, times);
        lines.push(format!(
            "\n## {}\n\n{} draws, {} of them in the strata: one start (first band and fourth row) in {}, with {} classes. \
             {} of these classes were reached; an even sampler reaches {}.\n",
            strata.method,
            grouped(strata.draws.into()),
            grouped(inside.into()),
            grouped(strata.every.into()),
            grouped(number.into()),
            grouped(distinct.into()),
            grouped((number as f64 - expected(&classes, 0)).round() as u128),
        ));
        lines.push("| times drawn | classes | even: expected |\n|---|---|---|".to_owned());
        let mut times = BTreeMap::from([(0, number - distinct)]);
        strata.reached().for_each(|class| *times.entry(class.times).or_default() += 1);
        for (&times, &classes_seen) in times.iter().take(20) {
            let mean = rounded(expected(&classes, times));
            lines.push(format!("| {times} | {} | {mean} |", grouped(u128::from(classes_seen))));
        }
        lines.push("\n| automorphisms | classes | reached | even: expected |\n|---|---|---|---|".to_owned());
        for (&k, &classes) in &classes {
            let seen = strata.reached().filter(|class| class.automorphisms == k).count();
            let mean = classes as f64 - expected(&BTreeMap::from([(k, classes)]), 0);
            lines.push(format!(
                "| {k} | {} | {} | {} |",
                grouped(classes.into()),
                grouped(seen as u128),
                rounded(mean)
            ));
        }
        lines.push(format!("\nDraws by first band: {}.\n", chi_square(strata.bands_chi_square())));
        lines.push("| first band | classes | reached | even: expected |\n|---|---|---|---|".to_owned());
        for (number, band) in (1..).zip(&strata.bands).filter(|(_, band)| !band.classes.is_empty()) {
            let classes: u64 = band.classes.values().sum();
            let (seen, mean) = (band.reached.len() as u128, classes as f64 - expected(&band.classes, 0));
            lines.push(format!("| {number} | {} | {} | {} |", grouped(classes.into()), grouped(seen), rounded(mean)));
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::catalogue::{cells_of_rank, minlex};
    use crate::progress::Silent;
    use crate::random::{Rng, Stage};

    /// Compares ranks, automorphisms and numbers of draws with the minlex forms of the same draws.
    #[test]
    fn strata_hold_exactly_the_draws_with_their_starts() {
        let (draws, every) = (20_000, 2_000);
        let strata = draw(&Method::Uniform, 7, draws, every, &Silent).unwrap();
        let chosen = choose(every);
        let starts: u64 = chosen.iter().map(|strata| strata.len() as u64).sum();
        assert_eq!(starts, (652_408 + every / 2) / every);
        let mut seen = BTreeMap::new();
        for index in 0..draws {
            let grid = Method::Uniform.fill(Shape::NINE, &mut Rng::new(7, index, Stage::Generate, 0)).unwrap();
            let form = minlex(&grid.grid().nine().unwrap());
            if chosen[form.band_class].iter().any(|stratum| stratum.fourth_row[..] == form.cells[27..36]) {
                seen.entry(form.cells).or_insert((form.maps.len() as u32, 0)).1 += 1;
            }
        }
        assert!(seen.len() > 2);
        let reached: Vec<_> = strata.reached().collect();
        let cells = |class: &Reached| cells_of_rank(class.rank).unwrap();
        let found: BTreeMap<_, _> = reached.iter().map(|of| (cells(of), (of.automorphisms, of.times))).collect();
        assert_eq!(found, seen);
        let text = text(&[strata]);
        assert!(text.contains("20,000 draws"), "{text}");
    }
}
