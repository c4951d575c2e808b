//! Fills pages with running text, so that none ends with a heading, or begins or ends with a single line of several.

use std::collections::VecDeque;

use crate::draw::canvas::{Canvas, Item};
use crate::draw::measures::Area;
use crate::draw::text::compose::{Breaks, Composer, Setting};
use crate::draw::text::typeface::Weight;

/// A piece of running text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TextBlock {
    /// On the same page as the next block.
    Heading(String),
    Paragraph(String),
    /// In two columns.
    Term {
        term: String,
        meaning: String,
    },
    /// Items that are drawn from the corner 0, 0. The figure is centred.
    Figure {
        width: f64,
        height: f64,
        items: Vec<Item>,
    },
}

/// A list of terms that takes at most this part of a page is not torn.
const SHORT_LIST: f64 = 0.4;

/// How running text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TextStyle {
    pub body: Setting,
    pub heading: Setting,
    /// Width of the column of terms.
    pub term_column: f64,
}

/// Lines in a setting, with their distance from the left.
#[derive(Clone)]
struct Column {
    left: f64,
    setting: Setting,
    lines: Vec<String>,
}

impl Column {
    fn height(&self) -> f64 {
        self.lines.len() as f64 * self.setting.leading
    }

    fn with(&self, lines: Vec<String>) -> Column {
        Column { lines, ..*self }
    }
}

/// A block whose text is broken into lines.
#[derive(Clone)]
struct Broken {
    /// Its distance from the top of its page.
    top: f64,
    /// Space over it, unless it begins a page.
    above: f64,
    height: f64,
    /// The lines of the text, then those of the term.
    columns: Vec<Column>,
    block: TextBlock,
}

pub(crate) struct TextPage(Vec<Broken>);

/// Fills pages of the heights `heights`; further ones are as high as the last of these.
pub(crate) fn paginate(
    composer: Composer<'_>,
    style: TextStyle,
    width: f64,
    heights: &[f64],
    blocks: Vec<TextBlock>,
) -> Vec<TextPage> {
    let height = |page: usize| heights.get(page).or(heights.last()).copied().unwrap_or(f64::INFINITY);
    let least_height = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let usual_height = height(usize::MAX);
    let mut blocks_left: VecDeque<Broken> = VecDeque::new();
    for block in blocks {
        blocks_left.extend(Broken::new(composer, style, width, block).cut(least_height));
    }
    let mut pages = vec![TextPage(Vec::new())];
    let (mut y, mut room) = (0.0, height(0));
    while let Some(mut block) = blocks_left.pop_front() {
        let mut top = y + if y == 0.0 { 0.0 } else { block.above };
        if y > 0.0 && top + height_together(&block, blocks_left.make_contiguous(), usual_height) > room {
            // A paragraph stays whole with the figure that follows it.
            let precedes_figure = matches!(blocks_left.front(), Some(Broken { block: TextBlock::Figure { .. }, .. }));
            let second_part = if precedes_figure { None } else { block.split(room - top) };
            if let Some(second_part) = second_part {
                if let Some(page) = pages.last_mut() {
                    page.0.push(Broken { top, ..block });
                }
                block = second_part;
            }
            pages.push(TextPage(Vec::new()));
            (room, top) = (height(pages.len() - 1), 0.0);
        }
        y = top + block.height;
        if let Some(page) = pages.last_mut() {
            page.0.push(Broken { top, ..block });
        }
    }
    pages
}

