//! Draws labels over and below boards: a text on the left, a text on the right, and signs or a line to write on.
//!
//! The labels of one slot (over the puzzles of a shape, over its solutions, ..) are set in one size and in one way.
//! They stand on a line. If they would have to be much smaller there, one text stands below the other. Lines end
//! between words; only in the smallest size words are broken, and dates.

use crate::draw::canvas::{Canvas, FAINT, Item, THIN_LINE};
use crate::draw::measures::Area;
use crate::draw::text::compose::{Breaks, Composer, Setting, SizeRange};
use crate::draw::text::typeface::Weight;

/// What a label ends with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tail {
    Nothing,
    /// Stars, of which the first ones are filled.
    Stars {
        filled: usize,
        total: usize,
    },
    /// The same with bars of growing height.
    Bars {
        filled: usize,
        total: usize,
    },
    /// A line to write on.
    Rule,
}

/// The least length of a line to write on, in type sizes.
const SHORTEST_RULE: f64 = 4.0;
/// The length of a line to write on, as designed.
const RULE: f64 = 9.0;

impl Tail {
    /// Width in type sizes.
    fn width(self) -> f64 {
        match self {
            Tail::Nothing => 0.0,
            Tail::Stars { total, .. } => 1.02 * total as f64,
            Tail::Bars { total, .. } => 0.5 * total as f64,
            Tail::Rule => SHORTEST_RULE,
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
    /// Weight of the text on the left.
    pub left_weight: Weight,
    /// The size of the text on the left, as a part of the size of the label.
    pub left_part: f64,
    /// The sizes of the label: the largest is the size as designed.
    pub sizes: SizeRange,
}

/// How the labels of a slot are set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slot {
    manner: Manner,
    size: f64,
    /// The number of lines of the tallest label.
    lines: usize,
    /// The text on the right stands below the text on the left.
    is_stacked: bool,
}

/// The most lines of a label in the smallest size.
const MOST_LINES: usize = 6;
/// The most lines of a label in a larger size.
const MOST_LARGE_LINES: usize = 3;
/// Labels on a line are not smaller than this part of the size as designed if they can be larger on several lines.
const SMALL_ON_A_LINE: f64 = 0.85;

impl Slot {
    /// Labels on one line in their size.
    pub(crate) fn new(manner: Manner) -> Slot {
        Slot { manner, size: manner.sizes.largest, lines: 1, is_stacked: false }
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
        Setting::boxed(Weight::Regular, self.size * self.manner.left_part).leading
    }

    /// The slot of some labels over a width. An error with the text of a label that does not fit.
    pub(crate) fn of(composer: Composer<'_>, manner: Manner, labels: &[Label], width: f64) -> Result<Slot, String> {
        let SizeRange { largest: designed_size, smallest: least_size } = manner.sizes;
        let plain = Slot::new(manner);
        let mut widest = 0.0f64;
        for label in labels {
            widest = widest.max(plain.width(composer, label));
        }
        let size_on_a_line = if widest > width { designed_size * width / widest } else { designed_size };
        // On a line if that makes them only a little smaller than designed.
        if size_on_a_line >= least_size.max(designed_size * SMALL_ON_A_LINE) {
            return Ok(Slot { size: size_on_a_line, ..plain });
        }
        // Otherwise stacked, in the largest size in which no word is broken and no label has many lines.
        let mut size = designed_size;
        while size > least_size && size > size_on_a_line {
            let stacked = Slot { size, is_stacked: true, ..plain };
            if let Some(slot) = stacked.fitted(composer, labels, width) {
                return Ok(slot);
            }
            size -= (size / 40.0).max(0.25);
        }
        if size_on_a_line >= least_size {
            return Ok(Slot { size: size_on_a_line, ..plain });
        }
        // The last way: stacked in the smallest size, with broken words.
        let mut slot = Slot { size: least_size, is_stacked: true, ..plain };
        for label in labels {
            let lines = slot.stack(composer, label, width);
            let is_too_wide =
                lines.iter().any(|line| composer.typeface.width(line.weight, line.size, &line.text) > width + 1e-6);
            if is_too_wide || lines.len() > MOST_LINES {
                return Err(format!("{} {}", label.left, label.right).trim().to_owned());
            }
            slot.lines = slot.lines.max(lines.len());
        }
        Ok(slot)
    }

    /// The slot with the lines that labels take in its size. None if these are too many, or if a word would be broken.
    fn fitted(self, composer: Composer<'_>, labels: &[Label], width: f64) -> Option<Slot> {
        let Manner { left_weight, left_part, .. } = self.manner;
        let words_fit =
            |weight, size, text: &str| text.split(' ').all(|word| composer.typeface.width(weight, size, word) <= width);
        for label in labels {
            let fits = words_fit(left_weight, self.size * left_part, &label.left)
                && words_fit(Weight::Regular, self.size, &label.right)
                && label.tail.width() * self.size <= width;
            if !fits {
                return None;
            }
        }
        let mut lines = 1;
        for label in labels {
            lines = lines.max(self.stack(composer, label, width).len());
            if lines > MOST_LARGE_LINES {
                return None;
            }
        }
        Some(Slot { lines, ..self })
    }

