//! The figures of a study as one long table. Each row names the board, the method and the figure.
//!
//! ```text
//!   shape  method     quantity            at    value    error   exact       basis
//!   3x3               grids                     6.67e21          667090...   counted
//!   3x3    row-major  divergence_bits           0.857    0.013               sampled
//!   2x3    uniform    draws_until_share   0.5   1.95e7                       law
//! ```

use std::io;

use libm::exp2;

use crate::coverage::drawn::classes;
use crate::coverage::drawn::judge;
use crate::coverage::known::exact::Size;
use crate::coverage::known::natural::{log2, to_f64};
use crate::coverage::numbers::{Estimate, Extremes};
use crate::coverage::survey::{Board, KnownDistribution, ReachableGrids, Survey, SurveyRow};

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Datum {
    /// The board, rows x columns of a box.
    pub shape: String,
    /// The method; empty for figures of the board.
    pub method: String,
    /// The name of the figure, with its unit.
    pub quantity: String,
    /// The place of the figure on a curve (a number of draws, or a share of all grids) or in a list (a number from 1).
    pub at: Option<f64>,
    /// The figure; infinite where it is too large.
    pub value: f64,
    /// Its standard error.
    pub error: Option<f64>,
    /// All digits, if they are known.
    pub exact: Option<String>,
    /// How it is known: counted, published, estimate, law (from the probabilities of all grids), sampled or test.
    pub basis: &'static str,
}

/// The names of the columns, in their order.
pub const COLUMNS: [&str; 8] = ["shape", "method", "quantity", "at", "value", "error", "exact", "basis"];

/// Every figure of a study.
pub fn data(survey: &Survey) -> Vec<Datum> {
    let mut data = Vec::new();
    for board in &survey.boards {
        board_data(board, &mut data);
        board.rows.iter().for_each(|row| row_data(board, row, &mut data));
    }
    data
}

/// The figures as CSV, with a line of names.
///
/// # Errors
/// Writing into memory does not fail, so there are none in practice.
pub fn csv(data: &[Datum]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for datum in data {
        writer.write_record([
            &datum.shape,
            &datum.method,
            &datum.quantity,
            &optional_number(datum.at),
            &datum.value.to_string(),
            &optional_number(datum.error),
            datum.exact.as_deref().unwrap_or_default(),
            datum.basis,
        ])?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}

fn optional_number(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// Adds figures of one board and one method.
struct Maker<'a> {
    shape: String,
    method: String,
    data: &'a mut Vec<Datum>,
}

impl Maker<'_> {
    /// Adds a figure, whose other fields the caller may set.
    fn push(&mut self, quantity: &str, basis: &'static str, value: f64) -> &mut Datum {
        let (shape, method, quantity) = (self.shape.clone(), self.method.clone(), quantity.to_owned());
        self.data.push(Datum { shape, method, quantity, at: None, value, error: None, exact: None, basis });
        let last = self.data.len() - 1;
        &mut self.data[last]
    }

    fn mean(&mut self, quantity: &str, basis: &'static str, value: f64, error: f64) -> &mut Datum {
        let datum = self.push(quantity, basis, value);
        datum.error = Some(error);
        datum
    }

    /// Adds a number of grids or classes, and its logarithm.
    fn size(&mut self, quantity: &str, size: &Size) {
        let value = size.exact.as_ref().map_or_else(|| exp2(size.log2), to_f64);
        self.push(quantity, size.basis, value).exact = size.exact.as_ref().map(ToString::to_string);
        self.push(&format!("{quantity}_log2"), size.basis, size.log2);
    }
}

/// Adds the figures of a board that depend on no method.
fn board_data(board: &Board, data: &mut Vec<Datum>) {
    let mut maker = Maker { shape: board.shape.to_string(), method: String::new(), data };
    maker.size("grids", &board.grids);
    maker.size("classes", &board.classes);
    maker.push("cell_maps", "counted", to_f64(&board.maps)).exact = Some(board.maps.to_string());
    if let Some(mean) = board.mean_swaps {
        let exact = format!("{}/{}", mean.sum, mean.count);
        maker.push("mean_four_cell_sets", "counted", mean.value()).exact = Some(exact);
    }
}

/// Adds the figures of a method on a board: what it reaches, its probabilities, its drawn grids, and its tests.
fn row_data(board: &Board, row: &SurveyRow, data: &mut Vec<Datum>) {
    let mut maker = Maker { shape: board.shape.to_string(), method: row.method.to_string(), data };
    if let ReachableGrids::Orbit(orbit) = &row.reach {
        for (name, number) in [("transforms", &orbit.transforms), ("grids_reached", &orbit.grids)] {
            maker.push(name, "counted", to_f64(number)).exact = Some(number.to_string());
        }
        maker.push("stabiliser", "counted", orbit.stabiliser as f64);
        maker.push("share_reached_log2", board.grids.basis, log2(&orbit.grids) - board.grids.log2);
    }
    distribution_data(&mut maker, board, &row.distribution);
    counts_data(&mut maker, row);
    for test in &row.tests {
        let name = test.name.replace([' ', '-'], "_");
        maker.mean(&format!("{name}_measured"), "sampled", test.measured, test.error.unwrap_or(f64::NAN));
        maker.push(&format!("{name}_expected"), "test", test.expected);
        maker.push(&format!("{name}_p"), "test", test.p);
    }
}

