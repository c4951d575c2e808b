//! The promises of the rating: cases of every technique, invariance, soundness, trace and rating in agreement.

use super::library::{self, Case, Outcome};
use super::*;
use crate::board::text::parse_line;
use crate::board::{Cell, Digit, Freedom, Grid, Isomorph, Narrow, Shape, Solution};
use crate::random::{Rng, Stage};

/// One case for every code, quoted from HoDoKu's regression library (`reglib`, HoDoKu 2.2.0).
const CASES: &[&str] = &[
    ":0000:8:9...6...76....45.1..1....6....6..8.4.194+3762+54.7..8....5....7..7.48....31...4...2:::851:",
    ":0002:3:.....85.......46.7..1..6+8.9.7983.....2.....8.....5273.9..1..2..4.57.......86.....:::319:",
    ":0003:3:....4...7.4.69.......2.86.1.2....36.7.......5.38....1.2.93.6.......52.8.4...7....:::335:",
    ":0110-1:68:9862.......4...8...5......2.6..37.....51..29.1..4...3......3.2.57....6........15.::659 665 666 844 851 859 865 866::",
    ":0111-1:247:..+7..4.259.1..374......+7..+16.+5+27.49....93.51..+98...+2....3..+91.24.+67.2..+9..+9+3....+4::759 761::",
    ":0100:8:9+7.+368.+4.+6..5.+2.732..17.8...5...+74..+4.68.37....7....9.+7.2.81..416+4+7+35...+5..42...7::898::",
    ":0101:5:+9......+87...9.86.2....2.39..7.3....1..92468+7+33....7.2..95.6...+87.65.1...4........:162 163 477 478:541 562::",
    ":0200:56:..+1..46.....+685+1.46.4.9+1...2..1.+87...65.3.91+8..8..9..3....4.8.13..81......69.....:264 265 374:548 648::",
    ":0201:158:.6472+9...57.+4+83.+6+9.+9.1+56.4.72..9.....+5..+3..+9..+4+9+57..86+43+59+67.+2..+8.3+1+5+974+9+1+7+24865+3::159 839::",
    ":0210:69:91.5...6.....13..5.584......39..+5..4.6+5.+4..8.4.....65.....+5419+75+4+178+9..+6.9.+1.6+548::224 235 735 824::",
    ":0211:137:..+5.+3..61.6.52..4..+4.1.+63...2..+51.+37..42.35+1.5..6...9.+4.2+8.9....5.+742.8.79+8+3.+5.+2.:762 862 687 689:852::",
    ":0202:2567:...7........6..7.4...+493..8+94+2..+7356635+9+2+48+17.1.+3+6+5+2+49....+3....2+8+3549+6+7+15+91+27+6+48+3::613 731::",
    ":0212:3489:...7........6..7.4...+493..8+94+2..+7356635+9+2+48+17.1.+3+6+5+2+49....+3....2+8+3549+6+7+15+91+27+6+48+3::111 121 613::",
    ":0300:1:....+3.....2+8.91.+3.4.3....+97546.2.9..+1978..+3523+8+2....+46..5....23.6+4.1.....+3..8.4..::112 117 167::",
    ":0301:7:.....+6.5..46.518..+1+5.9..4.6+63+98.+5...+82+53+1.6.9417+6+29+3+8+5..+3+568+2142+6+4+1..+5.85+81....+6.::715 728 745 748 795 796::",
    ":0302:7:2.......3.8..3..5...34.21....12.54......9......93.86....25.69...9..2..7.4.......1::712 715 721 729 751 752 759 792 795::",
    ":0400:8:.92.3+814737.+1+2+4.69...+7.+93+2..+27..+3.+9.4..+9.2.+7.+9+5.4+7+123.+26+9+845+7+1+3.8.39..+52...+21.98.::839 847 857::",
    ":0401:4:.7.5.+6..31+3.7.+9+586.+65.+3...+9..69....7+7.16.39..3...+752+6.....+6+78..24..+91+6.56...+54.9.:234 834 864 278:463::",
    ":0803:14:7+6+2.3.5+84+59+86+2+4137...+7+58...8+2+5+3.+7...4+3+9..5+7.2+67149+2+3+5+8..6.7.+8.5.8+7+5.+6..+3.+5....671::174 176 181::",
    ":0800:234:.......6.1.3.7..+82+6.2.+8.4.....59+7+6...6...8...7..4.....+237...+895+5847+3+9+21+6+9+1+6+85+2+7+43::341 357 358::",
    ":0801:248:6+4+8+3+5+9..239+2+1+8+7+6+54...+42638+915.+83...+6.+6+35+7...+8..79+6.+5.+3...+7+93+8+6+5.+3.+618247..+624+5+9+31::251::",
    ":0702:8:....1+74.+6..4....+17....+48329+4987+56+13+2.7.+182...+25+1+4396+7+85...9...1..2.............6.::818 877 887 897::7",
    ":0706:1359:..28.....7..+9...3.4..3.5..68+2.4...67.715......+46.....9...+749.....7...6+452.+4+6+5.+97.::118 343 567 932::7",
    ":0707-2:3:....8.2....5....4..2...5...+9+6+2+8+37.....+321+4+6971+74+5..+83+2..+1......+6973+4+852+1+2+48+75136+9::319::8",
    ":0708-1:3:........8...3....+5.....547......7.1.491+8..+5.+7..+25+1..+8+4+12+3+79+485+6+9+876+5+1+3+42+5+46+23879+1::339 358::7",
    ":0709-1:1289:....3.94+66.....+57....6..1+2...95..+4+12+4+82+173+69515+6+942+3+8+7.+6..5.+7+3..43...8+5....+3..26.:211:122 222 831 833 836 936::7",
    ":0710-3:14:81+6+3..7..+9+2415+7+83+6+57+38.....489.1.2.+3........9.....3...+2.5..+1...+197538+64+2..+82...1.::137 437::9",
    ":0711-3:1:.+7....9...461..7.3.5.....4.+765...+8+12+21+468+5+3+79+3+8927+1..4.98.+1..+3..+275.31.85+31......::119 131::11",
];

