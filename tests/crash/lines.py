"""Command lines: each output of each command names, in turn, an input (also through a link), a part of a corpus, a folder, a pipe, a full disk and so on.

No input changes. Nothing incomplete gets a final name. The exit code is that of the documentation."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tempfile
from pathlib import Path

from world import CASES, Case, World, contents

DEFAULT = 3000
SMALL = 60
HEAD = "| relation | command lines | done | refused or failed |\n|---|--:|--:|--:|"

OUTPUTS = ("--out", "--steps-out", "--index", "--data", "--merge", "--remember")
# Commands that continue in their folder, which is an input and an output.
CONTINUING = ("run", "nightly", "man")
MORE = [
    Case("analyze -", "analyze --force in.csv --out a.csv", ["in.csv"]),
    Case("solve out", "solve --force in.csv --out s.html", ["in.csv"]),
    Case("report data", "report --force corpus --out r.html --data d", ["corpus"]),
    Case("book words", "book --force in.csv --count 3 --words w.toml --out b.pdf", ["in.csv"]),
    Case("export except", "export --force in.csv --count 3 --except e.txt --out x.csv", ["in.csv"]),
    Case("query table", "query --force SELECT%%1 corpus --table t=t.csv --out q.csv", ["corpus"]),
    Case("generate bases", "generate --force --count 2 --method base-shuffle --bases in.csv --out g.txt", ["in.csv"]),
]
REFUSED = ("same", "dots", "symlink", "hard link", "part", "recipe", "through a link")
BESIDE = ("beside", "missing folder", "folder", "dangling link", "pipe", "full", "exists", "read-only", "other device", "long name", "odd name")
DEVICES = ("/dev/shm", "/var/tmp", "/tmp")
WITHOUT_FORMAT = {"book", "report", "release", "audit", "solve", "hint", "coverage"}


def inputs_of(case: Case) -> list[str]:
    """Words that are names of inputs."""
    words = case.words.split()
    after = {words[at + 1] for at, word in enumerate(words[:-1]) if word in OUTPUTS}
    return [need for need in case.needs if need in words and need not in after]


def outputs_of(case: Case) -> list[int]:
    words = case.words.split()
    return [at + 1 for at, word in enumerate(words[:-1]) if word in OUTPUTS]


CHOSEN = [case for case in CASES + MORE if case.words.split()[0] not in CONTINUING and outputs_of(case)]


def prepare(world: World, case: Case) -> Path:
    folder = Path(world.fresh(Case(case.name, case.words, [need for need in case.needs if need != "in.csv"])))
    shutil.copy2(world.inputs / "nine.csv", folder / "in.csv")
    (folder / "w.toml").write_text('[book]\nhow_to_play = "Rules"\n')
    (folder / "e.txt").write_text("")
    (folder / "t.csv").write_text("a\n1\n")
    return folder


def trial(world: World, number: int, rng: random.Random) -> tuple[str, list[int]]:
    case = CHOSEN[number % len(CHOSEN)]
    words = case.words.split()
    at = rng.choice(outputs_of(case))
    folder = prepare(world, case)
    needs = inputs_of(case)
    needs += [word for word in ("w.toml", "e.txt", "t=t.csv") if word in words]
    relations = list(BESIDE)
    if needs and words[at - 1] != "--remember":
        relations += REFUSED * 2
    relation = rng.choice(relations)
    old = words[at]
    out, expected = place(folder, old, needs, relation, rng, world)
    if out is None:
        shutil.rmtree(folder)
        return relation, [0, 0, 0]
    words[at] = out
    if relation == "exists" and "--force" in words:
        words.remove("--force")
    if words[0] not in WITHOUT_FORMAT and relation in REFUSED and "--format" not in words and words[at - 1] == "--out":
        words += ["--format", old.rsplit(".", 1)[-1].replace("zst", "csv.zst")]
    line = " ".join(words)
    world.trial += f" ({relation}: `{line}`)"
    user = {}
    if relation == "read-only" and os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, 65534, 65534)
        user = {"user": 65534, "group": 65534, "extra_groups": []}
    before = state(folder)
    reader = subprocess.Popen(["cat", folder / out], stdout=subprocess.DEVNULL) if relation == "pipe" else None
    done = world.run(line, folder, **user)
    if reader:
        # A command that was refused never opened the pipe.
        reader.kill()
        reader.wait()
    after = state(folder)
    if expected is not None and done.code not in expected:
        world.fault(f"ends with {done.code}: {done.said[-200:]}")
    if done.code and not done.said:
        world.fault(f"ends with {done.code} and no message")
    index = words[words.index("--remember") + 1] if "--remember" in words else None
    for name, data in before.items():
        if name.endswith("/"):
            continue  # an empty folder
        kept = name == index or name == out or (relation in ("dangling link", "other device") and name == Path(out).name)
        if after.get(name) != data and not (kept and expected != [2]):
            world.fault(f"{name} was changed or removed")
    new = [name for name in after if name not in before]
    if done.code in (1, 2) and words[at - 1] != "--remember":
        # Folders of outputs and an index may be there. No file of the output is.
        left = [name for name in new if not name.endswith("/") and name != index and not name.endswith(".lock")]
        if left:
            world.fault(f"leaves {', '.join(left[:5])}, although it ended with {done.code}: {done.said[-200:]}")
    if any("sudoku-corpus~" in name or name.startswith("tmp/") for name in new):
        world.fault(f"leaves temporary files: {[name for name in new if 'sudoku-corpus' in name]}")
    for path in folder.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)
    return relation, [1, done.code == 0, done.code != 0]


def other_device(place: str, folder: Path) -> bool:
    return os.access(place, os.W_OK) and os.stat(place).st_dev != folder.stat().st_dev


def state(folder: Path) -> dict[str, bytes]:
    """All files with their bytes, and links with their targets."""
    found = {name: data for name, data in contents(folder).items()}
    for path in folder.rglob("*"):
        if path.is_symlink():
            found[str(path.relative_to(folder))] = os.readlink(path).encode()
    return found


def place(folder: Path, old: str, needs: list[str], relation: str, rng: random.Random, world: World) -> tuple[str | None, list[int] | None]:
    """Prepares an output in a relation, and returns its name and the exit codes that are allowed."""
    end = old[old.find(".") :] if "." in old else ""
    need = rng.choice(needs).removeprefix("t=") if needs else ""
    parts = sorted((folder / need).glob("rows/part-*")) if need and (folder / need).is_dir() else []
    new = f"new{end}"
    if relation in ("same", "dots") and parts:
        return None, None
    match relation:
        case "same":
            return need, [2]
        case "dots":
            (folder / "sub").mkdir()
            return f"sub/../{need}", [2]
        case "symlink":
            (folder / new).symlink_to(parts[0] if parts else folder / need)
            return new, [2]
        case "hard link" if not parts:
            os.link(folder / need, folder / new)
            return new, [2]
        case "part" if parts:
            return f"{need}/rows/{rng.choice(parts).name}", [2]
        case "recipe" if parts:
            return f"{need}/{rng.choice(['rows/mine.csv', 'recipe.toml', '.lock'])}", [2]
        case "through a link" if parts:
            (folder / "link").symlink_to(folder / need)
            return f"link/rows/{parts[0].name}", [2]
        case "beside" if parts:
            return f"{need}/own{end}", [0, 1, 2, 3]
        case "missing folder":
            return f"no/such/folder/{new}", [0, 1, 2]
        case "folder":
            (folder / new).mkdir()
            return new, [0, 1, 2]
        case "dangling link":
            (folder / "elsewhere").mkdir()
            (folder / new).symlink_to(folder / "elsewhere" / new)
            return new, [0, 1, 2, 3]
        case "pipe":
            os.mkfifo(folder / new)
            return new, [0, 1, 2, 3]
        case "full":
            return "/dev/full", [0, 1, 2, 3]
        case "exists":
            (folder / new).write_bytes(b"precious")
            return new, [0, 1, 2, 3]
        case "read-only" if os.geteuid() == 0:
            (folder / "closed").mkdir()
            (folder / "closed").chmod(0o555)
            return f"closed/{new}", [1, 2]
        case "other device":
            target = next((Path(tempfile.mkdtemp(dir=place)) for place in DEVICES if other_device(place, folder)), None)
            if target is None:
                return None, None
            world.elsewhere.append(target)
            (folder / new).symlink_to(target / new)
            return new, [0, 1, 2, 3]
        case "long name":
            return "n" * (250 - len(end)) + end, [0, 1, 2, 3]
        case "odd name":
            return f"a\u202eb\u00e4'\"\\=;{end}", [0, 1, 2, 3]
    return None, None
