//! The form of [`Lanes`] for every processor. On x86-64 only tests have it: there the lowest form is that of SSE2.

use super::lanes::Lanes;
use super::words::{DigitWords, VectorWords};

/// The portable form: three groups, without the fourth.
#[derive(Clone, Copy)]
pub(crate) struct Portable([DigitWords; 3]);

impl Portable {
    /// Applies an operation to each pair of words. It has no loops: the rules inline hundreds of these calls into one
    /// function, and the compiler took longer to unroll the loops than to compile all other code of the core.
    #[inline(always)]
    fn each(self, other: Self, operation: impl Fn(u32, u32) -> u32) -> Self {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Portable([
            [operation(a[0], d[0]), operation(a[1], d[1]), operation(a[2], d[2]), operation(a[3], d[3])],
            [operation(b[0], e[0]), operation(b[1], e[1]), operation(b[2], e[2]), operation(b[3], e[3])],
            [operation(c[0], f[0]), operation(c[1], f[1]), operation(c[2], f[2]), operation(c[3], f[3])],
        ])
    }
}

/// The words that two groups share, one bit each.
#[inline(always)]
fn meeting_words(a: DigitWords, b: DigitWords) -> u32 {
    u32::from(a[0] & b[0] != 0)
        | u32::from(a[1] & b[1] != 0) << 1
        | u32::from(a[2] & b[2] != 0) << 2
        | u32::from(a[3] & b[3] != 0) << 3
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
        let [a, b, c] = self.0;
        Portable([[a[1], a[2], a[0], a[3]], [b[1], b[2], b[0], b[3]], [c[1], c[2], c[0], c[3]]])
    }
    fn previous_band(self) -> Self {
        let [a, b, c] = self.0;
        Portable([[a[2], a[0], a[1], a[3]], [b[2], b[0], b[1], b[3]], [c[2], c[0], c[1], c[3]]])
    }
    fn groups(self) -> [Self; 3] {
        let [a, b, c] = self.0;
        [Portable([a; 3]), Portable([b; 3]), Portable([c; 3])]
    }
    fn meets(self, other: Self) -> u32 {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        meeting_words(a, d) | meeting_words(b, e) << 4 | meeting_words(c, f) << 8
    }
    fn same(self, other: Self) -> bool {
        let [a, b, c] = self.xor(other).0;
        let of_first = a[0] | a[1] | a[2] | a[3];
        let of_second = b[0] | b[1] | b[2] | b[3];
        let of_third = c[0] | c[1] | c[2] | c[3];
        of_first | of_second | of_third == 0
    }
}
