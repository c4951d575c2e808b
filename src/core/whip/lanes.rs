//! The variables of a 9x9 board side by side, 16 bits each, 32 to a block.
//!
//! An assumption removes what it is linked to from all variables at once: `after = before & KEEP[candidate]`. The same
//! pass finds the variables that are left with one candidate or none. At the end of a search only the loss of all
//! candidates matters; then nothing is written. A test compares the three forms: AVX-512, AVX2, and portable loops.
#![allow(unsafe_code)]

use std::sync::LazyLock;

use super::tables::{CANDIDATES, LINKED, VARIABLES, VARIABLES_OF, VariableBit};
use crate::solve::nine::Instructions;

const BLOCKS: usize = VARIABLES.div_ceil(32);

/// 32 variables, each a set of candidates.
type Block = [u16; 32];

/// A word for each variable: a bit for each of its nine candidates. The caller may use the upper seven.
#[derive(Clone)]
#[repr(align(64))]
pub(crate) struct VariableLanes {
    blocks: [Block; BLOCKS],
}

/// A set of variables, a bit each.
pub(crate) type Variables = [u32; BLOCKS];

pub(crate) const NO_VARIABLES: Variables = [0; BLOCKS];

/// Calls `visit` with each variable of a set, in ascending order.
#[inline(always)]
pub(crate) fn each(set: &Variables, mut visit: impl FnMut(usize)) {
    // Two blocks at a time: this halves the number of loops that end unpredictably.
    for pair in 0..BLOCKS.div_ceil(2) {
        let high = set.get(2 * pair + 1).map_or(0, |&block| u64::from(block) << 32);
        let mut bits = u64::from(set[2 * pair]) | high;
        while bits > 0 {
            visit(64 * pair + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

impl VariableLanes {
    /// The same set for every variable.
    pub(crate) const fn of(value: u16) -> VariableLanes {
        VariableLanes { blocks: [[value; 32]; BLOCKS] }
    }

    /// The set of a variable.
    #[inline]
    pub(crate) fn at(&self, variable: usize) -> u16 {
        self.blocks[variable / 32][variable % 32]
    }

    /// The set of a variable, to be changed.
    #[inline]
    pub(crate) fn at_mut(&mut self, variable: usize) -> &mut u16 {
        &mut self.blocks[variable / 32][variable % 32]
    }
}

/// For each candidate, what remains of every variable when it is true. Its own variables and the upper bits all remain.
pub(crate) fn keep() -> &'static [VariableLanes] {
    static KEEP: LazyLock<Vec<VariableLanes>> = LazyLock::new(|| {
        let mut rows = vec![VariableLanes::of(u16::MAX); CANDIDATES];
        for (candidate, row) in rows.iter_mut().enumerate() {
            for &linked in &LINKED[candidate] {
                for VariableBit { variable, bit } in VARIABLES_OF[usize::from(linked)] {
                    *row.at_mut(variable.into()) &= !bit;
                }
            }
            for VariableBit { variable, .. } in VARIABLES_OF[candidate] {
                *row.at_mut(variable.into()) = u16::MAX;
            }
        }
        rows
    });
    &KEEP
}

/// Work on arrays of words.
pub(crate) trait Work {
    type Output;

    /// Must be inlined, with all that it calls: then the compiler uses the vector instructions of its caller.
    fn run(self) -> Self::Output;
}

/// The value of one of three expressions, by the instructions of this machine up to `most`.
macro_rules! by_instructions {
    ($most:expr, $avx512:expr, $avx2:expr, $portable:expr) => {
        match $most.min(Instructions::best()) {
            // SAFETY: `Instructions::best` found these instructions on this machine.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { $avx512 },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { $avx2 },
            _ => $portable,
        }
    };
}

/// Does work with the vector instructions of this machine up to `most`.
#[inline]
pub(crate) fn with_vectors<W: Work>(most: Instructions, work: W) -> W::Output {
    by_instructions!(most, vector::work_avx512(work), vector::work_avx2(work), work.run())
}

/// Assumes candidates: sets the second row of `from_to` to the first one without what they are linked to. Returns the
/// variables that lost candidates and have one or none left. Uses the instructions of this machine up to `most`.
#[inline]
pub(crate) fn assume(
    most: Instructions,
    rows: &mut [VariableLanes],
    from_to: [usize; 2],
    keep: &[VariableLanes],
    candidates: &[u16],
) -> Variables {
    by_instructions!(
        most,
        vector::assume_avx512(rows, from_to, keep, candidates),
        vector::assume_avx2(rows, from_to, keep, candidates),
        assume_portable(rows, from_to, keep, candidates)
    )
}

/// True if these assumptions on a row take the last candidates of a variable.
#[inline]
pub(crate) fn clashes(most: Instructions, row: &VariableLanes, keep: &[VariableLanes], candidates: &[u16]) -> bool {
    by_instructions!(
        most,
        vector::clashes_avx512(row, keep, candidates),
        vector::clashes_avx2(row, keep, candidates),
        (0..BLOCKS).any(|block| clashes_portable(row, block, keep, candidates))
    )
}

/// [`clashes`] for one block of a row, without vector instructions.
fn clashes_portable(row: &VariableLanes, block: usize, keep: &[VariableLanes], candidates: &[u16]) -> bool {
    let before = &row.blocks[block];
    let after = assumed(before, keep, candidates, block);
    before.iter().zip(&after).fold(false, |clash, (&before, &after)| clash | (after == 0) & (before != 0))
}

/// A block after some candidates are assumed.
fn assumed(before: &Block, keep: &[VariableLanes], candidates: &[u16], block: usize) -> Block {
    let mut after = *before;
    for &candidate in candidates {
        let keep = &keep[usize::from(candidate)].blocks[block];
        after.iter_mut().zip(keep).for_each(|(after, keep)| *after &= keep);
    }
    after
}

/// [`assume`] without vector instructions.
fn assume_portable(
    rows: &mut [VariableLanes],
    [from, to]: [usize; 2],
    keep: &[VariableLanes],
    candidates: &[u16],
) -> Variables {
    let mut narrowed = [0; BLOCKS];
    for (block, narrowed) in narrowed.iter_mut().enumerate() {
        let before = rows[from].blocks[block];
        let after = assumed(&before, keep, candidates, block);
        rows[to].blocks[block] = after;
        // x & (x - 1) is 0 if x has at most one bit.
        let is_narrowed = |lane: usize| after[lane] & after[lane].wrapping_sub(1) == 0 && after[lane] != before[lane];
        // Most blocks have no such variable. This loop finds that out without a branch for each.
        if (0..32).fold(false, |any, lane| any | is_narrowed(lane)) {
            *narrowed = (0..32).fold(0, |bits, lane| bits | u32::from(is_narrowed(lane)) << lane);
        }
    }
    narrowed
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use super::{BLOCKS, VariableLanes, Variables, Work};
    use std::arch::x86_64 as x86;

    /// Runs some work compiled for AVX-512.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn work_avx512<W: Work>(work: W) -> W::Output {
        work.run()
    }

    /// Runs some work compiled for AVX2.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn work_avx2<W: Work>(work: W) -> W::Output {
        work.run()
    }

    /// A block of a row.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn load_512(row: &VariableLanes, block: usize) -> x86::__m512i {
        // SAFETY: a block has 64 bytes, and this instruction needs no alignment.
        unsafe { x86::_mm512_loadu_si512(row.blocks[block].as_ptr().cast()) }
    }

    /// What candidates leave of a row. All blocks stay in registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn kept_512(row: &VariableLanes, keep: &[VariableLanes], candidates: &[u16]) -> [x86::__m512i; BLOCKS] {
        let mut blocks_left = [x86::_mm512_setzero_si512(); BLOCKS];
        for (number, block) in blocks_left.iter_mut().enumerate() {
            *block = load_512(row, number);
        }
        for &candidate in candidates {
            let keep = &keep[usize::from(candidate)];
            for (number, block) in blocks_left.iter_mut().enumerate() {
                *block = x86::_mm512_and_si512(*block, load_512(keep, number));
            }
        }
        blocks_left
    }

    /// [`super::assume`] for AVX-512.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn assume_avx512(
        rows: &mut [VariableLanes],
        [from, to]: [usize; 2],
        keep: &[VariableLanes],
        candidates: &[u16],
    ) -> Variables {
        let (mut narrowed, kept) = ([0; BLOCKS], kept_512(&rows[from], keep, candidates));
        for (block, (narrowed, after)) in narrowed.iter_mut().zip(kept).enumerate() {
            let before = load_512(&rows[from], block);
            // SAFETY: as above.
            unsafe { x86::_mm512_storeu_si512(rows[to].blocks[block].as_mut_ptr().cast(), after) };
            let less = x86::_mm512_add_epi16(after, x86::_mm512_set1_epi16(-1));
            *narrowed = x86::_mm512_testn_epi16_mask(after, less) & x86::_mm512_cmpneq_epi16_mask(after, before);
        }
        narrowed
    }

    /// [`super::clashes`] for AVX-512.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn clashes_avx512(row: &VariableLanes, keep: &[VariableLanes], candidates: &[u16]) -> bool {
        let mut empty = 0;
        for (block, after) in kept_512(row, keep, candidates).into_iter().enumerate() {
            let before = load_512(row, block);
            empty |= x86::_mm512_testn_epi16_mask(after, after) & x86::_mm512_test_epi16_mask(before, before);
        }
        empty != 0
    }

    /// Half a block of a row.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load_256(row: &VariableLanes, half: usize) -> x86::__m256i {
        // SAFETY: half 0 or 1 of a block is 32 of its 64 bytes, and this instruction needs no alignment.
        unsafe { x86::_mm256_loadu_si256(row.blocks[half / 2].as_ptr().add(16 * (half % 2)).cast()) }
    }

    /// What candidates leave of some half blocks, from number `FIRST` on. They stay in registers.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn kept_256<const FIRST: usize, const HALVES: usize>(
        row: &VariableLanes,
        keep: &[VariableLanes],
        candidates: &[u16],
    ) -> [x86::__m256i; HALVES] {
        let mut halves_left = [x86::_mm256_setzero_si256(); HALVES];
        for (number, half) in halves_left.iter_mut().enumerate() {
            *half = load_256(row, FIRST + number);
        }
        for &candidate in candidates {
            let keep = &keep[usize::from(candidate)];
            for (number, half) in halves_left.iter_mut().enumerate() {
                *half = x86::_mm256_and_si256(*half, load_256(keep, FIRST + number));
            }
        }
        halves_left
    }

    /// [`super::clashes`] for AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) fn clashes_avx2(row: &VariableLanes, keep: &[VariableLanes], candidates: &[u16]) -> bool {
        clash_256::<0, 8>(row, keep, candidates)
            || clash_256::<8, 8>(row, keep, candidates)
            || clash_256::<16, { 2 * BLOCKS - 16 }>(row, keep, candidates)
    }

    /// [`clashes_avx2`] for some half blocks.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn clash_256<const FIRST: usize, const HALVES: usize>(
        row: &VariableLanes,
        keep: &[VariableLanes],
        candidates: &[u16],
    ) -> bool {
        let zero = x86::_mm256_setzero_si256();
        let mut empty = zero;
        for (half, after) in kept_256::<FIRST, HALVES>(row, keep, candidates).into_iter().enumerate() {
            let none = [after, load_256(row, FIRST + half)].map(|row| x86::_mm256_cmpeq_epi16(row, zero));
            empty = x86::_mm256_or_si256(empty, x86::_mm256_andnot_si256(none[1], none[0]));
        }
        x86::_mm256_testz_si256(empty, empty) == 0
    }

    /// [`super::assume`] for AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) fn assume_avx2(
        rows: &mut [VariableLanes],
        from_to: [usize; 2],
        keep: &[VariableLanes],
        candidates: &[u16],
    ) -> Variables {
        let mut narrowed = [0; BLOCKS];
        assume_256::<0, 8>(rows, from_to, keep, candidates, &mut narrowed);
        assume_256::<8, 8>(rows, from_to, keep, candidates, &mut narrowed);
        assume_256::<16, { 2 * BLOCKS - 16 }>(rows, from_to, keep, candidates, &mut narrowed);
        narrowed
    }

    /// [`assume_avx2`] for some half blocks.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn assume_256<const FIRST: usize, const HALVES: usize>(
        rows: &mut [VariableLanes],
        [from, to]: [usize; 2],
        keep: &[VariableLanes],
        candidates: &[u16],
        narrowed: &mut Variables,
    ) {
        let row = &rows[from];
        let halves_left = kept_256::<FIRST, HALVES>(row, keep, candidates);
        for block in 0..HALVES / 2 {
            let narrowed_in = |half: usize| {
                let (before, after) = (load_256(row, FIRST + half), halves_left[half]);
                let rest = x86::_mm256_and_si256(after, x86::_mm256_add_epi16(after, x86::_mm256_set1_epi16(-1)));
                let none = x86::_mm256_cmpeq_epi16(rest, x86::_mm256_setzero_si256());
                x86::_mm256_andnot_si256(x86::_mm256_cmpeq_epi16(after, before), none)
            };
            // Packing takes eight lanes of each half in turn.
            let bytes = x86::_mm256_packs_epi16(narrowed_in(2 * block), narrowed_in(2 * block + 1));
            narrowed[FIRST / 2 + block] =
                x86::_mm256_movemask_epi8(x86::_mm256_permute4x64_epi64::<0b11_01_10_00>(bytes)) as u32;
        }
        let row = &mut rows[to];
        for (number, half) in halves_left.into_iter().enumerate() {
            let lanes = row.blocks[(FIRST + number) / 2][16 * (number % 2)..].as_mut_ptr();
            // SAFETY: as above.
            unsafe { x86::_mm256_storeu_si256(lanes.cast(), half) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Rng, Stage};

    #[test]
    fn all_forms_do_the_same() {
        let mut rng = Rng::new(5, 0, Stage::Sample, 0);
        for _ in 0..2_000 {
            let mut start = VariableLanes::of(u16::MAX);
            for variable in 0..VARIABLES {
                *start.at_mut(variable) = [rng.below(512) as u16, 1 << rng.below(9), 0, u16::MAX][rng.below(4)];
            }
            let candidates: Vec<u16> = (0..1 + rng.below(4)).map(|_| rng.below(CANDIDATES) as u16).collect();
            let run = |most: Instructions, to: usize| {
                let mut rows = vec![start.clone(), VariableLanes::of(0)];
                let empty = clashes(most, &start, keep(), &candidates);
                let narrowed = assume(most, &mut rows, [0, to], keep(), &candidates);
                let after: Vec<u16> = (0..VARIABLES).map(|variable| rows[to].at(variable)).collect();
                assert_eq!(empty, (0..VARIABLES).any(|variable| after[variable] == 0 && start.at(variable) > 0));
                (narrowed, after)
            };
            let (narrowed, after) = run(Instructions::Portable, 1);
            for (variable, &rest) in after.iter().enumerate() {
                let kept = candidates.iter().fold(start.at(variable), |rest, &candidate| {
                    let bits_of = |candidate: u16| {
                        let bits = VARIABLES_OF[usize::from(candidate)].into_iter();
                        bits.filter(|bit| usize::from(bit.variable) == variable)
                    };
                    if bits_of(candidate).next().is_some() {
                        return rest;
                    }
                    let lost = LINKED[usize::from(candidate)].iter().flat_map(|&linked| bits_of(linked));
                    lost.fold(rest, |rest, lost| rest & !lost.bit)
                });
                let is_narrowed = narrowed[variable / 32] >> (variable % 32) & 1 == 1;
                assert_eq!((rest, is_narrowed), (kept, kept.count_ones() <= 1 && kept != start.at(variable)));
            }
            for most in [Instructions::Portable, Instructions::Avx2, Instructions::Avx512] {
                for to in [0, 1] {
                    assert_eq!(run(most, to), (narrowed, after.clone()));
                }
            }
        }
    }
}