/// Minimal puzzles with the level that HoDoKu 2.2.0 gives them.
const LEVELS: [(&str, Level); 9] = [
    ("073002000000006037000000420800001000020600900900000870209410000007000000010000068", Level::Easy),
    ("000000010400000000020000000000050407008000300001090000300400200050100000000806000", Level::Easy),
    ("000009001300000000070060590000000830809000010000506000003002070900301050062070000", Level::Medium),
    ("005000000000608000608953000106009000002506003000010000009300000203800056007000109", Level::Medium),
    ("000040607020500000000000300000002080000073000010000000600400050700800000300000000", Level::Medium),
    ("000400010600050000700000000000070200010090000040000000000300605000109000800000700", Level::Medium),
    ("000000000174080000000109700080500000006000000709000001901406005002000690050800200", Level::Hard),
    ("040170906007000080000400002200040000080000600604920800500000700061000040029000001", Level::Hard),
    ("300000028100000030000010000040003006005070080208040000000085003000000504003106000", Level::Hard),
];

/// Beyond singles, intersections and subsets: Extreme by HoDoKu 2.2.0, Unfair the second.
const BEYOND: [&str; 2] = [
    "073000200090004080010050000000000000021080007980300450000001300000740000000029008",
    "080024030570008900010050007000000090000190800000002000051000300700000020092080500",
];

fn puzzle(line: &str) -> Puzzle {
    Puzzle::try_from(parse_line(line, None).unwrap()).unwrap()
}

/// Solutions of a position, up to a limit, digits tried in random order.
fn solve<S: CellSet>(marks: &Candidates<S>, limit: usize, rng: &mut Rng, found: &mut Vec<Vec<u16>>) {
    if marks.is_broken() || found.len() >= limit {
        return;
    }
    let Some(cell) = marks.open().cells().min_by_key(|&cell| marks.of_cell(cell).len()) else {
        found.push(marks.values().to_vec());
        return;
    };
    let mut digits: Vec<Digit> = marks.of_cell(cell).collect();
    rng.shuffle(&mut digits);
    for digit in digits {
        let mut next = marks.clone();
        next.place(cell, digit);
        solve(&next, limit, rng, found);
    }
}

struct Solutions<'a>(&'a Puzzle, usize, &'a mut Rng);

impl AtWidth for Solutions<'_> {
    type Output = Vec<Vec<u16>>;
    fn run<S: CellSet>(self) -> Vec<Vec<u16>> {
        let mut found = Vec::new();
        solve(&Candidates::<S>::new(self.0), self.1, self.2, &mut found);
        found
    }
}

