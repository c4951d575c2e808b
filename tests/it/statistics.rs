//! Tests of columns from other programs, of stopping single stages, and of samples of weighted pools.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::common::{self, PUZZLE, contents, good, program, query, signal, stderr, stdout, succeed, wait_for};

const PEOPLE: &str = "id,puzzle,human_time,hodoku_score,won,note,\n";

fn people(folder: &Path) {
    let row = |id: &str, time: &str, won: &str| format!("{id},{PUZZLE},{time},7,{won},\"a, b\",-3\n");
    fs::write(folder.join("people.csv"), [PEOPLE, &row("007", "12.50", "true"), &row("x", "", "False")].concat())
        .unwrap();
}

#[test]
fn columns_of_other_programs_pass_through() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    people(folder);
    // Text is copied without changes.
    for out in ["rated.csv", "rated.csv.zst"] {
        good(folder, &format!("analyze people.csv --ratings none --out {out} -q"), "");
        let sql = "SELECT id, human_time, input_hodoku_score, won, note, column_7, givens FROM puzzles ORDER BY row";
        assert_eq!(query(folder, sql, out), "007,12.5,7,true,\"a, b\",-3,30\nx,,7,false,\"a, b\",-3,30", "{out}");
    }
    assert!(fs::read_to_string(folder.join("rated.csv")).unwrap().contains(",007,12.50,7,true,\"a, b\",-3\n"));
    // Parquet has types, and they are kept.
    good(folder, "analyze people.csv --ratings none --out rated.parquet -q", "");
    good(folder, "analyze rated.parquet --ratings none --out again.parquet -q", "");
    for file in ["rated.parquet", "again.parquet"] {
        let sql = "SELECT max(human_time) + 1, sum(input_hodoku_score + column_7), count(*) FROM puzzles WHERE won";
        assert_eq!(query(folder, sql, file), "13.5,4,1", "{file}");
    }
    // Objects of JSON have types, too; their lists become texts.
    let object = format!("{{\"id\":\"007\",\"puzzle\":\"{PUZZLE}\",\"human_time\":12.5,\"tags\":[1,2]}}\n");
    fs::write(folder.join("people.jsonl"), object).unwrap();
    good(folder, "analyze people.jsonl --ratings none --out json.parquet -q", "");
    assert_eq!(query(folder, "SELECT id, human_time + 1, tags FROM puzzles", "json.parquet"), "007,13.5,\"[1,2]\"");
    // A pipe cannot be read twice to find the types of its columns, so they are texts.
    let text = fs::read_to_string(folder.join("people.csv")).unwrap();
    good(folder, "analyze - --ratings none --out pipe.parquet -q", &text);
    assert_eq!(query(folder, "SELECT id, human_time FROM puzzles WHERE won = 'true'", "pipe.parquet"), "007,12.50");
    // An export drops columns of other programs.
    good(folder, "export rated.csv --count 1 --out one.csv -q", "");
    assert!(!fs::read_to_string(folder.join("one.csv")).unwrap().contains("human_time"));
}

/// Written by pandas 2 and pyarrow: columns puzzle, level_of_book (a category), sold (a dictionary of texts), month
/// (integers).
#[test]
fn dictionaries_are_read_as_plain_columns() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/categories.parquet");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::copy(file, folder.join("a.parquet")).unwrap();
    let sql = "SELECT level_of_book, sold, sum(month) FROM a GROUP BY level_of_book, sold ORDER BY level_of_book";
    assert_eq!(query(folder, sql, "a=a.parquet"), "easy,Bern,4\nhard,Basel,2");
    good(folder, "analyze a.parquet --ratings none --out rated.parquet -q", "");
    let sql = "SELECT level_of_book, sold, month FROM puzzles ORDER BY row";
    assert_eq!(query(folder, sql, "rated.parquet"), "easy,Bern,1\nhard,Basel,2\neasy,Bern,3");
    good(folder, "report a.parquet --out report.html --no-data -q", "");
    good(folder, "export a.parquet --count 1 --out one.txt -q", "");
    assert!(good(folder, "check a.parquet", "").contains('3'));
}

/// SIGTERM while the stage waits for more puzzles and stderr is closed: no file is written, and none is left.
#[cfg(unix)]
#[test]
fn a_stopped_stage_writes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for out in ["rated.csv", "rated.parquet"] {
        let mut command = program(folder, "analyze - --ratings none --out");
        let mut child = command.arg(out).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let lines = format!("{PUZZLE}\n").repeat(5_000);
        stdin.write_all(lines.as_bytes()).unwrap();
        drop(child.stderr.take());
        signal("TERM", child.id());
        // The program handles the signal when it reads the next puzzles or the end of the input.
        drop(stdin.write_all(lines.as_bytes()));
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(4));
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}

