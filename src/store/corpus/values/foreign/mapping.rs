//! Finds our columns in a file, and makes records from its values.
//!
//! Files of this program use our names. Other files name puzzles and solutions with a few common words, or their columns
//! say by what they hold which one has the puzzles. A column beside the board may name a rule, such as diagonals. Without
//! it, the board is another puzzle, so a row with a rule is refused, unless its shape has the rule (`3x3+x`).

use super::guess::is_no_board;
use super::outside::{Outside, OutsideNames};
use crate::corpus::values::hashes::hash_of_text;
use crate::corpus::values::record::{COLUMNS, Column, Record};
use crate::corpus::values::value::{ColumnType, Value};
use sudoku_corpus_core::board::text::{self, Signs, is_rule_name, is_usual_rule};
use sudoku_corpus_core::board::{Grid, Puzzle, Reason, Shape};
use sudoku_corpus_core::page::numbers::counted;

/// The columns to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Want {
    /// Boards and, in files of this program, what was known before the analysis; from any file.
    #[default]
    Boards,
    /// Every column; from files of this program.
    Everything,
    /// Every column, and those of other programs, from files of this program.
    Rows,
    /// Every column from files of this program, boards from others. Of files without checksums of this program, rows that
    /// contradict their puzzles are bad.
    Most,
    /// The columns that statistics need, if they exist, from any file. In files of this program, solutions, which take
    /// longest, are not read: they only tell the grids apart.
    Known,
}

/// The columns that every choice of puzzles needs. A typed table that has them has rows of this program, whoever wrote it.
pub const KEY_COLUMNS: [&str; 6] = ["shape", "puzzle", "givens", "solutions", "solutions_exact", "class"];

/// Common names for the column of puzzles; the first is ours.
const PUZZLES: [&str; 9] = ["puzzle", "quizzes", "quiz", "puzzles", "sudoku", "grid", "board", "question", "problem"];

/// Keys of f-puzzles whose lists are rules. As names of columns they may mean anything.
const LISTED_RULES: &str = "odd even minimum maximum difference ratio clone negative";

/// Endings of names of columns whose values may name a rule: `type`, `board_type`, `gameMode`.
const CATEGORY_ENDINGS: [&str; 14] = [
    "type", "kind", "mode", "game", "variation", "category", "size", "title", "name", "layout", "board", "box",
    "boxes", "grid",
];

/// Common names for the column of solutions; the first is ours.
const SOLUTIONS: [&str; 3] = ["solution", "solutions", "answer"];

impl Want {
    /// True if rows must have all columns of this program.
    pub(crate) fn is_whole(self) -> bool {
        matches!(self, Want::Everything | Want::Rows)
    }

    /// What is wanted of a file in which nothing but boards is read.
    fn of_boards(self) -> Want {
        if self == Want::Known { self } else { Want::Boards }
    }
}

/// What is asked of a table, see [`crate::corpus::Reading`]. `column` is the name of the one with the puzzles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub want: Want,
    pub column: Option<&'a str>,
    pub shape: Option<Shape>,
    pub signs: &'a Signs,
}

impl Asked<'_> {
    /// The boards of a column, of those of its fields that are not empty; None if any is no board.
    fn boards(&self, rows: &[Vec<String>], place: usize) -> Option<Vec<Grid>> {
        let fields = rows.iter().filter_map(|row| row.get(place)).filter(|field| !is_no_board(field));
        let boards: Vec<Grid> =
            fields.map(|field| text::parse(field, self.shape, self.signs).ok()).collect::<Option<_>>()?;
        (!boards.is_empty()).then_some(boards)
    }
}

/// Why a table has no mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoMapping {
    /// No column is the one of the puzzles. It may be no table.
    NoBoards(String),
    /// The table must be changed, or another option given.
    Refused(String),
}

impl NoMapping {
    pub(crate) fn reason(self) -> String {
        match self {
            NoMapping::NoBoards(reason) | NoMapping::Refused(reason) => reason,
        }
    }
}

