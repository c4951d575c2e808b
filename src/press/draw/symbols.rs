//! Defines what is drawn for the values 1, 2, 3, .. of a board: digits, letters, words or pictures.

use std::str::FromStr;

use crate::draw::outline::{Picture, Segment};
use crate::draw::paths::outline;
use crate::draw::text::typeface::{TextFault, Typeface, Weight, tidy};
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::board::text::symbol;
use sudoku_corpus_core::names;
use sudoku_corpus_core::page::numbers::counted;

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

/// What messages call own symbols.
pub(crate) const SET_OF_SYMBOLS: &str = "set of symbols";

/// Type size of a number of two figures, as a part of the type size of a digit.
const TWO_FIGURES: f64 = 0.8;
/// The widest text of a cell, in type sizes of a digit.
const WIDEST: f64 = 1.32;
/// The side of a picture, in type sizes of a digit.
const PICTURE: f64 = 1.25;
/// A picture has finer details than a letter, so it must be larger to be recognized. For the smallest size that can be
/// read, it counts as a letter of this part of its size.
const FINE: f64 = 0.6;

impl Symbols {
    pub(crate) const USUAL: Symbols = Symbols::Known(Numerals::Usual);

    /// Pictures by their names.
    ///
    /// # Errors
    /// There are too few of them, two of one name, one that nobody sees, or two that nobody can tell apart in colours.
    pub fn pictures(named: Vec<(String, Picture)>) -> Result<Symbols, String> {
        if let Some((name, _)) = named.iter().find(|(_, picture)| !picture.is_seen()) {
            return Err(format!(
                "nobody would see '{name}': all of it has less than 10 % of black, or is thinner than a hair"
            ));
        }
        let symbols = named.into_iter().map(|(name, picture)| OwnSymbol { name, picture: Some(picture) });
        let symbols: Vec<OwnSymbol> = symbols.collect();
        if let Some((first, second)) = alike(&symbols, true) {
            return Err(format!("'{first}' and '{second}' look the same"));
        }
        Symbols::own(symbols)
    }

    /// The names of two pictures that nobody can tell apart when they are printed in black ink.
    pub(crate) fn alike_in_print(self) -> Option<(&'static str, &'static str)> {
        if let Symbols::Own(symbols) = self { alike(symbols, false) } else { None }
    }

    /// Own symbols; an error if there are fewer than two, or two with one name.
    fn own(symbols: Vec<OwnSymbol>) -> Result<Symbols, String> {
        if symbols.len() < 2 {
            return Err("a board has two symbols at least".to_owned());
        }
        for (number, symbol) in symbols.iter().enumerate() {
            if symbols[..number].iter().any(|earlier| earlier.name == symbol.name) {
                return Err(format!("the symbol '{}' is there twice", symbol.name));
            }
        }
        Ok(Symbols::Own(Vec::leak(symbols)))
    }

    /// Refuses own symbols that a typeface cannot set, and two that nobody can tell apart in it, such as the Latin and
    /// the Cyrillic A.
    ///
    /// # Errors
    /// [`TextFault`] has the characters, or the two symbols.
    pub(crate) fn check(self, typeface: &Typeface) -> Result<(), TextFault> {
        let Symbols::Own(symbols) = self else { return Ok(()) };
        let texts: Vec<&str> =
            symbols.iter().filter(|symbol| symbol.picture.is_none()).map(|symbol| symbol.name.as_str()).collect();
        typeface.check(SET_OF_SYMBOLS, &texts.concat())?;
        let mut earlier: Vec<(&str, Vec<Vec<Segment>>)> = Vec::new();
        for text in texts {
            let shape = outlines(typeface, text);
            if let Some((same, _)) = earlier.iter().find(|(_, earlier_shape)| *earlier_shape == shape) {
                return Err(TextFault::Alike { typeface: typeface.family.clone(), one: same, other: text });
            }
            earlier.push((text, shape));
        }
        Ok(())
    }

