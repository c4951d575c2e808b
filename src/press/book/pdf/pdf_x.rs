//! PDF/X-1a:2001 and PDF/X-4: the metadata that a file must have so that a printer can accept it without checks.
//!
//! The table follows public descriptions of ISO 15930-1 and 15930-7. The standards themselves were not available.
//!
//! | requirement | how it is met |
//! |---|---|
//! | version 1.3 (X-1a), 1.6 (X-4) | header |
//! | `GTS_PDFXVersion`, `GTS_PDFXConformance` | properties (X-1a), XMP (X-4) |
//! | title, dates, creator, producer, `Trapped` | properties; XMP says the same (X-4) |
//! | output intent with its profile | a gray profile made here, or the printer's own |
//! | boxes: trim inside bleed inside media | every page |
//! | fonts embedded; CMYK or gray only | all fonts are embedded; the book uses gray only |
//! | no transparency, encryption, annotations, scripts | the book has none |
//!
//! The profile describes black ink on uncoated paper: a dot of 50 % prints as 70 % (dot gain 20 %).

use pdf_writer::types::{OutputIntentSubtype, TrappingStatus};
use pdf_writer::{Date, Filter, Finish as _, Name, Pdf, Ref, Str, TextStr};
use quick_xml::escape::partial_escape;

use crate::book::options::Standard;
use crate::book::text::wording::Wording;
use crate::calendar::series::Day;
use crate::draw::encoding::compress;
use sudoku_corpus_core::board::Reason;
use sudoku_corpus_core::page::numbers::counted;

/// The name of a printing condition that no registry lists.
const CUSTOM: &str = "Custom";

/// The printing condition of a PDF/X file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// Name of the printing condition: a name of the ICC's registry, or `Custom`.
    pub condition: String,
    /// The ICC profile.
    pub profile: Vec<u8>,
}

impl Default for Intent {
    fn default() -> Intent {
        Intent { condition: CUSTOM.to_owned(), profile: gray_profile() }
    }
}

impl Intent {
    /// The intent of a printer's profile.
    ///
    /// # Errors
    /// It is no ICC profile, or not one of a printing process in black or in four colors.
    pub fn of(condition: &str, profile: Vec<u8>) -> Result<Intent, Reason> {
        if word(&profile, SIGNATURE) != *b"acsp" {
            return Err(Reason("it is no ICC profile".to_owned()));
        }
        check_tags(&profile)?;
        let [class, colors] =
            [CLASS, COLORS].map(|offset| String::from_utf8_lossy(&word(&profile, offset)).into_owned());
        if class != "prtr" {
            return Err(Reason(format!("it is no profile of a printing process (class '{class}', not 'prtr')")));
        }
        if colors != "GRAY" && colors != "CMYK" {
            return Err(Reason(format!("its colors are '{colors}'; GRAY or CMYK are wanted")));
        }
        Ok(Intent { condition: condition.to_owned(), profile })
    }

    fn components(&self) -> i32 {
        if word(&self.profile, COLORS) == *b"CMYK" { 4 } else { 1 }
    }

    /// Writes the profile.
    pub fn write(&self, pdf: &mut Pdf, object: Ref) {
        let data = compress(&self.profile);
        pdf.stream(object, &data).filter(Filter::FlateDecode).pair(Name(b"N"), self.components());
    }

    pub(crate) fn refer(&self, catalog: &mut pdf_writer::writers::Catalog<'_>, profile: Ref) {
        let mut intents = catalog.output_intents();
        let mut intent = intents.push();
        intent.subtype(OutputIntentSubtype::PDFX);
        intent.output_condition_identifier(TextStr(&self.condition));
        // Only names of the registry are looked up there.
        if self.condition != CUSTOM {
            intent.registry_name(TextStr("http://www.color.org"));
        }
        let info = if self.condition == CUSTOM { "Black ink on uncoated paper" } else { &self.condition };
        intent.info(TextStr(info)).dest_output_profile(profile);
    }
}

/// Where an ICC profile has its parts, in bytes. Names and numbers have four bytes.
///
/// ```text
///   byte 0                12     16      36      128     132
///   size of the file  ..  class  colors  "acsp"  count   name start length | name start length | ..     tags
/// ```
const CLASS: usize = 12;
const COLORS: usize = 16;
const SIGNATURE: usize = 36;
const TAG_COUNT: usize = 128;
const TAG_TABLE: usize = 132;
const TAG_ENTRY: usize = 12;