fn refused<T>(reason: impl Into<String>) -> Result<T, NoMapping> {
    Err(NoMapping::Refused(reason.into()))
}

/// The types of the columns of a file; None for those that we cannot read.
pub(crate) type ColumnTypes = [Option<ColumnType>];

/// The places of our columns in a file.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    /// Says what [`Mapping::record`] refuses and what it adds.
    want: Want,
    /// The columns of the schema that are read, in the order of the schema.
    columns: Vec<ReadColumn>,
    board: BoardPlaces,
    /// The columns of other programs that are copied.
    outside: Vec<CopiedColumn>,
    /// The place in the file of solutions of which only a hash is kept.
    hashed: Option<usize>,
    /// Columns that name rules. A row without a shape must have none of these rules.
    rules: Vec<RuleColumn>,
}

/// A column of the schema in a file.
#[derive(Clone, Copy, Debug)]
struct ReadColumn {
    /// Its place in [`COLUMNS`].
    column: usize,
    /// Its place in the file.
    place: usize,
}

/// The places in the file of what a board needs.
#[derive(Clone, Copy, Debug)]
struct BoardPlaces {
    shape: Option<usize>,
    puzzle: Option<usize>,
    solution: Option<usize>,
}

impl BoardPlaces {
    fn of(columns: &[ReadColumn]) -> BoardPlaces {
        let place = |name: &str| columns.iter().find(|read| COLUMNS[read.column].name == name).map(|read| read.place);
        BoardPlaces { shape: place("shape"), puzzle: place("puzzle"), solution: place("solution") }
    }

    /// True for the place of one of them.
    fn has(self, place: usize) -> bool {
        [self.shape, self.puzzle, self.solution].contains(&Some(place))
    }
}

/// A column of another program that is copied.
#[derive(Clone, Debug)]
pub(crate) struct CopiedColumn {
    /// Its place in the file.
    pub place: usize,
    pub column: Outside,
}

/// A column whose values may name rules.
#[derive(Clone, Debug)]
struct RuleColumn {
    /// Its place in the file.
    place: usize,
    name: String,
}

