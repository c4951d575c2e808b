//! The guide and the README are shown, not told: the outputs on their pages are those of the program, every command is one that
//! the program understands, every link leads to something.
//!
//! ```text
//!   ```console                  The commands of all pages run in one folder, one after another. What the terminal would
//!   $ sudoku-corpus run ...     show stands below each, without progress. Times stand as `...`. Commands of `sh` blocks
//!   making 20 puzzles ...       run, too, and their output is not shown; those of `text` blocks are only parsed.
//!   ```
//!
//!   ```toml                     A block that begins with the name of a file is that file.
//!   # book.toml
//! ```
//!
//! After a change of the program or of a page, write the outputs anew:
//!
//! ```text
//! GUIDE=write cargo test --release --test it guide
//! ```

#![cfg(unix)]

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sudoku_corpus::guide::TOPICS;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(page: &Path) -> String {
    fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

/// The README and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let pages = TOPICS.iter().map(|page| root().join(format!("src/guide/{}.md", page.name)));
    std::iter::once(root().join("README.md")).chain(pages).collect()
}

/// A part of a page: the text between blocks, or a block with the word behind its first fence.
struct Piece<'a> {
    kind: Option<&'a str>,
    lines: Vec<&'a str>,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = vec![Piece { kind: None, lines: Vec::new() }];
    for line in text.lines() {
        match (line.strip_prefix("```"), pieces.last().and_then(|piece| piece.kind)) {
            (Some(kind), None) => pieces.push(Piece { kind: Some(kind), lines: Vec::new() }),
            (Some(""), Some(_)) => pieces.push(Piece { kind: None, lines: Vec::new() }),
            _ => pieces.last_mut().unwrap().lines.push(line),
        }
    }
    pieces
}

/// The commands of a block. One that ends in a backslash goes on in the next line.
fn commands(lines: &[&str], prompt: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in lines {
        match (goes_on, line.strip_prefix(prompt)) {
            (true, _) => *commands.last_mut().unwrap() += &format!("\n{line}"),
            (false, Some(command)) => commands.push(command.to_owned()),
            (false, None) => continue,
        }
        goes_on = line.ends_with('\\');
    }
    commands
}

/// A command in a folder, in which `sudoku-corpus` is a program of this folder.
fn shell(folder: &Path, command: &str) -> Command {
    let path = format!("{}/bin:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-ec", &format!("exec 2>&1\n{command}")]).current_dir(folder.join("here"));
    shell.env("PATH", path).env("LC_ALL", "C").stdin(Stdio::null());
    shell
}

/// A folder with the folders `bin` and `here`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bin")).unwrap();
    fs::create_dir(folder.path().join("here")).unwrap();
    folder
}

/// What a command prints. It must succeed.
fn printed(folder: &Path, place: &str, command: &str) -> String {
    let output = shell(folder, command).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{place}: {command}\n{shown}");
    shown
}

/// A line of output without the times in it: `0.2 s` and `513 rows a second`.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_time = |at: usize| {
        let rest = &words[at + 1..];
        let number = words[at].trim_start_matches(['(', ',']).replace(',', "").parse::<f64>().is_ok();
        let seconds = rest.first().is_some_and(|unit| unit.trim_end_matches([',', ')', '.']) == "s");
        number && (seconds || rest.len() > 2 && rest[1] == "a" && rest[2].starts_with("second"))
    };
    let shown: Vec<&str> = (0..words.len()).map(|at| if is_time(at) { "..." } else { words[at] }).collect();
    shown.join(" ").trim_end().to_owned()
}

/// The page with the outputs that its commands have now.
fn made_again(page: &Path, folder: &Path) -> String {
    let place = page.display().to_string();
    let old = text(page);
    let mut new = String::new();
    for Piece { kind, lines } in pieces(&old) {
        let name = lines.first().and_then(|line| line.strip_prefix("# ")?.split([' ', ',', ':']).next());
        if let (Some("toml"), Some(name)) = (kind, name.filter(|name| name.ends_with(".toml"))) {
            fs::write(folder.join("here").join(name), lines.join("\n") + "\n").unwrap();
        }
        kind.iter().for_each(|kind| writeln!(new, "```{kind}").unwrap());
        if kind == Some("console") {
            for command in commands(&lines, "$ ") {
                let shown = printed(folder, &place, &command);
                writeln!(new, "$ {command}").unwrap();
                let progress = |line: &&str| line.ends_with(" s left") || line.ends_with(" a second");
                let lines = shown.trim_end().lines().filter(|line| !progress(line));
                lines.for_each(|line| writeln!(new, "{}", timeless(line)).unwrap());
            }
        } else {
            if kind == Some("sh") {
                // The tests run already, and cargo has built the program.
                let block = lines.iter().filter(|line| !line.starts_with("cargo test"));
                let block = block.map(|line| line.replace("cargo run --release -- ", "sudoku-corpus ") + "\n");
                printed(folder, &place, &block.collect::<String>());
            }
            lines.iter().for_each(|line| writeln!(new, "{line}").unwrap());
        }
        kind.iter().for_each(|_| writeln!(new, "```").unwrap());
    }
    new
}

