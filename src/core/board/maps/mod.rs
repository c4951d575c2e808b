//! Computes the maps of cells that keep all houses of a board, and the smallest image of a board under them. Used for
//! boards with rules and jigsaws: by random isomorphs, by canonical forms, and where jigsaws are drawn.
//!
//! ```text
//!   level 0   a map to every cell that cell 0 can go to
//!   level 1   of the maps that keep cell 0: one to every cell that cell 1 can go to
//!   ...       until only one map is left                   a map = one choice of each level, in turn
//! ```
//!
//! The literature calls this a chain of stabilisers. X has 96 maps, windoku 256 (implied houses count), disjoint groups
//! 10,368, chess rules 8.
//!
//! Houses of all kinds are alike here. So a map may turn the boxes of windoku into its windows.
//!
//! A map is found by colours: the cells that are kept get colours of their own, houses take the colours of their cells
//! and cells those of their houses, until nothing changes. Where cells still share a colour, each choice is tried.
//! Reference: Seress, "Permutation Group Algorithms" (2003), for the chain; McKay & Piperno, "Practical graph
//! isomorphism, II" (2014), for the colours.

use std::collections::HashSet;

pub(crate) mod flood;
pub(crate) mod isomorph;
mod symmetry;

pub use isomorph::{Freedom, Isomorphism};
pub use symmetry::Symmetry;

use super::kept::Kept;
use super::{Layout, Shape, variants};
use crate::random::{Rng, finalise};

/// A permutation of cells: the cell at place i of an image is cell `map[i]` of the source.
type CellMap = Vec<u16>;

/// The most partial maps that [`Maps::smallest`] keeps.
const MOST_PARTIAL: usize = 1 << 14;

/// Makes the colour of a cell that is set apart, from its old colour. Any number would do.
const APART: u64 = 0x9e37_79b9_7f4a_7c15;

/// A cell and its colour. They are sorted by the colours first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ColouredCell {
    colour: u64,
    cell: usize,
}

/// All cells, sorted by their colours.
fn by_colour(colours: &[u64]) -> Vec<ColouredCell> {
    let cells = (0..).zip(colours).map(|(cell, &colour)| ColouredCell { colour, cell });
    let mut cells: Vec<ColouredCell> = cells.collect();
    cells.sort_unstable();
    cells
}

/// The maps of a layout.
#[derive(Debug)]
pub struct Maps {
    levels: Vec<Level>,
    /// The number of cells of the board.
    cells: usize,
}

/// The maps that keep all cells before one.
#[derive(Debug)]
struct Level {
    cell: usize,
    /// A map to each cell that the cell can go to.
    images: Vec<CellMap>,
}

/// The neighbours of cells and houses, as numbers: a cell and its houses, a cell and the cells that see it by a move.
struct Graph {
    /// The cells of each house, ascending.
    houses: Vec<Vec<usize>>,
    /// The houses of each cell.
    of_cell: Vec<Vec<usize>>,
    /// The cells that see each cell by a move, ascending.
    moves: Vec<Vec<usize>>,
}

impl Graph {
    fn of(layout: &Layout) -> Graph {
        let houses = layout.houses().map(|house| layout.house(house).iter().map(|cell| cell.index()).collect());
        let of_cell = layout.cells().map(|cell| layout.houses_of(cell).map(|house| house.index()).collect());
        let moves = layout.cells().map(|cell| layout.moves_of(cell).map(|peer| peer.index()).collect());
        Graph { houses: houses.collect(), of_cell: of_cell.collect(), moves: moves.collect() }
    }

