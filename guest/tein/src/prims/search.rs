//! The parts of `(srfi 130)` that take no procedures. Positions and cursors are exact integers
//! that count characters; every search is linear in the text.

use std::borrow::Cow;

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, out_of_memory, wrong_type};
use crate::text::Text;
use crate::value::Word;

/// The characters from `start` to before `end`, which must be in range.
fn utf8(t: &Text, start: usize, end: usize) -> Cow<'_, str> {
    match t {
        Text::Narrow(b) => String::from_utf8_lossy(&b[start..end]),
        Text::Wide(c) => Cow::Owned(c[start..end].iter().collect()),
    }
}

/// How many characters the first `bytes` of a text are.
fn chars_before(text: &str, bytes: usize) -> usize {
    if text.is_ascii() {
        bytes
    } else {
        text[..bytes].chars().count()
    }
}

/// A string argument with the range that the arguments from `at` on name in it.
fn part(cx: &mut Ctx, who: &str, a: &[Word], s: usize, at: usize) -> Res<(usize, usize)> {
    let len = cx.text(a[s])?.len();
    let last = a.len().min(at + 2);
    let (start, end) = cx.range(who, &a[..last], at, len)?;
    cx.spend((end - start) as u64 / 16 + 1)?;
    Ok((start, end))
}

// --- searching ---

fn contains(cx: &mut Ctx, a: &[Word], who: &str, last: bool) -> Res {
    let (start, end) = part(cx, who, a, 0, 2)?;
    let (from, to) = part(cx, who, a, 1, 4)?;
    let hay = utf8(cx.text(a[0])?, start, end);
    let needle = utf8(cx.text(a[1])?, from, to);
    let found = if last {
        hay.rfind(&*needle)
    } else {
        hay.find(&*needle)
    };
    Ok(found.map_or(Word::FALSE, |i| Word::index(start + chars_before(&hay, i))))
}

/// `(%string-find text char start end)`: where the character is first, or last, or `#f`.
fn find(cx: &mut Ctx, a: &[Word], last: bool) -> Res {
    let (start, end) = part(cx, "string-index", a, 0, 2)?;
    let c = cx.char(a[1])?;
    let found = match cx.text(a[0])? {
        Text::Narrow(b) => {
            let mut bytes = b[start..end].iter();
            let same = |x: &u8| char::from(*x) == c;
            if last {
                bytes.rposition(same)
            } else {
                bytes.position(same)
            }
        }
        Text::Wide(w) => {
            let mut chars = w[start..end].iter();
            if last {
                chars.rposition(|x| *x == c)
            } else {
                chars.position(|x| *x == c)
            }
        }
    };
    Ok(found.map_or(Word::FALSE, |i| Word::index(start + i)))
}

fn common(cx: &mut Ctx, a: &[Word], who: &str, suffix: bool) -> Res<(usize, bool)> {
    let (start1, end1) = part(cx, who, a, 0, 2)?;
    let (start2, end2) = part(cx, who, a, 1, 4)?;
    let (x, y) = (cx.text(a[0])?, cx.text(a[1])?);
    let most = (end1 - start1).min(end2 - start2);
    let same = |i: &usize| {
        if suffix {
            x.get(end1 - 1 - i) == y.get(end2 - 1 - i)
        } else {
            x.get(start1 + i) == y.get(start2 + i)
        }
    };
    let n = (0..most).take_while(same).count();
    Ok((n, n == end1 - start1))
}

// --- pieces ---

/// Where list elements meet their delimiters (`string-join`, `string-split`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grammar {
    Infix,
    StrictInfix,
    Prefix,
    Suffix,
}

fn grammar(cx: &Ctx, who: &str, w: Option<&Word>) -> Res<Grammar> {
    let Some(w) = w else {
        return Ok(Grammar::Infix);
    };
    match cx.heap.symbol_name(*w) {
        Some("infix") => Ok(Grammar::Infix),
        Some("strict-infix") => Ok(Grammar::StrictInfix),
        Some("prefix") => Ok(Grammar::Prefix),
        Some("suffix") => Ok(Grammar::Suffix),
        _ => fail(
            format!("{who}: the grammar is one of infix, strict-infix, prefix, suffix"),
            &[*w],
        ),
    }
}

/// A delimiter: a string, or a character for one of length one.
fn delimiter(cx: &Ctx, w: Word) -> Res<Text> {
    match w.as_char() {
        Some(c) => Ok([c].into_iter().collect()),
        None => cx.text(w).cloned(),
    }
}

