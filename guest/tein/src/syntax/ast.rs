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
    /// A procedure that is only ever called in tail position of its own scope: its calls are jumps.
    pub(crate) is_loop: bool,
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

/// A clause of a conditional.
#[derive(Debug)]
pub(crate) struct Clause {
    /// Holds the value of the test in `then`.
    pub(crate) var: Option<VarId>,
    pub(crate) test: Node,
    pub(crate) then: Node,
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
    /// Clauses tried in order, then what is left when none applies: flat, so that long
    /// conditionals do not nest.
    Cond(Vec<Clause>, Box<Node>),
    Lambda(Box<Lambda>),
    CaseLambda(Vec<Lambda>),
    Seq(Vec<Node>),
    Call(Box<Node>, Vec<Node>, Pos),
    /// Initialised in order. An initial value cannot name the variables, unless `let*` made it.
    Let(Vec<(VarId, Node)>, Box<Node>),
    /// `letrec*`: initialised in order.
    Letrec(Vec<(VarId, Node)>, Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
}

impl Node {
    /// Calls `f` with each expression directly inside this one.
    pub(crate) fn each_child<'n>(&'n self, f: &mut dyn FnMut(&'n Node)) {
        match self {
            Self::Const(_) | Self::Local(_) | Self::Global(..) => {}
            Self::SetLocal(_, n) | Self::SetGlobal(_, n, _) | Self::DefGlobal(_, n) => f(n),
            Self::If(a, b, c) => {
                f(a);
                f(b);
                f(c);
            }
            Self::Cond(clauses, otherwise) => {
                for c in clauses {
                    f(&c.test);
                    f(&c.then);
                }
                f(otherwise);
            }
            Self::Lambda(l) => f(&l.body),
            Self::CaseLambda(ls) => ls.iter().for_each(|l| f(&l.body)),
            Self::Seq(ns) | Self::And(ns) | Self::Or(ns) => ns.iter().for_each(f),
            Self::Call(g, args, _) => {
                f(g);
                args.iter().for_each(f);
            }
            Self::Let(bs, body) | Self::Letrec(bs, body) => {
                bs.iter().for_each(|b| f(&b.1));
                f(body);
            }
        }
    }

    /// Calls `f` with this expression and all that are inside it, without recursion.
    pub(crate) fn each<'n>(&'n self, mut f: impl FnMut(&'n Node)) {
        let mut todo = vec![self];
        while let Some(n) = todo.pop() {
            f(n);
            n.each_child(&mut |c| todo.push(c));
        }
    }
}
