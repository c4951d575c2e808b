//! Depth-first search: sweep until nothing changes, then branch.
//!
//! ```text
//!   sweep, sweep, sweep ... --> dead: take the next position from the stack
//!                           --> solved: report it, take the next position from the stack
//!                           --> open: choose a cell, go on with one candidate, put the other candidates on the stack
//! ```
//!
//! The choice of the cell decides how many positions a hard puzzle takes. The search chooses among the cells with two
//! candidates that share a row and a digit with another cell with two candidates. While a search is short, it takes the
//! first of these cells. When a search has become long and the position has few of these cells, it takes the best one:
//! the cell whose digits are candidates of the most peers, where a peer that is another of these cells counts four
//! times. On the hardest known puzzles this more than halves the number of positions, compared with the first cell with
//! two candidates. But the comparison takes as long as a sweep, which does not pay on easy puzzles or on puzzles with
//! several solutions.
//!
//! Where only the number of solutions counts, a search that has met no dead end branches in two cells at once from its
//! second guess on, because such puzzles mostly have several solutions. One that has met some dead ends branches on
//! ways ([`super::rules::sweep`]): a digit with only two or three ways through a band or stack, where all digits together have
//! the fewest. Before it branches, it applies the rule of triads. tdoku (T. Dillon) has the ideas of ways and triads.
//!
//! `reports/tried.md` says what lost against this.

use super::rules::lanes::Lanes;
use super::rules::sweep::{
    all_ways, cells_of_both, clear_peers, equal, fewest, is_solution, lock, once_and_twice, quiet, singles, triads,
};
use super::rules::words::{DigitWords, FULL, GUARDS, LOW, PackedCandidates, VectorWords, cell_at, gather, only, place};
use crate::board::nine;
use std::cell::Cell;

/// Receives each solution and returns whether to go on.
pub(super) type OnSolution<'a> = &'a mut dyn FnMut(&PackedCandidates) -> bool;

/// The number of guesses after which the cell to branch on is chosen by comparison. Values from 8 to 24 were measured
/// to be equally good.
const GUESSES_BEFORE_COMPARING: u32 = 12;

/// Cells are compared only if there are at most this number of cells to choose from. Values from 6 to 14 were measured
/// to be equally good.
const MOST_COMPARED: u32 = 8;

/// The number of dead ends after which [`SolutionOrder::Any`] uses triads and branches on ways. With both from the
/// first guess on, the hardest puzzles are another tenth faster, but those with several solutions take a third longer.
const EASY_DEAD_ENDS: u32 = 2;

/// In the search for a second solution, the number of digits of the known solution that are placed before the next
/// sweep. These digits are consistent with each other, and most of them are in the second solution too. Three digits
/// are a quarter faster than one; more digits gain nothing.
const NEAR_AT_ONCE: u32 = 3;

/// Where a search starts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start<'a> {
    /// From these candidates.
    At(&'a PackedCandidates),
    /// From a solution of which only the `givens` are kept; `barred` is a digit (from 0) and a cell that must not hold
    /// it.
    Blanked { solution: &'a PackedCandidates, givens: DigitWords, barred: Option<(usize, usize)> },
}

impl Start<'_> {
    /// The candidates with which the search begins, in registers.
    #[inline(always)]
    fn load<L: Lanes>(self) -> [L; 3] {
        match self {
            Start::At(position) => {
                // The first sweep then finds what follows from the givens' peers.
                let mut words = load::<L>(position);
                let twice = once_and_twice(words).1.or(L::splat(GUARDS));
                let givens = words.map(|word| word.without(twice));
                clear_peers(&mut words, givens);
                words
            }
            Start::Blanked { solution, givens, barred } => {
                let blank = L::splat(FULL).without(L::repeat(&givens));
                let [a, b, c] = load::<L>(solution);
                let mut words = [a.or(blank), b.or(blank), c.or(blank)];
                if let Some((digit, cell)) = barred {
                    clear_peers(&mut words, [a.without(blank), b.without(blank), c.without(blank)]);
                    remove(&mut words, digit, cell);
                }
                words
            }
        }
    }
}

