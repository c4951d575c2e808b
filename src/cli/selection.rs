//! Defines the options with which `export` and `book` choose puzzles, and makes the choice.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::ensure;

use super::options::{self, BoardOptions, Global};
use super::paths::{self, Replace, plain};
use super::progress::Bars;
use super::{Early, Outcome, Published, Usage, counted, say};
use crate::board::Solution;
use crate::corpus::{
    IndexPath, InputPath, Job, OnError, Output, PROGRAM_VERSION, PublishedPath, Record, Sealed, StopFlag, TempFolder,
    clean, folder_of,
};
use crate::names::UnknownName;
use crate::publish::levels::{self, Levels};
use crate::publish::series::{self, Day, Week, Weekdays};
use crate::publish::{
    Begun, Choice, Pick, Pool, Publication, PublishError, Puzzles, Quota, Request, Seen, choose, parse_columns,
    request_digest,
};
use crate::solve::{Budget, solutions};

/// The sources, the number, the conditions and the order of puzzles.
#[derive(Debug, clap::Args)]
pub(super) struct Selection {
    /// Folders of corpora, or files of puzzles in any format; - for standard input.
    #[arg(default_value = "corpus", value_name = "CORPUS or FILE")]
    sources: Vec<InputPath>,
    /// Number of puzzles; the sum of the quotas by default. Puzzles beyond the quotas may be of any kind.
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "all")]
    count: Option<u64>,
    /// Take all puzzles that satisfy the conditions.
    #[arg(long)]
    all: bool,
    /// Levels: quotas (easy=200,medium=300), or the names of the levels to take (easy,medium).
    #[arg(long, value_name = "LIST", help_heading = "Which puzzles")]
    level: Option<String>,
    /// Symmetries with which the puzzles were dug: quotas (rotate-180=50,none=50) or names.
    #[arg(long, value_name = "LIST", help_heading = "Which puzzles")]
    symmetry: Option<String>,
    /// Numbers of givens: quotas (22..24=100,25..30=50) or ranges.
    #[arg(long, value_name = "LIST", help_heading = "Which puzzles")]
    givens: Option<String>,
    /// Scores: quotas (0..500=100,501..900=50) or ranges.
    #[arg(long, value_name = "LIST", help_heading = "Which puzzles")]
    score: Option<String>,
    /// Take only rows that satisfy an SQL condition; `query --schema` describes the columns. May be repeated.
    #[arg(long = "where", value_name = "SQL", help_heading = "Which puzzles")]
    conditions: Vec<String>,
    /// A quota by an SQL condition, as in 'n_x_wing > 0 = 25'. May be repeated.
    #[arg(long, value_name = "SQL=N", value_parser = quota, help_heading = "Which puzzles")]
    quota: Vec<Quota>,
    #[command(flatten, next_help_heading = "Which boards (all by default)")]
    board: BoardOptions,
    /// Skip isomorphs of the puzzles in these files: earlier exports in any format, folders of corpora, or indexes made
    /// by --remember. The index of --remember may be missing. A line that is not a puzzle is an error.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Which puzzles")]
    except: Vec<PublishedPath>,
    /// Take only isomorphs of the puzzles in these files, so that two outputs have the same puzzles.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Which puzzles")]
    only: Vec<PublishedPath>,
    /// Add the chosen puzzles to an index, which is created if it does not exist. The same command run again
    /// recognises its own puzzles: it writes nothing if the output still exists, and the same puzzles if it is gone.
    #[arg(long, value_name = "FILE", help_heading = "Which puzzles")]
    remember: Option<IndexPath>,
    /// Which puzzles to prefer if there are too many: random, input (those that come first), or columns (level,-score).
    #[arg(long, value_name = "ORDER", default_value = "random", allow_hyphen_values = true, help_heading = "Order")]
    pick: String,
    /// Seed of the random choice. Another seed gives another choice.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Order")]
    seed: u64,
    /// Sort the output by columns; - before a column means descending. The default is the order of --pick.
    #[arg(long, value_name = "COLUMNS", allow_hyphen_values = true, help_heading = "Order")]
    sort: Option<String>,
    /// The meaning of levels: newspaper, hodoku, or a TOML file; the levels of the corpora by default. See `guide
    /// publishing`.
    #[arg(long, value_name = "LEVELS", help_heading = "Which puzzles")]
    levels: Option<InputPath>,
    /// What to do with lines of the input that are not puzzles.
    #[arg(long, value_enum, default_value_t)]
    on_error: OnError,
}

/// The default levels of all commands except `book`.
pub(super) const HODOKU: &str = "hodoku";

impl Selection {
    /// The levels of --levels, those of the corpora, or the default levels of the command.
    pub(super) fn levels(&self, usual: &str) -> anyhow::Result<Levels> {
        self.levels_with(usual, Levels::of_corpora(&plain(&self.sources)))
    }

