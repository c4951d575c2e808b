//! Counts the verdicts on puzzles by groups: by split, role, board, level and ER.

use std::collections::BTreeMap;

use serde::Serialize;

use super::set::SetRow;
use sudoku_corpus_core::board::Shape;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Solved,
    /// The number of cells that differ from the solution.
    Wrong(u64),
    Invalid,
    Missing,
}

/// The puzzles of a group and what was done with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ScoreGroup {
    /// What the group is by: `split`, `role`, `board`, `level` or `er`; empty for all puzzles.
    pub by: &'static str,
    /// Its value, such as `test` or `3.4`.
    pub group: String,
    /// The puzzles of the set.
    pub puzzles: u64,
    /// Puzzles whose answer is right.
    pub solved: u64,
    /// Puzzles whose answer keeps the givens but is another grid.
    pub wrong: u64,
    /// Puzzles whose answer has no grid, or one in which a given was changed; and every answer to a probe `no_solution`
    /// that is not right.
    pub invalid: u64,
    /// Puzzles without an answer.
    pub missing: u64,
    /// Cells that differ from the solution, in wrong answers.
    pub wrong_cells: u64,
    /// The share of the puzzles that were solved, and its 95 % interval.
    pub accuracy: f64,
    #[expect(missing_docs, reason = "the line above says it")]
    pub low: f64,
    #[expect(missing_docs, reason = "the line above says it")]
    pub high: f64,
}

impl ScoreGroup {
    fn add(&mut self, verdict: Verdict) {
        self.puzzles += 1;
        match verdict {
            Verdict::Solved => self.solved += 1,
            Verdict::Wrong(cells) => {
                self.wrong += 1;
                self.wrong_cells += cells;
            }
            Verdict::Invalid => self.invalid += 1,
            Verdict::Missing => self.missing += 1,
        }
    }

    /// Computes the shares, after the last puzzle.
    fn end(&mut self) {
        (self.low, self.high) = wilson(self.solved, self.puzzles);
        self.accuracy = self.solved as f64 / self.puzzles.max(1) as f64;
    }
}

/// The 95 % interval of a share by Wilson's method.
fn wilson(part: u64, whole: u64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let (n, z2) = (whole.max(1) as f64, Z * Z);
    let share = part as f64 / n;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // Rounding must not move the ends of a share of nothing or of everything.
    (if part == 0 { 0.0 } else { middle - half }, if part >= whole { 1.0 } else { middle + half })
}

/// What puzzles are grouped by, in the order of a score.
const KINDS: [&str; 6] = ["", "split", "role", "board", "level", "er"];

/// The groups of a score while rows are added.
#[derive(Default)]
pub(super) struct ScoreGroups {
    groups: BTreeMap<GroupKey, ScoreGroup>,
}

/// What tells groups apart, in their order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    /// The place of what the group is by in [`KINDS`].
    kind: usize,
    name: String,
    /// For a role, the split in which it stands: a split may give a role a meaning of its own.
    split: String,
}

impl ScoreGroups {
    pub(super) fn add(&mut self, row: &SetRow, verdict: Verdict) {
        for (kind, value) in values_of(row).into_iter().enumerate() {
            let Some(group) = value else { continue };
            let by = KINDS[kind];
            let split = if by == "role" { row.split.clone() } else { String::new() };
            let key = GroupKey { kind, name: sortable(&group), split };
            let empty_group = || ScoreGroup { by, group, ..ScoreGroup::default() };
            self.groups.entry(key).or_insert_with(empty_group).add(verdict);
        }
    }

    /// The groups in their order. A role that stands in several splits is named with each of them.
    pub(super) fn ended(mut self) -> Vec<ScoreGroup> {
        let mut splits_of_role: BTreeMap<String, u64> = BTreeMap::new();
        for group in self.groups.values().filter(|group| group.by == "role") {
            *splits_of_role.entry(group.group.clone()).or_default() += 1;
        }
        for (key, group) in &mut self.groups {
            if group.by == "role" && splits_of_role[&group.group] > 1 {
                group.group = format!("{}: {}", key.split, group.group);
            }
            group.end();
        }
        self.groups.into_values().collect()
    }
}

/// The values of a row for what puzzles are grouped by, in the order of [`KINDS`].
fn values_of(row: &SetRow) -> [Option<String>; KINDS.len()] {
    // Jigsaws are one group, whatever their regions.
    let board = row.shape.parse().map_or(row.shape.clone(), |shape: Shape| shape.kind().to_string());
    let board = Some(board).filter(|board| !board.is_empty());
    [Some("all".to_owned()), Some(row.split.clone()), row.role.clone(), board, row.level.clone(), row.er.clone()]
}

/// A text that puts numbers in their order, not in that of their digits.
fn sortable(group: &str) -> String {
    // "1.2 or more" stands behind 1.2.
    let (number, rest) = group.split_once(' ').unwrap_or((group, ""));
    match number.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("{number:>12} {rest}"),
        false => group.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_of_several_splits_is_a_group_in_each() {
        let mut groups = ScoreGroups::default();
        for (split, role) in [("control", "isomorph"), ("probes", "isomorph"), ("probes", "no_solution")] {
            let row = SetRow { split: split.to_owned(), role: Some(role.to_owned()), ..SetRow::default() };
            groups.add(&row, if split == "control" { Verdict::Solved } else { Verdict::Missing });
        }
        let roles: Vec<ScoreGroup> = groups.ended().into_iter().filter(|group| group.by == "role").collect();
        let shown = roles.iter().map(|group| format!("{} {} {}", group.group, group.puzzles, group.solved));
        let expected = ["control: isomorph 1 1", "probes: isomorph 1 0", "no_solution 1 0"];
        assert!(shown.eq(expected), "{roles:?}");
    }

    #[test]
    fn jigsaws_are_one_group() {
        for (shape, board) in [("4+jigsaw:AAABCABBCCDBCDDD", Some("4+jigsaw")), ("3x3+x", Some("3x3+x")), ("", None)] {
            let [.., group, _, _] = values_of(&SetRow { shape: shape.to_owned(), ..SetRow::default() });
            assert_eq!(group.as_deref(), board);
        }
    }

    /// From the definition: the shares p with |share - p| = z * sqrt(p * (1 - p) / n).
    #[test]
    fn the_interval_is_wilsons() {
        for (part, whole) in [(0, 10), (3, 10), (10, 10), (123, 1_000)] {
            let (low, high) = wilson(part, whole);
            let share = part as f64 / whole as f64;
            for end in [low, high].into_iter().filter(|end| *end > 0.0 && *end < 1.0) {
                let z = (share - end).abs() / (end * (1.0 - end) / whole as f64).sqrt();
                assert!((z - 1.959_964).abs() < 1e-4, "{part}/{whole}: {z}");
            }
            assert!(low <= share && share <= high);
        }
    }
}
