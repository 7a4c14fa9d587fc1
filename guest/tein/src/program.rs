//! Programs and libraries: top-level forms are read, expanded, compiled and run one by one.

use crate::code::{Op, Pos, Proto};
use crate::compile::{Unit, compile};
use crate::error::{ErrorKind, Limit, Raise, Res, raise};
use crate::library::{CORE, Library, is_embedded, path_of, shown, source};
use crate::reader::{Reader, Source};
use crate::syntax::ast::{Lambda, Node, Var};
use crate::syntax::environment::Entry;
use crate::syntax::expand::{CORE_ENV, Expander, TopForm};
use crate::syntax::{Denotation, EnvId, Syntax};
use crate::text::Text;
use crate::value::{Kind, Word};
use crate::vm::{Exit, Vm};

/// Deepest nesting of libraries that import each other.
const MAX_NESTING: u32 = 40;

/// Deepest nesting of import sets.
const MAX_SETS: usize = 20;
/// What a binding of an environment is taken to hold, in bytes.
const BINDING_BYTES: usize = 64;

/// Why a program stopped before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A condition or another object that nothing handled.
    Uncaught(Word),
    Limit(Limit),
    Exited(i32),
}

impl Vm {
    /// Reads, expands and runs a whole text; the value is the last form's.
    pub(crate) fn run_text(&mut self, file: &str, text: &str, env: EnvId) -> Result<Word, Stop> {
        let text = Text::from(text);
        let file = self.syntax.file(file);
        let mut source = Source::new(&text);
        let mut value = Word::UNSPECIFIED;
        loop {
            self.syntax.places.clear();
            let datum = {
                let mut reader = Reader {
                    source: &mut source,
                    file,
                };
                reader.read(&mut self.cx.heap, &mut self.syntax.places)
            };
            match datum {
                Ok(None) => return Ok(value),
                Ok(Some(datum)) => value = self.run_form(datum, env)?,
                Err(e) if e.memory => return Err(Stop::Limit(Limit::Memory)),
                Err(e) => {
                    let at = Pos {
                        file,
                        line: e.line,
                        column: e.column,
                    };
                    return Err(Stop::Uncaught(self.condition(
                        ErrorKind::Read,
                        &e.message,
                        &[],
                        Some(at),
                    )));
                }
            }
        }
    }

    /// Runs one top-level form and whatever it splices in.
    pub(crate) fn run_form(&mut self, form: Word, env: EnvId) -> Result<Word, Stop> {
        let floor = self.pending.len();
        self.pending.push(form);
        let mut value = Word::UNSPECIFIED;
        while self.pending.len() > floor {
            if let Err(e) = self.tend() {
                self.pending.truncate(floor);
                return Err(self.stop(*e, Pos::default()));
            }
            let Some(form) = self.pending.pop() else {
                break;
            };
            let step = self.expand_top(form, env);
            match step {
                Ok((TopForm::Splice(forms), _)) => {
                    // A form that holds itself would splice without end.
                    if !self
                        .cx
                        .heap
                        .fits_now((self.pending.len() + forms.len()) * 16)
                    {
                        self.pending.truncate(floor);
                        return Err(Stop::Limit(Limit::Memory));
                    }
                    self.pending.extend(forms.iter().rev());
                }
                Ok((TopForm::Defined, _)) => value = Word::UNSPECIFIED,
                Ok((TopForm::Import(sets), pos)) => {
                    if let Err(e) = self.import_all(&sets, env) {
                        self.pending.truncate(floor);
                        return Err(self.stop(*e, pos));
                    }
                    value = Word::UNSPECIFIED;
                }
                Ok((TopForm::DefineLibrary(form), pos)) => {
                    if let Err(e) = self.define_library(form, None) {
                        self.pending.truncate(floor);
                        return Err(self.stop(*e, pos));
                    }
                    value = Word::UNSPECIFIED;
                }
                Ok((TopForm::Code(_), _)) => {}
                Err(stop) => {
                    self.pending.truncate(floor);
                    return Err(stop);
                }
            }
            if let Some(proto) = self.compiled.take() {
                let exit = if self.inside > 0 {
                    if self.registering {
                        self.registered.push(proto);
                    }
                    self.run_proto(proto)
                } else {
                    let at = self.recorded.len();
                    self.recorded.push(proto);
                    let exit = self.run_recorded(at);
                    // An image runs the bodies before the form that registers them again.
                    let bodies = std::mem::take(&mut self.registered);
                    self.recorded.splice(at..at, bodies);
                    exit
                };
                match exit {
                    Exit::Value(v) => value = v,
                    Exit::Uncaught(w) => {
                        self.pending.truncate(floor);
                        return Err(Stop::Uncaught(w));
                    }
                    Exit::Limit(l) => {
                        self.pending.truncate(floor);
                        return Err(Stop::Limit(l));
                    }
                    Exit::Exited(n) => {
                        self.pending.truncate(floor);
                        return Err(Stop::Exited(n));
                    }
                }
            }
        }
        Ok(value)
    }

