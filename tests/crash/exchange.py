"""Exchange: a release takes the place of an earlier one, and the exchange of the two names fails, is killed, or is not there.

Without an exchange, the program renames twice; then each of its renames fails or is killed. The folder is the earlier release or the new
one, whole, at the latest when the next command begins, and after the rerun it is the new one and nothing is left."""

from __future__ import annotations

import random
import re
from pathlib import Path

import calls
import faults
from world import CASES, World, contents, of_folder

DEFAULT = 200
SMALL = 12
HEAD = "| what | commands | call failed or killed | the earlier release then | the new one then | reruns equal to the byte, nothing left |\n|---|--:|--:|--:|--:|--:|"

ERRORS = ("EIO", "ENOSPC", "EBUSY", "EXDEV", "EPERM", "ESTALE")
NO_EXCHANGE = ("EINVAL", "ENOSYS")
CASE = next(case for case in CASES if case.name == "release again")


def missing() -> str | None:
    """Why these tests cannot run here."""
    return calls.missing() or faults.missing()


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    whole = world.whole(CASE)
    renames = faults.counts(world, CASE)["rename"]
    folder, log, seen = world.fresh(CASE), world.place / "calls.log", world.place / "renames.log"
    trace = ["-e", "trace=renameat2"]
    what, env = rng.choice(["fails", "killed", "absent", "absent, then a rename fails", "absent, then killed"]), {}
    if what == "killed":
        trace += ["-e", "inject=renameat2:signal=KILL"]
    else:
        error = rng.choice(ERRORS if what == "fails" else NO_EXCHANGE)
        trace += ["-e", f"inject=renameat2:error={error}"]
    if "then" in what:
        # Of the last renames, two replace the exchange.
        at = rng.randint(max(1, renames - 1), renames + 2)
        env = faults.under(world, folder, seen, FAULT_CALL="rename", FAULT_AT=at, FAULT_HOW="kill" if "killed" in what else 5)
        world.trial += f" ({what}: rename {at})"
    world.trial += f" ({' '.join(trace)})"
    # The library is for the program alone.
    traced = calls.traced(log, *trace, *(word for name, value in env.items() for word in ("-E", f"{name}={value}")))
    done = world.run(f"{CASE.words} --threads 1", folder, killed=True, before=traced)
    hit = bool(re.search("INJECTED|killed", log.read_text(errors="replace")))
    before, after, now = (of_folder(files, "earlier") for files in (contents(world.inputs), whole, contents(folder)))
    # Between two renames the folder has no name; the next command gives it back.
    if now not in (before, after) and not (what == "absent, then killed" and not now and aside(folder)):
        world.fault(f"the folder is neither the earlier one nor the new one: {', '.join(now) or 'gone'}")
    if done.code == 0 and now != after:
        world.fault("the command succeeded and the new release is not there")
    return what, [1, hit, now == before, now == after, world.finished(CASE, folder, whole)]


def aside(folder: Path) -> bool:
    return (folder / ".earlier.earlier~sudoku-corpus").is_dir()
