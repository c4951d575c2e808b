//! Draws labels over and below boards: a text on the left, a text on the right, and signs or a line to write on.
//!
//! The labels of one slot (over the puzzles of a shape, over its solutions, ..) are set in one size and in one way.
//! They stand on a line. If they would have to be much smaller there, one text stands below the other. Lines end
//! between words; only in the smallest size words are broken, and dates.

use crate::draw::canvas::{Canvas, FAINT, Item, THIN_LINE};
use crate::draw::measures::Area;
use crate::draw::text::compose::{Breaks, Composer, Setting};
use crate::draw::text::typeface::Weight;

/// What a label ends with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tail {
    Nothing,
    /// Stars: how many are filled, of how many.
    Stars(usize, usize),
    /// Bars of growing height: how many are filled, of how many.
    Bars(usize, usize),
    /// A line to write on.
    Rule,
}

/// The length of a line to write on: at least, and as designed, in type sizes.
const RULE: (f64, f64) = (4.0, 9.0);

impl Tail {
    /// Width in type sizes.
    fn width(self) -> f64 {
        match self {
            Tail::Nothing => 0.0,
            Tail::Stars(_, all) => 1.02 * all as f64,
            Tail::Bars(_, all) => 0.5 * all as f64,
            Tail::Rule => RULE.0,
        }
    }
}

/// A label: its texts, and what stands between or after them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    pub left: String,
    pub right: String,
    pub tail: Tail,
}

impl Label {
    /// Without signs.
    pub(crate) fn new(left: impl Into<String>, right: impl Into<String>) -> Label {
        Label { left: left.into(), right: right.into(), tail: Tail::Nothing }
    }
}

/// How the labels of a slot are to be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Manner {
    /// Weight of the text on the left, and its size as a part of the size of the label.
    pub left: (Weight, f64),
    /// The size as designed, and the smallest.
    pub sizes: (f64, f64),
}

/// How the labels of a slot are set: the size, the number of lines of the tallest, and whether they are stacked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slot {
    manner: Manner,
    /// The type size.
    size: f64,
    /// The lines of the tallest label.
    lines: usize,
    /// Texts are below each other.
    is_stacked: bool,
}

/// The most lines of a label, and of one in a size above the smallest.
const MOST_LINES: (usize, usize) = (6, 3);
/// Labels on a line are not smaller than this part of the size as designed if they can be larger on several lines.
const SMALL_ON_A_LINE: f64 = 0.85;

impl Slot {
    /// Labels on one line in their size.
    pub(crate) fn new(manner: Manner) -> Slot {
        Slot { manner, size: manner.sizes.0, lines: 1, is_stacked: false }
    }

    /// Height of the lines after the first.
    pub(crate) fn more_height(&self) -> f64 {
        (self.lines - 1) as f64 * self.leading()
    }

    /// True if its labels are taller than those of another slot.
    pub(crate) fn is_taller_than(&self, other: &Slot) -> bool {
        self.more_height() > other.more_height() + 1e-9
    }

    fn leading(&self) -> f64 {
        Setting::boxed(Weight::Regular, self.size * self.manner.left.1).leading
    }

    /// The slot of some labels over a width. An error with the text of a label that does not fit.
    pub(crate) fn of(composer: Composer<'_>, manner: Manner, labels: &[Label], width: f64) -> Result<Slot, String> {
        let (most, least) = manner.sizes;
        let plain = Slot::new(manner);
        let widest = labels.iter().map(|label| plain.width(composer, label)).fold(0.0, f64::max);
        let on_a_line = if widest > width { most * width / widest } else { most };
        // On a line if that makes them only a little smaller than designed.
        if on_a_line >= least.max(most * SMALL_ON_A_LINE) {
            return Ok(Slot { size: on_a_line, ..plain });
        }
        // Otherwise stacked, in the largest size in which no word is broken and no label has many lines.
        let sizes = std::iter::successors(Some(most), |size| Some(size - (size / 40.0).max(0.25)));
        let sizes = sizes.take_while(|size| *size > least && *size > on_a_line);
        let stacked = |size: f64| Slot { size, is_stacked: true, ..plain };
        if let Some(slot) = sizes.map(stacked).find_map(|slot| slot.fitted(composer, labels, width)) {
            return Ok(slot);
        }
        if on_a_line >= least {
            return Ok(Slot { size: on_a_line, ..plain });
        }
        // The last way: stacked in the smallest size, with broken words.
        let mut slot = stacked(least);
        for label in labels {
            let lines = slot.stack(composer, label, width);
            let widths = lines.iter().map(|(weight, size, line)| composer.typeface.width(*weight, *size, line));
            if lines.len() > MOST_LINES.0 || widths.fold(0.0, f64::max) > width + 1e-6 {
                return Err(format!("{} {}", label.left, label.right).trim().to_owned());
            }
            slot.lines = slot.lines.max(lines.len());
        }
        Ok(slot)
    }

