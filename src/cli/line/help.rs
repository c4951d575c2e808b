//! How the help is arranged: commands in groups, the options that people use, and the examples.
//!
//! ```text
//! sudoku-corpus --help        the commands by groups
//! sudoku-corpus book -h       the options that people use, three examples
//! sudoku-corpus book --help   all options, all examples
//! ```

use std::fmt::Write as _;

use clap::Command;

use crate::cli::line::page::wrapped;
use crate::cli::line::paths;
use crate::cli::line::paths::Use;
use crate::cli::line::refused::effects;

/// The options that `-h` shows, of commands with many. The others are in `--help`.
const USED: &[(&str, &str)] = &[
    ("run", "out count board level symmetry plan needs seed ratings dry-run"),
    ("dig", "out plan symmetry level needs only er seed shape"),
    ("analyze", "out techniques ratings levels steps column shape"),
    ("solve", "steps out techniques rater solutions"),
    ("hint", "cell out techniques"),
    ("check", "shape column"),
    ("number", "number rank name"),
    ("stats", "by where unweighted shares quantiles bins plot out"),
    ("release", "out license title author split steps"),
    ("export", "out count all level where except remember dates split steps-out force"),
    ("book", "out cover count level title author language printer trim large-print with remember"),
];

/// The headings of the options of `book`.
const OF_BOOK: &[(&str, &str)] = &[
    (
        "Which puzzles",
        "count all level givens where quota except among remember levels shape pick seed sort uniqueness on-error",
    ),
    ("Page", "printer trim bleed paper max-pages per-page standard icc condition"),
    ("Type", "font large-print lines shade difficulty symbols pictures spell candidates with"),
    ("Texts", "title author subtitle imprint-text language address words date"),
    ("Pages before and after", "front-pages back-pages logo ornament sections without"),
    ("Solutions and hints", "answers solutions-per-page"),
    ("Volumes and days", "volumes first-number first-puzzle dates days week"),
    ("Files", "out cover index force"),
];

/// The width of a terminal that nobody has changed.
const WIDTH: usize = 80;

/// Between two lines about a command in the list of commands.
const INDENT: &str = "\n               ";

/// The number of examples that `-h` shows.
const SHOWN: usize = 3;

/// Arranges the help of the program and of each command.
pub(in crate::cli) fn arranged(program: Command, groups: &[(&str, &[&str])]) -> Command {
    let list = listed(&program, groups);
    let template = format!("{{about}}\n\n{{usage-heading}} {{usage}}\n\n{list}Options:\n{{options}}{{after-help}}");
    sentences(program).help_template(template).mut_subcommands(|each| command(effects::hidden(paths::with_force(each))))
}

/// The commands below the headings of their groups.
fn listed(program: &Command, groups: &[(&str, &[&str])]) -> String {
    let mut list = String::new();
    for (heading, names) in groups {
        writeln!(list, "{heading}:").expect("a text takes all");
        for name in *names {
            let about = program.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let lines = wrapped(&about, WIDTH - INDENT.len());
            writeln!(list, "  {name:<13}{}", lines.join(INDENT)).expect("a text takes all");
        }
        list.push('\n');
    }
    list
}

/// Arranges the help of a command: which options `-h` shows, and how many examples.
fn command(command: Command) -> Command {
    let mut command = sentences(command);
    let name = command.get_name().to_owned();
    if name == "book" {
        command = command.mut_args(|argument| match argument.get_long().and_then(heading) {
            Some(heading) => argument.help_heading(heading),
            None => argument,
        });
    }
    let Some((_, used)) = USED.iter().find(|(command_name, _)| *command_name == name) else { return command };
    let options =
        command.get_arguments().filter(|argument| !argument.is_positional() && !argument.is_hide_set()).count();
    let command = command.mut_args(|argument| {
        let is_used = argument.get_long().is_none_or(|long| used.split(' ').any(|option| option == long));
        if is_used { argument } else { argument.hide_short_help(true) }
    });
    let all = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let full_help = format!("`sudoku-corpus {name} --help` explains all {options} options.");
    command.after_help(format!("{}{full_help}", first_examples(&all))).after_long_help(all)
}

