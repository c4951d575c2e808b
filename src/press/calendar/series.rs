//! Defines days, and the order of puzzles in series: calendars with one puzzle per day, and series of volumes.
//!
//! First the types that users write (`Day`, `Weekdays`, `Week`), then the days of a calendar (`days`), then which puzzle
//! stands on which day (`by_weekday`) and in which volume (`deal`).

use std::collections::BTreeMap;
use std::fmt;
use std::iter::successors;
use std::str::FromStr;

use chrono::{Datelike as _, Local, NaiveDate, Weekday};

use crate::error::PublishError;

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    /// The year, 1 to 9999.
    pub year: u16,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

impl Day {
    /// The current day, where the clock stands.
    pub fn today() -> Day {
        Day::of(Local::now().date_naive()).unwrap_or(Day { year: 1, month: 1, day: 1 })
    }

    /// None for years that are not written with four digits.
    pub fn of(date: NaiveDate) -> Option<Day> {
        let year = u16::try_from(date.year()).ok().filter(|year| (1..=9999).contains(year))?;
        Some(Day { year, month: date.month() as u8, day: date.day() as u8 })
    }

    fn date(self) -> NaiveDate {
        NaiveDate::from_ymd_opt(self.year.into(), self.month.into(), self.day.into()).unwrap_or_default()
    }

    /// The day of the week, 0 for Monday.
    pub fn weekday(self) -> usize {
        number_in_week(self.date().weekday())
    }
}

/// The number of a day in its week, from 0 for Monday.
fn number_in_week(weekday: Weekday) -> usize {
    weekday.num_days_from_monday() as usize
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Day {
    type Err = PublishError;

    fn from_str(text: &str) -> Result<Day, PublishError> {
        // Days have one form, because they are names of folders and files.
        let day = text.parse().ok().and_then(Day::of).filter(|day| day.to_string() == text);
        let is_formed = text.len() == 10 && text.split('-').map(str::len).eq([4, 2, 2]);
        let reason = if is_formed { "no calendar has it; days are written" } else { "write year, month and day," };
        day.ok_or_else(|| PublishError::Request(format!("'{text}' is not a day: {reason} as 2027-01-31")))
    }
}

sudoku_corpus_core::serde_by_text!(Day);

/// Days of the week: all seven by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weekdays([bool; 7]);

impl Default for Weekdays {
    fn default() -> Weekdays {
        Weekdays([true; 7])
    }
}

impl FromStr for Weekdays {
    type Err = PublishError;

    /// Reads names and ranges of names: `mon-sat`, or `mon,wed,fri`. Ranges may go over the end of a week: `sat-mon`.
    fn from_str(text: &str) -> Result<Weekdays, PublishError> {
        let mut days = [false; 7];
        for item in text.split(',') {
            let (first, last) = item.split_once('-').unwrap_or((item, item));
            let (Ok(first), Ok(last)) = (first.trim().parse(), last.trim().parse()) else {
                let reason = format!("'{text}': write days of the week such as mon-sat or mon,wed,fri");
                return Err(PublishError::Request(reason));
            };
            let (first, last) = (number_in_week(first), number_in_week(last));
            for days_after in 0..=(last + 7 - first) % 7 {
                days[(first + days_after) % 7] = true;
            }
        }
        Ok(Weekdays(days))
    }
}

impl Weekdays {
    fn has(self, date: &NaiveDate) -> bool {
        self.0[number_in_week(date.weekday())]
    }

    fn overlaps(self, other: Weekdays) -> bool {
        self.0.into_iter().zip(other.0).any(|(has, other_has)| has && other_has)
    }
}

/// The first day of a calendar: a day (`2027-01-31`, or `2027-01-31..` as in other ranges without an end), `today`,
/// `tomorrow`, or the name of a day of the week for the first such day after `today`.
///
/// # Errors
/// The text is none of these.
pub fn first_day(text: &str, today: Day) -> Result<Day, PublishError> {
    let text = text.strip_suffix("..").unwrap_or(text);
    match text {
        "today" => return Ok(today),
        "tomorrow" => return Ok(today.date().succ_opt().and_then(Day::of).unwrap_or(today)),
        _ => {}
    }
    let Ok(weekday) = text.parse::<Weekday>() else { return text.parse() };
    let mut days = today.date().iter_days().skip(1);
    Ok(days.find(|date| date.weekday() == weekday).and_then(Day::of).unwrap_or(today))
}

/// The days of a calendar, from its first one on, that are certain days of the week.
pub fn days(first: Day, count: usize, on: Weekdays) -> Vec<Day> {
    first.date().iter_days().filter(|date| on.has(date)).map_while(Day::of).take(count).collect()
}

/// The last such day before a day.
pub fn day_before(first: Day, on: Weekdays) -> Day {
    let mut days = successors(first.date().pred_opt(), NaiveDate::pred_opt);
    days.find(|date| on.has(date)).and_then(Day::of).unwrap_or(first)
}

/// The days of the week in messages, Monday first.
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// A level for each day of the week.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Week(Vec<LevelOfDays>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct LevelOfDays {
    days: Weekdays,
    level: String,
}

