//! The same questions to files and to plain tables of SQLite have the same answers: random questions, and those that
//! researchers ask. `SUDOKU_CORPUS_QUESTIONS=N` asks N random questions instead of 400.

use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::Value as Sql;

use crate::corpus::files::frame::TableWriter;
use crate::corpus::sql::tables::declared;
use crate::corpus::sql::tokens::quoted;
use crate::corpus::sql::{Answer, Scan, SourceFiles, functions};
use crate::corpus::values::value::{ColumnType, Value};
use sudoku_corpus_core::random::{Rng, Stage};

type Rows = Vec<Vec<Sql>>;

const COLUMNS: [(&str, ColumnType); 9] = [
    ("row", ColumnType::Unsigned64),
    ("level", ColumnType::Text),
    ("score", ColumnType::Unsigned32),
    ("givens", ColumnType::Unsigned32),
    ("minimal", ColumnType::Flag),
    ("weight", ColumnType::Real),
    ("class", ColumnType::Text),
    ("delta", ColumnType::Signed),
    ("day", ColumnType::Text),
];

/// Rows with ties, missing values, and numbers whose sums are exact.
fn rows(count: u64, seed: u64) -> Rows {
    let mut dice = Rng::new(seed, 0, Stage::Bench, 0);
    let mut row = |index: u64| {
        let mut known = |value: Sql| if dice.below(8) == 0 { Sql::Null } else { value };
        let level = ["easy", "medium", "hard", "it's"][(index * 7 % 4) as usize].to_owned();
        vec![
            Sql::Integer(index as i64),
            known(Sql::Text(level)),
            known(Sql::Integer((index * index % 97) as i64 * 10)),
            Sql::Integer(20 + (index * 5 % 17) as i64),
            Sql::Integer(index.is_multiple_of(3).into()),
            known(Sql::Real((index * 13 % 64) as f64 / 8.0 - 3.0)),
            Sql::Text(format!("{:04x}", index * 37 % (count / 2))),
            known(Sql::Integer((index * 31 % 41) as i64 - 20)),
            known(Sql::Text(format!("2026-{:02}-{:02}", 1 + index % 12, 1 + index % 28))),
        ]
    };
    (0..count).map(&mut row).collect()
}

fn write(path: &Path, rows: &[Vec<Sql>]) {
    let columns = COLUMNS.map(|(name, kind)| (name.to_owned(), kind)).to_vec();
    let mut file = TableWriter::new(Box::new(File::create(path).unwrap()), columns, None).unwrap();
    // Small row groups, so that conditions skip some.
    for group in rows.chunks(16) {
        let value = |row: usize, column: usize| match (&group[row][column], COLUMNS[column].1) {
            (Sql::Integer(flag), ColumnType::Flag) => Value::Flag(*flag != 0),
            (Sql::Integer(number), ColumnType::Signed) => Value::Signed(*number),
            (Sql::Integer(number), _) => Value::Unsigned(*number as u64),
            (Sql::Real(number), _) => Value::Real(*number),
            (Sql::Text(text), _) => Value::Text(text.as_str().into()),
            _ => Value::Null,
        };
        file.write(group.len(), value).unwrap();
    }
    file.finish().unwrap();
}

/// The same rows as files and as plain tables: `puzzles` in three files of two sources, `monday` and `others`.
struct Both {
    scan: Scan,
    base: Connection,
    _folder: tempfile::TempDir,
}

