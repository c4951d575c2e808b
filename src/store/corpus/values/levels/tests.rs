//! Levels of one's own and those of newspapers.

use super::*;
use crate::corpus::tests::recipe;
use crate::corpus::{Draft, Outline, RECIPE_FILE, Recipe, RowSink, Scan};
use sudoku_corpus_core::board::{Freedom, Isomorphism, Shape};
use sudoku_corpus_core::effort::Effort;
use sudoku_corpus_core::random::{Rng, Stage};

fn row(er: Option<u32>, hodoku_level: Option<Level>, givens: u32) -> Record {
    let hodoku_score = Some(givens * 10);
    Record { se_er_tenths: er, hodoku_level, hodoku_score, givens: Some(givens), ..Record::new(0, Shape::NINE) }
}

#[test]
fn newspaper_levels_cover_every_rating_once() {
    let levels = Levels::default();
    let of = |er, level| levels.rated(&row(er, level, 25));
    let mut before = 0;
    for er in 10..=130 {
        let level = of(Some(er), None).unwrap_or_else(|| panic!("{er}"));
        assert!(level == before || level == before + 1, "{er}");
        before = level;
    }
    assert_eq!(before, 4);
    assert_eq!(of(Some(12), Some(Level::Extreme)), Some(0), "ER decides");
    assert_eq!([of(None, None), of(None, Some(Level::Hard))], [None; 2], "without ER, a 9x9 puzzle has no level");
    // Other boards have no ER.
    for shape in ["2x2", "4x4", "3x3+x", "9+jigsaw"] {
        let row = |level| Record { shape: shape.parse().unwrap(), ..row(None, Some(level), 25) };
        assert_eq!(Level::ALL.map(|level| levels.rated(&row(level)).unwrap()), [0, 1, 2, 3, 4, 4], "{shape}");
    }
}

/// An ER that is a lower bound is above the limit of the search, and may be far above.
#[test]
fn a_lower_bound_of_er_gives_the_hardest_level_or_none() {
    let of = |er, exact| Levels::default().rated(&Record { se_exact: Some(exact), ..row(Some(er), None, 25) });
    assert_eq!([of(30, true), of(30, false), of(71, true), of(71, false)], [Some(2), None, Some(4), Some(4)]);
}

#[test]
fn own_levels_are_read_and_wrong_ones_are_named() {
    let text = "[[level]]\nname = \"Teuflisch\"\ner = \"4.5..7.2\"\ngivens = \"22..26\"";
    let levels = Levels::parse(text).unwrap();
    assert_eq!(levels.rated(&row(Some(45), None, 26)), Some(0));
    assert_eq!([levels.rated(&row(Some(45), None, 27)), levels.rated(&row(Some(73), None, 24))], [None, None]);
    let condition = levels.condition(levels.place("teuflisch").unwrap());
    assert_eq!(condition, "((se_er_tenths BETWEEN 45 AND 72 AND se_exact IS NOT FALSE) AND givens BETWEEN 22 AND 26)");
    let message = |text: &str| Levels::parse(text).unwrap_err().to_string();
    assert!(message("").contains("no level is named"));
    assert!(message("[[level]]\nname = \"x\"").contains("level 1: it has no condition"));
    assert!(message("[[level]]\nname = \"x\"\ner = \"7..3\"").contains("er is '7..3'"));
    assert!(message("[[level]]\nname = \"x\"\ner = \"4.55..5.0\"").contains("er is '4.55..5.0'"));
    for empty in ["", "..", "..3"] {
        let text = format!("[[level]]\nname = \"x\"\neffort = {{ steps = \"{empty}\" }}");
        assert!(message(&text).contains(&format!("steps is '{empty}'")), "{}", message(&text));
    }
    assert!(message("[[level]]\nname = \"x\"\nhodoku_level = \"esay\"").contains("easy"));
    assert!(
        message("[[level]]\nname = \"x\"\nlevel = \"easy\"")
            .contains("unknown key 'level'; did you mean 'hodoku_level'?")
    );
    let twice = "[[level]]\nname = \"A\"\ngivens = \"3\"\n[[level]]\nkey = \"a\"\ngivens = \"4\"";
    assert!(message(twice).contains("level 2: an earlier level is called 'a', too"));
    assert!(message("[[level]]\nnmae = \"x\"").contains("nmae"));
    assert!(message("[[level]]\nname = \"x\"\ntechniques = \"x_wign\"").contains("x_wing"));
    assert!(levels.place("hard").unwrap_err().contains("your own scale has Teuflisch; HoDoKu's scale has it"));
}

#[test]
fn techniques_bound_a_level() {
    let levels = Levels::parse("[[level]]\nname = \"x\"\ntechniques = \"singles\"").unwrap();
    let mut counts = [0; Technique::COUNT];
    counts[Technique::FullHouse as usize] = 3;
    let record = Record { finished: Some(true), counts: Some(Box::new(counts)), ..row(None, None, 30) };
    assert_eq!(levels.rated(&record), Some(0));
    counts[Technique::XWing as usize] = 1;
    assert_eq!(levels.rated(&Record { counts: Some(Box::new(counts)), ..record }), None);
    assert!(levels.columns().contains(&"n_x_wing".to_owned()));
}

