//! The keys of recipes, with their meanings: `list keys`, and the nearest names of unknown keys.

use std::sync::LazyLock;

/// A key of a recipe.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table of the key; empty for the top level.
    pub table: &'static str,
    /// The name.
    pub name: &'static str,
    /// The meaning and the default.
    pub about: &'static str,
}

/// Every key, in the order of the documentation.
pub static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let key = |line: &'static str| {
        let (key, about) = line.split_once(": ")?;
        let (table, name) = key.split_once('.').unwrap_or(("", key));
        Some(Key { table, name, about })
    };
    TEXT.lines().filter_map(key).collect()
});

const TEXT: &str = r#"
seed: seed of all random numbers, from 0; default 20261120
count: number of rows; default 10000
part_rows: number of rows in a part, which is the unit of work; default 10000
format: "parquet" (default) or "csv.zst"
layout: "flat" (default) or "hive": folders that name shape, method, seed and block
distinct: a run of the complete corpus replaces rows that are essentially the same as earlier ones; default false
levels: the meaning of levels: "hodoku" (default), "newspaper", or a file; or tables [[level]]; see `guide publishing`
grid.shape: rows x columns of a box: "3x3" (default) is the 9x9 board, "2x3" the 6x6 board, "6x6" the 36x36 board
grid.method: the method that makes full grids; default "uniform", or "fewest-candidates" for boards without it
grid.bases: for base-shuffle: a file of puzzles or grids, relative to the recipe
grid.bases_blake3: checksum that the bases must have
dig.plan: minimal, reveal, givens=N, givens=N..M, random-holes=N, within, needed or controlled-bias; default needed for needs alone or with the level of its hardest technique, else within if level, only or er is a bound, else minimal
dig.symmetry: symmetry of the pattern of givens; default "none"
dig.level: level of each puzzle: easy, medium, hard, unfair, extreme, beyond
dig.needs: techniques that each puzzle needs, such as "x_wing": without it only a harder one would do
dig.uses: techniques that the ladder uses for each puzzle; another one might do as well
dig.only: techniques that alone solve each puzzle, such as "singles"
dig.er: Sudoku Explainer's ER of each 9x9 puzzle: "4.5" or "1.5..4.5"
dig.retries: how many more grids to try for a row that does not meet its goal; default 1000, or 100000 with level, needs, uses, only, er or [stock], or 100000000 with the plan controlled-bias
dig.budget: search nodes for one uniqueness test; default no limit up to order 9, 5000 up to order 16, 100 above
analyze.techniques: "default", "all", "none", or techniques and families such as "singles,x_wing" or "-fish"
analyze.ratings: ratings of 9x9 puzzles on published scales: none, er, ep, ed, w, b, te, bxb, er_canonical, tridagon, effort, or se (er,ep,ed; default), whips (w,b), all
analyze.er_limit: a higher ER is given as a lower bound, with se_exact = false; default "10.4"; "20.0" is no limit: the hardest puzzles take some seconds each
analyze.minimal: test whether puzzles are minimal if digging does not show it; default true
analyze.numbers: fill the columns grid_number, class_rank and name, which takes a millisecond for each puzzle; default false
analyze.steps: write every step of the solutions to a file steps-000000.parquet beside each part; default false
analyze.weight: write log_weight; possible for the plans minimal and controlled-bias without symmetry or level, up to order 9, on grids of the methods uniform and uniform-classes, or of others with numbers = true if their probabilities are known; default where it is possible: true for controlled-bias and for rated puzzles, false for unrated ones, because it takes two thirds of the time of digging
analyze.count_limit: count the solutions of a puzzle up to this number; default 1000
analyze.budget: positions that counting may visit, and again the reference search; on 9x9, counting visits any number, but finds at most this number of solutions; default 1000000 up to order 16, 100000 above
stock.by: the kind of the classes of a stock: "level", "er" or "technique"
stock.classes: the classes: "easy,hard", "1.2..8.5", or techniques; default all levels except beyond, 1.0..10.4, all techniques of the ladder
stock.count: puzzles of each class, no two essentially the same
stock.grids: the search ends after this number of grids, even if classes have too few puzzles; no limit by default
stock.found: the file of finds; written into the recipe of a corpus when the search is finished
stock.found_blake3: checksum of that file
quota.count: number of rows of this quota; quotas without it share the rest of the recipe's count evenly
quota.level: their level; if level, needs, uses, only and er are all missing, those of [dig] apply
quota.needs: techniques that they need
quota.uses: techniques that the ladder uses
quota.only: techniques that alone solve them
quota.er: their ER
quota.plan: their plan; default the plan of [dig]
quota.symmetry: their symmetry; default the symmetry of [dig]
output.command: a command to run on the finished corpus: export, book, report, resample or verify; the other keys are its options
"#;
