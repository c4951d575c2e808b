//! Explains what the parser of the command line refuses: what is wrong, and what to write instead. The parser's own
//! messages tell neither, and some of them propose what does not work.

use std::any::TypeId;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, Error};

use crate::cli::line::call::option;
use crate::corpus::{in_words, quoted};
use crate::names;

/// Options of other programs, the commands here in which they are meant (an asterisk stands for all), and what to write.
const OTHER_NAMES: &[(&str, &str, &str)] = &[
    ("size", "run generate", "--board 9x9"),
    ("size", "book", "--trim"),
    ("number amount limit num total n rows puzzles", "run export book generate mask", "--count"),
    ("pages", "book", "--count, the number of puzzles"),
    ("limit", "query", "LIMIT at the end of the query"),
    ("sql file query", "query", "the query without an option: query 'SELECT ..'"),
    ("output outfile file dest to", "*", "--out"),
    ("input source corpus puzzle from in", "*", "the name alone, without an option"),
    ("clues givens", "run dig", "--plan givens=24..30"),
    ("minimal", "run dig", "--plan minimal"),
    ("filter condition", "export book stats", "--where"),
    ("overwrite replace", "*", "--force"),
    ("jobs cores workers", "*", "--threads"),
    ("random shuffle", "export book", "--pick random, which is the default"),
    ("group-by groupby", "stats", "--by"),
    ("solutions with-solutions", "book", "--answers, which says where solutions stand"),
    ("puzzles-per-page", "book", "--per-page"),
    ("level", "analyze", "--levels, which names a scale"),
    ("count", "dig analyze", "an input with as many boards: each gives one row"),
    ("train test", "release export", "--split train=0.9,test=0.1"),
    ("csv json jsonl html pdf", "export", "this ending in the name behind --out"),
    ("csv json jsonl", "query stats", "--format, or this ending in the name behind --out"),
    ("csv", "analyze generate dig mask", "this ending in the name behind --out"),
    ("html", "report audit score coverage", "this ending in the name behind --out"),
    ("pdf epub html", "book", "this ending in the name behind --out"),
    ("format", "report audit score", "--out report.md: the ending gives the format"),
    ("format", "book", "--out, whose ending gives the format"),
    ("format csv out output", "solve check", "> table.csv behind the command, which prints CSV for a file"),
    ("name", "book", "--title"),
    ("font-size", "book", "--large-print"),
    ("page-size paper-size pagesize papersize", "book", "--trim"),
    ("with-hints hints", "book", "--with hints"),
    ("easy medium hard expert extreme", "run export book", "--level {}"),
    ("weighted weights weight", "stats", "no option: weights are used already, and --unweighted ignores them"),
    ("group", "stats", "--by"),
    ("id", "number", "--number, --rank or --name"),
    ("symmetry", "generate", "run or dig: full grids have no symmetry"),
    ("count", "release", "export first, which takes a number of puzzles"),
    ("isbn copyright publisher", "book", "--imprint-text 'ISBN 978-..'"),
    ("color colour colors colours", "book", "--standard screen; books for print are black"),
    ("technique techniques hardest uses needs", "export book", "--where 'n_x_wing > 0'"),
    ("er rating", "export book stats", "--where 'se_er_tenths >= 45', for an ER of 4.5"),
    ("minimal", "export book stats", "--where minimal"),
    ("unique", "export book", "no option: only puzzles with one solution are taken"),
    ("columns fields", "export", "query 'SELECT puzzle, solution FROM puzzles' with --out table.csv"),
    ("rows count n", "verify", "--sample"),
    ("column", "score", "--answer"),
    ("where by level filter", "report audit release", "export first, or stats: both take conditions"),
    ("solution solutions", "export", "--with-solutions for pictures; a .csv has the column solution"),
    ("pages page per-page trim page-size answers printer large-print", "export", "book, which makes pages"),
    ("exclude", "export book", "--except"),
    ("tokens", "export", "--steps-out x.tokens"),
    ("silent", "*", "--quiet"),
    ("variant variants", "run generate", "--board 9x9+x"),
    ("title", "run", "export or book, which have titles"),
    ("force overwrite", "run", "--out with another folder: a corpus is continued, never replaced"),
    ("plan level", "generate", "run, which digs puzzles"),
    ("ratings", "dig", "analyze, which rates puzzles"),
    ("hint cell", "solve", "hint, a command of its own"),
    ("method", "solve", "--techniques"),
    ("count", "solve", "--solutions"),
    ("steps", "hint check", "solve, which shows the steps"),
    ("sample", "check", "verify, which checks corpora"),
    ("unique", "check", "no option: solutions are always counted"),
    ("rate rating", "analyze", "no option: puzzles are always rated"),
    ("where", "query", "WHERE in the query"),
    ("histogram", "stats", "--bins, and --plot for a picture"),
    ("out output", "number bench", "> file.csv behind the command"),
    ("quick", "verify", "--sample 100"),
    ("recipe", "run nightly", "the name alone, without an option"),
    ("fix repair", "verify", "run again, which makes what is missing"),
    ("compare", "audit", "two names without an option: audit A B"),
    ("answers predictions set", "score", "the name alone, without an option"),
    ("pattern", "mask", "the name alone, without an option"),
    ("grids", "dig", "the name alone, without an option"),
    ("shell", "completions", "the name alone, without an option"),
];