    pub(crate) fn width(&self, composer: Composer<'_>, label: &Label) -> f64 {
        let (Manner { left_weight, left_part, .. }, size) = (self.manner, self.size);
        let left = composer.typeface.width(left_weight, size * left_part, &label.left);
        let right = composer.typeface.width(Weight::Regular, size, &label.right);
        let widths = [left, right, label.tail.width() * size];
        let gaps = widths.iter().filter(|width| **width > 0.0).count().saturating_sub(1);
        widths.iter().sum::<f64>() + gaps as f64 * size * 0.7
    }

    /// The lines of a label, one text below the other.
    fn stack(&self, composer: Composer<'_>, label: &Label, width: f64) -> Vec<StackedLine> {
        let Manner { left_weight, left_part, .. } = self.manner;
        let mut lines = Vec::new();
        for (weight, size, text) in
            [(left_weight, self.size * left_part, &label.left), (Weight::Regular, self.size, &label.right)]
        {
            for text in composer.lines(Setting::boxed(weight, size), width, text, Breaks::Even) {
                lines.push(StackedLine { weight, size, text });
            }
        }
        if label.tail != Tail::Nothing {
            lines.push(StackedLine { weight: Weight::Regular, size: self.size, text: String::new() });
        }
        lines
    }

    /// Draws a label. Its last line has its baseline at `base`.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, label: &Label, x: f64, width: f64, base: f64) {
        match self.is_stacked {
            true => self.draw_stacked(canvas, label, x, width, base),
            false => self.draw_on_a_line(canvas, label, x, width, base),
        }
    }

    fn draw_on_a_line(&self, canvas: &mut Canvas<'_>, label: &Label, x: f64, width: f64, base: f64) {
        let (typeface, size) = (canvas.composer.typeface, self.size);
        let Manner { left_weight, left_part, .. } = self.manner;
        canvas.text(left_weight, size * left_part, x, base, &label.left);
        let after_left = x + typeface.width(left_weight, size * left_part, &label.left) + size * 0.5;
        let right_width = typeface.width(Weight::Regular, size, &label.right);
        // A line to write on follows the text on the right, if there is one. Other signs stand at the right end.
        let is_rule_last = label.tail == Tail::Rule && right_width > 0.0;
        let right_end = if is_rule_last {
            let room = x + width - after_left - right_width - size * 0.9;
            let rule_start = x + width - room.min(size * RULE);
            draw_tail(canvas, label.tail, size, rule_start, x + width, base);
            rule_start - size * 0.5
        } else {
            draw_tail(canvas, label.tail, size, after_left, x + width, base)
        };
        canvas.text_left_of(Weight::Regular, size, right_end, base, &label.right);
    }

    fn draw_stacked(&self, canvas: &mut Canvas<'_>, label: &Label, x: f64, width: f64, base: f64) {
        let lines = self.stack(canvas.composer, label, width);
        let first_base = base - (lines.len() - 1) as f64 * self.leading();
        for (number, StackedLine { weight, size, text }) in lines.iter().enumerate() {
            let base = first_base + number as f64 * self.leading();
            match text.is_empty() {
                true => {
                    let size = size * (width / (label.tail.width() * size)).min(1.0);
                    let right = if label.tail == Tail::Rule { x + width } else { x + label.tail.width() * size };
                    draw_tail(canvas, label.tail, size, x, right, base);
                }
                false => canvas.text(*weight, *size, x, base, text),
            }
        }
    }
}

struct StackedLine {
    weight: Weight,
    size: f64,
    /// Empty for the line that has the signs.
    text: String,
}

/// Draws a line to write on from the left, or signs that end at the right. Returns where a text on the right ends.
fn draw_tail(canvas: &mut Canvas<'_>, tail: Tail, size: f64, left: f64, right: f64, base: f64) -> f64 {
    let (filled, total) = match tail {
        Tail::Nothing => return right,
        Tail::Rule => {
            canvas.rule(left, base + 1.0, (right - left).min(size * RULE), THIN_LINE);
            return right;
        }
        Tail::Stars { filled, total } | Tail::Bars { filled, total } => (filled, total),
    };
    let signs_left = right - tail.width() * size;
    let step = tail.width() * size / total.max(1) as f64;
    for number in 0..total {
        let x = signs_left + number as f64 * step;
        let item = match tail {
            Tail::Stars { .. } => Item::star(x + step / 2.0, base - size * 0.36, size * 0.47),
            _ => {
                let height = size * (0.3 + 0.5 * (number + 1) as f64 / total as f64);
                Item::block(Area { x: x + step * 0.25, y: base - height, width: step * 0.75, height })
            }
        };
        if number < filled { canvas.push(item) } else { canvas.inked(FAINT, item) }
    }
    signs_left - size * 0.6
}