#[test]
fn effort_bounds_a_level() {
    let text = "[[level]]\nname = \"Monday\"\neffort = { steps = \"0\", rounds = \"5..12\" }\n[[level]]\nname = \"Tuesday\"\n\
                effort = { steps = \"0..\" }";
    let levels = Levels::parse(text).unwrap();
    let of = |steps, rounds| {
        let effort = Effort { steps, rounds, ..Effort::default() };
        levels.rated(&Record { effort, ..row(None, None, 30) })
    };
    assert_eq!([of(Some(0), Some(12)), of(Some(0), Some(13)), of(Some(99), None)], [Some(0), Some(1), Some(1)]);
    assert_eq!(of(None, Some(9)), None);
    assert_eq!(levels.condition(0), "(effort_rounds BETWEEN 5 AND 12 AND effort_steps BETWEEN 0 AND 0)");
    assert_eq!(Levels::of_drafts(levels.drafts()).unwrap(), levels);
    assert_eq!(levels.columns(), ["effort_rounds", "effort_steps"]);
    assert_eq!(levels.ratings(), "effort".parse().unwrap());
    let wrong = Levels::parse("[[level]]\nname = \"x\"\neffort = { setps = \"0\" }").unwrap_err().to_string();
    assert!(wrong.contains("no column is called effort_setps; known: rounds, open_tenths"), "{wrong}");
}

#[test]
fn rows_are_tried_until_they_have_a_level_by_effort() {
    let of = |ratings: &str| {
        recipe(&format!(
            "count = 4\n[dig]\nplan = \"givens=26..34\"\n[analyze]\nratings = \"{ratings}\"\n\
             [[level]]\nname = \"Mild\"\neffort = {{ steps = \"0\" }}\n[[level]]\nname = \"Wild\"\neffort = {{ steps = \"0..9\" }}\n\
             [[quota]]\nlevel = \"wild\"\n[[quota]]\nlevel = \"mild\""
        ))
    };
    let made = of("effort").unwrap();
    let again = recipe(&made.canonical()).unwrap();
    assert_eq!((again.fingerprint(), &again.quotas), (made.fingerprint(), &made.quotas));
    for (index, level) in [1, 1, 0, 0].into_iter().enumerate() {
        let row = made.make(index as u64).unwrap();
        assert_eq!([made.levels.of(&row), made.levels.rated(&row)], [Some(level); 2]);
        assert_eq!((row.log_weight, row.effort.steps == Some(0)), (None, level == 0));
    }
    assert!(of("er").unwrap_err().contains("'Wild' needs the columns of effort: add effort to ratings"));
}

