//! Environments: what an identifier means, at top level and in local scopes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::ast::VarId;
use super::core_forms::Core;
use super::macros::Macro;
use crate::code::Pos;
use crate::heap::{FixedMap, Heap};
use crate::library::Libraries;
use crate::native_stack::Entered;
use crate::value::{Kind, Word};

/// A top-level environment: a library's or the program's.
pub(crate) type EnvId = u32;

/// What an identifier is bound to.
#[derive(Debug, Clone)]
pub(crate) enum Denotation {
    Core(Core),
    Macro(Rc<Macro>),
    Global(u32),
    Local(VarId),
    /// A pattern variable of `syntax-case`, and how many ellipses follow it.
    Pattern(VarId, u32),
}

impl Denotation {
    /// True when both are the same binding (`free-identifier=?`).
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Core(a), Self::Core(b)) => a == b,
            (Self::Macro(a), Self::Macro(b)) => Rc::ptr_eq(a, b),
            (Self::Global(a), Self::Global(b)) => a == b,
            (Self::Local(a), Self::Local(b)) => a == b,
            (Self::Pattern(a, _), Self::Pattern(b, _)) => a == b,
            _ => false,
        }
    }
}

/// What a look-up finds.
#[derive(Debug, Clone)]
pub(crate) enum Lookup {
    Bound(Denotation),
    /// Nothing binds it: the symbol and the environment it would be defined in.
    Free(Word, EnvId),
}

/// A binding of a top-level environment.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) denotation: Denotation,
    /// It came by `import`, so a definition makes a new one instead of changing it.
    pub(crate) imported: bool,
    /// Code mentions it, and nothing has defined it yet: it has a slot, and is unbound to macros.
    pub(crate) forward: bool,
}

/// A top-level environment.
#[derive(Debug, Default)]
pub(crate) struct Env {
    pub(crate) bindings: FixedMap<Word, Entry>,
    pub(crate) immutable: bool,
    /// Paths of the libraries that were imported, in order, each once.
    pub(crate) imports: Vec<String>,
}

impl Env {
    pub(crate) fn note_import(&mut self, path: &str) {
        if !self.imports.iter().any(|p| p == path) {
            self.imports.push(path.to_owned());
        }
    }
}

/// A local scope.
#[derive(Debug)]
pub(crate) struct Scope {
    bindings: RefCell<Vec<(Word, Denotation)>>,
    parent: ScopeRef,
}

/// Where an identifier is looked up.
#[derive(Debug, Clone)]
pub(crate) enum ScopeRef {
    Top(EnvId),
    Local(Rc<Scope>),
}

impl ScopeRef {
    /// A new empty scope inside this one.
    pub(crate) fn child(&self) -> Self {
        Self::Local(Rc::new(Scope {
            bindings: RefCell::new(Vec::new()),
            parent: self.clone(),
        }))
    }

    /// Binds an identifier in this local scope.
    pub(crate) fn bind(&self, id: Word, denotation: Denotation) {
        if let Self::Local(scope) = self {
            let mut bindings = scope.bindings.borrow_mut();
            match bindings.iter_mut().find(|b| b.0 == id) {
                Some(b) => b.1 = denotation,
                None => bindings.push((id, denotation)),
            }
        }
    }

    /// How many bindings this local scope has.
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Top(_) => 0,
            Self::Local(s) => s.bindings.borrow().len(),
        }
    }

    pub(crate) fn binds_here(&self, id: Word) -> bool {
        match self {
            Self::Top(_) => false,
            Self::Local(s) => s.bindings.borrow().iter().any(|b| b.0 == id),
        }
    }

    fn local(&self, id: Word, probes: &mut u64) -> Result<Denotation, EnvId> {
        let mut scope = self;
        loop {
            match scope {
                Self::Top(env) => return Err(*env),
                Self::Local(s) => {
                    *probes += 1 + s.bindings.borrow().len() as u64 / 8;
                    if let Some(b) = s.bindings.borrow().iter().rev().find(|b| b.0 == id) {
                        return Ok(b.1.clone());
                    }
                    scope = &s.parent;
                }
            }
        }
    }

    pub(crate) fn env(&self) -> EnvId {
        let mut scope = self;
        loop {
            match scope {
                Self::Top(env) => return *env,
                Self::Local(s) => scope = &s.parent,
            }
        }
    }
}

/// What is known of a global slot.
#[derive(Debug, Clone)]
pub(crate) struct GlobalInfo {
    /// The symbol it was defined as.
    pub(crate) name: Word,
    /// It holds this native procedure and nothing assigns it.
    pub(crate) native: Option<u32>,
    /// Some code assigns it.
    pub(crate) assigned: bool,
}

