use std::fs;
use std::io::Write as _;

use tempfile::tempdir;

use super::*;
use sudoku_corpus_core::board::{Freedom, Isomorphism, text};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::solve::{self, Budget, Count};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// A source that fails as a broken disk does, after some bytes.
struct Broken<'a>(&'a [u8], usize);

impl Read for Broken<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(self.1);
        if most == 0 {
            return Err(io::Error::from_raw_os_error(5));
        }
        let read = (&self.0[..]).read(&mut out[..most])?;
        (self.0, self.1) = (&self.0[read..], self.1 - read);
        Ok(read)
    }
}

/// Nobody may take a good file for a damaged one because its disk failed once.
#[test]
fn an_error_of_the_system_is_not_taken_for_damage() {
    let row = format!("{}\n", "1".repeat(81));
    let text: Vec<u8> =
        std::iter::once("puzzle\n").chain(std::iter::repeat_n(&row[..], 2_000)).collect::<String>().into();
    let packed = zstd::encode_all(&text[..], 1).unwrap();
    for (bytes, is_packed) in [(text, false), (packed.clone(), true)] {
        for (broken, system) in [(true, true), (false, false)] {
            let failure = Failure::default();
            let half = bytes.len() / 2;
            let bytes: &'static [u8] = Vec::leak(bytes.clone());
            let input: Box<dyn Read + Send> =
                if broken { Box::new(Broken(bytes, half)) } else { Box::new(&bytes[..half]) };
            let input = BufReader::with_capacity(16, Watched { input, failure: failure.clone() });
            let text: Text =
                if is_packed { buffered(zstd::Decoder::with_buffer(input).unwrap()) } else { Box::new(input) };
            let path = Path::new("a.csv");
            let read = rows_of_text(path, &Reading::default(), text).map_err(|error| error.to_string());
            let reason = read.and_then(|mut rows| {
                loop {
                    match rows.next(0, &Reading::default()) {
                        Ok(Some(_)) => {}
                        Ok(None) => break Err("it ended".to_owned()),
                        Err(reason) => break Err::<(), String>(reason),
                    }
                }
            });
            let error = fault(path, &failure, reason.unwrap_err());
            assert_eq!(error.is_of_system(), system, "{error}");
        }
    }
    assert!(packed.len() > 16);
}

/// What a file of this name with these bytes gives: lines of boards, or messages.
fn read_as(name: &str, bytes: &[u8]) -> Vec<String> {
    read_with(name, bytes, None)
}

