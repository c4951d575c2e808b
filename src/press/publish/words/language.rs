//! The words of a book: every text that the program prints, in one TOML file for each language.
//!
//! ```text
//!   en.toml      the schema: every key, and the names in braces that a text may use
//!   de.toml      a translation; its table `familiar` has the texts that say "du"
//!   pt-BR.toml   what differs from pt.toml; so en-US.toml
//!   mine.toml    a file of the user's own with some keys, which replace those of a language
//! ```
//!
//! A key that the English file does not have, or a name in braces that the English text does not use, is an error that
//! names it. Technique names that a file does not give are English.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Table, Value};

use crate::publish::calendar::series::Day;
use sudoku_corpus_core::board::Reason;
use sudoku_corpus_core::names;

/// The languages that come with the program: tag, name, file.
const LANGUAGES: [(&str, &str, &str); 10] = [
    ("en", "English", include_str!("en.toml")),
    ("en-US", "American English", include_str!("en-US.toml")),
    ("de", "German", include_str!("de.toml")),
    ("es", "Spanish", include_str!("es.toml")),
    ("fr", "French", include_str!("fr.toml")),
    ("it", "Italian", include_str!("it.toml")),
    ("nl", "Dutch", include_str!("nl.toml")),
    ("pl", "Polish", include_str!("pl.toml")),
    ("pt", "Portuguese", include_str!("pt.toml")),
    ("pt-BR", "Brazilian Portuguese", include_str!("pt-BR.toml")),
];

names! { "address":
    /// How readers are addressed.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Address {
        /// As books for adults do.
        #[default]
        Formal = "formal",
        /// "Du": as books for children do. The same where a language makes no difference.
        Familiar = "familiar",
    }
}

/// All texts in one language.
#[derive(Clone, Debug, PartialEq)]
pub struct Language {
    table: Table,
    texts: Texts,
}

/// The texts as the program uses them; `en.toml` shows what each says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct Texts {
    pub(crate) language: String,
    pub(crate) book: BookTexts,
    pub(crate) how_to: HowToTexts,
    pub(crate) play: PlayTexts,
    /// The rules of variants, by the name of the variant.
    pub(crate) variants: BTreeMap<String, String>,
    levels: BTreeMap<String, LevelTexts>,
    techniques: BTreeMap<String, String>,
}

/// A table of texts: its lists; its other texts. The months of headings have another form in Polish, and the first of a
/// month is "1er" in French.
macro_rules! texts {
    ($table:ident: $($list:ident)*; $($text:ident)*) => {
        #[derive(Clone, Debug, PartialEq, Deserialize)]
        pub(crate) struct $table {
            $(pub(crate) $list: Vec<String>,)*
            $(pub(crate) $text: String,)*
        }
    };
}

texts!(BookTexts: puzzles months months_in_headings weekdays;
    contents how_to_play solutions notes hints unrated puzzle puzzle_range solution solution_range page solution_on
    solutions_on solutions_on_two from_to board board_boxes volume time copyright rights one_solution typeface hint steps cell date
    weekday_date first_of_month);

texts!(HowToTexts: ;
    rules boxes_square boxes_other boxes_jigsaw digits digits_and_letter digits_and_letters numbers letters symbols spelled first_step
    first_step_text pencil_marks pencil_marks_text difficulty levels solutions solutions_end solutions_level
    solutions_behind solutions_below hints_text steps_text);

texts!(PlayTexts: ;
    check erase undo restart previous next puzzle empty given wrong right solved keys);

/// The name of a level, and a description for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct LevelTexts {
    /// The name in print.
    pub name: String,
    /// A sentence or two; may be empty.
    #[serde(default)]
    pub about: String,
}

impl Default for Language {
    fn default() -> Language {
        Language::named("en").unwrap_or_else(|error| unreachable!("the English words are tested: {error}"))
    }
}

