//! Shapes with variants, by their names: rows of the table [`VARIANTS`], and regions of the user's own.
//!
//! ```text
//!   3x3+x           both diagonals               \ . .         x and windoku are houses: they hold every digit once.
//!   3x3+x+windoku   diagonals and windows        . w w         Anti-knight and anti-king are pairs of cells that see
//!   2x3+disjoint    a group for each place       . w w         each other without being in one house.
//!   4+jigsaw:AAABACBBCCBDCDDD                    A A A B       Regions of any form in place of boxes.
//! ```
//!
//! A variant may imply more houses than people draw: besides four windows, windoku has five groups with every digit.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::rules::{DrawnAs, Extra, MAX_ORDER, MOST_EXTRAS, Pair, Rules, letters};
use super::{Cell, HouseKind, Reason, Shape};
use crate::names::UnknownName;
use table::{ANY_JIGSAW, OF_JIGSAW, REGIONS};
pub use table::{VARIANTS, VariantInfo};

mod table;

/// The most different rules that one run of the program may name. Each takes some kilobytes, and none is given back.
const MOST_RULES: usize = 25_000;
/// Begins a region of the user's own: "extra:r2c2r2c3..".
const EXTRA: &str = "extra:";
/// Begins the regions of a jigsaw, a letter for each cell: "jigsaw:AAABBB..".
const JIGSAW: &str = "jigsaw:";

/// Every variant, and the regions of the user's own.
pub fn all() -> impl Iterator<Item = &'static VariantInfo> {
    VARIANTS.iter().chain([&REGIONS, &OF_JIGSAW])
}

/// The variants of a shape.
pub fn of(shape: Shape) -> impl Iterator<Item = &'static VariantInfo> {
    all().filter(move |info| match info.name {
        ANY_JIGSAW => shape.regions().is_some(),
        name => shape.rules().is_some_and(|rules| rules.variants.contains(&name)),
    })
}

/// The name of a board of which cell i is cell `turn[i]` of another one, for one of the eight turns. Only sides of
/// boxes, regions and diagonals change with a turn. Regions of the user's own that are a variant get its name.
pub(crate) fn turned(shape: Shape, turn: &[u16]) -> String {
    let is_transposed = turn[1].abs_diff(turn[0]) != 1;
    let (boxes, plain) = match shape.regions() {
        Some(regions) => {
            let regions: Vec<u8> = turn.iter().map(|&cell| regions[usize::from(cell)]).collect();
            // Of the variants, only diagonals are for jigsaws, whatever their regions are.
            (format!("{}+{JIGSAW}{}", shape.order(), letters(&in_order(&regions))), shape.plain())
        }
        None if is_transposed => (shape.transposed().to_string(), shape.transposed()),
        None => (shape.plain().to_string(), shape.plain()),
    };
    let mut names = Vec::new();
    for info in of(shape).filter(|info| info.name != ANY_JIGSAW && info.name != REGIONS.name) {
        let name = match info.name {
            "diagonal" | "antidiagonal" => match turned_houses(shape, turn, info.name)[0][0] {
                first if first == Cell::new(0) => "diagonal",
                _ => "antidiagonal",
            },
            name => name,
        };
        names.push(name.to_owned());
    }
    names.extend(names_of_regions(plain, turned_houses(shape, turn, REGIONS.name), |_| true));
    names.sort_by_cached_key(|name| {
        let place = VARIANTS.iter().position(|info| info.name == name);
        (place.unwrap_or(VARIANTS.len()), name.clone())
    });
    std::iter::once(boxes).chain(names).collect::<Vec<String>>().join("+")
}

/// The houses of a variant on a board that is turned: see [`turned`].
fn turned_houses(shape: Shape, turn: &[u16], variant: &str) -> Vec<Vec<Cell>> {
    let mut houses = Vec::new();
    for extra in shape.rules().into_iter().flat_map(|rules| &rules.extras).filter(|extra| extra.variant == variant) {
        let image = (0..shape.cells()).filter(|&cell| extra.cells.contains(&turn[cell]));
        houses.push(image.map(Cell::new).collect());
    }
    houses
}

