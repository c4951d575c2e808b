#!/usr/bin/env bash
# Measures how fast puzzles that need a technique are found. For each technique of the catalogue, the figure is puzzles
# per second of processor time with one thread. The ladder is the default one with the technique added. Prints a table
# in Markdown; reports/needs.md is such a table.
#
#   scripts/needs_rates.sh [SECONDS] [TECHNIQUE...]
#
# SECONDS     processor time for each technique; 10 by default
# TECHNIQUE   codes of `sudoku-corpus list techniques`; all of them by default
# SUDOKU_CORPUS names a program that is already built.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/program.sh
source "$here/scripts/program.sh"
seconds="${1:-10}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
techniques=("${@:2}")
if ((${#techniques[@]} == 0)); then
    mapfile -t techniques < <("$SUDOKU_CORPUS" list techniques | sed -n 's/^[^ ].* (\([a-z_0-9]*\))$/\1/p')
fi

cat <<HEAD
# How fast puzzles that need a technique are found

A puzzle *needs* a technique if the ladder with this technique solves it, and without it takes a harder technique or gets stuck. (The ladder is the
default one, with the technique added.) Each technique got $seconds seconds of processor time on one thread, with the seed 1. The last column is puzzles per
second of processor time, in which each puzzle is also rated and written into a file. "none" means that no puzzle was found in this time. Where fewer than
ten puzzles were found, the rate is rough.

Made by \`scripts/needs_rates.sh $seconds\` with $("$SUDOKU_CORPUS" --version).

| technique | puzzles per second |
|---|--:|
HEAD
# With job control, background processes can be interrupted.
set -m
# The processor time of a running process, in hundredths of a second.
used() {
    awk -v ticks="$(getconf CLK_TCK)" '$3 == "Z" { exit 1 } { printf "%d", 100 * ($14 + $15) / ticks }' "/proc/$1/stat"
}
fast=0
for technique in "${techniques[@]}"; do
    # Each part has one row, so every row that is made before the time is up counts. The program ends with an error when
    # it is interrupted.
    "$SUDOKU_CORPUS" run --needs "$technique" --techniques "default,$technique" --count 10000 \
        --part-rows 1 --threads 1 --seed 1 --out "$work/$technique" >"$work/output" 2>&1 &
    while time="$(used "$!")" && ((time < 100 * seconds)); do sleep 0.1; done
    kill -INT "$!" 2>"$work/killed" || true
    wait "$!" || true
    time="$(awk -v time="$time" 'BEGIN { print time / 100 }')"
    made="$(sed -n 's/^made \([0-9,]*\) rows.*/\1/p' "$work/output" | tr -d ,)"
    if [[ -z "$made" ]]; then
        echo "$technique: $(tail -n 1 "$work/output")" >&2
        continue
    fi
    awk -v technique="$technique" -v made="$made" -v time="$time" 'BEGIN {
        rate = made ? sprintf("%.1f", made / time) : "none"
        printf "| `%s` | %s |\n", technique, rate }'
    fast=$((fast + $(awk -v made="$made" -v time="$time" 'BEGIN { print (made >= time) }')))
    rm -rf "${work:?}/$technique"
done
echo
echo "At least one puzzle per second: $fast of ${#techniques[@]} techniques."
