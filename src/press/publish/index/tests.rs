//! Indexes, publications and their crashes.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};
use tempfile::tempdir;

use crate::publish::error::PublishError;
use crate::publish::index::lines::{HEAD, Line, count_file};
use crate::publish::index::publication::{Begun, Publication};
use crate::publish::index::seen::Seen;
use sudoku_corpus_store::corpus::{Output, Sealed, StopFlag};

fn quiet(_: &str) {}

fn seen(path: &Path) -> Result<Seen, PublishError> {
    let mut seen = Seen::default();
    seen.add_file(path, &mut quiet).map(|_| seen)
}

fn begun(index: &Path, out: &Path, request: Option<&str>) -> Result<Begun, PublishError> {
    Publication::begin(index, out, request.map(str::to_owned), true, &StopFlag::new(), &mut quiet)
}

fn begin(index: &Path, out: &Path, request: &str) -> Option<Box<Publication>> {
    match begun(index, out, Some(request)).unwrap() {
        Begun::New(publication) => Some(publication),
        Begun::Done(_) => None,
    }
}

/// Adds classes to an index.
fn remember(index: &Path, classes: impl IntoIterator<Item = u128>) -> Result<(), PublishError> {
    let Begun::New(publication) = begun(index, Path::new("out"), None)? else { panic!("no request is done") };
    publication.finish(&classes.into_iter().collect::<Vec<_>>(), Vec::new(), || Ok(()))
}

fn sealed(path: &Path, text: &str) -> Sealed {
    let mut out = Output::create(path).unwrap();
    out.write_all(text.as_bytes()).unwrap();
    out.seal().unwrap()
}

/// What version 0.3.0 would have written: lines do not name those before.
fn as_before(index: &Path) {
    let text = fs::read_to_string(index).unwrap();
    let mut before = "sudoku-corpus index 2\n".to_owned();
    for line in text.lines().skip(1) {
        let mut line: Line = serde_json::from_str(&line[17..]).unwrap();
        line.after = None;
        before += &line.text();
    }
    fs::write(index, before).unwrap();
    fs::remove_file(count_file(index)).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn an_index_has_exactly_what_was_added(
        batches in proptest::collection::vec(proptest::collection::vec(0u128..60, 0..20), 0..4),
        spread in any::<bool>(),
        earlier in any::<bool>(),
    ) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("index");
        let wide = |class: &u128| if spread { class << 121 | 7 } else { *class };
        let mut all = BTreeSet::new();
        for (at, batch) in batches.iter().enumerate() {
            all.extend(batch.iter().map(wide));
            remember(&path, batch.iter().map(wide)).unwrap();
            if earlier && at == 1 {
                as_before(&path);
            }
        }
        if path.exists() {
            let seen = seen(&path).unwrap();
            for class in (0..60).map(|class| wide(&class)) {
                prop_assert_eq!(seen.has(class), all.contains(&class));
            }
        }
    }
}

#[test]
fn every_flipped_bit_of_an_index_is_found() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("index");
    let out = folder.path().join("out.sdm");
    begin(&path, &out, "a").unwrap().finish(&[7, 3], vec![sealed(&out, "two")], || Ok(())).unwrap();
    remember(&path, [9]).unwrap();
    let good = fs::read(&path).unwrap();
    for at in 0..good.len() {
        for bit in 0..8 {
            let mut bytes = good.clone();
            bytes[at] ^= 1 << bit;
            fs::write(&path, &bytes).unwrap();
            assert!(seen(&path).is_err() && remember(&path, [11]).is_err(), "bit {bit} of byte {at}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "a damaged index is not touched");
        }
    }
    let mut bytes = good.clone();
    bytes[HEAD.len() + 3] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let message = seen(&path).err().unwrap().to_string();
    assert!(
        message.contains("index: a damaged index, line 2: ") && message.contains("--all --out - --remember"),
        "{message}"
    );
}

/// Lines that are missing before others, and at the end.
#[test]
fn an_index_that_lost_lines_is_refused() {
    for earlier in [false, true] {
        let folder = tempdir().unwrap();
        let path = folder.path().join("index");
        remember(&path, [1]).unwrap();
        remember(&path, [2]).unwrap();
        if earlier {
            as_before(&path);
        }
        remember(&path, [3]).unwrap();
        let good = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = good.lines().collect();
        assert_eq!(lines.len(), 7);
        let message = |bytes: &str| {
            fs::write(&path, bytes).unwrap();
            let messages =
                [seen(&path).err(), remember(&path, [4]).err()].map(|error| error.map(|error| error.to_string()));
            assert_eq!(fs::read_to_string(&path).unwrap(), bytes, "it is not touched");
            assert_eq!(messages[0], messages[1]);
            messages[0].clone().unwrap_or_else(|| panic!("accepted: {bytes}"))
        };
        // All runs of lines; the first line can only be missing as a whole file of another kind.
        for first in 1..lines.len() {
            for last in first..lines.len() {
                let left: Vec<&str> = [&lines[..first], &lines[last + 1..]].concat();
                let message = message(&format!("{}\n", left.join("\n")));
                let expected = if last + 1 == lines.len() {
                    "the index has lost lines: it had 6 and has"
                } else {
                    "lines are missing"
                };
                assert!(
                    message.contains(expected) || earlier && message.contains("has lost lines"),
                    "{first}..={last}: {message}"
                );
            }
        }
        assert!(message("").contains("it had 6 and has 0"));
        fs::remove_file(&path).unwrap();
        assert!(remember(&path, [4]).is_err() && !path.exists(), "a missing index is not begun again in silence");
        // What the message says.
        fs::remove_file(count_file(&path)).unwrap();
        fs::write(&path, format!("{}\n", lines[..5].join("\n"))).unwrap();
        remember(&path, [4]).unwrap();
        assert_eq!([1, 2, 3, 4].map(|class| seen(&path).unwrap().has(class)), [true, true, false, true]);
    }
}

