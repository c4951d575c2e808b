#!/usr/bin/env python3
"""Compares making variants with Simon Tatham's Solo, in CPU time of one thread, and checks every puzzle by another solver.

    scripts/bench_variants.py PROGRAM SOLO_SOURCE [ROUNDS] [COUNT]

PROGRAM      sudoku-corpus
SOLO_SOURCE  the source of Simon Tatham's Portable Puzzle Collection (solo.c and its companions; github.com/ghewgill/puzzles)
ROUNDS       the programs take turns this number of times; the table has the medians (5 by default)
COUNT        puzzles of each kind and round (1,000 by default)

X and jigsaws are checked by Solo's own solver, all kinds by the search of solver.py, which shares no code with the program.
"""

import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time

import solver

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
            start = time.time()
            searched = 0
            for row in rows:
                values = [int(sign) if sign in "123456789" else 0 for sign in row["puzzle"]]
                assert len(solver.solutions(values, solver.rules_of(row["shape"]))) == 1, row
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
