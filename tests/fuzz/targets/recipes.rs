//! Any text is a recipe or an error; a recipe's canonical form reads back as the same recipe.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudoku_corpus::corpus::{Draft, Recipe};

fuzz_target!(|text: &str| {
    // Bases are read from a file that the text would name.
    if text.contains("bases") || text.contains("base-shuffle") {
        return;
    }
    if let Ok(recipe) = Draft::parse(text).and_then(|draft| Recipe::new(&draft)) {
        let canonical = recipe.canonical();
        let again = Draft::parse(&canonical).and_then(|draft| Recipe::new(&draft)).expect("canonical recipes are read");
        assert_eq!(again.canonical(), canonical);
    }
});
