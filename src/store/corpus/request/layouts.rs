//! The layouts of a corpus of jigsaws: a row has its regions from the seed of the recipe, or from its list.

use std::sync::{Arc, OnceLock};

use super::draft::{GridDraft, Layouts};
use sudoku_corpus_core::board::{Reason, Shape, Symmetry};
use sudoku_corpus_core::generate;
use sudoku_corpus_core::solve::ensure_grid;

/// The layouts, each drawn when it is first needed.
#[derive(Clone, Debug)]
pub struct JigsawLayouts {
    /// Any jigsaw of an order and further rules.
    kind: Shape,
    symmetry: Symmetry,
    drawn: Arc<[OnceLock<Result<Shape, Reason>>]>,
}

/// A board of a kind with the regions of an entry of a list.
///
/// # Errors
/// The regions are none of a board of this order, or the board has no grid.
fn listed_layout(kind: Shape, regions: &str) -> Result<Shape, String> {
    let layout = kind.with_drawn(regions.as_bytes()).map_err(|reason| reason.0)?;
    if layout.order() != kind.order() {
        return Err(format!("layouts: '{regions}' is no layout of the {}", kind.board()));
    }
    ensure_grid(layout).map_err(|reason| reason.0)?;
    Ok(layout)
}

impl JigsawLayouts {
    /// The layouts of a draft, which then names them as a corpus keeps them. None if its shape is one board.
    ///
    /// # Errors
    /// Layouts without a shape that takes them, or of another order; a board or a layout without any grid.
    pub(crate) fn new(draft: &mut GridDraft, shape: Shape) -> Result<Option<JigsawLayouts>, String> {
        if !shape.is_any_jigsaw() {
            let given = [("layouts", draft.layouts.is_some()), ("layout_symmetry", draft.layout_symmetry.is_some())];
            if let Some((key, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
                return Err(format!(
                    "{key}: for shapes such as 9+jigsaw, not for the {}: write `shape = \"9+jigsaw\"`",
                    shape.board()
                ));
            }
            return ensure_grid(shape).map(|()| None).map_err(|reason| reason.0);
        }
        let symmetry = draft.layout_symmetry.unwrap_or_default();
        let layouts = draft.layouts.get_or_insert(Layouts::Drawn(1_000));
        let drawn: Vec<OnceLock<Result<Shape, Reason>>> = match layouts {
            Layouts::Drawn(count) => (0..*count).map(|_| OnceLock::new()).collect(),
            Layouts::Listed(_) if draft.layout_symmetry.is_some() => {
                return Err("layout_symmetry is for layouts that are drawn".to_owned());
            }
            Layouts::Listed(list) => {
                let mut layouts = Vec::with_capacity(list.len());
                for regions in list {
                    layouts.push(OnceLock::from(Ok(listed_layout(shape, regions)?)));
                }
                layouts
            }
        };
        draft.layout_symmetry = if symmetry == Symmetry::None { None } else { Some(symmetry) };
        // A seed without any is rare, and then a row says so. An order or a symmetry without any is refused here.
        if let Some(Layouts::Drawn(_)) = draft.layouts {
            generate::jigsaw(shape, symmetry, 0, 0).map_err(|reason| reason.0)?;
        }
        Ok(Some(JigsawLayouts { kind: shape, symmetry, drawn: drawn.into() }))
    }

    /// The layout of a row.
    pub(crate) fn of_row(&self, seed: u64, index: u64) -> Result<Shape, Reason> {
        let place = index % self.drawn.len() as u64;
        let layout = &self.drawn[place as usize];
        layout.get_or_init(|| generate::jigsaw(self.kind, self.symmetry, seed, place)).clone()
    }
}
