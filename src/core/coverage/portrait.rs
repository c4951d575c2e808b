//! Computes the properties of one grid: its class, its automorphisms, its bands, and its probability under each method.

use crate::board::{Solution, text};
use crate::catalogue::{GRIDS, band_classes, canonical};
use crate::coverage::drawn::sampled;
use crate::coverage::known::automorphisms;
use crate::coverage::known::exact;
use crate::coverage::known::likelihood::{self, Chance};
use crate::coverage::known::natural::grouped;
use crate::generate::{Method, Strength};
use crate::page::numbers;

/// Lines of text about a grid, for boards up to order 36: its class, its symmetry, and its probability under methods.
pub fn portrait(grid: &Solution, methods: &[Method]) -> String {
    let shape = grid.shape();
    let automorphisms = automorphisms::automorphisms(grid);
    let mut lines = vec![format!("grid           {}", text::line(grid.grid()))];
    let nine = grid.grid().nine();
    if let Some(nine) = &nine {
        let form = canonical::canonical(nine);
        let digits: String = form.cells.iter().map(ToString::to_string).collect();
        lines.push(format!("canonical      {digits}"));
        lines.push(format!("class          {:032x}", form.class()));
    }
    lines.push(format!("automorphisms  {automorphisms}"));
    // Of all maps, each different image comes from as many as there are automorphisms.
    let orbit = exact::transforms(shape, Strength::Transpose) / automorphisms;
    lines.push(format!("equal grids    {}", grouped(&orbit)));
    lines.push(format!("4-cell sets    {}", sampled::swaps(grid).iter().sum::<u32>()));
    for (chute, class) in nine.iter().flat_map(|nine| band_classes().chutes(nine)).enumerate() {
        let share = band_classes().grids().nth(class).unwrap_or(0) as f64 / GRIDS as f64;
        let (kind, number) = if chute < 3 { ("band", chute + 1) } else { ("stack", chute - 2) };
        let class = class + 1;
        lines.push(format!("{kind:<6} {number}       class {class} of 416, in a share of {share:.4e} of all grids"));
    }
    lines.push(format!(
        "log2 of the probability under each method ({:.4} if all grids were equally likely):",
        -exact::grids(shape).log2
    ));
    for method in methods.iter().filter(|method| method.accepts(shape).is_ok()) {
        let chance = match likelihood::chance(method, grid) {
            Some(chance @ Chance::OneIn(one_in)) => {
                format!("{:>10.4}  one in {}", chance.log2(), numbers::grouped(one_in))
            }
            Some(chance @ Chance::OneInPower(_)) => format!("{:>10.4}", chance.log2()),
            Some(Chance::Never) => "     never".to_owned(),
            None => "   unknown  its law has no closed form".to_owned(),
        };
        lines.push(format!("  {:<22} {chance}", method.to_string()));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::coverage::survey::SurveyOptions;

    fn of_template(shape: Shape) -> String {
        portrait(&Solution::template(shape), &SurveyOptions::all_methods())
    }

    #[test]
    fn the_template_is_likely_only_under_permutation() {
        let text = of_template(Shape::NINE);
        for fact in [
            "one in 5,643,509,760", "one in 6,670,903,752,021,072,936,960", "unknown", "stack  3", "automorphisms  54",
            "equal grids    22,574,039,040",
        ] {
            assert!(text.contains(fact), "{fact} in\n{text}");
        }
        assert_eq!(text.lines().count(), 22);
    }

    #[test]
    fn other_shapes_have_portraits_too() {
        for text in ["2x2", "3x2", "4x4"].map(|text| of_template(text.parse().unwrap())) {
            assert!(!text.contains("canonical") && text.contains("automorphisms"), "{text}");
        }
    }
}
