//! `list`: prints the tables of the program: methods, plans, symmetries, techniques, columns of a row, keys of a
//! recipe, formats of exports, variants, words of books, masks, paths of commands.

use std::io::{self, Write};

use clap::ValueEnum;

use super::Outcome;
use super::options::Global;
use crate::board::{Symmetry, variants};
use crate::corpus::KEYS;
use crate::dig::PLANS;
use crate::generate::MethodName;
use crate::page::numbers::tenths;
use crate::publish::formats::FORMATS;
use crate::publish::words::Language;
use crate::rate::{SPECIAL_NAMES, TECHNIQUES, Technique};

/// List methods, plans, symmetries, techniques, columns, keys, formats, variants, words, masks or paths.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus list methods       ways of making full grids, with their sources and their bias
  sudoku-corpus list columns       the columns of a corpus")]
pub(super) struct Args {
    /// The table to print.
    table: ListedTable,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ListedTable {
    /// Ways of making full grids.
    Methods,
    /// Ways of digging holes.
    Plans,
    /// Symmetries of the pattern of givens.
    Symmetries,
    /// Techniques of the ladder, in solving order.
    Techniques,
    /// Columns of a row.
    Columns,
    /// Keys of a recipe.
    Keys,
    /// Formats of `export`.
    Formats,
    /// Variants of boards: rules beyond rows, columns and boxes.
    Variants,
    /// The English texts of books: a file of words to edit.
    Words,
    /// Patterns of givens for `mask`.
    Masks,
    /// What each command reads and writes.
    Paths,
}

/// A name, and lines of "label: text" below it.
fn entry(out: &mut impl Write, name: &str, lines: &[(&str, &str)]) -> io::Result<()> {
    writeln!(out, "{name}")?;
    let mut lines = lines.iter().filter(|(_, text)| !text.is_empty());
    lines.try_for_each(|(label, text)| writeln!(out, "    {label}: {text}"))
}

/// Prints a table to stdout.
pub(super) fn run(_: &Global, args: Args) -> anyhow::Result<Outcome> {
    let out = &mut io::stdout().lock();
    match args.table {
        ListedTable::Methods => MethodName::ALL.into_iter().try_for_each(|name| {
            let row = name.info();
            let lines = [("from", row.origin), ("idea", row.idea), ("bias", row.bias), ("shapes", row.shapes)];
            entry(out, name.name(), &lines)
        }),
        ListedTable::Plans => PLANS.iter().try_for_each(|row| {
            let name =
                if row.argument.is_empty() { row.name.to_owned() } else { format!("{}={}", row.name, row.argument) };
            entry(out, &name, &[("from", row.origin), ("idea", row.idea), ("bias", row.bias)])
        }),
        ListedTable::Symmetries => Symmetry::ALL.iter().try_for_each(|symmetry| writeln!(out, "{symmetry}")),
        ListedTable::Techniques => techniques(out),
        ListedTable::Columns => super::query::columns(out),
        ListedTable::Words => write!(out, "{}", Language::file("en").unwrap_or_default()),
        ListedTable::Masks => super::mask::library()
            .try_for_each(|(name, mask)| writeln!(out, "{name:<16} {:>2} givens  {mask}", mask.givens())),
        ListedTable::Paths => super::paths::table()
            .try_for_each(|[command, argument, role]| writeln!(out, "{command:<12} {argument:<16} {role}")),
        ListedTable::Formats => FORMATS.iter().try_for_each(|row| {
            let lines = [("files", &*row.ends.join(" ")), ("what", row.about), ("boards", row.boards)];
            entry(out, row.name, &lines)
        }),
        ListedTable::Variants => variants::all().try_for_each(|row| {
            let keys = row.f_puzzles.join(", ");
            entry(out, row.name, &[("rule", row.rule), ("boards", row.boards), ("keys in f-puzzles", &keys)])
        }),
        ListedTable::Keys => KEYS.iter().try_for_each(|key| {
            let name = if key.table.is_empty() { key.name.to_string() } else { format!("{}.{}", key.table, key.name) };
            writeln!(out, "{name:<24} {}", key.about)
        }),
    }?;
    Ok(Outcome::Done)
}

/// Prints the techniques in solving order, then the names with a special case.
fn techniques(out: &mut impl Write) -> io::Result<()> {
    for row in &TECHNIQUES {
        let explainer = row.se_tenths.map_or("has no counterpart".into(), |least| format!("{} or more", tenths(least)));
        let hodoku = if row.is_of_hodoku() { "HoDoKu score" } else { "unknown to HoDoKu, here score" };
        let scales = format!("{hodoku} {}, level {}; Sudoku Explainer {explainer}", row.score, row.level);
        entry(out, &format!("{} ({})", row.name, row.code), &[("pattern", row.pattern), ("scales", &scales)])?;
    }
    SPECIAL_NAMES.iter().try_for_each(|(name, techniques, about)| {
        let codes: Vec<&str> = techniques.iter().map(|&technique| Technique::code(technique)).collect();
        entry(out, name, &[("stands for", &codes.join(", ")), ("special case", about)])
    })
}
