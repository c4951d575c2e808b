#!/usr/bin/env python3
"""Loads a release with `datasets`, polars, DuckDB, pandas and pyarrow, and checks that all of them read the same rows. Validates its
`croissant.json` with `mlcroissant` and reads rows by it.

    load_release.py FOLDER
"""

import json
import pathlib
import sys
import tempfile

import datasets
import duckdb
import pandas
import polars
import pyarrow.parquet
import yaml

try:
    import mlcroissant
except ImportError:
    mlcroissant = None


def main(folder):
    root = pathlib.Path(folder)
    header = yaml.safe_load((root / "README.md").read_text().split("---\n")[1])
    infos = {info["config_name"]: info for info in header["dataset_info"]}
    for name, info in infos.items():
        splits = {split["name"]: split["num_examples"] for split in info["splits"]}
        with tempfile.TemporaryDirectory() as cache:
            # "all_checks" compares the numbers of rows with the card. The columns are converted to the features of the card.
            loaded = datasets.load_dataset(str(root), name, cache_dir=cache, verification_mode="all_checks")
            assert {split: len(rows) for split, rows in loaded.items()} == splits, (name, splits)
            first = {split: rows[0] for split, rows in loaded.items()}
            features = list(next(iter(loaded.values())).features)
        assert features == [feature["name"] for feature in info["features"]], name
        for split, rows in splits.items():
            files = f"{root}/{name}/{split}-*.parquet"
            frame = polars.read_parquet(files)
            assert frame.height == rows and frame.columns == features
            assert duckdb.sql(f"SELECT count(*) FROM '{files}'").fetchall() == [(rows,)]
            pandas_rows = sum(len(pandas.read_parquet(path)) for path in sorted(root.glob(f"{name}/{split}-*.parquet")))
            assert pandas_rows == rows
            for path in root.glob(f"{name}/{split}-*.parquet"):
                schema = pyarrow.parquet.read_schema(path)
                assert schema.names == features
                assert json.loads(schema.metadata[b"sudoku-corpus"])["program_version"], "pyarrow sees the provenance"
            for column in ("class", "row", "puzzle" if name == "puzzles" else "technique"):
                assert frame[column][0] == first[split][column]
        print(f"{name}: {splits} rows, {len(features)} columns, the same for datasets, polars, DuckDB, pandas and pyarrow")
    if mlcroissant is None:
        print("SKIPPED: croissant.json: the package mlcroissant is not installed", file=sys.stderr)
        return
    data = mlcroissant.Dataset(str(root / "croissant.json"))
    assert not data.metadata.ctx.issues.errors, data.metadata.ctx.issues.report()
    names = [record_set.name for record_set in data.metadata.record_sets]
    for name, info in infos.items():
        number = sum(1 for own in names if str(own).startswith(f"{name}/") for _ in data.records(str(own)))
        assert number == sum(split["num_examples"] for split in info["splits"]), (name, number)
    print(f"croissant.json: valid, {len(names)} record sets with all rows")


if __name__ == "__main__":
    main(sys.argv[1])
