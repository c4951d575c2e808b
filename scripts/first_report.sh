#!/usr/bin/env bash
# Makes reports/first-run.md again: the built-in recipe, a run of 200,000 minimal 9x9 puzzles, and the analysis of
# files of published puzzles.
#
#   scripts/first_report.sh [FOLDER OF PUZZLE FILES]
#
# The folder (or SUDOKU_CORPUS_DATA/puzzles) has lists of puzzles, one on each line, plain or gzipped. Without the
# folder this part is skipped, and the report notes it. Corpora are kept in WORK (default: a temporary folder), so that
# an interrupted run can be continued.
set -euo pipefail
cd "$(dirname "$0")/.."
puzzles=${1:-${SUDOKU_CORPUS_DATA:+$SUDOKU_CORPUS_DATA/puzzles}}
work=${WORK:-$(mktemp -d)}
rows=${ROWS:-200000}
# The ladder of the long run and of the published puzzles has no chains, which makes rating ten times faster than with
# the whole ladder. The built-in recipe uses the whole ladder and Sudoku Explainer's ratings. LADDER=default uses the
# whole ladder for all.
ladder=${LADDER:-singles,intersections,subsets,x_wing,swordfish,jellyfish,skyscraper,two_string_kite,w_wing,xy_wing,xyz_wing}
report=${REPORT:-reports/first-run.md}
cargo build --release --quiet
program=${CARGO_TARGET_DIR:-target}/release/sudoku-corpus

"$program" run --out "$work/built-in"
"$program" verify "$work/built-in"
"$program" run --count "$rows" --techniques "$ladder" --ratings none --out "$work/nightly"
"$program" verify "$work/nightly" --sample 20000

{
    echo "# First run"
    echo
    echo "Written by \`scripts/first_report.sh\` with $("$program" --version). The tables depend only on the recipes, so"
    echo "the same version writes the same page on any machine. The built-in recipe is rated with the default ladder, the"
    echo "others with \`$ladder\`; puzzles of the level beyond need chains or more."
    echo
    "$program" report "$work/built-in" --quiet --out - --title "The built-in recipe: 10,000 minimal 9x9 puzzles"
    "$program" report "$work/nightly" --quiet --out - --title "A nightly run: $rows minimal 9x9 puzzles"
} >"$work/report.md"

if [ -n "${puzzles:-}" ] && [ -d "$puzzles" ]; then
    for file in "$puzzles"/*; do
        name=$(basename "$file")
        "$program" analyze "$file" --techniques "$ladder" --ratings none --out "$work/$name.parquet"
        "$program" report "$work/$name.parquet" --quiet --out - --title "Published puzzles: $name" >>"$work/report.md"
    done
else
    echo "SKIPPED: published puzzles, because no folder of puzzle files was given" >&2
    printf '## Published puzzles\n\nSkipped: no folder of puzzle files was given.\n' >>"$work/report.md"
fi
mv "$work/report.md" "$report"
echo "$report written; corpora are in $work"
