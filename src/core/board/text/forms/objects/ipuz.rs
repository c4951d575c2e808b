//! Reads the objects of ipuz.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::lists::board_of_lists;
use super::{Object, is_set, regions_of_cells, shape_of_regions, wrong};
use crate::board::text::cells::Signs;
use crate::board::text::symbols::SYMBOLS;
use crate::board::text::wanted::{Entry, Wanted};
use crate::board::{Grid, Reason, Shape};
use crate::page::numbers::counted;

/// What a puzzle may say beside rules.
const PUZZLE: &str = "version kind copyright publisher publication url uniqueid title intro explanation annotation author editor \
                      date notes difficulty origin block styles checksum charset displaycharset empty boxes \
                      showoperators dimensions puzzle solution saved zones volatile own_level";
/// The kinds whose rules are rows, columns, and boxes or zones.
const KINDS: [&str; 3] = ["sudoku", "sudoku/jigsawsudoku", "sudoku/wordoku"];

pub(super) fn read(puzzle: &Map<String, Value>, wanted: &Wanted) -> Result<Entry, Reason> {
    check_kind(puzzle.get("kind"))?;
    Object(puzzle.clone()).end(PUZZLE)?;
    let said = Wanted { shape: shape_said(puzzle)?.or(wanted.shape), signs: signs_said(puzzle) };
    let grid = board_of_key(puzzle, "puzzle", &said)?;
    let solution = board_of_key(puzzle, "solution", &said)?;
    let order = grid.as_ref().or(solution.as_ref()).map_or(0, |grid| grid.shape().order());
    for name in ["width", "height"] {
        let side = puzzle.get("dimensions").and_then(|sides| sides.get(name)?.as_u64());
        if side.is_some_and(|side| side != order as u64) {
            let rows = counted(order, "row");
            return Err(wrong(format!("its dimensions are not those of its board, which has {rows}")));
        }
    }
    match (grid, solution) {
        (Some(grid), solution) => Ok(Entry { solution, ..Entry::new(1, grid) }),
        (None, Some(solution)) => Ok(Entry::new(1, solution)),
        (None, None) => Err(wrong("it has neither a puzzle nor a solution")),
    }
}

/// Refuses a kind with other rules, such as that of Sudoku with diagonals.
fn check_kind(kind: Option<&Value>) -> Result<(), Reason> {
    let kinds = match kind {
        Some(Value::Array(kinds)) => &kinds[..],
        kind => kind.map_or(&[][..], std::slice::from_ref),
    };
    for kind in kinds.iter().filter_map(Value::as_str) {
        let name = kind.rsplit_once("ipuz.org/").map_or(kind, |(_, name)| name);
        let name = name.split('#').next().unwrap_or(name);
        if !KINDS.contains(&name) {
            return Err(wrong(format!("it is of the kind '{name}', which is not known here")));
        }
    }
    Ok(())
}

/// The signs of digits and of empty cells. Only digits that are not the usual ones need to be told.
fn signs_said(puzzle: &Map<String, Value>) -> Signs {
    let digits = puzzle.get("charset").and_then(Value::as_str);
    let digits = digits.filter(|digits| !SYMBOLS[1..].starts_with(*digits)).map(Arc::from);
    let empty = match puzzle.get("empty") {
        Some(Value::String(text)) => text.chars().next(),
        Some(Value::Number(_)) => Some('0'),
        _ => None,
    };
    Signs { digits, empty }
}

/// The shape that zones say; None if there are only boxes, or if nothing is said.
fn shape_said(puzzle: &Map<String, Value>) -> Result<Option<Shape>, Reason> {
    let has_boxes = puzzle.get("boxes").is_some_and(is_set);
    let Some(zones) = puzzle.get("zones") else {
        if puzzle.contains_key("boxes") && !has_boxes {
            return Err(wrong("it has neither boxes nor zones"));
        }
        return Ok(None);
    };
    // Beside boxes, zones are further rules.
    let shape = if has_boxes { None } else { shape_of_zones(zones) };
    shape.map(Some).ok_or_else(|| wrong("its zones are neither boxes nor the regions of a jigsaw"))
}

/// A part of a board. Numbers are from 0.
#[derive(Deserialize)]
struct Zone {
    /// Left, top, right, bottom.
    rect: Option<[usize; 4]>,
    /// Columns and rows.
    #[serde(default)]
    cells: Vec<[usize; 2]>,
}

/// The shape whose boxes or regions are the zones. None if there is none.
fn shape_of_zones(zones: &Value) -> Option<Shape> {
    let zones: Vec<Zone> = serde_json::from_value(zones.clone()).unwrap_or_default();
    let order = zones.len().min(Shape::MAX_SOLVABLE_ORDER);
    let mut regions = Vec::new();
    for zone in zones {
        let mut cells: Vec<[usize; 2]> = zone.cells.iter().map(|&[column, row]| [row, column]).collect();
        if let Some([left, top, right, bottom]) = zone.rect {
            for row in top..=bottom.min(order) {
                cells.extend((left..=right.min(order)).map(|column| [row, column]));
            }
        }
        regions.push(cells);
    }
    let region_of_cell = regions_of_cells(order, &regions)?;
    let is_whole = !region_of_cell.is_empty() && region_of_cell.iter().all(Option::is_some);
    if is_whole { shape_of_regions(order, &region_of_cell).ok() } else { None }
}

/// The board that a key holds; None if the key is missing or null.
fn board_of_key(puzzle: &Map<String, Value>, key: &str, said: &Wanted) -> Result<Option<Grid>, Reason> {
    match puzzle.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(board) => board_of_lists(board, said).map(Some).map_err(|reason| wrong(format!("{key}: {reason}"))),
    }
}
