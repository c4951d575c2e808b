//! Says whether two names of outputs can become one file: `{number}`, `{date}`, `{weekday}` and `%` in them are
//! filled in later. For `export` and for the outputs of a recipe.

/// Which characters may stand for a placeholder.
type Kind = fn(char) -> bool;

/// A part of a name.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// This character.
    Plain(char),
    /// One or more characters of a kind.
    Filled(Kind),
}

impl Part {
    /// True if a character fits here.
    fn takes(self, c: char) -> bool {
        match self {
            Part::Plain(own) => own == c,
            Part::Filled(kind) => kind(c),
        }
    }
}

/// The parts of a name, in small letters.
fn parts(name: &str) -> Vec<Part> {
    let placeholders: [(&str, Kind); 4] = [
        ("{number}", |c| c.is_ascii_digit()),
        ("%", |c| c.is_ascii_digit()),
        ("{date}", |c| c.is_ascii_digit() || c == '-'),
        ("{weekday}", |c| c.is_alphabetic() || c == '-'),
    ];
    let name = name.to_lowercase();
    let (mut parts, mut rest) = (Vec::new(), &*name);
    while let Some(c) = rest.chars().next() {
        let filled = placeholders.iter().find_map(|(text, kind)| Some((rest.strip_prefix(text)?, *kind)));
        let (after, part) = match filled {
            Some((after, kind)) => (after, Part::Filled(kind)),
            None => (&rest[c.len_utf8()..], Part::Plain(c)),
        };
        parts.push(part);
        rest = after;
    }
    parts
}

/// True if two names may become the name of one file.
pub(super) fn may_meet(one: &str, two: &str) -> bool {
    let (one, two) = (parts(one), parts(two));
    // For each beginning of the first name, the beginnings of the second with which it has a text in common.
    let mut meets = vec![vec![false; two.len() + 1]; one.len() + 1];
    meets[0][0] = true;
    for a in 0..=one.len() {
        if !meets[a].contains(&true) {
            return false;
        }
        for b in 0..=two.len() {
            if !meets[a][b] {
                continue;
            }
            if let (Some(&first), Some(&second)) = (one.get(a), two.get(b))
                && common(first, second)
            {
                meets[a + 1][b + 1] = true;
                // A filled part goes on.
                meets[a][b + 1] |= matches!(first, Part::Filled(_));
                meets[a + 1][b] |= matches!(second, Part::Filled(_));
            }
        }
    }
    meets[one.len()][two.len()]
}

/// True if a character belongs to both parts.
fn common(one: Part, two: Part) -> bool {
    match (one, two) {
        (Part::Plain(c), part) | (part, Part::Plain(c)) => part.takes(c),
        // A digit, the hyphen and a letter stand for all characters that a part may take.
        _ => "0-a".chars().any(|c| one.takes(c) && two.takes(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_meet_if_a_number_or_a_day_can_make_them_equal() {
        for (one, two) in [
            ("a.csv", "A.csv"),
            ("p-%.svg", "p-1.svg"),
            ("p-12.svg", "p-{number}.svg"),
            ("{date}.sdk", "2027-01-04.sdk"),
            ("{date}.sdk", "{number}.sdk"),
            ("{weekday}-%.sdk", "monday-007.sdk"),
            ("{number}{number}.x", "12.x"),
        ] {
            assert!(may_meet(one, two) && may_meet(two, one), "{one} {two}");
        }
        for (one, two) in [
            ("a.csv", "b.csv"),
            ("p-%.svg", "p-a.svg"),
            ("p-%.svg", "p-.svg"),
            ("{date}.sdk", "{date}-solution.sdk"),
            ("{weekday}.x", "7.x"),
            ("{number}{number}.x", "1.x"),
            ("a{number}", "a1b"),
        ] {
            assert!(!may_meet(one, two) && !may_meet(two, one), "{one} {two}");
        }
    }
}
