//! Of which minimal puzzles weighted figures are estimates: of all, or only of those like the rows.

use std::path::Path;

use crate::corpus::{CorpusError, RECIPE_FILE, Result};

/// The puzzles that weighted figures are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TargetPopulation {
    /// All minimal puzzles: the rows are whole corpora.
    #[default]
    All,
    /// Those that the rows may have been selected for. Weights undo the bias of digging, not a selection.
    OfKind,
}

impl TargetPopulation {
    /// The population of the rows of these sources that meet the condition, if there is one. Only the folder of a corpus
    /// is known to have all its rows, if they do not come from a file.
    ///
    /// # Errors
    /// The system cannot read a recipe.
    pub fn of<'a>(sources: impl Iterator<Item = &'a Path>, condition: Option<&str>) -> Result<TargetPopulation> {
        for source in sources {
            if !is_whole_corpus(source)? {
                return Ok(TargetPopulation::OfKind);
            }
        }
        Ok(if condition.is_none() { TargetPopulation::All } else { TargetPopulation::OfKind })
    }

    /// In words, behind "all".
    pub fn words(self) -> &'static str {
        match self {
            TargetPopulation::All => "minimal puzzles",
            TargetPopulation::OfKind => "minimal puzzles of the kind of these rows",
        }
    }
}

/// True for the folder of a corpus whose rows do not come from a file.
fn is_whole_corpus(source: &Path) -> Result<bool> {
    let path = source.join(RECIPE_FILE);
    if !path.is_file() {
        return Ok(false);
    }
    let recipe = std::fs::read_to_string(&path).map_err(CorpusError::io("read", &path))?;
    Ok(!recipe.contains("[[command.input]]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_corpora_stand_for_all_minimal_puzzles() {
        let folder = tempfile::tempdir().unwrap();
        let (corpus, file) = (folder.path(), folder.path().join("rows.parquet"));
        std::fs::write(corpus.join(RECIPE_FILE), "seed = 1\n").unwrap();
        std::fs::write(&file, "").unwrap();
        let of = |sources: &[&Path], condition| TargetPopulation::of(sources.iter().copied(), condition).unwrap();
        assert_eq!(of(&[corpus], None), TargetPopulation::All);
        let of_file = folder.path().join("dug");
        std::fs::create_dir(&of_file).unwrap();
        std::fs::write(of_file.join(RECIPE_FILE), "[[command.input]]\nname = \"grids.csv\"\n").unwrap();
        assert_eq!(of(&[&of_file], None), TargetPopulation::OfKind);
        for (sources, condition) in [(&[corpus][..], Some("givens > 25")), (&[&file], None), (&[corpus, &file], None)] {
            assert_eq!(of(sources, condition), TargetPopulation::OfKind, "{sources:?} {condition:?}");
        }
    }
}
