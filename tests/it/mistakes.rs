//! Tests of what the program says of mistakes: messages of a newcomer's first hour, options without effect, numbers that are
//! too large, inputs of nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{self, PUZZLE, contents, good, output_text, program, run, stderr};

/// Words of libraries and of the system, which no message has.
const SYSTEM: &[&str] = &[
    "os error", "invalid digit", "invalid float", "invalid boolean", "invalid type", "target type", "empty string",
    "panicked", "RUST_BACKTRACE", "No such file", "Is a directory", "Not a directory", "File exists", "No space left",
    "did not contain valid UTF-8", "invalid utf-8", "TOML parse error", "expected value at line", "EOF while parsing",
    "CSV error", "CSV deserialize", "SqliteFailure", "PolarsError", "ParquetError", "thrift", "Utf8Error", "Kind(",
    "Os {", "Some(", "Error(", "&str", "..=", "exit status", "out of specification",
];

/// A folder with what newcomers have.
fn first_hour() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    good(path, "run --count 20 -q", "");
    good(path, "release corpus --out earlier --license MIT -q", "");
    good(path, "run --board 16x16 --count 2 --ratings none --techniques none --out six16 -q", "");
    fs::create_dir(path.join("folder")).unwrap();
    for (name, text) in [
        ("headeronly.csv", "Level,puzzle\n"),
        ("empty.txt", ""),
        ("text.txt", "hello world\n"),
        ("one.txt", &format!("{PUZZLE}\n")),
        ("ten.toml", "count = ten\n"),
        ("level.toml", "level = \"hard\"\n"),
        ("expert.toml", "[dig]\nlevel = \"unfair\"\n"),
        ("text.toml", "count = \"5\"\n"),
        ("brace.toml", "{\n"),
        ("key.toml", "symetry = \"none\"\n"),
        ("file.toml", "count = 3\n[[output]]\ncommand = \"export\"\nfile = \"a.csv\"\ncount = 2\n"),
    ] {
        fs::write(path.join(name), text).unwrap();
    }
    folder
}

