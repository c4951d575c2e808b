//! The book's typeface: IBM Plex Sans 3.201 in three weights, as published (Copyright IBM Corp.), and the widths of
//! text. [`Typeface::of`] uses other fonts instead.
//!
//! IBM Plex Sans was chosen for its figures, as 16x16 and 25x25 boards need them. All have one width, are open, and are
//! easy to distinguish from each other and from letters (a capital I has bars). It covers Latin, Greek and Cyrillic.
//! Licence: SIL Open Font License 1.1, `fonts/OFL.txt`. Characters map to glyphs one to one and pairs are kerned
//! (OpenType `GPOS`); text is composed first (Unicode NFC). Characters that the typeface does not have are refused by
//! name. Scripts that need shaping (Arabic, Devanagari) are not set correctly with any font.
//!
//! *Tried and lost*: a full shaper. For Latin, Greek and Cyrillic it gives the same positions, and it is larger than
//! the rest of the book's code together.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use ttf_parser::gpos::{PairAdjustment, PositioningSubtable};
use ttf_parser::{Face, GlyphId, Permissions, Tag};
use unicode_normalization::UnicodeNormalization as _;

/// The blank between words that stay together, such as those of a date. It is set as a blank.
pub(crate) const NO_BREAK: char = '\u{a0}';

/// A font that cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the font {font} cannot be used: {reason}")]
pub struct FontError {
    /// The name of the font, or of its file.
    pub font: String,
    /// Why it cannot be used.
    pub reason: String,
}

impl FontError {
    pub(crate) fn new(font: &str, reason: impl ToString) -> FontError {
        FontError { font: font.to_owned(), reason: reason.to_string() }
    }
}

/// Why a text cannot be set: what it is, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TextFault {
    #[error("the {what} '{short}' is in letters that run from right to left, which are not set here", short = beginning(text))]
    RightToLeft { what: &'static str, text: String },
    #[error("the {what} holds {characters}, which the typeface {typeface} does not have")]
    Characters { typeface: String, what: &'static str, characters: String },
    #[error("in the typeface {typeface}, the symbols '{one}' and '{other}' look the same")]
    Alike { typeface: String, one: &'static str, other: &'static str },
}

/// The beginning of a text, for messages.
pub(crate) fn beginning(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A weight of the typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// Running text, and the digits in solutions that are not givens.
    Regular,
    /// The digits of puzzles.
    Medium,
    /// Headings, numbers, and the givens in solutions.
    SemiBold,
}

impl Weight {
    /// Every weight, lightest first.
    pub const ALL: [Weight; 3] = [Weight::Regular, Weight::Medium, Weight::SemiBold];

    /// The font file that the program carries.
    const fn file(self) -> &'static [u8] {
        match self {
            Weight::Regular => include_bytes!("fonts/IBMPlexSans-Regular.ttf"),
            Weight::Medium => include_bytes!("fonts/IBMPlexSans-Medium.ttf"),
            Weight::SemiBold => include_bytes!("fonts/IBMPlexSans-SemiBold.ttf"),
        }
    }
}

/// A glyph with its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glyph {
    /// Number in the font file.
    pub id: u16,
    /// The character it stands for.
    pub character: char,
    /// Origin, in points from the left edge of the page.
    pub x: f64,
    /// Baseline, in points from the upper edge of the page.
    pub y: f64,
}

/// One weight with its font file read.
#[derive(Clone)]
pub struct Cut {
    pub data: &'static [u8],
    pub name: String,
    pub face: Face<'static>,
    /// Font units per em. At a type size of 1 pt, they make 1 pt.
    pub units: f64,
    /// The tables of kerning. Of each list the first table that knows a pair counts.
    pairs: Vec<Vec<PairAdjustment<'static>>>,
    /// The kerning of the pairs of glyphs that were asked for.
    kerned: Arc<RwLock<HashMap<(u16, u16), f64>>>,
    /// Number and width in font units of the glyphs of the characters used most, from U+0020 to U+007E.
    ascii: Vec<(u16, f64)>,
    /// See [`Typeface::cap_height`].
    cap_height: f64,
}

/// The three weights.
pub struct Typeface {
    cuts: [Cut; 3],
    /// The name of the family.
    pub family: String,
}

