"""A data set as files of numpy arrays.

    python -m sudoku_corpus.arrays release puzzles.npz
    python -m sudoku_corpus.arrays release folder --layout hrm --copies 100

SET is a folder that `release` made, a corpus, or a file of rows with solutions. A split with several boards, as `probes` may have,
becomes a split for each of them: `probes_4x4`, `probes_9x9`; for boards with rules by their shape: `train_3x3+x`. Jigsaws are refused:
each puzzle has regions of its own, which the arrays do not hold.

| layout | files |
|---|---|
| npz | one file with the arrays SPLIT_puzzle, SPLIT_solution (uint8, a row for each puzzle, 0 for an empty cell) and SPLIT_er (uint16, tenths; 0 where unknown) |
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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .boards import Bytes, isomorphs

Arrays = tuple[Bytes, Bytes, npt.NDArray[np.uint16]]


@dataclass(frozen=True, slots=True)
class Split:
    """The puzzles of one board in a split."""

    name: str
    """"train", or with the board if there are several in the split: "train_4x4", "train_3x3+x"."""
    is_train: bool
    shape: str
    arrays: Arrays


def read(set: str | os.PathLike[str]) -> list[Split]:
    """The puzzles, solutions and ER of each split of a set. Puzzles without one solution are left out."""
    files: dict[str, list[str]] = {}
    for file in sorted((Path(set) / "puzzles").glob("*-of-*.parquet")):
        files.setdefault(file.name.rsplit("-", 3)[0], []).append(str(file))
    splits: list[Split] = []
    for split, paths in (files or {"all": [os.fspath(set)]}).items():
        boards = _rows(paths)
        for shape in sorted(boards, key=lambda shape: (boards[shape][0].shape[1], shape)):
            side = math.isqrt(boards[shape][0].shape[1])
            name = split if len(boards) == 1 else f"{split}_{shape}" if "+" in shape else f"{split}_{side}x{side}"
            if any(known.name == name for known in splits):
                name = f"{split}_{shape}"
            splits.append(Split(name, split == "train", shape, boards[shape]))
    return splits


def _query(sql: str, paths: list[str]) -> list[list[str]]:
    """The rows that a query gives, after the names of its columns."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "rows.csv")
        subprocess.run([sys.executable, "-m", "sudoku_corpus", "query", sql, *paths, "--quiet", "--out", out], check=True)
        with open(out, newline="") as lines:
            return list(csv.reader(lines))


def _rows(paths: list[str]) -> dict[str, Arrays]:
    """The rows of files by the shapes of their boards."""
    # A release has no columns without values.
    columns = _query("SELECT * FROM puzzles LIMIT 0", paths)[0]
    er = "coalesce(se_er_tenths, 0)" if "se_er_tenths" in columns else "0"
    shape = "shape" if "shape" in columns else "''"
    rows = _query(f"SELECT puzzle, solution, {er} AS er, {shape} AS shape FROM puzzles WHERE solution IS NOT NULL", paths)[1:]
    if not rows:
        raise ValueError(f"no puzzle with a solution in {', '.join(paths)}")
    of_shape: dict[str, list[list[str]]] = {}
    for row in rows:
        of_shape.setdefault(row[3] or _shape(row[0]), []).append(row)
    jigsaw = next((shape for shape in of_shape if "jigsaw" in shape), None)
    if jigsaw is not None:
        raise ValueError(f"the arrays do not hold the regions of jigsaws: {jigsaw}")
    return {shape: _arrays(rows) for shape, rows in of_shape.items()}


def _shape(board: str) -> str:
    """The usual shape of a board with this number of cells: boxes that are nearly square, not higher than wide."""
    side = math.isqrt(len(board))
    rows = next((rows for rows in range(math.isqrt(side), 1, -1) if side % rows == 0), 0)
    if not rows or side * side != len(board):
        raise ValueError(f"no usual board has {len(board)} cells: a column `shape` is needed")
    return f"{rows}x{side // rows}"


def _arrays(rows: list[list[str]]) -> Arrays:
    digits = {symbol: value for value, symbol in enumerate(".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")} | {"0": 0}
    puzzles, solutions = (np.array([[digits[symbol] for symbol in row[at]] for row in rows], np.uint8) for at in (0, 1))
    return puzzles, solutions, np.array([int(row[2]) for row in rows], np.uint16)


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
    for split in read(set):
        puzzles, solutions, ratings = split.arrays
        arrays |= {f"{split.name}_puzzle": puzzles, f"{split.name}_solution": solutions, f"{split.name}_er": ratings}
    with _whole(out) as place, open(place, "wb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def save_hrm(set: str | os.PathLike[str], out: str | os.PathLike[str], *, copies: int = 0, seed: int = 20_261_120) -> None:
    """Write a folder for each split: the cells and solutions plus 1, because 0 is for padding, and which rows are one group."""
    splits = read(set)
    if copies < 0 or (copies and not any(split.is_train for split in splits)):
        raise ValueError("copies are a number from 0 on, and need a split named train")
    with _whole(out) as place:
        place.mkdir()
        for split in splits:
            puzzles, solutions, _ = split.arrays
            more = copies if split.is_train else 0
            groups = len(puzzles)
            if more:
                both = isomorphs(puzzles, more, solutions=solutions, seed=seed, shape=split.shape)
                pairs = zip((puzzles, solutions), both)
                puzzles, solutions = (
                    np.concatenate((own[:, None], other.reshape(groups, more, -1)), 1).reshape(groups * (more + 1), -1)
                    for own, other in pairs
                )
            folder = place / split.name
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
    args = parser.parse_args()
    if os.path.exists(args.out):
        parser.error(f"{args.out} is there already")
    if args.layout == "npz" and args.copies:
        parser.error("--copies is for the layout hrm")
    try:
        if args.layout == "npz":
            save_npz(args.set, args.out)
        else:
            save_hrm(args.set, args.out, copies=args.copies, seed=args.seed)
    except ValueError as error:
        sys.exit(f"error: {error}")
    except subprocess.CalledProcessError as error:
        # The program has said why.
        sys.exit(error.returncode)


if __name__ == "__main__":
    main()
