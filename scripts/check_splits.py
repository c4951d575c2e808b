#!/usr/bin/env python3
"""Confirms that no solution grid is on two sides of a split, up to symmetry, and no neighbors. Independent of the program.

    check_splits.py train.parquet test.parquet [..] [--seconds 600] [--neighbors]      needs pyarrow and numpy; 9x9

Equivalent grids have the same invariant: for each pair of digits the lengths of the cycles that they make in rows and columns,
in rows and boxes, and in columns and boxes, counted over the 36 pairs. Sides without a common invariant have no common
class. If two sides share an invariant, the canonical forms of these grids are compared, so the answer is exact.
The script reads as many rows as the time allows. The exit code is 3 if a grid is on two sides.

With --neighbors it also looks for two puzzles on different sides that are equivalent once at most two givens of each are taken
away. Every such board of every puzzle gets an invariant: the givens get colours from their row, column, box and digit, and
these from their givens, three times over. Equivalent boards have the same invariant, so 0 common invariants prove that there
are no neighbors. Boards that are not equivalent may have the same one, so another number is an upper bound.
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
    """The solutions and the puzzles; 255 stands for an empty cell."""
    for batch in pq.ParquetFile(path).iter_batches(batch_size=size, columns=["solution", "puzzle"]):
        pairs = [pair for pair in zip(*(column.to_pylist() for column in batch.columns)) if pair[0] and len(pair[0]) == 81]
        solutions, puzzles = (np.frombuffer("".join(t).encode(), np.uint8).reshape(-1, 81) for t in (zip(*pairs) if pairs else ("", "")))
        yield solutions - ord("1"), np.where(puzzles == ord("."), 255, puzzles - ord("1")).astype(np.uint8)


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


def sub_boards(puzzle):
    """The invariants of a puzzle and of all boards that are left of it without one or two givens."""
    cells = np.flatnonzero(puzzle < 255)
    n = len(cells)
    first, second = np.triu_indices(n, 1)
    there = np.ones((1 + n + len(first), n), np.uint64)
    there[np.arange(1, n + 1), np.arange(n)] = 0
    there[np.arange(n + 1, len(there)), first] = 0
    there[np.arange(n + 1, len(there)), second] = 0
    of = [cells // 9, cells % 9, cells // 27 * 3 + cells % 9 // 3, puzzle[cells].astype(np.int64), cells // 27, cells % 9 // 3]
    groups = [np.eye(9, dtype=np.uint64)[g] for g in of[:4]] + [np.eye(3, dtype=np.uint64)[g] for g in of[4:]]
    colour = there
    for _ in range(3):
        # What a given shares with the other givens of its row, column, box, digit, band and stack.
        row, column, box, digit, band, stack = (mixed(colour @ group)[:, g] for group, g in zip(groups, of))
        line_a, line_b = mixed(row * np.uint64(3) + band), mixed(column * np.uint64(3) + stack)
        # A transposition exchanges the two lines.
        both = line_a + line_b + line_a * line_b
        colour = mixed(mixed(both) + mixed(box + PRIME) * np.uint64(5) + mixed(digit * np.uint64(7) + PRIME)) * there
    return np.unique(mixed(colour.sum(axis=1) + np.uint64(1)))


def neighbors(sides, names):
    """Counts the puzzles of each pair of sides that have an invariant of the other side."""
    found, marks = 0, []
    for side in sides:
        of = [(at, sub_boards(puzzle)) for at, puzzle in enumerate(p for _, _, puzzles in side for p in puzzles)]
        owners = np.concatenate([np.full(len(m), at) for at, m in of]) if of else np.array([], np.int64)
        marks.append((np.concatenate([m for _, m in of]) if of else np.array([], np.uint64), owners))
    for a, b in itertools.combinations(range(len(sides)), 2):
        common = np.intersect1d(marks[a][0], marks[b][0])
        near = [len(np.unique(owners[np.isin(m, common)])) for m, owners in (marks[a], marks[b])]
        found += sum(near)
        print(f"neighbors: at most {near[0]} puzzles of {names[a]} and {near[1]} of {names[b]}")
    return found


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
    parser.add_argument("--neighbors", action="store_true", help="also look for neighbors: some milliseconds a puzzle")
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
                    grids, puzzles = grids
                    sides[side].append((invariants(grids), grids, puzzles))
                    rows += len(grids)
    shared, leaks = 0, 0
    marks = [np.unique(np.concatenate([mark for mark, _, _ in side])) if side else np.array([], np.uint64) for side in sides]
    for a, b in itertools.combinations(range(len(sides)), 2):
        for mark in np.intersect1d(marks[a], marks[b]):
            shared += 1
            found = [{canonical(g) for m, gs, _ in sides[s] for g in gs[m == mark]} for s in (a, b)]
            if found[0] & found[1]:
                leaks += 1
                print(f"{arguments.sides[a]} and {arguments.sides[b]} share a grid")
    counts = ", ".join(f"{len(m)} different in {n}" for m, n in zip(marks, arguments.sides))
    print(f"{rows} grids ({counts}); {shared} invariants on two sides, {leaks} grids on two sides; {time.time() - began:.0f} s")
    with np.errstate(over="ignore"):
        near = neighbors(sides, arguments.sides) if arguments.neighbors else 0
    return 3 if leaks or near else 0


if __name__ == "__main__":
    sys.exit(main())
