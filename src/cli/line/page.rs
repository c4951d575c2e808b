//! Sets a page of Markdown for a terminal: paragraphs and cells are wrapped, tables are aligned, links are their texts.
//!
//! ```text
//! | option | meaning |          option   meaning
//! |---|---|               ->    -------  ---------------------
//! | `--all` | all of them |     --all    all of them
//! ```
//!
//! Blocks of commands and their outputs stay as they are.

/// Between two columns of a table.
const GAP: &str = "  ";

/// A page, with lines of at most this width. A word that is longer stays whole.
pub(in crate::cli) fn set(markdown: &str, width: usize) -> String {
    let mut page = String::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            for block_line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                page += format!("    {block_line}").trim_end();
                page.push('\n');
            }
        } else if line.starts_with('|') {
            let mut rows = vec![cells(line)];
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(cells(row));
            }
            table(&rows, width, &mut page);
        } else if let Some(heading) = line.strip_prefix('#') {
            let heading = plain(heading.trim_start_matches('#').trim());
            page += &format!("{}\n", heading.to_uppercase());
        } else if line.is_empty() {
            page.push('\n');
        } else {
            let mut text = line.to_owned();
            while let Some(more) = lines.next_if(|line| goes_on(line)) {
                text = text + " " + more.trim_start();
            }
            paragraph(&text, width, &mut page);
        }
    }
    page
}

/// Sets a paragraph or an item of a list.
fn paragraph(text: &str, width: usize, page: &mut String) {
    let indents = Indents::of(text);
    let line_width = width - indents.others.min(width / 2);
    for (number, line) in wrapped(&plain(text.trim_start()), line_width).iter().enumerate() {
        let indent = if number == 0 { indents.first } else { indents.others };
        *page += &format!("{}{line}\n", " ".repeat(indent));
    }
}

/// True for a line that continues a paragraph or an item of a list.
fn goes_on(line: &str) -> bool {
    let is_item = line.trim_start().starts_with("* ")
        || line.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok());
    !line.is_empty() && !is_item && !line.starts_with(['|', '#']) && !line.starts_with("```")
}

/// The indents of a paragraph.
struct Indents {
    first: usize,
    /// The indent of all lines but the first. In an item of a list, it is as wide as the bullet or number, too.
    others: usize,
}

impl Indents {
    fn of(text: &str) -> Indents {
        let first = text.len() - text.trim_start().len();
        let sign_width = match text.trim_start().split_once(' ') {
            Some(("*", _)) => 2,
            Some((number, _)) if number.trim_end_matches('.').parse::<u8>().is_ok() && number.ends_with('.') => {
                number.len() + 1
            }
            _ => 0,
        };
        Indents { first, others: first + sign_width }
    }
}

/// A text without the marks of Markdown: links are their texts, `code` and *words* stand plain. A character that no
/// page has stands for an escaped asterisk meanwhile.
fn plain(text: &str) -> String {
    let mut shown = String::new();
    for (place, piece) in text.split('`').enumerate() {
        let is_code = place % 2 == 1;
        if is_code {
            shown += piece;
            continue;
        }
        let piece = without_links(piece).replace("**", "").replace("\\*", "\u{0}");
        shown += &piece.replace('*', "").replace('\u{0}', "*");
    }
    // The sign of an item of a list is no mark.
    if text.starts_with("* ") { format!("* {}", shown.trim_start()) } else { shown }
}

/// A text whose links are their texts.
fn without_links(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[')
        && let Some((name, target)) = link.split_once("](")
        && let Some((_, after)) = target.split_once(')')
    {
        shown += before;
        shown += name;
        rest = after;
    }
    shown + rest
}

/// The cells of a row.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim().trim_start_matches('|');
    let row = row.strip_suffix('|').unwrap_or(row).replace("\\|", "\u{1}");
    row.split('|').map(|cell| plain(cell.trim()).replace('\u{1}', "|")).collect()
}

/// Sets a table. The second row is the line below the head.
fn table(rows: &[Vec<String>], width: usize, page: &mut String) {
    let columns = rows[0].len();
    let mut natural = vec![0; columns];
    let mut least = vec![0; columns];
    for row in rows {
        for (column, cell) in row.iter().enumerate().take(columns) {
            natural[column] = natural[column].max(cell.chars().count());
            least[column] = least[column].max(longest_word(cell));
        }
    }
    let widths = fitted(&natural, least, width.saturating_sub(GAP.len() * (columns - 1)));
    for (number, row) in rows.iter().enumerate() {
        if number == 1 {
            let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
            *page += &format!("{}\n", rules.join(GAP));
        } else {
            table_row(row, &widths, page);
        }
    }
}

/// Sets a row of a table. It has as many lines as its highest cell.
fn table_row(row: &[String], widths: &[usize], page: &mut String) {
    let cells: Vec<Vec<String>> = row.iter().zip(widths).map(|(cell, width)| wrapped(cell, *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    for line in 0..height {
        let mut texts = Vec::new();
        for (cell_lines, width) in cells.iter().zip(widths) {
            let text = cell_lines.get(line).map_or("", String::as_str);
            texts.push(format!("{text:<width$}"));
        }
        *page += texts.join(GAP).trim_end();
        page.push('\n');
    }
}

/// The length of the longest word.
fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0)
}

/// The widths of columns that share a width: each has room for its longest word; narrow columns get what they need, the
/// others equal parts of the rest.
fn fitted(natural: &[usize], least: Vec<usize>, width: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..natural.len()).collect();
    order.sort_by_key(|&column| natural[column]);
    let mut rest = width.saturating_sub(least.iter().sum());
    let mut widths = least;
    for (done, &column) in order.iter().enumerate() {
        let growth = (natural[column] - widths[column]).min(rest / (natural.len() - done));
        widths[column] += growth;
        rest -= growth;
    }
    widths
}

/// The lines of a text.
pub(in crate::cli) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guide::TOPICS;

    #[test]
    fn a_page_is_set_for_the_terminal() {
        let page = "# A title\n\nSome *words* of [a link](../x.md) and `a * b`,\nin two lines.\n\n* an item that\n  goes on\n\
                    1. a number\n\n| a | b |\n|---|---|\n| `--one` | two words of a cell |\n\n```sh\n$ long    line\n\n```\n";
        let set = "A TITLE\n\nSome words of a link and\na * b, in two lines.\n\n* an item that goes on\n1. a number\n\n\
                   a      b\n-----  ------------------\n--one  two words of a\n       cell\n\n    $ long    line\n\n";
        assert_eq!(super::set(page, 25), set);
    }

    #[test]
    fn every_page_fits_a_terminal_of_eighty_columns() {
        for page in TOPICS {
            let blocks: Vec<&str> = page.text.split("```").collect();
            let commands: String = blocks.iter().skip(1).step_by(2).copied().collect();
            for line in set(page.text, 80).lines().filter(|line| line.chars().count() > 80) {
                let is_block = commands.contains(line.trim());
                let is_word = line.split_whitespace().any(|word| word.len() > 40);
                assert!(is_block || is_word, "guide {}: {line}", page.name);
            }
            assert!(!set(page.text, 80).contains("](") && page.text.len() > 100, "{}", page.name);
        }
    }
}
