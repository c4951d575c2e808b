//! Writes puzzles in a format, into one file or many.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::choice::rows::chosen::Chosen;
use crate::choice::rows::puzzles::{Puzzles, Rows};
use crate::error::PublishError;
use crate::formats::format::Format;
use crate::formats::heading::{Heading, OutFile};
use crate::formats::pictures::Pictures;
use crate::formats::programs::{blocks, ipuz, links, open_sudoku, penpa};
use crate::formats::{csv, json};
use crate::picture::kind::PictureKind;
use sudoku_corpus_core::board::{Shape, text};
use sudoku_corpus_store::corpus::{
    COLUMNS, CorpusError, DatabaseColumn, DatabaseWriter, FileFormat, ItemSize, Metadata, Output, Outside, Record,
    RowSink, Sealed, StopFlag, corpus_columns, in_order, seal_file,
};

/// Writes puzzles into files; `-` is the standard output. See [`files`]. Nobody sees the files yet: they are complete and
/// durable, and do not have their names.
///
/// # Errors
/// Boards that the format cannot hold; an error of the operating system.
pub fn seal(path: &Path, format: Format, chosen: &Puzzles, heading: &Heading) -> Result<Sealed, PublishError> {
    format.check(chosen)?;
    let files = files(path, format, chosen, heading)?;
    check_boxes(&files, format)?;
    let pictures = Pictures::of(format, chosen, heading)?;
    let sealed_file = |file: &OutFile<'_>| {
        let is_table = heading.pictures.merge.as_ref() == Some(&file.path);
        match &pictures {
            Some(pictures) if is_table => Ok(seal_file(&file.path, pictures.merge(&files)?)?),
            pictures => seal_one(file, format, pictures.as_ref(), heading),
        }
    };
    if let [only] = &files[..] {
        // Its puzzles are written in parallel.
        return sealed_file(only);
    }
    let mut sealed = Vec::new();
    in_order(ItemSize::Small, &files, &StopFlag::new(), sealed_file, |done| {
        done.into_iter().try_for_each(|file| file.map(|file| sealed.push(file)))
    })?;
    Ok(sealed.into_iter().collect())
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
    let mut out = Output::held(path)?;
    if let Some(table) = table(format) {
        let columns: Vec<Outside> = heading.own_columns().into_iter().map(|(column, _)| column).collect();
        let mut sink = RowSink::of(out, table, &columns, &Metadata::with_levels(&heading.numbering.levels))?;
        let record = |place, chosen: Chosen| Record { outside: heading.own_values(place), ..chosen.record() };
        rows.each(record, |record| Ok::<_, PublishError>(sink.write(record)?))?;
        return Ok(sink.seal()?);
    }
    write_to(&mut out, format, rows, heading).map_err(CorpusError::io("write", path))?;
    Ok(out.seal()?)
}

/// Writes puzzles. Nothing is written for Parquet, `csv.zst` and pictures, which have writers of their own.
pub(crate) fn write_to(out: &mut dyn Write, format: Format, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    match format {
        Format::Lines => lines(out, rows, "", ""),
        Format::Hodoku => lines(out, rows, ":0000:x:", ":::"),
        Format::Tatham => games(out, rows),
        Format::Csv => csv::write(out, rows, heading),
        Format::JsonLines => json::lines(out, rows, heading),
        Format::Json => json::array(out, rows, heading),
        Format::Sdk => blocks::sdk(out, rows, heading),
        Format::OpenSudoku => open_sudoku::write(out, rows, heading),
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
    let has_numbers = format.is_single() || format == Format::Picture(PictureKind::Pdf);
    let name = match path.file_name().filter(|_| has_numbers) {
        Some(name) => path.with_file_name(name.to_string_lossy().replacen('%', "{number}", 1)),
        None => path.to_owned(),
    };
    let name = name.to_string_lossy();
    heading.numbering.check("--out", &name)?;
    let mut files = named_files(path, &name, chosen, heading)?;
    if format.is_single()
        && path != Path::new("-")
        && let Some(file) = files.iter().find(|file| file.rows.positions().nth(1).is_some())
    {
        return Err(crowded(&file.path, format));
    }
    if !matches!(format, Format::Picture(_)) {
        return Ok(files);
    }
    let names_each = has_numbers && ["{number}", "{date}"].iter().any(|one| name.contains(one));
    let has_file_each = (format.is_single() || names_each) && path != Path::new("-");
    if has_file_each && heading.pictures.with_solutions {
        let solutions: Vec<OutFile<'_>> = files.iter().map(solution_of).collect();
        files.iter_mut().for_each(|file| file.has_solutions_apart = true);
        files.extend(solutions);
    }
    match &heading.pictures.merge {
        None => {}
        Some(table) if has_file_each => files.push(OutFile::new(table.clone(), Rows::none(chosen))),
        Some(_) => {
            let wrong = "--merge lists a picture for each puzzle: write % for the number in the name of the output";
            return Err(PublishError::Request(wrong.to_owned()));
        }
    }
    Ok(files)
}

/// The files whose names `name` gives for the values of puzzles; a name without braces is that of the only file.
fn named_files<'a>(
    path: &Path,
    name: &str,
    chosen: &'a Puzzles,
    heading: &Heading,
) -> Result<Vec<OutFile<'a>>, PublishError> {
    if chosen.is_empty() || !name.contains('{') {
        return Ok(Vec::from_iter([OutFile::new(path.to_owned(), Rows::all(chosen))]));
    }
    let mut files: BTreeMap<PathBuf, Rows<'_>> = BTreeMap::new();
    for (place, one) in chosen.iter().enumerate() {
        let path = heading.numbering.file(name, place, chosen.len(), &one?.record());
        files.entry(path).or_insert_with(|| Rows::none(chosen)).add(place);
    }
    Ok(files.into_iter().map(|(path, rows)| OutFile::new(path, rows)).collect())
}

