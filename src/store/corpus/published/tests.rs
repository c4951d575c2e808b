//! Indexes: what they hold, what is refused, and those of earlier versions.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use tempfile::tempdir;

use super::*;
use crate::corpus::files::durable::output::{Output, Sealed};
use crate::corpus::files::progress::StopFlag;
use crate::corpus::values::error::Result;

/// Begins a publication of a request in an output.
fn begin(index: &Path, output: &Path, request: Option<&str>) -> Result<Begun> {
    let (request, day) = (request.map(str::to_owned), "2027-01-04".to_owned());
    let call = PublicationCall { index, output, request, day, has_streams: Output::is_direct(output) };
    Publication::begin(call, &StopFlag::new(), &mut |_| {})
}

/// Begins a publication that is not there.
fn new(index: &Path, output: &Path, request: &str) -> Result<Box<Publication>> {
    match begin(index, output, Some(request))? {
        Begun::New(publication) => Ok(publication),
        Begun::Done(_) | Begun::Stopped => panic!("{request} is there"),
    }
}

fn is_done(index: &Path, output: &Path, request: &str) -> bool {
    matches!(begin(index, output, Some(request)).unwrap(), Begun::Done(_))
}

fn sealed(path: &Path, text: &str) -> Sealed {
    let mut out = Output::held(path).unwrap();
    out.write_all(text.as_bytes()).unwrap();
    out.seal().unwrap()
}

fn finish(publication: Box<Publication>, classes: &[u128], outputs: Sealed) -> Result<bool> {
    publication.finish(classes, outputs, &StopFlag::new(), &mut |_| {})
}

/// Publishes classes in an output without a file.
fn publish(index: &Path, output: &str, classes: &[u128]) -> Result<bool> {
    finish(new(index, Path::new(output), output)?, classes, Sealed::default())
}

fn classes(path: &Path) -> Vec<u128> {
    published_classes(path).unwrap().expect("it is an index")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_index_has_exactly_what_was_published(
        batches in proptest::collection::vec(proptest::collection::vec(any::<u128>(), 0..20), 1..4),
    ) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("index");
        for (number, batch) in batches.iter().enumerate() {
            publish(&path, &number.to_string(), batch).unwrap();
        }
        prop_assert_eq!(classes(&path), batches.concat());
        prop_assert_eq!(new(&path, Path::new("o"), "o").unwrap().classes(), batches.concat());
        prop_assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    /// A cut, and a changed bit anywhere: what is read is refused, or it is what was published.
    #[test]
    fn damage_is_found_or_does_no_harm(place in 0.0..1.0, bit in 0u8..8, cut in any::<bool>()) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("index");
        let published: Vec<u128> = (0..400).map(|class| class << 100 | class).collect();
        publish(&path, "one", &published[..150]).unwrap();
        publish(&path, "two", &published[150..]).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        let place = (place * bytes.len() as f64) as usize;
        if cut { bytes.truncate(place) } else { bytes[place] ^= 1u8 << bit }
        fs::write(&path, &bytes).unwrap();
        match published_classes(&path) {
            // A head that is none of an index: `--except` reads such a file as puzzles, and finds none.
            Ok(None) => prop_assert!(place < 100, "{}", place),
            Ok(Some(read)) => prop_assert!(read == published, "{}", place),
            Err(_) => {}
        }
        match publish(&path, "three", &[7]) {
            Ok(_) => prop_assert!(classes(&path) == [&published[..], &[7]].concat(), "{}", place),
            Err(_) => prop_assert!(fs::read(&path).unwrap() == bytes, "a damaged index is not touched"),
        }
    }
}

