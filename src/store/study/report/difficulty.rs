//! Plots levels, scores and techniques.

use super::{Board, WEIGHTED, add_weighted, error_of, percentage, share, shares, tallest, tooltip};
use crate::study::counts::Use;
use crate::study::weights::{Quantity, Share};
use sudoku_corpus_core::page::numbers::{grouped, percent, significant, with_error};
use sudoku_corpus_core::page::{Area, Axis, Colour, Figure, Layer, Marks, Table, kinds};
use sudoku_corpus_core::rate::{Family, Level, TECHNIQUES, TechniqueInfo};

/// Number of bins of scores for each power of ten.
const BINS: f64 = 16.0;

/// A bar for each level: its share of the rated puzzles. Where rows have weights, a ring shows its share of all minimal
/// puzzles. None if no puzzle was rated.
pub(super) fn levels(board: &Board<'_>) -> Option<Figure> {
    let (levels, rated) = (&board.counts.levels, board.counts.rated());
    let largest = *levels.iter().max().filter(|_| rated > 0)?;
    let places = |value| Some(value as usize).filter(|&at| at < Level::ALL.len());
    let weighted = board.weighted(Quantity::Level, Level::ALL.len(), places);
    let mut data = shares("level", Level::ALL.map(Level::name).into_iter().zip(*levels), rated);
    add_weighted(&mut data, weighted.iter().flatten());
    let mut layers = Vec::new();
    for (at, (level, &number)) in Level::ALL.into_iter().zip(levels).enumerate() {
        let length = percentage(number, rated);
        let area = kinds::bar(at, length, tooltip(level.name(), number, rated));
        layers.push(Layer::new("", Colour::Level(at), Marks::Areas(vec![area])));
        let words = format!("{}  ({})", percent(number, rated), grouped(number.into()));
        // The words begin at the right of the bar, and of the error bar of the weighted share.
        let end = tallest(weighted.iter().map(|shares| &shares[at]), length);
        layers.push(kinds::beside([(end, at, words)]));
    }
    if let Some(shares) = &weighted {
        let error = |share: &Share| 100.0 * error_of(share).unwrap_or(0.0);
        let ring = |(at, share): (usize, &Share)| (100.0 * share.share, at as f64, error(share));
        let rings = shares.iter().enumerate().map(ring).collect();
        layers.push(Layer::new(WEIGHTED, Colour::Series(8), Marks::Rings(rings)));
    }
    let most =
        Level::ALL.into_iter().zip(levels).max_by_key(|(level, number)| (**number, std::cmp::Reverse(*level)))?;
    let x = Axis::linear("% of rated puzzles", 0.0, tallest(weighted.iter().flatten(), percentage(largest, rated)));
    let y = Axis::names("", Level::ALL.map(|level| level.name().to_owned()).to_vec());
    let plot = board.plot("levels", "Levels", x, y, layers);
    let heaviest = weighted.iter().flatten().zip(Level::ALL).max_by(|a, b| a.0.share.total_cmp(&b.0.share));
    let headline = match heaviest {
        Some((Share { share, error }, level)) => {
            format!("{} % of all minimal puzzles are {level}", with_error(100.0 * share, 100.0 * error))
        }
        None => format!("{} of these puzzles are {}", percent(*most.1, rated), most.0),
    };
    let beyond = board.counts.open_cells.moments().map_or(String::new(), |(mean, _)| {
        format!(" In puzzles that it does not solve, {mean:.1} cells stay empty on average.")
    });
    let caption = format!(
        "Levels are those of HoDoKu 2.2.0: the level of the hardest step, or a higher one if all steps together have a high \
         score. Beyond means that the ladder of techniques does not solve the puzzle.{beyond}"
    );
    Some(Figure { headline, plot, caption, data, listed: true })
}