fn both() -> Both {
    let folder = tempfile::tempdir().unwrap();
    let (monday, tuesday, others) = (rows(70, 1), rows(50, 2), rows(40, 3));
    let base = Connection::open_in_memory().unwrap();
    functions::add(&base).unwrap();
    for off in
        [rusqlite::config::DbConfig::SQLITE_DBCONFIG_DQS_DML, rusqlite::config::DbConfig::SQLITE_DBCONFIG_DQS_DDL]
    {
        base.set_db_config(off, false).unwrap();
    }
    let plain = |name: &str, rows: &[&[Vec<Sql>]]| {
        let columns = COLUMNS.map(|(name, kind)| format!("{} {}", quoted(name), declared(Some(kind)))).join(", ");
        base.execute(&format!("CREATE TABLE {name}({columns})"), []).unwrap();
        let places = vec!["?"; COLUMNS.len()].join(", ");
        let mut insert = base.prepare(&format!("INSERT INTO {name} VALUES ({places})")).unwrap();
        rows.iter()
            .flat_map(|rows| rows.iter())
            .for_each(|row| assert_eq!(insert.execute(rusqlite::params_from_iter(row)), Ok(1)));
    };
    plain("puzzles", &[&monday, &tuesday]);
    plain("monday", &[&monday]);
    plain("others", &[&others]);
    let file = |name: &str, rows: &[Vec<Sql>]| -> PathBuf {
        let path = folder.path().join(name);
        write(&path, rows);
        path
    };
    let source = |name: &str, files: Vec<PathBuf>, outside: bool| SourceFiles {
        label: name.to_owned(),
        name: Some(name.to_owned()),
        files,
        outside,
    };
    let scan = Scan::of(vec![
        source("monday", vec![file("a.parquet", &monday[..33]), file("b.parquet", &monday[33..])], false),
        source("tuesday", vec![file("c.parquet", &tuesday)], false),
        source("others", vec![file("d.parquet", &others)], true),
    ]);
    Both { scan: scan.unwrap(), base, _folder: folder }
}

/// A value of another type than its column says would be printed as something else, and lost in a file.
fn values_have_the_types_of_their_columns(answer: &Answer, sql: &str) {
    for (at, column) in answer.database_columns().iter().enumerate() {
        let fits = |value: &Sql| match (column.kind, value) {
            (None, _) | (_, Sql::Null) => true,
            (Some(ColumnType::Flag), value) => matches!(value, Sql::Integer(0 | 1)),
            (Some(ColumnType::Unsigned32 | ColumnType::Unsigned64), value) => matches!(value, Sql::Integer(0..)),
            (Some(ColumnType::Signed), value) => matches!(value, Sql::Integer(_)),
            (Some(ColumnType::Real), value) => matches!(value, Sql::Integer(_) | Sql::Real(_)),
            (Some(ColumnType::Text), value) => matches!(value, Sql::Text(_)),
        };
        let wrong = answer.rows().map(|row| &row[at]).find(|value| !fits(value));
        assert_eq!(wrong, None, "column {at} is {:?}: {sql}", column.kind);
    }
}

impl Both {
    /// The answer from files, and that from plain tables. Rows are sorted, because their order is not defined.
    fn ask(&self, sql: &str) -> (Result<Rows, String>, Result<Rows, String>) {
        let of_files = |answer: Answer| {
            values_have_the_types_of_their_columns(&answer, sql);
            answer.rows().map(<[Sql]>::to_vec).collect::<Rows>()
        };
        let ours = self.scan.ask(sql).map(of_files).map_err(|error| error.to_string());
        let plain = || -> rusqlite::Result<Rows> {
            let mut statement = self.base.prepare(sql)?;
            let width = statement.column_count();
            statement.query_map([], |row| (0..width).map(|at| row.get(at)).collect())?.collect()
        };
        let sorted = |mut rows: Rows| {
            rows.sort_by_key(|row| format!("{row:?}"));
            rows
        };
        (ours.map(sorted), plain().map(sorted).map_err(|error| error.to_string()))
    }

    /// True if both have an answer.
    fn agree(&self, sql: &str) -> bool {
        match self.ask(sql) {
            (Ok(ours), Ok(plain)) => {
                assert_eq!(ours, plain, "{sql}");
                true
            }
            (Err(_), Err(_)) => false,
            (ours, plain) => panic!("{sql}\n{ours:?}\n{plain:?}"),
        }
    }
}

/// A random question.
struct Question<'d> {
    dice: &'d mut Rng,
}

