//! Any file of puzzles, grids or records, as records one by one.
//!
//! ```text
//!   name, or - for the standard input
//!     first bytes:  28 B5 2F FD  zstd -> look inside        "PAR1"  Parquet
//!                   1F 8B        gzip -> look inside        else    text
//!     first line of a text:  names of columns, one of them for puzzles -> CSV (comma, semicolon or tab)
//!                            else                                     -> lines and blocks
//! ```
//!
//! A row that cannot be used is an error of its own, with file, line and reason, and reading goes on behind it; a file
//! that is damaged ends. Memory is bounded by a line or a row group, however long the file.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek as _};
use std::path::{Path, PathBuf};

use super::csv_rows::CsvRows;
use super::error::{CorpusError, Result, RowError};
use super::frame::{FrameReader, Rows};
use super::mapping::{Mapping, Want};
use super::record::Record;
use crate::board::text::{Entry, PuzzleReader, TextError, TextProblem};
use crate::board::{Puzzle, Shape, Solution};

/// A file of puzzles being read: an iterator over its rows.
pub struct Input {
    path: PathBuf,
    shape: Option<Shape>,
    rows: Source,
    next_index: u64,
    ended: bool,
}

/// Text, whatever it is packed in.
pub(super) type Text = Box<dyn BufRead + Send>;

/// Where rows come from.
enum Source {
    Lines(Box<PuzzleReader<Text>>),
    Csv(Box<CsvRows<Text>>),
    Frame(Box<FrameRows>),
}

/// Rows of a Parquet file.
struct FrameRows {
    reader: FrameReader,
    mapping: Mapping,
    rows: Option<Rows>,
    at: usize,
    row: u64,
}

/// What the first bytes of a file say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Parquet,
    Zstd,
    Gzip,
    Text,
}

impl Packing {
    fn of(head: &[u8]) -> Packing {
        match head {
            [b'P', b'A', b'R', b'1', ..] => Packing::Parquet,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
            [0x1f, 0x8b, ..] => Packing::Gzip,
            _ => Packing::Text,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Packing::Parquet => "Parquet",
            Packing::Zstd => "zstd",
            Packing::Gzip => "gzip",
            Packing::Text => "text",
        }
    }

    /// What a file name promises, if anything.
    fn of_name(name: &str) -> Option<Packing> {
        match name.to_ascii_lowercase().rsplit_once('.')?.1 {
            "parquet" => Some(Packing::Parquet),
            "zst" => Some(Packing::Zstd),
            "gz" => Some(Packing::Gzip),
            "txt" | "sdm" | "sdk" | "csv" | "tsv" => Some(Packing::Text),
            _ => None,
        }
    }
}

impl Input {
    /// Opens a file of boards; `-` is the standard input. Boards of other shapes than `shape`, when it is given, are
    /// errors of their rows.
    ///
    /// # Errors
    /// A file that cannot be opened, is not what its name says, or has no column of puzzles.
    pub fn open(path: &Path, shape: Option<Shape>) -> Result<Input> {
        Input::open_for(path, shape, Want::Boards)
    }

    /// Opens a file with the whole schema of this program, and reads every column.
    ///
    /// # Errors
    /// As [`Input::open`]; columns that are missing, unknown or of another type.
    pub fn open_records(path: &Path) -> Result<Input> {
        Input::open_for(path, None, Want::Everything)
    }

