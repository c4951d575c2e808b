//! Reads the questions of the report from `questions.toml`, and answers them: the plot and the sentences beside it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::answer::{Kind, ReportAnswer, decimal, shown};
use super::lines::{Line, UsedTechnique, lines, used};
use super::{Board, count, plots};
use crate::study::estimates::Estimate;
use crate::study::numbers::Number;
use crate::study::tally::Joint;
use sudoku_corpus_core::ladder::{Family, TECHNIQUES};
use sudoku_corpus_core::page::numbers::{grouped, percent, with_error};
use sudoku_corpus_core::page::{Figure, Plot};

/// A question. The head of `questions.toml` explains the keys.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    section: String,
    kind: Kind,
    asked: Vec<Vec<Number>>,
    id: String,
    title: String,
    #[serde(default)]
    label: String,
    #[serde(default)]
    columns: Vec<String>,
    headlines: Vec<(String, String)>,
    caption: String,
    #[serde(default)]
    listed: bool,
}

/// The words for a rating, which stand in texts in place of names in braces.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rating {
    column: String,
    unit: String,
    meaning: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Questions {
    question: Vec<Question>,
    rating: BTreeMap<String, Rating>,
}

/// All questions. A test reads them, so the file has no mistakes.
static QUESTIONS: LazyLock<Questions> =
    LazyLock::new(|| toml::from_str(include_str!("questions.toml")).unwrap_or_else(|error| panic!("{error}")));

/// The figures that answer the questions of a section, if any.
pub(super) fn figures(board: &Board<'_>, section: &str) -> Vec<Figure> {
    let mut figures = Vec::new();
    for question in QUESTIONS.question.iter().filter(|question| question.section == section) {
        for mut answer in question.asked.iter().filter_map(|asked| ReportAnswer::of(board, question.kind, asked)) {
            answer.label = answer.filled(&question.label);
            answer.columns = question.columns.iter().map(|column| answer.filled(column)).collect();
            figures.extend(answer.figure(question));
        }
    }
    figures
}