fn read_with(name: &str, bytes: &[u8], shape: Option<Shape>) -> Vec<String> {
    let folder = tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let message = |error: CorpusError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
    let board = |record: Record| match (record.puzzle, record.solution) {
        (Some(puzzle), None) => text::line(puzzle.grid()),
        (Some(puzzle), Some(solution)) => format!("{} {}", text::line(puzzle.grid()), text::line(solution.grid())),
        (None, solution) => text::line(solution.unwrap().grid()),
    };
    match Input::open(&path, Reading { shape, least: Least::Nothing, ..Reading::default() }) {
        Err(error) => vec![message(error)],
        Ok(input) => input.map(|row| row.map_or_else(message, board)).collect(),
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
    // If two columns can be meant, both are named, whatever the name of the file.
    let other = PUZZLE.replacen('.', "4", 1);
    for name in ["a.csv", "a.txt"] {
        let text = format!("clues,mission,solution\n{PUZZLE},{other},{SOLUTION}\n");
        let refusal = format!("{name}: several columns have puzzles, 'clues' and 'mission'; --column NAME chooses one");
        assert_eq!(read_as(name, text.as_bytes()), [refusal]);
    }
    let bare = format!("{PUZZLE},{SOLUTION}\n{PUZZLE},easy\n");
    assert_eq!(read_as("bare.csv", bare.as_bytes()), [both.as_str(), PUZZLE]);
    assert_eq!(read_as("a.csv", b"name,size\nx,3\n"), ["a.csv: no column 'puzzle' among its columns: name, size"]);
}

#[test]
fn json_lines_are_read_one_by_one() {
    let text = format!(
        "\u{feff}{{\"puzzle\":\"{PUZZLE}\",\"id\":1}}\r\n\n# more\n{{\"id\":2,\"puzzle\":7}}\n{{\n{{\"sudoku\":\"{PUZZLE}\"}}"
    );
    let rows = read_as("a.jsonl", text.as_bytes());
    assert_eq!((rows[0].as_str(), rows[3].as_str(), rows.len()), (PUZZLE, PUZZLE, 4), "{rows:?}");
    assert!(rows[1].starts_with("a.jsonl:4: ") && rows[2].starts_with("a.jsonl:5: "), "{rows:?}");
}

#[test]
fn bad_rows_give_their_place_and_reading_continues() {
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
    let lines = format!("{PUZZLE}\n53..7\n5{}\n{PUZZLE}\n", &PUZZLE[1..].replace("53", "55").replacen('.', "5", 1));
    let rows = read_as("a.txt", lines.as_bytes());
    assert!(rows[1].starts_with("a.txt:2:1: 5 cells"), "{rows:?}");
    assert!(rows[2].starts_with("a.txt:3: digit 5 stands twice in row 1"), "{rows:?}");
    assert_eq!(rows[3], PUZZLE);
    let mixed =
        format!("puzzle,solution\n{PUZZLE},{}\n", &SOLUTION.replace('1', "x").replace('2', "1").replace('x', "2"));
    assert_eq!(read_as("a.csv", mixed.as_bytes()), ["a.csv:2: the puzzle is not part of the solution"]);
}

#[test]
fn files_with_the_wrong_ending_are_refused() {
    let text = format!("{PUZZLE}\n");
    for (name, bytes, message) in [
        (
            "a.parquet",
            text.as_bytes().to_vec(),
            "its name says Parquet, but the first bytes are not those of this format (35 33 2E 2E)",
        ),
        (
            "a.txt.zst",
            text.as_bytes().to_vec(),
            "its name says zstd, but the first bytes are not those of this format (35 33 2E 2E)",
        ),
        ("a.txt", zstd(text.as_bytes()), "its name says text, but it is zstd"),
        ("a.csv", gzip(text.as_bytes()), "its name says text, but it is gzip"),
        ("a.parquet", Vec::new(), "its name says Parquet, but it is empty"),
        ("a.parquet", b"PAR1PAR1".to_vec(), "not a Parquet file: too short"),
        ("a.txt", b"\0\0\0\0\x01\x02".to_vec(), "the file is neither text nor Parquet, zstd or gzip"),
    ] {
        assert_eq!(read_as(name, &bytes), [format!("{name}: {message}")]);
    }
}

#[test]
fn truncated_files_give_their_rows_and_then_an_error() {
    let lines: String = std::iter::repeat_n(format!("{PUZZLE}\n"), 5_000).collect();
    for (name, whole) in [("a.txt.zst", zstd(lines.as_bytes())), ("a.txt.gz", gzip(lines.as_bytes()))] {
        let rows = read_as(name, &whole[..whole.len() / 2]);
        assert!(rows.last().unwrap().starts_with(&format!("{name}: damaged or cut short: ")), "{:?}", rows.last());
        assert!(rows[..rows.len() - 1].iter().all(|row| row == PUZZLE));
    }
}

#[test]
fn endless_lines_need_little_memory() {
    let endless = vec![b'1'; 10 << 20];
    assert_eq!(read_as("a.txt", &endless).len(), 1);
    let csv = [b"puzzle,solution\n".as_slice(), &endless, b"\n", PUZZLE.as_bytes(), b",\n"].concat();
    let rows = read_as("a.csv", &csv);
    assert_eq!(rows[0], "a.csv:2: the line is longer than any row");
    assert_eq!(rows[1..], [PUZZLE]);
}

#[test]
fn boards_of_another_than_the_requested_shape_are_errors() {
    let rows: Vec<_> = Input::of_puzzle(
        PUZZLE,
        Reading { shape: Some(Shape::new(2, 3).unwrap()), least: Least::Row, ..Reading::default() },
    )
    .collect();
    assert!(matches!(&rows[..], [Err(CorpusError::Row(_))]));
}

#[test]
fn lines_may_end_with_lf_cr_or_both() {
    let lines = [PUZZLE, SOLUTION, "1234567", PUZZLE];
    let expected = read_as("a.txt", lines.join("\n").as_bytes());
    assert_eq!(expected.len(), 4);
    for end in ["\r", "\r\n"] {
        assert_eq!(read_as("a.txt", lines.join(end).as_bytes()), expected, "{end:?}");
        let table = ["id,puzzle", &format!("1,{PUZZLE}"), &format!("2,{PUZZLE}")].join(end);
        assert_eq!(read_as("a.csv", table.as_bytes()), [PUZZLE, PUZZLE], "{end:?}");
    }
}

#[test]
fn a_file_without_a_board_is_an_error() {
    let folder = tempdir().unwrap();
    for (name, text, message) in [
        ("empty.txt", "", "it has no board"),
        ("words.txt", "Grid 01\n", "it has no board"),
        ("bad.txt", "53..7\n12345678\n", "none of its 2 rows is a board that can be used"),
        ("bad.csv", "puzzle\n53..7\n", "none of its 1 rows is a board that can be used"),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        let last = Input::open(&path, None).unwrap().last().unwrap().unwrap_err().to_string();
        assert!(last.ends_with(message), "{last}");
    }
    fs::write(folder.path().join("table.csv"), "puzzle,solution\n").unwrap();
    assert_eq!(Input::open(&folder.path().join("table.csv"), None).unwrap().count(), 0);
}

#[test]
fn columns_are_found_by_what_they_hold() {
    let both = format!("{PUZZLE} {SOLUTION}");
    for name in ["clues", "initial", "mission", "start", "givens", "sudoku_puzzle", "initial_board"] {
        let table = format!("id,{name},solution\n1,{PUZZLE},{SOLUTION}\n");
        assert_eq!(read_as("a.csv", table.as_bytes()), [both.as_str()], "{name}");
        let json = format!("{{\"id\":1,\"{name}\":\"{PUZZLE}\",\"solution\":\"{SOLUTION}\"}}\n");
        assert_eq!(read_as("a.jsonl", json.as_bytes()), [both.as_str()], "{name}");
    }
    let two = format!("first,second\n{PUZZLE},{}\n", PUZZLE.replace('5', "."));
    let refused = read_as("a.csv", two.as_bytes()).concat();
    assert!(refused.contains("'first' and 'second'") || refused.contains(PUZZLE), "{refused}");
    let multiline =
        PUZZLE.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).unwrap()).collect::<Vec<_>>().join("\n");
    assert_eq!(read_as("a.csv", format!("puzzle,id\n\"{multiline}\",1\n").as_bytes()), [PUZZLE]);
    let zeros = PUZZLE.replace('.', "0").replacen("53", "00", 1);
    let lost = format!("puzzle\n{}\n", zeros.trim_start_matches('0'));
    assert!(read_as("a.csv", lost.as_bytes())[0].contains("4 are missing"), "{:?}", read_as("a.csv", lost.as_bytes()));
}

