//! Defines what is drawn for the values 1, 2, 3, .. of a board: digits, letters, words or pictures.

use std::str::FromStr;

use crate::publish::draw::outline::Picture;
use crate::publish::draw::typeface::{Typeface, Weight, tidy};
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::board::text::symbol;
use sudoku_corpus_core::names;

names! { "symbols":
    /// A set of symbols that has a name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Numerals {
        /// 1-9, then A-Z (order 36: 0-9, then A-Z).
        Usual = "usual",
        /// 0-9, then A-Z: 0-F on a 16x16 board.
        Hexadecimal = "hex",
        /// A-Z: A-P on a 16x16 board.
        Letters = "letters",
        /// Numbers: 1-16 on a 16x16 board.
        Numbers = "numbers",
    }
}

/// A symbol of the user's own.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnSymbol {
    /// What it is called: the text that is printed, or the name of its picture.
    name: String,
    picture: Option<Picture>,
}

/// The symbols for the values 1, 2, 3, .. of a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Symbols {
    /// A set with a name.
    Known(Numerals),
    /// The user's own, in order. They stay in memory until the program ends.
    Own(&'static [OwnSymbol]),
}

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols::USUAL
    }
}

/// Type size of a number of two figures, as a part of the type size of a digit.
const TWO_FIGURES: f64 = 0.8;
/// The widest text of a cell, in type sizes of a digit.
const WIDEST: f64 = 1.32;
/// The side of a picture, in type sizes of a digit.
const PICTURE: f64 = 1.25;
/// A picture shows more than a letter, so it must be larger to be recognised: as large as if it were a letter of this
/// part of its size.
const FINE: f64 = 0.6;

impl Symbols {
    /// 1-9, then A-Z.
    pub(crate) const USUAL: Symbols = Symbols::Known(Numerals::Usual);

    /// Pictures by their names.
    ///
    /// # Errors
    /// There are too few of them, or two of one name.
    pub fn pictures(named: Vec<(String, Picture)>) -> Result<Symbols, String> {
        Symbols::own(named.into_iter().map(|(name, picture)| OwnSymbol { name, picture: Some(picture) }).collect())
    }

    /// Own symbols; an error if there are fewer than two, or two with one name.
    fn own(symbols: Vec<OwnSymbol>) -> Result<Symbols, String> {
        let twice =
            symbols.iter().enumerate().find(|(at, own)| symbols[..*at].iter().any(|other| other.name == own.name));
        match twice {
            _ if symbols.len() < 2 => Err("a board has two symbols at least".to_owned()),
            Some((_, own)) => Err(format!("the symbol '{}' is there twice", own.name)),
            None => Ok(Symbols::Own(Vec::leak(symbols))),
        }
    }

    /// The largest board for which there are enough symbols, by its order (9 for 9x9).
    pub(crate) const fn reach(self) -> usize {
        match self {
            Symbols::Known(Numerals::Letters) => 26,
            Symbols::Known(_) => Shape::MAX_SOLVABLE_ORDER,
            Symbols::Own(own) => own.len(),
        }
    }

    /// The type size of the smallest symbol on a board of an order, as a part of the type size of a digit. While the
    /// typeface is not known, words count as short.
    pub(crate) fn smallest(self, order: usize, typeface: Option<&Typeface>) -> f64 {
        match (self, typeface) {
            (Symbols::Known(Numerals::Numbers), _) if order > 9 => TWO_FIGURES,
            (Symbols::Own(own), _) if own.iter().any(|own| own.picture.is_some()) => FINE,
            (Symbols::Own(own), Some(typeface)) => {
                let widths = own.iter().take(order).map(|own| typeface.width(Weight::SemiBold, 1.0, &own.name));
                (WIDEST / widths.fold(0.0, f64::max)).min(1.0)
            }
            _ => 1.0,
        }
    }

    /// How far the largest symbol of a board reaches from the middle of its cell, twice: its width or its height, in
    /// type sizes of a digit. While the typeface is not known, symbols count as no larger than digits.
    pub(crate) fn extent(self, order: usize, typeface: Option<&Typeface>) -> f64 {
        let of_value = |value: u16| {
            let Some(typeface) = typeface else { return 0.0 };
            if let Some((_, side)) = self.picture(value, Weight::Medium) {
                return side;
            }
            let text = self.text(value, order);
            let height = text.chars().map(|letter| typeface.height(Weight::SemiBold, letter)).fold(0.0, f64::max);
            let height = height * self.part(value, order, typeface);
            height.max(self.text_width(value, order, typeface))
        };
        (1..=order as u16).map(of_value).fold(0.0, f64::max)
    }

    /// The width of a value that is a text, in type sizes of a digit; 0 for a picture.
    pub(crate) fn text_width(self, value: u16, order: usize, typeface: &Typeface) -> f64 {
        match self.picture(value, Weight::Medium) {
            Some(_) => 0.0,
            None => typeface.width(Weight::SemiBold, self.part(value, order, typeface), &self.text(value, order)),
        }
    }

