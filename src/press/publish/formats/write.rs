//! Writes puzzles in a format, into one file or many.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::publish::choice::chosen::Chosen;
use crate::publish::choice::puzzles::{Puzzles, Rows};
use crate::publish::error::PublishError;
use crate::publish::formats::format::Format;
use crate::publish::formats::heading::{Heading, OutFile};
use crate::publish::formats::pictures::Pictures;
use crate::publish::formats::{blocks, csv, exchange, ipuz, json, links, open_sudoku, penpa};
use crate::publish::picture::kind::PictureKind;
use sudoku_corpus_core::board::text;
use sudoku_corpus_store::corpus::{
    COLUMNS, CorpusError, DatabaseColumn, DatabaseWriter, FileFormat, Output, Outside, Record, RowSink, Sealed,
    StopFlag, Workers, corpus_columns, seal_file, write_file,
};

/// Writes puzzles into files, which appear complete or not at all; `-` is the standard output. See [`files`].
///
/// # Errors
/// Boards that the format cannot hold; an error of the operating system.
pub fn write(path: &Path, format: Format, chosen: &Puzzles, heading: &Heading) -> Result<(), PublishError> {
    seal(path, format, chosen, heading)?.into_iter().try_for_each(Sealed::publish)?;
    write_many(path, format, chosen, heading)
}

/// Like [`write()`], but the file, complete and durable, does not have its name yet. None if there are several files,
/// which [`write_many`] writes.
///
/// # Errors
/// The same as for [`write()`].
pub fn seal(path: &Path, format: Format, chosen: &Puzzles, heading: &Heading) -> Result<Option<Sealed>, PublishError> {
    let info = format.info();
    if let Some(other) = chosen.shapes().iter().find(|shape| !(info.holds)(**shape)) {
        let (name, boards) = (info.name, info.boards);
        return Err(PublishError::Request(format!(
            "the format {name} cannot hold puzzles of the {}; it holds {boards}",
            other.board()
        )));
    }
    let files = files(path, format, chosen, heading)?;
    let [only] = &files[..] else { return Ok(None) };
    let pictures = Pictures::of(format, chosen, heading)?;
    seal_one(only, format, pictures.as_ref(), heading).map(Some)
}

/// Writes the files that [`seal`] leaves out because they are too many to be held open until all are complete.
///
/// # Errors
/// The same as for [`write()`].
pub fn write_many(path: &Path, format: Format, chosen: &Puzzles, heading: &Heading) -> Result<(), PublishError> {
    let files = files(path, format, chosen, heading)?;
    if files.len() == 1 {
        return Ok(());
    }
    let pictures = Pictures::of(format, chosen, heading)?;
    let one = |file: &OutFile<'_>| {
        let is_table = heading.pictures.merge.as_ref() == Some(&file.path);
        match &pictures {
            Some(pictures) if is_table => Ok(write_file(&file.path, pictures.merge(&files)?)?),
            pictures => Ok(seal_one(file, format, pictures.as_ref(), heading)?.publish()?),
        }
    };
    Workers::here().run(&files, &StopFlag::new(), one, |done| done.into_iter().collect()).map(drop)
}

/// Writes one file, which gets its name later.
fn seal_one(
    file: &OutFile<'_>,
    format: Format,
    pictures: Option<&Pictures<'_>>,
    heading: &Heading,
) -> Result<Sealed, PublishError> {
    let OutFile { path, rows, .. } = file;
    if let (Format::Picture(kind), Some(pictures)) = (format, pictures) {
        return Ok(seal_file(path, pictures.data(kind, file)?)?);
    }
    if let Some(table) = table(format) {
        let columns: Vec<Outside> = heading.own_columns().into_iter().map(|(column, _)| column).collect();
        let mut sink = RowSink::with_outside(path, Some(table), &columns)?;
        let record = |at, chosen: Chosen| {
            let record = chosen.record();
            Record { outside: heading.own_values(at, &record), ..record }
        };
        rows.each(record, |record| Ok::<_, PublishError>(sink.write(record)?))?;
        return Ok(sink.seal()?);
    }
    let mut out = Output::create(path)?;
    let refused = |source| CorpusError::Io { doing: "write", path: path.to_owned(), source };
    write_to(&mut out, format, rows, heading).map_err(refused)?;
    Ok(out.seal()?)
}

/// Writes puzzles. Nothing is written for Parquet, `csv.zst` and pictures, which have writers of their own.
pub(crate) fn write_to(out: &mut dyn Write, format: Format, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    match format {
        Format::Lines => lines(out, rows, "", ""),
        Format::Hodoku => lines(out, rows, ":0000:x:", ":::"),
        Format::Tatham => games(out, rows),
        Format::Csv => csv::plain(out, rows, heading),
        Format::Kaggle => csv::kaggle(out, rows),
        Format::JsonLines => json::lines(out, rows, heading),
        Format::Json => json::array(out, rows, heading),
        Format::Sdk => blocks::sdk(out, rows, heading),
        Format::Ss => blocks::ss(out, rows),
        Format::OpenSudoku => open_sudoku::write(out, rows, heading),
        Format::Exchange => exchange::write(out, rows),
        Format::FPuzzles => links::f_puzzles(out, rows, heading),
        Format::SudokuPad => links::sudoku_pad(out, rows, heading),
        Format::Penpa => penpa::write(out, rows, heading),
        Format::Ipuz => ipuz::write(out, rows, heading),
        Format::Sqlite => database(out, rows, heading),
        Format::Parquet | Format::CsvZst | Format::Picture(_) => Ok(()),
    }
}

