"""Limits: processes, open files, memory and file size, as `ulimit` and containers set them.

A command works, or says in one line what it could not have: exit code 1. Nothing healthy is called damaged, nothing is lost, nothing is
half. Where memory is refused, a process may abort."""

from __future__ import annotations

import os
import random
import resource
import shutil
import sys

from calls import NOT_STARTED, MEMORY, NOT_LOADED
from world import CASES, PRINTING, QUIET, World, contents

DEFAULT = 1000
SMALL = 40
HEAD = "| limit | commands | command failed | reruns equal to the byte, nothing left |\n|---|--:|--:|--:|"
NOBODY = 65_534
LIMITS = {
    "processes": (resource.RLIMIT_NPROC, lambda rng: rng.randint(1, 8)),
    "open files": (resource.RLIMIT_NOFILE, lambda rng: rng.randint(4, 40)),
    "memory": (resource.RLIMIT_AS, lambda rng: rng.randint(150, 900) << 20),
    "file size": (resource.RLIMIT_FSIZE, lambda rng: int(2 ** rng.uniform(0, 20))),
}


def missing() -> str | None:
    """Why these tests cannot run here."""
    return None if sys.platform.startswith("linux") else "limits need Linux"


def given(folder, user: int) -> None:
    for place, folders, files in os.walk(folder):
        for name in [".", *folders, *files]:
            os.lchown(os.path.join(place, name), user, user)


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    cases = [case for case in CASES + QUIET + PRINTING if case.name != "nightly"]
    case = cases[number % len(cases)]
    whole = world.whole(case)
    name = rng.choice(list(LIMITS))
    limit, draw = LIMITS[name]
    most = draw(rng)
    world.trial += f" ({name} {most}: `{case.words}`)"
    folder = world.fresh(case)
    before, faults = contents(folder), len(world.faults)
    # The number of processes does not bind root.
    other = name == "processes" and os.geteuid() == 0
    if other:
        given(folder, NOBODY)
        for place in (world.place, folder):
            os.chmod(place, 0o755)

    def limited() -> None:
        resource.setrlimit(limit, (most, most))
        if other:
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    done = world.run(case.words, folder, killed=True, preexec_fn=limited)
    if other:
        given(folder, os.geteuid())
    if done.code == NOT_LOADED or NOT_STARTED.search(done.said):
        del world.faults[faults:]
        shutil.rmtree(folder)
        return name, [1, 1, 1]
    if done.code < 0 and not (name == "memory" and (MEMORY.search(done.said) or not done.said)):
        world.fault(f"ends with {done.code}: {done.said[-300:]}")
    if done.code == 3:
        world.fault(f"calls a healthy input damaged: {done.said[-300:]}")
    if done.code in (1, 2) and not done.said and name != "file size":
        world.fault(f"ends with {done.code} and no message")
    lost = [file for file, data in before.items() if file in whole and whole[file] == data and contents(folder).get(file) != data]
    if lost:
        world.fault(f"loses or changes {', '.join(lost[:5])}")
    if case in PRINTING:
        shutil.rmtree(folder)
        return name, [1, done.code != 0, 1]
    if done.code == 0:
        world.compare(folder, whole, "although the command succeeded", temporary=True)
    world.halves(folder, whole)
    return name, [1, done.code != 0, world.finished(case, folder, whole)]
