//! `quasiquote` (R7RS 4.2.8).

use super::ast::Node;
use super::core_forms::Core;
use super::environment::ScopeRef;
use super::expand::Expander;
use crate::error::{Res, syntax};
use crate::value::Word;

const MAX_DEPTH: usize = 400;

impl Expander<'_> {
    pub(crate) fn quasiquote(&mut self, template: Word, scope: &ScopeRef) -> Res<Node> {
        self.quasi(template, 1, scope, 0)
    }

    /// The operand of `(unquote x)` and the like.
    fn unquoted(&self, form: Word, core: Core, scope: &ScopeRef) -> Option<Word> {
        if !form.is_pair() || !self.is_keyword(self.heap.car(form), core, scope) {
            return None;
        }
        let rest = self.heap.cdr(form);
        (rest.is_pair() && self.heap.cdr(rest) == Word::NIL).then(|| self.heap.car(rest))
    }

    fn quasi(&mut self, form: Word, level: usize, scope: &ScopeRef, depth: usize) -> Res<Node> {
        if depth > MAX_DEPTH {
            return syntax("quasiquote: nested too deeply", Word::NIL);
        }
        if let Some(items) = self.heap.as_vector(form) {
            let items = items.to_vec();
            let list = self.heap.list(&items);
            let node = self.quasi(list, level, scope, depth + 1)?;
            if let Node::Const(_) = node {
                return Ok(Node::Const(self.strip(form)));
            }
            return Ok(self.call_primitive("list->vector", vec![node]));
        }
        if !form.is_pair() {
            return Ok(Node::Const(self.strip(form)));
        }
        for (core, name) in [(Core::Unquote, "unquote"), (Core::Quasiquote, "quasiquote")] {
            if let Some(inner) = self.unquoted(form, core, scope) {
                if core == Core::Unquote && level == 1 {
                    return self.expr(inner, scope);
                }
                let level = if core == Core::Unquote {
                    level - 1
                } else {
                    level + 1
                };
                let node = self.quasi(inner, level, scope, depth + 1)?;
                if let Node::Const(_) = node {
                    return Ok(Node::Const(self.strip(form)));
                }
                let symbol = self.heap.symbol(name);
                return Ok(self.call_primitive("list", vec![Node::Const(symbol), node]));
            }
        }
        // Along the list, so that long templates do not recurse.
        let mut elements = Vec::new();
        let mut rest = form;
        while rest.is_pair() {
            if !elements.is_empty()
                && (self.unquoted(rest, Core::Unquote, scope).is_some()
                    || self.unquoted(rest, Core::Quasiquote, scope).is_some())
            {
                break;
            }
            elements.push(self.heap.car(rest));
            rest = self.heap.cdr(rest);
        }
        let mut node = self.quasi(rest, level, scope, depth + 1)?;
        let mut constant = matches!(node, Node::Const(_));
        for e in elements.into_iter().rev() {
            if let Some(inner) = self.unquoted(e, Core::UnquoteSplicing, scope) {
                if level == 1 {
                    let list = self.expr(inner, scope)?;
                    node = if matches!(node, Node::Const(Word::NIL)) && constant {
                        list
                    } else {
                        self.call_primitive("append", vec![list, node])
                    };
                    constant = false;
                    continue;
                }
                let inner = self.quasi(inner, level - 1, scope, depth + 1)?;
                let symbol = self.heap.symbol("unquote-splicing");
                let e = if let Node::Const(_) = inner {
                    Node::Const(self.strip(e))
                } else {
                    self.call_primitive("list", vec![Node::Const(symbol), inner])
                };
                node = self.quasi_cons(e, node, &mut constant);
                continue;
            }
            let e = self.quasi(e, level, scope, depth + 1)?;
            node = self.quasi_cons(e, node, &mut constant);
        }
        Ok(node)
    }

    fn quasi_cons(&mut self, car: Node, cdr: Node, constant: &mut bool) -> Node {
        match (car, cdr) {
            (Node::Const(a), Node::Const(d)) if *constant => Node::Const(self.heap.cons(a, d)),
            (car, cdr) => {
                *constant = false;
                self.call_primitive("cons", vec![car, cdr])
            }
        }
    }
}
