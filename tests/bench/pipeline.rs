//! Runs the program and measures rows per second with one thread and with all threads, the speed-up, and the peak
//! memory.
//!
//! `cargo bench --bench pipeline [ROWS]` (100,000 rows by default). The two kinds of runs alternate, and the medians of
//! three runs are printed, because timings vary. The benchmark checks no result.

use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Seconds and, on Linux, the peak of resident memory in MB.
struct Measured {
    seconds: f64,
    peak_mb: Option<f64>,
}

/// The "VmHWM" line of a running process, in MB; Linux only.
fn peak_memory(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

fn run(folder: &Path, rows: u64, threads: usize) -> std::io::Result<Measured> {
    drop(std::fs::remove_dir_all(folder));
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_sudoku-corpus"))
        .args(["run", "--quiet", "--count", &rows.to_string(), "--threads", &threads.to_string(), "--out"])
        .arg(folder)
        .stdout(Stdio::null())
        .spawn()?;
    let mut peak_mb = None;
    while child.try_wait()?.is_none() {
        peak_mb = peak_memory(child.id()).or(peak_mb);
        thread::sleep(Duration::from_millis(10));
    }
    Ok(Measured { seconds: start.elapsed().as_secs_f64(), peak_mb })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> std::io::Result<()> {
    let rows = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(100_000);
    let all = thread::available_parallelism()?.get();
    let folder = std::env::temp_dir().join(format!("sudoku-corpus-bench-{}", std::process::id()));
    let mut seconds = [Vec::new(), Vec::new()];
    let mut peaks = Vec::new();
    for _ in 0..3 {
        for (times, threads) in seconds.iter_mut().zip([1, all]) {
            let measured = run(&folder, rows, threads)?;
            times.push(measured.seconds);
            peaks.extend(measured.peak_mb);
        }
    }
    std::fs::remove_dir_all(&folder)?;
    let [one, many] = seconds.map(median);
    println!("run --count {rows}, minimal 9x9, all stages, Parquet");
    println!("  1 thread    {:>10.0} rows/s", rows as f64 / one);
    println!("  {all} threads   {:>10.0} rows/s   {:.2} times as fast", rows as f64 / many, one / many);
    if let Some(peak) = peaks.into_iter().max_by(f64::total_cmp) {
        println!("  peak memory {peak:>10.0} MB");
    }
    Ok(())
}
