//! `(tein toml)`: TOML 1.0 documents as association lists, read with the `toml` crate.

use ::toml::de::{DeTable, DeValue};

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, out_of_memory};
use crate::number::{Number, Real};
use crate::value::Word;

/// Deepest nesting that is written.
const MAX_DEPTH: usize = 100;
/// The head of a list that stands for a date or time: `(toml-datetime "1979-05-27")`.
const DATETIME: &str = "toml-datetime";

fn to_scheme(cx: &mut Ctx, v: &DeValue<'_>) -> Res {
    // The parser itself bounds nesting, so recursion here is bounded.
    cx.spend(1)?;
    if cx.heap.is_exhausted() {
        return out_of_memory();
    }
    Ok(match v {
        DeValue::String(s) => cx.heap.string(&**s),
        DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
            Ok(n) => cx.heap.number(Number::Real(Real::Int(n))),
            Err(_) => return fail(format!("toml-parse: integer out of range: {i}"), &[]),
        },
        DeValue::Float(f) => match f.as_str().parse::<f64>() {
            Ok(x) => cx.heap.flonum(x),
            Err(_) => return fail(format!("toml-parse: not a number: {f}"), &[]),
        },
        DeValue::Boolean(b) => Word::bool(*b),
        DeValue::Datetime(d) => {
            let tag = cx.heap.symbol(DATETIME);
            let text = cx.heap.string(d.to_string());
            cx.heap.list(&[tag, text])
        }
        DeValue::Array(items) => {
            let mut words = Vec::with_capacity(items.len());
            for i in items.iter() {
                words.push(to_scheme(cx, i.get_ref())?);
            }
            cx.heap.list(&words)
        }
        DeValue::Table(t) => table(cx, t)?,
    })
}

