"""No locks: no system call for a lock succeeds (ENOLCK, as on NFS without its lock service). The bytes are the same."""

from __future__ import annotations

import random
import shutil

from power import missing
from world import CASES, World

__all__ = ["missing"]
DEFAULT = len(CASES)
SMALL = 0
HEAD = "| command | the same bytes without locks |\n|---|--:|"


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    case = CASES[number % len(CASES)]
    whole = world.whole(case)
    folder = world.fresh(case)
    inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=flock:error=ENOLCK"]
    done = world.finish(world.start(case.words, folder, inject), case.words)
    if done.code != 0:
        world.fault(f"ends with {done.code}")
    good = done.code == 0 and world.compare(folder, whole, "without locks")
    shutil.rmtree(folder)
    return f"`{case.name}`", [good]
