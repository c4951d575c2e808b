//! One page about a corpus: givens, uniqueness, search depth, levels, techniques. Made in one pass over its rows.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::stats::{Correlation, Tally};
use crate::corpus::Record;
use crate::rate::{Level, TECHNIQUES};

/// What has been seen so far.
#[derive(Clone, Debug)]
pub struct Summary {
    rows: u64,
    origins: BTreeMap<String, u64>,
    givens: Tally,
    minimal: BTreeMap<&'static str, u64>,
    solutions: BTreeMap<&'static str, u64>,
    guesses: Tally,
    depth: Tally,
    levels: BTreeMap<Level, u64>,
    score: Tally,
    open_cells: Tally,
    /// For each technique: puzzles that use it, uses, puzzles whose hardest technique it is.
    techniques: [[u64; 3]; TECHNIQUES.len()],
    holes_to_guesses: Correlation,
    holes_to_score: Correlation,
}

impl Default for Summary {
    fn default() -> Summary {
        Summary {
            rows: 0,
            origins: BTreeMap::new(),
            givens: Tally::default(),
            minimal: BTreeMap::new(),
            solutions: BTreeMap::new(),
            guesses: Tally::default(),
            depth: Tally::default(),
            levels: BTreeMap::new(),
            score: Tally::default(),
            open_cells: Tally::default(),
            techniques: [[0; 3]; TECHNIQUES.len()],
            holes_to_guesses: Correlation::default(),
            holes_to_score: Correlation::default(),
        }
    }
}

/// A share as a percentage with enough digits to see small ones.
fn percent(part: u64, whole: u64) -> String {
    match 100.0 * part as f64 / whole.max(1) as f64 {
        share if share >= 0.1 || part == 0 => format!("{share:.2} %"),
        share => format!("{share:.5} %"),
    }
}

/// A bar of up to 40 characters for tables.
fn bar(part: u64, largest: u64) -> String {
    "█".repeat((40.0 * part as f64 / largest.max(1) as f64).round() as usize)
}

impl Summary {
    /// Takes a row in.
    pub fn add(&mut self, record: &Record) {
        self.rows += 1;
        *self.origins.entry(origin(record)).or_default() += 1;
        if let Some(givens) = record.givens {
            self.givens.add(givens.into());
        }
        *self
            .minimal
            .entry(record.minimal.map_or("not known", |minimal| if minimal { "yes" } else { "no" }))
            .or_default() += 1;
        *self.solutions.entry(solutions(record)).or_default() += 1;
        if let Some(search) = record.search {
            self.guesses.add(search.guesses);
            self.depth.add(search.depth.into());
            if let Some(holes) = record.holes {
                self.holes_to_guesses.add(holes.into(), (1.0 + search.guesses as f64).log2());
            }
        }
        self.add_rating(record);
    }

    fn add_rating(&mut self, record: &Record) {
        let (Some(level), Some(score), Some(counts)) = (record.level, record.score, &record.counts) else { return };
        *self.levels.entry(level).or_default() += 1;
        if record.finished == Some(true) {
            self.score.add(score.into());
            if let Some(holes) = record.holes {
                self.holes_to_score.add(holes.into(), score.into());
            }
        } else {
            self.open_cells.add(record.open_cells.unwrap_or(0).into());
        }
        for (seen, &count) in self.techniques.iter_mut().zip(counts) {
            seen[0] += u64::from(count > 0);
            seen[1] += u64::from(count);
        }
        if let Some(hardest) = record.hardest {
            self.techniques[hardest as usize][2] += 1;
        }
    }

    /// Number of rows taken in.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The page, in Markdown, under a heading of the second level.
    pub fn markdown(&self, title: &str) -> String {
        let mut page = format!("## {title}\n\n");
        self.write_to(&mut page).unwrap_or_else(|error| unreachable!("writing to a string: {error}"));
        page
    }

    fn write_to(&self, page: &mut String) -> std::fmt::Result {
        writeln!(page, "{} rows.\n", self.rows)?;
        counted(page, "shape, method, plan, symmetry", self.origins.iter(), self.rows)?;
        counted(page, "minimal", self.minimal.iter(), self.rows)?;
        counted(page, "solutions", self.solutions.iter(), self.rows)?;
        self.write_givens(page)?;
        self.write_search(page)?;
        self.write_levels(page)?;
        self.write_techniques(page)
    }

    fn write_givens(&self, page: &mut String) -> std::fmt::Result {
        let Some((mean, deviation)) = self.givens.moments() else { return Ok(()) };
        writeln!(page, "Givens: mean {mean:.4}, standard deviation {deviation:.4}.\n")?;
        writeln!(page, "| givens | puzzles | share | |\n|--:|--:|--:|:--|")?;
        let largest = self.givens.iter().map(|(_, count)| count).max().unwrap_or(0);
        for (givens, count) in self.givens.iter() {
            writeln!(
                page,
                "| {givens} | {count} | {} | {} |",
                percent(count, self.givens.total()),
                bar(count, largest)
            )?;
        }
        writeln!(page)
    }

