//! Writes the help of options whose values need a line each. The values come from their tables.

use crate::corpus::values::levels::Levels;
use crate::corpus::values::ratings::{GROUPS, RatingKind};
use sudoku_corpus_core::dig::PLANS;

/// A text with a line for each value and its meaning.
fn help<'a>(head: &str, values: impl IntoIterator<Item = (String, &'a str)>) -> String {
    let mut text = head.to_owned();
    for (value, about) in values {
        text += &format!("\n  {value}: {about}");
    }
    text
}

/// The help text of plans.
pub(super) fn plans() -> String {
    let head = "How givens are removed. The default is minimal; with --needs alone, or with the level of its hardest technique on \
                HoDoKu's scale, needed; with --level, --only or --er that sets an upper limit, within.\n";
    let plans = PLANS.iter().map(|plan| {
        let value = match plan.argument {
            "" => plan.name.to_owned(),
            argument => format!("{}={argument}", plan.name),
        };
        (value, plan.idea)
    });
    help(head, plans)
}

/// The help text of levels.
pub(super) fn levels() -> String {
    let head = "Level of the puzzles, on the scale of --levels or of the recipe. `list levels` shows the scales. \
                The default is the newspaper's:\n";
    let levels = Levels::default().limits();
    help(head, levels.iter().map(|(level, limits)| (level.clone(), limits.as_str())))
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
        (name, kinds.join(","))
    });
    let mut values: Vec<(String, &str)> = Vec::new();
    values.extend(RatingKind::ALL.map(|kind| (kind.name().to_owned(), about(kind))));
    values.extend(groups.iter().map(|(name, kinds)| ((*name).to_owned(), kinds.as_str())));
    values.push(("none".to_owned(), "no rating"));
    help(head, values)
}
