//! Writes records in the four file formats.
//!
//! | name | what |
//! |---|---|
//! | `.parquet` | every column, zstd inside, metadata in the footer |
//! | `.csv.zst` | every column, metadata in a frame after the data |
//! | `.csv` | every column |
//! | `.txt` | one board per line: the puzzle, or the full grid if there is no puzzle |
//!
//! The metadata are one JSON object. In Parquet it is the value of the key `sudoku-corpus`, in the footer and in the
//! Arrow schema. In `.csv.zst` it is in a skippable frame after the data, which readers ignore:
//!
//! ```text
//!   zstd frame with the CSV | 50 2A 4D 18 | length, 4 bytes | JSON | sum | length of the JSON, 4 bytes | "SCM2"
//!                             skippable frame, RFC 8878 section 3.1.2
//! ```
//!
//! All numbers are little-endian. The sum is the first 8 bytes of the BLAKE3 of the JSON; files with "SCM1" have none. The
//! tail lets a reader find the JSON without decompressing anything.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write as _};
use std::path::Path;

use super::durable::output::Out;
use super::format::FileFormat;
use super::frame::{FrameReader, FrameWriter};
use super::metadata::Metadata;
use crate::corpus::values::error::{CorpusError, Result, in_words};
use crate::corpus::values::outside::Outside;
use crate::corpus::values::record::{COLUMNS, Record};
use crate::corpus::values::value::Value;
use sudoku_corpus_core::board::{Puzzle, Solution, text};

/// The zstd level of CSV. Level 1 gives files that are a tenth larger; level 9: five times as long, a tenth less.
const CSV_LEVEL: i32 = 3;

/// Writes the records of a file in its format.
pub(crate) enum Encoder {
    Parquet(Box<FrameWriter>),
    CsvZst {
        zstd: zstd::Encoder<'static, Out<'static>>,
        /// What is written after the data.
        metadata: String,
    },
    Csv {
        out: Out<'static>,
        /// What is not written yet: the names of the columns wait for the first row.
        waiting: Vec<u8>,
    },
    Text {
        out: Out<'static>,
        line: String,
    },
}

impl Encoder {
    /// Begins a file. Columns of other programs follow ours.
    pub(crate) fn new(
        format: FileFormat,
        out: Out<'static>,
        metadata: &Metadata,
        outside: &[Outside],
    ) -> io::Result<Encoder> {
        match format {
            FileFormat::Parquet => Ok(Encoder::Parquet(Box::new(FrameWriter::new(out, &metadata.json(), outside)?))),
            FileFormat::CsvZst => {
                let mut zstd = zstd::Encoder::new(out, CSV_LEVEL)?;
                zstd.include_checksum(true)?;
                zstd.write_all(&csv_header(outside))?;
                Ok(Encoder::CsvZst { zstd, metadata: metadata.json() })
            }
            FileFormat::Csv => Ok(Encoder::Csv { out, waiting: csv_header(outside) }),
            FileFormat::Text => Ok(Encoder::Text { out, line: String::new() }),
        }
    }

    /// Writes a record. Lines have no line for one without a board.
    pub(crate) fn write(&mut self, record: Record) -> io::Result<()> {
        match self {
            Encoder::Parquet(writer) => writer.write(record),
            Encoder::CsvZst { zstd, .. } => zstd.write_all(&csv_row(&record, |text| text.into())),
            Encoder::Csv { out, waiting } => {
                waiting.extend(csv_row(&record, csv_cell));
                out.write_all(waiting)?;
                waiting.clear();
                Ok(())
            }
            Encoder::Text { out, line } => {
                let grid = record.puzzle.as_ref().map(Puzzle::grid).or(record.solution.as_ref().map(Solution::grid));
                let Some(grid) = grid else { return Ok(()) };
                if !grid.shape().is_plain() {
                    let board = grid.shape().kind();
                    let reason =
                        format!("lines of boards do not say the rules of {board}: write a table, --format csv");
                    return Err(io::Error::other(reason));
                }
                line.clear();
                text::push_line(line, grid);
                line.push('\n');
                out.write_all(line.as_bytes())
            }
        }
    }

