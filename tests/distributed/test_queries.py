"""The program (SQLite), DuckDB and Spark give the same answers to the same queries."""

from __future__ import annotations

import argparse
import sys
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM, SCRIPTS, pass_over, recipe, run

sys.path.insert(0, str(SCRIPTS))
import query_engines  # noqa: E402

QUERIES = [
    "SELECT level, count(*) AS n, avg(search_guesses) AS guesses, max(hodoku_score) AS most FROM puzzles "
    "GROUP BY level ORDER BY level",
    "SELECT givens, sum(CASE WHEN minimal THEN 1 ELSE 0 END) AS m, avg(n_naked_pair) AS pairs FROM puzzles "
    "WHERE search_depth > 0 GROUP BY givens ORDER BY givens",
    "SELECT count(DISTINCT class) AS classes, min(row) AS first, max(row) AS last, sum(holes) AS holes FROM puzzles",
    "WITH ranked AS (SELECT row, level, hodoku_score, row_number() OVER (PARTITION BY level ORDER BY hodoku_score, row) AS r "
    "FROM puzzles) SELECT level, r, row, hodoku_score FROM ranked WHERE r <= 3 ORDER BY level, r",
    "SELECT puzzle, solution FROM puzzles WHERE row BETWEEN 99995 AND 100005 ORDER BY row",
    "SELECT shape, method, plan, count(*) AS n FROM puzzles GROUP BY shape, method, plan",
]
# Columns that only the names of folders contain.


class QueryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="test-queries-")
        cls.addClassCleanup(scratch.cleanup)
        cls.addClassCleanup(query_engines.end_spark)
        cls.work = Path(scratch.name)
        cls.args = argparse.Namespace(binary=PROGRAM, master="local-cluster[2,1,1024]")
        wanted = recipe(cls.work, 1_003, 100)
        wanted.write_text(wanted.read_text() + '[grid]\nmethod = "jump-back:7,16"\n')
        run("run", wanted, "--parts", "998..1002", "--out", cls.work / "corpus", "--quiet")

    def answer(self, engine: str, sql: str) -> query_engines.Rows:
        return query_engines.ENGINES[engine](self.work / "corpus", sql, self.args)

    def compare(self, engine: str) -> None:
        lack = query_engines.missing(engine, PROGRAM)
        if lack:
            pass_over(f"queries in {engine}: {lack}")
        for sql in QUERIES:
            expected = self.answer("built-in", sql)
            self.assertTrue(expected and expected[0], sql)
            found = self.answer(engine, sql)
            self.assertTrue(query_engines.equal(expected, found), f"{sql}\n{expected[:3]}\n{found[:3]}")

    def test_duckdb_gives_the_answers_of_the_program(self) -> None:
        self.compare("duckdb")

    def test_a_spark_cluster_gives_the_answers_of_the_program(self) -> None:
        self.compare("spark")

    def test_the_comparison_finds_different_answers(self) -> None:
        same = [(1, "a", 0.1 + 0.2, None)]
        self.assertTrue(query_engines.equal(same, [(1, "a", 0.3, None)]))
        for other in ([(1, "a", 0.3001, None)], [(1, "a", 0.3)], [], [(2, "a", 0.3, None)], [(1, "a", None, None)]):
            self.assertFalse(query_engines.equal(same, other), other)


if __name__ == "__main__":
    unittest.main()
