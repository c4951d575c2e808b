//! Draws pages of hints: for each puzzle a cell that can be filled next.

use std::ops::Range;

use crate::book::error::BookError;
use crate::book::pages::front::chapter;
use crate::book::pages::plan::{HintTable, PagePlan};
use crate::book::sheet::margins::Sheet;
use crate::book::sheet::type_sizes::CHAPTER_HEAD;
use crate::book::text::manuscript::Manuscript;
use crate::draw::canvas::Canvas;
use crate::draw::labels::{Label, Manner, Slot};
use crate::draw::measures::Area;
use crate::draw::text::compose::{Breaks, Composer, Setting};
use crate::draw::text::typeface::Weight;
use crate::words::language::fill;

/// The height of a line of hints, in type sizes.
const HINT_LEADING: f64 = 1.7;

/// The line of a puzzle: its name, and its hint if it has one.
fn hint(text: Manuscript<'_>, index: usize) -> Label {
    let hint = text.words.language.text("book.hint");
    let words = text.entries[index].hint.map_or(String::new(), |(row, column)| {
        fill(hint, &[("row", &row.to_string()), ("column", &column.to_string())])
    });
    Label::new(text.name(index), words)
}

impl HintTable {
    /// As many columns as hints have room in, three at most.
    ///
    /// # Errors
    /// [`BookError::NoRoom`] for hints that are wider than a page.
    pub(crate) fn new(composer: Composer<'_>, sheet: &Sheet, text: Manuscript<'_>) -> Result<HintTable, BookError> {
        let (block, sizes, size) = (sheet.block(true), sheet.sizes, sheet.sizes.body);
        let manner = Manner { left_weight: Weight::SemiBold, left_part: 1.0, sizes: sizes.down_from(size) };
        let hints: Vec<Label> = if text.options.hints {
            (0..text.entries.len()).map(|index| hint(text, index)).collect()
        } else {
            Vec::new()
        };
        let natural = hints.iter().map(|hint| Slot::new(manner).width(composer, hint)).fold(0.0, f64::max) + size;
        let gap = size * 1.6;
        let columns = (((block.width + gap) / (natural + gap)) as usize).clamp(1, 3);
        let width = natural.min(block.width);
        let no_room = |text| BookError::NoRoom { text, trim: sheet.trim };
        let slot = Slot::of(composer, manner, &hints, width).map_err(no_room)?;
        let setting = sizes.style().body;
        let intro =
            composer.lines(setting, block.width, text.words.language.text("how_to.hints_text"), Breaks::Running);
        let table = HintTable { columns, rows: 0, width, step: block.width / columns as f64, slot, intro };
        let room = block.height - sizes.chapter * CHAPTER_HEAD - table.intro_height(setting);
        let rows = (room / (size * HINT_LEADING + slot.more_height())) as usize;
        if rows == 0 && text.options.hints {
            return Err(no_room(table.intro.join(" ")));
        }
        Ok(HintTable { rows: rows.max(1), ..table })
    }

    pub(crate) fn per_page(&self) -> usize {
        self.columns * self.rows
    }

    fn intro_height(&self, setting: Setting) -> f64 {
        (self.intro.len() as f64 + 0.4) * setting.leading
    }

    /// Draws a page: for each puzzle a cell that can be filled next.
    pub(crate) fn draw(&self, canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, block: Area, range: &Range<usize>) {
        let setting = plan.sheet.sizes.style().body;
        let y = chapter(canvas, plan, block, plan.text.words.language.text("book.hints"));
        canvas.lines(setting, block.x, y + setting.size, &self.intro);
        let y = y + self.intro_height(setting);
        let height = setting.size * HINT_LEADING + self.slot.more_height();
        for (number, index) in range.clone().enumerate() {
            let (column, row) = (number / self.rows, number % self.rows);
            let x = block.x + column as f64 * self.step;
            let base = y + (row + 1) as f64 * height - setting.size * 0.5;
            self.slot.draw(canvas, &hint(plan.text, index), x, self.width, base);
        }
    }
}
