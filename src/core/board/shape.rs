//! Defines the shape of a board: how many rows and columns a box has. The order of the board is their product.
//!
//! A box is always written rows x columns. "2x3" has boxes of 2 rows and 3 columns and order 6:
//!
//! ```text
//!   . . . | . . .      band 1 (2 rows)      R = 2 box rows, C = 3 box columns
//!   . . . | . . .                           n = R*C = 6 digits
//!   ------+------
//!   . . . | . . .      band 2               C bands of R rows
//!   . . . | . . .                           R stacks of C columns
//! ```

use std::fmt;
use std::str::FromStr;

use super::Reason;
use super::rules::Rules;
use crate::page::numbers::counted;

/// Rows and columns of a box. Order 4 to 400; everything but the permutation method needs order <= 36.
///
/// ```
/// use sudoku_corpus_core::board::Shape;
///
/// let shape: Shape = "2x3".parse()?;
/// assert_eq!((shape.order(), shape.cells(), shape.bands(), shape.stacks()), (6, 36, 3, 2));
/// assert_eq!(Shape::of_board("6x6")?, shape);
/// assert_eq!(shape.transposed().to_string(), "3x2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Shape {
    /// Rows of a box; 1 in a jigsaw.
    box_rows: u16,
    /// Columns of a box; n in a jigsaw.
    box_columns: u16,
    /// What the board demands beyond rows, columns and rectangular boxes. None for plain boards, so `shape ==
    /// Shape::NINE` means the plain 9x9 board. The boxes of a jigsaw are regions of any form, and stand there.
    rules: Option<&'static Rules>,
}

/// The ordinary board, 9x9.
impl Default for Shape {
    fn default() -> Shape {
        Shape::NINE
    }
}

impl Shape {
    /// The ordinary board, 9x9 with boxes of 3x3.
    pub const NINE: Shape = Shape { box_rows: 3, box_columns: 3, rules: None };
    /// The largest order that the permutation method makes.
    pub(crate) const MAX_ORDER: usize = 400;
    /// The largest order that can be solved, dug and rated: each digit has a bit in a word of 64 bits, and a symbol.
    pub const MAX_SOLVABLE_ORDER: usize = 36;

    /// A shape from the rows and columns of its boxes.
    ///
    /// # Errors
    /// If a side is below 2 or the order is above [`Shape::MAX_ORDER`].
    pub fn new(box_rows: usize, box_columns: usize) -> Result<Shape, Reason> {
        let order = box_rows.saturating_mul(box_columns);
        if box_rows < 2 || box_columns < 2 || order > Self::MAX_ORDER {
            return Err(Reason(format!(
                "a box of {box_rows}x{box_columns} does not make a board: boxes have at least 2 rows and 2 columns, and 4 to {} \
                 cells{}",
                Self::MAX_ORDER,
                Shape::did_you_mean_board(box_rows, box_columns)
            )));
        }
        Ok(Shape { box_rows: box_rows as u16, box_columns: box_columns as u16, rules: None })
    }

    /// The most nearly square shape of an order, with no more box rows than box columns: 6 gives 2x3, 12 gives 3x4.
    ///
    /// # Errors
    /// If no shape with rectangular boxes has this order.
    pub fn of_order(order: usize) -> Result<Shape, Reason> {
        let box_rows = (2..=order.isqrt()).rev().find(|rows| order.is_multiple_of(*rows));
        if let Some(rows) = box_rows
            && let Ok(shape) = Shape::new(rows, order / rows)
        {
            return Ok(shape);
        }
        let instead = match order {
            0..=4 => "; a box has rows and columns, as 3x3 of the 9x9 board".to_owned(),
            5..=12 => format!("; {order}+jigsaw is a board without boxes"),
            _ => String::new(),
        };
        Err(Reason(format!(
            "no board has order {order} and rectangular boxes: orders with boxes are 4, 6, 8, 9, 10, 12, ..{instead}"
        )))
    }