/// What a newcomer typed, the exit code, and words that the message has.
const MISTAKES: &[(&str, i32, &[&str])] = &[
    ("run recipe:book --level hard --out x", 2, &["--level has no effect here: every [[quota]] of the recipe"]),
    ("make", 2, &["run"]),
    ("exprot corpus", 2, &["did you mean export?"]),
    ("version", 2, &["--version"]),
    ("publish", 2, &["release"]),
    ("report copus", 1, &["did you mean corpus"]),
    ("report 'my corpus'", 1, &["run --out 'my corpus'"]),
    ("run --cuont 10", 2, &["--count"]),
    ("nightly nights recipe:nightly", 2, &["nightly recipe:nightly nights"]),
    ("query SELECT count FROM puzzles", 2, &["put the query in quotes: query 'SELECT count FROM puzzles'"]),
    ("verify corpus --sample 0", 2, &["--sample", "less than 1"]),
    ("run --count 10,000", 2, &["--count", "a whole number has digits only: write 10000"]),
    ("run --count ten", 2, &["--count", "whole number"]),
    ("run --count -5", 2, &["-5 is negative"]),
    ("run -count 10", 2, &["--count"]),
    ("run --count 0", 2, &["at least one row"]),
    ("run --count 30 --out corpus", 2, &["another recipe", "count"]),
    ("run recipe.toml", 2, &["no such file", "list recipes"]),
    ("run corpus", 2, &["is a folder", "run --out corpus"]),
    ("run ten.toml", 2, &["ten.toml:1:9", "a number, true, false, or a text in quotes"]),
    ("run level.toml", 2, &["stands in [dig]", "[[level]]"]),
    ("run expert.toml", 2, &["unfair", "easy, medium, hard, expert, extreme"]),
    ("run text.toml", 2, &["count", "without quotes"]),
    ("run brace.toml", 2, &["brace.toml:1:1", "key = value"]),
    ("run key.toml", 2, &["symetry", "symmetry"]),
    ("run file.toml", 2, &["[[output]] 1", "export has no key 'file'; the file to write is the key out"]),
    ("run --except nothere.sdm --count 2 --out x", 2, &["--except"]),
    ("run --board 7x7", 2, &["no board has order 7"]),
    ("run --board 9", 2, &["--board"]),
    ("run --shape 9x9", 2, &["did you mean the 9x9 board, shape 3x3"]),
    ("run --symmetry rotate", 2, &["did you mean 'rotate-180'?"]),
    ("run --needs xwing", 2, &["x_wing"]),
    ("run --ratings se,hodoku", 2, &["--ratings"]),
    ("run --plan givens=24-32", 2, &["write givens=24 or givens=24..30"]),
    ("run --er 1.5,3.0", 2, &["--er", "1.5..4.5"]),
    ("run --plan hard", 2, &["givens=N..M"]),
    ("run --seed -1", 2, &["-1 is negative"]),
    ("run --threads 0", 2, &["1 to 1024"]),
    ("run --levels folder --count 2 --out x", 2, &["it is a folder"]),
    ("run --out one.txt --count 2", 2, &["one.txt is a file"]),
    ("run --parts 3..1 --out x", 2, &["--parts"]),
    ("run --share 9/3 --out x", 2, &["INDEX/COUNT"]),
    ("nightly folder one.txt", 2, &["the recipe stands before the folder"]),
    ("nightly nights text.toml", 2, &["the recipe stands before the folder"]),
    ("nightly text.toml", 2, &["<NIGHTS>"]),
    ("nightly text.toml corpus", 2, &["corpus holds a corpus; choose another folder"]),
    ("export corpus --count 1 --pick hardest --out x.sdm", 2, &["--pick -hodoku_score"]),
    ("--threads 1 analyze one.txt --resume", 2, &["--resume is gone"]),
    ("nightly nowhere.toml tonight", 2, &["status=refused", "nowhere.toml", "no such file"]),
    ("query corpus 'SELECT 1 FROM puzzles'", 2, &["the query stands first: query 'SELECT 1 FROM puzzles' corpus"]),
    ("query 'SELECT * FROM corpus'", 2, &["no table 'corpus'", "puzzles"]),
    ("query 'SELECT rating FROM puzzles'", 2, &["no column 'rating'"]),
    ("query 'SELECT 1' --timeout x", 2, &["--timeout", "no number"]),
    ("query 'SELECT puzzle FROM puzzles' --out nodir/a.csv", 1, &["nodir"]),
    ("query 'SELECT puzzle FROM puzzles' --out one.txt", 2, &["one.txt exists: --force replaces it"]),
    ("stats corpus", 2, &["stats givens corpus"]),
    ("stats givenss", 2, &["givens"]),
    ("stats givens --format xml", 2, &["csv"]),
    ("analyze puzzels.txt", 1, &["puzzels.txt"]),
    ("analyze empty.txt --out a.csv", 1, &["it has no board"]),
    ("check empty.txt --digits 0123 --empty 0", 2, &["--empty 0: this sign is a digit of --digits 0123"]),
    ("analyze text.txt --out a.csv", 1, &["it has no board"]),
    ("analyze headeronly.csv --out a.csv", 1, &["it has no board"]),
    ("analyze folder --out a.csv", 1, &["not a corpus"]),
    ("report earlier --out a.html", 1, &["a data set", "earlier/puzzles/*.parquet"]),
    ("analyze one.txt --on-error maybe", 2, &["skip, fail"]),
    ("analyze one.txt --resume", 2, &["--resume is gone"]),
    ("dig corpus --out a.csv", 2, &["not full grids", "`generate` makes them"]),
    ("solve puzzle.txt", 2, &["neither a file nor a puzzle"]),
    ("solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7", 3, &["80 cells"]),
    (
        "solve 55..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        3,
        &["digit 5 stands twice"],
    ),
    ("solve one.txt --steps --out way.txt", 2, &[".html or .pdf"]),
    ("hint one.txt --cell 4,7", 2, &["r4c7"]),
    ("hint one.txt --cell r4c7 --techniques all", 2, &["--techniques has no effect"]),
    ("number 12345", 2, &["the grid with this number is --number 12345"]),
    ("number 12345x", 2, &["neither a file nor a puzzle", "81 signs"]),
    ("export --split a=50%,b=50% --count 2 --out x-{split}.csv", 2, &["as 0.5 for 50 %"]),
    ("query 'SELECT row FROM puzzles, puzzles AS q'", 2, &["several tables have a column 'row'"]),
    ("mask hart", 2, &["no file and no pattern is called 'hart'; did you mean 'heart'?"]),
    ("mask folder", 1, &["it is a folder"]),
    ("verify one.txt", 2, &["check one.txt"]),
    ("audit headeronly.csv", 1, &["headeronly.csv"]),
    ("audit corpus --out x.txt", 2, &["x.txt: the name must end in .html, .md, .json or .parquet"]),
    ("score one.txt corpus --out x.txt", 2, &["x.txt: the name must end in .html, .md or .json"]),
    ("score one.txt corpus", 1, &["one.txt"]),
    ("score empty.txt corpus", 1, &["it has no columns"]),
    ("export --out a.sdm", 2, &["how many puzzles"]),
    ("export nowhere --count 10 --out a.sdm", 1, &["make a corpus first"]),
    ("export --level eazy=5 --out x.csv", 2, &["did you mean 'easy'"]),
    ("export --level unfair=5 --out x.csv", 2, &["unfair", "easy, medium, hard"]),
    ("export --level easy:4 --out z.csv", 2, &["write easy=4"]),
    ("export --level easy = 5 --out z.csv", 2, &["no spaces: --level easy=5"]),
    ("export --count 1 --where random()>0 --out x.csv", 2, &["'random' may have another value in each run"]),
    ("export --quota current_date>givens=1 --out x.csv", 2, &["'current_date' may have another value"]),
    ("stats givens --by random()>0 corpus", 2, &["'random' may have another value in each run"]),
    ("export --count 0 --out x.csv", 2, &["a count is at least 1"]),
    ("book --level easy=0 --out x.pdf", 2, &["a count is at least 1"]),
    ("export --count 1000 --out x.csv", 1, &["too few puzzles: 20 of 1000", "ask for fewer, or make a larger corpus"]),
    ("export --level easy=100 --out x.csv", 1, &["too few puzzles", "of 100 (easy)", "rows that fit: "]),
    ("export --count 5 --out folder", 2, &["is a folder"]),
    ("export --count 5 --out puzzles", 2, &["no ending", "puzzles.sdm"]),
    ("export --count 5 --out a.xyz", 2, &["ending"]),
    ("export --count 5 --out one.txt", 2, &["--force replaces it"]),
    ("export --count 5 --out nodir/a.sdm", 1, &["nodir"]),
    ("export --count ten --out z.csv", 2, &["whole number"]),
    ("export --count 99999999999999999999 --out z.csv", 2, &["too large"]),
    ("export headeronly.csv --all --out y.csv", 1, &["it has no board"]),
    ("export --count 3 --dates 4.1.2027 --out d.csv", 2, &["--dates"]),
    ("export --count 3 --dates 2027-02-30 --out d.csv", 2, &["--dates"]),
    ("export --count 3 --size 70 --out p-%.svg", 2, &["70mm"]),
    ("export --count 3 --size 70mm --out p.sdm", 2, &["--size has no effect"]),
    ("export --count 3 --out p.sdk", 2, &["p.sdk"]),
    ("export --count 3 --except missing.sdm --out p.sdm", 1, &["missing.sdm"]),
    ("book --count 5", 2, &["--out"]),
    ("book --count 5 --per-page 13 --out b.pdf", 2, &["13 is not in 1 to 12"]),
    ("book --count 5 --printer amazon --out b.pdf", 2, &["amazon", "kdp"]),
    ("book --count 5 --out book.docx", 2, &[".pdf, .epub or .html"]),
    ("book --count 5 --trim A6x --out b.pdf", 2, &["--trim"]),
    ("book --count 5 --language xx --out b.pdf", 2, &["xx"]),
    ("book --count 5 --subtitle '{nope}' --out b.pdf", 2, &["nope"]),
    ("book --count 5 --font folder --out b.pdf", 1, &["it is a folder"]),
    ("book --count 5 --words folder --out b.pdf", 1, &["it is a folder"]),
    ("book --count 5 --logo x.svg --out p.html", 2, &["--logo has no effect"]),
    ("book --count 5 --printer kdp --out p.epub --date 2027-01-01", 2, &["--printer has no effect"]),
    ("export --all --out a.csv --steps-out '{level}.jsonl'", 2, &["'--steps-out' uses {level}", "fills in: nothing"]),
    ("book --count 5 --sort givens --out b.pdf", 2, &["orders its puzzles by level", "leave out --sort"]),
    ("release corpus --out rel2", 2, &["--license"]),
    ("release corpus --out rel2 --license CC", 2, &["CC"]),
    ("release corpus --out rel2 --license MIT --split train=80,test=20", 2, &["--split"]),
    ("release headeronly.csv --out rel3 --license MIT", 1, &["it has no board"]),
    ("report corpus --out report.pdf", 2, &[".html or .md"]),
    ("coverage --samples 2", 2, &["100 to 100000000"]),
    ("bench --work zzz", 2, &["no line of the table has 'zzz'"]),
    ("bench --threads 2", 2, &["--threads has no effect"]),
    ("nightly one.txt nights --partial", 2, &["--partial has no effect"]),
    ("generate --partial", 2, &["--partial has no effect"]),
    ("verify corpus --partial", 2, &["--partial has no effect"]),
    ("list level", 2, &["levels"]),
    ("list methods --threads 2", 2, &["--threads has no effect"]),
    ("guide bokks", 2, &["books"]),
    ("corpus", 2, &["a command stands before a folder: report corpus"]),
    ("one.txt", 2, &["a command stands before a file: check one.txt"]),
    ("RUN", 2, &["commands have small letters: run"]),
    ("nonsense", 2, &["`sudoku-corpus --help` lists the commands"]),
    ("--quiet", 2, &["a command is missing"]),
    ("--count 10 run", 2, &["--count stands before its command", "run --count"]),
    ("--level easy", 2, &["a command stands before its options"]),
    ("-v", 2, &["there is no option -v; `sudoku-corpus --help`"]),
    ("run -j 2", 2, &["there is no option -j; `sudoku-corpus run --help`"]),
    ("run --difficulty hard", 2, &["run has no option --difficulty: did you mean --level?"]),
    ("run --size 9", 2, &["use --board 9x9"]),
    ("run --number 10", 2, &["use --count"]),
    ("run --output x", 2, &["use --out"]),
    ("run --givens 24", 2, &["use --plan givens=24..30"]),
    ("run --technique singles", 2, &["did you mean --techniques?"]),
    ("run --nonsense", 2, &["run has no option --nonsense; `sudoku-corpus run --help`"]),
    ("run --count", 2, &["--count needs a value: write --count <N>"]),
    ("run --all=yes", 2, &["run has no option --all"]),
    ("run --numbers=yes", 2, &["--numbers takes no value: leave out 'yes'"]),
    ("run --count 1 --count 2", 2, &["--count is given twice: leave one out"]),
    ("run --symmetry 180", 2, &["did you mean 'rotate-180'?"]),
    ("run 10", 2, &["a number of puzzles is --count 10"]),
    ("run easy", 2, &["a level is --level easy"]),
    ("run book", 2, &["a recipe of the program is recipe:book"]),
    ("mask heart --board 16x16", 2, &["a pattern of 16 rows makes 16x16 boards"]),
    ("run help", 2, &["`sudoku-corpus run --help` explains"]),
    ("run --ratings er w", 2, &["a list behind an option has commas and no spaces"]),
    ("run recipe:book recipe:week", 2, &["run takes one RECIPE", "one too many"]),
    ("run --level easy,hard", 2, &["several levels are quotas of a recipe"]),
    ("run --parts 9 --count 2 --out x", 2, &["the numbers of parts begin with 0"]),
    ("generate 5", 2, &["a number of rows is --count 5"]),
    ("generate corpus", 2, &["generate takes options only"]),
    ("generate --method uniform --board 16x16", 2, &["leave out the method"]),
    ("hint one.txt r4c7", 2, &["a cell is --cell r4c7"]),
    ("solve one.txt --rater hodoku", 2, &["solve has no --rater 'hodoku'; known: ladder, se"]),
    ("mask xxx", 2, &["`list masks` shows the patterns"]),
    ("export", 2, &["--out <FILE> is missing; for example: sudoku-corpus export corpus --count 50 --out fifty.sdm"]),
    ("export new.sdm --count 3", 2, &["--out <FILE> is missing: write --out new.sdm"]),
    ("export count=10", 2, &["options begin with two dashes, as --count=10"]),
    ("export corpus 10 --out x.sdm", 2, &["a number of puzzles is --count 10"]),
    ("export --level easy=3 hard=3 --out x.sdm", 2, &["commas and no spaces: --level easy=3,hard=3"]),
    ("export \u{2014}count 5 --out x.sdm", 2, &["begins with a long dash"]),
    ("export --count 3 --all --out x.sdm", 2, &["--count cannot be used with --all: leave one of them out"]),
    ("export --level easy=1 --level hard=1 --out x.sdm", 2, &["--level is given twice: join the values by commas"]),
    ("export --quota easy=3 --out x.sdm", 2, &["--level easy=3"]),
    ("export --givens 20-25 --count 3 --out x.sdm", 2, &["such as 24 or 24..30"]),
    ("export --givens 30..20 --count 3 --out x.sdm", 2, &["write the smaller number first"]),
    ("export --where level=easy --count 3 --out x.sdm", 2, &["a text needs single quotes: 'easy'"]),
    ("export --where givens --count 3 --out x.sdm", 2, &["compare, in quotes, as in 'givens > 24'"]),
    ("export --sort difficulty --all --out x.sdm", 2, &["--sort: unknown column 'difficulty'; did you mean 'level'?"]),
    ("export --pick first --count 3 --out x.sdm", 2, &["(or random, input, weighted)"]),
    ("export --level easy=2,medium=3 --count 4 --out x.sdm", 2, &["leave out --count, or raise it"]),
    ("export --remember one.txt --count 3 --out x.sdm", 1, &["give the name of a new file"]),
    ("export --remember nodir/a.index --count 3 --out x.sdm", 1, &["the folder nodir does not exist"]),
    ("export --count 3 --symbols ABC --out x.pdf", 2, &["it needs 9 symbols or pictures, as in --symbols ABCDEFGHI"]),
    ("book --count 5 --logo one.txt --out b.pdf", 2, &["it is no SVG drawing: line 1"]),
    ("book --count 5 --printer ingram --out b.pdf", 2, &["add --standard x1a --date 2027-01-31"]),
    ("book --count 5 --per-page 12 --large-print --out b.pdf", 2, &["or fewer puzzles on a page"]),
    ("query corpus", 2, &["the query is missing: query 'SELECT count(*) FROM puzzles' corpus"]),
    ("query 'SELECT * FROM'", 2, &["the SQL ends too early"]),
    ("query 'SELECT level count(*) FROM puzzles'", 2, &["the mistake is at or before \"(\""]),
    ("query 'SELECT * FROM puzzles WHERE level = hard'", 2, &["a text needs single quotes: 'hard'"]),
    ("query 'SELECT sqrt(givens, 2) FROM puzzles'", 2, &["takes another number of arguments"]),
    ("query 'SELECT 1' text.txt", 1, &["'hello world' is none of the columns of a corpus"]),
    ("query 'SELECT 1' a=corpus a=six16", 1, &["another table has the name 'a'"]),
    ("query 'SELECT count(*) FROM Puzzles' a=corpus b=./corpus", 2, &["./corpus would be read twice"]),
    ("stats 'givens AS a, holes AS a' corpus", 2, &["two figures are called 'a'"]),
    ("stats minimal corpus --unweighted --bins 0.5", 2, &["--bins has no effect here"]),
    ("stats 'puzzle, minimal' corpus --unweighted --quantiles 10", 2, &["--quantiles has no effect here"]),
    ("solve --solutions 0 grids.txt", 2, &["--solutions", "less than 1"]),
    ("stats level givens", 2, &["'givens' is a column, no corpus"]),
    ("stats 'givens er'", 2, &["something is missing before AS"]),
    ("release corpus --out rel2", 2, &["--license <SPDX> is missing; for example: sudoku-corpus release corpus"]),
    ("release corpus --license MIT --out earlier", 2, &["replace it with --force"]),
    ("release corpus --license MIT --control c --split a=0.5,b=0.5 --out r", 2, &["known: b"]),
    ("score corpus", 2, &["the answers stand before the puzzles: score answers.csv corpus"]),
    ("coverage one.txt", 1, &["grid 1 of one.txt is not full"]),
    ("list", 2, &["<TABLE> is missing; for example: sudoku-corpus list levels"]),
    ("guide export", 2, &["'export' is a command", "lists the pages of the guide"]),
    ("analyze one.txt --level easy", 2, &["use --levels, which names a scale"]),
    ("dig one.txt --count 5", 2, &["use an input with as many boards"]),
    (
        "export --givens 17=3 --out x.sdm",
        1,
        &["too few puzzles: 0 of 3 (givens 17)", "no row of 20 meets the conditions"],
    ),
    ("run --level easy --needs swordfish", 2, &["so singles solve it; write `--level expert`"]),
    ("run --only singles --uses x_wing", 2, &["write `--only singles,x_wing`"]),
    ("run --er 1.1", 2, &["the nearest are 1.0 and 1.2; write `--er 1.2`"]),
    ("run --er 11.9", 2, &["write `--er-limit 11.9`"]),
    ("dig one.txt --er 11.9", 2, &["write --er 9.0..10.4"]),
    ("run --board 16x16 --needs als_xz", 2, &["leave out `--needs`"]),
    ("run --plan givens=30..25", 2, &["write `--plan givens=25..30`"]),
    ("run --plan givens=26..27 --symmetry rotate-90", 2, &["the nearest number is 25"]),
    (
        "run --plan givens=60 --level hard --count 1 --retries 9 --out y60",
        2,
        &["most puzzles of this plan are easy: write `--level easy`"],
    ),
    ("run --plan givens=18 --count 1 --retries 9 --out y18", 2, &["fewest givens: 2", "write `--plan givens=2"]),
    ("run --board 3x3", 2, &["3x3 is the size of a box; write the size of the board: 9x9"]),
    ("generate --board 9+jigsaw", 1, &["lines of boards do not say the rules", "--format csv"]),
    ("mask a", 2, &["did you mean 'letter-a'?"]),
    ("mask text.txt", 2, &["or a name of `list masks`: mask heart"]),
    ("export --level extreme=30 --out x.csv", 1, &["the rows have: ", "run --level extreme --count "]),
    ("export --where 'givens > 90' --count 3 --out x.sdm", 1, &["no row of 20 meets the conditions"]),
    ("query help", 2, &["a query must begin with SELECT or WITH"]),
    ("report help", 2, &["`sudoku-corpus report --help` explains the command"]),
    ("export --count 3 -out x.sdm", 2, &["long options have two dashes: --out"]),
    ("export --except one.txt corpus --count 3 --out x.sdm", 2, &["write export corpus --except one.txt"]),
    ("export corpus,six16 --count 3 --out x.sdm", 2, &["corpus six16"]),
    ("export --level 'easy=2;hard=1' --out x.sdm", 2, &["write easy=2,hard=1"]),
    ("export --count 2 --out x.xlsx", 2, &["such as x.csv"]),
    ("stats givens by level", 2, &["options begin with two dashes: --by"]),
    ("stats givens --quantiles 50%", 2, &["write 50"]),
    ("report corpus r.html", 2, &["for an output write --out r.html"]),
    ("analyze one.txt r.csv", 2, &["for an output write --out r.csv"]),
    ("release corpus --out r --license 'CC BY 4.0'", 2, &["did you mean CC-BY-4.0?"]),
    ("query 'SELECT level, count(*) FROM puzzles'", 0, &["note: ", "write GROUP BY level"]),
    ("book --count 5 --symbols ABC --out b.pdf", 2, &["it needs 9 symbols or pictures, as in --symbols ABCDEFGHI"]),
    ("book --count 5 --max-pages 10 --out b.pdf", 2, &["--max-pages: leave it out"]),
    ("book --count 5 --title My Book --out b.pdf", 2, &["a text with spaces needs quotes: --title 'My Book'"]),
    ("book --count 5 --trim 15x21cm --out b.pdf", 2, &["did you mean 150x210mm?"]),
];

