//! Answers, messages, copies, skipped row groups, limits.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use crate::corpus::CorpusError;
use crate::corpus::files::frame::TableWriter;
use crate::corpus::sql::{Answer, AnswerWriter, AskLimits, DatabaseWriter, ROW_NUMBER, Scan, SourceFiles};
use crate::corpus::tests::{PUZZLE, puzzle};
use crate::corpus::values::value::{ColumnType, Value};
use crate::corpus::{COLUMNS, Record, RowSink, StopFlag, write_table};
use sudoku_corpus_core::board::Shape;

fn rows(answer: &Answer) -> Json {
    (0..answer.len()).map(|row| Json::Array(answer.row(row).unwrap())).collect::<Vec<_>>().into()
}

/// Six rows: three levels, scores with a tie and a missing one, givens from 20 on.
fn scan(folder: &Path) -> Scan {
    let path = folder.join("a.parquet");
    let mut sink = RowSink::create(&path, None).unwrap();
    let levels = ["easy", "easy", "easy", "hard", "hard", "medium"];
    let scores = [Some(10), Some(20), Some(20), Some(90), Some(50), None];
    for (at, (level, hodoku_score)) in levels.into_iter().zip(scores).enumerate() {
        let mut record = Record::new(at as u64, Shape::NINE);
        record = Record { level: Some(level.into()), hodoku_score, minimal: Some(at % 2 == 0), ..record };
        record.set_puzzle(puzzle(PUZZLE));
        sink.write(Record { givens: Some(20 + at as u32), ..record }).unwrap();
    }
    sink.finish().unwrap();
    let source =
        SourceFiles { label: "tonight".into(), name: Some("tonight".into()), files: vec![path], outside: false };
    Scan::of(vec![source]).unwrap()
}

