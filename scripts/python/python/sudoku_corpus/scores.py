"""Score the answers of a model against a set of puzzles with solutions."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _native

Set = str | os.PathLike[str]


def score(
    predictions: str | os.PathLike[str] | Mapping[str, str] | Iterable[tuple[str, str]],
    *sets: Set,
    answer: str | None = None,
) -> dict[str, Any]:
    """Score predictions, as the command `sudoku-corpus score` does.

    predictions: a file (.jsonl, .csv, .parquet), a mapping from puzzles to answers, or pairs of a puzzle and an answer.
    answer: the column of the answers in a file; without it, the only one of answer, prediction, predicted, output, response, completion.
    sets: folders that `release` made, folders of corpora, or files of rows with solutions.

    The result has `groups`: a list with a dictionary for all puzzles, and then for each split, role, board, level and tenth of ER.

    >>> import subprocess, sys, tempfile
    >>> import sudoku_corpus as sc
    >>> folder = tempfile.mkdtemp() + "/corpus"
    >>> program = [sys.executable, "-m", "sudoku_corpus"]
    >>> _ = subprocess.run([*program, "run", "--quiet", "--count", "4", "--out", folder], check=True)
    >>> sc.score({}, folder)["groups"][0]["missing"]
    4
    """
    names = [os.fspath(one) for one in sets]
    if isinstance(predictions, (str, os.PathLike)):
        return dict(json.loads(_native.score_file(os.fspath(predictions), names, answer)))
    pairs = predictions.items() if isinstance(predictions, Mapping) else predictions
    return dict(json.loads(_native.score_pairs([(puzzle, answer) for puzzle, answer in pairs], names)))
