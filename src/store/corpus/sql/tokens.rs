//! Splits an SQL text into tokens, as SQLite separates them.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A keyword, or a name without quotes.
    Word,
    /// A name in quotes.
    Name,
    /// A text in single quotes.
    Text,
    Number,
    /// One character.
    Symbol,
    Space,
    Comment,
}

/// The tokens of a text in order. Together they are the text. One that does not end is a symbol.
pub(super) fn tokens(text: &str) -> Vec<(TokenKind, &str)> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = token(rest, first);
        let (token, after) = rest.split_at(length);
        tokens.push((kind, token));
        rest = after;
    }
    tokens
}

/// The kind of the first token of a text, and its length in bytes.
fn token(rest: &str, first: char) -> (TokenKind, usize) {
    let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii();
    let run = |of: &dyn Fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
    let until = |end: &str, from: usize| rest[from..].find(end).map(|at| from + at + end.len());
    let closed =
        |kind: TokenKind, end: Option<usize>| end.map_or((TokenKind::Symbol, first.len_utf8()), |end| (kind, end));
    match first {
        // A doubled quote inside makes two tokens of one, which does no harm here.
        '\'' => closed(TokenKind::Text, until("'", 1)),
        '"' => closed(TokenKind::Name, until("\"", 1)),
        '`' => closed(TokenKind::Name, until("`", 1)),
        '[' => closed(TokenKind::Name, until("]", 1)),
        '-' if rest.starts_with("--") => (TokenKind::Comment, until("\n", 2).unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => (TokenKind::Comment, until("*/", 2).unwrap_or(rest.len())),
        c if c.is_ascii_digit() => (TokenKind::Number, run(&of_word)),
        c if of_word(c) => (TokenKind::Word, run(&of_word)),
        c if c.is_ascii_whitespace() => (TokenKind::Space, run(&|c| c.is_ascii_whitespace())),
        c => (TokenKind::Symbol, c.len_utf8()),
    }
}

/// Refuses a text that is not one statement, or not one that reads. The error is the message for the user.
pub(super) fn check_query(sql: &str) -> Result<(), String> {
    // SQLite would end there, and answer the beginning.
    if sql.contains('\0') {
        return Err("not understood: a character with the code 0".to_owned());
    }
    let tokens = tokens(sql);
    let told = tokens.iter().filter(|(kind, _)| !matches!(kind, TokenKind::Space | TokenKind::Comment));
    let mut told = told.skip_while(|(_, text)| matches!(*text, "(" | ";"));
    let Some((_, first)) = told.next() else { return Err("the query is empty".to_owned()) };
    match first.to_ascii_uppercase().as_str() {
        "SELECT" | "WITH" | "VALUES" | "EXPLAIN" => {}
        "ALTER" | "ANALYZE" | "ATTACH" | "BEGIN" | "COMMIT" | "COPY" | "CREATE" | "DELETE" | "DETACH" | "DROP"
        | "END" | "EXPORT" | "IMPORT" | "INSERT" | "INSTALL" | "LOAD" | "PRAGMA" | "REINDEX" | "RELEASE"
        | "REPLACE" | "ROLLBACK" | "SAVEPOINT" | "SET" | "UPDATE" | "USE" | "VACUUM" => {
            return Err(format!("{first}: a query must begin with SELECT or WITH; it cannot change anything"));
        }
        _ => return Err(format!("not understood: {first}: a query must begin with SELECT or WITH")),
    }
    let mut rest = told.skip_while(|(_, text)| *text != ";");
    if rest.any(|(_, text)| *text != ";") { Err("write one query at a time".to_owned()) } else { Ok(()) }
}

/// True if a query, or a query inside it, consists of several SELECT.
pub(super) fn is_compound(sql: &str) -> bool {
    let joins = |text: &str| ["UNION", "INTERSECT", "EXCEPT"].iter().any(|word| text.eq_ignore_ascii_case(word));
    tokens(sql).into_iter().any(|(kind, text)| kind == TokenKind::Word && joins(text))
}

/// The tables that a query may read more than once, as indices into `tables`: those that it names twice, and all that
/// it names if it joins anything.
///
/// Joins are JOIN, a comma behind FROM, a subquery that stands elsewhere than behind FROM or AS (it may run for each
/// row), and a common table expression that is used twice.
///
/// ```text
///   SELECT a, b FROM puzzles WHERE a IN (1, 2)                 none: no comma stands in a list behind FROM
///   SELECT 1 FROM other, json_each('[1, 2]')                   other
///   SELECT a FROM puzzles WHERE a > (SELECT avg(a) FROM b)     puzzles, b
/// ```
pub(super) fn read_again(sql: &str, tables: &[&str]) -> Vec<usize> {
    let mut all = tokens(sql);
    all.retain(|(kind, _)| !matches!(kind, TokenKind::Space | TokenKind::Comment));
    // Is the token at this place, if there is one, this word?
    let is = |at: Option<usize>, word: &str| {
        at.and_then(|at| all.get(at)).is_some_and(|(_, token)| token.eq_ignore_ascii_case(word))
    };
    if is(Some(0), "EXPLAIN") {
        return Vec::new();
    }
    // How often a name stands there, except before the dot of a column.
    let named = |table: &str| {
        let names = |(kind, token): &(TokenKind, &str)| match kind {
            TokenKind::Word => token.eq_ignore_ascii_case(table),
            TokenKind::Name => token[1..token.len() - 1].eq_ignore_ascii_case(table),
            _ => false,
        };
        all.iter().enumerate().filter(|&(at, token)| names(token) && !is(Some(at + 1), ".")).count()
    };
    let mut joins = false;
    // For each open bracket, and outside of all: whether a comma here would join, because FROM stands before it.
    let mut lists = vec![false];
    for (at, (kind, token)) in all.iter().enumerate() {
        let before = |word: &str| is(at.checked_sub(1), word);
        match (kind, token.to_ascii_uppercase().as_str()) {
            (_, "(") => lists.push(false),
            (_, ")") => drop(lists.pop()),
            (_, ",") => joins |= lists.last() == Some(&true),
            (TokenKind::Word, "JOIN") => joins = true,
            (TokenKind::Word, "FROM") => lists.iter_mut().rev().take(1).for_each(|list| *list = true),
            (
                TokenKind::Word,
                "WHERE" | "GROUP" | "HAVING" | "WINDOW" | "ORDER" | "LIMIT" | "UNION" | "INTERSECT" | "EXCEPT",
            ) => lists.iter_mut().rev().take(1).for_each(|list| *list = false),
            // A subquery: behind FROM or as a definition it is read once.
            (TokenKind::Word, "SELECT" | "WITH" | "VALUES") if before("(") => {
                let holds = ["FROM", "AS", "MATERIALIZED"].iter().any(|word| is(at.checked_sub(2), word));
                joins |= !holds;
            }
            // The name of a common table expression. Its definition and one use make two.
            (TokenKind::Word | TokenKind::Name, _) if is(Some(at + 1), "AS") && is(Some(at + 2), "(") => {
                joins |= named(token) > 2;
            }
            // One with a list of columns: its name is not looked for, so it counts as used twice.
            (TokenKind::Word, "AS") if before(")") && is(Some(at + 1), "(") => joins = true,
            _ => {}
        }
    }
    let least = if joins { 1 } else { 2 };
    (0..tables.len()).filter(|&at| named(tables[at]) >= least).collect()
}

/// The names of columns, in lower case, by which a query with RIGHT or FULL JOIN may look for rows: those beside `=`,
/// and those of USING. SQLite makes no index of its own for such joins, and would compare every pair of rows.
pub(super) fn looked_up(sql: &str) -> Vec<String> {
    let mut all = tokens(sql);
    all.retain(|(kind, _)| !matches!(kind, TokenKind::Space | TokenKind::Comment));
    // Is the token at this place, if there is one, this word?
    let word = |at: usize, text: &str| all.get(at).is_some_and(|(_, token)| token.eq_ignore_ascii_case(text));
    if !(0..all.len()).any(|at| all[at].0 == TokenKind::Word && (word(at, "right") || word(at, "full"))) {
        return Vec::new();
    }
    // `using` is true inside of the brackets of USING.
    let (mut using, mut found) = (false, Vec::new());
    for (at, (kind, token)) in all.iter().enumerate() {
        using = (using || word(at, "using")) && !word(at, ")");
        // Where the column begins: with the name of a table and a dot, if they stand before it.
        let first = if at >= 2 && word(at - 1, ".") { at - 2 } else { at };
        let compared = using || word(at + 1, "=") || first > 0 && word(first - 1, "=");
        match kind {
            TokenKind::Word if compared => found.push(token.to_ascii_lowercase()),
            TokenKind::Name if compared => found.push(token[1..token.len() - 1].to_ascii_lowercase()),
            _ => {}
        }
    }
    found
}

/// A query in which `index` may be written without quotes: it is a keyword of SQLite, but not of queries, and the name
/// of a column of every corpus.
pub(super) fn with_index(sql: &str) -> String {
    let quoted = |(kind, text): (TokenKind, &str)| match kind {
        TokenKind::Word if text.eq_ignore_ascii_case("index") => format!("[{text}]"),
        _ => text.to_owned(),
    };
    tokens(sql).into_iter().map(quoted).collect()
}

/// A text as it was before [`with_index`].
pub(super) fn without_quotes(text: &str) -> String {
    tokens(text)
        .into_iter()
        .map(|(_, text)| if text.eq_ignore_ascii_case("[index]") { &text[1..6] } else { text })
        .collect()
}

/// A name in double quotes.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_together_are_the_text() {
        let text = "SELECT index, \"a b\", 'it''s', [x] -- c\n/* d */ FROM p WHERE 2e3 > é 'open";
        let tokens = tokens(text);
        assert_eq!(tokens.iter().map(|(_, token)| *token).collect::<String>(), text);
        let of = |wanted: TokenKind| tokens.iter().filter(move |(kind, _)| *kind == wanted).map(|(_, text)| *text);
        assert_eq!(of(TokenKind::Word).collect::<Vec<_>>(), ["SELECT", "index", "FROM", "p", "WHERE", "é", "open"]);
        assert_eq!(of(TokenKind::Name).collect::<Vec<_>>(), ["\"a b\"", "[x]"]);
        assert_eq!(of(TokenKind::Text).collect::<Vec<_>>(), ["'it'", "'s'"]);
        assert_eq!(of(TokenKind::Comment).count(), 2);
    }

    #[test]
    fn columns_by_which_outer_joins_look_are_found() {
        let found = looked_up("SELECT a FROM p FULL JOIN t ON p.x = t.\"Y\" RIGHT JOIN s USING (z, [w]) WHERE b > 1");
        assert!(["x", "y", "z", "w"].iter().all(|name| found.contains(&(*name).to_owned())), "{found:?}");
        assert!(!found.contains(&"a".to_owned()) && !found.contains(&"b".to_owned()), "{found:?}");
        assert!(looked_up("SELECT a FROM p LEFT JOIN t ON p.x = t.y").is_empty());
    }

    #[test]
    fn index_needs_no_quotes() {
        assert_eq!(with_index("max(Index), 'index', \"index\", indexed"), "max([Index]), 'index', \"index\", indexed");
        assert_eq!(without_quotes("max([Index]) + 'a'"), "max(Index) + 'a'");
    }

    #[test]
    fn tables_that_are_named_twice_or_joined_are_read_again() {
        for once in [
            "SELECT a, b FROM puzzles WHERE a IN (1, 2) GROUP BY a, b ORDER BY a, b",
            "SELECT max(puzzles.a) FROM \"puzzles\" WHERE puzzles.b > 1",
            "SELECT a FROM (SELECT a, b FROM puzzles) WHERE a > 1",
            "WITH c AS (SELECT a, b FROM puzzles) SELECT a, b FROM c",
            "SELECT a FROM puzzles UNION SELECT a FROM other",
            "SELECT sum(a) OVER (PARTITION BY b, c) FROM puzzles",
            "EXPLAIN SELECT 1 FROM puzzles, puzzles",
        ] {
            assert!(read_again(once, &["puzzles", "other"]).is_empty(), "{once}");
        }
        for (again, tables) in [
            ("SELECT 1 FROM puzzles a JOIN other b ON a.x = b.x", &[0, 1][..]),
            ("SELECT 1 FROM other, json_each('[1, 2]')", &[1]),
            ("SELECT (SELECT count(*) FROM puzzles WHERE x = c.x) FROM c", &[0]),
            ("SELECT a FROM puzzles WHERE a > (SELECT avg(a) FROM other)", &[0, 1]),
            ("SELECT a FROM Puzzles UNION SELECT a FROM [puzzles]", &[0]),
            ("WITH c AS (SELECT a FROM puzzles) SELECT 1 FROM c UNION SELECT 2 FROM c", &[0]),
            ("WITH c(a) AS (SELECT a FROM puzzles) SELECT 1 FROM c", &[0]),
        ] {
            assert_eq!(read_again(again, &["puzzles", "other"]), tables, "{again}");
        }
    }
}
