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

use toml::{Table, Value};

use crate::calendar::series::Day;
use sudoku_corpus_core::board::Reason;
use sudoku_corpus_core::names;
use sudoku_corpus_core::names::nearest;
use sudoku_corpus_store::corpus::toml_in_words;

/// The English texts, which every other language replaces.
const ENGLISH: &str = include_str!("en.toml");

/// A language that comes with the program.
struct LanguageFile {
    tag: &'static str,
    /// Its English name.
    name: &'static str,
    /// The text of its file.
    text: &'static str,
}

const LANGUAGES: [LanguageFile; 10] = [
    LanguageFile { tag: "en", name: "English", text: ENGLISH },
    LanguageFile { tag: "en-US", name: "American English", text: include_str!("en-US.toml") },
    LanguageFile { tag: "de", name: "German", text: include_str!("de.toml") },
    LanguageFile { tag: "es", name: "Spanish", text: include_str!("es.toml") },
    LanguageFile { tag: "fr", name: "French", text: include_str!("fr.toml") },
    LanguageFile { tag: "it", name: "Italian", text: include_str!("it.toml") },
    LanguageFile { tag: "nl", name: "Dutch", text: include_str!("nl.toml") },
    LanguageFile { tag: "pl", name: "Polish", text: include_str!("pl.toml") },
    LanguageFile { tag: "pt", name: "Portuguese", text: include_str!("pt.toml") },
    LanguageFile { tag: "pt-BR", name: "Brazilian Portuguese", text: include_str!("pt-BR.toml") },
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

/// All texts in one language: a map whose keys are those of `en.toml`, such as `book.contents`.
#[derive(Clone, Debug, PartialEq)]
pub struct Language(Table);

/// The name of a level, and a description for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelTexts {
    /// The name in print.
    pub name: String,
    /// A sentence or two; may be empty.
    pub about: String,
}

impl Default for Language {
    fn default() -> Language {
        Language::named("en").unwrap_or_else(|error| unreachable!("the English words are tested: {error}"))
    }
}

impl Language {
    #[cfg(test)]
    pub(crate) fn tags() -> impl Iterator<Item = &'static str> {
        LANGUAGES.iter().map(|language| language.tag)
    }

    /// The file of a language by its tag, as a start for the user's own file. None if there is no such language.
    pub fn file(tag: &str) -> Option<&'static str> {
        LANGUAGES.iter().find(|language| language.tag == tag).map(|language| language.text)
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
        let mut languages = LANGUAGES.iter();
        let Some(LanguageFile { tag, text, .. }) = languages
            .find(|language| language.tag.eq_ignore_ascii_case(name) || language.name.eq_ignore_ascii_case(name))
        else {
            let tags = LANGUAGES.map(|language| language.tag).join(", ");
            return Err(Reason(format!("unknown language '{name}'; known: {tags}")));
        };
        let mut table = parse(ENGLISH)?;
        // The variant of a country, such as pt-BR, changes texts of its language.
        if let Some((language_tag, _)) = tag.split_once('-')
            && let Some(language_text) = Language::file(language_tag)
        {
            let mut texts = parse(language_text)?;
            texts.remove("familiar");
            table = merged(table, texts, "", false)?;
        }
        let mut texts = parse(text)?;
        let familiar = texts.remove("familiar");
        table = merged(table, texts, "", false)?;
        if let Some(Value::Table(familiar)) = familiar
            && address == Address::Familiar
        {
            table = merged(table, familiar, "", false)?;
        }
        Ok(Language(table))
    }

    /// This language with some texts changed by a file of words. The file may name levels of its own.
    ///
    /// # Errors
    /// It is not TOML, or a text is not one that the program uses.
    pub fn with(self, file: &str) -> Result<Language, Reason> {
        merged(self.0, parse(file)?, "", true).map(Language)
    }

    /// The tag of the language, such as `de`.
    pub fn tag(&self) -> &str {
        self.text("language")
    }

    /// The value of a key, such as `book.contents`. None if there is none.
    fn value(&self, key: &str) -> Option<&Value> {
        match key.split_once('.') {
            Some((table, name)) => self.0.get(table)?.as_table()?.get(name),
            None => self.0.get(key),
        }
    }

    /// A text by its key. A test compares the keys that the source names with those of `en.toml`, and every language
    /// has them.
    pub(crate) fn text(&self, key: &str) -> &str {
        let text = self.value(key).and_then(Value::as_str);
        text.unwrap_or_else(|| unreachable!("the keys of texts are tested, and there is no '{key}'"))
    }

    /// A text of a list, by its key and its position from 0; empty if the list is shorter.
    pub(crate) fn item(&self, key: &str, number: usize) -> &str {
        self.value(key).and_then(|list| list.get(number)).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn variant(&self, name: &str) -> &str {
        self.text(&format!("variants.{name}"))
    }

    /// True for English of any country.
    pub(crate) fn is_english(&self) -> bool {
        self.tag().split('-').next() == Some("en")
    }

    /// The texts of a level, by its key, if the language has them.
    pub fn level(&self, key: &str) -> Option<LevelTexts> {
        let texts = self.0.get("levels")?.as_table()?.get(key)?.as_table()?;
        let text = |name: &str| texts.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        Some(LevelTexts { name: text("name"), about: text("about") })
    }

    /// The name of a technique, by its code; `english` where the language has none.
    pub fn technique<'a>(&'a self, code: &str, english: &'a str) -> &'a str {
        self.value(&format!("techniques.{code}")).and_then(Value::as_str).unwrap_or(english)
    }

    /// A number of puzzles in words, such as "12 puzzles", in the grammatical form that the number requires.
    pub fn puzzles(&self, count: usize) -> String {
        let forms = self.value("book.puzzles").and_then(Value::as_array).map_or(0, Vec::len);
        let form = match (forms, count, count % 10, count % 100) {
            (_, 1, ..) => 0,
            // Of three forms, the second is for numbers that end with 2 to 4, but not with 12 to 14.
            (3.., _, 2..=4, tens) if !(12..=14).contains(&tens) => 1,
            (forms, ..) => forms.saturating_sub(1),
        };
        fill(self.item("book.puzzles", form), &[("n", &count.to_string())])
    }

    /// A day in words: "1 March 2027".
    pub fn date(&self, day: Day) -> String {
        let month = self.item("book.months", usize::from(day.month) - 1);
        let number = if day.day == 1 { self.text("book.first_of_month").to_owned() } else { day.day.to_string() };
        fill(self.text("book.date"), &[("day", &number), ("month", month), ("year", &day.year.to_string())])
    }

    /// The name of a day of the week.
    pub fn weekday(&self, day: Day) -> &str {
        self.item("book.weekdays", day.weekday())
    }

    /// A table of texts, as a user's file may have it.
    #[cfg(test)]
    pub(crate) fn all_of(&self, table: &str) -> Table {
        self.0[table].as_table().unwrap().clone()
    }

    /// Every text, for a check of the typeface.
    pub fn all(&self) -> Vec<&str> {
        let mut all = Vec::new();
        collect(&self.0, &mut all);
        all
    }
}

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
    file.parse().map_err(|error: toml::de::Error| {
        Reason(format!("the file of words is not TOML: {}", toml_in_words(file, &error)))
    })
}

