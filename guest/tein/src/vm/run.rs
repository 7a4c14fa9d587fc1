//! The dispatch loop. Indexing is checked and in range: the compiler and the image loader only
//! make registers, constants, globals and jumps that exist.

use super::{Exit, MAX_FRAMES, Vm, arith};
use crate::code::{Op, Small};
use crate::error::{Limit, Raise, Res, fail};
use crate::prims::Run;
use crate::value::{Kind, Word};

#[inline(always)]
const fn small(v: Small) -> Word {
    match v {
        Small::False => Word::FALSE,
        Small::True => Word::TRUE,
        Small::Nil => Word::NIL,
        Small::Unspecified => Word::UNSPECIFIED,
        Small::Undefined => Word::UNDEFINED,
    }
}

impl Vm {
    /// Runs until the program ends or a primitive reports an error.
    pub(super) fn execute(&mut self, code: &[Op], stack: &mut [Word]) -> Res<Exit> {
        let mut pc = self.pc;
        let mut base = self.base;
        let mut proto = self.proto as usize;
        // Where the current straight run of instructions began, for counting steps.
        let mut from = pc;

        macro_rules! reg {
            ($r:expr) => {
                stack[base + $r as usize]
            };
        }
        macro_rules! save {
            () => {
                self.cx.steps -= (pc - from) as i64;
                self.pc = pc;
                self.base = base;
                self.proto = proto as u32;
            };
        }
        macro_rules! load {
            () => {
                pc = self.pc;
                base = self.base;
                proto = self.proto as usize;
                from = pc;
            };
        }
        macro_rules! attempt {
            ($e:expr) => {
                match $e {
                    Ok(v) => v,
                    Err(e) => {
                        save!();
                        return Err(e);
                    }
                }
            };
        }
        macro_rules! jump {
            ($off:expr) => {
                self.cx.steps -= (pc - from) as i64;
                pc = (pc as i64 + i64::from($off)) as usize;
                from = pc;
            };
        }
        macro_rules! safe_point {
            () => {
                if self.cx.steps < 0 || self.cx.heap.needs_attention() {
                    save!();
                    from = pc;
                    if self.cx.steps < 0 {
                        return Err(Box::new(Raise::Limit(Limit::Steps)));
                    }
                    self.tend_heap(code, stack)?;
                }
            };
        }
        // A call of the procedure in the register at stack index `$at`, the usual case in line.
        macro_rules! call {
            ($at:expr, $n:expr, $f:expr, $tail:expr) => {{
                let at = $at;
                let n = $n as usize;
                let f: Word = $f;
                if f.is(Kind::Closure) {
                    let target = self.cx.heap.slot(f, 0).fix_value() as usize;
                    let p = &self.protos[target];
                    let first = p.start as usize;
                    let fits = at + p.registers as usize + super::SLACK < stack.len();
                    if p.required as usize == n && !p.rest && fits && self.frames.len() < MAX_FRAMES
                    {
                        self.cx.steps -= (pc - from) as i64;
                        if $tail {
                            let end = at + n + 1;
                            stack.copy_within(at..end, base - 1);
                        } else {
                            self.frames.push(super::Frame {
                                proto: proto as u32,
                                pc: pc as u32,
                                base: base as u32,
                            });
                            base = at + 1;
                        }
                        proto = target;
                        pc = first;
                        from = first;
                        safe_point!();
                        continue;
                    }
                }
                // A primitive that was passed as a value: `sort` and `fold` live on it.
                if !$tail
                    && let Some(index) = f.as_native()
                    && let def = self.natives[index as usize]
                    && def.accepts(n)
                    && let Run::Plain(run) = def.run
                {
                    match run(&mut self.cx, &stack[at + 1..=at + n]) {
                        Ok(v) => {
                            stack[at] = v;
                            continue;
                        }
                        Err(e) if matches!(*e, Raise::Collect) => {}
                        Err(e) => {
                            save!();
                            let n = self.serve(stack, at, n, e)?;
                            self.enter(code, stack, at, n, false)?;
                            load!();
                            safe_point!();
                            continue;
                        }
                    }
                }
                save!();
                self.enter(code, stack, at, n, $tail)?;
                load!();
                safe_point!();
            }};
        }
        macro_rules! compare_jump {
            ($f:ident, $a:expr, $b:expr, $off:expr) => {{
                let (x, y) = ($a, $b);
                if !attempt!(arith::$f(&mut self.cx, x, y)) {
                    jump!($off);
                }
            }};
        }

        loop {
            let op = code[pc];
            pc += 1;
            match op {
                Op::Move { d, a } => reg!(d) = reg!(a),
                Op::Const { d, k } => reg!(d) = self.consts[k as usize],
                Op::Fix { d, n } => reg!(d) = Word::fix(n as i64),
                Op::Small { d, v } => reg!(d) = small(v),
                Op::Global { d, g } => {
                    let v = self.globals.values[g as usize];
                    if v == Word::UNBOUND {
                        save!();
                        return self.unbound(g);
                    }
                    reg!(d) = v;
                }
                Op::SetGlobal { a, g } => {
                    if self.globals.values[g as usize] == Word::UNBOUND {
                        save!();
                        return self.unbound(g);
                    }
                    self.globals.values[g as usize] = reg!(a);
                }
                Op::DefGlobal { a, g } => self.globals.values[g as usize] = reg!(a),
                Op::Cell { d, a } => {
                    let v = reg!(a);
                    reg!(d) = self.cx.heap.block(Kind::Cell, &[v]);
                }
                Op::CellGet { d, a } => {
                    let v = self.cx.heap.slot(reg!(a), 0);
                    if v == Word::UNDEFINED {
                        attempt!(fail::<()>("a variable is used before it has a value", &[]));
                    }
                    reg!(d) = v;
                }
                Op::CellSet { cell, a } => {
                    let v = reg!(a);
                    self.cx.heap.set_slot(reg!(cell), 0, v);
                }
                Op::Captured { d, i } => {
                    let closure = stack[base - 1];
                    reg!(d) = self.cx.heap.slot(closure, 1 + i as usize);
                }
                Op::CapturedCell { d, i } => {
                    let closure = stack[base - 1];
                    let cell = self.cx.heap.slot(closure, 1 + i as usize);
                    let v = self.cx.heap.slot(cell, 0);
                    if v == Word::UNDEFINED {
                        attempt!(fail::<()>("a variable is used before it has a value", &[]));
                    }
                    reg!(d) = v;
                }
                Op::SetCapturedCell { a, i } => {
                    let closure = stack[base - 1];
                    let cell = self.cx.heap.slot(closure, 1 + i as usize);
                    let v = reg!(a);
                    self.cx.heap.set_slot(cell, 0, v);
                }
                Op::Closure { d, proto: p } => {
                    let w = attempt!(self.make_closure(stack, p, base));
                    reg!(d) = w;
                }
                Op::Patch { c, i, a } => {
                    let v = reg!(a);
                    self.cx.heap.set_slot(reg!(c), 1 + i as usize, v);
                }
                Op::CaseLambda { d, a, n } => {
                    let start = base + a as usize;
                    let w = self
                        .cx
                        .heap
                        .block(Kind::CaseLambda, &stack[start..start + n as usize]);
                    reg!(d) = w;
                }

                Op::Jump { off } => {
                    jump!(off);
                }
                Op::Loop { off } => {
                    jump!(off);
                    safe_point!();
                }
                Op::IfFalse { a, off } => {
                    if reg!(a) == Word::FALSE {
                        jump!(off);
                    }
                }
                Op::IfTrue { a, off } => {
                    if reg!(a) != Word::FALSE {
                        jump!(off);
                    }
                }
                Op::IfNotLt { a, b, off } => compare_jump!(lt, reg!(a), reg!(b), off),
                Op::IfNotLe { a, b, off } => compare_jump!(le, reg!(a), reg!(b), off),
                Op::IfNotNumEq { a, b, off } => compare_jump!(num_eq, reg!(a), reg!(b), off),
                Op::IfNotLtI { a, n, off } => compare_jump!(lt, reg!(a), Word::fix(n as i64), off),
                Op::IfNotGtI { a, n, off } => compare_jump!(lt, Word::fix(n as i64), reg!(a), off),
                Op::IfNotLeI { a, n, off } => compare_jump!(le, reg!(a), Word::fix(n as i64), off),
                Op::IfNotGeI { a, n, off } => compare_jump!(le, Word::fix(n as i64), reg!(a), off),
                Op::IfNotNumEqI { a, n, off } => {
                    compare_jump!(num_eq, reg!(a), Word::fix(n as i64), off)
                }
                Op::IfNotEq { a, b, off } => {
                    if reg!(a) != reg!(b) {
                        jump!(off);
                    }
                }
                Op::IfEq { a, b, off } => {
                    if reg!(a) == reg!(b) {
                        jump!(off);
                    }
                }
                Op::IfNotNull { a, off } => {
                    if reg!(a) != Word::NIL {
                        jump!(off);
                    }
                }
                Op::IfNull { a, off } => {
                    if reg!(a) == Word::NIL {
                        jump!(off);
                    }
                }
                Op::IfNotPair { a, off } => {
                    if !reg!(a).is_pair() {
                        jump!(off);
                    }
                }
                Op::IfPair { a, off } => {
                    if reg!(a).is_pair() {
                        jump!(off);
                    }
                }

                Op::Add { d, a, b } => {
                    let (x, y) = (reg!(a), reg!(b));
                    reg!(d) = attempt!(arith::add(&mut self.cx, x, y));
                }
                Op::AddI { d, a, n } => {
                    let x = reg!(a);
                    reg!(d) = attempt!(arith::add(&mut self.cx, x, Word::fix(n as i64)));
                }
                Op::Sub { d, a, b } => {
                    let (x, y) = (reg!(a), reg!(b));
                    reg!(d) = attempt!(arith::sub(&mut self.cx, x, y));
                }
                Op::SubFromI { d, a, n } => {
                    let x = reg!(a);
                    reg!(d) = attempt!(if n == 0 {
                        crate::prims::number::negate(&mut self.cx, x)
                    } else {
                        arith::sub(&mut self.cx, Word::fix(n as i64), x)
                    });
                }
                Op::Mul { d, a, b } => {
                    let (x, y) = (reg!(a), reg!(b));
                    reg!(d) = attempt!(arith::mul(&mut self.cx, x, y));
                }
                Op::MulI { d, a, n } => {
                    let x = reg!(a);
                    reg!(d) = attempt!(arith::mul(&mut self.cx, x, Word::fix(n as i64)));
                }
                Op::Div { d, a, b } => {
                    let (x, y) = (reg!(a), reg!(b));
                    reg!(d) = attempt!(arith::div(&mut self.cx, x, y));
                }
                Op::Quotient { d, a, b } => {
                    let (x, y) = (reg!(a), reg!(b));
                    reg!(d) = attempt!(arith::quotient(&mut self.cx, x, y));
                }
                Op::Remainder { d, a, b } => {
                    let (x, y) = (reg!(a), reg!(b));
                    reg!(d) = attempt!(arith::remainder(&mut self.cx, x, y));
                }
                Op::Modulo { d, a, b } => {
                    let (x, y) = (reg!(a), reg!(b));
                    reg!(d) = attempt!(arith::modulo(&mut self.cx, x, y));
                }

                Op::Cons { d, a, b } => {
                    let (x, y) = (reg!(a), reg!(b));
                    reg!(d) = self.cx.heap.cons(x, y);
                }
                Op::Car { d, a } => {
                    let p = reg!(a);
                    if !p.is_pair() {
                        attempt!(fail::<()>("car: not a pair", &[p]));
                    }
                    reg!(d) = self.cx.heap.car(p);
                }
                Op::Cdr { d, a } => {
                    let p = reg!(a);
                    if !p.is_pair() {
                        attempt!(fail::<()>("cdr: not a pair", &[p]));
                    }
                    reg!(d) = self.cx.heap.cdr(p);
                }
                Op::VectorRef { d, a, b } => {
                    let (v, i) = (reg!(a), reg!(b));
                    reg!(d) = attempt!(crate::prims::vector::vector_ref(&mut self.cx, v, i));
                }
                Op::VectorSet { v, i, a } => {
                    let (v, i, x) = (reg!(v), reg!(i), reg!(a));
                    attempt!(crate::prims::vector::vector_set(&mut self.cx, v, i, x));
                }
                Op::StringRef { d, a, b } => {
                    let (s, i) = (reg!(a), reg!(b));
                    reg!(d) = attempt!(crate::prims::string::string_ref(&mut self.cx, s, i));
                }
                Op::Field { d, a, t, i } => {
                    let (r, rtd) = (reg!(a), reg!(t));
                    if !(r.is(Kind::Record) && self.cx.heap.slot(r, 0) == rtd) {
                        attempt!(crate::prims::record::wrong_record::<()>(
                            &mut self.cx,
                            r,
                            rtd
                        ));
                    }
                    reg!(d) = self.cx.heap.slot(r, 1 + i as usize);
                }
                Op::SetField { r, t, a, i } => {
                    let (r, rtd, v) = (reg!(r), reg!(t), reg!(a));
                    if !(r.is(Kind::Record) && self.cx.heap.slot(r, 0) == rtd) {
                        attempt!(crate::prims::record::wrong_record::<()>(
                            &mut self.cx,
                            r,
                            rtd
                        ));
                    }
                    self.cx.heap.set_slot(r, 1 + i as usize, v);
                }
                Op::Not { d, a } => reg!(d) = Word::bool(reg!(a) == Word::FALSE),

                Op::Native {
                    d,
                    base: first,
                    f,
                    n,
                } => {
                    let start = base + first as usize;
                    let def = self.natives[f as usize];
                    let count = n as usize;
                    if !def.accepts(count) {
                        attempt!(self.arity(Word::native(u32::from(f)), count));
                    }
                    if let Run::Plain(run) = def.run {
                        let args = &stack[start..start + count];
                        let v = match run(&mut self.cx, args) {
                            Ok(v) => v,
                            Err(e) => {
                                if matches!(*e, Raise::Serve { again: false, .. }) {
                                    reg!(d) = Word::UNSPECIFIED;
                                }
                                save!();
                                if !matches!(*e, Raise::Collect) {
                                    return Err(e);
                                }
                                from = pc;
                                self.after_collection(code, stack, run, start..start + count)?
                            }
                        };
                        reg!(d) = v;
                    }
                }
                Op::Call { base: b, n } => {
                    let at = base + b as usize;
                    call!(at, n, stack[at], false);
                }
                Op::TailCall { base: b, n } => {
                    let at = base + b as usize;
                    call!(at, n, stack[at], true);
                }
                Op::CallGlobal { base: b, n, g } => {
                    let at = base + b as usize;
                    let f = self.globals.values[g as usize];
                    if f == Word::UNBOUND {
                        save!();
                        return self.unbound(g);
                    }
                    stack[at] = f;
                    call!(at, n, f, false);
                }
                Op::TailCallGlobal { base: b, n, g } => {
                    let at = base + b as usize;
                    let f = self.globals.values[g as usize];
                    if f == Word::UNBOUND {
                        save!();
                        return self.unbound(g);
                    }
                    stack[at] = f;
                    call!(at, n, f, true);
                }
                Op::Return { a } => {
                    let v = reg!(a);
                    self.cx.steps -= (pc - from) as i64;
                    stack[base - 1] = v;
                    if let Some(f) = self.frames.pop() {
                        pc = f.pc as usize;
                        base = f.base as usize;
                        proto = f.proto as usize;
                        from = pc;
                    } else {
                        from = pc;
                        save!();
                        if let Some(exit) = self.underflow(stack, v)? {
                            return Ok(exit);
                        }
                        load!();
                    }
                }
                Op::Spread { d, a, n, rest } => {
                    let v = reg!(a);
                    attempt!(self.spread(stack, v, base + d as usize, n as usize, rest));
                }
                Op::Halt { a } => {
                    let v = reg!(a);
                    save!();
                    self.halted = proto as u32;
                    return Ok(Exit::Value(v));
                }
                Op::HaltBase => {
                    // The value came back in the callee's slot, register 0 of the base window.
                    let v = reg!(0);
                    save!();
                    return Ok(Exit::Value(v));
                }
            }
        }
    }
}
