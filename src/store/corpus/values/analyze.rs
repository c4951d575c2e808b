//! Analyses a puzzle: number of solutions, minimality, search depth, ratings, techniques.
//!
//! ```text
//!   solutions?  ->  minimal?  ->  reference search  ->  published scales  ->  ladder of techniques
//!   results of digging are reused
//! ```

use super::levels::Levels;
use super::ratings::{RatingKind, Ratings};
use super::record::Record;
use super::steps::StepsWanted;
use super::target::Judged;
use super::value::Decimal;
use sudoku_corpus_core::board::maps::Maps;
use sudoku_corpus_core::board::{Puzzle, Shape, Solution};
use sudoku_corpus_core::catalogue::{self, canonical};
use sudoku_corpus_core::dig::{self, DigOptions};
use sudoku_corpus_core::effort::effort;
use sudoku_corpus_core::explainer::Tenths;
use sudoku_corpus_core::ladder::{End, Ladder, Rating, rate};
use sudoku_corpus_core::solve::probe::search_depth;
use sudoku_corpus_core::solve::{Budget, Count, count, solutions};

/// The analyses of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Analysis {
    /// The techniques; None for no rating.
    pub ladder: Option<Ladder>,
    pub ratings: Ratings,
    /// The scale of the column `level`. What it needs must be rated; otherwise the column is empty.
    pub levels: Levels,
    /// ER above this is given as a lower bound.
    pub er_limit: Tenths,
    pub minimal: bool,
    /// Number the solution and its class, and name the puzzle. This takes a millisecond for each puzzle.
    pub numbers: bool,
    pub count_limit: u64,
    /// The steps of the ladder as rows of their own, for puzzles with one solution.
    pub steps: Option<StepsWanted>,
    /// Positions that counting and the reference search may visit, each.
    pub budget: Budget,
}

impl Default for Analysis {
    fn default() -> Analysis {
        Analysis {
            ladder: Some(Ladder::default()),
            ratings: Ratings::default(),
            levels: Levels::default(),
            er_limit: Ratings::ER_LIMIT,
            minimal: true,
            numbers: false,
            count_limit: 1_000,
            steps: None,
            budget: Analysis::budget_of(Shape::NINE),
        }
    }
}

impl Analysis {
    /// The default budget of a shape: a million positions up to 16x16 boards, and 100,000 above. A reference search
    /// that needs more seldom ends, and takes most of the time of a row. Of ten 25x25 puzzles, dug with a budget of 100
    /// positions, five end within 100,000 positions and one more within a million.
    pub fn budget_of(shape: Shape) -> Budget {
        if shape.order() > 16 { Budget(100_000) } else { Budget(1_000_000) }
    }

    /// The default analyses, and the ratings that a scale of levels needs.
    pub fn with_levels(levels: &Levels) -> Analysis {
        let usual = Analysis::default();
        Analysis { ratings: usual.ratings.and(levels.ratings()), levels: levels.clone(), ..usual }
    }

    /// True if puzzles are rated, by the ladder or on a published scale.
    pub(crate) fn rates(&self) -> bool {
        self.ladder.is_some() || self.ratings != Ratings::NONE
    }

    /// Fills in the results of all analyses. A full grid is a puzzle without holes. Boards above 36x36 are not
    /// analysed. Puzzles without a solution get no search depth and no rating.
    pub fn analyze(&self, mut record: Record) -> Record {
        self.analyze_judged(&mut record, Judged::default());
        record
    }

    /// Like [`Analysis::analyze`], but reuses the results of digging.
    pub(crate) fn analyze_judged(&self, record: &mut Record, judged: Judged) {
        if let (None, Some(solution)) = (&record.puzzle, &record.solution) {
            record.set_puzzle(Puzzle::from(solution.clone()));
        }
        let Some(puzzle) = record.puzzle.clone().filter(|_| record.shape.is_solvable()) else { return };
        self.count(record, &puzzle);
        if let (Some(solution), true, None) = (unique(record), self.minimal, record.minimal) {
            record.minimal = dig::is_minimal(&puzzle, solution, DigOptions::of(record.shape).budget);
        }
        if record.solutions == Some(0) {
            return;
        }
        let (class, automorphisms) = canonical::class_and_automorphisms(&puzzle);
        (record.class, record.automorphisms) = (Some(class), automorphisms);
        record.solution_class = judged.solution_class.or_else(|| record.solution.as_ref().and_then(solution_class));
        if self.numbers {
            add_numbers(record, &puzzle);
        }
        if let Some(search) = search_depth(&puzzle, self.budget) {
            record.search_guesses = Some(search.guesses);
            (record.search_depth, record.search_nodes) = (Some(search.depth), Some(search.nodes));
        }
        self.add_ratings(record, &puzzle, judged);
    }

