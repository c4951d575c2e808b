//! Refuses options that have no effect: one table says what each option needs, besides its command.
//!
//! What clap itself can check (`requires`, `conflicts_with`) stands at the option. Here stands what follows from the
//! kind of the output, from the value of another option, or from the command (options of every command).

use std::path::Path;

use crate::cli::Usage;
use crate::cli::line::call::ParsedCall;
use crate::corpus::Ratings;
use crate::publish::book::Standard;
use crate::publish::formats::Format;
use crate::publish::picture::PictureKind::{Html, Pdf, Png, Svg};

/// Options of some commands, and what they need.
struct Rule {
    commands: &'static [&'static str],
    options: &'static [&'static str],
    /// What they need, in words.
    needs: &'static str,
    works: fn(&ParsedCall<'_>) -> bool,
}

impl ParsedCall<'_> {
    fn is(&self, option: &str, value: &str) -> bool {
        self.values(option).iter().any(|given| given.eq_ignore_ascii_case(value))
    }

    /// The formats of the outputs of `export`, as far as they are known.
    fn formats(&self) -> Vec<Format> {
        match self.matches.try_get_one::<Format>("format") {
            Ok(Some(format)) => vec![*format],
            _ => self.values("out").iter().filter_map(|out| Format::of_name(Path::new(out)).ok().flatten()).collect(),
        }
    }

    /// True if an output is of one of these formats.
    fn writes(&self, formats: &[Format]) -> bool {
        self.formats().iter().any(|format| formats.contains(format))
    }

    fn draws(&self) -> bool {
        self.writes(&[Svg, Pdf, Png, Html].map(Format::Picture))
    }

    /// True if pictures have texts: captions, a sheet, or a table of captions.
    fn tells(&self) -> bool {
        let captions = ["caption", "solution_caption", "previous", "merge"];
        self.writes(&[Format::Picture(Html)]) || captions.iter().any(|option| self.is_given(option))
    }

    /// True if the name of an output has one of these names in braces.
    fn names(&self, names: &[&str]) -> bool {
        self.values("out").iter().any(|out| names.iter().any(|name| out.contains(&format!("{{{name}}}"))))
    }

    /// True if a book is one of some standards. A name and a standard that contradict each other are the command's to
    /// refuse.
    fn is_book(&self, is_one: fn(Standard) -> bool) -> bool {
        let [out, asked] = ["out", "standard"].map(|option| self.values(option).pop().unwrap_or_default());
        standard_of(Path::new(&out), asked.parse().unwrap_or_default()).is_none_or(is_one)
    }
}

/// Commands that print their tables and pages at once.
const TEXTS: &[&str] = &["list", "guide", "completions", "man"];
const EXPORT: &[&str] = &["export"];
const BOOK: &[&str] = &["book"];

/// The option of every choice of puzzles that a book refuses, because it has an order of its own.
const SORT: &str = "sort";

/// Options of every command on which some commands never depend. Their help does not list them.
struct Never {
    commands: &'static [&'static str],
    option: &'static str,
    /// What it needs, in words.
    needs: &'static str,
}

const NEVER: &[Never] = &[
    Never { commands: TEXTS, option: "threads", needs: "a command that reads puzzles" },
    Never { commands: &["bench"], option: "threads", needs: "a command that works on several threads" },
    Never { commands: TEXTS, option: "partial", needs: "a corpus to read" },
    Never { commands: &["generate", "mask", "bench"], option: "partial", needs: "a corpus to read" },
    Never { commands: &["verify"], option: "partial", needs: "a command that leaves the missing parts out" },
];

