//! What the emitter needs to know of a tree before it writes code for it.

use crate::heap::FixedMap;
use crate::syntax::ast::{Node, Var, VarId};

/// The variables that a tree mentions, nested procedures included.
pub(crate) fn mentions(node: &Node, found: &mut FixedMap<VarId, ()>) {
    match node {
        Node::Const(_) | Node::Global(..) => {}
        Node::Local(v) => {
            found.insert(*v, ());
        }
        Node::SetLocal(v, n) => {
            found.insert(*v, ());
            mentions(n, found);
        }
        Node::SetGlobal(_, n, _) | Node::DefGlobal(_, n) => mentions(n, found),
        Node::If(a, b, c) => {
            mentions(a, found);
            mentions(b, found);
            mentions(c, found);
        }
        Node::Lambda(l) => mentions(&l.body, found),
        Node::CaseLambda(ls) => ls.iter().for_each(|l| mentions(&l.body, found)),
        Node::Seq(ns) | Node::And(ns) | Node::Or(ns) => ns.iter().for_each(|n| mentions(n, found)),
        Node::Call(f, args, _) => {
            mentions(f, found);
            args.iter().for_each(|n| mentions(n, found));
        }
        Node::Let(bs, body) | Node::Letrec(bs, body) => {
            bs.iter().for_each(|b| mentions(&b.1, found));
            mentions(body, found);
        }
    }
}

/// Calls of `v` with `arity` arguments in tail position of `node`.
fn tail_calls(v: VarId, arity: usize, node: &Node, vars: &[Var]) -> u32 {
    match node {
        Node::Call(f, args, _) => {
            u32::from(matches!(**f, Node::Local(w) if w == v) && args.len() == arity)
        }
        Node::If(_, a, b) => tail_calls(v, arity, a, vars) + tail_calls(v, arity, b, vars),
        Node::Seq(ns) | Node::And(ns) | Node::Or(ns) => {
            ns.last().map_or(0, |n| tail_calls(v, arity, n, vars))
        }
        Node::Let(_, body) => tail_calls(v, arity, body, vars),
        Node::Letrec(bs, body) => {
            let inner = match bs.as_slice() {
                [(w, Node::Lambda(l))] if is_loop(*w, &bs[0].1, body, vars) => {
                    tail_calls(v, arity, &l.body, vars)
                }
                _ => 0,
            };
            inner + tail_calls(v, arity, body, vars)
        }
        _ => 0,
    }
}

/// True when a procedure is only ever called in tail position of its own body and of the body
/// that it is bound for: then it is a loop, and calls are jumps.
pub(crate) fn is_loop(v: VarId, value: &Node, body: &Node, vars: &[Var]) -> bool {
    let Node::Lambda(l) = value else { return false };
    let var = &vars[v as usize];
    if var.assigned || l.rest.is_some() || var.references == 0 {
        return false;
    }
    let arity = l.params.len();
    tail_calls(v, arity, body, vars) + tail_calls(v, arity, &l.body, vars) == var.references
}

/// Gives a cell to each `letrec*` variable that an earlier value mentions, unless both are
/// procedures of one run, whose captured variables are patched.
pub(crate) fn box_early_mentions(bindings: &[(VarId, Node)], vars: &mut [Var]) {
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
        return;
    }
    let place: FixedMap<VarId, usize> =
        bindings.iter().enumerate().map(|(i, b)| (b.0, i)).collect();
    for (i, (_, value)) in bindings.iter().enumerate() {
        let mut found = FixedMap::default();
        mentions(value, &mut found);
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
}
