//! Reads boards of JSON: lists of cells, and the objects of f-puzzles, SudokuPad and ipuz.
//!
//! ```text
//! {"size":9,"grid":[[{"value":5,"given":true},{},..],..],"diagonal+":true}       f-puzzles
//! {"cells":[[{"value":5},{},..],..],"regions":[[[0,0],..],..],"metadata":{..}}   SudokuPad; also short: "ce", "v", "re"
//! {"kind":["http://ipuz.org/sudoku#1"],"puzzle":[[5,3,0,..],..],"zones":[..]}    ipuz
//! [[5,3,null,..],..]   ["53..7....",..]   [5,3,0,..]                             a board alone
//! ```
//!
//! A key that is set and not known is a rule that would be lost: it is refused by its name, on every level.

use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::board::text::cells::{CellText, Signs};
use crate::board::text::rules_named::{advice, rule_named};
use crate::board::text::symbols::plain_line;
use crate::board::text::wanted::{Entry, Placed, Wanted};
use crate::board::variants::{VARIANTS, names_of_regions};
use crate::board::{Cell, Grid, Reason, Shape};
use crate::page::numbers::counted;

/// Why an object is no board.
fn wrong(reason: impl Into<String>) -> Reason {
    Reason(reason.into())
}

/// The key of f-puzzles for houses of any cells.
const REGIONS: &str = "extraregion";

/// What an object may say beside rules: f-puzzles, SudokuPad with its short names, their cells, ipuz, texts about the puzzle.
const F_PUZZLES: &str = "title author date own_level ruleset disabledlogic truecandidatesoptions successMessage \
                         highlightConflicts";
const SUDOKU_PAD: &str = "id cellSize cs";
const CELL: &str = "c highlight highlights centerPencilMarks cornerPencilMarks";
const IPUZ: &str = "version kind copyright publisher publication url uniqueid title intro explanation annotation author editor \
                    date notes difficulty origin block styles checksum charset displaycharset empty boxes \
                    showoperators dimensions puzzle solution saved zones volatile own_level";
const METADATA: &str = "title t author source rules ruleset date msgcorrect own_level";

/// An object whose keys are taken one by one. What is left in the end must say nothing.
struct Object(Map<String, Value>);

impl Object {
    /// The value of a key, or the usual one if it says nothing.
    fn take<T: DeserializeOwned + Default>(&mut self, key: &str) -> Result<T, Reason> {
        let Some(value) = self.0.remove(key) else { return Ok(T::default()) };
        match serde_json::from_value(value.clone()) {
            Ok(value) => Ok(value),
            Err(_) if !is_set(&value) => Ok(T::default()),
            Err(_) => Err(wrong(format!("the key '{key}' holds {value}, which is not known here"))),
        }
    }

    /// The digit of a cell, which may be a text; 0 if it has none.
    fn digit(&mut self, key: &str) -> Result<u16, Reason> {
        match self.0.get(key) {
            Some(Value::String(text)) if !text.is_empty() => {
                let digit = text.parse().map_err(|_| wrong(format!("a cell holds {text:?}")));
                self.0.remove(key);
                digit
            }
            _ => self.take(key),
        }
    }

    /// Refuses a key that is set, was not taken and is not among these.
    fn end(&self, harmless: &str) -> Result<(), Reason> {
        let mut rules = self.0.iter().filter(|(name, _)| !harmless.split(' ').any(|key| key == *name));
        match rules.find(|(_, value)| is_set(value)) {
            Some((name, _)) => Err(wrong(format!("it is a variant with the rule '{name}', which is not known here"))),
            None => Ok(()),
        }
    }
}

/// True for a value that says something: no null, false, 0, or empty text, list or object.
pub fn is_set(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(object) => !object.is_empty(),
        Value::Bool(true) => true,
    }
}

/// The board of an object of f-puzzles, SudokuPad or ipuz, in this shape if one is given; None for other objects. They
/// say their digits themselves.
pub fn of_object(object: &Map<String, Value>, shape: Option<Shape>, signs: &Signs) -> Option<Result<Entry, Reason>> {
    let wanted = Wanted { shape, signs: signs.clone() };
    let entry = read_object(object, &wanted)?;
    Some(entry.and_then(|entry| wanted.check_shape(entry.grid.shape()).map(|()| entry)))
}