#[test]
fn queries_have_these_answers() {
    let folder = tempfile::tempdir().unwrap();
    let scan = scan(folder.path());
    for (sql, expected) in [
        (
            "SELECT level, 100.0*count(*)/sum(count(*)) OVER () FROM puzzles GROUP BY level ORDER BY level",
            json!([["easy", 50.0], ["hard", 100.0 / 3.0], ["medium", 100.0 / 6.0]]),
        ),
        ("SELECT max(count(*)) OVER () AS m FROM puzzles GROUP BY level", json!([[3], [3], [3]])),
        (
            "SELECT hodoku_score, sum(hodoku_score) OVER (ORDER BY hodoku_score) AS s FROM puzzles WHERE hodoku_score < 60 ORDER BY row",
            json!([[10, 10], [20, 50], [20, 50], [50, 100]]),
        ),
        ("SELECT length(level) - 10, instr(level, 'x') - 50 FROM puzzles WHERE row = 0", json!([[-6, -50]])),
        ("SELECT count(*) FROM puzzles WHERE givens - holes < -20", json!([[6]])),
        (
            "SELECT count(*) - 7, min(givens) - max(holes), min(-givens), min(row - 1) FROM puzzles",
            json!([[-1, -31, -25, -1]]),
        ),
        ("SELECT sum(hodoku_score * 4000000000) FROM puzzles", json!([[760_000_000_000u64]])),
        ("SELECT 1 AS one FROM puzzles WHERE row < 3", json!([[1], [1], [1]])),
        ("SELECT count(*) FROM (SELECT 1 FROM puzzles)", json!([[6]])),
        (
            "SELECT sum(hodoku_score), count(hodoku_score), avg(hodoku_score), max(level), median(hodoku_score), bool_and(minimal), corr(hodoku_score, givens) \
             FROM puzzles WHERE row > 9",
            json!([[null, 0, null, null, null, null, null]]),
        ),
        ("SELECT level FROM puzzles WHERE row > 9 GROUP BY level", json!([])),
        ("SELECT count(*) FROM puzzles WHERE hodoku_score NOT IN (SELECT hodoku_score FROM puzzles)", json!([[0]])),
        ("SELECT count(*) FROM puzzles WHERE NOT (hodoku_score > 15)", json!([[1]])),
        (
            "SELECT count(DISTINCT puzzle), count(DISTINCT hodoku_score), mode(hodoku_score), median(hodoku_score) FROM puzzles",
            json!([[1, 4, 20, 20.0]]),
        ),
        (
            "SELECT row FROM puzzles p WHERE hodoku_score > (SELECT avg(hodoku_score) FROM puzzles q WHERE q.level = p.level) ORDER BY 1",
            json!([[1], [2], [3]]),
        ),
        (
            "SELECT a.row, b.row FROM puzzles a LEFT JOIN tonight b ON b.hodoku_score = a.hodoku_score + 10 ORDER BY 1, 2 LIMIT 3",
            json!([[0, 1], [0, 2], [1, null]]),
        ),
        ("SELECT count(*) FROM puzzles a, puzzles b WHERE a.hodoku_score < b.hodoku_score", json!([[9]])),
        (
            "SELECT count(*) FROM puzzles a CROSS JOIN puzzles b CROSS JOIN puzzles c WHERE a.hodoku_score < b.hodoku_score",
            json!([[54]]),
        ),
        ("SELECT DISTINCT source, SOURCE = 'tonight' FROM puzzles", json!([["tonight", 1]])),
        ("SELECT count(*) FROM puzzles a JOIN tonight b ON a.source = b.source", json!([[36]])),
        // A flag that is passed through is true or false. A calculated one is a number.
        (
            "SELECT minimal, NOT minimal, max(minimal) FROM puzzles GROUP BY minimal",
            json!([[false, 1, 0], [true, 0, 1]]),
        ),
        ("SELECT count(*) FROM puzzles WHERE minimal = true", json!([[3]])),
        ("SELECT 7 / 2, 7 / 2.0, -7 % 3, 1 / 0, '5' + 1", json!([[3, 3.5, -1, null, 6]])),
        // Exact division by a constant.
        ("SELECT count(*) FROM puzzles WHERE givens / 10.0 <= 2.3 AND givens <= 23", json!([[4]])),
        (
            "SELECT quantile_cont(givens, 0.55), quantile_disc(givens, 0.5), quantile_disc(givens, 0), \
             quantile_disc(level, 1) FROM puzzles",
            json!([[22.75, 22, 20, "medium"]]),
        ),
        (
            "SELECT variance(givens), var_pop(givens), stddev(givens) = sqrt(variance(givens)), covar_pop(givens, row), \
             regr_slope(givens, row), regr_intercept(givens, row), corr(givens, -row) FROM puzzles",
            json!([[3.5, 35.0 / 12.0, 1, 35.0 / 12.0, 1.0, 20.0, -1.0]]),
        ),
        (
            "SELECT regr_count(givens, row), median(givens), bool_or(minimal), corr(givens, row), mode(level), \
             quantile_disc(givens, 0.5) FROM puzzles WHERE givens > 99",
            json!([[0, null, null, null, null, null]]),
        ),
        (
            "SELECT level, regexp_matches(level, '^e.*y$'), level REGEXP 'd' FROM puzzles WHERE row = 3",
            json!([["hard", 0, 1]]),
        ),
        (
            "SELECT greatest(hodoku_score, givens), least(1, NULL, 0.5), greatest(NULL) FROM puzzles WHERE row = 5",
            json!([[25, 0.5, null]]),
        ),
    ] {
        let answer = scan.ask(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        assert_eq!(rows(&answer), expected, "{sql}");
    }
    assert!(!scan.ask("EXPLAIN QUERY PLAN SELECT 1 FROM puzzles").unwrap().is_empty());
    let names = scan.ask("SELECT row, max(row), count(*) AS n, 1 AS n FROM puzzles").unwrap().names();
    assert_eq!(names, ["row", "max(row)", "n", "n_1"]);
}

#[test]
fn wrong_queries_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let scan = scan(folder.path());
    let long = format!("SELECT {}", vec!["1"; 3000].join(" + "));
    for (sql, start) in [
        ("SELECT hodoku_scroe FROM puzzles", "no column 'hodoku_scroe'; did you mean 'hodoku_score'?"),
        ("SELECT p.hodoku_scroe FROM puzzles p", "no column 'hodoku_scroe'; did you mean 'hodoku_score'?"),
        (
            "SELECT max(hodoku_scroe) FROM puzzles GROUP BY shape",
            "no column 'hodoku_scroe'; did you mean 'hodoku_score'?",
        ),
        (
            "SELECT hodoku_score FROM puzzles ORDER BY hodoku_scroe",
            "no column 'hodoku_scroe'; did you mean 'hodoku_score'?",
        ),
        ("SELECT index FROM puzzles", "the column 'index' is called 'row' now"),
        ("SELECT max(p.INDEX) FROM puzzles p", "the column 'index' is called 'row' now"),
        ("SELECT p.\"index\" FROM puzzles p", "the column 'index' is called 'row' now"),
        ("SELECT \"Index\" FROM puzzles", "the column 'index' is called 'row' now"),
        ("SELECT er FROM puzzles", "no column 'er'; did you mean 'se_er_tenths'?"),
        ("SELECT * FROM puzles", "no table 'puzles'; did you mean 'puzzles'?"),
        ("SELECT * FROM puzzles WHERE level = \"hard\"", "no column \"hard\"; texts need single quotes: 'hard'"),
        ("SELECT strpos(level, 'a') FROM puzzles", "no function 'strpos'"),
        ("DROP TABLE puzzles", "DROP: a query must begin with SELECT"),
        ("PRAGMA user_version", "PRAGMA: a query must begin with SELECT"),
        ("ATTACH 'x.db' AS x", "ATTACH: a query must begin with SELECT"),
        ("WITH x AS (SELECT 1) DELETE FROM puzzles", "a query can only read its tables"),
        ("WITH x AS (SELECT 1) INSERT INTO temp.sqlite_master SELECT 1", "a query can"),
        ("SELECT * FROM pragma_table_info('puzzles')", "a query can only read its tables"),
        ("SELECT load_extension('x')", "a query can only read its tables"),
        ("SELECT 1; SELECT 2", "write one query at a time"),
        ("SELECT count(*) FROM puzzles WHERE count(*) > 3", "an aggregate such as count(*) stands neither in WHERE"),
        ("SELECT avg(givens) OVER (ORDER BY x.y) FROM puzzles", "no column 'y'"),
        ("SELECT median(level) FROM puzzles", "the function needs numbers"),
        ("SELECT quantile_cont(hodoku_score, 3) FROM puzzles", "a quantile is a number from 0 to 1"),
        ("SELECT level REGEXP '(' FROM puzzles", "'(' is not a regular expression"),
        ("SELECT sum(9223372036854775807) FROM puzzles", "a whole number would be above"),
        ("SELECT length(zeroblob(1000000000))", "a value is too large"),
        ("SELECT row FROM (SELECT ?1)", "a query has no variables"),
        ("SELEC 1", "not understood: "),
        ("SELECT 1 FROM", "not understood: "),
        ("SELECT 'open", "not understood: "),
        ("SELECT 1\0", "not understood: "),
        ("SELECT 1\0 FROM nothing", "not understood: "),
        ("SELECT level, FROM puzzles", "not understood: before FROM something is missing"),
        ("SELECT rank() FROM puzzles", "rank() needs OVER"),
        ("SELECT level FROM puzzles LIMIT 'x'", "LIMIT and OFFSET take whole numbers"),
        ("SELECT level FROM puzzles GROUP BY 5", "no column of SELECT has this number"),
        ("SELECT level FROM puzzles ORDER BY level COLLATE x", "no order 'x'"),
        ("SELECT 1 UNION SELECT 2, 3", "each SELECT of a UNION"),
        ("SELECT (SELECT 1, 2)", "a SELECT that stands for a value has one column"),
        ("SELECT (row, level) FROM puzzles", "several values in parentheses"),
        ("SELECT level FROM puzzles HAVING level > 3", "HAVING needs GROUP BY"),
        ("", "the query is empty"),
        ("-- nothing", "the query is empty"),
        (&long, "an expression is nested too deeply"),
    ] {
        let error = scan.ask(sql).err().unwrap_or_else(|| panic!("answered: {sql}")).to_string();
        assert!(error.starts_with(start) && !error.contains('\n'), "{sql}: {error}");
    }
}

