//! Shows boards to look at: a typical puzzle of each level, and some special ones.

use super::{Board, GALLERY};
use crate::study::gallery::Exhibit;
use sudoku_corpus_core::board::{Cell, text};
use sudoku_corpus_core::page::numbers::{counted, grouped, tenths};
use sudoku_corpus_core::page::{Block, BoardPicture};

pub(super) fn gallery(board: &Board<'_>) -> Vec<Block> {
    let shown = board.answers.gallery.exhibits();
    if shown.is_empty() {
        return Vec::new();
    }
    let boards = shown.into_iter().map(|(title, exhibit)| picture(board, &title, exhibit)).collect();
    let about = "A typical puzzle has the median score of a random sample of its level. The hardest puzzle has the largest \
                 ER, or lower bound of it; ties are broken by level, then by score. The most symmetric puzzle has the most symmetries of its \
                 pattern of givens; ties are broken by the number of automorphisms.";
    vec![board.heading(GALLERY), Block::Text(about.to_owned()), Block::Boards(boards)]
}

/// The picture of a board, with the facts below it.
fn picture(board: &Board<'_>, title: &str, exhibit: &Exhibit) -> BoardPicture {
    let order = board.shape.order();
    let symbol = |&value: &u16| if value == 0 { String::new() } else { text::symbol(value, order).to_string() };
    let mut facts = vec![counted(exhibit.givens, "given")];
    facts.extend(exhibit.level.as_deref().filter(|_| !title.starts_with("typical")).map(str::to_owned));
    facts.extend(exhibit.score.map(|score| format!("score {}", grouped(score.into()))));
    facts
        .extend(exhibit.er.map(|er| format!("ER {}{}", tenths(er), if exhibit.er_is_bound { " or more" } else { "" })));
    let symmetries = exhibit.symmetries;
    facts.extend((symmetries > 0).then(|| counted(symmetries, "symmetry")));
    facts.extend(exhibit.grid.shape().kind().rules().map(ToString::to_string));
    facts.extend((exhibit.automorphisms > 1).then(|| format!("{} automorphisms", exhibit.automorphisms)));
    let mut first = title.chars();
    let title: String = first.next().into_iter().flat_map(char::to_uppercase).chain(first).collect();
    BoardPicture {
        caption: format!("{title}: {}", facts.join(", ")),
        boxes: (0..exhibit.grid.shape().cells()).map(|cell| Cell::new(cell).box_index(exhibit.grid.shape())).collect(),
        cells: exhibit.grid.values().iter().map(symbol).collect(),
        line: text::line(&exhibit.grid),
    }
}
