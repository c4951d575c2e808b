"""Code that the tests of distributed production share: running the program, making small corpora, comparing them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
import unittest
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
PROGRAM = os.environ.get("SUDOKU_CORPUS") or str(ROOT / "target" / "release" / "sudoku-corpus")


def needs(*modules: str) -> Callable[[type], type]:
    """Skips a class of tests with a message if a package is not installed."""
    absent = [module for module in modules if importlib.util.find_spec(module) is None]
    return skip_if(bool(absent), f"not installed: {', '.join(absent)}")


def skip_if(lacking: bool, why: str) -> Callable[[type], type]:
    """Skips a class of tests with a message. With REQUIRE_TOOLS this is an error."""
    if lacking and os.environ.get("REQUIRE_TOOLS"):
        raise RuntimeError(f"REQUIRE_TOOLS is set: {why}")
    if lacking:
        print(f"SKIPPED: tests of distributed production: {why}", file=sys.stderr)
    return unittest.skipIf(lacking, why)


def pass_over(why: str) -> None:
    """Skips a single test."""
    assert not os.environ.get("REQUIRE_TOOLS"), f"REQUIRE_TOOLS is set: {why}"
    print(f"SKIPPED: {why}", file=sys.stderr)
    raise unittest.SkipTest(why)


def run(*words: object, code: int = 0) -> str:
    """Runs the program, expects an exit code and returns stdout."""
    result = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    assert result.returncode == code, f"{words}: exit code {result.returncode}: {result.stderr}"
    return result.stdout


def recipe(folder: Path, parts: int, rows: int, techniques: str = "singles,subsets") -> Path:
    """A recipe of minimal 9x9 puzzles."""
    path = folder / "recipe.toml"
    text = f'count = {parts * rows - rows // 2}\npart_rows = {rows}\n'
    path.write_text(f'{text}[analyze]\ntechniques = "{techniques}"\nratings = "none"\n')
    return path


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of every file of a corpus by its relative path, without lock files."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith("lock"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def parts_in(folder: Path) -> int:
    """How many parts a folder has. The program may be at work in it, and a folder that is gone when it is read has none;
    `rglob` ends with an error there."""
    return sum(name.startswith("part-") for _, _, files in os.walk(folder) for name in files)


def wait_until(what: str, condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.05)


def runs_at_work(word: str) -> list[int]:
    """Processes of the program whose command line contains a word."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except (OSError, ValueError):
            continue
        if entry.name.isdigit() and any(w.endswith(b"sudoku-corpus") for w in words[:1]) and word.encode() in words:
            found.append(int(entry.name))
    return found