#[test]
fn every_encoding_gives_the_same_rows() {
    let text = format!("\u{feff}# Jos\u{e9}\r\nid,puzzle,author\r\n7,{PUZZLE},Jos\u{e9}\r\n8,{PUZZLE},Ann\r\n");
    let bare = text.trim_start_matches('\u{feff}');
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    for bytes in [
        text.clone().into_bytes(),
        bare.as_bytes().to_vec(),
        bare.chars().map(|sign| sign as u8).collect(),
        wide(&text, u16::to_le_bytes),
        wide(&text, u16::to_be_bytes),
        wide(bare, u16::to_le_bytes),
        wide(bare, u16::to_be_bytes),
        bare.replace("\r\n", "\n").into_bytes(),
        bare.replace("\r\n", "\r").into_bytes(),
    ] {
        assert_eq!(read_as("a.csv", &bytes), [PUZZLE, PUZZLE]);
    }
}

#[test]
fn json_is_read_in_any_layout() {
    let rows: Vec<Vec<u32>> = PUZZLE
        .as_bytes()
        .chunks(9)
        .map(|row| row.iter().map(|&sign| char::from(sign).to_digit(10).unwrap_or(0)).collect())
        .collect();
    let flat: Vec<u32> = rows.concat();
    let texts: Vec<String> = PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8(row.to_vec()).unwrap()).collect();
    let nulls: Vec<Vec<Option<u32>>> =
        rows.iter().map(|row| row.iter().map(|&value| (value > 0).then_some(value)).collect()).collect();
    let values = [
        serde_json::json!(rows),
        serde_json::json!(flat),
        serde_json::json!(texts),
        serde_json::json!(nulls),
        serde_json::json!(PUZZLE),
    ];
    for value in &values {
        for whole in [
            value.clone(),
            serde_json::json!({"puzzle": value}),
            serde_json::json!([{"puzzle": value}]),
            serde_json::json!({"puzzles": [{"puzzle": value}]}),
            serde_json::json!({"data": {"grids": [{"value": value, "difficulty": "Hard"}]}}),
            serde_json::json!({"version": "http://ipuz.org/v2", "kind": ["http://ipuz.org/sudoku#1"], "puzzle": value}),
        ] {
            for text in [whole.to_string(), serde_json::to_string_pretty(&whole).unwrap()] {
                assert_eq!(read_as("a.json", text.as_bytes()), [PUZZLE], "{text}");
            }
        }
    }
}

