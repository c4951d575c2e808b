//! Scalar functions: functions of the values of one row.

use polars::prelude::{DataType, Expr, coalesce, lit, when};
use sqlparser::ast::{self, Function, FunctionArg, FunctionArgExpr, FunctionArguments};

use super::expr::{absolute, binary, choice, flag};
use super::scope::Scope;
use super::value::{RowFunction, Type, Typed, Value, all_unified, by_row};
use super::{Planner, aggregate, calculate, not_here, text, window};
use sudoku_corpus_core::rate::nearest;

/// The names of the scalar functions. Some functions have several names.
pub(super) const SCALARS: [&str; 48] = [
    "abs",
    "ceil",
    "ceiling",
    "floor",
    "round",
    "trunc",
    "sign",
    "sqrt",
    "exp",
    "ln",
    "log",
    "log10",
    "log2",
    "pow",
    "power",
    "mod",
    "pi",
    "greatest",
    "least",
    "coalesce",
    "ifnull",
    "nullif",
    "if",
    "length",
    "len",
    "upper",
    "lower",
    "ucase",
    "lcase",
    "trim",
    "ltrim",
    "rtrim",
    "substr",
    "substring",
    "left",
    "right",
    "strpos",
    "instr",
    "replace",
    "concat",
    "reverse",
    "repeat",
    "lpad",
    "rpad",
    "starts_with",
    "ends_with",
    "contains",
    "split_part",
];

/// The longest text that a function returns, in bytes.
const LONGEST: usize = 1 << 20;

/// The name of a function, in lower case.
pub(super) fn name_of(function: &Function) -> String {
    function.name.to_string().to_ascii_lowercase()
}

