//! Checks the order of the rooms, which are files, and folders with all their files: no rooms of a folder import each
//! other in a circle, and where an order is stated, a room imports only from those below it. The compiler keeps the order
//! of the crates.
//!
//! An import counts for the file that defines the name, not for a `mod.rs` that only hands it on. Test files, and the
//! modules of tests at the ends of files, may import everything.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders, and the layers of what stands in them from the lowest to the highest. Rooms of one layer do not import each
/// other.
const LAYERS: [(&str, &[&[&str]]); 7] = [
    (
        "src/core",
        &[
            &["random", "page", "progress", "names", "stop"],
            &["board"],
            &["bits", "solve"],
            &["catalogue"],
            &["generate", "dig", "ladder", "explainer", "whip"],
            &["coverage", "steps", "effort"],
        ],
    ),
    (
        "src/core/ladder",
        &[
            &["words"],
            &["position"],
            &["als", "basics", "chains", "exotic", "fish", "single_digit", "uniqueness"],
            &["climb"],
        ],
    ),
    ("src/store", &[&["corpus"], &["study"]]),
    ("src/store/corpus", &[&["values"], &["files"], &["sql", "request", "published"], &["folder"]]),
    (
        "src/press",
        &[
            &["tally"],
            &["error", "draw"],
            &["calendar", "picture", "index"],
            &["words", "choice"],
            &["formats", "release", "book"],
        ],
    ),
    (
        "src/press/book",
        &[
            &["trim"],
            &["printer"],
            &["error", "flow"],
            &["options"],
            &["sheet"],
            &["text"],
            &["pages"],
            &["pdf"],
            &["epub", "play"],
            &["make", "cover"],
        ],
    ),
    ("src", &[&["guide", "library"], &["nights"], &["cli"]]),
];

/// The folders of the crates.
const CRATES: [&str; 4] = ["src/core", "src/store", "src/press", "src"];

/// Names that stand in no file of a crate outside of tests: what its rooms do not do.
const ABSENT: [(&str, &[&str]); 4] = [
    ("src/core", &["fs", "stdin", "stdout", "stderr", "println", "eprintln", "SystemTime", "exit", "set_hook", "clap"]),
    ("src/store", &["stderr", "println", "eprintln", "exit", "set_hook", "pdf_writer", "ttf_parser"]),
    ("src/press", &["stdin", "stdout", "stderr", "println", "eprintln", "exit", "set_hook", "rusqlite", "polars"]),
    ("src", &["rusqlite", "polars", "pdf_writer", "ttf_parser"]),
];

/// The same for all crates.
const NOWHERE: [&str; 4] = ["set_current_dir", "set_var", "TcpStream", "UdpSocket"];

/// A file, and what it says of others.
#[derive(Default)]
struct Source {
    path: PathBuf,
    /// The names of its modules from the root of the crate: `["corpus", "sql"]`.
    module: Vec<String>,
    /// Modules that have files of their own.
    children: Vec<String>,
    defined: BTreeSet<String>,
    /// Imports: the name under which each is known here, `*` for all of a module, and its path.
    imports: Vec<(String, Vec<String>)>,
    /// All paths that stand anywhere, with those of imports.
    paths: Vec<Vec<String>>,
    macros: Vec<String>,
}

/// The words and signs of a text, without comments and strings, up to the module of tests at its end.
fn tokens(text: &str) -> Vec<String> {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let mut tokens = Vec::new();
    let mut rest = &text[..end];
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let raw = rest.starts_with("r\"") || rest.starts_with("r#\"");
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if raw {
            let close = if rest.starts_with("r#") { "\"#" } else { "\"" };
            let start = rest.find('"').unwrap() + 1;
            rest[start..].find(close).map_or(rest.len(), |place| start + place + close.len())
        } else if first == '"' {
            let mut escaped = false;
            let close = rest[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            });
            close.map_or(rest.len(), |place| place + 2)
        } else if first == '\'' {
            // A character, or else a lifetime.
            let inner = rest[1..].chars().next().map_or(0, char::len_utf8);
            match rest[1..].starts_with('\\') {
                true => rest[3..].find('\'').map_or(rest.len(), |place| place + 4),
                false if rest[1 + inner..].starts_with('\'') => inner + 2,
                false => 1,
            }
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        if word(first) && !raw || "!{}(),;*:".contains(first) {
            tokens.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// All paths of a tree such as `a::{b, c::*}`, each with the name that it gets. Returns the place behind the tree.
fn tree(tokens: &[String], mut at: usize, start: &[String], found: &mut Vec<(String, Vec<String>)>) -> usize {
    let mut path = start.to_vec();
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("{") => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    at = tree(tokens, at, &path, found).max(at + 1);
                    at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
                }
                return at + 1;
            }
            Some("*") => {
                found.push(("*".to_owned(), path));
                return at + 1;
            }
            Some(name) if is_name(name) => {
                if name != "self" || path.is_empty() {
                    path.push(name.to_owned());
                }
                at += 1;
            }
            _ => return at,
        }
        if tokens.get(at).is_none_or(|token| token != "::") {
            let alias = tokens.get(at).filter(|token| *token == "as").and_then(|_| tokens.get(at + 1));
            found.push((alias.unwrap_or(&path[path.len() - 1]).clone(), path));
            return at + if alias.is_some() { 2 } else { 0 };
        }
        at += 1;
    }
}

