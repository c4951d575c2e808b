//! Sudoku Explainer 1.2.1: its ratings ER / EP / ED, to the tenth, and its hints in its order.
//!
//! ```text
//!   position -> 1.0? -> 1.2? -> 1.5? -> ... -> 2.6? -> ... -> 7.0? -> ... -> 9.0? -> ...      the producers
//!                                 |
//!                 the first hint of the first producer that has one is applied, alone;
//!                 then everything is scanned again from the left
//! ```
//! ER is the rating of the hardest hint, EP that of the hardest hint up to the first placed digit, ED that of the first
//! hint. Sudoku Explainer (Nicolas Juillerat, 2006-2007) is the scale of the players' forums, and these numbers are
//! published for millions of puzzles. So every step must apply the same hint as the original. The rules come from
//! descriptions of the program and from step-by-step comparison with it.
//!
//! | producer | file |
//! |---|---|
//! | Hidden Single 1.0 1.2 1.5; Naked Single 2.3 | [`singles`] |
//! | Direct Pointing, Claiming 1.7 1.9; Pointing, Claiming 2.6 2.8 | [`locking`] |
//! | Direct Hidden Pair, Triplet 2.0 2.5; naked and hidden sets 3.0 to 5.4 | [`subsets`] |
//! | X-Wing, Swordfish, Jellyfish 3.2 3.8 5.2 | [`fish`] |
//! | XY-Wing, XYZ-Wing 4.2 4.4 | [`wings`] |
//! | unique rectangles and loops 4.5 and more | [`loops`] |
//! | bivalue universal grave 5.6 and more | [`bug`] |
//! | Aligned Pair, Triplet Exclusion 6.2 7.5 | [`aligned`] |
//! | cycles and forcing chains 6.5 to 7.6 | [`forcing`] [`chains::cycles`] [`chains::graph`] [`chains::reach`] |
//! | Nishio 7.5, Multiple 8.0, Dynamic 8.5, Dynamic Plus 9.0 and more | [`multiple`] [`chains::run`] [`chains::advanced`] |
//! | chains nested in dynamic chains 9.5, 10.0, 10.5, 11.0 and more | [`chains::nested`] |
//!
//! The order is that of [`PRODUCERS`]. It is not always the order of ratings: forcing chains, rated up to 7.6, are
//! tried before Aligned Triplet Exclusion (7.5), Unique Loops of ten cells (5.0 or more) before Naked Quads (5.0).
//!
//! **Numbers without hints.** When the first digit is placed, EP and ED are known. From then on, only a hint above the
//! ER so far changes a number; the others are called *free*. Free hints of the first fourteen producers, up to the
//! XYZ-Wing, are applied together: in any order they lead to the same position. Free singles and locked candidates are
//! even applied to the whole board at once ([`State::settle`]). If all these and free forcing chains solve the rest, ER
//! is known: every position on the original's way has one of these hints, so the original never takes a harder one.
//! Only a list of steps needs every hint.
//!
//! From Dynamic Plus on, the original itself is not fully deterministic: see [`chains::advanced`].
//!
//! For about one random puzzle in 200, and 2 to 11 % of lists of hard ones, the rating depends on how the puzzle is
//! turned and relabelled, because of the scan order. Ratings are only meant for puzzles with one solution, because
//! rules of uniqueness are used.

mod chains;
mod found;
mod kind;
mod patterns;
mod range;
mod rating;
mod state;
mod step;
mod tables;
mod tenths;

use crate::board::Puzzle;
use crate::stop;
use chains::advanced::extend;
use chains::forcing;
use chains::multiple::multiple;
use chains::reach::Decided;
use found::{Enough, FoundHint, Taken, Taker};
use patterns::{aligned, bug, fish, locking, loops, singles, subsets, wings};
use state::{CellsByDigit, News, State};

pub use kind::{ChainLevel, HintKind};
pub use range::{Place, place};
pub use rating::{Options, Scope, SeRating};
pub use step::{SeStep, SeTrace};
pub use tenths::Tenths;

/// Rates a puzzle that has one solution.
///
/// A puzzle with no solution, or with several, gets a meaningless number, but never a panic or an endless loop.
pub fn rate(puzzle: &Puzzle, options: &Options) -> SeRating {
    solve(puzzle, options, None)
}

/// The hints that Sudoku Explainer gives one after the other.
pub fn trace(puzzle: &Puzzle) -> SeTrace {
    let mut steps = Vec::new();
    let rating =
        solve(puzzle, &Options::default(), Some(&mut |state, hint| steps.push(SeStep::new(puzzle, state, hint))));
    SeTrace { steps, rating }
}

/// Is called before a hint is applied.
type EachHint<'a> = &'a mut dyn FnMut(&State, &FoundHint);

