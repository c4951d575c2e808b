//! Reads a command line that was parsed: the command of the call, and the values of its arguments by their names.

use std::ffi::OsStr;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};

/// A command line that was parsed.
pub(in crate::cli) struct ParsedCall<'a> {
    /// The command of the call.
    pub command: &'a Command,
    pub matches: &'a ArgMatches,
}

impl<'a> ParsedCall<'a> {
    /// The call of a command. None if the line has no command.
    pub(in crate::cli) fn of(line: &'a ArgMatches, program: &'a Command) -> Option<ParsedCall<'a>> {
        let (name, matches) = line.subcommand()?;
        Some(ParsedCall { command: program.find_subcommand(name)?, matches })
    }

    /// True if an argument stands in the line. One with its default value does not.
    pub(in crate::cli) fn is_given(&self, argument: &str) -> bool {
        let is_known = self.matches.ids().any(|id| id.as_str() == argument);
        is_known && self.matches.value_source(argument) == Some(ValueSource::CommandLine)
    }

    /// The values of an argument as the system gave them, or its default values.
    pub(in crate::cli) fn raw_values(&self, argument: &str) -> impl Iterator<Item = &'a OsStr> + use<'a> {
        self.matches.try_get_raw(argument).ok().flatten().into_iter().flatten()
    }

    /// The values of an argument as texts, or its default values.
    pub(in crate::cli) fn values(&self, argument: &str) -> Vec<String> {
        self.raw_values(argument).map(|value| value.to_string_lossy().into_owned()).collect()
    }

    /// The first value, or an empty text.
    pub(in crate::cli) fn first(&self, argument: &str) -> String {
        self.values(argument).into_iter().next().unwrap_or_default()
    }
}

/// The option of a command with this name, without dashes.
pub(in crate::cli) fn option<'a>(command: &'a Command, name: &str) -> Option<&'a Arg> {
    command.get_arguments().find(|argument| argument.get_long() == Some(name))
}
