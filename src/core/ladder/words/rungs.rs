//! Defines a ladder: which techniques may be used, cheapest first.
//!
//! As text, a ladder is a list separated by commas. Plain names make up the ladder, `+name` adds to it, and `-name`
//! removes from it. A list that begins with `+` or `-` starts from `default`. A name is the code or name of a
//! technique, a name of HoDoKu's or a special name (`list techniques`), a family, `default` (the techniques that HoDoKu
//! 2.2.0 uses by default), `modern` (these, chains through almost locked sets and unique rectangles, and the family
//! `exotic`), or `all`:
//!
//! ```text
//!   default                  the usual ladder               singles,locked-pair,pointing
//!   -fish                    the usual one without fish     all,-w-wing,-jellyfish
//! ```

use std::fmt;
use std::str::FromStr;

use crate::board::Reason;
use crate::names::UnknownName;

use super::family::Family;
use super::table::Technique;
use super::technique::{LinkType, by_other_name, normal};

/// The techniques that may be used, in solving order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    techniques: Vec<Technique>,
}

impl Default for Ladder {
    fn default() -> Ladder {
        Ladder::of(Technique::all().filter(|technique| technique.info().is_default))
    }
}

impl Ladder {
    /// The ladder of some techniques, in any order.
    pub fn of(techniques: impl IntoIterator<Item = Technique>) -> Ladder {
        let mut techniques: Vec<Technique> = techniques.into_iter().collect();
        techniques.sort_unstable();
        techniques.dedup();
        Ladder { techniques }
    }

    /// The default ladder with three additions: chains through almost locked sets, chains through unique rectangles,
    /// and the exotic techniques. HoDoKu does not use the first by default, and it does not know the other two.
    pub fn modern() -> Ladder {
        Ladder::of(Technique::all().filter(|technique| {
            let info = technique.info();
            let is_added = matches!(technique.link_type(), Some(LinkType::AlmostLocked | LinkType::Rectangles));
            info.is_default || is_added || info.family == Family::Exotic
        }))
    }

    /// The ladder of one family.
    pub fn of_family(family: Family) -> Ladder {
        Ladder::of(Technique::all().filter(|technique| technique.info().family == family))
    }

    /// The same ladder without the techniques that are unsound for puzzles with several solutions. Use it for those.
    pub fn without_uniqueness(mut self) -> Ladder {
        self.techniques.retain(|technique| technique.info().family != Family::Uniqueness);
        self
    }

    /// The techniques, cheapest first.
    #[inline]
    pub fn techniques(&self) -> &[Technique] {
        &self.techniques
    }

    /// The techniques rung by rung. Techniques at the same place in the solving order form one rung.
    #[inline]
    pub(crate) fn rungs(&self) -> impl Iterator<Item = &[Technique]> {
        self.techniques.chunk_by(|a, b| a.info().order == b.info().order)
    }

    /// True when a technique may be used.
    pub fn has(&self, technique: Technique) -> bool {
        self.techniques.binary_search(&technique).is_ok()
    }
}

