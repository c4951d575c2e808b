//! Code that the tests of the program share: running it, reading its output, waiting for it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
#[cfg(unix)]
use std::sync::{Arc, Once};
use std::thread;
use std::time::{Duration, Instant};

/// A puzzle with one solution, solved by singles.
pub(crate) const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// The program with the words of a line of a shell, in a folder.
pub(crate) fn program(folder: &Path, words: &str) -> Command {
    #[cfg(unix)]
    default_signals();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sudoku-corpus"));
    command.args(shell_words(words)).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The words of a line of a shell, in which single quotes hold words together.
fn shell_words(line: &str) -> Vec<&str> {
    let pieces = line.split('\'').enumerate();
    let words = pieces.flat_map(|(place, piece)| match place % 2 {
        1 => vec![piece],
        _ => piece.split_whitespace().collect(),
    });
    words.collect()
}

/// Lets children have the usual effects of signals. Under `nohup` and in the background of a shell, this process ignores some,
/// and a child would ignore them too; but it does not inherit a handler, not even one that does nothing.
#[cfg(unix)]
fn default_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            if mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1) {
                signal_hook::flag::register(signal, Arc::default()).unwrap();
            }
        }
    });
}

/// Runs to the end with an input.
pub(crate) fn run(command: &mut Command, input: &str) -> Output {
    let mut child = command.spawn().unwrap();
    // A program that fails before it reads closes the pipe. The test goes on.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    child.wait_with_output().unwrap()
}

/// Runs, and expects success.
pub(crate) fn succeed(command: &mut Command, input: &str) -> Output {
    expect(command, input, 0)
}

/// Runs, and expects an exit code and words in the messages. Returns stderr.
pub(crate) fn fail(command: &mut Command, input: &str, code: i32, message: &[&str]) -> String {
    let output = expect(command, input, code);
    let text = output_text(&output);
    for part in message {
        assert!(text.contains(part), "{command:?}: '{part}' is not in: {text}");
    }
    stderr(&output)
}

/// Runs the program with the words of a line of a shell, expects success and returns stdout.
pub(crate) fn good(folder: &Path, words: &str, input: &str) -> String {
    stdout(&succeed(&mut program(folder, words), input))
}

/// Runs the program with the words of a line of a shell. Expects an exit code and words in the messages.
pub(crate) fn bad(folder: &Path, words: &str, input: &str, code: i32, message: &[&str]) {
    fail(&mut program(folder, words), input, code, message);
}

/// The answer to an SQL query as CSV, without the header.
pub(crate) fn query(folder: &Path, sql: &str, corpus: &str) -> String {
    let answer = stdout(&succeed(program(folder, "query --format csv").args([sql, corpus]), ""));
    answer.lines().skip(1).collect::<Vec<_>>().join("\n")
}

fn expect(command: &mut Command, input: &str, code: i32) -> Output {
    let output = run(command, input);
    let text = output_text(&output);
    assert_eq!(output.status.code(), Some(code), "{command:?}: {text}");
    assert!(!text.contains("panicked"), "{command:?}: {text}");
    output
}

/// The text on stdout.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The text on stderr.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// stderr and stdout together; stdout need not be text.
pub(crate) fn output_text(output: &Output) -> String {
    stderr(output) + &String::from_utf8_lossy(&output.stdout)
}

/// Reports that a test is skipped because something is missing. With `REQUIRE_TOOLS` this is a failure.
pub(crate) fn skip(why: &str) {
    assert!(std::env::var_os("REQUIRE_TOOLS").is_none(), "REQUIRE_TOOLS is set: {why}");
    eprintln!("SKIPPED: {why}");
}

/// Waits until a file exists.
pub(crate) fn wait_for(file: &Path) {
    let began = Instant::now();
    while !file.exists() {
        assert!(began.elapsed() < Duration::from_secs(120), "no {} after two minutes", file.display());
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal, such as `TERM`, to a process.
pub(crate) fn signal(name: &str, process: u32) {
    assert!(Command::new("kill").args([format!("-{name}"), process.to_string()]).status().unwrap().success());
}

/// Paths and contents of all files of a folder and below, without locks.
pub(crate) fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = PathBuf::from(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            all.extend(contents(&entry.path()).into_iter().map(|(file, bytes)| (name.join(file), bytes)));
        } else if !name.to_string_lossy().ends_with("lock") {
            all.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    all
}
