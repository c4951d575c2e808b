//! Multi-sector locked sets and SK-Loops: cells whose candidates are covered by as many links as there are cells.
//!
//! ```text
//!   N cells hold N digits. If N links, each a digit in one house, cover every candidate of the cells, then each link
//!   has its digit in exactly one of the cells:
//!     the digit is removed from the rest of the house, and from a cell that two of its links share.
//!
//!   #  #  | #  #        multi-sector locked set: the open cells at the crossings of some rows and some columns;
//!   #  #  | #  #        a digit is covered by rows, by columns, or by some of both
//!
//!   *  a  a | *  b  b   SK-Loop: the rectangle * in four boxes is filled. In each box, its row and its column have
//!   h       | c         two other cells each, of which at least one is open: 8 pairs. Each pair shares a line with one
//!   h       | c         neighbour and the box with the other: a-b row, b-c box, c-d column, ... , h-a box.
//!   --------+--------   Links are digits in these 8 houses only, as a rule two in each.
//!   *  f  f | *  e  e
//! ```
//!
//! For each digit, count the fewest houses that cover its candidates in the cells. The cells are locked exactly when
//! these numbers add up to the number of cells. Then every cover of that size is locked and removes candidates.
//!
//! The search for multi-sector locked sets takes two or more rows and two or more columns. At least one of the two
//! kinds has at most four lines; sets with five or more of both are not searched. The count uses covers of rows and
//! columns. The covers that remove candidates may also contain boxes.
//!
//! Reference: S. Kurzhals (Steve K) on Easter Monster, 2007, and A. Stuart, SudokuWiki, "SK Loops"; D. P. Bird,
//! "Using Multi-Sector Locked Sets", forum of the New Sudoku Players. HoDoKu does not know these techniques.

use crate::board::digit::bits;
use crate::board::{Candidates, CellSet, Digit, Digits, House, HouseKind, Narrow};

use crate::bits::count;
use crate::ladder::words::sink::Pattern;

/// Takes an instance on a 9x9 board: its priority, what it removes, and its pattern.
pub(crate) type Offer<'a> = &'a mut dyn FnMut(u32, &[(Digit, Narrow)], Pattern);

/// The most lines of one kind. The other kind has any number.
const MOST_LINES: u32 = 4;

/// Offers every multi-sector locked set: with rows against columns, then with columns against rows.
pub(crate) fn multi_sector_locked_sets(marks: &Candidates<Narrow>, offer: Offer<'_>) {
    for first_kind in [HouseKind::Row, HouseKind::Column] {
        let open = lines(marks.open(), first_kind);
        let places = std::array::from_fn(|digit| lines(marks.of_digit(Digit::from_index(digit)), first_kind));
        // The second way takes only what the first one cannot find: five or more rows.
        let least = if first_kind == HouseKind::Row { 2 } else { MOST_LINES + 1 };
        each_crossing(&open, &places, least, &mut |first: u16, second: u16| {
            let (rows, columns) = if first_kind == HouseKind::Row { (first, second) } else { (second, first) };
            let base = [rows.into(), u64::from(columns) << 9].map(|set| bits(set).map(House::new).collect::<Vec<_>>());
            let [in_rows, in_columns] =
                base.each_ref().map(|lines| lines.iter().fold(Narrow::empty(), |area, &line| area | marks.house(line)));
            conclude(marks, in_rows & in_columns & marks.open(), &|_| true, base.concat(), offer);
        });
    }
}

/// A set of cells line by line: the places in each of the rows, or columns.
fn lines(set: Narrow, kind: HouseKind) -> [u16; 9] {
    let mut lines = [0; 9];
    for cell in set.cells() {
        let (row, column) = (cell.index() / 9, cell.index() % 9);
        let (line, place) = if kind == HouseKind::Row { (row, column) } else { (column, row) };
        lines[line] |= 1 << place;
    }
    lines
}

/// Some of the chosen lines that cover a digit: how many, and the crossing lines that the digit needs besides. They are
/// the lines on which it has places in the chosen lines that are not taken. Numbers of lines are counted once.
#[derive(Clone, Copy, Default)]
struct LineChoice {
    taken: u32,
    uncovered: u16,
}

