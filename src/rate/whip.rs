//! W and B ratings: the longest whip, or braid, that a puzzle needs.
//!
//! ```text
//!   Z --- L1 [V1] R1 --- L2 [V2] R2 --- L3 [V3] .          a whip of length 3 on the target Z
//! ```
//! A *variable* is a cell, or a digit in a row, column or box; its candidates are the ways to fill it. Two candidates
//! are *linked* when they share a variable. Suppose Z: in V1 all candidates are linked to Z but R1, so R1; in V2 all
//! are linked to Z or R1 but R2, so R2; ... in Vn all are linked to Z or an earlier R: a contradiction, Z goes. In a whip
//! each variable must have a candidate L linked to the R just before it (to Z, for the first); in a braid any earlier R or
//! Z will do. A whip of length 1 is a pointing or claiming.
//!
//! **The rating** is the smallest n such that singles and whips (braids) of length up to n solve the puzzle; 0: singles
//! alone. In each round all targets of the shortest chains are removed together; so the rating does not depend on the
//! order of the targets. Puzzles that "try a candidate, follow singles" cannot solve have neither rating. Whips and
//! braids of length 1 and 2 are the same things, therefore B > 2 if W > 2, and B <= W.
//!
//! **As published.** The published ratings come from rules that, besides the definition above, use no candidate twice as L
//! of a whip, and know each sequence R1 R2 .. with one sequence of Ls only: at each step the first L in the order box,
//! column, row, cell, each from the last one backwards. It makes a few whips (one puzzle in some thousands) longer than
//! they need to be, and makes W of such a puzzle depend on how it is printed. These rules are followed here.
//!
//! Reference: Denis Berthier, "Pattern-Based Constraint Satisfaction and Logic Puzzles".
//!
//! **The search** is depth first with increasing length for each target. A target is skipped while even all consequences
//! at once, round by round, need more rounds than the length: a chain needs at least one variable a round. The same bound
//! cuts branches further down. *Tried and lost:* keeping all partial whips of a length and extending them; most are
//! never needed, and storing them costs more than finding them again.

use crate::board::Puzzle;

const VARIABLES: usize = 324;
const CANDIDATES: usize = 729;

/// Longest whip and braid needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WhipRating {
    /// Longest whip. None when whips cannot solve the puzzle, or none up to the limit of the search.
    pub w: Option<u8>,
    /// Longest braid; as `w`.
    pub b: Option<u8>,
}

/// W and B of a 9x9 puzzle with one solution; chains longer than `limit` are not searched. None for other boards.
pub fn whip_rating(puzzle: &Puzzle, limit: u8) -> Option<WhipRating> {
    let position = Position::new(puzzle)?;
    let w = longest(position.clone(), Family::Whips, 0, limit);
    let b = match w {
        Some(0..=3) => w,
        // Shorter braids than whips may do; 3 is the least that can.
        Some(w) => longest(position, Family::Braids, 3, w),
        None => longest(position, Family::Braids, 0, limit),
    };
    Some(WhipRating { w, b })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Whips,
    Braids,
}

/// The smallest length, at least `least`, that solves the position.
fn longest(mut position: Position, family: Family, least: u8, limit: u8) -> Option<u8> {
    let mut needed = 0;
    let mut search = Box::new(Search::new());
    loop {
        position.singles();
        if position.open == 0 {
            return Some(needed);
        }
        if position.broken {
            return None;
        }
        let length = eliminate(&mut position, &mut search, family, limit)?;
        needed = needed.max(length).max(if length > 2 { least } else { 0 });
    }
}

/// Removes all targets of the shortest chains that there are; their length.
fn eliminate(position: &mut Position, search: &mut Search, family: Family, limit: u8) -> Option<u8> {
    search.load(position);
    let mut targets: Vec<u16> = (0..CANDIDATES as u16).filter(|&target| position.alive[target as usize]).collect();
    for length in 1..=limit {
        // Shorter whips and braids are the same, and the whips are found faster.
        let family = if length <= 2 { Family::Whips } else { family };
        if length == 3 {
            targets.retain(|&target| search.refutable(target, u8::MAX));
            if targets.is_empty() {
                return None;
            }
        }
        let refuted: Vec<u16> =
            targets.iter().copied().filter(|&target| search.target(target, family, length)).collect();
        if !refuted.is_empty() {
            refuted.iter().for_each(|&target| position.eliminate(target.into()));
            return Some(length);
        }
    }
    None
}

