"""Data sets as files of arrays."""

import json
import subprocess
import sys

import numpy as np
import pytest
import sudoku_corpus as sc
from sudoku_corpus import arrays as module


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    folder = tmp_path_factory.mktemp("set")
    run = [sys.executable, "-m", "sudoku_corpus"]
    for words in (["run", "--count", "40", "--out", "corpus"], ["release", "corpus", "--out", "release", "--license", "CC0-1.0", "--split", "train=0.7,test=0.3"]):
        subprocess.run([*run, *words, "--quiet"], cwd=folder, check=True)
    return folder / "release"


def arrays(*words):
    return subprocess.run([sys.executable, "-m", "sudoku_corpus.arrays", *map(str, words)], capture_output=True, text=True)


def test_one_file_has_the_arrays_of_every_split(release, tmp_path):
    out = tmp_path / "set.npz"
    assert arrays(release, out).returncode == 0
    loaded = np.load(out)
    assert sorted(loaded.files) == ["test_er", "test_puzzle", "test_solution", "train_er", "train_puzzle", "train_solution"]
    assert len(loaded["train_puzzle"]) + len(loaded["test_puzzle"]) == 40
    for split in ("train", "test"):
        puzzles, solutions = loaded[f"{split}_puzzle"], loaded[f"{split}_solution"]
        assert puzzles.dtype == np.uint8 and (sc.solve_boards(puzzles).solution == solutions).all()
        rated = sc.rate(["".join(map(str, row)) for row in puzzles])["se_er_tenths"]
        assert loaded[f"{split}_er"].tolist() == rated
    again = arrays(release, out)
    assert again.returncode == 2 and "is there already" in again.stderr


def test_a_file_needs_only_puzzles_and_solutions_and_may_have_zeros(tmp_path):
    solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
    (tmp_path / "a.csv").write_text(f"puzzle,solution\n{puzzle},{solution}\n")
    assert arrays(tmp_path / "a.csv", tmp_path / "a.npz").returncode == 0
    loaded = np.load(tmp_path / "a.npz")
    assert ("".join(map(str, loaded["all_puzzle"][0])), "".join(map(str, loaded["all_solution"][0]))) == (puzzle, solution)
    assert [module._shape("." * cells) for cells in (16, 36, 64, 81, 144, 256)] == ["2x2", "2x3", "2x4", "3x3", "3x4", "4x4"]
    for cells in (25, 80):
        with pytest.raises(ValueError, match="column `shape`"):
            module._shape("." * cells)


def test_the_folders_are_those_of_the_hierarchical_reasoning_model(release, tmp_path):
    out = tmp_path / "hrm"
    assert arrays(release, out, "--layout", "hrm", "--copies", 3).returncode == 0
    assert json.loads((out / "identifiers.json").read_text()) == ["<blank>"]
    for split, each in (("train", 4), ("test", 1)):
        about = json.loads((out / split / "dataset.json").read_text())
        part = {name: np.load(out / split / f"all__{name}.npy") for name in ("inputs", "labels", "puzzle_identifiers", "puzzle_indices", "group_indices")}
        rows = len(part["inputs"])
        assert rows == about["total_groups"] * each == about["total_puzzles"] == len(part["puzzle_identifiers"])
        assert (about["seq_len"], about["vocab_size"]) == (81, 11)
        assert part["puzzle_indices"].tolist() == list(range(rows + 1))
        assert part["group_indices"].tolist() == list(range(0, rows + 1, each))
        assert (sc.solve_boards(part["inputs"] - 1).solution == part["labels"] - 1).all()
        classes = sc.canonical(["".join(map(str, row - 1)) for row in part["inputs"]])["class"]
        groups = [set(classes[at : at + each]) for at in range(0, rows, each)]
        assert all(len(group) == 1 for group in groups) and len(set().union(*groups)) == len(groups)


def test_a_split_with_boards_of_several_sizes_becomes_one_for_each(tmp_path):
    run = [sys.executable, "-m", "sudoku_corpus"]
    for words in (["run", "--shape", "2x2", "--count", "5", "--out", "small"], ["run", "--count", "5", "--out", "usual"], ["release", "small", "usual", "--out", "set", "--license", "CC0-1.0", "--split", "train=1"]):
        subprocess.run([*run, *words, "--quiet"], cwd=tmp_path, check=True)
    assert arrays(tmp_path / "set", tmp_path / "set.npz").returncode == 0
    loaded = np.load(tmp_path / "set.npz")
    assert {name: array.shape for name, array in loaded.items() if name.endswith("puzzle")} == {"train_4x4_puzzle": (5, 16), "train_9x9_puzzle": (5, 81)}
    assert arrays(tmp_path / "set", tmp_path / "hrm", "--layout", "hrm", "--copies", 2).returncode == 0
    for split, cells, shape in (("train_4x4", 16, "2x2"), ("train_9x9", 81, "3x3")):
        inputs, labels = (np.load(tmp_path / "hrm" / split / f"all__{name}.npy") - 1 for name in ("inputs", "labels"))
        assert inputs.shape == (15, cells) and (sc.solve_boards(inputs, shape=shape).solution == labels).all()


def test_boards_with_rules_are_splits_of_their_own_and_copies_keep_the_rules(tmp_path):
    run = [sys.executable, "-m", "sudoku_corpus"]
    make = ["run", "--count", "6", "--techniques", "none", "--ratings", "none"]
    for words in (
        [*make, "--shape", "3x3+x", "--out", "x"],
        [*make, "--out", "usual"],
        [*make, "--shape", "5+jigsaw", "--out", "jigsaw"],
        ["release", "x", "usual", "--out", "set", "--license", "CC0-1.0", "--split", "train=1"],
    ):
        subprocess.run([*run, *words, "--quiet"], cwd=tmp_path, check=True)
    assert arrays(tmp_path / "set", tmp_path / "hrm", "--layout", "hrm", "--copies", 3).returncode == 0
    for split, shape in (("train_3x3+x", "3x3+x"), ("train_9x9", "3x3")):
        inputs, labels = (np.load(tmp_path / "hrm" / split / f"all__{name}.npy") - 1 for name in ("inputs", "labels"))
        solved = sc.solve_boards(inputs, shape=shape)
        assert len(inputs) == 24 and (solved.count == 1).all() and (solved.solution == labels).all()
    # Without ER, which the set does not have.
    assert arrays(tmp_path / "set", tmp_path / "set.npz").returncode == 0
    assert not np.load(tmp_path / "set.npz")["train_9x9_er"].any()
    for words, reason in ((["jigsaw", "j.npz"], "regions of jigsaws"), (["x", "hrm2", "--layout", "hrm", "--copies", "2"], "named train")):
        refused = subprocess.run([*run[:2], "sudoku_corpus.arrays", *words], cwd=tmp_path, capture_output=True, text=True)
        assert refused.returncode == 1 and reason in refused.stderr and "Traceback" not in refused.stderr
