//! Reads the objects of SudokuPad.

use serde_json::Value;

use super::{Object, full_grid, regions_of_cells, shape_of_regions, wrong};
use crate::board::text::wanted::Entry;
use crate::board::{Grid, Reason};

/// What a puzzle may say beside rules.
const PUZZLE: &str = "id cellSize cs";

pub(super) fn read(mut puzzle: Object) -> Result<Entry, Reason> {
    let has_short_names = puzzle.0.contains_key("ce");
    let [rows, value, regions] = if has_short_names { ["ce", "v", "re"] } else { ["cells", "value", "regions"] };
    let order = puzzle.0[rows].as_array().map_or(0, Vec::len);
    let mut values = Vec::new();
    for mut cell in puzzle.take_cells(rows, order)? {
        values.push(cell.take_digit(value)?);
        cell.end("given")?;
    }
    check_cages(&mut puzzle)?;
    Object(puzzle.take("settings")?).end("conflictchecker nogrid")?;
    let regions: Option<Vec<Vec<[usize; 2]>>> = puzzle.take(regions)?;
    if regions.as_ref().is_some_and(Vec::is_empty) {
        return Err(wrong("it says that it has no boxes ('regions' is empty)"));
    }
    let region_of_cell = regions_of_cells(order, &regions.unwrap_or_default());
    let region_of_cell = region_of_cell.ok_or_else(|| wrong("a region leaves the board"))?;
    let solution = puzzle.take_metadata("metadata")?.or(puzzle.take_metadata("md")?);
    puzzle.end(PUZZLE)?;
    let shape = shape_of_regions(order, &region_of_cell)?;
    let solution = solution.and_then(|solution| full_grid(shape, &[solution]));
    Ok(Entry { solution, ..Entry::new(1, Grid::new(shape, values)?) })
}

/// Takes the cages. One without a sum, of at most one cell or of the type of a row or column, is no rule.
fn check_cages(puzzle: &mut Object) -> Result<(), Reason> {
    for mut cage in puzzle.take_objects("cages")? {
        let cells: Vec<Value> = cage.take("cells")?;
        let kind: String = cage.take("type")?;
        if cells.len() > 1 && kind != "rowcol" {
            return Err(wrong("it is a variant with the rule 'cages'"));
        }
        cage.end("unique hidden style")?;
    }
    Ok(())
}
