"""Sudoku as a dataset of reasoning-gym, with a level or an ER in place of a number of empty cells.

>>> import reasoning_gym
>>> import sudoku_corpus.reasoning
>>> data = reasoning_gym.create_dataset("sudoku_corpus", level="hard", seed=42, size=10)
>>> data.score_answer(data[0]["answer"], data[0])
1.0
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from reasoning_gym.coaching import BaseCurriculum, RangeAttributeDefinition
from reasoning_gym.dataset import ProceduralDataset
from reasoning_gym.factory import register_dataset

from . import _native
from .answers import Reward, reward
from .boards import Bytes
from .streams import Batch, stream

NAME = "sudoku_corpus"


@dataclass
class SudokuCorpusConfig:
    """What the puzzles are: the arguments of `stream`. `reward` is "exact", "cells" or "valid", see `answers.reward`."""

    level: str | None = None
    min_er: float | None = None
    max_er: float | None = None
    needs: str | None = None
    uses: str | None = None
    only: str | None = None
    plan: str | None = None
    symmetry: str | None = None
    apart: tuple[int, int] | None = None
    split: tuple[str, str] | None = None
    split_seed: int = 20_261_120
    shape: str = "3x3"
    reward: Reward = "exact"
    seed: int | None = None
    size: int = 500

    def validate(self) -> None:
        """Refuse what no puzzle can have."""
        assert self.level is None or self.level in _native.LEVELS, f"level must be one of {_native.LEVELS}"
        assert self.reward in get_args(Reward), f"reward must be one of {get_args(Reward)}"
        assert self.size > 0, "size must be positive"
        try:
            stream(**self.asked(), seed=0)
        except ValueError as error:
            raise AssertionError(str(error)) from error

    def asked(self) -> dict[str, Any]:
        """The arguments of `stream`, without the seed."""
        names = ("level", "needs", "uses", "only", "plan", "symmetry", "apart", "split", "split_seed", "shape")
        bounds = None if self.min_er is None and self.max_er is None else (self.min_er, self.max_er)
        return {"er": bounds, **{name: getattr(self, name) for name in names}}


class SudokuCorpusDataset(ProceduralDataset):  # type: ignore[misc]
    """Puzzles with one solution. An item depends only on the configuration and its number."""

    PIECE = 32

    def __init__(self, config: SudokuCorpusConfig) -> None:
        super().__init__(config=config, seed=config.seed, size=config.size)
        self._piece = -1
        self._batch: Batch | None = None

    def _row(self, index: int) -> tuple[Batch, int]:
        """Rows are made in pieces, so that neighbors of an item are ready."""
        piece, row = divmod(index, self.PIECE)
        if self._batch is None or piece != self._piece:
            puzzles = stream(**self.config.asked(), seed=self.seed, start=piece * self.PIECE, batch=self.PIECE)
            self._batch, self._piece = next(puzzles), piece
        return self._batch, row

    def __getitem__(self, idx: int) -> dict[str, Any]:
        if not 0 <= idx < self.size:
            raise IndexError(f"item {idx} of {self.size}")
        batch, row = self._row(idx)
        puzzle, solution = _rows(batch.puzzle[row]), _rows(batch.solution[row])
        level, er = int(batch.level[row]), int(batch.er[row])
        return {
            "question": f"{_native.rules_of(self.config.shape)} An underscore is an empty cell.\n\n{_text(puzzle)}\n\n"
            "Answer with the complete grid in the same form.",
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
        """1 for the solution, whatever stands around its digits, and what `reward` says for another grid. `answers.grid_of` says which
        digits are taken for the grid."""
        flat = {name: [value for row in entry["metadata"][name] for value in row] for name in ("puzzle", "solution")}
        return reward(answer, flat["puzzle"], flat["solution"], partial=self.config.reward, shape=self.config.shape)


class SudokuCorpusCurriculum(BaseCurriculum):  # type: ignore[misc]
    """From puzzles with hidden singles alone to forcing chains: the range of ER grows."""

    def __init__(self) -> None:
        super().__init__(SudokuCorpusCurriculum.__name__, SudokuCorpusConfig)
        self._define_attributes(
            RangeAttributeDefinition(
                name="er",
                levels=[1.0, 1.5, 2.3, 3.0, 4.0, 5.0, 6.6, 7.2, 8.3],
                lower_field_name="min_er",
                upper_field_name="max_er",
                description="Sudoku Explainer's rating: the hardest step that the puzzle needs",
                ensure_interval=True,
            )
        )


def _rows(board: Bytes) -> list[list[int]]:
    order = int(np.sqrt(board.size))
    rows: list[list[int]] = board.reshape(order, order).tolist()
    return rows


def _text(rows: list[list[int]]) -> str:
    return "\n".join(" ".join(str(value) if value else "_" for value in row) for row in rows)


register_dataset(NAME, SudokuCorpusDataset, SudokuCorpusConfig, SudokuCorpusCurriculum)
