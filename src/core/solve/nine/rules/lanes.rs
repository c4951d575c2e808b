//! Vectors of sixteen words: the few operations that the rules need.
//!
//! The rules of [`super::sweep`] are written once, for every implementation of the trait [`Lanes`]: `portable` is for
//! every machine, [`crate::solve::nine::vector`] has vector instructions. All forms give the same bits.

use super::words::{DigitWords, VectorWords};

/// A vector of 16 words as in [`super::words`]: three groups and a padding group, each with three bands and a padding
/// word. An implementation may drop the padding group.
pub(crate) trait Lanes: Copy {
    /// True if [`Lanes::select`] is one instruction.
    const SELECTS: bool = false;
    fn load(words: &VectorWords) -> Self;
    fn store(self, words: &mut VectorWords);
    /// The same word in every lane.
    fn splat(word: u32) -> Self;
    /// The same four words in each of the three groups; nothing in the padding group.
    fn repeat(words: &DigitWords) -> Self;
    /// The four words of the first group.
    fn group(self) -> DigitWords;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// Bits of this vector that the other one does not have.
    fn without(self, other: Self) -> Self;
    /// Bits of `a` where this mask has bits, of `b` elsewhere.
    #[inline(always)]
    fn select(self, a: Self, b: Self) -> Self {
        a.and(self).or(b.without(self))
    }
    /// Bits of any of three.
    #[inline(always)]
    fn or3(self, b: Self, c: Self) -> Self {
        self.or(b).or(c)
    }
    /// These bits and those in which two others differ.
    #[inline(always)]
    fn or_difference(self, a: Self, b: Self) -> Self {
        self.or(a.xor(b))
    }
    /// [`Lanes::without`] in exactly one instruction. Otherwise the compiler would merge it with the subtraction before
    /// it, which gives two instructions.
    #[inline(always)]
    fn clear(self, other: Self) -> Self {
        self.without(other)
    }
    /// The bits of this vector that are not cells of the other one, which may have any guards if [`Lanes::SELECTS`].
    #[inline(always)]
    fn without_cells(self, other: Self) -> Self {
        self.without(other)
    }
    /// Difference of words, wrapping.
    fn minus(self, other: Self) -> Self;
    /// Shifted towards higher bits.
    fn left<const N: i32>(self) -> Self;
    /// Shifted towards lower bits.
    fn right<const N: i32>(self) -> Self;
    /// In each group, lane b gets the word of lane b+1 of the three bands, cyclically; padding stays.
    fn next_band(self) -> Self;
    /// In each group, lane b gets the word of lane b+2 of the three bands, cyclically; padding stays.
    fn previous_band(self) -> Self;
    /// Three vectors that have, one after the other, each of the three groups where [`Lanes::everywhere`] needs it.
    fn groups(self) -> [Self; 3];
    /// The last group in every group. Some vectors work on one group only until here.
    #[inline(always)]
    fn everywhere(self) -> Self {
        self
    }
    /// In every group, the bits of any of the three groups.
    #[inline(always)]
    fn any_group(self) -> Self {
        let [a, b, c] = self.groups();
        a.or3(b, c).everywhere()
    }
    /// In every group, the bits of at least two of the three groups.
    #[inline(always)]
    fn several_groups(self) -> Self {
        let [a, b, c] = self.groups();
        a.and(b).or(a.or(b).and(c)).everywhere()
    }
    /// In every group, the bits of one or of all three groups.
    #[inline(always)]
    fn odd_groups(self) -> Self {
        let [a, b, c] = self.groups();
        a.xor(b).xor(c).everywhere()
    }
    /// For each lane, one bit: do the two words have a bit in common? There are four bits for each group.
    fn meets(self, other: Self) -> u32;
    /// True if all words are equal, except perhaps the padding group.
    fn same(self, other: Self) -> bool;
}
