//! Reads lines of other programs that hold a board and other data.
//!
//! ```text
//! :0000:x:53..7....6..195..:::                     HoDoKu: givens in the fourth field; '+' marks digits placed later
//! 53+4.7....6..195..:411 213                       Susser: '+' marks digits placed later; removed candidates follow
//! 0000183b305c 0507030600070008...9  1.2           Sudoku Exchange: 12 digits of a hash, 81 cells, a rating
//! https://f-puzzles.com/?load=N4IgzglgXgpiBcBOA..  links with a packed puzzle, see [`super::links`]
//! 3x3x:a5_3b1..                                    Simon Tatham's Solo: box, x for X, runs of blanks as letters
//! 9jx:a5_3b1..,a_c..                               a jigsaw of Solo: order; after the comma lines between regions
//! https://www.sudokuwiki.org/sudoku.htm?bd=5300..  links with the cells themselves
//! ```

use super::links;
use super::signs::{Cell as CellText, Signs, decide};
use super::symbols::no_board;
use crate::board::{Grid, Reason, Shape};

/// The board of a line, and the text after it.
type BoardAndNote = Result<(Grid, String), Reason>;

/// The board of a line in the format of another program; None if the line has none of these formats.
pub(super) fn read(line: &str) -> Option<BoardAndNote> {
    if let Some(fields) = line.strip_prefix(':') {
        return Some(library(fields));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if let Some(grid) = links::linked(word).or_else(|| game(word)).or_else(|| in_link(word)) {
        return Some(grid.map(|grid| (grid, rest.trim().to_owned())));
    }
    let (cells, removed) = line.split_once(':').unwrap_or((line, ""));
    if cells.contains('+') && removed.chars().all(|sign| sign.is_ascii_digit() || sign == ' ') {
        let givens: Vec<char> = givens(cells).collect();
        if givens.len() == Shape::NINE.cells() && givens.iter().any(char::is_ascii_digit) {
            return Some(nine(givens.into_iter()).map(|grid| (grid, String::new())));
        }
    }
    let hash = word.len() == 12 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (board, note) = rest.trim_start().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    if hash && board.len() == Shape::NINE.cells() {
        return Some(nine(board.chars()).map(|grid| (grid, note.trim().to_owned())));
    }
    None
}

/// An ordinary board from 81 characters.
fn nine(cells: impl Iterator<Item = char>) -> Result<Grid, Reason> {
    let cells: Vec<CellText> = cells.map(CellText::of_sign).collect();
    if cells.len() != Shape::NINE.cells() {
        return Err(Shape::NINE.other_length(cells.len()));
    }
    decide(Shape::NINE, &cells, &Signs::default(), None).map(|decided| decided.0).map_err(|(_, reason)| reason)
}

/// Cells without those digits that were placed, not given: those after '+'.
fn givens(cells: &str) -> impl Iterator<Item = char> {
    let empty = cells.chars().find(|sign| !sign.is_ascii_digit() && *sign != '+').unwrap_or('0');
    let mut placed = false;
    // A sign belongs to the `+` before it.
    cells.trim().chars().filter_map(move |symbol| match std::mem::replace(&mut placed, symbol == '+') {
        _ if symbol == '+' => None,
        true => Some(if symbol.is_ascii_digit() { empty } else { symbol }),
        false => Some(symbol),
    })
}

/// The givens of a line of HoDoKu's library, after its first colon.
fn library(fields: &str) -> BoardAndNote {
    let cells = fields.split(':').nth(2).ok_or_else(|| no_board(0))?;
    Ok((nine(givens(cells))?, String::new()))
}

/// The board of a game of Simon Tatham's Solo; None for other words.
fn game(word: &str) -> Option<Result<Grid, Reason>> {
    let (kind, game) = word.split_once(':')?;
    let number = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text[..end].parse::<usize>().ok().map(|number| (number, end))
    };
    let (columns, end) = number(kind)?;
    let rows = kind[end..].strip_prefix('x').and_then(number);
    let flags = &kind[end + rows.map_or(0, |(_, length)| length + 1)..];
    let of_game = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let (cells, lines) = game.split_once(',').map_or((game, None), |(cells, lines)| (cells, Some(lines)));
    // The other flags say how hard and how symmetric a new game shall be.
    let has = |flag| flags.contains(flag);
    let is_game = flags.chars().all(of_game) && cells.chars().all(of_game) && (rows.is_some() || has('j'));
    is_game.then(|| {
        let wrong = |reason: &str| Reason(format!("the game cannot be read: {reason}"));
        if has('k') {
            return Err(wrong("it has cages"));
        }
        let rows = rows.map_or(1, |(rows, _)| rows);
        let shape = match lines.filter(|_| has('j')) {
            Some(lines) => regions_of(columns.saturating_mul(rows), lines)
                .and_then(|regions| Shape::of_region_signs(&regions).ok())
                .ok_or_else(|| wrong("its regions"))?,
            None if has('j') => return Err(wrong("it has no regions")),
            None => Shape::new(rows, columns)?,
        };
        let shape = if has('x') { shape.with("x")? } else { shape };
        let mut values: Vec<u16> = Vec::new();
        for part in cells.split_inclusive(|c: char| !c.is_ascii_digit()) {
            let digits = part.trim_end_matches(|c: char| !c.is_ascii_digit());
            if !digits.is_empty() {
                values.push(digits.parse().map_err(|_| wrong("a number is too large"))?);
            }
            // The letter a is one blank, z is 26.
            let blanks = part.bytes().next_back().filter(u8::is_ascii_lowercase).map_or(0, |run| run - b'a' + 1);
            values.extend(std::iter::repeat_n(0, blanks.into()));
            if values.len() > shape.cells() {
                break;
            }
        }
        Grid::new(shape, values)
    })
}

