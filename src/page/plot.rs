//! Plots as SVG, by hand: two axes, and layers of lines, dots with error bars, areas, strokes and words between them.
//!
//! ```text
//!   % of puzzles                   Line     joined points            Areas    bars, stacks, cells of a heat map,
//!   |   ##                         Dots     with errors of x                  boxes between quartiles
//!   | ######   o--|                Rings    open circles             Strokes  whiskers, medians
//!   +---------- givens             Words    numbers in cells and beside bars
//! ```
//!
//! Everything else is made of these in [`super::kinds`]. Plotting libraries draw all this too (plotters 0.3 was looked
//! at), with more code than is here and in fixed colours; a page that is to be read on light, on dark and on paper
//! needs colours by name, and titles and descriptions for those who cannot see it.

use super::axis::{Axis, Scale};
use super::colour::{Colour, in_light, style_alone};
use super::frame::Frame;
use super::svg::{Svg, escaped};
use super::table::Table;

/// What is drawn in one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Name in the legend; empty for none.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
    /// What is drawn.
    pub marks: Marks,
}

/// Things to draw, in the coordinates of the axes.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Points joined by a line.
    Line(Vec<(f64, f64)>),
    /// Filled circles at x, y, with the error of x.
    Dots(Vec<(f64, f64, f64)>),
    /// Open circles, as above.
    Rings(Vec<(f64, f64, f64)>),
    /// Rectangles.
    Areas(Vec<Area>),
    /// Straight strokes from one point to another.
    Strokes(Vec<[(f64, f64); 2]>),
    /// Texts.
    Words(Vec<Word>),
}

/// A rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// From and to.
    pub x: (f64, f64),
    /// From and to.
    pub y: (f64, f64),
    /// How much of the colour it has, 0..=1.
    pub strength: f64,
    /// What it says to those who point at it.
    pub told: String,
}

/// A text in a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// Where.
    pub at: (f64, f64),
    /// What.
    pub text: String,
    /// On which side of the place it stands.
    pub side: Side,
}

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In the middle of its place, on a weak area.
    Middle,
    /// In the middle of its place, on a strong area.
    Over,
    /// To the right of its place.
    Right,
    /// Above its place.
    Above,
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// A short name without blanks, one of its kind on the page: the name of its files.
    pub id: String,
    /// What it is, for those who cannot see it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub layers: Vec<Layer>,
    /// Values of x that are marked, and why.
    pub marks: Vec<(f64, String)>,
}

impl Layer {
    /// A layer of some marks.
    pub fn new(name: &str, colour: Colour, marks: Marks) -> Layer {
        Layer { name: name.to_owned(), colour, marks }
    }

    /// Points of the layer, for tables: x, y and the error of x.
    fn points(&self) -> Vec<(f64, f64, f64)> {
        match &self.marks {
            Marks::Line(points) => points.iter().map(|&(x, y)| (x, y, 0.0)).collect(),
            Marks::Dots(points) | Marks::Rings(points) => points.clone(),
            Marks::Areas(_) | Marks::Strokes(_) | Marks::Words(_) => Vec::new(),
        }
    }
}