#[test]
fn every_column_needs_no_quotes() {
    let folder = tempfile::tempdir().unwrap();
    let scan = scan(folder.path());
    for column in COLUMNS.iter() {
        let name = &column.name;
        let answer = scan.ask(&format!("SELECT {name} FROM puzzles WHERE {name} IS NULL ORDER BY {name}"));
        assert_eq!(answer.unwrap().names(), [name.as_ref()]);
    }
}

#[test]
fn every_query_of_the_guide_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let scan = scan(folder.path());
    let guide = include_str!("../../../../guide/queries.md");
    let questions: Vec<&str> = guide.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(questions.len() > 15);
    for sql in questions {
        if let Err(error) = scan.ask(sql) {
            panic!("{sql}\n{error}");
        }
    }
}

/// Makes a file of numbers in row groups of 100, each with its square and a text.
fn table_of_numbers(folder: &Path, name: &str, numbers: std::ops::Range<u64>) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let columns = [("n", ColumnType::Unsigned64), ("square", ColumnType::Real), ("name", ColumnType::Text)];
    let columns = columns.map(|(name, kind)| (name.to_owned(), kind)).to_vec();
    let mut file = TableWriter::new(Box::new(File::create(&path).unwrap()), columns, None).unwrap();
    let all: Vec<u64> = numbers.collect();
    for group in all.chunks(100) {
        let value = |row: usize, column: usize| match column {
            0 => Value::Unsigned(group[row]),
            1 => Value::Real((group[row] * group[row]) as f64),
            _ => Value::Text(format!("number {}", group[row]).into()),
        };
        file.write(group.len(), value).unwrap();
    }
    file.finish().unwrap();
    path
}

