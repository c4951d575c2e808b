//! Operations on bit sets in words of 64 bits, tables with such a set in each row, and lists of numbers ([`Lists`]).
//!
//! All functions on sets are inlined: with arrays the compiler knows the number of words.

use crate::board::digit::bits;

#[inline(always)]
pub(crate) fn unite(all: &mut [u64], more: &[u64]) {
    all.iter_mut().zip(more).for_each(|(all, more)| *all |= more);
}

/// Like [`unite`]. A bit of the result is set if it is new in any of the words: 0 if there are no new members.
#[inline(always)]
pub(crate) fn extend(all: &mut [u64], more: &[u64]) -> u64 {
    all.iter_mut().zip(more).fold(0, |new, (all, more)| {
        let before = std::mem::replace(all, *all | more);
        new | (*all ^ before)
    })
}

#[inline(always)]
pub(crate) fn subtract(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word &= !other);
}

#[inline(always)]
pub(crate) fn intersect(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

#[inline(always)]
pub(crate) fn insert(set: &mut [u64], member: usize) {
    set[member / 64] |= 1 << (member % 64);
}

#[inline(always)]
pub(crate) fn remove(set: &mut [u64], member: usize) {
    set[member / 64] &= !(1 << (member % 64));
}

#[inline(always)]
pub(crate) fn has(set: &[u64], member: usize) -> bool {
    set[member / 64] >> (member % 64) & 1 != 0
}

/// True when two sets have a member in common.
#[inline(always)]
pub(crate) fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).fold(0, |any, (a, b)| any | a & b) != 0
}

/// True when a set has members that another does not have.
#[inline(always)]
pub(crate) fn exceeds(set: &[u64], other: &[u64]) -> bool {
    set.iter().zip(other).fold(0, |any, (word, other)| any | word & !other) != 0
}

#[inline(always)]
pub(crate) fn is_empty(set: &[u64]) -> bool {
    set.iter().fold(0, |any, word| any | word) == 0
}

#[inline(always)]
pub(crate) fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| members_of_word(word, bits))
}

/// The members in one of the words, ascending.
#[inline(always)]
pub(crate) fn members_of_word(word: usize, members: u64) -> impl Iterator<Item = usize> {
    bits(members).map(move |bit| 64 * word + bit)
}

/// One of several rows with the same number of words.
#[inline(always)]
pub(crate) fn row(rows: &[u64], number: usize, words: usize) -> &[u64] {
    &rows[number * words..(number + 1) * words]
}

#[inline(always)]
pub(crate) fn row_mut(rows: &mut [u64], number: usize, words: usize) -> &mut [u64] {
    &mut rows[number * words..(number + 1) * words]
}

/// Lists of numbers, one after another in one vector. [`Lists::push`] fills the last one until [`Lists::end_list`].
#[derive(Debug)]
pub(crate) struct Lists {
    /// Where each list begins in `all`, and where the last one ends.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    /// No lists yet, with room for this number of lists and of numbers.
    pub(crate) fn with_capacity(lists: usize, numbers: usize) -> Lists {
        let mut lists = Lists { starts: Vec::with_capacity(lists + 1), all: Vec::with_capacity(numbers) };
        lists.starts.push(0);
        lists
    }

    #[inline]
    pub(crate) fn push(&mut self, number: u32) {
        self.all.push(number);
    }

    pub(crate) fn end_list(&mut self) {
        self.starts.push(self.all.len() as u32);
    }

    pub(crate) fn renumber(&mut self, new_number: impl Fn(u32) -> u32) {
        self.all.iter_mut().for_each(|number| *number = new_number(*number));
    }

    /// The number of lists that have been ended.
    pub(crate) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    pub(crate) fn list(&self, list: usize) -> &[u32] {
        &self.all[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    #[inline]
    pub(crate) fn indices(&self, list: usize) -> impl Iterator<Item = usize> {
        self.list(list).iter().map(|&number| number as usize)
    }
}

/// The number of bits in a mask of nine bits. A table: the default target processors have no instruction for it.
#[inline]
pub(crate) fn count(mask: u16) -> u32 {
    COUNT[mask as usize & 0x1ff].into()
}

static COUNT: [u8; 512] = {
    let (mut counts, mut mask) = ([0; 512], 0);
    while mask < 512 {
        counts[mask] = (mask as u16).count_ones() as u8;
        mask += 1;
    }
    counts
};