/// The variables of a candidate, each with the bit of the candidate in it.
static VARIABLES_OF: [[(u16, u16); 4]; CANDIDATES] = variables_of();
/// The candidate of each bit of each variable.
static CANDIDATE_AT: [[u16; 9]; VARIABLES] = candidate_at();
/// The 28 candidates linked to a candidate: in its box, column, row, cell, each from the last one backwards.
static LINKED: [[u16; 28]; CANDIDATES] = linked();

const fn variables_of() -> [[(u16, u16); 4]; CANDIDATES] {
    let mut all = [[(0, 0); 4]; CANDIDATES];
    let mut candidate = 0;
    while candidate < CANDIDATES {
        let (row, column, digit) = (candidate / 81, candidate / 9 % 9, candidate % 9);
        let (number, place) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
        all[candidate] = [
            ((candidate / 9) as u16, 1 << digit),
            ((81 + 9 * row + digit) as u16, 1 << column),
            ((162 + 9 * column + digit) as u16, 1 << row),
            ((243 + 9 * number + digit) as u16, 1 << place),
        ];
        candidate += 1;
    }
    all
}

const fn candidate_at() -> [[u16; 9]; VARIABLES] {
    let mut all = [[0; 9]; VARIABLES];
    let mut candidate = 0;
    while candidate < CANDIDATES {
        let mut at = 0;
        while at < 4 {
            let (variable, bit) = VARIABLES_OF[candidate][at];
            all[variable as usize][bit.trailing_zeros() as usize] = candidate as u16;
            at += 1;
        }
        candidate += 1;
    }
    all
}

const fn linked() -> [[u16; 28]; CANDIDATES] {
    let mut all = [[0; 28]; CANDIDATES];
    let mut candidate = 0;
    while candidate < CANDIDATES {
        let (row, column, digit) = (candidate / 81, candidate / 9 % 9, candidate % 9);
        let (mut count, mut at) = (0, 36);
        while at > 0 {
            at -= 1;
            let place = at % 9;
            // The box comes first, then column, row, cell; in the box only what is in neither of the lines.
            let (r, c, d) = match at / 9 {
                3 => (row / 3 * 3 + place / 3, column / 3 * 3 + place % 3, digit),
                2 => (place, column, digit),
                1 => (row, place, digit),
                _ => (row, column, place),
            };
            let other = 81 * r + 9 * c + d;
            if other != candidate && (at < 27 || r != row && c != column) {
                all[candidate][count] = other as u16;
                count += 1;
            }
        }
        candidate += 1;
    }
    all
}

/// Candidates left, and the variables that have a value.
#[derive(Clone)]
struct Position {
    alive: [bool; CANDIDATES],
    /// Candidates of each variable; none when it has a value.
    left: [u16; VARIABLES],
    settled: [bool; VARIABLES],
    /// Cells without a digit.
    open: usize,
    broken: bool,
    /// Candidates found to be the last of a variable.
    singles: Vec<u16>,
}

impl Position {
    fn new(puzzle: &Puzzle) -> Option<Position> {
        let shape = puzzle.shape();
        if (shape.box_rows(), shape.box_columns()) != (3, 3) {
            return None;
        }
        let mut position = Position {
            alive: [true; CANDIDATES],
            left: [0x1ff; VARIABLES],
            settled: [false; VARIABLES],
            open: 81,
            broken: false,
            singles: Vec::new(),
        };
        for (cell, &value) in puzzle.grid().values().iter().enumerate().filter(|&(_, &value)| value != 0) {
            position.place(9 * cell + usize::from(value) - 1);
        }
        Some(position)
    }

