//! Expressions about one row.

use polars::prelude::{DataType as Polars, Expr, IntoLazy, Series, lit, when};
use sqlparser::ast::{self, BinaryOperator, CaseWhen, CastKind, DataType, UnaryOperator, ValueWithSpan};

use super::calculate::{self, absolute_bounds};
use super::scope::Scope;
use super::tree::{operands, strip};
use super::value::{Type, Typed, Value, all_unified, by_row, unified};
use super::{Planner, not_here, text};

impl Planner<'_> {
    /// Converts an expression of the query to an expression of polars.
    ///
    /// # Errors
    /// The expression is wrong or not supported.
    pub(super) fn expr(&mut self, expr: &ast::Expr, scope: &mut Scope) -> Result<Typed, String> {
        use ast::Expr as E;
        if let Some(known) = scope.known(expr) {
            return Ok(known);
        }
        match expr {
            E::Nested(inner) => self.expr(inner, scope),
            E::Identifier(name) => match scope.alias(expr).cloned() {
                Some(meant) => self.alias(&meant, scope),
                None => scope.column(None, name),
            },
            E::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, name] => scope.column(Some(table), name),
                _ => Err(format!("{expr}: a column is called by its name, or by table.name")),
            },
            E::Value(value) => literal(value),
            E::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => self.chain(expr, op, scope),
            E::BinaryOp { left, op, right } => {
                let (left, right) = (self.expr(left, scope)?, self.expr(right, scope)?);
                binary(left, op, right)
            }
            E::UnaryOp { op, expr } => {
                let value = self.expr(expr, scope)?;
                unary(op, value)
            }
            E::IsNull(a) => Ok(flag(self.expr(a, scope)?.expr.is_null())),
            E::IsNotNull(a) => Ok(flag(self.expr(a, scope)?.expr.is_not_null())),
            E::IsUnknown(a) => Ok(flag(self.flag(a, scope, "IS UNKNOWN")?.is_null())),
            E::IsNotUnknown(a) => Ok(flag(self.flag(a, scope, "IS NOT UNKNOWN")?.is_not_null())),
            E::IsTrue(a) => Ok(flag(self.flag(a, scope, "IS TRUE")?.fill_null(lit(false)))),
            E::IsNotTrue(a) => Ok(flag(self.flag(a, scope, "IS NOT TRUE")?.fill_null(lit(false)).not())),
            E::IsFalse(a) => Ok(flag(self.flag(a, scope, "IS FALSE")?.not().fill_null(lit(false)))),
            E::IsNotFalse(a) => Ok(flag(self.flag(a, scope, "IS NOT FALSE")?.fill_null(lit(true)))),
            E::IsDistinctFrom(a, b) => self.same_value(a, b, scope).map(|same| flag(same.not())),
            E::IsNotDistinctFrom(a, b) => self.same_value(a, b, scope).map(flag),
            E::Between { expr, negated, low, high } => {
                let (value, low, high) = (self.expr(expr, scope)?, self.expr(low, scope)?, self.expr(high, scope)?);
                let least = binary(value.clone(), &BinaryOperator::GtEq, low)?;
                let most = binary(value, &BinaryOperator::LtEq, high)?;
                Ok(negate(least.expr.and(most.expr), *negated))
            }
            E::InList { expr, list, negated } => self.in_list(expr, list, *negated, scope),
            E::Like { negated, any: false, expr, pattern, escape_char } => {
                self.like(expr, pattern, escape_char.as_ref(), false, scope).map(|like| negate(like, *negated))
            }
            E::ILike { negated, any: false, expr, pattern, escape_char } => {
                self.like(expr, pattern, escape_char.as_ref(), true, scope).map(|like| negate(like, *negated))
            }
            E::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref(), scope)
            }
            E::Cast { kind, expr, data_type, array: false, format: None } => {
                let value = self.expr(expr, scope)?;
                cast(value, data_type, !matches!(kind, CastKind::Cast | CastKind::DoubleColon))
            }
            E::Ceil { expr: inner, .. } | E::Floor { expr: inner, .. } => {
                let name = if matches!(expr, E::Ceil { .. }) { "ceil" } else { "floor" };
                let value = self.expr(inner, scope)?;
                self.scalar(name, vec![value])
            }
            E::Position { expr, r#in } => {
                let (part, whole) = (self.expr(expr, scope)?, self.expr(r#in, scope)?);
                self.scalar("strpos", vec![whole, part])
            }
            E::Substring { expr, substring_from: Some(from), substring_for, .. } => {
                let mut arguments = vec![self.expr(expr, scope)?, self.expr(from, scope)?];
                if let Some(length) = substring_for {
                    arguments.push(self.expr(length, scope)?);
                }
                self.scalar("substr", arguments)
            }
            E::Trim { trim_where, trim_what, expr, trim_characters: None } => {
                let name = match trim_where {
                    Some(ast::TrimWhereField::Leading) => "ltrim",
                    Some(ast::TrimWhereField::Trailing) => "rtrim",
                    _ => "trim",
                };
                let mut arguments = vec![self.expr(expr, scope)?];
                if let Some(what) = trim_what {
                    arguments.push(self.expr(what, scope)?);
                }
                self.scalar(name, arguments)
            }
            E::Function(function) => self.function(function, scope),
            E::Subquery(query) => self.scalar_subquery(query, scope),
            E::Exists { subquery, negated } => {
                let exists = self.exists(subquery, scope)?;
                Ok(negate(exists, *negated))
            }
            E::InSubquery { expr, subquery, negated } => {
                let value = self.expr(expr, scope)?;
                let inside = self.in_subquery(value, subquery, scope)?;
                Ok(negate(inside, *negated))
            }
            other => Err(not_here(&format!("'{}'", text(other)))),
        }
    }

    /// The expression of an alias of SELECT. Names in it are not aliases again, so there can be no cycle.
    fn alias(&mut self, meant: &ast::Expr, scope: &mut Scope) -> Result<Typed, String> {
        let aliases = std::mem::take(&mut scope.aliases);
        let typed = self.expr(meant, scope);
        scope.aliases = aliases;
        typed
    }

    /// An expression that is true, false or NULL.
    pub(super) fn flag(&mut self, expr: &ast::Expr, scope: &mut Scope, place: &str) -> Result<Expr, String> {
        Ok(self.expr(expr, scope)?.expect(Type::Flag, place)?.expr)
    }

    /// A chain of AND or of OR, as a tree of small depth.
    fn chain(&mut self, expr: &ast::Expr, op: &BinaryOperator, scope: &mut Scope) -> Result<Typed, String> {
        let place = op.to_string();
        let parts = operands(expr, op).into_iter().map(|part| self.flag(part, scope, &place));
        let mut level = parts.collect::<Result<Vec<Expr>, _>>()?;
        while level.len() > 1 {
            let pairs = level.chunks(2).map(|pair| match (pair, op) {
                ([a, b], BinaryOperator::And) => a.clone().and(b.clone()),
                ([a, b], _) => a.clone().or(b.clone()),
                (rest, _) => rest[0].clone(),
            });
            level = pairs.collect();
        }
        level.pop().map(flag).ok_or_else(|| format!("{place} without conditions"))
    }

    fn same_value(&mut self, a: &ast::Expr, b: &ast::Expr, scope: &mut Scope) -> Result<Expr, String> {
        // The parser takes everything that follows, also AND and OR, as the right side.
        use ast::Expr as E;
        let plain = matches!(
            b,
            E::Nested(_) | E::Identifier(_) | E::CompoundIdentifier(_) | E::Value(_) | E::Function(_) | E::Subquery(_)
        );
        if !plain {
            return Err(format!(
                "IS DISTINCT FROM {}: put the comparison and its right side into parentheses",
                text(b)
            ));
        }
        let (a, b) = (self.expr(a, scope)?, self.expr(b, scope)?);
        let (a, b) = unified(a, b, "IS DISTINCT FROM")?;
        Ok(a.expr.eq_missing(b.expr))
    }

    fn in_list(
        &mut self,
        expr: &ast::Expr,
        list: &[ast::Expr],
        negated: bool,
        scope: &mut Scope,
    ) -> Result<Typed, String> {
        let mut items = vec![self.expr(expr, scope)?];
        for item in list {
            items.push(self.expr(item, scope)?);
        }
        let (mut items, kind) = all_unified(items, "IN")?;
        let value = items.remove(0);
        let known = items.iter().map(|item| item.constant.clone()).collect::<Option<Vec<_>>>();
        let inside = match known {
            // Many literals are looked up together.
            Some(known) if known.len() > 8 => {
                let null = known.contains(&Value::Null);
                let values = known.into_iter().filter(|known| *known != Value::Null);
                let column = super::value::column("values".into(), kind, values);
                let values: Series = column.take_materialized_series();
                let found = value.expr.clone().is_in(lit(values).implode(false), false);
                let missing = lit(polars::prelude::Null {}).cast(Polars::Boolean);
                let found = if null { when(found.clone()).then(lit(true)).otherwise(missing.clone()) } else { found };
                when(value.expr.is_null()).then(missing).otherwise(found)
            }
            _ => {
                let mut each = items.into_iter().map(|item| value.expr.clone().eq(item.expr));
                let first = each.next().ok_or("IN () without values")?;
                each.fold(first, Expr::or)
            }
        };
        Ok(negate(inside, negated))
    }

    fn like(
        &mut self,
        expr: &ast::Expr,
        pattern: &ast::Expr,
        escape: Option<&ValueWithSpan>,
        any_case: bool,
        scope: &mut Scope,
    ) -> Result<Expr, String> {
        let value = self.expr(expr, scope)?.expect(Type::Text, "LIKE")?;
        let pattern = self.expr(pattern, scope)?;
        let Some(Value::Text(pattern)) = pattern.constant else {
            return Err(not_here("LIKE with a pattern that is not a text between quotes"));
        };
        let escape = match escape.map(|escape| escape.value.clone().into_string()) {
            None => None,
            Some(Some(escape)) if escape.chars().count() == 1 => escape.chars().next(),
            Some(_) => return Err("ESCAPE takes one character".to_owned()),
        };
        let mut regex = if any_case { "(?is)^" } else { "(?s)^" }.to_owned();
        let mut symbols = pattern.chars();
        while let Some(symbol) = symbols.next() {
            match symbol {
                _ if Some(symbol) == escape => {
                    let next = symbols.next().ok_or("LIKE: the pattern ends with the ESCAPE character")?;
                    regex.push_str(&calculate::quoted(next));
                }
                '%' => regex.push_str(".*"),
                '_' => regex.push('.'),
                other => regex.push_str(&calculate::quoted(other)),
            }
        }
        regex.push('$');
        Ok(value.expr.str().contains(lit(regex), true))
    }

    fn case(
        &mut self,
        operand: Option<&ast::Expr>,
        conditions: &[CaseWhen],
        otherwise: Option<&ast::Expr>,
        scope: &mut Scope,
    ) -> Result<Typed, String> {
        let operand = operand.map(|operand| self.expr(operand, scope)).transpose()?;
        let (mut tests, mut results) = (Vec::new(), Vec::new());
        for case in conditions {
            let test = self.expr(&case.condition, scope)?;
            tests.push(match &operand {
                Some(operand) => binary(operand.clone(), &BinaryOperator::Eq, test)?.expr,
                None => test.expect(Type::Flag, "WHEN")?.expr,
            });
            results.push(self.expr(&case.result, scope)?);
        }
        results.push(match otherwise {
            Some(otherwise) => self.expr(otherwise, scope)?,
            None => Typed::of(Value::Null),
        });
        Ok(choice(tests, all_unified(results, "CASE")?))
    }
}