/// The places of the pages of a file that are not damaged: Zstandard frames.
fn frames(bytes: &[u8]) -> Vec<usize> {
    let places = bytes.windows(4).enumerate().filter(|(_, four)| *four == [0x28, 0xB5, 0x2F, 0xFD]);
    places.map(|(place, _)| place).collect()
}

/// Damages all pages of the first of ten row groups.
fn damage_first_row_group(path: &Path) {
    let count = frames(&std::fs::read(path).unwrap()).len();
    assert_eq!(count % 10, 0, "{count}");
    (0..count / 10).for_each(|_| damage(path, 0));
}

/// Damages a page of a file, counted from the first that is not damaged.
fn damage(path: &Path, frame: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    let frames = frames(&bytes);
    bytes[frames[frame]..frames[frame] + 4].fill(0);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn only_the_columns_and_row_groups_that_a_query_needs_are_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let path = table_of_numbers(folder.path(), "a.parquet", 0..1000);
    let scan = |path: &PathBuf| Scan::open(std::slice::from_ref(path)).unwrap();
    let one = |sql: &str| scan(&path).ask(sql).map(|answer| rows(&answer)[0][0].clone());
    assert_eq!(one("SELECT sum(n) FROM puzzles").unwrap(), 499_500);
    // Nothing of the first row group can be read any more, so whatever is answered did not read it.
    damage_first_row_group(&path);
    for (condition, sum) in [
        ("n >= 100", 494_550),
        ("n > 99 AND square <= 40000.0", 15_150),
        ("n = 500", 500),
        ("500 = n", 500),
        ("n > 99.5", 494_550),
        ("square > 9801", 494_550),
        ("n BETWEEN 100 AND 102", 303),
    ] {
        let found = one(&format!("SELECT sum(n) FROM puzzles WHERE {condition}"));
        assert_eq!(found.unwrap(), sum, "{condition}");
    }
    assert_eq!(one("SELECT count(*) FROM puzzles WHERE n IS NULL").unwrap(), 0);
    assert_eq!(one("SELECT count(*) FROM puzzles").unwrap(), 1000);
    for reads in
        ["n < 100", "n <= 99.5", "n <> 5", "n + 0 > 500", "n > 500 OR square < 3", "n IN (500, 501)", "n > '500'"]
    {
        let error = one(&format!("SELECT sum(n) FROM puzzles WHERE {reads}")).unwrap_err();
        assert!(matches!(&error, CorpusError::File { path, .. } if path.ends_with("a.parquet")), "{reads}: {error}");
    }
}