#[test]
fn mistakes_are_told_in_words() {
    let folder = first_hour();
    let mut wrong = Vec::new();
    for (line, code, wanted) in MISTAKES {
        let output = run(&mut program(folder.path(), line), "");
        let text = output_text(&output);
        let missing: Vec<_> = wanted.iter().filter(|word| !text.contains(**word)).collect();
        let system: Vec<_> = SYSTEM.iter().filter(|word| text.contains(**word)).collect();
        if output.status.code() != Some(*code) || !missing.is_empty() || !system.is_empty() {
            wrong.push(format!("{line}: {:?}, without {missing:?}, with {system:?}: {text}", output.status.code()));
        }
    }
    assert!(MISTAKES.len() >= 100 && wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A value for each option that differs from what the option is by default. None for flags.
fn sample(command: &str, option: &str) -> Option<&'static str> {
    let value = match (command, option) {
        ("solve", "techniques") => "singles",
        ("analyze" | "run" | "hint", "techniques") => "singles",
        ("run" | "dig", "level") => "easy",
        ("coverage", "method") => "row-major",
        ("run" | "generate", "method") => "row-major",
        ("stats", "by") => "givens",
        ("stats", "log-weight") => "givens / 10.0",
        ("stats", "grid") => "row",
        ("query", "table") => "more=table.csv",
        ("coverage", "shape") => "2x2",
        ("score", "answer") => "solution",
        (_, "size") => "50mm",
        (_, "lines") => "2,1",
        (_, "symbols") => "ABCDEFGHI",
        (_, "caption" | "solution-caption") => "number",
        (_, "previous" | "ornament") => "none",
        (_, "dpi") => "72",
        (_, "merge") => "merge.csv",
        (_, "language") => "de",
        (_, "words") => "words.toml",
        (_, "first-puzzle") => "5",
        (_, "title" | "author" | "source" | "subtitle" | "imprint-text") => "Other",
        (_, "date") => "2027-01-31",
        (_, "dates") => "2027-01-04",
        (_, "seed") => "7",
        (_, "count") => "2",
        (_, "level") => "easy",
        (_, "levels") => "hodoku",
        (_, "givens") => "20..30",
        (_, "where") => "givens > 24",
        (_, "quota") => "givens > 0 = 2",
        (_, "except" | "among") => "old.sdm",
        (_, "pick") => "input",
        (_, "sort") => "givens",
        (_, "remember") => "seen.index",
        (_, "steps-out") => "steps.jsonl",
        (_, "printer") => "kdp",
        (_, "paper") => "cream",
        (_, "max-pages") => "800",
        (_, "cover") => "cover.svg",
        (_, "bleed") => "3mm",
        (_, "front-pages" | "back-pages" | "solutions-per-page") => "2",
        (_, "trim") => "A5",
        (_, "per-page") => "1",
        (_, "answers") => "behind",
        (_, "logo") => "logo.svg",
        (_, "with") => "hints",
        (_, "without") => "contents",
        (_, "sections") => "board",
        (_, "index") => "index.csv",
        (_, "icc") => "profile.icc",
        (_, "condition") => "Press",
        (_, "address") => "familiar",
        (_, "standard") => "screen",
        (_, "volumes") => "1",
        (_, "first-number") => "3",
        (_, "difficulty") => "stars",
        (_, "split") => "a=0.5,b=0.5",
        (_, "apart") => "exact",
        (_, "bases") => "old.sdm",
        (_, "board") => "6x6",
        (_, "layouts") => "3",
        (_, "layout-symmetry" | "symmetry") => "rotate-180",
        (_, "plan") => "givens=30",
        (_, "holes") => "50",
        (_, "needs" | "uses") => "hidden_single",
        (_, "only") => "singles",
        (_, "er") => "1.2..1.5",
        (_, "retries") => "1",
        (_, "ratings") => "none",
        (_, "er-limit") => "1.5",
        (_, "budget") => "1",
        (_, "part-rows") => "2",
        (_, "parts") => "0",
        (_, "share") => "0/2",
        (_, "set") => "count=1",
        (_, "ranks") => "1..2",
        (_, "tries") => "1000000",
        (_, "shape") => "2x3",
        (_, "digits") => "987654321",
        (_, "empty") => "x",
        (_, "column") => "solution",
        (_, "wrong-steps") => "2",
        (_, "solutions") => "3",
        (_, "rater") => "se",
        (_, "cell") => "r1c3",
        (_, "near") => "1",
        (_, "shares") => "published",
        (_, "quantiles") => "10",
        (_, "bins") => "2",
        (_, "replicates") => "replicates.csv",
        (_, "plot") => "plot.svg",
        (_, "timeout") => "60",
        (_, "data") => "plots",
        (_, "license-file") => "license.txt",
        (_, "license") => "MIT",
        (_, "control") => "a",
        (_, "probes") => "2",
        (_, "sample") => "2",
        (_, "samples") => "200",
        (_, "law-samples") => "200",
        (_, "number") => "5",
        (_, "rank") => "7",
        (_, "name") => "tfoRqNmVkj1bTkcJkqd9",
        _ => return None,
    };
    Some(value)
}

/// Options that change no byte of an output of this test, and why; `*` stands for all commands.
const NO_CONTENT: &[(&str, &str, &str)] = &[
    ("*", "force", "replaces files"),
    ("*", "on-error", "there is no bad row"),
    ("*", "quiet", "about messages"),
    ("*", "threads", "the output does not depend on it"),
    ("*", "partial", "no part is missing"),
    ("*", "inside", "for outputs of recipes"),
    ("*", "out", "the kind of the output itself"),
    ("*", "format", "the kind of the output itself"),
    ("*", "all", "another number"),
    ("*", "days", "needs --dates"),
    ("*", "week", "needs --dates and --count"),
    ("export", "split", "needs {split} in the name"),
    ("*", "apart", "needs --split"),
    ("*", "shape", "all boards are 9x9"),
    ("run", "weight", "minimal puzzles have weights by default"),
    ("run", "parts", "there is one part"),
    ("solve", "solutions", "the puzzles have one solution"),
    ("hint", "techniques", "the next step is a single"),
    ("stats", "shares", "needs more rows"),
    ("stats", "grid", "each row has a grid of its own"),
    ("audit", "near", "no puzzles are so near"),
    ("verify", "sample", "about the message"),
    ("coverage", "law-samples", "all 4x4 grids are counted"),
    ("export", "where", "takes all rows"),
    ("book", "where", "takes all rows"),
    ("*", "quota", "takes all rows"),
    ("*", "dates", "orders the puzzles by level"),
    ("*", "paper", "the thickness of the spine, which a message tells"),
    ("*", "givens", "takes all rows"),
    ("*", "font", "needs a font"),
    ("*", "pictures", "needs nine pictures"),
    ("*", "any-solutions", "all puzzles have one solution"),
    ("*", "rate", "all rows are rated"),
    ("*", "uniqueness", "chooses among rows"),
    ("export", "level", "chooses among rows"),
    ("book", "level", "chooses among rows"),
    ("export", "levels", "chooses among rows"),
    ("book", "levels", "chooses among rows"),
    ("*", "sections", "there is one board"),
    ("*", "volumes", "needs % in the name"),
    ("*", "max-pages", "a limit"),
    ("*", "retries", "a limit"),
    ("*", "timeout", "a limit"),
    ("*", "tries", "a limit"),
    ("*", "budget", "a limit"),
    ("*", "er-limit", "a limit"),
    ("*", "empty", "the boards have the usual sign, too"),
    ("*", "stop-with-stdin", "standard input is open"),
    ("*", "help", ""),
    ("*", "version", ""),
];

/// Calls of all commands whose output is always the same, with each kind of output.
const KINDS: &[&str] = &[
    "export nine --count 3 --out a.sdm",
    "export nine --count 3 --out a.jsonl",
    "export nine --count 3 --out a.parquet",
    "export nine --count 3 --out a-%.ipuz",
    "export nine --count 3 --out a-%.svg",
    "export nine --count 3 --out a.pdf",
    "export nine --count 3 --out a.html",
    "book nine --count 3 --out a.pdf",
    "book nine --count 3 --answers below --trim 8.5x11 --out a.pdf",
    "book nine --count 3 --front-pages 2 --out a.pdf",
    "book nine --count 3 --standard screen --out a.pdf",
    "book nine --count 3 --date 2027-01-01 --out a.epub",
    "book nine --count 3 --out a.html",
    "run --count 3 --out made",
    "run --count 3 --board 16x16 --plan givens=200 --ratings none --techniques none --out made",
    "generate --count 3",
    "generate --count 3 --out grids.csv",
    "dig grids.txt",
    "dig grids.txt --out dug.parquet",
    "mask heart",
    "analyze old.sdm",
    "analyze old.sdm --out rated",
    "solve old.sdm",
    "solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "hint old.sdm",
    "check old.sdm",
    "number old.sdm",
    "stats givens,level nine",
    "query SELECT*FROM(puzzles) nine --out a.csv",
    "report nine --out a.html",
    "report nine --out a.md",
    "audit old.sdm",
    "audit old.sdm grids.txt --out leaks.parquet",
    "score answers.csv nine",
    "release nine --license CC0-1.0 --out released",
    "verify nine",
    "coverage grids.txt",
    "coverage --shape 2x2 --samples 100 --method uniform",
    "list methods",
    "guide terms",
    "completions bash",
    "man",
];

/// What a call makes: its exit code, standard output, its files, and its messages.
fn made(home: &Path, line: &str, option: &[String]) -> (Option<i32>, Vec<u8>, BTreeMap<PathBuf, Vec<u8>>, String) {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(home).unwrap().map(Result::unwrap) {
        std::os::unix::fs::symlink(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let mut command = program(folder.path(), line);
    let output = run(command.args(option), "");
    for entry in fs::read_dir(home).unwrap().map(Result::unwrap) {
        fs::remove_file(folder.path().join(entry.file_name())).unwrap();
    }
    (output.status.code(), output.stdout.clone(), contents(folder.path()), stderr(&output))
}

/// Files that the calls of [`KINDS`] read.
fn home_of_kinds() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    for line in [
        "run --count 24 --out nine -q",
        "export nine --count 9 --seed 1 --out old.sdm -q",
        "generate --count 3 --seed 9 --out grids.txt -q",
        "query 'SELECT puzzle, solution, 1 AS answer, givens AS guess FROM puzzles' nine --out answers.csv -q",
    ] {
        good(home, line, "");
    }
    let drawing = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><path d=\"M1 1h7v7z\"/></svg>";
    let english = good(home, "list words", "");
    let english = english.replace("\"Solution", "\"Answer").replace("\"Puzzle", "\"Riddle");
    for (name, text) in [
        ("logo.svg", drawing),
        ("profile.icc", ""),
        ("words.toml", &english),
        ("table.csv", "a,b\n1,2\n"),
        ("license.txt", "Mine.\n"),
    ] {
        fs::write(home.join(name), text).unwrap();
    }
    folder
}

/// Each option of each command with each kind of output: the bytes are others, or the option is refused by its name.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test may panic")]
fn an_option_has_an_effect_or_is_refused_by_its_name() {
    let folder = home_of_kinds();
    let home = folder.path();
    let program = sudoku_corpus::cli::command();
    // What these two print depends on the clock.
    let untested = ["nightly", "bench"];
    for command in program.get_subcommands().map(clap::Command::get_name) {
        let has_kind = KINDS.iter().any(|kind| kind.split(' ').next() == Some(command));
        assert!(has_kind || untested.contains(&command), "no kind of output of {command}");
    }
    let test = |kind: &str| -> Vec<String> {
        let usual = made(home, kind, &[]);
        assert_eq!(usual.0, Some(0), "{kind}: {}", usual.3);
        let name = kind.split(' ').next().unwrap();
        let command = program.find_subcommand(name).unwrap();
        let mut silent = Vec::new();
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            let Some(option) = argument.get_long() else { continue };
            if NO_CONTENT.iter().any(|(command, of, _)| *of == option && ["*", name].contains(command))
                || kind.contains(&format!("--{option} ")) && option != "count"
            {
                continue;
            }
            let value = sample(name, option).map(str::to_owned);
            let may_stand_alone = argument.get_num_args().is_some_and(|values| values.min_values() == 0);
            let is_flag = !argument.get_action().takes_values() || may_stand_alone;
            assert!(is_flag || value.is_some(), "give {name} --{option} a value in this test");
            let words: Vec<String> = std::iter::once(format!("--{option}")).chain(value.filter(|_| !is_flag)).collect();
            let line = if option == "count" {
                kind.replace("--count 3 ", "").replace("--count 3", "")
            } else {
                kind.to_owned()
            };
            let other = made(home, line.trim(), &words);
            let is_other = (other.0, &other.1, &other.2) != (usual.0, &usual.1, &usual.2);
            // A recipe names its keys.
            let key = option.replace('-', "_");
            let names_it = other.3.contains(&format!("--{option}")) || other.3.contains(&format!("error: {key}"));
            let is_named = other.0 != Some(0) && names_it;
            let has_effect = matches!(other.0, Some(0 | 3)) && is_other;
            if !is_named && !has_effect {
                silent.push(format!("{kind} {}: {:?} {}", words.join(" "), other.0, other.3.trim()));
            }
        }
        silent
    };
    let silent: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = KINDS.iter().map(|kind| scope.spawn(|| test(kind))).collect();
        all.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert!(silent.is_empty(), "{} silent options\n{}", silent.len(), silent.join("\n"));
}

/// Every argument of every command with values of the wrong kind: a folder for a file, a missing file, bytes that are no
/// text, wrong TOML, JSON, CSV and SQL, words for numbers and flags. No message has words of the system or of a library.
#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "a test may panic")]
fn no_argument_brings_words_of_the_system() {
    let folder = first_hour();
    let home = folder.path();
    for (name, bytes) in [
        ("binary.txt", &b"\xff\xfe\x00\x80\xff"[..]),
        ("wrong.toml", b"a = = 1\n[[level]\n"),
        ("wrong.json", b"{\"puzzle\": "),
        ("wrong.jsonl", b"{\"puzzle\": nothing}\n"),
        ("uneven.csv", b"puzzle,answer\n1\n2,3,4\n"),
        ("wrong.parquet", b"PAR1 no file PAR1"),
        ("wrong.svg", b"<svg><path"),
    ] {
        fs::write(home.join(name), bytes).unwrap();
    }
    let values = [
        "", "x", "0.5x", "99999999999999999999", "1..", "folder", "missing/file.csv", "one.txt/below", "binary.txt",
        "wrong.toml", "wrong.json", "wrong.jsonl", "uneven.csv", "wrong.parquet", "wrong.svg", "SELECT FROM", "maybe",
    ];
    // What a call needs besides the argument; a call that would take long is one that fails.
    let needs = |command: &str| match command {
        "run" => "--count 1 --out run.out",
        "export" | "book" => "corpus --count 1 --out new.out",
        "release" => "corpus --license MIT --out new.out",
        "bench" => "--work zzz",
        "coverage" => "--shape 2x2 --samples 100 --method row-major",
        "query" => "SELECT(1) corpus",
        "stats" => "givens corpus",
        "score" => "one.txt corpus",
        "nightly" => "missing.toml nights",
        "generate" | "mask" => "",
        "completions" => "bash",
        "guide" => "terms",
        "list" => "methods",
        "report" | "verify" => "corpus",
        _ => "one.txt",
    };
    let program = sudoku_corpus::cli::command();
    let test = |command: &clap::Command| -> Vec<String> {
        let mut wrong = Vec::new();
        let name = command.get_name();
        for argument in command.get_arguments().filter(|argument| argument.get_action().takes_values()) {
            for value in values {
                let mut call = common::program(home, name);
                match argument.get_long() {
                    Some(long) => call.args(needs(name).split_whitespace()).arg(format!("--{long}={value}")),
                    None => call.arg(value),
                };
                let text = output_text(&run(&mut call, ""));
                wrong.extend(SYSTEM.iter().filter(|word| text.contains(**word)).map(|word| {
                    format!(
                        "{name} {} '{value}' says '{word}': {}",
                        argument.get_id(),
                        text.lines().next_back().unwrap_or_default()
                    )
                }));
            }
        }
        wrong
    };
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = program.get_subcommands().map(|command| scope.spawn(|| test(command))).collect();
        all.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} messages\n{}", wrong.len(), wrong.join("\n"));
}

