//! `syntax-rules` (R7RS 4.3.2): patterns and templates are compiled once, when the macro is defined.

use std::rc::Rc;

use super::environment::{Denotation, Lookup, ScopeRef, Syntax};
use crate::error::{Res, syntax};
use crate::heap::{FixedMap, Heap};
use crate::syntax::core_forms::Core;
use crate::value::{Kind, Word};

/// Deepest nesting of a pattern or template.
const MAX_DEPTH: usize = 150;

/// A macro: its rules and the scope it was defined in.
#[derive(Debug)]
pub(crate) struct Macro {
    pub(crate) scope: ScopeRef,
    /// Number of that scope, which its aliases carry.
    pub(crate) scope_id: u32,
    rules: Vec<Rule>,
    /// It stands for a variable (SRFI 211): a use is the name itself, or an assignment.
    pub(crate) variable: bool,
    /// The procedure that expands it, in place of rules.
    pub(crate) procedure: Option<Word>,
    /// Its procedure takes assignments too.
    pub(crate) assignable: bool,
    /// The form it was made from, so that an image can carry it.
    pub(crate) source: Word,
}

#[derive(Debug)]
struct Rule {
    pattern: Pattern,
    template: Template,
    variables: usize,
}

#[derive(Debug)]
enum Pattern {
    Wild,
    Var(usize),
    Literal(Word),
    Datum(Word),
    /// Fixed items, an optional repeated one, fixed items after it, and what ends the list.
    List {
        before: Vec<Pattern>,
        repeat: Option<(Box<Pattern>, Vec<usize>)>,
        after: Vec<Pattern>,
        tail: Option<Box<Pattern>>,
    },
    Vector(Box<Pattern>),
}

#[derive(Debug)]
enum Template {
    Var(usize),
    /// A symbol that the expansion renames.
    Insert(Word),
    Datum(Word),
    List(Vec<Element>, Option<Box<Template>>),
    Vector(Vec<Element>),
}

#[derive(Debug)]
struct Element {
    template: Template,
    /// How many ellipses follow.
    depth: usize,
    /// Variables inside that repeat.
    variables: Vec<usize>,
}

#[derive(Debug, Clone, Default)]
enum Bound {
    #[default]
    None,
    One(Word),
    Many(Rc<Vec<Bound>>),
}

impl Macro {
    /// One that a procedure expands.
    pub(crate) fn procedural(
        scope: ScopeRef,
        scope_id: u32,
        procedure: Word,
        assignable: bool,
        source: Word,
    ) -> Self {
        Self {
            scope,
            scope_id,
            rules: Vec::new(),
            variable: false,
            procedure: Some(procedure),
            assignable,
            source,
        }
    }

    /// Every word it holds, for the collector.
    pub(crate) fn each_word(&self, f: &mut dyn FnMut(Word)) {
        f(self.source);
        self.procedure.into_iter().for_each(f);
    }
}

/// Identifiers are symbols and aliases.
pub(crate) fn is_identifier(w: Word) -> bool {
    w.is(Kind::Symbol) || w.is(Kind::Alias)
}

struct Compiler<'a> {
    heap: &'a Heap,
    syntax: &'a Syntax,
    scope: &'a ScopeRef,
    ellipsis: Option<Word>,
    literals: Vec<Word>,
    variables: FixedMap<Word, (usize, usize)>,
    form: Word,
}