/// Entries sorted by key.
fn table(cx: &mut Ctx, t: &DeTable<'_>) -> Res {
    let mut entries: Vec<(&str, &DeValue<'_>)> = t
        .iter()
        .map(|(k, v)| (k.get_ref().as_ref(), v.get_ref()))
        .collect();
    entries.sort_by_key(|e| e.0);
    let mut words = Vec::with_capacity(entries.len());
    for (k, v) in entries {
        let key = cx.heap.string(k);
        let value = to_scheme(cx, v)?;
        words.push(cx.heap.cons(key, value));
    }
    Ok(cx.heap.list(&words))
}

fn parse(cx: &mut Ctx, a: &[Word]) -> Res {
    let Some(text) = cx.heap.as_text(a[0]) else {
        return fail("toml-parse: expected string argument", a);
    };
    let text = text.to_utf8();
    cx.spend(text.len() as u64 / 2)?;
    cx.reserve(text.len().saturating_mul(16))?;
    match DeTable::parse(&text) {
        Ok(t) => table(cx, t.get_ref()),
        Err(e) => {
            let at = e.span().map_or(0, |s| s.start.min(text.len()));
            let before = text.get(..at).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
            let message = e.message().replace('\n', ", ");
            fail(
                format!("toml-parse: line {line}, column {column}: {message}"),
                &[],
            )
        }
    }
}

// --- writing ---

/// What a datum is in TOML.
enum Shape {
    /// Keys and values of an association list with string keys.
    Table(Vec<(String, Word)>),
    Array(Vec<Word>),
    Scalar(String),
}

fn shape(cx: &mut Ctx, w: Word) -> Res<Shape> {
    cx.spend(1)?;
    if let Some(t) = cx.heap.as_text(w) {
        return Ok(Shape::Scalar(quoted(&t.to_utf8())));
    }
    if w == Word::TRUE || w == Word::FALSE {
        let text = if w == Word::TRUE { "true" } else { "false" };
        return Ok(Shape::Scalar(text.to_owned()));
    }
    if let Some(n) = super::number::opt_number(cx, w) {
        return match &n {
            Number::Real(Real::Int(i)) => Ok(Shape::Scalar(i.to_string())),
            Number::Real(Real::Flo(x)) => Ok(Shape::Scalar(float(*x))),
            _ => fail("toml-stringify: no TOML number", &[w]),
        };
    }
    if w == Word::NIL {
        return Ok(Shape::Array(Vec::new()));
    }
    let Some(items) = cx.heap.list_items(w) else {
        return fail("toml-stringify: cannot convert scheme value to TOML", &[w]);
    };
    if let [tag, text] = items[..]
        && cx.heap.symbol_name(tag) == Some(DATETIME)
        && let Some(text) = cx.heap.as_text(text)
    {
        let text = text.to_utf8();
        return match text.parse::<toml_datetime::Datetime>() {
            Ok(d) => Ok(Shape::Scalar(d.to_string())),
            Err(_) => fail("toml-stringify: not a date or time", &[w]),
        };
    }
    let heap = &cx.heap;
    let entries: Option<Vec<(String, Word)>> = items
        .iter()
        .map(|e| {
            let key = e.is_pair().then(|| heap.as_text(heap.car(*e)))??;
            Some((key.to_utf8(), heap.cdr(*e)))
        })
        .collect();
    Ok(match entries {
        Some(entries) => Shape::Table(entries),
        None => Shape::Array(items),
    })
}

fn float(x: f64) -> String {
    if x.is_nan() {
        "nan".to_owned()
    } else if x.is_infinite() {
        if x > 0.0 { "inf" } else { "-inf" }.to_owned()
    } else {
        // Always with a point or an exponent.
        format!("{x:?}")
    }
}

fn quoted(s: &str) -> String {
    let mut out = String::with_capacity(s.len() + 2);
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn key(k: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !k.is_empty() && k.chars().all(bare) {
        k.to_owned()
    } else {
        quoted(k)
    }
}

/// A value after `=` or inside an array: tables in braces.
fn inline(cx: &mut Ctx, w: Word, depth: usize, out: &mut String) -> Res<()> {
    if depth > MAX_DEPTH {
        return fail("toml-stringify: nested too deeply", &[]);
    }
    if out.len() > crate::printer::MAX_SHOWN {
        return out_of_memory();
    }
    match shape(cx, w)? {
        Shape::Scalar(s) => out.push_str(&s),
        Shape::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                inline(cx, *item, depth + 1, out)?;
            }
            out.push(']');
        }
        Shape::Table(entries) => {
            out.push_str("{ ");
            for (i, (k, v)) in entries.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                out.push_str(&key(k));
                out.push_str(" = ");
                inline(cx, *v, depth + 1, out)?;
            }
            out.push_str(" }");
        }
    }
    Ok(())
}

/// The lines of a table: its own values first, then each table within under its header.
fn section(
    cx: &mut Ctx,
    path: &str,
    entries: &[(String, Word)],
    depth: usize,
    out: &mut String,
) -> Res<()> {
    if depth > MAX_DEPTH {
        return fail("toml-stringify: nested too deeply", &[]);
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut tables = Vec::new();
    for (k, v) in entries {
        if !seen.insert(k) {
            return fail(format!("toml-stringify: the key {k} is there twice"), &[]);
        }
        match shape(cx, *v)? {
            Shape::Table(inner) => tables.push((k, inner)),
            _ => {
                out.push_str(&key(k));
                out.push_str(" = ");
                inline(cx, *v, depth, out)?;
                out.push('\n');
            }
        }
    }
    for (k, inner) in tables {
        let path = if path.is_empty() {
            key(k)
        } else {
            format!("{path}.{}", key(k))
        };
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&format!("[{path}]\n"));
        section(cx, &path, &inner, depth + 1, out)?;
    }
    Ok(())
}

fn stringify(cx: &mut Ctx, a: &[Word]) -> Res {
    let Shape::Table(entries) = shape(cx, a[0])? else {
        return fail(
            "toml-stringify: top-level value must be a table (alist)",
            &[],
        );
    };
    let mut out = String::new();
    section(cx, "", &entries, 0, &mut out)?;
    cx.charge(out.len() / 8);
    Ok(cx.heap.string(out))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("toml-parse", 1, 1, parse),
    plain("toml-stringify", 1, 1, stringify),
];