#[test]
fn a_recipe_digs_for_own_levels() {
    let folder = tempfile::tempdir().unwrap();
    let own = "[[level]]\nname = \"Sanft\"\nhodoku_level = \"easy\"\ngivens = \"33..36\"\n[[level]]\nname = \"Punkte\"\nhodoku_score = \"1..9\"";
    std::fs::write(folder.path().join("own.toml"), own).unwrap();
    let recipe = |text: &str| {
        let path = folder.path().join("recipe.toml");
        std::fs::write(&path, text).unwrap();
        Draft::read(&path).and_then(|draft| Recipe::new(&draft)).map_err(|error| error.to_string())
    };
    let made = recipe("levels = \"own.toml\"\n[[quota]]\nlevel = \"sanft\"\ncount = 3").unwrap();
    let levels = Levels::parse(own).unwrap();
    for index in 0..3 {
        assert_eq!(made.make(index).unwrap().level.as_deref(), Some("Sanft"));
    }
    // The corpus keeps the levels. It does not need their file any more, and counts by the same levels.
    let text = made.canonical();
    assert!(text.contains("givens=33..36") && !text.contains("own.toml"), "{text}");
    std::fs::write(folder.path().join(RECIPE_FILE), &text).unwrap();
    assert_eq!(made.outline().metadata(0).scale(), Some(levels.clone()));
    // The recipe of a command says the scale in the same words.
    let head = "count = 3\npart_rows = 2\nformat = \"parquet\"\n";
    for (scale, text) in [
        (Levels::default(), head.to_owned()),
        (Levels::hodoku(), format!("{head}levels = \"hodoku\"\n")),
        (levels.clone(), format!("{head}[command]\nname = \"analyze\"\n{}", levels.tables())),
    ] {
        assert_eq!(Outline::of_text(&text).unwrap().metadata(0).scale(), Some(scale));
    }
    let again = Recipe::read(&folder.path().join(RECIPE_FILE)).unwrap();
    assert_eq!((again.fingerprint(), again.quotas), (made.fingerprint(), made.quotas));
    // The same tables in the recipe itself make the same corpus.
    let inside = recipe(&format!("[[quota]]\nlevel = \"sanft\"\ncount = 3\n{own}")).unwrap();
    assert_eq!(inside.canonical(), text);
    let every = ["easy", "medium", "hard", "expert", "extreme"];
    let quotas = every.map(|level| format!("[[quota]]\nlevel = \"{level}\"\ncount = 1\n")).concat();
    let paper = recipe(&quotas).unwrap();
    assert!(paper.canonical().contains("\nlevels = \"newspaper\"\n"), "{}", paper.canonical());
    assert_eq!(recipe(&format!("levels = \"newspaper\"\n{quotas}")).unwrap().canonical(), paper.canonical());
    assert_eq!(recipe(&paper.canonical()).unwrap().canonical(), paper.canonical());
    for (text, message) in [
        (
            "levels = \"own.toml\"\n[dig]\nlevel = \"punkte\"\n[analyze]\ntechniques = \"none\"",
            "'Punkte' needs a rating",
        ),
        ("levels = \"own.toml\"\n[dig]\nlevel = \"hard\"", "no level 'hard': your own scale has Sanft, Punkte"),
        ("levels = \"none.toml\"", "none.toml': there is no such file"),
        ("levels = \"newspaper\"\n[[level]]\nname = \"x\"\ngivens = \"3\"", "levels or [[level]], not both"),
        ("[[level]]\nname = \"x\"\ner = \"7..3\"", "level 1: er is '7..3'"),
    ] {
        let error = recipe(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// A row is in the level of its quota, whatever the levels are: they may overlap, and the ladder may solve a puzzle by
/// other techniques than those that would suffice. SQL puts every row into the same level.
#[test]
fn rows_are_in_the_level_of_their_quota() {
    const CONDITIONS: [&str; 9] = [
        "er = \"1.2..2.6\"",
        "er = \"2.0..4.0\"\nhodoku_level = \"hard\"",
        "givens = \"24..28\"",
        "givens = \"26..30\"",
        "techniques = \"singles,x_wing\"",
        "techniques = \"singles\"\ngivens = \"25..27\"",
        "hodoku_level = \"easy,medium\"",
        "hodoku_level = \"medium\"",
        "hodoku_score = \"0..600\"",
    ];
    let mut made = 0;
    for seed in 0..10 {
        let mut conditions = CONDITIONS;
        Rng::new(seed, 0, Stage::Bench, 0).shuffle(&mut conditions);
        let mut text = format!("seed = {seed}\ndig.retries = 300\n");
        for (place, condition) in conditions[..4].iter().enumerate() {
            text += &format!("[[level]]\nname = \"level {place}\"\n{condition}\n");
        }
        for place in 0..4 {
            text += &format!("[[quota]]\ncount = 2\nlevel = \"level {place}\"\n");
        }
        let recipe = recipe(&text).unwrap();
        let levels = &recipe.levels;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let (mut sink, mut expected) = (RowSink::create(&path, None).unwrap(), Vec::new());
        for index in 0..recipe.count {
            // Earlier levels may leave nothing of a later one.
            let Ok(row) = recipe.make(index) else { continue };
            assert_eq!([levels.of(&row), levels.rated(&row)], [Some(index as usize / 2); 2], "row {index} of:\n{text}");
            made += 1;
            // The same row without some values, as in files of other programs.
            let unrated = Record { se_er_tenths: None, ..row.clone() };
            let bound = Record { se_exact: Some(false), ..row.clone() };
            let bare = Record { hodoku_level: None, ..row.clone() };
            for row in [row, unrated, bound, bare] {
                expected.push(levels.rated(&row));
                sink.write(row).unwrap();
            }
        }
        sink.finish().unwrap();
        let conditions: Vec<String> = (0..4).map(|place| format!("({}) IS TRUE", levels.condition(place))).collect();
        let answer = Scan::open(&[path]).unwrap().ask(&format!("SELECT {} FROM puzzles", conditions.join(", ")));
        let holds: Vec<Vec<bool>> = (0..4).map(|place| answer.as_ref().unwrap().flags(place).unwrap()).collect();
        for (row, expected) in expected.into_iter().enumerate() {
            assert_eq!(holds.iter().position(|level| level[row]), expected, "row {row} of:\n{text}");
        }
    }
    assert!(made > 50, "{made} of 80 rows");
}

/// Rules up to ER 3.6 lead to the same end in any order, so all forms of a puzzle have one level.
#[test]
fn isomorphs_have_one_level_on_the_newspapers_scale() {
    let text = "[analyze]\ntechniques = \"none\"\nratings = \"er\"\n";
    let mut seen = [0; 5];
    for plan in ["minimal", "givens=24..32"] {
        let made = recipe(&format!("[dig]\nplan = \"{plan}\"\n{text}")).unwrap();
        for index in 0..60 {
            let row = made.make(index).unwrap();
            let puzzle = row.puzzle.as_ref().unwrap();
            let mut rng = Rng::new(3, index, Stage::Bench, 0);
            seen[made.levels.of(&row).unwrap()] += 1;
            for _ in 0..4 {
                let map = Isomorphism::random(puzzle.shape(), Freedom::ALL, &mut rng);
                let image = made.analysis.analyze(Record::of_puzzle(0, map.apply_to_puzzle(puzzle)));
                assert_eq!(image.level, row.level, "{puzzle}");
            }
        }
    }
    assert!(seen.iter().all(|rows| *rows > 0), "{seen:?}");
}