impl Planner<'_> {
    /// A call of a scalar function.
    pub(super) fn function(&mut self, function: &Function, scope: &mut Scope) -> Result<Typed, String> {
        let name = name_of(function);
        if function.over.is_some() {
            return Err(format!(
                "a window function cannot be used in {}; give it a name in a subquery first",
                scope.place
            ));
        }
        if aggregate::is_aggregate(&name) {
            return Err(format!("{name}(..) is an aggregate and cannot be used in {}", scope.place));
        }
        if window::is_window(&name) {
            return Err(format!("{name}(..) needs OVER (..)"));
        }
        if !SCALARS.contains(&name.as_str()) {
            let near = nearest(&name, SCALARS.iter().copied().filter(|known| known.len() > 2));
            let near = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
            return Err(format!("{}{near}", not_here(&format!("the function {name}(..)"))));
        }
        let plain = function.filter.is_none()
            && function.null_treatment.is_none()
            && function.within_group.is_empty()
            && matches!(function.parameters, FunctionArguments::None)
            && !function.uses_odbc_syntax;
        let FunctionArguments::List(list) = &function.args else {
            return Err(format!("{name} takes arguments between parentheses"));
        };
        if !plain || !list.clauses.is_empty() || list.duplicate_treatment.is_some() {
            return Err(not_here(&format!("'{}'", text(&ast::Expr::Function(function.clone())))));
        }
        let mut arguments = Vec::new();
        for argument in &list.args {
            let FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) = argument else {
                return Err(not_here(&format!("the argument {argument} of {name}(..)")));
            };
            arguments.push(self.expr(argument, scope)?);
        }
        self.scalar(&name, arguments)
    }

    /// A scalar function of typed arguments.
    pub(super) fn scalar(&mut self, name: &str, arguments: Vec<Typed>) -> Result<Typed, String> {
        let count = arguments.len();
        let wrong = || format!("{name} does not take {count} arguments");
        let mut each = arguments.into_iter();
        let (first, second, third) = (each.next(), each.next(), each.next());
        match (name, first, second, third) {
            ("pi", None, ..) => Ok(Typed::of(Value::Real(std::f64::consts::PI))),
            ("coalesce" | "greatest" | "least" | "concat", Some(first), second, third) => {
                let all: Vec<Typed> = [Some(first), second, third].into_iter().flatten().chain(each).collect();
                many(name, all)
            }
            _ if count > 3 => Err(wrong()),
            ("ifnull", Some(a), Some(b), None) => many("coalesce", vec![a, b]),
            ("if", Some(test), Some(a), Some(b)) => {
                let test = test.expect(Type::Flag, "if")?.expr;
                Ok(choice(vec![test], all_unified(vec![a, b], "if")?))
            }
            ("nullif", Some(a), Some(b), None) => {
                let same = binary(a.clone(), &ast::BinaryOperator::Eq, b)?.expr;
                Ok(calculate::unless(a, same))
            }
            ("mod", Some(a), Some(b), None) => calculate::remainder(a, b),
            ("abs", Some(a), None, None) => absolute(a),
            ("sign", Some(a), None, None) => {
                let a = a.expect(Type::Real, name)?;
                let zero = || lit(0.0);
                let number = |number: i64| lit(number).cast(DataType::Int64);
                let signs = when(a.expr.clone().gt(zero())).then(number(1));
                let signs = signs.when(a.expr.clone().lt(zero())).then(number(-1)).otherwise(number(0));
                Ok(calculate::unless(Typed::integer(signs, (-1, 1)), a.expr.is_null()))
            }
            ("ceil" | "ceiling" | "floor" | "trunc" | "round", Some(a), None, None) if a.kind == Type::Integer => Ok(a),
            ("round", Some(a), digits, None) => round(a, digits),
            (
                "ceil" | "ceiling" | "floor" | "trunc" | "sqrt" | "exp" | "ln" | "log" | "log10" | "log2",
                Some(a),
                None,
                None,
            ) => {
                let a = a.expect(Type::Real, name)?;
                Ok(reals(vec![a], real_function(name)))
            }
            ("pow" | "power", Some(a), Some(b), None) => {
                let (a, b) = (a.expect(Type::Real, name)?, b.expect(Type::Real, name)?);
                Ok(by_row(
                    Type::Real,
                    vec![a, b],
                    Box::new(|row| match row {
                        [Value::Real(a), Value::Real(b)] => Ok(Value::Real(a.powf(*b))),
                        _ => Ok(Value::Null),
                    }),
                ))
            }
            ("length" | "len", Some(a), None, None) => {
                let a = a.expect(Type::Text, name)?;
                Ok(Typed::integer(a.expr.str().len_chars().cast(DataType::Int64), (0, u32::MAX.into())))
            }
            (_, Some(a), second, third) => of_text(name, a, second, third).unwrap_or_else(|| Err(wrong())),
            _ => Err(wrong()),
        }
    }
}

/// Functions of any number of arguments.
fn many(name: &str, all: Vec<Typed>) -> Result<Typed, String> {
    if name == "concat" {
        let texts = all.into_iter().map(|item| {
            let item =
                if item.kind == Type::Null { Typed::of(Value::Text("".into())) } else { calculate::as_text(item)? };
            Ok(Typed::new(item.expr.fill_null(lit("")), Type::Text))
        });
        let texts = texts.collect::<Result<Vec<_>, String>>()?;
        let joined = |row: &[Value<'_>]| {
            let texts = row.iter().map(|value| if let Value::Text(text) = value { text.as_ref() } else { "" });
            Ok(Value::Text(texts.collect::<String>().into()))
        };
        return Ok(by_row(Type::Text, texts, Box::new(joined)));
    }
    let (items, kind) = all_unified(all, name)?;
    let low = items.iter().map(|item| item.bounds.0).min().unwrap_or_default();
    let high = items.iter().map(|item| item.bounds.1).max().unwrap_or_default();
    let mut each = items.into_iter().map(|item| item.expr);
    let expr = match name {
        "coalesce" => coalesce(&each.collect::<Vec<Expr>>()),
        _ => {
            // NULLs are skipped.
            let first = each.next().ok_or("no arguments")?;
            each.fold(first, |best, next| {
                let better =
                    if name == "greatest" { next.clone().gt(best.clone()) } else { next.clone().lt(best.clone()) };
                when(best.clone().is_null().or(better)).then(next).otherwise(best)
            })
        }
    };
    Ok(Typed { bounds: (low, high), ..Typed::new(expr, kind) })
}