/// Options that take a number of things, with numbers that no data have: an answer, or an error in words, at once and
/// in little memory.
#[test]
fn numbers_that_are_too_large_end_at_once() {
    let folder = first_hour();
    let lines = [
        "run --count 5 --out more --parts",
        "run --count 5 --dry-run --part-rows",
        "run --count 5 --dry-run --retries",
        "run --dry-run --count",
        "generate --dry",
        "export corpus --out a.sdm --force --count",
        "export corpus --out a.sdm --force --level easy=",
        "export corpus --all --out a.sdm --force --first-puzzle",
        "book corpus --out a.pdf --force --count",
        "book corpus --count 2 --out %.pdf --force --volumes",
        "book corpus --count 2 --out a.pdf --force --first-number",
        "release corpus --license MIT --out release --force --probes",
        "analyze one.txt --steps-out steps.jsonl --force --wrong-steps",
        "solve one.txt --solutions",
        "solve one.txt --budget",
        "check one.txt --budget",
        "verify corpus --sample",
        "coverage --shape 2x2 --samples",
        "number --number",
        "number --rank",
        "generate --ranks",
        "list methods --threads",
    ];
    for line in lines {
        for number in ["0", "2147483648", "4611686018427387904", "-1", "99999999999999999999"] {
            let line = format!("{line}{}{number}", if line.ends_with('=') { "" } else { " " });
            let begin = std::time::Instant::now();
            let output = run(&mut program(folder.path(), &line), "");
            let text = output_text(&output);
            assert!(output.status.code().is_some_and(|code| code < 5), "{line}: {:?} {text}", output.status);
            assert!(SYSTEM.iter().all(|word| !text.contains(word)), "{line}: {text}");
            assert!(begin.elapsed().as_secs() < 60, "{line}: {:?}", begin.elapsed());
        }
    }
}

