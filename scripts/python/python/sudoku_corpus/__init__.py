"""Rate, solve, dig and generate Sudoku puzzles held in DataFrames, with the speed of Rust.

Every function takes one puzzle, an iterable of puzzles, or an object with Arrow data (of pandas, polars, DuckDB, pyarrow).
It returns a Table that all of these packages read without copying. It uses all cores and releases the interpreter's lock.

>>> import sudoku_corpus as sc
>>> grids = sc.generate(100)
>>> puzzles = sc.dig(grids)
>>> rated = sc.rate(puzzles)
>>> len(rated), set(rated["solutions"])
(100, {1})
"""

from ._native import (
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

__all__ = [
    "Table",
    "__version__",
    "canonical",
    "dig",
    "generate",
    "rate",
    "solve",
    "steps",
    "techniques",
    "vocabulary",
]