/// A histogram of scores in bins of equal ratio, with the levels on top of each other. None if no puzzle is solved.
pub(super) fn scores(board: &Board<'_>) -> Option<Figure> {
    let scores = &board.counts.level_score;
    let all = scores.second();
    let (mean, deviation) = all.moments()?;
    // The bin of a score, and the score at which a bin begins.
    let bin = |score: u64| ((score.max(1) as f64).log10() * BINS + 1e-9).floor() as i64;
    let edge = |bin: i64| 10f64.powf(bin as f64 / BINS);
    let (first, last) = (bin(all.min()?), bin(all.max()?));
    let mut heights = vec![0u64; (last - first + 1) as usize];
    let mut data = Table::new(&["level", "score", "puzzles", "share"]);
    let mut layers = Vec::new();
    // `heights` has what the levels so far have in each bin: the next one stands on it.
    for (level, tally) in scores.iter() {
        let mut own = vec![0u64; heights.len()];
        tally.iter().for_each(|(score, count)| own[(bin(score) - first) as usize] += count);
        let name = Level::ALL.get(level as usize)?.name();
        data.rows.extend(tally.iter().map(|(score, count)| {
            vec![name.to_owned(), score.to_string(), count.to_string(), share(count, all.total())]
        }));
        let areas = own.iter().zip(&mut heights).enumerate().filter(|(_, (own, _))| **own > 0);
        let areas = areas.map(|(at, (&own, height))| {
            let (from, to) = (edge(first + at as i64), edge(first + at as i64 + 1));
            let y = (percentage(*height, all.total()), percentage(*height + own, all.total()));
            *height += own;
            let what = format!("{name}, {:.0} to {:.0} points", from, to);
            Area { x: (from * 1.012, to / 1.012), y, strength: 1.0, tooltip: tooltip(&what, own, all.total()) }
        });
        layers.push(Layer::new(name, Colour::Level(level as usize), Marks::Areas(areas.collect())));
    }
    let highest = percentage(heights.iter().copied().max()?, all.total());
    let quantile = |q| grouped(all.quantile(q).unwrap_or(0).into());
    let x = Axis::log("score, points (logarithmic)", edge(first), edge(last + 1));
    let y = Axis::linear("% of solved puzzles", 0.0, 1.05 * highest);
    let mut plot = board.plot("scores", "Scores", x, y, layers);
    plot.marks.push((all.quantile(0.5)?.max(1) as f64, format!("median {}", quantile(0.5))));
    let headline = format!(
        "Half of these puzzles have a score of at most {}, all but one in a hundred of at most {}",
        quantile(0.5),
        quantile(0.99)
    );
    let caption = format!(
        "The score is the sum of the scores of all steps (HoDoKu 2.2.0). Only puzzles that the ladder solves are counted. \
         Mean {mean:.1}, standard deviation {deviation:.1}, quartiles {} / {} / {}, from {} to {}.",
        quantile(0.25),
        quantile(0.5),
        quantile(0.75),
        grouped(all.min()?.into()),
        grouped(all.max()?.into())
    );
    Some(Figure { headline, plot, caption, data, listed: false })
}

/// The techniques that were used, with their counts.
fn used(board: &Board<'_>) -> Vec<(&'static TechniqueInfo, Use)> {
    TECHNIQUES.iter().zip(board.counts.techniques.iter().copied()).filter(|(_, seen)| seen.puzzles > 0).collect()
}

/// The axis with the names of techniques.
fn names(techniques: &[(&TechniqueInfo, Use)]) -> Axis {
    Axis::names("", techniques.iter().map(|(info, _)| info.name.to_owned()).collect())
}

