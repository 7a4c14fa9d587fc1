//! Register allocation and code for one top-level form.

use super::analysis::{box_early_mentions, find_loops, mentions};
use super::inline::{self, Compare};
use crate::code::{Capture, Op, Pos, Proto, Reg, Small};
use crate::error::{ErrorKind, Limit, Raise, Res, raise};
use crate::heap::FixedMap;
use crate::native_stack::Entered;
use crate::prims::NativeDef;
use crate::syntax::Globals;
use crate::syntax::ast::{Clause, Lambda, Node, Var, VarId};
use crate::value::Word;

/// Most registers of a procedure.
const MAX_REGISTERS: u16 = 20_000;

/// Where the compiled code of a context is kept.
pub(crate) struct Unit<'a> {
    pub(crate) code: &'a mut Vec<Op>,
    pub(crate) protos: &'a mut Vec<Proto>,
    pub(crate) consts: &'a mut Vec<Word>,
    pub(crate) globals: &'a Globals,
    pub(crate) natives: &'a [NativeDef],
    /// Steps of work done, and the most that may be done.
    pub(crate) work: u64,
    pub(crate) limit: u64,
    pub(crate) entered: Entered,
}

/// Compiles a top-level form; the result is the index of its code.
pub(crate) fn compile(unit: &mut Unit<'_>, vars: &mut [Var], node: &Node, pos: Pos) -> Res<u32> {
    if !find_loops(node, vars, unit.entered) {
        return too_deep();
    }
    let before = (unit.code.len(), unit.protos.len(), unit.consts.len());
    let mut c = Emitter {
        unit,
        vars,
        functions: Vec::new(),
        shared: FixedMap::default(),
        long: false,
        overflow: false,
    };
    let body = TopBody { node, pos };
    let mut result = c.top(&body);
    if result.is_ok() && c.overflow {
        // All once more with long jumps, rather than a part: parts nest.
        c.undo(before);
        c.long = true;
        c.overflow = false;
        result = c.top(&body);
        if result.is_ok() && c.overflow {
            result = too_large();
        }
    }
    if result.is_err() {
        c.undo(before);
    }
    result
}

struct TopBody<'n> {
    node: &'n Node,
    pos: Pos,
}

/// What becomes of a value.
#[derive(Debug, Clone, Copy)]
enum Dest {
    Reg(Reg),
    Effect,
    /// The value is the procedure's.
    Tail,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Register(Reg),
    Captured(u16),
}

struct LoopLabel {
    params: Vec<(VarId, Reg)>,
    /// Where the loop starts, once that is known.
    start: Option<usize>,
    /// Jumps to the start from before it.
    pending: Vec<usize>,
    /// Registers in use where the loop was entered.
    dest: Dest,
}

#[derive(Default)]
struct Function {
    code: Vec<Op>,
    places: Vec<(u32, Pos)>,
    locals: FixedMap<VarId, Reg>,
    captures: Vec<Capture>,
    captured: FixedMap<VarId, u16>,
    loops: FixedMap<VarId, LoopLabel>,
    next: Reg,
    most: Reg,
    /// It needs more registers than there are.
    overflow: bool,
}

struct Emitter<'a, 'u> {
    unit: &'a mut Unit<'u>,
    vars: &'a mut [Var],
    functions: Vec<Function>,
    /// Constants of this form that are in the pool already.
    shared: FixedMap<Word, u32>,
    /// Fused branches do not reach: use the long forms.
    long: bool,
    /// A branch did not reach.
    overflow: bool,
}

fn too_deep<T>() -> Res<T> {
    Err(raise(
        ErrorKind::Syntax,
        "expressions nested too deeply for the stack",
        &[],
    ))
}

fn too_large<T>() -> Res<T> {
    Err(raise(ErrorKind::Syntax, "a procedure is too large", &[]))
}

impl Emitter<'_, '_> {
    fn f(&mut self) -> &mut Function {
        // There is always a function while code is emitted.
        if self.functions.is_empty() {
            self.functions.push(Function::default());
        }
        let last = self.functions.len() - 1;
        &mut self.functions[last]
    }

    /// Takes back what was compiled since the unit had this much code, procedures and constants.
    fn undo(&mut self, before: (usize, usize, usize)) {
        self.unit.code.truncate(before.0);
        self.unit.protos.truncate(before.1);
        self.unit.consts.truncate(before.2);
        self.functions.clear();
        self.shared.clear();
    }

    /// Adds to the work of the compilation.
    fn charge(&mut self, work: u64) -> Res<()> {
        self.unit.work = self.unit.work.saturating_add(work);
        if self.unit.work > self.unit.limit {
            return Err(Box::new(Raise::Limit(Limit::Steps)));
        }
        Ok(())
    }