impl Compiler<'_> {
    fn is_ellipsis(&self, w: Word) -> bool {
        if !is_identifier(w) {
            return false;
        }
        match self.ellipsis {
            Some(e) => w == e,
            None => !self.literals.contains(&w) && self.is_core(w, Core::Ellipsis),
        }
    }

    fn is_core(&self, w: Word, core: Core) -> bool {
        matches!(self.syntax.lookup(self.heap, w, self.scope), Lookup::Bound(Denotation::Core(c)) if c == core)
            // A library that did not import the auxiliary keywords still means them.
            || matches!(self.syntax.lookup(self.heap, w, self.scope), Lookup::Free(s, _)
                if self.heap.symbol_name(s) == Some(core.name()))
    }

    fn items(&self, list: Word) -> Res<(Vec<Word>, Word)> {
        let mut items = Vec::new();
        let mut rest = list;
        while rest.is_pair() {
            items.push(self.heap.car(rest));
            rest = self.heap.cdr(rest);
            if items.len() > 100_000 {
                return syntax("syntax-rules: a list is too long or circular", self.form);
            }
        }
        Ok((items, rest))
    }

    fn pattern(&mut self, p: Word, depth: usize, level: usize) -> Res<Pattern> {
        if level > MAX_DEPTH {
            return syntax("syntax-rules: the pattern is nested too deeply", self.form);
        }
        if is_identifier(p) {
            if self.literals.contains(&p) {
                return Ok(Pattern::Literal(p));
            }
            if self.is_core(p, Core::Underscore) {
                return Ok(Pattern::Wild);
            }
            if self.is_ellipsis(p) {
                return syntax("syntax-rules: misplaced ellipsis", self.form);
            }
            let n = self.variables.len();
            if self.variables.insert(p, (n, depth)).is_some() {
                return syntax("syntax-rules: a pattern variable occurs twice", p);
            }
            return Ok(Pattern::Var(n));
        }
        if p.is_pair() || p == Word::NIL {
            let (items, tail) = self.items(p)?;
            return self.list_pattern(&items, tail, depth, level);
        }
        if let Some(items) = self.heap.as_vector(p) {
            let items = items.to_vec();
            let list = self.list_pattern(&items, Word::NIL, depth, level)?;
            return Ok(Pattern::Vector(Box::new(list)));
        }
        Ok(Pattern::Datum(p))
    }

    fn list_pattern(
        &mut self,
        items: &[Word],
        tail: Word,
        depth: usize,
        level: usize,
    ) -> Res<Pattern> {
        let mut before = Vec::new();
        let mut repeat = None;
        let mut after = Vec::new();
        let mut i = 0;
        while i < items.len() {
            let repeated = items.get(i + 1).is_some_and(|n| self.is_ellipsis(*n));
            if repeated {
                if repeat.is_some() {
                    return syntax("syntax-rules: two ellipses in one list", self.form);
                }
                let first = self.variables.len();
                let p = self.pattern(items[i], depth + 1, level + 1)?;
                repeat = Some((Box::new(p), (first..self.variables.len()).collect()));
                i += 2;
            } else {
                let p = self.pattern(items[i], depth, level + 1)?;
                if repeat.is_some() {
                    after.push(p)
                } else {
                    before.push(p)
                }
                i += 1;
            }
        }
        let tail = if tail == Word::NIL {
            None
        } else {
            Some(Box::new(self.pattern(tail, depth, level + 1)?))
        };
        Ok(Pattern::List {
            before,
            repeat,
            after,
            tail,
        })
    }

    fn template(&self, t: Word, level: usize, escaped: bool) -> Res<Template> {
        if level > MAX_DEPTH {
            return syntax("syntax-rules: the template is nested too deeply", self.form);
        }
        if is_identifier(t) {
            return Ok(match self.variables.get(&t) {
                Some((n, _)) => Template::Var(*n),
                None if !escaped && self.is_ellipsis(t) => {
                    return syntax("syntax-rules: misplaced ellipsis in a template", self.form);
                }
                None => Template::Insert(t),
            });
        }
        if t.is_pair() {
            let (items, tail) = self.items(t)?;
            if !escaped && items.len() == 2 && tail == Word::NIL && self.is_ellipsis(items[0]) {
                return self.template(items[1], level + 1, true);
            }
            let elements = self.elements(&items, level, escaped)?;
            let tail = if tail == Word::NIL {
                None
            } else {
                Some(Box::new(self.template(tail, level + 1, escaped)?))
            };
            return Ok(Template::List(elements, tail));
        }
        if let Some(items) = self.heap.as_vector(t) {
            return Ok(Template::Vector(self.elements(items, level, escaped)?));
        }
        Ok(Template::Datum(t))
    }

    fn elements(&self, items: &[Word], level: usize, escaped: bool) -> Res<Vec<Element>> {
        let mut elements = Vec::new();
        let mut i = 0;
        while i < items.len() {
            let template = self.template(items[i], level + 1, escaped)?;
            i += 1;
            let mut depth = 0;
            while !escaped && i < items.len() && self.is_ellipsis(items[i]) {
                depth += 1;
                i += 1;
            }
            let mut variables = Vec::new();
            if depth > 0 {
                self.repeating(&template, &mut variables);
                if variables.is_empty() {
                    return syntax(
                        "syntax-rules: nothing under the ellipsis repeats",
                        self.form,
                    );
                }
            }
            elements.push(Element {
                template,
                depth,
                variables,
            });
        }
        Ok(elements)
    }

    fn repeating(&self, t: &Template, out: &mut Vec<usize>) {
        match t {
            Template::Var(n) => {
                if self
                    .variables
                    .values()
                    .any(|(i, depth)| i == n && *depth > 0)
                    && !out.contains(n)
                {
                    out.push(*n);
                }
            }
            Template::List(items, tail) => {
                items.iter().for_each(|e| self.repeating(&e.template, out));
                if let Some(t) = tail {
                    self.repeating(t, out);
                }
            }
            Template::Vector(items) => items.iter().for_each(|e| self.repeating(&e.template, out)),
            Template::Insert(_) | Template::Datum(_) => {}
        }
    }
}

