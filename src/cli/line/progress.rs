//! Shows progress on stderr: bars on a terminal, a plain line every few seconds elsewhere, nothing with `--quiet`.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::line::options::Global;
use crate::cli::{counted, say};
use crate::corpus::{CorpusError, PartDone, Progress};

/// Draws the progress of the stages of a command on stderr.
pub(in crate::cli) struct Bars {
    /// The names of the bars, one for each stage.
    names: &'static [&'static str],
    bars: Mutex<Vec<ProgressBar>>,
    /// Hidden if stderr is no terminal, or with `--quiet`.
    multi: MultiProgress,
    lines: Mutex<PlainLines>,
    /// Rows that are done, with those that were there when the work began.
    rows: AtomicU64,
    /// Bad rows so far.
    skipped: AtomicU64,
    /// Lines that are printed when the work begins, after everything that can be refused.
    pub title: Vec<String>,
    /// Also print a JSON line to stdout for every part that is finished or was there already.
    pub json: bool,
    /// The first error in writing a JSON line.
    lost: Mutex<Option<io::Error>>,
}

/// When the last plain line was printed, and the numbers that the next one needs.
struct PlainLines {
    /// Standard error is no terminal, and the command is not quiet.
    wanted: bool,
    began: Instant,
    last: Instant,
    /// The rows of the whole work, if the number is known.
    total: Option<u64>,
    /// The rows that were there when it began.
    present: u64,
    /// Lines name stages instead of rows.
    staged: bool,
}

/// The least time between two plain lines.
const PAUSE: Duration = Duration::from_secs(5);
/// The number of bad rows that are reported one by one; the rest are counted.
const SHOWN: u64 = 20;

