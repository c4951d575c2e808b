//! Finds in an SQL text what SQLite answers, though something else was meant. The answer stays; a note tells the trap.
//!
//! ```text
//!   SELECT level, count(*) FROM puzzles          the level of any row
//!   se_er_tenths > 4.5                           tenths compared with an ER: true in every row
//!   se_er_tenths / 10                            whole numbers: the fraction is dropped
//!   level = 'easy' OR 'medium'                   a text alone counts as false, a number as true
//! ```
//!
//! What may be meant is not noted: `max(givens)` gives the other columns of the same row, `givens / 5 * 5` makes
//! classes, and a name that is no column may be anything.

use regex::{Captures, Regex};

use crate::corpus::ColumnType::{self, Signed, Unsigned32, Unsigned64};
use crate::corpus::{COLUMNS, TokenKind, sql_tokens};

/// The type of a column by its name in small letters. None for other names.
type KindOf<'a> = dyn Fn(&str) -> Option<ColumnType> + 'a;

/// The list of a query that begins with SELECT.
const LIST: &str = "^ select (.*?) (?:from .*)?$";
/// A function of several rows.
const AGGREGATE: &str = r"(?:^| )(count|sum|avg|total|median|stddev|variance) ?\(";
/// A call of any function. In its parentheses is one more pair at most.
const CALL: &str = r"[a-z0-9_]+ ?\((?:[^()]|\([^()]*\))*\)";
/// Tenths, the number that they are compared with, and the sign of a calculation behind it.
const TENTHS: &str = r" (?:(?:avg|median|min|max) \( ([a-z_]+_tenths) \)|([a-z_]+_tenths)) (?:between|[<>=! ]*[<>=]) ([0-9.]+)( [-+*/%])?";
/// Operands of multiplications and divisions, behind the sign before them.
const PRODUCT: &str = r"([*/%] )?((?:count\(\*\)|[a-z0-9_.]+)(?: [*/] (?:count\(\*\)|[a-z0-9_.]+))+)";
/// A value behind OR or another word, up to the end of its condition. Before it may stand a comparison, behind it more
/// such values.
const ALONE: &str = r"(?: ([a-z0-9_]+) = ('[^']*'|[0-9.]+))? (or|where|having) ('[^']*'|[0-9.]+)((?: or (?:'[^']*'|[0-9.]+))*)(?: (?:and|or|group|order|limit|\)|;)(?: .*)?)? $";

/// Notes about the traps of a condition on the columns of a corpus.
pub fn traps_of_condition(sql: &str) -> Vec<String> {
    traps(sql, &|name| COLUMNS.iter().find(|column| column.name == name).map(|column| column.kind))
}

/// Notes about the traps of a text, one of each kind at most.
pub(super) fn traps(sql: &str, kind_of: &KindOf<'_>) -> Vec<String> {
    let sql = plain(sql);
    let first = |pattern: &str, note: fn(&Captures<'_>, &KindOf<'_>) -> Option<String>| {
        Regex::new(pattern).ok()?.captures_iter(&sql).find_map(|captures| note(&captures, kind_of))
    };
    let is_one_query = sql.matches(" select ").count() == 1;
    let excuses = [" group by ", " min (", " max (", " over "];
    let is_counted = is_one_query && !excuses.iter().any(|excuse| sql.contains(excuse));
    let beside_count = if is_counted { first(LIST, list_note) } else { None };
    let others = [first(TENTHS, tenths_note), first(PRODUCT, product_note), first(ALONE, alone_note)];
    beside_count.into_iter().chain(others.into_iter().flatten()).collect()
}

/// A text in small letters with a space around each token, but without those in quotes. The table before the name of a
/// column is left out.
fn plain(sql: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for token in sql_tokens(sql) {
        let word = match token.kind {
            TokenKind::Space | TokenKind::Comment => continue,
            TokenKind::Text => token.text.replace(' ', "\u{a0}"),
            _ => token.name().unwrap_or_else(|| token.text.to_ascii_lowercase()),
        };
        // `4 . 5` is a number, and `p . level` a column.
        match words.pop_if(|last| last == ".").and_then(|_| words.pop()) {
            Some(number) if token.kind == TokenKind::Number => words.push(format!("{number}.{word}")),
            _ => words.push(word),
        }
    }
    format!(" {} ", words.join(" ")).replace("count ( * )", "count(*)")
}

/// A column beside an aggregate, without GROUP BY.
fn list_note(query: &Captures<'_>, kind_of: &KindOf<'_>) -> Option<String> {
    let aggregate = Regex::new(AGGREGATE).ok()?.captures(&query[1])?;
    for item in Regex::new(CALL).ok()?.replace_all(&query[1], "0").split(" , ") {
        let words: Vec<&str> = item.split(" as ").next()?.split(' ').collect();
        for (place, word) in words.iter().enumerate() {
            let is_alias = place > 0 && words[place - 1].starts_with([')', '0', '\'']);
            if !is_alias && kind_of(word).is_some() {
                let rule = format!("without GROUP BY, there is one row, and its {word} is that of any puzzle");
                let each = format!("for the {} of each {word}, write GROUP BY {word} at the end", &aggregate[1]);
                return Some(format!("{rule}; {each}"));
            }
        }
    }
    None
}

