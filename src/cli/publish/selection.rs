//! Defines the options with which `export` and `book` choose puzzles, and makes the choice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::ensure;

use crate::board::{Shape, Solution};
use crate::cli::line::options::{self, Global, solvable};
use crate::cli::line::paths::{self, plain};
use crate::cli::line::progress::Bars;
use crate::cli::{Early, Outcome, Usage, counted, say};
use crate::corpus::{
    Begun, IndexPath, InputPath, Job, Levels, OnError, Output, PROGRAM_VERSION, Publication, PublicationCall,
    PublishedPath, Record, Sealed, StopFlag, TempFolder, clean, folder_of,
};
use crate::publish::picture::can_shade_boxes;
use crate::publish::series::{self, Day, Week, Weekdays};
use crate::publish::{
    Choice, Pick, Pool, PublishError, Puzzles, Quota, Request, Scale, Seen, choose, parse_columns, request_digest,
};
use crate::random::DEFAULT_SEED;
use crate::solve::{Budget, solutions};

/// The sources, the number, the conditions and the order of puzzles.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Selection {
    /// Folders of corpora, or files of puzzles in any format; - for standard input.
    #[arg(default_value = "corpus", value_name = "CORPUS or FILE")]
    sources: Vec<InputPath>,
    /// Number of puzzles; the sum of the quotas by default. Puzzles beyond the quotas may be of any kind.
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "all")]
    #[arg(value_parser = clap::value_parser!(u64).range(..=1_000_000_000_000))]
    count: Option<u64>,
    /// Take all puzzles that satisfy the conditions.
    #[arg(long)]
    all: bool,
    /// Level of the puzzles, on the scale of the corpora or of --levels: quotas (easy=200,medium=300), or the names of the
    /// levels to take (easy,medium). `list levels` shows the scales.
    #[arg(long, value_name = "LIST", help_heading = "Which puzzles")]
    level: Option<String>,
    /// Numbers of givens: quotas (22..24=100,25..30=50) or ranges.
    #[arg(long, value_name = "LIST", help_heading = "Which puzzles")]
    givens: Option<String>,
    /// Take only rows that satisfy an SQL condition; `list columns` describes the columns. May be repeated.
    #[arg(long = "where", value_name = "SQL", help_heading = "Which puzzles")]
    conditions: Vec<String>,
    /// A quota by an SQL condition, as in 'n_x_wing > 0 = 25'. May be repeated.
    #[arg(long, value_name = "SQL=N", value_parser = quota, help_heading = "Which puzzles")]
    quota: Vec<Quota>,
    /// The size of a box, rows x columns, and variants after a plus: 3x3, 2x3, 3x3+x; all boards by default.
    #[arg(long, value_name = "RxC", value_parser = solvable, help_heading = "Which puzzles")]
    shape: Option<Shape>,
    /// Publish no isomorphs of the puzzles in these files: earlier exports in any format, folders of corpora, or indexes
    /// made by --remember. The index of --remember may be missing. A line that is not a puzzle is an error.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Which puzzles")]
    except: Vec<PublishedPath>,
    /// Take only isomorphs of the puzzles in these files, so that two outputs have the same puzzles.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Which puzzles")]
    among: Vec<PublishedPath>,
    /// Add the published puzzles to this index, a database that is created if it does not exist, before anybody can see
    /// the output. The same command run again knows its own puzzles: it writes nothing if its files still exist, and
    /// the same puzzles if they are gone.
    #[arg(long, value_name = "FILE", help_heading = "Which puzzles")]
    remember: Option<IndexPath>,
    /// Which puzzles to prefer if there are too many: random, input (those that come first), columns
    /// (level,-hodoku_score), or weighted: by chance, in proportion to their weights, so that the choice is a sample of
    /// all minimal puzzles.
    #[arg(long, value_name = "ORDER", default_value = "random", allow_hyphen_values = true, help_heading = "Order")]
    pick: String,
    /// Seed of all random numbers, from 0; default 20261120.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, hide_default_value = true, help_heading = "Order")]
    pub seed: u64,
    /// Sort the output by columns; - before a column means descending. The default is the order of --pick.
    #[arg(long, value_name = "COLUMNS", allow_hyphen_values = true, help_heading = "Order")]
    sort: Option<String>,
    /// The scale of the levels: newspaper, hodoku, or a TOML file. The ratings of each row then give its level anew. The
    /// default is the scale of the corpora, or the newspaper's for files of puzzles. See `guide levels`.
    #[arg(long, value_name = "LEVELS", help_heading = "Which puzzles")]
    levels: Option<InputPath>,
    /// What to do with bad rows, which are not puzzles.
    #[arg(long, value_enum, default_value_t)]
    on_error: OnError,
}

