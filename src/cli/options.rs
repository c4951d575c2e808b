//! Options that several commands share, and how they fill the gaps of a recipe.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;

use super::Usage;
use crate::board::{Shape, Symmetry};
use crate::corpus::{self, Draft, OnError, Ratings, Recipe, StopFlag};
use crate::dig::Plan;
use crate::rate::explainer::Tenths;
use crate::rate::{Ladder, Level, Technique};

/// Options of every command.
#[derive(Debug, clap::Args)]
pub struct Global {
    /// Print no progress and no summary to stderr. Errors are still printed.
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub quiet: bool,
    /// Number of threads; all cores by default. The output does not depend on it.
    #[arg(long, global = true, value_name = "N", help_heading = "Global options", value_parser = thread_count)]
    pub threads: Option<usize>,
}

fn thread_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("the number of threads must be 1 to 1024".into()),
    }
}

/// The board, given by the size of its boxes or by its own size.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct BoardOptions {
    /// The size of a box, rows x columns: 3x3 is the 9x9 board, 2x3 the 6x6 board, 6x6 the 36x36 board. The default is
    /// 3x3; a command that reads a file takes the shape from the file by default.
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    /// The size of the board, instead of --shape. The board has the usual boxes: 9x9, 6x6 (boxes of 2x3), 16x16.
    #[arg(long, value_name = "NxN", conflicts_with = "shape", value_parser = Shape::of_board)]
    board: Option<Shape>,
}

impl BoardOptions {
    /// The requested shape.
    pub fn shape(self) -> Option<Shape> {
        self.shape.or(self.board)
    }

    /// The requested shape, for commands that do more than generate.
    ///
    /// # Errors
    /// The board is too large to be solved.
    pub fn solvable(self) -> Result<Option<Shape>, Usage> {
        self.shape().map(solvable).transpose()
    }
}

/// How full grids are made.
#[derive(Debug, Default, clap::Args)]
pub struct GridOptions {
    #[command(flatten)]
    pub board: BoardOptions,
    /// How full grids are made; `list methods` shows all. Options follow a colon: permutation:blocks, jump-back:7,16.
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Puzzles or grids for the method base-shuffle.
    #[arg(long, value_name = "FILE")]
    pub bases: Option<PathBuf>,
}

/// How holes are dug.
#[derive(Debug, Default, clap::Args)]
pub struct DigOptions {
    /// minimal, reveal, givens=N, givens=N..M, random-holes=N, within, needed or controlled-bias; `list plans` describes them.
    /// The default is minimal, or within if --level, --only or --er is given.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<Plan>,
    /// Number of empty cells: N, or N..M with both ends included. This is the plan `givens`, counted by holes.
    #[arg(long, value_name = "N..M", conflicts_with = "plan", value_parser = range)]
    pub holes: Option<(usize, usize)>,
    /// Symmetry of the pattern of givens; none by default.
    #[arg(long, value_name = "SYMMETRY", value_parser = symmetry_parser())]
    pub symmetry: Option<Symmetry>,
    /// Make puzzles of this level only: easy, medium, hard, unfair, extreme, beyond.
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<Level>,
    /// Make puzzles that need all of these techniques: x_wing, or xy_wing,swordfish. Without one of them, the ladder
    /// would get stuck or would have to use a technique that is harder than all that it uses now.
    // clap takes a plain `Vec` for an option that may be repeated. Here the parser reads the list; the path prevents
    // that.
    #[arg(long, value_name = "LIST", value_parser = corpus::needed)]
    pub needs: Option<std::vec::Vec<Technique>>,
    /// Make puzzles for which the ladder uses all of these techniques, even if others could take their place.
    #[arg(long, value_name = "LIST", value_parser = corpus::needed)]
    pub uses: Option<std::vec::Vec<Technique>>,
    /// Make puzzles that these techniques alone solve: singles, or singles,intersections.
    #[arg(long, value_name = "LIST", value_parser = corpus::only)]
    pub only: Option<Ladder>,
    /// Make 9x9 puzzles with this ER of Sudoku Explainer: 4.5, or 1.5..4.5 with both ends included.
    #[arg(long, value_name = "N..M", value_parser = corpus::er)]
    pub er: Option<(Tenths, Tenths)>,
    /// How many other grids to try if a puzzle does not match the request. (`dig` tries other orders of digging
    /// instead.) The default is 1000, or 100000 if --level, --needs, --uses, --only or --er is given.
    #[arg(long, value_name = "N")]
    pub retries: Option<u64>,
    /// Search nodes that one uniqueness test may use while digging. The default is no limit up to 9x9, 5000 up to
    /// 16x16, and 100 for larger boards. With 1000000, each minimal 25x25 puzzle takes seconds.
    #[arg(long, value_name = "N")]
    pub dig_budget: Option<u64>,
}