/// Deep, wide and endless files of each format end soon, in little memory.
#[test]
fn hostile_files_are_refused() {
    let deep = format!("<opensudoku>{}", "<abcdefgh>".repeat(1 << 20));
    assert!(read_as("a.opensudoku", deep.as_bytes())[0].contains("inside each other"));
    for text in ["[".repeat(1 << 20), "{\"a\":".repeat(1 << 18), format!("[{}", "{\"a\":[".repeat(1 << 16))] {
        assert!(read_as("a.json", text.as_bytes()).len() < 10);
    }
    let names = "x,".repeat(20_000) + "puzzle";
    let row = ",".repeat(20_000) + PUZZLE;
    let folder = tempdir().unwrap();
    let path = folder.path().join("wide.csv");
    fs::write(&path, format!("{names}\n{row}\n")).unwrap();
    let how = Reading { copy: Copied::Texts, ..Reading::default() };
    assert_eq!(Input::open(&path, how).unwrap().outside().len(), 20_000);
}

/// A file of boards in a random form: the name of its format, and its text.
fn document(boards: &[Grid], rng: &mut Rng) -> (&'static str, String) {
    let n = boards[0].shape().order();
    let from_zero = rng.below(4) == 0;
    let numbers = n > 36 || n > 9 && rng.below(3) == 0;
    let letters = !numbers && !from_zero && n <= 26 && rng.below(4) == 0;
    let empty = match from_zero {
        true => rng.choose(&['.', '_', '*', '-', '?', '~']),
        false => rng.choose(&['.', '_', '*', '-', '0', '?', '~', '/', '@']),
    };
    // 0 is a digit of 36x36.
    let empty = if n == 36 && !numbers && empty == '0' { '.' } else { empty };
    let cell = |value: &u16| match value {
        0 => empty.to_string(),
        _ if numbers => (value - u16::from(from_zero)).to_string(),
        _ if letters => char::from(b'A' + *value as u8 - 1).to_string(),
        _ if from_zero => text::symbol(*value, 36).to_string(),
        _ => text::symbol(*value, n).to_string(),
    };
    let rows = |board: &Grid| -> Vec<Vec<String>> {
        board.values().chunks(n).map(|row| row.iter().map(cell).collect()).collect()
    };
    let between = if numbers { rng.choose(&[" ", ","]) } else { "" };
    let lines = |board: &Grid| rows(board).iter().map(|row| row.join(between)).collect::<Vec<_>>();
    let line = |board: &Grid| lines(board).join(between);
    let all =
        |row: &dyn Fn(usize, &Grid) -> String| (0..).zip(boards).map(|(at, board)| row(at, board)).collect::<String>();
    let delimiter = rng.choose(&[",", ";", "\t"]);
    let name = rng.choose(&["puzzle", "quizzes", "clues", "mission", "Sudoku"]);
    let form = rng.below(6);
    let mut json = || -> String {
        let whole: Vec<serde_json::Value> = boards
            .iter()
            .map(|board| match rng.below(4) {
                0 => serde_json::json!(board.values().chunks(n).collect::<Vec<_>>()),
                1 => serde_json::json!(rows(board)),
                2 => serde_json::json!(lines(board)),
                _ => serde_json::json!(line(board)),
            })
            .collect();
        let objects: Vec<_> = whole.iter().map(|board| serde_json::json!({ "id": 7, name: board })).collect();
        let whole = match rng.below(4) {
            0 => serde_json::json!(objects),
            1 => serde_json::json!({ "puzzles": objects }),
            2 if whole.len() == 1 => whole[0].clone(),
            _ => return objects.iter().map(|object| format!("{object}\n")).collect(),
        };
        if rng.below(2) == 0 { whole.to_string() } else { serde_json::to_string_pretty(&whole).unwrap() }
    };
    match form {
        0 => ("a.txt", all(&|_, board| format!("{}\n", line(board)))),
        1 => ("a.txt", all(&|at, board| format!("Grid {at:02}\n{}\n\n", lines(board).join("\n")))),
        2 => ("a.csv", all(&|_, board| format!("{}\n", rows(board).concat().join(delimiter)))),
        3 => {
            let head = format!("id{delimiter}{name}\n");
            ("a.csv", head + &all(&|at, board| format!("{at}{delimiter}\"{}\"\n", line(board))))
        }
        4 => {
            let head = format!("{name}{delimiter}id\n");
            ("a.csv", head + &all(&|at, board| format!("\"{}\"{delimiter}{at}\n", lines(board).join("\n"))))
        }
        _ => ("a.json", json()),
    }
}

