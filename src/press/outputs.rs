//! Tests every output with every rule of a board: the board is refused, or the file tells all of its rules.
//!
//! The readers in this file know nothing of the writers. They rebuild the houses of a board (`Houses`) from what was
//! written: from paths of PDF and SVG, from pixels, and from the JSON of other programs. Rules that are no houses are
//! looked for in words. The tests stand at the end: formats, pictures of steps and hints, and editions of a book.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::book::options::{Entry, Options, Standard};
use crate::book::tests::editions::inflated;
use crate::book::tests::pages::{self, Painted, painted_in_pdf};
use crate::book::tests::{make, words};
use crate::choice::rows::puzzles::Puzzles;
use crate::draw::measures::Area;
use crate::draw::text::typeface::Typeface;
use crate::formats::tests::{chosen, in_link, of_penpa, read, unpacked};
use crate::formats::{FORMATS, Format, Heading, seal};
use crate::picture::steps::{self, drawn, html};
use crate::picture::tests::gray;
use crate::picture::{PictureKind, Style, Told, svg};
use crate::words::{Language, rules_of};
use sudoku_corpus_core::board::rules::DrawnAs;
use sudoku_corpus_core::board::{Cell, Shape, Symmetry, VARIANTS, variants};
use sudoku_corpus_core::generate::jigsaw;
use sudoku_corpus_core::ladder::{self, Ladder, trace};

/// The rules of a board as a reader finds them.
#[derive(Debug, Default, PartialEq)]
struct Houses {
    /// Boxes, or the regions in their place.
    regions: BTreeSet<Vec<u16>>,
    /// Houses that are drawn or listed.
    more: BTreeSet<Vec<u16>>,
}

/// What a board demands, but for rules that have to be said in words.
fn wanted(shape: Shape) -> Houses {
    let n = shape.order();
    let mut regions = vec![Vec::new(); n];
    for cell in 0..n * n {
        regions[shape.box_of(cell / n, cell % n)].push(cell as u16);
    }
    let extras = shape.rules().into_iter().flat_map(|rules| &rules.extras);
    let more = extras.filter(|extra| extra.drawn != DrawnAs::Nothing).map(|extra| extra.cells.clone());
    Houses { regions: regions.into_iter().collect(), more: more.collect() }
}

/// The connected pieces of some cells; two cells side by side are connected unless a line divides them.
fn pieces(mut cells: BTreeSet<u16>, n: usize, divided: impl Fn(u16, u16) -> bool) -> BTreeSet<Vec<u16>> {
    let mut pieces = BTreeSet::new();
    while let Some(first) = cells.pop_first() {
        let (mut piece, mut next) = (vec![first], 0);
        while let Some(&cell) = piece.get(next) {
            let (row, column) = (usize::from(cell) / n, usize::from(cell) % n);
            let sides =
                [(row, column + 1), (row + 1, column), (row, column.wrapping_sub(1)), (row.wrapping_sub(1), column)];
            for (row, column) in sides.into_iter().filter(|(row, column)| *row < n && *column < n) {
                let near = (row * n + column) as u16;
                if !divided(cell.min(near), cell.max(near)) && cells.remove(&near) {
                    piece.push(near);
                }
            }
            next += 1;
        }
        piece.sort_unstable();
        pieces.insert(piece);
    }
    pieces
}

/// The houses of the signs in cells: all cells of a sign, if there are as many as a house has, or each piece of them.
fn houses_of_signs(signs: BTreeMap<&'static str, BTreeSet<u16>>, n: usize) -> BTreeSet<Vec<u16>> {
    let mut houses = BTreeSet::new();
    for cells in signs.into_values() {
        if cells.len() == n {
            houses.insert(cells.into_iter().collect());
        } else {
            houses.extend(pieces(cells, n, |_, _| false));
        }
    }
    houses
}

/// The long diagonal from the upper left corner, or from the upper right one.
fn diagonal(n: usize, is_from_left: bool) -> Vec<u16> {
    (0..n).map(|row| (row * n + if is_from_left { row } else { n - 1 - row }) as u16).collect()
}

fn is_near(length: f64, other: f64) -> bool {
    (length - other).abs() < 0.05
}

fn is_black(painted: &Painted) -> bool {
    painted.gray.is_some_and(|gray| gray < 0.05)
}

fn is_rectangle(painted: &Painted) -> bool {
    painted.corners.len() == 4 && painted.is_closed && !painted.is_curved
}

