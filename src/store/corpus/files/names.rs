//! The names that the files of a corpus have in its folder.

/// The recipe in its canonical text.
pub const RECIPE_FILE: &str = "recipe.toml";

/// The list of the parts.
pub const MANIFEST_FILE: &str = "manifest.jsonl";

/// The boards that a method starts from.
pub(crate) const BASES_FILE: &str = "bases.txt";

/// The finds of the search for a stock.
pub const STOCK_FILE: &str = "stock.jsonl";
