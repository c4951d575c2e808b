//! The vector forms of [`Lanes`] on x86-64, chosen at run time. Only this module and `whip/lanes` are `unsafe`.
//!
//! A position is three registers with AVX-512, three pairs of 256 and 128 bits with AVX2, nine with SSE4.2 and SSE2.
//!
//! The macro `in_vector_instructions` says why the methods of both are sound.
#![allow(unsafe_code)]

use super::beyond::{
    VariantPosition, VariantRules, VariantSearch, VariantSingles, place_variant_singles_with, second_with,
};
use super::fill::complete_with;
use super::instructions::Instructions;
use super::rules::lanes::Lanes;
use super::rules::words::{DigitWords, FULL, PackedCandidates, VectorWords};
use super::search::{OnSolution, SolutionOrder, Start, explore_with};
use super::singles::{SinglesPlaced, place_singles_with, settled_with};
use crate::board::Narrow;
use crate::random::Rng;
use crate::solve::Candidate;
use std::arch::x86_64 as x86;

/// Implements [`Lanes`] for a type in vector instructions.
macro_rules! in_vector_instructions {
    ($vector:ty $(where $flag:ident)? $([$selects:literal])?: $(fn $name:ident $(<const $n:ident: i32>)? ($($argument:tt)*) $(-> $result:ty)? { $($body:tt)* })*) => {
        impl $(<const $flag: bool>)? Lanes for $vector {
            $(const SELECTS: bool = $selects;)?
            $(#[inline(always)]
            fn $name $(<const $n: i32>)? ($($argument)*) $(-> $result)? {
                // SAFETY: two things could be unsound here. (1) An instruction that the machine lacks: the vector types
                // are private to this module, and values of them exist only in the functions below with
                // `#[target_feature]`, into which these methods are inlined. They are called only after `instructions`
                // found the features on this machine. `Triple<false>` needs only SSE2. (2) An access out of bounds: only `load`, `store`, `repeat` and
                // `group` use pointers. They come from a `VectorWords` (64 bytes) or a `DigitWords` (16 bytes), no
                // access is longer than its type, and all of them are of the kind that needs no alignment.
                #[allow(unused_unsafe, reason = "the instructions of SSE2 are safe everywhere")]
                unsafe { $($body)* }
            })*
        }
    };
}

/// Three groups and padding in one register.
#[derive(Clone, Copy)]
struct Wide(x86::__m512i);

in_vector_instructions! { Wide [true]:
    fn load(words: &VectorWords) -> Self {
        Wide(x86::_mm512_loadu_si512(words.as_ptr().cast()))
    }
    fn store(self, words: &mut VectorWords) {
        x86::_mm512_storeu_si512(words.as_mut_ptr().cast(), self.0)
    }
    fn splat(word: u32) -> Self {
        Wide(x86::_mm512_set1_epi32(word as i32))
    }
    fn repeat(words: &DigitWords) -> Self {
        Wide(x86::_mm512_maskz_broadcast_i32x4(0xfff, x86::_mm_loadu_si128(words.as_ptr().cast())))
    }
    fn group(self) -> DigitWords {
        let mut words = [0; 4];
        x86::_mm_storeu_si128(words.as_mut_ptr().cast(), x86::_mm512_castsi512_si128(self.0));
        words
    }
    fn and(self, other: Self) -> Self {
        Wide(x86::_mm512_and_si512(self.0, other.0))
    }
    fn or(self, other: Self) -> Self {
        Wide(x86::_mm512_or_si512(self.0, other.0))
    }
    fn xor(self, other: Self) -> Self {
        Wide(x86::_mm512_xor_si512(self.0, other.0))
    }
    fn without(self, other: Self) -> Self {
        Wide(x86::_mm512_andnot_si512(other.0, self.0))
    }
    fn minus(self, other: Self) -> Self {
        Wide(x86::_mm512_sub_epi32(self.0, other.0))
    }
    fn select(self, a: Self, b: Self) -> Self {
        // Bit 4 a + 2 b + c of the constant is the result for the bits a, b and c of the three arguments.
        Wide(x86::_mm512_ternarylogic_epi32::<0xca>(self.0, a.0, b.0))
    }
    fn or_difference(self, a: Self, b: Self) -> Self {
        Wide(x86::_mm512_ternarylogic_epi32::<0xf6>(self.0, a.0, b.0))
    }
    fn clear(self, other: Self) -> Self {
        Wide(x86::_mm512_ternarylogic_epi32::<0x30>(self.0, other.0, other.0))
    }
    fn without_cells(self, other: Self) -> Self {
        Wide(x86::_mm512_ternarylogic_epi32::<0x70>(self.0, other.0, Self::splat(super::rules::words::CELLS).0))
    }
    fn or3(self, b: Self, c: Self) -> Self {
        Wide(x86::_mm512_ternarylogic_epi32::<0xfe>(self.0, b.0, c.0))
    }
    fn left<const N: i32>(self) -> Self {
        Wide(x86::_mm512_sll_epi32(self.0, x86::_mm_cvtsi32_si128(N)))
    }
    fn right<const N: i32>(self) -> Self {
        Wide(x86::_mm512_srl_epi32(self.0, x86::_mm_cvtsi32_si128(N)))
    }
    fn next_band(self) -> Self {
        Wide(x86::_mm512_shuffle_epi32::<0b11_00_10_01>(self.0))
    }
    fn previous_band(self) -> Self {
        Wide(x86::_mm512_shuffle_epi32::<0b11_01_00_10>(self.0))
    }
    fn groups(self) -> [Self; 3] {
        // In the place of each group, the group itself, the next one and the one before it, cyclically.
        let next = Wide(x86::_mm512_shuffle_i32x4::<0b11_00_10_01>(self.0, self.0));
        let previous = Wide(x86::_mm512_shuffle_i32x4::<0b11_01_00_10>(self.0, self.0));
        [self, next, previous]
    }
    fn meets(self, other: Self) -> u32 {
        u32::from(x86::_mm512_test_epi32_mask(self.0, other.0))
    }
    fn same(self, other: Self) -> bool {
        x86::_mm512_cmpneq_epi32_mask(self.0, other.0) == 0
    }
}

