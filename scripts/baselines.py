#!/usr/bin/env python3
"""Baselines for a set of 9x9 puzzles: what rules of thumb, a search, and two small networks reach on a CPU in minutes.

    scripts/baselines.py SET [--minutes 5] [--only NAME,..] [--out reports/baselines.md]

SET is a folder that `release` made, or a corpus. The package `sudoku_corpus` must be installed. The networks need PyTorch; without it they are
skipped with a message. They learn from `stream`, with grids of the split `train` alone (`--split`), and are scored by `sudoku_corpus.score`.

| name | what it does |
|---|---|
| last_digit | fills the last empty cell of a row, column or box, again and again |
| singles | fills cells with one possible digit, and digits with one possible cell |
| search_1 | singles, and a search that gives up after 1 guess |
| search_10 | the same, with 10 guesses |
| search_100 | the same, with 100 guesses |
| recurrent | an LSTM in every cell that hears the mean message of its row, column and box, 8 times (after Palm, Paquet and Winther, 2018) |
| transformer | a small encoder over the 81 cells, applied several times with the same weights |
"""

from __future__ import annotations

import argparse
import pathlib
import sys
import time

import numpy as np
import sudoku_corpus as sc

HOUSES = [
    [[row * 9 + column for column in range(9)] for row in range(9)],
    [[row * 9 + column for row in range(9)] for column in range(9)],
    [[(box // 3 * 3 + at // 3) * 9 + box % 3 * 3 + at % 3 for at in range(9)] for box in range(9)],
]
ALL_HOUSES = [house for kind in HOUSES for house in kind]
PEERS = [sorted({cell for house in ALL_HOUSES if at in house for cell in house} - {at}) for at in range(81)]


def read(files: list[pathlib.Path]) -> list[str]:
    """The puzzles of the set."""
    import pyarrow.parquet as pq

    tables = [pq.read_table(file, columns=["puzzle"]) for file in files]
    lines = [line for table in tables for line in table["puzzle"].to_pylist()]
    return [line for line in lines if len(line) == 81]


def candidates(board: list[int], at: int) -> set[int]:
    return set(range(1, 10)) - {board[peer] for peer in PEERS[at]}


def last_digit(board: list[int]) -> list[int]:
    """Fill houses that have one empty cell."""
    board, found = board[:], True
    while found:
        found = False
        for house in ALL_HOUSES:
            open_cells = [at for at in house if not board[at]]
            missing = set(range(1, 10)) - {board[at] for at in house}
            if len(open_cells) == 1 and len(missing) == 1:
                board[open_cells[0]], found = missing.pop(), True
    return board


def singles(board: list[int]) -> list[int] | None:
    """Fill all singles. None if a cell has no digit."""
    board, found = board[:], True
    while found:
        found = False
        possible = {at: candidates(board, at) for at in range(81) if not board[at]}
        if not all(possible.values()):
            return None
        for at, digits in possible.items():
            if len(digits) == 1:
                if not (digits := candidates(board, at)):
                    return None
                board[at], found = digits.pop(), True
        if found:
            continue
        for house in ALL_HOUSES:
            for digit in range(1, 10):
                places = [at for at in house if digit in possible.get(at, ())]
                if len(places) == 1 and not board[places[0]] and digit in candidates(board, places[0]):
                    board[places[0]], found = digit, True
    return board


def search(board: list[int], guesses: int) -> list[int]:
    """Singles, and guesses in the cell with the fewest candidates, at most so many."""
    left = guesses

    def go(board: list[int]) -> list[int] | None:
        nonlocal left
        filled = singles(board)
        if filled is None or all(filled):
            return filled
        at = min((at for at in range(81) if not filled[at]), key=lambda at: len(candidates(filled, at)))
        for digit in sorted(candidates(filled, at)):
            if left == 0:
                return None
            left -= 1
            solved = go(filled[:at] + [digit] + filled[at + 1 :])
            if solved is not None:
                return solved
        return None

    return go(board) or board


RULES = {
    "last_digit": last_digit,
    "singles": lambda board: singles(board) or board,
    "search_1": lambda board: search(board, 1),
    "search_10": lambda board: search(board, 10),
    "search_100": lambda board: search(board, 100),
}


def networks(minutes: float, split: tuple[str, str] | None) -> dict[str, object]:
    """Trains the networks. Each is a function from boards (n, 81) to boards."""
    try:
        import torch
        from torch import nn
    except ImportError:
        print("SKIPPED: the networks need PyTorch", file=sys.stderr)
        return {}
    torch.manual_seed(1)
    torch.set_num_threads(1)
    sees = [torch.zeros(81, 81) for _ in HOUSES]
    for kind, houses in zip(sees, HOUSES):
        for cells in houses:
            for at in cells:
                kind[at, [cell for cell in cells if cell != at]] = 1 / 8
    house = torch.tensor([[at // 9, 9 + at % 9, 18 + at // 27 * 3 + at % 9 // 3] for at in range(81)])

    class Recurrent(nn.Module):
        def __init__(self, width: int = 64, steps: int = 8) -> None:
            super().__init__()
            self.steps = steps
            self.enter = nn.Embedding(10, width)
            self.say = nn.Linear(width, width)
            self.cell = nn.LSTMCell(4 * width, width)
            self.leave = nn.Linear(width, 9)

        def forward(self, boards: torch.Tensor) -> list[torch.Tensor]:
            given = self.enter(boards)
            n, _, width = given.shape
            hidden, memory = given.reshape(n * 81, width), torch.zeros(n * 81, width)
            outs = []
            for _ in range(self.steps):
                state = hidden.reshape(n, 81, width)
                said = torch.relu(self.say(state))
                heard = [kind @ said for kind in sees]
                joined = torch.cat((given, *heard), -1).reshape(n * 81, 4 * width)
                hidden, memory = self.cell(joined, (hidden, memory))
                outs.append(self.leave(hidden).reshape(n, 81, 9))
            return outs

    class Transformer(nn.Module):
        def __init__(self, width: int = 64, rounds: int = 8) -> None:
            super().__init__()
            self.rounds = rounds
            self.enter, self.places = nn.Embedding(10, width), nn.Embedding(27, width)
            self.layer = nn.TransformerEncoderLayer(width, 4, 4 * width, 0.0, batch_first=True, norm_first=True)
            self.leave = nn.Linear(width, 9)

        def forward(self, boards: torch.Tensor) -> list[torch.Tensor]:
            given = self.enter(boards) + self.places(house).sum(1)
            state, outs = given, []
            for _ in range(self.rounds):
                state = self.layer(state + given)
                outs.append(self.leave(state))
            return outs

    def trained(model: nn.Module) -> object:
        best = torch.optim.AdamW(model.parameters(), 1e-3, weight_decay=1e-2)
        ends, seen, model = time.process_time() + 60 * minutes, 0, model.train()
        rows = sc.stream(batch=64, seed=1, plan="givens=24..50", split=split, threads=1)
        while time.process_time() < ends:
            batch = next(rows)
            boards, wanted = (torch.from_numpy(array.astype(np.int64)) for array in (batch.puzzle, batch.solution))
            losses = [nn.functional.cross_entropy(out.transpose(1, 2), wanted - 1) for out in model(boards)]
            loss = sum(losses) / len(losses)
            best.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            best.step()
            seen += len(boards)
        size = sum(one.numel() for one in model.parameters())
        print(f"{type(model).__name__}: {seen} puzzles, {size} weights, last loss {loss.item():.3f}", file=sys.stderr)

        def solve(boards: np.ndarray) -> np.ndarray:
            answers = []
            model.eval()
            with torch.no_grad():
                for at in range(0, len(boards), 256):
                    part = torch.from_numpy(boards[at : at + 256].astype(np.int64))
                    digits = model(part)[-1].argmax(-1) + 1
                    answers.append(torch.where(part > 0, part, digits).numpy())
            return np.concatenate(answers)

        return solve

    return {"recurrent": lambda: trained(Recurrent()), "transformer": lambda: trained(Transformer())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=5.0, help="processor time of the training of each network")
    parser.add_argument("--only", default="", help="names of baselines, separated by commas")
    parser.add_argument("--split", help="the split of the set, such as train=0.8,test=0.2; networks learn from grids of train")
    parser.add_argument("--out", type=pathlib.Path, help="a Markdown file")
    args = parser.parse_args()
    inside = sorted((args.set / "puzzles").glob("test-*.parquet"))
    files = inside or sorted(args.set.glob("rows/part-*.parquet"))
    if not files:
        parser.error(f"{args.set} has no puzzles")
    lines = read(files)
    boards = np.array([[0 if cell == "." else int(cell) for cell in line] for line in lines], np.uint8)
    wanted = [name for name in args.only.split(",") if name]
    split = (args.split, "train") if args.split else None
    report = [f"# Baselines on {len(lines)} puzzles of {args.set.name}\n", f"sudoku-corpus {sc.__version__}, {args.minutes:g} minutes of one core to train each network.\n"]
    heads: list[str] = []
    makers = {name: (lambda rule=rule: lambda boards: np.array([rule(board) for board in boards.tolist()])) for name, rule in RULES.items()}
    makers |= networks(args.minutes, split)
    unknown = [name for name in wanted if name not in makers]
    if unknown:
        parser.error(f"--only: no baseline is called {', '.join(unknown)}; known: {', '.join(makers)}")
    for name, make in makers.items():
        if wanted and name not in wanted:
            continue
        answers = make()(boards)
        pairs = {line: "".join(str(cell) if cell else "_" for cell in row) for line, row in zip(lines, answers.tolist())}
        groups = sc.score(pairs, *files)["groups"]
        bands: dict[str, list[int]] = {}
        for group in groups:
            if group["by"] == "er":
                band = bands.setdefault(group["group"].split(".")[0] + ".x", [0, 0])
                band[0] += group["solved"]
                band[1] += group["puzzles"]
        if not heads:
            heads = ["baseline", "all", "95 %", *(f"ER {band}" for band in bands)]
            report += ["| " + " | ".join(heads) + " |", "|---|" + "--:|" * (len(heads) - 1)]
        whole = groups[0]
        cells = [name, f"{100 * whole['accuracy']:.1f} %", f"{100 * whole['low']:.1f} .. {100 * whole['high']:.1f}"]
        cells += [f"{100 * solved / puzzles:.0f} %" for solved, puzzles in bands.values()]
        report.append("| " + " | ".join(cells) + " |")
        print(report[-1], file=sys.stderr)
    text = "\n".join(report) + "\n"
    if args.out:
        args.out.write_text(text)
    print(text, end="")


if __name__ == "__main__":
    main()