#[test]
fn a_damaged_or_missing_file_is_an_error_in_every_kind_of_query() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a.parquet", "b.parquet"].map(|name| table_of_numbers(folder.path(), name, 0..300));
    let scan = Scan::open(&files).unwrap();
    let asked = [
        "SELECT sum(n) FROM puzzles",
        "SELECT n FROM puzzles ORDER BY n LIMIT 5",
        "SELECT count(*) FROM puzzles a JOIN puzzles b ON a.n = b.n",
        "SELECT count(*) FROM puzzles a WHERE EXISTS (SELECT 1 FROM puzzles b WHERE b.n = a.n)",
        "SELECT n FROM puzzles UNION SELECT 1",
        "SELECT max(n) OVER () FROM puzzles",
    ];
    asked.iter().for_each(|sql| drop(scan.ask(sql).unwrap()));
    let refused = |reason: &str| {
        for sql in asked {
            match scan.ask(sql).unwrap_err() {
                CorpusError::File { path, .. } | CorpusError::Io { path, .. } => {
                    assert!(path.ends_with("b.parquet"), "{reason}: {sql}");
                }
                error => panic!("{reason}: {sql}: {error}"),
            }
        }
    };
    let whole = std::fs::read(&files[1]).unwrap();
    std::fs::write(&files[1], &whole[..whole.len() / 2]).unwrap();
    refused("cut");
    std::fs::write(&files[1], &whole).unwrap();
    damage(&files[1], 0);
    refused("damaged");
    write_table(&files[1], [("other", ColumnType::Signed)], 1, |_, _| Value::Signed(1)).unwrap();
    refused("other columns");
    write_table(&files[1], [("n", ColumnType::Text)], 1, |_, _| "1".into()).unwrap();
    refused("other types");
    std::fs::remove_file(&files[1]).unwrap();
    refused("missing");
}

#[test]
fn integers_that_do_not_fit_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.parquet");
    let columns = vec![("seed".to_owned(), ColumnType::Unsigned64)];
    let mut file = TableWriter::new(Box::new(File::create(&path).unwrap()), columns, None).unwrap();
    file.write(2, |row, _| Value::Unsigned(if row == 0 { 7 } else { u64::MAX })).unwrap();
    file.finish().unwrap();
    let scan = Scan::open(&[path]).unwrap();
    assert_eq!(rows(&scan.ask("SELECT seed FROM puzzles LIMIT 1").unwrap()), json!([[7]]));
    let error = scan.ask("SELECT seed FROM puzzles").unwrap_err().to_string();
    assert!(error.contains("18446744073709551615 does not fit into a signed integer of 64 bits"), "{error}");
}

