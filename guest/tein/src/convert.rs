//! Values as the embedder sees them.

use crate::value::{Kind, Word};
use crate::vm::Vm;

/// A Scheme value outside the heap. Proper lists are [`Value::List`], the empty list is [`Value::Nil`].
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// An exact integer that fits.
    Integer(i64),
    /// A flonum.
    Float(f64),
    /// Any other number, in external representation.
    Number(String),
    /// A string.
    String(String),
    /// A symbol.
    Symbol(String),
    /// `#t` or `#f`.
    Boolean(bool),
    /// A proper list with at least one item.
    List(Vec<Value>),
    /// A pair that does not begin a proper list.
    Pair(Box<Value>, Box<Value>),
    /// A vector.
    Vector(Vec<Value>),
    /// A character.
    Char(char),
    /// A bytevector.
    Bytevector(Vec<u8>),
    /// The empty list.
    Nil,
    /// No particular value.
    Unspecified,
    /// The program called `exit`.
    Exit(i32),
    /// Something callable, by its handle in the context.
    Procedure(usize),
    /// Anything else, in written form.
    Other(String),
}

impl std::fmt::Display for Value {
    /// The host's form: as `write`, but symbols raw and quotations in long form.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let items = |f: &mut std::fmt::Formatter<'_>, items: &[Self]| {
            for (i, v) in items.iter().enumerate() {
                write!(f, "{}{v}", if i > 0 { " " } else { "" })?;
            }
            f.write_str(")")
        };
        match self {
            Self::Integer(n) => write!(f, "{n}"),
            Self::Float(x) => {
                let n = crate::number::Number::Real(crate::number::Real::Flo(*x));
                f.write_str(&n.to_string_radix(10).unwrap_or_default())
            }
            Self::Number(s) | Self::Symbol(s) | Self::Other(s) => f.write_str(s),
            Self::String(s) => f.write_str(&crate::printer::quoted_string(s)),
            Self::Boolean(b) => f.write_str(if *b { "#t" } else { "#f" }),
            Self::List(v) => {
                f.write_str("(")?;
                items(f, v)
            }
            Self::Vector(v) => {
                f.write_str("#(")?;
                items(f, v)
            }
            Self::Pair(a, d) => write!(f, "({a} . {d})"),
            Self::Char(c) => f.write_str(&crate::printer::written_char(*c)),
            Self::Bytevector(b) => {
                f.write_str("#u8(")?;
                for (i, b) in b.iter().enumerate() {
                    write!(f, "{}{b}", if i > 0 { " " } else { "" })?;
                }
                f.write_str(")")
            }
            Self::Nil => f.write_str("()"),
            Self::Unspecified => f.write_str("#<unspecified>"),
            Self::Exit(n) => write!(f, "#<exit {n}>"),
            Self::Procedure(_) => f.write_str("#<procedure>"),
        }
    }
}

/// Deepest nesting that is converted.
const MAX_DEPTH: usize = 200;
/// Most objects of one value that are converted: shared parts are converted each time.
const MAX_NODES: usize = 1 << 18;

/// Converts a word; procedures are kept alive by a handle.
pub(crate) fn to_value(vm: &mut Vm, w: Word) -> Value {
    let mut budget = MAX_NODES;
    convert(vm, w, 0, &mut budget)
}

fn convert(vm: &mut Vm, w: Word, depth: usize, budget: &mut usize) -> Value {
    *budget = budget.saturating_sub(1);
    if depth > MAX_DEPTH || *budget == 0 {
        return Value::Other("...".to_owned());
    }
    if let Some(n) = w.as_fix() {
        return Value::Integer(n);
    }
    if let Some(x) = vm.cx.heap.as_flonum(w) {
        return Value::Float(x);
    }
    if let Some(c) = w.as_char() {
        return Value::Char(c);
    }
    match w {
        Word::TRUE => return Value::Boolean(true),
        Word::FALSE => return Value::Boolean(false),
        Word::NIL => return Value::Nil,
        Word::UNSPECIFIED => return Value::Unspecified,
        _ => {}
    }
    if crate::prims::is_procedure(w) {
        let i = vm.handles.iter().position(|h| *h == w).unwrap_or_else(|| {
            vm.handles.push(w);
            vm.handles.len() - 1
        });
        return Value::Procedure(i);
    }
    let heap = &vm.cx.heap;
    match w.kind() {
        Some(Kind::String) => Value::String(
            heap.as_text(w)
                .map(crate::text::Text::to_utf8)
                .unwrap_or_default(),
        ),
        Some(Kind::Symbol) => Value::Symbol(heap.symbol_name(w).unwrap_or_default().to_owned()),
        Some(Kind::Number) => match crate::prims::number::opt_number(&vm.cx, w) {
            Some(n) => match n.as_i64() {
                Some(i) => Value::Integer(i),
                None => Value::Number(crate::prims::number::show(&vm.cx, w).unwrap_or_default()),
            },
            None => Value::Unspecified,
        },
        Some(Kind::Bytevector) => Value::Bytevector(heap.as_bytes(w).unwrap_or_default().to_vec()),
        Some(Kind::Vector) => {
            let items = heap.as_vector(w).unwrap_or_default().to_vec();
            Value::Vector(
                items
                    .into_iter()
                    .map(|x| convert(vm, x, depth + 1, budget))
                    .collect(),
            )
        }
        Some(Kind::Pair) => match heap.list_items(w) {
            Some(items) => Value::List(
                items
                    .into_iter()
                    .map(|x| convert(vm, x, depth + 1, budget))
                    .collect(),
            ),
            None => {
                let (a, d) = (heap.car(w), heap.cdr(w));
                Value::Pair(
                    Box::new(convert(vm, a, depth + 1, budget)),
                    Box::new(convert(vm, d, depth + 1, budget)),
                )
            }
        },
        _ => Value::Other(crate::printer::written(heap, w)),
    }
}

/// Converts back. [`Value::Exit`] and [`Value::Other`] have no Scheme form and become unspecified.
pub(crate) fn to_word(vm: &mut Vm, v: &Value) -> Word {
    match v {
        Value::Integer(n) => vm
            .cx
            .heap
            .number(crate::number::Number::Real(crate::number::Real::Int(*n))),
        Value::Float(x) => vm.cx.heap.flonum(*x),
        Value::Number(s) => match crate::number::parse(s, 10) {
            Some(n) => vm.cx.heap.number(n),
            None => Word::UNSPECIFIED,
        },
        Value::String(s) => vm.cx.heap.string(s.as_str()),
        Value::Symbol(s) => vm.cx.heap.symbol(s),
        Value::Boolean(b) => Word::bool(*b),
        Value::List(items) => {
            let words: Vec<Word> = items.iter().map(|i| to_word(vm, i)).collect();
            vm.cx.heap.list(&words)
        }
        Value::Pair(a, d) => {
            let (a, d) = (to_word(vm, a), to_word(vm, d));
            vm.cx.heap.cons(a, d)
        }
        Value::Vector(items) => {
            let words: Vec<Word> = items.iter().map(|i| to_word(vm, i)).collect();
            vm.cx.heap.vector(words)
        }
        Value::Char(c) => Word::char(*c),
        Value::Bytevector(b) => vm.cx.heap.bytevector(b.clone()),
        Value::Nil => Word::NIL,
        Value::Procedure(i) => vm.handles.get(*i).copied().unwrap_or(Word::UNSPECIFIED),
        Value::Unspecified | Value::Exit(_) | Value::Other(_) => Word::UNSPECIFIED,
    }
}
