//! Proves that no puzzle meets a goal, before any search.
//!
//! A part of a goal may limit how hard its puzzles are. Such a limit is a [`Ceiling`], and the rest of the goal is
//! compared with it. For example, singles solve every puzzle with an ER up to 1.5. So none of these needs a Swordfish.
//!
//! The reason: the ladder takes the first technique that finds something. If some techniques solve a puzzle, the ladder
//! never goes on to a later one. What has no proof here is searched for.

use super::goal::Goal;
use super::wanted::WantedLevel;
use crate::corpus::values::error::setting;
use crate::corpus::values::levels::LevelRange;
use crate::corpus::values::target::{ErRange, named};
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::explainer::{HintKind, Tenths};
use sudoku_corpus_core::ladder::{Family, Ladder, Level, Technique};

/// Up to this ER, in tenths, each rule of Sudoku Explainer is a technique of the ladder.
const COMPARABLE: u16 = 44;

/// What a part of a goal proves about its puzzles.
struct Ceiling {
    key: &'static str,
    /// The part, in words: "the level easy".
    part: String,
    /// Why, as a sentence about a puzzle: "its ER is at most 1.5, so singles solve it".
    why: String,
    /// Techniques that solve each of the puzzles.
    solving: Ladder,
    /// The only techniques that the ladder may use for them.
    used: Ladder,
}

impl Ceiling {
    /// The ceilings of a goal.
    fn all(goal: &Goal, shape: Shape, ladder: &Ladder) -> Vec<Ceiling> {
        let level = goal.level.as_ref().map(WantedLevel::range);
        let mut ceilings = level.map_or_else(Vec::new, |level| Ceiling::of_level(level, shape, ladder));
        if let Some(er) = goal.er.filter(|_| shape == Shape::NINE) {
            ceilings.extend(Ceiling::of_er(er.1, ladder, "er", format!("er up to {}", er.1)));
        }
        if let Some(only) = &goal.only {
            let (part, why) = (format!("only = {}", named(only)), format!("{} solve it", named(only)));
            ceilings.push(Ceiling { key: "only", part, why, solving: only.clone(), used: in_order(only, ladder) });
        }
        ceilings
    }

    /// The ceilings of a level.
    fn of_level(level: &LevelRange, shape: Shape, ladder: &Ladder) -> Vec<Ceiling> {
        let (key, part, er) = ("level", format!("the level {}", level.key), level.er_range(shape));
        let mut ceilings = Vec::from_iter(er.and_then(|er| Ceiling::of_er(er.1, ladder, key, part.clone())));
        let hodoku_levels = level.hodoku_levels.as_ref().filter(|_| er.is_none());
        let hardest = hodoku_levels.and_then(|levels| levels.iter().max()).filter(|&&level| level != Level::Beyond);
        let by_hodoku = hardest.map(|&hardest| {
            let easier = ladder
                .techniques()
                .iter()
                .copied()
                .filter(|technique| technique.info().level <= hardest && technique.is_searched_on(shape));
            (Ladder::of(easier), format!("its steps are {hardest} at most on HoDoKu's scale"))
        });
        let by_list =
            level.ladder.as_ref().map(|list| (list.clone(), format!("it takes no other techniques than {list}")));
        for (used, why) in by_hodoku.into_iter().chain(by_list) {
            ceilings.push(Ceiling { key, part: part.clone(), why, solving: used.clone(), used });
        }
        ceilings
    }

    /// The ceiling of an ER. None above [`COMPARABLE`].
    fn of_er(most: Tenths, ladder: &Ladder, key: &'static str, part: String) -> Option<Ceiling> {
        let easier = Technique::all().filter(|&technique| easiest_er(technique).is_some_and(|er| er <= most.0));
        let solving = Ladder::of(easier);
        let last = solving.techniques().last().filter(|_| most.0 <= COMPARABLE)?;
        let how = match last.info().family {
            Family::Singles => "singles solve it".to_owned(),
            _ => format!("the techniques up to {last} solve it"),
        };
        let why = format!("its ER is at most {most}, so {how}");
        Some(Ceiling { key, part, why, used: in_order(&solving, ladder), solving })
    }

    /// The highest ER of its puzzles. None if it is not known. Locked pairs and triples are naked ones, too.
    fn highest_er(&self) -> Option<u16> {
        let hardest_er = |&technique: &Technique| match technique.info().family {
            Family::Intersections => Technique::NakedTriple.info().se_tenths,
            _ => technique.info().se_tenths.filter(|&er| er <= COMPARABLE),
        };
        self.solving.techniques().iter().map(hardest_er).max_by_key(|er| er.unwrap_or(u16::MAX))?
    }
}

/// What the ladder uses for puzzles that some techniques solve: nothing behind the last of these, if it has all of them.
fn in_order(solving: &Ladder, ladder: &Ladder) -> Ladder {
    let last = solving.techniques().last().filter(|_| is_within(solving, ladder));
    Ladder::of(ladder.techniques().iter().copied().filter(|technique| last.is_none_or(|last| technique <= last)))
}

/// True if the second ladder has all techniques of the first.
fn is_within(first: &Ladder, second: &Ladder) -> bool {
    first.techniques().iter().all(|&technique| second.has(technique))
}

/// The lowest ER of a puzzle for which Sudoku Explainer uses a technique. It has easier rules for a technique that at
/// once leaves a single.
fn easiest_er(technique: Technique) -> Option<u16> {
    match technique {
        Technique::Pointing => Some(HintKind::DirectPointing.tenths()),
        Technique::Claiming => Some(HintKind::DirectClaiming.tenths()),
        Technique::HiddenPair => Some(HintKind::DirectHiddenPair.tenths()),
        Technique::HiddenTriple => Some(HintKind::DirectHiddenTriplet.tenths()),
        technique => technique.info().se_tenths,
    }
}

