//! Expressions: macro uses, core forms and calls become syntax trees.

use std::rc::Rc;

use super::ast::{Clause, Lambda, Node, Var, VarId};
use super::core_forms::Core;
use super::environment::{Denotation, EnvId, Lookup, ScopeRef, Syntax};
use super::macros::{self, Macro, is_identifier};
use crate::code::Pos;
use crate::error::{Limit, Raise, Res, syntax};
use crate::value::{Kind, Word};
use crate::vm::Vm;

/// Deepest nesting of expressions. Data may nest without limit.
pub(crate) const MAX_DEPTH: usize = 700;
/// The engine's own environment: every primitive and core form, under its own name.
pub(crate) const CORE_ENV: EnvId = 0;
/// What a macro definition is taken to hold, in bytes.
const MACRO_BYTES: usize = 256;

/// The expander of one top-level form.
pub(crate) struct Expander<'a> {
    /// The machine: its heap, environments and globals, and what runs procedural macros.
    pub(crate) vm: &'a mut Vm,
    pub(crate) vars: Vec<Var>,
    /// Place of the innermost form that has one.
    pub(crate) pos: Pos,
    /// Work done by macros, in steps.
    pub(crate) work: u64,
    /// Most work allowed.
    pub(crate) work_limit: u64,
    depth: usize,
    /// The first variable of the phase that is being expanded: what came before is not there yet.
    pub(super) floor: VarId,
    /// Where the transformer is that is being expanded.
    pub(super) phase: Option<ScopeRef>,
    /// Syntax parameters with the transformers that they have now, innermost last.
    parameterized: Vec<(Rc<Macro>, Denotation)>,
}

/// What a top-level form turned out to be.
#[derive(Debug)]
pub(crate) enum TopForm {
    /// Forms to take in its place.
    Splice(Vec<Word>),
    Import(Vec<Word>),
    DefineLibrary(Word),
    /// A syntax definition, already in force.
    Defined,
    Code(Node),
}

impl<'a> Expander<'a> {
    pub(crate) fn new(vm: &'a mut Vm, work_limit: u64) -> Self {
        Self {
            vm,
            vars: Vec::new(),
            pos: Pos::default(),
            work: 0,
            work_limit,
            depth: 0,
            floor: 0,
            phase: None,
            parameterized: Vec::new(),
        }
    }

    // --- small helpers ---

    pub(crate) fn lookup(&self, id: Word, scope: &ScopeRef) -> Lookup {
        let found = self.vm.syntax.lookup(&self.vm.cx.heap, id, scope);
        if let Lookup::Bound(Denotation::Macro(m)) = &found
            && let Some((_, d)) = self
                .parameterized
                .iter()
                .rev()
                .find(|(p, _)| Rc::ptr_eq(p, m))
        {
            return Lookup::Bound(d.clone());
        }
        found
    }

    /// True when an identifier is this auxiliary keyword, imported or simply unbound.
    pub(crate) fn is_keyword(&self, id: Word, core: Core, scope: &ScopeRef) -> bool {
        if !is_identifier(id) {
            return false;
        }
        match self.lookup(id, scope) {
            Lookup::Bound(Denotation::Core(c)) => c == core,
            Lookup::Free(s, _) => self.vm.cx.heap.symbol_name(s) == Some(core.name()),
            Lookup::Bound(_) => false,
        }
    }

    /// An identifier that means the engine's own binding of this name wherever it is inserted.
    pub(crate) fn core_id(&mut self, name: &str) -> Word {
        let scope = self.vm.syntax.scope_id(&ScopeRef::Top(CORE_ENV));
        let symbol = self.vm.cx.heap.symbol(name);
        self.vm.syntax.renames += 1;
        let n = self.vm.syntax.renames as i64;
        self.vm.cx.heap.block(
            Kind::Alias,
            &[symbol, Word::fix(i64::from(scope)), Word::fix(n)],
        )
    }

    /// A reference to one of the engine's own procedures.
    pub(crate) fn primitive(&mut self, name: &str) -> Node {
        let symbol = self.vm.cx.heap.symbol(name);
        let g = self
            .vm
            .syntax
            .global(&mut self.vm.globals, symbol, CORE_ENV);
        Node::Global(g, self.pos)
    }

    pub(crate) fn call_primitive(&mut self, name: &str, arguments: Vec<Node>) -> Node {
        let f = self.primitive(name);
        Node::Call(Box::new(f), arguments, self.pos)
    }

    pub(crate) fn new_var(&mut self, id: Word) -> VarId {
        let symbol = Syntax::symbol_of(&self.vm.cx.heap, id);
        let name = self
            .vm
            .cx
            .heap
            .symbol_name(symbol)
            .unwrap_or_default()
            .to_owned();
        self.vars.push(Var {
            name,
            ..Var::default()
        });
        self.vars.len() as VarId - 1
    }

    pub(crate) fn local(&mut self, v: VarId) -> Node {
        self.vars[v as usize].references += 1;
        Node::Local(v)
    }

    /// The items of a form, which must be a proper list.
    pub(crate) fn items(&self, form: Word) -> Res<Vec<Word>> {
        match self.vm.cx.heap.list_items(form) {
            Some(items) => Ok(items),
            None => syntax("dotted or circular list where a form was expected", form),
        }
    }

    /// Notes where the form is, when that is known.
    pub(crate) fn enter(&mut self, form: Word) {
        let place = self.vm.syntax.places.get(&(form.at() as u32));
        if let Some(pos) = place.filter(|_| form.is_pair()) {
            self.pos = *pos;
        }
    }