/// The same in any shape.
pub(super) fn read_object(object: &Map<String, Value>, wanted: &Wanted) -> Option<Result<Entry, Reason>> {
    let has_rows =
        |key: &str| object.get(key).and_then(Value::as_array).is_some_and(|rows| rows.iter().all(Value::is_array));
    let is_ipuz = |key: &str| object.get(key).is_some_and(|value| value.to_string().contains("ipuz"));
    let read: fn(Object, &Wanted) -> Result<Entry, Reason> = match () {
        () if object.contains_key("size") && has_rows("grid") => |puzzle, _| f_puzzles(puzzle),
        () if has_rows("cells") || has_rows("ce") => |puzzle, _| sudoku_pad(puzzle),
        () if is_ipuz("version") || is_ipuz("kind") => |puzzle, wanted| ipuz(&puzzle, wanted),
        () => return None,
    };
    let entry = read(Object(object.clone()), wanted);
    Some(entry.and_then(|entry| {
        wanted.refuse_named_signs()?;
        let is_plain = entry.grid.shape().is_plain() && wanted.shape.is_none();
        match rule_told(object).filter(|_| is_plain) {
            Some(rule) => Err(wrong(advice(&rule))),
            None => Ok(entry),
        }
    }))
}

/// A rule that the title or the text of the rules tells, and no key.
fn rule_told(object: &Map<String, Value>) -> Option<String> {
    let metadata = ["metadata", "md"].iter().filter_map(|key| object.get(*key)?.as_object());
    let texts = std::iter::once(object).chain(metadata).flat_map(|object| {
        ["title", "t", "rules", "ruleset"].iter().filter_map(|key| object.get(*key).and_then(Value::as_str))
    });
    texts.into_iter().find_map(rule_named)
}

/// The board of an object of f-puzzles.
fn f_puzzles(mut puzzle: Object) -> Result<Entry, Reason> {
    let order = puzzle.take("size")?;
    let cells = cells_of(&mut puzzle, "grid", order)?;
    // A cell without a region is in its usual box. A jigsaw of 5x5 has none.
    let usual = Shape::of_order(order).ok();
    let (mut values, mut regions) = (Vec::new(), Vec::new());
    for (place, mut cell) in cells.into_iter().enumerate() {
        let (digit, is_given) = (cell.digit("value")?, cell.take("given")?);
        values.push(if is_given { digit } else { 0 });
        let usual = usual.map(|shape| shape.box_of(place / order, place % order));
        regions.push(cell.take::<Option<usize>>("region")?.or(usual));
        cell.end(CELL)?;
    }
    let shape = of_regions(order, &regions)?;
    let mut names = Vec::new();
    for variant in VARIANTS.iter() {
        // X has the keys of both diagonals, and both together make it.
        if let &[key] = variant.f_puzzles
            && key != REGIONS
            && puzzle.take(key)?
        {
            names.push(variant.name.to_owned());
        }
    }
    let houses = houses_of(&mut puzzle, shape)?;
    names.extend(names_of_regions(shape, houses, |info| info.f_puzzles.is_empty()));
    let shape = if names.is_empty() { shape } else { shape.with(&names.join("+"))? };
    let solution: Vec<Value> = puzzle.take("solution")?;
    about(&mut puzzle, "metadata")?;
    check_texts(&mut puzzle)?;
    puzzle.end(F_PUZZLES)?;
    Ok(Entry { solution: full(shape, &solution), ..Entry::new(1, Grid::new(shape, values)?) })
}

/// Takes the texts that are drawn on or beside a board of f-puzzles. A number or a sign may be a clue, words are none.
fn check_texts(puzzle: &mut Object) -> Result<(), Reason> {
    for text in puzzle.take::<Vec<Map<String, Value>>>("text")? {
        let value: String = Object(text).take("value")?;
        let is_name = ["title", "author"].iter().any(|key| puzzle.0.get(*key).and_then(Value::as_str) == Some(&value));
        let letters = value.chars().filter(|sign| sign.is_alphabetic()).count();
        if !is_name && !value.is_empty() && (letters < 2 || value.contains(char::is_numeric)) {
            return Err(wrong(format!("it is a variant with the rule 'text' ({value:?}), which is not known here")));
        }
    }
    Ok(())
}

/// The houses of any cells in an object of f-puzzles.
fn houses_of(puzzle: &mut Object, shape: Shape) -> Result<Vec<Vec<Cell>>, Reason> {
    let mut houses = Vec::new();
    for region in puzzle.take::<Vec<Map<String, Value>>>(REGIONS)? {
        let mut region = Object(region);
        let cells: Vec<String> = region.take("cells")?;
        region.end("")?;
        let house: Option<Vec<Cell>> = cells.iter().map(|cell| Cell::named(shape, cell)).collect();
        houses.push(house.filter(|house| !house.is_empty()).ok_or_else(|| wrong("a region has no cells"))?);
    }
    Ok(houses)
}