    /// A stop for what went wrong outside running code.
    fn stop(&mut self, e: Raise, pos: Pos) -> Stop {
        match e {
            Raise::Error {
                kind,
                message,
                irritants,
            } => Stop::Uncaught(self.condition(kind, &message, &irritants, Some(pos))),
            Raise::Limit(l) => Stop::Limit(l),
            Raise::Collect => Stop::Limit(Limit::Memory),
            Raise::Exit(n) => Stop::Exited(n),
            Raise::Uncaught(w) | Raise::Object(w) => Stop::Uncaught(w),
            // Only the dispatch loop is suspended.
            Raise::Suspended { .. } | Raise::Serve { .. } => Stop::Exited(0),
        }
    }

    /// Expands a form; when it is code, compiles it too and leaves it in `compiled`.
    fn expand_top(&mut self, form: Word, env: EnvId) -> Result<(TopForm, Pos), Stop> {
        let mut vars = Vec::new();
        let (result, pos) = self.expand_one(form, env, &mut vars);
        let result = match result {
            Ok(TopForm::Code(node)) => self.compile_node(&mut vars, &node, pos).map(|p| {
                self.compiled = Some(p);
                TopForm::Code(Node::Const(Word::UNSPECIFIED))
            }),
            other => other,
        };
        match result {
            Ok(t) => Ok((t, pos)),
            Err(e) => Err(self.stop(*e, pos)),
        }
    }

    /// Expands a form among the variables of the forms before it, and charges for the work.
    fn expand_one(&mut self, form: Word, env: EnvId, vars: &mut Vec<Var>) -> (Res<TopForm>, Pos) {
        let limit = u64::try_from(self.cx.steps).unwrap_or(0);
        let mut e = Expander::new(self, limit);
        e.vars = std::mem::take(vars);
        let result = e.top(form, env);
        *vars = std::mem::take(&mut e.vars);
        let (work, pos) = (e.work, e.pos);
        self.cx.steps -= work as i64;
        (result, pos)
    }

    /// Compiles a tree; the result is the index of its code.
    pub(crate) fn compile_node(&mut self, vars: &mut [Var], node: &Node, pos: Pos) -> Res<u32> {
        let size = |vm: &Self| {
            vm.code.len() * size_of::<Op>()
                + vm.protos.len() * size_of::<Proto>()
                + vm.consts.len() * size_of::<Word>()
        };
        let before = size(self);
        let mut unit = Unit {
            code: &mut self.code,
            protos: &mut self.protos,
            consts: &mut self.consts,
            globals: &self.globals,
            natives: &self.natives,
            work: 0,
            limit: u64::try_from(self.cx.steps).unwrap_or(0),
            entered: self.syntax.entered,
        };
        let result = compile(&mut unit, vars, node, pos);
        let work = i64::try_from(unit.work).unwrap_or(i64::MAX);
        self.cx.steps = self.cx.steps.saturating_sub(work);
        // Code is never given back.
        let grown = size(self).saturating_sub(before);
        self.cx.heap.hold(grown);
        result
    }