    /// The levels of --levels, those of a corpus if it has any, or the default levels of the command.
    pub(super) fn levels_with(&self, usual: &str, of_corpus: Option<Levels>) -> anyhow::Result<Levels> {
        let of_corpus = || of_corpus.map_or_else(|| Levels::open(usual, Path::new("")), Ok);
        let levels = self.levels.as_deref();
        let levels = levels.map_or_else(of_corpus, |name| Levels::open(&name.to_string_lossy(), Path::new("")));
        Ok(levels.map_err(Usage)?)
    }

    /// The request of the options, with the given levels.
    pub(super) fn request(&self, levels: &Levels) -> anyhow::Result<Request> {
        let mut quotas = Vec::new();
        let mut filters = self.conditions.clone();
        let range = |text: &str| {
            let (first, last) = crate::corpus::range(text)?;
            let number = |number: usize| u32::try_from(number).map_err(|_| format!("{number} is too large"));
            if first > last { Err(format!("the range {text} is empty")) } else { Ok(number(first)?..=number(last)?) }
        };
        let symmetry = |text: &str, count| {
            let symmetry = text.parse().map_err(|error: UnknownName| error.to_string())?;
            Ok(Quota::symmetry(symmetry, count))
        };
        let lists: [(_, _, &OneKind<'_>); 4] = [
            ("level", &self.level, &|text, count| {
                levels::quota(levels, text, count).map_err(|error| error.to_string())
            }),
            ("symmetry", &self.symmetry, &symmetry),
            ("givens", &self.givens, &|text, count| Ok(Quota::givens(range(text)?, count))),
            ("score", &self.score, &|text, count| Ok(Quota::score(range(text)?, count))),
        ];
        for (option, list, one) in lists {
            let Some(list) = list else { continue };
            let (some, only) = kinds(list, one).map_err(|reason| Usage(format!("--{option}: {reason}")))?;
            quotas.extend(some);
            filters.extend(only);
        }
        quotas.extend(self.quota.iter().cloned());
        let how = "say how many puzzles: --count N, --all, or quotas such as --level easy=200";
        ensure!(self.count.is_some() || self.all || !quotas.is_empty(), Usage(how.into()));
        let both = "--all cannot be used with quotas, because it takes all puzzles";
        ensure!(!self.all || quotas.is_empty(), Usage(both.into()));
        let pick = match self.pick.as_str() {
            "random" => Pick::Random(self.seed),
            "input" => Pick::Input,
            text => Pick::Columns(parse_columns(text, levels)?),
        };
        let sort = self.sort.as_deref().map(|text| parse_columns(text, levels)).transpose()?.unwrap_or_default();
        let shape = self.board.solvable()?;
        Ok(Request { count: self.count, quotas, filters, shape, pick, sort, ..Request::default() })
    }

    /// Begins the publication of puzzles. `request` holds all other options that determine the output, and `inputs` are
    /// the files that they name. If the output already exists exactly as this command would make it, prints a message
    /// and ends the command early.
    pub(super) fn begin(
        &self,
        global: &Global,
        out: &Path,
        request: &str,
        inputs: &[&Path],
    ) -> anyhow::Result<Publishing> {
        let stop = options::stop_flag()?;
        let Some(index) = &self.remember else { return Ok(Publishing { remembered: None, stop }) };
        let published = self.except.iter().chain(&self.only).filter(|path| path.exists());
        let sources = self.sources.iter().map(AsRef::as_ref).chain(published.map(AsRef::as_ref));
        let sources: Vec<&Path> = sources.chain(inputs.iter().copied()).collect();
        let digest = request_digest(&format!("{PROGRAM_VERSION} {request}"), &sources)?;
        // True if all outputs are there.
        let is_whole = global.paths.written().all(|path| Output::is_standard(path) || path.exists());
        match Publication::begin(index, out, digest, is_whole, &stop, &mut |text| say(text))? {
            Begun::New(publication) => Ok(Publishing { remembered: Some(*publication), stop }),
            Begun::Done(there) => {
                // Temporary files that a killed command left; nothing is made that would remove them.
                drop(clean(folder_of(out)));
                drop(TempFolder::new());
                let count = there.len() as u64;
                let (puzzles, name) = (counted(count, "puzzle"), paths::name(out));
                global.say(format_args!("{puzzles} into {name}: it already holds these puzzles"));
                let files = vec![(out.to_owned(), count)];
                Err(Early(Outcome::Published(Published { classes: there, files })).into())
            }
        }
    }

    /// Chooses the puzzles. Nothing is written before the choice ends, except temporary files beside the output.
    pub(super) fn choose(
        &self,
        global: &Global,
        command: &'static [&'static str],
        request: &Request,
        out: &Path,
        publishing: &mut Publishing,
    ) -> Result<Choice, PublishError> {
        options::end_soon_after(&publishing.stop)?;
        let choice = Bars::during(global, command, |progress| {
            let folder = Output::work_folder(out);
            let job = Job { on_error: self.on_error, folder, ..global.job(progress, &publishing.stop) };
            let pool = Pool::open(&plain(&self.sources), request, &job)?;
            // This command has published before: it takes the same puzzles again.
            if let Some(again) = publishing.remembered.as_ref().and_then(Publication::again) {
                return choose(&pool, request, &Seen::default(), Some(&Seen::of(again)), &job);
            }
            let shapes = if self.except.len() + self.only.len() == 0 { Vec::new() } else { pool.shapes()? };
            let mut seen = Seen::for_shapes(shapes.clone());
            for path in &self.except {
                match &mut publishing.remembered {
                    Some(publication) if publication.is_in(path) => seen.add_index(publication),
                    _ => seen.add_file(path, &mut |text| progress.say(text))?,
                }
            }
            let mut only = (!self.only.is_empty()).then(|| Seen::for_shapes(shapes));
            if let Some(only) = &mut only {
                self.only.iter().try_for_each(|path| only.add_file(path, &mut |text| progress.say(text)))?;
            }
            choose(&pool, request, &seen, only.as_ref(), &job)
        })?;
        let all = request.is_all().then(|| choice.tally.left_out(choice.chosen.len() as u64));
        all.flatten().iter().for_each(|text| global.say(text));
        Ok(choice)
    }
}

