//! Tells what an answer says in words: that it has given up, or how many solutions a puzzle has.
//!
//! **A claim** about the number of solutions is a clause with one of the phrases of a table below and, beside it, neutral
//! words alone.
//!
//! ```text
//!   answer     sentences, which end with . ! ? ; or a blank line
//!   sentence   clauses, which end with a comma, the end of a line, or before: and but because since so
//!   claim      neutral* phrase neutral*            "The puzzle has" "no solution" "at all"
//! ```
//!
//! Case, underscores and the number of spaces do not count; `0` and `zero` are "no", `2` is "two", "n't" is "not". No claim
//! is
//!
//! * a clause with any other word: it may deny the claim, or make it a guess ("not no solution", "no solution found in
//!   time", "if it has no solution", "it does not have two solutions");
//! * a clause that goes on with a denied one ("it is false, that it has no solution");
//! * a question ("does it have no solution?");
//! * a sentence with phrases of both kinds ("no solution or two solutions").
//!
//! An answer with claims of both kinds has none, and so has one that denies its claim ("No solution. That is wrong.").

/// What an answer says of the number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SolutionClaim {
    NoSolution,
    SeveralSolutions,
}

/// Words about a puzzle without solution. Here and below, "n't" is written as "not".
const NO_SOLUTION: [&str; 19] = [
    "no solution", "no solutions", "no valid solution", "no valid solutions", "no possible solution", "unsolvable",
    "not solvable", "cannot be solved", "not have a solution", "not have any solution", "not have any solutions",
    "not have a valid solution", "impossible to solve", "impossible puzzle", "impossible sudoku",
    "puzzle is impossible", "sudoku is impossible", "no such solution", "not have solutions",
];

const SEVERAL_SOLUTIONS: [&str; 9] = [
    "two solutions", "two valid solutions", "two different solutions", "more than one solution", "multiple solutions",
    "several solutions", "not unique", "no unique solution", "not have a unique solution",
];

/// Words that may stand beside a phrase and change nothing. Tags such as `<answer>` and `\boxed{}` are words, too.
const NEUTRAL: &str = "a an the this that these it its s there here i we my our is are was be been can has have having does do \
                       must puzzle sudoku grid board problem instance solution solutions answer final result output \
                       conclusion verdict boxed text conclude believe think say see appears seems exists exist possible valid \
                       existing thus therefore hence then clearly indeed actually really obviously unfortunately sorry yes \
                       fact exactly least also all whatsoever true proven proved as given stated posed provided givens clues \
                       constraints rules in at to for of with under from by status";

/// Words that begin a clause.
const LINKS: &str = "and but because since so";

/// Words that deny. A clause of them and neutral words denies the claim before it. A clause with any of them denies the
/// claim in a clause that goes on with it.
const DENIALS: &str = "no not never false untrue wrong incorrect doubt deny";

/// Phrases that take a grid back. Unlike a claim, such a phrase may stand beside any words.
const GIVES_UP: [&str; 9] =
    ["give up", "gave up", "giving up", "cannot", "could not solve", "unable to", "wrong", "incorrect", "not correct"];

/// Words that turn a sentence around, or make it a condition: it takes no grid back.
const DOUBTS: [&str; 5] = ["not true", "not wrong", "nothing", "if ", "cannot repeat"];