    /// The slot with the lines that labels take in its size. None if these are too many, or if a word would be broken.
    fn fitted(self, composer: Composer<'_>, labels: &[Label], width: f64) -> Option<Slot> {
        let (weight, part) = self.manner.left;
        let fits =
            |weight, size, text: &str| text.split(' ').all(|word| composer.typeface.width(weight, size, word) <= width);
        let all_fit = |label: &Label| {
            fits(weight, self.size * part, &label.left)
                && fits(Weight::Regular, self.size, &label.right)
                && label.tail.width() * self.size <= width
        };
        if !labels.iter().all(all_fit) {
            return None;
        }
        let mut most = 1;
        for label in labels {
            most = most.max(self.stack(composer, label, width).len());
            if most > MOST_LINES.1 {
                return None;
            }
        }
        Some(Slot { lines: most, ..self })
    }

    /// Width of a label on one line.
    pub(crate) fn width(&self, composer: Composer<'_>, label: &Label) -> f64 {
        let ((weight, part), size) = (self.manner.left, self.size);
        let left = composer.typeface.width(weight, size * part, &label.left);
        let right = composer.typeface.width(Weight::Regular, size, &label.right);
        let parts = [left, right, label.tail.width() * size];
        let gaps = parts.iter().filter(|width| **width > 0.0).count().saturating_sub(1);
        parts.iter().sum::<f64>() + gaps as f64 * size * 0.7
    }

    /// The lines of a label, one text below the other: weight, size and text. An empty one has the signs.
    fn stack(&self, composer: Composer<'_>, label: &Label, width: f64) -> Vec<(Weight, f64, String)> {
        let left = (self.manner.left.0, self.size * self.manner.left.1, &label.left);
        let texts = [left, (Weight::Regular, self.size, &label.right)];
        let lines = texts.into_iter().flat_map(|(weight, size, text)| {
            let lines = composer.lines(Setting::boxed(weight, size), width, text, Breaks::Even);
            lines.into_iter().map(move |line| (weight, size, line))
        });
        let tail = (label.tail != Tail::Nothing).then(|| (Weight::Regular, self.size, String::new()));
        lines.chain(tail).collect()
    }

    /// Draws a label. Its last line has its baseline at `base`.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, label: &Label, x: f64, width: f64, base: f64) {
        let (composer, size) = (canvas.composer, self.size);
        let (weight, part) = self.manner.left;
        if !self.is_stacked {
            canvas.text(weight, size * part, x, base, &label.left);
            let from = x + composer.typeface.width(weight, size * part, &label.left) + size * 0.5;
            let right = composer.typeface.width(Weight::Regular, size, &label.right);
            // A line to write on follows the text on the right, if there is one.
            let is_last = label.tail == Tail::Rule && right > 0.0;
            let room = x + width - from - right - size * 0.9;
            let begin = if is_last { x + width - room.min(size * RULE.1) } else { from };
            let signs = draw_tail(canvas, label.tail, size, begin, x + width, base);
            let signs = if is_last { begin - size * 0.5 } else { signs };
            return canvas.text_left_of(Weight::Regular, size, signs, base, &label.right);
        }
        let lines = self.stack(composer, label, width);
        let first = base - (lines.len() - 1) as f64 * self.leading();
        for (number, (weight, size, line)) in lines.iter().enumerate() {
            let base = first + number as f64 * self.leading();
            match line.is_empty() {
                true => {
                    let size = size * (width / (label.tail.width() * size)).min(1.0);
                    let right = if label.tail == Tail::Rule { x + width } else { x + label.tail.width() * size };
                    draw_tail(canvas, label.tail, size, x, right, base);
                }
                false => canvas.text(*weight, *size, x, base, line),
            }
        }
    }
}

/// Draws a line from the left, or signs that end at the right. Returns where a text on the right of the label ends.
fn draw_tail(canvas: &mut Canvas<'_>, tail: Tail, size: f64, from: f64, right: f64, base: f64) -> f64 {
    let (filled, all) = match tail {
        Tail::Nothing => return right,
        Tail::Rule => {
            canvas.rule(from, base + 1.0, (right - from).min(size * RULE.1), THIN_LINE);
            return right;
        }
        Tail::Stars(filled, all) | Tail::Bars(filled, all) => (filled, all),
    };
    let left = right - tail.width() * size;
    let step = tail.width() * size / all.max(1) as f64;
    for at in 0..all {
        let x = left + at as f64 * step;
        let item = match tail {
            Tail::Stars(..) => Item::star(x + step / 2.0, base - size * 0.36, size * 0.47),
            _ => {
                let height = size * (0.3 + 0.5 * (at + 1) as f64 / all as f64);
                Item::block(Area { x: x + step * 0.25, y: base - height, width: step * 0.75, height })
            }
        };
        if at < filled { canvas.push(item) } else { canvas.inked(FAINT, item) }
    }
    left - size * 0.6
}
