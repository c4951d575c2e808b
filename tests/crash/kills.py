"""Kills: `kill -9` at a random moment. Every file under its final name is complete, and the rerun gives the same bytes."""

from __future__ import annotations

import random
import time

from world import CASES, World, kill_group

DEFAULT = 1000
SMALL = 36
HEAD = "| command | kills that hit | temporary files before the rerun | reruns equal to the byte, nothing left |\n|---|--:|--:|--:|"


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    case = CASES[number % len(CASES)]
    whole = world.whole(case)
    folder = world.fresh(case)
    hit = left = 0
    for _ in range(rng.choice([1, 1, 1, 2])):
        child = world.start(case.words, folder)
        time.sleep(rng.random() * world.times[case.name] * 1.05)
        hit += child.poll() is None
        kill_group(child)
        left += world.halves(folder, whole)
    return f"`{case.name}`", [hit, left, world.finished(case, folder, whole)]
