//! The nearest known name to a misspelt one.

/// The name with the fewest edits (insert, drop, change, swap neighbours) from `wanted`; the first of several.
pub fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    names.into_iter().min_by_key(|name| strsim::osa_distance(wanted, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_the_one_with_the_fewest_edits() {
        assert_eq!(nearest("xwing", ["xy_wing", "x_wing", "w_wing"]), Some("x_wing"));
        assert_eq!(nearest("x", []), None);
    }
}
