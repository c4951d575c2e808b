"""Paths: each output of each command is the same file as another path of the call, in turn; each input comes as a file, a link, a pipe and so on.

The program's own table (`list paths`) gives the commands and their paths, so a new option is tried without anybody remembering.

What has to be: a call is refused with exit code 2, and no file changes, if one of its outputs is also an input, another output, a
file of a corpus, or an index that the call does not read. A file, a link, a named pipe and standard input give the same output, or the call is refused with a
message. Nothing is lost without a message if an input is empty, or becomes shorter between two calls."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import threading
from pathlib import Path

from world import CASES, Case, World, contents

DEFAULT = 3000
SMALL = 120
HEAD = "| what | calls | refused | as it has to be |\n|---|--:|--:|--:|"

REFUSED = ("has no effect here", "is an input", "itself uses the name", "two outputs", "is an index of published", "lies in this folder")
# clap refuses options together before the program sees them.
APART = ("cannot be used with", "has no effect alone", "> is missing", "> are missing", "has no option", "one too many", "ending of a file")
ONCE = {"release"}  # makes a folder that must not exist
FORMS = ("link", "named pipe", "standard input", "empty")

table: dict[str, list[tuple[str, str]]] = {}


def paths_of(world: World, command: str) -> list[tuple[str, str]]:
    """The arguments of a command that are paths, and what is done with them."""
    if not table:
        lines = subprocess.run([str(world.program), "list", "paths"], capture_output=True, text=True, check=True).stdout
        for line in lines.splitlines():
            name, argument, role = line.split(None, 2)
            table.setdefault(name, []).append((argument, role))
    return table.get(command, [])


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    before = len(world.faults)
    case = rng.choice([case for case in CASES if case.name not in ("nightly", "run parts")])
    what, refused = related(world, case, rng) if rng.random() < 0.75 else formed(world, case, rng)
    return what, [1, refused, len(world.faults) == before]


def with_path(words: list[str], case: Case, argument: str, value: str) -> list[str]:
    """The command with another value for an option, or for its first input."""
    if not argument.startswith("--"):
        plain = [at for at, word in enumerate(words[1:], 1) if not word.startswith("--")]
        at = next((at for at in plain if words[at] in case.needs), plain[0] if plain else len(words))
        return [*words[:at], value, *words[at + 1 :]]
    if argument in words:
        at = words.index(argument) + 1
        return [*words[:at], value, *words[at + 1 :]]
    return [*words, argument, value]


def related(world: World, case: Case, rng: random.Random) -> tuple[str, bool]:
    """An output that is another path, by one of its names."""
    words = case.words.split()
    paths = paths_of(world, words[0])
    written = [argument for argument, role in paths if role.startswith("written") or "added" in role]
    if not written:
        return "no output", False
    out = rng.choice(written)
    folder = world.fresh(case, Case("", "", ["corpus", "s.index", "nine.csv"]))
    relation = rng.choice(["same", "dot", "link", "hard link", "case", "part", "new part", "recipe", "index"])
    is_folder = dict(paths)[out] == "written, a folder"
    others = [(argument, role) for argument, role in paths if argument != out and ("read" in role or "written" in role)]
    there = "nine.csv"
    if relation in ("part", "new part", "recipe", "index") or not others:
        target = {"part": "corpus/rows/part-000001.parquet", "new part": "corpus/rows/mine.csv", "recipe": "corpus/recipe.toml"}.get(relation, "s.index")
        if target == "s.index" and (is_folder or "added" in dict(paths)[out]):
            target = "corpus/recipe.toml"
        words = with_path(words, case, out, target)
    else:
        other, role = rng.choice(others)
        # An index may be read as what was published; a folder of work is continued, so its files are what is taken.
        if (role == "read, also the index of the call" and "added" in dict(paths)[out]) or "continued" in role:
            other, role = "", "read"
        both = "written" in role or "added" in role
        there = "new.csv" if both and rng.random() < 0.5 else "nine.csv"
        name = there
        if relation == "dot" or (relation == "hard link" and both):
            name = "./tmp/../" + there  # an output takes the place of one name of a file, so two names are two outputs
        elif relation in ("link", "hard link") and not is_folder:
            name = "other.csv"
            if relation == "link" or there == "new.csv":
                (folder / name).symlink_to(there)
            else:
                os.link(folder / there, folder / name)
        elif relation == "case" and both:
            name = there.upper()
        if not other:
            name = "corpus/rows/part-000001.parquet"
        elif is_folder and both:
            name = there
        elif is_folder:
            name = "."
        words = with_path(words, case, out, name)
        if other:
            words = with_path(words, case, other, f"t={there}" if "NAME" in role else there)
    world.trial += f" ({relation}: `{' '.join(words)}`)"
    whole = contents(folder)
    done = world.run(" ".join(words), folder)
    apart = any(text in done.said for text in APART)
    if done.code != 2 or not (apart or any(text in done.said for text in REFUSED)):
        world.fault(f"is not refused: {done.code} {done.said[-300:]}")
    if contents(folder) != whole:
        world.fault("files changed")
    shutil.rmtree(folder)
    return relation, True


def formed(world: World, case: Case, rng: random.Random) -> tuple[str, bool]:
    """An input as a link, a pipe, standard input, or empty."""
    words = case.words.split()
    inputs = [at for at, word in enumerate(words) if word in ("nine.csv", "grids.txt")]
    if not inputs:
        return "no input", False
    at, form = rng.choice(inputs), rng.choice(FORMS)
    whole = world.whole(case)
    folder = world.fresh(case)
    name = words[at]
    data = (folder / name).read_bytes()
    how: dict[str, object] = {}
    writer = None
    if form == "link":
        (folder / name).rename(folder / "elsewhere")
        (folder / name).symlink_to("elsewhere")
    elif form == "empty":
        (folder / name).write_bytes(b"")
    elif form == "named pipe":
        (folder / name).unlink()
        os.mkfifo(folder / name)
        writer = threading.Thread(target=fill, args=(folder / name, data), daemon=True)
        writer.start()
    else:
        words[at] = "-"
        how["stdin"] = (folder / name).open("rb")
    world.trial += f" ({form}: `{' '.join(words)}`)"
    done = world.run(" ".join(words), folder, **how)
    if writer:
        drain(folder / name)
    outputs = {key: value for key, value in contents(folder).items() if key not in ("nine.csv", "grids.txt", "elsewhere")}
    wanted = {key: value for key, value in whole.items() if key not in ("nine.csv", "grids.txt")}
    names = {key for key in wanted if not key.endswith((".html", ".json", ".pdf"))}
    if form == "empty":
        if done.code == 0 and not done.said and outputs.keys() < wanted.keys():
            world.fault("says nothing about an empty input")
    elif done.code == 0:
        # Pages and lists of lines may name the file.
        # Columns of other programs get their types from a second reading, which a stream does not have.
        if case.words.startswith("analyze") and form in ("named pipe", "standard input"):
            names = {key for key in names if not key.startswith("a.")}
        differ = [key for key in sorted(names) if outputs.get(key) != wanted[key] and not key.endswith(".index")]
        if differ:
            world.fault(f"differs: {', '.join(differ)}")
    elif not done.said:
        world.fault(f"ends with {done.code} and no message")
    shutil.rmtree(folder)
    return form, done.code != 0


def fill(pipe: Path, data: bytes) -> None:
    try:
        pipe.write_bytes(data)
    except OSError:
        pass


def drain(pipe: Path) -> None:
    """Lets a writer end that nobody read."""
    try:
        os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))
    except OSError:
        pass
