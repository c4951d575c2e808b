#!/bin/sh
# The rater's score card: library of cases, agreement with HoDoKu, invariance, soundness, speed -> reports/rater.md.
# The full run:  scripts/rater.sh --invariance 20000 --soundness 1000000   (resumable; the soundness of a million puzzles
# takes about a quarter of an hour on two free cores)
set -eu
cd "$(dirname "$0")/.."
exec cargo bench --locked --bench conformity -- "$@"