/// Some signs as numbers from 0 in the order in which they appear. Of more than 256 different ones, some share a number.
fn in_order<T: Copy + PartialEq>(signs: &[T]) -> Vec<u8> {
    let mut different: Vec<T> = Vec::new();
    let mut numbers = Vec::with_capacity(signs.len());
    for &sign in signs {
        let number = different.iter().position(|&earlier| earlier == sign).unwrap_or(different.len());
        if number == different.len() {
            different.push(sign);
        }
        numbers.push(number as u8);
    }
    numbers
}

/// The names of the variants that `takes` chooses and whose houses, without implied ones, are all among some regions,
/// and the regions that are left, as lists of cells such as [`Shape::with`] reads.
pub(super) fn names_of_regions(
    plain: Shape,
    mut regions: Vec<Vec<Cell>>,
    takes: impl Fn(&VariantInfo) -> bool,
) -> Vec<String> {
    regions.iter_mut().for_each(|cells| cells.sort_unstable());
    regions.sort();
    let mut names_of_variants = Vec::new();
    for info in VARIANTS.iter().filter(|info| takes(info)) {
        let mut houses = info.houses_of(plain).unwrap_or_default();
        if info.implies {
            houses.truncate(drawn_windows(plain));
        }
        if !houses.is_empty() && houses.iter().all(|cells| regions.contains(cells)) {
            regions.retain(|cells| !houses.contains(cells));
            names_of_variants.push(info.name.to_owned());
        }
    }
    names_of_variants.extend(regions.iter().map(|cells| format!("{EXTRA}{}", names(plain, cells))));
    names_of_variants
}

fn drawn_windows(plain: Shape) -> usize {
    (plain.box_rows() - 1).pow(2)
}

impl Shape {
    /// The shape of a text before its first plus (an order, or boxes) and of a list of variants after it.
    pub(super) fn named(
        order: Option<&str>,
        boxes: impl FnOnce() -> Result<Shape, Reason>,
        list: &str,
    ) -> Result<Shape, Reason> {
        let is_jigsaw = |name: &&str| name.trim() == ANY_JIGSAW || name.trim().starts_with(JIGSAW);
        let Some(jigsaw) = list.split('+').find(is_jigsaw) else { return boxes()?.with(list) };
        let order = order.and_then(|order| order.trim().parse().ok());
        let shape = match jigsaw.trim().strip_prefix(JIGSAW) {
            Some(regions) => Shape::of_regions(regions)?,
            None => Shape::any_jigsaw(order.unwrap_or(0))?,
        };
        if order != Some(shape.order()) {
            let (order, cells) = (shape.order(), shape.cells());
            return Err(Reason(format!(
                "{cells} cells of regions make a board of order {order}: write {order}+{JIGSAW}.."
            )));
        }
        let rest: Vec<&str> = list.split('+').filter(|name| !is_jigsaw(name)).collect();
        if rest.is_empty() { Ok(shape) } else { shape.with(&rest.join("+")) }
    }

    /// The board that stands for all jigsaws of an order, see [`Shape::is_any_jigsaw`].
    ///
    /// # Errors
    /// If the order is not 4 to 16.
    pub(crate) fn any_jigsaw(order: usize) -> Result<Shape, Reason> {
        if !(4..=MAX_ORDER).contains(&order) {
            return Err(Reason(format!("jigsaws have orders 4 to {MAX_ORDER}")));
        }
        // Its regions are the rows, which no jigsaw may have.
        Shape::with_regions(order, ANY_JIGSAW.to_owned(), (0..order * order).map(|cell| (cell / order) as u8).collect())
    }

    /// A jigsaw of these regions with the further rules of this shape.
    ///
    /// # Errors
    /// Like [`Shape::of_regions`].
    pub fn with_drawn(self, regions: &[u8]) -> Result<Shape, Reason> {
        let shape = Shape::of_region_signs(regions)?;
        self.rules().and_then(Rules::without_regions).map_or(Ok(shape), |list| shape.with(list))
    }