/// Letters of a list of values that is not repeated beside a near value.
const LONG_LIST: usize = 60;

/// Values of options that are lists have this name in the help.
const LIST: &str = "LIST";

/// A mistake that the parser found, and the command line.
pub(super) struct Refused<'a> {
    pub error: &'a Error,
    /// The words of the command line, without the name of the program.
    pub words: &'a [&'a str],
    pub program: &'a Command,
    /// The word that names the command, or that stands in its place.
    pub command: &'a str,
}

impl Refused<'_> {
    /// What to say. None for kinds of mistakes that do not happen here.
    pub(super) fn sentence(&self) -> Option<String> {
        let (argument, value) = (self.text(ContextKind::InvalidArg), self.text(ContextKind::InvalidValue));
        match self.error.kind() {
            ErrorKind::MissingSubcommand => {
                let first = "`sudoku-corpus run` makes a first corpus";
                Some(format!("a command is missing: `sudoku-corpus --help` lists the commands; {first}"))
            }
            ErrorKind::InvalidSubcommand => self.text(ContextKind::InvalidSubcommand).map(|name| self.no_command(name)),
            ErrorKind::UnknownArgument => argument.map(|argument| self.unknown(argument)),
            ErrorKind::MissingRequiredArgument => Some(self.missing()),
            ErrorKind::ArgumentConflict => argument.map(|argument| self.conflict(argument)),
            ErrorKind::InvalidValue if value == Some("") => argument.map(|shown| match shown.starts_with("--") {
                true => format!("{} needs a value: write {shown}; {}", name_of(shown), self.help()),
                false => format!("an argument is empty, '': give {shown}; {}", self.help()),
            }),
            ErrorKind::InvalidValue => Some(self.no_choice(name_of(argument?), value?)),
            ErrorKind::TooManyValues => Some(format!("{} takes no value: leave out '{}'", name_of(argument?), value?)),
            ErrorKind::ValueValidation => self.wrong_value(name_of(argument?), value?),
            _ => None,
        }
    }

    /// A text that the parser tells about the mistake.
    fn text(&self, kind: ContextKind) -> Option<&str> {
        match self.error.get(kind) {
            Some(ContextValue::String(text)) => Some(text.as_str()),
            _ => None,
        }
    }

    /// Texts that the parser tells about the mistake.
    fn texts(&self, kind: ContextKind) -> Vec<&str> {
        match self.error.get(kind) {
            Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
            Some(ContextValue::String(text)) => vec![text.as_str()],
            _ => Vec::new(),
        }
    }

    /// The command, if there is one of this name.
    fn known_command(&self) -> Option<&Command> {
        self.program.find_subcommand(self.command)
    }

    /// The arguments of the command, and those of all commands.
    fn arguments(&self) -> impl Iterator<Item = &Arg> {
        self.known_command().into_iter().flat_map(Command::get_arguments).chain(self.program.get_arguments())
    }

    /// True if the command has an option of this name, without dashes.
    fn has_option(&self, name: &str) -> bool {
        ["help", "version"].contains(&name) || self.arguments().any(|argument| argument.get_long() == Some(name))
    }

    /// Where the options are explained.
    fn help(&self) -> String {
        match self.known_command() {
            Some(_) => format!("`sudoku-corpus {} --help` explains its options", self.command),
            None => "`sudoku-corpus --help` lists the commands".to_owned(),
        }
    }

    /// A word that is no command.
    fn no_command(&self, name: &str) -> String {
        let (small, path) = (name.to_lowercase(), Path::new(name));
        let commands: Vec<&str> = self.program.get_subcommands().map(Command::get_name).collect();
        let begins = commands.iter().find(|command| small.starts_with(**command)).copied();
        let near = names::nearest(&small, commands.iter().copied()).or(begins);
        let instead = match near {
            _ if name == "sudoku-corpus" => "the name of the program stands twice: leave one out".to_owned(),
            Some(near) if near == name => return format!("help explains one command: `sudoku-corpus help {near}`"),
            Some(near) if near == small => format!("commands have small letters: {small}"),
            _ if path.is_dir() => format!("a command stands before a folder: report {}", quoted(name)),
            _ if path.is_file() => format!("a command stands before a file: check {}", quoted(name)),
            Some(near) => format!("did you mean {near}?"),
            None => "`sudoku-corpus --help` lists the commands".to_owned(),
        };
        format!("there is no command '{name}': {instead}")
    }

    /// An option that the command does not have, or an argument too many.
    fn unknown(&self, argument: &str) -> String {
        if argument.starts_with("--") {
            return self.unknown_option(argument);
        }
        match argument.strip_prefix('-') {
            Some(sign) => self.one_dash(argument, sign),
            None => self.superfluous(argument),
        }
    }

    /// A word with one dash: a negative number, or an option.
    fn one_dash(&self, argument: &str, sign: &str) -> String {
        let word = self.words.iter().find(|word| word.starts_with(argument)).copied().unwrap_or(argument);
        match () {
            () if sign.starts_with(|sign: char| sign.is_ascii_digit()) => {
                format!("{word} is negative: options take numbers from 0 on")
            }
            () if self.stands_before_command(argument) => {
                format!("{argument} stands before its command; write it behind: {} {argument}", self.command)
            }
            () => format!("there is no option {argument}; {}", self.help()),
        }
    }

    /// True for an option of the command that stands before it.
    fn stands_before_command(&self, argument: &str) -> bool {
        let place = |word: &str| self.words.iter().position(|one| one.split('=').next() == Some(word));
        let short = argument.strip_prefix('-').and_then(|sign| sign.chars().next());
        let has_short = self.arguments().any(|one| one.get_short().is_some() && one.get_short() == short);
        let is_known = argument.strip_prefix("--").map_or(has_short, |name| self.has_option(name));
        is_known && place(argument) < place(self.command)
    }

    /// An option with two dashes.
    fn unknown_option(&self, argument: &str) -> String {
        let name = argument.trim_start_matches('-');
        if self.known_command().is_none() {
            return format!(
                "a command stands before its options, as in `sudoku-corpus run --count 10`; {}",
                self.help()
            );
        }
        if self.stands_before_command(argument) {
            return format!("{argument} stands before its command; write it behind: {} {argument}", self.command);
        }
        let of_command = |commands: &str| commands == "*" || commands.split(' ').any(|one| one == self.command);
        // What is meant is an option that the command has, or no option.
        let is_there = |instead: &str| match instead.split([' ', ',']).find_map(|word| word.strip_prefix("--")) {
            Some(option) => self.has_option(option),
            None => true,
        };
        let other = OTHER_NAMES.iter().find(|(names, commands, instead)| {
            names.split(' ').any(|one| one == name) && of_command(commands) && is_there(instead)
        });
        let near = names::nearest(name, self.arguments().filter_map(Arg::get_long).chain(["help", "version"]));
        let instead = match (other, near) {
            (Some((_, _, instead)), _) => format!(": use {}; ", instead.replace("{}", name)),
            (None, Some(near)) => format!(": did you mean --{near}? "),
            (None, None) => "; ".to_owned(),
        };
        format!("{} has no option {argument}{instead}{}", self.command, self.help())
    }

    /// An argument without dashes of which there is one too many.
    fn superfluous(&self, argument: &str) -> String {
        let positional = self.known_command().into_iter().flat_map(Command::get_arguments);
        let names: Vec<String> = positional.filter(|one| one.is_positional()).map(value_name).collect();
        let is_number = argument.parse::<u64>().is_ok() && self.has_option("count");
        let command = self.command;
        let rest = self.known_command().and_then(|command| rest_of_value(argument, self.words, command));
        let path = Path::new(argument);
        let is_output = self.has_option("out") && path.extension().is_some() && !path.exists();
        match () {
            () if self.has_option("cell") && argument.starts_with(['r', 'R']) => {
                format!("'{argument}' is one argument too many; a cell is --cell {argument}")
            }
            () if is_number => format!("'{argument}' is one argument too many; a number of rows is --count {argument}"),
            () if rest.is_some() => rest.unwrap_or_default(),
            () if is_output => {
                format!("'{argument}' is one argument too many; for an output write --out {}", quoted(argument))
            }
            () if names.is_empty() => format!("{command} takes options only, not '{argument}'; {}", self.help()),
            () => {
                let one = if names.len() == 1 { "one " } else { "" };
                let names = names.join(" and ");
                let more = format!("'{argument}' is one too many; a name with spaces needs quotes");
                format!("{command} takes {one}{names}, and {more}")
            }
        }
    }

    /// Arguments that have to be there.
    fn missing(&self) -> String {
        let missing = self.texts(ContextKind::InvalidArg);
        if let Some(option) = self.option_in_need() {
            return format!("{option} has no effect alone: it needs {}", missing.join(" and "));
        }
        let are = if missing.len() == 1 { "is" } else { "are" };
        let begin = format!("{} {are} missing", missing.join(" and "));
        let plain = self.plain_words();
        let with_sign = plain.iter().find(|word| word.split_once('=').is_some_and(|(name, _)| self.has_option(name)));
        if let Some(word) = with_sign {
            return format!("{begin}; options begin with two dashes, as --{word}");
        }
        let mut files = plain.iter().map(|word| Path::new(*word));
        let file = files.find(|path| path.extension().is_some() && !path.exists());
        if missing.iter().any(|shown| name_of(shown) == "--out")
            && let Some(file) = file
        {
            return format!("{begin}: write --out {}", quoted(&file.to_string_lossy()));
        }
        match self.example(&missing) {
            Some(example) => format!("{begin}; for example: {example}"),
            None => format!("{begin}; {}", self.help()),
        }
    }

    /// The given option without which nothing would be missing. None if the command itself needs what is missing.
    fn option_in_need(&self) -> Option<&str> {
        let options = (0..self.words.len()).filter(|place| self.words[*place].starts_with("--"));
        options.map(|place| (place, name_of(self.words[place]))).find_map(|(place, name)| {
            let option = self.arguments().find(|one| one.get_long() == name.strip_prefix("--"))?;
            let has_value = option.get_action().takes_values() && !self.words[place].contains('=');
            let behind = place + 1 + usize::from(has_value);
            let without = self.words[..place].iter().chain(self.words.get(behind..)?);
            let parsed = self.program.clone().try_get_matches_from(std::iter::once(&"sudoku-corpus").chain(without));
            let is_missing = parsed.is_err_and(|error| error.kind() == ErrorKind::MissingRequiredArgument);
            (!is_missing).then_some(name)
        })
    }

    /// The words behind the command that are neither options nor their values.
    fn plain_words(&self) -> Vec<&str> {
        let pairs = self.words.iter().zip(self.words.iter().skip(1));
        pairs
            .filter(|(before, word)| !before.starts_with('-') && !word.starts_with('-'))
            .map(|(_, word)| *word)
            .collect()
    }

    /// An example of the command's help that has some options. One that goes on in the next line is not taken.
    fn example(&self, options: &[&str]) -> Option<String> {
        let command = self.known_command()?;
        let text = command.get_after_long_help().or_else(|| command.get_after_help())?.to_string();
        let begin = format!("  sudoku-corpus {}", self.command);
        let mut lines = text.lines().filter(|line| line.starts_with(&begin) && !line.ends_with('\\'));
        let line =
            lines.find(|line| options.iter().all(|shown| !shown.starts_with("--") || line.contains(name_of(shown))))?;
        Some(line.trim().to_owned())
    }

    /// Options that exclude each other, or one that is given twice.
    fn conflict(&self, argument: &str) -> String {
        let (name, others) = (name_of(argument), self.texts(ContextKind::PriorArg));
        if others == [argument] {
            let is_list = argument.ends_with(&format!("<{LIST}>"));
            let how = if is_list { "join the values by commas" } else { "leave one out" };
            return format!("{name} is given twice: {how}");
        }
        let others: Vec<&str> = others.into_iter().map(name_of).collect();
        let others = if others.is_empty() { "other options".to_owned() } else { others.join(" and ") };
        format!("{name} cannot be used with {others}: leave one of them out")
    }

    /// A value that is none of those that are possible.
    fn no_choice(&self, name: &str, value: &str) -> String {
        let known = self.texts(ContextKind::ValidValue);
        if self.command == "guide" && self.program.find_subcommand(value).is_some() {
            let pages = match nearest(value, &known) {
                Some(near) => format!("the page of the guide is `sudoku-corpus guide {near}`"),
                None => "`sudoku-corpus guide` lists the pages of the guide".to_owned(),
            };
            return format!("'{value}' is a command: `sudoku-corpus {value} --help` explains it; {pages}");
        }
        let begin = match self.command {
            "guide" => format!("the guide has no page '{value}'"),
            "list" => format!("there is no table '{value}'"),
            command if name.starts_with("--") => format!("{command} has no {name} '{value}'"),
            command => format!("{command} does not know '{value}'"),
        };
        let list = known.join(", ");
        match nearest(value, &known).or_else(|| self.text(ContextKind::SuggestedValue)) {
            Some(near) if list.len() > LONG_LIST => format!("{begin}; did you mean '{near}'?"),
            Some(near) => format!("{begin}; did you mean '{near}'? Known: {list}"),
            None if self.command == "guide" => format!("{begin}; `sudoku-corpus guide` lists the pages"),
            None if list.len() > 2 * LONG_LIST => format!("{begin}; `sudoku-corpus {} --help` has all", self.command),
            None => format!("{begin}; known: {list}"),
        }
    }

    /// A value that its option does not take, with the reason. The value is told once.
    fn wrong_value(&self, name: &str, value: &str) -> Option<String> {
        let place = self.words.iter().position(|word| *word == value);
        let next =
            place.and_then(|place| self.words.get(place + 1)).filter(|next| next.contains('=') && value.contains('='));
        if let Some(next) = next {
            return Some(format!("a list behind an option has commas and no spaces: {name} {value},{next}"));
        }
        let digits = value.replace([',', '_', '\'', ' '], "");
        // The parser tells a range of numbers as Rust writes it.
        let reason = in_words(std::error::Error::source(self.error)?)
            .replace(" is not in 1..18446744073709551615", " is less than 1")
            .replace(" is not in 1..4294967295", " is less than 1")
            .replace(" is not in 1..=4294967295", " is less than 1")
            .replace("..=", " to ");
        let number = value.trim_end_matches(|sign: char| sign.is_alphabetic() || ['%', ' '].contains(&sign));
        let (unit, number) = (value[number.len()..].trim().to_lowercase(), number.replace(',', "."));
        let is_unit = ["", "%", "s", "sec", "seconds", "dpi", "pages", "puzzles"].contains(&unit.as_str());
        let option = self.arguments().find(|one| one.get_long() == name.strip_prefix("--"));
        let default = option.and_then(|one| one.get_default_values().first()?.to_str());
        let reason = match (reason.contains("no whole number"), reason.starts_with("it is no number")) {
            (false, false) => reason,
            (true, _) if digits != value && digits.parse::<u64>().is_ok() => {
                format!("a whole number has digits only: write {digits}")
            }
            (true, _) if unit == "k" && number.parse::<u64>().is_ok() => format!("write {number}000"),
            (true, _) if (name, value) == ("--count", "all") => "write --all without --count".to_owned(),
            _ if value.starts_with('-') => "options take numbers from 0 on".to_owned(),
            _ if is_unit && number != value && number.parse::<f64>().is_ok() => format!("write {number}"),
            _ => default.map_or(reason, |default| format!("it is no number, such as {default}")),
        };
        let tells = |part: &str| reason.contains(&format!("'{part}'"));
        let is_first = reason.strip_prefix(value).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        let is_part = is_first || reason.contains(&format!(" {value} "));
        let has_value = is_part || tells(value) || value.split(',').any(tells);
        Some(match (name.starts_with("--"), has_value) {
            (true, true) => format!("{name}: {reason}"),
            (true, false) => format!("{name} '{value}': {reason}"),
            (false, true) => reason,
            (false, false) => format!("'{value}': {reason}"),
        })
    }
}

