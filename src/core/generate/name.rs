//! Methods by name: "row-major", "permutation:blocks", "jump-back:6,16".

use std::sync::Arc;

use super::{Bases, Jumps, METHODS, Method, MethodInfo, Strength};
use crate::board::Reason;
use crate::names::UnknownName;

crate::names! { "method":
    /// Which method, without its options.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum MethodName {
        /// `permutation`
        Permutation = "permutation",
        /// `row-major`
        RowMajor = "row-major",
        /// `jump-back`
        JumpBack = "jump-back",
        /// `digit-by-box`
        DigitByBox = "digit-by-box",
        /// `seeded-cross`
        SeededCross = "seeded-cross",
        /// `fewest-candidates`
        FewestCandidates = "fewest-candidates",
        /// `uniform`
        Uniform = "uniform",
        /// `base-shuffle`
        BaseShuffle = "base-shuffle",
        /// `uniform-classes`
        UniformClasses = "uniform-classes",
    }
}

impl MethodName {
    /// The row of [`METHODS`].
    pub fn info(self) -> &'static MethodInfo {
        &METHODS[self as usize]
    }

    /// True if it reaches every grid, each with a probability that can be computed. Only then have its grids, and the
    /// puzzles dug out of them, weights in means over all grids.
    pub fn can_be_weighed(self) -> bool {
        !matches!(self, MethodName::Permutation | MethodName::JumpBack | MethodName::BaseShuffle)
    }
}

impl Method {
    /// A method from its name and, after a colon, its option: "permutation", "permutation:blocks", "jump-back:6,16".
    /// `bases` are for `base-shuffle`; other methods ignore them.
    ///
    /// # Errors
    /// With the nearest name, or with the options that the method has.
    pub fn from_name(text: &str, bases: Option<Arc<Bases>>) -> Result<Method, Reason> {
        let (name, option) = text.split_once(':').map_or((text, None), |(name, option)| (name, Some(option.trim())));
        let name: MethodName = name.parse().map_err(|error: UnknownName| Reason(error.to_string()))?;
        let wrong = || {
            let options = match name {
                MethodName::Permutation => "; it takes :lines, :blocks or :transpose",
                MethodName::JumpBack => "; it takes a short and a long jump in cells, such as :7,16",
                _ => "; it takes none",
            };
            Reason(format!("method '{name}' has no option '{}'{options}", option.unwrap_or_default()))
        };
        let no_bases = || Reason("method 'base-shuffle' needs a file of base puzzles or grids".to_owned());
        match (name, option) {
            (MethodName::Permutation, None) => Ok(Method::Permutation(Strength::default())),
            (MethodName::Permutation, Some(text)) => text.parse().map(Method::Permutation).map_err(|_| wrong()),
            (MethodName::JumpBack, None) => Ok(Method::JumpBack(Jumps::default())),
            (MethodName::JumpBack, Some(text)) => jumps(text).map(Method::JumpBack).ok_or_else(wrong),
            (_, Some(_)) => Err(wrong()),
            (MethodName::UniformClasses, None) => Ok(Method::UniformClasses),
            (MethodName::BaseShuffle, None) => bases.map(Method::BaseShuffle).ok_or_else(no_bases),
            (_, None) => {
                let mut others = Method::searching_and_uniform().into_iter();
                Ok(others.find(|method| method.name() == name).unwrap_or(Method::Uniform))
            }
        }
    }
}

/// Reads "7,16", "7" or ",16". A jump that is left out has the author's value; at least one must be given.
fn jumps(text: &str) -> Option<Jumps> {
    let (short, long) = text.split_once(',').unwrap_or((text, ""));
    let jump = |text: &str| match text.trim() {
        "" => Some(None),
        cells => cells.parse().ok().map(Some),
    };
    let jumps = Jumps { short: jump(short)?, long: jump(long)? };
    (jumps != Jumps::default()).then_some(jumps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_names() {
        let told = "one fixed grid/cell by cell/n-2 cells/digit by digit/first row and/fewest candidates/number of all/bases/rank";
        for (name, text) in MethodName::ALL.into_iter().zip(told.split('/')) {
            let info = name.info();
            assert!(info.idea.contains(text) && ![info.origin, info.bias, info.shapes].contains(&""), "{name}");
        }
    }

    #[test]
    fn names_with_options_survive_a_round_trip() {
        let texts = "permutation permutation:blocks permutation:transpose row-major jump-back jump-back:6,16 jump-back:8 \
                     jump-back:,30 digit-by-box seeded-cross fewest-candidates uniform uniform-classes";
        for text in texts.split(' ') {
            assert_eq!(Method::from_name(text, None).unwrap().to_string(), text);
        }
        assert_eq!(Method::from_name("permutation:lines", None).unwrap().to_string(), "permutation");
        assert_eq!(Method::from_name(" jump-back: 6 , 16 ", None).unwrap().to_string(), "jump-back:6,16");
    }

    #[test]
    fn wrong_names_and_options_are_explained() {
        let message = |text: &str| Method::from_name(text, None).unwrap_err().to_string();
        let known = "permutation, row-major, jump-back, digit-by-box, seeded-cross, fewest-candidates, uniform, \
                     base-shuffle, uniform-classes";
        assert_eq!(message("rowmajor"), format!("unknown method 'rowmajor'; did you mean 'row-major'? Known: {known}"));
        assert_eq!(message("magic"), format!("unknown method 'magic'; known: {known}"));
        assert_eq!(message("row-major:fast"), "method 'row-major' has no option 'fast'; it takes none");
        assert_eq!(
            message("permutation:"),
            "method 'permutation' has no option ''; it takes :lines, :blocks or :transpose"
        );
        for text in
            ["jump-back:0,16", "jump-back:", "jump-back:,", "jump-back:7,16,3", "jump-back:-1", "jump-back:99999"]
        {
            assert!(message(text).ends_with("it takes a short and a long jump in cells, such as :7,16"), "{text}");
        }
        assert_eq!(message("base-shuffle"), "method 'base-shuffle' needs a file of base puzzles or grids");
    }
}