/// The first result whose test is true, otherwise the last result.
pub(super) fn choice(tests: Vec<Expr>, (mut results, kind): (Vec<Typed>, Type)) -> Typed {
    let low = results.iter().map(|result| result.bounds.0).min().unwrap_or(super::value::ANY.0);
    let high = results.iter().map(|result| result.bounds.1).max().unwrap_or(super::value::ANY.1);
    let last = results.pop().map_or_else(|| lit(false), |last| last.expr);
    let pairs = tests.into_iter().zip(results).rev();
    let expr = pairs.fold(last, |rest, (test, result)| when(test).then(result.expr).otherwise(rest));
    Typed { bounds: (low, high), ..Typed::new(expr, kind) }
}

/// A flag as an expression of a query.
pub(super) fn flag(expr: Expr) -> Typed {
    Typed::new(expr, Type::Flag)
}

fn negate(expr: Expr, negated: bool) -> Typed {
    flag(if negated { expr.not() } else { expr })
}

fn literal(value: &ValueWithSpan) -> Result<Typed, String> {
    use ast::Value as V;
    Ok(Typed::of(match &value.value {
        V::Null => Value::Null,
        V::Boolean(flag) => Value::Flag(*flag),
        V::SingleQuotedString(text) => Value::Text(text.clone().into()),
        V::Number(number, _) => {
            let plain = number.replace('_', "");
            if plain.chars().all(|c| c.is_ascii_digit()) {
                Value::Integer(plain.parse().map_err(|_| format!("{number} has more than 64 bits"))?)
            } else {
                Value::Real(plain.parse().map_err(|_| format!("{number} is not a number"))?)
            }
        }
        _ => return Err(not_here(&format!("the literal {value}"))),
    }))
}

