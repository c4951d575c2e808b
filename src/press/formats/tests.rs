//! Round trips through the reader of files, and tests with damaged files.

use std::fs;
use std::path::Path;

use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use tempfile::tempdir;

use super::*;
use crate::calendar::series;
use crate::choice::rows::chosen::Chosen;
use crate::choice::rows::puzzles::{Puzzles, Rows};
use crate::formats::write::write_to;
use crate::words::language::Language;
use crate::words::numbering::Numbering;
use sudoku_corpus_core::board::{Isomorphism, Puzzle, Shape, Solution, Symmetry, VARIANTS, text};
use sudoku_corpus_core::generate::{Method, Strength, jigsaw};
use sudoku_corpus_core::ladder::{Ladder, Level, rate};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::solve::{Budget, Verdict, verdict};
use sudoku_corpus_store::base64::prelude::{BASE64_STANDARD, Engine as _};
use sudoku_corpus_store::corpus::{Input, Least, Levels, Reading, Record};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// A grid of a shape with about a third of its cells, chosen as if by a selection.
pub(crate) fn chosen(shape: Shape, seed: u64) -> Chosen {
    let mut rng = Rng::new(seed, 0, Stage::Bench, 0);
    let method = if shape.is_plain() { Method::Permutation(Strength::Blocks) } else { Method::FewestCandidates };
    let solution = method.fill(shape, &mut rng).unwrap();
    let map = Isomorphism::random(shape, sudoku_corpus_core::board::Freedom::ALL, &mut rng);
    let solution = map.apply(&solution);
    let puzzle = solution.masked(|_| rng.below(3) == 0);
    let level = Levels::default().keys().nth(rng.below(5)).map(|level| level.to_owned().into());
    let (hodoku_level, hodoku_score) = (Some(Level::ALL[rng.below(6)]), Some(7));
    let bare = Record::of_puzzle(seed, puzzle);
    let record = Record { solution: Some(solution), level, hodoku_level, hodoku_score, ..bare };
    Chosen::new(&record, 0, seed.into())
}

/// These puzzles as the choice of an output.
fn all(rows: &[Chosen]) -> Puzzles {
    Puzzles::of(&std::env::temp_dir(), rows.iter().cloned())
}

/// The puzzle with an invented rating of Sudoku Explainer, which takes long, and means nothing for several solutions.
fn with_er(chosen: &Chosen, tenths: u32) -> Chosen {
    Chosen::new(&Record { se_er_tenths: Some(tenths), ..chosen.record() }, chosen.quota, chosen.class)
}

/// One of the shapes of all kinds that a format holds: plain, with each variant, with several, jigsaws.
fn shape_of(seed: u64, info: &FormatInfo) -> Shape {
    let mut shapes: Vec<Shape> = Shape::all(36);
    let variants = VARIANTS.iter().map(|variant| ("3x3", variant.name));
    let mixtures = [("2x3", "disjoint"), ("4x4", "x"), ("2x2", "extra:r1c1r2c3r3c4r4c2"), ("3x3", "windoku+asterisk")];
    for (shape, variants) in variants.chain(mixtures) {
        shapes.push(shape.parse::<Shape>().unwrap().with(variants).unwrap());
    }
    for text in ["5+jigsaw", "9+jigsaw", "9+jigsaw+x", "12+jigsaw+anti-king"] {
        shapes.push(jigsaw(text.parse().unwrap(), Symmetry::None, 1, seed % 5).unwrap());
    }
    shapes.retain(|shape| (info.holds)(*shape));
    shapes[seed as usize % shapes.len()]
}

/// Text that every format with a heading has to escape, fold or leave out.
fn heading() -> Heading {
    let text = Some("<A> & \"B\" 'C'\r\n#D ]]> \u{1}é 9".to_owned());
    Heading {
        title: text.clone(),
        author: text.clone(),
        source: text,
        date: Some("2026-11-21".to_owned()),
        ..Heading::default()
    }
}

