#!/bin/sh
# Writes reports/patterns.md: for each technique that only the ladder `modern` has, the number of puzzles that use it
# and the number of puzzles that need it. Takes about ten minutes on two free cores.
# The environment variable SUDOKU_CORPUS_DATA names the folder of the data; the default is ../shared/data.
set -eu
cd "$(dirname "$0")/.."
data=${SUDOKU_CORPUS_DATA:-../shared/data}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in ratings/qq1000_hodoku_se ratings/controlled_bias_dev puzzles/magictour_top1465 puzzles/forum_hardest_1106 \
    puzzles/forum_hardest_11plus_20000; do
    file=$(ls "$data/$name".*.gz 2>/dev/null | head -n 1)
    if [ -z "$file" ]; then
        echo "SKIPPED: $data/$name is not there; set SUDOKU_CORPUS_DATA" >&2
        continue
    fi
    gzip -dc "$file" > "$folder/$(basename "$name")"
    # The ladder takes longest for the hardest puzzles.
    case $name in *11plus*) set -- "$@" --first 500 ;; esac
    set -- "$@" "$folder/$(basename "$name")"
    found=yes
done
[ "${found:-}" ] || exit 0
{
    sed "s/<VERSION>/sudoku-corpus $(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)/" scripts/patterns.template.md
    cargo bench --quiet --locked -p sudoku-corpus-core --bench patterns -- "$@"
} > "$folder/patterns.md"
cp "$folder/patterns.md" reports/patterns.md