    /// A procedure of no arguments that does what an expression says (`eval`).
    pub(crate) fn compile_for_eval(&mut self, form: Word, env: EnvId) -> Res {
        self.syntax.places.clear();
        let mut nodes = Vec::new();
        let mut all_vars = Vec::new();
        let mut queue = vec![form];
        let mut pos = Pos::default();
        while let Some(form) = queue.pop() {
            let (result, at) = self.expand_one(form, env, &mut all_vars);
            pos = at;
            match result? {
                TopForm::Splice(forms) => {
                    if !self.cx.heap.fits_now((queue.len() + forms.len()) * 16) {
                        return Err(Box::new(Raise::Limit(Limit::Memory)));
                    }
                    queue.extend(forms.iter().rev());
                }
                TopForm::Import(sets) => {
                    // Running a library's body may collect.
                    let floor = self.pending.len();
                    self.pending.extend(&queue);
                    nodes
                        .iter()
                        .for_each(|n| hold_constants(n, &mut self.consts));
                    let r = self.import_all(&sets, env);
                    self.pending.truncate(floor);
                    r?;
                }
                TopForm::DefineLibrary(form) => self.define_library(form, None)?,
                TopForm::Defined => {}
                TopForm::Code(node) => nodes.push(node),
            }
        }
        let body = match nodes.len() {
            0 => Node::Const(Word::UNSPECIFIED),
            1 => nodes.remove(0),
            _ => Node::Seq(nodes),
        };
        let lambda = Node::Lambda(Box::new(Lambda {
            params: Vec::new(),
            rest: None,
            body,
            name: String::new(),
            pos,
        }));
        let wrapper = self.compile_node(&mut all_vars, &lambda, pos)?;
        // The wrapper's code only makes the closure: its procedure is the one compiled before it.
        Ok(self
            .cx
            .heap
            .block(Kind::Closure, &[Word::fix(i64::from(wrapper) - 1)]))
    }

    // --- import ---

    /// Imports several sets. They are held meanwhile: loading a library runs code and may collect.
    pub(crate) fn import_all(&mut self, sets: &[Word], env: EnvId) -> Res<()> {
        let floor = self.pending.len();
        self.pending.extend(sets);
        let mut result = Ok(());
        for set in sets {
            result = self.import(*set, env);
            if result.is_err() {
                break;
            }
        }
        self.pending.truncate(floor);
        result
    }

    /// Binds what an import set names in an environment.
    fn import(&mut self, set: Word, env: EnvId) -> Res<()> {
        let set = crate::strip::strip(&mut self.cx.heap, set);
        self.pending.push(set);
        let bindings = self.import_set(set, 0);
        self.pending.pop();
        let bindings = bindings?;
        if let Some(path) = self.imported_path(set) {
            self.syntax.envs[env as usize].note_import(&path);
        }
        // An environment lives as long as the context.
        self.cx.heap.hold(bindings.len() * BINDING_BYTES);
        let target = &mut self.syntax.envs[env as usize].bindings;
        for (name, denotation) in bindings {
            // Importing the same thing again changes nothing.
            let same = target
                .get(&name)
                .is_some_and(|e| e.denotation.same(&denotation));
            if !same {
                target.insert(
                    name,
                    Entry {
                        denotation,
                        imported: true,
                        forward: false,
                    },
                );
            }
        }
        Ok(())
    }

    /// The path of the library that an import set names.
    fn imported_path(&self, set: Word) -> Option<String> {
        let mut set = set;
        loop {
            let items = self.cx.heap.list_items(set)?;
            match items.get(1) {
                Some(inner) if inner.is_pair() => set = *inner,
                _ => return path_of(&self.cx.heap, set),
            }
        }
    }

