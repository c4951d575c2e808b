"""Make, rate, solve and check Sudoku puzzles with the speed of Rust.

Functions on tables (`rate`, `solve`, `canonical`, `dig`, `generate`, `steps`) take one puzzle, an iterable of puzzles, or an
object with Arrow data (of pandas, polars, DuckDB, pyarrow). They return a Table that all of these packages read without copying.
Functions on arrays (`solve_boards`, `check`, `step`) and `stream`, which makes puzzles for training loops, use numpy. All use all
cores and release the interpreter's lock.

>>> import sudoku_corpus as sc
>>> grids = sc.generate(100)
>>> puzzles = sc.dig(grids)
>>> rated = sc.rate(puzzles)
>>> len(rated), set(rated["solutions"])
(100, {1})
"""

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
from .boards import Move, Solved, Steps, check, solve_boards, step
from .stream import Batch, stream

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
    "rate",
    "solve",
    "solve_boards",
    "step",
    "steps",
    "stream",
    "techniques",
    "vocabulary",
]