impl FromStr for Week {
    type Err = PublishError;

    /// Reads days with their levels: `mon-tue=easy,wed,fri=medium`.
    fn from_str(text: &str) -> Result<Week, PublishError> {
        let mut week: Vec<LevelOfDays> = Vec::new();
        // Days whose level comes after a later comma: `wed` of `wed,fri=medium`.
        let mut days_before = Vec::new();
        for item in text.split(',') {
            let (day, level) = item.split_once('=').map_or((item, ""), |(day, level)| (day, level.trim()));
            days_before.push(day);
            if level.is_empty() {
                continue;
            }
            let days: Weekdays = std::mem::take(&mut days_before).join(",").parse()?;
            if week.iter().any(|earlier| earlier.days.overlaps(days)) {
                return Err(PublishError::Request(format!("'{text}': a day has two levels")));
            }
            week.push(LevelOfDays { days, level: level.to_owned() });
        }
        if !days_before.is_empty() {
            let reason = format!("'{text}': write levels of days such as mon-tue=easy,wed-sun=hard");
            return Err(PublishError::Request(reason));
        }
        Ok(Week(week))
    }
}

impl Week {
    /// The level of a day.
    ///
    /// # Errors
    /// A day of the week without a level.
    pub fn level(&self, day: Day) -> Result<&str, PublishError> {
        let entry = self.0.iter().find(|entry| entry.days.has(&day.date()));
        entry.map(|entry| entry.level.as_str()).ok_or_else(|| {
            let weekday = WEEKDAYS[day.weekday()];
            PublishError::Request(format!(
                "--week: {day} is a {weekday}, which has no level: add it to --week, or choose --days"
            ))
        })
    }
}

/// For each day, the position of its puzzle in a list from the easiest to the hardest. In every week, puzzles become
/// harder from Monday to Saturday; Sunday is between Wednesday and Thursday. The puzzles of a day of the week are
/// spread evenly: every quarter of a year has as easy and as hard ones as the whole. `wanted` is the kind of puzzle for
/// each day, and `kinds` that of each puzzle. None if there are more or fewer puzzles of a kind than days for them.
pub fn by_weekday<Kind: Copy + Ord>(days: &[Day], wanted: &[Kind], kinds: &[Kind]) -> Option<Vec<usize>> {
    // How hard the puzzles of each day of the week are, from Monday on.
    const RANK: [usize; 7] = [0, 1, 2, 4, 5, 6, 3];
    // A block has the days that get puzzles of one kind and are the same day of the week.
    let block_of = |day: usize| (wanted[day], RANK[days[day].weekday()]);
    let mut days_by_block: Vec<usize> = (0..days.len()).collect();
    days_by_block.sort_by_key(|&day| (block_of(day), day));
    let mut puzzles: Vec<usize> = (0..kinds.len()).collect();
    puzzles.sort_by_key(|&puzzle| (kinds[puzzle], puzzle));
    let wanted_kinds = days_by_block.iter().map(|&day| wanted[day]);
    if !wanted_kinds.eq(puzzles.iter().map(|&puzzle| kinds[puzzle])) {
        return None;
    }
    let mut positions = vec![0; days.len()];
    let mut puzzles_left = puzzles.as_slice();
    for block in days_by_block.chunk_by(|&day, &next_day| block_of(day) == block_of(next_day)) {
        let (block_puzzles, later_puzzles) = puzzles_left.split_at(block.len());
        puzzles_left = later_puzzles;
        for (&day, rank) in block.iter().zip(spread(block.len())) {
            positions[day] = block_puzzles[rank];
        }
    }
    Some(positions)
}

