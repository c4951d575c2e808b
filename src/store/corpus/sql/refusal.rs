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

/// What is said of a query that would do more than read.
const ONLY_READS: &str = "a query can only read its tables";

/// What SQLite says of a query, and what is said instead. Braces stand for the words of SQLite behind its phrase.
const SENTENCES: &[(&str, &str)] = &[
    // A text of the query may hold any of the phrases below.
    ("unrecognized token: \":", "not understood: a colon; a change of type is CAST(level AS TEXT)"),
    ("unrecognized token: \"'", "not understood: this text has no quote at its end: '{}"),
    ("unrecognized token: ", "not understood: SQL has no such sign: {}"),
    ("not authorized", ONLY_READS),
    ("may not be modified", ONLY_READS),
    (
        "wrong number of arguments to function ",
        "the function {} takes another number of arguments; `guide queries` lists the functions",
    ),
    ("no such collation sequence: ", "no order '{}': write COLLATE NOCASE, or leave COLLATE out"),
    ("no such window: ", "no window '{}': write OVER (ORDER BY givens), or name it in a clause WINDOW"),
    ("no such index: ", "there is no index '{}': leave out INDEXED BY"),
    ("duplicate WITH table name: ", "WITH has two tables '{}': give one of them another name"),
    ("circular reference: ", "the table '{}' of WITH reads itself: give it another name"),
    ("duplicate column name: ", "a table of WITH has two columns '{}': give one of them another name"),
    ("values for ", "a table of WITH has other columns than its SELECT: give as many names"),
    (
        "recursive",
        "a recursive table stands once in its own SELECT, and not in an aggregate; leave RECURSIVE out, or see sqlite.org/lang_with.html",
    ),
    (
        "misuse of aliased window function ",
        "WHERE cannot use the window '{}': write SELECT * FROM (SELECT ..) WHERE {} < 3",
    ),
    ("misuse of window function ", "{} needs OVER, as in rank() OVER (ORDER BY givens); WHERE cannot use it"),
    ("may not be used as a window function", "OVER stands behind an aggregate or a window function: leave it out"),
    (
        "aggregate functions are not allowed",
        "GROUP BY takes columns, not aggregates such as count(*); their condition stands in HAVING",
    ),
    (
        "misuse of aggregate",
        "an aggregate such as count(*) stands neither in WHERE nor in another aggregate; write GROUP BY level HAVING count(*) > 3",
    ),
    ("on a non-aggregate query", "HAVING needs GROUP BY; a condition about single rows is WHERE"),
    ("GROUP BY clause is required", "HAVING needs GROUP BY; a condition about single rows is WHERE"),
    ("FILTER", "FILTER stands behind an aggregate, as in count(*) FILTER (WHERE givens < 24)"),
    ("DISTINCT", "DISTINCT in a function takes one value and no OVER, as in count(DISTINCT level)"),
    ("same number of result columns", "each SELECT of a UNION, INTERSECT or EXCEPT needs the same number of columns"),
    ("clause should come after", "ORDER BY and LIMIT stand at the end of a UNION, INTERSECT or EXCEPT, not inside"),
    (
        "BY term out of range",
        "no column of SELECT has this number: write its name, as in GROUP BY level or ORDER BY level",
    ),
    ("does not match any column", "ORDER BY behind a UNION takes columns of its SELECT: add the column there"),
    ("sub-select returns", "a SELECT that stands for a value has one column, as in (SELECT max(givens) FROM puzzles)"),
    (
        "row value misused",
        "several values in parentheses are no value: write them without parentheses, or compare each",
    ),
    ("same number of terms", "each row of VALUES needs the same number of values"),
    ("datatype mismatch", "LIMIT and OFFSET take whole numbers, as in LIMIT 10"),
    ("variable", "a query has no variables such as ? or :level: write the value itself, texts as 'hard'"),
    ("cannot join using column ", "USING needs a column that both tables have; for other names write ON a.x = b.y"),
    ("NATURAL join", "NATURAL JOIN has neither ON nor USING: leave out NATURAL"),
    ("unknown join type", "no such join: write JOIN, LEFT JOIN, RIGHT JOIN, FULL JOIN or CROSS JOIN"),
    ("no tables specified", "'*' needs a table: write SELECT * FROM puzzles"),
    ("frame", "a window of neighbors is, for example, OVER (ORDER BY row ROWS 3 PRECEDING)"),
    ("RANGE with offset", "RANGE needs one ORDER BY, as in OVER (ORDER BY givens RANGE 3 PRECEDING)"),
    ("too many", "the query has too many columns, tables or parts: write several queries"),
    ("tables in a join", "the query has too many tables: write several queries"),
    ("too big", "a value is too large: a text has at most 16 MiB, a hexadecimal number 16 digits"),
    ("integer overflow", "a whole number would be above 9223372036854775807: total(x) adds as real numbers"),
    ("malformed JSON", "the text is no JSON"),
    ("ESCAPE expression", "ESCAPE takes one character, as in LIKE '10!%' ESCAPE '!'"),
    ("pattern too complex", "a pattern of LIKE has at most 1,000 characters"),
    ("function MATCH", "MATCH is not known: write LIKE '%wing%', or REGEXP 'wing'"),
    ("incomplete input", "not understood: the SQL ends too early; `guide queries` has examples"),
    ("Expression tree is too large", "an expression is nested too deeply{}; IN (..) takes long lists"),
];

