#!/usr/bin/env python3
"""Reads every export format with independent readers, and compares the puzzles that they find.

    scripts/check_formats.py target/release/sudoku-corpus [CORPUS]

| format | reader |
|---|---|
| csv | Python's csv |
| jsonl | Python's json, and the package jsonschema against `list schema` |
| opensudoku | Python's xml.etree |
| f-puzzles | the npm package lz-string (needs node; NODE_PATH is the folder of the package) |
| parquet | the package pyarrow; filters, sorting, joins and CSV of pyarrow, pandas, polars and DuckDB |
| lines | qqwing, which solves them |

A reader that is not installed is skipped with a message. If the environment variable REQUIRE_TOOLS is set, this is a
fault. Without CORPUS a corpus of 60 puzzles is made. Exit codes: 0 all installed readers agree, 1 some do not.
"""

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

wrong = []


def say(name, outcome):
    print(f"{name:<12} {outcome}")
    if outcome.startswith("WRONG") or (outcome.startswith("SKIPPED") and os.environ.get("REQUIRE_TOOLS")):
        wrong.append(name)


def compare(name, found, expected):
    say(name, f"{len(found)} puzzles agree" if found == expected else f"WRONG: {found[:2]} is not {expected[:2]}")


def run(program, *words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def table(path):
    with open(os.path.join(path, "a.csv"), newline="", encoding="utf-8") as file:
        return [(row["puzzle"], row["solution"]) for row in csv.DictReader(file)]


def json_lines(program, path):
    rows = [json.loads(line) for line in open(os.path.join(path, "a.jsonl"), encoding="utf-8")]
    try:
        import jsonschema

        validator = jsonschema.Draft202012Validator(json.loads(run(program, "list", "schema")))
        for row in rows:
            validator.validate(row)
    except ImportError:
        say("jsonschema", "SKIPPED: the package is not installed")
    return [(row["puzzle"], row["solution"]) for row in rows]


UNPACK = """
const { decompressFromBase64 } = require('lz-string');
for (const link of require('fs').readFileSync(0, 'utf8').trim().split('\\n')) {
  const puzzle = JSON.parse(decompressFromBase64(link.split('?load=')[1]));
  console.log(puzzle.grid.flat().map(cell => cell.given ? cell.value : '.').join(''), puzzle.solution.join(''));
}"""


def links(path):
    if not shutil.which("node"):
        return say("f-puzzles", "SKIPPED: no node")
    with open(os.path.join(path, "a.fpuzzles.txt"), encoding="utf-8") as file:
        done = subprocess.run(["node", "-e", UNPACK], stdin=file, capture_output=True, text=True)
    if "Cannot find module" in done.stderr:
        return say("f-puzzles", "SKIPPED: no npm package lz-string (set NODE_PATH to its folder)")
    return [tuple(line.split()) for line in done.stdout.splitlines()]


def parquet(path):
    try:
        import pyarrow.parquet as reader
    except ImportError:
        return say("parquet", "SKIPPED: the package pyarrow is not installed")
    table = reader.read_table(os.path.join(path, "a.parquet")).to_pydict()
    return list(zip(table["puzzle"], table["solution"]))


def readers(path):
    """What people do with a table in each library, and the puzzles that must come out: those with 25 givens or more, in order."""
    file = os.path.join(path, "a.parquet")
    dense = [("givens", ">=", 25), ("method", "!=", "none")]

    def of_pyarrow():
        import pyarrow.compute as compute
        import pyarrow.csv
        import pyarrow.dataset
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(file)
        many = compute.and_(compute.greater_equal(table["givens"], 25), compute.not_equal(table["method"], "none"))
        yield table.filter(many).sort_by("puzzle")
        yield table.sort_by("puzzle").take(compute.indices_nonzero(compute.greater_equal(table.sort_by("puzzle")["givens"], 25)))
        yield pyarrow.parquet.read_table(file, filters=dense).sort_by("puzzle")
        field = pyarrow.dataset.field
        expression = (field("givens") >= 25) & (field("method") != "none")
        yield pyarrow.dataset.dataset(file).to_table(filter=expression).sort_by("puzzle")
        yield table.join(table.select(["puzzle"]).filter(many), "puzzle", join_type="inner").sort_by("puzzle")
        pyarrow.csv.write_csv(table.select(["puzzle", "givens"]), file + ".csv")
        read = pyarrow.csv.read_csv(file + ".csv")
        yield read.filter(compute.greater_equal(read["givens"], 25)).sort_by("puzzle")
        assert table.group_by("method").aggregate([("puzzle", "count")]).num_rows > 0

    def of_pandas():
        import pandas

        yield pandas.read_parquet(file, filters=dense).sort_values("puzzle")
        yield pandas.read_parquet(file).query("givens >= 25").sort_values("puzzle")

    def of_polars():
        import polars

        yield polars.scan_parquet(file).filter(polars.col("givens") >= 25, polars.col("method") != "none").sort("puzzle").collect()

    def of_duckdb():
        import duckdb

        yield duckdb.sql(f"SELECT puzzle FROM '{file}' WHERE givens >= 25 AND method <> 'none' ORDER BY puzzle").to_arrow_table()

    for name, made in (("pyarrow", of_pyarrow), ("pandas", of_pandas), ("polars", of_polars), ("duckdb", of_duckdb)):
        try:
            yield name, [[str(puzzle) for puzzle in table["puzzle"].to_list()] if hasattr(table["puzzle"], "to_list") else table["puzzle"].to_pylist() for table in made()]
        except ImportError as missing:
            say(name, f"SKIPPED: {missing}")


def lines(path):
    if not shutil.which("qqwing"):
        return say("lines", "SKIPPED: no qqwing")
    with open(os.path.join(path, "a.sdm"), encoding="utf-8") as file:
        text = file.read()
    done = subprocess.run(["qqwing", "--solve", "--one-line"], input=text, capture_output=True, text=True)
    return [line for line in done.stdout.split() if len(line) == 81]


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as path:
        corpus = sys.argv[2] if len(sys.argv) > 2 else os.path.join(path, "corpus")
        if len(sys.argv) <= 2:
            run(program, "run", "--quiet", "--count", "60", "--out", corpus)
        first = os.path.join(path, "a.parquet")
        run(program, "export", corpus, "--count", "50", "--shape", "3x3", "--out", first)
        ends = ["sdm", "csv", "jsonl", "opensudoku", "fpuzzles.txt"]
        for end in ends:
            run(program, "export", first, "--all", "--pick", "input", "--out", os.path.join(path, f"a.{end}"))
        puzzles = open(os.path.join(path, "a.sdm"), encoding="utf-8").read().split()
        solutions = [row[1] for row in json_lines(program, path)]
        both = list(zip(puzzles, solutions))
        compare("jsonl", json_lines(program, path), both)
        compare("csv", table(path), both)
        games = xml.parse(os.path.join(path, "a.opensudoku")).getroot().findall("game")
        compare("opensudoku", [game.get("data").replace("0", ".") for game in games], puzzles)
        for name, found, expected in (
            ("f-puzzles", links(path), both),
            ("parquet", parquet(path), both),
            ("lines", lines(path), solutions),
        ):
            if found is not None:
                compare(name, found, expected)
        dense = sorted(puzzle for puzzle in puzzles if sum(cell != "." for cell in puzzle) >= 25)
        for name, answers in readers(path):
            for found in answers:
                compare(name, found, dense)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
