#!/usr/bin/env bash
# A night's puzzles, for cron:
#
#   15 2 * * *  cd /srv/sudoku && scripts/nightly.sh data/recipes/nightly.toml nights --keep 30
#
# Makes nights/2026-11-21/ from the recipe, with the date as seed, and whatever its [[output]] entries ask for. No night
# publishes a puzzle that another one had, up to symmetry: nights/seen/2026-11-21.classes keeps the canonical forms of
# what was published, also of nights that were pruned. A night that was killed is finished first, by the next call. A
# night works on a copy of the recipe, which must name its bases, if it has any, by an absolute path.
#
#   --date YYYY-MM-DD   another night than today's
#   --keep N            delete finished nights but the last N; their canonical forms stay. Without it all are kept
#   --program FILE      the program; by default $SUDOKU_CORPUS, or sudoku-corpus from the PATH, or the checkout's own
#
# stdout: one line for monitoring, "night=2026-11-21 status=ok ..."; the same line is added to nights/nights.log.
# Exit codes: 0 done, 1 failed, 2 usage, 3 a check failed, 4 stopped early, the next call goes on; 5 another one runs.
set -euo pipefail

usage() {
    sed -n '2,/^set/p' "$0" | sed '$d; s/^# \{0,1\}//' >&2
    exit 2
}

date=$(date +%F)
keep=
program=${SUDOKU_CORPUS:-}
positional=()
while (($#)); do
    case $1 in
    --date | --keep | --program)
        (($# > 1)) || usage
        declare "${1#--}=$2"
        shift 2
        ;;
    -*) usage ;;
    *)
        positional+=("$1")
        shift
        ;;
    esac
done
((${#positional[@]} == 2)) || usage
recipe=${positional[0]}
nights=${positional[1]}
[[ -f $recipe ]] || { echo "nightly: no recipe $recipe" >&2; exit 2; }
[[ $date =~ ^[0-9]{4}-[0-9]{2}-[0-9]{2}$ ]] || { echo "nightly: '$date' is not of the form YYYY-MM-DD" >&2; exit 2; }
[[ -z $keep || $keep =~ ^[1-9][0-9]*$ ]] || { echo "nightly: --keep takes a number from 1, not '$keep'" >&2; exit 2; }

if [[ -z $program ]]; then
    checkout=$(dirname "$0")/../target/release/sudoku-corpus
    program=$(command -v sudoku-corpus || echo "$checkout")
fi
[[ -x $(command -v "$program") ]] || { echo "nightly: no program $program; see --program" >&2; exit 2; }

mkdir -p "$nights/seen"
exec 9>"$nights/.lock"
flock -n 9 || { echo "night=$date status=busy"; exit 5; }

# Makes, or goes on with, one night. The folder gets the file .done when everything is there.
make_night() {
    local night=$1 began=$SECONDS code=0 status=ok
    local folder=$nights/$night own=$nights/seen/$1.classes
    local others=()
    for index in "$nights"/seen/*.classes; do
        [[ -e $index && $index != "$own" ]] && others+=("$index")
    done
    # The recipe as it was when the night began: a night that is finished later is finished as it was begun.
    mkdir -p "$folder" || return 1
    if [[ ! -f $folder/night.toml ]]; then
        cp "$recipe" "$folder/night.toml~" && mv "$folder/night.toml~" "$folder/night.toml" || return 1
    fi
    "$program" --quiet run "$folder/night.toml" --seed "${night//-/}" --out "$folder" --remember "$own" \
        ${others[@]+--except "${others[@]}"} 9>&- || code=$?
    case $code in
    0) : >"$folder/.done" ;;
    3) status=check-failed ;;
    4) status=stopped ;;
    *) status=failed ;;
    esac
    local rows parts files
    rows=$(sed -n 's/.*"count":\([0-9]*\).*/\1/p;q' "$folder/manifest.jsonl" 2>/dev/null || true)
    parts=$(grep -c '"part":' "$folder/manifest.jsonl" 2>/dev/null || true)
    files=$(find "$folder" -maxdepth 1 -type f ! -name '.*' ! -name 'part-*' ! -name '*~' | wc -l)
    local line="night=$night status=$status code=$code rows=${rows:-0} parts=${parts:-0} files=$files"
    line+=" bytes=$(du -sb "$folder" | cut -f1) seconds=$((SECONDS - began))"
    echo "$line"
    echo "$(date -u +%FT%TZ) $line" >>"$nights/nights.log"
    return $((code > 5 ? 1 : code))
}

# Unfinished nights first, oldest first; then the one that was asked for, whatever became of the others.
worst=0
for folder in "$nights"/????-??-??; do
    night=$(basename "$folder")
    if [[ -d $folder && ! -e $folder/.done && $night < $date ]]; then make_night "$night" || worst=$?; fi
done
[[ -e $nights/$date/.done ]] || make_night "$date" || worst=$?

if [[ -n $keep ]]; then
    find "$nights" -mindepth 2 -maxdepth 2 -name .done -printf '%h\n' | sort -r | tail -n "+$((keep + 1))" |
        while read -r old; do
            rm -rf -- "$old"
        done
fi
exit "$worst"
