#!/usr/bin/env bash
# Runs the fuzz targets with libFuzzer, guided by the coverage of this project's own code. Needs a C++ compiler.
#
#   scripts/fuzz.sh [SECONDS [TARGET ..]]         60 seconds each; every target of tests/fuzz/targets.rs
#
# Seeds and findings stay in target/fuzz, and the next run continues with them. SUDOKU_CORPUS names a program that is
# already built. If an input breaks a target, the script names the file and ends with exit code 1. To
# repeat it:
#
#   FUZZ=TARGET target/release/sudoku-corpus-fuzz FILE
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here"
seconds=${1:-60}
target=${CARGO_TARGET_DIR:-$here/target}
# shellcheck source=scripts/python_env.sh
source scripts/python_env.sh
cp Cargo.lock tests/fuzz/Cargo.lock
checked=()
for name in sudoku-corpus sudoku-corpus-core sudoku-corpus-store sudoku-corpus-press; do
    own=profile.release.package.$name
    checked+=(--config "$own.opt-level=1" --config "$own.debug-assertions=true" --config "$own.overflow-checks=true")
done
RUSTC_WRAPPER=$here/tests/fuzz/rustc.sh cargo build --release --quiet --manifest-path tests/fuzz/Cargo.toml --target-dir "$target" \
    --config Cargo.toml "${checked[@]}"
place=$target/fuzz
mkdir -p "$place"
"$python" tests/fuzz/seeds.py "$SUDOKU_CORPUS" "$place/seeds"
if (($# > 1)); then
    targets=("${@:2}")
else
    mapfile -t targets < <(sed -n 's/^    ("\([a-z]*\)", [a-z]*),$/\1/p' tests/fuzz/targets.rs)
fi
for name in "${targets[@]}"; do
    mkdir -p "$place/found/$name" "$place/broken"
    echo "$name: $seconds s" >&2
    # A puzzle or a query may take long, but more than 30 s or 2 GB is a fault.
    if ! FUZZ=$name "$target/release/sudoku-corpus-fuzz" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 \
        -close_fd_mask=1 -print_final_stats=1 -verbosity=0 -artifact_prefix="$place/broken/$name-" \
        "$place/found/$name" "$place/seeds/$name" 2>"$place/$name.log"; then
        tail -30 "$place/$name.log" >&2
        exit 1
    fi
    sed -n 's/^stat::number_of_executed_units: */    inputs: /p' "$place/$name.log" >&2
done