    /// One level down; an error ends the expansion, so that nothing comes up again after it.
    fn descend(&mut self) -> Res<()> {
        if self.depth >= MAX_DEPTH {
            return Err(crate::error::raise(
                crate::error::ErrorKind::Syntax,
                format!("expressions nested more than {MAX_DEPTH} deep"),
                &[],
            ));
        }
        if !self.vm.syntax.entered.has_room() {
            return Err(crate::error::raise(
                crate::error::ErrorKind::Syntax,
                "expressions nested too deeply for the stack",
                &[],
            ));
        }
        self.depth += 1;
        Ok(())
    }

    pub(crate) fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.descend()?;
        let pos = self.pos;
        let value = f(self)?;
        self.depth -= 1;
        self.pos = pos;
        Ok(value)
    }

    /// Adds to the work of the expansion, with what looking up identifiers took.
    pub(crate) fn charge(&mut self, work: u64) -> Res<()> {
        let probes = self.vm.syntax.probes.take() / 4;
        self.work = self.work.saturating_add(work).saturating_add(probes);
        if self.work > self.work_limit {
            return Err(Box::new(Raise::Limit(Limit::Steps)));
        }
        if self.vm.cx.heap.is_exhausted() || !self.vm.cx.heap.fits_now(0) {
            return Err(Box::new(Raise::Limit(Limit::Memory)));
        }
        Ok(())
    }

    pub(crate) fn expand_macro(&mut self, m: &Rc<Macro>, form: Word, scope: &ScopeRef) -> Res {
        if let Some(procedure) = m.procedure {
            let expansion = self.transformed(procedure, form, scope)?;
            self.charge(1)?;
            return self.hooked(form, expansion, scope);
        }
        let (expansion, work) =
            macros::expand(&mut self.vm.cx.heap, &mut self.vm.syntax, m, form, scope)?;
        self.charge(work)?;
        let expansion = self.hooked(form, expansion, scope)?;
        // What a macro made is where its use was.
        if expansion.is_pair() {
            let pos = self.pos;
            self.vm
                .syntax
                .places
                .entry(expansion.at() as u32)
                .or_insert(pos);
        }
        Ok(expansion)
    }

    /// Takes the aliases out of quoted data.
    pub(crate) fn strip(&mut self, datum: Word) -> Word {
        crate::strip::strip(&mut self.vm.cx.heap, datum)
    }

    // --- top level ---

    /// Expands one top-level form as far as it must be before the next one is read.
    pub(crate) fn top(&mut self, form: Word, env: EnvId) -> Res<TopForm> {
        let scope = ScopeRef::Top(env);
        let mut form = form;
        loop {
            self.charge(1)?;
            self.enter(form);
            if !form.is_pair() {
                return Ok(TopForm::Code(self.expr(form, &scope)?));
            }
            let head = self.vm.cx.heap.car(form);
            if !is_identifier(head) {
                return Ok(TopForm::Code(self.expr(form, &scope)?));
            }
            match self.lookup(head, &scope) {
                Lookup::Bound(Denotation::Macro(m)) if !m.variable => {
                    form = self.expand_macro(&m, form, &scope)?
                }
                Lookup::Bound(Denotation::Core(core)) => match core {
                    Core::Begin => {
                        let items = self.items(form)?;
                        self.charge(items.len() as u64)?;
                        self.announce(&items[1..], &scope);
                        return Ok(TopForm::Splice(items[1..].to_vec()));
                    }
                    Core::SplicingLetSyntax | Core::SplicingLetrecSyntax => {
                        return Ok(TopForm::Splice(self.spliced(core, form, &scope)?));
                    }
                    Core::Import => {
                        let items = self.items(form)?;
                        return Ok(TopForm::Import(items[1..].to_vec()));
                    }
                    Core::DefineLibrary => return Ok(TopForm::DefineLibrary(form)),
                    Core::CondExpand => return Ok(TopForm::Splice(self.cond_expand(form)?)),
                    Core::DefineNamed => form = self.named_definition(form)?,
                    Core::DefineRecordType => form = self.record_definition(form, &scope)?,
                    Core::DefineValues => form = self.values_definition(form, &scope)?,
                    Core::DefineTool => form = self.tool_definition(form, &scope)?,
                    Core::DefineSyntax => {
                        let items = self.items(form)?;
                        let [_, id, spec] = items[..] else {
                            return syntax("bad define-syntax", form);
                        };
                        if !is_identifier(id) {
                            return syntax("define-syntax: not an identifier", form);
                        }
                        if self.vm.syntax.envs[env as usize].immutable {
                            return syntax("define-syntax: the environment is immutable", id);
                        }
                        let denotation = self.transformer(spec, &scope)?;
                        let key = self.vm.syntax.defined_key(&self.vm.cx.heap, id, env);
                        self.vm.syntax.envs[env as usize].bindings.insert(
                            key,
                            super::environment::Entry {
                                denotation,
                                imported: false,
                                forward: false,
                            },
                        );
                        return Ok(TopForm::Defined);
                    }
                    Core::Define => {
                        let (id, value) = self.definition(form, &scope)?;
                        let symbol = Syntax::symbol_of(&self.vm.cx.heap, id);
                        if self.vm.syntax.envs[env as usize].immutable {
                            return syntax("define: the environment is immutable", id);
                        }
                        // A forward reference made the slot already; an import gets a new one.
                        let name = self
                            .vm
                            .cx
                            .heap
                            .symbol_name(symbol)
                            .unwrap_or_default()
                            .to_owned();
                        let g = self.vm.syntax.define_id(
                            &self.vm.cx.heap,
                            &mut self.vm.globals,
                            id,
                            env,
                        );
                        let node = self.definition_value(value, &name, &scope)?;
                        return Ok(TopForm::Code(Node::DefGlobal(g, Box::new(node))));
                    }
                    _ => return Ok(TopForm::Code(self.expr(form, &scope)?)),
                },
                _ => return Ok(TopForm::Code(self.expr(form, &scope)?)),
            }
        }
    }

    /// Binds what a sequence defines under names of another library's macro, before its forms are
    /// expanded: one may mention what a later one defines.
    fn announce(&mut self, forms: &[Word], scope: &ScopeRef) {
        for form in forms {
            if !form.is_pair() || !self.vm.cx.heap.cdr(*form).is_pair() {
                continue;
            }
            let head = self.vm.cx.heap.car(*form);
            let mut id = self.vm.cx.heap.car(self.vm.cx.heap.cdr(*form));
            // Curried definitions nest a little; a circular one without end.
            for _ in 0..MAX_DEPTH {
                if !id.is_pair() {
                    break;
                }
                id = self.vm.cx.heap.car(id);
            }
            if id.is(Kind::Alias)
                && is_identifier(head)
                && matches!(
                    self.lookup(head, scope),
                    Lookup::Bound(Denotation::Core(Core::Define))
                )
                && self
                    .vm
                    .syntax
                    .defined_key(&self.vm.cx.heap, id, scope.env())
                    == id
            {
                self.vm
                    .syntax
                    .define_id(&self.vm.cx.heap, &mut self.vm.globals, id, scope.env());
            }
        }
    }

    // --- expressions ---

    pub(crate) fn expr(&mut self, form: Word, scope: &ScopeRef) -> Res<Node> {
        // Written out: a closure would be one more frame at every level.
        let pos = self.pos;
        self.descend()?;
        let node = self.expr_inner(form, scope)?;
        self.depth -= 1;
        self.pos = pos;
        Ok(node)
    }

    fn expr_inner(&mut self, form: Word, scope: &ScopeRef) -> Res<Node> {
        let mut form = form;
        loop {
            self.charge(1)?;
            if is_identifier(form) {
                return self.reference(form, scope);
            }
            if !form.is_pair() {
                if form == Word::NIL {
                    return syntax("empty combination", form);
                }
                let datum = self.strip(form);
                return Ok(Node::Const(datum));
            }
            self.enter(form);
            let head = self.vm.cx.heap.car(form);
            if is_identifier(head) {
                match self.lookup(head, scope) {
                    Lookup::Bound(Denotation::Macro(m)) if !m.variable => {
                        form = self.expand_macro(&m, form, scope)?;
                        continue;
                    }
                    Lookup::Bound(Denotation::Core(core)) => {
                        match self.core_expr(core, form, scope)? {
                            Ok(node) => return Ok(node),
                            Err(again) => {
                                form = again;
                                continue;
                            }
                        }
                    }
                    _ => {}
                }
            }
            return self.combination(form, scope);
        }
    }

    /// A call. `((lambda (x ...) body) e ...)` binds without making a closure.
    fn combination(&mut self, form: Word, scope: &ScopeRef) -> Res<Node> {
        let pos = self.pos;
        let items = self.items(form)?;
        let mut nodes = self.exprs(&items, scope)?;
        let f = nodes.remove(0);
        Ok(Self::call(f, nodes, pos))
    }

    fn call(f: Node, arguments: Vec<Node>, pos: Pos) -> Node {
        match f {
            Node::Lambda(l) if l.rest.is_none() && l.params.len() == arguments.len() => {
                let l = *l;
                Node::Let(
                    l.params.into_iter().zip(arguments).collect(),
                    Box::new(l.body),
                )
            }
            f => Node::Call(Box::new(f), arguments, pos),
        }
    }

    fn reference(&mut self, id: Word, scope: &ScopeRef) -> Res<Node> {
        match self.lookup(id, scope) {
            Lookup::Bound(Denotation::Local(v)) if v < self.floor => self.not_yet(id),
            Lookup::Bound(Denotation::Local(v)) => Ok(self.local(v)),
            Lookup::Bound(Denotation::Global(g)) => Ok(Node::Global(g, self.pos)),
            Lookup::Bound(Denotation::Macro(m)) if m.variable => {
                let form = self.vm.cx.heap.list(&[id]);
                let expansion = self.expand_macro(&m, form, scope)?;
                self.expr(expansion, scope)
            }
            Lookup::Bound(Denotation::Macro(m)) if m.procedure.is_some() => {
                let expansion = self.expand_macro(&m, id, scope)?;
                self.expr(expansion, scope)
            }
            Lookup::Bound(Denotation::Pattern(..)) => {
                let symbol = Syntax::symbol_of(&self.vm.cx.heap, id);
                syntax("a pattern variable outside of syntax", symbol)
            }
            Lookup::Bound(Denotation::Core(_) | Denotation::Macro(_)) => {
                let symbol = Syntax::symbol_of(&self.vm.cx.heap, id);
                syntax("invalid use of syntax as value", symbol)
            }
            Lookup::Free(symbol, env) => {
                let g = self.vm.syntax.global(&mut self.vm.globals, symbol, env);
                Ok(Node::Global(g, self.pos))
            }
        }
    }

    /// Expands a core form; `Err` gives a form to expand in its place.
    /// What is written out here recurses with this procedure's whole frame: what is large or rare is
    /// in procedures of its own.
    fn core_expr(&mut self, core: Core, form: Word, scope: &ScopeRef) -> Res<Result<Node, Word>> {
        let items = self.items(form)?;
        let node = match core {
            Core::Quote => match items[..] {
                [_, datum] => Node::Const(self.strip(datum)),
                _ => return syntax("bad quote", form),
            },
            Core::Quasiquote => match items[..] {
                [_, template] => self.quasiquote(template, scope)?,
                _ => return syntax("bad quasiquote", form),
            },
            Core::If => self.if_form(&items, form, scope)?,
            Core::Lambda => self.lambda_form(&items, form, scope)?,
            Core::CaseLambda => self.case_lambda(&items, scope)?,
            Core::Set => self.assignment(&items, form, scope)?,
            Core::Begin => {
                if items.len() == 1 {
                    Node::Const(Word::UNSPECIFIED)
                } else {
                    self.sequence(&items[1..], scope)?
                }
            }
            Core::And | Core::Or => self.and_or(core, &items, scope)?,
            Core::When | Core::Unless => self.when(core, &items, form, scope)?,
            Core::Cond => self.cond(&items[1..], scope)?,
            Core::Case => self.case(&items, form, scope)?,
            Core::Let => self.let_form(&items, form, scope)?,
            Core::LetStar => self.let_star(&items, form, scope)?,
            Core::Letrec | Core::LetrecStar => self.letrec(&items, form, scope)?,
            Core::Do => self.do_loop(&items, form, scope)?,
            Core::SplicingLetSyntax | Core::SplicingLetrecSyntax => {
                let forms = self.spliced(core, form, scope)?;
                self.sequence(&forms, scope)?
            }
            Core::Syntax | Core::Quasisyntax => match items[..] {
                [_, template] if core == Core::Syntax => self.syntax_form(template, scope)?,
                [_, template] => self.quasisyntax(template, scope)?,
                _ => return syntax("bad syntax", form),
            },
            Core::SyntaxCase => self.syntax_case(&items, form, scope)?,
            Core::WithSyntax => self.with_syntax(&items, form, scope)?,
            Core::Unsyntax | Core::UnsyntaxSplicing => {
                return syntax(format!("{} outside quasisyntax", core.name()), form);
            }
            Core::SyntaxParameterize => self.syntax_parameterize(&items, form, scope)?,
            Core::LetSyntax | Core::LetrecSyntax => self.let_syntax(core, &items, form, scope)?,
            Core::CondExpand => {
                let chosen = self.cond_expand(form)?;
                self.body(&chosen, scope)?
            }
            Core::SyntaxError => return Err(self.syntax_error(&items)),
            Core::DefineTool => return Ok(Err(self.tool_definition(form, scope)?)),
            Core::Define
            | Core::DefineNamed
            | Core::DefineValues
            | Core::DefineRecordType
            | Core::DefineSyntax => {
                return syntax("a definition where an expression was expected", form);
            }
            Core::Import | Core::DefineLibrary | Core::Include | Core::IncludeCi => {
                return syntax(
                    format!("{} is allowed only at top level", core.name()),
                    form,
                );
            }
            Core::Unquote | Core::UnquoteSplicing => {
                return syntax(format!("{} outside quasiquote", core.name()), form);
            }
            Core::Arrow
            | Core::Else
            | Core::Ellipsis
            | Core::IdentifierSyntax
            | Core::Underscore
            | Core::SyntaxRules => {
                return syntax("invalid use of syntax as value", form);
            }
        };
        Ok(Ok(node))
    }

    fn if_form(&mut self, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let (test, then, otherwise) = match items {
            [_, test, then] => (test, then, None),
            [_, test, then, otherwise] => (test, then, Some(otherwise)),
            [..] if items.len() < 3 => return syntax("not enough args to if", form),
            _ => return syntax("too many args to if", form),
        };
        let test = Box::new(self.expr(*test, scope)?);
        let then = Box::new(self.expr(*then, scope)?);
        let otherwise = match otherwise {
            Some(otherwise) => self.expr(*otherwise, scope)?,
            None => Node::Const(Word::UNSPECIFIED),
        };
        Ok(Node::If(test, then, Box::new(otherwise)))
    }

    fn lambda_form(&mut self, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let [_, params, body @ ..] = items else {
            return syntax("bad lambda syntax", form);
        };
        Ok(Node::Lambda(Box::new(
            self.lambda(*params, body, "", scope)?,
        )))
    }

    fn case_lambda(&mut self, items: &[Word], scope: &ScopeRef) -> Res<Node> {
        let mut lambdas = Vec::new();
        for clause in &items[1..] {
            let clause_items = self.items(*clause)?;
            let [params, body @ ..] = &clause_items[..] else {
                return syntax("bad case-lambda clause", *clause);
            };
            lambdas.push(self.lambda(*params, body, "", scope)?);
        }
        Ok(Node::CaseLambda(lambdas))
    }

    fn and_or(&mut self, core: Core, items: &[Word], scope: &ScopeRef) -> Res<Node> {
        let mut nodes = self.exprs(&items[1..], scope)?;
        Ok(match (nodes.len(), core) {
            (0, _) => Node::Const(Word::bool(core == Core::And)),
            (1, _) => nodes.remove(0),
            (_, Core::And) => Node::And(nodes),
            _ => Node::Or(nodes),
        })
    }

    fn when(&mut self, core: Core, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let [_, test, body @ ..] = items else {
            return syntax("bad when or unless", form);
        };
        let test = Box::new(self.expr(*test, scope)?);
        let body = Box::new(self.sequence(body, scope)?);
        let nothing = Box::new(Node::Const(Word::UNSPECIFIED));
        Ok(if core == Core::When {
            Node::If(test, body, nothing)
        } else {
            Node::If(test, nothing, body)
        })
    }

    fn syntax_error(&mut self, items: &[Word]) -> Box<Raise> {
        let message = items
            .get(1)
            .and_then(|m| self.vm.cx.heap.as_text(*m))
            .map(crate::text::Text::to_utf8);
        let irritants: Vec<Word> = items
            .iter()
            .skip(2)
            .map(|w| crate::strip::strip(&mut self.vm.cx.heap, *w))
            .collect();
        crate::error::raise(
            crate::error::ErrorKind::Syntax,
            message.unwrap_or_else(|| "syntax-error".to_owned()),
            &irritants,
        )
    }

    pub(crate) fn exprs(&mut self, forms: &[Word], scope: &ScopeRef) -> Res<Vec<Node>> {
        // A loop: the frames of an iterator chain would come at every level.
        let mut nodes = Vec::with_capacity(forms.len());
        for form in forms {
            nodes.push(self.expr(*form, scope)?);
        }
        Ok(nodes)
    }

    /// Expressions in order; the value is the last one's.
    pub(crate) fn sequence(&mut self, forms: &[Word], scope: &ScopeRef) -> Res<Node> {
        let mut nodes = self.exprs(forms, scope)?;
        Ok(match nodes.len() {
            0 => Node::Const(Word::UNSPECIFIED),
            1 => nodes.remove(0),
            _ => Node::Seq(nodes),
        })
    }

    fn assignment(&mut self, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let [_, id, value] = *items else {
            return syntax("bad set! syntax", form);
        };
        if !is_identifier(id) {
            return syntax("set!: not an identifier", form);
        }
        let target = self.lookup(id, scope);
        if let Lookup::Bound(Denotation::Macro(m)) = &target
            && (m.variable || m.assignable)
        {
            let form = if m.assignable {
                form
            } else {
                self.vm.cx.heap.list(&[id, id, value])
            };
            let expansion = self.expand_macro(m, form, scope)?;
            return self.expr(expansion, scope);
        }
        let value = Box::new(self.expr(value, scope)?);
        match target {
            Lookup::Bound(Denotation::Local(v)) if v < self.floor => self.not_yet(id),
            Lookup::Bound(Denotation::Local(v)) => {
                self.vars[v as usize].assigned = true;
                Ok(Node::SetLocal(v, value))
            }
            Lookup::Bound(Denotation::Global(g)) => {
                let symbol = Syntax::symbol_of(&self.vm.cx.heap, id);
                let env = scope.env();
                let imported = self.vm.syntax.envs[env as usize]
                    .bindings
                    .get(&symbol)
                    .is_some_and(|e| {
                        e.imported && matches!(e.denotation, Denotation::Global(h) if h == g)
                    });
                if imported {
                    return syntax(
                        "set!: an imported binding cannot be assigned; define it first",
                        symbol,
                    );
                }
                self.vm.globals.info[g as usize].assigned = true;
                Ok(Node::SetGlobal(g, value, self.pos))
            }
            Lookup::Bound(_) => syntax("set!: not a variable", form),
            Lookup::Free(symbol, env) => {
                let g = self.vm.syntax.global(&mut self.vm.globals, symbol, env);
                self.vm.globals.info[g as usize].assigned = true;
                Ok(Node::SetGlobal(g, value, self.pos))
            }
        }
    }

    /// A procedure from its parameters and body.
    pub(crate) fn lambda(
        &mut self,
        params: Word,
        body: &[Word],
        name: &str,
        scope: &ScopeRef,
    ) -> Res<Lambda> {
        let inner = scope.child();
        let pos = self.pos;
        let mut vars = Vec::new();
        let mut rest = params;
        while rest.is_pair() {
            let id = self.vm.cx.heap.car(rest);
            self.bind_param(id, &inner, params)?;
            vars.push(self.vars.len() as VarId - 1);
            rest = self.vm.cx.heap.cdr(rest);
            if vars.len() > 1000 {
                return syntax("more than 1000 parameters", Word::NIL);
            }
        }
        let rest = if rest == Word::NIL {
            None
        } else {
            self.bind_param(rest, &inner, params)?;
            Some(self.vars.len() as VarId - 1)
        };
        let body = self.body(body, &inner)?;
        Ok(Lambda {
            params: vars,
            rest,
            body,
            name: name.to_owned(),
            pos,
        })
    }

    fn bind_param(&mut self, id: Word, scope: &ScopeRef, params: Word) -> Res<()> {
        if !is_identifier(id) {
            return syntax("a parameter is not an identifier", params);
        }
        self.charge(1 + scope.width() as u64 / 8)?;
        if scope.binds_here(id) {
            return syntax("a parameter occurs twice", params);
        }
        let v = self.new_var(id);
        scope.bind(id, Denotation::Local(v));
        Ok(())
    }

    /// The transformer that a `define-syntax` or `let-syntax` binds.
    pub(crate) fn transformer(&mut self, spec: Word, scope: &ScopeRef) -> Res<Denotation> {
        let mut spec = spec;
        loop {
            if is_identifier(spec) {
                // Another name for existing syntax.
                return match self.lookup(spec, scope) {
                    Lookup::Bound(d @ (Denotation::Core(_) | Denotation::Macro(_))) => Ok(d),
                    Lookup::Bound(Denotation::Global(_)) => self.procedural(spec, scope),
                    _ => syntax("not a syntax transformer", spec),
                };
            }
            if !spec.is_pair() {
                return syntax("not a syntax transformer", spec);
            }
            self.enter(spec);
            let head = self.vm.cx.heap.car(spec);
            if !is_identifier(head) {
                return syntax("not a syntax transformer", spec);
            }
            match self.lookup(head, scope) {
                Lookup::Bound(Denotation::Core(Core::SyntaxRules)) => {
                    let m = macros::compile(&self.vm.cx.heap, &mut self.vm.syntax, spec, scope)?;
                    // Aliases may name its scope for as long as the context lives.
                    self.vm.cx.heap.hold(MACRO_BYTES);
                    return Ok(Denotation::Macro(Rc::new(m)));
                }
                Lookup::Bound(Denotation::Core(Core::IdentifierSyntax)) => {
                    spec = self.variable_rules(spec)?;
                }
                Lookup::Bound(Denotation::Macro(m)) if !m.variable => {
                    spec = self.expand_macro(&m, spec, scope)?;
                }
                _ => return self.procedural(spec, scope),
            }
        }
    }

    /// The rules that an `identifier-syntax` means (SRFI 211): one for a reference, one for `set!`.
    fn variable_rules(&mut self, spec: Word) -> Res {
        let items = self.items(spec)?;
        let rules = self.core_id("syntax-rules");
        let any = self.core_id("_");
        let mark = self.vm.cx.heap.symbol(macros::VARIABLE);
        let literals = self.vm.cx.heap.list(&[mark]);
        let reference = self.vm.cx.heap.list(&[any]);
        let mut out = vec![rules, literals];
        match items[..] {
            [_, template] => out.push(self.vm.cx.heap.list(&[reference, template])),
            [_, get, set] => {
                let (get, set) = (self.items(get)?, self.items(set)?);
                let ([_, got], [place, assigned]) = (&get[..], &set[..]) else {
                    return syntax("bad identifier-syntax", spec);
                };
                let [_, name, value] = self.items(*place)?[..] else {
                    return syntax("bad identifier-syntax", spec);
                };
                let pattern = self.vm.cx.heap.list(&[any, name, value]);
                out.push(self.vm.cx.heap.list(&[reference, *got]));
                out.push(self.vm.cx.heap.list(&[pattern, *assigned]));
            }
            _ => return syntax("bad identifier-syntax", spec),
        }
        Ok(self.vm.cx.heap.list(&out))
    }

    /// A body in which macros have other transformers, wherever they are used (SRFI 139).
    fn syntax_parameterize(&mut self, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let [_, bindings, body @ ..] = items else {
            return syntax("bad syntax-parameterize", form);
        };
        let mut added = Vec::new();
        for binding in self.items(*bindings)? {
            let [id, spec] = self.items(binding)?[..] else {
                return syntax("bad syntax-parameterize binding", binding);
            };
            // The parameter itself, not what it is bound to around here.
            let Lookup::Bound(Denotation::Macro(parameter)) =
                self.vm.syntax.lookup(&self.vm.cx.heap, id, scope)
            else {
                return syntax("syntax-parameterize: not a syntax parameter", id);
            };
            added.push((parameter, self.transformer(spec, scope)?));
        }
        let outer = self.parameterized.len();
        self.parameterized.extend(added);
        let node = self.body(body, scope);
        self.parameterized.truncate(outer);
        node
    }

    /// The scope that the bindings of a `let-syntax` make, with the identifiers that it binds.
    fn syntax_bindings(
        &mut self,
        recursive: bool,
        bindings: Word,
        scope: &ScopeRef,
    ) -> Res<(ScopeRef, Vec<Word>)> {
        let inner = scope.child();
        let mut ids = Vec::new();
        for binding in self.items(bindings)? {
            let parts = match self.vm.cx.heap.list_items(binding) {
                Some(parts) if binding.is_pair() => parts,
                _ => return syntax("bad let-syntax binding", binding),
            };
            let [id, spec] = parts[..] else {
                return syntax("bad let-syntax binding", binding);
            };
            if !is_identifier(id) {
                return syntax("let-syntax: not an identifier", binding);
            }
            let at = if recursive { &inner } else { scope };
            let denotation = self.transformer(spec, at)?;
            inner.bind(id, denotation);
            ids.push(id);
        }
        Ok((inner, ids))
    }

    fn let_syntax(
        &mut self,
        core: Core,
        items: &[Word],
        form: Word,
        scope: &ScopeRef,
    ) -> Res<Node> {
        let [_, bindings, body @ ..] = items else {
            return syntax("bad let-syntax", form);
        };
        let recursive = core == Core::LetrecSyntax;
        let (inner, _) = self.syntax_bindings(recursive, *bindings, scope)?;
        self.body(body, &inner)
    }

    /// The body of a splicing `let-syntax` (SRFI 188) for the scope that it is in: the keywords are
    /// bound in a scope of their own, and each mention of one is an alias that is looked up there.
    pub(crate) fn spliced(&mut self, core: Core, form: Word, scope: &ScopeRef) -> Res<Vec<Word>> {
        let items = self.items(form)?;
        let [_, bindings, body @ ..] = &items[..] else {
            return syntax("bad let-syntax", form);
        };
        let recursive = core == Core::SplicingLetrecSyntax;
        let (inner, ids) = self.syntax_bindings(recursive, *bindings, scope)?;
        let number = self.vm.syntax.scope_id(&inner);
        let mut aliases = Vec::new();
        for id in ids {
            self.vm.syntax.renames += 1;
            let n = self.vm.syntax.renames as i64;
            let slots = [id, Word::fix(i64::from(number)), Word::fix(n)];
            aliases.push((id, self.vm.cx.heap.block(Kind::Alias, &slots)));
        }
        let mut forms = Vec::with_capacity(body.len());
        for form in body {
            self.charge(1)?;
            forms.push(self.with_aliases(*form, &aliases)?);
        }
        Ok(forms)
    }

    /// A form in which identifiers are replaced.
    fn with_aliases(&mut self, form: Word, aliases: &[(Word, Word)]) -> Res {
        if is_identifier(form) {
            let found = aliases.iter().find(|(id, _)| *id == form);
            return Ok(found.map_or(form, |(_, alias)| *alias));
        }
        if let Some(items) = self.vm.cx.heap.as_vector(form) {
            let items = items.to_vec();
            let new = self.deeper(|e| e.all_with_aliases(&items, aliases))?;
            return Ok(if new == items {
                form
            } else {
                self.vm.cx.heap.vector(new)
            });
        }
        if !form.is_pair() {
            return Ok(form);
        }
        let mut items = Vec::new();
        let mut tail = form;
        while tail.is_pair() {
            // Circular data stands in no program that can be expanded.
            self.charge(1)?;
            items.push(self.vm.cx.heap.car(tail));
            tail = self.vm.cx.heap.cdr(tail);
        }
        let new_tail = self.with_aliases(tail, aliases)?;
        let new = self.deeper(|e| e.all_with_aliases(&items, aliases))?;
        if new == items && new_tail == tail {
            return Ok(form);
        }
        let list = self.vm.cx.heap.list_with_tail(&new, new_tail);
        if let Some(pos) = self.vm.syntax.places.get(&(form.at() as u32)).copied() {
            self.vm.syntax.places.insert(list.at() as u32, pos);
        }
        Ok(list)
    }

    fn all_with_aliases(&mut self, items: &[Word], aliases: &[(Word, Word)]) -> Res<Vec<Word>> {
        items
            .iter()
            .map(|i| self.with_aliases(*i, aliases))
            .collect()
    }

    // --- binding forms ---

    fn let_form(&mut self, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let [_, first, rest @ ..] = items else {
            return syntax("bad let syntax", form);
        };
        if is_identifier(*first) {
            let [bindings, body @ ..] = rest else {
                return syntax("bad let syntax", form);
            };
            return self.named_let(*first, *bindings, body, form, scope);
        }
        let bindings = self.bindings(*first, form)?;
        let inner = scope.child();
        let mut pairs = Vec::new();
        for (id, init) in &bindings {
            let init = self.named_value(*init, *id, scope)?;
            pairs.push((*id, init));
        }
        let mut nodes = Vec::new();
        for (id, init) in pairs {
            self.bind_param(id, &inner, form)?;
            nodes.push((self.vars.len() as VarId - 1, init));
        }
        let body = self.body(rest, &inner)?;
        Ok(if nodes.is_empty() {
            body
        } else {
            Node::Let(nodes, Box::new(body))
        })
    }

    /// An initial value; a lambda takes the variable's name.
    fn named_value(&mut self, form: Word, id: Word, scope: &ScopeRef) -> Res<Node> {
        let mut node = self.expr(form, scope)?;
        if let Node::Lambda(l) = &mut node
            && l.name.is_empty()
        {
            let symbol = Syntax::symbol_of(&self.vm.cx.heap, id);
            l.name = self
                .vm
                .cx
                .heap
                .symbol_name(symbol)
                .unwrap_or_default()
                .to_owned();
        }
        Ok(node)
    }

    fn bindings(&mut self, list: Word, form: Word) -> Res<Vec<(Word, Word)>> {
        let Some(bindings) = self.vm.cx.heap.list_items(list) else {
            return syntax("bad let syntax", form);
        };
        let mut out = Vec::new();
        for b in bindings {
            match self.vm.cx.heap.list_items(b).as_deref() {
                Some([id, init]) if is_identifier(*id) => out.push((*id, *init)),
                _ => return syntax("bad let syntax", form),
            }
        }
        Ok(out)
    }

    fn named_let(
        &mut self,
        name: Word,
        bindings: Word,
        body: &[Word],
        form: Word,
        scope: &ScopeRef,
    ) -> Res<Node> {
        let bindings = self.bindings(bindings, form)?;
        let inits: Vec<Word> = bindings.iter().map(|b| b.1).collect();
        let inits = self.exprs(&inits, scope)?;
        let pos = self.pos;
        let outer = scope.child();
        let v = self.new_var(name);
        outer.bind(name, Denotation::Local(v));
        let inner = outer.child();
        let mut params = Vec::new();
        for (id, _) in &bindings {
            self.bind_param(*id, &inner, form)?;
            params.push(self.vars.len() as VarId - 1);
        }
        let body = self.body(body, &inner)?;
        let name = self.vars[v as usize].name.clone();
        let lambda = Node::Lambda(Box::new(Lambda {
            params,
            rest: None,
            body,
            name,
            pos,
        }));
        let f = self.local(v);
        Ok(Node::Letrec(
            vec![(v, lambda)],
            Box::new(Node::Call(Box::new(f), inits, pos)),
        ))
    }

    fn let_star(&mut self, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let [_, bindings, body @ ..] = items else {
            return syntax("bad let* syntax", form);
        };
        let bindings = self.bindings(*bindings, form)?;
        let mut at = scope.clone();
        let mut nodes = Vec::new();
        for (id, init) in bindings {
            let init = self.named_value(init, id, &at)?;
            let inner = at.child();
            let v = self.new_var(id);
            inner.bind(id, Denotation::Local(v));
            nodes.push((v, init));
            at = inner;
        }
        let body = self.body(body, &at.child())?;
        Ok(if nodes.is_empty() {
            body
        } else {
            Node::Let(nodes, Box::new(body))
        })
    }

    fn letrec(&mut self, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let [_, bindings, body @ ..] = items else {
            return syntax("bad letrec syntax", form);
        };
        let bindings = self.bindings(*bindings, form)?;
        let inner = scope.child();
        let mut vars = Vec::new();
        for (id, _) in &bindings {
            self.bind_param(*id, &inner, form)?;
            vars.push(self.vars.len() as VarId - 1);
        }
        let mut nodes = Vec::new();
        for ((id, init), v) in bindings.iter().zip(vars) {
            nodes.push((v, self.named_value(*init, *id, &inner)?));
        }
        let body = self.body(body, &inner)?;
        Ok(Node::Letrec(nodes, Box::new(body)))
    }

    fn do_loop(&mut self, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let [_, specs, exit, commands @ ..] = items else {
            return syntax("bad do syntax", form);
        };
        let pos = self.pos;
        let specs = self.items(*specs)?;
        let exit = self.items(*exit)?;
        let [test, results @ ..] = &exit[..] else {
            return syntax("bad do syntax", form);
        };
        let mut parsed = Vec::new();
        for spec in specs {
            match self.items(spec)?[..] {
                [id, init] if is_identifier(id) => parsed.push((id, init, None)),
                [id, init, step] if is_identifier(id) => parsed.push((id, init, Some(step))),
                _ => return syntax("bad do syntax", form),
            }
        }
        let mut inits = Vec::new();
        for p in &parsed {
            inits.push(self.expr(p.1, scope)?);
        }
        let loop_name = self.vm.cx.heap.symbol("do");
        let v = self.new_var(loop_name);
        let inner = scope.child();
        let mut params = Vec::new();
        for p in &parsed {
            self.bind_param(p.0, &inner, form)?;
            params.push(self.vars.len() as VarId - 1);
        }
        let test = self.expr(*test, &inner)?;
        let result = self.sequence(results, &inner)?;
        let mut nodes = self.exprs(commands, &inner)?;
        let mut steps = Vec::new();
        for (p, var) in parsed.iter().zip(&params) {
            steps.push(match p.2 {
                Some(step) => self.expr(step, &inner)?,
                None => self.local(*var),
            });
        }
        let f = self.local(v);
        nodes.push(Node::Call(Box::new(f), steps, pos));
        let body = Node::If(Box::new(test), Box::new(result), Box::new(Node::Seq(nodes)));
        let lambda = Node::Lambda(Box::new(Lambda {
            params,
            rest: None,
            body,
            name: "do".to_owned(),
            pos,
        }));
        let f = self.local(v);
        Ok(Node::Letrec(
            vec![(v, lambda)],
            Box::new(Node::Call(Box::new(f), inits, pos)),
        ))
    }

    // --- conditionals ---

    fn cond(&mut self, clauses: &[Word], scope: &ScopeRef) -> Res<Node> {
        let mut otherwise = Node::Const(Word::UNSPECIFIED);
        let mut parsed = Vec::new();
        for (i, clause) in clauses.iter().enumerate() {
            self.enter(*clause);
            let items = self.items(*clause)?;
            let [test, body @ ..] = &items[..] else {
                return syntax("bad cond clause", *clause);
            };
            if self.is_keyword(*test, Core::Else, scope) {
                if i + 1 != clauses.len() {
                    return syntax("else is not the last clause", *clause);
                }
                otherwise = self.sequence(body, scope)?;
                break;
            }
            let test = self.expr(*test, scope)?;
            parsed.push(match body {
                [] => {
                    let v = self.temporary("cond");
                    let then = self.local(v);
                    Clause {
                        var: Some(v),
                        test,
                        then,
                    }
                }
                [arrow, f] if self.is_keyword(*arrow, Core::Arrow, scope) => {
                    let v = self.temporary("cond");
                    let f = self.expr(*f, scope)?;
                    let value = self.local(v);
                    Clause {
                        var: Some(v),
                        test,
                        then: Node::Call(Box::new(f), vec![value], self.pos),
                    }
                }
                body => Clause {
                    var: None,
                    test,
                    then: self.sequence(body, scope)?,
                },
            });
        }
        Ok(Self::clauses(parsed, otherwise))
    }

    /// A variable of the program that a transformer mentions: it has no value before the program runs.
    fn not_yet<T>(&mut self, id: Word) -> Res<T> {
        let symbol = Syntax::symbol_of(&self.vm.cx.heap, id);
        syntax("a local variable of the program in a transformer", symbol)
    }

    /// A variable that the program does not see.
    pub(super) fn temporary(&mut self, name: &str) -> VarId {
        let name = self.vm.cx.heap.symbol(name);
        self.new_var(name)
    }

    /// A conditional: an `if` when it has one clause.
    fn clauses(mut clauses: Vec<Clause>, otherwise: Node) -> Node {
        match clauses.len() {
            0 => otherwise,
            1 if clauses[0].var.is_none() => {
                let c = clauses.remove(0);
                Node::If(Box::new(c.test), Box::new(c.then), Box::new(otherwise))
            }
            _ => Node::Cond(clauses, Box::new(otherwise)),
        }
    }

    fn case(&mut self, items: &[Word], form: Word, scope: &ScopeRef) -> Res<Node> {
        let [_, key, clauses @ ..] = items else {
            return syntax("bad case syntax", form);
        };
        let key = self.expr(*key, scope)?;
        let v = self.temporary("case");
        let mut otherwise = Node::Const(Word::UNSPECIFIED);
        let mut parsed = Vec::new();
        for (i, clause) in clauses.iter().enumerate() {
            self.enter(*clause);
            let items = self.items(*clause)?;
            let [data, body @ ..] = &items[..] else {
                return syntax("bad case clause", *clause);
            };
            let body = match body {
                [arrow, f] if self.is_keyword(*arrow, Core::Arrow, scope) => {
                    let f = self.expr(*f, scope)?;
                    let key = self.local(v);
                    Node::Call(Box::new(f), vec![key], self.pos)
                }
                body => self.sequence(body, scope)?,
            };
            if self.is_keyword(*data, Core::Else, scope) {
                if i + 1 != clauses.len() {
                    return syntax("else is not the last clause", *clause);
                }
                otherwise = body;
                break;
            }
            let data = self.strip(*data);
            let data = self.items(data)?;
            self.charge(data.len() as u64)?;
            let simple = |w: &Word| !w.is_heap() || w.is(Kind::Symbol);
            let test = if data.len() <= 6 && data.iter().all(simple) {
                let mut tests = Vec::new();
                for d in data {
                    let key = self.local(v);
                    tests.push(self.call_primitive("eq?", vec![key, Node::Const(d)]));
                }
                match tests.len() {
                    0 => Node::Const(Word::FALSE),
                    1 => tests.remove(0),
                    _ => Node::Or(tests),
                }
            } else {
                let list = self.vm.cx.heap.list(&data);
                let key = self.local(v);
                self.call_primitive("memv", vec![key, Node::Const(list)])
            };
            parsed.push(Clause {
                var: None,
                test,
                then: body,
            });
        }
        let node = Self::clauses(parsed, otherwise);
        Ok(Node::Let(vec![(v, key)], Box::new(node)))
    }
}
