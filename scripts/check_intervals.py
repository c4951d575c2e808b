#!/usr/bin/env python3
"""Do the intervals of `stats` hold the truth? 500 samples of each of six populations.

    scripts/check_intervals.py target/release/sudoku-corpus [--rows 400] [--samples 500] [--folder FOLDER] [--report FILE.md]
        [--published controlled_bias.tsv.gz]

Corpora that are in the folder are used again.

A population is a corpus of 100 times as many rows as a sample, and its figures are the truth. A hundred samples divide it, so that no
two have a row in common; the next hundred divide it in another way, and so on.
For each kind of figure the table says how many figures are marked as reliable, and how many of their intervals hold the truth.
| population | what is hard about it |
|---|---|
| 9x9, plan minimal | scores and effort with heavy tails, techniques that are rare |
| 9x9, subgroups | groups of few rows |
| 9x9, ER up to 7.1 | lower bounds: nothing about ER is reliable |
| 4x4 | few different values, one of which is rare |
| 6x6, controlled bias | weights |
| 9x9, controlled bias | weights, published ratings: a table of puzzle, clues, ser, w, b (Berthier, DOI 10.5281/zenodo.17491457) |
"""

import argparse
import collections
import csv
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PARTS = 100
NINE = "hodoku_score AS score, effort_rounds, givens, se_er_tenths / 10.0 AS er, n_jellyfish, n_jellyfish > 0 AS jellyfish, hodoku_level AS level"
PUBLISHED = "clues, ser, w, b, ser > 8.9 AS extreme, substr(puzzle, 1, 1) = '.' AS first"
FOUR = "givens, search_nodes, substr(puzzle, 1, 1) = '.' AS first, substr(puzzle, 1, 1) AS corner"


def weighed(published, path):
    """Writes a table of published controlled-bias puzzles with the weights that they have: C(81, clues)."""
    with gzip.open(published, "rt", encoding="utf-8") as file, open(path, "w", encoding="utf-8", newline="") as out:
        rows = csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")
        write = csv.writer(out)
        write.writerow(["row", "log_weight", *rows.fieldnames])
        for index, row in enumerate(rows):
            write.writerow([index, math.log(math.comb(81, int(row["clues"]))), *row.values()])


def populations(make, rows):
    """The name of each population, its corpus, and the words of `stats`."""
    make("nine", rows, "--seed", "77", "--ratings", "er,effort")
    make("bounded", rows, "--seed", "78", "--ratings", "er", "--er-limit", "7.1")
    make("four", 3 * rows, "--seed", "79", "--board", "4x4")
    make("six", rows, "--seed", "80", "--board", "6x6", "--plan", "controlled-bias")
    yield "9x9, plan minimal", "nine", [NINE, "--unweighted"]
    yield "9x9, subgroups", "nine", ["givens, hodoku_score, n_x_wing > 0 AS x_wing", "--unweighted", "--by", "level"]
    yield "9x9, ER up to 7.1", "bounded", ["se_er_tenths, givens", "--unweighted"]
    yield "4x4", "four", [FOUR, "--unweighted", "--grid", "row"]
    yield "6x6, controlled bias", "six", [FOUR]
    yield "9x9, controlled bias", "published.csv", [PUBLISHED]


def kind_of(statistic):
    """What a figure is: a mean, a quantile, ..."""
    if statistic.startswith("share"):
        return "share"
    return "quantile" if statistic[0] == "q" and statistic[1:2].isdigit() else statistic


def main():
    asked = argparse.ArgumentParser()
    asked.add_argument("program", type=os.path.abspath)
    asked.add_argument("--rows", type=int, default=400, help="rows of a sample")
    asked.add_argument("--samples", type=int, default=500)
    asked.add_argument("--folder", help="where the corpora are kept")
    asked.add_argument("--published", type=os.path.abspath, help="published puzzles of 9x9 with controlled bias")
    asked.add_argument("--report", help="the file of the table")
    asked = asked.parse_args()
    folder = asked.folder or tempfile.mkdtemp()

    def run(*words):
        words = [asked.program, *words, "--quiet"]
        return subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout

    def make(name, rows, *words):
        run("run", "--count", str(PARTS * rows), "--out", name, *words)

    def figures(corpus, words, *more):
        found = json.loads(run("stats", words[0], corpus, *words[1:], "--format", "json", "--threads", "1", *more))["figures"]
        return {(str(figure["group"]), figure["figure"], figure["statistic"]): figure for figure in found}

    if asked.published:
        weighed(asked.published, os.path.join(folder, "published.csv"))
    else:
        print("SKIPPED: 9x9, controlled bias: --published is missing", file=sys.stderr)
    lines = ["| population | kind of figure | figures | reliable | hold the truth | share |", "|---|---|--:|--:|--:|--:|"]
    for name, corpus, words in populations(make, asked.rows):
        if corpus.endswith(".csv") and not asked.published:
            continue
        truth = figures(corpus, words)

        def sample(number, corpus=corpus, words=words):
            again, part = divmod(number, PARTS)
            return figures(corpus, words, "--where", f"(row + row / {PARTS} * {again}) % {PARTS} = {part}")

        kinds = collections.defaultdict(lambda: [0, 0, 0])
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for found in pool.map(sample, range(asked.samples)):
                for key in found.keys() & truth.keys():
                    counts, figure = kinds[kind_of(key[2])], found[key]
                    counts[0] += 1
                    if figure["reliable"]:
                        value, low, high = truth[key]["estimate"], figure["low_95"], figure["high_95"]
                        near = 1e-9 * abs(value)
                        counts[1] += 1
                        counts[2] += low - near <= value <= high + near
        for kind, (all_, reliable, held) in sorted(kinds.items()):
            share = f"{100 * held / reliable:.1f} %" if reliable else "-"
            lines.append(f"| {name} | {kind} | {all_:,} | {reliable:,} | {held:,} | {share} |")
    print("\n".join(lines))
    if asked.report:
        with open(asked.report, "w", encoding="utf-8") as file:
            file.write(
                "# Intervals of `stats`\n\n"
                f"`scripts/check_intervals.py` compares {asked.samples} samples of each of six populations with the whole. A sample\n"
                f"has {asked.rows} rows, of 4x4 {3 * asked.rows:,}, of the last population 1,066. {run('--version').strip()} made them.\n\n"
                + "\n".join(lines)
                + "\n"
            )


if __name__ == "__main__":
    main()
