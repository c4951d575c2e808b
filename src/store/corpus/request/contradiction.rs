//! Proves that no puzzle meets a goal, before any search.
//!
//! Parts of a goal limit its puzzles. Each such limit is a [`Ceiling`]: techniques that solve all of its puzzles, and
//! techniques that the ladder uses for them at most. The rest of the goal is compared with the ceilings:
//!
//! ```text
//!   part of the goal               solve its puzzles        the ladder uses at most
//!   er or a level up to 1.5        singles                  singles
//!   er or a level up to 3.2        singles .. X-Wing        the techniques up to X-Wing in solving order
//!   only = "singles,naked_pair"    singles, naked pairs     the techniques up to Naked Pair
//!   a level of HoDoKu, "medium"    techniques up to medium  the same
//!   needs = "locked_pair"          the easier techniques    what is easier than Naked Pair, which would do as well
//! ```
//!
//! The reason: the ladder takes the first technique that finds something. If some techniques solve a puzzle, the ladder
//! never goes on to a later one. What has no proof here is searched for.

use super::goal::Goal;
use super::wanted::WantedLevel;
use crate::corpus::values::error::setting;
use crate::corpus::values::levels::LevelRange;
use crate::corpus::values::target::ErRange;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::explainer::{HintKind, Tenths};
use sudoku_corpus_core::ladder::{Family, Ladder, Level, Technique};

/// Up to this ER, in tenths, each rule of Sudoku Explainer is a technique of the ladder, and each rating that a rule can
/// have is known.
const COMPARABLE: u16 = 44;

/// A technique that finds all that another one finds, with harder steps: a puzzle that uses the second does not need the
/// first.
const REPLACED: [(Technique, Technique); 3] = [
    (Technique::FullHouse, Technique::NakedSingle),
    (Technique::LockedPair, Technique::NakedPair),
    (Technique::LockedTriple, Technique::NakedTriple),
];

/// What a part of a goal proves about its puzzles.
struct Ceiling {
    /// The key that names the part.
    key: &'static str,
    /// The part, in words: "the level easy".
    part: String,
    /// Why, as a sentence about the puzzles: "its ER is at most 1.5, so singles solve it".
    why: String,
    /// Techniques that solve each of the puzzles.
    solving: Ladder,
    /// Techniques that the ladder uses for them at most.
    used: Ladder,
}

impl Ceiling {
    /// The same with `used` computed: the ladder uses no technique behind the last of those that solve the puzzles.
    fn in_order(self, ladder: &Ladder) -> Ceiling {
        let solving = &self.solving;
        let last = solving.techniques().last().copied().filter(|_| is_within(solving, ladder));
        let used = ladder.techniques().iter().copied().filter(|&technique| last.is_none_or(|last| technique <= last));
        Ceiling { used: Ladder::of(used), ..self }
    }

    /// The ceiling of an ER. None above [`COMPARABLE`].
    fn of_er(most: Tenths, ladder: &Ladder, key: &'static str, part: String) -> Option<Ceiling> {
        let solving =
            Ladder::of(Technique::all().filter(|&technique| easiest_er(technique).is_some_and(|er| er <= most.0)));
        let last = solving.techniques().last().filter(|_| most.0 <= COMPARABLE)?;
        let how = match last.info().family {
            Family::Singles => "singles solve it".to_owned(),
            _ => format!("the techniques up to {last} solve it"),
        };
        let why = format!("its ER is at most {most}, so {how}");
        Some(Ceiling { key, part, why, used: solving.clone(), solving }.in_order(ladder))
    }

    /// The ceilings of a level.
    fn of_level(level: &LevelRange, shape: Shape, ladder: &Ladder) -> Vec<Ceiling> {
        let part = format!("the level {}", level.key);
        let er = level.er_range(shape);
        let mut ceilings = Vec::from_iter(er.and_then(|er| Ceiling::of_er(er.1, ladder, "level", part.clone())));
        let hodoku_levels = level.hodoku_levels.as_ref().filter(|_| er.is_none());
        let hardest = hodoku_levels.and_then(|levels| levels.iter().max()).filter(|&&level| level != Level::Beyond);
        if let Some(&hardest) = hardest {
            let at_most = ladder.techniques().iter().copied().filter(|technique| technique.info().level <= hardest);
            let (used, why) = (Ladder::of(at_most), format!("its steps are {hardest} at most on HoDoKu's scale"));
            ceilings.push(Ceiling { key: "level", part: part.clone(), why, solving: used.clone(), used });
        }
        if let Some(used) = &level.ladder {
            let (used, why) = (used.clone(), format!("it takes no other techniques than {used}"));
            ceilings.push(Ceiling { key: "level", part, why, solving: used.clone(), used });
        }
        ceilings
    }

