//! Writes puzzles as blocks: SadMan Software's `.sdk` and Simple Sudoku's `.ss`.
//!
//! ```text
//! #AAnn                     *-----------*
//! #Dpuzzle 1                |53.|.7.|...|
//! #Leasy                    |6..|195|...|
//! 53..7....                 |.98|...|.6.|
//! 6..195...                 |---+---+---|
//! ...                       ...
//! ```

use std::io::{self, Write};

use crate::publish::choice::puzzles::Rows;
use crate::publish::formats::heading::{Heading, puzzles};
use sudoku_corpus_core::board::text;

/// Writes `.sdk` blocks, separated by an empty line.
pub(crate) fn sdk(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    for (place, row) in rows.iter().enumerate() {
        let (at, chosen) = row?;
        let Some(puzzle) = chosen.puzzle() else { continue };
        if place > 0 {
            writeln!(out)?;
        }
        let title = heading.title.as_deref().map(|title| format!("{title}, ")).unwrap_or_default();
        let headers = [
            ('A', heading.author.clone()),
            ('D', Some(format!("{title}puzzle {}", heading.numbering.number(at)))),
            ('B', heading.date(at)),
            ('S', heading.source.clone()),
            ('L', heading.level(&chosen.record())),
        ];
        for (letter, text) in headers {
            if let Some(text) = text {
                writeln!(out, "#{letter}{}", on_one_line(&text))?;
            }
        }
        let line = text::line(puzzle.grid());
        for row in line.as_bytes().chunks(puzzle.shape().order()) {
            out.write_all(row)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Writes `.ss` blocks, separated by an empty line.
pub(crate) fn ss(out: &mut dyn Write, rows: &Rows<'_>) -> io::Result<()> {
    for (at, puzzle) in puzzles(rows).enumerate() {
        let puzzle = puzzle?;
        if at > 0 {
            writeln!(out)?;
        }
        let line = text::line(puzzle.grid());
        writeln!(out, " *-----------*")?;
        for (row, cells) in line.as_bytes().chunks(9).enumerate() {
            if row > 0 && row % 3 == 0 {
                writeln!(out, " |---+---+---|")?;
            }
            let [a, b, c] = [0, 3, 6].map(|start| String::from_utf8_lossy(&cells[start..start + 3]));
            writeln!(out, " |{a}|{b}|{c}|")?;
        }
        writeln!(out, " *-----------*")?;
    }
    Ok(())
}

/// A text without line breaks.
fn on_one_line(text: &str) -> String {
    text.split(char::is_control).collect::<Vec<_>>().join(" ")
}