    fn top(&mut self, body: &TopBody<'_>) -> Res<u32> {
        self.functions.push(Function {
            next: 1,
            most: 1,
            ..Function::default()
        });
        self.emit(body.node, Dest::Reg(0))?;
        self.op(Op::Halt { a: 0 });
        let f = self.functions.pop().unwrap_or_default();
        self.finish(
            f,
            Proto {
                is_top: true,
                at: body.pos,
                ..Proto::default()
            },
        )
    }

    fn finish(&mut self, f: Function, proto: Proto) -> Res<u32> {
        if f.overflow || f.most > MAX_REGISTERS {
            return too_large();
        }
        let start = self.unit.code.len() as u32;
        let len = f.code.len() as u32;
        self.unit.code.extend(f.code);
        self.unit.protos.push(Proto {
            start,
            len,
            places: f.places,
            captures: f.captures,
            registers: f.most + 1,
            ..proto
        });
        Ok(self.unit.protos.len() as u32 - 1)
    }

    fn op(&mut self, op: Op) -> usize {
        let f = self.f();
        f.code.push(op);
        f.code.len() - 1
    }

    /// Notes where the next instruction comes from.
    fn place(&mut self, pos: Pos) {
        let f = self.f();
        if pos.line != 0 && f.places.last().map(|p| p.1) != Some(pos) {
            let at = f.code.len() as u32;
            if f.places.last().is_some_and(|p| p.0 == at) {
                f.places.pop();
            }
            f.places.push((at, pos));
        }
    }

    fn temp(&mut self) -> Reg {
        let f = self.f();
        let r = f.next;
        f.next = f.next.saturating_add(1);
        f.most = f.most.max(f.next);
        if f.most > MAX_REGISTERS {
            f.overflow = true;
            f.next = r;
        }
        r
    }

    fn mark(&mut self) -> Reg {
        self.f().next
    }

    fn release(&mut self, mark: Reg) {
        self.f().next = mark;
    }

    // --- jumps ---

    fn here(&mut self) -> usize {
        self.f().code.len()
    }

    fn patch_here(&mut self, at: usize) {
        let target = self.here();
        self.patch(at, target);
    }

    fn patch_all(&mut self, jumps: &[usize]) {
        for j in jumps {
            self.patch_here(*j);
        }
    }

    fn patch(&mut self, at: usize, target: usize) {
        let f = self.f();
        let far = target as i64 - (at as i64 + 1);
        let short = i16::try_from(far);
        let mut overflow = false;
        match &mut f.code[at] {
            Op::Jump { off }
            | Op::Loop { off }
            | Op::IfFalse { off, .. }
            | Op::IfTrue { off, .. }
            | Op::IfNotNull { off, .. }
            | Op::IfNotPair { off, .. }
            | Op::IfNull { off, .. }
            | Op::IfPair { off, .. } => *off = far as i32,
            Op::IfNotLt { off, .. }
            | Op::IfNotLe { off, .. }
            | Op::IfNotNumEq { off, .. }
            | Op::IfNotLtI { off, .. }
            | Op::IfNotGtI { off, .. }
            | Op::IfNotLeI { off, .. }
            | Op::IfNotGeI { off, .. }
            | Op::IfNotNumEqI { off, .. }
            | Op::IfNotEq { off, .. }
            | Op::IfEq { off, .. } => match short {
                Ok(s) => *off = s,
                Err(_) => overflow = true,
            },
            _ => {}
        }
        self.overflow |= overflow;
    }

    // --- variables ---

    fn resolve(&mut self, v: VarId, level: usize) -> Place {
        if let Some(r) = self.functions[level].locals.get(&v) {
            return Place::Register(*r);
        }
        if let Some(i) = self.functions[level].captured.get(&v) {
            return Place::Captured(*i);
        }
        let capture = if level == 0 {
            // Cannot happen: the expander binds before it refers.
            Capture::Register(0)
        } else {
            match self.resolve(v, level - 1) {
                Place::Register(r) => Capture::Register(r),
                Place::Captured(i) => Capture::Captured(i),
            }
        };
        self.unit.work += 1;
        let f = &mut self.functions[level];
        let i = f.captures.len() as u16;
        f.captures.push(capture);
        f.captured.insert(v, i);
        Place::Captured(i)
    }

    fn where_is(&mut self, v: VarId) -> Place {
        let level = self.functions.len() - 1;
        self.resolve(v, level)
    }

    fn bind(&mut self, v: VarId, r: Reg) {
        self.f().locals.insert(v, r);
    }

    fn assigned(&self, v: VarId) -> bool {
        self.vars[v as usize].assigned
    }

    fn get_local(&mut self, v: VarId, d: Reg) {
        let cell = self.assigned(v);
        match (self.where_is(v), cell) {
            (Place::Register(a), false) => {
                if a != d {
                    self.op(Op::Move { d, a });
                }
            }
            (Place::Register(a), true) => {
                self.op(Op::CellGet { d, a });
            }
            (Place::Captured(i), false) => {
                self.op(Op::Captured { d, i });
            }
            (Place::Captured(i), true) => {
                self.op(Op::CapturedCell { d, i });
            }
        }
    }

