//! Tests of reading recipes.

use super::*;
use crate::corpus::Recipe;
use sudoku_corpus_core::random::{Rng, Stage};

fn message(text: &str) -> String {
    Draft::parse(text).unwrap_err().to_string()
}

#[test]
fn every_key_is_understood() {
    let text = "seed = 0x10\ncount = 1_000\npart_rows = 10\nformat = \"csv.zst\"\n\
                levels = \"newspaper\"\ngrid.shape = 6\ngrid.method = \"permutation:blocks\"\ngrid.bases = \"b.txt\"\ngrid.bases_blake3 = \"00\"\ngrid.layouts = 5\n\
                grid.layout_symmetry = \"rotate-180\"\n\
                [dig]\nplan = \"givens = 10..12\"\nsymmetry = \"rotate-180\"\nlevel = \"hard\"\nneeds = [\"x_wing\"]\nuses = \"w_wing\"\n\
                only = \"singles,fish\"\ner = \"1.5..4.5\"\nretries = 3\nbudget = 4\n\
                [analyze]\ntechniques = [\"singles\", \"x-wing\"]\nratings = [\"er\", \"w\"]\n\
                er_limit = \"9.5\"\nminimal = false\nnumbers = true\nsteps = true\nweight = true\ncount_limit = 5\nbudget = 6\n\
                [[quota]]\ncount = 7\nlevel = \"easy\"\n[[quota]]\ncount = 8\nneeds = \"w_wing\"\nonly = \"singles\"\ner = 2.0\n\
                plan = \"minimal\"\nsymmetry = \"full\"\n\
                [[output]]\ncommand = \"book\"\nper_page = 4\nbleed = true\nquiet = false\nlevel = [\"easy\", \"hard\"]";
    let draft = Draft::parse(text).unwrap();
    let expected = r#"seed = 16
count = 1000
part_rows = 10
format = "csv.zst"
levels = "newspaper"

[grid]
shape = "2x3"
layouts = "5"
layout_symmetry = "rotate-180"
method = "permutation:blocks"
bases = "b.txt"
bases_blake3 = "00"

[dig]
plan = "givens=10..12"
symmetry = "rotate-180"
level = "hard"
needs = "x_wing"
uses = "w_wing"
only = "ONLY"
er = "1.5..4.5"
retries = 3
budget = 4

[analyze]
techniques = "singles,x-wing"
ratings = "er,w"
er_limit = "9.5"
minimal = false
weight = true
count_limit = 5
budget = 6
numbers = true
steps = true

[[quota]]
count = 7
level = "easy"

[[quota]]
count = 8
plan = "minimal"
symmetry = "full"
needs = "w_wing"
only = "SINGLES"
er = "2.0..2.0"
"#;
    let ladder = |text: &str| text.parse::<Ladder>().unwrap().to_string();
    let expected = expected.replace("ONLY", &ladder("singles,fish")).replace("SINGLES", &ladder("singles"));
    assert_eq!(toml::to_string(&draft).unwrap(), expected);
    let options = [("--per-page", "4"), ("--bleed", ""), ("--level", "easy"), ("--level", "hard")];
    let output = OutputDraft {
        command: "book".to_owned(),
        options: options
            .map(|(name, value)| OutputOption {
                name: name.to_owned(),
                value: Some(value.to_owned()).filter(|value| !value.is_empty()),
            })
            .into(),
    };
    assert_eq!(draft.output, [output]);
    assert_eq!(Draft::parse("").unwrap(), Draft::default());
    assert_eq!(KEYS.len(), 38);
    for key in KEYS.iter() {
        let shown = if key.table.is_empty() { key.name.to_owned() } else { format!("{}.{}", key.table, key.name) };
        assert!(text.contains(key.name) && !key.about.is_empty(), "{shown}");
    }
}

#[test]
fn unknown_keys_are_refused_with_place_and_nearest_key() {
    for (text, start) in [
        ("count = 1\nsede = 2", "recipe:2:1: unknown key 'sede'; did you mean 'seed'?"),
        ("[grid]\n  methd = 2", "recipe:2:3: unknown key 'grid.methd'; did you mean 'method'?"),
        (
            "method = \"x\"",
            "recipe:1:1: unknown key 'method'; method stands in [grid]: write [grid] and below it method",
        ),
        ("[grdi]\nshape = \"3x3\"", "recipe:1:2: unknown key 'grdi'; did you mean [grid]?"),
        ("grid = 3", "recipe:1:1: 'grid' is a table: write [grid] and the keys below it"),
        ("[[quota]]\nlevle = \"hard\"", "recipe:2:1: unknown key 'quota.levle'; did you mean 'level'?"),
        ("[quota]\nlevel = \"hard\"", "recipe:1:2: 'quota' is a list of tables: write [[quota]]"),
        ("quota = [1]", "recipe:1:1: 'quota' is a list of tables"),
        ("[[quota]]\nretries = 1", "recipe:2:1: unknown key 'quota.retries'; retries stands in [dig]"),
        ("[quotas]\nshare = 1", "recipe:1:2: unknown key 'quotas'; did you mean [[quota]]?"),
        ("[[quota]]\nshare = 0.5", "recipe:2:1: unknown key 'quota.share'; did you mean 'count'?"),
        ("[dig]\nSymmetry = 1", "recipe:2:1: unknown key 'dig.Symmetry'; did you mean 'symmetry'?"),
        ("[dig]\nseed = 1", "recipe:2:1: unknown key 'dig.seed'; seed stands before all tables"),
        ("[grid]\nzzz = 1", "recipe:2:1: unknown key 'grid.zzz'; known here: shape, layouts, "),
        ("threads = 2", "recipe:1:1: 'threads' is no key of a recipe but an option: write --threads behind `run`"),
        (
            "seed = 1\ndistinct = true",
            "recipe:2:1: 'distinct' is gone: a row depends on the recipe and its number alone",
        ),
        ("layout = \"hive\"", "recipe:1:1: 'layout' is gone: the parts are in the folder of the corpus itself"),
    ] {
        assert!(message(text).starts_with(start), "{text}: {}", message(text));
    }
}