impl Typeface {
    /// Opens the font files that the program carries.
    ///
    /// # Errors
    /// [`FontError`] if one cannot be read.
    pub fn open() -> Result<Typeface, FontError> {
        let [regular, medium, semi_bold] = Weight::ALL.map(|weight| Cut::open(weight.file(), "IBM Plex Sans"));
        Ok(Typeface { cuts: [regular?, medium?, semi_bold?], family: "IBM Plex Sans".to_owned() })
    }

    /// A typeface from other font files: one file, or three for the regular, the medium and the bold weight, or two for
    /// regular and bold. The files stay in memory until the program ends.
    ///
    /// # Errors
    /// [`FontError`] if a file is not a TrueType or OpenType font, or may not be embedded as a subset, and for a fourth
    /// file.
    pub fn of(files: Vec<(String, Vec<u8>)>) -> Result<Typeface, FontError> {
        if let Some((path, _)) = files.get(Weight::ALL.len()) {
            return Err(FontError::new(path, "a typeface has three weights: regular, medium and bold"));
        }
        let mut cuts = Vec::new();
        for (path, data) in files {
            // A face borrows its file, and a program opens one typeface. Freeing the file is not worth a
            // self-referential type.
            let cut = Cut::open(Box::leak(data.into_boxed_slice()), &path)?;
            if matches!(cut.face.permissions(), Some(Permissions::Restricted)) {
                let reason = "its maker does not allow it to be embedded (OS/2 fsType: restricted)";
                return Err(FontError::new(&path, reason));
            }
            if !cut.face.is_subsetting_allowed() {
                let reason = "its maker does not allow it to be cut down (OS/2 fsType: no subsetting)";
                return Err(FontError::new(&path, reason));
            }
            if cut.face.tables().glyf.is_none() && cut.face.tables().cff.is_none() {
                return Err(FontError::new(&path, "it has no outlines of the kinds glyf or CFF"));
            }
            cuts.push(cut);
        }
        let (Some(regular), Some(bold)) = (cuts.first(), cuts.last()) else {
            return Err(FontError::new("--font", "no file"));
        };
        let medium = if cuts.len() == 3 { &cuts[1] } else { regular };
        let family = name_of(&regular.face, ttf_parser::name_id::FAMILY).unwrap_or_else(|| regular.name.clone());
        Ok(Typeface { cuts: [regular, medium, bold].map(Cut::clone), family })
    }

    /// The same typeface with its boldest weight in place of the others.
    pub(crate) fn bold(&self) -> Typeface {
        let bold = &self.cuts[Weight::SemiBold as usize];
        Typeface { cuts: [bold, bold, bold].map(Cut::clone), family: self.family.clone() }
    }

    /// A weight.
    pub fn cut(&self, weight: Weight) -> &Cut {
        &self.cuts[weight as usize]
    }

    /// Width of a text in points.
    pub fn width(&self, weight: Weight, size: f64, text: &str) -> f64 {
        let cut = self.cut(weight);
        let mut previous = None;
        let mut units = 0.0;
        for character in text.chars() {
            let (id, advance) = cut.glyph(character);
            units += advance + cut.kerning_after(previous, id);
            previous = Some(id);
        }
        units * size / cut.units
    }

    /// The glyphs of a text whose first one stands at `x`, `y`.
    pub fn place(&self, weight: Weight, size: f64, x: f64, y: f64, text: &str) -> Vec<Glyph> {
        let cut = self.cut(weight);
        let (mut x, mut previous) = (x, None);
        let mut glyphs = Vec::new();
        for character in text.chars() {
            let (id, advance) = cut.glyph(character);
            x += cut.kerning_after(previous, id) * size / cut.units;
            let character = if character == NO_BREAK { ' ' } else { character };
            glyphs.push(Glyph { id, character, x, y });
            x += advance * size / cut.units;
            previous = Some(id);
        }
        glyphs
    }

    /// A text, shortened with an ellipsis if it is too wide.
    pub(crate) fn shortened(&self, weight: Weight, size: f64, text: &str, width: f64) -> String {
        if self.width(weight, size, text) <= width {
            return text.to_owned();
        }
        let mut short: String = text.to_owned();
        while !short.is_empty() && self.width(weight, size, &format!("{short}…")) > width {
            short.pop();
        }
        format!("{}…", short.trim_end())
    }

