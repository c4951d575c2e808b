"""Sudoku as a dataset of reasoning-gym, with a level or an ER in place of a number of empty cells.

>>> import reasoning_gym
>>> import sudoku_corpus.reasoning
>>> data = reasoning_gym.create_dataset("sudoku_corpus", level="hard", seed=42, size=10)
>>> data.score_answer(data[0]["answer"], data[0])
1.0
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from reasoning_gym.factory import register_dataset
from reasoning_gym.dataset import ProceduralDataset

from . import _native
from .boards import Bytes
from .stream import Batch, stream

NAME = "sudoku_corpus"


@dataclass
class SudokuCorpusConfig:
    """What the puzzles are: the arguments of `stream`."""

    level: str | None = None
    min_er: float | None = None
    max_er: float | None = None
    needs: str | None = None
    apart: tuple[int, int] | None = None
    shape: str = "3x3"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Refuse what no puzzle can have."""
        assert self.level is None or self.level in _native.LEVELS, f"level must be one of {_native.LEVELS}"
        assert (self.min_er is None) == (self.max_er is None), "min_er and max_er belong together"
        assert self.size > 0, "size must be positive"


class SudokuCorpusDataset(ProceduralDataset):  # type: ignore[misc]
    """Puzzles with one solution. An item depends only on the configuration and its number."""

    PIECE = 32

    def __init__(self, config: SudokuCorpusConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._piece = -1
        self._batch: Batch | None = None

    def _row(self, index: int) -> tuple[Batch, int]:
        """Rows are made in pieces, so that neighbours of an item are ready."""
        config, (piece, row) = self.config, divmod(index, self.PIECE)
        if self._batch is None or piece != self._piece:
            er = None if config.min_er is None else (config.min_er, config.max_er)
            puzzles = stream(
                level=config.level,
                er=er,
                needs=config.needs,
                apart=config.apart,
                shape=config.shape,
                seed=self.seed,
                start=piece * self.PIECE,
                batch=self.PIECE,
            )
            self._batch, self._piece = next(puzzles), piece
        return self._batch, row

    def __getitem__(self, idx: int) -> dict[str, Any]:
        batch, row = self._row(idx)
        puzzle, solution = _rows(batch.puzzle[row]), _rows(batch.solution[row])
        level, er = int(batch.level[row]), int(batch.er[row])
        return {
            "question": "Fill the grid so that every row, column and box contains every digit once. "
            f"An underscore is an empty cell.\n\n{_text(puzzle)}\n\nAnswer with the complete grid in the same form.",
            "answer": _text(solution),
            "metadata": {
                "source_dataset": NAME,
                "source_index": idx,
                "puzzle": puzzle,
                "solution": solution,
                "num_empty": int((batch.puzzle[row] == 0).sum()),
                "difficulty": {
                    "level": _native.LEVELS[level] if level < len(_native.LEVELS) else None,
                    "er": er / 10 if er else None,
                },
            },
        }

    def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
        """1 for the solution, whatever stands around its digits; otherwise 0, because one wrong cell is no solution."""
        solution = entry["metadata"]["solution"]
        wanted = [value for row in solution for value in row]
        if not isinstance(answer, str):
            return 0.0
        words = answer.replace("|", " ").split()
        found = [int(word) for word in words if word.isascii() and word.isdigit()]
        return float(found == wanted)


def _rows(board: Bytes) -> list[list[int]]:
    order = int(np.sqrt(board.size))
    rows: list[list[int]] = board.reshape(order, order).tolist()
    return rows


def _text(rows: list[list[int]]) -> str:
    return "\n".join(" ".join(str(value) if value else "_" for value in row) for row in rows)


register_dataset(NAME, SudokuCorpusDataset, SudokuCorpusConfig)
