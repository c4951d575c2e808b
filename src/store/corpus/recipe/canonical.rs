//! The canonical text of a recipe, and the fingerprint that is made from it.

use std::fmt::Write as _;

use super::super::bases::BASES_FILE;
use super::super::layout::Layout;
use super::super::metadata::FORMAT_VERSION;
use super::Recipe;
use sudoku_corpus_core::rate::Ladder;
use sudoku_corpus_core::solve::Budget;

impl Recipe {
    /// The text that identifies the corpus: a recipe file with all keys. Some keys are left out if they have their
    /// defaults.
    pub fn canonical(&self) -> String {
        let mut text = format!("seed = {}\ncount = {}\npart_rows = {}\n", self.seed, self.count, self.part_rows);
        let mut line = |line: std::fmt::Arguments<'_>| {
            let written = writeln!(text, "{line}");
            debug_assert!(written.is_ok(), "writing to a string does not fail");
        };
        line(format_args!("format = \"{}\"", self.format.name()));
        if self.layout != Layout::Flat {
            line(format_args!("layout = \"{}\"", self.layout.name()));
        }
        if self.distinct {
            line(format_args!("distinct = true"));
        }
        line(format_args!("\n[grid]\nshape = \"{}\"\nmethod = \"{}\"", self.shape, self.method));
        if let Some(bases) = &self.bases {
            line(format_args!("bases = \"{BASES_FILE}\"\nbases_blake3 = \"{}\"", bases.blake3));
        }
        line(format_args!("\n[dig]\n{}\nretries = {}", self.goal.lines().join("\n"), self.retries));
        if let Some(budget) = bounded(self.dig.budget) {
            line(format_args!("budget = {budget}"));
        }
        let ladder = self.analysis.ladder.as_ref().map_or("none".to_owned(), Ladder::to_string);
        line(format_args!("\n[analyze]\ntechniques = \"{ladder}\""));
        line(format_args!("ratings = \"{}\"\ner_limit = \"{}\"", self.analysis.ratings, self.analysis.er_limit));
        line(format_args!("minimal = {}\nweight = {}", self.analysis.minimal, self.dig.weight));
        line(format_args!("count_limit = {}\nbudget = {}", self.dig.count_limit, self.analysis.budget.0));
        if self.analysis.numbers {
            line(format_args!("numbers = true"));
        }
        if self.analysis.steps.is_some() {
            line(format_args!("steps = true"));
        }
        if let Some(stock) = &self.stock {
            line(format_args!("\n{}", stock.lines()));
        }
        for quota in &self.quotas {
            line(format_args!("\n[[quota]]\ncount = {}\n{}", quota.count, quota.goal.lines().join("\n")));
        }
        if let Some(levels) = &self.levels {
            line(format_args!("\n{}", levels.lines().trim_end()));
        }
        text
    }

    /// BLAKE3 of the format version and the canonical text, in hexadecimal.
    pub fn fingerprint(&self) -> String {
        let named = format!("sudoku-corpus format {FORMAT_VERSION}\n{}", self.canonical());
        blake3::hash(named.as_bytes()).to_hex().to_string()
    }
}

/// A budget as a number, if it is limited.
fn bounded(budget: Budget) -> Option<u64> {
    (budget != Budget::UNLIMITED).then_some(budget.0)
}

/// The first line in which two canonical texts differ: "seed = 2 in the folder, seed = 1 now".
pub(in crate::corpus) fn difference(here: &str, there: &str) -> String {
    let pairs = here.lines().zip(there.lines());
    let differing = pairs.filter(|(a, b)| a != b).map(|(a, b)| format!("{b} in the folder, {a} now")).next();
    differing.unwrap_or_else(|| "written by another version".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::tests::recipe;
    use super::*;

    #[test]
    fn the_canonical_text_reads_back_as_the_same_recipe() {
        for text in [
            "",
            "seed = 7\nformat = \"csv.zst\"\n[grid]\nshape = \"2x5\"\nmethod = \"jump-back:6,16\"\n[dig]\nplan = \"givens=60\"",
            "[dig]\nplan = \"random-holes=50\"\nsymmetry = \"diagonal\"\n[analyze]\ntechniques = \"none\"\nminimal = false",
            "[analyze]\ntechniques = \"-fish\"\nratings = \"er,whips\"\ner_limit = \"9.4\"\nweight = true\nbudget = 5\n[dig]\nbudget = 9",
        ] {
            let first = recipe(text).unwrap();
            let again = recipe(&first.canonical()).unwrap();
            assert_eq!(again.canonical(), first.canonical());
            assert_eq!(again.fingerprint(), first.fingerprint());
        }
    }

    #[test]
    fn values_change_the_fingerprint_and_comments_and_order_do_not() {
        let first = recipe("seed = 3 # mine\n[dig]\nretries = 5\nplan = \"minimal\"").unwrap();
        let second = recipe("dig = { plan = \"minimal\", retries = 5 }\nseed = 3").unwrap();
        assert_eq!(first.fingerprint(), second.fingerprint());
        let other = recipe("seed = 3\n[dig]\nretries = 6").unwrap();
        assert_ne!(first.fingerprint(), other.fingerprint());
        assert_eq!(difference(&first.canonical(), &other.canonical()), "retries = 6 in the folder, retries = 5 now");
    }
}
