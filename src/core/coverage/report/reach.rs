//! The exact part of the page: how many of all grids each method can reach, on small boards and on large ones.

use super::blocks::{heading, name, paragraph, plots, table};
use super::figures;
use super::text::{natural, share, size};
use crate::coverage::known::exact;
use crate::coverage::known::natural::log2;
use crate::coverage::survey::{Board, KnownDistribution, ReachableGrids, Survey};
use crate::page::Block;
use crate::page::numbers::{grouped, rounded, with_error};

/// All grids, and the orbits of the permutation method.
pub(super) fn reach(survey: &Survey) -> Vec<Block> {
    let boards = survey.boards.iter().map(|board| {
        vec![
            board.shape.to_string(),
            size(&board.grids),
            board.grids.basis.to_owned(),
            size(&board.classes),
            natural(&board.maps),
        ]
    });
    let orbits = survey.boards.iter().flat_map(|board| board.orbits.iter().map(move |orbit| (board, orbit)));
    let orbits = orbits.map(|(board, orbit)| {
        vec![
            board.shape.to_string(),
            format!("`{}`", orbit.strength),
            format!("1 of {}", size(&board.classes)),
            natural(&orbit.grids),
            share(log2(&orbit.grids) - board.grids.log2),
            natural(&orbit.transforms),
            orbit.stabiliser.to_string(),
        ]
    });
    // The answers come first, because a narrow window cuts off the last columns.
    let heads_of_orbits = "board | strength | classes reached | grids reached | share of all | transforms | stabiliser";
    let mut blocks = vec![
        heading("Which grids can be reached"),
        paragraph(
            "Two grids are isomorphic if one can be turned into the other by relabeling digits, by permuting rows \
             inside bands, columns inside stacks, bands and stacks, and (for square boxes) by transposition.",
        ),
        table("board | all grids | known by | classes | maps of cells", boards),
        paragraph(
            "The permutation method shuffles one template. The number of grids that it reaches is the number of ways to \
             shuffle, divided by the number of shuffles that change nothing (the stabilizer, which is computed by a search). \
             `lines` is the method as published: it shuffles digits, rows inside bands and columns inside stacks. `blocks` \
             also shuffles bands and stacks, `transpose` also transposes.",
        ),
        table(heads_of_orbits, orbits),
        paragraph(
            "All methods that search (row-major, jump-back, digit-by-box, seeded-cross, fewest-candidates) and `uniform` can \
             make every grid of every class, because they never exclude a choice that can be completed.",
        ),
    ];
    blocks.extend(plots([figures::divergences(survey)]));
    blocks
}

/// What the article on the permutation method says, and the correct numbers.
pub(super) fn claims() -> Vec<Block> {
    vec![
        heading("The claims of the article on the permutation method"),
        paragraph(
            "The article on the permutation method (Jesper Niedermann's .NET blog, 2009-08-03) gives these numbers:",
        ),
        table("about | the article says | correct or not", exact::claims().into_iter().map(Vec::from)),
    ]
}

/// Boards above order 9, where less is known.
pub(super) fn large(survey: &Survey) -> Vec<Block> {
    let boards: Vec<&Board> = survey.boards.iter().filter(|board| board.shape.order() > 9).collect();
    if boards.is_empty() {
        return Vec::new();
    }
    let rows = boards.iter().flat_map(|board| board.rows.iter().map(move |row| (board, row)));
    let rows = rows.map(|(board, row)| {
        let [reached, part] = match &row.reach {
            ReachableGrids::Orbit(orbit) => [natural(&orbit.grids), share(log2(&orbit.grids) - board.grids.log2)],
            ReachableGrids::Bases(bases) => [format!("images of {bases}"), String::new()],
            ReachableGrids::All => ["all".to_owned(), "100 %".to_owned()],
        };
        let bits =
            if let KnownDistribution::Even(bits) = row.distribution { rounded(bits) } else { "unknown".to_owned() };
        let [draws, swaps] = row.counts.as_ref().map_or(["0".to_owned(), String::new()], |counts| {
            [grouped(counts.draws.into()), with_error(counts.swaps.mean, counts.swaps.error)]
        });
        vec![board.shape.to_string(), name(row), reached, part, bits, draws, swaps]
    });
    let heads = "board | method | grids reached | share of all grids | divergence, bits | draws | 4-cell sets";
    let mut blocks = vec![
        heading("Large boards: estimates"),
        paragraph(
            "The numbers of grids that the permutation method reaches are exact here too. The number of all grids is published \
             for 3x4. For larger boards it is an estimate that treats bands and stacks as independent (see the documentation of \
             `coverage::exact`), so shares and divergences are estimates. The numbers of bands of 16x16 and 25x25 are exact, and \
             with them the estimate gives the published 5.9584e98 and 4.3648e308 grids; no error is proven. For these boards \
             no method is known to be even, and the probabilities of no search are known. The mean numbers of 4-cell \
             sets differ between the methods, so at most one of them can be even.",
        ),
        table(heads, rows),
    ];
    let refused: Vec<String> = boards.iter().flat_map(|board| board.refused.iter().cloned()).collect();
    if !refused.is_empty() {
        blocks.push(paragraph("Methods that do not make these boards:"));
        blocks.push(Block::Items(refused));
    }
    blocks.extend(plots(boards.iter().map(|board| figures::four_cell_sets(board))));
    blocks
}
