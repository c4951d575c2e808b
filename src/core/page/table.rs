//! Tables of text, as HTML, Markdown and CSV.

use super::text::{inline, markdown_text};

/// A table: the first column is text, the others are set flush right.
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
            let _ = writer.write_record(row);
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }

    pub(super) fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| markdown_text(cell).replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rules: Vec<&str> = (0..self.head.len()).map(|column| if column == 0 { "---" } else { "---:" }).collect();
        let head = format!("{}|{}|\n", line(&self.head), rules.join("|"));
        head + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }

    pub(super) fn html(&self) -> String {
        let head: String = self.head.iter().map(|name| format!("<th scope=\"col\">{}</th>", inline(name))).collect();
        let row =
            |row: &Vec<String>| format!("<tr>{}</tr>\n", row.iter().map(|cell| html_cell(cell)).collect::<String>());
        let rows: String = self.rows.iter().map(row).collect();
        format!(
            "<div class=\"wide\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
        )
    }
}

/// A cell; short ones stay on one line.
fn html_cell(cell: &str) -> String {
    let short = if cell.chars().count() <= 20 && cell.contains([' ', '-', ':']) { " class=\"short\"" } else { "" };
    format!("<td{short}>{}</td>", inline(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

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
