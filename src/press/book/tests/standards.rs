//! The requirements of PDF/X (see `pdf_x`), checked in the bytes of the file.

use super::*;
use crate::book::options::{Answers, Difficulty, Standard};
use crate::book::trim::Bleed;
use crate::words::language::Language;

/// A book with every option that adds something to its pages.
fn file(standard: Standard) -> Vec<u8> {
    let options = Options {
        standard,
        day: Some("2027-01-31".parse().unwrap()),
        bleed: Bleed::All(8.5),
        crop_marks: true,
        shade: true,
        difficulty: Difficulty::Stars,
        answers: Answers::Below,
        ..Options::default()
    };
    make(entries(&["3x3"], 12, 3), &words(), &options).unwrap().data
}

#[test]
fn what_pdf_x_asks_for_is_in_the_file() {
    for (standard, header) in [(Standard::Plain, "%PDF-1.7"), (Standard::X1a, "%PDF-1.3"), (Standard::X4, "%PDF-1.6")] {
        let bytes = file(standard);
        let text = String::from_utf8_lossy(&bytes);
        let name = standard.title();
        assert!(text.starts_with(header), "{name}");
        // Not encrypted, nothing active, nothing transparent, no file outside.
        let wrong = "/Encrypt /Annots /AcroForm /JavaScript /OpenAction /SMask /Group /BM /ExtGState /OPI /EmbeddedFiles \
                     /ObjStm /LZWDecode /DeviceRGB /CalRGB /XObject /ArtBox";
        assert_eq!(wrong.split(' ').chain(["/TR "]).find(|wrong| text.contains(wrong)), None, "{name}");
        // Properties: title, dates, creator, producer, trapped, identifier.
        let is_x = standard != Standard::Plain;
        for (right, is_there) in [
            ("/Title (", true),
            ("/Creator (", true),
            ("/ID [", true),
            ("Date (", is_x),
            ("/CreationDate (D:20270131000000", is_x),
            ("/ModDate (D:20270131000000", is_x),
            ("/Producer (", is_x),
            ("/Trapped /False", is_x),
            ("/OutputIntents [", is_x),
            ("/S /GTS_PDFX", is_x),
            ("/OutputConditionIdentifier (", is_x),
            ("/DestOutputProfile ", is_x),
            ("/Info (", is_x),
            ("/GTS_PDFXVersion (PDF/X-1:2001)", standard == Standard::X1a),
            ("/GTS_PDFXConformance (PDF/X-1a:2001)", standard == Standard::X1a),
        ] {
            assert_eq!(text.contains(right), is_there, "{name}: {right}");
        }
        // Fonts embedded.
        let fonts = text.matches("/FontFile2 ").count();
        assert!(fonts >= 3 && text.matches("/Type /FontDescriptor").count() == fonts, "{name}");
        // Gray only; the profile is one of a printing process.
        let streams = pages::streams(&bytes);
        let drawings = || streams.iter().filter(|data| data.starts_with(b"0 g\n"));
        assert!(drawings().count() >= 24, "{name}");
        for content in drawings().map(|data| String::from_utf8_lossy(data)) {
            let colours = [" rg\n", " RG\n", " k\n", " K\n", " cs\n", " scn\n", " sh\n", " gs\n", " Do\n"];
            assert!(colours.iter().all(|operator| !content.contains(operator)), "{name}");
        }
        assert_eq!(streams.iter().any(|data| data.get(12..20) == Some(b"prtrGRAY".as_slice())), is_x, "{name}");
        // XMP says what the properties say.
        let packet = streams.iter().find(|data| data.starts_with(b"<?xpacket"));
        assert_eq!(packet.is_some(), standard == Standard::X4);
        if let Some(packet) = packet.map(|data| String::from_utf8_lossy(data)) {
            for right in [
                "<pdfxid:GTS_PDFXVersion>PDF/X-4<", "<xmp:CreateDate>2027-01-31T00:00:00Z<", "<pdf:Trapped>False<",
                "Sudoku for Quiet Evenings", "<xmpMM:DocumentID>uuid:", "<xmpMM:RenditionClass>default<", "A. Person",
            ] {
                assert!(packet.contains(right), "{right}");
            }
            quick_xml::Reader::from_str(&packet).read_event().unwrap();
        }
        assert_eq!(file(standard), bytes, "{name}: the same book, other bytes");
    }
}

#[test]
fn only_registered_conditions_name_the_registry() {
    let options = Options { standard: Standard::X4, day: Some("2027-01-31".parse().unwrap()), ..Options::default() };
    let typeface = Typeface::open().unwrap();
    for (condition, registered) in [("Custom", false), ("FOGRA39", true)] {
        let intent = Intent { condition: condition.to_owned(), ..Intent::default() };
        let book = crate::book::make::make(entries(&["3x3"], 2, 1), &words(), &options, &typeface, &intent);
        let pdf = book.unwrap().data;
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains(&format!("/OutputConditionIdentifier ({condition})")));
        assert_eq!(text.contains("/RegistryName (http://www.color.org)"), registered, "{condition}");
    }
}

#[test]
fn the_file_names_its_language() {
    for tag in Language::tags() {
        let mut words = words();
        words.language = Language::named(tag).unwrap();
        let pdf = make(entries(&["3x3"], 2, 1), &words, &Options::default()).unwrap().data;
        assert!(String::from_utf8_lossy(&pdf).contains(&format!("/Lang ({tag})")), "{tag}");
    }
}
