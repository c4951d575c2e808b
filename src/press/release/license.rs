//! Defines the license of a data set: one of the SPDX list, by its identifier, or any other with its text in a file.

use std::path::{Path, PathBuf};

use sudoku_corpus_core::names::nearest;

/// The license of a data set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct License {
    /// Its identifier in the SPDX list, or any other name.
    pub name: String,
    /// Its identifier in the header of a card, in small letters; `other` for any other name.
    pub hub: String,
    /// The file with the text, if one was given. A license that is not in the SPDX list has one.
    pub file: Option<PathBuf>,
}

/// Identifiers of the SPDX list for data, texts and programs. After `=` stands the name in the header of a card, where
/// it is not the identifier in small letters. The complete list has 700 names, and few are for data. So licenses that
/// are not here come with their text.
const KNOWN: &str = "0BSD AFL-3.0 AGPL-3.0-only=agpl-3.0 Apache-2.0 Artistic-2.0 BSD-2-Clause BSD-3-Clause BSL-1.0 C-UDA-1.0=c-uda \
    CC-BY-2.0 CC-BY-2.5 CC-BY-3.0 CC-BY-4.0 CC-BY-NC-2.0 CC-BY-NC-3.0 CC-BY-NC-4.0 CC-BY-NC-ND-3.0 CC-BY-NC-ND-4.0 CC-BY-NC-SA-2.0 \
    CC-BY-NC-SA-3.0 CC-BY-NC-SA-4.0 CC-BY-ND-4.0 CC-BY-SA-3.0 CC-BY-SA-4.0 CC0-1.0 CDLA-Permissive-1.0 CDLA-Permissive-2.0 \
    CDLA-Sharing-1.0 ECL-2.0 EUPL-1.1 EUPL-1.2 GFDL-1.3-only=gfdl GPL-2.0-only=gpl-2.0 GPL-3.0-only=gpl-3.0 ISC LGPL-3.0-only=lgpl-3.0 \
    MIT MPL-2.0 ODbL-1.0=odbl ODC-By-1.0=odc-by PDDL-1.0=pddl Unlicense WTFPL Zlib";

impl License {
    /// The license with a name: an identifier of [`KNOWN`], or its name in the header of a card, in upper or lower
    /// case. With a file, any name of letters, digits, dots and dashes will do. An error is a sentence for people.
    pub(crate) fn new(name: &str, file: Option<&Path>) -> Result<License, String> {
        for item in KNOWN.split_whitespace() {
            let (spdx, hub) = match item.split_once('=') {
                Some((spdx, hub)) => (spdx, hub.to_owned()),
                None => (item, item.to_ascii_lowercase()),
            };
            if spdx.eq_ignore_ascii_case(name) || hub.eq_ignore_ascii_case(name) {
                return Ok(License { name: spdx.to_owned(), hub, file: file.map(Path::to_owned) });
            }
        }
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.');
        match file {
            Some(file) if is_plain && !name.is_empty() => {
                Ok(License { name: name.to_owned(), hub: "other".to_owned(), file: Some(file.to_owned()) })
            }
            Some(_) => Err(format!("'{name}': the name of a license has letters, digits, dots and dashes")),
            None => {
                let usual = ["CC-BY-4.0", "CC0-1.0", "MIT", "ODbL-1.0"];
                let known = KNOWN.split_whitespace().filter_map(|item| item.split('=').next());
                let (plain, mut all) = (name.replace([' ', '_'], "-").to_lowercase(), usual.into_iter().chain(known));
                let first = all.clone().find(|one| !plain.is_empty() && one.to_lowercase().starts_with(&plain));
                let near = first.or_else(|| nearest(&plain, &mut all));
                let known = format!("known are {};", usual.join(", "));
                let meant = near.map_or(known, |near| format!("did you mean {near}?"));
                Err(format!("no SPDX license '{name}'; {meant} another one needs --license-file with its text"))
            }
        }
    }

    /// The address of its text, or the file in the release.
    pub(crate) fn link(&self) -> String {
        match self.file {
            Some(_) => "LICENSE".to_owned(),
            None => format!("https://spdx.org/licenses/{}.html", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_of_spdx_or_have_a_file() {
        let of = |name: &str| {
            License::new(name, None).map(|license| (license.name.clone(), license.hub.clone(), license.link()))
        };
        let cc0 = "https://spdx.org/licenses/CC0-1.0.html".to_owned();
        assert_eq!(of("cc0-1.0"), Ok(("CC0-1.0".to_owned(), "cc0-1.0".to_owned(), cc0)));
        assert_eq!(of("ODbL-1.0").map(|(_, hub, _)| hub), Ok("odbl".to_owned()));
        assert_eq!(of("odbl").map(|(name, ..)| name), Ok("ODbL-1.0".to_owned()));
        // The text of a variable that is not set gives nothing away.
        assert!(["cc0", "", " "].iter().all(|name| of(name).is_err_and(|error| error.contains("--license-file"))));
        assert!(License::new("", Some(Path::new("terms.txt"))).is_err());
        let own = License::new("House-1", Some(Path::new("terms.txt"))).unwrap();
        assert_eq!((own.hub.as_str(), own.link().as_str()), ("other", "LICENSE"));
        assert!(License::new("a b", Some(Path::new("terms.txt"))).is_err());
    }
}
