//! The requirements of PDF/X (see `preflight`), checked in the bytes of the file.

use std::io::Read as _;

use super::super::{Bleed, Standard};
use super::*;
use crate::publish::words::Language;

/// A book with every option that adds something to its pages.
fn file(standard: Standard) -> Vec<u8> {
    let options = Options {
        standard,
        day: Some("2027-01-31".parse().unwrap()),
        bleed: Bleed::All(8.5),
        crop_marks: true,
        shade: true,
        difficulty: super::super::Difficulty::Stars,
        answers: super::super::Answers::Below,
        ..Options::default()
    };
    make(entries(&["3x3"], 12, 3), &words(), &options).unwrap().pdf
}

/// The streams of a file, inflated where they are deflated.
fn streams(file: &[u8]) -> Vec<Vec<u8>> {
    let find = |from: usize, wanted: &[u8]| file[from..].windows(wanted.len()).position(|found| found == wanted);
    let (mut at, mut streams) = (0, Vec::new());
    while let Some(start) = find(at, b"stream\n").map(|start| at + start + 7) {
        let end = start + find(start, b"\nendstream").unwrap();
        let mut inflated = Vec::new();
        let deflated = flate2::read::ZlibDecoder::new(&file[start..end]).read_to_end(&mut inflated).is_ok();
        streams.push(if deflated { inflated } else { file[start..end].to_vec() });
        at = end + 10;
    }
    streams
}

fn four(text: &str, name: &str) -> [f64; 4] {
    let rest = text.split(&format!("/{name} [")).nth(1).unwrap_or_else(|| panic!("no {name} in {text}"));
    let numbers = rest.split(']').next().unwrap().split_whitespace().map(|number| number.parse().unwrap());
    numbers.collect::<Vec<f64>>().try_into().unwrap()
}

#[test]
fn what_pdf_x_asks_for_is_in_the_file() {
    for (standard, header) in [(Standard::X1a, "%PDF-1.3"), (Standard::X4, "%PDF-1.6")] {
        let bytes = file(standard);
        let text = String::from_utf8_lossy(&bytes);
        let name = standard.title();
        assert!(text.starts_with(header), "{name}");
        // Not encrypted, nothing active, nothing transparent, no file outside.
        for wrong in [
            "/Encrypt",
            "/Annots",
            "/AcroForm",
            "/JavaScript",
            "/OpenAction",
            "/SMask",
            "/Group",
            "/BM",
            "/TR ",
            "/ExtGState",
            "/OPI",
            "/EmbeddedFiles",
            "/ObjStm",
            "/LZWDecode",
            "/DeviceRGB",
            "/CalRGB",
            "/XObject",
        ] {
            assert!(!text.contains(wrong), "{name}: {wrong}");
        }
        // Properties: title, dates, creator, producer, trapped, identifier.
        for right in [
            "/Title (",
            "/CreationDate (D:20270131000000",
            "/ModDate (D:20270131000000",
            "/Creator (",
            "/Producer (",
            "/Trapped /False",
            "/ID [",
            "/OutputIntents [",
            "/S /GTS_PDFX",
            "/OutputConditionIdentifier (",
            "/DestOutputProfile ",
            "/Info (",
        ] {
            assert!(text.contains(right), "{name}: {right}");
        }
        let version = "/GTS_PDFXVersion (PDF/X-1:2001)";
        assert_eq!(
            text.contains(version) && text.contains("/GTS_PDFXConformance (PDF/X-1a:2001)"),
            standard == Standard::X1a
        );
        // Every page: trim inside bleed inside media.
        let pages: Vec<&str> =
            text.split("/Type /Page\n").skip(1).map(|page| page.split("endobj").next().unwrap()).collect();
        assert!(pages.len() >= 24, "{name}");
        for page in pages {
            let [media, bleed, trim] = ["MediaBox", "BleedBox", "TrimBox"].map(|name| four(page, name));
            let within = |inner: [f64; 4], outer: [f64; 4]| {
                inner[0] >= outer[0] && inner[1] >= outer[1] && inner[2] <= outer[2] && inner[3] <= outer[3]
            };
            assert!(within(trim, bleed) && within(bleed, media) && !page.contains("/ArtBox"), "{name}: {page}");
            assert!((trim[2] - trim[0] - 432.0).abs() < 0.01 && (bleed[0] - trim[0] + 8.5).abs() < 0.01);
        }
        // Fonts embedded.
        assert_eq!(text.matches("/Type /FontDescriptor").count(), text.matches("/FontFile2 ").count(), "{name}");
        assert!(text.matches("/FontFile2 ").count() >= 3, "{name}");
        // Gray only; the profile is one of a printing process.
        let streams = streams(&bytes);
        let drawings = streams.iter().filter(|data| data.starts_with(b"0 g\n"));
        let mut drawn = 0;
        for data in drawings {
            let content = String::from_utf8_lossy(data);
            let colours = [" rg\n", " RG\n", " k\n", " K\n", " cs\n", " scn\n", " gs\n", " Do\n"];
            assert!(colours.iter().all(|operator| !content.contains(operator)), "{name}");
            drawn += 1;
        }
        assert!(drawn >= 24, "{name}: {drawn} pages were looked at");
        assert!(streams.iter().any(|data| data.get(12..20) == Some(b"prtrGRAY".as_slice())), "{name}");
        // XMP says what the properties say.
        let packet =
            streams.iter().find(|data| data.starts_with(b"<?xpacket")).map(|data| String::from_utf8_lossy(data));
        assert_eq!(packet.is_some(), standard == Standard::X4);
        if let Some(packet) = packet {
            for right in [
                "<pdfxid:GTS_PDFXVersion>PDF/X-4<",
                "<xmp:CreateDate>2027-01-31T00:00:00Z<",
                "<pdf:Trapped>False<",
                "Sudoku for Quiet Evenings",
                "<xmpMM:DocumentID>uuid:",
                "<xmpMM:RenditionClass>default<",
                "A. Person",
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
    for (condition, registered) in [("Custom", false), ("FOGRA39", true)] {
        let intent = Intent { condition: condition.to_owned(), ..Intent::default() };
        let typeface = Typeface::open().unwrap();
        let pdf = super::super::make(entries(&["3x3"], 2, 1), &words(), &options, &typeface, &intent, &Own::default())
            .unwrap()
            .pdf;
        let text = String::from_utf8_lossy(&pdf);
        assert!(text.contains(&format!("/OutputConditionIdentifier ({condition})")));
        assert_eq!(text.contains("/RegistryName (http://www.color.org)"), registered, "{condition}");
    }
}

#[test]
fn pdf_x_without_a_date_is_refused_and_the_plain_file_has_none() {
    let options = Options { standard: Standard::X4, ..Options::default() };
    let message = make(entries(&["3x3"], 2, 1), &words(), &options).unwrap_err().to_string();
    assert!(message.contains("PDF/X-4 needs a date"), "{message}");
    let plain = make(entries(&["3x3"], 2, 1), &words(), &Options::default()).unwrap().pdf;
    let text = String::from_utf8_lossy(&plain);
    assert!(text.starts_with("%PDF-1.7") && !text.contains("Date (") && !text.contains("OutputIntent"));
}

#[test]
fn the_file_names_its_language() {
    for tag in Language::tags() {
        let mut words = words();
        words.language = Language::named(tag).unwrap();
        let pdf = make(entries(&["3x3"], 2, 1), &words, &Options::default()).unwrap().pdf;
        assert!(String::from_utf8_lossy(&pdf).contains(&format!("/Lang ({tag})")), "{tag}");
    }
}