#[test]
fn a_request_is_published_once_and_its_puzzles_are_remembered() {
    let folder = tempdir().unwrap();
    let (index, out) = (folder.path().join("seen"), folder.path().join("out.sdm"));
    // A command that publishes nothing leaves no index.
    drop(new(&index, &out, "a").unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    finish(new(&index, &out, "a").unwrap(), &[7, 3], sealed(&out, "two")).unwrap();
    let Begun::Done(there) = begin(&index, &out, Some("a")).unwrap() else { panic!("it is done") };
    assert_eq!(there, [7, 3], "the puzzles that are there");
    // Without a request nothing counts as the same.
    assert!(matches!(begin(&index, &out, None).unwrap(), Begun::New(_)) && new(&index, &out, "b").is_ok());
    publish(&index, "b", &[5]).unwrap();
    // The file was moved away: the next calls make the same again, and nothing else.
    for text in ["two", "two in other bytes"] {
        drop(fs::remove_file(&out));
        let others = finish(new(&index, &out, "a").unwrap(), &[5, 7], sealed(&out, "other"));
        assert!(others.unwrap_err().to_string().contains("not found again") && !out.exists());
        let again = new(&index, &out, "a").unwrap();
        assert_eq!((again.is_resumed(), again.again()), (false, Some(&[7, 3][..])));
        finish(again, &[3, 7], sealed(&out, text)).unwrap();
        assert!(is_done(&index, &out, "a"));
        assert_eq!(classes(&index), [7, 3, 5]);
    }
    // What another request replaced, or somebody changed, is made again too.
    fs::write(&out, "changed").unwrap();
    assert!(new(&index, &out, "a").unwrap().again().is_some());
}

/// Several files are there if each of them has its contents.
#[test]
fn a_request_of_several_files_is_published_once() {
    let folder = tempdir().unwrap();
    let (index, pattern) = (folder.path().join("seen"), folder.path().join("p-%.svg"));
    let files = ["p-1.svg", "p-2.svg", "steps.txt"].map(|name| folder.path().join(name));
    let all = || files.iter().map(|file| sealed(file, &file.display().to_string())).collect::<Sealed>();
    finish(new(&index, &pattern, "a").unwrap(), &[7, 3], all()).unwrap();
    assert!(is_done(&index, &pattern, "a"));
    for file in &files {
        fs::write(file, "changed").unwrap();
        finish(new(&index, &pattern, "a").unwrap(), &[7, 3], all()).unwrap();
        fs::remove_file(file).unwrap();
        finish(new(&index, &pattern, "a").unwrap(), &[7, 3], all()).unwrap();
        assert!(is_done(&index, &pattern, "a"));
    }
    assert_eq!(classes(&index), [7, 3]);
}

/// A new index has its tables before it has its name. So a command that is killed leaves no file of 0 bytes, and a file
/// that was emptied is refused. The journal of a lost index is none of a new one.
#[test]
fn a_new_index_is_never_an_empty_file() {
    let folder = tempdir().unwrap();
    let (index, journal) = (folder.path().join("seen"), folder.path().join("seen-journal"));
    fs::write(&journal, "of a lost index").unwrap();
    let publication = new(&index, Path::new("o"), "o").unwrap();
    assert!(fs::metadata(&index).unwrap().len() > 0 && !journal.exists());
    assert_eq!(classes(&index), [0; 0]);
    // A killed command does not remove it.
    std::mem::forget(publication);
    let copy = folder.path().join("copy");
    fs::copy(&index, &copy).unwrap();
    publish(&copy, "o", &[1]).unwrap();
    assert_eq!(classes(&copy), [1]);
    fs::write(&copy, "").unwrap();
    for refused in [publish(&copy, "o", &[1]).err(), published_classes(&copy).err()] {
        assert!(refused.unwrap().to_string().contains("remove the file if nothing was published"));
    }
    assert_eq!(fs::metadata(&copy).unwrap().len(), 0);
}

/// Another index that took the place of an unused one stays.
#[test]
#[cfg(unix)]
fn only_the_index_that_was_made_is_removed() {
    let folder = tempdir().unwrap();
    let (index, other) = (folder.path().join("seen"), folder.path().join("other"));
    publish(&other, "o", &[1]).unwrap();
    let publication = new(&index, Path::new("o"), "o").unwrap();
    fs::rename(&other, &index).unwrap();
    drop(publication);
    assert_eq!(classes(&index), [1]);
}

/// What went into a pipe may have been read: the next call gets others. All of it is in the index before the first byte
/// leaves, also if the pipe takes none.
#[test]
#[cfg(target_os = "linux")]
fn what_a_pipe_may_have_got_is_published() {
    use std::os::fd::AsRawFd as _;
    let folder = tempdir().unwrap();
    let in_folder = |name: &str| folder.path().join(name);
    let index = in_folder("seen");
    let (reader, writer) = std::io::pipe().unwrap();
    let pipe = PathBuf::from(format!("/dev/fd/{}", writer.as_raw_fd()));
    let [nine, ten] = ["nine", "ten"].map(|text| sealed(&pipe, text));
    drop(reader);
    let error = finish(new(&index, &pipe, "a").unwrap(), &[9], nine).unwrap_err();
    assert!(error.to_string().contains("the reader went away"), "{error}");
    let next = new(&index, &pipe, "a").unwrap();
    assert!(next.again().is_none() && next.classes() == [9]);
    drop(next);
    // With files, nothing goes into the pipe before all of them have their names.
    let (out, gone) = (in_folder("out.sdm"), in_folder("gone"));
    fs::create_dir(&gone).unwrap();
    let drafts = [sealed(&out, "ten"), sealed(&gone.join("x"), "ten"), ten];
    fs::remove_dir_all(&gone).unwrap();
    let error = finish(new(&index, &out, "b").unwrap(), &[10], drafts.into_iter().collect()).unwrap_err();
    let told = format!("; published: {}; not published: {}", out.display(), pipe.display());
    assert!(error.to_string().ends_with(&told), "{error}");
    let again = new(&index, &out, "b").unwrap();
    assert_eq!((again.is_resumed(), again.again()), (true, Some(&[10][..])));
    // A device that takes nothing is refused before anything is published.
    let full = Output::held(Path::new("/dev/full")).err().unwrap();
    assert!(full.to_string().contains("the disk is full"), "{full}");
}

/// The process was killed after the commit and before the file got its name.
#[test]
fn a_killed_publication_is_finished_with_its_own_puzzles() {
    let folder = tempdir().unwrap();
    let (index, out) = (folder.path().join("seen"), folder.path().join("new/out.sdm"));
    publish(&index, "o", &[9]).unwrap();
    fs::create_dir(folder.path().join("new")).unwrap();
    let outputs = sealed(&out, "two");
    fs::remove_dir_all(folder.path().join("new")).unwrap();
    assert!(finish(new(&index, &out, "a").unwrap(), &[7, 3], outputs).is_err());
    // It was begun, so it counts; another request does not get these puzzles.
    assert_eq!(classes(&index), [9, 7, 3]);
    assert!(!new(&index, &out, "b").unwrap().is_resumed());
    let mine = new(&index, &out, "a").unwrap();
    assert_eq!((mine.is_resumed(), mine.again()), (true, Some(&[7, 3][..])));
    fs::create_dir(folder.path().join("new")).unwrap();
    finish(mine, &[3, 7], sealed(&out, "two")).unwrap();
    assert!(is_done(&index, &out, "a"));
    assert_eq!(classes(&index), [9, 7, 3]);
}

/// An index that cannot be written: nothing leaves the house.
#[test]
#[cfg(target_os = "linux")]
fn without_a_commit_nothing_is_published() {
    let folder = tempdir().unwrap();
    let (index, out) = (folder.path().join("seen"), folder.path().join("out.sdm"));
    publish(&index, "o", &[9]).unwrap();
    let publication = new(&index, &out, "a").unwrap();
    // Its place is taken by another file: SQLite sees it when it begins to write.
    fs::copy(&index, folder.path().join("copy")).unwrap();
    fs::rename(folder.path().join("copy"), &index).unwrap();
    assert!(finish(publication, &[7], sealed(&out, "text")).is_err());
    assert!(!out.exists() && classes(&index) == [9]);
}

/// Commands that reach one index through links wait for each other: each takes the least number that nobody has taken.
#[test]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "a test may panic")]
fn one_index_has_one_lock_whatever_links_lead_to_it() {
    let folder = tempdir().unwrap();
    let in_folder = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("index", in_folder("link")).unwrap();
    let names = [
        in_folder("index"),
        in_folder("link"),
        in_folder("./index"),
        in_folder("../").join(folder.path().file_name().unwrap()).join("link"),
    ];
    std::thread::scope(|scope| {
        for name in &names {
            scope.spawn(move || {
                for _ in 0..10 {
                    let Begun::New(publication) = begin(name, Path::new("out"), None).unwrap() else { panic!("new") };
                    let taken: BTreeSet<u128> = publication.classes().into_iter().collect();
                    let class = (0..).find(|class| !taken.contains(class)).unwrap();
                    finish(publication, &[class], Sealed::default()).unwrap();
                }
            });
        }
    });
    assert_eq!(classes(&in_folder("link")), (0..40).collect::<Vec<_>>());
    fs::hard_link(in_folder("index"), in_folder("hard")).unwrap();
    assert!(begin(&in_folder("link"), Path::new("out"), None).err().unwrap().to_string().contains("hard links"));
}

#[test]
fn a_second_command_waits_until_it_is_stopped_and_readers_do_not_wait() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("index");
    publish(&path, "one", &[1]).unwrap();
    let first = new(&path, Path::new("o"), "o").unwrap();
    assert_eq!(classes(&path), [1]);
    let stop = StopFlag::new();
    let mut said = Vec::new();
    let (index, output, day) = (&*path, Path::new("o"), String::new());
    let call = PublicationCall { index, output, request: None, day, has_streams: false };
    let second = Publication::begin(call, &stop, &mut |text| {
        said.push(text.to_owned());
        stop.set();
    });
    assert!(matches!(second.unwrap(), Begun::Stopped));
    assert!(said[0].starts_with("waiting for ") && said[0].ends_with("index: in use"), "{said:?}");
    drop(first);
    assert!(new(&path, Path::new("o"), "o").is_ok());
}

