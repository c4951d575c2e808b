#!/bin/sh
# Writes reports/rater.md, the score card of the rater: library of cases, agreement with HoDoKu, invariance, soundness,
# speed. The full run is `scripts/rater.sh --invariance 20000 --soundness 1000000`. An interrupted run can be continued.
# The check of soundness with a million puzzles takes about a quarter of an hour on two free cores.
set -eu
cd "$(dirname "$0")/.."
exec cargo bench --locked --bench conformity -- "$@"
