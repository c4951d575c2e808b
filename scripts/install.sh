#!/usr/bin/env bash
# Installs the program, its manual pages, the shell completions and recipes to start from.
#
#   scripts/install.sh [PREFIX]        PREFIX is ~/.local by default
#
# The program is compiled with the profile `dist`, or with $PROFILE. It is installed in PREFIX/bin, manual pages in
# PREFIX/share/man/man1, recipes in PREFIX/share/doc/sudoku-corpus/recipes, and completions in the folders below
# PREFIX/share where bash, zsh and fish look for them.
set -euo pipefail
prefix=${1:-$HOME/.local}
here=$(cd "$(dirname "$0")/.." && pwd)
profile=${PROFILE:-dist}
cargo build --profile "$profile" --locked --manifest-path "$here/Cargo.toml" --bin sudoku-corpus
program=${CARGO_TARGET_DIR:-$here/target}/$profile/sudoku-corpus
share=$prefix/share
install -D -m 755 "$program" "$prefix/bin/sudoku-corpus"
mkdir -p "$share/man/man1" "$share/doc/sudoku-corpus" "$share/bash-completion/completions" "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
"$program" man --out "$share/man/man1"
"$program" completions bash >"$share/bash-completion/completions/sudoku-corpus"
"$program" completions zsh >"$share/zsh/site-functions/_sudoku-corpus"
"$program" completions fish >"$share/fish/vendor_completions.d/sudoku-corpus.fish"
cp -R "$here/data/recipes" "$share/doc/sudoku-corpus/"
echo "installed $prefix/bin/sudoku-corpus, manual pages, completions and recipes in $share"
