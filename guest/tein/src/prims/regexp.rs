//! `(tein safe-regexp)` on the `regex` crate: linear time, no look-around, no back-references.
//!
//! A compiled regexp is its pattern with a tag, so images and snapshots hold it like any other
//! datum. What `regex` makes of a pattern is kept beside the heap, for the last few patterns.
//!
//! Positions are exact integers that count characters, as everywhere in this engine, where the
//! reference counts bytes of UTF-8. The two agree on ASCII text.

use std::borrow::Cow;
use std::rc::Rc;

use regex::{Captures, Error, Regex, RegexBuilder};

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, out_of_memory, wrong_type};
use crate::text::Text;
use crate::value::{Kind, Word};

/// Bytes that a compiled pattern may take, by class. What a search may do for each byte of text
/// grows with the compiled pattern, so the class that a pattern fits decides what a byte costs.
const SIZE_CLASSES: [usize; 5] = [1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];
/// Half steps for each byte that is searched, by size class. In the worst case every state of the
/// pattern is alive at every byte; common patterns are in the first three classes and keep few alive.
const BYTE_COSTS: [usize; 5] = [1, 4, 24, 256, 2048];
/// Steps for compiling to so many bytes: one for each 64.
const COMPILE_SHARE: usize = 64;
/// Characters of a pattern.
const MAX_PATTERN: usize = 10_000;
/// Deepest nesting of groups.
const MAX_NESTING: u32 = 100;
/// Compiled patterns that are kept.
const KEPT: usize = 8;
/// Name of the tag.
const TAG: &str = "regexp";

/// The patterns compiled last, the latest first.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    entries: Vec<(Key, Rc<Pattern>)>,
}

/// A compiled pattern and the size class that it fits.
#[derive(Debug)]
struct Pattern {
    regex: Regex,
    class: usize,
}

/// A pattern, and whether it must match the whole text.
type Key = (String, bool);

/// A text as UTF-8.
fn utf8(t: &Text) -> Cow<'_, str> {
    match t {
        Text::Narrow(b) => String::from_utf8_lossy(b),
        Text::Wide(c) => Cow::Owned(c.iter().collect()),
    }
}

fn build_at(pattern: &str, limit: usize) -> Result<Regex, Error> {
    let mut builder = RegexBuilder::new(pattern);
    builder.size_limit(limit).nest_limit(MAX_NESTING).build()
}

/// Compiles in the smallest size class that fits. Each attempt is paid for before it is made,
/// and stops at its limit.
fn build(cx: &mut Ctx, pattern: &str) -> Res<Result<Pattern, Error>> {
    let mut failed = None;
    for (class, limit) in SIZE_CLASSES.into_iter().enumerate() {
        cx.spend((limit / COMPILE_SHARE) as u64)?;
        match build_at(pattern, limit) {
            Ok(regex) => return Ok(Ok(Pattern { regex, class })),
            Err(e @ Error::CompiledTooBig(_)) => failed = Some(e),
            Err(e) => return Ok(Err(e)),
        }
    }
    Ok(Err(failed.unwrap_or(Error::CompiledTooBig(0))))
}

/// As [`build`], for a pattern that must match the whole text.
fn build_whole(cx: &mut Ctx, pattern: &str) -> Res<Result<Pattern, Error>> {
    // What is wrong with the pattern is said of the pattern, not of what it is wrapped in.
    if let Err(e) = build(cx, pattern)? {
        return Ok(Err(e));
    }
    match build(cx, &format!(r"\A(?:{pattern})\z"))? {
        Ok(r) => Ok(Ok(r)),
        // A pattern in verbose mode may end in a comment, which then needs the line to end.
        Err(_) => build(cx, &format!("\\A(?:{pattern}\n)\\z")),
    }
}