/// A dot for each technique, the most frequent first: the share of puzzles in which the ladder uses it. None if no
/// puzzle was rated.
pub(super) fn uses(board: &Board<'_>) -> Option<Figure> {
    let rated = board.counts.rated();
    let mut techniques = used(board);
    techniques.sort_by_key(|(_, seen)| std::cmp::Reverse(seen.puzzles));
    let least = techniques.last()?.1.puzzles;
    let mut data =
        Table::new(&["technique", "name", "puzzles", "share", "steps_per_puzzle", "hardest_in", "hardest_share"]);
    for (info, seen) in &techniques {
        data.rows.push(vec![
            info.code.to_owned(),
            info.name.to_owned(),
            seen.puzzles.to_string(),
            share(seen.puzzles, rated),
            significant(seen.steps as f64 / rated as f64, 6).to_string(),
            seen.hardest.to_string(),
            share(seen.hardest, rated),
        ]);
    }
    let mut layers: Vec<Layer> = Vec::new();
    for level in Level::ALL {
        let of_level = techniques.iter().enumerate().filter(|(_, (info, _))| info.level == level);
        let points: Vec<(f64, f64, f64)> =
            of_level.map(|(at, (_, seen))| (percentage(seen.puzzles, rated), at as f64, 0.0)).collect();
        if !points.is_empty() {
            layers.push(Layer::new(level.name(), Colour::Level(level as usize), Marks::Dots(points)));
        }
    }
    layers.push(kinds::beside(techniques.iter().enumerate().map(|(at, (info, seen))| {
        let words = format!(" {}  {}", percent(seen.puzzles, rated), info.level.name());
        (percentage(seen.puzzles, rated), at, words)
    })));
    let x = Axis::log("% of rated puzzles (logarithmic)", percentage(least, rated), 100.0);
    let title = "Share of puzzles in which the ladder uses each technique";
    let plot = board.plot("techniques", title, x, names(&techniques), layers);
    let headline = match techniques.iter().find(|(info, _)| info.family != Family::Singles) {
        Some((info, seen)) => format!(
            "After singles, {} is used most often: in {} of these puzzles",
            info.name,
            percent(seen.puzzles, rated)
        ),
        None => "Singles alone solve all these puzzles".to_owned(),
    };
    let caption = "The share of puzzles in which the ladder uses a technique at least once. The ladder always takes the \
                   easiest step, so a technique counts only where no easier step was left. Colours are the levels of the \
                   techniques in HoDoKu 2.2.0.";
    Some(Figure { headline, plot, caption: caption.to_owned(), data, listed: true })
}

/// A bar for each technique, the most frequent first: the share of puzzles of which it is the hardest. None if no
/// puzzle was rated.
pub(super) fn hardest(board: &Board<'_>) -> Option<Figure> {
    let rated = board.counts.rated();
    let mut techniques = used(board);
    techniques.retain(|(_, seen)| seen.hardest > 0);
    techniques.sort_by_key(|(_, seen)| std::cmp::Reverse(seen.hardest));
    let (info, hardest) = *techniques.first()?;
    let mut data = Table::new(&["technique", "name", "puzzles", "share"]);
    let mut layers = Vec::new();
    for (at, (info, seen)) in techniques.iter().enumerate() {
        let (number, length) = (seen.hardest, percentage(seen.hardest, rated));
        data.rows.push(vec![info.code.to_owned(), info.name.to_owned(), number.to_string(), share(number, rated)]);
        let area = kinds::bar(at, length, tooltip(info.name, number, rated));
        layers.push(Layer::new("", Colour::Level(info.level as usize), Marks::Areas(vec![area])));
        layers.push(kinds::beside([(length, at, percent(number, rated))]));
    }
    // One legend entry for each level, in their order.
    for level in Level::ALL {
        if techniques.iter().any(|(info, _)| info.level == level) {
            layers.push(Layer::new(level.name(), Colour::Level(level as usize), Marks::Areas(Vec::new())));
        }
    }
    let x = Axis::linear("% of rated puzzles", 0.0, percentage(hardest.hardest, rated));
    let plot = board.plot("hardest", "Hardest technique", x, names(&techniques), layers);
    let headline =
        format!("{} is the hardest technique of {} of these puzzles", info.name, percent(hardest.hardest, rated));
    let caption = "The technique of the hardest step that the ladder takes for each puzzle, including puzzles that it does \
                   not solve. Colours are the levels of the techniques.";
    Some(Figure { headline, plot, caption: caption.to_owned(), data, listed: false })
}
