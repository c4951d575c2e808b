//! A plot on a page: what it shows in one sentence, the drawing, how to read it, and its data.
//!
//! ```text
//!   headline                       Half of the puzzles need no guess
//!   plot                           ...
//!   caption                        Guesses are ...
//!   > Data as a table, CSV         closed until the reader opens it; not on paper
//! ```

use super::plot::{Plot, drawing};
use super::svg::escaped;
use super::table::Table;
use super::text::{inline, markdown_text};
use crate::page::numbers::counted;

/// A plot with its data.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Figure {
    /// What it shows, in one sentence.
    pub headline: String,
    pub plot: Plot,
    /// How to read it.
    pub caption: String,
    pub data: Table,
    /// True if the Markdown page, which has no drawings, contains the numbers, in a table of at most 150 rows.
    pub listed: bool,
}

/// A table with more rows than this is not written on a page; the HTML page has it as CSV.
const LONGEST: usize = 150;

impl Figure {
    /// The drawing as an SVG file.
    pub fn svg_file(&self) -> String {
        drawing::file(&self.plot, &self.caption)
    }

    /// The figure in Markdown: its data if they are listed and short, else only the caption.
    pub(super) fn markdown(&self) -> String {
        let (headline, caption) = (markdown_text(&self.headline), markdown_text(&self.caption));
        match self.listed && self.data.rows.len() <= LONGEST {
            true => format!("**{headline}** {caption}\n\n{}", self.data.markdown()),
            false => format!("*Plot in the HTML page:* {caption}\n"),
        }
    }

    /// The figure in HTML: two plots, for wide and narrow pages, the caption, and the data.
    pub(super) fn html(&self) -> String {
        let [svg, narrow] = drawing::elements(&self.plot, &self.caption);
        let id = escaped(&self.plot.id);
        let link = format!("<a download=\"{id}.csv\" href=\"{}\">{id}.csv</a>", data_link(&self.data.csv()));
        let data = match self.data.rows.len() <= LONGEST {
            true => {
                format!("<details><summary>Data</summary>\n<p>{link}</p>\n{}</details>\n", self.data.html())
            }
            false => format!("<p class=\"save\">Data: {link}, {}</p>\n", counted(self.data.rows.len(), "row")),
        };
        format!(
            "<figure id=\"{id}\">\n<p class=\"headline\">{}</p>\n<div class=\"plot\" tabindex=\"0\" role=\"group\" \
             aria-label=\"{}\">\n{svg}</div>\n<div class=\"plot narrow\" role=\"group\" aria-label=\"{}\">\n{narrow}</div>\n<figcaption>{}</figcaption>\n{data}</figure>\n",
            inline(&self.headline),
            escaped(&self.plot.title),
            escaped(&self.plot.title),
            inline(&self.caption)
        )
    }
}

/// A text as a data URL, so that the page needs no other file for it.
fn data_link(text: &str) -> String {
    let mut link = "data:text/csv;charset=utf-8,".to_owned();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b',' | b'.' | b'-' | b'_' => link.push(char::from(byte)),
            _ => link.push_str(&format!("%{byte:02X}")),
        }
    }
    link
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Axis, Colour, Layer, Marks, kinds};

    #[test]
    fn a_figure_carries_its_data_and_no_markup_of_others() {
        let mut data = Table::new(&["<b>", "n"]);
        data.rows.push(vec!["x\"y".to_owned(), "1".to_owned()]);
        let plot = Plot {
            id: "p".to_owned(),
            title: "A \"plot\"".to_owned(),
            x: Axis::integers("x", 0.0, 1.0),
            y: Axis::linear("y", 0.0, 1.0),
            layers: vec![Layer::new("", Colour::Series(3), Marks::Areas(vec![kinds::bar(0, 1.0, "one".to_owned())]))],
            marks: Vec::new(),
        };
        let headline = "<script>".to_owned();
        let figure = Figure { headline, plot, caption: "How.".to_owned(), data, listed: true };
        let html = figure.html();
        assert!(html.contains("href=\"data:text/csv;charset=utf-8,%3Cb%3E,n%0D%0A%22x%22%22y%22,1%0D%0A\""), "{html}");
        assert!(!html.contains("<script>") && html.contains("<th scope=\"col\">&lt;b&gt;</th>"), "{html}");
        assert!(figure.markdown().starts_with("**&lt;script>** How.\n\n| &lt;b> | n |"), "{}", figure.markdown());
        let hidden = Figure { listed: false, ..figure };
        assert_eq!(hidden.markdown(), "*Plot in the HTML page:* How.\n");
    }
}
