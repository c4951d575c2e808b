//! Names of techniques that others use.

use super::Technique;
use super::technique::normal;

/// Names of HoDoKu 2.2.0 that differ from ours. A name for a group stands for each of its techniques.
pub(super) const HODOKU_NAMES: [(&str, &[Technique]); 16] = [
    ("Hidden Single", &[Technique::HiddenSingleBox, Technique::HiddenSingleLine]),
    ("Locked Candidates", &[Technique::Pointing, Technique::Claiming]),
    ("Locked Candidates Type 1 (Pointing)", &[Technique::Pointing]),
    ("Locked Candidates Type 2 (Claiming)", &[Technique::Claiming]),
    ("Avoidable Rectangle Type 1", &[Technique::AvoidableRectangle1]),
    ("Avoidable Rectangle Type 2", &[Technique::AvoidableRectangle2]),
    ("Simple Colors", &[Technique::SimpleColorsTrap, Technique::SimpleColorsWrap]),
    ("Multi Colors", &[Technique::MultiColors1, Technique::MultiColors2]),
    ("Nice Loop/AIC", &[Technique::ContinuousNiceLoop, Technique::DiscontinuousNiceLoop, Technique::Aic]),
    (
        "Grouped Nice Loop/AIC",
        &[Technique::GroupedContinuousNiceLoop, Technique::GroupedDiscontinuousNiceLoop, Technique::GroupedAic],
    ),
    ("Almost Locked Set XZ-Rule", &[Technique::AlsXz]),
    ("Almost Locked Set XY-Wing", &[Technique::AlsXyWing]),
    ("Almost Locked Set Chain", &[Technique::AlsChain]),
    ("Kraken Fish", &[Technique::KrakenFish1, Technique::KrakenFish2]),
    ("Forcing Chain", &[Technique::ForcingChainContradiction, Technique::ForcingChainVerity]),
    ("Forcing Net", &[Technique::ForcingNetContradiction, Technique::ForcingNetVerity]),
];

/// Names that players use for special cases of techniques: the techniques that find them, and what they are.
pub const SPECIAL_NAMES: [(&str, &[Technique], &str); 3] = [
    (
        "WXYZ-Wing",
        &[Technique::AlsXz],
        "an ALS-XZ whose two sets have 4 cells and 4 digits together, and which removes one digit; such steps are named so",
    ),
    (
        "ALS-W-Wing",
        &[Technique::AlsDiscontinuousNiceLoop, Technique::AlsAic],
        "two almost locked sets share two digits, of which one is removed from both by the ends of a strong link: a short chain through sets",
    ),
    (
        "3D Medusa",
        &[Technique::ContinuousNiceLoop, Technique::DiscontinuousNiceLoop, Technique::Aic],
        "two colors along strong links of all digits: chains find each of its eliminations, but not that a color is false because it \
         empties a cell",
    ),
];

/// The techniques that HoDoKu 2.2.0 or players call by a name, in the form of [`normal`]. None where the name is ours.
pub(super) fn by_other_name(wanted: &str) -> Option<&'static [Technique]> {
    let special = SPECIAL_NAMES.iter().map(|&(name, techniques, _)| (name, techniques));
    let mut names = HODOKU_NAMES.into_iter().chain(special);
    names.find(|(name, _)| normal(name) == wanted).map(|(_, techniques)| techniques)
}