/// In which order a search meets the solutions.
#[derive(Clone, Copy, Debug)]
pub(super) enum SolutionOrder<'a> {
    /// Always the same order, whatever becomes faster: rows hold it.
    Fixed,
    /// Any order, the fastest way.
    Any,
    /// Solutions near a known one first: its digits (from 0, 9 for none) are tried first.
    Near(&'a [u8; 81]),
    /// Solutions near a known one, in any order, the fastest way; the known one is given as places.
    Around(&'a PackedCandidates),
}

/// The state of a position to which the rules were applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SettledState {
    /// It has no solution.
    Dead,
    /// Every cell has one digit, and the board is a solution.
    Solved,
    /// Several candidates are left somewhere.
    Open,
}

/// Reads a position into registers.
#[inline(always)]
pub(super) fn load<L: Lanes>(position: &PackedCandidates) -> [L; 3] {
    let [a, b, c] = &position.0;
    [L::load(a), L::load(b), L::load(c)]
}

/// Writes a position back.
#[inline(always)]
pub(super) fn store<L: Lanes>(words: [L; 3], position: &mut PackedCandidates) {
    let [a, b, c] = &mut position.0;
    words[0].store(a);
    words[1].store(b);
    words[2].store(c);
}

/// When [`settle`] leaves a position open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SettleEnd {
    /// When nothing changes.
    Rest,
    /// Also when a sweep settles no further cell. It saves half a sweep or more, and few positions need it later.
    Early,
    /// When a sweep settles no further cell, or its rules 2 and 3 remove nothing.
    Quiet,
}

/// Applies the rules until the end that is asked for.
#[inline(always)]
pub(super) fn settle<L: Lanes>(words: &mut [L; 3], end: SettleEnd) -> SettledState {
    let mut settled = L::splat(0);
    loop {
        let before = *words;
        let now = singles(words);
        if !now.alive {
            return SettledState::Dead;
        }
        if now.solved {
            return if is_solution(words) { SettledState::Solved } else { SettledState::Dead };
        }
        if end != SettleEnd::Rest && now.settled.same(settled) {
            return SettledState::Open;
        }
        settled = now.settled;
        let gone = lock(words);
        if if end == SettleEnd::Quiet { quiet(words, gone) } else { equal(words, &before) } {
            return SettledState::Open;
        }
    }
}

/// Applies the rules until nothing changes, or, without `boxes`, only those of cells and rows. Also the cells with one
/// candidate; other bits mean nothing.
#[inline(always)]
pub(super) fn rest_with<L: Lanes>(places: &mut PackedCandidates, boxes: bool) -> (SettledState, DigitWords) {
    let mut words = load::<L>(places);
    let state = if boxes {
        settle(&mut words, SettleEnd::Rest)
    } else {
        loop {
            let before = words;
            match singles(&mut words) {
                now if !now.alive => break SettledState::Dead,
                now if now.solved => break SettledState::Solved,
                _ if equal(&words, &before) => break SettledState::Open,
                _ => {}
            }
        }
    };
    store(words, places);
    let (once, twice) = once_and_twice(words);
    (state, once.without(twice).group())
}

/// The cells with fewest candidates, see [`fewest`].
#[inline(always)]
pub(super) fn narrow_cells_with<L: Lanes>(places: &PackedCandidates) -> DigitWords {
    fewest(&load::<L>(places)).group()
}

/// Peers of each cell, as words.
static PEERS: [DigitWords; 81] = {
    let mut peers = [[0; 4]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut peer = 0;
        while peer < 81 {
            if nine::PEERS[cell] >> peer & 1 != 0 {
                let (lane, bit) = place(peer);
                peers[cell][lane] |= 1 << bit;
            }
            peer += 1;
        }
        cell += 1;
    }
    peers
};

/// The words of each cell.
static ONLY: [DigitWords; 81] = {
    let mut words = [[0; 4]; 81];
    let mut cell = 0;
    while cell < 81 {
        words[cell] = only(cell);
        cell += 1;
    }
    words
};

/// The words of a cell in every group.
#[inline(always)]
fn cell_mask<L: Lanes>(cell: usize) -> L {
    L::repeat(&ONLY[cell])
}