    fn small_const(node: &Node) -> Option<i16> {
        match node {
            Node::Const(w) => w.as_fix().and_then(|n| i16::try_from(n).ok()),
            _ => None,
        }
    }

    fn constant(&mut self, w: Word, d: Reg) {
        let small = match w {
            Word::FALSE => Some(Small::False),
            Word::TRUE => Some(Small::True),
            Word::NIL => Some(Small::Nil),
            Word::UNSPECIFIED => Some(Small::Unspecified),
            _ => None,
        };
        if let Some(v) = small {
            self.op(Op::Small { d, v });
        } else if let Some(n) = w.as_fix().and_then(|n| i32::try_from(n).ok()) {
            self.op(Op::Fix { d, n });
        } else {
            let k = match self.shared.get(&w) {
                Some(k) => *k,
                None => {
                    self.unit.consts.push(w);
                    let k = self.unit.consts.len() as u32 - 1;
                    self.shared.insert(w, k);
                    k
                }
            };
            self.op(Op::Const { d, k });
        }
    }

    /// A register that holds the value of `node`, its own if it has one.
    fn operand(&mut self, node: &Node) -> Res<Reg> {
        if let Node::Local(v) = node
            && !self.assigned(*v)
            && let Place::Register(r) = self.where_is(*v)
        {
            return Ok(r);
        }
        let r = self.temp();
        self.emit(node, Dest::Reg(r))?;
        Ok(r)
    }

    // --- expressions ---

    /// Delivers a value that is in a register.
    fn deliver(&mut self, r: Reg, dest: Dest) {
        match dest {
            Dest::Reg(d) if d != r => {
                self.op(Op::Move { d, a: r });
            }
            Dest::Tail => {
                self.op(Op::Return { a: r });
            }
            _ => {}
        }
    }

    /// The register to compute a value into.
    fn target(&mut self, dest: Dest) -> Reg {
        match dest {
            Dest::Reg(d) => d,
            _ => self.temp(),
        }
    }

    fn emit(&mut self, node: &Node, dest: Dest) -> Res<()> {
        self.charge(1)?;
        if !self.unit.entered.has_room() {
            return too_deep();
        }
        let mark = self.mark();
        self.emit_inner(node, dest)?;
        self.release(mark);
        Ok(())
    }

    fn emit_inner(&mut self, node: &Node, dest: Dest) -> Res<()> {
        match node {
            Node::Const(w) => {
                if !matches!(dest, Dest::Effect) {
                    let d = self.target(dest);
                    self.constant(*w, d);
                    self.deliver(d, dest);
                }
            }
            Node::Local(v) => match dest {
                Dest::Effect => {}
                Dest::Reg(d) => self.get_local(*v, d),
                Dest::Tail => {
                    let r = self.operand(node)?;
                    self.op(Op::Return { a: r });
                }
            },
            Node::SetLocal(v, value) => {
                let a = self.operand(value)?;
                match self.where_is(*v) {
                    Place::Register(cell) => self.op(Op::CellSet { cell, a }),
                    Place::Captured(i) => self.op(Op::SetCapturedCell { a, i }),
                };
                self.unspecified(dest);
            }
            Node::Global(g, pos) => {
                let d = self.target(dest);
                self.place(*pos);
                self.op(Op::Global { d, g: *g });
                self.deliver(d, dest);
            }
            Node::SetGlobal(g, value, pos) => {
                let a = self.operand(value)?;
                self.place(*pos);
                self.op(Op::SetGlobal { a, g: *g });
                self.unspecified(dest);
            }
            Node::DefGlobal(g, value) => {
                let a = self.operand(value)?;
                self.op(Op::DefGlobal { a, g: *g });
                self.unspecified(dest);
            }
            Node::If(test, then, otherwise) => self.emit_if(test, then, otherwise, dest)?,
            Node::Seq(nodes) => {
                if let Some((last, first)) = nodes.split_last() {
                    for n in first {
                        self.emit(n, Dest::Effect)?;
                    }
                    self.emit(last, dest)?;
                }
            }
            Node::Lambda(l) => {
                let d = self.target(dest);
                self.closure(l, d)?;
                self.deliver(d, dest);
            }
            Node::CaseLambda(ls) => self.case_lambda(ls, dest)?,
            Node::Let(bindings, body) => {
                for (v, value) in bindings {
                    let r = self.temp();
                    self.emit(value, Dest::Reg(r))?;
                    if self.assigned(*v) {
                        self.op(Op::Cell { d: r, a: r });
                    }
                    self.bind(*v, r);
                }
                self.emit(body, dest)?;
            }
            Node::Cond(clauses, otherwise) => self.cond(clauses, otherwise, dest)?,
            Node::Letrec(bindings, body) => self.letrec(bindings, body, dest)?,
            Node::And(nodes) => self.and(nodes, dest)?,
            Node::Or(nodes) => self.or(nodes, dest)?,
            Node::Call(f, args, pos) => self.call(f, args, *pos, dest)?,
        }
        Ok(())
    }