#[test]
fn numbered_rows_continue_from_file_to_file() {
    let folder = tempfile::tempdir().unwrap();
    let files = ["a.parquet", "b.parquet"].map(|name| table_of_numbers(folder.path(), name, 0..250));
    let scan = Scan::numbered(&files, None).unwrap();
    assert_eq!(scan.columns()[0], ROW_NUMBER);
    let answer = scan.ask("SELECT row_number, n, square FROM puzzles WHERE n > 247 OR n = 0").unwrap();
    assert_eq!(answer.integers(0).unwrap(), [0, 248, 249, 250, 498, 499]);
    assert_eq!(answer.integers(1).unwrap(), [0, 248, 249, 0, 248, 249]);
    assert_eq!(answer.reals(2).unwrap()[1], Some(61_504.0));
    assert!(answer.flags(1).is_err() && answer.reals(9).is_err() && answer.integers(2).is_err());
    for (first, count) in [(0, 1), (3, 4), (99, 2), (240, 20), (100, 100), (499, 9), (600, 1)] {
        let part = Scan::numbered(&files, Some((first, count))).unwrap();
        let answer = part.ask("SELECT row_number, n FROM puzzles").unwrap();
        let expected: Vec<u64> = (first..(first + count).min(500)).collect();
        assert_eq!(answer.integers(0).unwrap(), expected);
        assert_eq!(answer.integers(1).unwrap(), expected.iter().map(|row| row % 250).collect::<Vec<_>>());
    }
    let flags = scan.ask("SELECT n > 248 FROM puzzles WHERE n > 247").unwrap();
    assert_eq!(flags.flags(0).unwrap(), [false, true, false, true]);
    let mut texts = Vec::new();
    flags.texts(0, |_| ()).unwrap_err();
    scan.ask("SELECT name FROM puzzles LIMIT 1")
        .unwrap()
        .texts(0, |name| texts.extend(name.map(str::to_owned)))
        .unwrap();
    assert_eq!(texts, ["number 0"]);
}

#[test]
fn batches_together_are_the_answer_in_order_and_a_receiver_that_fails_ends_the_query() {
    const ROWS: u64 = 100_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbers.parquet");
    write_table(&path, [("n", ColumnType::Signed)], ROWS as usize, |row, _| Value::Signed(row as i64)).unwrap();
    let scan = Scan::open(&[path]).unwrap();
    let (mut batches, mut next) = (0, 0);
    let none = AskLimits::default();
    let outcome = scan.ask_in_batches("SELECT n FROM puzzles", &none, |answer| {
        assert_eq!(answer.names(), ["n"]);
        batches += 1;
        for number in answer.integers(0).unwrap() {
            assert_eq!(number, next);
            next += 1;
        }
        Ok::<(), ()>(())
    });
    assert_eq!((outcome.unwrap(), next), (Ok(()), ROWS));
    assert!(batches >= 4, "{batches}");
    for after in 0..3 {
        let mut taken = 0;
        let outcome = scan.ask_in_batches("SELECT n FROM puzzles", &none, |_| {
            taken += 1;
            if taken > after { Err("full") } else { Ok(()) }
        });
        assert_eq!((outcome.unwrap(), taken), (Err("full"), after + 1));
    }
}

#[test]
fn time_and_a_stop_end_a_query() {
    let folder = tempfile::tempdir().unwrap();
    let scan = scan(folder.path());
    let endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";
    let begun = Instant::now();
    let limits = AskLimits { until: Some(begun + Duration::from_millis(50)), stop: None };
    let error = scan.ask_in_batches(endless, &limits, |_| Ok::<(), ()>(())).unwrap_err();
    assert_eq!(error.to_string(), "the time for the query is over");
    let stop = StopFlag::new();
    stop.set();
    let limits = AskLimits { until: None, stop: Some(stop) };
    let error = scan.ask_in_batches(endless, &limits, |_| Ok::<(), ()>(())).unwrap_err();
    assert_eq!(error.to_string(), "the query was interrupted");
}

