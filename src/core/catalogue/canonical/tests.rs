//! Tests with all 3,359,232 maps, with published grids, and with random isomorphs.

use super::{Canonical, canonical, class_of};
use crate::board::{Freedom, Grid, Isomorphism, Puzzle, Shape, Symmetry};
use crate::catalogue::orders::ORDERS;
use crate::random::{Rng, Stage};
use crate::solve::nine::random_fill;
use crate::solve::{Budget, general};

fn rng(index: u64) -> Rng {
    Rng::new(81, index, Stage::Bench, 0)
}

fn board(line: &str) -> [u8; 81] {
    let bytes: Vec<u8> = line.bytes().map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }).collect();
    bytes.try_into().unwrap()
}

/// A grid with random cells blanked.
fn holed(rng: &mut Rng, givens: usize) -> [u8; 81] {
    let mut values = random_fill(rng);
    let mut cells: Vec<usize> = (0..81).collect();
    rng.shuffle(&mut cells);
    cells[givens..].iter().for_each(|&cell| values[cell] = 0);
    values
}

fn image(values: &[u8; 81], rng: &mut Rng) -> [u8; 81] {
    let grid = Grid::new(Shape::NINE, values.iter().map(|&value| value.into()).collect()).unwrap();
    let image = Isomorphism::random(Shape::NINE, Freedom::ALL, rng).apply_to_grid(&grid);
    std::array::from_fn(|at| image.values()[at] as u8)
}

/// The 1,296 orders of nine lines that keep threes together.
fn line_orders() -> Vec<[usize; 9]> {
    let mut lines = Vec::new();
    for chutes in ORDERS {
        for inner in 0..216 {
            let inner = [ORDERS[inner / 36], ORDERS[inner / 6 % 6], ORDERS[inner % 6]];
            lines.push(std::array::from_fn(|at| 3 * chutes[at / 3] + inner[at / 3][at % 3]));
        }
    }
    lines
}

/// The canonical form by trying all maps, one by one.
fn scan(values: &[u8; 81]) -> Canonical {
    let orders = line_orders();
    let mut best = Canonical { cells: [9; 81], automorphisms: 0 };
    for transpose in [false, true] {
        let cells: [u8; 81] =
            std::array::from_fn(|at| if transpose { values[at % 9 * 9 + at / 9] } else { values[at] });
        for rows in &orders {
            for columns in &orders {
                let mut labels = [0; 10];
                let mut last = 0;
                let mut order = std::cmp::Ordering::Equal;
                for at in 0..81 {
                    let digit = usize::from(cells[9 * rows[at / 9] + columns[at % 9]]);
                    if digit != 0 && labels[digit] == 0 {
                        last += 1;
                        labels[digit] = last;
                    }
                    if order.is_eq() {
                        order = labels[digit].cmp(&best.cells[at]);
                    }
                    if order.is_gt() {
                        break;
                    }
                    best.cells[at] = labels[digit];
                }
                match order {
                    std::cmp::Ordering::Less => best.automorphisms = 1,
                    std::cmp::Ordering::Equal => best.automorphisms += 1,
                    std::cmp::Ordering::Greater => {}
                }
            }
        }
    }
    best
}

#[test]
fn the_form_is_the_smallest_of_all_images() {
    let mut rng = rng(0);
    let mut boards = vec![random_fill(&mut rng)];
    boards.extend([24, 17, 10, 5, 30].map(|givens| holed(&mut rng, givens)));
    for values in boards {
        assert_eq!(canonical(&values), scan(&values), "{values:?}");
    }
}

#[test]
fn published_grids_are_their_own_form() {
    let smallest = board("123456789456789123789123456214365897365897214897214365531642978642978531978531642");
    assert_eq!(canonical(&smallest).cells, smallest);
    let largest = board("123456789457893612986217354274538196531964827698721435342685971715349268869172543");
    assert_eq!(canonical(&largest), Canonical { cells: largest, automorphisms: 72 });
}

#[test]
fn the_most_canonical_grid_has_648_automorphisms() {
    let values = board("123456789456789123789123456231564897564897231897231564312645978645978312978312645");
    assert_eq!(canonical(&values).automorphisms, 648);
}