fn solutions(puzzle: &Puzzle, limit: usize, rng: &mut Rng) -> Vec<Vec<u16>> {
    at_width(puzzle.shape(), Solutions(puzzle, limit, rng))
}

fn random_solution(shape: Shape, rng: &mut Rng) -> Solution {
    let blank = Puzzle::try_from(Grid::blank(shape)).unwrap();
    Solution::trusted(shape, solutions(&blank, 1, rng).remove(0))
}

/// A puzzle with one solution from which `tries` random cells were taken where that keeps it unique.
fn dug(solution: &Solution, tries: usize, rng: &mut Rng) -> Puzzle {
    let mut order: Vec<usize> = (0..solution.shape().cells()).collect();
    rng.shuffle(&mut order);
    let mut kept = vec![true; order.len()];
    for &cell in order.iter().take(tries) {
        kept[cell] = false;
        let unique = solutions(&solution.masked(|cell| kept[cell.index()]), 2, rng).len() == 1;
        kept[cell] = !unique;
    }
    solution.masked(|cell| kept[cell.index()])
}

/// Puzzles of many shapes: quoted ones, dug ones, ones with several solutions.
fn sample() -> Vec<Puzzle> {
    let mut rng = Rng::new(5, 0, Stage::Bench, 0);
    let mut puzzles: Vec<Puzzle> = LEVELS.iter().map(|(line, _)| puzzle(line)).collect();
    puzzles.extend(BEYOND.map(puzzle));
    for (shape, tries, number) in
        [("2x2", 16, 8), ("2x3", 36, 12), ("3x2", 36, 12), ("2x4", 64, 6), ("3x3", 81, 30), ("2x5", 60, 3)]
    {
        for _ in 0..number {
            let solution = random_solution(shape.parse().unwrap(), &mut rng);
            puzzles.push(dug(&solution, tries, &mut rng));
            puzzles.push(solution.masked(|_| rng.below(3) > 0));
        }
    }
    for shape in ["3x4", "4x3", "4x4"] {
        let solution = random_solution(shape.parse().unwrap(), &mut rng);
        puzzles.extend([4, 5, 6].map(|kept| solution.masked(|_| rng.below(10) < kept)));
    }
    puzzles
}

#[test]
fn every_code_of_the_table_has_a_quoted_case_and_passes_it() {
    for info in &TECHNIQUES {
        let mut cases = CASES.iter().filter(|line| Case::parse(line).unwrap().code == info.library).peekable();
        assert!(cases.peek().is_some(), "no case of {}", info.code);
        for line in cases {
            assert_eq!(Case::parse(line).unwrap().run(), Outcome::Passed, "{line}");
        }
    }
}

/// Replays a whole file of cases when there is one: `techniques/hodoku_reglib_dev.txt` in the folder that the variable
/// SUDOKU_CORPUS_DATA names, or in `../shared/data`.
#[test]
fn every_case_of_the_library_file_passes() {
    let folder = std::env::var("SUDOKU_CORPUS_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data").to_owned());
    let path = format!("{folder}/techniques/hodoku_reglib_dev.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {path} is not there; set SUDOKU_CORPUS_DATA to replay the library of technique cases");
        return;
    };
    let cases = text.lines().filter(|line| line.starts_with(':'));
    let outcomes: Vec<(&str, Outcome)> = cases.map(|line| (line, Case::parse(line).unwrap().run())).collect();
    let failed: Vec<&str> = outcomes.iter().filter(|(_, out)| *out == Outcome::Failed).map(|(line, _)| *line).collect();
    assert!(failed.is_empty(), "{} cases fail:\n{}", failed.len(), failed.join("\n"));
    assert!(outcomes.iter().filter(|(_, outcome)| *outcome == Outcome::Passed).count() > 200);
}

#[test]
fn quoted_puzzles_have_the_level_that_hodoku_gives_them() {
    for (line, level) in LEVELS {
        let rating = rate(&puzzle(line), &Ladder::default());
        assert_eq!((rating.level, rating.end), (level, End::Finished), "{line}");
    }
    let short: Ladder = "singles,intersections,subsets".parse().unwrap();
    for line in BEYOND {
        let rating = rate(&puzzle(line), &short);
        assert_eq!((rating.level, rating.end, rating.finished), (Level::Beyond, End::Stuck, false), "{line}");
        assert!(rating.open_cells > 0);
    }
}

