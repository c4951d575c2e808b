#!/usr/bin/env bash
# Ours and the peers side by side, one thread, CPU time: table, then one JSON line a piece of work.
#
#   scripts/bench_peers.sh PUZZLES_DIR [LIBTDOKU.so] [ROUNDS] [ONLY]
#
# PUZZLES_DIR   clue17_49158.txt.gz and the other files named in scripts/bench_peers/src/sets.rs; a missing one is
#               skipped with a message (also from the environment: PUZZLES)
# LIBTDOKU.so   a shared library that tdoku's own build made (target tdoku_shared), for figures of tdoku (TDOKU)
# ROUNDS        how often each engine takes its turn; 5 by default
# ONLY          only the work whose name contains this
#
# The `sudoku` crate comes from the registry. All Rust code is built with RUSTFLAGS as they are: set
# RUSTFLAGS="-C target-cpu=native" to give the peer the instructions that ours chooses at run time.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
puzzles="${1:-${PUZZLES:-}}"
tdoku="${2:-${TDOKU:-}}"
if [[ -z "$puzzles" || ! -d "$puzzles" ]]; then
    echo "SKIPPED: puzzle files: '$puzzles' is no folder; only the sets made here are measured" >&2
fi
if [[ -z "$tdoku" ]]; then
    echo "SKIPPED: tdoku: no library was named" >&2
fi
cargo build --quiet --release --manifest-path "$here/bench_peers/Cargo.toml" >&2
target="${CARGO_TARGET_DIR:-$here/bench_peers/target}"
echo "machine:  $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -1)"
echo "compiler: $(rustc --version), RUSTFLAGS='${RUSTFLAGS:-}'"
exec "$target/release/bench-peers" "$puzzles" "$tdoku" "${3:-5}" "${4:-}"