/// The board of an object of SudokuPad.
fn sudoku_pad(mut puzzle: Object) -> Result<Entry, Reason> {
    let [rows, value, regions] = match puzzle.0.contains_key("ce") {
        true => ["ce", "v", "re"],
        false => ["cells", "value", "regions"],
    };
    let order = puzzle.0[rows].as_array().map_or(0, Vec::len);
    let mut values = Vec::new();
    for mut cell in cells_of(&mut puzzle, rows, order)? {
        values.push(cell.digit(value)?);
        cell.end("given")?;
    }
    for cage in puzzle.take::<Vec<Map<String, Value>>>("cages")? {
        // A cage without a sum, of at most one cell or of the type of a row or column, is no rule.
        let mut cage = Object(cage);
        let (cells, kind): (Vec<Value>, String) = (cage.take("cells")?, cage.take("type")?);
        if cells.len() > 1 && kind != "rowcol" {
            return Err(wrong("it is a variant with the rule 'cages'"));
        }
        cage.end("unique hidden style")?;
    }
    Object(puzzle.take("settings")?).end("conflictchecker nogrid")?;
    let mut of_cells = vec![None; order * order];
    let regions: Option<Vec<Vec<[usize; 2]>>> = puzzle.take(regions)?;
    if regions.as_ref().is_some_and(Vec::is_empty) {
        return Err(wrong("it says that it has no boxes ('regions' is empty)"));
    }
    for (region, cells) in regions.unwrap_or_default().iter().enumerate() {
        for &[row, column] in cells {
            if row.max(column) >= order {
                return Err(wrong("a region leaves the board"));
            }
            of_cells[row * order + column] = Some(region);
        }
    }
    let solution = about(&mut puzzle, "metadata")?.or(about(&mut puzzle, "md")?);
    puzzle.end(SUDOKU_PAD)?;
    let shape = of_regions(order, &of_cells)?;
    let solution = solution.and_then(|solution| full(shape, &[solution]));
    Ok(Entry { solution, ..Entry::new(1, Grid::new(shape, values)?) })
}

/// Takes the texts about a puzzle, and gives the solution among them.
fn about(puzzle: &mut Object, key: &str) -> Result<Option<Value>, Reason> {
    let mut metadata = Object(puzzle.take(key)?);
    metadata.end(&format!("{METADATA} solution"))?;
    Ok(metadata.0.remove("solution"))
}

/// The full grid in a list of digits, or in a text of one sign for each; None if it is no full grid.
fn full(shape: Shape, digits: &[Value]) -> Option<Grid> {
    let text: String = digits.iter().map(|digit| digit.as_str().map_or(digit.to_string(), str::to_owned)).collect();
    plain_line(&text, shape).filter(|grid| grid.holes() == 0)
}

/// The cells of an object, row by row.
fn cells_of(puzzle: &mut Object, rows: &str, order: usize) -> Result<Vec<Object>, Reason> {
    if !(4..=Shape::MAX_SOLVABLE_ORDER).contains(&order) {
        return Err(wrong("no board has this size"));
    }
    let rows: Vec<Vec<Option<Map<String, Value>>>> = puzzle.take(rows)?;
    if rows.len() != order || rows.iter().any(|row| row.len() != order) {
        return Err(wrong("its grid is not square"));
    }
    Ok(rows.into_iter().flatten().map(|cell| Object(cell.unwrap_or_default())).collect())
}

/// The shape whose boxes are the regions of the cells; the usual shape of the order if no cell names a region.
fn of_regions(order: usize, regions: &[Option<usize>]) -> Result<Shape, Reason> {
    let shape = match regions.iter().copied().collect::<Option<Vec<usize>>>() {
        Some(regions) => Shape::of_region_signs(&regions).ok(),
        None if regions.iter().all(Option::is_none) => Shape::of_order(order).ok(),
        None => None,
    };
    shape.ok_or_else(|| wrong("its regions are neither boxes nor a jigsaw"))
}

/// The kinds of ipuz whose rules are rows, columns, and boxes or zones.
const KINDS_OF_IPUZ: [&str; 3] = ["sudoku", "sudoku/jigsawsudoku", "sudoku/wordoku"];

