//! Says in words what was wrong with a command line: gone names, words of libraries, arguments in the wrong order.

use std::ffi::OsString;
use std::path::Path;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::{gone, parsed};
use crate::cli::Usage;
use crate::corpus::{COLUMNS, Levels, RECIPE_FILE, quoted};
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
    parsed::Refused { error: mistake, words: &words, program: &program, command }.sentence()
}

/// Refuses arguments in the wrong order, and a folder or a file where the other one belongs.
pub(in crate::cli) fn check_order(matches: &ArgMatches) -> Result<(), Usage> {
    let Some((command, matches)) = matches.subcommand() else { return Ok(()) };
    let values = |name: &str| -> Vec<String> {
        let values = matches.try_get_raw(name).ok().flatten().into_iter().flatten();
        values.map(|value| value.to_string_lossy().into_owned()).collect()
    };
    let first = |name: &str| values(name).into_iter().next().unwrap_or_default();
    let places: Vec<String> = PLACES.iter().flat_map(|name| values(name)).collect();
    if let Some(sentence) = no_place(command, &places) {
        return Err(Usage(sentence));
    }
    let refused = match command {
        "query" => swapped_query(&first("sql"), &values("corpora")),
        "stats" => {
            let figures = first("figures");
            // A folder may be called like a column.
            let has_corpus = matches.value_source("corpora") == Some(ValueSource::CommandLine)
                && values("corpora").iter().all(|path| Path::new(path).exists());
            let column = values("corpora").into_iter().find(|place| {
                !Path::new(place.as_str()).exists() && COLUMNS.iter().any(|column| column.name == *place)
            });
            match column {
                Some(column) => Some(format!(
                    "'{column}' is a column, no corpus: figures have commas and no spaces, as in givens,level"
                )),
                None => (Path::new(&figures).is_dir() && !has_corpus)
                    .then(|| format!("the figures stand before the corpus: stats givens {}", quoted(&figures))),
            }
        }
        "nightly" => {
            let (recipe, nights) = (first("recipe"), first("nights"));
            let order = "the recipe stands before the folder of the nights";
            match (Path::new(&recipe).is_dir(), Path::new(&nights).is_file()) {
                _ if is_ours(&nights) => Some(format!("{order}: nightly {} {}", quoted(&nights), quoted(&recipe))),
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
        "score" => {
            let answers = first("predictions");
            let is_corpus = |path: &str| Path::new(path).join(RECIPE_FILE).is_file();
            let has_set = values("set").iter().any(|set| *set != answers && is_corpus(set.as_str()));
            (is_corpus(answers.as_str()) && !has_set && values("answer").is_empty())
                .then(|| format!("the answers stand before the puzzles: score answers.csv {}", quoted(&answers)))
        }
        "verify" => {
            let corpus = first("corpus");
            Path::new(&corpus)
                .is_file()
                .then(|| format!("{corpus} is a file; for puzzles of a file: check {}", quoted(&corpus)))
        }
        _ => None,
    };
    refused.map_or(Ok(()), |sentence| Err(Usage(sentence)))
}

/// The arguments without dashes that name what a command reads.
const PLACES: &[&str] = &["sources", "corpora", "corpus", "set", "figures", "recipe", "nights", "puzzles", "file"];

/// An argument that is no name of a file but a part of an option: a dash that a text program made longer, a quota with
/// spaces, a number.
fn no_place(command: &str, places: &[String]) -> Option<String> {
    let chooses = ["export", "book"].contains(&command);
    for place in places.iter().filter(|place| !Path::new(place).exists()) {
        if place == "help" {
            return Some(format!("'help' is no file; `sudoku-corpus {command} --help` explains the command"));
        }
        if place.starts_with(['\u{2013}', '\u{2014}']) {
            return Some(format!("'{place}' begins with a long dash: options begin with two short ones, --"));
        }
        // A board has 16 cells or more.
        if command == "number" && place.len() < 16 && place.parse::<u64>().is_ok() {
            return Some(format!("'{place}' is no puzzle; the grid with this number is --number {place}"));
        }
        if chooses && place.contains('=') {
            return Some(format!("'{place}' is no corpus: a list has commas and no spaces, as --level easy=5,hard=3"));
        }
        if chooses && place.parse::<u64>().is_ok() {
            return Some(format!("'{place}' is no corpus; a number of puzzles is --count {place}"));
        }
    }
    None
}

/// A query behind its corpus, or none.
fn swapped_query(sql: &str, places: &[String]) -> Option<String> {
    if ["select", "with"].iter().any(|begin| sql.eq_ignore_ascii_case(begin)) {
        return Some(format!("put the query in quotes: query '{sql} {}'", places.join(" ")));
    }
    if Path::new(sql).exists() && places.iter().all(|place| Path::new(place).exists()) {
        return Some(format!("the query is missing: query 'SELECT count(*) FROM puzzles' {}", quoted(sql)));
    }
    let is_select = |place: &&String| {
        let word = place.split_whitespace().next().unwrap_or_default();
        place.contains(' ') && ["select", "with"].iter().any(|begin| word.eq_ignore_ascii_case(begin))
    };
    let query = places.iter().find(|place| is_select(place) && !Path::new(place).exists())?;
    Some(format!("the query stands first: query {} {}", quoted(query), quoted(sql)))
}

/// What is no recipe: a folder, or a file that is not there.
fn no_recipe(recipe: &str) -> Option<String> {
    let path = Path::new(recipe);
    match path.is_dir() {
        true => {
            let how = "a recipe is a file; --out names the folder of the corpus";
            Some(format!("{recipe} is a folder, and {how}: run --out {}", quoted(recipe)))
        }
        false if recipe.is_empty() || is_ours(recipe) || path.exists() => None,
        false if recipe.parse::<u64>().is_ok() => {
            Some(format!("'{recipe}' is no recipe; a number of puzzles is --count {recipe}"))
        }
        false if recipe.contains('=') => {
            Some(format!("'{recipe}' is no recipe; options begin with two dashes, as --{recipe}"))
        }
        false if Levels::default().place(recipe).is_ok() => {
            Some(format!("'{recipe}' is no recipe; a level is --level {recipe}"))
        }
        false if ["yes", "no", "true", "false", "on"].contains(&recipe) => {
            Some(format!("'{recipe}' is no recipe; an option such as --steps takes no value: leave out '{recipe}'"))
        }
        false if path.extension().is_none() => {
            let how = "`list recipes` has the recipes; a list behind an option has commas and no spaces";
            Some(format!("'{recipe}' is no recipe, and no such file exists; {how}"))
        }
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
