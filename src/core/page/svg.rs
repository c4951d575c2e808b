//! Writes SVG and HTML: the items of drawings as markup, and text that cannot become markup.

use std::fmt::Write as _;

use super::shapes::{Anchor, Face, Item, Pen, Point};

/// Markup being written, an element a line.
#[derive(Default)]
pub(super) struct Svg(pub String);

impl Svg {
    pub(super) fn line(&mut self, text: std::fmt::Arguments<'_>) {
        let written = self.0.write_fmt(text);
        debug_assert!(written.is_ok(), "writing to a string does not fail");
        self.0.push('\n');
    }

    pub(super) fn items(&mut self, items: &[Item]) {
        items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Strokes { ends, pen } => {
                let path: String = ends.iter().map(|&ends| stroke(ends)).collect();
                self.line(format_args!("<path d=\"{path}\"{}/>", drawn_by(*pen)));
            }
            Item::Line { points, pen } => {
                let points = points.iter().map(|&(x, y)| format!("{},{}", short(x), short(y)));
                let points = points.collect::<Vec<_>>().join(" ");
                let how = drawn_by(*pen);
                self.line(format_args!("<polyline points=\"{points}\" fill=\"none\" stroke-linejoin=\"round\"{how}/>"));
            }
            Item::Area { at: (x, y), size: (width, height), fill, strength, tooltip } => {
                let [x, y, width, height] = [x, y, width, height].map(|length| short(*length));
                let weak = if *strength < 1.0 { format!(" fill-opacity=\"{strength:.3}\"") } else { String::new() };
                let fill = fill.css();
                let open =
                    format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"{weak}");
                match tooltip.is_empty() {
                    true => self.line(format_args!("{open}/>")),
                    false => self.line(format_args!("{open}><title>{}</title></rect>", escaped(tooltip))),
                }
            }
            Item::Dot { at: (x, y), fill, edge } => {
                let (x, y, (radius, width)) = (short(*x), short(*y), Item::DOT);
                let (fill, edge) = (fill.css(), edge.css());
                self.line(format_args!(
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"{width}\"/>"
                ));
            }
            Item::Text { at: (x, y), anchor, face, text } => {
                let anchor = match anchor {
                    Anchor::Start => "",
                    Anchor::Middle => " text-anchor=\"middle\"",
                    Anchor::End => " text-anchor=\"end\"",
                };
                let class = match face {
                    Face::Plain => "",
                    Face::Soft => " class=\"soft\"",
                    Face::Small => " class=\"small\"",
                    Face::Over => " class=\"small over\"",
                    Face::Halo => " class=\"small halo\"",
                    Face::Symbol => " class=\"symbol\"",
                };
                let (x, y, text) = (short(*x), short(*y), escaped(text));
                self.line(format_args!("<text x=\"{x}\" y=\"{y}\"{anchor}{class}>{text}</text>"));
            }
        }
    }
}

/// A length with one decimal, if it has any.
fn short(length: f64) -> String {
    // Without the sign of zero.
    ((length * 10.0).round() / 10.0 + 0.0).to_string()
}

fn stroke([(x, y), (to_x, to_y)]: [Point; 2]) -> String {
    let [x, y, to_x, to_y] = [x, y, to_x, to_y].map(short);
    match (x == to_x, y == to_y) {
        (_, true) => format!("M{x} {y}H{to_x}"),
        (true, _) => format!("M{x} {y}V{to_y}"),
        _ => format!("M{x} {y}L{to_x} {to_y}"),
    }
}

/// The attributes of a line.
fn drawn_by(pen: Pen) -> String {
    match pen {
        Pen::Rule => " class=\"rule\"".to_owned(),
        Pen::Base => " class=\"base\"".to_owned(),
        Pen::Mark => " class=\"mark\"".to_owned(),
        Pen::Box => " class=\"box\"".to_owned(),
        Pen::Data(..) => format!(" stroke=\"{}\" stroke-width=\"{}\"", pen.paint().css(), pen.width()),
    }
}

/// Text with escapes for the characters that have a meaning in HTML and SVG. U+FFFD replaces control characters, all
/// others that XML does not allow, and those that change the direction of the text around them.
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