    /// The type size of a value, as a part of the type size of a digit. Own symbols have one size.
    pub(crate) fn part(self, value: u16, order: usize, typeface: &Typeface) -> f64 {
        match self {
            Symbols::Known(Numerals::Numbers) if value < 10 => 1.0,
            _ => self.smallest(order, Some(typeface)),
        }
    }

    /// The picture of a value, and its side as a part of the type size of a digit. Those that readers find are smaller
    /// than givens.
    pub(crate) fn picture(self, value: u16, weight: Weight) -> Option<(&'static Picture, f64)> {
        let Symbols::Own(own) = self else { return None };
        let part = if weight == Weight::Regular { 0.8 } else { 1.0 };
        Some((own.get(usize::from(value) - 1)?.picture.as_ref()?, PICTURE * part))
    }

    /// The symbol of a value on a board of an order; the name of a picture.
    pub(crate) fn text(self, value: u16, order: usize) -> String {
        let at = |from: char, place: u16| char::from_u32(u32::from(from) + u32::from(place)).unwrap_or('?').to_string();
        match self {
            Symbols::Known(Numerals::Usual) => symbol(value, order).to_string(),
            Symbols::Known(Numerals::Hexadecimal) if value <= 10 => at('0', value - 1),
            Symbols::Known(Numerals::Hexadecimal) => at('A', value - 11),
            Symbols::Known(Numerals::Letters) => at('A', value - 1),
            Symbols::Known(Numerals::Numbers) => value.to_string(),
            Symbols::Own(own) => own.get(usize::from(value) - 1).map_or_else(String::new, |own| own.name.clone()),
        }
    }

    /// The names of the user's own symbols for a board of an order. None for sets with a name.
    pub(crate) fn own_names(self, order: usize) -> Option<Vec<&'static str>> {
        let Symbols::Own(own) = self else { return None };
        Some(own.iter().take(order).map(|own| own.name.as_str()).collect())
    }

    /// The word that the symbols spell, if each is a letter.
    pub(crate) fn word(self) -> Option<String> {
        let names = self.own_names(usize::MAX)?;
        names.iter().all(|name| name.chars().count() == 1).then(|| names.concat())
    }
}

impl FromStr for Symbols {
    type Err = String;

    /// `usual`, `hex`, `letters` or `numbers`; texts between commas (`red,green,blue,gray`); or a word of different
    /// letters (`STAR`).
    fn from_str(text: &str) -> Result<Symbols, String> {
        if let Some(known) = Numerals::ALL.into_iter().find(|known| known.name() == text.trim()) {
            return Ok(Symbols::Known(known));
        }
        let text = tidy(text);
        let names: Vec<String> = match text.contains(',') {
            true => text.split(',').map(tidy).collect(),
            false => text.chars().map(String::from).collect(),
        };
        if names.iter().any(|name| name.is_empty() || name == " ") {
            return Err("a symbol is empty".to_owned());
        }
        let own = names.into_iter().map(|name| OwnSymbol { name, picture: None }).collect();
        let how =
            "take usual, hex, letters, numbers, a word of different letters such as STAR, or texts between commas";
        Symbols::own(own).map_err(|reason| format!("{reason}; {how}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_names_words_or_texts_between_commas() {
        assert_eq!("hex".parse(), Ok(Symbols::Known(Numerals::Hexadecimal)));
        let word: Symbols = "STAR".parse().unwrap();
        assert_eq!((word.reach(), word.text(2, 4), word.word()), (4, "T".to_owned(), Some("STAR".to_owned())));
        let texts: Symbols = "red, light green,blue".parse().unwrap();
        assert_eq!((texts.reach(), texts.text(2, 3), texts.word()), (3, "light green".to_owned(), None));
        for (wrong, reason) in [("letter", "'t' is there twice"), ("red,,blue", "empty"), ("A", "two symbols")] {
            let error = wrong.parse::<Symbols>().unwrap_err();
            assert!(error.contains(reason), "{wrong}: {error}");
        }
    }

    #[test]
    fn long_words_are_set_smaller_so_that_they_fit_a_cell() {
        let typeface = Typeface::open().unwrap();
        let words: Symbols = "red,green,blue,yellow".parse().unwrap();
        let part = words.part(1, 4, &typeface);
        assert!((typeface.width(Weight::SemiBold, part, "yellow") - WIDEST).abs() < 1e-9);
        assert_eq!(words.part(4, 4, &typeface), part);
        let numbers = Symbols::Known(Numerals::Numbers);
        assert_eq!([9, 10].map(|value| numbers.part(value, 16, &typeface)), [1.0, TWO_FIGURES]);
    }
}
