#!/usr/bin/env bash
# Compares the Sudoku Explainer ratings of this program and of other programs. For each program, prints the puzzles per
# second of CPU time with one thread, and the number of ratings that agree with the published ones. The programs take
# turns. The time of a program is the median of the rounds, including its start.
#
#   scripts/bench_ratings.sh RATINGS_DIR [SKFR] [SUKAKU_FORGE] [ROUNDS]
#
#   RATINGS_DIR    the folder with qq1000_hodoku_se.tsv.gz (ER/EP/ED, measured with the original program) and
#                  controlled_bias_dev.tsv.gz (SER; every 50th puzzle is used). Environment variable: RATINGS
#   SKFR           skfr's command line program, built with g++ -O3 -march=native from github.com/dobrichev/skfr; - for
#                  none
#   SUKAKU_FORGE   sukaku-forge-rate, built with cargo from github.com/SlowLarry/sukaku-forge; - for none
#   ROUNDS         the number of rounds, 5 by default
#
# This program runs as `sudoku-corpus analyze` with only these ratings, so its time includes reading, uniqueness,
# canonical form, search depth and writing CSV. SUDOKU_CORPUS names a program that is already built.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
ratings="${1:-${RATINGS:-}}"
skfr="${2:--}"
forge="${3:--}"
rounds="${4:-5}"
if [[ -z "$ratings" || ! -d "$ratings" ]]; then
    echo "SKIPPED: '$ratings' is not a folder with ratings" >&2
    exit 0
fi
# shellcheck source=scripts/program.sh
source "$here/scripts/program.sh"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"

# Puzzles with dots, and their published ratings.
zcat "$ratings/qq1000_hodoku_se.tsv.gz" | awk -F'\t' 'NR > 2 { gsub("0", ".", $1); print $1, $4 }' >qq1000.known
zcat "$ratings/controlled_bias_dev.tsv.gz" | awk -F'\t' 'NR > 2 && NR % 50 == 7 { print $1, $3 }' >controlled_bias.known

# Each function writes one line "ER/EP/ED" per puzzle, in the order of the puzzles.
run_ours() {
    "$SUDOKU_CORPUS" analyze "$1.txt" --quiet --threads 1 --techniques none --ratings se --er-limit 20 >"$1.csv"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
             { printf "%.1f/%.1f/%.1f\n", $at["se_er_tenths"] / 10, $at["se_ep_tenths"] / 10, $at["se_ed_tenths"] / 10 }' "$1.csv" >"$1.got"
}
run_skfr() {
    OMP_NUM_THREADS=1 "$skfr" "--input=$1" >skfr.log 2>&1
    sed 's/.*ED=//' "${1}_rat.txt" >"$1.got"
}
run_forge() { "$forge" --allow-uniqueness --input=- <"$1.txt" >"$1.got"; }

median() { sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

programs=(ours)
for peer in skfr forge; do
    path="${!peer}"
    if [[ "$path" == - ]]; then echo "SKIPPED: $peer: its program was not given" >&2; else programs+=("$peer"); fi
done
echo "machine: $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1)"
TIMEFORMAT='%U %S'
for set in qq1000 controlled_bias; do
    cut -d' ' -f1 "$set.known" >"$set.txt"
    count="$(wc -l <"$set.txt")"
    for ((round = 0; round < rounds; round++)); do
        for program in "${programs[@]}"; do
            { time "run_$program" "$set" 2>/dev/null; } 2>time.txt
            awk '{ print $1 + $2 }' time.txt >>"$set.$program.seconds"
            cp "$set.got" "$set.$program.got"
        done
    done
    mine="$(median <"$set.ours.seconds")"
    for program in "${programs[@]}"; do
        seconds="$(median <"$set.$program.seconds")"
        # Only published ratings are compared.
        equal="$(paste -d' ' "$set.known" "$set.$program.got" | awk '{ n = split($2, a, "/"); split($3, b, "/"); same = 1
            for (i = 1; i <= n; i++) same = same && a[i] + 0 == b[i] + 0; equal += same } END { print equal + 0 }')"
        awk -v set="$set" -v program="$program" -v count="$count" -v equal="$equal" -v seconds="$seconds" -v mine="$mine" 'BEGIN {
            printf "%-16s %-6s %7.0f puzzles a CPU second, %5d of %d as published, ours is %.2f times as fast\n",
                set, program, count / seconds, equal, count, seconds / mine }'
    done
done
