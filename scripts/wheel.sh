#!/usr/bin/env bash
# Builds the Python package as a wheel, and looks whether it works in a clean virtual environment.
#
#   scripts/wheel.sh                      target/wheels/sudoku_corpus-VERSION-cp311-abi3-....whl
#   scripts/wheel.sh --zig                for glibc 2.28 and later (RHEL 8, Debian 10, most clusters), linked by zig; not tried
#   scripts/wheel.sh --test               then also the tests of the package, which install 0.5 GB of other packages
#   PROFILE=release scripts/wheel.sh      with the profile that the tests have compiled already: larger and slower
#
# The wheel works with Python 3.11 and later, and holds the complete program. It needs the C library of this machine or
# a later one: the name of the wheel says which (manylinux). On macOS the script makes a wheel for macOS. On Windows, run
# `maturin build --release --manifest-path scripts/python/Cargo.toml`.
# The path of the wheel is the only output; messages go to standard error. SKIP_WITHOUT_TOOLS=1: a machine without Python 3.11 or
# without maturin is no error.
set -euo pipefail
exec 3>&1 >&2
here=$(cd "$(dirname "$0")/.." && pwd)
tests=0 target=()
for option; do
    case $option in
    --test) tests=1 ;;
    --zig) target=(--zig --compatibility manylinux_2_28 --target "$(uname -m)-unknown-linux-gnu") ;;
    *) echo "unknown option $option; there are --test and --zig" && exit 2 ;;
    esac
done
profile=${PROFILE:-dist}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools() { "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}"; }

missing() {
    if ((${SKIP_WITHOUT_TOOLS:-0})); then echo "SKIPPED: the Python package: $1" && exit 0; fi
    echo "the Python package cannot be built: $1" && exit 1
}
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || missing "no Python 3.11 or later"
packages=('maturin>=1.9,<2')
if ((${#target[@]})); then packages+=(ziglang); fi
if ! python3 -m venv "$work/build" || ! tools "$work/build" "${packages[@]}"; then
    missing "${packages[*]} cannot be installed"
fi
wheels=${CARGO_TARGET_DIR:-$here/target}/wheels
# The files that pip puts below the folder of the environment; maturin looks for a folder of this name.
data=$here/scripts/python/sudoku_corpus._native.data
trap 'rm -rf "$work" "$data"' EXIT
build() {
    rm -f "$wheels"/sudoku_corpus-*.whl
    "$work/build/bin/maturin" build --profile "$profile" --locked --manifest-path "$here/scripts/python/Cargo.toml" \
        --out "$wheels" ${target[@]+"${target[@]}"}
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
bytes=$(wc -c <"$wheel")
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
echo "$wheel" >&3
if ((tests)); then
    tools "$work/clean" --requirement "$here/scripts/python/requirements-test.txt"
    "$work/clean/bin/python" -m pytest --quiet -p no:cacheprovider "$here/scripts/python/tests"
fi
