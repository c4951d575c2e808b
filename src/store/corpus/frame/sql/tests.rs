use serde_json::json;

use crate::corpus::{Record, RowSink, Scan, SourceFiles};
use sudoku_corpus_core::board::{Puzzle, Shape, text as boards};
use sudoku_corpus_core::rate::Level;

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Six rows: three levels, scores with a tie and a missing one, givens from 20 on.
fn scan(folder: &std::path::Path) -> Scan {
    let path = folder.join("a.parquet");
    let mut sink = RowSink::create(&path, None).unwrap();
    let puzzle = Puzzle::try_from(boards::parse_line(PUZZLE, None).unwrap()).unwrap();
    let levels = [Level::Easy, Level::Easy, Level::Easy, Level::Hard, Level::Hard, Level::Medium];
    let scores = [Some(10), Some(20), Some(20), Some(90), Some(50), None];
    for (at, (level, score)) in levels.into_iter().zip(scores).enumerate() {
        let record =
            Record { level: Some(level), score, minimal: Some(at % 2 == 0), ..Record::new(at as u64, Shape::NINE) };
        let record = record.with_puzzle(puzzle.clone());
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
        // polars' own SQL gives wrong answers to these without an error.
        (
            "SELECT level, 100.0*count(*)/sum(count(*)) OVER () FROM puzzles GROUP BY level ORDER BY level",
            json!([["easy", 50.0], ["hard", 100.0 / 3.0], ["medium", 100.0 / 6.0]]),
        ),
        ("SELECT max(count(*)) OVER () AS m FROM puzzles GROUP BY level", json!([[3], [3], [3]])),
        ("SELECT DISTINCT avg(avg(score)) OVER () FROM puzzles WHERE level <> 'easy' GROUP BY level", json!([[70.0]])),
        (
            "SELECT score, sum(score) OVER (ORDER BY score) AS s FROM puzzles WHERE score < 60 ORDER BY index",
            json!([[10, 10], [20, 50], [20, 50], [50, 100]]),
        ),
        ("SELECT length(level) - 10, strpos(level, 'x') - 50 FROM puzzles WHERE index = 0", json!([[-6, -50]])),
        ("SELECT count(*) FROM puzzles WHERE length(level) - 5 < 0", json!([[5]])),
        ("SELECT row_number() OVER (ORDER BY index) - 5 AS r FROM puzzles ORDER BY r LIMIT 2", json!([[-4], [-3]])),
        ("SELECT sum(1), sum(givens - 30) FROM puzzles", json!([[6, -45]])),
        (
            "SELECT (0 - nullif(24, givens)) - length(level) FROM puzzles ORDER BY index",
            json!([[-28], [-28], [-28], [-28], [null], [-30]]),
        ),
        (
            "WITH t AS (SELECT level, count(*) AS n FROM puzzles GROUP BY level) \
             SELECT n - lag(n) OVER (ORDER BY level) FROM t ORDER BY level",
            json!([[null], [-1], [-1]]),
        ),
        ("SELECT sum(score * 4000000000) FROM puzzles", json!([[760_000_000_000u64]])),
        // Literals have their value in every row.
        ("SELECT 1 AS one FROM puzzles WHERE index < 3", json!([[1], [1], [1]])),
        ("SELECT count(*) OVER () AS n FROM puzzles WHERE index < 2", json!([[6 - 4], [2]])),
        ("SELECT row_number() OVER () FROM puzzles WHERE index < 2", json!([[1], [2]])),
        ("SELECT sum(2), count(*), max('x') FROM puzzles", json!([[12, 6, "x"]])),
        ("SELECT count(*) FROM (SELECT 1 FROM puzzles)", json!([[6]])),
        // Queries about no rows.
        (
            "SELECT sum(score), count(score), avg(score), max(level) FROM puzzles WHERE index > 9",
            json!([[null, 0, null, null]]),
        ),
        ("SELECT level FROM puzzles WHERE index > 9 GROUP BY level", json!([])),
        ("SELECT count(*) FROM puzzles WHERE score NOT IN (SELECT score FROM puzzles)", json!([[0]])),
        ("SELECT count(*) FROM puzzles WHERE NOT (score > 15)", json!([[1]])),
        (
            "SELECT count(DISTINCT puzzle), count(DISTINCT score), mode(score), median(score) FROM puzzles",
            json!([[1, 4, 20, 20.0]]),
        ),
        (
            "SELECT index FROM puzzles p WHERE score > (SELECT avg(score) FROM puzzles q WHERE q.level = p.level) ORDER BY 1",
            json!([[1], [2], [3]]),
        ),
        (
            "SELECT level FROM puzzles INTERSECT SELECT level FROM puzzles WHERE score > 15 ORDER BY level",
            json!([["easy"], ["hard"]]),
        ),
        (
            "SELECT score FROM puzzles EXCEPT SELECT score FROM puzzles WHERE score IS NULL ORDER BY 1",
            json!([[10], [20], [50], [90]]),
        ),
        (
            "SELECT rank() OVER (ORDER BY score), dense_rank() OVER (ORDER BY score) FROM puzzles WHERE score < 60 ORDER BY score, index",
            json!([[1, 1], [2, 2], [2, 2], [4, 3]]),
        ),
        (
            "SELECT a.index, b.index FROM puzzles a LEFT JOIN tonight b ON b.score = a.score + 10 ORDER BY 1, 2 LIMIT 3",
            json!([[0, 1], [0, 2], [1, null]]),
        ),
        // Comparisons of both sides of a join.
        ("SELECT count(*) FROM puzzles a, puzzles b WHERE a.score < b.score", json!([[9]])),
        ("SELECT count(*) FROM puzzles a JOIN puzzles b ON a.score < b.score AND b.score < a.score + 35", json!([[4]])),
        (
            "SELECT count(*) FROM puzzles a CROSS JOIN puzzles b CROSS JOIN puzzles c WHERE a.score < b.score",
            json!([[54]]),
        ),
        ("SELECT DISTINCT source, SOURCE = 'tonight' FROM puzzles", json!([["tonight", true]])),
        ("SELECT 7 // 2, -7 // 2, -7 % 3, 7 / 2, 1 / 0", json!([[3, -3, -1, 3.5, "inf"]])),
        ("SELECT level, score FROM puzzles ORDER BY score DESC, index LIMIT 1 OFFSET 5", json!([["medium", null]])),
    ] {
        let answer = scan.ask(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let rows: Vec<_> = (0..answer.len()).map(|row| answer.row(row).unwrap()).collect();
        assert_eq!(json!(rows), expected, "{sql}");
    }
}

#[test]
fn unsupported_queries_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let scan = scan(folder.path());
    let long = format!("SELECT {}", vec!["1"; 3000].join(" + "));
    for (sql, start) in [
        ("SELECT level, score FROM puzzles GROUP BY level", "column 'score' must be in GROUP BY"),
        ("SELECT score, count(*) FROM puzzles", "column 'score' must be in GROUP BY"),
        ("SELECT * FROM 'other.parquet'", "'other.parquet' in FROM: files are named on the command line"),
        ("SELECT * FROM read_csv('/etc/passwd')", "the table function read_csv(..): files are named"),
        ("SELECT * INTO x FROM puzzles", "SELECT .. INTO: queries cannot write"),
        ("DROP TABLE puzzles", "DROP: a query must begin with SELECT"),
        ("SELECT 1; SELECT 2", "write one query at a time"),
        ("SELECT total(score) FROM puzzles", "the aggregate total(..) is not supported here"),
        ("SELECT scroe FROM puzzles", "no column 'scroe'; did you mean 'score'?"),
        ("SELECT p.scroe FROM puzzles p", "no column 'scroe'; did you mean 'score'?"),
        ("SELECT q.score FROM puzzles p", "no table 'q' here"),
        ("SELECT * FROM puzles", "no table 'puzles'; did you mean 'puzzles'?"),
        ("SELECT score > 'a' FROM puzzles", ">: an integer and a text do not go together"),
        ("SELECT index * index * 9223372036854775807 FROM puzzles", "an integer does not fit into 64 bits"),
        ("SELECT givens // (givens - givens) FROM puzzles", "a division of integers by zero"),
        ("SELECT count(*) FROM puzzles WHERE count(*) > 3", "count(..) is an aggregate and cannot be used in WHERE"),
        ("SELECT lag(score) OVER () FROM puzzles", "lag(..) OVER needs ORDER BY"),
        ("SELECT (SELECT score FROM puzzles)", "a subquery in an expression gives more than one row"),
        ("SELECT level FROM puzzles GROUP BY level ORDER BY score", "column 'score' must be in GROUP BY"),
        ("SELECT givens ^ 2 FROM puzzles", "'^' means other things"),
        ("SELECT array_agg(score) FROM puzzles", "the aggregate array_agg(..) is not supported here"),
        ("SELEC 1", "not understood: "),
        ("", "the query is empty"),
        (&long, "an expression nests more than"),
    ] {
        let error = scan.ask(sql).err().unwrap_or_else(|| panic!("answered: {sql}")).to_string();
        assert!(error.starts_with(start) && !error.contains('\n'), "{sql}: {error}");
    }
    // Long chains do not count as deep nesting.
    let chain = vec!["score = 10"; 4000].join(" OR ");
    let answer = scan.ask(&format!("SELECT count(*) FROM puzzles WHERE {chain}")).unwrap();
    assert_eq!(answer.row(0).unwrap(), [json!(1)]);
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
