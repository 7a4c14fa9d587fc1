//! Strings (R7RS 6.7). Positions are exact integers that count characters.

use std::cmp::Ordering;

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, wrong_type};
use crate::text::Text;
use crate::value::Word;

/// `string-ref`.
#[inline]
pub(crate) fn string_ref(cx: &mut Ctx, s: Word, i: Word) -> Res {
    let text = cx.text(s)?;
    match i.as_fix() {
        Some(n) => match usize::try_from(n).ok().and_then(|n| text.get(n)) {
            Some(c) => Ok(Word::char(c)),
            // The reference reaches characters through cursors, and says so.
            None => fail("string-index->cursor: index out of range", &[i]),
        },
        None => wrong_type("Integer", i),
    }
}

/// Changes a string in place and charges for what it grew by: one character that is not ASCII makes
/// all of them wide.
fn change(cx: &mut Ctx, w: Word, ascii: bool, f: impl FnOnce(&mut Text)) -> Res {
    let before = cx.text(w)?.bytes();
    if !ascii && matches!(cx.text(w)?, Text::Narrow(_)) {
        cx.reserve(before.saturating_mul(4))?;
    }
    if let Some(t) = cx.heap.text_mut(w) {
        f(t);
    }
    let grown = cx.text(w)?.bytes().saturating_sub(before);
    cx.heap.charge(grown);
    Ok(Word::UNSPECIFIED)
}

fn string_set(cx: &mut Ctx, a: &[Word]) -> Res {
    let i = cx.index(a[1])?;
    let c = cx.char(a[2])?;
    if i >= cx.text(a[0])?.len() {
        return fail("string-set!: index out of range", &a[..2]);
    }
    // The common case, without a look at the budget.
    if let Some(Text::Narrow(b)) = cx.heap.text_mut(a[0])
        && c.is_ascii()
    {
        b[i] = c as u8;
        return Ok(Word::UNSPECIFIED);
    }
    change(cx, a[0], c.is_ascii(), |t| {
        t.set(i, c);
    })
}

fn make_string(cx: &mut Ctx, a: &[Word]) -> Res {
    let n = cx.index(a[0])?;
    let c = match a.get(1) {
        Some(c) => cx.char(*c)?,
        None => ' ',
    };
    cx.reserve(n.saturating_mul(if c.is_ascii() { 1 } else { 4 }))?;
    cx.charge(n / 64);
    let text = if c.is_ascii() {
        Text::Narrow(vec![c as u8; n])
    } else {
        Text::Wide(vec![c; n])
    };
    Ok(cx.heap.string(text))
}

fn string(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut text = Text::default();
    for w in a {
        text.push(cx.char(*w)?);
    }
    Ok(cx.heap.string(text))
}

fn string_append(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut total = 0usize;
    let mut wide = false;
    for w in a {
        let t = cx.text(*w)?;
        total += t.len();
        wide |= matches!(t, Text::Wide(_));
    }
    cx.reserve(if wide { total * 4 } else { total })?;
    cx.charge(total / 64);
    let mut text = if wide {
        Text::Wide(Vec::with_capacity(total))
    } else {
        Text::Narrow(Vec::with_capacity(total))
    };
    for w in a {
        text.append(cx.text(*w)?);
    }
    Ok(cx.heap.string(text))
}

/// `(%string-concatenate list delimiter)`: joins in one pass.
fn concatenate(cx: &mut Ctx, a: &[Word]) -> Res {
    let items = cx.list(a[0])?;
    let delimiter = match a.get(1) {
        Some(d) => cx.text(*d)?.clone(),
        None => Text::default(),
    };
    let mut total = 0usize;
    for w in &items {
        total += cx.text(*w)?.len() + delimiter.len();
    }
    cx.reserve(total.saturating_mul(2))?;
    cx.charge(items.len() + total / 64);
    let mut text = Text::default();
    for (i, w) in items.iter().enumerate() {
        if i > 0 {
            text.append(&delimiter);
        }
        text.append(cx.text(*w)?);
    }
    Ok(cx.heap.string(text))
}

fn substring(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.text(a[0])?.len();
    let (start, end) = cx.range("substring", a, 1, len)?;
    cx.charge((end - start) / 64);
    let part = cx.text(a[0])?.slice(start, end);
    Ok(cx.heap.string(part))
}

fn string_to_list(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.text(a[0])?.len();
    let (start, end) = cx.range("string->list", a, 1, len)?;
    cx.reserve((end - start) * 16)?;
    cx.charge(end - start);
    let chars: Vec<Word> = cx
        .text(a[0])?
        .slice(start, end)
        .chars()
        .map(Word::char)
        .collect();
    Ok(cx.heap.list(&chars))
}

