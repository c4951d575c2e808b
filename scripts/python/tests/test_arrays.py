"""Tests of boards as arrays, of streams, and of the adapters for other projects."""

import doctest
import importlib
import subprocess
import sys

import numpy as np
import pytest
import sudoku_corpus as sc

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def board(line):
    return np.array([0 if c == "." else int(c) for c in line], np.uint8)


def text(cells):
    return "".join("." if cell == 0 else str(cell) for cell in cells)


def test_examples_in_docstrings():
    ran = 0
    for name in ("boards", "streams", "scores"):
        module = importlib.import_module(f"sudoku_corpus.{name}")
        result = doctest.testmod(module)
        assert result.failed == 0, name
        ran += result.attempted
    assert ran >= 10


@pytest.mark.parametrize("name", ["gymnasium", "reasoning"])
def test_examples_of_adapters(name):
    pytest.importorskip({"reasoning": "reasoning_gym"}.get(name, name))
    result = doctest.testmod(importlib.import_module(f"sudoku_corpus.{name}"))
    assert result.failed == 0 and result.attempted > 2


def test_boards_are_solved_as_lines_are():
    puzzles = [EASY, "." * 81, EASY[:2] + "1" + EASY[3:], EASY[:2] + "3" + EASY[3:]]
    solved = sc.solve_boards(np.array([board(line) for line in puzzles]))
    assert solved.count.tolist() == [1, 2, 0, 0]
    assert text(solved.solution[0]) == sc.solve(EASY)["solution"][0]
    assert not solved.solution[2:].any()
    one = sc.solve_boards(board(EASY))
    assert one.solution.shape == (81,) and one.count == 1
    small = sc.solve_boards(np.zeros((2, 16), np.uint8), shape="2x2")
    assert small.count.tolist() == [2, 2]


def test_every_move_of_a_board_is_judged_by_definition():
    puzzle, solution = board(EASY), board(sc.solve(EASY)["solution"][0])
    row, column = np.divmod(np.arange(81), 9)
    box = row // 3 * 3 + column // 3
    cells, digits = (a.ravel() for a in np.meshgrid(np.arange(-1, 83), np.arange(-1, 11), indexing="ij"))
    wanted = []
    for cell, digit in zip(cells, digits):
        if not (0 <= cell < 81 and 1 <= digit <= 9):
            wanted.append(sc.Move.OUTSIDE)
            continue
        peers = (row == row[cell]) | (column == column[cell]) | (box == box[cell])
        if puzzle[cell]:
            wanted.append(sc.Move.FILLED)
        elif (puzzle[peers] == digit).any():
            wanted.append(sc.Move.CONFLICT)
        else:
            wanted.append(sc.Move.RIGHT if solution[cell] == digit else sc.Move.WRONG)
    boards = np.tile(puzzle, (len(cells), 1))
    for known in (None, np.tile(solution, (len(cells), 1))):
        assert sc.check(boards, cells, digits, solutions=known).tolist() == wanted
    assert len(set(wanted)) == 5
    assert sc.check(np.zeros(81, np.uint8), 0, 1) == sc.Move.NOT_UNIQUE


def test_steps_lead_to_the_solution():
    puzzle, techniques = board(EASY), sc.techniques()
    while not puzzle.all():
        found = sc.step(puzzle)
        assert techniques[int(found.technique)]["code"] in ("full_house", "naked_single", "hidden_single_box",
            "hidden_single_row", "hidden_single_column", "hidden_single")
        assert puzzle[found.cell] == 0
        puzzle[found.cell] = found.digit
    assert text(puzzle) == sc.solve(EASY)["solution"][0]
    assert sc.step(puzzle).cell == -1


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="must have the shape"):
        sc.solve_boards(np.zeros((3, 80), np.uint8))
    with pytest.raises(ValueError):
        sc.check(np.zeros((2, 81), np.uint8), [1, 2, 3], [1, 2, 3])
    for wrong in (
        {"level": "nonsense"},
        {"er": (4.0, 3.0)},
        {"apart": (4, 4)},
        {"worker": (-1, 2)},
        {"split": ("train=0.5,test=0.5", "validation")},
        {"needs": "x_wingg"},
        {"batch": 0},
        {"shape": "4x4", "apart": (0, 2)},
    ):
        with pytest.raises(ValueError):
            sc.stream(**wrong)