/// Compiles a `(syntax-rules ...)` form.
/// The literal by which the rules of a macro that stands for a variable are known.
pub(crate) const VARIABLE: &str = "%identifier-syntax";

pub(crate) fn compile(heap: &Heap, syn: &mut Syntax, form: Word, scope: &ScopeRef) -> Res<Macro> {
    let Some(items) = heap.list_items(form) else {
        return syntax("syntax-rules: not a list", form);
    };
    let mut rest = items.get(1..).unwrap_or_default();
    let mut ellipsis = None;
    if let [first, more @ ..] = rest
        && is_identifier(*first)
    {
        ellipsis = Some(*first);
        rest = more;
    }
    let [literals, rules @ ..] = rest else {
        return syntax("bad syntax-rules", form);
    };
    let Some(literals) = heap.list_items(*literals) else {
        return syntax("syntax-rules: the literals are not a list", form);
    };
    if literals.iter().any(|l| !is_identifier(*l)) {
        return syntax("syntax-rules: a literal is not an identifier", form);
    }
    // R7RS: an ellipsis among the literals is an ordinary literal.
    if ellipsis.is_some_and(|e| literals.contains(&e)) {
        ellipsis = Some(Word::NIL);
    }
    let scope_id = syn.scope_id(scope);
    let mut compiled = Vec::new();
    for rule in rules {
        let parts = heap.list_items(*rule).unwrap_or_default();
        let [pattern, template] = parts[..] else {
            return syntax("syntax-rules: a rule is not (pattern template)", *rule);
        };
        if !pattern.is_pair() {
            return syntax("syntax-rules: a pattern is not a list", *rule);
        }
        let mut c = Compiler {
            heap,
            syntax: syn,
            scope,
            ellipsis,
            literals: literals.clone(),
            variables: FixedMap::default(),
            form: *rule,
        };
        // The keyword itself matches anything.
        let pattern = c.pattern(heap.cdr(pattern), 0, 0)?;
        let template = c.template(template, 0, false)?;
        let variables = c.variables.len();
        compiled.push(Rule {
            pattern,
            template,
            variables,
        });
    }
    let variable = literals
        .iter()
        .any(|l| heap.symbol_name(Syntax::symbol_of(heap, *l)) == Some(VARIABLE));
    Ok(Macro {
        variable,
        procedure: None,
        assignable: false,
        scope: scope.clone(),
        scope_id,
        rules: compiled,
        source: form,
    })
}