#[test]
fn isomorphs_of_grids_have_one_form() {
    for index in 0..300 {
        let mut rng = rng(100 + index);
        let values = random_fill(&mut rng);
        let form = canonical(&values);
        assert_eq!(canonical(&image(&values, &mut rng)), form);
        assert_eq!(canonical(&form.cells), form);
        assert!(form.cells.starts_with(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 5]));
    }
}

#[test]
fn isomorphs_of_puzzles_have_one_form_and_one_class() {
    for index in 0..600 {
        let mut rng = rng(1000 + index);
        let givens = rng.below(50);
        let values = holed(&mut rng, givens);
        let form = canonical(&values);
        let other = image(&values, &mut rng);
        assert_eq!(canonical(&other), form, "{values:?}");
        assert_eq!(class_of(&other), class_of(&values));
        assert_eq!(form.cells.iter().filter(|&&cell| cell != 0).count(), givens);
    }
}

#[test]
fn boards_with_at_most_one_given_have_many_automorphisms() {
    assert_eq!(canonical(&[0; 81]), Canonical { cells: [0; 81], automorphisms: 3_359_232 });
    let mut one = [0; 81];
    one[40] = 7;
    let form = canonical(&one);
    assert_eq!(form.cells.iter().position(|&cell| cell == 1), Some(80));
    assert_eq!(form.automorphisms, 3_359_232 / 81);
}

#[test]
fn different_puzzles_have_different_classes() {
    let classes: std::collections::HashSet<u128> =
        (0..500).map(|index| class_of(&holed(&mut rng(index), 25))).collect();
    assert_eq!(classes.len(), 500);
    // The value is part of the file format.
    assert_eq!(class_of(&[0; 81]), BLANK_CLASS);
}
const BLANK_CLASS: u128 = 39_754_469_886_750_888_707_687_673_069_000_349_937;

#[test]
fn contradictions_and_unknown_values_cause_no_panic() {
    for index in 0..200 {
        let mut rng = rng(3000 + index);
        let values: [u8; 81] = std::array::from_fn(|_| if rng.below(4) == 0 { rng.word() as u8 } else { 0 });
        canonical(&values);
    }
    assert_eq!(canonical(&[255; 81]).cells, [0; 81]);
}

/// A puzzle with a few givens of a random grid.
fn random_puzzle(shape: Shape, rng: &mut Rng) -> Puzzle {
    let solution = general::random_fill(shape, rng, Budget::UNLIMITED).unwrap();
    solution.masked(|_| rng.below(3) == 0)
}

/// A puzzle as one of another shape, of which cell i is cell `cells[i]` of the puzzle.
fn moved(puzzle: &Puzzle, shape: Shape, cells: &[u16]) -> Puzzle {
    let values = cells.iter().map(|&cell| puzzle.grid().values()[usize::from(cell)]).collect();
    Puzzle::try_from(Grid::new(shape, values).unwrap()).unwrap()
}

/// The four windows of windoku, as regions of the user's own.
const WINDOWS: &str = "extra:r2c2r2c3r2c4r3c2r3c3r3c4r4c2r4c3r4c4+extra:r2c6r2c7r2c8r3c6r3c7r3c8r4c6r4c7r4c8\
    +extra:r6c2r6c3r6c4r7c2r7c3r7c4r8c2r8c3r8c4+extra:r6c6r6c7r6c8r7c6r7c7r7c8r8c6r8c7r8c8";
const REGIONS: &str = "extra:r1c1r1c2r1c3r2c4r2c5r2c6r3c7r3c8r3c9+extra:r9c1r8c2r7c3r6c4r5c5r4c6r3c7r2c8r1c9";

