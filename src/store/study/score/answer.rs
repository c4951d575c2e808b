//! Reads the grid that the answer of a model ends with. The answer may be a line of cells, rows, a list in the syntax
//! of a programming language, or a text with words around them.

use sudoku_corpus_core::board::text;

/// The cells of the grid of an order that an answer ends with, row by row, 0 for an empty cell. None if it has no grid.
///
/// 1. If the answer has `<answer>`, only the text after the last one counts, up to `</answer>`.
/// 2. If that is a line of cells, as files have it, it is the grid.
/// 3. The last rows one after another, each with as many cells as the board and no words, are the grid. Blank lines and
///    lines of a frame may stand between them, and the number of a row before its cells.
/// 4. Otherwise the last piece of text without words that has as many cells as the board is the grid, and
/// 5. otherwise the last cells in the text.
///
/// A cell is a digit; above 9x9 it is a number, or a sign of the program (`A` is 10). `.`, `_`, `0`, `?` and `x` are
/// empty cells in a row of a grid; above 9x9, `x` is none.
pub fn grid_of(answer: &str, order: usize) -> Option<Vec<u16>> {
    let cells = order * order;
    let text = inside(answer);
    if let Some(grid) = one_line(text.trim(), order) {
        return Some(grid);
    }
    if let Some(grid) = of_named_cells(text, order) {
        return Some(grid);
    }
    let (mut rows, mut last): (Vec<Vec<u16>>, Option<Vec<u16>>) = (Vec::new(), None);
    // The number of the last row that began with its number.
    let mut number = 0;
    for line in text.lines().filter(|line| !line.chars().all(is_frame)) {
        let numbered = values_of_line(line, order).filter(|cells| cells.len() == order + 1);
        match (cells_of_line(line, order), numbered) {
            (Some(cells), _) => rows.push(cells),
            (None, Some(cells)) if cells[0] == number + 1 || cells[0] == 1 => {
                number = cells[0];
                if number == 1 {
                    rows.clear();
                }
                rows.push(cells[1..].to_vec());
            }
            _ => rows.clear(),
        }
        if rows.len() >= order {
            last = Some(rows[rows.len() - order..].concat());
        }
    }
    if last.is_some() {
        return last;
    }
    // A line of cells with words around it.
    let words = text.split(|symbol: char| !(symbol.is_ascii_alphanumeric() || ".?_".contains(symbol)));
    // The last sign of a word may end the sentence.
    let of_word = |word: &str| one_line(word, order).or_else(|| one_line(word.strip_suffix('.')?, order));
    if let Some(grid) = words.filter_map(of_word).next_back().filter(|_| order > 9) {
        return Some(grid);
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
fn one_line(text: &str, order: usize) -> Option<Vec<u16>> {
    let is_line = text.len() == order * order && text.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'.');
    is_line.then(|| signs(std::iter::once(text), order))?
}

/// True for what may stand in a line beside the cells of a row.
fn is_frame(symbol: char) -> bool {
    symbol.is_whitespace() || "|,;:[](){}\"'`*&\\+=-".contains(symbol)
}

/// The cells of a line that is a row of a grid, alone, behind the number of the row, or before a comment.
fn cells_of_line(line: &str, order: usize) -> Option<Vec<u16>> {
    let bare = without_comment(line);
    row(line, order)
        .or_else(|| row(without_number(line), order))
        .or_else(|| row(bare, order))
        .or_else(|| row(without_number(bare), order))
        .or_else(|| row(without_name(bare), order))
}

/// A line without what stands behind `#`, `//` or `(`.
fn without_comment(line: &str) -> &str {
    let ends = ["#", "//", "("].iter().filter_map(|mark| line.find(mark).filter(|&at| at > 0));
    ends.min().map_or(line, |end| &line[..end])
}

/// A line without a name of the row in quotes or words before the list of its cells: `"row1": [5, 3, 4]`.
fn without_name(line: &str) -> &str {
    line.split_once([':', '>']).map_or(line, |(name, cells)| {
        let is_name = name.chars().any(char::is_alphabetic) && name.len() <= 12;
        if is_name { cells } else { line }
    })
}

/// A grid whose cells have names: `r1c1: 5, r1c2: 3`. None unless each has one.
fn of_named_cells(text: &str, order: usize) -> Option<Vec<u16>> {
    let is_number = |symbol: char| !symbol.is_ascii_digit();
    let mut grid = vec![None; order * order];
    for named in text.split(['r', 'R']).skip(1) {
        let Some((row, rest)) = named.split_once(['c', 'C']) else { continue };
        let (column, rest) = rest.split_at(rest.find(is_number).unwrap_or(rest.len()));
        let value = rest.trim_start_matches(is_frame);
        let value = &value[..value.find(is_number).unwrap_or(value.len())];
        let Ok(row) = row.trim().parse::<usize>() else { continue };
        let (Ok(column), Ok(value)) = (column.parse::<usize>(), value.parse::<u16>()) else { continue };
        if (1..=order).contains(&row) && (1..=order).contains(&column) && usize::from(value) <= order {
            grid[(row - 1) * order + column - 1] = Some(value);
        }
    }
    grid.into_iter().collect()
}

/// The cells of a line that is a row of a grid.
fn row(line: &str, order: usize) -> Option<Vec<u16>> {
    values_of_line(line, order).filter(|cells| cells.len() == order)
}

/// The cells of a line that has nothing else.
fn values_of_line(line: &str, order: usize) -> Option<Vec<u16>> {
    let value = |word: &str| match word {
        "." | "_" | "0" | "?" | "x" | "X" => Some(0),
        word => word.parse().ok().filter(|&value| usize::from(value) <= order),
    };
    match order {
        ..=9 => line
            .chars()
            .filter(|&symbol| !is_frame(symbol))
            .map(|symbol| value(symbol.encode_utf8(&mut [0; 4])))
            .collect(),
        _ => {
            let words = || line.split(is_frame).filter(|word| !word.is_empty());
            let numbers: Option<Vec<u16>> = words().map(value).collect();
            numbers.filter(|cells| cells.len() >= order).or_else(|| signs(words(), order))
        }
    }
}

/// The cells of words that are written with a sign for each cell.
fn signs<'w>(words: impl Iterator<Item = &'w str>, order: usize) -> Option<Vec<u16>> {
    let text: String = words.collect();
    let value = |sign: char| match sign {
        '.' | '_' | '?' => Some(0),
        '0' if order < 36 => Some(0),
        sign => (1..=order as u16).find(|&value| text::symbol(value, order) == sign.to_ascii_uppercase()),
    };
    text.chars().map(value).collect()
}