fn reals(arguments: Vec<Typed>, function: fn(f64) -> f64) -> Typed {
    by_row(
        Type::Real,
        arguments,
        Box::new(move |row| match row {
            [Value::Real(number)] => Ok(Value::Real(function(*number))),
            _ => Ok(Value::Null),
        }),
    )
}

fn real_function(name: &str) -> fn(f64) -> f64 {
    match name {
        "ceil" | "ceiling" => f64::ceil,
        "floor" => f64::floor,
        "trunc" => f64::trunc,
        "sqrt" => f64::sqrt,
        "exp" => f64::exp,
        "ln" => f64::ln,
        "log2" => f64::log2,
        _ => f64::log10,
    }
}

/// `round(x, digits)` rounds halves away from zero.
fn round(number: Typed, digits: Option<Typed>) -> Result<Typed, String> {
    let digits = match digits.map(|digits| digits.constant) {
        None => 0,
        Some(Some(Value::Integer(digits))) if digits.abs() <= 15 => digits,
        Some(_) => return Err(not_here("round with a number of digits that is not between -15 and 15")),
    };
    if number.kind == Type::Integer && digits >= 0 {
        return Ok(number);
    }
    if number.kind == Type::Integer {
        return Err(not_here("round of an integer to tens; CAST it to DOUBLE"));
    }
    let scale = 10f64.powi(digits.abs() as i32);
    let rounded = move |row: &[Value<'_>]| match row {
        [Value::Real(number)] => {
            let near = if digits < 0 { (number / scale).round() * scale } else { (number * scale).round() / scale };
            Ok(Value::Real(if near.is_finite() { near } else { *number }))
        }
        _ => Ok(Value::Null),
    };
    Ok(by_row(Type::Real, vec![number.expect(Type::Real, "round")?], Box::new(rounded)))
}

/// Functions whose first argument is a text. None if the number of arguments is wrong.
fn of_text(name: &str, first: Typed, second: Option<Typed>, third: Option<Typed>) -> Option<Result<Typed, String>> {
    use Type::{Flag, Integer, Text};
    let (kinds, output): (&[Type], Type) = match (name, second.is_some(), third.is_some()) {
        ("upper" | "lower" | "ucase" | "lcase" | "trim" | "ltrim" | "rtrim" | "reverse", false, false) => {
            (&[Text], Text)
        }
        ("trim" | "ltrim" | "rtrim", true, false) => (&[Text, Text], Text),
        ("substr" | "substring" | "left" | "right" | "repeat", true, false) => (&[Text, Integer], Text),
        ("substr" | "substring", true, true) => (&[Text, Integer, Integer], Text),
        ("strpos" | "instr", true, false) => (&[Text, Text], Integer),
        ("starts_with" | "ends_with" | "contains", true, false) => (&[Text, Text], Flag),
        ("replace", true, true) => (&[Text, Text, Text], Text),
        ("lpad" | "rpad", true, true) => (&[Text, Integer, Text], Text),
        ("split_part", true, true) => (&[Text, Text, Integer], Text),
        _ => return None,
    };
    let arguments = [Some(first), second, third].into_iter().flatten().zip(kinds);
    let arguments = arguments.map(|(argument, kind)| argument.expect(*kind, name)).collect::<Result<Vec<_>, _>>();
    let function: Box<RowFunction> = match name {
        "strpos" | "instr" => Box::new(|row| match row {
            [Value::Text(whole), Value::Text(part)] => {
                let place = whole.find(part.as_ref()).map_or(0, |at| whole[..at].chars().count() + 1);
                Ok(Value::Integer(place as i64))
            }
            _ => Ok(Value::Null),
        }),
        "starts_with" | "ends_with" | "contains" => {
            let test: fn(&str, &str) -> bool = match name {
                "starts_with" => |whole, part| whole.starts_with(part),
                "ends_with" => |whole, part| whole.ends_with(part),
                _ => |whole, part| whole.contains(part),
            };
            Box::new(move |row| match row {
                [Value::Text(whole), Value::Text(part)] => Ok(Value::Flag(test(whole, part))),
                _ => Ok(Value::Null),
            })
        }
        _ => {
            let name = name.to_owned();
            Box::new(move |row| text_of(&name, row).map(|text| Value::Text(text.into())))
        }
    };
    Some(arguments.map(|arguments| match output {
        Flag => flag(by_row(Flag, arguments, function).expr),
        output => by_row(output, arguments, function),
    }))
}