/// A name or a number of a profile, by its place. Zeros if the profile is too short.
fn word(profile: &[u8], offset: usize) -> [u8; 4] {
    profile.get(offset..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default()
}

/// Refuses a profile that is cut off or damaged: its header has the size of the file, and every tag of its table lies
/// behind the table and in the file.
fn check_tags(profile: &[u8]) -> Result<(), Reason> {
    let number = |offset: usize| u64::from(u32::from_be_bytes(word(profile, offset)));
    let (size, named) = (profile.len() as u64, number(0));
    if named != size {
        let bytes = counted(size, "byte");
        return Err(Reason(format!("it is cut off or damaged: it has {bytes}, and its header says {named}")));
    }
    let count = number(TAG_COUNT);
    let first_tag = TAG_TABLE as u64 + TAG_ENTRY as u64 * count;
    let lies_in_file = |tag: u64| {
        let entry = TAG_TABLE + TAG_ENTRY * tag as usize;
        let (start, length) = (number(entry + 4), number(entry + 8));
        start >= first_tag && start + length <= size
    };
    if count == 0 || first_tag > size || !(0..count).all(lies_in_file) {
        return Err(Reason("it is damaged: its table of tags does not fit the file".to_owned()));
    }
    Ok(())
}

/// Writes the properties of a PDF/X file besides title and author.
pub(crate) fn write_properties(about: &mut pdf_writer::writers::DocumentInfo<'_>, standard: Standard, day: Day) {
    let date = Date::new(day.year).month(day.month).day(day.day).hour(0).minute(0).second(0).utc_offset_hour(0);
    about.creation_date(date).modified_date(date).trapped(TrappingStatus::NotTrapped);
    if standard == Standard::X1a {
        about.pair(Name(b"GTS_PDFXVersion"), Str(b"PDF/X-1:2001"));
        about.pair(Name(b"GTS_PDFXConformance"), Str(b"PDF/X-1a:2001"));
    }
}

/// Writes the XMP packet of a PDF/X-4 file. It says the same as the properties.
pub(crate) fn write_metadata(pdf: &mut Pdf, object: Ref, words: &Wording, producer: &str, day: Day, id: &[u8]) {
    let (title, producer) = (partial_escape(&words.title), partial_escape(producer));
    let creator = words.author.as_deref().map(partial_escape).map_or(String::new(), |author| {
        format!("<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>\n")
    });
    let date = format!("{day}T00:00:00Z");
    let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let packet = format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n\
         <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n\
         <rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" \
         xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:xmpMM=\"http://ns.adobe.com/xap/1.0/mm/\" \
         xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\" xmlns:pdfxid=\"http://www.npes.org/pdfx/ns/id/\">\n\
         <dc:format>application/pdf</dc:format>\n\
         <dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">{title}</rdf:li></rdf:Alt></dc:title>\n{creator}\
         <xmp:CreateDate>{date}</xmp:CreateDate>\n<xmp:ModifyDate>{date}</xmp:ModifyDate>\n\
         <xmp:MetadataDate>{date}</xmp:MetadataDate>\n<xmp:CreatorTool>{producer}</xmp:CreatorTool>\n\
         <xmpMM:DocumentID>uuid:{id}</xmpMM:DocumentID>\n<xmpMM:RenditionClass>default</xmpMM:RenditionClass>\n\
         <xmpMM:VersionID>1</xmpMM:VersionID>\n\
         <pdf:Producer>{producer}</pdf:Producer>\n<pdf:Trapped>False</pdf:Trapped>\n\
         <pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>\n\
         </rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>"
    );
    pdf.metadata(object, packet.as_bytes()).finish();
}

