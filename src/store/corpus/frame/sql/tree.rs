//! Walking through the syntax tree of a query.

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments, Ident,
    WindowType,
};

/// The deepest nesting of an expression. Chains of AND or of OR count as one level.
pub(super) const DEEPEST: usize = 150;

/// The largest number of operands of a chain of AND or of OR, and of values of an IN list.
pub(super) const LONGEST: usize = 10_000;

/// The operands of a chain of AND, or of OR: `a AND (b AND c)` has three.
pub(super) fn operands<'e>(expr: &'e Expr, of: &BinaryOperator) -> Vec<&'e Expr> {
    let (mut found, mut waiting) = (Vec::new(), vec![expr]);
    while let Some(next) = waiting.pop() {
        match next {
            Expr::BinaryOp { left, op, right } if op == of => waiting.extend([right.as_ref(), left.as_ref()]),
            Expr::Nested(inner) if matches!(strip(inner), Expr::BinaryOp { op, .. } if op == of) => waiting.push(inner),
            other => found.push(other),
        }
    }
    found
}

/// An expression without the parentheses around it.
pub(super) fn strip(mut expr: &Expr) -> &Expr {
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}

/// The arguments of a function that are expressions.
pub(super) fn arguments(function: &Function) -> Vec<&Expr> {
    let FunctionArguments::List(list) = &function.args else { return Vec::new() };
    let of = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expr)) => Some(expr),
        _ => None,
    };
    list.args.iter().filter_map(of).collect()
}

/// The direct subexpressions of an expression, without those in subqueries.
pub(super) fn children(expr: &Expr) -> Vec<&Expr> {
    let mut below: Vec<&Expr> = Vec::new();
    match expr {
        Expr::Nested(a)
        | Expr::IsFalse(a)
        | Expr::IsNotFalse(a)
        | Expr::IsTrue(a)
        | Expr::IsNotTrue(a)
        | Expr::IsNull(a)
        | Expr::IsNotNull(a)
        | Expr::IsUnknown(a)
        | Expr::IsNotUnknown(a)
        | Expr::UnaryOp { expr: a, .. }
        | Expr::Cast { expr: a, .. }
        | Expr::Ceil { expr: a, .. }
        | Expr::Floor { expr: a, .. }
        | Expr::InSubquery { expr: a, .. } => below.push(a),
        Expr::IsDistinctFrom(a, b) | Expr::IsNotDistinctFrom(a, b) => below.extend([a.as_ref(), b]),
        Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
            below.extend(operands(expr, op));
        }
        Expr::BinaryOp { left, right, .. } => below.extend([left.as_ref(), right]),
        Expr::Like { expr: a, pattern, .. } | Expr::ILike { expr: a, pattern, .. } => {
            below.extend([a.as_ref(), pattern]);
        }
        Expr::Position { expr: a, r#in } => below.extend([a.as_ref(), r#in]),
        Expr::InList { expr: a, list, .. } => {
            below.push(a);
            below.extend(list);
        }
        Expr::Between { expr: a, low, high, .. } => below.extend([a.as_ref(), low, high]),
        Expr::Substring { expr: a, substring_from, substring_for, .. } => {
            below.push(a);
            below.extend(substring_from.iter().chain(substring_for).map(AsRef::as_ref));
        }
        Expr::Trim { expr: a, trim_what, trim_characters, .. } => {
            below.push(a);
            below.extend(trim_what.iter().map(AsRef::as_ref));
            below.extend(trim_characters.iter().flatten());
        }
        Expr::Case { operand, conditions, else_result, .. } => {
            below.extend(operand.iter().chain(else_result).map(AsRef::as_ref));
            below.extend(conditions.iter().flat_map(|case| [&case.condition, &case.result]));
        }
        Expr::Function(function) => {
            below.extend(arguments(function));
            below.extend(function.filter.iter().map(AsRef::as_ref));
            if let FunctionArguments::List(list) = &function.args {
                for clause in &list.clauses {
                    if let FunctionArgumentClause::OrderBy(keys) = clause {
                        below.extend(keys.iter().map(|key| &key.expr));
                    }
                }
            }
            if let Some(WindowType::WindowSpec(window)) = &function.over {
                below.extend(&window.partition_by);
                below.extend(window.order_by.iter().map(|key| &key.expr));
            }
        }
        _ => {}
    }
    below
}

/// Refuses expressions that nest too deeply or are too long.
///
/// # Errors
/// The expression is too deep or too long.
pub(super) fn check_size(expr: &Expr) -> Result<(), String> {
    let mut waiting = vec![(expr, 0)];
    while let Some((next, depth)) = waiting.pop() {
        if depth > DEEPEST {
            return Err(format!("an expression nests more than {DEEPEST} levels deep"));
        }
        let below = children(next);
        if below.len() > LONGEST {
            return Err(format!("a list of more than {LONGEST} conditions or values; join with a --table instead"));
        }
        waiting.extend(below.into_iter().map(|expr| (expr, depth + 1)));
    }
    Ok(())
}

/// True if two names are the same in a query. Upper and lower case do not matter.
pub(super) fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// A text that is equal for equal expressions: letters outside of texts are in lower case.
pub(super) fn key(expr: &Expr) -> String {
    let written = strip(expr).to_string();
    let mut quoted = false;
    let lower = |c: char| {
        quoted ^= c == '\'';
        if quoted { c } else { c.to_ascii_lowercase() }
    };
    written.chars().map(lower).collect()
}

/// The table, if it is written, and the name of a column. None for other expressions.
pub(super) fn column_of(expr: &Expr) -> Option<(Option<&Ident>, &Ident)> {
    match expr {
        Expr::Identifier(name) => Some((None, name)),
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [table, name] => Some((Some(table), name)),
            _ => None,
        },
        _ => None,
    }
}
