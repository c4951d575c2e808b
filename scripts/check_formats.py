#!/usr/bin/env python3
"""Reads every export format with independent readers, and compares the puzzles that they find.

    scripts/check_formats.py target/release/sudoku-corpus [CORPUS]

| format | reader |
|---|---|
| csv, kaggle | Python's csv |
| jsonl | Python's json, and the package jsonschema against `export --schema` |
| opensudoku | Python's xml.etree |
| exchange | Python's hashlib, for records of 100 bytes |
| f-puzzles | the npm package lz-string (needs node; NODE_PATH is the folder of the package) |
| parquet | the package pyarrow |
| lines | qqwing, which solves them |

A reader that is not installed is skipped with a message. If the environment variable REQUIRE_TOOLS is set, this is a
fault. Without CORPUS a corpus of 60 puzzles is made. Exit codes: 0 all installed readers agree, 1 some do not.
"""

import csv
import hashlib
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


def tables(path):
    for name in ("a.csv", "a.kaggle.csv"):
        with open(os.path.join(path, name), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        yield name[2:-4].strip(".") or "csv", [(row["puzzle"].replace("0", "."), row["solution"]) for row in rows]


def json_lines(program, path):
    rows = [json.loads(line) for line in open(os.path.join(path, "a.jsonl"), encoding="utf-8")]
    try:
        import jsonschema

        validator = jsonschema.Draft202012Validator(json.loads(run(program, "export", "--schema")))
        for row in rows:
            validator.validate(row)
    except ImportError:
        say("jsonschema", "SKIPPED: the package is not installed")
    return [(row["puzzle"], row["solution"]) for row in rows]


def exchange(path):
    data = open(os.path.join(path, "a.exchange.txt"), "rb").read()
    puzzles = []
    for at in range(0, len(data), 100):
        record = data[at : at + 100]
        cells = record[13:94]
        assert record[:12] == hashlib.sha1(cells).hexdigest()[:12].encode(), record
        assert record[12:13] + record[94:95] + record[99:] == b"  \n" and float(record[95:99]) >= 1.0, record
        puzzles.append(cells.decode().replace("0", "."))
    return puzzles


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
        ends = ["sdm", "csv", "kaggle.csv", "jsonl", "opensudoku", "exchange.txt", "fpuzzles.txt"]
        for end in ends:
            run(program, "export", first, "--all", "--pick", "input", "--out", os.path.join(path, f"a.{end}"))
        puzzles = open(os.path.join(path, "a.sdm"), encoding="utf-8").read().split()
        solutions = [row[1] for row in json_lines(program, path)]
        both = list(zip(puzzles, solutions))
        compare("jsonl", json_lines(program, path), both)
        for name, found in tables(path):
            compare(name, found, both)
        games = xml.parse(os.path.join(path, "a.opensudoku")).getroot().findall("game")
        compare("opensudoku", [game.get("data").replace("0", ".") for game in games], puzzles)
        compare("exchange", exchange(path), puzzles)
        for name, found, expected in (
            ("f-puzzles", links(path), both),
            ("parquet", parquet(path), both),
            ("lines", lines(path), solutions),
        ):
            if found is not None:
                compare(name, found, expected)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