/// Two groups in one register, one in another; no padding group.
#[derive(Clone, Copy)]
struct Pair(x86::__m256i, x86::__m128i);

in_vector_instructions! { Pair:
    fn load(words: &VectorWords) -> Self {
        let start = words.as_ptr();
        Pair(x86::_mm256_loadu_si256(start.cast()), x86::_mm_loadu_si128(start.add(2).cast()))
    }
    fn store(self, words: &mut VectorWords) {
        let start = words.as_mut_ptr();
        x86::_mm256_storeu_si256(start.cast(), self.0);
        x86::_mm_storeu_si128(start.add(2).cast(), self.1);
    }
    fn splat(word: u32) -> Self {
        Pair(x86::_mm256_set1_epi32(word as i32), x86::_mm_set1_epi32(word as i32))
    }
    fn repeat(words: &DigitWords) -> Self {
        let words = x86::_mm_loadu_si128(words.as_ptr().cast());
        Pair(x86::_mm256_broadcastsi128_si256(words), words)
    }
    fn group(self) -> DigitWords {
        let mut words = [0; 4];
        x86::_mm_storeu_si128(words.as_mut_ptr().cast(), x86::_mm256_castsi256_si128(self.0));
        words
    }
    fn and(self, other: Self) -> Self {
        Pair(x86::_mm256_and_si256(self.0, other.0), x86::_mm_and_si128(self.1, other.1))
    }
    fn or(self, other: Self) -> Self {
        Pair(x86::_mm256_or_si256(self.0, other.0), x86::_mm_or_si128(self.1, other.1))
    }
    fn xor(self, other: Self) -> Self {
        Pair(x86::_mm256_xor_si256(self.0, other.0), x86::_mm_xor_si128(self.1, other.1))
    }
    fn without(self, other: Self) -> Self {
        Pair(x86::_mm256_andnot_si256(other.0, self.0), x86::_mm_andnot_si128(other.1, self.1))
    }
    fn minus(self, other: Self) -> Self {
        Pair(x86::_mm256_sub_epi32(self.0, other.0), x86::_mm_sub_epi32(self.1, other.1))
    }
    fn left<const N: i32>(self) -> Self {
        let count = x86::_mm_cvtsi32_si128(N);
        Pair(x86::_mm256_sll_epi32(self.0, count), x86::_mm_sll_epi32(self.1, count))
    }
    fn right<const N: i32>(self) -> Self {
        let count = x86::_mm_cvtsi32_si128(N);
        Pair(x86::_mm256_srl_epi32(self.0, count), x86::_mm_srl_epi32(self.1, count))
    }
    fn next_band(self) -> Self {
        Pair(x86::_mm256_shuffle_epi32::<0b11_00_10_01>(self.0), x86::_mm_shuffle_epi32::<0b11_00_10_01>(self.1))
    }
    fn previous_band(self) -> Self {
        Pair(x86::_mm256_shuffle_epi32::<0b11_01_00_10>(self.0), x86::_mm_shuffle_epi32::<0b11_01_00_10>(self.1))
    }
    fn groups(self) -> [Self; 3] {
        let [first, second] = [x86::_mm256_castsi256_si128(self.0), x86::_mm256_extracti128_si256::<1>(self.0)];
        // What is computed with the other groups is not used, so the compiler leaves it out.
        [Pair(self.0, first), Pair(self.0, second), self]
    }
    fn everywhere(self) -> Self {
        Pair(x86::_mm256_broadcastsi128_si256(self.1), self.1)
    }
    fn meets(self, other: Self) -> u32 {
        let both = self.and(other);
        let empty_groups = x86::_mm256_cmpeq_epi32(both.0, x86::_mm256_setzero_si256());
        let empty_last = x86::_mm_cmpeq_epi32(both.1, x86::_mm_setzero_si128());
        let empty = x86::_mm256_movemask_ps(x86::_mm256_castsi256_ps(empty_groups))
            | x86::_mm_movemask_ps(x86::_mm_castsi128_ps(empty_last)) << 8;
        !empty as u32 & 0xfff
    }
    fn same(self, other: Self) -> bool {
        let apart = self.xor(other);
        let all = x86::_mm256_or_si256(apart.0, x86::_mm256_zextsi128_si256(apart.1));
        x86::_mm256_testz_si256(all, all) == 1
    }
}

