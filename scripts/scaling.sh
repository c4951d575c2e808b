#!/usr/bin/env bash
# Makes reports/scaling.md again: the overhead of Ray with 1 and 2 workers, the overhead of many parts, and an estimate
# for large corpora from these numbers. It takes about ten minutes on two free cores.
#
#   scripts/scaling.sh [--seconds 60] [--parts 4]
#
# --seconds is the processor time of a part, --parts the number of parts of each run. The environment variable REPORT
# names another page.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/python_env.sh
source "$here/scripts/python_env.sh"
report=${REPORT:-$here/reports/scaling.md}
"$python" "$here/scripts/scaling.py" "$@" >"$report.new"
mv "$report.new" "$report"
