//! The layouts of a corpus of jigsaws: a row has its regions from the seed of the recipe, or from its list.

use std::sync::{Arc, OnceLock};

use super::draft::{GridDraft, Layouts};
use sudoku_corpus_core::board::{Reason, Shape, Symmetry};
use sudoku_corpus_core::generate;

/// The layouts, each drawn when it is first needed.
#[derive(Clone, Debug)]
pub struct JigsawLayouts {
    /// Any jigsaw of an order and further rules.
    kind: Shape,
    symmetry: Symmetry,
    known: Arc<[OnceLock<Result<Shape, Reason>>]>,
}

impl JigsawLayouts {
    /// The layouts of a draft, which then names them as a corpus keeps them. None if its shape is one board.
    ///
    /// # Errors
    /// Layouts without a shape that takes them, or of another order.
    pub(crate) fn new(draft: &mut GridDraft, shape: Shape) -> Result<Option<JigsawLayouts>, String> {
        if !shape.is_any_jigsaw() {
            let is_given = draft.layouts.is_some() || draft.layout_symmetry.is_some();
            let refused = || format!("layouts are for shapes such as 9+jigsaw, not for the {}", shape.board());
            return if is_given { Err(refused()) } else { Ok(None) };
        }
        let symmetry = draft.layout_symmetry.unwrap_or_default();
        let layouts = draft.layouts.get_or_insert(Layouts::Drawn(1_000));
        let known: Vec<OnceLock<Result<Shape, Reason>>> = match layouts {
            Layouts::Drawn(count) => (0..*count).map(|_| OnceLock::new()).collect(),
            Layouts::Listed(_) if draft.layout_symmetry.is_some() => {
                return Err("layout_symmetry is for layouts that are drawn".to_owned());
            }
            Layouts::Listed(list) => {
                let layout = |regions: &String| {
                    let layout = shape.with_drawn(regions.as_bytes()).map_err(|reason| reason.0)?;
                    let of_order = layout.order() == shape.order();
                    let other = || format!("layouts: '{regions}' is no layout of the {}", shape.board());
                    if of_order { Ok(OnceLock::from(Ok(layout))) } else { Err(other()) }
                };
                list.iter().map(layout).collect::<Result<_, String>>()?
            }
        };
        draft.layout_symmetry = Some(symmetry).filter(|symmetry| *symmetry != Symmetry::None);
        let layouts = JigsawLayouts { kind: shape, symmetry, known: known.into() };
        // A seed without any is rare, and then a row says so. An order or a symmetry without any is refused here.
        generate::jigsaw(shape, symmetry, 0, 0).map_err(|reason| reason.0)?;
        Ok(Some(layouts))
    }

    /// The layout of a row.
    pub(crate) fn of_row(&self, seed: u64, index: u64) -> Result<Shape, Reason> {
        let at = index % self.known.len() as u64;
        let drawn = || generate::jigsaw(self.kind, self.symmetry, seed, at);
        self.known[at as usize].get_or_init(drawn).clone()
    }
}
