//! Checks a finished PDF file against the rules of a printer, rule by rule: the preflight.

use std::collections::BTreeSet;

use hayro_write::hayro_syntax::Pdf;
use hayro_write::hayro_syntax::object::{Array, Dict};

use crate::publish::book::error::BookError;
use crate::publish::book::finished::marks::{self, PageMarks};
use crate::publish::book::pdf::own::Seen;
use crate::publish::book::printer::{Printer, Rules};
use crate::publish::book::trim::{Paper, Trim};
use crate::publish::draw::measures::{Area, INCH};

/// A rule, and how a file keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its name.
    pub rule: &'static str,
    /// The file keeps it.
    pub is_kept: bool,
    /// What was found. If pages break the rule, the first five of them, counted from 1.
    pub text: String,
}

/// What differs by less, in points, is equal.
const SLACK: f64 = 0.3;
/// The fewest dots per inch of a picture.
const LEAST_DPI: f64 = 300.0;

/// Pages in words, counted from 1: the first five, and how many more there are. `all` counts them from 0.
fn pages(all: &[usize]) -> String {
    let shown: Vec<String> = all.iter().take(5).map(|page| (page + 1).to_string()).collect();
    let more = if all.len() > 5 { format!(" and {} more", all.len() - 5) } else { String::new() };
    format!("{} {}{more}", if all.len() == 1 { "page" } else { "pages" }, shown.join(", "))
}

/// Points as inches, with at most three decimals.
fn inches(points: f64) -> String {
    let text = format!("{:.3}", points / INCH);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Number of pages and size of the trimmed page of a file.
///
/// # Errors
/// [`BookError::Pages`] if it is no PDF file, or has no pages.
pub fn measure(name: &str, data: Vec<u8>) -> Result<(usize, Trim), BookError> {
    let (_, found) = read(name, data)?;
    Ok((found.len(), trim_of(&found)))
}

/// The file and the marks of its pages.
fn read(name: &str, data: Vec<u8>) -> Result<(Pdf, Vec<PageMarks>), BookError> {
    let wrong = |why: &str| BookError::Pages(name.to_owned(), why.to_owned());
    let file = Pdf::new(data).map_err(|_| wrong("it is no PDF file, or it has a password"))?;
    let found = marks::all(&file);
    if found.is_empty() { Err(wrong("it has no pages")) } else { Ok((file, found)) }
}

/// The trim of page 1.
fn trim_of(found: &[PageMarks]) -> Trim {
    let (width, height) = found.first().map_or((0.0, 0.0), |marks| marks.size);
    Trim { name: "", width, height, is_metric: false }
}

/// Checks a file against all rules of a printer.
///
/// # Errors
/// [`BookError::Pages`] if it is no PDF file, or has no pages.
pub fn preflight(name: &str, data: Vec<u8>, printer: Printer, paper: Paper) -> Result<Vec<Finding>, BookError> {
    let is_encrypted = data.windows(8).any(|word| word == b"/Encrypt");
    let (file, found) = read(name, data)?;
    let check =
        Check { rules: printer.rules(), file: &file, found: &found, trim: trim_of(&found), paper, is_encrypted };
    Ok(check.all())
}

/// What the rules are compared with.
struct Check<'a> {
    rules: &'static Rules,
    file: &'a Pdf,
    found: &'a [PageMarks],
    trim: Trim,
    paper: Paper,
    is_encrypted: bool,
}

