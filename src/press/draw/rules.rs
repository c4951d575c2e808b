//! What an output says of the rules of a board: by name, in words, or in a drawing.
//!
//! | rule | in a drawing |
//! |---|---|
//! | boxes, regions | thick lines, if each region is in one piece |
//! | diagonals | a line |
//! | other houses | gray cells; houses that touch or overlap others have rings, squares or diamonds in their cells |
//! | knight's and king's moves, disjoint groups | nothing: they have to be said in words |
//!
//! A drawing is unambiguous: the houses can be rebuilt from it. All cells of a sign are one house, if there are as many
//! as a house has; or else each connected piece of them is one.

use sudoku_corpus_core::board::rules::{DrawnAs, Extra};
use sudoku_corpus_core::board::{Reason, Shape, variants};

/// What an output says about a board besides its symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Nothing. The reader has to know the boxes.
    Nothing,
    /// The region of each cell.
    Regions,
    /// Lines between regions.
    Borders,
    /// A drawing of the board.
    Drawing,
    /// A drawing, with the rules in words beside it.
    DrawingAndWords,
    /// The complete name of the board.
    Name,
}

impl Told {
    /// Checks that a reader of the output knows the rules of a board.
    ///
    /// # Errors
    /// The rule that would be lost.
    pub fn holds(self, shape: Shape) -> Result<(), Reason> {
        let lost = |what: String| Err(Reason(format!("the {}: {what}", shape.board())));
        let mut told_in_words = variants::of(shape).filter(|variant| variant.drawn == DrawnAs::Nothing);
        match self {
            Told::Name => Ok(()),
            Told::Nothing if !shape.is_plain() => lost("nothing would say its rules".to_owned()),
            Told::Regions | Told::Borders if shape != shape.plain() => {
                lost("nothing would say its further rules".to_owned())
            }
            Told::Borders | Told::Drawing | Told::DrawingAndWords if !has_whole_regions(shape) => {
                lost("lines cannot show regions of several pieces".to_owned())
            }
            Told::Drawing | Told::DrawingAndWords if signs_of_houses(shape).is_none() => {
                lost("too many of its houses touch or overlap to be told apart in a drawing".to_owned())
            }
            Told::Drawing => match told_in_words.next() {
                Some(variant) => lost(format!("a drawing does not say the rule of {}", variant.name)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

/// The signs of cells, in the order in which they are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Gray,
    Ring,
    Square,
    Diamond,
}

impl Sign {
    const ALL: [Sign; 4] = [Sign::Gray, Sign::Ring, Sign::Square, Sign::Diamond];
}

/// The sign of each house whose cells are marked. Houses have one sign only if each is in one piece, and no two of them
/// touch. None if there are not enough signs.
pub(crate) fn signs_of_houses(shape: Shape) -> Option<Vec<(&'static Extra, Sign)>> {
    let extras = shape.rules().map_or(&[][..], |rules| &rules.extras[..]);
    let mut signs: Vec<(&Extra, Sign)> = Vec::new();
    for house in extras.iter().filter(|extra| extra.drawn == DrawnAs::Shade) {
        let sign = Sign::ALL.into_iter().find(|sign| {
            let with_sign = signs.iter().filter(|(_, own_sign)| own_sign == sign);
            can_share_sign(shape, house, with_sign.map(|(other, _)| *other))
        })?;
        signs.push((house, sign));
    }
    Some(signs)
}

/// True if a house can have the sign of these other houses: a reader must be able to tell them apart.
fn can_share_sign<'a>(shape: Shape, house: &Extra, others: impl Iterator<Item = &'a Extra>) -> bool {
    let is_whole_house = is_whole(shape, &house.cells);
    for other in others {
        if !is_whole_house || !is_whole(shape, &other.cells) || do_touch(shape, house, other) {
            return false;
        }
    }
    true
}

/// True if two houses share a cell, or have two cells side by side.
fn do_touch(shape: Shape, house: &Extra, other: &Extra) -> bool {
    let mut near = house.cells.iter().flat_map(|&cell| neighbors(shape, cell).into_iter().chain([cell]));
    near.any(|cell| other.cells.contains(&cell))
}

fn neighbors(shape: Shape, cell: u16) -> Vec<u16> {
    let n = shape.order() as u16;
    let mut neighbors = Vec::with_capacity(4);
    neighbors.extend((!cell.is_multiple_of(n)).then(|| cell - 1));
    neighbors.extend((cell % n + 1 < n).then(|| cell + 1));
    neighbors.extend((cell >= n).then(|| cell - n));
    neighbors.extend((cell + n < n * n).then(|| cell + n));
    neighbors
}

fn is_whole(shape: Shape, cells: &[u16]) -> bool {
    let mut piece: Vec<u16> = cells.first().copied().into_iter().collect();
    let mut next = 0;
    while let Some(&cell) = piece.get(next) {
        for neighbor in neighbors(shape, cell) {
            if cells.contains(&neighbor) && !piece.contains(&neighbor) {
                piece.push(neighbor);
            }
        }
        next += 1;
    }
    piece.len() == cells.len()
}

/// True if each region of a jigsaw is one piece; other boards have boxes.
fn has_whole_regions(shape: Shape) -> bool {
    let Some(regions) = shape.regions() else { return true };
    (0..shape.order()).all(|region| {
        let cells = (0..regions.len()).filter(|cell| usize::from(regions[*cell]) == region).map(|cell| cell as u16);
        is_whole(shape, &cells.collect::<Vec<_>>())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use sudoku_corpus_core::board::Cell;

    /// The houses that a reader finds in the signs of a drawing.
    fn rebuilt(shape: Shape, signs: &[(&Extra, Sign)]) -> BTreeSet<Vec<u16>> {
        let mut houses = BTreeSet::new();
        for sign in Sign::ALL {
            let of_sign = signs.iter().filter(|(_, drawn)| *drawn == sign);
            let mut cells: BTreeSet<u16> = of_sign.flat_map(|(house, _)| house.cells.iter().copied()).collect();
            if cells.len() == shape.order() {
                houses.insert(std::mem::take(&mut cells).into_iter().collect());
            }
            while let Some(first) = cells.pop_first() {
                let mut piece = vec![first];
                let mut next = 0;
                while let Some(&cell) = piece.get(next) {
                    piece.extend(neighbors(shape, cell).into_iter().filter(|near| cells.remove(near)));
                    next += 1;
                }
                piece.sort_unstable();
                houses.insert(piece);
            }
        }
        houses
    }

    #[test]
    fn houses_can_be_rebuilt_from_their_signs_or_the_board_is_refused() {
        let named = ["windoku", "asterisk", "girandola", "centre-dot"];
        let mut boards: Vec<Shape> = named.iter().map(|name| Shape::NINE.with(name).unwrap()).collect();
        for one in named {
            for other in named {
                boards.extend(Shape::NINE.with(&format!("{one}+{other}")));
            }
        }
        // Random regions, connected or not, that may overlap.
        let mut rng = sudoku_corpus_core::random::Rng::new(5, 0, sudoku_corpus_core::random::Stage::Bench, 0);
        let mut region = |is_connected: bool| {
            let four = Shape::of_order(4).unwrap();
            let mut cells = vec![rng.below(16) as u16];
            while cells.len() < 4 {
                let from = cells[rng.below(cells.len())];
                let near = neighbors(four, from);
                let next = if is_connected { near[rng.below(near.len())] } else { rng.below(16) as u16 };
                if !cells.contains(&next) {
                    cells.push(next);
                }
            }
            let names: String = cells.iter().map(|cell| Cell::new(usize::from(*cell)).name(four)).collect();
            format!("extra:{names}")
        };
        for count in 0..400 {
            let variants: Vec<String> = (0..1 + count % 4).map(|_| region(count % 3 > 0)).collect();
            boards.extend("2x2".parse::<Shape>().unwrap().with(&variants.join("+")));
        }
        let (mut held, mut signs_used) = (0, BTreeSet::new());
        for &shape in &boards {
            let extras = &shape.rules().unwrap().extras;
            let shaded = extras.iter().filter(|extra| extra.drawn == DrawnAs::Shade);
            let wanted: BTreeSet<Vec<u16>> = shaded.map(|extra| extra.cells.clone()).collect();
            match signs_of_houses(shape) {
                Some(signs) => {
                    assert_eq!(rebuilt(shape, &signs), wanted, "{shape}");
                    assert_eq!(Told::Drawing.holds(shape), Ok(()), "{shape}");
                    signs_used.extend(signs.iter().map(|(_, sign)| *sign as usize));
                    held += 1;
                }
                None => assert!(Told::DrawingAndWords.holds(shape).is_err() && wanted.len() > 4, "{shape}"),
            }
        }
        assert!(held > 100 && signs_used.len() == 4, "{held} of {}, {signs_used:?}", boards.len());
    }

    #[test]
    fn what_an_output_cannot_say_is_refused() {
        let all = [Told::Nothing, Told::Regions, Told::Borders, Told::Drawing, Told::DrawingAndWords, Told::Name];
        let held = |text: &str| all.map(|told| u8::from(told.holds(text.parse().unwrap()).is_ok()));
        assert_eq!(held("2x3"), [1, 1, 1, 1, 1, 1]);
        assert_eq!(held("4+jigsaw:AAABCABBCCDBCDDD"), [0, 1, 1, 1, 1, 1]);
        assert_eq!(held("4+jigsaw:ABABCDCDABABCDCD"), [0, 1, 0, 0, 0, 1]);
        assert_eq!(held("3x3+x"), [0, 0, 0, 1, 1, 1]);
        assert_eq!(held("4+jigsaw:AAABCABBCCDBCDDD+x"), [0, 0, 0, 1, 1, 1]);
        for undrawn in ["anti-knight", "anti-king", "disjoint"] {
            assert_eq!(held(&format!("3x3+{undrawn}")), [0, 0, 0, 0, 1, 1], "{undrawn}");
        }
    }
}