/// A publication in progress.
pub(super) struct Publishing {
    /// In the index of --remember, if there is one.
    remembered: Option<Publication>,
    stop: StopFlag,
}

impl Publishing {
    /// The files of a publication that was stopped may be replaced when it is finished.
    pub(super) fn replace(&self, usual: Replace) -> Replace {
        if self.remembered.as_ref().is_some_and(Publication::is_resumed) { Replace::ALWAYS } else { usual }
    }

    /// Remembers the chosen puzzles, then renames the finished files, then writes the files that are too many to be
    /// open at the same time. Returns the classes of the puzzles.
    pub(super) fn finish<'a>(
        self,
        chosen: impl Iterator<Item = &'a Puzzles>,
        files: Vec<Sealed>,
        more: impl FnOnce() -> Result<(), PublishError>,
    ) -> anyhow::Result<Vec<u128>> {
        let mut classes = Vec::new();
        for chosen in chosen {
            classes.append(&mut chosen.classes()?);
        }
        match self.remembered {
            Some(begun) => begun.finish(&classes, files, more)?,
            None => {
                files.into_iter().try_for_each(Sealed::publish)?;
                more()?;
            }
        }
        Ok(classes)
    }
}

/// Numbers and days of puzzles.
#[derive(Debug, clap::Args)]
pub(super) struct Calendar {
    /// Number of the first puzzle; 1 by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub first_puzzle: Option<u32>,
    /// One puzzle per day from this day on, easy on Monday to hard on Saturday, or in the order of --sort. The name of
    /// a day of the week, such as monday, is the first such day after today.
    #[arg(long, value_name = "DAY", value_parser = |text: &str| series::first_day(text, Day::today()))]
    pub dates: Option<Day>,
    /// The days of the week on which a puzzle appears, such as mon-sat or mon,wed,fri; all by default.
    #[arg(long, value_name = "DAYS", requires = "dates")]
    days: Option<Weekdays>,
    /// A level for each day of the week, such as mon-tue=easy,wed-fri=medium,sat=hard,sun=expert.
    #[arg(long, value_name = "LIST", requires = "dates", requires = "count")]
    week: Option<Week>,
}

impl Calendar {
    /// The days of this number of puzzles: one for each, or none without --dates.
    pub(super) fn days(&self, count: usize) -> Result<Vec<Day>, Usage> {
        let Some(first) = self.dates else { return Ok(Vec::new()) };
        let days = series::days(first, count, self.days.unwrap_or_default());
        let ends = || Usage(format!("--dates {first}: the calendar ends before {}", counted(count as u64, "puzzle")));
        if days.len() == count { Ok(days) } else { Err(ends()) }
    }