    fn open_for(path: &Path, shape: Option<Shape>, want: Want) -> Result<Input> {
        let unreadable = |error| CorpusError::io("read", path)(error);
        let (mut raw, file): (Text, Option<File>) = if path == Path::new("-") {
            (Box::new(BufReader::new(io::stdin())), None)
        } else {
            let file = File::open(path).map_err(CorpusError::io("open", path))?;
            if file.metadata().is_ok_and(|data| data.is_dir()) {
                return Err(CorpusError::file(path, "a folder, not a file"));
            }
            let copy = file.try_clone().map_err(unreadable)?;
            (Box::new(BufReader::with_capacity(1 << 16, file)), Some(copy))
        };
        let head = peek(&mut raw, 4).map_err(unreadable)?;
        let packing = Packing::of(&head);
        check_name(path, packing, &head)?;
        let text: Text = match packing {
            Packing::Parquet => {
                let file = match file.filter(|file| file.metadata().is_ok_and(|data| data.is_file())) {
                    Some(file) => file,
                    None => spooled(Cursor::new(head).chain(raw)).map_err(unreadable)?,
                };
                return Input::of_frame(path, shape, want, file);
            }
            Packing::Zstd => {
                let inside = zstd::Decoder::with_buffer(Cursor::new(head).chain(raw)).map_err(unreadable)?;
                Box::new(BufReader::with_capacity(1 << 16, inside))
            }
            Packing::Gzip => {
                let inside = flate2::bufread::MultiGzDecoder::new(Cursor::new(head).chain(raw));
                Box::new(BufReader::with_capacity(1 << 16, inside))
            }
            Packing::Text => Box::new(Cursor::new(head).chain(raw)),
        };
        Input::of_text(path, shape, want, text)
    }

    /// A board that is not in a file: on the command line, say.
    pub fn of_puzzle(text: &str, shape: Option<Shape>) -> Input {
        let text: Text = Box::new(Cursor::new(text.as_bytes().to_vec()));
        Input::new(Path::new("-"), shape, Source::Lines(Box::new(PuzzleReader::new(text, shape))))
    }

    fn of_frame(path: &Path, shape: Option<Shape>, want: Want, file: File) -> Result<Input> {
        let wrong = |reason: String| CorpusError::file(path, reason);
        let mut reader = FrameReader::open(file).map_err(wrong)?;
        if want == Want::Everything {
            let types = reader.types().map_err(wrong)?;
            super::mapping::check_types(&types, FrameReader::type_name).map_err(wrong)?;
        }
        let mapping = Mapping::new(reader.names(), want).map_err(wrong)?;
        let names = mapping.places().map(|place| reader.names()[place].clone()).collect();
        reader.select(names);
        // The rows hold the chosen columns only, in the order in which they were chosen.
        let frame = FrameRows { reader, mapping: mapping.packed(), rows: None, at: 0, row: 0 };
        Ok(Input::new(path, shape, Source::Frame(Box::new(frame))))
    }

    fn of_text(path: &Path, shape: Option<Shape>, want: Want, mut text: Text) -> Result<Input> {
        let head = first_lines(&mut text).map_err(|error| CorpusError::file(path, damaged(&error)))?;
        if head.contains(&0) {
            return Err(CorpusError::file(path, "neither text nor Parquet, zstd or gzip"));
        }
        let text: Text = Box::new(BufReader::with_capacity(1 << 16, Cursor::new(head.clone()).chain(text)));
        let named_csv = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
            let name = name.to_ascii_lowercase();
            [".csv", ".tsv"].iter().any(|end| name.contains(end))
        });
        let source = match CsvRows::<Text>::header(&head, want) {
            Some(Ok(header)) => Source::Csv(Box::new(CsvRows::new(text, header))),
            Some(Err(reason)) if want == Want::Everything => return Err(CorpusError::file(path, reason)),
            Some(Err(reason)) if named_csv && !begins_with_board(&head) => {
                return Err(CorpusError::file(path, reason));
            }
            _ => Source::Lines(Box::new(PuzzleReader::new(text, shape))),
        };
        Ok(Input::new(path, shape, source))
    }

    fn new(path: &Path, shape: Option<Shape>, rows: Source) -> Input {
        Input { path: path.to_owned(), shape, rows, next_index: 0, ended: false }
    }

    fn row_error(&self, line: u64, column: Option<usize>, reason: String) -> CorpusError {
        CorpusError::Row(RowError { file: self.path.clone(), line, column, reason })
    }

    /// The next row, or why it cannot be used; none at the end.
    fn step(&mut self) -> Option<Result<Record>> {
        let (index, shape) = (self.next_index, self.shape);
        let outcome = match &mut self.rows {
            Source::Lines(reader) => match reader.next()? {
                Ok(entry) => of_entry(index, &entry).map_err(|reason| (entry.line as u64, None, reason)),
                Err(TextError { problem: TextProblem::Read(reason), .. }) => {
                    return Some(Err(CorpusError::file(&self.path, damaged(&reason))));
                }
                Err(TextError { line, column, problem }) => Err((line as u64, Some(column), problem.to_string())),
            },
            Source::Csv(rows) => match rows.next(index, shape) {
                Err(error) => return Some(Err(CorpusError::file(&self.path, damaged(&error)))),
                Ok(next) => next?.map_err(|(line, reason)| (line, None, reason)),
            },
            Source::Frame(frame) => match frame.next(index, shape) {
                Err(reason) => return Some(Err(CorpusError::file(&self.path, reason))),
                Ok(next) => next?.map_err(|reason| (frame.row, None, reason)),
            },
        };
        self.next_index += 1;
        Some(outcome.map_err(|(line, column, reason)| self.row_error(line, column, reason)))
    }
}