    fn import_set(&mut self, set: Word, depth: usize) -> Res<Vec<(Word, Denotation)>> {
        let bad = || Err(raise(ErrorKind::Syntax, "bad import set", &[set]));
        if depth > MAX_SETS {
            return bad();
        }
        let Some(items) = self.cx.heap.list_items(set) else {
            return bad();
        };
        let head = items
            .first()
            .and_then(|h| self.cx.heap.symbol_name(*h))
            .unwrap_or_default()
            .to_owned();
        let nested = items.get(1).is_some_and(|s| s.is_pair());
        match (head.as_str(), nested) {
            ("only", true) => {
                let all = self.import_set(items[1], depth + 1)?;
                self.cx.spend((items.len() * all.len() / 8) as u64)?;
                let mut out = Vec::new();
                for id in &items[2..] {
                    match all.iter().find(|(n, _)| n == id) {
                        Some(b) => out.push(b.clone()),
                        None => return self.not_exported(*id, items[1]),
                    }
                }
                Ok(out)
            }
            ("except", true) => {
                let mut all = self.import_set(items[1], depth + 1)?;
                self.cx.spend((items.len() * all.len() / 8) as u64)?;
                for id in &items[2..] {
                    let before = all.len();
                    all.retain(|(n, _)| n != id);
                    if all.len() == before {
                        return self.not_exported(*id, items[1]);
                    }
                }
                Ok(all)
            }
            ("prefix", true) => {
                let all = self.import_set(items[1], depth + 1)?;
                let Some(prefix) = items
                    .get(2)
                    .and_then(|p| self.cx.heap.symbol_name(*p))
                    .map(str::to_owned)
                else {
                    return bad();
                };
                let mut out = Vec::new();
                self.cx.spend((all.len() * (1 + prefix.len() / 8)) as u64)?;
                self.cx.reserve_late(all.len() * prefix.len() * 2)?;
                for (n, d) in all {
                    let name = format!(
                        "{prefix}{}",
                        self.cx.heap.symbol_name(n).unwrap_or_default()
                    );
                    out.push((self.cx.heap.symbol(&name), d));
                }
                Ok(out)
            }
            ("rename", true) => {
                let mut all = self.import_set(items[1], depth + 1)?;
                self.cx.spend((items.len() * all.len() / 8) as u64)?;
                for pair in &items[2..] {
                    let parts = self.cx.heap.list_items(*pair).unwrap_or_default();
                    let [from, to] = parts[..] else { return bad() };
                    match all.iter_mut().find(|(n, _)| *n == from) {
                        Some(b) => b.0 = to,
                        None => return self.not_exported(from, items[1]),
                    }
                }
                Ok(all)
            }
            _ => {
                let Some(path) = path_of(&self.cx.heap, set) else {
                    return bad();
                };
                let exports = self.library(&path, set)?.exports;
                self.cx.spend(exports.len() as u64)?;
                Ok(exports)
            }
        }
    }

    fn not_exported<T>(&self, id: Word, set: Word) -> Res<T> {
        Err(raise(
            ErrorKind::Syntax,
            "import: the library does not export this name",
            &[id, set],
        ))
    }

    /// A library, loaded when it is not yet.
    pub(crate) fn library(&mut self, path: &str, name: Word) -> Res<Library> {
        let libraries = &mut self.syntax.libraries;
        if !libraries.allowed(path) {
            return Err(raise(ErrorKind::Sandbox, "couldn't find import", &[name]));
        }
        if let Some(l) = libraries.loaded.get(path) {
            return Ok(l.clone());
        }
        if libraries.loading.iter().any(|p| p == path) {
            return Err(raise(
                ErrorKind::Syntax,
                format!("{} imports itself", shown(path)),
                &[],
            ));
        }
        let Some(text) = source(path) else {
            return Err(raise(ErrorKind::Sandbox, "couldn't find import", &[name]));
        };
        self.syntax.libraries.loading.push(path.to_owned());
        let result = self.load_library(path, &text);
        self.syntax.libraries.loading.pop();
        result?;
        match self.syntax.libraries.loaded.get(path) {
            Some(l) => Ok(l.clone()),
            None => Err(raise(
                ErrorKind::Syntax,
                format!("{path}: the file defines another library"),
                &[],
            )),
        }
    }

