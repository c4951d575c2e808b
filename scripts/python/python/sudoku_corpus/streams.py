"""Puzzles for training loops, made while a model learns."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from .boards import Bytes, Numbers

WORKERS = 65_536
LARGEST_ER = 20.0
# Minimal puzzles with these ERs are common: a walk towards them takes longer than the next dig.
COMMON_ER = (7.1, 7.6)
WALKS_FROM = 3.0


@dataclass(frozen=True, slots=True)
class Batch(Mapping[str, npt.NDArray[Any]]):
    """Puzzles and what is known of them: arrays with one row for each puzzle.

    A batch is also a mapping from the names of its arrays to the arrays. So PyTorch collates it, and `dict(batch)` is a tree for
    JAX.
    """

    puzzle: Bytes
    """The cells of the puzzles, row by row; 0 is an empty cell."""
    solution: Bytes
    """The cells of their solutions."""
    row: Numbers
    """The numbers of the rows. A puzzle depends only on the arguments of the stream and its number."""
    level: Bytes
    """The level on the newspaper's scale as a position in `LEVELS`; 255 if it was not computed."""
    er: npt.NDArray[np.uint16]
    """Sudoku Explainer's ER in tenths; 0 if it was not computed."""
    givens: npt.NDArray[np.uint16]
    """The number of givens."""

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if all(field.name != name for field in fields(self)):
            raise KeyError(name)
        array: npt.NDArray[Any] = getattr(self, name)
        return array

    def __iter__(self) -> Iterator[str]:
        return (field.name for field in fields(self))

    def __len__(self) -> int:
        """The number of arrays. The number of puzzles is `len(batch.puzzle)`."""
        return len(fields(self))