/// One group in each of three registers; no padding group. All instructions are those of SSE2, which every x86-64 has;
/// with `PTEST` one is of SSE4.1.
#[derive(Clone, Copy)]
struct Triple<const PTEST: bool>(x86::__m128i, x86::__m128i, x86::__m128i);

impl<const PTEST: bool> Triple<PTEST> {
    #[inline(always)]
    fn each(self, operation: impl Fn(x86::__m128i) -> x86::__m128i) -> Self {
        Triple(operation(self.0), operation(self.1), operation(self.2))
    }

    #[inline(always)]
    fn with(self, other: Self, operation: impl Fn(x86::__m128i, x86::__m128i) -> x86::__m128i) -> Self {
        Triple(operation(self.0, other.0), operation(self.1, other.1), operation(self.2, other.2))
    }
}

in_vector_instructions! { Triple<PTEST> where PTEST:
    fn load(words: &VectorWords) -> Self {
        let [a, b, c] = [&words[0], &words[1], &words[2]];
        Triple(
            x86::_mm_loadu_si128(a.as_ptr().cast()),
            x86::_mm_loadu_si128(b.as_ptr().cast()),
            x86::_mm_loadu_si128(c.as_ptr().cast()),
        )
    }
    fn store(self, words: &mut VectorWords) {
        x86::_mm_storeu_si128(words[0].as_mut_ptr().cast(), self.0);
        x86::_mm_storeu_si128(words[1].as_mut_ptr().cast(), self.1);
        x86::_mm_storeu_si128(words[2].as_mut_ptr().cast(), self.2);
    }
    fn splat(word: u32) -> Self {
        let word = x86::_mm_set1_epi32(word as i32);
        Triple(word, word, word)
    }
    fn repeat(words: &DigitWords) -> Self {
        let words = x86::_mm_loadu_si128(words.as_ptr().cast());
        Triple(words, words, words)
    }
    fn group(self) -> DigitWords {
        let mut words = [0; 4];
        x86::_mm_storeu_si128(words.as_mut_ptr().cast(), self.0);
        words
    }
    fn and(self, other: Self) -> Self {
        self.with(other, |a, b| x86::_mm_and_si128(a, b))
    }
    fn or(self, other: Self) -> Self {
        self.with(other, |a, b| x86::_mm_or_si128(a, b))
    }
    fn xor(self, other: Self) -> Self {
        self.with(other, |a, b| x86::_mm_xor_si128(a, b))
    }
    fn without(self, other: Self) -> Self {
        self.with(other, |a, b| x86::_mm_andnot_si128(b, a))
    }
    fn minus(self, other: Self) -> Self {
        self.with(other, |a, b| x86::_mm_sub_epi32(a, b))
    }
    fn left<const N: i32>(self) -> Self {
        self.each(|a| x86::_mm_sll_epi32(a, x86::_mm_cvtsi32_si128(N)))
    }
    fn right<const N: i32>(self) -> Self {
        self.each(|a| x86::_mm_srl_epi32(a, x86::_mm_cvtsi32_si128(N)))
    }
    fn next_band(self) -> Self {
        self.each(|a| x86::_mm_shuffle_epi32::<0b11_00_10_01>(a))
    }
    fn previous_band(self) -> Self {
        self.each(|a| x86::_mm_shuffle_epi32::<0b11_01_00_10>(a))
    }
    fn groups(self) -> [Self; 3] {
        [Triple(self.0, self.0, self.0), Triple(self.1, self.1, self.1), Triple(self.2, self.2, self.2)]
    }
    fn meets(self, other: Self) -> u32 {
        let both = self.and(other);
        let empty = |a: x86::__m128i| {
            x86::_mm_movemask_ps(x86::_mm_castsi128_ps(x86::_mm_cmpeq_epi32(a, x86::_mm_setzero_si128())))
        };
        !(empty(both.0) | empty(both.1) << 4 | empty(both.2) << 8) as u32 & 0xfff
    }
    fn same(self, other: Self) -> bool {
        let Triple(a, b, c) = self.xor(other);
        let all = x86::_mm_or_si128(x86::_mm_or_si128(a, b), c);
        if PTEST {
            x86::_mm_testz_si128(all, all) == 1
        } else {
            x86::_mm_movemask_epi8(x86::_mm_cmpeq_epi32(all, x86::_mm_setzero_si128())) == 0xffff
        }
    }
}