impl Iterator for Input {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Result<Record>> {
        if self.ended {
            return None;
        }
        let step = self.step();
        self.ended = match &step {
            None => true,
            Some(Ok(_) | Err(CorpusError::Row(_))) => false,
            Some(Err(_)) => true,
        };
        step
    }
}

impl FrameRows {
    /// The next row; the outer error is one of the whole file.
    fn next(&mut self, index: u64, shape: Option<Shape>) -> Result<Option<Result<Record, String>>, String> {
        while self.rows.as_ref().is_none_or(|rows| self.at >= rows.len()) {
            self.at = 0;
            self.rows = self.reader.next()?;
            if self.rows.is_none() {
                return Ok(None);
            }
        }
        let (Some(rows), at) = (&self.rows, self.at) else { return Ok(None) };
        self.at += 1;
        self.row += 1;
        Ok(Some(self.mapping.record(index, shape, |column| rows.get(at, column))))
    }
}

/// The record of a board in a text: a full grid or a puzzle.
fn of_entry(index: u64, entry: &Entry) -> Result<Record, String> {
    let grid = entry.grid.clone();
    if grid.holes() == 0 {
        let solution = Solution::try_from(grid).map_err(|error| error.to_string())?;
        return Ok(Record::of_solution(index, solution));
    }
    Puzzle::try_from(grid).map(|puzzle| Record::of_puzzle(index, puzzle)).map_err(|error| error.to_string())
}

/// The first bytes of a stream, fewer only if it is shorter. They are taken from it.
fn peek(input: &mut impl Read, bytes: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    input.take(bytes).read_to_end(&mut head)?;
    Ok(head)
}

/// Everything to the end of the first line that is neither blank nor a comment. It is taken from the stream.
fn first_lines(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    const LONGEST: u64 = 1 << 20;
    let mut head = Vec::new();
    loop {
        let start = head.len();
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut head)?;
        let line = head[start..].trim_ascii();
        if read == 0 || head.len() as u64 > LONGEST || !(line.is_empty() || line.starts_with(b"#")) {
            return Ok(head);
        }
    }
}

/// Does the last of the first lines begin with a board?
fn begins_with_board(head: &[u8]) -> bool {
    PuzzleReader::new(head, None).last().is_some_and(|last| last.is_ok())
}

/// Refuses a file whose first bytes are not those that its name promises.
fn check_name(path: &Path, packing: Packing, head: &[u8]) -> Result<()> {
    let promised = path.file_name().and_then(|name| name.to_str()).and_then(Packing::of_name);
    match promised {
        Some(promised) if promised != packing => {
            let found = match packing {
                Packing::Text if head.is_empty() => "it is empty".to_owned(),
                Packing::Text => format!("it does not begin as such a file does (first bytes: {})", shown(head)),
                _ => format!("it is {}", packing.name()),
            };
            Err(CorpusError::file(path, format!("its name says {}, but {found}", promised.name())))
        }
        _ => Ok(()),
    }
}