impl Selection {
    /// The scale of --levels, or that of the corpora.
    pub(in crate::cli) fn scale(&self) -> anyhow::Result<Scale> {
        let scale = Scale::of(self.named_levels()?, &plain(&self.sources));
        Ok(scale.map_err(|error| error.with_advice("name one with --levels"))?)
    }

    /// The scale of --levels, or that of a corpus which is not made yet.
    pub(in crate::cli) fn scale_with(&self, of_corpus: Levels) -> anyhow::Result<Scale> {
        let named = self.named_levels()?;
        Ok(Scale {
            by_ratings: named.as_ref().is_some_and(|named| *named != of_corpus),
            levels: named.unwrap_or(of_corpus),
        })
    }

    /// The scale of --levels.
    fn named_levels(&self) -> Result<Option<Levels>, Usage> {
        let levels = self.levels.as_ref().map(|name| Levels::open(&name.to_string_lossy(), Path::new("")));
        levels.transpose().map_err(Usage)
    }

    /// The request of the options, with the given scale of levels.
    pub(in crate::cli) fn request(&self, scale: &Scale) -> anyhow::Result<Request> {
        let mut quotas = Vec::new();
        let mut filters = self.conditions.clone();
        let range = |text: &str| {
            let (first, last) = crate::corpus::range(text)?;
            let number = |number: usize| u32::try_from(number).map_err(|_| format!("{number} is too large"));
            if first > last { Err(format!("the range {text} is empty")) } else { Ok(number(first)?..=number(last)?) }
        };
        let lists: [(_, _, &QuotaOfKind<'_>); 2] = [
            ("level", &self.level, &|text, count| scale.quota(text, count).map_err(|error| error.to_string())),
            ("givens", &self.givens, &|text, count| Ok(Quota::givens(range(text)?, count))),
        ];
        for (option, list, quota_of) in lists {
            let Some(list) = list else { continue };
            let (list_quotas, filter) =
                quotas_or_filter(list, quota_of).map_err(|reason| Usage(format!("--{option}: {reason}")))?;
            quotas.extend(list_quotas);
            filters.extend(filter);
        }
        quotas.extend(self.quota.iter().cloned());
        let no_number = "say how many puzzles: --count N, --all, or quotas such as --level easy=200";
        ensure!(self.count.is_some() || self.all || !quotas.is_empty(), Usage(no_number.into()));
        let count = self.count.unwrap_or_else(|| quotas.iter().map(|quota| quota.count).sum());
        ensure!(self.all || count > 0, Usage("0 puzzles are asked for: a count is at least 1".into()));
        let both = "--all cannot be used with quotas, because it takes all puzzles";
        ensure!(!self.all || quotas.is_empty(), Usage(both.into()));
        let pick = match self.pick.as_str() {
            "random" => Pick::Random(self.seed),
            "input" => Pick::Input,
            "weighted" => Pick::Weighted(self.seed),
            "hardest" => {
                let instead = "for the hardest puzzles write --pick -hodoku_score";
                return Err(Usage(format!("--pick hardest begins with the easiest techniques; {instead}")).into());
            }
            text => Pick::Columns(parse_columns(text, scale)?),
        };
        let sort = self.sort.as_deref().map(|text| parse_columns(text, scale)).transpose()?.unwrap_or_default();
        Ok(Request {
            count: self.count,
            quotas,
            filters,
            shape: self.shape,
            pick,
            sort,
            scale: scale.clone(),
            with_levels: self.level.is_some(),
            ..Request::default()
        })
    }

    /// Begins the publication of puzzles. `request` holds all other options that determine the output, and `inputs` are
    /// the files that they name. If the outputs already exist exactly as this command would make them, prints a message
    /// and ends the command early.
    pub(in crate::cli) fn begin(
        &self,
        global: &Global,
        out: &Path,
        request: &str,
        inputs: &[&Path],
    ) -> anyhow::Result<Publishing> {
        let stop = options::stop_flag()?;
        let Some(index) = &self.remember else { return Ok(Publishing { remembered: None, stop }) };
        let published = self.except.iter().chain(&self.among).filter(|path| path.exists());
        let sources = self.sources.iter().map(AsRef::as_ref).chain(published.map(AsRef::as_ref));
        let sources: Vec<&Path> = sources.chain(inputs.iter().copied()).collect();
        let digest = request_digest(&format!("{PROGRAM_VERSION} {request}"), &sources)?;
        let has_streams = global.paths.written().any(|path| Output::is_standard(path) || Output::is_direct(path));
        let day = Day::today().to_string();
        let call = PublicationCall { index, output: out, request: digest, day, has_streams };
        match Publication::begin(call, &stop, &mut |text| say(text))? {
            Begun::Stopped => Err(PublishError::Stopped.into()),
            Begun::New(publication) => {
                if publication.is_resumed() {
                    global.paths.replace();
                }
                global.paths.refuse_existing()?;
                Ok(Publishing { remembered: Some(*publication), stop })
            }
            Begun::Done(classes) => {
                // Temporary files that a killed command left; nothing is made that would remove them.
                clean(folder_of(out));
                drop(TempFolder::new());
                let count = classes.len() as u64;
                let (puzzles, name) = (counted(count, "puzzle"), paths::name(out));
                global.say(format_args!("{puzzles} into {name}: it already holds these puzzles"));
                Err(Early(Outcome::Published(vec![(out.display().to_string(), count)])).into())
            }
        }
    }

    /// Chooses the puzzles. Nothing is written before the choice ends, except temporary files beside the output.
    pub(in crate::cli) fn choose(
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
            // This command has published before, or was about to: it takes the same puzzles again.
            if let Some(again) = publishing.remembered.as_ref().and_then(Publication::again) {
                return choose(&pool, request, &Seen::default(), Some(&Seen::of(again)), &job);
            }
            let shapes = if self.except.len() + self.among.len() == 0 { Vec::new() } else { pool.shapes()? };
            let mut seen = Seen::for_shapes(shapes.clone());
            // The index of this call is locked, and it is never opened twice: that would give up the lock.
            let add = |seen: &mut Seen, path: &Path| match &publishing.remembered {
                Some(publication) if publication.is_in(path) => {
                    seen.add_index(publication);
                    Ok(())
                }
                _ => seen.add_file(path),
            };
            self.except.iter().try_for_each(|path| add(&mut seen, path))?;
            let mut among = (!self.among.is_empty()).then(|| Seen::for_shapes(shapes));
            if let Some(among) = &mut among {
                self.among.iter().try_for_each(|path| add(among, path))?;
            }
            choose(&pool, request, &seen, among.as_ref(), &job)
        })?;
        if request.is_all()
            && let Some(reasons) = choice.tally.left_out(choice.chosen.len() as u64)
        {
            global.say(&reasons);
        }
        Ok(choice)
    }
}