    fn load_library(&mut self, path: &str, text: &str) -> Res<()> {
        let text = Text::from(text);
        let mut source = Source::new(&text);
        let datum = {
            let mut places = std::mem::take(&mut self.syntax.places);
            let r = Reader {
                source: &mut source,
                file: 0,
            }
            .read(&mut self.cx.heap, &mut places);
            self.syntax.places = places;
            r
        };
        match datum {
            Ok(Some(form)) => self.define_library(form, Some(path)),
            Ok(None) => Err(raise(
                ErrorKind::Syntax,
                format!("{path}: empty library file"),
                &[],
            )),
            Err(e) => Err(raise(
                ErrorKind::Read,
                format!("{path}:{}:{}: {}", e.line, e.column, e.message),
                &[],
            )),
        }
    }

    /// All data of an embedded text.
    fn read_all(&mut self, name: &str, text: &str) -> Res<Vec<Word>> {
        let text = Text::from(text);
        let mut source = Source::new(&text);
        let mut places = crate::heap::FixedMap::default();
        let mut forms = Vec::new();
        loop {
            match (Reader {
                source: &mut source,
                file: 0,
            })
            .read(&mut self.cx.heap, &mut places)
            {
                Ok(Some(form)) => forms.push(form),
                Ok(None) => return Ok(forms),
                Err(e) => {
                    let message = format!("{name}:{}:{}: {}", e.line, e.column, e.message);
                    return Err(raise(ErrorKind::Read, message, &[]));
                }
            }
        }
    }