/// Every stage makes a corpus in a folder. Calls that are killed at any time and repeated give its bytes; another input
/// and other options are refused.
#[cfg(unix)]
#[test]
fn stages_continue_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "generate --count 25000 --out grids.txt -q", "");
    good(folder, "run --count 400 --techniques none --ratings none --out c -q", "");
    good(folder, "export c --all --out all.txt -q", "");
    let lines = fs::read_to_string(folder.join("all.txt")).unwrap();
    let rows = lines.lines().enumerate().map(|(at, line)| format!("{at},{line}\n{at}b,no puzzle\n"));
    fs::write(folder.join("table.csv"), rows.fold("id,puzzle\n".to_owned(), |table, row| table + &row)).unwrap();
    for (words, option, other) in [
        ("generate --count 25000 --seed 3 --out OUT", "--seed 3", "--seed 4"),
        ("dig grids.txt --plan random-holes=40 --out OUT/", "=40", "=41"),
        ("analyze table.csv --ratings all --steps --out OUT", "all", "er"),
        ("analyze table.csv --ratings er --format csv.zst --out OUT/", "er", "er --on-error fail"),
        ("mask heart --count 40 --tries 1000000 --out OUT", "--count 40", "--count 41"),
    ] {
        let [whole, pieces] = ["whole", "pieces"].map(|out| format!("{} -q", words.replace("OUT", out)));
        good(folder, &whole, "");
        for wait in [20, 90, 200, 400] {
            let mut child = program(folder, &pieces).spawn().unwrap();
            std::thread::sleep(std::time::Duration::from_millis(wait));
            child.kill().unwrap();
            child.wait().unwrap();
        }
        good(folder, &pieces, "");
        let made = contents(&folder.join("whole"));
        assert!(made == contents(&folder.join("pieces")), "{words}");
        assert!(
            made.keys()
                .all(|name| name.ends_with("recipe.toml") || name.starts_with("rows") || name.starts_with("steps"))
        );
        let told = stderr(&succeed(&mut program(folder, "verify whole"), ""));
        assert!(told.contains(" made again") && !told.contains(" 0 made again"), "{words}: {told}");
        // Full grids are no puzzles that a solver could not decide.
        assert!(!told.contains("undecided") || !words.starts_with("generate"), "{words}: {told}");
        let refused = "this folder holds a corpus of another recipe";
        common::fail(&mut program(folder, &whole.replace(option, other)), "", 2, &[refused]);
        assert!(made == contents(&folder.join("whole")));
        for name in ["whole", "pieces"] {
            fs::remove_dir_all(folder.join(name)).unwrap();
        }
    }
    let words = "analyze table.csv --ratings none --out rated -q";
    good(folder, words, "");
    let file = "analyze table.csv --ratings none --out rated.parquet -q";
    good(folder, file, "");
    let sql = "SELECT row, id, level, hodoku_score, puzzle FROM puzzles ORDER BY row";
    let [of_folder, of_file] = ["rated", "rated.parquet"].map(|source| query(folder, sql, source));
    assert!(of_folder == of_file && of_folder.lines().count() == 400);
    let made = contents(&folder.join("rated"));
    fs::write(folder.join("table.csv"), "id,puzzle\n1,no puzzle\n").unwrap();
    common::fail(
        &mut program(folder, words),
        "",
        2,
        &["holds a corpus of another recipe (count = 800 in the folder, "],
    );
    assert!(made == contents(&folder.join("rated")));
    let told = stderr(&succeed(&mut program(folder, "verify rated"), ""));
    assert!(told.contains("the input table.csv is not in the current folder or beside the corpus"), "{told}");
    common::fail(&mut program(folder, "analyze - --out rated"), "", 2, &["its input must be a file"]);
    common::fail(&mut program(folder, "run rated/recipe.toml --out again"), "", 2, &["'command'"]);
    common::fail(
        &mut program(folder, "analyze table.csv --resume --out a.csv"),
        "",
        2,
        &["--resume is gone", "--out rated"],
    );
}

