use super::*;
use crate::book::tests::output_of;
use crate::draw::canvas::Item;
use crate::draw::symbols::{Numerals, Symbols};
use crate::draw::text::typeface::Typeface;
use sudoku_corpus_core::board::{Grid, Puzzle, Shape, text};
use sudoku_corpus_core::ladder::{Ladder, trace};

const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn grid(line: &str) -> Grid {
    text::parse_line(line, None).unwrap()
}

fn drawing(line: &str, style: &Style) -> Drawing {
    board(&Typeface::open().unwrap(), &Subject::of(&grid(line)), style)
}

/// The width and the pixels of a gray PNG.
pub(crate) fn gray(file: &[u8]) -> (usize, Vec<u8>) {
    assert!(file.starts_with(b"\x89PNG\r\n\x1a\n") && file[25] == 0, "gray");
    let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let (width, start) = (number(16), file.windows(4).position(|name| name == b"IDAT").unwrap());
    let mut lines = Vec::new();
    let data = &file[start + 4..start + 4 + number(start - 4)];
    std::io::Read::read_to_end(&mut flate2::read::ZlibDecoder::new(data), &mut lines).unwrap();
    (width, lines.chunks(width + 1).flat_map(|line| line[1..].to_vec()).collect())
}

#[test]
fn an_svg_holds_paths_alone_in_its_size() {
    let typeface = Typeface::open().unwrap();
    let text = svg(&typeface, &drawing(PUZZLE, &Style::default()));
    assert!(text.contains("width=\"70mm\" height=\"70mm\" viewBox=\"0 0 198.425 198.425\""), "{}", &text[..300]);
    assert!(!text.contains("<text") && !text.contains("font"));
    // Background, 16 lines, frame, and the digits in one path.
    assert_eq!(text.matches("<path").count(), 1 + 16 + 1 + 1);
    assert_eq!(text.matches("stroke-width=\"1.4\"").count(), 4 + 1);
    // All coordinates are inside the picture.
    for number in
        text.split("d=\"").skip(1).flat_map(|rest| rest.split('"').next().unwrap().split([' ', 'M', 'L', 'C', 'Z']))
    {
        if let Ok(value) = number.parse::<f64>() {
            assert!((-0.001..=198.43).contains(&value), "{value}");
        }
    }
}

#[test]
fn captions_keep_every_word_inside_the_picture() {
    let typeface = Typeface::open().unwrap();
    let (day, level) = ("No. 107, 4. September 2027", "Außerordentlich leichte Anfängerrätsel für den Nachmittag");
    let of = |left: &str, right: &str, size: f64| {
        let grid = grid(PUZZLE);
        let caption = Caption { left: left.to_owned(), right: right.to_owned() };
        let subject = Subject { caption, ..Subject::of(&grid) };
        board(&typeface, &subject, &Style { size, ..Style::default() })
    };
    for (left, right) in [(day, level), (level, day), ("7", level), (day, ""), ("", level)] {
        for size in [100.0, 150.0, 200.0, 400.0] {
            let drawing = of(left, right, size);
            let mut said = String::new();
            // The caption is drawn first.
            for item in drawing.items.iter().take_while(|item| matches!(item, Item::Text { .. })) {
                let Item::Text { weight, size, glyphs, .. } = item else { continue };
                said.extend(glyphs.iter().map(|glyph| glyph.character));
                for glyph in glyphs {
                    let right = glyph.x + typeface.advance(*weight, *size, glyph.character);
                    assert!(glyph.x > -0.01 && right < drawing.width + 0.01, "{said} at {size}");
                    assert!(glyph.y - size * 0.7 > -0.01 && glyph.y < drawing.height - size, "{said} at {size}");
                }
            }
            let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            assert_eq!(plain(&said), plain(&format!("{left}{right}")), "{size}");
        }
    }
    // Six lines are too many.
    let endless = of(&"word ".repeat(99), "", 100.0);
    let Item::Text { glyphs, .. } = &endless.items[0] else { panic!("no caption") };
    assert_eq!(glyphs.last().map(|glyph| glyph.character), Some('…'));
}

/// What [`captions_keep_every_word_inside_the_picture`] cuts is refused before; so is a symbol that nobody could read.
#[test]
fn texts_that_do_not_fit_are_refused() {
    let typeface = Typeface::open().unwrap();
    let style = |size: f64, symbols: &str| Style { size, symbols: symbols.parse().unwrap(), ..Style::default() };
    let caption = |left: &str| {
        let caption = Caption { left: left.to_owned(), ..Caption::default() };
        style(100.0, "usual").check_caption(&typeface, Shape::NINE, &caption)
    };
    assert_eq!((caption("No. 7"), caption("")), (Ok(()), Ok(())));
    assert!(caption(&"word ".repeat(99)).unwrap_err().starts_with("the caption 'word word "));
    let four = Shape::of_order(4).unwrap();
    let length = |size: f64, symbols: &str| style(size, symbols).check_length(&typeface, four);
    for (size, symbols) in [(200.0, "red,green,blue,yellow"), (10.0, "usual"), (10.0, "STAR"), (10.0, "numbers")] {
        assert_eq!(length(size, symbols), Ok(()), "{symbols}");
    }
    let endless = format!("a,b,c,{}", "d".repeat(60));
    let error = length(200.0, &endless).unwrap_err();
    assert!(error.contains("dd' is too long") && error.contains("4 pt is the least"), "{error}");
    // A fifth symbol is not on the board.
    assert_eq!(length(200.0, &format!("a,b,c,d,{}", "e".repeat(60))), Ok(()));
}

