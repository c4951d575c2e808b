//! Fuzz targets for every place where the program reads input. Any bytes must give an answer or an error, and never a
//! panic, an abort or an endless run.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use clap::Parser as _;
use sudoku_corpus::board::text::{self, PuzzleReader, TextItem};
use sudoku_corpus::board::{Grid, Puzzle, Shape};
use sudoku_corpus::cli::Cli;
use sudoku_corpus::corpus::{
    AskLimits, Begun, Draft, Input, Job, Publication, PublicationCall, Recipe, Scan, Sealed, StopFlag, TempFolder,
    Want, check_condition, produce, verify,
};
use sudoku_corpus::ladder::{Ladder, replay, trace};
use sudoku_corpus::publish::Seen;
use sudoku_corpus::solve::{self, Budget, Verdict, general};

/// A function that processes an input.
pub(crate) type Target = fn(&[u8]);

/// The targets by name. `scripts/fuzz.sh` reads this list.
pub(crate) const TARGETS: &[(&str, Target)] = &[
    ("boards", boards),
    ("links", boards),
    ("puzzles", puzzles),
    ("recipes", recipes),
    ("arguments", arguments),
    ("questions", questions),
    ("files", files),
    ("packed", packed),
    ("games", games),
    ("parquet", parquet),
    ("corpora", corpora),
    ("index", index),
];

static FOLDER: LazyLock<TempFolder> = LazyLock::new(|| TempFolder::new().expect("a temporary folder"));

/// A file with these bytes.
fn written(name: &str, data: &[u8]) -> PathBuf {
    let path = FOLDER.path().join(name);
    fs::write(&path, data).expect("bytes in a file");
    path
}

/// Text gives boards or errors. A board that was read is the same after printing and reading it again.
fn boards(data: &[u8]) {
    for entry in PuzzleReader::new(data, None).filter_map(TextItem::board).flatten() {
        let shape = entry.grid.shape();
        for written in [text::line(&entry.grid), text::block(&entry.grid)] {
            assert_eq!(text::parse_line(&written, Some(shape)).as_ref(), Ok(&entry.grid));
        }
    }
}

/// Both solvers agree on any puzzle, and no step of the ladder contradicts a unique solution.
fn puzzles(data: &[u8]) {
    let values = (0..81).map(|at| u16::from(data.get(at).copied().unwrap_or(0)) % 10).collect();
    let Ok(puzzle) = Grid::new(Shape::NINE, values).and_then(Puzzle::try_from) else { return };
    let count = solve::count(&puzzle, 3, Budget::UNLIMITED);
    let other = general::count(&puzzle, 3, Budget(100_000));
    assert!(!other.exact || other.found == count.found || count.found >= 3);
    if let Verdict::Unique(solution) = solve::verdict(&puzzle, Budget::UNLIMITED) {
        let reached = replay(&puzzle, &trace(&puzzle, &Ladder::default())).expect("steps replay");
        assert!(Puzzle::try_from(reached).expect("no conflict").is_part_of(&solution));
    }
}

/// A recipe's canonical form reads back as the same recipe.
fn recipes(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // The text could name any file as the file of bases.
    if text.contains("bases") || text.contains("base-shuffle") {
        return;
    }
    if let Ok(recipe) = Draft::parse(&text).and_then(|draft| Recipe::new(&draft)) {
        let canonical = recipe.canonical();
        let again = Draft::parse(&canonical).and_then(|draft| Recipe::new(&draft)).expect("canonical recipes are read");
        assert_eq!(again.canonical(), canonical);
    }
}

/// A line of words is a command or wrong usage; no command is run.
fn arguments(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    drop(Cli::try_parse_from(["sudoku-corpus"].into_iter().chain(text.split_whitespace())));
}