/// Adds the figures of probabilities. `np` stands for the probability of a grid times the number of all grids.
fn distribution_data(maker: &mut Maker<'_>, board: &Board, distribution: &KnownDistribution) {
    match distribution {
        KnownDistribution::Complete(distribution) => {
            maker.push("divergence_bits", "law", distribution.divergence());
            maker.push("entropy_bits", "law", distribution.entropy());
            maker.push("effective_share", "law", distribution.effective_support());
            let Extremes { least, most } = distribution.extremes();
            maker.push("smallest_np", "law", least);
            maker.push("largest_np", "law", most);
            for share in [0.5, 0.9, 0.99] {
                if let Some(draws) = distribution.draws_until(share) {
                    maker.push("draws_until_share", "law", draws).at = Some(share);
                }
            }
        }
        KnownDistribution::Sampled(distribution) => {
            let (bits, all) = (distribution.divergence, board.grids.log2);
            maker.mean("divergence_bits", "sampled", bits.mean, bits.error);
            maker.mean("entropy_bits", "sampled", all - bits.mean, bits.error);
            let u = distribution.concentration;
            maker.mean("effective_share", "sampled", 1.0 / u.mean, u.error / (u.mean * u.mean));
            maker.mean("self_test", "sampled", distribution.reach.mean, distribution.reach.error);
            let Extremes { least, most } = distribution.extremes();
            maker.push("smallest_np_seen", "sampled", least);
            maker.push("largest_np_seen", "sampled", most);
            for share in [0.5, 0.9, 0.99] {
                if let Some(Estimate { value, error }) = distribution.draws_until(share) {
                    maker.mean("draws_until_share", "sampled", value * exp2(all), error * exp2(all)).at = Some(share);
                }
            }
        }
        KnownDistribution::Even(bits) => {
            maker.push("divergence_bits", board.grids.basis, *bits);
        }
        KnownDistribution::Unknown => {}
    }
}

/// Adds the figures of drawn grids, if there are any.
fn counts_data(maker: &mut Maker<'_>, row: &SurveyRow) {
    let Some(counts) = &row.counts else { return };
    maker.push("draws", "sampled", counts.draws as f64);
    maker.mean("four_cell_sets", "sampled", counts.swaps.mean, counts.swaps.error);
    for (number, chute) in counts.swaps_by_chute.iter().enumerate() {
        maker.mean("four_cell_sets_in_chute", "sampled", chute.mean, chute.error).at = Some(number as f64 + 1.0);
    }
    for (number, chute) in judge::chutes(counts).into_iter().flatten().enumerate() {
        maker.push("band_classes_chi_square", "sampled", chute.value).at = Some(number as f64 + 1.0);
    }
    for (name, species) in [("grids", Some(counts.grids)), ("classes", counts.classes)] {
        let Some(species) = species else { continue };
        maker.push(&format!("distinct_{name}"), "sampled", species.distinct as f64);
        maker.push(&format!("equal_pairs_{name}"), "sampled", species.pairs as f64);
        let mass = species.unseen_mass();
        maker.mean(&format!("unseen_mass_{name}"), "sampled", mass.value, mass.error);
        maker.push(&format!("at_least_{name}"), "sampled", species.at_least());
    }
    if counts.bands.is_some() {
        let expected = classes::expected_distinct(classes::Even::compared_with(&row.method), counts.draws);
        maker.push("distinct_classes_expected", "law", expected);
    }
    for discovered in &counts.discovered {
        maker.push("distinct_after_draws", "sampled", discovered.distinct as f64).at = Some(discovered.draws as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::survey::{SurveyOptions, survey};
    use crate::progress::Silent;

    #[test]
    fn every_row_has_every_column() {
        let shapes = vec!["2x2".parse().unwrap()];
        let options =
            SurveyOptions { seed: 1, samples: 400, shapes, law_samples: None, methods: SurveyOptions::all_methods() };
        let data = data(&survey(options, &Silent).unwrap());
        let text = String::from_utf8(csv(&data).unwrap()).unwrap();
        assert!(text.starts_with("shape,method,quantity,at,value,error,exact,basis\n2x2,,grids,,288,,288,counted\n"));
        assert!(text.lines().all(|line| line.matches(',').count() == 7), "no field needs quotes");
        assert!(text.contains("2x2,permutation,grids_reached,,96,,96,counted\n"));
        assert_eq!(text.lines().count(), data.len() + 1);
    }
}
