//! SQL conditions about one row: what they may say, and which columns they name.
//!
//! A corpus is asked piece by piece, so a condition must mean the same for a row whatever stands around it: no
//! subqueries, no windows, no functions over several rows.

use super::PublishError;
use crate::corpus::is_aggregate;

/// Words that make a condition one about several rows.
const OF_MANY_ROWS: [&str; 3] = ["select", "over", "from"];
/// The words of a condition outside of its texts, in small letters; quoted names among them, functions with `(`.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = if first == '\'' {
            rest[1..].find('\'').map_or(rest.len(), |end| end + 2)
        } else if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let called = rest[end..].trim_start().starts_with('(');
            words.push(format!("{}{}", rest[..end].to_lowercase(), if called { "(" } else { "" }));
            end
        } else {
            first.len_utf8()
        };
        rest = &rest[end..];
    }
    words
}

/// Refuses a condition that is not one about a single row.
///
/// # Errors
/// [`PublishError::Condition`].
pub fn check(text: &str) -> Result<(), PublishError> {
    let refused = |reason: String| PublishError::Condition { condition: text.to_owned(), reason };
    if text.trim().is_empty() {
        return Err(refused("it is empty".to_owned()));
    }
    if !is_closed(text) {
        return Err(refused("quotes or parentheses do not match, or it holds a comment".to_owned()));
    }
    for word in words(text) {
        let name = word.trim_end_matches('(');
        let many = OF_MANY_ROWS.contains(&name) || (word.ends_with('(') && is_aggregate(name));
        if many {
            return Err(refused(format!("'{name}' is about several rows; a condition is about one")));
        }
    }
    Ok(())
}

/// Do quotes and parentheses match, without comments between them? Otherwise it would run into what stands behind it.
fn is_closed(text: &str) -> bool {
    let mut quote = None;
    let mut depth = 0;
    let mut before = ' ';
    for symbol in text.chars() {
        match quote {
            Some(open) if symbol == open => quote = None,
            Some(_) => {}
            None => match (before, symbol) {
                ('-', '-') | ('/', '*') => return false,
                (_, '\'' | '"' | '`') => quote = Some(symbol),
                (_, '(') => depth += 1,
                (_, ')') => depth -= 1,
                _ => {}
            },
        }
        if depth < 0 {
            return false;
        }
        before = symbol;
    }
    quote.is_none() && depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_about_one_row() {
        for good in ["score > 500", "level = 'select from'", "first_seen OR n_x_wing >= 2", "abs(score - 3) < 9"] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in ["1) OR (1", "(score > 3", "score > 3 --", "level = 'easy", "score /* */ > 3"] {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert!(check("level <> '--(' AND (score > 3)").is_ok());
        for bad in ["", "score > avg(score)", "score IN (SELECT 3)", "rank() OVER () < 3", "MAX (score) = score"] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_found_outside_of_texts() {
        assert_eq!(words("level = 'it''s n_x' AND \"Score\">2e3"), ["level", "and", "score", "e3"]);
        assert_eq!(words("é'"), ["é"]);
    }
}
