"""Read the grid out of what a model has answered, and give a reward for it.

>>> from sudoku_corpus.answers import grid_of, reward
>>> grid_of("The rows are:\\n1, 2, 3, 4\\n3, 4, 1, 2\\n2, 1, 4, 3\\n4, 3, 2, 1\\nDone in 3 steps.", "2x2")
[1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from . import _native
from .boards import Move, check

Reward = Literal["exact", "cells", "valid"]


def grid_of(answer: str, shape: str = "3x3") -> list[int] | None:
    """The cells of the grid that an answer ends with, row by row, 0 for an empty cell. None if it has no grid.

    1. What stands in `<think>` never counts. If the answer has `<answer>`, only the text after the last one counts, up to `</answer>`.
    2. If that is a line of cells, as files have it, it is the grid.
    3. The last rows one after another, each with as many cells as the board and no words, are the grid. Blank lines and lines of a
       frame may stand between them. A label before the cells (`Row 3:`, `Column 3:`, `"row1":`, `3.`) says which row or column they are.
       Labels that are double or missing make it no grid.
    4. Otherwise the last piece of text without words that has as many cells as the board is the grid, and
    5. otherwise the last cells in the text.

    Words behind the grid that take it back, such as "I give up", make it none; other words do not matter.

    A cell is a digit; above 9x9 it is a number, or a sign as in the column `puzzle`. `.`, `_`, `0`, `?` and `x` are empty cells in a row
    of a grid; above 9x9, `x` is none.
    """
    return _native.grid_of(answer, shape)


def reward(
    answer: str | None,
    puzzle: str | Sequence[int],
    solution: str | Sequence[int],
    *,
    partial: Reward = "exact",
    shape: str = "3x3",
) -> float:
    """The reward of an answer, 0 to 1. `puzzle` and `solution` are texts as in the columns of a data set, or the cells row by row, 0 for an open
    cell. Anything else is a ValueError.

    An answer with another digit in place of a given gets 0, and the solution gets 1. For other answers `partial` says how much:
    "exact" nothing; "cells" the share of the empty cells of the puzzle that have the digit of the solution; "valid" the share of them
    that have a digit which stands only once in its row, column and box. `shape` is rows x columns of a box.
    """
    if partial not in get_args(Reward):
        raise ValueError(f"partial must be one of {get_args(Reward)}, not {partial!r}")
    puzzle, solution = _cells(puzzle, shape), _cells(solution, shape)
    if len(puzzle) != len(solution):
        raise ValueError(f"the puzzle has {len(puzzle)} cells, the solution {len(solution)}")
    cells = grid_of(answer, shape) if isinstance(answer, str) else None
    if cells is not None and len(cells) != len(puzzle):
        raise ValueError(f"the puzzle has {len(puzzle)} cells, a board of {shape} {len(cells)}")
    if cells is None or any(given and given != cell for given, cell in zip(puzzle, cells)):
        return 0.0
    if cells == solution:
        return 1.0
    open_cells = [at for at, given in enumerate(puzzle) if not given]
    if partial == "exact" or not open_cells:
        return 0.0
    if partial == "cells":
        good = sum(cells[at] == solution[at] for at in open_cells)
    else:
        good = sum(cells[at] > 0 and not _conflicts(cells, at, shape) for at in open_cells)
    # Only the solution has the whole reward.
    return min(good / len(open_cells), 0.99)


def _cells(board: str | Sequence[int], shape: str) -> list[int]:
    """The cells of a board that is given as a text, or as numbers row by row."""
    if isinstance(board, str):
        cells = grid_of(board, shape)
        if cells is None:
            raise ValueError(f"{board!r} is no board of {shape}")
        return cells
    try:
        return [int(cell) for cell in board]
    except TypeError:
        raise ValueError("a board is a text, or one number for each cell, row by row") from None


def _conflicts(cells: Sequence[int], at: int, shape: str) -> bool:
    """True if the digit of a cell stands elsewhere in its row, column or box too."""
    board = list(cells)
    board[at] = 0
    move = check(board, at, cells[at], solutions=cells, shape=shape, threads=1)
    return Move(int(move)) is Move.CONFLICT