/// The global variables of a context, by slot.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    pub(crate) values: Vec<Word>,
    pub(crate) info: Vec<GlobalInfo>,
}

impl Globals {
    /// A new slot without a value.
    pub(crate) fn add(&mut self, name: Word) -> u32 {
        self.values.push(Word::UNBOUND);
        self.info.push(GlobalInfo {
            name,
            native: None,
            assigned: false,
        });
        self.values.len() as u32 - 1
    }
}

/// A use of a procedural macro.
#[derive(Debug)]
pub(crate) struct Use {
    pub(crate) scope: ScopeRef,
    pub(crate) form: Word,
    /// The number of this expansion.
    pub(crate) expansion: i64,
}

/// All environments and what the expander keeps between forms.
#[derive(Debug, Default)]
pub(crate) struct Syntax {
    pub(crate) envs: Vec<Env>,
    /// Scopes of macro definitions, by the number that their aliases carry.
    pub(crate) scopes: Vec<ScopeRef>,
    /// Places of the pairs of the form that is being expanded, by arena index.
    pub(crate) places: FixedMap<u32, Pos>,
    /// File names, by the index in [`Pos`].
    pub(crate) files: Vec<String>,
    /// Expansions so far. Aliases carry the number of theirs; each is a new object anyway.
    pub(crate) renames: u64,
    /// Scopes looked into since the expander last asked: work that it charges for.
    pub(crate) probes: Cell<u64>,
    /// The use of a procedural macro that is being expanded.
    pub(crate) used: Option<Use>,
    /// What that use has renamed so far, by the scope of the template.
    pub(crate) renamed: FixedMap<u32, FixedMap<Word, Word>>,
    pub(crate) libraries: Libraries,
    /// Where the host entered: expanding and compiling recurse on its stack.
    pub(crate) entered: Entered,
    /// Environments that `environment` made, by what they import. They cannot be changed, and are
    /// never given back, so the same sets give the same one.
    pub(crate) made: FixedMap<String, EnvId>,
}

impl Syntax {
    pub(crate) fn new_env(&mut self) -> EnvId {
        self.envs.push(Env::default());
        self.envs.len() as u32 - 1
    }

    /// The number of a new expansion.
    pub(crate) fn next_expansion(&mut self) -> i64 {
        self.renames += 1;
        self.renames as i64
    }

    /// The number of the expansion by a procedure that is under way, or a new one.
    pub(crate) fn current_expansion(&mut self) -> i64 {
        match &self.used {
            Some(u) => u.expansion,
            None => self.next_expansion(),
        }
    }

    /// The index of a file name.
    pub(crate) fn file(&mut self, name: &str) -> u32 {
        match self.files.iter().position(|f| f == name) {
            Some(i) => i as u32,
            None => {
                self.files.push(name.to_owned());
                self.files.len() as u32 - 1
            }
        }
    }

    /// The number of a scope, for aliases that are resolved in it.
    pub(crate) fn scope_id(&mut self, scope: &ScopeRef) -> u32 {
        if let ScopeRef::Top(env) = scope
            && let Some(i) = self
                .scopes
                .iter()
                .position(|s| matches!(s, ScopeRef::Top(e) if e == env))
        {
            return i as u32;
        }
        self.scopes.push(scope.clone());
        self.scopes.len() as u32 - 1
    }

    /// What an identifier means in a scope.
    pub(crate) fn lookup(&self, heap: &Heap, id: Word, scope: &ScopeRef) -> Lookup {
        let mut id = id;
        let mut scope = scope;
        let mut probes = 0;
        loop {
            let found = scope.local(id, &mut probes);
            self.probes
                .set(self.probes.get() + std::mem::take(&mut probes));
            match found {
                Ok(d) => return Lookup::Bound(d),
                Err(env) => {
                    if id.is(Kind::Alias) {
                        // A definition that a macro of another library brought.
                        if let Some(e) = self.envs[env as usize].bindings.get(&id) {
                            return Lookup::Bound(e.denotation.clone());
                        }
                        let at = heap.slot(id, 1).fix_value() as usize;
                        id = heap.slot(id, 0);
                        scope = &self.scopes[at];
                        continue;
                    }
                    return match self.envs[env as usize].bindings.get(&id) {
                        Some(e) if !e.forward => Lookup::Bound(e.denotation.clone()),
                        _ => Lookup::Free(id, env),
                    };
                }
            }
        }
    }