/// Commands that reach one index through links wait for each other: each takes the least number that nobody has taken.
#[test]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "a test may panic")]
fn one_index_has_one_lock_whatever_links_lead_to_it() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    remember(&at("index"), [0]).unwrap();
    std::os::unix::fs::symlink("index", at("link")).unwrap();
    fs::hard_link(at("index"), at("hard")).unwrap();
    let names = [
        at("index"),
        at("link"),
        at("hard"),
        at("./index"),
        at("../").join(folder.path().file_name().unwrap()).join("link"),
    ];
    std::thread::scope(|scope| {
        for name in &names {
            scope.spawn(move || {
                for _ in 0..20 {
                    let Begun::New(mut publication) = begun(name, Path::new("out"), None).unwrap() else { panic!() };
                    let mut taken = Seen::default();
                    taken.add_index(&mut publication);
                    let class = (0..).find(|class| !taken.has(*class)).unwrap();
                    publication.finish(&[class], Vec::new(), || Ok(())).unwrap();
                }
            });
        }
    });
    let text = fs::read_to_string(at("hard")).unwrap();
    assert_eq!(text.lines().count(), 1 + 2 * 101);
    let all = seen(&at("link")).unwrap();
    assert!(all.has(100) && !all.has(101));
}

/// Without locks, another command may have added lines since this one has read the index.
#[test]
fn lines_of_others_are_never_cut() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("index");
    remember(&path, [1]).unwrap();
    let before = fs::read(&path).unwrap();
    remember(&path, [2]).unwrap();
    let line = fs::read(&path).unwrap()[before.len()..].to_vec();
    for torn in [&b""[..], b"torn"] {
        fs::write(&path, [&before[..], torn].concat()).unwrap();
        drop(fs::remove_file(count_file(&path)));
        let mine = begin(&path, Path::new("out"), "a").unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(&line).unwrap();
        let there = fs::read(&path).unwrap();
        let error = mine.finish(&[3], Vec::new(), || panic!("nothing may be published")).err().unwrap();
        assert!(error.to_string().contains("another command has added to this index"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), there);
    }
}

#[test]
fn a_torn_last_line_is_told_and_repaired_and_nothing_else_is_lost() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("index");
    remember(&path, [1, 2]).unwrap();
    let (whole, count) = (fs::read(&path).unwrap(), fs::read(count_file(&path)).unwrap());
    remember(&path, [3, 4]).unwrap();
    let good = fs::read(&path).unwrap();
    // The line of the classes; behind it is the one that says that a file has its name.
    let end = whole.len() + good[whole.len()..].iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for length in whole.len()..end {
        fs::write(&path, &good[..length]).unwrap();
        fs::write(count_file(&path), &count).unwrap();
        let mut said = Vec::new();
        let mut seen = Seen::default();
        seen.add_file(&path, &mut |text| said.push(text.to_owned())).unwrap();
        // Only the end of the line is missing: what it says is whole.
        let there = length == end - 1;
        assert_eq!((seen.has(2), seen.has(3)), (true, there), "{length}");
        assert_eq!(said.len(), usize::from(length > whole.len() && !there), "{said:?}");
        remember(&path, [5]).unwrap();
        let seen = self::seen(&path).unwrap();
        assert_eq!([1, 2, 3, 4, 5].map(|class| seen.has(class)), [true, true, there, there, true], "{length}");
    }
    // Bytes of another program at the end of an index stop no later night.
    fs::write(count_file(&path), &count).unwrap();
    fs::write(&path, [&good[..], b"\0\0\0"].concat()).unwrap();
    remember(&path, [6]).unwrap();
    assert!(seen(&path).unwrap().has(4));
}

