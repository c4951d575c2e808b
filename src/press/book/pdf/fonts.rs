//! Embeds fonts: subsets with the glyphs that the book uses, and the characters of these glyphs.
//!
//! Each weight becomes a composite font of TrueType or CFF outlines; a glyph's number in the cut-down font is its code
//! in the text (Identity-H), and a `ToUnicode` map lets readers copy and search.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Dict, Filter, Finish as _, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;

use crate::draw::canvas::Item;
use crate::draw::encoding::{compress, rounded};
use crate::draw::text::typeface::{Cut, FontError, Glyph, Typeface, Weight};

/// The character collection of all fonts: codes are numbers of glyphs.
const SYSTEM: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The weights that a book uses.
pub(crate) struct Fonts<'a>(Vec<Font<'a>>);

struct SubsetGlyph {
    /// In thousandths of the type size.
    width: f64,
    character: char,
}

struct Font<'a> {
    weight: Weight,
    cut: &'a Cut,
    /// Numbers of the font, its descendant, descriptor, file and map to characters.
    refs: [Ref; 5],
    remapper: GlyphRemapper,
    /// By their numbers in the subset.
    glyphs: Vec<SubsetGlyph>,
    file: Vec<u8>,
    /// The file is a bare CFF table.
    is_cff: bool,
}

impl<'a> Fonts<'a> {
    /// The fonts of all pages. `next` is the next object number.
    ///
    /// # Errors
    /// [`FontError`] if a subset of a font cannot be made.
    pub(crate) fn of(typeface: &'a Typeface, pages: &[Vec<Item>], next: &mut Ref) -> Result<Fonts<'a>, FontError> {
        let mut fonts = Vec::new();
        for weight in Weight::ALL {
            let used = used_glyphs(pages, weight);
            if !used.is_empty() {
                fonts.push(Font::subset(typeface.cut(weight), weight, &used, [(); 5].map(|()| next.bump()))?);
            }
        }
        Ok(Fonts(fonts))
    }

    /// The name of a weight in the resources of a page.
    fn name(weight: Weight) -> Name<'static> {
        Name([b"R", b"M", b"B"][weight as usize])
    }

    /// The font of a weight, if the book uses it.
    fn font(&self, weight: Weight) -> Option<&Font<'a>> {
        self.0.iter().find(|font| font.weight == weight)
    }

    /// Adds a weight to the resources of a page.
    pub(crate) fn refer(&self, weight: Weight, dictionary: &mut Dict<'_>) {
        if let Some(font) = self.font(weight) {
            dictionary.pair(Fonts::name(weight), font.refs[0]);
        }
    }

    /// Shows glyphs that follow each other on a line together, with kerning as adjustments. After a gap, a new run
    /// begins. `ahead` is -1 for text that is upside down; `point` returns the place of a glyph in the units of the
    /// page.
    pub(crate) fn show(
        &self,
        content: &mut Content,
        weight: Weight,
        size: f64,
        ahead: f64,
        glyphs: &[Glyph],
        point: impl Fn((f64, f64)) -> (f32, f32),
    ) {
        let Some(font) = self.font(weight) else { return };
        content.begin_text().set_font(Fonts::name(weight), rounded(size));
        // True if the next glyph stands where this one ends, or at most 0.4 of the type size away.
        let follows = |one: &Glyph, next: &Glyph| {
            let gap = (next.x - one.x) * ahead - font.width(one.id) * size / 1000.0;
            one.y == next.y && gap.abs() < size * 0.4
        };
        for run in glyphs.chunk_by(follows) {
            let (x, y) = point((run[0].x, run[0].y));
            content.set_text_matrix([ahead as f32, 0.0, 0.0, ahead as f32, x, y]);
            let mut shown = content.show_positioned();
            let mut items = shown.items();
            // The codes of glyphs up to the next adjustment.
            let mut codes = Vec::with_capacity(run.len() * 2);
            for (number, glyph) in run.iter().enumerate() {
                codes.extend(font.code(glyph.id).to_be_bytes());
                let gap = match run.get(number + 1) {
                    Some(next) => ((next.x - glyph.x) * ahead * 1000.0 / size - font.width(glyph.id)).round(),
                    None => 0.0,
                };
                if gap != 0.0 {
                    items.show(Str(&codes)).adjust(rounded(-gap));
                    codes.clear();
                }
            }
            if !codes.is_empty() {
                items.show(Str(&codes));
            }
        }
        content.end_text();
    }

    /// Writes every font, and adds them to the hash.
    pub(crate) fn write(&self, pdf: &mut Pdf, hash: &mut blake3::Hasher) {
        for font in &self.0 {
            hash.update(&font.file);
            font.write(pdf);
        }
    }
}

/// The glyphs of a weight on all pages, and their characters.
fn used_glyphs(pages: &[Vec<Item>], weight: Weight) -> BTreeMap<u16, char> {
    let texts = pages.iter().flatten().filter_map(Item::text).filter(|(of_text, _)| *of_text == weight);
    texts.flat_map(|(_, glyphs)| glyphs.iter().map(|glyph| (glyph.id, glyph.character))).collect()
}