    /// The jigsaw of these regions, one number for each cell. `name` is the name of its rules: "jigsaw:AAAB..".
    fn with_regions(order: usize, name: String, regions: Vec<u8>) -> Result<Shape, Reason> {
        let rules = interned(RulesKey { box_rows: 1, box_columns: order, name }, |name| {
            let regions: Option<&'static [u8]> = Some(Box::leak(regions.into_boxed_slice()));
            Ok(Rules { name, regions, regions_only: None, variants: Vec::new(), extras: Vec::new(), pairs: Vec::new() })
        })?;
        Ok(Shape::jigsaw(order, rules))
    }

    /// The board whose boxes are regions: a letter or another sign for each cell, row by row, n cells for each of n
    /// signs. Which signs they are does not matter. Regions that are rectangular boxes make a plain board.
    ///
    /// # Errors
    /// If the cells do not make regions of a board of order 4 to 16.
    pub fn of_regions(text: &str) -> Result<Shape, Reason> {
        let signs: Vec<char> = text.trim().chars().collect();
        Shape::of_region_signs(&signs).map_err(|Reason(why)| Reason(format!("'{text}': {why}")))
    }

    /// Like [`Shape::of_regions`], from signs of any type.
    pub(super) fn of_region_signs<T: Copy + PartialEq>(signs: &[T]) -> Result<Shape, Reason> {
        let wrong = |why: &str| Err(Reason(format!("these are not the regions of a jigsaw: {why}")));
        let n = signs.len().isqrt();
        if !(4..=Shape::MAX_SOLVABLE_ORDER).contains(&n) || n * n != signs.len() {
            return wrong("write a letter for each cell of a board of order 4 to 16");
        }
        let regions = in_order(signs);
        let count = regions.iter().max().map_or(0, |&last| usize::from(last) + 1);
        if count != n || (0..n as u8).any(|region| regions.iter().filter(|number| **number == region).count() != n) {
            return wrong(&format!("{n} regions have {n} cells each"));
        }
        for plain in Shape::all(n).into_iter().filter(|shape| shape.order() == n) {
            if (0..n * n).all(|cell| plain.box_of(cell / n, cell % n) == usize::from(regions[cell])) {
                return Ok(plain);
            }
        }
        if n > MAX_ORDER {
            return wrong("above order 16 only boxes are known");
        }
        if regions.chunks(n).all(|row| row.iter().all(|&region| region == row[0])) {
            return wrong("they are the rows");
        }
        Shape::with_regions(n, format!("{JIGSAW}{}", letters(&regions)), regions)
    }

    /// The same boxes, or regions, with the variants of a list such as "x+windoku", in any order.
    ///
    /// # Errors
    /// If a name is unknown, if the board cannot have the variant, or if a variant demands nothing new.
    pub fn with(self, list: &str) -> Result<Shape, Reason> {
        let plain = self.plain();
        if plain.order() > MAX_ORDER {
            return Err(Reason(format!("boards above order {MAX_ORDER} have no variants ({})", plain.board())));
        }
        let (mut named, mut regions) = (Vec::new(), Vec::new());
        for name in list.split('+').map(str::trim) {
            if let Some(cells) = name.strip_prefix(EXTRA) {
                regions.push(region(plain, cells)?);
            } else if VARIANTS.iter().any(|info| info.name == name) {
                named.push(name);
            } else {
                return Err(unknown_variant(name));
            }
        }
        // Both diagonals are x.
        if ["diagonal", "antidiagonal"].iter().all(|diagonal| named.contains(diagonal)) {
            named.retain(|name| !["diagonal", "antidiagonal"].contains(name));
            named.push("x");
        }
        let infos: Vec<_> = VARIANTS.iter().filter(|info| named.contains(&info.name)).collect();
        regions.sort();
        let mut list: Vec<String> = infos.iter().map(|info| info.name.to_owned()).collect();
        list.extend(regions.iter().map(|cells| format!("{EXTRA}{}", names(plain, cells))));
        let name = list.join("+");
        let jigsaw = plain.rules().map(|rules| format!("{rules}+")).unwrap_or_default();
        let (box_rows, box_columns, name) = (plain.box_rows(), plain.box_columns(), format!("{jigsaw}{name}"));
        let rules = interned(RulesKey { box_rows, box_columns, name }, |name| rules(plain, name, infos, regions))?;
        Ok(plain.ruled(rules))
    }
}