/// [`PackedCandidates::of`] with byte comparisons. A band's 27 values go to the bytes whose numbers are the bits of the cells:
/// then comparing with a digit and taking the top bits gives that digit's word.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn read_avx2(values: &[u8; 81]) -> Option<PackedCandidates> {
    // The first 16 values of a band fill bytes 0..=8 (row 0) and 10..=15 (row 1). The last 16 values fill the upper
    // half with the rest of the band.
    const BYTES: [i8; 32] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, -1, 9, 10, 11, 12, 13, 14, //
        4, 5, 6, -1, 7, 8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1,
    ];
    let mut position = PackedCandidates::BLANK;
    // SAFETY: the table has 32 bytes.
    let order = unsafe { x86::_mm256_loadu_si256(BYTES.as_ptr().cast()) };
    let mut largest = x86::_mm256_setzero_si256();
    for band in 0..3 {
        let values = &values[27 * band..27 * band + 27];
        // SAFETY: values 0..16 and 11..27 of the 27 of the slice.
        let (first, last) = unsafe {
            (x86::_mm_loadu_si128(values.as_ptr().cast()), x86::_mm_loadu_si128(values.as_ptr().add(11).cast()))
        };
        let bytes = x86::_mm256_shuffle_epi8(x86::_mm256_set_m128i(last, first), order);
        largest = x86::_mm256_max_epu8(largest, bytes);
        let blank = x86::_mm256_movemask_epi8(x86::_mm256_cmpeq_epi8(bytes, x86::_mm256_setzero_si256()));
        for digit in 0..9 {
            let givens = x86::_mm256_cmpeq_epi8(bytes, x86::_mm256_set1_epi8(digit as i8 + 1));
            position.digit_mut(digit)[band] = FULL & (blank | x86::_mm256_movemask_epi8(givens)) as u32;
        }
    }
    // No byte is above 9.
    let legible =
        x86::_mm256_cmpeq_epi8(x86::_mm256_max_epu8(largest, x86::_mm256_set1_epi8(9)), x86::_mm256_set1_epi8(9));
    (x86::_mm256_movemask_epi8(legible) == -1).then_some(position)
}

