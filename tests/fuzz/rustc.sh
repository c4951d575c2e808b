#!/bin/sh
# cargo calls the compiler through this script (RUSTC_WRAPPER). It instruments the code of this project for libFuzzer.
# It compiles dependencies without changes, so that they are shared with the normal build.
rustc=$1
shift
case " $* " in
*" --crate-name sudoku_corpus"*)
    exec "$rustc" "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares
    ;;
esac
exec "$rustc" "$@"