/// A publication in progress.
pub(in crate::cli) struct Publishing {
    /// In the index of --remember, if there is one.
    remembered: Option<Publication>,
    stop: StopFlag,
}

impl Publishing {
    /// Remembers the chosen puzzles, and then lets everybody see the outputs.
    pub(in crate::cli) fn finish<'a>(
        self,
        chosen: impl Iterator<Item = &'a Puzzles>,
        outputs: Sealed,
    ) -> anyhow::Result<()> {
        let mut classes = Vec::new();
        for chosen in chosen {
            classes.append(&mut chosen.classes()?);
        }
        let Some(begun) = self.remembered else { return Ok(outputs.publish()?) };
        match begun.finish(&classes, outputs, &self.stop, &mut |text| say(text))? {
            true => Ok(()),
            false => Err(PublishError::Stopped.into()),
        }
    }
}

/// Numbers and days of puzzles.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Calendar {
    /// Number of the first puzzle; 1 by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000_000))]
    pub first_puzzle: Option<u32>,
    /// One puzzle per day from this day on, easy on Monday to hard on Saturday; in an export also in the order of --sort.
    /// Also today, tomorrow, or the name of a day of the week, such as monday, for the first such day after today.
    #[arg(long, value_name = "DAY", value_parser = |text: &str| series::first_day(text, Day::today()))]
    pub dates: Option<Day>,
    /// The days of the week on which a puzzle appears, such as mon-sat or mon,wed,fri; all by default.
    #[arg(long, value_name = "DAYS", requires = "dates")]
    days: Option<Weekdays>,
    /// A level for each day of the week, such as mon-tue=easy,wed-fri=medium,sat=hard,sun=expert. --count is the number of
    /// days.
    #[arg(long, value_name = "LIST", requires = "dates", requires = "count", conflicts_with = "sort")]
    week: Option<Week>,
}

