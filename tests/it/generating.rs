//! Tests of all methods: valid grids, the same grid from the same generator, all grids of 4x4. That their probabilities
//! are right is tested with `coverage`, which computes them.

use std::collections::HashSet;
use std::sync::Arc;

use sudoku_corpus::board::{Grid, Puzzle, Shape, Solution, VARIANTS};
use sudoku_corpus::generate::{Bases, Jumps, Method, Strength};
use sudoku_corpus::random::{Rng, Stage};
use sudoku_corpus::solve::{Budget, solutions};

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

/// Every method except `uniform-classes`; the permutation method with every strength.
fn methods(shape: Shape) -> Vec<Method> {
    let bases = Bases::of_solutions(vec![Solution::template(shape)]).unwrap();
    let mut methods: Vec<Method> = Strength::ALL.map(Method::Permutation).to_vec();
    methods.extend(searching());
    methods.push(Method::Uniform);
    methods.push(Method::BaseShuffle(Arc::new(bases)));
    methods
}

/// The methods that search. They can reach every grid.
fn searching() -> impl Iterator<Item = Method> {
    Method::searching_and_uniform().into_iter().take(5)
}

/// The values of a grid, which is checked.
fn draw(method: &Method, shape: Shape, index: u64) -> Vec<u16> {
    let solution = method.fill(shape, &mut Rng::new(11, index, Stage::Generate, 0)).unwrap();
    assert_eq!(solution.shape(), shape);
    Solution::try_from(solution.into_grid()).unwrap_or_else(|_| panic!("{method} {shape}")).values().to_vec()
}

#[test]
fn every_method_makes_valid_grids_of_every_shape_it_accepts() {
    for shape in Shape::all(16) {
        for method in methods(shape).iter().filter(|method| method.accepts(shape).is_ok()) {
            let drawn = [5, 5, 6].map(|index| draw(method, shape, index));
            assert!(drawn[0] == drawn[1] && drawn[0] != drawn[2], "{method} {shape}");
        }
    }
    for (name, text) in
        [("row-major", "4x5"), ("jump-back:8,30", "5x5"), ("digit-by-box", "5x5"), ("seeded-cross", "6x6")]
    {
        draw(&Method::from_name(name, None).unwrap(), shape(text), 0);
    }
}

#[test]
fn one_method_makes_boards_with_rules_and_all_others_refuse_them_in_the_same_words() {
    let mut with_grids = 0;
    let with_rules =
        Shape::all(9).into_iter().flat_map(|shape| VARIANTS.iter().filter_map(move |info| shape.with(info.name).ok()));
    for shape in with_rules.filter(|shape| shape.order() > 5) {
        // Some boards with rules have no grid.
        if Method::FewestCandidates.fill(shape, &mut Rng::new(11, 5, Stage::Generate, 0)).is_err() {
            continue;
        }
        with_grids += 1;
        for method in methods(Shape::NINE) {
            match method.accepts(shape) {
                Ok(()) => drop(draw(&method, shape, 5)),
                Err(why) => assert!(why.0.contains("only for boards without further rules"), "{why}"),
            }
            assert_eq!(method.accepts(shape).is_ok(), method == Method::FewestCandidates, "{method} {shape}");
        }
    }
    assert!(with_grids > 10, "{with_grids}");
}

/// FNV-1a over the values of the first three grids of each of some shapes.
fn hash(method: &Method, shapes: &[Shape]) -> u64 {
    let accepted = shapes.iter().filter(|shape| method.accepts(**shape).is_ok());
    let values = accepted.flat_map(|&shape| (0..3).flat_map(move |index| draw(method, shape, index)));
    values.fold(0xcbf2_9ce4_8422_2325, |hash, value| (hash ^ u64::from(value)).wrapping_mul(0x100_0000_01b3))
}

/// The stream of grids is part of the file format: a change here changes every corpus.
#[test]
fn the_first_grids_of_every_method_are_pinned() {
    let shapes = ["2x2", "3x2", "3x3", "3x4"].map(shape);
    for (name, pinned) in PINNED {
        let method = Method::from_name(name, None).unwrap();
        let hash = hash(&method, &shapes);
        assert_eq!(hash, pinned, "{name}: {hash:#018x}");
    }
}

