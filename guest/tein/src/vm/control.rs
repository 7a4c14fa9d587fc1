//! Calls of every kind of procedure, returns into frozen frames, continuations.

use super::liveness::Live;
use super::stack::{Frame, Segment};
use super::{MAX_FRAMES, Vm};
use crate::code::{Capture, Op, Proto};
use crate::error::{ErrorKind, Limit, Raise, Res, fail, raise};
use crate::prims::{Run, Special};
use crate::value::{Kind, Word};

/// Most arguments that `apply` spreads.
const MAX_ARGUMENTS: usize = 250_000;

impl Vm {
    /// Calls the procedure at stack index `at` with the `n` arguments after it.
    pub(super) fn enter(
        &mut self,
        code: &[Op],
        stack: &mut [Word],
        at: usize,
        n: usize,
        tail: bool,
    ) -> Res<()> {
        let mut n = n;
        loop {
            let f = stack[at];
            if let Some(index) = f.as_native() {
                let def = &self.natives[index as usize];
                if !def.accepts(n) {
                    return self.arity(f, n);
                }
                match def.run {
                    Run::Plain(run) => {
                        let arguments = at + 1..at + 1 + n;
                        let mut result = run(&mut self.cx, &stack[arguments.clone()]);
                        if let Err(e) = &result
                            && matches!(**e, Raise::Collect)
                        {
                            result = self.after_collection(code, stack, run, arguments);
                        }
                        let v = match result {
                            Ok(v) => v,
                            Err(e) => {
                                n = self.serve(stack, at, n, e)?;
                                continue;
                            }
                        };
                        return self.deliver(stack, at, v, tail);
                    }
                    Run::Special(special) => {
                        match self.special(code, stack, special, at, n, tail)? {
                            Some(more) => {
                                n = more;
                                continue;
                            }
                            None => return Ok(()),
                        }
                    }
                }
            }
            match f.kind() {
                Some(Kind::Closure) => {
                    let target = self.cx.heap.slot(f, 0).fix_value() as usize;
                    let p = &self.protos[target];
                    let (required, rest) = (p.required as usize, p.rest);
                    let (registers, first) = (p.registers as usize, p.start as usize);
                    if n < required || (n > required && !rest) {
                        return self.arity(f, n);
                    }
                    self.room(at + registers.max(n))?;
                    if rest {
                        let list = {
                            let (first, last) = (at + 1 + required, at + 1 + n);
                            let mut list = Word::NIL;
                            for i in (first..last).rev() {
                                list = self.cx.heap.cons(stack[i], list);
                            }
                            list
                        };
                        stack[at + 1 + required] = list;
                        n = required + 1;
                    }
                    if tail {
                        stack.copy_within(at..=at + n, self.base - 1);
                    } else {
                        self.push_frame()?;
                        self.base = at + 1;
                    }
                    self.proto = target as u32;
                    self.pc = first;
                    return Ok(());
                }
                Some(Kind::CaseLambda) => {
                    let clause = self.cx.heap.slots(f).iter().copied().find(|c| {
                        // A tag may follow the clauses (SRFI 229).
                        if !c.is(Kind::Closure) {
                            return false;
                        }
                        let p = &self.protos[self.cx.heap.slot(*c, 0).fix_value() as usize];
                        n == p.required as usize || (p.rest && n > p.required as usize)
                    });
                    match clause {
                        Some(c) => stack[at] = c,
                        None => return self.arity(f, n),
                    }
                }
                Some(Kind::Parameter) => {
                    if n != 0 {
                        return self.arity(f, n);
                    }
                    let v = self.cx.parameter_value(f);
                    return self.deliver(stack, at, v, tail);
                }
                Some(Kind::Continuation) => {
                    let v = self.values_of(stack, at + 1, n);
                    return self.throw(code, stack, f, v);
                }
                _ => return fail("non procedure application", &[f]),
            }
        }
    }

    /// Puts the procedure of a port in the place of the native at `at` that asked for it. It is
    /// called with the native and its arguments where the native has to run again.
    pub(super) fn serve(
        &self,
        stack: &mut [Word],
        at: usize,
        n: usize,
        e: Box<Raise>,
    ) -> Res<usize> {
        let Raise::Serve { procedure, again } = *e else {
            return Err(e);
        };
        if !again {
            stack[at] = procedure;
            return Ok(0);
        }
        self.room(at + n + 1)?;
        stack.copy_within(at..=at + n, at + 1);
        stack[at] = procedure;
        Ok(n + 1)
    }