    /// Carries out a `define-library`; an embedded one may use the engine's own library.
    pub(crate) fn define_library(&mut self, form: Word, embedded: Option<&str>) -> Res<()> {
        let Some(items) = self.cx.heap.list_items(form) else {
            return Err(raise(ErrorKind::Syntax, "bad define-library", &[form]));
        };
        let [_, name, declarations @ ..] = &items[..] else {
            return Err(raise(ErrorKind::Syntax, "define-library: no name", &[form]));
        };
        let name = crate::strip::strip(&mut self.cx.heap, *name);
        let Some(path) = path_of(&self.cx.heap, name) else {
            return Err(raise(
                ErrorKind::Syntax,
                "define-library: bad name",
                &[name],
            ));
        };
        if embedded.is_none() && (is_embedded(&path) || path == CORE) {
            return Err(raise(
                ErrorKind::Syntax,
                "define-library: a built-in library has this name",
                &[name],
            ));
        }
        if self.nesting >= MAX_NESTING || !self.syntax.entered.has_room() {
            return Err(raise(
                ErrorKind::Syntax,
                "libraries nested too deeply",
                &[name],
            ));
        }
        let env = self.syntax.new_env();
        let mut exports: Vec<(Word, Word)> = Vec::new();
        let mut body: Vec<Word> = Vec::new();
        let mut imports: Vec<Word> = Vec::new();
        let mut aliases: Vec<Word> = Vec::new();
        let mut queue: Vec<Word> = declarations.iter().rev().copied().collect();
        while let Some(d) = queue.pop() {
            let d_items = self.cx.heap.list_items(d).unwrap_or_default();
            let [keyword, rest @ ..] = &d_items[..] else {
                return Err(raise(
                    ErrorKind::Syntax,
                    "define-library: bad declaration",
                    &[d],
                ));
            };
            let keyword = crate::strip::strip(&mut self.cx.heap, *keyword);
            let keyword = self
                .cx
                .heap
                .symbol_name(keyword)
                .unwrap_or_default()
                .to_owned();
            match keyword.as_str() {
                "export" => {
                    for e in rest {
                        let e = crate::strip::strip(&mut self.cx.heap, *e);
                        match self.cx.heap.list_items(e).as_deref() {
                            Some([_, from, to]) if e.is_pair() => exports.push((*from, *to)),
                            _ => exports.push((e, e)),
                        }
                    }
                }
                "import" => imports.extend(rest),
                "begin" => body.extend(rest),
                // Another library under a second name.
                "alias-for" if embedded.is_some() => aliases.extend(rest),
                // `(instantiate "file" "name" ...)`: the declarations of a file, once for each
                // name, which stands in them for `@`.
                "instantiate" if embedded.is_some() => {
                    let mut texts = rest.iter().map(|w| {
                        self.cx
                            .heap
                            .as_text(*w)
                            .map(Text::to_utf8)
                            .unwrap_or_default()
                    });
                    let file = texts.next().unwrap_or_default();
                    let names: Vec<String> = texts.collect();
                    let Some(template) = crate::library::included(&path, &file) else {
                        return Err(raise(
                            ErrorKind::File,
                            format!("{}: no file {file}", shown(&path)),
                            &[],
                        ));
                    };
                    let mut declared = Vec::new();
                    for name in names {
                        declared.extend(self.read_all(&file, &template.replace('@', &name))?);
                    }
                    queue.extend(declared.iter().rev());
                }
                "cond-expand" => {
                    let mut e = Expander::new(self, u64::MAX);
                    let chosen = e.cond_expand(d)?;
                    queue.extend(chosen.iter().rev());
                }
                "include" if embedded.is_some() => {
                    for file in rest {
                        let name = self
                            .cx
                            .heap
                            .as_text(*file)
                            .map(Text::to_utf8)
                            .unwrap_or_default();
                        let Some(text) = crate::library::included(&path, &name) else {
                            return Err(raise(
                                ErrorKind::File,
                                format!("{}: no file {name}", shown(&path)),
                                &[],
                            ));
                        };
                        body.extend(self.read_all(&name, &text)?);
                    }
                }
                "include" | "include-ci" | "include-library-declarations" => {
                    return Err(raise(
                        ErrorKind::Syntax,
                        "define-library: there are no files to include from",
                        &[d],
                    ));
                }
                _ => {
                    return Err(raise(
                        ErrorKind::Syntax,
                        "define-library: unknown declaration",
                        &[d],
                    ));
                }
            }
        }
        let floor = self.pending.len();
        // Names and forms stay alive while the body runs.
        self.pending
            .extend(exports.iter().flat_map(|(a, b)| [*a, *b]));
        self.pending.extend([name, form]);
        self.pending.extend(body.iter().rev());
        let bottom = self.pending.len() - body.len();
        self.nesting += 1;
        if embedded.is_some() {
            self.syntax.libraries.trusted += 1;
        }
        let trusted = self.syntax.libraries.trusted;
        if embedded.is_none() {
            self.syntax.libraries.trusted = 0;
        }
        let mut aliased = Vec::new();
        let mut result = self.import_all(&imports, env);
        for set in aliases {
            result = result.and_then(|()| {
                aliased.extend(self.import_set(set, 0)?);
                Ok(())
            });
        }
        while result.is_ok() && self.pending.len() > bottom {
            let Some(form) = self.pending.pop() else {
                break;
            };
            result = match self.run_form(form, env) {
                Ok(_) => Ok(()),
                Err(Stop::Limit(l)) => Err(Box::new(Raise::Limit(l))),
                Err(Stop::Exited(n)) => Err(Box::new(Raise::Exit(n))),
                Err(Stop::Uncaught(w)) => Err(Box::new(Raise::Uncaught(w))),
            };
        }
        self.syntax.libraries.trusted = trusted;
        if embedded.is_some() {
            self.syntax.libraries.trusted -= 1;
        }
        self.nesting -= 1;
        self.pending.truncate(floor);
        result?;
        let mut library = Library::default();
        for (from, to) in exports {
            let entry = self.syntax.envs[env as usize].bindings.get(&from);
            let Some(entry) = entry.filter(|e| !e.forward) else {
                return Err(raise(
                    ErrorKind::Syntax,
                    format!("{}: exports a name that it does not define", shown(&path)),
                    &[from],
                ));
            };
            library.exports.push((to, entry.denotation.clone()));
        }
        library.exports.extend(aliased);
        if embedded.is_some() {
            self.prune(env);
        } else {
            self.syntax.libraries.own.insert(path.clone());
        }
        self.syntax.libraries.loaded.insert(path, library);
        // An environment that imports this name from now on is another one.
        self.syntax.made.clear();
        Ok(())
    }