impl Language {
    #[cfg(test)]
    /// The tags of the languages that come with the program.
    pub(crate) fn tags() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|(tag, ..)| *tag)
    }

    /// The file of a language by its tag, as a start for the user's own file. None if there is no such language.
    pub fn file(tag: &str) -> Option<&'static str> {
        LANGUAGES.iter().find(|(known, ..)| *known == tag).map(|(.., file)| *file)
    }

    /// A language by its tag (`de`) or its English name (`German`).
    ///
    /// # Errors
    /// There is no such language.
    pub fn named(name: &str) -> Result<Language, Reason> {
        Language::addressed(name, Address::Formal)
    }

    /// The language of this name, with the reader addressed in some way.
    ///
    /// # Errors
    /// There is no such language.
    pub fn addressed(name: &str, address: Address) -> Result<Language, Reason> {
        let name = name.trim();
        let found = LANGUAGES
            .iter()
            .find(|(tag, full, _)| tag.eq_ignore_ascii_case(name) || full.eq_ignore_ascii_case(name))
            .ok_or_else(|| {
                let known = LANGUAGES.map(|language| language.0).join(", ");
                Reason(format!("unknown language '{name}'; known: {known}"))
            })?;
        // A variant changes texts of its language.
        let language = found.0.split_once('-').and_then(|(language, _)| Language::file(language));
        let mut table = parse(LANGUAGES[0].2)?;
        for file in language.into_iter().chain([found.2]) {
            let mut own = parse(file)?;
            let familiar = own.remove("familiar").filter(|_| address == Address::Familiar && file == found.2);
            table = merged(table, own, "", false)?;
            if let Some(Value::Table(familiar)) = familiar {
                table = merged(table, familiar, "", false)?;
            }
        }
        Language::of(table)
    }

    /// This language with some texts changed by a file of words. The file may name levels of its own.
    ///
    /// # Errors
    /// It is not TOML, or a text is not one that the program uses.
    pub fn with(self, file: &str) -> Result<Language, Reason> {
        Language::of(merged(self.table, parse(file)?, "", true)?)
    }

    /// The language of a table of words; an error if one is missing.
    fn of(table: Table) -> Result<Language, Reason> {
        let texts: Texts = table
            .clone()
            .try_into()
            .map_err(|error: toml::de::Error| not_toml(error.to_string().lines().last().unwrap_or_default()))?;
        Ok(Language { table, texts })
    }

    /// The tag of the language, such as `de`.
    pub fn tag(&self) -> &str {
        &self.texts.language
    }

    /// True for English of any country.
    pub(crate) fn is_english(&self) -> bool {
        self.tag().split('-').next() == Some("en")
    }

    pub(crate) fn texts(&self) -> &Texts {
        &self.texts
    }

    /// The texts of a level, by its key, if the language has them.
    pub fn level(&self, key: &str) -> Option<&LevelTexts> {
        self.texts.levels.get(key)
    }

    /// The name of a technique, by its code; `english` where the language has none.
    pub fn technique<'a>(&'a self, code: &str, english: &'a str) -> &'a str {
        self.texts.techniques.get(code).map_or(english, String::as_str)
    }

    /// A number of puzzles in words, such as "12 puzzles", in the grammatical form that the number requires.
    pub fn puzzles(&self, count: usize) -> String {
        let forms = &self.texts.book.puzzles;
        let form = match (forms.len(), count, count % 10, count % 100) {
            (_, 1, ..) => 0,
            // Of three forms, the second is for numbers that end with 2 to 4, but not with 12 to 14.
            (3.., _, 2..=4, tens) if !(12..=14).contains(&tens) => 1,
            (forms, ..) => forms.saturating_sub(1),
        };
        fill(forms.get(form).map_or("{n}", String::as_str), &[("n", &count.to_string())])
    }

    /// A day in words: "1 March 2027".
    pub fn date(&self, day: Day) -> String {
        let texts = &self.texts.book;
        let month = texts.months.get(usize::from(day.month) - 1).map_or("", String::as_str);
        let number = if day.day == 1 { texts.first_of_month.clone() } else { day.day.to_string() };
        fill(&texts.date, &[("day", &number), ("month", month), ("year", &day.year.to_string())])
    }

    /// The name of a day of the week.
    pub fn weekday(&self, day: Day) -> &str {
        self.texts.book.weekdays.get(day.weekday()).map_or("", String::as_str)
    }

    /// A table of texts, as a user's file may have it.
    #[cfg(test)]
    pub(crate) fn all_of(&self, table: &str) -> Table {
        self.table[table].as_table().unwrap().clone()
    }

    /// Every text, for a check of the typeface.
    pub fn all(&self) -> Vec<&str> {
        let mut all = Vec::new();
        collect(&self.table, &mut all);
        all
    }
}

/// Adds all texts of a table.
fn collect<'a>(table: &'a Table, all: &mut Vec<&'a str>) {
    for value in table.values() {
        match value {
            Value::String(text) => all.push(text),
            Value::Array(list) => all.extend(list.iter().filter_map(Value::as_str)),
            Value::Table(inner) => collect(inner, all),
            _ => {}
        }
    }
}

fn parse(file: &str) -> Result<Table, Reason> {
    file.parse().map_err(|error: toml::de::Error| not_toml(&error.to_string().trim().replace('\n', " ")))
}

fn not_toml(reason: &str) -> Reason {
    Reason(format!("the file of words is not TOML: {reason}"))
}

