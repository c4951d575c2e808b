//! Reads puzzles as f-puzzles and SudokuPad keep them: JSON, packed by lz-string in base 64 in links.
//!
//! ```text
//! https://f-puzzles.com/?load=N4IgzglgXgpiBcBOA..  f-puzzles
//! https://sudokupad.app/fpuzzlesN4IgzglgXgpiBc..   the same; also without the address, or with the packed text alone
//! https://sudokupad.app/sclN4IgzglgXgpiBcBOANCAd.. SudokuPad: other JSON, packed in the same way
//! {id:'x',ce:[[{v:5},,..]]}                        its short form: names without quotes, nothing for an empty cell
//! ```

use serde_json::{Map, Value};

use crate::board::variants::{VARIANTS, names_of_regions};
use crate::board::{Cell, Grid, Reason, Shape};

/// The longest link that is read. The length of the unpacked text can be the square of this.
const LONGEST_LINK: usize = 20_000;

/// The board of a link to f-puzzles or SudokuPad; None for other words.
pub(super) fn linked(word: &str) -> Option<Result<Grid, Reason>> {
    let is_link = word.starts_with("http");
    let marks = ["?load=", "puzzleid=fpuzzles", "puzzleid=scl", "/fpuzzles", "/scl"];
    let in_link = marks.iter().find_map(|mark| word.split_once(mark).filter(|_| is_link).map(|(_, packed)| packed));
    // What every packed object with a known first name begins with.
    let is_packed = |packed: &str| packed.starts_with("N4I") && packed.len() >= 64;
    let bare = || {
        let packed = word.strip_prefix("fpuzzles").or_else(|| word.strip_prefix("scl")).unwrap_or(word);
        (!is_link && is_packed(packed)).then_some(packed)
    };
    let packed = in_link.or_else(bare)?;
    let found = unpacked(packed.split('&').next().unwrap_or(packed));
    Some(
        found
            .and_then(|puzzle| of_object(&puzzle).unwrap_or_else(|| Err(Reason("it holds no puzzle".to_owned()))))
            .map_err(|Reason(reason)| Reason(format!("the link to a puzzle cannot be read: {reason}"))),
    )
}

/// Why a link is no board.
fn wrong(reason: &str) -> Reason {
    Reason(reason.to_owned())
}

/// The JSON object that is packed in a link.
fn unpacked(packed: &str) -> Result<Map<String, Value>, Reason> {
    if packed.len() > LONGEST_LINK {
        return Err(wrong("it is longer than 20,000 characters"));
    }
    let plain = packed.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=").replace(' ', "+");
    let units = lz_str::decompress_from_base64(&plain).ok_or_else(|| wrong("it cannot be unpacked"))?;
    let json = String::from_utf16(&units).map_err(|_| wrong("it cannot be unpacked"))?;
    serde_json::from_str(&json)
        .or_else(|_| serde_json::from_str(&with_quotes(&json)))
        .map_err(|_| wrong("it holds no puzzle"))
}

/// JSON from the short form of SudokuPad: quotes around names, and `null` for what is left out of a list.
fn with_quotes(short: &str) -> String {
    let mut json = String::with_capacity(2 * short.len());
    let mut signs = short.chars().peekable();
    let mut open = Vec::new();
    // True if nothing stands behind the last bracket or comma.
    let mut empty = false;
    while let Some(sign) = signs.next() {
        let in_list = open.last() == Some(&'[');
        match sign {
            '\'' | '"' => {
                json.push('"');
                while let Some(next) = signs.next_if(|next| *next != sign) {
                    match next {
                        '\\' => match signs.next() {
                            Some('\'') => json.push('\''),
                            Some(escaped) => json.extend(['\\', escaped]),
                            None => {}
                        },
                        '"' => json.push_str("\\\""),
                        _ => json.push(next),
                    }
                }
                signs.next();
                json.push('"');
            }
            // A missing item; `[]` has none.
            ',' | ']' if in_list && empty && !(sign == ']' && json.ends_with('[')) => {
                json.push_str("null");
                json.push(sign);
            }
            _ if sign.is_alphabetic() || sign == '_' => {
                let mut word = String::from(sign);
                while let Some(next) = signs.next_if(|next| next.is_alphanumeric() || *next == '_') {
                    word.push(next);
                }
                let is_name = !in_list && signs.peek() == Some(&':');
                json.push_str(&if is_name { format!("{word:?}") } else { word });
            }
            _ => json.push(sign),
        }
        match sign {
            '{' | '[' => open.push(sign),
            '}' | ']' => drop(open.pop()),
            _ => {}
        }
        empty = matches!(sign, '[' | ',');
    }
    json
}

