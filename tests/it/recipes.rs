//! The canonical text of recipes, byte for byte: it identifies every corpus that was ever made.

use std::fs;

use crate::common::{program, stdout, succeed};

/// Recipes, options that override them, and what version 0.2.0 made of them. Since 0.3.0 `weight` is false where the grids
/// are no fair sample, and for minimal puzzles without any rating. All methods, plans, symmetries, levels, ratings,
/// quotas, outputs and options.
const RECIPES: &str = include_str!("../fixtures/recipes.txt");

const BASES: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n\
    ..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9\n";

const LEVELS: &str =
    "[[level]]\nkey = \"hard\"\ner = \"3.0..4.5\"\n[[level]]\nkey = \"gentle\"\nhodoku_level = \"easy\"\n";

#[test]
fn canonical_texts_stay() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("bases.txt", BASES);
    write("levels.toml", LEVELS);
    ["y", "z"].iter().for_each(|name| write(name, BASES));
    for (number, case) in RECIPES.split("%%\n").enumerate() {
        let (options, case) = case.strip_prefix("options:").unwrap().split_once('\n').unwrap();
        let (recipe, expected) = case.split_once("\n=>\n").unwrap();
        write("recipe.toml", recipe);
        let printed =
            stdout(&succeed(&mut program(folder.path(), &format!("run recipe.toml --dry-run {options}")), ""));
        let printed = printed.replace(folder.path().to_str().unwrap(), "FOLDER");
        // The fingerprint contains the version of the format, which may rise while recipes stay.
        let lines: Vec<&str> = printed.lines().filter(|line| !line.starts_with("# fingerprint ")).collect();
        assert_eq!(lines, expected.lines().collect::<Vec<_>>(), "case {number}: {options}\n{recipe}");
        // The text is a recipe too, and the same one.
        let (canonical, _) = expected.split_once("\n# ").unwrap();
        write("again.toml", canonical);
        let again = stdout(&succeed(&mut program(folder.path(), "run again.toml --dry-run"), ""));
        assert!(again.starts_with(canonical), "case {number}, read again: {again}");
    }
    assert!(RECIPES.matches("\n%%\n").count() > 200);
}
