//! FROM: tables, subqueries and joins.

use polars::prelude::{Expr, JoinArgs, JoinCoalesce, JoinType, LazyFrame, MaintainOrderJoin, PlSmallStr, col};
use sqlparser::ast::{self, BinaryOperator, JoinConstraint, JoinOperator, TableAlias, TableFactor, TableWithJoins};

use super::expr::one_row;
use super::scope::{Col, Relation, Scope, matches};
use super::tree::{children, column_of, operands, same, strip};
use super::value::{Typed, unified};
use super::{Environment, Planner, not_here, text};
use sudoku_corpus_core::rate::nearest;

/// The largest number of tables in a query, with those of subqueries and WITH.
const MOST_TABLES: usize = 64;

/// Which rows of two tables a join keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Inner,
    Left,
    Full,
}

/// The side of a join to which the columns of an expression belong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    None,
    Left,
    Right,
    Both,
}

impl Planner<'_> {
    /// The rows of FROM. Conditions of WHERE that join its tables are removed from `conditions`.
    pub(super) fn from<'q>(
        &mut self,
        from: &'q [TableWithJoins],
        conditions: &mut Vec<&'q ast::Expr>,
        around: &Environment,
    ) -> Result<Relation, String> {
        let mut rows: Option<Relation> = None;
        for item in from {
            let next = self.with_joins(item, around)?;
            rows = Some(match rows {
                None => next,
                Some(rows) => self.join(rows, next, How::Inner, conditions)?,
            });
        }
        Ok(rows.unwrap_or_else(|| Relation { frame: one_row(), columns: Vec::new() }))
    }

    fn with_joins(&mut self, item: &TableWithJoins, around: &Environment) -> Result<Relation, String> {
        let mut rows = self.factor(&item.relation, around)?;
        for join in &item.joins {
            let next = self.factor(&join.relation, around)?;
            let (how, constraint, swapped) = match &join.join_operator {
                JoinOperator::Join(on) | JoinOperator::Inner(on) | JoinOperator::CrossJoin(on) => {
                    (How::Inner, on, false)
                }
                JoinOperator::Left(on) | JoinOperator::LeftOuter(on) => (How::Left, on, false),
                JoinOperator::Right(on) | JoinOperator::RightOuter(on) => (How::Left, on, true),
                JoinOperator::FullOuter(on) => (How::Full, on, false),
                _ => return Err(not_here(&format!("'{}'", join.to_string().trim()))),
            };
            let (left, right) = if swapped { (next, rows) } else { (rows, next) };
            let cross = matches!(join.join_operator, JoinOperator::CrossJoin(_));
            rows = match constraint {
                JoinConstraint::On(on) => {
                    let mut conditions = operands(on, &BinaryOperator::And);
                    let joined = self.join(left, right, how, &mut conditions)?;
                    self.kept(joined, &conditions)?
                }
                JoinConstraint::Using(names) if how == How::Inner || (how == How::Left && !swapped) => {
                    self.join_using(left, right, how, names)?
                }
                JoinConstraint::None if cross => self.join(left, right, How::Inner, &mut Vec::new())?,
                JoinConstraint::None => {
                    return Err("JOIN without ON; write CROSS JOIN for all pairs of rows".to_owned());
                }
                other => return Err(not_here(&format!("the join with {other:?}").replace("Using", "USING"))),
            };
            if swapped {
                // The columns keep their order.
                let columns = std::mem::take(&mut rows.columns);
                let written = join_names(&join.relation);
                let (first, last): (Vec<Col>, Vec<Col>) = columns
                    .into_iter()
                    .partition(|column| !written.iter().any(|name| column.table.as_ref() == Some(name)));
                rows.columns = first.into_iter().chain(last).collect();
            }
        }
        Ok(rows)
    }

    /// The rows for which all conditions are true.
    fn kept(&mut self, rows: Relation, conditions: &[&ast::Expr]) -> Result<Relation, String> {
        let mut scope = Scope::new(rows, &[]);
        scope.place = "ON";
        for condition in conditions {
            let condition = self.flag(condition, &mut scope, "ON")?;
            scope.relation.frame = scope.relation.frame.filter(condition);
        }
        Ok(scope.relation)
    }

    fn factor(&mut self, factor: &TableFactor, around: &Environment) -> Result<Relation, String> {
        match factor {
            TableFactor::Table { name, alias, args: None, sample: None, version: None, .. } => {
                self.table(name, alias.as_ref(), around)
            }
            TableFactor::Table { name, args: Some(_), .. } | TableFactor::Function { name, .. } => Err(format!(
                "the table function {name}(..): files are named on the command line, as in --table times=times.csv"
            )),
            TableFactor::Derived { lateral: false, subquery, alias, sample: None } => {
                let rows = self.query(subquery, around)?;
                renamed(rows, alias.as_ref())
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => self.with_joins(table_with_joins, around),
            other => Err(not_here(&format!("'{other}' in FROM"))),
        }
    }

    fn table(
        &mut self,
        name: &ast::ObjectName,
        alias: Option<&TableAlias>,
        around: &Environment,
    ) -> Result<Relation, String> {
        self.tables += 1;
        if self.tables > MOST_TABLES {
            return Err(format!("more than {MOST_TABLES} tables in one query"));
        }
        let [ast::ObjectNamePart::Identifier(name)] = name.0.as_slice() else {
            return Err(format!("no table {name}: tables have names of one part"));
        };
        if name.quote_style == Some('\'') {
            return Err(format!(
                "{name} in FROM: files are named on the command line, as in --table times={}",
                name.value
            ));
        }
        let rows = match around.find(&name.value) {
            Some((query, environment)) => {
                let mut rows = self.query(&query, &environment)?;
                rows.columns.iter_mut().for_each(|column| column.table = Some(name.value.clone()));
                rows
            }
            None => self.stored(name)?,
        };
        renamed(rows, alias)
    }

    /// Finds a table of the catalogue.
    fn stored(&mut self, name: &ast::Ident) -> Result<Relation, String> {
        let Some(table) = self.catalog.iter().find(|table| same(&table.name, &name.value)) else {
            let names = || self.catalog.iter().map(|table| table.name.as_str());
            let known = names().collect::<Vec<_>>().join(", ");
            return Err(match nearest(&name.value, names()) {
                Some(near) => format!("no table '{}'; did you mean '{near}'?", name.value),
                None => format!("no table '{}'; there is {known}", name.value),
            });
        };
        let mut columns = Vec::new();
        let mut chosen = Vec::new();
        for (column, data) in table.columns {
            let id = self.fresh();
            chosen.push(col(column.as_str()).alias(id.clone()));
            columns.push(Col {
                table: Some(name.value.clone()),
                name: column.clone(),
                id,
                data: data.clone(),
                bounds: Col::bounds_of(data),
                hidden: table.hidden.contains(&column.as_str()),
            });
        }
        Ok(Relation { frame: table.rows.clone().select(chosen), columns })
    }

    /// Joins two tables by those conditions that are equalities between them. These are removed.
    fn join(
        &mut self,
        left: Relation,
        right: Relation,
        how: How,
        conditions: &mut Vec<&ast::Expr>,
    ) -> Result<Relation, String> {
        let (mut left, mut right) = (Scope::new(left, &[]), Scope::new(right, &[]));
        (left.place, right.place) = ("ON", "ON");
        let mut keys = Vec::new();
        for condition in std::mem::take(conditions) {
            let sides = |a: &ast::Expr, b: &ast::Expr| (side(a, &left, &right), side(b, &left, &right));
            match strip(condition) {
                ast::Expr::BinaryOp { left: a, op: BinaryOperator::Eq, right: b } => match sides(a, b) {
                    (Side::Left, Side::Right) => keys.push((self.expr(a, &mut left)?, self.expr(b, &mut right)?)),
                    (Side::Right, Side::Left) => keys.push((self.expr(b, &mut left)?, self.expr(a, &mut right)?)),
                    _ => conditions.push(condition),
                },
                _ => conditions.push(condition),
            }
        }
        if how != How::Inner {
            for condition in std::mem::take(conditions) {
                // Rows of the right table that fail a condition about that table alone cannot be partners.
                if how != How::Left || side(condition, &left, &right) != Side::Right {
                    return Err(not_here(&format!("an outer join ON '{}'", text(condition))));
                }
                let condition = self.flag(condition, &mut right, "ON")?;
                right.relation.frame = right.relation.frame.filter(condition);
            }
        }
        self.join_by(left.relation, right.relation, how, keys)
    }

    /// Joins two tables by pairs of expressions that must be equal.
    fn join_by(
        &mut self,
        left: Relation,
        right: Relation,
        how: How,
        keys: Vec<(Typed, Typed)>,
    ) -> Result<Relation, String> {
        let columns = left.columns.into_iter().chain(right.columns).collect();
        if keys.is_empty() {
            if how != How::Inner {
                return Err(not_here("an outer join without an equality"));
            }
            // Without an order, polars turns a comparison of both sides into a kind of join. Its streaming engine is
            // compiled without this kind, and the query would end in a panic.
            let args = JoinArgs { maintain_order: MaintainOrderJoin::Left, ..JoinArgs::new(JoinType::Cross) };
            return Ok(Relation { frame: left.frame.join(right.frame, [], [], args), columns });
        }
        let (mut of_left, mut of_right) = (Vec::new(), Vec::new());
        for (a, b) in keys {
            let (a, b) = unified(a, b, "ON")?;
            of_left.push((self.fresh(), a.expr));
            of_right.push((self.fresh(), b.expr));
        }
        let how = match how {
            How::Inner => JoinType::Inner,
            How::Left => JoinType::Left,
            How::Full => JoinType::Full,
        };
        Ok(Relation { frame: joined(left.frame, right.frame, how, of_left, of_right, false), columns })
    }

    fn join_using(
        &mut self,
        left: Relation,
        mut right: Relation,
        how: How,
        names: &[ast::ObjectName],
    ) -> Result<Relation, String> {
        let mut keys = Vec::new();
        for name in names {
            let [ast::ObjectNamePart::Identifier(name)] = name.0.as_slice() else {
                return Err(format!("USING ({name}): a name of one part"));
            };
            let find = |rows: &Relation| Scope::new(rows.clone(), &[]).column(None, name);
            keys.push((find(&left)?, find(&right)?));
            // USING keeps one of the two columns.
            let hidden = matches(&right.columns, None, name).first().map(|column| column.id.clone());
            right
                .columns
                .iter_mut()
                .filter(|column| Some(&column.id) == hidden.as_ref())
                .for_each(|column| column.hidden = true);
        }
        self.join_by(left, right, how, keys)
    }
}

