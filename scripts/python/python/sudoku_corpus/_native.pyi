"""The native part of the package."""

from collections.abc import Iterable
from typing import Any, Protocol, overload

import numpy as np
import numpy.typing as npt

__version__: str
LEVELS: list[str]

def rules_of(shape: str) -> str: ...

class ArrowStream(Protocol):
    """Anything that gives its data as an Arrow stream: a DataFrame or Series of polars, a pyarrow.Table, a relation."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class ArrowArray(Protocol):
    """Anything that gives its data as an Arrow array."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

Array = npt.NDArray[np.generic]
Texts = str | Iterable[str | None] | ArrowStream | ArrowArray

class Table:
    """A table of columns. Every package that reads Arrow data can use it without copying."""

    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: str) -> list[Any]: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    def to_pydict(self) -> dict[str, list[Any]]: ...
    def to_pyarrow(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...

def rate(
    puzzles: Texts,
    *,
    techniques: str = "default",
    ratings: str = "se",
    er_limit: str = "10.4",
    counts: bool = False,
    shape: str | None = None,
    column: str = "puzzle",
    threads: int | None = None,
) -> Table: ...
def solve(
    puzzles: Texts,
    *,
    limit: int = 2,
    search: bool = False,
    shape: str | None = None,
    column: str = "puzzle",
    threads: int | None = None,
) -> Table: ...
def canonical(
    puzzles: Texts, *, shape: str | None = None, column: str = "puzzle", threads: int | None = None
) -> Table: ...
def dig(
    grids: Texts,
    *,
    plan: str = "minimal",
    symmetry: str = "none",
    seed: int = 20_261_120,
    shape: str | None = None,
    column: str = "solution",
    threads: int | None = None,
) -> Table: ...
def generate(
    count: int,
    *,
    method: str = "uniform",
    shape: str = "3x3",
    seed: int = 20_261_120,
    first: int = 0,
    threads: int | None = None,
) -> Table: ...
def steps(
    puzzles: Texts,
    *,
    techniques: str = "default",
    wrong: int = 0,
    seed: int = 20_261_120,
    shape: str | None = None,
    column: str = "puzzle",
    threads: int | None = None,
) -> Table: ...
def techniques() -> Table: ...
def vocabulary(shape: str = "3x3") -> list[str]: ...
def run_program(words: list[str], arguments: list[str]) -> int: ...
def solve_boards(boards: Array, shape: str, threads: int | None) -> tuple[bytearray, bytearray]: ...
def check_moves(
    boards: Array, cells: Array, digits: Array, solutions: Array | None, shape: str, threads: int | None
) -> bytearray: ...
def next_placements(boards: Array, techniques: str, shape: str, threads: int | None) -> bytearray: ...

def order_of(shape: str) -> int: ...
def grid_of(answer: str, shape: str) -> list[int] | None: ...
def score_file(predictions: str, set: list[str], answer: str | None) -> str: ...
def score_pairs(predictions: list[tuple[str, str]], set: list[str]) -> str: ...
def random_isomorphs(
    boards: Array, solutions: Array | None, n: int, seed: int, shape: str, threads: int | None
) -> list[bytearray]: ...

class Source:
    """The rows of a recipe whose grids are on the kept sides of some splits."""

    def __init__(self, recipe: str, splits: list[tuple[str, str, int]]) -> None: ...
    def rows(
        self, first: int, count: int, stride: int, threads: int | None
    ) -> tuple[bytearray, bytearray, bytearray, bytearray, bytearray]: ...
    @property
    def recipe(self) -> str: ...
    @property
    def order(self) -> int: ...