/// What to say of a word that goes on with the value of the option before it, as in `--title TWO WORDS`.
pub(super) fn rest_of_value(word: &str, words: &[&str], command: &Command) -> Option<String> {
    let place = words.iter().rposition(|other| *other == word)?;
    let first = words[..place].iter().rposition(|other| other.starts_with("--"))?;
    let option = option(command, &words[first][2..]).filter(|option| {
        let takes_one = option.get_num_args().is_none_or(|values| values.max_values() == 1);
        takes_one && option.get_action().takes_values() && first + 1 < place
    })?;
    let behind = words[place..].iter().position(|other| other.starts_with('-')).unwrap_or(words.len() - place);
    let value = words[first + 1..place + behind].join(" ");
    let is_string = option.get_value_parser().type_id() == TypeId::of::<String>();
    let (option_word, is_text) = (words[first], is_string || value_name(option) == "TEXT");
    Some(match () {
        () if option.get_value_delimiter().is_some() || value_name(option) == LIST => {
            let list = value.replace(" = ", "=").replace(", ", ",").replace(' ', ",");
            format!("a list behind an option has commas and no spaces: {option_word} {}", quoted(&list))
        }
        () if is_text => {
            format!("'{word}' is no file; a text with spaces needs quotes: {option_word} {}", quoted(&value))
        }
        () if ["mm", "in", "pt", "pages", "rows", "puzzles", "seconds"].contains(&word) => {
            format!("'{word}' is no file; a number has no unit: {option_word} {}", words[first + 1])
        }
        () if matches!(option.get_action(), ArgAction::Append) && (value.contains('=') || option_word == "--out") => {
            format!("'{word}' is no file; repeat the option: {option_word} {}", quoted(word))
        }
        () => return None,
    })
}

