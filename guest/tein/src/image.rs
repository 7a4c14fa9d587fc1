//! Images: the compiled form of a program, for a fresh context of the same build.
//!
//! The context that loads an image has exactly the objects, code and globals that the one which
//! made it started from, so everything below the base is meant by index. Above it come the code,
//! the constants as data, the names of new globals, and the order in which the top-level forms
//! ran. Reading checks every index once; running trusts them.

use serde::{Deserialize, Serialize};

use crate::code::{Capture, Op, Proto};
use crate::context::{Base, Context, Error, Failure, Result};
use crate::heap::FixedMap;
use crate::program::Stop;
use crate::syntax::environment::Entry;
use crate::syntax::{Core, Denotation};
use crate::value::{Kind, Word};
use crate::vm::Exit;

/// Changes when the form of images does.
const VERSION: u32 = 3;

#[derive(Serialize, Deserialize)]
struct Image {
    version: u32,
    base: [u32; 4],
    files: Vec<String>,
    protos: Vec<Proto>,
    data: Vec<Datum>,
    consts: Vec<Ref>,
    /// Name and whether some code assigns it, of each new global.
    globals: Vec<(Ref, bool)>,
    /// Top-level forms in the order in which they ran.
    entries: Vec<u32>,
    /// What the program's environment binds that the base does not.
    bindings: Vec<(Ref, Binding, bool)>,
    /// The libraries that the program imported, for those who ask.
    imports: Vec<String>,
}

/// A word: itself, or one of the image's data.
#[derive(Serialize, Deserialize, Clone, Copy)]
enum Ref {
    /// An immediate or an object of the base, by its bits.
    Base(u64),
    Data(u32),
}

#[derive(Serialize, Deserialize)]
enum Datum {
    Pair(Ref, Ref),
    String(String),
    Symbol(String),
    Uninterned(String),
    Number(String),
    Flonum(u64),
    Vector(Vec<Ref>),
    Bytes(Vec<u8>),
    /// Something that has no external form; only code made by `eval` at load holds such.
    Lost,
    /// A homogeneous vector: its type and bytes.
    Uniform(String, Vec<u8>),
}

#[derive(Serialize, Deserialize)]
enum Binding {
    Global(u32),
    /// A global that code mentions and nothing defined.
    Forward(u32),
    Core(String),
    /// A macro of the program, by its `syntax-rules` form or the expression of its transformer.
    Macro(Ref),
}

fn broken<T>(what: &str) -> Result<T> {
    Err(Error {
        kind: Failure::Image,
        message: format!("bad image: {what}"),
        at: None,
        trace: Vec::new(),
    })
}

