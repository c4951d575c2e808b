"""The command `sudoku-corpus` of the package.

With the feature `program` it is the complete program. Otherwise it has the functions of the core: rate, solve, canonical, dig and
steps read puzzles from a file or standard input, one on each line; generate makes grids. Results are written to standard output
as CSV or JSON lines.
"""

import argparse
import csv
import json
import os
import sys

import sudoku_corpus as sc
from sudoku_corpus import _native

COMPLETE = """Corpora, exports, books and reports need the complete program:
  pip install --config-settings=build-args=--features=program ./scripts/python      or      cargo install --path ."""


def arguments():
    parser = argparse.ArgumentParser(prog="sudoku-corpus", description=__doc__, epilog=COMPLETE)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--version", action="version", version=f"sudoku-corpus {sc.__version__}")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--threads", type=int, help="threads to compute with; all cores by default")
    shared.add_argument("--json", action="store_true", help="JSON lines instead of CSV")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, **options):
        sub = commands.add_parser(name, parents=[shared], help=getattr(sc, name).__doc__.strip().splitlines()[0])
        if name != "generate":
            sub.add_argument("file", nargs="?", default="-", help="puzzles, one on each line; - for standard input")
        for option, default in options.items():
            kind = {} if default is None else {"type": type(default)}
            sub.add_argument(f"--{option.replace('_', '-')}", default=default, **kind)

    command("rate", techniques="default", ratings="se", er_limit="10.4", shape=None)
    command("solve", limit=2, shape=None)
    command("canonical", shape=None)
    command("dig", plan="minimal", symmetry="none", seed=20_261_120, shape=None)
    command("steps", techniques="default", wrong=0, seed=0, shape=None)
    command("generate", count=10_000, method="uniform", shape="3x3", seed=20_261_120, first=0)
    return parser.parse_args()


def main():
    code = _native.run_program(["sudoku-corpus", *sys.argv[1:]])
    if code is not None:
        return code
    options = vars(arguments())
    command, as_json = options.pop("command"), options.pop("json")
    try:
        if command == "generate":
            table = sc.generate(options.pop("count"), **options)
        else:
            name = options.pop("file")
            with open(0 if name == "-" else name, encoding="utf-8") as file:
                texts = [line.strip() for line in file]
            table = getattr(sc, command)([text for text in texts if text], **options)
        write(table, as_json)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    return 0


def write(table, as_json):
    rows = (table[at] for at in range(len(table)))
    if as_json:
        for row in rows:
            print(json.dumps(row, separators=(",", ":")))
        return
    out = csv.DictWriter(sys.stdout, table.column_names, lineterminator="\n")
    out.writeheader()
    for row in rows:
        out.writerow({name: " ".join(map(str, v)) if isinstance(v, list) else v for name, v in row.items()})


if __name__ == "__main__":
    sys.exit(main())
