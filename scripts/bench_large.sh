#!/usr/bin/env bash
# Measures large boards. Compares this program with the only other program that makes them, and measures boards that
# only this program makes. Writes Markdown to stdout.
#
#   scripts/bench_large.sh [ROUNDS] > reports/bench_large.md
#
# Environment variables:
#   SUDOKU_CORPUS   the program to measure; if it is not set, the program is built from this checkout
#   SOLO            Simon Tatham's solo: sgt-solo of Debian's package sgt-puzzles (apt-get install sgt-puzzles). Without
#                   it, a message is printed and only this program is measured
#
# The programs take turns, with one thread each. Figures are puzzles (or grids) per second of CPU time, including the
# start of the programs. They are medians of the rounds. This program digs to the mean number of givens of the other
# program. `sudoku-corpus check` checks every puzzle of the last round of both programs.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/program.sh
source "$here/scripts/program.sh"
rounds="${1:-5}"
solo="${SOLO:-$(PATH="$PATH:/usr/games" command -v sgt-solo || true)}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'

# CPU seconds of a command, with its output in the file $out.
seconds() {
    { time "$@" > "$out" 2> "$work/messages"; } 2>&1 | awk '{ print $1 + $2 }'
}

# Puzzles of this program. Arguments: shape, number, plan, symmetry, seed.
ours() {
    "$SUDOKU_CORPUS" generate --quiet --threads 1 --shape "$1" --method fewest-candidates --count "$2" --seed "$5" |
        "$SUDOKU_CORPUS" dig - --quiet --threads 1 --shape "$1" --plan "$3" --symmetry "$4" --seed "$5"
}

grids() {
    "$SUDOKU_CORPUS" generate --quiet --threads 1 --shape "$1" --method fewest-candidates --count "$2" --seed "$3"
}

# Puzzles of the other program with its default difficulty. Arguments: parameters, number. It chooses its own seed.
peer() {
    "$solo" --generate "$2" "$1"
}

