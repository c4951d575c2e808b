use super::*;
use crate::board::{Digits, Solution};
use crate::random::{Rng, Stage};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// What stands in a text: a line for each board; `#` and the line of a heading; `!` and what is wrong.
fn read(text: &str, shape: Option<Shape>, signs: &Signs) -> Vec<String> {
    let told = |item| match item {
        TextItem::Board(entry) => {
            let kind = entry.grid.shape().to_string();
            let shape =
                if entry.grid.shape() == Shape::of_cells(entry.grid.values().len()).unwrap() { "" } else { &kind };
            let solved = if entry.solution.is_some() { " solved" } else { "" };
            [&line(&entry.grid), shape].join(" ").trim_end().to_owned() + solved
        }
        TextItem::Heading(line) => format!("#{line}"),
        TextItem::Bad(error) => format!("!{error}"),
    };
    PuzzleReader::with(text.as_bytes(), shape, signs.clone()).map(told).collect()
}

/// Texts, the options `digits empty board`, and what is read. @P and @S stand for the puzzle and its solution, f( and
/// s( for links that hold this JSON, @E for four empty cells, @V for each value that says something, @U for others.
#[rustfmt::skip]
const CASES: &[(&str, &str, &[&str])] = &[
    // The signs of a board say what they mean.
    ("12....12...1...3", "", &["12....12...1...3"]),
    ("1200001200010003", "", &["12....12...1...3"]),
    ("12????12???1???3", "", &["12....12...1...3"]),
    ("12xxxx12xxx1xxx3", "", &["12....12...1...3"]),
    ("12nnnn12nnn1nnn3", "- n -", &["12....12...1...3"]),
    // A board with a lost or doubled sign is told, also if most of its signs are x.
    ("12xxxx12xxx1xxxx3\n12xxxx12xxx1xx3", "", &["!17 cells", "!15 cells"]),
    ("xxx43x4x3xx2xx1xxxx2xxxx6xxx2xxxx3x5x", "", &["!37 cells"]),
    ("12.-_*12..-1...3", "", &["12....12...1...3"]),
    ("AB....AB...A...C", "ABCD - -", &["12....12...1...3"]),
    ("ab####ab###a###c", "ABCD # -", &["12....12...1...3"]),
    ("ab0000ab000a000c", "ABCD - -", &["12....12...1...3"]),
    ("01....01...0...2", "0123 - -", &["12....12...1...3"]),
    ("01 02 -- -- -- -- 01 02 -- -- -- 01 -- -- -- 03", "", &["12....12...1...3"]),
    ("00 01 . . . . 00 01 . . . 00 . . . 02", "0123 - -", &["12....12...1...3"]),
    ("53__7____6__195____98____6_8___6___34__8_3__17___2___6_6____28____419__5____8__79 _ _", "", &["@P"]),
    // What is not clear is refused, and the reason proposes what makes it clear.
    ("12..?.12...1...3", "", &["!1, column 5: '.' and '?' may both stand for empty cells; --empty '.' says which"]),
    ("12..0.12...1...4", "", &["!'.' and 0 may both stand for empty cells; if 0 is a digit, give --digits 0123"]),
    ("12..0.12...1...4", "- . -", &["!give --digits 0123"]),
    ("12..5.12...1...3", "", &["!'5' is neither a digit"]),
    ("12nnnn12nnn1nnn3", "", &["!if N stands for empty cells, give --empty N"]),
    ("AB....AB...A...C", "", &["!if A, B, C, .. are the digits, give --digits ABCD"]),
    ("KIST............", "", &["!in the order of the alphabet, give --digits IKST"]),
    ("12 . . . 17 1 2 . . . 1 . . . 3 .", "", &["!the number 12 is not a digit"]),
    ("١٢....١٢...١...٣", "", &["!if these are digits, --digits names them in their order"]),
    ("１２....１２...３...４", "", &["!if these are digits, give --digits １２３４"]),
    ("１２....１２...３...４", "１２３４ - -", &["12....12...3...4"]),
    // A line of as many cells as a board or a row is no comment.
    ("#2####12###1###3\n12####12###1###3\n# two\n#####", "", &[".2....12...1...3", "12....12...1...3"]),
    ("1###\n##1#\n###1\n####", "", &["1.....1....1...."]),
    ("##1#\n1###\n###1\n#1##", "", &["..1.1......1.1.."]),
    ("##1#\n1###\n###1\n#1##", "- # -", &["..1.1......1.1.."]),
    ("#2..##12###1###3", "", &["!'#' and '.' may both stand for empty cells"]),
    // Words are a board together only if they are rows, or groups of as many cells.
    ("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7 4\n@P", "", &["!80 cells", "@P"]),
    ("1. 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..", "", &["!79 cells"]),
    ("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8.. 17", "", &["!79 cells"]),
    ("12.. ..12 .1.. ..4.", "", &["12....12.1....4."]),
    ("12..\n..12\n.1. 4\n..4.", "", &["!line 3, column 1: a row of a board is a word, groups"]),
    // A rule beside a board is never lost.
    ("3x3+x @P\n@P 3x3+x", "", &["@P 3x3+x", "@P 3x3+x"]),
    ("3x3+x @P", "- - 3x3", &["!it is a 9x9 board"]),
    ("3x2 .4..6...3..152......45......4......2", "", &[".4..6...3..152......45......4......2 3x2"]),
    (".4..6...3..152......45......4......2 AAAABBACBBBBACDDDDECCCDDEECFFFEEEFFF", "",
        &["!give --shape 6+jigsaw:AAAABBACBBBBACDDDDECCCDDEECFFFEEEFFF"]),
    (".4..6.\n..3..1\n52....\n..45..\n....4.\n.....1\n\nEasy\nAAAABB\nACBBBB\nACDDDD\nECCCDD\nEECFFF\nEEEFFF\n@P", "",
        &["!line 1, column 1: letters beside the board are the regions of a jigsaw; give --shape 6+jigsaw:AAAABBACBB", "@P"]),
    (".4..6.\n..3..1\n52....\n..45..\n....4.\n.....1\n\n[Regions]\nA A A A B B\nACBBBB\nACDDDD\nECCCDD\nEECFFF\nEEEFFF\n[Puzzle]\n@P",
        "", &["!line 1, column 1: letters beside the board", "#15", "@P"]),
    (".4..6...3..152......45......4......2\n\nAAAABB\nACBBBB\nACDDDD\nECCCDD\nEECFFF\nEEEFFF", "",
        &[".4..6...3..152......45......4......2", "#3", "#4", "#5", "#6", "#7", "#8", "!line 8, column 1: letters beside"]),
    (".4..6.\n..3..1\n52....\n..45..\n....4.\n.....1\n\n[Regions]\nAAAABB\n111111", "", &["!line 1, column 1: the section [regions]", "#8"]),
    (".4..6.\n..3..1\n52....\n..45..\n....4.\n.....1\n\nSimple\nAAAABB\n@P", "",
        &[".4..6...3..152......45......4......1", "#8", "#9", "@P"]),
    // Boards of two sizes on a line.
    ("@P 12....12.1....4.\n@P 0.12345678901234", "", &["@P", "!16 cells beside a board of 81 cells", "@P"]),
    ("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....41?..5....8..79", "",
        &["!line 1, column 69: '.' and '?' may both stand for empty cells; --empty '.' says which"]),
    ("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6...", "", &["!59 cells: no board"]),
    ("1234341221434321", "- - 3x3", &["!16 cells, but the board has 81 (9x9 board, 3x3 boxes)"]),
    // Lines with notes, comments, labels, solutions, several boards.
    ("# two\n\n@P 2.3 # easy\r\n\u{feff}@P,@S", "", &["@P", "@P solved"]),
    ("7: @P easy, @P", "", &["@P", "@P"]),
    ("@P@S", "", &["@P solved"]),
    ("0000183b305c @P  1.2", "", &["@P"]),
    ("@P 444678912672195348198342567859761423426853791713924856961537284287419635345286179", "",
        &["!the full grid on this line is no solution of the board before it"]),
    ("@P\nhello\n5 3 . . 7 . . . .\n@P\n53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7", "",
        &["@P", "#2", "!3, column 1: one row of 9 cells: a board has 9 rows, without empty lines", "@P", "!80 cells"]),
    ("#ARuud\n[Puzzle]\n@P\n\n[State]\n@P\nrubbish\n[Puzzle]\n@P", "", &["#2", "@P", "#5", "#8", "@P"]),
    (":0000:x:@P:::\n:0902:1234:53..7+4+6..6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:516:548::",
        "", &["@P", "@P"]),
    (":0000:x:53..7:::", "", &["!5 cells, but the board has 81 (9x9 board, 3x3 boxes)"]),
    // A board after words, and several boards on a line: each is read or refused.
    ("Easy: 6xxx5xxxx2xxxxxx6x41xxxxxx43x1xxxxxx\n....3...1..6.63.........3..54.1...6.", "",
        &["6...5....2......6.41......43.1......", "....3...1..6.63.........3..54.1...6."]),
    ("12....12.1....4.\nSmall puzzle number one, easy: 12....12.1....4.", "", &["12....12.1....4.", "12....12.1....4."]),
    ("Name: ________________ Date: ____________________________________", "", &["!one row of 62 cells"]),
    ("The number of this puzzle is 1000200030004000\n@P", "", &["#1", "@P"]),
    ("6...5....2......6.41......43.1...... ....3...1..6.63.........3..54.1...6", "",
        &["6...5....2......6.41......43.1......", "!35 cells"]),
    ("2x2:1_2d1_2a1d4a easy 2x2:3_4d1_2a1d4a", "", &["12....12.1....4.", "34....12.1....4."]),
    ("https://www.sudokuwiki.org/sudoku.htm?bd=@P https://www.sudokuwiki.org/sudoku.htm?bd=@P", "", &["@P", "@P"]),
    ("https://www.sudokuwiki.org/sudoku.htm?bd=@P https://www.sudokuwiki.org", "",
        &["@P", "!line 1, column 124: the link holds no puzzle"]),
    ("2x2:1_2d1_2a1d4a  2x2:5", "", &["12....12.1....4.", "!line 1, column 19: "]),
    ("https://www.sudokuwiki.org/sudokux.aspx?bd=@P", "", &["!'sudokux', has other rules"]),
    ("https://www.sudokuwiki.org/sudokux.aspx?bd=@P", "- - 3x3", &["@P"]),
    (".4..6...3..152......45......4......\n.4..6...3..152......45......4......2", "",
        &["!35 cells", ".4..6...3..152......45......4......2"]),
    // Rows: a line of 16 or 36 cells can be a board or a row.
    ("1234341221434321", "", &["1234341221434321"]),
    ("1234341221434321\n1234341221434321\n", "", &["1234341221434321", "1234341221434321"]),
    ("123456789ABCDEFG", "", &["!for a row of a 16x16 board, give the size of its boxes with --shape"]),
    ("[1, 2, 3, None],\n[3, 4, None, 2],\n[2, 1, None, 3],\n[None, 3, 2, 1]", "", &["123.34.221.3.321"]),
    ("[1, 2, 3, None],\n[3, 4, None, 2],", "", &["!this block of 2 lines is no board"]),
    ("53..7....\n6..195...\n.98....6.\n\n8...6...3", "", &[
        "!this block has 3 rows of 9 cells: a board has 9 rows, without empty lines between them",
        "!one row of 9 cells: a board has 9 rows",
    ]),
    // A line of tabs is a row of empty cells; behind a whole board it is nothing.
    ("1\t2\t\t\n\t\t\t\n\t1\t\t\n\t\t4\t", "", &["12.......1....4."]),
    ("1\t2\t\t\n\t\t1\t2\n\t1\t\t\n\t\t4\t\n\t\t\t\n1\t2\t\t\n\t\t1\t2\n\t1\t\t\n\t\t3\t", "",
        &["12....12.1....4.", "12....12.1....3."]),
    ("\t\t\t\n1\t2\t\t\n\t1\t\t\n\t\t4\t", "", &["....12...1....4."]),
    ("1\t2\t\t\n\t\t1\t2\n\t1\t\t\n\t\t4\t\n\t\t\t\n1\t2\t\t\n\t\t1\t2\n\t1\t\t\n\t\t\t\n\t\t\t\n", "",
        &["12....12.1....4.", "!empty rows stand before and after these rows"]),
    ("1\t2\t\t\n\t\t1\t2\n\t1\t\t\n\t\t4\t\n\t\t\t\n1\t2\t\t\n\t\t1\t2\n\t1\t\t", "",
        &["12....12.1....4.", "!this block of 2 lines is no board", "!1 cell: no board has so many"]),
    // A number or a letter over a board is its title. Words for nothing are no title.
    ("1\n12..\n..12\n.1..\n..4.\n2\n12..\n..12\n.1..\n..3.", "", &["#1", "12....12.1....4.", "#6", "12....12.1....3."]),
    ("001\n1 2 . .\n. . 1 2\n. 1 . .\n. . 4 .", "", &["#1", "12....12.1....4."]),
    ("A\n12..\n..12\n.1..\n..4.", "", &["#1", "12....12.1....4."]),
    ("1 2 null null\nnull null null null\nnull 1 null null\nnull null 4 null", "", &["12.......1....4."]),
    ("12..\n..12\n.1..\n..4.\n12", "", &["!this block has 4 rows of 4 cells, and other lines: put empty lines", "!2 cells"]),
    // Lines of a frame say the boxes; what they do not say as boxes is refused.
    ("1 2 | . . | . .\n. . | 1 2 | . .\n. . | . . | 1 2\n----+-----+----\n3 4 | . . | . .\n. . | 3 4 | . .\n. . | . . | 3 4",
        "", &["12......12......1234......34......34 3x2"]),
    ("| 1 2 | . . |\n| . | 1 2 . |\n| . 1 | . . |\n| . . | 2 . |", "", &["!--shape 4+jigsaw:REGIONS"]),
    ("| 1 2 | . . |\n| . | 1 2 . |\n| . 1 | . . |\n| . . | 2 . |", "- - 4+jigsaw:AABBACCBACDBDDDC",
        &["12...12..1....2. 4+jigsaw:AABBACCBACDBDDDC"]),
    // Games of Solo.
    ("2x2x:a1b3_2j easy", "", &[".1..32.......... 2x2+x"]),
    ("2x3x:a1b3_2zz", "", &["!cells, but the board has 36 (6x6 board, 2x3 boxes, x)"]),
    ("3x3k:a", "", &["!it has cages"]),
    ("3x3z:a", "", &["!the flag 'z'"]),
    ("3x3j:a", "", &["!it has no regions"]),
    ("9j:a,z", "", &["!its regions"]),
    ("4j:p,bb", "", &["!its regions"]),
    ("4j:1o,abbbbbbba", "", &["1..............."]),
    // f-puzzles: its rules, given or not, a solution; whatever else is set is refused by its name on every level.
    ("f({'size':4,'title':'x','grid':[[{'value':3,'given':true},{'value':2},{},{'given':true}],@E,@E,@E]}) easy", "",
        &["3..............."]),
    ("f({'size':4,'diagonal+':true,'diagonal-':true,'grid':[@E,@E,@E,@E]})", "", &["................ 2x2+x"]),
    ("f({'size':4,'diagonal+':true,'diagonal-':false,'antiking':true,'grid':[@E,@E,@E,@E]})", "",
        &["................ 2x2+antidiagonal+anti-king"]),
    ("f({'size':4,'extraregion':[{'cells':['R2C2','R2C3','R3C2','R3C3']}],'grid':[@E,@E,@E,@E]})", "",
        &["................ 2x2+windoku"]),
    ("f({'size':4,'extraregion':[{'cells':['R1C1','R2C3','R3C4','R4C2']}],'grid':[@E,@E,@E,@E]})", "",
        &["................ 2x2+extra:r1c1r2c3r3c4r4c2"]),
    ("f({'size':4,'diagonal+':1,'diagonal-':true,'grid':[@E,@E,@E,@E]})", "", &["!the key 'diagonal+' holds 1"]),
    ("f({'size':4,'extraregion':[{'cells':['R1C1']}],'grid':[@E,@E,@E,@E]})", "", &["!not a region"]),
    ("f({'size':4,'extraregion':[{'cells':['R9C1']}],'grid':[@E,@E,@E,@E]})", "", &["!a region has no cells"]),
    ("f({'size':4,'extraregion':{'cells':['R1C1']},'grid':[@E,@E,@E,@E]})", "", &["!the key 'extraregion' holds"]),
    ("f({'size':4,'extraregion':[{'cells':['R1C1'],'size':1}],'grid':[@E,@E,@E,@E]})", "", &["!the rule 'size'"]),
    ("f({'size':4,'solution':[1,2,3,4,3,4,1,2,2,1,4,3,4,3,2,1],'grid':[[{'value':1,'given':true},{},{},{}],@E,@E,@E]})", "",
        &["1............... solved"]),
    ("f({'size':4,'thermo':@V,'grid':[@E,@E,@E,@E]})", "", &["!the rule 'thermo'"]),
    ("f({'size':4,'text':[{'cells':['R0C1'],'value':'17'}],'grid':[@E,@E,@E,@E]})", "", &["!the rule 'text' (\"17\")"]),
    ("f({'size':4,'title':'No. 7','text':[{'value':'No. 7'},{'value':'by Ada'}],'grid':[@E,@E,@E,@E]})", "",
        &["................"]),
    ("f({'size':4,'negative':@V,'grid':[@E,@E,@E,@E]})", "", &["!the rule 'negative'"]),
    ("f({'size':4,'metadata':{'antiking':@V},'grid':[@E,@E,@E,@E]})", "", &["!the rule 'antiking'"]),
    ("f({'size':4,'grid':[[{'givenPencilMarks':@V},{},{},{}],@E,@E,@E]})", "", &["!the rule 'givenPencilMarks'"]),
    ("f({'size':4,'thermo':@U,'antiking':@U,'grid':[@E,@E,@E,@E]})", "", &["................"]),
    ("f({'size':5,'grid':[@E,@E,@E,@E]})", "", &["!not square"]),
    ("f({'size':4,'grid':[[{'value':9,'given':true},{},{},{}],@E,@E,@E]})", "", &["!r1c1 holds 9"]),
    ("f({'size':4,'grid':[[{'value':65539,'given':true},{},{},{}],@E,@E,@E]})", "", &["!the key 'value' holds 65539"]),
    ("f({'size':4,'grid':[[{'region':1},{},{},{}],@E,@E,@E]})", "", &["!neither boxes nor a jigsaw"]),
    ("f([])", "", &["!it holds no puzzle"]),
    ("https://f-puzzles.com/?load=%%%", "", &["!the link to a puzzle"]),
    // SudokuPad, in both forms.
    ("s({'id':'x','cells':[[{'value':3},{'value':'2'},null,{}],@E,@E,@E]})", "", &["32.............."]),
    ("s({id:'x',ce:[[{v:3},,{v:'1'}],[,,,],[,,,],[,,,]],md:{title:'it\\'s'}})", "", &["!its grid is not square"]),
    ("s({id:'x',ce:[[{v:3},,{v:'1'},],[,,,],[,,,],[,,,]],md:{title:'it\\'s'}})", "", &["3.1............."]),
    ("s({'cells':[[{'value':'x'},{},{},{}],@E,@E,@E]})", "", &["!a cell holds \"x\""]),
    ("s({'cells':[@E,@E,@E,@E],'regions':[[[0,4]]]})", "", &["!leaves the board"]),
    ("s({'cells':[@E,@E,@E,@E],'regions':[[[0,0]]]})", "", &["!neither boxes nor"]),
    ("s({'cells':[@E,@E,@E,@E],'cages':[{'cells':[[0,0],[0,1]],'sum':3}]})", "", &["!the rule 'cages'"]),
    ("s({'cells':[@E,@E,@E,@E],'cages':[{'cells':[[0,0]],'sum':3}]})", "", &["!the rule 'sum'"]),
    ("s({'cells':[@E,@E,@E,@E],'metadata':{'title':'x','antiking':@V}})", "", &["!the rule 'antiking'"]),
    ("s({'cells':[@E,@E,@E,@E],'settings':{'global':@V}})", "", &["!the rule 'global'"]),
    ("s({'cells':[@E,@E,@E,@E],'global':@V})", "", &["!the rule 'global'"]),
    ("s({'cells':[[{'marks':@V},{},{},{}],@E,@E,@E]})", "", &["!the rule 'marks'"]),
    ("s({'cells':[@E,@E,@E,@E],'lines':@U,'metadata':{'solution':'1234341221434321'}})", "", &["................ solved"]),
];

