//! A position with what several techniques need to know of it, each worked out once, when it is first asked for.
//!
//! ```text
//!   marks ---> almost locked sets ---> ties ----------------> XZ rule, XY-Wing, ALS chains
//!        \                       \---> links with sets ------> loops, discontinuous loops, AIC of that grade
//!         \---> links ---------------------------------------> those of the lower grades
//!         |\---> open rectangles ----------------------------> uniqueness tests, hidden rectangles
//!          \---> closure of single or joint implications ----> forcing chains, forcing nets, kraken fish
//! ```
//!
//! A puzzle beyond wings has some ten such techniques searched in most rounds; without sharing, a third of the time of
//! the whole ladder went into building the same things again.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::board::{Candidates, CellSet};

use super::als_chains::Wave;
use super::closure::{Closure, Implications};
use super::links::{LinkType, Links};
use super::locked_sets::LockedSets;
use super::rectangles::{OpenRectangle, open_rectangles};
use super::restricted_commons::RestrictedCommons;

/// The pencil marks of a position, and what follows from them. One is made in every round, in most of which nothing of it
/// is asked for: what is large stands elsewhere.
#[derive(Debug)]
pub struct Position<'m, S: 'static> {
    /// The pencil marks.
    pub marks: &'m Candidates<S>,
    sets: OnceCell<Rc<LockedSets<S>>>,
    restricted_commons: OnceCell<Box<RestrictedCommons<S>>>,
    waves: OnceCell<Box<RefCell<[Option<Wave>; 2]>>>,
    /// By grade.
    links: [OnceCell<Box<Links<S>>>; LinkType::COUNT],
    /// Almost locked sets included.
    links_for_loops: OnceCell<Box<Links<S>>>,
    rectangles: OnceCell<Vec<OpenRectangle>>,
    /// By depth.
    closures: [OnceCell<Box<Closure<S>>>; Implications::COUNT],
}

impl<'m, S: CellSet> Position<'m, S> {
    /// Nothing is known yet but the marks.
    pub fn new(marks: &'m Candidates<S>) -> Position<'m, S> {
        Position {
            marks,
            sets: OnceCell::new(),
            restricted_commons: OnceCell::new(),
            waves: OnceCell::new(),
            links: [const { OnceCell::new() }; LinkType::COUNT],
            links_for_loops: OnceCell::new(),
            rectangles: OnceCell::new(),
            closures: [const { OnceCell::new() }; Implications::COUNT],
        }
    }

    /// Every almost locked set.
    pub(super) fn sets(&self) -> &Rc<LockedSets<S>> {
        self.sets.get_or_init(|| Rc::new(LockedSets::new(self.marks)))
    }

    /// Which almost locked sets take a digit from which.
    pub(super) fn restricted_commons(&self) -> &RestrictedCommons<S> {
        self.restricted_commons.get_or_init(|| Box::new(RestrictedCommons::new(self.marks, Rc::clone(self.sets()))))
    }

    /// The chains of almost locked sets, as long as they have been searched: without and with overlap of neighbours.
    pub(super) fn waves(&self) -> &RefCell<[Option<Wave>; 2]> {
        self.waves.get_or_init(Box::default)
    }

    /// The links for chains with two ends.
    pub(super) fn links(&self, link_type: LinkType) -> &Links<S> {
        self.links[link_type as usize]
            .get_or_init(|| Box::new(Links::new(self.marks, link_type, || Rc::clone(self.sets()))))
    }

    /// The links for chains that close. Only with almost locked sets do they differ from the others.
    pub(super) fn links_for_loops(&self, link_type: LinkType) -> &Links<S> {
        match link_type {
            LinkType::AlmostLocked => self
                .links_for_loops
                .get_or_init(|| Box::new(Links::for_loops(self.marks, link_type, || Rc::clone(self.sets())))),
            _ => self.links(link_type),
        }
    }

    /// Every open rectangle, for the techniques that rest on uniqueness.
    pub(super) fn rectangles(&self) -> &[OpenRectangle] {
        self.rectangles.get_or_init(|| open_rectangles(self.marks))
    }

    /// What every candidate implies, true or false.
    pub(super) fn closure(&self, implications: Implications) -> &Closure<S> {
        self.closures[implications as usize].get_or_init(|| Box::new(Closure::new(self.marks, implications)))
    }
}
