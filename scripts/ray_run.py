#!/usr/bin/env python3
"""Makes a corpus on a Ray cluster. All nodes make parts of a recipe, which become one verified corpus.

    pip install ray
    scripts/ray_run.py nightly.toml --out /shared/corpus                  on this machine alone
    scripts/ray_run.py nightly.toml --out /shared/corpus --address auto   from a node of a cluster
    scripts/ray_run.py nightly.toml --out s3://bucket/corpus --ship       no shared folder, no program on the nodes

A task is `sudoku-corpus run --parts K`, which depends only on the recipe and the part. So a part may be made twice, even at
the same time, and a lost task is started again. To continue after any interruption, run the same command: finished parts are
not made again. If a node, worker or driver is lost, only the unfinished parts are lost. Their processes end too, because they
stop when the pipe at their standard input closes.

--out is a folder that every node sees, or an fsspec URL (pip install fsspec and its driver, such as s3fs). A part is finished
if its file is in rows/. In an object store, it gets this name after it was read back and compared.

The state of the corpus goes to stdout as one JSON object, progress to stderr. Exit codes: 0 the corpus is complete, 1 failed,
2 wrong usage or a recipe that cannot be made, 4 stopped early (the same command continues).
"""

from __future__ import annotations

import argparse
import filecmp
import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TextIO

UPLOADS = ".uploads"  # Files that were not compared yet.
LOST = 50  # How often a part may be lost with its node or worker. After that, the part itself is probably the cause.


@dataclass(frozen=True)
class Job:
    """The data that a node needs."""

    recipe: str  # the text of recipe.toml
    parts: int
    suffix: str  # how the names of parts end
    bases: str | None  # base puzzles that the recipe names
    about: tuple[str, str]  # fingerprint and program version that every node must have
    out: str
    binary: str
    shipped: Any = None  # reference to the program itself, when the nodes do not have it
    digest: str = ""
    threads: int = 1
    storage: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Outcome:
    """The result of a task: exit code of the program, the part's JSON line, and stderr."""

    code: int
    line: str = ""
    message: str = ""