impl ReportAnswer<'_> {
    fn figure(&self, question: &Question) -> Option<Figure> {
        let plots::Drawn { x, y, layers, marks, data } = plots::drawn(self)?;
        let id = self.filled(&question.id).to_lowercase();
        // Where there are several shapes, the name tells them apart.
        let id = if self.board.alone { id } else { format!("{}-{id}", self.board.shape) };
        let headline = question.headlines.iter().find(|(condition, _)| self.holds(condition));
        Some(Figure {
            headline: headline.map_or(String::new(), |(_, text)| self.filled(text)),
            plot: Plot { id, title: self.filled(&question.title), x, y, layers, marks },
            caption: self.filled(&question.caption),
            data,
            listed: question.listed,
        })
    }

    fn holds(&self, condition: &str) -> bool {
        match condition {
            "constant" => self.tally.min() == self.tally.max(),
            "once" => self.tally.max() == Some(1),
            "bounded" => self.bounds() > 0,
            "singles" => self.second().is_none(),
            "uncorrelated" => self.rank().is_none(),
            "weighted" => self.weighted(1, |_| None).is_some(),
            _ => condition.is_empty(),
        }
    }

    /// A text with its names in braces replaced by their values.
    fn filled(&self, template: &str) -> String {
        let (mut text, mut rest) = (String::new(), template);
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            let value = self.word(name).or_else(|| self.value(name)).or_else(|| self.number_of(name));
            text = text + before + &value.unwrap_or_else(|| format!("{{{name}}}"));
            rest = after;
        }
        text + rest
    }

    /// The word or the sentence of a name in a text.
    fn word(&self, name: &str) -> Option<String> {
        let answers = self.board.answers;
        let rating = QUESTIONS.rating.get(self.number.name());
        Some(match name {
            "name" => self.number.name().to_owned(),
            "by" => self.by.name().to_owned(),
            "id" => rating?.column.trim_end_matches("_tenths").to_owned(),
            "column" => rating?.column.clone(),
            "unit" => rating?.unit.clone(),
            "meaning" => rating?.meaning.clone(),
            "bounds" => match self.bounds() {
                0 => String::new(),
                bounds => format!(
                    " For {} of them it is only a lower bound, which the figures count as the rating.",
                    grouped(bounds.into())
                ),
            },
            "agree" => by_size(self.rank()?, &[(0.3, "agree little"), (0.7, "agree in part"), (2.0, "agree")]),
            "says" => {
                let words = ["almost nothing", "little", "something", "much"];
                let says = words.map(|words| format!("says {words} about"));
                by_size(self.rank()?, &[(0.1, &says[0]), (0.3, &says[1]), (0.6, &says[2]), (2.0, &says[3])])
            }
            "correlations" => correlations(self.joint).unwrap_or_default(),
            "of_guesses" => {
                let rank = answers.pair(Number::HOLES, Number::GUESSES).rank_correlation();
                rank.map_or(String::new(), |rank| format!(" For empty cells and guesses it is {}.", decimal(rank, 3)))
            }
            "scale" => answers.scale.scale().to_owned(),
            "limits" => {
                let limits = answers.scale.limits().into_iter().map(|(level, limits)| format!("{level}: {limits}"));
                limits.collect::<Vec<_>>().join(". ")
            }
            "open_cells" => answers.tally(Number::OPEN_CELLS).moments().map_or(String::new(), |(mean, _)| {
                format!(
                    " In puzzles that the ladder of techniques does not solve, {mean:.1} cells stay empty on average."
                )
            }),
            _ => return None,
        })
    }

    /// The value of a name in a text.
    fn value(&self, name: &str) -> Option<String> {
        let (answers, tally) = (self.board.answers, &*self.tally);
        let of_all = |share: &Estimate| with_error(100.0 * share.value, 100.0 * share.error);
        Some(match name {
            "these" => self.these(tally.total()),
            "rated" => self.these(answers.rated()),
            "classed" => self.these(tally.sum() as u64),
            "population" => self.board.population.words().to_owned(),
            "few" => plots::FEW.to_string(),
            "known" => grouped(tally.total().into()),
            "puzzles" => count(tally.total(), "puzzle"),
            "known_share" => percent(tally.total(), answers.rows),
            "sum" => count(tally.sum() as u64, "puzzle"),
            "repeated" => percent(tally.sum() as u64 - tally.total(), tally.sum() as u64),
            "min" => shown(self.number, tally.min()?),
            "max" => shown(self.number, tally.max()?),
            "none" => tally.percent(0),
            "none_of_all" => of_all(self.weighted(1, |value| (value == 0).then_some(0))?.first()?),
            "not_once" => percent(tally.total() - tally.count(1), tally.total()),
            "mean_of_all" => {
                let mean = self.board.weights()?.mean(self.number.weighted()?)?;
                with_error(mean.value, mean.error)
            }
            "whose" => self.median().population,
            "half" => self.median().text,
            "most" => self.longest_line()?.0.name,
            "most_share" => {
                let (line, whole) = self.longest_line()?;
                percent(line.count, whole)
            }
            "most_of_all" => self.largest_weighted_share()?.0,
            "most_of_all_share" => of_all(&self.largest_weighted_share()?.1),
            "second" => TECHNIQUES[self.second()?.place].name.to_owned(),
            "second_share" => percent(self.second()?.steps.total(), answers.rated()),
            _ => return None,
        })
    }

    /// The value of a name that ends in digits: a quantile in per cent, or a figure with so many digits.
    fn number_of(&self, name: &str) -> Option<String> {
        let (figure, digits) = name.split_at(name.find(|sign: char| sign.is_ascii_digit())?);
        let digits: usize = digits.parse().ok()?;
        Some(match figure {
            "q" => shown(self.number, self.tally.quantile(digits as f64 / 100.0)?),
            "mean" => format!("{:.digits$}", self.tally.moments()?.0),
            "spread" => self.tally.moments().map_or(String::new(), |(_, deviation)| match self.tally.total() {
                // One value says nothing of how far values are apart.
                1 => String::new(),
                _ => format!(", standard deviation {deviation:.digits$}"),
            }),
            "rank" => decimal(self.rank()?, digits),
            _ => return None,
        })
    }

    /// These puzzles, or of how many of them the value is known.
    fn these(&self, puzzles: u64) -> String {
        let value = match self.number {
            Number::LEVEL => "a level",
            Number::SCORE => "a score",
            Number::HARDEST => "a rating",
            Number::COPIES => "a class",
            _ => "a known value",
        };
        match puzzles < self.board.answers.rows {
            true => format!("the {} of these puzzles with {value}", grouped(puzzles.into())),
            false => "these puzzles".to_owned(),
        }
    }

    /// The median of all minimal puzzles, with the ends of its 95 % interval, if the weights are good enough; that of
    /// these rows otherwise.
    fn median(&self) -> Median {
        let weighted = self.number.weighted().and_then(|place| self.board.weights()?.median(place));
        let Some(weighted) = weighted else {
            let median = self.tally.quantile(0.5).unwrap_or(0);
            return Median { population: self.these(self.tally.total()), text: shown(self.number, median) };
        };
        let (low, high) = weighted.interval;
        let [median, low, high] = [weighted.value, low, high].map(|value| shown(self.number, value as u64));
        let text = format!("{median} (95 %: {low} to {high})");
        Median { population: format!("all {}", self.board.population.words()), text }
    }

    /// The longest bar, the first of equal ones, and the whole of which it is a share.
    fn longest_line(&self) -> Option<(Line, u64)> {
        let (lines, whole) = lines(self);
        let longest = lines.into_iter().rev().max_by_key(|line| line.count)?;
        Some((longest, whole))
    }

    /// The name of the line with the largest share of all minimal puzzles, and this share.
    fn largest_weighted_share(&self) -> Option<(String, Estimate)> {
        let (lines, _) = lines(self);
        let shares = self.weighted(lines.len(), |value| Some(value as usize).filter(|line| *line < lines.len()))?;
        let names = lines.into_iter().map(|line| line.name);
        names.zip(shares).max_by(|(_, a), (_, b)| a.value.total_cmp(&b.value))
    }

    /// The technique that is used most often after singles.
    fn second(&self) -> Option<UsedTechnique<'_>> {
        used(self.board).into_iter().find(|technique| TECHNIQUES[technique.place].family != Family::Singles)
    }
}

/// A median, and of which puzzles it is the median, in words.
struct Median {
    population: String,
    text: String,
}

/// The words for the size of a correlation: the first whose limit is above it. A limit of 2 is above all.
fn by_size(correlation: f64, words: &[(f64, &str)]) -> String {
    let size = correlation.abs();
    words.iter().find(|(limit, _)| size < *limit).map_or(String::new(), |(_, words)| (*words).to_owned())
}

fn correlations(joint: Option<&Joint>) -> Option<String> {
    let (rank, linear) = (joint?.rank_correlation()?, joint?.correlation()?);
    Some(format!(" Spearman's rank correlation {}, Pearson's {}.", decimal(rank, 3), decimal(linear, 3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correlations_are_written_in_words() {
        let says = [(0.1, "nothing"), (0.3, "little"), (2.0, "much")];
        assert_eq!([-0.044, 0.2, -1.0].map(|rank| by_size(rank, &says)), ["nothing", "little", "much"]);
        assert_eq!([-0.001, 0.125, -0.044].map(|rank| decimal(rank, 2)), ["0.00", "0.12", "\u{2212}0.04"]);
    }
}
