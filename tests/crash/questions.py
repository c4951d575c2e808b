"""Questions: random SQL about random Parquet files of other programs, one or several at once, answered in every format.

DuckDB, which reads the same files itself, has to give the same rows. NaN (not a number) is NULL, and a sum beyond 64 bits is an error.
Needs pyarrow and DuckDB."""

from __future__ import annotations

import csv
import json
import math
import random
import shutil
import sqlite3
from pathlib import Path

import tables
from tables import FAMILIES, WHOLE, ask, column, pyarrow
from world import World

try:
    import duckdb
except ImportError:
    duckdb = None

DEFAULT = 2000
SMALL = 25
HEAD = "| question | asked | refused, because a number is too large | as it has to be |\n|---|--:|--:|--:|"
CONSTANTS = {
    "whole": [str(number) for number in WHOLE if -(2**63) < number < 2**63],
    "real": ["0.0", "-2.5", "1.5", "1e300", "0.25"],
    "text": ["'a'", "''", "'easy'", "'Z'", "'\u00e9'"],
    "flag": ["TRUE", "FALSE"],
}


def missing() -> str | None:
    return tables.missing() or ("questions: duckdb is missing" if duckdb is None else None)


def condition(rng: random.Random, kinds: dict[str, str], depth: int = 0) -> str:
    """A random condition on the columns."""
    if depth < 2 and rng.random() < 0.4:
        both = [condition(rng, kinds, depth + 1) for _ in range(2)]
        return rng.choice(["({} AND {})", "({} OR {})", "NOT ({} OR {})"]).format(*both)
    name = rng.choice(list(kinds))
    some = rng.sample(CONSTANTS[kinds[name]], 2)
    forms = ["{x} IS NULL", "{x} IS NOT NULL", "{x} = {a}", "{x} <> {a}", "{x} IN ({a}, {b})", "{x} NOT IN ({a}, {b})", "coalesce({x} = {a}, FALSE)"]
    if kinds[name] != "flag":
        forms += ["{x} < {a}", "{x} <= {a}", "{x} > {a}", "{x} >= {a}", "{x} BETWEEN {a} AND {b}"]
    return rng.choice(forms).format(x=name, a=some[0], b=some[1])


