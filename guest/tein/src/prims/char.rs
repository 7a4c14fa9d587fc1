//! Characters (R7RS 6.6), by Unicode as Rust's standard library has it.

use super::{Ctx, NativeDef, plain};
use crate::error::{Res, fail, wrong_type};
use crate::value::Word;

/// Simple upper case: the character itself where the full mapping has more than one.
pub(crate) fn upcase(c: char) -> char {
    let mut m = c.to_uppercase();
    match (m.next(), m.next()) {
        (Some(u), None) => u,
        _ => c,
    }
}

pub(crate) fn downcase(c: char) -> char {
    let mut m = c.to_lowercase();
    match (m.next(), m.next()) {
        (Some(l), None) => l,
        _ => c,
    }
}

/// Simple case folding, close to Unicode's: lower case of upper case.
pub(crate) fn foldcase(c: char) -> char {
    match c {
        // Folding keeps these as they are (CaseFolding.txt).
        'İ' | 'ı' => c,
        'ẞ' => 'ß',
        // Cherokee folds to its older letters, which are the upper case ones.
        '\u{13A0}'..='\u{13F5}' => c,
        '\u{13F8}'..='\u{13FD}' | '\u{AB70}'..='\u{ABBF}' => upcase(c),
        '\u{1FD3}' => '\u{390}',
        '\u{1FE3}' => '\u{3B0}',
        '\u{FB05}' => '\u{FB06}',
        _ => downcase(upcase(c)),
    }
}

/// Lower, title and upper case of a character of which one has several characters
/// (SpecialCasing.txt, what depends on neither language nor context); nothing for any other.
fn special_case(c: char) -> Option<[String; 3]> {
    let lower: String = c.to_lowercase().collect();
    let upper: String = c.to_uppercase().collect();
    if lower.chars().count() == 1 && upper.chars().count() == 1 {
        return None;
    }
    let n = u32::from(c);
    let mut rest = upper.chars();
    let first = rest.next().unwrap_or(c);
    let title = match n {
        // Greek with a iota below: title case is a letter of its own where there is one.
        0x1F80..=0x1FAF => char::from_u32(n | 8).into_iter().collect(),
        0x1FB3 | 0x1FC3 | 0x1FF3 => char::from_u32(n + 9).into_iter().collect(),
        0x1FBC | 0x1FCC | 0x1FFC => c.to_string(),
        0x1FB7 | 0x1FC7 | 0x1FF7 => format!(
            "{}\u{342}",
            match n {
                0x1FB7 => '\u{1FBC}',
                0x1FC7 => '\u{1FCC}',
                _ => '\u{1FFC}',
            }
        ),
        0x149 => upper.clone(),
        0x1FB2 | 0x1FB4 | 0x1FC2 | 0x1FC4 | 0x1FF2 | 0x1FF4 => format!("{first}\u{345}"),
        // The others: the first letter of the upper case, and the rest of it in lower case.
        _ => std::iter::once(first)
            .chain(rest.flat_map(char::to_lowercase))
            .collect(),
    };
    Some([lower, title, upper])
}

/// `(char-get-special-case char which)`: which is 1, 2 or 3 for lower, title or upper case.
fn get_special_case(cx: &mut Ctx, a: &[Word]) -> Res {
    let c = cx.char(a[0])?;
    let Some(cases) = special_case(c) else {
        return Ok(Word::FALSE);
    };
    match cx.index(a[1])? {
        0 => Ok(Word::fix(i64::from(u32::from(c)))),
        which @ 1..=3 => Ok(cx.heap.string(cases[which - 1].as_str())),
        _ => fail("char-get-special-case: index out of range", a),
    }
}

/// The value of a decimal digit in any script.
pub(crate) fn digit_value(c: char) -> Option<u32> {
    if c.is_ascii() {
        return c.to_digit(10);
    }
    // First digits of the decimal ranges (Unicode category Nd).
    const ZEROS: &[u32] = &[
        0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6,
        0x0D66, 0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0,
        0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0,
        0xAA50, 0xABF0, 0xFF10, 0x104A0, 0x10D30, 0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0,
        0x11450, 0x114D0, 0x11650, 0x116C0, 0x11730, 0x118E0, 0x11950, 0x11C50, 0x11D50, 0x11DA0,
        0x16A60, 0x16AC0, 0x16B50, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6, 0x1E140, 0x1E2F0,
        0x1E950, 0x1FBF0,
    ];
    let n = c as u32;
    let i = ZEROS.partition_point(|z| *z <= n).checked_sub(1)?;
    let d = n - ZEROS[i];
    (d < 10).then_some(d)
}

