"""Random recipes: boards, methods, plans, goals, quotas, levels of the publisher, steps and formats are drawn at random.

Each corpus is made, made again with a kill in between, and made in two halves that are merged: the bytes are the same. `verify`
finds nothing, every row is in its level, and the corpus can be queried, reported and exported."""

from __future__ import annotations

import csv
import io
import random
import shutil
import subprocess
import time
from pathlib import Path

from world import World, contents, differences

DEFAULT = 300
SMALL = 8
HEAD = "| recipe | tried | cannot be made | made | killed | equal in halves | clean |\n|---|--:|--:|--:|--:|--:|--:|"

SHAPES = ["2x2", "2x3", "2x3", "3x2", "3x3", "3x3", "2x4", "4x2", "3x4"]
UNIFORM = {"2x2", "2x3", "3x2", "2x4", "4x2", "3x3"}
METHODS = ["permutation", "permutation:blocks", "row-major", "jump-back", "digit-by-box", "seeded-cross", "fewest-candidates"]
SYMMETRIES = ["none", "rotate-180", "rotate-90", "mirror-horizontal", "mirror-vertical", "diagonal", "anti-diagonal", "full"]
VARIANTS = ["x", "diagonal", "disjoint", "windoku", "anti-king", "asterisk", "girandola", "centre-dot", "anti-knight", "windoku+x"]
NEWSPAPER = ["easy", "medium", "hard", "expert", "extreme"]
HODOKU = ["easy", "medium", "hard", "unfair", "extreme"]
CELLS = {"2x2": 16, "2x3": 36, "3x2": 36, "3x3": 81, "2x4": 64, "4x2": 64, "3x4": 144}


def levels(rng: random.Random, shape: str) -> str:
    """Tables of levels of one's own. They may overlap."""
    cells, tables = CELLS[shape], []
    for name in "pqr"[: rng.randint(1, 3)]:
        low = int(cells * rng.uniform(0.25, 0.4))
        ways = [
            f'hodoku_level = "{rng.choice(HODOKU[:3])}"',
            f'hodoku_level = "{",".join(sorted(rng.sample(HODOKU[:3], 2), key=HODOKU.index))}"',
            f'givens = "{low}..{low + int(cells * rng.uniform(0.1, 0.3))}"',
            'techniques = "singles"',
            f'techniques = "full_house,hidden_single{rng.choice(["", ",naked_single", ",locked_candidates_pointing"])}"',
            f'hodoku_score = "{rng.choice(["0..400", "100..900", "4..2000"])}"',
        ]
        ways += ['er = "1.2..2.3"', 'er = "1.0..5.0"'] if shape == "3x3" else []
        tables.append(f'[[level]]\nname = "{name}"\n' + "\n".join(rng.sample(ways, 1 if rng.random() < 0.8 else 2)) + "\n")
    return "".join(tables)


