#!/usr/bin/env bash
# Writes reports/census.md: statistics of minimal 9x9 puzzles by two independent methods, compared with published
# figures.
#
#   scripts/census.sh [PUZZLES] [DIGS] [SAMPLE]
#
# PUZZLES   number of controlled-bias puzzles; 12000 by default
# DIGS      number of weighted digs; 1000000 by default
# SAMPLE    number of these digs that are rated; 300 by default
#
# Published figures: Berthier, "Unbiased Statistics of a CSP - A Controlled-Bias Generator" (CISSE 2009) and the
# collection DOI 10.5281/zenodo.17491457 of 5,926,343 controlled-bias puzzles. Environment variables: SUDOKU_CORPUS is
# the program, which is built if it is not set, CENSUS_OUT the report, CENSUS_WORK a folder for the corpora. With
# CENSUS_WORK an interrupted census can be continued.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
puzzles=${1:-12000} digs=${2:-1000000} sample=${3:-300}
# shellcheck source=scripts/program.sh
source "$here/scripts/program.sh"
out=${CENSUS_OUT:-$here/reports/census.md}
work=${CENSUS_WORK:-}
if [[ -z $work ]]; then work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; else mkdir -p "$work"; fi
begin=$SECONDS

recipe() { printf 'count = %s\npart_rows = %s\n[dig]\nplan = "%s"\n[analyze]\n%s\n' "$@"; }
# These are the first parts of endless corpora, so that a larger census begins with the rows of a smaller one.
recipe 1000000000 50 controlled-bias 'ratings = "er,w"' > "$work/bias.toml"
recipe 1000000000 10000 minimal $'weight = true\ntechniques = "none"\nratings = "none"' > "$work/digs.toml"
"$SUDOKU_CORPUS" run "$work/bias.toml" --out "$work/bias" --parts "0..$(((puzzles + 49) / 50 - 1))" --quiet
"$SUDOKU_CORPUS" run "$work/digs.toml" --out "$work/digs" --parts "0..$(((digs + 9999) / 10000 - 1))" --quiet
# No row may be drawn twice, so the heaviest row limits the size of the sample.
until "$SUDOKU_CORPUS" export "$work/digs" --count "$sample" --pick weighted --out "$work/drawn.parquet" --quiet; do
    sample=$((sample * 3 / 4))
done
"$SUDOKU_CORPUS" analyze "$work/drawn.parquet" --ratings er,w --out "$work/sample.parquet" --quiet

# Prints lines "route,figure,statistic,estimate,error,reliable" from the command `stats`.
ask() { # ROUTE SOURCE FIGURES [OPTIONS]
    local route=$1 source=$2 figures=$3; shift 3
    "$SUDOKU_CORPUS" stats "$figures" "$work/$source" "$@" --format csv --quiet |
        awk -F, -v route="$route" 'NR > 1 { print route "," $1 "," $2 "," $3 "," $4 "," $7 }'
}
columns=$("$SUDOKU_CORPUS" query 'SELECT * FROM puzzles LIMIT 1' "$work/bias" --format csv --quiet | head -n 1 | tr ',' '\n' | grep '^n_')
uses=$(for column in $columns; do printf '%s > 0 AS use_%s, ' "$column" "${column#n_}"; done)
ratings='givens, se_er_tenths / 10.0 AS ser, w, hodoku_level AS level'
{
    ask bias bias "$ratings" --quantiles 50
    ask bias bias 'exp(log_weight) / tries AS puzzles' --log-weight 'ln(tries)' --quantiles 50
    ask bias bias "$uses"
    ask digs digs givens --quantiles 50
    ask digs digs 'exp(log_weight) AS puzzles' --unweighted --quantiles 50
    ask digs sample.parquet "${ratings#givens, }" --quantiles 50
    ask digs sample.parquet "$uses"
} > "$work/figures.csv"

