#!/usr/bin/env python3
"""Runs the same query on a corpus in several engines: the program itself (SQLite), DuckDB, Spark.

    scripts/query_engines.py corpus 'SELECT level, count(*) AS n FROM puzzles GROUP BY level'
    scripts/query_engines.py corpus 'SELECT ...' --engine duckdb                       pip install duckdb
    scripts/query_engines.py /shared/corpus 'SELECT ...' --engine spark --master spark://host:7077
                                                                                       pip install pyspark, Java 17
Without --engine all engines run the query and their answers are compared. The exit code is 3 if they differ. An engine that is
not installed is skipped with a message. Use standard SQL, which all of them understand. SQLite divides integers to integers, so write
hodoku_score / 2.0. For the mean of a flag, write avg(CASE WHEN minimal THEN 1.0 ELSE 0.0 END), because DuckDB cannot compute the mean of a flag.

One machine is enough for a thousand million rows, because a query reads only the columns that it names, a few bytes per row.
Use Spark for corpora on many machines or in an object store, and for large answers.
"""

from __future__ import annotations

import argparse
import csv
import decimal
import importlib.util
import io
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Rows = list[tuple[Any, ...]]
TABLE = "puzzles"
LONGEST_NUMBER = 26  # characters; -2.2250738585072014e-308 has 24


def built_in(corpus: Path, sql: str, args: argparse.Namespace) -> Rows:
    """`sudoku-corpus query`, which is SQLite."""
    # The other engines read the parts that are there, too.
    command = [args.binary, "query", sql, str(corpus), "--format", "csv", "--partial"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise ValueError(result.stderr.strip())
    return [tuple(map(value_of, row)) for row in list(csv.reader(io.StringIO(result.stdout)))[1:]]


def duckdb(corpus: Path, sql: str, args: argparse.Namespace) -> Rows:
    """DuckDB in this process."""
    import duckdb

    files = str(corpus / "rows" / "part-*.parquet").replace("'", "''")
    base = duckdb.connect()
    base.execute(f"CREATE VIEW {TABLE} AS SELECT * FROM read_parquet('{files}')")
    return [tuple(map(plain, row)) for row in base.execute(sql).fetchall()]


def spark(corpus: Path, sql: str, args: argparse.Namespace) -> Rows:
    """Spark: a cluster, or a cluster of processes on this machine."""
    import pyspark
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_HOME", str(Path(pyspark.__file__).parent))
    session = SparkSession.builder.master(args.master).appName("sudoku-corpus")
    session = session.config("spark.ui.enabled", "false").config("spark.log.level", "ERROR")
    session = session.config("spark.ui.showConsoleProgress", "false")
    if args.master.startswith("local"):  # a real cluster uses its own number of partitions
        session = session.config("spark.sql.shuffle.partitions", "2")
    session = session.getOrCreate()
    rows = session.read.parquet((corpus / "rows").resolve().as_uri())
    # Spark has no unsigned numbers: 64 bits become decimals, whose means it rounds to four places.
    wide = [name for name, kind in rows.dtypes if kind == "decimal(20,0)"]
    rows.withColumns({name: rows[name].cast("bigint") for name in wide}).createOrReplaceTempView(TABLE)
    return [tuple(map(plain, row)) for row in session.sql(sql).collect()]


def end_spark() -> None:
    """Ends the processes of Spark, if there are any."""
    if "pyspark" in sys.modules:
        from pyspark.sql import SparkSession

        session = SparkSession.getActiveSession()
        if session is not None:
            session.stop()


ENGINES: dict[str, Callable[[Path, str, argparse.Namespace], Rows]] = {
    "built-in": built_in,
    "duckdb": duckdb,
    "spark": spark,
}


def missing(engine: str, binary: str) -> str | None:
    """What is missing for an engine, or nothing."""
    if engine == "built-in":
        return None if shutil.which(binary) else f"no program {binary}"
    module = {"duckdb": "duckdb", "spark": "pyspark"}[engine]
    if importlib.util.find_spec(module) is None:
        return f"pip install {module}"
    return "Java 17" if engine == "spark" and shutil.which("java") is None else None


def value_of(text: str) -> Any:
    """A value of a CSV file: null, a flag, a number or a text. A solution is a text, although it has only digits."""
    if text in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[text]
    for kind in (int, float) if len(text) <= LONGEST_NUMBER else ():
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def plain(value: Any) -> Any:
    """A value without the types of an engine: sums of integers may be decimals."""
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def equal(left: Rows, right: Rows) -> bool:
    """Compares rows in their order; real numbers to 12 digits, because sums are computed in another order."""

    def same(a: Any, b: Any) -> bool:
        if isinstance(a, float) or isinstance(b, float):
            return a is not None and b is not None and math.isclose(a, b, rel_tol=1e-12)
        return bool(a == b)

    shape = [len(row) for row in left] == [len(row) for row in right]
    return shape and all(same(a, b) for x, y in zip(left, right) for a, b in zip(x, y))


def arguments(argv: list[str] | None) -> argparse.Namespace:
    head, _, rest = (__doc__ or "").partition("\n")
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=head, epilog=rest, formatter_class=style)
    parser.add_argument("corpus", type=Path, help="the folder of a Parquet corpus")
    parser.add_argument("sql", help=f"a query of the table {TABLE}; with ORDER BY the answers can be compared")
    parser.add_argument("--engine", choices=ENGINES, help="run the query in this engine only")
    parser.add_argument("--master", default="local-cluster[2,1,1024]", help="the Spark cluster; by default two processes on this machine")
    parser.add_argument("--binary", default=os.environ.get("SUDOKU_CORPUS") or "sudoku-corpus", help="the program sudoku-corpus")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    answers: dict[str, Rows] = {}
    for engine in [args.engine] if args.engine else ENGINES:
        lack = missing(engine, args.binary)
        if lack:
            print(f"SKIPPED: {engine}: {lack}", file=sys.stderr)
            continue
        try:
            answers[engine] = ENGINES[engine](args.corpus, args.sql, args)
        except Exception as error:  # every engine has its own exceptions
            print(f"error: {engine}: {error}", file=sys.stderr)
            return 1
        finally:
            end_spark()
    if not answers:
        return 1
    first, *others = answers
    csv.writer(sys.stdout).writerows(answers[first])
    for engine in others:
        if not equal(answers[first], answers[engine]):
            print(f"{engine} answers differently from {first}: {answers[engine][:5]} ...", file=sys.stderr)
            return 3
    print(f"answered by {', '.join(answers)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
