//! The meaning of names: columns of tables, expressions that were computed before, aliases of SELECT.

use polars::prelude::{DataType, LazyFrame, PlSmallStr, col};
use sqlparser::ast::{Expr, Ident};

use super::tree::{column_of, key, same};
use super::value::{ANY, Bounds, Type, Typed};
use sudoku_corpus_core::rate::nearest;

/// A column of a relation.
#[derive(Clone, Debug)]
pub(super) struct Col {
    /// Its table, by the name in the query.
    pub table: Option<String>,
    pub name: String,
    /// Its name in polars, which is unique in a query.
    pub id: PlSmallStr,
    /// Its type in polars.
    pub data: DataType,
    pub bounds: Bounds,
    /// `*` does not include it.
    pub hidden: bool,
}

impl Col {
    /// The column as an expression. None if queries cannot use its type.
    pub fn typed(&self) -> Option<Typed> {
        let kind = Type::of(&self.data)?;
        let plain = col(self.id.clone());
        let expr = if self.data == kind.data_type() { plain } else { plain.strict_cast(kind.data_type()) };
        Some(Typed { bounds: self.bounds, ..Typed::new(expr, kind) })
    }

    /// The bounds of integers of a type of polars.
    pub fn bounds_of(data: &DataType) -> Bounds {
        match data {
            DataType::UInt8 => (0, u8::MAX.into()),
            DataType::UInt16 => (0, u16::MAX.into()),
            DataType::UInt32 => (0, u32::MAX.into()),
            DataType::UInt64 => (0, ANY.1),
            DataType::Int8 => (i8::MIN.into(), i8::MAX.into()),
            DataType::Int16 => (i16::MIN.into(), i16::MAX.into()),
            DataType::Int32 => (i32::MIN.into(), i32::MAX.into()),
            _ => ANY,
        }
    }
}

/// Rows with named columns.
#[derive(Clone)]
pub(super) struct Relation {
    pub frame: LazyFrame,
    pub columns: Vec<Col>,
}

/// The names that an expression can use at its place in a query, and their meaning.
pub(super) struct Scope {
    pub relation: Relation,
    /// Expressions that were computed before, by their text: group keys, aggregates, windows.
    pub computed: Vec<(String, Typed)>,
    /// After GROUP BY: the columns that are group keys, by their names in polars. Others have no value.
    pub keys: Option<Vec<(PlSmallStr, Typed)>>,
    /// Aliases of SELECT. A column of the same name comes first.
    pub aliases: Vec<(String, Expr)>,
    /// Columns of the outer query, for messages about wrong references.
    pub outer: Vec<Col>,
    /// The clause, for messages.
    pub place: &'static str,
}

impl Scope {
    pub fn new(relation: Relation, outer: &[Col]) -> Scope {
        let outer = outer.to_vec();
        Scope { relation, computed: Vec::new(), keys: None, aliases: Vec::new(), outer, place: "SELECT" }
    }

    /// An expression that was computed before.
    pub fn known(&self, expr: &Expr) -> Option<Typed> {
        if self.computed.is_empty() {
            return None;
        }
        let key = key(expr);
        self.computed.iter().find(|(known, _)| *known == key).map(|(_, typed)| typed.clone())
    }

    /// The expression of an alias of SELECT. None if it is a column.
    pub fn alias(&self, expr: &Expr) -> Option<&Expr> {
        let (None, name) = column_of(expr)? else { return None };
        if !matches(&self.relation.columns, None, name).is_empty() {
            return None;
        }
        self.aliases.iter().find(|(alias, _)| same(alias, &name.value)).map(|(_, expr)| expr)
    }

    /// A column as an expression.
    ///
    /// # Errors
    /// The column does not exist (with the nearest name), is ambiguous, or has no value after GROUP BY.
    pub fn column(&self, table: Option<&Ident>, name: &Ident) -> Result<Typed, String> {
        let column = self.find(table, name)?;
        if let Some(keys) = &self.keys {
            let key = keys.iter().find(|(id, _)| *id == column.id).map(|(_, typed)| typed.clone());
            return key.ok_or_else(|| {
                let name = &column.name;
                format!("column '{name}' must be in GROUP BY or in an aggregate such as max({name})")
            });
        }
        column.typed().ok_or_else(|| {
            let (name, data) = (&column.name, &column.data);
            format!("column '{name}' holds values of type {data}, which queries cannot use")
        })
    }

    /// The column of a name.
    ///
    /// # Errors
    /// The same as for [`Scope::column`].
    pub fn find(&self, table: Option<&Ident>, name: &Ident) -> Result<&Col, String> {
        let columns = &self.relation.columns;
        match matches(columns, table, name).as_slice() {
            [] if !matches(&self.outer, table, name).is_empty() => Err(format!(
                "column '{name}' belongs to the query around this subquery; a subquery can use it only in conditions \
                 'inner = outer' of WHERE"
            )),
            [] => Err(self.missing(table, name)),
            [one] => Ok(one),
            [first, ..] => {
                let tables: Vec<_> =
                    matches(columns, table, name).iter().filter_map(|column| column.table.clone()).collect();
                match tables.as_slice() {
                    [a, b, ..] => {
                        let name = &first.name;
                        Err(format!("several tables have a column '{name}'; write {a}.{name} or {b}.{name}"))
                    }
                    _ => Err(format!("several columns are called '{}'", first.name)),
                }
            }
        }
    }

    fn missing(&self, table: Option<&Ident>, name: &Ident) -> String {
        let columns = &self.relation.columns;
        if let Some(table) = table {
            let tables = || columns.iter().filter_map(|column| column.table.as_deref());
            if !tables().any(|known| same(known, &table.value)) {
                return match nearest(&table.value, tables()) {
                    Some(near) => format!("no table '{}' here; did you mean '{near}'?", table.value),
                    None => format!("no table '{}' here", table.value),
                };
            }
        }
        let name = &name.value;
        let quoted = if columns.is_empty() { "; texts need single quotes" } else { "" };
        match nearest(name, columns.iter().map(|column| column.name.as_str())) {
            Some(near) => format!("no column '{name}'; did you mean '{near}'?"),
            None => format!("no column '{name}'{quoted}"),
        }
    }
}

/// The columns that a name can mean: visible ones before hidden ones.
pub(super) fn matches<'c>(columns: &'c [Col], table: Option<&Ident>, name: &Ident) -> Vec<&'c Col> {
    let of_table = |column: &&Col| match table {
        Some(table) => column.table.as_deref().is_some_and(|known| same(known, &table.value)),
        None => true,
    };
    let found: Vec<&Col> = columns.iter().filter(of_table).filter(|column| same(&column.name, &name.value)).collect();
    let shown: Vec<&Col> = found.iter().filter(|column| !column.hidden).copied().collect();
    // If several names differ only in upper and lower case, the one that is written as in the query is meant.
    let found = if shown.is_empty() { found } else { shown };
    let exact: Vec<&Col> = found.iter().filter(|column| column.name == name.value).copied().collect();
    if found.len() > 1 && exact.len() == 1 { exact } else { found }
}
