//! Writes puzzles as blocks of SadMan Software's `.sdk`.
//!
//! ```text
//! #AAnn
//! #Dpuzzle 1
//! #Leasy
//! 53..7....
//! 6..195...
//! ...
//! ```

use std::io::{self, Write};

use crate::choice::rows::puzzles::Rows;
use crate::formats::heading::Heading;
use sudoku_corpus_core::board::text;

/// Writes `.sdk` blocks, separated by an empty line.
pub(crate) fn sdk(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    for (number, row) in rows.iter().enumerate() {
        let (place, chosen) = row?;
        let Some(puzzle) = chosen.puzzle() else { continue };
        if number > 0 {
            writeln!(out)?;
        }
        let title = heading.title.as_deref().map(|title| format!("{title}, ")).unwrap_or_default();
        let headers = [
            ('A', heading.author.clone()),
            ('D', Some(format!("{title}puzzle {}", heading.numbering.number(place)))),
            ('B', heading.date(place)),
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

fn on_one_line(text: &str) -> String {
    text.split(char::is_control).collect::<Vec<_>>().join(" ")
}