#[test]
fn answers_in_parquet_and_databases_keep_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let scan = scan(folder.path());
    let sql = "SELECT row, minimal, level, hodoku_score / 4.0 AS quarter, hodoku_score + 1 AS more, NULL AS unknown, \
               CASE WHEN row < 3 THEN row ELSE level END AS mixed, CASE WHEN row = 5 THEN 0.5 ELSE row END AS x \
               FROM puzzles ORDER BY row";
    let plain = rows(&scan.ask(sql).unwrap());
    let path = folder.path().join("answer.parquet");
    let mut writer = None;
    let outcome = scan.ask_in_batches(sql, &AskLimits::default(), |answer| match &mut writer {
        None => AnswerWriter::new(File::create(&path).unwrap(), &answer, None).map(|begun| writer = Some(begun)),
        Some(writer) => writer.write(&answer),
    });
    outcome.unwrap().unwrap();
    writer.unwrap().finish().unwrap();
    let reader = crate::corpus::files::frame::FrameReader::open(&path).unwrap();
    let kinds: Vec<ColumnType> = reader.kinds().into_iter().flatten().collect();
    use ColumnType::{Flag, Real, Signed, Text, Unsigned64};
    assert_eq!(kinds, [Unsigned64, Flag, Text, Real, Signed, Text, Text, Real]);
    let read = rows(&Scan::open(std::slice::from_ref(&path)).unwrap().ask("SELECT * FROM puzzles").unwrap());
    assert_eq!(read[0], json!([0, true, "easy", 2.5, 11, null, "0", 0.0]));
    assert_eq!(read[5], json!([5, false, "medium", null, null, null, "medium", 0.5]));
    assert_eq!(plain[0], json!([0, true, "easy", 2.5, 11, null, 0, 0]));

    let path = folder.path().join("answer.sqlite");
    let answer = scan.ask(sql).unwrap();
    let mut file = File::create(&path).unwrap();
    let mut database = DatabaseWriter::new(&mut file, "answer", &answer.database_columns()).unwrap();
    answer.write_to(&mut database).unwrap();
    database.finish().unwrap();
    let base = rusqlite::Connection::open(&path).unwrap();
    let one = |sql: &str| base.query_one(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(one("SELECT group_concat(typeof(mixed)) FROM answer"), "integer,integer,integer,text,text,text");
    let about = COLUMNS.iter().find(|column| column.name == "row").unwrap().about.as_ref();
    assert_eq!(one("SELECT type || ': ' || description FROM columns WHERE name = 'row'"), format!("UINT64: {about}"));
    assert_eq!(one("SELECT type || description FROM columns WHERE name = 'quarter'"), "");
}

/// A name of ours in a table of another program has another meaning.
#[test]
fn columns_of_other_tables_are_not_described_as_ours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("teams.parquet");
    write_table(&path, [("b", ColumnType::Unsigned32)], 1, |_, _| Value::Unsigned(1)).unwrap();
    let source = |name: &str, path: PathBuf| SourceFiles {
        label: name.to_owned(),
        name: Some(name.to_owned()),
        files: vec![path],
        outside: true,
    };
    // It makes the file.
    drop(scan(folder.path()));
    let ours = folder.path().join("a.parquet");
    let described = |sources: Vec<SourceFiles>, sql: &str| {
        let columns = Scan::of(sources).unwrap().ask(sql).unwrap().database_columns();
        columns.iter().map(|column| !column.about.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(described(vec![source("teams", path.clone())], "SELECT b FROM teams"), [false]);
    assert_eq!(described(vec![source("ours", ours.clone())], "SELECT b FROM ours"), [true]);
    let both = vec![source("ours", ours), source("teams", path)];
    assert_eq!(described(both, "SELECT t.b, o.w FROM ours o, teams t"), [false, true]);
}