    fn push_frame(&mut self) -> Res<()> {
        if self.frames.len() >= MAX_FRAMES {
            return Err(Box::new(Raise::Limit(Limit::Stack)));
        }
        if self.frames.len() == self.frames.capacity() {
            let more = (self.frames.len() / 2).max(256);
            if self.frames.try_reserve_exact(more).is_err() {
                return Err(Box::new(Raise::Limit(Limit::Memory)));
            }
        }
        self.frames.push(Frame {
            proto: self.proto,
            pc: self.pc as u32,
            base: self.base as u32,
        });
        Ok(())
    }

    /// One value as it is, any other number as a multiple-values object.
    fn values_of(&mut self, stack: &[Word], first: usize, n: usize) -> Word {
        if n == 1 {
            stack[first]
        } else {
            crate::prims::control::make_values(&mut self.cx, &stack[first..first + n])
        }
    }

    fn deliver(&mut self, stack: &mut [Word], at: usize, v: Word, tail: bool) -> Res<()> {
        if !tail {
            stack[at] = v;
            return Ok(());
        }
        stack[self.base - 1] = v;
        if let Some(f) = self.frames.pop() {
            self.proto = f.proto;
            self.pc = f.pc as usize;
            self.base = f.base as usize;
            return Ok(());
        }
        self.underflow(stack, v).map(|_| ())
    }

    /// Returns a value into the frozen continuation below the stack.
    pub(super) fn underflow(&mut self, stack: &mut [Word], v: Word) -> Res<Option<super::Exit>> {
        let floor = self.floor;
        match self.under.take() {
            None => {
                // Nothing below: the run ends with this value.
                self.proto = 0;
                self.pc = 0;
                self.base = floor + 1;
                stack[floor + 1] = v;
            }
            Some((segment, count)) => {
                let s = &self.cx.heap.segments.slots[segment.at()];
                let Some(k) = (count as usize).checked_sub(1) else {
                    self.under = s.below;
                    return self.underflow(stack, v);
                };
                let frame = s.frames[k];
                let start = frame.base as usize - 1;
                let end = s
                    .frames
                    .get(k + 1)
                    .map_or(s.values.len(), |f| f.base as usize - 1);
                let len = end - start;
                let below = if k == 0 {
                    s.below
                } else {
                    Some((segment, k as u32))
                };
                let registers = self.protos[frame.proto as usize].registers as usize;
                self.room(floor + len.max(registers))?;
                let s = &self.cx.heap.segments.slots[segment.at()];
                stack[floor..floor + len].copy_from_slice(&s.values[start..end]);
                self.under = below;
                self.proto = frame.proto;
                self.pc = frame.pc as usize;
                self.base = floor + 1;
                stack[floor + len] = v;
            }
        }
        Ok(None)
    }

    /// Freezes the continuation of the call at `at` and gives the object for it.
    fn capture(&mut self, code: &[Op], stack: &[Word], at: usize, tail: bool) -> Res {
        let floor = self.floor;
        let end = if tail {
            self.base - 1
        } else {
            self.push_frame()?;
            at
        };
        let state = self.cx.state;
        let phase = self.phase;
        let segment = if self.frames.is_empty() {
            Segment {
                below: self.under,
                state,
                phase,
                ..Segment::default()
            }
        } else {
            let bytes = (end - floor) * 8 + self.frames.len() * 12;
            let room = self.cx.heap.fits_now(bytes)
                || (self.collect_with(code, stack, Some(Live::ALL), at..at + 2)
                    && self.cx.heap.fits_now(bytes));
            if !room {
                return Err(Box::new(Raise::Limit(Limit::Memory)));
            }
            let frames: Vec<Frame> = self
                .frames
                .iter()
                .map(|f| Frame {
                    base: f.base - floor as u32,
                    ..*f
                })
                .collect();
            Segment {
                values: self.needed(code, &stack[floor..end], &frames),
                frames,
                below: self.under,
                state,
                phase,
            }
        };
        let count = segment.frames.len() as u32;
        self.cx.steps -= i64::from(count);
        let k = self.cx.heap.segment(segment);
        if k.is(Kind::Continuation) {
            if count > 0 {
                self.under = Some((k, count));
            }
            self.frames.clear();
            Ok(k)
        } else {
            Err(Box::new(Raise::Limit(Limit::Memory)))
        }
    }