#[test]
fn wrong_values_are_refused_with_place_and_reason() {
    let whole = "expected a whole number from 0 on, without quotes";
    for (text, start) in [
        ("seed = -1", &*format!("recipe:1:8: seed: {whole}")),
        ("count = \"many\"", &format!("recipe:1:9: count: {whole}")),
        ("format = \"xls\"", "recipe:1:10: format: unknown format 'xls'; known: parquet, csv.zst"),
        ("[grid]\nshape = \"1x9\"", "recipe:2:9: shape: a box of 1x9 "),
        ("[dig]\nplan = \"maximal\"", "recipe:2:8: plan: unknown plan 'maximal'"),
        ("[analyze]\nminimal = 1", "recipe:2:11: minimal: expected true or false"),
        ("[dig]\nplan = true", "recipe:2:8: plan: expected a text in quotes"),
        ("[dig]\nretries = 1\nlevel = \"hrad\"", "recipe:3:9: level: no level 'hrad'"),
        ("[[quota]]\ncount = 1\n[[quota]]\nlevel = \"esay\"", "recipe:4:9: level: no level 'esay'"),
        ("seed = 1\nseed = 2", "recipe:2:1: this key has a value already"),
        ("seed =", "recipe:1:"),
    ] {
        assert!(message(text).starts_with(start), "{text}: {}", message(text));
    }
}

/// Random bytes in a recipe give a draft or an error, never a panic.
#[test]
fn no_text_panics() {
    let text =
        "seed = 1\n[grid]\nshape = \"3x3\"\n[dig]\nplan = \"givens=20..30\"\n[analyze]\ntechniques = [\"all\"]\n";
    let alphabet = b"\"'[]{}=.#\n\r\t 0_x-,\\\xc3\xa9";
    for index in 0..3_000 {
        let mut rng = Rng::new(3, index, Stage::Bench, 0);
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=rng.below(5) {
            let at = rng.below(bytes.len());
            bytes.splice(at..at + rng.below(bytes.len() - at).min(3), [rng.choose(alphabet)]);
        }
        drop(Draft::parse(&String::from_utf8_lossy(&bytes)).map(|draft| Recipe::new(&draft).is_ok()));
    }
}

/// What help and `list keys` say about defaults and values is what the program does.
#[cfg(feature = "cli")]
#[test]
fn stated_defaults_and_values_are_those_of_the_program() {
    use crate::corpus::values::levels::Levels;
    use crate::corpus::values::ratings::RatingKind;
    use sudoku_corpus_core::dig::PLANS;

    let recipe = |text: &str| Recipe::new(&Draft::parse(text).unwrap()).unwrap();
    let usual = recipe("");
    let [sixteen, large] = ["4x4", "5x5"].map(|shape| recipe(&format!("grid.shape = \"{shape}\"")));
    let retries =
        ["", "dig.level = \"hard\"", "dig.plan = \"controlled-bias\""].map(|dig| recipe(dig).retries.to_string());
    let numbers = |list: &[u64]| list.iter().map(u64::to_string).collect::<Vec<_>>();
    let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let stated = [
        ("", "seed", "", numbers(&[usual.seed])),
        ("", "count", "count", numbers(&[usual.count])),
        ("", "part_rows", "part_rows", numbers(&[usual.part_rows])),
        ("dig", "retries", "retries", retries.to_vec()),
        ("dig", "budget", "dig_budget", numbers(&[sixteen.dig.budget.0, large.dig.budget.0])),
        ("analyze", "count_limit", "count_limit", numbers(&[usual.analysis.count_limit])),
        ("analyze", "budget", "budget", numbers(&[usual.analysis.budget.0, large.analysis.budget.0])),
        ("analyze", "er_limit", "er_limit", vec![usual.analysis.er_limit.to_string()]),
        ("dig", "plan", "plan", names(&PLANS.map(|row| row.name))),
        ("dig", "level", "level", Levels::default().keys().map(str::to_owned).collect()),
        ("analyze", "ratings", "ratings", names(&RatingKind::ALL.map(RatingKind::name))),
    ];
    let options = <Draft as clap::Args>::augment_args(clap::Command::new("run"));
    for (table, name, option, values) in stated {
        let key = KEYS.iter().find(|key| (key.table, key.name) == (table, name)).unwrap().about;
        let option = options.get_arguments().find(|argument| argument.get_id() == option);
        let help = option.map(|option| option.get_long_help().or(option.get_help()).unwrap().to_string());
        for text in std::iter::once(key.to_owned()).chain(help) {
            let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || ",;:()=\"".contains(c)).collect();
            for value in &values {
                let said = words.iter().any(|word| word.trim_end_matches('.') == value);
                assert!(said, "{table}.{name}: '{value}' is not in: {text}");
            }
        }
    }
}
