//! The vector forms of [`Lanes`] on x86-64, chosen at run time; the only module with `unsafe` code.
//!
//! | machine | one position | two | three or four |
//! |---|---|---|---|
//! | AVX-512 F and VL | 128 bits | 256 bits | 512 bits |
//! | AVX2 | 128 bits | 256 bits | twice 256 bits |
//!
//! The vector types are private to this module and are met only inside functions compiled for the instructions
//! (`#[target_feature]`), which are entered only after the machine was asked for them. That is what the SAFETY lines mean by
//! "inside".
#![allow(unsafe_code)]

use super::fill::complete_with;
use super::lanes::{Lanes, Level};
use super::search::{Event, Found, Machine, explore_with, run, run_in_parts};
use super::words::{Digit, Position, Slots};
use crate::random::Rng;
use std::arch::x86_64 as x86;
use std::sync::LazyLock;

/// What this machine has.
pub(super) fn level() -> Level {
    static LEVEL: LazyLock<Level> = LazyLock::new(|| {
        let scalar = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        if scalar && is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
            Level::Avx512
        } else if scalar && is_x86_feature_detected!("avx2") {
            Level::Avx2
        } else {
            Level::Portable
        }
    });
    *LEVEL
}

/// One vector type. A macro, because the three differ in nothing but the names of the intrinsics.
macro_rules! lanes {
    ($name:ident, $register:ty, $slots:literal, $load:ident, $store:ident, $splat:ident, $and:ident, $or:ident, $xor:ident,
     $andnot:ident, $minus:ident, $left:ident, $right:ident, $shuffle:ident, $equal:expr) => {
        #[derive(Clone, Copy)]
        struct $name($register);

        impl Lanes for $name {
            const SLOTS: usize = $slots;

            #[inline(always)]
            fn load(words: &[Digit]) -> Self {
                let words = words[..$slots].as_ptr();
                // SAFETY: inside; the slice just made has as many bytes as the register.
                $name(unsafe { x86::$load(words.cast()) })
            }

            #[inline(always)]
            fn store(self, words: &mut [Digit]) {
                let words = words[..$slots].as_mut_ptr();
                // SAFETY: inside; the slice just made has as many bytes as the register.
                unsafe { x86::$store(words.cast(), self.0) }
            }

            #[inline(always)]
            fn splat(word: u32) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$splat(word as i32) })
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$and(self.0, other.0) })
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$or(self.0, other.0) })
            }

            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$xor(self.0, other.0) })
            }

            #[inline(always)]
            fn without(self, other: Self) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$andnot(other.0, self.0) })
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$minus(self.0, other.0) })
            }

            #[inline(always)]
            fn left<const N: i32>(self) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$left(self.0, x86::_mm_cvtsi32_si128(N)) })
            }

            #[inline(always)]
            fn right<const N: i32>(self) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$right(self.0, x86::_mm_cvtsi32_si128(N)) })
            }

            #[inline(always)]
            fn next_band(self) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$shuffle::<0b11_00_10_01>(self.0) })
            }

            #[inline(always)]
            fn last_band(self) -> Self {
                // SAFETY: inside.
                $name(unsafe { x86::$shuffle::<0b11_01_00_10>(self.0) })
            }

            #[inline(always)]
            fn equal(self, other: Self) -> u32 {
                // SAFETY: inside.
                unsafe { $equal(self.0, other.0) }
            }
        }
    };
}

lanes!(
    One,
    x86::__m128i,
    1,
    _mm_loadu_si128,
    _mm_storeu_si128,
    _mm_set1_epi32,
    _mm_and_si128,
    _mm_or_si128,
    _mm_xor_si128,
    _mm_andnot_si128,
    _mm_sub_epi32,
    _mm_sll_epi32,
    _mm_srl_epi32,
    _mm_shuffle_epi32,
    |a, b| x86::_mm_movemask_ps(x86::_mm_castsi128_ps(x86::_mm_cmpeq_epi32(a, b))) as u32
);
lanes!(
    Two,
    x86::__m256i,
    2,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_set1_epi32,
    _mm256_and_si256,
    _mm256_or_si256,
    _mm256_xor_si256,
    _mm256_andnot_si256,
    _mm256_sub_epi32,
    _mm256_sll_epi32,
    _mm256_srl_epi32,
    _mm256_shuffle_epi32,
    |a, b| x86::_mm256_movemask_ps(x86::_mm256_castsi256_ps(x86::_mm256_cmpeq_epi32(a, b))) as u32
);
lanes!(
    Four,
    x86::__m512i,
    4,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_set1_epi32,
    _mm512_and_si512,
    _mm512_or_si512,
    _mm512_xor_si512,
    _mm512_andnot_si512,
    _mm512_sub_epi32,
    _mm512_sll_epi32,
    _mm512_srl_epi32,
    _mm512_shuffle_epi32,
    |a, b| u32::from(x86::_mm512_cmpeq_epi32_mask(a, b))
);

/// With AVX-512: up to four positions in one register a digit.
struct Avx512;

impl Machine for Avx512 {
    #[inline(always)]
    fn run(slots: &mut Slots, live: usize) -> Event {
        match live {
            1 => run::<One>(slots, live),
            2 => run::<Two>(slots, live),
            _ => run::<Four>(slots, live),
        }
    }
}

/// With AVX2: two positions in one register a digit.
struct Avx2;

impl Machine for Avx2 {
    #[inline(always)]
    fn run(slots: &mut Slots, live: usize) -> Event {
        match live {
            1 => run::<One>(slots, live),
            2 => run::<Two>(slots, live),
            _ => run_in_parts::<Two>(slots, live),
        }
    }
}

#[target_feature(enable = "avx512f,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn explore_avx512(start: &Position, favourites: &[u8; 81], found: Found) {
    explore_with::<Avx512>(start, favourites, found);
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn explore_avx2(start: &Position, favourites: &[u8; 81], found: Found) {
    explore_with::<Avx2>(start, favourites, found);
}

#[target_feature(enable = "avx512f,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn complete_avx512(start: &Position, rng: &mut Rng) -> Option<Position> {
    complete_with::<Avx512>(start, rng)
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn complete_avx2(start: &Position, rng: &mut Rng) -> Option<Position> {
    complete_with::<Avx2>(start, rng)
}

/// [`explore_with`] with the best instructions up to a level that the machine has. False, and nothing done, when that is
/// [`Level::Portable`].
#[inline]
pub(super) fn explore(most: Level, start: &Position, favourites: &[u8; 81], found: Found) -> bool {
    match most.min(level()) {
        // SAFETY: the machine was asked for these instructions, in `level`.
        Level::Avx512 => unsafe { explore_avx512(start, favourites, found) },
        // SAFETY: the machine was asked for these instructions, in `level`.
        Level::Avx2 => unsafe { explore_avx2(start, favourites, found) },
        Level::Portable => return false,
    }
    true
}

/// [`complete_with`] with the best instructions up to a level that the machine has. None when that is [`Level::Portable`].
#[inline]
pub(super) fn complete(most: Level, start: &Position, rng: &mut Rng) -> Option<Option<Position>> {
    match most.min(level()) {
        // SAFETY: the machine was asked for these instructions, in `level`.
        Level::Avx512 => Some(unsafe { complete_avx512(start, rng) }),
        // SAFETY: the machine was asked for these instructions, in `level`.
        Level::Avx2 => Some(unsafe { complete_avx2(start, rng) }),
        Level::Portable => None,
    }
}
