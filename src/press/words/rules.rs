//! Writes the rules of a board in words: for "How to play", for pages to play on, for links and labels.

use crate::draw::rules::{Sign, signs_of_houses};
use crate::draw::symbols::{Numerals, Symbols};
use crate::words::language::{Language, fill};
use sudoku_corpus_core::board::rules::{DrawnAs, Extra};
use sudoku_corpus_core::board::{Cell, Shape, variants};

/// The rules of a board in words, beside a drawing of it.
pub fn rules_of(shape: Shape, language: &Language, symbols: Symbols) -> String {
    let mut rules = sentences(shape, language, symbols);
    let houses = signs_of_houses(shape).unwrap_or_default();
    if houses.iter().any(|(_, sign)| *sign != Sign::Gray) {
        rules.push(language.text("how_to.signs").to_owned());
    }
    rules.join(" ")
}

/// The rules of a board, one sentence each.
fn sentences(shape: Shape, language: &Language, symbols: Symbols) -> Vec<String> {
    let (rows, columns) = (shape.box_rows().to_string(), shape.box_columns().to_string());
    let boxes = match shape.regions() {
        Some(_) => language.text("how_to.boxes_jigsaw"),
        None if shape.is_square() => language.text("how_to.boxes_square"),
        None => language.text("how_to.boxes_other"),
    };
    let boxes = fill(boxes, &[("rows", &rows), ("columns", &columns)]);
    let signs = signs(shape.order(), language, symbols);
    let values = [("n", &*shape.order().to_string()), ("boxes", &boxes), ("symbols", &signs)];
    let mut sentences = vec![fill(language.text("how_to.rules"), &values)];
    sentences.extend(variants::of(shape).map(|variant| language.variant(variant.name).to_owned()));
    sentences
}

/// What a drawing shows of the rules, for readers who cannot see it: the region of each cell of a jigsaw as a letter,
/// and the cells of the houses that are drawn. Empty for plain boards.
pub(crate) fn drawn_in_words(shape: Shape) -> String {
    let mut sentences = Vec::new();
    if let Some(regions) = shape.regions() {
        let letters: Vec<String> = regions.iter().map(|region| char::from(b'A' + region).to_string()).collect();
        let rows: Vec<String> = letters.chunks(shape.order()).map(|row| row.join(" ")).collect();
        sentences.push(rows.join("; "));
    }
    for house in shape.rules().into_iter().flat_map(|rules| &rules.extras) {
        if house.drawn != DrawnAs::Nothing {
            sentences.push(cells_of(shape, house));
        }
    }
    sentences.join(". ")
}

/// The rules of a board in English, for readers who see no drawing of it: numbers, and the cells of all houses.
pub fn complete_rules(shape: Shape) -> String {
    let rules = sentences(shape, &Language::default(), Symbols::Known(Numerals::Numbers)).join(" ");
    let mut parts = vec![rules.trim_end_matches('.').to_owned()];
    let drawn = drawn_in_words(shape);
    if !drawn.is_empty() {
        parts.push(drawn);
    }
    let undrawn_variants: Vec<&str> =
        variants::of(shape).filter(|variant| variant.drawn == DrawnAs::Nothing).map(|variant| variant.name).collect();
    for house in shape.rules().into_iter().flat_map(|rules| &rules.extras) {
        if undrawn_variants.contains(&house.variant) {
            parts.push(cells_of(shape, house));
        }
    }
    parts.join(". ") + "."
}

/// A house and its cells: "window 1: r2c2 r2c3".
fn cells_of(shape: Shape, house: &Extra) -> String {
    let names = house.cells.iter().map(|cell| Cell::new(usize::from(*cell)).name(shape));
    format!("{}: {}", house.name, names.collect::<Vec<_>>().join(" "))
}