class Failure(Exception):
    """Ends the program with a message and an exit code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(code, message)  # what an error is made of again in another process
        self.code = code

    def __str__(self) -> str:
        return self.args[1]


# ---- on the nodes ---------------------------------------------------------------------------------------------------


def run_child(command: list[str]) -> Outcome:
    """Runs the program. It stops when this process dies, because its standard input ends then."""
    read_end, write_end = os.pipe()  # not inherited by other children
    try:
        child = subprocess.Popen(command, stdin=read_end, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        os.close(read_end)
        line, message = child.communicate()
    finally:
        os.close(write_end)
    return Outcome(child.returncode, line.strip(), message.strip())


def make_part(job: Job, part: int) -> Outcome:
    """Makes one part on this node and delivers it."""
    with tempfile.TemporaryDirectory(prefix="sudoku-corpus-") as scratch:
        work = Path(scratch)
        recipe = write_recipe(work, job.recipe, job.bases)
        binary = job.binary if job.shipped is None else unpack(job)
        if not shutil.which(binary):
            return Outcome(2, message=f"no program at {binary} on this node: install it there, or use --ship")
        if about(binary, str(recipe)) != job.about:
            return Outcome(2, message=f"{binary} on this node is another version: it would make other bytes")
        remote = is_url(job.out)
        out = work / "corpus" if remote else Path(job.out)
        command = [binary, "run", str(recipe), "--parts", str(part), "--out", str(out)]
        made = run_child([*command, "--threads", str(job.threads), "--json", "--quiet", "--stop-with-stdin"])
        if made.code == 0 and remote:
            upload(out, made.line, job)
        return made


def unpack(job: Job) -> str:
    """Writes the program of the job to this node's disk, and returns its path. Only this user can enter the folder, and the
    program is not run before its digest was compared."""
    import ray

    folder = Path(tempfile.gettempdir()) / f"sudoku-corpus-of-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    state = folder.lstat()
    if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.getuid() or state.st_mode & 0o077:
        raise Failure(1, f"{folder}: only this user may own and enter this folder; remove it")
    path = folder / job.digest
    if not path.exists() or digest_of(path.read_bytes()) != job.digest:
        program = ray.get(job.shipped)
        if digest_of(program) != job.digest:
            raise Failure(1, "the program that was sent to the node is damaged")
        fresh = path.with_name(f".{os.getpid()}-{time.monotonic_ns()}")
        fresh.write_bytes(program)
        fresh.chmod(0o700)
        fresh.rename(path)
    return str(path)


def digest_of(program: bytes) -> str:
    return hashlib.sha256(program).hexdigest()


def upload(folder: Path, line: str, job: Job) -> None:
    """Puts the files of a part into the store and reads them back. If they are correct, they get their names: the steps first."""
    part = json.loads(line)
    store, root = open_store(job.out, job.storage)
    steps = f"steps/steps-{part['part']:06}.parquet"
    for name in (steps, part["file"]):
        local, target = folder / name, f"{root}/{name}"
        if not local.exists():
            continue
        uploaded = f"{root}/{UPLOADS}/{os.getpid()}-{time.monotonic_ns()}"
        store.makedirs(os.path.dirname(uploaded), exist_ok=True)
        store.makedirs(os.path.dirname(target), exist_ok=True)
        store.put_file(str(local), uploaded)
        back = folder / "back"
        store.get_file(uploaded, str(back))
        if not filecmp.cmp(local, back, shallow=False):
            raise OSError(f"{target} differs from the part that was written")
        store.mv(uploaded, target)


def about_recipe(binary: str, recipe: str) -> dict[str, Any]:
    """The facts about a recipe, from the program."""
    result = subprocess.run([binary, "run", recipe, "--dry-run", "--json"], capture_output=True, text=True)
    if result.returncode != 0:
        raise Failure(result.returncode, result.stderr.strip())
    return json.loads(result.stdout)


def about(binary: str, recipe: str) -> tuple[str, str]:
    """The fingerprint and the program version that the program of this node prints."""
    result = about_recipe(binary, recipe)
    return result["fingerprint"], result["program_version"]


def write_recipe(folder: Path, recipe: str, bases: str | None) -> Path:
    """Writes a canonical recipe and its base puzzles."""
    path = folder / "recipe.toml"
    path.write_text(recipe)
    if bases is not None:
        (folder / "bases.txt").write_text(bases)
    return path


def is_url(out: str) -> bool:
    return "://" in out


def open_store(url: str, options: tuple[tuple[str, Any], ...]) -> tuple[Any, str]:
    """An fsspec file system and the path in it."""
    try:
        import fsspec

        store, root = fsspec.core.url_to_fs(url, **dict(options))
    except (ImportError, ValueError) as error:
        raise Failure(2, f"{url}: {error}") from error
    store.invalidate_cache()
    return store, root.rstrip("/")


# ---- on the driver --------------------------------------------------------------------------------------------------


class Corpus:
    """The corpus in a folder that every node sees."""

    def __init__(self, job: Job, work: Path) -> None:
        self.job, self.work = job, work

    def names(self) -> set[str]:
        """The names of the files in rows/."""
        rows = Path(self.job.out) / "rows"
        return {path.name for path in rows.iterdir()} if rows.is_dir() else set()

    def missing(self) -> list[int]:
        there = self.names()
        return [part for part in range(self.job.parts) if f"part-{part:06}{self.job.suffix}" not in there]

    def begin(self) -> None:
        """Does nothing: each node compares the recipe of the folder."""

    def end(self) -> None:
        """Compares all parts with their checksums. A part that is damaged is made again here."""
        recipe = write_recipe(self.work, self.job.recipe, self.job.bases)
        made = run_child([self.job.binary, "run", str(recipe), "--out", self.job.out, "--quiet", "--stop-with-stdin"])
        if made.code != 0:
            raise Failure(made.code, made.message)


class StoredCorpus(Corpus):
    """The corpus in an object store, whose parts were compared when they were written."""

    def __init__(self, job: Job, work: Path) -> None:
        super().__init__(job, work)
        self.store, self.root = open_store(job.out, job.storage)

    def names(self) -> set[str]:
        self.store.invalidate_cache()
        return {os.path.basename(name) for name in self.store.find(f"{self.root}/rows")}

    def begin(self) -> None:
        self.store.makedirs(self.root, exist_ok=True)
        there = self.read("recipe.toml")
        if there is not None and there != self.job.recipe:
            raise Failure(2, f"{self.job.out} holds a corpus of another recipe or version; choose another place")
        self.put("recipe.toml", self.job.recipe)
        if self.job.bases is not None:
            self.put("bases.txt", self.job.bases)

    def end(self) -> None:
        if not self.missing() and self.store.exists(f"{self.root}/{UPLOADS}"):
            self.store.rm(f"{self.root}/{UPLOADS}", recursive=True)

    def read(self, name: str) -> str | None:
        try:
            return self.store.cat_file(f"{self.root}/{name}").decode()
        except FileNotFoundError:
            return None

    def put(self, name: str, text: str) -> None:
        if self.read(name) != text:
            self.store.pipe_file(f"{self.root}/{name}", text.encode())


class Progress:
    """A line on stderr every few seconds."""

    def __init__(self, parts: int, there: int, quiet: bool) -> None:
        self.parts, self.there, self.done, self.rows, self.again, self.quiet = parts, there, 0, 0, 0, quiet
        self.part_seconds = 0.0
        self.began = self.last = time.monotonic()

    def summary(self) -> dict[str, float]:
        """The parts that this run made, the wall time, and the time of the parts as measured by the program."""
        return {"made": self.done, "seconds": time.monotonic() - self.began, "part_seconds": self.part_seconds}

    def show(self, cpus: int, nodes: int, final: bool = False) -> None:
        now = time.monotonic()
        if self.quiet or (now - self.last < 5 and not final):
            return
        self.last, spent = now, max(now - self.began, 1e-9)
        left = (self.parts - self.there - self.done) * spent / self.done if self.done else float("nan")
        print(
            f"{self.there + self.done} of {self.parts} parts, {self.rows / spent:.0f} rows a second, {nodes} nodes, "
            f"{cpus} cores, {self.again} repeated tries, {left:.0f} s left",
            file=sys.stderr,
            flush=True,
        )


def cluster(threads: int) -> tuple[int, int, int]:
    """Cores, nodes, and the number of tasks to have at once: twice as many as can run, so that no core has to wait."""
    import ray

    cpus = int(ray.cluster_resources().get("CPU", 0))
    return cpus, sum(node["Alive"] for node in ray.nodes()), max(4, 2 * cpus // threads)


def drive(corpus: Corpus, missing: list[int], tries: int, progress: Progress) -> list[str]:
    """Starts tasks until all parts are made. Returns the parts that could not be made."""
    import ray

    job = corpus.job
    task = ray.remote(num_cpus=job.threads, max_retries=0)(make_part)
    shared = ray.put(job)
    waiting, running, failed = deque(missing), {}, []
    attempts: Counter[tuple[int, bool]] = Counter()
    try:
        while waiting or running:
            cpus, nodes, window = cluster(job.threads)
            while waiting and len(running) < window:
                part = waiting.popleft()
                running[task.remote(shared, part)] = part
            done, _ = ray.wait(list(running), num_returns=1, timeout=1)
            for ref in done:
                part, lost = running.pop(ref), False
                try:
                    outcome = ray.get(ref)
                except ray.exceptions.RayTaskError as error:  # raised by make_part, mostly by a store
                    outcome = Outcome(getattr(error.cause, "code", 1), message=str(error.cause or error))
                except ray.exceptions.RayError as error:  # the worker or its node is gone
                    outcome, lost = Outcome(4, message=str(error).splitlines()[0]), True
                if outcome.code == 0:
                    line = json.loads(outcome.line)
                    progress.done += 1
                    progress.rows += line["rows"]
                    progress.part_seconds += line["seconds"]
                    continue
                if outcome.code in (2, 3):
                    raise Failure(outcome.code, f"part {part}: {outcome.message}")
                attempts[part, lost] += 1
                if attempts[part, lost] >= (LOST if lost else tries):
                    failed.append(f"part {part}, after {attempts[part, lost]} tries: {outcome.message}")
                    continue
                progress.again += 1
                print(f"part {part} again: {outcome.message or outcome.code}", file=sys.stderr, flush=True)
                waiting.append(part)
            progress.show(cpus, nodes)
    except BaseException:
        for ref in running:
            ray.cancel(ref, force=True)  # kills the worker, and with it the child that it runs
        raise
    progress.show(*cluster(job.threads)[:2], final=True)
    return failed


def make_corpus(job: Job, args: argparse.Namespace, work: Path) -> int:
    """Finds the missing parts, makes them, and checks all."""
    corpus = StoredCorpus(job, work) if is_url(job.out) else Corpus(job, work)
    corpus.begin()
    missing = corpus.missing()
    progress = Progress(job.parts, job.parts - len(missing), args.quiet)
    failed = drive(corpus, missing, args.tries, progress) if missing else []
    if not failed:
        corpus.end()
    state = {"parts": job.parts, "missing": corpus.missing()} | progress.summary()
    print(json.dumps(state), file=args.stdout, flush=True)
    if failed:
        raise Failure(1, "\n".join(failed))
    return 4 if state["missing"] else 0


def connect(args: argparse.Namespace) -> None:
    """Joins a cluster, or starts one on this machine."""
    try:
        import ray
    except ImportError:
        raise Failure(2, "this needs Ray: pip install ray") from None
    try:
        ray.init(address=args.address, log_to_driver=False, logging_level="error", include_dashboard=None)
    except (ConnectionError, ValueError) as error:
        raise Failure(1, f"cannot reach a Ray cluster at {args.address}: {error}") from error


def prepare(args: argparse.Namespace) -> Job:
    """Reads the recipe with the program of this machine."""
    binary = shutil.which(args.binary)
    if binary is None:
        raise Failure(2, f"no program {args.binary}: build it, and give its path with --binary")
    result = about_recipe(os.path.abspath(binary), str(args.recipe))
    out = args.out if is_url(args.out) else os.path.abspath(args.out)
    if args.threads < 1 or args.tries < 1:
        raise Failure(2, "--threads and --tries must be at least 1")
    return Job(
        recipe=result["recipe"],
        parts=result["parts"],
        suffix=".csv.zst" if '\nformat = "csv.zst"\n' in result["recipe"] else ".parquet",
        bases=result["bases"],
        about=(result["fingerprint"], result["program_version"]),
        out=out,
        binary=os.path.abspath(binary),
        threads=args.threads,
        storage=tuple(json.loads(args.storage_options).items()),
    )


def ship(job: Job) -> Job:
    """The job with the program in it. Each node takes the program once from Ray's object store."""
    import ray

    program = Path(job.binary).read_bytes()
    return Job(**{**job.__dict__, "shipped": ray.put(program), "digest": digest_of(program)})