fn unary(op: &UnaryOperator, value: Typed) -> Result<Typed, String> {
    match op {
        UnaryOperator::Not => Ok(flag(value.expect(Type::Flag, "NOT")?.expr.not())),
        UnaryOperator::Plus => Ok(value),
        UnaryOperator::Minus => match value.constant {
            Some(Value::Integer(number)) => Ok(Typed::of(Value::Integer(-number))),
            Some(Value::Real(number)) => Ok(Typed::of(Value::Real(-number))),
            _ if value.kind == Type::Real => Ok(Typed::new(lit(-1.0) * value.expr, Type::Real)),
            _ => calculate::minus(Typed::of(Value::Integer(0)), value),
        },
        other => Err(not_here(&format!("the operator {other}"))),
    }
}

pub(super) fn binary(left: Typed, op: &BinaryOperator, right: Typed) -> Result<Typed, String> {
    use BinaryOperator as B;
    let compared = |compare: fn(Expr, Expr) -> Expr| {
        let (a, b) = unified(left.clone(), right.clone(), &op.to_string())?;
        Ok(flag(compare(a.expr, b.expr)))
    };
    match op {
        B::Plus => calculate::plus(left, right),
        B::Minus => calculate::minus(left, right),
        B::Multiply => calculate::times(left, right),
        B::Divide => {
            let (a, b) = (left.expect(Type::Real, "/")?, right.expect(Type::Real, "/")?);
            Ok(Typed::new(a.expr / b.expr, Type::Real))
        }
        B::DuckIntegerDivide => calculate::whole_quotient(left, right),
        B::Modulo => calculate::remainder(left, right),
        B::PGBitwiseXor | B::BitwiseXor => {
            Err("'^' means other things to other engines; write pow(a, b), or xor with AND, OR and NOT".to_owned())
        }
        B::StringConcat => {
            let (a, b) = (calculate::as_text(left)?, calculate::as_text(right)?);
            Ok(by_row(
                Type::Text,
                vec![a, b],
                Box::new(|row| match row {
                    [Value::Text(a), Value::Text(b)] => Ok(Value::Text(format!("{a}{b}").into())),
                    _ => Ok(Value::Null),
                }),
            ))
        }
        B::Eq => compared(Expr::eq),
        B::NotEq => compared(Expr::neq),
        B::Lt => compared(Expr::lt),
        B::LtEq => compared(Expr::lt_eq),
        B::Gt => compared(Expr::gt),
        B::GtEq => compared(Expr::gt_eq),
        other => Err(not_here(&format!("the operator {other}"))),
    }
}

