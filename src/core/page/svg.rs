//! Writing SVG and HTML: lines of markup, and text that cannot become markup.

use std::fmt::Write as _;

/// Markup being written, an element a line.
#[derive(Default)]
pub(super) struct Svg(pub String);

impl Svg {
    pub fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let written = self.0.write_fmt(text);
        debug_assert!(written.is_ok(), "writing to a string does not fail");
        self.0.push('\n');
    }
}

/// Text with escapes for the characters that have a meaning in HTML and SVG. U+FFFD replaces the characters that XML
/// does not allow, and those that change the direction of the text.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(c),
            // Control characters, and characters that change the direction of the text around them.
            _ if c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {
                safe.push('\u{fffd}');
            }
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let hostile = "</style><script>alert('x')</script>\u{0}\u{202e}\" onload=\"";
        let safe = escaped(hostile);
        assert!(!safe.contains(['<', '>', '"', '\'', '\u{0}', '\u{202e}']), "{safe}");
        assert!(safe.contains("&lt;script&gt;alert(&#39;x&#39;)"));
    }
}