    /// Writes what is buffered as far as the format allows. This helps people who read a pipe while it is written.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        match self {
            Encoder::Csv { out, .. } | Encoder::Text { out, .. } => out.flush(),
            Encoder::Parquet(_) | Encoder::CsvZst { .. } => Ok(()),
        }
    }

    /// Writes what comes after the last record.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Encoder::Parquet(writer) => writer.finish(),
            Encoder::CsvZst { mut zstd, metadata } => {
                // The last block of a file is empty. The bytes of a file must stay as they were.
                zstd.flush()?;
                let mut out = zstd.finish()?;
                out.write_all(&skippable_frame(&metadata))?;
                out.flush()
            }
            Encoder::Csv { mut out, waiting } => {
                out.write_all(&waiting)?;
                out.flush()
            }
            Encoder::Text { mut out, .. } => out.flush(),
        }
    }
}

/// A text as a cell of a CSV file that people open. If a spreadsheet would take it for a formula, it gets an apostrophe
/// in front. That is so if it begins with `=`, `+`, `-`, `@`, a tab or a return, and is no number. CSV in zstd, which
/// programs read, holds texts as they are.
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    if formula { format!("'{text}").into() } else { text.into() }
}

/// The names of the columns as a line of CSV. Columns of other programs follow ours.
pub(super) fn csv_header(outside: &[Outside]) -> Vec<u8> {
    let names = COLUMNS.iter().map(|column| column.name.as_ref());
    csv_line(names.chain(outside.iter().map(|column| column.name.as_str())).map(Value::from), |text| text.into())
}

pub(super) fn csv_row(record: &Record, cell: fn(&str) -> Cow<'_, str>) -> Vec<u8> {
    csv_line(COLUMNS.iter().map(|column| column.get(record)).chain(record.outside.iter().cloned()), cell)
}

/// Values as a line of CSV. A missing value gives an empty field, and a real number the shortest text that reads back
/// as the same number. (Most values of a row are missing or have one digit, so the writer of the crate `csv`, which
/// looks at each field, takes four times as long.)
fn csv_line<'a>(values: impl Iterator<Item = Value<'a>>, cell: fn(&str) -> Cow<'_, str>) -> Vec<u8> {
    let mut line = Vec::with_capacity(1 << 10);
    values.for_each(|value| {
        match value {
            Value::Null => {}
            Value::Text(text) => push_text(&mut line, &cell(&text)),
            Value::Flag(flag) => line.extend_from_slice(if flag { b"true" } else { b"false" }),
            Value::Unsigned(digit @ ..10) => line.push(b'0' + digit as u8),
            Value::Unsigned(integer) => line.extend_from_slice(integer.to_string().as_bytes()),
            Value::Signed(integer) => line.extend_from_slice(integer.to_string().as_bytes()),
            Value::Real(real) => line.extend_from_slice(real.to_string().as_bytes()),
        }
        line.push(b',');
    });
    line.pop();
    line.push(b'\n');
    line
}

/// Adds a text as a field of CSV, in quotes where it needs them.
fn push_text(line: &mut Vec<u8>, text: &str) {
    if text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\r' | b'\n')) {
        line.extend_from_slice(format!("\"{}\"", text.replace('"', "\"\"")).as_bytes());
    } else {
        line.extend_from_slice(text.as_bytes());
    }
}

impl Metadata {
    /// Reads the metadata of a file. None if this program did not write it, or if its format has no metadata.
    ///
    /// # Errors
    /// The file cannot be read or is damaged, or its metadata have another form.
    pub fn of_file(path: &Path) -> Result<Option<Metadata>> {
        let json = match FileFormat::of_name(&path.to_string_lossy()) {
            Some(FileFormat::Parquet) => FrameReader::metadata_of(path)?,
            Some(FileFormat::CsvZst) => {
                let file = File::open(path).map_err(CorpusError::io("open", path))?;
                trailer(file).map_err(CorpusError::io("read", path))?
            }
            _ => None,
        };
        let metadata = json.map(|json| serde_json::from_str(&json)).transpose();
        metadata.map_err(|error| CorpusError::file(path, format!("its metadata cannot be read: {}", in_words(&error))))
    }
}

/// The number with which a skippable frame begins.
const SKIPPABLE: u32 = 0x184D_2A50;
/// The last bytes of ours, and of those of older versions, which have no sum.
const TAIL: &[u8; 4] = b"SCM2";
const OLD_TAIL: &[u8; 4] = b"SCM1";
const SUM: usize = 8;
/// The bytes before the JSON: the number of a skippable frame and its length.
const HEAD_BYTES: usize = 8;
/// The bytes behind the sum: the length of the JSON and the tail.
const END_BYTES: usize = 8;
/// The largest size of metadata in bytes.
const LONGEST: u64 = 1 << 24;

