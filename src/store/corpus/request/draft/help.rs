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
    let head = "How givens are removed. Without this option, the goal decides. With --needs alone, the plan is \"needed\". (On \
                HoDoKu's scale, --level may then name the level to which the hardest of these techniques belongs.) If --level, \
                --only or --er sets an upper limit, the plan is \"within\". Otherwise it is \"minimal\".\n";
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
    let head = "Ratings: one or several of these, separated by commas. The default is se. Plain 9x9 boards have all of \
                them, boards with variants only te and effort, and other boards only effort. `guide rating` explains them.\n";
    let about = |kind| match kind {
        RatingKind::Er => "Sudoku Explainer's rating of the hardest step",
        RatingKind::Ep => "its rating of the hardest step up to the first placement; costs nothing beside er",
        RatingKind::Ed => "its rating of the first step; costs nothing beside er",
        RatingKind::W => "Berthier's W, the length of the longest whip (a kind of chain) that is needed",
        RatingKind::B => "Berthier's B, the same for braids (another kind of chain)",
        RatingKind::Te => "T&E depth: how deeply assumptions must be nested",
        RatingKind::Bxb => "BxB, which says how hard a puzzle of T&E depth 2 is",
        RatingKind::ErCanonical => "ER of the canonical form, the same for every isomorph",
        RatingKind::Tridagon => "the fewest guardians of a tridagon, a pattern of the hardest puzzles",
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