#[test]
fn files_that_are_no_index_are_refused_and_stay_as_they_are() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("index");
    let other = folder.path().join("other.sqlite");
    rusqlite::Connection::open(&other).unwrap().execute_batch("CREATE TABLE a(b)").unwrap();
    let mut later = fs::read(&other).unwrap();
    later[reading::APPLICATION_PLACE..][..4].copy_from_slice(&reading::APPLICATION.to_be_bytes());
    later[reading::VERSION_PLACE..][..4].copy_from_slice(&9u32.to_be_bytes());
    for (bytes, reason) in [
        (&b"something else, and long enough"[..], "not an index"),
        (b"sudoku-classes 1 and", "version 0.2.0"),
        (&fs::read(&other).unwrap(), "not an index"),
        (&later, "later version"),
        (b"", "the file is empty, so what was published is not known"),
    ] {
        fs::write(&path, bytes).unwrap();
        let message = publish(&path, "o", &[1]).err().unwrap().to_string();
        assert!(message.contains(reason), "{message}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
        assert!(!matches!(published_classes(&path), Ok(Some(_))));
    }
    assert!(publish(&folder.path().join("no/index"), "o", &[]).is_err() && publish(folder.path(), "o", &[]).is_err());
}

/// Lines of an index that is a text: each with its check value, in the form of 0.4.0 or 0.3.0.
fn text_of(lines: &[(&str, &[u128])], is_of_0_3_0: bool) -> String {
    let check = |bytes: &[u8]| blake3::hash(bytes).to_hex()[..16].to_owned();
    let mut text = format!("sudoku-corpus index {}\n", if is_of_0_3_0 { 2 } else { 3 });
    let mut chain = String::new();
    for (output, classes) in lines {
        let after = if is_of_0_3_0 { String::new() } else { format!("\"after\":\"{chain}\",") };
        let what = match classes {
            [] => "\"blake3\":\"sum\"".to_owned(),
            classes => {
                let digits: String = classes.iter().map(|class| format!("{class:032x}")).collect();
                format!("\"classes\":\"{digits}\"")
            }
        };
        let rest = format!("{{{after}\"output\":\"{output}\",\"request\":\"r\",{what}}}");
        let own = check(rest.as_bytes());
        chain = check([chain.as_bytes(), own.as_bytes()].concat().as_slice());
        text += &format!("{own} {rest}\n");
    }
    text
}

