//! The guide: one page per topic. `cargo doc` shows the pages as modules; `sudoku-corpus guide TOPIC` prints them.
//!
//! To add a page: write `src/guide/<topic>.md`, and add a line to the table below.

/// One page of the guide.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// The word that follows `sudoku-corpus guide`.
    pub name: &'static str,
    /// What the page is about, in one line.
    pub summary: &'static str,
    /// The page as Markdown.
    pub text: &'static str,
}

/// Makes a module of each page, for `cargo doc`, and the table of them.
macro_rules! pages {
    ($($name:ident: $summary:literal,)+) => {
        $(
            #[doc = include_str!(concat!(stringify!($name), ".md"))]
            pub mod $name {}
        )+

        /// Every page, in reading order.
        pub const TOPICS: &[Topic] = &[$(Topic {
            name: stringify!($name),
            summary: $summary,
            text: include_str!(concat!(stringify!($name), ".md")),
        }),+];
    };
}

pages! {
    tasks: "begin here: from nothing to a printed book, to a chart, to a data set",
    inputs: "which files of puzzles are read: forms, signs, columns, what is refused and why",
    rows: "what a row holds, what search depth is, what a corpus promises",
    recipes: "what to make: keys, quotas, outputs",
    digging: "methods that make grids, plans that dig holes, levels, bias",
    boards: "boards of other sizes: shapes, budgets, proofs, limits",
    variants: "boards with more rules: X, windoku, disjoint groups, anti-knight, regions of your own",
    rating: "the scales: HoDoKu, Sudoku Explainer, W and B",
    publishing: "exports without copies, formats, books, pictures, series, levels and words of your own",
    nights: "a corpus every night: timers, monitoring, a night that fails",
    datasets: "data sets for training and testing: steps, splits without leaks, audits, releases, Python",
    machines: "one corpus on many machines: Ray, Slurm, Kubernetes",
    queries: "queries in SQL: the dialect, by examples",
    statistics: "figures of all minimal puzzles: plans, weights, errors, samples",
    numbers: "numbers of grids, ranks of classes, permanent names of puzzles",
    terms: "what the words mean: minimal, plan, ladder, canonical form, ER, whip, ...",
    architecture: "for developers: layers, how a row is made, contracts, where to add something",
}

/// The page with this name, if there is one.
pub fn topic(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_title_and_can_be_found_by_its_name() {
        for page in TOPICS {
            assert!(page.text.starts_with("# "), "{} has no title", page.name);
            assert_eq!(topic(page.name).unwrap().text, page.text);
        }
        assert!(topic("no such page").is_none());
    }
}