/// What each option needs.
const RULES: &[Rule] = &[
    Rule {
        commands: &["hint"],
        options: &["techniques"],
        needs: "a next step (leave out --cell)",
        works: |call| !call.is_given("cell"),
    },
    Rule {
        commands: &["solve"],
        options: &["techniques"],
        needs: "steps: --steps",
        works: |call| call.is_given("steps"),
    },
    Rule {
        commands: &["query"],
        options: &["table"],
        needs: "a query that reads the table by its name: --table times=times.csv",
        works: |call| {
            let query = call.values("sql").concat().to_lowercase();
            let tables = call.values("table");
            // Without a name, the command itself says how to give one.
            tables
                .iter()
                .all(|table| table.split_once('=').is_none_or(|(name, _)| query.contains(&name.to_lowercase())))
        },
    },
    Rule {
        commands: &["report"],
        options: &["no_data"],
        needs: "a page with plots (.html)",
        works: |call| call.values("out").iter().all(|out| out != "-" && !out.ends_with(".md")),
    },
    Rule {
        commands: &["coverage"],
        options: &["seed", "samples"],
        needs: "methods that draw grids: leave out FILE",
        works: |call| !call.is_given("file"),
    },
    Rule {
        commands: &["coverage"],
        options: &["law_samples"],
        needs: "the report: leave out FILE and --classes",
        works: |call| !call.is_given("file") && !call.is_given("classes"),
    },
    Rule {
        commands: &["coverage"],
        options: &["shape"],
        needs: "a report, or a FILE without --out",
        works: |call| !(call.is_given("file") && call.is_given("out")),
    },
    Rule {
        commands: &["run", "analyze"],
        options: &["er_limit"],
        needs: "an ER: --ratings er, ep, ed or er_canonical, or a goal with --er or --level",
        works: |call| {
            let ratings = call.values("ratings");
            let is_rated = ratings.iter().all(|ratings| ratings.parse::<Ratings>().is_ok_and(Ratings::needs_er_limit));
            is_rated || call.is_given("er") || call.is_given("level")
        },
    },
    Rule {
        commands: &["analyze"],
        options: &["wrong_steps"],
        needs: "steps: --steps-out FILE, or --steps with a folder as --out",
        works: |call| call.is_given("steps") || call.is_given("steps_out"),
    },
    Rule {
        commands: EXPORT,
        options: &[
            "size", "lines", "symbols", "pictures", "candidates", "shade", "caption", "solution_caption",
            "with_solutions", "previous",
        ],
        needs: "a picture (.svg, .pdf, .png, .html)",
        works: |call| call.draws(),
    },
    Rule {
        commands: EXPORT,
        options: &["transparent", "merge"],
        needs: "a picture for layout programs (.svg, .pdf, .png)",
        works: |call| call.writes(&[Svg, Pdf, Png].map(Format::Picture)),
    },
    Rule {
        commands: EXPORT,
        options: &["dpi"],
        needs: "a picture of pixels (.png)",
        works: |call| call.writes(&[Format::Picture(Png)]),
    },
    Rule {
        commands: EXPORT,
        options: &["live_text"],
        needs: "a picture with texts (.svg)",
        works: |call| call.writes(&[Format::Picture(Svg)]),
    },
    Rule {
        commands: EXPORT,
        options: &["solution_caption"],
        needs: "a picture of a solution: --with-solutions or --previous",
        works: |call| call.is_given("with_solutions") || call.is_given("previous"),
    },
    Rule {
        commands: EXPORT,
        options: &["language"],
        needs: "words in the output: --caption, .html, a format with levels or rules in words, or {level} in a name",
        works: |call| {
            call.tells() || call.names(&["level", "weekday"]) || call.formats().iter().any(|format| format.is_titled())
        },
    },
    Rule {
        commands: EXPORT,
        options: &["words"],
        needs: "words in the output: --caption, .html, --language, or {level} or {weekday} in a name",
        works: |call| call.tells() || call.names(&["level", "weekday"]) || call.is_given("language"),
    },
    Rule {
        commands: EXPORT,
        options: &["first_puzzle"],
        needs: "a number in the output: a caption, %, {number}, or a format that numbers its puzzles",
        works: |call| {
            let has_place = call.values("out").iter().any(|out| out.contains('%') || out.contains("{number}"));
            has_place || call.tells() || call.formats().iter().any(|format| format.is_numbered())
        },
    },
    Rule {
        commands: EXPORT,
        options: &["author"],
        needs: "a format that has a place for it, such as .ipuz or .sdk",
        works: |call| call.formats().iter().any(|format| format.is_titled()),
    },
    Rule {
        commands: EXPORT,
        options: &["source"],
        needs: "a format that has a place for it, such as .ipuz or .sdk",
        works: |call| call.formats().iter().any(|format| format.has_source()),
    },
    Rule {
        commands: EXPORT,
        options: &["date"],
        needs: "a format that has a place for it, such as .ipuz or .sdk",
        works: |call| call.formats().iter().any(|format| format.is_dated()),
    },
    Rule {
        commands: EXPORT,
        options: &["title"],
        needs: "a format that has a place for it, such as .ipuz or .sdk",
        works: |call| call.formats().iter().any(|format| format.is_titled()) || call.writes(&[Format::Picture(Html)]),
    },
    Rule {
        commands: BOOK,
        options: &["date"],
        needs: "a file with a date (PDF/X, EPUB), an --author for the copyright, or {date} in a text",
        works: |call| {
            let texts = ["title", "subtitle", "author", "imprint_text"].iter().flat_map(|text| call.values(text));
            call.is_book(Standard::is_dated)
                || call.is_given("author")
                || texts.into_iter().any(|text| text.contains("{date}"))
        },
    },
    Rule {
        commands: &["export", "book"],
        options: &["seed"],
        needs: "a choice by chance (--pick random or weighted), or --split",
        works: |call| call.is("pick", "random") || call.is("pick", "weighted") || call.is_given("split"),
    },
    Rule {
        commands: BOOK,
        options: &["icc"],
        needs: "a PDF/X file (--standard x1a or x4)",
        works: |call| call.is_book(Standard::is_x),
    },
    Rule {
        commands: BOOK,
        options: &["condition"],
        needs: "the profile of the printing process (--icc)",
        works: |call| call.is_given("icc"),
    },
    Rule {
        commands: BOOK,
        options: &["printer", "paper", "max_pages", "cover", "bleed"],
        needs: "a book that is printed",
        works: |call| call.is_book(|standard| !standard.is_screen()),
    },
    Rule {
        commands: BOOK,
        options: &["with"],
        needs: "a PDF file, for crop-marks and running-heads",
        works: |call| {
            let is_for_pdf = |what: &String| ["crop-marks", "running-heads"].contains(&what.as_str());
            !call.values("with").iter().any(is_for_pdf) || call.is_book(|standard| standard != Standard::Epub)
        },
    },
    Rule {
        commands: BOOK,
        options: &["front_pages", "back_pages"],
        needs: "a PDF file",
        works: |call| call.is_book(|standard| !matches!(standard, Standard::Epub | Standard::Play)),
    },
    Rule {
        commands: BOOK,
        options: PAGES,
        needs: "a book with pages (.pdf, .epub), not a page to play on",
        works: |call| call.is_book(|standard| standard != Standard::Play),
    },
    Rule {
        commands: BOOK,
        options: &["solutions_per_page"],
        needs: "solutions on pages of their own, not --answers below",
        works: |call| !call.is("answers", "below"),
    },
    Rule {
        commands: BOOK,
        options: &["first_number"],
        needs: "a title page or volumes: --front-pages leaves the pages before the puzzles empty",
        works: |call| !call.is_given("front_pages") || call.is("front_pages", "0") || call.is_given("volumes"),
    },
    Rule {
        commands: BOOK,
        options: TITLE_PAGES,
        needs: "a title page or a cover: --front-pages leaves the pages before the puzzles empty",
        works: |call| !call.is_given("front_pages") || call.is("front_pages", "0") || call.is_given("cover"),
    },
    Rule {
        commands: BOOK,
        options: &["address"],
        needs: "a language with a familiar form (--language de, es, fr, it, nl, pl or pt)",
        works: |call| !call.is("language", "en") && !call.is("language", "en-US"),
    },
    Rule {
        commands: BOOK,
        options: &["spell"],
        needs: "a word to spell (--symbols STAR)",
        works: |call| call.is_given("symbols"),
    },
];