/// The number of threads, separate calls for some parts, and a kill do not change the sample.
#[cfg(unix)]
#[test]
fn a_sample_has_the_same_bytes_however_its_pool_was_made() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let recipe = "count = 3000\npart_rows = 100\n[grid]\nshape = \"2x3\"\n[analyze]\nweight = true\ntechniques = \"none\"\nratings = \"none\"\n\
                  [[output]]\ncommand = \"export\"\ncount = 20\npick = \"weighted\"\nout = \"sample.parquet\"\n";
    fs::write(folder.join("r.toml"), recipe).unwrap();
    good(folder, "run r.toml --out one --threads 1 -q", "");
    good(folder, "run r.toml --out pieces --parts 20..29 --threads 3 -q", "");
    let mut child = program(folder, "run r.toml --out pieces --threads 2").stdout(Stdio::null()).spawn().unwrap();
    wait_for(&folder.join("pieces/rows/part-000003.parquet"));
    child.kill().unwrap();
    child.wait().unwrap();
    good(folder, "run r.toml --out pieces --threads 3 -q", "");
    let read = |corpus: &str| fs::read(folder.join(corpus).join("outputs/sample.parquet")).unwrap();
    assert!(read("one") == read("pieces"));
    assert_eq!(
        query(folder, "SELECT count(*) FROM puzzles WHERE log_weight IS NULL", "one/outputs/sample.parquet"),
        "20"
    );
}

/// Rows of 4x4, without ratings.
fn small(folder: &Path, rows: u64, out: &str) {
    good(
        folder,
        &format!("run --board 4x4 --count {rows} --techniques none --ratings none --weight --out {out} -q"),
        "",
    );
}

/// A file with another version of a scale: queries of its column say so, and its weighted figures are not pooled.
#[test]
fn versions_of_a_scale_are_told_and_their_weighted_figures_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small(folder, 60, "made");
    let mut bytes = fs::read(folder.join("made/rows/part-000000.parquet")).unwrap();
    fs::write(folder.join("new.parquet"), &bytes).unwrap();
    let version = b"best order of whips; version ";
    let at = bytes.windows(version.len()).position(|window| window == version).unwrap() + version.len();
    bytes[at] = b'1';
    // A file of an older program has no checksums.
    let key = b"sudoku-corpus-footer-checksum";
    let place = bytes.windows(key.len()).position(|window| window == key).unwrap();
    bytes[place] = b'S';
    fs::write(folder.join("old.parquet"), &bytes).unwrap();
    let note = "different versions of the scales of w:";
    let sql = ["SELECT count(coalesce(w, 0)) FROM puzzles", "old.parquet", "new.parquet"];
    let told = succeed(program(folder, "query --format csv").args(sql), "");
    assert!(common::stderr(&told).contains(note) && stdout(&told).contains("120"));
    let refusal = ["cannot be compared", "--by shape,method,plan,source", "--unweighted"];
    common::fail(&mut program(folder, "stats coalesce(w,givens) old.parquet new.parquet"), "", 2, &refusal);
    for options in [&["--unweighted"][..], &["--by", "source"], &["--where", "source='old.parquet'"]] {
        let words = "stats coalesce(w,givens) old.parquet new.parquet";
        let told = succeed(program(folder, words).args(options), "");
        assert!(common::stderr(&told).contains(note), "{options:?}");
        let are_pooled = options == ["--unweighted"];
        assert_eq!(stdout(&told).contains("  120 "), are_pooled, "{options:?}: {}", stdout(&told));
    }
    fs::copy(folder.join("new.parquet"), folder.join("newer.parquet")).unwrap();
    for words in ["stats coalesce(w,givens) new.parquet newer.parquet", "stats givens old.parquet new.parquet"] {
        let told = succeed(&mut program(folder, words), "");
        assert!(!common::stderr(&told).contains(note), "{words}");
    }
}

/// Figures that are not reliable have no interval in any format, and say what the doubt is based on.
#[test]
fn figures_that_are_not_reliable_have_no_interval() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small(folder, 10, "few");
    let shown = |words: &str| good(folder, &format!("stats givens few --log-weight 0 -q {words}"), "");
    let table = shown("");
    let line = table.lines().nth(1).unwrap();
    assert!(
        line.contains("  -  ") && line.contains("NOT RELIABLE: too few grids (") && !line.contains(" .. "),
        "{line}"
    );
    let csv = shown("--format csv");
    let fields: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert!(fields[4..7] == ["", "", "false"] && !fields[3].is_empty(), "{csv}");
    let json: serde_json::Value = serde_json::from_str(&shown("--format json")).unwrap();
    for figure in json["figures"].as_array().unwrap() {
        assert!(
            figure["low_95"].is_null() && figure["high_95"].is_null() && figure["estimate"].is_number(),
            "{figure}"
        );
        assert!(figure["doubt"].as_str().unwrap().contains("effective, 25 needed): about"), "{figure}");
    }
    small(folder, 400, "many");
    let reliable = good(folder, "stats givens many --log-weight 0 -q --format csv", "");
    assert!(reliable.lines().nth(1).unwrap().split(',').skip(4).take(2).all(|end| end.parse::<f64>().is_ok()));
    good(folder, "stats givens few --plot few.svg -q", "");
    assert!(fs::read_to_string(folder.join("few.csv")).unwrap().contains("effective, 25 needed"));
}

