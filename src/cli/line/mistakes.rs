//! Says in words what was wrong with a command line. `sentence` explains what the parser has refused: names of earlier
//! versions, negative numbers, and reasons in the words of libraries. `check_order` refuses arguments in the wrong
//! order, which the parser does not notice.

use std::ffi::OsString;
use std::path::Path;

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;

use crate::cli::Usage;
use crate::cli::line::gone;
use crate::corpus::{RECIPE_FILE, in_words, quoted};
use crate::library::is_ours;

/// What to say of a mistake that the parser found. None if its own message is good.
pub(in crate::cli) fn sentence(mistake: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let words: Vec<&str> = arguments.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let program = crate::cli::command();
    let command = words.iter().find(|word| program.find_subcommand(word).is_some()).copied();
    // The name of a command that is gone, too.
    let command = command.or_else(|| words.iter().find(|word| !word.starts_with('-')).copied()).unwrap_or_default();
    if let Some(sentence) = gone::instead(mistake, command) {
        return Some(sentence);
    }
    let message = mistake.render().to_string();
    let message = message.strip_prefix("error: ").unwrap_or(&message);
    if mistake.kind() == ErrorKind::UnknownArgument
        && let Some(ContextValue::String(argument)) = mistake.get(ContextKind::InvalidArg)
        && let Some(sign) = argument.strip_prefix('-').filter(|rest| !rest.starts_with('-'))
    {
        let word =
            words.iter().find(|word| word.starts_with(argument.as_str())).unwrap_or(&argument.as_str()).to_string();
        let is_number = sign.starts_with(|sign: char| sign.is_ascii_digit());
        return Some(match is_number {
            true => format!("{word} is negative: options take numbers from 0 on"),
            false => format!("there is no option {word}; long options have two dashes: -{word}"),
        });
    }
    // The reason of a library why a value is none, which the parser tells at the end.
    let reason = std::error::Error::source(mistake)?;
    let library_words = reason.to_string();
    // The parser tells a range of numbers as Rust writes it.
    let words =
        in_words(reason).replace(" is not in 1..18446744073709551615", " is less than 1").replace("..=", " to ");
    if words == library_words {
        return None;
    }
    Some(message.replacen(&library_words, &words, 1).trim_end().to_owned())
}

/// Refuses arguments in the wrong order, and a folder or a file where the other one belongs.
pub(in crate::cli) fn check_order(matches: &ArgMatches) -> Result<(), Usage> {
    let Some((command, matches)) = matches.subcommand() else { return Ok(()) };
    let values = |name: &str| -> Vec<String> {
        let values = matches.try_get_raw(name).ok().flatten().into_iter().flatten();
        values.map(|value| value.to_string_lossy().into_owned()).collect()
    };
    let first = |name: &str| values(name).into_iter().next().unwrap_or_default();
    let refused = match command {
        "query" => swapped_query(&first("sql"), &values("corpora")),
        "stats" => {
            let figures = first("figures");
            // A folder may be called like a column.
            let has_corpus = matches.value_source("corpora") == Some(ValueSource::CommandLine)
                && values("corpora").iter().all(|path| Path::new(path).exists());
            (Path::new(&figures).is_dir() && !has_corpus)
                .then(|| format!("the figures stand before the corpus: stats givens {}", quoted(&figures)))
        }
        "nightly" => {
            let (recipe, nights) = (first("recipe"), first("nights"));
            let order = "the recipe stands before the folder of the nights";
            match (Path::new(&recipe).is_dir(), Path::new(&nights).is_file()) {
                (true, true) => Some(format!("{order}: nightly {} {}", quoted(&nights), quoted(&recipe))),
                (true, false) => Some(format!("{recipe} is a folder, not a recipe: {order}")),
                (false, true) => Some(format!("{nights} is a file, not a folder: {order}")),
                (false, false) if Path::new(&nights).join(RECIPE_FILE).is_file() => {
                    Some(format!("{nights} holds a corpus; choose another folder for the nights"))
                }
                (false, false) => None,
            }
        }
        "run" => no_recipe(&first("recipe")),
        "verify" => {
            let corpus = first("corpus");
            Path::new(&corpus)
                .is_file()
                .then(|| format!("{corpus} is a file; for puzzles of a file: check {}", quoted(&corpus)))
        }
        _ => None,
    };
    match refused {
        Some(sentence) => Err(Usage(sentence)),
        None => Ok(()),
    }
}

/// The message about a query that stands behind its corpus. None if no place is a query.
fn swapped_query(sql: &str, places: &[String]) -> Option<String> {
    let is_query = |text: &str| {
        let word = text.split_whitespace().next().unwrap_or_default();
        text.contains(' ') && ["select", "with"].iter().any(|keyword| word.eq_ignore_ascii_case(keyword))
    };
    let query = places.iter().find(|place| is_query(place) && !Path::new(place).exists())?;
    Some(format!("the query stands first: query {} {}", quoted(query), quoted(sql)))
}

/// The message about a recipe that is a folder, or a file that is not there. None if it may be a recipe.
fn no_recipe(recipe: &str) -> Option<String> {
    let path = Path::new(recipe);
    match path.is_dir() {
        true => {
            let how = "a recipe is a file; --out names the folder of the corpus";
            Some(format!("{recipe} is a folder, and {how}: run --out {}", quoted(recipe)))
        }
        false if recipe.is_empty() || is_ours(recipe) || path.exists() => None,
        false => {
            Some(format!("{recipe}: there is no such file; `list recipes` has those of the program: run recipe:book"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted() {
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