/// Options about the pages of a book.
const PAGES: &[&str] = &[
    "trim", "per_page", "large_print", "solutions_per_page", "answers", "logo", "without", "ornament", "sections",
    "lines", "subtitle", "imprint_text", "font", "index", "author", "difficulty", "candidates", "with", "first_number",
];

/// Options about the pages before the puzzles.
const TITLE_PAGES: &[&str] = &["subtitle", "imprint_text", "ornament"];

/// Refuses the first option of a command line that has no effect, by its name.
pub(in crate::cli) fn check(call: &ParsedCall<'_>) -> Result<(), Usage> {
    let command = call.command.get_name();
    if BOOK.contains(&command) && call.is_given(SORT) {
        let reason = "a book orders its puzzles by level, and by difficulty within a level: leave out --sort";
        return Err(Usage(reason.to_owned()));
    }
    let mut without = NEVER.iter().filter(|never| never.commands.contains(&command));
    if let Some(Never { option, needs, .. }) = without.find(|never| call.is_given(never.option)) {
        return Err(Usage(format!("--{option} has no effect here: it needs {needs}")));
    }
    for rule in RULES.iter().filter(|rule| rule.commands.contains(&command)) {
        let given = rule.options.iter().find(|option| call.is_given(option));
        if let Some(option) = given.filter(|_| !(rule.works)(call)) {
            let name = option.replace('_', "-");
            return Err(Usage(format!("--{name} has no effect here: it needs {}", rule.needs)));
        }
    }
    Ok(())
}