impl Mapping {
    /// The mapping for a table of any program: the column that was asked for; else by the names of the columns; else
    /// by what they hold. `types` are the types of the columns if the file says them. `rows` gives the first rows, and
    /// is called only if the names do not decide. All readers of tables ask here.
    pub(crate) fn of_table(
        names: &[String],
        types: Option<&ColumnTypes>,
        asked: &Asked<'_>,
        rows: impl FnOnce() -> Vec<Vec<String>>,
    ) -> Result<Mapping, NoMapping> {
        if asked.column.is_none()
            && let Some(mapping) = Mapping::of_our_rows(names, types, asked.want)?
        {
            return Ok(mapping);
        }
        let mapping = match asked.column {
            Some(column) => Mapping::of_column(names, column, asked, rows)?,
            None => Mapping::of_other_rows(names, types, asked, rows)?,
        };
        let mut rules = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let is_read = types.is_none_or(|types| types[place].is_some());
            if is_rule_name(name) && !is_read && asked.shape.is_none() {
                return refused(format!(
                    "the column '{name}' may have rules, and is of a type that is not read here: leave it out, or give --shape"
                ));
            }
            if may_name_rules(name) && !mapping.has(place) && is_read {
                rules.push(RuleColumn { place, name: name.clone() });
            }
        }
        Ok(Mapping { rules, ..mapping })
    }

    /// The mapping of rows that are not all of this program's columns, by their names or by what they hold.
    fn of_other_rows(
        names: &[String],
        types: Option<&ColumnTypes>,
        asked: &Asked<'_>,
        rows: impl FnOnce() -> Vec<Vec<String>>,
    ) -> Result<Mapping, NoMapping> {
        if let Some(name) = ["puzzle", "solution"].into_iter().find(|name| places_of(names, name).count() > 1) {
            return refused(format!("several columns are named '{name}'; rename one of them"));
        }
        let (puzzle, mut solution) = (first_place(names, &PUZZLES), first_place(names, &SOLUTIONS));
        // Rows of this program without puzzles have a shape.
        let is_ours = places_of(names, "shape").next().is_some();
        // Other programs have solutions in a column `solutions`. This one has their number there.
        let may_be_count = solution.is_some() && solution == places_of(names, "solutions").next();
        let names_decide = is_ours || puzzle.is_some() && !may_be_count;
        let rows = if names_decide { Vec::new() } else { rows() };
        if puzzle.is_none()
            && let Some(mapping) = Mapping::of_contents(names, &rows, asked)?
        {
            return Ok(mapping);
        }
        if may_be_count && (is_ours || solution.is_some_and(|place| holds_numbers(types, &rows, place, asked))) {
            solution = places_of(names, "answer").next();
        }
        if puzzle.or(solution).is_none() {
            let reason = format!("no column 'puzzle' among its columns: {}", listed(names));
            return Err(NoMapping::NoBoards(reason));
        }
        // In our files, also what was known before the analysis: the columns up to the solution, and the weights. A
        // column of another program may have one of our names with another meaning.
        let last = column_of("solution");
        let mut columns = Vec::new();
        for (column, info) in COLUMNS.iter().enumerate() {
            let place = match info.name.as_ref() {
                "puzzle" => puzzle,
                "solution" => solution,
                name if is_ours && (Some(column) < last || name.starts_with("log_")) => places_of(names, name).next(),
                _ => None,
            };
            columns.extend(place.map(|place| ReadColumn { column, place }));
        }
        Ok(Mapping::of(asked.want.of_boards(), columns))
    }

    /// The mapping if a column was asked for.
    fn of_column(
        names: &[String],
        column: &str,
        asked: &Asked<'_>,
        rows: impl FnOnce() -> Vec<Vec<String>>,
    ) -> Result<Mapping, NoMapping> {
        if asked.want.is_whole() {
            return refused("rows of this program name their columns; leave out --column");
        }
        let places: Vec<usize> = places_of(names, column).collect();
        match places[..] {
            [puzzle] => {
                let solution = first_place(names, &SOLUTIONS).filter(|&place| place != puzzle);
                let solution = solution.filter(|&place| asked.boards(&rows(), place).is_some());
                Ok(Mapping::of_boards(asked.want, Some(puzzle), solution))
            }
            [] => refused(format!("no column '{column}' among its columns: {}", listed(names))),
            _ => refused(format!("several columns are named '{column}'")),
        }
    }

    /// The mapping of rows of this program, if such rows are wanted and these are some. `Known` keeps hashes of solutions.
    fn of_our_rows(names: &[String], types: Option<&ColumnTypes>, want: Want) -> Result<Option<Mapping>, NoMapping> {
        match want {
            Want::Known if names.iter().any(|name| name == "shape") => {
                let hashed = names.iter().position(|name| name == "solution");
                Ok(Some(Mapping { want, hashed, ..Mapping::of_present(names, |name| name != "solution") }))
            }
            Want::Boards | Want::Known => Ok(None),
            Want::Everything | Want::Rows | Want::Most => match every_column(names, types, want != Want::Everything) {
                Ok(columns) => {
                    let want = if want.is_whole() { want } else { Want::Rows };
                    Ok(Some(Mapping::of(want, columns)))
                }
                Err(reason) if want.is_whole() => refused(reason),
                Err(_) => Ok(None),
            },
        }
    }

    /// The mapping by what the columns hold: the only column of boards with empty cells is the puzzle, and the only one
    /// of full grids the solution. None if no column has boards.
    fn of_contents(names: &[String], rows: &[Vec<String>], asked: &Asked<'_>) -> Result<Option<Mapping>, NoMapping> {
        let (mut puzzles, mut full_grids) = (Vec::new(), Vec::new());
        for place in 0..names.len().min(1 << 10) {
            match asked.boards(rows, place) {
                Some(boards) if boards.iter().any(|board| board.holes() > 0) => puzzles.push(place),
                Some(_) => full_grids.push(place),
                None => {}
            }
        }
        let several = |what: &str, places: &[usize]| {
            let texts: Vec<String> = places.iter().map(|&place| format!("'{}'", names[place])).collect();
            refused(format!("several columns have {what}, {}; choose one: --column {}", texts.join(" and "), texts[0]))
        };
        let solution = full_grids.iter().copied().find(|&place| names[place].to_ascii_lowercase().contains("solution"));
        match (&puzzles[..], &full_grids[..]) {
            ([], []) => Ok(None),
            // A table of solutions alone names them, so it is read by its names.
            ([], _) if solution.is_some() => Ok(None),
            ([], &[grid]) => Ok(Some(Mapping::of_boards(asked.want, None, Some(grid)))),
            ([], full_grids) => several("full grids", full_grids),
            (&[puzzle], &[grid]) => Ok(Some(Mapping::of_boards(asked.want, Some(puzzle), Some(grid)))),
            (&[puzzle], _) => Ok(Some(Mapping::of_boards(asked.want, Some(puzzle), solution))),
            (puzzles, _) => several("puzzles", puzzles),
        }
    }

    /// The mapping of boards at these places.
    pub(crate) fn of_boards(want: Want, puzzle: Option<usize>, solution: Option<usize>) -> Mapping {
        let mut columns = Vec::new();
        for (name, place) in [("puzzle", puzzle), ("solution", solution)] {
            columns.extend(column_of(name).zip(place).map(|(column, place)| ReadColumn { column, place }));
        }
        Mapping::of(want.of_boards(), columns)
    }

    /// The place in the file of the puzzles.
    pub(crate) fn puzzle(&self) -> Option<usize> {
        self.board.puzzle
    }

    fn of(want: Want, columns: Vec<ReadColumn>) -> Mapping {
        let board = BoardPlaces::of(&columns);
        Mapping { want, columns, board, outside: Vec::new(), hashed: None, rules: Vec::new() }
    }

    /// The mapping of the wanted columns that the file has. Its rows are read as they are.
    pub(crate) fn of_present(names: &[String], wanted: impl Fn(&str) -> bool) -> Mapping {
        Mapping::of(Want::Everything, present(names, wanted))
    }

    /// Also copies these columns of other programs.
    pub(crate) fn copying(self, outside: Vec<CopiedColumn>) -> Mapping {
        Mapping { outside, ..self }
    }

    /// The columns of other programs among those of a file. A file with a column `shape` is a file of this program: its
    /// columns with our names have our meaning, and only those are copied for which `is_copied` is true.
    pub(crate) fn outside_of(
        names: &[String],
        is_read: impl Fn(usize) -> bool,
        is_copied: impl Fn(&str) -> bool,
        kind: impl Fn(usize) -> Option<ColumnType>,
    ) -> Vec<CopiedColumn> {
        let is_our_file = names.iter().any(|name| name == "shape");
        let mut names_in_output = OutsideNames::new();
        let mut copied = Vec::new();
        for (place, name) in names.iter().enumerate() {
            // Files before format version 17 call the number of a row `index`.
            let is_ours = is_our_file && (name == "index" || COLUMNS.iter().any(|column| column.name == *name));
            if !is_read(place)
                && (!is_ours || is_copied(name))
                && let Some(kind) = kind(place)
            {
                let name = names_in_output.take(place, name);
                copied.push(CopiedColumn { place, column: Outside { name, kind } });
            }
        }
        copied
    }

    /// True if the rows are read as rows of this program: with all columns, or with those that the file has (see
    /// [`Mapping::of_present`]).
    pub(crate) fn is_whole(&self) -> bool {
        self.want.is_whole()
    }

    /// True if it reads or copies the column at a place.
    pub(crate) fn has(&self, place: usize) -> bool {
        self.places().any(|read| read == place)
    }

    pub(crate) fn outside(&self) -> &[CopiedColumn] {
        &self.outside
    }

    /// Places in the file of all columns to read: those of the schema in its order, then those of other programs, then
    /// that of hashed solutions.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        let read = self.columns.iter().map(|column| column.place);
        let copied = self.outside.iter().map(|column| column.place);
        read.chain(copied).chain(self.hashed)
    }

    /// Places in the file of columns that name rules, and are not read otherwise.
    pub(crate) fn places_of_rules(&self) -> impl Iterator<Item = usize> + '_ {
        self.rules.iter().map(|rule| rule.place).filter(|place| !self.has(*place))
    }

    /// True if the column at a place names rules.
    pub(crate) fn is_rule(&self, place: usize) -> bool {
        self.rules.iter().any(|rule| rule.place == place)
    }

    /// Refuses a row with a rule that would be lost. `stated` is the shape that the row names.
    fn check_rules<'a>(
        &self,
        stated: Option<Shape>,
        get: impl Fn(usize) -> Result<Value<'a>, String>,
    ) -> Result<(), String> {
        for RuleColumn { place, name } in &self.rules {
            let value = get(*place)?;
            if names_rule(name, &value) && !stated.is_some_and(|shape| has_rule(shape, name, &value)) {
                return Err(lost(name));
            }
        }
        Ok(())
    }

    /// The mapping after all columns except [`Mapping::places`] and [`Mapping::places_of_rules`] were removed.
    pub(crate) fn packed(&self) -> Mapping {
        let places: Vec<usize> = self.places().chain(self.places_of_rules()).collect();
        let mut packed = self.clone();
        let read = packed.columns.iter_mut().map(|column| &mut column.place);
        let copied = packed.outside.iter_mut().map(|column| &mut column.place);
        let rules = packed.rules.iter_mut().map(|rule| &mut rule.place);
        for place in read.chain(copied).chain(&mut packed.hashed).chain(rules) {
            *place = places.iter().position(|kept| kept == place).unwrap_or_default();
        }
        packed.board = BoardPlaces::of(&packed.columns);
        packed
    }

    /// The record of a row with a number. The shape is the one that the row states, that was asked for, or that follows
    /// from the length of the board; `signs` are those of its cells. `get` returns the value at a place.
    ///
    /// # Errors
    /// A value or a board that cannot be read, a row without a board where one is wanted, the solution of another
    /// puzzle.
    pub(crate) fn record<'a>(
        &self,
        index: u64,
        asked: Option<Shape>,
        signs: &Signs,
        get: impl Fn(usize) -> Result<Value<'a>, String>,
    ) -> Result<Record, String> {
        let value = |place: Option<usize>| place.map_or(Ok(Value::Null), &get);
        let stated = shape_of(&value(self.board.shape)?, asked)?;
        if asked.is_none() {
            self.check_rules(stated, &get)?;
        }
        let puzzle = grid_of("puzzle", &value(self.board.puzzle)?, stated, signs)?;
        let shape_of_puzzle = stated.or(puzzle.as_ref().map(Grid::shape));
        let solution = grid_of("solution", &value(self.board.solution)?, shape_of_puzzle, signs);
        let shape_of_solution = solution.as_ref().ok().and_then(Option::as_ref).map(Grid::shape);
        let Some(shape) = shape_of_puzzle.or(shape_of_solution) else {
            return Err(solution.err().unwrap_or_else(|| NO_BOARD.to_owned()));
        };
        let mut record = Record::new(index, shape);
        for read in self.columns.iter().filter(|read| !self.board.has(read.place)) {
            COLUMNS[read.column].set(&mut record, get(read.place)?)?;
        }
        for CopiedColumn { place, column } in &self.outside {
            record.outside.push(column.value(get(*place)?)?);
        }
        if let Some(place) = self.hashed
            && let Value::Text(solution) = get(place)?
        {
            record.grid_hash = Some(hash_of_text(&solution));
        }
        record.puzzle = puzzle.map(Puzzle::try_from).transpose().map_err(|reason| format!("puzzle: {reason}"))?;
        record.set_solution(solution)?;
        match self.want {
            Want::Everything | Want::Rows | Want::Most => Ok(record),
            Want::Boards if record.puzzle.is_none() && record.solution.is_none() => Err(NO_BOARD.to_owned()),
            Want::Boards | Want::Known => Ok(with_counts(record)),
        }
    }
}

