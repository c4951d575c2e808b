//! Plots as SVG, written without a plotting library.
//!
//! Plotting libraries can draw all this (plotters 0.3 was looked at), but they need more code than is here, and their
//! colours are fixed. These pages are read on light and dark screens and on paper, so they need colours by name. They
//! also need titles and descriptions for readers who cannot see the drawing.

use super::Plot;
use super::frame::{Frame, NARROW, WIDTH};
use crate::page::colour::{in_light, style_alone};
use crate::page::shapes::{Drawing, List};
use crate::page::svg::{Svg, escaped};

impl Plot {
    /// What is drawn where the plot stands alone, with its title.
    pub fn titled(&self) -> Drawing {
        self.drawn(WIDTH, true)
    }

    fn drawn(&self, width: f64, titled: bool) -> Drawing {
        let frame = Frame::of(self, width, titled);
        let mut list = List::default();
        if titled {
            frame.title(&mut list, self);
        }
        frame.axes(&mut list, self);
        self.layers.iter().for_each(|layer| frame.layer(&mut list, self, layer));
        frame.baseline(&mut list, self);
        self.marks.iter().for_each(|(value, why)| frame.mark(&mut list, self, *value, why));
        frame.legend(&mut list, self);
        Drawing { width, height: frame.height, items: list.0 }
    }
}

/// The drawing as two SVG elements of a page, for wide and for narrow screens. `about` says what can be seen on it.
pub(crate) fn elements(plot: &Plot, about: &str) -> [String; 2] {
    [("", WIDTH), ("-narrow", NARROW)].map(|(end, width)| {
        let (drawing, id) = (plot.drawn(width, false), escaped(&plot.id) + end);
        let mut svg = Svg::default();
        svg.line(format_args!(
            "<svg viewBox=\"0 0 {:.0} {:.0}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">",
            drawing.width, drawing.height,
        ));
        inside(plot, &id, &mut svg, &drawing, about);
        svg.line(format_args!("</svg>"));
        svg.0
    })
}

/// The drawing as a file of its own, in the light colours. The style is in the file, and colours are written as values,
/// because not every reader of SVG knows style sheets of pages or colours by name.
pub(crate) fn file(plot: &Plot, about: &str) -> String {
    let (drawing, id) = (plot.titled(), escaped(&plot.id));
    let Drawing { width, height, .. } = drawing;
    let mut svg = Svg::default();
    svg.line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">"
    ));
    svg.line(format_args!("<style>\n{}</style>", style_alone()));
    svg.line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"var(--page)\"/>"));
    inside(plot, &id, &mut svg, &drawing, about);
    svg.line(format_args!("</svg>"));
    in_light(&svg.0)
}

/// Writes title, description and items of a plot.
fn inside(plot: &Plot, id: &str, svg: &mut Svg, drawing: &Drawing, about: &str) {
    svg.line(format_args!("<title id=\"{id}-title\">{}</title>", escaped(&plot.title)));
    svg.line(format_args!("<desc id=\"{id}-desc\">{}</desc>", escaped(&about.replace('`', ""))));
    svg.items(&drawing.items);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Area, Axis, Colour, Layer, Marks, Side, Word};

    fn plot() -> Plot {
        let points = vec![(1.0, 0.0, 0.1), (1e9, 1.0, 0.0)];
        let area = Area { x: (1.0, 10.0), y: (-0.4, 0.4), strength: 0.5, tooltip: "<area>".to_owned() };
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
        let [svg, narrow] = elements(&plot(), "What is `seen`.");
        assert!(narrow.contains("viewBox=\"0 0 380 ") && narrow.contains("<title id=\"t-narrow-title\">t</title>"));
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("<polyline").count(), 1);
        assert!(svg.contains("&lt;x&gt;") && svg.contains("class=\"mark\"") && !svg.contains("NaN"));
        assert!(svg.contains("<title>&lt;area&gt;</title>") && svg.contains("a &amp; b"));
        assert!(svg.contains("<title id=\"t-title\">t</title>") && svg.contains("What is seen."));
    }

    #[test]
    fn points_are_written_as_a_table() {
        let table = plot().table();
        assert_eq!(table.rows[0], ["<x>", "1", "one", "0.1"]);
        assert_eq!(table.rows.len(), 4);
    }

    #[test]
    fn a_file_needs_nothing_else() {
        let file = file(&plot(), "What is seen.");
        assert!(file.starts_with("<svg xmlns=") && !file.contains("var("), "{file}");
        assert!(file.contains(">t</text>"), "the title is drawn");
        assert_eq!(file.matches('<').count(), file.matches('>').count());
    }
}
