#!/usr/bin/env python3
"""Confirms that no solution grid is on two sides of a split, up to symmetry. Independent of the program.

    check_splits.py train.parquet test.parquet [..] [--seconds 600]      needs pyarrow and numpy; 9x9

Equivalent grids have the same invariant: for each pair of digits the lengths of the cycles that they make in rows and columns,
in rows and boxes, and in columns and boxes, counted over the 36 pairs. Sides without a common invariant have no common
class. If two sides share an invariant, the canonical forms of these grids are compared, so the answer is exact.
The script reads as many rows as the time allows. The exit code is 3 if a grid is on two sides.
"""

import argparse
import hashlib
import itertools
import sys
import time

import numpy as np
import pyarrow.parquet as pq

PAIRS = list(itertools.combinations(range(9), 2))
PRIME = np.uint64(0x9E3779B97F4A7C15)


def grids_of(path, size):
    for batch in pq.ParquetFile(path).iter_batches(batch_size=size, columns=["solution"]):
        texts = [text for text in batch.column(0).to_pylist() if text and len(text) == 81]
        yield np.frombuffer("".join(texts).encode(), np.uint8).reshape(-1, 81) - ord("1")


def mixed(words):
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def invariants(grids):
    """A number of 64 bits for each grid."""
    n = len(grids)
    cells = np.arange(81)
    lines = {"r": cells // 9, "c": cells % 9, "b": cells // 27 * 3 + cells % 9 // 3}
    order = np.argsort(grids, axis=1, kind="stable")  # cells of digit 0, of digit 1, ..
    of_digit = order.reshape(n, 9, 9)
    total = np.zeros(n, np.uint64)
    kinds = [("r", "c"), ("r", "b"), ("c", "b")]
    maps = []
    for a, b in kinds:
        line_a, line_b = lines[a][of_digit], lines[b][of_digit]
        to = np.empty((n, 9, 9), np.int8)
        np.put_along_axis(to, line_a, line_b.astype(np.int8), axis=2)
        back = np.argsort(to, axis=2).astype(np.int8)
        maps.append((to, back))
    for x, y in PAIRS:
        # Both orders of the digits have the same cycle lengths, because one permutation is the inverse of the other.
        words = []
        for to, back in maps:
            step = np.take_along_axis(back[:, y].astype(np.int64), to[:, x].astype(np.int64), axis=1)
            word = np.zeros(n, np.uint64)
            at = step.copy()
            here = np.arange(9)
            for length in range(1, 10):
                word = word * np.uint64(11) + (at == here).sum(axis=1).astype(np.uint64)
                at = np.take_along_axis(step, at, axis=1)
            words.append(word)
        # Rows and columns may be exchanged, so the last two kinds count in either order.
        rb, cb = mixed(words[1] + PRIME), mixed(words[2] + PRIME)
        total += mixed(mixed(words[0]) * np.uint64(3) + rb + cb + (rb * cb))
    return mixed(total)


def canonical(grid):
    """A hash of the smallest equivalent grid. Tries the transpose, all orders of columns, and each row as the first."""
    best = None
    board = np.array(grid).reshape(9, 9)
    for g in (board, board.T):
        for stacks in itertools.permutations(range(3)):
            for inner in itertools.product(itertools.permutations(range(3)), repeat=3):
                columns = [3 * s + i for s, order in zip(stacks, inner) for i in order]
                h = g[:, columns]
                for top in range(9):
                    relabel = np.empty(9, int)
                    relabel[h[top]] = range(9)
                    k = relabel[h]
                    # The rows of the top band, then the other two bands, each in order of their first cells.
                    band = [top] + sorted((r for r in range(3 * (top // 3), 3 * (top // 3) + 3) if r != top), key=lambda r: k[r, 0])
                    others = sorted(
                        (sorted(range(3 * b, 3 * b + 3), key=lambda r: k[r, 0]) for b in range(3) if b != top // 3),
                        key=lambda rows: k[rows[0], 0],
                    )
                    key = k[band + others[0] + others[1]].tobytes()
                    if best is None or key < best:
                        best = key
    return hashlib.sha256(best).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sides", nargs="+", help="a file for each side, or several files separated by commas")
    parser.add_argument("--seconds", type=float, default=600, help="stop reading after this time")
    arguments = parser.parse_args()
    began, rows = time.time(), 0
    sides = [[] for _ in arguments.sides]
    readers = [itertools.chain.from_iterable(grids_of(f, 50_000) for f in s.split(",")) for s in arguments.sides]
    live = set(range(len(readers)))
    with np.errstate(over="ignore"):
        while live and time.time() - began < arguments.seconds:
            for side in sorted(live):
                grids = next(readers[side], None)
                if grids is None:
                    live.discard(side)
                else:
                    sides[side].append((invariants(grids), grids))
                    rows += len(grids)
    shared, leaks = 0, 0
    marks = [np.unique(np.concatenate([mark for mark, _ in side])) if side else np.array([], np.uint64) for side in sides]
    for a, b in itertools.combinations(range(len(sides)), 2):
        for mark in np.intersect1d(marks[a], marks[b]):
            shared += 1
            found = [{canonical(g) for m, gs in sides[s] for g in gs[m == mark]} for s in (a, b)]
            if found[0] & found[1]:
                leaks += 1
                print(f"{arguments.sides[a]} and {arguments.sides[b]} share a grid")
    counts = ", ".join(f"{len(m)} different in {n}" for m, n in zip(marks, arguments.sides))
    print(f"{rows} grids ({counts}); {shared} invariants on two sides, {leaks} grids on two sides; {time.time() - began:.0f} s")
    return 3 if leaks else 0


if __name__ == "__main__":
    sys.exit(main())
