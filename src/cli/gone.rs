//! Names the commands and options of earlier versions, and says what to do instead.

use clap::error::{ContextKind, ContextValue};

use crate::corpus::GONE_KEYS;

/// The commands and options that are gone. A sentence for each says what does its work now.
const GONE: [(&str, &str); 6] = [
    ("catalogue", "`cargo run --release --example catalogue` in the source counts the table of classes again"),
    ("gallery", "`export CORPUS --count 500 --caption level --out stock.html` makes a page of boards"),
    ("--failures", "`check FILE | grep -v ,unique,` prints the lines of puzzles that fail"),
    ("--first", "`bench --rating FILE` profiles the first 1,000 puzzles of the file"),
    ("--keep-copies", "a release has no two puzzles that are isomorphic"),
    ("--engine", "DuckDB reads the files of a corpus itself: duckdb -c \"SELECT count(*) FROM 'corpus/*.parquet'\""),
];

/// What to do instead of a command or an option that is gone. None for other mistakes.
pub(super) fn instead(mistake: &clap::Error) -> Option<String> {
    let named = |kind| match mistake.get(kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    };
    let name = named(ContextKind::InvalidSubcommand).or_else(|| named(ContextKind::InvalidArg))?;
    let keys = GONE_KEYS.iter().filter(|(key, _)| name.strip_prefix("--") == Some(key));
    let (_, sentence) = GONE.iter().find(|(gone, _)| *gone == name).or_else(|| keys.into_iter().next())?;
    Some(format!("{name} is gone: {sentence}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_says_what_to_do_instead() {
        let refused = |words: &[&str]| {
            let words = std::iter::once("sudoku-corpus").chain(words.iter().copied());
            crate::cli::command().try_get_matches_from(words).err().and_then(|mistake| instead(&mistake))
        };
        for (name, sentence) in GONE {
            let words = if name.starts_with("--") { vec!["query", name, "x"] } else { vec![name, "x"] };
            assert_eq!(refused(&words), Some(format!("{name} is gone: {sentence}")));
        }
        assert!(
            refused(&["run", "--distinct"]).is_some_and(|text| text.starts_with("--distinct is gone: a row depends"))
        );
        assert_eq!(refused(&["querry"]), None);
        assert_eq!(refused(&["query", "--tabel", "x"]), None);
    }
}
