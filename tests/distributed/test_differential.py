"""Runs generated queries in the program, over Parquet files, and in Python's SQLite, over the same rows in a plain table.

    DIFFERENTIAL=2000 DIFFERENTIAL_SEED=1 scripts/test_distributed.sh test_differential

Both must give the same answer, or both none. The functions that the program adds are written here a second time, with
Python's exact statistics.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import sqlite3
import statistics
import subprocess
import tempfile
import unittest
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

from support import PROGRAM, run

WHOLE = ["givens", "holes", "hodoku_score", "search_guesses", "search_depth", "search_nodes", "n_naked_single", "n_naked_pair",
         "n_hidden_single_box", "automorphisms", "row", "open_cells", "se_er_tenths", "tries"]
TEXT = ["level", "hardest", "method", "shape", "symmetry"]
FLAG = ["minimal", "finished", "solutions_exact"]
REAL = ["log_weight"]
WORDS = ["'easy'", "'hard'", "'a'", "''", "'naked_single'", "'medium'", "'3x3'"]


class Generator:
    """Generates queries from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def one(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def whole(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.3:
            return self.one(self.one(*WHOLE), self.one(*WHOLE), str(self.random.randint(0, 40)))
        a, b = self.whole(depth - 1), self.whole(depth - 1)
        return self.one(
            f"({a} + {b})", f"({a} - {b})", f"({a} * {self.random.randint(1, 9)})", f"({a} * {b})", f"abs({a} - {b})",
            f"(-({a}))", f"({a} / {self.random.randint(1, 7)})", f"({a} % {self.random.randint(1, 7)})",
            f"coalesce({a}, {b})", f"nullif({a}, {b})", f"greatest({a}, {b})", f"least({a}, {b})",
            f"(CASE WHEN {self.flag(depth - 1)} THEN {a} ELSE {b} END)", f"length({self.text(depth - 1)})",
            f"(CASE {self.one(*TEXT)} WHEN {self.one(*WORDS)} THEN {a} END)", f"CAST({self.real(depth - 1)} AS INTEGER)",
            f"instr({self.text(depth - 1)}, {self.one(*WORDS)})", f"(CASE WHEN {self.flag(depth - 1)} THEN {a} END)",
            f"sign({self.real(depth - 1)})")

    def real(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.2:
            return self.one("log_weight", f"CAST({self.one(*WHOLE)} AS DOUBLE)", f"{self.random.randint(0, 20)}.5e0")
        a, b = self.real(depth - 1), self.real(depth - 1)
        return self.one(
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({self.whole(depth - 1)} / {self.random.randint(1, 9)})",
            f"sqrt(abs({a}))", f"round({a}, {self.random.randint(0, 2)})", f"floor({a})", f"ceil({a})", f"ln(abs({a}) + 1)",
            f"coalesce({a}, {b})", f"pow({self.one('2', '0.5e0')}, {self.random.randint(0, 5)})", f"trunc({a})",
            f"(CASE WHEN {self.flag(depth - 1)} THEN {a} ELSE {self.whole(depth - 1)} END)")

    def text(self, depth: int) -> str:
        if depth <= 0 or self.random.random() < 0.4:
            return self.one(self.one(*TEXT), self.one(*WORDS), self.one(*TEXT))
        a = self.text(depth - 1)
        return self.one(
            f"upper({a})", f"lower({a})", f"substr({a}, {self.random.randint(-3, 5)}, {self.random.randint(0, 4)})",
            f"({a} || {self.text(depth - 1)})", f"replace({a}, 'e', 'xy')", f"trim({a})", f"ltrim({a}, 'e')",
            f"coalesce({a}, {self.one(*WORDS)})", f"CAST({self.whole(depth - 1)} AS VARCHAR)",
            f"(CASE WHEN {self.flag(depth - 1)} THEN {a} ELSE {self.one(*WORDS)} END)", f"printf('%s|%d', {a}, {self.whole(0)})")

    def flag(self, depth: int) -> str:
        if self.random.random() < 0.05:  # precedence of operators
            c, d = self.one(*WHOLE), self.one(*WHOLE)
            return "(" + self.one(
                f"{c} + {d} * 2 - {c} / 3 % 4 > 5 AND NOT {d} = 3 OR minimal", f"NOT {c} > 20 AND {d} BETWEEN 1 AND 2 + 30 AND finished",
                f"- {c} + 30 < {d} % 7 * 2 OR NOT minimal AND {c} IN (1, 2) IS NOT TRUE", f"level || hardest = 'easy' || level OR {c} - {d} - 3 < 0",
                f"{c} IS NOT NULL AND {d} > 3 = minimal", f"NOT {c} IS NULL AND level LIKE 'e%' AND NOT hardest LIKE '%e'",
                f"{c} = {d} OR {c} < {d} AND {c} > 3 OR minimal IS NOT FALSE", f"level IS DISTINCT FROM hardest AND minimal",
                f"minimal IS DISTINCT FROM finished AND {c} > 3", f"{c} / 2 * 2 = {c} AND -{d} < 2 - -{c}") + ")"
        if depth <= 0 or self.random.random() < 0.15:
            return self.one(self.one(*FLAG), f"{self.one(*WHOLE)} > {self.random.randint(0, 60)}")
        compare = self.one("=", "<>", "<", "<=", ">", ">=")
        a, b = self.whole(depth - 1), self.whole(depth - 1)
        t = self.text(depth - 1)
        return self.one(
            f"({a} {compare} {b})", f"({a} {compare} {b})", f"({self.real(depth - 1)} {compare} {self.whole(depth - 1)})",
            f"({t} {compare} {self.text(depth - 1)})", f"({self.flag(depth - 1)} AND {self.flag(depth - 1)})",
            f"({self.flag(depth - 1)} OR {self.flag(depth - 1)})", f"(NOT {self.flag(depth - 1)})", f"({a} IS NULL)",
            f"({t} IS NOT NULL)", f"({a} BETWEEN {b} AND {self.whole(depth - 1)})",
            f"({a} {self.one('IN', 'NOT IN')} ({self.random.randint(0, 9)}, {b}{self.one('', ', NULL')}))",
            f"({a} IN ({', '.join(map(str, range(self.random.randint(9, 30))))}{self.one('', ', NULL')}))",
            f"({t} {self.one('LIKE', 'NOT LIKE')} {self.one(chr(39) + '%a%' + chr(39), chr(39) + 'e__y' + chr(39), chr(39) + '%.%' + chr(39))})",
            f"({a} IS {self.one('', 'NOT ')}DISTINCT FROM {b})", f"(({self.flag(depth - 1)}) IS {self.one('TRUE', 'NOT TRUE', 'FALSE', 'NOT FALSE')})",
            f"({t} REGEXP '{self.one('^e', 'a.*d$', '[sy]')}')", f"({t} GLOB '*a*')",
            f"({a} {self.one('IN', 'NOT IN')} (SELECT {self.one(*WHOLE)} FROM puzzles WHERE {self.flag(0)}))",
            f"({self.one(*WHOLE)} {compare} (SELECT {self.one('max', 'min', 'avg')}({self.one(*WHOLE)}) FROM puzzles WHERE {self.flag(0)}))")

    def aggregate(self, depth: int) -> str:
        w, r = self.whole(depth), self.real(depth)
        filtered = self.one("", "", "", f" FILTER (WHERE {self.flag(1)})")
        plain = self.one(
            "count(*)", f"count({w})", f"count(DISTINCT {w})", f"count(DISTINCT {self.text(1)})", f"sum({w})", f"sum({r})", f"avg({w})",
            f"avg({r})", f"min({w})", f"max({w})", f"min({r})", f"max({self.text(1)})", f"min({self.text(1)})", f"stddev({r})",
            f"var_pop({w})", f"median({w})", f"quantile_cont({w}, {self.one('0.25', '0.5', '0.9')})",
            f"quantile_disc({w}, {self.one('0.25', '0.5', '0.9')})", f"bool_and({self.flag(1)})", f"bool_or({self.flag(1)})",
            f"sum({self.flag(1)})", f"sum(DISTINCT {w})", f"avg(DISTINCT {w})", f"covar_samp({self.one(*WHOLE)}, {self.one(*WHOLE)})",
            f"arg_max({self.one(*WHOLE)}, row)", f"arg_min({self.one(*TEXT)}, row)",
            f"max(minimal)", "sum(1)")
        return plain + filtered

    def window(self, depth: int) -> str:
        w = self.whole(depth)
        part = self.one("", f"PARTITION BY {self.one(*TEXT)} ", f"PARTITION BY {self.one(*TEXT)}, {self.one(*FLAG)} ")
        ties = f"ORDER BY {self.one(*WHOLE)} {self.one('', 'DESC', 'NULLS FIRST')}"
        total = f"ORDER BY {self.one(*WHOLE)} {self.one('', 'DESC', 'NULLS FIRST')}, row"
        rows = self.one("UNBOUNDED PRECEDING AND CURRENT ROW", "2 PRECEDING AND CURRENT ROW", "1 PRECEDING AND 3 FOLLOWING",
                        "CURRENT ROW AND UNBOUNDED FOLLOWING", "UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", "3 PRECEDING AND 1 PRECEDING")
        ranges = self.one("", "", " RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING", " RANGE BETWEEN CURRENT ROW AND CURRENT ROW")
        aggregate = self.one(f"sum({w})", f"avg({w})", f"count({w})", "count(*)", f"min({w})", f"max({w})", f"sum({self.real(1)})")
        return self.one(
            f"row_number() OVER ({part}{total})", f"rank() OVER ({part}{ties})", f"dense_rank() OVER ({part}{ties})",
            f"percent_rank() OVER ({part}{ties})", f"cume_dist() OVER ({part}{ties})", f"ntile({self.random.randint(1, 7)}) OVER ({part}{total})",
            f"lag({w}) OVER ({part}{total})", f"lead({w}, {self.random.randint(0, 3)}, -1) OVER ({part}{total})",
            f"first_value({w}) OVER ({part}{total})", f"last_value({w}) OVER ({part}{total} ROWS BETWEEN {rows})",
            f"nth_value({w}, 2) OVER ({part}{total})", f"{aggregate} OVER ({part})", f"{aggregate} OVER ({part}{ties}{ranges})",
            f"{aggregate} OVER ({part}{total} ROWS BETWEEN {rows})", f"stddev({w}) OVER ({part})")

    def any(self, depth: int) -> str:
        return self.one(self.whole, self.real, self.text, self.flag)(depth)

    def question(self) -> tuple[str, bool]:
        """A query, and whether its rows have an order."""
        where = self.one("", f" WHERE {self.flag(2)}", f" WHERE {self.flag(3)}")
        kind = self.random.randrange(14)
        if kind < 2:
            items = ", ".join(f"{self.any(3)} AS c{i}" for i in range(3))
            return f"SELECT {items} FROM puzzles{where} ORDER BY row{self.one('', ' DESC')} LIMIT {self.random.randint(1, 60)}", True
        if kind < 4:
            items = ", ".join(f"{self.aggregate(2)} AS c{i}" for i in range(3))
            return f"SELECT {items} FROM puzzles{where}", True
        if kind < 7:
            key = self.one(*TEXT, *FLAG, "givens", self.whole(1), self.text(1))
            items = ", ".join(f"{self.aggregate(1)} AS c{i}" for i in range(2))
            having = self.one("", "", f" HAVING {self.one('count(*) > 3', 'max(givens) > 25', 'avg(hodoku_score) IS NOT NULL')}")
            return f"SELECT {key} AS k, {items}, count(*) - 5 AS d FROM puzzles{where} GROUP BY {key}{having}", False
        if kind < 9:
            return f"SELECT row, {self.window(1)} AS w, {self.window(1)} AS v FROM puzzles{where} ORDER BY row", True
        if kind == 9:
            key = self.one(*TEXT, "givens")
            share = self.one("100.0e0 * count(*) / sum(count(*)) OVER ()", "max(count(*)) OVER ()", "avg(avg(hodoku_score)) OVER ()",
                             "rank() OVER (ORDER BY count(*) DESC)", f"sum(count(*)) OVER (ORDER BY {key})", "count(*) - lag(count(*)) OVER (ORDER BY " + key + ")")
            return f"SELECT {key}, {share} AS s FROM puzzles{where} GROUP BY {key}", False
        if kind == 10:
            on = self.one("a.givens = b.givens", "a.level = b.level AND a.givens = b.givens + 1", "a.row = b.row - 1")
            how = self.one("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")
            return (f"SELECT a.row AS i, b.row AS j, a.hodoku_score - b.hodoku_score AS d FROM (SELECT * FROM puzzles WHERE row < {self.random.randint(1, 60)}) a "
                    f"{how} (SELECT * FROM puzzles WHERE row % 3 = {self.random.randint(0, 2)}) b ON {on}"), False
        if kind == 11:
            a, b = self.one(*WHOLE), self.one(*WHOLE)
            op = self.one("UNION", "UNION ALL", "INTERSECT", "EXCEPT")
            return f"SELECT {a} AS x, level FROM puzzles{where} {op} SELECT {b}, hardest FROM puzzles WHERE {self.flag(1)}", False
        if kind == 12:
            correlated = self.one(
                f"hodoku_score {self.one('>', '<=')} (SELECT {self.one('avg', 'max', 'min', 'count')}({self.one(*WHOLE)}) FROM puzzles q WHERE q.level = p.level)",
                f"{self.one('', 'NOT ')}EXISTS (SELECT 1 FROM puzzles q WHERE q.givens = p.givens + 1 AND q.hodoku_score > {self.random.randint(0, 900)})",
                f"givens = (SELECT max(givens) FROM puzzles q WHERE q.hardest = p.hardest AND q.minimal)")
            return f"SELECT row, givens, hodoku_score FROM puzzles p WHERE {correlated}", False
        inner = f"SELECT level, givens, count(*) AS n, {self.aggregate(1)} AS x FROM puzzles{where} GROUP BY level, givens"
        return (f"WITH t AS ({inner}) SELECT DISTINCT n - lag(n) OVER (ORDER BY givens, level) AS d, "
                f"{self.one('n * 2 AS m', 'sum(n) OVER () AS m', 'level AS m')} FROM t"), False


def same(a: Any, b: Any) -> bool:
    """Compares values; real numbers to nine digits, because the C libraries and the order of sums differ."""
    if isinstance(a, bool):
        a = int(a)
    if isinstance(a, float) or isinstance(b, float):
        if isinstance(a, str) or isinstance(b, str) or a is None or b is None:
            return a == {"inf": "inf", "-inf": "-inf"}.get(str(b), b)
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    return bool(a == b)


def equal(ours: list[list[Any]], theirs: list[list[Any]], ordered: bool) -> bool:
    if len(ours) != len(theirs):
        return False
    if not ordered:
        def key(row: list[Any]) -> list[str]:
            return [f"{v:.6g}" if isinstance(v, (int, float)) else str(v) for v in row]
        ours, theirs = sorted(ours, key=key), sorted(theirs, key=key)
    return all(len(a) == len(b) and all(map(same, a, b)) for a, b in zip(ours, theirs))


def aggregate(of: Callable[[list[Any]], Any], width: int = 1) -> type:
    """A class for `create_window_function`: `of` gets the rows of the frame without NULL."""

    class Collect:
        def __init__(self) -> None:
            self.rows: list[Any] = []

        def step(self, *row: Any) -> None:
            if None not in row:
                self.rows.append(row if width > 1 else row[0])

        def inverse(self, *row: Any) -> None:
            if None not in row:
                self.rows.remove(row if width > 1 else row[0])

        def value(self) -> Any:
            return of(self.rows) if self.rows else None

        finalize = value

    return Collect


def quantile(rows: list[tuple[Any, float]], discrete: bool) -> Any:
    values, q = sorted(value for value, _ in rows), Fraction(str(rows[0][1]))
    if discrete:
        return values[max(math.ceil(q * len(values)), 1) - 1]
    place = q * (len(values) - 1)
    low, high = values[math.floor(place)], values[math.ceil(place)]
    return float(Fraction(low) + (Fraction(high) - Fraction(low)) * (place - math.floor(place)))


def deviation(rows: list[float]) -> float | None:
    return statistics.stdev(map(Fraction, rows)) if len(rows) > 1 else None


def covariance(rows: list[tuple[float, float]]) -> float | None:
    if len(rows) < 2:
        return None
    x, y = (sum(map(Fraction, column)) / len(rows) for column in zip(*rows))
    return float(sum((Fraction(a) - x) * (Fraction(b) - y) for a, b in rows) / (len(rows) - 1))


def pick(largest: bool) -> Callable[[list[Any]], Any]:
    return lambda rows: (max if largest else min)(rows, key=lambda row: row[1])[0]


def plain(path: Path) -> sqlite3.Connection:
    """A database with the functions that the program adds."""
    base = sqlite3.connect(path)

    def rows(largest: bool) -> Callable[..., Any]:
        return lambda *values: (max if largest else min)((v for v in values if v is not None), default=None)

    base.create_function("greatest", -1, rows(True), deterministic=True)
    base.create_function("least", -1, rows(False), deterministic=True)
    base.create_function("regexp", 2, lambda p, t: None if p is None or t is None else int(bool(re.search(p, t))), deterministic=True)
    real: dict[str, Callable[[float], float]] = {"sqrt": math.sqrt, "ln": math.log}
    for name, function in real.items():
        base.create_function(name, 1, lambda x, f=function: None if x is None else f(x), deterministic=True)
    for name, whole in {"floor": math.floor, "ceil": math.ceil, "trunc": math.trunc}.items():
        def rounded(x: Any, f: Callable[[float], int] = whole) -> Any:
            return x if x is None or isinstance(x, int) else float(f(x)) if math.isfinite(x) else x
        base.create_function(name, 1, rounded, deterministic=True)
    base.create_function("pow", 2, lambda x, y: None if x is None or y is None else float(x) ** y, deterministic=True)
    for name, width, collect in [
        ("median", 1, aggregate(lambda rows: quantile([(value, 0.5) for value in rows], False))),
        ("quantile_cont", 2, aggregate(lambda rows: quantile(rows, False), 2)),
        ("quantile_disc", 2, aggregate(lambda rows: quantile(rows, True), 2)),
        ("stddev", 1, aggregate(deviation)),
        ("var_pop", 1, aggregate(lambda rows: float(statistics.pvariance(map(Fraction, rows))))),
        ("covar_samp", 2, aggregate(covariance, 2)),
        ("bool_and", 1, aggregate(lambda rows: int(all(rows)))),
        ("bool_or", 1, aggregate(lambda rows: int(any(rows)))),
        ("arg_max", 2, aggregate(pick(True), 2)),
        ("arg_min", 2, aggregate(pick(False), 2)),
    ]:
        base.create_window_function(name, width, collect)
    return base


class DifferentialTest(unittest.TestCase):
    def test_every_answer_is_that_of_a_plain_table(self) -> None:
        with tempfile.TemporaryDirectory(prefix="test-differential-") as scratch:
            corpus, database = Path(scratch) / "corpus", Path(scratch) / "rows.sqlite"
            run("run", "--count", "400", "--part-rows", "100", "--ratings", "none", "--seed", "5", "--out", corpus, "--quiet")
            run("query", "SELECT * FROM puzzles", corpus, "--out", database, "--quiet")
            base = plain(database)
            base.execute("CREATE TEMP VIEW puzzles AS SELECT * FROM answer")
            generator = Generator(int(os.environ.get("DIFFERENTIAL_SEED", "1")))
            count = int(os.environ.get("DIFFERENTIAL", "2000"))
            questions = [generator.question() for _ in range(count)]

            def ours(sql: str) -> subprocess.CompletedProcess[str]:
                return subprocess.run([PROGRAM, "query", sql, str(corpus), "--format", "jsonl"], capture_output=True, text=True)

            tally: Counter[str] = Counter()
            wrong, reasons = [], Counter()
            with ThreadPoolExecutor(2) as pool:
                for (sql, ordered), result in zip(questions, pool.map(ours, [sql for sql, _ in questions])):
                    try:
                        found = base.execute(sql)
                        theirs: list[list[Any]] | str = [list(row) for row in found.fetchall()]
                    except sqlite3.Error as error:
                        theirs = str(error)
                    if result.returncode != 0:
                        reasons[result.stderr.strip()[:110]] += 1
                        if result.returncode != 2 or "panicked" in result.stderr or result.stderr.count("\n") > 1:
                            wrong.append(f"{sql}\n  {result.stderr}")
                        tally["refused by both" if isinstance(theirs, str) else "REFUSED"] += 1
                        if not isinstance(theirs, str):
                            wrong.append(f"{sql}\n  ours   {result.stderr}\n  theirs {theirs[:4]}")
                        continue
                    rows = [list(json.loads(line).values()) for line in result.stdout.splitlines()]
                    if isinstance(theirs, list) and equal(rows, theirs, ordered):
                        tally["equal"] += 1
                    else:
                        tally["DIFFERENT"] += 1
                        wrong.append(f"{sql}\n  ours   {rows[:4]} .. {len(rows)}\n  theirs {theirs[:4]} .. {len(theirs)}")
            print(f"\n{count} questions: {dict(tally)}")
            for reason, times in reasons.most_common(int(os.environ.get("DIFFERENTIAL_REASONS", "5"))):
                print(f"  refused {times:5}: {reason}")
            self.assertFalse(wrong, "\n".join(wrong[: int(os.environ.get("DIFFERENTIAL_SHOWN", "8"))]))
            self.assertGreater(tally["equal"], count * 9 // 10)


if __name__ == "__main__":
    unittest.main()
