//! Reads games of XML files: OpenSudoku's attribute `data` of each element `game`, and KSudoku's text in `values`.
//!
//! ```text
//!   <opensudoku version="2">                    <ksudoku><game><puzzle>
//!     <game data="0300...81 digits"/>             <values>_3__...</values>
//! ```
//!
//! Names may have capital letters. Games that a person has begun, whose cells are written one by one, are bad rows, and so
//! are games of KSudoku whose graph says other rules. A tag may have at most a million bytes, so even a file without an
//! end needs little memory.

use std::io::{BufRead, Read as _};

use super::encoding::damaged;
use super::rows::{Content, Found, RowReader};

/// The games of a file.
pub(super) struct GameRows<R> {
    input: R,
    line: u64,
    /// True after the element of the whole file has begun.
    inside: bool,
    /// True after it has ended.
    ended: bool,
}

/// The most bytes of a tag and the text before it.
const LONGEST: u64 = 1 << 20;

impl<R: BufRead> GameRows<R> {
    pub(super) fn new(input: R) -> GameRows<R> {
        GameRows { input, line: 1, inside: false, ended: false }
    }

    /// The next tag in small letters, and the text before it. None at the end.
    fn tag(&mut self) -> Result<Option<(String, String)>, String> {
        let (mut before, mut tag) = (Vec::new(), Vec::new());
        self.input.by_ref().take(LONGEST).read_until(b'<', &mut before).map_err(damaged)?;
        self.count_lines(&before);
        if before.pop_if(|last| *last == b'<').is_none() {
            return if before.len() as u64 >= LONGEST { Err(damaged("a text without elements")) } else { Ok(None) };
        }
        let mut end = TagEnd::default();
        loop {
            let (from, most) = (tag.len(), LONGEST - tag.len() as u64);
            self.input.by_ref().take(most).read_until(b'>', &mut tag).map_err(damaged)?;
            self.count_lines(&tag[from..]);
            if tag.last() != Some(&b'>') || tag.len() == from {
                return Err(damaged(format!("line {}: an element has no end", self.line)));
            }
            if end.is_at(&tag, from) {
                tag.pop();
                return Ok(Some((in_one_line(&tag).to_lowercase(), in_one_line(&before).trim().to_owned())));
            }
        }
    }

    fn count_lines(&mut self, bytes: &[u8]) {
        self.line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    }

    /// The cells of the next game, or what is wrong with it. None at the end.
    fn game(&mut self) -> Result<Option<Result<String, String>>, String> {
        let mut other_rules = None;
        while let Some((tag, before)) = self.tag()? {
            let is_empty = tag.ends_with('/');
            let tag = tag.trim_end_matches('/');
            let name = tag.split(' ').next().unwrap_or_default();
            let data = attribute(tag, "data");
            match (name, data) {
                ("graph", _) => {
                    other_rules = attribute(tag, "type").filter(|kind| *kind != "sudoku").map(str::to_owned);
                }
                ("clique" | "cage", _) => other_rules = Some(name.to_owned()),
                ("/values", _) if other_rules.is_some() => {
                    let rules = other_rules.unwrap_or_default();
                    return Ok(Some(Err(format!("a game with other rules ('{rules}'), which are not known here"))));
                }
                ("opensudoku" | "ksudoku", _) => (self.inside, self.ended) = (true, is_empty),
                ("/opensudoku" | "/ksudoku", _) => self.ended = true,
                ("/values", _) => return Ok(Some(Ok(before))),
                ("game", Some(cells)) if cells.trim().starts_with("version") => {
                    return Ok(Some(Err("a game that was started; only puzzles are read".to_owned())));
                }
                ("game", Some(cells)) => return Ok(Some(Ok(cells.to_owned()))),
                _ if !self.inside && !name.starts_with(['?', '!']) => {
                    return Err("the first element is neither 'opensudoku' nor 'ksudoku'".to_owned());
                }
                _ => {}
            }
        }
        match (self.inside, self.ended) {
            (true, true) => Ok(None),
            (true, false) => Err(damaged("the element of the whole file has no end")),
            (false, _) => Err("it has no element 'opensudoku'".to_owned()),
        }
    }
}

/// Knows which sign > ends a tag: none in quotes, and for comments and sections of text only that behind their signs.
#[derive(Default)]
struct TagEnd {
    /// The quote that is open.
    quote: Option<u8>,
}

impl TagEnd {
    /// True if a tag ends with its last byte; `from` is where its bytes begin that were not seen yet.
    fn is_at(&mut self, tag: &[u8], from: usize) -> bool {
        if tag.starts_with(b"!--") {
            return tag.len() >= 6 && tag.ends_with(b"-->");
        }
        if tag.starts_with(b"![CDATA[") {
            return tag.ends_with(b"]]>");
        }
        for &byte in &tag[from..] {
            match (self.quote, byte) {
                (None, b'"' | b'\'') => self.quote = Some(byte),
                (Some(quote), _) if quote == byte => self.quote = None,
                _ => {}
            }
        }
        self.quote.is_none()
    }
}

/// A piece of a file as text, with a space for each white space.
fn in_one_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace(char::is_whitespace, " ")
}

/// The value of an attribute of a tag.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = tag.split_once(&format!(" {name}="))?;
    value.get(1..)?.split(['"', '\'']).next()
}

impl<R: BufRead + Send> RowReader for GameRows<R> {
    fn next(&mut self) -> Result<Option<Found>, String> {
        let Some(cells) = self.game()? else { return Ok(None) };
        let content = cells.map(|cells| Content::Text(cells.trim().to_owned()));
        Ok(Some(Found::new(self.line, content)))
    }
}
