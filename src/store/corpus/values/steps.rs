//! Writes the steps of a solution as texts, in the format of their file.
//!
//! | name of the file | what |
//! |---|---|
//! | `.parquet` | one row for each step, lists as nested columns; the same columns as `steps` in the Python package |
//! | `.jsonl`, `.ndjson` | one object for each puzzle, with its steps; for programs that show hints |
//! | `.tokens` | one line for each puzzle: tokens of a fixed vocabulary, see [`sudoku_corpus_core::steps::words`] |
//! | `.txt` | one line for each step: a sentence in plain English; an empty line follows each puzzle |
//!
//! The threads that rate also make the texts; the sink only writes.

use std::path::Path;

use super::error::{CorpusError, Result};
use sudoku_corpus_core::board::{Puzzle, Reason, Shape, Solution};
use sudoku_corpus_core::ladder::{Ladder, Rating};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::steps::columns::StepLine;
use sudoku_corpus_core::steps::contradiction::contradiction_rows;
use sudoku_corpus_core::steps::packed::PackedRows;
use sudoku_corpus_core::steps::wrong::wrong_rows;
use sudoku_corpus_core::steps::{StepRow, explainer_rows, rate_with_rows};

/// The format of a file of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepFormat {
    /// Parquet.
    #[default]
    Parquet,
    /// An object for each puzzle.
    JsonLines,
    /// A line of tokens for each puzzle.
    Tokens,
    /// A sentence for each step.
    Sentences,
}

impl StepFormat {
    /// The format of a file by the ending of its name, in upper or lower case: .parquet, .jsonl or .ndjson, .tokens,
    /// .txt.
    ///
    /// # Errors
    /// An unknown ending.
    pub fn of_name(path: &Path) -> Result<StepFormat> {
        let reason = "the name of a file of steps must end in .parquet, .jsonl, .tokens or .txt";
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "parquet" => Ok(StepFormat::Parquet),
            "jsonl" | "ndjson" => Ok(StepFormat::JsonLines),
            "tokens" => Ok(StepFormat::Tokens),
            "txt" => Ok(StepFormat::Sentences),
            _ => Err(CorpusError::refused(path, reason)),
        }
    }

    /// Refuses boards whose rules would be lost. Texts of steps name neither variants nor the sides of boxes, and "box 4"
    /// is another box on a board of 3x2 than on one of 2x3.
    ///
    /// # Errors
    /// The format does not name the board, and the board is not the usual one of its order.
    pub fn check(self, shape: Shape) -> std::result::Result<(), Reason> {
        let names_boards = matches!(self, StepFormat::Parquet | StepFormat::JsonLines);
        if names_boards || shape.is_usual() {
            return Ok(());
        }
        let board = shape.board();
        Err(Reason(format!("steps as text do not name the {board}; write the steps as .jsonl or .parquet")))
    }
}

/// The steps of a puzzle, written in the format of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepTexts {
    pub(crate) format: StepFormat,
    steps: usize,
    /// Objects, each with a comma; tokens, those of each step after a blank; sentences, each with the end of its line.
    pub(crate) text: String,
    pub(crate) rows: PackedRows,
}

impl StepTexts {
    /// No steps of a puzzle.
    fn none(format: StepFormat, puzzle: &Puzzle) -> StepTexts {
        let (cells, steps) = (puzzle.shape().cells(), puzzle.grid().holes());
        let (mut text, mut rows) = (String::new(), PackedRows::default());
        match format {
            StepFormat::Parquet => rows = PackedRows::with_capacity(steps, cells),
            StepFormat::JsonLines => text.reserve(10 * cells * steps),
            StepFormat::Tokens | StepFormat::Sentences => text.reserve(80 * steps),
        }
        StepTexts { format, steps: 0, text, rows }
    }

    fn add(&mut self, row: &StepRow, shape: Shape) {
        let text = &mut self.text;
        self.steps += 1;
        match self.format {
            StepFormat::JsonLines => {
                row.push_json(text, shape);
                text.push(',');
            }
            StepFormat::Tokens => {
                text.push(' ');
                row.push_tokens(text, shape);
            }
            StepFormat::Sentences => {
                row.push_sentence(text, shape);
                text.push('\n');
            }
            StepFormat::Parquet => self.rows.push(row, shape),
        }
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps
    }

    /// True if there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps == 0
    }

    /// The steps as rows of Parquet, with the number of the puzzle's row and its class, if it is known.
    pub fn lines<'a>(&'a self, index: u64, class: Option<&'a str>, shape: Shape) -> impl Iterator<Item = StepLine<'a>> {
        self.rows.lines(index, class, shape)
    }

    /// The solution of a puzzle as Sudoku Explainer gives it.
    pub fn of_explainer(puzzle: &Puzzle) -> StepTexts {
        let mut texts = StepTexts::none(StepFormat::Parquet, puzzle);
        explainer_rows(puzzle, &mut |row| texts.add(row, puzzle.shape()));
        texts
    }

    /// The steps that lead from a puzzle without a solution to a contradiction. None if the ladder does not find one.
    pub fn of_contradiction(puzzle: &Puzzle, ladder: &Ladder) -> Option<StepTexts> {
        let mut texts = StepTexts::none(StepFormat::Parquet, puzzle);
        for row in contradiction_rows(puzzle, ladder)? {
            texts.add(&row, puzzle.shape());
        }
        Some(texts)
    }
}

/// The steps to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepsWanted {
    /// Wrong steps to add for each puzzle.
    pub wrong: usize,
    /// The seed from which wrong steps are drawn.
    pub seed: u64,
    /// The format of their file.
    pub format: StepFormat,
}

impl StepsWanted {
    /// Rates a puzzle with one solution and returns its steps. `index` is the number of its row: with the seed, it
    /// decides which wrong steps are drawn. They are added if the solution is given.
    pub fn rate(
        &self,
        puzzle: &Puzzle,
        index: u64,
        solution: Option<&Solution>,
        ladder: &Ladder,
    ) -> (Rating, StepTexts) {
        let mut texts = StepTexts::none(self.format, puzzle);
        // The rows with their positions. Wrong steps are made of them.
        let mut right_rows = Vec::new();
        let rating = rate_with_rows(puzzle, ladder, &mut |row| {
            texts.add(row, puzzle.shape());
            if self.wrong > 0 {
                right_rows.push(row.clone());
            }
        });
        if let Some(solution) = solution
            && self.wrong > 0
        {
            let mut rng = Rng::new(self.seed, index, Stage::Sample, 0);
            for row in wrong_rows(puzzle, solution, &right_rows, self.wrong, &mut rng) {
                texts.add(&row, puzzle.shape());
            }
        }
        (rating, texts)
    }
}
