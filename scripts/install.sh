#!/usr/bin/env bash
# Installs the program, its manual pages and the shell completions.
#
#   scripts/install.sh [PREFIX]        PREFIX is ~/.local by default
#
# The program is compiled with the profile `dist`, or with $PROFILE. It is installed in PREFIX/bin, manual pages in
# PREFIX/share/man/man1, and completions in the folders below PREFIX/share where bash, zsh and fish look for them.
set -euo pipefail
prefix=${1:-$HOME/.local}
here=$(cd "$(dirname "$0")/.." && pwd)
profile=${PROFILE:-dist}
cargo build --profile "$profile" --locked --manifest-path "$here/Cargo.toml" --bin sudoku-corpus
program=${CARGO_TARGET_DIR:-$here/target}/$profile/sudoku-corpus
share=$prefix/share
install -D -m 755 "$program" "$prefix/bin/sudoku-corpus"
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$program" man --force --out "$share/man/man1"
"$program" completions bash >"$share/bash-completion/completions/sudoku-corpus"
"$program" completions zsh >"$share/zsh/site-functions/_sudoku-corpus"
"$program" completions fish >"$share/fish/vendor_completions.d/sudoku-corpus.fish"
echo "installed $prefix/bin/sudoku-corpus, manual pages and completions in $share"