/// The text of a case.
fn written(text: &str, value: &str) -> String {
    let text = text.replace("@P", PUZZLE).replace("@S", SOLUTION).replace("@E", "[{},{},{},{}]");
    let address = match text.get(..2) {
        Some("f(") => "https://f-puzzles.com/?load=",
        Some("s(") => "https://sudokupad.app/scl",
        _ => return text,
    };
    let (json, note) = text[2..].rsplit_once(')').unwrap();
    let json = json.replace("@V", value).replace("@U", value);
    let json = if json.starts_with("{id:") { json } else { json.replace('\'', "\"") };
    format!("{address}{}{note}", lz_str::compress_to_base64(&*json))
}

#[test]
fn texts_are_read_or_refused() {
    let mut wrong = Vec::new();
    for (text, options, expected) in CASES {
        let mut options =
            options.split(' ').chain(["-"; 3]).map(|option| Some(option).filter(|one| !["-", ""].contains(one)));
        let mut option = || options.next().unwrap();
        let signs = Signs { digits: option().map(Into::into), empty: option().and_then(|sign| sign.chars().next()) };
        let shape = option().map(|shape| shape.parse().unwrap());
        let values: &[&str] = match (text.contains("@U"), text.contains("@V")) {
            (true, _) => &["false", "0", "\"\"", "[]", "{}", "null"],
            (_, true) => &["true", "1", "\"yes\"", "[1]", "{\"a\":1}"],
            _ => &[""],
        };
        for value in values {
            let items = read(&written(text, value), shape, &signs);
            let is_right = |(item, expected): (&String, &&str)| match expected.strip_prefix('!') {
                Some(reason) => item.starts_with('!') && item.contains(reason),
                None => *item == expected.replace("@P", PUZZLE),
            };
            if items.len() != expected.len() || !items.iter().zip(*expected).all(is_right) {
                wrong.push(format!("{text} {value}:\n{items:#?}\n{expected:#?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A board with about half of its digits.
fn random_grid(shape: Shape, rng: &mut Rng) -> Grid {
    let n = shape.order();
    let values = (0..n * n).map(|_| if rng.below(2) == 0 { 0 } else { rng.below(n) as u16 + 1 }).collect();
    Grid::new(shape, values).unwrap()
}

#[test]
fn lines_and_blocks_of_every_shape_are_read_back() {
    for shape in Shape::all(36).into_iter().chain(["6x7".parse().unwrap()]) {
        let mut rng = Rng::new(1, shape.order() as u64, Stage::Bench, 0);
        for _ in 0..10 {
            let grid = random_grid(shape, &mut rng);
            assert_eq!(parse_line(&line(&grid), Some(shape)), Ok(grid.clone()), "{shape}");
            assert_eq!(parse_line(&block(&grid), Some(shape)), Ok(grid.clone()), "{shape}\n{}", block(&grid));
            let read = parse_line(&block(&grid), None).map(|read| read.values().to_vec());
            assert_eq!(read, Ok(grid.values().to_vec()), "{shape}\n{}", block(&grid));
        }
    }
}

#[test]
fn every_symbol_is_its_own_value() {
    for order in Shape::all(36).into_iter().map(Shape::order) {
        for value in 0..=order as u16 {
            assert_eq!(value_of(symbol(value, order), order), Some(value), "{value} of {order}");
        }
    }
    let values = [('0', 9), ('0', 36), ('X', 9), ('X', 35), ('A', 9)].map(|(sign, order)| value_of(sign, order));
    assert_eq!(values, [Some(0), Some(1), Some(0), Some(33), None]);
}

/// Each form reads its example, and the forms before it leave it alone.
#[test]
fn the_example_of_each_form_is_its_board() {
    for form in FORMS {
        assert_eq!(read(form.example, None, &Signs::default())[0].split(' ').next(), Some(form.board), "{}", form.name);
        let text = wanted::TextLine { number: 1, text: form.example, words: words::words(form.example) };
        if let TextForm::Line(read) = form.read {
            assert!(read(&text, &wanted::Wanted::default()).is_some(), "{}", form.name);
        }
    }
}

/// Games as Solo itself writes them: the first number is the rows of a box. Its manual draws 2x3 as two rows of three
/// columns. These games have no digit twice only if boxes have these sides.
#[test]
fn games_of_solo_are_written_as_they_are_read() {
    for (game, shape) in
        [("2x3:1l1v", "2x3"), ("3x2x:1g1za", "3x2+x"), ("3x4:1zj1zzzzb", "3x4"), ("3x3:5_3zzza", "3x3")]
    {
        let grid = parse_line(game, None).unwrap();
        assert_eq!((grid.shape().to_string().as_str(), grid.givens(), grid.conflict()), (shape, 2, None), "{game}");
        assert_eq!(game_of(&grid).as_deref(), Some(game));
    }
    let drawn = crate::dig::testing::variants(9);
    let jigsaws = drawn.into_iter().filter(|shape| ["9+jigsaw", "9+jigsaw+x"].contains(&&*shape.kind().to_string()));
    for shape in jigsaws.chain(["3x3+x", "2x2+x", "2x3", "4x4"].map(|shape| shape.parse().unwrap())) {
        let grid = random_grid(shape, &mut Rng::new(1, 2, Stage::Bench, 0));
        assert_eq!(parse_line(&game_of(&grid).unwrap(), None), Ok(grid));
    }
    // Boards that no game can hold: other rules, regions in several pieces.
    for shape in ["3x3+windoku", "4+jigsaw:ABABCDCDABABCDCD"] {
        assert_eq!(game_of(&Grid::blank(shape.parse().unwrap())), None, "{shape}");
    }
}

#[test]
fn bytes_that_are_not_text_are_an_error_of_their_line() {
    let mut bytes = format!("{PUZZLE}\n\u{feff}").into_bytes();
    bytes.extend(b"\xff\xfe\x00\n");
    bytes.extend(format!("{PUZZLE} Caf\u{e9}\n").chars().map(|sign| sign as u8));
    bytes.extend(format!("{PUZZLE} Caf\u{e9}\n").bytes());
    let entries: Vec<_> = PuzzleReader::new(&bytes[..], None).filter_map(TextItem::board).collect();
    assert_eq!(entries[1].as_ref().unwrap_err().reason.to_string(), "not a line of text");
    assert!(entries[2].as_ref().unwrap_err().to_string().contains("the line is not UTF-8"));
    assert!(entries[3].is_ok() && entries.len() == 4);
    let endless = vec![b'1'; 10 << 20];
    assert_eq!(PuzzleReader::new(&endless[..], None).count(), 1);
}

#[test]
fn candidates_are_those_of_their_cells() {
    let groups = |between: &str| {
        let cells: Vec<String> =
            (0..81).map(|cell| if cell == 7 { "5".to_owned() } else { "139".to_owned() }).collect();
        cells.chunks(9).map(|row| row.join(" ")).collect::<Vec<_>>().join(between)
    };
    for text in [groups(" "), groups("\n"), groups(" \n------+-----\n")] {
        let entry = PuzzleReader::new(text.as_bytes(), None).find_map(TextItem::board).unwrap().unwrap();
        let candidates = entry.candidates.unwrap();
        assert_eq!((candidates[6], candidates[7], entry.grid.givens()), (Digits(0b1_0000_0101), Digits(16), 1));
    }
}

/// Random bytes, mostly characters of boards. Every result except a panic is allowed.
#[test]
fn no_input_panics() {
    let alphabet = b"123456789.0*-_XxAZ |+=#!,;:[]\n\n\t\r\xff\xc3\xa9";
    let shapes = [None, Some(Shape::NINE), Some("2x2".parse().unwrap()), Some("6x6".parse().unwrap())];
    for index in 0..20_000 {
        let mut rng = Rng::new(9, index, Stage::Bench, 0);
        let bytes: Vec<u8> = (0..rng.below(400)).map(|_| rng.choose(alphabet)).collect();
        assert!(PuzzleReader::new(&bytes[..], rng.choose(&shapes)).count() <= bytes.len() + 1);
    }
}

/// The text of a board in one of many forms, with these signs of digits.
fn in_a_form(grid: &Grid, digits: &[char], rng: &mut Rng) -> String {
    let (shape, n) = (grid.shape(), grid.shape().order());
    let has_zero = digits[0] == '0';
    let empty = rng.choose(&['.', '_', '*', '-', '?', '~', '/', '@', '\u{25a1}', '\u{b7}', '0']);
    let numbers = n > 36 || n > 9 && digits[0] != 'A' && rng.below(3) == 0;
    let from_zero = u16::from(has_zero && n < 36);
    // Where 0 is a digit it stands for no empty cell.
    let empty = if empty == '0' && has_zero && !(n == 36 && numbers) { '.' } else { empty };
    let sign = |&value: &u16| match value {
        0 => empty.to_string(),
        _ if numbers => (value - from_zero).to_string(),
        _ => digits[usize::from(value) - 1].to_string(),
    };
    let rows: Vec<Vec<String>> = grid.values().chunks(n).map(|row| row.iter().map(sign).collect()).collect();
    let lines = |between: &str| rows.iter().map(|row| row.join(between)).collect::<Vec<_>>();
    // A line of numbers is no form.
    let first = if numbers { 3 } else { 0 };
    match first + rng.below(7 - first) {
        0 => format!("{}{}\n", lines("").concat(), rng.choose(&["", " ", " # a note", ",easy", "\t2.3"])),
        1 => lines("").join("\n") + "\n",
        2 => lines("").join("\r\n") + "\r\n",
        3 => lines(" ").join("\n") + "\n",
        4 => lines(",").join("\n") + "\n",
        5 => lines("\t").join("\n") + "\n",
        _ => {
            let (bar, dash, cross) = rng.choose(&[("|", "-", "+"), ("│", "─", "┼"), ("║", "═", "╬")]);
            let rule = vec![dash.repeat(3 * shape.box_columns()); shape.stacks()].join(cross) + "\n";
            let row = |row: &Vec<String>| {
                let parts = row.chunks(shape.box_columns()).map(|part| format!(" {} ", part.join(" ")));
                format!("{bar}{}{bar}\n", parts.collect::<Vec<_>>().join(bar))
            };
            let bands = rows.chunks(shape.box_rows()).map(|band| band.iter().map(row).collect::<String>());
            format!("{cross}{rule}{}{cross}{rule}", bands.collect::<Vec<_>>().join(&rule))
        }
    }
}

/// Texts of random boards of every order, in random forms and signs, between headings, comments and damaged boards:
/// what was read and what was told is what is there.
#[test]
fn everything_in_a_text_is_read_or_told() {
    const TITLES: [&str; 9] = [
        "Grid 01", "[easy]", "; two puzzles", "Simple Sudoku", "// next", "Version 4.2n", "=== hard ===", "--- 4 ---",
        "1.",
    ];
    let mut wrong = Vec::new();
    for seed in 0..1_000 {
        let mut rng = Rng::new(seed, 49, Stage::Bench, 0);
        let order = rng.choose(&[6, 8, 9, 9, 9, 10, 12, 16, 25, 35, 36, 40]);
        let shape = Shape::of_order(order).unwrap();
        let usual: Vec<char> = (1..=order.min(36)).map(|value| symbol(value as u16, order.min(36))).collect();
        let digits = match rng.below(4) {
            0 if order < 36 => ('0'..='9').chain('A'..='Z').take(order).collect(),
            1 if order <= 26 => ('A'..='Z').take(order).collect(),
            _ => usual.clone(),
        };
        let named = (digits != usual).then(|| digits.iter().collect::<String>().into());
        let (mut text, mut expected) = (String::new(), Vec::new());
        for _ in 0..1 + rng.below(5) {
            match rng.below(8) {
                0 => {
                    text += &format!("{}\n# 53..7....\n\n", rng.choose(&TITLES));
                    expected.push("#".to_owned());
                }
                1 => {
                    text += &format!("\n{}\n\n", &PUZZLE[..rng.below(30) + 45]);
                    expected.push("!".to_owned());
                }
                _ => {
                    // Every digit of the order is in a row that is full.
                    let full = rng.below(order);
                    let template = Solution::template(shape);
                    let keep = |cell: usize| cell / order == full || !(cell * 7 + full).is_multiple_of(3);
                    let digit = |(cell, &value): (usize, &u16)| if keep(cell) { value } else { 0 };
                    let grid = Grid::new(shape, template.values().iter().enumerate().map(digit).collect()).unwrap();
                    text += &format!("\n{}\n", in_a_form(&grid, &digits, &mut rng));
                    expected.push(line(&grid));
                }
            }
        }
        let items = read(&text, None, &Signs { digits: named, empty: None });
        let is_right =
            items.len() == expected.len() && items.iter().zip(&expected).all(|(item, one)| item.starts_with(one));
        if !is_right {
            wrong.push(format!("seed {seed}: {items:#?}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{} of 1000 texts:\n{}", wrong.len(), wrong[..wrong.len().min(4)].join("\n"));
}

/// What stands before and after a board changes nothing.
#[test]
fn each_board_is_read_alone() {
    let lines = [
        PUZZLE,
        "12.3.....4..5..................................................0................8",
        ".......1.4.........2...........5.4.7..8...3....1.8....3..4..2...5.1........7.6...",
        "42..6....5..084....87....5.7...5...23..7.2..06...1...5.5....17....308..4....7..68",
        "EC..G....F..AIE....IH....F.H...F...CD..H.C..AG...B...F.F....BH....DAI..E....H..GI",
        "53__7____6__195____98____6_8___6___34__8_3__17___2___6_6____28____419__5____8__79 _ _",
        "530070000600195000098000060800060003400803001700020006060000280000419005000080079",
    ];
    let problems = |text: &str| -> Vec<String> {
        let items = read(text, None, &Signs::default());
        items
            .iter()
            .map(|item| item.split_once(", column").map_or(item.as_str(), |(_, told)| told).to_owned())
            .collect()
    };
    let mut each: Vec<String> = lines.iter().flat_map(|line| problems(line)).collect();
    for first in 0..lines.len() {
        let turned: Vec<&str> = lines.iter().cycle().skip(first).take(lines.len()).copied().collect();
        assert_eq!(problems(&turned.join("\n")), each);
        each.rotate_left(1);
    }
}