fn shown(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// What to say when reading fails in the middle.
fn damaged(error: &impl ToString) -> String {
    format!("damaged or cut short: {}", error.to_string())
}

/// A Parquet file that comes through a pipe, in a temporary file: its index stands at the end.
fn spooled(mut input: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut input, &mut file)?;
    file.rewind()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use tempfile::tempdir;

    use super::*;
    use crate::board::text;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// What a file of this name with these bytes gives: lines of boards, or messages.
    fn read_as(name: &str, bytes: &[u8]) -> Vec<String> {
        let folder = tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let told = |error: CorpusError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
        let board = |record: Record| match (record.puzzle, record.solution) {
            (Some(puzzle), None) => text::line(puzzle.grid()),
            (Some(puzzle), Some(solution)) => format!("{} {}", text::line(puzzle.grid()), text::line(solution.grid())),
            (None, solution) => text::line(solution.unwrap().grid()),
        };
        match Input::open(&path, None) {
            Err(error) => vec![told(error)],
            Ok(input) => input.map(|row| row.map_or_else(told, board)).collect(),
        }
    }

    fn zstd(bytes: &[u8]) -> Vec<u8> {
        zstd::encode_all(bytes, 1).unwrap()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn text_is_read_packed_or_not() {
        let lines = format!("# two\n{PUZZLE} 2.3\n\n{SOLUTION}\n");
        let block = text::block(&text::parse_line(PUZZLE, None).unwrap());
        for (name, bytes) in [
            ("a.txt", lines.clone().into_bytes()),
            ("a.sdm", lines.clone().into_bytes()),
            ("a", lines.clone().into_bytes()),
            ("a.txt.zst", zstd(lines.as_bytes())),
            ("a.txt.gz", gzip(lines.as_bytes())),
            ("packed", gzip(&zstd(lines.as_bytes())[..]).clone()),
        ] {
            let expected = if name == "packed" { 1 } else { 2 };
            assert_eq!(read_as(name, &bytes).len(), expected, "{name}");
        }
        assert_eq!(read_as("a.txt", lines.as_bytes()), [PUZZLE, SOLUTION]);
        assert_eq!(read_as("b.txt", block.as_bytes()), [PUZZLE]);
        assert_eq!(read_as("empty.txt", b""), [""; 0]);
    }

    #[test]
    fn tables_of_other_programs_are_read() {
        let zeros = PUZZLE.replace('.', "0");
        let both = format!("{PUZZLE} {SOLUTION}");
        for text in [
            format!("puzzle,solution\n{zeros},{SOLUTION}\n"),
            format!("quizzes,solutions\n{zeros},{SOLUTION}\n"),
            format!("\u{feff}id;Puzzle;Solution;solutions;index\r\n7;\"{zeros}\";{SOLUTION};1;9.5\r\n"),
            format!("# ratings\npuzzle\tw\tsolution\n{PUZZLE}\t2.0\t{SOLUTION}\n"),
        ] {
            assert_eq!(read_as("a.csv", text.as_bytes()), [both.as_str()], "{text}");
            assert_eq!(read_as("a.csv.gz", &gzip(text.as_bytes())), [both.as_str()], "{text}");
        }
        let bare = format!("{PUZZLE},{SOLUTION}\n{PUZZLE},easy\n");
        assert_eq!(read_as("bare.csv", bare.as_bytes()), [PUZZLE, PUZZLE]);
        assert_eq!(read_as("a.csv", b"name,size\nx,3\n"), ["a.csv: no column 'puzzle' among its columns: name, size"]);
    }

    #[test]
    fn bad_rows_say_where_and_the_next_is_read() {
        let short = &PUZZLE[1..];
        let csv = format!(
            "puzzle,solution\n{short},\n{PUZZLE}\n{PUZZLE},{}\n\"{PUZZLE},\n{PUZZLE},\n",
            SOLUTION.replace('5', "6")
        );
        let rows = read_as("a.csv", csv.as_bytes());
        assert!(rows[0].starts_with("a.csv:2: ") && rows[0].contains("80 cells"), "{rows:?}");
        assert_eq!(rows[1], "a.csv:3: 1 fields, but the header has 2");
        assert!(rows[2].starts_with("a.csv:4: solution: digit 6 stands twice"), "{rows:?}");
        assert!(rows[3].starts_with("a.csv:5: "), "{rows:?}");
        assert_eq!(rows[4..], [PUZZLE]);
        let lines = format!("{PUZZLE}\nhello\n5{}\n{PUZZLE}\n", &PUZZLE[1..].replace("53", "55").replacen('.', "5", 1));
        let rows = read_as("a.txt", lines.as_bytes());
        assert!(rows[1].starts_with("a.txt:2:1: 5 cells"), "{rows:?}");
        assert!(rows[2].starts_with("a.txt:3: digit 5 stands twice in row 1"), "{rows:?}");
        assert_eq!(rows[3], PUZZLE);
        let mixed =
            format!("puzzle,solution\n{PUZZLE},{}\n", &SOLUTION.replace('1', "x").replace('2', "1").replace('x', "2"));
        assert_eq!(read_as("a.csv", mixed.as_bytes()), ["a.csv:2: the puzzle is not part of the solution"]);
    }

    #[test]
    fn files_that_are_not_what_their_names_say_are_refused() {
        let text = format!("{PUZZLE}\n");
        for (name, bytes, message) in [
            (
                "a.parquet",
                text.as_bytes().to_vec(),
                "its name says Parquet, but it does not begin as such a file does (first bytes: 35 33 2E 2E)",
            ),
            (
                "a.txt.zst",
                text.as_bytes().to_vec(),
                "its name says zstd, but it does not begin as such a file does (first bytes: 35 33 2E 2E)",
            ),
            ("a.txt", zstd(text.as_bytes()), "its name says text, but it is zstd"),
            ("a.csv", gzip(text.as_bytes()), "its name says text, but it is gzip"),
            ("a.parquet", Vec::new(), "its name says Parquet, but it is empty"),
            ("a.parquet", b"PAR1PAR1".to_vec(), "not a Parquet file: too short"),
            ("a.txt", b"\0\0\0\0\x01\x02".to_vec(), "neither text nor Parquet, zstd or gzip"),
        ] {
            assert_eq!(read_as(name, &bytes), [format!("{name}: {message}")]);
        }
        let folder = tempdir().unwrap();
        let error = Input::open(folder.path(), None).err().unwrap().to_string();
        assert!(error.ends_with("a folder, not a file"), "{error}");
    }

    #[test]
    fn files_that_are_cut_short_say_so_after_what_is_left_of_them() {
        let lines: String = std::iter::repeat_n(format!("{PUZZLE}\n"), 5_000).collect();
        for (name, whole) in [("a.txt.zst", zstd(lines.as_bytes())), ("a.txt.gz", gzip(lines.as_bytes()))] {
            let rows = read_as(name, &whole[..whole.len() / 2]);
            assert!(rows.last().unwrap().starts_with(&format!("{name}: damaged or cut short: ")), "{:?}", rows.last());
            assert!(rows[..rows.len() - 1].iter().all(|row| row == PUZZLE));
        }
    }

    #[test]
    fn endless_lines_take_no_memory() {
        let endless = vec![b'1'; 6 << 20];
        assert_eq!(read_as("a.txt", &endless).len(), 1);
        let csv = [b"puzzle,solution\n".as_slice(), &endless, b"\n", PUZZLE.as_bytes(), b",\n"].concat();
        let rows = read_as("a.csv", &csv);
        assert_eq!(rows[0], "a.csv:2: longer than any row");
        assert_eq!(rows[1..], [PUZZLE]);
    }

    #[test]
    fn a_shape_that_was_asked_for_is_insisted_on() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, format!("puzzle\n{PUZZLE}\n")).unwrap();
        let rows: Vec<_> = Input::open(&path, Some(Shape::new(2, 3).unwrap())).unwrap().collect();
        assert!(matches!(&rows[..], [Err(CorpusError::Row(_))]));
    }
}
