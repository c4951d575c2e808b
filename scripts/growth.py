#!/usr/bin/env python3
"""Measures how the cost of each command grows with the rows, and writes reports/growth.md to stdout.

    scripts/growth.sh [--rows 10000,100000,1000000,10000000] [--rated 1000000] [--threads 1,2] [--costs FILE]

Every command is a process of its own. Its processor time and its peak memory are those that the system counted.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = os.environ["SUDOKU_CORPUS"]
QUESTION = "SELECT givens, count(*) AS n, avg(search_guesses) AS g FROM puzzles GROUP BY givens"
BOUND = 1.2


@dataclass
class Cost:
    """What one command took."""

    command: str
    kind: str
    rows: int
    threads: int
    wall: float
    cpu: float
    peak: float
    size: int
    files: int


def commands(corpus: Path, place: Path) -> dict[str, list[object]]:
    """The commands that read a corpus; `place` is a new path for what they write."""
    return {
        "verify": ["verify", corpus],
        "query": ["query", QUESTION, corpus],
        "report": ["report", corpus, "--out", place.with_suffix(".html"), "--no-data"],
        "export": ["export", corpus, "--all", "--out", place.with_suffix(".csv")],
        "split": ["export", corpus, "--all", "--split", "train=0.9,test=0.1", "--out", place / "{split}.csv"],
        "audit": ["audit", corpus],
        "release": ["release", corpus, "--out", place, "--license", "CC0-1.0"],
    }


def files_of(place: Path) -> list[Path]:
    """All files at or below a path, and those that have its name with an ending."""
    if place.is_dir():
        return [path for path in place.rglob("*") if path.is_file()]
    return [path for path in place.parent.glob(place.name + ".*") if path.is_file()]


def measured(words: list[object], threads: int) -> tuple[float, float, float]:
    """Runs a command; its seconds on the clock and of the processor, and its peak memory in megabytes."""
    began = time.monotonic()
    child = subprocess.Popen(
        [PROGRAM, *map(str, words), "--threads", str(threads), "--quiet"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    said = child.stderr.read() if child.stderr else b""
    _, status, usage = os.wait4(child.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    # 4: an audit or a comparison that found something.
    if code not in (0, 4):
        raise SystemExit(f"{words}: exit code {code}: {said.decode()}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def measure(kind: str, rows: int, threads: int, known: list[Cost], keep: Callable[[Cost], None]) -> None:
    """Makes a corpus and runs every command on it whose cost is not known."""
    done = {cost.command for cost in known if (cost.kind, cost.rows, cost.threads) == (kind, rows, threads)}
    analysis = [] if kind == "rated" else ["--techniques", "none", "--ratings", "none"]
    with tempfile.TemporaryDirectory(prefix="growth-") as folder:
        corpus, made = Path(folder) / "corpus", Path(folder) / "made"
        run = ["run", "--count", rows, "--out", corpus, *analysis]
        all_commands = {"run": run, **commands(corpus, made)}
        if done.issuperset(all_commands):
            return
        for command, words in all_commands.items():
            if command in done and command != "run":
                continue
            if command == "split":
                made.mkdir()
            wall, cpu, peak = measured(words, threads)
            written = files_of(corpus if command == "run" else made)
            size = sum(path.stat().st_size for path in written)
            if command not in done:
                keep(Cost(command, kind, rows, threads, wall, cpu, peak, size, len(written)))
            said = f"{rows} {kind} {threads} {command}: {wall:.1f} s, {cpu:.1f} s, {peak:.0f} MB"
            print(said, file=sys.stderr, flush=True)
            if command != "run":
                shutil.rmtree(made, ignore_errors=True)
                for path in files_of(made):
                    path.unlink()


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(costs: list[Cost]) -> list[str]:
    """A row for each command and number of rows."""
    lines = [
        "| command | rows | processor, s | microseconds a row | peak, MB | bytes a row | files |",
        "|:--|--:|--:|--:|--:|--:|--:|",
    ]
    for cost in costs:
        each = cost.cpu / cost.rows * 1e6
        size = number(cost.size / cost.rows) if cost.size else "-"
        lines.append(
            f"| {cost.command} | {cost.rows:,} | {number(cost.cpu)} | {number(each)} | {number(cost.peak)} | {size} | "
            f"{cost.files or '-'} |"
        )
    return lines


def growth(costs: list[Cost], commands: list[str], sizes: list[int]) -> list[str]:
    """The memory and the time a row at the largest number of rows, compared with the one before it."""
    if len(sizes) < 2:
        return []
    before, last = sizes[-2:]
    at = {(cost.command, cost.rows): cost for cost in costs}
    lines = ["", f"| command | memory, {last:,} to {before:,} rows | time a row |", "|:--|--:|--:|"]
    for command in commands:
        if not {(command, before), (command, last)} <= at.keys():
            continue
        small, large = at[command, before], at[command, last]
        memory, each = large.peak / small.peak, (large.cpu / large.rows) / (small.cpu / small.rows)
        more = (large.peak - small.peak) * 2**20 / (last - before)
        mark = "" if memory <= BOUND else f" ({more:.0f} bytes for each row more)"
        lines.append(f"| {command} | {memory:.2f}{mark} | {each:.2f} |")
    return lines


def threads_table(costs: list[Cost]) -> list[str]:
    """How many times as many rows two threads make as one, on the clock."""
    at = {(cost.kind, cost.rows, cost.command, cost.threads): cost for cost in costs}
    most = max(cost.threads for cost in costs)
    if most == 1:
        return []
    lines = [
        "",
        f"The table says how many times as fast a command is with {most} threads as with one. Each was measured once. [tried](tried.md) says",
        "which work of a command only one thread can do, and what follows from this for 4, 8 and 16 threads.",
        "",
    ]
    lines += ["| command | kind | rows | times |", "|:--|:--|--:|--:|"]
    for (kind, rows, command, threads), one in at.items():
        more = at.get((kind, rows, command, most))
        if threads == 1 and more and rows >= 100_000:
            lines.append(f"| {command} | {kind} | {rows:,} | {one.wall / more.wall:.2f} |")
    return lines


def page(costs: list[Cost]) -> str:
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    model = (line.split(": ")[1] for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line)
    lines = [
        "# Cost and the number of rows",
        "",
        f"Written by `scripts/growth.sh` with {version} on {next(model, 'unknown')}, {os.cpu_count()} cores. The tables show how time, memory",
        "and bytes grow with the number of rows. Each command ran alone, as a process of its own, with one thread.",
        "",
        "| column | meaning |",
        "|:--|:--|",
        "| command | a command of the program. `export` writes all puzzles as CSV. `split` is `export --split`: two files that share no grid. `release` writes a data set |",
        "| processor, s | seconds of processor time, as the system counted them |",
        "| microseconds a row | the same, for each row |",
        "| peak, MB | the largest memory of the process |",
        "| bytes a row, files | what the command writes; `-` if it writes nothing |",
        "",
        "A second table compares the two largest numbers of rows. 1.00 means: as much memory, or as much time for each row.",
    ]
    for kind, title in (("unrated", "Rows that are not rated"), ("rated", "Rows with HoDoKu's ladder, ER, EP and ED")):
        kinds = [cost for cost in costs if cost.kind == kind and cost.threads == 1]
        if kinds:
            names = list(dict.fromkeys(cost.command for cost in kinds))
            sizes = sorted({cost.rows for cost in kinds})
            ordered = sorted(kinds, key=lambda cost: (names.index(cost.command), cost.rows))
            lines += ["", f"## {title}", "", *table(ordered), *growth(kinds, names, sizes)]
    several = threads_table(costs)
    return "\n".join([*lines, *(["", "## Threads", *several] if several else [])]) + "\n"


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",") if word]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=numbers, default=[10**4, 10**5, 10**6, 10**7], help="numbers of unrated rows")
    parser.add_argument("--rated", type=numbers, default=[10**5, 10**6], help="numbers of rated rows")
    parser.add_argument("--threads", type=numbers, default=[1, 2], help="numbers of threads")
    parser.add_argument("--costs", type=Path, help="a file of costs: those in it are not measured again, new ones follow")
    args = parser.parse_args()
    kept = args.costs.read_text().splitlines() if args.costs and args.costs.exists() else []
    costs = [Cost(**json.loads(line)) for line in kept]

    def keep(cost: Cost) -> None:
        costs.append(cost)
        if args.costs:
            with args.costs.open("a") as file:
                file.write(json.dumps(asdict(cost)) + "\n")

    for kind, sizes in (("unrated", args.rows), ("rated", args.rated)):
        for rows in sizes:
            for threads in args.threads:
                measure(kind, rows, threads, costs, keep)
    print(page(costs), end="")


if __name__ == "__main__":
    main()