def arguments(argv: list[str] | None) -> argparse.Namespace:
    head, _, rest = (__doc__ or "").partition("\n")
    style = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=head, epilog=rest, formatter_class=style)
    default = os.environ.get("SUDOKU_CORPUS") or "sudoku-corpus"
    parser.add_argument("recipe", type=Path, help="the recipe (TOML)")
    parser.add_argument("--out", required=True, help="a folder that every node sees, or an fsspec URL")
    parser.add_argument("--address", help="a Ray cluster: auto, HOST:PORT; by default one is started on this machine")
    parser.add_argument("--binary", default=default, help="the program, at the same path on every node")
    parser.add_argument("--ship", action="store_true", help="send the program to the nodes")
    parser.add_argument("--threads", type=int, default=1, help="cores per part (default 1)")
    parser.add_argument("--tries", type=int, default=4, help="number of tries for each part (default 4)")
    parser.add_argument("--storage-options", default="{}", metavar="JSON", help="options of the fsspec file system")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    return parser.parse_args(argv)


def interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def keep_stdout() -> TextIO:
    """Redirects stdout to stderr for all other output, such as Ray's messages. Returns the real stdout, for the state."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    signal.signal(signal.SIGTERM, interrupt)
    args.stdout = keep_stdout()
    try:
        job = prepare(args)
        connect(args)
        with tempfile.TemporaryDirectory(prefix="sudoku-corpus-") as work:
            return make_corpus(ship(job) if args.ship else job, args, Path(work))
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return failure.code
    except (OSError, json.JSONDecodeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the same command continues", file=sys.stderr)
        return 4


if __name__ == "__main__":
    sys.exit(main())