    /// Colours of cells by how their houses overlap others. From equal colours none would follow: all cells have as
    /// many houses as others, and all houses as many cells. From these, most jigsaws get a colour for each cell.
    fn overlaps(&self) -> Vec<u64> {
        let mut overlaps = Vec::with_capacity(self.houses.len());
        for cells in &self.houses {
            // The number of cells that the house shares with each house.
            let mut common = vec![0; self.houses.len()];
            for &cell in cells {
                self.of_cell[cell].iter().for_each(|&house| common[house] += 1);
            }
            overlaps.push(mixed_sum(common));
        }
        let mut colours = Vec::with_capacity(self.of_cell.len());
        for houses in &self.of_cell {
            colours.push(mixed_sum(houses.iter().map(|&house| overlaps[house])).wrapping_add(1));
        }
        colours
    }

    /// Refines colours until their number no longer grows.
    fn refine(&self, colours: &mut Vec<u64>) {
        let mut before = count_different(colours);
        loop {
            let sum = |members: &[usize], colours: &[u64]| mixed_sum(members.iter().map(|&member| colours[member]));
            let houses: Vec<u64> = self.houses.iter().map(|cells| sum(cells, colours)).collect();
            let mut refined = Vec::with_capacity(colours.len());
            for (cell, colour) in colours.iter().enumerate() {
                // The three parts are rotated differently, so that none stands for another.
                let moves = sum(&self.moves[cell], colours).rotate_left(21);
                refined.push(finalise(colour.rotate_left(7) ^ sum(&self.of_cell[cell], &houses) ^ moves));
            }
            *colours = refined;
            let now = count_different(colours);
            if now == before {
                return;
            }
            before = now;
        }
    }

    /// A map of the board that keeps colours: `to[map[i]] == from[i]` for each cell i. None if there is none. Both are
    /// colours of cells, and are refined. A cell that shares its colour is set apart, with each cell of this colour in
    /// turn as its image, and the rest follows from the colours.
    fn map(&self, from: &[u64], to: &[u64]) -> Option<CellMap> {
        let (sources, images) = (by_colour(from), by_colour(to));
        if sources.iter().zip(&images).any(|(source, image)| source.colour != image.colour) {
            return None;
        }
        // A cell that shares its colour with others. If there is none, the colours give the map.
        let shared = sources.chunk_by(|a, b| a.colour == b.colour).filter(|cells| cells.len() > 1);
        let Some(cell) = shared.map(|cells| cells[0].cell).min() else {
            let mut map = vec![0; from.len()];
            sources.iter().zip(&images).for_each(|(source, image)| map[source.cell] = image.cell as u16);
            return self.keeps_all(&map).then_some(map);
        };
        let apart = self.refined(from, cell);
        let mut targets = images.iter().filter(|image| image.colour == from[cell]);
        targets.find_map(|target| self.map(&apart, &self.refined(to, target.cell)))
    }

    /// The colours with one cell set apart, refined.
    fn refined(&self, colours: &[u64], cell: usize) -> Vec<u64> {
        let mut colours = colours.to_vec();
        colours[cell] = finalise(colours[cell] ^ APART);
        self.refine(&mut colours);
        colours
    }

    /// True if a map turns every house into a house, and the cells that see a cell by a move into those of its image.
    fn keeps_all(&self, map: &[u16]) -> bool {
        let image = |cells: &[usize]| {
            let mut image: Vec<usize> = cells.iter().map(|&cell| usize::from(map[cell])).collect();
            image.sort_unstable();
            image
        };
        let houses: HashSet<&[usize]> = self.houses.iter().map(Vec::as_slice).collect();
        self.houses.iter().all(|cells| houses.contains(image(cells).as_slice()))
            && self.moves.iter().enumerate().all(|(cell, peers)| image(peers) == self.moves[usize::from(map[cell])])
    }
}

/// The sum of mixed numbers, whose order says nothing.
fn mixed_sum(numbers: impl IntoIterator<Item = u64>) -> u64 {
    numbers.into_iter().fold(0, |sum, number| sum.wrapping_add(finalise(number)))
}