impl Context {
    /// The image of what was loaded since the context was built.
    ///
    /// # Errors
    /// The image cannot be written: a defect of the engine.
    pub fn image(&mut self) -> Result<Vec<u8>> {
        let base = self.base;
        let mut w = Writer {
            context: self,
            data: Vec::new(),
            seen: FixedMap::default(),
        };
        let consts: Vec<Word> = w.context.vm.consts[base.consts..].to_vec();
        let consts: Vec<Ref> = consts.into_iter().map(|c| w.word(c)).collect();
        let infos: Vec<(Word, bool)> = w.context.vm.globals.info[base.globals..]
            .iter()
            .map(|i| (i.name, i.assigned))
            .collect();
        let globals = infos.into_iter().map(|(n, a)| (w.word(n), a)).collect();
        let env = w.context.env as usize;
        let mut changed: Vec<(Word, Entry)> = w.context.vm.syntax.envs[env]
            .bindings
            .iter()
            // Nothing that is read later can mean an alias.
            .filter(|(n, e)| {
                !n.is(Kind::Alias)
                    && !w
                        .context
                        .base_bindings
                        .get(n)
                        .is_some_and(|b| b.denotation.same(&e.denotation))
            })
            .map(|(n, e)| (*n, e.clone()))
            .collect();
        // The same program gives the same image.
        changed.sort_by_key(|(n, _)| n.bits());
        let mut bindings = Vec::new();
        for (name, entry) in changed {
            let binding = match &entry.denotation {
                Denotation::Global(g) if entry.forward => Binding::Forward(*g),
                Denotation::Global(g) => Binding::Global(*g),
                Denotation::Core(c) => Binding::Core(c.name().to_owned()),
                Denotation::Macro(m) => {
                    let source = crate::strip::strip(&mut w.context.vm.cx.heap, m.source);
                    Binding::Macro(w.word(source))
                }
                Denotation::Local(_) | Denotation::Pattern(..) => continue,
            };
            bindings.push((w.word(name), binding, entry.imported));
        }
        let data = std::mem::take(&mut w.data);
        let image = Image {
            version: VERSION,
            base: base.counts(),
            files: self.vm.syntax.files[base.files..].to_vec(),
            protos: self.vm.protos[base.protos..]
                .iter()
                .map(|p| self.vm.with_code(p))
                .collect(),
            data,
            consts,
            globals,
            entries: self.vm.recorded[base.recorded..].to_vec(),
            bindings,
            imports: self.vm.syntax.envs[env].imports.clone(),
        };
        match postcard::to_stdvec(&image) {
            Ok(bytes) => Ok(bytes),
            Err(e) => broken(&e.to_string()),
        }
    }

    /// Takes an image into this fresh context and runs its top-level forms.
    ///
    /// # Errors
    /// The image is not one of this build, or this context already ran something, or a form fails.
    pub fn run_image(&mut self, image: &[u8]) -> Result<()> {
        let image: Image = match postcard::from_bytes(image) {
            Ok(i) => i,
            Err(e) => return broken(&e.to_string()),
        };
        let base = self.base;
        if image.version != VERSION || image.base != base.counts() {
            return broken("made by another build");
        }
        if self.vm.protos.len() != base.protos || self.vm.globals.values.len() != base.globals {
            return broken("this context has run a program already");
        }
        self.check(&image)?;
        let words = self.read_data(&image.data);
        let word = |r: &Ref| match r {
            Ref::Base(bits) => Word::from_bits(*bits),
            Ref::Data(i) => words[*i as usize],
        };
        for file in &image.files {
            self.vm.syntax.files.push(file.clone());
        }
        self.vm.consts.extend(image.consts.iter().map(word));
        for (name, assigned) in &image.globals {
            let g = self.vm.globals.add(word(name));
            self.vm.globals.info[g as usize].assigned = *assigned;
        }
        for mut proto in image.protos {
            proto.start = self.vm.code.len() as u32;
            proto.len = proto.code.len() as u32;
            self.vm.code.append(&mut proto.code);
            self.vm.protos.push(proto);
        }
        let env = self.env;
        // Name, expression of the transformer, and whether it was imported.
        let mut procedural = Vec::new();
        for path in &image.imports {
            self.vm.syntax.envs[env as usize].note_import(path);
        }
        for (name, binding, imported) in &image.bindings {
            let denotation = match binding {
                Binding::Global(g) | Binding::Forward(g) => Denotation::Global(*g),
                Binding::Core(n) => match Core::ALL.iter().find(|(m, _)| m == n) {
                    Some((_, c)) => Denotation::Core(*c),
                    None => return broken("unknown syntax"),
                },
                // Only `eval` needs them: compiled when they are looked up would be later still,
                // but the program may redefine what they refer to.
                // A program's text has none of the engine's objects in it.
                Binding::Macro(r) if !crate::strip::is_text(&self.vm.cx.heap, word(r)) => {
                    return broken("a macro is no text");
                }
                Binding::Macro(r) => {
                    let scope = crate::syntax::ScopeRef::Top(env);
                    match crate::syntax::compile_macro(
                        &self.vm.cx.heap,
                        &mut self.vm.syntax,
                        word(r),
                        &scope,
                    ) {
                        Ok(m) => Denotation::Macro(std::rc::Rc::new(m)),
                        Err(_) => {
                            procedural.push((word(name), word(r), *imported));
                            continue;
                        }
                    }
                }
            };
            let entry = Entry {
                denotation,
                imported: *imported,
                forward: matches!(binding, Binding::Forward(_)),
            };
            self.vm.syntax.envs[env as usize]
                .bindings
                .insert(word(name), entry);
        }
        self.start_entry();
        let first = self.vm.recorded.len();
        self.vm.recorded.extend(image.entries);
        let floor = self.vm.pending.len();
        self.vm
            .pending
            .extend(procedural.iter().flat_map(|p| [p.0, p.1]));
        let exit = self.vm.run_recorded(first);
        if matches!(exit, Exit::Value(_)) {
            // What their transformers call is defined by now.
            for (name, spec, imported) in procedural {
                if let Ok(denotation) = self.vm.procedural_macro(spec, env) {
                    let entry = Entry {
                        denotation,
                        imported,
                        forward: false,
                    };
                    self.vm.syntax.envs[env as usize]
                        .bindings
                        .insert(name, entry);
                }
            }
        }
        self.vm.pending.truncate(floor);
        match exit {
            Exit::Value(_) => Ok(()),
            Exit::Uncaught(w) => Err(self.stopped(Stop::Uncaught(w))),
            Exit::Limit(l) => Err(self.stopped(Stop::Limit(l))),
            // A file that leaves while it loads has said all it has to say.
            Exit::Exited(_) => Ok(()),
        }
    }