#[test]
fn every_kind_of_picture_holds_every_size_of_board() {
    let typeface = Typeface::open().unwrap();
    let style = Style { dpi: 72.0, ..Style::default() };
    for shape in Shape::all(36) {
        let n = shape.order();
        let grid = Grid::new(shape, (0..n * n).map(|at| (at % (n + 1)) as u16).collect()).unwrap();
        for symbols in [Symbols::USUAL, Symbols::Known(Numerals::Numbers)] {
            let drawing = board(&typeface, &Subject::of(&grid), &Style { symbols, ..style.clone() });
            assert!((drawing.width, drawing.height) == (style.size, style.size));
            let (width, pixels) = gray(&png(&typeface, &drawing, 72.0).unwrap());
            assert_eq!((width, pixels.len()), (198, 198 * 198), "{shape}");
        }
    }
    let huge = Style { dpi: 1e6, ..style };
    assert!(png(&typeface, &drawing(PUZZLE, &huge), 1e6).unwrap_err().to_string().contains("10000"));
}

#[test]
fn raster_and_paths_show_the_digits_where_they_belong() {
    let typeface = Typeface::open().unwrap();
    let grid = grid(PUZZLE);
    let file = png(&typeface, &drawing(PUZZLE, &Style::default()), 72.0).unwrap();
    let (_, pixels) = gray(&file);
    let cell = (198.425 - 1.4) / 9.0;
    for (at, &value) in grid.values().iter().enumerate() {
        // The middle of a cell, without its lines, has ink only if the cell has a digit.
        let (x, y) = (0.7 + (at % 9) as f64 * cell, 0.7 + (at / 9) as f64 * cell);
        let inner = |from: f64| (from + cell * 0.2) as usize..(from + cell * 0.8) as usize;
        let dark = inner(y).flat_map(|row| inner(x).map(move |column| row * 198 + column)).any(|at| pixels[at] < 100);
        assert_eq!(dark, value != 0, "cell {at}");
    }
}

#[test]
fn pdf_is_read_by_other_programs() {
    let typeface = Typeface::open().unwrap();
    let drawing = drawing(PUZZLE, &Style { shade: true, ..Style::default() });
    let file = pdf(&typeface, &[drawing.clone(), drawing.clone()]);
    let checked = output_of("qpdf", &["--check", "FILE"], &file);
    assert!(checked.is_none_or(|said| said.contains("No syntax or stream encoding errors")));
    let about = output_of("pdfinfo", &["FILE"], &file);
    assert!(about.is_none_or(|said| said.contains("Pages:") && said.contains("198.425 x 198.425 pts")));
    let fonts = output_of("pdffonts", &["FILE"], &file);
    assert!(fonts.is_none_or(|said| said.lines().count() == 2));
}

#[test]
fn steps_are_drawn_one_after_the_other_to_the_solution() {
    let typeface = Typeface::open().unwrap();
    let hard = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
    for line in [PUZZLE, hard] {
        let puzzle = Puzzle::try_from(grid(line)).unwrap();
        let trace = trace(&puzzle, &Ladder::default());
        let drawn = steps::drawn(&typeface, &puzzle, &trace.steps, &Style::default());
        assert_eq!(drawn.len(), trace.steps.len());
        for (step, drawn) in trace.steps.iter().zip(&drawn) {
            assert_eq!(drawn.words, step.words(puzzle.shape()));
            let text = svg(&typeface, &drawn.drawing);
            // Red for each candidate that is removed, green for each digit that is placed.
            assert_eq!(text.matches("#faa89e").count(), step.eliminations.len(), "{}", drawn.words);
            assert!(text.matches("#9ee09e").count() >= step.placements.len(), "{}", drawn.words);
        }
        let page = steps::html(&typeface, "A <puzzle>", "Its <rules>.", &drawn, "solved");
        // One more has the outlines.
        assert_eq!(page.matches("<svg").count(), drawn.len() + 1);
        assert!(page.contains("A &lt;puzzle&gt;") && !page.contains("http://") || page.contains("w3.org"));
        let pages = steps::sheets(&typeface, &drawn);
        assert!(pages.len() >= drawn.len().div_ceil(6) && pages.len() <= drawn.len().div_ceil(4));
        // Every character of the texts is on a page, above its lower edge.
        let characters = |items: &[Item]| -> usize {
            items.iter().map(|item| if let Item::Text { glyphs, .. } = item { glyphs.len() } else { 0 }).sum()
        };
        let on_pages: usize = pages.iter().map(|page| characters(&page.items)).sum();
        let boards: usize = drawn.iter().map(|step| characters(&step.drawing.items)).sum();
        let words: usize = drawn.iter().map(|step| step.words.chars().filter(|c| *c != ' ').count()).sum();
        assert!(on_pages >= boards + words, "{on_pages} of {boards} and {words}");
        for item in pages.iter().flat_map(|page| &page.items) {
            if let Item::Text { glyphs, .. } = item {
                assert!(glyphs.iter().all(|glyph| glyph.y < 841.89 - 15.0));
            }
        }
    }
}
