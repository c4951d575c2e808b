"""Pairs: two commands at the same time in the same folder, with the same inputs, indexes and outputs.

The result is that of one after the other, in one order or the other, where a command that was refused counts as not run."""

from __future__ import annotations

import random
import shutil
import time
from itertools import combinations_with_replacement
from pathlib import Path

from world import BUSY, CASES, Case, World, contents, differences

DEFAULT = 2000
SMALL = 24
HEAD = "| first command | pairs | both done | one refused | results of some order |\n|---|--:|--:|--:|--:|"

# The commands of a pair use the same names: c, x.*, s.index and so on. These use the files of other commands as well.
MORE = [
    Case("export again", "export --force corpus --count 15 --except s.index --remember s.index --out y.sdm", ["corpus", "s.index"]),
    Case("book again", "book --force corpus --count 12 --except s.index --remember s.index --out z.pdf", ["corpus", "s.index"]),
    Case("export sheet again", "export --force corpus --count 12 --except s.index --remember s.index --out z.html", ["corpus", "s.index"]),
    Case("run into corpus", "run flat.toml --out corpus", ["flat.toml", "corpus"]),
    Case("run part 0", "run flat.toml --out c --parts 0", ["flat.toml"]),
    Case("run part 2", "run flat.toml --out c --parts 2", ["flat.toml"]),
    Case("verify c", "verify corpus", ["corpus"]),
    Case("export other", "export --force nine.csv --count 7 --out x.sdm", ["nine.csv"]),
    Case("run other recipe", "run other.toml --out c", ["other.toml"]),
]
ALL = [case for case in CASES if case.name not in ("nightly", "release")] + MORE
PAIRS = list(combinations_with_replacement(ALL, 2)) + [(case, case) for case in CASES if case.name in ("nightly", "release")]
# Pairs that share an index or a folder that is written come more often.
SHARED = [(one, two) for one, two in PAIRS if set(one.words.split()) & set(two.words.split()) & {"s.index", "c", "x.sdm", "a"}]

orders: dict[tuple[str, ...], dict[str, bytes]] = {}


def one_after_the_other(world: World, pair: tuple[Case, Case], run: tuple[Case, ...]) -> dict[str, bytes]:
    """The files after some commands of a pair, one after the other. Failures are part of the result."""
    key = tuple(case.name for case in (*pair, *run))
    if key not in orders:
        folder = world.fresh(*pair)
        for case in run:
            world.run(case.words, folder)
        orders[key] = results(folder)
        shutil.rmtree(folder)
    return orders[key]


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    one, two = rng.choice(SHARED) if rng.random() < 0.5 else rng.choice(PAIRS)
    if rng.random() < 0.5:
        one, two = two, one
    world.trial += f" ({one.name} | {two.name}: `{one.words}` and `{two.words}`)"
    world.whole(one) if one in CASES else None
    folder = world.fresh(one, two)
    delay = rng.choice([0, rng.random()]) * world.times.get(one.name, 0.05)
    said = [(world.place / f"said-{at}").open("w+b") for at in range(2)]
    first = world.start(one.words, folder, stderr=said[0])
    time.sleep(delay)
    second = world.start(two.words, folder, stderr=said[1])
    done = [world.finish(first, one.words), world.finish(second, two.words)]
    for log, end in zip(said, done):
        log.seek(0)
        end.said = log.read().decode(errors="replace").strip()
        log.close()
        if "panicked" in end.said:
            world.fault(f"panics: {end.said}")
        # With --quiet, a call that finds another one running says nothing: this is no error.
        if end.code not in (0, BUSY) and not end.said:
            world.fault(f"ends with {end.code} and no message")
    there = results(folder)
    # A refused command counts as not run; if it had begun to work, as run before or after the other.
    pair = (one, two)
    allowed = [(one, two), (two, one)]
    allowed += [(two,)] if done[0].code != 0 else []
    allowed += [(one,)] if done[1].code != 0 else []
    if one == two:
        allowed.append((one,))
    ordered = [one_after_the_other(world, pair, order) for order in allowed]
    good = there in ordered
    if not good:
        near = min(ordered, key=lambda result: len(differences(there, result)))
        codes = ", ".join(f"{end.code} {end.said[-160:]!r}" for end in done)
        world.fault(f"no order gives this result: {', '.join(differences(there, near)[:6])}; ends: {codes}")
    shutil.rmtree(folder)
    both = done[0].code == 0 and done[1].code == 0
    return f"`{one.name}`", [1, both, not both, good]


def results(folder: Path) -> dict[str, bytes]:
    """The files of a folder. A run that is refused may leave an empty folder for its outputs."""
    return {name: data for name, data in contents(folder).items() if not name.endswith("outputs/")}