    /// Checks every index of an image.
    fn check(&self, image: &Image) -> Result<()> {
        let protos = self.base.protos + image.protos.len();
        let consts = self.base.consts + image.consts.len();
        let globals = self.base.globals + image.globals.len();
        let files = self.base.files + image.files.len();
        let natives = self.vm.natives.len();
        let data = image.data.len();
        let good = |r: &Ref| match r {
            Ref::Data(i) => (*i as usize) < data,
            Ref::Base(bits) => self.vm.cx.heap.is_base(Word::from_bits(*bits)),
        };
        let mut refs = image
            .consts
            .iter()
            .chain(image.globals.iter().map(|g| &g.0));
        if !refs.all(good) {
            return broken("a constant is out of range");
        }
        for d in &image.data {
            let fine = match d {
                Datum::Pair(a, b) => good(a) && good(b),
                Datum::Vector(items) => items.iter().all(good),
                _ => true,
            };
            if !fine {
                return broken("a datum is out of range");
            }
        }
        for (name, binding, _) in &image.bindings {
            let fine = good(name)
                && match binding {
                    Binding::Global(g) | Binding::Forward(g) => (*g as usize) < globals,
                    Binding::Macro(r) => good(r),
                    Binding::Core(_) => true,
                };
            if !fine {
                return broken("a binding is out of range");
            }
        }
        if image
            .entries
            .iter()
            .any(|e| *e as usize >= protos || (*e as usize) < self.base.protos)
        {
            return broken("an entry is out of range");
        }
        for (i, p) in image.protos.iter().enumerate() {
            let own = self.base.protos + i;
            if p.places
                .iter()
                .map(|p| p.1.file)
                .chain([p.at.file])
                .any(|f| f as usize >= files.max(1))
            {
                return broken("a place is out of range");
            }
            if p.required as usize + usize::from(p.rest) > p.registers as usize {
                return broken("too few registers");
            }
            for (pc, op) in p.code.iter().enumerate() {
                let nested = |q: u32| {
                    let q = q as usize;
                    // Inner procedures are compiled first.
                    q >= self.base.protos && q < own
                };
                let inner_captures = |q: u32| {
                    image.protos[q as usize - self.base.protos]
                        .captures
                        .iter()
                        .all(|c| match c {
                            Capture::Register(r) => *r < p.registers,
                            Capture::Captured(i) => (*i as usize) < p.captures.len(),
                        })
                };
                let fine = op.check(&crate::code::Bounds {
                    registers: p.registers,
                    captures: p.captures.len(),
                    consts,
                    globals,
                    natives,
                    pc,
                    len: p.code.len(),
                }) && match op {
                    Op::Closure { proto, .. } => nested(*proto) && inner_captures(*proto),
                    _ => true,
                };
                if !fine {
                    return broken("an instruction is out of range");
                }
            }
            let ends = matches!(
                p.code.last(),
                Some(
                    Op::Return { .. }
                        | Op::Halt { .. }
                        | Op::TailCall { .. }
                        | Op::TailCallGlobal { .. }
                        | Op::Loop { .. }
                        | Op::Jump { .. }
                )
            );
            if !ends {
                return broken("code runs off its end");
            }
        }
        Ok(())
    }

