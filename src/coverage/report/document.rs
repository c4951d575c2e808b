//! A page of headings, text, tables and plots, written as Markdown or as one HTML file that needs nothing else.

use std::fmt::Write as _;

/// A piece of a page. In texts, `code` stands between backticks.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading of a section.
    Heading(String),
    /// A heading inside a section.
    Subheading(String),
    /// A paragraph.
    Text(String),
    /// A paragraph that matters more than the others.
    Verdict(String),
    /// A list.
    Items(Vec<String>),
    /// A table.
    Table(Table),
    /// A drawing as SVG, and what it shows.
    Plot(String, String),
}

/// A table: the first column is text, the others are set flush right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<String>,
    /// As many cells a row as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(|name| (*name).to_owned()).collect(), rows: Vec::new() }
    }
}

/// A whole page.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// What is on it.
    pub blocks: Vec<Block>,
}

impl Document {
    /// As Markdown. Plots are told by their captions: they are in the HTML page.
    pub fn markdown(&self) -> String {
        let mut page = format!("# {}\n", self.title);
        for block in &self.blocks {
            page.push('\n');
            match block {
                Block::Heading(text) => push(&mut page, format_args!("## {text}\n")),
                Block::Subheading(text) => push(&mut page, format_args!("### {text}\n")),
                Block::Text(text) => push(&mut page, format_args!("{text}\n")),
                Block::Verdict(text) => push(&mut page, format_args!("> {text}\n")),
                Block::Items(items) => items.iter().for_each(|item| push(&mut page, format_args!("* {item}\n"))),
                Block::Table(table) => markdown_table(&mut page, table),
                Block::Plot(_, caption) => push(&mut page, format_args!("*Plot in the HTML page:* {caption}\n")),
            }
        }
        page
    }

    /// As one HTML file: dark or light as the reader's system is, light in print.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
             <body>\n<main>\n<h1>{title}</h1>\n"
        );
        for block in &self.blocks {
            match block {
                Block::Heading(text) => push(&mut page, format_args!("<h2>{}</h2>\n", inline(text))),
                Block::Subheading(text) => push(&mut page, format_args!("<h3>{}</h3>\n", inline(text))),
                Block::Text(text) => push(&mut page, format_args!("<p>{}</p>\n", inline(text))),
                Block::Verdict(text) => push(&mut page, format_args!("<p class=\"verdict\">{}</p>\n", inline(text))),
                Block::Items(items) => {
                    let items = items.iter().map(|item| format!("<li>{}</li>\n", inline(item)));
                    push(&mut page, format_args!("<ul>\n{}</ul>\n", items.collect::<String>()));
                }
                Block::Table(table) => html_table(&mut page, table),
                Block::Plot(svg, caption) => {
                    push(
                        &mut page,
                        format_args!("<figure>\n{svg}<figcaption>{}</figcaption>\n</figure>\n", inline(caption)),
                    );
                }
            }
        }
        page.push_str("</main>\n</body>\n</html>\n");
        page
    }
}

fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    let written = page.write_fmt(text);
    debug_assert!(written.is_ok(), "writing to a string does not fail");
}

fn markdown_table(page: &mut String, table: &Table) {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    page.push_str(&line(&table.head));
    let rules: Vec<&str> = (0..table.head.len()).map(|column| if column == 0 { "---" } else { "---:" }).collect();
    push(page, format_args!("|{}|\n", rules.join("|")));
    table.rows.iter().for_each(|row| page.push_str(&line(row)));
}

fn html_table(page: &mut String, table: &Table) {
    let cells = |tag: &str, cells: &[String]| {
        cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", inline(cell))).collect::<String>()
    };
    push(
        page,
        format_args!("<div class=\"wide\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n", cells("th", &table.head)),
    );
    table.rows.iter().for_each(|row| push(page, format_args!("<tr>{}</tr>\n", cells("td", row))));
    page.push_str("</tbody>\n</table></div>\n");
}

/// Text with the characters that HTML and SVG need written otherwise.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Text with `code` and its markup.
fn inline(text: &str) -> String {
    let parts = escaped(text);
    let marked = parts.split('`').enumerate();
    marked.map(|(at, part)| if at % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() }).collect()
}

/// Colours of text and series: readable on light and on dark, told apart by colour-blind readers as far as nine can be.
const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6570; --line: #d5dae0; --page: #ffffff; --tint: #f2f5f8;
  --c0: #8a8f98; --c1: #6b5b95; --c2: #b07aa1; --c3: #0072b2; --c4: #56a3d9; --c5: #009e73; --c6: #d55e00; --c7: #c99700;
  --c8: #111111; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --soft: #9aa5b1; --line: #39424d; --page: #14181d;
  --tint: #1d232a; --c0: #9aa0a8; --c1: #a794d6; --c2: #d6a1c7; --c3: #58aee8; --c4: #9cd0f5; --c5: #3ecfa3; --c6: #ff9052;
  --c7: #e8c547; --c8: #ffffff; } }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --page: #fff; --tint: #f4f4f4;
  --c0: #8a8f98; --c1: #6b5b95; --c2: #b07aa1; --c3: #0072b2; --c4: #56a3d9; --c5: #009e73; --c6: #d55e00; --c7: #c99700;
  --c8: #111; } figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; } h2 { margin-top: 2.6rem; border-bottom: 1px solid var(--line); }
code { font-size: .92em; background: var(--tint); padding: 0 .25em; border-radius: 3px; }
.verdict { background: var(--tint); border-left: 4px solid var(--c3); padding: .8rem 1rem; font-size: 1.05rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th { color: var(--soft); font-weight: 600; } th:first-child, td:first-child { text-align: left; white-space: nowrap; }
figure { margin: 1.5rem 0; } figcaption { color: var(--soft); font-size: .9rem; } svg { width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); } svg .soft { fill: var(--soft); }
svg .rule { stroke: var(--line); stroke-width: 1; fill: none; } svg .mark { stroke: var(--ink); stroke-dasharray: 4 3; }
";

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Document {
        let mut table = Table::new(&["method", "share"]);
        table.rows.push(vec!["`a|b`".to_owned(), "1 < 2".to_owned()]);
        let blocks = vec![
            Block::Heading("One".to_owned()),
            Block::Text("Uses `x & y`.".to_owned()),
            Block::Table(table),
            Block::Plot("<svg></svg>\n".to_owned(), "What it shows.".to_owned()),
        ];
        Document { title: "A & B".to_owned(), blocks }
    }

    #[test]
    fn markdown_keeps_bars_out_of_cells() {
        let text = page().markdown();
        assert!(text.starts_with("# A & B\n\n## One\n"));
        assert!(text.contains("| method | share |\n|---|---:|\n| `a\\|b` | 1 < 2 |\n"), "{text}");
    }

    #[test]
    fn html_escapes_text_and_is_self_contained() {
        let text = page().html();
        assert!(text.contains("<h1>A &amp; B</h1>") && text.contains("<code>x &amp; y</code>"));
        assert!(text.contains("<td>1 &lt; 2</td>") && text.contains("<figure>\n<svg></svg>"));
        assert!(!text.contains("http"), "nothing is loaded from anywhere");
    }
}