/// Searches for hints and applies them one at a time. `each` gets the position before a hint, and the hint. Without it,
/// hints that change no number are applied together, or not at all.
fn solve(puzzle: &Puzzle, options: &Options, mut each: Option<EachHint>) -> SeRating {
    let Some(mut state) = State::new(puzzle) else { return SeRating::default() };
    let (mut er, mut rating) = (0, SeRating { exact: true, ..SeRating::default() });
    // The changes that wait for each producer. A producer that finds nothing hands them on to the next one.
    let mut news = [News::ALL; PRODUCERS.len()];
    let mut hint = FoundHint::new(HintKind::LastValue);
    let mut bounds = Bounds { limit: options.at_most.unwrap_or(u16::MAX), free: 0, tried: 0, direct: false };
    while state.holes > 0 {
        bounds.free = if each.is_none() && rating.ep_tenths.is_some() { er } else { 0 };
        match first_hint(&mut state, &mut news, &mut bounds, &mut hint) {
            NextHint::Found => er = er.max(hint.tenths()),
            NextHint::Several(_) => continue,
            NextHint::NoHarder | NextHint::Solved => break,
            // ER 20.0 says that no producer has a hint.
            NextHint::Nothing => {
                er = 200;
                break;
            }
            NextHint::Above(bound) => {
                (er, rating.exact) = (er.max(bound), false);
                break;
            }
        }
        rating.exact = options.at_most.is_none_or(|limit| er <= limit);
        if let Some(each) = &mut each
            && rating.exact
        {
            each(&state, &hint);
        }
        rating.exact = rating.exact && apply(&mut state, &hint);
        if !rating.exact {
            break;
        }
        rating.ed_tenths = rating.ed_tenths.or(Some(er));
        if hint.placed.is_some() {
            rating.ep_tenths = rating.ep_tenths.or(Some(er));
            if options.scope == Scope::EpEd {
                return rating;
            }
        }
    }
    match options.scope {
        Scope::All => SeRating { er_tenths: Some(er), ..rating },
        Scope::Er => SeRating { er_tenths: Some(er), ep_tenths: None, ed_tenths: None, ..rating },
        Scope::EpEd => rating,
    }
}

/// Applies a hint. False if it changes nothing, which can only happen in puzzles with no solution or with several.
fn apply(state: &mut State, hint: &FoundHint) -> bool {
    let changes = hint.placed.is_some() || (0..9).any(|digit| hint.remove[digit] & state.cells[digit] != 0);
    state.remove(&hint.remove);
    if let Some((cell, digit)) = hint.placed {
        state.place(cell.into(), digit.into());
    }
    changes
}

/// Which hints still matter.
struct Bounds {
    /// Producers whose ratings are all above this are not searched.
    limit: u16,
    /// Hints up to this rating change no number, one by one.
    free: u16,
    /// The value of `free` for which [`rest_is_free`] was tried last.
    tried: u16,
    /// Direct hidden sets are applied even where other free hints do the same.
    direct: bool,
}

impl Bounds {
    /// The least `free` with which a producer is not needed, by its lowest rating. Singles and locked candidates are
    /// applied before it. Where there is a direct hidden set, there is also a hidden one or a naked one.
    fn needless(&self, lowest: u16) -> u16 {
        match lowest {
            // Hidden and naked singles, direct and other locked candidates.
            10 | 17 | 23 | 26 => LOCKING,
            // Direct hidden pairs and triplets; 34 and 40 are the hidden ones.
            20 if !self.direct => 34,
            25 if !self.direct => 40,
            _ => u16::MAX,
        }
    }
}

/// The answer of [`first_hint`].
enum NextHint {
    /// A hint that was not applied; the caller has it.
    Found,
    /// Free hints of a producer, which have been applied. The number is the lowest tenths of it and all later ones.
    Several(u16),
    /// Free hints solve the rest.
    NoHarder,
    /// Free singles, or free singles and locked candidates, solve the rest.
    Solved,
    /// There is no hint up to a limit. The rating is at least this.
    Above(u16),
    /// No producer has a hint.
    Nothing,
}

/// Gives the hints of some kinds in a position, in the order of the original, until the taker has enough.
type HintSearch = fn(&State, &mut Taker) -> Taken;

struct Producer {
    /// The lowest tenths of itself and of all later ones.
    lowest: u16,
    search: HintSearch,
}

const fn producer(lowest: u16, search: HintSearch) -> Producer {
    Producer { lowest, search }
}