def recipe(rng: random.Random) -> tuple[str, str]:
    """A recipe and its kind."""
    shape = rng.choice(SHAPES)
    small = shape in ("2x2", "2x3", "3x2")
    kind = rng.choice(["plain", "plain", "goal", "goal", "quotas", "quotas", "own levels", "own levels", "own level"])
    rows = rng.randint(2, 40 if small else 16)
    cells = CELLS[shape]
    rules = rng.choice(VARIANTS if shape == "3x3" else VARIANTS[:3]) if rng.random() < 0.25 else ""
    if rules:
        # Anti-knight boards leave few puzzles to choose from, and take long.
        shape, rows = f"{shape}+{rules}", min(rows, 4 if "anti" in rules else 10)
    top = [f"seed = {rng.randrange(10**9)}", f"part_rows = {rng.randint(1, max(2, rows))}"]
    top.append(f'format = "{rng.choice(["parquet", "csv.zst"])}"')
    grid = [f'shape = "{shape}"']
    methods = METHODS + (["uniform"] * 4 if shape in UNIFORM else []) + (["uniform-classes", "base-shuffle"] if shape == "3x3" else [])
    if rng.random() < 0.7 and not rules:
        method = rng.choice(methods)
        grid.append(f'method = "{method}"')
        if method == "base-shuffle":
            grid.append('bases = "bases.txt"')
    dig, quotas, own = [], "", ""
    # The newspaper's scale needs ER on 9x9 boards.
    scale = rng.choice(["newspaper", "hodoku"])
    words = NEWSPAPER if scale == "newspaper" else HODOKU
    needs_er = False
    if kind == "plain":
        low = int(cells * rng.uniform(0.35, 0.5))
        plans = ["minimal", "reveal", f"givens={low}", f"givens={low}..{low + 6}", f"random-holes={rng.randint(1, cells // 2)}"]
        plans += ["controlled-bias"] if shape in ("2x2", "2x3", "3x2", "3x3") else []
        dig += [f'plan = "{rng.choice(plans)}"'] if rng.random() < 0.8 else []
    elif kind == "goal":
        goals = [f'level = "{rng.choice(words[:4])}"', f'needs = "{rng.choice(["naked_pair", "locked_candidates_pointing", "hidden_pair"])}"']
        goals += ['only = "singles"', 'uses = "hidden_single"'] + (['er = "1.2..2.6"', 'er = "2.0..4.2"'] if shape == "3x3" else [])
        dig.append(rng.choice(goals))
        needs_er = dig[-1].startswith("level") and scale == "newspaper"
    elif kind in ("quotas", "own levels"):
        names = words[:4]
        needs_er = scale == "newspaper"
        if kind == "own levels":
            own = levels(rng, shape.split("+")[0])
            names = [line.split('"')[1] for line in own.splitlines() if line.startswith("name")]
        for name in rng.sample(names, min(len(names), rng.randint(1, 3))):
            symmetry = f'symmetry = "{rng.choice(SYMMETRIES)}"\n' if rng.random() < 0.2 else ""
            quotas += f'[[quota]]\nlevel = "{name}"\ncount = {rng.randint(1, 8)}\n{symmetry}'
    elif kind == "own level":
        own = levels(rng, shape.split("+")[0])
        dig.append('level = "p"')
    if not own:
        top.append(f'levels = "{scale}"')
    if kind not in ("quotas", "own levels"):
        top.append(f"count = {rows}")
    if rng.random() < 0.25:
        dig.append(f'symmetry = "{rng.choice(SYMMETRIES)}"')
    dig.append(f"retries = {rng.choice([200, 500, 2000])}")
    ratings = ["er", "se"] if needs_er and not own else ["none", "none", "none", "er", "se", "effort", "te"]
    analyze = [f'ratings = "{rng.choice(ratings)}"']
    if rng.random() < 0.4 and kind == "plain":
        analyze.append(f'techniques = "{rng.choice(["all", "modern", "singles", "none", "singles,x_wing", "-fish"])}"')
    if rng.random() < 0.25:
        analyze.append("steps = true")
    if rng.random() < 0.2:
        analyze.append(rng.choice(["minimal = false", "numbers = true", "count_limit = 3", "budget = 20000"]))
    text = "\n".join(top) + "\n[grid]\n" + "\n".join(grid) + "\n[dig]\n" + "\n".join(dig) + "\n[analyze]\n" + "\n".join(analyze) + "\n"
    return kind, text + own + quotas


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    before = len(world.faults)
    kind, text = recipe(rng)
    world.trial += f" (recipe: {text!r})"
    folder = world.fresh()
    (folder / "r.toml").write_text(text)
    shutil.copy2(world.inputs / "grids.txt", folder / "bases.txt")
    row = [1, 0, 0, 0, 0, 0]
    try:
        began = time.monotonic()
        done = world.run("run r.toml --out whole", folder, patience=10)
        if done.code < 0:
            return kind, row  # too slow for a test
        if done.code:
            # A goal that no try met. The same happens again.
            row[1] = 1
            if done.code != 2 or not done.said:
                world.fault(f"run ends with {done.code}: {done.said[-400:]}")
            return kind, row
        row[2] = 1
        row[3] = killed(world, folder, rng, time.monotonic() - began)
        row[4] = halves(world, folder, text, rng)
        checked(world, folder, kind, text)
        row[5] = len(world.faults) == before
    finally:
        shutil.rmtree(folder)
    return kind, row


def must(world: World, words: str, folder: Path, codes: tuple[int, ...] = (0,)):
    done = world.run(words, folder)
    if done.code not in codes:
        world.fault(f"`{words}` ends with {done.code}: {done.said[-400:]}")
    return done