/// The mean of the rows of a file of replicates, and its standard error by the formula that R and Python use.
fn by_replicates(folder: &Path, file: &str, column: &str) -> (f64, f64) {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<&str>>());
    let head = lines.next().unwrap();
    let value = head.iter().position(|name| *name == column).unwrap();
    let weight = head.iter().position(|name| *name == "weight").unwrap();
    let mut sums = vec![[0.0; 2]; head.len() - weight];
    for cells in lines.filter(|cells| !cells[value].is_empty()) {
        let number: f64 = cells[value].parse().unwrap();
        for (sum, cell) in sums.iter_mut().zip(&cells[weight..]) {
            let weight: f64 = cell.parse().unwrap();
            *sum = [sum[0] + weight, sum[1] + weight * number];
        }
    }
    let means: Vec<f64> = sums.iter().map(|[weight, sum]| sum / weight).collect();
    let (whole, parts) = means.split_first().unwrap();
    let (count, mean) = (parts.len() as f64, parts.iter().sum::<f64>() / parts.len() as f64);
    let squares = parts.iter().map(|part| (part - mean).powi(2)).sum::<f64>();
    (*whole, ((count - 1.0) / count * squares).sqrt())
}

/// Means and errors computed of the replicate weights are those of `stats`: with and without weights, with a condition, for
/// flags, and in Parquet.
#[test]
fn replicate_weights_give_the_errors_of_stats() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    small(folder, 700, "four");
    for options in ["", "--unweighted", "--where givens<6", "--grid puzzle"] {
        let words = format!("stats givens,givens=4 four -q --format json --replicates r.csv --force {options}");
        let json: serde_json::Value = serde_json::from_str(&good(folder, &words, "")).unwrap();
        for (column, statistic) in [("givens", "mean"), ("givens=4", "share true")] {
            let found = json["figures"].as_array().unwrap().iter();
            let mut found = found.filter(|one| one["figure"] == column && one["statistic"] == statistic);
            let figure = found.next().unwrap();
            let [value, error] = ["estimate", "standard_error"].map(|name| figure[name].as_f64().unwrap());
            let (mean, by_parts) = by_replicates(folder, "r.csv", column);
            assert!((mean - value).abs() < 1e-9, "{options} {column}: {mean} {value}");
            assert!((by_parts - error).abs() <= 1e-6 * error + 1e-12, "{options} {column}: {by_parts} {error}");
        }
    }
    good(folder, "stats givens four -q --by level --replicates r.parquet", "");
    good(folder, "query SELECT/**/*/**/FROM/**/r r=r.parquet --out r.csv --force -q", "");
    let (mean, _) = by_replicates(folder, "r.csv", "givens");
    assert!((4.0..5.5).contains(&mean), "{mean}");
    common::fail(&mut program(folder, "stats givens four --replicates r.txt"), "", 2, &[".csv or .parquet"]);
    common::fail(
        &mut program(folder, "stats givens,givens four --force --replicates r.csv"),
        "",
        2,
        &["called 'givens'"],
    );
}

