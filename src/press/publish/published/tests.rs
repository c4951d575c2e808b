//! Indexes, publications and their crashes.

use std::collections::BTreeSet;

use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};
use tempfile::tempdir;

use super::*;

fn quiet(_: &str) {}

fn seen(path: &Path) -> Result<Seen, PublishError> {
    let mut seen = Seen::default();
    seen.add_file(path, &mut quiet).map(|_| seen)
}

fn begin(index: &Path, out: &Path, request: &str) -> Option<Publication> {
    Publication::begin(index, out, Some(request.to_owned()), &StopFlag::new(), &mut quiet).unwrap().ok()
}

fn sealed(path: &Path, text: &str) -> Sealed {
    let mut out = Output::create(path).unwrap();
    out.write_all(text.as_bytes()).unwrap();
    out.seal().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn an_index_has_exactly_what_was_added(
        batches in proptest::collection::vec(proptest::collection::vec(0u128..60, 0..20), 0..4),
        spread in any::<bool>(),
    ) {
        let folder = tempdir().unwrap();
        let path = folder.path().join("index");
        let wide = |class: &u128| if spread { class << 121 | 7 } else { *class };
        let mut all = BTreeSet::new();
        for batch in &batches {
            let before = all.len();
            all.extend(batch.iter().map(wide));
            let added = remember(&path, batch.iter().map(wide)).unwrap();
            prop_assert_eq!(added as usize, all.len() - before);
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
    // The first line missing, or a line in the middle cut out of its end.
    fs::write(&path, &good[HEAD.len()..]).unwrap();
    assert!(seen(&path).is_err() && remember(&path, [11]).is_err());
}

#[test]
fn a_torn_last_line_is_told_and_repaired_and_nothing_else_is_lost() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("index");
    remember(&path, [1, 2]).unwrap();
    let whole = fs::read(&path).unwrap();
    remember(&path, [3, 4]).unwrap();
    let good = fs::read(&path).unwrap();
    for length in whole.len()..good.len() {
        fs::write(&path, &good[..length]).unwrap();
        let mut said = Vec::new();
        let mut seen = Seen::default();
        seen.add_file(&path, &mut |text| said.push(text.to_owned())).unwrap();
        // Only the end of the line is missing: what it says is whole.
        let there = length == good.len() - 1;
        assert_eq!((seen.has(2), seen.has(3)), (true, there), "{length}");
        assert_eq!(said.len(), usize::from(length > whole.len() && !there), "{said:?}");
        assert_eq!(remember(&path, [5]).unwrap(), 1);
        let seen = self::seen(&path).unwrap();
        assert_eq!([1, 2, 3, 4, 5].map(|class| seen.has(class)), [true, true, there, there, true], "{length}");
    }
    // Bytes of another program at the end of an index stop no later night.
    fs::write(&path, [&good[..], b"\0\0\0"].concat()).unwrap();
    assert_eq!(remember(&path, [1, 3, 6]).unwrap(), 1);
    assert!(seen(&path).unwrap().has(4));
}

#[test]
fn files_that_are_no_index_are_refused_and_stay_as_they_are() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("index");
    let of_version_2 = [OLD_HEAD, &[9; 32]].concat();
    for bytes in [&b"something else, and long enough"[..], &of_version_2, OLD_HEAD] {
        fs::write(&path, bytes).unwrap();
        let refused = remember(&path, [u128::MAX]).unwrap_err().to_string();
        assert_eq!(refused.contains("makes a new one"), bytes.starts_with(OLD_HEAD), "{refused}");
        assert!(seen(&path).is_err());
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    assert!(remember(&folder.path().join("no/index"), [1]).is_err());
    assert!(seen(&folder.path().join("nowhere")).is_err());
    fs::write(&path, b"").unwrap();
    assert!(!seen(&path).unwrap().has(0) && remember(&path, [1]).unwrap() == 1);
}

#[test]
fn a_request_is_published_once_and_its_classes_are_remembered() {
    let folder = tempdir().unwrap();
    let (index, out) = (folder.path().join("seen"), folder.path().join("out.sdm"));
    begin(&index, &out, "a").unwrap().finish(&[7, 3], vec![sealed(&out, "two")], || Ok(())).unwrap();
    assert!(begin(&index, &out, "a").is_none() && begin(&index, &out, "b").is_some());
    let there = Publication::begin(&index, &out, Some("a".to_owned()), &StopFlag::new(), &mut quiet).unwrap().err();
    assert_eq!(there, Some(vec![7, 3]), "the puzzles that are there");
    // Without a request nothing counts as the same.
    assert!(Publication::begin(&index, &out, None, &StopFlag::new(), &mut quiet).unwrap().is_ok());
    assert_eq!([3, 5, 7].map(|class| seen(&index).unwrap().has(class)), [true, false, true]);
    // The file was moved away, so the next call is a new publication.
    fs::rename(&out, folder.path().join("gone")).unwrap();
    let mut again = begin(&index, &out, "a").unwrap();
    assert!(!again.is_resumed());
    let mut all = Seen::default();
    all.add_index(&mut again);
    assert!(all.has(3) && all.has(7));
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
        Publication::begin(&index, &out, Some("b".to_owned()), &stop, &mut say)
    };
    assert!(matches!(second(&mut said), Err(PublishError::Stopped)));
    assert!(said[0].starts_with("waiting for ") && said[0].ends_with("seen: in use"), "{said:?}");
    first.finish(&[1], vec![sealed(&out, "one")], || Ok(())).unwrap();
    assert!(second(&mut said).unwrap().is_ok());
}

#[test]
fn wrong_lines_are_found_in_bounded_memory_and_in_every_shape() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let good = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    fs::write(&path, format!("{good}\n{}{good}\n", "wrong\n".repeat(3 * BLOCK))).unwrap();
    assert!(seen(&path).err().unwrap().to_string().contains("a.txt:2"));
    let mut reading = Reading::open(&path, None).unwrap();
    let (mut classes, mut lines) = (Vec::new(), 2..);
    while let Some(error) = reading.next_wrong(&mut classes).unwrap() {
        assert_eq!(Some(error.line), lines.next());
        assert!(reading.wrong.len() < BLOCK);
    }
    assert_eq!((lines.next(), classes.len()), (Some(3 * BLOCK as u64 + 2), 2));
}
