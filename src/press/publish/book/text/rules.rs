//! Writes the rules of a board in words: for "How to play", and for sections with one board.

use crate::publish::book::options::Options;
use crate::publish::draw::symbols::Symbols;
use crate::publish::words::language::{Language, fill};
use sudoku_corpus_core::board::{Shape, variants};

/// The rules of a board in words.
pub(crate) fn rules_of(shape: Shape, language: &Language, options: &Options) -> String {
    let symbols = options.symbols;
    let texts = &language.texts().how_to;
    let (rows, columns) = (shape.box_rows().to_string(), shape.box_columns().to_string());
    let boxes = match shape.regions() {
        Some(_) => &texts.boxes_jigsaw,
        None if shape.is_square() => &texts.boxes_square,
        None => &texts.boxes_other,
    };
    let boxes = fill(boxes, &[("rows", &rows), ("columns", &columns)]);
    let signs = signs(shape.order(), language, symbols);
    let rules = fill(&texts.rules, &[("n", &shape.order().to_string()), ("boxes", &boxes), ("symbols", &signs)]);
    let more = variants::of(shape).filter_map(|variant| language.texts().variants.get(variant.name).cloned());
    let spelled = symbols.word().filter(|_| options.spell).map(|word| fill(&texts.spelled, &[("word", &word)]));
    [rules].into_iter().chain(more).chain(spelled).collect::<Vec<_>>().join(" ")
}

/// The symbols of a board in words: digits, and letters where there are some.
fn signs(order: usize, language: &Language, symbols: Symbols) -> String {
    let texts = &language.texts().how_to;
    if let Some(names) = symbols.own_names(order) {
        return fill(&texts.symbols, &[("list", &names.join(", "))]);
    }
    let all: Vec<String> = (1..=order as u16).map(|value| symbols.text(value, order)).collect();
    let is_letter = |sign: &&String| sign.chars().all(char::is_alphabetic);
    let letters: Vec<&String> = all.iter().filter(is_letter).collect();
    let digits: Vec<&String> = all.iter().filter(|sign| !is_letter(sign)).collect();
    let ends = |signs: &[&String]| {
        let end = |sign: Option<&&String>| sign.map(ToString::to_string).unwrap_or_default();
        (end(signs.first()), end(signs.last()))
    };
    let ((first, last), (letter, end)) = (ends(&digits), ends(&letters));
    let values =
        [("first", first.as_str()), ("last", last.as_str()), ("letter", letter.as_str()), ("end", end.as_str())];
    match (digits.len(), letters.len()) {
        (0, _) => fill(&texts.letters, &[("first", &letter), ("last", &end)]),
        // The last is two digits long, such as 16.
        (_, 0) if last.len() > 1 => fill(&texts.numbers, &values),
        (_, 0) => fill(&texts.digits, &values),
        (_, 1) => fill(&texts.digits_and_letter, &values),
        _ => fill(&texts.digits_and_letters, &values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::draw::symbols::Numerals;

    #[test]
    fn the_rules_name_the_symbols_and_boxes_of_the_board() {
        let english = Language::default();
        let options = |symbols| Options { symbols, ..Options::default() };
        let text = |shape: &str, symbols| rules_of(shape.parse().unwrap(), &english, &options(symbols));
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
        let spelling = Options { spell: true, ..options("STAR".parse().unwrap()) };
        assert!(rules_of("2x2".parse().unwrap(), &english, &spelling).ends_with("spells STAR."));
        for tag in Language::tags() {
            let language = Language::named(tag).unwrap();
            let text = rules_of(Shape::NINE, &language, &options(Symbols::USUAL));
            assert!(!text.contains('{') && text.contains('9'), "{tag}: {text}");
        }
    }
}