/// Larger boards, filled by the general solver. Of the methods, only `fewest-candidates` fills boards with it.
#[test]
fn the_first_large_grids_are_pinned() {
    let found = LARGE.map(|(text, _)| (text, hash(&Method::FewestCandidates, &[shape(text)])));
    assert_eq!(found, LARGE, "{found:#x?}");
}

const LARGE: [(&str, u64); 5] = [
    ("3x5", 0x3498_d671_deb9_6393),
    ("4x4", 0x5cad_90f2_b172_6631),
    ("4x5", 0x3c39_5b54_1fed_d1c1),
    ("5x5", 0x39bf_5b5a_aa6c_d4b2),
    ("6x6", 0xf6b1_6b2a_4618_6a6d),
];

const PINNED: [(&str, u64); 9] = [
    ("fewest-candidates", 0x7c99_66af_209f_d9c8),
    ("permutation", 0xd3ff_880e_11da_60d0),
    ("permutation:blocks", 0x1033_63f1_3dbc_5bc8),
    ("permutation:transpose", 0x5889_ab05_f154_d09e),
    ("row-major", 0x0994_6683_d82e_4fd8),
    ("jump-back", 0xe0d5_b398_385a_841c),
    ("digit-by-box", 0x4198_1270_391f_3fc4),
    ("seeded-cross", 0x8358_f458_a2c9_59c8),
    ("uniform", 0xe1fa_3b76_19a8_c3a0),
];

#[test]
fn every_searching_method_reaches_all_288_grids_of_4x4() {
    let blank = Puzzle::try_from(Grid::blank(shape("2x2"))).unwrap();
    let (grids, _) = solutions(&blank, 1000, Budget::UNLIMITED);
    let all: HashSet<Vec<u16>> = grids.iter().map(|grid| grid.values().to_vec()).collect();
    assert_eq!(all.len(), 288);
    for method in searching() {
        let reached: HashSet<Vec<u16>> = (0..6000).map(|index| draw(&method, shape("2x2"), index)).collect();
        assert_eq!(reached, all, "{method}");
    }
}

#[test]
fn jump_back_ends_with_any_jumps() {
    for (short, long) in [(1, 1), (1, 400), (3, 2), (400, 400), (7, 12), (6, 16)] {
        let method = Method::JumpBack(Jumps::new(short, long).unwrap());
        for shape in [shape("2x2"), shape("2x3"), Shape::NINE] {
            let found = method.fill(shape, &mut Rng::new(3, 0, Stage::Generate, 0));
            assert!(found.is_ok(), "{method} {shape}: {found:?}");
        }
    }
    assert_eq!(Jumps::new(0, 16), None);
}

#[test]
fn impractical_shapes_are_refused_with_the_reason() {
    let message = |method: Method, text: &str| {
        method.fill(shape(text), &mut Rng::new(1, 0, Stage::Generate, 0)).unwrap_err().to_string()
    };
    for method in searching() {
        let text = message(method.clone(), "6x7");
        assert!(text.contains("the 42x42 board, 6x7 boxes") && text.contains("order"), "{text}");
    }
    let bases = Bases::new(vec![Puzzle::from(Solution::template(shape("2x2")))], Budget::UNLIMITED).unwrap();
    for (method, text, reason) in [
        (
            Method::BaseShuffle(Arc::new(bases)),
            "3x3",
            "9x9 board, 3x3 boxes: its bases are of the 4x4 board, 2x2 boxes",
        ),
        (Method::Uniform, "2x5", "10x10 board, 2x5 boxes: its grids are counted only for 9x9, 4x4, 6x6 and 8x8 boards"),
        (
            Method::Permutation(Strength::Transpose),
            "2x3",
            "6x6 board, 2x3 boxes: transposition would make 3x2 boxes; use the strength 'blocks'",
        ),
    ] {
        let start = format!("method '{}' does not make the {reason}", method.name());
        assert!(message(method, text).starts_with(&start), "{start}");
    }
}
