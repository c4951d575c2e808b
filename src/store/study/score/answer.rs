//! Reads the grid that the answer of a model ends with. The answer may be a line of cells, rows, a list in the syntax
//! of a programming language, or a text with words around them.

use super::marks::{is_frame, plain, signs};
use super::rows::{FoundGrid, grid_of_rows};
use super::words::gives_up;

/// The cells of the grid of an order that an answer ends with, row by row, 0 for an empty cell. None if it has no grid.
/// If each cell stands behind its name (`r1c1: 5`), these cells are the grid. Otherwise:
///
/// 1. What stands in `<think>` never counts. If the answer has `<answer>`, only the text after the last one counts, up
///    to `</answer>`.
/// 2. If that is a line of cells, as files have it, it is the grid.
/// 3. The last rows one after another, each with as many cells as the board and no words, are the grid. Blank lines and
///    lines of a frame may stand between them. A label before the cells (`Row 3:`, `Column 3:`, `"row1":`, `3.`) says
///    which row or column they are. Labels that are double or missing make it no grid.
/// 4. Otherwise the last piece of text without words that has as many cells as the board is the grid, and
/// 5. otherwise the last cells in the text.
///
/// Words behind the grid that take it back, such as "I give up", make it none; other words do not matter.
///
/// A cell is a digit; above 9x9 it is a number, or a sign of the program (`A` is 10). `.`, `_`, `0`, `?` and `x` are
/// empty cells in a row of a grid; above 9x9, `x` is none.
pub fn grid_of(answer: &str, order: usize) -> Option<Vec<u16>> {
    let text = without_decimals(plain(inside(without_thoughts(answer))), order * order);
    // The order matters: a form that says more about its cells comes before one that fits more texts.
    if let Some(cells) = one_line(text.trim(), order) {
        return Some(cells);
    }
    let grid = grid_of_named_cells(&text, order)
        .or_else(|| grid_of_rows(&text, order))
        .or_else(|| grid_of_words(&text, order))
        .or_else(|| grid_of_pieces(&text, order))?;
    if gives_up(&text[grid.end..]) { None } else { grid.cells }
}

/// The text behind the thoughts of a model. The first tag may be missing, since some prompts end with it; thoughts
/// without an end are all that there is.
pub(super) fn without_thoughts(answer: &str) -> &str {
    let lower = answer.to_ascii_lowercase();
    let mut rest = 0..answer.len();
    for end_tag in ["</think>", "</thinking>", "</reasoning>"] {
        if let Some(tag_start) = lower.rfind(end_tag) {
            rest.start = rest.start.max(tag_start + end_tag.len());
        }
    }
    for tag in ["<think>", "<thinking>", "<reasoning>"] {
        if let Some(length) = lower[rest.clone()].find(tag) {
            rest.end = rest.start + length;
        }
    }
    &answer[rest]
}

/// A text in which each cell may be a real number, such as `5.0`, or `5.` in the way of NumPy: their decimals are left
/// out. Fewer such numbers than the board has cells are something else.
fn without_decimals(text: String, cells: usize) -> String {
    let is_real = |word: &str| {
        let digits = word.split_once('.').filter(|(_, decimals)| decimals.bytes().all(|digit| digit == b'0'));
        digits.is_some_and(|(digits, _)| (1..=2).contains(&digits.len()) && digits.bytes().all(|d| d.is_ascii_digit()))
    };
    let ends_word = |symbol: char| !(symbol.is_alphanumeric() || symbol == '.');
    if text.split(ends_word).filter(|word| is_real(word)).count() < cells {
        return text;
    }
    let whole = |part: &str| {
        let word = part.trim_end_matches(ends_word);
        if is_real(word) { word.split('.').next().map(|digits| digits.to_owned() + &part[word.len()..]) } else { None }
    };
    text.split_inclusive(ends_word).map(|part| whole(part).unwrap_or_else(|| part.to_owned())).collect()
}

/// The text between the last `<answer>` and its end.
fn inside(answer: &str) -> &str {
    const TAG: &str = "<answer>";
    let lower = answer.to_ascii_lowercase();
    let Some(tag_start) = lower.rfind(TAG) else { return answer };
    let start = tag_start + TAG.len();
    let end = lower[start..].find("</answer>").map_or(answer.len(), |length| start + length);
    &answer[start..end]
}

/// Where a part of a text ends in it.
fn end_of(part: &str, text: &str) -> usize {
    part.as_ptr() as usize + part.len() - text.as_ptr() as usize
}

