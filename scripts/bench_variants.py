#!/usr/bin/env python3
"""Compares making variants with Simon Tatham's Solo, in CPU time of one thread, and checks every puzzle by another solver.

    scripts/bench_variants.py PROGRAM SOLO_SOURCE [ROUNDS] [COUNT]

PROGRAM      sudoku-corpus
SOLO_SOURCE  the source of Simon Tatham's Portable Puzzle Collection (solo.c and its companions; github.com/ghewgill/puzzles)
ROUNDS       the programs take turns this number of times; the table has the medians (5 by default)
COUNT        puzzles of each kind and round (1,000 by default)

X and jigsaws are checked by Solo's own solver, all kinds by the search below, which knows the rules only from this file.
"""

import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time

MINIMAL = ["--plan", "minimal"]
GIVENS = ["--plan", "givens=28", "--symmetry", "rotate-180"]
UNRATED = ["--techniques", "none"]
# Kind, shape, options, the parameters of Solo for a comparable kind or None.
KINDS = [
    ("X, 28 givens, rotate-180", "3x3+x", GIVENS + UNRATED, "3x3xdb"),
    ("X, 28 givens, rotate-180, rated", "3x3+x", GIVENS, None),
    ("X, minimal", "3x3+x", MINIMAL + UNRATED, None),
    ("windoku, minimal", "3x3+windoku", MINIMAL + UNRATED, None),
    ("disjoint groups, minimal", "3x3+disjoint", MINIMAL + UNRATED, None),
    ("anti-king, minimal", "3x3+anti-king", MINIMAL + UNRATED, None),
    ("anti-knight, minimal", "3x3+anti-knight", MINIMAL + UNRATED, None),
    ("jigsaw, minimal, a layout each", "9+jigsaw", MINIMAL + UNRATED, "9jdb"),
]
SOURCES = ["solo.c", "divvy.c", "dsf.c", "random.c", "malloc.c", "misc.c", "tree234.c", "nullfe.c"]