/// The message about a rule that would be lost.
pub(crate) fn lost(rule: &str) -> String {
    let advice = "give --shape, such as --shape 3x3+x, or 9+jigsaw:REGIONS with a letter for each cell";
    format!("it has a rule beside the board, '{rule}', which is not read here: {advice}")
}

/// True for the name of a column whose values may say rules.
fn may_name_rules(name: &str) -> bool {
    let is_listed = LISTED_RULES.split(' ').any(|one| one.eq_ignore_ascii_case(name.trim()));
    is_rule_name(name) || is_listed || is_category(name) || is_x(name)
}

/// True for the name of a column that sorts puzzles, perhaps by rules: by its ending.
fn is_category(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    CATEGORY_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// True for a column `x`: the rule of that name if it is true, or else perhaps a coordinate.
fn is_x(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("x")
}

/// True if a value in a column of rules names one.
fn names_rule(name: &str, value: &Value<'_>) -> bool {
    // The order matters: values that say "no rule" come first, then columns by how sure their names are.
    match value {
        Value::Null | Value::Flag(false) | Value::Unsigned(0) | Value::Signed(0) => false,
        Value::Text(text) if is_usual_rule(text) && !text.trim().starts_with(['[', '{']) => false,
        Value::Text(text) if is_x(name) => ["true", "yes"].iter().any(|word| text.trim().eq_ignore_ascii_case(word)),
        Value::Flag(true) if is_x(name) => true,
        Value::Text(text) if is_rule_name(name) => !["[]", "{}"].contains(&text.trim()),
        Value::Text(text) if is_category(name) => text::rule_named(text).is_some(),
        Value::Text(text) => text.trim().starts_with(['[', '{']) && !["[]", "{}"].contains(&text.trim()),
        _ => is_rule_name(name),
    }
}

/// True if a shape, such as `3x3+x` or `9+jigsaw:REGIONS`, has the rule that a column or its value names.
fn has_rule(shape: Shape, name: &str, value: &Value<'_>) -> bool {
    let text = if let Value::Text(text) = value { text.trim() } else { "" };
    let shape = shape.to_string();
    let mut variants = shape.split('+').skip(1).map(|variant| variant.split(':').next().unwrap_or_default());
    text == shape || variants.any(|variant| [name.trim(), text].iter().any(|word| word.eq_ignore_ascii_case(variant)))
}

const NO_BOARD: &str = "the row has neither a puzzle nor a solution";

/// The shape that a row names, or the one that was asked for.
///
/// # Errors
/// It cannot be read, or both differ.
fn shape_of(stated: &Value<'_>, asked: Option<Shape>) -> Result<Option<Shape>, String> {
    let Value::Text(stated) = stated else { return Ok(asked) };
    let stated: Shape = stated.parse().map_err(|error: Reason| error.to_string())?;
    match asked.filter(|asked| *asked != stated) {
        Some(asked) => Err(format!("the row is of the {}, but the {} was asked for", stated.board(), asked.board())),
        None => Ok(Some(stated)),
    }
}

/// The board in a column.
fn grid_of(name: &str, value: &Value<'_>, shape: Option<Shape>, signs: &Signs) -> Result<Option<Grid>, String> {
    let text = match value {
        Value::Null => return Ok(None),
        Value::Text(text) if is_no_board(text) => return Ok(None),
        Value::Text(text) => text,
        other => return Err(format!("{name}: {other} is not a text")),
    };
    let grid = text::parse(text, shape, signs);
    grid.map(Some).map_err(|error| format!("{name}: {}", spoiled(text, &error.reason.to_string())))
}

/// Why a text is no board, or what a spreadsheet may have made of it.
fn spoiled(text: &str, reason: &str) -> String {
    let missing = Shape::NINE.cells().wrapping_sub(text.len());
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits && (1..=20).contains(&missing) {
        let cells = counted(text.len(), "cell");
        return format!("{cells}; if a spreadsheet removed zeros at its beginning, {missing} are missing");
    }
    if text.contains(['E', 'e']) && text.parse::<f64>().is_ok() {
        return "a spreadsheet has rounded this number, and the puzzle is lost".to_owned();
    }
    reason.to_owned()
}

/// Adds the numbers of givens and holes to a row with a puzzle if they are missing.
fn with_counts(mut record: Record) -> Record {
    if let Some(grid) = record.puzzle.as_ref().map(Puzzle::grid) {
        record.givens.get_or_insert(grid.givens() as u32);
        record.holes.get_or_insert(grid.holes() as u32);
    }
    record
}

/// True if a column has numbers that are no boards.
fn holds_numbers(types: Option<&ColumnTypes>, rows: &[Vec<String>], place: usize, asked: &Asked<'_>) -> bool {
    let is_no_text = types.is_some_and(|types| types[place] != Some(ColumnType::Text));
    let mut fields = rows.iter().filter_map(|row| row.get(place)).filter(|field| !is_no_board(field)).peekable();
    let has_integers = fields.peek().is_some() && fields.all(|field| field.trim().parse::<u64>().is_ok());
    is_no_text || has_integers && asked.boards(rows, place).is_none()
}

/// The columns of the schema that a file has and that are wanted.
fn present(names: &[String], wanted: impl Fn(&str) -> bool) -> Vec<ReadColumn> {
    let mut columns = Vec::new();
    for (column, info) in COLUMNS.iter().enumerate().filter(|(_, info)| wanted(&info.name)) {
        let place = names.iter().position(|name| *name == info.name);
        columns.extend(place.map(|place| ReadColumn { column, place }));
    }
    columns
}

/// Requires every column of the schema, of its type if the file says types. `with_others` accepts columns besides them.
///
/// # Errors
/// A column that is missing, has another type or does not belong to the schema.
fn every_column(names: &[String], types: Option<&ColumnTypes>, with_others: bool) -> Result<Vec<ReadColumn>, String> {
    let columns = present(names, |_| true);
    if let Some(unknown) = names.iter().find(|name| COLUMNS.iter().all(|column| column.name != **name))
        && (columns.len() < COLUMNS.len() || !with_others)
    {
        return Err(format!("'{unknown}' is none of the columns of a corpus"));
    }
    if let Some(missing) = COLUMNS.iter().find(|column| !names.iter().any(|name| column.name == *name)) {
        return Err(format!("column '{}' is missing", missing.name));
    }
    let Some(types) = types else { return Ok(columns) };
    for read in &columns {
        let Column { name, kind, .. } = &COLUMNS[read.column];
        let type_of_file = types[read.place];
        if type_of_file != Some(*kind) {
            let type_name = type_of_file.map_or("another type", ColumnType::name);
            return Err(format!("column '{name}' is of type {type_name}, not {}", kind.name()));
        }
    }
    Ok(columns)
}

/// The places of the columns of a name: spaces around it and its case do not count.
fn places_of<'a>(names: &'a [String], wanted: &'a str) -> impl Iterator<Item = usize> + 'a {
    names.iter().enumerate().filter(|(_, name)| name.trim().eq_ignore_ascii_case(wanted.trim())).map(|(place, _)| place)
}

/// The place in the schema of a column.
fn column_of(name: &str) -> Option<usize> {
    COLUMNS.iter().position(|column| column.name == name)
}

/// The place of the first of these names that the columns have.
fn first_place(names: &[String], wanted: &[&str]) -> Option<usize> {
    wanted.iter().find_map(|name| places_of(names, name).next())
}

/// Names for a message, at most a line of them.
pub(crate) fn listed(names: &[impl AsRef<str>]) -> String {
    let shown: Vec<&str> = names.iter().take(12).map(AsRef::as_ref).collect();
    let text: String = shown.join(", ").chars().take(200).collect();
    if names.len() > shown.len() { format!("{text}, ...") } else { text }
}
