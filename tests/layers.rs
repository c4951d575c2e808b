//! Checks the layers of the architecture: a module imports only from layers below its own, and modules of one layer do
//! not import each other. `cli -> nights -> publish, study -> corpus -> coverage -> rate, dig, generate -> catalogue ->
//! solve -> board -> random, page`.

use std::fs;
use std::path::{Path, PathBuf};

const LAYERS: [&[&str]; 10] = [
    &["random", "page", "guide"],
    &["board"],
    &["solve"],
    &["catalogue"],
    &["generate", "dig", "rate"],
    &["coverage"],
    &["corpus"],
    &["study", "publish"],
    &["nights"],
    &["cli"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The top-level modules of this crate that a text imports, including its tests: `crate::name::...`.
fn imported(text: &str) -> impl Iterator<Item = &str> {
    text.split("crate::").skip(1).filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
}

#[test]
fn modules_import_only_from_layers_below() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&source, &mut files);
    let mut arrows = 0;
    for file in files {
        let relative = file.strip_prefix(&source).unwrap();
        let module = relative.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        let Some(own) = layer(&module) else {
            assert!(["lib", "main"].contains(&module.as_str()), "{module} has no layer");
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        for target in imported(&text).filter(|target| *target != module) {
            let below = layer(target).unwrap_or_else(|| panic!("{}: crate::{target} has no layer", relative.display()));
            assert!(below < own, "{}: {module} must not import {target}", relative.display());
            arrows += 1;
        }
    }
    assert!(arrows > 0, "no import found at all");
}
