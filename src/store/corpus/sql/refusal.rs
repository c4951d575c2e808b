//! Words the messages about queries that SQLite refuses: one line, with the name that is near.

use rusqlite::{Error, ErrorCode};
use sudoku_corpus_core::names::nearest;

/// The message about a query that names the number of a row as before version 0.5.0.
const OLD_ROW: &str =
    "the column 'index' is called 'row' now; files of version 0.4.0 and before still have \"index\", in double quotes";

/// Names of levels, which people write without quotes.
const LEVELS: &[&str] = &["easy", "medium", "hard", "expert", "extreme", "unfair", "beyond"];

/// True if an error is about the name `index`, which is a keyword of SQL.
fn names_index(text: &str) -> bool {
    let name = if let Some(near) = text.strip_prefix("near \"") {
        near.split('"').next()
    } else if let Some(missing) = text.strip_prefix("no such column: ") {
        missing.split(" - ").next()
    } else {
        None
    };
    // The name may have that of its table before it.
    let column = name.and_then(|name| name.rsplit('.').next());
    column.is_some_and(|column| column.trim_matches('"').eq_ignore_ascii_case("index"))
}

/// The message about an error. `columns` and `tables` are the names that exist.
pub(super) fn message(error: &Error, columns: &[&str], tables: &[&str]) -> String {
    let text = match error {
        Error::SqlInputError { msg, .. } => msg.clone(),
        Error::SqliteFailure(failure, _) if failure.code == ErrorCode::OutOfMemory => {
            return "the query needs more than 2 GiB of memory".to_owned();
        }
        Error::SqliteFailure(failure, _) if failure.code == ErrorCode::OperationInterrupted => {
            return "the query was interrupted".to_owned();
        }
        Error::SqliteFailure(failure, _) if failure.code == ErrorCode::AuthorizationForStatementDenied => {
            return "a query can only read its tables".to_owned();
        }
        Error::SqliteFailure(_, Some(text)) => text.clone(),
        Error::MultipleStatement => return "write one query at a time".to_owned(),
        Error::NulError(_) => return "not understood: a character with the code 0".to_owned(),
        Error::UserFunctionError(inner) => inner.to_string(),
        other => other.to_string(),
    };
    let text: String = text.lines().next().unwrap_or_default().chars().take(300).collect();
    if text.starts_with("not authorized") {
        return "a query can only read its tables".to_owned();
    }
    if names_index(&text) {
        return OLD_ROW.to_owned();
    }
    if let Some(name) = text.strip_prefix("no such column: ") {
        return no_column(name, columns, tables);
    }
    if let Some(name) = text.strip_prefix("no such table: ") {
        return format!("no table '{name}'{}", near_or(name, tables, &the_table(tables)));
    }
    if let Some(name) = text.strip_prefix("no such function: ") {
        return format!("no function '{name}'; `guide queries` lists the functions");
    }
    if let Some(function) = text.strip_prefix("wrong number of arguments to function ") {
        return format!(
            "the function {function} takes another number of arguments; `guide queries` lists the functions"
        );
    }
    if let Some(column) = text.strip_prefix("ambiguous column name: ") {
        let column = column.rsplit('.').next().unwrap_or(column);
        return format!("several tables have a column '{column}': write the table before it, as in p.{column}");
    }
    if text.contains("incomplete input") {
        return "not understood: the SQL ends too early; `guide queries` has examples".to_owned();
    }
    if let Some(token) = text.strip_prefix("unrecognized token: ") {
        let is_open = token.trim_start_matches('"').starts_with('\'');
        let reason = if is_open { "this text has no quote at its end" } else { "SQL has no such sign" };
        return format!("not understood: {reason}: {token}");
    }
    if let Some(place) = text.strip_suffix(": syntax error") {
        let place = place.strip_prefix("near ").unwrap_or(place);
        if place.eq_ignore_ascii_case("\"AS\"") {
            let missing = "a comma between columns, or the rest of an expression";
            return format!("not understood: something is missing before AS: {missing}");
        }
        return format!("not understood: the mistake is at or before {place}; `guide queries` has examples");
    }
    if text.contains("syntax error") {
        return format!("not understood: {text}");
    }
    if let Some(limit) = text.strip_prefix("Expression tree is too large") {
        return format!("an expression is nested too deeply{limit}; IN (..) takes long lists");
    }
    text
}

/// Where the rows are: a call that reads an index of published puzzles has no table `puzzles`.
fn the_table(tables: &[&str]) -> String {
    let rows = tables.iter().find(|table| **table == "puzzles").or(tables.first());
    let rows = rows.unwrap_or(&"puzzles");
    format!("the rows are the table {rows}: write FROM {rows}")
}

/// The message about a column that does not exist.
fn no_column(name: &str, columns: &[&str], tables: &[&str]) -> String {
    let column = columns.iter().find(|column| column.eq_ignore_ascii_case(name));
    if let (Some(column), Some(table)) = (column, tables.first()) {
        return format!("'{column}' is a column of no table that is read there: FROM {table} is missing");
    }
    // A text in double quotes is the name of a column.
    if let Some((quoted, _)) = name.split_once(" - should this be a string literal") {
        let inner = quoted.trim_matches('"');
        let near = suggestion(inner, columns);
        return format!("no column {quoted}; texts need single quotes: '{inner}'{near}");
    }
    let plain = name.rsplit('.').next().unwrap_or(name);
    if LEVELS.contains(&plain.to_lowercase().as_str()) {
        return format!("no column '{plain}'; a text needs single quotes: '{plain}'");
    }
    let help = format!("`list columns` describes those of a corpus; a text needs single quotes: '{plain}'");
    format!("no column '{plain}'{}", near_or(plain, columns, &help))
}

/// The name that is near, or else what helps to find the right one.
fn near_or(name: &str, names: &[&str], help: &str) -> String {
    match suggestion(name, names) {
        near if near.is_empty() => format!("; {help}"),
        near => near,
    }
}

/// The name that is near, if there is one.
fn suggestion(name: &str, names: &[&str]) -> String {
    nearest(name, names.iter().copied()).map_or(String::new(), |near| format!("; did you mean '{near}'?"))
}