static PRODUCERS: [Producer; 30] = [
    producer(10, singles::hidden_singles),
    producer(17, |state, take| locking::locking(state, true, take)),
    producer(20, |state, take| subsets::direct_hidden_sets(state, 2, take)),
    producer(23, singles::naked_singles),
    producer(25, |state, take| subsets::direct_hidden_sets(state, 3, take)),
    producer(26, |state, take| locking::locking(state, false, take)),
    producer(30, |state, take| subsets::naked_sets(state, 2, take)),
    producer(32, |state, take| fish::fish(state, 2, take)),
    producer(34, |state, take| subsets::hidden_sets(state, 2, take)),
    producer(36, |state, take| subsets::naked_sets(state, 3, take)),
    producer(38, |state, take| fish::fish(state, 3, take)),
    producer(40, |state, take| subsets::hidden_sets(state, 3, take)),
    producer(42, |state, take| wings::wings(state, false, take)),
    producer(44, |state, take| wings::wings(state, true, take)),
    producer(45, |state, take| loops::unique_loops(state, true, take)),
    producer(50, |state, take| subsets::naked_sets(state, 4, take)),
    producer(52, |state, take| fish::fish(state, 4, take)),
    producer(54, |state, take| subsets::hidden_sets(state, 4, take)),
    producer(56, bug::bug),
    producer(62, aligned::aligned_pairs),
    producer(65, forcing::forcing),
    producer(75, |state, take| aligned::triplets(state, true, take)),
    producer(75, |state, take| multiple(state, ChainLevel::Nishio, extend, take)),
    producer(80, |state, take| multiple(state, ChainLevel::Static, extend, take)),
    producer(85, |state, take| multiple(state, ChainLevel::Dynamic, extend, take)),
    producer(90, |state, take| multiple(state, ChainLevel::Plus, extend, take)),
    producer(95, |state, take| multiple(state, ChainLevel::NestedForcing, extend, take)),
    producer(100, |state, take| multiple(state, ChainLevel::NestedMultiple, extend, take)),
    producer(105, |state, take| multiple(state, ChainLevel::NestedDynamic, extend, take)),
    producer(110, |state, take| multiple(state, ChainLevel::NestedDynamicForcing, extend, take)),
];

/// Writes the first hint of the first producer that has one into `hint`. Producers above the limit are not asked.
fn first_hint(state: &mut State, news: &mut [News], bounds: &mut Bounds, hint: &mut FoundHint) -> NextHint {
    let solved = match bounds.free {
        LOCKING.. => state.settle(),
        HIDDEN.. => state.place_hidden_singles(),
        _ => false,
    };
    if solved {
        return NextHint::Solved;
    }
    let mut passed_on = std::mem::replace(&mut state.changed, News::NOTHING);
    for (&Producer { lowest, search }, news) in PRODUCERS.iter().zip(news) {
        news.add(&passed_on);
        if bounds.free >= bounds.needless(lowest) {
            passed_on = std::mem::replace(news, News::NOTHING);
            continue;
        }
        if lowest > bounds.limit {
            return NextHint::Above(lowest);
        }
        if lowest > EASY && bounds.tried < bounds.free {
            bounds.tried = bounds.free;
            if rest_is_free(state, bounds.free) {
                return NextHint::NoHarder;
            }
        }
        stop::ask();
        state.set_news(news);
        let free = if lowest > EASY { 0 } else { bounds.free };
        match collect(search, state, free, hint) {
            Some(FreeHints { place, remove, count: 1.. }) => {
                state.apply(&place, &remove);
                return NextHint::Several(lowest);
            }
            Some(_) => return NextHint::Found,
            None => passed_on = std::mem::replace(news, News::NOTHING),
        }
    }
    NextHint::Nothing
}

/// The free hints that a producer has given, together.
struct FreeHints {
    place: CellsByDigit,
    remove: CellsByDigit,
    count: u32,
}

/// Searches for hints up to the first above `free`, which goes into `hint`. None if there is no hint at all.
fn collect(search: HintSearch, state: &State, free: u16, hint: &mut FoundHint) -> Option<FreeHints> {
    let mut free_hints = FreeHints { place: [0; 9], remove: [0; 9], count: 0 };
    let end = search(state, &mut |next: &FoundHint| {
        if next.tenths() > free {
            hint.clone_from(next);
            return Err(Enough);
        }
        free_hints.count += 1;
        match next.placed {
            Some((cell, digit)) => free_hints.place[usize::from(digit)] |= 1 << cell,
            None => free_hints.remove.iter_mut().zip(next.remove).for_each(|(set, removed)| *set |= removed),
        }
        Ok(())
    });
    (end.is_err() || free_hints.count > 0).then_some(free_hints)
}

/// The highest tenths of hidden singles.
const HIDDEN: u16 = 15;

/// The highest tenths of singles and locked candidates.
const LOCKING: u16 = 28;

/// The highest tenths of the producers whose free hints are applied together. Each such hint stays possible until what
/// it says follows from easier ones.
const EASY: u16 = 44;

/// True if hints that are rated at most `free` solve a position in which no easy producer has a hint.
fn rest_is_free(state: &State, free: u16) -> bool {
    let Some(longest) = forcing::longest_chain(free) else { return false };
    let (mut state, mut news) = (state.clone(), [News::NOTHING; PRODUCERS.len()]);
    let mut bounds = Bounds { limit: EASY, free, tried: free, direct: false };
    let mut unused = FoundHint::new(HintKind::LastValue);
    loop {
        let Decided { refuted, proved } = forcing::decided(&state, longest);
        if refuted == [0; 9] && proved == [0; 9] {
            return false;
        }
        state.apply(&proved, &refuted);
        loop {
            match first_hint(&mut state, &mut news, &mut bounds, &mut unused) {
                NextHint::Several(_) => {}
                NextHint::Solved => return true,
                _ => break,
            }
        }
    }
}

#[cfg(test)]
mod gates;
#[cfg(test)]
mod tests;
