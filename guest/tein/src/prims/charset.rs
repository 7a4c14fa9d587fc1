//! Classes of characters and sets of them as sorted ranges, for `(srfi 14)`.
//!
//! A set is a vector of code points: each even item begins a range, the next is just past its end.

use super::{Ctx, NativeDef, categories, plain};
use crate::error::{Res, fail, wrong_type};
use crate::value::Word;

/// Is a code point in a table of `categories`?
fn listed(table: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    let after = table.partition_point(|r| r.0 <= c);
    after > 0 && c < table[after - 1].1
}

fn is_mark(c: char) -> bool {
    listed(categories::MARK, c)
}

fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_punctuation() && !is_symbol(c)
    } else {
        listed(categories::PUNCTUATION, c)
    }
}

fn is_symbol(c: char) -> bool {
    if c.is_ascii() {
        matches!(c, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~')
    } else {
        listed(categories::SYMBOL, c)
    }
}

fn is_title(c: char) -> bool {
    !c.is_ascii() && listed(categories::TITLE_CASE, c)
}

/// Category L: what is alphabetic and neither mark, number nor symbol.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
        || !c.is_ascii() && c.is_alphabetic() && !c.is_numeric() && !is_mark(c) && !is_symbol(c)
}

fn is_digit(c: char) -> bool {
    super::char::digit_value(c).is_some()
}

fn is_graphic(c: char) -> bool {
    c.is_ascii_graphic()
        || !c.is_ascii()
            && (c.is_alphabetic()
                || c.is_numeric()
                || is_mark(c)
                || is_punctuation(c)
                || is_symbol(c))
}

fn is_blank(c: char) -> bool {
    c == '\t' || c.is_whitespace() && !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}')
}

type Test = fn(char) -> bool;

/// The standard sets of SRFI 14 by the name after `char-set:`.
const CLASSES: &[(&str, Test)] = &[
    ("lower-case", char::is_lowercase),
    ("upper-case", char::is_uppercase),
    ("title-case", is_title),
    ("letter", is_letter),
    ("digit", is_digit),
    ("letter+digit", |c| is_letter(c) || is_digit(c)),
    ("graphic", is_graphic),
    ("printing", |c| is_graphic(c) || c.is_whitespace()),
    ("whitespace", char::is_whitespace),
    ("iso-control", char::is_control),
    ("punctuation", is_punctuation),
    ("symbol", is_symbol),
    ("hex-digit", |c| c.is_ascii_hexdigit()),
    ("blank", is_blank),
    ("ascii", |c| c.is_ascii()),
    // Not one of SRFI 14's: the sets of (chibi char-set boundary) are made from it.
    ("mark", is_mark),
    ("empty", |_| false),
    ("full", |_| true),
];

fn class(cx: &Ctx, name: Word) -> Res<Test> {
    let found = cx
        .heap
        .symbol_name(name)
        .and_then(|n| CLASSES.iter().find(|(k, _)| *k == n));
    match found {
        Some((_, test)) => Ok(*test),
        None => wrong_type("Character-Class", name),
    }
}

/// Where characters of the standard sets are: private use and unassigned planes are in none but
/// the full one.
const ASSIGNED: [std::ops::Range<u32>; 2] = [0..0x3_4000, 0xe_0000..0xe_0200];

/// `(%char-class-ranges name)`: the whole set.
fn ranges(cx: &mut Ctx, a: &[Word]) -> Res {
    let test = class(cx, a[0])?;
    let mut out: Vec<u32> = Vec::new();
    if test('\u{10ffff}') {
        out.extend([0, 0xd800, 0xe000, 0x11_0000]);
    } else {
        cx.spend(20_000)?;
        for n in ASSIGNED.into_iter().flatten() {
            let now = char::from_u32(n).is_some_and(test);
            if now == out.len().is_multiple_of(2) {
                out.push(n);
            }
        }
    }
    let out = out.iter().map(|n| Word::fix(i64::from(*n))).collect();
    Ok(cx.heap.vector(out))
}

/// `(%ranges-has? ranges char)`.
fn has(cx: &mut Ctx, a: &[Word]) -> Res {
    let c = i64::from(u32::from(cx.char(a[1])?));
    let items = cx.items(a[0])?;
    let at = items.partition_point(|w| w.as_fix().is_some_and(|n| n <= c));
    Ok(Word::bool(at % 2 == 1))
}

/// `(%ranges-size ranges)`: how many characters.
fn size(cx: &mut Ctx, a: &[Word]) -> Res {
    let items = cx.items(a[0])?;
    let n = items
        .chunks_exact(2)
        .map(|r| r[1].fix_value() - r[0].fix_value())
        .sum();
    Ok(Word::fix(n))
}

