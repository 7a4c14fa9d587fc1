//! The native procedures, a file per kind of data.
//!
//! A native gets its arguments as a slice of the stack and may allocate freely: the collector
//! never runs inside one. It never calls back into Scheme; procedures that take procedures are
//! Scheme in the prelude.

pub(crate) mod bytevector;
pub(crate) mod categories;
pub(crate) mod char;
pub(crate) mod charset;
pub(crate) mod control;
pub(crate) mod digest;
pub(crate) mod file;
pub(crate) mod flonum;
pub(crate) mod http;
pub(crate) mod introspect;
pub(crate) mod json;
pub(crate) mod list;
pub(crate) mod number;
pub(crate) mod packed;
pub(crate) mod port;
pub(crate) mod procedure_tag;
pub(crate) mod process;
pub(crate) mod record;
pub(crate) mod regexp;
pub(crate) mod search;
pub(crate) mod sort;
pub(crate) mod string;
pub(crate) mod symbol;
pub(crate) mod syntax;
pub(crate) mod table;
pub(crate) mod toml;
pub(crate) mod uuid;
pub(crate) mod uvector;
pub(crate) mod vector;

use crate::error::{Res, fail, out_of_memory, wrong_type};
use crate::heap::Heap;
use crate::value::{Kind, Word};
use crate::world::World;

/// A native procedure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NativeDef {
    pub(crate) name: &'static str,
    pub(crate) min: u8,
    /// Most arguments; negative is no limit.
    pub(crate) max: i16,
    pub(crate) run: Run,
}

/// How a native runs.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    Plain(fn(&mut Ctx, &[Word]) -> Res),
    /// It needs the machine itself.
    Special(Special),
}

impl std::fmt::Debug for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Plain(_) => "Plain",
            Self::Special(_) => "Special",
        })
    }
}

/// Procedures that the machine carries out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Special {
    Apply,
    ApplyValues,
    CallWithValues,
    CallCc,
    Throw,
    Eval,
    Environment,
    ProcedureArity,
    Introspect,
    RegisterModule,
    SyntaxMatch,
    SyntaxTemplate,
    FreeIdentifierEq,
    GenerateTemporaries,
    DatumToSyntax,
}

impl NativeDef {
    #[inline(always)]
    pub(crate) fn accepts(&self, n: usize) -> bool {
        n >= self.min as usize && (self.max < 0 || n <= self.max as usize)
    }

    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.run, Run::Plain(_))
    }
}

/// A plain native.
pub(crate) const fn plain(
    name: &'static str,
    min: u8,
    max: i16,
    run: fn(&mut Ctx, &[Word]) -> Res,
) -> NativeDef {
    NativeDef {
        name,
        min,
        max,
        run: Run::Plain(run),
    }
}

const fn special(name: &'static str, min: u8, max: i16, special: Special) -> NativeDef {
    NativeDef {
        name,
        min,
        max,
        run: Run::Special(special),
    }
}

/// Every native, in the order of their numbers.
pub(crate) fn all() -> Vec<NativeDef> {
    let mut v = vec![
        special("apply", 2, -1, Special::Apply),
        special("%apply-values", 2, 2, Special::ApplyValues),
        special("call-with-values", 2, 2, Special::CallWithValues),
        special("%call/cc", 1, 1, Special::CallCc),
        special("%throw", 2, 2, Special::Throw),
        special("eval", 2, 2, Special::Eval),
        special("%syntax-match", 2, 2, Special::SyntaxMatch),
        special("%syntax-template", 1, -1, Special::SyntaxTemplate),
        special("free-identifier=?", 2, 2, Special::FreeIdentifierEq),
        special("generate-temporaries", 1, 1, Special::GenerateTemporaries),
        special("datum->syntax", 2, 2, Special::DatumToSyntax),
        special("environment", 0, -1, Special::Environment),
        special("procedure-arity", 1, 1, Special::ProcedureArity),
        special("%introspect", 2, 2, Special::Introspect),
        special("register-module", 1, 1, Special::RegisterModule),
    ];
    for part in [
        number::NATIVES,
        list::NATIVES,
        char::NATIVES,
        sort::NATIVES,
        string::NATIVES,
        search::NATIVES,
        symbol::NATIVES,
        syntax::NATIVES,
        vector::NATIVES,
        bytevector::NATIVES,
        control::NATIVES,
        record::NATIVES,
        port::NATIVES,
        table::NATIVES,
        json::NATIVES,
        http::NATIVES,
        process::NATIVES,
        introspect::NATIVES,
        regexp::NATIVES,
        charset::NATIVES,
        flonum::NATIVES,
        packed::NATIVES,
        procedure_tag::NATIVES,
        uvector::NATIVES,
        digest::NATIVES,
        file::NATIVES,
        toml::NATIVES,
        uuid::NATIVES,
    ] {
        v.extend_from_slice(part);
    }
    v
}

