//! What procedural macros do with forms and identifiers when they run (R6RS libraries 12.4 to 12.7).
//!
//! `datum->syntax` finds the names that another macro wrote in the form that is being expanded;
//! names that such a macro wrote elsewhere only are new ones.

use super::environment::{ScopeRef, Syntax};
use super::expand::CORE_ENV;
use super::macros::{self, is_identifier};
use crate::error::{ErrorKind, Res, fail, raise, wrong_type};
use crate::heap::FixedMap;
use crate::value::{Kind, Word};
use crate::vm::Vm;

/// Deepest nesting of a datum that becomes syntax.
const MAX_DEPTH: usize = 150;

/// What a template's variables are, and where its identifiers are looked up: a vector of the
/// template or pattern, a scope, and a list of variables or literals.
struct Described {
    form: Word,
    scope: ScopeRef,
    items: Vec<Word>,
}

impl Vm {
    /// What the expander wrote about a template or a pattern.
    fn described(&self, w: Word) -> Res<Described> {
        let heap = &self.cx.heap;
        let parts = heap.as_vector(w).map(<[Word]>::to_vec);
        if let Some([form, number, items]) = parts.as_deref()
            && let Some(number) = number.as_fix()
            && let Some(items) = heap.list_items(*items)
        {
            let scope = if number >= 0 {
                ScopeRef::Top(number as u32).known(&self.syntax)
            } else {
                let at = usize::try_from(-1 - number).unwrap_or(usize::MAX);
                self.syntax.scopes.get(at).cloned()
            };
            if let Some(scope) = scope {
                return Ok(Described {
                    form: *form,
                    scope,
                    items,
                });
            }
        }
        Err(raise(
            ErrorKind::Syntax,
            "syntax: a template of another program",
            &[],
        ))
    }

    /// The scope in which the use is that is being expanded.
    fn use_scope(&self) -> ScopeRef {
        match &self.syntax.used {
            Some(u) => u.scope.clone(),
            None => ScopeRef::Top(CORE_ENV),
        }
    }

    /// `(%syntax-match DESCRIPTION FORM)`: the values of the pattern's variables, or `#f`.
    pub(crate) fn syntax_match(&mut self, description: Word, form: Word) -> Res {
        let d = self.described(description)?;
        let used = self.use_scope();
        let (values, work) = macros::match_pattern(
            (&mut self.cx.heap, &mut self.syntax),
            (&d.scope, &used),
            d.form,
            d.items,
            form,
        )?;
        self.cx.spend(work)?;
        Ok(match values {
            Some(values) => self.cx.heap.vector(values),
            None => Word::FALSE,
        })
    }

    /// `(%syntax-template DESCRIPTION VALUE ...)`: the template with its variables replaced.
    pub(crate) fn syntax_template(&mut self, description: Word, values: &[Word]) -> Res {
        let d = self.described(description)?;
        let heap = &self.cx.heap;
        let variables = d
            .items
            .iter()
            .filter(|v| v.is_pair())
            .map(|v| (heap.car(*v), heap.cdr(*v).as_fix().unwrap_or(0) as usize))
            .collect();
        let number = self.syntax.scope_id(&d.scope);
        let mut renamed = self.syntax.renamed.remove(&number).unwrap_or_default();
        let result = macros::instantiate_template(
            (&mut self.cx.heap, &mut self.syntax),
            &d.scope,
            d.form,
            variables,
            values,
            &mut renamed,
        );
        // Two templates of one use rename alike.
        if self.syntax.used.is_some() {
            self.syntax.renamed.insert(number, renamed);
        }
        let (form, work) = result?;
        self.cx.spend(work)?;
        Ok(form)
    }

    /// `(free-identifier=? A B)`: whether both mean the same where the macro is used.
    pub(crate) fn free_identifier_eq(&mut self, a: Word, b: Word) -> Res {
        for id in [a, b] {
            if !is_identifier(id) {
                return wrong_type("Identifier", id);
            }
        }
        let scope = self.use_scope();
        let heap = &self.cx.heap;
        let same = self.syntax.same_binding(heap, (a, &scope), (b, &scope));
        Ok(Word::bool(same))
    }

