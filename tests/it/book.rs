//! Tests of the command `book`: files, messages, exit codes, and the same puzzles as `export` for the same options.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{fail, program, skip, stderr, succeed};

/// Runs, expects success and returns stderr.
fn good(folder: &Path, arguments: &[&str]) -> String {
    stderr(&succeed(program(folder, "").args(arguments), ""))
}

/// Runs and expects an exit code, words in the message, and no file.
fn bad(folder: &Path, arguments: &[&str], code: i32, message: &str) {
    fail(program(folder, "").args(arguments), "", code, &[message]);
    assert!(!folder.join("bad.pdf").exists(), "{arguments:?} wrote a file");
}

/// A folder with a corpus of some 9x9 puzzles.
fn corpus(count: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["run", "--quiet", "--count", count, "--techniques", "singles,intersections,subsets"];
    good(folder.path(), &arguments);
    folder
}

/// The output of a tool about a file. None, with a message, if the tool is not installed.
fn output_of(tool: &str, arguments: &[&str]) -> Option<String> {
    match Command::new(tool).args(arguments).output() {
        Ok(ran) => Some(String::from_utf8_lossy(&ran.stdout).into_owned()),
        Err(error) => {
            skip(&format!("{tool} cannot be run ({error}); install qpdf and poppler-utils"));
            None
        }
    }
}

#[test]
fn a_book_holds_the_puzzles_that_export_gives_for_the_same_options() {
    let folder = corpus("300");
    let path = folder.path();
    let said = good(
        path,
        &["book", "corpus", "--count", "40", "--seed", "3", "--uniqueness", "--out", "book.pdf", "--per-page", "1"],
    );
    assert!(said.contains("40 puzzles") && said.contains("pages of 6x9, 1 puzzle and 12 solutions"), "{said}");
    good(path, &["export", "corpus", "--count", "40", "--seed", "3", "--out", "book.txt"]);
    let Some(text) = output_of("pdftotext", &["-raw", path.join("book.pdf").to_str().unwrap(), "-"]) else { return };
    let pages: Vec<String> = text.split('\u{c}').map(|page| page.split_whitespace().collect()).collect();
    let puzzles = fs::read_to_string(path.join("book.txt")).unwrap();
    let mut found = 0;
    for puzzle in puzzles.lines() {
        let givens: String = puzzle.chars().take(81).filter(char::is_ascii_digit).collect();
        let holding = pages.iter().filter(|page| page.contains(&givens) && page.contains("Solutiononpage"));
        assert_eq!(holding.count(), 1, "{puzzle}");
        found += 1;
    }
    assert_eq!(found, 40);
}

#[test]
fn the_names_below_puzzles_are_those_of_the_command_number() {
    let folder = corpus("30");
    let path = folder.path();
    good(path, &["book", "corpus", "--count", "6", "--uniqueness", "--with", "names,time", "--out", "named.pdf"]);
    good(path, &["export", "corpus", "--count", "6", "--out", "named.txt"]);
    let Some(text) = output_of("pdftotext", &["-raw", path.join("named.pdf").to_str().unwrap(), "-"]) else { return };
    let named = succeed(program(path, "").args(["number", "named.txt"]), "");
    let named = String::from_utf8(named.stdout).unwrap();
    let names: Vec<&str> = named.lines().skip(1).filter_map(|line| line.split(',').nth(2)).collect();
    assert_eq!(names.len(), 6);
    for name in names {
        assert_eq!(text.matches(name).count(), 1, "{name} in {text}");
    }
}

