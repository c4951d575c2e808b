//! Writes a table with the columns that most readers want.
//!
//! ```text
//! id,puzzle,solution,clues,level,hodoku_score,hardest,er,symmetry,shape,class
//! 1,53..7....6..195..,534678912..,30,easy,412,hidden_single_box,1.5,none,3x3,0f3a..
//! ```

use std::io::{self, Write};

use crate::choice::rows::puzzles::Rows;
use crate::formats::heading::Heading;
use sudoku_corpus_core::board::{Solution, text};
use sudoku_corpus_core::ladder::TECHNIQUES;
use sudoku_corpus_core::page::numbers::tenths;
use sudoku_corpus_store::corpus::csv_cell;

/// The names of the columns. A column `date` follows if puzzles have days.
const COLUMNS: [&str; 11] =
    ["id", "puzzle", "solution", "clues", "level", "hodoku_score", "hardest", "er", "symmetry", "shape", "class"];

pub(crate) fn write(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    let dated = if heading.numbering.days.is_empty() { &[] } else { &["date"][..] };
    out.write_all(line(COLUMNS.iter().chain(dated))?.as_bytes())?;
    rows.write(out, |place, chosen| {
        let record = chosen.record();
        let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
        let solution = record.solution.as_ref().map(Solution::grid).map(text::line);
        let row: [String; 11] = [
            heading.numbering.number(place).to_string(),
            record.puzzle.as_ref().map(|puzzle| text::line(puzzle.grid())).unwrap_or_default(),
            solution.unwrap_or_default(),
            number(record.givens),
            record.level.as_deref().map(|level| csv_cell(level).into_owned()).unwrap_or_default(),
            number(record.hodoku_score),
            record.hardest.map(|technique| TECHNIQUES[technique as usize].code.to_owned()).unwrap_or_default(),
            record.se_er_tenths.map(tenths).unwrap_or_default(),
            record.symmetry.map(|symmetry| symmetry.name().to_owned()).unwrap_or_default(),
            record.shape.to_string(),
            format!("{:032x}", chosen.class),
        ];
        let day = heading.numbering.day(place).map(|day| day.to_string());
        line(row.iter().chain(&day))
    })
}

fn line(fields: impl IntoIterator<Item = impl AsRef<[u8]>>) -> io::Result<String> {
    let mut row = ::csv::WriterBuilder::new().buffer_capacity(512).from_writer(Vec::new());
    row.write_record(fields)?;
    String::from_utf8(row.into_inner().map_err(|error| error.into_error())?).map_err(io::Error::other)
}