def question(rng: random.Random, kinds: dict[str, str]) -> tuple[str, str]:
    """A random question in the SQL that SQLite and DuckDB share, and what it is about. Its rows have an order."""
    where = f"WHERE {condition(rng, kinds)}" if rng.random() < 0.7 else ""
    x, y = rng.choice(list(kinds)), rng.choice(list(kinds))
    sum_of = f"sum({y})" if kinds[y] in ("whole", "real") else f"count(DISTINCT {y})"
    about = f"count(*), count({y}), min({y}), max({y}), {sum_of}, avg(n)"
    if kinds[y] == "flag":
        about = f"count(*), count({y}), count(DISTINCT {y})"
    outer = rng.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
    set_of = rng.choice(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
    frame = rng.choice(["ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING", ""])
    other = condition(rng, kinds)
    return rng.choice(
        [
            ("rows", f"SELECT * FROM puzzles {where} ORDER BY n"),
            ("rows", f"SELECT n, {x}, {x} IS NULL AS a, CASE WHEN {other} THEN 1 ELSE 0 END AS b FROM puzzles {where} ORDER BY n"),
            ("part", f"SELECT {x}, n FROM puzzles {where} ORDER BY {x} DESC NULLS LAST, n LIMIT {rng.randint(0, 9)} OFFSET {rng.randint(0, 5)}"),
            ("sums", f"SELECT {about} FROM puzzles {where}"),
            ("groups", f"SELECT {x}, {about} FROM puzzles {where} GROUP BY {x} HAVING count(*) > {rng.randint(0, 2)} ORDER BY 1 NULLS FIRST"),
            ("groups", f"SELECT DISTINCT {x}, {y} FROM puzzles {where} ORDER BY 1 NULLS FIRST, 2 NULLS FIRST"),
            ("joins", f"SELECT count(*), count(p.n), count(q.n), sum(p.n * q.n) FROM puzzles p {outer} puzzles q ON p.{x} = q.{x} AND p.n < q.n"),
            ("joins", f"SELECT p.n, q.n FROM puzzles p {outer} (SELECT * FROM puzzles {where}) q ON p.n = q.n + 1 ORDER BY 1 NULLS FIRST, 2 NULLS FIRST"),
            ("windows", f"SELECT n, row_number() OVER (PARTITION BY {x} ORDER BY n), sum(n) OVER (ORDER BY n {frame}), lag(n) OVER (PARTITION BY {x} ORDER BY n) FROM puzzles {where} ORDER BY n"),
            ("windows", f"SELECT n, rank() OVER (ORDER BY {x} NULLS FIRST), count({y}) OVER (PARTITION BY {x}) FROM puzzles {where} ORDER BY n"),
            ("sets", f"SELECT {x} FROM puzzles {where} {set_of} SELECT {x} FROM puzzles WHERE {other} ORDER BY 1 NULLS FIRST"),
            ("parts", f"WITH t AS (SELECT {x} AS v, count(*) AS c FROM puzzles {where} GROUP BY 1) SELECT v, c FROM t WHERE c >= (SELECT avg(c) FROM t) ORDER BY v NULLS FIRST"),
            ("parts", f"SELECT n FROM puzzles p WHERE EXISTS (SELECT 1 FROM puzzles q WHERE q.{x} = p.{x} AND q.n <> p.n) ORDER BY n"),
            ("parts", f"SELECT n, (SELECT count(*) FROM puzzles q WHERE q.{x} = p.{x} AND q.n < p.n) FROM puzzles p {where} ORDER BY n"),
        ]
    )


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    before = len(world.faults)
    folder = Path(world.place) / f"questions-{number}"
    folder.mkdir()
    kinds = {"n": "whole"} | {name: rng.choice(list(CONSTANTS)) for name in "xyz"}
    files, first = [], 0
    for at in range(rng.randint(1, 3)):
        rows = rng.randint(1, 60)
        arrays = {"n": pyarrow.array(range(first, first + rows), pyarrow.int64())}
        arrays |= {name: column(rng.choice(FAMILIES[kinds[name]]), rows, rng)[0] for name in "xyz"}
        first += rows
        files.append(f"{at}.parquet")
        tables.write(pyarrow.table(arrays), folder / files[-1], rng)
    about, sql = question(rng, kinds)
    world.trial += f" ({sql})"
    refused = answered(world, folder, files, sql, kinds)
    shutil.rmtree(folder)
    return about, [1, refused, len(world.faults) == before]


def of_duckdb(folder: Path, files: list[str], sql: str, kinds: dict[str, str]) -> list[list] | None:
    """DuckDB's answer; None if a number has more than 64 bits."""
    typed = {"whole": "{0}::HUGEINT", "real": "CASE WHEN isnan({0}) THEN NULL ELSE {0}::DOUBLE END", "text": "{0}::VARCHAR", "flag": "{0}::BOOLEAN"}
    parts = ", ".join(f"{typed[kind].format(name)} AS {name}" for name, kind in kinds.items())
    base = duckdb.connect()
    # A table in between: DuckDB trusts the statistics of a file, which do not tell of NaN.
    for at, file in enumerate(files):
        base.execute(f"CREATE TABLE file_{at} AS SELECT * FROM read_parquet('{folder / file}')")
    base.execute("CREATE TABLE puzzles AS " + " UNION ALL ".join(f"SELECT {parts} FROM file_{at}" for at in range(len(files))))
    rows = [list(row) for row in base.execute(sql).fetchall()]
    wide = [f"max({name}) > {2**63 - 1}" for name, kind in kinds.items() if kind == "whole"]
    large = base.execute(f"SELECT {' OR '.join(wide)} FROM puzzles").fetchone()[0]
    beyond = any(isinstance(value, int) and not -(2**63) <= value < 2**63 for row in rows for value in row)
    return None if large or beyond else rows


def answered(world: World, folder: Path, files: list[str], sql: str, kinds: dict[str, str]) -> bool:
    expected = of_duckdb(folder, files, sql, kinds)
    for form in ("csv", "jsonl", "parquet", "sqlite"):
        path = folder / f"answer.{form}"
        done = ask(world, folder, sql, files, "--out", path.name)
        if expected is None:
            # It may be in rows that the question does not read.
            if done.returncode != 0 and not done.stderr.strip():
                world.fault(f"{form}: {done.returncode} and no message")
            continue
        if done.returncode != 0:
            world.fault(f"{form}: {done.returncode} {done.stderr}")
            continue
        if form == "csv":
            with open(path, newline="") as file:
                rows = [[of_text(text) for text in row] for row in list(csv.reader(file))[1:]]
            wanted = [[of_text(csv_of(value)) for value in row] for row in expected]
        elif form == "jsonl":
            rows = [list(json.loads(line).values()) for line in path.read_text().splitlines()]
            wanted = expected
        elif form == "parquet":
            table = pyarrow.parquet.read_table(path)
            rows, wanted = [list(row) for row in zip(*(one.to_pylist() for one in table.columns))], expected
        else:
            with sqlite3.connect(path) as base:
                rows, wanted = [list(row) for row in base.execute("SELECT * FROM answer")], expected
        if not (len(rows) == len(wanted) and all(len(a) == len(b) and all(map(same, a, b)) for a, b in zip(rows, wanted))):
            differ = next(((a, b) for a, b in zip(rows, wanted) if len(a) != len(b) or not all(map(same, a, b))), (len(rows), len(wanted)))
            world.fault(f"{form}: {differ[0]} instead of {differ[1]}")
    return expected is None


def csv_of(value: object) -> str:
    """A value as a text of CSV; beginnings that spreadsheets would compute have an apostrophe."""
    if isinstance(value, str):
        return "'" + value if value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
    return "" if value is None else str(value)


def of_text(text: str) -> object:
    if text in ("", "nan"):
        return None
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return float(text) if len(text) < 25 else text
    except ValueError:
        return text


def same(found: object, wanted: object) -> bool:
    """Equal, but for the last digits of reals. Not a number is NULL; a flag may be 0 or 1; infinite numbers are texts in JSON."""
    if isinstance(wanted, float) and math.isnan(wanted):
        wanted = None
    if isinstance(found, str) and found in ("inf", "-inf") and isinstance(wanted, float):
        found = float(found)
    if isinstance(found, (int, float)) and isinstance(wanted, (int, float)):
        exact = isinstance(found, int) and isinstance(wanted, int)
        return found == wanted if exact else math.isclose(found, wanted, rel_tol=1e-9)
    return found == wanted