    /// Forgets the names of a library's environment that nothing can look up again: its code is
    /// compiled, so only what its macros mention is left to find.
    fn prune(&mut self, env: EnvId) {
        let mut mentioned: crate::heap::FixedMap<Word, ()> = crate::heap::FixedMap::default();
        let mut todo: Vec<Word> = self.syntax.envs[env as usize]
            .bindings
            .values()
            .filter(|e| !e.imported)
            .filter_map(|e| match &e.denotation {
                Denotation::Macro(m) => Some(m.source),
                _ => None,
            })
            .collect();
        while let Some(w) = todo.pop() {
            if w.is_pair() {
                todo.push(self.cx.heap.cdr(w));
                todo.push(self.cx.heap.car(w));
            } else if let Some(items) = self.cx.heap.as_vector(w) {
                todo.extend(items);
            } else if w.is(Kind::Symbol) || w.is(Kind::Alias) {
                mentioned.insert(Syntax::symbol_of(&self.cx.heap, w), ());
            }
        }
        let bindings = &mut self.syntax.envs[env as usize].bindings;
        bindings.retain(|name, _| mentioned.contains_key(name));
        bindings.shrink_to_fit();
    }

    /// An environment object that imports these sets (`environment` of `(scheme eval)`).
    pub(crate) fn make_environment(&mut self, specs: &[Word]) -> Res {
        for s in specs {
            // What may not be imported is named as this procedure names it.
            let mut set = *s;
            while let Some([_, inner, ..]) = self.cx.heap.list_items(set).as_deref() {
                if inner.is_pair() { set = *inner } else { break }
            }
            if let Some(path) = path_of(&self.cx.heap, set)
                && !self.syntax.libraries.is_available(&path)
            {
                return Err(raise(
                    ErrorKind::Error,
                    format!(
                        "[sandbox:environment] module {} not in allowlist",
                        shown(&path)
                    ),
                    &[],
                ));
            }
        }
        let list = self.cx.heap.list(specs);
        let key = crate::printer::written(&self.cx.heap, list);
        self.cx.spend(1 + key.len() as u64 / 4)?;
        let env = match self.syntax.made.get(&key) {
            Some(env) => *env,
            None => {
                let env = self.syntax.new_env();
                self.import_all(specs, env)?;
                self.syntax.envs[env as usize].immutable = true;
                self.cx.heap.hold(key.len());
                self.syntax.made.insert(key, env);
                env
            }
        };
        Ok(self
            .cx
            .heap
            .block(Kind::Environment, &[Word::fix(i64::from(env))]))
    }

    /// Makes the core environment: every core form and native under its own name.
    pub(crate) fn boot_core(&mut self) {
        let env = self.syntax.new_env();
        debug_assert_eq!(env, CORE_ENV);
        let mut library = Library::default();
        for (name, core) in crate::syntax::Core::ALL {
            let symbol = self.cx.heap.symbol(name);
            let denotation = Denotation::Core(core);
            self.syntax.envs[env as usize].bindings.insert(
                symbol,
                Entry {
                    denotation: denotation.clone(),
                    imported: false,
                    forward: false,
                },
            );
            library.exports.push((symbol, denotation));
        }
        for i in 0..self.natives.len() {
            let symbol = self.cx.heap.symbol(self.natives[i].name);
            let g = self.syntax.define(&mut self.globals, symbol, env);
            self.globals.values[g as usize] = Word::native(i as u32);
            self.globals.info[g as usize].native = Some(i as u32);
            library.exports.push((symbol, Denotation::Global(g)));
        }
        self.syntax
            .libraries
            .loaded
            .insert(CORE.to_owned(), library);
    }
}

/// Puts the constants of a tree where the collector sees them.
fn hold_constants(node: &Node, out: &mut Vec<Word>) {
    node.each(|n| {
        if let Node::Const(w) = n {
            out.push(*w);
        }
    });
}
