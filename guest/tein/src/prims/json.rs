//! `(tein json)` on `serde_json`.

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, out_of_memory};
use crate::number::{Number, Real};
use crate::value::{Kind, Word};

/// Deepest nesting that is converted.
const MAX_DEPTH: usize = 10_000;

/// The datum for a JSON value: objects as alists with sorted string keys, arrays as lists.
pub(crate) fn to_scheme(cx: &mut Ctx, json: &serde_json::Value) -> Res {
    use serde_json::Value;
    // serde_json itself refuses nesting beyond 128, so recursion here is bounded.
    cx.spend(1)?;
    if cx.heap.is_exhausted() {
        return out_of_memory();
    }
    Ok(match json {
        Value::Null => cx.heap.symbol("null"),
        Value::Bool(b) => Word::bool(*b),
        Value::Number(n) => match n.as_i64() {
            Some(i) => cx.heap.number(Number::Real(Real::Int(i))),
            None => cx.heap.flonum(n.as_f64().unwrap_or(f64::NAN)),
        },
        Value::String(s) => cx.heap.string(s.as_str()),
        Value::Array(items) => {
            let mut words = Vec::with_capacity(items.len());
            for i in items {
                words.push(to_scheme(cx, i)?);
            }
            cx.heap.list(&words)
        }
        Value::Object(map) => {
            let mut words = Vec::with_capacity(map.len());
            for (k, v) in map {
                let key = cx.heap.string(k.as_str());
                let value = to_scheme(cx, v)?;
                words.push(cx.heap.cons(key, value));
            }
            cx.heap.list(&words)
        }
    })
}

fn parse(cx: &mut Ctx, a: &[Word]) -> Res {
    let Some(text) = cx.heap.as_text(a[0]) else {
        return fail("json-parse: expected string argument", a);
    };
    let text = text.to_utf8();
    cx.reserve(text.len().saturating_mul(4))?;
    cx.charge(text.len() / 8);
    match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(v) => to_scheme(cx, &v),
        Err(e) => fail(format!("json-parse: {e}"), &[]),
    }
}

/// How symbols other than `null` are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbols {
    Refuse,
    AsStrings,
}

/// JSON text of a datum, by the rule of `json-stringify`.
pub(crate) fn from_scheme(cx: &mut Ctx, datum: Word, symbols: Symbols) -> Res<String> {
    let mut out = String::new();
    let mut todo = vec![Item::Datum(datum, 0)];
    while let Some(item) = todo.pop() {
        if out.len() > crate::printer::MAX_SHOWN {
            return out_of_memory();
        }
        match item {
            Item::Text(s) => out.push_str(s),
            Item::Key(k) => {
                string(&k, &mut out);
                out.push(':');
            }
            Item::Datum(w, depth) => write(cx, w, symbols, depth, &mut out, &mut todo)?,
        }
    }
    cx.charge(out.len() / 8);
    Ok(out)
}

/// What is still to be written, last first: nesting needs no recursion.
enum Item {
    Datum(Word, usize),
    Key(String),
    Text(&'static str),
}

fn string(s: &str, out: &mut String) {
    // serde_json cannot fail on a string.
    out.push_str(&serde_json::Value::String(s.to_owned()).to_string());
}

fn key(cx: &Ctx, entry: Word) -> Option<String> {
    if !entry.is_pair() {
        return None;
    }
    let k = cx.heap.car(entry);
    match cx.heap.as_text(k) {
        Some(t) => Some(t.to_utf8()),
        None => cx.heap.symbol_name(k).map(str::to_owned),
    }
}

fn write(
    cx: &mut Ctx,
    w: Word,
    symbols: Symbols,
    depth: usize,
    out: &mut String,
    todo: &mut Vec<Item>,
) -> Res<()> {
    if depth > MAX_DEPTH {
        return fail("json-stringify: nested too deeply", &[]);
    }
    if w == Word::NIL {
        out.push_str("[]");
    } else if w == Word::TRUE || w == Word::FALSE {
        out.push_str(if w == Word::TRUE { "true" } else { "false" });
    } else if let Some(t) = cx.heap.as_text(w) {
        string(&t.to_utf8(), out);
    } else if let Some(name) = cx.heap.symbol_name(w) {
        match (name, symbols) {
            ("null", _) => out.push_str("null"),
            (name, Symbols::AsStrings) => string(name, out),
            (name, Symbols::Refuse) => {
                return fail(
                    format!(
                        "type error: json-stringify: cannot convert symbol '{name}' to JSON (only 'null is allowed)"
                    ),
                    &[],
                );
            }
        }
    } else if let Some(n) = super::number::opt_number(cx, w) {
        match &n {
            Number::Real(Real::Flo(x)) if !x.is_finite() => out.push_str("null"),
            _ => match n.to_json() {
                Some(s) => out.push_str(&s),
                None => return fail("json-stringify: cannot convert scheme value to JSON", &[w]),
            },
        }
    } else if w.is(Kind::Pair) {
        let Some(items) = cx.heap.list_items(w) else {
            return fail(
                "json-stringify: cannot convert an improper or circular list to JSON",
                &[],
            );
        };
        let keys: Option<Vec<String>> = items.iter().map(|e| key(cx, *e)).collect();
        cx.spend(items.len() as u64)?;
        let object = keys.is_some();
        out.push(if object { '{' } else { '[' });
        todo.push(Item::Text(if object { "}" } else { "]" }));
        let mut keys = keys.unwrap_or_default().into_iter().rev();
        for (i, e) in items.iter().enumerate().rev() {
            let value = if object { cx.heap.cdr(*e) } else { *e };
            todo.push(Item::Datum(value, depth + 1));
            if let Some(k) = keys.next() {
                todo.push(Item::Key(k));
            }
            if i > 0 {
                todo.push(Item::Text(","));
            }
        }
    } else {
        return fail("json-stringify: cannot convert scheme value to JSON", &[w]);
    }
    Ok(())
}

fn stringify(cx: &mut Ctx, a: &[Word]) -> Res {
    let s = from_scheme(cx, a[0], Symbols::Refuse)?;
    Ok(cx.heap.string(s))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("json-parse", 1, 1, parse),
    plain("json-stringify", 1, 1, stringify),
];
