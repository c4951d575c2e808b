//! Vectors of sixteen words: the few operations that the rules need, and their portable form.
//!
//! The rules of [`super::sweep`] are written once, for every implementation of the trait [`Lanes`]. The portable form
//! works on every machine. The forms in [`super::vector`] use vector instructions. All forms give the same bits.

use super::words::{DigitWords, VectorWords};

/// A vector of 16 words as in [`super::words`]: three groups and a padding group, each with three bands and a padding
/// word. An implementation may drop the padding group.
pub(super) trait Lanes: Copy {
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
    /// Bits of both.
    fn and(self, other: Self) -> Self;
    /// Bits of either.
    fn or(self, other: Self) -> Self;
    /// Bits of exactly one.
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
    /// In every group, the bits of any of the three groups.
    fn any_group(self) -> Self;
    /// In every group, the bits of at least two of the three groups.
    fn several_groups(self) -> Self;
    /// In every group, the bits of one or of all three groups.
    fn odd_groups(self) -> Self;
    /// For each lane, one bit: do the two words have a bit in common? There are four bits for each group.
    fn meets(self, other: Self) -> u32;
    /// True if all words are equal, except perhaps the padding group.
    fn same(self, other: Self) -> bool;
}

/// The portable form: three groups, without the fourth.
#[derive(Clone, Copy)]
pub(super) struct Portable([DigitWords; 3]);

impl Portable {
    /// Applies an operation to each pair of words. It has no loops: the rules inline hundreds of these calls into one
    /// function, and the compiler took longer to unroll the loops than to compile all other code of the core.
    #[inline(always)]
    fn each(self, other: Self, operation: impl Fn(u32, u32) -> u32) -> Self {
        let four = |a: DigitWords, b: DigitWords| {
            [operation(a[0], b[0]), operation(a[1], b[1]), operation(a[2], b[2]), operation(a[3], b[3])]
        };
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Portable([four(a, d), four(b, e), four(c, f)])
    }

    /// Each group, three times.
    #[inline(always)]
    fn groups(self) -> [Self; 3] {
        self.0.map(
            #[inline(always)]
            |group| Portable([group; 3]),
        )
    }
}

/// Implements [`Lanes`] for a type with methods that are always inlined.
macro_rules! always_inlined {
    ($vector:ty: $(fn $name:ident $(<const $n:ident: i32>)? ($($argument:tt)*) $(-> $result:ty)? $body:block)*) => {
        impl Lanes for $vector {
            $(#[inline(always)]
            fn $name $(<const $n: i32>)? ($($argument)*) $(-> $result)? $body)*
        }
    };
}

always_inlined! { Portable:
    fn load(words: &VectorWords) -> Self {
        Portable([words[0], words[1], words[2]])
    }
    fn store(self, words: &mut VectorWords) {
        words[..3].copy_from_slice(&self.0);
    }
    fn splat(word: u32) -> Self {
        Portable([[word; 4]; 3])
    }
    fn repeat(words: &DigitWords) -> Self {
        Portable([*words; 3])
    }
    fn group(self) -> DigitWords {
        self.0[0]
    }
    fn and(self, other: Self) -> Self {
        self.each(other, |a, b| a & b)
    }
    fn or(self, other: Self) -> Self {
        self.each(other, |a, b| a | b)
    }
    fn xor(self, other: Self) -> Self {
        self.each(other, |a, b| a ^ b)
    }
    fn without(self, other: Self) -> Self {
        self.each(other, |a, b| a & !b)
    }
    fn minus(self, other: Self) -> Self {
        self.each(other, u32::wrapping_sub)
    }
    fn left<const N: i32>(self) -> Self {
        self.each(self, |a, _| a << N)
    }
    fn right<const N: i32>(self) -> Self {
        self.each(self, |a, _| a >> N)
    }
    fn next_band(self) -> Self {
        let [x, y, z] = self.0;
        let turn = |[a, b, c, padding]: DigitWords| [b, c, a, padding];
        Portable([turn(x), turn(y), turn(z)])
    }
    fn previous_band(self) -> Self {
        let [x, y, z] = self.0;
        let turn = |[a, b, c, padding]: DigitWords| [c, a, b, padding];
        Portable([turn(x), turn(y), turn(z)])
    }
    fn any_group(self) -> Self {
        let [a, b, c] = self.groups();
        a.or(b).or(c)
    }
    fn several_groups(self) -> Self {
        let [a, b, c] = self.groups();
        a.and(b).or(a.or(b).and(c))
    }
    fn odd_groups(self) -> Self {
        let [a, b, c] = self.groups();
        a.xor(b).xor(c)
    }
    fn meets(self, other: Self) -> u32 {
        let four = |a: DigitWords, b: DigitWords| {
            let bit = |lane: usize| u32::from(a[lane] & b[lane] != 0) << lane;
            bit(0) | bit(1) | bit(2) | bit(3)
        };
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        four(a, d) | four(b, e) << 4 | four(c, f) << 8
    }
    fn same(self, other: Self) -> bool {
        let four = |[a, b, c, d]: DigitWords| a | b | c | d;
        let [a, b, c] = self.xor(other).0;
        four(a) | four(b) | four(c) == 0
    }
}