/// The name of an option in the words of the parser: `--out` of `--out <FILE>`, `PUZZLE` of `[PUZZLE or FILE]...`.
fn name_of(shown: &str) -> &str {
    shown.trim_start_matches(['[', '<']).split([' ', '=', ']', '>']).next().unwrap_or(shown)
}

/// The name of an argument's value in the help.
fn value_name(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    names.first().map_or_else(|| argument.get_id().as_str().to_owned(), ToString::to_string)
}

/// The value that a word means: one with other capitals, one that contains it, or one that begins with the same three
/// letters or more.
fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    if let Some(name) = known.iter().find(|name| name.to_lowercase() == word) {
        return Some(*name);
    }
    if let Some(name) = known.iter().find(|name| word.len() >= 3 && name.to_lowercase().contains(&word)) {
        return Some(*name);
    }
    let (mut best, mut most) = (None, 2);
    for name in known {
        let common = name.chars().zip(word.chars()).take_while(|(one, two)| one == two).count();
        if common > most {
            (best, most) = (Some(*name), common);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_near_to_those_that_begin_or_contain_it() {
        let known = ["none", "rotate-180", "rotate-90", "diagonal"];
        assert_eq!(nearest("rotational", &known), Some("rotate-180"));
        assert_eq!(nearest("180", &known), Some("rotate-180"));
        assert_eq!(nearest("None", &known), Some("none"));
        assert_eq!(nearest("xyz", &known), None);
    }

    /// What a newcomer is told to write exists.
    #[test]
    fn other_names_lead_to_options() {
        let program = crate::cli::command();
        for (_, commands, instead) in OTHER_NAMES {
            let Some(name) = instead.split([' ', ',']).find_map(|word| word.strip_prefix("--")) else { continue };
            for command in commands.split(' ').filter(|command| *command != "*") {
                assert!(option(program.find_subcommand(command).unwrap(), name).is_some(), "{command} {name}");
            }
        }
    }
}