/// A table in which the texts of another one replace its own. With `adds_levels`, the other one may have more levels.
fn merged(mut base: Table, over: Table, path: &str, adds_levels: bool) -> Result<Table, Reason> {
    for (name, value) in over {
        let key = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let must_be = |wanted: &str| Reason(format!("'{key}' must be {wanted}"));
        let new = match (base.get(&name), value) {
            (Some(Value::Table(old)), Value::Table(new)) => Value::Table(merged(old.clone(), new, &key, adds_levels)?),
            (Some(Value::String(old)), Value::String(new)) => {
                check_placeholders(&key, std::slice::from_ref(old), &new)?;
                Value::String(new)
            }
            (Some(Value::Array(old)), Value::Array(new)) => {
                let old: Vec<String> = old.iter().filter_map(Value::as_str).map(str::to_owned).collect();
                for text in new.iter().map(Value::as_str) {
                    check_placeholders(&key, &old, text.ok_or_else(|| must_be("a list of texts"))?)?;
                }
                // Every language has as many months and weekdays, but not as many forms of `puzzles`.
                if new.is_empty() || (old.len() > 3 && new.len() != old.len()) {
                    return Err(must_be("a list as long as the English one"));
                }
                Value::Array(new)
            }
            (Some(Value::Table(_)), _) => return Err(must_be("a table")),
            (Some(Value::Array(_)), _) => return Err(must_be("a list of texts")),
            (Some(_), _) => return Err(must_be("a text")),
            (None, Value::String(text)) if path == "techniques" => Value::String(text),
            (None, Value::Table(level)) if adds_levels && path == "levels" => {
                let blank = Table::from_iter([
                    ("name".to_owned(), Value::String(name.clone())),
                    ("about".to_owned(), Value::String(String::new())),
                ]);
                Value::Table(merged(blank, level, &key, adds_levels)?)
            }
            (None, _) => {
                let reason =
                    format!("no text is called '{key}'; `list words` prints the English file with all of them");
                return Err(Reason(reason));
            }
        };
        base.insert(name, new);
    }
    Ok(base)
}

/// Refuses a text with a name in braces that the texts of `base` do not have.
fn check_placeholders(key: &str, base: &[String], text: &str) -> Result<(), Reason> {
    let known: Vec<&str> = base.iter().flat_map(|text| placeholders(text)).collect();
    check_names(key, &known, text)
}

/// Refuses a text with a name in braces that is not known.
///
/// # Errors
/// The name, and those that are known.
pub fn check_names(key: &str, known: &[&str], text: &str) -> Result<(), Reason> {
    let is_torn = |text: &str| text.split('{').skip(1).any(|rest| !rest.contains('}'));
    if is_torn(text) || text.matches('{').count() != text.matches('}').count() {
        return Err(Reason(format!("'{key}': the braces in '{text}' are no pairs around a name such as {{page}}")));
    }
    let Some(name) = placeholders(text).find(|name| !known.contains(name)) else { return Ok(()) };
    let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
    let reason = format!("'{key}' uses {{{name}}}, which the program does not fill in there; it fills in: {known}");
    Err(Reason(reason))
}

/// The names in braces.
pub(crate) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// A text with the names in braces replaced by values. A name without a value stays as it is.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let value = after
            .split_once('}')
            .and_then(|(name, tail)| values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, tail)));
        rest = match value {
            Some((value, tail)) => {
                filled.push_str(value);
                tail
            }
            None => {
                filled.push('{');
                after
            }
        };
    }
    filled + rest
}

