"""Puzzles for training loops, made while a model learns."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _native
from .boards import Bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """Puzzles and what is known of them: arrays with one row for each puzzle."""

    puzzle: Bytes
    """The cells of the puzzles, row by row; 0 is an open cell."""
    solution: Bytes
    """The cells of their solutions."""
    index: npt.NDArray[np.uint64]
    """The numbers of the rows. A puzzle depends only on the arguments of the stream and its number."""
    level: Bytes
    """HoDoKu's level as a position in `LEVELS`; 255 if the ladder was not used."""
    er: npt.NDArray[np.uint16]
    """Sudoku Explainer's ER in tenths; 0 if it was not computed."""
    givens: npt.NDArray[np.uint16]
    """The number of givens."""


class stream(Iterator[Batch]):
    """Make puzzles without end, in batches of numpy arrays.

    level: "easy", "medium", "hard", "unfair" or "extreme". er: the least and the largest ER, for example (3.0, 4.0).
    needs, uses, only: techniques, as in a recipe. symmetry, method, shape: as in a recipe. plan: as in a recipe; for a level or
    an ER of 9x9 puzzles from 2.0 on the default is "minimal", which finds them two to three times as fast as "within". rate:
    compute level and ER also if they are not asked for; "se" or "none".

    apart: (k, n) gives puzzles of part k of n. Two parts never have equivalent solution grids.
    split: ("train=0.9,test=0.1", "train") gives puzzles whose grids are in the split `train` of a data set that
    `sudoku-corpus release --split ... --apart grid` made; the seed of the split is `split_seed`.
    worker: (k, n) gives worker k of n its own puzzles, also without equivalent solution grids. `start` and `batch` are the
    first row and the number of puzzles of a batch.

    Puzzle `index` of a worker depends only on the seed and the other arguments, not on the batches or the threads.

    >>> import sudoku_corpus as sc
    >>> batch = next(sc.stream(level="hard", seed=7, batch=8))
    >>> batch.puzzle.shape, {sc.LEVELS[level] for level in batch.level}
    ((8, 81), {'hard'})
    """

    def __init__(
        self,
        *,
        level: str | None = None,
        er: tuple[float, float] | float | None = None,
        needs: str | None = None,
        uses: str | None = None,
        only: str | None = None,
        plan: str | None = None,
        symmetry: str | None = None,
        method: str | None = None,
        shape: str = "3x3",
        rate: str = "none",
        seed: int = 20_261_120,
        apart: tuple[int, int] | None = None,
        split: tuple[str, str] | None = None,
        split_seed: int = 0,
        worker: tuple[int, int] = (0, 1),
        start: int = 0,
        batch: int = 256,
        threads: int | None = None,
    ) -> None:
        if batch < 1 or start < 0:
            raise ValueError(f"batch must be at least 1 and start at least 0, not {batch} and {start}")
        bounds = er if isinstance(er, tuple) else (er, er)
        target = None if bounds[0] is None else f"{bounds[0]:.1f}..{bounds[1]:.1f}"
        by_techniques = any(value is not None for value in (needs, uses, only))
        # Hardly any minimal puzzle has a lower ER. On larger boards minimal puzzles are too hard, on smaller ones too easy.
        minimal = level is not None or (bounds[1] is not None and bounds[1] >= 2.0)
        if plan is None and minimal and not by_techniques and shape == "3x3":
            plan = "minimal"
        dig = {"level": level, "er": target, "needs": needs, "uses": uses, "only": only, "plan": plan}
        ratings = "er" if er is not None or rate == "se" else "none"
        analyze: dict[str, str | int | None] = {
            "techniques": "default" if level is not None or by_techniques or rate == "se" else "none",
            "ratings": ratings,
            "minimal": False,
            "weight": False,
        }
        sections: dict[str, dict[str, str | int | None]] = {
            "grid": {"shape": shape, "method": method},
            "dig": {**dig, "symmetry": symmetry, "retries": 1_000_000_000},
            "analyze": analyze,
        }
        lines = [f"seed = {seed}"]
        for name, keys in sections.items():
            lines.append(f"[{name}]")
            lines += [f"{key} = {json.dumps(value)}" for key, value in keys.items() if value is not None]
        sides = [_side(worker, 2**64 - 1)] if worker != (0, 1) else []
        if apart is not None:
            sides.append(_side(apart, 2**64 - 2))
        if split is not None:
            sides.append((*split, split_seed))
        self._source = _native.Source("\n".join(lines), sides)
        self._next, self._batch, self._threads = start, batch, threads

    @property
    def recipe(self) -> str:
        """The complete recipe of the rows."""
        return self._source.recipe

    @property
    def order(self) -> int:
        """The number of digits."""
        return self._source.order

    def __next__(self) -> Batch:
        first, count = self._next, self._batch
        puzzle, solution, level, er, givens = self._source.rows(first, count, self._threads)
        self._next += count
        cells = self.order**2
        return Batch(
            np.frombuffer(puzzle, np.uint8).reshape(count, cells),
            np.frombuffer(solution, np.uint8).reshape(count, cells),
            np.arange(first, first + count, dtype=np.uint64),
            np.frombuffer(level, np.uint8),
            np.frombuffer(er, np.uint16),
            np.frombuffer(givens, np.uint16),
        )


def _side(part: tuple[int, int], seed: int) -> tuple[str, str, int]:
    """Part k of n: a split of equal shares, the name of the part, and the seed of the split."""
    own, count = part
    if not 0 <= own < count <= 4096:
        raise ValueError(f"a part must be (k, n) with 0 <= k < n <= 4096, not {part}")
    edges = [10**9 * at // count for at in range(count + 1)]
    shares = (f"part{at}={(edges[at + 1] - edges[at]) / 10**9:.9f}" for at in range(count))
    return ",".join(shares), f"part{own}", seed