/// Why no puzzle meets a goal; None if that is not known.
pub(super) fn contradiction(goal: &Goal, shape: Shape, ladder: &Ladder) -> Option<String> {
    let ceilings = Ceiling::all(goal, shape, ladder);
    let level = goal.level.as_ref().map(WantedLevel::range);
    goal.er
        .and_then(|er| wrong_er(er, level, shape))
        .or_else(|| wrong_technique(goal, &ceilings, shape, ladder))
        .or_else(|| ceilings.iter().find_map(|ceiling| too_easy(goal, level, ceiling, shape, ladder)))
        .or_else(|| level.and_then(|level| wrong_givens(&goal.plan, level)))
}

/// A range of ER that no puzzle has, or none of the level.
fn wrong_er(er: ErRange, level: Option<&LevelRange>, shape: Shape) -> Option<String> {
    let shown = if er.0 == er.1 { er.0.to_string() } else { er.to_string() };
    if let Some((level, of_level)) = level.and_then(|level| Some((level, level.er_range(shape)?)))
        && (er.1 < of_level.0 || of_level.1 < er.0)
    {
        let has = format!("it has {of_level}; leave out `er` or `level`");
        return Some(format!("no puzzle of the level {} has an ER of {shown}: {has}", level.key));
    }
    // All values above this range occur.
    let values = || HintKind::all().map(HintKind::tenths).filter(|&tenths| tenths <= COMPARABLE + 1).map(Tenths);
    let above = values().filter(|&value| value >= er.0).min()?;
    let nearest = match values().filter(|&value| value < er.0).max() {
        Some(below) => format!("the nearest are {below} and {above}"),
        None => format!("the lowest is {above}"),
    };
    (above > er.1).then(|| format!("no puzzle has an ER of {shown}: {nearest}; write {}", setting("er", above)))
}

/// A technique that no puzzle of the rest of the goal uses.
fn wrong_technique(goal: &Goal, ceilings: &[Ceiling], shape: Shape, ladder: &Ladder) -> Option<String> {
    let needs = goal.needs.0.iter().map(|&technique| ("needs", technique));
    for (verb, technique) in needs.chain(goal.uses.0.iter().map(|&technique| ("uses", technique))) {
        if !technique.is_searched_on(shape) {
            let why = format!("the ladder does not search for it there; leave out `{verb}`, or take another board");
            return Some(format!("no puzzle of the {} {verb} {technique}: {why}", shape.board()));
        }
        let allows = |ceiling: &Ceiling| ceiling.used.has(technique);
        let Some(Ceiling { key, part, why, .. }) = ceilings.iter().find(|ceiling| !allows(ceiling)) else { continue };
        let scale = goal.level.as_ref().map(|level| level.scale().ranges()).filter(|_| *key == "level");
        let is_allowing = |level: &&LevelRange| Ceiling::of_level(level, shape, ladder).iter().all(allows);
        let instead = match (scale.and_then(|levels| levels.iter().find(is_allowing)), &goal.only) {
            (Some(level), _) => format!("write {}", setting("level", &level.key)),
            (None, Some(only)) if *key == "only" => {
                format!("write {}", setting("only", format!("{},{}", named(only), technique.code())))
            }
            _ => format!("leave out `{key}` or `{verb}`"),
        };
        return Some(format!("no puzzle with {part} {verb} {technique}, because {why}; {instead}"));
    }
    None
}

/// A part of a goal whose puzzles are too easy for its ER or its level.
fn too_easy(
    goal: &Goal,
    level: Option<&LevelRange>,
    ceiling: &Ceiling,
    shape: Shape,
    ladder: &Ladder,
) -> Option<String> {
    let Ceiling { key, part, why, solving, .. } = ceiling;
    let aim = level.map_or("er", |_| "level");
    if let Some((er, highest)) = goal.er.zip(ceiling.highest_er()).filter(|(er, highest)| er.0.0 > *highest) {
        let highest = Tenths(highest);
        let how = format!("{why}, and its ER is {highest} at most; leave out `{aim}` or `{key}`");
        return Some(format!("no puzzle with {part} has an ER of {} or more: {how}", er.0));
    }
    let easiest = *level?.hodoku_levels.as_ref().filter(|_| goal.er.is_none())?.iter().min()?;
    // Even for the emptiest puzzle, the points of singles are too few for the level hard.
    let is_singles =
        shape.order() <= 9 && solving.techniques().iter().all(|technique| technique.info().family == Family::Singles);
    let is_too_easy = is_singles && easiest >= Level::Hard || easiest == Level::Beyond && is_within(solving, ladder);
    let how = format!("on HoDoKu's scale, because {why}; leave out `{aim}` or `{key}`");
    (is_too_easy && *key != "level").then(|| format!("no puzzle with {part} is {easiest} {how}"))
}

/// A plan that gives none of the numbers of givens of the level.
fn wrong_givens(plan: &Plan, level: &LevelRange) -> Option<String> {
    let ((fewest, most), Plan::Givens(asked)) = (level.givens?, plan) else { return None };
    let is_wrong = *asked.end() < fewest as usize || *asked.start() > most as usize;
    let key = &level.key;
    is_wrong.then(|| format!("puzzles of the level {key} have {fewest} to {most} givens, not {plan}; leave out `plan`"))
}
