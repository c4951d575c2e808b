//! Four words at a time: the few operations that the rules are written in, and their portable form.
//!
//! The rules of [`super::sweep`] are written once over this trait. The portable form works on every machine and is
//! the scalar twin of the vector forms in [`super::vector`]; all give the same bits.

use super::words::Digit;

/// Instructions to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Only what every machine has.
    Portable,
    /// x86-64 with AVX2, BMI and population counts.
    Avx2,
    /// The same, and AVX-512 F and VL.
    Avx512,
}

/// A vector of 32-bit words: lanes 0 to 2 are the three bands, lane 3 is padding; wider vectors repeat this.
pub(super) trait Lanes: Copy {
    /// How many positions side by side, four lanes each.
    const SLOTS: usize;
    /// Reads the first [`Lanes::SLOTS`] words of four lanes.
    fn load(words: &[Digit]) -> Self;
    /// Writes them.
    fn store(self, words: &mut [Digit]);
    /// The same word in every lane.
    fn splat(word: u32) -> Self;
    /// Bits of both.
    fn and(self, other: Self) -> Self;
    /// Bits of either.
    fn or(self, other: Self) -> Self;
    /// Bits of exactly one.
    fn xor(self, other: Self) -> Self;
    /// Bits of this one that the other has not.
    fn without(self, other: Self) -> Self;
    /// Difference of words, wrapping.
    fn minus(self, other: Self) -> Self;
    /// Shifted towards higher bits.
    fn left<const N: i32>(self) -> Self;
    /// Shifted towards lower bits.
    fn right<const N: i32>(self) -> Self;
    /// Lane b becomes lane b+1 of the three bands, cyclically; the padding lane stays.
    fn next_band(self) -> Self;
    /// Lane b becomes lane b+2 of the three bands, cyclically; the padding lane stays.
    fn last_band(self) -> Self;
    /// One bit a lane: do the words agree?
    fn equal(self, other: Self) -> u32;
}

/// The portable form.
#[derive(Clone, Copy)]
pub(super) struct Portable(Digit);

impl Portable {
    #[inline(always)]
    fn each(self, other: Self, operation: impl Fn(u32, u32) -> u32) -> Self {
        let (a, b) = (self.0, other.0);
        Portable([operation(a[0], b[0]), operation(a[1], b[1]), operation(a[2], b[2]), operation(a[3], b[3])])
    }
}

impl Lanes for Portable {
    const SLOTS: usize = 1;

    #[inline(always)]
    fn load(words: &[Digit]) -> Self {
        Portable(words[0])
    }

    #[inline(always)]
    fn store(self, words: &mut [Digit]) {
        words[0] = self.0;
    }

    #[inline(always)]
    fn splat(word: u32) -> Self {
        Portable([word; 4])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.each(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.each(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.each(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.each(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.each(other, u32::wrapping_sub)
    }

    #[inline(always)]
    fn left<const N: i32>(self) -> Self {
        self.each(self, |a, _| a << N)
    }

    #[inline(always)]
    fn right<const N: i32>(self) -> Self {
        self.each(self, |a, _| a >> N)
    }

    #[inline(always)]
    fn next_band(self) -> Self {
        let [a, b, c, padding] = self.0;
        Portable([b, c, a, padding])
    }

    #[inline(always)]
    fn last_band(self) -> Self {
        let [a, b, c, padding] = self.0;
        Portable([c, a, b, padding])
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        let same = |lane: usize| u32::from(self.0[lane] == other.0[lane]) << lane;
        same(0) | same(1) | same(2) | same(3)
    }
}
