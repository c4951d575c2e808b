//! Writes OpenSudoku's XML, version 1: a folder of games for Android.
//!
//! ```text
//! <?xml version="1.0" encoding="UTF-8"?>
//! <opensudoku>
//!   <name>Tonight</name>
//!   <level>easy</level>
//!   <game data="530070000600195000..."/>
//! </opensudoku>
//! ```

use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::choice::rows::puzzles::Rows;
use crate::formats::heading::{Heading, puzzles, with_zeros};

/// Writes all puzzles as one folder.
pub(crate) fn write(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    let mut levels: Vec<Option<String>> = Vec::new();
    for row in rows.iter() {
        levels.push(heading.level(&row?.1.record()));
        levels.dedup();
        levels.truncate(2);
    }
    let level = if levels.len() == 1 { levels.remove(0) } else { None };
    let title = heading.title.clone().unwrap_or_else(|| "Sudoku".to_owned());
    let elements = [
        ("name", Some(title)),
        ("author", heading.author.clone()),
        ("created", heading.date_of_all(rows)),
        ("source", heading.source.clone()),
        ("level", level),
    ];
    let mut xml = Writer::new_with_indent(&mut *out, b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.create_element("opensudoku").write_inner_content(|xml| {
        for (name, text) in elements {
            if let Some(text) = text {
                xml.create_element(name).write_text_content(BytesText::new(&legal(&text)))?;
            }
        }
        for puzzle in puzzles(rows) {
            let data = with_zeros(puzzle?.grid());
            xml.create_element("game").with_attribute(("data", data.as_str())).write_empty()?;
        }
        Ok(())
    })?;
    writeln!(out)
}

/// A text without the characters that XML does not allow.
fn legal(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}')).collect()
}