impl Bars {
    /// One bar for each name. The last of several advances by the rows of finished parts, each other one by rows.
    pub(in crate::cli) fn new(global: &Global, names: &'static [&'static str]) -> Bars {
        let target = if global.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(8) };
        let wanted = !global.quiet && !io::stderr().is_terminal();
        let now = Instant::now();
        Bars {
            names,
            bars: Mutex::default(),
            multi: MultiProgress::with_draw_target(target),
            lines: Mutex::new(PlainLines { wanted, began: now, last: now, total: None, present: 0, staged: false }),
            rows: AtomicU64::new(0),
            skipped: AtomicU64::new(0),
            title: Vec::new(),
            json: false,
            lost: Mutex::default(),
        }
    }

    /// Does work with one bar, which is removed at its end.
    pub(in crate::cli) fn during<T>(
        global: &Global,
        names: &'static [&'static str],
        work: impl FnOnce(&Bars) -> T,
    ) -> T {
        let bars = Bars::new(global, names);
        let done = work(&bars);
        bars.finish();
        done
    }

    /// Prints a line for a part. The first error is kept for the end.
    fn print_json(&self, done: &PartDone) {
        if self.json
            && let Ok(line) = serde_json::to_string(done)
        {
            let mut out = io::stdout().lock();
            if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
                lock(&self.lost).get_or_insert(error);
            }
        }
    }

    /// Fails if a JSON line could not be written.
    pub(in crate::cli) fn written(&self) -> io::Result<()> {
        lock(&self.lost).take().map_or(Ok(()), Err)
    }

    /// Prints a message on stderr without disturbing the bars.
    pub(in crate::cli) fn say(&self, message: impl Display) {
        self.multi.suspend(|| say(message));
    }

    /// Removes the bars. If some bad rows were not reported, prints their number.
    pub(in crate::cli) fn finish(&self) {
        self.replace_bars(Vec::new());
        let unshown = self.skipped.load(Ordering::Relaxed).saturating_sub(SHOWN);
        if unshown > 0 {
            say(format_args!("{unshown} more bad rows"));
        }
    }

    fn replace_bars(&self, new: Vec<ProgressBar>) {
        std::mem::replace(&mut *lock(&self.bars), new).iter().for_each(ProgressBar::finish_and_clear);
    }

    /// A bar of a known or unknown length.
    fn bar(&self, length: Option<u64>, template: &str, name: String) -> ProgressBar {
        let bar = self.multi.add(length.map_or_else(ProgressBar::new_spinner, ProgressBar::new));
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.with_prefix(name)
    }

    /// Prints a plain line if [`PAUSE`] has passed since the last one.
    fn line(&self, lines: &mut PlainLines, text: impl FnOnce(&PlainLines) -> String) {
        if lines.wanted && lines.last.elapsed() >= PAUSE {
            lines.last = Instant::now();
            say(text(lines));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl crate::progress::Progress for Bars {
    fn begin(&self, rows: Option<u64>, present: u64) {
        self.title.iter().for_each(|line| self.say(line));
        let now = Instant::now();
        let mut lines = lock(&self.lines);
        *lines = PlainLines { wanted: lines.wanted, began: now, last: now, total: rows, present, staged: false };
        self.rows.store(present, Ordering::Relaxed);
        let with_total = "{prefix:>9} {bar:32} {human_pos}/{human_len} {per_sec:>14} {eta:>5} left {msg}";
        let template = if rows.is_some() { with_total } else { "{prefix:>9} {spinner} {human_pos} {per_sec:>14}" };
        self.replace_bars(Vec::new());
        let bars = self.names.iter().map(|name| self.bar(rows, template, (*name).to_owned()).with_position(present));
        self.replace_bars(bars.inspect(ProgressBar::reset_eta).collect());
    }

    fn rows(&self, rows: u64) {
        let done = self.rows.fetch_add(rows, Ordering::Relaxed) + rows;
        let bars = lock(&self.bars);
        // The last of several bars advances by parts.
        bars.iter().take(bars.len().saturating_sub(1).max(1)).for_each(|bar| bar.inc(rows));
        drop(bars);
        let mut lines = lock(&self.lines);
        if lines.staged {
            return;
        }
        self.line(&mut lines, |lines| {
            let stage = self.names.first().copied().unwrap_or("rows");
            let rate = (done - lines.present) as f64 / lines.began.elapsed().as_secs_f64();
            let Some(total) = lines.total else {
                return format!("{stage}: {}, {rate:.0} a second", counted(done, "row"));
            };
            let left = (total - done.min(total)) as f64 / rate.max(1e-9);
            format!("{stage}: {done} of {total} rows, {rate:.0} a second, {left:.0} s left")
        });
    }

    /// Shows the stages of a survey, one bar after the other.
    fn stage(&self, stage: &str, steps: u64) {
        self.replace_bars(Vec::new());
        let template = "{prefix:40} {bar:32} {human_pos}/{human_len} {eta:>5} left";
        self.replace_bars(vec![self.bar(Some(steps), template, stage.to_owned())]);
        let mut lines = lock(&self.lines);
        lines.staged = true;
        self.line(&mut lines, |_| format!("{stage}: {}", counted(steps, "step")));
    }
}

impl Progress for Bars {
    fn stages(&self, seconds: [f64; 3]) {
        let all: f64 = seconds.iter().sum();
        for (bar, spent) in lock(&self.bars).iter().zip(seconds) {
            bar.set_message(format!("{:.0} % of the work", 100.0 * spent / all.max(1e-9)));
        }
    }

    fn part(&self, done: &PartDone) {
        if let Some(bar) = lock(&self.bars).get(1..).and_then(<[_]>::last) {
            bar.inc(done.place.rows);
        }
        self.print_json(done);
    }

    fn kept(&self, part: &PartDone) {
        self.print_json(part);
    }

    fn skipped(&self, error: &CorpusError) {
        if self.skipped.fetch_add(1, Ordering::Relaxed) < SHOWN {
            self.say(error);
        }
    }

    fn unsettled(&self, rows: u64, budget: u64) {
        if rows > 0 && budget > 0 {
            let (rows, positions) = (counted(rows, "row"), counted(budget, "position"));
            self.say(format_args!(
                "{rows} not settled: {positions} show neither one solution nor several; `check` and `analyze` take --budget"
            ));
        }
    }
}
