//! The properties of one grid: its class, its automorphisms, its bands, and its probability under each method.

use super::exact;
use super::likelihood::{self, Chance};
use super::natural::{Natural, grouped};
use super::sampled;
use super::symmetry;
use crate::board::{Solution, canonical, text};
use crate::catalogue::{GRIDS, band_classes};
use crate::generate::Method;
use crate::page::numbers;

/// Everything about one grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Portrait {
    /// The grid.
    pub grid: Solution,
    /// Smallest equivalent grid as a line of digits, and its class hash; 9x9 only.
    pub canonical: Option<(String, u128)>,
    /// Number of maps of the grid onto itself.
    pub automorphisms: u64,
    /// Number of essentially equal grids.
    pub orbit: Natural,
    /// Class of each chute, from 1, and its probability in a uniform grid; bands, then stacks; 9x9 only.
    pub chutes: Option<[(usize, f64); 6]>,
    /// Number of 4-cell unavoidable sets.
    pub swaps: u32,
    /// The probability under each method whose distribution is known.
    pub chances: Vec<(Method, Option<Chance>)>,
}

/// The portrait of a grid, for boards up to order 36.
pub fn portrait(grid: &Solution, methods: &[Method]) -> Portrait {
    let shape = grid.shape();
    let automorphisms = symmetry::automorphisms(grid);
    let nine = grid.grid().nine();
    let classes = band_classes();
    let share = |class: usize| classes.grids().nth(class).unwrap_or(0) as f64 / GRIDS as f64;
    Portrait {
        grid: grid.clone(),
        canonical: nine.map(|nine| {
            let digits = canonical::canonical(&nine).cells.iter().map(ToString::to_string).collect();
            (digits, canonical::class_of(&nine))
        }),
        automorphisms,
        orbit: exact::transforms(shape, crate::generate::Strength::Transpose) / automorphisms,
        chutes: nine.map(|nine| classes.chutes(&nine).map(|class| (class + 1, share(class)))),
        swaps: sampled::swaps(grid).iter().sum(),
        chances: methods
            .iter()
            .filter(|method| method.accepts(shape).is_ok())
            .map(|method| (method.clone(), likelihood::chance(method, grid)))
            .collect(),
    }
}

impl Portrait {
    /// As lines of text.
    pub fn text(&self) -> String {
        let shape = self.grid.shape();
        let mut lines = vec![format!("grid           {}", text::line(self.grid.grid()))];
        if let Some((digits, class)) = &self.canonical {
            lines.push(format!("canonical      {digits}"));
            lines.push(format!("class          {class:032x}"));
        }
        lines.push(format!("automorphisms  {}", self.automorphisms));
        lines.push(format!("equal grids    {}", grouped(&self.orbit)));
        lines.push(format!("4-cell sets    {}", self.swaps));
        for (chute, (class, share)) in self.chutes.iter().flatten().enumerate() {
            let (kind, number) = if chute < 3 { ("band", chute + 1) } else { ("stack", chute - 2) };
            lines
                .push(format!("{kind:<6} {number}       class {class} of 416, in a share of {share:.4e} of all grids"));
        }
        lines.push(format!(
            "log2 of the probability under each method ({:.4} if all grids were equally likely):",
            -exact::grids(shape).log2
        ));
        for (method, chance) in &self.chances {
            let chance = match chance {
                Some(Chance::OneIn(one_in)) => {
                    format!("{:>10.4}  one in {}", -libm::log2(*one_in as f64), numbers::grouped(*one_in))
                }
                Some(Chance::OneInPower(power)) => format!("{:>10.4}", -power),
                Some(Chance::Never) => "     never".to_owned(),
                None => "   unknown  its law has no closed form".to_owned(),
            };
            lines.push(format!("  {:<22} {chance}", method.to_string()));
        }
        lines.join("\n") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::coverage::survey::Options;

    #[test]
    fn the_template_is_likely_only_under_permutation() {
        let portrait = portrait(&Solution::template(Shape::NINE), &Options::all_methods());
        assert_eq!(portrait.automorphisms, 54);
        assert_eq!(portrait.orbit, 22_574_039_040u64.into());
        let text = portrait.text();
        for fact in
            ["one in 5,643,509,760", "one in 6,670,903,752,021,072,936,960", "unknown", "stack  3", "automorphisms  54"]
        {
            assert!(text.contains(fact), "{fact} in\n{text}");
        }
        assert!(portrait.chances.len() == 9 && portrait.chutes.is_some());
    }

    #[test]
    fn other_shapes_have_portraits_too() {
        for text in ["2x2", "3x2", "4x4"] {
            let portrait = portrait(&Solution::template(text.parse().unwrap()), &Options::all_methods());
            assert!(portrait.canonical.is_none() && portrait.text().contains("automorphisms"), "{text}");
        }
    }
}