/// A line without the number of its row: "Row 3: ", "3. ", "3) ", "**Row 3**: ", "Row 3 -> ".
fn without_number(line: &str) -> &str {
    let start = line.trim_start_matches(|symbol: char| !symbol.is_alphanumeric());
    let named = ["row", "line", "r"].into_iter().find_map(|name| {
        let (word, rest) = start.split_at_checked(name.len())?;
        word.eq_ignore_ascii_case(name).then(|| rest.trim_start())
    });
    let numbered = named.unwrap_or(start);
    let rest = numbered.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    let marks = rest.trim_start_matches(|symbol: char| symbol.is_whitespace() || symbol == '*' || symbol == '-');
    let cells = marks.strip_prefix([':', '.', ')', '=', '>', '\u{2192}']);
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
        let named = |before: &str, behind: &str| -> String {
            let row = |(line, at): (&String, u32)| {
                let at = at.to_string();
                format!("{}{line}{}", before.replace("{}", &at), behind.replace("{}", &at))
            };
            lines.iter().zip(1..).map(row).collect::<Vec<String>>().join("\n")
        };
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
            named("**Row {}**: ", ""),
            named("Row {} -> ", ""),
            named("Row {} \u{2192} ", ""),
            format!("{{{}}}", named("\"row{}\": [", "],").replace(' ', ", ").replace(":,", ":")),
            named("", ",  # row {}"),
            named("", "  (sum 45)"),
            format!("    1 2 3 4 5 6 7 8 9\n{}", named("{} | ", "")),
            (0..81).map(|at| format!("\"r{}c{}\": {}, ", at / 9 + 1, at % 9 + 1, &SOLUTION[at..=at])).collect(),
            format!("   1 2 3 4 5 6 7 8 9\n{}", named("{}: ", "")),
        ] {
            assert_eq!(grid_of(&answer, 9), Some(digits(SOLUTION)), "{answer}");
        }
        assert_eq!(grid_of(&wrong, 9).unwrap()[80], 8);
        let open = lines.join("\n").replace('5', "_");
        assert_eq!(grid_of(&open, 9).unwrap()[0], 0);
        for answer in ["", "none", &SOLUTION[1..], "<answer></answer>", "row 1: 1 2 3", "<answer>", "é<answer>ü"] {
            assert_eq!(grid_of(answer, 9), None, "{answer}");
        }
    }

    #[test]
    fn boards_above_nine_have_numbers_or_one_sign_a_cell() {
        let grid: Vec<u16> = (0..256).map(|at| (at / 16 * 4 + at / 64 + at) % 16 + 1).collect();
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
            rows.iter().zip(1..).map(|(row, at)| format!("Row {at}: {row}\n")).collect(),
        ] {
            assert_eq!(grid_of(&answer, 16).as_ref(), Some(&grid), "{answer}");
        }
        assert_eq!(grid_of(&vec!["17"; 256].join(" "), 16), None);
        // Orders that have no boxes are those of jigsaws.
        assert_eq!(grid_of("It is 1234523451345124512351234", 5).unwrap()[5..10], [2, 3, 4, 5, 1]);
    }
}