    /// The ratings alone, and the level that follows from them.
    pub(crate) fn add_ratings(&self, record: &mut Record, puzzle: &Puzzle, mut judged: Judged) {
        if unique(record).is_some() {
            self.ratings.rate(record, puzzle, self.er_limit, judged.explained);
        }
        if self.ratings.has(RatingKind::Effort) && unique(record).is_some() {
            let (effort, rating) = effort(puzzle, self.ladder.as_ref().unwrap_or(&Ladder::default()));
            (record.effort, judged.rating) = (effort, Some(rating));
        }
        match &self.ladder {
            Some(ladder) if unique(record).is_some() => {
                let rated = judged.rating.filter(|rating| rating.end != End::Stopped);
                let rating = self.with_steps(record).or(rated);
                record.set_rating(&rating.unwrap_or_else(|| rate(puzzle, ladder)));
            }
            // Techniques of uniqueness would be wrong for this puzzle.
            Some(ladder) => record.set_rating(&rate(puzzle, &ladder.clone().without_uniqueness())),
            None => {}
        }
        self.levels.fill_in(record);
    }

    /// Adds the steps to a row if they are wanted and the puzzle has one solution. Returns the rating.
    pub fn with_steps(&self, record: &mut Record) -> Option<Rating> {
        let (wanted, ladder) = (self.steps.as_ref()?, self.ladder.as_ref()?);
        unique(record)?;
        let (rating, steps) = wanted.rate(record.puzzle.as_ref()?, record.row, record.solution.as_ref(), ladder);
        record.steps = steps;
        Some(rating)
    }

    /// Adds the number of solutions, and the solution if there is only one.
    fn count(&self, record: &mut Record, puzzle: &Puzzle) {
        if record.solutions.is_some() {
            return;
        }
        let (mut solutions, mut number) = solutions(puzzle, 2, self.budget);
        if number.found > 1 {
            number = count(puzzle, self.count_limit, self.budget);
        }
        let only = number == Count { found: 1, exact: true };
        if only {
            record.solution = solutions.pop();
        }
        (record.solutions, record.solutions_exact) = (Some(number.found), Some(number.exact));
    }
}

/// The class of a full grid. None for boards above 9x9, and for variants whose cells can be mapped in more than a
/// thousand ways, because canonical forms of their full grids take too long.
pub fn solution_class(solution: &Solution) -> Option<u128> {
    let shape = solution.shape();
    let has_form = shape.order() <= 9 && (shape.is_plain() || Maps::of(shape).count() <= 1_000);
    if has_form { Some(canonical::class(&Puzzle::from(solution.clone()))) } else { None }
}

/// Adds the number of the only solution, the rank of its class, and the name of the puzzle.
fn add_numbers(record: &mut Record, puzzle: &Puzzle) {
    let Some(solution) = unique(record) else { return };
    let grid_number = catalogue::grid_number(solution).map(Decimal);
    (record.class_rank, record.name) = catalogue::ranked_name(puzzle, solution).ok().unzip();
    record.grid_number = grid_number;
}

/// The solution of a row if it is known to be the only one.
fn unique(record: &Record) -> Option<&Solution> {
    record.solution.as_ref().filter(|_| record.is_unique())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::COLUMNS;

    #[test]
    fn ranks_of_classes_count_from_the_number_that_their_column_states() {
        let about = &COLUMNS.iter().find(|column| column.name == "class_rank").unwrap().about;
        let analysis = Analysis { ladder: None, ratings: Ratings::NONE, numbers: true, ..Analysis::default() };
        let grid = catalogue::class_of_rank(1).unwrap();
        let row = analysis.analyze(Record::of_puzzle(0, grid.masked(|cell| cell.index() > 0)));
        assert_eq!(row.class_rank, Some(1));
        assert!(catalogue::class_of_rank(0).is_none() && about.contains("from 1;"), "{about}");
    }
}