def same(world: World, folder: Path, name: str, when: str) -> bool:
    wrong = differences(contents(folder / "whole"), contents(folder / name))
    if wrong:
        world.fault(f"differs {when}: {', '.join(wrong[:5])}")
    return not wrong


def killed(world: World, folder: Path, rng: random.Random, usual: float) -> int:
    hit = world.killed("run r.toml --out killed", folder, rng.random() * usual)
    must(world, "run r.toml --out killed", folder)
    same(world, folder, "killed", "after a kill and a rerun")
    return hit


def halves(world: World, folder: Path, text: str, rng: random.Random) -> int:
    """Makes two halves in two folders and moves them into one."""
    parts = sum(1 for _ in (folder / "whole/rows").glob("part-*"))
    if parts < 2:
        return 0
    cut = rng.randrange(parts - 1)
    for name, first, last in (("a", 0, cut), ("b", cut + 1, parts - 1)):
        must(world, f"run r.toml --out {name} --parts {first}..{last}", folder)
    for file in [*(folder / "b").glob("rows/*"), *(folder / "b").glob("steps/*")]:
        file.rename(folder / "a" / file.relative_to(folder / "b"))
    (folder / "a").rename(folder / "merged")
    must(world, "run r.toml --out merged", folder)
    return same(world, folder, "merged", "when two halves are moved together")


def rows_of(world: World, folder: Path, words: list[str]) -> list[dict[str, str]]:
    result = subprocess.run([str(world.program), *words], cwd=folder, capture_output=True, text=True)
    if result.returncode:
        world.fault(f"`{words}` ends with {result.returncode}: {result.stderr[-300:]}")
        return []
    return list(csv.DictReader(io.StringIO(result.stdout)))


def checked(world: World, folder: Path, kind: str, text: str) -> None:
    before = contents(folder / "whole")
    must(world, "verify whole", folder)
    must(world, "report whole --out r.html", folder)
    must(world, "export whole --all --any-solutions --out all.csv", folder)
    must(world, "export whole --all --any-solutions --out all.parquet", folder)
    rows = rows_of(world, folder, ["query", "SELECT puzzle, level, symmetry, row, class FROM puzzles ORDER BY row", "whole", "--format", "csv"])
    exported = list(csv.DictReader((folder / "all.csv").open())) if (folder / "all.csv").exists() else []
    wanted = [int(line.split("=")[1]) for line in text.splitlines() if line.startswith("count = ")]
    if len(rows) != sum(wanted):
        world.fault(f"{len(rows)} rows instead of {sum(wanted)}")
    # Exports have each class once.
    if len(exported) != len({row["class"] for row in rows}) or not {row["puzzle"] for row in exported} <= {row["puzzle"] for row in rows}:
        world.fault(f"export has {len(exported)} puzzles, query {len({row['class'] for row in rows})} classes")
    # Lines hold no further rules.
    lines = "csv" if "+" in text.split('shape = "')[1].split('"')[0] else "sdm"
    quotas = [block for block in text.split("[[quota]]")[1:]]
    pairs = [(block.split('"')[1], int(block.split("count = ")[1].split()[0])) for block in quotas]
    if kind == "quotas":
        for name, count in pairs:
            there = sum(row["level"] == name for row in rows)
            if there != count:
                world.fault(f"{there} rows of level {name} instead of {count}")
    if kind == "own levels":
        for name, count in pairs:
            # With the levels of the corpus, as a publisher asks for them. An overlapping level is of the first that fits.
            there = sum(row.get("level") == name for row in exported)
            if there < count and len(exported) == len(rows):
                world.fault(f"{there} rows of level {name} instead of {count}")
            must(world, f"export whole --level {name}={min(count, there)} --any-solutions --out {name}.{lines}", folder)
    if kind == "own level":
        there = sum(row.get("level") == "p" for row in exported)
        if there != len(exported):
            world.fault(f"{there} of {len(exported)} rows are of level p")
    level = text.split("[dig]")[1].split("[analyze]")[0]
    if kind == "goal" and "level = " in level:
        name = level.split('level = "')[1].split('"')[0]
        if any(row["level"] != name for row in rows):
            world.fault(f"rows outside level {name}: {sorted({row['level'] for row in rows})}")
    if contents(folder / "whole") != before:
        world.fault("a command that reads changed the corpus")
