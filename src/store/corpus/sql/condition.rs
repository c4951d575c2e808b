//! Evaluates conditions about one row, for exports, books and quotas.
//!
//! The parts of a corpus are queried separately. So whether a row satisfies a condition must not depend on other rows:
//! subqueries, windows and aggregates are refused. So are chance and the clock: the same rows satisfy a condition in each
//! run. SQLite itself says what a condition is: the text must be one both alone behind WHERE and between parentheses,
//! where it will stand.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use super::functions;
use super::refusal::{message, needs_rows};
use super::session::set_limits;
use super::tokens::{Token, TokenKind, quoted, tokens};
use crate::corpus::files::parallel::locked;

/// The functions whose values depend on chance or on the clock. Those of dates read the clock without a time, or with
/// `'now'`, which may also stand in a column.
const CHANGING: [&str; 13] = [
    "random", "randomblob", "current_date", "current_time", "current_timestamp", "date", "time", "datetime",
    "julianday", "unixepoch", "strftime", "timediff", "last_insert_rowid",
];

/// What is said of a condition about other rows.
pub(crate) const NEEDS_ROWS: &str = "needs several rows, but a condition is about one row: compare, as in givens > 24";

/// What is said of a condition with one of [`CHANGING`].
pub(crate) const CHANGES: &str = "may have another value in each run";

/// What SQLite finds in a text.
#[derive(Default)]
struct Contents {
    /// The number of SELECT.
    selects: usize,
    columns: BTreeSet<String>,
    /// A function of [`CHANGING`].
    changing: Option<String>,
}

/// Refuses a text that is not a condition about one row. Does not check that its columns exist.
pub fn check_condition(text: &str) -> Result<(), String> {
    read(text).map(drop)
}

/// The names of the columns in a condition, in lower case. Empty if the text is not a condition.
pub fn columns_of_condition(text: &str) -> Vec<String> {
    read(text).unwrap_or_default()
}

/// True if an expression is a condition: outside of parentheses and CASE, it has a comparison or a logical operator.
/// These bind more loosely than every other operator.
pub(crate) fn is_condition(text: &str) -> bool {
    const WORDS: [&str; 13] =
        ["and", "or", "not", "in", "is", "isnull", "notnull", "between", "like", "glob", "regexp", "match", "exists"];
    let pieces = tokens(text.trim()).into_iter().filter(|piece| piece.kind != TokenKind::Space);
    let pieces: Vec<Token<'_>> = pieces.collect();
    let (mut depth, mut loosest) = (0, false);
    for (place, piece) in pieces.iter().enumerate() {
        let word = piece.text.to_ascii_lowercase();
        match (piece.kind, word.as_str()) {
            (TokenKind::Symbol, "(") => depth += 1,
            (TokenKind::Word, "case") => depth += 1,
            (TokenKind::Symbol, ")") => depth -= 1,
            (TokenKind::Word, "end") => depth -= 1,
            (TokenKind::Symbol, "<" | ">") if depth == 0 => {
                // `<<`, `>>` and `->` give numbers or texts.
                let text_at = |place: Option<usize>| place.and_then(|place| pieces.get(place)).map(|piece| piece.text);
                let (before, after) = (text_at(place.checked_sub(1)), text_at(Some(place + 1)));
                loosest |= ![before, after].contains(&Some(piece.text)) && before != Some("-");
            }
            (TokenKind::Symbol, "=") if depth == 0 => loosest = true,
            (TokenKind::Word, word) if depth == 0 && WORDS.contains(&word) => loosest = true,
            _ => {}
        }
    }
    let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    loosest || inner.is_some_and(|inner| balanced(inner) && is_condition(inner))
}

/// True if no parenthesis of a text is closed before it is opened.
fn balanced(text: &str) -> bool {
    let mut depth = 0;
    tokens(text).iter().all(|piece| {
        depth += i32::from(piece.text == "(") - i32::from(piece.text == ")");
        depth >= 0
    })
}

/// The columns that a condition reads.
fn read(text: &str) -> Result<Vec<String>, String> {
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    let pieces = tokens(text);
    if pieces.iter().any(|piece| piece.kind == TokenKind::Comment) {
        return Err("it holds a comment".to_owned());
    }
    if pieces[0].is_word_of(&["where", "select"]) {
        return Err("write only what stands behind WHERE in a query, as in givens > 24".to_owned());
    }
    let seen: Arc<Mutex<Contents>> = Arc::default();
    let base = watched_base(&pieces, seen.clone()).map_err(|error| message(&error, &[], &[]))?;
    for sql in [format!("SELECT 1 FROM puzzles WHERE {text}"), format!("SELECT 1 FROM puzzles WHERE ({text})")] {
        *locked(&seen) = Default::default();
        base.prepare(&sql).map_err(|error| {
            needs_rows(&error).map_or_else(|| message(&error, &[], &[]), |kind| format!("{kind} {NEEDS_ROWS}"))
        })?;
        let seen = locked(&seen);
        // The query itself is one SELECT.
        if seen.selects > 1 {
            return Err(format!("a subquery {NEEDS_ROWS}"));
        }
        if let Some(name) = &seen.changing {
            return Err(format!(
                "'{name}' {CHANGES}, so the same command would choose other rows; dates compare as texts"
            ));
        }
    }
    let seen = locked(&seen);
    Ok(seen.columns.iter().filter(|name| !name.is_empty() && *name != "\n").cloned().collect())
}