    /// The ceilings of a goal.
    fn all(goal: &Goal, shape: Shape, ladder: &Ladder) -> Vec<Ceiling> {
        let level = goal.level.as_ref().map(WantedLevel::range);
        let mut ceilings = level.map_or_else(Vec::new, |level| Ceiling::of_level(level, shape, ladder));
        if let Some(er) = goal.er.filter(|_| shape == Shape::NINE) {
            ceilings.extend(Ceiling::of_er(er.1, ladder, "er", format!("er up to {}", er.1)));
        }
        if let Some(only) = &goal.only {
            let (part, why) = (format!("only = {only}"), format!("{only} solve it"));
            ceilings
                .push(Ceiling { key: "only", part, why, solving: only.clone(), used: only.clone() }.in_order(ladder));
        }
        for (technique, harder) in REPLACED {
            if goal.needs.0.contains(&technique) && ladder.has(harder) {
                let easier = ladder.techniques().iter().copied().filter(|easier| easier.rank() < harder.rank());
                let (used, part) = (Ladder::of(easier), format!("needs = {technique}"));
                let why = format!("with {harder} or harder steps it does not need {technique}");
                ceilings.push(Ceiling { key: "needs", part, why, solving: used.clone(), used });
            }
        }
        ceilings
    }

    /// The highest ER of its puzzles. None if it is not known.
    fn highest_er(&self) -> Option<u16> {
        self.solving.techniques().iter().map(|&technique| hardest_er(technique)).max()?
    }

    /// True if single digits that follow at once solve its puzzles.
    fn is_singles(&self) -> bool {
        self.solving.techniques().iter().all(|technique| technique.info().family == Family::Singles)
    }
}

/// True if the second ladder has all techniques of the first.
fn is_within(first: &Ladder, second: &Ladder) -> bool {
    first.techniques().iter().all(|&technique| second.has(technique))
}

/// The lowest ER of a puzzle for which Sudoku Explainer uses a technique, up to [`COMPARABLE`]. It has easier rules for a
/// technique that at once leaves a single.
fn easiest_er(technique: Technique) -> Option<u16> {
    let direct = match technique {
        Technique::Pointing => Some(HintKind::DirectPointing),
        Technique::Claiming => Some(HintKind::DirectClaiming),
        Technique::HiddenPair => Some(HintKind::DirectHiddenPair),
        Technique::HiddenTriple => Some(HintKind::DirectHiddenTriplet),
        _ => None,
    };
    direct.map(HintKind::tenths).or(technique.info().se_tenths).filter(|&er| er <= COMPARABLE)
}

/// The highest ER of puzzles that a technique solves together with easier ones. None if it is not known.
fn hardest_er(technique: Technique) -> Option<u16> {
    let same = match technique {
        Technique::LockedPair => Technique::NakedPair,
        Technique::LockedTriple => Technique::NakedTriple,
        technique => technique,
    };
    same.info().se_tenths.filter(|&er| er <= COMPARABLE)
}

/// An ER, or a range of it, as users write it.
fn shown(er: ErRange) -> String {
    if er.0 == er.1 { er.0.to_string() } else { er.to_string() }
}

/// Why no puzzle meets a goal; None if that is not known.
pub(super) fn contradiction(goal: &Goal, shape: Shape, ladder: &Ladder) -> Option<String> {
    let ceilings = Ceiling::all(goal, shape, ladder);
    let level = goal.level.as_ref().map(WantedLevel::range);
    wrong_er(goal, level, shape)
        .or_else(|| wrong_technique(goal, &ceilings, shape, ladder))
        .or_else(|| too_easy(goal, level, &ceilings, ladder))
        .or_else(|| level.and_then(|level| wrong_givens(goal, level, shape)))
}

/// A range of ER that no puzzle has, or none of the level.
fn wrong_er(goal: &Goal, level: Option<&LevelRange>, shape: Shape) -> Option<String> {
    let er = goal.er?;
    let leave_out = "leave one of them out";
    if let Some((level, of_level)) = level.and_then(|level| Some((level, level.er_range(shape)?)))
        && (er.1 < of_level.0 || of_level.1 < er.0)
    {
        let (key, er) = (&level.key, shown(er));
        return Some(format!("no puzzle of the level {key} has an ER of {er}: it has {of_level}; {leave_out}"));
    }
    let mut values: Vec<u16> =
        HintKind::all().map(HintKind::tenths).filter(|&tenths| tenths <= COMPARABLE + 1).collect();
    values.sort_unstable();
    let below = values.iter().rev().find(|&&value| value < er.0.0).map(|&value| Tenths(value));
    let above = values.iter().find(|&&value| value >= er.0.0).map(|&value| Tenths(value))?;
    let nearest = match below {
        Some(below) => format!("the nearest are {below} and {above}"),
        None => format!("the lowest is {above}"),
    };
    let write = setting("er", above);
    (above > er.1).then(|| format!("no puzzle has an ER of {}: {nearest}; write {write}", shown(er)))
}