#[test]
fn every_isomorph_has_the_same_rating() {
    let mut rng = Rng::new(6, 0, Stage::Bench, 0);
    for puzzle in sample() {
        let rating = rate(&puzzle, &Ladder::default());
        let transposed = Isomorph::transposition(puzzle.shape());
        for _ in 0..4 {
            let map = Isomorph::random(puzzle.shape(), Freedom::ALL, &mut rng);
            let image = map.apply_to_puzzle(&puzzle);
            assert_eq!(rate(&image, &Ladder::default()), rating, "{puzzle:?}\n{image:?}");
            let turned = transposed.apply_to_puzzle(&image);
            assert_eq!(rate(&turned, &Ladder::default()), rating, "{puzzle:?}\n{turned:?}");
        }
    }
}

/// In a puzzle with symmetries of its own several steps have the same label; they must be taken together.
#[test]
fn puzzles_with_automorphisms_are_rated_alike_too() {
    let mut rng = Rng::new(7, 0, Stage::Bench, 0);
    for shape in Shape::all(16) {
        let (n, rows, columns) = (shape.order(), shape.box_rows(), shape.box_columns());
        let value = |row: usize, column: usize| (columns * (row % rows) + row / rows + column) % n + 1;
        let values = (0..n * n).map(|at| value(at / n, at % n) as u16).collect();
        let template = Solution::trusted(shape, values);
        let (first_rows, diagonal) =
            (|cell: Cell| cell.row(shape).is_multiple_of(rows), |cell: Cell| cell.index().is_multiple_of(n + 1));
        for puzzle in [
            template.masked(|cell| !first_rows(cell)),
            template.masked(|cell| !diagonal(cell)),
            template.masked(|cell| !first_rows(cell) && !diagonal(cell)),
            template.masked(diagonal),
            template.masked(|_| false),
        ] {
            let rating = rate(&puzzle, &Ladder::default());
            let map = Isomorph::random(shape, Freedom::ALL, &mut rng).then(&Isomorph::transposition(shape));
            assert_eq!(rate(&map.apply_to_puzzle(&puzzle), &Ladder::default()), rating, "{puzzle:?}");
        }
    }
}

#[test]
fn trace_and_rating_agree_and_the_trace_replays() {
    for puzzle in sample() {
        let (rating, trace) = (rate(&puzzle, &Ladder::default()), trace(&puzzle, &Ladder::default()));
        assert_eq!(trace.counts(), rating.counts, "{puzzle:?}");
        assert_eq!((trace.end, trace.open_cells), (rating.end, rating.open_cells));
        let last = replay(&puzzle, &trace).unwrap();
        assert_eq!(last.holes(), rating.open_cells);
        if rating.finished {
            assert!(Solution::try_from(last).is_ok());
        }
        let scores = TECHNIQUES.iter().zip(rating.counts).map(|(info, count)| info.score * count);
        assert_eq!(scores.sum::<u32>(), rating.score);
        assert_eq!(rating.hardest, trace.steps.iter().map(|step| step.technique).max_by_key(|step| step.rank()));
    }
}

/// No technique so far assumes that there is only one solution, so no step may contradict any solution.
#[test]
fn no_step_contradicts_a_solution() {
    let mut rng = Rng::new(8, 0, Stage::Bench, 0);
    for puzzle in sample() {
        for solution in solutions(&puzzle, 3, &mut rng) {
            for step in trace(&puzzle, &Ladder::default()).steps {
                let is = |&(cell, digit): &(Cell, Digit)| solution[cell.index()] == digit.value();
                assert!(step.placements.iter().all(is), "{}", step.words(puzzle.shape()));
                assert!(!step.eliminations.iter().any(is), "{}", step.words(puzzle.shape()));
            }
        }
    }
}