/// The digits 0..9 that a cell may hold, as bits.
#[inline(always)]
pub(super) fn candidates<L: Lanes>(words: &[L; 3], cell: usize) -> u32 {
    let mask = cell_mask::<L>(cell);
    let lane = cell / 27;
    // Bit 4g of each number: the digits 3g, 3g+1, 3g+2.
    let [a, b, c] =
        [words[0].meets(mask), words[1].meets(mask), words[2].meets(mask)].map(|lanes| lanes >> lane & 0x111);
    // Three bits for each group, four apart. Without the gaps, bit d is digit d.
    let groups = a | b << 1 | c << 2;
    groups & 7 | groups >> 1 & 7 << 3 | groups >> 2 & 7 << 6
}

/// All bits of the words of one digit, nothing elsewhere.
static OF_DIGIT: [PackedCandidates; 9] = {
    let mut masks = [PackedCandidates([[[0; 4]; 4]; 3]); 9];
    let mut digit = 0;
    while digit < 9 {
        masks[digit].0[digit % 3][digit / 3] = [u32::MAX; 4];
        digit += 1;
    }
    masks
};

/// Leaves one candidate in a cell and removes it from the peers.
#[inline(always)]
pub(super) fn put<L: Lanes>(words: &mut [L; 3], digit: usize, cell: usize) {
    let mask = cell_mask::<L>(cell);
    let peers = L::repeat(&PEERS[cell]);
    for (word, digit_mask) in words.iter_mut().zip(load::<L>(&OF_DIGIT[digit])) {
        *word = word.without(peers.and(digit_mask).or(mask.without(digit_mask)));
    }
}

/// Removes a candidate from a cell.
#[inline(always)]
fn remove<L: Lanes>(words: &mut [L; 3], digit: usize, cell: usize) {
    clear(words, digit, &ONLY[cell]);
}

/// Removes the candidate `taken` from a cell with the candidates `digits`. If only one is
/// left, it is removed from the peers.
#[inline(always)]
fn leave<L: Lanes>(words: &mut [L; 3], digits: u32, taken: usize, cell: usize) {
    let rest = digits & !(1 << taken);
    if rest & (rest - 1) == 0 {
        put(words, rest.trailing_zeros() as usize, cell);
    } else {
        remove(words, taken, cell);
    }
}

/// The first cell of a set.
#[inline(always)]
pub(super) fn first_of(words: &DigitWords) -> Option<usize> {
    let filled = u32::from(words[0] != 0) | u32::from(words[1] != 0) << 1 | u32::from(words[2] != 0) << 2;
    if filled == 0 {
        return None;
    }
    let lane = filled.trailing_zeros() as usize;
    Some(cell_at(lane, words[lane].trailing_zeros()))
}

/// The four words of a digit as two words of 64 bits.
#[inline(always)]
fn halves([a, b, c, padding]: &DigitWords) -> [u64; 2] {
    [u64::from(*a) | u64::from(*b) << 32, u64::from(*c) | u64::from(*padding) << 32]
}

/// Of some cells with equally few candidates, the one to branch on; None if there is no cell.
#[inline(always)]
fn choose<L: Lanes>(words: &[L; 3], cells: &DigitWords, guesses: u32) -> Option<(usize, u32)> {
    let first = first_of(cells)?;
    let digits = candidates(words, first);
    let count: u32 = cells.iter().map(|word| word.count_ones()).sum();
    if guesses <= GUESSES_BEFORE_COMPARING || count == 1 || count > MOST_COMPARED || digits.count_ones() > 2 {
        return Some((first, digits));
    }
    let mut position = PackedCandidates::BLANK;
    store(*words, &mut position);
    let open = halves(cells);
    let mut best = 0;
    for (lane, &word) in cells.iter().enumerate().take(3) {
        let mut rest = word;
        while rest != 0 {
            let cell = cell_at(lane, rest.trailing_zeros());
            rest &= rest - 1;
            // The number of the cell is below the count. So of equal cells, the last one is the best.
            best = best.max((binding(&position, open, cell, candidates(words, cell)) as usize) << 7 | cell);
        }
    }
    let cell = best & 0x7f;
    Some((cell, candidates(words, cell)))
}

