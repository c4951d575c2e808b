//! Reads the rules of printers from `printers.toml`, which names the source of each.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::book::trim::{Bleed, Paper, Trim};
use crate::draw::measures::{INCH, Size};
use sudoku_corpus_core::names;

names! { "printer":
    /// Who prints the book.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Printer {
        /// Kindle Direct Publishing, paperback.
        Kdp = "kdp",
        /// Kindle Direct Publishing, hardcover.
        KdpHardcover = "kdp-hardcover",
        /// IngramSpark, paperback.
        Ingram = "ingram",
        /// No one yet: margins and limits are those of Kindle Direct Publishing's paperbacks, and the file has
        /// bookmarks.
        #[default]
        None = "none",
    }
}

/// What a printer asks for. Lengths in inches. The table has the fields of a structure as a list, in their order.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Its name in print.
    pub title: String,
    widths: Limits,
    heights: Limits,
    /// The sizes that it binds; any within the limits if there are none here.
    trims: Vec<Size>,
    /// Sizes beyond the limits that it binds too.
    #[serde(default)]
    more_trims: Vec<Size>,
    /// The first row that fits counts.
    pages: Vec<MostPages>,
    /// The fewest pages that it binds.
    pub least_pages: usize,
    /// The first row that fits counts.
    gutters: Vec<Gutter>,
    margins: Margins,
    bleed: f64,
    /// The thinnest line, in points.
    pub line: f64,
    /// The faintest gray, as a part of black.
    pub ink: f64,
    /// The smallest type, in points.
    pub type_size: f64,
    /// The standards of files, by name; the usual one first.
    pub standards: Vec<String>,
    /// What a file must not have.
    pub forbidden: Vec<String>,
    paper: Thickness,
    /// The cover.
    pub cover: CoverRules,
    /// Where the rules were read.
    pub sources: Vec<Source>,
}

/// The least and the largest length.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Limits {
    least: f64,
    most: f64,
}

impl Limits {
    fn hold(self, length: f64) -> bool {
        length >= self.least - SLACK && length <= self.most + SLACK
    }
}

/// The most pages of sizes up to a width and a height.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct MostPages {
    width: f64,
    height: f64,
    white: usize,
    cream: usize,
}

/// The inside margin of books up to a number of pages.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Gutter {
    most_pages: usize,
    width: f64,
}

/// The least margin at the edges that are not bound.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Margins {
    without_bleed: f64,
    with_bleed: f64,
}

/// The thickness of a page by its paper, and of the cover.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Thickness {
    white: f64,
    cream: f64,
    cover: f64,
}

/// What a printer asks for of a cover. Lengths in inches.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoverRules {
    /// What lies outside the trim: bleed, or the part around the boards.
    pub edge: f64,
    /// The fold beside the spine of a hardcover.
    pub hinge: f64,
    /// How far text is from the trim.
    pub safe: f64,
    /// How far text on the spine is from its folds.
    pub spine_safe: f64,
    /// The fewest pages for text on the spine.
    pub spine_text: usize,
    pub(crate) barcode: Size,
    /// Its distance from the trim and from the spine.
    pub barcode_margin: f64,
}

/// Where rules were read.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Which rules.
    pub rules: String,
    /// The address.
    pub url: String,
    /// The day.
    pub read: toml::value::Datetime,
}

/// The rules of each printer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    kdp: Rules,
    kdp_hardcover: Rules,
    ingram: Rules,
}

/// The table, read at the first call.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let table = toml::from_str(include_str!("printers.toml"));
    table.unwrap_or_else(|error| unreachable!("the table of printers is tested: {error}"))
});

/// Half a point for rounding: A4 is 8.268 in wide.
const SLACK: f64 = 0.5 / INCH;

impl Printer {
    /// Its rules; without a printer, those of Kindle Direct Publishing's paperbacks.
    pub fn rules(self) -> &'static Rules {
        match self {
            Printer::Kdp | Printer::None => &TABLE.kdp,
            Printer::KdpHardcover => &TABLE.kdp_hardcover,
            Printer::Ingram => &TABLE.ingram,
        }
    }

    /// True if it refuses files that have something, such as `bookmarks`.
    pub(crate) fn forbids(self, what: &str) -> bool {
        self != Printer::None && self.rules().forbidden.iter().any(|forbidden| forbidden == what)
    }
}

impl Rules {
    /// True for sizes of pages that it binds.
    pub fn binds(&self, trim: Trim) -> bool {
        let (width, height) = (trim.width / INCH, trim.height / INCH);
        let is_trim =
            |trim: &Size| (width - trim.width).abs() <= 2.0 * SLACK && (height - trim.height).abs() <= 2.0 * SLACK;
        let is_within = self.widths.hold(width) && self.heights.hold(height);
        is_within && (self.trims.is_empty() || self.trims.iter().any(is_trim)) || self.more_trims.iter().any(is_trim)
    }