    fn write_search(&self, page: &mut String) -> std::fmt::Result {
        let Some((mean, _)) = self.guesses.moments() else { return Ok(()) };
        let at = |q| self.guesses.quantile(q).unwrap_or(0);
        writeln!(
            page,
            "Search guesses: mean {mean:.2}, quartiles {} / {} / {}, 99 % {}, largest {}. None needed: {}.\n",
            at(0.25),
            at(0.5),
            at(0.75),
            at(0.99),
            self.guesses.max().unwrap_or(0),
            percent(
                self.guesses.iter().find(|&(value, _)| value == 0).map_or(0, |(_, count)| count),
                self.guesses.total()
            )
        )?;
        writeln!(page, "| search depth | puzzles | share | |\n|--:|--:|--:|:--|")?;
        let largest = self.depth.iter().map(|(_, count)| count).max().unwrap_or(0);
        for (depth, count) in self.depth.iter() {
            writeln!(page, "| {depth} | {count} | {} | {} |", percent(count, self.depth.total()), bar(count, largest))?;
        }
        writeln!(page)?;
        match self.holes_to_guesses.value() {
            Some(value) => writeln!(page, "Correlation of holes with log2(1 + guesses): {value:.3}.\n"),
            None => Ok(()),
        }
    }

    fn write_levels(&self, page: &mut String) -> std::fmt::Result {
        let rated: u64 = self.levels.values().sum();
        if rated == 0 {
            return Ok(());
        }
        counted(page, "level", self.levels.iter(), rated)?;
        if let Some((mean, deviation)) = self.score.moments() {
            writeln!(
                page,
                "Score of the puzzles that the ladder solves: mean {mean:.1}, standard deviation {deviation:.1}."
            )?;
        }
        if let Some(value) = self.holes_to_score.value() {
            writeln!(page, "Correlation of holes with score, among them: {value:.3}.")?;
        }
        if let Some((mean, _)) = self.open_cells.moments() {
            writeln!(page, "Cells left open in the puzzles beyond the ladder: mean {mean:.1}.")?;
        }
        writeln!(page)
    }

    fn write_techniques(&self, page: &mut String) -> std::fmt::Result {
        let rated: u64 = self.levels.values().sum();
        if rated == 0 {
            return Ok(());
        }
        writeln!(
            page,
            "| technique | puzzles that use it | share | uses a puzzle | hardest in |\n|:--|--:|--:|--:|--:|"
        )?;
        let used = TECHNIQUES.iter().zip(self.techniques).filter(|(_, [users, ..])| *users > 0);
        for (info, [users, uses, hardest]) in used {
            let share = percent(users, rated);
            let mean = uses as f64 / rated as f64;
            writeln!(page, "| {} | {users} | {share} | {mean:.4} | {} |", info.name, percent(hardest, rated))?;
        }
        writeln!(page)
    }
}

/// Shape, method, plan and symmetry of a row in one text.
fn origin(record: &Record) -> String {
    let text = |value: &Option<std::borrow::Cow<'static, str>>| value.as_deref().unwrap_or("-").to_owned();
    let symmetry = record.symmetry.map_or("-".to_owned(), |symmetry| symmetry.to_string());
    format!("{}, {}, {}, {symmetry}", record.shape, text(&record.method), text(&record.plan))
}

fn solutions(record: &Record) -> &'static str {
    match (record.solutions, record.solutions_exact) {
        (Some(0), Some(true)) => "none",
        (Some(1), Some(true)) => "one",
        (Some(2..), _) => "several",
        _ => "not known",
    }
}

/// A table of names and how often they occurred.
fn counted<K: ToString>(
    page: &mut String,
    what: &str,
    counts: impl Iterator<Item = (K, impl std::borrow::Borrow<u64>)>,
    total: u64,
) -> std::fmt::Result {
    writeln!(page, "| {what} | puzzles | share |\n|:--|--:|--:|")?;
    for (name, count) in counts {
        let count = *count.borrow();
        writeln!(page, "| {} | {count} | {} |", name.to_string(), percent(count, total))?;
    }
    writeln!(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Puzzle, text};

    #[test]
    fn a_page_counts_what_it_was_given() {
        let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let puzzle = Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap();
        let mut summary = Summary::default();
        for index in 0..4 {
            let record = Record { minimal: Some(index == 0), ..Record::of_puzzle(index, puzzle.clone()) };
            summary.add(&record);
        }
        let page = summary.markdown("Four rows");
        assert!(page.contains("| 30 | 4 | 100.00 % | ████"), "{page}");
        assert!(page.contains("| no | 3 | 75.00 % |"), "{page}");
        assert!(page.contains("| 3x3, -, -, - | 4 | 100.00 % |"), "{page}");
        assert!(!page.contains("technique"), "unrated rows have no technique table: {page}");
    }
}