#[test]
fn the_same_options_give_the_same_bytes_with_any_number_of_threads() {
    let folder = corpus("60");
    let path = folder.path();
    let book = |out: &str, more: &[&str]| {
        let arguments = ["book", "corpus", "--count", "25", "--title", "Судоку", "--out", out];
        good(path, &[&arguments[..], more].concat());
        fs::read(path.join(out)).unwrap()
    };
    let one = book("one.pdf", &["--threads", "1"]);
    assert!(one.starts_with(b"%PDF-1.7"));
    assert!(one == book("two.pdf", &["--threads", "3"]), "threads change the bytes");
    assert!(one != book("three.pdf", &["--seed", "9"]), "the seed changes nothing");
    assert!(one != book("four.pdf", &["--bleed"]), "bleed changes nothing");
    assert!(one == book("one.pdf", &["--force"]), "a book that is made again has other bytes");
    let output = succeed(program(path, "book corpus --count 25 --out - --quiet --title").arg("Судоку"), "");
    assert!(output.stdout == one && output.stderr.is_empty(), "{}", stderr(&output));
}

#[test]
fn books_of_large_and_small_boards_are_made_from_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/samples");
    let sixteen = samples.join("sixteen.txt");
    let trim = ["--trim", "8.5x11", "--large-print"];
    let said = good(path, &[&["book", sixteen.to_str().unwrap(), "--all", "--out", "large.pdf"][..], &trim].concat());
    assert!(
        said.contains("pages of 8.5x11, 1 puzzle and") && said.contains("pages for notes: printers bind"),
        "{said}"
    );
    let puzzles = fs::read_to_string(samples.join("puzzles.txt")).unwrap();
    fs::write(path.join("nine.txt"), format!("{puzzles}1234567\n")).unwrap();
    let said = good(path, &["book", "nine.txt", "--all", "--out", "nine.pdf"]);
    assert!(said.contains("8 puzzles") && said.contains("nine.txt:9:1"), "{said}");
    good(path, &["run", "--quiet", "--count", "9", "--shape", "2x3", "--out", "six"]);
    let said = good(path, &["book", "six", "--all", "--per-page", "6", "--trim", "A4", "--out", "six.pdf"]);
    assert!(said.contains("9 puzzles") && said.contains("pages of A4, 6 puzzles"), "{said}");
}

#[test]
fn wrong_options_are_refused_before_anything_is_written() {
    let folder = corpus("30");
    let path = folder.path();
    let with = |more: &[&'static str]| [&["book", "corpus", "--count", "5", "--out", "bad.pdf"], more].concat();
    bad(path, &with(&["--per-page", "13"]), 2, "1 to 12");
    bad(path, &with(&["--title", "Sudoku {vol}"]), 2, "'--title' uses {vol}");
    bad(
        path,
        &["book", "corpus", "--count", "9", "--out", "bad.txt"],
        2,
        "bad.txt: the name must end in .pdf, .epub or .html, such as bad.pdf",
    );
    assert!(!path.join("bad.txt").exists());
    bad(path, &with(&["--trim", "letter"]), 2, "8.5x11");
    bad(path, &with(&["--large-print", "--per-page", "4"]), 2, "large print needs digits of 20 pt");
    bad(path, &with(&["--large-print", "--trim", "5x8"]), 2, "large print needs digits of 28 pt");
    bad(path, &with(&["--title", "数独"]), 2, "the title holds '数', '独'");
    bad(path, &with(&["--author", " "]), 2, "the author is empty");
    bad(path, &with(&["--level", "esay=3"]), 2, "easy");
    bad(path, &with(&["--where", "no_such_column = 1"]), 2, "no_such_column");
    bad(path, &["book", "corpus", "--out", "bad.pdf"], 2, "say how many puzzles");
    bad(path, &["book", "corpus", "--count", "5"], 2, "--out");
    bad(path, &["book", "corpus", "--count", "31", "--uniqueness", "--out", "bad.pdf"], 1, "too few puzzles: 30 of 31");
    bad(path, &["book", "corpus", "--count", "3000", "--out", "bad.pdf"], 2, "3000 puzzles make at least");
    fs::write(path.join("there.pdf"), "").unwrap();
    fail(
        &mut program(path, "book corpus --count 5 --out there.pdf"),
        "",
        2,
        &["there.pdf exists: --force replaces it"],
    );
    bad(path, &["book", "nowhere", "--count", "5", "--out", "bad.pdf"], 1, "nowhere");
    bad(path, &["book", "corpus", "--count", "5", "--out", "no/such/folder/bad.pdf"], 1, "no/such/folder");
}

#[test]
fn a_second_volume_repeats_no_puzzle() {
    let folder = corpus("40");
    let path = folder.path();
    let volume = |out: &'static str| {
        vec!["book", "corpus", "--count", "20", "--out", out, "--except", "seen.index", "--remember", "seen.index"]
    };
    good(path, &["book", "corpus", "--count", "20", "--out", "one.pdf", "--remember", "seen.index"]);
    good(path, &volume("two.pdf"));
    bad(path, &volume("bad.pdf"), 1, "40 in earlier exports");
    assert_ne!(fs::read(path.join("one.pdf")).unwrap(), fs::read(path.join("two.pdf")).unwrap());
}