/// Calls `visit` with lines of two kinds at whose crossings the digits need as many lines as there are cells. There are
/// at most [`MOST_LINES`] lines of the first kind and at least `least` of the other.
fn each_crossing(open: &[u16; 9], places: &[[u16; 9]; 9], least: u32, visit: &mut dyn FnMut(u16, u16)) {
    for chosen in (0..512_u16).filter(|chosen| (2..=MOST_LINES).contains(&chosen.count_ones())) {
        let lines: Vec<usize> = (0..9).filter(|line| chosen >> line & 1 != 0).collect();
        // [digit][choice]: the bits of a choice are the lines that it takes.
        let choices = 1 << lines.len();
        let mut choices_of_digits = [[LineChoice::default(); 1 << MOST_LINES]; 9];
        for (choices_of_digit, places) in choices_of_digits.iter_mut().zip(places) {
            for (bits, choice) in choices_of_digit.iter_mut().enumerate().take(choices) {
                let spared = (0..lines.len()).filter(|index| bits >> index & 1 == 0);
                let uncovered = spared.fold(0, |uncovered, index| uncovered | places[lines[index]]);
                *choice = LineChoice { taken: bits.count_ones(), uncovered };
            }
        }
        let open_lines = lines.iter().fold(0, |open_lines, &line| open_lines | open[line]);
        for crossing in (0..512_u16).filter(|crossing| crossing.count_ones() >= least && crossing & !open_lines == 0) {
            let cells: u32 = lines.iter().map(|&line| count(open[line] & crossing)).sum();
            let mut links = 0;
            for digit_choices in &choices_of_digits {
                let fewest = digit_choices[..choices]
                    .iter()
                    .map(|choice| choice.taken + count(choice.uncovered & crossing))
                    .min();
                links += fewest.unwrap_or(0);
                if links > cells {
                    break;
                }
            }
            if links == cells && lines.iter().all(|&line| open[line] & crossing != 0) {
                visit(chosen, crossing);
            }
        }
    }
}

/// Offers every SK loop: for each two rows of different bands and two columns of different stacks.
pub(crate) fn sk_loops(marks: &Candidates<Narrow>, offer: Offer<'_>) {
    for rows in distant_lines(0) {
        for columns in distant_lines(9) {
            let [in_rows, in_columns] = [rows, columns].map(|[a, b]| marks.house(a) | marks.house(b));
            let corners = in_rows & in_columns;
            if corners.meets(marks.open()) {
                continue;
            }
            let boxes: Vec<House> =
                corners.cells().map(|cell| marks.sets().layout().plain_houses_of(cell)[2]).collect();
            let open_lines = (in_rows | in_columns) & marks.open();
            let mut cells = Narrow::empty();
            let mut is_whole = true;
            for in_box in boxes.iter().map(|&house| marks.house(house) & open_lines) {
                cells = cells | in_box;
                is_whole &= in_box.meets(in_rows) && in_box.meets(in_columns);
            }
            if is_whole {
                let loop_houses = [&rows[..], &columns, &boxes].concat();
                conclude(marks, cells, &|house| loop_houses.contains(&house), loop_houses.clone(), offer);
            }
        }
    }
}

/// Every two rows of different bands, or columns of different stacks. `first` is the number of the first row, or column.
fn distant_lines(first: usize) -> impl Iterator<Item = [House; 2]> {
    (0..6).flat_map(move |line| (line / 3 * 3 + 3..9).map(move |second| [first + line, first + second].map(House::new)))
}

/// Offers what the smallest covers of some cells remove, if they have as many links as there are cells.
fn conclude(
    marks: &Candidates<Narrow>,
    cells: Narrow,
    allowed: &dyn Fn(House) -> bool,
    base: Vec<House>,
    offer: Offer<'_>,
) {
    let (mut out, mut digits, mut links) = (Vec::new(), Digits::EMPTY, 0);
    for digit in Digits::all(9) {
        let places = marks.of_digit(digit) & cells;
        let covers = (0..=9).map(|most| covers(marks, places, most, allowed)).find(|covers| !covers.is_empty());
        let covers = covers.unwrap_or_default();
        links += covers.first().map_or(0, Vec::len);
        if links > cells.len() {
            return;
        }
        if !places.is_empty() {
            digits.insert(digit);
        }
        let removed = locked_out(marks, digit, cells, &covers);
        if !removed.is_empty() {
            out.push((digit, removed));
        }
    }
    if links == cells.len() {
        offer(links as u32, &out, Pattern::of(digits, cells.cells()).in_houses(base));
    }
}

/// The ways to cover some cells with at most `most` of the allowed houses, without houses that cover nothing new.
pub(crate) fn covers(
    marks: &Candidates<Narrow>,
    cells: Narrow,
    most: usize,
    allowed: &dyn Fn(House) -> bool,
) -> Vec<Vec<House>> {
    let Some(first) = cells.first() else { return vec![Vec::new()] };
    let mut all_covers = Vec::new();
    if most > 0 {
        for house in marks.sets().layout().plain_houses_of(first).into_iter().filter(|&house| allowed(house)) {
            for mut cover in covers(marks, cells - marks.house(house), most - 1, allowed) {
                cover.push(house);
                all_covers.push(cover);
            }
        }
    }
    all_covers
}

