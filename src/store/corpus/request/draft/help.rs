//! Writes the help of options whose values need a line each. The values come from their tables.

use crate::corpus::values::ratings::{GROUPS, RatingKind};
use sudoku_corpus_core::dig::PLANS;
use sudoku_corpus_core::rate::Level;

/// A text with a line for each value and its meaning.
fn help<'a>(head: &str, values: impl IntoIterator<Item = (String, &'a str)>) -> String {
    values.into_iter().fold(head.to_owned(), |text, (value, about)| format!("{text}\n  {value}: {about}"))
}

/// The help text of plans.
pub(super) fn plans() -> String {
    let head = "How holes are dug. The default is needed, if --needs is given alone or with the level of its hardest technique; \
                within, if --level, --only or --er is given (but not --level beyond, or extreme up to 9x9); otherwise minimal.\n";
    let name =
        |name: &str, argument: &str| if argument.is_empty() { name.to_owned() } else { format!("{name}={argument}") };
    help(head, PLANS.iter().map(|row| (name(row.name, row.argument), row.idea)))
}

/// The help text of levels.
pub(super) fn levels() -> String {
    let head = "Make puzzles of this level only: a level of the recipe, or the level of the hardest step on HoDoKu's scale. \
                Many steps make a puzzle harder, too: each level has a largest score.\n";
    let about = |level| match level {
        Level::Easy => "singles",
        Level::Medium => "intersections and small subsets",
        Level::Hard => "fish, wings and patterns of a single digit",
        Level::Unfair => "chains, almost locked sets and larger fish",
        Level::Extreme => "forcing chains and nets, or a very long solution",
        Level::Beyond => "the ladder of techniques does not solve the puzzle",
    };
    let limit = |level: Level| level.cap().map_or(String::new(), |cap| format!(" (up to {cap} points on 9x9)"));
    help(head, Level::ALL.map(|level| (format!("{level}{}", limit(level)), about(level))))
}

/// The help text of ratings.
pub(super) fn ratings() -> String {
    let head = "Ratings: one or several of these, separated by commas. The default is se. All are for 9x9 puzzles; te also rates \
                boards with variants, and effort all boards. `guide rating` explains them.\n";
    let about = |kind| match kind {
        RatingKind::Er => "Sudoku Explainer's rating of the hardest step",
        RatingKind::Ep => "of the hardest step up to the first placement; costs nothing beside er",
        RatingKind::Ed => "of the first step; costs nothing beside er",
        RatingKind::W => "Berthier's W, the longest whip that is needed",
        RatingKind::B => "Berthier's B, the longest braid that is needed",
        RatingKind::Te => "T&E depth, the number of nested assumptions that are needed",
        RatingKind::Bxb => "BxB, which tells puzzles of T&E depth 2 apart",
        RatingKind::ErCanonical => "ER of the canonical form, the same for every isomorph",
        RatingKind::Tridagon => "the fewest guardians of a tridagon",
        RatingKind::Effort => "ten numbers about what a puzzle asks of a person",
    };
    let groups = GROUPS.map(|(name, set)| {
        let kinds: Vec<&str> =
            RatingKind::ALL.into_iter().filter(|&kind| set.has(kind)).map(RatingKind::name).collect();
        (name.to_owned(), kinds.join(","))
    });
    let groups = groups.iter().map(|(name, kinds)| (name.clone(), kinds.as_str()));
    let kinds = RatingKind::ALL.map(|kind| (kind.name().to_owned(), about(kind)));
    help(head, kinds.into_iter().chain(groups).chain([("none".to_owned(), "no rating")]))
}