/// The board of an object of f-puzzles or SudokuPad; None for other objects. A rule that is not known here is an error.
pub fn of_object(puzzle: &Map<String, Value>) -> Option<Result<Grid, Reason>> {
    let has_rows =
        |name: &str| puzzle.get(name).and_then(Value::as_array).is_some_and(|rows| rows.iter().all(Value::is_array));
    match () {
        () if has_rows("grid") && puzzle.contains_key("size") => Some(f_puzzles(puzzle)),
        () if has_rows("cells") => Some(sudoku_pad(puzzle, "cells", "regions", "value")),
        () if has_rows("ce") => Some(sudoku_pad(puzzle, "ce", "re", "v")),
        () => None,
    }
}

/// The board of an object of f-puzzles.
fn f_puzzles(puzzle: &Map<String, Value>) -> Result<Grid, Reason> {
    // Texts are cosmetic.
    const HARMLESS: &str = "size title author ruleset grid solution disabledlogic truecandidatesoptions metadata successMessage \
                            highlightConflicts negative text";
    let order = puzzle.get("size").and_then(Value::as_u64).unwrap_or(0) as usize;
    let is_given = |cell: &Value| cell.get("given").and_then(Value::as_bool) == Some(true);
    let is_known = |key: &str| key == REGIONS || VARIANTS.iter().any(|variant| variant.f_puzzles.contains(&key));
    let (rules, puzzle): (Map<_, _>, Map<_, _>) =
        puzzle.iter().map(|(key, value)| (key.clone(), value.clone())).partition(|(key, _)| is_known(key));
    let grid = board(&puzzle, HARMLESS, ("grid", "value"), order, is_given, |cells| {
        // A cell without a region is in its usual box.
        let usual = Shape::of_order(order).ok();
        let region = |(at, cell): (usize, &&Value)| match cell.get("region") {
            None => Some(usual?.box_of(at / order, at % order) as u64),
            Some(region) => region.as_u64(),
        };
        Ok(cells.iter().enumerate().map(region).collect())
    })?;
    ruled(grid, &rules)
}

/// The key of f-puzzles for houses of any cells.
const REGIONS: &str = "extraregion";

/// The same grid on a board with the rules of some keys of f-puzzles.
fn ruled(grid: Grid, rules: &Map<String, Value>) -> Result<Grid, Reason> {
    let shape = grid.shape();
    let is_set = |key: &&str| rules.get(*key).and_then(Value::as_bool) == Some(true);
    // X has the keys of both diagonals, and both together make it.
    let keys = VARIANTS.iter().filter(|variant| variant.f_puzzles.len() == 1);
    let mut names: Vec<String> =
        keys.filter(|variant| variant.f_puzzles.iter().all(is_set)).map(|variant| variant.name.to_owned()).collect();
    let regions = rules.get(REGIONS).and_then(Value::as_array).into_iter().flatten();
    let cells = |region: &Value| -> Option<Vec<Cell>> {
        let cells = region.get("cells")?.as_array()?.iter();
        cells.map(|cell| Cell::named(shape, cell.as_str()?)).collect()
    };
    let regions = regions.map(|region| cells(region).ok_or_else(|| wrong("a region has no cells")));
    names.extend(names_of_regions(shape, regions.collect::<Result<_, _>>()?));
    if names.is_empty() {
        return Ok(grid);
    }
    let shape = shape.with(&names.join("+")).map_err(|error| wrong(&error.0))?;
    Grid::new(shape, grid.values().to_vec())
}