    /// The shape whose board has `cells` cells, as [`Shape::of_order`] chooses it. None if there is none.
    pub(crate) fn of_cells(cells: usize) -> Option<Shape> {
        let order = cells.isqrt();
        if order * order != cells { None } else { Shape::of_order(order).ok() }
    }

    /// The shape whose board has a size, written rows x columns: 9x9 gives 3x3, 6x6 gives 2x3, and 9x9+x gives 3x3+x.
    ///
    /// # Errors
    /// If the text is not the size of a square board, or no shape has this order.
    pub fn of_board(text: &str) -> Result<Shape, Reason> {
        if let Some((board, variants)) = text.split_once('+') {
            // A jigsaw needs the order alone: a 7x7 board has no rectangular boxes, and 9+jigsaw is a board, too.
            let [rows, columns] = sides(board).unwrap_or([board, board]);
            let order = (rows == columns).then_some(rows);
            return Shape::named(order, || Shape::of_board(board), variants);
        }
        let numbers =
            sides(text).and_then(|[rows, columns]| Some([rows.parse::<usize>().ok()?, columns.parse().ok()?]));
        if let Some([rows, columns]) = numbers
            && rows == columns
            && rows > 3
        {
            return Shape::of_order(rows);
        }
        let of_box =
            numbers.and_then(|[rows, columns]| Shape::new(rows, columns).ok()).filter(|shape| shape.is_solvable());
        Err(Reason(match of_box {
            Some(shape) => format!("{text} is the size of a box; write the size of the board: {0}x{0}", shape.order()),
            None => format!(
                "'{text}' is not a board: write rows x columns, such as 9x9 or 6x6; variants follow, as in 9x9+x"
            ),
        }))
    }

