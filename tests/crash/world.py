"""What all kinds of tests share: the commands, their inputs, the program under a fault, and the comparison of folders."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

RECIPE = """count = 45
part_rows = 15
{extra}
[grid]
shape = "2x3"
[analyze]
techniques = "singles"
"""
NIGHT = RECIPE.format(extra="") + """[[output]]
command = "export"
count = 40
out = "puzzles.sdm"
[[output]]
command = "report"
out = "report.html"
"""
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SQL = "SELECT%%*%%FROM%%puzzles%%ORDER%%BY%%row"
# Files that may differ from run to run, because they hold times or locks.
UNSTEADY = re.compile(r"(\.lock|-journal|night\.log|nights\.log|nights\.jsonl|last\.json|nights\.prom)$")
# Files to which lines are only appended, or that mark unfinished work. They may be incomplete before the rerun.
GROWING = re.compile(r"\.index$|\.classes$")
TEMPORARY = re.compile(r"~sudoku-corpus~")
# The exit codes of the program: done, failed, wrong usage, a check failed, stopped, another call of `nightly` is running.
CODES = (0, 1, 2, 3, 4, 5)
BUSY = 5
HANGS = 60  # seconds


@dataclass
class Case:
    """A command that writes, and the folders and files that it needs."""

    name: str
    words: str
    needs: list[str] = field(default_factory=list)
    once: str = ""
    """The output of a command that refuses to make it again. If it exists, the command is not run again."""

    @property
    def on_one_thread(self) -> str:
        """The words of a call whose files are written by one thread; manual pages always are."""
        return self.words if self.name == "man" else f"{self.words} --threads 1"


CASES = [
    Case("run", "run flat.toml --out c", ["flat.toml"]),
    Case("run csv.zst", "run csv.toml --out c", ["csv.toml"]),
    Case("run steps", "run steps.toml --out c", ["steps.toml"]),
    Case("run outputs", "run night.toml --out c --remember own.index", ["night.toml"]),
    Case("run parts", "run flat.toml --out a --parts 1..2", ["flat.toml", "a"]),
    Case("nightly", "nightly night.toml nights --night 2026-11-22", ["night.toml"]),
    Case("export", "export --force corpus --count 20 --except s.index --remember s.index --out x.sdm", ["corpus", "s.index"]),
    Case("export files", "export --force nine.csv --count 3 --remember s.index --out p-%.sdk", ["nine.csv"]),
    Case("export parquet", "export --force corpus --all --out x.parquet", ["corpus"]),
    Case("export steps", "export --force nine.csv --count 5 --remember s.index --out x.jsonl --steps-out s.parquet", ["nine.csv"]),
    Case("export merge", "export --force nine.csv --count 3 --out m-%.svg --merge m.csv", ["nine.csv"]),
    Case("export sqlite", "export --force corpus --all --out x.sqlite", ["corpus"]),
    Case("export split", "export --force corpus --all --split train=0.8,test=0.2 --apart grid --out {split}.csv", ["corpus"]),
    Case("export sheet", "export --force corpus --count 9 --out g.html", ["corpus"]),
    Case("book", "book --force corpus --count 20 --remember s.index --index i.csv --out b.pdf", ["corpus"]),
    Case("book epub", "book --force corpus --count 6 --with steps --date 2027-01-31 --remember s.index --out b.epub", ["corpus"]),
    Case("book play", "book --force corpus --count 6 --remember s.index --out b.html", ["corpus"]),
    Case("book volumes", "book --force corpus --count 12 --volumes 2 --index i.csv --out v-%.pdf", ["corpus"]),
    Case("report", "report --force corpus --out r.html", ["corpus"]),
    Case("query", f"query --force {SQL} corpus --out q.parquet", ["corpus"]),
    Case("query csv", f"query --force {SQL} corpus --out q.csv", ["corpus"]),
    Case("query sqlite", f"query --force {SQL} corpus --out q.sqlite", ["corpus"]),
    Case("stats", "stats --force givens,hodoku_score corpus --out s.json", ["corpus"]),
    Case("generate", "generate --force --count 1500 --out g.parquet"),
    Case("dig", "dig --force grids.txt --out d.csv.zst", ["grids.txt"]),
    Case("mask", "mask --force heart --count 2 --out m.csv"),
    Case("analyze", "analyze --force nine.csv --out a.csv", ["nine.csv"]),
    Case("analyze into", "analyze --force nine.csv --ratings se --steps --out rated", ["nine.csv"]),
    Case("generate into", "generate --force --count 15000 --out grids", []),
    Case("dig into", "dig --force grids.txt --out dug/", ["grids.txt"]),
    Case("analyze steps", "analyze --force nine.csv --out a.parquet --steps-out s.parquet", ["nine.csv"]),
    Case("export weighted", "export --force weighted --count 2 --pick weighted --out s.parquet", ["weighted"]),
    Case("audit", "audit --force nine.csv grids.txt --out a.html --out a.json", ["nine.csv", "grids.txt"]),
    Case("score", "score --force nine.csv nine --answer solution --out s.html --out s.json", ["nine.csv", "nine"]),
    Case("release", "release nine --out release --license cc0-1.0", ["nine"], "release"),
    Case("release again", "release --force nine --out earlier --license cc0-1.0 --title Second", ["nine", "earlier"]),
    Case("coverage", "coverage --force weighted --out c.parquet", ["weighted"]),
    Case("solve", f"solve --force {PUZZLE} --steps --out s.html"),
    Case("hint", f"hint --force {PUZZLE} --out h.svg"),
    Case("book cover", "book --force corpus --count 6 --out b.pdf --cover c.svg", ["corpus"]),
    Case("man", "man --force --out m"),
]
# Commands that print.
PRINTING = [
    Case("run --json", "run flat.toml --out c --json", ["flat.toml"]),
    Case("query to stdout", "query SELECT%%puzzle%%FROM%%puzzles corpus", ["corpus"]),
    Case("stats to stdout", "stats givens corpus", ["corpus"]),
    Case("export to stdout", "export corpus --count 5 --out -", ["corpus"]),
    Case("export remember to stdout", "export corpus --count 5 --except s.index --remember s.index --out -", ["corpus", "s.index"]),
    Case("book remember to stdout", "book corpus --count 4 --remember s.index --out -", ["corpus"]),
    Case("list schema", "list schema"),
    Case("report to stdout", "report corpus --out -", ["corpus"]),
    Case("generate to stdout", "generate --count 5"),
    Case("dig to stdout", "dig grids.txt", ["grids.txt"]),
    Case("analyze to stdout", "analyze nine.csv", ["nine.csv"]),
    Case("audit to stdout", "audit nine.csv", ["nine.csv"]),
    Case("solve line", f"solve {PUZZLE}"),
    Case("solve file", "solve nine.csv", ["nine.csv"]),
    Case("hint line", f"hint {PUZZLE}"),
    Case("check", f"check {PUZZLE}"),
    Case("number", "number nine.csv", ["nine.csv"]),
    Case("list", "list methods"),
    Case("guide", "guide"),
    Case("completions", "completions bash"),
    Case("--help", "--help"),
    Case("run --help", "run --help"),
    Case("--version", "--version"),
    Case("dry run", "run flat.toml --dry-run", ["flat.toml"]),
]
QUIET = [Case("verify", "verify corpus", ["corpus"])]


class World:
    """A folder of inputs, the program, and the faults that were found."""

    def __init__(self, program: Path, place: Path) -> None:
        self.program, self.place, self.inputs = program, place, place / "inputs"
        self.inputs.mkdir()
        self.faults: list[str] = []
        self.known: dict[str, dict[str, bytes]] = {}
        self.times: dict[str, float] = {}
        self.trial = ""
        self.elsewhere: list[Path] = []  # folders on other devices
        for name, extra in {"flat": "", "csv": 'format = "csv.zst"', "other": "seed = 3"}.items():
            (self.inputs / f"{name}.toml").write_text(RECIPE.format(extra=extra))
        (self.inputs / "steps.toml").write_text(RECIPE.format(extra="") + "steps = true\n")
        (self.inputs / "night.toml").write_text(NIGHT)
        (self.inputs / "nine.csv").write_text(f"puzzle\n{PUZZLE}\n")
        for words in [
            "run flat.toml --out corpus",
            "run flat.toml --out a --parts 0",
            "run flat.toml --out b --parts 1..2",
            "export corpus --count 10 --remember s.index --out first.sdm",
            "generate --count 400 --out grids.txt",
            "run --count 60 --ratings none --out nine",
            "export --force nine --count 60 --out nine.csv",
            "release nine --out earlier --license cc0-1.0 --title First",
            "run --count 2000 --techniques none --ratings none --weight --out weighted",
        ]:
            done = self.run(words, self.inputs)
            assert done.code == 0, f"{words}: {done.code}: {done.said}"

    def fault(self, what: str) -> None:
        self.faults.append(f"{self.trial}: {what}")

    def words(self, words: str) -> list[str]:
        return [str(self.program), *(word.replace("%%", " ") for word in words.split())]

    def start(self, words: str, folder: Path, before: list[str] | None = None, env: dict[str, str] | None = None, **how: object) -> subprocess.Popen:
        """Starts the program in a folder. Its temporary folder is in that folder, so that all that it leaves is seen."""
        (folder / "tmp").mkdir(exist_ok=True)
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
        env = os.environ | {"TMPDIR": str(folder / "tmp")} | (env or {})
        return subprocess.Popen([*(before or []), *self.words(words)], cwd=folder, env=env, start_new_session=True, **{**quiet, **how})

    def run(self, words: str, folder: Path, env: dict[str, str] | None = None, patience: float | None = None, killed: bool = False, **how: object) -> Done:
        """Runs the program to its end. A program that hangs, panics or ends in an unknown way is a fault. With `patience`, a
        program that takes more seconds is killed, and this is no fault."""
        with tempfile.TemporaryFile(dir=self.place) as said:
            child = self.start(words, folder, env=env, **{"stderr": said, **how})
            done = self.finish(child, words, killed, patience)
            said.seek(0)
            done.said = said.read().decode(errors="replace").strip()
        if "panicked" in done.said:
            self.fault(f"`{words}` panics: {done.said}")
        return done

    def finish(self, child: subprocess.Popen, words: str, killed: bool = False, patience: float | None = None) -> Done:
        """Waits for the end of the program. Only a `killed` one may end by a signal."""
        try:
            code = child.wait(timeout=patience or HANGS)
        except subprocess.TimeoutExpired:
            kill_group(child)
            if patience is None:
                self.fault(f"`{words}` hangs")
            return Done(-signal.SIGKILL)
        expected = code in CODES and (code != BUSY or words.startswith("nightly"))
        if not expected and not (killed and code < 0):
            self.fault(f"`{words}` ends with {code}")
        return Done(code)

    def killed(self, words: str, folder: Path, seconds: float) -> bool:
        """Starts the program and kills it after some time. True if it had not ended before."""
        child = self.start(words, folder)
        time.sleep(seconds)
        hit = child.poll() is None
        kill_group(child)
        return hit

    def fresh(self, *cases: Case) -> Path:
        """A new folder with the inputs of some commands."""
        folder = Path(tempfile.mkdtemp(dir=self.place))
        (folder / "tmp").mkdir()
        for need in {need for case in cases for need in case.needs}:
            copy(self.inputs / need, folder / need)
        return folder

    def again(self, case: Case, folder: Path) -> Done:
        if not case.once or not (folder / case.once).exists():
            return self.run(case.words, folder)
        # Another output, so that the next command cleans up.
        done = self.run(case.words.replace(f"--out {case.once}", "--out another"), folder)
        shutil.rmtree(folder / "another", ignore_errors=True)
        return done

    def whole(self, case: Case) -> dict[str, bytes]:
        """The files that an undisturbed run makes."""
        if case.name not in self.known:
            folder = self.fresh(case)
            began = time.monotonic()
            done = self.again(case, folder)
            self.times[case.name] = time.monotonic() - began
            assert done.code == 0, f"{case.name}: exit code {done.code}: {done.said}"
            self.known[case.name] = contents(folder)
            shutil.rmtree(folder)
        return self.known[case.name]

    def compare(self, folder: Path, whole: dict[str, bytes], when: str = "after the rerun", temporary: bool = False) -> bool:
        """Checks that a folder has the same bytes, and no temporary file unless it is allowed."""
        there = {name: data for name, data in contents(folder).items() if not (temporary and TEMPORARY.search(name))}
        wrong = differences(there, whole)
        if wrong:
            self.fault(f"differs {when}: {', '.join(wrong[:6])}")
        return not wrong

    def halves(self, folder: Path, whole: dict[str, bytes]) -> int:
        """Checks before a rerun: each file is absent or complete. Returns the number of temporary files."""
        there = contents(folder)
        for name, data in there.items():
            # An empty folder is made for what comes into it.
            growing = TEMPORARY.search(name) or GROWING.search(name) or (name.endswith("/") and not name.startswith("tmp/"))
            if not growing and data != whole.get(name) and not name.startswith("earlier/"):
                self.fault(f"{name} is not complete")
        # A folder that is replaced is the new one, the earlier one, or a rest of the earlier one with its list.
        kept = {name: data for name, data in there.items() if not TEMPORARY.search(name)}
        before, after, now = (of_folder(files, "earlier") for files in (contents(self.inputs), whole, kept))
        is_rest = all(data == before.get(name) or name.endswith("/") for name, data in now.items())
        if after and now != after and not is_rest:
            self.fault(f"the folder is neither the earlier one nor the new one: {', '.join(now)}")
        return sum(1 for name in there if TEMPORARY.search(name))

    def finished(self, case: Case, folder: Path, whole: dict[str, bytes], temporary: bool = False) -> bool:
        """Runs a command again after a fault: it succeeds, the bytes are the same, nothing is left, or only what may be."""
        done = self.again(case, folder)
        if done.code != 0:
            self.fault(f"the rerun ends with {done.code}: {done.said[-300:]}")
        good = done.code == 0 and self.compare(folder, whole, temporary=temporary)
        shutil.rmtree(folder)
        return good


@dataclass
class Done:
    """How a program ended, and what it said on stderr."""

    code: int
    said: str = ""


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copy2(source, target)


def contents(folder: Path) -> dict[str, bytes]:
    """The bytes of all files in a folder by their names. Empty folders count too."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink() or UNSTEADY.search(path.name) or name == "tmp":
            continue
        if path.is_file():
            found[name] = meaning(path)
        elif path.is_dir() and not any(path.iterdir()):
            found[f"{name}/"] = b""
    return found