/// The corpus format that is the same as a format, if there is one.
fn table(format: Format) -> Option<FileFormat> {
    match format {
        Format::Parquet => Some(FileFormat::Parquet),
        Format::CsvZst => Some(FileFormat::CsvZst),
        _ => None,
    }
}

/// The files of an output, with their puzzles. Names in braces stand for values of each puzzle (`Numbering::file`).
/// Puzzles whose values give the same name of a file are in one file. In formats with a single puzzle in a file, and in
/// PDF, the first `%` is the number too. The last file is the table of pictures, if there is one.
///
/// # Errors
/// Unknown names in braces; several puzzles for a file that holds one; a table of pictures that are not in a file each.
pub fn files<'a>(
    path: &Path,
    format: Format,
    chosen: &'a Puzzles,
    heading: &Heading,
) -> Result<Vec<OutFile<'a>>, PublishError> {
    let pictures = &heading.pictures;
    let percent = format.is_single() || format == Format::Picture(PictureKind::Pdf);
    let name = match path.file_name().filter(|_| percent) {
        Some(name) => path.with_file_name(name.to_string_lossy().replacen('%', "{number}", 1)),
        None => path.to_owned(),
    };
    let name = name.to_string_lossy();
    heading.numbering.check("--out", &name)?;
    let mut files: BTreeMap<PathBuf, Rows<'_>> = BTreeMap::new();
    if chosen.is_empty() || !name.contains('{') {
        files.insert(path.to_owned(), Rows::all(chosen));
    } else {
        for (at, one) in chosen.iter().enumerate() {
            let path = heading.numbering.file(&name, at, chosen.len(), &one?.record());
            files.entry(path).or_insert_with(|| Rows::none(chosen)).add(at);
        }
    }
    let mut files: Vec<OutFile<'_>> = files
        .into_iter()
        .map(|(path, rows)| OutFile { path, rows, solved: false, has_solutions_apart: false })
        .collect();
    let crowded =
        |file: &&OutFile<'_>| file.rows.places().nth(1).is_some() && format.is_single() && file.path != Path::new("-");
    if let Some(file) = files.iter().find(crowded) {
        return Err(PublishError::Request(format!(
            "{}: such a file holds one puzzle; write % for the number in its name, as in puzzle-%{}",
            file.path.display(),
            format.info().ends[0]
        )));
    }
    if !matches!(format, Format::Picture(_)) {
        return Ok(files);
    }
    // True if each picture has a file of its own.
    let each = (format.is_single() || percent && ["{number}", "{date}"].iter().any(|one| name.contains(one)))
        && path != Path::new("-");
    if each && pictures.with_solutions {
        let solution = |file: &OutFile<'a>| {
            let path = &file.path;
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let end = path.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
            let path = path.with_file_name(format!("{name}-solution{end}"));
            OutFile { path, rows: file.rows.clone(), solved: true, has_solutions_apart: false }
        };
        let solutions: Vec<OutFile<'_>> = files.iter().map(solution).collect();
        files.iter_mut().for_each(|file| file.has_solutions_apart = true);
        files.extend(solutions);
    }
    match &pictures.merge {
        None => {}
        Some(table) if each => files.push(OutFile {
            path: table.clone(),
            rows: Rows::none(chosen),
            solved: false,
            has_solutions_apart: false,
        }),
        Some(_) => {
            let wrong = "--merge lists a picture for each puzzle: write % for the number in the name of the output";
            return Err(PublishError::Request(wrong.to_owned()));
        }
    }
    Ok(files)
}

/// A database with every column.
fn database(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    let about = |(column, about): (Outside, &str)| DatabaseColumn {
        about: about.to_owned(),
        name: column.name,
        kind: Some(column.kind),
        unit: String::new(),
    };
    let own = heading.own_columns().into_iter().map(about);
    let columns: Vec<DatabaseColumn> = corpus_columns().into_iter().chain(own).collect();
    let mut database = DatabaseWriter::new(out, "puzzles", &columns)?;
    let values = |at, chosen: Chosen| {
        let record = chosen.record();
        (heading.own_values(at, &record), record)
    };
    rows.each(values, |(own, record)| database.write(COLUMNS.iter().map(|column| column.get(&record)).chain(own)))?;
    database.finish()
}

/// Writes one game id of Simon Tatham's Solo per line.
fn games(out: &mut dyn Write, rows: &Rows<'_>) -> io::Result<()> {
    rows.write(out, |_, chosen| {
        let Some(puzzle) = chosen.puzzle() else { return Ok(String::new()) };
        let none = || io::Error::other(format!("games of Solo cannot have the regions of {}", puzzle.shape()));
        Ok(text::game_of(puzzle.grid()).ok_or_else(none)? + "\n")
    })
}

/// Boards in lines, each between a prefix and a suffix.
fn lines(out: &mut dyn Write, rows: &Rows<'_>, before: &str, after: &str) -> io::Result<()> {
    rows.write(out, |_, chosen| {
        let puzzle = chosen.puzzle();
        Ok(puzzle.map_or(String::new(), |puzzle| format!("{before}{}{after}\n", text::line(puzzle.grid()))))
    })
}