    /// The board and its boxes in words, so that nobody confuses their sizes: "36x36 board, 6x6 boxes".
    pub fn board(self) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            match self.regions() {
                None => write!(f, "{0}x{0} board, {1} boxes", self.order(), self.plain())?,
                Some(_) => write!(f, "{0}x{0} board", self.order())?,
            }
            self.rules.map_or(Ok(()), |rules| write!(f, ", {rules}"))
        })
    }

    /// What is wrong with another number of cells.
    pub(crate) fn other_length(self, cells: usize) -> Reason {
        Reason(format!("{}, but the board has {} ({})", counted(cells, "cell"), self.cells(), self.board()))
    }

    /// A question for people who wrote the size of a board instead of a box; empty if no board has it.
    pub fn did_you_mean_board(rows: usize, columns: usize) -> String {
        match Shape::of_order(rows) {
            Ok(shape) if rows == columns => format!("; did you mean the {rows}x{rows} board, shape {shape}?"),
            _ => String::new(),
        }
    }

    /// Every shape of order at most `max_order`, by order, then by box rows.
    pub fn all(max_order: usize) -> Vec<Shape> {
        let mut shapes: Vec<Shape> = (2..=max_order / 2)
            .flat_map(|rows| (2..=max_order / rows).filter_map(move |columns| Shape::new(rows, columns).ok()))
            .collect();
        shapes.sort_by_key(|shape| (shape.order(), shape.box_rows));
        shapes
    }

    /// Rows of a box; also rows of a band; also the number of stacks.
    #[inline]
    pub const fn box_rows(self) -> usize {
        self.box_rows as usize
    }

    /// Columns of a box; also columns of a stack; also the number of bands.
    #[inline]
    pub const fn box_columns(self) -> usize {
        self.box_columns as usize
    }

    /// Number of digits, rows, columns and boxes.
    #[inline]
    pub const fn order(self) -> usize {
        self.box_rows as usize * self.box_columns as usize
    }

    /// Number of cells.
    #[inline]
    pub const fn cells(self) -> usize {
        self.order() * self.order()
    }

    /// Number of bands (rows of boxes).
    #[inline]
    pub const fn bands(self) -> usize {
        self.box_columns as usize
    }

    /// Number of stacks (columns of boxes).
    #[inline]
    pub const fn stacks(self) -> usize {
        self.box_rows as usize
    }

    /// Box of a row and a column, counted from 0, row by row.
    #[inline]
    pub const fn box_of(self, row: usize, column: usize) -> usize {
        if let Some(regions) = self.regions() {
            return regions[row * self.order() + column] as usize;
        }
        row / self.box_rows() * self.stacks() + column / self.box_columns()
    }

    /// The region of each cell of a jigsaw, from 0 in the order in which they appear; None if the boxes are rectangles.
    #[inline]
    pub const fn regions(self) -> Option<&'static [u8]> {
        match self.rules {
            Some(rules) => rules.regions,
            None => None,
        }
    }

    /// What the boards of a corpus share: the shape itself, or any jigsaw of its order and further rules, "9+jigsaw+x".
    pub fn kind(self) -> Shape {
        let Some(rules) = self.rules.filter(|rules| rules.regions.is_some()) else { return self };
        let any_jigsaw = Shape::any_jigsaw(self.order());
        let kind = match rules.without_regions() {
            Some(variants) => any_jigsaw.and_then(|shape| shape.with(variants)),
            None => any_jigsaw,
        };
        kind.unwrap_or(self)
    }

    /// True for "9+jigsaw", which stands for jigsaws of any regions. As a board it has its rows for regions.
    pub fn is_any_jigsaw(self) -> bool {
        let n = self.order();
        self.regions().is_some_and(|regions| (0..n * n).all(|cell| usize::from(regions[cell]) == cell / n))
    }

    /// True if the boxes are square, so that transposition keeps the shape.
    #[inline]
    pub const fn is_square(self) -> bool {
        self.box_rows == self.box_columns
    }

    /// True if boards of this shape can be solved, dug and rated, not only generated.
    #[inline]
    pub const fn is_solvable(self) -> bool {
        self.order() <= Self::MAX_SOLVABLE_ORDER
    }

    /// The shape of the transposed plain board.
    #[inline]
    pub const fn transposed(self) -> Shape {
        Shape { box_rows: self.box_columns, box_columns: self.box_rows, rules: None }
    }

    /// True if the board demands nothing beyond rows, columns and boxes.
    #[inline]
    pub const fn is_plain(self) -> bool {
        self.rules.is_none()
    }

    /// True for the plain board that a reader supposes if nothing tells more than its size: that of [`Shape::of_order`].
    pub fn is_usual(self) -> bool {
        Shape::of_order(self.order()) == Ok(self)
    }

    /// The shape with the same boxes, or regions of a jigsaw, without further rules.
    #[inline]
    pub const fn plain(self) -> Shape {
        match self.rules {
            // A jigsaw keeps its regions: its rules are these alone, or it has a second object for these alone.
            Some(Rules { regions: Some(_), regions_only: None, .. }) => self,
            Some(Rules { regions: Some(_), regions_only, .. }) => Shape { rules: *regions_only, ..self },
            _ => Shape { rules: None, ..self },
        }
    }

    /// A board of an order whose boxes are the regions that rules name.
    pub(super) const fn jigsaw(order: usize, rules: &'static Rules) -> Shape {
        Shape { box_rows: 1, box_columns: order as u16, rules: Some(rules) }
    }

    /// What the board demands beyond rows, columns and boxes. None for a plain board.
    #[inline]
    pub const fn rules(self) -> Option<&'static Rules> {
        self.rules
    }

    /// A shape with these boxes, and with rules that were made for them.
    pub(super) const fn ruled(self, rules: &'static Rules) -> Shape {
        Shape { rules: Some(rules), ..self }
    }

    /// Refuses boards with further rules; `what` is known of boards with rectangular boxes and no further rules only.
    ///
    /// # Errors
    /// The reason, if the board is not plain.
    pub fn only_plain(self, what: impl fmt::Display) -> Result<(), Reason> {
        if self.is_plain() {
            return Ok(());
        }
        Err(Reason(format!("{what}: only for boards without further rules, not for the {}", self.board())))
    }
}

