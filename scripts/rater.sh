#!/bin/sh
# Writes reports/rater.md, the score card of the rater: library of cases, agreement with HoDoKu, invariance, soundness, speed.
# The full run is `scripts/rater.sh --invariance 20000 --soundness 1000000`. It can be interrupted and resumed. The soundness of a
# million puzzles takes about a quarter of an hour on two free cores.
set -eu
cd "$(dirname "$0")/.."
exec cargo bench --locked --bench conformity -- "$@"
