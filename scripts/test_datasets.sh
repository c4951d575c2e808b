#!/usr/bin/env bash
# Tests files of steps, splits and a release with independent readers.
#
#   scripts/test_datasets.sh
#
# SUDOKU_CORPUS names a program to test. If it is not set, the program is built.
#
# Python packages go into a virtual environment under ~/.cache. If they cannot be installed, the script ends with a
# message.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null; then
    echo "SKIPPED: data sets: no python3" >&2
    exit "${REQUIRE_TOOLS:-0}"
fi
PACKAGES=$here/scripts/python/requirements-test.txt
# shellcheck source=scripts/python_env.sh
source "$here/scripts/python_env.sh"
if ! "$python" -c 'import datasets' 2>/dev/null; then
    echo "SKIPPED: data sets: the Python packages cannot be installed" >&2
    exit "${REQUIRE_TOOLS:-0}"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$SUDOKU_CORPUS" run --quiet --count 2000 --out corpus
"$SUDOKU_CORPUS" run --quiet --count 1000 --part-rows 150 --steps --out several
"$python" "$here/scripts/check_folder.py" several 1000
"$SUDOKU_CORPUS" analyze --quiet corpus/rows/part-000000.parquet --out rated.parquet --steps-out steps.parquet --wrong-steps 4
"$python" "$here/scripts/check_steps.py" steps.parquet
"$python" "$here/scripts/check_steps.py" --self-test steps.parquet
"$SUDOKU_CORPUS" export --quiet corpus --all --split train=0.8,test=0.2 --apart grid --out 'side-{split}.parquet'
"$python" "$here/scripts/check_splits.py" side-train.parquet side-test.parquet
if "$python" "$here/scripts/check_splits.py" side-test.parquet corpus/rows/part-000000.parquet >leak.txt; then
    echo "check_splits.py does not find the grids that a split shares with the whole corpus" >&2
    exit 1
fi
"$SUDOKU_CORPUS" release --quiet corpus --out release --license cc0-1.0 --split train=0.8,test=0.2 --steps
"$python" "$here/scripts/load_release.py" release
# A small benchmark: splits apart by grids and neighbors, leaks, probes, steps and proofs; the same bytes twice.
sed '/^\[\[quota\]\]$/{N; /er = "[4-9]/d}; s/^count = .*/count = 112/; s/^probes = .*/probes = 4/' "$here/data/recipes/benchmark.toml" >small.toml
for name in one two; do
    "$SUDOKU_CORPUS" run --quiet small.toml --out "$name" 2>/dev/null
done
diff -r one/outputs/release two/outputs/release
(cd one/outputs/release && sha256sum --quiet --check SHA256SUMS)
rows=one/outputs/release/puzzles
side() { echo "$rows/$1-00000-of-00001.parquet"; }
"$python" "$here/scripts/check_splits.py" --neighbors "$(side train)" "$(side validation)" "$(side test)"
if "$python" "$here/scripts/check_splits.py" --neighbors "$(side train)" "$(side control)" >leak.txt; then
    echo "check_splits.py does not find the leaks of the control split" >&2
    exit 1
fi
"$python" "$here/scripts/check_steps.py" one/outputs/release/steps/*.parquet one/outputs/release/hints/*.parquet
"$python" "$here/scripts/load_release.py" one/outputs/release
echo "data sets: all tests passed"