/// What is asked has an answer: a value, or a row with a reason, or a refusal.
#[test]
fn what_is_asked_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("a.csv"), "x,y,name\n1,,a\n2,,b\n3,5,b\n").unwrap();
    let csv = good(folder, "stats x,y,name a.csv -q --unweighted --by name --format csv", "");
    let of_y: Vec<&str> = csv.lines().filter(|line| line.starts_with("a,y,")).collect();
    assert!(
        of_y.len() == 1 && of_y[0].starts_with("a,y,mean,,,,,false,0,0") && of_y[0].contains("no row has a value"),
        "{csv}"
    );
    for (words, code, said) in [
        ("stats x a.csv --where 'x > 9'", 2, "no row meets the condition"),
        ("stats 'x AS replicate_1' a.csv --unweighted --replicates r.csv", 2, "called 'replicate_1'"),
        ("stats x a.csv --unweighted --by 'name AS rows' --format csv", 2, "called 'rows'"),
        ("stats x a.csv --unweighted --by name,name --format json", 2, "called 'name'"),
        ("stats x a.csv --unweighted --by 'name AS rows,name'", 0, ""),
        ("stats 'x,y AS weight' a.csv --unweighted --replicates r.csv", 2, "called 'weight'"),
        ("stats x a.csv --where '1 LIMIT 1'", 2, "--where"),
        ("stats x a.csv --where '1 GROUP BY name'", 2, "--where"),
        ("stats x a.csv --where 'x > (SELECT 1)'", 2, "subquery"),
        ("stats x a.csv --bins 0.000001 --unweighted", 0, ""),
        ("stats x a.csv --fit 'y ~ x'", 2, "--replicates"),
    ] {
        let output = common::run(&mut program(folder, words), "");
        let text = common::stderr(&output);
        assert!(output.status.code() == Some(code) && text.contains(said), "{words}: {text}");
    }
    let many: String = (0..20_000).map(|at| format!("{}\n", 1_000_000_000_000u64 + at)).collect();
    fs::write(folder.join("many.csv"), format!("x\n{many}")).unwrap();
    let csv = good(folder, "stats x many.csv -q --unweighted --bins 100 --format csv", "");
    let shares: Vec<&str> = csv.lines().filter(|line| line.starts_with("x,share ")).collect();
    assert!(shares.len() == 200 && shares.iter().all(|line| line.contains(",0.005,")), "{}", shares.len());
}

/// As many rows as a pilot asks for give the wanted error.
#[test]
fn a_pilot_says_how_many_rows_a_figure_needs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "run --shape 2x3 --techniques none --ratings none --count 1000 --out pilot -q", "");
    let numbers = |corpus: &str| -> Vec<f64> {
        let csv = good(folder, &format!("stats givens {corpus} -q --format csv"), "");
        csv.lines().nth(1).unwrap().split(',').map(|text| text.parse().unwrap_or(f64::NAN)).collect()
    };
    // A quarter of the error takes sixteen times as many rows.
    let rows = 16.0 * numbers("pilot")[12];
    good(
        folder,
        &format!("run --shape 2x3 --techniques none --ratings none --count {rows:.0} --seed 7 --out made -q"),
        "",
    );
    let made = numbers("made");
    let error = 100.0 * (made[5] - made[4]) / 2.0 / made[2];
    assert!((error / 0.25 - 1.0).abs() < 0.15, "{rows} rows: +- {error} %");
}

/// A text that a spreadsheet would take for a formula gets an apostrophe in every CSV file, and stays as it is elsewhere.
#[test]
fn texts_that_look_like_formulas_are_texts_in_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let note = "=HYPERLINK(1)";
    fs::write(folder.join("in.csv"), format!("puzzle,note,delta\n{},{note},-5\n", common::PUZZLE)).unwrap();
    good(folder, "analyze in.csv --techniques none --ratings none --out a.csv", "");
    let row = fs::read_to_string(folder.join("a.csv")).unwrap();
    assert!(row.lines().nth(1).unwrap().ends_with(&format!(",'{note},-5")), "{row}");
    good(folder, "analyze in.csv --techniques none --ratings none --out a.csv.zst", "");
    assert_eq!(query(folder, "SELECT note || '', typeof(delta) FROM puzzles", "a.csv.zst"), format!("'{note},integer"));
    good(folder, "analyze in.csv --techniques none --ratings none --out a.parquet", "");
    assert_eq!(query(folder, "SELECT length(note) FROM puzzles", "a.parquet"), note.len().to_string());
    assert_eq!(query(folder, "SELECT length(note) FROM puzzles", "a.csv.zst"), note.len().to_string());
    let levels = format!("[[level]]\nname = \"{note}\"\ngivens = \"10..80\"\n");
    fs::write(folder.join("levels.toml"), levels).unwrap();
    good(folder, "export in.csv --all --levels levels.toml --out e.csv", "");
    assert!(fs::read_to_string(folder.join("e.csv")).unwrap().contains(&format!(",'{note},")));
}

#[test]
fn a_folder_may_be_called_like_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    good(folder, "run --count 3 --out three -q", "");
    fs::create_dir(folder.join("givens")).unwrap();
    assert!(good(folder, "stats givens three --unweighted --format csv", "").contains("givens,"));
    let swapped = stderr(&common::run(&mut program(folder, "stats three nowhere"), ""));
    assert!(swapped.contains("the figures stand before the corpus"), "{swapped}");
}