impl Calendar {
    /// The days of this number of puzzles: one for each, or none without --dates.
    pub(in crate::cli) fn days(&self, count: usize) -> Result<Vec<Day>, Usage> {
        let Some(first) = self.dates else { return Ok(Vec::new()) };
        let days = series::days(first, count, self.days.unwrap_or_default());
        if days.len() < count {
            let puzzles = counted(count as u64, "puzzle");
            return Err(Usage(format!("--dates {first}: the calendar ends before {puzzles}")));
        }
        Ok(days)
    }

    /// Adds quotas for the levels that --week asks for.
    pub(in crate::cli) fn add_quotas(&self, request: &mut Request) -> anyhow::Result<()> {
        let Some(week) = &self.week else { return Ok(()) };
        ensure!(request.quotas.is_empty(), Usage("--week cannot be used with quotas: it makes its own".into()));
        let count = usize::try_from(request.count.unwrap_or(0)).unwrap_or(usize::MAX);
        let mut counts = BTreeMap::new();
        for day in self.days(count)? {
            *counts.entry(week.level(day)?).or_insert(0) += 1;
        }
        for (name, count) in counts {
            let quota = request.scale.quota(name, count).map_err(|error| Usage(format!("--week: {error}")))?;
            request.quotas.push(quota);
        }
        request.with_levels = true;
        Ok(())
    }

    /// For each day, the place of its puzzle among puzzles from the easiest to the hardest, whose levels are given.
    pub(in crate::cli) fn places(
        &self,
        days: &[Day],
        levels: &Levels,
        puzzle_levels: &[Option<usize>],
    ) -> anyhow::Result<Vec<usize>> {
        // Without --week, all days want puzzles of one kind.
        let mut wanted_kinds = vec![0; days.len()];
        let mut puzzle_kinds = vec![0; puzzle_levels.len()];
        if let Some(week) = &self.week {
            for (kind, day) in wanted_kinds.iter_mut().zip(days) {
                *kind = levels.place(week.level(*day)?).map_err(Usage)?;
            }
            for (kind, level) in puzzle_kinds.iter_mut().zip(puzzle_levels) {
                *kind = level.unwrap_or(usize::MAX);
            }
        }
        let places = series::by_weekday(days, &wanted_kinds, &puzzle_kinds);
        places.ok_or_else(|| Usage("--week: the puzzles have other levels than the days need".into()).into())
    }

    /// The days of this number of puzzles, after the day before.
    pub(in crate::cli) fn days_from_before(&self, count: usize) -> Result<Vec<Day>, Usage> {
        let before = self.dates.map(|first| series::day_before(first, self.days.unwrap_or_default()));
        Ok(before.into_iter().chain(self.days(count)?).collect())
    }
}

/// Budget of positions for finding a solution that a row does not have.
pub(in crate::cli) const SEARCH: Budget = Budget(10_000_000);

/// The solution of a row. A row of a text file may lack it, though there is one.
///
/// # Errors
/// A row without a puzzle; a puzzle without a solution, or with several; one whose solutions cannot be counted.
pub(in crate::cli) fn solution_of(record: &Record) -> anyhow::Result<Solution> {
    let Some(puzzle) = &record.puzzle else { anyhow::bail!("row {} has no puzzle", record.row) };
    if let Some(solution) = &record.solution {
        return Ok(solution.clone());
    }
    let (mut found, count) = solutions(puzzle, 2, SEARCH);
    ensure!(count.found < 2, "row {} has several solutions, so none of them is its solution", record.row);
    // Without an exact count, a solution that was found need not be the only one.
    let only = if count.exact { found.pop() } else { None };
    only.ok_or_else(|| anyhow::anyhow!("row {}: no solution was found", record.row))
}

