#!/usr/bin/env python3
"""Opens a corpus in Python with DuckDB and polars, and checks that both give the same answers as `sudoku-corpus query`.

    python3 -m pip install duckdb polars pyarrow
    scripts/python_examples.py [CORPUS]

Without CORPUS (the folder of a corpus) a small one is made first, as Parquet and as CSV in zstd. The program is
SUDOKU_CORPUS, or target/release/sudoku-corpus, or the one on the path. Exit codes: 0 all answers agree, 1 some answers differ, 2 there is no
program. If the packages are not installed, a message says so; the exit code is then 0, or 1 if REQUIRE_TOOLS is set.

QUESTIONS holds the examples: a question in words, and its query for the program, for DuckDB and for polars. Hints:
  * DuckDB cannot compute the mean of a flag. Use count(*) FILTER (minimal) / count(minimal). `query` and polars can.
  * log_weight is a logarithm: exp(log_weight - max(log_weight)) is a weight.
  * In CSV, read puzzle, solution and class as texts. Readers that guess types take a line of 81 digits for a number and lose
    most of the digits.
  * Parts are plain files: a glob reads them all. Readers of Parquet load only the columns that the query uses.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import query_engines

try:
    import duckdb
    import polars as pl
except ImportError as missing:
    print(f"SKIPPED: {missing}. Nothing was compared; pip install duckdb polars pyarrow", file=sys.stderr)
    sys.exit(1 if os.environ.get("REQUIRE_TOOLS") else 0)

# A question in words, its SQL for `query`, its SQL for DuckDB if that differs, and its query in polars.
QUESTIONS = [
    (
        "How many puzzles have each number of givens, and how deep a search do they need?",
        "SELECT givens, count(*) AS n, avg(search_depth) AS depth FROM puzzles GROUP BY givens ORDER BY givens",
        None,
        lambda puzzles: puzzles.group_by("givens")
        .agg(pl.len().alias("n"), pl.col("search_depth").mean().alias("depth"))
        .sort("givens"),
    ),
    (
        "What share of the puzzles is minimal?",
        "SELECT avg(minimal) AS share FROM puzzles",
        "SELECT count(*) FILTER (minimal) / count(minimal) AS share FROM puzzles",
        lambda puzzles: puzzles.select(pl.col("minimal").mean().alias("share")),
    ),
    (
        "How hard are the puzzles of each level?",
        "SELECT level, count(*) AS n, min(hodoku_score) AS least, max(hodoku_score) AS most FROM puzzles GROUP BY level ORDER BY level",
        None,
        lambda puzzles: puzzles.group_by("level")
        .agg(pl.len().alias("n"), pl.col("hodoku_score").min().alias("least"), pl.col("hodoku_score").max().alias("most"))
        .sort("level"),
    ),
    (
        "Which puzzles need an X-Wing and have the highest scores?",
        "SELECT puzzle, hodoku_score FROM puzzles WHERE n_x_wing > 0 AND finished ORDER BY hodoku_score DESC, puzzle LIMIT 5",
        None,
        lambda puzzles: puzzles.filter((pl.col("n_x_wing") > 0) & pl.col("finished"))
        .select("puzzle", "hodoku_score")
        .sort(["hodoku_score", "puzzle"], descending=[True, False])
        .head(5),
    ),
    (
        "How many puzzles are essentially different?",
        "SELECT count(*) AS rows, count(DISTINCT class) AS classes FROM puzzles",
        None,
        lambda puzzles: puzzles.select(pl.len().alias("rows"), pl.col("class").n_unique().alias("classes")),
    ),
]

# Columns that readers of CSV must not read as numbers.
TEXTS = ["puzzle", "solution", "class"]


def program():
    """The program to compare with."""
    built = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", pathlib.Path(__file__).parent.parent / "target"))
    for candidate in [os.environ.get("SUDOKU_CORPUS"), built / "release" / "sudoku-corpus", shutil.which("sudoku-corpus")]:
        if candidate and pathlib.Path(candidate).exists():
            return str(candidate)
    print("no program: cargo build --release, or set SUDOKU_CORPUS", file=sys.stderr)
    sys.exit(2)


def asked_of_duckdb(sql, files):
    """The answer of DuckDB. The files are a view called puzzles."""
    connection = duckdb.connect()
    texts = ", ".join(f"'{name}': 'VARCHAR'" for name in TEXTS)
    csv_reader = f"read_csv('{files}', sample_size=-1, types={{{texts}}})"
    read = f"read_parquet('{files}')" if str(files).endswith(".parquet") else csv_reader
    connection.execute(f"CREATE VIEW puzzles AS SELECT * FROM {read}")
    return connection.execute(sql).fetchall()


def asked_of_polars(question, files):
    """The answer of polars. The query is lazy, so only the columns that it needs are read."""
    if str(files).endswith(".parquet"):
        return question(pl.scan_parquet(files)).collect().rows()
    parts = sorted(pathlib.Path(files).parent.glob("part-*"))
    overrides = dict.fromkeys(TEXTS, pl.String)
    tables = [pl.read_csv(part, infer_schema_length=None, schema_overrides=overrides) for part in parts]
    return question(pl.concat(tables, how="vertical_relaxed").lazy()).collect().rows()


def compare(corpus, files):
    """Runs all queries in all three ways, and returns the number of different answers."""
    differing = 0
    for what, sql, duck_sql, question in QUESTIONS:
        expected = query_engines.built_in(corpus, sql, argparse.Namespace(binary=program()))
        for name, answer in [
            ("DuckDB", asked_of_duckdb(duck_sql or sql, files)),
            ("polars", asked_of_polars(question, files)),
        ]:
            if query_engines.equal(expected, answer):
                print(f"same    {name}  {what} {len(expected)} rows")
            else:
                differing += 1
                print(f"DIFFERS {name}  {what}\n  query: {expected[:3]}\n  {name}: {answer[:3]}")
    return differing


def main():
    """Compares on the corpus that is named, or on two small ones."""
    print(f"DuckDB {duckdb.__version__}, polars {pl.__version__}")
    if len(sys.argv) > 1:
        corpus = pathlib.Path(sys.argv[1])
        ending = "parquet" if any(corpus.glob("rows/part-*.parquet")) else "csv.zst"
        return 1 if compare(corpus, corpus / "rows" / f"part-*.{ending}") else 0
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        for ending in ["parquet", "csv.zst"]:
            corpus = pathlib.Path(folder) / ending.replace(".", "-")
            make = [program(), "run", "--quiet", "--count", "600", "--part-rows", "200", "--format", ending]
            subprocess.run([*make, "--out", str(corpus)], check=True)
            print(f"600 puzzles as {ending}")
            differing += compare(corpus, corpus / "rows" / f"part-*.{ending}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