/// `(%ranges-merge how a b)`: how is 0 for union, 1 intersection, 2 difference, 3 exclusive or.
fn merge(cx: &mut Ctx, a: &[Word]) -> Res {
    let how = cx.index(a[0])?;
    let keep: fn(bool, bool) -> bool = match how {
        0 => |x, y| x || y,
        1 => |x, y| x && y,
        2 => |x, y| x && !y,
        3 => |x, y| x != y,
        _ => return fail("ranges: no such operation", &a[..1]),
    };
    let points =
        |w: Word| -> Res<Vec<i64>> { Ok(cx.items(w)?.iter().map(|w| w.fix_value()).collect()) };
    let (x, y) = (points(a[1])?, points(a[2])?);
    cx.spend((x.len() + y.len()) as u64 / 2)?;
    cx.reserve((x.len() + y.len()) * 8)?;
    let (mut i, mut j, mut inside) = (0, 0, false);
    let mut out = Vec::new();
    while i < x.len() || j < y.len() {
        let p = match (x.get(i), y.get(j)) {
            (Some(p), Some(q)) => *p.min(q),
            (Some(p), None) | (None, Some(p)) => *p,
            (None, None) => break,
        };
        i += usize::from(x.get(i) == Some(&p));
        j += usize::from(y.get(j) == Some(&p));
        let now = keep(i % 2 == 1, j % 2 == 1);
        if now != inside {
            out.push(Word::fix(p));
            inside = now;
        }
    }
    Ok(cx.heap.vector(out))
}

/// `(%chars->ranges list)`: the set of the characters of a list, or of a string.
fn from_chars(cx: &mut Ctx, a: &[Word]) -> Res {
    let mut points: Vec<u32> = match cx.heap.as_text(a[0]) {
        Some(t) => t.chars().map(u32::from).collect(),
        None => {
            let mut points = Vec::new();
            for w in cx.list(a[0])? {
                points.push(u32::from(cx.char(w)?));
            }
            points
        }
    };
    cx.spend(points.len() as u64)?;
    points.sort_unstable();
    points.dedup();
    let mut out: Vec<u32> = Vec::new();
    for p in points {
        match out.last_mut() {
            Some(end) if *end == p => *end = p + 1,
            _ => out.extend([p, p + 1]),
        }
    }
    let out = out.iter().map(|n| Word::fix(i64::from(*n))).collect();
    Ok(cx.heap.vector(out))
}

/// `(%chars->ranges ...)` the other way: every character, last first.
fn to_list(cx: &mut Ctx, a: &[Word]) -> Res {
    let n = size(cx, a)?.fix_value();
    cx.spend(n as u64)?;
    cx.reserve(n as usize * 16)?;
    let mut out = Word::NIL;
    let points: Vec<u32> = cx
        .items(a[0])?
        .iter()
        .map(|w| w.fix_value() as u32)
        .collect();
    for r in points.chunks_exact(2) {
        for c in (r[0]..r[1]).filter_map(char::from_u32) {
            out = cx.heap.cons(Word::char(c), out);
        }
    }
    Ok(out)
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("%char-class?", 2, 2, |cx, a| {
        let test = class(cx, a[0])?;
        Ok(Word::bool(test(cx.char(a[1])?)))
    }),
    plain("%char-class-ranges", 1, 1, ranges),
    plain("%ranges-has?", 2, 2, has),
    plain("%ranges-size", 1, 1, size),
    plain("%ranges-merge", 3, 3, merge),
    plain("%chars->ranges", 1, 1, from_chars),
    plain("%ranges->list", 1, 1, to_list),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_agree_with_the_standard_on_ascii_and_known_characters() {
        for c in '\0'..='\u{7f}' {
            assert_eq!(
                is_punctuation(c) || is_symbol(c),
                c.is_ascii_punctuation(),
                "{c:?}"
            );
            assert_eq!(listed(categories::SYMBOL, c), is_symbol(c), "{c:?}");
            assert_eq!(
                listed(categories::PUNCTUATION, c),
                is_punctuation(c),
                "{c:?}"
            );
        }
        assert!(is_punctuation('\u{ab}') && is_symbol('€') && is_mark('\u{301}'));
        assert!(is_title('ǅ') && !is_title('A') && is_letter('λ') && is_letter('中'));
        assert!(!is_letter('Ⅷ') && !is_letter('\u{345}') && is_blank('\u{a0}') && !is_blank('\n'));
    }
}
