//! `docs/modules.md` says which libraries of the reference a tool may import and what they lack.
//! It is made from what imports here; this test fails when it is stale. To write it anew:
//!
//! ```text
//! TEIN_WRITE_DOCS=1 cargo test -p tein --test modules
//! ```
//!
//! `data/modules.tsv` lists the reference's libraries, `data/exports.tsv` the names that most of
//! those export, and `data/kinds.tsv` which of those names are syntax or plain values by the
//! document that describes the library (all others are procedures).

#![allow(clippy::expect_used, clippy::panic)] // a broken fixture is a failed test

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use tein::sandbox::{Modules, registry};
use tein::{Context, Value};

/// Path and whether `Modules::Safe` admits it, in the order of the reference.
fn reference() -> Vec<(&'static str, bool)> {
    include_str!("data/modules.tsv")
        .lines()
        .skip(1)
        .map(|line| {
            let mut columns = line.split('\t');
            let path = columns.next().expect("a path");
            (path, columns.next() == Some("yes"))
        })
        .collect()
}

/// The names that each library of the reference exports, where they are known.
fn exports() -> BTreeMap<String, BTreeSet<&'static str>> {
    include_str!("data/exports.tsv")
        .lines()
        .filter_map(|line| {
            let (name, names) = line.split_once('\t')?;
            // What could not be imported there has no list of names.
            if names.starts_with("ERR ") {
                return None;
            }
            let path = name
                .trim_matches(|c| c == '(' || c == ')')
                .replace(' ', "/");
            Some((path, names.split_whitespace().collect()))
        })
        .collect()
}

fn shown(path: &str) -> String {
    format!("({})", path.replace('/', " "))
}

fn context() -> Context {
    Context::builder()
        .standard_env()
        .sandboxed(Modules::Safe)
        .build()
        .expect("the engine boots")
}

/// The names that a library exports here; none when it does not import.
fn exported(context: &mut Context, path: &str) -> Option<BTreeSet<String>> {
    let name = shown(path);
    let code = format!("(import (prefix {name} probe:)) (module-exports '{name})");
    match context.evaluate(&code).ok()? {
        Value::List(names) => Some(names.iter().map(ToString::to_string).collect()),
        _ => Some(BTreeSet::new()),
    }
}

/// Names that are there in a way that an export list does not show, or that no program can use.
const NOT_NAMES: &[&str] = &["..."];

fn table() -> String {
    let known = exports();
    let mut context = context();
    context
        .evaluate("(import (tein introspect))")
        .expect("introspection imports");
    let mut rows = String::new();
    let mut absent = Vec::new();
    let (mut safe, mut present, mut complete) = (0, 0, 0);
    for (path, _) in reference().into_iter().filter(|m| m.1) {
        safe += 1;
        let Some(names) = exported(&mut context, path) else {
            absent.push(shown(path));
            continue;
        };
        present += 1;
        let missing: Vec<&str> = known.get(path).map_or_else(Vec::new, |wanted| {
            wanted
                .iter()
                .filter(|n| !names.contains(**n) && !NOT_NAMES.contains(n))
                .copied()
                .collect()
        });
        let lack = match (known.contains_key(path), missing.is_empty()) {
            (false, _) => "not compared".to_owned(),
            (true, true) => {
                complete += 1;
                "nothing".to_owned()
            }
            (true, false) => missing
                .iter()
                .map(|n| format!("`{n}`"))
                .collect::<Vec<_>>()
                .join(" ")
                .replace('|', "\\|"),
        };
        let _ = writeln!(rows, "| `{}` | {} | {lack} |", shown(path), names.len());
    }
    let mut out = format!(
        "# Libraries\n\n\
         Which libraries a sandboxed tool may import. Made by `TEIN_WRITE_DOCS=1 cargo test -p tein --test modules`\n\
         from what imports; a test fails when it is stale.\n\n\
         The reference admits {safe} libraries to the sandbox. Of these {present} are here; {complete} have every name\n\
         that the reference is known to export, those marked *not compared* could not be compared.\n\
         Libraries of the operating system (`(tein file)`, `(chibi shell)` and the like) import and refuse when used.\n\n\
         | library | names | lacks |\n|---|---:|---|\n{rows}"
    );
    let _ = write!(out, "\n## Not here\n\n");
    if absent.is_empty() {
        out.push_str("Nothing is missing.\n");
    }
    for name in &absent {
        let _ = writeln!(out, "- `{name}`");
    }
    out.push_str("\n## Left out of the sandbox\n\n");
    out.push_str(
        "These need an allowance of their own, or are for the reference's tests only:\n\n",
    );
    for (path, _) in registry().filter(|(_, safe)| !safe) {
        let _ = writeln!(out, "- `{}`", shown(path));
    }
    out
}