/// The game of Simon Tatham's Solo that has the givens of a board; None if it cannot have the rules of the board.
pub fn game_of(grid: &Grid) -> Option<String> {
    let shape = grid.shape();
    let flag = match shape.rules().map(|rules| rules.variants.as_slice()) {
        None | Some([]) => "",
        Some(["x"]) => "x",
        Some(_) => return None,
    };
    let lines = match shape.regions() {
        Some(regions) => Some(lines_of(shape.order(), regions)?),
        None => None,
    };
    let mut game = match lines {
        Some(_) => format!("{}j{flag}:", shape.order()),
        None => format!("{}x{}{flag}:", shape.box_columns(), shape.box_rows()),
    };
    let start = game.len();
    let mut blanks = 0;
    let close = |game: &mut String, blanks: &mut u8| {
        if *blanks > 0 {
            game.push((b'a' - 1 + *blanks).into());
            *blanks = 0;
        }
    };
    for &value in grid.values() {
        if value == 0 {
            blanks += 1;
            // No letter stands for more.
            if blanks == 26 {
                close(&mut game, &mut blanks);
            }
            continue;
        }
        close(&mut game, &mut blanks);
        // Between two numbers without blanks.
        if game.len() > start && game.ends_with(|c: char| c.is_ascii_digit()) {
            game.push('_');
        }
        game.push_str(&value.to_string());
    }
    close(&mut game, &mut blanks);
    lines.into_iter().for_each(|lines| game.extend([",", &lines]));
    Some(game)
}

/// The pairs of neighbouring cells in the order of a game: those with a line of the grid that goes down between them,
/// row by row, then those with a line across, column by column.
fn neighbours(n: usize) -> impl Iterator<Item = [usize; 2]> {
    let pairs = move |along: usize, across: usize| {
        (0..n)
            .flat_map(move |line| (0..n - 1).map(move |at| line * along + at * across))
            .map(move |at| [at, at + across])
    };
    pairs(n, 1).chain(pairs(1, n))
}

/// The region of each cell, from the text of the lines between regions. The text has, for each line, the number of
/// pairs of neighbours without a line before it (`_` for 0), and one more line at the end. None if the text does not
/// fit the order.
fn regions_of(n: usize, lines: &str) -> Option<Vec<usize>> {
    if !(2..=Shape::MAX_SOLVABLE_ORDER).contains(&n) {
        return None;
    }
    let mut regions: Vec<usize> = (0..n * n).collect();
    let mut pairs = neighbours(n);
    for sign in lines.bytes() {
        // Other versions of the program read z in different ways, and no jigsaw needs it.
        let joined = if sign == b'_' { 0 } else { Some(sign).filter(|sign| (b'a'..=b'y').contains(sign))? - b'a' + 1 };
        for _ in 0..joined {
            let [one, other] = pairs.next()?.map(|cell| regions[cell]);
            regions.iter_mut().filter(|region| **region == other).for_each(|region| *region = one);
        }
        pairs.next();
    }
    pairs.next().is_none().then_some(regions)
}

