//! Refuses names of files with placeholders that nothing fills in: a file with the literal name would appear.
//!
//! One table says which options fill in what. All other options take names as they stand, so names in braces are refused
//! there, and so is % where other options of the command put a number in its place. Folders in which a file lies may
//! have any name.

use std::path::Path;

use crate::board::Reason;
use crate::cli::Usage;
use crate::cli::line::call::ParsedCall;
use crate::cli::line::paths::{Use, shown};
use crate::publish::words::check_names;

/// What an option fills in, in the names of its files.
struct Filled {
    command: &'static str,
    option: &'static str,
    placeholders: Placeholders,
    /// It is filled in only with one of these options. Empty if it always is.
    with: &'static [&'static str],
}

/// What is filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placeholders {
    /// % and names in braces. The command itself checks the names, because they depend on its other options.
    All,
    /// These names in braces.
    Names(&'static [&'static str]),
    /// % is a number.
    Number,
}

impl Placeholders {
    /// The names in braces.
    fn names(self) -> &'static [&'static str] {
        match self {
            Placeholders::Names(names) => names,
            Placeholders::Number => &["%"],
            _ => &[],
        }
    }

    fn has_number(self) -> bool {
        matches!(self, Placeholders::All | Placeholders::Number)
    }
}

/// The options that make a number of books.
const VOLUMES: &[&str] = &["volumes", "first_number"];

/// The options that fill in placeholders.
const FILLED: [Filled; 4] = [
    Filled { command: "export", option: "out", placeholders: Placeholders::All, with: &[] },
    Filled { command: "export", option: "steps_out", placeholders: Placeholders::Names(&["split"]), with: &["split"] },
    Filled { command: "book", option: "out", placeholders: Placeholders::Number, with: VOLUMES },
    Filled { command: "book", option: "cover", placeholders: Placeholders::Number, with: VOLUMES },
];

/// Refuses the first name of an output with a placeholder that its option does not fill in.
pub(in crate::cli) fn check(call: &ParsedCall<'_>) -> Result<(), Usage> {
    for argument in call.command.get_arguments() {
        let Some(what) = Use::of(argument).filter(|what| what.makes()) else { continue };
        for path in call.raw_values(argument.get_id().as_str()).map(Path::new) {
            // The index or the work of earlier calls has its name already.
            if !(what.continues() && path.exists()) {
                check_name(call, argument, path)?;
            }
        }
    }
    Ok(())
}

/// Checks the name of one output.
fn check_name(call: &ParsedCall<'_>, argument: &clap::Arg, path: &Path) -> Result<(), Usage> {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let of_command = || FILLED.iter().filter(|filled| filled.command == call.command.get_name());
    let of_option = of_command().find(|filled| argument.get_id() == filled.option);
    let works = |filled: &&Filled| filled.with.is_empty() || filled.with.iter().any(|option| call.is_given(option));
    let filled = of_option.filter(works).map(|filled| filled.placeholders);
    if filled == Some(Placeholders::All) {
        return Ok(());
    }
    let has_braces = file.split_once('{').is_some_and(|(_, rest)| rest.contains('}'));
    if has_braces {
        let names = filled.map_or(&[][..], Placeholders::names);
        check_names(&shown(argument), names, &file).map_err(|Reason(reason)| Usage(reason))?;
    }
    let is_number = of_command().any(|filled| filled.placeholders.has_number());
    if !is_number || !file.contains('%') || filled.is_some_and(Placeholders::has_number) {
        return Ok(());
    }
    let advice = match of_option.filter(|filled| filled.placeholders.has_number()) {
        Some(filled) => format!("it is a number only with {}", options_in_words(filled.with)),
        None => "leave it out".to_owned(),
    };
    Err(Usage(format!("'{}' uses %, which the program does not fill in there; {advice}", shown(argument))))
}

/// Options as people write them.
fn options_in_words(options: &[&str]) -> String {
    let written: Vec<String> = options.iter().map(|option| format!("--{}", option.replace('_', "-"))).collect();
    written.join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The refusal of a line, or an empty text.
    fn refusal(line: &str) -> String {
        let program = crate::cli::command();
        let matches = program.clone().try_get_matches_from(line.split(' ')).unwrap();
        check(&ParsedCall::of(&matches, &program).unwrap()).err().map_or(String::new(), |Usage(why)| why)
    }

    #[test]
    fn placeholders_that_nothing_fills_in_are_refused() {
        for (line, said) in [
            ("export --all --out a.csv --steps-out l-{level}.jsonl", "'--steps-out' uses {level}"),
            ("export --all --out a.csv --steps-out {split}.jsonl", "'--steps-out' uses {split}"),
            ("export --all --out {split}.csv --split a=0.5,b=0.5 --steps-out {date}.jsonl", "it fills in: split"),
            ("export --all --out p-%.svg --merge m-{level}.csv", "'--merge' uses {level}"),
            ("export --all --out p-%.svg --merge m-%.csv", "'--merge' uses %"),
            ("book --all --volumes 2 --out v-%.pdf --index i%.csv", "'--index' uses %"),
            ("book --all --out v-%.pdf", "it is a number only with --volumes or --first-number"),
            ("book --all --out {number}.pdf", "'--out' uses {number}"),
            ("analyze one.txt --out a{level}.csv", "it fills in: nothing"),
            ("run --out night-{date}", "'--out' uses {date}"),
        ] {
            assert!(refusal(&format!("sudoku-corpus {line}")).contains(said), "{line}");
        }
        for line in [
            "export --all --out {split}.csv --split a=0.5,b=0.5 --steps-out {split}.jsonl",
            "export --all --out {number}-%.svg --merge {folder}/m.csv",
            "book --all --first-number 3 --out v-%.pdf --cover c-%.pdf --index a{b.csv",
            "analyze one.txt --out 10%.csv",
        ] {
            assert_eq!(refusal(&format!("sudoku-corpus {line}")), "", "{line}");
        }
    }

    /// A renamed option would leave the table.
    #[test]
    fn every_line_of_the_table_is_about_an_output() {
        let program = crate::cli::command();
        for Filled { command, option, with, .. } in &FILLED {
            let arguments: Vec<_> = program.find_subcommand(command).unwrap().get_arguments().collect();
            let named = |name: &str| arguments.iter().find(|argument| argument.get_id() == name);
            assert!(Use::of(named(option).unwrap()).is_some_and(Use::makes), "{command} {option}");
            assert!(with.iter().all(|name| named(name).is_some()), "{command} {with:?}");
        }
    }
}