class stream(Iterator[Batch]):
    """Make puzzles without end, in batches of numpy arrays.

    level: "easy", "medium", "hard", "expert" or "extreme" on the newspaper's scale, see `sudoku-corpus list levels`. er: the least and the largest ER, for example (3.0, 4.0); None is an
    open end. needs, uses, only: techniques, as in a recipe. symmetry, method, shape: as in a recipe. plan: as in a recipe; for a
    level or an ER of 9x9 puzzles from 2.0 on the default is "minimal", which finds them two to three times as fast as "within", and for
    an ER from 3.0 on, outside of 7.1 to 7.6, "walk", whose puzzles are minimal too. Each row has a grid of its own.
    rate: compute level and ER also if they are not asked for; "se" or "none".

    apart: (k, n) gives puzzles of part k of n. Two parts never have equivalent solution grids.
    split: ("train=0.9,test=0.1", "train") gives puzzles whose grids are in the split `train` of a data set that
    `sudoku-corpus release --split ... --apart grid` made. Its `--seed` is `split_seed` here.
    worker: (k, n) gives worker k of n the rows k, k + n, k + 2n, .. of the stream, so n workers together make the rows of one
    stream, each once. `start` is the first row of the worker, counted from 0, and `batch` the number of puzzles of a batch.

    A row depends only on its number, the seed and the other arguments, not on the workers, the batches or the threads. A row tries at
    most `retries` grids. If none of them has the puzzle that is asked for, the error says how many were tried.

    A stream can be pickled. `state_dict` and `load_state_dict` say and set where it stands.

    >>> import sudoku_corpus as sc
    >>> batch = next(sc.stream(level="hard", seed=7, batch=8))
    >>> batch.puzzle.shape, {sc.LEVELS[level] for level in batch.level}
    ((8, 81), {'hard'})
    """

    def __init__(
        self,
        *,
        level: str | None = None,
        er: tuple[float | None, float | None] | float | None = None,
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
        split_seed: int = 20_261_120,
        worker: tuple[int, int] = (0, 1),
        start: int = 0,
        batch: int = 256,
        retries: int = 1_000_000,
        threads: int | None = None,
    ) -> None:
        own = dict(locals())
        self._arguments: dict[str, Any] = {name: own[name] for name in own if name not in ("self", "__class__")}
        for name, value, least in (("batch", batch, 1), ("start", start, 0), ("seed", seed, 0), ("retries", retries, 0)):
            if not isinstance(value, (int, np.integer)) or value < least:
                raise ValueError(f"{name} must be an integer from {least} on, not {value!r}")
        if threads is not None and not 1 <= threads <= 1024:
            raise ValueError(f"threads must be 1 to 1024, not {threads}")
        if rate not in ("se", "none"):
            raise ValueError(f"rate must be 'se' or 'none', not {rate!r}")
        bounds = _bounds(er)
        target = None if bounds is None else f"{bounds[0]:.1f}..{bounds[1]:.1f}"
        by_techniques = any(value is not None for value in (needs, uses, only))
        # Hardly any minimal puzzle has a lower ER. On larger boards minimal puzzles are too hard, on smaller ones too easy.
        minimal = level is not None or (bounds is not None and bounds[1] >= 2.0)
        if plan is None and minimal and not by_techniques and shape == "3x3":
            rare = bounds is not None and bounds[0] >= WALKS_FROM and (bounds[1] < COMMON_ER[0] or bounds[0] > COMMON_ER[1])
            plan = "walk" if rare and level is None else "minimal"
        dig = {"level": level, "er": target, "needs": needs, "uses": uses, "only": only, "plan": plan}
        ratings = "er" if target is not None or level is not None or rate == "se" else "none"
        analyze: dict[str, str | int | None] = {
            "techniques": "default" if level is not None or by_techniques or rate == "se" else "none",
            "ratings": ratings,
            "minimal": False,
            "weight": False,
        }
        sections: dict[str, dict[str, str | int | None]] = {
            "grid": {"shape": shape, "method": method},
            "dig": {**dig, "symmetry": symmetry, "retries": int(retries)},
            "analyze": analyze,
        }
        lines = [f"seed = {seed}"]
        for name, keys in sections.items():
            lines.append(f"[{name}]")
            lines += [f"{key} = {json.dumps(value)}" for key, value in keys.items() if value is not None]
        sides = []
        if apart is not None:
            sides.append(_side(apart))
        if split is not None:
            if not (isinstance(split, (tuple, list)) and len(split) == 2 and all(isinstance(part, str) for part in split)):
                raise ValueError(f"split must be the split and the name of a side, as ('train=0.9,test=0.1', 'train'), not {split!r}")
            sides.append((split[0], split[1], split_seed))
        self._worker, self._workers = _part("worker", worker, WORKERS)
        self._source = _native.Source("\n".join(lines), sides)
        self._next, self._batch, self._threads = int(start), int(batch), threads
        self._lock = threading.Lock()

    @property
    def recipe(self) -> str:
        """The complete recipe of the rows."""
        return self._source.recipe

    @property
    def order(self) -> int:
        """The number of digits."""
        return self._source.order

    def __next__(self) -> Batch:
        count, stride = self._batch, self._workers
        # The numbers are taken before the call, which lets other threads run: no two of them get the same rows.
        with self._lock:
            begin = self._next
            self._next += count
        first = self._worker + begin * stride
        try:
            puzzle, solution, level, er, givens = self._source.rows(first, count, stride, self._threads)
        except BaseException:
            with self._lock:
                if self._next == begin + count:
                    self._next = begin
            raise
        cells = self.order**2
        return Batch(
            np.frombuffer(puzzle, np.uint8).reshape(count, cells),
            np.frombuffer(solution, np.uint8).reshape(count, cells),
            np.arange(count, dtype=np.int64) * stride + first,
            np.frombuffer(level, np.uint8),
            np.frombuffer(er, np.uint16),
            np.frombuffer(givens, np.uint16),
        )

    def state_dict(self) -> dict[str, int]:
        """Where the stream stands: the row that this worker makes next."""
        return {"next": self._next}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Go on where a stream with the same arguments stood."""
        self._next = int(state["next"])

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, ({**self._arguments, "start": self._next},)


def _again(arguments: dict[str, Any]) -> stream:
    """The stream with these arguments."""
    return stream(**arguments)


def _bounds(er: tuple[float | None, float | None] | float | None) -> tuple[float, float] | None:
    """The least and the largest ER that are asked for. An open end is the end of the scale."""
    if er is None:
        return None
    pair = tuple(er) if isinstance(er, (tuple, list)) else (er, er)
    wrong = ValueError(f"er must be a number such as 3.0, or the least and the largest such as (3.0, 4.0) or (None, 4.0), not {er!r}")
    if len(pair) != 2 or not all(end is None or isinstance(end, (int, float, np.number)) for end in pair):
        raise wrong
    low, high = (default if end is None else float(end) for end, default in zip(pair, (1.0, LARGEST_ER)))
    for end in (low, high):
        if not 1.0 <= end <= LARGEST_ER or abs(end * 10 - round(end * 10)) > 1e-6:
            raise ValueError(f"er has one decimal and is 1.0 or more, and {er!r} is not so")
    if low > high:
        raise ValueError(f"er: the least is larger than the largest in {er!r}")
    return (low, high)


def _part(name: str, part: tuple[int, int], most: int) -> tuple[int, int]:
    """Part k of n."""
    wrong = ValueError(f"{name} must be (k, n) with 0 <= k < n <= {most}, not {part!r}")
    if not isinstance(part, (tuple, list)) or len(part) != 2 or not all(isinstance(one, (int, np.integer)) for one in part):
        raise wrong
    own, count = part
    if not 0 <= own < count <= most:
        raise wrong
    return int(own), int(count)


def _side(part: tuple[int, int]) -> tuple[str, str, int]:
    """Part k of n: a split of equal shares, the name of the part, and the seed of the split."""
    own, count = _part("apart", part, 255)
    edges = [10**9 * at // count for at in range(count + 1)]
    shares = (f"part{at}={(edges[at + 1] - edges[at]) / 10**9:.9f}" for at in range(count))
    return ",".join(shares), f"part{own}", 2**64 - 2