/// The inverse of [`regions_of`]; None if the text would need the letter z.
fn lines_of(n: usize, regions: &[u8]) -> Option<String> {
    let (mut text, mut joined) = (String::new(), 0);
    for is_line in neighbours(n).map(|[one, other]| regions[one] != regions[other]).chain([true]) {
        if is_line {
            text.push(if joined == 0 { '_' } else { Some(b'a' - 1 + joined).filter(|sign| *sign < b'z')?.into() });
            joined = 0;
        } else {
            joined = Some(joined + 1).filter(|joined| *joined < 26)?;
        }
    }
    Some(text)
}

/// The board in a link that has a sign for each cell: after `?bd=`, `?s=`, `?import=` and the like.
fn in_link(word: &str) -> Option<Result<Grid, Reason>> {
    word.starts_with("http").then(|| {
        let part = word.split(['?', '&', '=', '/', '#', ':']).find_map(|part| {
            let shape = Shape::of_cells(part.chars().count()).filter(|shape| shape.is_solvable())?;
            let cells: Vec<CellText> = part.chars().map(CellText::of_sign).collect();
            decide(shape, &cells, &Signs::default(), None).ok()
        });
        part.map(|decided| decided.0).ok_or_else(|| Reason("the link holds no puzzle that is known here".to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::super::{PuzzleReader, line};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn boards(text: &str) -> Vec<String> {
        let message = |entry: Result<super::super::Entry, super::super::TextError>| {
            entry.map_or_else(|error| error.to_string(), |entry| format!("{} {}", line(&entry.grid), entry.note))
        };
        PuzzleReader::new(text.as_bytes(), None).filter_map(super::super::Item::board).map(message).collect()
    }

    #[test]
    fn lines_of_other_programs_are_read() {
        let zeros = PUZZLE.replace('.', "0");
        let placed = PUZZLE.replacen("7....6", "7+6+7..6", 1);
        let text = format!(":0000:x:{PUZZLE}:::\n:0902:1234:{placed}:516 534:548 558::\n0000183b305c {zeros}  1.2\n");
        assert_eq!(boards(&text), [format!("{PUZZLE} "), format!("{PUZZLE} "), format!("{PUZZLE} 1.2")]);
        assert_eq!(
            boards(":0000:x:53..7:::")[0],
            "line 1, column 1: 5 cells, but the board has 81 (9x9 board, 3x3 boxes)"
        );
    }

    #[test]
    fn games_of_solo_are_read_and_written() {
        let game = "3x2x:a1b3_2zz";
        let game_with = |cells: &str| format!("2x2x:{cells}");
        let message = |game: &str| boards(game).remove(0);
        assert_eq!(message(&game_with("a1b3_2j")), ".1..32.......... ");
        assert_eq!(message("2x2:a1b3_2j easy"), ".1..32.......... easy");
        assert!(message(game).contains("cells, but the board has 36 (6x6 board, 2x3 boxes, x)"), "{}", message(game));
        assert!(message("3x3k:a").contains("it has cages") && message("3x3j:a").contains("it has no regions"));
        assert!(message("9j:a,z").contains("its regions") && message("4j:p,bb").contains("its regions"));
        // Regions that are the boxes make a plain board.
        assert_eq!(message("4j:1o,abbbbbbba"), "1............... ");
        let drawn = crate::dig::testing::variants(9);
        let [jigsaw, x] = ["9+jigsaw", "9+jigsaw+x"]
            .map(|kind| drawn.iter().find(|shape| shape.kind().to_string() == kind).unwrap().to_string());
        for (shape, line) in [
            ("3x3", PUZZLE),
            ("3x3+x", PUZZLE),
            ("2x2+x", ".1..32.........."),
            ("2x3", &"1".repeat(36)),
            (&jigsaw, PUZZLE),
            (&x, PUZZLE),
        ] {
            let grid = super::super::parse_line(line, Some(shape.parse().unwrap())).unwrap();
            let read = super::game(&super::game_of(&grid).unwrap()).unwrap().unwrap();
            assert_eq!(read, grid);
        }
        let windoku = super::super::parse_line(PUZZLE, Some("3x3+windoku".parse().unwrap())).unwrap();
        assert_eq!(super::game_of(&windoku), None);
    }

    #[test]
    fn links_have_the_rules_of_variants() {
        let grid = format!("[{}]", [r"[{},{},{},{}]"; 4].join(","));
        let shape_of = |rules: &str| {
            let json = format!(r#"{{"size":4,{rules},"grid":{grid}}}"#);
            super::links::linked(&packed(&json)).unwrap().map(|grid| grid.shape().to_string()).map_err(|error| error.0)
        };
        assert_eq!(shape_of(r#""diagonal+":true,"diagonal-":true"#), Ok("2x2+x".to_owned()));
        assert_eq!(
            shape_of(r#""diagonal+":true,"diagonal-":false,"antiking":true"#),
            Ok("2x2+antidiagonal+anti-king".to_owned())
        );
        let window = r#""extraregion":[{"cells":["R2C2","R2C3","R3C2","R3C3"]}]"#;
        assert_eq!(shape_of(window), Ok("2x2+windoku".to_owned()));
        let own = r#""extraregion":[{"cells":["R1C1","R2C3","R3C4","R4C2"]}]"#;
        assert_eq!(shape_of(own), Ok("2x2+extra:r1c1r2c3r3c4r4c2".to_owned()));
        let cell = |region: char| format!(r#"{{"region":{region}}}"#);
        let regions: Vec<String> = "0001201122312333".chars().map(cell).collect();
        let rows: Vec<String> = regions.chunks(4).map(|row| format!("[{}]", row.join(","))).collect();
        let json = format!(r#"{{"size":4,"diagonal+":true,"diagonal-":true,"grid":[{}]}}"#, rows.join(","));
        let jigsaw = super::links::linked(&packed(&json)).unwrap().unwrap().shape();
        assert_eq!(jigsaw.to_string(), "4+jigsaw:AAABCABBCCDBCDDD+x");
        assert!(shape_of(r#""extraregion":[{"cells":["R1C1"]}]"#).unwrap_err().contains("not a region"));
        assert!(shape_of(r#""extraregion":[{"cells":["R9C1"]}]"#).unwrap_err().contains("a region has no cells"));
        assert!(shape_of(r#""killercage":[{"cells":["R1C1"]}]"#).unwrap_err().contains("rule 'killercage'"));
    }

    fn packed(json: &str) -> String {
        format!("https://f-puzzles.com/?load={}", lz_str::compress_to_base64(json))
    }

    #[test]
    fn links_are_unpacked() {
        let row = r#"[{"value":3,"given":true},{"value":2},{},{"given":true}]"#;
        let json = format!(
            r#"{{"size":4,"title":"x","grid":[{row},[{{}},{{}},{{}},{{}}],[{{}},{{}},{{}},{{}}],[{{}},{{}},{{}},{{}}]]}}"#
        );
        assert_eq!(boards(&packed(&json)), ["3............... "]);
        let pad = packed(&json).replace("f-puzzles.com/?load=", "sudokupad.app/fpuzzles");
        assert_eq!(boards(&format!("{pad} easy")), ["3............... easy"]);
        let message = |json: &str| boards(&packed(json)).remove(0);
        assert!(message(&json.replace("\"title\":\"x\"", "\"cage\":[1]")).contains("a variant with the rule 'cage'"));
        assert!(message(&json.replace("\"size\":4", "\"size\":5")).contains("not square"));
        assert!(message(&json.replace("3,", "9,")).contains("r1c1 holds 9"));
        assert!(message(&json.replace("3,", "65539,")).contains("a cell holds 65539"));
        assert!(message("[]").contains("no puzzle"));
        assert!(message(&json.replacen("{}", "{\"region\":0}", 1)).contains("neither boxes nor"));
        let scl = |json: &str| packed(json).replace("f-puzzles.com/?load=", "sudokupad.app/scl");
        let json = json.replace("\"size\":4,\"title\":\"x\",\"grid\"", "\"id\":\"x\",\"cells\"");
        assert_eq!(boards(&scl(&json)), ["32.............. "]);
        assert_eq!(boards(&scl(&json.replace("2", "\"4\""))), ["34.............. "]);
        assert!(boards(&scl(&json.replace("2", "\"x\"")))[0].contains("a cell holds \"x\""));
        let message = |more: &str| boards(&scl(&json.replacen('{', &format!("{{{more},"), 1))).remove(0);
        assert!(message("\"arrows\":[{}]").contains("a variant with the rule 'arrows'"));
        assert!(message("\"regions\":[[[0,4]]]").contains("leaves the board"));
        assert!(message("\"regions\":[[[0,0]]]").contains("neither boxes nor"));
        assert!(boards("https://f-puzzles.com/?load=%%%").remove(0).contains("the link to a puzzle"));
        assert!(boards(&format!("https://f-puzzles.com/?load={}", "N".repeat(30_000))).remove(0).contains("longer"));
    }
}
