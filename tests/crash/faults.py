"""Faults: the n-th write, read, fsync, rename, open, mkdir or removal of a command fails, or the command is killed there.

Interrupted calls (EINTR) and calls that do half of their work must not be noticed at all. After any other error, the command
fails with a message, or it succeeds although the call failed. If it says that it succeeded, its files are complete."""

from __future__ import annotations

import errno
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

from world import CASES, QUIET, World

DEFAULT = 5000
SMALL = 150
HEAD = "| command | calls failed | command failed | killed | reruns equal to the byte, nothing left |\n|---|--:|--:|--:|--:|"

CALLS = ("write", "read", "fsync", "rename", "open", "mkdir", "remove")
HALVES = ("write", "read")  # calls that may do half of their work
INTERRUPTED = ("write", "read", "open")  # calls that may be interrupted
COMPILER = shutil.which("cc") or shutil.which("gcc")


def missing() -> str | None:
    """Why these tests cannot run here."""
    return None if COMPILER and sys.platform.startswith("linux") else "faults need Linux and a C compiler"


def library(world: World) -> Path:
    built = world.place / "faults.so"
    if not built.exists():
        source = Path(__file__).with_name("faults.c")
        command = [COMPILER, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-U_FORTIFY_SOURCE", "-o", built, source, "-ldl"]
        subprocess.run(command, check=True)
    return built


def under(world: World, folder: Path, log: Path, **variables: object) -> dict[str, str]:
    """The environment of a command that runs with the library."""
    log.unlink(missing_ok=True)
    fixed = {"LD_PRELOAD": str(library(world)), "FAULT_ROOT": str(folder), "FAULT_LOG": str(log)}
    return fixed | {name: str(value) for name, value in variables.items()}


counted: dict[str, dict[str, int]] = {}


def counts(world: World, case) -> dict[str, int]:
    """The number of calls of each kind of an undisturbed run; that of the process with the most, if there are several."""
    if case.name not in counted:
        folder, log = world.fresh(case), world.place / "calls.log"
        world.run(case.on_one_thread, folder, env=under(world, folder, log))
        shutil.rmtree(folder)
        found: dict[str, int] = {}
        for name, number in re.findall(r"(\w+)=(\d+)", log.read_text()):
            found[name] = max(found.get(name, 0), int(number))
        assert any(found.values()), f"{case.name}: no call is seen; is the program linked statically?"
        counted[case.name] = found
    return counted[case.name]


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    cases = CASES + QUIET
    case = cases[number % len(cases)]
    whole, there = world.whole(case), counts(world, case)
    call = rng.choice([call for call in CALLS if there.get(call)])
    ways = ["ENOSPC", "EIO", "kill", "kill"] if call not in ("read", "remove") else ["EIO", "kill"]
    ways += ["EINTR"] * (call in INTERRUPTED) + ["short"] * (call in HALVES)
    way, at = rng.choice(ways), rng.randint(1, there[call])
    lasting = {"FAULT_ON": 1} if way in ("ENOSPC", "EIO") and rng.random() < 0.3 else {}
    world.trial += f" ({way} at {call} {at}{' and later' if lasting else ''})"
    how = getattr(errno, way) if way.startswith("E") else way
    folder, log = world.fresh(case), world.place / "calls.log"
    env = under(world, folder, log, FAULT_CALL=call, FAULT_AT=at, FAULT_HOW=how, **lasting)
    words = case.on_one_thread
    done = world.run(words, folder, env=env, killed=way == "kill")
    hit = log.exists() and "hit" in log.read_text()
    harmless = way in ("EINTR", "short")
    if harmless and done.code != 0:
        world.fault(f"the command fails with {done.code}: {done.said[-300:]}")
    if done.code == 0 and not (way == "kill" and case.name == "nightly"):
        # A removal that failed leaves what was to be removed.
        if call != "remove":
            world.compare(folder, whole, "although the command succeeded", temporary=way in ("ENOSPC", "EIO"))
    elif done.code in (1, 2, 3) and not done.said and case.name != "nightly":
        world.fault(f"ends with {done.code} and no message")  # a night writes to its log
    if case in QUIET:
        shutil.rmtree(folder)
        return f"`{case.name}`", [hit, done.code != 0, way == "kill", 1]
    world.halves(folder, whole)
    # What the system did not let a command remove stays until a command makes something in the same place.
    stays = call == "remove" and way == "EIO"
    return f"`{case.name}`", [hit, hit and done.code != 0 and way != "kill", hit and way == "kill", world.finished(case, folder, whole, temporary=stays)]
