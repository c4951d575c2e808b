//! Whips as the published ratings know them.

use super::search::Search;
use super::tables::{CANDIDATE_AT, CANDIDATES, VARIABLES_OF};

/// The whip being built.
pub(super) struct Chain {
    /// Its target and right-linking candidates.
    right: [bool; CANDIDATES],
    /// Its left-linking candidates.
    left: [bool; CANDIDATES],
}

/// Left- and right-linking candidates; at most three variables for each of 28 linked candidates.
struct Links {
    pairs: [(u16, u16); 84],
    count: usize,
}

impl Links {
    fn add(&mut self, left: u16, right: u16) {
        if self.pairs[..self.count].iter().all(|&(_, known)| known != right) {
            self.pairs[self.count] = (left, right);
            self.count += 1;
        }
    }
}

impl Chain {
    pub(super) fn new() -> Chain {
        Chain { right: [false; CANDIDATES], left: [false; CANDIDATES] }
    }

    /// True when there is a whip of this length or shorter on the target.
    pub(super) fn whip(&mut self, search: &mut Search, target: u16, length: u8) -> bool {
        self.right[target as usize] = true;
        let found = search
            .with_target(target, |search, clash| clash || length > 1 && self.longer(search, target, length - 1, false));
        self.right[target as usize] = false;
        found
    }

    /// Extends a partial whip that ends with `last` by up to `more` variables, the last of which is left without a candidate.
    /// `missed`: such a variable is there already, but it could not be linked.
    fn longer(&mut self, search: &mut Search, last: u16, more: u8, missed: bool) -> bool {
        let mut links = Links { pairs: [(0, 0); 84], count: 0 };
        self.right_links(search, last, &mut links);
        for &(left, right) in &links.pairs[..links.count] {
            if search.spent() {
                return false;
            }
            self.left[left as usize] = true;
            self.right[right as usize] = true;
            let mark = search.mark();
            let clash = search.assume(right) || missed;
            let found = clash && self.closes(search, right)
                || more > 1
                    && (more <= 2 || clash || search.clashes_within(0, more))
                    && self.longer(search, right, more - 1, clash);
            search.back_to(mark);
            self.right[right as usize] = false;
            self.left[left as usize] = false;
            if found {
                return true;
            }
        }
        false
    }

    /// The possible next left- and right-linking candidates: each right one with the first left one.
    fn right_links(&self, search: &Search, last: u16, links: &mut Links) {
        for &left in search.links(last) {
            if self.left[left as usize] {
                continue;
            }
            for (variable, _) in VARIABLES_OF[left as usize] {
                let rest = search.rest[variable as usize];
                if rest.is_power_of_two() {
                    let right = CANDIDATE_AT[variable as usize][rest.trailing_zeros() as usize];
                    if !self.right[right as usize] {
                        links.add(left, right);
                    }
                }
            }
        }
    }

    /// True when a variable without candidates has one that is linked to `last` and was not a left-linking one before.
    fn closes(&self, search: &Search, last: u16) -> bool {
        search.links(last).iter().any(|&left| {
            let empty = |&(variable, _): &(u16, u16)| search.rest[variable as usize] == 0;
            !self.left[left as usize] && VARIABLES_OF[left as usize].iter().any(empty)
        })
    }
}