/// Compiles a pattern, or takes it from those that were compiled last.
fn compile(cx: &mut Ctx, pattern: &str, whole: bool) -> Res<Rc<Pattern>> {
    let entries = &mut cx.regexps.entries;
    let known = entries
        .iter()
        .position(|((p, w), _)| p == pattern && *w == whole);
    if let Some(i) = known {
        entries[..=i].rotate_right(1);
        return Ok(entries[0].1.clone());
    }
    if pattern.len() > MAX_PATTERN {
        return fail(
            format!("regexp: the pattern is longer than {MAX_PATTERN} bytes"),
            &[],
        );
    }
    let built = if whole {
        build_whole(cx, pattern)?
    } else {
        build(cx, pattern)?
    };
    match built {
        Ok(r) => {
            let r = Rc::new(r);
            let entries = &mut cx.regexps.entries;
            entries.truncate(KEPT - 1);
            entries.insert(0, ((pattern.to_owned(), whole), r.clone()));
            Ok(r)
        }
        Err(e) => {
            let message = match &e {
                Error::CompiledTooBig(n) => {
                    format!("regexp: the compiled pattern is larger than {n} bytes")
                }
                // The last line says what is wrong, those before show where.
                Error::Syntax(text) => {
                    let last = text.lines().last().unwrap_or_default();
                    format!("regexp: {}", last.trim_start_matches("error: "))
                }
                other => format!("regexp: {other}"),
            };
            let shown = cx.heap.string(pattern);
            fail(message, &[shown])
        }
    }
}

fn is_regexp(cx: &Ctx, w: Word) -> bool {
    w.is(Kind::Tagged) && cx.heap.symbol_name(cx.heap.slot(w, 0)) == Some(TAG)
}

/// The pattern of a compiled regexp, or of a string that stands for one.
fn pattern(cx: &Ctx, w: Word) -> Res<String> {
    let text = if is_regexp(cx, w) {
        cx.heap.slot(w, 1)
    } else {
        w
    };
    match cx.heap.as_text(text) {
        Some(t) => Ok(t.to_utf8()),
        None => wrong_type("Regexp", w),
    }
}

fn regexp(cx: &mut Ctx, a: &[Word]) -> Res {
    if is_regexp(cx, a[0]) {
        return Ok(a[0]);
    }
    let p = cx.text(a[0])?.to_utf8();
    compile(cx, &p, false)?;
    let tag = cx.heap.symbol(TAG);
    let p = cx.heap.string(p);
    Ok(cx.heap.block(Kind::Tagged, &[tag, p]))
}

/// A search: the regexp, the text up to its end, and how much of its work is still unpaid.
struct Search {
    pattern: Rc<Pattern>,
    text: String,
    ascii: bool,
}

/// The regexp `a[0]` on the string `a[1]`, up to the character position `end`.
fn search_of(cx: &mut Ctx, a: &[Word], whole: bool, end: Option<usize>) -> Res<Search> {
    let p = pattern(cx, a[0])?;
    let pattern = compile(cx, &p, whole)?;
    let len = cx.text(a[1])?.len();
    cx.spend(len as u64 / 32 + 8)?;
    cx.reserve(len.saturating_mul(2))?;
    let t = cx.text(a[1])?;
    let text = match end {
        Some(end) if end < len => t.slice(0, end).to_utf8(),
        _ => utf8(t).into_owned(),
    };
    let ascii = text.is_ascii();
    Ok(Search {
        pattern,
        text,
        ascii,
    })
}

impl Search {
    /// How many characters these bytes of the text are.
    fn chars(&self, from: usize, to: usize) -> usize {
        if self.ascii {
            to - from
        } else {
            self.text[from..to].chars().count()
        }
    }

    /// The byte offset of a character position that is within the text.
    fn byte(&self, position: usize) -> usize {
        if self.ascii {
            position
        } else {
            let mut offsets = self.text.char_indices().map(|(i, _)| i);
            offsets.nth(position).unwrap_or(self.text.len())
        }
    }

