//! Words the messages about queries that SQLite refuses: one line, with the names that are near.

use rusqlite::{Error, ErrorCode};

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
    if let Some(name) = text.strip_prefix("no such column: ") {
        return no_column(name, columns, tables);
    }
    if let Some(name) = text.strip_prefix("no such table: ") {
        return format!("no table '{name}'{}", suggestion(name, tables));
    }
    if let Some(name) = text.strip_prefix("no such function: ") {
        return format!("no function '{name}'; `guide queries` lists the functions");
    }
    if text.contains("syntax error") || text.contains("incomplete input") || text.contains("unrecognized token") {
        return format!("not understood: {}", text.replace(": syntax error", ""));
    }
    text.strip_prefix("Expression tree is too large")
        .map_or(text.clone(), |rest| format!("an expression is nested too deeply{rest}; IN (..) takes long lists"))
}

/// The message about a column that does not exist.
fn no_column(name: &str, columns: &[&str], tables: &[&str]) -> String {
    let is_one = |known: &&str| known.eq_ignore_ascii_case(name.trim_matches(['[', ']']));
    if let (Some(known), Some(table)) = (columns.iter().find(|known| is_one(known)), tables.first()) {
        return format!("'{known}' is a column of no table that is read there: FROM {table} is missing");
    }
    // A text in double quotes is the name of a column.
    if let Some((quoted, _)) = name.split_once(" - should this be a string literal") {
        let inner = quoted.trim_matches('"');
        let near = suggestion(inner, columns);
        return format!("no column {quoted}; texts need single quotes: '{inner}'{near}");
    }
    let plain = name.rsplit('.').next().unwrap_or(name);
    let plain = plain.trim_matches(['[', ']']);
    format!("no column '{plain}'{}", suggestion(plain, columns))
}

/// The names that are near: those that contain it, or else the most similar ones.
fn suggestion(name: &str, names: &[&str]) -> String {
    const MOST: usize = 3;
    let wanted = name.to_ascii_lowercase();
    let parts = |known: &str| known.split('_').any(|part| part == wanted);
    let mut near: Vec<(f64, &str)> = names
        .iter()
        .map(|known| {
            let lower = known.to_ascii_lowercase();
            let similar = strsim::jaro_winkler(&wanted, &lower);
            let contains = wanted.len() > 1 && lower.contains(&wanted);
            (similar + f64::from(u8::from(parts(&lower))) * 2.0 + f64::from(u8::from(contains)), *known)
        })
        .filter(|(score, _)| *score > 0.75)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup_by(|a, b| a.1 == b.1);
    // One name that is much nearer than the others stands alone.
    let best = near.first().map_or(0.0, |(score, _)| *score);
    let near: Vec<String> =
        near.iter().filter(|(score, _)| *score > best - 0.05).take(MOST).map(|(_, name)| format!("'{name}'")).collect();
    match near.as_slice() {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(" or ")),
    }
}