    /// The values of frames that are captured. What the code is done with is left out: it would
    /// live as long as the continuation, an earlier continuation among it.
    fn needed(&mut self, code: &[Op], values: &[Word], frames: &[Frame]) -> Vec<Word> {
        let mut values = values.to_vec();
        for (i, frame) in frames.iter().enumerate() {
            let live = self.liveness.of(code, &self.protos, frame.proto, frame.pc);
            let start = frame.base as usize - 1;
            let end = frames
                .get(i + 1)
                .map_or(values.len(), |f| f.base as usize - 1);
            for (slot, w) in values[start..end].iter_mut().enumerate() {
                if !live.has(slot) {
                    *w = Word::UNSPECIFIED;
                }
            }
        }
        values
    }

    /// Goes to a continuation, through the winders between here and there.
    fn throw(&mut self, code: &[Op], stack: &mut [Word], k: Word, v: Word) -> Res<()> {
        let Segment { state, phase, .. } = self.cx.heap.segments.slots[k.at()];
        if phase != self.phase {
            return fail("a continuation of another phase of expansion", &[]);
        }
        if state[2] == self.cx.state[2] {
            return self.throw_now(stack, k, v);
        }
        let rewind = self.globals.values[self.hooks.rewind as usize];
        // The present frames are left for good.
        self.frames.clear();
        self.under = None;
        let floor = self.floor;
        self.base = floor + 1;
        self.room(floor)?;
        stack[floor] = rewind;
        stack[floor + 1] = k;
        stack[floor + 2] = v;
        self.enter(code, stack, floor, 2, true)
    }

    fn throw_now(&mut self, stack: &mut [Word], k: Word, v: Word) -> Res<()> {
        let s = &self.cx.heap.segments.slots[k.at()];
        self.cx.state = s.state;
        let count = s.frames.len() as u32;
        self.under = if count > 0 { Some((k, count)) } else { s.below };
        self.frames.clear();
        self.underflow(stack, v).map(|_| ())
    }

    /// Procedures that need the machine. `Some(n)` asks to call what now stands at `at`.
    fn special(
        &mut self,
        code: &[Op],
        stack: &mut [Word],
        special: Special,
        at: usize,
        n: usize,
        tail: bool,
    ) -> Res<Option<usize>> {
        match special {
            Special::Apply => {
                let list = stack[at + n];
                let Some(items) = self.cx.heap.list_items(list) else {
                    return fail("apply: not a proper list", &[list]);
                };
                let count = n - 2 + items.len();
                if count > MAX_ARGUMENTS {
                    return fail(format!("apply: more than {MAX_ARGUMENTS} arguments"), &[]);
                }
                self.cx.steps -= items.len() as i64;
                self.room(at + count)?;
                stack.copy_within(at + 1..at + n, at);
                stack[at + n - 1..at + n - 1 + items.len()].copy_from_slice(&items);
                Ok(Some(count))
            }
            Special::ApplyValues => {
                // (%apply-values consumer values)
                let (consumer, values) = (stack[at + 1], stack[at + 2]);
                stack[at] = consumer;
                if values.is(Kind::Values) {
                    let items = crate::prims::control::values_items(&self.cx, values);
                    self.room(at + items.len())?;
                    stack[at + 1..=at + items.len()].copy_from_slice(&items);
                    Ok(Some(items.len()))
                } else {
                    stack[at + 1] = values;
                    Ok(Some(1))
                }
            }
            Special::CallWithValues => {
                let f = self.globals.values[self.hooks.call_with_values as usize];
                stack[at] = f;
                Ok(Some(n))
            }
            Special::CallCc => {
                let f = stack[at + 1];
                let k = self.capture(code, stack, at, tail)?;
                let floor = self.floor;
                self.base = floor + 1;
                stack[floor] = f;
                stack[floor + 1] = k;
                self.enter(code, stack, floor, 1, true)?;
                Ok(None)
            }
            Special::Throw => {
                let (k, v) = (stack[at + 1], stack[at + 2]);
                if !k.is(Kind::Continuation) {
                    return fail("not a continuation", &[k]);
                }
                self.throw_now(stack, k, v)?;
                Ok(None)
            }
            Special::Eval
            | Special::Environment
            | Special::Introspect
            | Special::RegisterModule
            | Special::SyntaxMatch
            | Special::SyntaxTemplate
            | Special::FreeIdentifierEq
            | Special::GenerateTemporaries
            | Special::DatumToSyntax => Err(Box::new(Raise::Suspended {
                special,
                at,
                n,
                tail,
            })),
            Special::ProcedureArity => {
                let w = self.procedure_arity(stack[at + 1]);
                self.deliver(stack, at, w, tail)?;
                Ok(None)
            }
        }
    }

