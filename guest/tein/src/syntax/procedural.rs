//! Procedural macros (R6RS libraries 12, SRFI 211): a transformer is an expression that runs while
//! the program is expanded. `syntax_case.rs` has the forms that it is written with, and
//! `syntax_objects.rs` what those do when it runs.
//!
//! What a transformer sees and gives are plain forms in which identifiers are symbols and aliases.
//! Nothing is collected while it runs, because the expander holds words that no root names; the
//! memory budget ends what makes too much.

use std::rc::Rc;

use super::ast::VarId;
use super::environment::{Denotation, ScopeRef, Syntax, Use};
use super::expand::Expander;
use super::macros::Macro;
use crate::error::{Raise, Res, syntax};
use crate::heap::Heap;
use crate::value::{Kind, Word};
use crate::vm::{Exit, Vm};

/// Which variable transformers are marked with.
const VARIABLE_TRANSFORMER: &str = "variable-transformer";
/// What a compiled transformer is taken to hold besides its code, in bytes.
const TRANSFORMER_BYTES: usize = 512;

/// Marks a procedure as the transformer of what may be assigned too.
pub(crate) fn make_variable_transformer(heap: &mut Heap, f: Word) -> Word {
    let tag = heap.symbol(VARIABLE_TRANSFORMER);
    heap.block(Kind::Tagged, &[tag, f])
}

/// The procedure of a variable transformer; nothing for anything else.
pub(crate) fn variable_transformer(heap: &Heap, w: Word) -> Option<Word> {
    let is = w.is(Kind::Tagged)
        && w.block_len() == 2
        && heap.symbol_name(heap.slot(w, 0)) == Some(VARIABLE_TRANSFORMER);
    is.then(|| heap.slot(w, 1))
}

impl Expander<'_> {
    /// The transformer that an expression makes.
    pub(super) fn procedural(&mut self, spec: Word, scope: &ScopeRef) -> Res<Denotation> {
        let floor = std::mem::replace(&mut self.floor, self.vars.len() as VarId);
        let phase = self.phase.replace(scope.clone());
        let node = self.expr(spec, scope)?;
        self.settle();
        let code = self.vm.compile_node(&mut self.vars, &node, self.pos)?;
        self.vars.truncate(self.floor as usize);
        self.floor = floor;
        self.phase = phase;
        let value = self.meanwhile(|vm| vm.run_proto(code))?;
        let heap = &mut self.vm.cx.heap;
        let (procedure, assignable) = match variable_transformer(heap, value) {
            Some(procedure) => (procedure, true),
            None => (value, false),
        };
        if !crate::prims::is_procedure(procedure) {
            return syntax("not a syntax transformer", spec);
        }
        heap.hold(TRANSFORMER_BYTES);
        let scope_id = self.vm.syntax.scope_id(scope);
        let transformer = Macro::procedural(scope.clone(), scope_id, procedure, assignable, spec);
        Ok(Denotation::Macro(Rc::new(transformer)))
    }

    /// What a transformer makes of a use.
    pub(super) fn transformed(&mut self, procedure: Word, form: Word, scope: &ScopeRef) -> Res {
        let expansion = self.vm.syntax.next_expansion();
        let used = self.vm.syntax.used.replace(Use {
            scope: scope.clone(),
            form,
            expansion,
        });
        let renamed = std::mem::take(&mut self.vm.syntax.renamed);
        let result = self.meanwhile(|vm| vm.call(procedure, &[form]));
        self.vm.syntax.renamed = renamed;
        self.vm.syntax.used = used;
        result
    }

    /// What the hook of `(tein macro)` makes of an expansion. What the embedded libraries expand for
    /// themselves, and what is expanded while the hook runs, it does not see.
    pub(super) fn hooked(&mut self, form: Word, expansion: Word, scope: &ScopeRef) -> Res {
        let hook = self.vm.cx.expand_hook;
        if hook == Word::FALSE || self.vm.hooked || self.vm.syntax.libraries.trusted > 0 {
            return Ok(expansion);
        }
        let heap = &mut self.vm.cx.heap;
        let head = if form.is_pair() { heap.car(form) } else { form };
        let name = Syntax::symbol_of(heap, head);
        let env = heap.block(Kind::Environment, &[Word::fix(i64::from(scope.env()))]);
        self.vm.hooked = true;
        let result = self.meanwhile(|vm| vm.call(hook, &[name, form, expansion, env]));
        self.vm.hooked = false;
        result
    }

    /// Takes the work so far off the steps, which what runs next draws from too.
    fn settle(&mut self) {
        let steps = &mut self.vm.cx.steps;
        *steps = steps.saturating_sub(i64::try_from(self.work).unwrap_or(i64::MAX));
        self.work = 0;
        self.work_limit = u64::try_from(*steps).unwrap_or(0);
    }

    /// Runs code of the program in the middle of its expansion.
    fn meanwhile(&mut self, run: impl FnOnce(&mut Vm) -> Exit) -> Res {
        self.settle();
        self.deeper(|e| {
            let vm = &mut *e.vm;
            let places = std::mem::take(&mut vm.syntax.places);
            let compiled = vm.compiled.take();
            // No handler and no winder of the program around is called from in here.
            let state = vm.cx.state;
            vm.cx.state = [Word::NIL, state[1], Word::NIL];
            vm.nesting += 1;
            vm.inside += 1;
            vm.expanding += 1;
            vm.phases += 1;
            let phase = std::mem::replace(&mut vm.phase, vm.phases);
            let exit = run(vm);
            vm.phase = phase;
            vm.expanding -= 1;
            vm.inside -= 1;
            vm.nesting -= 1;
            vm.cx.state = state;
            vm.compiled = compiled;
            vm.syntax.places = places;
            e.settle();
            match exit {
                Exit::Value(w) => Ok(w),
                Exit::Uncaught(w) => Err(Box::new(Raise::Object(w))),
                Exit::Limit(l) => Err(Box::new(Raise::Limit(l))),
                Exit::Exited(n) => Err(Box::new(Raise::Exit(n))),
            }
        })
    }
}

impl Vm {
    /// The binding that an image carries as the expression of its transformer.
    pub(crate) fn procedural_macro(&mut self, spec: Word, env: u32) -> Res<Denotation> {
        let limit = u64::try_from(self.cx.steps).unwrap_or(0);
        let mut e = Expander::new(self, limit);
        let result = e.transformer(spec, &ScopeRef::Top(env));
        let work = e.work;
        self.cx.steps = self.cx.steps.saturating_sub(work as i64);
        result
    }
}