    /// Refuses a text that cannot be set; `what` says what it is. Everything that is drawn comes through here, because
    /// the boxes that stand for missing characters are seen only in print.
    ///
    /// # Errors
    /// Letters that run from right to left; control characters, and those that the typeface does not have.
    pub(crate) fn check(&self, what: &'static str, text: &str) -> Result<(), TextFault> {
        if is_right_to_left(text) {
            return Err(TextFault::RightToLeft { what, text: text.to_owned() });
        }
        let missing = self.missing(text);
        if missing.is_empty() {
            return Ok(());
        }
        let shown: Vec<String> = missing.iter().take(10).map(|character| format!("{character:?}")).collect();
        Err(TextFault::Characters { typeface: self.family.clone(), what, characters: shown.join(", ") })
    }

    /// The characters of a text that the typeface does not have, each once, in order.
    pub fn missing(&self, text: &str) -> Vec<char> {
        let mut missing = Vec::new();
        for character in text.chars() {
            let is_drawn = self.cuts.iter().all(|cut| cut.face.glyph_index(character).is_some());
            // Only letters that stand alone: a combining mark would have to be placed on the letter before it.
            let stands_alone = !unicode_normalization::char::is_combining_mark(character) && !character.is_control();
            let is_set = is_drawn && stands_alone;
            if !is_set && !missing.contains(&character) {
                missing.push(character);
            }
        }
        missing
    }

    /// Height of figures over the baseline, as a part of the type size: twice that of their middle. For most fonts it
    /// is the height of capitals that the font gives; others do not give it, or have figures of another height.
    pub(crate) fn cap_height(&self, weight: Weight) -> f64 {
        self.cut(weight).cap_height
    }

    /// How far a character reaches from the middle of figures, twice, as a part of the type size: J and Q go below the
    /// line in some fonts.
    pub(crate) fn height(&self, weight: Weight, character: char) -> f64 {
        let (cut, middle) = (self.cut(weight), self.cap_height(weight) / 2.0);
        let ink = cut.face.glyph_index(character).and_then(|glyph| cut.face.glyph_bounding_box(glyph));
        let reach = |edge: i16| (f64::from(edge) / cut.units - middle).abs();
        ink.map_or(0.0, |ink| 2.0 * reach(ink.y_min).max(reach(ink.y_max)))
    }

    pub(crate) fn advance(&self, weight: Weight, size: f64, character: char) -> f64 {
        let cut = self.cut(weight);
        cut.glyph(character).1 * size / cut.units
    }
}

/// True if a text has letters or signs of scripts that run from right to left. Lines are set from left to right only.
fn is_right_to_left(text: &str) -> bool {
    // The blocks of Unicode whose characters have the bidirectional classes R and AL by default, and the signs that
    // turn text. The last block ends with the byte order mark, which has no direction.
    text.chars().any(|letter| {
        matches!(u32::from(letter),
            0x0590..=0x08ff | 0x200f | 0x202b | 0x202e | 0x2067 | 0xfb1d..=0xfdff | 0xfe70..=0xfefe | 0x1_0800..=0x1_0fff
            | 0x1_e800..=0x1_efff)
    })
}

/// The text in composed form (a letter and its accent become one character), with one blank for every run of white
/// space.
pub(crate) fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").nfc().collect()
}

impl Cut {
    fn open(data: &'static [u8], path: &str) -> Result<Cut, FontError> {
        let face = Face::parse(data, 0).map_err(|error| match error {
            ttf_parser::FaceParsingError::UnknownMagic => {
                "it is not in TrueType or OpenType format, as files .ttf and .otf are".to_owned()
            }
            error => error.to_string(),
        });
        let face = face.map_err(|reason| FontError::new(path, reason))?;
        let name = name_of(&face, ttf_parser::name_id::POST_SCRIPT_NAME).unwrap_or_default();
        // Names in PDF should have only letters, digits and hyphens.
        let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let name = if name.is_empty() { "Font".to_owned() } else { name };
        let units = f64::from(face.units_per_em());
        let pairs = pair_lookups(&face);
        let mut cut =
            Cut { data, name, face, units, pairs, kerned: Arc::default(), ascii: Vec::new(), cap_height: 0.7 };
        cut.ascii = (' '..='~').map(|character| cut.look_up(character)).collect();
        let capitals = cut.face.capital_height().map(|height| f64::from(height) / units);
        let figures = cut.twice_middle_of_figures();
        // The height of capitals that the font gives counts unless its figures have another height.
        cut.cap_height = match (capitals, figures) {
            (Some(capitals), Some(figures)) if (capitals - figures).abs() < 0.05 => capitals,
            (_, Some(figures)) => figures,
            (Some(capitals), None) => capitals,
            (None, None) => cut.cap_height,
        };
        Ok(cut)
    }

