"""Sudoku as an environment of Gymnasium.

>>> import gymnasium
>>> import sudoku_corpus.gymnasium
>>> env = gymnasium.make("SudokuCorpus-v0", level="easy")
>>> board, info = env.reset(seed=1)
>>> board.shape, sorted(info)
((81,), ['er', 'level', 'row'])
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from . import _native
from .boards import Bytes, Move
from .streams import Batch, stream

Action = npt.NDArray[np.int64]


class SudokuEnv(gymnasium.Env[Bytes, Action]):
    """Fill the empty cells of a puzzle with one solution.

    Observation: the board, one value for each cell, row by row; 0 is an empty cell.
    Action: a cell (from 0) and a digit (minus 1).
    Reward: 1 for the digit of the solution, otherwise -1. `info["move"]` is a `Move` that says what was wrong. Such a move
    does not change the board.
    An episode terminates when the board is full, and with `stop_on_error` at the first wrong move. `gymnasium.make` truncates it after
    324 moves, four for each cell; `max_episode_steps` is its argument for another number.

    All other arguments are those of `stream`. `reset(seed=...)` begins its puzzles anew with that seed, and `reset()` takes
    the next puzzle. An environment that was never given a seed, neither here nor by `reset`, draws one: so two environments
    have different puzzles.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self, *, stop_on_error: bool = False, render_mode: str | None = None, shape: str = "3x3", **options: Any
    ) -> None:
        self.render_mode = render_mode
        self._stop_on_error, self._shape, self._options = stop_on_error, shape, {"batch": 64, **options}
        # The stream checks the arguments. Its puzzles are those of the seed of the first reset.
        self._batches = stream(shape=shape, **self._options)
        self._is_seeded = "seed" in options
        order = self._batches.order
        self.observation_space = gymnasium.spaces.Box(0, order, (order * order,), np.uint8)
        self.action_space = gymnasium.spaces.MultiDiscrete([order * order, order])
        self._batch: Batch | None = None
        self._row = 0
        self._board = np.zeros(order * order, np.uint8)
        self._solution = self._board

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, dict[str, Any]]:
        """Begin a puzzle."""
        super().reset(seed=seed, options=options)
        if seed is None and not self._is_seeded:
            seed = int(self.np_random.integers(2**63))
        if seed is not None:
            self._batches = stream(shape=self._shape, **{**self._options, "seed": seed})
            self._batch, self._is_seeded = None, True
        self._row += 1
        if self._batch is None or self._row == len(self._batch.puzzle):
            self._batch, self._row = next(self._batches), 0
        batch, row = self._batch, self._row
        self._board, self._solution = batch.puzzle[row].copy(), batch.solution[row]
        level = int(batch.level[row])
        names = {at: name for at, name in enumerate(_native.LEVELS)}
        info = {"row": int(batch.row[row]), "level": names.get(level), "er": int(batch.er[row]) / 10 or None}
        return self._board.copy(), info

    def step(self, action: Action) -> tuple[Bytes, float, bool, bool, dict[str, Any]]:
        """Place a digit."""
        cell, digit = np.asarray(action, np.int64) + (0, 1)
        # What `check` calls, without its checks of the boards.
        verdict = _native.check_moves(self._board, cell.reshape(1), digit.reshape(1), self._solution, self._shape, 1)
        move = Move(verdict[0])
        if move is Move.RIGHT:
            self._board[cell] = digit
        full = bool(self._board.all())
        terminated = full or (self._stop_on_error and move is not Move.RIGHT)
        return self._board.copy(), 1.0 if move is Move.RIGHT else -1.0, terminated, False, {"move": move}

    def render(self) -> str | None:
        """The board as text, one line for each row."""
        if self.render_mode != "ansi":
            return None
        order = self._batches.order
        rows = self._board.reshape(order, order)
        return "\n".join(" ".join("." if value == 0 else str(value) for value in row) for row in rows)


gymnasium.register(id="SudokuCorpus-v0", entry_point=SudokuEnv, max_episode_steps=4 * 81)