fn unknown_variant(name: &str) -> Reason {
    let names = VARIANTS.iter().map(|info| info.name).chain([EXTRA]);
    Reason(UnknownName::new("variant", name, names).to_string())
}

/// What tells rules from others: the sides of the boxes, and the name of the rules.
#[derive(PartialEq, Eq, Hash)]
struct RulesKey {
    box_rows: usize,
    box_columns: usize,
    name: String,
}

/// Equal rules are one object. `new` makes rules of their name.
fn interned(key: RulesKey, new: impl FnOnce(String) -> Result<Rules, Reason>) -> Result<&'static Rules, Reason> {
    static INTERNED: LazyLock<RwLock<HashMap<RulesKey, &'static Rules>>> = LazyLock::new(RwLock::default);
    if let Some(rules) = INTERNED.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(rules);
    }
    let rules = new(key.name.clone())?;
    let mut interned = INTERNED.write().unwrap_or_else(PoisonError::into_inner);
    if interned.len() >= MOST_RULES && !interned.contains_key(&key) {
        return Err(Reason(format!("more than {MOST_RULES} different variants in one run")));
    }
    Ok(interned.entry(key).or_insert_with(|| Box::leak(Box::new(rules))))
}

/// The rules of variants and of regions of the user's own, on a board without them.
fn rules(
    plain: Shape,
    name: String,
    infos: Vec<&'static VariantInfo>,
    regions: Vec<Vec<Cell>>,
) -> Result<Rules, Reason> {
    let (mut extras, mut pairs) = (Vec::new(), Vec::new());
    for info in &infos {
        let before = (extras.len(), pairs.len());
        let refused = || Reason(format!("'{}' is for {}, not for the {}", info.name, info.boards, plain.board()));
        for (number, cells) in info.houses_of(plain).ok_or_else(refused)?.into_iter().enumerate() {
            let is_drawn = !info.implies || number < drawn_windows(plain);
            let drawn = if is_drawn { info.drawn } else { DrawnAs::Nothing };
            add_house(&mut extras, info, number, &cells, drawn);
        }
        add_pairs(&mut pairs, plain, info);
        if before == (extras.len(), pairs.len()) {
            return Err(Reason(format!("'{}' demands nothing beyond the rest of '{name}'", info.name)));
        }
    }
    for (number, cells) in regions.into_iter().enumerate() {
        let is_plain_house = HouseKind::PLAIN.into_iter().any(|kind| {
            let house_number = cells[0].number(plain, kind);
            cells.iter().all(|cell| cell.number(plain, kind) == house_number)
        });
        if is_plain_house || !add_house(&mut extras, &REGIONS, number, &cells, DrawnAs::Shade) {
            return Err(Reason(format!("region {} is another house too", names(plain, &cells))));
        }
    }
    let too_many = |cell: u16| extras.iter().filter(|extra| extra.cells.contains(&cell)).count() > MOST_EXTRAS;
    if (0..plain.cells() as u16).any(too_many) || extras.len() + 3 * plain.order() > 128 {
        return Err(Reason(format!("'{name}': at most {MOST_EXTRAS} more houses a cell, and 128 houses in all")));
    }
    let mut variants: Vec<&'static str> = infos.iter().map(|info| info.name).collect();
    variants.extend(extras.iter().any(|extra| extra.variant == REGIONS.name).then_some(REGIONS.name));
    Ok(Rules { name, regions: plain.regions(), regions_only: plain.rules(), variants, extras, pairs })
}