/// Words at which SQLite stops, and what is said then.
const NEAR: &[(&str, &str)] = &[
    ("AS", "something is missing before AS: a comma between columns, or the rest of an expression"),
    (
        "FROM WHERE GROUP ORDER LIMIT HAVING )",
        "before {} something is missing or too many, such as a comma or a parenthesis",
    ),
    ("ILIKE", "LIKE makes no difference of small letters and capitals: write LIKE"),
    ("INTO", "a query only reads; --out answer.csv writes the answer to a file"),
    ("EXCLUDE EXCEPT REPLACE", "'*' stands for all columns: name those that you want"),
    (">", "write the comparison as >=, <= or <>"),
    ("&", "write AND"),
    (",", "before , something is missing or too many; BETWEEN takes AND, as in BETWEEN 24 AND 30"),
];

/// Words before the place where SQLite stops, and what is said then.
const BEFORE: &[(&str, &str)] = &[
    ("TOP", "TOP is not known: write LIMIT 5 at the end of the query"),
    ("GROUP", "write GROUP BY"),
    ("ORDER", "write ORDER BY"),
    ("FORM", "write FROM"),
    ("GROUPBY", "write GROUP BY"),
    ("DISTINCT", "DISTINCT ON is not known: write SELECT level, min(row) FROM puzzles GROUP BY level"),
];

/// Functions that people often mean.
const FUNCTIONS: &[&str] = &["avg", "count", "instr", "length", "median", "round", "stddev", "substr", "total"];

/// The words of SQLite about an error, and the message if these do not matter.
fn words_of(error: &Error) -> Result<String, &'static str> {
    let text = match error {
        Error::SqlInputError { msg, .. } => msg.clone(),
        Error::SqliteFailure(failure, text) => match failure.code {
            ErrorCode::OutOfMemory => return Err("the query needs more than 2 GiB of memory"),
            ErrorCode::OperationInterrupted => return Err("the query was interrupted"),
            ErrorCode::AuthorizationForStatementDenied => return Err(ONLY_READS),
            _ => text.clone().unwrap_or_else(|| error.to_string()),
        },
        Error::MultipleStatement => return Err("write one query at a time"),
        Error::NulError(_) => return Err("not understood: a character with the code 0"),
        other => other.to_string(),
    };
    Ok(text.lines().next().unwrap_or_default().chars().take(300).collect())
}

