//! `quasiquote` (R7RS 4.2.8).

use super::ast::Node;
use super::core_forms::Core;
use super::environment::ScopeRef;
use super::expand::Expander;
use crate::error::{Res, syntax};
use crate::value::Word;

/// Elements put into one call at most: longer templates are appended from several.
const CHUNK: usize = 200;

/// What a part of a template becomes.
enum Part {
    /// Itself: nothing in it is evaluated.
    Same(Word),
    Made(Node),
}

impl Part {
    fn node(self) -> Node {
        match self {
            Self::Same(w) => Node::Const(w),
            Self::Made(node) => node,
        }
    }
}

/// A list that is made from its end to its start: nothing nests, however long it is.
struct Made {
    /// Elements before the lists, last first.
    run: Vec<Part>,
    /// Lists before the end, last first: what is spliced in, and long runs.
    lists: Vec<Node>,
    end: Part,
    /// A run was joined to the end already.
    ended: bool,
}

impl Expander<'_> {
    pub(crate) fn quasiquote(&mut self, template: Word, scope: &ScopeRef) -> Res<Node> {
        Ok(self.quasi(template, 1, scope)?.node())
    }

    /// The operand of `(unquote x)` and the like.
    fn unquoted(&self, form: Word, core: Core, scope: &ScopeRef) -> Option<Word> {
        if !form.is_pair() || !self.is_keyword(self.vm.cx.heap.car(form), core, scope) {
            return None;
        }
        let rest = self.vm.cx.heap.cdr(form);
        (rest.is_pair() && self.vm.cx.heap.cdr(rest) == Word::NIL)
            .then(|| self.vm.cx.heap.car(rest))
    }

    /// The level inside a list, which its keyword may change.
    fn level_inside(&self, form: Word, level: usize, scope: &ScopeRef) -> usize {
        if self.unquoted(form, Core::Quasiquote, scope).is_some() {
            level + 1
        } else if level > 1
            && (self.unquoted(form, Core::Unquote, scope).is_some()
                || self.unquoted(form, Core::UnquoteSplicing, scope).is_some())
        {
            level - 1
        } else {
            level
        }
    }

    fn quasi(&mut self, form: Word, level: usize, scope: &ScopeRef) -> Res<Part> {
        self.charge(1)?;
        if let Some(items) = self.vm.cx.heap.as_vector(form) {
            let items = items.to_vec();
            let list = self.vm.cx.heap.list(&items);
            return match self.deeper(|e| e.quasi_list(list, None, level, scope))? {
                Part::Same(_) => Ok(Part::Same(self.strip(form))),
                Part::Made(node) => Ok(Part::Made(self.call_primitive("list->vector", vec![node]))),
            };
        }
        if !form.is_pair() {
            return Ok(Part::Same(self.strip(form)));
        }
        if level == 1
            && let Some(inner) = self.unquoted(form, Core::Unquote, scope)
        {
            return Ok(Part::Made(self.expr(inner, scope)?));
        }
        // What a nested quasiquote or unquote holds is at another level, all of it: the operand of
        // an unquote may be spliced into it.
        let inside = self.level_inside(form, level, scope);
        self.deeper(|e| e.quasi_list(form, Some(inside), level, scope))
    }

    /// A template that is a list, along its cdrs. `inside` is the level of its elements; a vector's
    /// elements have none of their own, and no keywords.
    fn quasi_list(
        &mut self,
        form: Word,
        inside: Option<usize>,
        level: usize,
        scope: &ScopeRef,
    ) -> Res<Part> {
        if self.vm.cx.heap.walk(form, |_| {}).is_none() {
            return syntax("quasiquote: the template is circular", Word::NIL);
        }
        let mut elements = Vec::new();
        let mut rest = form;
        while rest.is_pair() {
            // `(a . ,b)` reads as `(a unquote b)`.
            if !elements.is_empty()
                && inside == Some(level)
                && (self.unquoted(rest, Core::Unquote, scope).is_some()
                    || self.unquoted(rest, Core::Quasiquote, scope).is_some())
            {
                break;
            }
            elements.push(self.vm.cx.heap.car(rest));
            rest = self.vm.cx.heap.cdr(rest);
        }
        let list = if rest == Word::NIL {
            Part::Same(Word::NIL)
        } else {
            self.quasi(rest, level, scope)?
        };
        let level = inside.unwrap_or(level);
        let mut made = Made {
            run: Vec::new(),
            lists: Vec::new(),
            end: list,
            ended: false,
        };
        for e in elements.into_iter().rev() {
            if level == 1
                && let Some(inner) = self.unquoted(e, Core::UnquoteSplicing, scope)
            {
                let spliced = self.expr(inner, scope)?;
                self.end_run(&mut made);
                made.lists.push(spliced);
                continue;
            }
            let part = self.quasi(e, level, scope)?;
            match (part, &made.end) {
                (Part::Same(a), Part::Same(d)) if made.run.is_empty() && made.lists.is_empty() => {
                    made.end = Part::Same(self.vm.cx.heap.cons(a, *d));
                }
                (part, _) => made.run.push(part),
            }
            if made.run.len() >= CHUNK {
                self.end_run(&mut made);
            }
        }
        Ok(match self.finish(made) {
            Part::Same(_) => Part::Same(self.strip(form)),
            made => made,
        })
    }

    /// Puts the run before what follows it.
    fn end_run(&mut self, made: &mut Made) {
        if made.run.is_empty() {
            return;
        }
        if made.lists.is_empty() && !made.ended {
            let end = std::mem::replace(&mut made.end, Part::Same(Word::NIL));
            made.end = self.join(&mut made.run, end);
            made.ended = true;
        } else if let Part::Made(list) = self.join(&mut made.run, Part::Same(Word::NIL)) {
            made.lists.push(list);
        }
    }

    /// The whole list.
    fn finish(&mut self, mut made: Made) -> Part {
        let mut end = made.end;
        made.lists.reverse();
        while !made.lists.is_empty() {
            let from = made.lists.len().saturating_sub(CHUNK);
            let mut lists = made.lists.split_off(from);
            if !matches!(end, Part::Same(Word::NIL)) {
                lists.push(end.node());
            }
            end = Part::Made(if lists.len() == 1 {
                lists.remove(0)
            } else {
                self.call_primitive("append", lists)
            });
        }
        self.join(&mut made.run, end)
    }

    /// The list of the parts in `run`, which are last first, before `list`.
    fn join(&mut self, run: &mut Vec<Part>, list: Part) -> Part {
        if run.is_empty() {
            return list;
        }
        let mut items: Vec<Node> = run.drain(..).rev().map(Part::node).collect();
        let call = match list {
            Part::Same(Word::NIL) => "list",
            list => {
                items.push(list.node());
                if items.len() == 2 { "cons" } else { "cons*" }
            }
        };
        Part::Made(self.call_primitive(call, items))
    }
}
