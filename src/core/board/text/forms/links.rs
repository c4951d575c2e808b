//! Reads links with a puzzle.
//!
//! ```text
//! https://f-puzzles.com/?load=N4IgzglgXgpiBcBOA..  f-puzzles: JSON, packed by lz-string in base 64
//! https://sudokupad.app/fpuzzlesN4IgzglgXgpiBc..   the same; also without the address, or with the packed text alone
//! https://sudokupad.app/sclN4IgzglgXgpiBcBOANCAd.. SudokuPad: other JSON, packed in the same way
//! {id:'x',ce:[[{v:5},,..]]}                        its short form: names without quotes, nothing for an empty cell
//! https://www.sudokuwiki.org/sudoku.htm?bd=5300..  links with the cells themselves
//! ```

use std::iter::Peekable;
use std::str::Chars;

use serde_json::{Map, Value};

use super::objects::{read_object, wrong};
use crate::board::text::rules_named::{is_rule_name, is_usual_rule, rule_named};
use crate::board::text::wanted::{Boards, Entry, TextLine, Wanted};
use crate::board::{Grid, Reason, Shape};

/// A link with the board `12....12.1....4.`.
pub(super) const EXAMPLE: &str = "https://f-puzzles.com/?load=N4IgzglgXgpiBcAWANCALhNAbO8QFEAPAQwFsAHHEVAcwCcIATBAbRdADdisBXXARloQOMAHYI0dPgF9knbnwQAmISPHxJMubODS\
     AusnY6dILrwGqxEqTBNnF8FSBrCrGm/sO65phReeu6pq22toGRqHy5ggoAWrWWrp6etJAA==";

/// The longest link that is read. The length of the unpacked text can be the square of this.
const LONGEST_LINK: usize = 20_000;
/// No packed text without an address is shorter. The one of f-puzzles for 4x4 with a given has 92 characters, and short
/// words may be anything.
const SHORTEST_BARE_TEXT: usize = 64;

/// The boards of links to f-puzzles or SudokuPad.
pub(super) fn packed(line: &TextLine<'_>, wanted: &Wanted) -> Option<Boards> {
    line.entries_of_words(|word| {
        packed_board(word, wanted).map(|board| board.map(|entry| Entry { line: line.number, ..entry }))
    })
}

/// The board that is packed in a word. None for other words.
fn packed_board(word: &str, wanted: &Wanted) -> Option<Result<Entry, Reason>> {
    const MARKS: [&str; 5] = ["?load=", "puzzleid=fpuzzles", "puzzleid=scl", "/fpuzzles", "/scl"];
    let packed = match word.starts_with("http") {
        true => MARKS.iter().find_map(|mark| word.split_once(mark))?.1,
        false => {
            let bare = word.strip_prefix("fpuzzles").or_else(|| word.strip_prefix("scl")).unwrap_or(word);
            // What every packed object with a known first name begins with.
            Some(bare).filter(|bare| bare.starts_with("N4I") && bare.len() >= SHORTEST_BARE_TEXT)?
        }
    };
    let object = unpacked(packed.split('&').next().unwrap_or(packed));
    let board =
        object.and_then(|object| read_object(&object, wanted).unwrap_or_else(|| Err(wrong("it holds no puzzle"))));
    Some(board.map_err(|reason| wrong(format!("the link to a puzzle cannot be read: {reason}"))))
}

/// Words in the addresses of pages for boards with other rules, besides the names of rules.
const OTHER_RULES: [&str; 8] = ["sudokux", "jigsaw", "killer", "windoku", "hyper", "diagonal", "str8ts", "colour"];

/// A rule that the address of a page tells: in its path, as the name or the value of a parameter, or behind `#`.
fn rule_of_address(word: &str) -> Option<String> {
    let address = word.split('?').next().unwrap_or(word).to_lowercase();
    if let Some(rule) = OTHER_RULES.iter().find(|rule| address.contains(*rule)) {
        return Some((*rule).to_owned());
    }
    word.split(['/', '?', '&', '#']).find_map(|part| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let stem = name.split('.').next().unwrap_or(name);
        let is_told = is_rule_name(stem) && (value.is_empty() || !is_usual_rule(value));
        let named = if value.is_empty() { None } else { rule_named(value) };
        named.or_else(|| is_told.then(|| part.to_owned()))
    })
}