    fn read_data(&mut self, data: &[Datum]) -> Vec<Word> {
        let heap = &mut self.vm.cx.heap;
        // Objects first, links after, so that data may refer forward.
        let words: Vec<Word> = data
            .iter()
            .map(|d| match d {
                Datum::Pair(..) => heap.cons(Word::NIL, Word::NIL),
                Datum::String(s) => heap.string(s.as_str()),
                Datum::Symbol(s) => heap.symbol(s),
                Datum::Uninterned(s) => heap.uninterned(s),
                Datum::Number(s) => match crate::number::parse(s, 10) {
                    Some(n) => heap.number(n),
                    None => Word::UNSPECIFIED,
                },
                Datum::Flonum(bits) => heap.flonum(f64::from_bits(*bits)),
                Datum::Vector(items) => heap.vector(vec![Word::NIL; items.len()]),
                Datum::Bytes(b) => heap.bytevector(b.clone()),
                Datum::Uniform(name, bytes) => crate::prims::uvector::from_parts(heap, name, bytes)
                    .unwrap_or(Word::UNSPECIFIED),
                Datum::Lost => Word::UNSPECIFIED,
            })
            .collect();
        let word = |r: &Ref| match r {
            Ref::Base(bits) => Word::from_bits(*bits),
            Ref::Data(i) => words[*i as usize],
        };
        for (d, w) in data.iter().zip(&words) {
            match d {
                Datum::Pair(a, b) => {
                    heap.set_car(*w, word(a));
                    heap.set_cdr(*w, word(b));
                }
                Datum::Vector(items) => {
                    if let Some(v) = heap.vector_mut(*w) {
                        for (slot, r) in v.iter_mut().zip(items) {
                            *slot = word(r);
                        }
                    }
                }
                _ => {}
            }
        }
        words
    }
}

impl Base {
    fn counts(&self) -> [u32; 4] {
        [self.protos, self.consts, self.globals, self.files].map(|n| n as u32)
    }
}

struct Writer<'a> {
    context: &'a mut Context,
    data: Vec<Datum>,
    seen: FixedMap<Word, u32>,
}