/// An ICC profile, version 2, of one ink: ICC.1:2001-04, 6.3.3.1, monochrome output profiles.
fn gray_profile() -> Vec<u8> {
    // D50, the white of the ICC's color space.
    let white = [0.9642_f64, 1.0, 0.8249].map(|value| ((value * 65_536.0).round() as i32).to_be_bytes()).concat();
    let name = b"Black on uncoated paper, dot gain 20%\0";
    let mut description = [b"desc\0\0\0\0".as_slice(), &(name.len() as u32).to_be_bytes(), name].concat();
    // No name in Unicode (language, length) and none for Macintosh (code, length, 67 characters).
    description.extend([0; 4 + 4 + 2 + 1 + 67]);
    let copyright = b"text\0\0\0\0No copyright, use freely\0".to_vec();
    let white_point = [b"XYZ \0\0\0\0".as_slice(), &white].concat();
    let mut curve = [b"curv\0\0\0\0".as_slice(), &256_u32.to_be_bytes()].concat();
    for level in 0..256_u16 {
        let ink = 1.0 - f64::from(level) / 255.0;
        let printed = ink + 0.8 * ink * (1.0 - ink);
        curve.extend((((1.0 - printed) * 65_535.0).round() as u16).to_be_bytes());
    }
    let tags = [(b"desc", description), (b"cprt", copyright), (b"wtpt", white_point), (b"kTRC", curve)];
    let mut table = (tags.len() as u32).to_be_bytes().to_vec();
    let mut data = Vec::new();
    let first_tag = TAG_TABLE + TAG_ENTRY * tags.len();
    for (sign, mut tag) in tags {
        table.extend(sign.as_slice());
        table.extend(((first_tag + data.len()) as u32).to_be_bytes());
        table.extend((tag.len() as u32).to_be_bytes());
        // Every tag begins at a multiple of four bytes.
        tag.resize(tag.len().next_multiple_of(4), 0);
        data.extend(tag);
    }
    let mut header = ((first_tag + data.len()) as u32).to_be_bytes().to_vec();
    // No program, version 2.4, class, colors, and the space to which they are converted.
    header.extend(b"\0\0\0\0\x02\x40\0\0prtrGRAYXYZ ");
    // A date that never changes: 1 January 2026.
    header.extend([2026_u16, 1, 1, 0, 0, 0].into_iter().flat_map(u16::to_be_bytes));
    header.extend(b"acsp");
    // The white of the paper stands at byte 68, and all else is 0.
    header.resize(68, 0);
    header.extend(&white);
    header.resize(TAG_COUNT, 0);
    [header, table, data].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_well_formed() {
        let profile = gray_profile();
        let number = |offset: usize| u32::from_be_bytes(profile[offset..offset + 4].try_into().unwrap()) as usize;
        assert_eq!(number(0), profile.len());
        for tag in 0..number(TAG_COUNT) {
            let entry = TAG_TABLE + TAG_ENTRY * tag;
            let (offset, length) = (number(entry + 4), number(entry + 8));
            assert!(offset.is_multiple_of(4) && offset + length <= profile.len());
        }
        // Paper is white, ink is black, and half of the ink prints as 70 %.
        let curve = number(TAG_TABLE + 3 * TAG_ENTRY + 4) + 12;
        let light = |sample: usize| {
            f64::from(u16::from_be_bytes(profile[curve + 2 * sample..][..2].try_into().unwrap())) / 65_535.0
        };
        assert_eq!([light(0), light(255)], [0.0, 1.0]);
        assert!((light(127) - 0.3).abs() < 0.01);
        assert!(Intent::of("Custom", profile.clone()).is_ok());
    }

    #[test]
    fn profiles_that_do_not_print_are_refused() {
        let message = |profile: Vec<u8>| Intent::of("x", profile).unwrap_err().to_string();
        assert_eq!(message(Vec::new()), "it is no ICC profile");
        // Cut anywhere, or with one byte of its size or of its table changed, it is refused.
        let sound = gray_profile();
        for end in 0..sound.len() {
            assert!(Intent::of("x", sound[..end].to_vec()).is_err(), "{end} bytes");
        }
        let starts = (0..4).map(|tag| TAG_TABLE + TAG_ENTRY * tag + 4).flat_map(|start| start..start + 2);
        for place in (0..4).chain(TAG_COUNT..TAG_TABLE).chain(starts) {
            let mut changed = sound.clone();
            changed[place] ^= 0x40;
            assert!(Intent::of("x", changed).is_err(), "byte {place}");
        }
        assert!(message([sound, vec![0]].concat()).contains("its header says"));
        let mut screen = gray_profile();
        screen[CLASS..][..4].copy_from_slice(b"mntr");
        assert!(message(screen).contains("class 'mntr'"));
        let mut colors = gray_profile();
        colors[COLORS..][..4].copy_from_slice(b"RGB ");
        assert!(message(colors).contains("'RGB '"));
    }
}
