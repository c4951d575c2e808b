//! Progress on stderr: bars on a terminal, a plain line every few seconds elsewhere, nothing with `--quiet`.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::say;
use crate::corpus::{CorpusError, PartDone, Progress};
use crate::coverage;

/// Draws the progress of the stages of a command on stderr.
pub struct Bars {
    style: Style,
    names: &'static [&'static str],
    bars: Mutex<Vec<ProgressBar>>,
    multi: MultiProgress,
    lines: Mutex<PlainLines>,
    rows: AtomicU64,
    skipped: AtomicU64,
    json: bool,
    /// The first error in writing a JSON line.
    lost: Mutex<Option<io::Error>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Quiet,
    Lines,
    Bars,
}

/// When the last plain line was printed, and the numbers that the next one needs.
struct PlainLines {
    began: Instant,
    last: Instant,
    total: Option<u64>,
    there: u64,
    /// A line is printed for each stage only.
    staged: bool,
}

const PAUSE: Duration = Duration::from_secs(5);
/// The number of bad rows that are reported one by one; the rest are counted.
const SHOWN: u64 = 20;

impl Bars {
    /// One bar for each named stage. The last bar advances by parts, the others by rows.
    pub fn new(quiet: bool, names: &'static [&'static str]) -> Bars {
        let style = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Style::Quiet,
            (false, true) => Style::Bars,
            (false, false) => Style::Lines,
        };
        let now = Instant::now();
        Bars {
            style,
            names,
            bars: Mutex::default(),
            multi: MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(8)),
            lines: Mutex::new(PlainLines { began: now, last: now, total: None, there: 0, staged: false }),
            rows: AtomicU64::new(0),
            skipped: AtomicU64::new(0),
            json: false,
            lost: Mutex::default(),
        }
    }

    /// Also prints a JSON line to stdout for every part that is finished or was there already.
    pub fn with_json(self, json: bool) -> Bars {
        Bars { json, ..self }
    }

    fn print_json(&self, done: &PartDone) {
        if self.json
            && let Ok(line) = serde_json::to_string(done)
        {
            let mut out = std::io::stdout().lock();
            if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
                lock(&self.lost).get_or_insert(error);
            }
        }
    }

    /// Fails if a JSON line could not be written.
    pub fn written(&self) -> io::Result<()> {
        lock(&self.lost).take().map_or(Ok(()), Err)
    }

    /// Prints a message on stderr without disturbing the bars.
    pub fn say(&self, message: &str) {
        if self.style == Style::Bars {
            self.multi.suspend(|| say(message));
        } else {
            say(message);
        }
    }

    /// Removes the bars. If some bad rows were not reported, prints their number.
    pub fn finish(&self) {
        for bar in lock(&self.bars).drain(..) {
            bar.finish_and_clear();
        }
        let skipped = self.skipped.load(Ordering::Relaxed);
        if skipped > SHOWN {
            self.say(&format!("{} more bad rows were skipped", skipped - SHOWN));
        }
    }

    /// Prints a plain line if [`PAUSE`] has passed since the last one.
    fn line(&self, rows: u64) {
        let mut lines = lock(&self.lines);
        if self.style != Style::Lines || lines.staged || lines.last.elapsed() < PAUSE {
            return;
        }
        lines.last = Instant::now();
        let spent = lines.began.elapsed().as_secs_f64();
        let rate = (rows - lines.there) as f64 / spent;
        let stage = self.names.first().copied().unwrap_or("rows");
        match lines.total {
            Some(total) => {
                let left = (total - rows.min(total)) as f64 / rate.max(1e-9);
                say(format_args!("{stage}: {rows} of {total} rows, {rate:.0} a second, {left:.0} s left"));
            }
            None => say(format_args!("{stage}: {rows} rows, {rate:.0} a second")),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl coverage::Progress for Bars {
    fn begin(&self, rows: Option<u64>, there: u64) {
        let now = Instant::now();
        *lock(&self.lines) = PlainLines { began: now, last: now, total: rows, there, staged: false };
        self.rows.store(there, Ordering::Relaxed);
        if self.style != Style::Bars {
            return;
        }
        let known = "{prefix:>9} {bar:32} {human_pos}/{human_len} {per_sec:>14} {eta:>5} left {msg}";
        let unknown = "{prefix:>9} {spinner} {human_pos} {per_sec:>14}";
        let style = ProgressStyle::with_template(if rows.is_some() { known } else { unknown });
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        lock(&self.bars).drain(..).for_each(|bar| bar.finish_and_clear());
        *lock(&self.bars) = self
            .names
            .iter()
            .map(|name| {
                let bar = self.multi.add(rows.map_or_else(ProgressBar::new_spinner, ProgressBar::new));
                bar.set_style(style.clone());
                bar.set_prefix(*name);
                bar.set_position(there);
                bar.reset_eta();
                bar
            })
            .collect();
    }

    fn rows(&self, rows: u64) {
        let done = self.rows.fetch_add(rows, Ordering::Relaxed) + rows;
        let bars = lock(&self.bars);
        let computed = bars.len().saturating_sub(1).max(1);
        bars.iter().take(computed).for_each(|bar| bar.inc(rows));
        drop(bars);
        self.line(done);
    }

    /// The stages of a survey, one bar after the other.
    fn stage(&self, stage: &str, steps: u64) {
        for bar in lock(&self.bars).drain(..) {
            bar.finish_and_clear();
        }
        match self.style {
            Style::Quiet => {}
            Style::Lines => {
                let mut lines = lock(&self.lines);
                lines.staged = true;
                if lines.last.elapsed() >= PAUSE {
                    lines.last = Instant::now();
                    say(format_args!("{stage}: {steps} steps"));
                }
            }
            Style::Bars => {
                let bar = self.multi.add(ProgressBar::new(steps));
                let style = ProgressStyle::with_template("{prefix:40} {bar:32} {human_pos}/{human_len} {eta:>5} left");
                bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
                bar.set_prefix(stage.to_owned());
                lock(&self.bars).push(bar);
            }
        }
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
            bar.inc(done.line.rows);
        }
        self.print_json(done);
    }

    fn kept(&self, there: &PartDone) {
        self.print_json(there);
    }

    fn skipped(&self, error: &CorpusError) {
        if self.skipped.fetch_add(1, Ordering::Relaxed) < SHOWN {
            self.say(&error.to_string());
        }
    }
}