/// The houses of each board of order `n` in a drawing. A board has a black frame.
fn houses_in(drawing: &[Painted], n: usize) -> Vec<Houses> {
    let mut boards = Vec::new();
    for frame in drawing {
        if let Some(line) = frame.line
            && is_black(frame)
            && is_rectangle(frame)
        {
            boards.push(DrawnBoard { area: frame.area(), line, n }.houses(drawing));
        }
    }
    boards
}

/// A board in a drawing.
struct DrawnBoard {
    area: Area,
    /// The thickness of its frame, and of the lines between its regions.
    line: f64,
    n: usize,
}

impl DrawnBoard {
    /// The length of the side of a cell.
    fn cell_size(&self) -> f64 {
        self.area.width / self.n as f64
    }

    /// The number of the cell at a point.
    fn cell_at(&self, x: f64, y: f64) -> Option<u16> {
        let (row, column) = ((y - self.area.y) / self.cell_size(), (x - self.area.x) / self.cell_size());
        let is_inside = row > 0.0 && column > 0.0 && row < self.n as f64 && column < self.n as f64;
        is_inside.then(|| (row as usize * self.n + column as usize) as u16)
    }

    /// The houses: regions between thick lines, diagonals, and cells with signs.
    fn houses(&self, drawing: &[Painted]) -> Houses {
        let mut walls = BTreeSet::new();
        let mut more = BTreeSet::new();
        let mut signs: BTreeMap<&'static str, BTreeSet<u16>> = BTreeMap::new();
        for painted in drawing {
            let area = painted.area();
            let Some(cell) = self.cell_at(area.x + area.width / 2.0, area.y + area.height / 2.0) else { continue };
            let is_line = painted.line.is_some() && painted.corners.len() == 2;
            if let Some(sign) = self.sign(painted) {
                signs.entry(sign).or_default().insert(cell);
            } else if is_line && has_ink(painted, 0.6) && is_square(&area, self.area.width) {
                let [(start_x, start_y), (end_x, end_y)] = [painted.corners[0], painted.corners[1]];
                more.insert(diagonal(self.n, (start_x < end_x) == (start_y < end_y)));
            } else if is_line && is_black(painted) && painted.line == Some(self.line) {
                walls.extend(self.walls(&area));
            }
        }
        more.extend(houses_of_signs(signs, self.n));
        let cells: BTreeSet<u16> = (0..(self.n * self.n) as u16).collect();
        Houses { regions: pieces(cells, self.n, |cell, neighbor| walls.contains(&(cell, neighbor))), more }
    }

    /// The sign in a cell that a path is, by its ink and size.
    fn sign(&self, painted: &Painted) -> Option<&'static str> {
        let (area, cell_size) = (painted.area(), self.cell_size());
        match painted.line {
            None if has_ink(painted, 0.9) && is_rectangle(painted) && is_square(&area, cell_size) => Some("gray"),
            Some(_) if !has_ink(painted, 0.6) => None,
            Some(_) if painted.is_curved && is_square(&area, cell_size * 0.86) => Some("ring"),
            Some(_) if is_rectangle(painted) && is_square(&area, cell_size * 0.8) => Some("square"),
            Some(_) if painted.corners.len() == 2 && is_square(&area, cell_size * 0.47) => Some("diamond"),
            _ => None,
        }
    }

    /// The pairs of cells that a thick line divides. It is vertical if its area has no width.
    fn walls(&self, line: &Area) -> Vec<(u16, u16)> {
        let half = self.cell_size() / 2.0;
        let mut walls = Vec::new();
        for number in 0..self.n {
            let along = (number as f64 + 0.5) * self.cell_size();
            let is_vertical = line.width < 0.01;
            let (x, y) = if is_vertical { (line.x, self.area.y + along) } else { (self.area.x + along, line.y) };
            if x < line.x || x > line.right() || y < line.y || y > line.bottom() {
                continue;
            }
            let sides = if is_vertical {
                [self.cell_at(x - half, y), self.cell_at(x + half, y)]
            } else {
                [self.cell_at(x, y - half), self.cell_at(x, y + half)]
            };
            if let [Some(before), Some(after)] = sides {
                walls.push((before, after));
            }
        }
        walls
    }
}

