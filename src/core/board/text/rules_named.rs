//! Words beside a board that name its rules: `3x3+x`, `shape=2x3`, `windoku`, "Variant: X", a column `killer`. Whoever
//! passed them over would read a board with more solutions than its author meant.
//!
//! ```text
//!   a note, a heading, a comment     IN_TEXTS, names of shapes, "variant: x"       rule_named
//!   a column, a key                  these, the variants, NAMES                    is_rule_name
//! ```
//! Names are compared in small letters, without hyphens, spaces and a plural: `Anti-Knight`, `anti_knight`, `ANTIKNIGHT`.

use super::words::words;
use crate::board::Shape;
use crate::board::variants::VARIANTS;

/// Names of rules that no text about a plain board has.
const IN_TEXTS: &str = "windoku hypersudoku hyperdoku xsudoku sudokux diagonal diagonalsudoku antidiagonal jigsaw \
                        jigsawsudoku irregularsudoku antiknight antiking nonconsecutive asterisk girandola centredot \
                        centerdot disjointgroup extraregion killer killersudoku thermo thermosudoku thermometer \
                        arrowsudoku kropki sandwichsudoku littlekiller renban argyle miracle miraclesudoku chesssudoku";

/// Names of rules as columns and keys have them. In a text, they may mean anything.
const NAMES: &str = "rule ruleset variant constraint region jigsaw irregular hyper killercage cage littlekillersum \
                     sandwich sandwichsum arrow palindrome betweenline quadruple xv whisper maindiagonal disjoint \
                     irregularregion customregion";

/// Words after which the rules of a board stand: "variant: x".
const KEYS: &str = "variant variante variation rule ruleset constraint";

/// Words for the usual rules, or for none.
const USUAL: &str = "no none null false 0 classic standard normal plain regular usual sudoku";

/// A name in small letters, without other signs.
fn plain_name(name: &str) -> String {
    name.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>().to_lowercase()
}

/// True if a list has a plain name, which may be a plural.
fn has(list: &str, name: &str) -> bool {
    let singular = name.strip_suffix('s').unwrap_or(name);
    list.split_whitespace().any(|listed| listed == name || listed == singular)
}

/// True for a word for the usual rules, or for none.
pub fn is_usual_rule(text: &str) -> bool {
    let name = plain_name(text);
    name.is_empty() || has(USUAL, &name)
}

/// True for the name of a column or of a key that tells rules. `x` alone tells none: it may be a coordinate.
pub fn is_rule_name(name: &str) -> bool {
    let plain = plain_name(name);
    let of_flag = ["is", "has"].iter().find_map(|begin| plain.strip_prefix(begin));
    let is_variant = |name: &str| VARIANTS.iter().any(|info| info.name.len() > 1 && plain_name(info.name) == name);
    [Some(plain.as_str()), of_flag]
        .into_iter()
        .flatten()
        .any(|name| has(IN_TEXTS, name) || has(NAMES, name) || is_variant(name) || of_flag == Some("x") && name == "x")
}

/// The shape that a word names, alone or after a key: `3x3+x`, `3x3+x:`, `shape=3x3+x`.
pub(super) fn shape_named(word: &str) -> Option<Shape> {
    if !word.contains(['+', 'x', 'X', '×']) {
        return None;
    }
    let word = word.trim_end_matches([':', '.']);
    let after_key = || word.split_once(['=', ':']).and_then(|(_, value)| value.parse().ok());
    word.parse().ok().or_else(after_key)
}

/// The words of a text that name rules. None if no word names a rule.
pub fn rule_named(text: &str) -> Option<String> {
    let words: Vec<&str> = words(text).iter().map(|word| word.text).filter(|word| *word != "#").collect();
    let is_symmetry = text.to_lowercase().contains("symm");
    for (index, &word) in words.iter().enumerate() {
        let following = &words[index + 1..];
        let name = word.split_once('=').map_or(word, |(_, value)| value);
        if names_variants(name) {
            return Some(word.to_owned());
        }
        // Behind "rules:", a sentence may stand, which has more than two words.
        let value = following.join(" ");
        if is_key(word) && following.len() <= 2 && !is_usual_rule(&value) {
            return Some(format!("{word} {value}"));
        }
        let two_words = format!("{name} {}", following.first().unwrap_or(&""));
        let named = [name, two_words.as_str()].into_iter().find(|name| has(IN_TEXTS, &plain_name(name)));
        if let Some(name) = named.filter(|name| !(is_symmetry && plain_name(name) == "diagonal")) {
            return Some(name.trim().to_owned());
        }
    }
    None
}

/// True for a word such as "Variant:".
fn is_key(word: &str) -> bool {
    word.strip_suffix([':', '=']).is_some_and(|name| has(KEYS, &plain_name(name)))
}

/// True for the name of a shape with variants, whatever its size, or of a variant behind a plus: `9x9+windoku`, `+x`.
fn names_variants(name: &str) -> bool {
    let Some((boxes, variants)) = name.split_once('+') else { return false };
    let is_size = boxes.chars().all(|sign| sign.is_ascii_digit() || "xX×".contains(sign));
    match boxes.is_empty() {
        true => VARIANTS.iter().any(|info| info.name.eq_ignore_ascii_case(variants)),
        false => is_size && variants.starts_with(|sign: char| sign.is_ascii_alphabetic()),
    }
}

/// What to do about words that name a rule.
pub(super) fn advice(rule: &str) -> String {
    format!("'{rule}' names a rule: give --shape, such as --shape 3x3+x, or --shape 3x3 for the usual rules")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_rules_are_known_in_every_spelling_and_notes_are_none() {
        for text in [
            "3x3+x", "3x3+x:", "3X3+X", "shape=3x3+x", "9x9+x", "3x3 +x", "Windoku", "X-Sudoku", "Sudoku X",
            "anti-knight", "type=windoku", "Killer Sudoku", "Diagonal", "Disjoint Groups", "Variant: X",
            "rules: no touch",
        ] {
            assert!(rule_named(text).is_some(), "{text}");
        }
        let plain = [
            "3x3", "9x9", "easy", "ED=1.2/1.2/1.2", "diagonal symmetry", "x", "1+2", "Sudoku 5", "king's table",
            "rules: classic", "53+4.7....6..",
        ];
        for text in plain {
            assert_eq!(rule_named(text), None, "{text}");
        }
        assert_eq!(shape_named("shape=2x3"), "2x3".parse().ok());
        assert_eq!(shape_named("3x3+x:"), "3x3+x".parse().ok());
    }

    #[test]
    fn names_of_columns_that_tell_rules_are_known_in_every_spelling() {
        for info in &VARIANTS {
            assert!(is_rule_name(info.name) || info.name == "x", "{}", info.name);
        }
        for name in ["anti_knight", "Anti Knight", "killer_cages", "isJigsaw", "thermos", "is_x", "rule_set", "regions"]
        {
            assert!(is_rule_name(name), "{name}");
        }
        for name in ["x", "level", "id", "rating", "difficulty", "source", "is_unique", "grids", "isomorph"] {
            assert!(!is_rule_name(name), "{name}");
        }
    }
}