    /// Number and width, in font units, of a character's glyph; those of the empty box when it has none.
    fn glyph(&self, character: char) -> (u16, f64) {
        let character = if character == NO_BREAK { ' ' } else { character };
        let index = (character as usize).checked_sub(' ' as usize);
        index.and_then(|index| self.ascii.get(index)).copied().unwrap_or_else(|| self.look_up(character))
    }

    /// The lower and the upper edge of a figure, added, as a part of the type size: the mean of all, because some fonts
    /// have figures that reach below the line.
    fn twice_middle_of_figures(&self) -> Option<f64> {
        let boxes = ('1'..='9').filter_map(|figure| self.face.glyph_bounding_box(self.face.glyph_index(figure)?));
        let sums: Vec<f64> = boxes.map(|ink| f64::from(ink.y_min) + f64::from(ink.y_max)).collect();
        (!sums.is_empty()).then(|| sums.iter().sum::<f64>() / sums.len() as f64 / self.units)
    }

    /// The number of a character's glyph, and its width in font units. Number 0 if the font does not have it.
    fn look_up(&self, character: char) -> (u16, f64) {
        let id = self.face.glyph_index(character).unwrap_or(GlyphId(0));
        (id.0, f64::from(self.face.glyph_hor_advance(id).unwrap_or(0)))
    }

    /// The kerning before a glyph; 0 if it is the first.
    fn kerning_after(&self, previous: Option<u16>, id: u16) -> f64 {
        previous.map_or(0.0, |previous| self.kerning(previous, id))
    }

    /// What is added between two glyphs, in font units. In each lookup the first table that knows the pair decides.
    fn kerning(&self, first: u16, second: u16) -> f64 {
        let cached = self.kerned.read().unwrap_or_else(PoisonError::into_inner).get(&(first, second)).copied();
        cached.unwrap_or_else(|| {
            let (first_glyph, second_glyph) = (GlyphId(first), GlyphId(second));
            let mut sum = 0.0;
            for tables in &self.pairs {
                sum += tables.iter().find_map(|table| kerning_of(table, first_glyph, second_glyph)).unwrap_or(0.0);
            }
            self.kerned.write().unwrap_or_else(PoisonError::into_inner).insert((first, second), sum);
            sum
        })
    }
}

fn name_of(face: &Face<'_>, id: u16) -> Option<String> {
    face.names().into_iter().filter(|name| name.name_id == id && name.is_unicode()).find_map(|name| name.to_string())
}

/// The pair tables of the feature `kern`, lookup by lookup.
fn pair_lookups(face: &Face<'static>) -> Vec<Vec<PairAdjustment<'static>>> {
    let Some(table) = face.tables().gpos else { return Vec::new() };
    let kern = Tag::from_bytes(b"kern");
    let features = table.features.into_iter().filter(|feature| feature.tag == kern);
    let mut lookups: Vec<u16> = features.flat_map(|feature| feature.lookup_indices.into_iter()).collect();
    lookups.sort_unstable();
    lookups.dedup();
    let mut pair_lookups = Vec::new();
    for lookup in lookups.into_iter().filter_map(|number| table.lookups.get(number)) {
        let mut pairs = Vec::new();
        for subtable in lookup.subtables.into_iter::<PositioningSubtable<'static>>() {
            if let PositioningSubtable::Pair(pair) = subtable {
                pairs.push(pair);
            }
        }
        pair_lookups.push(pairs);
    }
    pair_lookups
}