/// Refuses a kind of ipuz with other rules, such as that of Sudoku with diagonals.
fn check_kind(kind: Option<&Value>) -> Result<(), Reason> {
    let kinds = match kind {
        Some(Value::Array(kinds)) => &kinds[..],
        kind => kind.map_or(&[][..], std::slice::from_ref),
    };
    for kind in kinds.iter().filter_map(Value::as_str) {
        let name = kind.rsplit_once("ipuz.org/").map_or(kind, |(_, name)| name);
        let name = name.split('#').next().unwrap_or(name);
        if !KINDS_OF_IPUZ.contains(&name) {
            return Err(wrong(format!("it is of the kind '{name}', which is not known here")));
        }
    }
    Ok(())
}

/// The board of an object of ipuz.
fn ipuz(object: &Object, wanted: &Wanted) -> Result<Entry, Reason> {
    let puzzle = &object.0;
    check_kind(puzzle.get("kind"))?;
    object.end(IPUZ)?;
    // Only signs that are not the usual ones need to be told.
    let digits = puzzle.get("charset").and_then(Value::as_str);
    let digits = digits.filter(|digits| !"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".starts_with(*digits)).map(Arc::from);
    let empty = match puzzle.get("empty") {
        Some(Value::String(text)) => text.chars().next(),
        Some(Value::Number(_)) => Some('0'),
        _ => None,
    };
    let has_boxes = puzzle.get("boxes").is_some_and(is_set);
    if puzzle.contains_key("boxes") && !has_boxes && !puzzle.contains_key("zones") {
        return Err(wrong("it has neither boxes nor zones"));
    }
    let shape = puzzle.get("zones").map(|zones| {
        let shape = if has_boxes { None } else { shape_of_zones(zones) };
        shape.ok_or_else(|| wrong("its zones are neither boxes nor the regions of a jigsaw"))
    });
    let said = Wanted { shape: shape.transpose()?.or(wanted.shape), signs: Signs { digits, empty } };
    let board = |name: &str| {
        let board = puzzle.get(name).filter(|board| !board.is_null()).map(|board| board_of_lists(board, &said));
        board.transpose().map_err(|reason| wrong(format!("{name}: {reason}")))
    };
    let (grid, solution) = (board("puzzle")?, board("solution")?);
    let order = grid.as_ref().or(solution.as_ref()).map_or(0, |grid| grid.shape().order());
    let side = |name: &str| puzzle.get("dimensions").and_then(|sides| sides.get(name)?.as_u64());
    if ["width", "height"].iter().any(|name| side(name).is_some_and(|side| side != order as u64)) {
        return Err(wrong(format!("its dimensions are not those of its board, which has {}", counted(order, "row"))));
    }
    match grid {
        Some(grid) => Ok(Entry { solution, ..Entry::new(1, grid) }),
        None => Ok(Entry::new(1, solution.ok_or_else(|| wrong("it has neither a puzzle nor a solution"))?)),
    }
}

/// The shape of zones: rectangles (left, top, right, bottom) or lists of cells (column, row), all from 0. None if they
/// are rules beside boxes, from which no shape is read.
fn shape_of_zones(zones: &Value) -> Option<Shape> {
    #[derive(Deserialize)]
    struct Zone {
        rect: Option<[usize; 4]>,
        #[serde(default)]
        cells: Vec<[usize; 2]>,
    }
    let zones: Vec<Zone> = serde_json::from_value(zones.clone()).unwrap_or_default();
    let order = zones.len().min(Shape::MAX_SOLVABLE_ORDER);
    let mut regions = vec![None; order * order];
    for (region, zone) in zones.iter().enumerate() {
        let [left, top, right, bottom] = zone.rect.unwrap_or([1, 1, 0, 0]);
        let rows = top..=bottom.min(order);
        let in_rect = rows.flat_map(|row| (left..=right.min(order)).map(move |column| [column, row]));
        for [column, row] in in_rect.chain(zone.cells.iter().copied()) {
            let place = if column < order { row.saturating_mul(order).saturating_add(column) } else { usize::MAX };
            *regions.get_mut(place)? = Some(region);
        }
    }
    let is_whole = !regions.is_empty() && regions.iter().all(Option::is_some);
    if is_whole { of_regions(order, &regions).ok() } else { None }
}

/// The board of a list of cells, or of rows of cells.
fn board_of_lists(json: &Value, wanted: &Wanted) -> Result<Grid, Reason> {
    let text = board_text(json)?;
    let cells = text.split_whitespace().map(|word| Some(Placed { line: 1, column: 1, cell: CellText::of(word)? }));
    let cells = cells.collect::<Option<Vec<Placed>>>().ok_or_else(no_board)?;
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
