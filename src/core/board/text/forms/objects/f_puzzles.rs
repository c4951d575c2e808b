//! Reads the objects of f-puzzles.

use serde_json::Value;

use super::{Object, full_grid, shape_of_regions, wrong};
use crate::board::text::wanted::Entry;
use crate::board::variants::{VARIANTS, names_of_regions};
use crate::board::{Cell, Grid, Reason, Shape};

/// The key for houses of any cells.
const HOUSES: &str = "extraregion";
/// What a puzzle, and a cell, may say beside rules.
const PUZZLE: &str = "title author date own_level ruleset disabledlogic truecandidatesoptions successMessage \
                      highlightConflicts";
const CELL: &str = "c highlight highlights centerPencilMarks cornerPencilMarks";

pub(super) fn read(mut puzzle: Object) -> Result<Entry, Reason> {
    let order = puzzle.take("size")?;
    let cells = puzzle.take_cells("grid", order)?;
    // A cell without a region is in its usual box. A jigsaw of 5x5 has none.
    let usual = Shape::of_order(order).ok();
    let mut values = Vec::new();
    let mut regions = Vec::new();
    for (place, mut cell) in cells.into_iter().enumerate() {
        let digit = cell.take_digit("value")?;
        let is_given = cell.take("given")?;
        values.push(if is_given { digit } else { 0 });
        let region: Option<usize> = cell.take("region")?;
        regions.push(region.or_else(|| Some(usual?.box_of(place / order, place % order))));
        cell.end(CELL)?;
    }
    let shape = take_variants(&mut puzzle, shape_of_regions(order, &regions)?)?;
    let solution: Vec<Value> = puzzle.take("solution")?;
    puzzle.take_metadata("metadata")?;
    check_texts(&mut puzzle)?;
    puzzle.end(PUZZLE)?;
    Ok(Entry { solution: full_grid(shape, &solution), ..Entry::new(1, Grid::new(shape, values)?) })
}

/// The shape with the variants that keys name.
fn take_variants(puzzle: &mut Object, shape: Shape) -> Result<Shape, Reason> {
    let mut names = Vec::new();
    for variant in VARIANTS.iter() {
        // X has the keys of both diagonals, and both together make it.
        if let &[key] = variant.f_puzzles
            && puzzle.take(key)?
        {
            names.push(variant.name.to_owned());
        }
    }
    let mut houses = Vec::new();
    for mut house in puzzle.take_objects(HOUSES)? {
        let names: Vec<String> = house.take("cells")?;
        house.end("")?;
        let cells: Option<Vec<Cell>> = names.iter().map(|name| Cell::named(shape, name)).collect();
        houses.push(cells.filter(|cells| !cells.is_empty()).ok_or_else(|| wrong("a region has no cells"))?);
    }
    names.extend(names_of_regions(shape, houses, |info| info.f_puzzles.is_empty()));
    if names.is_empty() { Ok(shape) } else { shape.with(&names.join("+")) }
}

/// Takes the texts that are drawn on or beside a board. A number or a sign may be a clue, words are none.
fn check_texts(puzzle: &mut Object) -> Result<(), Reason> {
    for mut text in puzzle.take_objects("text")? {
        let value: String = text.take("value")?;
        let is_name = ["title", "author"].iter().any(|key| puzzle.0.get(*key).and_then(Value::as_str) == Some(&value));
        let letters = value.chars().filter(|sign| sign.is_alphabetic()).count();
        if !is_name && !value.is_empty() && (letters < 2 || value.contains(char::is_numeric)) {
            return Err(wrong(format!("it is a variant with the rule 'text' ({value:?}), which is not known here")));
        }
    }
    Ok(())
}
