//! Defines a digit, and a set of digits in one word.

use std::fmt;

/// A digit 1..=n of a board of order n. `text::symbol` gives the symbol that is printed for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digit(u16);

impl Digit {
    /// The digit of a value from 1.
    #[inline]
    pub const fn new(value: u16) -> Digit {
        debug_assert!(value > 0);
        Digit(value)
    }

    /// The digit of an index from 0.
    #[inline]
    pub const fn from_index(index: usize) -> Digit {
        Digit(index as u16 + 1)
    }

    /// The value, from 1.
    #[inline]
    pub const fn value(self) -> u16 {
        self.0
    }

    /// The index, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Debug for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A set of digits of a board of order at most 64: bit d-1 stands for digit d.
///
/// ```
/// use sudoku_corpus_core::board::{Digit, Digits};
///
/// let odd: Digits = [1, 3, 5, 7, 9].map(Digit::new).into_iter().collect();
/// let even = Digits::all(9) - odd;
/// assert_eq!(even.iter().map(Digit::value).collect::<Vec<u16>>(), [2, 4, 6, 8]);
/// assert_eq!((odd & Digits::only(Digit::new(3))).single(), Some(Digit::new(3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Digits(pub u64);

impl Digits {
    /// The empty set.
    pub const EMPTY: Digits = Digits(0);

    /// All digits of a board of order n <= 64.
    #[inline]
    pub const fn all(order: usize) -> Digits {
        Digits(u64::MAX >> (64 - order))
    }

    /// The set of one digit.
    #[inline]
    pub const fn only(digit: Digit) -> Digits {
        Digits(1 << digit.index())
    }

    /// Number of digits.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if the set has at most `count` digits. For a small count this is faster than counting all digits.
    #[inline]
    pub(crate) const fn is_at_most(self, count: usize) -> bool {
        let (mut rest, mut left) = (self.0, count);
        while left > 0 && rest != 0 {
            // Clears the lowest bit.
            rest &= rest - 1;
            left -= 1;
        }
        rest == 0
    }

    /// True if the digit is in the set.
    #[inline]
    pub const fn contains(self, digit: Digit) -> bool {
        self.0 >> digit.index() & 1 != 0
    }

    /// Adds a digit.
    #[inline]
    pub const fn insert(&mut self, digit: Digit) {
        self.0 |= 1 << digit.index();
    }

    /// Removes a digit.
    #[inline]
    pub const fn remove(&mut self, digit: Digit) {
        self.0 &= !(1 << digit.index());
    }

    /// The smallest digit. None in an empty set.
    #[inline]
    pub const fn first(self) -> Option<Digit> {
        if self.0 == 0 { None } else { Some(Digit(self.0.trailing_zeros() as u16 + 1)) }
    }

    /// The digit, if there is exactly one.
    #[inline]
    pub const fn single(self) -> Option<Digit> {
        if self.0 != 0 && self.0 & (self.0 - 1) == 0 { self.first() } else { None }
    }

    /// The digits in ascending order.
    #[inline]
    pub fn iter(self) -> DigitsIter {
        self.into_iter()
    }
}

impl IntoIterator for Digits {
    type Item = Digit;
    type IntoIter = DigitsIter;

    #[inline]
    fn into_iter(self) -> DigitsIter {
        DigitsIter(self)
    }
}

/// The digits of a set in ascending order.
#[derive(Clone, Debug)]
pub struct DigitsIter(Digits);

impl Iterator for DigitsIter {
    type Item = Digit;

    #[inline]
    fn next(&mut self) -> Option<Digit> {
        let first = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl FromIterator<Digit> for Digits {
    fn from_iter<I: IntoIterator<Item = Digit>>(digits: I) -> Digits {
        let mut set = Digits::EMPTY;
        digits.into_iter().for_each(|digit| set.insert(digit));
        set
    }
}

set_operators!([] Digits: u64, |a, b, apply| Digits(apply(a.0, b.0)), iter);

/// The numbers of the bits of a word, ascending.
#[inline(always)]
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}
