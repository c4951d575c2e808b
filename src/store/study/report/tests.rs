//! The report on made-up and on real rows.

use super::*;
use crate::corpus::tests::{self, PUZZLE};
use crate::corpus::{Analysis, Record};
use sudoku_corpus_core::page::{Figure, Marks};

const HARD: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

fn record(line: &str) -> Record {
    Record::of_puzzle(0, tests::puzzle(line))
}

fn summary() -> Summary {
    let mut summary = Summary::default();
    for line in [PUZZLE, PUZZLE, HARD, "1.....2.....3...", "...1.2...3......"] {
        summary.add(&Analysis::default().analyze(record(line)));
    }
    summary
}

/// Every `<` opens or closes an element, and elements are closed in the order in which they were opened.
fn assert_well_formed(markup: &str) {
    let mut open: Vec<String> = Vec::new();
    for tag in markup.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let name: String = tag.trim_start_matches('/').chars().take_while(|c| c.is_alphanumeric()).collect();
        if tag.starts_with('/') {
            assert_eq!(open.pop().as_deref(), Some(name.as_str()), "{tag}");
        } else if !tag.starts_with('!') && !tag.ends_with('/') && !["meta", "br"].contains(&name.as_str()) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_plot_is_drawn_and_has_its_data() {
    let page = document(&summary(), "Five puzzles", Some("seed = 1\n")).unwrap();
    let figures: Vec<&Figure> = page.figures().collect();
    let ids: Vec<&str> = figures.iter().map(|figure| figure.plot.id.as_str()).collect();
    let plots = "givens levels scores techniques hardest techniques-per-puzzle search-depth search-guesses holes-depth \
                 holes-score symmetries automorphisms duplicates";
    for id in plots.split(' ') {
        assert!(ids.contains(&format!("3x3-{id}").as_str()), "{id}: {ids:?}");
    }
    assert!(ids.contains(&"2x2-givens"), "{ids:?}");
    let mut sorted = ids.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), ids.len(), "every name is there once");
    for figure in figures {
        let texts = [&figure.headline, &figure.caption, &figure.plot.title, &figure.plot.id];
        assert!(texts.iter().all(|text| !text.contains('{')), "{texts:?}");
        assert!(!figure.data.rows.is_empty(), "{}", figure.plot.id);
        assert!(figure.data.rows.iter().all(|row| row.len() == figure.data.head.len()), "{}", figure.plot.id);
        assert_well_formed(&figure.svg_file());
        assert!(!figure.svg_file().contains("NaN") && !figure.svg_file().contains("inf"), "{}", figure.plot.id);
    }
    assert_well_formed(&page.html());
    let html = page.html();
    assert!(html.contains("3 puzzles are of only 2 classes") && html.contains("seed = 1"), "{html}");
}

#[test]
fn one_row_has_no_standard_deviation() {
    for (lines, has_deviation) in [(&[PUZZLE][..], false), (&[PUZZLE, HARD], true)] {
        let mut summary = Summary::default();
        lines.iter().for_each(|line| summary.add(&Analysis::default().analyze(record(line))));
        let page = document(&summary, "Some puzzles", None).unwrap().markdown();
        assert!(page.contains("Mean ") && page.contains("standard deviation") == has_deviation, "{page}");
    }
}

#[test]
fn effort_is_shown_beside_the_scales_if_rows_have_it() {
    let page = |ratings: &str| {
        let analysis = Analysis { ratings: ratings.parse().unwrap(), ..Analysis::default() };
        let mut halves = [Summary::default(), Summary::default()];
        let lines = [PUZZLE, HARD];
        halves.iter_mut().zip(lines).for_each(|(half, line)| half.add(&analysis.analyze(record(line))));
        let [mut all, other] = halves;
        all.merge(other);
        document(&all, "Effort", None).unwrap().markdown()
    };
    assert!(!page("er").contains("What the puzzles ask"));
    let text = page("er,effort");
    let row = text.lines().find(|line| line.contains("effort_singles_percent")).unwrap();
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!(cells[2], "2", "{text}");
    assert_eq!(cells[4..9], ["5", "100", "\u{2212}1.000", "-", "\u{2212}1.000"], "{text}");
}

/// A row with another solution grid, so that rows are independent: the digits of its grid are moved on.
fn of_grid(record: &Record, number: usize) -> Record {
    let solution = record.solution.as_ref().unwrap();
    let mut digits: Vec<u16> = (1..=9).collect();
    digits.rotate_left(number % 9);
    digits.swap(number / 9 % 9, number / 81 % 9);
    digits.swap(0, number / 729 % 9);
    let values = solution.values().iter().map(|&value| digits[value as usize - 1]).collect();
    let grid = sudoku_corpus_core::board::Grid::new(Shape::NINE, values).unwrap();
    Record { solution: Some(grid.try_into().unwrap()), ..record.clone() }
}