fn join(cx: &mut Ctx, a: &[Word]) -> Res {
    let items = cx.list(a[0])?;
    let between = match a.get(1) {
        Some(d) => delimiter(cx, *d)?,
        None => Text::from(" "),
    };
    let grammar = grammar(cx, "string-join", a.get(2))?;
    if items.is_empty() && grammar == Grammar::StrictInfix {
        return fail("string-join: an empty list has no strict-infix form", &[]);
    }
    let mut total = 0usize;
    for w in &items {
        total = total.saturating_add(cx.text(*w)?.len().saturating_add(between.len()));
    }
    cx.spend((items.len() + total / 64) as u64)?;
    cx.reserve(total.saturating_mul(2))?;
    let mut text = Text::default();
    for (i, w) in items.iter().enumerate() {
        if i > 0 && grammar != Grammar::Suffix || grammar == Grammar::Prefix {
            text.append(&between);
        }
        text.append(cx.text(*w)?);
        if grammar == Grammar::Suffix {
            text.append(&between);
        }
    }
    Ok(cx.heap.string(text))
}

fn split(cx: &mut Ctx, a: &[Word]) -> Res {
    let (start, end) = part(cx, "string-split", a, 0, 4)?;
    let between = delimiter(cx, a[1])?.to_utf8();
    let grammar = grammar(cx, "string-split", a.get(2))?;
    let most = match a.get(3) {
        None => usize::MAX,
        Some(w) if *w == Word::FALSE => usize::MAX,
        Some(w) => cx.index(*w)?.saturating_add(1),
    };
    if start == end {
        return if grammar == Grammar::StrictInfix {
            fail(
                "string-split: an empty string has no strict-infix form",
                &[],
            )
        } else {
            Ok(Word::NIL)
        };
    }
    let text = utf8(cx.text(a[0])?, start, end).into_owned();
    cx.reserve(text.len().saturating_mul(2))?;
    let mut words = Vec::new();
    let mut add = |cx: &mut Ctx, piece: &str| -> Res<()> {
        cx.spend(2)?;
        if cx.heap.is_exhausted() || !cx.heap.fits(cx.heap.used()) {
            return out_of_memory();
        }
        words.push(cx.heap.string(piece));
        Ok(())
    };
    if between.is_empty() {
        let mut rest = text.as_str();
        let mut count = 1;
        while let Some(c) = rest.chars().next() {
            let at = if count < most {
                c.len_utf8()
            } else {
                rest.len()
            };
            add(cx, &rest[..at])?;
            rest = &rest[at..];
            count += 1;
        }
    } else {
        for piece in text.splitn(most, &between) {
            add(cx, piece)?;
        }
    }
    let empty = |w: Option<&Word>| {
        w.and_then(|w| cx.heap.as_text(*w))
            .is_some_and(Text::is_empty)
    };
    let from = usize::from(grammar == Grammar::Prefix && empty(words.first()));
    let to = words.len() - usize::from(grammar == Grammar::Suffix && empty(words.last()));
    Ok(cx.heap.list(&words[from..to]))
}

fn concatenate_reverse(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut items = cx.list(a[0])?;
    items.reverse();
    let tail = match a.get(1) {
        Some(w) => {
            let len = cx.text(*w)?.len();
            let end = match a.get(2) {
                Some(e) => cx.index(*e)?,
                None => len,
            };
            if end > len {
                return fail("string-concatenate-reverse: index out of range", &a[1..]);
            }
            cx.text(*w)?.slice(0, end)
        }
        None => Text::default(),
    };
    let mut total = tail.len();
    for w in &items {
        total = total.saturating_add(cx.text(*w)?.len());
    }
    cx.spend((items.len() + total / 64) as u64)?;
    cx.reserve(total.saturating_mul(2))?;
    let mut text = Text::default();
    for w in &items {
        text.append(cx.text(*w)?);
    }
    text.append(&tail);
    Ok(cx.heap.string(text))
}

fn take(cx: &mut Ctx, a: &[Word], who: &str, from_end: bool, drop: bool) -> Res {
    let len = cx.text(a[0])?.len();
    let n = cx.index(a[1])?;
    if n > len {
        return fail(format!("{who}: index out of range"), &a[1..]);
    }
    let (start, end) = match (from_end, drop) {
        (false, false) => (0, n),
        (false, true) => (n, len),
        (true, false) => (len - n, len),
        (true, true) => (0, len - n),
    };
    cx.charge((end - start) / 64);
    let text = cx.text(a[0])?.slice(start, end);
    Ok(cx.heap.string(text))
}

fn pad(cx: &mut Ctx, a: &[Word], who: &str, right: bool) -> Res {
    let len = cx.index(a[1])?;
    let c = match a.get(2) {
        Some(c) => cx.char(*c)?,
        None => ' ',
    };
    let (start, end) = part(cx, who, a, 0, 3)?;
    let kept = len.min(end - start);
    let added = len - kept;
    cx.spend(len as u64 / 64)?;
    cx.reserve(len.saturating_mul(4))?;
    let text = cx.text(a[0])?;
    let padding: Text = if c.is_ascii() {
        Text::Narrow(vec![c as u8; added])
    } else {
        std::iter::repeat_n(c, added).collect()
    };
    let text = if right {
        let mut out = text.slice(start, start + kept);
        out.append(&padding);
        out
    } else {
        let mut out = padding;
        out.append(&text.slice(end - kept, end));
        out
    };
    Ok(cx.heap.string(text))
}

