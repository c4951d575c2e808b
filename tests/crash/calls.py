"""System calls: strace lets one system call of a command fail, or this call and all later calls of its kind.

All inputs are healthy, so no command may call one of them damaged (exit code 3), and none of their files may be lost. A command fails
with a message, or it succeeds although the call failed; then its files are complete. It never panics and never hangs. Where memory is
refused, a process may abort."""

from __future__ import annotations

import errno
import random
import re
import shutil
import signal
from pathlib import Path

from world import CASES, PRINTING, QUIET, World, contents

DEFAULT = 2000
SMALL = 60
HEAD = "| system call | commands | call failed | command failed | reruns equal to the byte, nothing left |\n|---|--:|--:|--:|--:|"

# Without close: the standard library ends a program whose folder cannot be closed.
CALLS = (
    "read pread64 readv write pwrite64 writev openat fsync fdatasync rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir "
    "statx newfstatat fstat getdents64 lseek ftruncate fallocate mmap mremap munmap mprotect madvise clone3 flock fcntl ioctl readlink "
    "readlinkat symlink fchmod fchown getcwd copy_file_range sendfile prlimit64 sched_getaffinity pipe2 socketpair"
).split()
# Errors that a call may give. The rest fail with one of the first three.
ERRORS = {
    **dict.fromkeys(("mmap", "mremap", "mprotect", "madvise"), ("ENOMEM",)),
    "clone3": ("EAGAIN", "ENOMEM"),
    "openat": ("EIO", "EACCES", "EMFILE", "ENFILE", "ESTALE", "ELOOP"),
    "statx": ("EIO", "EACCES", "ESTALE", "ENOSYS"),
    "flock": ("EIO", "ENOLCK"),
    "write": ("EIO", "ENOSPC", "EDQUOT", "EFBIG"),
}
USUAL = ("EIO", "EACCES", "ESTALE")
MEMORY = re.compile(r"memory allocation of|out of memory|Cannot allocate memory")
# The system, or the runtime of Rust, ends a program that it cannot start, before it runs.
NOT_LOADED = 127
NOT_STARTED = re.compile(
    r"error while loading shared libraries|cannot allocate memory in static TLS|cannot apply additional memory protection|"
    r"failed to (set up|allocate an) alternative stack"
)


def missing() -> str | None:
    """Why these tests cannot run here."""
    return None if shutil.which("strace") else "system calls need strace"


counted: dict[str, dict[str, int]] = {}


def traced(log: Path, *more: str) -> list[str]:
    return ["strace", "-f", "-qq", "--seccomp-bpf", "-o", str(log), *more]


def counts(world: World, case) -> dict[str, int]:
    """The number of calls of each kind of an undisturbed run."""
    if case.name not in counted:
        folder, log = world.fresh(case), world.place / "calls.log"
        world.run(case.on_one_thread, folder, before=traced(log, "-e", f"trace={','.join(CALLS)}"))
        shutil.rmtree(folder)
        found = re.findall(r"^\d+ +(\w+)\(", log.read_text(errors="replace"), re.MULTILINE)
        counted[case.name] = {call: found.count(call) for call in set(found)}
    return counted[case.name]


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    cases = CASES + QUIET + PRINTING
    case = cases[number % len(cases)]
    whole, there = world.whole(case), counts(world, case)
    call = rng.choice([call for call in CALLS if there.get(call)])
    error, at = rng.choice(ERRORS.get(call, USUAL)), rng.randint(1, there[call])
    lasting = "+" if rng.random() < 0.3 else ""
    world.trial += f" ({error} at {call} {at}{lasting}: `{case.words}`)"
    assert hasattr(errno, error)
    folder, log = world.fresh(case), world.place / "calls.log"
    before, faults = contents(folder), len(world.faults)
    inject = ["-e", f"trace={call}", "-e", f"inject={call}:error={error}:when={at}{lasting}"]
    done = world.run(case.on_one_thread, folder, killed=True, before=traced(log, *inject))
    hit = "INJECTED" in log.read_text(errors="replace")
    # The first mappings are those of the loader and of the C library, which end a program that they cannot start.
    starts = call == "mmap" and at <= 20 and done.code in (-signal.SIGSEGV, -signal.SIGABRT)
    if starts or done.code == NOT_LOADED or NOT_STARTED.search(done.said):
        del world.faults[faults:]
        shutil.rmtree(folder)
        return f"`{call}`", [1, 0, 0, 0]
    if done.code < 0 and not MEMORY.search(done.said):
        world.fault(f"ends with {done.code}: {done.said[-300:]}")
    if done.code == 3:
        world.fault(f"calls a healthy input damaged: {done.said[-300:]}")
    if done.code in (1, 2) and not done.said and case.name != "nightly" and call not in ("write", "writev"):
        world.fault(f"ends with {done.code} and no message")
    unsteady = set(whole) - {name for name, data in before.items() if whole.get(name) == data}
    lost = [name for name, data in before.items() if name not in unsteady and contents(folder).get(name) != data]
    if lost:
        world.fault(f"loses or changes {', '.join(lost[:5])}")
    if case in PRINTING:
        shutil.rmtree(folder)
        return f"`{call}`", [1, hit, hit and done.code != 0, 1]
    if done.code == 0 and call not in ("unlink", "unlinkat", "rmdir", "getdents64", "flock", "openat", "statx"):
        # What is to be cleaned up may stay if the system does not let it go.
        world.compare(folder, whole, "although the command succeeded", temporary=True)
    world.halves(folder, whole)
    return f"`{call}`", [1, hit, hit and done.code != 0, world.finished(case, folder, whole)]