/// Adds a house of a variant, with its number from 0, unless another is the same. True if it was added.
fn add_house(extras: &mut Vec<Extra>, info: &VariantInfo, number: usize, cells: &[Cell], drawn: DrawnAs) -> bool {
    let cells: Vec<u16> = cells.iter().map(|cell| cell.index() as u16).collect();
    let is_new = extras.iter().all(|extra| extra.cells != cells);
    if is_new {
        extras.push(Extra { name: format!("{} {}", info.house, number + 1), variant: info.name, cells, drawn });
    }
    is_new
}

/// Adds the pairs of cells that see each other by a move of a variant, except those in one box.
fn add_pairs(pairs: &mut Vec<Pair>, plain: Shape, variant: &'static VariantInfo) {
    let n = plain.order();
    for cell in (0..plain.cells()).map(Cell::new) {
        for &(down, across) in variant.moves {
            let row = cell.row(plain).checked_add_signed(down).filter(|&row| row < n);
            let column = cell.column(plain).checked_add_signed(across).filter(|&column| column < n);
            if let (Some(row), Some(column)) = (row, column)
                && plain.box_of(row, column) != cell.box_index(plain)
            {
                let cells = [cell, Cell::at(plain, row, column)].map(|cell| cell.index() as u16);
                pairs.push(Pair { cells, variant: variant.name });
            }
        }
    }
}

/// The cells of a region: "r2c2r2c3..", one for each digit.
fn region(plain: Shape, text: &str) -> Result<Vec<Cell>, Reason> {
    let n = plain.order();
    let spaced = text.replace('r', " r");
    let cells = spaced.split_whitespace().map(|name| Cell::named(plain, name)).collect::<Option<Vec<Cell>>>();
    let mut cells = cells.unwrap_or_default();
    cells.sort_unstable();
    cells.dedup();
    let form = format!("'{text}' is not a region: write {n} different cells, such as r2c2r2c3");
    if cells.len() == n { Ok(cells) } else { Err(Reason(form)) }
}