/// The page draws two standard errors on each side of a ring, so the ring has one.
#[test]
fn rings_of_weighted_levels_have_one_standard_error() {
    let mut summary = Summary::default();
    let rated = [PUZZLE, HARD].map(|line| Analysis::default().analyze(record(line)));
    for row in 0..600usize {
        let mut record = of_grid(&rated[usize::from(row % 3 == 0)], row);
        record.log_weight = Some((row % 7) as f64 / 10.0);
        summary.add(&record);
    }
    let page = document(&summary, "Weighted puzzles", None).unwrap();
    let figure = page.figures().find(|figure| figure.plot.id == "levels").unwrap();
    let rings = figure.plot.layers.iter().find_map(|layer| match &layer.marks {
        Marks::Rings(rings) => Some(rings),
        _ => None,
    });
    let data = figure.data.rows.iter().map(|row| [3, 4].map(|column| row[column].parse::<f64>().unwrap_or(0.0)));
    let mut errors = 0.0;
    for (&(x, _, error), [share, standard_error]) in rings.unwrap().iter().zip(data) {
        assert!((x - 100.0 * share).abs() < 1e-3 && (error - 100.0 * standard_error).abs() < 1e-3, "{x} {error}");
        errors += error;
    }
    assert!(errors > 0.0);
}

/// Whoever reads a headline knows whom it is about: these rows, or all minimal puzzles, and then with an error.
#[test]
fn every_headline_says_its_population() {
    let analysis = Analysis { ratings: "er,w,effort".parse().unwrap(), ..Analysis::default() };
    let rated = [PUZZLE, HARD].map(|line| analysis.analyze(record(line)));
    for log_weight in [None, Some(0.0)] {
        let mut summary = Summary::default();
        for row in 0..900usize {
            let mut record = of_grid(&rated[usize::from(row % 3 == 0)], row);
            record.log_weight = log_weight.map(|_| (row % 7) as f64 / 10.0);
            record.givens = record.givens.map(|_| 24 + (row % 4) as u32);
            summary.add(&record);
        }
        let page = document(&summary, "Rows", None).unwrap();
        let headlines: Vec<&str> = page.figures().map(|figure| figure.headline.as_str()).collect();
        assert!(headlines.len() > 12, "{headlines:?}");
        for headline in headlines {
            assert!(!headline.contains('{'), "{headline}");
            let of_rows =
                ["these", "In these rows"].iter().any(|words| headline.to_lowercase().contains(&words.to_lowercase()));
            let of_all = headline.contains("ll minimal puzzles")
                && ["\u{b1}", "95 %", "100 %"].iter().any(|sign| headline.contains(sign));
            assert!(of_rows || of_all, "{headline}");
            assert!(log_weight.is_some() || !headline.contains("ll minimal puzzles"), "{headline}");
        }
        // A selection does not stand for all minimal puzzles.
        summary.population = TargetPopulation::OfKind;
        let page = document(&summary, "Rows", None).unwrap().html();
        let [all, of_kind] =
            ["ll minimal puzzles", "ll minimal puzzles of the kind"].map(|words| page.matches(words).count());
        assert!(all == of_kind && (all > 4) == log_weight.is_some(), "{all} {of_kind}");
    }
}

/// A share of the rows with a known value is not called one of all rows.
#[test]
fn a_share_says_of_how_many_rows_it_is() {
    let mut summary = Summary::default();
    let analysis = Analysis { minimal: false, ..Analysis::default() };
    let rated = [PUZZLE, HARD].map(|line| analysis.analyze(record(line)));
    for row in 0..40usize {
        let mut record = of_grid(&rated[usize::from(row % 4 == 0)], row);
        record.minimal = (row < 10).then_some(true);
        if row >= 30 {
            (record.level, record.class, record.automorphisms) = (None, None, None);
        }
        summary.add(&record);
    }
    let text = document(&summary, "Rows", None).unwrap().markdown();
    for words in [
        "of the 10 of these rows of which it is known are minimal",
        "of these rows have exactly one solution",
        "of the 30 of these puzzles with a level are",
        "of the 30 of these puzzles with a class repeat",
        "of these puzzles are solved without a guess",
        "None of the 30 of these puzzles with a known value has",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn the_page_says_what_is_not_known() {
    let mut summary = Summary::default();
    assert!(document(&summary, "Nothing", None).unwrap().html().contains("There are no rows."));
    summary.add(&record(PUZZLE));
    let page = document(&summary, "One puzzle", None).unwrap();
    let ids: Vec<&str> = page.figures().map(|figure| figure.plot.id.as_str()).collect();
    assert_eq!(ids, ["givens", "symmetries"]);
    assert!(page.html().contains("ratings: not known") && page.html().contains("All these puzzles have 30 givens"));
    assert_well_formed(&page.html());
    let mut grids = Summary::default();
    grids.add(&Record::new(0, Shape::NINE));
    assert!(document(&grids, "Grids", None).unwrap().markdown().contains("full grids and no puzzles"));
}

#[test]
fn any_numbers_are_drawn() {
    for extreme in [0, 1, u32::MAX] {
        let mut summary = Summary::default();
        for row in 0..3u32 {
            let record = Record {
                holes: Some(extreme),
                givens: Some(extreme / (row + 1)),
                hodoku_score: Some(extreme / (row + 1)),
                hodoku_level: Some(Level::Beyond),
                finished: Some(true),
                automorphisms: Some(extreme),
                search_guesses: Some(u64::from(extreme) << 32),
                search_depth: Some(extreme),
                search_nodes: Some(0),
                log_weight: Some(-f64::from(extreme)),
                ..record(PUZZLE)
            };
            summary.add(&record);
        }
        let html = document(&summary, "Extreme", None).unwrap().html();
        assert!(!html.contains("NaN") && !html.contains("inf\""), "{extreme}");
        assert_well_formed(&html);
    }
}
