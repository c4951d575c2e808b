//! From a technique to the function that searches for it: one match in two halves.
//!
//! The compiler makes a copy of each family for every width of the cell sets. Techniques that are searched only on
//! boards up to 16x16 are left out of the two widest copies: this halves the time to compile the crate. For the same
//! reason the functions here take one type of sink, [`AnySink`].

use std::any::Any;

use crate::board::{Candidates, CellSet, Digit, Narrow, Shape};
use crate::ladder::als::{als_chains, blossom, sue_de_coq, xz};
use crate::ladder::basics::{intersections, leftovers, singles, subsets, wings};
use crate::ladder::chains::{forcing, nice_loops};
use crate::ladder::exotic::multi_sector::Offer;
use crate::ladder::exotic::{aligned, exocet, fireworks, multi_sector, tridagon};
use crate::ladder::fish::kinds::FishKind;
use crate::ladder::fish::{kinds, kraken};
use crate::ladder::position::Position;
use crate::ladder::position::closure::Implications;
use crate::ladder::single_digit::{colours, empty_rectangles, templates, turbot, x_chains};
use crate::ladder::uniqueness::conclusions::UniquenessType;
use crate::ladder::uniqueness::{bug, loops, rectangles};
use crate::ladder::words::family::Family;
use crate::ladder::words::list::{AnySink, Keep, StepList};
use crate::ladder::words::rungs::Ladder;
use crate::ladder::words::sink::Sink as _;
use crate::ladder::words::step::Step;
use crate::ladder::words::table::Technique;
use crate::stop;

/// The largest order of a board on which the techniques of [`find_on_small`] are searched.
const WHOLE: usize = 16;

/// On boards above 9x9 with more candidates than this, only the techniques that every board uses are searched. A 9x9
/// board has at most 729 candidates, a 16x16 puzzle about 600. A nearly empty large board has thousands, and the search
/// for chains on it would take seconds and find nothing of use.
pub(crate) const MOST_CANDIDATES: usize = 1_000;

/// Offers every instance of the techniques of one rung to a sink.
pub fn find<S: CellSet>(rung: &[Technique], position: &Position<'_, S>, sink: &mut AnySink<'_, '_, S>) {
    if let [_] = rung {
        return find_together(rung, position, sink);
    }
    // Chains of the same links are found by one search.
    for together in rung.chunk_by(|a, b| a.link_type().is_some() && a.link_type() == b.link_type()) {
        // What follows from every choice by chains is the opposite of a premise that chains refute.
        let is_repeat =
            together == [Technique::ForcingChainVerity] && rung.contains(&Technique::ForcingChainContradiction);
        if !is_repeat || sink.wants_repeats() {
            find_together(together, position, sink);
        }
    }
}

