#!/usr/bin/env bash
# The census of minimal 9x9 puzzles by two independent routes, beside the published figures: reports/census.md.
#   scripts/census.sh [PUZZLES] [DIGS]       puzzles of controlled bias (4000), weighted digs (1000000)
# Published: Berthier, "Unbiased Statistics of a CSP - A Controlled-Bias Generator" (CISSE 2009) and the collection
# DOI 10.5281/zenodo.17491457. Its errors are those of 5,926,343 puzzles of controlled bias.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
puzzles=${1:-4000} digs=${2:-1000000}
program=${SUDOKU_CORPUS:-$here/target/release/sudoku-corpus}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
begin=$SECONDS

cat > "$work/bias.toml" <<RECIPE
count = $puzzles
part_rows = 100
[dig]
plan = "controlled-bias"
[analyze]
ratings = "er,w"
RECIPE
cat > "$work/digs.toml" <<RECIPE
count = $digs
part_rows = 50_000
[dig]
plan = "minimal"
[analyze]
techniques = "none"
ratings = "none"
RECIPE
"$program" run "$work/bias.toml" --out "$work/bias" --quiet
"$program" run "$work/digs.toml" --out "$work/digs" --quiet

# stats CORPUS ROUTE FIGURES: lines "route,figure,statistic,estimate,low,high,reliable,doubt"
ask() { "$program" stats "$3" "$work/$1" --total --quantiles 50 --format csv --quiet 2>>"$work/notes" |
    awk -F, -v route="$2" 'NR > 1 { print route "," $1 "," $2 "," $3 "," $5 "," $6 "," $7 "," $12 }'; }
{
    ask bias "controlled bias" 'givens, se_er_tenths / 10.0 AS ser, w'
    ask digs "weighted digs" 'givens'
} > "$work/figures.csv"

published() { case $1 in
    "givens,mean") echo "26.577" ;; "givens,sd") echo "1.116 (between values of n left out)" ;;
    "ser,mean") echo "4.73" ;; "ser,sd") echo "2.49" ;; "w,mean") echo "2.449" ;; "w,sd") echo "1.39" ;;
    "givens,total") echo "4.6563e15 ± 0.065 %" ;;
    "givens,share 22") echo "0.0000348 ± 1.2 %" ;; "givens,share 23") echo "0.00147847 ± 0.3 %" ;;
    "givens,share 24") echo "0.02284853 ± 0.12 %" ;; "givens,share 25") echo "0.13424609 ± 0.07 %" ;;
    "givens,share 26") echo "0.31909496 ± 0.07 %" ;; "givens,share 27") echo "0.32712245 ± 0.10 %" ;;
    "givens,share 28") echo "0.15479856 ± 0.20 %" ;; "givens,share 29") echo "0.03598318 ± 0.56 %" ;;
    "givens,share 30") echo "0.004141 ± 2.2 %" ;;
    "w,share 0") echo 0.2917 ;; "w,share 1") echo 0.0844 ;; "w,share 2") echo 0.1261 ;; "w,share 3") echo 0.2226 ;;
    "w,share 4") echo 0.2139 ;; "w,share 5") echo 0.0467 ;; "w,share 6") echo 0.0107 ;; "w,share 7") echo 0.0029 ;;
    *) echo "" ;;
esac; }

out=${CENSUS_OUT:-$here/reports/census.md}
{
    echo "# Census of minimal 9x9 puzzles"
    echo
    echo "All minimal puzzles of uniform grids: $puzzles puzzles of controlled bias and $digs weighted top-down digs, beside the published figures"
    echo "(Berthier, 5,926,343 puzzles of controlled bias). Intervals are 95 %; a figure that the weights do not carry says so. Made by"
    echo "\`scripts/census.sh $puzzles $digs\` with $("$program" --version)."
    echo
    echo "| figure | route | estimate | 95 % interval | published |"
    echo "|---|---|---:|---:|---:|"
    while IFS=, read -r route figure statistic estimate low high reliable doubt; do
        case $figure,$statistic in
            *,q50 | givens,"total "*) continue ;;
        esac
        told=$(published "$figure,$statistic")
        [[ -n $told ]] || continue
        interval="$low to $high"; [[ $reliable == true ]] || interval="not reliable: $doubt"
        echo "| $figure, $statistic | $route | $estimate | $interval | $told |"
    done < "$work/figures.csv"
} > "$out.new"
mv "$out.new" "$out"
echo "$out in $((SECONDS - begin)) s" >&2