    /// True when two identifiers mean the same (R7RS 4.3.2, literals).
    pub(crate) fn same_binding(
        &self,
        heap: &Heap,
        a: (Word, &ScopeRef),
        b: (Word, &ScopeRef),
    ) -> bool {
        match (self.lookup(heap, a.0, a.1), self.lookup(heap, b.0, b.1)) {
            (Lookup::Bound(x), Lookup::Bound(y)) => x.same(&y),
            (Lookup::Free(x, _), Lookup::Free(y, _)) => x == y,
            _ => false,
        }
    }

    /// The global slot of a symbol at top level, made when there is none: a reference to what a
    /// later form may define.
    pub(crate) fn global(&mut self, globals: &mut Globals, symbol: Word, env: EnvId) -> u32 {
        let bindings = &mut self.envs[env as usize].bindings;
        if let Some(Entry {
            denotation: Denotation::Global(g),
            ..
        }) = bindings.get(&symbol)
        {
            return *g;
        }
        let g = globals.add(symbol);
        bindings.insert(
            symbol,
            Entry {
                denotation: Denotation::Global(g),
                imported: false,
                forward: true,
            },
        );
        g
    }

    /// What a definition of the identifier binds in an environment: the symbol, but an alias itself
    /// where the macro that inserted it is from another environment. Nothing else can mean that
    /// one, and the macro's other insertions of the name find it.
    pub(crate) fn defined_key(&self, heap: &Heap, id: Word, env: EnvId) -> Word {
        if id.is(Kind::Alias) {
            let at = heap.slot(id, 1).fix_value() as usize;
            if self.scopes[at].env() != env {
                return id;
            }
        }
        Self::symbol_of(heap, id)
    }

    /// The slot that a top-level definition of the identifier writes.
    pub(crate) fn define_id(
        &mut self,
        heap: &Heap,
        globals: &mut Globals,
        id: Word,
        env: EnvId,
    ) -> u32 {
        let symbol = Self::symbol_of(heap, id);
        let key = self.defined_key(heap, id, env);
        if key == symbol {
            return self.define(globals, symbol, env);
        }
        let bindings = &mut self.envs[env as usize].bindings;
        if let Some(Entry {
            denotation: Denotation::Global(g),
            ..
        }) = bindings.get(&key)
        {
            return *g;
        }
        let g = globals.add(symbol);
        bindings.insert(
            key,
            Entry {
                denotation: Denotation::Global(g),
                imported: false,
                forward: false,
            },
        );
        g
    }

    /// The slot that a definition of the symbol writes: a new one when the name was imported or is syntax.
    pub(crate) fn define(&mut self, globals: &mut Globals, symbol: Word, env: EnvId) -> u32 {
        let bindings = &mut self.envs[env as usize].bindings;
        if let Some(Entry {
            denotation: Denotation::Global(g),
            imported: false,
            forward,
        }) = bindings.get_mut(&symbol)
        {
            *forward = false;
            return *g;
        }
        let g = globals.add(symbol);
        bindings.insert(
            symbol,
            Entry {
                denotation: Denotation::Global(g),
                imported: false,
                forward: false,
            },
        );
        g
    }

    /// Every word that environments, scopes and macros hold, for the collector.
    pub(crate) fn each_word(&self, f: &mut dyn FnMut(Word)) {
        let denotation = |d: &Denotation, f: &mut dyn FnMut(Word)| {
            if let Denotation::Macro(m) = d {
                m.each_word(f);
            }
        };
        for env in &self.envs {
            for (name, e) in &env.bindings {
                f(*name);
                denotation(&e.denotation, f);
            }
        }
        for library in self.libraries.loaded.values() {
            for (name, d) in &library.exports {
                f(*name);
                denotation(d, f);
            }
        }
        let mut seen: FixedMap<*const Scope, ()> = FixedMap::default();
        for scope in &self.scopes {
            let mut scope = scope;
            while let ScopeRef::Local(s) = scope {
                // Scopes of one program share the outer ones.
                if seen.insert(Rc::as_ptr(s), ()).is_some() {
                    break;
                }
                for (id, d) in s.bindings.borrow().iter() {
                    f(*id);
                    denotation(d, f);
                }
                scope = &s.parent;
            }
        }
    }

    /// The symbol under an identifier.
    pub(crate) fn symbol_of(heap: &Heap, id: Word) -> Word {
        let mut id = id;
        while id.is(Kind::Alias) {
            id = heap.slot(id, 0);
        }
        id
    }
}