@pytest.mark.parametrize("shape", ["3x3+x", "3x3+windoku", "3x3+anti-knight", "2x3+x", "4+jigsaw:AAABCABBCCDBCDDD"])
def test_boards_with_rules_are_streamed_solved_and_judged(shape):
    # 2x3+x has so few classes of grids that a split may leave all of them to one side.
    batch = next(sc.stream(shape=shape, batch=6, rate="se", split=("a=0.5,b=0.5", "a"), split_seed=0))
    solved = sc.solve_boards(batch.puzzle, shape=shape)
    assert (solved.solution == batch.solution).all() and (solved.count == 1).all()
    cells = (batch.puzzle == 0).argmax(axis=1)
    digits = batch.solution[np.arange(6), cells]
    assert (sc.check(batch.puzzle, cells, digits, shape=shape) == sc.Move.RIGHT).all()
    assert not batch.er.any() and (batch.level < len(sc.LEVELS)).all()
    with pytest.raises(ValueError, match="its own regions"):
        sc.stream(shape="9+jigsaw")


def test_rows_depend_on_seed_and_number_only():
    whole = next(sc.stream(seed=5, batch=200, level="medium", apart=(1, 3)))
    later = sc.stream(seed=5, batch=30, start=60, level="medium", apart=(1, 3), threads=1)
    for at in (60, 90):
        part = next(later)
        assert part.row.tolist() == list(range(at, at + 30))
        for one, all_rows in ((part.puzzle, whole.puzzle), (part.solution, whole.solution), (part.givens, whole.givens)):
            assert (one == all_rows[at : at + 30]).all()
    other = next(sc.stream(seed=6, batch=200, level="medium", apart=(1, 3)))
    assert not (other.puzzle == whole.puzzle).all(axis=1).any()


def test_rows_are_those_that_the_program_makes(tmp_path):
    """A stream without parts is a corpus without files."""
    batch = sc.stream(seed=9, er=(1.2, 2.0), batch=40)
    (tmp_path / "recipe.toml").write_text(batch.recipe.replace("count = 10000", "count = 40"))
    command = [sys.executable, "-m", "sudoku_corpus", "run", "recipe.toml", "--quiet", "--out", "corpus"]
    subprocess.run(command, cwd=tmp_path, check=True)
    command = [sys.executable, "-m", "sudoku_corpus", "query", "SELECT puzzle FROM puzzles ORDER BY row", "corpus", "--format", "csv"]
    lines = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.split()[1:]
    rows = next(batch)
    assert [text(row) for row in rows.puzzle] == lines
    assert ((12 <= rows.er) & (rows.er <= 20)).all()


def test_puzzles_are_what_was_asked_for():
    for asked in ({"level": "expert"}, {"er": (3.0, 4.0)}, {"needs": "x_wing"}, {"symmetry": "rotate-180"}):
        batch = next(sc.stream(batch=20, **asked))
        rated = sc.rate([text(row) for row in batch.puzzle])
        assert rated["solutions"] == [1] * 20
        assert text(batch.solution[0]) == sc.solve(text(batch.puzzle[0]))["solution"][0]
        if "level" in asked:
            assert set(rated["level"]) == {"expert"}
        if "er" in asked:
            assert all(30 <= er <= 40 for er in rated["se_er_tenths"]) and batch.er.tolist() == rated["se_er_tenths"]
        if "symmetry" in asked:
            assert ((batch.puzzle == 0) == (batch.puzzle[:, ::-1] == 0)).all()


def test_parts_and_sides_share_no_class_of_grids():
    def classes(**asked):
        batch = next(sc.stream(seed=3, batch=150, plan="givens=30", **asked))
        return set(sc.canonical([text(row) for row in batch.solution], column="puzzle")["class"])

    for asked in (
        [{"apart": (k, 3), "worker": (1, 2)} for k in range(3)],
        [{"apart": (k, 2)} for k in range(2)],
        [{"split": ("train=0.8,test=0.2", name)} for name in ("train", "test")],
    ):
        sets = [classes(**one) for one in asked]
        assert sum(map(len, sets)) == len(set.union(*sets))


def test_a_stream_avoids_the_test_split_of_a_release(tmp_path):
    """`export --split --apart grid` and a stream agree which side a grid is on."""
    run = [sys.executable, "-m", "sudoku_corpus"]
    subprocess.run([*run, "run", "--quiet", "--count", "300", "--techniques", "none", "--ratings", "none"], cwd=tmp_path, check=True)
    splits = "train=0.8,test=0.2"
    command = ["export", "--quiet", "--all", "--split", splits, "--apart", "grid", "--out", "side-{split}.txt"]
    subprocess.run([*run, *command], cwd=tmp_path, check=True)
    for side in ("train", "test"):
        lines = (tmp_path / f"side-{side}.txt").read_text().split()
        assert len(lines) > 20
        # The corpus and the stream have the same seed: a row on this side is the first try of the stream.
        rows = next(sc.stream(batch=300, split=(splits, side)))
        kept = {text(row) for row in rows.puzzle}
        assert kept.issuperset(line[:81].replace("0", ".") for line in lines)


