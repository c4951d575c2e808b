//! The colours of a page and of its plots: one table, for light and for dark pages.
//!
//! Plots refer to colours by name (`var(--c3)`), so that one drawing works on light pages, dark pages and paper. A file
//! with a single plot contains the light colours. `c0`-`c8` are for series. Colour-blind readers can distinguish them
//! as well as nine colours allow. `l0`-`l5` are levels of difficulty: each is darker than the one before (lighter on a
//! dark page), but the last one is grey.

/// Name, colour on light pages, colour on dark pages.
pub(super) const COLOURS: [(&str, &str, &str); 20] = [
    ("ink", "#1b1f24", "#e4e8ec"),
    ("soft", "#59636e", "#9aa5b1"),
    ("line", "#dde2e7", "#333c46"),
    ("page", "#ffffff", "#14181d"),
    ("tint", "#f2f5f8", "#1d232a"),
    ("c0", "#8a8f98", "#9aa0a8"),
    ("c1", "#6b5b95", "#a794d6"),
    ("c2", "#b07aa1", "#d6a1c7"),
    ("c3", "#0072b2", "#58aee8"),
    ("c4", "#56a3d9", "#9cd0f5"),
    ("c5", "#009e73", "#3ecfa3"),
    ("c6", "#d55e00", "#ff9052"),
    ("c7", "#c99700", "#e8c547"),
    ("c8", "#111111", "#ffffff"),
    ("l0", "#86bfdf", "#35617c"),
    ("l1", "#4a97c9", "#3f86b8"),
    ("l2", "#2667a8", "#5f9cd6"),
    ("l3", "#5b3f95", "#b9a8f2"),
    ("l4", "#3a0f5c", "#e3cdfb"),
    ("l5", "#9aa0a6", "#7b838c"),
];

/// The style of everything inside of a drawing.
const PLOT_STYLE: &str = include_str!("plot.css");

/// A colour by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// One of the nine colours for series, from 0. From number 9 on they repeat.
    Series(usize),
    /// A level of difficulty: 0 is the easiest; 5 means that the level is not known.
    Level(usize),
}

/// What has a colour. Pages are light or dark, files are light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Of text.
    Ink,
    /// Of minor text.
    Soft,
    /// Of thin lines.
    Rule,
    /// Of the page.
    Page,
    /// Of data.
    Data(Colour),
}

impl Paint {
    /// The name of its colour in the table.
    fn name(self) -> String {
        match self {
            Paint::Ink => "ink".to_owned(),
            Paint::Soft => "soft".to_owned(),
            Paint::Rule => "line".to_owned(),
            Paint::Page => "page".to_owned(),
            Paint::Data(Colour::Series(number)) => format!("c{}", number % 9),
            Paint::Data(Colour::Level(number)) => format!("l{}", number.min(5)),
        }
    }

    pub(super) fn css(self) -> String {
        format!("var(--{})", self.name())
    }

    /// Red, green and blue on light pages, each from 0 to 1.
    pub fn light(self) -> [f64; 3] {
        let name = self.name();
        let light = COLOURS.iter().find(|colour| colour.0 == name).map_or("#000000", |colour| colour.1);
        let part = |at: usize| u8::from_str_radix(&light[at..at + 2], 16).unwrap_or(0);
        [1, 3, 5].map(|at| f64::from(part(at)) / 255.0)
    }
}

/// The style sheet of a page: light, or dark where the reader's system is, and light again on paper.
pub(super) fn style() -> String {
    let list = |pick: fn(&(&str, &str, &str)) -> String| COLOURS.iter().map(pick).collect::<String>();
    let light = list(|(name, light, _)| format!(" --{name}: {light};"));
    let dark = list(|(name, _, dark)| format!(" --{name}: {dark};"));
    format!(
        ":root {{ color-scheme: light dark;{light} }}\n\
         @media (prefers-color-scheme: dark) {{ :root {{{dark} }} }}\n\
         @media print {{ :root {{ color-scheme: light;{light} --ink: #000000; --soft: #444444; --line: #cccccc; }} }}\n{}{PLOT_STYLE}",
        include_str!("style.css")
    )
}

/// A drawing, or a style, with the light colours in place of their names.
pub(super) fn in_light(text: &str) -> String {
    COLOURS.iter().fold(text.to_owned(), |text, (name, light, _)| text.replace(&format!("var(--{name})"), light))
}

/// The style sheet of a drawing that stands alone.
pub(super) fn style_alone() -> String {
    in_light(PLOT_STYLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_has_a_place_in_the_style_sheet_and_in_files() {
        let style = style();
        for (name, light, dark) in COLOURS {
            assert!(style.contains(&format!("--{name}: {light};")) && style.contains(&format!("--{name}: {dark};")));
        }
        for number in 0..12 {
            for colour in [Colour::Series(number), Colour::Level(number)] {
                assert!(in_light(&Paint::Data(colour).css()).starts_with('#'), "{colour:?}");
            }
        }
    }

    #[test]
    fn paints_are_those_of_the_table() {
        assert_eq!(Paint::Page.light(), [1.0, 1.0, 1.0]);
        assert_eq!(Paint::Data(Colour::Series(12)).light(), [0.0, f64::from(0x72) / 255.0, f64::from(0xb2) / 255.0]);
    }

    /// Relative luminance of `#rrggbb`, as WCAG 2 defines it.
    fn luminance(colour: &str) -> f64 {
        let part = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.039_28 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn text_stands_out_and_levels_go_one_way() {
        let of = |name: &str| COLOURS.iter().find(|colour| colour.0 == name).unwrap();
        let contrast = |a: &str, b: &str| {
            let (a, b) = (luminance(a), luminance(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for page in ["page", "tint"] {
            for text in ["ink", "soft"] {
                let ratios = [contrast(of(text).1, of(page).1), contrast(of(text).2, of(page).2)];
                assert!(ratios.iter().all(|&ratio| ratio >= 4.5), "{text} on {page}: {ratios:?}");
            }
        }
        for level in 1..5 {
            let (easier, harder) = (of(&format!("l{}", level - 1)), of(&format!("l{level}")));
            assert!(luminance(harder.1) < luminance(easier.1), "{level}");
            assert!(luminance(harder.2) > luminance(easier.2), "{level}");
        }
    }
}
