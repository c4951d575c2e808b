//! `catalogue`: counts the table of classes again.

use std::fs;
use std::io::Write as _;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _};

use super::options::{self, Global};
use super::run::parts;
use super::{Outcome, Usage};
use crate::catalogue::{self, BANDS, BandCounts, CLASSES};
use crate::corpus::{thread_pool, write_file};

/// Count the classes of essentially different 9x9 grids, and check the table that ranks use.
///
/// Writes one file for each of the 416 first bands into a folder. Bands that have a file are skipped, so the command
/// can be stopped and run again, and several machines can share the work. The files are compared with the built-in
/// table. If all bands are there, the table is written too. All bands take a quarter of an hour on one core.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus catalogue counts
  sudoku-corpus catalogue counts --bands 400..416")]
pub struct Args {
    /// The folder for the counts.
    folder: PathBuf,
    /// Count only these bands, by their standard numbers 1 to 416: N, or A..B with both ends included.
    #[arg(long, value_name = "A..B", value_parser = parts)]
    bands: Option<Range<u64>>,
}

pub fn run(global: &Global, Args { folder, bands }: Args) -> anyhow::Result<Outcome> {
    let wanted = bands.unwrap_or(1..BANDS as u64 + 1);
    let known = wanted.start > 0 && wanted.end <= BANDS as u64 + 1;
    ensure!(known, Usage(format!("--bands: bands are numbered 1 to {BANDS}")));
    fs::create_dir_all(&folder).with_context(|| super::cannot_write(&folder))?;
    let stop = options::stop_flag()?;
    let path = |band: usize| folder.join(format!("band-{:03}.counts", band + 1));
    let counting = |number: u64| -> anyhow::Result<()> {
        let band = number as usize - 1;
        if !path(band).exists() && !stop.is_set() {
            let counts = catalogue::count_band(band);
            write_file(&path(band), counts.to_bytes())?;
            global.say(format_args!("band {number:3}: {} classes", counts.classes()));
        }
        Ok(())
    };
    thread_pool(global.threads)?.install(|| wanted.into_par_iter().try_for_each(counting))?;
    if stop.is_set() {
        return Ok(Outcome::Stopped);
    }
    let (mut table, mut classes, mut there, mut different) = (Vec::new(), 0, 0, Vec::new());
    for band in (0..BANDS).filter(|&band| path(band).exists()) {
        let bytes = fs::read(path(band))?;
        let mut rest = &bytes[..];
        let counts = BandCounts::from_bytes(&mut rest).filter(|_| rest.is_empty());
        let damaged = || format!("{} is damaged: delete it and run the command again", path(band).display());
        let counts = counts.with_context(damaged)?;
        (there, classes) = (there + 1, classes + counts.classes());
        if counts != *catalogue::counts().band(band) {
            different.push((band + 1).to_string());
        }
        table.extend(bytes);
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{there} of {BANDS} bands: {classes} classes of essentially different grids")?;
    if !different.is_empty() {
        writeln!(out, "different from the built-in table: band {}", different.join(", "))?;
    }
    if there == BANDS {
        write_file(&folder.join("classes.counts"), &table)?;
    }
    let right = different.is_empty() && (there < BANDS || classes == CLASSES);
    Ok(if right { Outcome::Done } else { Outcome::CheckFailed })
}