impl Writer<'_> {
    /// The reference for a word; what it holds is written too, without recursion.
    fn word(&mut self, w: Word) -> Ref {
        let first = self.reference(w);
        let mut todo = vec![w];
        while let Some(w) = todo.pop() {
            let Some(at) = self.seen.get(&w).copied() else {
                continue;
            };
            let (car, cdr, items) = {
                let heap = &self.context.vm.cx.heap;
                if w.is_pair() {
                    (Some(heap.car(w)), Some(heap.cdr(w)), None)
                } else {
                    (None, None, heap.as_vector(w).map(<[Word]>::to_vec))
                }
            };
            if let (Some(car), Some(cdr)) = (car, cdr) {
                if !matches!(self.data[at as usize], Datum::Pair(Ref::Data(u32::MAX), _)) {
                    continue;
                }
                let refs = [car, cdr].map(|x| self.queue(x, &mut todo));
                self.data[at as usize] = Datum::Pair(refs[0], refs[1]);
            } else if let Some(items) = items {
                if !matches!(&self.data[at as usize], Datum::Vector(v) if v.is_empty())
                    || items.is_empty()
                {
                    continue;
                }
                let refs = items
                    .into_iter()
                    .map(|x| self.queue(x, &mut todo))
                    .collect();
                self.data[at as usize] = Datum::Vector(refs);
            }
        }
        first
    }

    fn queue(&mut self, w: Word, todo: &mut Vec<Word>) -> Ref {
        let known = self.seen.contains_key(&w);
        let r = self.reference(w);
        if !known && matches!(w.kind(), Some(Kind::Pair | Kind::Vector)) {
            todo.push(w);
        }
        r
    }

    fn reference(&mut self, w: Word) -> Ref {
        let heap = &self.context.vm.cx.heap;
        if heap.is_base(w) {
            return Ref::Base(w.bits());
        }
        if let Some(i) = self.seen.get(&w) {
            return Ref::Data(*i);
        }
        let datum = match w.kind() {
            // Filled in by the walk.
            Some(Kind::Pair) => Datum::Pair(Ref::Data(u32::MAX), Ref::Base(Word::NIL.bits())),
            Some(Kind::Vector) => Datum::Vector(Vec::new()),
            Some(Kind::String) => Datum::String(
                heap.as_text(w)
                    .map(crate::text::Text::to_utf8)
                    .unwrap_or_default(),
            ),
            Some(Kind::Symbol) => {
                let name = heap.symbol_name(w).unwrap_or_default().to_owned();
                if heap.is_interned(w) {
                    Datum::Symbol(name)
                } else {
                    Datum::Uninterned(name)
                }
            }
            Some(Kind::Number) => Datum::Number(
                crate::prims::number::show(&self.context.vm.cx, w).unwrap_or_default(),
            ),
            Some(Kind::Flonum) => Datum::Flonum(heap.as_flonum(w).unwrap_or(0.0).to_bits()),
            Some(Kind::Bytevector) => Datum::Bytes(heap.as_bytes(w).unwrap_or_default().to_vec()),
            _ => match crate::prims::uvector::parts(heap, w) {
                Some((name, bytes)) => Datum::Uniform(name.to_owned(), bytes.to_vec()),
                None => Datum::Lost,
            },
        };
        self.data.push(datum);
        let i = self.data.len() as u32 - 1;
        self.seen.insert(w, i);
        Ref::Data(i)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn fresh() -> Context {
        Context::builder()
            .standard_env()
            .step_limit(10_000_000)
            .build()
            .unwrap()
    }

    /// An image may put anything where the clauses of a `case-lambda` belong, itself included: what
    /// is no closure is no clause, and nothing recurses into it.
    #[test]
    fn case_lambdas_in_case_lambdas_are_no_clauses() {
        let mut first = fresh();
        let program = "(define f (case-lambda ((x) x) ((x y) y))) (f 1)";
        first.evaluate(program).unwrap();
        let mut image: Image = postcard::from_bytes(&first.image().unwrap()).unwrap();
        let mut found = 0;
        for proto in &mut image.protos {
            let at = proto
                .code
                .iter()
                .position(|op| matches!(op, Op::CaseLambda { .. }));
            if let Some(at) = at
                && let Op::CaseLambda { d, .. } = proto.code[at]
            {
                let nest = std::iter::repeat_n(Op::CaseLambda { d, a: d, n: 1 }, 200_000);
                proto.code.splice(at + 1..=at, nest);
                found += 1;
            }
        }
        assert_eq!(found, 1);
        let failed = fresh()
            .run_image(&postcard::to_stdvec(&image).unwrap())
            .unwrap_err();
        assert_eq!(failed.kind, Failure::Evaluation, "{failed}");
    }
}