/// The board in a link that has a sign for each cell: after `?bd=`, `?s=`, `?import=` and the like.
pub(super) fn with_cells(line: &TextLine<'_>, wanted: &Wanted) -> Option<Boards> {
    line.boards_of_words(|word| board_with_cells(line, word, wanted))
}

/// The board of a link with cells. None for other words.
fn board_with_cells(line: &TextLine<'_>, word: &str, wanted: &Wanted) -> Option<Result<Grid, Reason>> {
    if !["http://", "https://"].iter().any(|address| word.starts_with(address)) {
        return None;
    }
    if wanted.shape.is_none()
        && let Some(rule) = rule_of_address(word)
    {
        let reason = format!("the page of the link, '{rule}', has other rules; give --shape, such as --shape 3x3+x");
        return Some(Err(wrong(reason)));
    }
    let board = word.split(['?', '&', '/', '#']).find_map(|part| {
        let cells = part.split_once('=').map_or(part, |(_, value)| value);
        let shape = Shape::of_cells(cells.chars().count()).filter(|shape| shape.is_solvable())?;
        wanted.board(shape, &line.cells_of_signs(1, cells)).ok()
    });
    let reason = match word.contains("penpa") {
        true => "links of Penpa+ hold drawings, not digits; give the board itself, or its link to f-puzzles",
        false => "the link holds no puzzle that is known here; give the board itself",
    };
    Some(board.ok_or_else(|| wrong(reason)))
}

/// The JSON object that is packed in a link.
fn unpacked(packed: &str) -> Result<Map<String, Value>, Reason> {
    if packed.len() > LONGEST_LINK {
        return Err(wrong("it is longer than 20,000 characters"));
    }
    let plain = packed.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=").replace(' ', "+");
    let units = lz_str::decompress_from_base64(&plain).ok_or_else(|| wrong("it cannot be unpacked"))?;
    let json = String::from_utf16(&units).map_err(|_| wrong("it cannot be unpacked"))?;
    serde_json::from_str(&json)
        .or_else(|_| serde_json::from_str(&with_quotes(&json)))
        .map_err(|_| wrong("it holds no puzzle"))
}

/// JSON from the short form of SudokuPad: quotes around names, and `null` for what is left out of a list.
fn with_quotes(short: &str) -> String {
    let (mut json, mut open, mut signs) = (String::new(), Vec::new(), short.chars().peekable());
    while let Some(sign) = signs.next() {
        // The end of a list counts as a sign in it.
        let in_list = open.last() == Some(&'[');
        match sign {
            '\'' | '"' => json += &Value::from(read_string(&mut signs, sign)).to_string(),
            _ if sign.is_alphabetic() || sign == '_' => {
                let word = read_word(&mut signs, sign);
                let is_name = !in_list && signs.peek() == Some(&':');
                json.push_str(&if is_name { format!("{word:?}") } else { word });
            }
            _ => {
                let is_empty_list = sign == ']' && json.ends_with('[');
                if in_list && matches!(sign, ',' | ']') && json.ends_with(['[', ',']) && !is_empty_list {
                    json.push_str("null");
                }
                json.push(sign);
            }
        }
        match sign {
            '{' | '[' => open.push(sign),
            '}' | ']' => drop(open.pop()),
            _ => {}
        }
    }
    json
}

/// The rest of a string after its first quote. An escaped sign stands for itself: only titles and rules have others than
/// quotes, and these texts are not used.
fn read_string(signs: &mut impl Iterator<Item = char>, quote: char) -> String {
    let mut string = String::new();
    while let Some(sign) = signs.next().filter(|sign| *sign != quote) {
        string.extend(if sign == '\\' { signs.next() } else { Some(sign) });
    }
    string
}

/// A word that begins with a sign.
fn read_word(signs: &mut Peekable<Chars<'_>>, first: char) -> String {
    let mut word = String::from(first);
    while let Some(sign) = signs.next_if(|sign| sign.is_alphanumeric() || *sign == '_') {
        word.push(sign);
    }
    word
}
