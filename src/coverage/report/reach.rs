//! What of the page is exact: how much of all grids each method can reach, on small boards and on large ones.

use super::text::{natural, share, size};
use super::{figures, heading, name, paragraph, plots};
use crate::coverage::exact;
use crate::coverage::survey::{Board, Law, Reach, Survey};
use crate::page::numbers::{grouped, rounded, with_error};
use crate::page::{Block, Table};

/// All grids, and the orbits of the permutation method.
pub(super) fn reach(survey: &Survey) -> Vec<Block> {
    let mut table = Table::new(&["board", "all grids", "known by", "essentially different", "maps of cells"]);
    let mut orbits = Table::new(&[
        "board",
        "strength",
        "transforms",
        "stabiliser",
        "grids reached",
        "share of all",
        "classes reached",
    ]);
    for board in &survey.boards {
        table.rows.push(vec![
            board.shape.to_string(),
            size(&board.grids),
            board.grids.basis.name().to_owned(),
            size(&board.classes),
            natural(&board.maps),
        ]);
        for orbit in &board.orbits {
            orbits.rows.push(vec![
                board.shape.to_string(),
                format!("`{}`", orbit.strength),
                natural(&orbit.transforms),
                orbit.stabiliser.to_string(),
                natural(&orbit.grids),
                share(orbit.grids.log2() - board.grids.log2),
                format!("1 of {}", size(&board.classes)),
            ]);
        }
    }
    let mut blocks = vec![
        heading("What can be reached at all"),
        paragraph(
            "Two grids are essentially the same when relabelling, exchange of rows inside bands, of columns inside \
             stacks, of bands, of stacks, or transposition (square boxes) brings one onto the other.",
        ),
        Block::Table(table),
        paragraph(
            "The permutation method shuffles one template. It reaches the orbit of the template: the ways to \
             shuffle, divided by those that change nothing (the stabiliser, computed by a search for all such maps). \
             `lines` is the method as published: digits, rows inside bands, columns inside stacks. `blocks` also \
             exchanges bands and stacks, `transpose` also transposes.",
        ),
        Block::Table(orbits),
        paragraph(
            "All methods that search (row-major, jump-back, digit-by-box, seeded-cross, fewest-candidates) and \
             `uniform` can make every grid, of every class: nothing that can still be completed is ever excluded.",
        ),
    ];
    blocks.extend(plots([figures::divergences(survey)]));
    blocks
}

/// What the article on the permutation method says, and what is true.
pub(super) fn claims() -> Vec<Block> {
    let mut table = Table::new(&["about", "the article says", "the truth"]);
    table.rows.extend(
        exact::claims()
            .into_iter()
            .map(|claim| vec![claim.subject.to_owned(), claim.claimed.to_owned(), claim.verdict]),
    );
    vec![
        heading("The claims of the article on the permutation method"),
        paragraph(
            "The permutation method (Jesper Niedermann's .NET blog, 2009-08-03) says how complete it thinks it is. \
             In its own numbers:",
        ),
        Block::Table(table),
    ]
}

/// Boards above order 9, of which less is known.
pub(super) fn large(survey: &Survey) -> Vec<Block> {
    let boards: Vec<&Board> = survey.boards.iter().filter(|board| board.shape.order() > 9).collect();
    if boards.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(&[
        "board",
        "method",
        "grids reached",
        "share of all grids",
        "divergence, bits",
        "draws",
        "4-cell sets",
    ]);
    for board in &boards {
        for row in &board.rows {
            let orbit = match &row.reach {
                Reach::Orbit(orbit) => [natural(&orbit.grids), share(orbit.grids.log2() - board.grids.log2)],
                Reach::Bases(bases) => [format!("images of {bases}"), String::new()],
                Reach::All => ["all".to_owned(), "100 %".to_owned()],
            };
            let bits = if let Law::Even(bits) = row.law { rounded(bits) } else { "unknown".to_owned() };
            let drawn = row.counts.as_ref().map_or(["0".to_owned(), String::new()], |counts| {
                [grouped(counts.draws.into()), with_error(counts.swaps.mean, counts.swaps.error)]
            });
            table
                .rows
                .push([vec![board.shape.to_string(), name(row)], orbit.to_vec(), vec![bits], drawn.to_vec()].concat());
        }
    }
    let mut blocks = vec![
        heading("Large boards: estimates"),
        paragraph(
            "Orbits are exact here too. The number of all grids is published for 3x4; for larger boards it is our \
             estimate (bands and stacks taken as independent, see the documentation of `coverage::exact`), so shares \
             and divergences are estimates. Published estimates are 5.9584e98 grids of 16x16 and 4.3648e308 of \
             25x25; ours lie 1.2 and 0.7 % below, and neither has a proven error. No method is known to be even here, nor the law of any search; the mean \
             numbers of 4-cell sets differ from method to method, so at most one of them could be even.",
        ),
        Block::Table(table),
    ];
    let refused: Vec<String> = boards.iter().flat_map(|board| board.refused.iter().cloned()).collect();
    if !refused.is_empty() {
        blocks.push(paragraph("Not made:"));
        blocks.push(Block::Items(refused));
    }
    blocks.extend(plots(boards.iter().map(|board| figures::four_cell_sets(board))));
    blocks
}
