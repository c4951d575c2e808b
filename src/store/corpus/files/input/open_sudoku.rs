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

use std::io::{BufRead as _, Read as _};

use super::encoding::{Text, damaged};
use super::rows::{Content, Found, RowReader};
use sudoku_corpus_core::board::text::{is_rule_name, rule_named};

pub(super) struct GameRows {
    text: Text,
    line: u64,
    /// True after the element of the whole file has begun.
    has_begun: bool,
    has_ended: bool,
    /// True in a file of OpenSudoku, all elements of which are known.
    knows_elements: bool,
    /// What the file says that may be a rule of all its games.
    unknown: Option<String>,
}

/// A tag of XML.
struct Tag {
    /// What stands between `<` and `>`, in small letters.
    text: String,
    /// The text before it.
    before: String,
}

/// The most bytes of a tag and the text before it.
const LONGEST: u64 = 1 << 20;

impl GameRows {
    pub(super) fn new(text: Text) -> GameRows {
        GameRows { text, line: 1, has_begun: false, has_ended: false, knows_elements: false, unknown: None }
    }

    /// The next tag. None at the end.
    fn tag(&mut self) -> Result<Option<Tag>, String> {
        let (mut before, mut tag) = (Vec::new(), Vec::new());
        self.text.by_ref().take(LONGEST).read_until(b'<', &mut before).map_err(damaged)?;
        self.count_lines(&before);
        if before.pop_if(|last| *last == b'<').is_none() {
            return if before.len() as u64 >= LONGEST { Err(damaged("a text without elements")) } else { Ok(None) };
        }
        let mut end = TagEnd::default();
        loop {
            let (from, most) = (tag.len(), LONGEST - tag.len() as u64);
            self.text.by_ref().take(most).read_until(b'>', &mut tag).map_err(damaged)?;
            self.count_lines(&tag[from..]);
            if tag.last() != Some(&b'>') || tag.len() == from {
                return Err(damaged(format!("line {}: an element has no end", self.line)));
            }
            if end.is_at(&tag, from) {
                tag.pop();
                let before = in_one_line(&before).trim().to_owned();
                return Ok(Some(Tag { text: in_one_line(&tag).to_lowercase(), before }));
            }
        }
    }

    fn count_lines(&mut self, bytes: &[u8]) {
        self.line += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    }

    /// An element inside of a game, which has none, up to the end of the game.
    fn element_of_game(&mut self) -> Result<Option<String>, String> {
        let mut element = None;
        while let Some(Tag { text: tag, .. }) = self.tag()? {
            let name = tag.split([' ', '/']).next().unwrap_or_default();
            if tag == "/game" {
                return Ok(element);
            }
            element =
                element.or(Some(name).filter(|name| !name.is_empty() && !name.starts_with('!')).map(str::to_owned));
        }
        Err(damaged("a game has no end"))
    }

    /// The cells of the next game, or what is wrong with it. None at the end.
    fn game(&mut self) -> Result<Option<Result<String, String>>, String> {
        let mut other_rules = None;
        while let Some(Tag { text, before }) = self.tag()? {
            let is_empty = text.ends_with('/');
            let tag = text.trim_end_matches('/');
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
                ("opensudoku", _) => {
                    (self.has_begun, self.has_ended) = (true, is_empty);
                    self.unknown = attributes(tag).find(|(name, _)| is_rule_name(name) || *name == "type").map(shown);
                    self.knows_elements = true;
                }
                ("ksudoku", _) => (self.has_begun, self.has_ended) = (true, is_empty),
                ("/opensudoku" | "/ksudoku", _) => self.has_ended = true,
                ("/values", _) => return Ok(Some(Ok(before))),
                ("game", Some(cells)) if cells.trim().starts_with("version") => {
                    return Ok(Some(Err("a game that was started; only puzzles are read".to_owned())));
                }
                ("game", Some(cells)) => {
                    let cells = cells.to_owned();
                    let in_attributes = unknown_attribute(tag);
                    let inside = if is_empty { None } else { self.element_of_game()? };
                    let unknown = self.unknown.clone().or(in_attributes).or(inside);
                    return Ok(Some(unknown.map_or(Ok(cells), |unknown| Err(not_known(&unknown)))));
                }
                _ if !self.has_begun && !name.starts_with(['?', '!']) => {
                    return Err("the first element is neither 'opensudoku' nor 'ksudoku'".to_owned());
                }
                _ if self.knows_elements && !name.starts_with('/') && !is_known(name) => {
                    let unknown = self.unknown.insert(name.to_owned());
                    return Ok(Some(Err(not_known(unknown))));
                }
                _ => {}
            }
        }
        match (self.has_begun, self.has_ended) {
            (true, true) => Ok(None),
            (true, false) => Err(damaged("the element of the whole file has no end")),
            (false, _) => Err("it has no element 'opensudoku'".to_owned()),
        }
    }
}

/// What stands in a file of OpenSudoku beside games.
const ELEMENTS: &str = "opensudoku name author description comment created source level sourceurl folder game";

/// What is known of a game of OpenSudoku. Its texts may name a rule.
const ATTRIBUTES: &str = "data created state time last_played note user_note command_stack name title";

/// True for an element that says no rule: a known one, a comment, an instruction.
fn is_known(name: &str) -> bool {
    name.starts_with(['?', '!']) || ELEMENTS.split(' ').any(|known| known == name)
}

/// The names and values of the attributes of a tag.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = tag.split_once(' ').map_or("", |(_, rest)| rest);
    std::iter::from_fn(move || {
        let (name, begin) = rest.split_once('=')?;
        let begin = begin.trim_start();
        let quote = begin.chars().next().filter(|sign| ['"', '\''].contains(sign))?;
        let (value, end) = begin[1..].split_once(quote)?;
        rest = end;
        Some((name.trim(), value))
    })
}

/// An attribute of a game that is not known, or that names a rule.
fn unknown_attribute(tag: &str) -> Option<String> {
    let is_text = |name: &str| ["note", "user_note", "name", "title"].contains(&name);
    let is_other = |name: &str| !ATTRIBUTES.split(' ').any(|known| known == name);
    let mut attributes = attributes(tag);
    attributes.find(|(name, value)| is_other(name) || is_text(name) && rule_named(value).is_some()).map(shown)
}

fn shown((name, value): (&str, &str)) -> String {
    format!("{name}=\"{value}\"")
}

/// The message about what may be a rule.
fn not_known(what: &str) -> String {
    format!("'{what}' in the file may be a rule, and is not known here")
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

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    attributes(tag).find(|(known, _)| *known == name).map(|(_, value)| value)
}

impl RowReader for GameRows {
    fn next(&mut self) -> Result<Option<Found>, String> {
        let Some(cells) = self.game()? else { return Ok(None) };
        let content = cells.map(|cells| Content::Text(cells.trim().to_owned()));
        Ok(Some(Found::new(self.line, content)))
    }
}