/// A text that is nothing but one line of cells.
fn one_line(text: &str, order: usize) -> Option<Vec<u16>> {
    let is_line = text.len() == order * order && text.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'.');
    is_line.then(|| signs(std::iter::once(text), order))?
}

/// A grid whose cells have names: `r1c1: 5, r1c2: 3`. None unless each has one.
fn grid_of_named_cells(text: &str, order: usize) -> Option<FoundGrid> {
    let mut cells = vec![None; order * order];
    let mut end = 0;
    let words: Vec<&str> =
        text.split(|symbol: char| !symbol.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    for pair in words.windows(2) {
        let Some(cell) = named_cell(pair[0], order) else { continue };
        if let Some(value) = cell_value(pair[1], order) {
            cells[cell] = Some(value);
            end = end_of(pair[1], text);
        }
    }
    let cells: Vec<u16> = cells.into_iter().collect::<Option<_>>()?;
    Some(FoundGrid { cells: Some(cells), end })
}

/// The place of the cell with a name such as `r1c1`.
fn named_cell(name: &str, order: usize) -> Option<usize> {
    let (row, column) = name.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
    let (row, column) = (row.parse::<usize>().ok()?, column.parse::<usize>().ok()?);
    let is_cell = (1..=order).contains(&row) && (1..=order).contains(&column);
    is_cell.then(|| (row - 1) * order + column - 1)
}

/// The value of a word that is one cell: a number, or a sign.
fn cell_value(word: &str, order: usize) -> Option<u16> {
    match word.parse() {
        Ok(number) if usize::from(number) <= order => Some(number),
        _ => signs(std::iter::once(word), order).filter(|cells| cells.len() == 1)?.pop(),
    }
}

/// The last words one after another that are the cells of a grid above 9x9: a line, rows, or signs.
fn grid_of_words(text: &str, order: usize) -> Option<FoundGrid> {
    if order <= 9 {
        return None;
    }
    // Words of cells, one after another.
    let mut run: Vec<&str> = Vec::new();
    let mut last_grid = None;
    // A word with a colon holds no cell, so it ends a run. The empty word ends the last run.
    let words = text.split(|symbol: char| !(symbol.is_ascii_alphanumeric() || ".?_:=".contains(symbol)));
    for word in words.filter(|word| !word.is_empty()).chain([""]) {
        if is_cells(word, order) {
            run.push(word);
            continue;
        }
        if let Some(cells) = grid_of_run(&run, order) {
            last_grid = Some(FoundGrid { cells: Some(cells), end: end_of(run[run.len() - 1], text) });
        }
        run.clear();
    }
    last_grid
}

/// True for a word that is one cell, or several cells and not an English word.
fn is_cells(word: &str, order: usize) -> bool {
    // On these boards letters are signs too, so short words of letters are taken for English.
    let is_english = word.len() > 1 && word.len() < order && !word.contains(|sign: char| sign.is_ascii_digit());
    let bare = word.strip_suffix('.').unwrap_or(word);
    !is_english && signs(std::iter::once(bare), order).is_some_and(|cells| !cells.is_empty())
}

/// The cells of the last word that is a grid alone, or else of all words, if they are a grid together.
fn grid_of_run(words: &[&str], order: usize) -> Option<Vec<u16>> {
    if let Some(cells) = words.iter().rev().find_map(|word| line_of_word(word, order)) {
        return Some(cells);
    }
    let (last, words_before) = words.split_last()?;
    // A point behind the last word may be an empty cell, or end the sentence.
    for last_word in [*last, last.trim_end_matches('.')] {
        let mut words = words_before.to_vec();
        words.push(last_word);
        let cells_by_word: Option<Vec<u16>> = words.iter().map(|word| cell_value(word, order)).collect();
        let cells_by_sign = signs(words.into_iter(), order);
        for cells in [cells_by_word, cells_by_sign].into_iter().flatten() {
            if cells.len() == order * order {
                return Some(cells);
            }
        }
    }
    None
}

/// The cells of a word that is a line. Its last sign may end the sentence.
fn line_of_word(word: &str, order: usize) -> Option<Vec<u16>> {
    one_line(word, order).or_else(|| one_line(word.strip_suffix('.')?, order))
}

/// The last piece without words that has as many cells as the board, or else the last cells.
fn grid_of_pieces(text: &str, order: usize) -> Option<FoundGrid> {
    let cells = order * order;
    let pieces = text.split(|symbol: char| !(symbol.is_ascii_digit() || is_frame(symbol) || "_.?".contains(symbol)));
    let pieces: Vec<Piece> = pieces.map(|text| Piece { text, cells: numbers(text, order) }).collect();
    let whole_grid = pieces.iter().rev().find(|piece| piece.cells.len() == cells);
    let (last_piece, values) = match whole_grid {
        Some(piece) => (piece, piece.cells.clone()),
        None => {
            let last_piece = pieces.iter().rev().find(|piece| !piece.cells.is_empty())?;
            let all: Vec<u16> = pieces.iter().flat_map(|piece| &piece.cells).copied().collect();
            (last_piece, all[all.len().checked_sub(cells)?..].to_vec())
        }
    };
    let is_grid = values.iter().all(|&value| usize::from(value) <= order);
    is_grid.then(|| FoundGrid { cells: Some(values), end: end_of(last_piece.text, text) })
}

/// A piece of text without words.
struct Piece<'t> {
    text: &'t str,
    cells: Vec<u16>,
}

