#!/usr/bin/env python3
"""Tests every command that writes against kills, full disks, failing disks, power cuts and broken streams.

    scripts/crash_test.py --program target/release/sudoku-corpus --report reports/crash.md       all tests, about 20 minutes
    scripts/crash_test.py --program target/release/sudoku-corpus --kills 50 --only kills         a short test

Every command first runs without a fault. Then these tests follow:

  kills    kill -9 at a random moment. Every file under its final name must be complete. The same command, run again, must
           give the same bytes as the first run and leave no temporary file.
  faults   ENOSPC and EIO at each of the first calls of write, fsync, rename and mkdir (strace -e inject). The command must fail
           with a message, or succeed in spite of the error. The same command, run again, must give the same bytes.
  power    The system calls of a run are recorded (strace) and replayed up to every point, in three ways: all data is on the
           disk; only synchronised data is; names are on the disk, but data that was not synchronised is lost. The same
           command, run again, must give the same bytes.
  locks    No system call for a lock succeeds (ENOLCK, as on NFS without its lock service). The bytes must be the same.
  streams  stdout and stderr that cannot be written (/dev/full, a closed pipe). Messages may be lost, but no work. If data
           cannot be written, the command must fail.

Exit codes: 0 no fault, 1 a fault, 2 wrong usage. The tests of faults, power and locks need strace. Without strace they are
skipped with a message.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
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
# Files that may differ from run to run, because they hold times or locks.
UNSTEADY = re.compile(r"(\.lock|\.entries|night\.log|nights\.log|nights\.jsonl|last\.json|nights\.prom)$")
# Files to which lines are only appended, or that mark unfinished work. They may be incomplete before the rerun.
GROWING = re.compile(r"manifest\.jsonl$|\.index$|\.classes$")
# Single stages write NAME.partial.END until the output is complete.
TEMPORARY = re.compile(r"~sudoku-corpus~|\.partial\.|(^|/)\.sudoku-corpus-\w{6}/")


@dataclass
class Case:
    """A command that writes, and the folders and files that it needs."""

    name: str
    words: str
    needs: list[str] = field(default_factory=list)
    once: str = ""
    """The output of a command that refuses to make it again. If it exists, the command is not run again."""


CASES = [
    Case("run", "run flat.toml --out c --threads 2", ["flat.toml"]),
    Case("run csv.zst", "run csv.toml --out c", ["csv.toml"]),
    Case("run hive", "run hive.toml --out c", ["hive.toml"]),
    Case("run distinct", "run distinct.toml --out c", ["distinct.toml"]),
    Case("run outputs", "run night.toml --out c --remember own.index", ["night.toml"]),
    Case("nightly", "nightly night.toml nights --date 2026-11-22", ["night.toml"]),
    Case("manifest", "manifest c a b --recipe flat.toml", ["flat.toml", "a", "b"]),
    Case("export", "export --force corpus --count 20 --except s.index --remember s.index --out x.sdm", ["corpus", "s.index"]),
    Case("export files", "export --force nine.csv --count 3 --remember s.index --out p-%.sdk", ["nine.csv"]),
    Case("export parquet", "export --force corpus --all --out x.parquet", ["corpus"]),
    Case("book", "book --force corpus --count 20 --remember s.index --out b.pdf", ["corpus"]),
    Case("report", "report corpus --out r.html", ["corpus"]),
    Case("query", "query SELECT%%*%%FROM%%puzzles corpus --out q.parquet", ["corpus"]),
    Case("generate", "generate --count 3000 --out g.parquet"),
    Case("dig", "dig grids.txt --out d.csv.zst", ["grids.txt"]),
    Case("analyze", "analyze nine.csv --out a.csv", ["nine.csv"]),
    Case("analyze steps", "analyze nine.csv --out a.parquet --steps s.parquet", ["nine.csv"]),
    Case("export split", "export --force corpus --all --split train=0.8,test=0.2 --apart grid --out {split}.csv", ["corpus"]),
    Case("resample", "resample weighted --count 2 --shares measured --out s.parquet", ["weighted"]),
    Case("audit", "audit nine.csv grids.txt --out a.html --json a.json", ["nine.csv", "grids.txt"]),
    Case("release", "release nine --out release --license cc0-1.0", ["nine"], "release"),
    Case("coverage", "coverage --grid weighted --out c.parquet", ["weighted"]),
    Case("man", "man --out m"),
]


class World:
    """A folder of inputs, the program, and the faults that were found."""

    def __init__(self, program: Path, place: Path) -> None:
        self.program, self.place, self.inputs = program, place, place / "inputs"
        self.inputs.mkdir()
        self.faults: list[str] = []
        for name, extra in {"flat": "", "csv": 'format = "csv.zst"', "hive": 'layout = "hive"', "distinct": "distinct = true"}.items():
            (self.inputs / f"{name}.toml").write_text(RECIPE.format(extra=extra))
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
            "run --count 2000 --techniques none --ratings none --out weighted",
        ]:
            done = self.start(words, self.inputs).wait()
            assert done == 0, f"{words}: {done}"

    def words(self, words: str) -> list[str]:
        return [str(self.program), *(word.replace("%%", " ") for word in words.split())]

    def start(self, words: str, folder: Path, before: list[str] | None = None, **streams: object) -> subprocess.Popen:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
        return subprocess.Popen([*(before or []), *self.words(words)], cwd=folder, start_new_session=True, **{**quiet, **streams})

    def fresh(self, case: Case) -> Path:
        """A new folder with the inputs of a case."""
        folder = Path(tempfile.mkdtemp(dir=self.place))
        for need in case.needs:
            source = self.inputs / need
            if source.is_dir():
                shutil.copytree(source, folder / need, symlinks=True)
            else:
                shutil.copy2(source, folder / need)
        return folder

    def again(self, case: Case, folder: Path) -> int:
        if case.once and (folder / case.once).exists():
            return 0
        return self.start(case.words, folder).wait()

    def whole(self, case: Case) -> dict[str, bytes]:
        """The files that an undisturbed run makes."""
        folder = self.fresh(case)
        code = self.again(case, folder)
        assert code == 0, f"{case.name}: exit code {code}"
        files = contents(folder)
        shutil.rmtree(folder)
        return files

    def compare(self, what: str, folder: Path, whole: dict[str, bytes]) -> bool:
        """Checks after a rerun: the same bytes, and no temporary file."""
        there = contents(folder)
        wrong = [name for name in sorted(there.keys() | whole.keys()) if there.get(name) != whole.get(name)]
        if wrong:
            self.faults.append(f"{what}: differs after the rerun: {', '.join(wrong[:4])}")
        return not wrong

    def halves(self, what: str, folder: Path, whole: dict[str, bytes]) -> int:
        """Checks before a rerun: each file is absent or complete. Returns the number of temporary files."""
        there = contents(folder)
        for name, data in there.items():
            if not TEMPORARY.search(name) and not GROWING.search(name) and data != whole.get(name):
                self.faults.append(f"{what}: {name} is not complete")
        return sum(1 for name in there if TEMPORARY.search(name))


def contents(folder: Path) -> dict[str, bytes]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    return {str(path.relative_to(folder)): meaning(path) for path in files if not UNSTEADY.search(path.name)}


def meaning(path: Path) -> bytes:
    """The bytes of a file. Of an index: the classes that it holds, each once, and the checksums of the outputs. A command that
    is killed between its choice and its output has written lines that the rerun writes again."""
    data = path.read_bytes()
    if not re.search(r"\.index$|\.classes$", path.name) or not data.startswith(b"sudoku-corpus index 2\n"):
        return data
    classes, sums = set(), set()
    for line in data.decode().splitlines()[1:]:
        value = json.loads(line.split(" ", 1)[1])
        text = value.get("classes", "")
        classes |= {text[at : at + 32] for at in range(0, len(text), 32)}
        sums |= {value["blake3"]} if "blake3" in value else set()
    return "\n".join(sorted(classes) + sorted(sums)).encode()


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


def kills(world: World, count: int, rng: random.Random) -> list[str]:
    rows = []
    for at, case in enumerate(CASES):
        mine = count // len(CASES) + (at < count % len(CASES))
        whole = world.whole(case)
        began = time.monotonic()
        folder = world.fresh(case)
        world.again(case, folder)
        usual = time.monotonic() - began
        shutil.rmtree(folder)
        hit, left, good = 0, 0, 0
        for number in range(mine):
            folder = world.fresh(case)
            for _ in range(rng.choice([1, 1, 1, 2])):
                child = world.start(case.words, folder)
                time.sleep(rng.random() * usual * 1.05)
                hit += child.poll() is None
                kill_group(child)
                left += world.halves(f"{case.name}, kill {number}", folder, whole)
            code = world.again(case, folder)
            if code != 0:
                world.faults.append(f"{case.name}, kill {number}: the rerun ends with {code}")
            good += code == 0 and world.compare(f"{case.name}, kill {number}", folder, whole)
            shutil.rmtree(folder)
        rows.append(f"| `{case.name}` | {hit} | {left} | {good} of {mine} |")
    head = "| command | kills that hit | temporary files before the rerun | reruns equal to the byte, nothing left |"
    return ["## Kills", "", head, "|---|--:|--:|--:|", *rows, ""]


CALLS = {"write": "write,pwrite64,writev", "fsync": "fsync,fdatasync", "rename": "rename,renameat,renameat2", "mkdir": "mkdir,mkdirat"}


def faults(world: World, most: int) -> list[str]:
    rows = []
    for case in CASES:
        if case.name in ("nightly", "run csv.zst", "export parquet", "generate", "dig", "man"):
            continue  # these use the same writers as other commands, or make no corpus and no index
        whole = world.whole(case)
        tried = failed = 0
        for error in ("ENOSPC", "EIO"):
            for calls in CALLS.values():
                for number in range(1, most + 1):
                    folder = world.fresh(case)
                    log = world.place / "strace"
                    inject = ["strace", "-f", "-qq", "-o", str(log), "-e", f"trace={calls}", "-e", f"inject={calls}:error={error}:when={number}"]
                    child = world.start(case.words.replace("--threads 2", "") + " --threads 1", folder, inject)
                    try:
                        code = child.wait(timeout=60)
                    except subprocess.TimeoutExpired:
                        # strace also injects errors into an eventfd, and then a thread is never woken. This is not a disk fault.
                        kill_group(child)
                        shutil.rmtree(folder)
                        continue
                    injected = "INJECTED" in log.read_text(errors="replace")
                    what = f"{case.name}, {error} at {calls} {number}"
                    if not injected:
                        shutil.rmtree(folder)
                        break
                    tried += 1
                    failed += code != 0
                    if code not in (0, 1, 2):
                        world.faults.append(f"{what}: exit code {code}")
                    world.halves(what, folder, whole)
                    if world.again(case, folder) != 0:
                        world.faults.append(f"{what}: the rerun fails")
                    world.compare(what, folder, whole)
                    shutil.rmtree(folder)
        rows.append(f"| `{case.name}` | {tried} | {failed} | {tried - failed} |")
    head = "| command | errors injected | command failed | not affected (the error hit a message or a lock) |"
    return ["## ENOSPC and EIO at every write, fsync, rename and mkdir", "", head, "|---|--:|--:|--:|", *rows, ""]


# ---- power cuts -----------------------------------------------------------------------------------------------------

CALL = re.compile(r"^(\d+)\s+(\w+)\((.*)\)\s*= (-?\d+)")
UNFINISHED = re.compile(r"^(\d+)\s+(\w+)\((.*) <unfinished \.\.\.>$")
RESUMED = re.compile(r"^(\d+)\s+<\.\.\. (\w+) resumed>(.*)$")


def text(quoted: str) -> bytes:
    return bytes(int(quoted[at + 2 : at + 4], 16) for at in range(0, len(quoted), 4))


def strings(arguments: str) -> list[bytes]:
    return [text(match) for match in re.findall(r'"((?:\\x[0-9a-f]{2})*)"', arguments)]


def recorded(world: World, case: Case) -> tuple[Path, list[tuple]]:
    """The calls of a run that change the folder: (create, path, id), (write, id, data), (sync, id or folder), ..."""
    folder = world.fresh(case)
    log = world.place / "calls"
    trace = "openat,open,creat,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,close,ftruncate,lseek,dup,fcntl"
    before = ["strace", "-f", "-qq", "-xx", "-s", "16777216", "-o", str(log), "-e", f"trace={trace}"]
    words = case.words.replace("--threads 2", "") + " --threads 1"
    code = world.start(words, folder, before).wait()
    assert code == 0, f"{case.name} under strace: {code}"
    waiting: dict[str, str] = {}
    opened: dict[int, tuple] = {}
    calls, numbers = [], iter(range(1 << 30))
    root = str(folder).encode()

    def inside(path: bytes) -> str | None:
        whole = os.path.normpath(path if path.startswith(b"/") else root + b"/" + path)
        return os.path.relpath(whole, root).decode() if whole == root or whole.startswith(root + b"/") else None

    for line in log.read_text().splitlines():
        if begun := UNFINISHED.match(line):
            waiting[begun[1]] = begun[3]
            continue
        if ended := RESUMED.match(line):
            line = f"{ended[1]} {ended[2]}({waiting.pop(ended[1], '')}{ended[3]}"
        found = CALL.match(line)
        if not found or int(found[4]) < 0:
            continue
        name, arguments, result = found[2], found[3], int(found[4])
        first = re.match(r"(\d+)", arguments)
        descriptor = int(first[1]) if first else -1
        if name in ("open", "openat", "creat"):
            path = inside(strings(arguments)[0])
            if path is None:
                opened.pop(result, None)
            elif "O_DIRECTORY" in arguments or (folder / path).is_dir():
                opened[result] = ("folder", path)
            else:
                if "O_CREAT" in arguments:
                    calls.append(("create", path))
                if "O_TRUNC" in arguments:
                    calls.append(("truncate", path))
                opened[result] = ("file", path, next(numbers))
                calls.append(("open", path, opened[result][2], "O_APPEND" in arguments))
        elif name == "fcntl" and "F_DUPFD" in arguments and descriptor in opened:
            opened[result] = opened[descriptor]
        elif name == "close":
            opened.pop(descriptor, None)
        elif name in ("write", "pwrite64") and opened.get(descriptor, ("",))[0] == "file":
            data = strings(arguments)[0][:result]
            at = int(arguments.rsplit(",", 1)[1]) if name == "pwrite64" else None
            calls.append(("write", opened[descriptor][2], data, at))
        elif name == "lseek" and opened.get(descriptor, ("",))[0] == "file":
            calls.append(("seek", opened[descriptor][2], result))
        elif name in ("fsync", "fdatasync") and descriptor in opened:
            calls.append(("sync", *opened[descriptor]))
        elif name.startswith("rename"):
            old, new = (inside(path) for path in strings(arguments)[:2])
            if old and new:
                calls.append(("rename", old, new))
        elif name.startswith("unlink"):
            if path := inside(strings(arguments)[0]):
                calls.append(("unlink", path))
        elif name.startswith("mkdir"):
            if path := inside(strings(arguments)[0]):
                calls.append(("mkdir", path))
    shutil.rmtree(folder)
    return folder, calls


class Disk:
    """A model of a file system that knows what is on the disk and what is only in memory."""

    def __init__(self, start: dict[str, bytes], folders: set[str]) -> None:
        self.names = {path: at for at, path in enumerate(start)}
        self.data = {at: bytearray(data) for at, data in enumerate(start.values())}
        self.folders = set(folders)
        self.kept_names, self.kept_folders = dict(self.names), set(self.folders)
        self.kept_data = {at: bytes(data) for at, data in self.data.items()}
        self.handles: dict[int, list] = {}

    def do(self, call: tuple) -> None:
        kind = call[0]
        if kind == "create" and call[1] not in self.names:
            self.names[call[1]] = len(self.data)
            self.data[len(self.data)] = bytearray()
        elif kind == "truncate" and call[1] in self.names:
            del self.data[self.names[call[1]]][:]
        elif kind == "open" and call[1] in self.names:
            self.handles[call[2]] = [self.names[call[1]], 0, call[3]]
        elif kind == "seek" and call[1] in self.handles:
            self.handles[call[1]][1] = call[2]
        elif kind == "write" and call[1] in self.handles:
            handle = self.handles[call[1]]
            data = self.data[handle[0]]
            at = call[3] if call[3] is not None else len(data) if handle[2] else handle[1]
            data[at : at + len(call[2])] = call[2]
            if call[3] is None:
                handle[1] = at + len(call[2])
        elif kind == "rename" and call[1] in self.names:
            self.names[call[2]] = self.names.pop(call[1])
        elif kind == "unlink":
            self.names.pop(call[1], None)
        elif kind == "mkdir":
            self.folders.add(call[1])
        elif kind == "sync" and call[1] == "file" and call[3] in self.handles:
            at = self.handles[call[3]][0]
            self.kept_data[at] = bytes(self.data[at])
        elif kind == "sync" and call[1] == "folder":
            inside = lambda path: (os.path.dirname(path) or ".") == call[2]
            self.kept_names = {p: at for p, at in self.kept_names.items() if not inside(p)} | {p: at for p, at in self.names.items() if inside(p)}
            self.kept_folders = {p for p in self.kept_folders if not inside(p)} | {p for p in self.folders if inside(p)}

    def states(self) -> list[tuple[dict[str, bytes], set[str]]]:
        """The possible contents of the disk after a power cut."""
        everything = {path: bytes(self.data[at]) for path, at in self.names.items()}
        kept = {path: self.kept_data.get(at, b"") for path, at in self.kept_names.items()}
        lost = {path: self.kept_data.get(at, b"") for path, at in self.names.items()}
        reachable = {path: data for path, data in kept.items() if all(part in self.kept_folders for part in above(path))}
        return [(everything, self.folders), (reachable, self.kept_folders), (lost, self.folders)]


def above(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: at + 1]) for at in range(len(parts))]


def power(world: World) -> list[str]:
    rows = []
    for case in CASES:
        if case.name in ("nightly", "man", "report", "run outputs"):
            continue  # the folder of a night is like that of a run; the others write no corpus and no index
        whole = world.whole(case)
        source = world.fresh(case)
        start = {str(p.relative_to(source)): p.read_bytes() for p in sorted(source.rglob("*")) if p.is_file()}
        folders = {str(p.relative_to(source)) for p in source.rglob("*") if p.is_dir()}
        shutil.rmtree(source)
        place, calls = recorded(world, case)
        disk, seen, good = Disk(start, folders), set(), 0
        for number in range(len(calls) + 1):
            for way, (files, below) in enumerate(disk.states()):
                key = (frozenset(files.items()), frozenset(below))
                if key in seen:
                    continue
                seen.add(key)
                # The same path as before, because an index stores the full paths of its outputs.
                folder = place
                folder.mkdir()
                for name in sorted(below):
                    (folder / name).mkdir(parents=True, exist_ok=True)
                for name, data in files.items():
                    if (folder / name).parent.is_dir():
                        (folder / name).write_bytes(data)
                what = f"{case.name}, power cut after call {number}, way {way}"
                code = world.again(case, folder)
                if code != 0:
                    world.faults.append(f"{what}: the rerun ends with {code}")
                good += code == 0 and world.compare(what, folder, whole)
                shutil.rmtree(folder)
            if number < len(calls):
                disk.do(calls[number])
        rows.append(f"| `{case.name}` | {len(calls)} | {len(seen)} | {good} |")
    head = "| command | calls recorded | different disks after a power cut | reruns equal to the byte |"
    return ["## Power cuts", "", head, "|---|--:|--:|--:|", *rows, ""]


def streams(world: World) -> list[str]:
    """Runs commands that write files with an unwritable stderr, and commands that print with an unwritable stdout."""
    printing = [
        Case("run --json", "run flat.toml --out c --json", ["flat.toml"]),
        Case("query to stdout", "query SELECT%%puzzle%%FROM%%puzzles corpus", ["corpus"]),
        Case("export to stdout", "export corpus --count 5 --out -", ["corpus"]),
        Case("export --schema", "export --schema"),
        Case("report to stdout", "report corpus --out -", ["corpus"]),
        Case("generate", "generate --count 5"),
        Case("solve", f"solve {PUZZLE}"),
        Case("hint", f"hint {PUZZLE}"),
        Case("check", f"check {PUZZLE}"),
        Case("list", "list methods"),
        Case("guide", "guide"),
        Case("completions", "completions bash"),
        Case("--help", "--help"),
        Case("run --help", "run --help"),
        Case("--version", "--version"),
        Case("dry run", "run flat.toml --dry-run", ["flat.toml"]),
        Case("nightly", "nightly night.toml nights --date 2026-11-22", ["night.toml"]),
    ]
    quiet = wrong = 0
    for case in CASES + [Case("verify", "verify corpus", ["corpus"])]:
        whole = world.whole(case)
        for stream in ("full", "pipe"):
            folder = world.fresh(case)
            with broken(stream) as closed:
                code = world.start(case.words, folder, stderr=closed).wait()
            quiet += 1
            if code != 0:
                world.faults.append(f"{case.name}, stderr {stream}: exit code {code}")
            world.compare(f"{case.name}, stderr {stream}", folder, whole)
            shutil.rmtree(folder)
    for case in printing:
        folder = world.fresh(case)
        with broken("full") as closed:
            code = world.start(case.words, folder, stdout=closed).wait()
        wrong += 1
        if code not in (1, 3):
            world.faults.append(f"{case.name}, stdout full: exit code {code}")
        shutil.rmtree(folder)
        folder = world.fresh(case)
        with broken("pipe") as closed:
            code = world.start(case.words, folder, stdout=closed).wait()
        wrong += 1
        if code not in (0, 1):
            world.faults.append(f"{case.name}, stdout closed: exit code {code}")
        shutil.rmtree(folder)
    return ["## Streams", "", f"{quiet} commands with a stderr that cannot be written, {wrong} with a stdout that cannot be written.", ""]


def locks(world: World) -> list[str]:
    """Runs every command as if the file system had no locks, such as NFS without its lock service."""
    good = 0
    for case in CASES:
        whole = world.whole(case)
        folder = world.fresh(case)
        inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=flock:error=ENOLCK"]
        code = world.start(case.words, folder, inject).wait()
        if code != 0:
            world.faults.append(f"{case.name}, no locks: exit code {code}")
        good += code == 0 and world.compare(f"{case.name}, no locks", folder, whole)
        shutil.rmtree(folder)
    return ["## No locks", "", f"{good} of {len(CASES)} commands make the same bytes if every lock fails with ENOLCK.", ""]


def broken(kind: str):
    if kind == "full":
        return open("/dev/full", "wb")
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "wb", closefd=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=Path("target/release/sudoku-corpus"), help="the program to test")
    parser.add_argument("--kills", type=int, default=1000, help="number of kills")
    parser.add_argument("--most", type=int, default=12, help="inject errors into the first N calls of each kind")
    parser.add_argument("--seed", type=int, default=1, help="seed of the moments of the kills")
    parser.add_argument(
        "--only", choices=["kills", "faults", "power", "locks", "streams"], action="append", help="run only this test; may be repeated"
    )
    parser.add_argument("--report", type=Path, help="write the report to this file; the default is standard output")
    args = parser.parse_args()
    wanted = args.only or ["kills", "faults", "power", "locks", "streams"]
    if shutil.which("strace") is None and {"faults", "power", "locks"} & set(wanted):
        if os.environ.get("REQUIRE_TOOLS"):
            print("strace is missing", file=sys.stderr)
            return 1
        print("SKIPPED: faults, power and locks need strace", file=sys.stderr)
        wanted = [part for part in wanted if part in ("kills", "streams")]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="crash-") as place:
        world = World(args.program.resolve(), Path(place))
        sections: list[str] = []
        for part in wanted:
            print(f"{part} ...", file=sys.stderr)
            before = len(world.faults)
            sections += {
                "kills": lambda: kills(world, args.kills, random.Random(args.seed)),
                "faults": lambda: faults(world, args.most),
                "power": lambda: power(world),
                "locks": lambda: locks(world),
                "streams": lambda: streams(world),
            }[part]()
            for fault in world.faults[before:][:40]:
                print(f"  {fault}", file=sys.stderr)
    version = subprocess.run([args.program, "--version"], capture_output=True, text=True).stdout.strip()
    lines = [
        "# Crash test",
        "",
        f"`scripts/crash_test.py`, {version}, {datetime.date.today()}, seed {args.seed}, {time.monotonic() - began:.0f} s.",
        f"{len(world.faults)} faults." if world.faults else "No fault.",
        "",
        *sections,
        *(["## Faults", "", *(f"* {fault}" for fault in world.faults), ""] if world.faults else []),
    ]
    if args.report:
        args.report.write_text("\n".join(lines).rstrip() + "\n")
    else:
        print("\n".join(lines))
    return 1 if world.faults else 0


if __name__ == "__main__":
    sys.exit(main())
