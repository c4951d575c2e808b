//! Draws squares with symbols in their cells, side by side, such as boards of puzzles.
//!
//! ```text
//!   +---+---+
//!   |1 .|. 4|     boxes are separated by thick lines
//!   |. .|2 .|
//!   +---+---+
//! ```

use super::shapes::{Anchor, Face, Item, List, Pen, Point};
use super::svg::{Svg, escaped};
use super::text::{inline, markdown_text};

/// A square of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardPicture {
    /// A short caption.
    pub caption: String,
    /// The box of each cell, row by row.
    pub boxes: Vec<usize>,
    /// The symbols of the cells, row by row; empty for blank cells. There is one symbol for each cell.
    pub cells: Vec<String>,
    /// All cells in one line, for screen readers and for copying.
    pub line: String,
}

/// Side of a cell, in units of the view box.
const CELL: usize = 30;

impl BoardPicture {
    pub(super) fn markdown(&self) -> String {
        format!("* {}: `{}`\n", markdown_text(&self.caption), markdown_text(&self.line).replace('`', ""))
    }

    /// The picture with its caption and the line of the board.
    pub(super) fn html(&self) -> String {
        let (caption, line) = (inline(&self.caption), escaped(&self.line));
        format!("<figure>\n{}<figcaption>{caption}<br><code>{line}</code></figcaption>\n</figure>\n", self.svg())
    }

    /// The board as SVG: thin lines between cells, thick ones between boxes, digits.
    fn svg(&self) -> String {
        let side = self.boxes.len().isqrt();
        let whole = (side * CELL) as f64;
        let mut list = List::default();
        // Thin lines between all cells, then the borders of boxes.
        let across = (0..=side).map(|row| [point(0, row), point(side, row)]);
        let down = (0..=side).map(|column| [point(column, 0), point(column, side)]);
        list.0.push(Item::Strokes { ends: across.chain(down).collect(), pen: Pen::Rule });
        list.0.push(Item::Strokes { ends: [self.borders(true), self.borders(false)].concat(), pen: Pen::Box });
        for (cell, symbol) in self.cells.iter().enumerate().filter(|(_, symbol)| !symbol.is_empty()) {
            let (x, y) = point(cell % side, cell / side);
            let half = (CELL / 2) as f64;
            list.text((x + half, y + half + 7.0), Anchor::Middle, Face::Symbol, symbol);
        }
        let mut svg = Svg::default();
        svg.line(format_args!(
            "<svg viewBox=\"-2 -2 {size} {size}\" role=\"img\" aria-label=\"{}\">",
            escaped(&self.line),
            size = whole + 4.0
        ));
        svg.items(&list.0);
        svg.line(format_args!("</svg>"));
        svg.0
    }

    /// The borders of boxes that go across, or that go down, each as long as it goes on.
    fn borders(&self, is_across: bool) -> Vec<[Point; 2]> {
        let side = self.boxes.len().isqrt();
        let mut ends = Vec::new();
        for line in 0..=side {
            let mut start = 0;
            while start < side {
                let end = (start..side).find(|&along| self.is_inside(is_across, line, along)).unwrap_or(side);
                if start < end {
                    let corner = |along: usize| if is_across { point(along, line) } else { point(line, along) };
                    ends.push([corner(start), corner(end)]);
                }
                start = end + 1;
            }
        }
        ends
    }

    /// True if a line between cells runs inside of a box beside the cell in a place along the line.
    fn is_inside(&self, is_across: bool, line: usize, along: usize) -> bool {
        let side = self.boxes.len().isqrt();
        let box_of = |line: usize| self.boxes[if is_across { line * side + along } else { along * side + line }];
        (1..side).contains(&line) && box_of(line - 1) == box_of(line)
    }
}

/// The corner of cells where two lines cross.
fn point(column: usize, row: usize) -> Point {
    ((column * CELL) as f64, (row * CELL) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_lines_are_drawn() {
        let mut cells = vec![String::new(); 36];
        (cells[0], cells[35]) = ("<".to_owned(), "6".to_owned());
        let picture = BoardPicture {
            caption: "a `b`".to_owned(),
            boxes: (0..36).map(|at| at / 12 * 2 + at % 6 / 3).collect(),
            cells,
            line: "<..6".to_owned(),
        };
        let html = picture.html();
        assert_eq!(html.matches("class=\"symbol\"").count(), 2);
        // Thick lines: four across at 0, 2, 4, 6 rows, three at 0, 3, 6 columns.
        let thick = html.split("\" class=\"box\"").next().unwrap().rsplit('"').next().unwrap();
        assert_eq!((thick.matches('H').count(), thick.matches('V').count()), (4, 3));
        assert!(html.contains("&lt;..6") && html.contains("<code>b</code>"));
        assert_eq!(picture.markdown(), "* a `b`: `<..6`\n");
    }
}
