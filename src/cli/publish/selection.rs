//! Defines the options with which `export` and `book` choose puzzles, and makes the choice.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::ensure;

use crate::board::{Shape, Solution};
use crate::cli::line::options::{self, Global, solvable};
use crate::cli::line::paths::{self, plain};
use crate::cli::line::progress::Bars;
use crate::cli::{Early, Outcome, Usage, counted, say, skipped};
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
use crate::study::traps_of_condition;

/// The sources, the number, the conditions and the order of puzzles.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Selection {
    /// Folders of corpora, or files of puzzles in any format; - for standard input.
    #[arg(default_value = "corpus", value_name = "CORPUS or FILE")]
    sources: Vec<InputPath>,
    /// Number of puzzles; the sum of the quotas by default. A quota is a number of puzzles of one kind. Puzzles beyond
    /// the quotas may be of any kind.
    #[arg(long, short = 'n', value_name = "N", conflicts_with = "all")]
    #[arg(value_parser = clap::value_parser!(u64).range(..=1_000_000_000_000))]
    count: Option<u64>,
    /// Take all puzzles that satisfy the conditions.
    #[arg(long)]
    all: bool,
    /// Level of the puzzles: quotas (easy=200,medium=300), or the names of the levels to take (easy,medium). The scale is
    /// that of the corpora or of --levels; `list levels` shows the scales.
    #[arg(long, value_name = "LIST", help_heading = "Which puzzles")]
    level: Option<String>,
    /// Numbers of givens: quotas (22..24=100,25..30=50), or the ranges to take (22..24,27).
    #[arg(long, value_name = "LIST", help_heading = "Which puzzles")]
    givens: Option<String>,
    /// Take only rows that satisfy an SQL condition; `list columns` describes the columns. May be repeated.
    #[arg(long = "where", value_name = "SQL", help_heading = "Which puzzles")]
    conditions: Vec<String>,
    /// A quota by an SQL condition: 'n_x_wing > 0 = 25' asks for 25 puzzles that use an X-Wing. May be repeated.
    #[arg(long, value_name = "SQL=N", value_parser = quota, help_heading = "Which puzzles")]
    quota: Vec<Quota>,
    /// The size of a box, rows x columns, and variants after a plus: 3x3, 2x3, 3x3+x. Puzzles of other boards are not
    /// taken. The default is all boards.
    #[arg(long, value_name = "RxC", value_parser = solvable, help_heading = "Which puzzles")]
    shape: Option<Shape>,
    /// Publish no isomorphs of the puzzles in these files. They are earlier exports in any format that can be read
    /// again, folders of corpora, or indexes made by --remember. The index of --remember may be missing. A line that is
    /// not a puzzle is an error.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Which puzzles")]
    except: Vec<PublishedPath>,
    /// Take only isomorphs of the puzzles in these files, so that two outputs have the same puzzles.
    #[arg(long, value_name = "FILE", num_args = 1.., help_heading = "Which puzzles")]
    among: Vec<PublishedPath>,
    /// Add the published puzzles to this index, before anybody can see the output. The index is a database. It is
    /// created if it does not exist. If you run the same command again, it knows its own puzzles. If its files still
    /// exist, it writes nothing. If they are gone, it writes the same puzzles. This option does not leave out puzzles
    /// that are in the index: for that, add --except.
    #[arg(long, value_name = "FILE", help_heading = "Which puzzles")]
    remember: Option<IndexPath>,
    /// Which puzzles to prefer if there are too many: random, input (those that come first), columns
    /// (level,-hodoku_score), or weighted. A - before a column means that large values come first. With weighted, the
    /// chance of a puzzle is in proportion to its weight. So the choice is a sample of all minimal puzzles.
    #[arg(long, value_name = "ORDER", default_value = "random", allow_hyphen_values = true, help_heading = "Order")]
    pick: String,
    /// Seed of all random numbers, from 0; default 20261120.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, hide_default_value = true, help_heading = "Order")]
    pub seed: u64,
    /// Sort the output by columns; - before a column means descending. The default is the order of --pick.
    #[arg(long, value_name = "COLUMNS", allow_hyphen_values = true, help_heading = "Order")]
    sort: Option<String>,
    /// The scale of the levels: newspaper, hodoku, or a TOML file. With this option, each row gets a new level from its
    /// ratings. The default is the scale of the corpora, or the newspaper's for files of puzzles. See `guide levels`.
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
        self.levels.as_ref().map(options::scale_named).transpose()
    }

    /// The request of the options, with the given scale of levels.
    pub(in crate::cli) fn request(&self, scale: &Scale) -> anyhow::Result<Request> {
        let Kinds { quotas, filters } = self.kinds(scale)?;
        let no_number = "say how many puzzles: --count N, --all, or quotas such as --level easy=200";
        ensure!(self.count.is_some() || self.all || !quotas.is_empty(), Usage(no_number.into()));
        let count = self.count.unwrap_or_else(|| quotas.iter().map(|quota| quota.count).fold(0, u64::saturating_add));
        ensure!(self.all || count > 0, Usage("0 puzzles are asked for: a count is at least 1".into()));
        let both = "--all cannot be used with quotas, because it takes all puzzles";
        ensure!(!self.all || quotas.is_empty(), Usage(both.into()));
        let pick = self.pick(scale)?;
        let sort = self.sort.as_deref().map(|text| parse_columns(text, scale)).transpose();
        let sort = sort.map_err(|error| Usage(format!("--sort: {error}")))?.unwrap_or_default();
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

    /// The kinds of puzzles that --level, --givens, --quota and --where ask for.
    fn kinds(&self, scale: &Scale) -> Result<Kinds, Usage> {
        let mut kinds = Kinds { quotas: Vec::new(), filters: self.conditions.clone() };
        if let Some(list) = &self.level {
            let quota_of = |name: &str, count| scale.quota(name, count).map_err(|error| error.to_string());
            kinds.add("--level", list, &quota_of)?;
        }
        if let Some(list) = &self.givens {
            kinds.add("--givens", list, &|range, count| Ok(Quota::givens(givens(range)?, count)))?;
        }
        kinds.quotas.extend(self.quota.iter().cloned());
        Ok(kinds)
    }

    /// Which puzzles are preferred.
    fn pick(&self, scale: &Scale) -> Result<Pick, Usage> {
        match self.pick.as_str() {
            "random" => Ok(Pick::Random(self.seed)),
            "input" => Ok(Pick::Input),
            "weighted" => Ok(Pick::Weighted(self.seed)),
            "hardest" => Err(Usage("for the hardest puzzles write --pick -hodoku_score".to_owned())),
            "easiest" => Err(Usage("for the easiest puzzles write --pick hodoku_score".to_owned())),
            columns => match parse_columns(columns, scale) {
                Ok(columns) => Ok(Pick::Columns(columns)),
                Err(error) => Err(Usage(format!("--pick: {error} (or random, input, weighted)"))),
            },
        }
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
        let has_streams = global.paths.written().any(Output::is_stream);
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
        if let Some(shape) = self.shape.filter(|shape| shape.order() > 16) {
            let meant = Shape::did_you_mean_board(shape.box_rows(), shape.box_columns());
            global.note(format_args!("--shape {shape} is the {}{meant}", shape.board()));
        }
        let conditions = request.filters.iter().chain(request.quotas.iter().map(|quota| &quota.condition));
        conditions.flat_map(|sql| traps_of_condition(sql)).for_each(|note| global.note(note));
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
        let left_out = request.is_all().then(|| choice.tally.left_out(choice.chosen.len() as u64));
        left_out.flatten().iter().for_each(|text| global.say(text));
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
    /// One puzzle per day from this day on, from easy on Monday to hard on Saturday. An export with --sort keeps the
    /// order of --sort instead. In place of a date, you can write today, tomorrow, or a day of the week: monday is the
    /// first Monday after today.
    #[arg(long, value_name = "DAY", value_parser = |text: &str| series::first_day(text, Day::today()))]
    pub dates: Option<Day>,
    /// The days of the week on which a puzzle appears, such as mon-sat or mon,wed,fri; all by default.
    #[arg(long, value_name = "DAYS", requires = "dates")]
    days: Option<Weekdays>,
    /// A level for each day of the week, such as mon-tue=easy,wed-fri=medium,sat=hard,sun=expert. It needs --dates.
    /// With it, --count is the number of days.
    #[arg(long, value_name = "LIST", requires = "dates", requires = "count", conflicts_with = "sort")]
    week: Option<Week>,
}

impl Calendar {
    /// The days of this number of puzzles: one for each, or none without --dates.
    pub(in crate::cli) fn days(&self, count: usize) -> Result<Vec<Day>, Usage> {
        let Some(first) = self.dates else { return Ok(Vec::new()) };
        let days = series::days(first, count, self.days.unwrap_or_default());
        let ends = || Usage(format!("--dates {first}: the calendar ends before {}", counted(count as u64, "puzzle")));
        if days.len() == count { Ok(days) } else { Err(ends()) }
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
        let quotas = counts.into_iter().map(|(name, count)| request.scale.quota(name, count));
        let quotas = quotas.collect::<Result<_, _>>();
        request.quotas = quotas.map_err(|error| Usage(format!("--week: {error}")))?;
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
        let mut wanted = Vec::new();
        for day in days {
            wanted.push(match &self.week {
                Some(week) => Some(levels.place(week.level(*day)?).map_err(Usage)?),
                None => None,
            });
        }
        let any_level = vec![None; puzzle_levels.len()];
        let kinds = if self.week.is_some() { puzzle_levels } else { &any_level };
        let places = series::by_weekday(days, &wanted, kinds);
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
    let (mut some, count) = solutions(puzzle, 2, SEARCH);
    ensure!(count.found < 2, "row {} has several solutions, so none of them is its solution", record.row);
    let only = if count.exact { some.pop() } else { None };
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
pub(in crate::cli) fn said(choice: &Choice, request: &Request) -> String {
    let Request { quotas, scale, with_levels, .. } = request;
    let (mut levels, mut others) = (Vec::new(), Vec::new());
    for (count, quota) in choice.filled.iter().zip(quotas) {
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
    let chosen = choice.chosen.len() as u64;
    let beyond = chosen.saturating_sub(choice.filled.iter().sum());
    match quotas.is_empty() {
        true if *with_levels => parts.push(format!("levels on {}", scale.levels.scale())),
        false if beyond > 0 => parts.push(format!("{beyond} of any kind")),
        _ => {}
    }
    let is_told = quotas.len() > 1 || beyond > 0 || parts.iter().any(|part| part.contains(" on "));
    let kinds = if is_told && !parts.is_empty() { format!(" ({})", parts.join("; ")) } else { String::new() };
    let (puzzles, rows) = (counted(chosen, "puzzle"), counted(choice.tally.rows, "row"));
    format!("{puzzles}{kinds} of {rows}{}", skipped(choice.skipped))
}

/// What options say about the kinds of puzzles.
struct Kinds {
    quotas: Vec<Quota>,
    /// Conditions that every puzzle satisfies.
    filters: Vec<String>,
}

/// The quota of a kind of puzzles (a level, a number of givens), by its name and the number of puzzles.
type QuotaOfKind<'a> = dyn Fn(&str, u64) -> Result<Quota, String> + 'a;

impl Kinds {
    /// Adds a list of kinds. It gives quotas if every kind has a number, or else the condition that a row is of one of
    /// them.
    fn add(&mut self, option: &str, list: &str, quota_of: &QuotaOfKind<'_>) -> Result<(), Usage> {
        let items = Item::parse_all(list, quota_of).map_err(|reason| Usage(format!("{option}: {reason}")))?;
        let counted = items.iter().filter(|item| item.has_count).count();
        if counted == items.len() {
            self.quotas.extend(items.into_iter().map(|item| item.quota));
        } else if counted == 0 {
            let conditions: Vec<String> = items.iter().map(|item| format!("({})", item.quota.condition)).collect();
            self.filters.push(conditions.join(" OR "));
        } else {
            let rule = "either all items or none have a number, as in easy=3,hard=2 or easy,hard";
            return Err(Usage(format!("{option}: '{list}': {rule}")));
        }
        Ok(())
    }
}

/// A kind of puzzles in a list, with or without a number.
struct Item {
    /// Its count is 0 if the list has no number.
    quota: Quota,
    has_count: bool,
}

impl Item {
    /// Reads a list of different kinds, separated by commas.
    fn parse_all(list: &str, quota_of: &QuotaOfKind<'_>) -> Result<Vec<Item>, String> {
        if list.contains(';') {
            return Err(format!("a list has commas: write {}", list.replace(';', ",")));
        }
        let mut names = BTreeSet::new();
        let mut items = Vec::new();
        for text in list.split(',') {
            let item = Item::parse(text, quota_of)?;
            let name = &item.quota.name;
            if !names.insert(name.clone()) {
                return Err(format!("'{list}': {name} is given twice"));
            }
            items.push(item);
        }
        Ok(items)
    }

    /// Reads `easy=20` or `easy`.
    fn parse(text: &str, quota_of: &QuotaOfKind<'_>) -> Result<Item, String> {
        let Some((kind, count)) = text.split_once('=') else {
            return Ok(Item { quota: quota_of(text.trim(), 0)?, has_count: false });
        };
        let (kind, count) = (kind.trim(), count.trim());
        let number = count.parse();
        let number =
            number.map_err(|_| format!("'{count}' is not a number of puzzles: write digits, as in {kind}=20"))?;
        Ok(Item { quota: quota_of(kind, number)?, has_count: true })
    }
}

/// A range of numbers of givens: `24`, or `24..30`.
fn givens(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = crate::corpus::range(text)?;
    if first > last {
        return Err(format!("the range {text} is empty: write the smaller number first"));
    }
    let number = |number: usize| u32::try_from(number).map_err(|_| format!("{number} is too large"));
    Ok(number(first)?..=number(last)?)
}

/// A quota by a condition: SQL, and a number after the last '='.
fn quota(text: &str) -> Result<Quota, String> {
    let wrong = || format!("'{text}' does not end with = and a number, as in 'givens > 24 = 50'");
    let (condition, count) = text.rsplit_once('=').ok_or_else(wrong)?;
    if [Levels::default(), Levels::hodoku()].iter().any(|levels| levels.place(condition.trim()).is_ok()) {
        return Err(format!("levels have an option of their own: --level {}={}", condition.trim(), count.trim()));
    }
    Ok(Quota::condition(condition.trim(), count.trim().parse().map_err(|_| wrong())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_quotas_or_conditions() {
        let scale = Scale::default();
        let level = |text: &str, count| scale.quota(text, count).map_err(|error| error.to_string());
        let read = |list: &str| {
            let mut kinds = Kinds { quotas: Vec::new(), filters: Vec::new() };
            kinds.add("--level", list, &level).map(|()| kinds)
        };
        let with_counts = read("easy=200, medium=300").unwrap();
        let counts: Vec<u64> = with_counts.quotas.iter().map(|quota| quota.count).collect();
        assert_eq!((counts, with_counts.filters.len()), (vec![200, 300], 0));
        let without = read("easy,hard").unwrap();
        assert_eq!(
            (without.quotas.len(), without.filters),
            (0, vec!["(level = 'easy') OR (level = 'hard')".to_owned()])
        );
        for bad in ["easy=200,hard", "easy=many", "ezy=3", "", "easy=5,easy=3", "hard,Hard"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    /// Pictures, databases and links of Penpa+ are written and not read.
    #[test]
    fn except_promises_no_format_that_cannot_be_read() {
        let program = crate::cli::command();
        let arguments = program.get_subcommands().flat_map(clap::Command::get_arguments);
        for except in arguments.filter(|argument| argument.get_long() == Some("except")) {
            let help = except.get_long_help().or(except.get_help()).map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("in any format that can be read again"), "{help}");
        }
    }

    #[test]
    fn the_number_of_a_quota_follows_the_last_equals_sign() {
        let quota = quota("level = 'hard' AND givens <= 24 = 25").unwrap();
        assert_eq!((quota.condition.as_str(), quota.count), ("level = 'hard' AND givens <= 24", 25));
        assert!(super::quota("givens > 25").is_err() && super::quota("level = 'hard'").is_err());
    }
}
