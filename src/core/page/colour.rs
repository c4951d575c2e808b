//! Defines the colours of a page and of its plots: one table, for light and for dark pages.
//!
//! Plots refer to colours by name (`var(--c3)`), so that one drawing works on light pages, dark pages and paper. A file
//! with a single plot contains the light colours. `c0`-`c8` are for series, `l0`-`l5` are levels of difficulty: each is
//! darker than the one before (lighter on a dark page), but the last one is grey. Any two of one kind differ for
//! readers with each of the three kinds of colour blindness too (`colours_differ_for_every_eye` below).

struct NamedColour {
    name: &'static str,
    /// On light pages, as `#rrggbb`.
    light: &'static str,
    /// On dark pages.
    dark: &'static str,
}

const fn colour(name: &'static str, light: &'static str, dark: &'static str) -> NamedColour {
    NamedColour { name, light, dark }
}

static COLOURS: [NamedColour; 20] = [
    colour("ink", "#1b1f24", "#e4e8ec"),
    colour("soft", "#59636e", "#9aa5b1"),
    colour("line", "#dde2e7", "#333c46"),
    colour("page", "#ffffff", "#14181d"),
    colour("tint", "#f2f5f8", "#1d232a"),
    colour("c0", "#736f78", "#787773"),
    colour("c1", "#500e58", "#8c86ff"),
    colour("c2", "#cbbbce", "#d896b7"),
    colour("c3", "#0072b2", "#58aee8"),
    colour("c4", "#81c7ff", "#b2ddff"),
    colour("c5", "#00a958", "#5fedb0"),
    colour("c6", "#c34500", "#f5793a"),
    colour("c7", "#dfb006", "#f9e067"),
    colour("c8", "#111111", "#ffffff"),
    colour("l0", "#89d8ff", "#415364"),
    colour("l1", "#6188e0", "#487ab1"),
    colour("l2", "#2b4fb0", "#88b0ae"),
    colour("l3", "#723f51", "#b6a1ff"),
    colour("l4", "#280442", "#f1e0ff"),
    colour("l5", "#949696", "#797774"),
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
        parts(COLOURS.iter().find(|colour| colour.name == name).map_or("#000000", |colour| colour.light))
    }
}

/// Red, green and blue of `#rrggbb`, each from 0 to 1.
fn parts(colour: &str) -> [f64; 3] {
    [1, 3, 5].map(|start| f64::from(u8::from_str_radix(&colour[start..start + 2], 16).unwrap_or(0)) / 255.0)
}

/// The style sheet of a page: light, or dark where the reader's system is, and light again on paper.
pub(super) fn style() -> String {
    let light: String = COLOURS.iter().map(|NamedColour { name, light, .. }| format!(" --{name}: {light};")).collect();
    let dark: String = COLOURS.iter().map(|NamedColour { name, dark, .. }| format!(" --{name}: {dark};")).collect();
    format!(
        ":root {{ color-scheme: light dark;{light} }}\n\
         @media (prefers-color-scheme: dark) {{ :root {{{dark} }} }}\n\
         @media print {{ :root {{ color-scheme: light;{light} --ink: #000000; --soft: #444444; --line: #cccccc; }} }}\n{}{PLOT_STYLE}",
        include_str!("style.css")
    )
}

/// A drawing, or a style, with the light colours in place of their names.
pub(super) fn in_light(text: &str) -> String {
    let mut text = text.to_owned();
    for NamedColour { name, light, .. } in &COLOURS {
        text = text.replace(&format!("var(--{name})"), light);
    }
    text
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
        for NamedColour { name, light, dark } in &COLOURS {
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

    /// The amounts of red, green and blue light of `#rrggbb`.
    fn linear(colour: &str) -> [f64; 3] {
        parts(colour).map(|part| if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) })
    }

    /// Relative luminance, as WCAG 2 defines it.
    fn luminance(colour: &str) -> f64 {
        let [red, green, blue] = linear(colour);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// How `#rrggbb` looks, as L*a*b*: to most people, and without the cones for long, middle or short waves (Machado,
    /// Oliveira and Fernandes 2009, with full severity).
    fn seen(colour: &str) -> [[f64; 3]; 4] {
        const EYES: [[[f64; 3]; 3]; 4] = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ];
        const XYZ: [[f64; 3]; 3] = [
            [0.412_456 / 0.950_47, 0.357_576 / 0.950_47, 0.180_438 / 0.950_47],
            [0.212_673, 0.715_152, 0.072_175],
            [0.019_334 / 1.088_83, 0.119_192 / 1.088_83, 0.950_304 / 1.088_83],
        ];
        let times = |by: [[f64; 3]; 3], of: [f64; 3]| by.map(|row| (0..3).map(|at| row[at] * of[at]).sum::<f64>());
        EYES.map(|eye| {
            let [x, y, z] = times(XYZ, times(eye, linear(colour)).map(|part| part.clamp(0.0, 1.0)))
                .map(|part| if part > 0.008_856 { part.cbrt() } else { 7.787 * part + 16.0 / 116.0 });
            [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
        })
    }

    #[test]
    fn colours_differ_for_every_eye() {
        let of = |kind: char, dark: bool| {
            let those = COLOURS.iter().filter(move |colour| colour.name.starts_with(kind) && colour.name.len() == 2);
            those.map(|colour| if dark { colour.dark } else { colour.light }).collect::<Vec<_>>()
        };
        for (kind, least) in [('l', 18.0), ('c', 18.0)] {
            for colours in [of(kind, false), of(kind, true)] {
                for (at, one) in colours.iter().enumerate() {
                    for other in &colours[..at] {
                        let both = seen(one).into_iter().zip(seen(other));
                        let nearest = both.map(|(a, b)| (0..3).map(|at| (a[at] - b[at]).powi(2)).sum::<f64>().sqrt());
                        let nearest = nearest.fold(f64::INFINITY, f64::min);
                        assert!(nearest > least, "{one} {other}: {nearest}");
                    }
                }
            }
        }
    }

    #[test]
    fn text_stands_out_and_levels_go_one_way() {
        let of = |name: &str| COLOURS.iter().find(|colour| colour.name == name).unwrap();
        let contrast = |a: &str, b: &str| {
            let (a, b) = (luminance(a), luminance(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for page in ["page", "tint"] {
            for text in ["ink", "soft"] {
                let ratios = [contrast(of(text).light, of(page).light), contrast(of(text).dark, of(page).dark)];
                assert!(ratios.iter().all(|&ratio| ratio >= 4.5), "{text} on {page}: {ratios:?}");
            }
        }
        for level in 1..5 {
            let (easier, harder) = (of(&format!("l{}", level - 1)), of(&format!("l{level}")));
            assert!(luminance(harder.light) < luminance(easier.light), "{level}");
            assert!(luminance(harder.dark) > luminance(easier.dark), "{level}");
        }
    }
}