    /// The longest symbol of a board of an order, if it makes all symbols smaller than digits: its text.
    pub(crate) fn longest(self, order: usize, typeface: &Typeface) -> Option<&'static str> {
        let Symbols::Own(symbols) = self else { return None };
        let width = |text: &str| typeface.width(Weight::SemiBold, 1.0, text);
        let texts = symbols.iter().take(order).filter(|symbol| symbol.picture.is_none());
        let longest = texts.map(|symbol| symbol.name.as_str()).max_by(|a, b| width(a).total_cmp(&width(b)))?;
        (width(longest) > WIDEST).then_some(longest)
    }

    /// The largest board for which there are enough symbols, by its order (9 for 9x9).
    pub(crate) const fn reach(self) -> usize {
        match self {
            Symbols::Known(Numerals::Letters) => 26,
            Symbols::Known(_) => Shape::MAX_SOLVABLE_ORDER,
            Symbols::Own(symbols) => symbols.len(),
        }
    }

    /// The type size of the smallest symbol on a board of an order, as a part of the type size of a digit. While the
    /// typeface is not known, words count as short.
    pub(crate) fn smallest(self, order: usize, typeface: Option<&Typeface>) -> f64 {
        match (self, typeface) {
            (Symbols::Known(Numerals::Numbers), _) if order > 9 => TWO_FIGURES,
            (Symbols::Own(symbols), _) if symbols.iter().any(|symbol| symbol.picture.is_some()) => FINE,
            (Symbols::Own(symbols), Some(typeface)) => {
                let widths =
                    symbols.iter().take(order).map(|symbol| typeface.width(Weight::SemiBold, 1.0, &symbol.name));
                (WIDEST / widths.fold(0.0, f64::max)).min(1.0)
            }
            _ => 1.0,
        }
    }

    /// How far the largest symbol of a board reaches from the middle of its cell, twice: its width or its height, in
    /// type sizes of a digit. While the typeface is not known, symbols count as no larger than digits.
    pub(crate) fn extent(self, order: usize, typeface: Option<&Typeface>) -> f64 {
        let Some(typeface) = typeface else { return 0.0 };
        let mut extent = 0.0f64;
        for value in 1..=order as u16 {
            if let Some((_, side)) = self.picture(value, Weight::Medium) {
                extent = extent.max(side);
                continue;
            }
            let mut height = 0.0f64;
            for letter in self.text(value, order).chars() {
                height = height.max(typeface.height(Weight::SemiBold, letter));
            }
            extent = extent.max(height * self.part(value, order, typeface));
            extent = extent.max(self.text_width(value, order, typeface));
        }
        extent
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

    /// The picture of a value, and its side in type sizes of a digit. Those that readers find are smaller than givens.
    pub(crate) fn picture(self, value: u16, weight: Weight) -> Option<(&'static Picture, f64)> {
        let Symbols::Own(symbols) = self else { return None };
        let part = if weight == Weight::Regular { 0.8 } else { 1.0 };
        Some((symbols.get(usize::from(value) - 1)?.picture.as_ref()?, PICTURE * part))
    }

    /// The symbol of a value on a board of an order; the name of a picture.
    pub(crate) fn text(self, value: u16, order: usize) -> String {
        let letter =
            |from: char, place: u16| char::from_u32(u32::from(from) + u32::from(place)).unwrap_or('?').to_string();
        match self {
            Symbols::Known(Numerals::Usual) => symbol(value, order).to_string(),
            Symbols::Known(Numerals::Hexadecimal) if value <= 10 => letter('0', value - 1),
            Symbols::Known(Numerals::Hexadecimal) => letter('A', value - 11),
            Symbols::Known(Numerals::Letters) => letter('A', value - 1),
            Symbols::Known(Numerals::Numbers) => value.to_string(),
            Symbols::Own(symbols) => {
                symbols.get(usize::from(value) - 1).map_or_else(String::new, |symbol| symbol.name.clone())
            }
        }
    }

    /// The names of the user's own symbols. None for sets with a name.
    pub(crate) fn own_names(self) -> Option<Vec<&'static str>> {
        let Symbols::Own(symbols) = self else { return None };
        Some(symbols.iter().map(|symbol| symbol.name.as_str()).collect())
    }

    /// The word that the symbols spell, if each is a letter.
    pub(crate) fn word(self) -> Option<String> {
        let names = self.own_names()?;
        names.iter().all(|name| name.chars().count() == 1).then(|| names.concat())
    }
}

/// The names of two pictures that nobody can tell apart. Two of one name are refused elsewhere, whatever they look like.
fn alike(symbols: &[OwnSymbol], is_coloured: bool) -> Option<(&str, &str)> {
    for (number, symbol) in symbols.iter().enumerate() {
        for earlier in symbols[..number].iter().filter(|earlier| earlier.name != symbol.name) {
            if let (Some(earlier_picture), Some(picture)) = (&earlier.picture, &symbol.picture)
                && earlier_picture.is_like(picture, is_coloured)
            {
                return Some((&earlier.name, &symbol.name));
            }
        }
    }
    None
}

/// What is said of a number of symbols that is too small for a board.
pub(crate) fn too_few(symbols: usize, shape: Shape) -> String {
    let order = shape.order();
    let example: String = if order > 26 { "usual".to_owned() } else { ('A'..='Z').take(order).collect() };
    let begin = format!("{} are too few for a {}", counted(symbols, "symbol"), shape.board());
    format!("{begin}: it needs {order} symbols or pictures, as in --symbols {example}")
}

