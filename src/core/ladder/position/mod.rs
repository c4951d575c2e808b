//! A position and the data that several techniques share. Each item is computed when it is first needed.
//!
//! ```text
//!   marks ---> almost locked sets ---> restricted commons ---> XZ rule, XY-Wing, ALS chains
//!        \                       \---> links with sets ------> loops, discontinuous loops, AIC with sets
//!         \---> links ---------------------------------------> the same without sets
//!         |\---> houses whose digits have few places -------> subsets
//!         |\---> open rectangles ----------------------------> uniqueness tests, hidden rectangles
//!          \---> closure of single or joint implications ----> forcing chains, forcing nets, kraken fish
//! ```
//!
//! For a puzzle that needs more than wings, about ten of these techniques are searched in most rounds. Without sharing,
//! a third of the ladder's time was spent on building the same data again.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `common` | what cells have in common | `shared_houses` |
//! | `choices` | all choices of some members of a pool that stay small together | `choices` |
//! | `quiet` | searches that skip houses without news | `Quiet` |
//! | `subset_houses` | the houses that may have a subset | `with_hidden` |
//! | `rectangles` | four cells in two rows, two columns and two boxes | `OpenRectangle` |
//! | `template_places` | the candidates of a digit that belong to no template | `digits_worth_searching` |
//! | `locked_sets` | almost locked sets | `LockedSets` |
//! | `restricted_commons` | digits that two sets cannot both have | `RestrictedCommons` |
//! | `wave` | chains of sets from all starts | `Wave` |
//! | `laws` | the lines and regions of the law of leftovers | `Law` |
//! | `links` | the links that chains consist of | `Links` |
//! | `closure` | all that follows from each premise | `Closure` |

pub(crate) mod choices;
pub(crate) mod closure;
pub(crate) mod common;
pub(crate) mod laws;
pub(crate) mod links;
pub(crate) mod locked_sets;
pub(crate) mod quiet;
pub(crate) mod rectangles;
pub(crate) mod restricted_commons;
pub(crate) mod subset_houses;
pub(crate) mod template_places;
pub(crate) mod wave;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::board::candidates::Houses;
use crate::board::{Candidates, CellSet};

use closure::{Closure, Implications, Nets};
use laws::{Law, laws};
use links::{LinkOptions, Links};
use locked_sets::LockedSets;
use rectangles::{OpenRectangle, open_rectangles};
use restricted_commons::RestrictedCommons;
use subset_houses::{MAX_SIZE, with_hidden};
use wave::Wave;

use crate::ladder::words::technique::LinkType;

/// The pencil marks of a position and data derived from them. Most rounds need none of it, so large data is boxed.
#[derive(Debug)]
pub struct Position<'m, S: 'static> {
    /// The pencil marks.
    pub marks: &'m Candidates<S>,
    /// True when the almost locked sets of a wing or chain may share cells.
    sets_may_overlap: bool,
    /// See [`with_hidden`](subset_houses::with_hidden), by size.
    with_hidden: OnceCell<[Houses; MAX_SIZE]>,
    sets: OnceCell<Rc<LockedSets<S>>>,
    restricted_commons: OnceCell<Rc<RestrictedCommons<S>>>,
    wave: OnceCell<Box<RefCell<Option<Wave>>>>,
    links: [OnceCell<Rc<Links<S>>>; LinkType::COUNT],
    /// For loops with almost locked sets.
    links_for_loops: OnceCell<Rc<Links<S>>>,
    rectangles: OnceCell<Vec<OpenRectangle>>,
    closures: [OnceCell<Box<Closure<S>>>; Implications::COUNT],
    refuted_by_nets: OnceCell<Vec<u64>>,
    /// What earlier positions of the same puzzle have left, if it is kept.
    earlier: Option<&'m Earlier<S>>,
}

/// What positions of a puzzle leave to later ones, so that these compute only what has changed.
#[derive(Debug, Default)]
pub(crate) struct Earlier<S: 'static> {
    nets: RefCell<Option<Nets>>,
    restricted_commons: RefCell<Option<Rc<RestrictedCommons<S>>>>,
    laws: OnceCell<Rc<[Law<S>]>>,
}

impl<'m, S: CellSet> Position<'m, S> {
    /// A position of which only the marks are known.
    pub fn new(marks: &'m Candidates<S>) -> Position<'m, S> {
        Position {
            marks,
            sets_may_overlap: false,
            with_hidden: OnceCell::new(),
            sets: OnceCell::new(),
            restricted_commons: OnceCell::new(),
            wave: OnceCell::new(),
            links: [const { OnceCell::new() }; LinkType::COUNT],
            links_for_loops: OnceCell::new(),
            rectangles: OnceCell::new(),
            closures: [const { OnceCell::new() }; Implications::COUNT],
            refuted_by_nets: OnceCell::new(),
            earlier: None,
        }
    }

    /// A position of a puzzle that uses what earlier ones have left, and leaves the same. No candidate comes back.
    pub(crate) fn after(marks: &'m Candidates<S>, earlier: &'m Earlier<S>) -> Position<'m, S> {
        Position { earlier: Some(earlier), ..Position::new(marks) }
    }

