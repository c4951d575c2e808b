//! The layout of the parts in the folder of a corpus.
//!
//! ```text
//!   flat   part-000000.parquet
//!   hive   shape=3x3/method=uniform/seed=7/block=0/part-000000.parquet
//! ```
//!
//! In the hive layout, the path gives values that all rows below it share. Query engines (polars, DuckDB, Spark, Hive)
//! read them as columns, and skip folders that a query does not need. A part is the unit of work, so a key must have
//! one value for a part. The values are percent-encoded: `method=permutation%3Ablocks`.
//!
//! * `shape`, `method`: corpora are compared by these. Not `plan`: quotas may have plans of their own.
//! * `seed`: together with `index` it identifies a row if several corpora are read as one table. Rows do not hold it.
//! * `block`: [`BLOCK`] parts each. Without quotas a block is a fair sample of the corpus, and `WHERE block = 0`
//!   answers in a fraction of the time. Blocks also keep folders short enough to be listed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::corpus::files::names::{BASES_FILE, MANIFEST_FILE, RECIPE_FILE, STOCK_FILE};
use crate::corpus::values::error::{CorpusError, Result};
use sudoku_corpus_core::names;

/// Parts of a block in the hive layout.
pub const BLOCK: u64 = 1_000;

/// The deepest level of folders in which parts are searched. No layout is deeper.
const DEEPEST: usize = 8;

names! { "layout":
    /// The layout of a corpus.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum FolderLayout {
        /// All in the folder of the corpus.
        #[default]
        Flat = "flat",
        /// In folders whose names are keys and values.
        Hive = "hive",
    }
}

/// A folder name: `key=value`. In the value, everything except letters, digits, `.`, `_` and `-` is written as `%XX`.
pub(crate) fn key(name: &str, value: &str) -> String {
    let mut text = format!("{name}=");
    for byte in value.bytes() {
        match byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
            true => text.push(char::from(byte)),
            false => text += &format!("%{byte:02X}"),
        }
    }
    text
}

/// The keys of the hive layout, from the top.
const KEYS: [&str; 4] = ["shape", "method", "seed", "block"];

/// The keys of the hive layout in the folders of a path, and their values, from the top. A corpus may lie below a
/// folder `a=b` of the user.
fn pairs_of(path: &Path) -> impl Iterator<Item = (&str, &str)> {
    let folders = path.parent().into_iter().flat_map(Path::components);
    folders.filter_map(|folder| folder.as_os_str().to_str()?.split_once('=')).filter(|(name, _)| KEYS.contains(name))
}

/// The keys of the hive layout in the folders of a path, from the top.
pub fn keys_of(path: &Path) -> Vec<&str> {
    pairs_of(path).map(|(name, _)| name).collect()
}

/// The value of the key with a number in the folders of a path, without its percent-encoding.
pub fn value_of_key(path: &Path, key: usize) -> Option<String> {
    let (_, text) = pairs_of(path).nth(key)?;
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| byte == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let decoded = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(decoded.unwrap_or(byte));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The first name in a path below the folder of a corpus that the corpus or its night uses itself.
pub fn name_of_corpus(path: &Path) -> Option<String> {
    let names = path.components().map(|piece| piece.as_os_str().to_string_lossy().into_owned());
    names.filter(|name| name != ".").find(|name| {
        let lower = name.to_ascii_lowercase();
        let taken = [RECIPE_FILE, MANIFEST_FILE, BASES_FILE, STOCK_FILE, "night.toml", "night.log"];
        let kinds = ["part-", "steps-", "."];
        taken.contains(&lower.as_str()) || kinds.iter().any(|kind| lower.starts_with(kind)) || name.contains('=')
    })
}

/// Every file in a folder and in folders named `key=value` below it, sorted by file name.
pub fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    gather(folder, DEEPEST, &mut files)?;
    files.sort_unstable_by(|a, b| (a.file_name(), a).cmp(&(b.file_name(), b)));
    Ok(files)
}

fn gather(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(CorpusError::io("read the folder", folder))? {
        let entry = entry.map_err(CorpusError::io("read the folder", folder))?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder {
            files.push(entry.path());
        } else if depth > 0 && entry.file_name().to_str().is_some_and(|name| name.contains('=')) {
            gather(&entry.path(), depth - 1, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Recipe, Value, tests};

    fn recipe(text: &str) -> Recipe {
        tests::recipe(text).unwrap()
    }

    #[test]
    fn paths_are_those_of_the_layout() {
        let flat = recipe("");
        assert_eq!(flat.part_path(12), Path::new("part-000012.parquet"));
        assert!(!flat.canonical().contains("layout"), "the recipe of a flat corpus is what it always was");
        let hive = recipe("seed = 7\nlayout = \"hive\"\nformat = \"csv.zst\"\n[grid]\nmethod = \"permutation:blocks\"");
        let path = "shape=3x3/method=permutation%3Ablocks/seed=7/block=2/part-002345.csv.zst";
        assert_eq!(hive.part_path(2_345), Path::new(path));
        assert_eq!(keys_of(Path::new(path)), KEYS);
        assert_eq!(keys_of(&Path::new("a=b/c").join(path)), KEYS);
        assert!(keys_of(Path::new("a=b/c/part-000000.parquet")).is_empty());
        let folder = tempfile::tempdir().unwrap();
        let below = |parts| hive.part_folders(folder.path(), &parts).unwrap();
        assert!(below(0..u64::MAX).is_empty());
        for block in ["block=0", "block=1", "block=x"] {
            fs::create_dir_all(folder.path().join(path).parent().unwrap().with_file_name(block)).unwrap();
        }
        assert_eq!(below(999..1001).len(), 2);
        assert_eq!(below(1000..1001), [Path::new(path).parent().unwrap().with_file_name("block=1")]);
        assert_eq!(below(0..u64::MAX).len(), 2);
        assert_eq!(recipe(&hive.canonical()).part_path(2_345), hive.part_path(2_345));
        let below = Path::new("year=2026").join(hive.part_path(2_345));
        assert_eq!(keys_of(&below), KEYS);
        assert_eq!((0..4).rev().find_map(|key| value_of_key(&below, key)).as_deref(), Some("2"));
    }

    /// If a key differed from its column, the same query would have different answers.
    #[test]
    fn keys_of_the_path_agree_with_every_row() {
        for text in
            ["", "[grid]\nmethod = \"permutation:blocks\"", "[grid]\nshape = \"2x3\"\nmethod = \"jump-back:2,3\""]
        {
            let recipe = recipe(&format!("layout = \"hive\"\ncount = 3\n{text}"));
            for index in 0..3 {
                let row = recipe.make(index).unwrap();
                for column in ["shape", "method"] {
                    let value = crate::corpus::COLUMNS.iter().find(|known| known.name == column).unwrap().get(&row);
                    let Value::Text(value) = value else { panic!("{column} is no text") };
                    assert!(recipe.part_path(0).iter().any(|folder| *folder == *key(column, &value)), "{column}");
                }
            }
        }
    }

    #[test]
    fn files_are_found_in_every_layout_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, b"").unwrap();
            path
        };
        let last = put("block=10/part-010000.parquet");
        let first = put("part-000000.parquet");
        let middle = put("block=2/part-002000.parquet");
        put("other/part-000001.parquet");
        assert_eq!(files_in(folder.path()).unwrap(), [first, middle, last]);
    }
}
