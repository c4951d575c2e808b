//! Says in words what was wrong with a command line: gone names, words of libraries, arguments in the wrong order.

use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, Command};

use super::{gone, parsed};
use crate::cli::Usage;
use crate::cli::line::call::{ParsedCall, option};
use crate::corpus::{COLUMNS, Levels, RECIPE_FILE, folder_of, quoted};
use crate::library::{RECIPES, is_ours};
use crate::names::nearest;

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

/// A long option with one dash, which the parser reads as a short one with a value.
pub(in crate::cli) fn one_dash(arguments: &[OsString], program: &Command) -> Option<String> {
    let words: Vec<&str> = arguments.iter().map_while(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let command = words.iter().skip(1).find_map(|word| program.find_subcommand(word))?;
    for pair in words.windows(2) {
        let name = pair[1].strip_prefix('-').and_then(|name| name.split('=').next()).unwrap_or_default().to_lowercase();
        // The value of some options begins with a dash: --sort -level.
        let before = option(command, pair[0].trim_start_matches("--"));
        let is_value = before.is_some_and(Arg::is_allow_hyphen_values_set);
        let is_option = [command, program].iter().any(|one| option(one, &name).is_some());
        if name.len() > 1 && !is_value && is_option {
            return Some(format!("there is no option {}; long options have two dashes: --{name}", pair[1]));
        }
    }
    None
}

/// Refuses arguments in the wrong order, and a folder or a file where the other one belongs.
pub(in crate::cli) fn check_order(given: &ParsedCall<'_>, arguments: &[OsString]) -> Result<(), Usage> {
    let (command, name) = (given.command, given.command.get_name());
    let words: Vec<&str> = arguments.iter().filter_map(|word| word.to_str()).collect();
    let places =
        command.get_positionals().map(|argument| argument.get_id().as_str()).filter(|name| PLACES.contains(name));
    let places: Vec<String> = places.flat_map(|name| given.values(name)).collect();
    let refused = no_place(command, &places, &words).or_else(|| match name {
        "query" => swapped_query(&given.first("sql"), &given.values("corpora")),
        "stats" => swapped_figures(given),
        "nightly" => swapped_nights(&given.first("recipe"), &given.first("nights")),
        "run" => no_recipe(&given.first("recipe")),
        "score" => swapped_answers(given),
        "export" | "book" => taken_by_list(given),
        "verify" => {
            let corpus = given.first("corpus");
            let is_file = Path::new(&corpus).is_file();
            is_file.then(|| format!("{corpus} is a file; for puzzles of a file: check {}", quoted(&corpus)))
        }
        _ => None,
    });
    refused.map_or(Ok(()), |sentence| Err(Usage(sentence)))
}

/// True for the folder of a corpus.
fn is_corpus(path: &str) -> bool {
    Path::new(path).join(RECIPE_FILE).is_file()
}

/// Figures behind their corpus, or with spaces between them.
fn swapped_figures(given: &ParsedCall<'_>) -> Option<String> {
    let (figures, corpora) = (given.first("figures"), given.values("corpora"));
    // A folder may be called like a column.
    let is_missing = |place: &&String| !Path::new(place.as_str()).exists();
    let mut missing = corpora.iter().filter(is_missing);
    if let Some(column) = missing.find(|place| COLUMNS.iter().any(|column| column.name == place.trim_matches(','))) {
        return Some(format!(
            "'{column}' is a column, no corpus: figures have commas and no spaces, as in givens,level"
        ));
    }
    let has_corpus = given.is_given("corpora") && !corpora.iter().any(|place| is_missing(&place));
    let is_swapped = Path::new(&figures).is_dir() && !has_corpus;
    is_swapped.then(|| format!("the figures stand before the corpus: stats givens {}", quoted(&figures)))
}

/// The folder of the nights before the recipe, or one of the two in the place of the other.
fn swapped_nights(recipe: &str, nights: &str) -> Option<String> {
    let order = "the recipe stands before the folder of the nights";
    match (Path::new(recipe).is_dir(), Path::new(nights).is_file()) {
        _ if is_ours(nights) => Some(format!("{order}: nightly {} {}", quoted(nights), quoted(recipe))),
        (true, true) => Some(format!("{order}: nightly {} {}", quoted(nights), quoted(recipe))),
        (true, false) => Some(format!("{recipe} is a folder, not a recipe: {order}")),
        (false, true) => Some(format!("{nights} is a file, not a folder: {order}")),
        (false, false) => {
            is_corpus(nights).then(|| format!("{nights} holds a corpus; choose another folder for the nights"))
        }
    }
}

/// A set of puzzles in the place of the answers.
fn swapped_answers(given: &ParsedCall<'_>) -> Option<String> {
    let answers = given.first("predictions");
    let has_set = given.values("set").iter().any(|set| *set != answers && is_corpus(set));
    let is_swapped = is_corpus(&answers) && !has_set && given.values("answer").is_empty();
    is_swapped.then(|| format!("the answers stand before the puzzles: score answers.csv {}", quoted(&answers)))
}

/// A corpus that an option with several files took: `--except FILE CORPUS`.
fn taken_by_list(given: &ParsedCall<'_>) -> Option<String> {
    let command = given.command.get_name();
    let is_default_there = Path::new(&given.first("sources")).exists();
    for option in ["except", "among", "pictures", "font"].into_iter().filter(|_| !given.is_given("sources")) {
        let files = given.values(option);
        let [before @ .., last] = &files[..] else { continue };
        if !before.is_empty() && is_corpus(last) && (!is_default_there || *last == given.first("sources")) {
            let (first, last) = (before.join(" "), quoted(last));
            return Some(format!(
                "--{option} takes all names behind it, {last} too: write {command} {last} --{option} {first}"
            ));
        }
    }
    None
}

/// The arguments without dashes that name what a command reads.
const PLACES: &[&str] =
    &["sources", "corpora", "corpus", "set", "figures", "recipe", "nights", "puzzles", "file", "first", "second"];

/// An argument that is no input: a piece of an option or of its value, a name of an output, a number, a puzzle.
fn no_place(command: &Command, places: &[String], words: &[&str]) -> Option<String> {
    let name = command.get_name();
    for place in places {
        let (path, is_page) = (Path::new(place), [".html", ".pdf", ".svg"].iter().any(|end| place.ends_with(end)));
        if is_page && option(command, "out").is_some() {
            return Some(format!("{place} is no input; for an output write --out {}", quoted(place)));
        }
        if path.is_file() && path.ends_with(RECIPE_FILE) && name != "run" && name != "nightly" {
            return Some(format!("{place} is a recipe; give the folder of its corpus: {}", folder_of(path).display()));
        }
        let rest = parsed::rest_of_value(place, words, command);
        let is_text = rest.as_ref().is_some_and(|rest| rest.contains("needs quotes"));
        let numbers = place.trim_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
        let parts: Vec<&str> = place.split(',').collect();
        return Some(match () {
            () if path.exists() || is_ours(place) => continue,
            () if place == "help" => {
                format!("'help' is no file; `sudoku-corpus {name} --help` explains the command")
            }
            () if place.starts_with(['\u{2013}', '\u{2014}']) => {
                format!("'{place}' begins with a long dash: options begin with two short ones, --")
            }
            // A board has 16 cells or more.
            () if name == "number" && place.len() < 16 && place.parse::<u64>().is_ok() => {
                format!("'{place}' is no puzzle; the grid with this number is --number {place}")
            }
            () if !is_text && ["export", "book", "run"].contains(&name) && place.parse::<u64>().is_ok() => {
                format!("'{place}' is no file; a number of puzzles is --count {place}")
            }
            () if ["yes", "no", "true", "false", "on", "off"].contains(&place.as_str()) => {
                format!("'{place}' is no file; an option without a value is on: leave out '{place}'")
            }
            () if place.contains("://") => format!("{place} is an address: download it, then give the file"),
            () if parts.len() > 1 && parts.iter().all(|part| Path::new(part).exists()) => {
                format!("'{place}': several inputs have spaces between them: {}", parts.join(" "))
            }
            () if name != "query" && option(command, place.split('=').next().unwrap_or_default()).is_some() => {
                format!("'{place}' is no file; options begin with two dashes: --{place}")
            }
            () if numbers.is_empty() && place.len() == 81 && option(command, "column").is_none() => {
                format!("{name} reads files: write the puzzle into one, as in echo {place} > puzzle.sdm")
            }
            () => match rest {
                Some(sentence) => sentence,
                None => continue,
            },
        });
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
        false if Levels::default().place(recipe).is_ok() => {
            Some(format!("'{recipe}' is no recipe; a level is --level {recipe}"))
        }
        false
            if let Some(name) = nearest(recipe, RECIPES.iter().map(|item| item.name.trim_start_matches("recipe:"))) =>
        {
            Some(format!("{recipe}: there is no such file; a recipe of the program is recipe:{name}"))
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
