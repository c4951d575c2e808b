//! `list`: prints the tables of the program: levels, methods, plans, symmetries, techniques, columns of a row, keys of a
//! recipe, formats of exports, forms of inputs, variants, words of books, masks, recipes, pictures, a JSON Schema, paths.

use std::io::{self, Write};

use clap::ValueEnum;

use crate::board::{Symmetry, variants};
use crate::cli::Outcome;
use crate::cli::line::options::Global;
use crate::corpus::{self, KEYS, Levels};
use crate::dig::PLANS;
use crate::generate::MethodName;
use crate::ladder::{SPECIAL_NAMES, TECHNIQUES, Technique};
use crate::library;
use crate::page::numbers::tenths;
use crate::publish::formats::{FORMATS, schema};
use crate::publish::words::Language;

/// List levels, recipes, methods, plans, techniques, columns, keys, formats and other tables.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus list levels
      what easy, medium and hard mean
  sudoku-corpus list recipes
      recipes to begin with: sudoku-corpus run recipe:book
  sudoku-corpus list columns
      the columns of a corpus")]
pub(in crate::cli) struct Args {
    /// The table to print.
    table: ListedTable,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ListedTable {
    /// The scales of levels, with their limits.
    Levels,
    /// Ways of making full grids.
    Methods,
    /// Ways of removing givens.
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
    /// Forms of files and texts that are read.
    Forms,
    /// Variants of boards: rules beyond rows, columns and boxes.
    Variants,
    /// The English texts of books: a file of words to edit.
    Words,
    /// Patterns of givens for `mask`.
    Masks,
    /// The JSON Schema of the format jsonl of `export`.
    Schema,
    /// Recipes of the program, for `run` and `nightly`.
    Recipes,
    /// Pictures of the program, for `--pictures`.
    Pictures,
    /// What each command reads and writes.
    Paths,
}

/// A name, and lines of "label: text" below it.
fn entry(out: &mut impl Write, name: &str, lines: &[(&str, &str)]) -> io::Result<()> {
    writeln!(out, "{name}")?;
    let mut lines = lines.iter().filter(|(_, text)| !text.is_empty());
    lines.try_for_each(|(label, text)| writeln!(out, "    {label}: {text}"))
}

pub(in crate::cli) fn run(_: &Global, args: Args) -> anyhow::Result<Outcome> {
    let out = &mut io::stdout().lock();
    match args.table {
        ListedTable::Levels => levels(out),
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
        ListedTable::Columns => crate::cli::analysis::query::columns(out),
        ListedTable::Schema => writeln!(out, "{:#}", schema()),
        ListedTable::Words => write!(out, "{}", Language::file("en").unwrap_or_default()),
        ListedTable::Masks => crate::cli::parts::mask::library()
            .try_for_each(|(name, mask)| writeln!(out, "{name:<16} {:>2} givens  {mask}", mask.givens())),
        ListedTable::Recipes => {
            library::RECIPES.iter().try_for_each(|recipe| entry(out, recipe.name, &[("makes", &recipe.about())]))
        }
        ListedTable::Pictures => library::PICTURES.iter().try_for_each(|picture| writeln!(out, "{}", picture.name)),
        ListedTable::Paths => crate::cli::line::paths::table()
            .try_for_each(|[command, argument, role]| writeln!(out, "{command:<12} {argument:<16} {role}")),
        ListedTable::Formats => FORMATS.iter().try_for_each(|row| {
            let lines = [("files", &*row.ends.join(" ")), ("what", row.about), ("boards", row.boards)];
            entry(out, row.name, &lines)
        }),
        ListedTable::Forms => corpus::forms().try_for_each(|form| {
            let picture = form.picture.replace('\n', "\n        ");
            entry(out, form.name, &[("what", form.about), ("as", &picture)])
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

/// Prints the scales that have a name: each level with its limits.
fn levels(out: &mut impl Write) -> io::Result<()> {
    for (levels, about) in [
        (
            Levels::default(),
            "the default: the ER of a 9x9 puzzle decides; ER is Sudoku Explainer's rating of its hardest step",
        ),
        (
            Levels::hodoku(),
            "the hardest step and the sum of all scores decide; the column hodoku_level, whatever the scale",
        ),
    ] {
        writeln!(out, "{}: {about}", levels.name().unwrap_or_default())?;
        levels.limits().iter().try_for_each(|(level, limits)| writeln!(out, "    {level:<8} {limits}"))?;
    }
    writeln!(out, "FILE: a scale of your own, see `guide levels`")
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
