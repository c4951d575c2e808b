//! Questions in SQL, made to mean to polars what they say.
//!
//! ```text
//!   SELECT level, avg(score)                       SELECT level, avg(score) AS "avg(score)"
//!   FROM puzzles GROUP BY level            ->      FROM puzzles GROUP BY level
//!   ORDER BY avg(score)                            ORDER BY "avg(score)"
//! ```
//!
//! * polars calls `avg(score)` "score" and `count(*)` "len", so that two figures about one column cannot be asked for. Here
//!   an expression without a name is called as it is written.
//! * Behind GROUP BY, polars evaluates ORDER BY on the answer: there `count(*)` is the same for every row, and the rows are
//!   not sorted at all. Here it stands for the column of the answer that is written so; where there is none, that is an error.
//! * `count(DISTINCT puzzle)` would keep every text; here it counts [`DIGEST`]s of texts.
//! * Columns hold numbers without a sign, of 32 bits mostly, and `givens - holes` would be 4,294,967,263. Where a question
//!   [`calculates`], they are made numbers of 64 bits with a sign first, and so is `count(*)` beside an operator.

use std::ops::Range;

/// The function that makes 128 bits of a text.
pub(in crate::corpus::frame) const DIGEST: &str = "text_digest";

/// Functions over several rows.
const AGGREGATES: [&str; 17] = [
    "avg",
    "count",
    "corr",
    "covar",
    "first",
    "last",
    "max",
    "mean",
    "median",
    "min",
    "quantile_cont",
    "quantile_disc",
    "std",
    "stddev",
    "sum",
    "var",
    "variance",
];

/// Words that end the list behind SELECT, GROUP BY or ORDER BY.
const CLAUSES: [&str; 14] = [
    "from",
    "where",
    "group",
    "having",
    "window",
    "qualify",
    "order",
    "limit",
    "offset",
    "fetch",
    "union",
    "except",
    "intersect",
    "into",
];

/// Words that are no name when an expression ends with them.
const ENDS: [&str; 10] = ["end", "null", "true", "false", "and", "or", "not", "is", "unknown", "desc"];

/// Words behind which an expression goes on.
const OPERATORS: [&str; 17] = [
    "and", "or", "not", "is", "like", "ilike", "in", "between", "from", "distinct", "case", "when", "then", "else",
    "rlike", "regexp", "similar",
];

/// Is this, in small letters, a function over several rows?
pub fn is_aggregate(name: &str) -> bool {
    AGGREGATES.contains(&name)
}

/// A question as polars should be asked. `is_text` says of a column whether it holds texts.
///
/// # Errors
/// ORDER BY something over several rows that the answer does not hold.
pub(in crate::corpus::frame) fn meant(sql: &str, is_text: &dyn Fn(&str) -> bool) -> Result<String, String> {
    let Some(tokens) = tokens(sql) else { return Ok(sql.to_owned()) };
    let mut question = Question { sql, tokens, changes: Vec::new() };
    // First, because what is inserted in one place stands there in this order.
    (0..question.tokens.len()).for_each(|at| question.widen_count(at));
    for at in 0..question.tokens.len() {
        if question.is(at, "select") {
            question.name_and_order(at)?;
        }
        if question.is(at, "distinct") {
            question.digest(at, is_text);
        }
    }
    Ok(question.changed())
}

/// Does a question add, subtract or multiply, so that numbers may become negative or large?
pub(super) fn calculates(sql: &str) -> bool {
    let Some(tokens) = tokens(sql) else { return false };
    let question = Question { sql, tokens, changes: Vec::new() };
    (0..question.tokens.len()).any(|at| {
        question.is_operator(at) || (question.is_one_of(at, &["sum", "pow", "power"]) && question.text(at + 1) == "(")
    })
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A name or key word.
    Word,
    /// A name between double quotes or backticks.
    Quoted,
    /// A text or a number.
    Value,
    /// Anything else, one character.
    Symbol,
}