/// How each puzzle is analysed.
#[derive(Debug, Default, clap::Args)]
pub struct AnalyzeOptions {
    /// Techniques of the ladder: default, modern, all, none, or a list such as singles,x_wing,-w_wing; see `list
    /// techniques`.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub techniques: Option<String>,
    /// Ratings of 9x9 puzzles on published scales: a list of er, ep, ed, w, b, te, bxb, er_canonical and tridagon.
    /// Also: effort (what a puzzle asks of a person), se (er,ep,ed), whips (w,b), all, none. The default is se.
    #[arg(long, value_name = "LIST")]
    pub ratings: Option<Ratings>,
    /// Search ER up to this rating only. A higher ER is given as a lower bound, with se_exact = false. The default is
    /// 10.4. With 20 there is no limit, and the hardest puzzles take some seconds each.
    #[arg(long, value_name = "RATING")]
    pub er_limit: Option<Tenths>,
    /// Count the solutions of a puzzle up to this number; 1000 by default.
    #[arg(long, value_name = "N")]
    pub count_limit: Option<u64>,
    /// Positions that may be visited to count the solutions of one puzzle, and again for the reference search. The
    /// default is 1000000 up to 16x16, and 100000 for larger boards.
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,
    /// Do not test whether puzzles are minimal.
    #[arg(long)]
    pub no_minimal: bool,
    /// Fill the columns grid_number, class_rank and name: the number of the solution, its class, and a name that all
    /// isomorphs of the puzzle share. This takes a millisecond for each puzzle.
    #[arg(long)]
    pub numbers: bool,
}

/// What to do with lines that cannot be used.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum BadRows {
    /// Report, count and skip them.
    #[default]
    Skip,
    /// Stop at the first one.
    Fail,
}

impl From<BadRows> for OnError {
    fn from(choice: BadRows) -> OnError {
        match choice {
            BadRows::Skip => OnError::Skip,
            BadRows::Fail => OnError::Fail,
        }
    }
}

impl GridOptions {
    /// Writes the given options into a draft.
    pub fn fill(self, draft: &mut Draft) {
        draft.shape = self.board.shape().or(draft.shape);
        draft.method = self.method.or(draft.method.take());
        draft.bases = self.bases.or(draft.bases.take());
    }
}

impl DigOptions {
    /// Writes the given options into a draft, whose shape must be final.
    pub fn fill(self, draft: &mut Draft) {
        let by_holes = self.holes.map(|(first, last)| Plan::holes(draft.shape.unwrap_or(Shape::NINE), first..=last));
        let goal = &mut draft.goal;
        goal.plan = self.plan.or(by_holes).or(goal.plan.take());
        goal.symmetry = self.symmetry.or(goal.symmetry);
        if self.level.is_some() && goal.band.take().is_some() {
            (goal.only, goal.er) = (None, None);
        }
        goal.level = self.level.or(goal.level);
        goal.needs = self.needs.or(goal.needs.take());
        goal.uses = self.uses.or(goal.uses.take());
        goal.only = self.only.or(goal.only.take());
        goal.er = self.er.or(goal.er);
        draft.retries = self.retries.or(draft.retries);
        draft.dig_budget = self.dig_budget.or(draft.dig_budget);
    }
}

impl AnalyzeOptions {
    /// Writes the given options into a draft.
    pub fn fill(self, draft: &mut Draft) {
        draft.techniques = self.techniques.or(draft.techniques.take());
        draft.ratings = self.ratings.or(draft.ratings);
        draft.er_limit = self.er_limit.or(draft.er_limit);
        draft.count_limit = self.count_limit.or(draft.count_limit);
        draft.search_budget = self.budget.or(draft.search_budget);
        if self.no_minimal {
            draft.minimal = Some(false);
        }
        if self.numbers {
            draft.numbers = Some(true);
        }
    }
}

/// The recipe of a draft that was made on the command line. A wrong draft is wrong usage.
pub fn recipe(draft: &Draft) -> anyhow::Result<Recipe> {
    Recipe::new(draft).map_err(|error| Usage(error.to_string()).into())
}

