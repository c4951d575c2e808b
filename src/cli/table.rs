//! Writes tables of text with aligned columns.

use std::io::{self, Write};

/// A table with aligned columns; numbers are right-aligned. The first rows decide how wide the columns are.
pub(super) struct Columns<W> {
    out: W,
    /// The names, and the first rows.
    waiting: Vec<Vec<String>>,
    /// The widths of the columns, in characters; empty while the first rows wait.
    widths: Vec<usize>,
    /// Which columns hold a number in some row.
    number: Vec<bool>,
    /// The width of the terminal, if columns that do not fit are left out.
    room: Option<usize>,
    /// The number of columns that are left out.
    more: usize,
}

/// The number of columns that fit, at least one.
fn fitting(widths: &[usize], room: usize) -> usize {
    let ends = widths.iter().scan(0, |end, width| {
        *end += width + GAP.len();
        Some(*end)
    });
    ends.take_while(|end| *end <= room + GAP.len()).count().max(1)
}

/// Between two columns.
const GAP: &str = "  ";

/// The largest width of a column. A longer text is still printed completely.
const WIDEST: usize = 4096;

/// Lines of this number of columns wrap on a terminal, because somebody chose the columns. Of more columns, those that
/// fit are shown.
pub(super) const MOST_WRAPPED: usize = 12;

/// The number of rows that decide the widths.
const ROWS_FOR_WIDTHS: usize = 1000;

impl<W: Write> Columns<W> {
    /// A table with these names. If the columns do not fit into the room, the last ones are left out.
    pub(super) fn new(out: W, names: Vec<String>, room: Option<usize>) -> Columns<W> {
        Columns { out, widths: Vec::new(), number: vec![false; names.len()], waiting: vec![names], room, more: 0 }
    }

    /// Prints a row: texts, and whether they are numbers.
    pub(super) fn write(&mut self, row: impl IntoIterator<Item = (String, bool)>) -> io::Result<()> {
        let (texts, numbers): (Vec<String>, Vec<bool>) = row.into_iter().unzip();
        self.number.iter_mut().zip(numbers).for_each(|(number, is_number)| *number |= is_number);
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
            let longest = |at: usize| waiting.iter().map(|row| row[at].chars().count()).max().unwrap_or(0).min(WIDEST);
            self.widths = (0..names.len()).map(longest).collect();
            self.widths.truncate(self.room.map_or(names.len(), |room| fitting(&self.widths, room)));
            self.more = names.len() - self.widths.len();
        }
        waiting.iter().try_for_each(|line| self.line(line))
    }

    /// Prints what still waits, and how many columns are left out.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.settle()?;
        let how =
            "Name the columns that you want, write all to a file with --out rows.csv, or see them with | less -S.";
        match self.more {
            0 => Ok(()),
            more => writeln!(self.out, "({more} more columns do not fit. {how})"),
        }
    }

    /// Writes a line: texts to the left, numbers to the right.
    fn line(&mut self, texts: &[String]) -> io::Result<()> {
        let cell = |((text, width), number): ((&String, &usize), &bool)| match number {
            true => format!("{text:>width$}"),
            false => format!("{text:<width$}"),
        };
        let line = texts.iter().zip(&self.widths).zip(&self.number).map(cell).collect::<Vec<_>>().join(GAP);
        writeln!(self.out, "{}", line.trim_end())
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