fn string_to_vector(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.text(a[0])?.len();
    let (start, end) = cx.range("string->vector", a, 1, len)?;
    cx.reserve((end - start) * 8)?;
    cx.charge(end - start);
    let chars: Vec<Word> = cx
        .text(a[0])?
        .slice(start, end)
        .chars()
        .map(Word::char)
        .collect();
    Ok(cx.heap.vector(chars))
}

fn chars_to_string(cx: &mut Ctx, items: &[Word]) -> Res {
    cx.charge(items.len() / 8);
    let mut text = Text::default();
    for w in items {
        match w.as_char() {
            Some(c) => text.push(c),
            None => return fail("write-char: not a character", &[*w]),
        }
    }
    Ok(cx.heap.string(text))
}

fn list_to_string(cx: &mut Ctx, a: &[Word]) -> Res {
    let items = cx.list(a[0])?;
    chars_to_string(cx, &items)
}

fn vector_to_string(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.items(a[0])?.len();
    let (start, end) = cx.range("vector->string", a, 1, len)?;
    let items = cx.items(a[0])?[start..end].to_vec();
    chars_to_string(cx, &items)
}

fn string_copy_to(cx: &mut Ctx, a: &[Word]) -> Res {
    let at = cx.index(a[1])?;
    let len = cx.text(a[2])?.len();
    let (start, end) = cx.range("string-copy!", a, 3, len)?;
    let room = cx.text(a[0])?.len();
    if at > room || end - start > room - at {
        return fail("string-copy!: index out of range", &a[..2]);
    }
    cx.charge((end - start) / 8);
    let chars: Vec<char> = cx.text(a[2])?.slice(start, end).chars().collect();
    let ascii = chars.iter().all(char::is_ascii);
    change(cx, a[0], ascii, |t| {
        for (i, c) in chars.into_iter().enumerate() {
            t.set(at + i, c);
        }
    })
}

fn string_fill(cx: &mut Ctx, a: &[Word]) -> Res {
    let c = cx.char(a[1])?;
    let len = cx.text(a[0])?.len();
    let (start, end) = cx.range("string-fill!", a, 2, len)?;
    cx.charge((end - start) / 8);
    change(cx, a[0], c.is_ascii(), |t| {
        for i in start..end {
            t.set(i, c);
        }
    })
}

fn compare(cx: &mut Ctx, a: &[Word], fold: bool, ok: fn(Ordering) -> bool) -> Res {
    for w in a {
        cx.text(*w)?;
    }
    let mut work = 0;
    for p in a.windows(2) {
        let (x, y) = (cx.text(p[0])?, cx.text(p[1])?);
        work += x.len().min(y.len());
        let order = if fold {
            // All of both is folded, into new strings.
            work += 16 * (x.len() + y.len());
            foldcase(x).order(&foldcase(y))
        } else {
            x.order(y)
        };
        if !ok(order) {
            cx.charge(work / 16);
            return Ok(Word::FALSE);
        }
    }
    cx.charge(work / 16);
    Ok(Word::TRUE)
}

/// Full case folding, nearly: full lower case of each character's full upper case, except where that
/// differs from Unicode's folding.
fn foldcase(t: &Text) -> Text {
    t.chars()
        .flat_map(|c| match c {
            'İ' => vec!['i', '\u{307}'],
            'ı' => vec!['ı'],
            'ẞ' | 'ß' => vec!['s', 's'],
            'ς' => vec!['σ'],
            '\u{13A0}'..='\u{13FD}' | '\u{AB70}'..='\u{ABBF}' => vec![super::char::foldcase(c)],
            _ => c.to_uppercase().flat_map(char::to_lowercase).collect(),
        })
        .collect()
}

fn case(cx: &mut Ctx, a: &[Word], f: fn(&Text) -> Text) -> Res {
    let t = f(cx.text(a[0])?);
    cx.charge(t.len() / 8);
    Ok(cx.heap.string(t))
}

/// `(%string-search pattern text start)`: position of the pattern, or `#f`.
fn search(cx: &mut Ctx, a: &[Word]) -> Res {
    let (p, t) = (cx.text(a[0])?, cx.text(a[1])?);
    let start = match a.get(2) {
        Some(s) => cx.index(*s)?,
        None => 0,
    };
    if start > t.len() {
        return fail("string-search: index out of range", &a[1..]);
    }
    let (pn, tn) = (p.len(), t.len());
    // UTF-8 search is linear in the text; positions are turned back into characters.
    let found = if let (Text::Narrow(p), Text::Narrow(t)) = (p, t) {
        let hay = std::str::from_utf8(&t[start..]).unwrap_or_default();
        let needle = std::str::from_utf8(p).unwrap_or_default();
        hay.find(needle).map(|i| i + start)
    } else {
        let hay = t.slice(start, tn).to_utf8();
        let needle = p.to_utf8();
        hay.find(&needle).map(|i| hay[..i].chars().count() + start)
    };
    cx.charge((tn - start + pn) / 16);
    Ok(found.map_or(Word::FALSE, Word::index))
}