    fn case_lambda(&mut self, ls: &[Lambda], dest: Dest) -> Res<()> {
        let base = self.mark();
        for l in ls {
            let r = self.temp();
            self.closure(l, r)?;
        }
        let d = self.target(dest);
        self.op(Op::CaseLambda {
            d,
            a: base,
            n: ls.len() as u16,
        });
        self.deliver(d, dest);
        Ok(())
    }

    fn cond(&mut self, clauses: &[Clause], otherwise: &Node, dest: Dest) -> Res<()> {
        let mut ends = Vec::new();
        for c in clauses {
            let mark = self.mark();
            let mut to_next = Vec::new();
            match c.var {
                None => self.branch(&c.test, false, &mut to_next)?,
                Some(v) => {
                    let r = self.temp();
                    self.emit(&c.test, Dest::Reg(r))?;
                    self.bind(v, r);
                    to_next.push(self.op(Op::IfFalse { a: r, off: 0 }));
                }
            }
            self.emit(&c.then, dest)?;
            self.release(mark);
            if !matches!(dest, Dest::Tail) {
                ends.push(self.op(Op::Jump { off: 0 }));
            }
            self.patch_all(&to_next);
        }
        self.emit(otherwise, dest)?;
        self.patch_all(&ends);
        Ok(())
    }

    fn unspecified(&mut self, dest: Dest) {
        if !matches!(dest, Dest::Effect) {
            let d = self.target(dest);
            self.op(Op::Small {
                d,
                v: Small::Unspecified,
            });
            self.deliver(d, dest);
        }
    }

    fn emit_if(&mut self, test: &Node, then: &Node, otherwise: &Node, dest: Dest) -> Res<()> {
        if let Node::Const(w) = test {
            return self.emit(if w.truthy() { then } else { otherwise }, dest);
        }
        let mut to_else = Vec::new();
        self.branch(test, false, &mut to_else)?;
        self.emit(then, dest)?;
        if matches!(dest, Dest::Tail) {
            self.patch_all(&to_else);
            return self.emit(otherwise, dest);
        }
        if matches!((otherwise, dest), (Node::Const(_), Dest::Effect)) {
            self.patch_all(&to_else);
            return Ok(());
        }
        let end = self.op(Op::Jump { off: 0 });
        self.patch_all(&to_else);
        self.emit(otherwise, dest)?;
        self.patch_here(end);
        Ok(())
    }

    fn and(&mut self, nodes: &[Node], dest: Dest) -> Res<()> {
        let Some((last, first)) = nodes.split_last() else {
            return Ok(());
        };
        let mut exits = Vec::new();
        for n in first {
            self.branch(n, false, &mut exits)?;
        }
        self.emit(last, dest)?;
        // The value of a failed `and` is #f whatever failed.
        match dest {
            Dest::Tail => {
                self.patch_all(&exits);
                let d = self.temp();
                self.op(Op::Small { d, v: Small::False });
                self.op(Op::Return { a: d });
            }
            Dest::Reg(d) => {
                let end = self.op(Op::Jump { off: 0 });
                self.patch_all(&exits);
                self.op(Op::Small { d, v: Small::False });
                self.patch_here(end);
            }
            Dest::Effect => self.patch_all(&exits),
        }
        Ok(())
    }

    fn or(&mut self, nodes: &[Node], dest: Dest) -> Res<()> {
        let Some((last, first)) = nodes.split_last() else {
            return Ok(());
        };
        let mut exits = Vec::new();
        if matches!(dest, Dest::Effect) {
            for n in first {
                self.branch(n, true, &mut exits)?;
            }
            self.emit(last, dest)?;
            self.patch_all(&exits);
            return Ok(());
        }
        // Not straight into a variable's register: a later operand may still read it.
        let t = self.temp();
        for n in first {
            let mark = self.mark();
            let r = self.operand(n)?;
            if r != t {
                self.op(Op::Move { d: t, a: r });
            }
            self.release(mark);
            exits.push(self.op(Op::IfTrue { a: t, off: 0 }));
        }
        match dest {
            Dest::Tail => {
                self.emit(last, Dest::Tail)?;
                self.patch_all(&exits);
                self.op(Op::Return { a: t });
            }
            _ => {
                self.emit(last, Dest::Reg(t))?;
                self.patch_all(&exits);
                self.deliver(t, dest);
            }
        }
        Ok(())
    }

    /// The name of the native procedure that a node certainly is.
    fn native_of(&self, node: &Node) -> Option<(u32, &'static str)> {
        let Node::Global(g, _) = node else {
            return None;
        };
        let info = &self.unit.globals.info[*g as usize];
        if info.assigned {
            return None;
        }
        info.native.map(|n| (n, self.unit.natives[n as usize].name))
    }

