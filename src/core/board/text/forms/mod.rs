//! The forms in which boards are written as text: a table. [`super::reader`] tries those of a line on each line, and
//! those of a block on rows that stand together, in this order. Each sees one board alone.

pub(super) mod blocks;
mod links;
mod objects;
pub(super) mod oneline;
mod placed;
mod solo;

pub use objects::{board_text, is_set, of_object};
pub use solo::game_of;

use super::wanted::{Boards, TextLine, Wanted};

/// A form in which boards are written. `R` is the reader: a function, or nothing in the lists that users see.
#[derive(Clone, Copy, Debug)]
pub struct Form<R> {
    /// Its name.
    pub name: &'static str,
    /// What is read, in a sentence.
    pub about: &'static str,
    /// A piece of it.
    pub picture: &'static str,
    /// A whole text of this form with one board.
    pub example: &'static str,
    /// The board of the example.
    pub board: &'static str,
    /// The reader.
    pub read: R,
}

impl<R> Form<R> {
    /// The form without its reader.
    pub fn info(&self) -> Form<()> {
        let &Form { name, about, picture, example, board, .. } = self;
        Form { name, about, picture, example, board, read: () }
    }
}

/// How a form of texts is read.
#[derive(Clone, Copy, Debug)]
pub enum TextForm {
    /// The boards in a line; None if it has another form.
    Line(ReadLine),
    /// The boards of rows; None if they have another form.
    Block(ReadRows),
}

type ReadLine = fn(&TextLine<'_>, &Wanted) -> Option<Boards>;
type ReadRows = fn(&[blocks::BlockRow], &Wanted) -> Option<Boards>;

/// A text ten times, eighty times.
macro_rules! ten {
    ($text:expr) => {
        concat!($text, $text, $text, $text, $text, $text, $text, $text, $text, $text)
    };
}
macro_rules! eighty {
    ($text:expr) => {
        concat!(ten!($text), ten!($text), ten!($text), ten!($text), ten!($text), ten!($text), ten!($text), ten!($text))
    };
}

/// The board of most examples.
const BOARD: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SMALL: &str = "12....12.1....4.";

const fn line(
    name: &'static str,
    about: &'static str,
    picture: &'static str,
    [example, board]: [&'static str; 2],
    read: ReadLine,
) -> Form<TextForm> {
    Form { name, about, picture, example, board, read: TextForm::Line(read) }
}

const fn rows(
    name: &'static str,
    about: &'static str,
    picture: &'static str,
    example: &'static str,
    read: ReadRows,
) -> Form<TextForm> {
    Form { name, about, picture, example, board: SMALL, read: TextForm::Block(read) }
}

/// All forms of texts.
pub const FORMS: &[Form<TextForm>] = &[
    line(
        "HoDoKu, Susser",
        "lines with digits after +, which a player filled in and which are no givens; the fourth field of HoDoKu's library",
        ":0000:x:53+4.7....6..:::  53+4.7....6..:411 213",
        [":0000:x:53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7+9:::", NO_LAST],
        placed::with_placed,
    ),
    line(
        "Solo",
        "a game of Simon Tatham's Solo: rows x columns of a box, or order and j for a jigsaw; x for X; letters for empty cells",
        "2x3x:a5_3b1..  9jx:a5_3b1..,a_c..",
        ["2x2:1_2d1_2a1d4a", SMALL],
        solo::solo,
    ),
    line(
        "links of f-puzzles and SudokuPad",
        "?load=.., /fpuzzles.., /scl.., also without the address. A rule that is not known here is refused by its name",
        "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOA..",
        [links::EXAMPLE, SMALL],
        links::packed,
    ),
    line(
        "links with the cells",
        "SudokuWiki and others: ?bd=, ?s=, ?import= and the like, with a sign for each cell",
        "https://www.sudokuwiki.org/sudoku.htm?bd=5300..",
        ["https://www.sudokuwiki.org/sudoku.htm?bd=1200001201000040", SMALL],
        links::with_cells,
    ),
    line(
        "candidates, 729 signs",
        "nine signs for each cell of a 9x9 board, a digit or a sign for none",
        "....5......3......12.4....",
        [concat!("1........", eighty!("123456789")), ONE_GIVEN],
        oneline::signs_of_candidates,
    ),
    line(
        "one line",
        "a sign for each cell. A full grid after a board is its solution; a label before it and a note after it are passed \
         over; more boards may follow",
        "7: 53..7....6..195..  easy",
        ["7: 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 easy", BOARD],
        oneline::boards,
    ),
    line(
        "two digits for each cell",
        "above 9x9: 01, 02, .. without anything between them; 00 is an empty cell",
        "130902000000000016..",
        [
            concat!("0102", eighty!("00"), ten!("00"), "0000000000000000"),
            concat!("12", eighty!("."), ten!("."), "........"),
        ],
        oneline::two_digits,
    ),
    line(
        "spaces as empty cells",
        "a line as long as the board",
        "53  7    6  195    98..",
        ["53  7    6  195    98    6 8   6   34  8 3  17   2   6 6    28    419  5    8  79", BOARD],
        oneline::spaces,
    ),
    rows(
        "rows",
        "a word for each cell or for several, with spaces, commas, bars or brackets between them. Lines of a frame are \
         passed over; they say the sides of boxes",
        "5 3 . | . 7 . | . . .\n------+-------+------",
        "+-----+-----+\n| 1 2 | _ _ |\n| _ _ | 1 2 |\n+-----+-----+\n| _ 1 | _ _ |\n| _ _ | 4 _ |\n+-----+-----+\n",
        blocks::cells_apart,
    ),
    rows("rows of signs", "a sign for each cell", "53..7....\n6..195...", "12..\n..12\n.1..\n..4.\n", blocks::signs),
    rows(
        "rows with labels",
        "the columns or the rows, or both, are named A, B, C, .. or 1, 2, 3, ..",
        "    1 2 3\nA | 5 3 .",
        "    1 2   3 4\nA | 1 2 | . . |\nB | . . | 1 2 |\nC | . 1 | . . |\nD | . . | 4 . |\n",
        blocks::labelled,
    ),
    rows(
        "rows of fields",
        "nothing between two commas, semicolons, tabs or bars is an empty cell: a table without names",
        "5,3,,,7,,,,",
        "1,2,,\n,,1,2\n,1,,\n,,4,\n",
        blocks::fields,
    ),
    rows(
        "rows with spaces as empty cells",
        "all cells have the same width, between bars or without any",
        "| 5 3   |   7   |",
        "+-----+-----+\n| 1 2 |     |\n|     | 1 2 |\n+-----+-----+\n|   1 |     |\n|     | 4   |\n+-----+-----+\n",
        blocks::spaced,
    ),
    Form {
        board: ONE_GIVEN,
        ..rows(
            "candidates, 81 groups",
            "for each cell of a 9x9 board its candidates in ascending order, in one line or in nine",
            "5 3 124 26 7 2468 ..",
            concat!("1 ", eighty!("123456789 ")),
            blocks::candidates,
        )
    },
];

/// The board of most examples without its last given.
const NO_LAST: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7.";
const ONE_GIVEN: &str = concat!("1", eighty!("."));