# The peer's descriptions as lines of cells: numbers, "_" between two of them, letters for runs of 1 to 26 blanks.
peer_lines() {
    sed 's/^[^:]*://' "$1" | awk '
        BEGIN { digits = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ" }
        {
            line = ""
            for (rest = $0; rest != ""; ) {
                if (match(rest, /^[0-9]+/)) line = line substr(digits, substr(rest, 1, RLENGTH) + 0, 1)
                else if (match(rest, /^[a-z]/)) {
                    blanks = index("abcdefghijklmnopqrstuvwxyz", substr(rest, 1, 1))
                    for (at = 0; at < blanks; at++) line = line "."
                } else match(rest, /^./)
                rest = substr(rest, RLENGTH + 1)
            }
            print line
        }'
}

mean_givens() {
    awk '{ total += gsub(/[^.]/, "") } END { printf "%.0f", total / NR }' "$1"
}

# Ends the script unless all puzzles of a file are unique.
check() {
    if ! "$SUDOKU_CORPUS" check --quiet --shape "$1" --budget 10000000 "$2" > "$work/checked" 2>&1; then
        echo "FAILED: a puzzle of $3 is not unique, or was not settled" >&2
        grep -v ,unique, "$work/checked" | head -3 >&2
        exit 1
    fi
}

median() {
    sort -g "$1" | awk '{ rate[NR] = $1 } END { printf "%s", rate[int((NR + 1) / 2)] }'
}

shown() {
    awk -v rate="$1" 'BEGIN { printf rate < 10 ? "%.2f" : "%.0f", rate }'
}

rate() {
    awk -v count="$1" -v seconds="$2" 'BEGIN { print count / (seconds > 0 ? seconds : 0.001) }'
}

# Arguments: shape, symmetry, the peer's name of the symmetry, the numbers of the peer's and of our puzzles in a round.
side_by_side() {
    local shape="$1" symmetry="$2" parameters="$1$3" givens="" plan=""
    : > "$work/theirs"; : > "$work/ratios"; : > "$work/rates"
    for ((round = 1; round <= rounds; round++)); do
        out="$work/peer.txt"
        local theirs; theirs="$(rate "$4" "$(seconds peer "$parameters" "$4")")"
        peer_lines "$work/peer.txt" > "$work/peer.lines"
        givens="${givens:-$(mean_givens "$work/peer.lines")}"
        # Patterns with a symmetry may need an even number of givens.
        plan="givens=$givens..$((givens + 1))"
        out="$work/ours.txt"
        local own; own="$(rate "$5" "$(seconds ours "$shape" "$5" "$plan" "$symmetry" "$round")")"
        echo "$theirs" >> "$work/theirs"; echo "$own" >> "$work/rates"
        awk -v a="$own" -v b="$theirs" 'BEGIN { print a / b }' >> "$work/ratios"
    done
    check "$shape" "$work/peer.lines" "the peer"
    check "$shape" "$work/ours.txt" "ours"
    local order=$(( ${shape%x*} * ${shape#*x} )) least most
    least="$(sort -g "$work/ratios" | head -1)"; most="$(sort -g "$work/ratios" | tail -1)"
    echo "| ${order}x${order} | $symmetry | $(mean_givens "$work/peer.lines") | $(mean_givens "$work/ours.txt") | $(shown "$(median "$work/theirs")") |" \
        "$(shown "$(median "$work/rates")") | $(shown "$(median "$work/ratios")") | $(shown "$least") to $(shown "$most") |"
}

# Arguments: label, wanted rate, number of items, command ...
alone() {
    local label="$1" bar="$2" count="$3"; shift 3
    : > "$work/rates"
    for ((round = 1; round <= rounds; round++)); do
        out="$work/ours.txt"
        rate "$count" "$(seconds "$@" "$round")" >> "$work/rates"
    done
    local givens="-"
    if [[ "$1" == ours ]]; then
        check "$2" "$work/ours.txt" "ours"
        givens="$(mean_givens "$work/ours.txt")"
    fi
    echo "| $label | $givens | $(shown "$(median "$work/rates")") | $bar |"
}

echo "# Large boards"
echo
echo "How many puzzles and grids of large boards are made in a second of processor time, with one thread. A figure is the median of"
echo "$rounds rounds; it includes the start of the program. Every puzzle of the last round was checked for uniqueness."
echo "\`scripts/bench_large.sh $rounds > reports/bench_large.md\` measures again; the script describes the measurement."
echo
echo "Machine: $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null); $(rustc --version)"
echo
if [[ -n "$solo" ]]; then
    echo "## Beside Simon Tatham's solo"
    echo
    echo "\"Peer\" is Simon Tatham's solo, of sgt-puzzles $(dpkg-query -W -f '${Version}' sgt-puzzles 2>/dev/null || echo "of unknown version"). It was called" \
        "with \`--generate N 4x4\`, which makes"
    echo "puzzles of its usual difficulty and of the symmetry rotate-180; \`4x4a\` has no symmetry. \"Ours\" is this program. It made grids by search"
    echo "(\`fewest-candidates\`), and dug them with the same symmetry to the mean number of givens of the peer's puzzles in the first round."
    echo
    echo "| board | symmetry | givens, peer | givens, ours | peer, a second | ours, a second | ratio | ratios of the rounds |"
    echo "|---|---|--:|--:|--:|--:|--:|---|"
    side_by_side 4x4 rotate-180 "" 100 1000
    side_by_side 4x4 none a 100 1000
    side_by_side 5x5 rotate-180 "" 8 200
    side_by_side 5x5 none a 8 200
    echo
    echo "The peer makes no 36x36 boards, because it has at most 31 digits."
    echo
else
    echo "SKIPPED: Simon Tatham's solo: no sgt-solo found (apt-get install sgt-puzzles)" >&2
fi
echo "## Ours alone"
echo
echo "The time includes making the grid and digging. \"Wanted\" is the speed that was aimed at. On 25x25 and 36x36 boards, the default budget is"
echo "too small to prove every given. So some givens of the puzzles called minimal may be needless. 648 is half of the cells of a 36x36 board."
echo
echo "| work | givens | a second | wanted |"
echo "|---|--:|--:|--:|"
alone "6x6 minimal" 20000 20000 ours 2x3 20000 minimal none
alone "8x8 minimal" 5000 6000 ours 2x4 6000 minimal none
alone "10x10 minimal" 1000 2000 ours 2x5 2000 minimal none
alone "12x12 minimal" 200 800 ours 3x4 800 minimal none
alone "16x16 minimal" 20 150 ours 4x4 150 minimal none
alone "25x25 minimal" "-" 30 ours 5x5 30 minimal none
alone "36x36 minimal" "1, at most 648 givens" 6 ours 6x6 6 minimal none
alone "36x36 with 648 givens" 1 20 ours 6x6 20 givens=648 none
alone "16x16 full grids" 3000 4000 grids 4x4 4000
alone "25x25 full grids" 100 800 grids 5x5 800
alone "36x36 full grids" 5 60 grids 6x6 60
echo
ours 6x6 12 minimal none 1 > "$work/thirty-six.txt"
"$SUDOKU_CORPUS" analyze --quiet --shape 6x6 --techniques singles --ratings none "$work/thirty-six.txt" --out "$work/rated.csv"
echo "Of twelve minimal 36x36 puzzles, how many have at most 648 givens, and need more than naked and hidden singles?"
"$SUDOKU_CORPUS" query --quiet --format csv "SELECT count(*), max(givens) FROM puzzles WHERE givens <= 648 AND solutions = 1 AND NOT finished" \
    "$work/rated.csv" | awk -F, 'NR == 2 { print $1 " of 12. The most givens of one of them is " $2 "." }'