    /// Code that jumps when the test is `sense`, and falls through otherwise.
    fn branch(&mut self, test: &Node, sense: bool, jumps: &mut Vec<usize>) -> Res<()> {
        let mark = self.mark();
        self.branch_inner(test, sense, jumps)?;
        self.release(mark);
        Ok(())
    }

    fn branch_inner(&mut self, test: &Node, sense: bool, jumps: &mut Vec<usize>) -> Res<()> {
        match test {
            Node::Const(w) => {
                if w.truthy() == sense {
                    jumps.push(self.op(Op::Jump { off: 0 }));
                }
                return Ok(());
            }
            Node::And(nodes) => {
                if !sense {
                    for n in nodes {
                        self.branch(n, false, jumps)?;
                    }
                    return Ok(());
                }
                let mut out = Vec::new();
                if let Some((last, first)) = nodes.split_last() {
                    for n in first {
                        self.branch(n, false, &mut out)?;
                    }
                    self.branch(last, true, jumps)?;
                }
                self.patch_all(&out);
                return Ok(());
            }
            Node::Or(nodes) => {
                if sense {
                    for n in nodes {
                        self.branch(n, true, jumps)?;
                    }
                    return Ok(());
                }
                let mut out = Vec::new();
                if let Some((last, first)) = nodes.split_last() {
                    for n in first {
                        self.branch(n, true, &mut out)?;
                    }
                    self.branch(last, false, jumps)?;
                }
                self.patch_all(&out);
                return Ok(());
            }
            Node::Call(f, args, pos) => {
                if let Some((_, name)) = self.native_of(f)
                    && self.branch_primitive(name, args, *pos, sense, jumps)?
                {
                    return Ok(());
                }
            }
            _ => {}
        }
        let a = self.operand(test)?;
        jumps.push(self.op(if sense {
            Op::IfTrue { a, off: 0 }
        } else {
            Op::IfFalse { a, off: 0 }
        }));
        Ok(())
    }

