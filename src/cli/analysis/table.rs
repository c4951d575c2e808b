//! Writes tables of text with aligned columns.

use std::io::{self, Write};

use crate::cli::counted;

/// A table with aligned columns; numbers are right-aligned. The first rows decide how wide the columns are.
pub(in crate::cli) struct Columns<W> {
    out: W,
    /// The names, and the first rows.
    waiting: Vec<Vec<String>>,
    /// The widths of the columns, in characters; empty while the first rows wait.
    widths: Vec<usize>,
    /// Which columns hold a number in some row.
    has_numbers: Vec<bool>,
    /// The width of the terminal, if columns that do not fit are left out.
    room: Option<usize>,
    /// The number of columns that are left out.
    more: usize,
}

/// The number of columns that fit into the room, at least one.
fn fitting(widths: &[usize], room: usize) -> usize {
    let mut end = 0;
    for (column, width) in widths.iter().enumerate() {
        end += width;
        if end > room {
            return column.max(1);
        }
        end += GAP.len();
    }
    widths.len().max(1)
}

/// Between two columns.
const GAP: &str = "  ";

/// The largest width of a column. A longer text is still printed completely.
const WIDEST: usize = 4096;

/// Lines of this number of columns wrap on a terminal, because somebody chose the columns. Of more columns, those that
/// fit are shown.
pub(in crate::cli) const MOST_WRAPPED: usize = 12;

/// The number of rows that decide the widths.
const ROWS_FOR_WIDTHS: usize = 1000;

impl<W: Write> Columns<W> {
    /// A table with these names. If the columns do not fit into the room, the last ones are left out.
    pub(in crate::cli) fn new(out: W, names: Vec<String>, room: Option<usize>) -> Columns<W> {
        let has_numbers = vec![false; names.len()];
        Columns { out, widths: Vec::new(), has_numbers, waiting: vec![names], room, more: 0 }
    }

    /// Prints a row: texts, and whether they are numbers.
    pub(in crate::cli) fn write(&mut self, row: impl IntoIterator<Item = (String, bool)>) -> io::Result<()> {
        let (texts, numbers): (Vec<String>, Vec<bool>) = row.into_iter().unzip();
        for (has_numbers, is_number) in self.has_numbers.iter_mut().zip(numbers) {
            *has_numbers |= is_number;
        }
        if !self.widths.is_empty() {
            return self.line(&texts);
        }
        self.waiting.push(texts);
        if self.waiting.len() > ROWS_FOR_WIDTHS { self.settle() } else { Ok(()) }
    }

    /// Computes the widths and prints the rows that wait.
    fn settle(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        if let Some(names) = waiting.first() {
            for column in 0..names.len() {
                let widest = waiting.iter().map(|row| row[column].chars().count()).max();
                self.widths.push(widest.unwrap_or(0).min(WIDEST));
            }
            if let Some(room) = self.room {
                self.widths.truncate(fitting(&self.widths, room));
            }
            self.more = names.len() - self.widths.len();
        }
        waiting.iter().try_for_each(|line| self.line(line))
    }

    /// Prints what still waits, and how many columns are left out.
    pub(in crate::cli) fn finish(mut self) -> io::Result<()> {
        self.settle()?;
        let how =
            "Name the columns that you want, write all to a file with --out rows.csv, or see them with | less -S.";
        match self.more {
            0 => Ok(()),
            more => writeln!(self.out, "({} for which there is no room. {how})", counted(more, "more column")),
        }
    }

    /// Writes a line: texts to the left, numbers to the right.
    fn line(&mut self, texts: &[String]) -> io::Result<()> {
        let mut cells = Vec::new();
        for ((text, width), has_numbers) in texts.iter().zip(&self.widths).zip(&self.has_numbers) {
            cells.push(if *has_numbers { format!("{text:>width$}") } else { format!("{text:<width$}") });
        }
        writeln!(self.out, "{}", cells.join(GAP).trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_that_fit_are_those_that_end_within_the_terminal() {
        let widths = [5, 3, 81];
        assert_eq!([4, 5, 9, 10, 92, 93].map(|room| fitting(&widths, room)), [1, 1, 1, 2, 2, 3]);
    }
}
