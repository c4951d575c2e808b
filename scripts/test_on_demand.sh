#!/usr/bin/env bash
# Runs the tests that are too long for CI, and writes the result of each test to reports/on-demand.md.
#
#   scripts/test_on_demand.sh [TEST ..]        all tests of the list below, or those named
#
# Four of them compare with published collections that are not part of this project. SUDOKU_CORPUS_DATA names a folder;
# the collections are in its folder `ratings`. STEP=20 takes every 20th puzzle of published_depths and of
# the_hardest_published_ratings_are_met. The exit code is 1 if a test failed or its files are missing.
set -euo pipefail
cd "$(dirname "$0")/.."
tests=(
    "search_and_clauses: two independent searches count the solutions of tens of thousands of puzzles of every shape"
    "all_6x6_grids: each of the 28,200,960 grids of a 6x6 board, in both shapes, has its own number"
    "published_depths: T&E depth and BxB of 18,462 puzzles"
    "the_complete_collection_is_met: W and B of 106,573 puzzles"
    "the_complete_collections_are_met: ER, EP and ED of 108,573 puzzles"
    "the_hardest_published_ratings_are_met: ER of 18,078 of the hardest puzzles known"
    "a_million_positions_have_the_chains_and_loops_of_the_plain_searches: the first chain that is found in each of a million positions is that of a search by the definition; the environment variable COUNT gives another number of positions"
    "planted_leaks_among_many_rows_are_found_and_none_invented: leaks of ten kinds among 100,000 rows"
)
report=reports/on-demand.md
log=$(mktemp)
trap 'rm -f "$log" "$log.time"' EXIT
TIMEFORMAT=%U
run=(cargo test --release --locked --quiet -p sudoku-corpus-core -p sudoku-corpus-store --lib)
"${run[@]}" --no-run
code=0
rows=()
for line in "${tests[@]}"; do
    name=${line%%:*}
    old=$(grep -F "| \`$name\` |" "$report" 2>/dev/null || echo "| \`$name\` |${line#*:} | not run | | |")
    if (($# > 0)) && [[ " $* " != *" $name "* ]]; then
        rows+=("$old")
        continue
    fi
    echo "$line" >&2
    result=passed
    { time "${run[@]}" -- --ignored --nocapture "::${name}" >"$log" 2>&1 || result=FAILED; } 2>"$log.time"
    grep -q "^test result: ok. 1 passed" "$log" || result=FAILED
    if grep -q SKIPPED "$log"; then
        result="no files"
    elif [[ -n ${STEP:-} && $name =~ ^(published_depths|the_hardest) ]]; then
        result="$result (every ${STEP}th puzzle)"
    fi
    [[ $result == passed* ]] || code=1
    tail -n 5 "$log" >&2
    minutes=$(awk '{ printf "%.1f", $1 / 60 }' "$log.time")
    rows+=("| \`$name\` |${line#*:} | $result | $minutes | $(date -u +%F), $(git describe --always --dirty) |")
done
{
    echo "# Tests on demand"
    echo
    echo "The last result of each test that is too long for CI (\`scripts/test_on_demand.sh\`)."
    echo
    echo "| test | what it compares | result | processor minutes | when, and the commit |"
    echo "|---|---|---|---|---|"
    printf '%s\n' "${rows[@]}"
} >"$report"
exit "$code"