impl<'a> Font<'a> {
    /// Makes the subset of a weight. `used` are its glyphs with their characters, `refs` the numbers of its five objects.
    fn subset(cut: &'a Cut, weight: Weight, used: &BTreeMap<u16, char>, refs: [Ref; 5]) -> Result<Font<'a>, FontError> {
        let mut remapper = GlyphRemapper::new();
        for &glyph in used.keys() {
            remapper.remap(glyph);
        }
        let wrong = |reason: &str| FontError::new(&cut.name, reason);
        let file = subsetter::subset(cut.data, 0, &remapper).map_err(|_| wrong("it cannot be cut down"))?;
        let is_cff = cut.face.tables().glyf.is_none();
        let file = match is_cff {
            true => {
                let whole = ttf_parser::RawFace::parse(&file, 0).map_err(|_| wrong("it cannot be cut down"))?;
                whole.table(ttf_parser::Tag::from_bytes(b"CFF ")).ok_or_else(|| wrong("it has no CFF table"))?.to_vec()
            }
            false => file,
        };
        let mut glyphs = Vec::new();
        for id in remapper.remapped_gids() {
            let units = f64::from(cut.face.glyph_hor_advance(ttf_parser::GlyphId(id)).unwrap_or(0));
            let character = used.get(&id).copied().unwrap_or('\u{fffd}');
            glyphs.push(SubsetGlyph { width: units * 1000.0 / cut.units, character });
        }
        Ok(Font { weight, cut, refs, remapper, glyphs, file, is_cff })
    }

    fn code(&self, glyph: u16) -> u16 {
        self.remapper.get(glyph).unwrap_or(0)
    }

    /// Width in thousandths of the type size.
    fn width(&self, glyph: u16) -> f64 {
        self.glyphs.get(usize::from(self.code(glyph))).map_or(0.0, |glyph| glyph.width)
    }

    /// Writes the five objects of a font: the composite font, its descendant, the descriptor, the file, and the map
    /// from codes to characters.
    fn write(&self, pdf: &mut Pdf) {
        let [object, descendant, descriptor, file, map] = self.refs;
        // Six capitals mark a font as a subset.
        let hash = blake3::hash(&self.file);
        let tag: String = hash.as_bytes()[..6].iter().map(|byte| char::from(b'A' + byte % 26)).collect();
        let name = format!("{tag}+{}", self.cut.name);
        let name = Name(name.as_bytes());
        pdf.type0_font(object)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(descendant)
            .to_unicode(map);
        let mut font = pdf.cid_font(descendant);
        let kind = if self.is_cff { CidFontType::Type0 } else { CidFontType::Type2 };
        font.subtype(kind).base_font(name).system_info(SYSTEM).font_descriptor(descriptor).default_width(0.0);
        if !self.is_cff {
            font.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        font.widths().consecutive(0, self.glyphs.iter().map(|glyph| rounded(glyph.width)));
        font.finish();
        self.write_descriptor(pdf, descriptor, name, file);
        let data = compress(&self.file);
        let mut stream = pdf.stream(file, &data);
        stream.filter(Filter::FlateDecode);
        match self.is_cff {
            true => stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C")),
            false => stream.pair(Name(b"Length1"), self.file.len() as i32),
        };
        stream.finish();
        let mut characters = UnicodeCmap::<u16>::new(Name(b"Custom"), SYSTEM);
        // Glyph 0 is the empty box, which has no character.
        for (code, glyph) in self.glyphs.iter().enumerate().skip(1) {
            characters.pair(code as u16, glyph.character);
        }
        let data = compress(characters.finish().as_slice());
        pdf.stream(map, &data).filter(Filter::FlateDecode);
    }

    /// Writes the descriptor: the measures of the font in thousandths of the type size, and where its file is.
    fn write_descriptor(&self, pdf: &mut Pdf, object: Ref, name: Name<'_>, file: Ref) {
        // PDF asks for the thickness of stems, but only readers without the embedded font use it.
        let stem = [84.0, 104.0, 124.0][self.weight as usize];
        let face = &self.cut.face;
        let round = |units: i16| rounded((f64::from(units) * 1000.0 / self.cut.units).round());
        let bounds = face.global_bounding_box();
        let mut descriptor = pdf.font_descriptor(object);
        descriptor
            .name(name)
            .flags(FontFlags::SYMBOLIC)
            .bbox(Rect::new(round(bounds.x_min), round(bounds.y_min), round(bounds.x_max), round(bounds.y_max)))
            .italic_angle(0.0)
            .ascent(round(face.ascender()))
            .descent(round(face.descender()))
            .cap_height(round(face.capital_height().unwrap_or(0)))
            .stem_v(stem);
        match self.is_cff {
            true => descriptor.font_file3(file),
            false => descriptor.font_file2(file),
        };
    }
}
