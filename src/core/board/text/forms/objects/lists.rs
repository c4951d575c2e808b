//! Reads boards that are lists of JSON: of cells, or of rows.

use serde_json::Value;

use super::wrong;
use crate::board::text::cells::CellText;
use crate::board::text::wanted::{PlacedCell, Wanted};
use crate::board::{Grid, Reason};

/// The board of a list of cells, or of rows of cells.
pub(super) fn board_of_lists(json: &Value, wanted: &Wanted) -> Result<Grid, Reason> {
    let mut cells = Vec::new();
    for word in board_text(json)?.split_whitespace() {
        cells.push(PlacedCell { line: 1, column: 1, text: CellText::of(word).ok_or_else(no_board)? });
    }
    let shape = wanted.shape_of_cells(cells.len()).ok_or_else(|| wanted.no_board(cells.len()))?;
    wanted.board(shape, &cells).map_err(|error| error.reason)
}

/// The text of a board of JSON: a text, a list of cells, or a list of rows. It has a line for each row.
///
/// # Errors
/// The value is none of these.
pub fn board_text(json: &Value) -> Result<String, Reason> {
    let Value::Array(list) = json else { return json.as_str().map(str::to_owned).ok_or_else(no_board) };
    let text =
        cells_text(list).or_else(|| Some(list.iter().map(row_text).collect::<Option<Vec<String>>>()?.join("\n")));
    text.filter(|text| !text.is_empty()).ok_or_else(no_board)
}

fn no_board() -> Reason {
    wrong("no board: a board is a text, a list of cells, or a list of rows")
}

fn row_text(row: &Value) -> Option<String> {
    match row {
        Value::Array(cells) => cells_text(cells),
        Value::String(text) => Some(text.clone()).filter(|text| !text.contains('\n')),
        _ => None,
    }
}

fn cells_text(cells: &[Value]) -> Option<String> {
    Some(cells.iter().map(cell_text).collect::<Option<Vec<String>>>()?.join(" "))
}

/// The text of a cell: a number, a sign, null, or what ipuz has for a cell with a style. None for what is no cell.
fn cell_text(cell: &Value) -> Option<String> {
    const EMPTY: &str = "null";
    match cell {
        Value::Null => Some(EMPTY.to_owned()),
        Value::Number(number) => {
            let number = number.as_f64().filter(|number| number.fract() == 0.0 && (-1.0..=999.0).contains(number))?;
            Some(format!("{number}"))
        }
        Value::String(text) if text.is_empty() || text == " " => Some(EMPTY.to_owned()),
        Value::String(text) if text.chars().count() <= 3 && !text.contains(char::is_whitespace) => Some(text.clone()),
        Value::Object(object) if object.is_empty() => Some(EMPTY.to_owned()),
        // The region of a jigsaw would be lost.
        Value::Object(object) if object.contains_key("region") => None,
        Value::Object(object) => ["cell", "value"].iter().find_map(|name| object.get(*name)).and_then(cell_text),
        _ => None,
    }
}
