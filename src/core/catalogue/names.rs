//! Permanent names of 9x9 puzzles: 20 characters for a puzzle up to symmetry, 27 for a labelled puzzle.
//!
//! ```text
//!   class name   ((rank - 1) * 2^81 + mask) * 13   in base 58, 20 characters
//!   label        (number * 2^81 + mask) * 23       in base 58, 27 characters
//! ```
//!
//! * The digits of base 58 are `123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz` for 0 to 57, without 0, O,
//!   I and l. The leftmost character is the most significant one. Names are padded with 1 on the left.
//! * `rank` is the rank of the solution's class, see [`crate::catalogue::classes::ranks`]. `mask` has one bit for each
//!   cell of the minlex solution, 1 for a given; the cell in the upper left corner has the highest of the 81 bits. If
//!   several maps make the solution minlex (it has automorphisms), the smallest mask is used. So all isomorphs of a
//!   puzzle have the same name, and two puzzles with the same name are isomorphs.
//! * `number` is the number of the labelled solution, see [`crate::catalogue::numbers::grids`], and its mask has the
//!   givens of the puzzle itself.
//! * The factors 13 and 23 detect mistyped names: they find a wrong character in 15 of 16 names, and in 34 of 35 labels.

use num_bigint::BigUint;

use crate::board::{Puzzle, Reason, Shape, Solution};
use crate::catalogue::classes::counts::CLASSES;
use crate::catalogue::classes::minlex::minlex;
use crate::catalogue::classes::ranks::{class_of_rank, rank_of_minlex};
use crate::catalogue::numbers::grids::{GRIDS, grid_of_number, number_of_values};
use crate::page::numbers::counted;

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const CELLS: u32 = 81;

/// The kinds of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// The name that all isomorphs share. It stands for the isomorph with a minlex solution.
    Class,
    /// The name of one labelled puzzle.
    Label,
}

impl NameKind {
    /// Number of characters.
    pub const fn length(self) -> usize {
        [20, 27][self as usize]
    }

    const fn factor(self) -> u32 {
        [13, 23][self as usize]
    }
}

fn mistyped() -> Reason {
    Reason("no puzzle has this name: a character is wrong, or two are exchanged".to_owned())
}

/// The name of a number (rank or labelled grid) and a mask: see the header.
fn write(kind: NameKind, number: u128, mask: u128) -> String {
    let product = ((BigUint::from(number) << CELLS) + mask) * kind.factor();
    let digits = product.to_radix_be(58);
    let padding = std::iter::repeat_n(0, kind.length() - digits.len());
    padding.chain(digits).map(|digit| char::from(ALPHABET[usize::from(digit)])).collect()
}

/// What a name says.
#[derive(Debug, PartialEq, Eq)]
struct NameParts {
    kind: NameKind,
    /// A rank less 1, or the number of a labelled grid.
    number: u128,
    mask: u128,
}

fn read(name: &str) -> Result<NameParts, Reason> {
    let length = name.chars().count();
    let kind = [NameKind::Class, NameKind::Label].into_iter().find(|kind| kind.length() == length);
    let lengths = "a name of all isomorphs has 20, and the label of one puzzle 27";
    let kind = kind.ok_or_else(|| Reason(format!("the name has {}, but {lengths}", counted(length, "character"))))?;
    let letters = "they consist of the digits 1 to 9 and of letters other than I, O and l";
    let mut digits = Vec::with_capacity(length);
    for character in name.chars() {
        let digit = ALPHABET.iter().position(|&letter| char::from(letter) == character);
        let digit = digit.ok_or_else(|| Reason(format!("names do not contain '{character}': {letters}")))?;
        digits.push(digit as u8);
    }
    let product = BigUint::from_radix_be(&digits, 58).ok_or_else(mistyped)?;
    let both = &product / kind.factor();
    let number = u128::try_from(&both >> CELLS).map_err(|_| mistyped())?;
    let mask = u128::try_from(&both & BigUint::from((1u128 << CELLS) - 1)).map_err(|_| mistyped())?;
    if both * kind.factor() == product { Ok(NameParts { kind, number, mask }) } else { Err(mistyped()) }
}

/// The mask of the cells for which `given` is true.
fn mask(given: impl Fn(usize) -> bool) -> u128 {
    (0..CELLS as usize).fold(0, |mask, cell| mask << 1 | u128::from(given(cell)))
}

/// The name of a puzzle, given with its only solution.
///
/// # Errors
/// If the board is not a 9x9 board without variants, or if the solution is not one of the puzzle.
pub fn name_of(kind: NameKind, puzzle: &Puzzle, solution: &Solution) -> Result<String, Reason> {
    match kind {
        NameKind::Class => ranked_name(puzzle, solution).map(|(_, name)| name),
        NameKind::Label => {
            let values = checked(puzzle, solution)?;
            let givens = puzzle.grid().values();
            Ok(write(kind, number_of_values(&values), mask(|cell| givens[cell] != 0)))
        }
    }
}

/// The class name of a puzzle, given with its only solution, and the rank of the class of the solution.
///
/// # Errors
/// The same as for [`name_of`].
pub fn ranked_name(puzzle: &Puzzle, solution: &Solution) -> Result<(u64, String), Reason> {
    let form = minlex(&checked(puzzle, solution)?);
    let givens = puzzle.grid().values();
    let masks = form.maps.iter().map(|map| mask(|cell| givens[map.origin(cell)] != 0));
    let rank = rank_of_minlex(form.band_class, &form.cells);
    Ok((rank, write(NameKind::Class, u128::from(rank - 1), masks.min().unwrap_or_default())))
}

