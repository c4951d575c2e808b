#!/usr/bin/env bash
# Regenerates reports/scaling.md: the overhead of Ray with 1 and 2 workers, the overhead of many parts, and an estimate for large
# corpora from these numbers. It takes about ten minutes on two free cores.
#
#   scripts/scaling.sh [--seconds 60] [--parts 4]        length of a part, parts of each run; REPORT
#                                                      names another page to write
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/python_env.sh
source "$here/scripts/python_env.sh"
report=${REPORT:-$here/reports/scaling.md}
"$python" "$here/scripts/scaling.py" "$@" >"$report.new"
mv "$report.new" "$report"
