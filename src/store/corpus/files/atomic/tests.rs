//! Tests of atomic files and temporary folders.

use super::folders::is_random;
use super::*;

#[test]
fn a_file_becomes_visible_when_it_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("part.csv");
    let file = AtomicFile::create(&target).unwrap();
    file.writer().write_all(b"half").unwrap();
    assert!(!target.exists());
    drop(file);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let written = write_atomically(&target, b"whole").unwrap();
    assert_eq!(written.bytes, 5);
    assert_eq!(written.blake3, blake3::hash(b"whole").to_hex().to_string());
    assert_eq!(fs::read(&target).unwrap(), b"whole");
    write_atomically(&target, b"newer").unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"newer");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn only_abandoned_files_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let living = AtomicFile::create(&path("part-000001.parquet")).unwrap();
    let abandoned = ".part-000002.parquet.~sudoku-corpus~abcdef";
    for name in [abandoned, "part-000000.parquet", ".hidden", ".~a~b", ".x.~other-7-1~abcdef"] {
        fs::write(path(name), b"x").unwrap();
    }
    assert_eq!(clean(folder.path()).unwrap(), 1);
    assert!(!path(abandoned).exists());
    living.writer().write_all(b"y").unwrap();
    let sealed = living.seal().unwrap();
    assert_eq!((clean(folder.path()).unwrap(), sealed.written.bytes), (0, 1));
    sealed.publish().unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
}

#[test]
fn only_abandoned_folders_are_removed() {
    let place = tempfile::tempdir().unwrap();
    let folder = |name: &str, marker: &str, text: &str| {
        fs::create_dir(place.path().join(name)).unwrap();
        fs::write(place.path().join(name).join(marker), text).unwrap();
        place.path().join(name)
    };
    let gone = [
        folder(".~sudoku-corpus~abc123", MARKER, MARKER_TEXT),
        // Killed while the marker was written, and before.
        folder(".~sudoku-corpus~abc122", MARKER, &MARKER_TEXT[..20]),
        folder(".~sudoku-corpus~abc121", MARKER, ""),
        place.path().join(".~sudoku-corpus~abc120"),
    ];
    fs::create_dir(&gone[3]).unwrap();
    let used = folder(".~sudoku-corpus~abc124", MARKER, MARKER_TEXT);
    let others = [
        folder(".~sudoku-corpus~notes", MARKER, MARKER_TEXT),
        folder(".~sudoku-corpus~abc125", "mine", ""),
        folder(".~sudoku-corpus~abc126", MARKER, "mine"),
        // A corpus with such a name: every corpus has a file `.lock`, and no process holds it.
        folder(".~sudoku-corpus~sample", ".lock", ""),
        folder(".~sudoku-corpus~abc127", "manifest.jsonl", MARKER_TEXT),
        folder("sudoku-corpus-abc128", MARKER, MARKER_TEXT),
        folder("sudoku-corpus", MARKER, MARKER_TEXT),
    ];
    let both = folder(".~sudoku-corpus~abc129", MARKER, "");
    fs::write(both.join("mine"), "").unwrap();
    let lock = File::open(used.join(MARKER)).unwrap();
    lock.lock().unwrap();
    clean_temporary_folders(place.path());
    assert!(gone.iter().all(|folder| !folder.exists()) && used.exists());
    assert!(others.iter().chain([&both]).all(|folder| folder.exists()));
    drop(lock);
    clean_temporary_folders(place.path());
    assert!(!used.exists());
}

/// Another user may put a link into the place of a folder or into it. Nothing behind the link is removed.
#[test]
#[cfg(unix)]
fn nothing_of_others_is_removed() {
    use std::os::unix::fs::{chown, symlink};
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let folder = |name: &str| {
        fs::create_dir(path(name)).unwrap();
        fs::write(path(name).join(MARKER), MARKER_TEXT).unwrap();
        fs::write(path(name).join("file"), "x").unwrap();
        path(name)
    };
    let elsewhere = folder("elsewhere");
    symlink(&elsewhere, path(".~sudoku-corpus~abc123")).unwrap();
    let own = folder(".~sudoku-corpus~abc124");
    symlink(&elsewhere, own.join("link")).unwrap();
    let deep = own.join("deep/deeper");
    fs::create_dir_all(&deep).unwrap();
    symlink(&elsewhere, deep.join("link")).unwrap();
    let others = folder(".~sudoku-corpus~abc125");
    // Only root can give folders away.
    let given = chown(&others, Some(12345), None).is_ok();
    clean_temporary_folders(place.path());
    assert!(!own.exists() && fs::read_dir(&elsewhere).unwrap().count() == 2);
    assert_eq!(others.exists(), given);
    assert!(remove_folder(&path(".~sudoku-corpus~abc123")).is_err() && elsewhere.join("file").exists());
}

#[test]
fn a_temporary_folder_has_the_marker_that_cleaning_looks_for() {
    let folder = TempFolder::new().unwrap();
    assert_eq!(fs::read_to_string(folder.path().join(MARKER)).unwrap(), MARKER_TEXT);
    assert!(is_random(folder.path().file_name().unwrap().to_str().unwrap().strip_prefix(FOLDER).unwrap()));
}

#[test]
#[cfg(unix)]
fn links_are_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("elsewhere")).unwrap();
    std::os::unix::fs::symlink("elsewhere/file", path("link")).unwrap();
    std::os::unix::fs::symlink(path("link"), path("second")).unwrap();
    for (name, text) in [("link", "one"), ("second", "two")] {
        write_atomically(&path(name), text.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(path("elsewhere/file")).unwrap(), text);
        assert!(fs::symlink_metadata(path(name)).unwrap().is_symlink());
    }
    std::os::unix::fs::symlink("round", path("round")).unwrap();
    assert!(write_atomically(&path("round"), b"x").is_err());
}

#[test]
fn folders_are_created_with_their_parents() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("a/b/c");
    create_folder(&deep).unwrap();
    create_folder(&deep).unwrap();
    assert!(deep.is_dir());
    fs::write(folder.path().join("file"), b"").unwrap();
    assert!(create_folder(&folder.path().join("file/x")).is_err());
}

#[test]
fn a_missing_folder_fails_at_once() {
    let error = AtomicFile::create(Path::new("/nonexistent/folder/file")).unwrap_err();
    assert_eq!(error.to_string(), "No such file or directory (os error 2)");
}

#[test]
fn temporary_files_are_listed_while_they_are_there() {
    let listed = |path: &Path| TEMPORARY.lock().unwrap().contains(path);
    let folder = TempFolder::new().unwrap();
    let path = folder.path().to_owned();
    let file = AtomicFile::create(&path.join("file")).unwrap();
    let temporary = file.temporary.to_path_buf();
    assert!(listed(&path) && listed(&temporary));
    file.finish().unwrap();
    assert!(listed(&path) && !listed(&temporary));
    drop(folder);
    assert!(!listed(&path) && !path.exists());
}