fn compare(cx: &mut Ctx, a: &[Word], map: fn(char) -> char, ok: fn(char, char) -> bool) -> Res {
    let mut chars = Vec::with_capacity(a.len());
    for w in a {
        chars.push(map(cx.char(*w)?));
    }
    Ok(Word::bool(chars.windows(2).all(|p| ok(p[0], p[1]))))
}

const fn same(c: char) -> char {
    c
}

macro_rules! test {
    ($name:literal, $f:expr) => {
        plain($name, 1, 1, |cx, a| {
            let c = cx.char(a[0])?;
            let f: fn(char) -> bool = $f;
            Ok(Word::bool(f(c)))
        })
    };
}

fn integer_to_char(_: &mut Ctx, a: &[Word]) -> Res {
    match a[0].as_fix() {
        Some(n) => match u32::try_from(n).ok().and_then(char::from_u32) {
            Some(c) => Ok(Word::char(c)),
            None => fail("integer->char: not a character", a),
        },
        None => wrong_type("Integer", a[0]),
    }
}

pub(crate) const NATIVES: &[NativeDef] = &[
    plain("char?", 1, 1, |_, a| {
        Ok(Word::bool(a[0].as_char().is_some()))
    }),
    plain("char->integer", 1, 1, |cx, a| {
        Ok(Word::fix(i64::from(u32::from(cx.char(a[0])?))))
    }),
    plain("integer->char", 1, 1, integer_to_char),
    plain("char=?", 1, -1, |cx, a| compare(cx, a, same, |x, y| x == y)),
    plain("char<?", 1, -1, |cx, a| compare(cx, a, same, |x, y| x < y)),
    plain("char>?", 1, -1, |cx, a| compare(cx, a, same, |x, y| x > y)),
    plain("char<=?", 1, -1, |cx, a| {
        compare(cx, a, same, |x, y| x <= y)
    }),
    plain("char>=?", 1, -1, |cx, a| {
        compare(cx, a, same, |x, y| x >= y)
    }),
    plain("char-ci=?", 1, -1, |cx, a| {
        compare(cx, a, foldcase, |x, y| x == y)
    }),
    plain("char-ci<?", 1, -1, |cx, a| {
        compare(cx, a, foldcase, |x, y| x < y)
    }),
    plain("char-ci>?", 1, -1, |cx, a| {
        compare(cx, a, foldcase, |x, y| x > y)
    }),
    plain("char-ci<=?", 1, -1, |cx, a| {
        compare(cx, a, foldcase, |x, y| x <= y)
    }),
    plain("char-ci>=?", 1, -1, |cx, a| {
        compare(cx, a, foldcase, |x, y| x >= y)
    }),
    plain("char-upcase", 1, 1, |cx, a| {
        Ok(Word::char(upcase(cx.char(a[0])?)))
    }),
    plain("char-downcase", 1, 1, |cx, a| {
        Ok(Word::char(downcase(cx.char(a[0])?)))
    }),
    plain("char-foldcase", 1, 1, |cx, a| {
        Ok(Word::char(foldcase(cx.char(a[0])?)))
    }),
    test!("char-alphabetic?", char::is_alphabetic),
    test!("char-numeric?", |c| digit_value(c).is_some()),
    test!("char-whitespace?", char::is_whitespace),
    test!("char-upper-case?", char::is_uppercase),
    test!("char-lower-case?", char::is_lowercase),
    plain("char-get-special-case", 2, 2, get_special_case),
    plain("digit-value", 1, 1, |cx, a| {
        Ok(digit_value(cx.char(a[0])?).map_or(Word::FALSE, |d| Word::fix(i64::from(d))))
    }),
];
