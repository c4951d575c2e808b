//! Reads and writes games of Simon Tatham's Solo.
//!
//! ```text
//!   2x3x:a5_3b1..         rows and columns of a box, x for X; runs of blanks as letters: a is one
//!   9jx:a5_3b1..,a_c..    a jigsaw: its order; after the comma the lines between regions
//! ```

use crate::board::text::wanted::{Boards, TextLine, Wanted};
use crate::board::{Grid, Reason, Shape};

/// The games of a line that begins with one.
pub(super) fn solo(line: &TextLine<'_>, wanted: &Wanted) -> Option<Boards> {
    line.boards_of_words(|word| {
        Some(Game::of(word)?.grid().and_then(|grid| wanted.refuse_named_signs().map(|()| grid)))
    })
}

/// The parts of a game.
struct Game<'a> {
    /// The rows of a box; of a jigsaw, the order.
    rows: usize,
    /// The columns of a box; None for a jigsaw.
    columns: Option<usize>,
    flags: &'a str,
    cells: &'a str,
    /// The lines between regions.
    lines: Option<&'a str>,
}

impl Game<'_> {
    /// The parts of a word that is a game.
    fn of(word: &str) -> Option<Game<'_>> {
        let (kind, game) = word.split_once(':')?;
        let (rows, rest) = number_before(kind)?;
        let columns = rest.strip_prefix('x').and_then(number_before);
        let flags = columns.map_or(rest, |(_, flags)| flags);
        let (cells, lines) = game.split_once(',').map_or((game, None), |(cells, lines)| (cells, Some(lines)));
        let has_signs = |part: &str| part.chars().all(|sign| matches!(sign, 'a'..='z' | '0'..='9' | '_'));
        let is_game = has_signs(flags) && has_signs(cells) && (columns.is_some() || flags.contains('j'));
        is_game.then(|| Game { rows, columns: columns.map(|(columns, _)| columns), flags, cells, lines })
    }

    fn grid(&self) -> Result<Grid, Reason> {
        // The other flags say how hard and how symmetric a new game shall be.
        if let Some(flag) = self.flags.chars().find(|flag| !"xjabdeimrtu0123456789".contains(*flag)) {
            return Err(match flag {
                'k' => unreadable("it has cages"),
                _ => unreadable(&format!("the flag '{flag}' is not known here")),
            });
        }
        let shape = self.shape()?;
        let mut values: Vec<u16> = Vec::new();
        for part in self.cells.split_inclusive(|sign: char| !sign.is_ascii_digit()) {
            let digits = part.trim_end_matches(|sign: char| !sign.is_ascii_digit());
            if !digits.is_empty() {
                values.push(digits.parse().map_err(|_| unreadable("a number is too large"))?);
            }
            // The letter a is one blank, z is 26.
            let blanks = part.bytes().next_back().filter(u8::is_ascii_lowercase).map_or(0, |run| run - b'a' + 1);
            values.extend(std::iter::repeat_n(0, blanks.into()));
            if values.len() > shape.cells() {
                break;
            }
        }
        Grid::new(shape, values)
    }

    fn shape(&self) -> Result<Shape, Reason> {
        let shape = match (self.flags.contains('j'), self.lines) {
            (true, Some(lines)) => {
                let order = self.rows.saturating_mul(self.columns.unwrap_or(1));
                let regions = regions_of(order, lines).and_then(|regions| Shape::of_region_signs(&regions).ok());
                regions.ok_or_else(|| unreadable("its regions"))?
            }
            (true, None) => return Err(unreadable("it has no regions")),
            (false, Some(_)) => return Err(unreadable("it has regions without the flag 'j'")),
            (false, None) => Shape::new(self.rows, self.columns.unwrap_or(0))?,
        };
        if self.flags.contains('x') { shape.with("x") } else { Ok(shape) }
    }
}

