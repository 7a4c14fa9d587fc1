//! Primitives that are instructions.

use crate::code::{Op, Reg};

/// Instruction forms of a primitive with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
}

impl Compare {
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "<" => Self::Lt,
            ">" => Self::Gt,
            "<=" => Self::Le,
            ">=" => Self::Ge,
            "=" => Self::Eq,
            _ => return None,
        })
    }

    /// The same comparison with its operands exchanged.
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Lt => Self::Gt,
            Self::Gt => Self::Lt,
            Self::Le => Self::Ge,
            Self::Ge => Self::Le,
            Self::Eq => Self::Eq,
        }
    }

    /// The jump that is taken when the comparison does not hold.
    pub(crate) fn unless(self, a: Reg, b: Reg) -> Op {
        match self {
            Self::Lt => Op::IfNotLt { a, b, off: 0 },
            Self::Gt => Op::IfNotLt { a: b, b: a, off: 0 },
            Self::Le => Op::IfNotLe { a, b, off: 0 },
            Self::Ge => Op::IfNotLe { a: b, b: a, off: 0 },
            Self::Eq => Op::IfNotNumEq { a, b, off: 0 },
        }
    }

    pub(crate) fn unless_const(self, a: Reg, n: i16) -> Op {
        match self {
            Self::Lt => Op::IfNotLtI { a, n, off: 0 },
            Self::Gt => Op::IfNotGtI { a, n, off: 0 },
            Self::Le => Op::IfNotLeI { a, n, off: 0 },
            Self::Ge => Op::IfNotGeI { a, n, off: 0 },
            Self::Eq => Op::IfNotNumEqI { a, n, off: 0 },
        }
    }
}

/// The instruction of a primitive with one operand.
pub(crate) fn unary(name: &str, d: Reg, a: Reg) -> Option<Op> {
    Some(match name {
        "car" => Op::Car { d, a },
        "cdr" => Op::Cdr { d, a },
        "not" => Op::Not { d, a },
        "-" => Op::SubFromI { d, a, n: 0 },
        _ => return None,
    })
}

/// The instruction of a primitive with two operands.
pub(crate) fn binary(name: &str, d: Reg, a: Reg, b: Reg) -> Option<Op> {
    Some(match name {
        "+" => Op::Add { d, a, b },
        "-" => Op::Sub { d, a, b },
        "*" => Op::Mul { d, a, b },
        "/" => Op::Div { d, a, b },
        "quotient" | "truncate-quotient" => Op::Quotient { d, a, b },
        "remainder" | "truncate-remainder" => Op::Remainder { d, a, b },
        "modulo" | "floor-remainder" => Op::Modulo { d, a, b },
        "cons" => Op::Cons { d, a, b },
        "vector-ref" => Op::VectorRef { d, a, b },
        "string-ref" => Op::StringRef { d, a, b },
        _ => return None,
    })
}

/// The instruction of a primitive whose one operand is a small constant.
pub(crate) fn with_const(name: &str, d: Reg, a: Reg, n: i16, constant_first: bool) -> Option<Op> {
    Some(match (name, constant_first) {
        ("+", _) => Op::AddI { d, a, n },
        ("-", false) => Op::AddI {
            d,
            a,
            n: n.checked_neg()?,
        },
        ("-", true) => Op::SubFromI { d, a, n },
        ("*", _) => Op::MulI { d, a, n },
        _ => return None,
    })
}

/// `c[ad]+r` as the list of its letters from the right, for two letters and more.
pub(crate) fn path(name: &str) -> Option<Vec<bool>> {
    let letters = name.strip_prefix('c')?.strip_suffix('r')?;
    if letters.len() < 2 || letters.len() > 4 || !letters.bytes().all(|b| b == b'a' || b == b'd') {
        return None;
    }
    Some(letters.bytes().rev().map(|b| b == b'a').collect())
}