/// The symbols of a board in words: digits, and letters where there are some.
fn signs(order: usize, language: &Language, symbols: Symbols) -> String {
    if let Some(mut names) = symbols.own_names() {
        names.truncate(order);
        return fill(language.text("how_to.symbols"), &[("list", &names.join(", "))]);
    }
    let all: Vec<String> = (1..=order as u16).map(|value| symbols.text(value, order)).collect();
    let is_letter = |sign: &&String| sign.chars().all(char::is_alphabetic);
    let letters: Vec<&String> = all.iter().filter(is_letter).collect();
    let digits: Vec<&String> = all.iter().filter(|sign| !is_letter(sign)).collect();
    let text_of = |sign: Option<&&String>| sign.map(ToString::to_string).unwrap_or_default();
    let [first_digit, last_digit] = [text_of(digits.first()), text_of(digits.last())];
    let [first_letter, last_letter] = [text_of(letters.first()), text_of(letters.last())];
    let values = [("first", &*first_digit), ("last", &last_digit), ("letter", &first_letter), ("end", &last_letter)];
    match (digits.len(), letters.len()) {
        (0, _) => fill(language.text("how_to.letters"), &[("first", &first_letter), ("last", &last_letter)]),
        // The last is two digits long, such as 16.
        (_, 0) if last_digit.len() > 1 => fill(language.text("how_to.numbers"), &values),
        (_, 0) => fill(language.text("how_to.digits"), &values),
        (_, 1) => fill(language.text("how_to.digits_and_letter"), &values),
        _ => fill(language.text("how_to.digits_and_letters"), &values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_name_the_symbols_and_boxes_of_the_board() {
        let english = Language::default();
        let text = |shape: &str, symbols| rules_of(shape.parse().unwrap(), &english, symbols);
        let usual = |shape| text(shape, Symbols::USUAL);
        assert!(usual("3x3").contains("9 boxes of 3 by 3 cells") && usual("3x3").contains("the digits 1 to 9, each"));
        assert!(usual("2x3").contains("6 boxes 2 rows high and 3 columns wide. Some"));
        assert!(usual("2x5").contains("the digits 1 to 9 and the letter A, each"));
        assert!(usual("4x4").contains("the digits 1 to 9 and the letters A to G, each"));
        assert!(usual("6x6").contains("the digits 0 to 9 and the letters A to Z, each"));
        assert!(
            text("4x4", Symbols::Known(Numerals::Hexadecimal))
                .contains("the digits 0 to 9 and the letters A to F, each")
        );
        assert!(text("4x4", Symbols::Known(Numerals::Letters)).contains("the letters A to P, each"));
        assert!(text("4x4", Symbols::Known(Numerals::Numbers)).contains("the numbers 1 to 16, each"));
        assert!(
            text("2x2", "red,green,blue,pink,gray".parse().unwrap())
                .contains("the symbols red, green, blue, pink, each")
        );
        for tag in Language::tags() {
            let language = Language::named(tag).unwrap();
            let text = rules_of(Shape::NINE, &language, Symbols::USUAL);
            assert!(!text.contains('{') && text.contains('9'), "{tag}: {text}");
        }
    }

    #[test]
    fn every_rule_is_said_in_every_language() {
        for tag in Language::tags() {
            let language = Language::named(tag).unwrap();
            for variant in sudoku_corpus_core::board::VARIANTS.iter() {
                let text = rules_of(Shape::NINE.with(variant.name).unwrap(), &language, Symbols::USUAL);
                assert!(text.contains(language.variant(variant.name)), "{tag}: {text}");
            }
            let apart = rules_of(Shape::NINE.with("windoku+centre-dot").unwrap(), &language, Symbols::USUAL);
            assert!(apart.ends_with(language.text("how_to.signs")), "{tag}: {apart}");
        }
    }

    #[test]
    fn what_is_drawn_is_said_too() {
        let said = |text: &str| drawn_in_words(text.parse().unwrap());
        assert_eq!((said("3x3"), said("3x3+anti-knight")), (String::new(), String::new()));
        assert_eq!(said("4+jigsaw:AAABCABBCCDBCDDD"), "A A A B; C A B B; C C D B; C D D D");
        assert!(said("2x2+x").contains("r1c1 r2c2 r3c3 r4c4"), "{}", said("2x2+x"));
    }

    /// The houses are rebuilt from the words.
    #[test]
    fn complete_rules_name_the_cells_of_all_houses_that_are_not_implied() {
        let shapes = ["3x3", "2x3+x", "3x3+windoku+centre-dot", "3x3+disjoint", "2x2+disjoint+anti-king"];
        for shape in shapes.map(|text| text.parse::<Shape>().unwrap()) {
            let text = complete_rules(shape);
            let houses: Vec<&str> =
                text.trim_end_matches('.').split(". ").filter(|part| part.contains(": r")).collect();
            let cells = |house: &&str| {
                let names = house.split_once(": ").unwrap().1.split(' ');
                names.map(|name| Cell::named(shape, name).unwrap().index() as u16).collect::<Vec<u16>>()
            };
            let told: Vec<Vec<u16>> = houses.iter().map(cells).collect();
            let extras = shape.rules().into_iter().flat_map(|rules| &rules.extras);
            let (said, implied): (Vec<_>, Vec<_>) = extras.partition(|extra| told.contains(&extra.cells));
            assert!(said.len() == told.len() && implied.iter().all(|extra| extra.variant == "windoku"), "{text}");
            let english = Language::default();
            let is_said = |rule: &str| text.contains(rule.trim_end_matches('.'));
            assert!(variants::of(shape).all(|variant| is_said(english.variant(variant.name))), "{text}");
        }
    }
}