/// What a row of a file gives.
#[derive(Debug, PartialEq)]
pub(crate) struct Boards {
    pub puzzle: Option<Puzzle>,
    pub solution: Option<Solution>,
}

pub(crate) fn read(path: &Path, shape: Option<Shape>) -> Vec<Boards> {
    let rows = Input::open(path, Reading { shape, least: Least::Nothing, ..Reading::default() }).unwrap();
    rows.map(Result::unwrap).map(|Record { puzzle, solution, .. }| Boards { puzzle, solution }).collect()
}

/// A text as other programs save it: with other line ends, in another encoding, with another indentation. None for
/// bytes.
fn changed(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    let text = &text.replace("\r\n", "\n");
    let wide = |unit: fn(u16) -> [u8; 2]| format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    let mut changed = vec![
        ("CR LF", text.replace('\n', "\r\n").into_bytes()),
        ("CR", text.replace('\n', "\r").into_bytes()),
        ("a mark", format!("\u{feff}{text}").into_bytes()),
        ("UTF-16LE", wide(u16::to_le_bytes)),
        ("UTF-16BE", wide(u16::to_be_bytes)),
    ];
    let values: Result<Vec<serde_json::Value>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    let values = values.unwrap_or_default();
    if values.iter().any(|value| value.is_object() || value.is_array()) {
        let indented = values.iter().map(|value| format!("{value:#}\n")).collect::<String>();
        let narrow = values.iter().map(|value| format!("{value}\n")).collect::<String>();
        changed.extend([("indented", indented.into_bytes()), ("not indented", narrow.into_bytes())]);
    }
    changed
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_format_is_read_back(seed in any::<u64>(), count in 0usize..5) {
        // Pictures cannot be read back. Databases are read by SQLite, and tested where they are written. Links of
        // Penpa+ have a test of their own.
        let is_elsewhere = |format| matches!(format, Format::Picture(_) | Format::Sqlite | Format::Penpa);
        for info in FORMATS.iter().filter(|info| !is_elsewhere(info.format)) {
            let shape = shape_of(seed, info);
            let count = if info.format.is_single() { count.min(1) } else { count };
            let seeds = (0..count as u64).map(|number| seed.wrapping_add(number));
            let rows: Vec<Chosen> = seeds.map(|seed| with_er(&chosen(shape, seed), 15)).collect();
            let folder = tempdir().unwrap();
            let path = folder.path().join(format!("puzzles{}", info.ends[0]));
            seal(&path, info.format, &all(&rows), &heading()).unwrap().publish().unwrap();
            prop_assert_eq!(Format::of_name(&path), Ok(Some(info.format)));
            let back = read(&path, Some(shape));
            prop_assert_eq!(back.len(), rows.len(), "{}", info.name);
            for (chosen, Boards { puzzle, solution }) in rows.iter().zip(&back) {
                prop_assert_eq!(puzzle, &chosen.puzzle(), "{} {}", info.name, shape);
                prop_assert!(solution.is_none() || *solution == chosen.record().solution, "{} {}", info.name, shape);
            }
            for (change, bytes) in changed(&fs::read(&path).unwrap()) {
                fs::write(&path, bytes).unwrap();
                let again = read(&path, Some(shape));
                prop_assert_eq!(&again, &back, "{} {} {}", info.name, shape, change);
            }
        }
    }

    #[test]
    fn files_that_name_their_shape_are_read_without_it(seed in any::<u64>()) {
        for name in ["csv", "jsonl", "json", "f-puzzles", "sudokupad", "tatham", "parquet", "csv.zst"] {
            let info = name.parse::<Format>().unwrap().info();
            let rows = [chosen(shape_of(seed, info), seed)];
            let folder = tempdir().unwrap();
            let path = folder.path().join(format!("puzzles{}", info.ends[0]));
            seal(&path, info.format, &all(&rows), &Heading::default()).unwrap().publish().unwrap();
            let back = read(&path, None);
            prop_assert_eq!(&back[0].puzzle, &rows[0].puzzle(), "{}", name);
        }
    }

    /// Links of SudokuPad and Penpa+ and files of ipuz, read as those programs read them. Boxes and regions are a test of
    /// their own: `outputs`.
    #[test]
    fn links_hold_the_board_and_its_solution(seed in any::<u64>()) {
        let shape = shape_of(seed, Format::Penpa.info());
        let (n, one) = (shape.order(), chosen(shape, seed));
        let numbering = Numbering::new(7, Vec::new(), Levels::default(), Language::default());
        let heading = Heading { title: Some("Daily, zQ".to_owned()), numbering, ..Heading::default() };
        let link = |format| {
            let mut bytes = Vec::new();
            write_to(&mut bytes, format, &Rows::all(&all(std::slice::from_ref(&one))), &heading).unwrap();
            String::from_utf8(bytes).unwrap()
        };
        let record = one.record();
        let values: Vec<u64> = record.puzzle.unwrap().grid().values().iter().map(|&value| value.into()).collect();
        let solved: Vec<u64> = record.solution.unwrap().values().iter().map(|&value| value.into()).collect();

        let pad = unpacked(&link(Format::SudokuPad), "https://sudokupad.app/scl");
        let cells = pad["cells"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
        prop_assert_eq!(cells.map(|cell| cell["value"].as_u64().unwrap_or(0)).collect::<Vec<_>>(), &values[..]);
        prop_assert_eq!(&pad["metadata"]["title"], "Daily, zQ 7");
        if n <= 9 {
            let digits: String = solved.iter().map(ToString::to_string).collect();
            prop_assert_eq!(&pad["metadata"]["solution"], &digits);
        }

        let text = of_penpa(&link(Format::Penpa));
        let lines: Vec<&str> = text.split('\n').collect();
        // Line 0 begins with the board and its two sides. Its 16th value is the title.
        prop_assert!(lines[0].starts_with(&format!("square,{n},{n},")), "{}", lines[0]);
        prop_assert_eq!(lines[0].split(',').nth(15), Some("Title: Daily%2C zQ 7"));
        // Line 3 has the digits by cell, line 5 the distance of each cell from the one before.
        let [digits, distances] = [lines[3], lines[5]].map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let mut cell = 0;
        for (distance, &value) in distances.as_array().unwrap().iter().zip(&values) {
            cell += distance.as_u64().unwrap();
            let digit = digits["number"][cell.to_string()][0].as_str();
            prop_assert_eq!(digit.map_or(0, |digit| digit.parse().unwrap()), value);
        }
        prop_assert_eq!(distances.as_array().unwrap().len(), values.len());
        prop_assert_eq!(lines.len(), 19);

        let ipuz: serde_json::Value = serde_json::from_str(&link(Format::Ipuz)).unwrap();
        let charset: Vec<char> = ipuz["charset"].as_str().unwrap().chars().collect();
        let value = |cell: &serde_json::Value| match cell.as_str() {
            Some(letter) => charset.iter().position(|&symbol| letter == symbol.to_string()).unwrap() as u64 + 1,
            None => cell.as_u64().unwrap(),
        };
        for (name, expected) in [("puzzle", &values), ("solution", &solved)] {
            let cells = ipuz[name].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
            prop_assert_eq!(&cells.map(value).collect::<Vec<_>>(), expected);
        }
        prop_assert_eq!(ipuz["zones"].is_array(), shape.box_rows() != shape.box_columns());
    }

    /// Bytes are changed, cut off or inserted. The result is other rows or an error, never a panic.
    #[test]
    fn damaged_files_are_errors(seed in any::<u64>()) {
        for info in &FORMATS {
            let mut rng = Rng::new(seed, 1, Stage::Bench, 0);
            let one = with_er(&chosen(shape_of(seed % 5, info), seed), 20);
            let folder = tempdir().unwrap();
            let path = folder.path().join(format!("puzzles{}", info.ends[0]));
            seal(&path, info.format, &all(&[one]), &heading()).unwrap().publish().unwrap();
            let mut bytes = fs::read(&path).unwrap();
            for _ in 0..=rng.below(3) {
                let offset = rng.below(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
                match rng.below(4) {
                    0 => bytes.truncate(offset + 1),
                    1 => bytes.insert(offset, rng.word() as u8),
                    2 => bytes[offset] ^= 1 << rng.below(8),
                    _ => bytes[offset] = [0, b'<', b'{', b'"', b':', 0xff][rng.below(6)],
                }
            }
            fs::write(&path, &bytes).unwrap();
            if let Ok(rows) = Input::open(&path, None) {
                prop_assert!(rows.take(10_000).count() < 10_000);
            }
        }
    }
}

/// The puzzle of the README, rated by the ladder.
fn puzzle_of_readme() -> Chosen {
    let puzzle = Puzzle::try_from(text::parse_line(PUZZLE, None).unwrap()).unwrap();
    let Verdict::Unique(solution) = verdict(&puzzle, Budget::UNLIMITED) else { panic!("not unique") };
    let rating = rate(&puzzle, &Ladder::default());
    let mut record = Record { solution: Some(solution), level: Some("easy".into()), ..Record::of_puzzle(3, puzzle) };
    record.set_rating(&rating);
    Chosen::new(&record, 0, 0x1234)
}

/// What a format writes of the puzzle of the README, with a level of a scale.
fn written_with(format: Format, levels: Levels, level: &'static str) -> String {
    let mut bytes = Vec::new();
    let numbering = Numbering::new(1, Vec::new(), levels, Language::default());
    let heading = Heading { author: Some("Ann".to_owned()), numbering, ..Heading::default() };
    let chosen = puzzle_of_readme();
    let row = Record { level: Some(level.into()), ..chosen.record() };
    let rows = all(&[Chosen::new(&row, chosen.quota, chosen.class)]);
    write_to(&mut bytes, format, &Rows::all(&rows), &heading).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn written(format: Format) -> String {
    written_with(format, Levels::default(), "easy")
}

/// The lines in a link to Penpa+, without its short names.
pub(crate) fn of_penpa(link: &str) -> String {
    let packed = link.trim().strip_prefix("https://swaroopg92.github.io/penpa-edit/#m=solve&p=").unwrap();
    let bytes = BASE64_STANDARD.decode(packed).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::DeflateDecoder::new(&bytes[..]), &mut text).unwrap();
    text.replace("zQ", "\"pu_q\"").replace("zA", "\"pu_a\"").replace("zZ", "z")
}

/// The object in a link to f-puzzles.
pub(crate) fn in_link(link: &str) -> serde_json::Value {
    unpacked(link, "https://f-puzzles.com/?load=")
}

/// The object in a link of an address.
pub(crate) fn unpacked(link: &str, address: &str) -> serde_json::Value {
    let packed = link.trim().strip_prefix(address).unwrap();
    let units = lz_str::decompress_from_base64(packed).unwrap();
    serde_json::from_str(&String::from_utf16(&units).unwrap()).unwrap()
}

#[test]
fn links_name_own_levels() {
    let levels = Levels::parse(
        "[[level]]\nname = \"Hart\"\nhodoku_level = \"hard\"\n[[level]]\nname = \"Sanft\"\nhodoku_level = \"easy\"",
    );
    let json = in_link(&written_with(Format::FPuzzles, levels.unwrap(), "Sanft"));
    assert_eq!(json["title"], "Sudoku 1, Sanft");
    assert_eq!(in_link(&written(Format::FPuzzles))["title"], "Sudoku 1");
}

#[test]
fn texts_are_as_their_descriptions_say() {
    let zeros = PUZZLE.replace('.', "0");
    assert_eq!(written(Format::Lines), format!("{PUZZLE}\n"));
    assert_eq!(written(Format::Hodoku), format!(":0000:x:{PUZZLE}:::\n"));
    let sdk = written(Format::Sdk);
    assert!(sdk.starts_with("#AAnn\n#Dpuzzle 1\n#Leasy\n53..7....\n6..195...\n"), "{sdk}");
    assert_eq!(sdk.lines().count(), 3 + 9);
    let xml = written(Format::OpenSudoku);
    assert!(xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n"), "{xml}");
    assert!(xml.contains("<level>easy</level>") && xml.contains(&format!("<game data=\"{zeros}\"/>")), "{xml}");
    let csv = written(Format::Csv);
    assert!(csv.starts_with("id,puzzle,solution,clues,level,hodoku_score,"), "{csv}");
    assert!(csv.contains(&format!(
        "1,{PUZZLE},534678912672195348198342567859761423426853791713924856961537284287419635345286179,30,easy,"
    )));
}

#[test]
fn the_first_row_of_an_f_puzzles_link_is_as_f_puzzles_writes_it() {
    let json = in_link(&written(Format::FPuzzles));
    assert_eq!(json["size"], 9);
    assert_eq!(json["grid"][0][0], serde_json::json!({ "value": 5, "given": true }));
    assert_eq!(json["grid"][0][2], serde_json::json!({}));
    assert_eq!(json["solution"].as_array().unwrap().len(), 81);
}

#[test]
fn names_in_braces_make_files_and_equal_names_share_one() {
    let folder = tempdir().unwrap();
    let rows = all(&(0..12).map(|seed| chosen(Shape::NINE, seed)).collect::<Vec<_>>());
    let days = series::days("2026-12-31".parse().unwrap(), 13, series::Weekdays::default());
    let numbering = Numbering::new(99, days, Levels::default(), Language::default());
    let heading = Heading { numbering, ..Heading::default() };
    // The names of the files, and how many puzzles each has.
    let names = |name: &str, format: &str| -> Result<Vec<(String, usize)>, String> {
        let path = folder.path().join(name);
        let files = files(&path, format.parse().unwrap(), &rows, &heading).map_err(|error| error.to_string())?;
        let named = files.iter().map(|OutFile { path, rows, .. }| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), rows.positions().count())
        });
        Ok(named.collect())
    };
    let dated = names("{date}-{weekday}.csv", "csv").unwrap();
    assert_eq!((&dated[0], dated.len()), (&("2027-01-01-Friday.csv".to_owned(), 1), 12));
    assert_eq!(names("{number}.svg", "svg").unwrap()[0].0, "099.svg");
    let levels = names("{level}.csv", "csv").unwrap();
    assert!(levels.len() < 7 && levels.iter().map(|(_, rows)| rows).sum::<usize>() == 12, "{levels:?}");
    assert!(names("{level}.ipuz", "ipuz").unwrap_err().contains("holds one puzzle"));
    assert!(names("{levl}.csv", "csv").unwrap_err().contains("{levl}"));
    seal(&folder.path().join("{level}.csv"), Format::Csv, &rows, &heading).unwrap().publish().unwrap();
    let table = fs::read_to_string(folder.path().join(&levels[0].0)).unwrap();
    let level = levels[0].0.trim_end_matches(".csv");
    assert!(table.lines().next().unwrap().ends_with(",class,date"), "{table}");
    assert!(table.lines().skip(1).all(|line| line.contains(level) && line.contains(",2027-01-")), "{table}");
    let undated = files(Path::new("{date}.csv"), Format::Csv, &rows, &Heading::default()).unwrap_err().to_string();
    assert!(undated.contains("{date} needs --dates"), "{undated}");
}

