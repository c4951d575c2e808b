"""Puzzles as a data set of PyTorch.

>>> import torch
>>> from sudoku_corpus.torch import Puzzles
>>> data = Puzzles(level="easy", seed=1, batch=32)
>>> loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=2)
>>> next(iter(loader))["puzzle"].shape
torch.Size([32, 81])
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

from .streams import stream


class Puzzles(IterableDataset[dict[str, torch.Tensor]]):
    """An endless data set: dictionaries of tensors with `batch` puzzles each. The arguments are those of `stream`.

    Give it to a DataLoader with `batch_size=None`, because it makes whole batches. The workers of a loader share the rows of one
    stream: worker k of n makes the rows k, k + n, .. `worker=(rank, world)` shares them between machines before. In a worker each
    call uses one thread.

    `state_dict` has the number of batches that this object gave out, and `load_state_dict` goes on after them. With workers, a
    stateful DataLoader (torchdata) keeps the state of each.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__()
        self._rank, self._world = arguments.pop("worker", (0, 1))
        self._first = arguments.pop("start", 0)
        self._batch = arguments.get("batch", 256)
        self._arguments, self._given = arguments, 0
        stream(**self._arguments, worker=(self._rank, self._world), start=self._first)

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        info = get_worker_info()
        arguments = dict(self._arguments)
        own, workers = (info.id, info.num_workers) if info is not None else (0, 1)
        if info is not None:
            arguments.setdefault("threads", 1)
        worker = (self._rank * workers + own, self._world * workers)
        for batch in stream(**arguments, worker=worker, start=self._first + self._given * self._batch):
            self._given += 1
            # Memory that is read-only in numpy would give a warning.
            yield {name: torch.from_numpy(array.astype("int64" if array.dtype == "uint16" else array.dtype)) for name, array in batch.items()}

    def state_dict(self) -> dict[str, int]:
        """How many batches were given out."""
        return {"given": self._given}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Go on after these batches."""
        self._given = int(state["given"])