/// Hides the options of every command in the help of those on which they have no effect.
pub(in crate::cli) fn hidden(command: clap::Command) -> clap::Command {
    if BOOK.contains(&command.get_name()) {
        return command.mut_arg(SORT, |sort| sort.hide(true));
    }
    let name = command.get_name().to_owned();
    let without = NEVER.iter().filter(|never| never.commands.contains(&name.as_str()));
    without.fold(command, |command, never| {
        let option = clap::Arg::new(never.option).long(never.option).hide(true);
        command.arg(match never.option {
            "threads" => option.value_parser(crate::cli::line::options::thread_count),
            _ => option.action(clap::ArgAction::SetTrue),
        })
    })
}

/// What a book is: what its file's name says, or else what was asked for. None if these contradict each other.
pub(in crate::cli) fn standard_of(out: &Path, asked: Standard) -> Option<Standard> {
    match (ending(out).as_deref(), asked) {
        (Some("epub"), Standard::Plain | Standard::Epub) => Some(Standard::Epub),
        (Some("html"), Standard::Plain | Standard::Play) => Some(Standard::Play),
        (Some("epub" | "html"), _) | (Some("pdf") | None, Standard::Epub | Standard::Play) => None,
        _ => Some(asked),
    }
}

/// The ending of a file's name, in small letters.
pub(in crate::cli) fn ending(file: &Path) -> Option<String> {
    file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A renamed option would leave its rule.
    #[test]
    fn every_rule_is_about_options_of_its_commands() {
        let program = crate::cli::command();
        for rule in RULES {
            for name in rule.commands {
                let command = program.find_subcommand(name).unwrap();
                for option in rule.options {
                    // Options of every command stand at the program.
                    let mut arguments = command.get_arguments().chain(program.get_arguments());
                    assert!(arguments.any(|argument| argument.get_id() == *option), "{name} {option}");
                }
            }
        }
    }
}
