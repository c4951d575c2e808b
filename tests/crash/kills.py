"""Kills: `kill -9` at a random moment. Every file under its final name is complete, nothing is published that the index does not know,
and the rerun gives the same bytes."""

from __future__ import annotations

import random
from pathlib import Path

from world import CASES, GROWING, TEMPORARY, Case, World, contents, meaning

DEFAULT = 1000
SMALL = 36
HEAD = "| command | kills that hit | temporary files before the rerun | reruns equal to the byte, nothing left |\n|---|--:|--:|--:|"


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    case = CASES[number % len(CASES)]
    whole = world.whole(case)
    folder = world.fresh(case)
    hit = left = 0
    for _ in range(rng.choice([1, 1, 1, 2])):
        hit += world.killed(case.words, folder, rng.random() * world.times[case.name] * 1.05)
        left += world.halves(folder, whole)
        unknown = published_before_the_index(world, case, folder, whole)
        if unknown:
            world.fault(f"published before the index knows it: {', '.join(unknown)}")
    return f"`{case.name}`", [hit, left, world.finished(case, folder, whole)]


def published_before_the_index(world: World, case: Case, folder: Path, whole: dict[str, bytes]) -> list[str]:
    """The outputs of an export or a book with an index that has no new line."""
    if "--remember s.index" not in case.words:
        return []
    there = contents(folder)
    before = meaning(world.inputs / "s.index") if "s.index" in case.needs else None
    if there.get("s.index") not in (None, b"", before):
        return []
    other = set(case.needs) | {"tmp"}
    return [name for name in there if name in whole and name.split("/")[0] not in other and not (TEMPORARY.search(name) or GROWING.search(name))]
