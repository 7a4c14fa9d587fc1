//! What a program may ask about its own libraries and bindings (`(tein introspect)`), and the
//! libraries that it registers as text (`(tein modules)`).

use crate::error::{ErrorKind, Raise, Res, fail, raise};
use crate::library::{is_embedded, name_of, path_of, shown, source};
use crate::reader::{Reader, Source};
use crate::syntax::environment::Lookup;
use crate::syntax::{Denotation, EnvId, ScopeRef};
use crate::text::Text;
use crate::value::{Kind, Word};
use crate::vm::Vm;

/// The environment of the program: the first after the engine's own.
pub(crate) const PROGRAM_ENV: EnvId = 1;

impl Vm {
    /// Answers one question: `what` names it.
    pub(crate) fn introspect(&mut self, what: Word, about: Word) -> Res {
        let question = self.cx.heap.symbol_name(what).unwrap_or_default();
        match question {
            "available-modules" => self.available_modules(),
            "imported-modules" => {
                let imports = self.syntax.envs[PROGRAM_ENV as usize].imports.clone();
                let names: Vec<Word> = imports
                    .iter()
                    .filter(|p| !p.ends_with("/docs"))
                    .map(|p| name_of(&mut self.cx.heap, p))
                    .collect();
                Ok(self.cx.heap.list(&names))
            }
            "module-exports" => self.module_exports(about),
            "module-registered?" => {
                Ok(Word::bool(path_of(&self.cx.heap, about).is_some_and(|p| {
                    self.syntax.libraries.own.contains(&p) || is_known(&p)
                })))
            }
            "env-bindings" => self.env_bindings(about),
            "binding-kind" => Ok(self.binding_kind(about)),
            "binding-value" => Ok(match self.binding(about) {
                Some(Denotation::Global(g)) => self.globals.values[g as usize],
                _ => Word::FALSE,
            }),
            "binding-module" => Ok(self.binding_module(about)),
            "interaction-environment" => Ok(self
                .cx
                .heap
                .block(Kind::Environment, &[Word::fix(i64::from(PROGRAM_ENV))])),
            _ => fail("%introspect: unknown question", &[what]),
        }
    }

    fn available_modules(&mut self) -> Res {
        let paths = self.syntax.libraries.available();
        self.cx.spend(paths.len() as u64)?;
        let names: Vec<Word> = paths
            .iter()
            .filter(|p| !p.ends_with("/docs"))
            .map(|p| name_of(&mut self.cx.heap, p))
            .collect();
        Ok(self.cx.heap.list(&names))
    }

    /// The names that a library exports, without loading it.
    fn module_exports(&mut self, name: Word) -> Res {
        let path = match self.cx.heap.list_items(name) {
            Some(items) if !items.is_empty() => path_of(&self.cx.heap, name),
            _ => None,
        };
        let Some(path) = path else {
            return fail(
                "module-exports: expected a module name such as (scheme base)",
                &[name],
            );
        };
        if !self.syntax.libraries.is_available(&path) {
            let why = if is_known(&path) {
                format!(
                    "module-exports: module {} not available in current context",
                    shown(&path)
                )
            } else {
                format!("module-exports: unknown module {}", shown(&path))
            };
            return fail(why, &[]);
        }
        let names: Vec<Word> = match self.syntax.libraries.loaded.get(&path) {
            Some(library) => library.exports.iter().map(|(n, _)| *n).collect(),
            None => self.declared_exports(&path)?,
        };
        self.cx.spend(names.len() as u64)?;
        let mut named: Vec<(String, Word)> = names
            .into_iter()
            .map(|n| {
                let text = self.cx.heap.symbol_name(n).unwrap_or_default();
                (text.to_owned(), n)
            })
            .collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        named.dedup_by(|a, b| a.0 == b.0);
        let names: Vec<Word> = named.into_iter().map(|n| n.1).collect();
        Ok(self.cx.heap.list(&names))
    }

    /// The export declarations of an embedded library, read from its text.
    fn declared_exports(&mut self, path: &str) -> Res<Vec<Word>> {
        let Some(text) = source(path) else {
            return Ok(Vec::new());
        };
        self.cx.spend(text.len() as u64 / 16)?;
        let text = Text::from(text.as_str());
        let mut places = crate::heap::FixedMap::default();
        let mut source = Source::new(&text);
        let mut reader = Reader {
            source: &mut source,
            file: 0,
        };
        let form = match reader.read(&mut self.cx.heap, &mut places) {
            Ok(Some(form)) => form,
            _ => return Ok(Vec::new()),
        };
        let heap = &self.cx.heap;
        let mut names = Vec::new();
        for declaration in heap.list_items(form).unwrap_or_default().iter().skip(2) {
            let items = heap.list_items(*declaration).unwrap_or_default();
            let keyword = items.first().and_then(|k| heap.symbol_name(*k));
            if keyword == Some("export") {
                for spec in &items[1..] {
                    // `(rename inner outer)` exports the outer name.
                    match heap.list_items(*spec).filter(|_| spec.is_pair()) {
                        Some(rename) => names.extend(rename.get(2)),
                        None => names.push(*spec),
                    }
                }
            }
        }
        Ok(names)
    }