    fn eliminate(&mut self, candidate: usize) {
        if !std::mem::replace(&mut self.alive[candidate], false) {
            return;
        }
        for (variable, bit) in VARIABLES_OF[candidate] {
            let variable = variable as usize;
            self.left[variable] &= !bit;
            if !self.settled[variable] {
                self.broken |= self.left[variable] == 0;
                if self.left[variable].is_power_of_two() {
                    let place = self.left[variable].trailing_zeros() as usize;
                    self.singles.push(CANDIDATE_AT[variable][place]);
                }
            }
        }
    }

    fn place(&mut self, candidate: usize) {
        for (variable, _) in VARIABLES_OF[candidate] {
            self.settled[variable as usize] = true;
        }
        self.open -= 1;
        LINKED[candidate].iter().for_each(|&other| self.eliminate(other.into()));
        self.eliminate(candidate);
    }

    /// Places naked and hidden singles until there is none.
    fn singles(&mut self) {
        while let Some(candidate) = self.singles.pop() {
            if self.alive[candidate as usize] && !self.broken {
                self.place(candidate.into());
            }
        }
    }
}

/// What is left when a target and some right-linking candidates are assumed.
struct Search {
    alive: [bool; CANDIDATES],
    /// Candidates of each variable that are linked to nothing assumed; all bits when it has a value.
    rest: [u16; VARIABLES],
    /// How many of the assumed candidates are linked to each.
    linked: [u8; CANDIDATES],
    assumed: [bool; CANDIDATES],
    /// The candidates that are a left-linking one of the partial whip.
    left: [bool; CANDIDATES],
}

const SETTLED: u16 = 0xffff;

impl Search {
    fn new() -> Search {
        Search {
            alive: [false; CANDIDATES],
            rest: [SETTLED; VARIABLES],
            linked: [0; CANDIDATES],
            assumed: [false; CANDIDATES],
            left: [false; CANDIDATES],
        }
    }

    fn load(&mut self, position: &Position) {
        self.alive = position.alive;
        for (variable, rest) in self.rest.iter_mut().enumerate() {
            *rest = if position.settled[variable] { SETTLED } else { position.left[variable] };
        }
    }

    /// Assumes a candidate. True when a variable is left without any.
    fn push(&mut self, candidate: u16) -> bool {
        let mut clash = false;
        self.assumed[candidate as usize] = true;
        for &other in &LINKED[candidate as usize] {
            let other = other as usize;
            if self.alive[other] {
                self.linked[other] += 1;
                if self.linked[other] == 1 {
                    for (variable, bit) in VARIABLES_OF[other] {
                        let rest = &mut self.rest[variable as usize];
                        *rest &= !bit;
                        clash |= *rest == 0;
                    }
                }
            }
        }
        clash
    }

    fn pop(&mut self, candidate: u16) {
        self.assumed[candidate as usize] = false;
        for &other in &LINKED[candidate as usize] {
            let other = other as usize;
            if self.alive[other] {
                self.linked[other] -= 1;
                if self.linked[other] == 0 {
                    VARIABLES_OF[other].iter().for_each(|&(variable, bit)| self.rest[variable as usize] |= bit);
                }
            }
        }
    }

    /// Candidates that are the only ones left in a variable that has one linked to the given candidate.
    fn forced_by(&self, candidate: u16, add: &mut impl FnMut(u16)) {
        for &other in &LINKED[candidate as usize] {
            if !self.alive[other as usize] {
                continue;
            }
            for (variable, _) in VARIABLES_OF[other as usize] {
                let rest = self.rest[variable as usize];
                if rest.is_power_of_two() {
                    let right = CANDIDATE_AT[variable as usize][rest.trailing_zeros() as usize];
                    if !self.assumed[right as usize] {
                        add(right);
                    }
                }
            }
        }
    }

    /// True when there is a chain of this length on the target, given that there is no shorter one.
    fn target(&mut self, target: u16, family: Family, length: u8) -> bool {
        if length > 2 && !self.refutable(target, length) {
            return false;
        }
        let clash = self.push(target);
        let found = clash
            || length > 1
                && match family {
                    Family::Whips => self.whip(target, length - 1, false),
                    Family::Braids => {
                        let mut forced = Forced::default();
                        self.forced_by(target, &mut |right| forced.add(right));
                        self.braid(&forced, 0, length - 1)
                    }
                };
        self.pop(target);
        found
    }

