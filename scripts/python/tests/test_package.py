"""Tests of the package; `pytest scripts/python/tests` in an environment that has it."""

import doctest
import importlib
import json
import pathlib
import re
import subprocess
import sys
import threading
import time
from array import array

import pytest
import sudoku_corpus as sc

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6.."
PUZZLES = [EASY, HARD]
ROOT = pathlib.Path(__file__).resolve().parents[3]


def test_the_version_is_that_of_the_crate():
    version = re.search(r'(?m)^version = "(.*)"', (ROOT / "Cargo.toml").read_text()).group(1)
    assert sc.__version__ == version


def test_examples_in_docstrings():
    names = ["rate", "solve", "canonical", "dig", "generate", "steps"]
    ran = 0
    for name in names:
        test = doctest.DocTestParser().get_doctest(getattr(sc, name).__doc__, {}, name, None, None)
        assert test.examples, name
        result = doctest.DocTestRunner().run(test)
        assert result.failed == 0, name
        ran += result.attempted
    assert doctest.testmod(sc).failed == 0
    assert ran > len(names)


def test_types_are_complete():
    """mypy checks the package, and a program that uses it."""
    pytest.importorskip("mypy")
    package = pathlib.Path(sc.__file__).parent
    command = [sys.executable, "-m", "mypy", "--config-file", ROOT / "scripts/python/pyproject.toml", "-p", "sudoku_corpus"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    native = importlib.import_module("sudoku_corpus._native")
    stub = (package / "_native.pyi").read_text()
    for name in vars(native):
        assert name.startswith("__") and name != "__version__" or re.search(rf"(def|class) {name}\b|^{name}:", stub, re.M), name


def test_ratings_have_the_published_values():
    table = sc.rate(PUZZLES, counts=True)
    assert table["se_er_tenths"] == [12, 44]
    assert table["finished"] == [True, True]
    assert table["solutions"] == [1, 1]
    assert sum(table[0][name] for name in table.column_names if name.startswith("n_")) == 51


def test_a_wrong_puzzle_does_not_affect_other_rows():
    table = sc.rate([EASY, "53..7", None, EASY[:-2] + "77", float("nan"), EASY])
    assert [error is None for error in table["error"]] == [True, False, False, False, False, True]
    assert "cells" in table["error"][1] and table["level"][1] is None and table["level"][5] == "easy"


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="did you mean"):
        sc.rate(EASY, techniques="x_wingg")
    with pytest.raises(ValueError):
        sc.rate(EASY, ratings="skfr")
    with pytest.raises(ValueError):
        sc.generate(1, shape="7x7")
    with pytest.raises(ValueError):
        sc.solve(EASY, threads=0)
    with pytest.raises(TypeError):
        sc.rate([1, 2])
    with pytest.raises(TypeError):
        sc.rate(5)


def test_several_and_no_solutions():
    table = sc.solve(["." * 81, EASY, EASY[:2] + "1" + EASY[3:]], limit=100)
    assert table["unique"] == [False, True, False]
    assert table["solutions"] == [100, 1, 0]
    assert sc.rate("." * 81)["se_er_tenths"] == [None]


def test_canonical_forms_of_isomorphs_agree():
    swapped = EASY.translate(str.maketrans("123456789", "987654321"))
    rows = [swapped[9 * r : 9 * r + 9] for r in (2, 0, 1, 6, 7, 8, 4, 3, 5)]
    table = sc.canonical([EASY, "".join(rows), HARD])
    assert table["class"][0] == table["class"][1] != table["class"][2]
    assert table["canonical"][0] == table["canonical"][1]


def test_rows_do_not_depend_on_threads():
    one = sc.dig(sc.generate(50, threads=1), threads=1).to_pydict()
    all_cores = sc.dig(sc.generate(50)).to_pydict()
    assert one == all_cores
    later = sc.generate(10, first=40)
    assert later["solution"] == sc.generate(50)["solution"][40:]


def test_steps_lead_to_the_solution():
    table = sc.steps(PUZZLES, wrong=3)
    words = set(sc.vocabulary())
    for number, solution in enumerate(sc.solve(PUZZLES)["solution"]):
        board = [0 if c == "." else int(c) for c in PUZZLES[number]]
        for row in (table[at] for at in range(len(table))):
            assert set(row["tokens"].split()) <= words
            if row["puzzle"] != number or row["kind"] != "step":
                continue
            for cell, digit in zip(row["place_cells"], row["place_digits"]):
                board[cell] = digit
            for cell, digit in zip(row["remove_cells"], row["remove_digits"]):
                assert solution[cell] != str(digit)
        assert "".join(map(str, board)) == solution
    assert table["kind"].count("wrong_step") > 0
    assert sc.steps([EASY, "."])["error"][-1] is not None


def test_texts_of_a_table_may_have_more_than_2_gib():
    """Offsets have 64 bits, so the steps of 170,000 puzzles fit into a column."""
    import pyarrow as pa

    schema = pa.table(sc.steps(EASY)).schema
    texts = [field.name for field in schema if field.type == pa.large_string()]
    assert {"error", "board", "candidates", "tokens", "sentence"} <= set(texts)
    assert pa.string() not in schema.types