/// The number of peers that have a digit of this cell as a candidate, added up over its two digits. Peers in `open`
/// count four times.
#[inline(always)]
fn binding(position: &PackedCandidates, open: [u64; 2], cell: usize, digits: u32) -> u32 {
    let peers = halves(&PEERS[cell]);
    let mut bound_peers = 0;
    for digit in [digits.trailing_zeros(), 31 - digits.leading_zeros()] {
        let places = halves(position.digit(digit as usize));
        let [low, high] = [places[0] & peers[0], places[1] & peers[1]];
        let pairs = (low & open[0]).count_ones() + (high & open[1]).count_ones();
        bound_peers += low.count_ones() + high.count_ones() + 3 * pairs;
    }
    bound_peers
}

/// What is left to try at a branch.
#[derive(Clone, Copy)]
struct Branch {
    /// The candidates when the branch was made.
    position: PackedCandidates,
    /// Nothing, or in each band the cell that was given the known solution's digit. Then one position is left for each
    /// band: the cells of the bands above have this digit there, and the cell of the band has another one.
    known: DigitWords,
}

/// The branches with something left to try, the newest last.
#[derive(Default)]
struct Stack {
    /// Places above the height are free. They stay, because a new place would have to be filled first.
    branches: Vec<Branch>,
    height: usize,
}

impl Stack {
    /// Keeps a position for later.
    #[inline(always)]
    fn push<L: Lanes>(&mut self, words: &[L; 3], known: DigitWords) {
        if self.height == self.branches.len() {
            self.branches.push(Branch { position: PackedCandidates::BLANK, known });
        }
        let top = &mut self.branches[self.height];
        store(*words, &mut top.position);
        top.known = known;
        self.height += 1;
    }

    /// The newest position that was not tried. `solution` is the known one, if there is one.
    #[inline(always)]
    fn pop<L: Lanes>(&mut self, solution: Option<&PackedCandidates>) -> Option<[L; 3]> {
        let top = &mut self.branches[self.height.checked_sub(1)?];
        let mut words = load::<L>(&top.position);
        if let (Some(band), Some(solution)) = (top.known.iter().rposition(|&word| word != 0), solution) {
            let mut only = [0; 4];
            only[band] = std::mem::take(&mut top.known[band]);
            let (only, above) = (L::repeat(&only), L::repeat(&top.known));
            for (word, digits) in words.iter_mut().zip(load::<L>(solution)) {
                *word = word.without(only.and(digits)).without(above.without(digits));
            }
        }
        self.height -= usize::from(top.known == [0; 4]);
        Some(words)
    }
}

thread_local! {
    /// A stack that is reused, so that few searches allocate one.
    static STACK: Cell<Stack> = const { Cell::new(Stack { branches: Vec::new(), height: 0 }) };
}

/// Goes on with a digit in a cell and pushes the other candidates of the cell to the stack.
#[inline(always)]
fn split<L: Lanes>(words: &mut [L; 3], stack: &mut Stack, cell: usize, digits: u32, digit: usize) {
    let mut without = *words;
    leave(&mut without, digits, digit, cell);
    stack.push(&without, [0; 4]);
    put(words, digit, cell);
}

/// Branches at one cell, or, if `two`, also at another one with as few candidates that it does not see. False if there
/// is no cell to branch at.
#[inline(always)]
fn guess<L: Lanes>(words: &mut [L; 3], stack: &mut Stack, guesses: u32, mut two: bool) -> bool {
    let mut cells = fewest(words).group();
    let Some((mut cell, mut digits)) = choose(words, &cells, guesses) else { return false };
    loop {
        split(words, stack, cell, digits, digits.trailing_zeros() as usize);
        if !std::mem::take(&mut two) {
            return true;
        }
        for (lane, word) in cells.iter_mut().enumerate() {
            *word &= !(PEERS[cell][lane] | ONLY[cell][lane]);
        }
        let Some(next) = first_of(&cells) else { return true };
        (cell, digits) = (next, candidates(words, next));
    }
}