/// The heading of an option of `book`.
fn heading(option: &str) -> Option<&'static str> {
    OF_BOOK.iter().find(|(_, options)| options.split(' ').any(|name| name == option)).map(|(heading, _)| *heading)
}

/// The first examples of a help text, with an empty line behind them. An example goes on in deeper lines.
fn first_examples(text: &str) -> String {
    let mut shown_lines = Vec::new();
    let mut examples = 0;
    for line in text.lines().skip_while(|line| *line != "Examples:").take_while(|line| !line.is_empty()) {
        examples += usize::from(line.starts_with("  sudoku-corpus"));
        if examples > SHOWN {
            break;
        }
        shown_lines.push(line);
    }
    if shown_lines.is_empty() { String::new() } else { shown_lines.join("\n") + "\n\n" }
}

/// `-h` shows the first sentence of the help of an option, `--help` all of it.
fn sentences(command: Command) -> Command {
    command.mut_args(|argument| {
        let argument = match Use::of(&argument) {
            Some(_) => argument.value_hint(clap::ValueHint::AnyPath),
            None => argument,
        };
        let help = argument.get_help().filter(|_| argument.get_long_help().is_none());
        let all = help.map(|help| help.ansi().to_string()).unwrap_or_default();
        match first_sentence(&all) {
            Some(first) => argument.help(first.to_owned()).long_help(all),
            None => argument,
        }
    })
}

/// The first sentence of several, without its full stop.
fn first_sentence(text: &str) -> Option<&str> {
    let mut ends = text.match_indices(". ").map(|(place, _)| place);
    let end = ends.find(|place| text[place + 2..].starts_with(|next: char| next.is_uppercase() || next == '('));
    end.map(|place| &text[..place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;
    use crate::cli::line::call;

    #[test]
    fn a_terminal_of_the_usual_width_breaks_no_example() {
        let program = cli::command();
        let mut examples = 0;
        for command in std::iter::once(&program).chain(program.get_subcommands()) {
            let texts = [command.get_after_help(), command.get_after_long_help()];
            let texts: String = texts.into_iter().flatten().map(|text| format!("{text}\n")).collect();
            for line in texts.lines().filter(|line| line.starts_with("  ")) {
                // A board of 81 cells is one word, and nothing breaks it.
                let is_board = line.split(' ').any(|word| word.len() == 81);
                assert!(line.chars().count() < WIDTH || is_board, "{}: {line}", command.get_name());
                examples += 1;
            }
        }
        assert!(examples > 100, "{examples}");
    }

    #[test]
    fn names_of_the_tables_are_options_and_short_helps_are_short() {
        let program = cli::command();
        let has = |command: &str, option: &str| {
            let command = program.find_subcommand(command).unwrap();
            assert!(call::option(command, option).is_some(), "{} has no option {option}", command.get_name());
        };
        for (command, options) in USED {
            options.split(' ').for_each(|option| has(command, option));
        }
        OF_BOOK.iter().for_each(|(_, options)| options.split(' ').for_each(|option| has("book", option)));
        for command in program.get_subcommands() {
            let shown = command.get_arguments().filter(|argument| !argument.is_hide_short_help_set());
            let shown = shown.filter(|argument| !argument.is_positional() && !argument.is_hide_set()).count();
            assert!(shown <= 13, "{} -h has {shown} options", command.get_name());
        }
        let book = program.find_subcommand("book").unwrap();
        for argument in book.get_arguments().filter(|argument| !argument.is_global_set() && !argument.is_positional()) {
            assert!(
                argument.get_long().is_some_and(|long| heading(long).is_some()),
                "book: {} has no heading",
                argument.get_id()
            );
        }
    }

    #[test]
    fn examples_go_on_in_deeper_lines() {
        let text = "About.\n\nExamples:\n  sudoku-corpus a \\\n      b\n  sudoku-corpus c\n      why\n\nMore.";
        assert_eq!(first_examples(text), "Examples:\n  sudoku-corpus a \\\n      b\n  sudoku-corpus c\n      why\n\n");
        assert_eq!(first_examples("About."), "");
    }
}
