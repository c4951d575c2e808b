"""Processes that are forked, spawned or started by a server, threads, and signals, each after every kind of call."""

import copy
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sudoku_corpus as sc

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
BOARDS = np.array([[0 if c == "." else int(c) for c in EASY]] * 3, np.uint8)

CALLS = {
    "stream": lambda: next(sc.stream(batch=8)).puzzle.tolist(),
    "stream on one thread": lambda: next(sc.stream(batch=8, threads=1)).puzzle.tolist(),
    "stream of a level": lambda: next(sc.stream(batch=4, level="hard", worker=(1, 3))).puzzle.tolist(),
    "solve_boards": lambda: sc.solve_boards(BOARDS).solution.tolist(),
    "check": lambda: sc.check(BOARDS, [2, 3, 5], [4, 4, 4]).tolist(),
    "step": lambda: sc.step(BOARDS).cell.tolist(),
    "isomorphs": lambda: sc.isomorphs(BOARDS, 2).tolist(),
    "rate": lambda: sc.rate([EASY] * 3).to_pydict(),
    "solve": lambda: sc.solve([EASY] * 3).to_pydict(),
    "canonical": lambda: sc.canonical([EASY] * 3).to_pydict(),
    "generate and dig": lambda: sc.dig(sc.generate(3)).to_pydict(),
    "steps": lambda: sc.steps([EASY] * 2)["sentence"],
}


def call(name):
    return CALLS[name]()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_workers_of_every_kind_answer_after_every_call(method):
    expected = {name: call(name) for name in CALLS}
    if method == "fork":
        with multiprocessing.get_context(method).Pool(2) as pool:
            for name in CALLS:
                assert pool.apply_async(call, (name,)).get(timeout=60) == expected[name], name
        return
    # These start Python anew, so all calls share one pool.
    with multiprocessing.get_context(method).Pool(2) as pool:
        got = pool.map_async(call, list(CALLS)).get(timeout=120)
    assert dict(zip(CALLS, got)) == expected


