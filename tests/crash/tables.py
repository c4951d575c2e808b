"""Tables: random Parquet files of other programs, one or several at once, with columns of many types.

A comparison has the same answer whether or not row groups may be skipped (a sign, `+x`, forbids it), and an answer has the same
values in every format: the numbers and texts that pyarrow wrote, or the command fails with a message. Needs pyarrow."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import random
import shutil
import sqlite3
import subprocess
from pathlib import Path

from world import World

try:
    import pyarrow
    import pyarrow.parquet
except ImportError:
    pyarrow = None

DEFAULT = 2000
SMALL = 25
HEAD = "| types | sets of files | refused | as it has to be |\n|---|--:|--:|--:|"

WHOLE = [0, 1, -1, 5, -3, 127, -128, 255, -32768, 65535, 2**31 - 1, -(2**31), 2**32 - 1, 5_000_000_000, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64 - 1]
REAL = [0.0, -0.0, 1.5, -2.5, math.nan, math.inf, -math.inf, 1e300, 0.1]
TEXT = ["", "a", "easy", "Z", "\u00e9", "=1+1", "0", "9" * 25, "NULL"]
DAYS = [datetime.date(1969, 12, 31), datetime.date(2026, 11, 26), datetime.date(1, 1, 1)]
# Types whose values can stand in one column.
FAMILIES = {
    "whole": ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
    "real": ["float32", "float64"],
    "text": ["string", "large_string", "dictionary"],
    "flag": ["bool_"],
    "other": ["date32", "timestamp", "decimal"],
}


def missing() -> str | None:
    return "tables: pyarrow is missing" if pyarrow is None else None


def column(kind: str, rows: int, rng: random.Random) -> tuple[object, list]:
    """A random column, and its values."""
    if kind in FAMILIES["whole"]:
        bits = int(kind.lstrip("uint"))
        low, high = (0, 2**bits - 1) if kind.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        pool, of = [number for number in WHOLE if low <= number <= high], getattr(pyarrow, kind)()
    elif kind in FAMILIES["real"]:
        pool, of = REAL, getattr(pyarrow, kind)()
    elif kind == "bool_":
        pool, of = [True, False], pyarrow.bool_()
    elif kind == "date32":
        pool, of = DAYS, pyarrow.date32()
    elif kind == "timestamp":
        pool, of = [datetime.datetime(2026, 11, 26, 12), datetime.datetime(1970, 1, 1)], pyarrow.timestamp("us")
    elif kind == "decimal":
        pool, of = [decimal.Decimal("1.50"), decimal.Decimal("-3.00")], pyarrow.decimal128(9, 2)
    else:
        pool, of = TEXT, pyarrow.string() if kind == "dictionary" else getattr(pyarrow, kind)()
    # Few values, so that many row groups can be skipped.
    first = rng.randrange(len(pool))
    some = [pool[(first + at) % len(pool)] for at in range(rng.randint(1, 4))]
    values = [rng.choice(some) if rng.random() < 0.8 else None for _ in range(rows)]
    array = pyarrow.array(values, of)
    # As floats of 32 bits they have other values.
    return array.dictionary_encode() if kind == "dictionary" else array, array.to_pylist()


def write(table: object, path: Path, rng: random.Random, version: str = "2.6") -> None:
    """Writes a Parquet file in a random way."""
    pyarrow.parquet.write_table(
        table,
        path,
        row_group_size=rng.choice([1, 3, 8, 100]),
        compression=rng.choice(["none", "snappy", "zstd", "gzip"]),
        use_dictionary=rng.random() < 0.5,
        write_statistics=rng.random() < 0.8,
        data_page_version=rng.choice(["1.0", "2.0"]),
        version=version,
    )


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    before = len(world.faults)
    family = rng.choice([*FAMILIES, "whole", "whole"])
    folder = Path(world.place) / f"tables-{number}"
    folder.mkdir()
    wanted: list[list] = []
    files = []
    for at in range(rng.randint(1, 3)):
        kind = rng.choice(FAMILIES[family])
        array, values = column(kind, rng.randint(1, 40), rng)
        first = len(wanted)
        table = pyarrow.table({"n": pyarrow.array(range(first, first + len(values)), pyarrow.int64()), "x": array})
        files.append(f"{at}.parquet")
        write(table, folder / files[-1], rng, rng.choice(["1.0", "2.6"]) if family != "whole" else "2.6")
        wanted += [[first + at, value] for at, value in enumerate(values)]
    world.trial += f" ({family}: {', '.join(files)})"
    refused = compared(world, folder, files, wanted, family, rng)
    shutil.rmtree(folder)
    return family, [1, refused, len(world.faults) == before]


def ask(world: World, folder: Path, sql: str, files: list[str], *more: str) -> subprocess.CompletedProcess:
    words = [str(world.program), "query", sql, *files, "--quiet", *more]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=60)


def seen(value: object) -> object:
    """A value as SQL sees it: NaN is NULL."""
    return None if isinstance(value, float) and math.isnan(value) else value


def compared(world: World, folder: Path, files: list[str], wanted: list[list], family: str, rng: random.Random) -> bool:
    values = [str(number) for number in WHOLE if number < 2**63] + ["0.5", "-2.5", "1e300", "'a'", "''", "'easy'", "1"]
    tests = [f"{operator} {rng.choice(values)}" for operator in ("=", "<", "<=", ">", ">=")] + ["IS NULL", "IS NOT NULL"]
    for test in tests:
        answers = [ask(world, folder, f"SELECT count(*) FROM puzzles WHERE {sign}x {test}", files, "--format", "csv") for sign in ("", "+")]
        if answers[1].returncode != 0 and answers[1].stderr.strip():
            continue  # an integer that SQL cannot hold, in a row group that may be skipped
        if answers[0].returncode != answers[1].returncode or answers[0].stdout != answers[1].stdout:
            # A sign makes a number of a text.
            if family in ("text", "other", "flag") and not test.startswith("IS"):
                continue
            world.fault(f"x {test}: {answers[0].stdout!r} and without skipping {answers[1].stdout!r} {answers[0].stderr}")
    sql = "SELECT n, x FROM puzzles ORDER BY n"
    found: dict[str, list] = {}
    for form in ("jsonl", "parquet", "sqlite"):
        done = ask(world, folder, sql, files, "--out", f"answer.{form}")
        if done.returncode != 0:
            if not done.stderr.strip():
                world.fault(f"{form}: {done.returncode} and no message")
            return True
        path = folder / f"answer.{form}"
        if form == "jsonl":
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            found[form] = [[row["n"], {"inf": math.inf, "-inf": -math.inf}.get(row["x"], row["x"]) if family == "real" else row["x"]] for row in rows]
        elif form == "parquet":
            found[form] = [list(row.values()) for row in pyarrow.parquet.read_table(path).to_pylist()]
        else:
            with sqlite3.connect(path) as base:
                found[form] = [list(row) for row in base.execute("SELECT n, x FROM answer ORDER BY n")]
    expected = [[row, seen(value)] for row, value in wanted]
    for form, rows in found.items():
        if family == "other":
            # Dates and decimals are texts: the same in every format.
            if [row[0] for row in rows] != [row[0] for row in expected] or rows != found["jsonl"]:
                world.fault(f"{form}: {rows[:5]}")
        elif rows != [[row, int(value) if form == "sqlite" and isinstance(value, bool) else value] for row, value in expected]:
            differ = next(pair for pair in zip(rows, expected) if pair[0] != pair[1]) if len(rows) == len(expected) else len(rows)
            world.fault(f"{form}: {differ}")
    return False
