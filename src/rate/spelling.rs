//! The nearest known name to a misspelt one.

/// The name with the fewest edits (insert, drop, change, swap neighbours) from `wanted`; the first of several.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names.into_iter().min_by_key(|name| edits(wanted, name))
}

/// Number of edits between two words, neighbours swapped counting as one (optimal string alignment).
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut older = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(older[j - 2] + 1);
            }
        }
        older = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_count_as_known() {
        for (a, b, expected) in [("", "abc", 3), ("kitten", "sitting", 3), ("hrad", "hard", 1), ("same", "same", 0)] {
            assert_eq!(edits(a, b), expected, "{a} {b}");
        }
        assert_eq!(nearest("xwing", ["xy_wing", "x_wing", "w_wing"]), Some("x_wing"));
        assert_eq!(nearest("x", []), None);
    }
}
