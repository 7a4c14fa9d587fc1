//! What can go wrong inside the engine, before it becomes a condition object or leaves it.

use crate::value::Word;

/// What a primitive reports.
#[derive(Debug)]
pub(crate) enum Raise {
    /// An error with message and irritants; becomes a condition object.
    Error {
        kind: ErrorKind,
        message: String,
        irritants: Vec<Word>,
    },
    /// A limit of the context: no handler sees it.
    Limit(Limit),
    /// The primitive needs more memory than there is before a collection. It has changed nothing
    /// yet: the machine collects and calls it once more.
    Collect,
    /// An object that a program raised while it was expanded: handlers see it.
    Object(Word),
    /// No handler took this object.
    Uncaught(Word),
    /// The program asked to end.
    Exit(i32),
    /// The dispatch loop cannot do this by itself: it changes the code.
    Suspended {
        special: crate::prims::Special,
        at: usize,
        n: usize,
        tail: bool,
    },
    /// A port needs its procedure first: to have more to read, and then the same native `again`, or
    /// to pass on what was just written.
    Serve { procedure: Word, again: bool },
}

/// The class of a condition object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// `error`, and everything a primitive refuses.
    Error,
    /// `read-error?`.
    Read,
    /// `file-error?`.
    File,
    /// Expansion or compilation.
    Syntax,
    /// A refusal of the sandbox.
    Sandbox,
}

impl ErrorKind {
    pub(crate) const ALL: [Self; 5] = [
        Self::Error,
        Self::Read,
        Self::File,
        Self::Syntax,
        Self::Sandbox,
    ];

    pub(crate) const fn code(self) -> i64 {
        self as i64
    }

    pub(crate) fn from_code(n: i64) -> Self {
        usize::try_from(n)
            .ok()
            .and_then(|n| Self::ALL.get(n))
            .copied()
            .unwrap_or(Self::Error)
    }
}

/// Which limit ended a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The step limit.
    Steps,
    /// The heap budget.
    Memory,
    /// The depth of recursion.
    Stack,
}

/// The result of a primitive.
pub(crate) type Res<T = Word> = Result<T, Box<Raise>>;

/// An error with these irritants.
#[cold]
#[inline(never)]
pub(crate) fn fail<T>(message: impl Into<String>, irritants: &[Word]) -> Res<T> {
    Err(raise(ErrorKind::Error, message, irritants))
}

#[cold]
#[inline(never)]
pub(crate) fn raise(kind: ErrorKind, message: impl Into<String>, irritants: &[Word]) -> Box<Raise> {
    Box::new(Raise::Error {
        kind,
        message: message.into(),
        irritants: irritants.to_vec(),
    })
}

/// `invalid type, expected WHAT` (the reference's text).
#[cold]
#[inline(never)]
pub(crate) fn wrong_type<T>(what: &str, got: Word) -> Res<T> {
    fail(format!("invalid type, expected {what}"), &[got])
}

#[cold]
#[inline(never)]
pub(crate) fn out_of_memory<T>() -> Res<T> {
    Err(Box::new(Raise::Limit(Limit::Memory)))
}

#[cold]
#[inline(never)]
pub(crate) fn syntax<T>(message: impl Into<String>, form: Word) -> Res<T> {
    Err(raise(ErrorKind::Syntax, message, &[form]))
}