/// The text of a PDF file, page by page.
fn pages(file: &Path) -> Option<Vec<String>> {
    output_of("pdftotext", &["-layout", file.to_str().unwrap(), "-"])
        .map(|text| text.split('\u{c}').map(str::to_owned).collect())
}

#[test]
fn own_words_fonts_and_dates_appear_on_the_pages() {
    let folder = corpus("12");
    let path = folder.path();
    let font = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/press/draw/text/fonts/IBMPlexSans-Medium.ttf");
    fs::write(path.join("own.toml"), "[book]\nsolutions = \"Des Rätsels Lösung\"\n").unwrap();
    let common = ["book", "corpus", "--count", "6", "--uniqueness"];
    let own = ["--language", "de", "--words", "own.toml", "--title", "Band {volume}", "--subtitle", "Ganz leicht"];
    let more =
        ["--author", "E. Muster", "--date", "2027-01-31", "--first-number", "7", "--font", font.to_str().unwrap()];
    good(path, &[&common[..], &own, &more, &["--out", "own.pdf"]].concat());
    let Some(read) = pages(&path.join("own.pdf")) else { return };
    for (page, words) in [(0, "Band 7"), (0, "Ganz leicht"), (0, "E. Muster"), (1, "© 2027 E. Muster"), (2, "Inhalt")]
    {
        assert!(read[page].contains(words), "{words}: {}", read[page]);
    }
    assert!(read[2].contains("Des Rätsels Lösung") && read.concat().contains("Lösungen 1–6"));
    let fonts = output_of("pdffonts", &[path.join("own.pdf").to_str().unwrap()]).unwrap();
    assert!(fonts.contains("Medium") && !fonts.contains("Regular"), "{fonts}");
    good(
        path,
        &[&common[..], &["--imprint-text", "Nobody at all", "--ornament", "none", "--out", "plain.pdf"]].concat(),
    );
    assert!(pages(&path.join("plain.pdf")).unwrap()[1].contains("Nobody at all"));
    // A calendar: a day over each puzzle, and months instead of levels.
    good(
        path,
        &[
            &common[..],
            &["--dates", "2027-01-29..", "--title", "From {date}", "--index", "days.csv", "--out", "year.pdf"],
        ]
        .concat(),
    );
    let days = fs::read_to_string(path.join("days.csv")).unwrap();
    assert!(days.contains(",2027-01-29\n") && days.contains(",2027-02-03\n"), "{days}");
    let read = pages(&path.join("year.pdf")).unwrap();
    // The title may take two lines.
    let title = read[0].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(title.contains("From 29 January 2027") && read[2].contains("February 2027"), "{title}");
    assert!(read.concat().contains("Friday, 29 January 2027") && read.concat().contains("Wednesday, 3 February 2027"));
}

