//! The words of an SQL text, as SQLite separates them.

/// What a piece of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
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

/// The pieces of a text in order. Together they are the text. A piece that does not end before the text does is a symbol.
pub(super) fn pieces(text: &str) -> Vec<(PieceKind, &str)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = piece(rest, first);
        let (piece, after) = rest.split_at(length);
        pieces.push((kind, piece));
        rest = after;
    }
    pieces
}

/// The kind of the first piece of a text, and its length in bytes.
fn piece(rest: &str, first: char) -> (PieceKind, usize) {
    let of_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii();
    let run = |of: &dyn Fn(char) -> bool| rest.find(|c| !of(c)).unwrap_or(rest.len());
    let until = |end: &str, from: usize| rest[from..].find(end).map(|at| from + at + end.len());
    let closed =
        |kind: PieceKind, end: Option<usize>| end.map_or((PieceKind::Symbol, first.len_utf8()), |end| (kind, end));
    match first {
        '\'' => closed(PieceKind::Text, until("'", 1)),
        '"' => closed(PieceKind::Name, until("\"", 1)),
        '`' => closed(PieceKind::Name, until("`", 1)),
        '[' => closed(PieceKind::Name, until("]", 1)),
        '-' if rest.starts_with("--") => (PieceKind::Comment, until("\n", 2).unwrap_or(rest.len())),
        '/' if rest.starts_with("/*") => (PieceKind::Comment, until("*/", 2).unwrap_or(rest.len())),
        c if c.is_ascii_digit() => (PieceKind::Number, run(&of_word)),
        c if of_word(c) => (PieceKind::Word, run(&of_word)),
        c if c.is_ascii_whitespace() => (PieceKind::Space, run(&|c| c.is_ascii_whitespace())),
        c => (PieceKind::Symbol, c.len_utf8()),
    }
}

/// Refuses a text that is not one statement, or not one that reads.
pub(super) fn check_query(sql: &str) -> Result<(), String> {
    // SQLite would end there, and answer the beginning.
    if sql.contains('\0') {
        return Err("not understood: a character with the code 0".to_owned());
    }
    let pieces = pieces(sql);
    let told = pieces.iter().filter(|(kind, _)| !matches!(kind, PieceKind::Space | PieceKind::Comment));
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
    pieces(sql).into_iter().any(|(kind, text)| kind == PieceKind::Word && joins(text))
}

/// A query in which `index` may be written without quotes: it is a keyword of SQLite, but not of queries, and the name of a
/// column of every corpus.
pub(super) fn with_index(sql: &str) -> String {
    let quoted = |(kind, text): (PieceKind, &str)| match kind {
        PieceKind::Word if text.eq_ignore_ascii_case("index") => format!("[{text}]"),
        _ => text.to_owned(),
    };
    pieces(sql).into_iter().map(quoted).collect()
}

/// A text as it was before [`with_index`].
pub(super) fn without_quotes(text: &str) -> String {
    pieces(text)
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
    fn pieces_together_are_the_text() {
        let text = "SELECT index, \"a b\", 'it''s', [x] -- c\n/* d */ FROM p WHERE 2e3 > é 'open";
        let pieces = pieces(text);
        assert_eq!(pieces.iter().map(|(_, piece)| *piece).collect::<String>(), text);
        let of = |wanted: PieceKind| pieces.iter().filter(move |(kind, _)| *kind == wanted).map(|(_, text)| *text);
        assert_eq!(of(PieceKind::Word).collect::<Vec<_>>(), ["SELECT", "index", "FROM", "p", "WHERE", "é", "open"]);
        assert_eq!(of(PieceKind::Name).collect::<Vec<_>>(), ["\"a b\"", "[x]"]);
        assert_eq!(of(PieceKind::Text).collect::<Vec<_>>(), ["'it'", "'s'"]);
        assert_eq!(of(PieceKind::Comment).count(), 2);
    }

    #[test]
    fn index_needs_no_quotes() {
        assert_eq!(with_index("max(Index), 'index', \"index\", indexed"), "max([Index]), 'index', \"index\", indexed");
        assert_eq!(without_quotes("max([Index]) + 'a'"), "max(Index) + 'a'");
    }
}
