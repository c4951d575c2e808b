#!/bin/sh
# The compiler as cargo calls it (RUSTC_WRAPPER): this project's own code is instrumented for libFuzzer, and dependencies are
# compiled as usual, so that the usual build shares them.
rustc=$1
shift
case " $* " in
*" --crate-name sudoku_corpus "* | *" --crate-name sudoku_corpus_fuzz "*)
    exec "$rustc" "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares
    ;;
esac
exec "$rustc" "$@"