@pytest.mark.parametrize("name", list(CALLS))
def test_a_fork_after_one_call_can_make_every_call(name):
    """In a new process, so that `name` is the only call before the fork."""
    program = f"""
        import os, sys
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        import test_workers
        test_workers.call({name!r})
        child = os.fork()
        if child == 0:
            for other in test_workers.CALLS:
                test_workers.call(other)
            os._exit(7)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], timeout=120)
    assert done.returncode == 7


def test_threads_of_python_get_the_same_rows():
    expected = {name: call(name) for name in CALLS}
    got = {}

    def work(name):
        got[name] = call(name)

    threads = [threading.Thread(target=work, args=(name,)) for name in CALLS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert got == expected


def test_workers_share_the_rows_of_one_stream():
    whole = next(sc.stream(seed=4, batch=60, level="easy"))
    for workers in (1, 2, 5):
        for own in range(workers):
            mine = sc.stream(seed=4, batch=12, level="easy", worker=(own, workers), threads=1)
            for first in range(0, 60 // workers - 11, 12):
                part = next(mine)
                rows = np.arange(first, first + 12) * workers + own
                assert part.row.tolist() == rows.tolist()
                assert (part.puzzle == whole.puzzle[rows]).all()
    last = next(sc.stream(batch=2, worker=(65_535, 65_536)))
    assert last.row.tolist() == [65_535, 131_071] and last.row.dtype == np.int64


@pytest.mark.parametrize("threads", [1, 2, None])
def test_a_request_that_nothing_meets_ends_by_ctrl_c_and_by_itself(threads):
    """Hardly any minimal puzzle has ER 1.9."""
    # A process that a shell has put into the background ignores SIGINT from its start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    hopeless = sc.stream(er=1.9, plan="minimal", symmetry="none", batch=4, threads=threads, retries=10**9)
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        next(hopeless)
    assert time.monotonic() - began < 20
    with pytest.raises(RuntimeError, match="in 31 tries.*raise `retries`"):
        next(sc.stream(er=1.9, plan="minimal", batch=1, threads=threads, retries=30))
    assert len(next(sc.stream(batch=3, threads=threads)).puzzle) == 3


def test_a_stream_can_be_copied_sent_and_resumed():
    rows = sc.stream(seed=11, level="medium", batch=5, worker=(1, 2))
    next(rows)
    state = rows.state_dict()
    for copied in (pickle.loads(pickle.dumps(rows)), copy.deepcopy(rows)):
        assert copied.recipe == rows.recipe and copied.state_dict() == state
    expected = next(rows)
    again = sc.stream(seed=11, level="medium", batch=5, worker=(1, 2))
    again.load_state_dict(state)
    for stream in (pickle.loads(pickle.dumps(again)), again):
        assert (next(stream).puzzle == expected.puzzle).all()
    assert list(dict(expected)) == ["puzzle", "solution", "row", "level", "er", "givens"]
    assert expected["puzzle"] is expected.puzzle
    with pytest.raises(KeyError):
        expected["nothing"]


def test_open_ends_of_er_and_wrong_arguments():
    low = next(sc.stream(er=(None, 2.3), batch=40))
    assert low.er.max() <= 23
    high = next(sc.stream(er=[6.0, None], batch=10))
    assert high.er.min() >= 60
    for wrong, words in (
        ({"rate": "SE"}, "rate must be"),
        ({"er": 3.05}, "one decimal"),
        ({"er": (3.05, 3.14)}, "one decimal"),
        ({"er": (4.0, 3.0)}, "larger"),
        ({"er": "3.0"}, "er must be"),
        ({"er": (1.0, 2.0, 3.0)}, "er must be"),
        ({"er": 0.5}, "1.0 or more"),
        ({"seed": None}, "seed must be"),
        ({"split": "train"}, "split must be"),
        ({"worker": (0, 65_537)}, "worker must be"),
        ({"worker": 3}, "worker must be"),
        ({"apart": (0, 256)}, "apart must be"),
        ({"threads": 0}, "threads must be"),
        ({"batch": 1.5}, "batch must be"),
        ({"level": "nonsense"}, "nonsense"),
    ):
        with pytest.raises(ValueError, match=words) as caught:
            sc.stream(**wrong)
        assert len(str(caught.value)) < 300


def test_values_that_no_cell_has_are_refused():
    for value, dtype in ((256, np.int64), (-1, np.int8), (10, np.uint8), (3.7, float)):
        boards = BOARDS.astype(dtype)
        boards[1, 5] = value
        for wrong in (sc.solve_boards, sc.step, lambda boards: sc.check(boards, 1, 1), sc.isomorphs):
            with pytest.raises(ValueError, match="cell 5 of board 1"):
                wrong(boards)
    with pytest.raises(ValueError, match="cell 5 is"):
        sc.solve_boards(np.where(np.arange(81) == 5, 11, 0))
    assert sc.solve_boards(BOARDS.astype(float)).count.tolist() == [1, 1, 1]


def test_isomorphs_are_other_boards_with_the_solutions_of_their_maps():
    batch = next(sc.stream(batch=4, seed=2))
    puzzles, solutions = sc.isomorphs(batch.puzzle, 50, solutions=batch.solution, seed=3)
    assert puzzles.shape == solutions.shape == (200, 81)
    assert (sc.solve_boards(puzzles).solution == solutions).all()
    assert len({row.tobytes() for row in puzzles}) == 200
    lines = ["".join(map(str, row)) for row in puzzles]
    classes = sc.canonical(lines)["class"]
    for at in range(4):
        assert len(set(classes[at * 50 : at * 50 + 50])) == 1
    assert (sc.isomorphs(batch.puzzle, 50, seed=3, threads=1) == puzzles).all()
    assert (sc.isomorphs(batch.puzzle, 50, seed=4) != puzzles).any()
    small = next(sc.stream(shape="2x3", batch=2))
    assert (sc.solve_boards(sc.isomorphs(small.puzzle, 3, shape="2x3"), shape="2x3").count == 1).all()


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_torch_loaders_get_every_row_once_and_resume(method):
    torch = pytest.importorskip("torch")
    from sudoku_corpus.torch import Puzzles

    sc.check(BOARDS, 1, 1)
    data = Puzzles(seed=5, batch=10)
    loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=2, multiprocessing_context=method)
    rows = iter(loader)
    seen = sorted(int(row) for _ in range(4) for row in next(rows)["row"])
    assert seen == list(range(40))
    alone = iter(data)
    first = next(alone)
    resumed = Puzzles(seed=5, batch=10)
    resumed.load_state_dict(data.state_dict())
    assert (next(iter(resumed))["puzzle"] == next(alone)["puzzle"]).all()
    assert first["puzzle"].dtype == torch.uint8


@pytest.mark.parametrize("persistent", [False, True])
def test_each_epoch_of_torch_loaders_has_other_rows(persistent):
    torch = pytest.importorskip("torch")
    from sudoku_corpus.torch import Puzzles

    def epochs(data, **options):
        loader = torch.utils.data.DataLoader(data, batch_size=None, **options)
        return [[int(row) for _, batch in zip(range(4), loader) for row in batch["row"]] for _ in range(3)]

    options = {"num_workers": 2, "persistent_workers": persistent}
    data = Puzzles(seed=5, batch=8, shape="2x2", start=10)
    rows = epochs(data, **options)
    assert len({row for epoch in rows for row in epoch}) == 3 * 4 * 8
    assert sorted(rows[0]) == list(range(10, 42))
    if not persistent:
        # The same rows on every machine, whatever the workers have prefetched.
        assert epochs(Puzzles(seed=5, batch=8, shape="2x2", start=10), **options) == rows
        resumed = Puzzles(seed=5, batch=8, shape="2x2", start=10)
        resumed.load_state_dict(data.state_dict())
        assert not {row for epoch in epochs(resumed, **options) for row in epoch} & {row for epoch in rows for row in epoch}
    alone = epochs(Puzzles(seed=5, batch=8, shape="2x2", start=10))
    assert [row for epoch in alone for row in epoch] == list(range(10, 10 + 96)) and sorted(alone[0]) == sorted(rows[0])


def test_requests_that_do_not_fit_in_memory_are_errors():
    for call in (
        lambda: next(sc.stream(batch=2**50)),
        lambda: sc.isomorphs(BOARDS, 2**50),
        lambda: sc.generate(2**50),
        lambda: sc.generate(2**63),
    ):
        with pytest.raises((MemoryError, ValueError)):
            call()


def test_tasks_of_ray_get_the_rows_of_this_process():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        # A stream is an argument, and goes on where it stood.
        rows = sc.stream(seed=3, level="easy", batch=4, threads=1)
        next(rows)
        tasks = [ray.remote(lambda rows: next(rows).puzzle).remote(rows) for _ in range(2)]
        got = ray.get(tasks, timeout=300)
        expected = next(rows).puzzle
        assert all((puzzles == expected).all() for puzzles in got)
    finally:
        ray.shutdown()


def test_the_command_starts_without_numpy_and_typing():
    program = "import sys, sudoku_corpus.__main__; sys.exit(not {'numpy', 'typing'}.isdisjoint(sys.modules))"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
    assert set(sc.__all__) <= set(dir(sc)) and all(getattr(sc, name) is not None for name in sc.__all__)
    with pytest.raises(AttributeError):
        sc.nothing
    import sudoku_corpus.streams

    assert sudoku_corpus.stream is sudoku_corpus.streams.stream


def test_threads_that_share_a_stream_get_each_row_once():
    rows = sc.stream(seed=4, batch=16, shape="2x2", threads=1)
    with ThreadPoolExecutor(4) as pool:
        batches = list(pool.map(lambda _: next(rows), range(40)))
    assert sorted(int(row) for batch in batches for row in batch.row) == list(range(640))
