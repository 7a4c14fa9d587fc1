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
    Move { d: Reg, a: Reg },
    /// Loads entry `k` of the constant pool.
    Const { d: Reg, k: u32 },
    Fix { d: Reg, n: i32 },
    /// Loads a constant that is not in the pool: see [`Small`].
    Small { d: Reg, v: Small },
    Global { d: Reg, g: u32 },
    SetGlobal { a: Reg, g: u32 },
    DefGlobal { a: Reg, g: u32 },
    /// Allocates a cell that holds `a`: a variable that is assigned.
    Cell { d: Reg, a: Reg },
    CellGet { d: Reg, a: Reg },
    CellSet { cell: Reg, a: Reg },
    /// Captured variable `i` of this closure.
    Captured { d: Reg, i: u16 },
    CapturedCell { d: Reg, i: u16 },
    SetCapturedCell { a: Reg, i: u16 },
    Closure { d: Reg, proto: u32 },
    /// Makes captured variable `i` of the closure in `c` the value of `a` (mutual recursion).
    Patch { c: Reg, i: u16, a: Reg },
    CaseLambda { d: Reg, a: Reg, n: u16 },

    Jump { off: i32 },
    /// A backward jump: a safe point.
    Loop { off: i32 },
    IfFalse { a: Reg, off: i32 },
    IfTrue { a: Reg, off: i32 },
    // Compare and branch: jumps when the comparison does NOT hold.
    IfNotLt { a: Reg, b: Reg, off: i16 },
    IfNotLe { a: Reg, b: Reg, off: i16 },
    IfNotNumEq { a: Reg, b: Reg, off: i16 },
    IfNotLtI { a: Reg, n: i16, off: i16 },
    IfNotGtI { a: Reg, n: i16, off: i16 },
    IfNotLeI { a: Reg, n: i16, off: i16 },
    IfNotGeI { a: Reg, n: i16, off: i16 },
    IfNotNumEqI { a: Reg, n: i16, off: i16 },
    IfNotEq { a: Reg, b: Reg, off: i16 },
    IfNotNull { a: Reg, off: i32 },
    IfNotPair { a: Reg, off: i32 },
    // The same with the sense turned: jumps when it does hold.
    IfNull { a: Reg, off: i32 },
    IfPair { a: Reg, off: i32 },
    IfEq { a: Reg, b: Reg, off: i16 },

    Add { d: Reg, a: Reg, b: Reg },
    AddI { d: Reg, a: Reg, n: i16 },
    Sub { d: Reg, a: Reg, b: Reg },
    /// `n - a`.
    SubFromI { d: Reg, a: Reg, n: i16 },
    Mul { d: Reg, a: Reg, b: Reg },
    MulI { d: Reg, a: Reg, n: i16 },
    Div { d: Reg, a: Reg, b: Reg },
    Quotient { d: Reg, a: Reg, b: Reg },
    Remainder { d: Reg, a: Reg, b: Reg },
    Modulo { d: Reg, a: Reg, b: Reg },

    Cons { d: Reg, a: Reg, b: Reg },
    Car { d: Reg, a: Reg },
    Cdr { d: Reg, a: Reg },
    VectorRef { d: Reg, a: Reg, b: Reg },
    VectorSet { v: Reg, i: Reg, a: Reg },
    StringRef { d: Reg, a: Reg, b: Reg },
    /// Field `i` of a record whose type is in `t`.
    Field { d: Reg, a: Reg, t: Reg, i: u8 },
    SetField { r: Reg, t: Reg, a: Reg, i: u8 },
    Not { d: Reg, a: Reg },

    /// Calls native `f` on `n` registers from `base`.
    Native { d: Reg, base: Reg, f: u16, n: u8 },
    /// Calls the procedure in `base` with the `n` arguments after it.
    Call { base: Reg, n: u16 },
    TailCall { base: Reg, n: u16 },
    /// Calls global `g` with `n` arguments from `base` + 1.
    CallGlobal { base: Reg, n: u8, g: u32 },
    TailCallGlobal { base: Reg, n: u8, g: u32 },
    Return { a: Reg },
    /// Spreads a multiple-values object over `n` registers from `d`; with `rest` the last takes a list.
    Spread { d: Reg, a: Reg, n: u8, rest: bool },
    /// Ends the program of one top-level form.
    Halt { a: Reg },
    /// Ends a program whose value is in register 0: the base of every run.
    HaltBase,
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
    pub(crate) code: Vec<Op>,
    /// Registers in the window.
    pub(crate) registers: u16,
    /// Required parameters.
    pub(crate) required: u16,
    /// One more register takes the list of further arguments.
    pub(crate) rest: bool,
    pub(crate) captures: Vec<Capture>,
    /// Name for messages and traces; empty when there is none.
    pub(crate) name: String,
    /// Instruction index and place, ascending: an instruction has the last place at or before it.
    pub(crate) places: Vec<(u32, Pos)>,
    pub(crate) at: Pos,
}

impl Proto {
    /// Where the instruction at `pc` comes from.
    pub(crate) fn place(&self, pc: usize) -> Pos {
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
