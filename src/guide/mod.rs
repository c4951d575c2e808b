//! The guide: one page per topic. `cargo doc` shows the pages as modules; `sudoku-corpus guide TOPIC` prints them.
//!
//! To add a page: write `src/guide/<topic>.md`, and add a line to the table below, under those for whom it is.

/// One page of the guide.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// The word that follows `sudoku-corpus guide`.
    pub name: &'static str,
    /// For whom it is.
    pub door: &'static str,
    /// What the page is about, in one line.
    pub summary: &'static str,
    /// The page as Markdown.
    pub text: &'static str,
}

/// Makes a module of each page, for `cargo doc`, and the table of them.
macro_rules! pages {
    ($($door:literal { $($name:ident: $summary:literal,)+ })+) => {
        $($(
            #[doc = include_str!(concat!(stringify!($name), ".md"))]
            pub mod $name {}
        )+)+

        /// Every page, in reading order.
        pub const TOPICS: &[Topic] = &[$($(Topic {
            name: stringify!($name),
            door: $door,
            summary: $summary,
            text: include_str!(concat!(stringify!($name), ".md")),
        }),+),+];
    };
}

pages! {
    "Begin" {
        tasks: "from nothing to a printed book, to a chart, to a data set",
        terms: "what the words mean",
        inputs: "which files of puzzles are read, and what is refused",
        recipes: "what to make: keys, quotas, outputs",
        digging: "methods, plans, and puzzles of a level or technique",
        boards: "boards of other sizes, from 4x4 to 36x36",
        variants: "boards with more rules: X, windoku, jigsaw, your own",
    }
    "For publishers" {
        levels: "what easy, medium and hard mean: the scales, and one of your own",
        files: "choose puzzles; formats, pictures; no puzzle twice",
        books: "books for printers and screens: pages, solutions, series, words",
        days: "a puzzle for each day of a newspaper",
        nights: "a corpus every night: timers, monitoring, a night that fails",
    }
    "For researchers" {
        rows: "the columns of a row, and what a corpus promises",
        rating: "the scales: HoDoKu, Sudoku Explainer, W and B, effort",
        queries: "questions in SQL",
        statistics: "figures of all minimal puzzles: weights, errors",
        numbers: "numbers of grids, ranks of classes, names of puzzles",
    }
    "For models and clusters" {
        datasets: "steps, splits, audits, releases, scores, Python",
        machines: "one corpus on many machines",
    }
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
            assert!(page.summary.len() < 65, "{}: too long for a line", page.name);
            assert_eq!(topic(page.name).unwrap().text, page.text);
        }
        assert!(topic("no such page").is_none());
    }
}