/// What several rows are needed for, if a query is refused for that.
pub(super) fn needs_rows(error: &Error) -> Option<&'static str> {
    let text = words_of(error).ok()?;
    let kinds = [("aggregate", "an aggregate"), ("window", "a window"), ("GROUP BY", "GROUP BY")];
    kinds.into_iter().find(|(word, _)| text.contains(word)).map(|(_, kind)| kind)
}

/// The message about an error. `columns` and `tables` are the names that exist.
pub(super) fn message(error: &Error, columns: &[&str], tables: &[&str]) -> String {
    let text = match words_of(error) {
        Ok(text) => text,
        Err(sentence) => return sentence.to_owned(),
    };
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
        return format!("no function '{name}'{}", near_or(name, FUNCTIONS, "`guide queries` lists the functions"));
    }
    if let Some(column) = text.strip_prefix("ambiguous column name: ") {
        let column = column.rsplit('.').next().unwrap_or(column);
        return format!("several tables have a column '{column}': write the table before it, as in p.{column}");
    }
    if let Some(place) = text.strip_suffix(": syntax error") {
        return format!("not understood: {}", syntax(error, place));
    }
    for (phrase, sentence) in SENTENCES {
        if let Some((_, rest)) = text.split_once(phrase) {
            return sentence.replace("{}", rest.trim_matches('"'));
        }
    }
    format!("{text}; `guide queries` has examples")
}

/// What is wrong at a place that SQLite names, or before it.
fn syntax(error: &Error, place: &str) -> String {
    if let Error::SqlInputError { sql, offset, .. } = error
        && let Some(word) = usize::try_from(*offset).ok().and_then(|end| sql.get(..end)?.split_whitespace().next_back())
        && let Some((_, sentence)) = BEFORE.iter().find(|(before, _)| before.eq_ignore_ascii_case(word))
    {
        return (*sentence).to_owned();
    }
    let word = place.strip_prefix("near ").unwrap_or(place).trim_matches('"');
    for (words, sentence) in NEAR {
        if words.split(' ').any(|other| other.eq_ignore_ascii_case(word)) {
            return sentence.replace("{}", word);
        }
    }
    format!("the mistake is at or before \"{word}\"; `guide queries` has examples")
}

/// Where the rows are: a call that reads an index of published puzzles has no table `puzzles`.
fn the_table(tables: &[&str]) -> String {
    let rows = tables.iter().find(|table| **table == "puzzles").or(tables.first());
    let rows = rows.unwrap_or(&"puzzles");
    format!("the rows are the table {rows}: write FROM {rows}")
}

/// The message about a column that does not exist.
fn no_column(name: &str, columns: &[&str], tables: &[&str]) -> String {
    if name.starts_with(['\u{2018}', '\u{201c}']) {
        return format!(
            "{name} has the quotes of a text program: write '{}'",
            name.trim_matches(|sign| !char::is_alphanumeric(sign))
        );
    }
    let column = columns.iter().find(|column| column.eq_ignore_ascii_case(name));
    if let (Some(column), Some(table)) = (column, tables.first()) {
        return format!("'{column}' is a column of no table that is read there: FROM {table} is missing");
    }
    // A text in double quotes is the name of a column.
    if let Some((quoted, _)) = name.split_once(" - should this be a string literal") {
        let inner = quoted.trim_matches('"');
        let is_level = LEVELS.contains(&inner.to_lowercase().as_str());
        let near = if is_level { String::new() } else { suggestion(inner, columns) };
        return format!("no column {quoted}; texts need single quotes: '{inner}'{near}");
    }
    let plain = name.rsplit('.').next().unwrap_or(name);
    if let Some((table, _)) = name.rsplit_once('.').filter(|_| columns.contains(&plain)) {
        return format!("no table is called '{table}' in this query: write {plain}, or the name that FROM gives");
    }
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