/// For each band, then each stack, and for each way through it: its cells that are not on the way. The first three ways
/// are those of [`Moved`](super::rules::sweep::Moved) down.
static OFF_WAY: [[DigitWords; 6]; 6] = {
    let mut masks = [[[0; 4]; 6]; 6];
    let mut number = 0;
    while number < 6 * 6 * 27 {
        let (chute, way, cell) = (number / 162, number / 27 % 6, number % 27);
        // The row of the band and the box of the cell; in a stack, the band and the column.
        let (line, crossing, cell) = if chute < 3 {
            (cell / 9, cell % 9 / 3, 27 * chute + cell)
        } else {
            (cell / 9, cell % 3, 9 * (cell / 3) + 3 * (chute - 3) + cell % 3)
        };
        // A way has crossing `way` % 3 in the first line. In each further line it moves on by one, or by two from way
        // 3 on.
        if crossing != (way % 3 + line * (1 + way / 3)) % 3 {
            let (lane, bit) = place(cell);
            masks[chute][way][lane] |= 1 << bit;
        }
        number += 1;
    }
    masks
};

/// Removes some cells from the places of a digit.
#[inline(always)]
fn clear<L: Lanes>(words: &mut [L; 3], digit: usize, cells: &DigitWords) {
    for (word, digit_mask) in words.iter_mut().zip(load::<L>(&OF_DIGIT[digit])) {
        *word = word.without(L::repeat(cells).and(digit_mask));
    }
}

/// The ways of all digits: through bands, down and up, and through stacks, down and up.
///
/// Each way has one crossing in row 0 of its band, or in band 0 of its stack. So ways are counted there. They are at
/// bit 3 box + digit in bands, and at bit 10 digit + column in stacks; the digit is that within its group.
struct Ways([VectorWords; 4]);

impl Ways {
    /// The number of ways of all digits through a chute: a band, or from 3 on a stack.
    #[inline(always)]
    fn count(&self, chute: usize) -> u32 {
        let [down, up, stacks_down, stacks_up] = &self.0;
        let mut count = 0;
        for group in 0..3 {
            count += if chute < 3 {
                (down[group][chute] & 0x1ff | (up[group][chute] & 0x1ff) << 9).count_ones()
            } else {
                let stack = (LOW * 7) << (3 * (chute - 3));
                (stacks_down[group][0] & stack).count_ones() + (stacks_up[group][0] & stack).count_ones()
            };
        }
        count
    }

    /// The ways of a digit through a chute. Bits 0 to 2 are ways down, 3 to 5 up.
    #[inline(always)]
    fn of_digit(&self, chute: usize, digit: usize) -> u32 {
        let [down, up, stacks_down, stacks_up] = &self.0;
        let (group, first) = (digit / 3, digit % 3);
        if chute < 3 {
            let half = |word: u32| word >> first & 1 | word >> (first + 2) & 2 | word >> (first + 4) & 4;
            half(down[group][chute]) | half(up[group][chute]) << 3
        } else {
            let shift = 10 * first + 3 * (chute - 3);
            stacks_down[group][0] >> shift & 7 | (stacks_up[group][0] >> shift & 7) << 3
        }
    }
}

/// Branches on a digit with two or three ways, in the band or stack in which all digits together have the fewest ways.
/// False if there is no such digit there.
#[inline(always)]
fn guess_way<L: Lanes>(words: &mut [L; 3], stack: &mut Stack) -> bool {
    let mut all = Ways([[[0; 4]; 4]; 4]);
    for (row, word) in all.0.iter_mut().zip(all_ways(*words)) {
        word.store(row);
    }
    // A band in which each digit has one way is solved.
    let (mut fewest, mut chute) = (u32::MAX, 0);
    for candidate in 0..6 {
        let count = all.count(candidate);
        if count > 9 && count < fewest {
            (fewest, chute) = (count, candidate);
        }
    }
    // Of the digits with two or three ways there, the one with fewest.
    let (mut fewest, mut digit, mut ways) = (4, 0, 0);
    for candidate in 0..9 {
        let bits = all.of_digit(chute, candidate);
        let count = bits.count_ones();
        if count > 1 && count < fewest {
            (fewest, digit, ways) = (count, candidate, bits);
        }
    }
    if ways == 0 {
        return false;
    }
    // Goes on with the first way.
    let off = |ways: u32| OFF_WAY[chute][ways.trailing_zeros() as usize];
    let later = ways & (ways - 1);
    // The cells that are on none of the ways left for later: there are one or two.
    let mut off_later = off(later);
    if later & (later - 1) != 0 {
        off_later.iter_mut().zip(off(later & (later - 1))).for_each(|(word, off_last)| *word &= off_last);
    }
    let mut without = *words;
    clear(&mut without, digit, &off_later);
    stack.push(&without, [0; 4]);
    clear(words, digit, &off(ways));
    true
}