/// The bytes of a text in a random encoding, with random line ends.
fn encoded(text: &str, rng: &mut Rng) -> Vec<u8> {
    let text = text.replace('\n', rng.choose(&["\n", "\r\n", "\r"]));
    let text = if rng.below(2) == 0 { text } else { format!("\u{feff}{text}") };
    let wide = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    match rng.below(3) {
        0 => text.into_bytes(),
        1 => wide(u16::to_le_bytes),
        _ => wide(u16::to_be_bytes),
    }
}

/// Random boards of all sizes in random documents, signs, alphabets, encodings and line ends: each is read as it is. A
/// few documents are refused, such as one with rows that look like comments, and then no other board is read out of
/// them.
#[test]
fn random_boards_are_read_from_every_document() {
    let mut refused = 0;
    for seed in 0..1_000 {
        let mut rng = Rng::new(seed, 49, Stage::Bench, 0);
        let shape = rng.choose(&Shape::all(36).into_iter().chain(["7x7".parse().unwrap()]).collect::<Vec<_>>());
        let n = shape.order();
        let boards: Vec<Grid> = (0..1 + rng.below(3))
            .map(|_| {
                let full = Isomorphism::random(shape, Freedom::ALL, &mut rng).apply(&Solution::template(shape));
                // One row is full, so that every digit is there.
                let kept = rng.below(n);
                let value = |(at, &value): (usize, &u16)| if at / n == kept || rng.below(3) == 0 { value } else { 0 };
                Grid::new(shape, full.values().iter().enumerate().map(value).collect()).unwrap()
            })
            .collect();
        let (name, text) = document(&boards, &mut rng);
        // A line of 16 or 36 cells can be a small board or a row of a large one.
        let is_clear = n > 6 && Shape::of_order(n) == Ok(shape) && rng.below(2) == 0;
        let found = read_with(name, &encoded(&text, &mut rng), (!is_clear).then_some(shape));
        let expected: Vec<String> = boards.iter().map(text::line).collect();
        let is_told = |one: &String| one.starts_with(name);
        if found.iter().any(is_told) && found.iter().all(|one| is_told(one) || expected.contains(one)) {
            refused += 1;
            continue;
        }
        assert_eq!(found, expected, "seed {seed}, {shape}, {name}\n{text}");
    }
    assert!(refused <= 10, "{refused}");
}

