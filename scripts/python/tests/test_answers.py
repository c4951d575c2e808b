"""Which grid an answer of a model ends with, and the reward for it."""

import doctest

import pytest
from sudoku_corpus import answers
from sudoku_corpus.answers import grid_of, reward

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [SOLUTION[at : at + 9] for at in range(0, 81, 9)]
OTHER = [row[::-1] for row in ROWS]
LINES = "\n".join(" ".join(row) for row in ROWS)
WRONG = LINES[:-1] + "8"
QUESTION = "\n".join(" ".join(c if c != "." else "_" for c in PUZZLE[at : at + 9]) for at in range(0, 81, 9))
NUMBERED = "\n".join(f"Row {at + 1}: {' '.join(row)}" for at, row in enumerate(ROWS))
BOXED = "\n".join(
    ("" if at % 3 or not at else "------+-------+------\n") + " | ".join(" ".join(row[c : c + 3]) for c in (0, 3, 6))
    for at, row in enumerate(ROWS)
)

RIGHT = [
    LINES,
    LINES + "\n",
    "\n" + LINES + "\n\n",
    LINES.replace(" ", ""),
    LINES.replace(" ", ", "),
    LINES.replace(" ", ","),
    LINES.replace(" ", "\t"),
    LINES.replace("\n", "\n\n"),
    LINES.replace("\n", "\r\n"),
    SOLUTION,
    " ".join(ROWS),
    "/".join(ROWS),
    str([[int(c) for c in row] for row in ROWS]),
    str([list(row) for row in ROWS]),
    "[" + ",\n ".join(str([int(c) for c in row]) for row in ROWS) + "]",
    "array([" + ",\n       ".join(str([int(c) for c in row]) for row in ROWS) + "], dtype=uint8)",
    '{"grid": ["' + '", "'.join(ROWS) + '"]}',
    BOXED,
    "| " + LINES.replace(" ", " | ").replace("\n", " |\n| ") + " |",
    "```\n" + LINES + "\n```",
    "**Answer**\n\n" + LINES,
    "The 9 rows are:\n" + LINES,
    "Step 1: look at r1c3. Step 2: 4 is there.\n" + LINES,
    "Solution in 51 steps: " + SOLUTION,
    LINES + "\nAll 9 rows, 9 columns and 9 boxes have the digits 1 to 9.",
    SOLUTION + "\nThis took 12 steps, ER 1.2.",
    NUMBERED,
    "\n".join(f"{at + 1}. {' '.join(row)}" for at, row in enumerate(ROWS)),
    "\n".join(f"{at + 1}) {row}" for at, row in enumerate(ROWS)),
    "<answer>" + LINES + "</answer>",
    "<answer>" + SOLUTION + "</answer>",
    "<think>1 2 3 4 5 6 7 8 9</think><answer>\n" + LINES + "\n</answer>",
    "<answer>" + WRONG + "</answer> no: <answer>" + LINES + "</answer>",
    "<Answer>" + LINES,
    "First I tried\n" + WRONG + "\nand then\n" + LINES,
    "The puzzle is\n" + QUESTION + "\n\nand its solution is\n" + LINES,
    "\n".join(reversed(NUMBERED.split("\n"))),
    "\\begin{array}" + LINES.replace(" ", " & ").replace("\n", " \\\\\n") + "\\end{array}",
]
NOT_RIGHT = [
    None,
    "",
    "I cannot solve it.",
    WRONG,
    LINES[:-2],
    LINES + "\n" + "\n".join(" ".join(row) for row in OTHER),
    SOLUTION[:-1],
    QUESTION,
    LINES + "\n\n" + QUESTION,
    "\n".join(" ".join(row) for row in OTHER),
    SOLUTION + SOLUTION[:-1] + "8",
    "<answer>" + WRONG + "</answer>",
    "<answer>" + LINES + "</answer><answer></answer>",
    "1" * 81,
    "\n".join(f"Row {9 - at}: {row}" for at, row in enumerate(ROWS)),
    "<think>" + LINES + "</think> It is too hard.",
    LINES + "\nThis is wrong, I give up.",
    LINES.replace("5", "٥"),
]
CELLS = [0 if c == "." else int(c) for c in PUZZLE]
SOLVED = [int(c) for c in SOLUTION]


def test_examples():
    result = doctest.testmod(answers)
    assert result.failed == 0 and result.attempted > 1


@pytest.mark.parametrize("answer", RIGHT)
def test_right_answers_get_everything(answer):
    assert grid_of(answer) == SOLVED
    assert [reward(answer, CELLS, SOLVED, partial=how) for how in ("exact", "cells", "valid")] == [1, 1, 1]


@pytest.mark.parametrize("answer", NOT_RIGHT)
def test_other_answers_do_not(answer):
    assert reward(answer, CELLS, SOLVED) == 0
    assert reward(answer, CELLS, SOLVED, partial="cells") < 1


def test_there_are_fifty_answers():
    assert len(RIGHT) + len(NOT_RIGHT) >= 50


def test_partial_rewards_are_shares_of_the_open_cells():
    """51 cells are open. The last cell is a given, so another empty cell is made wrong, and then left out."""
    at = max(cell for cell, given in enumerate(CELLS) if not given)
    for digit, cells, valid in ((SOLVED[at] % 9 + 1, 50 / 51, None), (0, 50 / 51, 50 / 51)):
        grid = [*SOLVED[:at], digit, *SOLVED[at + 1 :]]
        answer = "\n".join(" ".join(str(c) if c else "_" for c in grid[row : row + 9]) for row in range(0, 81, 9))
        assert reward(answer, CELLS, SOLVED) == 0
        assert reward(answer, CELLS, SOLVED, partial="cells") == pytest.approx(cells)
        got = reward(answer, CELLS, SOLVED, partial="valid")
        assert got == pytest.approx(valid) if valid else got < 50 / 51
    given = next(cell for cell, digit in enumerate(CELLS) if digit)
    changed = [*SOLVED[:given], SOLVED[given] % 9 + 1, *SOLVED[given + 1 :]]
    text = "".join(map(str, changed))
    assert [reward(text, CELLS, SOLVED, partial=how) for how in ("exact", "cells", "valid")] == [0, 0, 0]
    with pytest.raises(ValueError, match="partial"):
        reward(QUESTION, CELLS, SOLVED, partial="half")


def test_boards_may_be_texts_or_numbers():
    puzzle, solution = ("".join(map(str, cells)) for cells in (CELLS, SOLVED))
    for given in (puzzle, puzzle.replace("0", "."), CELLS, tuple(CELLS)):
        for partial in ("exact", "cells", "valid"):
            assert reward(solution, given, solution, partial=partial) == 1
            assert reward("none", given, solution, partial=partial) == 0
    for wrong in (puzzle[:40], CELLS[:40], [CELLS[:9]]):
        with pytest.raises(ValueError):
            reward(solution, wrong, SOLVED)


def test_boards_above_nine_have_numbers():
    grid = [[(row * 4 + row // 4 + column) % 16 + 1 for column in range(16)] for row in range(16)]
    flat = [cell for row in grid for cell in row]
    for text in ("\n".join(" ".join(map(str, row)) for row in grid), str(grid), "Done:\n" + str(grid)):
        assert grid_of(text, "4x4") == flat
    assert grid_of(" ".join(["17"] * 256), "4x4") is None
