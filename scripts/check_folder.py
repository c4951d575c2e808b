#!/usr/bin/env python3
"""Opens the folder `rows` of a corpus as one table in other programs: pandas, pyarrow, polars, DuckDB.

    scripts/check_folder.py CORPUS ROWS

Each must find ROWS rows with the numbers 0 to ROWS - 1, also with a filter, and also while a part is being written. A program
that is not installed is skipped with a message; with REQUIRE_TOOLS this is an error.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

NUMBER = "row"  # the column of the row numbers


def with_pandas(folder: Path) -> tuple[list[int], int]:
    import pandas

    few = pandas.read_parquet(folder, columns=[NUMBER], filters=[("givens", ">=", 25)])
    return sorted(pandas.read_parquet(folder)[NUMBER]), len(few)


def with_pyarrow(folder: Path) -> tuple[list[int], int]:
    from pyarrow import dataset

    rows = dataset.dataset(folder)
    return sorted(rows.to_table(columns=[NUMBER])[NUMBER].to_pylist()), rows.count_rows(filter=dataset.field("givens") >= 25)


def with_polars(folder: Path) -> tuple[list[int], int]:
    import polars

    rows = polars.scan_parquet(folder)
    return sorted(rows.collect()[NUMBER].to_list()), rows.filter(polars.col("givens") >= 25).collect().height


def with_duckdb(folder: Path) -> tuple[list[int], int]:
    import duckdb

    files = str(folder / "*.parquet").replace("'", "''")
    numbers = duckdb.sql(f"SELECT \"{NUMBER}\" FROM '{files}' ORDER BY 1").fetchall()
    return [number for (number,) in numbers], duckdb.sql(f"SELECT count(*) FROM '{files}' WHERE givens >= 25").fetchall()[0][0]


READERS: dict[str, Callable[[Path], tuple[list[int], int]]] = {
    "pandas": with_pandas,
    "pyarrow": with_pyarrow,
    "polars": with_polars,
    "duckdb": with_duckdb,
}


def main() -> int:
    corpus, wanted = Path(sys.argv[1]), int(sys.argv[2])
    # What a run leaves in the folder of the corpus while it writes a part.
    temporary = corpus / ".~sudoku-corpus~abcdef"
    temporary.mkdir()
    (temporary / "0").write_bytes(b"PAR1 half of a part")
    faults, filtered = 0, set()
    for name, read in READERS.items():
        if importlib.util.find_spec(name) is None:
            print(f"SKIPPED: {name} is not installed", file=sys.stderr)
            faults += bool(os.environ.get("REQUIRE_TOOLS"))
            continue
        numbers, few = read(corpus / "rows")
        filtered.add(few)
        if numbers != list(range(wanted)):
            print(f"{name}: {len(numbers)} rows in place of {wanted}", file=sys.stderr)
            faults += 1
    shutil.rmtree(temporary)
    if len(filtered) > 1:
        print(f"the filters give different numbers of rows: {filtered}", file=sys.stderr)
        faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
