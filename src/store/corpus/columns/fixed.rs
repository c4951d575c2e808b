//! The columns that do not depend on the techniques.

use std::borrow::Cow;

use super::value::{
    Value, board, board_text, decimal, flag, flag_of, hexadecimal, large, parsed, real, small, text_of, unsigned, words,
};
use super::{Column, ColumnType, Set};
use crate::corpus::record::Record;
use sudoku_corpus_core::board::{Puzzle, Solution, Symmetry};
use sudoku_corpus_core::rate::{Level, TECHNIQUES};
use sudoku_corpus_core::solve::probe::SearchCost;

/// A line of the table of fixed columns.
const fn column(
    name: &'static str,
    kind: ColumnType,
    unit: &'static str,
    about: &'static str,
    get: fn(&Record, usize) -> Value<'_>,
    set: fn(&mut Record, usize, Value<'_>) -> Set,
) -> Column {
    Column { name: Cow::Borrowed(name), kind, unit, about: Cow::Borrowed(about), technique: 0, get, set }
}

/// A line of the table for a number of [`Record::effort`].
macro_rules! effort {
    ($field:ident, $name:literal, $unit:literal, $about:literal) => {
        column(
            $name,
            ColumnType::Unsigned32,
            $unit,
            concat!($about, "; only with ratings effort; not calibrated with times of people"),
            |r, _| unsigned(r.effort.$field),
            |r, _, v| keep(&mut r.effort.$field, small(v).map(Some)),
        )
    };
}

/// The columns that do not depend on the techniques. The columns of techniques are inserted before the last one.
pub(super) static FIXED: [Column; 51] = [
    column(
        "index",
        ColumnType::Unsigned64,
        "rows",
        "number of the row in its corpus or input, from 0",
        |r, _| Value::Unsigned(r.index),
        |r, _, v| keep(&mut r.index, large(v)),
    ),
    column(
        "shape",
        ColumnType::Text,
        "",
        "the box, rows x columns: 3x3 is the 9x9 board",
        |r, _| Value::Text(r.shape.to_string().into()),
        |r, _, v| keep(&mut r.shape, parsed(v)),
    ),
    column(
        "method",
        ColumnType::Text,
        "",
        "how the full grid was made",
        |r, _| text_of(r.method.as_deref()),
        |r, _, v| keep(&mut r.method, words(v).map(Some)),
    ),
    column(
        "plan",
        ColumnType::Text,
        "",
        "how the holes were dug, as a recipe writes it",
        |r, _| text_of(r.plan.as_deref()),
        |r, _, v| keep(&mut r.plan, words(v).map(Some)),
    ),
    column(
        "symmetry",
        ColumnType::Text,
        "",
        "the symmetry of the pattern of givens that was asked for",
        |r, _| text_of(r.symmetry.map(Symmetry::name)),
        |r, _, v| keep(&mut r.symmetry, parsed(v).map(Some)),
    ),
    column(
        "log2_probability",
        ColumnType::Real,
        "bits",
        "binary logarithm of the probability that the method makes this grid; null where it is not known, and for methods that search unless numbers = true",
        |r, _| r.log2_probability.map_or(Value::Null, Value::Real),
        |r, _, v| keep(&mut r.log2_probability, real(v).map(Some)),
    ),
    column(
        "tries",
        ColumnType::Unsigned64,
        "tries",
        "full grids or orders of digging that were tried until a puzzle met the request; 1 where the first try always does",
        |r, _| r.tries.map_or(Value::Null, Value::Unsigned),
        |r, _, v| keep(&mut r.tries, large(v).map(Some)),
    ),
    column(
        "puzzle",
        ColumnType::Text,
        "",
        "the cells row by row, '.' for a blank cell",
        |r, _| board_text(r.puzzle.as_ref().map(Puzzle::grid)),
        |r, _, v| {
            let grid = board(r.shape, v)?;
            keep(&mut r.puzzle, Puzzle::try_from(grid).map(Some).map_err(|error| error.to_string()))
        },
    ),
    column(
        "solution",
        ColumnType::Text,
        "",
        "the solution from which the puzzle was dug, or its only solution; null if it has several or none",
        |r, _| board_text(r.solution.as_ref().map(Solution::grid)),
        |r, _, v| {
            let grid = board(r.shape, v)?;
            keep(&mut r.solution, Solution::try_from(grid).map(Some).map_err(|error| error.to_string()))
        },
    ),
    column(
        "givens",
        ColumnType::Unsigned32,
        "cells",
        "cells with a digit",
        |r, _| unsigned(r.givens),
        |r, _, v| keep(&mut r.givens, small(v).map(Some)),
    ),
    column(
        "holes",
        ColumnType::Unsigned32,
        "cells",
        "blank cells",
        |r, _| unsigned(r.holes),
        |r, _, v| keep(&mut r.holes, small(v).map(Some)),
    ),
    column(
        "minimal",
        ColumnType::Flag,
        "",
        "every given is needed: without it the puzzle has several solutions; null if not known or if there are several solutions already",
        |r, _| flag_of(r.minimal),
        |r, _, v| keep(&mut r.minimal, flag(v).map(Some)),
    ),
    column(
        "solutions",
        ColumnType::Unsigned64,
        "solutions",
        "number of solutions, counted up to a limit; 1 for a proper puzzle",
        |r, _| r.solutions.map_or(Value::Null, Value::Unsigned),
        |r, _, v| keep(&mut r.solutions, large(v).map(Some)),
    ),
    column(
        "solutions_exact",
        ColumnType::Flag,
        "",
        "solutions is the exact number; false if counting stopped at the limit or the budget",
        |r, _| flag_of(r.solutions_exact),
        |r, _, v| keep(&mut r.solutions_exact, flag(v).map(Some)),
    ),
    column(
        "class",
        ColumnType::Text,
        "",
        "hash of the puzzle's canonical form, 32 hexadecimal digits: equal for isomorphic (essentially the same) puzzles",
        |r, _| r.class.map_or(Value::Null, |class| Value::Text(format!("{class:032x}").into())),
        |r, _, v| keep(&mut r.class, hexadecimal(v).map(Some)),
    ),
    column(
        "solution_class",
        ColumnType::Text,
        "",
        "hash of the solution's canonical form, like class: equal for isomorphic full grids; boards up to 9x9",
        |r, _| r.solution_class.map_or(Value::Null, |class| Value::Text(format!("{class:032x}").into())),
        |r, _, v| keep(&mut r.solution_class, hexadecimal(v).map(Some)),
    ),
    column(
        "automorphisms",
        ColumnType::Unsigned32,
        "maps",
        "number of maps (of rows, columns, transposition) that turn the puzzle into itself up to relabelling; 1 for nearly all puzzles; 9x9 only",
        |r, _| unsigned(r.automorphisms),
        |r, _, v| keep(&mut r.automorphisms, small(v).map(Some)),
    ),
    column(
        "grid_number",
        ColumnType::Text,
        "",
        "number of the solution among all grids of its shape, from 0, in decimal digits; only with numbers = true",
        |r, _| r.grid_number.map_or(Value::Null, |number| Value::Text(number.to_string().into())),
        |r, _, v| keep(&mut r.grid_number, decimal(v).map(Some)),
    ),
    column(
        "class_rank",
        ColumnType::Unsigned64,
        "",
        "rank of the solution's class among the 5,472,730,538 essentially different 9x9 grids, from 0; only with numbers = true",
        |r, _| r.class_rank.map_or(Value::Null, Value::Unsigned),
        |r, _, v| keep(&mut r.class_rank, large(v).map(Some)),
    ),
    column(
        "name",
        ColumnType::Text,
        "",
        "20 characters that name the 9x9 puzzle up to isomorphism, and from which it can be rebuilt; only with numbers = true",
        |r, _| text_of(r.name.as_deref()),
        |r, _, v| keep(&mut r.name, words(v).map(|name| Some(name.into_owned()))),
    ),
    column(
        "search_guesses",
        ColumnType::Unsigned64,
        "guesses",
        "values that the reference search tried at branches before it reached the solution",
        |r, _| r.search.map_or(Value::Null, |search| Value::Unsigned(search.guesses)),
        |r, _, v| keep(&mut search(r).guesses, large(v)),
    ),
    column(
        "search_depth",
        ColumnType::Unsigned32,
        "guesses",
        "largest number of guesses open at once in the reference search",
        |r, _| unsigned(r.search.map(|search| search.depth)),
        |r, _, v| keep(&mut search(r).depth, small(v)),
    ),
    column(
        "search_nodes",
        ColumnType::Unsigned64,
        "positions",
        "positions that the reference search visited",
        |r, _| r.search.map_or(Value::Null, |search| Value::Unsigned(search.nodes)),
        |r, _, v| keep(&mut search(r).nodes, large(v)),
    ),
    column(
        "level",
        ColumnType::Text,
        "",
        "level of difficulty on HoDoKu's scale; above 9x9 the limits of scores grow with the number of cells, which has no source and is not validated",
        |r, _| text_of(r.level.map(Level::name)),
        |r, _, v| keep(&mut r.level, parsed(v).map(Some)),
    ),
    column(
        "score",
        ColumnType::Unsigned32,
        "points",
        "sum of the scores of all steps on HoDoKu's scale",
        |r, _| unsigned(r.score),
        |r, _, v| keep(&mut r.score, small(v).map(Some)),
    ),
    column(
        "hardest",
        ColumnType::Text,
        "",
        "the hardest technique that the ladder used; null if it used none",
        |r, _| text_of(r.hardest.map(|technique| TECHNIQUES[technique as usize].code)),
        |r, _, v| keep(&mut r.hardest, parsed(v).map(Some)),
    ),
    column(
        "finished",
        ColumnType::Flag,
        "",
        "the ladder of techniques solved the puzzle",
        |r, _| flag_of(r.finished),
        |r, _, v| keep(&mut r.finished, flag(v).map(Some)),
    ),
    column(
        "open_cells",
        ColumnType::Unsigned32,
        "cells",
        "cells that the ladder left blank; 0 if it solved the puzzle",
        |r, _| unsigned(r.open_cells),
        |r, _, v| keep(&mut r.open_cells, small(v).map(Some)),
    ),
    column(
        "se_er_tenths",
        ColumnType::Unsigned32,
        "tenths",
        "rating of the hardest step on Sudoku Explainer 1.2.1's scale (ER): 45 means 4.5; 9x9 only; about one puzzle in 200 has another ER when it is relabelled",
        |r, _| unsigned(r.se_er_tenths),
        |r, _, v| keep(&mut r.se_er_tenths, small(v).map(Some)),
    ),
    column(
        "se_ep_tenths",
        ColumnType::Unsigned32,
        "tenths",
        "rating of the hardest step up to the first digit placed (EP), like ER; null if no digit is placed below the limit",
        |r, _| unsigned(r.se_ep_tenths),
        |r, _, v| keep(&mut r.se_ep_tenths, small(v).map(Some)),
    ),
    column(
        "se_ed_tenths",
        ColumnType::Unsigned32,
        "tenths",
        "rating of the first step (ED), like ER; null if it is above the limit",
        |r, _| unsigned(r.se_ed_tenths),
        |r, _, v| keep(&mut r.se_ed_tenths, small(v).map(Some)),
    ),
    column(
        "se_exact",
        ColumnType::Flag,
        "",
        "ER is exact; false if the search ended at the limit: ER is then a lower bound",
        |r, _| flag_of(r.se_exact),
        |r, _, v| keep(&mut r.se_exact, flag(v).map(Some)),
    ),
    column(
        "w",
        ColumnType::Unsigned32,
        "candidates",
        "length of the longest whip needed (Berthier's W); 0 if singles suffice, null if whips do not solve the puzzle; 9x9 only",
        |r, _| unsigned(r.w),
        |r, _, v| keep(&mut r.w, small(v).map(Some)),
    ),
    column(
        "b",
        ColumnType::Unsigned32,
        "candidates",
        "length of the longest braid needed (Berthier's B), like w",
        |r, _| unsigned(r.b),
        |r, _, v| keep(&mut r.b, small(v).map(Some)),
    ),
    column(
        "wb_exact",
        ColumnType::Flag,
        "",
        "w and b are exact; false if the search was stopped: a value that was not settled by then is a lower bound",
        |r, _| flag_of(r.wb_exact),
        |r, _, v| keep(&mut r.wb_exact, flag(v).map(Some)),
    ),
    column(
        "te",
        ColumnType::Unsigned32,
        "assumptions",
        "T&E depth: levels of nested assumptions needed to solve the puzzle by singles; 0 if singles suffice; 9x9 only",
        |r, _| unsigned(r.te),
        |r, _, v| keep(&mut r.te, small(v).map(Some)),
    ),
    column(
        "bxb",
        ColumnType::Unsigned32,
        "candidates",
        "BxB: length of the longest braid needed after an assumption; null unless te = 2",
        |r, _| unsigned(r.bxb),
        |r, _, v| keep(&mut r.bxb, small(v).map(Some)),
    ),
    column(
        "se_er_canonical_tenths",
        ColumnType::Unsigned32,
        "tenths",
        "ER of the puzzle's canonical form, the same for every isomorph; null above the limit; 9x9 only",
        |r, _| unsigned(r.se_er_canonical_tenths),
        |r, _, v| keep(&mut r.se_er_canonical_tenths, small(v).map(Some)),
    ),
    column(
        "tridagon",
        ColumnType::Unsigned32,
        "candidates",
        "guardians of the tridagon with fewest guardians, after singles, intersections and subsets; null when none has 8 or fewer; 9x9 only",
        |r, _| unsigned(r.tridagon),
        |r, _, v| keep(&mut r.tridagon, small(v).map(Some)),
    ),
    effort!(
        rounds,
        "effort_rounds",
        "rounds",
        "rounds to the solution if each takes every open step of the simplest kind, singles being one kind"
    ),
    effort!(
        open_tenths,
        "effort_open_tenths",
        "tenths",
        "mean number of open steps in these rounds, in tenths (Pelánek's dependency, 2014)"
    ),
    effort!(
        open_least,
        "effort_open_least",
        "steps",
        "fewest open steps in these rounds, up to the one that begins with half of the blank cells filled"
    ),
    effort!(steps, "effort_steps", "steps", "steps of the ladder above singles"),
    effort!(points, "effort_points", "points", "sum of the scores of the steps above singles on HoDoKu's scale"),
    effort!(
        singles_percent,
        "effort_singles_percent",
        "percent",
        "share of the blank cells that are filled before the first step above singles; 100 if there is none"
    ),
    effort!(
        hardest_percent,
        "effort_hardest_percent",
        "percent",
        "share of the ladder's rounds before the first step of the hardest technique"
    ),
    effort!(wait, "effort_wait", "rounds", "longest run of the ladder's rounds that place no digit"),
    effort!(kinds, "effort_kinds", "techniques", "different techniques that the ladder uses"),
    effort!(
        refutation,
        "effort_refutation",
        "rounds",
        "cost of refuting all candidates but one of the cheapest cell wherever there is no single, in rounds of singles (after Pelánek, 2011); null above T&E depth 1; boards up to 9x9"
    ),
    column(
        "log_weight",
        ColumnType::Real,
        "ln",
        "natural logarithm of the weight of the puzzle in a mean over all minimal puzzles; null if not known",
        |r, _| r.log_weight.map_or(Value::Null, Value::Real),
        |r, _, v| keep(&mut r.log_weight, real(v).map(Some)),
    ),
    column(
        "log_class_weight",
        ColumnType::Real,
        "ln",
        "natural logarithm of the weight in a mean over all classes of 9x9 grids; only for methods uniform and uniform-classes",
        |r, _| r.log_class_weight.map_or(Value::Null, Value::Real),
        |r, _, v| keep(&mut r.log_class_weight, real(v).map(Some)),
    ),
];

/// Stores a parsed value.
fn keep<T>(place: &mut T, value: Result<T, String>) -> Set {
    *place = value?;
    Ok(())
}

/// The reference search of a record whose columns are being read.
fn search(record: &mut Record) -> &mut SearchCost {
    record.search.get_or_insert(SearchCost { guesses: 0, depth: 0, nodes: 0 })
}
