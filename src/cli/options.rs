//! Options that several commands share, and how they fill the gaps of a recipe.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;

use super::Usage;
use crate::board::{Shape, ShapeError, Symmetry};
use crate::corpus::{self, Draft, OnError, Ratings, Recipe, StopFlag};
use crate::dig::Plan;
use crate::rate::explainer::Tenths;
use crate::rate::{Ladder, Level, Technique};

/// Options of every command.
#[derive(Debug, clap::Args)]
pub struct Global {
    /// No progress and no summary on stderr; errors are still shown.
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub quiet: bool,
    /// Threads to compute with; all cores by default. The output is the same for any number.
    #[arg(long, global = true, value_name = "N", help_heading = "Global options", value_parser = thread_count)]
    pub threads: Option<usize>,
}

fn thread_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("a number of threads is 1 to 1024".into()),
    }
}

/// How full grids are made.
#[derive(Debug, Default, clap::Args)]
pub struct GridOptions {
    /// Rows x columns of a box, or an order: 3x3, 2x3, 16. 3x3 by default.
    #[arg(long, value_name = "RxC")]
    pub shape: Option<Shape>,
    /// How full grids are made; `list methods` tells all. Options follow a colon: permutation:blocks, jump-back:7,16.
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Puzzles or grids for the method base-shuffle.
    #[arg(long, value_name = "FILE")]
    pub bases: Option<PathBuf>,
}

/// How holes are dug.
#[derive(Debug, Default, clap::Args)]
pub struct DigOptions {
    /// minimal, reveal, givens=N, givens=N..M, random-holes=N or within; `list plans` tells all. minimal by default, with
    /// --level, --only or --er within.
    #[arg(long, value_name = "PLAN")]
    pub plan: Option<Plan>,
    /// The plan `givens`, by the number of empty cells: N or N..M, both included.
    #[arg(long, value_name = "N..M", conflicts_with = "plan", value_parser = range)]
    pub holes: Option<(usize, usize)>,
    /// Symmetry of the pattern of givens; none by default.
    #[arg(long, value_name = "SYMMETRY", value_parser = symmetry_parser())]
    pub symmetry: Option<Symmetry>,
    /// Puzzles of this level only: easy, medium, hard, unfair, extreme, beyond.
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<Level>,
    /// Puzzles for which the ladder has to use these techniques: x_wing, or xy_wing,swordfish.
    // The path keeps clap from taking a `Vec` for an option that may be repeated: the parser reads the whole list.
    #[arg(long, value_name = "LIST", value_parser = corpus::needed)]
    pub needs: Option<std::vec::Vec<Technique>>,
    /// Puzzles that these techniques alone solve: singles, or singles,intersections.
    #[arg(long, value_name = "LIST", value_parser = corpus::only)]
    pub only: Option<Ladder>,
    /// Puzzles with this ER of Sudoku Explainer: 4.5, or 1.5..4.5 with both ends included; 9x9.
    #[arg(long, value_name = "N..M", value_parser = corpus::er)]
    pub er: Option<(Tenths, Tenths)>,
    /// New grids (or orders) tried for a puzzle that does not come out as asked; 1000 by default, 100000 with --level,
    /// --needs, --only or --er.
    #[arg(long, value_name = "N")]
    pub retries: Option<u64>,
    /// Search nodes that one question of uniqueness may cost while digging; by default without bound to order 9, 5000 to
    /// order 16, 100 above. 1000000 makes minimal puzzles of 25x25, in seconds each.
    #[arg(long, value_name = "N")]
    pub dig_budget: Option<u64>,
}