/// What stands in the files of forms that hold something else than [`PUZZLE`]: P for it, S for the puzzle beside it in
/// lists, the size of other boards, and what is said of bad rows.
const FORMS: &[(&str, &str)] = &[
    ("9_wordoku.txt", "9"),
    ("csv_a11n_zero.txt", "9"),
    ("csv_dupheader.csv", "P S"),
    ("csv_extreme.csv", "P S"),
    ("csv_lostzeros.csv", "(:2: 79 cells; if a spreadsheet removed zeros at its beginning, 2 are missing)"),
    ("csv_noheader.csv", "P S"),
    ("csv_noheader_id.csv", "P S"),
    ("csv_sci.csv", "(:2: a spreadsheet has rounded this number, and the puzzle is lost)"),
    ("csv_solution_with_zero.csv", "(:2: solution: r9c9 is empty)"),
    ("csv_wrong_solution.csv", "(:2: solution: digit 9 stands twice in column 8: r5c8 and r9c8)"),
    ("enc_csv_win1252.csv", "P S"),
    ("enc_sdm_mixed.sdm", "P S P S"),
    ("enc_sdm_win1252_note.txt", "P S"),
    ("head_comment_semicolon.txt", "P S"),
    ("head_numbered2.txt", "P S"),
    ("json_map.json", "P S"),
    ("json_strings_pretty.json", "P S"),
    ("json_wrapped.json", "P S"),
    ("json_wrapped_pretty.json", "P S"),
    ("json_xeeeveee.json", "4 several"),
    (
        "line_82.txt",
        "(:1:1: 82 cells are neither a board (16, 36, 64, 81, 100, 144, 225, 256, ...) nor a row of a board)",
    ),
    ("line_comma_list.txt", "P S"),
    ("line_semicolon_list.txt", "P S"),
    ("line_space_list.txt", "P S P"),
    ("link_fpuzzles_6x6_lisudoku.txt", "9 several 9 several"),
    ("link_fpuzzles_sudocle233.txt", "9 several 9 several"),
    (
        "link_fpuzzles_variant_dclamage87.txt",
        "(:1:1: the link to a puzzle cannot be read: it is a variant with the rule 'sandwichsum')",
    ),
    ("link_sudocle245.txt", "(:1:1: the link to a puzzle cannot be read: it is a variant with the rule 'killercage')"),
    ("mini_rg153.txt", "4 several"),
    ("os_v2_started.opensudoku", "(:3: a game that was started; only puzzles are read)"),
    ("os_v2_started4.opensudoku", "(:3: a game that was started; only puzzles are read)"),
    // Positions: digits that were placed are givens.
    ("pm_729.txt", "9"),
    ("pm_kyoyama.txt", "9"),
    ("pm_rows_only.txt", "9"),
    ("pm_ss.txt", "9"),
];

/// The second puzzle of lists.
const SECOND: &str = "..4..1.....3...2.5.5...3..7.8..62.1.3.......6.4.87..2.2..4...7.4.6...9.....7..3..";

/// Every file of `inputs` in the folder of data: files as people have them, in more than 300 forms.
#[test]
fn every_file_of_forms_is_read_or_refused() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("SUDOKU_CORPUS_DATA").map_or_else(beside, PathBuf::from).join("inputs");
    let Ok(entries) = fs::read_dir(&folder) else {
        eprintln!("SKIPPED: {} is not there; set SUDOKU_CORPUS_DATA", folder.display());
        return;
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "README.md")
        .collect();
    names.sort_unstable();
    let board = |record: Record| {
        let puzzle = record.puzzle.or_else(|| record.solution.map(Puzzle::from)).unwrap();
        match puzzle.to_string().as_str() {
            PUZZLE => "P".to_owned(),
            SECOND => "S".to_owned(),
            _ => {
                // Those of 25x25 take a minute each.
                let size = puzzle.shape().order();
                let several =
                    size <= 16 && solve::count(&puzzle, 2, Budget(1_000_000)) != Count { found: 1, exact: true };
                format!("{size}{}", if several { " several" } else { "" })
            }
        }
    };
    let mut wrong = Vec::new();
    for name in &names {
        let how = Reading { positions: true, least: Least::Row, ..Reading::default() };
        let message = |error: CorpusError| {
            let message = error.to_string();
            format!("({})", message.split_once(name).map_or(message.as_str(), |parts| parts.1))
        };
        let found: Vec<String> = match Input::open(&folder.join(name), how) {
            Err(error) => vec![message(error)],
            Ok(input) => input.map(|row| row.map_or_else(message, board)).collect(),
        };
        let usual = match name.get(..3) {
            Some("16_" | "cg1") => "16",
            Some("25_") => "25",
            _ => "P",
        };
        let expected = FORMS.iter().find(|form| form.0 == name).map_or(usual, |form| form.1);
        if found.join(" ") != expected {
            wrong.push(format!("    ({name:?}, {:?}),", found.join(" ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {} files:\n{}", wrong.len(), names.len(), wrong.join("\n"));
}