/// A token: its place in the question, and how many parentheses are open before it. The one that closes a list is as deep
/// as the list.
#[derive(Clone, Debug)]
struct Token {
    place: Range<usize>,
    kind: Kind,
    depth: usize,
}

/// The tokens of a question without comments; none when quotes or parentheses do not match, which polars tells.
fn tokens(sql: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(first) = sql[at..].chars().next() {
        let rest = &sql[at..];
        let until = |end: fn(char) -> bool| rest.find(end).unwrap_or(rest.len());
        let (kind, length) = match first {
            _ if first.is_whitespace() => (None, first.len_utf8()),
            '-' if rest.starts_with("--") => (None, rest.find('\n').unwrap_or(rest.len())),
            '/' if rest.starts_with("/*") => (None, rest.find("*/")? + 2),
            '\'' => (Some(Kind::Value), rest[1..].find('\'')? + 2),
            '"' | '`' => (Some(Kind::Quoted), rest[1..].find(first)? + 2),
            '0'..='9' => (Some(Kind::Value), until(|c| !c.is_alphanumeric() && c != '.')),
            _ if first.is_alphabetic() || first == '_' => {
                (Some(Kind::Word), until(|c| !c.is_alphanumeric() && c != '_'))
            }
            _ => (Some(Kind::Symbol), first.len_utf8()),
        };
        tokens.extend(kind.map(|kind| Token { place: at..at + length, kind, depth }));
        match first {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += length;
    }
    (depth == 0).then_some(tokens)
}

/// An item of a list: its expression, and the name behind it.
struct Item {
    expression: Range<usize>,
    name: Option<usize>,
}

/// A question being changed.
struct Question<'a> {
    sql: &'a str,
    tokens: Vec<Token>,
    /// What comes into which places.
    changes: Vec<(Range<usize>, String)>,
}

