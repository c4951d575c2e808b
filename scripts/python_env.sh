# Scripts that need Python packages source this file. It sets `python` to an interpreter with the packages of
# tests/distributed/requirements.txt (or of the list named by PACKAGES). If they cannot be installed, it prints a
# message and sets `python` to python3. There is one virtual environment for each list of packages. It also sets
# `SUDOKU_CORPUS`, as program.sh does.
# shellcheck shell=bash
list=${PACKAGES:-${here:?the root of the project}/tests/distributed/requirements.txt}
# shellcheck source=scripts/program.sh
source "$here/scripts/program.sh"
python=python3
environment=${XDG_CACHE_HOME:-$HOME/.cache}/sudoku-corpus/python-$(sha256sum "$list" | cut -c1-16)
if [[ ! -e $environment/complete ]] && command -v python3 >/dev/null; then
    echo "installing Python packages into $environment" >&2
    if python3 -m venv --clear "$environment" &&
        "$environment/bin/pip" install --quiet --disable-pip-version-check --requirement "$list"; then
        touch "$environment/complete"
    else
        echo "SKIPPED: everything that needs Python packages, because they cannot be installed" >&2
        [[ -z ${REQUIRE_TOOLS:-} ]] || exit 1
    fi
fi
if [[ -e $environment/complete ]]; then
    # shellcheck disable=SC2034
    python=$environment/bin/python
fi