    /// Special procedures that change the code, carried out while the dispatch loop stands still.
    pub(super) fn outside(&mut self, special: Special, at: usize, n: usize, tail: bool) -> Res<()> {
        match special {
            Special::Eval => {
                let (expression, env) = (self.stack[at + 1], self.stack[at + 2]);
                if !env.is(Kind::Environment) {
                    return fail("eval: not an environment", &[env]);
                }
                let env = self.cx.heap.slot(env, 0).fix_value() as u32;
                let closure = self.compile_for_eval(expression, env)?;
                self.stack[at] = closure;
                self.with_stack(|vm, code, stack| vm.enter(code, stack, at, 0, tail))
            }
            Special::Introspect => {
                let w = self.introspect(self.stack[at + 1], self.stack[at + 2])?;
                self.with_stack(|vm, _, stack| vm.deliver(stack, at, w, tail))
            }
            Special::RegisterModule => {
                let w = self.register_module(self.stack[at + 1])?;
                self.with_stack(|vm, _, stack| vm.deliver(stack, at, w, tail))
            }
            Special::SyntaxMatch
            | Special::SyntaxTemplate
            | Special::FreeIdentifierEq
            | Special::GenerateTemporaries
            | Special::DatumToSyntax => {
                let a = self.stack[at + 1..=at + n].to_vec();
                let w = match special {
                    Special::SyntaxMatch => self.syntax_match(a[0], a[1])?,
                    Special::SyntaxTemplate => self.syntax_template(a[0], &a[1..])?,
                    Special::FreeIdentifierEq => self.free_identifier_eq(a[0], a[1])?,
                    Special::GenerateTemporaries => self.generate_temporaries(a[0])?,
                    _ => self.datum_to_syntax(a[0], a[1])?,
                };
                self.with_stack(|vm, _, stack| vm.deliver(stack, at, w, tail))
            }
            _ => {
                let specs = self.stack[at + 1..=at + n].to_vec();
                let w = self.make_environment(&specs)?;
                self.with_stack(|vm, _, stack| vm.deliver(stack, at, w, tail))
            }
        }
    }

    /// Minimum and maximum argument counts as a pair, `#f` for anything else.
    fn procedure_arity(&mut self, f: Word) -> Word {
        let (min, max) = match self.arity_of(f) {
            Some(a) => a,
            None => return Word::FALSE,
        };
        let max = max.map_or(Word::FALSE, Word::index);
        self.cx.heap.cons(Word::index(min), max)
    }

    /// Minimum and maximum argument counts of a procedure.
    pub(crate) fn arity_of(&self, f: Word) -> Option<(usize, Option<usize>)> {
        if let Some(i) = f.as_native() {
            let d = &self.natives[i as usize];
            return Some((d.min as usize, usize::try_from(d.max).ok()));
        }
        match f.kind()? {
            Kind::Closure => {
                let p = &self.protos[self.cx.heap.slot(f, 0).fix_value() as usize];
                let n = p.required as usize;
                Some((n, (!p.rest).then_some(n)))
            }
            Kind::CaseLambda => {
                let all: Vec<_> = self
                    .cx
                    .heap
                    .slots(f)
                    .iter()
                    // A tag may follow the clauses, and what else an image put there is none.
                    .filter(|c| c.is(Kind::Closure))
                    .filter_map(|c| self.arity_of(*c))
                    .collect();
                let min = all.iter().map(|a| a.0).min()?;
                let max = all
                    .iter()
                    .map(|a| a.1)
                    .try_fold(0, |m, a| a.map(|a| m.max(a)));
                Some((min, max))
            }
            Kind::Parameter => Some((0, Some(0))),
            Kind::Continuation => Some((0, None)),
            _ => None,
        }
    }

