//! Writes tables of text as HTML, Markdown and CSV.

use super::text::{inline, markdown_text};

/// A table. Columns of words begin at the left; columns of numbers are set flush right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<String>,
    /// The rows, each with as many cells as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(|name| (*name).to_owned()).collect(), rows: Vec::new() }
    }

    /// The table as CSV (RFC 4180). The first line has the names of the columns.
    pub fn csv(&self) -> String {
        let mut writer =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(Vec::new());
        for row in std::iter::once(&self.head).chain(&self.rows) {
            // Writing to memory does not fail.
            drop(writer.write_record(row));
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// The table in Markdown. Columns of numbers are aligned to the right.
    pub(super) fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| markdown_text(cell).replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut rules = Vec::new();
        for column in 0..self.head.len() {
            rules.push(if column == 0 || self.is_of_words(column) { "---" } else { "---:" });
        }
        let head = format!("{}|{}|\n", line(&self.head), rules.join("|"));
        head + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }

    /// True if most cells of a column, other than the first, are words or sentences rather than numbers.
    fn is_of_words(&self, column: usize) -> bool {
        let (mut count, mut of_words) = (0, 0);
        for cell in self.rows.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty()) {
            count += 1;
            of_words += usize::from(cell.starts_with(|c: char| c.is_alphabetic() || c == '`') || is_sentence(cell));
        }
        column > 0 && 2 * of_words > count
    }

    pub(super) fn html(&self) -> String {
        let words: Vec<bool> = (0..self.head.len()).map(|column| self.is_of_words(column)).collect();
        let cells = |row: &[String], cell: fn(&str, bool) -> String| -> String {
            row.iter().zip(&words).map(|(text, &words)| cell(text, words)).collect()
        };
        let head = cells(&self.head, |name, words| {
            let class = if words { " class=\"words\"" } else { "" };
            format!("<th scope=\"col\"{class}>{}</th>", inline(name))
        });
        let rows: String = self.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row, html_cell))).collect();
        format!(
            "<div class=\"wide\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
        )
    }
}

/// True for prose, which begins at the left wherever it stands.
fn is_sentence(cell: &str) -> bool {
    cell.matches(char::is_whitespace).count() > 4
}

/// A cell; short ones stay on one line.
fn html_cell(cell: &str, words: bool) -> String {
    let short = cell.chars().count() <= 20 && cell.contains([' ', '-', ':']);
    let words = words || is_sentence(cell);
    let class = match (short, words) {
        (false, false) => "",
        (true, false) => " class=\"short\"",
        (false, true) => " class=\"words\"",
        (true, true) => " class=\"words short\"",
    };
    format!("<td{class}>{}</td>", inline(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_at_the_left_and_numbers_end_at_the_right() {
        let mut table = Table::new(&["method", "known by", "share"]);
        table.rows.push(["`a`", "counted", "33.33 %"].map(str::to_owned).to_vec());
        table.rows.push(["`b`", "by hand", "not known, as there is no count of it"].map(str::to_owned).to_vec());
        assert!(table.markdown().contains("|---|---|---:|\n"), "{}", table.markdown());
        let html = table.html();
        assert!(html.contains("<td class=\"words\">not known, as"), "{html}");
        assert!(html.contains("<th scope=\"col\" class=\"words\">known by</th><th scope=\"col\">share</th>"), "{html}");
        assert!(html.contains("<td><code>a</code></td><td class=\"words\">counted</td>"), "{html}");
    }

    #[test]
    fn csv_is_read_back_whatever_stands_in_it() {
        let mut table = Table::new(&["a", "b,c"]);
        table.rows.push(vec!["one \"two\"".to_owned(), "line\nbreak".to_owned()]);
        table.rows.push(vec![String::new(), "<x>".to_owned()]);
        let text = table.csv();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap(), vec!["a", "b,c"]);
        let rows: Vec<Vec<String>> =
            reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows, table.rows);
    }
}