/// A board and its eight turns are one, whatever it demands besides: 2x3+x and 3x2+x, a diagonal and the other one.
#[test]
fn turned_boards_with_rules_have_one_class() {
    let jigsaw = |kind: &str| crate::generate::jigsaw(kind.parse().unwrap(), Symmetry::None, 3, 0).unwrap();
    let more = "9+jigsaw+anti-king+extra:r1c1r1c2r1c3r2c1r3c1r4c4r5c5r6c6r7c8";
    let mut shapes = vec![jigsaw("9+jigsaw"), jigsaw("9+jigsaw+diagonal"), jigsaw(more)];
    shapes.extend(crate::dig::testing::variants(9));
    let texts = ["2x3+x", "2x3+disjoint+diagonal", "2x4+anti-king", "3x3+antidiagonal+windoku"];
    let texts = texts.map(str::to_owned).into_iter().chain([format!("3x3+{REGIONS}"), format!("3x3+x+{WINDOWS}")]);
    shapes.extend(texts.map(|text| text.parse::<Shape>().unwrap()));
    for (index, shape) in shapes.into_iter().enumerate() {
        let mut rng = rng(8000 + index as u64);
        let puzzle = random_puzzle(shape, &mut rng);
        let form = super::class_and_automorphisms(&puzzle);
        let n = shape.order() as u16;
        let turn: [fn(u16, u16, u16) -> u16; 3] = [
            |n, row, column| column * n + row,
            |n, row, column| (n - 1 - row) * n + column,
            |n, row, column| column * n + n - 1 - row,
        ];
        for turn in turn {
            let cells: Vec<u16> = (0..n * n).map(|cell| turn(n, cell / n, cell % n)).collect();
            let turned: Shape = crate::board::variants::turned(shape, &cells).parse().unwrap();
            let image = moved(&puzzle, turned, &cells);
            let image = Isomorphism::random(turned, Freedom::ALL, &mut rng).apply_to_puzzle(&image);
            assert_eq!(super::class_and_automorphisms(&image), form, "{shape} {turned}");
        }
    }
}

/// Regions of the user's own that are a variant have its classes. Others do not.
#[test]
fn regions_that_are_a_variant_have_its_classes() {
    let diagonal = "extra:r1c1r2c2r3c3r4c4r5c5r6c6r7c7r8c8r9c9";
    let other = "extra:r1c9r2c8r3c7r4c6r5c5r6c4r7c3r8c2r9c1";
    for (index, (named, regions)) in [
        ("windoku", WINDOWS.to_owned()),
        ("windoku+diagonal", format!("{diagonal}+{WINDOWS}")),
        ("antidiagonal", diagonal.to_owned()),
        ("x", format!("{diagonal}+{other}")),
        ("x", format!("diagonal+{other}")),
    ]
    .into_iter()
    .enumerate()
    {
        let mut rng = rng(9000 + index as u64);
        let named = Shape::NINE.with(named).unwrap();
        let puzzle = random_puzzle(named, &mut rng);
        let mirror = named.to_string().contains("antidiagonal");
        let cells: Vec<u16> = (0..81).map(|cell| if mirror { cell / 9 * 9 + 8 - cell % 9 } else { cell }).collect();
        let image = moved(&puzzle, Shape::NINE.with(&regions).unwrap(), &cells);
        assert_eq!(super::class(&image), super::class(&puzzle), "{named} {regions}");
        let plain = moved(&puzzle, Shape::NINE, &cells);
        assert_ne!(super::class(&plain), super::class(&puzzle), "{named}");
    }
}

/// Maps of rows alone keep a plain class. On a board with rules the class is kept by the maps that keep all houses, and
/// by no other.
#[test]
fn boards_with_rules_have_the_class_of_their_images() {
    for (index, shape) in crate::dig::testing::variants(9).into_iter().enumerate() {
        let mut rng = rng(7000 + index as u64);
        let solution = crate::solve::general::random_fill(shape, &mut rng, crate::solve::Budget::UNLIMITED).unwrap();
        for kept in [10, 30] {
            let puzzle = solution.masked(|_| rng.below(100) < kept);
            let (class, maps) = super::class_and_automorphisms(&puzzle);
            assert!(maps.is_some_and(|maps| maps >= 1));
            for _ in 0..4 {
                let image = Isomorphism::random(shape, Freedom::ALL, &mut rng).apply_to_puzzle(&puzzle);
                assert_eq!(super::class_and_automorphisms(&image), (class, maps), "{puzzle:?}");
            }
            if let Some((spared, _)) = puzzle.grid().given_cells().next() {
                let fewer = solution.masked(|cell| puzzle.grid().get(cell).is_some() && cell != spared);
                assert_ne!(super::class(&fewer), class);
            }
        }
        let blank = crate::board::Puzzle::try_from(Grid::blank(shape)).unwrap();
        assert_eq!(
            super::class_and_automorphisms(&blank).1.map(u64::from),
            Some(crate::board::maps::Maps::of(shape).count())
        );
    }
}
