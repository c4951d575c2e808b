#!/usr/bin/env python3
"""Counts the lines of Rust in src: all of them, and those of code without tests, comments and blank lines.

    scripts/count_lines.py [FOLDER]
"""

import pathlib
import re
import sys

TEST_MODULE = re.compile(r"#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))? )?mod (\w+);")


def test_files(files):
    """The files and folders of modules that only tests have: `#[cfg(test)] mod name;`."""
    found = set()
    for file in files:
        inside = file.parent if file.name in ("mod.rs", "lib.rs", "main.rs") else file.parent / file.stem
        for match in TEST_MODULE.finditer(file.read_text()):
            found |= {inside / match[1], inside / f"{match[1]}.rs"}
    return found


def lines_of_code(lines):
    """Lines without comments, blank lines and items under `#[cfg(test)]`."""
    count, at = 0, 0
    while at < len(lines):
        line = lines[at].strip()
        if line == "#[cfg(test)]":
            end = lines[at].replace(line, "}")
            at += 1
            while lines[at].strip().startswith("#["):
                at += 1
            if not lines[at].rstrip().endswith(";"):
                while lines[at] != end:
                    at += 1
        elif line and not line.startswith("//"):
            count += 1
        at += 1
    return count


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1] / "src")
    files = sorted(folder.rglob("*.rs"))
    tests = test_files(files)
    total = code = 0
    for file in files:
        lines = file.read_text().splitlines()
        total += len(lines)
        if not tests.intersection([file, *file.parents]):
            code += lines_of_code(lines)
    print(f"{total:,} lines, {code:,} of them code without tests, comments and blank lines")


main()