/// Refuses a file whose boards have other boxes than boards of the same size in it, if nothing would tell them apart.
fn check_boxes(files: &[OutFile<'_>], format: Format) -> Result<(), PublishError> {
    // Files of other formats say which boxes their boards have, or hold 9x9 boards alone.
    if format != Format::Lines {
        return Ok(());
    }
    for file in files {
        let mut shapes: BTreeMap<usize, Shape> = BTreeMap::new();
        for shape in file.rows.shapes() {
            let Some(other) = shapes.insert(shape.order(), shape) else { continue };
            return Err(PublishError::Request(format!(
                "{}: the format {} does not name boxes, so nothing would tell the {} from the {}; write .csv or .jsonl, or a \
                 file for each shape",
                file.path.display(),
                format.info().name,
                other.board(),
                shape.board()
            )));
        }
    }
    Ok(())
}

/// True for a file of a format that holds one puzzle, if its name has no place for what differs from puzzle to puzzle.
pub fn is_crowded(path: &Path, format: Format) -> bool {
    format.is_single() && path != Path::new("-") && !path.to_string_lossy().contains(['%', '{'])
}

/// The error about several puzzles for a file that holds one.
pub fn crowded(path: &Path, format: Format) -> PublishError {
    PublishError::Request(format!(
        "{}: such a file holds one puzzle; write % for the number in its name, as in puzzle-%{}",
        path.display(),
        format.info().ends[0]
    ))
}

/// The file of the solution beside the file of a puzzle.
fn solution_of<'a>(file: &OutFile<'a>) -> OutFile<'a> {
    let path = &file.path;
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let end = path.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    let path = path.with_file_name(format!("{name}-solution{end}"));
    OutFile { solved: true, ..OutFile::new(path, file.rows.clone()) }
}

/// A database with every column.
fn database(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    let about = |(column, about): (Outside, &str)| DatabaseColumn {
        about: about.to_owned(),
        name: column.name,
        kind: Some(column.kind),
        unit: String::new(),
    };
    let own_columns = heading.own_columns().into_iter().map(about);
    let columns: Vec<DatabaseColumn> = corpus_columns().into_iter().chain(own_columns).collect();
    let mut database = DatabaseWriter::new(out, "puzzles", &columns)?;
    let values = |place, chosen: Chosen| {
        let record = chosen.record();
        (heading.own_values(place), record)
    };
    rows.each(values, |(own_values, record)| {
        database.write(COLUMNS.iter().map(|column| column.get(&record)).chain(own_values))
    })?;
    database.finish()
}

/// Writes one game id of Simon Tatham's Solo per line.
fn games(out: &mut dyn Write, rows: &Rows<'_>) -> io::Result<()> {
    rows.write(out, |_, chosen| {
        let Some(puzzle) = chosen.puzzle() else { return Ok(String::new()) };
        let Some(game) = text::game_of(puzzle.grid()) else {
            return Err(io::Error::other(format!("games of Solo cannot have the regions of {}", puzzle.shape())));
        };
        Ok(game + "\n")
    })
}

/// Boards in lines, each between a prefix and a suffix.
fn lines(out: &mut dyn Write, rows: &Rows<'_>, before: &str, after: &str) -> io::Result<()> {
    rows.write(out, |_, chosen| {
        let puzzle = chosen.puzzle();
        Ok(puzzle.map_or(String::new(), |puzzle| format!("{before}{}{after}\n", text::line(puzzle.grid()))))
    })
}