/// The names of cells, one after the other: "r2c2r2c3".
fn names(plain: Shape, cells: &[Cell]) -> String {
    cells.iter().map(|cell| cell.name(plain)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Digit, Grid, Puzzle};

    fn nine(variants: &str) -> Shape {
        Shape::NINE.with(variants).unwrap()
    }

    #[test]
    fn equal_rules_are_one_and_names_have_one_order() {
        assert_eq!(nine("x+windoku"), nine("windoku+x"));
        assert_eq!(nine("windoku+x").to_string(), "3x3+x+windoku");
        assert_eq!(nine("antidiagonal+diagonal"), nine("x"));
        assert_ne!(nine("x"), Shape::NINE);
        assert_eq!(nine("x").plain(), Shape::NINE);
        assert_eq!(nine("x").board().to_string(), "9x9 board, 3x3 boxes, x");
        let own = "extra:r9c9r8c8r7c7r6c6r5c5r4c4r3c3r2c2r1c1";
        assert_eq!(nine(own).to_string(), "3x3+extra:r1c1r2c2r3c3r4c4r5c5r6c6r7c7r8c8r9c9");
    }

    #[test]
    fn houses_of_variants_have_n_different_cells() {
        for shape in Shape::all(MAX_ORDER) {
            for info in &VARIANTS {
                let Ok(variant) = shape.with(info.name) else { continue };
                for extra in &variant.rules().unwrap().extras {
                    assert_eq!(extra.cells.len(), shape.order(), "{variant} {}", extra.name);
                    assert!(extra.cells.is_sorted_by(|a, b| a < b), "{variant} {}", extra.name);
                }
            }
        }
        let windows = nine("windoku").rules().unwrap().extras.as_slice();
        assert_eq!((windows.len(), windows.iter().filter(|window| window.drawn == DrawnAs::Shade).count()), (9, 4));
    }

    #[test]
    fn regions_are_named_by_their_order_of_appearance() {
        let shape: Shape = "4+jigsaw:XXXBCXBBCCDBCDDD".parse().unwrap();
        assert_eq!(shape.to_string(), "4+jigsaw:AAABCABBCCDBCDDD");
        assert_eq!(shape, Shape::of_regions("1112312233423444").unwrap());
        assert_eq!(Shape::of_board("4x4+jigsaw:AAABCABBCCDBCDDD"), Ok(shape));
        assert_eq!((shape.order(), shape.box_of(1, 3), shape.is_plain(), shape.plain()), (4, 1, false, shape));
        assert_eq!(shape.board().to_string(), "4x4 board, jigsaw:AAABCABBCCDBCDDD");
        let x = shape.with("x").unwrap();
        assert_eq!((x.to_string(), x.plain()), ("4+jigsaw:AAABCABBCCDBCDDD+x".to_owned(), shape));
        assert_eq!("4+x+jigsaw:AAABCABBCCDBCDDD".parse(), Ok(x));
        assert_eq!(
            (x.kind().to_string(), x.kind().is_any_jigsaw(), x.is_any_jigsaw()),
            ("4+jigsaw+x".to_owned(), true, false)
        );
        assert_eq!("4+jigsaw:AABBAABBCCDDCCDD".parse::<Shape>().unwrap().to_string(), "2x2");
        for (text, reason) in [
            ("9+jigsaw:AAAB", "write a letter for each cell"),
            ("4+jigsaw:AAABCABBCCDBCDDC", "4 regions have 4 cells each"),
            ("4+jigsaw:AAAABBBBCCCCDDDD", "they are the rows"),
            ("5+jigsaw:AAABCABBCCDBCDDD", "16 cells of regions make a board of order 4"),
            ("4+jigsaw:AAABCABBCCDBCDDD+disjoint", "'disjoint' is for boards with boxes"),
            ("17+jigsaw", "jigsaws have orders 4 to 16"),
        ] {
            let error = text.parse::<Shape>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn what_a_board_cannot_have_is_refused_with_the_reason() {
        for (shape, variants, reason) in [
            ("3x3", "y", "unknown variant 'y'"),
            ("2x3", "windoku", "'windoku' is for boards with square boxes"),
            ("2x3", "asterisk", "'asterisk' is for boards of 3x3 boxes"),
            ("2x3", "centre-dot", "'centre-dot' is for boxes of odd sides"),
            ("3x3", "x+diagonal", "'diagonal' demands nothing beyond the rest"),
            ("3x3", "disjoint+centre-dot", "'centre-dot' demands nothing beyond the rest"),
            ("5x5", "x", "boards above order 16 have no variants"),
            ("3x3", "extra:r1c1", "'r1c1' is not a region: write 9 different cells"),
            (
                "3x3",
                "x+extra:r1c1r2c2r3c3r4c4r5c5r6c6r7c7r8c8r9c9",
                "region r1c1r2c2r3c3r4c4r5c5r6c6r7c7r8c8r9c9 is another",
            ),
        ] {
            let error = shape.parse::<Shape>().unwrap().with(variants).unwrap_err().to_string();
            assert!(error.starts_with(reason), "{shape}+{variants}: {error}");
        }
    }

    #[test]
    fn two_equal_digits_that_see_each_other_are_a_conflict() {
        for (variants, cells, message) in [
            ("x", [0, 80], "digit 5 stands twice in diagonal 1: r1c1 and r9c9"),
            ("windoku", [10, 30], "digit 5 stands twice in window 1: r2c2 and r4c4"),
            ("anti-knight", [12, 29], "digit 5 stands twice against anti-knight: r2c4 and r4c3"),
        ] {
            let mut grid = Grid::blank(nine(variants));
            cells.iter().for_each(|&cell| grid.set(Cell::new(cell), Some(Digit::new(5))));
            assert_eq!(Puzzle::try_from(grid).unwrap_err().to_string(), message);
        }
    }
}
