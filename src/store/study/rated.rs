//! How the rows of sources were rated, as their metadata say, and which of their values cannot be compared.
//!
//! ```text
//!   metadata of the first file of each source -> techniques, limit of ER, scales -> differences -> columns
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::corpus::{Metadata, Result, metadata_of};

/// How the rows of a source were rated. What its metadata do not say is None.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RatedWith {
    techniques: Option<String>,
    er_limit: Option<String>,
    /// The name of the scale of the levels, a blank, and the limits of the levels.
    levels: Option<String>,
    /// The versions of the other scales, by their names in metadata: see [`columns_of`].
    versions: BTreeMap<String, String>,
}

/// What differs between the ratings of sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs, as it stands behind "with different".
    pub what: String,
    /// The columns whose values cannot be compared; `n_*` stands for all that begin with `n_`.
    columns: Vec<String>,
    /// These values in words.
    pub values: &'static [&'static str],
}

/// The columns that follow from the ladder of techniques.
const OF_LADDER: [&str; 7] = ["hodoku_level", "hodoku_score", "hardest", "finished", "open_cells", "effort_*", "n_*"];

/// The columns that follow from the limit of ER.
const OF_ER: [&str; 5] = ["se_er_tenths", "se_ep_tenths", "se_ed_tenths", "se_exact", "se_er_canonical_tenths"];

/// The key of the scale of levels in metadata.
const LEVEL: &str = "level";

impl RatedWith {
    /// How the rows of a source were rated, by its first file. A corpus says it in its recipe, and a file of `analyze` in
    /// its metadata.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn of_source(source: &Path) -> Result<RatedWith> {
        Ok(metadata_of(source)?.as_ref().map(RatedWith::of).unwrap_or_default())
    }

    /// What metadata say. Their recipes are TOML: below `[analyze]`, a line has a key, `=` and its value. Values are only
    /// compared, so nothing else of the recipe is read.
    pub(crate) fn of(metadata: &Metadata) -> RatedWith {
        let recipe = metadata.rated.as_ref().or(metadata.recipe.as_ref());
        let table = recipe.and_then(|recipe| Some(recipe.split_once("[analyze]")?.1));
        let value = |key: &str| {
            let mut values = table?.lines().filter_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='));
            Some(values.next()?.trim().to_owned())
        };
        let mut versions = metadata.scales.clone();
        let levels = versions.remove(LEVEL).map(|scale| format!("{scale} {:?}", metadata.levels));
        RatedWith { techniques: value("techniques"), er_limit: value("er_limit"), levels, versions }
    }

    /// True if the ladder of techniques is known.
    pub fn is_known(&self) -> bool {
        self.techniques.is_some()
    }

    /// What differs between these ratings, as far as they are known.
    pub fn differences(ratings: &[&RatedWith]) -> Vec<Difference> {
        let mut differences = Vec::new();
        if differ(ratings.iter().map(|rated| rated.techniques.as_ref())) {
            // The newspaper's levels follow from ER alone.
            let columns = with_level(&OF_LADDER, !all_have_scale(ratings, "newspaper"));
            differences.push(Difference::new("ladders of techniques", &columns, &["levels", "scores"]));
        }
        if differ(ratings.iter().map(|rated| rated.er_limit.as_ref())) {
            // HoDoKu's levels follow from the ladder alone.
            let columns = with_level(&OF_ER, !all_have_scale(ratings, "hodoku"));
            differences.push(Difference::new("limits of ER", &columns, &["levels", "ratings"]));
        }
        if differ(ratings.iter().map(|rated| rated.levels.as_ref())) {
            differences.push(Difference::new("scales of levels", &[LEVEL], &["levels"]));
        }
        let scales: BTreeSet<&String> = ratings.iter().flat_map(|rated| rated.versions.keys()).collect();
        let mut scales: Vec<&str> = scales.into_iter().map(String::as_str).collect();
        scales.retain(|scale| differ(ratings.iter().map(|rated| rated.versions.get(*scale))));
        if !scales.is_empty() {
            let what = format!("versions of the scales of {}", scales.join(", "));
            let columns: Vec<&str> = scales.iter().flat_map(|scale| columns_of(scale)).collect();
            differences.push(Difference::new(&what, &columns, &["levels", "scores", "ratings"]));
        }
        differences
    }

    /// The columns that ratings give: those that cannot be compared if it is not known how they were made.
    pub(crate) fn columns() -> impl Iterator<Item = &'static str> {
        OF_LADDER.into_iter().chain(OF_ER).chain([LEVEL])
    }
}

/// True if two of the values that are known differ.
fn differ<'a>(values: impl Iterator<Item = Option<&'a String>>) -> bool {
    values.flatten().collect::<BTreeSet<_>>().len() > 1
}

/// True if the levels of all sources are on a scale with this name.
fn all_have_scale(ratings: &[&RatedWith], name: &str) -> bool {
    ratings.iter().all(|rated| rated.levels.as_ref().is_some_and(|levels| levels.split(' ').next() == Some(name)))
}