impl Check<'_> {
    /// The findings of all rules, in the order of the report.
    fn all(&self) -> Vec<Finding> {
        let mut findings = vec![self.trim(), self.pages(), self.bleed()];
        findings.extend(self.margins());
        let Rules { line, ink, type_size, .. } = *self.rules;
        findings.push(self.least("line", "pt", line, 0.005, |marks| marks.line));
        findings.push(self.least("gray", "of black", ink, 0.005, |marks| marks.faint));
        findings.push(self.least("type", "pt", type_size, 0.01, |marks| marks.type_size));
        findings.push(self.least("pictures", "dots per inch", LEAST_DPI, 0.5, |marks| marks.dpi));
        findings.extend(self.objects());
        findings
    }

    /// The pages that break a rule.
    fn breaking(&self, is_broken: impl Fn(usize, &PageMarks) -> bool) -> Vec<usize> {
        (0..self.found.len()).filter(|&at| is_broken(at, &self.found[at])).collect()
    }

    /// The rule of sizes: all pages have the size of page 1, and the printer binds it.
    fn trim(&self) -> Finding {
        let Trim { width, height, .. } = self.trim;
        let near = |one: f64, other: f64| (one - other).abs() <= SLACK;
        let others = self.breaking(|_, marks| !near(marks.size.0, width) || !near(marks.size.1, height));
        let size = format!("{} x {} in", inches(width), inches(height));
        let (is_kept, text) = match (others.is_empty(), self.rules.binds(self.trim)) {
            (true, true) => (true, format!("every page is {size}")),
            (true, false) => (false, format!("{size} is not bound: {}", self.rules.sizes())),
            (false, _) => (false, format!("{} have another size than page 1, {size}", pages(&others))),
        };
        Finding { rule: "trim", is_kept, text }
    }

    /// The rule of the number of pages: even, and within what the printer binds on this paper.
    fn pages(&self) -> Finding {
        let (count, least) = (self.found.len(), self.rules.least_pages);
        let most = self.rules.most_pages(self.trim, self.paper);
        let is_kept = (least..=most).contains(&count) && count.is_multiple_of(2);
        let text = format!("{count}; an even number from {least} to {most} on {} paper", self.paper.name());
        Finding { rule: "pages", is_kept, text }
    }

    /// All pages have no bleed, or that of the printer at the three edges that are not bound.
    fn bleed(&self) -> Finding {
        let (bleed, _) = self.rules.bleed().sides();
        let is = |marks: &PageMarks, wanted: [f64; 4]| {
            marks.bleed.iter().zip(wanted).all(|(one, other)| (one - other).abs() <= SLACK)
        };
        let with =
            |at: usize| if at.is_multiple_of(2) { [0.0, bleed, bleed, bleed] } else { [bleed, 0.0, bleed, bleed] };
        let none = self.breaking(|_, marks| !is(marks, [0.0; 4]));
        let some = self.breaking(|at, marks| !is(marks, with(at)));
        let (is_kept, text) = match (none.is_empty(), some.is_empty()) {
            (true, _) => (true, "none".to_owned()),
            (_, true) => (true, format!("{} in at top, bottom and outside", inches(bleed))),
            _ => {
                let wrong = if none.len() <= some.len() { &none } else { &some };
                (
                    false,
                    format!(
                        "{} have another one; none, or {} in at top, bottom and outside",
                        pages(wrong),
                        inches(bleed)
                    ),
                )
            }
        };
        Finding { rule: "bleed", is_kept, text }
    }

    /// The distance of the ink from the edges: inside, and at the three others. Ink that reaches into the bleed is
    /// meant to, so it breaks no rule.
    fn margins(&self) -> [Finding; 2] {
        let has_bleed = self.found.iter().any(|marks| marks.bleed != [0.0; 4]);
        let distances = |at: usize| {
            let marks = &self.found[at];
            let (Area { x, y, .. }, ink) = (marks.ink?, marks.ink?);
            let (left, right) = (x, marks.size.0 - ink.right());
            let (inside, outside) = if at.is_multiple_of(2) { (left, right) } else { (right, left) };
            Some((inside, outside.min(y).min(marks.size.1 - ink.bottom())))
        };
        let finding = |rule: &'static str, wanted: f64, of: fn((f64, f64)) -> f64| {
            let distance = |at: usize| distances(at).map(of);
            let wrong =
                self.breaking(|at, _| distance(at).is_some_and(|found| found < wanted - SLACK && found > -SLACK));
            let least = (0..self.found.len()).filter_map(distance).fold(f64::INFINITY, f64::min);
            let of_wrong = wrong.iter().filter_map(|&at| distance(at)).fold(f64::INFINITY, f64::min);
            let wanted = inches(wanted);
            match (wrong.is_empty(), least.is_finite()) {
                (true, true) => {
                    Finding { rule, is_kept: true, text: format!("{} in or more; {wanted} asked for", inches(least)) }
                }
                (true, false) => Finding { rule, is_kept: true, text: "all pages are blank".to_owned() },
                _ => {
                    let text = format!("{} in on {}; {wanted} asked for", inches(of_wrong), pages(&wrong));
                    Finding { rule, is_kept: false, text }
                }
            }
        };
        [
            finding("margins", self.rules.margin(has_bleed), |(_, other)| other),
            finding("gutter", self.rules.gutter(self.found.len()), |(inside, _)| inside),
        ]
    }

    /// A measure that has a least value on every page.
    fn least(
        &self,
        rule: &'static str,
        unit: &str,
        wanted: f64,
        slack: f64,
        of: fn(&PageMarks) -> Option<f64>,
    ) -> Finding {
        let least = self.found.iter().filter_map(of).fold(f64::INFINITY, f64::min);
        let wrong = self.breaking(|_, marks| of(marks).is_some_and(|found| found < wanted - slack));
        let text = match (least.is_finite(), wrong.is_empty()) {
            (false, _) => "none".to_owned(),
            (true, true) => format!("{least:.2} {unit} or more; {wanted} asked for"),
            (true, false) => format!("{least:.2} {unit} on {}; {wanted} asked for", pages(&wrong)),
        };
        Finding { rule, is_kept: wrong.is_empty(), text }
    }

    /// What is in the file besides drawings: fonts, and what the printer forbids.
    fn objects(&self) -> Vec<Finding> {
        let mut seen = Seen::default();
        let (mut transparent, mut bare, mut unread) = (Vec::new(), Vec::new(), Vec::new());
        let mut fonts = BTreeSet::new();
        for (at, page) in self.file.pages().iter().enumerate() {
            // An object that several pages use is looked at once, and counts for the first of them.
            let mut of_page = Seen { objects: std::mem::take(&mut seen.objects), ..Seen::default() };
            unread.extend(of_page.page(page).is_none().then_some(at));
            transparent.extend(of_page.transparency.then_some(at));
            bare.extend((!of_page.fonts.is_empty()).then_some(at));
            fonts.extend(of_page.fonts);
            seen.objects = of_page.objects;
        }
        let root = self.file.xref().get::<Dict<'_>>(self.file.xref().root_id()).unwrap_or_default();
        let about = self.file.metadata();
        // A PDF/X file names its output intent. Its metadata are no fault.
        let is_x = root.contains_key("OutputIntents");
        let has_info = [&about.title, &about.author, &about.subject, &about.keywords].iter().any(|text| text.is_some());
        let has_metadata = (has_info || root.contains_key("Metadata")) && !is_x;
        let has_annotations = |at: usize| {
            let page = &self.file.pages()[at];
            page.raw().get::<Array<'_>>("Annots").is_some_and(|all| all.raw_iter().next().is_some())
        };
        let on = |all: &[usize]| (!all.is_empty()).then(|| pages(all));
        let marked = self.breaking(|_, marks| marks.has_crop_marks);
        let annotated = self.breaking(|at, _| has_annotations(at));
        let whole = |is_there: bool| is_there.then(|| "in the file".to_owned());
        let found: [(&'static str, Option<String>); 6] = [
            ("marks", on(&marked)),
            ("bookmarks", whole(root.contains_key("Outlines"))),
            ("metadata", whole(has_metadata)),
            ("annotations", on(&annotated).or_else(|| whole(root.contains_key("AcroForm")))),
            ("transparency", on(&transparent)),
            ("encryption", whole(self.is_encrypted)),
        ];
        let fonts = fonts.into_iter().collect::<Vec<_>>().join(", ");
        let embedded = match on(&bare) {
            Some(pages) => {
                Finding { rule: "fonts", is_kept: false, text: format!("not embedded: {fonts}, on {pages}") }
            }
            None => Finding { rule: "fonts", is_kept: true, text: "all are embedded".to_owned() },
        };
        let forbidden =
            found.into_iter().filter(|(what, _)| self.rules.forbidden.iter().any(|forbidden| forbidden == what));
        let forbidden = forbidden.map(|(rule, there)| Finding {
            rule,
            is_kept: there.is_none(),
            text: there.map_or_else(|| "none".to_owned(), |place| format!("{place}; the printer refuses them")),
        });
        // A printer that takes no plain PDF takes only PDF/X.
        let standard = self.rules.standards.iter().all(|standard| standard != "pdf").then(|| Finding {
            rule: "standard",
            is_kept: is_x,
            text: if is_x { "PDF/X" } else { "no PDF/X file: make it with --standard x1a" }.to_owned(),
        });
        let read = on(&unread).map(|pages| Finding {
            rule: "content",
            is_kept: false,
            text: format!("{pages} cannot be read"),
        });
        std::iter::once(embedded).chain(forbidden).chain(standard).chain(read).collect()
    }
}