/// The lines of two publications, of which the second was killed and ran again.
const LINES: [(&str, &[u128]); 5] =
    [("/one", &[1, 2]), ("/one", &[]), ("/two", &[3]), ("/two", &[3, 4]), ("/two", &[])];

#[test]
fn an_index_of_an_earlier_version_is_taken_over_once() {
    for is_of_0_3_0 in [false, true] {
        let folder = tempdir().unwrap();
        let in_folder = |name: &str| folder.path().join(name);
        let (path, text) = (in_folder("index"), text_of(&LINES, is_of_0_3_0));
        fs::write(&path, &text).unwrap();
        fs::write(in_folder(".index.count"), "5\n").unwrap();
        assert_eq!(classes(&path), [1, 2, 3, 4], "it can be read as it is");
        assert!(is_published_index(&path).unwrap());
        let mut said = Vec::new();
        let (index, output, request, day) = (&*path, Path::new("/one"), Some("r".to_owned()), String::new());
        let call = PublicationCall { index, output, request, day, has_streams: false };
        let begun = Publication::begin(call, &StopFlag::new(), &mut |text| said.push(text.to_owned())).unwrap();
        let Begun::New(again) = begun else { panic!("the file is not there") };
        assert!(said[0].contains("is a database now") && said[0].ends_with("index.old"), "{said:?}");
        assert_eq!((again.is_resumed(), again.again(), again.classes()), (false, Some(&[1, 2][..]), vec![1, 2, 3, 4]));
        drop(again);
        publish(&path, "/three", &[5]).unwrap();
        assert_eq!(classes(&path), [1, 2, 3, 4, 5]);
        assert_eq!(fs::read_to_string(in_folder("index.old")).unwrap(), text);
        assert!(!in_folder(".index.count").exists());
        assert_eq!(published_classes(&in_folder("index.old")).unwrap().unwrap(), [1, 2, 3, 4]);
    }
    // Another file with this name stays.
    let folder = tempdir().unwrap();
    let path = folder.path().join("index");
    fs::write(&path, text_of(&LINES, false)).unwrap();
    fs::write(folder.path().join("index.old"), "mine").unwrap();
    assert!(publish(&path, "o", &[]).err().unwrap().to_string().contains("move it away"));
}