/// True for a path of this gray.
fn has_ink(painted: &Painted, gray: f64) -> bool {
    painted.gray.is_some_and(|own_gray| is_near(own_gray, gray))
}

/// True for an area that is as wide and as high as this.
fn is_square(area: &Area, side: f64) -> bool {
    is_near(area.width, side) && is_near(area.height, side)
}

/// The paths of all elements of SVG in a text.
fn painted_in_svg(text: &str) -> Vec<Painted> {
    let element = |element: &str| {
        let attribute =
            |name: &str| element.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        let gray = |colour: &str| {
            let part = |offset: usize| u8::from_str_radix(colour.get(offset..offset + 2)?, 16).ok();
            let [red, green, blue] = [part(1)?, part(3)?, part(5)?];
            (red == green && green == blue).then(|| f64::from(red) / 255.0)
        };
        let data = attribute("d")?;
        let numbers = data
            .split(|letter: char| letter == ' ' || letter.is_ascii_uppercase())
            .filter_map(|text| text.parse().ok());
        let numbers: Vec<f64> = numbers.collect();
        let line = attribute("stroke-width").and_then(|width| width.parse().ok());
        let ink = attribute(if line.is_some() { "stroke" } else { "fill" })?;
        Some(Painted {
            corners: numbers.chunks(2).map(|point| (point[0], point[1])).collect(),
            is_curved: data.contains('C'),
            is_closed: data.ends_with('Z'),
            gray: gray(ink),
            line,
        })
    };
    text.split("<path").skip(1).filter_map(|rest| element(rest.split("/>").next()?)).collect()
}

/// The houses of a board of order `n` that fills a gray PNG.
fn houses_in_png(file: &[u8], n: usize) -> Houses {
    let (width, pixels) = gray(file);
    let box_line = if n > 9 { 1.8 } else { 1.4 } * 300.0 / 72.0;
    let cell = (width as f64 - box_line) / n as f64;
    // The ink at a place of a cell, and some pixels from there: from 0 (black) to 255.
    let pixel = |number: usize, across: f64, down: f64, right: f64, below: f64| {
        let x = box_line / 2.0 + ((number % n) as f64 + across) * cell + right;
        let y = box_line / 2.0 + ((number / n) as f64 + down) * cell + below;
        pixels[(y as usize).min(width - 1) * width + (x as usize).min(width - 1)]
    };
    let ink = |number: usize, across: f64, down: f64| pixel(number, across, down, 0.0, 0.0);
    // True if the darkest pixel near a place is the gray of signs.
    let has_sign = |number: usize, places: &[(f64, f64)]| {
        let reach = (cell * 0.015) as i32;
        let near = |x: f64, y: f64| {
            let steps = (-reach..=reach).flat_map(|right| (-reach..=reach).map(move |below| (right, below)));
            steps.map(|(right, below)| pixel(number, x, y, right.into(), below.into())).min().unwrap()
        };
        places.iter().all(|&(x, y)| (120..190).contains(&near(x, y)))
    };
    let mut signs: BTreeMap<&'static str, BTreeSet<u16>> = BTreeMap::new();
    for number in 0..n * n {
        let cases = [
            ("gray", (220..240).contains(&ink(number, 0.15, 0.07)) && (220..240).contains(&ink(number, 0.85, 0.93))),
            ("ring", has_sign(number, &[(0.852, 0.747), (0.148, 0.253), (0.747, 0.852)])),
            ("square", has_sign(number, &[(0.1, 0.2), (0.9, 0.2), (0.2, 0.1)])),
            ("diamond", has_sign(number, &[(0.641, 0.171), (0.359, 0.829), (0.171, 0.641)])),
        ];
        for (sign, has_sign) in cases {
            if has_sign {
                signs.entry(sign).or_default().insert(number as u16);
            }
        }
    }
    let mut more = houses_of_signs(signs, n);
    for (is_from_left, places) in [(true, [(0.1, 0.1), (0.9, 0.9)]), (false, [(0.9, 0.1), (0.1, 0.9)])] {
        let cells = diagonal(n, is_from_left);
        if cells.iter().all(|&number| has_sign(number.into(), &places)) {
            more.insert(cells);
        }
    }
    // Thin lines are two pixels thick, thick ones six.
    let is_divided = |one: u16, other: u16| {
        let is_black = |step: &i32| match other == one + 1 {
            true => pixel(one.into(), 1.0, 0.15, f64::from(*step), 0.0) < 100,
            false => pixel(one.into(), 0.15, 1.0, 0.0, f64::from(*step)) < 100,
        };
        (-6..=6).filter(is_black).count() > 3
    };
    Houses { regions: pieces((0..(n * n) as u16).collect(), n, is_divided), more }
}

