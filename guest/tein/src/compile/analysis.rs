//! What the emitter needs to know of a tree before it writes code for it.

use crate::heap::FixedMap;
use crate::native_stack::Entered;
use crate::syntax::ast::{Lambda, Node, Var, VarId};

/// The variables that a tree mentions, nested procedures included; gives the size of the tree.
pub(crate) fn mentions(node: &Node, found: &mut FixedMap<VarId, ()>) -> u64 {
    let mut size = 0;
    node.each(|n| {
        size += 1;
        if let Node::Local(v) | Node::SetLocal(v, _) = n {
            found.insert(*v, ());
        }
    });
    size
}

/// Calls with the right number of arguments in tail position, by the variable called.
type TailCalls = FixedMap<VarId, u32>;

/// Finds the procedures that are only ever called in tail position of their own body and of the
/// body that they are bound for: these are loops, and calls of them are jumps. Each tree is looked at
/// once, from the inside out, since what is inside a loop is in tail position if the loop is. False
/// when the tree is too deep for the host's stack.
pub(crate) fn find_loops(node: &Node, vars: &mut [Var], entered: Entered) -> bool {
    let mut search = Search {
        arities: node_arities(node),
        vars,
        entered,
        complete: true,
    };
    search.tail_calls(node);
    search.complete
}

struct Search<'v> {
    arities: FixedMap<VarId, usize>,
    vars: &'v mut [Var],
    entered: Entered,
    complete: bool,
}

/// The procedures that may be loops, and how many arguments they take.
fn node_arities(node: &Node) -> FixedMap<VarId, usize> {
    let mut arities = FixedMap::default();
    node.each(|n| {
        if let Node::Letrec(bs, _) = n
            && let [(v, Node::Lambda(l))] = bs.as_slice()
            && l.rest.is_none()
        {
            arities.insert(*v, l.params.len());
        }
    });
    arities
}

fn merged(a: TailCalls, b: TailCalls) -> TailCalls {
    // Into the larger one: a call is moved only when what it is in at least doubles.
    let (mut into, from) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    for (v, n) in from {
        *into.entry(v).or_default() += n;
    }
    into
}

impl Search<'_> {
    /// Looks at expressions that are not in tail position.
    fn others<'n>(&mut self, nodes: impl Iterator<Item = &'n Node>) {
        for n in nodes {
            self.tail_calls(n);
        }
    }

    fn tail_calls(&mut self, node: &Node) -> TailCalls {
        if !self.entered.has_room() {
            self.complete = false;
            return TailCalls::default();
        }
        match node {
            Node::Const(_) | Node::Local(_) | Node::Global(..) => TailCalls::default(),
            Node::SetLocal(_, n) | Node::SetGlobal(_, n, _) | Node::DefGlobal(_, n) => {
                self.tail_calls(n);
                TailCalls::default()
            }
            Node::Lambda(l) => {
                self.tail_calls(&l.body);
                TailCalls::default()
            }
            Node::CaseLambda(ls) => {
                self.others(ls.iter().map(|l| &l.body));
                TailCalls::default()
            }
            Node::Call(f, args, _) => {
                self.tail_calls(f);
                self.others(args.iter());
                let mut calls = TailCalls::default();
                if let Node::Local(v) = **f
                    && self.arities.get(&v) == Some(&args.len())
                {
                    calls.insert(v, 1);
                }
                calls
            }
            Node::If(test, a, b) => {
                self.tail_calls(test);
                let a = self.tail_calls(a);
                merged(a, self.tail_calls(b))
            }
            Node::Cond(clauses, otherwise) => {
                let mut all = self.tail_calls(otherwise);
                for c in clauses {
                    self.tail_calls(&c.test);
                    all = merged(all, self.tail_calls(&c.then));
                }
                all
            }
            Node::Seq(ns) | Node::And(ns) | Node::Or(ns) => match ns.split_last() {
                Some((last, first)) => {
                    self.others(first.iter());
                    self.tail_calls(last)
                }
                None => TailCalls::default(),
            },
            Node::Let(bs, body) => {
                self.others(bs.iter().map(|b| &b.1));
                self.tail_calls(body)
            }
            Node::Letrec(bs, body) => match bs.as_slice() {
                [(v, Node::Lambda(l))] => self.one_procedure(*v, l, body),
                _ => {
                    self.others(bs.iter().map(|b| &b.1));
                    self.tail_calls(body)
                }
            },
        }
    }

    /// Decides about a procedure that is bound alone.
    fn one_procedure(&mut self, v: VarId, l: &Lambda, body: &Node) -> TailCalls {
        let outer = self.tail_calls(body);
        let own = self.tail_calls(&l.body);
        let count = |calls: &TailCalls| calls.get(&v).copied().unwrap_or(0);
        let calls = count(&outer) + count(&own);
        let var = &mut self.vars[v as usize];
        var.is_loop = !var.assigned && var.references > 0 && calls == var.references;
        if var.is_loop {
            merged(outer, own)
        } else {
            outer
        }
    }
}

/// Gives a cell to each `letrec*` variable that an earlier value mentions, unless both are
/// procedures of one run, whose captured variables are patched. Gives the size of what it looked at.
pub(crate) fn box_early_mentions(bindings: &[(VarId, Node)], vars: &mut [Var]) -> u64 {
    let mut group = Vec::with_capacity(bindings.len());
    let mut current = 0u32;
    for (i, (_, value)) in bindings.iter().enumerate() {
        let lambda = matches!(value, Node::Lambda(_));
        let joins = i > 0 && lambda && matches!(bindings[i - 1].1, Node::Lambda(_));
        if !joins {
            current += 1;
        }
        group.push(current);
    }
    if current == 1 && matches!(bindings.first(), Some((_, Node::Lambda(_))) | None) {
        return 0;
    }
    let mut work = 0;
    let place: FixedMap<VarId, usize> =
        bindings.iter().enumerate().map(|(i, b)| (b.0, i)).collect();
    for (i, (_, value)) in bindings.iter().enumerate() {
        let mut found = FixedMap::default();
        work += mentions(value, &mut found);
        let lambda = matches!(value, Node::Lambda(_));
        for v in found.keys() {
            if let Some(j) = place.get(v) {
                let early = group[*j] > group[i] || (!lambda && *j >= i);
                if early {
                    vars[*v as usize].assigned = true;
                }
            }
        }
    }
    work
}