    /// The error of a call with a wrong number of arguments.
    pub(super) fn arity<T>(&mut self, f: Word, n: usize) -> Res<T> {
        let few = self.arity_of(f).is_some_and(|(min, _)| n < min);
        let text = self.describe_procedure(f);
        let shown = self.cx.heap.uninterned(&text);
        fail(
            if few {
                "not enough args"
            } else {
                "too many args"
            },
            &[shown, Word::index(n)],
        )
    }

    /// `#<procedure NAME ARITY>`, as the reference writes it.
    pub(crate) fn describe_procedure(&self, f: Word) -> String {
        let name = match (f.as_native(), f.kind()) {
            (Some(i), _) => self.natives[i as usize].name.to_owned(),
            (_, Some(Kind::Closure)) => self.protos[self.cx.heap.slot(f, 0).fix_value() as usize]
                .name
                .clone(),
            _ => String::new(),
        };
        let name = if name.is_empty() { "#f" } else { &name };
        match self.arity_of(f) {
            Some((min, None)) => format!("#<procedure {name} {min}+>"),
            Some((min, Some(_))) => format!("#<procedure {name} {min}>"),
            None => format!("#<procedure {name}>"),
        }
    }

    /// A closure over the current registers.
    pub(super) fn make_closure(&mut self, stack: &[Word], proto: u32, base: usize) -> Res {
        let p: &Proto = &self.protos[proto as usize];
        let n = p.captures.len();
        if n < 16 {
            let mut slots = [Word::UNSPECIFIED; 17];
            slots[0] = Word::fix(i64::from(proto));
            for (slot, c) in slots[1..].iter_mut().zip(&p.captures) {
                *slot = match c {
                    Capture::Register(r) => stack[base + *r as usize],
                    Capture::Captured(i) => self.cx.heap.slot(stack[base - 1], 1 + *i as usize),
                };
            }
            return Ok(self.cx.heap.block(Kind::Closure, &slots[..=n]));
        }
        if n >= crate::heap::MAX_BLOCK {
            return fail("a procedure captures too many variables", &[]);
        }
        let mut slots = vec![Word::fix(i64::from(proto))];
        for c in &p.captures {
            slots.push(match c {
                Capture::Register(r) => stack[base + *r as usize],
                Capture::Captured(i) => self.cx.heap.slot(stack[base - 1], 1 + *i as usize),
            });
        }
        Ok(self.cx.heap.block(Kind::Closure, &slots))
    }

    /// Spreads multiple values over registers (`call-with-values` in line).
    pub(super) fn spread(
        &mut self,
        stack: &mut [Word],
        v: Word,
        first: usize,
        n: usize,
        rest: bool,
    ) -> Res<()> {
        let items = if v.is(Kind::Values) {
            crate::prims::control::values_items(&self.cx, v)
        } else {
            vec![v]
        };
        if items.len() < n || (items.len() > n && !rest) {
            let shown = self.cx.heap.uninterned(&format!(
                "#<procedure #f {n}{}>",
                if rest { "+" } else { "" }
            ));
            let message = if items.len() < n {
                "not enough args"
            } else {
                "too many args"
            };
            return fail(message, &[shown, Word::index(items.len())]);
        }
        stack[first..first + n].copy_from_slice(&items[..n]);
        if rest {
            let list = self.cx.heap.list(&items[n..]);
            stack[first + n] = list;
        }
        Ok(())
    }

    /// The error of a variable without a value: a hint where a library would provide it.
    #[cold]
    pub(super) fn unbound<T>(&mut self, g: u32) -> Res<T> {
        let name = self.globals.info[g as usize].name;
        let text = self
            .cx
            .heap
            .symbol_name(name)
            .unwrap_or_default()
            .to_owned();
        if let Some(library) = self.syntax.libraries.withheld(&text) {
            return Err(raise(
                ErrorKind::Sandbox,
                format!("[sandbox:binding] '{text}' requires (import {library})"),
                &[],
            ));
        }
        fail("undefined variable", &[name])
    }
}