/// Objects that natives know of.
#[derive(Debug)]
pub(crate) struct Roots {
    /// The parameter objects of the current ports.
    pub(crate) input: Word,
    pub(crate) output: Word,
    pub(crate) error: Word,
    /// The capture ports behind them.
    pub(crate) stdout: Word,
    pub(crate) stderr: Word,
}

impl Roots {
    pub(crate) fn each_word(&self, f: &mut dyn FnMut(Word)) {
        for w in [
            self.input,
            self.output,
            self.error,
            self.stdout,
            self.stderr,
        ] {
            f(w);
        }
    }
}

/// What a native works on.
pub(crate) struct Ctx {
    pub(crate) heap: Heap,
    pub(crate) world: Box<dyn World>,
    /// Handlers, parameterizations and winds of the running program.
    pub(crate) state: [Word; 3],
    /// The procedure of `(tein macro)` that sees each expansion, or `#f`.
    pub(crate) expand_hook: Word,
    pub(crate) roots: Roots,
    /// Steps left. Below zero the next safe point ends the program.
    pub(crate) steps: i64,
    pub(crate) command_line: Vec<String>,
    /// What regular expressions were compiled to.
    pub(crate) regexps: regexp::Compiled,
}

impl Ctx {
    /// The value of a parameter object in the current dynamic extent.
    pub(crate) fn parameter_value(&self, p: Word) -> Word {
        let mut rest = self.state[1];
        while rest.is_pair() {
            let entry = self.heap.car(rest);
            if entry.is_pair() && self.heap.car(entry) == p {
                return self.heap.cdr(entry);
            }
            rest = self.heap.cdr(rest);
        }
        self.heap.slot(p, 0)
    }

    /// Adds to the steps of the running native.
    #[inline(always)]
    pub(crate) fn charge(&mut self, steps: usize) {
        self.steps = self.steps.saturating_sub(steps as i64);
    }

    /// Charges for work before it is done; refuses what the budget does not cover.
    #[inline]
    pub(crate) fn spend(&mut self, steps: u64) -> Res<()> {
        self.steps = self
            .steps
            .saturating_sub(i64::try_from(steps).unwrap_or(i64::MAX));
        if self.steps < 0 {
            Err(Box::new(crate::error::Raise::Limit(
                crate::error::Limit::Steps,
            )))
        } else {
            Ok(())
        }
    }

    /// Refuses an object of `bytes` that the budget cannot hold, before it is made. To be asked
    /// before a primitive changes anything: when garbage is in the way, the machine collects and
    /// calls the primitive again.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Res<()> {
        if self.heap.fits_now(bytes) {
            Ok(())
        } else if self.heap.fits(bytes) {
            Err(Box::new(crate::error::Raise::Collect))
        } else {
            out_of_memory()
        }
    }

    /// As [`Ctx::reserve`], for a primitive that has done what must not be done twice.
    pub(crate) fn reserve_late(&mut self, bytes: usize) -> Res<()> {
        if self.heap.fits(bytes) {
            Ok(())
        } else {
            out_of_memory()
        }
    }

    // --- arguments ---

    /// An argument that is an index or count.
    pub(crate) fn index(&self, w: Word) -> Res<usize> {
        match w.as_fix().and_then(|n| usize::try_from(n).ok()) {
            Some(n) => Ok(n),
            None => wrong_type("Integer", w),
        }
    }

    pub(crate) fn text(&self, w: Word) -> Res<&crate::text::Text> {
        match self.heap.as_text(w) {
            Some(t) => Ok(t),
            None => wrong_type("String", w),
        }
    }

    pub(crate) fn char(&self, w: Word) -> Res<char> {
        match w.as_char() {
            Some(c) => Ok(c),
            None => wrong_type("Char", w),
        }
    }

    pub(crate) fn items(&self, w: Word) -> Res<&[Word]> {
        match self.heap.as_vector(w) {
            Some(v) => Ok(v),
            None => wrong_type("Vector", w),
        }
    }

    pub(crate) fn list(&self, w: Word) -> Res<Vec<Word>> {
        match self.heap.list_items(w) {
            Some(v) => Ok(v),
            None => wrong_type("List", w),
        }
    }

    /// The range that optional start and end arguments name, within `len`.
    pub(crate) fn range(
        &self,
        who: &str,
        args: &[Word],
        at: usize,
        len: usize,
    ) -> Res<(usize, usize)> {
        let start = match args.get(at) {
            Some(w) => self.index(*w)?,
            None => 0,
        };
        let end = match args.get(at + 1) {
            Some(w) => self.index(*w)?,
            None => len,
        };
        if start > end || end > len {
            let shown: Vec<Word> = args.iter().skip(at).copied().collect();
            return fail(format!("{who}: index out of range"), &shown);
        }
        Ok((start, end))
    }
}

/// True for anything that can be called.
pub(crate) fn is_procedure(w: Word) -> bool {
    w.as_native().is_some()
        || matches!(
            w.kind(),
            Some(Kind::Closure | Kind::CaseLambda | Kind::Parameter | Kind::Continuation)
        )
}
