#!/usr/bin/env python3
"""Replays files of steps (`analyze --steps-out FILE.parquet`) with the rules of Sudoku. Independent of the program.

    check_steps.py steps.parquet [more.parquet ..]      needs pyarrow and numpy; only 9x9
    check_steps.py --self-test steps.parquet            damages steps one at a time and checks that each damage is found

For every puzzle the script keeps its own board and candidates. It checks for every step: the position before it follows from the
previous steps, candidate by candidate; every placement and elimination was possible; nothing else changed; a single is a single;
the step does not contradict the solution. The replay must reach the solution. If the steps stop early, solver.py finds the
solution. Steps that end with a numbered `state` are a proof that there is no solution: the state must follow from them, and an
empty cell without candidates or a house without a place for a digit must be in it. Boards of other shapes are counted and not
replayed. Rows of the kind `wrong_step` must be wrong. Rows of the kind `state` must have no solution or several (a sample of them
is solved). The exit code is 3 if there are faults.
"""

import argparse
import collections
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import solver

COLUMNS = """row shape kind step round technique place_cells place_digits remove_cells remove_digits board candidates
solutions""".split()
ROWS = np.array([[9 * r + c for c in range(9)] for r in range(9)])
COLS = ROWS.T.copy()
BOXES = np.array([[27 * (b // 3) + 3 * (b % 3) + 9 * (i // 3) + i % 3 for i in range(9)] for b in range(9)])
HOUSES = np.concatenate([ROWS, COLS, BOXES])
OF_CELL = np.array([[h for h in range(27) if cell in HOUSES[h]] for cell in range(81)])
PEERS = np.array([sorted({c for h in OF_CELL[cell] for c in HOUSES[h]} - {cell}) for cell in range(81)])
SOLVED_STATES = 200
# Rows of other boards, by file.
others = collections.Counter()


def plain_candidates(values):
    """Bit d-1 for each digit d that no peer has; 0 where a digit stands."""
    # Wider integers are needed, because 1 << 8 does not fit into the eight bits of the values.
    bits = np.where(values > 0, 1 << np.maximum(values.astype(np.int64) - 1, 0), 0).astype(np.uint16)
    seen = np.zeros_like(bits)
    for house in HOUSES:
        seen[:, house] |= np.bitwise_or.reduce(bits[:, house], axis=1)[:, None]
    return np.where(values > 0, 0, 0x1FF & ~seen).astype(np.uint16)


def masks_of(words):
    """Bit d-1 for each digit d of each word; 0 for `.` and `-`. One blank stands between two words."""
    symbols = np.frombuffer(words.encode(), np.uint8)
    blank = symbols == ord(" ")
    digit = ~blank & (symbols != ord(".")) & (symbols != ord("-"))
    masks = np.zeros(int(blank.sum()) + 1, np.uint16)
    word = np.cumsum(blank)[digit]
    np.bitwise_or.at(masks, word, (1 << (symbols[digit].astype(np.int64) - ord("1"))).astype(np.uint16))
    return masks


class Lists:
    """A column of lists as offsets and flat values."""

    def __init__(self, column):
        array = column.combine_chunks()
        self.offsets = np.asarray(array.offsets) - array.offsets[0].as_py()
        self.values = np.asarray(array.flatten()).astype(np.int64)

    def of(self, rows):
        """The values of some rows, and which of the rows each belongs to."""
        starts, counts = self.offsets[rows], self.offsets[rows + 1] - self.offsets[rows]
        owner = np.repeat(np.arange(len(rows)), counts)
        inside = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return self.values[np.repeat(starts, counts) + inside], owner


class Batch:
    """Whole puzzles of a file, in memory."""

    def __init__(self, table):
        self.rows = table.num_rows
        self.row = table["row"].to_numpy()
        kinds = np.array(table["kind"].to_pylist())
        self.right, self.wrong, self.state = kinds == "step", kinds == "wrong_step", kinds == "state"
        self.number, self.round = (table[n].fill_null(0).to_numpy() for n in ("step", "round"))
        self.proof = self.state & (self.number > 0)
        self.round = np.where(self.proof, 1 << 30, self.round)
        self.technique = np.array([t or "" for t in table["technique"].to_pylist()])
        self.solutions = table["solutions"].to_numpy()
        text = "".join(table["board"].to_pylist()).encode()
        if len(text) != 81 * self.rows:
            sys.exit("only 9x9 boards can be replayed")
        board = np.frombuffer(text, np.uint8).reshape(-1, 81)
        self.board = np.where(board == ord("."), 0, board - ord("0")).astype(np.int8)
        self.candidates = masks_of(" ".join(table["candidates"].to_pylist())).reshape(-1, 81)
        self.place = Lists(table["place_cells"]), Lists(table["place_digits"])
        self.remove = Lists(table["remove_cells"]), Lists(table["remove_digits"])


def check(batch):
    """Returns the faults of a batch (counts by kind), an example of each kind, and the number of puzzles."""
    faults = collections.Counter()
    examples = {}

    def fault(what, rows):
        if len(rows):
            faults[what] += len(rows)
            row = rows[0]
            examples.setdefault(what, f"puzzle {batch.row[row]}, step {batch.number[row]}")

    right = np.flatnonzero(batch.right | batch.proof)
    if len(right) == 0:
        return faults, examples, 0
    begins = np.flatnonzero(np.r_[True, batch.row[right][1:] != batch.row[right][:-1]])
    lengths = np.diff(np.r_[begins, len(right)])
    firsts = right[begins]
    if len(np.unique(batch.row[firsts])) != len(firsts):
        fault("a puzzle occurs twice", firsts)
    values = batch.board[firsts].copy()
    marks = plain_candidates(values)
    seen, seen_values = marks.copy(), values.copy()
    last_round = np.full(len(firsts), -1)
    for k in range(lengths.max()):
        puzzles = np.flatnonzero(lengths > k)
        rows = right[begins[puzzles] + k]
        new = puzzles[batch.round[rows] != last_round[puzzles]]
        seen[new], seen_values[new] = marks[new], values[new]
        fault("rounds do not ascend", rows[batch.round[rows] < last_round[puzzles]])
        last_round[puzzles] = batch.round[rows]
        fault("steps are not numbered", rows[batch.number[rows] != k + 1])
        fault("the board does not follow from the steps", rows[(batch.board[rows] != seen_values[puzzles]).any(axis=1)])
        fault("the candidates do not follow from the steps", rows[(batch.candidates[rows] != seen[puzzles]).any(axis=1)])
        cells, owner = batch.place[0].of(rows)
        digits = batch.place[1].of(rows)[0]
        out_cells, out_owner = batch.remove[0].of(rows)
        out_digits = batch.remove[1].of(rows)[0]
        idle = ~batch.proof[rows]
        idle[owner] = False
        idle[out_owner] = False
        fault("a step without a conclusion", rows[idle])
        for c, d, o, what in [(cells, digits, owner, "placed"), (out_cells, out_digits, out_owner, "removed")]:
            open_ = seen[puzzles[o], c] >> (d - 1) & 1
            fault(f"{what} a digit that is not a candidate", rows[o[open_ == 0]])
        single(batch, rows, puzzles, seen, cells, digits, owner, fault)
        np.bitwise_and.at(marks, (puzzles[out_owner], out_cells), ~(1 << (out_digits - 1)).astype(np.uint16))
        values[puzzles[owner], cells] = digits
        marks[puzzles[owner], cells] = 0
        peers = PEERS[cells]
        mask = ~(1 << (digits - 1)).astype(np.uint16)
        np.bitwise_and.at(marks, (puzzles[owner][:, None], peers), mask[:, None])
    proved = batch.proof[right[np.r_[begins[1:], len(right)] - 1]]
    contradictions(batch, firsts, np.flatnonzero(proved), values, marks, fault)
    done = (values > 0).all(axis=1) | proved
    for puzzle in np.flatnonzero(~done):
        found = solver.solutions(batch.board[firsts[puzzle]])
        if len(found) == 1:
            values[puzzle] = found[0]
        else:
            fault("the puzzle does not have exactly one solution", firsts[puzzle : puzzle + 1])
    bits = (1 << values.astype(np.int64)).astype(np.int64)
    valid = np.ones(len(values), bool)
    for house in HOUSES:
        valid &= np.bitwise_or.reduce(bits[:, house], axis=1) == 0x3FE
    fault("the last board is not a solution", firsts[~valid & ~proved])
    against_solution(batch, firsts[~proved], values[~proved], fault)
    states(batch, fault)
    return faults, examples, len(firsts)


def contradictions(batch, firsts, proved, values, marks, fault):
    """Checks that proofs end in a contradiction, and that a solver finds no solution."""
    for puzzle in proved:
        blocked = ((values[puzzle] == 0) & (marks[puzzle] == 0)).any()
        bits = np.where(values[puzzle] > 0, 1 << np.maximum(values[puzzle].astype(np.int64) - 1, 0), marks[puzzle].astype(np.int64))
        missing = any(np.bitwise_or.reduce(bits[house]) != 0x1FF for house in HOUSES)
        if not blocked and not missing:
            fault("a proof does not end in a contradiction", [firsts[puzzle]])
        if solver.solutions(batch.board[firsts[puzzle]], limit=1):
            fault("a puzzle with a proof that it has no solution has one", [firsts[puzzle]])


def single(batch, rows, puzzles, seen, cells, digits, owner, fault):
    """Checks singles. A naked single must be the only candidate of its cell. A full house or a hidden single must be
    the only place of its digit in a house."""
    if len(cells) == 0:
        return
    names = batch.technique[rows[owner]]
    here = seen[puzzles[owner]]
    bit = (1 << (digits - 1)).astype(np.uint16)
    naked = here[np.arange(len(cells)), cells] == bit
    places = (here[np.arange(len(cells))[:, None, None], HOUSES[OF_CELL[cells]]] & bit[:, None, None]) > 0
    hidden = (places.sum(axis=2) == 1).any(axis=1)
    fault("a naked single that is not one", rows[owner[(names == "naked_single") & ~naked]])
    is_hidden = np.char.startswith(names, "hidden_single") | (names == "full_house")
    fault("a hidden single that is not one", rows[owner[is_hidden & ~hidden]])


def against_solution(batch, firsts, values, fault):
    """Checks that no right step contradicts the solution, and that every wrong step does."""
    number = {index: at for at, index in enumerate(batch.row[firsts])}
    puzzle = np.array([number.get(index, -1) for index in batch.row])
    for kind in (batch.right, batch.wrong):
        rows = np.flatnonzero(kind & (puzzle >= 0))
        cells, owner = batch.place[0].of(rows)
        bad = values[puzzle[rows[owner]], cells] != batch.place[1].of(rows)[0]
        out_cells, out_owner = batch.remove[0].of(rows)
        out = values[puzzle[rows[out_owner]], out_cells] == batch.remove[1].of(rows)[0]
        if kind is batch.right:
            fault("places a wrong digit", rows[owner[bad]])
            fault("removes the right digit", rows[out_owner[out]])
        else:
            wrong = np.zeros(len(rows), bool)
            wrong[owner[bad]] = True
            wrong[out_owner[out]] = True
            fault("a wrong step that does not contradict the solution", rows[~wrong])


def states(batch, fault):
    """Checks that states have no solution or several, as their column `solutions` claims."""
    for row in np.flatnonzero(batch.state & ~batch.proof)[:SOLVED_STATES]:
        found = len(solver.solutions(batch.board[row]))
        if found != batch.solutions[row] or found == 1:
            fault("a state with a wrong number of solutions", [row])


def batches(path, size):
    """Tables of complete puzzles of 9x9: no puzzle is in two tables."""

    kept = None
    for part in pq.ParquetFile(path).iter_batches(batch_size=size, columns=COLUMNS):
        table = pa.Table.from_batches([part])
        table = pa.concat_tables([kept, table]) if kept is not None else table
        nine = pc.equal(table["shape"], "3x3")
        others[path] += table.num_rows - pc.sum(nine).as_py()
        table = table.filter(nine)
        if table.num_rows == 0:
            kept = None
            continue
        numbers = table["row"].to_numpy()
        cut = np.flatnonzero(numbers != numbers[-1])
        cut = cut[-1] + 1 if len(cut) else 0
        if cut:
            yield table.slice(0, cut)
        kept = table.slice(cut)
    if kept is not None and kept.num_rows:
        yield kept


def self_test(path):
    """Damages a batch in many ways, and checks that every damage is found."""
    table = next(batches(path, 60_000))
    clean, _, puzzles = check(Batch(table))
    assert not clean, clean
    rng = np.random.default_rng(1)
    tries = missed = 0
    for kind in ["candidate", "board", "place", "remove", "number", "drop"]:
        for _ in range(20):
            batch = Batch(table)
            if kind == "candidate":
                batch.candidates[rng.choice(np.flatnonzero(batch.right)), rng.integers(81)] ^= 1 << rng.integers(9)
            elif kind == "board":
                row = rng.choice(np.flatnonzero(batch.right))
                batch.board[row, rng.integers(81)] += 1
            elif kind in ("place", "remove"):
                cells, digits = getattr(batch, kind)
                digits.values.flags.writeable or setattr(digits, "values", digits.values.copy())
                used = cells.of(np.flatnonzero(batch.right))[1]
                if len(used) == 0:
                    continue
                rows = np.flatnonzero(batch.right)[used]
                row = rng.choice(rows)
                digits.values[digits.offsets[row]] = digits.values[digits.offsets[row]] % 9 + 1
            elif kind == "number":
                batch.number = batch.number.copy()
                batch.number[rng.choice(np.flatnonzero(batch.right))] += 1
            else:
                row = rng.choice(np.flatnonzero(batch.right))
                keep = np.r_[0:row, row + 1 : table.num_rows]
                batch = Batch(table.take(keep))
            tries += 1
            if not check(batch)[0]:
                missed += 1
                print(f"not found: {kind}")
    print(f"self-test: {puzzles} puzzles, {tries} damages, {missed} not found")
    return 3 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.files[0])
    began = time.time()
    faults, puzzles, rows = collections.Counter(), 0, 0
    for path in arguments.files:
        for table in batches(path, 200_000):
            found, examples, number = check(Batch(table))
            faults += found
            puzzles, rows = puzzles + number, rows + table.num_rows
            for what, example in examples.items():
                print(f"{path}: {what}: {found[what]}, first in {example}")
    if others.total():
        print(f"{others.total()} rows of other boards were not replayed")
    print(f"{puzzles} puzzles, {rows} rows, {sum(faults.values())} faults, {time.time() - began:.0f} s")
    return 3 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