/// Height of a block and of what must be on the same page. A heading is followed by the beginning of the next block or
/// by two terms, and by all of its terms if they are few. A paragraph is followed by its figure. Blocks that together
/// are taller than a page are not kept together.
fn height_together(first: &Broken, rest: &[Broken], page: f64) -> f64 {
    let Some(next) = rest.first() else { return first.height };
    let begun = |block: &Broken| block.above + block.height.min(block.shortest_beginning());
    let together = match &first.block {
        TextBlock::Heading(_) if next.is_term() => {
            let terms = rest.iter().take_while(|block| block.is_term());
            let with_all_terms = first.height + terms.map(|term| term.above + term.height).sum::<f64>();
            let with_one_term = first.height + next.above + next.height;
            let second_term = rest.get(1).filter(|block| block.is_term()).map_or(0.0, begun);
            if with_all_terms <= page * SHORT_LIST { with_all_terms } else { with_one_term + second_term }
        }
        TextBlock::Heading(_) => match rest.get(1) {
            Some(Broken { block: TextBlock::Figure { .. }, .. }) => {
                first.height + next.above + height_together(next, &rest[1..], page)
            }
            _ => first.height + begun(next),
        },
        TextBlock::Paragraph(_) if matches!(next.block, TextBlock::Figure { .. }) => {
            first.height + next.above + next.height
        }
        _ => first.height,
    };
    if together <= page { together } else { first.height }
}

impl Broken {
    /// Breaks a block into lines. A term has a column of its own.
    fn new(composer: Composer<'_>, style: TextStyle, width: f64, block: TextBlock) -> Broken {
        let set = |setting, left, text: &str, breaks| {
            let lines = composer.lines(setting, width.min(width - left), text, breaks);
            Column { left, setting, lines }
        };
        let body = style.body;
        let (above, columns) = match &block {
            // The first number is the space over the block, in lines.
            TextBlock::Heading(text) => (1.25, vec![set(style.heading, 0.0, text, Breaks::Even)]),
            TextBlock::Paragraph(text) => (0.5, vec![set(body, 0.0, text, Breaks::Running)]),
            TextBlock::Term { term, meaning } => {
                let bold = Setting { weight: Weight::SemiBold, ..body };
                let lines = composer.lines(bold, style.term_column - body.size * 1.2, term, Breaks::Even);
                let term = Column { left: 0.0, setting: bold, lines };
                (0.4, vec![set(body, style.term_column, meaning, Breaks::Running), term])
            }
            TextBlock::Figure { .. } => (1.0, Vec::new()),
        };
        let height = match &block {
            TextBlock::Figure { height, .. } => *height + body.leading * 0.5,
            _ => columns.iter().map(Column::height).fold(0.0, f64::max),
        };
        Broken { top: 0.0, above: body.leading * above, height, columns, block }
    }

    /// The block in pieces no taller than a page.
    fn cut(self, page: f64) -> Vec<Broken> {
        let leading = self.columns.first().map_or(self.height, |column| column.setting.leading);
        let room = ((page / leading) as usize).max(1);
        if self.height <= page || self.columns.is_empty() {
            return vec![self];
        }
        let mut pieces = Vec::new();
        for start in (0..self.lines()).step_by(room) {
            let above = if start == 0 { self.above } else { 0.0 };
            let height = room.min(self.lines() - start) as f64 * leading;
            let mut columns = Vec::new();
            for column in &self.columns {
                columns.push(column.with(column.lines.iter().skip(start).take(room).cloned().collect()));
            }
            pieces.push(Broken { top: 0.0, above, height, columns, block: self.block.clone() });
        }
        pieces
    }

    /// The height of as few lines as may end a page: two, with two left for the next.
    fn shortest_beginning(&self) -> f64 {
        match (&self.block, self.columns.first()) {
            (TextBlock::Paragraph(_) | TextBlock::Term { .. }, Some(column)) if self.lines() >= 4 => {
                2.0 * column.setting.leading
            }
            _ => self.height,
        }
    }

    fn lines(&self) -> usize {
        self.columns.iter().map(|column| column.lines.len()).max().unwrap_or(0)
    }

