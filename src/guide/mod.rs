//! The guide: one page per topic. `cargo doc` shows the pages as modules; `sudoku-corpus guide TOPIC` prints them.
//!
//! To add a page: write `src/guide/<topic>.md`, add a module for it below, and add a row to [`TOPICS`].

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

#[doc = include_str!("rows.md")]
pub mod rows {}

#[doc = include_str!("recipes.md")]
pub mod recipes {}

#[doc = include_str!("digging.md")]
pub mod digging {}

#[doc = include_str!("boards.md")]
pub mod boards {}

#[doc = include_str!("rating.md")]
pub mod rating {}

#[doc = include_str!("publishing.md")]
pub mod publishing {}

#[doc = include_str!("datasets.md")]
pub mod datasets {}

#[doc = include_str!("machines.md")]
pub mod machines {}

#[doc = include_str!("nights.md")]
pub mod nights {}

#[doc = include_str!("statistics.md")]
pub mod statistics {}

#[doc = include_str!("queries.md")]
pub mod queries {}

#[doc = include_str!("numbers.md")]
pub mod numbers {}

#[doc = include_str!("terms.md")]
pub mod terms {}

#[doc = include_str!("architecture.md")]
pub mod architecture {}

/// Every page, in reading order.
pub const TOPICS: &[Topic] = &[
    Topic {
        name: "rows",
        summary: "what a row holds, what search depth is, what a corpus promises",
        text: include_str!("rows.md"),
    },
    Topic { name: "recipes", summary: "what to make: keys, quotas, outputs", text: include_str!("recipes.md") },
    Topic {
        name: "digging",
        summary: "methods that make grids, plans that dig holes, levels, bias",
        text: include_str!("digging.md"),
    },
    Topic {
        name: "boards",
        summary: "boards of other sizes: shapes, budgets, proofs, limits",
        text: include_str!("boards.md"),
    },
    Topic { name: "rating", summary: "the scales: HoDoKu, Sudoku Explainer, W and B", text: include_str!("rating.md") },
    Topic {
        name: "publishing",
        summary: "exports without copies, formats, books, pictures, series, levels and words of your own",
        text: include_str!("publishing.md"),
    },
    Topic {
        name: "nights",
        summary: "a corpus every night: timers, monitoring, a night that fails",
        text: include_str!("nights.md"),
    },
    Topic {
        name: "datasets",
        summary: "steps as data, splits without leaks, audits, releases, Python",
        text: include_str!("datasets.md"),
    },
    Topic {
        name: "machines",
        summary: "one corpus on many machines: Ray, Slurm, Kubernetes",
        text: include_str!("machines.md"),
    },
    Topic { name: "queries", summary: "queries in SQL: the dialect, by examples", text: include_str!("queries.md") },
    Topic {
        name: "statistics",
        summary: "figures of all minimal puzzles: plans, weights, errors, samples",
        text: include_str!("statistics.md"),
    },
    Topic {
        name: "numbers",
        summary: "numbers of grids, ranks of classes, names of puzzles that last",
        text: include_str!("numbers.md"),
    },
    Topic {
        name: "terms",
        summary: "what the words mean: minimal, plan, ladder, canonical form, ER, whip, ...",
        text: include_str!("terms.md"),
    },
    Topic {
        name: "architecture",
        summary: "for developers: layers, the way of a run, contracts, where to add something",
        text: include_str!("architecture.md"),
    },
];

/// The page with this name.
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