/// A table in which the texts of another one replace its own. `path` is its key in the file, empty for the whole file.
/// With `adds_levels`, the other one may have more levels.
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
                let near_name = nearest(&name, base.keys().map(String::as_str));
                let hint = near_name.map_or(String::new(), |name| {
                    let dot = if path.is_empty() { "" } else { "." };
                    format!("; did you mean '{path}{dot}{name}'?")
                });
                let how = "`list words` prints the English file with all of them";
                return Err(Reason(format!("no text is called '{key}'{hint}; {how}")));
            }
        };
        base.insert(name, new);
    }
    Ok(base)
}

/// Refuses a text with a name in braces that the texts of `base` do not have.
fn check_placeholders(key: &str, base: &[String], text: &str) -> Result<(), Reason> {
    let names: Vec<&str> = base.iter().flat_map(|text| placeholders(text)).collect();
    check_names(key, &names, text)
}

/// Refuses a text with a name in braces that is not known.
///
/// # Errors
/// The name, and those that are known.
pub fn check_names(key: &str, names: &[&str], text: &str) -> Result<(), Reason> {
    let shown = text;
    // Doubled braces stand for braces in print.
    let text = text.replace("{{", "").replace("}}", "");
    let is_torn = text.split('{').skip(1).any(|rest| !rest.contains('}'));
    if is_torn || text.matches('{').count() != text.matches('}').count() {
        return Err(Reason(format!(
            "'{key}': the braces in '{shown}' are no pairs around a name such as {{page}}; two braces in a row print one"
        )));
    }
    let Some(name) = placeholders(&text).find(|name| !names.contains(name)) else { return Ok(()) };
    let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
    let reason = format!("'{key}' uses {{{name}}}, which the program does not fill in there; it fills in: {names}");
    Err(Reason(reason))
}

