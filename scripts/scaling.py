"""Measures production on several machines and writes reports/scaling.md to stdout. scripts/scaling.sh starts it."""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = os.environ["SUDOKU_CORPUS"]
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_worker_niceness"] = "0"  # the same as for the program without Ray

# Kinds of analysis: techniques and ratings of the recipe, and a name.
CHEAP = "singles,intersections,subsets"
ANALYSES = {
    ("default", "se"): "HoDoKu's ladder, and ER, EP, ED",
    ("default", "none"): "HoDoKu's ladder",
    (CHEAP, "none"): "a ladder without chains",
    ("none", "none"): "not rated",
}
BUSY = """**The machine was busy with other work** (load {load} on {cores} cores), so the wall times and the overhead are not reliable.
The idle seconds of a part are rather too large than too small. They are {share} % of a part of a minute.

"""
Analysis = tuple[str, str]
FULL, USUAL, LEAST = ("default", "se"), ("default", "none"), ("none", "none")


def program(*words: object) -> subprocess.CompletedProcess[str]:
    result = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    if result.returncode not in (0, 4):
        raise SystemExit(f"{words}: {result.stderr}")
    return result


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def recipe(folder: Path, rows: int, part_rows: int, analysis: Analysis) -> Path:
    path = folder / f"{rows}-{part_rows}-{list(ANALYSES).index(analysis)}.toml"
    techniques, ratings = analysis
    text = f'count = {rows}\npart_rows = {part_rows}\n[analyze]\ntechniques = "{techniques}"\nratings = "{ratings}"\n'
    path.write_text(text)
    return path


def children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def rate(folder: Path, analysis: Analysis) -> tuple[float, float, int]:
    """Rows per second of CPU time, bytes per row, and the number of rows of the measurement."""
    rows = 500
    while True:
        before = children_cpu()
        wanted = recipe(folder, rows, rows, analysis)
        result = program("run", wanted, "--out", folder / wanted.stem, "--threads", 1, "--json", "--quiet")
        spent = children_cpu() - before
        if spent >= 5:
            return rows / spent, json.loads(result.stdout)["bytes"] / rows, rows
        rows *= 8 if spent < 0.5 else 4


def bare(wanted: Path, parts: range, out: Path, workers: int) -> float:
    """The wall time of the program without Ray: one process for each part, `workers` processes at the same time."""
    began, running, waiting = time.monotonic(), [], list(parts)
    while waiting or running:
        while waiting and len(running) < workers:
            part = waiting.pop(0)
            words = ["run", wanted, "--parts", part, "--out", out, "--threads", 1, "--quiet"]
            running.append(subprocess.Popen([PROGRAM, *map(str, words)]))
        running = [child for child in running if child.poll() is None]
        time.sleep(0.02)
    return time.monotonic() - began


def by_ray(wanted: Path, out: Path, workers: int) -> dict[str, Any]:
    """The state that scripts/ray_run.py prints after the same work, on a cluster with this number of workers."""
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": 200 << 20}
    cluster = Cluster(initialize_head=True, head_node_args=node | {"include_dashboard": False})
    try:
        for _ in range(workers - 1):
            cluster.add_node(**node)
        cluster.wait_for_nodes()
        command = [sys.executable, ROOT / "scripts" / "ray_run.py", wanted, "--out", out, "--address", cluster.address]
        result = subprocess.run([*map(str, command), "--binary", PROGRAM, "--quiet"], stdout=subprocess.PIPE, text=True)
        return json.loads(result.stdout)
    finally:
        cluster.shutdown()


def engine_table(folder: Path, rows_a_second: float, seconds: float, parts: int) -> list[str]:
    """The program with and without Ray, in turns."""
    part_rows = max(1, round(rows_a_second * seconds))
    wanted = recipe(folder, part_rows * parts, part_rows, USUAL)
    lines = []
    for workers in (1, 2):
        say(f"{parts} parts of {seconds:.0f} s, {workers} workers, the program alone")
        alone = bare(wanted, range(parts), folder / f"bare-{workers}", workers)
        say("the same by Ray")
        state = by_ray(wanted, folder / f"ray-{workers}", workers)
        wall, idle = state["seconds"], state["seconds"] * workers - state["part_seconds"]
        lines.append(
            f"| {workers} | {alone:.1f} | {wall:.1f} | {100 * (wall / alone - 1):+.1f} % | "
            f"{state['rows'] / wall:.0f} | {idle / parts:.2f} |"
        )
    return lines


