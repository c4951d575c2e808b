//! `list`: prints the tables of the program: methods, plans, symmetries, techniques, columns of a row, keys of a
//! recipe, formats of exports, words of books, masks.

use std::io::{self, Write};

use clap::ValueEnum;

use super::Outcome;
use crate::board::Symmetry;
use crate::corpus::KEYS;
use crate::dig::PLANS;
use crate::generate::MethodName;
use crate::page::numbers::tenths;
use crate::publish::formats::FORMATS;
use crate::publish::words::Language;
use crate::rate::{SPECIAL_NAMES, TECHNIQUES, Technique};

/// List methods, plans, symmetries, techniques, columns, keys, formats, words or masks.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus list methods       ways of making full grids, with their sources and their bias
  sudoku-corpus list columns       the columns of a corpus")]
pub struct Args {
    /// The table to print.
    table: Table,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Table {
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
    /// The English texts of books: a file of words to edit.
    Words,
    /// Patterns of givens for `mask`.
    Masks,
}

/// A name, and lines of "label: text" below it.
fn entry(out: &mut impl Write, name: &str, lines: &[(&str, &str)]) -> io::Result<()> {
    writeln!(out, "{name}")?;
    for (label, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
        writeln!(out, "    {label}: {text}")?;
    }
    Ok(())
}

/// Prints a table to stdout.
pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    match args.table {
        Table::Methods => {
            for name in MethodName::ALL {
                let row = name.info();
                let lines = [("from", row.origin), ("idea", row.idea), ("bias", row.bias), ("shapes", row.shapes)];
                entry(&mut out, name.name(), &lines)?;
            }
        }
        Table::Plans => {
            for row in &PLANS {
                let name = [row.name, row.argument].iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>();
                let lines = [("from", row.origin), ("idea", row.idea), ("bias", row.bias)];
                entry(&mut out, &name.join("="), &lines)?;
            }
        }
        Table::Symmetries => {
            for symmetry in Symmetry::ALL {
                writeln!(out, "{symmetry}")?;
            }
        }
        Table::Techniques => techniques(&mut out)?,
        Table::Columns => super::query::columns(&mut out)?,
        Table::Words => write!(out, "{}", Language::file("en").unwrap_or_default())?,
        Table::Masks => {
            for (name, mask) in super::mask::library() {
                writeln!(out, "{name:<16} {:>2} givens  {mask}", mask.givens())?;
            }
        }
        Table::Formats => {
            for row in &FORMATS {
                let ends = row.ends.join(" ");
                let lines = [("files", ends.as_str()), ("what", row.about), ("boards", row.boards)];
                entry(&mut out, row.name, &lines)?;
            }
        }
        Table::Keys => {
            for key in KEYS.iter() {
                let table = if key.table.is_empty() { String::new() } else { format!("{}.", key.table) };
                writeln!(out, "{:<24} {}", format!("{table}{}", key.name), key.about)?;
            }
        }
    }
    Ok(Outcome::Done)
}

fn techniques(out: &mut impl Write) -> io::Result<()> {
    for row in &TECHNIQUES {
        let explainer =
            row.se_tenths.map_or("has no counterpart".to_owned(), |least| format!("{} or more", tenths(least)));
        let hodoku = if row.is_of_hodoku() { "HoDoKu score" } else { "unknown to HoDoKu, here score" };
        let scales = format!("{hodoku} {}, level {}; Sudoku Explainer {explainer}", row.score, row.level);
        entry(out, &format!("{} ({})", row.name, row.code), &[("pattern", row.pattern), ("scales", &scales)])?;
    }
    for (name, techniques, about) in SPECIAL_NAMES {
        let codes: Vec<&str> = techniques.iter().map(|&technique| Technique::code(technique)).collect();
        entry(out, name, &[("stands for", &codes.join(", ")), ("special case", about)])?;
    }
    Ok(())
}