/// Cells by their names, such as R1C2.
fn named(names: &Value, shape: Shape) -> Vec<u16> {
    let cell = |name: &Value| Cell::named(shape, &name.as_str().unwrap().to_lowercase()).unwrap().index() as u16;
    names.as_array().unwrap().iter().map(cell).collect()
}

/// The regions of numbers of cells.
fn regions_of(numbers: &[u64]) -> BTreeSet<Vec<u16>> {
    let mut regions: BTreeMap<u64, Vec<u16>> = BTreeMap::new();
    (0..).zip(numbers).for_each(|(cell, number)| regions.entry(*number).or_default().push(cell));
    regions.into_values().collect()
}

/// The houses in the object of an f-puzzles link.
fn houses_of_f_puzzles(json: &Value, shape: Shape) -> Houses {
    let n = shape.order();
    let cells = json["grid"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
    // The programs know the boxes of a 9x9 board.
    let usual = |cell: usize| (cell / n / 3 * 3 + cell % n / 3) as u64;
    let regions: Vec<u64> =
        cells.enumerate().map(|(number, cell)| cell["region"].as_u64().unwrap_or_else(|| usual(number))).collect();
    let listed = json["extraregion"].as_array().into_iter().flatten().map(|region| named(&region["cells"], shape));
    let diagonals = [("diagonal-", true), ("diagonal+", false)].into_iter().filter(|(key, _)| json[*key] == true);
    let more = listed.chain(diagonals.map(|(_, is_from_left)| diagonal(n, is_from_left))).collect();
    Houses { regions: regions_of(&regions), more }
}

/// The regions in a link to Penpa+, by its lines.
fn houses_of_penpa(link: &str, n: usize) -> Houses {
    let objects: Value = serde_json::from_str(of_penpa(link).split('\n').nth(3).unwrap()).unwrap();
    let width = n as u64 + 4;
    let corner = |row: u64, column: u64| width * width + (row + 1) * width + column + 1;
    let is_divided = |one: u16, other: u16| {
        let (row, column) = (u64::from(other) / n as u64, u64::from(other) % n as u64);
        let to = if other == one + 1 { corner(row + 1, column) } else { corner(row, column + 1) };
        objects["lineE"].get(format!("{},{to}", corner(row, column))).is_some()
    };
    Houses { regions: pieces((0..(n * n) as u16).collect(), n, is_divided), more: BTreeSet::new() }
}

/// The regions of an object of ipuz or of SudokuPad, whose cells are `[column, row]` or `[row, column]`. Zones of ipuz may
/// be rectangles: left, top, right and bottom.
fn listed_regions(regions: &Value, n: usize, is_row_first: bool) -> Houses {
    let cell = |cell: &Value| {
        let [one, other] = [0, 1].map(|index| cell[index].as_u64().unwrap());
        let (row, column) = if is_row_first { (one, other) } else { (other, one) };
        (row * n as u64 + column) as u16
    };
    let region = |zone: &Value| {
        let mut region: Vec<u16> = match zone["rect"].as_array() {
            Some(ends) => {
                let [left, top, right, bottom] = [0, 1, 2, 3].map(|index| ends[index].as_u64().unwrap());
                (top..=bottom)
                    .flat_map(|row| (left..=right).map(move |column| (row * n as u64 + column) as u16))
                    .collect()
            }
            None => if zone.is_array() { zone } else { &zone["cells"] }.as_array().unwrap().iter().map(cell).collect(),
        };
        region.sort_unstable();
        region
    };
    Houses { regions: regions.as_array().unwrap().iter().map(region).collect(), more: BTreeSet::new() }
}

/// Letters and figures: what is left of a text however it is broken and marked up.
fn squeezed(text: &str) -> String {
    text.replace("&apos;", "'").chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// True if a text says the rules of all variants of a board.
fn says_rules(text: &str, shape: Shape) -> bool {
    let (text, english) = (squeezed(text), Language::default());
    variants::of(shape).all(|variant| text.contains(&squeezed(english.variant(variant.name))))
}

/// Checks all boards of a drawing: there is one at least, and each shows the houses.
fn assert_drawn(drawing: &[Painted], shape: Shape, what: &str) {
    let boards = houses_in(drawing, shape.order());
    assert!(!boards.is_empty(), "{what} {shape}: no board");
    boards.iter().for_each(|houses| assert_eq!(*houses, wanted(shape), "{what} {shape}"));
}

/// Boards with every variant, and with mixtures of them; regions in several pieces; more houses than there are signs.
fn boards() -> Vec<Shape> {
    let more = [
        "2x3",
        "3x2",
        "3x4",
        "4x4",
        "3x3+windoku+asterisk",
        "3x3+windoku+centre-dot+x",
        "3x3+asterisk+girandola+centre-dot",
        "3x3+anti-knight+anti-king",
        "2x3+disjoint",
        "2x3+x",
        "3x3+x+anti-king",
        "2x2+extra:r1c1r2c3r3c4r4c2+extra:r1c2r2c4r3c3r4c1",
        "3x3+extra:r1c1r1c2r1c3r2c4r2c5r2c6r3c7r3c8r3c9+extra:r9c1r8c2r7c3r6c4r5c5r4c6r3c7r2c8r1c9",
        "4+jigsaw:AAABCABBCCDBCDDD",
        "4+jigsaw:ABABCDCDABABCDCD",
    ];
    let named = VARIANTS.iter().map(|variant| Shape::NINE.with(variant.name).unwrap());
    let jigsaws =
        ["9+jigsaw+x", "9+jigsaw+anti-king"].map(|text| jigsaw(text.parse().unwrap(), Symmetry::None, 1, 0).unwrap());
    named.chain(more.map(|text| text.parse().unwrap())).chain(jigsaws).collect()
}

#[test]
fn no_format_loses_a_rule() {
    let (mut refused, mut written) = (0, 0);
    for shape in boards() {
        let one = chosen(shape, 3);
        let (n, puzzle) = (shape.order(), one.puzzle().unwrap());
        for info in &FORMATS {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(format!("one{}", info.ends[0]));
            let rows = Puzzles::of(folder.path(), [one.clone()]);
            let sealed = seal(&path, info.format, &rows, &Heading::default());
            assert_eq!(sealed.is_ok(), (info.holds)(shape), "{} {shape}", info.name);
            match sealed {
                Ok(sealed) => sealed.publish().unwrap(),
                Err(error) => {
                    let said = error.to_string();
                    assert!(
                        said.contains("cannot hold puzzles of the") && !path.exists(),
                        "{} {shape}: {said}",
                        info.name
                    );
                    refused += 1;
                    continue;
                }
            }
            written += 1;
            let bytes = fs::read(&path).unwrap();
            let text = || String::from_utf8_lossy(&bytes);
            let houses = match info.format {
                Format::Picture(PictureKind::Png) => Some(houses_in_png(&bytes, n)),
                Format::Picture(PictureKind::Pdf) => {
                    assert_drawn(&painted_in_pdf(&bytes).concat(), shape, info.name);
                    None
                }
                Format::Picture(kind) => {
                    assert_drawn(&painted_in_svg(&text()), shape, info.name);
                    assert!(kind != PictureKind::Html || says_rules(&text(), shape), "{shape}: {}", text());
                    None
                }
                Format::FPuzzles => {
                    let json = in_link(&text());
                    assert!(says_rules(json["ruleset"].as_str().unwrap_or_default(), shape), "{shape}: {json}");
                    for (variant, key) in
                        [("anti-knight", "antiknight"), ("anti-king", "antiking"), ("disjoint", "disjointgroups")]
                    {
                        assert_eq!(json[key] == true, variants::of(shape).any(|info| info.name == variant), "{shape}");
                    }
                    Some(houses_of_f_puzzles(&json, shape))
                }
                Format::SudokuPad if shape == shape.plain() => {
                    Some(listed_regions(&unpacked(&text(), "https://sudokupad.app/scl")["regions"], n, true))
                }
                Format::SudokuPad => {
                    Some(houses_of_f_puzzles(&unpacked(&text(), "https://sudokupad.app/fpuzzles"), shape))
                }
                Format::Penpa => Some(houses_of_penpa(&text(), n)),
                Format::Ipuz if shape.regions().is_some() || !shape.is_square() => {
                    Some(listed_regions(&serde_json::from_str::<Value>(&text()).unwrap()["zones"], n, false))
                }
                Format::Sqlite => {
                    assert!(text().contains(&shape.to_string()), "{shape}");
                    None
                }
                _ => None,
            };
            if let Some(houses) = houses {
                assert_eq!(houses, wanted(shape), "{} {shape}", info.name);
            }
            // What the program reads itself.
            if !matches!(info.format, Format::Picture(_) | Format::Sqlite | Format::Penpa) {
                // Lines and files of ipuz do not name the sides of boxes.
                let is_unnamed = matches!(info.format, Format::Lines | Format::Ipuz);
                let back = read(&path, is_unnamed.then_some(shape));
                assert_eq!(back[0].puzzle.as_ref(), Some(&puzzle), "{} {shape}", info.name);
            }
        }
    }
    assert!(refused > 100 && written > 150, "{refused} refused, {written} written");
}

/// The pictures of `solve` and `hint`, which ask [`Told`] before they draw.
#[test]
fn no_picture_of_steps_or_hints_loses_a_rule() {
    let (typeface, style) = (Typeface::open().unwrap(), Style::default());
    for shape in boards() {
        let puzzle = chosen(shape, 3).puzzle().unwrap();
        let all = trace(&puzzle, &Ladder::default()).steps;
        let first = &all[..all.len().min(3)];
        if Told::Drawing.holds(shape).is_ok() {
            let hint = ladder::hint(&puzzle, None).unwrap();
            let drawing = steps::hint(&typeface, &puzzle, &hint, None, &style);
            assert_drawn(&painted_in_svg(&svg(&typeface, &drawing)), shape, "hint");
        }
        if Told::DrawingAndWords.holds(shape).is_ok() {
            let rules = rules_of(shape, &Language::default(), Default::default());
            let page = html(&typeface, "t", &rules, &drawn(&typeface, &puzzle, first, &style), "end");
            assert!(says_rules(&page, shape), "{shape}");
        }
    }
    assert!(Told::Drawing.holds("3x3+disjoint".parse().unwrap()).is_err());
}

/// Every edition of a book: the rules in words, and the houses in each drawing of a board.
#[test]
fn no_edition_loses_a_rule() {
    for shape in boards() {
        let row = chosen(shape, 3).record();
        let entry = Entry::new(row.puzzle.unwrap(), row.solution.unwrap(), Some(0));
        for standard in [Standard::Plain, Standard::X1a, Standard::X4, Standard::Screen, Standard::Epub, Standard::Play]
        {
            let options = Options { standard, day: Some("2027-01-31".parse().unwrap()), ..Options::default() };
            let made = make(vec![entry.clone()], &words(), &options);
            let what = format!("{standard:?}");
            let book = match (made, Told::DrawingAndWords.holds(shape)) {
                (Ok(book), Ok(())) => book,
                (Err(error), Err(reason)) => {
                    assert!(error.to_string().contains(&reason.0), "{error}");
                    continue;
                }
                (made, _) => panic!("{what} {shape}: made {}", made.is_ok()),
            };
            let text = match standard {
                Standard::Epub => {
                    let archive = rawzip::ZipArchive::from_slice(&book.data).unwrap();
                    let pages = (1..=book.pages).map(|page| inflated(&archive, &format!("book/page-{page:04}.xhtml")));
                    let pages: Vec<String> = pages.map(|page| String::from_utf8(page).unwrap()).collect();
                    let boards = pages.iter().map(|page| painted_in_svg(page));
                    boards
                        .filter(|page| !houses_in(page, 1).is_empty())
                        .for_each(|page| assert_drawn(&page, shape, &what));
                    pages.concat().split(['<', '>']).skip(2).step_by(2).collect()
                }
                Standard::Play => {
                    let page = String::from_utf8(book.data).unwrap().replace("\\\"", "\"");
                    assert_drawn(&painted_in_svg(&page), shape, &what);
                    page
                }
                _ => {
                    let pages = painted_in_pdf(&book.data).into_iter();
                    pages
                        .filter(|page| !houses_in(page, 1).is_empty())
                        .for_each(|page| assert_drawn(&page, shape, &what));
                    let runs = pages::read(&book.data, &Typeface::open().unwrap());
                    runs.iter().flat_map(|page| &page.runs).map(|run| run.text.as_str()).collect()
                }
            };
            assert!(says_rules(&text, shape), "{shape}, {what}");
        }
    }
}