    /// Extends a partial whip that ends with `last` by up to `more` variables, the last of which is left without a candidate.
    /// `missed`: such a variable is there already, but it could not be linked.
    fn whip(&mut self, last: u16, more: u8, missed: bool) -> bool {
        let mut links = Links { pairs: [(0, 0); 84], count: 0 };
        self.right_links(last, &mut links);
        for &(left, right) in &links.pairs[..links.count] {
            self.left[left as usize] = true;
            let clash = self.push(right) || missed;
            let found =
                clash && self.closes(right) || more > 1 && self.worth(more, clash) && self.whip(right, more - 1, clash);
            self.pop(right);
            self.left[left as usize] = false;
            if found {
                return true;
            }
        }
        false
    }

    /// The possible next left- and right-linking candidates: each right one with the first left one.
    fn right_links(&self, last: u16, links: &mut Links) {
        for &left in &LINKED[last as usize] {
            if !self.alive[left as usize] || self.left[left as usize] || self.assumed[left as usize] {
                continue;
            }
            for (variable, _) in VARIABLES_OF[left as usize] {
                let rest = self.rest[variable as usize];
                if rest.is_power_of_two() {
                    let right = CANDIDATE_AT[variable as usize][rest.trailing_zeros() as usize];
                    if !self.assumed[right as usize] {
                        links.add(left, right);
                    }
                }
            }
        }
    }

    /// True when a variable without candidates has one that is linked to `last` and was not a left-linking one before.
    fn closes(&self, last: u16) -> bool {
        LINKED[last as usize].iter().any(|&left| {
            let empty = |&(variable, _): &(u16, u16)| self.rest[variable as usize] == 0;
            self.alive[left as usize] && !self.left[left as usize] && VARIABLES_OF[left as usize].iter().any(empty)
        })
    }

    /// Chooses the next R among the forced ones from `first` on; every set of them is tried once, in one order.
    fn braid(&mut self, forced: &Forced, first: usize, more: u8) -> bool {
        for at in first..forced.count {
            let right = forced.rights[at];
            if self.assumed[right as usize] {
                continue;
            }
            let clash = self.push(right);
            let found = clash
                || more > 1 && self.worth(more, false) && {
                    let mut longer = *forced;
                    self.forced_by(right, &mut |right| longer.add(right));
                    self.braid(&longer, at + 1, more - 1)
                };
            self.pop(right);
            if found {
                return true;
            }
        }
        false
    }

    /// Whether it is possible at all that so many more variables lead to a clash.
    fn worth(&mut self, more: u8, clash: bool) -> bool {
        more <= 2 || clash || self.clashes_within(more)
    }

    /// True when assuming a target leads to a clash within so many rounds of all consequences at once.
    fn refutable(&mut self, target: u16, rounds: u8) -> bool {
        let clash = self.push(target);
        let found = clash || rounds > 1 && self.clashes_within(rounds);
        self.pop(target);
        found
    }

    /// True when the consequences of what is assumed lead to a clash in the `rounds`-th variable or before.
    fn clashes_within(&mut self, rounds: u8) -> bool {
        let (mut pushed, mut done, mut found) = (Vec::new(), 0, false);
        let mut front: Vec<u16> = Vec::new();
        for (variable, rest) in self.rest.iter().enumerate().filter(|(_, rest)| rest.is_power_of_two()) {
            let right = CANDIDATE_AT[variable][rest.trailing_zeros() as usize];
            if !self.assumed[right as usize] && !front.contains(&right) {
                front.push(right);
            }
        }
        for _ in 1..rounds {
            for right in front.drain(..) {
                if !self.assumed[right as usize] {
                    found |= self.push(right);
                    pushed.push(right);
                }
            }
            if found || done == pushed.len() {
                break;
            }
            for &last in &pushed[done..] {
                self.forced_by(last, &mut |right| {
                    if !front.contains(&right) {
                        front.push(right);
                    }
                });
            }
            done = pushed.len();
        }
        while let Some(right) = pushed.pop() {
            self.pop(right);
        }
        found
    }
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

/// Forced candidates, each once, in the order in which they were found.
#[derive(Clone, Copy)]
struct Forced {
    rights: [u16; VARIABLES],
    count: usize,
}

impl Default for Forced {
    fn default() -> Forced {
        Forced { rights: [0; VARIABLES], count: 0 }
    }
}

impl Forced {
    fn list(&self) -> &[u16] {
        &self.rights[..self.count]
    }

