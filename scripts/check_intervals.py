#!/usr/bin/env python3
"""Do the intervals of `stats` hold the truth? 500 samples of five populations.

    scripts/check_intervals.py target/release/sudoku-corpus [ROWS] [--report FILE.md]

A population is a corpus, and its figures are the truth; a sample is every n-th of its rows, so that no two have a row in common.
For each kind of figure the table says how many figures are marked as reliable, and how many of their intervals hold the truth.
| population | what is hard about it |
|---|---|
| 9x9, plan minimal | scores and effort with heavy tails, techniques that are rare |
| 9x9, subgroups | groups of few rows |
| 9x9, ER up to 7.1 | lower bounds: nothing about ER is reliable |
| 4x4 | few different values |
| 6x6, controlled bias | weights |
"""

import collections
import json
import subprocess
import sys
import tempfile

SAMPLES = 100
NINE = "score, effort_rounds, givens, se_er_tenths / 10.0 AS er, n_jellyfish, n_jellyfish > 0 AS jellyfish, level"
FOUR = "givens, search_nodes, substr(puzzle, 1, 1) = '.' AS first, substr(puzzle, 1, 1) AS corner"


def populations(run, rows):
    """The name of each population, its corpus, and the words of `stats`."""
    run("run", "--count", rows, "--seed", "77", "--out", "nine", "--ratings", "er,effort")
    run("run", "--count", str(int(rows) // 4), "--seed", "78", "--out", "bounded", "--ratings", "er", "--er-limit", "7.1")
    run("run", "--board", "4x4", "--count", rows, "--seed", "79", "--out", "four")
    run("run", "--board", "6x6", "--count", rows, "--seed", "80", "--out", "six", "--plan", "controlled-bias")
    yield "9x9, plan minimal", "nine", [NINE, "--unweighted", "--correlations", "--fit", "er ~ givens"]
    yield "9x9, subgroups", "nine", ["givens, score, n_x_wing > 0 AS x_wing", "--unweighted", "--by", "level", "--compare"]
    yield "9x9, ER up to 7.1", "bounded", ["se_er_tenths, givens", "--unweighted", "--correlations"]
    yield "4x4", "four", [FOUR, "--unweighted", "--correlations", "--grid", "index"]
    yield "6x6, controlled bias", "six", [FOUR, "--correlations"]


def main():
    words = sys.argv[1:]
    report = words.pop(words.index("--report") + 1) if "--report" in words else None
    program, rows = words[0], next((word for word in words[1:] if word.isdigit()), "40000")
    lines = ["| population | kind of figure | figures | reliable | hold the truth | share |", "|---|---|--:|--:|--:|--:|"]
    print("\n".join(lines))
    with tempfile.TemporaryDirectory() as folder:

        def run(*words, check=True):
            return subprocess.run([program, *words, "--quiet"], cwd=folder, check=check, capture_output=True, text=True).stdout

        def asked(corpus, words, where):
            figures = json.loads(run("stats", words[0], corpus, *words[1:], "--format", "json", "--where", where))["figures"]
            return {(str(figure["group"]), figure["figure"], figure["statistic"]): figure for figure in figures}

        for name, corpus, words in populations(run, rows):
            truth = asked(corpus, words, "1 = 1")
            kinds = collections.defaultdict(lambda: [0, 0, 0])
            for sample in range(SAMPLES):
                for key, figure in asked(corpus, words, f"index % {SAMPLES} = {sample}").items():
                    if key not in truth:
                        continue
                    kind = key[2].split(" of ")[0].split(" from ")[0].split(" to ")[0]
                    kind = kind.split(" ")[0] if kind.startswith("share") else "quantile" if kind[0] == "q" and kind[1:2].isdigit() else kind
                    counts = kinds[kind]
                    counts[0] += 1
                    if figure["reliable"]:
                        value, low, high = truth[key]["estimate"], figure["low_95"], figure["high_95"]
                        near = 1e-9 * abs(value)
                        counts[1] += 1
                        counts[2] += low - near <= value <= high + near
            for kind, (all_, reliable, held) in sorted(kinds.items()):
                share = f"{100 * held / reliable:.1f} %" if reliable else "-"
                lines.append(f"| {name} | {kind} | {all_:,} | {reliable:,} | {held:,} | {share} |")
                print(lines[-1], flush=True)
    if report:
        with open(report, "w", encoding="utf-8") as file:
            file.write("# Intervals of `stats`\n\n`scripts/check_intervals.py` compares 500 samples of five populations with the whole.\n\n")
            file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