/// The number that a text begins with, and the rest.
fn number_before(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

fn unreadable(reason: &str) -> Reason {
    Reason(format!("the game of Solo cannot be read: {reason}"))
}

/// The game of Simon Tatham's Solo that has the givens of a board; None if it cannot have the rules of the board.
pub fn game_of(grid: &Grid) -> Option<String> {
    let shape = grid.shape();
    let flag = match shape.rules().map(|rules| rules.variants.as_slice()) {
        None | Some([]) => "",
        Some(["x"]) => "x",
        Some(_) => return None,
    };
    let lines = match shape.regions() {
        // Lines show regions only if each is in one piece.
        Some(regions) => {
            let lines = lines_of(shape.order(), regions)?;
            regions_of(shape.order(), &lines).and_then(|pieces| Shape::of_region_signs(&pieces).ok())?;
            Some(lines)
        }
        None => None,
    };
    let kind = match lines {
        Some(_) => format!("{}j{flag}", shape.order()),
        None => format!("{}x{}{flag}", shape.box_rows(), shape.box_columns()),
    };
    let mut cells = String::new();
    for run in grid.values().chunk_by(|value, next| *value == 0 && *next == 0) {
        if run[0] == 0 {
            // No letter stands for more than 26 blanks.
            cells.extend(run.chunks(26).map(|blanks| char::from(b'a' - 1 + blanks.len() as u8)));
            continue;
        }
        // Between two numbers without blanks.
        if cells.ends_with(|sign: char| sign.is_ascii_digit()) {
            cells.push('_');
        }
        cells += &run[0].to_string();
    }
    let lines = lines.map_or(String::new(), |lines| format!(",{lines}"));
    Some(format!("{kind}:{cells}{lines}"))
}

/// The pairs of neighbouring cells in the order of a game: those with a line of the grid that goes down between them,
/// row by row, then those with a line across, column by column.
fn neighbours(n: usize) -> impl Iterator<Item = [usize; 2]> {
    let in_rows = (0..n * n).map(|cell| [cell, cell + 1]).filter(move |[cell, _]| cell % n < n - 1);
    let cells_by_column = (0..n * n).map(move |place| place % n * n + place / n);
    let in_columns = cells_by_column.map(move |cell| [cell, cell + n]).filter(move |[_, below]| *below < n * n);
    in_rows.chain(in_columns)
}

/// The region of each cell, from the text of the lines between regions. The text has, for each line, the number of
/// pairs of neighbours without a line before it (`_` for 0), and one more line at the end. None if the text does not
/// fit the order.
fn regions_of(n: usize, lines: &str) -> Option<Vec<usize>> {
    if !(2..=Shape::MAX_SOLVABLE_ORDER).contains(&n) {
        return None;
    }
    let mut regions: Vec<usize> = (0..n * n).collect();
    let mut pairs = neighbours(n);
    for sign in lines.bytes() {
        // Other versions of the program read z in different ways, and no jigsaw needs it.
        let joined = if sign == b'_' { 0 } else { Some(sign).filter(|sign| (b'a'..=b'y').contains(sign))? - b'a' + 1 };
        for _ in 0..joined {
            let [first, second] = pairs.next()?.map(|cell| regions[cell]);
            regions.iter_mut().filter(|region| **region == second).for_each(|region| *region = first);
        }
        pairs.next();
    }
    pairs.next().is_none().then_some(regions)
}

/// The inverse of [`regions_of`]; None if the text would need the letter z.
fn lines_of(n: usize, regions: &[u8]) -> Option<String> {
    let (mut text, mut joined) = (String::new(), 0);
    for is_line in neighbours(n).map(|[first, second]| regions[first] != regions[second]).chain([true]) {
        if is_line {
            text.push(if joined == 0 { '_' } else { Some(b'a' - 1 + joined).filter(|sign| *sign < b'z')?.into() });
            joined = 0;
        } else {
            joined = Some(joined + 1).filter(|joined| *joined < 26)?;
        }
    }
    Some(text)
}
