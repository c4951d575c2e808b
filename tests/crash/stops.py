"""Stops: SIGINT, SIGTERM and SIGHUP at a random moment, and streams that are closed, broken or full.

After a signal the exit code is 4 (or 0, if the work was done), every file is complete or absent, and the rerun gives the same bytes.
Messages may be lost, but no work. If data cannot be written, the command fails, except at the end of a pipe, as in `... | head`."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager

from world import CASES, PRINTING, QUIET, World

DEFAULT = 2000
SMALL = 50
HEAD = "| stop | commands | stopped early | as it has to be |\n|---|--:|--:|--:|"
SIGNALS = {"SIGINT": signal.SIGINT, "SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}
# A command that waits for the other end of a pipe ends after a signal.
WAITS = ("waits for an input", "waits for an output", "waits for data")
STREAMS = ("stderr full", "stderr broken", "stderr closed", "stdout full", "stdout broken", "stdout closed", "stdout read-only", "stdin closed", "head")


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    before = len(world.faults)
    stop = rng.choice([*SIGNALS, *SIGNALS, *STREAMS, *WAITS])
    case = rng.choice(CASES + PRINTING + QUIET)
    if stop in WAITS:
        return stop, waiting(world, case, stop, rng, before)
    world.trial += f" ({stop}: `{case.words}`)"
    early = signalled(world, case, stop, rng) if stop in SIGNALS else streamed(world, case, stop, rng)
    return stop, [1, early, len(world.faults) == before]


def signalled(world: World, case, name: str, rng: random.Random) -> bool:
    whole = world.whole(case)
    folder = world.fresh(case)
    moment = rng.random() * world.times[case.name]
    child = world.start(case.words, folder)
    time.sleep(moment)
    try:
        child.send_signal(SIGNALS[name])
    except ProcessLookupError:
        pass
    done = world.finish(child, case.words, killed=True)
    # A command that prints, or has not begun, ends as any program does.
    if done.code not in (0, 4, -SIGNALS[name]):
        world.fault(f"ends with {done.code} after {moment:.3f} s")
    world.halves(folder, whole)
    world.finished(case, folder, whole)
    return done.code != 0


def waiting(world: World, case, stop: str, rng: random.Random, before: int) -> list[int]:
    """A pipe that nobody opens at its other end, or that nobody writes into."""
    words = case.words.split()
    inputs = [at for at, word in enumerate(words) if word in ("nine.csv", "grids.txt")]
    outputs = [at + 1 for at, word in enumerate(words[:-1]) if word in ("--out", "--steps-out") and "." in words[at + 1] and not set("%{") & set(words[at + 1])]
    places = outputs if stop == "waits for an output" else inputs
    if not places or words[0] == "nightly":
        return [0, 0, 0]
    world.whole(case)
    folder = world.fresh(case)
    at = rng.choice(places)
    if stop == "waits for data":
        words[at] = "-"
    elif stop == "waits for an input":
        words[at] = "pipe.csv"
        os.mkfifo(folder / "pipe.csv")
    else:
        os.mkfifo(folder / words[at])
    name = rng.choice(list(SIGNALS))
    world.trial += f" ({name} while it {stop}: `{' '.join(words)}`)"
    child = world.start(" ".join(words), folder, stdin=subprocess.PIPE)
    time.sleep(world.times[case.name] * 2 + 0.3)
    child.send_signal(SIGNALS[name])
    done = world.finish(child, " ".join(words), killed=True)
    child.stdin.close()
    if done.code not in (1, 2, 4, -SIGNALS[name]):  # 1 and 2: it takes no pipe here
        world.fault(f"ends with {done.code}")
    shutil.rmtree(folder)
    return [1, done.code in (4, -SIGNALS[name]), len(world.faults) == before]


@contextmanager
def stream(kind: str):
    """A descriptor that cannot be written."""
    if kind == "full":
        file = os.open("/dev/full", os.O_WRONLY)
    elif kind == "read-only":
        file = os.open(__file__, os.O_RDONLY)
    else:
        reading, file = os.pipe()
        os.close(reading)
    yield file
    os.close(file)


def streamed(world: World, case, stop: str, rng: random.Random) -> bool:
    whole = world.whole(case)
    folder = world.fresh(case)
    prints = case in PRINTING
    name, _, kind = stop.partition(" ")
    if stop == "head":
        child = world.start(case.words, folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.read(rng.choice([0, 1, 100]))
        child.stdout.close()
        said = child.stderr.read().decode(errors="replace")
        child.stderr.close()
        done = world.finish(child, case.words)
        if "panicked" in said:
            world.fault(f"panics: {said}")
    elif kind == "closed":
        descriptor = {"stdin": 0, "stdout": 1, "stderr": 2}[name]
        done = world.run(case.words, folder, preexec_fn=lambda: os.close(descriptor))
    else:
        with stream(kind) as file:
            done = world.run(case.words, folder, **{name: file})
    # Data that cannot be written is a failure; the end of a pipe is not.
    allowed = (0,)
    if prints and stop in ("stdout full", "stdout read-only"):
        allowed = (1,)
    elif prints and stop in ("stdout broken", "head"):
        allowed = (0, 4)
    elif stop in ("stdout full", "stdout read-only"):
        allowed = (0, 1)  # 1 if it had something to print
    # A closed descriptor is /dev/null before the program begins.
    if done.code not in allowed:
        world.fault(f"ends with {done.code}: {done.said[-200:]}")
    if done.code == 0 and not prints:
        world.compare(folder, whole, "although only a stream was broken")
    shutil.rmtree(folder)
    return done.code != 0