#[test]
fn files_that_are_no_index_are_refused_and_stay_as_they_are() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("index");
    for bytes in [&b"something else, and long enough"[..], b"sudoku-corpus index 4\n", b"sudoku-classes 1 and"] {
        fs::write(&path, bytes).unwrap();
        let message = remember(&path, [u128::MAX]).err().unwrap().to_string();
        assert_eq!(message.contains("an index of version 0.2.0"), bytes.starts_with(b"sudoku-classes"), "{message}");
        assert!(seen(&path).is_err());
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    assert!(remember(&folder.path().join("no/index"), [1]).is_err());
    assert!(seen(&folder.path().join("nowhere")).is_err());
    fs::write(&path, b"").unwrap();
    assert!(!seen(&path).unwrap().has(0) && remember(&path, [1]).is_ok() && seen(&path).unwrap().has(1));
    // A command that publishes nothing leaves no index.
    let none = folder.path().join("none");
    drop(begin(&none, Path::new("out"), "a").unwrap());
    assert!(!none.exists());
}

#[test]
fn a_request_is_published_once_and_its_classes_are_remembered() {
    let folder = tempdir().unwrap();
    let (index, out) = (folder.path().join("seen"), folder.path().join("out.sdm"));
    begin(&index, &out, "a").unwrap().finish(&[7, 3], vec![sealed(&out, "two")], || Ok(())).unwrap();
    assert!(begin(&index, &out, "a").is_none() && begin(&index, &out, "b").is_some());
    let Begun::Done(there) = begun(&index, &out, Some("a")).unwrap() else { panic!("it is done") };
    assert_eq!(there, [7, 3], "the puzzles that are there");
    // Without a request nothing counts as the same.
    assert!(matches!(begun(&index, &out, None), Ok(Begun::New(_))));
    assert_eq!([3, 5, 7].map(|class| seen(&index).unwrap().has(class)), [true, false, true]);
    begin(&index, &folder.path().join("b"), "b").unwrap().finish(&[5], Vec::new(), || Ok(())).unwrap();
    // The file was moved away: the next calls make the same again, and nothing else.
    for text in ["two", "two in other bytes"] {
        drop(fs::remove_file(&out));
        let others = begin(&index, &out, "a").unwrap().finish(&[5, 7], vec![sealed(&out, "other")], || Ok(()));
        assert!(others.unwrap_err().to_string().contains("not found again") && !out.exists());
        let lines = || fs::read_to_string(&index).unwrap().lines().count();
        let before = lines();
        let mut again = begin(&index, &out, "a").unwrap();
        assert_eq!((again.is_resumed(), again.again()), (false, Some(&[7, 3][..])));
        let mut all = Seen::default();
        all.add_index(&mut again);
        assert_eq!([3, 5, 7].map(|class| all.has(class)), [false, true, false]);
        again.finish(&[3, 7], vec![sealed(&out, text)], || Ok(())).unwrap();
        assert!(begin(&index, &out, "a").is_none());
        assert_eq!(lines(), before + 1);
    }
    // What another request replaced, or somebody changed, is made again too. What went into a pipe is not.
    fs::write(&out, "changed").unwrap();
    assert!(begin(&index, &out, "a").unwrap().again().is_some());
    begin(&index, Path::new("-"), "a").unwrap().finish(&[9], Vec::new(), || Ok(())).unwrap();
    let mut next = begin(&index, Path::new("-"), "a").unwrap();
    assert!(next.again().is_none() && next.take_others().contains(&9));
}

/// The process was killed after the index was written and before the file got its name.
#[test]
fn a_killed_publication_is_finished_with_its_own_puzzles() {
    let folder = tempdir().unwrap();
    let (index, out) = (folder.path().join("seen"), folder.path().join("out.sdm"));
    remember(&index, [9]).unwrap();
    let killed = begin(&index, &out, "a").unwrap().finish(&[7, 3], Vec::new(), || Err(PublishError::Stopped));
    assert!(killed.is_err());
    assert!(!begin(&index, &out, "b").unwrap().is_resumed(), "another request does not get these puzzles");
    let mut mine = begin(&index, &out, "a").unwrap();
    assert!(mine.is_resumed());
    let mut others = Seen::default();
    others.add_index(&mut mine);
    assert_eq!([3, 7, 9].map(|class| others.has(class)), [false, false, true]);
    mine.finish(&[3, 7], vec![sealed(&out, "two")], || Ok(())).unwrap();
    assert!(begin(&index, &out, "a").is_none());
}

#[test]
fn a_second_publication_waits_for_the_first() {
    let folder = tempdir().unwrap();
    let (index, out) = (folder.path().join("seen"), folder.path().join("out.sdm"));
    let first = begin(&index, &out, "a").unwrap();
    let stop = StopFlag::new();
    let mut said = Vec::new();
    let second = |said: &mut Vec<String>| {
        let mut say = |text: &str| {
            said.push(text.to_owned());
            stop.set();
        };
        Publication::begin(&index, &out, Some("b".to_owned()), true, &stop, &mut say)
    };
    assert!(matches!(second(&mut said), Err(PublishError::Stopped)));
    assert!(said[0].starts_with("waiting for ") && said[0].ends_with("seen: in use"), "{said:?}");
    first.finish(&[1], vec![sealed(&out, "one")], || Ok(())).unwrap();
    assert!(matches!(second(&mut said), Ok(Begun::New(_))));
}