/// The text that a function returns for texts and numbers.
fn text_of(name: &str, row: &[Value<'_>]) -> Result<String, String> {
    let text = |at: usize| if let Some(Value::Text(text)) = row.get(at) { text.as_ref() } else { "" };
    let number = |at: usize| if let Some(Value::Integer(number)) = row.get(at) { *number } else { 0 };
    let whole = text(0);
    let length = || whole.chars().count() as i64;
    // The characters from one place to another, counted from 0.
    let piece = |from: i64, to: i64| -> String {
        let from = from.max(0);
        whole.chars().skip(from as usize).take((to - from).max(0) as usize).collect()
    };
    Ok(match name {
        "upper" | "ucase" => whole.to_uppercase(),
        "lower" | "lcase" => whole.to_lowercase(),
        "reverse" => whole.chars().rev().collect(),
        "trim" | "ltrim" | "rtrim" => {
            let extra = if row.len() > 1 { text(1) } else { " " };
            let is_extra = |c: char| extra.contains(c);
            let start = if name == "rtrim" { whole } else { whole.trim_start_matches(is_extra) };
            if name == "ltrim" { start.to_owned() } else { start.trim_end_matches(is_extra).to_owned() }
        }
        "substr" | "substring" => {
            // Places count from 1. Negative ones count from the end; 0 is before the first character.
            let from = if number(1) < 0 { (length().saturating_add(number(1))).max(0) } else { number(1) - 1 };
            if row.len() > 2 && number(2) < 0 {
                return Err(format!("{name} with a negative length"));
            }
            let to = if row.len() > 2 { from.saturating_add(number(2)) } else { i64::MAX };
            piece(from, to)
        }
        "left" if number(1) >= 0 => piece(0, number(1)),
        "left" => piece(0, length().saturating_add(number(1))),
        "right" if number(1) >= 0 => piece(length() - number(1).min(length()), length()),
        "right" => piece(number(1).saturating_neg().min(length()), length()),
        "replace" if text(1).is_empty() => whole.to_owned(),
        "replace" => {
            bounded(whole.len().max(whole.matches(text(1)).count().saturating_mul(text(2).len())), name, || {
                whole.replace(text(1), text(2))
            })?
        }
        "repeat" => {
            let times = number(1).max(0) as usize;
            bounded(whole.len().saturating_mul(times), name, || whole.repeat(times))?
        }
        "lpad" | "rpad" => {
            let (wanted, have) = (number(1).max(0), length());
            if text(2).is_empty() && wanted > have {
                return Err(format!("{name} with nothing to pad with"));
            }
            bounded(wanted as usize, name, || {
                let padding: String = text(2).chars().cycle().take((wanted - have).max(0) as usize).collect();
                let kept = piece(0, wanted);
                if name == "lpad" { padding + &kept } else { kept + &padding }
            })?
        }
        "split_part" if text(1).is_empty() || number(2) < 1 => {
            return Err("split_part takes a separator and a place from 1 on".to_owned());
        }
        "split_part" => whole.split(text(1)).nth(number(2) as usize - 1).unwrap_or_default().to_owned(),
        other => return Err(format!("{other} does not return a text")),
    })
}

fn bounded(bytes: usize, name: &str, make: impl FnOnce() -> String) -> Result<String, String> {
    if bytes > LONGEST { Err(format!("{name} would return a text of more than {LONGEST} bytes")) } else { Ok(make()) }
}