/// `(%string-search-backward pattern text end)`: last position where the pattern ends at or before `end`.
fn search_backward(cx: &mut Ctx, a: &[Word]) -> Res {
    let end = cx.index(a[2])?;
    let (p, t) = (cx.text(a[0])?, cx.text(a[1])?);
    if end > t.len() {
        return fail("string-search: index out of range", &a[1..]);
    }
    let hay = t.slice(0, end).to_utf8();
    let needle = p.to_utf8();
    let found = hay.rfind(&needle).map(|i| hay[..i].chars().count());
    cx.charge(end / 16);
    Ok(found.map_or(Word::FALSE, Word::index))
}

fn upcase(t: &Text) -> Text {
    t.chars().flat_map(char::to_uppercase).collect()
}

fn downcase(t: &Text) -> Text {
    // Whole-string lower case, for the final sigma.
    Text::from(t.to_utf8().to_lowercase())
}

fn string_hash(cx: &mut Ctx, a: &[Word]) -> Res {
    let t = cx.text(a[0])?;
    let (h, len) = (crate::prims::table::hash_text(t), t.len());
    cx.charge(len / 16);
    let bound = match a.get(1) {
        Some(b) => cx.index(*b)?.max(1) as u64,
        None => 1 << 30,
    };
    Ok(Word::fix((h % bound) as i64))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("string?", 1, 1, |cx, a| {
        Ok(Word::bool(cx.heap.as_text(a[0]).is_some()))
    }),
    plain("make-string", 1, 2, make_string),
    plain("string", 0, -1, string),
    plain("string-length", 1, 1, |cx, a| {
        Ok(Word::index(cx.text(a[0])?.len()))
    }),
    plain("string-ref", 2, 2, |cx, a| string_ref(cx, a[0], a[1])),
    plain("string-set!", 3, 3, string_set),
    plain("string-append", 0, -1, string_append),
    plain("%string-concatenate", 1, 2, concatenate),
    plain("substring", 2, 3, substring),
    plain("string-copy", 1, 3, substring),
    plain("string->list", 1, 3, string_to_list),
    plain("list->string", 1, 1, list_to_string),
    plain("string->vector", 1, 3, string_to_vector),
    plain("vector->string", 1, 3, vector_to_string),
    plain("string-copy!", 3, 5, string_copy_to),
    plain("string-fill!", 2, 4, string_fill),
    plain("string=?", 1, -1, |cx, a| {
        compare(cx, a, false, Ordering::is_eq)
    }),
    plain("string<?", 1, -1, |cx, a| {
        compare(cx, a, false, Ordering::is_lt)
    }),
    plain("string>?", 1, -1, |cx, a| {
        compare(cx, a, false, Ordering::is_gt)
    }),
    plain("string<=?", 1, -1, |cx, a| {
        compare(cx, a, false, Ordering::is_le)
    }),
    plain("string>=?", 1, -1, |cx, a| {
        compare(cx, a, false, Ordering::is_ge)
    }),
    plain("string-ci=?", 1, -1, |cx, a| {
        compare(cx, a, true, Ordering::is_eq)
    }),
    plain("string-ci<?", 1, -1, |cx, a| {
        compare(cx, a, true, Ordering::is_lt)
    }),
    plain("string-ci>?", 1, -1, |cx, a| {
        compare(cx, a, true, Ordering::is_gt)
    }),
    plain("string-ci<=?", 1, -1, |cx, a| {
        compare(cx, a, true, Ordering::is_le)
    }),
    plain("string-ci>=?", 1, -1, |cx, a| {
        compare(cx, a, true, Ordering::is_ge)
    }),
    plain("string-upcase", 1, 1, |cx, a| case(cx, a, upcase)),
    plain("string-downcase", 1, 1, |cx, a| case(cx, a, downcase)),
    plain("string-foldcase", 1, 1, |cx, a| case(cx, a, foldcase)),
    plain("%string-search", 2, 3, search),
    plain("%string-search-backward", 3, 3, search_backward),
    plain("string-hash", 1, 2, string_hash),
];
