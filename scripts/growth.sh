#!/usr/bin/env bash
# Makes reports/growth.md again: time, memory and bytes of the commands for 10^4 to 10^7 rows. It takes about an hour and 6 GB
# of disk. An interrupted measurement goes on with --costs FILE.
#
#   scripts/growth.sh [--rows 10000,100000,1000000,10000000] [--rated 100000,1000000] [--threads 1,2] [--costs FILE]
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
report=${REPORT:-$here/reports/growth.md}
# shellcheck source=scripts/program.sh
source "$here/scripts/program.sh"
python3 "$here/scripts/growth.py" "$@" >"$report.new"
mv "$report.new" "$report"