impl Question<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.sql[token.place.clone()])
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Word) && self.text(at).eq_ignore_ascii_case(word)
    }

    fn is_one_of(&self, at: usize, words: &[&str]) -> bool {
        words.iter().any(|word| self.is(at, word))
    }

    /// Where a list ends that begins at a token: at the next clause, or where its parentheses close.
    fn end_of_list(&self, from: usize, depth: usize) -> usize {
        let ends = |&at: &usize| {
            let token = &self.tokens[at];
            let clause = self.is_one_of(at, &CLAUSES) && !(self.is(at, "from") && self.is(at - 1, "distinct"));
            token.depth == depth && (clause || self.text(at) == ";" || self.text(at) == ")")
        };
        (from..self.tokens.len()).find(ends).unwrap_or(self.tokens.len())
    }

    /// The items of a list.
    fn items(&self, list: Range<usize>, depth: usize) -> Vec<Range<usize>> {
        let comma = |&at: &usize| self.tokens[at].depth == depth && self.text(at) == ",";
        let commas: Vec<usize> = list.clone().filter(comma).collect();
        let starts = std::iter::once(list.start).chain(commas.iter().map(|at| at + 1));
        starts.zip(commas.iter().copied().chain([list.end])).map(|(start, end)| start..end).collect()
    }

    /// An item behind SELECT, and the name it has, with or without AS.
    fn named(&self, item: Range<usize>, depth: usize) -> Item {
        let named_as = |&at: &usize| self.tokens[at].depth == depth && self.is(at, "as");
        if let Some(at) = item.clone().find(named_as) {
            return Item { expression: item.start..at, name: Some(at + 1) };
        }
        let last = item.end.saturating_sub(1);
        let is_name = item.len() > 1
            && matches!(self.tokens[last].kind, Kind::Word | Kind::Quoted)
            && !self.is_one_of(last, &ENDS)
            && match self.tokens[last - 1].kind {
                Kind::Word => !self.is_one_of(last - 1, &OPERATORS),
                Kind::Quoted | Kind::Value => true,
                Kind::Symbol => self.text(last - 1) == ")",
            };
        let end = if is_name { last } else { item.end };
        Item { expression: item.start..end, name: is_name.then_some(last) }
    }

    /// Is it a column, or several at once, whose names polars keeps?
    fn is_plain(&self, expression: Range<usize>) -> bool {
        let star = |at: usize| self.text(at) == "*" && (at == expression.start || self.text(at - 1) == ".");
        let several = |at: usize| star(at) || self.is_one_of(at, &["columns", "unnest"]);
        self.is_column(expression.clone()) || expression.clone().any(several)
    }

    /// A name, or names parted by points?
    fn is_column(&self, path: Range<usize>) -> bool {
        path.clone().all(|at| match (at - path.start) % 2 {
            0 => matches!(self.tokens[at].kind, Kind::Word | Kind::Quoted),
            _ => self.text(at) == ".",
        })
    }

    /// The tokens of an expression, one blank between them, words in small letters: the same for the same expression.
    fn normal(&self, expression: Range<usize>) -> String {
        let normal = |at: usize| match self.tokens[at].kind {
            Kind::Word => self.text(at).to_lowercase(),
            _ => self.text(at).to_owned(),
        };
        expression.map(normal).collect::<Vec<_>>().join(" ")
    }

    /// Is something over several rows in it, all of them together?
    fn is_over_rows(&self, expression: Range<usize>) -> bool {
        let called = |at: usize| is_aggregate(&self.text(at).to_lowercase()) && self.text(at + 1) == "(";
        expression.clone().any(called) && !expression.clone().any(|at| self.is(at, "over") || self.is(at, "select"))
    }

    /// Gives names to what SELECT asks for, and uses them in ORDER BY.
    fn name_and_order(&mut self, select: usize) -> Result<(), String> {
        let depth = self.tokens[select].depth;
        let mut start = select + 1;
        if self.is(start, "distinct") || self.is(start, "all") {
            start += 1;
        }
        if self.is(start, "on") && self.text(start + 1) == "(" {
            let inside = self.tokens[start + 1].depth;
            let behind = |&at: &usize| self.tokens[at].depth == inside;
            start = (start + 2..self.tokens.len()).find(behind).unwrap_or(self.tokens.len());
        }
        let end = self.end_of_list(start, depth);
        // Of several SELECTs the first one names the columns of the answer; ORDER BY stands behind the last.
        let first = select == 0 || !self.is_one_of(select - 1, &["all", "distinct", "union", "except", "intersect"]);
        let mut names: Vec<(String, String)> = Vec::new();
        for item in self.items(start..end, depth).into_iter().filter(|item| !item.is_empty()) {
            let Item { expression, name } = self.named(item, depth);
            if expression.is_empty() || self.is_plain(expression.clone()) {
                continue;
            }
            let name = match name {
                Some(name) => self.text(name).to_owned(),
                None => self.give_name(expression.clone()),
            };
            names.push((self.normal(expression), name));
        }
        if first { self.order_by_names(end, depth, &names) } else { Ok(()) }
    }

    /// Calls an expression as it is written.
    fn give_name(&mut self, expression: Range<usize>) -> String {
        let place = self.tokens[expression.start].place.start..self.tokens[expression.end - 1].place.end;
        let written = self.sql[place.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        let name = format!("\"{}\"", written.replace('"', ""));
        self.changes.push((place.end..place.end, format!(" AS {name}")));
        name
    }

    /// Sorts by columns of the answer what is sorted by the expressions that they are.
    fn order_by_names(&mut self, from: usize, depth: usize, names: &[(String, String)]) -> Result<(), String> {
        let mut grouped = false;
        let mut order = None;
        for at in (from..self.tokens.len()).filter(|&at| self.tokens[at].depth == depth) {
            grouped |= self.is(at, "group");
            if self.is(at, "order") && self.is(at + 1, "by") {
                order = Some(at + 2);
                break;
            }
            if self.text(at) == ")" || self.is_one_of(at, &["union", "except", "intersect"]) {
                break;
            }
        }
        let Some(order) = order else { return Ok(()) };
        let end = self.end_of_list(order, depth);
        for item in self.items(order..end, depth) {
            let ends = |&at: &usize| self.is_one_of(at, &["asc", "desc", "nulls"]) && self.tokens[at].depth == depth;
            let expression = item.start..item.clone().find(ends).unwrap_or(item.end);
            if !self.is_over_rows(expression.clone()) {
                continue;
            }
            let normal = self.normal(expression.clone());
            let place = self.tokens[expression.start].place.start..self.tokens[expression.end - 1].place.end;
            match names.iter().find(|(known, _)| *known == normal) {
                Some((_, name)) => {
                    self.changes.retain(|(other, _)| other.end < place.start || other.start > place.end);
                    self.changes.push((place, name.clone()));
                }
                None if grouped => {
                    let written = &self.sql[place];
                    return Err(format!(
                        "ORDER BY {written}: the answer has no such column; ask for it with a name, as in \
                         SELECT .., {written} AS x .. ORDER BY x"
                    ));
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Is it `+`, `-`, `/`, `%`, or `*` behind a value?
    fn is_operator(&self, at: usize) -> bool {
        match self.text(at) {
            "+" | "-" | "/" | "%" => true,
            "*" if at > 0 => match self.tokens[at - 1].kind {
                Kind::Value | Kind::Quoted => true,
                Kind::Word => !self.is_one_of(at - 1, &["select", "distinct", "all"]),
                Kind::Symbol => self.text(at - 1) == ")",
            },
            _ => false,
        }
    }

    /// Makes `count(..)` beside an operator a number with a sign.
    fn widen_count(&mut self, count: usize) {
        if !self.is(count, "count") || self.text(count + 1) != "(" {
            return;
        }
        let depth = self.tokens[count].depth;
        let outside = |&at: &usize| self.tokens[at].depth == depth;
        let end = (count + 2..self.tokens.len()).find(outside).unwrap_or(self.tokens.len());
        if self.is_one_of(end, &["over", "filter"]) {
            return;
        }
        if self.is_operator(end) || (count > 0 && self.is_operator(count - 1)) {
            let (start, end) = (self.tokens[count].place.start, self.tokens[end - 1].place.end);
            self.changes.push((start..start, "CAST(".to_owned()));
            self.changes.push((end..end, " AS BIGINT)".to_owned()));
        }
    }

    /// In `count(DISTINCT column)`, the column by its digests when it is of texts.
    fn digest(&mut self, distinct: usize, is_text: &dyn Fn(&str) -> bool) {
        if distinct < 2 || self.text(distinct - 1) != "(" || !self.is(distinct - 2, "count") {
            return;
        }
        let depth = self.tokens[distinct].depth;
        let closing = |&at: &usize| self.tokens[at].depth == depth && self.text(at) == ")";
        let Some(end) = (distinct + 1..self.tokens.len()).find(closing).filter(|end| *end > distinct + 1) else {
            return;
        };
        let column = self.text(end - 1).trim_matches(['"', '`']);
        if self.is_column(distinct + 1..end) && is_text(column) {
            let place = self.tokens[distinct + 1].place.start..self.tokens[end - 1].place.end;
            let digest = format!("{DIGEST}({})", &self.sql[place.clone()]);
            self.changes.push((place, digest));
        }
    }

    fn changed(mut self) -> String {
        // Of two changes in one place the second is a name that comes behind it.
        self.changes.sort_by_key(|(place, _)| (place.start, place.end));
        let mut changed = String::new();
        let mut at = 0;
        for (place, text) in self.changes {
            changed.push_str(&self.sql[at..place.start]);
            changed.push_str(&text);
            at = place.end;
        }
        changed + &self.sql[at..]
    }
}

#[cfg(test)]
mod tests;
