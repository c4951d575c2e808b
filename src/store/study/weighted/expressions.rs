//! Reads lists of SQL expressions with names.

/// The expressions of a list, each with its name: commas inside parentheses and texts do not count.
pub(super) fn expressions(list: &str) -> Vec<(String, String)> {
    let (mut depth, mut quote, mut parts, mut start) = (0i32, None, Vec::new(), 0);
    for (at, letter) in list.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(named).collect()
}

/// An expression and its name, which may stand after `AS`.
fn named(part: &str) -> (String, String) {
    let lower = part.to_ascii_lowercase();
    if let Some(at) = lower.rfind(" as ") {
        let name = part[at + 4..].trim().trim_matches('"');
        // In `CAST(givens AS REAL)` the text after AS ends with a parenthesis, so it is no name.
        if !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            return (part[..at].trim().to_owned(), name.to_owned());
        }
    }
    (part.to_owned(), part.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_expressions_are_split_at_their_own_commas() {
        let names = |list: &str| expressions(list).into_iter().map(|(a, b)| format!("{a}|{b}")).collect::<Vec<_>>();
        assert_eq!(names("givens, round(score, 2) AS s"), ["givens|givens", "round(score, 2)|s"]);
        assert_eq!(
            names("level = 'a, b', CAST(w AS real)"),
            ["level = 'a, b'|level = 'a, b'", "CAST(w AS real)|CAST(w AS real)"]
        );
        assert!(names(" , ").is_empty());
    }
}