    /// Adds quotas for the levels that --week asks for.
    pub(super) fn add_quotas(&self, levels: &Levels, request: &mut Request) -> anyhow::Result<()> {
        let Some(week) = &self.week else { return Ok(()) };
        ensure!(request.quotas.is_empty(), Usage("--week cannot be used with quotas: it makes its own".into()));
        let count = usize::try_from(request.count.unwrap_or(0)).unwrap_or(usize::MAX);
        let mut counts = BTreeMap::new();
        for day in self.days(count)? {
            *counts.entry(week.level(day)?).or_insert(0) += 1;
        }
        request.quotas =
            counts.into_iter().map(|(name, count)| levels::quota(levels, name, count)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// For each day, the place of its puzzle among puzzles from the easiest to the hardest, whose levels are given.
    pub(super) fn places(&self, days: &[Day], levels: &Levels, of: &[Option<usize>]) -> anyhow::Result<Vec<usize>> {
        let place = |day: &Day| match &self.week {
            Some(week) => Ok(levels.place(week.level(*day)?).map_err(Usage)?),
            None => Ok(0),
        };
        let wanted = days.iter().map(place).collect::<anyhow::Result<Vec<usize>>>()?;
        let kinds: Vec<usize> =
            of.iter().map(|level| if self.week.is_some() { level.unwrap_or(usize::MAX) } else { 0 }).collect();
        let places = series::by_weekday(days, &wanted, &kinds);
        places.ok_or_else(|| Usage("--week: the puzzles have other levels than the days need".into()).into())
    }

    /// The days of this number of puzzles, after the day before.
    pub(super) fn days_from_before(&self, count: usize) -> Result<Vec<Day>, Usage> {
        let before = self.dates.map(|first| series::day_before(first, self.days.unwrap_or_default()));
        Ok(before.into_iter().chain(self.days(count)?).collect())
    }
}

/// Budget of positions for finding a solution that a row does not have.
const SEARCH: Budget = Budget(10_000_000);

/// The solution of a row. A row of a text file may lack it, though there is one.
pub(super) fn solution_of(record: &Record) -> anyhow::Result<Solution> {
    let Some(puzzle) = &record.puzzle else { anyhow::bail!("row {} has no puzzle", record.index) };
    let found = record.solution.clone().or_else(|| solutions(puzzle, 1, SEARCH).0.pop());
    found.ok_or_else(|| anyhow::anyhow!("row {}: no solution was found", record.index))
}

/// The numbers of chosen puzzles: "500 puzzles (200 easy, 300 medium) of 10000 rows".
pub(super) fn said(Choice { chosen, filled, tally }: &Choice, Request { quotas, .. }: &Request) -> String {
    let parts: Vec<String> =
        filled.iter().zip(quotas).map(|(count, quota)| format!("{count} {}", quota.name)).collect();
    let kinds = if parts.len() < 2 { String::new() } else { format!(" ({})", parts.join(", ")) };
    format!("{}{kinds} of {}", counted(chosen.len() as u64, "puzzle"), counted(tally.rows, "row"))
}

/// The quota of a kind, with its number.
type OneKind<'a> = dyn Fn(&str, u64) -> Result<Quota, String> + 'a;

/// A list of kinds. It gives quotas if every kind has a number, or else the condition that a row is of one kind.
fn kinds(list: &str, one: &OneKind<'_>) -> Result<(Vec<Quota>, Option<String>), String> {
    let (mut quotas, mut only) = (Vec::new(), Vec::new());
    for item in list.split(',') {
        match item.split_once('=') {
            Some((kind, count)) => {
                let count = count.trim().parse().map_err(|_| format!("'{count}' is not a number of puzzles"))?;
                quotas.push(one(kind.trim(), count)?);
            }
            None => only.push(format!("({})", one(item.trim(), 0)?.condition)),
        }
    }
    match (quotas.is_empty(), only.is_empty()) {
        (false, false) => Err(format!("'{list}': either all items or none must have a number of puzzles")),
        (_, none) => Ok((quotas, (!none).then(|| only.join(" OR ")))),
    }
}

/// A quota by a condition: SQL, and a number after the last '='.
fn quota(text: &str) -> Result<Quota, String> {
    let wrong = || format!("'{text}' does not end with = and a number of puzzles");
    let (condition, count) = text.rsplit_once('=').ok_or_else(wrong)?;
    Ok(Quota::condition(condition.trim(), count.trim().parse().map_err(|_| wrong())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_quotas_or_conditions() {
        let level =
            |text: &str, count| levels::quota(&Levels::hodoku(), text, count).map_err(|error| error.to_string());
        let (quotas, only) = kinds("easy=200, medium=300", &level).unwrap();
        assert_eq!((quotas[0].count, quotas[1].count, quotas.len(), only), (200, 300, 2, None));
        let (quotas, only) = kinds("easy,hard", &level).unwrap();
        assert_eq!((quotas.len(), only.as_deref()), (0, Some("(level = 'easy') OR (level = 'hard')")));
        for bad in ["easy=200,hard", "easy=many", "ezy=3", ""] {
            assert!(kinds(bad, &level).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_number_of_a_quota_follows_the_last_equals_sign() {
        let quota = quota("level = 'hard' AND givens <= 24 = 25").unwrap();
        assert_eq!((quota.condition.as_str(), quota.count), ("level = 'hard' AND givens <= 24", 25));
        assert!(super::quota("score > 5").is_err() && super::quota("level = 'hard'").is_err());
    }
}