/// Every cut of a text, and every lost line, with and without the number of lines.
#[test]
fn a_text_that_lost_something_is_refused() {
    let folder = tempdir().unwrap();
    let (path, count) = (folder.path().join("index"), folder.path().join(".index.count"));
    let text = text_of(&LINES, false);
    let ends: Vec<usize> = text.match_indices('\n').map(|(place, _)| place + 1).collect();
    let refused = |text: &str| {
        fs::write(&path, text).unwrap();
        published_classes(&path).is_err()
    };
    for cut in ends[0]..text.len() {
        drop(fs::remove_file(&count));
        assert_eq!(refused(&text[..cut]), !ends.contains(&cut), "{cut}");
        fs::write(&count, "5\n").unwrap();
        assert!(refused(&text[..cut]), "{cut}");
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for lost in 1..lines.len() - 1 {
        assert!(refused(&[&lines[..lost], &lines[lost + 1..]].concat().concat()), "{lost}");
    }
    assert!(!refused(&text));
}

#[test]
fn an_index_is_a_table_of_queries() {
    let folder = tempdir().unwrap();
    let path: PathBuf = folder.path().join("seen.index");
    publish(&path, "/one.csv", &[0xab, 2]).unwrap();
    publish(&path, "/two.csv", &[3]).unwrap();
    let table = crate::study::Table::open(&[path]).unwrap();
    let asked = |sql: &str| {
        let answer = table.ask(sql).unwrap();
        let rows: Vec<_> = (0..answer.len()).map(|row| answer.row(row).unwrap()).collect();
        serde_json::to_string(&rows).unwrap()
    };
    let by_output = asked("SELECT output, day, count(*) FROM published GROUP BY output, day ORDER BY output");
    assert_eq!(by_output, "[[\"/one.csv\",\"2027-01-04\",2],[\"/two.csv\",\"2027-01-04\",1]]");
    assert_eq!(
        asked("SELECT max(number), min(class), min(state) FROM published"),
        format!("[[3,\"{:032x}\",\"done\"]]", 2)
    );
}