/// The candidates that a digit loses when each house of a cover has it in one of the cells, for any of the covers.
pub(crate) fn locked_out(marks: &Candidates<Narrow>, digit: Digit, cells: Narrow, covers: &[Vec<House>]) -> Narrow {
    let mut locked_out = Narrow::empty();
    for cover in covers {
        let mut covered = Narrow::empty();
        for house in cover.iter().map(|&house| marks.house(house)) {
            locked_out = locked_out | (house - cells) | (house & covered);
            covered = covered | house;
        }
    }
    locked_out & marks.of_digit(digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Shape};
    use crate::ladder::tests::cases::{LEVELS, PATTERNS};
    use crate::ladder::tests::puzzle;

    fn positions() -> impl Iterator<Item = Candidates<Narrow>> {
        PATTERNS.into_iter().chain(LEVELS.map(|(line, _)| line)).map(|line| Candidates::new(&puzzle(line)))
    }

    fn patterns(marks: &Candidates<Narrow>, search: fn(&Candidates<Narrow>, Offer<'_>)) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        search(marks, &mut |_, _, pattern| patterns.push(pattern));
        patterns
    }

    /// Compares with a search for the fewest lines of every digit, for every choice of 4 rows and 4 columns.
    #[test]
    fn crossings_are_locked_where_the_fewest_lines_are_as_many_as_the_cells() {
        let mut locked = 0;
        let fours: Vec<Vec<usize>> = (0..512_usize)
            .filter(|lines| lines.count_ones() == 4)
            .map(|lines| (0..9).filter(|line| lines >> line & 1 != 0).collect())
            .collect();
        for marks in positions().take(PATTERNS.len()) {
            let patterns = patterns(&marks, multi_sector_locked_sets);
            let area = |lines: &[House]| lines.iter().fold(Narrow::empty(), |area, &line| area | marks.house(line));
            for rows in &fours {
                for columns in &fours {
                    let [rows, columns]: [Vec<House>; 2] = [(rows, 0), (columns, 9)]
                        .map(|(lines, first)| lines.iter().map(|line| House::new(first + line)).collect());
                    let cells = area(&rows) & area(&columns) & marks.open();
                    let fewest = |digit| {
                        let places = marks.of_digit(digit) & cells;
                        let has_cover =
                            |&most: &usize| !covers(&marks, places, most, &|house| house.index() < 18).is_empty();
                        (0..).find(has_cover).unwrap()
                    };
                    let is_whole = rows.iter().chain(&columns).all(|&line| marks.house(line).meets(cells));
                    let is_locked = is_whole && Digits::all(9).iter().map(fewest).sum::<usize>() == cells.len();
                    let base = [rows, columns].concat();
                    assert_eq!(patterns.iter().any(|pattern| pattern.base == base), is_locked);
                    locked += usize::from(is_locked);
                }
            }
        }
        assert!(locked > 0);
    }

    /// The eight pairs of cells around the rectangle of two rows and two columns, as the header draws them.
    fn loop_pairs([top, bottom]: [usize; 2], [left, right]: [usize; 2]) -> [Narrow; 8] {
        let others = |line: usize| (line / 3 * 3..line / 3 * 3 + 3).filter(move |&near| near != line);
        let in_row = |row, column| Narrow::of(others(column).map(|column| Cell::at(Shape::NINE, row, column)));
        let in_column = |row, column| Narrow::of(others(row).map(|row| Cell::at(Shape::NINE, row, column)));
        let [upper_left, upper_right] = [in_row(top, left), in_row(top, right)];
        let [lower_left, lower_right] = [in_row(bottom, left), in_row(bottom, right)];
        let [right_upper, right_lower] = [in_column(top, right), in_column(bottom, right)];
        let [left_upper, left_lower] = [in_column(top, left), in_column(bottom, left)];
        [upper_left, upper_right, right_upper, right_lower, lower_right, lower_left, left_lower, left_upper]
    }

    /// The links that a digit needs, by the pairs that have it: half of each run of pairs, rounded up; 4 if all have it.
    fn links_around(mut has_digit: [bool; 8]) -> usize {
        let Some(gap) = has_digit.iter().position(|has| !has) else { return 4 };
        has_digit.rotate_left(gap);
        has_digit.split(|has| !has).map(|run| run.len().div_ceil(2)).sum()
    }

    #[test]
    fn loops_are_found_where_the_runs_of_all_digits_add_up() {
        let mut loops = 0;
        for marks in positions() {
            let patterns = patterns(&marks, sk_loops);
            let lines = (0..81_usize).map(|number| [number / 9, number % 9]);
            let distant: Vec<[usize; 2]> = lines.filter(|[low, high]| low / 3 < high / 3).collect();
            for [rows, columns] in distant.iter().flat_map(|&rows| distant.iter().map(move |&columns| [rows, columns]))
            {
                let pairs = loop_pairs(rows, columns);
                let cells = pairs.iter().fold(Narrow::empty(), |cells, &pair| cells | pair) & marks.open();
                let corners = rows.iter().flat_map(|&row| columns.map(|column| Cell::at(Shape::NINE, row, column)));
                let mut links = 0;
                for digit in Digits::all(9) {
                    links += links_around(pairs.map(|pair| pair.meets(marks.of_digit(digit))));
                }
                let is_loop = !Narrow::of(corners).meets(marks.open())
                    && pairs.iter().all(|pair| pair.meets(marks.open()))
                    && links == cells.len();
                let cells: Vec<Cell> = cells.cells().collect();
                let lines = [rows[0], rows[1], 9 + columns[0], 9 + columns[1]].map(House::new);
                let is_that = |pattern: &Pattern| pattern.cells == cells && pattern.base[..4] == lines;
                assert_eq!(patterns.iter().any(is_that), is_loop);
                loops += usize::from(is_loop);
            }
        }
        assert!(loops > 0);
    }
}