#[test]
fn the_table_of_libraries_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/modules.md");
    let now = table();
    if std::env::var_os("TEIN_WRITE_DOCS").is_some() {
        std::fs::write(&path, &now).expect("the table is written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some((line, (had, has))) = (committed.lines().chain([""; 9999]))
        .zip(now.lines().chain([""; 9999]))
        .enumerate()
        .find(|(_, (a, b))| a != b)
    {
        panic!(
            "docs/modules.md is stale at line {}: it has {had:?}, but {has:?} is so; \
             write it with TEIN_WRITE_DOCS=1 cargo test -p tein --test modules",
            line + 1
        );
    }
}

/// What a name is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Procedure,
    Syntax,
    Value,
}

/// The names of a library that are not procedures, by the document that describes it.
fn not_procedures() -> BTreeMap<String, BTreeMap<&'static str, Bound>> {
    let mut all: BTreeMap<String, BTreeMap<_, _>> = BTreeMap::new();
    for line in include_str!("data/kinds.tsv").lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [library, kind, names] = columns[..] else {
            panic!("data/kinds.tsv: not three columns: {line:?}");
        };
        let kind = match kind {
            "syntax" => Bound::Syntax,
            "value" => Bound::Value,
            _ => panic!("data/kinds.tsv: {kind:?} is neither syntax nor value"),
        };
        let path = library.trim_matches(['(', ')']).replace(' ', "/");
        let known = all.entry(path).or_default();
        for name in names.split(' ') {
            assert!(
                known.insert(name, kind).is_none(),
                "{library}: {name} is listed twice"
            );
        }
    }
    all
}

/// What a name means in an environment that has only this library's exports, under a prefix.
fn bound(context: &mut Context, name: &str) -> Result<Bound, String> {
    // A name may need bars, which the prefix goes into.
    let name = match name.strip_prefix('|') {
        Some(rest) => format!("|k:{rest}"),
        None => format!("k:{name}"),
    };
    match context.evaluate(&format!("(if (procedure? {name}) 'procedure 'value)")) {
        Ok(kind) if kind.to_string() == "procedure" => Ok(Bound::Procedure),
        Ok(_) => Ok(Bound::Value),
        Err(e) if e.to_string().contains("invalid use of syntax as value") => Ok(Bound::Syntax),
        // A keyword that stands for an expression, used alone.
        Err(e) if e.to_string().contains("no expansion for") => Ok(Bound::Syntax),
        Err(e) => Err(e.to_string()),
    }
}

#[test]
fn every_known_export_of_the_sandbox_is_there_and_of_its_kind() {
    let kinds = not_procedures();
    let known = exports();
    let admitted: BTreeMap<&str, bool> = reference().into_iter().collect();
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (path, names) in &known {
        if admitted.get(path.as_str()) != Some(&true) {
            continue;
        }
        let mut context = context();
        let import = format!("(import (scheme base) (prefix {} k:))", shown(path));
        if let Err(e) = context.evaluate(&import) {
            wrong.push(format!("{}: does not import: {e}", shown(path)));
            continue;
        }
        let listed = kinds.get(path);
        for name in listed.into_iter().flat_map(BTreeMap::keys) {
            if !names.contains(name) {
                wrong.push(format!(
                    "{}: {name} has a kind but is no export",
                    shown(path)
                ));
            }
        }
        for name in names.iter().filter(|n| !NOT_NAMES.contains(n)) {
            compared += 1;
            let want = listed
                .and_then(|l| l.get(name))
                .copied()
                .unwrap_or(Bound::Procedure);
            match bound(&mut context, name) {
                Ok(kind) if kind == want => {}
                Ok(kind) => wrong.push(format!(
                    "{}\t{name}\tis {kind:?}, should be {want:?}",
                    shown(path)
                )),
                Err(e) => wrong.push(format!("{}\t{name}\t{e}", shown(path))),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared} names:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    println!("{compared} names of {} libraries", known.len());
}

#[test]
fn the_sandbox_admits_what_the_reference_admits() {
    let here: BTreeMap<&str, bool> = registry().collect();
    let there: BTreeMap<&str, bool> = reference().into_iter().collect();
    for (path, safe) in &there {
        match here.get(path) {
            Some(found) => assert_eq!(found, safe, "{path}"),
            // The reference's own test suites are not for programs.
            None => assert!(path.ends_with("/test") || path.ends_with("-test"), "{path}"),
        }
    }
    for path in here.keys() {
        assert!(
            there.contains_key(path) || path.starts_with("harness/"),
            "{path} is not a library of the reference"
        );
    }
}

/// A library that is embedded but for other libraries only cannot be imported, whatever is allowed.
#[test]
fn every_importable_library_is_in_the_registry() {
    let known: BTreeSet<&str> = registry().map(|(path, _)| path).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib");
    let mut folders = vec![root.clone()];
    let mut context = Context::builder()
        .standard_env()
        .build()
        .expect("the engine boots");
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "sld") {
                let name = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
                let name = name.to_string_lossy().replace('\\', "/");
                let imports = context.evaluate(&format!("(import (prefix {} p:))", shown(&name)));
                assert_eq!(
                    imports.is_ok(),
                    known.contains(name.as_str()),
                    "{name}: {imports:?}"
                );
            }
        }
    }
}