fn skippable_frame(json: &str) -> Vec<u8> {
    let length = json.len() as u32;
    let hash = blake3::hash(json.as_bytes());
    let contents = [json.as_bytes(), &hash.as_bytes()[..SUM], &length.to_le_bytes(), TAIL].concat();
    [&SKIPPABLE.to_le_bytes()[..], &(contents.len() as u32).to_le_bytes(), &contents].concat()
}

/// The text of the skippable frame at the end of a file, if there is one.
fn trailer(mut file: File) -> io::Result<Option<String>> {
    let size = file.metadata()?.len();
    if size < (HEAD_BYTES + END_BYTES) as u64 {
        return Ok(None);
    }
    file.seek(SeekFrom::End(-(END_BYTES as i64)))?;
    let (mut length, mut tail) = ([0; 4], [0; 4]);
    file.read_exact(&mut length)?;
    file.read_exact(&mut tail)?;
    let length = u64::from(u32::from_le_bytes(length));
    let sum = match &tail {
        TAIL => SUM,
        OLD_TAIL => 0,
        _ => return Ok(None),
    };
    let frame_bytes = length + (HEAD_BYTES + sum + END_BYTES) as u64;
    if frame_bytes > size || length > LONGEST {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(size - frame_bytes))?;
    let mut frame = vec![0; frame_bytes as usize];
    file.read_exact(&mut frame)?;
    let json = std::str::from_utf8(&frame[HEAD_BYTES..][..length as usize]).unwrap_or_default();
    let is_whole = if sum > 0 { frame == skippable_frame(json) } else { frame[..4] == SKIPPABLE.to_le_bytes() };
    Ok(is_whole.then(|| json.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::{ProptestConfig, Strategy, any, prop_assert_eq, proptest};
    use proptest::test_runner::TestCaseError;
    use tempfile::tempdir;

    use super::*;
    use crate::corpus::values::mapping::Want;
    use crate::corpus::{CorpusError, Input};
    use sudoku_corpus_core::board::{Shape, Symmetry};
    use sudoku_corpus_core::effort::Effort;
    use sudoku_corpus_core::generate::{Method, Strength};
    use sudoku_corpus_core::ladder::{Level, TECHNIQUES};
    use sudoku_corpus_core::random::{Rng, Stage};

    /// A record in which any value may be missing and numbers may be as large as their columns allow.
    fn record(seed: u64) -> Record {
        let mut rng = Rng::new(seed, 0, Stage::Bench, 0);
        let shape = [Shape::NINE, Shape::new(2, 2).unwrap(), Shape::new(3, 4).unwrap(), Shape::new(6, 6).unwrap()]
            [rng.below(4)];
        let solution = Method::Permutation(Strength::Blocks).fill(shape, &mut rng).unwrap();
        let puzzle = solution.masked(|_| rng.below(3) == 0);
        let mut some = || rng.below(3) > 0;
        Record {
            method: some().then(|| "jump-back:6,16".into()),
            plan: some().then(|| "givens=20..30 \"quoted\"".into()),
            symmetry: some().then_some(Symmetry::AntiDiagonal),
            puzzle: some().then_some(puzzle),
            solution: some().then_some(solution),
            givens: some().then_some(u32::MAX),
            holes: some().then_some(0),
            minimal: some().then_some(seed.is_multiple_of(2)),
            solutions: some().then_some(u64::MAX),
            solutions_exact: some().then_some(seed.is_multiple_of(3)),
            class: some().then_some(u128::from(seed) << 77 | 5),
            solution_class: some().then_some(u128::MAX - u128::from(seed)),
            automorphisms: some().then_some(648),
            search_guesses: some().then_some(seed),
            search_depth: some().then_some(u32::MAX),
            search_nodes: some().then_some(u64::MAX),
            level: some().then(|| format!("level {seed}").into()),
            hodoku_level: some().then(|| Level::ALL[seed as usize % Level::ALL.len()]),
            hodoku_score: some().then_some(seed as u32),
            hardest: some().then(|| TECHNIQUES[seed as usize % TECHNIQUES.len()].technique),
            finished: some().then_some(true),
            open_cells: some().then_some(7),
            se_er_tenths: some().then_some(45),
            se_ep_tenths: some().then_some(12),
            se_ed_tenths: some().then_some(u32::MAX),
            se_exact: some().then_some(seed.is_multiple_of(5)),
            w: some().then_some(0),
            w_upper: some().then_some(1),
            b: some().then_some(36),
            wb_exact: some().then_some(false),
            te: some().then_some(3),
            bxb: some().then_some(7),
            se_er_canonical_tenths: some().then_some(45),
            tridagon: some().then_some(3),
            effort: Effort {
                rounds: some().then_some(9),
                refutation: some().then_some(seed as u32),
                ..Effort::default()
            },
            counts: some().then(|| Box::new(std::array::from_fn(|place| (seed >> (place % 40)) as u32))),
            log_weight: some().then(|| (seed as f64).ln() - 20.0),
            log_class_weight: some().then_some(0.5),
            ..Record::new(seed, shape)
        }
    }

    fn written(format: FileFormat, records: &[Record]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempdir().unwrap();
        let path = folder.path().join(format!("rows{}", format.suffix()));
        let file = Box::new(File::create(&path).unwrap());
        let mut encoder = Encoder::new(format, file, &Metadata::plain(), &[]).unwrap();
        records.iter().for_each(|record| encoder.write(record.clone()).unwrap());
        encoder.finish().unwrap();
        (folder, path)
    }

    const TABLES: [FileFormat; 3] = [FileFormat::Parquet, FileFormat::CsvZst, FileFormat::Csv];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn what_is_written_is_read(seeds in proptest::collection::vec(any::<u64>().prop_map(|seed| seed >> 1), 1..40)) {
            let records: Vec<Record> = seeds.into_iter().map(record).collect();
            for format in TABLES {
                let (_folder, path) = written(format, &records);
                let read: Result<Vec<Record>, CorpusError> = Input::open(&path, Want::Everything).and_then(Iterator::collect);
                let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
                prop_assert_eq!(&read, &records, "{:?}", format);
            }
        }
    }

    #[test]
    fn several_row_groups_are_read_in_order() {
        let shape = Shape::new(6, 6).unwrap();
        let records: Vec<Record> = (0..9_000).map(|index| Record::new(index, shape)).collect();
        let (_folder, path) = written(FileFormat::Parquet, &records);
        let read: Vec<Record> = Input::open(&path, Want::Everything).unwrap().map(Result::unwrap).collect();
        assert_eq!(read, records);
    }

    /// Random damage gives an error or other rows, never a panic.
    #[test]
    fn damaged_files_are_errors() {
        let records: Vec<Record> = (0..60).map(record).collect();
        for format in TABLES {
            let (folder, path) = written(format, &records);
            let bytes = fs::read(&path).unwrap();
            let mut refused = 0;
            for round in 0..120 {
                let mut rng = Rng::new(1, round, Stage::Bench, format as u64);
                let mut harmed = bytes.clone();
                for _ in 0..=rng.below(4) {
                    harm(&mut harmed, &mut rng);
                }
                let path = folder.path().join(format!("harmed{}", format.suffix()));
                fs::write(&path, &harmed).unwrap();
                for input in [Input::open(&path, None), Input::open(&path, Want::Everything)] {
                    refused += u32::from(input.map(|rows| rows.filter(Result::is_err).count()).unwrap_or(1) > 0);
                }
                drop(Metadata::of_file(&path));
            }
            assert!(refused > 80, "{format:?}: {refused}");
        }
    }

    fn harm(bytes: &mut Vec<u8>, rng: &mut Rng) {
        // Parquet has its sizes in the footer, so half of the damage hits the last bytes.
        let near_end = bytes.len().saturating_sub(rng.below(3_000));
        let place = if rng.below(2) == 0 { near_end } else { rng.below(bytes.len() + 1) };
        match rng.below(4) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place.min(bytes.len()), rng.word() as u8),
            2 if place < bytes.len() => bytes[place] ^= 1 << rng.below(8),
            _ if place < bytes.len() => bytes[place] = [0, 0x7f, 0x80, 0xff][rng.below(4)],
            _ => {}
        }
        if bytes.is_empty() {
            bytes.push(b'P');
        }
    }

    #[test]
    fn the_ending_of_a_name_gives_the_format() {
        assert_eq!(FileFormat::of_name("a.CSV.zst"), Some(FileFormat::CsvZst));
        assert_eq!(FileFormat::of_name("a.sdm"), Some(FileFormat::Text));
        assert_eq!(FileFormat::of_name("a.xlsx"), None);
    }
}