#[test]
fn the_table_is_in_the_order_of_the_enum_and_names_are_found() {
    for (place, info) in FORMATS.iter().enumerate() {
        assert_eq!(FORMATS.iter().position(|other| other.format == info.format), Some(place));
        assert_eq!(info.name.parse(), Ok(info.format));
        for end in info.ends {
            assert_eq!(Format::of_name(Path::new(&format!("A{}", end.to_uppercase()))), Ok(Some(info.format)));
        }
    }
    assert!("xls".parse::<Format>().unwrap_err().to_string().contains("`list formats`"));
    for (name, file) in [("kaggle", "a.kaggle.csv"), ("ss", "b-%.ss"), ("exchange", "c.exchange.txt"), ("eps", "d.EPS")]
    {
        let refused = name.parse::<Format>().unwrap_err();
        assert!(refused.0.starts_with(&format!("the format {name} is gone: `")), "{refused}");
        assert_eq!(Format::of_name(Path::new(file)), Err(refused));
    }
}

/// Games of all kinds of boards that Simon Tatham's Solo (2017) has made, each with the solution that its own solver gives.
/// They have one solution only if the sides of boxes are those that Solo means.
#[test]
fn games_of_solo_have_its_solution_and_are_written_as_solo_writes_them() {
    let games = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/tatham.txt")).unwrap();
    for line in games.lines() {
        let (game, solution) = line.split_once(' ').unwrap();
        let solution: Vec<u32> = solution.split(',').map(|value| value.parse().unwrap()).collect();
        let folder = tempdir().unwrap();
        let path = folder.path().join("game.tatham.txt");
        fs::write(&path, game).unwrap();
        let puzzle = read(&path, None).remove(0).puzzle.unwrap();
        let Verdict::Unique(solved) = verdict(&puzzle, Budget::UNLIMITED) else { panic!("{game}") };
        let values: Vec<u32> = solved.values().iter().map(|&value| value.into()).collect();
        assert_eq!(values, solution, "{game}");
        assert_eq!(text::game_of(puzzle.grid()).as_deref(), Some(game));
    }
    assert_eq!(games.lines().count(), 13);
}

