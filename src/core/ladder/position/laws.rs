//! Lists the lines and regions of a jigsaw of which the law of leftovers speaks: once for a layout.

use std::rc::Rc;

use crate::board::{Candidates, CellSet, House, HouseKind, Shape};

/// Some houses, and as many others in which the places of a digit may all lie.
#[derive(Debug)]
pub(crate) struct Law<S> {
    pub(crate) base: Vec<House>,
    pub(crate) cover: Vec<House>,
    pub(crate) in_base: S,
    /// The cells of the base that are not in the cover.
    pub(crate) leftover: S,
    /// The cells of the cover that are not in the base.
    pub(crate) outside: S,
}

pub(crate) fn laws<S: CellSet>(marks: &Candidates<S>) -> Rc<[Law<S>]> {
    let sides = windows(marks.shape()).into_iter().filter_map(|lines| side(marks, &lines));
    sides
        .flat_map(|[lines, regions]| [[regions.clone(), lines.clone()], [lines, regions]])
        .map(|[base, cover]| {
            let (in_base, in_cover) = (all_of(marks, &base), all_of(marks, &cover));
            Law { base, cover, in_base, leftover: in_base - in_cover, outside: in_cover - in_base }
        })
        .collect()
}

/// Lines side by side, at least two, and at least two others. Of two windows that make up the board, only one.
fn windows(shape: Shape) -> Vec<Vec<House>> {
    let n = shape.order();
    let mut windows = Vec::new();
    for kind in [HouseKind::Row, HouseKind::Column] {
        for first in 0..n {
            for count in (2..n - 1).take_while(|count| first + count <= n) {
                let is_at_edge = first == 0 || first + count == n;
                if count * 2 < n || !is_at_edge || (count * 2 == n && first == 0) {
                    windows.push((first..first + count).map(|line| House::of(shape, kind, line)).collect());
                }
            }
        }
    }
    windows
}

/// The lines and the regions that lie most in them, or the other lines and regions if these are fewer. None if the last
/// of the regions overlaps the lines as much as the next one, so that turned boards have the same steps.
fn side<S: CellSet>(marks: &Candidates<S>, lines: &[House]) -> Option<[Vec<House>; 2]> {
    let (shape, n, count) = (marks.shape(), marks.order(), lines.len());
    let in_lines = all_of(marks, lines);
    let boxes = (0..n).map(|number| House::of(shape, HouseKind::Box, number));
    let mut overlaps: Vec<(usize, House)> =
        boxes.map(|region| ((marks.house(region) & in_lines).len(), region)).collect();
    overlaps.sort_by_key(|&(overlap, _)| std::cmp::Reverse(overlap));
    if overlaps[count - 1].0 == overlaps[count].0 {
        return None;
    }
    let mut regions: Vec<House> = overlaps.into_iter().map(|(_, region)| region).collect();
    if count * 2 <= n {
        regions.truncate(count);
        regions.sort_unstable();
        return Some([lines.to_vec(), regions]);
    }
    let kind = lines[0].kind(shape);
    let others = (0..n).map(|number| House::of(shape, kind, number)).filter(|line| !lines.contains(line));
    let mut regions = regions.split_off(count);
    regions.sort_unstable();
    Some([others.collect(), regions])
}

fn all_of<S: CellSet>(marks: &Candidates<S>, houses: &[House]) -> S {
    houses.iter().fold(S::empty(), |all, &house| all | marks.house(house))
}
