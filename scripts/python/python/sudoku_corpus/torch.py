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


# The rows of one worker in an epoch. So no two epochs have the same rows, and each is known before the one before it ends.
EPOCH = 2**32
MOST_WORKERS = 1024


class Puzzles(IterableDataset[dict[str, torch.Tensor]]):
    """An endless data set: dictionaries of tensors with `batch` puzzles each. The arguments are those of `stream`.

    Give it to a DataLoader with `batch_size=None`, because it makes whole batches. The workers of a loader share the rows of one
    stream: worker k of n makes the rows k, k + n, .. `worker=(rank, world)` shares them between machines before. In a worker each
    call uses one thread. `start` is the first row, counted in the whole stream.

    Each epoch has new rows: those from 4,294,967,296 times its number on, for each worker. An epoch begins when a loader starts its
    workers, and with the first iteration without workers.

    `state_dict` has the epoch and the row that comes next, and `load_state_dict` goes on there. While workers of a loader have the
    epoch, it is the next one, so nothing comes twice. A stateful DataLoader (torchdata) keeps the state of each worker.
    """

    def __init__(self, **arguments: Any) -> None:
        super().__init__()
        self._rank, self._world = arguments.pop("worker", (0, 1))
        self._row = arguments.pop("start", 0)
        self._batch = arguments.get("batch", 256)
        self._arguments = arguments
        self._epoch: int | None = None
        # For each worker the epochs that have begun, and the seed of the loader that began the last one. All processes see it.
        self._begun = torch.zeros(MOST_WORKERS, dtype=torch.int64).share_memory_()
        stream(**self._arguments, worker=(self._rank, self._world), start=self._row)

    def _begin(self, worker: int, seed: int) -> int:
        """The number of the epoch that a worker begins. Workers of one loader have its seed, and begin the same epoch."""
        begun: list[tuple[int, int]] = [divmod(value, 2**31) for value in self._begun.tolist()]
        ours = [epochs for epochs, of in begun if epochs and of == seed]
        if begun[worker][0] and begun[worker][1] == seed:
            # The seed of the loader was set to what it was before.
            epoch = begun[worker][0]
        else:
            epoch = max(ours) - 1 if ours else max(epochs for epochs, _ in begun)
        self._begun[worker] = (epoch + 1) * 2**31 + seed
        return epoch

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        info = get_worker_info()
        arguments = dict(self._arguments)
        own, workers, seed = (info.id, info.num_workers, (info.seed - info.id) % 2**31) if info is not None else (0, 1, 0)
        if workers > MOST_WORKERS:
            raise ValueError(f"at most {MOST_WORKERS} workers")
        if info is not None:
            arguments.setdefault("threads", 1)
        if self._epoch is None:
            self._epoch = self._begin(own, seed)
        worker, stride = self._rank * workers + own, self._world * workers
        # The first row of this worker that is not before the row of the whole stream.
        begin = max(0, -(-(self._row - worker) // stride))
        for batch in stream(**arguments, worker=(worker, stride), start=self._epoch * EPOCH + begin):
            begin += self._batch
            self._row = begin * stride
            # Memory that is read-only in numpy would give a warning.
            yield {name: torch.from_numpy(array.astype("int64" if array.dtype == "uint16" else array.dtype)) for name, array in batch.items()}

    def state_dict(self) -> dict[str, int]:
        """The epoch, and the row of the whole stream in it, that come next."""
        next_epoch = int(self._begun.max()) // 2**31
        return {"epoch": next_epoch if self._epoch is None else self._epoch, "row": self._row}

    def load_state_dict(self, state: dict[str, int]) -> None:
        """Go on there."""
        self._begun.fill_(int(state["epoch"]) * 2**31)
        self._epoch, self._row = None, int(state["row"])
