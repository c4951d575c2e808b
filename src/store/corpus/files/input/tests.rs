use std::fs;
use std::io::{self, BufReader, Read, Write as _};

use tempfile::tempdir;

use super::encoding::{Text, buffered};
use super::open::{Failure, Watched, fault};
use super::rows::left_out;
use super::*;
use crate::corpus::files::input::forms::rows_of_text;
use crate::corpus::tests::{PUZZLE, SOLUTION};
use crate::corpus::values::mapping::Mapping;
use crate::corpus::values::value::ColumnType;
use sudoku_corpus_core::board::text;
use sudoku_corpus_core::random::{Rng, Stage};

/// A link with the board 12....12.1....4. and its solution.
const LINK: &str = "https://f-puzzles.com/?load=N4Ig5gTglgJiBcBtRoxQG4FMB2CAuEArpgDQgSZoD2u8ADGegIYA2xCAjAL4moY74ipcpSg0EDEMzaYEAJh6gK1Wt14iVnLgF0SKDWNp1FB8fRNostAsTLLDnRq3bw1fK4NunVTmfJ16SqJmCuqWAvA2wvYhvi5u3ggAzCYxtCm6+mn+6tnwoe4RUXbB6XGy8AAsqaXJOrrkhCyYAM6YeAggACoAFpgABJCw/T1MLf2V/RBUAO4tJBP9AMZUbAC22ONM2DCLAEZUAB6t/VQAZv1y/XsAnpfLmCwsLQB0/QDKVGsDS4/P/UwKP0zlAnphdmdpmt+ng+v0WnhAXg3gAxUEsGFwqiwzAQcYtKiYph4fqYJhLHpTWYLMkU5arQgbAE7UnkykHQ707CIqCbTEDGBQNB4cYcGGEyo0tmkw7kvAsO40X4vEBkFpQABeFUlIAJbDwDiQHBIchISRIkvNkuNputJrN9qtJA4DQN8oqIHehBgVAA1oR+hwQFwgA====";

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
                    match rows.next() {
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
    read_with(name, bytes, &Reading { least: Least::Nothing, ..Reading::default() })
}