/// Files that a reader of the help has.
const FILES: [(&str, &str); 4] = [
    ("puzzle.txt", "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"),
    ("several.txt", "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28...................\n"),
    ("hard.txt", "32.....14.5....2.....34..7919.....2....65..9.........5..7.6.....3..9574.....7...1\n"),
    (
        "pattern.txt",
        "..xx.xx..\n.x..x..x.\nx...x...x\nx.......x\n.x..x..x.\n..x.x.x..\n.x.xxx.x.\n..x.x.x..\n...xxx...\n",
    ),
];

/// Examples that take minutes, or that need a night that failed: they are parsed, and not run.
const LONG: [&str; 5] = ["nightly ", "coverage >", "coverage --out", "bench", "completions bash"];

/// The examples of the help of a command. One goes on behind a backslash, and inside of quotes; deeper lines say what it does.
fn examples(command: &clap::Command) -> Vec<String> {
    let help = command.get_after_long_help().or(command.get_after_help()).map(ToString::to_string).unwrap_or_default();
    let mut examples: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in help.lines() {
        match line.strip_prefix("  ").filter(|example| example.starts_with("sudoku-corpus ")) {
            Some(example) if !goes_on => examples.push(example.to_owned()),
            _ if goes_on => *examples.last_mut().unwrap() += &format!("\n{line}"),
            _ => continue,
        }
        let example = examples.last().unwrap();
        goes_on = example.ends_with('\\') || example.matches('\'').count() % 2 == 1;
    }
    examples
}

/// The examples of the README, of the guide and of the help run one after another in one folder, as readers run them.
#[test]
fn every_example_works_after_every_other_one() {
    let write = std::env::var_os("GUIDE").is_some_and(|value| value == "write");
    let folder = folder();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_sudoku-corpus"), folder.path().join("bin/sudoku-corpus")).unwrap();
    let mut rotten = String::new();
    for page in pages() {
        let (old, new) = (text(&page), made_again(&page, folder.path()));
        if write && old != new {
            fs::write(&page, &new).unwrap();
        }
        if let Some(differing) = old.lines().zip(new.lines()).find(|(old, new)| old != new).filter(|_| !write) {
            writeln!(rotten, "{}: {differing:?}", page.display()).unwrap();
        }
        assert!(pieces(&new).iter().any(|piece| piece.kind == Some("console")), "{} shows no output", page.display());
    }
    assert!(rotten.is_empty(), "GUIDE=write cargo test --release --test it guide\n{rotten}");
    for (name, contents) in FILES {
        fs::write(folder.path().join("here").join(name), contents).unwrap();
    }
    let answers =
        "sudoku-corpus query 'SELECT puzzle, solution AS answer FROM puzzles LIMIT 9' corpus --out answers.jsonl";
    printed(folder.path(), "test", answers);
    let program = sudoku_corpus::cli::command();
    let mut seen = 0;
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        for example in examples(command) {
            if !LONG.iter().any(|long| example["sudoku-corpus ".len()..].starts_with(long)) {
                printed(folder.path(), &format!("{} --help", command.get_name()), &example);
                seen += 1;
            }
        }
    }
    assert!(seen > 80, "{seen} examples");
}

/// The shell splits each command into words, and a program that stands in for ours hands them to the parser of ours.
#[test]
fn every_command_on_a_page_is_understood() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder();
    let program = folder.path().join("bin/sudoku-corpus");
    fs::write(
        &program,
        format!(
            // In one write, because the commands of a pipeline run side by side.
            "#!/bin/sh\nprintf '%s\\0' sudoku-corpus \"$@\" \"$(printf '\\1')\" >>{}/words\n",
            folder.path().display()
        ),
    )
    .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut seen = 0;
    let mut calls: Vec<(String, String)> = Vec::new();
    for page in pages() {
        let text = text(&page);
        for piece in pieces(&text).iter().filter(|piece| piece.kind == Some("text")) {
            let commands = commands(&piece.lines, "sudoku-corpus ").into_iter();
            calls.extend(commands.map(|command| (page.display().to_string(), format!("sudoku-corpus {command}"))));
        }
    }
    for command in sudoku_corpus::cli::command().get_subcommands() {
        // Files of others are not written.
        let examples = examples(command).into_iter().filter(|example| !example.contains(" > "));
        calls.extend(examples.map(|example| (command.get_name().to_owned(), example)));
    }
    for (place, command) in &calls {
        shell(folder.path(), command).output().unwrap();
        let words =
            fs::read(folder.path().join("words")).unwrap_or_else(|_| panic!("{place}: {command} calls nothing"));
        fs::remove_file(folder.path().join("words")).unwrap();
        for call in words.split(|&byte| byte == 1) {
            let call = std::str::from_utf8(call).unwrap().trim_matches('\0');
            if call.is_empty() {
                continue;
            }
            let parsed = sudoku_corpus::cli::command().try_get_matches_from(call.split('\0'));
            assert!(parsed.is_ok(), "{place}: {command}\n{}", parsed.unwrap_err());
            seen += 1;
        }
    }
    assert!(seen > 80, "{seen}");
}