/// Joins frames by expressions, each under a name of its own.
pub(super) fn joined(
    left: LazyFrame,
    right: LazyFrame,
    how: JoinType,
    of_left: Vec<(PlSmallStr, Expr)>,
    of_right: Vec<(PlSmallStr, Expr)>,
    nulls: bool,
) -> LazyFrame {
    let named = |keys: &[(PlSmallStr, Expr)]| -> Vec<Expr> {
        keys.iter().map(|(name, expr)| expr.clone().alias(name.clone())).collect()
    };
    let names = |keys: &[(PlSmallStr, Expr)]| -> Vec<Expr> { keys.iter().map(|(name, _)| col(name.clone())).collect() };
    left.with_columns(named(&of_left))
        .join_builder()
        .with(right.with_columns(named(&of_right)))
        .how(how)
        .left_on(names(&of_left))
        .right_on(names(&of_right))
        .join_nulls(nulls)
        .coalesce(JoinCoalesce::KeepColumns)
        .finish()
}

/// The names of the tables on the right of a join.
fn join_names(factor: &TableFactor) -> Vec<String> {
    match factor {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            vec![alias.name.value.clone()]
        }
        TableFactor::Table { name, .. } => name.0.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}

/// The side of a join to which the columns of an expression belong. Subqueries belong to both.
fn side(expr: &ast::Expr, left: &Scope, right: &Scope) -> Side {
    if let Some((table, name)) = column_of(expr) {
        let of = |scope: &Scope| !matches(&scope.relation.columns, table, name).is_empty();
        return match (of(left), of(right)) {
            (true, false) => Side::Left,
            (false, true) => Side::Right,
            _ => Side::Both,
        };
    }
    if matches!(expr, ast::Expr::Subquery(_) | ast::Expr::Exists { .. } | ast::Expr::InSubquery { .. }) {
        return Side::Both;
    }
    children(expr).into_iter().map(|below| side(below, left, right)).fold(Side::None, |all, one| match (all, one) {
        (Side::None, other) | (other, Side::None) => other,
        (a, b) if a == b => a,
        _ => Side::Both,
    })
}

/// Rows under the name of an alias, with the names of columns that it gives.
fn renamed(mut rows: Relation, alias: Option<&TableAlias>) -> Result<Relation, String> {
    let Some(alias) = alias else { return Ok(rows) };
    if alias.columns.len() > rows.columns.len() {
        return Err(format!("{alias}: the table has only {} columns", rows.columns.len()));
    }
    for column in &mut rows.columns {
        column.table = Some(alias.name.value.clone());
    }
    for (column, named) in rows.columns.iter_mut().zip(&alias.columns) {
        column.name = named.name.value.clone();
    }
    Ok(rows)
}