impl Question<'_> {
    fn number(&mut self, table: &str, depth: u32) -> String {
        let (dice, again) = (self.dice.below(9), depth > 0);
        match dice {
            0 => self.dice.choose(&["0", "1", "-3", "10", "2.5", "90.0", "24", "NULL"]).to_owned(),
            1 if again => {
                let operator = self.dice.choose(&["+", "-", "*", "/", "%"]);
                format!("({} {operator} {})", self.number(table, depth - 1), self.number(table, depth - 1))
            }
            2 if again => {
                let function =
                    self.dice.choose(&["abs", "coalesce", "max", "min", "nullif", "greatest", "least", "round"]);
                match function {
                    "abs" | "round" => format!("{function}({})", self.number(table, depth - 1)),
                    _ => format!("{function}({}, {})", self.number(table, depth - 1), self.number(table, depth - 1)),
                }
            }
            3 if again => {
                let (condition, yes) = (self.condition(table, depth - 1), self.number(table, depth - 1));
                format!("CASE WHEN {condition} THEN {yes} ELSE {} END", self.number(table, depth - 1))
            }
            4 => format!("length({})", self.text(table)),
            _ => format!("{table}.{}", self.dice.choose(&["row", "score", "givens", "minimal", "weight", "delta"])),
        }
    }

    fn text(&mut self, table: &str) -> String {
        match self.dice.below(5) {
            0 => self.dice.choose(&["'easy'", "'hard'", "'it''s'", "''", "NULL", "'000f'"]).to_owned(),
            1 => format!("upper({table}.level)"),
            2 => format!("substr({table}.class, 1, {})", self.dice.below(4)),
            _ => format!("{table}.{}", self.dice.choose(&["level", "class", "day"])),
        }
    }

    fn condition(&mut self, table: &str, depth: u32) -> String {
        let compared = self.dice.choose(&["=", "<>", "<", "<=", ">", ">=", "IS", "IS NOT"]);
        match self.dice.below(12) {
            0 if depth > 0 => format!("NOT ({})", self.condition(table, depth - 1)),
            1 | 2 if depth > 0 => {
                let logical = self.dice.choose(&["AND", "OR"]);
                format!("({} {logical} {})", self.condition(table, depth - 1), self.condition(table, depth - 1))
            }
            3 => format!("{} IN ({}, {}, 30)", self.number(table, 0), self.number(table, 0), self.number(table, 0)),
            4 => format!("{} BETWEEN {} AND {}", self.number(table, 0), self.number(table, 0), self.number(table, 1)),
            5 => format!("{} LIKE {}", self.text(table), self.dice.choose(&["'%a%'", "'h_rd'", "'2026-0%'"])),
            6 => format!("{} IS {}NULL", self.number(table, 1), self.dice.choose(&["", "NOT "])),
            7 => format!("{} {compared} {}", self.text(table), self.text(table)),
            8 if depth > 0 => {
                let inner = self.condition("s", 0);
                match self.dice.below(3) {
                    0 => format!("EXISTS (SELECT 1 FROM others s WHERE s.givens = {table}.givens AND {inner})"),
                    1 => format!("{table}.class IN (SELECT s.class FROM puzzles s WHERE {inner})"),
                    _ => format!("{table}.score > (SELECT avg(s.score) FROM monday s WHERE {inner})"),
                }
            }
            _ => format!("{} {compared} {}", self.number(table, depth.min(1)), self.number(table, 0)),
        }
    }

    fn aggregate(&mut self, table: &str) -> String {
        let value = self.number(table, 1);
        let filter = match self.dice.below(4) {
            0 => format!(" FILTER (WHERE {})", self.condition(table, 1)),
            _ => String::new(),
        };
        match self.dice.below(9) {
            0 => format!("count(*){filter}"),
            1 => format!("count(DISTINCT {value}){filter}"),
            2 => format!("group_concat({table}.row){filter}"),
            3 => format!("median({value}){filter}"),
            4 => format!("var_pop({value}){filter}"),
            _ => format!("{}({value}){filter}", self.dice.choose(&["sum", "avg", "min", "max", "total", "count"])),
        }
    }

    fn select(&mut self) -> String {
        let table = self.dice.choose(&["puzzles", "puzzles", "monday", "others"]);
        let condition = self.condition("p", 2);
        match self.dice.below(9) {
            0 => format!("SELECT {}, {} FROM {table} p WHERE {condition}", self.number("p", 2), self.text("p")),
            1 => {
                let (by, found) = (self.text("p"), self.aggregate("p"));
                let having =
                    format!("HAVING {} > 1", self.dice.choose(&["count(*)", "max(p.score)", "count(p.delta)"]));
                format!("SELECT {by}, {found} FROM {table} p WHERE {condition} GROUP BY {by} {having}")
            }
            2 => format!("SELECT {}, {} FROM {table} p WHERE {condition}", self.aggregate("p"), self.aggregate("p")),
            3 => {
                let join = self.dice.choose(&["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"]);
                let more = self.condition("q", 1);
                format!(
                    "SELECT p.row, q.row, {} FROM {table} p {join} others q ON p.class = q.class AND {more} \
                     WHERE {condition}",
                    self.number("q", 1)
                )
            }
            4 => {
                let (value, by) = (self.number("p", 1), self.dice.choose(&["p.level", "p.givens", "p.minimal"]));
                let frame =
                    self.dice.choose(&["", "ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", "ROWS UNBOUNDED PRECEDING"]);
                let function = self.dice.choose(&["sum", "count", "avg", "max", "total"]);
                format!(
                    "SELECT p.row, {function}({value}) OVER (PARTITION BY {by} ORDER BY p.row, p.class, p.delta \
                     {frame}), rank() OVER (ORDER BY {value}) FROM {table} p WHERE {condition}"
                )
            }
            5 => {
                let set = self.dice.choose(&["UNION", "UNION ALL", "INTERSECT", "EXCEPT"]);
                let (value, other) = (self.number("p", 1), self.number("q", 1));
                format!("SELECT {value} FROM {table} p WHERE {condition} {set} SELECT {other} FROM others q")
            }
            6 => {
                let (value, found) = (self.number("p", 1), self.aggregate("t"));
                format!(
                    "WITH t AS (SELECT *, {value} AS v FROM {table} p WHERE {condition}) SELECT t.level, {found} FROM t \
                     JOIN others o ON o.givens = t.givens GROUP BY t.level"
                )
            }
            7 => format!(
                "SELECT DISTINCT {}, (SELECT count(*) FROM others o WHERE o.givens <= p.givens) FROM {table} p WHERE \
                 {condition}",
                self.text("p")
            ),
            _ => format!(
                "SELECT row, {} FROM {table} p WHERE {condition} ORDER BY {}, row, class, delta, weight LIMIT {} OFFSET {}",
                self.text("p"),
                self.number("p", 1),
                self.dice.below(30),
                self.dice.below(5)
            ),
        }
    }
}

#[test]
fn random_questions_have_the_answers_of_plain_tables() {
    let both = both();
    let count = std::env::var("SUDOKU_CORPUS_QUESTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut dice = Rng::new(20_261_123, 0, Stage::Bench, 0);
    let mut answered = 0;
    for _ in 0..count {
        let sql = Question { dice: &mut dice }.select();
        answered += u64::from(both.agree(&sql));
    }
    assert!(answered * 10 > count * 9, "only {answered} of {count} questions have an answer");
}

/// Questions of researchers, one a line after the first.
const QUESTIONS: &str = include_str!("questions.sql");

#[test]
fn questions_of_researchers_have_the_answers_of_plain_tables() {
    let both = both();
    for kind in QUESTIONS.lines().skip(1) {
        for (table, number, group) in
            [("puzzles", "score", "level"), ("monday", "weight", "givens"), ("others", "delta", "minimal")]
        {
            let sql = kind.replace("{t}", table).replace("{n}", number).replace("{g}", group);
            assert!(both.agree(&sql), "no answer: {sql}: {:?}", both.ask(&sql));
        }
    }
}
