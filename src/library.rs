//! The recipes and pictures that come with the program. `recipe:nightly` and `picture:heart` name them wherever a recipe
//! or a picture is read.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use crate::corpus::read_small;
use crate::names::nearest;

/// A file of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// The name in a command: `recipe:nightly`.
    pub name: &'static str,
    pub text: &'static str,
}

/// A table of files of a folder, each under the name of its kind and its own.
macro_rules! files {
    ($kind:literal, $folder:literal, $end:literal: $($name:literal)+) => {
        &[$(Item {
            name: concat!($kind, ":", $name),
            text: include_str!(concat!("../data/", $folder, "/", $name, ".", $end)),
        }),+]
    };
}

/// The recipes, those first that people begin with.
pub(crate) const RECIPES: &[Item] = files!(
    "recipe", "recipes", "toml":
    "book" "newspaper" "week" "nightly" "variants" "practice" "benchmark" "unbiased" "controlled-bias" "sample" "sixteen"
    "twenty-five" "twenty-five-minimal" "thirty-six"
);

/// The pictures for puzzles without digits.
pub(crate) const PICTURES: &[Item] =
    files!("picture", "pictures", "svg": "sun" "moon" "star" "heart" "flower" "tree" "fish" "boat" "house");

impl Item {
    /// What a recipe makes: the first paragraph of its comment, up to its commands.
    pub(crate) fn about(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix("# "));
        comment.take_while(|line| !line.starts_with(' ')).collect::<Vec<_>>().join(" ")
    }
}

/// What a path names: a file of the program, or one of the user.
pub(crate) fn read(path: &Path) -> io::Result<Cow<'static, [u8]>> {
    let name = path.to_str().filter(|name| is_ours(name));
    let Some(name) = name else { return read_small(path).map(Cow::Owned) };
    let item = RECIPES.iter().chain(PICTURES).find(|item| item.name == name);
    let Some(item) = item else {
        let (kind, word) = name.split_once(':').unwrap_or_default();
        let words = RECIPES.iter().chain(PICTURES).filter_map(|item| item.name.strip_prefix(kind)?.strip_prefix(':'));
        let near = nearest(word, words).map_or(";".to_owned(), |near| format!("; did you mean {kind}:{near}?"));
        let reason = format!("the program has no such {kind}{near} `list {kind}s` has the names");
        return Err(io::Error::new(io::ErrorKind::NotFound, reason));
    };
    Ok(Cow::Borrowed(item.text.as_bytes()))
}

/// True for a name that can only be one of the program.
pub(crate) fn is_ours(name: &str) -> bool {
    ["recipe:", "picture:"].iter().any(|kind| name.starts_with(kind))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_file_of_the_folders_has_a_name_and_says_what_it_is() {
        for (folder, items) in [("data/recipes", RECIPES), ("data/pictures", PICTURES)] {
            let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|path| path.join(folder));
            let files = fs::read_dir(above.find(|path| path.exists()).unwrap()).unwrap();
            assert_eq!(files.count(), items.len(), "{folder}");
        }
        assert!(RECIPES.iter().all(|recipe| recipe.about().len() > 20), "a recipe begins with a comment");
        assert!(read(Path::new("recipe:book")).is_ok() && read(Path::new("picture:nothing")).is_err());
    }
}