#[test]
fn every_link_leads_somewhere() {
    let reports = fs::read_dir(root().join("reports")).unwrap().map(|entry| entry.unwrap().path());
    let more =
        ["CONTRIBUTING.md", "CHANGELOG.md", "data/README.md", "scripts/python/README.md"].map(|name| root().join(name));
    let markdown = reports.filter(|path| path.extension().is_some_and(|end| end == "md"));
    for page in pages().into_iter().chain(markdown).chain(more) {
        let text = text(&page);
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap();
            let here = page.parent().unwrap().join(path);
            assert!(path.contains("://") || path.is_empty() || here.exists(), "{}: {target}", page.display());
        }
        for topic in text.split("`guide ").skip(1).filter_map(|rest| rest.split('`').next()) {
            let known = !topic.chars().all(char::is_lowercase) || TOPICS.iter().any(|page| page.name == topic);
            assert!(known, "{}: guide {topic}", page.display());
        }
    }
}

/// Reports about rows name the version that made them. A report is too old if a later version has other rows.
#[test]
fn reports_are_not_older_than_the_rows_they_tell_of() {
    let changes = text(&root().join("CHANGELOG.md"));
    let versions = changes.split("\n## ").skip(1).filter(|version| version.contains("\n### Rows and files"));
    let rows: &str = versions.map(|version| version.lines().next().unwrap().trim()).next().unwrap();
    let mut checked = 0;
    for entry in fs::read_dir(root().join("reports")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.extension().is_some_and(|end| end == "md") && !NOT_OF_ROWS.contains(&name.as_str()) {
            let report = text(&path);
            let version =
                report.split("sudoku-corpus ").skip(1).find(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            let version = version.unwrap_or_else(|| panic!("reports/{name}.md does not name the version that made it"));
            let number = version.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap().trim_end_matches('.');
            let order = |text: &str| text.split('.').map(|part| part.parse::<u32>().unwrap()).collect::<Vec<_>>();
            let is_true = order(number) >= order(rows) || STILL_TRUE.contains(&(name.as_str(), rows));
            assert!(is_true, "reports/{name}.md is of {number}, and rows changed in {rows}");
            checked += 1;
        }
    }
    assert!(checked > 3, "{checked}");
}

/// Older reports that a change of rows left true, with the version of the change: in 0.5.0 columns have other names, a
/// level that such a report tells of is HoDoKu's, and only layouts of jigsaws with some symmetries differ.
const STILL_TRUE: [(&str, &str); 7] = [
    ("baselines", "0.5.0"),
    ("census", "0.5.0"),
    ("coverage", "0.5.0"),
    ("crash", "0.5.0"),
    ("intervals", "0.5.0"),
    ("measured", "0.5.0"),
    ("needs", "0.5.0"),
];

/// Reports that no change of rows makes wrong: measurements of speed, what was tried, and tests with their commits.
const NOT_OF_ROWS: [&str; 8] =
    ["bench_large", "bench_peers", "bench_ratings", "bench_variants", "growth", "ladder", "on-demand", "tried"];

/// Every option has a help text. Options that the program alone uses are hidden.
#[test]
fn every_option_is_explained() {
    let program = sudoku_corpus::cli::command();
    let mut options = 0;
    for command in program.get_subcommands() {
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument.get_id());
            options += 1;
        }
    }
    assert!(options > 300, "{options}");
}

/// Words with a synonym that this project uses instead (`CONTRIBUTING.md`), and British spellings.
const NOT_OURS: &str = "analyse analysed analyses analysing artefact attempt attempts behaviour blank blanks catalogue centre centres colour coloured colours \
    essentially favour favours grey hole holes honour labelled labelling licence licences modelled modelling neighbour neighbours normalise optimise organise \
    recognise recognises relabelled relabelling shard shards summarise target targets trial trials wish wishes";

/// Places where such a word is the name of something else.
const NAMES_OF_OTHERS: &[(&str, &str)] = &[
    // British spellings of an option that people look for.
    ("colour", "color colour colors colours"),
    ("colours", "color colour colors colours"),
    ("target", "sudoku-corpus needs a target with 64-bit pointers"),
    // The cells of an exocet are called so everywhere.
    ("target", "those of 2 target cells in the other boxes"),
    // The column, and the option.
    ("holes", "holes > 0"),
    ("holes", "holes = 0"),
    ("holes", "givens holes class"),
    ("holes", "--holes"),
    ("holes", "random-holes"),
    ("holes", "its columns givens and holes are not those of the puzzle"),
];

/// The texts of several words in the sources without their tests, each with its file: messages, help, pages. What stands in
/// braces is no word of a text.
fn messages() -> Vec<(String, String)> {
    let (mut files, mut messages) = (Vec::new(), Vec::new());
    all_files(&root().join("src"), &mut files);
    let is_test = |path: &str| path.contains("/tests") || path.contains("testing") || path.ends_with("tests.rs");
    for file in files {
        let path = file.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        if !path.ends_with(".rs") || is_test(&path) {
            continue;
        }
        let all = text(&file);
        let own = all.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let code: Vec<&str> = own.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n").replace("'\"'", "").replace(r#"\\"#, "").replace("\\\"", "'");
        for literal in code.split('"').skip(1).step_by(2).filter(|literal| literal.contains(' ')) {
            messages.push((path.clone(), literal.to_owned()));
        }
    }
    assert!(messages.len() > 2000, "{} messages", messages.len());
    messages
}