/// A database with an empty table that has every word of a text as a column. `seen` gets what SQLite finds in a query.
fn watched_base(pieces: &[Token<'_>], seen: Arc<Mutex<Contents>>) -> rusqlite::Result<Connection> {
    // Words that are read are columns; the others are operators and functions. TRUE and FALSE are values, unless a column
    // has this name.
    let words = pieces.iter().filter(|piece| !piece.is_word_of(&["true", "false"]));
    let names: BTreeSet<String> = words.filter_map(Token::name).collect();
    // A table needs a column; no text names the last one.
    let columns: Vec<String> = names.iter().map(|name| quoted(name)).chain(["\"\n\"".to_owned()]).collect();
    let mut base = Connection::open_in_memory()?;
    set_limits(&mut base)?;
    functions::add(&base)?;
    base.execute(&format!("CREATE TABLE puzzles ({})", columns.join(", ")), [])?;
    base.authorizer(Some(move |context: AuthContext<'_>| {
        let mut seen = locked(&seen);
        match context.action {
            AuthAction::Select => seen.selects += 1,
            AuthAction::Read { column_name, .. } => drop(seen.columns.insert(column_name.to_ascii_lowercase())),
            AuthAction::Function { function_name } => {
                let changing = CHANGING.iter().find(|name| function_name.eq_ignore_ascii_case(name));
                seen.changing = seen.changing.take().or(changing.map(|name| (*name).to_owned()));
            }
            _ => return Authorization::Deny,
        }
        Authorization::Allow
    }))?;
    Ok(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_about_one_row() {
        assert_eq!(columns_of_condition("(Score > 5) IS NOT TRUE AND \"true\" = false"), ["score", "true"]);
        for good in ["score > 500", "level = 'select from'", "first_seen OR n_x_wing >= 2", "abs(score - 3) < 9"] {
            assert_eq!(check_condition(good), Ok(()), "{good}");
        }
        assert_eq!(check_condition("level <> '--(' AND (score > 3)"), Ok(()));
        assert_eq!(check_condition("row < 3 AND max(score, givens) > 2 AND level REGEXP '^h'"), Ok(()));
        let wrong = "|1) OR (1|(score > 3|score > 3 --|level = 'easy|score /* */ > 3|score > 3; DROP TABLE x|score > avg(score)|\
                     score > stddev(score) OVER ()|score > total(score)|score IN (SELECT 3)|rank() OVER () < 3|\
                     MAX (score) = score|EXISTS (SELECT 1)|score IN puzzles|score > 3 LIMIT 1|score > 3 GROUP BY 1|\
                     1 UNION SELECT 2|score, givens";
        for bad in wrong.split('|') {
            assert!(check_condition(bad).is_err(), "{bad}");
        }
        let changing = "random() > 0|abs(RANDOM()) % 2|randomblob(1) = x'00'|day < date('now')|day < current_timestamp|\
                        strftime('%Y') = '2027'|givens > 24 AND unixepoch() > 0|day = datetime(day)";
        for text in changing.split('|') {
            assert!(check_condition(text).unwrap_err().contains(CHANGES), "{text}");
        }
        assert_eq!(check_condition("score > avg(score)"), Err(format!("an aggregate {NEEDS_ROWS}")));
    }

    #[test]
    fn columns_of_a_condition_are_found_outside_of_texts() {
        let mut names = columns_of_condition("level = 'it''s n_x' AND \"Score\" > 2e3 AND abs(Givens) > row");
        names.sort();
        assert_eq!(names, ["givens", "level", "row", "score"]);
        assert!(columns_of_condition("é'").is_empty());
    }

    #[test]
    fn comparisons_are_conditions_and_calculations_are_not() {
        for condition in ["a > 1", "(a = 1)", "NOT a", "a IN (1, 2)", "a + 1 <= 2", "a IS NULL", "(a > 1) OR (b)"] {
            assert!(is_condition(condition), "{condition}");
        }
        for other in
            ["a", "a + 1", "CASE WHEN a > 1 THEN 2 ELSE 3 END", "max(a > 1, 2)", "a >> 2", "(a > 1) + (b > 1)", "'='"]
        {
            assert!(!is_condition(other), "{other}");
        }
    }
}