/// The names in braces.
pub(crate) fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// A text with the names in braces replaced by values. A name without a value stays as it is. Two braces in a row become
/// one.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(place) = rest.find(['{', '}']) {
        let (before, brace, after) = (&rest[..place], &rest[place..=place], &rest[place + 1..]);
        filled.push_str(before);
        if let Some(behind_both) = after.strip_prefix(brace) {
            filled.push_str(brace);
            rest = behind_both;
            continue;
        }
        if brace == "{"
            && let Some((name, behind_name)) = after.split_once('}')
            && let Some((_, value)) = values.iter().find(|(value_name, _)| *value_name == name)
        {
            filled.push_str(value);
            rest = behind_name;
            continue;
        }
        filled.push_str(brace);
        rest = after;
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
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// The keys of all texts of a table, each with the names in braces of its text. Levels and techniques are left out.
    fn keys(table: &Table, path: &str, all: &mut BTreeMap<String, BTreeSet<String>>) {
        for (name, value) in table.iter().filter(|(name, _)| *name != "techniques" && *name != "familiar") {
            let key = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            match value {
                Value::Table(inner) => keys(inner, &key, all),
                Value::Array(list) => {
                    let texts = list.iter().filter_map(Value::as_str).flat_map(placeholders);
                    all.insert(key, texts.map(str::to_owned).collect());
                }
                text => drop(all.insert(key, placeholders(text.as_str().unwrap()).map(str::to_owned).collect())),
            }
        }
    }

    fn keys_of(table: &Table) -> BTreeMap<String, BTreeSet<String>> {
        let mut all = BTreeMap::new();
        keys(table, "", &mut all);
        all
    }

    /// Each language has exactly the keys of the English file, and each text the same names in braces. What differs in a
    /// variant of a language, or for familiar readers, is a part of them, and says something else.
    #[test]
    fn every_language_has_the_keys_and_the_names_of_the_english_file() {
        let english = keys_of(&parse(ENGLISH).unwrap());
        for tag in Language::tags() {
            let own = parse(Language::file(tag).unwrap()).unwrap();
            let whole = Language::named(tag).unwrap();
            assert_eq!((whole.tag(), keys_of(&whole.0)), (tag, english.clone()));
            if !tag.contains('-') {
                assert_eq!(keys_of(&own), english, "{tag}");
            }
            let own_keys = keys_of(&own);
            let more = own.get("familiar").and_then(Value::as_table).map(keys_of).unwrap_or_default();
            for (key, names) in own_keys.iter().chain(&more) {
                assert_eq!(english.get(key), Some(names), "{tag}: {key}");
            }
            for key in more.keys() {
                let familiar = Language::addressed(tag, Address::Familiar).unwrap();
                assert_ne!(familiar.text(key), whole.text(key), "{tag}: {key} says the same");
            }
            for (list, items) in [("book.months", 12), ("book.months_in_headings", 12), ("book.weekdays", 7)] {
                let length = whole.value(list).and_then(Value::as_array).map(Vec::len);
                assert_eq!(length, Some(items), "{tag}: {list}");
            }
            for code in whole.0["techniques"].as_table().unwrap().keys() {
                assert!(sudoku_corpus_core::ladder::TECHNIQUES.iter().any(|row| row.code == code), "{tag}: {code}");
            }
        }
        let variants: BTreeSet<String> =
            sudoku_corpus_core::board::variants::all().map(|variant| format!("variants.{}", variant.name)).collect();
        let rules: BTreeSet<String> = english.keys().filter(|key| key.starts_with("variants.")).cloned().collect();
        assert_eq!(rules, variants);
    }

    /// The source names only keys that there are, and every text is named somewhere.
    #[test]
    fn the_source_uses_every_text_and_no_other() {
        fn read(folder: &std::path::Path, all: &mut String) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => read(&path, all),
                    false if path.extension().is_some_and(|end| end == "rs") => {
                        *all += std::fs::read_to_string(path).unwrap().split("#[cfg(test)]\nmod tests").next().unwrap()
                    }
                    false => {}
                }
            }
        }
        let mut source = String::new();
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/press");
        read(&folder, &mut source);
        let quoted = |call: &str| -> BTreeSet<String> {
            source.split(call).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
        };
        let is_key = |key: &String| key.contains('.') && !key.contains([' ', '/']) || key == "language";
        let named = ["text(\"", "item(\"", "value(\""].map(quoted).into_iter().flatten().filter(is_key);
        let named: BTreeSet<String> = named.filter(|key| !key.ends_with('.')).collect();
        let english = keys_of(&parse(ENGLISH).unwrap());
        let is_table = |key: &String| key.starts_with("variants.") || key.starts_with("levels.");
        let texts: BTreeSet<String> = english.into_keys().filter(|key| !is_table(key)).collect();
        assert_eq!(named, texts);
    }

    #[test]
    fn children_are_addressed_as_children() {
        let rules = |tag, address| Language::addressed(tag, address).unwrap().text("how_to.rules").to_owned();
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
        assert_eq!(language.text("book.contents"), "Was drin ist");
        assert_eq!(language.text("book.solutions"), "Lösungen");
        assert_eq!(language.level("teuflisch").unwrap().name, "Teuflisch");
        let message = |file: &str| Language::default().with(file).unwrap_err().to_string();
        let near = "no text is called 'book.content'; did you mean 'book.contents'?";
        assert!(message("[book]\ncontent = \"x\"").contains(near));
        assert!(message("[bok]\ncontents = \"x\"").contains("no text is called 'bok'; did you mean 'book'?"));
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
        assert_eq!(fill("{{a}} {a} {{{a}}} }}{{", &[("a", "1")]), "{a} 1 {1} }{");
        assert!(check_names("--title", &["count"], "A {{set}} of {count}").is_ok());
    }
}