/// Refuses to shade the boxes of boards of which none can have shaded boxes.
pub(in crate::cli) fn check_shade(is_asked: bool, mut shapes: impl Iterator<Item = Shape>) -> Result<(), Usage> {
    if !is_asked || shapes.any(can_shade_boxes) {
        return Ok(());
    }
    Err(Usage("--shade has no effect here: it needs a board with boxes, and without shaded houses of its rules".into()))
}

/// The numbers of chosen puzzles: "500 puzzles (200 easy, 300 medium on the newspaper's scale) of 10000 rows".
pub(in crate::cli) fn said(
    Choice { chosen, filled, tally }: &Choice,
    Request { quotas, scale, with_levels, .. }: &Request,
) -> String {
    let (mut levels, mut others) = (Vec::new(), Vec::new());
    for (count, quota) in filled.iter().zip(quotas) {
        let is_level = scale.quota(&quota.name, quota.count).is_ok_and(|level| level == *quota);
        let kinds = if is_level { &mut levels } else { &mut others };
        kinds.push(format!("{count} {}", quota.name));
    }
    let mut parts = Vec::new();
    if !levels.is_empty() {
        parts.push(format!("{} on {}", levels.join(", "), scale.levels.scale()));
    }
    if !others.is_empty() {
        parts.push(others.join(", "));
    }
    if quotas.is_empty() && *with_levels {
        parts.push(format!("levels on {}", scale.levels.scale()));
    }
    // A single quota that is no level has all puzzles, so it says nothing new.
    let has_details = quotas.len() > 1 || parts.iter().any(|part| part.contains(" on "));
    let kinds = if has_details { format!(" ({})", parts.join("; ")) } else { String::new() };
    format!("{}{kinds} of {}", counted(chosen.len() as u64, "puzzle"), counted(tally.rows, "row"))
}

/// The quota of a kind of puzzles (a level, a number of givens), by its name and the number of puzzles.
type QuotaOfKind<'a> = dyn Fn(&str, u64) -> Result<Quota, String> + 'a;

/// A list of kinds. It gives quotas if every kind has a number, or else the condition that a row is of one of them.
fn quotas_or_filter(list: &str, quota_of: &QuotaOfKind<'_>) -> Result<(Vec<Quota>, Option<String>), String> {
    let (mut quotas, mut conditions) = (Vec::new(), Vec::new());
    let mut names = BTreeSet::new();
    for item in list.split(',') {
        let (kind, count) = match item.split_once('=') {
            Some((kind, text)) => {
                let count = text.trim().parse().map_err(|_| format!("'{text}' is not a number of puzzles"))?;
                (kind, Some(count))
            }
            None => (item, None),
        };
        let quota = quota_of(kind.trim(), count.unwrap_or(0))?;
        if !names.insert(quota.name.clone()) {
            return Err(format!("'{list}': {} is given twice", quota.name));
        }
        match count {
            Some(_) => quotas.push(quota),
            None => conditions.push(format!("({})", quota.condition)),
        }
    }
    if conditions.is_empty() {
        return Ok((quotas, None));
    }
    if !quotas.is_empty() {
        return Err(format!("'{list}': either all items or none must have a number of puzzles"));
    }
    Ok((quotas, Some(conditions.join(" OR "))))
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
        let scale = Scale::default();
        let level = |text: &str, count| scale.quota(text, count).map_err(|error| error.to_string());
        let (quotas, filter) = quotas_or_filter("easy=200, medium=300", &level).unwrap();
        assert_eq!((quotas[0].count, quotas[1].count, quotas.len(), filter), (200, 300, 2, None));
        let (quotas, filter) = quotas_or_filter("easy,hard", &level).unwrap();
        assert_eq!((quotas.len(), filter.as_deref()), (0, Some("(level = 'easy') OR (level = 'hard')")));
        for bad in ["easy=200,hard", "easy=many", "ezy=3", "", "easy=5,easy=3", "hard,Hard"] {
            assert!(quotas_or_filter(bad, &level).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_number_of_a_quota_follows_the_last_equals_sign() {
        let quota = quota("level = 'hard' AND givens <= 24 = 25").unwrap();
        assert_eq!((quota.condition.as_str(), quota.count), ("level = 'hard' AND givens <= 24", 25));
        assert!(super::quota("givens > 25").is_err() && super::quota("level = 'hard'").is_err());
    }
}