/// A permutation in which every run of positions has small, middle and large values alike: multiples of the golden
/// ratio.
fn spread(count: usize) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..count).collect();
    positions.sort_by_key(|&position| (position as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut values = vec![0; count];
    for (value, position) in positions.into_iter().enumerate() {
        values[position] = value;
    }
    values
}

/// The volume of each of the chosen puzzles. Each kind (a level, a quota) is dealt out in turn, so volumes are similar.
pub fn deal(kinds: &[usize], volumes: usize) -> Vec<usize> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    let mut volume_of_puzzle = Vec::with_capacity(kinds.len());
    for kind in kinds {
        let count = counts.entry(*kind).or_default();
        volume_of_puzzle.push(*count % volumes.max(1));
        *count += 1;
    }
    volume_of_puzzle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_and_written_and_follow_each_other() {
        let all = days("2028-02-28".parse().unwrap(), 308, Weekdays::default());
        assert_eq!([all[1], all[2], all[307]].map(|day| day.to_string()), ["2028-02-29", "2028-03-01", "2028-12-31"]);
        for text in ["2026-11-22", "2024-02-29", "2000-01-01", "9999-12-31"] {
            assert_eq!(text.parse::<Day>().unwrap().to_string(), text);
        }
        for text in ["2027-02-29", "2027-13-01", "27", "2027-01-00", "x-1-1", "2027-1", "2027-257-01", "+2027-01-01"]
            .into_iter()
            .chain(["2026-1-2", "26-11-22", " 2026-11-22", "2026-11-22\n", "../../etc", "", "0000-01-01"])
        {
            assert!(text.parse::<Day>().unwrap_err().to_string().contains("2027-01-31"), "{text}");
        }
    }

    #[test]
    fn days_of_the_week_are_right() {
        // 20 July 1969 was a Sunday, 1 January 2000 a Saturday, 22 November 2026 is a Sunday.
        for (day, weekday) in [("1969-07-20", 6), ("2000-01-01", 5), ("2026-11-22", 6), ("2024-02-29", 3)] {
            assert_eq!(day.parse::<Day>().unwrap().weekday(), weekday, "{day}");
        }
        let work: Weekdays = "Mon-fri, sun".parse().unwrap();
        let week = days("2027-01-02".parse().unwrap(), 7, work);
        assert_eq!(week.iter().map(|day| day.day).collect::<Vec<_>>(), [3, 4, 5, 6, 7, 8, 10]);
        assert_eq!(day_before("2027-01-03".parse().unwrap(), work).to_string(), "2027-01-01");
        assert!(["mond", "", "mon-", "-mon"].iter().all(|text| text.parse::<Weekdays>().is_err()));
        assert_eq!("Monday-sat".parse::<Weekdays>().unwrap(), "mon-sat".parse().unwrap());
    }

    /// Every range holds its ends and the days from the first to the last, so no range is empty.
    #[test]
    fn ranges_of_days_go_over_the_end_of_the_week() {
        const NAMES: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
        for (first, from) in NAMES.iter().enumerate() {
            for (last, to) in NAMES.iter().enumerate() {
                let range: Weekdays = format!("{from}-{to}").parse().unwrap();
                let mut on = [false; 7];
                let mut day = first;
                on[day] = true;
                while day != last {
                    day = (day + 1) % 7;
                    on[day] = true;
                }
                assert_eq!(range, Weekdays(on), "{from} to {to}");
                assert_eq!(days("2027-01-04".parse().unwrap(), 9, range).len(), 9);
            }
        }
    }

    #[test]
    fn a_week_begins_on_a_day_to_come() {
        let first = |text: &str, today: &str| first_day(text, today.parse().unwrap()).map(|day| day.to_string());
        // 23 November 2026 is a Monday.
        for (text, today, day) in [
            ("monday", "2026-11-22", "2026-11-23"),
            ("Mon", "2026-11-23", "2026-11-30"),
            ("sun", "2026-11-23", "2026-11-29"),
            ("monday", "2026-12-31", "2027-01-04"),
            ("2027-01-04", "2026-11-23", "2027-01-04"),
            ("today", "2026-11-23", "2026-11-23"),
            ("tomorrow", "2026-12-31", "2027-01-01"),
        ] {
            assert_eq!(first(text, today).unwrap(), day, "{text} after {today}");
        }
        assert!(first("moonday", "2026-11-22").is_err());
    }

    /// Whatever the day on which it begins, a week grows harder to Saturday, and days do not drift over the year.
    #[test]
    fn weeks_go_from_easy_to_hard_and_years_do_not() {
        for first in ["2027-01-04", "2027-01-01", "2028-02-27"] {
            let year = days(first.parse().unwrap(), 364, Weekdays::default());
            let places = by_weekday(&year, &[0; 364], &[0; 364]).unwrap();
            let mut sorted = places.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..364).collect::<Vec<_>>());
            let ranks = |weekday: usize, weeks: std::ops::Range<usize>| -> Vec<usize> {
                let days = (0..364).filter(|&day| year[day].weekday() == weekday && weeks.contains(&(day / 7)));
                days.map(|day| places[day]).collect()
            };
            for (easier, harder) in [(0, 1), (1, 2), (2, 6), (6, 3), (3, 4), (4, 5)] {
                assert!(ranks(easier, 0..52).iter().max() < ranks(harder, 0..52).iter().min(), "{easier} {harder}");
            }
            for weekday in 0..7 {
                let mean = |places: Vec<usize>| places.iter().sum::<usize>() as f64 / places.len() as f64;
                let whole = mean(ranks(weekday, 0..52));
                for quarter in 0..4 {
                    let part = mean(ranks(weekday, quarter * 13..(quarter + 1) * 13));
                    assert!((part - whole).abs() < 3.0, "{weekday}, quarter {quarter}: {part} of {whole}");
                }
            }
        }
    }

    #[test]
    fn a_week_has_the_levels_that_were_asked_for() {
        let week: Week = "mon,tue=easy,wed-fri=medium,sat=hard,sun=easy".parse().unwrap();
        let year = days("2027-01-04".parse().unwrap(), 14, Weekdays::default());
        let names: Vec<&str> = year.iter().map(|day| week.level(*day).unwrap()).collect();
        assert_eq!(names[..7], ["easy", "easy", "medium", "medium", "medium", "hard", "easy"]);
        let number = |name: &&str| ["easy", "medium", "hard"].iter().position(|known| known == name).unwrap();
        let wanted: Vec<usize> = names.iter().map(number).collect();
        let mut kinds = wanted.clone();
        kinds.sort_unstable();
        let places = by_weekday(&year, &wanted, &kinds).unwrap();
        assert!(places.iter().zip(&wanted).all(|(place, wanted)| kinds[*place] == *wanted));
        kinds[0] = 2;
        assert_eq!(by_weekday(&year, &wanted, &kinds), None);
        for text in ["", "mon", "mon=", "mon=easy,tue", "xx=easy", "mon-wed=easy,tue=hard", "sat-mon=easy,sun=easy"] {
            assert!(text.parse::<Week>().is_err(), "{text}");
        }
        let some: Week = "mon=easy".parse().unwrap();
        assert!(some.level("2027-01-05".parse().unwrap()).unwrap_err().to_string().contains("2027-01-05 is a Tue"));
    }

    #[test]
    fn volumes_are_alike() {
        assert_eq!(deal(&[0, 0, 1, 0, 1, 0, 1, 1], 2), [0, 1, 0, 0, 1, 1, 0, 1]);
        assert_eq!(deal(&[], 3), [0; 0]);
    }
}