# Published: figure, statistic, value, error. If no error is published, the error of a sample of this size or of
# rounding is used.
awk -v OFS=, '
    BEGIN {
        n = split("22:6651:.0034816:1.2 23:110103:.147847:.30 24:704089:2.284853:.12 25:1814413:13.424609:.074 " \
            "26:2002349:31.909496:.071 27:1007700:32.712245:.10 28:247259:15.479856:.20 29:31449:3.598318:.56 " \
            "30:2088:.414100:2.2 31:74:.024144:11.6", rows, " ")
        for (i = 1; i <= n; i++) {
            split(rows[i], r, ":"); p = r[3] / 100; squares += p * p / r[2]; sum += p
            if (r[1] <= 30) print "givens", "share " r[1], p, p * r[4] / 100
        }
        size = sum * sum / squares
        print "givens", "mean", 26.577, 1.116 / sqrt(size); print "givens", "sd", 1.116, 1.116 / sqrt(2 * size)
        print "puzzles", "mean", 4.6563e15, 4.6563e15 * .00065
        print "ser", "mean", 4.73, .003; print "ser", "sd", 2.49, 0
        m = split("29.17 8.44 12.61 22.26 21.39 4.67 1.07 .29 .073 .0203 .0055", shares, " ")
        for (i = 1; i <= m; i++) { p = shares[i] / 100; mean += p * (i - 1); squared += p * (i - 1) ^ 2 }
        sd = sqrt(squared - mean * mean)
        print "w", "mean", mean, sd / sqrt(size); print "w", "sd", sd, .003
        for (i = 1; i <= 8; i++) { p = shares[i] / 100; print "w", "share " i - 1, p, sqrt(p * (1 - p) / size) }
    }' > "$work/published.csv"