def differences(one: dict[str, bytes], two: dict[str, bytes]) -> list[str]:
    """The names of the files that differ or are on one side only."""
    return [name for name in sorted(one.keys() | two.keys()) if one.get(name) != two.get(name)]


def of_folder(files: dict[str, bytes], folder: str) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if name.startswith(f"{folder}/")}


def meaning(path: Path) -> bytes:
    """The bytes of a file. Of an index: the classes that it holds, each once, and the checksums of the outputs that are done. A
    command that is killed between its choice and its output has begun a publication that the rerun ends."""
    data = path.read_bytes()
    if not re.search(r"\.index$|\.classes$", path.name) or not data.startswith(b"SQLite format 3\0"):
        return data
    with tempfile.TemporaryDirectory() as place:
        # Opening an index ends what a killed command began, so a copy is opened.
        for name in (path.name, path.name + "-journal"):
            if path.with_name(name).exists():
                shutil.copy(path.with_name(name), place)
        base = sqlite3.connect(Path(place) / path.name)
        if base.execute("PRAGMA page_count").fetchone() == (0,):
            # An index of an earlier version, whose first commit was undone.
            base.close()
            return b""
        classes = [text for (text,) in base.execute("SELECT DISTINCT class FROM published ORDER BY class")]
        done = [text for (text,) in base.execute("SELECT blake3 FROM publication WHERE blake3 NOT NULL AND state = 'done' ORDER BY blake3")]
        # The checksums of several files stand before their names, which are those of this folder.
        sums = [line.split()[0] for text in done for line in text.splitlines()]
        base.close()
    return "\n".join(classes + sums).encode()


def kill_group(child: subprocess.Popen) -> None:
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
    # A process of the group that has not ended still holds its locks. Then the rerun would find the folder busy.
    for _ in range(100):
        try:
            os.killpg(child.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)


def rng_of(seed: int, kind: str, trial: int) -> random.Random:
    """The random numbers of one trial depend on nothing else, so that it can be repeated alone."""
    return random.Random(f"{seed} {kind} {trial}")
