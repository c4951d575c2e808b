#!/bin/bash
# Makes the table of data/masks/README.md: nine searches for a puzzle on each pattern of `list masks`. If the first
# three searches find no puzzle, the others are left out.
#   scripts/mask_rates.sh target/release/sudoku-corpus > rates.md
# A try puts digits on the pattern and counts the solutions. Seconds are CPU time of the whole command, including the
# rating.
set -euo pipefail
program=${1:?usage: mask_rates.sh PROGRAM}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT=%2U
at() { sort -g "$work/$1" | sed -n "$2p"; }
echo '| mask | givens | found | tries: median | most | seconds: median | most |'
echo '|---|--:|--:|--:|--:|--:|--:|'
"$program" list masks | while read -r name givens _; do
    rm -f "$work"/*
    for seed in 1 2 3 4 5 6 7 8 9; do
        { time "$program" mask "$name" --seed $seed --quiet --out "$work/$seed.csv" 2> /dev/null || true; } \
            2>> "$work/seconds"
        sed -s 1d "$work/$seed.csv" 2> /dev/null | cut -d, -f7 >> "$work/tries" || true
        found=$(wc -l < "$work/tries")
        [ "$seed.$found" != 3.0 ] || break
    done
    tries='none within 50,000 | '
    [ "$found" = 0 ] || tries="$(at tries $(((found + 1) / 2))) | $(at tries "$found")"
    echo "| $name | $givens | $found of $seed | $tries | $(at seconds $(((seed + 1) / 2))) | $(at seconds "$seed") |"
done
