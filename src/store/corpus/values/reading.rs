//! Reads whole files that are small: recipes, levels, words, fonts, profiles, patterns, pictures. Reads on where the
//! system interrupts a call.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No such file is larger, in bytes. Fonts of Chinese have about 20 MB.
const MOST: u64 = 64 << 20;

/// The bytes of a file.
///
/// # Errors
/// The system reports an error; the file has more than 64 MB, or never ends.
pub fn read_small(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST {
        true => Err(io::Error::new(io::ErrorKind::FileTooLarge, "it has more than 64 MB")),
        false => Ok(bytes),
    }
}

/// A reader that makes a call again when the system interrupts it. A reader above it that looks into a buffer, such as that
/// of CSV, does not.
#[derive(Debug)]
pub struct Steady<R>(pub R);

impl<R: Read> Read for Steady<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

/// The text of a file.
///
/// # Errors
/// Those of [`read_small`]; the file is no text in UTF-8.
pub fn read_small_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_small(path)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every second call is interrupted, the others read a byte.
    struct Interrupted<'a>(&'a [u8], bool);

    impl Read for Interrupted<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let most = buffer.len().min(1);
            self.0.read(&mut buffer[..most])
        }
    }

    #[test]
    fn interrupted_calls_are_not_noticed() {
        let rows = |reader: Box<dyn Read>| -> Result<Vec<csv::StringRecord>, csv::Error> {
            csv::Reader::from_reader(reader).into_records().collect()
        };
        let interrupted = || Interrupted(b"a,b\n1,2\n3,4\n", false);
        assert!(rows(Box::new(interrupted())).is_err());
        assert_eq!(rows(Box::new(Steady(interrupted()))).unwrap().len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_never_ends_is_refused() {
        assert_eq!(read_small(Path::new("/dev/zero")).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_small_text(Path::new("/dev/null")).unwrap(), "");
    }
}