    /// `(generate-temporaries LIST)`: as many identifiers as the list has items, all new.
    pub(crate) fn generate_temporaries(&mut self, list: Word) -> Res {
        let Some(items) = self.cx.heap.list_items(list) else {
            return wrong_type("List", list);
        };
        self.cx.spend(items.len() as u64)?;
        let name = self.cx.heap.symbol("temporary");
        let number = self.syntax.scope_id(&ScopeRef::Top(CORE_ENV));
        let expansion = self.syntax.current_expansion();
        let aliases: Vec<Word> = items
            .iter()
            .map(|_| self.alias(name, number, expansion))
            .collect();
        Ok(self.cx.heap.list(&aliases))
    }

    fn alias(&mut self, symbol: Word, scope: u32, expansion: i64) -> Word {
        let scope = Word::fix(i64::from(scope));
        let slots = [symbol, scope, Word::fix(expansion)];
        self.cx.heap.block(Kind::Alias, &slots)
    }

    /// `(datum->syntax ID DATUM)`: the datum with symbols as if they were written where the
    /// identifier was.
    pub(crate) fn datum_to_syntax(&mut self, id: Word, datum: Word) -> Res {
        if !is_identifier(id) {
            return wrong_type("Identifier", id);
        }
        if !id.is(Kind::Alias) {
            return Ok(datum);
        }
        let number = self.cx.heap.slot(id, 1).fix_value() as u32;
        let expansion = self.cx.heap.slot(id, 2).fix_value();
        if expansion != self.syntax.current_expansion() {
            // Another macro wrote the identifier, and may have written the datum's names too.
            let mut renamed = self.written_by(number, expansion)?;
            return self.dressed(datum, (number, expansion), &mut renamed, 0);
        }
        let mut renamed = self.syntax.renamed.remove(&number).unwrap_or_default();
        let result = self.dressed(datum, (number, expansion), &mut renamed, 0);
        if self.syntax.used.is_some() {
            self.syntax.renamed.insert(number, renamed);
        }
        result
    }

    /// The aliases of one expansion of another macro in the form that is being expanded.
    fn written_by(&mut self, number: u32, expansion: i64) -> Res<FixedMap<Word, Word>> {
        let mut found = FixedMap::default();
        let mut seen = FixedMap::default();
        let mut todo: Vec<Word> = self.syntax.used.iter().map(|u| u.form).collect();
        while let Some(w) = todo.pop() {
            self.cx.spend(1)?;
            let heap = &self.cx.heap;
            if w.is(Kind::Alias) {
                let at = heap.slot(w, 1).fix_value() as u32;
                if at == number && heap.slot(w, 2).fix_value() == expansion {
                    found.insert(heap.slot(w, 0), w);
                }
            } else if w.is_pair() || w.is(Kind::Vector) {
                // Circular data are data too.
                if seen.insert(w, ()).is_some() {
                    continue;
                }
                match heap.as_vector(w) {
                    Some(items) => todo.extend(items),
                    None => todo.extend([heap.cdr(w), heap.car(w)]),
                }
            }
        }
        Ok(found)
    }

    fn dressed(
        &mut self,
        datum: Word,
        (number, expansion): (u32, i64),
        renamed: &mut FixedMap<Word, Word>,
        level: usize,
    ) -> Res {
        if level > MAX_DEPTH {
            return fail("datum->syntax: the datum is nested too deeply", &[]);
        }
        self.cx.spend(1)?;
        if datum.is(Kind::Symbol) {
            if let Some(alias) = renamed.get(&datum) {
                return Ok(*alias);
            }
            let alias = self.alias(datum, number, expansion);
            renamed.insert(datum, alias);
            return Ok(alias);
        }
        if let Some(items) = self.cx.heap.as_vector(datum) {
            let mut out = Vec::with_capacity(items.len());
            let items = items.to_vec();
            for item in items {
                out.push(self.dressed(item, (number, expansion), renamed, level + 1)?);
            }
            return Ok(self.cx.heap.vector(out));
        }
        let mut items = Vec::new();
        let mut rest = datum;
        while rest.is_pair() {
            let item = self.cx.heap.car(rest);
            items.push(self.dressed(item, (number, expansion), renamed, level + 1)?);
            rest = self.cx.heap.cdr(rest);
        }
        if items.is_empty() {
            return Ok(datum);
        }
        let tail = self.dressed(rest, (number, expansion), renamed, level + 1)?;
        Ok(self.cx.heap.list_with_tail(&items, tail))
    }
}

impl ScopeRef {
    /// This top-level scope, if there is such an environment.
    fn known(self, syntax: &Syntax) -> Option<Self> {
        ((self.env() as usize) < syntax.envs.len()).then_some(self)
    }
}