fn read(path: &Path, module: Vec<String>) -> Source {
    let text = fs::read_to_string(path).unwrap();
    let tokens = tokens(&text);
    let mut source = Source { path: path.to_owned(), module, ..Source::default() };
    let mut at = 0;
    while at < tokens.len() {
        let (token, next) = (tokens[at].as_str(), tokens.get(at + 1).map_or("", String::as_str));
        let before = at.checked_sub(1).map_or("", |before| tokens[before].as_str());
        match token {
            "use" => {
                let from = source.imports.len();
                at = tree(&tokens, at + 1, &[], &mut source.imports);
                source.paths.extend(source.imports[from..].iter().map(|(_, path)| path.clone()));
                continue;
            }
            "mod" if tokens.get(at + 2).is_some_and(|token| token == ";") => source.children.push(next.to_owned()),
            "macro_rules" => source.macros.extend(tokens.get(at + 2).cloned()),
            "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" | "mod" if is_name(next) => {
                source.defined.insert(next.to_owned());
            }
            name if is_name(name) && next == "::" && before != "::" => {
                let mut found = Vec::new();
                at = tree(&tokens, at, &[], &mut found);
                source.paths.extend(found.into_iter().map(|(_, path)| path));
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    source
}

/// Reads a file and those of its modules. Tests are left out.
fn read_all(path: &Path, module: Vec<String>, all: &mut Vec<Source>) {
    let source = read(path, module.clone());
    let (folder, name) = (path.parent().unwrap(), path.file_stem().unwrap().to_str().unwrap());
    let text = fs::read_to_string(path).unwrap();
    let folder = if ["lib", "main", "mod"].contains(&name) { folder.to_owned() } else { folder.join(name) };
    for child in &source.children {
        let files = [folder.join(format!("{child}.rs")), folder.join(child).join("mod.rs")];
        let is_test =
            ["", "pub(crate) "].iter().any(|sight| text.contains(&format!("#[cfg(test)]\n{sight}mod {child};")));
        if let Some(file) = files.iter().find(|file| file.exists()).filter(|_| !is_test) {
            read_all(file, [&module[..], std::slice::from_ref(child)].concat(), all);
        }
    }
    all.push(source);
}

/// The files of a crate, by their modules.
struct Crate {
    sources: Vec<Source>,
    at: BTreeMap<Vec<String>, usize>,
}

impl Crate {
    fn read(folder: &Path) -> Crate {
        let mut sources = Vec::new();
        let roots = ["lib.rs", "main.rs"].map(|name| folder.join(name));
        roots.iter().filter(|root| root.exists()).for_each(|root| read_all(root, Vec::new(), &mut sources));
        let at = sources.iter().enumerate().map(|(number, source)| (source.module.clone(), number)).collect();
        Crate { sources, at }
    }

    /// The file that defines what a path means in a file, if it stands in this crate.
    fn definition(&self, from: usize, path: &[String], depth: usize) -> Option<usize> {
        let source = &self.sources[from];
        let mut module = source.module.clone();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => {
                module.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    module.pop()?;
                    rest = &rest[1..];
                }
            }
            name if source.children.iter().any(|child| child == name) => {}
            name => {
                let import = source.imports.iter().find(|(known, path)| known == name && path[0] != *name);
                return import.and_then(|(_, path)| self.definition(from, path, depth.checked_sub(1)?));
            }
        }
        if let ["crate", name] = path.iter().map(String::as_str).collect::<Vec<_>>()[..]
            && let Some(file) = self.sources.iter().position(|source| source.macros.iter().any(|known| known == name))
        {
            return Some(file);
        }
        while let Some(name) = rest.first() {
            module.push(name.clone());
            if !self.at.contains_key(&module) {
                module.pop();
                break;
            }
            rest = &rest[1..];
        }
        let file = *self.at.get(&module)?;
        let Some(name) = rest.first() else { return Some(file) };
        if self.sources[file].defined.contains(name) {
            return Some(file);
        }
        let depth = depth.checked_sub(1)?;
        let imports = || self.sources[file].imports.iter();
        if let Some((_, path)) = imports().find(|(known, _)| known == name) {
            // What another crate defines is no import between files of this one.
            return self.definition(file, path, depth);
        }
        let all = imports().filter(|(known, _)| known == "*");
        let mut named = all.map(|(_, path)| [&path[..], std::slice::from_ref(name)].concat());
        named
            .find_map(|path| {
                self.definition(file, &path, depth).filter(|&file| self.sources[file].defined.contains(name))
            })
            .or(Some(file))
    }

    /// For each file, the files that it imports, each with one of the paths.
    fn imports(&self) -> Vec<BTreeMap<usize, String>> {
        let of = |from: usize| {
            let paths = self.sources[from].paths.iter();
            let files = paths.filter_map(|path| Some((self.definition(from, path, 8)?, path.join("::"))));
            files.filter(|&(file, _)| file != from).collect()
        };
        (0..self.sources.len()).map(of).collect()
    }
}

/// What stands in a folder: a file, or a folder with all its files.
type Room = Vec<String>;

/// The imports between the rooms of each folder, each with one that shows it. A `mod.rs` is the door of its folder: it
/// may use all files behind it, and they may use what stands in it.
fn rooms(all: &Crate) -> BTreeMap<Room, BTreeMap<(Room, Room), String>> {
    let mut rooms: BTreeMap<Room, BTreeMap<(Room, Room), String>> = BTreeMap::new();
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (from, imports) in all.imports().into_iter().enumerate() {
        for (to, path) in imports {
            let (above, below) = (&all.sources[from], &all.sources[to]);
            let shared = above.module.iter().zip(&below.module).take_while(|(one, other)| one == other).count();
            if shared < above.module.len().min(below.module.len()) {
                let names = [above, below].map(|source| source.path.strip_prefix(top).unwrap().display().to_string());
                let ends = (above.module[..=shared].to_vec(), below.module[..=shared].to_vec());
                let text = format!("  {} -> {}: {path}\n", names[0], names[1]);
                rooms.entry(above.module[..shared].to_vec()).or_default().entry(ends).or_default().push_str(&text);
            }
        }
    }
    rooms
}

/// The rooms that can be reached from one.
fn reach<'a>(from: &'a Room, imports: &'a BTreeMap<(Room, Room), String>, reached: &mut BTreeSet<&'a Room>) {
    for (_, to) in imports.keys().filter(|(above, _)| above == from) {
        if reached.insert(to) {
            reach(to, imports, reached);
        }
    }
}