def test_the_environment_passes_the_checks_of_gymnasium():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    import sudoku_corpus.gymnasium  # noqa: F401

    env = gymnasium.make("SudokuCorpus-v0", level="easy", render_mode="ansi")
    check_env(env.unwrapped)
    observed, info = env.reset(seed=2)
    again, _ = env.reset(seed=2)
    assert (observed == again).all() and info["level"] == "easy"
    solution = sc.solve_boards(observed).solution
    total = 0
    for cell in np.flatnonzero(observed == 0):
        state, reward, terminated, truncated, info = env.step(np.array([cell, solution[cell] - 1]))
        assert reward == 1 and info["move"] is sc.Move.RIGHT
        total += 1
    assert terminated and not truncated and (state == solution).all()
    assert env.render().count("\n") == 8
    different, _ = env.reset()
    assert (different != observed).any()


def test_environments_without_a_seed_differ_and_episodes_end():
    gymnasium = pytest.importorskip("gymnasium")
    import sudoku_corpus.gymnasium  # noqa: F401

    for mode in ("sync", "async"):
        envs = gymnasium.make_vec("SudokuCorpus-v0", num_envs=4, vectorization_mode=mode, level="easy")
        boards = [envs.reset()[0] for _ in range(2)]
        assert len({row.tobytes() for board in boards for row in board}) == 8, mode
        again = [envs.reset(seed=[1, 2, 1, 3])[0] for _ in range(2)]
        assert (again[0] == again[1]).all() and (again[0][0] == again[0][2]).all()
        assert (again[0][0] != again[0][1]).any()
        envs.close()
    env = gymnasium.make("SudokuCorpus-v0", level="easy")
    given = gymnasium.make("SudokuCorpus-v0", level="easy", seed=7)
    first, _ = given.reset()
    assert (first != env.reset()[0]).any()
    assert (first == gymnasium.make("SudokuCorpus-v0", level="easy", seed=7).reset()[0]).all()
    ends = [env.step(np.array([0, 0]))[2:4] for _ in range(324)]
    assert ends[-1] == (False, True) and (False, True) not in ends[:-1]


def test_the_dataset_behaves_as_those_of_reasoning_gym():
    reasoning_gym = pytest.importorskip("reasoning_gym")
    import sudoku_corpus.reasoning  # noqa: F401

    make = lambda **asked: reasoning_gym.create_dataset("sudoku_corpus", **asked)  # noqa: E731
    data = make(level="easy", seed=42, size=50)
    items = list(data)
    assert len(items) == len(data) == 50
    assert items == list(make(level="easy", seed=42, size=50)) and data[49] == items[49]
    assert items[0] != make(level="easy", seed=43, size=50)[0]
    for at, item in enumerate(items):
        assert set(item) == {"question", "answer", "metadata"}
        assert item["metadata"]["source_dataset"] == "sudoku_corpus" and item["metadata"]["source_index"] == at
        assert item["metadata"]["difficulty"]["level"] == "easy"
        assert data.score_answer(item["answer"], item) == 1.0
        assert data.score_answer(item["answer"][:-1] + "0", item) == 0.0
        assert data.score_answer(None, item) == data.score_answer("", item) == 0.0
    for wrong in ({"level": "nonsense"}, {"reward": "half"}, {"min_er": 4.0, "max_er": 3.0}, {"needs": "x_wingg"}, {"size": 0}):
        with pytest.raises(AssertionError):
            make(**wrong)
    assert all(item["metadata"]["difficulty"]["er"] <= 2.3 for item in make(max_er=2.3, seed=1, size=20))
    partial = make(level="easy", reward="cells", seed=42, size=1)
    answer = partial[0]["answer"]
    assert 0 <= partial.score_answer(answer[:-1] + ("8" if answer[-1] != "8" else "9"), partial[0]) < 1
    split = make(split=("train=0.9,test=0.1", "train"), plan="minimal", symmetry="rotate-180", seed=1, size=5)
    assert len(list(split)) == 5
    curriculum = reasoning_gym.factory.create_curriculum("sudoku_corpus")
    bounds = []
    while True:
        config = curriculum.generate_configuration({"seed": 3, "size": 2})
        bounds.append(config.max_er)
        assert all(config.min_er <= item["metadata"]["difficulty"]["er"] <= config.max_er for item in make(**vars(config)))
        if not curriculum.increment_attr_level("er"):
            break
    assert bounds == sorted(bounds) and bounds[-1] == 8.3