/// True if a word stands in a list.
fn is_one_of(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// What an answer says of the number of solutions.
pub(super) fn claim_of(text: &str) -> Option<SolutionClaim> {
    let sentences = sentences(text);
    let mut claim = None;
    for sentence in sentences.iter().filter(|sentence| !sentence.is_question) {
        let is_mixed = sentence.has_any(&NO_SOLUTION) && sentence.has_any(&SEVERAL_SOLUTIONS);
        for (place, clause) in sentence.clauses.iter().enumerate() {
            let is_void = is_mixed || sentence.goes_on_with_denial(place);
            let next = if is_void { None } else { clause.claim() };
            match next {
                Some(next) if claim.is_none_or(|claim| claim == next) => claim = Some(next),
                Some(_) => return None,
                None if claim.is_some() && clause.is_denial() => return None,
                None => {}
            }
        }
    }
    claim
}

/// A sentence of an answer.
#[derive(Default)]
struct Sentence {
    clauses: Vec<Clause>,
    is_question: bool,
}

impl Sentence {
    /// True if one of its clauses has one of the phrases.
    fn has_any(&self, phrases: &[&str]) -> bool {
        self.clauses.iter().any(|clause| phrases.iter().any(|phrase| clause.around(phrase).is_some()))
    }

    /// True if the clause at a place goes on with the one before it, and that one denies something.
    fn goes_on_with_denial(&self, place: usize) -> bool {
        let clause = &self.clauses[place];
        let goes_on = clause.is_next_line || clause.words.first().is_some_and(|word| word == "that");
        let before = place.checked_sub(1).map(|before| &self.clauses[before]);
        goes_on && before.is_some_and(|before| before.words.iter().any(|word| is_one_of(DENIALS, word)))
    }
}

/// A clause of a sentence: its words, in small letters.
#[derive(Default)]
struct Clause {
    words: Vec<String>,
    /// Only the end of a line divides it from the clause before it.
    is_next_line: bool,
}

impl Clause {
    /// What it says of the number of solutions.
    fn claim(&self) -> Option<SolutionClaim> {
        let says = |phrases: &[&str]| phrases.iter().any(|phrase| self.says_only(phrase));
        if self.words == ["impossible"] || says(&NO_SOLUTION) {
            return Some(SolutionClaim::NoSolution);
        }
        says(&SEVERAL_SOLUTIONS).then_some(SolutionClaim::SeveralSolutions)
    }

    /// True if it has a phrase, and neutral words beside it.
    fn says_only(&self, phrase: &str) -> bool {
        let Some(around) = self.around(phrase) else { return false };
        around.into_iter().all(|word| is_one_of(NEUTRAL, word))
    }

    /// The words before and behind the first place of a phrase. None if it has no such place.
    fn around(&self, phrase: &str) -> Option<Vec<&str>> {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        let start = self.words.windows(phrase.len()).position(|words| words.iter().eq(&phrase))?;
        let before = self.words[..start].iter();
        let behind = self.words[start + phrase.len()..].iter();
        Some(before.chain(behind).map(String::as_str).collect())
    }

    /// True if it denies what stands before it.
    fn is_denial(&self) -> bool {
        let denies = |word: &String| is_one_of(DENIALS, word);
        self.words.iter().any(denies) && self.words.iter().all(|word| denies(word) || is_one_of(NEUTRAL, word))
    }
}

/// The sentences of a text, without those that have no words.
fn sentences(text: &str) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut sentence = Sentence::default();
    let mut clause = Clause::default();
    let mut word = String::new();
    let text = in_small_letters(text).replace("\r\n", "\n");
    // The blank line at the end ends the last sentence.
    let mut signs = text.chars().chain("\n\n".chars()).peekable();
    while let Some(sign) = signs.next() {
        if sign.is_alphanumeric() {
            word.push(sign);
            continue;
        }
        end_word(&mut word, &mut clause, &mut sentence);
        let is_blank_line = sign == '\n' && signs.peek() == Some(&'\n');
        let ends_sentence = matches!(sign, '.' | '!' | '?' | ';') || is_blank_line;
        if ends_sentence || matches!(sign, ',' | '\n') {
            end_clause(&mut clause, &mut sentence);
            clause.is_next_line = sign == '\n';
        }
        if ends_sentence && !sentence.clauses.is_empty() {
            sentence.is_question = sign == '?';
            sentences.push(std::mem::take(&mut sentence));
        }
    }
    sentences
}

/// Adds a word to a clause. A word that begins a clause ends the one before.
fn end_word(word: &mut String, clause: &mut Clause, sentence: &mut Sentence) {
    let word = std::mem::take(word);
    match word.as_str() {
        "" => {}
        "0" | "zero" => clause.words.push("no".to_owned()),
        "2" => clause.words.push("two".to_owned()),
        link if is_one_of(LINKS, link) => end_clause(clause, sentence),
        _ => clause.words.push(word),
    }
}

/// Adds a clause to a sentence, unless it has no words.
fn end_clause(clause: &mut Clause, sentence: &mut Sentence) {
    let ended = std::mem::take(clause);
    if !ended.words.is_empty() {
        sentence.clauses.push(ended);
    }
}

/// True if a sentence behind a grid takes it back.
pub(super) fn gives_up(text: &str) -> bool {
    in_small_letters(text).split(['.', '!', '?', '\n']).any(|sentence| {
        let has_any = |phrases: &[&str]| phrases.iter().any(|phrase| sentence.contains(phrase));
        (has_any(&GIVES_UP) || has_any(&NO_SOLUTION)) && !has_any(&DOUBTS)
    })
}

/// A text in small letters, with "not" in place of "n't".
fn in_small_letters(text: &str) -> String {
    text.to_lowercase().replace('\u{2019}', "'").replace("can't", "cannot").replace("n't", " not").replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_plain_statements() {
        for text in [
            "no solution",
            "NO_SOLUTION",
            "no  solution",
            "0 solutions",
            "Zero solutions.",
            "It has no solutions!",
            "The puzzle has no solution because r1c1 has no candidate.",
            "{\"answer\": \"no_solution\"}",
            "5 does not fit anywhere in row 1, so this sudoku is unsolvable.",
            "**Answer:** No solution exists",
            "After a long search,\nthe puzzle has no solution.",
            "\\boxed{\\text{No solution}}",
            "Impossible",
            "It doesn\u{2019}t have any solution at all.",
            "No, it cannot be solved.",
        ] {
            assert_eq!(claim_of(text), Some(SolutionClaim::NoSolution), "{text}");
        }
        for text in [
            "2 solutions", "There are exactly two solutions.", "TWO_SOLUTIONS", "It isn't unique",
            "more than one solution",
        ] {
            assert_eq!(claim_of(text), Some(SolutionClaim::SeveralSolutions), "{text}");
        }
    }

    #[test]
    fn what_is_denied_asked_or_contradicted_is_no_claim() {
        for text in [
            "not no solution",
            "It is false that it has no solution",
            "Does it have no solution? No.",
            "I would never say no solution",
            "no solution found in time",
            "no solution or two solutions",
            "no solution, or two solutions",
            "It does not have two solutions",
            "no two solutions",
            "12 solutions",
            "It is false, that it has no solution",
            "It is false that it has\nno solution",
            "No solution. That is wrong.",
            "It has two solutions. It has no solution.",
            "If it has no solution, I lose",
            "No solution? Yes",
            "no",
            "I doubt that it has two solutions",
            "It has no solution, no",
            "impossible to say",
            "",
        ] {
            assert_eq!(claim_of(text), None, "{text}");
        }
    }
}
