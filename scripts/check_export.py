#!/usr/bin/env python3
"""Checks an exported file of 9x9 puzzles: each has exactly one solution, and no two are isomorphic.

    scripts/check_export.py puzzles.sdm                    every puzzle
    scripts/check_export.py puzzles.jsonl --solve 1000     solves only 1000 of them, evenly spaced; compares all

This script is independent of sudoku-corpus: it has its own reader and comparison, and solver.py, in plain Python. It reads files with
boards of 81 characters in lines (.sdm .txt .csv .jsonl .opensudoku, Sudoku Exchange, HoDoKu) and in blocks (.sdk .ss).

Puzzles are compared in two steps. An invariant (colours of rows, columns and digits, refined four times) is the same
for equivalent puzzles. Two puzzles with the same invariant are compared exactly, by trying all orders of rows, and all orders
of columns whose patterns of givens fit.

Exit codes: 0 no fault, 1 a fault, 2 nothing to check.
"""

import argparse
import itertools
import re
import sys

import solver

BOARD = re.compile(r"(?<![0-9.])[0-9.]{81}(?![0-9.])")
ROW = re.compile(r"^[ |]*((?:[1-9.0]\|?){9})[ |]*$")

LINES = [order for order in itertools.permutations(range(3))]
# All orders of nine rows that keep bands together.
ROW_ORDERS = [
    [3 * band + line for band, inner in zip(bands, inners) for line in inner]
    for bands in LINES
    for inners in itertools.product(LINES, repeat=3)
]


def read(path):
    """The boards of a file: tuples of 81 numbers, 0 for blank."""
    boards, block = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            found = BOARD.search(line)
            row = ROW.match(line.rstrip("\r\n"))
            if found:
                boards.append(found.group())
            elif row:
                block.append(row.group(1).replace("|", ""))
                if len(block) == 9:
                    boards.append("".join(block))
                    block = []
    return [tuple(int(c) if c != "." else 0 for c in board) for board in boards]


def invariant(board):
    """A number that is the same for equivalent boards."""
    givens = [(cell // 9, cell % 9, value - 1) for cell, value in enumerate(board) if value]
    rows, columns, digits = [1] * 9, [1] * 9, [1] * 9
    for _ in range(4):
        bands = [hash(tuple(sorted(rows[at : at + 3]))) for at in (0, 3, 6)]
        stacks = [hash(tuple(sorted(columns[at : at + 3]))) for at in (0, 3, 6)]
        in_row, in_column, of_digit = ([[] for _ in range(9)] for _ in range(3))
        for row, column, digit in givens:
            in_row[row].append((columns[column], digits[digit]))
            in_column[column].append((rows[row], digits[digit]))
            of_digit[digit].append(tuple(sorted((rows[row], columns[column]))))
        rows = [hash((rows[at], bands[at // 3], tuple(sorted(in_row[at])))) for at in range(9)]
        columns = [hash((columns[at], stacks[at // 3], tuple(sorted(in_column[at])))) for at in range(9)]
        digits = [hash((digits[at], tuple(sorted(of_digit[at])))) for at in range(9)]
    sides = sorted([tuple(sorted(rows)), tuple(sorted(columns))])
    return hash((tuple(sides), tuple(sorted(digits))))


def equivalent(one, other):
    """True if the boards are equivalent."""
    target = [other[column::9] for column in range(9)]
    shape_of = [tuple(value > 0 for value in column) for column in target]
    for board in (one, tuple(one[9 * column + row] for row in range(9) for column in range(9))):
        for order in ROW_ORDERS:
            columns = [tuple(board[9 * row + column] for row in order) for column in range(9)]
            shapes = [tuple(value > 0 for value in column) for column in columns]
            for stacks in LINES:
                ways = []
                for at, stack in enumerate(stacks):
                    fits = [
                        inner
                        for inner in LINES
                        if all(shapes[3 * stack + inner[i]] == shape_of[3 * at + i] for i in range(3))
                    ]
                    ways.append([(stack, inner) for inner in fits])
                for choice in itertools.product(*ways):
                    if relabelled([columns[3 * stack + i] for stack, inner in choice for i in inner], target):
                        return True
    return False


def relabelled(columns, target):
    """True if two lists of columns differ only in the labels of digits."""
    there, back = {0: 0}, {0: 0}
    for column, wanted in zip(columns, target):
        for a, b in zip(column, wanted):
            if there.setdefault(a, b) != b or back.setdefault(b, a) != a:
                return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--solve", type=int, metavar="N", help="solve at most N puzzles, evenly spaced; all by default")
    args = parser.parse_args()
    boards = read(args.file)
    if not boards:
        print(f"{args.file}: no puzzles", file=sys.stderr)
        return 2
    wrong = 0
    step = 1 if args.solve is None else max(1, -(-len(boards) // max(1, args.solve)))
    solved = boards[::step]
    for board in solved:
        found = solver.solutions(board)
        if len(found) != 1:
            wrong += 1
            print(f"{'several' if found else 'no'} solutions: {''.join(map(str, board))}")
    groups = {}
    for board in boards:
        groups.setdefault(invariant(board), []).append(board)
    for group in groups.values():
        for one, other in itertools.combinations(group, 2):
            if equivalent(one, other):
                wrong += 1
                print(f"isomorphic: {''.join(map(str, one))} {''.join(map(str, other))}")
    print(f"{len(boards)} puzzles, {len(solved)} solved, all compared: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
