#!/usr/bin/env bash
# Writes reports/study.md and its five figures: what all minimal 9x9 puzzles are like.
#
#   scripts/study.sh [PUZZLES] [DIGS]
#
# PUZZLES   number of controlled-bias puzzles; 2000 by default
# DIGS      number of puzzles of each symmetry; 1000 by default
#
# SUDOKU_CORPUS is the program, STUDY_OUT the folder of the report, STUDY_WORK a folder for the corpora: with it an interrupted
# study can be continued. Published shares: Berthier, "Unbiased Statistics of a CSP" (5,926,343 controlled-bias puzzles).
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
puzzles=${1:-2000} digs=${2:-1000}
program=${SUDOKU_CORPUS:-$here/target/release/sudoku-corpus}
out=${STUDY_OUT:-$here/reports}
work=${STUDY_WORK:-}
if [[ -z $work ]]; then work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; else mkdir -p "$work"; fi
figures=$out/study
mkdir -p "$figures"

printf 'count = %s\npart_rows = 50\n[dig]\nplan = "controlled-bias"\n[analyze]\nratings = "er"\n' "$puzzles" >"$work/all.toml"
"$program" run "$work/all.toml" --out "$work/all" --quiet
for symmetry in none rotate-180 full; do
    "$program" run --count "$digs" --symmetry "$symmetry" --ratings er --out "$work/$symmetry" --quiet
done

cd "$work"
draw() { # NAME FIGURES CORPORA AND OPTIONS
    local name=$1; shift
    "$program" stats "$@" --plot "$figures/$name.svg" --out "$figures/$name.all.csv" --quiet
    "$program" stats "$@" --plot "$figures/$name.pdf" --out "$name.txt" --quiet
}
er='se_er_tenths / 10.0 AS er'
draw er-by-givens "$er, givens" all --by givens --compare
ordered="CASE level WHEN 'easy' THEN '1 easy' WHEN 'medium' THEN '2 medium' WHEN 'hard' THEN '3 hard' WHEN 'unfair' THEN '4 unfair' WHEN 'extreme' THEN '5 extreme' ELSE '6 beyond' END AS level"
draw techniques-by-level 'hardest' all --by "$ordered"
draw symmetry "$er, givens, score" none rotate-180 full --by symmetry --unweighted --compare
draw guesses-by-er 'search_guesses AS guesses' all --by 'se_er_tenths / 10 AS er'
draw givens 'givens' all --total
"$program" stats "$er, givens" all --fit 'er ~ givens' --out fit.csv --quiet

# The shares of the numbers of givens beside the published ones.
published='20 0.000000132 21 0.00003148 22 0.0034816 23 0.147847 24 2.284853 25 13.424609 26 31.909496 27 32.712245 28 15.479856 29 3.598318 30 0.414100 31 0.024144 32 0.0010196'
shares() {
    awk -F, -v published="$published" '
        BEGIN { n = split(published, pairs, " "); for (i = 1; i < n; i += 2) share[pairs[i]] = pairs[i + 1] }
        $2 ~ /^share / { sub("share ", "", $2); interval = $5 == "" ? "" : sprintf("%.3f .. %.3f", 100 * $5, 100 * $6)
            printf "| %s | %.3f | %s | %s | %s |\n", $2, 100 * $3, interval, share[$2], $12 == "" ? "" : "not reliable" }
    ' "$figures/givens.all.csv"
}
value() { awk -F, -v figure="$2" -v statistic="$3" '$1 == figure && $2 == statistic { printf "%s (%s .. %s)", $3, $5, $6 }' "$1"; }
{
    cat <<END
# A study of minimal puzzles

Made by \`scripts/study.sh $puzzles $digs\` with $("$program" --version). Intervals are 95 %. Each plot is in the folder \`study\`
as SVG, as PDF, and as CSV with one value in each cell. These files say how they were made.

## 1. Puzzles with more givens are not easier

![ER by givens](study/er-by-givens.svg)

ER rises by $(value fit.csv 'er ~ givens' slope) for each given more. The correlation is $(value fit.csv 'givens and er' correlation); Berthier found 0.20.

## 2. The hardest technique of each level

![Hardest technique by level](study/techniques-by-level.svg)

## 3. Symmetry

![ER by symmetry](study/symmetry.svg)

Puzzles dug with a symmetry; unweighted, because no weights are known for them. \`study/symmetry.all.csv\` has the differences.

## 4. Guesses against ER

![Guesses by ER](study/guesses-by-er.svg)

## 5. Shares by number of givens

![Shares of givens](study/givens.svg)

| givens | share, % | interval | published, % | |
|---|---:|---|---:|---|
$(shares)
END
} >"$out/study.md"
echo "wrote $out/study.md"