    fn branch_primitive(
        &mut self,
        name: &str,
        args: &[Node],
        pos: Pos,
        sense: bool,
        jumps: &mut Vec<usize>,
    ) -> Res<bool> {
        match (name, args) {
            ("not", [x]) => self.branch(x, !sense, jumps)?,
            ("null?", [x]) => {
                let a = self.operand(x)?;
                jumps.push(self.op(if sense {
                    Op::IfNull { a, off: 0 }
                } else {
                    Op::IfNotNull { a, off: 0 }
                }));
            }
            ("pair?", [x]) => {
                let a = self.operand(x)?;
                jumps.push(self.op(if sense {
                    Op::IfPair { a, off: 0 }
                } else {
                    Op::IfNotPair { a, off: 0 }
                }));
            }
            _ if self.long => return Ok(false),
            ("eq?", [x, y]) => {
                let a = self.operand(x)?;
                let b = self.operand(y)?;
                jumps.push(self.op(if sense {
                    Op::IfEq { a, b, off: 0 }
                } else {
                    Op::IfNotEq { a, b, off: 0 }
                }));
            }
            ("zero?", [x]) => {
                let a = self.operand(x)?;
                self.place(pos);
                let op = self.op(Op::IfNotNumEqI { a, n: 0, off: 0 });
                self.with_sense(op, sense, jumps);
            }
            (name, [x, y]) => {
                let Some(compare) = Compare::of(name) else {
                    return Ok(false);
                };
                let op = if let Some(n) = Self::small_const(y) {
                    let a = self.operand(x)?;
                    self.place(pos);
                    compare.unless_const(a, n)
                } else if let Some(n) = Self::small_const(x) {
                    let a = self.operand(y)?;
                    self.place(pos);
                    compare.turned().unless_const(a, n)
                } else {
                    let a = self.operand(x)?;
                    let b = self.operand(y)?;
                    self.place(pos);
                    compare.unless(a, b)
                };
                let op = self.op(op);
                self.with_sense(op, sense, jumps);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Comparisons only have the form that jumps when they fail: for the other sense, jump over a jump.
    fn with_sense(&mut self, op: usize, sense: bool, jumps: &mut Vec<usize>) {
        if sense {
            jumps.push(self.op(Op::Jump { off: 0 }));
            self.patch_here(op);
        } else {
            jumps.push(op);
        }
    }

    // --- procedures ---

    fn closure(&mut self, l: &Lambda, d: Reg) -> Res<Vec<VarId>> {
        let mut f = Function::default();
        let count = l.params.len() + usize::from(l.rest.is_some());
        f.next = count as Reg;
        f.most = f.next;
        for (i, v) in l.params.iter().chain(&l.rest).enumerate() {
            f.locals.insert(*v, i as Reg);
        }
        self.functions.push(f);
        for (i, v) in l.params.iter().chain(&l.rest).enumerate() {
            if self.assigned(*v) {
                let r = i as Reg;
                self.op(Op::Cell { d: r, a: r });
            }
        }
        self.emit(&l.body, Dest::Tail)?;
        self.finish_closure(l, d)
    }

    /// Ends the procedure that was begun last and makes a closure of it.
    fn finish_closure(&mut self, l: &Lambda, d: Reg) -> Res<Vec<VarId>> {
        let f = self.functions.pop().unwrap_or_default();
        let mut captured: Vec<(u16, VarId)> = f.captured.iter().map(|(v, i)| (*i, *v)).collect();
        captured.sort_unstable();
        let proto = Proto {
            required: l.params.len() as u16,
            rest: l.rest.is_some(),
            name: l.name.clone(),
            at: l.pos,
            ..Proto::default()
        };
        let proto = self.finish(f, proto)?;
        self.op(Op::Closure { d, proto });
        Ok(captured.into_iter().map(|c| c.1).collect())
    }

    fn letrec(&mut self, bindings: &[(VarId, Node)], body: &Node, dest: Dest) -> Res<()> {
        if let [(v, Node::Lambda(l))] = bindings
            && self.vars[*v as usize].is_loop
        {
            return self.emit_loop(*v, l, body, dest);
        }
        let work = box_early_mentions(bindings, self.vars);
        self.charge(work)?;
        let mut registers = Vec::new();
        for (v, _) in bindings {
            let r = self.temp();
            if self.assigned(*v) {
                self.op(Op::Small {
                    d: r,
                    v: Small::Undefined,
                });
                self.op(Op::Cell { d: r, a: r });
            }
            self.bind(*v, r);
            registers.push(r);
        }
        // Closures made so far, with the variables they captured.
        let mut made: Vec<(Reg, Vec<VarId>)> = Vec::new();
        for ((v, value), r) in bindings.iter().zip(&registers) {
            let cell = self.assigned(*v);
            let mark = self.mark();
            let target = if cell { self.temp() } else { *r };
            match value {
                Node::Lambda(l) => {
                    let captured = self.closure(l, target)?;
                    if !cell {
                        made.push((*r, captured));
                    }
                }
                _ => self.emit(value, Dest::Reg(target))?,
            }
            if cell {
                self.op(Op::CellSet {
                    cell: *r,
                    a: target,
                });
            } else {
                for (c, captured) in &made {
                    if let Some(i) = captured.iter().position(|w| w == v) {
                        self.op(Op::Patch {
                            c: *c,
                            i: i as u16,
                            a: *r,
                        });
                    }
                }
            }
            self.release(mark);
        }
        self.emit(body, dest)
    }

    fn emit_loop(&mut self, v: VarId, l: &Lambda, body: &Node, dest: Dest) -> Res<()> {
        let mut params = Vec::new();
        for p in &l.params {
            let r = self.temp();
            params.push((*p, r));
        }
        self.f().loops.insert(
            v,
            LoopLabel {
                params: params.clone(),
                start: None,
                pending: Vec::new(),
                dest,
            },
        );
        self.emit(body, dest)?;
        let mut end = None;
        let mut pending = self
            .f()
            .loops
            .get_mut(&v)
            .map(|l| std::mem::take(&mut l.pending))
            .unwrap_or_default();
        // A body that is just the first call falls into the loop.
        let direct = matches!(body, Node::Call(f, _, _) if matches!(**f, Node::Local(w) if w == v));
        if direct && pending.len() == 1 && pending[0] + 1 == self.here() {
            self.f().code.pop();
            pending.clear();
        } else if !matches!(dest, Dest::Tail) {
            end = Some(self.op(Op::Jump { off: 0 }));
        }
        self.patch_all(&pending);
        let start = self.here();
        if let Some(label) = self.f().loops.get_mut(&v) {
            label.start = Some(start);
        }
        for (p, r) in &params {
            self.bind(*p, *r);
            if self.assigned(*p) {
                self.op(Op::Cell { d: *r, a: *r });
            }
        }
        self.emit(&l.body, dest)?;
        if let Some(end) = end {
            self.patch_here(end);
        }
        self.f().loops.remove(&v);
        Ok(())
    }

    fn jump_to_loop(&mut self, v: VarId, args: &[Node]) -> Res<()> {
        let params = self
            .f()
            .loops
            .get(&v)
            .map(|l| l.params.clone())
            .unwrap_or_default();
        // For each variable, the last argument that mentions it.
        let mut last: FixedMap<VarId, usize> = FixedMap::default();
        let mut work = 0;
        for (i, a) in args.iter().enumerate() {
            let mut own = FixedMap::default();
            work += mentions(a, &mut own);
            last.extend(own.into_keys().map(|v| (v, i)));
        }
        self.charge(work)?;
        let mut moves = Vec::new();
        for (i, (arg, (p, r))) in args.iter().zip(&params).enumerate() {
            if matches!(arg, Node::Local(w) if w == p) && !self.assigned(*p) {
                continue;
            }
            let safe = match last.get(p) {
                None => true,
                Some(at) if *at < i => true,
                Some(at) => *at == i && self.reads_before_writing(arg),
            };
            if safe && !self.assigned(*p) {
                self.emit(arg, Dest::Reg(*r))?;
            } else {
                let t = self.temp();
                self.emit(arg, Dest::Reg(t))?;
                moves.push((*r, t));
            }
        }
        for (d, a) in moves {
            self.op(Op::Move { d, a });
        }
        match self.f().loops.get(&v).and_then(|l| l.start) {
            Some(start) => {
                let at = self.op(Op::Loop { off: 0 });
                self.patch(at, start);
            }
            None => {
                let at = self.op(Op::Jump { off: 0 });
                if let Some(label) = self.f().loops.get_mut(&v) {
                    label.pending.push(at);
                }
            }
        }
        Ok(())
    }

    /// True when code for the node reads all its variables before it writes its destination.
    fn reads_before_writing(&self, node: &Node) -> bool {
        let simple = |n: &Node| matches!(n, Node::Local(_) | Node::Const(_));
        match node {
            Node::Local(_) | Node::Const(_) => true,
            Node::Call(f, args, _) => match self.native_of(f) {
                // More operands are folded through the destination.
                Some((_, "+" | "-" | "*")) => args.len() == 2 && args.iter().all(simple),
                Some((_, name)) => {
                    (inline::unary(name, 0, 0).is_some() && args.len() == 1
                        || inline::binary(name, 0, 0, 0).is_some() && args.len() == 2)
                        && args.iter().all(simple)
                }
                None => false,
            },
            _ => false,
        }
    }

    // --- calls ---

    fn call(&mut self, f: &Node, args: &[Node], pos: Pos, dest: Dest) -> Res<()> {
        if let Node::Local(v) = f
            && let Some(label) = self.f().loops.get(v)
        {
            let same = matches!(
                (label.dest, dest),
                (Dest::Tail, Dest::Tail)
                    | (Dest::Effect, Dest::Effect)
                    | (Dest::Reg(_), Dest::Reg(_))
            );
            if same {
                return self.jump_to_loop(*v, args);
            }
        }
        if let Some((n, name)) = self.native_of(f) {
            if self.inline_call(name, args, pos, dest)? {
                return Ok(());
            }
            if self.unit.natives[n as usize].is_plain() && args.len() < 256 {
                let base = self.mark();
                for a in args {
                    let r = self.temp();
                    self.emit(a, Dest::Reg(r))?;
                }
                let d = match dest {
                    Dest::Reg(d) => d,
                    _ if args.is_empty() => self.temp(),
                    _ => base,
                };
                self.place(pos);
                self.op(Op::Native {
                    d,
                    base,
                    f: n as u16,
                    n: args.len() as u8,
                });
                self.deliver(d, dest);
                return Ok(());
            }
        }
        let base = self.mark();
        let fr = self.temp();
        let global = match f {
            Node::Global(g, _) if args.len() < 256 => Some(*g),
            _ => {
                self.emit(f, Dest::Reg(fr))?;
                None
            }
        };
        for a in args {
            let r = self.temp();
            self.emit(a, Dest::Reg(r))?;
        }
        self.place(pos);
        let n = args.len() as u16;
        match (global, dest) {
            (Some(g), Dest::Tail) => self.op(Op::TailCallGlobal {
                base,
                n: n as u8,
                g,
            }),
            (Some(g), _) => self.op(Op::CallGlobal {
                base,
                n: n as u8,
                g,
            }),
            (None, Dest::Tail) => self.op(Op::TailCall { base, n }),
            (None, _) => self.op(Op::Call { base, n }),
        };
        if let Dest::Reg(d) = dest
            && d != base
        {
            self.op(Op::Move { d, a: base });
        }
        Ok(())
    }

    fn inline_call(&mut self, name: &str, args: &[Node], pos: Pos, dest: Dest) -> Res<bool> {
        match (name, args) {
            ("+" | "*", [first, rest @ ..]) if !rest.is_empty() => {
                self.fold(name, first, rest, pos, dest)?;
            }
            ("-", [first, rest @ ..]) if !rest.is_empty() => {
                self.fold(name, first, rest, pos, dest)?
            }
            ("eq?" | "null?" | "pair?" | "zero?" | "<" | ">" | "<=" | ">=" | "=", _)
                if (args.len() == 2) != matches!(name, "null?" | "pair?" | "zero?")
                    && args.len() <= 2
                    && !args.is_empty() =>
            {
                if self.long && !matches!(name, "null?" | "pair?") {
                    return Ok(false);
                }
                let mut jumps = Vec::new();
                let mark = self.mark();
                if !self.branch_primitive(name, args, pos, false, &mut jumps)? {
                    return Ok(false);
                }
                self.release(mark);
                let d = self.target(dest);
                self.op(Op::Small { d, v: Small::True });
                let end = self.op(Op::Jump { off: 0 });
                self.patch_all(&jumps);
                self.op(Op::Small { d, v: Small::False });
                self.patch_here(end);
                self.deliver(d, dest);
            }
            ("vector-set!", [v, i, x]) => {
                let v = self.operand(v)?;
                let i = self.operand(i)?;
                let a = self.operand(x)?;
                self.place(pos);
                self.op(Op::VectorSet { v, i, a });
                self.unspecified(dest);
            }
            ("%field", [r, t, Node::Const(i)]) => {
                let Some(i) = i.as_fix().and_then(|i| u8::try_from(i).ok()) else {
                    return Ok(false);
                };
                let a = self.operand(r)?;
                let t = self.operand(t)?;
                let d = self.target(dest);
                self.place(pos);
                self.op(Op::Field { d, a, t, i });
                self.deliver(d, dest);
            }
            ("%set-field!", [r, t, x, Node::Const(i)]) => {
                let Some(i) = i.as_fix().and_then(|i| u8::try_from(i).ok()) else {
                    return Ok(false);
                };
                let r = self.operand(r)?;
                let t = self.operand(t)?;
                let a = self.operand(x)?;
                self.place(pos);
                self.op(Op::SetField { r, t, a, i });
                self.unspecified(dest);
            }
            ("call-with-values", [Node::Lambda(p), Node::Lambda(c)])
                if p.params.is_empty() && p.rest.is_none() =>
            {
                let a = self.temp();
                self.emit(&p.body, Dest::Reg(a))?;
                let base = self.mark();
                for v in c.params.iter().chain(&c.rest) {
                    let r = self.temp();
                    self.bind(*v, r);
                }
                if c.params.len() > 250 {
                    return too_large();
                }
                self.place(pos);
                self.op(Op::Spread {
                    d: base,
                    a,
                    n: c.params.len() as u8,
                    rest: c.rest.is_some(),
                });
                for v in c.params.iter().chain(&c.rest) {
                    if self.assigned(*v)
                        && let Place::Register(r) = self.where_is(*v)
                    {
                        self.op(Op::Cell { d: r, a: r });
                    }
                }
                self.emit(&c.body, dest)?;
            }
            (name, [x]) => {
                if let Some(path) = inline::path(name) {
                    let mut a = self.operand(x)?;
                    let d = self.target(dest);
                    self.place(pos);
                    for is_car in path {
                        self.op(if is_car {
                            Op::Car { d, a }
                        } else {
                            Op::Cdr { d, a }
                        });
                        a = d;
                    }
                    self.deliver(d, dest);
                    return Ok(true);
                }
                if inline::unary(name, 0, 0).is_none() {
                    return Ok(false);
                }
                let a = self.operand(x)?;
                let d = self.target(dest);
                self.place(pos);
                if let Some(op) = inline::unary(name, d, a) {
                    self.op(op);
                }
                self.deliver(d, dest);
            }
            (name, [x, y]) => {
                if inline::binary(name, 0, 0, 0).is_none() {
                    return Ok(false);
                }
                let a = self.operand(x)?;
                let b = self.operand(y)?;
                let d = self.target(dest);
                self.place(pos);
                if let Some(op) = inline::binary(name, d, a, b) {
                    self.op(op);
                }
                self.deliver(d, dest);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Left-associative arithmetic.
    fn fold(&mut self, name: &str, first: &Node, rest: &[Node], pos: Pos, dest: Dest) -> Res<()> {
        if let (Some(n), [y]) = (Self::small_const(first), rest)
            && inline::with_const(name, 0, 0, n, true).is_some()
        {
            let a = self.operand(y)?;
            let d = self.target(dest);
            self.place(pos);
            if let Some(op) = inline::with_const(name, d, a, n, true) {
                self.op(op);
            }
            self.deliver(d, dest);
            return Ok(());
        }
        let mut a = self.operand(first)?;
        let single = rest.len() == 1;
        // Intermediate results stay out of the destination: a later operand may read it.
        let t = if single { None } else { Some(self.temp()) };
        for (k, y) in rest.iter().enumerate() {
            let last = k + 1 == rest.len();
            let constant = Self::small_const(y)
                .filter(|n| inline::with_const(name, 0, 0, *n, false).is_some());
            let b = if constant.is_some() {
                0
            } else {
                self.operand(y)?
            };
            let d = match t {
                Some(t) if !last => t,
                _ => self.target(dest),
            };
            self.place(pos);
            let op = match constant {
                Some(n) => inline::with_const(name, d, a, n, false),
                None => inline::binary(name, d, a, b),
            };
            if let Some(op) = op {
                self.op(op);
            }
            a = d;
        }
        self.deliver(a, dest);
        Ok(())
    }
}