    fn add(&mut self, right: u16) {
        // A variable forces one candidate at most, so that there is always room.
        if !self.list().contains(&right) {
            self.rights[self.count] = right;
            self.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{WhipRating, whip_rating};
    use crate::board::{Puzzle, text};

    /// Minimal puzzles with their published W and B.
    /// Source: Denis Berthier, controlled-bias collection, DOI 10.5281/zenodo.17491457.
    const PUBLISHED: [(&str, u8, u8); 16] = [
        ("123.5..8...6..9...7...1..6.2...3...5...8...1..8.9....7.41.....2....7..91.........", 0, 0),
        ("..3.....94.7...2.6.....3.5....8.5.......61.4.9...4.57..6..1.9.7..........7.6...15", 1, 1),
        (".2....7.94......32....3.5.....3.5.1...486....5......68......8..83.6.29..9.1.4....", 2, 2),
        ("...45.78......9623.8.......2.1..48..3.5.1........6..5..74...3....6.......3...8..7", 3, 3),
        (".234.6.8...718....6...7....23..6.......8...1...9..7..5.....59.4....2..5..457....2", 4, 3),
        (".23........67.9.3....23.56.21........67.4...1..4...67......74.6...5..2..9....4.5.", 4, 4),
        (".2.....89...78.........25...3.61...76..9..........7.56..1....9..4.398.218....1...", 5, 4),
        (".23...7........1.2.89...64..3........7.8.192...4..2...3..5.841.5....4.9....1...6.", 5, 5),
        ("..34....9..7..9.........15.2...6.9....5..28...7.5.83..54.....17.1.87......9..54..", 6, 4),
        (".2.4..78.45...9.3......3.4......8...34.....2...5.1...85...7....7..8...9...6.....2", 6, 5),
        ("12.........6...1...98.3.....1.8..6.5........7..56.3..2..7...29156..9......2.47...", 6, 6),
        ("..34...8..5....2.6..97...4.2..67.5........3..9....5.61......658...9.....8.......7", 1, 1),
        ("1.3.....9....8..31..9..25.....5.7.9...4....1...78..3.53.2.7....6........8.129..6.", 2, 2),
        ("......78...718.236..82.....2..3.1.94..6.4..2...1.......6289.57..........7....3.6.", 3, 3),
        ("...4....9.57...2....6..3..5..89..6.3.318..........2.1.3.4..89..57...1..4.8.5.....", 4, 4),
        ("1...5..8...7....36.98.....1..6.4.........2.178........5.19....2...5.....9.26.3.75", 5, 5),
    ];

    fn puzzle(line: &str) -> Puzzle {
        Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap()
    }

    #[test]
    fn published_w_and_b_are_met() {
        for (line, w, b) in PUBLISHED {
            assert_eq!(whip_rating(&puzzle(line), 16), Some(WhipRating { w: Some(w), b: Some(b) }), "{line}");
        }
    }

    #[test]
    fn a_limit_below_the_rating_gives_none() {
        for (line, w, _) in PUBLISHED.into_iter().filter(|&(_, w, _)| (1..=4).contains(&w)) {
            assert_eq!(whip_rating(&puzzle(line), w - 1).unwrap().w, None, "{line}");
        }
    }

    #[test]
    fn a_puzzle_without_a_solution_has_neither_rating() {
        let line = ".12345678........9...............................................................";
        assert_eq!(whip_rating(&puzzle(line), 4), Some(WhipRating { w: None, b: None }));
        assert_eq!(whip_rating(&Puzzle::try_from(crate::board::Grid::blank("2x2".parse().unwrap())).unwrap(), 4), None);
    }
}
