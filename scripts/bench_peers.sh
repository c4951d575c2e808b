#!/usr/bin/env bash
# Compares this program with other programs, in CPU time of one thread. Prints a table, then one JSON line for each
# benchmark.
#
#   scripts/bench_peers.sh PUZZLES_DIR [LIBTDOKU.so] [ROUNDS] [ONLY]
#
#   PUZZLES_DIR   the folder with clue17_49158.txt.gz and the other files named in scripts/bench_peers/src/sets.rs; a
#                 missing file is skipped with a message (environment variable: PUZZLES)
#   LIBTDOKU.so   a shared library made by tdoku's own build (target tdoku_shared), for figures of tdoku (environment
#                 variable: TDOKU)
#   ROUNDS        the number of rounds, 5 by default
#   ONLY          run only the benchmarks whose name contains this text
#
# The `sudoku` crate comes from the registry. RUSTFLAGS apply to all Rust code: set RUSTFLAGS="-C target-cpu=native" to
# let the other crate use the instructions that this program chooses at run time.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
puzzles="${1:-${PUZZLES:-}}"
tdoku="${2:-${TDOKU:-}}"
if [[ -z "$puzzles" || ! -d "$puzzles" ]]; then
    echo "SKIPPED: puzzle files: '$puzzles' is not a folder; only generated puzzles are measured" >&2
fi
if [[ -z "$tdoku" ]]; then
    echo "SKIPPED: tdoku: its library was not given" >&2
fi
cargo build --quiet --release --manifest-path "$here/bench_peers/Cargo.toml" >&2
target="${CARGO_TARGET_DIR:-$here/bench_peers/target}"
echo "machine:  $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -1)"
echo "compiler: $(rustc --version), RUSTFLAGS='${RUSTFLAGS:-}'"
exec "$target/release/bench-peers" "$puzzles" "$tdoku" "${3:-5}" "${4:-}"