/// Branches at up to [`NEAR_AT_ONCE`] cells in a row, with the known solution's digits where they are candidates. False
/// if there is no cell to branch at.
#[inline(always)]
fn guess_near<L: Lanes>(words: &mut [L; 3], stack: &mut Stack, solution: &[u8; 81]) -> bool {
    let mut cells = gather(fewest(words).group());
    let mut guesses = 0;
    while cells != 0 && guesses < NEAR_AT_ONCE {
        let cell = cells.trailing_zeros() as usize;
        cells &= cells - 1;
        let digits = candidates(words, cell);
        let favourite = digits & 1 << solution[cell];
        // The search must branch somewhere, so the first cell need not have the known solution's digit.
        if guesses == 0 || (favourite != 0 && digits != favourite) {
            let digit = if favourite != 0 { favourite } else { digits }.trailing_zeros();
            split(words, stack, cell, digits, digit as usize);
            guesses += 1;
        }
    }
    guesses > 0
}

/// Branches at up to three cells at once: in each band at the first of the cells with fewest candidates that may have
/// the known solution's digit. False if there is none.
#[inline(always)]
fn guess_around<L: Lanes>(words: &mut [L; 3], stack: &mut Stack, solution: &[L; 3]) -> bool {
    let cells = fewest(words).and(cells_of_both(words, solution));
    // x & -x is the lowest bit of each word: the first cell of each band.
    let first = cells.and(L::splat(0).minus(cells));
    if first.same(L::splat(0)) {
        return false;
    }
    stack.push(words, first.group());
    for (word, digits) in words.iter_mut().zip(solution) {
        *word = word.without(first.without(*digits));
    }
    clear_peers(words, [solution[0].and(first), solution[1].and(first), solution[2].and(first)]);
    true
}

/// Calls `on_solution` with the solutions of a position until it asks to stop.
#[inline(always)]
pub(super) fn explore_with<L: Lanes>(start: Start, order: SolutionOrder, on_solution: OnSolution) {
    let may_be_early = !matches!(order, SolutionOrder::Fixed);
    let mut early = may_be_early;
    let mut stack = STACK.take();
    let mut words = start.load::<L>();
    let (mut guesses, mut dead_ends) = (0, 0);
    loop {
        let hard = dead_ends >= EASY_DEAD_ENDS && matches!(order, SolutionOrder::Any);
        let end = match early {
            false => SettleEnd::Rest,
            // Orders whose first solutions rows hold count no guesses.
            true if guesses > 0 => SettleEnd::Quiet,
            true => SettleEnd::Early,
        };
        match settle(&mut words, end) {
            SettledState::Dead => dead_ends += 1,
            SettledState::Solved => {
                let mut position = PackedCandidates::BLANK;
                store(words, &mut position);
                if !on_solution(&position) {
                    break;
                }
            }
            SettledState::Open => {
                if hard && triads(&mut words) {
                    continue;
                }
                let branched = if let SolutionOrder::Near(solution) = order {
                    guess_near(&mut words, &mut stack, solution)
                } else if let SolutionOrder::Around(solution) = order {
                    guess_around(&mut words, &mut stack, &load(solution)) || guess(&mut words, &mut stack, 0, false)
                } else {
                    guesses += 1;
                    let two = dead_ends == 0 && guesses > 1 && matches!(order, SolutionOrder::Any);
                    hard && guess_way(&mut words, &mut stack) || guess(&mut words, &mut stack, guesses, two)
                };
                // A position that no rule changes has a cell with several candidates, or it has no solution at all.
                // After an early end, the rules may have more to say.
                if branched || early {
                    early = branched && may_be_early;
                    continue;
                }
            }
        }
        let solution = if let SolutionOrder::Around(solution) = order { Some(solution) } else { None };
        let Some(next) = stack.pop(solution) else { break };
        words = next;
        early = may_be_early;
    }
    stack.height = 0;
    STACK.set(stack);
}