seconds=$((SECONDS - begin))
awk -F, -v puzzles="$puzzles" -v digs="$digs" -v sample="$sample" -v version="$("$SUDOKU_CORPUS" --version)" -v seconds="$seconds" '
    function number(x) { return x >= 1e6 ? sprintf("%.3e", x) : sprintf("%.4g", x) }
    # A figure with its error, shown with two digits of the error. Shares are in per cent.
    function shown(key, x, e,   digits) {
        if (x == "") return "-"
        if (e == 0) return sprintf(key ~ /share/ ? "%.0f" : "%.2f", key ~ /share/ ? 100 * x : x)
        if (x >= 1e6) return sprintf("%.3fe15 ± %.3f", x / 1e15, e / 1e15)
        if (key ~ /share/) { x *= 100; e *= 100 }
        digits = e > 0 ? 1 - int(log(e) / log(10) - (e < 1 ? 1 : 0)) : 3
        if (digits < 0) digits = 0; if (digits > 6) digits = 6
        return sprintf("%.*f ± %.*f", digits, x, digits, e)
    }
    function apart(a, b, ea, eb) { return a == "" || b == "" || ea == 0 || eb == 0 ? "-" : sprintf("%+.1f", (a - b) / sqrt(ea * ea + eb * eb)) }
    function line(key, name,   p, b, d, note) {
        p = value["published", key]; b = value["bias", key]; d = value["digs", key]
        if (b == "" && d == "") return
        note = (b != "" && sure["bias", key] != "true" ? "¹" : "")
        print "| " name " | " shown(key, p, error["published", key]) " | " shown(key, b, error["bias", key]) note " | " \
            shown(key, d, error["digs", key]) (d != "" && sure["digs", key] != "true" ? "¹" : "") " | " \
            apart(b, p, error["bias", key], error["published", key]) " | " apart(d, p, error["digs", key], error["published", key]) \
            " | " apart(b, d, error["bias", key], error["digs", key]) " |"
        compare(b, p, error["bias", key], error["published", key], note == "", name ": controlled bias and published")
        compare(d, p, error["digs", key], error["published", key], sure["digs", key] == "true", name ": weighted digs and published")
        compare(b, d, error["bias", key], error["digs", key], note == "" && sure["digs", key] == "true", name ": the two routes")
    }
    function compare(a, b, ea, eb, good, what,   z) {
        if (!good || a == "" || b == "" || ea == 0 || eb == 0) return
        z = (a - b) / sqrt(ea * ea + eb * eb); compared++
        if (z > 3 || z < -3) { far = far "* " what ", " sprintf("%.1f", z) " errors\n"; far_ones++ }
        if (z > 2 || z < -2) beyond++
    }
    function head(title) {
        print "\n## " title "\n"
        print "| | published | controlled bias | weighted digs | bias - published | digs - published | bias - digs |"
        print "|---|---:|---:|---:|---:|---:|---:|"
    }
    FILENAME ~ /published/ { key = $1 "," $2; value["published", key] = $3; error["published", key] = $4; next }
    { key = $2 "," $3; value[$1, key] = $4; error[$1, key] = $5; sure[$1, key] = $6
      if ($2 ~ /^use_/ && $3 == "share true" && $1 == "bias") { uses[++many] = $2; of[many] = $4 } }
    END {
        print "# Census of minimal 9x9 puzzles\n"
        print "This page estimates figures of *all* minimal 9x9 puzzles (puzzles of which no given can be removed) in two independent ways. It compares"
        print "them with the figures that Berthier published for 5,926,343 puzzles."
        print "\nA line of a table has three estimates of one figure. The last three columns say how far they are apart. Chance alone makes one of twenty"
        print "such differences larger than 2.\n"
        print "| column | what it holds |"
        print "|---|---|"
        print "| published | Berthier\047s figure |"
        print "| controlled bias | the figure of " puzzles " puzzles of the plan `controlled-bias`, with weights |"
        print "| weighted digs | the figure of " digs " puzzles of the plan `minimal`, with weights. For ratings, " sample " of them were drawn in proportion to their weights |"
        print "| bias - published, and so on | the difference of two of these figures, in standard errors |"
        print "\nA weight is the inverse of the probability that a puzzle is made. Shares are in per cent. SER is Sudoku Explainer\047s ER. W is a"
        print "rating of Berthier: the length of the longest whip (a chain of candidates) that a puzzle needs. Behind ± stands one standard error:"
        print "\n* Errors of our figures come from a jackknife: each figure is computed again and again without some of the grids. For weighted digs, the errors of ratings do not contain the error of the"
        print "  shares of givens, which is smaller."
        print "* The error of a published figure is the published error. If none is published, it is that of a sample of this size. It is at"
        print "  least 0.003, because of rounding."
        print "\nTwo kinds of figures are not compared. The published standard deviation of SER leaves out the variance between"
        print "numbers of givens. Shares of 0 or 100 % have no error."
        print "\nThis page computes mean and standard deviation of W from the published shares, because the published values, 2.449 and 1.39,"
        print "contradict these shares."
        print "\nMade by `scripts/census.sh " puzzles " " digs " " sample "` with " version "."
        head("Givens"); line("givens,mean", "mean"); line("givens,sd", "standard deviation")
        for (n = 22; n <= 30; n++) line("givens,share " n, n " givens, %")
        print "\n¹ Here and in the tables below: this error is too small, because the weights are too uneven."
        head("The number of minimal puzzles"); line("puzzles,mean", "minimal puzzles of a grid")
        t = 6670903752021072936960
        print "\nTimes 6,670,903,752,021,072,936,960 grids: " sprintf("%.4e (controlled bias), %.4e (weighted digs); published 3.1055e37.", \
            t * value["bias", "puzzles,mean"], t * value["digs", "puzzles,mean"])
        head("Ratings"); line("ser,mean", "SER, mean"); line("ser,sd", "SER, standard deviation")
        line("w,mean", "W, mean"); line("w,sd", "W, standard deviation")
        for (n = 0; n <= 7; n++) line("w,share " n, "W = " n ", %")
        head("HoDoKu\047s levels"); split("easy medium hard unfair extreme beyond", levels, " ")
        for (n = 1; n <= 6; n++) line("level,share " levels[n], levels[n] ", %")
        head("Use of techniques: % of puzzles whose solution by the ladder contains the technique")
        for (i = 1; i <= many; i++) for (j = i + 1; j <= many; j++) if (of[j] > of[i]) {
            t = of[i]; of[i] = of[j]; of[j] = t; t = uses[i]; uses[i] = uses[j]; uses[j] = t }
        for (i = 1; i <= many && of[i] >= .002; i++) { name = uses[i]; sub(/^use_/, "", name); line(uses[i] ",share true", "`" name "`") }
        print "\n## Do they agree?\n"
        print compared " pairs of figures with reliable errors were compared: " beyond + 0 " lie more than two errors apart (" \
            sprintf("%.0f", compared * .0455) " would by chance), " far_ones + 0 " more than three" (far == "" ? "." : ":\n\n" far)
    }' "$work/published.csv" "$work/figures.csv" > "$out.new"
mv "$out.new" "$out"
echo "$out in $seconds s" >&2
