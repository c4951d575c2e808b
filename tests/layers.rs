//! Checks the layers of the architecture within the crates: a module imports only from layers below its own, and modules
//! of one layer do not import each other. The compiler keeps the order of the crates.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the crates, and their layers from the lowest to the highest.
const CRATES: [(&str, &[&[&str]]); 4] = [
    (
        "src/core",
        &[
            &["random", "page", "names"],
            &["board"],
            &["solve"],
            &["catalogue"],
            &["generate", "dig", "rate"],
            &["coverage"],
        ],
    ),
    ("src/store", &[&["corpus"], &["study"]]),
    ("src/press", &[&["publish"]]),
    (
        "src",
        &[
            &[
                "guide",
                "board",
                "catalogue",
                "corpus",
                "coverage",
                "dig",
                "generate",
                "names",
                "page",
                "publish",
                "random",
                "rate",
                "solve",
                "study",
            ],
            &["nights"],
            &["cli"],
        ],
    ),
];

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

/// The top-level modules of the same crate that a text imports, including its tests: `crate::name::...`. A macro
/// (`crate::name!`) stands at the root of its crate, whatever module defines it.
fn imported(text: &str) -> impl Iterator<Item = &str> {
    text.split("crate::").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        (!rest[end..].starts_with('!')).then_some(&rest[..end])
    })
}

#[test]
fn modules_import_only_from_layers_below() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (folder, layers) in CRATES {
        let layer = |module: &str| layers.iter().position(|modules| modules.contains(&module));
        let mut files = Vec::new();
        rust_files(&top.join(folder), &mut files);
        let mut modules = 0;
        for file in files {
            let relative = file.strip_prefix(top.join(folder)).unwrap();
            let module = relative.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
            if ["lib", "main"].contains(&module.as_str())
                || folder == "src" && ["core", "store", "press"].contains(&module.as_str())
            {
                continue;
            }
            let own = layer(&module).unwrap_or_else(|| panic!("{folder}/{module} has no layer"));
            modules += 1;
            let text = fs::read_to_string(&file).unwrap();
            for target in imported(&text).filter(|target| *target != module) {
                let below = layer(target).unwrap_or_else(|| panic!("{}: crate::{target} has no layer", file.display()));
                assert!(below < own, "{}: {module} must not import {target}", file.display());
            }
        }
        assert!(modules > 10, "{folder}: only {modules} files found");
    }
}
