"""A data set as files of numpy arrays.

    python -m sudoku_corpus.arrays release puzzles.npz
    python -m sudoku_corpus.arrays release folder --layout hrm --copies 100

SET is a folder that `release` made, a corpus, or a file of rows with solutions. A split whose boards have several sizes, as
`probes` may have, becomes a split for each size: `probes_4x4`, `probes_9x9`.

| layout | files |
|---|---|
| npz | one file with the arrays SPLIT_puzzle, SPLIT_solution (uint8, a row for each puzzle, 0 for an open cell) and SPLIT_er (uint16, tenths; 0 where unknown) |
| hrm | the folders that the data loaders of the Hierarchical Reasoning Model and of the Tiny Recursive Model read, with `copies` random equivalent boards of each puzzle of `train` |
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .boards import Bytes, isomorphs

Arrays = tuple[Bytes, Bytes, npt.NDArray[np.uint16]]


def read(set: str | os.PathLike[str]) -> dict[str, Arrays]:
    """The puzzles, solutions and ER of each split of a set. Puzzles without one solution are left out."""
    files: dict[str, list[str]] = {}
    for file in sorted((Path(set) / "puzzles").glob("*-of-*.parquet")):
        files.setdefault(file.name.rsplit("-", 3)[0], []).append(str(file))
    found: dict[str, Arrays] = {}
    for split, paths in (files or {"all": [os.fspath(set)]}).items():
        sizes = _rows(paths)
        found |= {split if len(sizes) == 1 else f"{split}_{order}x{order}": sizes[order] for order in sorted(sizes)}
    return found


def _rows(paths: list[str]) -> dict[int, Arrays]:
    """The rows of files by the order of their boards."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "rows.csv")
        sql = "SELECT puzzle, solution, coalesce(se_er_tenths, 0) AS er FROM puzzles WHERE solution IS NOT NULL"
        subprocess.run([sys.executable, "-m", "sudoku_corpus", "query", sql, *paths, "--quiet", "--out", out], check=True)
        with open(out, newline="") as lines:
            rows = list(csv.reader(lines))[1:]
    if not rows:
        raise ValueError(f"no puzzle with a solution in {', '.join(paths)}")
    of_order: dict[int, list[list[str]]] = {}
    for row in rows:
        of_order.setdefault(math.isqrt(len(row[0])), []).append(row)
    return {order: _arrays(rows) for order, rows in of_order.items()}


def _arrays(rows: list[list[str]]) -> Arrays:
    digits = {symbol: value for value, symbol in enumerate(".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")}
    puzzles, solutions = (np.array([[digits[symbol] for symbol in row[at]] for row in rows], np.uint8) for at in (0, 1))
    return puzzles, solutions, np.array([int(er) for _, _, er in rows], np.uint16)


@contextmanager
def _whole(out: str | os.PathLike[str]) -> Iterator[Path]:
    """A place beside `out` for a file or a folder. It gets the name `out` when it is complete, and is removed if it fails."""
    place = Path(f"{os.fspath(out)}.partial-{os.getpid()}")
    try:
        yield place
        os.rename(place, out)
    finally:
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)


def save_npz(set: str | os.PathLike[str], out: str | os.PathLike[str]) -> None:
    """Write all splits of a set into one file."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    for split, (puzzles, solutions, er) in read(set).items():
        arrays |= {f"{split}_puzzle": puzzles, f"{split}_solution": solutions, f"{split}_er": er}
    with _whole(out) as place, open(place, "wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def save_hrm(
    set: str | os.PathLike[str], out: str | os.PathLike[str], *, copies: int = 0, seed: int = 20_261_120, shape: str = "3x3"
) -> None:
    """Write a folder for each split: the cells and solutions plus 1, because 0 is for padding, and which rows are one group."""
    splits = read(set)
    if copies and any(split.startswith("train_") for split in splits):
        raise ValueError("copies need boards of one size in train")
    with _whole(out) as place:
        place.mkdir()
        for split, (puzzles, solutions, _) in splits.items():
            more = copies if split == "train" else 0
            groups = len(puzzles)
            if more:
                both = isomorphs(puzzles, more, solutions=solutions, seed=seed, shape=shape)
                pairs = zip((puzzles, solutions), both)
                puzzles, solutions = (
                    np.concatenate((own[:, None], other.reshape(groups, more, -1)), 1).reshape(groups * (more + 1), -1)
                    for own, other in pairs
                )
            folder = place / split
            folder.mkdir(parents=True)
            arrays: dict[str, npt.NDArray[Any]] = {
                "inputs": puzzles + 1,
                "labels": solutions + 1,
                "puzzle_identifiers": np.zeros(len(puzzles), np.int32),
                "puzzle_indices": np.arange(len(puzzles) + 1, dtype=np.int32),
                "group_indices": np.arange(groups + 1, dtype=np.int32) * (more + 1),
            }
            for name, array in arrays.items():
                np.save(folder / f"all__{name}.npy", array)
            order = int(np.sqrt(puzzles.shape[1]))
            about = {
                "seq_len": puzzles.shape[1],
                "vocab_size": order + 2,
                "pad_id": 0,
                "ignore_label_id": 0,
                "blank_identifier_id": 0,
                "num_puzzle_identifiers": 1,
                "total_groups": groups,
                "mean_puzzle_examples": 1,
                "total_puzzles": len(puzzles),
                "sets": ["all"],
            }
            (folder / "dataset.json").write_text(json.dumps(about))
        (place / "identifiers.json").write_text(json.dumps(["<blank>"]))


def main() -> None:
    """Write the arrays that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m sudoku_corpus.arrays", description=__doc__.split("\n")[0])
    parser.add_argument("set", help="a folder that `release` made, a corpus, or a file of rows with solutions")
    parser.add_argument("out", help="a new file, or a new folder for the layout hrm")
    parser.add_argument("--layout", choices=("npz", "hrm"), default="npz")
    parser.add_argument("--copies", type=int, default=0, help="hrm: equivalent boards of each puzzle of train")
    parser.add_argument("--seed", type=int, default=20_261_120, help="hrm: the seed of the copies")
    parser.add_argument("--shape", default="3x3", help="hrm: rows x columns of a box")
    args = parser.parse_args()
    if os.path.exists(args.out):
        parser.error(f"{args.out} is there already")
    if args.layout == "npz":
        save_npz(args.set, args.out)
    else:
        save_hrm(args.set, args.out, copies=args.copies, seed=args.seed, shape=args.shape)


if __name__ == "__main__":
    main()
