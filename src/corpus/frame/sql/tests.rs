use super::*;

fn asked(sql: &str) -> String {
    meant(sql, &|column| column == "puzzle").unwrap()
}

#[test]
fn expressions_are_called_as_they_are_written() {
    for (sql, meant) in [
        (
            "SELECT min(score),  max( score ) FROM p",
            "SELECT min(score) AS \"min(score)\",  max( score ) AS \"max( score )\" FROM p",
        ),
        ("select count(*)", "select count(*) AS \"count(*)\""),
        ("SELECT score/2 FROM p", "SELECT score/2 AS \"score/2\" FROM p"),
        (
            "SELECT a IS NOT DISTINCT FROM b FROM p",
            "SELECT a IS NOT DISTINCT FROM b AS \"a IS NOT DISTINCT FROM b\" FROM p",
        ),
        ("SELECT avg(\"n\") FROM p", "SELECT avg(\"n\") AS \"avg(n)\" FROM p"),
        (
            "WITH x AS (SELECT max(a) FROM p) SELECT * FROM x",
            "WITH x AS (SELECT max(a) AS \"max(a)\" FROM p) SELECT * FROM x",
        ),
        (
            "SELECT CASE WHEN a < 3 THEN 'x' ELSE 'y' END FROM p",
            "SELECT CASE WHEN a < 3 THEN 'x' ELSE 'y' END AS \"CASE WHEN a < 3 THEN 'x' ELSE 'y' END\" FROM p",
        ),
    ] {
        assert_eq!(asked(sql), meant);
    }
}

#[test]
fn what_has_a_name_keeps_it() {
    for sql in [
        "SELECT * FROM p",
        "SELECT p.*, a.b, \"c d\" FROM p",
        "SELECT * EXCLUDE (a) FROM p ORDER BY a",
        "SELECT COLUMNS('^n_') FROM p",
        "SELECT DISTINCT level, count(*) n, avg(a) AS \"b\", 'x' y FROM p -- count(*)\n",
        "SELECT DISTINCT ON (level, abs(a)) level FROM p",
        "SELECT CASE WHEN a THEN 1 ELSE 2 END c, CAST(a AS DOUBLE) d FROM p",
        "SELECT 'it''s (' AS t",
        "SHOW TABLES",
        "SELECT 'open",
        "SELECT (a",
        "SELECT",
        "",
        ")(",
    ] {
        assert_eq!(asked(sql), sql);
    }
}

#[test]
fn rows_are_sorted_by_the_columns_of_the_answer() {
    for (sql, end) in [
        (
            "SELECT level, count(*) n FROM p GROUP BY level ORDER BY COUNT( * ) DESC, level LIMIT 3",
            "ORDER BY n DESC, level LIMIT 3",
        ),
        ("SELECT level, avg(a) FROM p GROUP BY level ORDER BY avg(a)", "ORDER BY \"avg(a)\""),
        (
            "SELECT avg(a) FROM p GROUP BY b HAVING count(*) > 3 ORDER BY b, avg(a) NULLS LAST;",
            "ORDER BY b, \"avg(a)\" NULLS LAST;",
        ),
        ("SELECT a, row_number() OVER (ORDER BY max(b)) r FROM p ORDER BY r", "(ORDER BY max(b)) r FROM p ORDER BY r"),
        ("SELECT a * 2 AS d FROM p ORDER BY a * 2", "ORDER BY a * 2"),
        (
            "SELECT * FROM (SELECT a, sum(b) s FROM p GROUP BY a ORDER BY sum(b) LIMIT 1) ORDER BY a",
            "ORDER BY s LIMIT 1) ORDER BY a",
        ),
        ("SELECT sum(a) s FROM p UNION ALL SELECT sum(b) t FROM p ORDER BY sum(b)", "ORDER BY sum(b)"),
    ] {
        assert!(asked(sql).ends_with(end), "{}", asked(sql));
    }
    let refused = meant("SELECT level FROM p GROUP BY level ORDER BY max(score) DESC", &|_| false).unwrap_err();
    assert!(refused.starts_with("ORDER BY max(score): the answer has no such column"), "{refused}");
}

#[test]
fn different_texts_are_counted_by_their_digests() {
    for (sql, meant) in [
        ("SELECT count(DISTINCT puzzle) n", "SELECT count(DISTINCT text_digest(puzzle)) n"),
        ("SELECT COUNT( distinct p.\"puzzle\" ) n", "SELECT COUNT( distinct text_digest(p.\"puzzle\") ) n"),
        (
            "SELECT count(DISTINCT puzzle) FROM p",
            "SELECT count(DISTINCT text_digest(puzzle)) AS \"count(DISTINCT puzzle)\" FROM p",
        ),
        ("SELECT count(DISTINCT score) n", "SELECT count(DISTINCT score) n"),
        ("SELECT count(DISTINCT upper(puzzle)) n", "SELECT count(DISTINCT upper(puzzle)) n"),
        ("SELECT DISTINCT puzzle FROM p", "SELECT DISTINCT puzzle FROM p"),
    ] {
        assert_eq!(asked(sql), meant);
    }
}

#[test]
fn calculations_are_seen_and_counts_in_them_have_a_sign() {
    for sql in [
        "SELECT a - b",
        "SELECT -a",
        "SELECT a, sum(b) FROM p",
        "SELECT a *2",
        "SELECT max(a)*max(b)",
        "SELECT pow(a, 2)",
    ] {
        assert!(calculates(sql), "{sql}");
    }
    for sql in [
        "SELECT * FROM p",
        "SELECT p.*, count(*) FROM p -- a - b",
        "SELECT DISTINCT * FROM p WHERE a = '-'",
        "SELECT '",
    ] {
        assert!(!calculates(sql), "{sql}");
    }
    for (sql, meant) in [
        ("SELECT count(*) - 5", "SELECT CAST(count(*) AS BIGINT) - 5 AS \"count(*) - 5\""),
        ("SELECT 5 - count(a)", "SELECT 5 - CAST(count(a) AS BIGINT) AS \"5 - count(a)\""),
        (
            "SELECT a, 5 - count(*) FROM p GROUP BY a ORDER BY 5 - count(*), 2",
            "SELECT a, 5 - CAST(count(*) AS BIGINT) AS \"5 - count(*)\" FROM p GROUP BY a ORDER BY \"5 - count(*)\", 2",
        ),
        ("SELECT count(*) OVER () - 5 AS x", "SELECT count(*) OVER () - 5 AS x"),
    ] {
        assert_eq!(asked(sql), meant);
    }
}