fn reverse(cx: &mut Ctx, a: &[Word]) -> Res {
    let (start, end) = part(cx, "string-reverse", a, 0, 1)?;
    let text: Text = cx.text(a[0])?.slice(start, end).chars().rev().collect();
    cx.reserve(text.bytes())?;
    Ok(cx.heap.string(text))
}

/// `(string-replicate s from to [start end])`: a window on the part repeated without end both ways.
fn replicate(cx: &mut Ctx, a: &[Word]) -> Res {
    let (Some(from), Some(to)) = (a[1].as_fix(), a[2].as_fix()) else {
        let wrong = if a[1].is_fix() { a[2] } else { a[1] };
        return wrong_type("Integer", wrong);
    };
    let (start, end) = part(cx, "string-replicate", a, 0, 3)?;
    let n = (end - start) as i64;
    let Some(len) = to.checked_sub(from).and_then(|n| usize::try_from(n).ok()) else {
        return fail("string-replicate: index out of range", &a[1..3]);
    };
    if len == 0 {
        return Ok(cx.heap.string(Text::default()));
    }
    if n == 0 {
        return fail("string-replicate: nothing to repeat", a);
    }
    cx.spend(len as u64 / 8)?;
    cx.reserve(len.saturating_mul(4))?;
    let part = cx.text(a[0])?.slice(start, end);
    let first = from.rem_euclid(n) as usize;
    let text: Text = match &part {
        Text::Narrow(b) => Text::Narrow(b.iter().copied().cycle().skip(first).take(len).collect()),
        Text::Wide(c) => Text::Wide(c.iter().copied().cycle().skip(first).take(len).collect()),
    };
    Ok(cx.heap.string(text))
}

fn replace(cx: &mut Ctx, a: &[Word]) -> Res {
    let (start1, end1) = part(cx, "string-replace", a, 0, 2)?;
    let (start2, end2) = part(cx, "string-replace", a, 1, 4)?;
    let (s, by) = (cx.text(a[0])?, cx.text(a[1])?);
    let len = s.len();
    let mut text = s.slice(0, start1);
    text.append(&by.slice(start2, end2));
    text.append(&s.slice(end1, len));
    cx.spend(len as u64 / 64)?;
    cx.reserve(text.bytes())?;
    Ok(cx.heap.string(text))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("string-null?", 1, 1, |cx, a| {
        Ok(Word::bool(cx.text(a[0])?.is_empty()))
    }),
    plain("string-contains", 2, 6, |cx, a| {
        contains(cx, a, "string-contains", false)
    }),
    plain("string-contains-right", 2, 6, |cx, a| {
        contains(cx, a, "string-contains-right", true)
    }),
    plain("%string-find", 2, 4, |cx, a| find(cx, a, false)),
    plain("%string-find-last", 2, 4, |cx, a| find(cx, a, true)),
    plain("string-prefix-length", 2, 6, |cx, a| {
        let (n, _) = common(cx, a, "string-prefix-length", false)?;
        Ok(Word::index(n))
    }),
    plain("string-suffix-length", 2, 6, |cx, a| {
        let (n, _) = common(cx, a, "string-suffix-length", true)?;
        Ok(Word::index(n))
    }),
    plain("string-prefix?", 2, 6, |cx, a| {
        let (_, whole) = common(cx, a, "string-prefix?", false)?;
        Ok(Word::bool(whole))
    }),
    plain("string-suffix?", 2, 6, |cx, a| {
        let (_, whole) = common(cx, a, "string-suffix?", true)?;
        Ok(Word::bool(whole))
    }),
    plain("string-join", 1, 3, join),
    plain("string-split", 2, 6, split),
    plain("string-concatenate-reverse", 1, 3, concatenate_reverse),
    plain("string-take", 2, 2, |cx, a| {
        take(cx, a, "string-take", false, false)
    }),
    plain("string-drop", 2, 2, |cx, a| {
        take(cx, a, "string-drop", false, true)
    }),
    plain("string-take-right", 2, 2, |cx, a| {
        take(cx, a, "string-take-right", true, false)
    }),
    plain("string-drop-right", 2, 2, |cx, a| {
        take(cx, a, "string-drop-right", true, true)
    }),
    plain("string-pad", 2, 5, |cx, a| pad(cx, a, "string-pad", false)),
    plain("string-pad-right", 2, 5, |cx, a| {
        pad(cx, a, "string-pad-right", true)
    }),
    plain("string-reverse", 1, 3, reverse),
    plain("string-replicate", 3, 5, replicate),
    plain("string-replace", 4, 6, replace),
];
