//! The core language that the expander leaves and the compiler reads.

use crate::code::Pos;
use crate::value::Word;

/// A local variable of the form that is being compiled.
pub(crate) type VarId = u32;

/// What is known of a local variable.
#[derive(Debug, Clone, Default)]
pub(crate) struct Var {
    pub(crate) name: String,
    /// Some `set!` names it: it lives in a cell.
    pub(crate) assigned: bool,
    /// References, assignments not counted.
    pub(crate) references: u32,
}

/// A procedure.
#[derive(Debug)]
pub(crate) struct Lambda {
    pub(crate) params: Vec<VarId>,
    pub(crate) rest: Option<VarId>,
    pub(crate) body: Node,
    pub(crate) name: String,
    pub(crate) pos: Pos,
}

/// One expression.
#[derive(Debug)]
pub(crate) enum Node {
    Const(Word),
    Local(VarId),
    SetLocal(VarId, Box<Node>),
    Global(u32, Pos),
    SetGlobal(u32, Box<Node>, Pos),
    DefGlobal(u32, Box<Node>),
    If(Box<Node>, Box<Node>, Box<Node>),
    Lambda(Box<Lambda>),
    CaseLambda(Vec<Lambda>),
    Seq(Vec<Node>),
    Call(Box<Node>, Vec<Node>, Pos),
    Let(Vec<(VarId, Node)>, Box<Node>),
    /// `letrec*`: initialised in order.
    Letrec(Vec<(VarId, Node)>, Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
}
