//! Days of the calendar.

use std::fmt;
use std::str::FromStr;

use chrono::{Datelike as _, Local, NaiveDate, SecondsFormat, Utc};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(NaiveDate);

impl Date {
    pub fn today() -> Date {
        Date(Local::now().date_naive())
    }

    /// The seed of a night: 20261122.
    pub fn seed(self) -> u64 {
        let year = u64::try_from(self.0.year()).unwrap_or(0);
        year * 10_000 + u64::from(self.0.month()) * 100 + u64::from(self.0.day())
    }
}

/// The current time: `2026-11-22T02:15:00Z`.
pub(super) fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true)
}

impl FromStr for Date {
    type Err = String;

    fn from_str(text: &str) -> Result<Date, String> {
        let form = text.len() == 10
            && text.bytes().enumerate().all(|(at, b)| match at {
                4 | 7 => b == b'-',
                _ => b.is_ascii_digit(),
            });
        let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| form);
        date.map(Date).ok_or_else(|| format!("'{text}' is no day: write it as 2026-11-22"))
    }
}

sudoku_corpus_core::serde_by_text!(Date);

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format("%Y-%m-%d"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for text in ["2026-11-22", "2024-02-29", "2000-01-01", "9999-12-31"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
        for text in ["2026-13-45", "2026-02-29", "2026-1-2", "26-11-22", " 2026-11-22", "2026-11-22\n", "../../etc", ""]
        {
            assert!(text.parse::<Date>().is_err(), "{text:?}");
        }
        assert_eq!("2026-11-05".parse::<Date>().unwrap().seed(), 20_261_105);
    }
}