/// Tenths and a number that only an ER can be: ratings are from 1.0 to 12.0, so tenths are 10 or more.
fn tenths_note(tenths: &Captures<'_>, kind_of: &KindOf<'_>) -> Option<String> {
    let (name, value): (_, f64) = (tenths.get(1).or(tenths.get(2))?.as_str(), tenths[3].parse().ok()?);
    let is_er = value > 1.0 && value < 13.0 && (value < 10.0 || value.fract() > 0.0);
    kind_of(name).filter(|_| is_er && tenths.get(4).is_none())?;
    Some(format!("{name} counts tenths: the ER {value} is {} there", (value * 10.0).round()))
}

/// Whole numbers of which one is divided.
fn product_note(product: &Captures<'_>, kind_of: &KindOf<'_>) -> Option<String> {
    let (left, right) = product[2].rsplit_once(" / ").filter(|_| product.get(1).is_none())?;
    let is_number = |operand: &str| operand.parse::<u64>().is_ok();
    let is_column =
        |operand: &str| operand == "count(*)" || matches!(kind_of(operand), Some(Unsigned32 | Unsigned64 | Signed));
    let operands: Vec<&str> = product[2].split(' ').step_by(2).collect();
    let is_whole = operands.iter().all(|operand| is_number(operand) || is_column(operand));
    let is_class = right.split_once(" * ").is_some_and(|(width, again)| width == again);
    if !is_whole || is_class || !operands.into_iter().any(is_column) {
        return None;
    }
    let instead = if is_number(right) { format!("{left} / {right}.0") } else { format!("{left} * 1.0 / {right}") };
    Some(format!("{} drops the fraction, because both are whole numbers: write {instead}", &product[2]))
}

/// A value that stands for a condition. Zero and one may be meant as false and true.
fn alone_note(alone: &Captures<'_>, _: &KindOf<'_>) -> Option<String> {
    let (value, is_text) = (&alone[4], alone[4].starts_with('\''));
    if !is_text && (["0", "1"].contains(&value) || &alone[3] != "or") {
        return None;
    }
    let counts = if is_text { "false" } else { "true" };
    let instead = match (alone.get(1), alone.get(2)) {
        (Some(name), Some(first)) => {
            let more = alone[5].replace(" or ", ", ");
            format!("write {} IN ({}, {value}{more})", name.as_str(), first.as_str())
        }
        _ => "compare it with a column, as in level = 'easy'".to_owned(),
    };
    Some(format!("{value} alone is no condition, and counts as {counts}: {instead}").replace('\u{a0}', " "))
}

#[cfg(test)]
mod tests {
    use super::traps_of_condition as notes;

    #[test]
    fn traps_are_noted() {
        for (sql, said) in [
            ("SELECT level, count(*) FROM puzzles", "write GROUP BY level"),
            ("select avg(p.givens), p.level from puzzles p", "for the avg of each level"),
            ("SELECT count(*) FROM puzzles WHERE se_er_tenths >= 4.5", "the ER 4.5 is 45"),
            ("p.se_er_tenths BETWEEN 2 AND 4", "the ER 2 is 20"),
            ("SELECT level FROM puzzles GROUP BY level HAVING avg(se_er_tenths) > 3.5", "the ER 3.5 is 35"),
            ("SELECT se_er_tenths / 10 AS er FROM puzzles", "write se_er_tenths / 10.0"),
            ("SELECT givens/holes FROM puzzles", "write givens * 1.0 / holes"),
            ("SELECT 100 * count(*) / 20 FROM puzzles", "write 100 * count(*) / 20.0"),
            ("level = 'easy' OR 'medium'", "counts as false: write level IN ('easy', 'medium')"),
            ("SELECT row FROM puzzles WHERE (level = 'a' or 'b c' or 'd') LIMIT 3", "write level IN ('a', 'b c', 'd')"),
            ("givens = 24 OR 25", "25 alone is no condition, and counts as true: write givens IN (24, 25)"),
            ("SELECT row FROM puzzles WHERE 'easy'", "compare it with a column"),
        ] {
            let notes = notes(sql);
            assert!(matches!(&notes[..], [note] if note.contains(said)), "{sql}: {notes:?}");
        }
    }

    #[test]
    fn what_may_be_meant_is_not_noted() {
        let texts = "SELECT level, count(*) FROM puzzles GROUP BY level|SELECT puzzle, max(se_er_tenths) FROM puzzles|\
                     SELECT level, count(*) OVER () FROM puzzles|SELECT level, (SELECT count(*) FROM puzzles) FROM puzzles|\
                     SELECT count(*) AS givens, sum(givens) level FROM puzzles WHERE level = 'easy'|se_er_tenths / 10.0 > 4.5|\
                     se_er_tenths > 45 AND se_er_tenths < 120 AND se_er_tenths > 0 AND se_er_tenths > 4.5 * 10|\
                     level = 'se_er_tenths > 4.5'|SELECT level FROM puzzles GROUP BY level HAVING count(se_er_tenths) > 5|\
                     SELECT givens / 5 * 5, 1.0 * givens / holes, givens * 1.0 / holes, givens / 81.0 FROM puzzles|7 / 2 > 3|\
                     round(givens) / 2 > givens / abs(holes) OR log_weight / 10 > (givens + 1) / holes|minimal OR 1|SELECT sum(row), corr(givens, row) FROM puzzles|\
                     level BETWEEN 'a' AND 'b' OR level = 'c' OR 24 < givens OR level LIKE 'e%'|level = 'x or ''y'''|\
                     SELECT 'easy', CASE WHEN givens > 24 OR minimal THEN 'many' ELSE 'few' END FROM puzzles";
        for sql in texts.split('|') {
            assert_eq!(notes(sql), Vec::<String>::new(), "{sql}");
        }
    }
}