/// A technique that no puzzle of the rest of the goal uses.
fn wrong_technique(goal: &Goal, ceilings: &[Ceiling], shape: Shape, ladder: &Ladder) -> Option<String> {
    let needs = goal.needs.0.iter().map(|&technique| ("needs", technique));
    for (verb, technique) in needs.chain(goal.uses.0.iter().map(|&technique| ("uses", technique))) {
        if !technique.is_searched_on(shape) {
            return Some(format!(
                "no puzzle of the {} {verb} {technique}: the ladder does not search for it there; leave out `{verb}`, or \
                 ask for another board",
                shape.board()
            ));
        }
        if let Some(ceiling) = ceilings.iter().find(|ceiling| !ceiling.used.has(technique)) {
            let Ceiling { key, part, why, .. } = ceiling;
            let instead = instead_of(ceiling, goal, technique, shape, ladder).map_or_else(
                || format!("leave out `{key}` or `{verb}`"),
                |(key, value)| format!("write {}", setting(key, value)),
            );
            return Some(format!("no puzzle with {part} {verb} {technique}, because {why}; {instead}"));
        }
    }
    None
}

/// The key of a ceiling with a value with which its puzzles may use a technique: the first level of the scale, an ER.
fn instead_of(
    ceiling: &Ceiling,
    goal: &Goal,
    technique: Technique,
    shape: Shape,
    ladder: &Ladder,
) -> Option<(&'static str, String)> {
    let allows = |ceilings: &[Ceiling]| ceilings.iter().all(|ceiling| ceiling.used.has(technique));
    let value = match ceiling.key {
        "level" => {
            let levels = goal.level.as_ref()?.scale().ranges();
            levels.iter().find(|level| allows(&Ceiling::of_level(level, shape, ladder)))?.key.clone()
        }
        "er" => {
            let above = Technique::all().filter_map(easiest_er).chain([COMPARABLE + 1]).map(Tenths);
            let allowing =
                |er: &Tenths| Ceiling::of_er(*er, ladder, "er", String::new()).is_none_or(|one| allows(&[one]));
            let least = above.filter(allowing).min()?;
            format!("{least}..9.0")
        }
        "only" => format!("{},{}", goal.only.as_ref()?, technique.code()),
        _ => return None,
    };
    Some((ceiling.key, value))
}

/// A goal whose puzzles are too easy for its ER or its level.
fn too_easy(goal: &Goal, level: Option<&LevelRange>, ceilings: &[Ceiling], ladder: &Ladder) -> Option<String> {
    for ceiling in ceilings {
        let Ceiling { part, why, .. } = ceiling;
        if let (Some(er), Some(highest)) = (goal.er, ceiling.highest_er())
            && er.0.0 > highest
        {
            let aim = level.map_or_else(|| format!("er = {}", shown(er)), |level| format!("the level {}", level.key));
            let highest = Tenths(highest);
            return Some(format!(
                "{aim} needs harder puzzles than {part}: {why}, and its ER is {highest} at most; leave one of them out"
            ));
        }
        let Some(levels) = level.and_then(|level| level.hodoku_levels.as_ref().filter(|_| goal.er.is_none())) else {
            continue;
        };
        let easiest = levels.iter().min().copied().unwrap_or(Level::Easy);
        // Singles have too few points for the level hard, also in the emptiest puzzle.
        let is_too_easy = ceiling.is_singles() && easiest >= Level::Hard;
        if is_too_easy || easiest == Level::Beyond && is_within(&ceiling.solving, ladder) {
            return Some(format!(
                "no puzzle with {part} is {easiest} on HoDoKu's scale, because {why}; leave one of them out"
            ));
        }
    }
    None
}

/// A level of a number of givens, or of points, that the rest of the goal excludes.
fn wrong_givens(goal: &Goal, level: &LevelRange, shape: Shape) -> Option<String> {
    let (key, cells) = (&level.key, shape.cells());
    if let (Some((fewest, most)), Plan::Givens(asked)) = (level.givens, &goal.plan)
        && (*asked.end() < fewest as usize || *asked.start() > most as usize)
    {
        let plan = &goal.plan;
        return Some(format!(
            "puzzles of the level {key} have {fewest} to {most} givens, but the plan is {plan}; leave out `plan`"
        ));
    }
    let (fewest, _) = level.givens?;
    (fewest as usize > cells)
        .then(|| format!("the level {key} needs {fewest} givens, but the {} has {cells} cells", shape.board()))
}