/// Nouns in the plural that stand behind numbers.
const PLURALS: &str = "answers boards bytes candidates cells characters classes columns copies fields files givens grids guesses lines nights options pages parts positions \
    problems puzzles quotas rows solutions splits steps symbols tries values";

/// Texts in which a plural is right, because the number before it is never one: sizes of boards, limits of this program and
/// numbers beyond them, numbers that are names of kinds, keys of a line for programs.
const NEVER_ONE: &[&str] = &[
    "{:>2} givens  {mask}",
    "rows a second",
    "{fewest} to {most} givens",
    "explains all {options} options",
    "and 4 to {} cells",
    "this block has {count} rows",
    "a board has {cells} rows",
    "this block of {count} lines",
    "{cells} cells of regions",
    "{n} regions have {n} cells",
    "with {} classes",
    "makes {} grids",
    "transformations make {} grids",
    "{classes} classes of column contents",
    "There are {} classes of 9x9 grids",
    "{0}x{0} boards",
    "{}x{0} boards",
    "only one of {classes} classes",
    "{best} givens, but at most {most}",
    "the board has {cells} cells",
    "from the last {nights} nights",
    "night={night} status=",
    "{spine_text} pages at least",
    "spine {} for {pages} pages",
    "make at least {pages} pages",
    "it needs {order} symbols",
    "'{short}' has {found} characters",
    "{many} columns to sort by",
    "at most {MOST",
    "more than {MOST",
    "within {MOST",
    "cannot read {} values here",
    "about {} rows{of_group} settle it",
    "no row has {names} givens",
    "no row has {} givens",
    "have {shown} givens",
    "{mean:.1} cells stay empty",
    "longer than {LONGEST_LINE} bytes",
    "1 row has",
    "{night} tries it again",
    "{} cells in a set",
    "{} splits of",
    "account for all {} grids",
    "settled {all} puzzles",
    "into {0} files",
    "The methods that search can print every grid",
    "Puzzles that were dug to be minimal have fewer givens",
    "Columns and bars show these rows",
];