/// A text with a capital at its beginning.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_language_has_every_text_and_only_known_names() {
        let english = Language::default();
        for tag in Language::tags() {
            let language = Language::named(tag).unwrap();
            assert_eq!(language.tag(), tag);
            let own = parse(Language::file(tag).unwrap()).unwrap();
            for texts in own.get("familiar").iter().flat_map(|familiar| familiar["how_to"].as_table()) {
                assert!(texts.iter().all(|(key, text)| own["how_to"][key] != *text), "{tag}: says the same");
            }
            let is_variant = tag.contains('-');
            for section in ["book", "how_to", "play", "variants", "levels"] {
                let keys = |table: &Table| table[section].as_table().unwrap().keys().cloned().collect::<Vec<_>>();
                assert!(is_variant || keys(&own) == keys(&english.table), "{tag}: {section}");
            }
            // A translation must use everything that the program fills in.
            let familiar = own.get("familiar").map(|familiar| ("how_to", familiar["how_to"].clone()));
            let sections =
                ["book", "how_to", "play"].into_iter().filter_map(|name| Some((name, own.get(name)?.clone())));
            for (section, texts) in sections.chain(familiar) {
                for (key, text) in texts.as_table().unwrap() {
                    let (Some(text), Some(english)) = (text.as_str(), english.table[section][key].as_str()) else {
                        continue;
                    };
                    let [own, english] = [text, english].map(|text| placeholders(text).collect::<BTreeSet<_>>());
                    assert_eq!(own, english, "{tag}: {section}.{key}");
                }
            }
            let rules: Vec<&str> = language.texts.variants.keys().map(String::as_str).collect();
            let mut known: Vec<&str> = sudoku_corpus_core::board::variants::all().map(|variant| variant.name).collect();
            known.sort_unstable();
            assert_eq!(rules, known, "{tag}");
            assert_eq!(language.texts.book.months.len(), 12);
            assert_eq!(language.texts.book.months_in_headings.len(), 12);
            assert_eq!(language.texts.book.weekdays.len(), 7);
            for code in language.texts.techniques.keys() {
                assert!(sudoku_corpus_core::rate::TECHNIQUES.iter().any(|row| row.code == code), "{tag}: {code}");
            }
        }
    }

    #[test]
    fn children_are_addressed_as_children() {
        let rules = |tag, address| Language::addressed(tag, address).unwrap().texts.how_to.rules;
        assert!(
            rules("de", Address::Formal).contains("Füllen Sie") && rules("de", Address::Familiar).contains("Fülle die")
        );
        assert!(rules("pl", Address::Formal).contains("należy") && rules("pl", Address::Familiar).contains("Wypełnij"));
        assert_eq!(rules("en", Address::Formal), rules("en", Address::Familiar));
        // A variant has its own forms.
        assert_eq!(rules("pt-BR", Address::Formal), rules("Brazilian Portuguese", Address::Familiar));
        assert_ne!(rules("pt-BR", Address::Formal), rules("pt", Address::Formal));
    }

    #[test]
    fn numbers_choose_their_form() {
        let polish = Language::named("Polish").unwrap();
        let forms = [1, 2, 4, 5, 12, 14, 21, 22, 100].map(|count| polish.puzzles(count));
        let expected = "1 zadanie, 2 zadania, 4 zadania, 5 zadań, 12 zadań, 14 zadań, 21 zadań, 22 zadania, 100 zadań";
        assert_eq!(forms.join(", "), expected);
        assert_eq!([1, 2].map(|count| Language::default().puzzles(count)), ["1 puzzle", "2 puzzles"]);
    }

    #[test]
    fn a_users_file_changes_some_texts_and_errors_name_the_key() {
        let own = "[book]\ncontents = \"Was drin ist\"\n[levels.teuflisch]\nname = \"Teuflisch\"";
        let language = Language::named("de").unwrap().with(own).unwrap();
        assert_eq!(language.texts.book.contents, "Was drin ist");
        assert_eq!(language.texts.book.solutions, "Lösungen");
        assert_eq!(language.level("teuflisch").unwrap().name, "Teuflisch");
        let message = |file: &str| Language::default().with(file).unwrap_err().to_string();
        assert!(message("[book]\ncontent = \"x\"").contains("no text is called 'book.content'"));
        assert!(message("[book]\ncontents = 3").contains("'book.contents' must be a text"));
        assert!(message("[book]\npage = \"p. {seite}\"").contains("uses {seite}"));
        assert!(message("[book]\npage = \"p. {seite}\"").contains("it fills in: page"));
        assert!(message("[book]\nmonths = [\"Jan\"]").contains("as long as"));
        assert!(message("contents").contains("not TOML"));
        assert!(Language::named("xx").unwrap_err().to_string().contains("known: en, en-US, de"));
    }

    #[test]
    fn american_dates_begin_with_the_month() {
        let date = |tag: &str| Language::named(tag).unwrap().date("2027-01-04".parse().unwrap());
        assert_eq!([date("en"), date("en-us")], ["4 January 2027", "January 4, 2027"]);
        assert!(
            Language::named("American English").unwrap().is_english() && !Language::named("de").unwrap().is_english()
        );
    }

    #[test]
    fn braces_are_pairs() {
        for text in ["{page", "page}", "{page} {", "}{"] {
            let message = check_names("book.page", &["page"], text).unwrap_err().to_string();
            assert!(message.contains("no pairs"), "{message}");
        }
        assert!(check_names("book.page", &["page"], "{page}, {page}").is_ok());
    }

    #[test]
    fn names_in_braces_are_filled_in_and_others_stay() {
        assert_eq!(fill("{a} and {b}, {c", &[("a", "1"), ("b", "{a}")]), "1 and {a}, {c");
        assert_eq!(fill("{x}", &[]), "{x}");
    }
}