#[test]
fn no_rooms_import_each_other_in_a_circle() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = String::new();
    for folder in CRATES {
        let all = Crate::read(&top.join(folder));
        assert!(all.imports().iter().map(BTreeMap::len).sum::<usize>() > 20, "{folder}: hardly an import was found");
        let mut circles = BTreeMap::new();
        for imports in rooms(&all).values() {
            let reached = |room| {
                let mut reached = BTreeSet::new();
                reach(room, imports, &mut reached);
                reached
            };
            let from_each: BTreeMap<&Room, BTreeSet<&Room>> =
                imports.keys().map(|(room, _)| (room, reached(room))).collect();
            let both = |one: &Room, other: &Room| {
                let reaches = |one: &Room, other: &Room| from_each.get(one).is_some_and(|found| found.contains(other));
                reaches(one, other) && reaches(other, one)
            };
            for (ends, text) in imports.iter().filter(|((one, other), _)| both(one, other)) {
                let circle: Vec<String> =
                    from_each.keys().filter(|room| both(room, &ends.0)).map(|room| room.join("/")).collect();
                circles.entry(circle).or_insert_with(String::new).push_str(text);
            }
        }
        if !circles.is_empty() {
            wrong += &format!("{folder}: {} circles\n", circles.len());
            let lines = circles.iter().map(|(circle, text)| format!(" circle of {}\n{text}", circle.join(" ")));
            wrong.extend(lines);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn rooms_import_only_from_layers_below() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wrong = String::new();
    for (folder, layers) in LAYERS {
        let roots = CRATES.iter().filter(|root| folder.starts_with(**root));
        let root = roots.max_by_key(|root| root.len()).unwrap();
        let module: Room = folder[root.len()..].split('/').skip(1).map(str::to_owned).collect();
        let all = rooms(&Crate::read(&top.join(root)));
        let layer = |room: &Room| {
            let name = room.last().unwrap();
            let place = layers.iter().position(|rooms| rooms.contains(&name.as_str()));
            place.unwrap_or_else(|| panic!("{folder}: {name} has no layer"))
        };
        let imports = all.get(&module).unwrap_or_else(|| panic!("{folder}: no imports found"));
        imports.iter().filter(|((above, below), _)| layer(below) >= layer(above)).for_each(|(_, text)| wrong += text);
    }
    assert!(wrong.is_empty(), "these go up:\n{wrong}");
}

#[test]
fn no_crate_names_what_is_not_its_own() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (folder, names) in ABSENT {
        for source in Crate::read(&top.join(folder)).sources {
            let tokens = tokens(&fs::read_to_string(&source.path).unwrap());
            let absent = |token: &&String| names.iter().chain(&NOWHERE).any(|name| name == *token);
            let found: Vec<&String> = tokens.iter().filter(absent).collect();
            assert!(found.is_empty(), "{} names {found:?}", source.path.display());
        }
    }
}

