//! Plots symmetric patterns, automorphisms and essentially equal puzzles.

use std::io;

use super::{Board, count, percentage, shares, tooltip};
use crate::study::stats::Tally;
use sudoku_corpus_core::board::Symmetry;
use sudoku_corpus_core::page::numbers::{grouped, percent};
use sudoku_corpus_core::page::{Axis, Block, Colour, Figure, Layer, Marks, Plot, Table, kinds};

/// Horizontal bars, one per line.
fn bars(board: &Board<'_>, id: &str, title: &str, label: &str, lines: &[(String, u64)], whole: u64) -> Plot {
    let longest = lines.iter().map(|line| percentage(line.1, whole)).fold(0.0, f64::max);
    let bar = |(at, (name, number)): (usize, &(String, u64))| {
        kinds::bar(at, percentage(*number, whole), tooltip(name, *number, whole))
    };
    let words = |(at, (_, number)): (usize, &(String, u64))| {
        let text = format!("{}  ({})", percent(*number, whole), grouped((*number).into()));
        (percentage(*number, whole), at, text)
    };
    let areas = Marks::Areas(lines.iter().enumerate().map(bar).collect());
    let layers = vec![Layer::new("", Colour::Series(3), areas), kinds::beside(lines.iter().enumerate().map(words))];
    let x = Axis::linear(label, 0.0, if longest > 0.0 { longest } else { 1.0 });
    let y = Axis::names("", lines.iter().map(|(name, _)| name.clone()).collect());
    board.plot(id, title, x, y, layers)
}

/// The symmetries that patterns of givens have.
pub(super) fn symmetries(board: &Board<'_>) -> Option<Figure> {
    let counts = board.counts;
    if counts.symmetric[1..].iter().all(|&number| number == 0) {
        return None;
    }
    let named = Symmetry::ALL.into_iter().zip(counts.symmetric).skip(1);
    let lines: Vec<(String, u64)> = named.map(|(symmetry, number)| (symmetry.name().to_owned(), number)).collect();
    let most = lines.iter().rev().max_by_key(|line| line.1)?;
    let headline = format!("{} of these patterns have the symmetry {}", percent(most.1, counts.patterns), most.0);
    let title = "Symmetries of the patterns of givens";
    let plot = bars(board, "symmetries", title, "% of puzzles", &lines, counts.patterns);
    let data = shares("symmetry", lines, counts.patterns);
    let caption = "Symmetries of the square that map the pattern of givens onto itself, whether the recipe asked for them or \
                   not. A pattern may have several: rotate-90 includes rotate-180, and full includes all.";
    Some(Figure { headline, plot, caption: caption.to_owned(), data, listed: true })
}

/// A sentence in place of an empty plot.
pub(super) fn none_symmetric(board: &Board<'_>) -> Option<Block> {
    let counts = board.counts;
    let none = counts.patterns > 0 && counts.symmetric[1..].iter().all(|&number| number == 0);
    none.then(|| Block::Text("No pattern of givens has any of the seven symmetries of the square.".to_owned()))
}

/// A bar for each number of automorphisms. None if it is not known of any puzzle.
pub(super) fn automorphisms(board: &Board<'_>) -> Option<Figure> {
    let tally = &board.counts.automorphisms;
    let (known, alone) = (tally.total(), tally.count(1));
    if known == 0 {
        return None;
    }
    let lines: Vec<(String, u64)> = tally.iter().map(|(maps, number)| (count(maps, "map"), number)).collect();
    let plot = bars(board, "automorphisms", "Automorphisms", "% of puzzles", &lines, known);
    let data = shares("automorphisms", tally.iter(), known);
    let headline = match known - alone {
        0 => "None of these puzzles has an automorphism except the identity".to_owned(),
        some => format!("{} of these puzzles have an automorphism besides the identity", percent(some, known)),
    };
    let caption = "An automorphism is a map of the board (a permutation of rows, columns, bands and stacks, perhaps with \
                   transposition) that turns a puzzle into a relabelling of itself. The identity is counted.";
    Some(Figure { headline, plot, caption: caption.to_owned(), data, listed: true })
}

/// A bar for each number of times that a class occurs. None if no puzzle has a class.
pub(super) fn copies(board: &Board<'_>) -> io::Result<Option<Figure>> {
    let times = board.counts.classes.times()?;
    let (puzzles, classes) = (board.counts.classes.len(), times.total());
    if puzzles == 0 {
        return Ok(None);
    }
    let label = "% of classes of essentially equal puzzles";
    let plot = bars(board, "duplicates", "Essentially equal puzzles", label, &sizes(&times), classes);
    let mut data = Table::new(&["times", "classes", "puzzles"]);
    for (size, number) in times.iter() {
        data.rows.push(vec![size.to_string(), number.to_string(), size.saturating_mul(number).to_string()]);
    }
    let headline = match puzzles - classes {
        0 => format!("No two of these {} are essentially the same", count(puzzles, "puzzle")),
        extra => format!(
            "{} of these puzzles repeat another one: {} are only {} essentially different ones",
            percent(extra, puzzles),
            count(puzzles, "puzzle"),
            grouped(classes.into())
        ),
    };
    let caption = "Two puzzles are essentially the same if relabelling, permutations of rows, columns, bands and stacks, and \
                   transposition turn one into the other. They then have the same `class`. The plot shows how many times a \
                   class occurs.";
    Ok(Some(Figure { headline, plot, caption: caption.to_owned(), data, listed: true }))
}

/// How many classes occur once, twice, and so on; large numbers are grouped.
fn sizes(sizes: &Tally) -> Vec<(String, u64)> {
    let named = |times: u64| match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        3..=9 => format!("{times} times"),
        _ => {
            let first = 10u64.saturating_pow(times.ilog10());
            format!("{} to {} times", grouped(first.into()), grouped(first.saturating_mul(10).saturating_sub(1).into()))
        }
    };
    let mut lines: Vec<(String, u64)> = Vec::new();
    for (times, number) in sizes.iter() {
        let name = named(times);
        match lines.last_mut() {
            Some((last, sum)) if *last == name => *sum += number,
            _ => lines.push((name, number)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_classes_are_grouped() {
        let mut tally = Tally::default();
        [(1, 5), (2, 1), (9, 1), (10, 2), (99, 3), (100, 1)].into_iter().for_each(|(size, n)| tally.add_many(size, n));
        let lines: Vec<String> = sizes(&tally).into_iter().map(|(name, number)| format!("{name} {number}")).collect();
        assert_eq!(lines, ["once 5", "twice 1", "9 times 1", "10 to 99 times 5", "100 to 999 times 1"]);
    }
}