/// The same with halves of bands.
#[target_feature(enable = "sse4.2,popcnt")]
fn read_sse42(values: &[u8; 81]) -> Option<PackedCandidates> {
    const BYTES: [[i8; 16]; 2] = [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, -1, 9, 10, 11, 12, 13, 14],
        [4, 5, 6, -1, 7, 8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1],
    ];
    // SAFETY: each row of the table has 16 bytes.
    let order = BYTES.map(|bytes| unsafe { x86::_mm_loadu_si128(bytes.as_ptr().cast()) });
    let mut position = PackedCandidates::BLANK;
    let mut largest = x86::_mm_setzero_si128();
    for band in 0..3 {
        let values = &values[27 * band..27 * band + 27];
        // SAFETY: values 0..16 and 11..27 of the 27 of the slice.
        let halves = [0, 11].map(|from| unsafe { x86::_mm_loadu_si128(values.as_ptr().add(from).cast()) });
        let bytes = [x86::_mm_shuffle_epi8(halves[0], order[0]), x86::_mm_shuffle_epi8(halves[1], order[1])];
        largest = x86::_mm_max_epu8(largest, x86::_mm_max_epu8(bytes[0], bytes[1]));
        let cells = |value: i8| {
            let halves = bytes.map(|half| x86::_mm_movemask_epi8(x86::_mm_cmpeq_epi8(half, x86::_mm_set1_epi8(value))));
            (halves[0] | halves[1] << 16) as u32
        };
        let blank = cells(0);
        for digit in 0..9 {
            position.digit_mut(digit)[band] = FULL & (blank | cells(digit as i8 + 1));
        }
    }
    let legible = x86::_mm_cmpeq_epi8(x86::_mm_max_epu8(largest, x86::_mm_set1_epi8(9)), x86::_mm_set1_epi8(9));
    (x86::_mm_movemask_epi8(legible) == 0xffff).then_some(position)
}

/// The lowest form. Tests compare with the form of other processors.
#[cfg(test)]
type Lowest = super::rules::portable::Portable;
#[cfg(not(test))]
type Lowest = Triple<false>;

/// A function with the best instructions of this machine up to a level.
macro_rules! with_best_instructions {
    ($name:ident: $at:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?) => {
        #[inline]
        pub(super) fn $name(most: Instructions, $($argument: $type),*) $(-> $result)? {
            #[target_feature(enable = "avx512f,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx512($($argument: $type),*) $(-> $result)? {
                $at::<Wide>($($argument),*)
            }
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2($($argument: $type),*) $(-> $result)? {
                $at::<Pair>($($argument),*)
            }
            #[target_feature(enable = "sse4.2,popcnt")]
            fn sse42($($argument: $type),*) $(-> $result)? {
                $at::<Triple<true>>($($argument),*)
            }
            // SAFETY: `Instructions::best` found the instructions of its level on this machine.
            unsafe {
                match most.min(Instructions::best()) {
                    Instructions::Avx512 => avx512($($argument),*),
                    Instructions::Avx2 => avx2($($argument),*),
                    Instructions::Sse42 => sse42($($argument),*),
                    Instructions::Portable => $at::<Lowest>($($argument),*),
                }
            }
        }
    };
}

with_best_instructions!(explore: explore_with(start: Start, order: SolutionOrder, on_solution: OnSolution));
with_best_instructions!(complete: complete_with(start: &PackedCandidates, rng: &mut Rng) -> Option<PackedCandidates>);
with_best_instructions!(
    place_singles: place_singles_with(start: &PackedCandidates, first: Option<Candidate>) -> Option<SinglesPlaced>
);
with_best_instructions!(settled: settled_with(start: &PackedCandidates) -> Option<PackedCandidates>);

with_best_instructions!(
    second: second_with(search: &mut VariantSearch, givens: DigitWords, barred: Option<Candidate>) -> Option<Narrow>
);
with_best_instructions!(
    place_variant_singles: place_variant_singles_with(position: VariantPosition, rules: &'static VariantRules)
        -> Option<VariantSingles>
);

/// [`PackedCandidates::of`] with the best instructions of this machine up to a level.
#[inline]
pub(super) fn read(most: Instructions, values: &[u8; 81]) -> Option<PackedCandidates> {
    // SAFETY: `Instructions::best` found the instructions of its level on this machine.
    unsafe {
        match most.min(Instructions::best()) {
            Instructions::Portable => PackedCandidates::of(values),
            Instructions::Sse42 => read_sse42(values),
            _ => read_avx2(values),
        }
    }
}
