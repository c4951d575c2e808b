"""The Python examples of the documents, each block as a reader would run it: after the blocks before it on the page."""

import pathlib
import re
import subprocess
import sys

import pytest
import sudoku_corpus as sc

HOME = pathlib.Path(__file__).parents[3]
PAGES = ["scripts/python/README.md", "src/guide/datasets.md"]
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (HOME / page).read_text(), re.M | re.S)


@pytest.mark.parametrize("page", PAGES)
def test_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pathlib.Path("puzzles.csv").write_text(f"puzzle\n{EASY}\n")
    names, ran, skipped = {"sc": sc}, 0, []
    for block in blocks(page):
        try:
            exec(compile(block, page, "exec"), names)
            ran += 1
        except ModuleNotFoundError as missing:
            skipped.append(missing.name)
    assert ran >= 1
    if skipped:
        pytest.skip(f"{ran} blocks of {page} ran; the others need {', '.join(skipped)}")


def test_commands_of_the_pages_run(tmp_path):
    """The modules that the pages call as commands, on a data set of the program itself."""
    program = [sys.executable, "-m", "sudoku_corpus"]
    release = ["--split", "train=0.5,test=0.5", "--title", "Small", "--license", "CC0-1.0"]
    for command in (["run", "--count", "40", "--out", "corpus"], ["release", "corpus", "--out", "release", *release]):
        subprocess.run([*program, *command, "--quiet"], cwd=tmp_path, check=True)
    said = {option for page in PAGES for option in re.findall(r"--layout \w+", (HOME / page).read_text())}
    assert said == {"--layout hrm"}
    arrays = [sys.executable, "-m", "sudoku_corpus.arrays", "release"]
    subprocess.run([*arrays, "puzzles.npz"], cwd=tmp_path, check=True)
    subprocess.run([*arrays, "hrm", "--layout", "hrm"], cwd=tmp_path, check=True)
    assert (tmp_path / "puzzles.npz").exists() and (tmp_path / "hrm" / "train").is_dir()