/// A number in a message stands with its noun: `counted(rows, "row")`.
#[test]
fn numbers_in_messages_stand_with_their_nouns() {
    let mut wrong = String::new();
    for (path, text) in messages() {
        let mut before = "";
        for behind in text.split_inclusive("} ") {
            // A part of a whole: "2 of 10 rows".
            let is_of_whole = before.rsplit_once('{').is_some_and(|(words, _)| words.ends_with("of "));
            let is_behind = !std::mem::replace(&mut before, behind).is_empty();
            if !is_behind || is_of_whole {
                continue;
            }
            let noun = behind.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            let is_plural = PLURALS.split_whitespace().any(|plural| plural == noun);
            if is_plural && !NEVER_ONE.iter().any(|known| text.contains(known)) {
                writeln!(wrong, "{path}: {text}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Texts for readers have one word for one thing. What stands in backticks or in blocks is a name.
#[test]
fn texts_have_one_word_for_one_thing() {
    let mut texts: Vec<(String, String)> = vec![("README.md".to_owned(), text(&root().join("README.md")))];
    texts.extend(
        TOPICS.iter().filter(|page| page.name != "terms").map(|page| (page.name.to_owned(), page.text.to_owned())),
    );
    for command in sudoku_corpus::cli::command().get_subcommands() {
        let help = command.get_arguments().flat_map(|argument| [argument.get_help(), argument.get_long_help()]);
        let help: String = help.flatten().map(|help| format!("{help}\n")).collect();
        texts.push((format!("{} --help", command.get_name()), help));
    }
    let columns = sudoku_corpus::corpus::COLUMNS
        .iter()
        .map(|column| (format!("column {}", column.name), column.about.to_string()));
    texts.extend(columns);
    texts.extend(messages());
    let mut wrong = String::new();
    for (place, text) in &texts {
        let text =
            &text.split('{').map(|piece| piece.split_once('}').map_or(piece, |(_, rest)| rest)).collect::<String>();
        let outside =
            text.split("```").step_by(2).flat_map(|text| text.split('`').step_by(2)).collect::<Vec<_>>().join(" ");
        // A link names a file.
        let outside =
            outside.split("](").map(|piece| piece.split_once(')').map_or(piece, |(_, rest)| rest)).collect::<Vec<_>>();
        if outside.join(" ").contains("open cell") {
            writeln!(wrong, "{place}: open cell").unwrap();
        }
        for word in words(&outside.join(" ")).map(str::to_lowercase) {
            let is_name = NAMES_OF_OTHERS.iter().any(|(name, around)| *name == word && text.contains(around));
            if NOT_OURS.split_whitespace().any(|other| other == word) && !is_name {
                writeln!(wrong, "{place}: {word}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty() && texts.len() > 150, "{} texts\n{wrong}", texts.len());
}

/// Numbers that pages take from reports: the page and the words around its number, the report and the words around its own.
const QUOTED: [[&str; 4]; 18] = [
    ["README.md", "thread: {} minimal 9x9", "bench_peers", "minimal puzzles, end to end ours {}"],
    [
        "README.md",
        "second, {} times as many as the next",
        "bench_peers",
        "minimal puzzles, end to end ours 47932 sudoku 8080 tdoku 4286 ratio {}",
    ],
    ["README.md", "11 times, 25x25 puzzles {} times as fast", "bench_large", "0.52 | 104 | {} |"],
    ["README.md", "unique 16x16 puzzles {} times", "bench_large", "62 | 713 | {} |"],
    ["README.md", "B of all {} controlled-bias", "measured", "For all of {} controlled-bias puzzles, ER"],
    ["README.md", "ER of {} of 458", "measured", "ER 10.6 to 11.9), {} get their published ER"],
    ["README.md", "HoDoKu for {} % of 1,000 random", "measured", "| 1,000 random ones | {} % | 0.5.0"],
    ["README.md", "for {} % of 2,000 others", "measured", "2,000 other random ones | {} ±"],
    ["README.md", "for 97 to {} % of harder", "measured", "controlled-bias ones | {} %"],
    ["src/guide/digging.md", "its puzzles have {} on average", "measured", "of the plan `minimal` have {} givens"],
    ["src/guide/digging.md", "all minimal 9x9 puzzles have {} (", "census", "mean | {} ±"],
    ["src/guide/boards.md", "after {} positions up to 16x16", "measured", "takes over after {} positions up to 16x16"],
    ["src/guide/rating.md", "published mean, {}, does", "census", "published values, {} and"],
    ["src/guide/statistics.md", "one order of {} succeeds", "measured", "one order of {} succeeds"],
    [
        "src/guide/statistics.md", "about {} minutes of processor time", "measured",
        "`recipe:sample` takes about {} minutes",
    ],
    [
        "src/guide/statistics.md",
        "about {} s of processor time",
        "measured",
        "row of `controlled-bias` takes about {} s",
    ],
    ["src/guide/levels.md", "Above ER {}, ER may", "measured", "An ER up to {} is the same"],
    ["src/guide/variants.md", "anti-knight has {}, anti-knight", "measured", "X with anti-knight has {} grids"],
];

/// The number between the words of a template.
fn number_in(text: &str, template: &str) -> Option<f64> {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, after) = template.split_once("{}")?;
    let numbers =
        words.match_indices(before).filter_map(|(place, _)| words[place + before.len()..].split(after).next());
    let mut numbers = numbers.filter_map(|number| number.trim().replace(',', "").parse().ok());
    match after.is_empty() {
        true => words.split(before).nth(1)?.split(' ').next()?.replace(',', "").parse().ok(),
        false => numbers.next(),
    }
}

/// Each quoted number is that of its report, rounded.
#[test]
fn numbers_on_pages_are_those_of_reports() {
    for [page, here, report, source] in QUOTED {
        let number = |path: &str, template: &str| {
            number_in(&text(&root().join(path)), template)
                .unwrap_or_else(|| panic!("{path} does not say \"{template}\""))
        };
        let (said, measured) = (number(page, here), number(&format!("reports/{report}.md"), source));
        assert!(
            (said - measured).abs() <= 0.02 * measured.abs(),
            "{page} says {said}, and reports/{report}.md {measured}"
        );
    }
}

/// Programs of others: a span of code that begins with one of them is about it.
const OTHER_PROGRAMS: &str = "GUIDE=write aws b3sum bench-peers cargo docker duckdb fuser kubectl maturin nohup pip python qpdf rm sbatch ssh systemctl";

/// Names that are not of this project: of other programs, of their files and options, of examples.
const OTHER_NAMES: &str = "--bench --c3 --correlations --fit --generate --library --option Loop/AIC OPENLINEAGE_URL PipesSubprocessClient Zip _1 bd benchmark/outputs/release board_4x4 iconv jq \
    dev/fd/1 dev/fd/3 dev/stdout etc/systemd/system ipuz.org/sudoku json_group_array krilla nights/2026-11-21 nights/2026-11-21/outputs \
    nights/2026-11-21/night.log proc/self/fd/1 rclone reglib rrggbb seen/2026-11-22.classes \
    shared/data sudoku_night_written_timestamp_seconds target/wheels/sudoku_corpus \
    open_dataset puzzles.csv buch.pdf --resume r1c2 replicate_1 row1 sdcp told.txt u5 usr/bin";

/// Ends of names of files.
const ENDS: [&str; 14] =
    ["rs", "md", "toml", "json", "jsonl", "csv", "parquet", "txt", "py", "sh", "svg", "pdf", "html", "classes"];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

fn all_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match path.is_dir() {
            true if !path.ends_with("target") && !path.ends_with(".git") => all_files(&path, found),
            false => found.push(path),
            true => {}
        }
    }
}

/// The comments of a Rust file; and its code without them and without strings of several words, which are texts for people.
fn comments_and_code(text: &str) -> (String, String) {
    let (mut comments, mut code) = (String::new(), String::new());
    for line in text.lines() {
        let start = if line.trim_start().starts_with("//") { line.find("//") } else { line.find(" // ") };
        let (before, comment) = line.split_at(start.unwrap_or(line.len()));
        let comment = comment.trim_start().trim_start_matches(['/', '!']);
        writeln!(comments, "{}", comment.strip_prefix(' ').unwrap_or(comment)).unwrap();
        writeln!(code, "{before}").unwrap();
    }
    let code = code.replace(r"\\", "").replace("\\\"", "").replace("'\"'", "");
    let is_name = |(at, piece): &(usize, &str)| at % 2 == 0 || !piece.contains(char::is_whitespace);
    let kept: Vec<&str> = code.split('"').enumerate().filter(is_name).map(|(_, piece)| piece).collect();
    (comments, kept.join("\""))
}

/// What a text can name: paths of the tree, words of the code, and the options of each command.
#[derive(Default)]
struct Names {
    known: HashSet<String>,
    options: BTreeMap<String, HashSet<String>>,
    scripts: BTreeMap<String, String>,
    code: BTreeMap<String, String>,
    texts: Vec<(String, String)>,
}

impl Names {
    fn read() -> Names {
        let (mut names, mut files) = (Names::default(), Vec::new());
        all_files(root(), &mut files);
        for file in files {
            let path = file.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
            for rest in starts.map(|start| &path[start..]) {
                let ends = rest.match_indices(['/', '.']).map(|(at, _)| at).chain([rest.len()]);
                names.known.extend(ends.map(|end| rest[..end].to_owned()));
            }
            let Ok(text) = fs::read_to_string(file) else { continue };
            match path.rsplit('.').next().unwrap() {
                "rs" => {
                    let (comments, code) = comments_and_code(&text);
                    names.known.extend(code.split(['"', ' ', ',']).chain(words(&code)).map(str::to_owned));
                    names.texts.push((path.clone(), comments));
                    names.code.insert(path, code);
                }
                "md" => names.texts.push((path, text)),
                "py" | "sh" | "toml" | "txt" | "service" | "timer" => {
                    names.known.extend(words(&text).map(str::to_owned));
                    names.scripts.insert(path, text);
                }
                _ => {}
            }
        }
        let program = sudoku_corpus::cli::command();
        for command in program.get_subcommands() {
            let arguments = command.get_arguments().chain(program.get_arguments());
            let options = arguments.filter_map(|argument| argument.get_long()).chain(["help", "version"]);
            names.options.insert(command.get_name().to_owned(), options.map(str::to_owned).collect());
            let help = command.clone().render_long_help().to_string();
            names.texts.push((format!("{} --help", command.get_name()), help));
        }
        for key in sudoku_corpus::corpus::KEYS.iter() {
            names.known.insert(key.name.to_owned());
            names.texts.push((format!("list keys: {}", key.name), key.about.to_owned()));
        }
        names.known.extend(sudoku_corpus::corpus::COLUMNS.iter().map(|column| column.name.to_string()));
        names
    }

    /// The words of a span of code that name nothing. `here` has the words of the blocks of the page.
    fn unknown(&self, span: &str, here: &HashSet<&str>) -> Vec<String> {
        let span = span.strip_prefix("sudoku-corpus ").unwrap_or(span);
        let first = span.split_whitespace().next().unwrap_or_default();
        if OTHER_PROGRAMS.split(' ').any(|name| name == first) {
            return Vec::new();
        }
        let (command, script) = (self.options.get(first), self.scripts.get(first));
        let has_option = |option: &str| match (command, script) {
            (Some(options), _) => options.contains(option),
            (_, Some(script)) => script.contains(&format!("--{option}")),
            _ => self.options.values().any(|options| options.contains(option)),
        };
        let is_call = command.is_some() || script.is_some() || span.starts_with('-') || span.contains(" = \"");
        let is_other = |word: &str| OTHER_NAMES.split(' ').any(|name| name == word);
        let exists = |word: &str| {
            // Numbers, sizes and days, and placeholders in capitals.
            let is_value = word.starts_with(|c: char| c.is_ascii_digit()) || word.chars().all(char::is_uppercase);
            is_value || self.known.contains(word) || here.contains(word) || is_other(word)
        };
        let known = |word: &str| {
            let is_file = word.contains('/') || word.rsplit_once('.').is_some_and(|(_, end)| ENDS.contains(&end));
            exists(word) || is_file && is_call || !is_file && words(word).all(exists)
        };
        let pieces = span.split(|c: char| !(c.is_alphanumeric() || "_-./".contains(c)));
        let is_wrong = |piece: &&str| match piece.strip_prefix("--") {
            Some(option) => option != "-" && !option.is_empty() && !has_option(option) && !is_other(piece),
            None => !self.known.contains(*piece) && !known(piece.trim_matches(['.', '-', '/'])),
        };
        pieces.filter(is_wrong).map(str::to_owned).collect()
    }

    /// The number behind some words in the code of a file.
    fn number(&self, file: &str, before: &str) -> f64 {
        let code = self.code.iter().find(|(path, _)| path.ends_with(file)).map_or("", |(_, code)| code);
        let value = code.split(before).nth(1).and_then(|rest| rest.trim().split([',', ';']).next());
        let number = value.and_then(|value| value.replace('_', "").parse().ok());
        number.unwrap_or_else(|| panic!("{file} has no number behind {before}"))
    }
}

/// The spans of code of a text outside of its blocks, and the words of the blocks.
fn spans(text: &str) -> (Vec<String>, HashSet<&str>) {
    let (mut found, mut here) = (Vec::new(), HashSet::new());
    for Piece { kind, lines } in pieces(text) {
        if kind.is_some() {
            for line in lines {
                here.extend(words(line).chain(line.split([' ', '"', '\'', '=', ',', ':'])));
            }
        } else {
            let joined = lines.join("\n");
            for paragraph in joined.split("\n\n") {
                found.extend(paragraph.split('`').skip(1).step_by(2).map(|span| span.replace('\n', " ")));
            }
        }
    }
    (found, here)
}

/// Files, functions, options, columns and keys in the backticks of pages, reports, help and comments are those of the tree
/// and of the program.
#[test]
fn what_a_text_names_exists() {
    let names = Names::read();
    let (mut wrong, mut seen) = (String::new(), 0);
    // The changelog tells of names that are gone.
    for (place, text) in names.texts.iter().filter(|(place, _)| place != "CHANGELOG.md") {
        let (spans, here) = spans(text);
        seen += spans.len();
        for span in spans {
            let unknown = names.unknown(&span, &here);
            if !unknown.is_empty() {
                writeln!(wrong, "{place}: `{span}`: {unknown:?}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty() && seen > 4000, "{seen} names\n{wrong}");
}

/// The columns of the view `published` in a database of published puzzles that a corpus does not have.
const PUBLISHED: [&str; 6] = ["number", "output", "request", "day", "version", "state"];

/// The script of the tests on demand names each test that CI ignores, and no other.
#[test]
fn tests_on_demand_are_those_that_are_ignored() {
    let names = Names::read();
    let sources = names.code.iter().filter(|(path, _)| path.starts_with("src/"));
    let after_ignore = sources.flat_map(|(_, code)| code.split("#[ignore").skip(1));
    let ignored: Vec<&str> = after_ignore.filter_map(|code| words(code.split("fn ").nth(1)?).next()).collect();
    let script = text(&root().join("scripts/test_on_demand.sh"));
    let listed: Vec<&str> =
        script.lines().filter_map(|line| Some(line.strip_prefix("    \"")?.split_once(':')?.0)).collect();
    for name in &listed {
        let tests = ignored.iter().filter(|test| test.starts_with(name)).count();
        assert_eq!(tests, 1, "{name} of {ignored:?}");
    }
    assert!(listed.len() == ignored.len() && listed.len() > 5, "{listed:?} of {ignored:?}");
}

/// The first cells of tables of columns name columns, and what is set in a recipe is one of its keys or an option.
#[test]
fn columns_and_keys_on_pages_exist() {
    use sudoku_corpus::corpus::{COLUMNS, KEYS, STEP_COLUMNS};
    let options: Vec<String> =
        Names::read().options.into_values().flatten().map(|name| name.replace('-', "_")).collect();
    let (mut columns, mut keys) = (0, 0);
    for page in TOPICS.iter().filter(|page| page.name != "statistics") {
        let in_table = page.text.split("\n\n").filter(|block| block.trim_start().starts_with("| column"));
        for cell in in_table.flat_map(str::lines).filter_map(|line| line.split('|').nth(1)) {
            for name in cell.split('`').skip(1).step_by(2).filter(|name| !name.contains(['<', '.'])) {
                let known = COLUMNS.iter().any(|column| column.name == name)
                    || STEP_COLUMNS.iter().any(|column| column.name == name)
                    // Of the view of published puzzles.
                    || PUBLISHED.contains(&name);
                assert!(known, "guide {}: no column {name}", page.name);
                columns += 1;
            }
        }
        for span in spans(page.text).0 {
            let Some((name, value)) = span.split_once(" = ") else { continue };
            if words(name).count() == 1 && value.starts_with(['"', '[', 't', 'f']) {
                let known = KEYS.iter().any(|key| key.name == name) || options.iter().any(|option| option == name);
                assert!(known, "guide {}: no key {name}", page.name);
                keys += 1;
            }
        }
    }
    assert!(columns > 20 && keys > 5, "{columns} columns, {keys} keys");
}

/// Numbers of the code: the file, the words before it there, a text, and the words around it there.
const NUMBERS: [(&str, &str, &str, &str); 16] = [
    ("plans/controlled_bias.rs", "const DELETION_ORDERS: u64 =", "src/guide/statistics.md", "a grid gets {} orders"),
    ("general/sat.rs", "..=16 =>", "src/guide/boards.md", "after {} positions"),
    ("general/sat.rs", "17..=25 =>", "src/guide/boards.md", "up to 16x16, {} up to"),
    ("general/sat.rs", "_ =>", "src/guide/boards.md", "25x25 and {} above"),
    ("nights/alarm.rs", "const FEWEST: usize =", "src/guide/nights.md", "as soon as there are {}:"),
    ("nights/mod.rs", "value_name = \"N\", default_value_t =", "src/guide/nights.md", "failed {} times"),
    ("release/made.rs", "const ISOMORPHS: u64 =", "src/guide/datasets.md", "under {} isomorphs"),
    ("sheet/arrangement.rs", "const LARGE_PRINT_DIGIT: f64 =", "src/guide/books.md", "digits of {} to"),
    ("sheet/type_sizes.rs", "const LARGE_PRINT_TYPE: f64 =", "src/guide/books.md", "({} pt in large print)"),
    ("sheet/type_sizes.rs", "const MIN_TYPE: f64 =", "src/guide/books.md", "down to {} pt"),
    ("estimates/blocks.rs", "const BLOCKS: usize =", "reports/intervals.md", "each of {} blocks"),
    ("estimates/estimate.rs", "const LEAST_CLUSTERS: f64 =", "reports/intervals.md", "blocks of grids | {} |"),
    ("estimates/estimate.rs", "const LEAST_FREEDOM: f64 =", "reports/intervals.md", "unusual values is added | {} |"),
    ("estimates/estimate.rs", "const HEAVIEST: f64 =", "reports/intervals.md", "at most {};"),
    ("estimates/numbers.rs", "const FEW_VALUES: usize =", "src/guide/statistics.md", "at most {} values"),
    ("estimates/estimate.rs", "const HEAVIEST_OF_SQUARES: f64 =", "reports/intervals.md", "0.6; {} for"),
];

/// Limits, counts and defaults on pages are those of the program.
#[test]
fn numbers_on_pages_are_those_of_the_program() {
    let names = Names::read();
    let one_by_one =
        ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"];
    let says = |page: &str, around: &str, number: f64| {
        let text = text(&root().join(page)).split_whitespace().collect::<Vec<_>>().join(" ");
        let word = one_by_one.get(number as usize).filter(|_| number.fract() == 0.0).unwrap_or(&"");
        let forms = [
            number.to_string(),
            sudoku_corpus::page::numbers::grouped(number as u128),
            word.to_lowercase(),
            (*word).to_owned(),
        ];
        let said = forms.iter().any(|form| !form.is_empty() && text.contains(&around.replace("{}", form)));
        assert!(said, "{page} does not say \"{}\"", around.replace("{}", &number.to_string()));
    };
    for (file, before, page, around) in NUMBERS {
        says(page, around, names.number(file, before));
    }
    let count = |path: &str, lines: fn(&&str) -> bool| text(&root().join(path)).lines().filter(lines).count() as f64;
    let tests = count("scripts/test_on_demand.sh", |line| line.starts_with("    \"") && line.contains(": "));
    says("CONTRIBUTING.md", "{} tests are too long for CI", tests);
    says(
        "CONTRIBUTING.md",
        "{} crates. Each depends",
        count("Cargo.toml", |line| line.contains("path = \"src/") && line.contains("version")) + 1.0,
    );
    let efforts = sudoku_corpus::corpus::COLUMNS.iter().filter(|column| column.name.starts_with("effort_")).count();
    says("src/guide/rating.md", "fills {} columns", efforts as f64);

    // The defaults that the meanings of keys tell are those of an empty recipe.
    let recipe = Command::new(env!("CARGO_BIN_EXE_sudoku-corpus")).args(["run", "--dry-run"]).output().unwrap();
    let (mut table, mut checked) = ("", 0);
    for line in std::str::from_utf8(&recipe.stdout).unwrap().lines() {
        table = line.strip_prefix('[').map_or(table, |rest| rest.trim_end_matches(']'));
        let Some((name, value)) = line.split_once(" = ") else { continue };
        let key = sudoku_corpus::corpus::KEYS.iter().find(|key| (key.table, key.name) == (table, name)).unwrap();
        let value = value.trim_matches('"');
        let told = key.about.replace('"', "").split_once("default").map(|(before, after)| {
            let after = after.trim_start_matches(')').split(';').next().unwrap().to_owned();
            words(&after).any(|word| word == value)
                || after.contains(value)
                || before.trim_end_matches([' ', '(', ';']).ends_with(value)
        });
        assert!(
            told == Some(true) || value == "default",
            "list keys: {table}.{name} is {value}, not \"{}\"",
            key.about
        );
        checked += 1;
    }
    assert!(checked > 12, "{checked} defaults");
    // A value that a page marks so is the default of the option in its line, or of some option.
    let program = sudoku_corpus::cli::command();
    let arguments: Vec<_> = program.get_subcommands().flat_map(|command| command.get_arguments()).collect();
    for line in pages().iter().map(|page| text(page)).collect::<String>().lines() {
        for (before, _) in line.match_indices("` (default)").map(|(at, _)| line.split_at(at)) {
            let value = before.rsplit('`').next().unwrap();
            let option = line.split("`--").nth(1).and_then(|rest| rest.split(['`', ' ']).next());
            let fits = |argument: &&&clap::Arg| option.is_none_or(|option| argument.get_long() == Some(option));
            let mut defaults = arguments.iter().filter(fits).flat_map(|argument| argument.get_default_values());
            assert!(defaults.any(|default| default == value) || value == "none", "{value} is no default: {line}");
        }
    }
}
