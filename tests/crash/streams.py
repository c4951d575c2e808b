"""Streams: exports and books with an index, whose output is a pipe, a named pipe or `/dev/stdout`. The reader ends early, or the command
is killed or stopped at a random moment, several times.

Every puzzle that the reader has got is in the index, and no later call brings it again."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time

from world import Case, World, kill_group

DEFAULT = 1000
SMALL = 12
HEAD = "| output | calls | readers that ended early | killed or stopped | puzzles that were read | all as it has to be |\n|---|--:|--:|--:|--:|--:|"
OUTPUTS = ("-", "/dev/stdout", "fifo.txt", "one.txt and -")
SIGNALS = (None, None, signal.SIGKILL, signal.SIGTERM)


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    before = len(world.faults)
    out = OUTPUTS[number % len(OUTPUTS)]
    case = Case("stream", "", ["corpus"])
    folder = world.fresh(case)
    os.mkfifo(folder / "fifo.txt")
    outs = " ".join(f"--out {name}" for name in out.split(" and "))
    words = f"export corpus --count 8 --format lines --force --except s.index --remember s.index {outs}"
    world.trial += f" (`{words}`)"
    read: list[str] = []
    calls = early = ended = 0
    for _ in range(rng.choice([2, 3, 4])):
        taken = rng.choice([0, 36, 37, 150, 1 << 20])
        how = rng.choice(SIGNALS)
        moment = rng.random() * 0.15
        lines = one(world, folder, words, out, taken, how, moment)
        calls, early, ended = calls + 1, early + (taken < 1 << 20), ended + (how is not None)
        if set(lines) & set(read):
            world.fault(f"brings {len(set(lines) & set(read))} puzzles again")
        read += lines
    unknown(world, folder, read)
    shutil.rmtree(folder)
    return f"`{out}`", [calls, early, ended, len(read), len(world.faults) == before]


def one(world: World, folder, words: str, out: str, taken: int, how: signal.Signals | None, moment: float) -> list[str]:
    """The whole lines that a reader gets from a call."""
    child = world.start(words, folder, stdout=subprocess.PIPE)
    reader = child.stdout
    began = time.monotonic()
    if out == "fifo.txt":
        # Without a writer, there is nothing to read. The command opens the pipe before it publishes.
        descriptor = os.open(folder / "fifo.txt", os.O_RDONLY | os.O_NONBLOCK)
        os.set_blocking(descriptor, True)
        reader = os.fdopen(descriptor, "rb")
    if how is not None:
        time.sleep(moment)
        if how == signal.SIGKILL:
            kill_group(child)
        else:
            child.send_signal(how)
    data = b""
    while len(data) < taken and time.monotonic() - began < 60:
        some = reader.read1(taken - len(data)) if hasattr(reader, "read1") else reader.read(taken - len(data))
        if some:
            data += some
        elif out != "fifo.txt" or child.poll() is not None:
            break
        else:
            time.sleep(0.005)
    if out == "fifo.txt" and taken == 0:
        # The pipe must be open until the command has opened it too.
        while child.poll() is None and not (folder / "s.index").exists() and time.monotonic() - began < 60:
            time.sleep(0.005)
        time.sleep(0.05)
    reader.close()
    if child.stdout is not reader:
        child.stdout.close()
    try:
        done = world.finish(child, words, killed=how is not None, patience=30 if out == "fifo.txt" else None)
    finally:
        kill_group(child)
    if how is None and out != "fifo.txt" and done.code != 0:
        world.fault(f"ends with {done.code}")
    return [line for line in data.decode().split("\n")[:-1] if line]


def unknown(world: World, folder, read: list[str]) -> None:
    """Puzzles that were read and that the index does not have."""
    if not read:
        return
    (folder / "read.txt").write_text("\n".join(read) + "\n")
    done = world.run("export read.txt --all --any-solutions --shape 2x3 --except s.index --format lines --out rest.txt", folder)
    rest = (folder / "rest.txt").read_text().split() if (folder / "rest.txt").exists() else []
    if rest or (done.code not in (0, 1)):
        world.fault(f"{len(rest)} puzzles of {len(read)} are not in the index: {done.code} {done.said[-200:]}")
