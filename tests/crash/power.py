"""Power cuts: the system calls of a run are recorded (strace) and replayed up to every point, in three ways: all data is on the
disk; only synchronised data is; names are on the disk, but data that was not synchronised is lost. The same command, run again,
gives the same bytes."""

from __future__ import annotations

import os
import random
import re
import shutil
from pathlib import Path

from world import CASES, Case, World

# The folder of a night is like that of a run; the others write no corpus and no index.
WITHOUT = ("nightly", "man", "report", "run outputs")
DEFAULT = len(CASES) - len(WITHOUT)
SMALL = 0
HEAD = "| command | calls recorded | different disks after a power cut | reruns equal to the byte |\n|---|--:|--:|--:|"


def missing() -> str | None:
    """Why these tests cannot run here."""
    return None if shutil.which("strace") else "power cuts need strace"

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
    trace = "openat,open,creat,read,write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,close,ftruncate,lseek,dup,fcntl"
    before = ["strace", "-f", "-qq", "-xx", "-s", "16777216", "-o", str(log), "-e", f"trace={trace}"]
    code = world.start(case.on_one_thread, folder, before).wait()
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
        elif name == "read" and opened.get(descriptor, ("",))[0] == "file":
            calls.append(("read", opened[descriptor][2], result))
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
        elif kind == "read" and call[1] in self.handles:
            self.handles[call[1]][1] += call[2]
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


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    case = [case for case in CASES if case.name not in WITHOUT][number % (len(CASES) - len(WITHOUT))]
    whole = world.whole(case)
    source = world.fresh(case)
    start = {str(p.relative_to(source)): p.read_bytes() for p in sorted(source.rglob("*")) if p.is_file()}
    folders = {str(p.relative_to(source)) for p in source.rglob("*") if p.is_dir()}
    shutil.rmtree(source)
    place, calls = recorded(world, case)
    disk, seen, good, name = Disk(start, folders), set(), 0, world.trial
    for number in range(len(calls) + 1):
        # Some calls change no file.
        same = number > 0 and calls[number - 1][0] in ("read", "seek", "open")
        for way, (files, below) in enumerate([] if same else disk.states()):
            key = (frozenset(files.items()), frozenset(below))
            if key in seen:
                continue
            seen.add(key)
            # The same path as before, because an index stores the full paths of its outputs.
            place.mkdir()
            for folder in sorted(below):
                (place / folder).mkdir(parents=True, exist_ok=True)
            for file, data in files.items():
                if (place / file).parent.is_dir():
                    (place / file).write_bytes(data)
            world.trial = f"{name} ({case.name}, after call {number}, way {way})"
            good += world.finished(case, place, whole)
        if number < len(calls):
            disk.do(calls[number])
    return f"`{case.name}`", [len(calls), len(seen), good]
