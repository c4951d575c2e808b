//! Writes tables: one with the columns that most readers want, and one as well-known data sets are (puzzle, solution).
//!
//! ```text
//! id,puzzle,solution,clues,difficulty,score,hardest,er,symmetry,shape,class
//! 1,53..7....6..195..,534678912..,30,easy,412,hidden_single_box,1.5,none,3x3,0f3a..
//!
//! puzzle,solution
//! 530070000600195000..,534678912..
//! ```

use std::io::{self, Write};

use crate::publish::choice::puzzles::Rows;
use crate::publish::formats::heading::{Heading, with_zeros};
use sudoku_corpus_core::board::Solution;
use sudoku_corpus_core::board::text;
use sudoku_corpus_core::page::numbers::tenths;
use sudoku_corpus_core::rate::TECHNIQUES;
use sudoku_corpus_store::corpus::csv_cell;

/// The names of the columns.
const COLUMNS: [&str; 11] =
    ["id", "puzzle", "solution", "clues", "difficulty", "score", "hardest", "er", "symmetry", "shape", "class"];

/// The names of the columns for the publisher's own levels. A column `date` follows if puzzles have days.
const OWN: [&str; 2] = ["own_level", "own_level_rank"];

/// Writes the table with the most columns.
pub(crate) fn plain(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    let own = if heading.levels.is_some() { &OWN[..] } else { &[] };
    let dated = if heading.numbering.days.is_empty() { &[] } else { &["date"][..] };
    out.write_all(line(COLUMNS.iter().chain(own).chain(dated))?.as_bytes())?;
    rows.write(out, |at, chosen| {
        let record = chosen.record();
        let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
        let solution = record.solution.as_ref().map(Solution::grid).map(text::line);
        let row: [String; 11] = [
            heading.numbering.number(at).to_string(),
            record.puzzle.as_ref().map(|puzzle| text::line(puzzle.grid())).unwrap_or_default(),
            solution.unwrap_or_default(),
            number(record.givens),
            record.level.map(|level| level.name().to_owned()).unwrap_or_default(),
            number(record.score),
            record.hardest.map(|technique| TECHNIQUES[technique as usize].code.to_owned()).unwrap_or_default(),
            record.se_er_tenths.map(tenths).unwrap_or_default(),
            record.symmetry.map(|symmetry| symmetry.name().to_owned()).unwrap_or_default(),
            record.shape.to_string(),
            format!("{:032x}", chosen.class),
        ];
        let (name, rank) = heading.own_level(&record).unzip();
        let level = [csv_cell(&name.unwrap_or_default()).into_owned(), number(rank)];
        let day = heading.numbering.day(at).map(|day| day.to_string());
        line(row.iter().chain(&level[..own.len()]).chain(&day))
    })
}

/// Writes puzzles and solutions.
pub(crate) fn kaggle(out: &mut dyn Write, rows: &Rows<'_>) -> io::Result<()> {
    out.write_all(line(["puzzle", "solution"])?.as_bytes())?;
    rows.write(out, |_, chosen| {
        let record = chosen.record();
        let puzzle = record.puzzle.as_ref().map(|puzzle| with_zeros(puzzle.grid())).unwrap_or_default();
        let solution = record.solution.as_ref().map(Solution::grid).map(text::line).unwrap_or_default();
        line([puzzle, solution])
    })
}

/// A row of a table.
fn line(fields: impl IntoIterator<Item = impl AsRef<[u8]>>) -> io::Result<String> {
    let mut row = ::csv::WriterBuilder::new().buffer_capacity(512).from_writer(Vec::new());
    row.write_record(fields)?;
    String::from_utf8(row.into_inner().map_err(|error| error.into_error())?).map_err(io::Error::other)
}