#[test]
fn every_technique_is_used_somewhere_on_boards_that_are_not_nine() {
    let mut rng = Rng::new(9, 0, Stage::Bench, 0);
    let mut used = [false; Technique::COUNT];
    for (shape, kept) in [("2x3", 40), ("3x4", 42), ("4x4", 42), ("4x4", 45), ("2x5", 38), ("3x4", 38)] {
        for _ in 0..6 {
            let solution = random_solution(shape.parse().unwrap(), &mut rng);
            let counts = rate(&solution.masked(|_| rng.below(100) < kept), &Ladder::default()).counts;
            used.iter_mut().zip(counts).for_each(|(used, count)| *used |= count > 0);
        }
    }
    let basic = Technique::all().take_while(|&technique| technique < Technique::NakedQuadruple);
    let unused: Vec<&str> = basic.filter(|&technique| !used[technique as usize]).map(Technique::code).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn the_largest_boards_are_rated() {
    for shape in ["5x5", "6x6"].map(|shape| shape.parse::<Shape>().unwrap()) {
        let (n, rows, columns) = (shape.order(), shape.box_rows(), shape.box_columns());
        let value = |at: usize| (columns * (at / n % rows) + at / n / rows + at % n) % n + 1;
        let solution = Solution::trusted(shape, (0..n * n).map(|at| value(at) as u16).collect());
        let mut rng = Rng::new(10, n as u64, Stage::Bench, 0);
        let puzzle = solution.masked(|_| rng.below(4) > 0);
        let rating = rate(&puzzle, &Ladder::default());
        assert!(rating.open_cells * 10 < puzzle.grid().holes(), "{shape}: {} open", rating.open_cells);
        let last = replay(&puzzle, &trace(&puzzle, &Ladder::default())).unwrap();
        assert!(Puzzle::try_from(last).unwrap().is_part_of(&solution));
        let map = Isomorph::random(shape, Freedom::ALL, &mut rng);
        assert_eq!(rate(&map.apply_to_puzzle(&puzzle), &Ladder::default()), rating);
    }
}

#[test]
fn boards_above_order_36_are_refused_without_a_panic() {
    let blank = Puzzle::try_from(Grid::blank("7x7".parse().unwrap())).unwrap();
    let rating = rate(&blank, &Ladder::default());
    assert_eq!((rating.end, rating.level, rating.open_cells), (End::TooLarge, Level::Beyond, 49 * 49));
    assert_eq!(trace(&blank, &Ladder::default()).end, End::TooLarge);
    assert_eq!((hint(&blank), next_step(&blank, &Ladder::default())), (None, None));
    assert_eq!(digits_at(&blank, Cell::new(0)), None);
}

#[test]
fn a_puzzle_without_solution_ends_in_a_contradiction() {
    let rated = |rows: [&str; 9]| rate(&puzzle(&rows.concat()), &Ladder::default());
    let blank = ".........";
    // r1c9 has no candidate.
    let rating = rated(["12345678.", "........9", blank, blank, blank, blank, blank, blank, blank]);
    assert_eq!((rating.end, rating.level, rating.score), (End::Contradiction, Level::Beyond, 0));
    assert_eq!(rating.open_cells, 72);
    // r1c7 and r1c8 can only be 7: seen when the first of them is placed.
    let digits = ["......8..", "......9..", blank, ".......8.", ".......9.", blank];
    let rating = rated(["123456...", blank, blank, digits[0], digits[1], digits[2], digits[3], digits[4], digits[5]]);
    assert_eq!((rating.end, rating.level, rating.score), (End::Contradiction, Level::Beyond, 0));
    assert_eq!(rating.open_cells, 71);
}

#[test]
fn a_ladder_stops_as_soon_as_the_level_is_exceeded() {
    for (line, level) in LEVELS {
        let full = rate(&puzzle(line), &Ladder::default());
        for limit in [Level::Easy, Level::Medium, Level::Hard] {
            let rating = rate(&puzzle(line), &Ladder::default().stopping_above(limit));
            if level > limit {
                assert!(rating.end == End::Stopped && rating.level > limit && !rating.finished);
                assert!(rating.open_cells > 0 && rating.score < full.score);
            } else {
                assert_eq!(rating, full);
            }
        }
    }
}

#[test]
fn a_shorter_ladder_uses_only_its_rungs() {
    let singles: Ladder = "singles".parse().unwrap();
    for (line, _) in LEVELS {
        let (rating, full) = (rate(&puzzle(line), &singles), rate(&puzzle(line), &Ladder::default()));
        let family = full.hardest.map(|technique| technique.info().family);
        assert_eq!(rating.finished, family == Some(Family::Singles), "{line}");
        assert!(Technique::all().all(|technique| singles.has(technique) || rating.count(technique) == 0));
    }
}

#[test]
fn steps_of_a_trace_written_as_cases_pass() {
    for (line, _) in LEVELS {
        let puzzle = puzzle(line);
        for line in library::lines(&puzzle, &trace(&puzzle, &Ladder::default())).unwrap() {
            let case = Case::parse(&line).unwrap();
            assert_eq!(case.run(), Outcome::Passed, "{line}");
        }
    }
}

#[test]
fn lines_that_are_no_cases_say_why() {
    for (line, message) in [
        (":0300:1", "2 fields between colons, at least 6 expected"),
        (":0300:1:...::::", "the givens are not 81 cells: ..."),
        (
            &format!(":0300:1:{}::999 1::", ".".repeat(81)),
            "'1' is not a candidate: write digit, row and column, for example 436",
        ),
        (
            &format!(":0300:1:11{}::::", ".".repeat(79)),
            "the givens contradict each other: digit 1 stands twice in row 1: r1c1 and r1c2",
        ),
    ] {
        assert_eq!(Case::parse(line).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_wrong_trace_does_not_replay() {
    let puzzle = puzzle(LEVELS[6].0);
    let good = trace(&puzzle, &Ladder::default());
    let mut twice = good.clone();
    let again = Step { round: u32::MAX, ..twice.steps[0].clone() };
    twice.steps.push(again);
    assert!(matches!(replay(&puzzle, &twice), Err(ReplayError::Closed { .. })));
    let mut short = good.clone();
    short.steps.pop();
    assert_eq!(replay(&puzzle, &short), Err(ReplayError::End { found: 1, claimed: 0 }));
    let mut idle = good;
    idle.steps[0].placements.clear();
    idle.steps[0].eliminations.clear();
    assert_eq!(replay(&puzzle, &idle), Err(ReplayError::Idle { step: 1 }));
}

#[test]
fn words_name_digits_cells_and_houses() {
    for (case, technique, expected) in [
        (0, Technique::FullHouse, "Full House: 8 in r5c1 (row 5) => r5c1=8"),
        (5, Technique::Pointing, "Locked Candidates 1 (Pointing): 8 in r9c2 r9c3 (box 7; row 9) => r9c8<>8"),
        (7, Technique::NakedPair, "Naked Pair: 5/6 in r4c5 r4c9 (row 4) => r4c8<>5 r4c8<>6"),
        (
            13,
            Technique::XWing,
            "X-Wing: 1 in r3c2 r3c7 r7c2 r7c7 (row 3, row 7; column 2, column 7) => r1c2<>1 r1c7<>1 r6c7<>1",
        ),
        (19, Technique::XyWing, "XY-Wing: 2/3/4 in r4c2 r4c8 r5c1 => r4c1<>3 r5c7<>3 r5c8<>3"),
    ] {
        let case = Case::parse(CASES[case]).unwrap();
        let steps = find_all(technique, &case.marks);
        let words: Vec<String> = steps.iter().map(|step| step.words(Shape::NINE)).collect();
        assert!(words.iter().any(|words| words == expected), "{words:#?}");
    }
}

#[test]
fn hints_circle_the_cells_with_fewest_candidates() {
    let full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let one = puzzle(&full.replacen('5', ".", 1));
    let found = hint(&one).unwrap();
    assert_eq!((found.fewest, found.colour, found.cells), (Some(1), Some(Colour::Red), vec![Cell::new(0)]));
    assert_eq!(digits_at(&one, Cell::new(0)).unwrap().single(), Some(Digit::new(5)));
    assert_eq!(digits_at(&one, Cell::new(1)).unwrap().len(), 0);
    assert_eq!(digits_at(&one, Cell::new(81)), None);
    let step = next_step(&one, &Ladder::default()).unwrap();
    assert_eq!(step.words(Shape::NINE), "Full House: 5 in r1c1 (row 1) => r1c1=5");
    let blank = hint(&Puzzle::try_from(Grid::blank("2x2".parse().unwrap())).unwrap()).unwrap();
    assert_eq!((blank.fewest, blank.colour, blank.cells.len()), (Some(4), None, 16));
    assert_eq!(hint(&puzzle(full)).unwrap().fewest, None);
}

#[test]
fn a_hidden_single_becomes_the_only_candidate() {
    let puzzle = puzzle(LEVELS[0].0);
    let found = hint(&puzzle).unwrap();
    for step in find_all::<Narrow>(Technique::HiddenSingleBox, &Candidates::new(&puzzle)) {
        let (cell, digit) = step.placements[0];
        assert_eq!(found.candidates[cell.index()].single(), Some(digit));
        assert!(found.cells.contains(&cell) && found.colour == Some(Colour::Red));
    }
}