    /// The sizes of pages that it binds, in words.
    pub fn sizes(&self) -> String {
        let mut sizes = Vec::new();
        if self.trims.is_empty() {
            let (width, height) = (self.widths, self.heights);
            sizes.push(format!("{} to {} by {} to {} in", width.least, width.most, height.least, height.most));
        }
        sizes.extend(self.trims.iter().chain(&self.more_trims).map(|trim| format!("{}x{}", trim.width, trim.height)));
        sizes.join(", ")
    }

    /// The largest number of pages of a trim size on a paper.
    pub(crate) fn most_pages(&self, trim: Trim, paper: Paper) -> usize {
        let (width, height) = (trim.width / INCH, trim.height / INCH);
        let fitting = self.pages.iter().find(|row| width <= row.width + SLACK && height <= row.height + SLACK);
        fitting.or(self.pages.last()).map_or(0, |row| if paper == Paper::White { row.white } else { row.cream })
    }

    /// The narrowest inside margin for a number of pages, in points.
    pub(crate) fn gutter(&self, pages: usize) -> f64 {
        let row = self.gutters.iter().find(|row| pages <= row.most_pages).or(self.gutters.last());
        row.map_or(0.0, |row| row.width * INCH)
    }

    /// The least margin at the three edges that are not bound, in points.
    pub fn margin(&self, has_bleed: bool) -> f64 {
        INCH * if has_bleed { self.margins.with_bleed } else { self.margins.without_bleed }
    }

    /// The bleed at the three edges that are not bound.
    pub fn bleed(&self) -> Bleed {
        Bleed::Outer(self.bleed * INCH)
    }

    /// Thickness of the pages without the cover, in points.
    pub(crate) fn thickness(&self, pages: usize, paper: Paper) -> f64 {
        let page = if paper == Paper::White { self.paper.white } else { self.paper.cream };
        pages as f64 * page * INCH
    }

    /// Width of the spine of the cover, in points: the pages and the boards.
    pub fn spine(&self, pages: usize, paper: Paper) -> f64 {
        self.thickness(pages, paper) + self.paper.cover * INCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::trim::TRIMS;

    #[test]
    fn gutters_are_those_of_the_printers_table() {
        let inches = |printer: Printer, pages: &[usize]| -> Vec<f64> {
            pages.iter().map(|pages| printer.rules().gutter(*pages) / INCH).collect()
        };
        let paperback = inches(Printer::Kdp, &[24, 150, 151, 300, 301, 500, 501, 700, 701, 828]);
        assert_eq!(paperback, [0.375, 0.375, 0.5, 0.5, 0.625, 0.625, 0.75, 0.75, 0.875, 0.875]);
        assert_eq!(inches(Printer::Ingram, &[18, 150, 151, 1200]), [0.5, 0.5, 0.625, 0.875]);
    }

    #[test]
    fn sizes_that_are_not_bound_are_known() {
        let binds = |printer: Printer, text: &str| printer.rules().binds(text.parse().unwrap());
        assert!(TRIMS.iter().all(|trim| Printer::Kdp.rules().binds(*trim)));
        for text in ["3x4", "8.5x14", "12x17", "4x5.5", "9x9"] {
            assert!(!binds(Printer::Kdp, text), "{text}");
        }
        assert!(binds(Printer::KdpHardcover, "6.14x9.21") && !binds(Printer::KdpHardcover, "8x10"));
        assert!(["A5", "A4", "11x8.5", "4x6"].iter().all(|text| binds(Printer::Ingram, text)));
        assert!(["8.5x11.69", "11x8", "12x9"].iter().all(|text| !binds(Printer::Ingram, text)));
    }

    #[test]
    fn page_limits_are_those_of_the_printers_table() {
        let most = |printer: Printer, trim: &str| {
            [Paper::White, Paper::Cream].map(|paper| printer.rules().most_pages(trim.parse().unwrap(), paper))
        };
        for (trim, pages) in [
            ("6x9", [828, 776]),
            ("8x10", [828, 776]),
            ("8.25x8.25", [800, 750]),
            ("8.5x11", [590, 550]),
            ("8.5x8.5", [590, 550]),
            ("A4", [780, 730]),
            ("12x17", [590, 550]),
        ] {
            assert_eq!(most(Printer::None, trim), pages, "{trim}");
        }
        assert_eq!((most(Printer::KdpHardcover, "6x9"), most(Printer::Ingram, "6x9")), ([550, 550], [1200, 1200]));
        assert!((Printer::Kdp.rules().spine(200, Paper::White) / INCH - 0.4504).abs() < 1e-9);
        assert!((Printer::KdpHardcover.rules().spine(200, Paper::White) / INCH - 0.7984).abs() < 1e-9);
    }

    #[test]
    fn every_printer_names_its_sources() {
        for name in Printer::ALL.map(Printer::rules) {
            assert!(name.sources.len() >= 3 && name.sources.iter().all(|source| !source.url.is_empty()));
        }
        assert!(Printer::Kdp.forbids("bookmarks") && !Printer::None.forbids("bookmarks"));
    }
}
