#!/usr/bin/env python3
"""Tests every command against kills, failing disks and system calls, limits, power cuts, signals, broken streams, other commands at
the same time, wrong outputs, paths that are inputs, pipes, and random recipes.

    scripts/crash_test.py --report reports/crash.md                all tests, about an hour
    scripts/crash_test.py --small                                  all kinds, two minutes
    scripts/crash_test.py --only faults --count 20000 --seed 7     many tests of one kind
    scripts/crash_test.py --only faults --seed 7 --trial 4711      one test again

The kinds are the files in tests/crash; each begins with a description. Every test depends on the seed and its number only. A
failure prints the command that repeats it.

Exit codes: 0 no fault, 1 a fault, 2 wrong usage. Faults need a C compiler; calls, power cuts and locks need strace. A kind whose tools
are missing is skipped with a message, or is an error if REQUIRE_TOOLS is set.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "crash"))
from world import World, rng_of  # noqa: E402

KINDS = {name: importlib.import_module(name) for name in ("kills", "faults", "calls", "limits", "stops", "streams", "pairs", "lines", "recipes", "locks", "power", "paths", "tables", "questions", "hostile")}


def test(world: World, name: str, numbers: range, seed: int) -> list[str]:
    """Runs the tests of a kind. Returns a section of the report."""
    kind = KINDS[name]
    rows: dict[str, list[int]] = {}
    for number in numbers:
        repeat = f"scripts/crash_test.py --only {name} --seed {seed} --trial {number}"
        world.trial = f"`{repeat}`"
        before = len(world.faults)
        label, figures = kind.trial(world, number, rng_of(seed, name, number))
        rows[label] = [sum(pair) for pair in zip(rows.get(label, [0] * len(figures)), figures)]
        for fault in world.faults[before:]:
            print(f"  {fault}", file=sys.stderr, flush=True)
    title, _, about = kind.__doc__.partition(": ")
    total = [sum(column) for column in zip(*rows.values())]
    lines = [f"| {label} | {' | '.join(map(str, figures))} |" for label, figures in sorted(rows.items())]
    return [f"## {title}", "", about[:1].upper() + about[1:].strip("\n"), "", kind.HEAD, *lines, f"| **all** | {' | '.join(map(str, total))} |", ""]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=Path("target/release/sudoku-corpus"), help="the program to test")
    parser.add_argument("--only", choices=KINDS, action="append", help="only this kind of tests; may be repeated")
    parser.add_argument("--count", type=int, help="number of tests of each kind")
    parser.add_argument("--small", action="store_true", help="few tests of each kind")
    parser.add_argument("--seed", type=int, default=1, help="seed of all random choices")
    parser.add_argument("--trial", type=int, help="only the test with this number")
    parser.add_argument("--report", type=Path, help="write the report to this file; the default is standard output")
    args = parser.parse_args()
    wanted = args.only or list(KINDS)
    for name in list(wanted):
        why = getattr(KINDS[name], "missing", lambda: None)()
        if why and os.environ.get("REQUIRE_TOOLS"):
            print(why, file=sys.stderr)
            return 1
        if why:
            print(f"SKIPPED: {why}", file=sys.stderr)
            wanted.remove(name)
    # A shell that starts this in the background lets it ignore SIGINT, and so would the programs that it starts.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="crash-") as place:
        world = World(args.program.resolve(), Path(place))
        sections: list[str] = []
        for name in wanted:
            number = args.count if args.count is not None else KINDS[name].SMALL if args.small else KINDS[name].DEFAULT
            numbers = range(number) if args.trial is None else range(args.trial, args.trial + 1)
            if numbers:
                print(f"{name} ...", file=sys.stderr, flush=True)
                sections += test(world, name, numbers, args.seed)
        for folder in world.elsewhere:
            shutil.rmtree(folder, ignore_errors=True)
    version = subprocess.run([args.program, "--version"], capture_output=True, text=True).stdout.strip()
    lines = [
        "# Crash test",
        "",
        f"`scripts/crash_test.py`, {version}, {datetime.date.today()}, seed {args.seed}, {time.monotonic() - began:.0f} s.",
        f"{len(world.faults)} faults." if world.faults else "No fault.",
        "",
        *sections,
        *(["## Faults", "", *(f"* {fault}" for fault in world.faults), ""] if world.faults else []),
    ]
    if args.report:
        args.report.write_text("\n".join(lines).rstrip() + "\n")
    else:
        print("\n".join(lines))
    return 1 if world.faults else 0


if __name__ == "__main__":
    sys.exit(main())