/// Like [`recipe`], but accepts boards that are too large to be dug. For the first stage alone.
pub fn recipe_for_grids(draft: &Draft) -> anyhow::Result<Recipe> {
    Recipe::for_grids(draft).map_err(|error| Usage(error.to_string()).into())
}

/// A flag that SIGINT and SIGTERM set. A second signal ends the program at once.
pub fn stop_flag() -> anyhow::Result<StopFlag> {
    let stop = StopFlag::new();
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 4, stop.shared())
            .and_then(|_| signal_hook::flag::register(signal, stop.shared()))
            .context("cannot listen for signals")?;
    }
    Ok(stop)
}

/// Sets the flag when standard input ends. The system closes a pipe when the process at its other end dies, even by
/// `kill -9`, on every platform and across `ssh`. A parent-death signal would work on Linux only, and it follows the
/// thread that started the child, not the process.
pub fn stop_with_stdin(stop: &StopFlag) {
    let stop = stop.clone();
    thread::spawn(move || {
        let end = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        drop(end);
        stop.set();
    });
}

/// Ends the program with exit code 4 if the work has not ended [`PATIENCE`] after the flag was set: a row of a large
/// board may take minutes. Only the part that is being made is lost, because parts become visible when they are
/// complete.
pub fn end_soon_after(stop: &StopFlag) {
    end_after(stop, PATIENCE);
}

/// Removes temporary files and ends the program with exit code 4 as soon as the flag is set. For work that cannot be
/// stopped in another way, and that leaves no unfinished files.
pub fn end_at_once_after(stop: &StopFlag) {
    end_after(stop, Duration::ZERO);
}

fn end_after(stop: &StopFlag, patience: Duration) {
    let stop = stop.clone();
    thread::spawn(move || {
        while !stop.is_set() {
            thread::sleep(Duration::from_millis(100));
        }
        thread::sleep(patience);
        corpus::remove_temporary();
        std::process::exit(4);
    });
}

/// How long the work may take to end after a signal.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads a symmetry. Completions and help list the names.
fn symmetry_parser() -> impl clap::builder::TypedValueParser<Value = Symmetry> {
    PossibleValuesParser::new(Symmetry::ALL.map(Symmetry::name)).try_map(|name| name.parse::<Symmetry>())
}

/// N, or N..M with both ends included.
pub fn range(text: &str) -> Result<(usize, usize), String> {
    let number = |word: &str| word.trim().parse().map_err(|_| format!("'{text}' is neither N nor N..M"));
    match text.split_once("..") {
        Some((first, last)) => Ok((number(first)?, number(last.trim_start_matches('='))?)),
        None => number(text).map(|only| (only, only)),
    }
}

/// Refuses a board that is too large to be solved.
pub fn solvable(shape: Shape) -> Result<Shape, Usage> {
    if shape.is_solvable() {
        return Ok(shape);
    }
    let meant = Shape::meant(shape.box_rows(), shape.box_columns());
    let most = Shape::MAX_SOLVABLE_ORDER;
    Err(Usage(format!("{}: boards above order {most} are not solved{meant}", shape.board())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::GoalDraft;

    #[test]
    fn ranges_are_read() {
        assert_eq!(range("40"), Ok((40, 40)));
        assert_eq!(range("40..45"), Ok((40, 45)));
        assert_eq!(range(" 40 ..= 45 "), Ok((40, 45)));
        assert!(range("x").is_err() && range("1..").is_err() && range("..").is_err() && range("-1").is_err());
    }

    #[test]
    fn the_command_line_overrides_the_recipe() {
        let goal = GoalDraft { plan: Some(Plan::Reveal), ..GoalDraft::default() };
        let mut draft = Draft { shape: Some(Shape::NINE), goal, ..Draft::default() };
        let board = BoardOptions { board: Some(Shape::of_board("6x6").unwrap()), shape: None };
        GridOptions { board, ..GridOptions::default() }.fill(&mut draft);
        DigOptions { holes: Some((20, 22)), ..DigOptions::default() }.fill(&mut draft);
        assert_eq!(draft.shape.unwrap().to_string(), "2x3");
        assert_eq!(draft.goal.plan, Some(Plan::Givens(14..=16)));
        DigOptions::default().fill(&mut draft);
        assert_eq!(draft.goal.plan, Some(Plan::Givens(14..=16)));
    }
}