    /// Names that the program's environment binds and what each is, sorted; all of them, or those
    /// that begin with a prefix.
    fn env_bindings(&mut self, prefix: Word) -> Res {
        let prefix = match self.cx.heap.as_text(prefix) {
            Some(t) => t.to_utf8(),
            None if prefix == Word::FALSE => String::new(),
            None => return fail("env-bindings: expected a string prefix", &[prefix]),
        };
        let bindings = &self.syntax.envs[PROGRAM_ENV as usize].bindings;
        let mut names: Vec<(String, Word)> = bindings
            .keys()
            .filter_map(|n| Some((self.cx.heap.symbol_name(*n)?.to_owned(), *n)))
            .filter(|(text, _)| text.starts_with(&prefix))
            .collect();
        self.cx.spend(names.len() as u64)?;
        names.sort_by(|a, b| a.0.cmp(&b.0));
        let mut entries = Vec::with_capacity(names.len());
        for (_, name) in names {
            let kind = self.binding_kind(name);
            if kind != Word::FALSE {
                entries.push(self.cx.heap.cons(name, kind));
            }
        }
        Ok(self.cx.heap.list(&entries))
    }

    fn binding(&self, name: Word) -> Option<Denotation> {
        let scope = ScopeRef::Top(PROGRAM_ENV);
        match self.syntax.lookup(&self.cx.heap, name, &scope) {
            Lookup::Bound(d) => Some(d),
            Lookup::Free(..) => None,
        }
    }

    /// `procedure`, `syntax` or `variable`; `#f` for a name that nothing binds.
    fn binding_kind(&mut self, name: Word) -> Word {
        let kind = match self.binding(name) {
            Some(Denotation::Global(g)) => match self.globals.values[g as usize] {
                Word::UNBOUND => return Word::FALSE,
                v if crate::prims::is_procedure(v) => "procedure",
                _ => "variable",
            },
            Some(_) => "syntax",
            None => return Word::FALSE,
        };
        self.cx.heap.symbol(kind)
    }

    /// The name of a library that exports this very binding, or `#f`: one that the program
    /// imported when there is one.
    fn binding_module(&mut self, name: Word) -> Word {
        let Some(bound) = self.binding(name) else {
            return Word::FALSE;
        };
        let libraries = &self.syntax.libraries;
        let provides = |path: &String| {
            let library = libraries.loaded.get(path);
            library.is_some_and(|l| l.exports.iter().any(|(n, d)| *n == name && d.same(&bound)))
        };
        let imported = self.syntax.envs[PROGRAM_ENV as usize]
            .imports
            .iter()
            .find(|p| provides(p))
            .cloned();
        let found = imported.or_else(|| {
            let mut loaded = libraries.loaded.keys();
            loaded
                .find(|p| libraries.allowed(p) && provides(p))
                .cloned()
        });
        match found {
            Some(path) => name_of(&mut self.cx.heap, &path),
            None => Word::FALSE,
        }
    }

    /// `(register-module text)`: the text is one `define-library`.
    pub(crate) fn register_module(&mut self, text: Word) -> Res {
        let refuse = |why: String| {
            Err(raise(
                ErrorKind::Error,
                format!("register_module: {why}"),
                &[],
            ))
        };
        let text = self.cx.text(text)?.clone();
        self.cx.spend(text.len() as u64 / 4)?;
        let mut places = crate::heap::FixedMap::default();
        let mut source = Source::new(&text);
        let mut read = || {
            let mut reader = Reader {
                source: &mut source,
                file: 0,
            };
            reader.read(&mut self.cx.heap, &mut places)
        };
        let form = match (read(), read()) {
            (Ok(Some(form)), Ok(None)) => form,
            (Ok(Some(_)), Ok(Some(_))) => {
                return refuse("the source must be one define-library form".to_owned());
            }
            (Err(e), _) | (_, Err(e)) if e.memory => {
                return Err(Box::new(Raise::Limit(crate::error::Limit::Memory)));
            }
            (Err(e), _) | (_, Err(e)) => {
                return refuse(format!("{}:{}: {}", e.line, e.column, e.message));
            }
            _ => return refuse("the source is empty".to_owned()),
        };
        let items = self.cx.heap.list_items(form).unwrap_or_default();
        let keyword = items.first().and_then(|k| self.cx.heap.symbol_name(*k));
        if keyword != Some("define-library") {
            return refuse("the source must be one define-library form".to_owned());
        }
        if let Some(path) = items.get(1).and_then(|n| path_of(&self.cx.heap, *n))
            && (is_embedded(&path) || is_known(&path))
        {
            return refuse(format!(
                "module '{path}' already exists as a built-in module"
            ));
        }
        for declaration in items.iter().skip(2) {
            let head = self.cx.heap.list_items(*declaration).unwrap_or_default();
            let word = head.first().and_then(|k| self.cx.heap.symbol_name(*k));
            if word.is_some_and(|w| w.starts_with("include")) {
                return refuse(
                    "the library must use begin, there are no files to include".to_owned(),
                );
            }
        }
        let outer = std::mem::replace(&mut self.registering, true);
        let defined = self.define_library(form, None);
        self.registering = outer;
        defined.map(|()| Word::TRUE)
    }
}

/// Is this the path of a library that there may be for programs, whether or not this one may have it?
fn is_known(path: &str) -> bool {
    crate::sandbox::registry().any(|(p, _)| p == path)
}