pub(crate) fn count_different(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

impl Maps {
    /// The maps of a board of order at most 16. They are computed at the first call and live as long as the program.
    pub fn of(shape: Shape) -> &'static Maps {
        static COMPUTED: Kept<Shape, Maps> = Kept::new();
        COMPUTED.get(shape, || Box::new(Maps::compute(Layout::of(shape))))
    }

    /// The chain: for each cell in turn, the maps that keep all cells before it. A cell that all keep has no level.
    fn compute(layout: &Layout) -> Maps {
        let graph = Graph::of(layout);
        let cells = layout.shape().cells();
        let (mut levels, mut colours) = (Vec::new(), graph.overlaps());
        graph.refine(&mut colours);
        for cell in 0..cells {
            let alike: Vec<usize> = (0..cells).filter(|&image| colours[image] == colours[cell]).collect();
            if alike.len() == 1 {
                continue;
            }
            let fixed = graph.refined(&colours, cell);
            let images = alike.into_iter().filter_map(|image| graph.map(&fixed, &graph.refined(&colours, image)));
            let images: Vec<CellMap> = images.collect();
            if images.len() > 1 {
                levels.push(Level { cell, images });
            }
            colours = fixed;
        }
        Maps { levels, cells }
    }

    /// The number of maps.
    pub fn count(&self) -> u64 {
        self.levels.iter().map(|level| level.images.len() as u64).product()
    }

    pub(super) fn random(&self, rng: &mut Rng) -> Vec<u32> {
        let mut map: Vec<u32> = (0..self.cells as u32).collect();
        for Level { images, .. } in &self.levels {
            let next = &images[rng.below(images.len())];
            map = next.iter().map(|&cell| map[usize::from(cell)]).collect();
        }
        map
    }

    /// The smallest image of a board under the maps, read row by row, with digits in the order in which they appear,
    /// and the number of maps that reach it. Both the board and the image have 0 for a blank, but a blank counts as
    /// larger than any digit: givens are fewer, so fewer maps stay on the way. None if more than [`MOST_PARTIAL`] stay.
    ///
    /// The image is found cell by cell. A partial map has a choice in each level of the cells so far. At each cell all
    /// partial maps are tried with all choices of its level, and those that give the smallest value there are kept.
    pub fn smallest(&self, values: &[u16]) -> Option<(Vec<u16>, u32)> {
        const BLANK: u16 = u16::MAX;
        // The only choice at a cell without a level.
        let same = [(0..self.cells as u16).collect()];
        let mut chains = Chains(Vec::new());
        let mut partial_maps = vec![PartialMap { chain: 0, names: Names::default() }];
        // The partial maps with one more cell.
        let mut extensions = Vec::new();
        let mut form = Vec::with_capacity(self.cells);
        let mut levels = self.levels.iter().peekable();
        for place in 0..self.cells {
            let level = levels.next_if(|level| level.cell == place).map(|level| level.images.as_slice());
            let mut least = BLANK;
            extensions.clear();
            for &PartialMap { chain, names: earlier_names } in &partial_maps {
                for choice in level.unwrap_or(&same) {
                    let value = values[chains.source(chain, choice[place].into())];
                    // It loses against a digit that another map has here.
                    if value == 0 && least < BLANK {
                        continue;
                    }
                    let mut names = earlier_names;
                    let value = if value == 0 { BLANK } else { names.of(value) };
                    if value < least {
                        least = value;
                        extensions.clear();
                    }
                    if value == least {
                        extensions.push(Extension { chain, choice, names });
                    }
                }
            }
            if extensions.len() > MOST_PARTIAL {
                return None;
            }
            partial_maps.clear();
            for &Extension { chain, choice, names } in &extensions {
                let chain = if level.is_some() { chains.push(chain, choice) } else { chain };
                partial_maps.push(PartialMap { chain, names });
            }
            form.push(if least == BLANK { 0 } else { least });
        }
        Some((form, partial_maps.len() as u32))
    }
}

/// A board that was turned over: its cell i is cell `map[i]` of the board as it was.
pub(crate) struct TurnedBoard {
    pub(crate) shape: Shape,
    pub(crate) map: CellMap,
}

