"""Make, rate, solve and check Sudoku puzzles with the speed of Rust.

Functions on tables (`rate`, `solve`, `canonical`, `dig`, `generate`, `steps`) take one puzzle, an iterable of puzzles, or an
object with Arrow data (of pandas, polars, DuckDB, pyarrow). They return a Table that all of these packages read without copying.
Functions on arrays (`solve_boards`, `check`, `step`, `isomorphs`) and `stream`, which makes puzzles for training loops, use numpy. All use all
cores and release the interpreter's lock.

>>> import sudoku_corpus as sc
>>> grids = sc.generate(100)
>>> puzzles = sc.dig(grids)
>>> rated = sc.rate(puzzles)
>>> len(rated), set(rated["solutions"])
(100, {1})
"""

from __future__ import annotations

import importlib

from ._native import (
    LEVELS,
    Table,
    __version__,
    canonical,
    dig,
    generate,
    rate,
    solve,
    steps,
    techniques,
    vocabulary,
)

# `typing` is not imported either: it takes as long as all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .boards import Move, Solved, Steps, check, isomorphs, solve_boards, step
    from .scores import score
    from .streams import Batch, stream

__all__ = [
    "LEVELS",
    "Batch",
    "Move",
    "Solved",
    "Steps",
    "Table",
    "__version__",
    "canonical",
    "check",
    "dig",
    "generate",
    "isomorphs",
    "rate",
    "score",
    "solve",
    "solve_boards",
    "step",
    "steps",
    "stream",
    "techniques",
    "vocabulary",
]

# Where the names are that need numpy. It is imported when the first of them is used, so that the command starts at once.
_LATER = {
    **dict.fromkeys(("Move", "Solved", "Steps", "check", "isomorphs", "solve_boards", "step"), "boards"),
    "score": "scores",
    **dict.fromkeys(("Batch", "stream"), "streams"),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
