#!/usr/bin/env bash
# Builds the Python package as a wheel, installs it into a clean virtual environment, and tests it there.
#
#   scripts/wheel.sh                      target/wheels/sudoku_corpus-VERSION-cp311-abi3-....whl
#   PROFILE=release scripts/wheel.sh      with the profile that the tests have compiled already: larger and slower
#
# The wheel works with Python 3.11 and later, and holds the complete program. It needs the C library of this machine or
# a later one: the name of the wheel says which (manylinux). The path of the wheel is the only output; messages go to standard error.
set -euo pipefail
exec 3>&1 >&2
here=$(cd "$(dirname "$0")/.." && pwd)
profile=${PROFILE:-dist}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools() { "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}"; }

if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "SKIPPED: the Python package: no Python 3.11 or later"
    exit "${REQUIRE_TOOLS:-0}"
fi
if ! python3 -m venv "$work/build" || ! tools "$work/build" 'maturin>=1.9,<2'; then
    echo "SKIPPED: the Python package: maturin cannot be installed"
    exit "${REQUIRE_TOOLS:-0}"
fi
wheels=${CARGO_TARGET_DIR:-$here/target}/wheels
# The files that pip puts below the folder of the environment; maturin looks for a folder of this name.
data=$here/scripts/python/sudoku_corpus._native.data
trap 'rm -rf "$work" "$data"' EXIT
build() {
    rm -f "$wheels"/sudoku_corpus-*.whl
    "$work/build/bin/maturin" build --profile "$profile" --locked --manifest-path "$here/scripts/python/Cargo.toml" \
        --out "$wheels"
    wheel=$(ls "$wheels"/sudoku_corpus-*.whl)
}
# The program of a first wheel writes the manual pages and the completions for the wheel that is kept.
rm -rf "$data"
build
tools "$work/build" "$wheel"
program=$work/build/bin/sudoku-corpus share=$data/data/share
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$program" man --out "$share/man/man1"
"$program" completions bash >"$share/bash-completion/completions/sudoku-corpus"
"$program" completions zsh >"$share/zsh/site-functions/_sudoku-corpus"
"$program" completions fish >"$share/fish/vendor_completions.d/sudoku-corpus.fish"
build
bytes=$(stat -c %s "$wheel")
echo "$(basename "$wheel"): $((bytes / 1000)) kB"
if [[ $profile == dist ]] && ((bytes > 30000000)); then
    echo "the wheel has more than 30 MB" >&2
    exit 1
fi

# A new environment has nothing but the wheel and what it asks for.
python3 -m venv "$work/clean"
tools "$work/clean" "$wheel"
cd "$work"
"$work/clean/bin/python" - <<'END'
import time

began = time.perf_counter()
import sudoku_corpus as sc

rated = sc.rate("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
seconds = time.perf_counter() - began
assert rated["se_er_tenths"] == [12]
print(f"from the import to a rated puzzle: {seconds:.2f} s")
END
for file in man/man1/sudoku-corpus.1 man/man1/sudoku-corpus-run.1 bash-completion/completions/sudoku-corpus \
    zsh/site-functions/_sudoku-corpus fish/vendor_completions.d/sudoku-corpus.fish; do
    test -s "$work/clean/share/$file"
done
"$work/clean/bin/sudoku-corpus" run --quiet --count 100 --out corpus
"$work/clean/bin/sudoku-corpus" verify --quiet corpus
tools "$work/clean" --requirement "$here/scripts/python/requirements-test.txt"
"$work/clean/bin/python" -m pytest --quiet -p no:cacheprovider "$here/scripts/python/tests"
echo "$wheel" >&3