struct Expansion<'a> {
    heap: &'a mut Heap,
    syntax: &'a mut Syntax,
    definition: &'a Macro,
    use_scope: &'a ScopeRef,
    renamed: FixedMap<Word, Word>,
    /// Its number, which its aliases carry.
    expansion: i64,
    bound: Vec<Bound>,
    /// Objects made, which the caller charges as steps.
    work: u64,
}

impl Expansion<'_> {
    fn matches(&mut self, p: &Pattern, form: Word) -> bool {
        self.work += 1;
        match p {
            Pattern::Wild => true,
            Pattern::Var(n) => {
                self.bound[*n] = Bound::One(form);
                true
            }
            Pattern::Literal(l) => {
                is_identifier(form)
                    && self.syntax.same_binding(
                        self.heap,
                        (form, self.use_scope),
                        (*l, &self.definition.scope),
                    )
            }
            Pattern::Datum(d) => crate::equal::equal(self.heap, *d, form),
            Pattern::Vector(list) => match self.heap.as_vector(form) {
                Some(items) => {
                    let items = items.to_vec();
                    self.matches_list(list, &items, Word::NIL)
                }
                None => false,
            },
            // Only as far as there are patterns: what follows may be long, and each use of a recursive
            // macro would walk all of it.
            Pattern::List {
                before,
                repeat: None,
                tail,
                ..
            } => {
                let mut rest = form;
                for q in before {
                    if !rest.is_pair() {
                        return false;
                    }
                    let item = self.heap.car(rest);
                    rest = self.heap.cdr(rest);
                    if !self.matches(q, item) {
                        return false;
                    }
                }
                match tail {
                    None => rest == Word::NIL,
                    Some(q) => self.matches(q, rest),
                }
            }
            Pattern::List { .. } => {
                let mut items = Vec::new();
                let mut rest = form;
                while rest.is_pair() {
                    items.push(self.heap.car(rest));
                    rest = self.heap.cdr(rest);
                    if items.len() > 10_000_000 {
                        return false;
                    }
                }
                self.work += items.len() as u64 / 4;
                self.matches_list(p, &items, rest)
            }
        }
    }

    fn matches_list(&mut self, p: &Pattern, items: &[Word], rest: Word) -> bool {
        let Pattern::List {
            before,
            repeat,
            after,
            tail,
        } = p
        else {
            return false;
        };
        let fixed = before.len() + after.len();
        if items.len() < fixed || (repeat.is_none() && items.len() != fixed) {
            return false;
        }
        for (q, item) in before.iter().zip(items) {
            if !self.matches(q, *item) {
                return false;
            }
        }
        let middle = &items[before.len()..items.len() - after.len()];
        if let Some((q, variables)) = repeat {
            let mut columns: Vec<Vec<Bound>> =
                vec![Vec::with_capacity(middle.len()); variables.len()];
            for item in middle {
                if !self.matches(q, *item) {
                    return false;
                }
                for (column, v) in columns.iter_mut().zip(variables) {
                    column.push(std::mem::take(&mut self.bound[*v]));
                }
            }
            for (column, v) in columns.into_iter().zip(variables) {
                self.bound[*v] = Bound::Many(Rc::new(column));
            }
        }
        for (q, item) in after.iter().zip(&items[items.len() - after.len()..]) {
            if !self.matches(q, *item) {
                return false;
            }
        }
        match tail {
            None => rest == Word::NIL,
            Some(q) => self.matches(q, rest),
        }
    }

    fn instantiate(&mut self, t: &Template, bound: &[Bound]) -> Res {
        self.work += 1;
        Ok(match t {
            Template::Datum(d) => *d,
            Template::Insert(symbol) => match self.renamed.get(symbol) {
                Some(a) => *a,
                None => {
                    let alias = self.heap.block(
                        Kind::Alias,
                        &[
                            *symbol,
                            Word::fix(i64::from(self.definition.scope_id)),
                            Word::fix(self.expansion),
                        ],
                    );
                    self.renamed.insert(*symbol, alias);
                    alias
                }
            },
            Template::Var(n) => match &bound[*n] {
                Bound::One(w) => *w,
                _ => {
                    return syntax(
                        "syntax-rules: a variable lacks its ellipsis in the template",
                        self.definition.source,
                    );
                }
            },
            Template::List(elements, tail) => {
                let items = self.elements(elements, bound)?;
                let tail = match tail {
                    None => Word::NIL,
                    Some(t) => self.instantiate(t, bound)?,
                };
                self.heap.list_with_tail(&items, tail)
            }
            Template::Vector(elements) => {
                let items = self.elements(elements, bound)?;
                self.heap.vector(items)
            }
        })
    }

    fn elements(&mut self, elements: &[Element], bound: &[Bound]) -> Res<Vec<Word>> {
        let mut items = Vec::new();
        for e in elements {
            self.repeat(e, e.depth, bound, &mut items)?;
        }
        Ok(items)
    }

    fn repeat(
        &mut self,
        e: &Element,
        depth: usize,
        bound: &[Bound],
        items: &mut Vec<Word>,
    ) -> Res<()> {
        if depth == 0 {
            items.push(self.instantiate(&e.template, bound)?);
            return Ok(());
        }
        let many: Vec<(usize, Rc<Vec<Bound>>)> = e
            .variables
            .iter()
            .filter_map(|v| match &bound[*v] {
                Bound::Many(m) => Some((*v, Rc::clone(m))),
                _ => None,
            })
            .collect();
        let Some(n) = many.iter().map(|m| m.1.len()).max() else {
            return syntax(
                "syntax-rules: too many ellipses in the template",
                self.definition.source,
            );
        };
        if many.iter().any(|m| m.1.len() != n) {
            return syntax(
                "syntax-rules: variables under one ellipsis matched different lengths",
                self.definition.source,
            );
        }
        let mut inner = bound.to_vec();
        for i in 0..n {
            for (v, column) in &many {
                inner[*v] = column[i].clone();
            }
            self.repeat(e, depth - 1, &inner, items)?;
        }
        Ok(())
    }
}

