//! Figures, measured in turns and printed as a table and as JSON lines.

use crate::clock;

/// Items per CPU second of one engine in one benchmark.
struct Figure {
    engine: &'static str,
    rate: f64,
}

/// One benchmark with the figures of all engines, this program first.
pub struct Row {
    work: String,
    figures: Vec<Figure>,
}

/// A name, and the work to be timed.
pub type Engine<'a, R> = (&'static str, Box<dyn FnMut() -> R + 'a>);

impl Row {
    fn best_peer(&self) -> Option<&Figure> {
        self.figures[1..].iter().max_by(|a, b| a.rate.total_cmp(&b.rate))
    }

    fn ratio(&self) -> Option<f64> {
        self.best_peer().map(|peer| self.figures[0].rate / peer.rate)
    }

    fn print(&self) {
        print!("{:<32}", self.work);
        self.figures.iter().for_each(|figure| print!("{:>9} {:>9.0}", figure.engine, figure.rate));
        self.ratio().map_or_else(|| println!("  no peer"), |ratio| println!("  ratio {ratio:.2}"));
    }

    fn json(&self) -> String {
        let (work, ours) = (&self.work, self.figures[0].rate);
        match (self.best_peer(), self.ratio()) {
            (Some(peer), Some(ratio)) => format!(
                r#"{{"work":"{work}","ours":{ours:.0},"best_peer":{:.0},"peer":"{}","ratio":{ratio:.2}}}"#,
                peer.rate, peer.engine
            ),
            _ => format!(r#"{{"work":"{work}","ours":{ours:.0},"best_peer":null,"peer":null,"ratio":null}}"#),
        }
    }
}

/// Runs the engines in turn, `rounds` times. Returns the median rates and the answers of the last round.
pub fn alternate<R>(work: &str, items: usize, rounds: usize, mut engines: Vec<Engine<'_, R>>) -> (Row, Vec<R>) {
    let mut seconds = vec![Vec::new(); engines.len()];
    let mut answers = Vec::new();
    for _ in 0..rounds.max(1) {
        answers.clear();
        for ((_, engine), seconds) in engines.iter_mut().zip(&mut seconds) {
            let (answer, time) = clock::timed(engine);
            seconds.push(time);
            answers.push(answer);
        }
    }
    let figures = engines.iter().zip(&mut seconds).map(|((engine, _), seconds)| {
        seconds.sort_unstable_by(f64::total_cmp);
        Figure { engine, rate: items as f64 / seconds[seconds.len() / 2] }
    });
    let row = Row { work: work.to_string(), figures: figures.collect() };
    row.print();
    (row, answers)
}

/// The geometric mean of the uniqueness ratios, and one JSON line per row.
pub fn summary(rows: &[Row]) {
    let unique = rows.iter().filter(|row| row.work.starts_with("uniqueness"));
    let logs: Vec<f64> = unique.filter_map(Row::ratio).map(f64::ln).collect();
    if !logs.is_empty() {
        println!(
            "uniqueness, geometric mean of the ratios: {:.2}",
            (logs.iter().sum::<f64>() / logs.len() as f64).exp()
        );
    }
    rows.iter().for_each(|row| println!("{}", row.json()));
}