def cpu_seconds(command, stdout):
    """Runs a command; its CPU time."""
    before = os.times()
    subprocess.run(command, check=True, stdout=stdout, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def sees(shape):
    """For each cell the cells that must hold another digit, and the houses that hold every digit."""
    at = lambda row, column: 9 * row + column
    board = [(row, column) for row in range(9) for column in range(9)]
    _, _, rules = shape.partition("+")
    regions = next((rule.split(":")[1] for rule in rules.split("+") if rule.startswith("jigsaw:")), None)
    box = lambda row, column: regions[at(row, column)] if regions else (row // 3, column // 3)
    groups = {}
    for row, column in board:
        for name in [("row", row), ("column", column), ("box", box(row, column))]:
            groups.setdefault(name, []).append(at(row, column))
        if "x" in rules.split("+"):
            for name, is_on in [("down", row == column), ("up", row + column == 8)]:
                if is_on:
                    groups.setdefault(name, []).append(at(row, column))
        if "windoku" in rules and row % 4 and column % 4:
            groups.setdefault(("window", row // 4, column // 4), []).append(at(row, column))
        if "disjoint" in rules:
            groups.setdefault(("group", row % 3, column % 3), []).append(at(row, column))
    peers = [set() for _ in range(81)]
    for cells in groups.values():
        assert len(cells) == 9
        for cell in cells:
            peers[cell].update(cells)
    moves = [(1, 2), (2, 1)] if "anti-knight" in rules else [(1, 1)] if "anti-king" in rules else []
    for row, column in board:
        for down, across in moves:
            for other in [(row + down, column + across), (row + down, column - across)]:
                if other in board:
                    peers[at(row, column)].add(at(*other))
                    peers[at(*other)].add(at(row, column))
    return [sorted(others - {cell}) for cell, others in enumerate(peers)], list(groups.values())


def place(left, rules, cell, bit):
    """Puts a digit and all singles that follow into the candidates of cells; False at a contradiction."""
    peers, houses = rules
    todo = [(cell, bit)]
    while todo:
        while todo:
            cell, bit = todo.pop()
            if not left[cell] & bit:
                return False
            if left[cell] < 0:
                continue
            left[cell] = bit | -512
            for other in peers[cell]:
                if left[other] & bit:
                    if left[other] < 0:
                        return False
                    left[other] ^= bit
                    if not left[other]:
                        return False
                    if not left[other] & (left[other] - 1):
                        todo.append((other, left[other]))
        for house in houses:
            once = twice = 0
            for cell in house:
                twice |= once & left[cell]
                once |= left[cell]
            if once & 511 != 511:
                return False
            only = once & ~twice & 511
            todo.extend((cell, left[cell] & only) for cell in house if left[cell] > 0 and left[cell] & only)
        if any(bit & (bit - 1) for _, bit in todo):
            return False
    return True


def solutions(left, rules, limit):
    """The number of solutions, up to a limit."""
    if limit <= 0:
        return 0
    open_cells = [(bin(digits).count("1"), cell) for cell, digits in enumerate(left) if digits > 0]
    if not open_cells:
        return 1
    _, cell = min(open_cells)
    found = 0
    for digit in range(9):
        if left[cell] >> digit & 1:
            trial = list(left)
            if place(trial, rules, cell, 1 << digit):
                found += solutions(trial, rules, limit - found)
    return found


def is_unique(shape, puzzle, known):
    """Has a puzzle one solution? `known` keeps the rules of shapes."""
    if shape not in known:
        known[shape] = sees(shape)
    rules = known[shape]
    left = [511] * 81
    for cell, sign in enumerate(puzzle):
        if sign in "123456789" and not place(left, rules, cell, 1 << int(sign) - 1):
            return False
    return solutions(left, rules, 2) == 1


def main():
    program, source = (os.path.abspath(path) for path in sys.argv[1:3])
    rounds, count = (int(word) for word in (sys.argv[3:] + ["5", "1000"][len(sys.argv) - 3 :])[:2])
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        compile_ = lambda flags, more, out: subprocess.run(
            ["cc", "-O3", "-w", f"-I{source}", *flags, "-o", f"{folder}/{out}"]
            + [f"{source}/{name}" for name in SOURCES] + more + ["-lm"], check=True)
        compile_([], [f"{here}/bench_peers/solo.c"], "solo")
        compile_(["-DSTANDALONE_SOLVER"], [], "solver")
        print("| kind | a second | Solo, basic | times Solo | checked by Solo | by search |\n|---|--:|--:|--:|--:|--:|")
        for number, (kind, shape, options, peer) in enumerate(KINDS):
            ours, theirs = [], []
            for turn in range(rounds):
                out = f"{folder}/{number}-{turn}"
                ours.append(count / cpu_seconds([program, "run", "--shape", shape, "--count", str(count), "--seed", str(turn),
                                                 "--threads", "1", "--quiet", "--out", out, *options], None))
                if peer:
                    with open(f"{folder}/games", "w") as games:
                        theirs.append(count / 4 / cpu_seconds([f"{folder}/solo", peer, str(count // 4), f"s{turn}"], games))
            subprocess.run([program, "export", out, "--all", "--quiet", "--out", f"{folder}/all.csv", "--force"], check=True)
            with open(f"{folder}/all.csv") as table:
                rows = list(csv.DictReader(table))
            assert len(rows) == count and len({row["puzzle"] for row in rows}) == count
            known, start = {}, time.time()
            searched = 0
            for row in rows:
                assert is_unique(row["shape"], row["puzzle"], known), row
                searched += 1
                if time.time() - start > 60:
                    break
            solved = 0
            if shape in ("3x3+x", "9+jigsaw"):
                games = f"{folder}/all.tatham.txt"
                subprocess.run([program, "export", out, "--all", "--quiet", "--out", games, "--force"], check=True)
                with open(games) as lines:
                    for line in lines:
                        text = subprocess.run([f"{folder}/solver", "-g", line.split()[0]], capture_output=True, text=True).stdout
                        assert "ifficulty" in text or "nreasonable" in text, (line, text)
                        solved += 1
            mean = statistics.median(ours)
            other = statistics.median(theirs) if theirs else None
            cells = [kind, f"{mean:,.0f}", f"{other:,.0f}" if other else "-", f"{mean / other:.1f}" if other else "-",
                     f"{solved:,}" if solved else "-", f"{searched:,}"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