fn cast(value: Typed, data: &DataType, tried: bool) -> Result<Typed, String> {
    use DataType as D;
    let (kind, bits) = match data {
        D::BigInt(_) | D::Int8(_) | D::Int64 | D::HugeInt => (Type::Integer, 64),
        D::Int(_) | D::Integer(_) | D::Int4(_) | D::Int32 => (Type::Integer, 32),
        D::SmallInt(_) | D::Int2(_) | D::Int16 => (Type::Integer, 16),
        D::Double(_) | D::DoublePrecision | D::Float8 | D::Float64 => (Type::Real, 64),
        D::Varchar(None) | D::Text | D::String(None) => (Type::Text, 0),
        D::Boolean | D::Bool => (Type::Flag, 0),
        D::Float(_) | D::Real | D::Float4 | D::Float32 => {
            return Err("CAST to a float of 32 bits loses digits; CAST to DOUBLE".to_owned());
        }
        other => return Err(not_here(&format!("CAST to {other}"))),
    };
    calculate::cast(value, kind, bits, tried)
}

/// An integer literal, such as that of LIMIT.
///
/// # Errors
/// The expression is not an integer literal.
pub(super) fn number(expr: &ast::Expr, place: &str) -> Result<u64, String> {
    let wrong = || format!("{place} takes an integer, not {}", text(expr));
    match strip(expr) {
        ast::Expr::Value(ValueWithSpan { value: ast::Value::Number(digits, _), .. }) => {
            digits.parse().map_err(|_| wrong())
        }
        _ => Err(wrong()),
    }
}

/// The absolute value of an integer. It is checked if it may not fit into 64 bits.
pub(super) fn absolute(value: Typed) -> Result<Typed, String> {
    if value.kind == Type::Real {
        return Ok(Typed::new(value.expr.abs(), Type::Real));
    }
    let value = value.expect(Type::Integer, "abs")?;
    match absolute_bounds(value.bounds) {
        Some(bounds) => Ok(Typed::integer(value.expr.abs(), bounds)),
        None => Ok(by_row(
            Type::Integer,
            vec![value],
            Box::new(|row| match row {
                [Value::Integer(number)] => number.checked_abs().map(Value::Integer).ok_or_else(calculate::too_large),
                _ => Ok(Value::Null),
            }),
        )),
    }
}

/// One row without columns, for queries without FROM.
pub(super) fn one_row() -> polars::prelude::LazyFrame {
    let column = super::value::column("#one".into(), Type::Integer, std::iter::once(Value::Integer(1)));
    polars::prelude::DataFrame::new(1, vec![column]).unwrap_or_default().lazy()
}