    /// Steps of a search that looks at so many bytes.
    fn cost(&self, bytes: usize) -> u64 {
        let weight = BYTE_COSTS[self.pattern.class];
        (bytes.saturating_mul(weight) / 2 + 8) as u64
    }

    /// Pays for a search that looked at so many bytes.
    fn pay(&self, cx: &mut Ctx, bytes: usize) -> Res<()> {
        cx.spend(self.cost(bytes))
    }

    /// Refuses a search that the steps left would not cover if it looked at all these bytes.
    fn afford(&self, cx: &mut Ctx, bytes: usize) -> Res<()> {
        let cost = self.cost(bytes);
        if i64::try_from(cost).is_ok_and(|c| c > cx.steps) {
            return cx.spend(cost);
        }
        Ok(())
    }

    /// Calls `f` with each match from the byte offset `at` on, and the end of the one before.
    fn each(
        &self,
        cx: &mut Ctx,
        at: usize,
        mut f: impl FnMut(&mut Ctx, &Captures<'_>, usize) -> Res<bool>,
    ) -> Res<()> {
        let mut from = at;
        let mut last = at;
        let mut matched = false;
        while from <= self.text.len() {
            self.afford(cx, self.text.len() - from)?;
            let Some(c) = self.pattern.regex.captures_at(&self.text, from) else {
                self.pay(cx, self.text.len() - from)?;
                break;
            };
            let Some(m) = c.get(0) else { break };
            // A search may look far beyond its match: each pays a little for all the text.
            self.pay(cx, m.end() - from + (self.text.len() - from) / 512)?;
            let empty = m.end() == m.start();
            let step = self.text[m.end()..]
                .chars()
                .next()
                .map_or(1, char::len_utf8);
            from = if empty { m.end() + step } else { m.end() };
            // An empty match right after another is that one's end, not a match of its own.
            if empty && matched && m.end() == last {
                continue;
            }
            let before = std::mem::replace(&mut last, m.end());
            matched = true;
            if cx.heap.is_exhausted() || !cx.heap.fits(cx.heap.used()) {
                return out_of_memory();
            }
            if !f(cx, &c, before)? {
                break;
            }
        }
        Ok(())
    }

    /// A vector of groups: `#(text start end)`, or `#f` for one that took no part.
    fn match_value(&self, cx: &mut Ctx, c: &Captures<'_>, known: &mut (usize, usize)) -> Word {
        let base = c.get(0).map_or(0, |m| m.start());
        let start = known.1 + self.chars(known.0, base);
        *known = (base, start);
        let mut groups = Vec::with_capacity(c.len());
        for m in c.iter() {
            groups.push(match m {
                Some(m) => {
                    let from = start + self.chars(base, m.start());
                    let to = from + self.chars(m.start(), m.end());
                    let text = cx.heap.string(m.as_str());
                    let parts = vec![text, Word::index(from), Word::index(to)];
                    cx.heap.vector(parts)
                }
                None => Word::FALSE,
            });
        }
        cx.heap.vector(groups)
    }

    /// The first match from a byte offset on.
    fn first(&self, cx: &mut Ctx, at: usize) -> Res {
        let mut found = Word::FALSE;
        let mut known = (0, 0);
        self.each(cx, at, |cx, c, _| {
            found = self.match_value(cx, c, &mut known);
            Ok(false)
        })?;
        Ok(found)
    }
}

fn search(cx: &mut Ctx, a: &[Word]) -> Res {
    search_of(cx, a, false, None)?.first(cx, 0)
}

/// `(regexp-search-from rx string start)`: before the string means its beginning, past its end no match.
fn search_from(cx: &mut Ctx, a: &[Word]) -> Res {
    let Some(start) = a[2].as_fix() else {
        return wrong_type("Integer", a[2]);
    };
    let start = usize::try_from(start).unwrap_or(0);
    let s = search_of(cx, a, false, None)?;
    if start > cx.text(a[1])?.len() {
        return Ok(Word::FALSE);
    }
    s.first(cx, s.byte(start))
}

fn matches(cx: &mut Ctx, a: &[Word]) -> Res {
    search_of(cx, a, true, None)?.first(cx, 0)
}

fn does_match(cx: &mut Ctx, a: &[Word]) -> Res {
    let s = search_of(cx, a, true, None)?;
    s.pay(cx, s.text.len())?;
    Ok(Word::bool(s.pattern.regex.is_match(&s.text)))
}

fn replace(cx: &mut Ctx, a: &[Word], all: bool) -> Res {
    let by = cx.text(a[2])?.to_utf8();
    let s = search_of(cx, a, false, None)?;
    let mut out = String::new();
    let mut copied = 0;
    s.each(cx, 0, |cx, c, _| {
        if let Some(m) = c.get(0) {
            out.push_str(&s.text[copied..m.start()]);
            c.expand(&by, &mut out);
            copied = m.end();
        }
        cx.spend(by.len() as u64 / 16 + 1)?;
        cx.reserve(out.len().saturating_mul(2))?;
        Ok(all)
    })?;
    out.push_str(&s.text[copied..]);
    Ok(cx.heap.string(out))
}

fn split(cx: &mut Ctx, a: &[Word]) -> Res {
    let s = search_of(cx, a, false, None)?;
    let mut words = Vec::new();
    let mut copied = 0;
    s.each(cx, 0, |cx, c, _| {
        if let Some(m) = c.get(0) {
            words.push(cx.heap.string(&s.text[copied..m.start()]));
            copied = m.end();
        }
        Ok(true)
    })?;
    words.push(cx.heap.string(&s.text[copied..]));
    Ok(cx.heap.list(&words))
}

/// `(%regexp-extract rx string start end)`: every match within, in order.
fn extract(cx: &mut Ctx, a: &[Word]) -> Res {
    let len = cx.text(a[1])?.len();
    let (start, end) = cx.range("regexp-fold", a, 2, len)?;
    let s = search_of(cx, a, false, Some(end))?;
    let mut found = Vec::new();
    let mut known = (0, 0);
    s.each(cx, s.byte(start), |cx, c, _| {
        found.push(s.match_value(cx, c, &mut known));
        Ok(true)
    })?;
    Ok(cx.heap.list(&found))
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("regexp", 1, 1, regexp),
    plain("regexp?", 1, 1, |cx, a| Ok(Word::bool(is_regexp(cx, a[0])))),
    plain("regexp-search", 2, 2, search),
    plain("regexp-search-from", 3, 3, search_from),
    plain("regexp-matches", 2, 2, matches),
    plain("regexp-matches?", 2, 2, does_match),
    plain("regexp-replace", 3, 3, |cx, a| replace(cx, a, false)),
    plain("regexp-replace-all", 3, 3, |cx, a| replace(cx, a, true)),
    plain("regexp-split", 2, 2, split),
    plain("regexp-extract", 2, 2, extract),
    plain("%regexp-extract", 4, 4, extract),
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{SIZE_CLASSES, build_at};

    /// What tools write is cheap: the class of common patterns is bounded. A build with more of the
    /// crate's features compiles to larger programs.
    #[test]
    fn common_patterns_are_in_the_small_classes() {
        let class = |p: &str| {
            let fits = |limit: &usize| build_at(p, *limit).is_ok();
            SIZE_CLASSES.iter().position(fits).unwrap()
        };
        let found = [
            "[0-9]+",
            "a|b|c",
            "([a-z]+)=([^;]*)",
            r"\s+",
            r"(?i)hello world",
            r"\d{4}-\d{2}-\d{2}",
            r"^\s*(\S+)\s*=\s*(.*)$",
            r"(\w+)@(\w+)",
            r"(a?){1000}b{1000}",
        ]
        .map(class);
        let most = [0, 0, 0, 0, 0, 2, 1, 3, 3];
        assert!(
            found.iter().zip(most).all(|(found, most)| *found <= most),
            "{found:?}"
        );
    }
}