/// Texts of steps name neither variants nor regions nor the sides of boxes.
#[test]
fn steps_as_text_refuse_boards_with_rules() {
    let folder = tempdir().unwrap();
    for (shape, name, is_held) in [
        ("3x3", "a.tokens", true),
        ("3x3+anti-knight", "b.tokens", false),
        ("4+jigsaw:AAABCABBCCDBCDDD", "c.txt", false),
        ("3x3+x", "d.jsonl", true),
        ("2x3", "e.txt", true),
        ("3x2", "f.txt", false),
        ("3x2", "f.tokens", false),
        ("3x2", "f.parquet", true),
    ] {
        let rows = all(&[chosen(shape.parse().unwrap(), 1)]);
        let made = seal_steps(&folder.path().join(name), &rows);
        assert_eq!(made.is_ok(), is_held, "{name}");
        if let Err(error) = made {
            assert!(error.to_string().contains("write the steps as .jsonl"), "{error}");
        }
    }
}

/// A file of lines tells the boxes of a board by its size alone.
#[test]
fn lines_refuse_two_kinds_of_boxes_of_one_size_in_one_file() {
    let folder = tempdir().unwrap();
    for (shapes, name, is_held) in [
        (["2x3", "3x2"], "a.sdm", false),
        (["3x2", "3x2"], "b.sdm", true),
        (["3x2", "3x3"], "c.txt", true),
        (["2x3", "3x2"], "d.csv", true),
        (["2x3", "3x2"], "e.tatham.txt", true),
        (["2x3", "3x2"], "f-{number}.sdm", true),
    ] {
        let rows = all(&shapes.map(|shape| chosen(shape.parse().unwrap(), 1)));
        let path = folder.path().join(name);
        let format = Format::of_name(&path).unwrap().unwrap();
        let made = seal(&path, format, &rows, &Heading::default());
        assert_eq!(made.is_ok(), is_held, "{name}");
        if let Err(error) = made {
            assert!(error.to_string().contains("the format lines does not name boxes"), "{error}");
        }
    }
}