def test_pyarrow_sees_how_files_were_made(tmp_path):
    import pyarrow.parquet as pq

    command = [sys.executable, "-m", "sudoku_corpus", "run", "--quiet", "--count", "3", "--steps", "--out", "corpus"]
    subprocess.run(command, cwd=tmp_path, check=True)
    files = sorted((tmp_path / "corpus").glob("*/*.parquet"))
    assert [file.name for file in files] == ["part-000000.parquet", "steps-000000.parquet"]
    for file in files:
        made = json.loads(pq.read_table(file).schema.metadata[b"sudoku-corpus"])
        assert made["program_version"] == sc.__version__ and made["scales"]
        assert pq.read_metadata(file).metadata[b"sudoku-corpus"] == pq.read_schema(file).metadata[b"sudoku-corpus"]


def test_other_threads_run_while_puzzles_are_rated():
    """The interpreter's lock is released, so another thread keeps counting while puzzles are rated."""
    ticks, done = [], threading.Event()

    def count():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    began = time.perf_counter()
    sc.rate([HARD] * 2_000, threads=1)
    ended = time.perf_counter()
    done.set()
    counter.join()
    assert sum(began < tick < ended for tick in ticks) > 20


def test_pyarrow_polars_pandas_and_duckdb_agree():
    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    wanted = sc.rate(PUZZLES * 3).to_pydict()
    frame = {"id": list(range(6)), "puzzle": PUZZLES * 3}
    arrow_table = pa.table(frame)
    inputs = {
        "pyarrow array": pa.array(frame["puzzle"]),
        "pyarrow large": pa.array(frame["puzzle"], pa.large_string()),
        "pyarrow view": pa.array(frame["puzzle"], pa.string_view()),
        "pyarrow categories": pa.array(frame["puzzle"]).dictionary_encode(),
        "pyarrow sliced": pa.array(["x", *frame["puzzle"], "y"])[1:-1],
        "pyarrow chunks": pa.chunked_array([PUZZLES, PUZZLES * 2]),
        "pyarrow table": arrow_table,
        "polars series": pl.Series(frame["puzzle"]),
        "polars frame": pl.DataFrame(frame),
        "pandas series": pd.Series(frame["puzzle"]),
        "pandas frame": pd.DataFrame(frame),
        "duckdb": duckdb.sql("SELECT * FROM arrow_table ORDER BY id"),
        "generator": (line for line in frame["puzzle"]),
    }
    for name, given in inputs.items():
        assert sc.rate(given).to_pydict() == wanted, name
    rated = sc.rate(pl.DataFrame(frame))
    assert pa.table(rated).to_pydict() == wanted
    assert pl.DataFrame(rated).to_dict(as_series=False) == wanted
    assert rated.to_pandas()["level"].tolist() == wanted["level"]
    assert duckdb.sql("SELECT count(*) FROM rated WHERE finished").fetchall() == [(6,)]
    assert pl.DataFrame(sc.steps(PUZZLES)).height == len(sc.steps(PUZZLES))
    assert pa.array(rated).type.num_fields == len(wanted)
    with pytest.raises(ValueError, match="its columns are: a, b"):
        sc.rate(pa.table({"a": PUZZLES, "b": PUZZLES}))


def test_texts_that_are_none_are_refused():
    """Arrow data hold whatever their maker put into them."""
    import pyarrow as pa

    text = PUZZLES[0].encode()
    # Bytes that are no text: at the beginning, at the end, and half a letter.
    for bad in (b"\xff" + text[1:], text[:-1] + b"\xc3", b"\xed\xa0\x80" + text[3:]):
        for kind, size in ((pa.string(), "i"), (pa.large_string(), "q")):
            offsets = array(size, [0, len(text), 2 * len(text)]).tobytes()
            column = pa.Array.from_buffers(kind, 2, [None, pa.py_buffer(offsets), pa.py_buffer(text + bad)])
            for given in (column, pa.table({"puzzle": column}), pa.table({"other": column})):
                with pytest.raises(ValueError, match="(?i)utf-?8"):
                    sc.rate(given)
        keys = pa.array([0, 1], pa.int32())
        words = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(array("i", [0, 81, 162]).tobytes()), pa.py_buffer(text + bad)])
        with pytest.raises(ValueError, match="(?i)utf-?8"):
            sc.rate(pa.DictionaryArray.from_arrays(keys, words, safe=False))
    # Offsets that go back.
    offsets = array("i", [0, 100, 81, 162]).tobytes()
    column = pa.Array.from_buffers(pa.string(), 3, [None, pa.py_buffer(offsets), pa.py_buffer(text + text)])
    with pytest.raises(ValueError, match="(?i)offset"):
        sc.rate(column)


def test_the_package_has_the_program(tmp_path):
    def run(*arguments, given=""):
        command = [sys.executable, "-m", "sudoku_corpus", *arguments]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=False, cwd=tmp_path)

    assert run("--version").stdout.split()[:2] == ["sudoku-corpus", sc.__version__]
    assert run("run", "--quiet", "--count", "50").returncode == 0
    assert run("verify", "--quiet", "corpus").returncode == 0
    assert run("run", "--nonsense").returncode == 2
    assert run("stats", "er", "/nowhere").returncode == 1