/// The digits of a text, or above order 9 its numbers.
fn numbers(text: &str, order: usize) -> Vec<u16> {
    let digits = text.split(|symbol: char| !symbol.is_ascii_digit()).filter(|word| !word.is_empty());
    match order {
        ..=9 => digits.flat_map(|word| word.bytes().map(|digit| u16::from(digit - b'0'))).collect(),
        _ => digits.map(|word| word.parse().unwrap_or(u16::MAX)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::SOLUTION;
    use sudoku_corpus_core::board::text;

    fn digits(line: &str) -> Vec<u16> {
        line.bytes().map(|digit| u16::from(digit - b'0')).collect()
    }

    /// The Python package has a table of fifty answers; these are of each kind.
    #[test]
    fn the_grid_of_an_answer_is_the_one_that_it_ends_with() {
        let row = |cells: &[u8]| cells.iter().map(|&digit| char::from(digit).to_string()).collect();
        let rows: Vec<Vec<String>> = SOLUTION.as_bytes().chunks(9).map(row).collect();
        let spaced = lines(&rows, "", " ", "");
        let wrong = format!("{}8", &spaced.join("\n")[..spaced.join("\n").len() - 1]);
        let named = |before: &str, behind: &str| lines(&rows, before, " ", behind).join("\n");
        for answer in [
            SOLUTION.to_owned(),
            spaced.join("\n"),
            spaced.join("\n").replace(' ', ", "),
            format!("[[{}]]", spaced.join("],[").replace(' ', ",")),
            format!("The 9 rows are:\n{}\nThis took 12 steps.", spaced.join("\n\n")),
            format!("Solution in 51 steps: {SOLUTION} (ER 1.2)"),
            format!("<think>1 2 3</think><Answer>{}</ANSWER> 7", lines(&rows, "", "", "").join("/")),
            format!("{wrong}\nNo:\n{}", named("Row {}: ", "")),
            format!("| {} |", spaced.join(" |\n|---|---|\n| ").replace(' ', " | ")),
            named("**Row {}**: ", ""),
            named("Row {} -> ", ""),
            named("Row {} \u{2192} ", ""),
            format!("{{{}}}", named("\"row{}\": [", "],").replace(' ', ", ").replace(":,", ":")),
            named("", ",  # row {}"),
            named("", "  (sum 45)"),
            format!("    1 2 3 4 5 6 7 8 9\n{}", named("{} | ", "")),
            named_cells(&rows).replace('r', "\"r").replace('=', "\": "),
            format!("   1 2 3 4 5 6 7 8 9\n{}", named("{}: ", "")),
            format!("[[{}.]]", spaced.join(".]\n[").replace(' ', ". ")),
            format!("[[{}.0]]", spaced.join(".0],[").replace(' ', ".0, ")),
        ] {
            assert_eq!(grid_of(&answer, 9), Some(digits(SOLUTION)), "{answer}");
        }
        assert_eq!(grid_of(&wrong, 9).unwrap()[80], 8);
        let open = spaced.join("\n").replace('5', "_");
        assert_eq!(grid_of(&open, 9).unwrap()[0], 0);
        for answer in ["", "none", &SOLUTION[1..], "<answer></answer>", "row 1: 1 2 3", "<answer>", "é<answer>ü"] {
            assert_eq!(grid_of(answer, 9), None, "{answer}");
        }
    }

    #[test]
    fn boards_above_nine_have_numbers_or_one_sign_a_cell() {
        let grid: Vec<u16> = (0..256).map(|cell| (cell / 16 * 4 + cell / 64 + cell) % 16 + 1).collect();
        let rows: Vec<String> =
            grid.chunks(16).map(|row| row.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(grid_of(&rows.join("\n"), 16), Some(grid.clone()));
        assert_eq!(grid_of(&format!("Here: [{}]", rows.join("; ")), 16), Some(grid.clone()));
        let line: String = grid.iter().map(|&value| text::symbol(value, 16)).collect();
        assert_eq!(grid_of(&line, 16), Some(grid.clone()));
        let rows: Vec<String> =
            line.as_bytes().chunks(16).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
        let spaced = rows.iter().map(|row| row.chars().map(|sign| format!("{sign} ")).collect::<String>());
        for answer in [
            rows.join("\n"),
            format!("```\n{}\n```", spaced.collect::<Vec<_>>().join("\n")),
            format!("The solution is {line}."),
            rows.iter().zip(1..).map(|(row, number)| format!("Row {number}: {row}\n")).collect(),
        ] {
            assert_eq!(grid_of(&answer, 16).as_ref(), Some(&grid), "{answer}");
        }
        assert_eq!(grid_of(&vec!["17"; 256].join(" "), 16), None);
        // Orders that have no boxes are those of jigsaws.
        assert_eq!(grid_of("It is 1234523451345124512351234", 5).unwrap()[5..10], [2, 3, 4, 5, 1]);
    }

    /// The rows of a board, each a list of signs.
    type Rows = [Vec<String>];

    /// A line for each row: what stands before it, its cells with a sign between them, and what stands behind it. `{}`
    /// is its number.
    fn lines(rows: &Rows, before: &str, between: &str, behind: &str) -> Vec<String> {
        let line = |(row, number): (&Vec<String>, usize)| {
            let number = number.to_string();
            before.replace("{}", &number) + &row.join(between) + &behind.replace("{}", &number)
        };
        rows.iter().zip(1..).map(line).collect()
    }

    fn written(rows: &Rows, before: &str, between: &str, behind: &str) -> String {
        lines(rows, before, between, behind).concat()
    }

    fn upwards(rows: &Rows, before: &str, between: &str, behind: &str) -> String {
        lines(rows, before, between, behind).into_iter().rev().collect()
    }

    fn columns(rows: &Rows) -> Vec<Vec<String>> {
        (0..rows.len()).map(|column| rows.iter().map(|row| row[column].clone()).collect()).collect()
    }

    fn named_cells(rows: &Rows) -> String {
        let mut text = String::new();
        for (row, number) in rows.iter().zip(1..) {
            text.extend(row.iter().zip(1..).map(|(cell, column)| format!("r{number}c{column}={cell}, ")));
        }
        text
    }

    fn full_width(sign: char) -> char {
        if sign.is_ascii_digit() { char::from_u32(u32::from(sign) + 0xfee0).unwrap() } else { sign }
    }

    /// Ways to write a grid.
    const FORMS: [fn(&Rows) -> String; 38] = [
        |rows| format!("[{}]", lines(rows, "\"", "", "\"").join(",")),
        |rows| format!("[{}]", lines(rows, "[\"", "\",\"", "\"]").join(",")),
        |rows| format!("<answer>[{}]</answer>", lines(rows, "[\"", "\", \"", "\"]").join(", ")),
        |rows| format!("{{\"grid\": [{}]}}", lines(rows, "\"", "", "\"").join(", ")),
        |rows| format!("The solution: [{}]. Done.", lines(rows, "[", ",", "]").join(",")),
        |rows| {
            format!(
                "\\begin{{array}}{{|c|*{{9}}{{c|}}}}\n{}\\end{{array}}",
                written(rows, "\\hline ", " & ", " \\\\\n")
            )
        },
        |rows| format!("$$\\begin{{bmatrix}} {}\\end{{bmatrix}}$$", written(rows, "", "&", " \\\\ \\hline ")),
        |rows| written(rows, "> ", " ", "\n"),
        |rows| written(rows, "\u{2502} ", " \u{2502} ", " \u{2502}\n"),
        |rows| format!("<table>{}</table>", written(rows, "<tr><td>", "</td><td>", "</td></tr>")),
        |rows| format!("<table border=\"1\">\n{}</table>", written(rows, "<tr><td>", "</td><td>", "</td></tr>\n")),
        |rows| written(rows, "", "&nbsp;", "<br>"),
        named_cells,
        |rows| written(rows, "", "", "/"),
        |rows| written(rows, "", " ", ";"),
        |rows| written(rows, "", "", "\u{200b}"),
        |rows| written(rows, "", "\u{200b}", "\u{200b}\n"),
        |rows| written(rows, "", " ", "\\n"),
        |rows| written(rows, "Row {} - ", " ", "\n"),
        |rows| written(rows, "Row {} \u{2013} ", " ", "\n"),
        |rows| written(rows, "Row {} | ", " ", "\n"),
        |rows| written(rows, "Row {} ", " ", "\n"),
        |rows| written(rows, "R{} ", " ", "\n"),
        |rows| written(rows, "Row {} (checked): ", " ", ".\n"),
        |rows| written(rows, "", " ", "\n").chars().map(full_width).collect(),
        |rows| written(rows, "{}. ", " ", "\n"),
        |rows| format!("{{{}}}", lines(rows, "\"{}\":\"", "", "\"").join(",")),
        |rows| format!("{{{}}}", lines(rows, "\"{}\":[\"", "\",\"", "\"]").join(",")),
        // The labels are in another order.
        |rows| upwards(rows, "Row {}: ", " ", "\n"),
        |rows| upwards(rows, "\"r{}\": [", ", ", "],\n"),
        |rows| format!("{{{}}}", upwards(rows, "\"row{}\":[\"", "\",\"", "\"],")),
        |rows| format!("{{{}}}", upwards(rows, "\"row_{}\":\"", "", "\",")),
        |rows| upwards(rows, "", " ", "  # row {}\n"),
        |rows| format!("The rows: {}", upwards(rows, "Row {}: ", " ", "; ")),
        |rows| written(&columns(rows), "Column {}: ", " ", "\n"),
        |rows| upwards(&columns(rows), "C{} ", " ", "\n"),
        // Checks behind the grid.
        |rows| written(rows, "Row {}: ", " ", "\n") + &written(&columns(rows), "Column {}: ", " ", "\n"),
        |rows| written(rows, "Row {}: ", " ", "\n") + &written(&columns(rows), "Box {}: ", " ", "\n"),
    ];

    #[test]
    fn grids_of_all_sizes_are_read_in_all_forms_by_their_labels() {
        for order in [4, 6, 9, 16] {
            // No rule of a puzzle holds here, but the columns are not the rows.
            let cells = |row: usize| (0..order).map(move |column| ((row * row + column) % order + 1) as u16);
            let grid: Vec<u16> = (0..order).flat_map(cells).collect();
            let rows: Vec<Vec<String>> = grid
                .chunks(order)
                .map(|row| row.iter().map(|&value| text::symbol(value, order).into()).collect())
                .collect();
            for form in FORMS {
                let answer = form(&rows);
                assert_eq!(grid_of(&answer, order).as_ref(), Some(&grid), "{order}: {answer}");
            }
            let labeled = written(&rows, "Row {}: ", " ", "\n");
            let mut turned = rows.clone();
            turned.reverse();
            for answer in [
                written(&turned, "Row {}: ", " ", "\n"),
                written(&rows, "Column {}: ", " ", "\n"),
                labeled.replace("Row 3", "Row 2"),
                labeled.replace("Row 3", "Row 30"),
                labeled.clone() + labeled.lines().last().unwrap(),
                upwards(&rows, "{}. ", " ", "\n"),
            ] {
                assert_ne!(grid_of(&answer, order).as_ref(), Some(&grid), "{order}: {answer}");
            }
        }
    }

    #[test]
    fn thoughts_and_what_is_taken_back_are_no_answers() {
        for answer in [
            "<think>GRID</think>\nI cannot solve it.",
            "<think>GRID",
            "GRID</think> It is hard.",
            "<thinking><answer>GRID</answer></thinking>",
            "GRID\nThis is wrong, I give up.",
            "The grid is GRID. I couldn\u{2019}t solve the rest.",
            "GRID\nThe puzzle has no solution.",
        ] {
            assert_eq!(grid_of(&answer.replace("GRID", SOLUTION), 9), None, "{answer}");
        }
        for answer in [
            "<think>No, wrong. I cannot.</think>GRID",
            "I cannot see it at once. GRID",
            "GRID\nNothing is wrong: digits cannot repeat. Tell me if this is wrong.",
        ] {
            assert_eq!(grid_of(&answer.replace("GRID", SOLUTION), 9), Some(digits(SOLUTION)), "{answer}");
        }
    }
}
