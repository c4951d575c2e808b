#!/usr/bin/env bash
# Regenerates reports/scaling.md: what Ray costs beside the bare program, with 1 and 2 workers, what many parts cost, and
# an estimate for large corpora from these numbers. Takes about ten minutes on two free cores.
#
#   scripts/scaling.sh [--seconds 60] [--parts 4]        length of a part, parts of each run
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/python_env.sh
source "$here/scripts/python_env.sh"
"$python" "$here/scripts/scaling.py" "$@" >"$here/reports/scaling.md.new"
mv "$here/reports/scaling.md.new" "$here/reports/scaling.md"
