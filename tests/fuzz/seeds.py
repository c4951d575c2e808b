"""Makes the seeds of the fuzz targets: ordinary files, and unusual files that only a few programs write.

    python3 tests/fuzz/seeds.py PROGRAM FOLDER        a folder below FOLDER for each target

Parquet files that need the package pyarrow are left out, with a message, where it is not installed.
"""

import base64
import os
import re
import subprocess
import sys
from pathlib import Path

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROOT = Path(__file__).parents[2]
QUERIES = [
    "SELECT level, count(*) AS n, avg(hodoku_score) FROM puzzles GROUP BY level ORDER BY n DESC, level LIMIT 5",
    "SELECT puzzle FROM puzzles WHERE givens BETWEEN 4 AND 6 AND level IN ('easy', 'hard') OR NOT minimal",
    "WITH a AS (SELECT *, row_number() OVER (PARTITION BY givens ORDER BY row) AS r FROM puzzles) SELECT * FROM a WHERE r = 1",
    "SELECT CASE WHEN holes > 3 THEN 'many' ELSE substr(puzzle, 1, 2) END, sum(holes) * 1.5 FROM puzzles GROUP BY 1 HAVING count(*) > 1",
    "SELECT count(DISTINCT class), max(length(puzzle)), median(hodoku_score) FROM puzzles p JOIN puzzles q USING (row)",
    "SELECT row FROM puzzles UNION SELECT holes FROM puzzles EXCEPT SELECT 3",
    "SELECT quantile_cont(hodoku_score, 0.9), stddev(givens), level REGEXP '^h' FROM puzzles p WHERE EXISTS (SELECT 1 FROM puzzles q WHERE q.row = p.row + 1) GROUP BY 3",
    "givens > 22 AND hodoku_score / 2 < 1e3 AND puzzle LIKE '5%' AND level IS NOT NULL",
]


def main() -> None:
    program, folder = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
    work = folder / "work"
    work.mkdir(parents=True, exist_ok=True)

    def run(*words: str) -> str:
        return subprocess.run([program, *words], cwd=work, check=True, capture_output=True, text=True).stdout

    def seed(target: str, name: str, data: bytes | str) -> None:
        (folder / target).mkdir(exist_ok=True)
        (folder / target / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    run("run", "--quiet", "--count", "6", "--part-rows", "6", "--shape", "2x2", "--out", "small")
    run("run", "--quiet", "--count", "3", "--format", "csv.zst", "--ratings", "none", "--out", "packed")
    names = {"sdm": "a.sdm", "jsonl": "a.jsonl", "csv": "a.csv", "games": "a.opensudoku", "links": "a.fpuzzles.txt"}
    for out in names.values():
        run("export", "--force", "packed", "--all", "--out", out)
        data = (work / out).read_bytes()
        for target in ("boards", "files", "packed"):
            seed(target, out, data)
    seed("games", "game", f'<game data="{PUZZLE.replace(".", "0")}"/>')
    for number, link in enumerate((work / names["links"]).read_text().split()):
        seed("links", f"f-puzzles-{number}", link)
    seed("links", "base64", f"https://sudokupad.app/scl{base64.b64encode(b'{}').decode()}")
    seed("puzzles", "usual", bytes(0 if symbol == "." else int(symbol) for symbol in PUZZLE))
    seed("boards", "block", "+---+---+\n|1 2|. .|\n|. .|1 2|\n+---+---+\n|2 .|. .|\n|. .|2 .|\n")
    for path in [*ROOT.glob("data/samples/*"), *ROOT.glob("data/recipes/*")]:
        seed("recipes" if path.suffix == ".toml" else "boards", path.name, path.read_bytes())
    for number, query in enumerate(QUERIES):
        seed("questions", str(number), query)
    help_text = run("--help")
    for command in set(re.findall(r"^  ([a-z]+)  ", help_text, re.MULTILINE)) - {"help"}:
        examples = re.findall(r"^  sudoku-corpus (.*?)(?:   .*)?$", run(command, "--help"), re.MULTILINE)
        for number, example in enumerate(examples):
            seed("arguments", f"{command}-{number}", example)
    run("solve", PUZZLE)
    seed("corpora", "whole", (work / "small" / "rows" / "part-000000.parquet").read_bytes())
    run("export", "--force", "small", "--all", "--remember", "a.index", "--out", "b.sdm")
    seed("index", "whole", (work / "a.index").read_bytes())
    seed("parquet", "own", (work / "small" / "rows" / "part-000000.parquet").read_bytes())
    seed("files", "own.csv.zst", (work / "packed" / "rows" / "part-000000.csv.zst").read_bytes())
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        assert not os.environ.get("REQUIRE_TOOLS"), "REQUIRE_TOOLS is set, and pyarrow is not installed"
        print("SKIPPED: seeds of Parquet that pyarrow writes", file=sys.stderr)
        return
    text = pa.array([PUZZLE, None, PUZZLE])
    tables = {
        "plain": pa.table({"puzzle": text}),
        "dictionary": pa.table({"puzzle": text.dictionary_encode()}),
        "large-string": pa.table({"puzzle": text.cast(pa.large_string())}),
        "string-view": pa.table({"puzzle": text.cast(pa.string_view())}),
        "binary": pa.table({"puzzle": text.cast(pa.binary())}),
        "nested": pa.table({"puzzle": pa.array([[PUZZLE], [], None])}),
        "structure": pa.table({"puzzle": pa.array([{"text": PUZZLE}, {"text": None}, None])}),
        "numbers": pa.table({"puzzle": text, "givens": pa.array([30, None, 2**31], pa.int64()), "score": [0.5, float("nan"), None]}),
        "times": pa.table({"puzzle": text, "made": pa.array([0, 1, None], pa.timestamp("us")), "flag": [True, None, False]}),
        "long-cell": pa.table({"puzzle": pa.array(["." * 65_536])}),
        "bomb": pa.table({"puzzle": pa.array(["." * 20_000] * 2_000).dictionary_encode()}),
        "empty": pa.table({"puzzle": pa.array([], pa.string())}),
    }
    for name, table in tables.items():
        for packing in ("none", "zstd", "snappy"):
            pq.write_table(table, work / "x.parquet", compression=packing, row_group_size=2 if name != "bomb" else None)
            seed("parquet", f"{name}-{packing}", (work / "x.parquet").read_bytes())


main()
