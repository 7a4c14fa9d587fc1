//! Compiled code: flat register instructions, eight bytes each.
//!
//! A procedure's registers are a window of the VM stack. Register 0 onwards hold the arguments,
//! then locals and temporaries; the slot before register 0 holds the closure itself. A call puts
//! the callee and its arguments in consecutive registers, and the callee's window starts right
//! there, so arguments are never copied; the result comes back in the callee's slot.
//!
//! One step is one instruction executed; natives that do work in proportion to their input
//! charge more. Steps are added up at jumps, calls and returns.

use serde::{Deserialize, Serialize};

/// A register of the current window.
pub(crate) type Reg = u16;

/// One instruction. `d` is the destination, `a` and `b` are sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Op {
    Move {
        d: Reg,
        a: Reg,
    },
    /// Loads entry `k` of the constant pool.
    Const {
        d: Reg,
        k: u32,
    },
    Fix {
        d: Reg,
        n: i32,
    },
    /// Loads a constant that is not in the pool: see [`Small`].
    Small {
        d: Reg,
        v: Small,
    },
    Global {
        d: Reg,
        g: u32,
    },
    SetGlobal {
        a: Reg,
        g: u32,
    },
    DefGlobal {
        a: Reg,
        g: u32,
    },
    /// Allocates a cell that holds `a`: a variable that is assigned.
    Cell {
        d: Reg,
        a: Reg,
    },
    CellGet {
        d: Reg,
        a: Reg,
    },
    CellSet {
        cell: Reg,
        a: Reg,
    },
    /// Captured variable `i` of this closure.
    Captured {
        d: Reg,
        i: u16,
    },
    CapturedCell {
        d: Reg,
        i: u16,
    },
    SetCapturedCell {
        a: Reg,
        i: u16,
    },
    Closure {
        d: Reg,
        proto: u32,
    },
    /// Makes captured variable `i` of the closure in `c` the value of `a` (mutual recursion).
    Patch {
        c: Reg,
        i: u16,
        a: Reg,
    },
    CaseLambda {
        d: Reg,
        a: Reg,
        n: u16,
    },

    Jump {
        off: i32,
    },
    /// A backward jump: a safe point.
    Loop {
        off: i32,
    },
    IfFalse {
        a: Reg,
        off: i32,
    },
    IfTrue {
        a: Reg,
        off: i32,
    },
    // Compare and branch: jumps when the comparison does NOT hold.
    IfNotLt {
        a: Reg,
        b: Reg,
        off: i16,
    },
    IfNotLe {
        a: Reg,
        b: Reg,
        off: i16,
    },
    IfNotNumEq {
        a: Reg,
        b: Reg,
        off: i16,
    },
    IfNotLtI {
        a: Reg,
        n: i16,
        off: i16,
    },
    IfNotGtI {
        a: Reg,
        n: i16,
        off: i16,
    },
    IfNotLeI {
        a: Reg,
        n: i16,
        off: i16,
    },
    IfNotGeI {
        a: Reg,
        n: i16,
        off: i16,
    },
    IfNotNumEqI {
        a: Reg,
        n: i16,
        off: i16,
    },
    IfNotEq {
        a: Reg,
        b: Reg,
        off: i16,
    },
    IfNotNull {
        a: Reg,
        off: i32,
    },
    IfNotPair {
        a: Reg,
        off: i32,
    },
    // The same with the sense turned: jumps when it does hold.
    IfNull {
        a: Reg,
        off: i32,
    },
    IfPair {
        a: Reg,
        off: i32,
    },
    IfEq {
        a: Reg,
        b: Reg,
        off: i16,
    },

    Add {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddI {
        d: Reg,
        a: Reg,
        n: i16,
    },
    Sub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// `n - a`.
    SubFromI {
        d: Reg,
        a: Reg,
        n: i16,
    },
    Mul {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    MulI {
        d: Reg,
        a: Reg,
        n: i16,
    },
    Div {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Quotient {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Remainder {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Modulo {
        d: Reg,
        a: Reg,
        b: Reg,
    },

    Cons {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Car {
        d: Reg,
        a: Reg,
    },
    Cdr {
        d: Reg,
        a: Reg,
    },
    VectorRef {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    VectorSet {
        v: Reg,
        i: Reg,
        a: Reg,
    },
    StringRef {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Field `i` of a record whose type is in `t`.
    Field {
        d: Reg,
        a: Reg,
        t: Reg,
        i: u8,
    },
    SetField {
        r: Reg,
        t: Reg,
        a: Reg,
        i: u8,
    },
    Not {
        d: Reg,
        a: Reg,
    },

    /// Calls native `f` on `n` registers from `base`.
    Native {
        d: Reg,
        base: Reg,
        f: u16,
        n: u8,
    },
    /// Calls the procedure in `base` with the `n` arguments after it.
    Call {
        base: Reg,
        n: u16,
    },
    TailCall {
        base: Reg,
        n: u16,
    },
    /// Calls global `g` with `n` arguments from `base` + 1.
    CallGlobal {
        base: Reg,
        n: u8,
        g: u32,
    },
    TailCallGlobal {
        base: Reg,
        n: u8,
        g: u32,
    },
    Return {
        a: Reg,
    },
    /// Spreads a multiple-values object over `n` registers from `d`; with `rest` the last takes a list.
    Spread {
        d: Reg,
        a: Reg,
        n: u8,
        rest: bool,
    },
    /// Ends the program of one top-level form.
    Halt {
        a: Reg,
    },
    /// Ends a program whose value is in register 0: the base of every run.
    HaltBase,
}

/// What instructions of one procedure may name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) registers: u16,
    pub(crate) captures: usize,
    pub(crate) consts: usize,
    pub(crate) globals: usize,
    pub(crate) natives: usize,
    pub(crate) pc: usize,
    pub(crate) len: usize,
}

impl Op {
    /// True when everything that the instruction names exists.
    pub(crate) fn check(&self, b: &Bounds) -> bool {
        let reg = |r: &Reg| *r < b.registers;
        let regs = |rs: &[&Reg]| rs.iter().all(|r| **r < b.registers);
        let run = |first: Reg, n: usize| first as usize + n <= b.registers as usize;
        // Only `Loop` goes back: a round without a safe point could not be stopped.
        let back = matches!(self, Self::Loop { .. });
        let jump = |off: i64| {
            let target = b.pc as i64 + 1 + off;
            target >= 0 && target < b.len as i64 && (off >= 0 || back)
        };
        match self {
            Self::Move { d, a }
            | Self::Cell { d, a }
            | Self::CellGet { d, a }
            | Self::Car { d, a }
            | Self::Cdr { d, a }
            | Self::Not { d, a }
            | Self::AddI { d, a, .. }
            | Self::SubFromI { d, a, .. }
            | Self::MulI { d, a, .. } => regs(&[d, a]),
            Self::Const { d, k } => reg(d) && (*k as usize) < b.consts,
            Self::Fix { d, .. } | Self::Small { d, .. } => reg(d),
            Self::Global { d: r, g }
            | Self::SetGlobal { a: r, g }
            | Self::DefGlobal { a: r, g } => reg(r) && (*g as usize) < b.globals,
            Self::CellSet { cell, a } => regs(&[cell, a]),
            Self::Captured { d: r, i }
            | Self::CapturedCell { d: r, i }
            | Self::SetCapturedCell { a: r, i } => reg(r) && (*i as usize) < b.captures,
            Self::Closure { d, .. } => reg(d),
            Self::Patch { c, a, .. } => regs(&[c, a]),
            Self::CaseLambda { d, a, n } => reg(d) && run(*a, *n as usize),
            Self::Jump { off } | Self::Loop { off } => jump(i64::from(*off)),
            Self::IfFalse { a, off }
            | Self::IfTrue { a, off }
            | Self::IfNotNull { a, off }
            | Self::IfNotPair { a, off }
            | Self::IfNull { a, off }
            | Self::IfPair { a, off } => reg(a) && jump(i64::from(*off)),
            Self::IfNotLt { a, b: c, off }
            | Self::IfNotLe { a, b: c, off }
            | Self::IfNotNumEq { a, b: c, off }
            | Self::IfNotEq { a, b: c, off }
            | Self::IfEq { a, b: c, off } => regs(&[a, c]) && jump(i64::from(*off)),
            Self::IfNotLtI { a, off, .. }
            | Self::IfNotGtI { a, off, .. }
            | Self::IfNotLeI { a, off, .. }
            | Self::IfNotGeI { a, off, .. }
            | Self::IfNotNumEqI { a, off, .. } => reg(a) && jump(i64::from(*off)),
            Self::Add { d, a, b: c }
            | Self::Sub { d, a, b: c }
            | Self::Mul { d, a, b: c }
            | Self::Div { d, a, b: c }
            | Self::Quotient { d, a, b: c }
            | Self::Remainder { d, a, b: c }
            | Self::Modulo { d, a, b: c }
            | Self::Cons { d, a, b: c }
            | Self::VectorRef { d, a, b: c }
            | Self::StringRef { d, a, b: c } => regs(&[d, a, c]),
            Self::VectorSet { v, i, a } => regs(&[v, i, a]),
            Self::Field { d, a, t, .. } => regs(&[d, a, t]),
            Self::SetField { r, t, a, .. } => regs(&[r, t, a]),
            Self::Native { d, base, f, n } => {
                reg(d) && run(*base, *n as usize) && (*f as usize) < b.natives
            }
            Self::Call { base, n } | Self::TailCall { base, n } => run(*base, 1 + *n as usize),
            Self::CallGlobal { base, n, g } | Self::TailCallGlobal { base, n, g } => {
                run(*base, 1 + *n as usize) && (*g as usize) < b.globals
            }
            Self::Return { a } | Self::Halt { a } => reg(a),
            Self::Spread { d, a, n, rest } => reg(a) && run(*d, *n as usize + usize::from(*rest)),
            Self::HaltBase => false,
        }
    }
}

impl Op {
    /// How far the instruction jumps when it does; none when it never does.
    pub(crate) fn offset(&self) -> Option<i64> {
        Some(match self {
            Self::Jump { off }
            | Self::Loop { off }
            | Self::IfFalse { off, .. }
            | Self::IfTrue { off, .. }
            | Self::IfNotNull { off, .. }
            | Self::IfNotPair { off, .. }
            | Self::IfNull { off, .. }
            | Self::IfPair { off, .. } => i64::from(*off),
            Self::IfNotLt { off, .. }
            | Self::IfNotLe { off, .. }
            | Self::IfNotNumEq { off, .. }
            | Self::IfNotLtI { off, .. }
            | Self::IfNotGtI { off, .. }
            | Self::IfNotLeI { off, .. }
            | Self::IfNotGeI { off, .. }
            | Self::IfNotNumEqI { off, .. }
            | Self::IfNotEq { off, .. }
            | Self::IfEq { off, .. } => i64::from(*off),
            _ => return None,
        })
    }

    /// Where the instruction at index `at` may jump to.
    pub(crate) fn target(&self, at: usize) -> Option<usize> {
        usize::try_from(at as i64 + 1 + self.offset()?).ok()
    }

    /// The register that the instruction certainly writes; `Spread` writes a run of them instead.
    pub(crate) fn writes(&self) -> Option<Reg> {
        Some(match self {
            Self::Move { d, .. }
            | Self::Const { d, .. }
            | Self::Fix { d, .. }
            | Self::Small { d, .. }
            | Self::Global { d, .. }
            | Self::Cell { d, .. }
            | Self::CellGet { d, .. }
            | Self::Captured { d, .. }
            | Self::CapturedCell { d, .. }
            | Self::Closure { d, .. }
            | Self::CaseLambda { d, .. }
            | Self::Add { d, .. }
            | Self::AddI { d, .. }
            | Self::Sub { d, .. }
            | Self::SubFromI { d, .. }
            | Self::Mul { d, .. }
            | Self::MulI { d, .. }
            | Self::Div { d, .. }
            | Self::Quotient { d, .. }
            | Self::Remainder { d, .. }
            | Self::Modulo { d, .. }
            | Self::Cons { d, .. }
            | Self::Car { d, .. }
            | Self::Cdr { d, .. }
            | Self::VectorRef { d, .. }
            | Self::StringRef { d, .. }
            | Self::Field { d, .. }
            | Self::Not { d, .. }
            | Self::Native { d, .. } => *d,
            // The result comes back in the callee's slot.
            Self::Call { base, .. } | Self::CallGlobal { base, .. } => *base,
            _ => return None,
        })
    }

    /// The registers that the instruction reads: single ones, and a run of them from the first.
    /// What `Closure` captures is noted with the procedure that it makes.
    pub(crate) fn reads(&self) -> ([Option<Reg>; 3], (Reg, usize)) {
        let none = (0, 0);
        let one = |a: &Reg| ([Some(*a), None, None], none);
        let two = |a: &Reg, b: &Reg| ([Some(*a), Some(*b), None], none);
        let three = |a: &Reg, b: &Reg, c: &Reg| ([Some(*a), Some(*b), Some(*c)], none);
        let run = |first: Reg, n: usize| ([None; 3], (first, n));
        match self {
            Self::Const { .. }
            | Self::Fix { .. }
            | Self::Small { .. }
            | Self::Global { .. }
            | Self::Captured { .. }
            | Self::CapturedCell { .. }
            | Self::Closure { .. }
            | Self::Jump { .. }
            | Self::Loop { .. }
            | Self::HaltBase => ([None; 3], none),
            Self::Move { a, .. }
            | Self::SetGlobal { a, .. }
            | Self::DefGlobal { a, .. }
            | Self::Cell { a, .. }
            | Self::CellGet { a, .. }
            | Self::SetCapturedCell { a, .. }
            | Self::IfFalse { a, .. }
            | Self::IfTrue { a, .. }
            | Self::IfNotLtI { a, .. }
            | Self::IfNotGtI { a, .. }
            | Self::IfNotLeI { a, .. }
            | Self::IfNotGeI { a, .. }
            | Self::IfNotNumEqI { a, .. }
            | Self::IfNotNull { a, .. }
            | Self::IfNotPair { a, .. }
            | Self::IfNull { a, .. }
            | Self::IfPair { a, .. }
            | Self::AddI { a, .. }
            | Self::SubFromI { a, .. }
            | Self::MulI { a, .. }
            | Self::Car { a, .. }
            | Self::Cdr { a, .. }
            | Self::Not { a, .. }
            | Self::Return { a }
            | Self::Spread { a, .. }
            | Self::Halt { a } => one(a),
            Self::CellSet { cell: a, a: b }
            | Self::Patch { c: a, a: b, .. }
            | Self::IfNotLt { a, b, .. }
            | Self::IfNotLe { a, b, .. }
            | Self::IfNotNumEq { a, b, .. }
            | Self::IfNotEq { a, b, .. }
            | Self::IfEq { a, b, .. }
            | Self::Add { a, b, .. }
            | Self::Sub { a, b, .. }
            | Self::Mul { a, b, .. }
            | Self::Div { a, b, .. }
            | Self::Quotient { a, b, .. }
            | Self::Remainder { a, b, .. }
            | Self::Modulo { a, b, .. }
            | Self::Cons { a, b, .. }
            | Self::VectorRef { a, b, .. }
            | Self::StringRef { a, b, .. }
            | Self::Field { a, t: b, .. } => two(a, b),
            Self::VectorSet { v: a, i: b, a: c }
            | Self::SetField {
                r: a, t: b, a: c, ..
            } => three(a, b, c),
            Self::CaseLambda { a, n, .. } => run(*a, *n as usize),
            Self::Native { base, n, .. } => run(*base, *n as usize),
            Self::Call { base, n } | Self::TailCall { base, n } => run(*base, 1 + *n as usize),
            Self::CallGlobal { base, n, .. } | Self::TailCallGlobal { base, n, .. } => {
                run(*base + 1, *n as usize)
            }
        }
    }
}

/// Constants that need no pool entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Small {
    False,
    True,
    Nil,
    Unspecified,
    Undefined,
}

/// Where a closure takes a captured variable from when it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Capture {
    Register(Reg),
    Captured(u16),
}

/// A place in a source text; line 0 means unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Pos {
    /// Index in the context's table of file names.
    pub(crate) file: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// The code of one procedure.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Proto {
    /// Its instructions, in an image only: a context keeps all code in one array.
    pub(crate) code: Vec<Op>,
    /// Where its instructions begin in the context's code, and how many there are.
    #[serde(skip)]
    pub(crate) start: u32,
    #[serde(skip)]
    pub(crate) len: u32,
    /// Registers in the window.
    pub(crate) registers: u16,
    /// Required parameters.
    pub(crate) required: u16,
    /// One more register takes the list of further arguments.
    pub(crate) rest: bool,
    pub(crate) captures: Vec<Capture>,
    /// It is the code of a top-level form.
    pub(crate) is_top: bool,
    /// Name for messages and traces; empty when there is none.
    pub(crate) name: String,
    /// Instruction index and place, ascending: an instruction has the last place at or before it.
    pub(crate) places: Vec<(u32, Pos)>,
    pub(crate) at: Pos,
}

impl Proto {
    /// Where the instruction at index `pc` of the context's code comes from.
    pub(crate) fn place(&self, pc: usize) -> Pos {
        let pc = pc.saturating_sub(self.start as usize);
        let n = self.places.partition_point(|(at, _)| *at as usize <= pc);
        n.checked_sub(1).map_or(self.at, |i| self.places[i].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_eight_bytes() {
        assert_eq!(size_of::<Op>(), 8);
    }
}