/// All Rust files below a folder.
fn visit(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.is_dir() {
            true => visit(&entry, found),
            false if entry.extension().is_some_and(|ending| ending == "rs") => found.push(entry),
            false => {}
        }
    }
}

/// A package has only the files in the folder of its crate. Tests are not built from it.
#[test]
fn what_a_crate_includes_stands_in_its_folder() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
    let mut all = Vec::new();
    visit(&top.join("src"), &mut all);
    all.retain(|file| !file.strip_prefix(&top).unwrap().iter().any(|folder| folder == "tests"));
    let package = |path: &Path| CRATES[..3].iter().find(|folder| path.starts_with(top.join(folder)));
    let mut included = 0;
    for file in all {
        let text = fs::read_to_string(&file).unwrap();
        for name in ["include_str!(\"", "include_bytes!(\""].iter().flat_map(|call| text.split(call).skip(1)) {
            let path = file.parent().unwrap().join(name.split_once('"').unwrap().0).canonicalize().unwrap();
            let stands = path.starts_with(&top) && package(&path) == package(&file);
            assert!(stands, "{} includes {}, which its package lacks", file.display(), path.display());
            included += 1;
        }
    }
    assert!(included > 10, "hardly a file is included");
}

/// A type that other files of its crate see has a name of its own there. The arguments of each command are its `Args`.
#[test]
fn a_name_of_a_type_stands_once_in_a_crate() {
    const KINDS: [&str; 5] = ["struct", "enum", "trait", "type", "union"];
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in CRATES {
        let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for source in Crate::read(&top.join(folder)).sources {
            let text = fs::read_to_string(&source.path).unwrap();
            for line in text.lines().filter(|line| line.starts_with("pub")) {
                let mut words = line.split(|sign: char| !sign.is_alphanumeric() && sign != '_');
                if words.any(|word| KINDS.contains(&word))
                    && let Some(name) = words.find(|word| !word.is_empty())
                {
                    files.entry(name.to_owned()).or_default().push(source.path.clone());
                }
            }
        }
        files.remove("Args");
        files.retain(|_, files| files.iter().collect::<BTreeSet<_>>().len() > 1);
        assert!(files.is_empty(), "{files:#?}");
    }
}

/// The examples in a file's documentation. They are compiled as programs outside the crate.
fn examples(text: &str) -> String {
    let mut inside = false;
    let keep = |line: &&str| {
        inside = line.starts_with("//") && inside != line.contains("```");
        inside
    };
    text.lines().map(str::trim_start).filter(keep).collect::<Vec<_>>().join("\n")
}

/// What only one crate uses is not public. Types may be: they stand in the signatures of what others call.
#[test]
fn public_functions_and_constants_are_named_outside_their_crate() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    visit(&top.join("src"), &mut found);
    visit(&top.join("tests"), &mut found);
    visit(&top.join("scripts"), &mut found);
    let texts: Vec<(PathBuf, String)> =
        found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect()
    };
    let mut unnamed = Vec::new();
    for folder in &CRATES[..3] {
        let own = top.join(folder);
        let outside: BTreeSet<String> = texts
            .iter()
            .flat_map(|(path, text)| match path.starts_with(&own) {
                true => words(&examples(text)),
                false => words(text),
            })
            .collect();
        for source in Crate::read(&own).sources {
            let tokens = tokens(&fs::read_to_string(&source.path).unwrap());
            for at in (0..tokens.len()).filter(|&at| tokens[at] == "pub" && tokens[at + 1] != "(") {
                let place = (at + 1..at + 4).find(|&at| {
                    ["fn", "const"].contains(&&*tokens[at]) && is_name(&tokens[at + 1]) && tokens[at + 1] != "fn"
                });
                let name = place.map(|place| &tokens[place + 1]);
                unnamed.extend(
                    name.filter(|name| !outside.contains(*name)).map(|name| (source.path.clone(), name.clone())),
                );
            }
        }
    }
    assert!(unnamed.is_empty(), "these are public, and no other crate names them: {unnamed:#?}");
}