    /// The same position, in which almost locked sets may share cells, as in some cases of HoDoKu's library.
    #[cfg(test)]
    pub(crate) fn with_overlapping_sets(marks: &'m Candidates<S>) -> Position<'m, S> {
        Position { sets_may_overlap: true, ..Position::new(marks) }
    }

    /// The houses in which at least `size` digits have at most `size` places.
    pub(crate) fn with_hidden(&self, size: usize) -> Houses {
        self.with_hidden.get_or_init(|| with_hidden(self.marks))[size - 1]
    }

    pub(crate) fn sets(&self) -> &Rc<LockedSets<S>> {
        self.sets.get_or_init(|| {
            let earlier = self.earlier_commons();
            Rc::new(LockedSets::new(self.marks, earlier.as_ref().map(|commons| &*commons.sets)))
        })
    }

    /// The restricted commons of the last position that computed them.
    fn earlier_commons(&self) -> Option<Rc<RestrictedCommons<S>>> {
        self.earlier.and_then(|earlier| earlier.restricted_commons.borrow().clone())
    }

    /// The restricted commons of the almost locked sets; computed at the first call.
    pub(crate) fn restricted_commons(&self) -> &RestrictedCommons<S> {
        self.restricted_commons.get_or_init(|| {
            let (sets, earlier) = (Rc::clone(self.sets()), self.earlier_commons());
            let commons = Rc::new(RestrictedCommons::new(self.marks, sets, self.sets_may_overlap, earlier.as_deref()));
            if let Some(earlier) = self.earlier {
                *earlier.restricted_commons.borrow_mut() = Some(Rc::clone(&commons));
            }
            commons
        })
    }

    /// The chains of almost locked sets as far as they were searched.
    pub(crate) fn wave(&self) -> &RefCell<Option<Wave>> {
        self.wave.get_or_init(Box::default)
    }

    pub(crate) fn laws(&self) -> Rc<[Law<S>]> {
        match self.earlier {
            Some(earlier) => Rc::clone(earlier.laws.get_or_init(|| laws(self.marks))),
            None => laws(self.marks),
        }
    }

    /// The links for chains with two ends.
    pub(crate) fn links(&self, link_type: LinkType) -> &Rc<Links<S>> {
        self.links[link_type as usize].get_or_init(|| self.new_links(link_type, true))
    }

    /// The links for loops. They differ from the others only with almost locked sets.
    pub(crate) fn links_for_loops(&self, link_type: LinkType) -> &Links<S> {
        match link_type {
            LinkType::AlmostLocked => self.links_for_loops.get_or_init(|| self.new_links(link_type, false)),
            _ => self.links(link_type),
        }
    }

    /// With `ends_in_sets`, chains may begin and end inside almost locked sets.
    fn new_links(&self, link_type: LinkType, ends_in_sets: bool) -> Rc<Links<S>> {
        let sets = (link_type == LinkType::AlmostLocked).then(|| Rc::clone(self.sets()));
        let options = LinkOptions { sets, is_layered: link_type.has_groups(), ends_in_sets };
        Rc::new(Links::new(self.marks, link_type, options))
    }

    pub(crate) fn rectangles(&self) -> &[OpenRectangle] {
        self.rectangles.get_or_init(|| open_rectangles(self.marks))
    }

    pub(crate) fn closure(&self, implications: Implications) -> &Closure<S> {
        let links = Rc::clone(self.links(implications.link_type()));
        let new = || match implications {
            Implications::Chain => Closure::of_chains(self.marks, links),
            Implications::Net => self.with_nets(|nets| Closure::of_nets(self.marks, links, nets)),
        };
        self.closures[implications as usize].get_or_init(|| Box::new(new()))
    }

    /// The premises that are refuted. For nets, all that follows from the others is mostly not needed.
    pub(crate) fn refuted(&self, implications: Implications) -> &[u64] {
        let links = self.links(implications.link_type());
        let of_nets = || self.with_nets(|nets| Closure::refuted_by_nets(self.marks, links, nets));
        match implications {
            Implications::Chain => &self.closure(implications).refuted,
            Implications::Net => self.refuted_by_nets.get_or_init(of_nets),
        }
    }

    /// Draws conclusions by nets, from those of earlier positions if they are kept.
    fn with_nets<T>(&self, conclude: impl FnOnce(&mut Option<Nets>) -> T) -> T {
        match self.earlier {
            Some(earlier) => conclude(&mut earlier.nets.borrow_mut()),
            None => conclude(&mut None),
        }
    }
}
