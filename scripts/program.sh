# Scripts that run the program source this file. It sets `SUDOKU_CORPUS` to the program, which is built unless the
# variable already names one.
# shellcheck shell=bash
if [[ -z ${SUDOKU_CORPUS:-} ]]; then
    cargo build --release --locked --quiet --manifest-path "${here:?the root of the project}/Cargo.toml" >&2
    SUDOKU_CORPUS=${CARGO_TARGET_DIR:-$here/target}/release/sudoku-corpus
fi
export SUDOKU_CORPUS