    /// Shortens the block to a height and returns the rest of it. None where fewer than two lines would be on a page.
    fn split(&mut self, room: f64) -> Option<Broken> {
        let is_text = matches!(self.block, TextBlock::Paragraph(_) | TextBlock::Term { .. });
        let leading = self.columns.first().filter(|_| is_text)?.setting.leading;
        let first = ((room / leading).max(0.0) as usize).min(self.lines().saturating_sub(2));
        if first < 2 {
            return None;
        }
        let mut columns = Vec::new();
        for column in &mut self.columns {
            let rest = column.lines.split_off(first.min(column.lines.len()));
            columns.push(column.with(rest));
        }
        let height = self.height - first as f64 * leading;
        self.height = first as f64 * leading;
        Some(Broken { top: 0.0, above: 0.0, height, columns, block: self.block.clone() })
    }

    fn is_term(&self) -> bool {
        matches!(self.block, TextBlock::Term { .. })
    }
}

impl TextPage {
    /// The lower edge of what is on the page.
    pub(crate) fn bottom(&self) -> f64 {
        self.0.last().map_or(0.0, |broken| broken.top + broken.height)
    }

    /// The headings of the page, each with true if nothing stands above it.
    pub(crate) fn headings(&self) -> impl DoubleEndedIterator<Item = (&str, bool)> {
        self.0.iter().enumerate().filter_map(|(number, broken)| match &broken.block {
            TextBlock::Heading(text) => Some((text.as_str(), number == 0)),
            _ => None,
        })
    }

    /// Draws the page into an area, from its upper edge on.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, area: Area) {
        for broken in &self.0 {
            let y = area.y + broken.top;
            if let TextBlock::Figure { width, items, .. } = &broken.block {
                let x = area.x + (area.width - width) / 2.0;
                items.iter().for_each(|item| canvas.push(item.moved(x, y)));
            }
            for Column { left, setting, lines } in &broken.columns {
                canvas.lines(*setting, area.x + left, y + setting.size, lines);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::text::typeface::Typeface;

    const STYLE: TextStyle = TextStyle {
        body: Setting { weight: Weight::Regular, size: 10.0, leading: 14.0 },
        heading: Setting { weight: Weight::SemiBold, size: 12.0, leading: 16.0 },
        term_column: 60.0,
    };
    const TEXT: &str = "Fill every empty cell so that each row, each column and each box holds every digit once.";

    #[test]
    fn no_page_ends_in_a_heading_and_nothing_is_below_a_page() {
        let typeface = Typeface::open().unwrap();
        let blocks: Vec<TextBlock> = (0..60)
            .map(|i| match i % 5 {
                0 => TextBlock::Heading(format!("Heading {i}")),
                1 | 3 => TextBlock::Paragraph(format!("{TEXT} ").repeat(1 + i % 4)),
                // It belongs to the paragraph before it.
                4 => TextBlock::Figure { width: 50.0, height: 30.0, items: Vec::new() },
                _ => TextBlock::Term { term: "Easy".into(), meaning: TEXT.into() },
            })
            .collect();
        for height in [60.0, 200.0, 250.0, 333.0, 500.0] {
            let pages = paginate((&typeface).into(), STYLE, 200.0, &[height], blocks.clone());
            let words = |page: &TextPage| -> usize {
                let columns = page.0.iter().flat_map(|broken| broken.columns.iter());
                columns.flat_map(|column| &column.lines).map(|line| line.split(' ').count()).sum()
            };
            let all = blocks.iter().map(|block| match block {
                TextBlock::Term { term, meaning } => term.split(' ').count() + meaning.split(' ').count(),
                TextBlock::Heading(text) | TextBlock::Paragraph(text) => text.trim().split(' ').count(),
                TextBlock::Figure { .. } => 0,
            });
            assert_eq!(pages.iter().map(words).sum::<usize>(), all.sum::<usize>(), "{height}");
            for page in &pages {
                let last = page.0.last().unwrap();
                assert!(!matches!(last.block, TextBlock::Heading(_)) || height < 100.0, "{height}: {:?}", last.block);
                assert!(last.top + last.height <= height, "{height}");
                assert!(page.0.windows(2).all(|pair| pair[0].top + pair[0].height <= pair[1].top));
            }
        }
    }
}