/// What is found out about each puzzle.
#[derive(Debug, Default, clap::Args)]
pub struct AnalyzeOptions {
    /// Techniques of the ladder: default, all, none, or a list such as singles,x_wing,-w_wing; `list techniques` tells all.
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub techniques: Option<String>,
    /// Ratings of 9x9 puzzles on published scales: none, er, ep, ed, w, b, te, bxb, or se (er,ep,ed), whips (w,b), all; se by default.
    #[arg(long, value_name = "LIST")]
    pub ratings: Option<Ratings>,
    /// ER above this is given as a lower bound (se_exact is false); 10.4 by default, 20 for no limit, which takes minutes.
    #[arg(long, value_name = "RATING")]
    pub er_limit: Option<Tenths>,
    /// How far the solutions of a puzzle are counted; 1000 by default.
    #[arg(long, value_name = "N")]
    pub count_limit: Option<u64>,
    /// Positions that counting and the reference search may visit for one puzzle, each; 1000000 by default to
    /// order 16, 100000 above.
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,
    /// Do not find out whether puzzles are minimal.
    #[arg(long)]
    pub no_minimal: bool,
    /// Fill the columns grid_number, class_rank and name: the solution's number, its class, and a name of the puzzle that
    /// all isomorphs share. A millisecond a puzzle.
    #[arg(long)]
    pub numbers: bool,
}

/// What to do about lines that cannot be used.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub enum BadRows {
    /// Report, count and leave out.
    #[default]
    Skip,
    /// Stop at the first.
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
    /// Writes what was given into a draft.
    pub fn fill(self, draft: &mut Draft) {
        draft.shape = self.shape.or(draft.shape);
        draft.method = self.method.or(draft.method.take());
        draft.bases = self.bases.or(draft.bases.take());
    }
}

impl DigOptions {
    /// Writes what was given into a draft; its shape must be final.
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
        goal.only = self.only.or(goal.only.take());
        goal.er = self.er.or(goal.er);
        draft.retries = self.retries.or(draft.retries);
        draft.dig_budget = self.dig_budget.or(draft.dig_budget);
    }
}

impl AnalyzeOptions {
    /// Writes what was given into a draft.
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

/// The recipe of a draft made on the command line: what is wrong with it is wrong usage.
pub fn recipe(draft: &Draft) -> anyhow::Result<Recipe> {
    Recipe::new(draft).map_err(|error| Usage(error.to_string()).into())
}

/// The recipe of a draft for its first stage alone, which makes boards too large to be dug as well.
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

/// Sets the flag when the standard input ends. The system closes a pipe when the process at its other end dies, by
/// `kill -9` too, on every platform and across `ssh`; a death signal would be Linux alone, and follow the thread that
/// started the child instead of the process.
pub fn stop_with_stdin(stop: &StopFlag) {
    let stop = stop.clone();
    thread::spawn(move || {
        let end = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        drop(end);
        stop.set();
    });
}

/// Ends the program with exit code 4 when its work has not ended [`PATIENCE`] after the flag was set: a row of a large
/// board may take minutes. Parts appear whole or not at all, so that nothing is lost but the current one.
pub fn end_soon_after(stop: &StopFlag) {
    end_after(stop, PATIENCE);
}

/// Ends the program with exit code 4 as soon as the flag is set, without temporary files: for work that nothing else
/// can stop, and that leaves nothing half.
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

/// How long work may take to end when it was asked to.
const PATIENCE: Duration = Duration::from_secs(5);

/// Symmetries by name, offered by completions and help.
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

/// A shape that can be solved, for commands that do more than generate.
pub fn solvable(text: &str) -> Result<Shape, String> {
    let shape: Shape = text.parse().map_err(|error: ShapeError| error.to_string())?;
    if shape.is_solvable() {
        return Ok(shape);
    }
    Err(format!("order {} is too large to solve: at most {}", shape.order(), Shape::MAX_SOLVABLE_ORDER))
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
    fn the_command_line_wins_over_the_recipe() {
        let goal = GoalDraft { plan: Some(Plan::Reveal), ..GoalDraft::default() };
        let mut draft = Draft { shape: Some(Shape::NINE), goal, ..Draft::default() };
        GridOptions { shape: Some("2x3".parse().unwrap()), ..GridOptions::default() }.fill(&mut draft);
        DigOptions { holes: Some((20, 22)), ..DigOptions::default() }.fill(&mut draft);
        assert_eq!(draft.shape.unwrap().to_string(), "2x3");
        assert_eq!(draft.goal.plan, Some(Plan::Givens(14..=16)));
        DigOptions::default().fill(&mut draft);
        assert_eq!(draft.goal.plan, Some(Plan::Givens(14..=16)));
    }
}
