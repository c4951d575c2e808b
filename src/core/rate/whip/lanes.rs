//! The variables of a 9x9 board side by side, 16 bits each, 32 to a block.
//!
//! An assumption removes what it is linked to from all variables at once: `after = before & KEEP[candidate]`. The same
//! pass finds the variables that are left with one candidate or none. At the end of a search only the loss of all
//! candidates matters; then nothing is written. A test compares the three forms: AVX-512, AVX2, and portable loops.
#![allow(unsafe_code)]

use std::sync::LazyLock;

use super::tables::{CANDIDATES, LINKED, VARIABLES, VARIABLES_OF};
use crate::solve::nine::Instructions;

/// The number of blocks.
const BLOCKS: usize = VARIABLES.div_ceil(32);

/// 32 variables, each a set of candidates.
type Block = [u16; 32];

/// A word for each variable.
#[derive(Clone)]
#[repr(align(64))]
pub(in crate::rate) struct Lanes([Block; BLOCKS]);

/// A set of variables, a bit each.
pub(in crate::rate) type Variables = [u32; BLOCKS];

/// No variable.
pub(in crate::rate) const NOBODY: Variables = [0; BLOCKS];

/// Calls `visit` with each variable of a set, in ascending order.
#[inline(always)]
pub(in crate::rate) fn each(set: &Variables, mut visit: impl FnMut(usize)) {
    // Two blocks at a time: this halves the number of loops that end unpredictably.
    for at in 0..BLOCKS.div_ceil(2) {
        let high = set.get(2 * at + 1).map_or(0, |&block| u64::from(block) << 32);
        let mut bits = u64::from(set[2 * at]) | high;
        while bits > 0 {
            visit(64 * at + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

impl Lanes {
    /// The same set for every variable.
    pub(in crate::rate) const fn of(value: u16) -> Lanes {
        Lanes([[value; 32]; BLOCKS])
    }

    /// The set of a variable.
    #[inline]
    pub(in crate::rate) fn at(&self, variable: usize) -> u16 {
        self.0[variable / 32][variable % 32]
    }

    /// The set of a variable, to be changed.
    #[inline]
    pub(in crate::rate) fn at_mut(&mut self, variable: usize) -> &mut u16 {
        &mut self.0[variable / 32][variable % 32]
    }
}

/// For each candidate, what remains of every variable when the candidate is true. Its own variables remain as they are,
/// and the upper seven bits are always set.
pub(in crate::rate) fn keep() -> &'static [Lanes] {
    static KEEP: LazyLock<Vec<Lanes>> = LazyLock::new(|| {
        let of = |candidate: usize| {
            let mut row = Lanes::of(u16::MAX);
            for (variable, bit) in LINKED[candidate].iter().flat_map(|&other| VARIABLES_OF[usize::from(other)]) {
                *row.at_mut(variable.into()) &= !bit;
            }
            for (variable, _) in VARIABLES_OF[candidate] {
                *row.at_mut(variable.into()) = u16::MAX;
            }
            row
        };
        (0..CANDIDATES).map(of).collect()
    });
    &KEEP
}

/// Work on arrays of words.
pub(in crate::rate) trait Work {
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
pub(in crate::rate) fn with_vectors<W: Work>(most: Instructions, work: W) -> W::Output {
    by_instructions!(most, vector::work_avx512(work), vector::work_avx2(work), work.run())
}

/// Assumes candidates: sets row `to` to row `from` without what they are linked to. Returns the variables that lost
/// candidates and have one or none left. Uses the instructions of this machine up to `most`.
#[inline]
pub(in crate::rate) fn assume(
    most: Instructions,
    rows: &mut [Lanes],
    [from, to]: [usize; 2],
    keep: &[Lanes],
    candidates: &[u16],
) -> Variables {
    let places = [from, to];
    by_instructions!(
        most,
        vector::assume_avx512(rows, places, keep, candidates),
        vector::assume_avx2(rows, places, keep, candidates),
        portable(rows, places, keep, candidates)
    )
}

/// True if these assumptions on a row take the last candidates of a variable.
#[inline]
pub(in crate::rate) fn clashes(most: Instructions, row: &Lanes, keep: &[Lanes], candidates: &[u16]) -> bool {
    let clash = |(at, before): (usize, &Block)| {
        let after = all(before, keep, candidates, at);
        before.iter().zip(&after).fold(false, |any, (&before, &after)| any | (after == 0) & (before != 0))
    };
    by_instructions!(
        most,
        vector::clashes_avx512(row, keep, candidates),
        vector::clashes_avx2(row, keep, candidates),
        row.0.iter().enumerate().any(clash)
    )
}

/// A block after some candidates are assumed.
fn all(before: &Block, keep: &[Lanes], candidates: &[u16], at: usize) -> Block {
    let mut after = *before;
    for &candidate in candidates {
        let keep = &keep[usize::from(candidate)].0[at];
        after.iter_mut().zip(keep).for_each(|(after, keep)| *after &= keep);
    }
    after
}

/// The form without vector instructions.
fn portable(rows: &mut [Lanes], [from, to]: [usize; 2], keep: &[Lanes], candidates: &[u16]) -> Variables {
    let mut few = [0; BLOCKS];
    for (at, few) in few.iter_mut().enumerate() {
        let before = rows[from].0[at];
        let after = all(&before, keep, candidates, at);
        rows[to].0[at] = after;
        // x & (x - 1) is 0 if x has at most one bit.
        let is_few = |lane: usize| after[lane] & after[lane].wrapping_sub(1) == 0 && after[lane] != before[lane];
        // Most blocks have no such variable. This loop finds that out without a branch for each.
        if (0..32).fold(false, |any, lane| any | is_few(lane)) {
            *few = (0..32).fold(0, |bits, lane| bits | u32::from(is_few(lane)) << lane);
        }
    }
    few
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use super::{BLOCKS, Lanes, Variables, Work};
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
    fn load_512(row: &Lanes, at: usize) -> x86::__m512i {
        // SAFETY: a block has 64 bytes, and this instruction needs no alignment.
        unsafe { x86::_mm512_loadu_si512(row.0[at].as_ptr().cast()) }
    }

    /// What candidates leave of a row. All blocks stay in registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn kept_512(row: &Lanes, keep: &[Lanes], candidates: &[u16]) -> [x86::__m512i; BLOCKS] {
        let mut kept = [x86::_mm512_setzero_si512(); BLOCKS];
        for (at, kept) in kept.iter_mut().enumerate() {
            *kept = load_512(row, at);
        }
        for &candidate in candidates {
            let keep = &keep[usize::from(candidate)];
            for (at, kept) in kept.iter_mut().enumerate() {
                *kept = x86::_mm512_and_si512(*kept, load_512(keep, at));
            }
        }
        kept
    }

    /// The form for AVX-512.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn assume_avx512(
        rows: &mut [Lanes],
        [from, to]: [usize; 2],
        keep: &[Lanes],
        candidates: &[u16],
    ) -> Variables {
        let (mut few, kept) = ([0; BLOCKS], kept_512(&rows[from], keep, candidates));
        for (at, (few, after)) in few.iter_mut().zip(kept).enumerate() {
            let before = load_512(&rows[from], at);
            // SAFETY: as above.
            unsafe { x86::_mm512_storeu_si512(rows[to].0[at].as_mut_ptr().cast(), after) };
            let less = x86::_mm512_add_epi16(after, x86::_mm512_set1_epi16(-1));
            *few = x86::_mm512_testn_epi16_mask(after, less) & x86::_mm512_cmpneq_epi16_mask(after, before);
        }
        few
    }

    /// The form for AVX-512.
    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn clashes_avx512(row: &Lanes, keep: &[Lanes], candidates: &[u16]) -> bool {
        let mut empty = 0;
        for (at, after) in kept_512(row, keep, candidates).into_iter().enumerate() {
            let before = load_512(row, at);
            empty |= x86::_mm512_testn_epi16_mask(after, after) & x86::_mm512_test_epi16_mask(before, before);
        }
        empty != 0
    }

    /// Half a block of a row.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load_256(row: &Lanes, at: usize) -> x86::__m256i {
        // SAFETY: half 0 or 1 of a block is 32 of its 64 bytes, and this instruction needs no alignment.
        unsafe { x86::_mm256_loadu_si256(row.0[at / 2].as_ptr().add(16 * (at % 2)).cast()) }
    }

    /// What candidates leave of some half blocks, from number `FIRST` on. They stay in registers.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn kept_256<const FIRST: usize, const HALVES: usize>(
        row: &Lanes,
        keep: &[Lanes],
        candidates: &[u16],
    ) -> [x86::__m256i; HALVES] {
        let mut kept = [x86::_mm256_setzero_si256(); HALVES];
        for (at, kept) in kept.iter_mut().enumerate() {
            *kept = load_256(row, FIRST + at);
        }
        for &candidate in candidates {
            let keep = &keep[usize::from(candidate)];
            for (at, kept) in kept.iter_mut().enumerate() {
                *kept = x86::_mm256_and_si256(*kept, load_256(keep, FIRST + at));
            }
        }
        kept
    }

    /// The form for AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) fn clashes_avx2(row: &Lanes, keep: &[Lanes], candidates: &[u16]) -> bool {
        clash_256::<0, 8>(row, keep, candidates)
            || clash_256::<8, 8>(row, keep, candidates)
            || clash_256::<16, { 2 * BLOCKS - 16 }>(row, keep, candidates)
    }

    /// [`clashes_avx2`] for some half blocks.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn clash_256<const FIRST: usize, const HALVES: usize>(row: &Lanes, keep: &[Lanes], candidates: &[u16]) -> bool {
        let zero = x86::_mm256_setzero_si256();
        let mut empty = zero;
        for (at, after) in kept_256::<FIRST, HALVES>(row, keep, candidates).into_iter().enumerate() {
            let none = [after, load_256(row, FIRST + at)].map(|row| x86::_mm256_cmpeq_epi16(row, zero));
            empty = x86::_mm256_or_si256(empty, x86::_mm256_andnot_si256(none[1], none[0]));
        }
        x86::_mm256_testz_si256(empty, empty) == 0
    }

    /// The form for AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) fn assume_avx2(rows: &mut [Lanes], places: [usize; 2], keep: &[Lanes], candidates: &[u16]) -> Variables {
        let mut few = [0; BLOCKS];
        assume_256::<0, 8>(rows, places, keep, candidates, &mut few);
        assume_256::<8, 8>(rows, places, keep, candidates, &mut few);
        assume_256::<16, { 2 * BLOCKS - 16 }>(rows, places, keep, candidates, &mut few);
        few
    }

    /// [`assume_avx2`] for some half blocks.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn assume_256<const FIRST: usize, const HALVES: usize>(
        rows: &mut [Lanes],
        [from, to]: [usize; 2],
        keep: &[Lanes],
        candidates: &[u16],
        few: &mut Variables,
    ) {
        let row = &rows[from];
        let kept = kept_256::<FIRST, HALVES>(row, keep, candidates);
        for at in 0..HALVES / 2 {
            let of_half = |half: usize| {
                let (before, after) = (load_256(row, FIRST + half), kept[half]);
                let rest = x86::_mm256_and_si256(after, x86::_mm256_add_epi16(after, x86::_mm256_set1_epi16(-1)));
                let none = x86::_mm256_cmpeq_epi16(rest, x86::_mm256_setzero_si256());
                x86::_mm256_andnot_si256(x86::_mm256_cmpeq_epi16(after, before), none)
            };
            // Packing takes eight lanes of each half in turn.
            let bytes = x86::_mm256_packs_epi16(of_half(2 * at), of_half(2 * at + 1));
            few[FIRST / 2 + at] =
                x86::_mm256_movemask_epi8(x86::_mm256_permute4x64_epi64::<0b11_01_10_00>(bytes)) as u32;
        }
        let row = &mut rows[to];
        for (at, kept) in kept.into_iter().enumerate() {
            let half = row.0[(FIRST + at) / 2][16 * (at % 2)..].as_mut_ptr();
            // SAFETY: as above.
            unsafe { x86::_mm256_storeu_si256(half.cast(), kept) };
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
            let mut start = Lanes::of(u16::MAX);
            for variable in 0..VARIABLES {
                *start.at_mut(variable) = [rng.below(512) as u16, 1 << rng.below(9), 0, u16::MAX][rng.below(4)];
            }
            let candidates: Vec<u16> = (0..1 + rng.below(4)).map(|_| rng.below(CANDIDATES) as u16).collect();
            let run = |most: Instructions, to: usize| {
                let mut rows = vec![start.clone(), Lanes::of(0)];
                let empty = clashes(most, &start, keep(), &candidates);
                let few = assume(most, &mut rows, [0, to], keep(), &candidates);
                assert_eq!(empty, (0..VARIABLES).any(|at| rows[to].at(at) == 0 && start.at(at) > 0));
                (few, (0..VARIABLES).map(|variable| rows[to].at(variable)).collect::<Vec<u16>>())
            };
            let (few, after) = run(Instructions::Portable, 1);
            for (variable, &rest) in after.iter().enumerate() {
                let kept = candidates.iter().fold(start.at(variable), |rest, &candidate| {
                    let own = VARIABLES_OF[usize::from(candidate)].iter().any(|&(own, _)| usize::from(own) == variable);
                    let linked =
                        LINKED[usize::from(candidate)].iter().flat_map(|&other| VARIABLES_OF[usize::from(other)]);
                    let lost = linked.filter(|&(of, _)| usize::from(of) == variable && !own);
                    lost.fold(rest, |rest, (_, bit)| rest & !bit)
                });
                let is_few = few[variable / 32] >> (variable % 32) & 1 == 1;
                assert_eq!((rest, is_few), (kept, kept.count_ones() <= 1 && kept != start.at(variable)));
            }
            for most in [Instructions::Portable, Instructions::Avx2, Instructions::Avx512] {
                for to in [0, 1] {
                    assert_eq!(run(most, to), (few, after.clone()));
                }
            }
        }
    }
}
