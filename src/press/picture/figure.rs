//! Turns plots of pages into drawings, for PDF.

use crate::draw::canvas::{Canvas, Item};
use crate::draw::measures::Area;
use crate::draw::outline::Ink;
use crate::draw::text::typeface::{Typeface, Weight};
use crate::picture::drawing::Drawing;
use sudoku_corpus_core::page::shapes::{self, Anchor, Pen, Point};
use sudoku_corpus_core::page::{Paint, Plot};

/// A plot as a drawing, in the colours of light pages.
pub fn figure(typeface: &Typeface, plot: &Plot) -> Drawing {
    let shapes::Drawing { width, height, items } = plot.titled();
    let mut canvas = Canvas::new(typeface);
    items.iter().for_each(|item| draw(&mut canvas, item));
    Drawing { width, height, background: true, items: canvas.finish() }
}

fn draw(canvas: &mut Canvas<'_>, item: &shapes::Item) {
    match item {
        shapes::Item::Strokes { ends, pen } => ends.iter().for_each(|[from, to]| stroke(canvas, *from, *to, *pen)),
        shapes::Item::Line { points, pen } => {
            points.windows(2).for_each(|pair| stroke(canvas, pair[0], pair[1], *pen));
        }
        shapes::Item::Area { at: (x, y), size: (width, height), fill, strength, .. } => {
            let area = Area { x: *x, y: *y, width: *width, height: *height };
            canvas.inked(ink(*fill, *strength), Item::block(area));
        }
        shapes::Item::Dot { at, fill, edge } => {
            let (radius, width) = shapes::Item::DOT;
            // A circle as thick as it is wide is a disc.
            canvas.inked(ink(*fill, 1.0), Item::Circle { centre: *at, radius: radius / 2.0, width: radius });
            canvas.inked(ink(*edge, 1.0), Item::Circle { centre: *at, radius, width });
        }
        shapes::Item::Text { at: (x, y), anchor, face, text } => {
            let size = face.size();
            let width = canvas.typeface.width(Weight::Regular, size, text);
            let x = match anchor {
                Anchor::Start => *x,
                Anchor::Middle => x - width / 2.0,
                Anchor::End => x - width,
            };
            let glyphs = canvas.typeface.place(Weight::Regular, size, x, *y, text);
            let text = Item::Text { weight: Weight::Regular, size, glyphs, is_turned: false };
            canvas.inked(ink(face.paint(), 1.0), text);
        }
    }
}

/// Draws a stroke, in dashes if its pen has them.
fn stroke(canvas: &mut Canvas<'_>, from: Point, to: Point, pen: Pen) {
    let (ink, width) = (ink(pen.paint(), 1.0), pen.width());
    let mut line = |from, to| canvas.inked(ink, Item::Line { from, to, width });
    if pen != Pen::Mark {
        return line(from, to);
    }
    let (dash, gap) = Pen::DASHES;
    let length = (to.0 - from.0).hypot(to.1 - from.1);
    let point_at = |way: f64| {
        let part = (way / length).min(1.0);
        (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
    };
    let mut start = 0.0;
    while start < length {
        line(point_at(start), point_at(start + dash));
        start += dash + gap;
    }
}

/// A colour, mixed with white unless it has its full strength.
fn ink(paint: Paint, strength: f64) -> Ink {
    let [red, green, blue] = paint.light().map(|part| 1.0 - (1.0 - part) * strength);
    Ink::Rgb(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::page::{Axis, Colour, Layer, Marks, kinds};

    #[test]
    fn everything_in_a_plot_is_drawn() {
        let plot = Plot {
            id: "p".to_owned(),
            title: "A plot".to_owned(),
            x: Axis::integers("x", 0.0, 2.0),
            y: Axis::linear("y", 0.0, 4.0),
            layers: vec![
                Layer::new("", Colour::Series(3), Marks::Areas(vec![kinds::bar(0, 1.0, String::new())])),
                Layer::new("points", Colour::Series(4), Marks::Rings(vec![(1.0, 1.0, 0.5)])),
                Layer::new("", Colour::Series(5), Marks::Line(vec![(0.0, 0.0), (1.0, 1.0), (2.0, 4.0)])),
            ],
            marks: vec![(1.0, "a & b".to_owned())],
        };
        let typeface = Typeface::open().unwrap();
        let drawing = figure(&typeface, &plot);
        let of = |is: fn(&Item) -> bool| {
            drawing.items.iter().filter(|item| matches!(item, Item::Inked(_, item) if is(item))).count()
        };
        // The ring and that of the legend, each with its inside; the column.
        assert_eq!((of(|item| matches!(item, Item::Circle { .. })), of(|item| matches!(item, Item::Fill(_)))), (4, 1));
        // Two strokes of the line, an error bar, dashes, rules, the baseline.
        assert!(of(|item| matches!(item, Item::Line { .. })) > 30);
        let texts: Vec<String> = drawing
            .items
            .iter()
            .filter_map(Item::text)
            .map(|(_, glyphs)| glyphs.iter().map(|glyph| glyph.character).collect())
            .collect();
        assert!(["x", "y", "points", "a & b"].iter().all(|text| texts.iter().any(|found| found == text)), "{texts:?}");
        assert!(crate::picture::pdf(&typeface, &[drawing]).starts_with(b"%PDF"));
    }
}
