//! Finds the list of exact dependency versions: `Cargo.lock` of the workspace, or of the packaged crate itself.

use std::path::Path;

fn main() {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("Cargo.lock"));
    let lock = found.into_iter().find(|lock| lock.exists()).expect("a package has a Cargo.lock");
    println!("cargo::rustc-env=SUDOKU_CORPUS_LOCK={}", lock.display());
    println!("cargo::rerun-if-changed={}", lock.display());
}