fn with_names() -> [(&'static str, Ladder); 3] {
    [("default", Ladder::default()), ("modern", Ladder::modern()), ("all", Ladder::of(Technique::all()))]
}

/// The techniques that a name of the list stands for.
fn named(name: &str) -> Result<Vec<Technique>, Reason> {
    let wanted = normal(name);
    if let Some((_, ladder)) = with_names().into_iter().find(|(name, _)| *name == wanted) {
        return Ok(ladder.techniques);
    }
    if let Some(family) = Family::ALL.into_iter().find(|family| family.name() == wanted) {
        return Ok(Ladder::of_family(family).techniques);
    }
    if let Some(techniques) = by_other_name(&wanted) {
        return Ok(techniques.to_vec());
    }
    name.parse::<Technique>().map(|technique| vec![technique]).map_err(|_| {
        let codes = Technique::all().map(Technique::code);
        let names = codes.chain(Family::ALL.map(Family::name)).chain(["all", "default", "modern"]);
        let message = UnknownName::new("technique or family", name, names).to_string();
        let help = if message.contains("did you mean") { "" } else { "; `list techniques` has the names" };
        Reason(format!("{message}{help}"))
    })
}

impl FromStr for Ladder {
    type Err = Reason;

    fn from_str(text: &str) -> Result<Ladder, Reason> {
        let mut techniques = Vec::new();
        if text.trim_start().starts_with(['-', '+']) {
            techniques.extend(Ladder::default().techniques);
        }
        for item in text.split(',').map(str::trim) {
            if let Some(name) = item.strip_prefix('-') {
                let removed = named(name.trim())?;
                techniques.retain(|technique| !removed.contains(technique));
            } else {
                techniques.extend(named(item.strip_prefix('+').unwrap_or(item).trim())?);
            }
        }
        let ladder = Ladder::of(techniques);
        if ladder.techniques.is_empty() { Err(Reason(format!("'{text}' leaves no technique"))) } else { Ok(ladder) }
    }
}

impl fmt::Display for Ladder {
    /// `default`, `modern`, `all`, or the codes separated by commas. It parses to the same ladder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = with_names().into_iter().find(|(_, ladder)| ladder == self) {
            return f.write_str(name);
        }
        let codes: Vec<&str> = self.techniques.iter().map(|technique| technique.code()).collect();
        f.write_str(&codes.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ladders_read_back_as_they_were_written() {
        for text in [
            "all", "modern", "singles", "-fish", "all,-w-wing", "X-Wing, pointing ,singles", "wings,+pointing,-XY-Wing",
        ] {
            let ladder: Ladder = text.parse().unwrap();
            assert_eq!(ladder.to_string().parse(), Ok(ladder.clone()), "{text}");
            assert!(ladder.techniques().is_sorted());
        }
        let without_fish: Ladder = "-fish".parse().unwrap();
        let fish = Ladder::default().techniques().iter().filter(|fish| fish.info().family == Family::Fish).count();
        assert_eq!(without_fish.techniques().len(), Ladder::default().techniques().len() - fish);
        assert!(!without_fish.has(Technique::Swordfish) && without_fish.has(Technique::XyWing));
    }

    #[test]
    fn a_ladder_without_uniqueness_has_all_the_rest() {
        let sound = Ladder::default().without_uniqueness();
        assert!(!sound.has(Technique::HiddenRectangle) && sound.has(Technique::XyWing));
        assert_eq!(sound, "-uniqueness".parse().unwrap());
    }

    #[test]
    fn groups_by_other_name_are_ladders() {
        let of = |text: &str| text.parse::<Ladder>().unwrap();
        assert_eq!(of("Hidden Single,Almost Locked Set Chain"), of("hidden_single_box,hidden_single_line,als_chain"));
        assert_eq!(of("WXYZ-Wing,ALS-W-Wing"), of("als_xz,als_aic,als_discontinuous_nice_loop"));
        assert_eq!(of("singles,Nice Loop/AIC,-AIC"), of("singles,continuous_nice_loop,discontinuous_nice_loop"));
    }

    #[test]
    fn wrong_names_get_the_nearest_and_empty_ladders_are_refused() {
        let error = "singles,wnigs".parse::<Ladder>().unwrap_err().to_string();
        assert_eq!(error, "unknown technique or family 'wnigs'; did you mean 'wings'?");
        let refused = |text: &str| text.parse::<Ladder>().unwrap_err().0;
        assert_eq!(refused("singles,-singles"), "'singles,-singles' leaves no technique");
        assert!(refused("").starts_with("unknown technique or family ''"), "{}", refused(""));
        assert!(refused("all,,fish").starts_with("unknown technique or family ''"), "{}", refused("all,,fish"));
    }
}