/// Inputs without a puzzle, to every command that reads puzzles: an error with the reason, and no file.
#[test]
fn nothing_is_no_result() {
    let folder = first_hour();
    let before = contents(folder.path());
    for input in ["headeronly.csv", "empty.txt"] {
        for line in [
            "analyze IN --out a.csv", "dig IN --out a.csv", "solve IN", "hint IN", "check IN", "number IN",
            "report IN --out a.html", "audit IN --out a.html", "release IN --license MIT --out a",
            "export IN --all --out a.sdm", "book IN --all --out a.pdf", "score one.txt IN --out a.html", "coverage IN",
        ] {
            let line = line.replace("IN", input);
            let output = run(&mut program(folder.path(), &line), "");
            let code = output.status.code();
            assert!(matches!(code, Some(1..=3)), "{line}: {code:?} {}", output_text(&output));
            assert!(contents(folder.path()) == before, "{line} wrote a file");
        }
    }
    for (line, code, reason) in [
        ("run --count 0 --out none", 2, "at least one row"),
        ("bench --work zzz", 2, "no line of the table"),
        ("release six16 --license MIT --out none --split a=0.5,b=0.5", 1, "--apart isomorph"),
        ("dig one.txt --out none.csv", 1, "there is no row"),
        ("export corpus --all --except corpus --out none.sdm", 1, "20 in earlier exports"),
        ("run --count 5 --except nothere.sdm --out none", 2, "--except"),
    ] {
        let output = run(&mut program(folder.path(), line), "");
        let text = output_text(&output);
        assert!(output.status.code() == Some(code) && text.contains(reason), "{line}: {:?} {text}", output.status);
        assert!(contents(folder.path()) == before, "{line} wrote a file");
    }
}
