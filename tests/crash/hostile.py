"""Hostile files: each kind of file that commands read, cut off, with flipped bytes, and with pieces that are repeated, nested or far too long.

The program reads such a file or refuses it with a message: no panic, no hang, less than 500 MB, and no output of a call that failed."""

from __future__ import annotations

import os
import random
import shutil
import threading
from pathlib import Path

from world import CODES, HANGS, PUZZLE, World, kill_group

DEFAULT = 1000
SMALL = 40
HEAD = "| file | calls | read | refused |\n|---|--:|--:|--:|"
MOST_MEGABYTES = 500

SOURCE = Path(__file__).resolve().parent.parent.parent
DATA, FONTS = SOURCE / "data", SOURCE / "src" / "press" / "draw" / "text" / "fonts"
LINK = "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1kANwEMAbAK5x4ARlRoI3GADsEAFwzCmK1kQ5tVmug216VGrUbWG1ZyjwHCEAJglTZCpTAO7j+nZw/7atIkA="
WORDS = b'[book]\ncontents = "Content"\npuzzle = "No. {first}"\n[how_to]\nrules = "Fill {n}."\n'
LEVELS = b'[[level]]\nkey = "p"\ner = "1.0..2.3"\n[[level]]\nkey = "q"\nhodoku_level = "easy,medium"\ngivens = "8..30"\n'
# Files that the program makes of inputs of the world: the file, and the command.
MADE = {
    **{f"made.{end}": f"export --force nine.csv --count 1 --out made.{end}" for end in ("ipuz", "opensudoku", "sdk", "csv", "jsonl", "parquet", "csv.zst", "tatham.txt")},
    "made-steps.parquet": "export --force nine.csv --count 5 --out made-s.csv --steps-out made-steps.parquet",
}
# The file, its contents or its name among the inputs, and the command that reads it.
KINDS: list[tuple[str, bytes | str, str]] = [
    ("h.svg", (DATA / "pictures" / "star.svg").read_bytes(), "book --force corpus --count 1 --logo h.svg --title T --out o.pdf"),
    ("p.svg", (DATA / "pictures" / "moon.svg").read_bytes(), "export --force corpus --count 1 --pictures p.svg 1.svg 2.svg 3.svg 4.svg 5.svg --out o.svg"),
    ("f.ttf", (FONTS / "IBMPlexSans-Regular.ttf").read_bytes(), "book --force corpus --count 1 --font f.ttf --title T --out o.pdf"),
    ("w.toml", WORDS, "book --force corpus --count 1 --words w.toml --title T --out o.pdf"),
    ("l.toml", LEVELS, "export --force corpus --all --levels l.toml --out o.csv"),
    ("r.toml", "night.toml", "run r.toml --dry-run"),
    ("m.txt", (DATA / "masks" / "masks.txt").read_bytes(), "mask --force m.txt --count 1 --out o.csv"),
    ("s.index", "s.index", "export --force corpus --count 1 --except s.index --out o.csv"),
    ("a.jsonl", f'{{"puzzle":"{PUZZLE}","answer":"I think 5 3 4"}}\n'.encode(), "score a.jsonl nine.csv --answer answer --out o.html"),
    ("f.txt", LINK.encode(), "check f.txt"),
    ("corpus/recipe.toml", "corpus/recipe.toml", "query SELECT%%count(*)%%FROM%%puzzles corpus --out o.csv"),
    ("corpus/rows/part-000000.parquet", "corpus/rows/part-000000.parquet", "query SELECT%%*%%FROM%%puzzles corpus --out o.csv"),
    *[(name, name, f"analyze {name} --techniques singles --ratings none --out o.csv") for name in MADE if "steps" not in name],
    ("made-steps.parquet", "made-steps.parquet", "query SELECT%%*%%FROM%%puzzles made-steps.parquet --out o.jsonl"),
]
PIECES = [b"[" * 50_000, b"{" * 50_000, b"<g>" * 20_000, b"(" * 20_000, b'"' * 9, b"9" * 400, b"-1", b"1e999", b"nan", b"\0" * 99, b"\xff\xfe", b"\xef\xbb\xbf", b"\r\n" * 500, b"18446744073709551616", "\u202e\u0301".encode(), b"a='1' " * 5_000, b"../" * 999]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The file after one to four changes."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        end = min(len(data), at + rng.choice([1, 2, 9, 80, 4000]))
        match rng.randrange(6):
            case 0:
                data = data[:at]
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:at] + bytes(byte ^ 1 << rng.randrange(8) for byte in data[at:end]) + data[end:]
            case 3:
                data = data[:at] + data[at:end] * rng.choice([2, 50, 2000]) + data[end:]
            case 4:
                data = data[:at] + rng.choice(PIECES) + data[at:]
            case _:
                data = data[:at] + rng.choice(PIECES) + data[end:]
    return data[: 4 << 20]


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    for name, words in MADE.items():
        if not (world.inputs / name).exists():
            done = world.run(words, world.inputs)
            assert done.code == 0, f"{words}: {done.said}"
    name, source, words = KINDS[number % len(KINDS)]
    folder = Path(world.place) / f"hostile-{number}"
    folder.mkdir()
    for need in ("corpus", "nine.csv"):
        (shutil.copytree if (world.inputs / need).is_dir() else shutil.copy)(world.inputs / need, folder / need)
    for at, picture in enumerate(("boat", "fish", "flower", "heart", "house"), 1):
        shutil.copy(DATA / "pictures" / f"{picture}.svg", folder / f"{at}.svg")
    data = source if isinstance(source, bytes) else (world.inputs / source).read_bytes()
    (folder / name).write_bytes(mutated(data, rng))
    code = judged(world, words, folder)
    if code and list(folder.glob("o.*")):
        world.fault(f"`{words}` ends with {code} and leaves an output")
    if len(world.faults) == 0 or not world.faults[-1].startswith(world.trial):
        shutil.rmtree(folder)
    return name, [1, code == 0, code != 0]


def judged(world: World, words: str, folder: Path) -> int:
    """Runs the program, and returns its exit code."""
    with open(folder / "said", "wb") as said:
        child = world.start(words, folder, stderr=said)
        timer = threading.Timer(HANGS, lambda: kill_group(child))
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        timer.cancel()
        child.returncode = code = os.waitstatus_to_exitcode(status)
    text = (folder / "said").read_text(errors="replace").strip()
    if code not in CODES or "panicked" in text:
        world.fault(f"`{words}` ends with {code}: {text[-300:]}")
    if code and not text:
        world.fault(f"`{words}` ends with {code} and no message")
    if usage.ru_maxrss > MOST_MEGABYTES << 10:
        world.fault(f"`{words}` takes {usage.ru_maxrss >> 10} MB")
    return code
