//! Definitions: internal ones become `letrec*`, and the derived ones become `begin` forms.

use super::ast::{Node, VarId};
use super::core_forms::Core;
use super::environment::{Denotation, Lookup, ScopeRef, Syntax};
use super::expand::Expander;
use super::macros::is_identifier;
use crate::error::{Res, syntax};
use crate::value::Word;

/// The value of a definition, not yet expanded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value {
    Unspecified,
    Form(Word),
    /// Parameters and the list of body forms.
    Procedure(Word, Word),
}

enum Item {
    Definition(VarId, String, Value),
    Expression(Word),
}

impl Expander<'_> {
    /// The identifier and value of a `define` form.
    pub(crate) fn definition(&mut self, form: Word, _scope: &ScopeRef) -> Res<(Word, Value)> {
        let items = self.items(form)?;
        let [_, target, rest @ ..] = &items[..] else {
            return syntax("bad define syntax", form);
        };
        if target.is_pair() {
            let id = self.vm.cx.heap.car(*target);
            if !is_identifier(id) {
                return syntax("bad define syntax", form);
            }
            if rest.is_empty() {
                return syntax("a procedure without a body", form);
            }
            let params = self.vm.cx.heap.cdr(*target);
            let body = self.vm.cx.heap.list(rest);
            return Ok((id, Value::Procedure(params, body)));
        }
        if !is_identifier(*target) {
            return syntax("bad define syntax", form);
        }
        match rest {
            [] => Ok((*target, Value::Unspecified)),
            [value] => Ok((*target, Value::Form(*value))),
            _ => syntax("bad define syntax", form),
        }
    }

    /// Expands the value of a definition; a procedure takes the definition's name.
    pub(crate) fn definition_value(
        &mut self,
        value: Value,
        name: &str,
        scope: &ScopeRef,
    ) -> Res<Node> {
        Ok(match value {
            Value::Unspecified => Node::Const(Word::UNSPECIFIED),
            Value::Form(form) => {
                let mut node = self.expr(form, scope)?;
                match &mut node {
                    Node::Lambda(l) if l.name.is_empty() => name.clone_into(&mut l.name),
                    Node::CaseLambda(ls) => {
                        ls.iter_mut().for_each(|l| name.clone_into(&mut l.name))
                    }
                    _ => {}
                }
                node
            }
            Value::Procedure(params, body) => {
                let body = self.items(body)?;
                Node::Lambda(Box::new(self.lambda(params, &body, name, scope)?))
            }
        })
    }

    /// A body: definitions, then expressions, in a scope of its own (R7RS 5.3.2).
    pub(crate) fn body(&mut self, forms: &[Word], scope: &ScopeRef) -> Res<Node> {
        let scope = &scope.child();
        let mut queue: Vec<Word> = forms.iter().rev().copied().collect();
        let mut items = Vec::new();
        let mut definitions = false;
        let pos = self.pos;
        while let Some(form) = queue.pop() {
            self.charge(1)?;
            self.enter(form);
            let head = if form.is_pair() {
                self.vm.cx.heap.car(form)
            } else {
                Word::NIL
            };
            if !is_identifier(head) {
                items.push(Item::Expression(form));
                continue;
            }
            match self.lookup(head, scope) {
                Lookup::Bound(Denotation::Macro(m)) if !m.variable => {
                    let expansion = self.expand_macro(&m, form, scope)?;
                    queue.push(expansion);
                }
                Lookup::Bound(Denotation::Core(core)) => match core {
                    Core::Begin => {
                        let parts = self.items(form)?;
                        self.charge(parts.len() as u64)?;
                        queue.extend(parts[1..].iter().rev());
                    }
                    Core::CondExpand => {
                        let chosen = self.cond_expand(form)?;
                        queue.extend(chosen.iter().rev());
                    }
                    Core::SplicingLetSyntax | Core::SplicingLetrecSyntax => {
                        let forms = self.spliced(core, form, scope)?;
                        queue.extend(forms.iter().rev());
                    }
                    Core::DefineNamed => {
                        let definition = self.named_definition(form)?;
                        queue.push(definition);
                    }
                    Core::DefineRecordType => {
                        let begin = self.record_definition(form, scope)?;
                        queue.push(begin);
                    }
                    Core::DefineValues => {
                        let begin = self.values_definition(form, scope)?;
                        queue.push(begin);
                    }
                    Core::Define => {
                        let (id, value) = self.definition(form, scope)?;
                        self.charge(scope.width() as u64 / 8)?;
                        if scope.binds_here(id) {
                            return syntax("defined twice in one body", id);
                        }
                        let v = self.new_var(id);
                        scope.bind(id, Denotation::Local(v));
                        let name = self.vars[v as usize].name.clone();
                        items.push(Item::Definition(v, name, value));
                        definitions = true;
                    }
                    Core::DefineSyntax => {
                        let parts = self.items(form)?;
                        let [_, id, spec] = parts[..] else {
                            return syntax("bad define-syntax", form);
                        };
                        if !is_identifier(id) {
                            return syntax("define-syntax: not an identifier", form);
                        }
                        let denotation = self.transformer(spec, scope)?;
                        scope.bind(id, denotation);
                    }
                    _ => items.push(Item::Expression(form)),
                },
                _ => items.push(Item::Expression(form)),
            }
        }
        self.pos = pos;
        if !definitions {
            let forms: Vec<Word> = items
                .iter()
                .filter_map(|i| match i {
                    Item::Expression(f) => Some(*f),
                    Item::Definition(..) => None,
                })
                .collect();
            if forms.is_empty() {
                return syntax("a body without an expression", Word::NIL);
            }
            return self.sequence(&forms, scope);
        }
        let last = items
            .iter()
            .rposition(|i| matches!(i, Item::Definition(..)))
            .unwrap_or(0);
        let mut bindings = Vec::new();
        let mut tail = Vec::new();
        for (i, item) in items.into_iter().enumerate() {
            match item {
                Item::Definition(v, name, value) => {
                    let node = self.definition_value(value, &name, scope)?;
                    bindings.push((v, node));
                }
                Item::Expression(form) => {
                    let node = self.expr(form, scope)?;
                    if i < last {
                        let name = self.vm.cx.heap.symbol("unused");
                        let v = self.new_var(name);
                        bindings.push((v, node));
                    } else {
                        tail.push(node);
                    }
                }
            }
        }
        let body = match tail.len() {
            0 => Node::Const(Word::UNSPECIFIED),
            1 => tail.remove(0),
            _ => Node::Seq(tail),
        };
        Ok(Node::Letrec(bindings, Box::new(body)))
    }

    /// `define-values` as definitions and an assignment.
    pub(crate) fn values_definition(&mut self, form: Word, _scope: &ScopeRef) -> Res {
        let items = self.items(form)?;
        let [_, formals, expression] = items[..] else {
            return syntax("bad define-values", form);
        };
        let (define, begin, set) = (
            self.core_id("define"),
            self.core_id("begin"),
            self.core_id("set!"),
        );
        let (lambda, call) = (self.core_id("lambda"), self.core_id("call-with-values"));
        let mut out = vec![begin];
        let Some((count, _)) = self.vm.cx.heap.walk(formals, |_| {}) else {
            return syntax("define-values: the variables are a circular list", form);
        };
        self.charge(count as u64)?;
        let mut ids = Vec::new();
        let mut rest = formals;
        while rest.is_pair() {
            ids.push(self.vm.cx.heap.car(rest));
            rest = self.vm.cx.heap.cdr(rest);
        }
        let tail = (rest != Word::NIL).then_some(rest);
        if ids.iter().chain(&tail).any(|id| !is_identifier(*id)) {
            return syntax("bad define-values", form);
        }
        let temporary: Vec<Word> = ids.iter().map(|_| self.core_id("t")).collect();
        let temporary_tail = tail.map(|_| self.core_id("t"));
        for id in ids.iter().chain(&tail) {
            let d = self.vm.cx.heap.list(&[define, *id, Word::FALSE]);
            out.push(d);
        }
        let params = self
            .vm
            .cx
            .heap
            .list_with_tail(&temporary, temporary_tail.unwrap_or(Word::NIL));
        let mut consumer = vec![lambda, params];
        for (id, t) in ids
            .iter()
            .chain(&tail)
            .zip(temporary.iter().chain(&temporary_tail))
        {
            let s = self.vm.cx.heap.list(&[set, *id, *t]);
            consumer.push(s);
        }
        if consumer.len() == 2 {
            consumer.push(Word::FALSE);
        }
        let consumer = self.vm.cx.heap.list(&consumer);
        let producer = self.vm.cx.heap.list(&[lambda, Word::NIL, expression]);
        let call = self.vm.cx.heap.list(&[call, producer, consumer]);
        // As a definition, so that it may stand among definitions.
        let unused = self.core_id("unused-values");
        if matches!(_scope, ScopeRef::Local(_)) {
            let d = self.vm.cx.heap.list(&[define, unused, call]);
            out.push(d);
        } else {
            out.push(call);
        }
        Ok(self.vm.cx.heap.list(&out))
    }

    /// `define-record-type` as procedures over the record primitives (R7RS 5.5).
    pub(crate) fn record_definition(&mut self, form: Word, _scope: &ScopeRef) -> Res {
        let items = self.items(form)?;
        let [_, name, constructor, predicate, fields @ ..] = &items[..] else {
            return syntax("bad define-record-type", form);
        };
        let (name, constructor, predicate) = (*name, *constructor, *predicate);
        if !is_identifier(name) {
            return syntax(
                "define-record-type: the type name is not an identifier",
                form,
            );
        }
        let mut names = Vec::new();
        let mut parsed = Vec::new();
        for field in fields {
            let parts = if is_identifier(*field) {
                vec![*field]
            } else {
                self.items(*field)?
            };
            if parts.is_empty() || parts.len() > 3 || parts.iter().any(|p| !is_identifier(*p)) {
                return syntax("define-record-type: bad field", *field);
            }
            self.charge(1 + names.len() as u64 / 8)?;
            if names.contains(&parts[0]) {
                return syntax("define-record-type: a field occurs twice", parts[0]);
            }
            names.push(parts[0]);
            parsed.push(parts);
        }
        if names.len() > 200 {
            return syntax("define-record-type: more than 200 fields", form);
        }
        let (begin, define, quote) = (
            self.core_id("begin"),
            self.core_id("define"),
            self.core_id("quote"),
        );
        let mut out = vec![begin];

        let make_type = self.core_id("%make-record-type");
        let quoted_name = self.vm.cx.heap.list(&[quote, name]);
        let field_vector = self.vm.cx.heap.vector(names.clone());
        let quoted_fields = self.vm.cx.heap.list(&[quote, field_vector]);
        let make = self
            .vm
            .cx
            .heap
            .list(&[make_type, quoted_name, quoted_fields]);
        let d = self.vm.cx.heap.list(&[define, name, make]);
        out.push(d);

        if constructor != Word::FALSE {
            let (id, args) = if constructor.is_pair() {
                (
                    self.vm.cx.heap.car(constructor),
                    self.items(self.vm.cx.heap.cdr(constructor))?,
                )
            } else {
                (constructor, names.clone())
            };
            if !is_identifier(id) {
                return syntax("define-record-type: bad constructor", form);
            }
            self.charge(args.len() as u64 * (1 + names.len() as u64 / 8))?;
            for a in &args {
                if !names.contains(a) {
                    return syntax(
                        "define-record-type: the constructor names an unknown field",
                        *a,
                    );
                }
            }
            let record = self.core_id("%record");
            let mut call = vec![record, name];
            for n in &names {
                call.push(if args.contains(n) { *n } else { Word::FALSE });
            }
            let call = self.vm.cx.heap.list(&call);
            let params = self.vm.cx.heap.list(&args);
            let head = self.vm.cx.heap.cons(id, params);
            let d = self.vm.cx.heap.list(&[define, head, call]);
            out.push(d);
        }
        let r = self.core_id("r");
        let v = self.core_id("v");
        if predicate != Word::FALSE {
            if !is_identifier(predicate) {
                return syntax("define-record-type: bad predicate", form);
            }
            let test = self.core_id("%record-of?");
            let call = self.vm.cx.heap.list(&[test, r, name]);
            let head = self.vm.cx.heap.list(&[predicate, r]);
            let d = self.vm.cx.heap.list(&[define, head, call]);
            out.push(d);
        }
        for (i, parts) in parsed.iter().enumerate() {
            if let Some(accessor) = parts.get(1) {
                let field = self.core_id("%field");
                let call = self.vm.cx.heap.list(&[field, r, name, Word::index(i)]);
                let head = self.vm.cx.heap.list(&[*accessor, r]);
                let d = self.vm.cx.heap.list(&[define, head, call]);
                out.push(d);
            }
            if let Some(modifier) = parts.get(2) {
                let set = self.core_id("%set-field!");
                let call = self.vm.cx.heap.list(&[set, r, name, v, Word::index(i)]);
                let head = self.vm.cx.heap.list(&[*modifier, r, v]);
                let d = self.vm.cx.heap.list(&[define, head, call]);
                out.push(d);
            }
        }
        Ok(self.vm.cx.heap.list(&out))
    }

    /// `(%define-named (part ...) value)`: a definition of the symbol that the parts, strings and
    /// identifiers, make together. For default names of SRFI 99, which no rule of a macro can make.
    pub(crate) fn named_definition(&mut self, form: Word) -> Res {
        let [_, parts, value] = self.items(form)?[..] else {
            return syntax("bad %define-named", form);
        };
        let mut name = String::new();
        for part in self.items(parts)? {
            match self.vm.cx.heap.as_text(part) {
                Some(t) => name.push_str(&t.to_utf8()),
                None if is_identifier(part) => {
                    let symbol = Syntax::symbol_of(&self.vm.cx.heap, part);
                    name.push_str(self.vm.cx.heap.symbol_name(symbol).unwrap_or_default());
                }
                None => return syntax("bad %define-named", form),
            }
        }
        let symbol = self.vm.cx.heap.symbol(&name);
        let define = self.core_id("define");
        Ok(self.vm.cx.heap.list(&[define, symbol, value]))
    }

    /// The forms that a `cond-expand` chooses.
    pub(crate) fn cond_expand(&mut self, form: Word) -> Res<Vec<Word>> {
        let items = self.items(form)?;
        for clause in &items[1..] {
            let parts = self.items(*clause)?;
            let [requirement, forms @ ..] = &parts[..] else {
                return syntax("bad cond-expand clause", *clause);
            };
            if self.feature(*requirement, form, 0)? {
                return Ok(forms.to_vec());
            }
        }
        syntax("cond-expand: no clause applies", form)
    }

    fn feature(&mut self, requirement: Word, form: Word, depth: usize) -> Res<bool> {
        if depth > 100 {
            return syntax("cond-expand: nested too deeply", form);
        }
        let requirement = self.strip(requirement);
        if let Some(name) = self.vm.cx.heap.symbol_name(requirement) {
            return Ok(name == "else" || crate::library::FEATURES.contains(&name));
        }
        let parts = self.items(requirement)?;
        let [head, rest @ ..] = &parts[..] else {
            return syntax("bad cond-expand requirement", form);
        };
        match (
            self.vm
                .cx
                .heap
                .symbol_name(*head)
                .unwrap_or_default()
                .to_owned()
                .as_str(),
            rest,
        ) {
            ("and", rest) => {
                for r in rest {
                    if !self.feature(*r, form, depth + 1)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            ("or", rest) => {
                for r in rest {
                    if self.feature(*r, form, depth + 1)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            ("not", [r]) => Ok(!self.feature(*r, form, depth + 1)?),
            ("library", [name]) => {
                let path = crate::library::path_of(&self.vm.cx.heap, *name);
                Ok(path.is_some_and(|p| self.available(&p)))
            }
            _ => syntax("bad cond-expand requirement", form),
        }
    }

    /// `define-tool`: clauses in any order, each once.
    pub(crate) fn tool_definition(&mut self, form: Word, _scope: &ScopeRef) -> Res {
        const CLAUSES: [&str; 5] = [
            "description",
            "parameters",
            "execute",
            "category",
            "summary-params",
        ];
        let items = self.items(form)?;
        let [_, name, clauses @ ..] = &items[..] else {
            return syntax("define-tool: no name", form);
        };
        let name = self.strip(*name);
        let Some(tool) = self.vm.cx.heap.symbol_name(name).map(str::to_owned) else {
            return Err(crate::error::raise(
                crate::error::ErrorKind::Syntax,
                "define-tool: the name must be an identifier, not",
                &[name],
            ));
        };
        let mut values: [Option<Word>; 5] = [None; 5];
        for clause in clauses {
            self.enter(*clause);
            let parts = self.vm.cx.heap.list_items(*clause).unwrap_or_default();
            let keyword = parts.first().map(|k| self.strip(*k));
            let keyword = keyword
                .and_then(|k| self.vm.cx.heap.symbol_name(k))
                .unwrap_or_default()
                .to_owned();
            let Some(i) = CLAUSES.iter().position(|c| *c == keyword) else {
                return syntax(
                    format!(
                        "define-tool {tool}: unknown clause; the clauses are {}",
                        CLAUSES.join(", ")
                    ),
                    *clause,
                );
            };
            let [_, value] = parts[..] else {
                return syntax(
                    format!("define-tool {tool}: clause {keyword} takes one value"),
                    *clause,
                );
            };
            if values[i].replace(value).is_some() {
                return syntax(
                    format!("define-tool {tool}: clause {keyword} occurs twice"),
                    *clause,
                );
            }
        }
        for (i, required) in CLAUSES[..3].iter().enumerate() {
            if values[i].is_none() {
                return syntax(
                    format!("define-tool {tool}: clause {required} is missing"),
                    Word::NIL,
                )
                .map_err(|mut e| {
                    if let crate::error::Raise::Error { irritants, .. } = &mut *e {
                        irritants.clear();
                    }
                    e
                });
            }
        }
        // `(summary-params ("a" "b"))` is what the documentation of the format shows: take it as data.
        let quote = self.core_id("quote");
        if let Some(list) = values[4] {
            let all_strings = self.vm.cx.heap.list_items(list).is_some_and(|l| {
                !l.is_empty() && l.iter().all(|s| self.vm.cx.heap.as_text(*s).is_some())
            });
            if all_strings {
                values[4] = Some(self.vm.cx.heap.list(&[quote, list]));
            }
        }
        let register = self.core_id("%register-tool!");
        let name_string = self.vm.cx.heap.string(tool.as_str());
        let mut call = vec![register, name_string];
        call.extend(values.iter().map(|v| v.unwrap_or(Word::FALSE)));
        Ok(self.vm.cx.heap.list(&call))
    }

    /// True when a library can be imported, for `cond-expand`.
    fn available(&self, path: &str) -> bool {
        self.vm.syntax.libraries.is_available(path)
    }
}