/// A board with rules turned over so that its name is the smallest among its eight turns.
pub(crate) fn upright(shape: Shape) -> &'static TurnedBoard {
    static KNOWN: Kept<Shape, TurnedBoard> = Kept::new();
    KNOWN.get(shape, || Box::new(turned_among(shape, |_| true)))
}

/// Like [`upright`], but only turns are used whose maps are taken.
pub(crate) fn turned_among(shape: Shape, takes: impl Fn(&[u16]) -> bool) -> TurnedBoard {
    let turns = turns(shape.order());
    let same = turns[0].clone();
    let named = turns.into_iter().filter(|map| takes(map)).map(|map| (variants::turned(shape, &map), map));
    let turned = named.min().and_then(|(name, map)| Some(TurnedBoard { shape: name.parse().ok()?, map }));
    // Too many boards in one run: this one stays as it is.
    turned.unwrap_or(TurnedBoard { shape, map: same })
}

/// The eight turns and reflections of a board of order n; the board as it is comes first.
fn turns(n: usize) -> Vec<CellMap> {
    let mut turns: Vec<CellMap> = vec![(0..(n * n) as u16).collect()];
    let mut next = 0;
    while next < turns.len() {
        for generator in Symmetry::Full.moves(n) {
            let turn: CellMap = generator.iter().map(|&cell| turns[next][cell]).collect();
            if !turns.contains(&turn) {
                turns.push(turn);
            }
        }
        next += 1;
    }
    turns
}

/// Partial maps. Each is a chain of choices, never composed. Chain 0 keeps all cells; chain i + 1 is entry i.
struct Chains<'a>(Vec<Choice<'a>>);

struct Choice<'a> {
    /// The chain of the choices before.
    before: usize,
    /// The choice of the newest level.
    map: &'a CellMap,
}

/// A partial map, and the names of the digits that it has met.
struct PartialMap {
    chain: usize,
    names: Names,
}

/// A partial map with one more cell: a choice after a chain.
struct Extension<'a> {
    chain: usize,
    choice: &'a CellMap,
    names: Names,
}

impl<'a> Chains<'a> {
    /// The number of a chain with one more choice.
    fn push(&mut self, before: usize, map: &'a CellMap) -> usize {
        self.0.push(Choice { before, map });
        self.0.len()
    }

    /// The cell that a chain brings to a place.
    fn source(&self, mut chain: usize, mut place: usize) -> usize {
        while chain > 0 {
            let Choice { before, map } = &self.0[chain - 1];
            (chain, place) = (*before, map[place].into());
        }
        place
    }
}

/// The names of digits in the order in which they appear.
#[derive(Clone, Copy, Default)]
struct Names {
    /// The name of each value; 0 if it has none yet.
    names: [u8; super::rules::MAX_ORDER + 1],
    count: u8,
}

impl Names {
    /// The name of a value, from 1. A value without a name gets the next one.
    fn of(&mut self, value: u16) -> u16 {
        let name = &mut self.names[usize::from(value)];
        if *name == 0 {
            self.count += 1;
            *name = self.count;
        }
        (*name).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of X and windoku are published (Mathimagics, The New Sudoku Players' Forum, t34959 and t35002), and
    /// that of disjoint groups is 6⁴ · 8. With the groups that they imply, windows can take the place of boxes: twice
    /// 128, and twice 16.
    #[test]
    fn layouts_have_as_many_maps_as_are_known() {
        let known = [
            ("x", 96),
            ("diagonal", 2_592),
            ("windoku", 256),
            ("windoku+x", 32),
            ("disjoint", 10_368),
            ("asterisk", 32),
            ("girandola", 32),
            ("centre-dot", 4_608),
            ("anti-knight", 8),
            ("anti-king", 8),
        ];
        let found = known.map(|(variants, _)| (variants, Maps::of(Shape::NINE.with(variants).unwrap()).count()));
        assert_eq!(found, known);
    }
}
