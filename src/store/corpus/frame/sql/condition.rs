//! Conditions about one row, for exports, books and quotas.
//!
//! The parts of a corpus are queried separately. So whether a row satisfies a condition must not depend on other rows:
//! subqueries, windows and aggregates are refused.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Visit as _};
use sqlparser::dialect::DuckDbDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer, Whitespace};

use super::aggregate::is_aggregate;
use super::functions::name_of;
use super::tree::check_size;
use super::window::{Walk, is_window, names_in};
use super::{DEEPEST, syntax};

/// Refuses a text that is not a condition about one row. Does not check that its columns exist.
///
/// # Errors
/// The reason.
pub fn check_condition(text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    let expr = parsed(text)?;
    check_size(&expr)?;
    let mut look = |expr: &Expr| match expr {
        Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } => {
            ControlFlow::Break("a subquery".to_owned())
        }
        Expr::Function(function) => {
            let name = name_of(function);
            let many = function.over.is_some() || is_aggregate(&name) || is_window(&name);
            if many { ControlFlow::Break(format!("'{name}'")) } else { ControlFlow::Continue(()) }
        }
        _ => ControlFlow::Continue(()),
    };
    match expr.visit(&mut Walk { look: &mut look, select: &mut |_| {} }) {
        ControlFlow::Break(what) => Err(format!("{what} needs several rows, but a condition is about one row")),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// The names of the columns in a condition, in lower case. Empty if the text is not a condition.
pub fn columns_of_condition(text: &str) -> Vec<String> {
    parsed(text).map(|expr| names_in(&expr).into_iter().collect()).unwrap_or_default()
}

/// Parses a text that is one expression without comments. It will be put into parentheses.
fn parsed(text: &str) -> Result<Expr, String> {
    let dialect = DuckDbDialect {};
    let tokens = Tokenizer::new(&dialect, text).tokenize().map_err(|error| syntax(error.into()))?;
    let comment = |token: &Token| {
        matches!(token, Token::Whitespace(Whitespace::SingleLineComment { .. } | Whitespace::MultiLineComment(_)))
    };
    if tokens.iter().any(comment) {
        return Err("it holds a comment".to_owned());
    }
    let mut parser = Parser::new(&dialect).with_recursion_limit(DEEPEST).with_tokens(tokens);
    let expr = parser.parse_expr().map_err(syntax)?;
    match parser.peek_token().token {
        Token::EOF => Ok(expr),
        other => Err(format!("not understood from '{other}' on")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_about_one_row() {
        for good in ["score > 500", "level = 'select from'", "first_seen OR n_x_wing >= 2", "abs(score - 3) < 9"] {
            assert_eq!(check_condition(good), Ok(()), "{good}");
        }
        for bad in
            ["1) OR (1", "(score > 3", "score > 3 --", "level = 'easy", "score /* */ > 3", "score > 3; DROP TABLE x"]
        {
            assert!(check_condition(bad).is_err(), "{bad}");
        }
        assert_eq!(check_condition("level <> '--(' AND (score > 3)"), Ok(()));
        for bad in [
            "",
            "score > avg(score)",
            "score > stdev(score) OVER ()",
            "score > total(score)",
            "score IN (SELECT 3)",
            "rank() OVER () < 3",
            "MAX (score) = score",
            "EXISTS (SELECT 1)",
        ] {
            assert!(check_condition(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn columns_of_a_condition_are_found_outside_of_texts() {
        let mut names = columns_of_condition("level = 'it''s n_x' AND \"Score\" > 2e3 AND abs(p.givens) > 3");
        names.sort();
        assert_eq!(names, ["givens", "level", "score"]);
        assert!(columns_of_condition("é'").is_empty());
    }
}
