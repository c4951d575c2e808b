//! Splits an SQL text into tokens, as SQLite separates them.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
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

/// A piece of an SQL text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'s> {
    pub(crate) kind: TokenKind,
    pub(crate) text: &'s str,
}

impl Token<'_> {
    /// The name that it may be, in lower case and without its quotes.
    pub(crate) fn name(&self) -> Option<String> {
        match self.kind {
            TokenKind::Word => Some(self.text.to_ascii_lowercase()),
            TokenKind::Name => Some(self.text[1..self.text.len() - 1].to_ascii_lowercase()),
            _ => None,
        }
    }

    /// True if it is one of these words, in small letters or capitals.
    pub(super) fn is_word_of(&self, words: &[&str]) -> bool {
        self.kind == TokenKind::Word && words.iter().any(|word| self.text.eq_ignore_ascii_case(word))
    }
}

/// The tokens of a text in order. Together they are the text. A quote without an end is a symbol.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut remaining = text;
    while let Some(first) = remaining.chars().next() {
        let (kind, length) = first_token(remaining, first);
        let (text, behind) = remaining.split_at(length);
        tokens.push(Token { kind, text });
        remaining = behind;
    }
    tokens
}

/// The kind of the first token of a text, and its length in bytes.
fn first_token(text: &str, first: char) -> (TokenKind, usize) {
    // The length up to the end of a sign that closes the token. The search begins behind the opening sign.
    let length_until = |end: &str, start: usize| Some(start + text[start..].find(end)? + end.len());
    // The length of the characters that belong to the token.
    let length_of = |belongs: fn(char) -> bool| text.find(|c| !belongs(c)).unwrap_or(text.len());
    let in_quotes = |kind: TokenKind, end: &str| match length_until(end, 1) {
        Some(length) => (kind, length),
        None => (TokenKind::Symbol, 1),
    };
    match first {
        // A doubled quote inside makes two tokens of one, which does no harm here.
        '\'' => in_quotes(TokenKind::Text, "'"),
        '"' => in_quotes(TokenKind::Name, "\""),
        '`' => in_quotes(TokenKind::Name, "`"),
        '[' => in_quotes(TokenKind::Name, "]"),
        '-' if text.starts_with("--") => (TokenKind::Comment, length_until("\n", 2).unwrap_or(text.len())),
        '/' if text.starts_with("/*") => (TokenKind::Comment, length_until("*/", 2).unwrap_or(text.len())),
        c if c.is_ascii_digit() => (TokenKind::Number, length_of(is_of_word)),
        c if is_of_word(c) => (TokenKind::Word, length_of(is_of_word)),
        c if c.is_ascii_whitespace() => (TokenKind::Space, length_of(|c| c.is_ascii_whitespace())),
        c => (TokenKind::Symbol, c.len_utf8()),
    }
}

/// True for a character of a word or a number.
fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

/// Refuses a text that is not one statement, or not one that reads. The error is the message for the user.
pub(super) fn check_query(sql: &str) -> Result<(), String> {
    // SQLite would end there, and answer the beginning.
    if sql.contains('\0') {
        return Err("not understood: a character with the code 0".to_owned());
    }
    let tokens = tokens(sql);
    let words = tokens.iter().filter(|token| !matches!(token.kind, TokenKind::Space | TokenKind::Comment));
    let mut words = words.map(|token| token.text).skip_while(|text| matches!(*text, "(" | ";"));
    let Some(first) = words.next() else { return Err("the query is empty".to_owned()) };
    match first.to_ascii_uppercase().as_str() {
        "SELECT" | "WITH" | "VALUES" | "EXPLAIN" => {}
        "ALTER" | "ANALYZE" | "ATTACH" | "BEGIN" | "COMMIT" | "COPY" | "CREATE" | "DELETE" | "DETACH" | "DROP"
        | "END" | "EXPORT" | "IMPORT" | "INSERT" | "INSTALL" | "LOAD" | "PRAGMA" | "REINDEX" | "RELEASE"
        | "REPLACE" | "ROLLBACK" | "SAVEPOINT" | "SET" | "UPDATE" | "USE" | "VACUUM" => {
            return Err(format!("{first}: a query must begin with SELECT or WITH; it cannot change anything"));
        }
        _ => {
            return Err(format!(
                "not understood: {first}: a query must begin with SELECT or WITH; see `guide queries`"
            ));
        }
    }
    let mut behind_query = words.skip_while(|text| *text != ";");
    if behind_query.any(|text| text != ";") { Err("write one query at a time".to_owned()) } else { Ok(()) }
}

/// True if a query, or a query inside it, consists of several SELECT.
pub(super) fn is_compound(sql: &str) -> bool {
    tokens(sql).iter().any(|token| token.is_word_of(&["UNION", "INTERSECT", "EXCEPT"]))
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
        let text = "SELECT row, \"a b\", 'it''s', [x] -- c\n/* d */ FROM p WHERE 2e3 > é 'open";
        let tokens = tokens(text);
        assert_eq!(tokens.iter().map(|token| token.text).collect::<String>(), text);
        let of = |wanted: TokenKind| tokens.iter().filter(move |token| token.kind == wanted).map(|token| token.text);
        assert_eq!(of(TokenKind::Word).collect::<Vec<_>>(), ["SELECT", "row", "FROM", "p", "WHERE", "é", "open"]);
        assert_eq!(of(TokenKind::Name).collect::<Vec<_>>(), ["\"a b\"", "[x]"]);
        assert_eq!(of(TokenKind::Text).collect::<Vec<_>>(), ["'it'", "'s'"]);
        assert_eq!(of(TokenKind::Comment).count(), 2);
    }
}
