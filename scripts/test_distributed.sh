#!/usr/bin/env bash
# Tests production and queries on several machines: Ray, an object store, Slurm, Kubernetes, DuckDB, Spark.
#
#   scripts/test_distributed.sh [TEST ...]        such as test_ray or test_queries.QueryTest
#
# Python packages go into a virtual environment under ~/.cache. Tests whose packages cannot be installed are skipped
# with a message. SUDOKU_CORPUS names a program to test. If it is not set, the program is built.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null; then
    echo "SKIPPED: tests with several machines: no python3" >&2
    exit "${REQUIRE_TOOLS:-0}"
fi
# shellcheck source=scripts/python_env.sh
source "$here/scripts/python_env.sh"
cd "$here/tests/distributed"
if (($# > 0)); then
    exec "$python" -m unittest --verbose "$@"
fi
exec "$python" -m unittest discover --verbose