/// The digits of the solution of a 9x9 puzzle.
fn checked(puzzle: &Puzzle, solution: &Solution) -> Result<[u8; 81], Reason> {
    puzzle.shape().only_plain("names")?;
    if puzzle.shape() != Shape::NINE {
        return Err(Reason(format!("only 9x9 puzzles have names, and this is the {}", puzzle.shape().board())));
    }
    let values = solution.grid().nine().filter(|_| puzzle.is_part_of(solution));
    values.ok_or_else(|| Reason("the solution does not agree with the givens of the puzzle".to_owned()))
}

/// The puzzle of a name, and its solution. For a class name that is the isomorph with a minlex solution. Whether the
/// puzzle has other solutions, too, is not checked.
///
/// # Errors
/// If the text is not a name: its length, a character, or its check is wrong, or [`name_of`] gives the puzzle another.
pub fn puzzle_of_name(name: &str) -> Result<(Puzzle, Solution), Reason> {
    let NameParts { kind, number, mask } = read(name.trim())?;
    let solution = match kind {
        NameKind::Class if number < u128::from(CLASSES) => class_of_rank(number as u64 + 1),
        NameKind::Label if number < GRIDS => grid_of_number(Shape::NINE, number),
        _ => None,
    };
    let solution = solution.ok_or_else(mistyped)?;
    let puzzle = solution.masked(|cell| mask >> (CELLS as usize - 1 - cell.index()) & 1 == 1);
    // Only the smallest mask of a class makes a name.
    match name_of(kind, &puzzle, &solution)? {
        right if right == name.trim() => Ok((puzzle, solution)),
        right => Err(Reason(format!("no puzzle has this name: the isomorphs of its puzzle have the name {right}"))),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::{Freedom, Isomorphism};
    use crate::catalogue::canonical;
    use crate::random::{Rng, Stage};

    fn puzzle(rng: &mut Rng) -> (Puzzle, Solution) {
        let number = (u128::from(rng.word()) << 64 | u128::from(rng.word())) % GRIDS;
        let solution = grid_of_number(Shape::NINE, number).unwrap();
        let keep = 17 + rng.below(64);
        (solution.masked(|_| rng.below(81) < keep), solution)
    }

    /// The last solutions have many automorphisms: the same cells may be given in many ways.
    #[test]
    fn isomorphs_share_a_name_that_leads_to_one_of_them() {
        let last = class_of_rank(CLASSES).unwrap();
        for index in 0..40 {
            let mut rng = Rng::new(51, index, Stage::Bench, 0);
            let (puzzle, solution) =
                if index < 30 { puzzle(&mut rng) } else { (last.masked(|_| rng.below(3) == 0), last.clone()) };
            let name = name_of(NameKind::Class, &puzzle, &solution).unwrap();
            let map = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng);
            let other = name_of(NameKind::Class, &map.apply_to_puzzle(&puzzle), &map.apply(&solution));
            assert_eq!((other.as_ref(), name.len()), (Ok(&name), 20));
            let (rebuilt, _) = puzzle_of_name(&name).unwrap();
            assert_eq!(canonical::class(&rebuilt), canonical::class(&puzzle));
        }
    }

    /// The last class has automorphisms, so they give most sets of cells several masks.
    #[test]
    fn only_the_smallest_mask_makes_a_name() {
        let last = class_of_rank(CLASSES).unwrap();
        let maps = minlex(&last.grid().nine().unwrap()).maps;
        assert!(maps.len() > 1);
        let mut refused = 0;
        for cell in (0..81).step_by(20) {
            let masks: BTreeSet<u128> = maps.iter().map(|map| mask(|at| map.origin(at) == cell)).collect();
            let smallest = masks.first().unwrap();
            for other in &masks {
                let name = write(NameKind::Class, u128::from(CLASSES) - 1, *other);
                assert_eq!(puzzle_of_name(&name).is_ok(), other == smallest, "{name}");
                refused += u32::from(other != smallest);
            }
        }
        assert!(refused > 0);
    }

    #[test]
    fn the_name_of_a_labelled_puzzle_leads_back_to_it() {
        for index in 0..300 {
            let (puzzle, solution) = puzzle(&mut Rng::new(53, index, Stage::Bench, 0));
            let label = name_of(NameKind::Label, &puzzle, &solution).unwrap();
            assert_eq!(label.len(), 27);
            assert_eq!(puzzle_of_name(&label), Ok((puzzle, solution)));
        }
    }

    #[test]
    fn the_smallest_and_largest_numbers_fit() {
        for (kind, last) in [(NameKind::Class, u128::from(CLASSES) - 1), (NameKind::Label, GRIDS - 1)] {
            for number in [0, last] {
                for mask in [0, (1 << 81) - 1] {
                    assert_eq!(read(&write(kind, number, mask)), Ok(NameParts { kind, number, mask }));
                }
            }
        }
    }

    #[test]
    fn mistyped_names_are_refused() {
        let name = write(NameKind::Class, 123_456_789, 0x1_2345_6789_abcd_ef01_2345);
        let (mut wrong, mut found) = (0, 0);
        for at in 0..20 {
            for &letter in ALPHABET {
                let mut typed = name.clone().into_bytes();
                if std::mem::replace(&mut typed[at], letter) != letter {
                    wrong += 1;
                    found += u32::from(read(&String::from_utf8(typed).unwrap()).is_err());
                }
            }
        }
        assert!(found * 15 >= wrong * 14 - 15, "{found} of {wrong}");
        assert!(read("short").unwrap_err().to_string().contains("has 5 characters"));
        assert!(read("0123456789abcdefghij").unwrap_err().to_string().contains("do not contain '0'"));
        assert!(puzzle_of_name("zzzzzzzzzzzzzzzzzzzz").is_err());
    }
}
