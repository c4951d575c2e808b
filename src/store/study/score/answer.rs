//! Reads the grid that the answer of a model ends with. The answer may be a line of cells, rows, a list in the syntax
//! of a programming language, or a text with words around them.

use sudoku_corpus_core::board::{Shape, text};

/// The cells of the grid that an answer ends with, row by row, 0 for an open cell. None if it has no grid.
///
/// 1. If the answer has `<answer>`, only the text after the last one counts, up to `</answer>`.
/// 2. If that is a line of cells, as files have it, it is the grid.
/// 3. The last rows one after another, each with as many cells as the board and no words, are the grid. Blank lines and
///    lines of a frame may stand between them, and the number of a row before its cells.
/// 4. Otherwise the last piece of text without words that has as many cells as the board is the grid, and
/// 5. otherwise the last cells in the text.
///
/// A cell is a digit, or above 9x9 a number. `.`, `_`, `0`, `?` and `x` are open cells in a row of a grid.
pub fn grid_of(answer: &str, shape: Shape) -> Option<Vec<u16>> {
    let (order, cells) = (shape.order(), shape.cells());
    let text = inside(answer);
    if let Some(grid) = one_line(text.trim(), shape) {
        return Some(grid);
    }
    let (mut rows, mut last): (Vec<Vec<u16>>, Option<Vec<u16>>) = (Vec::new(), None);
    for line in text.lines().filter(|line| !line.chars().all(is_frame)) {
        match row(line, order).or_else(|| row(without_number(line), order)) {
            Some(cells) => rows.push(cells),
            None => rows.clear(),
        }
        if rows.len() >= order {
            last = Some(rows[rows.len() - order..].concat());
        }
    }
    if last.is_some() {
        return last;
    }
    let pieces = text.split(|symbol: char| !(symbol.is_ascii_digit() || is_frame(symbol) || "_.?".contains(symbol)));
    let pieces: Vec<Vec<u16>> = pieces.map(|piece| numbers(piece, order)).collect();
    let whole = pieces.iter().rev().find(|piece| piece.len() == cells);
    let all = || -> Option<Vec<u16>> {
        let all = pieces.concat();
        Some(all[all.len().checked_sub(cells)?..].to_vec())
    };
    whole.cloned().or_else(all).filter(|grid| grid.iter().all(|&cell| usize::from(cell) <= order))
}

/// The text between the last `<answer>` and its end.
fn inside(answer: &str) -> &str {
    const TAG: &str = "<answer>";
    let small = answer.to_ascii_lowercase();
    let from = small.rfind(TAG).map_or(0, |at| at + TAG.len());
    let end = if from > 0 { small[from..].find("</answer>") } else { None };
    &answer[from..end.map_or(answer.len(), |length| from + length)]
}

/// A text that is nothing but one line of cells.
fn one_line(text: &str, shape: Shape) -> Option<Vec<u16>> {
    let is_line =
        text.len() == shape.cells() && text.bytes().all(|symbol| symbol.is_ascii_alphanumeric() || symbol == b'.');
    let grid = is_line.then(|| text::parse_line(text, Some(shape)).ok())??;
    Some(grid.values().to_vec())
}

/// True for what may stand in a line beside the cells of a row.
fn is_frame(symbol: char) -> bool {
    symbol.is_whitespace() || "|,;:[](){}\"'`*&\\+=-".contains(symbol)
}

/// The cells of a line that is a row of a grid.
fn row(line: &str, order: usize) -> Option<Vec<u16>> {
    let value = |word: &str| match word {
        "." | "_" | "0" | "?" | "x" | "X" => Some(0),
        word => word.parse().ok().filter(|&value| usize::from(value) <= order),
    };
    let cells: Option<Vec<u16>> = match order {
        ..=9 => line
            .chars()
            .filter(|&symbol| !is_frame(symbol))
            .map(|symbol| value(symbol.encode_utf8(&mut [0; 4])))
            .collect(),
        _ => line.split(is_frame).filter(|word| !word.is_empty()).map(value).collect(),
    };
    cells.filter(|cells| cells.len() == order)
}

/// A line without the number of its row: "Row 3: ", "3. ", "3) ".
fn without_number(line: &str) -> &str {
    let start = line.trim_start_matches(|symbol: char| !symbol.is_alphanumeric());
    let named = ["row", "line", "r"].into_iter().find_map(|name| {
        let (word, rest) = start.split_at_checked(name.len())?;
        word.eq_ignore_ascii_case(name).then(|| rest.trim_start())
    });
    let numbered = named.unwrap_or(start);
    let rest = numbered.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    let cells = rest.trim_start().strip_prefix([':', '.', ')', '=']);
    cells.filter(|_| rest.len() < numbered.len()).unwrap_or(line)
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

    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn digits(line: &str) -> Vec<u16> {
        line.bytes().map(|digit| u16::from(digit - b'0')).collect()
    }

    /// The Python package has a table of fifty answers; these are of each kind.
    #[test]
    fn the_grid_of_an_answer_is_the_one_that_it_ends_with() {
        let rows: Vec<&str> = (0..9).map(|row| &SOLUTION[row * 9..row * 9 + 9]).collect();
        let spaced = |row: &&str| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let lines: Vec<String> = rows.iter().map(spaced).collect();
        let wrong = format!("{}8", &lines.join("\n")[..lines.join("\n").len() - 1]);
        let numbered: Vec<String> = lines.iter().zip(1..).map(|(line, at)| format!("Row {at}: {line}")).collect();
        for answer in [
            SOLUTION.to_owned(),
            lines.join("\n"),
            lines.join("\n").replace(' ', ", "),
            format!("[[{}]]", lines.join("],[").replace(' ', ",")),
            format!("The 9 rows are:\n{}\nThis took 12 steps.", lines.join("\n\n")),
            format!("Solution in 51 steps: {SOLUTION} (ER 1.2)"),
            format!("<think>1 2 3</think><Answer>{}</ANSWER> 7", rows.join("/")),
            format!("{wrong}\nNo:\n{}", numbered.join("\n")),
            format!("| {} |", lines.join(" |\n|---|---|\n| ").replace(' ', " | ")),
        ] {
            assert_eq!(grid_of(&answer, Shape::NINE), Some(digits(SOLUTION)), "{answer}");
        }
        assert_eq!(grid_of(&wrong, Shape::NINE).unwrap()[80], 8);
        let open = lines.join("\n").replace('5', "_");
        assert_eq!(grid_of(&open, Shape::NINE).unwrap()[0], 0);
        for answer in ["", "none", &SOLUTION[1..], "<answer></answer>", "row 1: 1 2 3", "<answer>", "é<answer>ü"] {
            assert_eq!(grid_of(answer, Shape::NINE), None, "{answer}");
        }
    }

    #[test]
    fn boards_above_nine_have_numbers_or_one_sign_a_cell() {
        let shape = Shape::of_order(16).unwrap();
        let grid: Vec<u16> = (0..256).map(|at| (at / 16 * 4 + at / 64 + at) % 16 + 1).collect();
        let rows: Vec<String> =
            grid.chunks(16).map(|row| row.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(grid_of(&rows.join("\n"), shape), Some(grid.clone()));
        assert_eq!(grid_of(&format!("Here: [{}]", rows.join("; ")), shape), Some(grid.clone()));
        let line: String = grid.iter().map(|&value| text::symbol(value, 16)).collect();
        assert_eq!(grid_of(&line, shape), Some(grid));
        assert_eq!(grid_of(&vec!["17"; 256].join(" "), shape), None);
    }
}
