//! Writes the texts of a page as HTML and as Markdown.

use super::svg::escaped;

/// Text as HTML. Text between backticks becomes a `code` element, and a percent sign stays on the line of its number.
pub(super) fn inline(text: &str) -> String {
    let parts = escaped(text).replace(" %", "\u{a0}%");
    let marked = parts.split('`').enumerate();
    marked
        .map(|(number, part)| if number % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() })
        .collect()
}

/// Text for pages in Markdown: on one line, and no HTML tag can begin in it.
pub(super) fn markdown_text(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut parts = text.split('<');
    let mut safe = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let tag = part.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        safe.push_str(if tag { "&lt;" } else { "<" });
        safe.push_str(part);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_do_not_begin_in_markdown() {
        assert_eq!(markdown_text("a <b> </b> <!-- 1 < 2 <3\nnext"), "a &lt;b> &lt;/b> &lt;!-- 1 < 2 <3 next");
    }
}
