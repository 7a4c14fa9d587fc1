//! `syntax-case`, `with-syntax`, `syntax` and `quasisyntax` (R6RS libraries 12.4 to 12.8).
//!
//! Patterns and templates are those of `syntax-rules`. They are compiled where they are used, since
//! what they stand for then is data: the code holds a description, and `syntax_objects.rs` reads it.
//! A template's identifiers mean what they mean where the macro is defined, outside of the
//! transformer: its own variables exist only while it runs.

use super::ast::{Lambda, Node, VarId};
use super::core_forms::Core;
use super::environment::{Denotation, Lookup, ScopeRef};
use super::expand::Expander;
use super::macros::{self, is_identifier};
use crate::error::{Res, syntax};
use crate::value::Word;

/// Deepest nesting of a template.
const MAX_DEPTH: usize = 150;

impl Expander<'_> {
    /// Where the identifiers of a template are looked up, as data: the number of an environment or,
    /// from -1 down, that of a local scope.
    fn template_scope(&mut self, scope: &ScopeRef) -> Word {
        match self.phase.clone() {
            Some(local @ ScopeRef::Local(_)) => {
                Word::fix(-1 - i64::from(self.vm.syntax.scope_id(&local)))
            }
            Some(ScopeRef::Top(env)) => Word::fix(i64::from(env)),
            None => Word::fix(i64::from(scope.env())),
        }
    }

    /// `(syntax TEMPLATE)`.
    pub(super) fn syntax_form(&mut self, template: Word, scope: &ScopeRef) -> Res<Node> {
        let mut variables = Vec::new();
        self.pattern_variables(template, scope, 0, &mut variables)?;
        if let [(id, v, 0)] = variables[..]
            && id == template
        {
            return Ok(self.local(v));
        }
        let mut items = Vec::new();
        let mut arguments = Vec::new();
        for (id, v, depth) in variables {
            let depth = Word::index(depth as usize);
            items.push(self.vm.cx.heap.cons(id, depth));
            arguments.push(self.local(v));
        }
        let number = self.template_scope(scope);
        let items = self.vm.cx.heap.list(&items);
        let description = self.vm.cx.heap.vector(vec![template, number, items]);
        arguments.insert(0, Node::Const(description));
        Ok(self.call_primitive("%syntax-template", arguments))
    }

    /// The pattern variables that a template mentions, each once.
    fn pattern_variables(
        &mut self,
        template: Word,
        scope: &ScopeRef,
        level: usize,
        out: &mut Vec<(Word, VarId, u32)>,
    ) -> Res<()> {
        if level > MAX_DEPTH {
            return syntax("syntax: the template is nested too deeply", Word::NIL);
        }
        let mut rest = template;
        loop {
            self.charge(1)?;
            if is_identifier(rest) {
                if let Lookup::Bound(Denotation::Pattern(v, depth)) = self.lookup(rest, scope)
                    && !out.iter().any(|o| o.0 == rest)
                {
                    if v < self.floor {
                        return syntax("syntax: a pattern variable of another phase", rest);
                    }
                    out.push((rest, v, depth));
                }
                return Ok(());
            }
            if let Some(items) = self.vm.cx.heap.as_vector(rest) {
                let items = items.to_vec();
                for item in items {
                    self.pattern_variables(item, scope, level + 1, out)?;
                }
                return Ok(());
            }
            if !rest.is_pair() {
                return Ok(());
            }
            let item = self.vm.cx.heap.car(rest);
            self.pattern_variables(item, scope, level + 1, out)?;
            rest = self.vm.cx.heap.cdr(rest);
        }
    }

    /// `(syntax-case FORM (LITERAL ...) (PATTERN [FENDER] OUTPUT) ...)`.
    pub(super) fn syntax_case(
        &mut self,
        items: &[Word],
        form: Word,
        scope: &ScopeRef,
    ) -> Res<Node> {
        let [_, subject, literals, clauses @ ..] = items else {
            return syntax("bad syntax-case", form);
        };
        let literal_items = self.items(*literals)?;
        if literal_items.iter().any(|l| !is_identifier(*l)) {
            return syntax("syntax-case: a literal is not an identifier", form);
        }
        let subject = self.expr(*subject, scope)?;
        let v = self.temporary("form");
        let value = self.local(v);
        let mut node = self.call_primitive("%syntax-no-match", vec![value]);
        // From the last clause to the first: each falls to the one after it.
        for clause in clauses.iter().rev() {
            node = match self.items(*clause)?[..] {
                [pattern, output] => {
                    self.clause(v, pattern, *literals, None, &[output], scope, node)?
                }
                [pattern, fender, output] => {
                    self.clause(v, pattern, *literals, Some(fender), &[output], scope, node)?
                }
                _ => return syntax("syntax-case: bad clause", *clause),
            };
        }
        Ok(Node::Let(vec![(v, subject)], Box::new(node)))
    }

    /// `(with-syntax ((PATTERN FORM) ...) BODY ...)`.
    pub(super) fn with_syntax(
        &mut self,
        items: &[Word],
        form: Word,
        scope: &ScopeRef,
    ) -> Res<Node> {
        let [_, bindings, body @ ..] = items else {
            return syntax("bad with-syntax", form);
        };
        let mut patterns = Vec::new();
        let mut forms = Vec::new();
        for binding in self.items(*bindings)? {
            let [pattern, value] = self.items(binding)?[..] else {
                return syntax("with-syntax: bad binding", binding);
            };
            patterns.push(pattern);
            forms.push(self.expr(value, scope)?);
        }
        let subject = self.call_primitive("list", forms);
        let v = self.temporary("forms");
        let value = self.local(v);
        let otherwise = self.call_primitive("%syntax-no-match", vec![value]);
        let pattern = self.vm.cx.heap.list(&patterns);
        let node = self.clause(v, pattern, Word::NIL, None, body, scope, otherwise)?;
        Ok(Node::Let(vec![(v, subject)], Box::new(node)))
    }

    /// One clause of a `syntax-case`: its output when the variable's value matches and the fender
    /// holds, and otherwise `next`.
    #[allow(clippy::too_many_arguments)] // one use apart, they are a clause
    fn clause(
        &mut self,
        v: VarId,
        pattern: Word,
        literals: Word,
        fender: Option<Word>,
        output: &[Word],
        scope: &ScopeRef,
        next: Node,
    ) -> Res<Node> {
        let literal_items = self.items(literals)?;
        let variables = macros::pattern_variables(
            &self.vm.cx.heap,
            &self.vm.syntax,
            scope,
            pattern,
            literal_items,
        )?;
        let number = self.template_scope(scope);
        let description = self.vm.cx.heap.vector(vec![pattern, number, literals]);
        let value = self.local(v);
        let matched = self.call_primitive("%syntax-match", vec![Node::Const(description), value]);
        let m = self.temporary("match");
        let inner = scope.child();
        let mut bindings = Vec::new();
        for (i, (id, depth)) in variables.into_iter().enumerate() {
            self.charge(1)?;
            let x = self.new_var(id);
            inner.bind(id, Denotation::Pattern(x, depth as u32));
            let whole = self.local(m);
            let index = Node::Const(Word::index(i));
            bindings.push((x, self.call_primitive("vector-ref", vec![whole, index])));
        }
        let test = self.local(m);
        let bound = |bindings: Vec<_>, node| {
            if bindings.is_empty() {
                node
            } else {
                Node::Let(bindings, Box::new(node))
            }
        };
        let node = match fender {
            None => {
                let body = self.body(output, &inner)?;
                Node::If(
                    Box::new(test),
                    Box::new(bound(bindings, body)),
                    Box::new(next),
                )
            }
            Some(fender) => {
                // The next clause is in two places, and must not be twice in the code.
                let k = self.temporary("next");
                let first = self.local(k);
                let second = self.local(k);
                let pos = self.pos;
                let call = |k| Box::new(Node::Call(Box::new(k), Vec::new(), pos));
                let fender = self.expr(fender, &inner)?;
                let body = self.body(output, &inner)?;
                let node = bound(
                    bindings,
                    Node::If(Box::new(fender), Box::new(body), call(first)),
                );
                let node = Node::If(Box::new(test), Box::new(node), call(second));
                let next = Node::Lambda(Box::new(Lambda {
                    params: Vec::new(),
                    rest: None,
                    body: next,
                    name: String::new(),
                    pos,
                }));
                Node::Let(vec![(k, next)], Box::new(node))
            }
        };
        Ok(Node::Let(vec![(m, matched)], Box::new(node)))
    }

    /// `(quasisyntax TEMPLATE)`: a template in which each `unsyntax` is a pattern variable.
    pub(super) fn quasisyntax(&mut self, template: Word, scope: &ScopeRef) -> Res<Node> {
        let inner = scope.child();
        let mut bindings = Vec::new();
        let template = self.quasi_template(template, scope, &inner, (0, 0), &mut bindings)?;
        let node = self.syntax_form(template, &inner)?;
        Ok(if bindings.is_empty() {
            node
        } else {
            Node::Let(bindings, Box::new(node))
        })
    }

    /// A pattern variable for the value of an expression.
    fn unsyntax(
        &mut self,
        form: Word,
        depth: u32,
        scopes: (&ScopeRef, &ScopeRef),
        bindings: &mut Vec<(VarId, Node)>,
    ) -> Res {
        let node = self.expr(form, scopes.0)?;
        let id = self.core_id("unsyntax");
        let v = self.new_var(id);
        scopes.1.bind(id, Denotation::Pattern(v, depth));
        bindings.push((v, node));
        Ok(id)
    }

    fn quasi_template(
        &mut self,
        t: Word,
        scope: &ScopeRef,
        inner: &ScopeRef,
        (level, quoted): (usize, usize),
        bindings: &mut Vec<(VarId, Node)>,
    ) -> Res {
        if level > MAX_DEPTH {
            return syntax("quasisyntax: the template is nested too deeply", Word::NIL);
        }
        self.charge(1)?;
        if let Some(items) = self.vm.cx.heap.as_vector(t) {
            let list = items.to_vec();
            let list = self.vm.cx.heap.list(&list);
            let list = self.quasi_template(list, scope, inner, (level + 1, quoted), bindings)?;
            let items = self.items(list)?;
            return Ok(self.vm.cx.heap.vector(items));
        }
        let mut items = Vec::new();
        let mut rest = t;
        while rest.is_pair() {
            self.charge(1)?;
            let head = self.vm.cx.heap.car(rest);
            // The form itself, or the end of a list: (a . #,b) is (a unsyntax b).
            if self.is_keyword(head, Core::Unsyntax, scope) && quoted == 0 {
                let [_, form] = self.items(rest)?[..] else {
                    return syntax("bad unsyntax", rest);
                };
                rest = self.unsyntax(form, 0, (scope, inner), bindings)?;
                break;
            }
            let shift = if self.is_keyword(head, Core::Quasisyntax, scope) {
                Some(quoted + 1)
            } else if self.is_keyword(head, Core::Unsyntax, scope)
                || (items.is_empty() && self.is_keyword(head, Core::UnsyntaxSplicing, scope))
            {
                quoted.checked_sub(1)
            } else {
                None
            };
            if let Some(quoted) = shift {
                let tail = self.vm.cx.heap.cdr(rest);
                let tail =
                    self.quasi_template(tail, scope, inner, (level + 1, quoted), bindings)?;
                rest = self.vm.cx.heap.cons(head, tail);
                break;
            }
            rest = self.vm.cx.heap.cdr(rest);
            let keyword = if head.is_pair() {
                self.vm.cx.heap.car(head)
            } else {
                Word::NIL
            };
            let splicing = self.is_keyword(keyword, Core::UnsyntaxSplicing, scope);
            if quoted == 0 && (splicing || self.is_keyword(keyword, Core::Unsyntax, scope)) {
                for form in self.items(head)?.into_iter().skip(1) {
                    let depth = u32::from(splicing);
                    items.push(self.unsyntax(form, depth, (scope, inner), bindings)?);
                    if splicing {
                        items.push(self.core_id("..."));
                    }
                }
            } else {
                let at = (level + 1, quoted);
                items.push(self.quasi_template(head, scope, inner, at, bindings)?);
            }
        }
        Ok(self.vm.cx.heap.list_with_tail(&items, rest))
    }
}