/// These columns, with that of the level if it follows from them.
fn with_level(columns: &[&'static str], adds_level: bool) -> Vec<&'static str> {
    let mut columns = columns.to_vec();
    columns.extend(adds_level.then_some(LEVEL));
    columns
}

/// The columns of a scale by its name in metadata: a list of columns, or the beginning of their names. HoDoKu's levels
/// follow from its scores, the newspaper's from ER.
fn columns_of(scale: &str) -> Vec<&str> {
    match scale {
        "search" => vec!["search_*"],
        "effort" => vec!["effort_*"],
        _ if scale.contains("se_er_tenths") => scale.split(", ").chain([LEVEL]).collect(),
        "hodoku_level" | "hodoku_score" => vec![scale, LEVEL],
        _ => scale.split(", ").collect(),
    }
}

impl Difference {
    fn new(what: &str, columns: &[&str], values: &'static [&'static str]) -> Difference {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Difference { what: what.to_owned(), columns, values }
    }

    /// True if an expression or a query uses a column whose values cannot be compared.
    pub(crate) fn concerns(&self, sql: &str) -> bool {
        uses(sql, self.columns.iter().map(String::as_str))
    }

    /// A note for the reader of an answer.
    pub(crate) fn note(&self) -> String {
        format!(
            "the sources were rated with different {}: their values cannot be compared; `analyze` rates all rows in the same way",
            self.what
        )
    }
}

/// True if SQL names one of these columns, or all columns.
pub(crate) fn uses<'a>(sql: &str, mut columns: impl Iterator<Item = &'a str>) -> bool {
    let words: Vec<String> = sql
        .split(|sign: char| !(sign.is_alphanumeric() || sign == '_'))
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let names_column = columns.any(|column| match column.strip_suffix('*') {
        Some(beginning) => words.iter().any(|word| word.starts_with(beginning)),
        None => words.iter().any(|word| word == column),
    });
    names_column || sql.match_indices('*').any(|(place, _)| stands_for_all(&sql[..place]))
}

/// True if a star behind this SQL stands for all columns. Otherwise it multiplies, or is the argument of a function.
fn stands_for_all(sql_before: &str) -> bool {
    let before = sql_before.trim_end();
    let word = before.rsplit(|sign: char| !sign.is_alphanumeric()).next().unwrap_or_default();
    before.ends_with([',', '.']) || ["select", "distinct", "all"].iter().any(|key| word.eq_ignore_ascii_case(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(techniques: &str, er_limit: &str) -> RatedWith {
        let table = format!("[analyze]\ntechniques = \"{techniques}\"\nratings = \"er\"\ner_limit = \"{er_limit}\"\n");
        RatedWith::of(&Metadata { rated: Some(table), ..Metadata::plain() })
    }

    fn whats(all: &[&RatedWith]) -> Vec<String> {
        RatedWith::differences(all).into_iter().map(|difference| difference.what).collect()
    }

    #[test]
    fn only_what_is_known_of_both_differs() {
        let usual = rated("default", "10.4");
        let recipe = "seed = 1\n[dig]\nplan = \"minimal\"\n[analyze]\ntechniques = \"default\"\ner_limit = \"10.4\"\n";
        let of_corpus = RatedWith::of(&Metadata { recipe: Some(recipe.to_owned()), ..Metadata::plain() });
        assert_eq!(of_corpus, usual);
        assert_eq!(whats(&[&usual, &rated("singles", "3.0")]), ["ladders of techniques", "limits of ER"]);
        let unknown = RatedWith::of(&Metadata::plain());
        assert!(usual.is_known() && !unknown.is_known() && !RatedWith::default().is_known());
        assert!(whats(&[&usual, &unknown, &RatedWith::default()]).is_empty());
        let mut other_scale = usual.clone();
        other_scale.levels = Some("hodoku []".to_owned());
        assert_eq!(whats(&[&usual, &other_scale]), ["scales of levels"]);
        let mut other_version = usual.clone();
        other_version.versions.insert("w".to_owned(), "version 1".to_owned());
        assert_eq!(whats(&[&usual, &other_version]), ["versions of the scales of w"]);
    }

    #[test]
    fn a_difference_concerns_its_columns_alone() {
        let [ladder, er] = &RatedWith::differences(&[&rated("default", "10.4"), &rated("singles", "3.0")])[..] else {
            panic!()
        };
        for (sql, of_ladder, of_er) in [
            ("hodoku_score", true, false),
            ("se_er_tenths / 10.0 AS er", false, true),
            ("SELECT LEVEL FROM puzzles", false, true),
            ("SELECT * FROM puzzles", true, true),
            ("SELECT givens, p.* FROM puzzles AS p", true, true),
            ("SELECT count(*), 2 * givens FROM puzzles", false, false),
            ("sum(n_x_wing > 0)", true, false),
            ("givens AS levels", false, false),
        ] {
            assert_eq!((ladder.concerns(sql), er.concerns(sql)), (of_ladder, of_er), "{sql}");
        }
    }
}