fn read_with(name: &str, bytes: &[u8], how: &Reading) -> Vec<String> {
    let folder = tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    let message = |error: CorpusError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
    let board = |record: Record| match (record.puzzle, record.solution) {
        (Some(puzzle), None) => text::line(puzzle.grid()),
        (Some(puzzle), Some(solution)) => format!("{} {}", text::line(puzzle.grid()), text::line(solution.grid())),
        (None, solution) => text::line(solution.unwrap().grid()),
    };
    match Input::open(&path, how.clone()) {
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

/// Each form reads its example, packed or not, whatever the name of the file.
#[test]
fn the_example_of_each_form_is_its_board() {
    for form in FORMS {
        let bytes = form.example.as_bytes();
        for (name, bytes) in
            [("a", bytes.to_vec()), ("a.zst", zstd(bytes)), ("b.gz", gzip(bytes)), ("c", gzip(&zstd(bytes)))]
        {
            // What is packed twice is not text.
            let expected =
                if name == "c" { "c: the file is neither text nor Parquet, zstd or gzip" } else { form.board };
            assert_eq!(read_as(name, &bytes), [expected], "{}", form.name);
        }
    }
}

/// Names and texts of files, and what is read: @P and @S stand for the puzzle and its solution, ! for a message with
/// these words.
#[rustfmt::skip]
const CASES: &[(&str, &str, &[&str])] = &[
    // Tables of other programs.
    ("a.csv", "quizzes,solutions\n530070000600195000098000060800060003400803001700020006060000280000419005000080079,@S\n", &["@P @S"]),
    ("a.csv", "\u{feff}id;Puzzle;Solution;solutions;index\r\n7;\"@P\";@S;1;9.5\r\n", &["@P @S"]),
    ("a.csv", "# ratings\npuzzle\tw\tsolution\n@P\t2.0\t@S\n", &["@P @S"]),
    ("a.csv", "id,initial_board,solution\n\"a \"\"1\"\", b\",@P,@S\n", &["@P @S"]),
    ("a.csv", "puzzle,solution\n\"1 2 | . .\n. . | 1 2\n----+----\n. 1 | . .\n. . | . 1\",\n", &["12....12.1.....1"]),
    ("a.csv", "clues,mission,solution\n@P,.3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,@S\n",
        &["!several columns have puzzles, 'clues' and 'mission'; choose one: --column 'clues'"]),
    ("bare.csv", "@P,@S\n@P,easy\n", &["@P @S", "@P"]),
    // A first line with a board has no names, even if most of its fields look like names.
    ("bare.csv", "@P,easy\n@P,hard\n", &["@P", "@P"]),
    ("bare.txt", "hard;@P\neasy;@P\n", &["@P", "@P"]),
    ("bare.csv", "ann,@P,easy\nbob,@P,hard\n", &["@P", "@P"]),
    ("bare.txt", "3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,easy\n@P,hard\n",
        &["!bare.txt:1:1: 80 cells", "@P"]),
    ("a.csv", "name,size\nx,3\n", &["!no column 'puzzle' among its columns: name, size"]),
    ("a.csv", "puzzle,solution\n", &["!it has no board"]),
    ("a.csv", "puzzle,note\n@P,\"x\n@P,\n", &["!a.csv:2: a field in quotes has no end before that of the file", "@P"]),
    // A quote that begins no field is a sign as any.
    ("a.csv", "puzzle,note\n@P,27\" screen\n@P,\"a \"\"b\"\" c\"\n@P,\"a\"b\"\n", &["@P", "@P", "@P"]),
    ("a.csv", "puzzle\tsize in \"\n@P\t5\" x 7\"\n@P\t3\"\n", &["@P", "@P"]),
    // The number of solutions is no solution.
    ("a.csv", "puzzle,solutions\n@P,1\n@P,\n", &["@P", "@P"]),
    ("a.csv", "shape,puzzle,solutions\n3x3,@P,\n3x3,@P,2\n", &["@P", "@P"]),
    ("a.csv", "Puzzle,Solutions,answer\n@P,1,@S\n", &["@P @S"]),
    ("a.csv", "id,solutions\n7,1\n", &["!no column 'puzzle' among its columns: id, solutions"]),
    ("a.jsonl", "{\"puzzle\":\"@P\",\"solutions\":1}\n{\"puzzle\":\"@P\",\"solutions\":\"@S\"}\n", &["@P", "@P @S"]),
    // Bad rows have a place, and reading goes on.
    ("a.csv", "puzzle,solution\n3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79,\n@P\n@P,@S9\n@P,\n",
        &["!a.csv:2: puzzle: 80 cells", "!a.csv:3: 1 field, but the header has 2", "!a.csv:4: solution: 82 cells", "@P"]),
    ("a.csv", "puzzle,solution\n@P,634578912672195348198342567859761423426853791713924856961537284287419635345286179\n",
        &["!a.csv:2: solution: digit 6 stands twice"]),
    ("a.csv", "puzzle,solution\n@P,634571928172698345598342167819763452426815793753924816961537284287419635345286971\n", &["!a.csv:2: "]),
    // A row of a table is no comment.
    ("a.csv", "puzzle,id\n#3##7####6##195####98####6#8###6###34##8#3##17###2###6#6####28####419##5####8##79,1\n# more\n@P,2\n",
        &[".3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "@P"]),
    ("a.csv", "id,puzzle\n#1,@P\n", &["@P"]),
    ("a.txt", "@P\n53..7\n55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n@P\n",
        &["@P", "!a.txt:2:1: 5 cells", "!a.txt:3: digit 5 stands twice in row 1", "@P"]),
    // JSON: a bad line spoils no other; in a list, what has no end is told.
    ("a.jsonl", "\u{feff}{\"puzzle\":\"@P\",\"id\":1}\r\n\n# more\n{\"id\":2,\"puzzle\":7}\n{\n{\"sudoku\":\"@P\"}",
        &["@P", "!a.jsonl:4: puzzle: 7 is not a text", "!a.jsonl:5: this is no JSON", "@P"]),
    ("a.json", "[\n{\"puzzle\":\"@P\"},\n{\"puzzle\":\"@P\"", &["@P", "!line 3: an object or a list without an end"]),
    ("a.json", "[\n{\"puzzle\":\"@P\"},\n{\"puzzle\":\"@P\"}\n", &["@P", "@P", "!cut short: line 4: the list has no end"]),
    ("a.json", "[{\"puzzle\":\"@P\"},", &["@P", "!line 1: the list has no end"]),
    ("a.json", "[{\"puzzle\":\"@P\"} {\"puzzle\":\"@P\"}]", &["@P", "!a comma is missing in the list"]),
    ("a.json", "[{\"puzzle\":\"@P\"},,{\"puzzle\":\"@P\"}]", &["@P", "!a value is missing at a comma"]),
    ("a.json", "[{\"puzzle\":\"@P\"}]]", &["@P", "!other text stands behind the end of the list"]),
    ("a.json", "{\"puzzle\":\"@P\"},\n{\"puzzle\":\"@P\"}]", &["@P", "@P", "!the end of a list that has no beginning"]),
    // Each value of a list is a row.
    ("a.json", "[null,{\"puzzle\":\"@P\"},{}, null ]", &["!a.json:1: no board", "@P", "!no column 'puzzle'", "!a.json:1: no board"]),
    // Boards inside of objects: the command that takes all of them out, or none.
    ("a.json", "{\"a\":{\"puzzle\":\"@P\"},\"b\":{\"puzzle\":\"@P\"}}", &["!jq -c '.[]' FILE"]),
    ("a.json", "{\"puzzle\":{\"size\":4,\"grid\":[[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]]}}",
        &["!jq -c '.[\"puzzle\"]' FILE"]),
    ("a.json", "[{\"data\":{\"quiz\":\"@P\",\"n\":1}}]", &["!jq -c '.[][\"data\"]' FILE"]),
    ("a.jsonl", "{\"id\":1,\"initial_board\":\"@P\",\"solution\":\"@S\"}\n", &["@P @S"]),
    ("a.jsonl", "{\"clues\":\"@P\",\"mission\":\"1.......................................................................9........\"}\n",
        &["!several columns have puzzles, 'clues' and 'mission'; choose one: --column 'clues'"]),
    ("a.json", "{\"size\":4,\"solution\":[2,1,3,4,3,4,1,2,1,2,4,3,4,3,2,1],\"grid\":[[{\"value\":1,\"given\":true},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]]}",
        &["!the puzzle is not part of the solution"]),
    ("a.ipuz", "{\"kind\":[\"http://ipuz.org/sudoku#1\"],\"zones\":[{\"rect\":[0,0,0,0]}],\"puzzle\":[[1,0],[0,0]]}",
        &["!its zones are neither boxes nor the regions of a jigsaw"]),
    // Rules that would be lost.
    ("a.csv", "puzzle,regions\n@P,AAB\n@P,\n", &["!a.csv:2: it has a rule beside the board, 'regions'", "@P"]),
    ("a.csv", "shape,puzzle,variant\n3x3,@P,killer\n,@P,Killer\n,@P,classic\n", &["!'variant'", "!'variant'", "@P"]),
    ("a.jsonl", "{\"puzzle\":\"@P\",\"variant\":\"x\"}\n{\"puzzle\":\"@P\",\"rules\":[1]}\n{\"puzzle\":\"@P\",\"rules\":[],\"odd\":3}\n",
        &["!'variant'", "!'rules'", "@P"]),
    ("a.json", "{\"grid\":[[1,2,0,0],[0,0,1,2],[0,1,0,0],[0,0,4,0]],\"antiknight\":true}", &["!'antiknight'"]),
    ("a.json", "{\"cells\":[[{\"value\":1},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],\"regions\":[]}", &["!it has no boxes"]),
    ("a.json", "{\"size\":4,\"grid\":[[{\"value\":1,\"given\":true},{},{},{},{}],[{},{},{}],[{},{},{},{}],[{},{},{},{}]]}", &["!its grid is not square"]),
    ("a.csv", "puzzle,type\n@P,X-Sudoku\n@P,hard\n", &["!'type'", "@P"]),
    ("a.jsonl", "{\"puzzle\":\"@P\",\"size\":\"9x9+x\"}\n{\"puzzle\":\"@P\",\"size\":\"9x9\"}\n", &["!'size'", "@P"]),
    ("a.json", "{\"grid\":[[1,2,0,0],[0,0,1,2],[0,1,0,0],[0,0,4,0]],\"odd\":[{}],\"diagonal\":false}", &["!'odd'"]),
    ("a.txt", "12....12.1....4. shape=2x2+x\n2x2+x: 12....12.1....4.\n12....12.1....4. Windoku\n12....12.1....4. easy\n",
        &["!stands twice", "!stands twice", "!'Windoku' names a rule", "12....12.1....4."]),
    ("a.txt", "12....12.1....4.\n# anti-knight\n12....12.1....4.\n# hard\n12....12.1....4.\n",
        &["12....12.1....4.", "!a.txt:3:1: line 2: 'anti-knight' names a rule", "!line 2: 'anti-knight'"]),
    ("a.txt", "Killer Sudoku 7\n12....12.1....4.\n", &["!line 1: 'Killer' names a rule"]),
    ("a.txt", "9x9+x @P\n3x3 +x @P\n@P Disjoint Groups\n@P diagonal symmetry\n",
        &["!'9x9+x' names a rule", "!'+x' names a rule", "!'Disjoint Groups' names a rule", "@P"]),
    ("a.csv", "puzzle,anti-knight,x\n@P,true,3\n@P,no,true\n@P,,7\n", &["!'anti-knight'", "!'x'", "@P"]),
    ("a.csv", "shape,puzzle,variant,killer_cages\n3x3,@P,windoku,\n3x3,@P,none,[1]\n3x3,@P,classic,\n",
        &["!'variant'", "!'killer_cages'", "@P"]),
    ("a.csv", "shape,puzzle,variant\n2x2+x,1..............2,x\n2x2+x,1..............2,windoku\n",
        &["1..............2", "!'variant'"]),
    ("a.csv", "puzzle,board_type,gameMode\n@P,3x3+x,\n@P,,killer\n@P,print,solo\n", &["!'board_type'", "!'gameMode'", "@P"]),
    ("a.jsonl", "{\"puzzle\":\"@P\",\"meta\":{\"variant\":\"windoku\"}}\n{\"puzzle\":\"@P\",\"tags\":[\"x-sudoku\"]}\n{\"puzzle\":\"@P\",\"meta\":{\"rules\":[],\"n\":1}}\n",
        &["!'variant'", "!'x-sudoku'", "@P"]),
    ("a.json", "{\"puzzles\":[{\"puzzle\":\"@P\"}],\"variant\":\"windoku\"}", &["!'variant'"]),
    ("a.xml", "<opensudoku><game data=\"1200001201000040\"><cage cells=\"1 2\"/></game><game data=\"1200001201000040\"></game></opensudoku>",
        &["!'cage' in the file may be a rule", "12....12.1....4."]),
    ("a.xml", "<opensudoku><game type='x' data=\"1200001201000040\"/><game note='windoku 3' data=\"1200001201000040\"/></opensudoku>",
        &["!'type=\"x\"' in the file", "!'note=\"windoku 3\"' in the file"]),
    ("a.xml", "<opensudoku><rules>killer</rules><game data=\"1200001201000040\"/></opensudoku>", &["!'rules' in the file", "!'rules' in the file"]),
    ("a.txt", "https://www.sudokuwiki.org/X_Sudoku.asp?bd=1200001201000040\nhttps://a.org/?bd=1200001201000040&rules=antiknight\nhttps://a.org/?bd=1200001201000040#killer\nhttps://a.org/?type=classic&bd=1200001201000040\n",
        &["!'X_Sudoku.asp'", "!'antiknight'", "!'killer'", "12....12.1....4."]),
    ("a.ipuz", "{\"kind\":[\"http://ipuz.org/sudoku#1\"],\"dimensions\":{\"width\":6,\"height\":6},\"puzzle\":[[1,2,0,0],[0,0,1,2],[0,1,0,0],[0,0,4,0]]}",
        &["!its dimensions are not those of its board, which has 4 rows"]),
    ("a.ipuz", "{\"kind\":[\"http://ipuz.org/sudoku/diagonalsudoku#1\"],\"puzzle\":[[1,2,0,0],[0,0,1,2],[0,1,0,0],[0,0,4,0]]}",
        &["!it is of the kind 'sudoku/diagonalsudoku', which is not known here"]),
    ("a.ipuz", "{\"kind\":[\"http://ipuz.org/sudoku#1\"],\"cages\":[{}],\"puzzle\":[[1,2,0,0],[0,0,1,2],[0,1,0,0],[0,0,4,0]]}",
        &["!it is a variant with the rule 'cages', which is not known here"]),
    ("a.ipuz", "{\"version\":\"http://ipuz.org/v2\",\"boxes\":false,\"puzzle\":[[1,2,0,0],[0,0,1,2],[0,1,0,0],[0,0,4,0]]}",
        &["!it has neither boxes nor zones"]),
    ("a.ipuz", "{\"kind\":\"http://ipuz.org/sudoku#1\",\"title\":\"x\",\"puzzle\":[[1,2,0,0],[0,0,1,2],[0,1,0,0],[0,0,4,0]]}",
        &["12....12.1....4."]),
    ("a.xml", "<ksudoku><graph type='custom' order='4'><clique size='4'>0 5 10 15</clique></graph><values>12____12_1____4_</values></ksudoku>",
        &["!a game with other rules ('clique'), which are not known here"]),
    ("a.xml", "<ksudoku><graph type='sudoku' order='4'/><values>12____12_1____4_</values></ksudoku>", &["12....12.1....4."]),
    // XML: a sign > that ends no tag, an element without an end.
    ("a.xml", "<!-- a > b --><opensudoku><name>1 > 2</name><game title=\"a > b\" data=\"1200001201000040\"/></opensudoku>",
        &["12....12.1....4."]),
    ("a.xml", "<opensudoku><game data=\"1200001201000040\"/>", &["12....12.1....4.", "!the element of the whole file has no end"]),
    ("a.xml", "<opensudoku/>", &["!it has no board"]),
    // Lists of rows with empty cells; solutions that are missing.
    ("a.json", "[[1,2,null,null],[null,null,1,2],[null,1,null,null],[null,null,4,null]]", &["12....12.1....4."]),
    ("a.json", "{\"puzzle\":[[\"1\",\"2\",\"\",\" \"],[\"\",\"\",\"1\",\"2\"],[\"\",\"1\",\"\",\"\"],[\"\",\"\",\"4\",\"\"]]}",
        &["12....12.1....4."]),
    ("a.jsonl", "{\"puzzle\":\"@P\",\"solution\":\"\"}\n{\"puzzle\":\"@P\",\"solution\":\" Null\"}\n{\"puzzle\":\"\",\"solution\":\"\"}\n",
        &["@P", "@P", "!a.jsonl:3: the row has neither"]),
    ("a.csv", "puzzle,solution\n@P,na\n@P,NaN\n@P,null\n@P,N/A\n", &["@P", "@P", "@P", "@P"]),
    // A link in a table may hold the solution of its board.
    ("a.csv", "name,puzzle\na,@L\n", &["12....12.1....4."]),
    // Without a board, and what is no text.
    ("a.txt", "", &["!it has no board"]),
    ("a.parquet", "", &["!it has no board"]),
    ("a.parquet", "PAR1PAR1", &["!not a Parquet file: too short"]),
    ("a.txt", "Grid 01\n", &["!it has no board"]),
    ("a.txt", "53..7\n12345678\n", &["!a.txt:1:1: 5 cells", "!a.txt:2:1: one row of 8 cells", "!it has 2 rows, and no board that can be used"]),
    ("a.csv", "puzzle\n53..7\n", &["!a.csv:2: puzzle: 5 cells", "!it has 1 row, and no board that can be used"]),
    ("a.txt", "\0\0\0\0\x01\x02", &["!the file is neither text nor Parquet, zstd or gzip"]),
];

#[test]
fn files_are_read_or_refused() {
    let mut wrong = Vec::new();
    for (name, text, expected) in CASES {
        let text = text.replace("@P", PUZZLE).replace("@S", SOLUTION).replace("@L", LINK);
        let mut rows = read_with(name, text.as_bytes(), &Reading::default());
        let sentence = "no board that can be used";
        rows.pop_if(|last| last.contains(sentence) && !expected.concat().contains(sentence));
        let is_right = |(row, expected): (&String, &&str)| match expected.strip_prefix('!') {
            Some(reason) => row.starts_with(name) && row.contains(reason),
            None => *row == expected.replace("@P", PUZZLE).replace("@S", SOLUTION),
        };
        if rows.len() != expected.len() || !rows.iter().zip(*expected).all(is_right) {
            wrong.push(format!("{text}\n{rows:#?}\n{expected:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The row is bad, and rows after it are read.
#[test]
fn a_damaged_line_in_quotes_is_told() {
    let text = format!("puzzle,note\n{PUZZLE},\"a\nb@\nc\"\n{PUZZLE},\n");
    let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'@' { 0xff } else { byte }).collect();
    let rows = read_as("a.csv", &bytes);
    assert!(rows.len() == 2 && rows[0].starts_with("a.csv:3: the line is not UTF-8"), "{rows:?}");
    assert_eq!(rows[1], PUZZLE);
    assert!(read_as("a.csv", b"R\xe4tsel;x\n1;2\n")[0].contains("its first line: the line is not UTF-8"));
}

#[test]
fn a_field_without_an_end_names_the_limit_that_it_passed() {
    let notes = [
        ("x\n".to_owned(), "before that of the file"),
        ("x\n".repeat(100), "within 72 lines"),
        (format!("{}\n", "x".repeat(1 << 16)), "within 65536 bytes"),
    ];
    for (note, limit) in notes {
        let rows = read_as("a.csv", format!("puzzle,note\n{PUZZLE},\"{note}{PUZZLE},\n").as_bytes());
        assert_eq!(rows[0], format!("a.csv:2: a field in quotes has no end {limit}"));
        assert_eq!(rows.last().unwrap(), PUZZLE);
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

/// Objects of JSON may have different names: a row has a value for each that any object has.
#[test]
fn columns_of_json_are_copied_with_their_types() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let text = "{\"id\":\"007\",\"puzzle\":\"@P\",\"human_time\":12.5,\"tags\":[\"a\",{\"b\":1}],\"level\":3}\n\
                {\"puzzle\":\"@P\",\"id\":null,\"won\":true}\n{\"puzzle\":\"@P\",\"human_time\":-3}\n\"@P\"\n";
    fs::write(&path, text.replace("@P", PUZZLE)).unwrap();
    let copied = |copy: Copied| {
        let input = Input::open(&path, Reading { copy, ..Reading::default() }).unwrap();
        let columns = input.outside();
        let rows: Vec<Record> = input.map(Result::unwrap).collect();
        assert!(rows.len() == 4 && rows.iter().all(|row| row.outside.len() == columns.len()), "{columns:?}");
        let value = |name: &str, row: usize| {
            let column = columns.iter().position(|column| column.name == name).unwrap();
            rows[row].outside[column].to_string()
        };
        let kinds = ["human_time", "id", "input_level", "tags", "won"].map(|name| {
            let kind = columns.iter().find(|column| column.name == name).unwrap().kind.name();
            format!("{kind} {} {} {} {}", value(name, 0), value(name, 1), value(name, 2), value(name, 3))
        });
        (columns.len(), kinds)
    };
    assert_eq!(
        copied(Copied::Typed),
        (
            5,
            [
                "Float64 12.5 nothing -3 nothing",
                "String '007' nothing nothing nothing",
                "Int64 3 nothing nothing nothing",
                "String '[\"a\",{\"b\":1}]' nothing nothing nothing",
                "Boolean nothing true nothing nothing",
            ]
            .map(str::to_owned)
        )
    );
    assert!(copied(Copied::Texts).1[0].starts_with("String '12.5' nothing '-3' nothing"));
    assert_eq!(Input::open(&path, None).unwrap().outside(), []);
}

#[test]
fn columns_that_are_left_out_are_named() {
    let names = ["puzzle", "born", "tags", "id"].map(str::to_owned);
    let note =
        |kinds: [Option<ColumnType>; 4]| left_out(&names, &kinds, &Mapping::of_boards(Want::Boards, Some(0), None));
    let text = Some(ColumnType::Text);
    assert!(note([text, None, None, text]).unwrap().ends_with("are left out: born, tags"));
    assert_eq!((note([text; 4]), note([None, text, text, text])), (None, None));
}

/// Zero bytes fill up the blocks of a tape. Other bytes are no part of the stream.
#[test]
fn zero_bytes_behind_gzip_are_passed_over() {
    let board = gzip(format!("{PUZZLE}\n").as_bytes());
    let zeros = vec![0; 100_000];
    for whole in [board.clone(), [&board[..], &zeros].concat(), [&board[..], &board].concat()] {
        let rows = read_as("a.gz", &whole);
        assert!(!rows.is_empty() && rows.iter().all(|row| row == PUZZLE), "{rows:?}");
    }
    let rows = read_as("a.gz", &[&board[..], b"abc"].concat());
    assert!(rows.concat().contains("other bytes stand behind the end of the gzip stream"), "{rows:?}");
}

/// Deep, wide and endless files of each form end soon, in little memory.
#[test]
fn hostile_files_are_refused() {
    let endless = vec![b'1'; 10 << 20];
    assert_eq!(read_as("a.txt", &endless).len(), 1);
    let csv = [b"puzzle,solution\n".as_slice(), &endless, b"\n", PUZZLE.as_bytes(), b",\n"].concat();
    assert_eq!(read_as("a.csv", &csv), ["a.csv:2: the line is longer than any row", PUZZLE]);
    let open = "<opensudoku>".to_owned() + &"<a".repeat(1 << 20);
    assert!(read_as("a.opensudoku", open.as_bytes())[0].contains("an element has no end"));
    let lines = format!("{{\n{}", format!("{{\"puzzle\":\"{PUZZLE}\"}}\n").repeat(60_000));
    for text in
        ["[".repeat(1 << 20), "{\"a\":".repeat(1 << 18), "{\"a\":[\n".repeat(1 << 18), "{\n".repeat(5 << 20), lines]
    {
        let rows = read_as("a.json", text.as_bytes());
        assert!(rows[0].contains("an object or a list"), "{}", rows[0]);
    }
    let folder = tempdir().unwrap();
    let path = folder.path().join("wide.csv");
    fs::write(&path, format!("{}puzzle\n{}{PUZZLE}\n", "x,".repeat(20_000), ",".repeat(20_000))).unwrap();
    let how = Reading { copy: Copied::Texts, ..Reading::default() };
    assert_eq!(Input::open(&path, how).unwrap().outside().len(), 20_000);
}

/// A row of a table alone and in its file, in each form of tables: the same board or the same reason.
#[test]
fn a_row_is_read_alone() {
    let spoiled = |rng: &mut Rng| {
        let sign = rng.choose(&['.', '0', '-', 'x', '?', 'n', '9', ' ']);
        let text = match rng.below(4) {
            0 => PUZZLE.replace('9', "."),
            1 => PUZZLE.replace('9', "0").replacen('.', "0", 1),
            2 => PUZZLE.chars().map(|sign| if sign == '.' { '.' } else { (sign as u8 - 1) as char }).collect(),
            _ => PUZZLE.to_owned(),
        };
        text.replace('.', &sign.to_string())
    };
    let table = |rows: &[String]| rows.iter().fold("puzzle,id\n".to_owned(), |text, row| format!("{text}{row},1\n"));
    let json = |rows: &[String]| rows.iter().map(|row| format!("{{\"puzzle\":\"{row}\"}}\n")).collect::<String>();
    let clues = |rows: &[String]| {
        rows.iter().map(|row| format!("{{\"a\":\"{row}\",\"b\":\"{PUZZLE}\"}}\n")).collect::<String>()
    };
    type Written<'a> = (&'a str, &'a dyn Fn(&[String]) -> String);
    let forms: [Written; 4] =
        [("a.csv", &table), ("a.jsonl", &json), ("b.jsonl", &clues), ("a.txt", &|rows| rows.join("\n"))];
    for seed in 0..60 {
        let mut rng = Rng::new(seed, 3, Stage::Bench, 0);
        let rows: Vec<String> = (0..6).map(|_| spoiled(&mut rng)).collect();
        for (name, write) in forms {
            let without_line = |row: &String| row.split_once(": ").map_or(row.clone(), |(_, reason)| reason.to_owned());
            let alone = rows.iter().flat_map(|row| read_as(name, write(std::slice::from_ref(row)).as_bytes()));
            let together = read_as(name, write(&rows).as_bytes());
            let alone: Vec<String> = alone.map(|row| without_line(&row)).collect();
            assert_eq!(together.iter().map(without_line).collect::<Vec<_>>(), alone, "{name} {rows:?}");
        }
    }
}

/// Each reader acts on each option, or refuses it.
#[test]
fn no_option_is_without_effect() {
    let zero_based: String =
        PUZZLE.chars().map(|sign| if sign == '.' { '?' } else { (sign as u8 - 1) as char }).collect();
    let other = PUZZLE.replacen('5', ".", 1);
    let texts = [
        ("a.txt", zero_based.clone()),
        ("a.csv", format!("puzzle,second\n{other},{zero_based}\n")),
        ("a.jsonl", format!("{{\"puzzle\":\"{other}\",\"second\":\"{zero_based}\"}}\n")),
        ("a.xml", format!("<opensudoku><game data=\"{zero_based}\"/></opensudoku>")),
        ("b.txt", "3x3:5_3zzza".to_owned()),
        ("b.json", format!("{{\"size\":4,\"grid\":[{0},{0},{0},{0}]}}", "[{},{},{},{}]")),
        ("c.json", "[[1,2,0,0],[0,0,1,2],[0,1,0,0],[0,0,4,0]]".to_owned()),
    ];
    let plain = Reading { least: Least::Nothing, ..Reading::default() };
    for (name, text) in &texts {
        let usual = read_with(name, text.as_bytes(), &plain);
        let has_second = text.contains("second");
        let column = has_second.then(|| "Second".to_owned());
        let digits = Signs { digits: Some("012345678".into()), empty: None };
        let read = |how: Reading| read_with(name, text.as_bytes(), &Reading { least: Least::Nothing, ..how });
        let changed = read(Reading { signs: digits, column: column.clone(), ..Reading::default() });
        assert_ne!(changed, usual, "{name}");
        assert!(!has_second || changed == [PUZZLE], "{name}: {changed:?}");
        let empty = Signs { digits: None, empty: Some('~') };
        assert_ne!(read(Reading { signs: empty, ..Reading::default() }), usual, "{name}");
        let shape = Some("2x3".parse().unwrap());
        assert!(read(Reading { shape, ..Reading::default() })[0].starts_with(name), "{name}");
        let refused = read(Reading { column: Some("none".to_owned()), ..Reading::default() });
        assert!(
            refused[0].contains("no column 'none'") || refused[0].contains("leave out --column"),
            "{name}: {refused:?}"
        );
    }
}
