//! Files of other programs with numbers of every type, several at once: what may be skipped changes no answer, and a
//! Parquet file of an answer holds the same numbers. `SUDOKU_CORPUS_QUESTIONS=N` tries N sets of files instead of 60.

use std::fs::File;
use std::path::{Path, PathBuf};

use polars_arrow::array::{Array, PrimitiveArray};
use rusqlite::types::Value as Sql;

use crate::corpus::files::frame::testing::write_arrays;
use crate::corpus::sql::{AnswerWriter, AskLimits, Scan, SourceFiles};
use sudoku_corpus_core::random::{Rng, Stage};

/// Whole numbers at the ends of all types.
const WHOLE: [i64; 18] = [
    0,
    1,
    -1,
    5,
    -3,
    127,
    -128,
    255,
    -32_768,
    65_535,
    2_147_483_647,
    -2_147_483_648,
    4_294_967_295,
    5_000_000_000,
    (1 << 53) + 1,
    -(1 << 53) - 1,
    i64::MAX,
    i64::MIN,
];

const REALS: [f64; 9] = [0.0, -0.0, 1.5, -2.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 0.1];

/// Random numbers of a type, with missing ones; and what SQL sees.
fn numbers(kind: usize, rows: usize, dice: &mut Rng) -> (Box<dyn Array>, Vec<Sql>) {
    // Few values, so that many row groups can be skipped.
    let (first, span) = (dice.below(WHOLE.len()), 1 + dice.below(6));
    let mut draws: Vec<Option<usize>> = Vec::new();
    draws.resize_with(rows, || (dice.below(6) > 0).then(|| first + dice.below(span)));
    macro_rules! whole {
        ($type:ty) => {{
            let pool: Vec<$type> = WHOLE.iter().filter_map(|number| <$type>::try_from(*number).ok()).collect();
            let values: Vec<Option<$type>> = draws.iter().map(|draw| draw.map(|at| pool[at % pool.len()])).collect();
            let seen = values.iter().map(|value| value.map_or(Sql::Null, |value| Sql::Integer(value as i64))).collect();
            (PrimitiveArray::from(values).boxed(), seen)
        }};
    }
    macro_rules! real {
        ($type:ty) => {{
            let values: Vec<Option<$type>> =
                draws.iter().map(|draw| draw.map(|at| REALS[at % REALS.len()] as $type)).collect();
            let seen = values.iter().map(|value| match value.map(f64::from) {
                Some(value) if !value.is_nan() => Sql::Real(value),
                _ => Sql::Null,
            });
            let seen = seen.collect();
            (PrimitiveArray::from(values).boxed(), seen)
        }};
    }
    match kind {
        0 => whole!(i8),
        1 => whole!(i16),
        2 => whole!(i32),
        3 => whole!(i64),
        4 => whole!(u8),
        5 => whole!(u16),
        6 => whole!(u32),
        7 => whole!(u64),
        8 => real!(f32),
        _ => real!(f64),
    }
}

/// A file with row groups of four rows.
fn file(path: &Path, numbers: Box<dyn Array>, first: i64) {
    let rows: Vec<i64> = (first..first + numbers.len() as i64).collect();
    write_arrays(path, &[("x", numbers), ("n", PrimitiveArray::from_vec(rows).boxed())]);
}