#[test]
fn volumes_share_no_puzzle_and_the_index_names_their_pages() {
    let folder = corpus("20");
    let path = folder.path();
    let series = ["--volumes", "2", "--first-number", "201", "--index", "where.csv", "--shade", "--difficulty", "bars"];
    good(path, &[&["book", "corpus", "--count", "6", "--uniqueness", "--out", "v-%.pdf"][..], &series].concat());
    let table = fs::read_to_string(path.join("where.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let puzzles: std::collections::HashSet<&str> = rows.iter().map(|row| row[3]).collect();
    assert_eq!((rows.len(), puzzles.len()), (12, 12));
    for volume in ["201", "202"] {
        let file = path.join(format!("v-{volume}.pdf"));
        let Some(read) = pages(&file) else { return };
        assert!(read[0].contains(&format!("Volume {volume}")), "{}", read[0]);
        // The index holds the printed page numbers. The pages before page 1 have no number.
        let solutions = read.iter().position(|page| page.contains("Solutions 1–6")).unwrap();
        let first = rows.iter().find(|row| row[0] == volume).unwrap();
        let front = solutions + 1 - first[6].parse::<usize>().unwrap();
        for row in rows.iter().filter(|row| row[0] == volume) {
            let number = |label: &str| label.parse::<usize>().unwrap();
            assert!(read[front + number(row[6]) - 1].contains("Solutions 1–6"), "{row:?}");
            let givens: String = row[3].chars().filter(char::is_ascii_digit).collect();
            let raw = output_of("pdftotext", &["-raw", file.to_str().unwrap(), "-"]).unwrap();
            let page = raw.split('\u{c}').nth(front + number(row[5]) - 1).unwrap();
            assert!(page.split_whitespace().collect::<String>().contains(&givens), "{row:?}");
        }
    }
}

/// The template for the cover follows from the number of pages, the paper and the printer of the book.
#[test]
fn a_book_draws_the_template_for_its_cover() {
    let folder = corpus("120");
    let path = folder.path();
    let book = |more: &str| {
        let words = format!("book corpus --count 60 --uniqueness --title Sudoku {more}");
        good(path, &words.split_whitespace().collect::<Vec<_>>())
    };
    let said = book("--printer kdp --out kdp.pdf --cover cover.pdf --cover cover.svg");
    assert!(said.contains("whole cover 12.") && said.contains("the spine takes no text: 79 pages at least"), "{said}");
    assert!(said.contains("on white paper") && fs::read_to_string(path.join("cover.svg")).unwrap().contains("<svg"));
    let cream = book("--printer kdp-hardcover --paper cream --out hard.pdf --cover hard-cover.pdf");
    assert!(cream.contains("on cream paper") && cream.contains("around the boards"), "{cream}");
    let volumes = book("--volumes 2 --out v-%.pdf --cover c-%.pdf");
    assert!(volumes.contains("c-1.pdf: whole cover") && path.join("c-2.pdf").exists(), "{volumes}");
    let front = book("--front-pages 4 --back-pages 1 --out front.pdf");
    assert!(front.contains("pages 1 to 4 of the file are empty") && front.contains(" of the file is empty"), "{front}");
    let wrong = |more: &str, code: i32, said: &str| {
        let words = format!("book corpus --count 60 --uniqueness --out bad.pdf {more}");
        bad(path, &words.split_whitespace().collect::<Vec<_>>(), code, said);
    };
    wrong("--cover cover.pdf", 2, "exists");
    wrong("--cover new.png", 2, "new.png");
    wrong("--trim 12x17 --cover new.pdf", 2, "does not bind pages of 12x17");
    wrong("--standard screen --cover new.pdf", 2, "--cover has no effect here: it needs a book that is printed");
    wrong("--volumes 2 --cover new.pdf", 2, "write % for the number of the volume");
    wrong("--printer kdp --with crop-marks", 2, "crop marks are refused");
    if let Some(text) = output_of("pdfinfo", &[path.join("kdp.pdf").to_str().unwrap()]) {
        assert!(!text.contains("Title:") && !text.contains("Creator:"), "{text}");
    }
}

/// A week has the levels that were asked for, in a calendar of two volumes that follow each other.
#[test]
fn a_calendar_in_volumes_has_a_level_for_each_day() {
    let folder = corpus("300");
    let path = folder.path();
    let words = "book corpus --count 7 --volumes 2 --dates 2027-01-04 --levels hodoku --uniqueness --title {count}_from_{date} --language en-US \
                 --week mon-thu=easy,fri-sun=medium --out v-%.pdf --index days.csv";
    good(path, &words.split_whitespace().collect::<Vec<_>>());
    let index = fs::read_to_string(path.join("days.csv")).unwrap();
    let rows: Vec<Vec<&str>> = index.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 14);
    for (at, row) in rows.iter().enumerate() {
        let level = if at % 7 < 4 { "Easy" } else { "Medium" };
        assert_eq!((row[0], row[4], row[7]), (["1", "2"][at / 7], level, &*format!("2027-01-{:02}", at + 4)));
    }
    if let Some(pages) = pages(&path.join("v-2.pdf")) {
        let title: String = pages[0].split_whitespace().collect();
        assert!(title.contains("7_from_January11,2027"), "{title}");
    }
    for (more, message) in [
        ("--week mon-sat=easy", "is a Sunday, which has no level"),
        ("--week mon-sun=easy --level easy=7", "--week cannot be used with quotas"),
        ("--week mon-sun=tuesday", "no level 'tuesday'"),
        ("--title {", "no pairs"),
        ("--all --volumes 2", "needs the number of days"),
    ] {
        let count = if more.contains("--all") { "" } else { "--count 7" };
        let out = if more.contains("--volumes") { "bad-%.pdf" } else { "bad.pdf" };
        let words = format!("book corpus {count} --dates 2027-01-04 --levels hodoku --out {out} {more}");
        bad(path, &words.split_whitespace().collect::<Vec<_>>(), 2, message);
    }
    bad(
        path,
        &["book", "corpus", "--count", "7", "--title", "From {date}", "--out", "bad.pdf"],
        2,
        "{date} needs --date",
    );
}

#[test]
fn numbers_go_on_from_volume_to_volume_if_asked_for() {
    let folder = corpus("20");
    let path = folder.path();
    let series =
        ["--volumes", "2", "--first-puzzle", "101", "--index", "where.csv", "--without", "contents,dividers,bookmarks"];
    good(path, &[&["book", "corpus", "--count", "6", "--uniqueness", "--out", "v-%.pdf"][..], &series].concat());
    let table = fs::read_to_string(path.join("where.csv")).unwrap();
    let numbers: Vec<&str> = table.lines().skip(1).map(|row| row.split(',').nth(1).unwrap()).collect();
    assert_eq!(numbers, ["101", "102", "103", "104", "105", "106", "107", "108", "109", "110", "111", "112"]);
    let Some(read) = pages(&path.join("v-2.pdf")) else { return };
    assert!(read.concat().contains("Solutions 107–112") && !read.concat().contains("Contents"));
    assert!(!String::from_utf8_lossy(&fs::read(path.join("v-2.pdf")).unwrap()).contains("/Outlines"));
}

#[test]
fn every_option_of_pictures_shows_in_the_files() {
    let folder = corpus("8");
    let path = folder.path();
    let export =
        |words: &str| good(path, &["export corpus --count 3 --seed 4", words].join(" ").split(' ').collect::<Vec<_>>());
    let file = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    export("--out a-%.svg");
    let plain = file("a-1.svg");
    let differs = |option: &str| {
        export(&format!("--force --out b-%.svg {option}"));
        let text = file("b-1.svg");
        assert_ne!(text, plain, "{option}");
        text
    };
    assert!(differs("--size 2in").contains("width=\"50.8mm\""));
    assert!(differs("--lines 3,0.7").contains("stroke-width=\"0.7\""));
    assert!(differs("--candidates").len() > plain.len());
    assert!(differs("--transparent").len() < plain.len());
    assert_eq!(differs("--shade").matches("<path").count(), plain.matches("<path").count() + 4);
    differs("--symbols letters");
    let live = differs("--live-text --caption level");
    let digits = (1..=9).map(|digit| live.matches(&format!(">{digit}</text>")).count()).sum::<usize>();
    assert!(live.contains("font-family=\"IBM Plex Sans\"") && (17..=40).contains(&digits), "{live}");
    differs("--caption number");
    assert_ne!(differs("--caption level"), differs("--caption level --language de"));
    export("--force --out c-%.svg --with-solutions --merge c.csv");
    let table = file("c.csv");
    assert!(table.lines().count() == 4 && table.contains("c-2.svg") && table.contains("c-2-solution.svg"), "{table}");
    assert!(file("c-1-solution.svg").len() > file("c-1.svg").len());
    export("--out d-%.png --size 1in --dpi 150");
    let png = fs::read(path.join("d-1.png")).unwrap();
    assert_eq!(png[16..24], [0, 0, 0, 150, 0, 0, 0, 150], "150 dots of an inch");
    export("--out sheet.html --title Sunday --with-solutions");
    let sheet = file("sheet.html");
    // Six boards, and the outlines of the digits.
    assert!(sheet.contains("<title>Sunday</title>") && sheet.matches("<svg").count() == 7);
    assert!(sheet.matches("role=\"img\" aria-label=\"").count() == 6 && sheet.len() < 60_000, "{} bytes", sheet.len());
    export("--out blatt.html --with-solutions --language de");
    assert!(
        file("blatt.html").contains("<html lang=\"de\">") && file("blatt.html").contains("<h2 class=\"new\">Lösungen")
    );
    export("--out g-%.ipuz --language de --levels newspaper");
    assert!(
        ["Leicht", "Mittel", "Schwer"]
            .iter()
            .any(|level| file("g-1.ipuz").contains(&format!("\"difficulty\":\"{level}")))
    );
    export("--out m-%.svg --merge m.txt --caption {weekday}|{level} --dates 2027-01-04 --language en-US");
    let table = fs::read(path.join("m.txt")).unwrap();
    let words: Vec<u16> = table.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let table = String::from_utf16(&words).unwrap();
    assert!(table.starts_with("\u{feff}number\tlevel\t") && table.lines().count() == 4, "{table}");
    assert!(
        table.contains("\tdate\tweekday\tcaption\tcaption_right\r\n")
            && table.contains("\t2027-01-05\tTuesday\tTuesday\t")
    );
    export("--out all.pdf");
    let Some(about) = output_of("pdfinfo", &[path.join("all.pdf").to_str().unwrap()]) else { return };
    assert!(about.lines().any(|line| line.starts_with("Pages:") && line.ends_with(" 3")), "{about}");
}

/// Boards of one number of cells differ by their boxes, so the tables name the shape beside each board.
#[test]
fn tables_beside_books_and_pictures_name_the_shape_of_each_board() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for shape in ["2x3", "3x2"] {
        good(path, &["run", "--quiet", "--shape", shape, "--count", "2", "--out", shape]);
    }
    good(path, &["book", "2x3", "3x2", "--all", "--uniqueness", "--out", "both.pdf", "--index", "index.csv"]);
    good(path, &["export", "2x3", "3x2", "--all", "--out", "p-%.svg", "--merge", "merge.csv"]);
    for table in ["index.csv", "merge.csv"] {
        good(path, &["export", table, "--all", "--out", "again.csv", "--force"]);
        let again = fs::read_to_string(path.join("again.csv")).unwrap();
        let mut shapes: Vec<&str> = again.lines().skip(1).filter_map(|row| row.split(',').nth(9)).collect();
        shapes.sort_unstable();
        assert_eq!(shapes, ["2x3", "2x3", "3x2", "3x2"], "{table}: {again}");
    }
}

#[test]
fn puzzles_on_a_pattern_can_be_published() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    good(path, &["mask", "heart", "--seed", "1", "--out", "heart.csv"]);
    good(path, &["export", "heart.csv", "--count", "1", "--out", "heart.txt"]);
    let line = fs::read_to_string(path.join("heart.txt")).unwrap();
    let heart = "..xx.xx...xxxxxxx.xx..x..xxx...x...xxx.....xx.xx...xx...xx.xx.....xxx.......x....";
    let given: String = line.chars().take(81).map(|digit| if digit.is_ascii_digit() { 'x' } else { '.' }).collect();
    assert_eq!(given, heart);
}
