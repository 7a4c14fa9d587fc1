//! `(tein json)` on `serde_json`.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{Ctx, NativeDef, plain};
use crate::error::{Raise, Res, fail, out_of_memory};
use crate::number::{Number, Real};
use crate::text::Text;
use crate::value::{Kind, Word};

/// Deepest nesting that is converted.
const MAX_DEPTH: usize = 10_000;

/// The datum that a JSON text says: objects as alists with sorted string keys, the last value of a
/// key that occurs twice, and arrays as lists. The inner error is that the text is not JSON.
pub(crate) fn read(cx: &mut Ctx, text: &str) -> Res<Result<Word, serde_json::Error>> {
    cx.reserve(text.len().saturating_mul(4))?;
    cx.spend(text.len() as u64 / 8)?;
    let mut reading = Reading { cx, stopped: None };
    let mut source = serde_json::Deserializer::from_str(text);
    // serde_json itself refuses nesting beyond 128, so recursion here is bounded.
    let result = reading
        .deserialize(&mut source)
        .and_then(|w| source.end().map(|()| w));
    match reading.stopped {
        Some(raise) => Err(raise),
        None => Ok(result),
    }
}

/// Makes data of what the parser finds.
struct Reading<'a> {
    cx: &'a mut Ctx,
    /// A limit, which the parser cannot pass on.
    stopped: Option<Box<Raise>>,
}

impl Reading<'_> {
    /// Charges for one value.
    fn charge<E: de::Error>(&mut self) -> Result<(), E> {
        let charged = match self.cx.spend(1) {
            Ok(()) if self.cx.heap.is_exhausted() => out_of_memory(),
            charged => charged,
        };
        charged.map_err(|raise| {
            self.stopped = Some(raise);
            E::custom("stopped")
        })
    }
}

impl<'de> DeserializeSeed<'de> for &mut Reading<'_> {
    type Value = Word;
    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Word, D::Error> {
        self.charge()?;
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Reading<'_> {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any valid JSON value")
    }

    fn visit_unit<E>(self) -> Result<Word, E> {
        Ok(self.cx.heap.symbol("null"))
    }

    fn visit_bool<E>(self, b: bool) -> Result<Word, E> {
        Ok(Word::bool(b))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Word, E> {
        Ok(self.cx.heap.number(Number::Real(Real::Int(n))))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Word, E> {
        Ok(match i64::try_from(n) {
            Ok(n) => self.cx.heap.number(Number::Real(Real::Int(n))),
            Err(_) => self.cx.heap.flonum(n as f64),
        })
    }

    fn visit_f64<E>(self, x: f64) -> Result<Word, E> {
        Ok(self.cx.heap.flonum(x))
    }

    fn visit_str<E>(self, s: &str) -> Result<Word, E> {
        Ok(self.cx.heap.string(s))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Word, A::Error> {
        let mut words = Vec::new();
        while let Some(w) = items.next_element_seed(&mut *self)? {
            words.push(w);
        }
        Ok(self.cx.heap.list(&words))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Word, A::Error> {
        let mut found: Vec<(Cow<'de, str>, Word)> = Vec::new();
        while let Some(key) = entries.next_key_seed(Key)? {
            let value = entries.next_value_seed(&mut *self)?;
            found.push((key, value));
        }
        // Stable, so that of equal keys the last one written stands last.
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let mut list = Word::NIL;
        let mut after: Option<&str> = None;
        for (key, value) in found.iter().rev() {
            if after == Some(key) {
                continue;
            }
            let name = self.cx.heap.string(&**key);
            let entry = self.cx.heap.cons(name, *value);
            list = self.cx.heap.cons(entry, list);
            after = Some(key);
        }
        Ok(list)
    }
}

/// A key, borrowed from the text where that has it as it is.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;
    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string key")
    }

    fn visit_borrowed_str<E>(self, s: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(s))
    }

    fn visit_str<E>(self, s: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(s.to_owned()))
    }
}

fn parse(cx: &mut Ctx, a: &[Word]) -> Res {
    let Some(text) = cx.heap.as_text(a[0]) else {
        return fail("json-parse: expected string argument", a);
    };
    let text = text.to_utf8();
    match read(cx, &text)? {
        Ok(w) => Ok(w),
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
            Item::Datum(w, depth) => write(cx, w, symbols, depth, &mut out, &mut todo)?,
            Item::Rest(list, object, depth) => {
                if !list.is_pair() {
                    out.push(if object { '}' } else { ']' });
                    continue;
                }
                if !out.ends_with(['[', '{']) {
                    out.push(',');
                }
                todo.push(Item::Rest(cx.heap.cdr(list), object, depth));
                let mut value = cx.heap.car(list);
                if object {
                    let key = cx.heap.car(value);
                    match cx.heap.as_text(key) {
                        Some(t) => text(t, &mut out),
                        None => string(cx.heap.symbol_name(key).unwrap_or_default(), &mut out),
                    }
                    out.push(':');
                    value = cx.heap.cdr(value);
                }
                // What most items are is written without a detour.
                write(cx, value, symbols, depth + 1, &mut out, &mut todo)?;
            }
        }
    }
    cx.charge(out.len() / 8);
    Ok(out)
}

/// What is still to be written, last first: nesting needs no recursion.
enum Item {
    Datum(Word, usize),
    /// What is left of an array, or of an object, at this depth.
    Rest(Word, bool, usize),
}

/// Writes a string as JSON: RFC 8259, 7, with the short escapes where there is one.
fn string(s: &str, out: &mut String) {
    out.push('"');
    let mut from = 0;
    for (i, b) in s.bytes().enumerate() {
        if b >= b' ' && b != b'"' && b != b'\\' {
            continue;
        }
        out.push_str(&s[from..i]);
        from = i + 1;
        match b {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            8 => out.push_str("\\b"),
            12 => out.push_str("\\f"),
            // Writing to a string does not fail.
            _ => {
                let _ = write!(out, "\\u{b:04x}");
            }
        }
    }
    out.push_str(&s[from..]);
    out.push('"');
}

fn text(t: &Text, out: &mut String) {
    match t.as_ascii() {
        Some(s) => string(s, out),
        None => string(&t.to_utf8(), out),
    }
}

/// True for an entry of an object: a pair with a string or symbol as its key.
fn is_entry(cx: &Ctx, entry: Word) -> bool {
    entry.is_pair() && matches!(cx.heap.car(entry).kind(), Some(Kind::String | Kind::Symbol))
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
    } else if let Some(n) = w.as_fix() {
        // Writing to a string does not fail.
        let _ = write!(out, "{n}");
    } else if let Some(t) = cx.heap.as_text(w) {
        text(t, out);
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
        let mut object = true;
        let Some((count, Word::NIL)) = cx.heap.walk(w, |e| object &= is_entry(cx, e)) else {
            return fail(
                "json-stringify: cannot convert an improper or circular list to JSON",
                &[],
            );
        };
        cx.spend(count as u64)?;
        out.push(if object { '{' } else { '[' });
        todo.push(Item::Rest(w, object, depth));
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