/// The board of an object of SudokuPad. The names of its keys are given, because its short form has other names: of the
/// rows of cells, of the regions, and of the value of a cell.
fn sudoku_pad(puzzle: &Map<String, Value>, rows: &str, regions_name: &str, value: &str) -> Result<Grid, Reason> {
    const HARMLESS: &str = "id cellSize metadata settings cells regions ce re md";
    let order = puzzle.get(rows).and_then(Value::as_array).map_or(0, Vec::len);
    // A cage without a sum, of at most one cell or of the type of a row or column, is no rule.
    let no_rule = |cage: &Value| {
        let cells = cage.get("cells").and_then(Value::as_array).map_or(0, Vec::len);
        let sum = cage.get("sum").or(cage.get("value")).is_some_and(|value| value.is_number());
        !sum && (cells <= 1 || cage.get("type").and_then(Value::as_str) == Some("rowcol"))
    };
    let mut puzzle = puzzle.clone();
    if puzzle.get("cages").and_then(Value::as_array).is_some_and(|cages| cages.iter().all(no_rule)) {
        puzzle.remove("cages");
    }
    board(
        &puzzle,
        HARMLESS,
        (rows, value),
        order,
        |_| true,
        |_| {
            let mut regions = vec![None; order * order];
            for (region, cells) in (0..).zip(puzzle.get(regions_name).and_then(Value::as_array).into_iter().flatten()) {
                for cell in cells.as_array().into_iter().flatten() {
                    let at = |axis: usize| cell.get(axis).and_then(Value::as_u64).filter(|&at| at < order as u64);
                    let (row, column) = at(0).zip(at(1)).ok_or_else(|| wrong("a region leaves the board"))?;
                    regions[row as usize * order + column as usize] = Some(region);
                }
            }
            Ok(regions)
        },
    )
}

/// The board whose rows of cells are an entry of an object, and the entry of a cell with its value. `regions_of` gives
/// the region of each cell, where it has one.
fn board(
    puzzle: &Map<String, Value>,
    harmless: &str,
    (rows, value_name): (&str, &str),
    order: usize,
    is_given: impl Fn(&Value) -> bool,
    regions_of: impl Fn(&[&Value]) -> Result<Vec<Option<u64>>, Reason>,
) -> Result<Grid, Reason> {
    // A key that is set: a rule, unless it is harmless. Known rules were taken out before.
    let holds = |value: &Value| match value {
        Value::Bool(flag) => *flag,
        Value::Array(list) => !list.is_empty(),
        _ => false,
    };
    let mut rules =
        puzzle.iter().filter(|(name, value)| harmless.split(' ').all(|known| known != name.as_str()) && holds(value));
    if let Some((rule, _)) = rules.next() {
        return Err(wrong(&format!("it is a variant with the rule '{rule}'")));
    }
    if !(4..=Shape::MAX_SOLVABLE_ORDER).contains(&order) {
        return Err(wrong("no board has this size"));
    }
    let rows = puzzle.get(rows).and_then(Value::as_array).ok_or_else(|| wrong("it has no grid"))?;
    let cells: Vec<&Value> = rows.iter().filter_map(Value::as_array).flatten().collect();
    if cells.len() != order * order {
        return Err(wrong("its grid is not square"));
    }
    let shape = of_regions(order, &regions_of(&cells)?)?;
    let number = |value: &Value| match value {
        Value::Null => Some(0),
        Value::String(text) => text.parse().ok(),
        value => value.as_u64().and_then(|value| u16::try_from(value).ok()),
    };
    let given = |cell: &&Value| match cell.get(value_name).filter(|_| is_given(cell)) {
        None => Ok(0),
        Some(value) => number(value).ok_or_else(|| wrong(&format!("a cell holds {value}"))),
    };
    let values = cells.iter().map(given).collect::<Result<Vec<u16>, Reason>>()?;
    Grid::new(shape, values).map_err(|error| wrong(&error.to_string()))
}

/// The shape whose boxes are the regions of the cells; the usual shape of the order if no cell names a region.
fn of_regions(order: usize, regions: &[Option<u64>]) -> Result<Shape, Reason> {
    let known = regions.iter().copied().collect::<Option<Vec<u64>>>();
    let shape = match known {
        Some(regions) => Shape::of_region_signs(&regions).ok(),
        None if regions.iter().all(Option::is_none) => Shape::of_order(order).ok(),
        None => None,
    };
    shape.ok_or_else(|| wrong("its regions are neither boxes nor a jigsaw"))
}
