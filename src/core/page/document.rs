//! A page of headings, text, tables and plots, written as Markdown or as one HTML file that needs nothing else.

use super::board_picture::BoardPicture;
use super::colour::style;
use super::figure::Figure;
use super::svg::escaped;
use super::table::Table;
use super::text::{inline, markdown_text};

/// A piece of a page. In texts, `code` stands between backticks.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Block {
    /// A heading of a section.
    Heading(String),
    /// A heading inside a section.
    Subheading(String),
    Text(String),
    /// A paragraph that matters more than the others.
    Verdict(String),
    Items(Vec<String>),
    /// The most important numbers: each number, and then what it counts.
    Facts(Vec<(String, String)>),
    Table(Table),
    Figure(Box<Figure>),
    Boards(Vec<BoardPicture>),
    /// A title, and a file that is shown as it is. In HTML it is closed until the reader opens it.
    Listing(String, String),
}

/// A whole page.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Document {
    pub title: String,
    pub blocks: Vec<Block>,
}

impl Document {
    /// The plots on the page.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks.iter().filter_map(|block| if let Block::Figure(figure) = block { Some(&**figure) } else { None })
    }

    /// As Markdown. Plots appear as their data or captions; only the HTML page has the drawings.
    pub fn markdown(&self) -> String {
        self.markdown_at(1)
    }

    /// As Markdown whose title is a heading of a level, 1 or more: a part of a longer page.
    pub fn markdown_at(&self, level: usize) -> String {
        let marks = |deeper: usize| "#".repeat(level + deeper);
        let mut page = format!("{} {}\n", marks(0), markdown_text(&self.title));
        for block in &self.blocks {
            page.push('\n');
            page.push_str(&match block {
                Block::Heading(text) => format!("{} {}\n", marks(1), markdown_text(text)),
                Block::Subheading(text) => format!("{} {}\n", marks(2), markdown_text(text)),
                Block::Text(text) => format!("{}\n", markdown_text(text)),
                Block::Verdict(text) => format!("> {}\n", markdown_text(text)),
                Block::Items(items) => items.iter().map(|item| format!("* {}\n", markdown_text(item))).collect(),
                Block::Facts(facts) => facts
                    .iter()
                    .map(|(number, what)| format!("* {}: {}\n", markdown_text(what), markdown_text(number)))
                    .collect(),
                Block::Table(table) => table.markdown(),
                Block::Figure(figure) => figure.markdown(),
                Block::Boards(boards) => boards.iter().map(BoardPicture::markdown).collect(),
                Block::Listing(title, text) => {
                    let lines = text.lines().map(|line| line.replace(char::is_control, " "));
                    let indented: String = lines.map(|line| format!("    {line}\n")).collect();
                    format!("{}:\n\n{indented}", markdown_text(title))
                }
            });
        }
        page
    }

    /// As one HTML file: dark or light as the reader's system is, light in print.
    pub fn html(&self) -> String {
        let (title, style) = (escaped(&self.title), style());
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>\n{style}</style>\n</head>\n\
             <body>\n<main>\n<h1>{title}</h1>\n"
        );
        let mut contents = Some(self.contents());
        for block in &self.blocks {
            // The links stand before the first section.
            if matches!(block, Block::Heading(_)) {
                page.push_str(&contents.take().unwrap_or_default());
            }
            page.push_str(&html_block(block));
        }
        page.push_str("</main>\n</body>\n</html>\n");
        page
    }

    /// Links to the sections; empty if there are fewer than four.
    fn contents(&self) -> String {
        let headings =
            self.blocks.iter().filter_map(|block| if let Block::Heading(text) = block { Some(text) } else { None });
        let links: Vec<String> =
            headings.map(|text| format!("<li><a href=\"#{}\">{}</a></li>\n", slug(text), inline(text))).collect();
        if links.len() < 4 {
            return String::new();
        }
        format!("<nav aria-label=\"Sections\"><ul>\n{}</ul></nav>\n", links.concat())
    }
}

fn html_block(block: &Block) -> String {
    match block {
        Block::Heading(text) => format!("<h2 id=\"{}\">{}</h2>\n", slug(text), inline(text)),
        Block::Subheading(text) => format!("<h3>{}</h3>\n", inline(text)),
        Block::Text(text) => format!("<p>{}</p>\n", inline(text)),
        Block::Verdict(text) => format!("<p class=\"verdict\">{}</p>\n", inline(text)),
        Block::Items(items) => {
            let items = items.iter().map(|item| format!("<li>{}</li>\n", inline(item)));
            format!("<ul>\n{}</ul>\n", items.collect::<String>())
        }
        Block::Facts(facts) => {
            let facts = facts
                .iter()
                .map(|(number, what)| format!("<div><dt>{}</dt><dd>{}</dd></div>\n", inline(what), inline(number)));
            format!("<dl class=\"facts\">\n{}</dl>\n", facts.collect::<String>())
        }
        Block::Table(table) => table.html(),
        Block::Figure(figure) => figure.html(),
        Block::Boards(boards) => {
            format!("<div class=\"boards\">\n{}</div>\n", boards.iter().map(BoardPicture::html).collect::<String>())
        }
        Block::Listing(title, text) => {
            let (title, text) = (inline(title), escaped(text));
            format!("<details><summary>{title}</summary>\n<pre>{text}</pre>\n</details>\n")
        }
    }
}

/// A heading as an anchor: `section-` and its letters and digits.
fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = std::iter::once("section".to_owned()).chain(words.map(str::to_ascii_lowercase)).collect();
    words.join("-")
}

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
            Block::Facts(vec![("12".to_owned(), "rows".to_owned())]),
            Block::Listing("Recipe".to_owned(), "seed = 1\n</pre><script>".to_owned()),
        ];
        Document { title: "A & B".to_owned(), blocks }
    }

    #[test]
    fn markdown_keeps_bars_out_of_cells() {
        let text = page().markdown();
        assert!(text.starts_with("# A & B\n\n## One\n"));
        assert!(text.contains("| method | share |\n|---|---:|\n| `a\\|b` | 1 < 2 |\n"), "{text}");
        assert!(text.contains("\n* rows: 12\n") && text.contains("\nRecipe:\n\n    seed = 1\n"), "{text}");
        assert!(page().markdown_at(2).starts_with("## A & B\n\n### One\n"));
    }

    #[test]
    fn html_escapes_text_and_is_self_contained() {
        let text = page().html();
        assert!(text.contains("<h1>A &amp; B</h1>") && text.contains("<code>x &amp; y</code>"));
        assert!(text.contains("<td class=\"short\">1 &lt; 2</td>") && text.contains("<dd>12</dd>"));
        assert!(!text.contains("http") && !text.contains("<script>"), "nothing is loaded from anywhere");
    }

    #[test]
    fn long_pages_begin_with_links_to_their_sections() {
        let headings = ["One", "Two & three", "Four", "Five"].map(|text| Block::Heading(text.to_owned()));
        let text = Document { title: "T".to_owned(), blocks: headings.to_vec() }.html();
        assert!(text.contains("<a href=\"#section-two-three\">Two &amp; three</a>"), "{text}");
        assert!(text.contains("<h2 id=\"section-two-three\">"));
        assert!(!page().html().contains("<nav"));
    }
}