/// What a table adds to the distance of two glyphs, in font units. None if it does not know the pair.
fn kerning_of(table: &PairAdjustment<'_>, first: GlyphId, second: GlyphId) -> Option<f64> {
    let index = table.coverage().get(first)?;
    let (value, _) = match table {
        PairAdjustment::Format1 { sets, .. } => sets.get(index)?.get(second)?,
        PairAdjustment::Format2 { classes, matrix, .. } => matrix.get((classes.0.get(first), classes.1.get(second)))?,
    };
    Some(f64::from(value.x_advance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_one_width_in_every_weight() {
        let typeface = Typeface::open().unwrap();
        for weight in Weight::ALL {
            let widths: Vec<f64> = ('0'..='9').map(|digit| typeface.advance(weight, 10.0, digit)).collect();
            assert!(widths.iter().all(|&width| width == widths[0] && width > 5.0), "{weight:?} {widths:?}");
            assert!((0.65..0.75).contains(&typeface.cap_height(weight)));
        }
    }

    #[test]
    fn pairs_are_kerned_and_places_add_up_to_the_width() {
        let typeface = Typeface::open().unwrap();
        for weight in Weight::ALL {
            let apart = typeface.width(weight, 10.0, "A") + typeface.width(weight, 10.0, "V");
            assert!(typeface.width(weight, 10.0, "AV") < apart - 0.1, "{weight:?}");
            assert_eq!(typeface.width(weight, 10.0, "11"), 2.0 * typeface.advance(weight, 10.0, '1'));
            let text = "Tomatoes, To AVALON — Ärger";
            let glyphs = typeface.place(weight, 10.0, 5.0, 7.0, text);
            let last = glyphs.last().unwrap();
            let end = last.x + typeface.advance(weight, 10.0, last.character);
            assert!((end - 5.0 - typeface.width(weight, 10.0, text)).abs() < 1e-9);
            assert_eq!(glyphs.iter().map(|glyph| glyph.character).collect::<String>(), text);
        }
    }

    #[test]
    fn latin_greek_and_cyrillic_are_there_and_the_rest_is_named() {
        let typeface = Typeface::open().unwrap();
        for text in ["Straße, Ñandú, Łódź, œuvre, İstanbul", "Σουντόκου για όλους", "Судоку для всех", "“” – — … × ·"]
        {
            assert!(typeface.missing(text).is_empty(), "{text}");
        }
        assert_eq!(typeface.missing("数独 and 数"), ['数', '独']);
        assert!(is_right_to_left("a \u{fefc}") && !is_right_to_left("\u{feff}a"));
        assert_eq!(typeface.missing("a\u{202e}b\u{7}\u{301}"), ['\u{202e}', '\u{7}', '\u{301}']);
    }

    #[test]
    fn a_fourth_font_is_refused_by_its_name() {
        let file = |name: &str| (format!("{name}.ttf"), Weight::Regular.file().to_vec());
        assert!(Typeface::of(["a", "b", "c"].map(file).to_vec()).is_ok());
        assert_eq!(Typeface::of(["a", "b", "c", "d"].map(file).to_vec()).err().unwrap().font, "d.ttf");
    }

    #[test]
    fn text_is_composed_and_white_space_is_one_blank() {
        assert_eq!(tidy("  Cafe\u{301} \n\t du\u{a0}Nord "), "Café du Nord");
        assert_eq!(tidy(" \n "), "");
    }

    /// Many fonts do not give the height of their capitals: the table OS/2 has it from version 2 on.
    #[test]
    fn figures_are_in_the_middle_whatever_the_font_says_of_its_capitals() {
        let given = Typeface::open().unwrap();
        let mut data = Weight::Regular.file().to_vec();
        let entry = data.windows(4).position(|tag| tag == b"OS/2").unwrap();
        let table = u32::from_be_bytes(data[entry + 8..entry + 12].try_into().unwrap()) as usize;
        data[table..table + 2].copy_from_slice(&1u16.to_be_bytes());
        let silent = Typeface::of(vec![("silent.ttf".to_owned(), data)]).unwrap();
        assert_eq!(silent.cuts[0].face.capital_height(), None);
        let (one, other) = (given.cap_height(Weight::Regular), silent.cap_height(Weight::Regular));
        assert!((one - other).abs() < 0.02, "{one} {other}");
    }
}
