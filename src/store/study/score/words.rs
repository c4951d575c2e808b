//! Tells what an answer says in words: that it has given up, or how many solutions a puzzle has.

/// What an answer says of the number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SolutionClaim {
    NoSolution,
    SeveralSolutions,
}

/// Words about a puzzle without solution. Here and below, "n't" is written as "not".
const NO_SOLUTION: [&str; 13] = [
    "no solution", "no valid solution", "no possible solution", "unsolvable", "not solvable", "cannot be solved",
    "not have a solution", "not have any solution", "not have a valid solution", "impossible to solve",
    "impossible puzzle", "puzzle is impossible", "sudoku is impossible",
];

const SEVERAL_SOLUTIONS: [&str; 9] = [
    "two solutions", "2 solutions", "two valid solutions", "more than one solution", "multiple solutions",
    "several solutions", "not unique", "no unique solution", "not have a unique solution",
];

const GIVES_UP: [&str; 9] =
    ["give up", "gave up", "giving up", "cannot", "could not solve", "unable to", "wrong", "incorrect", "not correct"];

/// Words that turn a sentence around, or make it a condition.
const DOUBTS: [&str; 5] = ["not true", "not wrong", "nothing", "if ", "cannot repeat"];

/// What an answer says of the number of solutions.
pub(super) fn claim_of(text: &str) -> Option<SolutionClaim> {
    let is_impossible = text.trim_matches(|symbol: char| !symbol.is_alphabetic()).eq_ignore_ascii_case("impossible");
    if is_impossible || says(text, &NO_SOLUTION) {
        return Some(SolutionClaim::NoSolution);
    }
    says(text, &SEVERAL_SOLUTIONS).then_some(SolutionClaim::SeveralSolutions)
}

/// True if the words behind a grid take it back.
pub(super) fn gives_up(text: &str) -> bool {
    says(text, &GIVES_UP) || says(text, &NO_SOLUTION)
}

/// True if a sentence of a text has one of the phrases, and no doubt.
fn says(text: &str, phrases: &[&str]) -> bool {
    let text = text.to_lowercase().replace('\u{2019}', "'").replace("can't", "cannot").replace("n't", " not");
    let mut sentences = text.split(['.', '!', '?', '\n']);
    sentences.any(|sentence| {
        phrases.iter().any(|words| sentence.contains(words)) && !DOUBTS.iter().any(|words| sentence.contains(words))
    })
}
