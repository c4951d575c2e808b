//! Unpacks gzip: members one after the other. As gzip itself does, it passes over zero bytes behind a member, with which
//! tapes and blocks of disks are filled up. What else stands there is refused, because it may be the rest of a row.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// A stream of gzip that is being unpacked.
pub(in crate::corpus::files::input) struct Members<R> {
    /// The open member; None after the last one.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    /// The members of a stream that begins with one.
    pub(in crate::corpus::files::input) fn new(input: R) -> Members<R> {
        Members { member: Some(GzDecoder::new(input)) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let Some(member) = &mut self.member else { return Ok(0) };
            let read = member.read(out)?;
            if read > 0 || out.is_empty() {
                return Ok(read);
            }
            let rest = self.member.take().map(GzDecoder::into_inner);
            self.member = rest.map(next_member).transpose()?.flatten();
        }
    }
}

/// The member behind another one; None at the end.
fn next_member<R: BufRead>(mut rest: R) -> io::Result<Option<GzDecoder<R>>> {
    loop {
        let bytes = rest.fill_buf()?;
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        match bytes.get(zeros) {
            None if bytes.is_empty() => return Ok(None),
            None => rest.consume(zeros),
            Some(0x1f) => {
                rest.consume(zeros);
                return Ok(Some(GzDecoder::new(rest)));
            }
            Some(_) => {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    "other bytes stand behind the end of the gzip stream",
                ));
            }
        }
    }
}