/// Expands one use of a macro; also says how much work that was.
pub(crate) fn expand(
    heap: &mut Heap,
    syn: &mut Syntax,
    definition: &Macro,
    form: Word,
    use_scope: &ScopeRef,
) -> Res<(Word, u64)> {
    let arguments = heap.cdr(form);
    let expansion = syn.next_expansion();
    let mut e = Expansion {
        expansion,
        heap,
        syntax: syn,
        definition,
        use_scope,
        renamed: FixedMap::default(),
        bound: Vec::new(),
        work: 0,
    };
    for rule in &definition.rules {
        e.bound.clear();
        e.bound.resize(rule.variables, Bound::None);
        if e.matches(&rule.pattern, arguments) {
            let bound = std::mem::take(&mut e.bound);
            let expansion = e.instantiate(&rule.template, &bound)?;
            return Ok((expansion, e.work));
        }
    }
    syntax("no expansion for", form)
}

/// The message of an error about a pattern or a template that is none of `syntax-rules`.
fn of_syntax_case<T>(result: Res<T>) -> Res<T> {
    result.map_err(|mut e| {
        if let crate::error::Raise::Error { message, .. } = &mut *e
            && let Some(rest) = message.strip_prefix("syntax-rules: ")
        {
            *message = format!("syntax-case: {rest}");
        }
        e
    })
}

/// The variables of a pattern and their depths, in the order in which matching gives their values.
pub(crate) fn pattern_variables(
    heap: &Heap,
    syn: &Syntax,
    scope: &ScopeRef,
    pattern: Word,
    literals: Vec<Word>,
) -> Res<Vec<(Word, usize)>> {
    let mut c = Compiler {
        heap,
        syntax: syn,
        scope,
        ellipsis: None,
        literals,
        variables: FixedMap::default(),
        form: pattern,
    };
    of_syntax_case(c.pattern(pattern, 0, 0))?;
    let mut variables: Vec<_> = c.variables.into_iter().collect();
    variables.sort_by_key(|v| v.1.0);
    Ok(variables.into_iter().map(|(id, (_, d))| (id, d)).collect())
}

