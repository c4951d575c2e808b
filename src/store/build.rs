//! Finds the list of exact dependency versions: `Cargo.lock` of the workspace, or of the packaged crate itself.

use std::env;
use std::path::PathBuf;

fn main() {
    // Asked when this program runs: a folder that was moved after it was compiled has another name.
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo says where the package is"));
    let lists = package.ancestors().map(|folder| folder.join("Cargo.lock"));
    let lock = lists.into_iter().find(|lock| lock.exists()).expect("a package has a Cargo.lock");
    println!("cargo::rustc-env=SUDOKU_CORPUS_LOCK={}", lock.display());
    println!("cargo::rerun-if-changed={}", lock.display());
}
