"""The command `sudoku-corpus`: the complete program."""

import sys

from ._native import run_program


def main() -> int:
    """Run the program with the arguments of this process, and return its exit code."""
    return run_program([sys.executable, "-m", "sudoku_corpus"], ["sudoku-corpus", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