/// The outlines of the characters of a text, each from its own origin on.
fn outlines(typeface: &Typeface, text: &str) -> Vec<Vec<Segment>> {
    let glyphs = typeface.place(Weight::Medium, 1.0, 0.0, 0.0, text);
    glyphs.iter().map(|glyph| outline(typeface, Weight::Medium, glyph.id, 1.0, (0.0, 0.0))).collect()
}

impl FromStr for Symbols {
    type Err = String;

    /// `usual`, `hex`, `letters` or `numbers`; texts between commas (`red,green,blue,gray`); or a word of different
    /// letters (`STAR`).
    fn from_str(text: &str) -> Result<Symbols, String> {
        if let Some(numerals) = Numerals::ALL.into_iter().find(|numerals| numerals.name() == text.trim()) {
            return Ok(Symbols::Known(numerals));
        }
        let text = tidy(text);
        let names: Vec<String> = match text.contains(',') {
            true => text.split(',').map(tidy).collect(),
            false => text.chars().map(String::from).collect(),
        };
        if names.iter().any(|name| name.is_empty() || name == " ") {
            return Err("a symbol is empty".to_owned());
        }
        let symbols = names.into_iter().map(|name| OwnSymbol { name, picture: None }).collect();
        let advice = "take usual, hex, letters, numbers, a word such as STAR, or texts between commas";
        Symbols::own(symbols).map_err(|reason| format!("{reason}; {advice}"))
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

    /// Four discs whose colours have the same gray; a copy under another name; a white area; a hairline.
    #[test]
    fn pictures_that_nobody_sees_or_tells_apart_are_refused() {
        let read = |inside: &str| {
            let file = format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>{inside}</svg>");
            Picture::read(file.as_bytes()).unwrap()
        };
        let disc = |colour: &str| read(&format!("<circle cx='50' cy='50' r='40' fill='{colour}'/>"));
        let set = |pictures: &[Picture]| {
            let named = pictures.iter().enumerate().map(|(number, picture)| (format!("p{number}"), picture.clone()));
            Symbols::pictures(named.collect())
        };
        let discs = set(&[disc("#ff0000"), disc("#008200"), disc("#4c4cff"), disc("#4d4d4d")]).unwrap();
        assert_eq!(discs.alike_in_print(), Some(("p0", "p1")));
        assert_eq!(set(&[disc("#000"), disc("#777"), disc("#ccc")]).unwrap().alike_in_print(), None);
        assert!(set(&[disc("#123456"), disc("#123456")]).unwrap_err().contains("'p0' and 'p1' look the same"));
        let hidden = [
            "<rect width='90' height='90' fill='white'/>",
            "<rect width='90' height='90' fill='#f0f0f0'/>",
            "<path d='M0 0L100 100' stroke='black' stroke-width='0.1' fill='none'/>",
            "<rect width='1000' height='1'/>",
        ];
        for inside in hidden {
            assert!(set(&[disc("#000"), read(inside)]).unwrap_err().contains("nobody would see 'p1'"), "{inside}");
        }
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/pictures");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let all: Vec<Picture> = files.map(|path| Picture::read(&std::fs::read(path).unwrap()).unwrap()).collect();
        assert_eq!((all.len(), set(&all).unwrap().alike_in_print()), (9, None));
    }

    /// A typeface draws the letters A of two alphabets with one outline, and 0 otherwise than O.
    #[test]
    fn symbols_that_cannot_be_set_or_told_apart_are_refused() {
        let typeface = Typeface::open().unwrap();
        let said =
            |symbols: &str| symbols.parse::<Symbols>().unwrap().check(&typeface).map_err(|fault| fault.to_string());
        for right in ["STAR", "O0", "red,green,blue", "AΩЖ", "letters"] {
            assert_eq!(said(right), Ok(()), "{right}");
        }
        for (wrong, reason) in [
            ("A\u{410}BC", "the symbols 'A' and '\u{410}' look the same"),
            ("TA,BC,T\u{410}", "the symbols 'TA' and 'T\u{410}' look the same"),
            (
                "日月火水",
                "the set of symbols holds '日', '月', '火', '水', which the typeface IBM Plex Sans does not have",
            ),
            ("אבגד", "run from right to left"),
            ("A\u{7}BC", "'\\u{7}'"),
        ] {
            let reason_given = said(wrong).unwrap_err();
            assert!(reason_given.contains(reason), "{wrong}: {reason_given}");
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