/// An SQL query of a small corpus, or an SQL condition.
fn questions(data: &[u8]) {
    static SCAN: LazyLock<Scan> = LazyLock::new(|| {
        let path = corpus().join("rows/part-000000.parquet");
        Scan::open(&[path]).expect("a corpus that can be asked")
    });
    let text = String::from_utf8_lossy(data);
    drop(check_condition(&text));
    let limits = AskLimits { until: Some(Instant::now() + Duration::from_secs(5)), stop: None };
    drop(SCAN.ask_in_batches(&text, &limits, |_| Ok::<(), ()>(())));
}

/// A file with any bytes.
fn files(data: &[u8]) {
    read(&written("file", data));
}

/// A valid compressed file with any content.
fn packed(data: &[u8]) {
    read(&written("file.csv.zst", &zstd::encode_all(data, 1).expect("zstd")));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(data).expect("gzip");
    read(&written("file.csv.gz", &gzip.finish().expect("gzip")));
}

/// XML, as OpenSudoku writes it.
fn games(data: &[u8]) {
    read(&written("games.opensudoku", &[b"<opensudoku>", data, b"</opensudoku>"].concat()));
}

fn read(path: &Path) {
    for want in [Want::Boards, Want::Everything, Want::Known] {
        if let Ok(input) = Input::open(path, want) {
            input.take(1000).for_each(drop);
        }
    }
}

/// Parquet, by the reader of rows and by that of questions.
fn parquet(data: &[u8]) {
    let path = written("file.parquet", data);
    read(&path);
    if let Ok(scan) = Scan::open(&[path]) {
        for question in
            ["SELECT count(*) FROM puzzles", "SELECT * FROM puzzles LIMIT 100", "SELECT max(puzzle) FROM puzzles"]
        {
            if let Ok(answer) = scan.ask(question) {
                (0..answer.len()).for_each(|row| drop(answer.row(row)));
            }
        }
    }
}

/// Any bytes in the place of a part. `run` sets them aside, and the corpus is sound again.
fn corpora(data: &[u8]) {
    static RECIPE: LazyLock<Recipe> = LazyLock::new(|| Recipe::read(&corpus().join("recipe.toml")).expect("a recipe"));
    let folder = corpus();
    let part = folder.join("rows/part-000001.parquet");
    fs::write(&part, data).expect("bytes in a file");
    let job = Job::default();
    let check = || verify(&folder, Some(1), &job).expect("a corpus");
    let sound = check().is_sound();
    let made = produce(&RECIPE, &folder, None, &job).expect("a corpus");
    assert!(check().is_sound() && (sound || made.parts_made == 1));
    drop(fs::remove_dir_all(folder.join("set-aside")));
}

/// An index of published puzzles. It accepts new puzzles, or it is refused.
fn index(data: &[u8]) {
    let path = written("file.index", data);
    // What a text of earlier versions leaves.
    for name in [".file.index.count", "file.index.old", "file.index-journal"] {
        drop(fs::remove_file(path.with_file_name(name)));
    }
    let (output, day) = (Path::new("out"), "2027-01-04".to_owned());
    let call = PublicationCall { index: &path, output, request: None, day, has_streams: false };
    let stop = StopFlag::new();
    let Ok(Begun::New(publication)) = Publication::begin(call, &stop, &mut |_| {}) else { return };
    if publication.finish(&[1, 2, u128::MAX], Sealed::default(), &stop, &mut |_| {}).is_ok() {
        let mut seen = Seen::default();
        seen.add_file(&path).expect("what was written is an index");
        assert!([1, 2, u128::MAX].iter().all(|class| seen.has(*class)));
    }
}

/// A corpus of six small puzzles in two parts, made once.
fn corpus() -> PathBuf {
    static CORPUS: LazyLock<PathBuf> = LazyLock::new(|| {
        let folder = FOLDER.path().join("corpus");
        let draft = Draft::parse("count = 6\npart_rows = 3\n[grid]\nshape = \"2x2\"").expect("a recipe");
        let recipe = Recipe::new(&draft).expect("a recipe");
        produce(&recipe, &folder, None, &Job::default()).expect("a corpus");
        folder
    });
    CORPUS.clone()
}
