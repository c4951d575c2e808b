"""Boards as numpy arrays: solve them, judge moves, find the next step.

A board is an array of uint8 with one value for each cell, row by row; 0 is an empty cell. Several boards are an array with
one row for each board. All functions use all cores and release the interpreter's lock.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _native

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


class Move(enum.IntEnum):
    """What a move is worth."""

    RIGHT = 0
    """The digit of the solution."""
    WRONG = 1
    """No rule is broken yet, but the solution has another digit."""
    CONFLICT = 2
    """The digit stands already in the row, the column or the box."""
    FILLED = 3
    """The cell is not open."""
    OUTSIDE = 4
    """The board has no such cell or digit."""
    NOT_UNIQUE = 5
    """The board has no solution or several, so the move cannot be judged."""


@dataclass(frozen=True, slots=True)
class Solved:
    """Solutions of boards."""

    solution: Bytes
    """The first solution; 0 in every cell if there is none."""
    count: Bytes
    """The number of solutions: 0, 1, or 2 for two or more."""


@dataclass(frozen=True, slots=True)
class Steps:
    """The next step of each board; -1 where no technique places a digit."""

    cell: Numbers
    """The cell, numbered row by row from 0."""
    digit: Numbers
    """The digit."""
    technique: Numbers
    """The technique with the highest score on the way to it, as a row of `techniques()`."""


def _boards(boards: npt.ArrayLike, shape: str) -> Bytes:
    """Boards as bytes. A value that no cell can have is refused, because it would become another one."""
    given = np.asarray(boards)
    order = _native.order_of(shape)
    cells = order**2
    if given.shape[-1:] != (cells,) or given.ndim > 2:
        raise ValueError(f"boards must have the shape ({cells},) or (n, {cells}), not {given.shape}")
    if given.dtype.kind not in "biuf":
        raise ValueError(f"boards must be numbers, not {given.dtype}")
    if given.dtype == np.uint8 and (not given.size or given.max() <= order):
        return np.ascontiguousarray(given)
    wrong = (given < 0) | (given > order)
    if given.dtype.kind == "f":
        wrong |= given != np.floor(given)
    if wrong.any():
        at = tuple(int(axis) for axis in np.argwhere(wrong)[0])
        row = f" of board {at[0]}" if given.ndim == 2 else ""
        raise ValueError(f"cell {at[-1]}{row} is {given[at]}; a cell is 0 (open) to {order}")
    return np.ascontiguousarray(given, dtype=np.uint8)


def _integers(given: npt.ArrayLike, rows: tuple[int, ...]) -> Numbers:
    """One integer for each board. A number alone is that of each board."""
    numbers: Numbers = np.asarray(given, np.int64)
    if numbers.shape != rows:
        numbers = np.broadcast_to(numbers, rows)
    return np.ascontiguousarray(numbers).reshape(-1)


def solve_boards(boards: npt.ArrayLike, *, shape: str = "3x3", threads: int | None = None) -> Solved:
    """Solve boards.

    >>> import sudoku_corpus as sc
    >>> batch = next(sc.stream(batch=4))
    >>> solved = sc.solve_boards(batch.puzzle)
    >>> solved.count.tolist(), bool((solved.solution == batch.solution).all())
    ([1, 1, 1, 1], True)
    """
    array = _boards(boards, shape)
    solution, count = _native.solve_boards(array.reshape(-1), shape, threads)
    return Solved(
        np.frombuffer(solution, np.uint8).reshape(array.shape),
        np.frombuffer(count, np.uint8).reshape(array.shape[:-1]),
    )


def check(
    boards: npt.ArrayLike,
    cells: npt.ArrayLike,
    digits: npt.ArrayLike,
    *,
    solutions: npt.ArrayLike | None = None,
    shape: str = "3x3",
    threads: int | None = None,
) -> Bytes:
    """Judge a move on each board: `digits[i]` into cell `cells[i]` of `boards[i]`. The results are numbers of `Move`.

    With the solutions of the puzzles, nothing is solved: a million moves take a fraction of a second.

    >>> import sudoku_corpus as sc
    >>> batch = next(sc.stream(batch=1))
    >>> open_cell = int((batch.puzzle[0] == 0).argmax())
    >>> right = int(batch.solution[0, open_cell])
    >>> sc.Move(int(sc.check(batch.puzzle, [open_cell], [right])[0]))
    <Move.RIGHT: 0>
    """
    array = _boards(boards, shape)
    rows = array.shape[:-1]
    cell, digit = (_integers(given, rows) for given in (cells, digits))
    known = None if solutions is None else _boards(solutions, shape).reshape(-1)
    verdicts = _native.check_moves(array.reshape(-1), cell, digit, known, shape, threads)
    return np.frombuffer(verdicts, np.uint8).reshape(rows)


def isomorphs(
    boards: npt.ArrayLike,
    n: int = 1,
    *,
    solutions: npt.ArrayLike | None = None,
    seed: int = 20_261_120,
    shape: str = "3x3",
    threads: int | None = None,
) -> Bytes | tuple[Bytes, Bytes]:
    """Make `n` random equivalent boards of each board: relabelled, with rows and columns in another order, turned.

    The images of board i are the rows i * n to i * n + n - 1. With `solutions`, the result is a pair: the images of the boards, and
    those of their solutions under the same maps. A map depends only on the seed and the number of its row.

    >>> import sudoku_corpus as sc
    >>> batch = next(sc.stream(batch=2))
    >>> puzzles, solutions = sc.isomorphs(batch.puzzle, 3, solutions=batch.solution)
    >>> puzzles.shape, bool((sc.solve_boards(puzzles).solution == solutions).all())
    ((6, 81), True)
    """
    if not isinstance(n, (int, np.integer)) or n < 1:
        raise ValueError(f"n must be an integer from 1 on, not {n!r}")
    array = _boards(boards, shape)
    known = None if solutions is None else _boards(solutions, shape)
    if known is not None and known.shape != array.shape:
        raise ValueError(f"solutions must have the shape of boards, {array.shape}, not {known.shape}")
    flat = None if known is None else known.reshape(-1)
    images = [
        np.frombuffer(image, np.uint8).reshape(-1, array.shape[-1])
        for image in _native.random_isomorphs(array.reshape(-1), flat, int(n), seed, shape, threads)
    ]
    return images[0] if known is None else (images[0], images[1])


def step(
    boards: npt.ArrayLike, *, techniques: str = "default", shape: str = "3x3", threads: int | None = None
) -> Steps:
    """Find the next digit that the ladder of techniques places on each board.

    >>> import sudoku_corpus as sc
    >>> batch = next(sc.stream(batch=3))
    >>> found = sc.step(batch.puzzle)
    >>> bool((batch.solution[range(3), found.cell] == found.digit).all())
    True
    """
    array = _boards(boards, shape)
    found = _native.next_placements(array.reshape(-1), techniques, shape, threads)
    return Steps(*np.frombuffer(found, np.int64).reshape(*array.shape[:-1], 3).T)