impl Plot {
    /// The layers that stand in the legend.
    pub(super) fn named(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| !layer.name.is_empty())
    }

    /// True when something of this kind is drawn.
    pub(super) fn has(&self, kind: fn(&Marks) -> bool) -> bool {
        self.layers.iter().any(|layer| kind(&layer.marks))
    }

    /// The lines and dots as numbers, one a row.
    pub fn table(&self) -> Table {
        let vertical = if self.y.label.is_empty() { "name" } else { &self.y.label };
        let mut table = Table::new(&["series", &self.x.label, vertical, "standard error"]);
        for layer in &self.layers {
            table.rows.extend(layer.points().into_iter().map(|(x, y, error)| {
                let error = if error > 0.0 { error.to_string() } else { String::new() };
                vec![layer.name.clone(), self.x.told(x), self.y.told(y), error]
            }));
        }
        table
    }

    /// The drawing as an SVG element of a page. `about` says what can be seen on it.
    pub fn svg(&self, about: &str) -> String {
        let frame = Frame::of(self);
        let mut svg = Svg::default();
        svg.line(format_args!(
            "<svg viewBox=\"0 0 {:.0} {:.0}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">",
            super::frame::WIDTH,
            frame.height,
            id = escaped(&self.id),
        ));
        self.inside(&mut svg, &frame, about);
        svg.line(format_args!("</svg>"));
        svg.0
    }

    /// The drawing as a file of its own: light, with everything written in that SVG readers need.
    pub fn file(&self, about: &str) -> String {
        let frame = Frame::of(self);
        let (width, height) = (super::frame::WIDTH, frame.height);
        let mut svg = Svg::default();
        svg.line(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">",
            id = escaped(&self.id),
        ));
        svg.line(format_args!("<style>\n{}</style>", style_alone()));
        svg.line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"var(--page)\"/>"));
        self.inside(&mut svg, &frame, about);
        svg.line(format_args!("</svg>"));
        in_light(&svg.0)
    }

    fn inside(&self, svg: &mut Svg, frame: &Frame, about: &str) {
        let id = escaped(&self.id);
        svg.line(format_args!("<title id=\"{id}-title\">{}</title>", escaped(&self.title)));
        svg.line(format_args!("<desc id=\"{id}-desc\">{}</desc>", escaped(&about.replace('`', ""))));
        frame.axes(svg, self);
        self.layers.iter().for_each(|layer| frame.layer(svg, self, layer));
        frame.baseline(svg, self);
        self.marks.iter().for_each(|(value, why)| frame.mark(svg, self, *value, why));
        frame.legend(svg, self);
    }
}

/// True where a scale has a place of its own for each value.
pub(super) fn is_stepped(axis: &Axis) -> bool {
    matches!(axis.scale, Scale::Whole(..) | Scale::Names(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let points = vec![(1.0, 0.0, 0.1), (1e9, 1.0, 0.0)];
        let area = Area { x: (1.0, 10.0), y: (-0.4, 0.4), strength: 0.5, told: "<area>".to_owned() };
        let word = Word { at: (5.0, 1.0), text: "a & b".to_owned(), side: Side::Right };
        Plot {
            id: "t".to_owned(),
            title: "t".to_owned(),
            x: Axis::log("draws", 1.0, 100.0),
            y: Axis::names("", vec!["one".to_owned(), "two".to_owned()]),
            layers: vec![
                Layer::new("<x>", Colour::Series(3), Marks::Dots(points.clone())),
                Layer::new("y", Colour::Series(4), Marks::Line(vec![(1.0, 0.0), (2.0, 1.0)])),
                Layer::new("z", Colour::Level(4), Marks::Areas(vec![area])),
                Layer::new("", Colour::Series(8), Marks::Words(vec![word])),
                Layer::new("", Colour::Series(8), Marks::Strokes(vec![[(1.0, 0.0), (2.0, 0.0)]])),
            ],
            marks: vec![(10.0, "here".to_owned())],
        }
    }

    #[test]
    fn everything_is_drawn_inside_of_the_frame() {
        let svg = plot().svg("What is `seen`.");
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("<polyline").count(), 1);
        assert!(svg.contains("&lt;x&gt;") && svg.contains("class=\"mark\"") && !svg.contains("NaN"));
        assert!(svg.contains("<title>&lt;area&gt;</title>") && svg.contains("a &amp; b"));
        assert!(svg.contains("<title id=\"t-title\">t</title>") && svg.contains("What is seen."));
    }

    #[test]
    fn a_file_needs_nothing_else() {
        let file = plot().file("What is seen.");
        assert!(file.starts_with("<svg xmlns=") && !file.contains("var("), "{file}");
        assert_eq!(file.matches('<').count(), file.matches('>').count());
    }

    #[test]
    fn points_are_told_in_a_table() {
        let table = plot().table();
        assert_eq!(table.rows[0], ["<x>", "1", "one", "0.1"]);
        assert_eq!(table.rows.len(), 4);
    }
}
