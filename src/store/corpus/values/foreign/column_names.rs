//! Names of columns. SQL does not tell `ER` from `er`, so two names that differ only in case are the same name,
//! everywhere: a file with both could not be asked about.

use std::collections::{HashMap, HashSet};

/// True if two names mean the same column.
pub(crate) fn is_same_column(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// The first name that stands there a second time.
pub(crate) fn first_repeated<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut seen = HashSet::new();
    names.into_iter().find(|name| !seen.insert(name.to_ascii_lowercase()))
}

/// Names of which no two are the same: another column of a name gets a number at its end, the first of them `first`.
#[derive(Debug)]
pub(crate) struct FreeNames {
    first: u64,
    taken: HashSet<String>,
    /// The number that is tried first for another column of a name: thousands may have the same.
    next: HashMap<String, u64>,
}

impl FreeNames {
    /// All names are free.
    pub(crate) fn numbered_from(first: u64) -> FreeNames {
        FreeNames { first, taken: HashSet::new(), next: HashMap::new() }
    }

    /// The name, or one with a number if it is taken. It is taken then.
    pub(crate) fn take(&mut self, name: &str) -> String {
        let number = self.next.entry(name.to_ascii_lowercase()).or_insert(self.first);
        let mut free = name.to_owned();
        while !self.taken.insert(free.to_ascii_lowercase()) {
            free = format!("{name}_{number}");
            *number += 1;
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_only_in_case_are_the_same() {
        assert!(is_same_column("Level", "level") && !is_same_column("level", "levels"));
        assert_eq!(first_repeated(["id", "x", "ID", "x"]), Some("ID"));
        assert_eq!(first_repeated(["id", "x"]), None);
        let mut names = FreeNames::numbered_from(2);
        assert_eq!(["ID", "id_2", "id", "Id"].map(|name| names.take(name)), ["ID", "id_2", "id_3", "Id_4"]);
    }
}
