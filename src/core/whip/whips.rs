//! Searches for whips, depth first. [`super`] draws a whip with its variables V and its candidates L and R.
//!
//! A *partial whip* has a target and some variables, each with an R. The Rs are assumed one after the other. A variable
//! is *empty* if all its candidates are linked to the target or to an R: it completes the whip. Which L a variable has
//! is decided at the end ([`WhipSearch::choose_lefts`]), because no candidate may be used twice as L.
//!
//! In short: L is linked to the R before it, or to the target; R is what is left of the variable, and is assumed next.

use super::chain::{Link, Whip};
use super::search::Assumptions;
use super::tables::{CANDIDATE_AT, CANDIDATES, VARIABLES_OF, VariableBit};

/// The most Rs that can follow an R: 28 candidates are linked to it, and each has three variables without it.
const MOST_RIGHTS: usize = 84;

/// A search for whips. It serves for one target after the other.
pub(super) struct WhipSearch {
    /// True for the target and the Rs of the partial whip.
    right: [bool; CANDIDATES],
    /// The target and the Rs of the partial whip, in order.
    path: Vec<u16>,
    /// The links of the whip that was found last.
    links: Vec<Link>,
}

impl WhipSearch {
    pub(super) fn new() -> WhipSearch {
        WhipSearch { right: [false; CANDIDATES], path: Vec::new(), links: Vec::new() }
    }

    /// The whip that was found last. Only after [`whip`](WhipSearch::whip) returned true.
    pub(super) fn last(&self) -> Whip {
        Whip { target: self.path[0], links: self.links.clone() }
    }

    pub(super) fn length(&self) -> u8 {
        self.links.len() as u8
    }

    /// True if there is a whip on the target of at most this length. False also if the budget of `search` is used up.
    pub(super) fn whip(&mut self, search: &mut Assumptions, target: u16, length: u8) -> bool {
        self.path.clear();
        self.path.push(target);
        self.right[target as usize] = true;
        search.list_links(target);
        let exists = search.with_target(target, |search, clash| {
            clash && self.closes(search, target) || length > 1 && self.longer(search, target, length - 1, clash)
        });
        self.right[target as usize] = false;
        self.path.truncate(1);
        exists
    }

    /// Completes a partial whip whose last R is `last`: with up to `more` further variables, of which the last is
    /// empty. True if this is possible. `has_empty_variable`: a variable is empty already, but is not linked to `last`,
    /// or the Ls cannot be chosen.
    fn longer(&mut self, search: &mut Assumptions, last: u16, more: u8, has_empty_variable: bool) -> bool {
        let mut rights = [0; MOST_RIGHTS];
        let count = self.extensions(search, last, &mut rights);
        for &right in &rights[..count] {
            if search.spent() {
                return false;
            }
            if more == 1 && !has_empty_variable && !search.clashes(right) {
                continue;
            }
            self.right[right as usize] = true;
            self.path.push(right);
            search.list_links(right);
            // `clashes_within` alone needs to know which candidates are forced, and is called only if `more > 2`.
            let (mark, clash) = if more > 2 { search.open(right) } else { search.open_last(right) };
            let has_empty_variable = clash || has_empty_variable;
            let is_complete = has_empty_variable && self.closes(search, right)
                || may_go_on(search, more, has_empty_variable)
                    && self.longer(search, right, more - 1, has_empty_variable);
            search.back_to(mark);
            self.path.pop();
            self.right[right as usize] = false;
            if is_complete {
                return true;
            }
        }
        false
    }

    /// Writes the Rs that can follow `last`, each once, and returns their number.
    fn extensions(&self, search: &Assumptions, last: u16, rights: &mut [u16; MOST_RIGHTS]) -> usize {
        let mut count = 0;
        for left in search.links(last) {
            for VariableBit { variable, .. } in VARIABLES_OF[left as usize] {
                let rest = search.rest(search.level, variable);
                if rest.is_power_of_two() {
                    let right = CANDIDATE_AT[variable as usize][rest.trailing_zeros() as usize];
                    if right != left && !self.right[right as usize] && !rights[..count].contains(&right) {
                        rights[count] = right;
                        count += 1;
                    }
                }
            }
        }
        count
    }

    /// True if the whip is complete: a candidate that is linked to `last` belongs to an empty variable, and different
    /// Ls can be chosen for all variables. Records the links of the whip.
    fn closes(&mut self, search: &Assumptions, last: u16) -> bool {
        let mut variables = search.links(last).flat_map(|left| VARIABLES_OF[left as usize]);
        variables.any(|of_left| search.rest(search.level, of_left.variable) == 0) && self.choose_lefts(search)
    }

    /// Chooses a different L for each variable, by augmenting paths, and records the links. False if there is no way.
    fn choose_lefts(&mut self, search: &Assumptions) -> bool {
        let options: Vec<Vec<Link>> = (0..self.path.len()).map(|number| self.options(search, number)).collect();
        let mut chosen: Vec<Option<Link>> = vec![None; options.len()];
        let is_possible = (0..options.len()).all(|number| augment(number, &options, &mut chosen, &mut Vec::new()));
        if is_possible {
            self.links = chosen.into_iter().flatten().collect();
        }
        is_possible
    }

    /// The possible links of a variable of the whip, by its number. The last one has no R, and may be any empty one.
    fn options(&self, search: &Assumptions, number: usize) -> Vec<Link> {
        let right = self.path.get(number + 1).copied();
        let mut options = Vec::new();
        for left in search.links(self.path[number]).filter(|&left| Some(left) != right) {
            for VariableBit { variable, .. } in VARIABLES_OF[left as usize] {
                let fits = match right {
                    None => search.rest(search.level, variable) == 0,
                    Some(right) => {
                        let last_left = VariableBit { variable, bit: search.rest(number + 1, variable) };
                        VARIABLES_OF[right as usize].contains(&last_left)
                    }
                };
                if fits {
                    options.push(Link { left, variable, right });
                }
            }
        }
        options
    }
}

/// False if a partial whip need not go on: no variable can become empty within the length that is left. With two
/// further variables it is not known what is forced, and the whip goes on.
fn may_go_on(search: &mut Assumptions, more: u8, has_empty_variable: bool) -> bool {
    more > 1 && (more == 2 || has_empty_variable || search.clashes_within(0, more))
}

/// Gives a variable, by its number in the whip, one of its `options`, with an L that no other variable has. If
/// necessary, other variables get another L. `tried`: the Ls that were tried on this path. False if there is no way.
fn augment(number: usize, options: &[Vec<Link>], chosen: &mut [Option<Link>], tried: &mut Vec<u16>) -> bool {
    options[number].iter().any(|link| {
        if tried.contains(&link.left) {
            return false;
        }
        tried.push(link.left);
        let owner = chosen.iter().position(|owned| owned.as_ref().is_some_and(|owned| owned.left == link.left));
        let is_free = owner.is_none_or(|owner| augment(owner, options, chosen, tried));
        if is_free {
            chosen[number] = Some(*link);
        }
        is_free
    })
}