def many_parts(folder: Path, parts: int) -> dict[str, float]:
    """The overhead of one part, in a corpus with few parts and in one with many."""
    wanted = recipe(folder, parts + 20, 1, LEAST)
    out, empty = folder / "many", folder / "few"
    say(f"a corpus of {parts} parts")
    program("run", wanted, "--parts", f"0..{parts - 1}", "--out", out, "--quiet")
    found = {}
    for name, place in (("few", empty), ("many", out)):
        before, began = children_cpu(), time.monotonic()
        for part in range(parts, parts + 20):
            program("run", wanted, "--parts", part, "--out", place, "--quiet")
        found[name] = (time.monotonic() - began) / 20
        found[f"{name} cpu"] = (children_cpu() - before) / 20
    before = children_cpu()
    program("manifest", out, "--quiet")
    found["merge cpu"] = children_cpu() - before
    return found


def reading(folder: Path, rows: int) -> tuple[float, float]:
    """Bytes per CPU second that `manifest` checks; rows per CPU second that a query reads."""
    corpus = folder / recipe(folder, rows, rows, LEAST).stem
    size = sum(path.stat().st_size for path in corpus.glob("part-*"))
    wanted = folder / "again"
    copies = 40
    sources = []
    for copy in range(copies):
        place = wanted / str(copy)
        place.mkdir(parents=True)
        (place / "part-000000.parquet").symlink_to(next(corpus.glob("part-*")))
        sources.append(place)
    before = children_cpu()
    program("query", "SELECT givens, count(*) AS n, avg(search_guesses) AS g FROM puzzles GROUP BY givens", *sources)
    asked = children_cpu() - before
    before = children_cpu()
    for _ in range(copies):
        program("manifest", corpus, "--quiet")
    checked = children_cpu() - before
    return size * copies / checked, rows * copies / asked


def number(value: float) -> str:
    return f"{value:,.0f}"


def estimate(rates: dict[Analysis, tuple[float, float, int]], total: float) -> list[str]:
    """A row of the table for each kind of analysis."""
    lines = []
    for analysis, name in ANALYSES.items():
        rows_a_second, row_bytes, _ = rates[analysis]
        hours = total / rows_a_second / 3600
        part_rows = max(1_000, round(rows_a_second * 60, -3))
        lines.append(
            f"| {name} | {number(hours)} | {hours / 1000 * 60:.0f} min | {total * row_bytes / 1e9:,.0f} GB | "
            f"{number(part_rows)} | {number(total / part_rows)} |"
        )
    return lines


def report(args: argparse.Namespace, folder: Path) -> str:
    rates = {}
    for analysis, name in ANALYSES.items():
        say(f"rows a second: {name}")
        rates[analysis] = rate(folder, analysis)
    engine = engine_table(folder, rates[USUAL][0], args.seconds, args.parts)
    cost = many_parts(folder, 10_000)
    checked, asked = reading(folder, rates[LEAST][2])
    cpu = next((line.split(": ")[1] for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line), "")
    version = program("--version").stdout.strip()
    page = (ROOT / "scripts" / "scaling.template.md").read_text()
    largest = 1e10 * rates[FULL][1]
    load, cores = os.getloadavg()[1], os.cpu_count() or 1
    share = " and ".join(f"{float(line.split('|')[-2]) / 0.6:.1f}" for line in engine)
    values = {
        "MACHINE": f"{cpu}, {os.cpu_count()} cores",
        "VERSION": version,
        "LOAD": f"{load:.1f}",
        "BUSY": BUSY.format(load=f"{load:.1f}", cores=cores, share=share) if load > 1.5 * cores else "",
        "SECONDS": f"{args.seconds:.0f}",
        "PARTS": str(args.parts),
        "RATES": "\n".join(f"| {ANALYSES[key]} | {number(r)} | {b:.0f} |" for key, (r, b, _) in rates.items()),
        "ENGINE": "\n".join(engine),
        "FEW": f"{cost['few cpu']:.3f}",
        "MANY": f"{cost['many cpu']:.3f}",
        "MANY_SHARE": f"{100 * cost['many cpu'] / 60:.2f}",
        "MERGE": f"{cost['merge cpu']:.1f}",
        "CHECKED": f"{checked / 1e9:.2f}",
        "CHECK_HOURS": f"{largest / checked / 3600:.1f}",
        "ASKED": number(asked / 1e6),
        "ASK_MINUTES": f"{1e9 / asked / 60:.1f}",
        "E9": "\n".join(estimate(rates, 1e9)),
        "E10": "\n".join(estimate(rates, 1e10)),
        "BYTES10": f"{largest / 1e12:.1f}",
    }
    for key, value in values.items():
        page = page.replace(f"<{key}>", value)
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="processor time of a part, in seconds")
    parser.add_argument("--parts", type=int, default=4, help="number of parts of each run")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="scaling-") as folder:
        print(report(args, Path(folder)), end="")


if __name__ == "__main__":
    main()