/// The texts of the two sides in a text such as "2x3". None if there is no sign between them.
fn sides(text: &str) -> Option<[&str; 2]> {
    let (rows, columns) = text.split_once(['x', 'X', '×'])?;
    Some([rows.trim(), columns.trim()])
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.regions() {
            None => write!(f, "{}x{}", self.box_rows, self.box_columns)?,
            Some(_) => write!(f, "{}", self.order())?,
        }
        self.rules.map_or(Ok(()), |rules| write!(f, "+{rules}"))
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shape({self})")
    }
}

crate::serde_by_text!(Shape);

impl FromStr for Shape {
    type Err = Reason;

    fn from_str(text: &str) -> Result<Shape, Reason> {
        if let Some((boxes, variants)) = text.split_once('+') {
            return Shape::named(Some(boxes), || boxes.parse(), variants);
        }
        let example =
            "write the rows and columns of a box, such as 3x3, or an order such as 9; variants follow, as in 3x3+x";
        let wrong = |_: std::num::ParseIntError| Reason(format!("'{text}' is not a shape: {example}"));
        match sides(text) {
            Some([rows, columns]) => Shape::new(rows.parse().map_err(wrong)?, columns.parse().map_err(wrong)?),
            None => Shape::of_order(text.trim().parse().map_err(wrong)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_choose_the_most_nearly_square_box() {
        for (order, text) in [
            (4, "2x2"),
            (6, "2x3"),
            (8, "2x4"),
            (9, "3x3"),
            (10, "2x5"),
            (12, "3x4"),
            (16, "4x4"),
            (25, "5x5"),
            (36, "6x6"),
            (400, "20x20"),
        ] {
            assert_eq!(Shape::of_order(order).unwrap().to_string(), text);
            assert_eq!(text.parse::<Shape>().unwrap().order(), order);
            assert!(text.parse::<Shape>().unwrap().is_usual(), "{text}");
        }
        for text in ["3x2", "2x8", "3x3+x", "6+jigsaw", "7+jigsaw"] {
            assert!(!text.parse::<Shape>().unwrap().is_usual(), "{text}");
        }
        for order in [0, 1, 2, 3, 5, 7, 11, 13, 401] {
            let error = Shape::of_order(order).unwrap_err().to_string();
            assert!(error.starts_with(&format!("no board has order {order} and rectangular boxes: ")), "{error}");
        }
    }

    #[test]
    fn wrong_shapes_are_refused() {
        for text in ["", "x", "3x", "1x9", "3x3x3", "nine", "-3x3", "21x20", "99999999999x99999999999"] {
            assert!(text.parse::<Shape>().is_err(), "{text}");
        }
        let wrong = "25x25".parse::<Shape>().unwrap_err().to_string();
        assert!(wrong.ends_with("; did you mean the 25x25 board, shape 5x5?"), "{wrong}");
    }

    #[test]
    fn boards_have_sizes_and_shapes_name_both() {
        for (size, shape) in [("9x9", "3x3"), ("6x6", "2x3"), (" 36 X 36 ", "6x6")] {
            assert_eq!(Shape::of_board(size).unwrap().to_string(), shape);
        }
        for size in ["", "9", "2x3", "7x7", "nine"] {
            assert!(Shape::of_board(size).is_err(), "{size}");
        }
        assert_eq!("6x6".parse::<Shape>().unwrap().board().to_string(), "36x36 board, 6x6 boxes");
        assert_eq!(Shape::did_you_mean_board(9, 9), "; did you mean the 9x9 board, shape 3x3?");
        assert_eq!(Shape::did_you_mean_board(3, 4) + &Shape::did_you_mean_board(7, 7), "");
    }

    #[test]
    fn every_box_has_as_many_cells_as_digits() {
        for shape in Shape::all(36) {
            let n = shape.order();
            let mut counts = vec![0; n];
            for cell in 0..n * n {
                counts[shape.box_of(cell / n, cell % n)] += 1;
            }
            assert!(counts.iter().all(|&count| count == n), "{shape}");
        }
    }
}