/// Matches a form with a pattern that is not of `syntax-rules`: the values of its variables, where
/// ellipses are lists, and how much work that was.
pub(crate) fn match_pattern(
    (heap, syn): (&mut Heap, &mut Syntax),
    (scope, use_scope): (&ScopeRef, &ScopeRef),
    pattern: Word,
    literals: Vec<Word>,
    form: Word,
) -> Res<(Option<Vec<Word>>, u64)> {
    let (compiled, variables) = {
        let mut c = Compiler {
            heap,
            syntax: syn,
            scope,
            ellipsis: None,
            literals,
            variables: FixedMap::default(),
            form: pattern,
        };
        (of_syntax_case(c.pattern(pattern, 0, 0))?, c.variables.len())
    };
    let scope_id = syn.scope_id(scope);
    let definition = Macro::procedural(scope.clone(), scope_id, Word::FALSE, false, pattern);
    let mut e = Expansion {
        expansion: 0,
        heap,
        syntax: syn,
        definition: &definition,
        use_scope,
        renamed: FixedMap::default(),
        bound: vec![Bound::None; variables],
        work: 0,
    };
    let matched = e.matches(&compiled, form);
    let (bound, mut work) = (std::mem::take(&mut e.bound), e.work);
    let values = matched.then(|| bound.iter().map(|b| value_of(heap, b, &mut work)).collect());
    Ok((values, work))
}

/// What a variable matched, as data.
fn value_of(heap: &mut Heap, bound: &Bound, work: &mut u64) -> Word {
    *work += 1;
    match bound {
        Bound::None => Word::NIL,
        Bound::One(w) => *w,
        Bound::Many(items) => {
            let items: Vec<Word> = items.iter().map(|b| value_of(heap, b, work)).collect();
            heap.list(&items)
        }
    }
}

/// The other way: lists as deep as the variable's ellipses.
fn bound_of(heap: &Heap, value: Word, depth: usize, work: &mut u64) -> Res<Bound> {
    *work += 1;
    if depth == 0 {
        return Ok(Bound::One(value));
    }
    let Some(items) = heap.list_items(value) else {
        return syntax("syntax-case: what repeats is not a list", value);
    };
    let items: Res<Vec<Bound>> = items
        .iter()
        .map(|w| bound_of(heap, *w, depth - 1, work))
        .collect();
    Ok(Bound::Many(Rc::new(items?)))
}

/// A template with its variables replaced by values and what it inserts renamed, as `renamed` has
/// it where that is there already; and how much work that was.
pub(crate) fn instantiate_template(
    (heap, syn): (&mut Heap, &mut Syntax),
    scope: &ScopeRef,
    template: Word,
    variables: Vec<(Word, usize)>,
    values: &[Word],
    renamed: &mut FixedMap<Word, Word>,
) -> Res<(Word, u64)> {
    let mut work = 0;
    let mut bound = Vec::with_capacity(variables.len());
    for ((_, depth), value) in variables.iter().zip(values) {
        bound.push(bound_of(heap, *value, *depth, &mut work)?);
    }
    if bound.len() != variables.len() {
        return syntax("syntax-case: a template lacks values", template);
    }
    let compiled = {
        let numbered = variables.iter().enumerate();
        let c = Compiler {
            heap,
            syntax: syn,
            scope,
            ellipsis: None,
            literals: Vec::new(),
            variables: numbered
                .map(|(i, (id, depth))| (*id, (i, *depth)))
                .collect(),
            form: template,
        };
        of_syntax_case(c.template(template, 0, false))?
    };
    let scope_id = syn.scope_id(scope);
    let definition = Macro::procedural(scope.clone(), scope_id, Word::FALSE, false, template);
    let expansion = syn.current_expansion();
    let mut e = Expansion {
        expansion,
        heap,
        syntax: syn,
        definition: &definition,
        use_scope: scope,
        renamed: std::mem::take(renamed),
        bound: Vec::new(),
        work,
    };
    let result = of_syntax_case(e.instantiate(&compiled, &bound));
    *renamed = std::mem::take(&mut e.renamed);
    Ok((result?, e.work))
}
