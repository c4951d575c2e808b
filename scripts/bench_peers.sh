#!/usr/bin/env bash
# Compares this program with other programs, in CPU time of one thread, for each set of instructions that this machine
# has: AVX-512, AVX2, SSE4.2. Prints a table for each, then one JSON line for each benchmark.
#
#   scripts/bench_peers.sh PUZZLES_DIR [TDOKU_DIR] [ROUNDS] [ONLY]
#
#   PUZZLES_DIR   the folder with clue17_49158.txt.gz and the other files named in scripts/bench_peers/src/sets.rs; a
#                 missing file is skipped with a message (environment variable: PUZZLES)
#   TDOKU_DIR     tdoku's source (github.com/t-dillon/tdoku), for figures of tdoku (environment variable: TDOKU). Its
#                 library is compiled for each set of instructions, as its own build does it, by CXX or else by clang++
#   ROUNDS        the number of rounds, 5 by default
#   ONLY          run only the benchmarks whose name contains this text
#
# The `sudoku` crate comes from the registry; it has no vector instructions. RUSTFLAGS apply to all Rust code.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
puzzles="${1:-${PUZZLES:-}}"
tdoku="${2:-${TDOKU:-}}"
if [[ -z "$puzzles" || ! -d "$puzzles" ]]; then
    echo "SKIPPED: puzzle files: '$puzzles' is not a folder; only generated puzzles are measured" >&2
fi
if [[ -z "$tdoku" ]]; then
    echo "SKIPPED: tdoku: its source was not given" >&2
fi
cargo build --quiet --release --manifest-path "$here/bench_peers/Cargo.toml" >&2
target="${CARGO_TARGET_DIR:-$here/bench_peers/target}"
echo "machine:  $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -1)"
echo "compiler: $(rustc --version), RUSTFLAGS='${RUSTFLAGS:-}'"
[[ -z "$tdoku" ]] || echo "tdoku:    $("${CXX:-clang++}" --version | head -1), -O3"

# The instructions of this program, a flag of the processor that has them, and the machine that tdoku is compiled for.
while read -r level flag machine; do
    if [[ "$(uname -m)" == x86_64 ]] && ! grep -qsw "$flag" /proc/cpuinfo; then
        echo "SKIPPED: $level: not on this machine" >&2
        continue
    fi
    library=""
    if [[ -n "$tdoku" ]]; then
        library="$target/libtdoku-$level.so"
        "${CXX:-clang++}" -std=gnu++14 -O3 "-march=$machine" -fno-exceptions -fno-rtti -fpic -shared \
            -I"$tdoku/include" "$tdoku/src/solver_dpll_triad_simd.cc" "$tdoku/src/util.cc" -o "$library"
    fi
    printf '\n%s\n\n' "$level"
    SUDOKU_CORPUS_INSTRUCTIONS="$level" "$target/release/bench-peers" "$puzzles" "$library" "${3:-5}" "${4:-}"
done <<'LEVELS'
avx512 avx512bw native
avx2 avx2 x86-64-v3
sse4.2 sse4_2 x86-64-v2
LEVELS