/// Searches with a function that is written for the plain 9x9 board only: other boards of its width have other boxes.
fn on_nine<S: CellSet>(
    marks: &Candidates<S>,
    search: fn(&Candidates<Narrow>, Offer<'_>),
    sink: &mut AnySink<'_, '_, S>,
) {
    if marks.shape() == Shape::NINE
        && let Some(marks) = (marks as &dyn Any).downcast_ref()
    {
        search(marks, &mut |priority, out, pattern| {
            let out: Vec<(Digit, S)> = out.iter().map(|&(digit, cells)| (digit, S::from_low(cells.0))).collect();
            sink.eliminate_at(priority, &out, || pattern);
        });
    }
}

/// Searches for one technique, or for several that share a search.
fn find_together<S: CellSet>(together: &[Technique], position: &Position<'_, S>, sink: &mut AnySink<'_, '_, S>) {
    let (marks, technique) = (position.marks, together[0]);
    if !technique.is_searched_on(marks.shape()) {
        return;
    }
    sink.search_for(technique);
    match technique {
        Technique::FullHouse => singles::full_houses(marks, sink),
        Technique::NakedSingle => singles::naked_singles(marks, sink),
        Technique::HiddenSingleBox => singles::hidden_singles(marks, true, sink),
        Technique::HiddenSingleLine => singles::hidden_singles(marks, false, sink),
        Technique::LockedPair => intersections::locked_subsets(position, 2, sink),
        Technique::LockedTriple => intersections::locked_subsets(position, 3, sink),
        Technique::Pointing => intersections::pointing(marks, sink),
        Technique::Claiming => intersections::claiming(marks, sink),
        Technique::NakedPair => subsets::naked_subsets(position, 2, sink),
        Technique::NakedTriple => subsets::naked_subsets(position, 3, sink),
        Technique::HiddenPair => subsets::hidden_subsets(position, 2, sink),
        Technique::HiddenTriple => subsets::hidden_subsets(position, 3, sink),
        Technique::LawOfLeftovers2 => leftovers::leftovers(position, 2..=2, sink),
        Technique::NakedQuadruple => subsets::naked_subsets(position, 4, sink),
        Technique::LawOfLeftovers3 => leftovers::leftovers(position, 3..=3, sink),
        Technique::HiddenQuadruple => subsets::hidden_subsets(position, 4, sink),
        Technique::LawOfLeftovers4 => leftovers::leftovers(position, 4..=usize::MAX, sink),
        Technique::XWing => kinds::basic_fish(marks, 2, sink),
        Technique::Swordfish => kinds::basic_fish(marks, 3, sink),
        Technique::Jellyfish => kinds::basic_fish(marks, 4, sink),
        Technique::Skyscraper => turbot::skyscrapers(marks, sink),
        Technique::DualTwoStringKite => turbot::dual_two_string_kites(marks, sink),
        Technique::TwoStringKite => turbot::two_string_kites(marks, sink),
        Technique::TurbotFish => turbot::turbot_fish(marks, sink),
        Technique::DualEmptyRectangle => empty_rectangles::dual_empty_rectangles(marks, sink),
        Technique::EmptyRectangle => empty_rectangles::empty_rectangles(marks, sink),
        Technique::WWing => wings::w_wings(marks, sink),
        Technique::XyWing => wings::wings(marks, false, sink),
        Technique::XyzWing => wings::wings(marks, true, sink),
        _ if const { S::CAPACITY <= WHOLE * WHOLE } => find_on_small(together, position, sink),
        _ => {}
    }
}

/// Searches for the techniques that need a board up to [`WHOLE`], with up to [`MOST_CANDIDATES`] candidates.
fn find_on_small<S: CellSet>(together: &[Technique], position: &Position<'_, S>, sink: &mut AnySink<'_, '_, S>) {
    let (marks, technique) = (position.marks, together[0]);
    stop::ask();
    if marks.order() > 9 && marks.open().cells().map(|cell| marks.of_cell(cell).len()).sum::<usize>() > MOST_CANDIDATES
    {
        return;
    }
    if let Some(kind) = FishKind::of_code(technique.info().code_in_library) {
        return kind.search(position, sink);
    }
    if let Some(link_type) = technique.link_type() {
        return nice_loops::chains(position, link_type, together, sink);
    }
    if technique.info().family == Family::Uniqueness {
        return find_uniqueness(technique, position, sink);
    }
    match technique {
        Technique::RemotePair => colours::remote_pairs(marks, sink),
        Technique::SueDeCoq => sue_de_coq::sue_de_coqs(marks, sink),
        Technique::FireworkTriple => fireworks::firework_triples(marks, sink),
        Technique::FireworkQuadruple => fireworks::firework_quadruples(marks, sink),
        Technique::SimpleColorsTrap => colours::traps(marks, sink),
        Technique::SimpleColorsWrap => colours::wraps(marks, sink),
        Technique::MultiColors1 => colours::bridged_nets(marks, sink),
        Technique::MultiColors2 => colours::trapped_colours(marks, sink),
        Technique::XChain => x_chains::x_chains(marks, sink),
        Technique::AlsXz => xz::als_xz(position, sink),
        Technique::AlsXyWing => als_chains::als_xy_wings(position, sink),
        Technique::AlsChain => als_chains::als_chains(position, sink),
        Technique::DeathBlossom => blossom::death_blossoms(position, sink),
        Technique::AlignedPair => aligned::aligned_exclusions(marks, 2, sink),
        Technique::AlignedTriplet => aligned::aligned_exclusions(marks, 3, sink),
        Technique::Tridagon => tridagon::tridagons(marks, sink),
        Technique::SkLoop => on_nine(marks, multi_sector::sk_loops, sink),
        Technique::JuniorExocet => on_nine(marks, exocet::junior_exocets, sink),
        Technique::MultiSectorLockedSet => on_nine(marks, multi_sector::multi_sector_locked_sets, sink),
        Technique::KrakenFish1 => kraken::kraken_fish_1(position, sink),
        Technique::KrakenFish2 => kraken::kraken_fish_2(position, sink),
        Technique::TridagonChain => tridagon::tridagon_chains(position, sink),
        Technique::ForcingChainContradiction => forcing::contradictions(position, Implications::Chain, sink),
        Technique::ForcingChainVerity => forcing::verities(position, Implications::Chain, sink),
        Technique::ForcingNetContradiction => forcing::contradictions(position, Implications::Net, sink),
        Technique::ForcingNetVerity => forcing::verities(position, Implications::Net, sink),
        Technique::TridagonNet => tridagon::tridagon_nets(position, sink),
        Technique::TemplateSet => templates::template_sets(marks, sink),
        Technique::TemplateDelete => templates::template_deletes(marks, sink),
        // The other function searches for the rest. Every technique has a case that a test searches for.
        _ => {}
    }
}

/// Searches for a technique that builds on the solution being the only one.
fn find_uniqueness<S: CellSet>(technique: Technique, position: &Position<'_, S>, sink: &mut AnySink<'_, '_, S>) {
    let marks = position.marks;
    match technique {
        Technique::BugPlusOne => bug::bugs(marks, UniquenessType::Alone, sink),
        Technique::UniquenessTest1 => rectangles::uniqueness_test(position, 1, sink),
        Technique::UniquenessTest2 => rectangles::uniqueness_test(position, 2, sink),
        Technique::UniquenessTest3 => rectangles::uniqueness_test(position, 3, sink),
        Technique::UniquenessTest4 => rectangles::uniqueness_test(position, 4, sink),
        Technique::UniquenessTest5 => rectangles::uniqueness_test(position, 5, sink),
        Technique::UniquenessTest6 => rectangles::uniqueness_test_6(position, sink),
        Technique::HiddenRectangle => rectangles::hidden_rectangles(position, sink),
        Technique::AvoidableRectangle1 => rectangles::avoidable_rectangles_1(marks, sink),
        Technique::AvoidableRectangle2 => rectangles::avoidable_rectangles_2(marks, sink),
        Technique::UniqueLoop6 => loops::unique_loops(marks, 6, 8, sink),
        Technique::UniqueLoop8 => loops::unique_loops(marks, 8, 10, sink),
        Technique::UniqueLoop10 => loops::unique_loops(marks, 10, loops::ANY_LENGTH, sink),
        Technique::BugType2 => bug::bugs(marks, UniquenessType::SameExtra, sink),
        Technique::BugType3 => bug::bugs(marks, UniquenessType::Subset, sink),
        Technique::BugType4 => bug::bugs(marks, UniquenessType::Locked, sink),
        _ => {}
    }
}

/// Every instance of a technique in a position, as steps of round 0, in the order of the search.
#[cfg(test)]
pub(crate) fn find_all_at<S: CellSet>(technique: Technique, position: &Position<'_, S>) -> Vec<Step> {
    let mut instances = StepList::<S>::all();
    find(&[technique], position, &mut AnySink::List(&mut instances));
    instances.into_steps(technique)
}

/// The simplest instance of the cheapest rung that finds anything.
pub(crate) fn simplest_step<S: CellSet>(marks: &Candidates<S>, ladder: &Ladder) -> Option<Step> {
    let position = Position::new(marks);
    for rung in ladder.rungs() {
        let mut simplest = None;
        for &technique in rung {
            let mut instances = StepList::<S>::new(Keep::SIMPLEST);
            find(&[technique], &position, &mut AnySink::List(&mut instances));
            if let Some((rank, conclusion, pattern)) = instances.into_simplest()
                && simplest.as_ref().is_none_or(|&(lowest, _)| rank < lowest)
            {
                simplest = Some((rank, Step::new(0, technique, &conclusion, pattern)));
            }
        }
        if let Some((_, step)) = simplest {
            return Some(step);
        }
    }
    None
}