fn answer(scan: &Scan, sql: &str) -> Vec<Vec<Sql>> {
    let answer = scan.ask(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    answer.rows().map(<[Sql]>::to_vec).collect()
}

/// The rows of an answer that was written as Parquet and read again.
fn read_back(scan: &Scan, sql: &str, path: &Path) -> Vec<Vec<Sql>> {
    let mut writer = None;
    let outcome = scan.ask_in_batches(sql, &AskLimits::default(), |answer| match &mut writer {
        None => AnswerWriter::new(File::create(path).unwrap(), &answer, None).map(|begun| writer = Some(begun)),
        Some(writer) => writer.write(&answer),
    });
    outcome.unwrap().unwrap();
    writer.unwrap().finish().unwrap();
    answer(&Scan::open(&[path.to_owned()]).unwrap(), "SELECT * FROM puzzles")
}

#[test]
fn numbers_of_every_type_in_several_files_are_found_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let sets = std::env::var("SUDOKU_CORPUS_QUESTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    for set in 0..sets {
        let dice = &mut Rng::new(set, 0, Stage::Bench, 7);
        let (is_whole, sources) = (dice.below(4) > 0, 1 + dice.below(3));
        let (mut expected, mut files) = (Vec::new(), Vec::new());
        for at in 0..sources {
            let kind = if is_whole { dice.below(8) } else { 8 + dice.below(2) };
            let (numbers, seen) = numbers(kind, 4 + dice.below(30), dice);
            let path: PathBuf = folder.path().join(format!("{set}-{at}.parquet"));
            file(&path, numbers, expected.len() as i64);
            expected.extend(seen);
            files.push(SourceFiles { label: format!("{at}"), name: None, files: vec![path], outside: false });
        }
        let scan = Scan::of(files).unwrap();
        let all = "SELECT n, x FROM puzzles ORDER BY n";
        let rows: Vec<Vec<Sql>> =
            expected.iter().enumerate().map(|(at, value)| vec![Sql::Integer(at as i64), value.clone()]).collect();
        assert_eq!(answer(&scan, all), rows, "set {set}");
        assert_eq!(read_back(&scan, all, &folder.path().join("answer.parquet")), rows, "set {set}");
        let real = |value: f64| {
            if value.is_finite() {
                format!("{value:?}")
            } else {
                format!("{}9e999", if value > 0.0 { "" } else { "-" })
            }
        };
        let values = WHOLE
            .iter()
            .map(i64::to_string)
            .chain(REALS.iter().filter(|real| !real.is_nan()).map(|value| real(*value)));
        let comparisons =
            values.flat_map(|value| ["=", "<", "<=", ">", ">="].map(|operator| format!("{operator} {value}")));
        for test in comparisons.chain(["IS NULL".to_owned(), "IS NOT NULL".to_owned()]) {
            let count = |column: &str| answer(&scan, &format!("SELECT count(*) FROM puzzles WHERE {column} {test}"));
            // A sign keeps SQLite from asking the table for the comparison.
            assert_eq!(count("x"), count("+x"), "set {set}: x {test}");
        }
    }
}

#[test]
fn columns_have_the_same_name_in_capital_letters() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let number = |number: i64| PrimitiveArray::from_slice([number]).boxed();
    write_arrays(&path("a"), &[("X", number(1)), ("Source", number(10))]);
    write_arrays(&path("b"), &[("source", number(20)), ("x", number(2))]);
    write_arrays(&path("c"), &[("x", number(3))]);
    let sql = "SELECT x, source FROM puzzles WHERE x > 0 ORDER BY x";
    let row = |x: i64, source: Sql| vec![Sql::Integer(x), source];
    let both = [row(1, Sql::Integer(10)), row(2, Sql::Integer(20))];
    assert_eq!(answer(&Scan::open(&[path("a"), path("b")]).unwrap(), sql), both);
    let source =
        |name: &str| SourceFiles { label: name.to_owned(), name: None, files: vec![path(name)], outside: false };
    let scan = |names: [&str; 2]| Scan::of(names.map(source).into()).unwrap();
    // A column of the files stands in the place of the one with the names of the sources.
    assert_eq!(answer(&scan(["a", "c"]), sql), [row(1, Sql::Integer(10)), row(3, Sql::Null)]);
    let names = [row(3, Sql::Text("c".to_owned())), row(3, Sql::Text("c".to_owned()))];
    assert_eq!(answer(&scan(["c", "c"]), sql), names);
}

#[test]
fn a_number_that_its_column_cannot_hold_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["a.parquet", "b.parquet"].map(|name| folder.path().join(name));
    file(&first, PrimitiveArray::from_slice([1u32, 2, 3]).boxed(), 0);
    file(&second, PrimitiveArray::from_slice([-3i32]).boxed(), 3);
    // The files of one source have the types of the first.
    let scan = Scan::open(&[first, second]).unwrap();
    let sql = "SELECT x FROM puzzles";
    let mut writer = None;
    let outcome = scan.ask_in_batches(sql, &AskLimits::default(), |answer| match &mut writer {
        None => AnswerWriter::new(Vec::new(), &answer, None).map(|begun| writer = Some(begun)),
        Some(writer) => writer.write(&answer),
    });
    let error = outcome.unwrap().unwrap_err().to_string();
    assert!(error.contains("column 'x'") && error.contains("-3"), "{error}");
    // The columns of several queries together have the types of their values.
    let sql = "SELECT x FROM puzzles WHERE x = 1 UNION ALL SELECT -4";
    let rows = read_back(&scan, sql, &folder.path().join("c.parquet"));
    assert_eq!(rows, [[Sql::Integer(1)], [Sql::Integer(-4)]]);
    // Integers beside real numbers stay what they are.
    let sql = "SELECT 9007199254740993 AS y UNION ALL SELECT 0.5";
    let rows = read_back(&scan, sql, &folder.path().join("b.parquet"));
    assert_eq!(rows, [[Sql::Text("9007199254740993".into())], [Sql::Text("0.5".into())]]);
}
