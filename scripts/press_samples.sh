#!/bin/bash
# Makes the samples in reports/press: seven small books, editions for screens, a cover, ten pictures of puzzles, the three pictures of the
# README, and a page with the thinner lines of version 0.2.0.
#   scripts/press_samples.sh target/release/sudoku-corpus
# The same program makes the same bytes. The picture of a page needs Poppler.
set -euo pipefail
program=$(realpath "${1:?usage: press_samples.sh PROGRAM}")
root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/reports/press
pictures=$root/data/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
cd "$work"
sc() { "$program" --quiet "$@"; }

cat > stock.toml << 'RECIPE'
levels = "newspaper"
part_rows = 100
dig.symmetry = "rotate-180"
quota = [
    { level = "easy", plan = "givens=32..38", count = 40 },
    { level = "medium", plan = "givens=26..32", count = 40 },
    { level = "hard", plan = "givens=24..30", count = 12 },
    { level = "expert", plan = "givens=22..28", count = 8 },
]
RECIPE
sc run stock.toml --out stock
sc run --shape 4x4 --count 8 --out sixteen
book() { sc book --force --date 2027-01-31 --author sudoku-corpus "$@"; }
book stock --level easy=20,medium=20,hard=8,expert=4 --language de --trim 6x9 --with running-heads,hints \
    --title 'Stille Abende' --out "$out/german-6x9.pdf"
book stock --level easy=10,medium=4 --large-print --trim 8.5x11 --with steps --title 'Large Print Sudoku' --out "$out/large-print.pdf"
book stock --level easy=16 --large-print --per-page 2 --with strip --trim 8.5x11 --title 'Two on a Page' --out "$out/large-print-two.pdf"
book sixteen --all --trim 7x10 --symbols hex --difficulty stars --title 'Sixteen' --out "$out/sixteen.pdf"
sc run --shape 2x2 --count 60 --out four
sc run --shape 2x3 --count 20 --out six-stock
book four six-stock stock --quota "shape = '2x2' = 6" --quota "shape = '2x3' = 12" --quota "shape = '3x3' AND level = 'easy' = 18" --sections board --printer kdp --trim 8.5x8.5 --per-page 2 --answers behind \
    --title 'From Small to Large' --out "$out/from-small-to-large.pdf" --cover "$out/cover.pdf"
book four six-stock --quota "shape = '2x2' = 12" --quota "shape = '2x3' = 12" --sections board --pictures "$pictures"/{sun,moon,star,fish,house,heart}.svg --with strip \
    --language de --address familiar --trim 8.5x8.5 --per-page 1 --title 'Sudoku mit Bildern' --out "$out/children.pdf"
book four --count 16 --symbols STAR --spell --trim 6x6 --title 'Word Sudoku' --out "$out/words.pdf"
edition() { book stock --level easy=6,medium=4,hard=2 --with hints --title 'For Screens' "$@"; }
edition --with steps --standard screen --out "$out/screen.pdf"
edition --with steps --out "$out/screen.epub"
sc book --force stock --level easy=6,medium=4,hard=2 --title 'For Screens' --out "$out/play.html"
for board in 3x3+x 3x3+windoku 9+jigsaw; do
    layouts=$([[ $board == *jigsaw ]] && echo "--layout-symmetry rotate-180" || true)
    sc run --shape "$board" $layouts --plan givens=20..26 --symmetry rotate-180 --level hard --count 8 --out "stock-$board"
done
book stock-3x3+x stock-3x3+windoku stock-9+jigsaw --all --trim 7x10 --per-page 2 --title 'X, Windoku, Jigsaw' --out "$out/variants.pdf"

picture() { sc export --force "${@:2}" --count 1 --out "$out/$1"; }
picture 01-easy.svg stock --level easy
picture 02-expert.svg stock --level expert --caption level
picture 03-shaded.svg stock --level medium --shade
picture 04-candidates.png stock --level hard --candidates --size 80mm --dpi 150
picture 05-fine-lines.svg stock --level easy --pick random --seed 2 --lines 1,0.2 --caption number
picture 06-letters.svg stock --level easy --pick random --seed 3 --symbols letters
sc run --shape 2x3 --count 1 --out six
picture 07-six.svg six
picture 08-sixteen.png sixteen --symbols hex --size 90mm --dpi 150
for mask in heart tree; do
    sc mask "$mask" --seed 1 --out "$mask.csv"
done
picture 09-heart.svg heart.csv
picture 10-tree.svg tree.csv

# The README shows the second picture, a page of the German book and a plot of a report.
page() { pdftoppm -r 60 -f 8 -l 8 -gray -png -singlefile "$1" "$out/$2"; }
page "$out/german-6x9.pdf" page
book stock --level easy=20,medium=20,hard=8,expert=4 --language de --trim 6x9 --with running-heads --lines 1.4,0.4 --out thin.pdf
page thin.pdf page-thin-lines
sc run --count 2000 --ratings none --out corpus
sc report corpus --out report.html
cp report-data/givens.svg "$out/report.svg"
du -cb "$out"/* | tail -1
